/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/log/log.h"
#include "tests/unit/log_text.h"

static void smi_reads_cards_in_any_order(void **state)
{
    (void)state;
    wsk_log *log =
        read_log("temperature.gpu, index, timestamp, power.draw [W], fan.speed [%], clocks.current.sm [MHz], "
                 "name, utilization.gpu [%]\n"
                 "61, 1, 2026/11/22 23:59:59.500, 301.50 W, 55 %, 1710 MHz, Odd, Name, 100 %\n"
                 "40, 0, 2026/11/22 23:59:59.501, [N/A], [N/A], 210 MHz, Plain, 0 %\n"
                 "62, 1, 2026/11/23 00:00:00.500, 300.25 W, 56 %, 1695 MHz, Odd, Name, 99 %\n"
                 "41, 0, 2026/11/23 00:00:00.501, 35.5 W, [Unknown Error], 225 MHz, Plain, 1 %\n",
                 WSK_OK);
    assert_string_equal(wsk_log_format(log), "nvidia-smi --query-gpu");
    assert_int_equal(wsk_log_cards(log), 2);
    assert_string_equal(wsk_log_card(log, 0), "0");
    assert_string_equal(wsk_log_card(log, 1), "1");
    assert_near(at(log, 1, WSK_LOG_POWER, 0), 301.5, 1e-9);
    assert_near(at(log, 1, WSK_LOG_DIE, 1), 62 + WSK_KELVIN, 1e-9);
    assert_near(at(log, 1, WSK_LOG_CLOCK, 1), 1.695e9, 1);
    assert_near(at(log, 1, WSK_LOG_UTILISATION, 1), 0.99, 1e-12);
    assert_near(at(log, 1, WSK_LOG_FAN, 0), 0.55, 1e-12);
    assert_int_equal(wsk_log_of(log, 0, WSK_LOG_POWER).count, 1);
    assert_near(wsk_log_of(log, 0, WSK_LOG_POWER).t_s[0], 1.001, 1e-6);
    assert_int_equal(wsk_log_of(log, 0, WSK_LOG_FAN).count, 0);
    assert_int_equal(wsk_log_of(log, 0, WSK_LOG_INLET).count, 0);
    assert_true(isnan(wsk_log_start_utc_s(log)));
    assert_near(wsk_log_start_civil_s(log), 1795391999.5, 1e-3); /* 2026-11-22T23:59:59.5 */
    assert_int_equal(wsk_log_left_out(log), 0);
    wsk_log_free(log);
}

static void smi_survives_errors_in_the_stream(void **state)
{
    (void)state;
    int line, column;
    wsk_log *log = read_log("\xEF\xBB\xBFtimestamp, index, power.draw [W], temperature.gpu\r\n"
                            "2026/08/12 21:53:45.370, 0, 39.17 W, 33\r\n"
                            "Unable to determine the device handle for GPU0000:02:00.0: Unknown Error\r\n"
                            "2026/08/12 21:53:46.370, 0, [GPU is lost], [GPU is lost]\r\n"
                            "timestamp, index, power.draw [W], temperature.gpu\r\n"
                            "2026/08/12 21:53:47.370, 0, abc W, 34\r\n"
                            "2026/08/12 21:53:48.370, 0, 41.2",
                            WSK_OK);
    assert_int_equal(wsk_log_of(log, 0, WSK_LOG_POWER).count, 1);
    assert_int_equal(wsk_log_of(log, 0, WSK_LOG_DIE).count, 2);
    assert_int_equal(wsk_log_left_out(log), 3);
    assert_string_equal(said(log, 0, &line, &column), "log.row");
    assert_int_equal(line, 3);
    assert_string_equal(said(log, 1, &line, &column), "log.nothing");
    assert_string_equal(said(log, 2, &line, &column), "log.cell");
    assert_int_equal(line, 6);
    assert_int_equal(column, 29);
    assert_string_equal(said(log, 3, &line, &column), "log.cut");
    assert_int_equal(line, 7);
    wsk_log_free(log);
}

