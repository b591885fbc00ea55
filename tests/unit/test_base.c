/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

#include "sim/base/said.h"
#include "tests/unit/assert.h"

#define LEN(array) (sizeof(array) / sizeof *(array))

static void arena_gives_zeroed_aligned_separate_memory(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 63, 64, 65, 1000, 16383, 16384, 65536, 1000000};
    unsigned char *got[20 * LEN(sizes)];
    wsk_arena *arena = wsk_arena_new();
    assert_non_null(arena);
    for (size_t i = 0; i < LEN(got); i++) {
        size_t size = sizes[i % LEN(sizes)];
        got[i] = wsk_alloc(arena, size);
        assert_non_null(got[i]);
        assert_int_equal((uintptr_t)got[i] % 64, 0);
        for (size_t j = 0; j < size; j++)
            assert_int_equal(got[i][j], 0);
        memset(got[i], (int)(i % 250) + 1, size);
        /* an odd length must not spoil the alignment of the next allocation */
        assert_non_null(wsk_strdup(arena, "odd"));
    }
    for (size_t i = 0; i < LEN(got); i++)
        for (size_t j = 0; j < sizes[i % LEN(sizes)]; j++)
            assert_int_equal(got[i][j], i % 250 + 1);
    wsk_arena_free(arena);
    wsk_arena_free(NULL);
}

static void arena_refuses_impossible_sizes(void **state)
{
    (void)state;
    wsk_arena *arena = wsk_arena_new();
    assert_null(wsk_alloc(arena, SIZE_MAX));
    assert_null(wsk_alloc(arena, SIZE_MAX - 63));
    assert_null(wsk_alloc(arena, SIZE_MAX / 2 + 1));
    assert_non_null(wsk_alloc(arena, 8));
    wsk_arena_free(arena);
}

static void arena_keeps_text(void **state)
{
    (void)state;
    wsk_arena *arena = wsk_arena_new();
    char word[] = "word", *copy = wsk_strdup(arena, word);
    word[0] = 'x';
    assert_string_equal(copy, "word");
    assert_string_equal(wsk_strdup(arena, ""), "");
    assert_string_equal(wsk_printf(arena, "%s-%d", "gpu", 3), "gpu-3");
    char *wide = wsk_printf(arena, "%100000d", 7);
    assert_int_equal(strlen(wide), 100000);
    assert_int_equal(wide[99999], '7');
    wsk_arena_free(arena);
}

static void diags_sort_by_place_then_arrival(void **state)
{
    (void)state;
    wsk_arena *arena = wsk_arena_new();
    wsk_diags diags;
    wsk_diags_init(&diags, arena);
    wsk_diag_add(&diags, WSK_DIAG_ERROR, "b.xml", 1, 1, WSK_SAID(WSK_SAY_PLAIN, "5"));
    wsk_diag_add(&diags, WSK_DIAG_WARNING, "a.xml", 10, 2, WSK_SAID(WSK_SAY_PLAIN, "3 first"));
    wsk_diag_add(&diags, WSK_DIAG_ERROR, "a.xml", 10, 2, WSK_SAID(WSK_SAY_PLAIN, "3 second"));
    wsk_diag_add(&diags, WSK_DIAG_ADVICE, "a.xml", 9, 80, WSK_SAID(WSK_SAY_PLAIN, "2"));
    wsk_diag_add(&diags, WSK_DIAG_ERROR, "a.xml", 10, 11, WSK_SAID(WSK_SAY_PLAIN, "4"));
    wsk_diag_add(&diags, WSK_DIAG_ADVICE, NULL, 0, 0, WSK_SAID(WSK_SAY_PLAIN, "1"));
    wsk_diags_sort(&diags);
    static const char *const order[] = {"1", "2", "3 first", "3 second", "4", "5"};
    assert_int_equal(diags.count, LEN(order));
    assert_int_equal(diags.errors, 3);
    for (size_t i = 0; i < LEN(order); i++)
        assert_string_equal(diags.items[i].message, order[i]);
    assert_null(diags.items[0].file);
    assert_string_equal(diags.items[5].file, "b.xml");
    wsk_arena_free(arena);
}

