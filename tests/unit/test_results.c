/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/assert.h"
#include "sim/results/summary.h"

#define RIG "scenarios/quad-3090-blower/rig.xml"

static wsk_rig *load_rig(const char *path)
{
    wsk_rig *rig = NULL;
    assert_int_equal(wsk_rig_load(&rig, &(wsk_rig_options){.path = path, .parts_dir = "parts"}), WSK_OK);
    return rig;
}

static char *json_of(const wsk_summary *s)
{
    char *text = NULL;
    assert_int_equal(wsk_summary_json(s, &text), WSK_OK);
    return text;
}

static wsk_summary *read_one(const char *text)
{
    wsk_summary **all = NULL, *one;
    size_t count = 0;
    assert_int_equal(wsk_summaries_read(&all, &count, text, strlen(text), NULL), WSK_OK);
    assert_int_equal(count, 1);
    one = all[0];
    wsk_summaries_free(all, 0);
    return one;
}

static void set_messages(wsk_summary *s, wsk_result r, size_t member)
{
    wsk_arena *arena = wsk_arena_new();
    wsk_said_list list = {.arena = arena}, chain = {.arena = arena};
    for (int i = 0; i < 20; i++)
        wsk_said_add(&chain, WSK_SAID(WSK_SAY_FIX_PSU, 100.5 * i));
    wsk_said_add(&list,
                 WSK_SAID(WSK_SAY_FOUND_TOO_HOT, "gpu\"0\"", (const wsk_said *)NULL, WSK_WORD("memory"), 85.4, 85));
    wsk_said_add(&list, WSK_SAID(WSK_SAY_FOUND_TOO_HOT, "a", WSK_SAID(WSK_SAY_FOUND_MORE, 2), WSK_WORD("VRM"),
                                 1.0 / 3, (double)member));
    wsk_said_add(&list, wsk_said_link_all(&chain, WSK_SAY_JOINED, WSK_SAY_JOIN_COMMA_OR));
    assert_int_equal(wsk_summary_set_messages(s, r, member, list.items, list.count), WSK_OK);
    wsk_arena_free(arena);
}

static void set_value(wsk_summary *s, wsk_result r, size_t member, int turn)
{
    char text[64];
    const char *texts[] = {text, "it said \"no\"\n",
                           "\xc2\xb0"
                           "C"};
    snprintf(text, sizeof text, "text %d of %zu", (int)r, member);
    switch (wsk_result_about(r)->type) {
    case WSK_IS_NUMBER: wsk_summary_set_number(s, r, member, 2.385 * (int)r + (double)member + 1e-9 * turn); break;
    case WSK_IS_FLAG: wsk_summary_set_flag(s, r, member, ((int)r + (int)member) % 2); break;
    case WSK_IS_TEXT: wsk_summary_set_text(s, r, member, text); break;
    case WSK_IS_TEXTS: wsk_summary_set_texts(s, r, member, texts, 3); break;
    case WSK_IS_MESSAGES: set_messages(s, r, member); break;
    case WSK_IS_MEMBERS: wsk_summary_set_list(s, r); break;
    default: break;
    }
}

static wsk_summary *full_summary(void)
{
    wsk_summary *s = NULL;
    assert_int_equal(wsk_summary_new(&s), WSK_OK);
    for (int scope = 0; scope < WSK_SCOPES; scope++)
        if (scope != WSK_SCOPE_RIG && scope != WSK_SCOPE_COMPARED && scope != WSK_SCOPE_COMPARISON)
            assert_int_equal(wsk_summary_members(s, (wsk_scope)scope, 3), WSK_OK);
    for (int r = 0; r < WSK_RESULTS; r++)
        for (size_t i = 0; i < wsk_summary_count(s, wsk_result_about((wsk_result)r)->scope); i++)
            set_value(s, (wsk_result)r, i, 1);
    assert_false(wsk_summary_failed(s));
    return s;
}

static size_t occurrences(const char *text, const char *word)
{
    size_t n = 0;
    for (const char *p = text; (p = strstr(p, word)) != NULL; p += strlen(word))
        n++;
    return n;
}

