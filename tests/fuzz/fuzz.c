/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _XOPEN_SOURCE 700
#include "tests/fuzz/fuzz.h"

#include <ftw.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/kit/cli.h"

char *wsk_fuzz_text(const uint8_t *data, size_t size)
{
    char *text = wsk_cli_alloc(size + 1);
    if (size)
        memcpy(text, data, size);
    return text;
}

void wsk_fuzz_edit(char *bytes, size_t *len, const char *edits)
{
    for (const char *p = edits; *p && *len >= 8; p += strcspn(p, "\n"), p += *p == '\n') {
        char *end = NULL;
        const size_t at = *p && p[1] == ' ' ? (size_t)strtoull(p + 2, &end, 10) : 0;
        const int64_t whole = end ? strtoll(end, NULL, 10) : 0;
        const double real = end ? strtod(end, NULL) : 0;
        char *word = bytes + at % (*len / 8) * 8;
        if (*p == 'i')
            memcpy(word, &whole, sizeof whole);
        else if (*p == 'd')
            memcpy(word, &real, sizeof real);
        else if (*p == 'b')
            bytes[at % *len] = (char)whole;
        else if (*p == 'l')
            *len = at % *len;
    }
}

/* True for results that stay known whatever the run does. Others, such as work per energy, may become unknown. */
static bool stays_known(wsk_result r)
{
    static const wsk_result always[] = {WSK_R_WALL_KWH, WSK_R_DC_KWH,       WSK_R_PSU_LOSS_KWH, WSK_R_COST,
                                        WSK_R_COUNT,    WSK_R_GPU_DIE_MEAN, WSK_R_GPU_DIE_MAX,  WSK_R_GPU_POWER_MEAN};
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        if (always[i] == r)
            return true;
    return false;
}

void wsk_fuzz_finite(const wsk_run *run, const wsk_summary *before)
{
    wsk_summary *s = NULL;
    for (size_t i = 0; i < wsk_run_variables(run); i++) {
        const char *name, *unit;
        double value;
        wsk_run_variable(run, i, &name, &unit, &value);
        if (isinf(value)) {
            fprintf(stderr, "%s is %g\n", name, value);
            abort();
        }
    }
    if (wsk_run_summary(&s, run, 0) != WSK_OK)
        abort();
    for (int k = 0; k < WSK_RESULTS; k++) {
        const wsk_result r = (wsk_result)k;
        const wsk_result_row *about = wsk_result_about(r);
        for (size_t i = 0; about->type == WSK_IS_NUMBER && i < wsk_summary_count(s, about->scope); i++) {
            double value = wsk_summary_number(s, r, i);
            bool lost = before && stays_known(r) && isnan(value) && !isnan(wsk_summary_number(before, r, i));
            if (isinf(value) || lost) {
                fprintf(stderr, "%s[%zu] is %g\n", about->key, i, value);
                abort();
            }
        }
    }
    wsk_summary_free(s);
}

wsk_run *wsk_fuzz_run(const char *path, const wsk_run_options *options, double seconds, wsk_rig **rig)
{
    wsk_run *run = NULL;
    if (wsk_rig_load(rig, &(wsk_rig_options){.path = path, .parts_dir = "parts"}) != WSK_OK ||
        wsk_run_new(&run, *rig, options) != WSK_OK || wsk_run_advance(run, seconds) != WSK_OK)
        abort();
    return run;
}

static char folder[256];
static int drop(const char *path, const struct stat *st, int kind, struct FTW *where)
{
    (void)st, (void)kind, (void)where;
    return remove(path);
}
static void drop_folder(void)
{
    nftw(folder, drop, 8, FTW_DEPTH | FTW_PHYS);
}

char *wsk_fuzz_path(const char *name)
{
    const char *tmp = getenv("TMPDIR");
    if (!*folder) {
        snprintf(folder, sizeof folder, "%s/wattsink-fuzz-XXXXXX", tmp && *tmp ? tmp : "/tmp");
        if (!mkdtemp(folder) || atexit(drop_folder))
            abort();
    }
    return wsk_cli_format("%s/%s", folder, name);
}
