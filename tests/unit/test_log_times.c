/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Clocks of logs: forms of times, daylight saving time, holes, and cards whose rows are mixed. */
#include <stdlib.h>

#include "sim/log/log.h"
#include "tests/unit/log_text.h"

static bool tells(const wsk_log *log, const char *code, int *line)
{
    int column;
    for (size_t i = 0; i < wsk_log_messages(log); i++)
        if (strcmp(said(log, i, line, &column), code) == 0)
            return true;
    return false;
}

static wsk_log *read_buf(wsk_buf *b, wsk_status status)
{
    wsk_log *log;
    assert_false(b->failed);
    assert_int_equal(wsk_log_read(&log, "test.log", b->data, b->len), status);
    wsk_buf_free(b);
    return log;
}

static void put_row(wsk_buf *b, const char *day, double s, double w)
{
    const int t = (int)s;
    wsk_buf_printf(b, "%s %02d:%02d:%02d.019, 0, %.2f W, 50\n", day, t / 3600, t / 60 % 60, t % 60, w);
}

static wsk_buf headed(void)
{
    wsk_buf b = {0};
    wsk_buf_printf(&b, "timestamp, index, power.draw [W], temperature.gpu\n");
    return b;
}

static void twelve_hour_clocks_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *time;
        double hour; /* NAN: no time */
    } times[] = {{"11/22/2026 12:30:00 AM", 0.5}, {"11/22/2026 01:30:00 am", 1.5}, {"11/22/2026 12:30:00 PM", 12.5},
                 {"11/22/2026 1:30:00PM", 13.5},  {"11/22/2026 11:30:00", 11.5},   {"11/22/2026 13:30:00 PM", NAN},
                 {"11/22/2026 0:30:00 AM", NAN},  {"22/11/2026 10:30:00", 10.5},   {"22/23/2026 10:30:00", NAN}};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        char text[120];
        int line;
        snprintf(text, sizeof text, "timestamp, index, power.draw [W]\n%s, 0, 100.00 W\n", times[i].time);
        wsk_log *log = read_log(text, isnan(times[i].hour) ? WSK_EINPUT : WSK_OK);
        if (!isnan(times[i].hour))
            assert_near(wsk_log_start_civil_s(log), 1795305600 + 3600 * times[i].hour, 1e-3);
        else
            assert_true(tells(log, "log.time-form", &line) && line == 2);
        wsk_log_free(log);
    }
}

/* Dates with slashes have the month first, as in the USA, unless the days of the log show that it comes second. */
static void days_may_come_first(void **state)
{
    (void)state;
    static const struct {
        const char *day, *next, *from; /* from: the day at which the log begins; it runs over midnight to the next */
        bool told;
        size_t left_out;
    } cases[] = {
        {"12/07/2026", "13/07/2026", "2026-07-12", true, 0},  {"31/12/2026", "01/01/2027", "2026-12-31", true, 0},
        {"9/7/2026", "10/7/2026", "2026-07-09", true, 0},     {"07/12/2026", "07/13/2026", "2026-07-12", false, 0},
        {"07/09/2026", "07/10/2026", "2026-07-09", false, 0}, {"07/08/2026", "07/08/2026", "2026-07-08", false, 0},
        {"07/12/2026", "13/13/2026", "2026-07-12", false, 4}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        wsk_buf b = headed(), reference = headed();
        const bool over = strcmp(cases[i].day, cases[i].next) != 0;
        int line = 0;
        for (int k = 0; k < 8; k++) {
            put_row(&b, k < 4 ? cases[i].day : cases[i].next, k < 4 || !over ? 86396 + k % 4 : k - 4, 100 + k);
            put_row(&reference, cases[i].from, 86396, 100);
        }
        wsk_log *log = read_buf(&b, WSK_OK), *same = read_buf(&reference, WSK_OK);
        assert_same(wsk_log_start_civil_s(log), wsk_log_start_civil_s(same));
        const wsk_log_series power = wsk_log_of(log, 0, WSK_LOG_POWER);
        assert_int_equal(wsk_log_left_out(log), cases[i].left_out);
        if (over)
            assert_int_equal(power.count, 8 - cases[i].left_out);
        assert_near(power.t_s[power.count - 1], over && !cases[i].left_out ? 7 : 3, 1e-6);
        assert_int_equal(tells(log, "log.day-first", &line), cases[i].told);
        assert_int_equal(line, cases[i].told ? 2 : line);
        wsk_log_free(log);
        wsk_log_free(same);
    }
}

