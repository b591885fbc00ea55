/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Answers of the interface to indices outside its tables, to values of another type, and for a rig that did not
 * load. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "sim/base/said.h"
#include "sim/books/books.h"
#include "sim/books/observe.h"
#include "tests/support/bench.h"
#include "wattsink_log.h"
#include "wattsink_messages.h"
#include "wattsink_summary.h"

static void test_outside_the_tables(void **state)
{
    (void)state;
    char text[16] = "x";
    assert_null(wsk_result_about((wsk_result)WSK_RESULTS));
    assert_null(wsk_result_about((wsk_result)-1));
    assert_string_equal(wsk_result_brief((wsk_result)WSK_RESULTS), "");
    assert_int_equal(wsk_result_name((wsk_result)WSK_RESULTS, text, sizeof text), 0);
    assert_string_equal(text, "");
    assert_null(wsk_var_about((wsk_var)WSK_VAR_COUNT));
    assert_null(wsk_stat_name((wsk_stat)WSK_STATS));
    wsk_column column;
    assert_true(wsk_column_read("gpu0.power_w.mean", 17, &column));
    assert_true(wsk_column_is(&column, WSK_VAR_CARD_POWER_W));
    assert_false(wsk_column_is(&column, (wsk_var)WSK_VAR_COUNT));
    assert_string_equal(wsk_said_code(NULL), "");
#define CASE(name, value, english) assert_string_equal(wsk_status_text(name), english);
    WSK_STATUS_LIST(CASE)
#undef CASE
    assert_string_equal(wsk_status_text((wsk_status)99), "unknown status");
    wsk_findings_free(NULL);
    wsk_uncertainty_free(NULL);
}

static void test_names_of_results(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        long member; /* index that the name contains; -1: the name has no index; -2: no result has this name */
    } names[] = {{"gpus.die_max_c", -1},
                 {"gpus[0].die_max_c", 0},
                 {"gpus[12].die_max_c", 12},
                 {"max(gpus.die_max_c)", -1},
                 {"max(gpus.die_max_c", -2},
                 {"gpus[].die_max_c", -2},
                 {"gpus[x].die_max_c", -2},
                 {"gpus[:].die_max_c", -2},
                 {"gpus[0.die_max_c", -2},
                 {"gpus[0]die_max_c", -2},
                 {"gpus.die_max", -2},
                 {"gpus.die_max_c.", -2},
                 {"gpus", -2},
                 {"gpus.", -2},
                 {"gpus[100000].die_max_c", 100000},
                 {"gpus[0].", -2},
                 {"gpus[100001].die_max_c", -2},
                 {"warnings[0]", 0},
                 {"warnings[3]", 3},
                 {"warnings", -2},
                 {"warnings[0]x", -2},
                 {"warnings[", -2},
                 {"max()", -2},
                 {"", -2}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        wsk_result_place place;
        const bool found = wsk_result_find(&place, names[i].name);
        if (found != (names[i].member != -2) || (found && place.member != names[i].member))
            fail_msg("\"%s\": found %d, member %ld", names[i].name, found, found ? place.member : 0);
    }
}

/* Each result of a run that is a value is found by the name that the program prints; lists, messages and results of a
 * comparison are not. */
static void test_each_result_by_its_name(void **state)
{
    (void)state;
    int found = 0, left_out = 0;
    for (int r = 0; r < WSK_RESULTS; r++) {
        const wsk_result_row *row = wsk_result_about((wsk_result)r);
        const bool value = row->type == WSK_IS_NUMBER || row->type == WSK_IS_FLAG || row->type == WSK_IS_TEXT;
        char name[128];
        wsk_result_place place = {.member = 7};
        wsk_result_name((wsk_result)r, name, sizeof name);
        if (row->type == WSK_IS_TEXTS)
            continue;
        if (wsk_result_find(&place, name) != (value && row->scope != WSK_SCOPE_COMPARISON))
            fail_msg("%s: %s", name, value ? "not found" : "found");
        left_out += !value || row->scope == WSK_SCOPE_COMPARISON;
        if (!value || row->scope == WSK_SCOPE_COMPARISON)
            continue;
        if (place.result != (wsk_result)r || place.over != WSK_OVER_NONE || place.member > 0)
            fail_msg("%s: another result is found", name);
        found++;
    }
    assert_true(found > 100 && left_out > 5);
}

