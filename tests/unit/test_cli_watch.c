/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page of run --watch at any terminal size: words are never cut, and recurring events are shown once. */
#define _XOPEN_SOURCE 700
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cli/kit/files.c"
#include "cli/kit/json.c"
#include "cli/run/watch_page.c"
#include "cli/run/watch_event.c"
#include "tests/unit/assert.h"

typedef struct {
    wsk_rig *rig;
    wsk_run *run;
    wsk_watch_page page;
} watched;

static void open_page(watched *w)
{
    memset(w, 0, sizeof *w);
    assert_int_equal(
        wsk_rig_load(&w->rig, &(wsk_rig_options){.path = "tests/cli/two-cards.xml", .parts_dir = "parts"}), WSK_OK);
    assert_int_equal(wsk_run_new(&w->run, w->rig, &(wsk_run_options){0}), WSK_OK);
    assert_int_equal(wsk_run_advance(w->run, 1800), WSK_OK);
    w->page.run = w->run;
    assert_int_equal(wsk_run_summary(&w->page.summary, w->run, 0), WSK_OK);
    w->page.speed = 3600;
    w->page.asked = 3600;
}

static void close_page(watched *w)
{
    wsk_summary_free(w->page.summary);
    wsk_run_free(w->run);
    wsk_rig_free(w->rig);
}

/* Returns the page's text without escape sequences; the caller frees it. */
static char *drawn(watched *w, int columns, int rows)
{
    size_t len;
    w->page.columns = columns;
    w->page.rows = rows;
    char *text = wsk_watch_draw(&w->page, &len), *to = text;
    for (const char *p = text; *p; p++) {
        if (*p == '\x1b')
            p += strcspn(p, "HKm");
        else if (*p != '\r')
            *to++ = *p;
    }
    *to = '\0';
    return text;
}

static bool has_word(const char *text, const char *word, size_t len)
{
    for (const char *p = text; *p;) {
        size_t n = strcspn(p, " \n");
        if (n == len && !strncmp(p, word, len))
            return true;
        p += n + strspn(p + n, " \n");
    }
    return false;
}

static void test_narrow_pages_keep_whole_words(void **state)
{
    (void)state;
    watched w;
    open_page(&w);
    wsk_watch_event_add(&w.page, "60,gpu0,throttle,sw_thermal_slowdown\n");
    wsk_watch_event_add(&w.page, "90,workload,checkpoint,schedule\n");
    char *whole = drawn(&w, 200, 40);
    for (int columns = 20; columns < 200; columns += columns < 90 ? 1 : 13) {
        char *text = drawn(&w, columns, 40);
        for (const char *p = text; *p;) {
            size_t line = strcspn(p, "\n");
            assert_true(line <= (size_t)columns);
            for (const char *word = p; word < p + line;) {
                size_t n = strcspn(word, " \n");
                /* exceptions: bars, whose length follows the page's width, and events, which a colon may follow */
                if (n && word[0] != '|' && word[0] != '.' && !has_word(whole, word, n) &&
                    strncmp(word, "throttle", n) != 0 && strncmp(word, "checkpoint", n) != 0) {
                    print_message("%d columns: '%.*s'\n", columns, (int)n, word);
                    fail();
                }
                word += n + strspn(word + n, " ");
            }
            p += line + (p[line] == '\n');
        }
        /* each card's power is kept on any page of 24 columns or more */
        if (columns >= 24)
            assert_true(has_word(text, "W", 1) && has_word(text, "gpu1", 4));
        free(text);
    }
    free(whole);
    close_page(&w);
}

static size_t count(const char *text, const char *what)
{
    size_t n = 0;
    while ((text = strstr(text, what)) != NULL)
        n++, text += strlen(what);
    return n;
}

static void test_what_comes_and_goes_has_one_line(void **state)
{
    (void)state;
    watched w;
    open_page(&w);
    for (int hour = 1; hour <= 50; hour++) {
        char line[80];
        snprintf(line, sizeof line, "%d,workload,checkpoint,schedule\n", 3600 * hour);
        wsk_watch_event_add(&w.page, line);
        snprintf(line, sizeof line, "%d,workload,checkpoint ends,schedule\n", 3600 * hour + 60);
        wsk_watch_event_add(&w.page, line);
        snprintf(line, sizeof line, "%d,gpu1,throttle,sw_power_cap\n", 3600 * hour + 90);
        wsk_watch_event_add(&w.page, line);
    }
    wsk_watch_event_add(&w.page, "180200,fan0,failure,\n");
    char *text = drawn(&w, 100, 40);
    assert_int_equal(count(text, "checkpoint"), 1);
    assert_int_equal(count(text, "sw_power_cap"), 1);
    assert_non_null(strstr(text, "workload  checkpoint ends: schedule  (50 times)"));
    assert_non_null(strstr(text, "gpu1  throttle: sw_power_cap  (50 times)"));
    /* the newest event is listed last; an event that occurred once has no count */
    assert_true(strstr(text, "failure") > strstr(text, "sw_power_cap") &&
                strstr(text, "sw_power_cap") > strstr(text, "checkpoint"));
    assert_null(strstr(strstr(text, "failure"), "times"));
    free(text);
    /* events of other cards have lines of their own; when the list is full, the oldest are dropped */
    for (int i = 0; i < 3 * WSK_WATCH_EVENTS; i++) {
        char line[80];
        snprintf(line, sizeof line, "%d,card%d,throttle,hw_slowdown\n", 200000 + i, i);
        wsk_watch_event_add(&w.page, line);
    }
    text = drawn(&w, 100, 60);
    assert_int_equal(count(text, "hw_slowdown"), WSK_WATCH_EVENTS);
    assert_null(strstr(text, "checkpoint"));
    free(text);
    /* malformed event lines are ignored */
    const char *const odd[] = {"", "\n", "x,y,z,w\n", "12", "12,", ",,,,\n"};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
        wsk_watch_event_add(&w.page, odd[i]);
    close_page(&w);
}

/* In Japanese, events are translated, no line is wider than the terminal, and in the table of cards the power column is aligned with its
 * heading. */
static void test_wide_characters(void **state)
{
    (void)state;
    watched w;
    open_page(&w);
    w.page.utf8 = true;
    wsk_cli_lang = WSK_JA;
    wsk_watch_event_add(&w.page, "90,workload,checkpoint,schedule\n");
    char *whole = drawn(&w, 200, 40);
    assert_non_null(strstr(whole, "workload  チェックポイント: スケジュール"));
    free(whole);
    for (int columns = 20; columns < 200; columns += 7) {
        char *text = drawn(&w, columns, 40);
        int heads = -1, rows = 0;
        for (const char *p = text; *p; p += strcspn(p, "\n"), p += *p == '\n') {
            size_t len = strcspn(p, "\n");
            char *line = wsk_cli_format("%.*s", (int)len, p), *watts = strstr(line, "     W");
            assert_true(wsk_width(line) <= columns);
            if (!strncmp(line, "カード", strlen("カード")) && watts)
                heads = wsk_width_n(line, (size_t)(watts - line) + 6);
            if (!strncmp(line, "gpu", 3) && heads > 0 && !strstr(line, "%")) {
                int width = wsk_width(line);
                assert_true(width == heads || strstr(line, "電力") || strstr(line, "熱"));
                rows++;
            }
            free(line);
        }
        assert_true(columns < 30 || rows == 2);
        free(text);
    }
    wsk_cli_lang = WSK_EN;
    close_page(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_narrow_pages_keep_whole_words),
                                       cmocka_unit_test(test_wide_characters),
                                       cmocka_unit_test(test_what_comes_and_goes_has_one_line)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