/* If no time of a log can be read, the first such row and the lack of times have a message each. */
static void unread_times_are_told_once(void **state)
{
    (void)state;
    int line;
    wsk_buf b = headed();
    for (int i = 0; i < 30; i++)
        wsk_buf_printf(&b, "14/14/2026 10:00:%02d, 0, 20 W, 40\n", i);
    wsk_log *log = read_buf(&b, WSK_EINPUT);
    assert_int_equal(wsk_log_messages(log), 2);
    assert_true(tells(log, "log.time-form", &line) && line == 2);
    assert_true(tells(log, "log.no-times", &line));
    assert_int_equal(wsk_log_left_out(log), 30);
    wsk_log_free(log);
    log = read_log("timestamp, index, power.draw [W]\n2026/11/14 10:00:00, 0, 20 W\nsoon, 0, 21 W\n", WSK_OK);
    assert_true(tells(log, "log.time", &line) && line == 3);
    wsk_log_free(log);
}

/* Returns a log of two hours with a row every 5 s; from time of day `at_s` on, its clock is off by `by_s`. */
static wsk_log *hour_off(const char *day, double begin_s, double at_s, double by_s)
{
    wsk_buf b = headed();
    for (double s = 0; s < 7200; s += 5)
        put_row(&b, day, begin_s + s + (begin_s + s >= at_s ? by_s : 0), s);
    return read_buf(&b, WSK_OK);
}

static void the_end_of_summer_time_is_followed(void **state)
{
    (void)state;
    int line;
    wsk_log *log = hour_off("2026/10/25", 1.5 * 3600, 3 * 3600, -3600);
    assert_true(tells(log, "log.hour-back", &line) && line == 2 + 1080);
    assert_int_equal(wsk_log_messages(log), 1);
    const wsk_log_series s = wsk_log_of(log, 0, WSK_LOG_POWER);
    assert_int_equal(s.count, 1440);
    for (size_t i = 0; i < s.count; i++)
        assert_near(s.t_s[i], s.value[i], 1e-3);
    wsk_log_free(log);
}

/* A step forward by an hour is the start of summer time only in the night to a Sunday of spring. At any other time the
 * log has a hole of an hour. */
static void the_start_of_summer_time_is_followed(void **state)
{
    (void)state;
    int line;
    wsk_log *log = hour_off("2026/03/29", 1 * 3600, 2 * 3600, 3600);
    assert_true(tells(log, "log.hour-forward", &line) && line == 2 + 720);
    assert_near(wsk_log_of(log, 0, WSK_LOG_POWER).t_s[1439], 7195, 1e-3);
    wsk_log_free(log);
    static const struct {
        const char *eve, *day;
        bool clock;
    } nights[] = {{"2026/09/05", "2026/09/06", true}, /* Chile sets its clocks on a Saturday at 24:00 */
                  {"2026/03/28", "2026/03/29", true},
                  {"2026/09/06", "2026/09/07", false},
                  {"2026/06/06", "2026/06/07", false}};
    for (size_t i = 0; i < sizeof nights / sizeof *nights; i++) {
        wsk_buf b = headed();
        for (int s = 0; s < 7200; s += 5)
            put_row(&b, s < 3600 ? nights[i].eve : nights[i].day, s < 3600 ? 82800 + s : s, s);
        log = read_buf(&b, WSK_OK);
        assert_int_equal(tells(log, "log.hour-forward", &line) && line == 2 + 720, nights[i].clock);
        assert_near(wsk_log_of(log, 0, WSK_LOG_POWER).t_s[1439], 7195 + (nights[i].clock ? 0 : 3600), 1e-3);
        wsk_log_free(log);
    }
    static const struct {
        const char *day;
        double begin_s, at_s;
    } holes[] = {{"2026/03/28", 3600, 7200}, {"2026/03/29", 36000, 39600}, {"2026/03/29", 3600, 6000}};
    for (size_t i = 0; i < 3; i++) {
        log = hour_off(holes[i].day, holes[i].begin_s, holes[i].at_s, 3600);
        assert_false(tells(log, "log.hour-forward", &line));
        assert_near(wsk_log_of(log, 0, WSK_LOG_POWER).t_s[1439], 7195 + 3600, 1e-3);
        wsk_log_free(log);
    }
}

