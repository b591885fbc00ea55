/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Logs that are cut at any byte, or have one wrong byte: the values that are read are finite, and those of a cut log
 * are values of the whole log. */
#include <stdlib.h>

#include "sim/log/sweep.h"
#include "tests/unit/log_samples.h"
#include "tests/unit/log_text.h"

/* Each series has finite values at rising times. A log from which nothing was read says why. */
static void check_sound(const wsk_log *log, wsk_status status, const char *text, size_t at)
{
    size_t values = wsk_log_wall(log).count;
    for (size_t card = 0; card < wsk_log_cards(log); card++)
        for (int q = 0; q < WSK_LOG_QUANTITIES; q++) {
            const wsk_log_series s = wsk_log_of(log, card, (wsk_log_quantity)q);
            values += s.count;
            for (size_t i = 0; i < s.count; i++)
                if (!isfinite(s.value[i]) || !isfinite(s.t_s[i]) || (i && !(s.t_s[i] > s.t_s[i - 1])))
                    fail_msg("'%.60s', byte %zu: sample %zu of quantity %d is %g at %g s", text, at, i, q, s.value[i],
                             s.t_s[i]);
        }
    if (status == WSK_EINPUT) {
        int severity = 2, line, column, errors = 0;
        for (size_t i = 0; i < wsk_log_messages(log); i++) {
            (void)wsk_log_message(log, i, &severity, &line, &column);
            errors += severity == 0;
        }
        if (!errors)
            fail_msg("'%.60s', byte %zu: nothing was read, without an error", text, at);
    } else if (status != WSK_OK || !values) {
        fail_msg("'%.60s', byte %zu: status %s with %zu values", text, at, wsk_status_text(status), values);
    }
}

/* Checks that each value of the cut log is that of the whole log, except the last of each series, whose number may be
 * cut. */
static void check_part(const wsk_log *cut, const wsk_log *whole, const char *text, size_t at)
{
    if (strcmp(wsk_log_format(cut), wsk_log_format(whole)) != 0)
        return;
    for (size_t card = 0; card < wsk_log_cards(cut); card++) {
        size_t same = 0;
        while (same < wsk_log_cards(whole) && strcmp(wsk_log_card(whole, same), wsk_log_card(cut, card)) != 0)
            same++;
        for (int q = 0; q < WSK_LOG_QUANTITIES && same < wsk_log_cards(whole); q++) {
            const wsk_log_series a = wsk_log_of(cut, card, (wsk_log_quantity)q),
                                 b = wsk_log_of(whole, same, (wsk_log_quantity)q);
            for (size_t i = 0; i + 1 < a.count; i++)
                if (i >= b.count || a.value[i] != b.value[i])
                    fail_msg("'%.60s', cut at %zu: sample %zu of quantity %d is %g", text, at, i, q, a.value[i]);
        }
    }
}

static void cut_logs_give_less(void **state)
{
    (void)state;
    for (size_t k = 0; k < WSK_LOG_SAMPLE_COUNT; k++) {
        const char *text = log_samples[k];
        const size_t len = strlen(text);
        wsk_log *whole = NULL;
        const wsk_status status = wsk_log_read(&whole, "whole.log", text, len);
        check_sound(whole, status, text, len);
        for (size_t at = 0; at < len; at++) {
            char *part = malloc(at ? at : 1); /* exact size, so that a sanitizer reports a read beyond it */
            wsk_log *cut = NULL;
            assert_non_null(part);
            memcpy(part, text, at);
            const wsk_status got = wsk_log_read(&cut, "cut.log", part, at);
            check_sound(cut, got, text, at);
            if (status == WSK_OK)
                check_part(cut, whole, text, at);
            wsk_log_free(cut);
            free(part);
        }
        wsk_log_free(whole);
    }
}

