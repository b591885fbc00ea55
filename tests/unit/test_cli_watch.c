/* SPDX-License-Identifier: GPL-3.0-or-later */
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
#include "cli/run/watch_past.c"
#include "cli/run/watch_sheet.c"
#include "cli/run/watch_event.c"
#include "tests/unit/assert.h"

typedef struct {
    wsk_rig *rig;
    wsk_run *run;
    wsk_watch_page page;
} watched;

/* `text` NULL: the rig is read from `path`. */
static void open_rig(watched *w, const char *path, const char *text, double to_s)
{
    memset(w, 0, sizeof *w);
    assert_int_equal(wsk_rig_load(&w->rig, &(wsk_rig_options){.path = path,
                                                              .text = text,
                                                              .text_len = text ? strlen(text) : 0,
                                                              .parts_dir = "parts"}),
                     WSK_OK);
    assert_int_equal(wsk_run_new(&w->run, w->rig, &(wsk_run_options){0}), WSK_OK);
    assert_int_equal(wsk_run_advance(w->run, to_s), WSK_OK);
    w->page.run = w->run;
    assert_int_equal(wsk_run_summary(&w->page.summary, w->run, 0), WSK_OK);
    w->page.speed = 3600;
    w->page.asked = 3600;
}

static void open_page(watched *w)
{
    open_rig(w, "tests/cli/two-cards.xml", NULL, 1800);
}

static void close_page(watched *w)
{
    wsk_summary_free(w->page.summary);
    wsk_run_free(w->run);
    wsk_rig_free(w->rig);
}

/* The page's text without escape sequences; the caller frees it. */
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
        /* True below the heading "history", where the scales depend on the width and words are not checked. */
        bool past = false;
        for (const char *p = text; *p;) {
            size_t line = strcspn(p, "\n");
            assert_true(line <= (size_t)columns);
            past = !strncmp(p, "history", 7) || (past && line && !strncmp(p, "gpu", 3));
            for (const char *word = past || !strncmp(p, "no room", 7) ? p + line : p; word < p + line;) {
                size_t n = strcspn(word, " \n");
                /* exceptions: bars, whose length follows the page's width, and event names, which a colon may
                 * follow */
                if (n && word[0] != '|' && word[0] != '.' && !has_word(whole, word, n) &&
                    strncmp(word, "throttle", n) != 0 && strncmp(word, "checkpoint", n) != 0) {
                    print_message("%d columns: '%.*s'\n", columns, (int)n, word);
                    fail();
                }
                word += n + strspn(word + n, " ");
            }
            p += line + (p[line] == '\n');
        }
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

static const char *line_of(const char *text, const char *start)
{
    const char *line = strstr(text, start);
    assert_true(line && (line == text || line[-1] == '\n'));
    return line;
}

static void test_history(void **state)
{
    (void)state;
    watched w;
    open_rig(&w, "tests/cli/two-cards.xml", NULL, 6 * 3600);
    char *text = drawn(&w, 100, 30);
    double low, high, least = INFINITY, most = -INFINITY;
    assert_int_equal(sscanf(line_of(text, "history"), "history %lf-%lf C", &low, &high), 2);
    for (size_t r = 0; r < wsk_run_series_rows(w.run); r++)
        for (int k = 0; k < 2; k++) {
            size_t i = find(w.run, k ? "gpu1" : "gpu0", WSK_VAR_CARD_DIE_C);
            double v = wsk_run_series_value(w.run, r, i, WSK_STAT_MAX);
            least = fmin(least, v), most = fmax(most, v);
            assert_true(wsk_run_series_value(w.run, r, i, WSK_STAT_MIN) <=
                        wsk_run_series_value(w.run, r, i, WSK_STAT_MEAN));
            assert_true(wsk_run_series_end(w.run, r) > (r ? wsk_run_series_end(w.run, r - 1) : 0));
        }
    assert_true(low >= least - 1 && high <= most + 1 && high > most - 1);
    /* after 6 h of a run of one day, a quarter of each strip is filled */
    const char *strip_of = strstr(text, "history");
    strip_of = strchr(strip_of, '\n') + 1;
    assert_int_equal(strncmp(strip_of, "gpu0", 4), 0);
    size_t blanks = strspn(strip_of + 4, " "), filled = strcspn(strip_of + 4 + blanks, " "),
           empty = strspn(strip_of + 4 + blanks + filled, " ");
    assert_true(filled >= (filled + empty) / 4 && filled <= (filled + empty) / 4 + 1);
    free(text);
    close_page(&w);
}

