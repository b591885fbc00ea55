/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "cli/kit/cli.h"
#include "cli/kit/lock.h"
#include "cli/kit/replaced.h"
#include "cli/plot/plot.h"
#include "draw/page.h"

static char *read_file(const char *dir, const char *name, int *code)
{
    char *text = wsk_cli_read_in(dir, name, NULL, code);
    if (!text && *code != WSK_ERUN)
        wsk_cli_error(T_("%s/%s is missing: 'wattsink run RIG.xml -o %s' leaves it"), dir, name, dir);
    return text;
}

static int write_report(const char *dir, const wsk_report_files *files)
{
    char *html = NULL;
    const char *damaged = NULL;
    size_t len = 0;
    FILE *out = wsk_cli_text(&html, &len);
    wsk_status status = wsk_report_write(out, files, &damaged);
    bool ok = fclose(out) == 0 && status == WSK_OK && wsk_cli_write(dir, "report.html", html, len);
    if (ok)
        printf("%s/report.html\n", dir);
    else if (status == WSK_ENOMEM)
        wsk_cli_no_memory();
    else if (damaged)
        wsk_cli_error(strcmp(damaged, "summary.json") == 0 ? T_("%s/%s is not the summary of a run")
                                                           : T_("%s/%s is damaged"),
                      dir, damaged);
    free(html);
    return ok ? WSK_OK : damaged ? WSK_EINPUT : WSK_ERUN;
}

static int report_of(const char *dir)
{
    int code = WSK_EINPUT;
    char *json = read_file(dir, "summary.json", &code),
         *xml = json ? read_file(dir, "rig.resolved.xml", &code) : NULL,
         *series = xml ? read_file(dir, "series.csv", &code) : NULL,
         *events = series ? read_file(dir, "events.csv", &code) : NULL;
    const wsk_elements *rig = NULL;
    wsk_summary *summary = events ? wsk_cli_summary(dir, &code) : NULL;
    if (summary && wsk_elements_read(xml, strlen(xml), &rig) == WSK_ENOMEM)
        wsk_cli_no_memory();
    wsk_arena *arena = wsk_arena_new();
    if (summary && wsk_cli_half_replaced(dir, xml, summary))
        code = WSK_EINPUT;
    else if (summary)
        code = write_report(dir, &(wsk_report_files){.summary = summary,
                                                     .rig = rig,
                                                     .series = series,
                                                     .events = events,
                                                     .period_s = wsk_plot_period(rig),
                                                     .zone = rig ? wsk_cli_zone(arena, rig) : NULL,
                                                     .lang = wsk_cli_lang});
    wsk_arena_free(arena);
    wsk_elements_free(rig);
    wsk_summary_free(summary);
    free(events);
    free(series);
    free(xml);
    free(json);
    return code;
}

static int main_report(int argc, char **argv)
{
    wsk_cli_list words = {0};
    const wsk_cli_option options[] = {{.name = NULL}};
    int code = wsk_cli_parse(&wsk_cli_report, argc, argv, options, &words);
    if (code != WSK_OK)
        code = code < 0 ? WSK_OK : code;
    else if (words.count != 1)
        code = wsk_cli_usage(&wsk_cli_report, words.count ? T_("one folder at a time")
                                                          : T_("which folder? 'wattsink run' leaves one"));
    else if (wsk_cli_results("report", words.items[0])) {
        wsk_cli_lock *lock = wsk_cli_lock_folder(words.items[0], "report", WSK_CLI_READS);
        code = lock ? report_of(words.items[0]) : WSK_ERUN;
        wsk_cli_lock_drop(lock);
    } else {
        code = WSK_EINPUT;
    }
    free(words.items);
    return code;
}

const wsk_cli_command wsk_cli_report = {.name = "report",
                                        .usage = "DIR",
                                        .summary = N_("one page of a run: verdict, pictures, tables"),
                                        .options = "",
                                        .example = "wattsink report quad-3090-blower.out",
                                        .run = main_report};
