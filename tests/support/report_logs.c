/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "tests/support/log_fit.h"
#include "tests/support/report.h"

static int row_of(wsk_report *r, const wsk_csv *csv, int row)
{
    wsk_trace trace;
    wsk_log_fit f;
    if (!wsk_log_fit_read(&trace, r->data, csv, row))
        return 1;
    wsk_rig *rig = wsk_replay_rig(wsk_csv_text(csv, row, "rig"), wsk_csv_text(csv, row, "sets"));
    const int failed = !rig || wsk_log_fit_trace(rig, &trace, 0.4, &f) != WSK_OK;
    if (!failed) {
        const wsk_log_error *held = &f.die[WSK_PART_HELD_OUT];
        const double within = f.within[WSK_PART_HELD_OUT];
        printf("| %s, %s | %zu | %.2f | %.2f | %.2f | %+.2f | %.2f | %.2f | %.1f | %.0f | %s |\n",
               wsk_csv_text(csv, row, "card"), wsk_csv_text(csv, row, "run"), held->readings,
               f.die[WSK_PART_FITTED].mae_k, held->mae_k, held->rmse_k, held->bias_k, f.skill_stays, f.skill_line,
               f.band_k[WSK_PART_HELD_OUT], 100 * within,
               wsk_report_number(f.memory[WSK_PART_HELD_OUT].mae_k, 2, "-").text);
        if (strcmp(wsk_csv_text(csv, row, "fan_at_rest"), "turns") == 0) {
            wsk_report_add(&r->logs, held->mae_k);
            wsk_report_add(&r->logs_within, within);
        }
    }
    wsk_rig_free(rig);
    wsk_trace_free(&trace);
    return failed;
}

int wsk_report_logs(wsk_report *r)
{
    wsk_csv *csv = wsk_report_table("log_fits.csv");
    int failed = !csv, left_out = 0;
    puts("## A log, fitted to its first part\n\n"
         "What `wattsink calibrate --log` does: cards with the values of their class, not those of the catalogue, "
         "are fitted "
         "to 60 %\n"
         "of a trace, and the rest, from its power and fan speed, is predicted. The fans of the Vega 64 stop at "
         "rest; in the\n"
         "fitted part they do so while the card is cold, in the rest while it is hot. Errors are of the GPU "
         "temperature, "
         "in K.\n"
         "Skill is 1 less the ratio of the rms error to that of a guess: the last fitted temperature stays, or "
         "follows "
         "a line in power.\n"
         "Band is half the width of the 80 % band, and within the share of readings in it, in %.\n\n"
         "| card, run | readings held out | fitted, mean abs. | held out, mean abs. | rms | bias | skill, stays | "
         "skill, line "
         "| band | within | memory, mean abs. |\n"
         "|---|---|---|---|---|---|---|---|---|---|---|");
    for (int i = 0; !failed && i < wsk_csv_rows(csv); i++) {
        wsk_buf file = {0};
        wsk_log_fit_file(&file, csv, i);
        if (!file.data)
            failed = 1;
        else if (wsk_report_at_hand(r, file.data, wsk_csv_text(csv, i, "source")))
            failed = row_of(r, csv, i);
        else
            left_out++;
        wsk_buf_free(&file);
    }
    puts("");
    if (left_out)
        printf("%d traces are left out: they [are missing](#raw-data-that-is-not-here).\n\n", left_out);
    wsk_csv_free(csv);
    return failed;
}
