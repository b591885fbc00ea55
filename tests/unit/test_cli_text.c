/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The source is included, because the command-line program has no library to link. */
#define _XOPEN_SOURCE 700
#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cli/kit/text.c"

void *wsk_cli_alloc(size_t size)
{
    return calloc(1, size);
}

static void test_wide_table(void **state)
{
    (void)state;
    enum { COLUMNS = 60, PAGE = 80 };
    static char text[4096];
    char *out = NULL, cell[16];
    size_t len = 0, n = 0;
    for (int row = 0; row < 2; row++) {
        n += (size_t)snprintf(text + n, sizeof text - n, "%-6s", row ? "gpu0" : "card");
        for (int i = 0; i < COLUMNS; i++)
            n += (size_t)snprintf(text + n, sizeof text - n, "  %11s%02d", row ? "v" : "c", i);
        n += (size_t)snprintf(text + n, sizeof text - n, "\n");
    }
    FILE *page = open_memstream(&out, &len);
    assert_non_null(page);
    wsk_cli_wrap(page, text, PAGE);
    assert_int_equal(fclose(page), 0);
    for (int i = 0; i < COLUMNS; i++) {
        snprintf(cell, sizeof cell, " c%02d", i);
        assert_non_null(strstr(out, cell));
        snprintf(cell, sizeof cell, " v%02d", i);
        assert_non_null(strstr(out, cell));
    }
    for (const char *line = out; *line; line += strcspn(line, "\n") + 1)
        assert_true(strcspn(line, "\n") <= PAGE);
    free(out);
}

/* A line of Japanese text must not begin with closing punctuation. */
static void test_japanese(void **state)
{
    (void)state;
    static const char text[] =
        "電源ユニット(PSU)の定格に対して最大で63%の負荷がかかります。コンセントとブレーカーの連続許容値、"
        "GPU温度、サーマルスロットリングの有無は、それぞれ次の表のとおりです。\n";
    for (int width = 20; width <= 90; width++) {
        char *out = NULL, joined[sizeof text] = "";
        size_t len = 0, n = 0;
        FILE *page = open_memstream(&out, &len);
        assert_non_null(page);
        wsk_cli_wrap(page, text, width);
        assert_int_equal(fclose(page), 0);
        for (const char *line = out; *line; line += strcspn(line, "\n") + 1) {
            size_t bytes = strcspn(line, "\n");
            assert_true(wsk_width_n(line, bytes) <= width);
            assert_true(strncmp(line, "。", 3) != 0 && strncmp(line, "、", 3) != 0 && *line != ')');
            memcpy(joined + n, line, bytes);
            n += bytes;
        }
        assert_int_equal(n, strlen(text) - 1);
        assert_memory_equal(joined, text, n);
        free(out);
    }
}

static void test_a_number_keeps_its_unit(void **state)
{
    (void)state;
    for (int width = 20; width <= 60; width++) {
        char *out = NULL;
        size_t len = 0;
        FILE *page = open_memstream(&out, &len);
        assert_non_null(page);
        wsk_cli_wrap(page, "消費電力は最大1440 Wで、電源ユニットの定格の63 %にあたり、温度は85.4 °Cです。\n", width);
        assert_int_equal(fclose(page), 0);
        assert_non_null(strstr(out, "1440 W"));
        assert_non_null(strstr(out, "63 %"));
        assert_non_null(strstr(out, "85.4 °C"));
        free(out);
    }
}

static void test_wide_table_of_japanese(void **state)
{
    (void)state;
    static const char text[] = "カード  温度     電力制限  ファン\n"
                               "gpu0    85.4 °C  350 W     80 %\n"
                               "gpu1    79.0 °C  280 W     65 %\n";
    char *out = NULL;
    size_t len = 0;
    FILE *page = open_memstream(&out, &len);
    assert_non_null(page);
    wsk_cli_wrap(page, text, 20);
    assert_int_equal(fclose(page), 0);
    assert_string_equal(out, "カード  温度\ngpu0    85.4 °C\ngpu1    79.0 °C\n\n"
                             "カード  電力制限\ngpu0    350 W\ngpu1    280 W\n\n"
                             "カード  ファン\ngpu0    80 %\ngpu1    65 %\n");
    free(out);
}