static void a_wrong_byte_gives_no_wrong_numbers(void **state)
{
    (void)state;
    static const char wrong[] = {'\0', '\x80', '"', ',', ';', '\n', '{', '}', ' ', '-', '9', '='};
    for (size_t k = 0; k < WSK_LOG_SAMPLE_COUNT; k++) {
        const size_t len = strlen(log_samples[k]);
        char *text = malloc(len + 1);
        assert_non_null(text);
        memcpy(text, log_samples[k], len + 1);
        for (size_t at = 0; at < len; at++)
            for (size_t w = 0; w < sizeof wrong; w++) {
                wsk_log *log = NULL;
                text[at] = wrong[w];
                const wsk_status status = wsk_log_read(&log, "wrong.log", text, len);
                check_sound(log, status, log_samples[k], at);
                wsk_log_free(log);
                text[at] = log_samples[k][at];
            }
        free(text);
    }
}

/* ---- sweeps ---- */

static const char *const sweeps[] = {
    ("# by hand\npower.limit [W],power.draw [W],clocks.sm [MHz],tokens_per_s,temperature.gpu\n"
     "150.00, 150.30, 982, 39.2, 53\n285.00, 286.29, 2323, 60.4, 69\n"),
    "power.limit [W];power.draw [W];clocks.sm [MHz]\r\n150,00;150,30;982\r\n285,00;286,29;2323\r\n",
    "power.limit\tpower.draw\ttemperature.gpu\n150 W\t150.3 W\t53 C\n\n285 W\t[N/A]\t69 C\n200 W\t201 W\t60 C\n",
    "\xEF\xBB\xBF\"clocks.sm [MHz]\",\"power.draw [W]\"\n\"982\",\"150.3\"\n\"2323\",\"286.29\"\n"};

/* Checks that values of rows are positive or NaN, that each row has a setting (limit, lock or power) and a result
 * (power, clock or work), and that a refused sweep has an error. Each message has a line of the text. */
static void check_sweep(const char *text, size_t len, size_t at)
{
    wsk_limits *sweep = NULL;
    size_t n = 0, errors = 0;
    const wsk_status status = wsk_limits_read(&sweep, "sweep.csv", text, len);
    const wsk_calibrate_row *rows = wsk_limits_rows(sweep, &n);
    for (size_t i = 0; i < wsk_limits_messages(sweep); i++) {
        int severity, line, column;
        assert_true(*wsk_said_code(wsk_limits_message(sweep, i, &severity, &line, &column)));
        assert_true(line >= 1 && (size_t)line <= len + 1);
        errors += severity == 0;
    }
    if (status != (errors ? WSK_EINPUT : WSK_OK) || (status == WSK_OK && n < 2))
        fail_msg("'%.40s', byte %zu: status %s with %zu rows and %zu errors", text, at, wsk_status_text(status), n,
                 errors);
    for (size_t i = 0; i < n && status == WSK_OK; i++) {
        const wsk_calibrate_row *r = &rows[i];
        assert_false(r->limit_w <= 0 || r->lock_hz <= 0 || r->drawn_w <= 0 || r->clock_hz <= 0 || r->work <= 0 ||
                     r->die_k <= 0);
        assert_false(isnan(r->limit_w) && isnan(r->lock_hz) && isnan(r->drawn_w));
        assert_false(isnan(r->drawn_w) && isnan(r->clock_hz) && isnan(r->work));
    }
    wsk_limits_free(sweep);
}

static void damaged_sweeps_are_told(void **state)
{
    (void)state;
    static const char wrong[] = {'\0', '\x80', '"', ',', ';', '\t', '\n', ' ', '-', '9', '.', '['};
    for (size_t k = 0; k < sizeof sweeps / sizeof *sweeps; k++) {
        const size_t len = strlen(sweeps[k]);
        char *text = malloc(len + 1);
        assert_non_null(text);
        memcpy(text, sweeps[k], len + 1);
        check_sweep(text, len, len);
        for (size_t at = 0; at < len; at++) {
            check_sweep(text, at, at);
            for (size_t w = 0; w < sizeof wrong; w++) {
                text[at] = wrong[w];
                check_sweep(text, len, at);
                text[at] = sweeps[k][at];
            }
        }
        free(text);
    }
}