static void test_what_is_missing_is_told(void **state)
{
    (void)state;
    watched w;
    open_page(&w);
    char *text = drawn(&w, 200, 40);
    assert_null(strstr(text, "no room"));
    free(text);
    for (int i = 0; i < 20; i++) {
        char line[80];
        snprintf(line, sizeof line, "%d,card%d,throttle,hw_slowdown\n", 60 + i, i);
        wsk_watch_event_add(&w.page, line);
    }
    text = drawn(&w, 100, 24);
    line_of(text, "history");
    char told[60];
    snprintf(told, sizeof told, "no room: %zu of 20 events", 20 - count(text, "hw_slowdown"));
    line_of(text, told);
    free(text);
    text = drawn(&w, 100, 12);
    assert_null(strstr(text, "\nhistory"));
    assert_non_null(strstr(line_of(text, "no room: "), "history of 2 of 2 cards, "));
    free(text);
    text = drawn(&w, 40, 7);
    line_of(text, "no room: cards, history, events, values");
    free(text);
    close_page(&w);
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
    assert_true(strstr(text, "failure") > strstr(text, "sw_power_cap") &&
                strstr(text, "sw_power_cap") > strstr(text, "checkpoint"));
    assert_null(strstr(strstr(text, "failure"), "times"));
    free(text);
    for (int i = 0; i < 3 * WSK_WATCH_EVENTS; i++) {
        char line[80];
        snprintf(line, sizeof line, "%d,card%d,throttle,hw_slowdown\n", 200000 + i, i);
        wsk_watch_event_add(&w.page, line);
    }
    text = drawn(&w, 100, 60);
    assert_int_equal(count(text, "hw_slowdown"), WSK_WATCH_EVENTS);
    assert_null(strstr(text, "checkpoint"));
    free(text);
    const char *const odd[] = {"", "\n", "x,y,z,w\n", "12", "12,", ",,,,\n"};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
        wsk_watch_event_add(&w.page, odd[i]);
    close_page(&w);
}

/* An event and its end share a line only if they are of the same component, kind and reason. */
static void test_events_that_are_alike(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "1,gpu0,throttle,heat\n",       "2,gpu0,throttle ends,heat\n",    "3,gpu0,throttles,heat\n",
        "4,gpu0,throttle ends,power\n", "5,gpu1,throttle,heat\n",         "6,gpu0,trip,heat\n",
        "7,gpu0,throttle,heat\n",       "8,gpu0,throttle endless,heat\n", "9,gpu0,throttle ends,power\n"};
    static const size_t counts[] = {1, 1, 2, 3, 4, 5, 5, 6, 6};
    watched w;
    open_page(&w);
    w.page.n_events = 0;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        wsk_watch_event_add(&w.page, lines[i]);
        assert_int_equal(w.page.n_events, counts[i]);
        assert_true(fabs(w.page.events[w.page.n_events - 1].at_s - (double)(i + 1)) < 1e-9);
    }
    close_page(&w);
}

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
            /* below the heading "history", the lines of cards are strips of past values, not table rows */
            if (!strncmp(line, "履歴", strlen("履歴")))
                heads = -1;
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

#define RIG(name, site, inside) \
    "<rig name='" name "'>" site \
    "<chassis slots='12'><fan at='front' count='3' diameter='120 mm' pressure='20 Pa' flow='90 m3/h' " \
    "rpm='1500 rpm' power='2 W'/><psu kind='constant' rated='1600 W' efficiency='90 %'/>" inside \
    "</chassis><workload class='training'/><run for='1 d' step='1 s'/></rig>"