/* All numbers differ, so that a number in the wrong place is noticed. */
static void test_each_row_is_written_once_for_each_member(void **state)
{
    (void)state;
    wsk_summary *s = full_summary();
    char *json = json_of(s);
    for (int r = 0; r < WSK_RESULTS; r++) {
        const wsk_result_row *row = wsk_result_about((wsk_result)r);
        const char *last = strrchr(row->key, '.');
        if (row->type != WSK_IS_NUMBER)
            continue;
        for (size_t i = 0; i < wsk_summary_count(s, row->scope); i++) {
            char number[40], pair[128];
            wsk_format_number(number, sizeof number, wsk_summary_number(s, (wsk_result)r, i));
            snprintf(pair, sizeof pair, "\"%s\": %s", last ? last + 1 : row->key, number);
            assert_int_equal(occurrences(json, pair), row->scope == WSK_SCOPE_COMPARISON ? 0 : 1);
        }
    }
    wsk_text_free(json);
    wsk_summary_free(s);
}

static void test_no_two_rows_have_one_name(void **state)
{
    (void)state;
    for (int r = 0; r < WSK_RESULTS; r++) {
        char name[96], other[96];
        assert_in_range(wsk_result_name((wsk_result)r, name, sizeof name), 1, sizeof name - 1);
        for (int k = 0; k < r; k++) {
            wsk_result_name((wsk_result)k, other, sizeof other);
            assert_string_not_equal(name, other);
        }
    }
    assert_null(wsk_result_about(WSK_RESULTS));
}

static void test_a_full_summary_reads_back(void **state)
{
    (void)state;
    wsk_summary *s = full_summary();
    char *before = json_of(s);
    wsk_summary *back = read_one(before);
    char *after = json_of(back);
    assert_string_equal(before, after);
    wsk_text_free(before);
    wsk_text_free(after);
    wsk_summary_free(back);
    wsk_summary_free(s);
}

static void test_messages_read_back(void **state)
{
    (void)state;
    wsk_summary *s = full_summary();
    char *json = json_of(s);
    wsk_summary *back = read_one(json);
    wsk_arena *arena = wsk_arena_new();
    size_t n, m;
    const wsk_said *const *wrote = wsk_summary_messages(s, WSK_R_NOTICES, 0, &n), *const *read = wsk_summary_messages(
                                                                                      back, WSK_R_NOTICES, 0, &m);
    assert_true(n == 3 && m == 3);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(wrote[i]->code, read[i]->code);
        assert_string_equal(wsk_said_english(arena, wrote[i]), wsk_said_english(arena, read[i]));
    }
    assert_non_null(strstr(
        json,
        "{ \"code\": \"found.too-hot\", \"text\": \"gpu\\\"0\\\": memory 85.4 degC, limit 85 degC\", "
        "\"values\": [\"gpu\\\"0\\\"\", null, { \"code\": \"word.memory\", \"word\": \"memory\" }, 85.4, 85] }"));
    wsk_arena_free(arena);
    wsk_text_free(json);
    wsk_summary_free(back);
    wsk_summary_free(s);
}

static void test_unknown_messages(void **state)
{
    (void)state;
    static const char *const wrong[] = {"1",
                                        "{}",
                                        "{\"code\": \"found.too-hot\", \"values\": [1]}",
                                        "{\"code\": \"found.too-hot\"}",
                                        "{\"code\": 3, \"values\": []}",
                                        "{\"code\": \"fix.psu\", \"values\": [[]]}",
                                        "{\"code\": \"fix.psu\", \"values\": [{\"code\": 3, \"values\": []}]}"};
    char text[200];
    size_t n;
    wsk_summary *s = read_one("{\"rig\": \"a\", \"notices\": [{\"code\": \"from.tomorrow\", \"text\": \"it rains\", "
                              "\"values\": [3]}]}");
    const wsk_said *const *list = wsk_summary_messages(s, WSK_R_NOTICES, 0, &n);
    wsk_arena *arena = wsk_arena_new();
    assert_int_equal(n, 1);
    assert_string_equal(wsk_said_english(arena, list[0]), "it rains");
    wsk_arena_free(arena);
    wsk_summary_free(s);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        wsk_summary **all = NULL;
        wsk_file_mistake mistake;
        const char *name = NULL;
        snprintf(text, sizeof text, "{\"rig\": \"a\", \"notices\": [%s]}", wrong[i]);
        assert_int_equal(wsk_summaries_read(&all, &n, text, strlen(text), &mistake), WSK_EINPUT);
        assert_true(wsk_said_argument(wsk_findings_line(mistake.why, 0, &(int){0}), 0, &(double){0}, &name,
                                      &(const wsk_said *){NULL}));
        assert_string_equal(name, "notices");
        wsk_findings_free(mistake.why);
    }
}