static void names_of_cards_are_never_hidden_ones(void **state)
{
    (void)state;
    wsk_log *log = read_log("timestamp, uuid, power.draw [W]\n"
                            "2026/08/12 21:53:45, GPU-bbbb, 39.17 W\n"
                            "2026/08/12 21:53:45, GPU-aaaa, 20 W\n",
                            WSK_OK);
    assert_int_equal(wsk_log_cards(log), 2);
    assert_string_equal(wsk_log_card(log, 0), "0");
    assert_string_equal(wsk_log_card(log, 1), "1");
    assert_near(at(log, 0, WSK_LOG_POWER, 0), 39.17, 1e-9);
    wsk_log_free(log);
    log = read_log("timestamp, pci.bus_id, power.draw [W]\n"
                   "2026/08/12 21:53:45, 00000000:0A:00.0, 39.17 W\n"
                   "2026/08/12 21:53:45, 00000000:01:00.0, 20 W\n",
                   WSK_OK);
    assert_string_equal(wsk_log_card(log, 0), "00000000:01:00.0");
    assert_near(at(log, 0, WSK_LOG_POWER, 0), 20, 1e-9);
    wsk_log_free(log);
}

static void own_series_is_a_log(void **state)
{
    (void)state;
    wsk_log *log = read_log("t_s,wall_w.min,wall_w.mean,wall_w.max,room.air_c.mean,case.air_c.mean,cpu0.die_c.mean,"
                            "gpu0.die_c.min,gpu0.die_c.mean,"
                            "gpu0.power_w.mean,gpu1.power_w.mean,gpu0.fan_rpm.mean,gpu0.inlet_c.mean\n"
                            "10,1,400,900,25,33,50,1,60.5,300,200,1500,35\n"
                            "20,1,410,900,26,34,50,1,61,310,210,1600,36\n",
                            WSK_OK);
    assert_string_equal(wsk_log_format(log), "series.csv");
    assert_int_equal(wsk_log_cards(log), 2); /* cpu0 is a processor, not a card */
    assert_string_equal(wsk_log_card(log, 1), "gpu1");
    assert_near(at(log, 0, WSK_LOG_DIE, 0), 60.5 + WSK_KELVIN, 1e-9);
    assert_near(at(log, 1, WSK_LOG_POWER, 1), 210, 1e-9);
    assert_near(at(log, 0, WSK_LOG_FAN_SPEED, 1), 1600, 1e-9);
    /* The inlet of a card is read from room.air_c, not from gpu0.inlet_c: a replay adds the heat of case and neighbours
     * itself. */
    assert_near(at(log, 0, WSK_LOG_INLET, 0), 25 + WSK_KELVIN, 1e-9);
    assert_int_equal(wsk_log_wall(log).count, 2);
    assert_near(wsk_log_wall(log).t_s[1], 10, 1e-12);
    wsk_log_free(log);
}

static void mistakes_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *text, *code;
    } cases[] = {{"", "log.empty"},
                 {"\n \r\n", "log.empty"},
                 {"hello\nworld\n", "log.unknown"},
                 {"0, GPU-1a2b3c4d, Odd, Name, 18.42\n", "log.no-header"},
                 {"timestamp, power.draw [W]\n", "log.no-rows"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int line, column;
        wsk_log *log = read_log(cases[i].text, WSK_EINPUT);
        assert_string_equal(said(log, wsk_log_messages(log) - 1, &line, &column), cases[i].code);
        assert_true(line >= 1 && column >= 1);
        wsk_log_free(log);
    }
}

