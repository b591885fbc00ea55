/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wattsink: finds the command and hands over. */
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "cli/commands.h"

static int dispatch(int argc, char **argv)
{
    if (argc < 2) {
        fputs(T_("usage: wattsink COMMAND [ARGUMENT]...; 'wattsink help' lists the commands\n"), stderr);
        return WSK_EUSAGE;
    }
    const char *word = argv[1];
    if (!strcmp(word, "--version") || !strcmp(word, "-V")) {
        printf("wattsink %s\n", wsk_version());
        return WSK_OK;
    }
    if (!strcmp(word, "--help") || !strcmp(word, "-h"))
        word = "help";
    if (word[0] == '-') {
        static const char *const names[] = {"help", "version", "lang", NULL};
        char hint[64];
        wsk_cli_error(T_("unknown option '%s'%s"), word,
                      wsk_cli_hint(hint, sizeof hint, word + strspn(word, "-"), names, "--"));
        return WSK_EUSAGE;
    }
    const wsk_cli_command *command = wsk_cli_find(word);
    return command ? command->run(argc - 1, argv + 1) : WSK_EUSAGE;
}

/* A standard stream that is closed is held by something that cannot be read or written, lest a result's file gets its number. */
static void hold_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) == -1 && open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) == -1)
            return;
}

/* What one network or run frees the next one takes: in between nothing goes back to the system, which would have to clear it
 * again page by page. */
static void keep_memory(void)
{
#ifdef __GLIBC__
    const int large = 32 << 20;
    mallopt(M_TRIM_THRESHOLD, 8 * large);
    mallopt(M_MMAP_THRESHOLD, large);
    mallopt(M_TOP_PAD, large / 64);
#endif
}

int main(int argc, char **argv)
{
    keep_memory();
    hold_streams();
    wsk_cli_started = wsk_clock();
    /* A file that may not grow is a write error like any other, not the end of the program. */
    signal(SIGXFSZ, SIG_IGN);
    int code = wsk_cli_language(&argc, argv);
    if (code == WSK_OK)
        code = dispatch(argc, argv);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        wsk_cli_error(T_("cannot write to standard output"));
        if (code == WSK_OK)
            code = WSK_ERUN;
    }
    return code == WSK_ENOMEM ? WSK_ERUN : code;
}
