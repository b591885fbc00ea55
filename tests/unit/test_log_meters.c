/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Logs of meters at the wall that are no tables: ipmitool dcmi, Tasmota. */
#include "tests/unit/log_text.h"

static void assert_wall(const wsk_log *log, size_t i, double t_s, double watts)
{
    const wsk_log_series wall = wsk_log_wall(log);
    assert_true(i < wall.count);
    assert_near(wall.t_s[i], t_s, 1e-6);
    assert_near(wall.value[i], watts, 1e-9);
}

#define DCMI(watts, time, state) \
    "    Instantaneous power reading:                   " watts " Watts\n" \
    "    Minimum during sampling period:                  2 Watts\n" \
    "    Maximum during sampling period:                650 Watts\n" \
    "    Average power reading over sample period:      999 Watts\n" \
    "    IPMI timestamp:                           " time \
    "    Sampling period:                          00000005 Seconds.\n" \
    "    Power reading state is:                   " state "\n\n"

static void dcmi_blocks_are_read(void **state)
{
    (void)state;
    wsk_log *log = read_log("\n" DCMI(" 71", "Sat Nov 14 10:00:00 2026\n", "activated")
                                DCMI(" 73", "Sat Nov 14 10:00:10 2026\n", "activated")
                                    DCMI("345", "Sat Nov 14 10:01:00 2026\n", "activated"),
                            WSK_OK);
    assert_string_equal(wsk_log_format(log), "ipmitool dcmi power reading");
    assert_int_equal(wsk_log_cards(log), 0);
    assert_int_equal(wsk_log_wall(log).count, 3);
    assert_wall(log, 0, 0, 71);
    assert_wall(log, 1, 10, 73);
    assert_wall(log, 2, 60, 345);
    assert_near(wsk_log_start_civil_s(log), 1794650400, 1e-6);
    assert_true(isnan(wsk_log_start_utc_s(log)));
    assert_int_equal(wsk_log_left_out(log), 0);
    assert_int_equal(wsk_log_messages(log), 0);
    wsk_log_free(log);
}

/* ipmitool 1.8.19 writes dates with the month first and a zone, in some builds without the end of the line. */
static void newer_dcmi_blocks_are_read(void **state)
{
    (void)state;
    wsk_log *log = read_log(DCMI("71", "11/14/2026 10:00:00 UTC\n", "activated")
                                DCMI("73", "11/14/2026 10:00:10 UTC\n", "activated"),
                            WSK_OK);
    assert_int_equal(wsk_log_wall(log).count, 2);
    assert_wall(log, 1, 10, 73);
    assert_near(wsk_log_start_utc_s(log), 1794650400, 1e-6);
    wsk_log_free(log);
    log = read_log(DCMI("71", "11/14/2026 11:59:55 AM EST", "activated")
                       DCMI("73", "11/14/2026 12:00:05 PM EST", "activated"),
                   WSK_OK);
    assert_int_equal(wsk_log_wall(log).count, 2);
    assert_wall(log, 1, 10, 73);
    assert_near(wsk_log_start_civil_s(log), 1794650400 + 7195, 1e-6);
    wsk_log_free(log);
}

/* The clock of a management controller may never have been set (1970), so a line with the time before a block replaces
 * the time of the block. */
static void a_time_before_a_dcmi_block_counts(void **state)
{
    (void)state;
    wsk_log *log =
        read_log("2026-11-14T10:00:00+00:00\n" DCMI(
                     "71", "Thu Jan  1 00:00:00 1970\n",
                     "activated") "2026-11-14T10:00:05+00:00\n" DCMI("73", "Thu Jan  1 00:00:00 1970\n", "activated"),
                 WSK_OK);
    assert_int_equal(wsk_log_wall(log).count, 2);
    assert_wall(log, 1, 5, 73);
    assert_near(wsk_log_start_utc_s(log), 1794650400, 1e-6);
    wsk_log_free(log);
}

/* Other files state local times without their zone. */
static void local_time_is_that_of_the_stated_zone(void **state)
{
    (void)state;
    wsk_log *log = read_log("time,wall_w\n2026-11-14T10:00:00+02:00,71\n2026-11-14T10:00:05+02:00,73\n", WSK_OK);
    assert_near(wsk_log_start_utc_s(log), 1794650400 - 7200, 1e-6);
    assert_near(wsk_log_start_civil_s(log), 1794650400, 1e-6);
    wsk_log_free(log);
    log = read_log("time,wall_w\n2026-11-14T10:00:00-0530,71\n2026-11-14T10:00:05-0530,73\n", WSK_OK);
    assert_near(wsk_log_start_utc_s(log), 1794650400 + 19800, 1e-6);
    assert_near(wsk_log_start_civil_s(log), 1794650400, 1e-6);
    wsk_log_free(log);
}

