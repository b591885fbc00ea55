/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parses options as git does: --name VALUE, --name=VALUE, -o VALUE; "--" ends them. A misspelt option gets a
 * suggestion. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli/kit/cli.h"

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

const char *wsk_cli_hint(char *out, size_t size, const char *word, const char *const *names, const char *dashes)
{
    const char *best = wsk_nearest(word, names);
    if (best)
        snprintf(out, size, T_("; did you mean '%s%s'?"), dashes, best);
    return best ? out : "";
}

void wsk_cli_push(wsk_cli_list *list, const char *item)
{
    const char **grown = wsk_cli_alloc((list->count + 1) * sizeof *grown);
    if (list->count)
        memcpy(grown, list->items, list->count * sizeof *grown);
    free(list->items);
    grown[list->count++] = item;
    list->items = grown;
}

void wsk_cli_list_free(wsk_cli_list *list, size_t from)
{
    for (size_t i = from; i < list->count; i++)
        free((void *)(uintptr_t)list->items[i]);
    free(list->items);
    *list = (wsk_cli_list){0};
}

static size_t option_lines(const char *text)
{
    const char *line = text;
    while (*line == ' ')
        line += strcspn(line, "\n"), line += *line == '\n';
    return (size_t)(line - text);
}

static bool ends_sentence(const char *line, size_t len)
{
    static const char stop[] = "\xe3\x80\x82"; /* the Japanese full stop */
    const size_t n = sizeof stop - 1;
    return len && (strchr(".:", line[len - 1]) || (len >= n && !memcmp(line + len - n, stop, n)));
}

/* True if the line `next` continues the sentence of `line`, in a paragraph or in the text of an option. */
static bool is_one_text(const char *line, size_t len, const char *next)
{
    enum { OPTION_TEXT = 22 };
    const size_t lead = strspn(next, " ");
    if (!len || line[len - 1] == '\\' || !next[0] || next[lead] == '\n')
        return false;
    return *line == ' ' ? lead == OPTION_TEXT : !lead && !ends_sentence(line, len);
}

/* Joins the lines of each sentence in place, so that they can be wrapped at another width. */
static char *rejoin(char *text)
{
    size_t from = 0, to = 0, start = 0; /* start: index of the first byte of the line that is being joined */
    while (text[from]) {
        if (text[from] != '\n' || !is_one_text(text + start, to - start, text + from + 1)) {
            text[to++] = text[from++];
            start = text[to - 1] == '\n' ? to : start;
            continue;
        }
        from += 1 + strspn(text + from + 1, " ");
        /* Japanese has no blanks between its words, nor behind its commas and full stops. */
        const bool wide = (unsigned char)text[to - 1] >= 0x80,
                   stops = to > 2 && !memcmp(text + to - 3, "\xe3\x80", 2);
        if (!wide || (!stops && (unsigned char)text[from] < 0x80))
            text[to++] = ' ';
    }
    text[to] = '\0';
    return text;
}

void wsk_cli_print_help(const wsk_cli_command *command)
{
    const char *options = T_(command->options);
    size_t lines = option_lines(options);
    char *text = wsk_cli_format(T_("wattsink %1$s: %2$s\n\nusage: wattsink %1$s%3$s%4$s\n"), command->name,
                                T_(command->summary), *command->usage ? " " : "", T_(command->usage));
    char *all =
        wsk_cli_format("%s%.*s%s%s\n", text, (int)lines, options,
                       T_("  --lang en|ja        language of the text; without it the locale's\n"), options + lines);
    wsk_cli_print(stdout, wsk_cli_page(stdout, 0) ? rejoin(all) : all);
    printf(T_("example: %s\n"), command->example); /* not wrapped, so that it can be copied */
    free(text);
    free(all);
}

int(wsk_cli_usage)(const wsk_cli_command *command, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    fprintf(stderr, "wattsink %s: ", command->name);
    vfprintf(stderr, fmt, args);
    va_end(args);
    fprintf(stderr, T_("\nusage: wattsink %s%s%s\n"), command->name, *command->usage ? " " : "", T_(command->usage));
    return WSK_EUSAGE;
}

