/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: each line is used as a value of --vary or, if it is not one, of --set. */
#include <stdlib.h>
#include <string.h>

#include "cli/sweep/inner.h"
#include "tests/fuzz/fuzz.h"

enum { LINES = 6 };
static const char *const rigs[] = {"tests/cli/two-cards.xml", "scenarios/single-3090/rig.xml"};
static wsk_rig *bases[2];

static const wsk_rig *base(unsigned i)
{
    if (!bases[i] && wsk_rig_load(&bases[i], &(wsk_rig_options){.path = rigs[i], .parts_dir = "parts"}) != WSK_OK)
        abort();
    return bases[i];
}

static void assign(wsk_sweep_design *d, size_t number, wsk_cli_list *sets)
{
    for (size_t m = 0; m < d->member_count; m++) {
        char *value = wsk_sweep_value(d, m, number);
        wsk_cli_push(sets, wsk_cli_format("%s=%s", d->members[m].path, value));
        free(value);
    }
}

static void try_rig(unsigned which, wsk_cli_list *sets, wsk_sweep_design *d)
{
    wsk_rig *rig = NULL;
    wsk_run *run = NULL;
    wsk_status status = wsk_rig_load(&rig, &(wsk_rig_options){.path = rigs[which],
                                                              .parts_dir = "parts",
                                                              .files_of = base(which),
                                                              .sets = sets->items,
                                                              .set_count = sets->count});
    if (status == WSK_EINPUT && !wsk_rig_messages(rig))
        abort();
    for (size_t m = 0; status == WSK_OK && d && m < d->member_count; m++)
        wsk_sweep_take_targets(&d->members[m], wsk_rig_assigned(rig, m));
    if (d)
        (void)wsk_sweep_apart(d, true);
    if (status == WSK_OK && wsk_run_new(&run, rig, &(wsk_run_options){.duration_s = 60}) == WSK_OK &&
        wsk_run_advance(run, 60) == WSK_OK)
        wsk_fuzz_finite(run, NULL);
    wsk_run_free(run);
    wsk_rig_free(rig);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!size)
        return 0;
    const unsigned which = data[0] % 2u;
    const size_t sample = data[0] & 2 ? 3 : 0;
    char *text = wsk_fuzz_text(data + 1, size - 1);
    wsk_cli_list lines = {0}, sets = {0};
    wsk_sweep_design d = {0};
    for (char *save = NULL, *line = strtok_r(text, "\n", &save); line && lines.count < LINES;
         line = strtok_r(NULL, "\n", &save))
        wsk_cli_push(&lines, line);
    if (lines.count && wsk_sweep_lay_out(&d, &lines, sample, WSK_DESIGN_LHS, 0)) {
        const size_t last = d.cases - 1;
        assign(&d, 0, &sets);
        try_rig(which, &sets, &d);
        wsk_cli_list_free(&sets, 0);
        sets = (wsk_cli_list){0};
        assign(&d, last, &sets);
        if (last)
            try_rig(which, &sets, &d);
        wsk_cli_list_free(&sets, 0);
    } else if (lines.count) {
        try_rig(which, &lines, NULL);
    }
    wsk_sweep_design_free(&d);
    free(lines.items);
    free(text);
    return 0;
}
