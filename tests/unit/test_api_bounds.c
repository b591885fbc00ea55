/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Answers of the interface to numbers outside their ranges, and to texts that are not UTF-8. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "tests/support/bench.h"
#include "tests/unit/assert.h"

/* Samples of a card and of a meter at its machine's plug, 10 s apart; the card idles and works by turns. */
enum { SAMPLES = 180 };
typedef struct {
    double t_s[SAMPLES], watts[SAMPLES], die_k[SAMPLES], wall_w[SAMPLES];
} metered;

static void fill_metered(metered *m)
{
    for (int i = 0; i < SAMPLES; i++) {
        m->t_s[i] = 10 * i;
        m->watts[i] = i / 30 % 2 ? 300 : 30;
        m->die_k[i] = 310 + (i / 30 % 2 ? 30 : 0);
        m->wall_w[i] = 60 + 1.1 * m->watts[i];
    }
}

static wsk_status fit_wall(const wsk_rig *rig, const metered *m, double after_s, wsk_wall_fit *out)
{
    const wsk_readings power = {m->t_s, m->watts, SAMPLES}, die = {m->t_s, m->die_k, SAMPLES},
                       wall = {m->t_s, m->wall_w, SAMPLES};
    return wsk_calibrate_wall(rig, &(wsk_calibrate_trace){.power = power, .die = die}, 1, &wall, after_s, NAN, out);
}

static void test_meter_far_from_the_log(void **state)
{
    (void)state;
    wsk_rig *rig = wsk_test_rig_file("scenarios/single-3090/rig.xml");
    metered m;
    wsk_wall_fit out;
    fill_metered(&m);
    assert_int_equal(fit_wall(rig, &m, 0, &out), WSK_OK);
    const double far[] = {1e7, -1e7, 1e18, -1e18, DBL_MAX, -DBL_MAX};
    for (size_t i = 0; i < sizeof far / sizeof *far; i++) {
        assert_int_equal(fit_wall(rig, &m, far[i], &out), WSK_EUSAGE);
        assert_string_equal(wsk_said_code(out.refused), "calibrate.wall-brief");
    }
    assert_int_equal(fit_wall(rig, &m, INFINITY, &out), WSK_EUSAGE);
    assert_int_equal(fit_wall(rig, &m, -INFINITY, &out), WSK_EUSAGE);
    wsk_rig_free(rig);
}

static void test_impossible_samples_of_a_meter(void **state)
{
    (void)state;
    wsk_rig *rig = wsk_test_rig_file("scenarios/single-3090/rig.xml");
    const double impossible[] = {INFINITY, -INFINITY, NAN, -400, 0};
    metered m;
    wsk_wall_fit whole, out;
    fill_metered(&m);
    assert_int_equal(fit_wall(rig, &m, 0, &whole), WSK_OK);
    for (size_t i = 0; i < sizeof impossible / sizeof *impossible; i++) {
        m.wall_w[45] = impossible[i]; /* one sample is missing */
        assert_int_equal(fit_wall(rig, &m, 0, &out), WSK_OK);
        assert_near(out.fit.values[0].value, whole.fit.values[0].value, 0.5);
    }
    for (size_t i = 0; i < sizeof impossible / sizeof *impossible; i++) {
        for (int k = 0; k < SAMPLES; k++)
            m.wall_w[k] = impossible[i];
        assert_int_equal(fit_wall(rig, &m, 0, &out), WSK_EUSAGE);
        assert_string_equal(wsk_said_code(out.refused), "calibrate.wall-brief");
    }
    wsk_rig_free(rig);
}