static void check_run_reads_back(const char *path, bool judged)
{
    wsk_rig *rig = load_rig(path);
    wsk_run *run = NULL;
    char *before = NULL, *page = NULL;
    assert_int_equal(wsk_run_new(&run, rig, &(wsk_run_options){.duration_s = 3600}), WSK_OK);
    assert_int_equal(wsk_run_advance(run, 3600), WSK_OK);
    if (judged)
        assert_int_equal(wsk_run_judge(rig, run), WSK_OK);
    assert_int_equal(wsk_run_summary_json(run, 0.25, &before), WSK_OK);
    wsk_summary *back = read_one(before);
    char *after = json_of(back);
    assert_string_equal(before, after);
    wsk_text_free(before);
    wsk_text_free(after);
    wsk_summary_free(back);
    wsk_run_free(run);

    assert_int_equal(wsk_steady_page(rig, WSK_STEPPER_FAST, 0, NULL, &before, &page), WSK_OK);
    back = read_one(before);
    after = json_of(back);
    assert_string_equal(before, after);
    wsk_text_free(before);
    wsk_text_free(after);
    wsk_text_free(page);
    wsk_summary_free(back);
    wsk_rig_free(rig);
}

static void test_runs_and_steady_points_read_back(void **state)
{
    (void)state;
    check_run_reads_back(RIG, true);
    check_run_reads_back("scenarios/water-3090/rig.xml", false);
    check_run_reads_back("scenarios/fan-dies/pump.xml", true);
}

static void test_typed_values_are_those_of_the_run(void **state)
{
    (void)state;
    wsk_rig *rig = load_rig(RIG);
    wsk_run *run = NULL;
    wsk_summary *s = NULL;
    assert_int_equal(wsk_run_new(&run, rig, &(wsk_run_options){.duration_s = 3600}), WSK_OK);
    assert_int_equal(wsk_run_advance(run, 3600), WSK_OK);
    assert_int_equal(wsk_run_summary(&s, run, 0.25), WSK_OK);
    assert_int_equal(wsk_summary_count(s, WSK_SCOPE_GPU), 4);
    assert_string_equal(wsk_summary_text(s, WSK_R_GPU_ID, 2), "gpu2");
    assert_same(wsk_summary_number(s, WSK_R_SIMULATED, 0), 3600);
    assert_same(wsk_summary_number(s, WSK_R_WALL_CLOCK, 0), 0.25);
    double kwh = 0;
    assert_int_equal(wsk_run_get(run, "energy_kwh", &kwh), WSK_OK);
    assert_rel(wsk_summary_number(s, WSK_R_WALL_KWH, 0), kwh, 1e-9);
    assert_false(wsk_summary_known(s, WSK_R_FAILED_AT, 0));
    assert_false(wsk_summary_known(s, WSK_R_GPU_ID, 4));
    assert_true(wsk_summary_known(s, WSK_R_THROTTLES, 0));
    wsk_summary_free(s);
    wsk_run_free(run);
    wsk_rig_free(rig);
}