/* The series as a table of text: a line for each interval that is complete, with the numbers that the run has. */
static void test_series_as_text(void **state)
{
    (void)state;
    wsk_rig *rig = wsk_test_rig_file("scenarios/single-3090/rig.xml");
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 40000);
    char *text = NULL;
    wsk_test_advance(run, 3333); /* within an interval */
    assert_int_equal(wsk_run_series_csv(run, &text), WSK_OK);
    const int n = run->variables->n;
    const double row_s = (double)(run->observer->bucket_ticks * run->tick_ns) / 1e9;
    int64_t rows = 0;
    for (char *at = strchr(text, '\n') + 1; *at; rows++) {
        assert_true(rows < run->books->n_buckets);
        const double *row = wsk_bucket(run, rows);
        assert_near(strtod(at, &at), (double)(rows + 1) * row_s, 1e-9);
        for (int i = 0; i < n; i++)
            for (int k = 0; k < WSK_STATS; k++) {
                assert_int_equal(*at, ',');
                const double found = strtod(at + 1, &at), wanted = row[1 + k * n + i];
                if (!(fabs(found - wanted) <= 5.01e-6 * fabs(wanted))) /* six digits */
                    fail_msg("row %lld, %s: %.9g, not %.9g", (long long)rows, run->variables->all[i].name, found,
                             wanted);
            }
        assert_int_equal(*at++, '\n');
    }
    assert_int_equal(rows, (int64_t)(3333 / row_s));
    assert_int_equal(rows, run->books->n_buckets);
    wsk_text_free(text);
    wsk_run_free(run);
    wsk_rig_free(rig);
}

static void test_values_of_a_summary(void **state)
{
    (void)state;
    wsk_rig *rig = wsk_test_rig_file("scenarios/single-3090/rig.xml");
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 60);
    wsk_summary *s = NULL;
    size_t count = 7;
    wsk_test_advance(run, 60);
    assert_int_equal(wsk_run_summary(&s, run, 0), WSK_OK);

    assert_int_equal(wsk_summary_count(s, WSK_SCOPE_GPU), 1);
    /* nothing is known of a band, which only a steady point has, so its sum is not 0 */
    for (int over = WSK_OVER_NONE; over <= WSK_OVER_SUM; over++)
        assert_true(isnan(wsk_summary_over(s, WSK_R_GPU_DIE_BAND, (wsk_over)over)));
    assert_int_equal(wsk_summary_count(s, (wsk_scope)WSK_SCOPES), 0);
    assert_true(wsk_summary_known(s, WSK_R_GPU_DIE_MAX, 0));
    assert_false(wsk_summary_known(s, WSK_R_GPU_DIE_MAX, 1));
    assert_false(wsk_summary_shown(s, WSK_R_GPU_DIE_MAX, 1));
    assert_false(wsk_summary_shown(s, (wsk_result)WSK_RESULTS, 0));
    assert_true(isnan(wsk_summary_number(s, WSK_R_GPU_DIE_MAX, 1)));
    assert_same(wsk_summary_over(s, WSK_R_GPU_DIE_MAX, WSK_OVER_MAX), wsk_summary_number(s, WSK_R_GPU_DIE_MAX, 0));
    assert_true(isnan(wsk_summary_over(s, (wsk_result)WSK_RESULTS, WSK_OVER_MAX)));
    assert_null(wsk_summary_text(s, WSK_R_GPU_DIE_MAX, 0));
    assert_false(wsk_summary_flag(s, WSK_R_GPU_DIE_MAX, 0));
    assert_null(wsk_summary_texts(s, WSK_R_GPU_DIE_MAX, 0, &count));
    assert_int_equal(count, 0);
    count = 7;
    assert_null(wsk_summary_messages(s, WSK_R_GPU_DIE_MAX, 0, &count));
    assert_int_equal(count, 0);

    const double before = wsk_summary_number(s, WSK_R_GPU_DIE_MAX, 0);
    assert_int_equal(wsk_summary_set_text(s, WSK_R_GPU_DIE_MAX, 0, "hot"), WSK_EUSAGE);
    assert_int_equal(wsk_summary_set_flag(s, WSK_R_GPU_DIE_MAX, 0, true), WSK_EUSAGE);
    assert_int_equal(wsk_summary_set_number(s, WSK_R_GPU_DIE_MAX, 1, 3), WSK_EUSAGE);
    assert_int_equal(wsk_summary_set_number(s, WSK_R_THROTTLES, 0, 3), WSK_EUSAGE);
    assert_int_equal(wsk_summary_set_number(s, (wsk_result)WSK_RESULTS, 0, 3), WSK_EUSAGE);
    assert_same(wsk_summary_number(s, WSK_R_GPU_DIE_MAX, 0), before);
    /* A summary is written as JSON, which has no infinity, so that an infinite number becomes null: shown, but not
     * known. */
    assert_int_equal(wsk_summary_set_number(s, WSK_R_GPU_DIE_MAX, 0, INFINITY), WSK_OK);
    assert_false(wsk_summary_known(s, WSK_R_GPU_DIE_MAX, 0));
    assert_true(wsk_summary_shown(s, WSK_R_GPU_DIE_MAX, 0));
    assert_true(isnan(wsk_summary_over(s, WSK_R_GPU_DIE_MAX, WSK_OVER_MEAN)));
    assert_int_equal(wsk_summary_set_text(s, WSK_R_CURRENCY, 0, "EUR"), WSK_OK);
    assert_string_equal(wsk_summary_text(s, WSK_R_CURRENCY, 0), "EUR");
    assert_int_equal(wsk_summary_set_text(s, WSK_R_CURRENCY, 0, NULL), WSK_OK);
    assert_null(wsk_summary_text(s, WSK_R_CURRENCY, 0));
    wsk_summary_free(s);
    wsk_test_drop(run, rig);
}