static void a_sweep_of_each_line_end_is_read(void **state)
{
    (void)state;
    static const char *const texts[] = {"limit_w,clock_mhz\n# by hand\n\n200,60\n300,70\n",
                                        "limit_w,clock_mhz\r\n# by hand\r\n\r\n200,60\r\n300,70\r\n",
                                        "limit_w,clock_mhz\r# by hand\r\r200,60\r300,70\r"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        wsk_limits *sweep = NULL;
        size_t n;
        int line, column;
        assert_int_equal(wsk_limits_read(&sweep, "sweep.csv", texts[i], strlen(texts[i])), WSK_OK);
        (void)wsk_limits_rows(sweep, &n);
        assert_int_equal(n, 2);
        wsk_limits_place(sweep, 1, WSK_ROW_LIMIT, &line, &column);
        assert_true(line == 5 && column == 1);
        wsk_limits_free(sweep);
    }
}

/* A sweep needs a setting (limit, lock, or power in place of a limit) and a result (power, clock or work). */
static void sweeps_need_a_setting_and_a_result(void **state)
{
    (void)state;
    static const struct {
        const char *columns, *code; /* code: of the error; NULL: the sweep is read */
    } heads[] = {{"limit_w,clock_mhz", NULL},
                 {"limit_w,work", NULL},
                 {"lock_mhz,clock_mhz", NULL},
                 {"lock_mhz,work", NULL},
                 {"power_w,temperature_c", NULL},
                 {"limit_w,temperature_c", "sweep-rows.no-result"},
                 {"lock_mhz,temperature_c", "sweep-rows.no-result"},
                 {"clock_mhz,work", "sweep-rows.no-setting"}};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        char text[80];
        size_t n;
        int severity, line, column;
        wsk_limits *sweep = NULL;
        snprintf(text, sizeof text, "# by hand\n%s\n200,60\n300,70\n", heads[i].columns);
        const wsk_status status = wsk_limits_read(&sweep, "sweep.csv", text, strlen(text));
        (void)wsk_limits_rows(sweep, &n);
        if (status != (heads[i].code ? WSK_EINPUT : WSK_OK) || n != (heads[i].code ? 0 : 2))
            fail_msg("%s: %s with %zu rows", heads[i].columns, wsk_status_text(status), n);
        assert_int_equal(wsk_limits_messages(sweep), heads[i].code != NULL);
        if (heads[i].code) {
            assert_string_equal(wsk_said_code(wsk_limits_message(sweep, 0, &severity, &line, &column)),
                                heads[i].code);
            assert_int_equal(line, 2);
        }
        wsk_limits_free(sweep);
    }
}

static void sweeps_have_two_to_10000_rows(void **state)
{
    (void)state;
    enum { MOST = 10000 };
    static const struct {
        int rows;
        const char *code;
    } counts[] = {{1, "sweep-rows.few"}, {2, NULL}, {MOST, NULL}, {MOST + 1, "sweep-rows.many"}};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        wsk_buf b = {0};
        size_t n;
        int severity, line, column;
        wsk_limits *sweep = NULL;
        wsk_buf_printf(&b, "limit_w,work\n");
        for (int k = 0; k < counts[i].rows; k++)
            wsk_buf_printf(&b, "%d,60\n", 200 + k);
        assert_false(b.failed);
        assert_int_equal(wsk_limits_read(&sweep, "sweep.csv", b.data, b.len), counts[i].code ? WSK_EINPUT : WSK_OK);
        (void)wsk_limits_rows(sweep, &n);
        assert_int_equal(n, counts[i].rows);
        assert_int_equal(wsk_limits_messages(sweep), counts[i].code != NULL);
        if (counts[i].code)
            assert_string_equal(wsk_said_code(wsk_limits_message(sweep, 0, &severity, &line, &column)),
                                counts[i].code);
        wsk_limits_free(sweep);
        wsk_buf_free(&b);
    }
}