static void diags_are_bounded_and_prefer_errors(void **state)
{
    (void)state;
    wsk_arena *arena = wsk_arena_new();
    wsk_diags diags;
    wsk_diags_init(&diags, arena);
    for (int i = 0; i < 5000; i++)
        wsk_diag_add(&diags, WSK_DIAG_WARNING, "r.xml", 5000 - i, 1,
                     WSK_SAID(WSK_SAY_PLAIN, wsk_printf(arena, "w%d", i)));
    assert_int_equal(diags.count, 201);
    assert_int_equal(diags.errors, 0);
    assert_int_equal(diags.items[200].severity, WSK_DIAG_WARNING);
    wsk_diag_add(&diags, WSK_DIAG_ERROR, "r.xml", 7, 1, WSK_SAID(WSK_SAY_PLAIN, "the error"));
    assert_int_equal(diags.count, 201);
    wsk_diags_sort(&diags);
    assert_string_equal(diags.items[0].message, "the error");
    assert_non_null(strstr(diags.items[200].message, "and more"));
    for (int i = 0; i < 300; i++)
        wsk_diag_add(&diags, WSK_DIAG_ERROR, "r.xml", 1, 1, WSK_SAID(WSK_SAY_PLAIN, wsk_printf(arena, "e%d", i)));
    assert_int_equal(diags.count, 201);
    assert_int_equal(diags.errors, 301);
    for (size_t i = 0; i < 201; i++)
        assert_int_equal(diags.items[i].severity, WSK_DIAG_ERROR);
    wsk_arena_free(arena);
}

static void diags_cut_endless_messages_between_characters(void **state)
{
    (void)state;
    static char endless[100001];
    for (size_t i = 0; i + 2 < sizeof endless; i += 2)
        memcpy(endless + i, "\xC3\xA9", 2);
    wsk_arena *arena = wsk_arena_new();
    for (int shift = 0; shift < 2; shift++) {
        wsk_diags diags;
        wsk_diags_init(&diags, arena);
        wsk_diag_add(&diags, WSK_DIAG_ERROR, NULL, 0, 0,
                     WSK_SAID(WSK_SAY_PLAIN, wsk_printf(arena, "%s%s", shift ? "-" : "", endless)));
        const char *text = diags.items[0].message, *dots = strstr(text, "...");
        assert_non_null(dots);
        assert_int_equal((dots - text - shift) % 2, 0);
        assert_true(strlen(text) < 2000);
    }
    wsk_arena_free(arena);
}

static void buffer_appends_bytes_and_formats(void **state)
{
    (void)state;
    wsk_buf buf = {0};
    wsk_buf_put(&buf, NULL, 0);
    assert_string_equal(buf.data, "");
    wsk_buf_put(&buf, "a\0b", 3);
    assert_int_equal(buf.len, 3);
    for (int i = 0; i < 1000; i++)
        wsk_buf_printf(&buf, "%03d", i);
    assert_int_equal(buf.len, 3003);
    assert_memory_equal(buf.data, "a\0b000001", 9);
    assert_string_equal(buf.data + 3000, "999");
    wsk_buf_printf(&buf, "%70000d", 1);
    assert_int_equal(buf.len, 73003);
    assert_int_equal(strlen(buf.data + 3), 73000);
    wsk_buf_put(&buf, "x", SIZE_MAX - 4);
    assert_true(buf.failed);
    size_t len = buf.len;
    wsk_buf_put(&buf, "more", 4);
    wsk_buf_printf(&buf, "more");
    assert_int_equal(buf.len, len);
    assert_int_equal(buf.data[len], 0);
    wsk_buf_free(&buf);
    assert_null(buf.data);
    assert_false(buf.failed);
}