static void test_real_time_of_a_steady_point(void **state)
{
    (void)state;
    wsk_rig *rig = wsk_test_rig_file("scenarios/single-3090/rig.xml");
    wsk_summary *s = NULL;
    struct timespec began, ended;
    assert_int_equal(timespec_get(&began, TIME_UTC), TIME_UTC);
    assert_int_equal(wsk_steady_summary(&s, rig, WSK_STEPPER_FAST, 1000, NULL), WSK_OK);
    assert_int_equal(timespec_get(&ended, TIME_UTC), TIME_UTC);
    const double took = wsk_summary_number(s, WSK_R_WALL_CLOCK, 0) - 1000;
    assert_true(took > 0 && took <= difftime(ended.tv_sec, began.tv_sec) + 1);
    wsk_summary_free(s);
    wsk_rig_free(rig);
}

static void test_a_rig_that_did_not_load(void **state)
{
    (void)state;
    static const char text[] = "<rig><chassis slots='no'/></rig>";
    const wsk_rig_options o = {.path = "-", .text = text, .text_len = sizeof text - 1, .parts_dir = "parts"};
    wsk_rig *rig = NULL, *other = NULL;
    assert_int_equal(wsk_rig_load(&rig, &o), WSK_EINPUT);
    wsk_run *run = NULL;
    wsk_summary *s = NULL;
    wsk_findings *f = NULL;
    wsk_uncertainty *u = NULL;
    char *out = NULL;
    assert_int_equal(wsk_run_new(&run, rig, NULL), WSK_EINPUT);
    assert_int_equal(wsk_steady_summary(&s, rig, WSK_STEPPER_FAST, 0, NULL), WSK_EINPUT);
    assert_int_equal(wsk_rig_check(rig, false, &f), WSK_EINPUT);
    assert_int_equal(wsk_rig_export(rig, WSK_EXPORT_JSON, 60, &out), WSK_EINPUT);
    assert_int_equal(wsk_rig_export(rig, WSK_EXPORT_JSON, -1, &out), WSK_EUSAGE);
    assert_int_equal(wsk_rig_export(rig, WSK_EXPORT_JSON, 86401, &out), WSK_EUSAGE);
    assert_int_equal(wsk_rig_export(rig, WSK_EXPORT_JSON, NAN, &out), WSK_EUSAGE);
    assert_int_equal(wsk_rig_advice(rig, &out), WSK_EINPUT);
    assert_int_equal(wsk_rig_spread(rig, WSK_STEPPER_FAST, &out), WSK_EINPUT);
    assert_int_equal(wsk_rig_uncertainty(&u, rig, WSK_STEPPER_FAST), WSK_EINPUT);
    assert_true(!run && !s && !f && !u && !out);
    assert_same(wsk_rig_duration(rig), 0);
    assert_int_equal(wsk_rig_load(&other, NULL), WSK_EUSAGE);
    assert_false(wsk_rig_has_bad_files(rig));
    wsk_rig_free(rig);
}

/* A rig from a text in memory can take its parts from a rig that is loaded already: it loads although no file can be
 * opened. The text is read only while the rig is loaded. */