int wsk_cli_one_rig(const wsk_cli_command *command, const wsk_cli_list *words)
{
    if (!words->count)
        return wsk_cli_usage(command, T_("which rig?"));
    const char *second = words->items[1];
    size_t len = strlen(second);
    if (len > 4 && !strcmp(second + len - 4, ".xml"))
        return wsk_cli_usage(command, T_("one rig at a time, not '%s' and '%s'"), words->items[0], second);
    return wsk_cli_usage(command, T_("one rig at a time, and '%s' is none; a value with a blank in it wants quotes"),
                         second);
}

static const wsk_cli_option *find(const wsk_cli_option *options, const char *word, size_t len)
{
    for (const wsk_cli_option *o = options; o->name; o++)
        if (word[0] == '-' && word[1] == '-' ? strlen(o->name) == len - 2 && !strncmp(o->name, word + 2, len - 2)
                                             : o->letter && o->letter == word[1])
            return o;
    return NULL;
}

/* The option of this command for what another command calls `name`; without one `name` itself. */
static const char *own_name(const wsk_cli_option *options, const char *name)
{
    static const char *const alike[][2] = {{"--vary", "--over"}, {"--over", "--vary"}, {"--best", "--min"},
                                           {"--min", "--best"},  {"--max", "--best"},  {"--where", "--best"}};
    for (size_t i = 0; i < sizeof alike / sizeof *alike; i++)
        if (!strcmp(name, alike[i][0]) && find(options, alike[i][1], strlen(alike[i][1])))
            return alike[i][1];
    return name;
}

static int unknown(const wsk_cli_command *command, const wsk_cli_option *options, const char *word, size_t len)
{
    const char *names[32];
    size_t n = 0;
    for (const wsk_cli_option *o = options; o->name && n < 30; o++)
        names[n++] = o->name;
    names[n++] = "help";
    names[n] = NULL;
    char hint[64], name[64];
    snprintf(name, sizeof name, "%.*s", (int)least(len, 63), word);
    const char *meant = own_name(options, name);
    return wsk_cli_usage(command, T_("unknown option '%s'%s"), name,
                         wsk_cli_hint(hint, sizeof hint, meant + strspn(meant, "-"), names, "--"));
}

int wsk_cli_parse(const wsk_cli_command *command, int argc, char **argv, const wsk_cli_option *options,
                  wsk_cli_list *words)
{
    bool literal = false;
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        if (literal || word[0] != '-' || !word[1]) {
            wsk_cli_push(words, word);
            continue;
        }
        if (!strcmp(word, "--")) {
            literal = true;
            continue;
        }
        if (!strcmp(word, "--help") || !strcmp(word, "-h")) {
            wsk_cli_print_help(command);
            return -1;
        }
        bool is_long = word[1] == '-';
        size_t len = is_long ? strcspn(word, "=") : 2;
        const wsk_cli_option *o = find(options, word, len);
        if (!o)
            return unknown(command, options, word, is_long ? len : strlen(word));
        const char *value = !word[len] ? NULL : is_long ? word + len + 1 : word + len;
        if (o->flag) {
            if (value)
                return wsk_cli_usage(command, T_("option '%.*s' takes no value"), (int)len, word);
            *o->flag = true;
            wsk_cli_quiet = wsk_cli_quiet || !strcmp(o->name, "quiet");
            continue;
        }
        if (!value && i + 1 < argc)
            value = argv[++i];
        if (!value || !*value)
            return wsk_cli_usage(command, T_("option '%.*s' needs a value"), (int)len, word);
        if (o->list) {
            wsk_cli_push(o->list, value);
            continue;
        }
        /* If an option is given several times, the last value counts, so that a script can override its defaults. Only
         * --parts must not be repeated, because one may expect that both folders are searched. */
        if (*o->value && !strcmp(o->name, "parts"))
            return wsk_cli_usage(command, T_("option '%.*s' is given twice"), (int)len, word);
        *o->value = value;
    }
    return WSK_OK;
}