static void test_members_become_one_number(void **state)
{
    (void)state;
    wsk_summary *s = NULL;
    assert_int_equal(wsk_summary_new(&s), WSK_OK);
    assert_true(isnan(wsk_summary_over(s, WSK_R_GPU_DIE_MAX, WSK_OVER_MAX)));
    assert_int_equal(wsk_summary_members(s, WSK_SCOPE_GPU, 4), WSK_OK);
    assert_true(isnan(wsk_summary_over(s, WSK_R_GPU_DIE_MAX, WSK_OVER_NONE)));
    wsk_summary_set_number(s, WSK_R_GPU_DIE_MAX, 0, -2.385);
    wsk_summary_set_number(s, WSK_R_GPU_DIE_MAX, 1, NAN);
    wsk_summary_set_number(s, WSK_R_GPU_DIE_MAX, 3, 71.3);
    assert_same(wsk_summary_over(s, WSK_R_GPU_DIE_MAX, WSK_OVER_NONE), 71.3);
    assert_same(wsk_summary_over(s, WSK_R_GPU_DIE_MAX, WSK_OVER_MIN), -2.385);
    assert_near(wsk_summary_over(s, WSK_R_GPU_DIE_MAX, WSK_OVER_SUM), 68.915, 1e-12);
    assert_near(wsk_summary_over(s, WSK_R_GPU_DIE_MAX, WSK_OVER_MEAN), 34.4575, 1e-12);
    for (size_t i = 0; i < 4; i++)
        wsk_summary_set_number(s, WSK_R_GPU_POWER_MEAN, i, 0.1 * (double)i);
    assert_near(wsk_summary_over(s, WSK_R_GPU_POWER_MEAN, WSK_OVER_NONE), 0.6, 1e-12);
    wsk_summary_set_flag(s, WSK_R_GPU_RUNAWAY, 2, true);
    assert_same(wsk_summary_over(s, WSK_R_GPU_RUNAWAY, WSK_OVER_NONE), 1);
    assert_int_equal(wsk_summary_set_number(s, WSK_R_GPU_DIE_MAX, 4, 1), WSK_EUSAGE);
    assert_int_equal(wsk_summary_set_number(s, WSK_R_GPU_ID, 0, 1), WSK_EUSAGE);
    assert_int_equal(wsk_summary_set_text(s, WSK_R_GPU_DIE_MAX, 0, "hot"), WSK_EUSAGE);
    assert_null(wsk_summary_text(s, WSK_R_GPU_DIE_MAX, 0));
    wsk_summary_free(s);
}

static void check_name(const char *name, wsk_result result, long member, wsk_over over)
{
    wsk_result_place p;
    assert_true(wsk_result_find(&p, name));
    assert_int_equal(p.result, result);
    assert_int_equal(p.member, member);
    assert_int_equal(p.over, over);
}

static void test_names_that_users_type(void **state)
{
    (void)state;
    check_name("cost.annual", WSK_R_ANNUAL, 0, WSK_OVER_NONE);
    check_name("npv", WSK_R_NPV, 0, WSK_OVER_NONE);
    check_name("gpus.die_max_c", WSK_R_GPU_DIE_MAX, -1, WSK_OVER_NONE);
    check_name("gpus[0].throttle_s.power", WSK_R_GPU_LIMITED_BY_POWER, 0, WSK_OVER_NONE);
    check_name("mean(gpus.power_mean_w)", WSK_R_GPU_POWER_MEAN, -1, WSK_OVER_MEAN);
    check_name("cost.months[11].kwh", WSK_R_MONTH_KWH, 11, WSK_OVER_NONE);
    static const char *const wrong[] = {"",
                                        "gpus",
                                        "gpus[0]",
                                        "gpus[x].slot",
                                        "gpus[0.slot",
                                        "cost.anual",
                                        "gpus[0]slot",
                                        "gpus[-1].slot",
                                        "max()",
                                        "max(",
                                        "energy",
                                        "gpus.die_max",
                                        "gpus.die_max_c.",
                                        "[0].slot",
                                        "gpus.",
                                        "max(gpus.",
                                        "die_max_c",
                                        "gpus[99999999999999999999].slot"};
    wsk_result_place p;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(wsk_result_find(&p, wrong[i]));
}