static void test_a_text_with_the_files_of_a_rig(void **state)
{
    (void)state;
    static const char first[] = "<rig><chassis><gpu part='gpu/rtx-3090' slot='1'/><gpu part='gpu/none' slot='4'/>"
                                "</chassis></rig>",
                      fits[] = "<rig><chassis slots='4'><gpu part='gpu/rtx-3090' slot='1'/></chassis></rig>",
                      fits_not[] = "<rig><chassis slots='4'><gpu part='gpu/rtx-3090' slot='4'/></chassis></rig>";
    char text[sizeof fits];
    memcpy(text, fits, sizeof text);
    wsk_rig_options o = {.path = "-", .text = first, .text_len = sizeof first - 1, .parts_dir = "parts"};
    wsk_rig *held = NULL, *good = NULL, *bad = NULL, *lacks = NULL;
    char *advice = NULL, *parts = NULL;
    struct rlimit limit, none;
    assert_int_equal(wsk_rig_load(&held, &o), WSK_EINPUT);
    assert_true(wsk_rig_has_bad_files(held));
    assert_int_equal(wsk_rig_parts_text(held, "gpu", &parts), WSK_OK);
    assert_non_null(strstr(parts, "gpu/rtx-3090 "));
    o.files_of = held;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
    none = limit;
    none.rlim_cur = 0;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    o.text = text;
    o.text_len = sizeof text - 1;
    const wsk_status loaded = wsk_rig_load(&good, &o);
    memset(text, 'x', sizeof text);
    o.text = fits_not;
    o.text_len = sizeof fits_not - 1;
    const wsk_status unfit = wsk_rig_load(&bad, &o);
    o.text = first;
    o.text_len = sizeof first - 1;
    const wsk_status missing = wsk_rig_load(&lacks, &o);
    setrlimit(RLIMIT_NOFILE, &limit);
    assert_int_equal(loaded, WSK_OK);
    assert_int_equal(wsk_rig_advice(good, &advice), WSK_OK);
    assert_int_equal(unfit, WSK_EINPUT);
    assert_false(wsk_rig_has_bad_files(bad));
    assert_int_equal(missing, WSK_EINPUT);
    assert_true(wsk_rig_has_bad_files(lacks));
    wsk_text_free(advice);
    wsk_text_free(parts);
    wsk_rig_free(good);
    wsk_rig_free(bad);
    wsk_rig_free(lacks);
    wsk_rig_free(held);
}

static void test_arguments_of_messages(void **state)
{
    (void)state;
    const wsk_said *inner = WSK_SAID(WSK_SAY_MEANT, "350 W"), *said = WSK_SAID(WSK_SAY_NO_SUCH_SEASON, "warm", inner);
    double number;
    const char *text;
    const wsk_said *deeper;
    assert_true(wsk_said_argument(said, 0, &number, &text, &deeper));
    assert_string_equal(text, "warm");
    assert_null(deeper);
    assert_true(wsk_said_argument(said, 1, &number, &text, &deeper));
    assert_null(text);
    assert_ptr_equal(deeper, inner);
    assert_false(wsk_said_argument(said, 2, &number, &text, &deeper));
    assert_false(wsk_said_argument(NULL, 0, &number, &text, &deeper));

    const wsk_said *both[] = {said, inner};
    char *json = NULL;
    assert_int_equal(wsk_said_json(both, 0, &json), WSK_OK);
    assert_string_equal(json, "[]");
    wsk_text_free(json);
    assert_int_equal(wsk_said_json(both, 2, &json), WSK_OK);
    assert_true(json[0] == '[' && strstr(json, "}, {"));
    wsk_text_free(json);

    static const struct {
        const char *text, *out;
    } templates[] = {{"%2$s of %1$s", "3 of a,b"},
                     {"%s, %s, %s", "a,b, 3, ?"},
                     {"%12$s", "?"},
                     {"%0$s", "?"},
                     {"100 %", "100 %"},
                     {"5 %% %q", "5 % %q"},
                     {"%123$s", "%123$s"},
                     {"%1$.1s|", "a|"},
                     {"%1$-5s|", "a,b  |"},
                     {"%2$+d", "+3"},
                     {"%2$03d", "003"},
                     {"%2$.10000000f", "%2$.10000000f"}};
    for (size_t i = 0; i < sizeof templates / sizeof *templates; i++) {
        wsk_buf b = {0};
        wsk_render(&b, templates[i].text, (const wsk_arg[]){wsk_arg_text("a,b"), wsk_arg_number(3)}, 2, NULL, NULL);
        assert_string_equal(b.data, templates[i].out);
        wsk_buf_free(&b);
    }
}