/* Each line of a log may end in LF, CR LF (Windows) or CR (old Macs); lines have the same numbers. */
static void each_line_end_is_read(void **state)
{
    (void)state;
    static const char *const ends[] = {"\n", "\r\n", "\r"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        int line, column;
        wsk_buf b = {0};
        wsk_buf_printf(&b, "timestamp, index, power.draw [W]%s2026/08/12 21:53:45, 0, 39.17 W%s", ends[i], ends[i]);
        wsk_buf_printf(&b, "2026/08/12 21:53:46, 0, abc W%s%s2026/08/12 21:53:47, 0, 41.2 W%s", ends[i], ends[i],
                       ends[i]);
        wsk_log *log = read_log(b.data, WSK_OK);
        assert_int_equal(wsk_log_of(log, 0, WSK_LOG_POWER).count, 2);
        assert_near(at(log, 0, WSK_LOG_POWER, 1), 41.2, 1e-9);
        assert_near(wsk_log_of(log, 0, WSK_LOG_POWER).t_s[1], 2, 1e-6);
        assert_string_equal(said(log, 0, &line, &column), "log.cell");
        assert_int_equal(line, 3);
        wsk_log_free(log);
        wsk_buf_free(&b);
    }
}

/* Windows' programs also write UTF-16 without a byte order mark. */
static void utf16_is_named(void **state)
{
    (void)state;
    static const char row[] = "timestamp,power.draw [W]\n2026/08/12 21:53:45,39.17\n";
    for (size_t high = 0; high < 2; high++) {
        char text[2 * sizeof row] = {0};
        int line, column;
        wsk_log *log;
        for (size_t i = 0; i + 1 < sizeof row; i++)
            text[2 * i + high] = row[i];
        assert_int_equal(wsk_log_read(&log, "wide.csv", text, 2 * (sizeof row - 1)), WSK_EINPUT);
        assert_int_equal(wsk_log_messages(log), 1);
        assert_string_equal(said(log, 0, &line, &column), "file.utf16");
        wsk_log_free(log);
    }
}

static void a_long_log_is_thinned(void **state)
{
    (void)state;
    wsk_buf text = {0};
    wsk_buf_printf(&text, "t_s,gpu0.power_w.mean\n");
    const size_t rows = WSK_LOG_SAMPLES + 1000;
    for (size_t i = 0; i < rows; i++)
        wsk_buf_printf(&text, "%zu,%d\n", i, i % 2 ? 100 : 300);
    wsk_log *log;
    assert_int_equal(wsk_log_read(&log, "long.csv", text.data, text.len), WSK_OK);
    const wsk_log_series s = wsk_log_of(log, 0, WSK_LOG_POWER);
    assert_int_equal(s.count, rows / 2);
    for (size_t i = 0; i < s.count; i++)
        assert_near(s.value[i], 200, 1e-9);
    assert_near(s.t_s[s.count - 1], (double)rows - 2, 1e-9);
    int line, column;
    assert_string_equal(said(log, 0, &line, &column), "log.thinned");
    wsk_log_free(log);
    const size_t cut = (size_t)(strstr(text.data, "\n262144,") + 1 - text.data); /* 262144 rows are kept */
    assert_int_equal(wsk_log_read(&log, "long.csv", text.data, cut), WSK_OK);
    assert_int_equal(wsk_log_of(log, 0, WSK_LOG_POWER).count, WSK_LOG_SAMPLES);
    assert_int_equal(wsk_log_messages(log), 0);
    wsk_log_free(log);
    wsk_buf_free(&text);
}

/* Of 300 cards in a log those beyond 256 are left out, and change neither values nor times of the others. */
static void cards_beyond_256_are_left_out(void **state)
{
    (void)state;
    enum { MOST = 256 };
    for (int cards = MOST; cards <= 300; cards += 44) {
        wsk_buf rows = {0}, scrapes = {0};
        wsk_buf_printf(&rows, "timestamp, index, power.draw [W]\n");
        for (int t = 0; t < 3; t++)
            for (int k = 0; k < cards; k++) {
                wsk_buf_printf(&rows, "2026/08/12 21:53:%02d.000, %d, %d.00 W\n", 40 + t, k, 100 + k + t);
                wsk_buf_printf(&scrapes, "DCGM_FI_DEV_POWER_USAGE{gpu=\"%d\"} %d\n", k, 100 + k + t);
            }
        const wsk_buf *texts[] = {&rows, &scrapes};
        for (int i = 0; i < 2; i++) {
            wsk_log *log;
            int line, column;
            assert_int_equal(wsk_log_read(&log, "many.log", texts[i]->data, texts[i]->len), WSK_OK);
            assert_int_equal(wsk_log_cards(log), MOST);
            for (size_t k = 0; k < MOST; k++) {
                assert_int_equal(wsk_log_of(log, k, WSK_LOG_POWER).count, 3);
                for (size_t t = 0; t < 3; t++)
                    assert_near(at(log, k, WSK_LOG_POWER, t), 100 + (double)(k + t), 1e-9);
            }
            bool told = false;
            for (size_t m = 0; m < wsk_log_messages(log); m++)
                told = told || strcmp(said(log, m, &line, &column), "log.many-cards") == 0;
            assert_int_equal(told, cards > MOST);
            wsk_log_free(log);
        }
        wsk_buf_free(&rows);
        wsk_buf_free(&scrapes);
    }
}

