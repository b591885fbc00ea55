/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loading a rig for any command: standard input, part folders, messages. */
#define _XOPEN_SOURCE 700 /* realpath */
#include <stdlib.h>
#include <string.h>

#include "cli/kit/cli.h"

enum { RIG_MAX = 16 * 1024 * 1024 };

char *wsk_cli_read_stdin(size_t *len)
{
    /* One byte more than is allowed is enough for the library to refuse it. */
    char *text = wsk_cli_alloc(RIG_MAX + 2);
    *len = fread(text, 1, RIG_MAX + 1, stdin);
    return text;
}

/* Where parts were looked for, and how to name another folder: behind a message that one is missing. own NULL: none given. */
static void tell_folders(const char *own, const char *catalogue)
{
    if (own && strcmp(own, catalogue) != 0)
        wsk_cli_error("parts were looked for in %s and in %s; WATTSINK_PARTS=DIR takes the place of the latter", own,
                      catalogue);
    else
        wsk_cli_error(
            "parts were looked for in %s; --parts DIR adds a folder of your own, WATTSINK_PARTS=DIR takes its place",
            catalogue);
}

char *wsk_cli_set_by(wsk_cli_rig_options *options, const char *option, const char *path, const char *value)
{
    enum { MOST = sizeof options->by_option / sizeof *options->by_option };
    char *set = value ? wsk_cli_format("%s=%s", path, value) : NULL;
    size_t i = 0;
    if (!set)
        return NULL;
    while (i + 1 < MOST && options->by_option[i].set)
        i++;
    options->by_option[i].option = option;
    options->by_option[i].set = set;
    wsk_cli_push(&options->sets, set);
    return set;
}

/* "setting run.for=7: for: ..." as "wattsink: --for: ...", where --for was typed. */
static const char *by_option(const wsk_cli_rig_options *options, const char *text)
{
    static const char lead[] = "setting ";
    const char *set = text + sizeof lead - 1;
    for (size_t i = 0;
         !strncmp(text, lead, sizeof lead - 1) && i < sizeof options->by_option / sizeof *options->by_option; i++) {
        size_t len = options->by_option[i].set ? strlen(options->by_option[i].set) : 0;
        if (!len || strncmp(set, options->by_option[i].set, len) != 0 || set[len] != ':')
            continue;
        const char *said = strstr(set + len + 1, ": "); /* behind the attribute's name */
        fprintf(stderr, "wattsink: %s", options->by_option[i].option);
        return said ? said : set + len;
    }
    return text;
}

static void print_messages(const wsk_rig *rig, const wsk_cli_rig_options *options, int show)
{
    static const char *const prefix[] = {"", "warning: ", "advice: "};
    for (size_t i = 0; i < wsk_rig_messages(rig); i++) {
        int severity, line, column;
        const char *file, *text;
        wsk_rig_message(rig, i, &severity, &file, &line, &column, &text);
        if (severity > show)
            continue;
        if (file && line > 0)
            fprintf(stderr, "%s:%d:%d: ", file, line, column);
        else if (file)
            fprintf(stderr, "%s: ", file);
        else
            text = by_option(options, text);
        fprintf(stderr, "%s%s\n", prefix[severity < 0 || severity > 2 ? 0 : severity], text);
    }
}

wsk_rig *wsk_cli_load(const char *path, const wsk_cli_rig_options *options, int show, int *code)
{
    char *parts = wsk_cli_parts_dir(options->parts), *own = NULL;
    const char *text = NULL;
    size_t len = 0;
    if (!strcmp(path, "-") && options->text)
        text = options->text, len = options->text_len;
    else if (!strcmp(path, "-"))
        text = own = wsk_cli_read_stdin(&len);
    wsk_rig *rig = NULL;
    *code = WSK_OK;
    if (options->parts && !wsk_cli_is_dir(options->parts)) {
        wsk_cli_error("--parts %s: no such folder", options->parts);
        *code = WSK_EINPUT;
    } else if (options->data && !wsk_cli_is_dir(options->data)) {
        wsk_cli_error("--data %s: no such folder", options->data);
        *code = WSK_EINPUT;
    } else {
        *code = (int)wsk_rig_load(&rig, &(wsk_rig_options){.path = path,
                                                           .text = text,
                                                           .text_len = len,
                                                           .parts_dir = parts,
                                                           .extra_parts_dir = options->parts,
                                                           .data_dir = options->data,
                                                           .sets = options->sets.items,
                                                           .set_count = options->sets.count});
        if (rig)
            print_messages(rig, options, show);
        if (rig && show >= 0 && wsk_rig_lacks_parts(rig))
            tell_folders(options->parts, parts);
        if (*code == WSK_ENOMEM)
            wsk_cli_error("out of memory");
    }
    if (*code != WSK_OK) {
        wsk_rig_free(rig);
        rig = NULL;
    }
    free(own);
    free(parts);
    return rig;
}

char *wsk_cli_part_text(const char *lead, const char *own, const char *catalogue, const char *id, int *code)
{
    char *text = NULL, *error = NULL;
    bool missing;
    *code = (int)wsk_part_text_in(own, catalogue, id, &text, &error, &missing);
    if (*code != WSK_OK && !(error && *error))
        wsk_cli_error("part '%s': %s", id, wsk_status_text((wsk_status)*code));
    for (char *line = error, *end; *code != WSK_OK && line && *line; line = end) {
        end = line + strcspn(line, "\n");
        fprintf(stderr, "%s%.*s\n", lead, (int)(end - line), line);
        end += *end == '\n';
    }
    if (*code != WSK_OK && missing)
        tell_folders(own, catalogue);
    wsk_text_free(error);
    return text;
}

bool wsk_cli_stepper(const wsk_cli_command *command, const char *text, wsk_stepper *out)
{
    *out = text && !strcmp(text, "reference") ? WSK_STEPPER_REFERENCE : WSK_STEPPER_FAST;
    if (!text || !strcmp(text, "reference") || !strcmp(text, "fast"))
        return true;
    static const char *const names[] = {"fast", "reference", NULL};
    char hint[64];
    wsk_cli_usage(command, "--stepper '%s': expected fast or reference%s", text,
                  wsk_cli_hint(hint, sizeof hint, text, names, ""));
    return false;
}

char *wsk_cli_rig_label(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *name = wsk_cli_format("%s", slash ? slash + 1 : path);
    size_t len = strlen(name);
    if (len > 4 && !strcmp(name + len - 4, ".xml"))
        name[len - 4] = '\0';
    if (strcmp(name, "rig") != 0)
        return name;
    char *whole = realpath(path, NULL);
    char *end = whole ? strrchr(whole, '/') : NULL;
    if (end && end != whole) {
        *end = '\0';
        free(name);
        name = wsk_cli_format("%s", strrchr(whole, '/') + 1);
    }
    free(whole);
    return name;
}