/* ---- fits ---- */

static wsk_status fit_log(const wsk_rig *rig, const wsk_calibrate_trace *traces, size_t count, double holdout)
{
    wsk_log_fit fit[2];
    return wsk_calibrate_log(rig, traces, count, holdout, fit, NULL);
}

static void test_fits_that_are_refused(void **state)
{
    (void)state;
    wsk_rig *rig = wsk_test_rig_file("scenarios/single-3090/rig.xml"), *bad = NULL;
    const char broken[] = "<rig><chassis><gpu slot='one'/></chassis></rig>";
    assert_int_equal(wsk_rig_load(&bad, &(wsk_rig_options){.path = "-", .text = broken, .text_len = strlen(broken)}),
                     WSK_EINPUT);
    enum { N = 60 };
    double t_s[N], watts[N], die_k[N];
    for (int i = 0; i < N; i++) {
        t_s[i] = 10 * i;
        watts[i] = i < N / 2 ? 100 : 300;
        die_k[i] = 310 + 0.2 * i;
    }
    const wsk_readings power = {t_s, watts, N}, die = {t_s, die_k, N};
    const wsk_calibrate_trace one = {.power = power, .die = die}, far = {.card = 9, .power = power, .die = die},
                              blind = {.power = power}, twice[] = {one, one};
    assert_int_equal(fit_log(rig, &one, 0, NAN), WSK_EUSAGE); /* no trace */
    assert_int_equal(fit_log(rig, &far, 1, NAN), WSK_EUSAGE);
    assert_int_equal(fit_log(rig, &blind, 1, NAN), WSK_EUSAGE); /* no temperature */
    assert_int_equal(fit_log(rig, twice, 2, NAN), WSK_EUSAGE);
    assert_int_equal(fit_log(rig, &one, 1, 0.95), WSK_EUSAGE);
    assert_int_equal(fit_log(rig, &one, 1, -0.1), WSK_EUSAGE);
    assert_int_equal(fit_log(bad, &one, 1, NAN), WSK_EINPUT);
    wsk_wall_fit wall;
    assert_int_equal(wsk_calibrate_wall(rig, &one, 1, &power, 0, 0.95, &wall), WSK_EUSAGE);
    assert_int_equal(wsk_calibrate_wall(rig, &far, 1, &power, 0, NAN, &wall), WSK_EUSAGE);
    assert_int_equal(wsk_calibrate_wall(bad, &one, 1, &power, 0, NAN, &wall), WSK_EINPUT);
    wsk_calibrate_row row = {NAN, NAN, NAN, NAN, NAN, NAN}, predicted;
    wsk_calibration fit = {.count = 0};
    assert_int_equal(wsk_calibrate_sweep(rig, 9, &row, 1, &fit), WSK_EUSAGE);
    assert_int_equal(wsk_calibrate_sweep(bad, 0, &row, 1, &fit), WSK_EINPUT);
    assert_int_equal(wsk_calibrate_sweep(rig, 0, &row, 1, &fit),
                     WSK_EUSAGE); /* states neither limit, clock nor power */
    assert_int_equal(wsk_calibrate_predict(rig, 0, &fit, &row, &predicted), WSK_EUSAGE);
    assert_int_equal(wsk_calibrate_predict(rig, 9, &fit, &row, &predicted), WSK_EUSAGE);
    assert_null(wsk_calibrate_refusal(rig, 9));
    assert_null(wsk_calibrate_refusal(bad, 0));
    const wsk_calibrated_card card = {9, &fit, "x"};
    char *id, *text;
    assert_int_equal(wsk_rig_calibrated(rig, &card, 1, &text), WSK_EUSAGE);
    assert_int_equal(wsk_rig_calibrated_part(rig, &card, 1, 9, &id, &text), WSK_EUSAGE);
    assert_null(id);
    assert_int_equal(wsk_rig_cards(bad), 0);
    const char *part;
    assert_null(wsk_rig_card(bad, 0, &part));
    assert_null(part);
    wsk_log_curves_free(NULL);
    wsk_rig_free(bad);
    wsk_rig_free(rig);
}