/* One row is dated an hour too early: the rows after it keep their times. */
static void a_stray_hour_moves_no_other_row(void **state)
{
    (void)state;
    wsk_buf b = headed();
    for (int i = 0; i < 900; i++)
        put_row(&b, "2026/11/14", 36000 + 5 * i - (i == 800 ? 3600 : 0), i);
    wsk_log *log = read_buf(&b, WSK_OK);
    const wsk_log_series s = wsk_log_of(log, 0, WSK_LOG_POWER);
    assert_int_equal(s.count, 900);
    assert_near(s.t_s[899], 899 * 5, 1e-3);
    assert_near(s.value[899], 899, 1e-9);
    wsk_log_free(log);
}

/* The log has an hour of one card and then the same hour of the other: that its time goes back by an hour is no end of
 * summer time. */
static void cards_after_each_other_set_no_clock(void **state)
{
    (void)state;
    int line;
    wsk_buf b = headed();
    for (int card = 0; card < 2; card++)
        for (int t = 0; t < 3600; t += 5)
            wsk_buf_printf(&b, "2026/11/14 10:%02d:%02d.000, %d, 100 W, 50\n", t / 60, t % 60, card);
    wsk_log *log = read_buf(&b, WSK_OK);
    assert_false(tells(log, "log.hour-back", &line));
    for (size_t card = 0; card < 2; card++)
        assert_near(wsk_log_of(log, card, WSK_LOG_POWER).t_s[719], 3595, 1e-6);
    wsk_log_free(log);
}

static void spans_are_told_in_words(void **state)
{
    (void)state;
    wsk_log *log = read_log("timestamp, index, power.draw [W]\n2026/11/14 10:50:00, 0, 20 W\n"
                            "2026/11/14 10:00:00, 0, 21 W\n",
                            WSK_OK);
    int severity, line, column;
    const char *text = wsk_said_english(log->arena, wsk_log_message(log, 0, &severity, &line, &column));
    assert_non_null(strstr(text, "goes back by 50 min here"));
    wsk_log_free(log);
}

/* Returns a log of 100 minutes with a row every 5 s; rows `from` to `to` - 1 have the date `day`. */
static wsk_log *with_date(int from, int to, const char *day)
{
    wsk_buf b = headed();
    for (int i = 0; i < 1200; i++)
        put_row(&b, i >= from && i < to ? day : "2026/11/14", 36000 + 5 * i, i);
    return read_buf(&b, WSK_OK);
}

static void a_wrong_date_leaves_the_longest_stretch(void **state)
{
    (void)state;
    static const struct {
        int from, to;
        const char *day, *code;
        int line;
        size_t rows;
        double start_s;
    } cases[] = {{599, 600, "2027/11/14", "log.rows-after", 601, 1199, 1794650400.019},
                 {599, 600, "2026/11/24", "log.rows-after", 601, 1199, 1794650400.019},
                 {0, 20, "2000/01/01", "log.rows-before", 22, 1180, 1794650500.019},
                 {0, 20, "2026/11/04", "log.rows-before", 22, 1180, 1794650500.019}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int line;
        wsk_log *log = with_date(cases[i].from, cases[i].to, cases[i].day);
        assert_int_equal(wsk_log_of(log, 0, WSK_LOG_POWER).count, 1200);
        assert_int_equal(wsk_log_take_stretch(log), WSK_OK);
        assert_true(tells(log, cases[i].code, &line) && line == cases[i].line);
        const wsk_log_series s = wsk_log_of(log, 0, WSK_LOG_POWER), die = wsk_log_of(log, 0, WSK_LOG_DIE);
        assert_int_equal(s.count, cases[i].rows);
        assert_int_equal(die.count, cases[i].rows);
        assert_near(s.t_s[0], 0, 1e-9);
        assert_near(s.t_s[s.count - 1], 5 * (1199 - cases[i].to * (cases[i].from == 0)), 1e-3);
        assert_near(wsk_log_start_civil_s(log), cases[i].start_s, 1e-3);
        assert_false(tells(log, "log.hole", &line));
        wsk_log_free(log);
    }
}

