/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A checkpoint is a file that anybody may have written. Each number of its state in turn is replaced by extreme
 * values, and the digest is corrected. The run refuses the checkpoint, or continues without a crash or an endless
 * loop and with finite results. */
#include <glob.h>
#include <math.h>
#include <string.h>

#include "sim/base/base.h"
#include "sim/books/books.h"
#include "sim/books/observe.h"
#include "tests/support/bench.h"

enum { WORD = 8 };

/* The run's state within the bytes of a checkpoint, whose last parts are the state and the digest of everything
 * before the digest. */
static char *state_of(const wsk_run *run, char *bytes, size_t len)
{
    return bytes + len - WSK_SHA256 - run->block_len;
}

static void sign(char *bytes, size_t len)
{
    wsk_sha256 sum;
    wsk_sha256_start(&sum);
    wsk_sha256_add(&sum, bytes, len - WSK_SHA256);
    wsk_sha256_end(sum, (unsigned char *)bytes + len - WSK_SHA256);
}

/* Results that may become unknown: the trip probability of a PSU that has failed; spread, clock, work and limits of a
 * card with pinned power, because a wrong number may pin it. */
static bool may_be_unknown(wsk_result r)
{
    static const wsk_result may[] = {WSK_R_PSU_TRIP,
                                     WSK_R_GPU_WORK_SPREAD,
                                     WSK_R_GPU_POWER_SPREAD,
                                     WSK_R_GPU_CLOCK_MEAN,
                                     WSK_R_GPU_WORK,
                                     WSK_R_GPU_LIMITED_BY_POWER,
                                     WSK_R_GPU_LIMITED_BY_HEAT,
                                     WSK_R_GPU_LIMITED_BY_MEMORY,
                                     WSK_R_GPU_SLOWDOWN,
                                     WSK_R_GPU_BRAKED};
    bool found = false;
    for (size_t i = 0; i < sizeof may / sizeof *may; i++)
        found = found || may[i] == r;
    return found;
}

static void check_results(const wsk_summary *s, const wsk_summary *before, size_t word)
{
    for (int r = 0; r < WSK_RESULTS; r++) {
        const wsk_result_row *about = wsk_result_about((wsk_result)r);
        for (size_t i = 0; about->type == WSK_IS_NUMBER && i < wsk_summary_count(s, about->scope); i++) {
            double value = wsk_summary_number(s, (wsk_result)r, i),
                   was = wsk_summary_number(before, (wsk_result)r, i);
            if (isinf(value) || (isnan(value) && !isnan(was) && !may_be_unknown((wsk_result)r)))
                fail_msg("word %zu: %s is %g, and was %g", word, about->key, value, was);
        }
    }
}

static void check_word(wsk_run *run, const wsk_summary *known, char *bytes, size_t len, size_t word,
                       const void *value)
{
    char before[WORD], *at = state_of(run, bytes, len) + word * WORD;
    memcpy(before, at, WORD);
    memcpy(at, value, WORD);
    sign(bytes, len);
    wsk_status status = wsk_run_restore(run, bytes, len);
    if (status == WSK_OK) {
        wsk_summary *summary = NULL;
        status = wsk_run_advance(run, wsk_run_time(run) + 120);
        assert_true(status == WSK_OK || status == WSK_ENUMERIC || status == WSK_EAUDIT);
        assert_int_equal(wsk_run_summary(&summary, run, 0), WSK_OK);
        if (status == WSK_OK)
            check_results(summary, known, word);
        wsk_summary_free(summary);
    } else {
        assert_int_equal(status, WSK_EINPUT);
    }
    memcpy(at, before, WORD);
}

