/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: files of a run's folder that the program reads back. The first byte says which file the rest is: 'e'
 * events.csv, 'j' summary.json or compare.json, 'k' the start of run.ckpt, 'x' rig.resolved.xml, any other byte
 * series.csv. */
#include <stdlib.h>
#include <string.h>

#include "cli/plot/plot.h"
#include "cli/run/ckpt.h"
#include "draw/page.h"
#include "tests/fuzz/fuzz.h"

static struct {
    wsk_summary *summary;
    char *series, *events;
    const wsk_elements *rig;
} good;

static void thin(char *csv)
{
    char *to = csv, *next;
    for (size_t row = 0; *csv; row++, csv = next) {
        next = csv + strcspn(csv, "\n");
        next += *next == '\n';
        if (row % 50 == 0) {
            memmove(to, csv, (size_t)(next - csv));
            to += next - csv;
        }
    }
    *to = '\0';
}

static void make_good(void)
{
    wsk_rig *rig = NULL;
    char *xml = NULL;
    wsk_run *run =
        wsk_fuzz_run("scenarios/single-3090/rig.xml", &(wsk_run_options){.duration_s = 14400}, 14400, &rig);
    if (wsk_run_summary(&good.summary, run, 0) != WSK_OK || wsk_run_series_csv(run, &good.series) != WSK_OK ||
        wsk_run_events_csv(run, false, &good.events) != WSK_OK || wsk_rig_resolved(rig, &xml) != WSK_OK ||
        wsk_elements_read(xml, strlen(xml), &good.rig) != WSK_OK)
        abort();
    thin(good.series);
    wsk_text_free(xml);
    wsk_run_free(run);
    wsk_rig_free(rig);
}

static void draw_page(const wsk_summary *summary, const char *series, const char *events, const wsk_elements *rig)
{
    const char *damaged = NULL;
    char *html = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&html, &len);
    const wsk_report_files files = {.summary = summary,
                                    .rig = rig,
                                    .series = series,
                                    .events = events,
                                    .period_s = wsk_plot_period(rig),
                                    .lang = WSK_EN};
    if (!out)
        abort();
    wsk_status status = wsk_report_write(out, &files, &damaged);
    fclose(out);
    if (status != WSK_OK && (status != WSK_EINPUT || !damaged))
        abort();
    free(html);
}

static bool every(const void *ctx, const wsk_column *column)
{
    (void)ctx;
    return column->len > 0;
}

static void draw_series(const char *text)
{
    wsk_arena *arena = wsk_arena_new();
    const wsk_record *record = NULL;
    char *csv = NULL, *names = NULL, *tables[2] = {NULL, NULL};
    if (wsk_record_read(arena, text, &record) == WSK_OK) {
        for (size_t i = 1; i < record->rows; i++)
            if (!(record->end_s[i] > record->end_s[i - 1]))
                abort();
        (void)wsk_plot_data(record, 14400, wsk_plot_period(good.rig), every, NULL, &csv, &names);
        free(wsk_plot_alike(csv, good.summary));
        char a[] = "a", b[] = "b";
        wsk_plot_run runs[2] = {{.name = a, .series = record, .summary = good.summary},
                                {.name = b, .series = record, .summary = good.summary, .period_s = 600}};
        free(wsk_plot_overlay_script("temps", runs, 2, tables));
        free(tables[0]);
        free(tables[1]);
        free(csv);
        free(names);
    }
    wsk_arena_free(arena);
}

static void draw_summaries(const char *text, size_t len)
{
    wsk_summary **all = NULL;
    size_t count = 0;
    char *csv = NULL, *columns = NULL, *script = NULL, *limits = NULL, *names = NULL;
    (void)wsk_summaries_read(&all, &count, text, len, NULL);
    if (count == 1)
        draw_page(all[0], good.series, good.events, good.rig);
    if (wsk_plot_compare_data(all, count, &csv, &columns, &script) && !(csv && columns && script))
        abort();
    (void)wsk_plot_limit_data(all, count, &limits, &names);
    free(csv);
    free(columns);
    free(script);
    free(limits);
    free(names);
    wsk_summaries_free(all, count);
}

static void read_head(const char *text, size_t len)
{
    wsk_cli_ckpt head;
    char *path = wsk_fuzz_path("run.ckpt"), *dir = wsk_cli_format("%.*s", (int)(strrchr(path, '/') - path), path),
         *state = NULL;
    size_t state_len = 0;
    if (!wsk_cli_write_soon(dir, "run.ckpt", text, len))
        abort();
    if (wsk_cli_ckpt_read(dir, &head, &state, &state_len) == WSK_OK)
        free(state);
    free(dir);
    free(path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!good.summary)
        make_good();
    if (!size)
        return 0;
    char *text = wsk_fuzz_text(data + 1, size - 1);
    if (*data == 'e') {
        draw_page(good.summary, good.series, text, good.rig);
    } else if (*data == 'j') {
        draw_summaries(text, size - 1);
    } else if (*data == 'k') {
        read_head(text, size - 1);
    } else if (*data == 'x') {
        const wsk_elements *rig = NULL;
        if (wsk_elements_read(text, size - 1, &rig) == WSK_OK)
            draw_page(good.summary, good.series, good.events, rig);
        wsk_elements_free(rig);
    } else {
        draw_page(good.summary, text, good.events, good.rig);
        draw_series(text);
    }
    free(text);
    return 0;
}
