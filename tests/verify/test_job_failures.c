/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "tests/verify/workloads.h"

extern const wsk_kind wsk_workload_training;

static const double mtbf_s = 86400, restart_s = 600, every_s = 3600, takes_s = 90;

/* Returns the number of failures of a training job within span_s. For each failure, adds the working time since the
 * last save, s, to *lost_s, and its square to *lost2. */
static int failures_in(uint64_t seed, double span_s, double *lost_s, double *lost2)
{
    const wsk_workload_params w = {.mtbf_s = mtbf_s,
                                   .restart_takes_s = restart_s,
                                   .checkpoint_every_s = every_s,
                                   .checkpoint_takes_s = takes_s,
                                   .evaluate_every_s = NAN};
    const wsk_workload_ops *ops = wsk_workload_training.ops;
    wsk_activity a = {.phase = WSK_PHASE_IDLE};
    int count = 0;
    double since_save = 0;
    int64_t saved = 0;
    for (int64_t t = 0; t < (int64_t)(span_s * 1e9); t = a.until_ns) {
        ops->at(&w, &(wsk_moment){.t_ns = t, .seed = seed}, &a);
        assert_true(a.until_ns > t);
        if (a.undo) {
            count++;
            *lost_s += since_save;
            *lost2 += since_save * since_save;
            since_save = 0;
            continue;
        }
        if (a.saved_ns != saved)
            since_save = 0;
        saved = a.saved_ns;
        if (a.phase == WSK_PHASE_RUN)
            since_save += (double)(a.until_ns - t) / 1e9;
    }
    return count;
}

/* Failures are a renewal process: exponential times between failures, restarts of fixed length. Mean and variance of
 * the number of failures, and the work lost, agree with theory. */
static void test_failures_are_poisson(void **state)
{
    (void)state;
    const double span = 120 * 86400.0, cycle = mtbf_s + restart_s;
    const int seeds = 400;
    double sum = 0, squares = 0, lost = 0, lost2 = 0;
    for (int seed = 1; seed <= seeds; seed++) {
        int n = failures_in((uint64_t)seed, span, &lost, &lost2);
        sum += n;
        squares += (double)n * n;
    }
    double mean = sum / seeds, variance = squares / seeds - mean * mean;
    double expect = span / cycle + (mtbf_s * mtbf_s - cycle * cycle) / (2 * cycle * cycle);
    double spread = span * mtbf_s * mtbf_s / (cycle * cycle * cycle);
    assert_near(mean, expect, 4 * sqrt(spread / seeds));
    assert_rel(variance, spread, 4 * sqrt(2.0 / seeds));
    /* Work lost by a failure: the working time since the last completed save. A failure can occur at any time of a
     * cycle of work and save, and an interrupted save counts for nothing. */
    double whole = every_s + takes_s, share = 1 - exp(-whole / mtbf_s), decay = exp(-every_s / mtbf_s);
    double in_work = mtbf_s - (every_s + mtbf_s) * decay, in_save = every_s * (decay - exp(-whole / mtbf_s));
    double each = (in_work + in_save) / share, deviation = sqrt(lost2 / sum - (lost / sum) * (lost / sum));
    assert_near(lost / sum, each, 4 * deviation / sqrt(sum));
    assert_rel(each, every_s / 2, 0.03);
}

static const char failing[] =
    RIG(CARD("1", "clock='1100 MHz'") CARD("5", "clock='1100 MHz'"),
        "<workload class='training' mtbf='3 h' restart-takes='7 min' checkpoint-every='30 min' "
        "checkpoint-takes='45 s' evaluate-every='50 min' evaluate-takes='3 min' rate='50' unit='x'/>");

static void test_failures_in_a_run(void **state)
{
    (void)state;
    wsk_rig *rig = wsk_test_rig(failing, NULL);
    const double span = 4 * 86400;
    wsk_run *run = NULL;
    const wsk_run_options o = {.duration_s = span, .seed = 11};
    assert_int_equal(wsk_run_new(&run, rig, &o), WSK_OK);
    wsk_test_advance(run, span);
    double perf = run->net->cards[0].ops->perf_rel(&run->net->cards[0].cls, 1.1e9), safe = 0, open = 0, lost = 0;
    int count = 0;
    int64_t saved = 0;
    wsk_activity a;
    for (int64_t t = 0; t < (int64_t)(span * 1e9); t = a.until_ns) {
        run->net->workload_ops->at(run->net->workload, &(wsk_moment){.t_ns = t, .seed = 11}, &a);
        if (a.saved_ns != saved && !a.undo) {
            safe += open;
            open = 0;
        }
        saved = a.undo ? saved : a.saved_ns;
        if (a.undo) {
            lost += open;
            open = 0;
            count++;
        } else if (a.phase == WSK_PHASE_RUN && !a.idle_work) {
            int64_t end = a.until_ns < (int64_t)(span * 1e9) ? a.until_ns : (int64_t)(span * 1e9);
            open += (double)(end - t) / 1e9;
        }
    }
    assert_true(count > 15);
    assert_int_equal(run->head->failures, count);
    assert_rel(work_s(run, 0), perf * (safe + open), 1e-9);
    assert_rel(run->head->redone_s, 2 * perf * lost, 1e-9);
    assert_same(wsk_run_value(run, WSK_VAR_UNDONE_S, 0), run->head->redone_s);
    assert_rel(wsk_run_value(run, WSK_VAR_UNDONE_COOL_S, 0), 2 * perf * lost, 1e-9);
    assert_rel(wsk_run_value(run, WSK_VAR_WORK_UNDONE, 0), 50 * 2 * perf * lost, 1e-9);
    wsk_test_drop(run, rig);
}