/* Of three sessions, two hours apart, the second one is the longest. In a log with a row every ten minutes a pause of
 * two hours separates no sessions. */
static void the_longest_session_is_taken(void **state)
{
    (void)state;
    int line;
    wsk_buf b = headed(), slow = headed();
    const int rows[] = {300, 500, 200}, begin[] = {0, 10000, 20000};
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < rows[k]; i++)
            put_row(&b, "2026/11/14", begin[k] + 5 * i, 100 * k);
    wsk_log *log = read_buf(&b, WSK_OK);
    assert_int_equal(wsk_log_take_stretch(log), WSK_OK);
    assert_int_equal(wsk_log_of(log, 0, WSK_LOG_POWER).count, 500);
    assert_near(at(log, 0, WSK_LOG_POWER, 0), 100, 1e-9);
    assert_true(tells(log, "log.rows-before", &line) && line == 302);
    assert_true(tells(log, "log.rows-after", &line) && line == 802);
    wsk_log_free(log);
    for (int i = 0; i < 100; i++)
        put_row(&slow, "2026/11/14", 600 * i + (i > 50 ? 7200 : 0), 100);
    log = read_buf(&slow, WSK_OK);
    assert_int_equal(wsk_log_take_stretch(log), WSK_OK);
    assert_int_equal(wsk_log_of(log, 0, WSK_LOG_POWER).count, 100);
    wsk_log_free(log);
}

/* Fifty minutes of both cards without rows, or with rows without watts: one message in all. */
static void holes_are_told(void **state)
{
    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        int line;
        wsk_buf b = headed();
        for (int i = 0; i < 1200; i++)
            for (int card = 0; card < 2; card++) {
                const int t = 36000 + 5 * i;
                const bool hole = i > 300 && i < 900;
                if (hole && !kind)
                    continue;
                wsk_buf_printf(&b, "2026/11/14 %02d:%02d:%02d.000, %d, %s, 60\n", t / 3600, t / 60 % 60, t % 60, card,
                               hole ? "[N/A]" : "200 W");
            }
        wsk_log *log = read_buf(&b, WSK_OK);
        assert_int_equal(wsk_log_take_stretch(log), WSK_OK);
        size_t n = 0;
        int column, severity;
        for (size_t i = 0; i < wsk_log_messages(log); i++)
            n += strcmp(said(log, i, &line, &column), "log.hole") == 0;
        assert_int_equal(n, 1);
        assert_true(tells(log, "log.hole", &line));
        assert_int_equal(line, kind ? 2 + 2 * 900 : 2 + 2 * 301);
        const char *text =
            wsk_said_english(log->arena, wsk_log_message(log, wsk_log_messages(log) - 1, &severity, &line, &column));
        assert_non_null(strstr(text, "no power from 2026-11-14T10:25:00 to 2026-11-14T11:15:00 (50 min)"));
        wsk_log_free(log);
    }
}

/* The second card has fifteen holes: ten have a message each, and one message counts the other five. */
static void further_holes_are_counted(void **state)
{
    (void)state;
    wsk_buf b = headed();
    for (int i = 0; i < 1600; i++)
        for (int card = 0; card < 2; card++) {
            const int t = 36000 + 5 * i;
            wsk_buf_printf(&b, "2026/11/14 %02d:%02d:%02d.000, %d, %s, 60\n", t / 3600, t / 60 % 60, t % 60, card,
                           card && i % 100 >= 40 && i < 1500 ? "[N/A]" : "200 W");
        }
    wsk_log *log = read_buf(&b, WSK_OK);
    assert_int_equal(wsk_log_take_stretch(log), WSK_OK);
    int told = 0, further = 0, line, column, severity;
    for (size_t i = 0; i < wsk_log_messages(log); i++) {
        told += strcmp(said(log, i, &line, &column), "log.hole") == 0;
        if (strcmp(said(log, i, &line, &column), "log.holes") == 0)
            further =
                atoi(strrchr(wsk_said_english(log->arena, wsk_log_message(log, i, &severity, &line, &column)), ' '));
    }
    assert_int_equal(told, 10);
    assert_int_equal(further, 5);
    wsk_log_free(log);
}