/* A machine that does not measure its power writes "deactivated"; the last block may be cut within its time. */
static void dcmi_blocks_without_a_reading_are_left_out(void **state)
{
    (void)state;
    wsk_log *log = read_log(
        DCMI("71", "Sat Nov 14 10:00:00 2026\n", "activated") DCMI("212", "Sat Nov 14 10:00:10 2026\n", "deactivated")
            DCMI("x", "Sat Nov 14 10:00:15 2026\n", "activated")
                DCMI("73", "Sat Nov 14 10:00:20 2026\n",
                     "activated") "    Instantaneous power reading:                   75 Watts\n"
                                  "    IPMI timestamp:                           Sat Nov 14 10:00:3",
        WSK_OK);
    assert_int_equal(wsk_log_wall(log).count, 2);
    assert_wall(log, 1, 20, 73);
    assert_int_equal(wsk_log_left_out(log), 3);
    wsk_log_free(log);
    wsk_log_free(read_log("    Instantaneous power reading:                   75 Watts\n", WSK_EINPUT));
}

static void lines_of_tasmota_are_read(void **state)
{
    (void)state;
    int line, column;
    wsk_log *log = read_log("{\"Time\":\"2026-11-22T12:00:00\",\"ENERGY\":{\"Total\":1.2,\"Power\":345}}\n"
                            "{\"Time\":\"2026-11-22T12:00:05\",\"Wifi\":{\"RSSI\":42}}\n"
                            "{\"Time\":\"2026-11-22T12:00:10.5\",\"ENERGY\":{\"Power\":[52,5]}}\n"
                            "{\"Time\":\"2026-11-22T12:00:20\",\"ENERGY\":{\"Power\":346.5}}\n"
                            "{\"Time\":\"2026-11-22T12:00:30\",\"ENERGY\":{\"Pow",
                            WSK_OK);
    assert_string_equal(wsk_log_format(log), "Tasmota");
    assert_int_equal(wsk_log_cards(log), 0);
    assert_int_equal(wsk_log_wall(log).count, 2);
    assert_wall(log, 0, 0, 345);
    assert_wall(log, 1, 20, 346.5);
    assert_near(wsk_log_start_civil_s(log), 1795348800, 1e-6);
    assert_int_equal(wsk_log_left_out(log), 2);
    assert_string_equal(said(log, 0, &line, &column), "log.nothing");
    assert_int_equal(line, 3);
    assert_string_equal(said(log, 1, &line, &column), "log.cut");
    assert_int_equal(line, 5);
    wsk_log_free(log);
}

/* `mosquitto_sub -v` writes the topic first. Of a log of several plugs only the plug of the first line is read. */
static void topics_of_tasmota_tell_plugs_apart(void **state)
{
    (void)state;
    wsk_log *log = read_log("tele/rig/SENSOR {\"Time\":\"2026-11-22T12:00:00\",\"ENERGY\":{\"Power\":345}}\n"
                            "tele/lamp/SENSOR {\"Time\":\"2026-11-22T12:00:05\",\"ENERGY\":{\"Power\":7}}\n"
                            "tele/rig/SENSOR {\"Time\":\"2026-11-22T12:00:10\",\"ENERGY\":{\"Power\":350}}\n",
                            WSK_OK);
    assert_int_equal(wsk_log_wall(log).count, 2);
    assert_wall(log, 1, 10, 350);
    assert_int_equal(wsk_log_left_out(log), 1);
    wsk_log_free(log);
    log = read_log("{\"StatusSNS\":{\"Time\":\"2026-11-22T12:00:00\",\"ENERGY\":{\"Power\":345}}}\n"
                   "{\"StatusSNS\":{\"Time\":\"2026-11-22T12:00:10\",\"ENERGY\":{\"Power\":346}}}\n",
                   WSK_OK);
    assert_int_equal(wsk_log_wall(log).count, 2);
    wsk_log_free(log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(dcmi_blocks_are_read),
                                       cmocka_unit_test(newer_dcmi_blocks_are_read),
                                       cmocka_unit_test(a_time_before_a_dcmi_block_counts),
                                       cmocka_unit_test(local_time_is_that_of_the_stated_zone),
                                       cmocka_unit_test(dcmi_blocks_without_a_reading_are_left_out),
                                       cmocka_unit_test(lines_of_tasmota_are_read),
                                       cmocka_unit_test(topics_of_tasmota_tell_plugs_apart)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