static void test_any_number_may_be_wrong(void **state)
{
    (void)state;
    static const int64_t whole[] = {INT64_MAX, INT64_MIN, -1, 1 << 20, 7};
    static const double real[] = {NAN, INFINITY, -1e308, 1e30};
    wsk_rig *rig = NULL;
    wsk_run *run = NULL;
    assert_int_equal(
        wsk_rig_load(&rig, &(wsk_rig_options){.path = "scenarios/single-3090/rig.xml", .parts_dir = "parts"}),
        WSK_OK);
    assert_int_equal(wsk_run_new(&run, rig, &(wsk_run_options){.duration_s = 7200, .no_series = true}), WSK_OK);
    assert_int_equal(wsk_run_advance(run, 3600), WSK_OK);
    char *bytes = NULL;
    size_t len = 0;
    wsk_summary *known = NULL;
    assert_int_equal(wsk_run_summary(&known, run, 0), WSK_OK);
    assert_int_equal(wsk_run_save(run, &bytes, &len), WSK_OK);
    /* The last part of the state, the observer's, is not damaged: it contains sums of results, on which no decision
     * of the engine depends. */
    const size_t words = (size_t)((char *)run->observer->value - run->block) / WORD;
    for (size_t word = 0; word < words; word++) {
        for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
            check_word(run, known, bytes, len, word, &whole[i]);
        for (size_t i = 0; i < sizeof real / sizeof *real; i++)
            check_word(run, known, bytes, len, word, &real[i]);
    }
    wsk_summary_free(known);
    wsk_text_free(bytes);
    wsk_run_free(run);
    wsk_rig_free(rig);
}

static void test_own_checkpoint_is_taken(void **state)
{
    (void)state;
    static const double at_s[] = {0, 1, 700, 3600};
    glob_t found;
    assert_int_equal(glob("scenarios/*/*.xml", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        wsk_rig *rig = wsk_test_rig_file(found.gl_pathv[i]);
        wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 3600);
        for (size_t k = 0; k < sizeof at_s / sizeof *at_s; k++) {
            size_t len, again;
            wsk_test_advance(run, at_s[k]);
            char *bytes = wsk_test_save(run, &len);
            wsk_run *copy = wsk_test_run(rig, WSK_STEPPER_FAST, 3600);
            if (wsk_run_restore(copy, bytes, len) != WSK_OK)
                fail_msg("%s: its own checkpoint at %g s is refused", found.gl_pathv[i], at_s[k]);
            char *same = wsk_test_save(copy, &again);
            assert_int_equal(len, again);
            assert_memory_equal(bytes, same, len);
            wsk_text_free(same);
            wsk_text_free(bytes);
            wsk_run_free(copy);
        }
        wsk_test_drop(run, rig);
    }
    globfree(&found);
}

/* Counters of time and flags that are added to other numbers may not be so large that the sum overflows. */
static void test_huge_counters_are_refused(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = wsk_test_run_to("<rig><site><room temperature='21 degC'/></site><chassis kind='frame'>"
                                   "<gpu slot='1' part='gpu/generic' power='100 W'/></chassis><run for='1 h'/></rig>",
                                   600, &rig),
            *copy = wsk_test_run(rig, WSK_STEPPER_FAST, 600);
    int64_t *const counters[] = {&run->head->undone, &run->cards[0].served_ns};
    for (size_t i = 0; i < sizeof counters / sizeof *counters; i++) {
        const int64_t had = *counters[i];
        for (int k = 0; k < 2; k++) {
            size_t len;
            *counters[i] = k ? had : INT64_MAX - 1;
            char *bytes = wsk_test_save(run, &len);
            assert_int_equal(wsk_run_restore(copy, bytes, len), k ? WSK_OK : WSK_EINPUT);
            wsk_text_free(bytes);
        }
    }
    wsk_run_free(copy);
    wsk_test_drop(run, rig);
}

static wsk_run *run_for(const wsk_rig *rig, bool no_series, double until_s)
{
    wsk_run *run = NULL;
    assert_int_equal(wsk_run_new(&run, rig, &(wsk_run_options){.duration_s = 7 * 86400, .no_series = no_series}),
                     WSK_OK);
    assert_int_equal(wsk_run_advance(run, until_s), WSK_OK);
    return run;
}

