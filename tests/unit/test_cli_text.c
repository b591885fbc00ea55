/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program's text tables. The sources are included here,
 * because the program has no library of its own. */
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
        cmocka_unit_test(test_wide_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
