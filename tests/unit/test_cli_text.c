/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program's readers of JSON, resolved XML and numbers, and its text tables. The sources are included here,
 * because the program has no library of its own. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cli/kit/json.c"
#include "cli/kit/text.c"

static const char JSON[] =
    "{ \"rig\": \"a \\\"b\\\" \\\\ {[,\", \"n\": -12.5e-3, \"null\": null,\n"
    "  \"deep\": { \"list\": [ 1, { \"id\": \"x\", \"v\": [2.385, []] }, \"t\" ], \"n\": 7 },\n"
    "  \"empty\": [], \"last\": 604800 }";

void *wsk_cli_alloc(size_t size)
{
    return calloc(1, size);
}

static void assert_number(double value, double expected)
{
    assert_true(fabs(value - expected) <= 1e-15 * fabs(expected));
}

static void test_paths(void **state)
{
    (void)state;
    assert_number(wsk_json_number(JSON, "n"), -12.5e-3);
    assert_number(wsk_json_number(JSON, "deep.n"), 7);
    assert_number(wsk_json_number(JSON, "deep.list[0]"), 1);
    assert_number(wsk_json_number(JSON, "deep.list[1].v[0]"), 2.385);
    assert_number(wsk_json_number(JSON, "last"), 604800);
    assert_int_equal(wsk_json_count(JSON, "deep.list"), 3);
    assert_int_equal(wsk_json_count(JSON, "empty"), 0);
    assert_int_equal(wsk_json_count(JSON, "nowhere"), 0);
}

static void test_absent(void **state)
{
    (void)state;
    static const char *const paths[] = {"null", "nowhere", "deep.nowhere", "deep.list[3]", "rig", "n.x", "empty[0]"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        assert_true(isnan(wsk_json_number(JSON, paths[i])));
}

static void test_text(void **state)
{
    (void)state;
    char out[16];
    assert_true(wsk_json_text(JSON, "rig", out, sizeof out));
    assert_string_equal(out, "a \"b\" \\ {[,");
    assert_true(wsk_json_text(JSON, "deep.list[1].id", out, sizeof out));
    assert_string_equal(out, "x");
    assert_false(wsk_json_text(JSON, "rig", out, 5));
    assert_false(wsk_json_text(JSON, "n", out, sizeof out));
}

/* Text truncated anywhere is never read past its end. */
static void test_truncated(void **state)
{
    (void)state;
    static const char *const paths[] = {"last", "deep.list[2]", "rig", "deep.list[1].v[1]"};
    char cut[sizeof JSON], out[64];
    for (size_t len = 0; len < sizeof JSON; len++) {
        memcpy(cut, JSON, len);
        cut[len] = '\0';
        for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
            (void)wsk_json_number(cut, paths[i]);
            (void)wsk_json_text(cut, paths[i], out, sizeof out);
            (void)wsk_json_count(cut, paths[i]);
        }
    }
}

/* A table of up to 60 columns of any width is divided into parts: each cell appears in one part, and no part is wider
 * than the page. */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wide_table), cmocka_unit_test(test_paths),     cmocka_unit_test(test_absent),
        cmocka_unit_test(test_text),       cmocka_unit_test(test_truncated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