/* Only the first 20 warnings are kept, those of unread columns and of rows together; all rows are still read. */
static void warnings_end_no_sweep(void **state)
{
    (void)state;
    wsk_buf b = {0};
    size_t n;
    int severity, line, column;
    wsk_limits *sweep = NULL;
    for (int k = 0; k < 15; k++)
        wsk_buf_printf(&b, "extra%d,", k);
    wsk_buf_printf(&b, "limit_w,work\n");
    for (int k = 0; k < 40; k++)
        wsk_buf_printf(&b, ",,,,,,,,,,,,,,,%d,%s\n", 200 + k, k % 4 ? "" : "60");
    assert_false(b.failed);
    assert_int_equal(wsk_limits_read(&sweep, "sweep.csv", b.data, b.len), WSK_OK);
    const wsk_calibrate_row *rows = wsk_limits_rows(sweep, &n);
    assert_int_equal(n, 10);
    assert_same(rows[9].limit_w, 236);
    assert_int_equal(wsk_limits_messages(sweep), 20);
    assert_string_equal(wsk_said_code(wsk_limits_message(sweep, 14, &severity, &line, &column)), "sweep-rows.column");
    assert_string_equal(wsk_said_code(wsk_limits_message(sweep, 19, &severity, &line, &column)), "sweep-rows.row");
    assert_int_equal(line, 8);
    wsk_limits_free(sweep);
    wsk_buf_free(&b);
}

/* Many rows of one setting, seconds apart, are a log and not a sweep. A column of rising numbers may also be the
 * durations of the rows, so a file with few rows or with one setting per row is read as a sweep. */