static void test_a_state_is_small(void **state)
{
    (void)state;
    wsk_rig *rig = NULL;
    assert_int_equal(
        wsk_rig_load(&rig, &(wsk_rig_options){.path = "scenarios/quad-3090-blower/rig.xml", .parts_dir = "parts"}),
        WSK_OK);
    wsk_run *slim = run_for(rig, true, 3600), *whole = run_for(rig, false, 3600);
    size_t slim_len, whole_len;
    char *slim_bytes = wsk_test_save(slim, &slim_len), *whole_bytes = wsk_test_save(whole, &whole_len), *text = NULL;
    const size_t most = 20480; /* bytes, some more than this rig needs; an accidental growth fails */
    assert_true(slim->block_len <= most && slim_len <= most + 256);
    assert_true(slim->books->n_buckets == 6 && slim->block_len == whole->block_len);
    assert_memory_equal(slim->block, whole->block, slim->block_len);
    assert_true(whole_len == slim_len + 6 * wsk_bucket_doubles(whole->variables) * sizeof(double));
    assert_int_equal(wsk_run_series_csv(slim, &text), WSK_EUSAGE);
    assert_int_equal(wsk_run_restore(slim, whole_bytes, whole_len), WSK_EINPUT);
    assert_int_equal(wsk_run_restore(whole, slim_bytes, slim_len), WSK_EINPUT);
    sign(whole_bytes, whole_len);
    assert_int_equal(wsk_run_restore(whole, whole_bytes, whole_len), WSK_OK);
    const size_t row = wsk_bucket_doubles(whole->variables) * sizeof(double), head = 9 * WORD;
    memmove(whole_bytes + head, whole_bytes + head + row, whole_len - head - row);
    sign(whole_bytes, whole_len - row);
    assert_int_equal(wsk_run_restore(whole, whole_bytes, whole_len - row), WSK_EINPUT);
    wsk_text_free(slim_bytes);
    wsk_text_free(whole_bytes);
    wsk_run_free(slim);
    wsk_run_free(whole);
    wsk_rig_free(rig);
}

static void check_variables(const wsk_run *saved, const wsk_run *restored, const char *path)
{
    for (int v = 0; v < WSK_VAR_COUNT; v++) {
        const wsk_var_row *about = wsk_var_about((wsk_var)v);
        for (size_t i = 0; i < wsk_run_owners(saved, about->owner); i++) {
            const double was = wsk_run_value(saved, (wsk_var)v, i), is = wsk_run_value(restored, (wsk_var)v, i);
            if (!(was == is || (isnan(was) && isnan(is))))
                fail_msg("%s at %g s: %s of %zu is %.17g, and was %.17g", path, wsk_run_time(saved), about->name, i,
                         is, was);
        }
    }
}

/* A restored run reads the same variables before its first step: in it, and in one that is ahead of the checkpoint. */
static void test_variables_are_restored(void **state)
{
    (void)state;
    static const char *const paths[] = {"scenarios/two-circuits/rig.xml", "scenarios/redundant-8gpu/braked.xml",
                                        "scenarios/time-of-use-night/evening.xml", "scenarios/single-3090/rig.xml",
                                        "scenarios/water-3090/light.xml"};
    static const double times_s[] = {0, 1, 1234.5, 30000};
    for (size_t k = 0; k < sizeof paths / sizeof *paths; k++) {
        wsk_rig *rig = wsk_test_rig_file(paths[k]);
        const wsk_run_options o = {.duration_s = 40000, .leap = true, .no_series = true};
        wsk_run *saved = NULL, *ahead = NULL;
        assert_int_equal(wsk_run_new(&saved, rig, &o), WSK_OK);
        assert_int_equal(wsk_run_new(&ahead, rig, &o), WSK_OK);
        wsk_test_advance(ahead, 40000);
        for (size_t i = 0; i < sizeof times_s / sizeof *times_s; i++) {
            wsk_run *fresh = NULL;
            size_t len;
            wsk_test_advance(saved, times_s[i]);
            char *bytes = wsk_test_save(saved, &len);
            assert_int_equal(wsk_run_new(&fresh, rig, &o), WSK_OK);
            assert_int_equal(wsk_run_restore(fresh, bytes, len), WSK_OK);
            assert_int_equal(wsk_run_restore(ahead, bytes, len), WSK_OK);
            check_variables(saved, fresh, paths[k]);
            check_variables(saved, ahead, paths[k]);
            wsk_text_free(bytes);
            wsk_run_free(fresh);
        }
        wsk_run_free(saved);
        wsk_run_free(ahead);
        wsk_rig_free(rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_variables_are_restored), cmocka_unit_test(test_any_number_may_be_wrong),
        cmocka_unit_test(test_own_checkpoint_is_taken), cmocka_unit_test(test_huge_counters_are_refused),
        cmocka_unit_test(test_a_state_is_small)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