/* The first 20 rows that are left out have a message each; if there are more, one further message gives the number. */
static void messages_are_bounded(void **state)
{
    (void)state;
    for (int bad = 20; bad <= 21; bad++) {
        wsk_buf b = {0};
        int line, column;
        wsk_log *log;
        wsk_buf_printf(&b, "timestamp, index, power.draw [W]\n2026/08/12 21:53:40.000, 0, 100.00 W\n");
        for (int k = 0; k < bad; k++)
            wsk_buf_printf(&b, "2026/08/12 21:53:41.000, 0\n");
        wsk_buf_printf(&b, "2026/08/12 21:53:42.000, 0, 100.00 W\n");
        assert_int_equal(wsk_log_read(&log, "bad.csv", b.data, b.len), WSK_OK);
        assert_int_equal(wsk_log_left_out(log), bad);
        assert_int_equal(wsk_log_messages(log), bad);
        assert_string_equal(said(log, 19, &line, &column), "log.row");
        assert_int_equal(line, 22);
        if (bad > 20)
            assert_string_equal(said(log, 20, &line, &column), "log.left-out");
        wsk_log_free(log);
        wsk_buf_free(&b);
    }
}

static void units_of_logs_are_read(void **state)
{
    (void)state;
    static const struct {
        int quantity;
        const char *unit;
        double value, si;
    } units[] = {{WSK_LOG_DIE, "", 100, 373.15},      {WSK_LOG_DIE, "C", 100, 373.15},
                 {WSK_LOG_DIE, "?C", 100, 373.15},    {WSK_LOG_DIE, "celsius", 100, 373.15},
                 {WSK_LOG_DIE, "deg C", 100, 373.15}, {WSK_LOG_INLET, "F", 212, 373.15},
                 {WSK_LOG_POWER, "Watt", 300, 300},   {WSK_LOG_POWER, "watts", 300, 300},
                 {WSK_LOG_POWER, "mW", 3e5, 300},     {WSK_LOG_POWER, "MW", 3e-4, 300},
                 {WSK_LOG_CLOCK, "MHZ", 1500, 1.5e9}, {WSK_LOG_CLOCK, "GHz", 1.5, 1.5e9},
                 {WSK_LOG_FAN, "percent", 40, 0.4},   {WSK_LOG_FAN, "pct", 40, 0.4},
                 {WSK_LOG_FAN, "1", 0.4, 0.4},        {WSK_LOG_WORK, "", 7, 7}};
    wsk_log_scale scale;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (!wsk_log_scale_of(units[i].quantity, units[i].unit, &scale))
            fail_msg("%s is no unit", units[i].unit);
        assert_string_equal(scale.unit, units[i].unit);
        assert_near(units[i].value * scale.mul + scale.add, units[i].si, 1e-9 * units[i].si);
    }
    assert_false(wsk_log_scale_of(WSK_LOG_POWER, "C", &scale));
    assert_false(wsk_log_scale_of(WSK_LOG_DIE, "Watts", &scale));
}