static void a_log_is_no_sweep(void **state)
{
    (void)state;
    static const struct {
        const char *header, *before; /* before: text before each time; times are HH:MM:SS, or numbers */
        bool number;
        int rows;
        double step_s, step_w;
        bool log;
    } cases[] = {{"timestamp, power.limit [W], power.draw [W]", "2026/10/25 ", false, 300, 1, 0, true},
                 {"timestamp,power.limit [W],power.draw [W]", "2026-10-25T", false, 60, 10, 0, true},
                 {"date,time,limit,power", "2026-10-25,", false, 60, 5, 0, true},
                 {"time,limit_w,power_w", "", true, 300, 1, 0, true},
                 {"unix,limit_w,power_w", "179290", true, 300, 1, 0, true},
                 {"time,limit_w,power_w", "", false, 12, 1, 5, false},
                 {"time,limit_w,power_w", "", false, 50, 120, 0, false},
                 {"time,limit_w,power_w", "", false, 50, 5, 5, false},
                 {"time_s,limit_w,power_w", "", true, 20, 1.5, 5, false},
                 {"time_s,limit_w,power_w", "", true, 20, 1.5, 0, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        wsk_buf b = {0};
        int severity, line, column, told = 0;
        wsk_limits *sweep = NULL;
        wsk_buf_printf(&b, "%s\n", cases[i].header);
        for (int k = 0; k < cases[i].rows; k++) {
            const double t = 30 + k * cases[i].step_s, w = 150 + k * cases[i].step_w;
            wsk_buf_printf(&b, "%s", cases[i].before);
            if (cases[i].number)
                wsk_buf_printf(&b, "%.1f", 1000 + t);
            else
                wsk_buf_printf(&b, "%02d:%02d:%02d", (int)t / 3600, (int)t / 60 % 60, (int)t % 60);
            wsk_buf_printf(&b, ",%.0f,%.0f\n", w, w - 3 + k % 5);
        }
        assert_false(b.failed);
        if (wsk_limits_read(&sweep, "sweep.csv", b.data, b.len) != (cases[i].log ? WSK_EINPUT : WSK_OK))
            fail_msg("case %zu is %s", i, cases[i].log ? "read" : "refused");
        for (size_t k = 0; k < wsk_limits_messages(sweep); k++) {
            const wsk_said *told_k = wsk_limits_message(sweep, k, &severity, &line, &column);
            told += severity == WSK_DIAG_ERROR && strcmp(wsk_said_code(told_k), "sweep-rows.log") == 0 && line == 1;
        }
        assert_int_equal(told, cases[i].log);
        wsk_limits_free(sweep);
        wsk_buf_free(&b);
    }
}

/* A number with a decimal comma takes two cells, and a sweep is of one card: both are errors with line and column. */
static void rows_that_would_be_read_wrongly_are_errors(void **state)
{
    (void)state;
    static const struct {
        const char *text, *code; /* code NULL: the sweep is read */
        int line, column;
    } cases[] = {
        {"limit_w,power_w,clock_mhz,work\n285,286.3,2323,50\n150,150.3,982,39,2\n", "sweep-rows.cells", 3, 18},
        {"limit_w,power_w,clock_mhz,work\n285,286.3,2323,50,\n150,150.3,982,39, ,\n", NULL, 0, 0},
        {"limit_w;power_w;clock_mhz;work\n285;286,3;2323;50\n150;150,3;982;39,2\n", NULL, 0, 0},
        {"index,limit_w,power_w,work\n0,285,286.3,50\n1,150,150.3,39\n", "sweep-rows.cards", 3, 1},
        {"limit_w,power_w,work,uuid\n285,286.3,50,GPU-a\n150,150.3,39,GPU-b\n", "sweep-rows.cards", 3, 14},
        {"index,limit_w,power_w,work\n1,285,286.3,50\n1,150,150.3,39\n", NULL, 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        wsk_limits *sweep = NULL;
        int severity, line, column;
        const char *text = cases[i].text;
        assert_int_equal(wsk_limits_read(&sweep, "sweep.csv", text, strlen(text)),
                         cases[i].code ? WSK_EINPUT : WSK_OK);
        assert_int_equal(wsk_limits_messages(sweep), cases[i].code != NULL);
        if (cases[i].code) {
            assert_string_equal(wsk_said_code(wsk_limits_message(sweep, 0, &severity, &line, &column)),
                                cases[i].code);
            assert_true(severity == 0 && line == cases[i].line && column == cases[i].column);
            assert_null(strstr(
                wsk_said_english(sweep->arena, wsk_limits_message(sweep, 0, &severity, &line, &column)), "GPU-"));
        }
        wsk_limits_free(sweep);
    }
}

/* In a row separated by commas, 39,93 takes two cells: 93, hundredths of a watt, would be read as a temperature. */
static void shifted_rows_are_left_out(void **state)
{
    (void)state;
    static const struct {
        const char *head, *row; /* row: its cells behind the time */
        const char *code;       /* NULL: the row is read */
    } cases[] = {{"power.draw [W], temperature.gpu", "39,93, 35", "log.cells"},
                 {"temperature.gpu, power.draw [W]", "35, 40,80", "log.cells"},
                 {"name, power.draw [W], temperature.gpu", "GTX 1080, 39,93, 35", "log.cells"},
                 {"power.draw [W], temperature.gpu", "39.93, 35, # note", "log.cells"},
                 {"power.draw [W];temperature.gpu", "39.93;35;1", "log.row"},
                 {"power.draw [W], temperature.gpu", "39.93, 35,", NULL},
                 {"power.draw [W], temperature.gpu", "39.93, 35, , ", NULL},
                 {"power.draw [W];temperature.gpu", "39,93;35", NULL},
                 {"power.draw [W], temperature.gpu", "\"39,93\", 35", NULL},
                 {"name, power.draw [W], temperature.gpu", "Odd, Name, 39.93, 35", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char mark = strchr(cases[i].head, ';') ? ';' : ',';
        wsk_buf b = {0};
        int line, column;
        wsk_buf_printf(&b, "timestamp%c%s\n2026/08/12 21:53:40.000%c%s\n", mark, cases[i].head, mark, cases[i].row);
        wsk_log *log = read_log(b.data, cases[i].code ? WSK_EINPUT : WSK_OK);
        if (cases[i].code) {
            assert_string_equal(said(log, 0, &line, &column), cases[i].code);
            assert_true(line == 2 && wsk_log_left_out(log) == 1);
        } else {
            assert_near(at(log, 0, WSK_LOG_POWER, 0), 39.93, 1e-9);
            assert_near(at(log, 0, WSK_LOG_DIE, 0), 308.15, 1e-9);
            assert_int_equal(wsk_log_messages(log), 0);
        }
        wsk_log_free(log);
        wsk_buf_free(&b);
    }
}

/* After 20 messages one more says that there are others; if rows were left out, it says how many. */
static void further_messages_are_not_shown(void **state)
{
    (void)state;
    enum { ROWS = 60, TOLD = 20 };
    for (int lost = 0; lost < 2; lost++) {
        wsk_buf b = {0};
        wsk_log *log;
        int line, column;
        wsk_buf_printf(&b, "time,power_w\n");
        for (int k = 0; k < ROWS; k++)
            wsk_buf_printf(&b, "%d,%s\n", 5 * (ROWS - k), lost && k % 2 ? "" : "50");
        assert_false(b.failed);
        assert_int_equal(wsk_log_read(&log, "test.log", b.data, b.len), WSK_OK);
        assert_int_equal(wsk_log_messages(log), TOLD + 1);
        assert_string_equal(said(log, TOLD, &line, &column), lost ? "log.left-out" : "log.more");
        assert_int_equal(wsk_log_left_out(log), lost ? ROWS / 2 : 0);
        wsk_log_free(log);
        wsk_buf_free(&b);
    }
}

static void compressed_files_are_named(void **state)
{
    (void)state;
    static const char text[] = "\x1F\x8B\x08\x08 packed";
    int severity, line, column;
    wsk_limits *sweep = NULL;
    wsk_log *log = read_log(text, WSK_EINPUT);
    assert_string_equal(said(log, 0, &line, &column), "file.gzip");
    assert_int_equal(wsk_log_messages(log), 1);
    assert_int_equal(wsk_limits_read(&sweep, "sweep.csv", text, strlen(text)), WSK_EINPUT);
    assert_string_equal(wsk_said_code(wsk_limits_message(sweep, 0, &severity, &line, &column)), "file.gzip");
    assert_int_equal(wsk_limits_messages(sweep), 1);
    wsk_limits_free(sweep);
    wsk_log_free(log);
}

static void values_have_places(void **state)
{
    (void)state;
    static const char text[] = "work,limit_w,power_w\n# by hand\n50, 285,286.3\n\n39,150,\n";
    wsk_limits *sweep = NULL;
    int line, column;
    assert_int_equal(wsk_limits_read(&sweep, "sweep.csv", text, strlen(text)), WSK_OK);
    wsk_limits_place(sweep, 0, WSK_ROW_LIMIT, &line, &column);
    assert_true(line == 3 && column == 5);
    wsk_limits_place(sweep, 1, WSK_ROW_WORK, &line, &column);
    assert_true(line == 5 && column == 1);
    wsk_limits_place(sweep, 1, WSK_ROW_CLOCK, &line, &column);
    assert_true(line == 5 && column == 1);
    wsk_limits_free(sweep);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(cut_logs_give_less),
                                       cmocka_unit_test(a_wrong_byte_gives_no_wrong_numbers),
                                       cmocka_unit_test(damaged_sweeps_are_told),
                                       cmocka_unit_test(a_sweep_of_each_line_end_is_read),
                                       cmocka_unit_test(sweeps_need_a_setting_and_a_result),
                                       cmocka_unit_test(sweeps_have_two_to_10000_rows),
                                       cmocka_unit_test(warnings_end_no_sweep),
                                       cmocka_unit_test(a_log_is_no_sweep),
                                       cmocka_unit_test(rows_that_would_be_read_wrongly_are_errors),
                                       cmocka_unit_test(shifted_rows_are_left_out),
                                       cmocka_unit_test(further_messages_are_not_shown),
                                       cmocka_unit_test(compressed_files_are_named),
                                       cmocka_unit_test(values_have_places)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