static void test_predicting_impossible_rows(void **state)
{
    (void)state;
    wsk_rig *rig = wsk_test_rig_file("scenarios/single-3090/rig.xml"),
            *idle =
                wsk_test_rig("<rig><site><room temperature='25 degC'/></site><chassis><psu part='psu/tier-gold-750'/>"
                             "<gpu part='gpu/rtx-3090-fe' slot='1'/></chassis><workload class='training' "
                             "p0='60 W'/><run for='1 h'/></rig>",
                             NULL);
    const wsk_calibrate_row good = {
        .limit_w = 300, .lock_hz = NAN, .drawn_w = NAN, .clock_hz = NAN, .work = NAN, .die_k = NAN};
    wsk_calibrate_row rows[12], out;
    size_t count = 0;
    const double limits[] = {0, -300, 1e4, INFINITY}, drawn[] = {-5, INFINITY}, dies[] = {5000, -5};
    for (size_t i = 0; i < 4; i++)
        rows[count] = good, rows[count++].limit_w = limits[i];
    for (size_t i = 0; i < 2; i++)
        rows[count] = good, rows[count++].drawn_w = drawn[i];
    for (size_t i = 0; i < 2; i++)
        rows[count] = good, rows[count++].die_k = dies[i];
    rows[count] = good, rows[count++].clock_hz = 9e9;
    rows[count] = good, rows[count++].lock_hz = -1;
    rows[count] = good, rows[count++].work = -1;
    const wsk_calibration fit = {.mean_share = 1, .work_unit = NAN};
    wsk_calibration swept;
    assert_int_equal(wsk_calibrate_predict(rig, 0, &fit, &good, &out), WSK_OK);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(wsk_calibrate_sweep(rig, 0, &rows[i], 1, &swept), WSK_EUSAGE);
        if (wsk_calibrate_predict(rig, 0, &fit, &rows[i], &out) != WSK_EUSAGE)
            fail_msg("row %zu is predicted", i);
    }
    assert_non_null(wsk_calibrate_refusal(idle, 0));
    assert_int_equal(wsk_calibrate_predict(idle, 0, &fit, &good, &out), WSK_EUSAGE);
    wsk_rig_free(idle);
    wsk_rig_free(rig);
}

/* ---- options outside their ranges ---- */

static void measure_power(void *ctx, const wsk_summary *summary, double *out)
{
    (void)ctx;
    out[0] = wsk_summary_wall_w(summary);
    out[1] = 1;
}

static void test_options_of_a_search(void **state)
{
    (void)state;
    static const char *const values[] = {"200 W", "300 W"};
    static const wsk_setting setting = {.path = "gpu.power-limit", .values = values, .count = 2, .ordered = true};
    wsk_rig *rig = wsk_test_rig_file("scenarios/single-3090/rig.xml");
    const wsk_optimise_options good = {.settings = &setting,
                                       .setting_count = 1,
                                       .goals = 1,
                                       .limits = 1,
                                       .calls = {.measure = measure_power},
                                       .tighter = {0.1},
                                       .duration_s = 10,
                                       .step_s = 1,
                                       .over_time = true};
    const double durations[] = {-1, NAN, INFINITY, 1e10, 1e-12}, steps[] = {-1, NAN, 0.01, 100},
                 amounts[] = {-1, NAN, INFINITY};
    wsk_optimise_options bad[12];
    size_t count = 0;
    for (size_t i = 0; i < 5; i++)
        bad[count] = good, bad[count++].duration_s = durations[i];
    for (size_t i = 0; i < 4; i++)
        bad[count] = good, bad[count++].step_s = steps[i];
    for (size_t i = 0; i < 3; i++)
        bad[count] = good, bad[count++].tighter[0] = amounts[i];
    wsk_optimum *answer = NULL;
    assert_int_equal(wsk_rig_optimise(&answer, rig, &good), WSK_OK);
    wsk_optimum_free(answer);
    for (size_t i = 0; i < count; i++) {
        const wsk_status status = wsk_rig_optimise(&answer, rig, &bad[i]);
        if (status != WSK_EUSAGE || answer)
            fail_msg("options %zu: status %d", i, status);
    }
    wsk_rig_free(rig);
}

/* Time is counted in nanoseconds. A run that rounds to 0 ns would have no step and no means, so it is refused. */
static void test_runs_without_a_step(void **state)
{
    (void)state;
    wsk_rig *rig = wsk_test_rig_file("scenarios/single-3090/rig.xml");
    wsk_run *run = NULL;
    assert_int_equal(wsk_run_new(&run, rig, &(wsk_run_options){.duration_s = 1e-12}), WSK_EUSAGE);
    assert_int_equal(wsk_run_new(&run, rig, &(wsk_run_options){.duration_s = 4e-10}), WSK_EUSAGE);
    assert_null(run);
    wsk_summary *s = NULL;
    assert_int_equal(wsk_run_new(&run, rig, &(wsk_run_options){.duration_s = 1e-9}), WSK_OK);
    assert_int_equal(wsk_run_advance(run, 1), WSK_OK);
    assert_int_equal(wsk_run_summary(&s, run, 0), WSK_OK);
    assert_true(wsk_summary_wall_w(s) > 0);
    wsk_summary_free(s);
    wsk_test_drop(run, rig);
}