/* A checkpoint that takes no time keeps the work before it, and nothing else changes: a failure undoes less than the
 * work of one interval. */
static void test_checkpoints_that_take_no_time(void **state)
{
    (void)state;
    static const char xml[] =
        RIG(CARD("1", "clock='1100 MHz'"), "<workload class='training' mtbf='3 h' restart-takes='7 min' %s/>");
    const char *const jobs[] = {"checkpoint-every='30 min' checkpoint-takes='0 s'", ""};
    const double span = 4 * 86400, every = 1800;
    double done[2];
    for (int i = 0; i < 2; i++) {
        char text[4096];
        snprintf(text, sizeof text, xml, jobs[i]);
        wsk_rig *rig = wsk_test_rig(text, NULL);
        wsk_run *run = NULL;
        assert_int_equal(wsk_run_new(&run, rig, &(wsk_run_options){.duration_s = span, .seed = 11}), WSK_OK);
        wsk_test_advance(run, span);
        const double perf = run->net->cards[0].ops->perf_rel(&run->net->cards[0].cls, 1.1e9);
        double lost = 0, worked = 0;
        wsk_activity a = {.phase = WSK_PHASE_IDLE};
        for (int64_t t = 0; t < (int64_t)(span * 1e9); t = a.until_ns) {
            run->net->workload_ops->at(run->net->workload, &(wsk_moment){.t_ns = t, .seed = 11}, &a);
            const double since = a.undo ? worked : 0;
            lost += i ? since : fmod(since, every);
            worked = a.undo ? 0 : worked + (double)(a.until_ns - t) / 1e9;
        }
        assert_true(run->head->failures > 15);
        assert_rel(run->head->redone_s, perf * lost, 1e-9);
        done[i] = work_s(run, 0);
        wsk_test_drop(run, rig);
    }
    assert_true(done[0] > 2 * done[1]);
}

/* A job that waits for a lost card neither fails nor evaluates. */
static void test_a_job_that_stands(void **state)
{
    (void)state;
    wsk_rig *rig =
        wsk_test_rig(RIG(CARD("1", "") CARD("5", "lost-at='12 h'"),
                         "<workload class='training' mtbf='3 h' restart-takes='7 min' checkpoint-every='30 min' "
                         "checkpoint-takes='45 s' evaluate-every='50 min' evaluate-takes='3 min'/>"),
                     NULL);
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 48 * 3600.0);
    char *lines = NULL;
    wsk_test_advance(run, 12 * 3600.0);
    const int64_t failures = run->head->failures;
    assert_int_equal(wsk_run_events_csv(run, true, &lines), WSK_OK);
    assert_non_null(strstr(lines, ",workload,evaluation,"));
    assert_non_null(strstr(lines, ",workload,failure,"));
    wsk_text_free(lines);
    wsk_test_advance(run, 48 * 3600.0);
    assert_true(failures > 0);
    assert_int_equal(run->head->failures, failures);
    assert_int_equal(wsk_run_events_csv(run, true, &lines), WSK_OK);
    assert_null(strstr(lines, ",workload,evaluation,"));
    assert_null(strstr(lines, ",workload,failure,"));
    wsk_text_free(lines);
    wsk_test_drop(run, rig);
}