static void distance_counts_edits(void **state)
{
    (void)state;
    assert_int_equal(wsk_distance("", ""), 0);
    assert_int_equal(wsk_distance("", "abc"), 3);
    assert_int_equal(wsk_distance("kitten", "sitting"), 3);
    assert_int_equal(wsk_distance("Setpoint", "setpoint"), 0);
    assert_int_equal(wsk_distance("wrod", "word"), 1);
    /* Restricted edit distance: two letters that were swapped are not edited again. */
    assert_int_equal(wsk_distance("ca", "abc"), 3);
    assert_int_equal(wsk_distance("power-limit", "powerlimit"), 1);
    char a[200], b[200];
    memset(a, 'a', sizeof a - 1);
    memset(b, 'b', sizeof b - 1);
    a[199] = b[199] = '\0';
    assert_int_equal(wsk_distance(a, b), 64);
    static const char *const words[] = {"gpu", "cpu", "psu", "power", "power-limit", "p", "fan", ""};
    for (size_t i = 0; i < LEN(words); i++)
        for (size_t j = 0; j < LEN(words); j++) {
            size_t longer = strlen(words[i]) > strlen(words[j]) ? strlen(words[i]) : strlen(words[j]);
            assert_int_equal(wsk_distance(words[i], words[j]), wsk_distance(words[j], words[i]));
            assert_true(wsk_distance(words[i], words[j]) <= longer);
        }
}

static void nearest_suggests_only_near_words(void **state)
{
    (void)state;
    static const char *const list[] = {"capacity", "setpoint", "cop", "band", "gpu", "m", NULL};
    static const char *const none[] = {NULL};
    assert_string_equal(wsk_nearest("setpiont", list), "setpoint");
    assert_string_equal(wsk_nearest("CAPACTIY", list), "capacity");
    assert_string_equal(wsk_nearest("gp", list), "gpu");
    assert_null(wsk_nearest("temperature", list));
    assert_null(wsk_nearest("x", list));
    assert_null(wsk_nearest("", list));
    assert_null(wsk_nearest("cop", none));
    assert_string_equal(wsk_nearest("M", list), "m");
}

static void hash_gives_the_published_values(void **state)
{
    (void)state;
    assert_true(wsk_hash(0, "", 0) == UINT64_C(0xcbf29ce484222325));
    assert_true(wsk_hash(0, "a", 1) == UINT64_C(0xaf63dc4c8601ec8c));
    assert_true(wsk_hash(0, "foobar", 6) == UINT64_C(0x85944171f73967e8));
    assert_true(wsk_hash(1, "foobar", 6) != wsk_hash(2, "foobar", 6));
}

static void hash_goes_on_and_sees_every_byte(void **state)
{
    (void)state;
    assert_true(wsk_hash_more(wsk_hash_more(WSK_HASH_EMPTY, "foo", 3), "bar", 3) == wsk_hash(0, "foobar", 6));
    char bytes[] = "twenty-one bytes long";
    const uint64_t whole = wsk_hash_words(bytes, 21);
    for (size_t i = 0; i < 21; i++) { /* 21 bytes: two words of 8 bytes and 5 single bytes */
        bytes[i] ^= 1;
        assert_true(wsk_hash_words(bytes, 21) != whole);
        bytes[i] ^= 1;
    }
    assert_true(wsk_hash_words("a\0", 2) != wsk_hash_words("a", 1));
}

static void exp_is_within_a_few_roundings(void **state)
{
    (void)state;
    assert_same(wsk_exp(0), 1);
    assert_rel(wsk_exp(1), 2.718281828459045235360287, 3e-16);
    assert_rel(wsk_exp(-1), 0.3678794411714423215955238, 3e-16);
    for (int i = -50000; i <= 50000; i++) {
        double x = i * 1e-3 + wsk_random(5, (uint64_t)(i + 50000), 0) * 1e-3;
        assert_rel(wsk_exp(x), exp(x), 5e-16);
    }
    for (int i = -699; i < 700; i++)
        assert_rel(wsk_exp(i), exp(i), 5e-16);
    assert_true(isinf(wsk_exp(800)));
    assert_same(wsk_exp(-800), 0);
    assert_same(wsk_exp(-INFINITY), 0);
    assert_true(isnan(wsk_exp(NAN)));
    for (double x = -1e-3; x < 1e-3; x += 1e-7)
        assert_true(wsk_exp(x + 1e-7) > wsk_exp(x));
}

