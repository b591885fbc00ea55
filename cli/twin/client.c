/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/twin/client.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/base/json.h"
#include "twin/ask.h"
#include "twin/segment.h"

static int find_socket(const char *name, char out[108])
{
    wsk_twin_reader *reader = NULL;
    wsk_twin_moment *moment = wsk_cli_alloc(sizeof *moment);
    wsk_twin_status status = wsk_twin_attach(&reader, name);
    if (status == WSK_TWIN_OK)
        status = wsk_twin_read(reader, moment);
    memcpy(out, moment->socket, sizeof moment->socket);
    wsk_twin_detach(reader);
    free(moment);
    if (status == WSK_TWIN_OK)
        return WSK_OK;
    if (status == WSK_TWIN_FOREIGN)
        wsk_cli_error(T_("the twin '%s' was started by another version of wattsink"), wsk_twin_name(name));
    else
        wsk_cli_error(T_("no twin named '%s' is running; 'wattsink twin RIG.xml' starts one"), wsk_twin_name(name));
    return WSK_ERUN;
}

/* Returns the root of an answer; NULL: the answer is no JSON object. */
static wsk_json *read_answer(const char *answer)
{
    wsk_json *root = NULL;
    wsk_diags mistakes;
    wsk_arena *arena = wsk_arena_new();
    wsk_cli_check_memory(arena != NULL);
    wsk_diags_init(&mistakes, arena);
    const wsk_status status = wsk_json_parse(&root, answer, strlen(answer), &mistakes);
    wsk_arena_free(arena);
    wsk_cli_check_memory(status != WSK_ENOMEM);
    return root;
}

bool wsk_client_accepted(const char *answer)
{
    wsk_json *root = read_answer(answer);
    wsk_json_kind kind;
    const wsk_json *ok = root ? wsk_json_at(root, "ok", &kind) : NULL;
    const bool accepted = ok && kind == WSK_JSON_FLAG && wsk_json_as_flag(ok);
    wsk_json_free(root);
    return accepted;
}

char *wsk_client_refusal(const char *answer)
{
    char *said = wsk_cli_told(answer);
    return said ? said : wsk_cli_format("%s", answer);
}

/* Longest wait for an answer, ms. It is long, because an advance by a day takes almost a million steps. */
enum { ANSWER_MS = 600000 };

static int send_line(const char *socket, const char *line, const char *text, char *answer, size_t size)
{
    const wsk_ask_status status = wsk_twin_ask(socket, line, ANSWER_MS, answer, size);
    if (status == WSK_ASK_OK)
        return WSK_OK;
    if (status == WSK_ASK_GONE) {
        wsk_cli_error(T_("the twin does not answer"));
        return WSK_ERUN;
    }
    if (status == WSK_ASK_DENIED) {
        wsk_cli_error(T_("'%s' is refused: the twin was started without --writable"), text);
        return WSK_EINPUT;
    }
    char *why = wsk_client_refusal(answer);
    wsk_cli_error(T_("'%s' is refused: %s"), text, why);
    free(why);
    return WSK_EINPUT;
}

static int ask(const char *socket, const char *key, bool list, const char *text, char *answer, size_t size)
{
    wsk_buf line = {0};
    wsk_buf_printf(&line, "{\"%s\": %s", key, list ? "[" : "");
    wsk_buf_json(&line, text);
    wsk_buf_printf(&line, list ? "]}" : "}");
    wsk_cli_check_memory(!line.failed);
    const int code = send_line(socket, line.data, text, answer, size);
    wsk_buf_free(&line);
    return code;
}

static void print_number(void *unused, const char *name, const wsk_json *value, wsk_json_kind kind)
{
    double number;
    char text[32] = "null";
    (void)unused;
    if (kind == WSK_JSON_NUMBER && wsk_json_as_number(value, &number))
        wsk_format_number(text, sizeof text, number);
    printf("%s %s\n", name, text);
}

/* Prints the numbers of {"ok": true, ..., "values": {"NAME": NUMBER}}; null: the variable has no value now. */
static void print_values(const char *answer)
{
    wsk_json *root = read_answer(answer);
    wsk_json_kind kind;
    const wsk_json *values = root ? wsk_json_at(root, "values", &kind) : NULL;
    if (values && kind == WSK_JSON_OBJECT)
        wsk_json_each(values, print_number, NULL);
    wsk_json_free(root);
}

int wsk_client_ask(const char *name, const wsk_client_questions *q)
{
    enum { ROOM = 1 << 20 };
    char socket[108], *answer = wsk_cli_alloc(ROOM);
    int code = find_socket(name, socket);
    for (size_t i = 0; i < q->orders.count && code == WSK_OK; i++)
        code = ask(socket, "do", false, q->orders.items[i], answer, ROOM);
    for (size_t i = 0; i < q->lines.count && code == WSK_OK; i++) {
        code = send_line(socket, q->lines.items[i], q->lines.items[i], answer, ROOM);
        if (code == WSK_OK)
            puts(answer);
    }
    for (size_t i = 0; i < q->reads.count && code == WSK_OK; i++) {
        code = ask(socket, "read", true, q->reads.items[i], answer, ROOM);
        if (code == WSK_OK)
            print_values(answer);
    }
    free(answer);
    return code;
}

char *wsk_client_library(void)
{
    /* folders relative to that of the program, which is build/ or PREFIX/bin/ */
    static const char *const beside[] = {"twin", "../lib/wattsink"};
    char exe[4096];
    const ssize_t len = readlink("/proc/self/exe", exe, sizeof exe - 1);
    char *slash = NULL;
    if (len > 0) {
        exe[len] = '\0';
        slash = strrchr(exe, '/');
    }
    for (size_t i = 0; slash && i < sizeof beside / sizeof *beside; i++) {
        char *folder = wsk_cli_format("%.*s/%s", (int)(slash - exe), exe, beside[i]);
        char *file = wsk_cli_format("%s/libnvidia-ml.so.1", folder);
        const bool there = access(file, R_OK) == 0;
        free(file);
        if (there)
            return folder;
        free(folder);
    }
    return NULL;
}

pid_t wsk_client_start(char *const *command, const char *library, const char *name)
{
    const char *others = getenv("LD_LIBRARY_PATH");
    char *path = wsk_cli_format("%s%s%s", library, others && *others ? ":" : "", others ? others : "");
    fflush(NULL);
    const pid_t client = fork();
    if (client < 0)
        wsk_cli_error(T_("cannot start %s: %s"), command[0], T_(strerror(errno)));
    if (client == 0) {
        if (setenv("LD_LIBRARY_PATH", path, 1) == 0 && setenv("WATTSINK_TWIN", wsk_twin_name(name), 1) == 0)
            execvp(command[0], command);
        wsk_cli_error(T_("cannot start %s: %s"), command[0], T_(strerror(errno)));
        _exit(errno == ENOENT ? 127 : 126); /* the exit codes that shells use */
    }
    free(path);
    return client;
}

bool wsk_client_ended(pid_t client, int *code)
{
    int status;
    const pid_t ended = waitpid(client, &status, WNOHANG);
    if (ended != client)
        return false;
    *code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return true;
}
