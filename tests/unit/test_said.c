/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "tests/unit/assert.h"
#include "sim/base/said.h"

static void assert_renders(const char *text, const wsk_arg *args, int count, const char *expected)
{
    wsk_buf out = {0};
    wsk_buf_put(&out, "", 0);
    wsk_render(&out, text, args, count, NULL, NULL);
    assert_string_equal(out.data, expected);
    wsk_buf_free(&out);
}

static void test_arguments_stand_anywhere(void **state)
{
    (void)state;
    const wsk_arg args[] = {WSK_ARG("gpu0"), WSK_ARG(85.4), WSK_ARG(7), WSK_ARG((size_t)3)};
    assert_renders("%1$s: %2$.1f °C", args, 4, "gpu0: 85.4 °C");
    assert_renders("%2$.0f at %1$s and %1$s", args, 4, "85 at gpu0 and gpu0");
    assert_renders("%s %.2f %d", args, 4, "gpu0 85.40 7");
    assert_renders("%3$02d:%4$02d", args, 4, "07:03");
    assert_renders("%2$s %2$d %2$.3g %3$6.1f|", args, 4, "85.4 85 85.4    7.0|");
    assert_renders("", args, 4, "");
    assert_renders("100 %% of %1$s%%", args, 4, "100 % of gpu0%");
    assert_renders("50 %", args, 4, "50 %");
}

/* The width in a placeholder counts terminal columns, not bytes: two Japanese characters have a width of four. */
static void test_columns(void **state)
{
    (void)state;
    const wsk_said said = {WSK_SAY_PLAIN, 1, (const wsk_arg[]){WSK_ARG("fan")}};
    const wsk_arg args[] = {WSK_ARG("gpu"), WSK_ARG("電力"), WSK_WORD("log"), WSK_ARG(&said)};
    assert_renders("%1$-5s|%2$-5s|%3$-5s|%4$-5s|", args, 4, "gpu  |電力 |log  |fan  |");
    assert_renders("%1$5s|%2$5s|", args, 4, "  gpu| 電力|");
    assert_renders("%1$-2s|%2$-2s|", args, 4, "gpu|電力|");
}

static void test_templates_that_ask_for_too_much(void **state)
{
    (void)state;
    const wsk_arg args[] = {WSK_ARG("a")};
    assert_renders("%2$s and %1$s", args, 1, "? and a");
    assert_renders("%0$s %99$s %s", args, 1, "? ? ?");
    assert_renders("%1$n %1$", args, 1, "%1$n %1$");
    assert_renders("%1$999999999999999999d", args, 1, "%1$999999999999999999d");
    assert_renders("%1$.1f", args, 1, "a");
    assert_renders("%1$s", NULL, 0, "?");
    assert_renders("no place for it", args, 1, "no place for it");
}

static void test_numbers(void **state)
{
    (void)state;
    const wsk_arg args[] = {WSK_ARG(-2.6), WSK_ARG(1e300), WSK_ARG(INFINITY)};
    assert_renders("%1$d %1$.0f %1$+.1f", args, 3, "-3 -3 −2.6");
    assert_renders("%2$.3g %3$.0f", args, 3, "1e+300 inf");
    wsk_buf out = {0};
    wsk_render(&out, "%2$.0f", args, 3, NULL, NULL);
    assert_int_equal(out.len, 301);
    wsk_buf_free(&out);
}

static void test_long_texts_end_with_a_whole_character(void **state)
{
    (void)state;
    const wsk_arg args[] = {WSK_ARG("größe")};
    assert_renders("<%1$.3s>", args, 1, "<gr>");
    assert_renders("<%1$.4s>", args, 1, "<grö>");
    assert_renders("<%1$.60s>", args, 1, "<größe>");
}

/* A test language: each English text is translated to itself in brackets. */
static const char *bracketed(const void *language, const char *english)
{
    wsk_arena *const *arena = language;
    return wsk_printf(*arena, "[%s]", english);
}

static void test_messages(void **state)
{
    (void)state;
    wsk_arena *arena = wsk_arena_new();
    const wsk_said *hint = WSK_SAY(arena, WSK_SAY_MEANT, "gpu0");
    const wsk_said *none = NULL;
    const wsk_said *said = WSK_SAY(arena, WSK_SAY_NO_SUCH_SEASON, "winter", hint);
    const char *english = wsk_said_english(arena, said);
    assert_non_null(strstr(english, "\"winter\""));
    assert_non_null(strstr(english, "; did you mean \"gpu0\""));
    assert_null(strstr(wsk_said_english(arena, WSK_SAID(WSK_SAY_NO_SUCH_SEASON, "winter", none)), "did you mean"));
    wsk_buf out = {0};
    wsk_said_write(&out, said, bracketed, &arena);
    assert_non_null(strstr(out.data, "[; did you mean \"gpu0\"]"));
    assert_int_equal(out.data[0], '[');
    wsk_buf_free(&out);
    wsk_said_write(&out, WSK_SAID(WSK_SAY_SETTING, "a", WSK_WORD("b")), bracketed, &arena);
    assert_string_equal(out.data, "[setting a: [b]]");
    wsk_buf_free(&out);
    wsk_arena_free(arena);
}

static void test_english_of_files_is_ascii(void **state)
{
    (void)state;
    wsk_arena *arena = wsk_arena_new();
    const char *text = wsk_said_english(arena, WSK_SAID(WSK_SAY_LOOP_CONDENSES, 12.0, 14.5));
    assert_non_null(strstr(text, "12.0 degC"));
    for (const char *c = text; *c; c++)
        assert_true(*c > 0);
    assert_string_equal(wsk_said_english(arena, WSK_SAID(WSK_SAY_PLAIN, "größe °C")), "größe °C");
    wsk_arena_free(arena);
}

static void render_with(wsk_buf *out, wsk_code code, int changed)
{
    wsk_arg args[10];
    for (int k = 0; k < 10; k++)
        args[k] = wsk_arg_number(k == changed ? 7000 + k : 40 + k);
    wsk_render(out, wsk_code_english(code), args, 10, NULL, NULL);
}

static void test_codes(void **state)
{
    (void)state;
    static const int counts[] = {
#define WSK_CODE(name, args, code, english) args,
#include "sim/base/codes.def"
#undef WSK_CODE
    };
    for (int i = 0; i < WSK_SAY_COUNT_; i++) {
        const char *name = wsk_code_name((wsk_code)i);
        assert_int_equal(strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-."), strlen(name));
        for (int k = 0; k < i; k++)
            assert_string_not_equal(name, wsk_code_name((wsk_code)k));
        wsk_buf out = {0}, other = {0};
        render_with(&out, (wsk_code)i, -1);
        for (int k = 0; k < 10; k++) {
            wsk_buf_free(&other);
            render_with(&other, (wsk_code)i, k);
            if ((strcmp(out.data, other.data) != 0) != (k < counts[i]))
                fail_msg("%s takes %d arguments: %s", name, counts[i], wsk_code_english((wsk_code)i));
        }
        wsk_buf_free(&other);
        wsk_buf_free(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arguments_stand_anywhere),
        cmocka_unit_test(test_templates_that_ask_for_too_much),
        cmocka_unit_test(test_columns),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_long_texts_end_with_a_whole_character),
        cmocka_unit_test(test_messages),
        cmocka_unit_test(test_english_of_files_is_ascii),
        cmocka_unit_test(test_codes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
