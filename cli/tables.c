/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "cli/kit/cli.h"

static int print(wsk_status status, char *text)
{
    if (status == WSK_OK && text)
        wsk_cli_print(stdout, text);
    else if (text)
        wsk_cli_error("%s", text);
    wsk_text_free(text);
    return (int)status;
}

/* `parts gpu --show rtx-4090` and `parts gpu/rtx-4090` mean `parts --show gpu/rtx-4090`. */
static int show_part(const char *own, const char *catalogue, const char *family, const char *show)
{
    int code;
    bool whole = !family || strchr(show, '/') || family == show;
    char *id = wsk_cli_format("%s%s%s", whole ? "" : family, whole ? "" : "/", show);
    wsk_findings *part = wsk_cli_part("", own, catalogue, id, &code);
    free(id);
    code = part ? wsk_cli_print_findings(part) : code;
    wsk_findings_free(part);
    return code;
}

static void add_families(const char *parts, wsk_cli_list *families)
{
    for (const char *line = parts; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        size_t len = strcspn(line, "/");
        bool known = false;
        for (size_t i = 0; i < families->count && !known; i++)
            known = strlen(families->items[i]) == len && !memcmp(families->items[i], line, len);
        if (!known)
            wsk_cli_push(families, wsk_cli_format("%.*s", (int)len, line));
    }
}

static int tell_none(const char *own, const char *catalogue, const char *family, const char *search)
{
    const char *const folders[] = {own, catalogue};
    wsk_cli_list families = {0};
    char hint[300] = "";
    bool any = false, found = false;
    for (size_t i = 0; i < 2; i++) {
        char *text = NULL, *with = NULL;
        if (folders[i] && wsk_parts_text(folders[i], NULL, NULL, &text) == WSK_OK)
            add_families(text, &families);
        if (folders[i] && family && wsk_parts_text(folders[i], NULL, family, &with) == WSK_OK)
            found = found || *with;
        wsk_text_free(text);
        wsk_text_free(with);
    }
    wsk_cli_push(&families, NULL);
    for (size_t i = 0; family && families.items[i]; i++)
        any = any || !strcmp(families.items[i], family);
    if (family && !any && !*wsk_cli_hint(hint, sizeof hint, family, families.items, "") && found)
        snprintf(hint, sizeof hint, T_("; did you mean 'parts --search %.200s'?"), family);
    if (families.count == 1)
        wsk_cli_error(T_("there are no parts in %s"), catalogue);
    else if (family && !any)
        wsk_cli_error(T_("there is no family of parts '%s'%s"), family,
                      *hint ? hint : T_("; 'wattsink parts' lists all"));
    else if (family)
        wsk_cli_error(T_("there is no part with '%1$s' in the family %2$s"), search, family);
    else
        wsk_cli_error(T_("there is no part with '%s'"), search);
    wsk_cli_list_free(&families, 0);
    return WSK_EINPUT;
}

static int list_parts(const char *own, const char *catalogue, const char *family, const char *search)
{
    const char *const folders[] = {own, catalogue};
    size_t found = 0;
    int code = WSK_OK;
    for (size_t i = 0; i < 2 && code == WSK_OK; i++) {
        char *text = NULL;
        wsk_status status = folders[i] ? wsk_parts_text(folders[i], family, search, &text) : WSK_OK;
        found += text ? strlen(text) : 0;
        code = print(status, text);
    }
    return code == WSK_OK && !found ? tell_none(own, catalogue, family, search) : code;
}