/* A unit may end the name of a column, where capitals are often not kept: milliwatts, for no card draws megawatts. */
static void units_end_names_of_columns(void **state)
{
    (void)state;
    static const char *const columns[] = {"power_w\n0,300", "power_kw\n0,0.3", "power_mw\n0,300000",
                                          "power_mW\n0,300000"};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        char text[100];
        wsk_log *log;
        snprintf(text, sizeof text, "time_s,%s\n", columns[i]);
        assert_int_equal(wsk_log_read(&log, "units.csv", text, strlen(text)), WSK_OK);
        const wsk_log_series s = wsk_log_of(log, 0, WSK_LOG_POWER);
        if (s.count != 1 || fabs(s.value[0] - 300) > 1e-9)
            fail_msg("%s: no power of 300 W", columns[i]);
        wsk_log_free(log);
    }
}

static void zones_of_times_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *time;
        double utc_s; /* NAN: the row is left out */
    } times[] = {{"2026-11-22T12:00:00Z", 1795348800},
                 {"2026-11-22 12:00:00 UTC", 1795348800},
                 {"2026-11-22T12:00:00 GMT", 1795348800},
                 {"2026-11-22T13:00:00+01", 1795348800},
                 {"2026-11-22T17:30:00+0530", 1795348800},
                 {"2026-11-22T08:30:00-03:30", 1795348800},
                 {"2026-11-23T03:00:00+15:00", 1795348800},
                 {"2026-11-23T04:00:00+16:00", NAN},
                 {"2026-11-22T12:00:00 CET", NAN},
                 {"2026-11-22T12:00:00+01:00x", NAN},
                 {"2026-11-31T12:00:00Z", NAN},
                 {"Nov 31 12:00:00 2026", NAN},
                 {"Sun Nov 0 12:00:00 2026", NAN}};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        char text[200];
        int line, column;
        wsk_log *log;
        snprintf(text, sizeof text, "timestamp, index, power.draw [W]\n%s, 0, 100.00 W\n", times[i].time);
        const wsk_status status = wsk_log_read(&log, "zone.csv", text, strlen(text));
        if (status != (isnan(times[i].utc_s) ? WSK_EINPUT : WSK_OK) ||
            (status == WSK_OK && wsk_log_start_utc_s(log) != times[i].utc_s))
            fail_msg("%s: %s, %.0f s", times[i].time, wsk_status_text(status), wsk_log_start_utc_s(log));
        if (status != WSK_OK) {
            assert_string_equal(said(log, 0, &line, &column), "log.time-form");
            assert_true(line == 2 && column == 1);
            assert_int_equal(wsk_log_left_out(log), 1);
        }
        wsk_log_free(log);
    }
}

/* `take` gives a text in pieces of odd lengths. */
typedef struct {
    const char *text;
    size_t len, at, most;
} given;

static size_t take(void *user, char *to, size_t room)
{
    given *g = user;
    size_t n = g->len - g->at;
    assert_true(room >= WSK_LOG_PIECE);
    n = n < room ? n : room;
    n = n < 70001 ? n : 70001;
    g->most = room > g->most ? room : g->most;
    memcpy(to, g->text + g->at, n);
    g->at += n;
    return n;
}

static void read_in_pieces(const wsk_buf *text, size_t most)
{
    wsk_log *log;
    given g = {.text = text->data, .len = text->len};
    assert_int_equal(wsk_log_read_pieces(&log, "pieces", take, &g), WSK_OK);
    const wsk_log_series s = wsk_log_of(log, 0, WSK_LOG_POWER);
    assert_int_equal(s.count, 50);
    for (size_t i = 0; i < s.count; i++)
        assert_near(s.value[i], 200 + (double)i, 1e-9);
    assert_true(g.at == g.len && g.most < most);
    wsk_log_free(log);
}

