/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wattsink parts, kinds, schema: what the library knows, as text. */
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

static int print(wsk_status status, char *text)
{
    if (status == WSK_OK && text)
        wsk_cli_print(stdout, text);
    wsk_text_free(text);
    return (int)status;
}

/* ---- parts ---- */

static int show_part(const char *own, const char *catalogue, const char *id)
{
    char *text = NULL, *error = NULL;
    wsk_status status = own ? wsk_part_text(own, id, &text, &error) : WSK_EINPUT;
    if (status == WSK_EINPUT) {
        wsk_text_free(error);
        error = NULL;
        status = wsk_part_text(catalogue, id, &text, &error);
    }
    if (status != WSK_OK) {
        if (error && *error)
            fprintf(stderr, "%s%s", error, "\n");
        else
            wsk_cli_error("part '%s': %s", id, wsk_status_text(status));
    }
    wsk_text_free(error);
    return print(status, text);
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
        code = wsk_cli_usage(&wsk_cli_parts, "one family, or --show ID");
    } else if (own && !wsk_cli_is_dir(own)) {
        wsk_cli_error("--parts %s: no such folder", own);
        code = WSK_EINPUT;
    } else {
        char *catalogue = wsk_cli_parts_dir(own);
        const char *family = words.count ? words.items[0] : NULL;
        if (show) { /* `parts gpu --show rtx-4090` is `parts --show gpu/rtx-4090` */
            char id[256];
            snprintf(id, sizeof id, "%s%s%s", family && !strchr(show, '/') ? family : "", family && !strchr(show, '/') ? "/" : "", show);
            code = show_part(own, catalogue, id);
        } else {
            const char *const folders[] = {own, catalogue};
            size_t found = 0;
            for (size_t i = 0; i < 2 && code == WSK_OK; i++) {
                char *text = NULL;
                wsk_status status = folders[i] ? wsk_parts_text(folders[i], family, search, &text) : WSK_OK;
                found += text ? strlen(text) : 0;
                code = print(status, text);
            }
            if (code == WSK_OK && !found) {
                wsk_cli_error("no part%s%s%s%s in %s", family ? " of family " : "", family ? family : "",
                              search ? " with " : "", search ? search : "", catalogue);
                code = WSK_EINPUT;
            }
        }
        free(catalogue);
    }
    free(words.items);
    return code;
}

const wsk_cli_command wsk_cli_parts = {.name = "parts",
                                       .usage = "[FAMILY] [--search TEXT] [--show ID]",
                                       .summary = "the catalogue, each value with its source",
                                       .options =
                                           "  --search TEXT       only parts whose id or title has TEXT in it\n"
                                           "  --show ID           one part in full: values, units, sources\n"
                                           "  --parts DIR         your own parts, listed before the catalogue\n",
                                       .example = "wattsink parts --show gpu/rtx-3090-blower",
                                       .run = main_parts};

/* ---- kinds ---- */

static int main_kinds(int argc, char **argv)
{
    wsk_cli_list words = {0};
    const wsk_cli_option options[] = {{.name = NULL}};
    int code = wsk_cli_parse(&wsk_cli_kinds, argc, argv, options, &words);
    if (code != WSK_OK) {
        code = code < 0 ? WSK_OK : code;
    } else if (words.count > 1) {
        code = wsk_cli_usage(&wsk_cli_kinds, "one element at a time");
    } else {
        char *text = NULL;
        wsk_status status = wsk_kinds_text(words.count ? words.items[0] : NULL, &text);
        if (status == WSK_OK && text && !*text)
            status = WSK_EINPUT;
        if (status != WSK_OK)
            wsk_cli_error("no element '%s'; 'wattsink kinds' lists all", words.items[0]);
        code = status == WSK_OK ? print(status, text) : (int)status;
        if (status != WSK_OK)
            wsk_text_free(text);
    }
    free(words.items);
    return code;
}

const wsk_cli_command wsk_cli_kinds = {.name = "kinds",
                                       .usage = "[ELEMENT]",
                                       .summary = "the elements of a rig file and what may be set on them",
                                       .options = "",
                                       .example = "wattsink kinds gpu",
                                       .run = main_kinds};

/* ---- schema ---- */

static int main_schema(int argc, char **argv)
{
    wsk_cli_list words = {0};
    const wsk_cli_option options[] = {{.name = NULL}};
    int code = wsk_cli_parse(&wsk_cli_schema, argc, argv, options, &words);
    if (code != WSK_OK) {
        code = code < 0 ? WSK_OK : code;
    } else if (words.count) {
        code = wsk_cli_usage(&wsk_cli_schema, "takes no argument");
    } else {
        char *text = NULL;
        code = (int)wsk_schema_text(&text);
        if (code == WSK_OK && text)
            fputs(text, stdout); /* a file: its lines stay */
        wsk_text_free(text);
    }
    free(words.items);
    return code;
}

const wsk_cli_command wsk_cli_schema = {.name = "schema",
                                        .usage = "",
                                        .summary = "the XML schema of rig files, for completion in editors",
                                        .options = "",
                                        .example = "wattsink schema > wattsink.xsd",
                                        .run = main_schema};