static char *wrapped(const char *text, int width)
{
    char *out = NULL;
    size_t len = 0;
    FILE *page = open_memstream(&out, &len);
    assert_non_null(page);
    wsk_cli_wrap(page, text, width);
    assert_int_equal(fclose(page), 0);
    return out;
}

static void test_brackets(void **state)
{
    (void)state;
    static const struct {
        const char *text, *wanted;
    } all[] = {{"wattsink run RIG.xml [--set PATH=VALUE]\n", "wattsink run RIG.xml\n[--set PATH=VALUE]\n"},
               {"wattsink run RIG.xml [--set PATH=VALUE\n", "wattsink run RIG.xml [--set\nPATH=VALUE\n"},
               {"run [--one two three four five six seven]\n", "run [--one two three four\nfive six seven]\n"},
               {"\n", "\n"},
               {"", ""},
               {"one  \ntwo", "one\ntwo\n"}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        char *out = wrapped(all[i].text, 28);
        assert_string_equal(out, all[i].wanted);
        free(out);
    }
}

/* A table ends before a line with a leading ".", and with one row there is none. */
static void test_ends_of_tables(void **state)
{
    (void)state;
    char *out = wrapped("card  aaaaaaa  bbbbbbb  ccccccc\ngpu0  1        2        3\n. note\n", 24);
    assert_string_equal(out, "card  aaaaaaa  bbbbbbb\ngpu0  1        2\n\ncard  ccccccc\ngpu0  3\n. note\n");
    free(out);
    out = wrapped("card  aaaaaaa  bbbbbbb  ccccccc\n\nmore\n", 24);
    assert_string_equal(out, "card  aaaaaaa  bbbbbbb\n      ccccccc\n\nmore\n");
    free(out);
}

static void test_terminals(void **state)
{
    (void)state;
    static const struct {
        const char *columns;
        int wanted;
    } sizes[] = {{"100", 100}, {"10000", 10000}, {"10001", 80}, {"0", 80}, {"-5", 80}, {"wide", 80}, {"", 80}};
    FILE *page = tmpfile();
    assert_non_null(page);
    int columns, rows;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        setenv("COLUMNS", sizes[i].columns, 1);
        setenv("LINES", sizes[i].columns, 1);
        wsk_cli_terminal_size(fileno(page), &columns, &rows);
        assert_int_equal(columns, sizes[i].wanted);
        assert_int_equal(rows, sizes[i].wanted == 80 ? 24 : sizes[i].wanted);
        assert_int_equal(wsk_cli_page(page, 7), sizes[i].wanted == 80 ? 7 : sizes[i].wanted);
    }
    setenv("COLUMNS", "5", 1);
    assert_int_equal(wsk_cli_page(page, 7), 20);
    unsetenv("COLUMNS");
    unsetenv("LINES");
    static const struct {
        const char *term, *no_color;
        bool dumb, colour;
    } kinds[] = {{"xterm", NULL, false, true}, {"xterm", "", false, true}, {"xterm", "1", false, false},
                 {"dumb", NULL, true, false},  {"", NULL, true, false},    {NULL, NULL, true, false}};
    const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        unsetenv("TERM");
        unsetenv("NO_COLOR");
        if (kinds[i].term)
            setenv("TERM", kinds[i].term, 1);
        if (kinds[i].no_color)
            setenv("NO_COLOR", kinds[i].no_color, 1);
        assert_int_equal(wsk_cli_dumb(), kinds[i].dumb);
        assert_false(wsk_cli_colour(fileno(page)));
        if (terminal >= 0 && isatty(terminal))
            assert_int_equal(wsk_cli_colour(terminal), kinds[i].colour);
    }
    if (terminal >= 0)
        close(terminal);
    fclose(page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wide_table),
        cmocka_unit_test(test_japanese),
        cmocka_unit_test(test_a_number_keeps_its_unit),
        cmocka_unit_test(test_wide_table_of_japanese),
        cmocka_unit_test(test_brackets),
        cmocka_unit_test(test_ends_of_tables),
        cmocka_unit_test(test_terminals),
    };
    setenv("LC_ALL", "C.UTF-8", 1); /* a UTF-8 locale, in which symbols are not replaced by ASCII */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
