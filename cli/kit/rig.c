/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _XOPEN_SOURCE 700 /* declares realpath */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/kit/rig.h"
#include "cli/kit/vary.h"
#include "sim/base/calendar.h"
#include "words/words.h"

static void tell_folders(const char *own, const char *catalogue)
{
    if (own && strcmp(own, catalogue) != 0)
        wsk_cli_error(T_("parts were looked for in %s and in %s; WATTSINK_PARTS=DIR takes the place of the latter"),
                      own, catalogue);
    else
        wsk_cli_error(T_("parts were looked for in %s; --parts DIR adds a folder of your own, WATTSINK_PARTS=DIR "
                         "takes its place"),
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

/* For a message about a setting that was made from an option: sets *option and returns the reason alone. For any other
 * message: sets *option to NULL and returns the message. */
static const wsk_said *by_option(const wsk_cli_rig_options *options, const wsk_said *said, const char **option)
{
    *option = NULL;
    if (!said || said->code != WSK_SAY_SETTING || !said->args[1].said)
        return said;
    for (size_t i = 0; i < sizeof options->by_option / sizeof *options->by_option; i++)
        if (options->by_option[i].set && strcmp(options->by_option[i].set, said->args[0].text) == 0)
            *option = options->by_option[i].option;
    const wsk_said *why = said->args[1].said;
    if (!*option)
        return said;
    return why->code == WSK_SAY_VALUE ? why->args[1].said : why;
}

static void print_message(const wsk_rig *rig, size_t i, const wsk_cli_rig_options *options, int show)
{
    int severity, line, column;
    const char *file, *text, *option = NULL;
    wsk_rig_message(rig, i, &severity, &file, &line, &column, &text);
    if (severity > show)
        return;
    const wsk_said *said = wsk_rig_message_said(rig, i);
    wsk_buf b = {0};
    if (file && line > 0)
        wsk_buf_printf(&b, "%s:%d:%d: ", file, line, column);
    else if (file)
        wsk_buf_printf(&b, "%s: ", file);
    else
        said = by_option(options, said, &option);
    if (option)
        wsk_buf_printf(&b, "wattsink: %s: ", option);
    if (severity > 0)
        wsk_buf_printf(&b, "%s", severity == 1 ? T_("warning: ") : T_("advice: "));
    if (said)
        wsk_words_said(&b, wsk_cli_lang, said);
    else
        wsk_buf_printf(&b, "%s", text);
    char *shown = b.failed ? NULL : wsk_cli_shown(b.data);
    fprintf(stderr, "%s\n", shown ? shown : b.failed ? text : b.data);
    free(shown);
    wsk_buf_free(&b);
}

void wsk_cli_print_messages(const wsk_rig *rig, const wsk_cli_rig_options *options, int show)
{
    for (size_t i = 0; i < wsk_rig_messages(rig); i++)
        print_message(rig, i, options, show);
}

static const char *text_of(const wsk_rig *rig, size_t i)
{
    int severity, line, column;
    const char *file, *text = NULL;
    wsk_rig_message(rig, i, &severity, &file, &line, &column, &text);
    return text ? text : "";
}

static bool has_text(const wsk_rig *rig, const char *text)
{
    for (size_t i = 0; i < wsk_rig_messages(rig); i++)
        if (!strcmp(text_of(rig, i), text))
            return true;
    return false;
}

static void print_new(const wsk_rig *rig, const wsk_rig *first, const wsk_cli_rig_options *options, wsk_code code)
{
    for (size_t i = 0; i < wsk_rig_messages(rig); i++) {
        const wsk_said *said = wsk_rig_message_said(rig, i);
        while (said && said->code == WSK_SAY_SETTING)
            said = said->args[1].said;
        if (!said || said->code != code || (first && has_text(first, text_of(rig, i))))
            continue;
        print_message(rig, i, options, 1);
        return;
    }
}

void wsk_cli_print_low_limit(const wsk_rig *rig, const wsk_rig *first, const wsk_cli_rig_options *options)
{
    print_new(rig, first, options, WSK_SAY_LIMIT_TOO_LOW);
}

void wsk_cli_print_overridden(const wsk_rig *rig, const wsk_rig *first, const wsk_cli_rig_options *options)
{
    print_new(rig, first, options, WSK_SAY_OVERRIDDEN);
}

void wsk_cli_print_long_context(const wsk_rig *rig, const wsk_cli_rig_options *options)
{
    print_new(rig, NULL, options, WSK_SAY_MODEL_CONTEXT);
}

wsk_rig *wsk_cli_load_quietly(const char *path, const wsk_cli_rig_options *options, int *code)
{
    char *parts = wsk_cli_parts_dir(options->parts);
    wsk_rig *rig = NULL;
    *code = (int)wsk_rig_load(&rig, &(wsk_rig_options){.path = path,
                                                       .parts_dir = parts,
                                                       .extra_parts_dir = options->parts,
                                                       .data_dir = options->data,
                                                       .prices = options->prices,
                                                       .files_of = options->files_of,
                                                       .threads = options->threads,
                                                       .sets = options->sets.items,
                                                       .set_count = options->sets.count,
                                                       .exchanges = options->exchanges.items,
                                                       .exchange_count = options->exchanges.count});
    free(parts);
    return rig;
}

void wsk_cli_tell_refusal(const wsk_rig *rig, const wsk_cli_rig_options *options, int show)
{
    wsk_cli_print_messages(rig, options, show);
    if (!wsk_rig_lacks_parts(rig))
        return;
    char *parts = wsk_cli_parts_dir(options->parts);
    tell_folders(options->parts, parts);
    free(parts);
}

wsk_rig *wsk_cli_load(const char *path, const wsk_cli_rig_options *options, int show, int *code)
{
    wsk_rig *rig = NULL;
    *code = WSK_EINPUT;
    if (options->parts && !wsk_cli_is_dir(options->parts))
        wsk_cli_error(T_("--parts %s: no such folder"), options->parts);
    else if (options->data && !wsk_cli_is_dir(options->data))
        wsk_cli_error(T_("--data %s: no such folder"), options->data);
    else
        rig = wsk_cli_load_quietly(path, options, code);
    wsk_cli_check_memory(*code != WSK_ENOMEM);
    if (rig && show >= 0)
        wsk_cli_tell_refusal(rig, options, show);
    if (*code != WSK_OK) {
        wsk_rig_free(rig);
        rig = NULL;
    }
    return rig;
}

char *wsk_cli_why(const wsk_run *run, int code)
{
    wsk_buf text = {0};
    if (run && wsk_run_failure(run))
        wsk_words_said(&text, wsk_cli_lang, wsk_run_failure(run));
    else
        wsk_buf_printf(&text, "%s", T_(wsk_status_text((wsk_status)code)));
    char *why = wsk_cli_format("%.*s", (int)text.len, text.data ? text.data : "");
    wsk_buf_free(&text);
    return why;
}

char *wsk_cli_messages(const wsk_said *const *messages, size_t count)
{
    char *json = NULL;
    if (wsk_said_json(messages, count, &json) != WSK_OK)
        return NULL;
    char *copy = wsk_cli_format("%s", json);
    wsk_text_free(json);
    return copy;
}

const wsk_elements *wsk_cli_elements(const wsk_rig *rig)
{
    const wsk_elements *list = NULL;
    wsk_cli_check_memory(wsk_rig_elements(rig, &list) == WSK_OK);
    return list;
}

char *wsk_cli_told(const char *json)
{
    wsk_findings *found;
    char *all = NULL;
    if (wsk_findings_read(json, strlen(json), &found) != WSK_OK)
        return NULL;
    for (size_t i = 0; i < wsk_findings_count(found); i++) {
        int indent;
        wsk_buf text = {0};
        wsk_words_said(&text, wsk_cli_lang, wsk_findings_line(found, i, &indent));
        char *one = wsk_cli_format("%.*s", (int)text.len, text.data ? text.data : "");
        char *longer = all ? wsk_cli_format(T_("%1$s; %2$s"), all, one) : wsk_cli_format("%s", one);
        wsk_buf_free(&text);
        free(one);
        free(all);
        all = longer;
    }
    wsk_findings_free(found);
    return all;
}

static void write_line(wsk_buf *out, const wsk_findings *findings, size_t i)
{
    int indent;
    const wsk_said *said = wsk_findings_line(findings, i, &indent);
    wsk_buf_printf(out, "%*s", indent, "");
    wsk_words_said(out, wsk_cli_lang, said);
    wsk_buf_put(out, "\n", 1);
}

int wsk_cli_print_findings(const wsk_findings *findings)
{
    wsk_buf text = {0};
    for (size_t i = 0; i < wsk_findings_count(findings); i++)
        write_line(&text, findings, i);
    wsk_buf_put(&text, "", 1);
    if (!text.failed)
        wsk_cli_print(stdout, text.data);
    int code = text.failed ? WSK_ENOMEM : WSK_OK;
    wsk_buf_free(&text);
    return code;
}

wsk_findings *wsk_cli_part(const char *lead, const char *own, const char *catalogue, const char *id, int *code)
{
    wsk_findings *found;
    bool missing;
    *code = (int)wsk_part_lines(own, catalogue, id, &found, &missing);
    if (*code == WSK_OK)
        return found;
    wsk_buf text = {0};
    for (size_t i = 0; found && i < wsk_findings_count(found); i++) {
        wsk_buf_printf(&text, "%s", lead);
        write_line(&text, found, i);
    }
    wsk_buf_put(&text, "", 1);
    char *shown = text.failed ? NULL : wsk_cli_shown(text.data);
    if (!text.failed && *text.data)
        fputs(shown ? shown : text.data, stderr);
    else
        wsk_cli_error(T_("part '%s': %s"), id, T_(wsk_status_text((wsk_status)*code)));
    if (missing)
        tell_folders(own, catalogue);
    free(shown);
    wsk_buf_free(&text);
    wsk_findings_free(found);
    return NULL;
}

bool wsk_cli_stepper(const wsk_cli_command *command, const char *text, wsk_stepper *out)
{
    *out = text && !strcmp(text, "reference") ? WSK_STEPPER_REFERENCE : WSK_STEPPER_FAST;
    if (!text || !strcmp(text, "reference") || !strcmp(text, "fast"))
        return true;
    static const char *const names[] = {"fast", "reference", NULL};
    char hint[64];
    wsk_cli_usage(command, T_("--stepper '%s': expected fast or reference%s"), text,
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
    if (!whole && errno != ENOENT && errno != ENOTDIR) {
        wsk_cli_error(T_("cannot open %s: %s"), path, T_(strerror(errno)));
        exit(WSK_ERUN);
    }
    char *end = whole ? strrchr(whole, '/') : NULL;
    if (end && end != whole) {
        *end = '\0';
        free(name);
        name = wsk_cli_format("%s", strrchr(whole, '/') + 1);
    }
    free(whole);
    return name;
}

const struct wsk_zone *wsk_cli_zone(wsk_arena *arena, const wsk_elements *rig)
{
    const char *name = wsk_elements_text(rig, wsk_elements_next(rig, "run", -1, -1), "zone");
    wsk_zone *zone = NULL;
    size_t len = 0;
    wsk_cli_check_memory(arena != NULL);
    if (!name || !wsk_zone_is_name(name))
        return NULL;
    char *path = wsk_cli_format("%s/%s", WSK_ZONE_FOLDER, name), *bytes = wsk_cli_read(path, &len);
    wsk_cli_check_memory(wsk_zone_make(&zone, arena, name, bytes, len) != WSK_ZONE_NO_MEMORY);
    free(bytes);
    free(path);
    return zone;
}