/* One missing row in a log of a row per minute is no hole, and neither is a pause of 30 s in a log of a row per
 * second. */
static void short_holes_are_not_told(void **state)
{
    (void)state;
    int line;
    wsk_buf minutes = headed(), seconds = headed();
    for (int i = 0; i < 600; i++) {
        if (i != 40)
            put_row(&minutes, "2026/11/14", 60 * i, 100);
        put_row(&seconds, "2026/11/14", i + (i > 300 ? 30 : 0), 100);
    }
    wsk_buf *const both[] = {&minutes, &seconds};
    for (int i = 0; i < 2; i++) {
        wsk_log *log = read_buf(both[i], WSK_OK);
        assert_int_equal(wsk_log_take_stretch(log), WSK_OK);
        assert_false(tells(log, "log.hole", &line));
        wsk_log_free(log);
    }
}

/* Returns a log of three cards with a row of each per second, `apart_s` after that of the card before, and no column
 * that names the card. The cards' temperatures are 5 K apart and move up and down by 10 K. */
static wsk_buf three_cards(double apart_s, const char *form)
{
    wsk_buf b = {0};
    wsk_buf_printf(&b, "timestamp, power.draw [W], temperature.gpu\n");
    for (int i = 0; i < 200; i++)
        for (int card = 0; card < 3; card++) {
            const double t = 5 + i + card * apart_s;
            wsk_buf_printf(&b, form, (int)t / 60, fmod(t, 60), 150.0 + (i * 7 + card * 5) % 11,
                           50 + 5 * card + abs(i % 40 - 20) / 2);
        }
    return b;
}

static void mixed_cards_are_refused(void **state)
{
    (void)state;
    static const struct {
        double apart_s;
        const char *form;
    } kinds[] = {{0, "2026/11/14 10:%02d:%06.3f, %.2f W, %d\n"},
                 {0.002, "2026/11/14 10:%02d:%06.3f, %.2f W, %d\n"},
                 {0.02, "2026/11/14 10:%02d:%06.3f, %.2f W, %d\n"},
                 {0, "2026/11/14 10:%02d:%02.0f, %.2f W, %d\n"}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        int line;
        wsk_buf b = three_cards(kinds[i].apart_s, kinds[i].form);
        wsk_log *log = read_buf(&b, WSK_EINPUT);
        assert_true(tells(log, "log.mixed-cards", &line) && line == 3);
        wsk_log_free(log);
    }
}

/* Readings of one card are not taken for several cards: a reading every 10 ms to 1 s, with times to the second (whole)
 * or the millisecond, or with all rows twice. */
static void one_card_is_read_at_any_rate(void **state)
{
    (void)state;
    static const struct {
        double each_s;
        bool whole, twice;
    } kinds[] = {{0.01, false, false}, {0.01, true, false}, {0.5, true, false}, {0.1, true, false},
                 {0.1, false, false},  {1, true, true},     {1, false, true},   {1, true, false}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        int line;
        unsigned random = 1;
        wsk_buf b = {0};
        wsk_buf_printf(&b, "timestamp, power.draw [W], temperature.gpu\n");
        for (int k = 0; k < 3000; k++) {
            const double t = k * kinds[i].each_s, s = kinds[i].whole ? floor(t) : t + 0.0004;
            random = random * 1103515245u + 12345u;
            const int w = 200 + (int)(random >> 16) % 9, die = 50 + k / 200;
            for (int twice = 0; twice <= kinds[i].twice; twice++)
                wsk_buf_printf(&b, "2026/11/14 10:%02d:%06.3f, %d W, %d\n", (int)s / 60, fmod(s, 60), w, die);
        }
        wsk_log *log = read_buf(&b, WSK_OK);
        assert_false(tells(log, "log.mixed-cards", &line));
        assert_int_equal(tells(log, "log.same-time", &line),
                         kinds[i].twice || (kinds[i].whole && kinds[i].each_s < 1));
        wsk_log_free(log);
    }
}