static void a_large_log_is_read_once(void **state)
{
    (void)state;
    wsk_buf text = {0}, xml = {0}, json = {0};
    wsk_buf_printf(&text, "t_s,gpu0.power_w.mean\n");
    for (int i = 0; i < 50; i++) /* blanks make each row 1 MiB long */
        wsk_buf_printf(&text, "%d,%d%*s\n", i, 200 + i, 1 << 20, "");
    for (int i = 0; i < 50; i++)
        wsk_buf_printf(
            &xml,
            "<nvidia_smi_log><timestamp>Tue Jul 14 08:12:%02d 2026</timestamp><gpu id=\"0\"><gpu_power_readings>"
            "<power_draw>%*s\n%d W</power_draw></gpu_power_readings></gpu></nvidia_smi_log>%*s\n",
            i, 60, "", 200 + i, 1 << 20, "");
    for (int i = 0; i < 50; i++)
        wsk_buf_printf(
            &json, "%s\n2026-07-14 08:12:%02d\n{\"card0\": {\"Average Graphics Package Power (W)\":%*s\n\"%d\"}}\n",
            i ? "" : "\xEF\xBB\xBF", i, 1 << 20, "", 200 + i);
    read_in_pieces(&text, (size_t)8 << 20);
    read_in_pieces(&xml, (size_t)8 << 20);
    read_in_pieces(&json, (size_t)8 << 20);
    wsk_buf_free(&text);
    wsk_buf_free(&xml);
    wsk_buf_free(&json);
}

/* Of several columns of one quantity that with the lowest rank counts, in whatever order they are. A cell that says
 * nothing leaves it to another. */
static void the_best_column_counts(void **state)
{
    (void)state;
    static const struct {
        const char *columns, *cells;
    } cases[] = {{"power.draw, power.draw.average, power.draw.instant", "200, 210, 220"},
                 {"power.draw.instant, power.draw.average, power.draw", "220, 210, 200"},
                 {"power.draw.average, power.draw, power.draw.instant", "210, 200, 220"},
                 {"power.draw, power.draw.instant, power.draw.average", "[N/A], 220, 200"},
                 {"power.draw.instant, power.draw.average, power.draw", "220, 200, [N/A]"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[400];
        (void)snprintf(text, sizeof text,
                       "timestamp, index, %s\n2026/11/22 12:00:00, 0, %s\n2026/11/22 12:00:01, 0, %s\n",
                       cases[k].columns, cases[k].cells, cases[k].cells);
        wsk_log *log = read_log(text, WSK_OK);
        for (size_t i = 0; i < 2; i++)
            assert_near(at(log, 0, WSK_LOG_POWER, i), 200, 1e-9);
        wsk_log_free(log);
    }
    for (size_t k = 0; k < 3; k++) {
        static const char *const drawn[] = {"<power_draw>200 W</power_draw>",
                                            "<average_power_draw>210 W</average_power_draw>",
                                            "<instant_power_draw>220 W</instant_power_draw>"};
        static const int order[][3] = {{0, 1, 2}, {2, 1, 0}, {1, 0, 2}};
        char text[800];
        (void)snprintf(text, sizeof text,
                       "<?xml version=\"1.0\" ?>\n<nvidia_smi_log>\n<timestamp>Sun Nov 22 12:00:01 2026</timestamp>\n"
                       "<gpu id=\"00000000:01:00.0\">\n<gpu_power_readings>%s%s%s</gpu_power_readings></gpu>\n"
                       "</nvidia_smi_log>\n",
                       drawn[order[k][0]], drawn[order[k][1]], drawn[order[k][2]]);
        wsk_log *log = read_log(text, WSK_OK);
        assert_near(at(log, 0, WSK_LOG_POWER, 0), 200, 1e-9);
        wsk_log_free(log);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_best_column_counts),
        cmocka_unit_test(smi_reads_cards_in_any_order),
        cmocka_unit_test(smi_survives_errors_in_the_stream),
        cmocka_unit_test(names_of_cards_are_never_hidden_ones),
        cmocka_unit_test(own_series_is_a_log),
        cmocka_unit_test(mistakes_are_told),
        cmocka_unit_test(each_line_end_is_read),
        cmocka_unit_test(utf16_is_named),
        cmocka_unit_test(a_long_log_is_thinned),
        cmocka_unit_test(cards_beyond_256_are_left_out),
        cmocka_unit_test(messages_are_bounded),
        cmocka_unit_test(units_of_logs_are_read),
        cmocka_unit_test(units_end_names_of_columns),
        cmocka_unit_test(zones_of_times_are_read),
        cmocka_unit_test(a_large_log_is_read_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
