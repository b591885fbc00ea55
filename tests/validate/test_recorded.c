/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cards that this project recorded itself (docs/theory/sources.md, "Recordings of this project"). Of the thermal model,
 * the resistances of die and memory were fitted to these recordings, and the power of the memory. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/net/machine.h"
#include "tests/support/bench.h"
#include "tests/support/replay.h"
#include "wattsink_calibrate.h"

/* One module in a server of eight; the load of the other seven is not known. */
#define SERVER(part) \
    "<rig><site><room temperature='22 degC'/></site><chassis part='chassis/server-8u-hgx'><gpu part='gpu/" part \
    "' slot='1'/></chassis><workload kind='constant' class='training'/><run for='1 h'/></rig>"

enum { POWER, CLOCK, BUSY, DIE, MEMORY, TRAFFIC, MEMORY_POWER, QUANTITIES };

typedef struct {
    double *t_s, *of[QUANTITIES];
    size_t count;
} recorded;

static void read_recorded(recorded *r, const char *path)
{
    static const char *const names[QUANTITIES] = {"power.draw [W]",  "clocks.sm [MHz]",    "utilization.gpu [%]",
                                                  "temperature.gpu", "temperature.memory", "utilization.memory [%]",
                                                  "memory power [W]"};
    static const double scale[QUANTITIES] = {1, 1e6, 0.01, 1, 1, 0.01, 1};
    wsk_csv *csv = wsk_csv_read(path);
    assert_non_null(csv);
    r->count = (size_t)wsk_csv_rows(csv);
    assert_true(r->count > 60);
    r->t_s = malloc((QUANTITIES + 1) * r->count * sizeof *r->t_s);
    assert_non_null(r->t_s);
    for (size_t i = 0; i < r->count; i++)
        r->t_s[i] = (double)i;
    for (int q = 0; q < QUANTITIES; q++) {
        r->of[q] = r->t_s + (size_t)(q + 1) * r->count;
        for (size_t i = 0; i < r->count; i++)
            r->of[q][i] =
                wsk_csv_number(csv, (int)i, names[q]) * scale[q] + (q == DIE || q == MEMORY ? WSK_KELVIN : 0);
    }
    wsk_csv_free(csv);
}

static wsk_log_fit fit(const recorded *r, bool traffic)
{
    wsk_rig *rig = wsk_test_rig(SERVER("h200-sxm"), NULL);
    const wsk_calibrate_trace log = {.power = {r->t_s, r->of[POWER], r->count},
                                     .clock = {r->t_s, r->of[CLOCK], r->count},
                                     .utilisation = {r->t_s, r->of[BUSY], r->count},
                                     .die = {r->t_s, r->of[DIE], r->count},
                                     .memory = {r->t_s, r->of[MEMORY], r->count},
                                     .traffic = {r->t_s, r->of[TRAFFIC], traffic ? r->count : 0}};
    wsk_log_fit out;
    assert_int_equal(wsk_calibrate_log(rig, &log, 1, 0.4, &out, NULL), WSK_OK);
    wsk_rig_free(rig);
    print_message("%s: die %.2f fitted, %.2f K held out; memory %.2f, %.2f; %.0f %% within +-%.1f K\n",
                  traffic ? "traffic as read" : "traffic of the class", out.die[WSK_PART_FITTED].mae_k,
                  out.die[WSK_PART_HELD_OUT].mae_k, out.memory[WSK_PART_FITTED].mae_k,
                  out.memory[WSK_PART_HELD_OUT].mae_k, 100 * out.within[WSK_PART_HELD_OUT],
                  out.band_k[WSK_PART_HELD_OUT]);
    return out;
}

static void traffic_tells_memory(void **state)
{
    (void)state;
    recorded r;
    read_recorded(&r, "tests/validate/facts/recorded_h200.csv");
    const wsk_log_fit by_class = fit(&r, false), by_log = fit(&r, true);
    assert_true(by_log.die[WSK_PART_HELD_OUT].mae_k <= 2 && by_log.skill_stays > 0 && by_log.skill_line > 0);
    assert_true(by_log.memory[WSK_PART_HELD_OUT].mae_k <= 2.5);
    assert_true(by_log.memory[WSK_PART_FITTED].mae_k <= 0.6 * by_class.memory[WSK_PART_FITTED].mae_k);
    free(r.t_s);
}

/* NVML reads the power of the memory alone. Readings of the last second of a load mix it with the next one's. */
static void memory_draws_what_is_read(void **state)
{
    (void)state;
    static const struct {
        const char *part, *path;
    } cards[] = {{"h100-sxm", "tests/validate/facts/recorded_h100_2.csv"},
                 {"h200-sxm", "tests/validate/facts/recorded_h200_2.csv"},
                 {"h200-sxm", "tests/validate/facts/recorded_h200_3.csv"}};
    for (int c = 0; c < 3; c++) {
        char xml[512];
        snprintf(xml, sizeof xml, SERVER("%s"), cards[c].part);
        wsk_rig *rig;
        wsk_run *run = wsk_test_run_to(xml, 1, &rig);
        recorded r;
        read_recorded(&r, cards[c].path);
        double size_w = 0, bias_w = 0, rows = 0;
        for (size_t i = 1; i + 1 < r.count; i++) {
            if (fabs(r.of[POWER][i + 1] - r.of[POWER][i - 1]) > 20)
                continue;
            const double off_w =
                wsk_memory_w(&run->net->cards[0], r.of[TRAFFIC][i], r.of[POWER][i]) - r.of[MEMORY_POWER][i];
            size_w += fabs(off_w);
            bias_w += off_w;
            rows++;
        }
        print_message("%s: memory power of %.0f s: mean error %.1f W, bias %+.1f W\n", cards[c].path, rows,
                      size_w / rows, bias_w / rows);
        assert_true(rows >= 60 && size_w / rows <= 20 && fabs(bias_w / rows) <= 15);
        free(r.t_s);
        wsk_test_drop(run, rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(traffic_tells_memory),
                                       cmocka_unit_test(memory_draws_what_is_read)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