static void test_same_bits_across_a_restart(void **state)
{
    (void)state;
    static const char two[] = "<rig><chassis id='a'><psu kind='constant' rated='900 W' efficiency='90 %'/>" CARD(
        "1",
        "") "</chassis><chassis id='b'>"
            "<psu kind='constant' rated='900 W' efficiency='90 %'/>" CARD("1", "") CARD(
                "5",
                "limit-schedule='0.2 h:150 W, 0.9 h:250 W'") "</chassis><workload class='training' mtbf='20 min' "
                                                             "restart-takes='5 min' checkpoint-every='10 min'/>"
                                                             "<run for='4 h' seed='3'/></rig>";
    const char *const xml[] = {failing, two};
    for (int i = 0; i < 2; i++) {
        wsk_rig *rig = wsk_test_rig(xml[i], NULL);
        const double span = 4 * 3600;
        wsk_run *once = wsk_test_run(rig, WSK_STEPPER_FAST, span), *first = wsk_test_run(rig, WSK_STEPPER_FAST, span),
                *second = wsk_test_run(rig, WSK_STEPPER_FAST, span), *odd = wsk_test_run(rig, WSK_STEPPER_FAST, span);
        wsk_test_advance(once, span);
        while (!first->schedule.undo && wsk_run_time(first) < span)
            wsk_test_advance(first, wsk_run_time(first) + 37);
        assert_true(first->schedule.undo && first->head->failures > 0);
        wsk_test_advance(second, span - 60); /* the restore must replace everything that this run computed before */
        size_t len, len_once, len_odd;
        char *bytes = wsk_test_save(first, &len);
        assert_int_equal(wsk_run_restore(second, bytes, len), WSK_OK);
        wsk_test_advance(second, span);
        for (uint64_t k = 0; wsk_run_time(odd) < span; k++)
            wsk_test_advance(odd, wsk_run_time(odd) + 90 * wsk_random(5, 6, k));
        wsk_text_free(bytes);
        bytes = wsk_test_save(second, &len);
        char *want = wsk_test_save(once, &len_once), *other = wsk_test_save(odd, &len_odd);
        assert_int_equal(len, len_once);
        assert_memory_equal(bytes, want, len);
        assert_memory_equal(other, want, len);
        wsk_text_free(bytes);
        wsk_text_free(want);
        wsk_text_free(other);
        wsk_run_free(odd);
        wsk_run_free(second);
        wsk_run_free(first);
        wsk_test_drop(once, rig);
    }
}

/* The time in which a job repeats, for strides: from the end of the last restart to the next failure or, after a failure,
 * to the end of the restart, the work repeats with its period. Checked at random times, without and with what a call
 * before left. */
static void test_repeats_between_failures(void **state)
{
    (void)state;
    const wsk_workload_params w = {.mtbf_s = 40 * 3600.0,
                                   .restart_takes_s = 600,
                                   .checkpoint_every_s = 3000,
                                   .checkpoint_takes_s = 100,
                                   .evaluate_every_s = 1700,
                                   .evaluate_takes_s = 160};
    const int64_t period_ns = INT64_C(9300) * WSK_NS; /* 3 times 3100 s, 5 times 1860 s */
    const wsk_workload_ops *ops = wsk_workload_training.ops;
    int later = 0;
    for (uint64_t k = 0; k < 400; k++) {
        const int64_t t = (int64_t)(wsk_random(3, 5, k) * 60 * 86400e9);
        wsk_moment now = {.t_ns = t, .seed = 7};
        wsk_activity last = {.phase = WSK_PHASE_IDLE}, at = last;
        wsk_repeat repeat = {.until_ns = INT64_MAX};
        if (k % 2)
            ops->at(&w, &now, &last);
        ops->repeats(&w, &now, &last, &repeat);
        assert_int_equal(repeat.period_ns, period_ns);
        assert_true(repeat.from_ns <= t && t < repeat.until_ns + 600 * WSK_NS);
        /* the failure is where the job stops, for the first time since the start or the restart before it */
        now.t_ns = repeat.until_ns;
        ops->at(&w, &now, &at);
        assert_true(at.undo);
        now.t_ns = repeat.until_ns - 1;
        ops->at(&w, &now, &at);
        assert_false(at.undo);
        now.t_ns = repeat.from_ns;
        ops->at(&w, &now, &at);
        assert_false(at.undo);
        assert_int_equal(at.saved_ns, repeat.from_ns);
        if (repeat.from_ns > 0) {
            now.t_ns = repeat.from_ns - 1;
            ops->at(&w, &now, &at);
            assert_true(at.undo);
        }
        if (t + period_ns < repeat.until_ns && t < repeat.until_ns) {
            wsk_activity then = {.phase = WSK_PHASE_IDLE};
            now.t_ns = t;
            ops->at(&w, &now, &at);
            now.t_ns = t + period_ns;
            ops->at(&w, &now, &then);
            assert_string_equal(at.name, then.name);
            if (then.until_ns < repeat.until_ns)
                assert_int_equal(at.until_ns + period_ns, then.until_ns);
            later++;
        }
    }
    assert_true(later > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_failures_are_poisson),
        cmocka_unit_test(test_repeats_between_failures),
        cmocka_unit_test(test_failures_in_a_run),
        cmocka_unit_test(test_a_job_that_stands),
        cmocka_unit_test(test_checkpoints_that_take_no_time),
        cmocka_unit_test(test_same_bits_across_a_restart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