#define CARD(slot) "<gpu part='gpu/generic' slots='2' tdp='150 W' slot='" #slot "'/>"

static void test_low_pages(void **state)
{
    (void)state;
    static const char text[] = RIG("Six", "", CARD(1) CARD(3) CARD(5) CARD(7) CARD(9) CARD(11));
    watched w;
    open_rig(&w, "-", text, 60);
    for (int i = 0; i < 9; i++) {
        char line[80];
        snprintf(line, sizeof line, "%d,card%d,throttle,hw_slowdown\n", i, i);
        wsk_watch_event_add(&w.page, line);
    }
    for (int rows = 1; rows <= 30; rows++) {
        char *page = drawn(&w, 100, rows), name[8], *past = strstr(page, "\nhistory"),
             *told = strstr(page, "no room: ");
        size_t cards = 0, missing = 0, of = 6;
        int end = 0;
        if (told && (sscanf(told, "no room: %zu of %zu cards%n", &missing, &of, &end) < 2 || !end))
            missing = 0, of = 6;
        for (int k = 0; k < 6; k++) {
            snprintf(name, sizeof name, "\ngpu%d ", k);
            const char *line = strstr(page, name);
            cards += line && (!past || line < past);
        }
        assert_int_equal(count(page, "\n"), rows - 1);
        assert_non_null(strstr(strrchr(page, '\n') ? strrchr(page, '\n') : page, "q quit"));
        if (rows > 1)
            assert_int_equal(cards + missing, 6);
        assert_int_equal(of, 6);
        if (rows >= 16)
            assert_int_equal(cards, 6);
        free(page);
    }
    close_page(&w);
}

static void test_what_a_rig_lacks(void **state)
{
    (void)state;
    watched w;
    open_rig(&w, "-", RIG("Bare", "", ""), 60);
    char *page = drawn(&w, 100, 30);
    assert_non_null(strstr(page, "wall "));
    assert_null(strstr(page, " W of "));
    assert_null(strstr(page, "cost"));
    assert_null(strstr(page, "limited by"));
    free(page);
    close_page(&w);
}

/* The clock of a card whose power is given is not known unless the clock is given as well. */
static void test_clocks_that_are_not_known(void **state)
{
    (void)state;
    static const char half[] =
        RIG("Half", "", "<gpu part='gpu/generic' slot='1' tdp='150 W' power='111 W'/>" CARD(5)),
                      none[] = RIG("None", "", "<gpu part='gpu/generic' slot='1' tdp='150 W' power='111 W'/>"),
                      given[] = RIG("Both", "",
                                    "<gpu part='gpu/generic' slot='1' tdp='150 W' power='111 W' clock='987 MHz'/>");
    watched w;
    open_rig(&w, "-", half, 600);
    char *page = drawn(&w, 120, 40), *row = strstr(page, "\ngpu0");
    assert_non_null(strstr(row, "     -   111"));
    double clock = 0;
    char text[16];
    assert_int_equal(wsk_run_get(w.run, "gpu1.clock_mhz", &clock), WSK_OK);
    snprintf(text, sizeof text, " %.0f ", clock);
    assert_non_null(strstr(strstr(page, "\ngpu1"), text));
    assert_int_equal(wsk_run_get(w.run, "gpu0.clock_mhz", &clock), WSK_OK);
    snprintf(text, sizeof text, "%.0f-", clock);
    assert_null(strstr(page, text));
    free(page);
    close_page(&w);
    open_rig(&w, "-", none, 600);
    page = drawn(&w, 120, 40);
    assert_non_null(strstr(page, "  MHz"));
    assert_null(strstr(page, "nan"));
    assert_null(strstr(page, "-1 MHz"));
    free(page);
    close_page(&w);
    open_rig(&w, "-", given, 600);
    page = drawn(&w, 120, 40);
    assert_non_null(strstr(page, "   987   111"));
    free(page);
    close_page(&w);
}

/* In names from the rig file each character that the terminal cannot show is printed as "?", so that a name cannot
 * contain escape sequences. */