static void test_owners_outside_a_run(void **state)
{
    (void)state;
    wsk_rig *rig = wsk_test_rig_file("scenarios/single-3090/rig.xml");
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 60);
    assert_int_equal(wsk_run_owners(run, (wsk_owner)WSK_OWNERS), 0);
    assert_int_equal(wsk_run_owners(run, WSK_OF_CARD), 1);
    assert_string_equal(wsk_run_owner(run, WSK_OF_CARD, 0), "gpu0");
    assert_string_equal(wsk_run_owner(run, WSK_OF_CARD, 1), "");
    assert_true(isnan(wsk_run_value(run, WSK_VAR_CARD_DIE_C, 1)));
    assert_true(isnan(wsk_run_value(run, WSK_VAR_CARD_DIE_C, SIZE_MAX)));
    const size_t outside[] = {wsk_run_variables(run), SIZE_MAX / 64};
    for (size_t i = 0; i < 2; i++) {
        const char *name, *unit;
        double value;
        wsk_run_variable(run, outside[i], &name, &unit, &value);
        assert_true(*name == '\0' && *unit == '\0' && isnan(value));
        assert_null(wsk_run_variable_row(run, outside[i]));
    }
    wsk_test_drop(run, rig);
}

/* Nothing is known before the first step: the page is its head, without means, extremes and a verdict. */
static void test_page_before_the_first_step(void **state)
{
    (void)state;
    wsk_rig *rig = wsk_test_rig_file("scenarios/single-3090/rig.xml");
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 600);
    char *text = NULL;
    assert_int_equal(wsk_run_summary_text(run, &text), WSK_OK);
    assert_string_equal(text, "One RTX 3090, a day of fine-tuning: 0 s simulated\n");
    wsk_text_free(text);
    wsk_test_drop(run, rig);
}

static void test_series_outside(void **state)
{
    (void)state;
    wsk_rig *rig = wsk_test_rig_file("scenarios/single-3090/rig.xml");
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 600);
    wsk_status status;
    assert_int_equal(wsk_run_advance(run, NAN), WSK_EUSAGE);
    assert_int_equal(wsk_runs_advance(&run, 1, NAN, &status), WSK_EUSAGE);
    assert_int_equal(wsk_run_advance(run, -1e300), WSK_OK); /* all times before the present are over already */
    assert_near(wsk_run_time(run), 0, 0);
    wsk_test_advance(run, 600);
    const size_t rows = wsk_run_series_rows(run), variables = wsk_run_variables(run);
    assert_true(rows > 0);
    assert_true(!isnan(wsk_run_series_end(run, rows - 1)));
    assert_true(isnan(wsk_run_series_end(run, rows)));
    assert_true(isnan(wsk_run_series_value(run, rows, 0, WSK_STAT_MEAN)));
    assert_true(isnan(wsk_run_series_value(run, SIZE_MAX, 0, WSK_STAT_MEAN)));
    assert_true(isnan(wsk_run_series_value(run, 0, variables, WSK_STAT_MEAN)));
    assert_true(isnan(wsk_run_series_value(run, 0, 0, (wsk_stat)WSK_STATS)));
    wsk_run *none;
    assert_int_equal(wsk_run_new(&none, rig, &(wsk_run_options){.stepper = (wsk_stepper)7}), WSK_EUSAGE);
    assert_null(none);
    wsk_test_drop(run, rig);
}

static void test_log_outside(void **state)
{
    (void)state;
    static const char text[] = "time_s,power_w\n0,100\n1,110\n2,120\n";
    wsk_log *log;
    assert_int_equal(wsk_log_read(&log, "log.csv", text, sizeof text - 1), WSK_OK);
    assert_true(wsk_log_cards(log) == 1);
    assert_true(wsk_log_of(log, 0, WSK_LOG_POWER).count > 0);
    assert_true(wsk_log_of(log, 9, WSK_LOG_POWER).count == 0);
    assert_true(wsk_log_of(log, 0, (wsk_log_quantity)WSK_LOG_QUANTITIES).count == 0);
    assert_string_equal(wsk_log_card(log, 1), "");
    wsk_log_free(log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_outside_the_tables),      cmocka_unit_test(test_names_of_results),
        cmocka_unit_test(test_each_result_by_its_name), cmocka_unit_test(test_series_as_text),
        cmocka_unit_test(test_values_of_a_summary),     cmocka_unit_test(test_real_time_of_a_steady_point),
        cmocka_unit_test(test_a_rig_that_did_not_load), cmocka_unit_test(test_a_text_with_the_files_of_a_rig),
        cmocka_unit_test(test_arguments_of_messages),   cmocka_unit_test(test_fits_that_are_refused),
        cmocka_unit_test(test_owners_outside_a_run),    cmocka_unit_test(test_page_before_the_first_step),
        cmocka_unit_test(test_series_outside),          cmocka_unit_test(test_log_outside)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