static void test_a_start_that_does_not_exist(void **state)
{
    (void)state;
    static const char *const sets[] = {"run.start=steady", "gpu.mount=100", "gpu.power=200 W"};
    wsk_rig *rig = NULL;
    wsk_run *run = NULL;
    const wsk_rig_options o = {
        .path = "scenarios/single-3090/rig.xml", .parts_dir = "parts", .sets = sets, .set_count = 3};
    assert_int_equal(wsk_rig_load(&rig, &o), WSK_OK);
    assert_int_equal(wsk_run_new(&run, rig, NULL), WSK_ENUMERIC);
    assert_non_null(run);
    assert_non_null(strstr(wsk_run_error(run), "gpu0"));
    wsk_test_drop(run, rig);
}

/* Bytes that are not UTF-8, as in the name of a file, must not make the JSON unreadable. */
static void test_texts_that_are_not_utf8(void **state)
{
    (void)state;
    wsk_rig *rig = wsk_test_rig_file("scenarios/single-3090/rig.xml"), *bad = NULL;
    wsk_summary *s = NULL;
    char *json = NULL;
    assert_int_equal(wsk_steady_summary(&s, rig, WSK_STEPPER_FAST, 0, NULL), WSK_OK);
    assert_int_equal(wsk_summary_set_text(s, WSK_R_RIG, 0, "a\xff"), WSK_OK);
    assert_int_equal(wsk_summary_json(s, &json), WSK_OK);
    assert_non_null(strstr(json, "a\xEF\xBF\xBD"));
    assert_null(strchr(json, '\xff'));
    wsk_text_free(json);
    wsk_summary_free(s);
    assert_int_equal(wsk_rig_load(&bad, &(wsk_rig_options){.path = "no\xff.xml"}), WSK_EINPUT);
    assert_true(wsk_rig_messages(bad) > 0);
    int severity, line, column;
    const char *file, *text;
    wsk_rig_message(bad, 0, &severity, &file, &line, &column, &text);
    const wsk_said *said = wsk_rig_message_said(bad, 0);
    assert_int_equal(wsk_said_json(&said, 1, &json), WSK_OK);
    assert_null(strchr(json, '\xff'));
    wsk_text_free(json);
    wsk_rig_free(bad);
    wsk_rig_free(rig);
}

static void test_parts_of_no_folder(void **state)
{
    (void)state;
    char *text = NULL;
    assert_int_equal(wsk_parts_text("no-such-folder", NULL, NULL, &text), WSK_OK);
    assert_string_equal(text, "");
    wsk_text_free(text);
}

static char *advice_of(const char *set, double duration_s)
{
    const char *const sets[] = {set};
    const wsk_rig_options o = {
        .path = "scenarios/redundant-8gpu/rig.xml", .parts_dir = "parts", .sets = sets, .set_count = set != NULL};
    const wsk_run_options over = {.duration_s = duration_s, .leap = true, .no_series = true};
    wsk_rig *rig = NULL;
    wsk_run *run = NULL;
    char *text = NULL;
    assert_int_equal(wsk_rig_load(&rig, &o), WSK_OK);
    assert_int_equal(wsk_run_new(&run, rig, &over), WSK_OK);
    wsk_test_advance(run, 1e9);
    assert_int_equal(wsk_run_advice(rig, run, &text), WSK_OK);
    wsk_test_drop(run, rig);
    return text;
}

/* A PSU fails after 12 h. Advice counts the failure if it is within the run, whatever duration the rig states. */
static void test_advice_counts_failures_of_the_run(void **state)
{
    (void)state;
    char *without = advice_of(NULL, 4000), *shorter = advice_of("run.for=4000 s", 0),
         *with = advice_of("run.for=1 h", 50000), *longer = advice_of("run.for=50000 s", 0);
    assert_null(strstr(without, "After the failure"));
    assert_string_equal(without, shorter);
    assert_non_null(strstr(with, "After the failure"));
    assert_string_equal(with, longer);
    wsk_text_free(without);
    wsk_text_free(shorter);
    wsk_text_free(with);
    wsk_text_free(longer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_advice_counts_failures_of_the_run),
                                       cmocka_unit_test(test_meter_far_from_the_log),
                                       cmocka_unit_test(test_impossible_samples_of_a_meter),
                                       cmocka_unit_test(test_predicting_impossible_rows),
                                       cmocka_unit_test(test_options_of_a_search),
                                       cmocka_unit_test(test_runs_without_a_step),
                                       cmocka_unit_test(test_a_start_that_does_not_exist),
                                       cmocka_unit_test(test_texts_that_are_not_utf8),
                                       cmocka_unit_test(test_parts_of_no_folder)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