static wsk_status read_bytes(const char *text, size_t len)
{
    wsk_summary **all = NULL;
    size_t count = 0;
    wsk_file_mistake mistake;
    wsk_status status = wsk_summaries_read(&all, &count, text, len, &mistake);
    assert_int_equal(mistake.why != NULL, status == WSK_EINPUT);
    wsk_summaries_free(all, count);
    wsk_findings_free(mistake.why);
    return status;
}

static void test_what_is_no_summary_is_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {"",
                                      "{",
                                      "[]",
                                      "17",
                                      "null",
                                      "{} {}",
                                      "{\"steps\": 1e999}",
                                      "{\"steps\": NaN}",
                                      "{\"steps\": -Infinity}",
                                      "{\"steps\": \"many\"}",
                                      "{\"steps\": true}",
                                      "{\"rig\": 4}",
                                      "{\"rig\": \"\xff\xfe\"}",
                                      "{\"rig\": \"a\\u0000b\"}",
                                      "{\"energy\": 5}",
                                      "{\"gpus\": {\"slot\": 1}}",
                                      "{\"gpus\": [1]}",
                                      "{\"gpus\": [null]}",
                                      "{\"rig\": \"x\", \"gpus\": [{\"intake\": [0.5]}]}",
                                      "{\"verdict\": {\"throttles\": \"no\"}}",
                                      "{\"warnings\": [1]}",
                                      "{\"warnings\": \"one\"}",
                                      "{\"cases\": [7]}"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(read_bytes(bad[i], strlen(bad[i])), WSK_EINPUT);
    assert_int_equal(read_bytes("{}\0{}", 5), WSK_EINPUT);
    char deep[400];
    memset(deep, '[', sizeof deep);
    memcpy(deep, "{\"x\":", 5);
    assert_int_equal(read_bytes(deep, sizeof deep), WSK_EINPUT);
}

static void test_what_the_table_lacks_is_passed_over(void **state)
{
    (void)state;
    wsk_summary *s = read_one("{\"rig\": \"r\", \"future\": {\"x\": [1, 2]}, \"steps\": 3, \"steps\": 4,"
                              " \"gpus\": [{\"id\": \"a\", \"intake\": null}, {}]} \n");
    assert_same(wsk_summary_number(s, WSK_R_STEPS, 0), 4);
    assert_int_equal(wsk_summary_count(s, WSK_SCOPE_GPU), 2);
    assert_string_equal(wsk_summary_text(s, WSK_R_GPU_ID, 0), "a");
    assert_null(wsk_summary_text(s, WSK_R_GPU_ID, 1));
    assert_false(wsk_summary_known(s, WSK_R_GPU_FROM_ROOM, 0));
    assert_false(wsk_summary_known(s, WSK_R_DC_KWH, 0));
    wsk_summary_free(s);
}

/* -0 is stored as 0: json-c reads "-0" as the integer 0, so that -0 would not read back. */
static void test_zero_has_one_spelling(void **state)
{
    (void)state;
    wsk_summary *s = read_one("{\"rig\": \"r\", \"carbon_kg\": -0.0, \"npv\": -0}");
    assert_false(signbit(wsk_summary_number(s, WSK_R_CARBON, 0)));
    assert_false(signbit(wsk_summary_number(s, WSK_R_NPV, 0)));
    wsk_summary_set_number(s, WSK_R_CARBON, 0, -0.0);
    assert_false(signbit(wsk_summary_number(s, WSK_R_CARBON, 0)));
    wsk_summary_free(s);
}