static void fans_in_rpm_are_read(void **state)
{
    (void)state;
    static const char *const names[] = {"fan_rpm", "fan.speed [rpm]", "fan.speed_rpm"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char text[200];
        snprintf(text, sizeof text,
                 "timestamp, index, power.draw [W], temperature.gpu, utilization.gpu [%%], %s\n"
                 "2026/11/14 10:00:05.019, 0, 21 W, 31, 0 %%, 1020\n",
                 names[i]);
        wsk_log *log = read_log(text, WSK_OK);
        assert_near(at(log, 0, WSK_LOG_FAN_SPEED, 0), 1020, 1e-9);
        assert_int_equal(wsk_log_of(log, 0, WSK_LOG_FAN).count, 0);
        wsk_log_free(log);
    }
}

/* A column of times counts by its common name beside the columns of nvidia-smi, too, in the unit that it states. The
 * table's own name of times goes before it. */
static void times_count_in_their_unit(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double s; /* seconds of one */
    } times[] = {
        {"time [minutes]", 60}, {"time [hours]", 3600}, {"elapsed_min", 60}, {"t_h", 3600}, {"Time (ms)", 1e-3},
        {"time [Days]", 86400}, {"time [seconds]", 1},  {"elapsed", 1},      {"t_s", 1},    {"time [min]", 60}};
    static const char *const columns[] = {"index, power.draw [W], temperature.gpu", "gpu, power_w, temp"};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        for (size_t k = 0; k < sizeof columns / sizeof *columns; k++) {
            char text[160];
            snprintf(text, sizeof text, "%s, %s\n1.5, 0, 100, 50\n2, 0, 110, 51\n", times[i].name, columns[k]);
            wsk_log *log = read_log(text, WSK_OK);
            const wsk_log_series power = wsk_log_of(log, 0, WSK_LOG_POWER);
            assert_int_equal(power.count, 2);
            assert_near(power.t_s[1], 0.5 * times[i].s, 1e-9);
            assert_int_equal(wsk_log_messages(log), 0);
            wsk_log_free(log);
        }
    wsk_log *log = read_log("elapsed, timestamp, power.draw [W]\n0, 2026/11/14 10:00:00, 100 W\n", WSK_OK);
    assert_near(wsk_log_start_civil_s(log), 1794650400, 1e-3);
    wsk_log_free(log);
    log = read_log("time, date, power.draw [W]\n10:00:05, 2026-11-14, 100 W\n", WSK_OK);
    assert_near(wsk_log_start_civil_s(log), 1794650405, 1e-3);
    wsk_log_free(log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(twelve_hour_clocks_are_read),
        cmocka_unit_test(days_may_come_first),
        cmocka_unit_test(unread_times_are_told_once),
        cmocka_unit_test(the_end_of_summer_time_is_followed),
        cmocka_unit_test(the_start_of_summer_time_is_followed),
        cmocka_unit_test(a_stray_hour_moves_no_other_row),
        cmocka_unit_test(cards_after_each_other_set_no_clock),
        cmocka_unit_test(spans_are_told_in_words),
        cmocka_unit_test(a_wrong_date_leaves_the_longest_stretch),
        cmocka_unit_test(the_longest_session_is_taken),
        cmocka_unit_test(holes_are_told),
        cmocka_unit_test(further_holes_are_counted),
        cmocka_unit_test(short_holes_are_not_told),
        cmocka_unit_test(mixed_cards_are_refused),
        cmocka_unit_test(one_card_is_read_at_any_rate),
        cmocka_unit_test(fans_in_rpm_are_read),
        cmocka_unit_test(times_count_in_their_unit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
