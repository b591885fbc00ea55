/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/throttles.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "wattsink_summary.h"

/* Probability that heat slows a card of the rig; 1 if a card shuts down from heat. NAN: the rig has no steady point, or
 * the program states no such probability. */
static double find_chance(const char *name, const char *sets)
{
    wsk_rig *rig = wsk_replay_rig(name, sets);
    wsk_summary *s = NULL;
    double chance = NAN;
    if (rig && wsk_steady_point(&s, rig, WSK_STEPPER_FAST, WSK_POINT_RANGES, NULL, NULL) == WSK_OK)
        chance = wsk_summary_flag(s, WSK_R_SHUTS_DOWN, 0) ? 1 : wsk_summary_number(s, WSK_R_THROTTLE_CHANCE, 0);
    wsk_summary_free(s);
    wsk_rig_free(rig);
    return chance;
}

static bool is_right(const wsk_throttle_row *r)
{
    return (r->chance > 0.5) == r->measured;
}

static void count(wsk_throttles *all, const wsk_throttle_row *r)
{
    const bool right = is_right(r);
    all->yes += r->measured;
    all->no += !r->measured;
    all->yes_right += r->measured && right;
    all->no_right += !r->measured && right;
    all->free += !r->fitted;
    all->free_right += !r->fitted && right;
    all->brier += (r->chance - r->measured) * (r->chance - r->measured);
}

bool wsk_throttles_read(wsk_throttles *all)
{
    *all = (wsk_throttles){.csv = wsk_csv_read("tests/validate/facts/throttles.csv")};
    const int n = all->csv ? wsk_csv_rows(all->csv) : 0;
    for (int i = 0; i < n && i < WSK_THROTTLE_ROWS; i++) {
        const wsk_throttle_row r = {
            .machine = wsk_csv_text(all->csv, i, "machine"),
            .style = wsk_csv_text(all->csv, i, "style"),
            .assumed = wsk_csv_text(all->csv, i, "assumed"),
            .measured = wsk_csv_number(all->csv, i, "throttles") > 0,
            .fitted = *wsk_csv_text(all->csv, i, "fitted") != '\0',
            .chance = find_chance(wsk_csv_text(all->csv, i, "rig"), wsk_csv_text(all->csv, i, "sets"))};
        if (isnan(r.chance))
            return false;
        count(all, &r);
        all->rows[all->n++] = r;
    }
    all->brier /= all->n ? all->n : 1;
    return all->n > 0 && all->n == n;
}

void wsk_throttles_free(wsk_throttles *all)
{
    wsk_csv_free(all->csv);
}

int wsk_throttles_report(int *right, int *rows)
{
    wsk_throttles all;
    const bool ok = wsk_throttles_read(&all);
    puts(
        "## Throttles or not\n\n"
        "Machines of which somebody says whether heat slowed their cards, written down as their owner would: power, "
        "clock\n"
        "and fans follow from the cards. The model's answer is its `throttle_probability`, which counts as a yes "
        "above one half; a\n"
        "shutdown from heat is a yes. \"Fitted\": a value of the card or its cooler comes from a measurement of this "
        "machine.\n\n"
        "| machine | cooler | measured | probability | | assumed |\n|---|---|---|---|---|---|");
    for (int i = 0; i < all.n; i++) {
        const wsk_throttle_row *r = &all.rows[i];
        printf("| %s%s | %s | %s | %.0f %% | %s | %s |\n", r->machine, r->fitted ? ", fitted" : "", r->style,
               r->measured ? "yes" : "no", 100 * r->chance, is_right(r) ? "" : "wrong", r->assumed);
    }
    printf(
        "\nRight: %d of %d yes, %d of %d no; %d of the %d that are not fitted. Mean of (probability - measured)^2: "
        "%.3f.\n\n",
        all.yes_right, all.yes, all.no_right, all.no, all.free_right, all.free, all.brier);
    *right = all.yes_right + all.no_right;
    *rows = all.n;
    wsk_throttles_free(&all);
    return !ok;
}