static void sum_keeps_what_rounding_drops(void **state)
{
    (void)state;
    wsk_sum s = {0};
    wsk_sum_add(&s, 1);
    wsk_sum_add(&s, 1e100);
    wsk_sum_add(&s, 1);
    wsk_sum_add(&s, -1e100);
    /* 1 + 1e100 + 1 - 1e100: Neumaier's summation gives the exact 2, Kahan's gives 0. */
    assert_same(wsk_sum_value(&s), 2);
    wsk_sum tenths = {0};
    for (int i = 0; i < 10000000; i++)
        wsk_sum_add(&tenths, 0.1);
    assert_near(wsk_sum_value(&tenths), 1e6, 2e-10);
}

static void random_is_uniform_and_depends_on_each_key(void **state)
{
    (void)state;
    enum { N = 100000, BINS = 20 };
    assert_same(wsk_random(7, 8, 9), wsk_random(7, 8, 9));
    assert_true(wsk_random(7, 8, 9) != wsk_random(7, 9, 8));
    for (int key = 0; key < 3; key++) {
        int bins[BINS] = {0};
        double mean = 0, lag = 0, last = 0.5;
        for (uint64_t i = 0; i < N; i++) {
            double x = wsk_random(key == 0 ? i : 1, key == 1 ? i : 2, key == 2 ? i : 3);
            assert_true(x >= 0 && x < 1);
            bins[(int)(x * BINS)]++;
            mean += x / N;
            lag += (x - 0.5) * (last - 0.5) / N;
            last = x;
        }
        double chi2 = 0;
        for (int b = 0; b < BINS; b++)
            chi2 += (bins[b] - N / (double)BINS) * (bins[b] - N / (double)BINS) / (N / (double)BINS);
        assert_true(chi2 < 43.8); /* 0.1 % point of the chi-square distribution with 19 degrees of freedom */
        assert_near(mean, 0.5, 4 * sqrt(1.0 / 12 / N));
        assert_near(lag, 0, 4 * (1.0 / 12) / sqrt(N));
    }
}

static void dates_agree_with_known_days(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t civil_s;
    } cases[] = {{"1970-01-01T00:00:00", 0},
                 {"1969-12-31T23:59:59", -1},
                 {"2000-02-29", 951782400},
                 {"2026-08-03T09:00:00", 1785747600},
                 {"2026-08-03T09:00", 1785747600},
                 {"2026-08-03", 1785715200},
                 {"0001-01-01", INT64_C(-62135596800)},
                 {"9999-12-31T23:59:59", INT64_C(253402300799)}};
    for (size_t i = 0; i < LEN(cases); i++) {
        int64_t s = 1;
        assert_true(wsk_parse_datetime(cases[i].text, &s));
        assert_true(s == cases[i].civil_s);
    }
}

static void dates_that_are_none_are_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {"",
                                      "2026",
                                      "2026-8-3",
                                      "2026-13-01",
                                      "2026-00-01",
                                      "2026-01-00",
                                      "2026-04-31",
                                      "2026-02-29",
                                      "1900-02-29",
                                      "0000-01-01",
                                      "2026-08-03T24:00:00",
                                      "2026-08-03T23:60:00",
                                      "2026-08-03T23:59:60",
                                      "2026-08-03 09:00:00",
                                      "2026-08-03T9:00",
                                      "2026-08-03T",
                                      "2026-08-03T09",
                                      "2026-08-03T09:00:00Z",
                                      "2026-08-03T09:00:",
                                      " 2026-08-03",
                                      "02026-08-03",
                                      "2026-08-03T09:00:00.5",
                                      "-026-08-03"};
    int64_t s = 42;
    for (size_t i = 0; i < LEN(bad); i++)
        assert_false(wsk_parse_datetime(bad[i], &s));
    assert_true(s == 42);
}