static void test_a_comparison_is_read_case_by_case(void **state)
{
    (void)state;
    static const char text[] = "{\"cases\": [{\"rig\": \"a\", \"cases\": [{\"id\": \"c\"}], \"label\": \"first\"},"
                               " {\"rig\": \"b\", \"npv\": -12.5}], \"annual\": true, \"work_by\": null}";
    wsk_summary **all = NULL;
    size_t count = 0;
    assert_int_equal(wsk_summaries_read(&all, &count, text, strlen(text), NULL), WSK_OK);
    assert_int_equal(count, 2);
    assert_string_equal(wsk_summary_text(all[0], WSK_R_LABEL, 0), "first");
    assert_string_equal(wsk_summary_text(all[0], WSK_R_CASE_ID, 0), "c");
    assert_same(wsk_summary_number(all[1], WSK_R_NPV, 0), -12.5);
    assert_true(wsk_summary_flag(all[1], WSK_R_COMPARE_ANNUAL, 0));
    assert_false(wsk_summary_known(all[1], WSK_R_COMPARE_WORK_BY, 0));
    char *again = NULL;
    assert_int_equal(wsk_summaries_json((const wsk_summary *const *)all, count, &again), WSK_OK);
    assert_non_null(strstr(again, "], \"annual\": true, \"work_by\": null}\n"));
    wsk_summary **back = NULL;
    assert_int_equal(wsk_summaries_read(&back, &count, again, strlen(again), NULL), WSK_OK);
    assert_int_equal(count, 2);
    for (size_t i = 0; i < count; i++) {
        char *first = json_of(all[i]), *second = json_of(back[i]);
        assert_string_equal(first, second);
        wsk_text_free(first);
        wsk_text_free(second);
    }
    wsk_text_free(again);
    wsk_summaries_free(all, count);
    wsk_summaries_free(back, count);
}

static void test_damaged_files_never_crash(void **state)
{
    (void)state;
    static const char marks[] = "\"{}[],:0-e\\\xff";
    wsk_summary *s = full_summary();
    char *json = json_of(s);
    size_t len = strlen(json), end = len;
    while (json[end - 1] != '}')
        end--;
    for (size_t n = 0; n < end; n += n < 300 ? 1 : 97)
        assert_int_equal(read_bytes(json, n), WSK_EINPUT);
    for (size_t i = 0; i < len; i += 13) {
        char was = json[i];
        json[i] = marks[i % (sizeof marks - 1)];
        wsk_status status = read_bytes(json, len);
        assert_true(status == WSK_OK || status == WSK_EINPUT);
        json[i] = was;
    }
    wsk_text_free(json);
    wsk_summary_free(s);
}

/* "spread": null in compare.json means that no spread was computed. */
static void test_a_null_spread_reads_back(void **state)
{
    (void)state;
    static const char text[] = "{\"cases\": [{\"rig\": \"b\", \"spread\": null}]}";
    wsk_summary **all = NULL, **again = NULL;
    size_t count = 0;
    char *first = NULL, *second = NULL;
    assert_int_equal(wsk_summaries_read(&all, &count, text, strlen(text), NULL), WSK_OK);
    assert_int_equal(wsk_summary_json(all[0], &first), WSK_OK);
    assert_non_null(strstr(first, "\"spread\": null"));
    wsk_summaries_free(all, count);
    assert_int_equal(wsk_summaries_read(&again, &count, first, strlen(first), NULL), WSK_OK);
    assert_int_equal(wsk_summary_json(again[0], &second), WSK_OK);
    assert_string_equal(first, second);
    wsk_summaries_free(again, count);
    wsk_text_free(first);
    wsk_text_free(second);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_null_spread_reads_back),
        cmocka_unit_test(test_each_row_is_written_once_for_each_member),
        cmocka_unit_test(test_no_two_rows_have_one_name),
        cmocka_unit_test(test_a_full_summary_reads_back),
        cmocka_unit_test(test_messages_read_back),
        cmocka_unit_test(test_unknown_messages),
        cmocka_unit_test(test_runs_and_steady_points_read_back),
        cmocka_unit_test(test_typed_values_are_those_of_the_run),
        cmocka_unit_test(test_members_become_one_number),
        cmocka_unit_test(test_names_that_users_type),
        cmocka_unit_test(test_what_is_no_summary_is_refused),
        cmocka_unit_test(test_what_the_table_lacks_is_passed_over),
        cmocka_unit_test(test_zero_has_one_spelling),
        cmocka_unit_test(test_a_comparison_is_read_case_by_case),
        cmocka_unit_test(test_damaged_files_never_crash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