static void test_colour_and_characters(void **state)
{
    (void)state;
    static const char text[] =
        RIG("B\xc3\xbcro", "<site supply='100 V' circuit='1 A'><tariff price='1e7 EUR/kWh'/></site>", CARD(1));
    watched w;
    open_rig(&w, "-", text, 20);
    wsk_watch_event_add(&w.page, "10,ev\x1bil\x7f,throttle,hw_slowdown\n");
    char *page = drawn(&w, 100, 30);
    assert_non_null(strstr(page, "B?ro"));
    assert_non_null(strstr(page, "ev?il?"));
    const char *cost = strstr(page, "cost ");
    assert_non_null(cost);
    cost += strlen("cost ");
    assert_true(strspn(cost, "0123456789") >= 4 && strncmp(cost + strspn(cost, "0123456789"), " EUR", 4) == 0);
    assert_non_null(strstr(page, " C"));
    free(page);
    size_t len;
    char *plain = wsk_watch_draw(&w.page, &len);
    assert_null(strstr(plain, "\x1b[31m"));
    free(plain);
    w.page.colour = w.page.utf8 = true;
    char *colours = wsk_watch_draw(&w.page, &len);
    const char *wall = strstr(colours, "wall ");
    assert_non_null(wall);
    assert_int_equal(strncmp(wall + strlen("wall "), "\x1b[0m\x1b[31m", 9), 0);
    assert_non_null(strstr(colours, "B\xc3\xbcro"));
    assert_non_null(strstr(colours, "\xc2\xb0"));
    free(colours);
    close_page(&w);
}

static void test_speeds(void **state)
{
    (void)state;
    watched w;
    open_page(&w);
    char *page = drawn(&w, 120, 30);
    assert_non_null(strstr(page, "3600 x real time"));
    assert_non_null(strstr(page, " left"));
    assert_non_null(strstr(page, "space pause"));
    assert_non_null(strstr(page, "f full speed"));
    assert_non_null(strstr(page, "speed: 1 h per second"));
    free(page);
    w.page.paused = w.page.free = true;
    page = drawn(&w, 120, 30);
    assert_non_null(strstr(page, "paused"));
    assert_non_null(strstr(page, "space resume"));
    assert_non_null(strstr(page, "f set speed"));
    assert_non_null(strstr(page, "as fast as possible"));
    assert_true(!strstr(page, "x real time") && !strstr(page, " left"));
    free(page);
    w.page.paused = w.page.free = false;
    w.page.speed = 0;
    page = drawn(&w, 120, 30);
    assert_true(!strstr(page, "paused") && !strstr(page, "x real time") && !strstr(page, " left"));
    free(page);
    close_page(&w);
}

static void test_loops_and_reasons(void **state)
{
    (void)state;
    watched w;
    open_rig(&w, "scenarios/water-3090/rig.xml", NULL, 60);
    char *page = drawn(&w, 120, 40);
    assert_non_null(strstr(page, "coolant "));
    assert_non_null(strstr(page, " l/min"));
    free(page);
    close_page(&w);
    open_rig(&w, "tests/cli/hot.xml", NULL, 7000);
    page = drawn(&w, 120, 40);
    double held = 0;
    assert_int_equal(wsk_run_get(w.run, "gpu0.throttle_memory", &held), WSK_OK);
    assert_true(held > 0);
    assert_non_null(strstr(strstr(page, "\ngpu0"), "memory"));
    free(page);
    close_page(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_narrow_pages_keep_whole_words),
                                       cmocka_unit_test(test_history),
                                       cmocka_unit_test(test_what_is_missing_is_told),
                                       cmocka_unit_test(test_wide_characters),
                                       cmocka_unit_test(test_low_pages),
                                       cmocka_unit_test(test_what_a_rig_lacks),
                                       cmocka_unit_test(test_clocks_that_are_not_known),
                                       cmocka_unit_test(test_colour_and_characters),
                                       cmocka_unit_test(test_speeds),
                                       cmocka_unit_test(test_loops_and_reasons),
                                       cmocka_unit_test(test_what_comes_and_goes_has_one_line),
                                       cmocka_unit_test(test_events_that_are_alike)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
