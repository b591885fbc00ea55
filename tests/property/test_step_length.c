/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results do not depend on the length of the time step: random rigs with steps of 0.4 s and of 1 s. Every amount is a
 * sum of value times step, so that a step that is left out or counted twice shows here, where with steps of 1 s it does
 * not. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/bench.h"
#include "sim/books/books.h"
#include "sim/books/observe.h"
#include "wattsink_summary.h"

static const double span_s = 960;

/* Results that tell how the run was computed, not what the rig does. */
static bool is_of_the_computation(const char *name)
{
    static const char *const of[] = {"step", "wall_clock", "residual", "ticks", "strides", "version", "digest"};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        if (strstr(name, of[i]))
            return true;
    return false;
}

static bool alike(double a, double b)
{
    return a == b || (isnan(a) && isnan(b)) || fabs(a - b) <= 0.02 * fabs(b) + 2e-3 * fabs(a) + 1e-6;
}

/* Number of compared results. */
static int compare_summaries(const char *what, const wsk_run *fine, const wsk_run *coarse)
{
    wsk_summary *a = NULL, *b = NULL;
    int compared = 0;
    assert_int_equal(wsk_run_summary(&a, fine, 0), WSK_OK);
    assert_int_equal(wsk_run_summary(&b, coarse, 0), WSK_OK);
    for (int r = 0; r < WSK_RESULTS; r++) {
        const wsk_result_row *row = wsk_result_about((wsk_result)r);
        char name[128];
        wsk_result_name((wsk_result)r, name, sizeof name);
        if (row->type != WSK_IS_NUMBER || row->scope == WSK_SCOPE_COMPARISON || is_of_the_computation(name))
            continue;
        for (size_t i = 0; i < wsk_summary_count(a, row->scope); i++) {
            assert_int_equal(wsk_summary_known(a, (wsk_result)r, i), wsk_summary_known(b, (wsk_result)r, i));
            if (!wsk_summary_known(a, (wsk_result)r, i))
                continue;
            const double x = wsk_summary_number(a, (wsk_result)r, i), y = wsk_summary_number(b, (wsk_result)r, i);
            if (!alike(x, y))
                fail_msg("%s: %s [%zu] is %.9g with steps of 0.4 s, %.9g with 1 s", what, name, i, x, y);
            compared++;
        }
    }
    wsk_summary_free(a);
    wsk_summary_free(b);
    return compared;
}

/* Means of all variables, those of each row of the series as well. */
static void compare_variables(const char *what, const wsk_run *fine, const wsk_run *coarse)
{
    const int n = fine->variables->n;
    assert_int_equal(n, coarse->variables->n);
    for (int i = 0; i < n; i++)
        if (!alike(wsk_mean_at(fine, i), wsk_mean_at(coarse, i)))
            fail_msg("%s: the mean of %s is %.9g with steps of 0.4 s, %.9g with 1 s", what,
                     fine->variables->all[i].name, wsk_mean_at(fine, i), wsk_mean_at(coarse, i));
}

static wsk_run *run_of(const wsk_rig *rig)
{
    wsk_run *run = NULL;
    assert_int_equal(wsk_run_new(&run, rig, &(wsk_run_options){.duration_s = span_s}), WSK_OK);
    wsk_test_advance(run, span_s);
    assert_true(wsk_residual(run) <= 1e-9);
    return run;
}

/* Loads a rig from its path or its text. */
static wsk_rig *load(const char *path, const char *text, bool fine)
{
    const char *const sets[] = {fine ? "run.step=0.4 s" : "run.step=1 s"};
    wsk_rig *rig = NULL;
    const wsk_rig_options options = {.path = path ? path : "-",
                                     .text = text,
                                     .text_len = text ? strlen(text) : 0,
                                     .parts_dir = "parts",
                                     .sets = sets,
                                     .set_count = 1};
    assert_int_equal(wsk_rig_load(&rig, &options), WSK_OK);
    return rig;
}

static int compare(const char *what, const char *path, const char *text)
{
    wsk_run *run[2];
    wsk_rig *rig[2];
    for (int fine = 0; fine < 2; fine++) {
        rig[fine] = load(path, text, fine);
        run[fine] = run_of(rig[fine]);
    }
    const int compared = compare_summaries(what, run[1], run[0]);
    compare_variables(what, run[1], run[0]);
    for (int fine = 0; fine < 2; fine++)
        wsk_test_drop(run[fine], rig[fine]);
    return compared;
}

/* Power and fans of the cards are pinned, so that no governor acts at a tick. */
static void test_random_rigs(void **state)
{
    (void)state;
    const int most = wsk_test_cases(20, 5);
    int compared = 0;
    for (int k = 1; k <= most; k++) {
        char what[32];
        char *text = wsk_random_rig(&(wsk_random_rig_spec){.seed = (uint64_t)k, .least_cards = 1, .pin_cards = true});
        snprintf(what, sizeof what, "rig %d", k);
        compared += compare(what, NULL, text);
        wsk_text_free(text);
    }
    assert_true(compared > 50 * most);
}

/* Rigs at work: an air conditioner, an uninterruptible supply, a job with checkpoints, requests over the day. */
static void test_scenarios(void **state)
{
    (void)state;
    static const char *const paths[] = {"scenarios/quad-3090-blower/rig.xml", "scenarios/h100-4u/rig.xml",
                                        "scenarios/spacing/two-blower.xml", "scenarios/home-100v-jp/rig.xml",
                                        "scenarios/llama-70b-2x3090/rig.xml"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        assert_true(compare(paths[i], paths[i], NULL) > 50);
    static const char feeds[] =
        "<rig><site supply='230 V' circuit='16 A'><ups rated='3 kW'/>"
        "<room volume='40 m3' conductance='60 W/K'><outdoor mean='24 degC' swing='5 K'/>"
        "<air-conditioner capacity='2.8 kW' setpoint='20 degC'/></room></site>"
        "<chassis part='chassis/workstation-12-slot'><fan part='fan/generic-120-3000' at='front' count='3'/>"
        "<psu part='psu/tier-gold-1600'/><gpu part='gpu/rtx-3090-blower' slot='1' power-limit='250 W'/>"
        "<gpu part='gpu/rtx-3090-blower' slot='5' power-limit='300 W'/></chassis>"
        "<workload kind='constant' class='training' rate='10' unit='x'/></rig>";
    assert_true(compare("a rig behind a UPS", NULL, feeds) > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_rigs), cmocka_unit_test(test_scenarios)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