static void every_day_of_four_centuries_follows_its_predecessor(void **state)
{
    (void)state;
    int64_t first, s;
    assert_true(wsk_parse_datetime("1799-12-31T23:59:59", &first));
    char text[24], before[24] = "";
    for (int64_t day = 0; day <= 2 * 146097; day++) {
        wsk_format_datetime(text, first + day * 86400);
        assert_true(wsk_parse_datetime(text, &s));
        assert_true(s == first + day * 86400);
        assert_true(strcmp(text, before) > 0);
        memcpy(before, text, sizeof text);
    }
    assert_string_equal(text, "2599-12-31T23:59:59");
    wsk_format_datetime(text, INT64_MAX);
    assert_string_equal(text, "9999-12-31T23:59:59");
    wsk_format_datetime(text, INT64_MIN);
    assert_string_equal(text, "0000-01-01T00:00:00");
}

static void clock_never_goes_back(void **state)
{
    (void)state;
    double last = wsk_clock();
    assert_true(last > 0);
    for (int i = 0; i < 1000; i++) {
        double now = wsk_clock();
        assert_true(now >= last);
        last = now;
    }
}

static void statuses_and_version_have_text(void **state)
{
    (void)state;
    assert_string_equal(wsk_version(), WATTSINK_VERSION);
    assert_string_equal(wsk_status_text(WSK_OK), "ok");
    assert_string_equal(wsk_status_text(WSK_ENOMEM), "out of memory");
    assert_non_null(wsk_status_text((wsk_status)99));
}

#ifdef __SANITIZE_ADDRESS__
/* With the address sanitizer nothing may be read behind an allocation, nor in one that is dropped. */
static void arenas_are_sealed(void **state)
{
    (void)state;
    wsk_arena *arena = wsk_arena_new();
    for (size_t size = 1; size < 100; size++) {
        char *p = wsk_alloc(arena, size), *text = wsk_printf(arena, "%*s", (int)size, "");
        assert_false(__asan_address_is_poisoned(p + size - 1) || __asan_address_is_poisoned(text + size));
        assert_true(__asan_address_is_poisoned(p + size) && __asan_address_is_poisoned(text + size + 1));
        wsk_arena_drop(p, size);
        assert_true(__asan_address_is_poisoned(p));
    }
    wsk_arena_free(arena);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
#ifdef __SANITIZE_ADDRESS__
        cmocka_unit_test(arenas_are_sealed),
#endif
        cmocka_unit_test(arena_gives_zeroed_aligned_separate_memory),
        cmocka_unit_test(arena_refuses_impossible_sizes),
        cmocka_unit_test(arena_keeps_text),
        cmocka_unit_test(diags_sort_by_place_then_arrival),
        cmocka_unit_test(diags_are_bounded_and_prefer_errors),
        cmocka_unit_test(diags_cut_endless_messages_between_characters),
        cmocka_unit_test(buffer_appends_bytes_and_formats),
        cmocka_unit_test(distance_counts_edits),
        cmocka_unit_test(nearest_suggests_only_near_words),
        cmocka_unit_test(hash_gives_the_published_values),
        cmocka_unit_test(hash_goes_on_and_sees_every_byte),
        cmocka_unit_test(exp_is_within_a_few_roundings),
        cmocka_unit_test(sum_keeps_what_rounding_drops),
        cmocka_unit_test(random_is_uniform_and_depends_on_each_key),
        cmocka_unit_test(dates_agree_with_known_days),
        cmocka_unit_test(dates_that_are_none_are_refused),
        cmocka_unit_test(every_day_of_four_centuries_follows_its_predecessor),
        cmocka_unit_test(clock_never_goes_back),
        cmocka_unit_test(statuses_and_version_have_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