static int main_parts(int argc, char **argv)
{
    const char *search = NULL, *show = NULL, *own = NULL;
    wsk_cli_list words = {0};
    const wsk_cli_option options[] = {{.name = "search", .value = &search},
                                      {.name = "show", .value = &show},
                                      {.name = "parts", .value = &own},
                                      {.name = NULL}};
    int code = wsk_cli_parse(&wsk_cli_parts, argc, argv, options, &words);
    if (code != WSK_OK) {
        code = code < 0 ? WSK_OK : code;
    } else if (words.count > 1) {
        code = wsk_cli_usage(&wsk_cli_parts, T_("one family, or --show ID"));
    } else if (show && search) {
        code = wsk_cli_usage(&wsk_cli_parts, T_("--show or --search, not both"));
    } else if (own && !wsk_cli_is_dir(own)) {
        wsk_cli_error(T_("--parts %s: no such folder"), own);
        code = WSK_EINPUT;
    } else {
        char *catalogue = wsk_cli_parts_dir(own);
        const char *family = words.count ? words.items[0] : NULL;
        if (!show && !search && family && strchr(family, '/'))
            show = family;
        code = show ? show_part(own, catalogue, family, show) : list_parts(own, catalogue, family, search);
        free(catalogue);
    }
    free(words.items);
    return code;
}

const wsk_cli_command wsk_cli_parts = {
    .name = "parts",
    .usage = N_("[FAMILY] [--search TEXT] [--show ID]  or  ID"),
    .summary = N_("the catalogue, each value with its source"),
    .options = N_("  --search TEXT       only parts whose id or title has TEXT in it\n"
                  "  --show ID           one part in full: values, units, sources; --show may be left out\n"
                  "  --parts DIR         your own parts, listed before the catalogue\n"),
    .example = "wattsink parts --show gpu/rtx-3090-blower",
    .run = main_parts};

static int no_element(const char *name)
{
    char *text = NULL, hint[64];
    wsk_cli_list names = {0};
    if (wsk_kinds_text(NULL, &text) == WSK_OK)
        for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n')
            if (*line == '<')
                wsk_cli_push(&names, wsk_cli_format("%.*s", (int)strcspn(line + 1, " >"), line + 1));
    wsk_cli_push(&names, NULL);
    const char *near = wsk_cli_hint(hint, sizeof hint, name, names.items, "");
    wsk_cli_error(T_("no element '%s'%s"), name, *near ? near : T_("; 'wattsink kinds' lists all"));
    wsk_cli_list_free(&names, 0);
    wsk_text_free(text);
    return WSK_EINPUT;
}

static int main_kinds(int argc, char **argv)
{
    wsk_cli_list words = {0};
    const wsk_cli_option options[] = {{.name = NULL}};
    int code = wsk_cli_parse(&wsk_cli_kinds, argc, argv, options, &words);
    if (code != WSK_OK) {
        code = code < 0 ? WSK_OK : code;
    } else if (words.count > 1) {
        code = wsk_cli_usage(&wsk_cli_kinds, T_("one element at a time"));
    } else {
        wsk_findings *kinds;
        code = (int)wsk_kinds_lines(words.count ? words.items[0] : NULL, &kinds);
        if (code == WSK_OK)
            code = wsk_findings_count(kinds) ? wsk_cli_print_findings(kinds) : no_element(words.items[0]);
        wsk_findings_free(kinds);
    }
    free(words.items);
    return code;
}

const wsk_cli_command wsk_cli_kinds = {.name = "kinds",
                                       .usage = "[ELEMENT]",
                                       .summary = N_("the elements of a rig file and their attributes"),
                                       .options = "",
                                       .example = "wattsink kinds gpu",
                                       .run = main_kinds};

static int main_schema(int argc, char **argv)
{
    wsk_cli_list words = {0};
    const wsk_cli_option options[] = {{.name = NULL}};
    int code = wsk_cli_parse(&wsk_cli_schema, argc, argv, options, &words);
    if (code != WSK_OK) {
        code = code < 0 ? WSK_OK : code;
    } else if (words.count) {
        code = wsk_cli_usage(&wsk_cli_schema, T_("takes no argument"));
    } else {
        char *text = NULL;
        code = (int)wsk_schema_text(&text);
        if (code == WSK_OK && text)
            fputs(text, stdout); /* not wrapped: the output is an XML file */
        wsk_text_free(text);
    }
    free(words.items);
    return code;
}

const wsk_cli_command wsk_cli_schema = {.name = "schema",
                                        .usage = "",
                                        .summary = N_("the XML schema of rig files, for completion in editors"),
                                        .options = "",
                                        .example = "wattsink schema > wattsink.xsd",
                                        .run = main_schema};
