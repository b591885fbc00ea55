/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Readers of logs other than nvidia-smi --query-gpu. Each log in this file is written by hand: nvidia-smi dmon, -q
 * and -q -x and scrapes of dcgm-exporter like captures that tests/validate/test_log_captures.c reads; the others from
 * their documentation alone. */
#include "tests/unit/log_text.h"

static const double kelvin = 273.15;

static void dmon_repeats_its_header(void **state)
{
    (void)state;
    wsk_log *log = read_log("#Date       Time        gpu    pwr  gtemp  mtemp     sm    mem   mclk   pclk\n"
                            "#YYYYMMDD   HH:MM:SS    Idx      W      C      C      %      %    MHz    MHz\n"
                            " 20261122   23:59:59      0    301     61      -    100     40   9501   1710\n"
                            " 20261122   23:59:59      1     35     40      -      0      1    405    210\n"
                            "#Date       Time        gpu    pwr  gtemp  mtemp     sm    mem   mclk   pclk\n"
                            "#YYYYMMDD   HH:MM:SS    Idx      W      C      C      %      %    MHz    MHz\n"
                            " 20261123   00:00:01      0    299     62      -     99     41   9501   1695\n"
                            " 20261123   00:00:01      1     36     41\n",
                            WSK_OK);
    assert_string_equal(wsk_log_format(log), "nvidia-smi dmon");
    assert_int_equal(wsk_log_cards(log), 2);
    assert_near(at(log, 0, WSK_LOG_POWER, 1), 299, 1e-9);
    assert_near(at(log, 0, WSK_LOG_DIE, 0), 61 + kelvin, 1e-9);
    assert_near(at(log, 0, WSK_LOG_CLOCK, 1), 1695e6, 1);
    assert_near(at(log, 0, WSK_LOG_MEMORY_CLOCK, 0), 9501e6, 1);
    assert_near(at(log, 0, WSK_LOG_UTILISATION, 1), 0.99, 1e-9);
    assert_int_equal(wsk_log_of(log, 0, WSK_LOG_MEMORY).count, 0);
    assert_near(wsk_log_of(log, 0, WSK_LOG_POWER).t_s[1], 2, 1e-9);
    assert_int_equal(wsk_log_of(log, 1, WSK_LOG_POWER).count, 1);
    assert_int_equal(wsk_log_left_out(log), 1); /* the last row, which was cut off */
    wsk_log_free(log);
}

/* nvidia-smi dmon -o T: the time without a date, in the first column. */
static void dmon_has_times_alone(void **state)
{
    (void)state;
    wsk_log *log = read_log("#Time        gpu    pwr  gtemp\n"
                            "#HH:MM:SS    Idx      W      C\n"
                            " 23:59:50      0    301     61\n"
                            " 23:59:55      0    299     62\n"
                            " 00:00:05      0    298     63\n",
                            WSK_OK);
    assert_int_equal(wsk_log_messages(log), 0);
    const wsk_log_series s = wsk_log_of(log, 0, WSK_LOG_POWER);
    assert_int_equal(s.count, 3);
    assert_near(s.t_s[1] - s.t_s[0], 5, 1e-9);
    assert_near(s.t_s[2] - s.t_s[0], 15, 1e-9);
    wsk_log_free(log);
}

static void dcgmi_names_entities(void **state)
{
    (void)state;
    wsk_log *log = read_log("#Entity   POWER     TMPTR   MMTMP   SMCLK   GPUTL\n"
                            "ID\n"
                            "GPU 1     36.5      41      N/A     210     0\n"
                            "GPU 0     301.25    61      78      1710    98\n"
                            "GPU-I 0   N/A       N/A     N/A     N/A     N/A\n"
                            "#Entity   POWER     TMPTR   MMTMP   SMCLK   GPUTL\n"
                            "ID\n"
                            "GPU 1     37.5      41      N/A     210     0\n"
                            "GPU 0     299.75    62      80      1695    99\n"
                            "GPU 1     37.5\n",
                            WSK_OK);
    assert_string_equal(wsk_log_format(log), "dcgmi dmon");
    assert_int_equal(wsk_log_cards(log), 2);
    assert_string_equal(wsk_log_card(log, 0), "0");
    assert_near(at(log, 0, WSK_LOG_POWER, 0), 301.25, 1e-9);
    assert_near(at(log, 0, WSK_LOG_DIE, 1), 62 + kelvin, 1e-9);
    assert_near(at(log, 0, WSK_LOG_MEMORY, 0), 78 + kelvin, 1e-9);
    assert_near(at(log, 0, WSK_LOG_CLOCK, 1), 1695e6, 1);
    assert_near(at(log, 0, WSK_LOG_UTILISATION, 0), 0.98, 1e-9);
    assert_near(at(log, 1, WSK_LOG_POWER, 1), 37.5, 1e-9);
    assert_int_equal(wsk_log_of(log, 1, WSK_LOG_MEMORY).count, 0);
    assert_near(wsk_log_of(log, 0, WSK_LOG_POWER).t_s[1] - wsk_log_of(log, 0, WSK_LOG_POWER).t_s[0], 1, 1e-9);
    assert_int_equal(wsk_log_left_out(log), 2); /* the row of the GPU instance, and the last row, cut off */
    wsk_log_free(log);
}

static void processes_are_no_cards(void **state)
{
    (void)state;
    int line, column;
    wsk_log *log = read_log("# gpu         pid   type     sm    mem    enc    dec    command\n"
                            "# Idx           #    C/G      %      %      %      %    name\n"
                            "    0       1234     C     90     40      -      -    python\n",
                            WSK_EINPUT);
    assert_string_equal(said(log, 0, &line, &column), "log.unknown");
    wsk_log_free(log);
}

static void queries_follow_each_other(void **state)
{
    (void)state;
    static const char one[] = "==============NVSMI LOG==============\n\n"
                              "Timestamp                                 : Sun Nov 22 12:00:%02d 2026\n"
                              "Driver Version                            : 590.48\n\n"
                              "GPU 00000000:01:00.0\n"
                              "    Fan Speed                             : 38 %%\n"
                              "    Utilization\n"
                              "        GPU                               : 97 %%\n"
                              "        Memory                            : 40 %%\n"
                              "    Temperature\n"
                              "        GPU Current Temp                  : %d C\n"
                              "        GPU Shutdown Temp                 : 95 C\n"
                              "        Memory Current Temp               : N/A\n"
                              "    GPU Power Readings\n"
                              "        Average Power Draw                : 250.10 W\n"
                              "        Instantaneous Power Draw          : 249.00 W\n"
                              "        Current Power Limit               : 300.00 W\n"
                              "    Clocks\n"
                              "        SM                                : 1710 MHz\n"
                              "    Max Clocks\n"
                              "        SM                                : 2100 MHz\n\n";
    char text[2 * sizeof one + 64], *to = text;
    for (int i = 0; i < 2; i++)
        to += snprintf(to, sizeof text - (size_t)(to - text), one, 10 * i, 60 + i);
    wsk_log *log = read_log(text, WSK_OK);
    assert_string_equal(wsk_log_format(log), "nvidia-smi -q");
    assert_int_equal(wsk_log_cards(log), 1);
    assert_string_equal(wsk_log_card(log, 0), "00000000:01:00.0");
    assert_near(at(log, 0, WSK_LOG_DIE, 1), 61 + kelvin, 1e-9);
    assert_near(at(log, 0, WSK_LOG_POWER, 0), 250.1, 1e-9);
    assert_near(at(log, 0, WSK_LOG_LIMIT, 0), 300, 1e-9);
    assert_near(at(log, 0, WSK_LOG_CLOCK, 0), 1710e6, 1);
    assert_near(at(log, 0, WSK_LOG_FAN, 0), 0.38, 1e-9);
    assert_near(wsk_log_of(log, 0, WSK_LOG_DIE).t_s[1], 10, 1e-9);
    assert_near(wsk_log_start_civil_s(log), 1795348800, 1); /* 2026-11-22T12:00:00 */
    wsk_log_free(log);
}

static void queries_in_xml_may_be_cut(void **state)
{
    (void)state;
    static const char one[] = "<?xml version=\"1.0\" ?>\n<!DOCTYPE nvidia_smi_log SYSTEM \"nvsmi_device_v12.dtd\">\n"
                              "<nvidia_smi_log>\n<timestamp>Sun Nov 22 12:00:%02d 2026</timestamp>\n"
                              "<gpu id=\"00000000:01:00.0\">\n<uuid>GPU-secret</uuid>\n<serial>123</serial>\n"
                              "<fan_speed>45 %%</fan_speed>\n<temperature><gpu_temp>%d C</gpu_temp></temperature>\n"
                              "<gpu_power_readings><power_draw>200.00 W</power_draw></gpu_power_readings>\n"
                              "<utilization><gpu_util>88 %%</gpu_util></utilization>\n</gpu>\n</nvidia_smi_log>\n";
    char text[3 * sizeof one + 64], *to = text;
    for (int i = 0; i < 3; i++)
        to += snprintf(to, sizeof text - (size_t)(to - text), one, 10 * i, 60 + i);
    wsk_log *log = read_log(text, WSK_OK);
    assert_string_equal(wsk_log_format(log), "nvidia-smi -q -x");
    assert_int_equal(wsk_log_of(log, 0, WSK_LOG_DIE).count, 3);
    assert_near(at(log, 0, WSK_LOG_POWER, 2), 200, 1e-9);
    assert_near(at(log, 0, WSK_LOG_UTILISATION, 0), 0.88, 1e-9);
    assert_null(strstr(wsk_log_card(log, 0), "secret"));
    wsk_log_free(log);
    *strstr(strstr(strstr(text, "<gpu_temp>") + 1, "<gpu_temp>") + 1, "2 C</gpu") = '\0'; /* cuts the third query */
    log = read_log(text, WSK_OK);
    assert_int_equal(wsk_log_of(log, 0, WSK_LOG_DIE).count, 2);
    wsk_log_free(log);
}

static void scrapes_follow_each_other(void **state)
{
    (void)state;
    wsk_log *log = read_log("# HELP DCGM_FI_DEV_GPU_TEMP GPU temperature (in C).\n# TYPE DCGM_FI_DEV_GPU_TEMP gauge\n"
                            "DCGM_FI_DEV_GPU_TEMP{gpu=\"0\",UUID=\"GPU-a\"} 50 1795348800000\n"
                            "DCGM_FI_DEV_GPU_TEMP{gpu=\"1\",UUID=\"GPU-b\"} 60 1795348800000\n"
                            "DCGM_FI_DEV_POWER_USAGE{gpu=\"0\",UUID=\"GPU-a\"} 300.5 1795348800000\n"
                            "DCGM_FI_DEV_MEMORY_TEMP{gpu=\"0\",UUID=\"GPU-a\"} 9223372036854775794 1795348800000\n"
                            "DCGM_FI_DEV_GPU_TEMP{gpu=\"0\",UUID=\"GPU-a\"} 51 1795348815000\n"
                            "DCGM_FI_DEV_GPU_TEMP{gpu=\"1\",UUID=\"GPU-b\"} 61 1795348815000\n",
                            WSK_OK);
    assert_string_equal(wsk_log_format(log), "dcgm-exporter");
    assert_int_equal(wsk_log_cards(log), 2);
    assert_near(at(log, 1, WSK_LOG_DIE, 1), 61 + kelvin, 1e-9);
    assert_near(wsk_log_of(log, 1, WSK_LOG_DIE).t_s[1], 15, 1e-9);
    assert_near(at(log, 0, WSK_LOG_POWER, 0), 300.5, 1e-9);
    /* 9223372036854775794 is how DCGM marks a missing value. */
    assert_int_equal(wsk_log_of(log, 0, WSK_LOG_MEMORY).count, 0);
    wsk_log_free(log);
}

static void prometheus_answers_are_read(void **state)
{
    (void)state;
    wsk_log *log = read_log(
        "{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":["
        "{\"metric\":{\"__name__\":\"DCGM_FI_DEV_GPU_TEMP\",\"gpu\":\"0\",\"UUID\":\"GPU-a\"},"
        "\"values\":[[1795348800,\"50\"],[1795348815.5,\"51\"],[1795348830,\"NaN\"],[1795348845]]},"
        "{\"metric\":{\"__name__\":\"DCGM_FI_DEV_POWER_USAGE\",\"gpu\":\"1\"},\"values\":[[1795348800,\"300.5\"]]},"
        "{\"metric\":{\"__name__\":\"up\"},\"values\":[[1795348800,\"1\"]]},{\"metric\":null},7]}}",
        WSK_OK);
    assert_string_equal(wsk_log_format(log), "Prometheus query_range");
    assert_int_equal(wsk_log_cards(log), 2);
    assert_int_equal(wsk_log_of(log, 0, WSK_LOG_DIE).count, 2);
    assert_near(at(log, 0, WSK_LOG_DIE, 1), 51 + kelvin, 1e-9);
    assert_near(wsk_log_of(log, 0, WSK_LOG_DIE).t_s[1], 15.5, 1e-6);
    assert_near(at(log, 1, WSK_LOG_POWER, 0), 300.5, 1e-9);
    assert_near(wsk_log_start_utc_s(log), 1795348800, 1e-6);
    assert_int_equal(wsk_log_left_out(log), 1);
    wsk_log_free(log);
    /* Each series begins again at the first time, which is no message; a step back in time within a series is one. */
#define SERIES(name, last) \
    "{\"metric\":{\"__name__\":\"DCGM_FI_DEV_" name "\",\"gpu\":\"0\"},\"values\":[[1795348800,\"50\"]," \
    "[1795349800,\"51\"],[" last ",\"52\"]]}"
    log = read_log(
        "{\"data\":{\"result\":[" SERIES("GPU_TEMP", "1795350800") "," SERIES("POWER_USAGE", "1795350800") "]}}",
        WSK_OK);
    assert_int_equal(wsk_log_messages(log), 0);
    assert_int_equal(wsk_log_of(log, 0, WSK_LOG_POWER).count, 3);
    wsk_log_free(log);
    log = read_log(
        "{\"data\":{\"result\":[" SERIES("GPU_TEMP", "1795350800") "," SERIES("POWER_USAGE", "1795349000") "]}}",
        WSK_OK);
    assert_int_equal(wsk_log_messages(log), 1);
    wsk_log_free(log);
    wsk_log_free(read_log("{\"data\":{\"result\":[", WSK_EINPUT));
    wsk_log_free(read_log("{\"data\":[]}", WSK_EINPUT));
}

/* GPU-Z pads its columns with blanks. HWiNFO gives the columns of several cards the same names, and writes decimal
 * commas and the degree sign of the Windows character set. */
static void windows_programs_are_read(void **state)
{
    (void)state;
    wsk_log *log = read_log(
        "        Date        , GPU Clock [MHz] , GPU Temperature [\xB0"
        "C] , Hot Spot [\xB0"
        "C] , Fan Speed (%) [%] , "
        "Fan Speed (RPM) [RPM] , Board Power Draw [W] , GPU Load [%] ,\r\n"
        "2026-11-22 12:00:00 , 2610.0          , 61.5                  , 72.0           , 45                , "
        "1600                  , 301.2                , 99           ,\r\n"
        "2026-11-22 12:00:02 , 2595.0          , 62.5                  , 73.0           , 46                , "
        "1650                  , 299.8                , 98           ,\r\n",
        WSK_OK);
    assert_string_equal(wsk_log_format(log), "GPU-Z or HWiNFO");
    assert_near(at(log, 0, WSK_LOG_DIE, 1), 62.5 + kelvin, 1e-9);
    assert_near(at(log, 0, WSK_LOG_HOT_SPOT, 0), 72 + kelvin, 1e-9);
    assert_near(at(log, 0, WSK_LOG_POWER, 0), 301.2, 1e-9);
    assert_near(at(log, 0, WSK_LOG_FAN_SPEED, 1), 1650, 1e-9);
    assert_near(wsk_log_of(log, 0, WSK_LOG_DIE).t_s[1], 2, 1e-9);
    wsk_log_free(log);
    log = read_log("Date;Time;\"GPU Temperature [\xB0"
                   "C]\";\"GPU Power [W]\";\"GPU Temperature [\xB0"
                   "C]\";\"GPU Power [W]\"\r\n"
                   "22.11.2026;12:00:00.100;61,5;301,25;50,0;200,5\r\n"
                   "22.11.2026;12:00:02.100;62,5;300,75;51,0;201,5\r\n"
                   "Date;Time;\"GPU Temperature [\xB0"
                   "C]\";\"GPU Power [W]\";\"GPU Temperature [\xB0"
                   "C]\";\"GPU Power [W]\"\r\n",
                   WSK_OK);
    assert_int_equal(wsk_log_cards(log), 2);
    assert_near(at(log, 0, WSK_LOG_POWER, 0), 301.25, 1e-9);
    assert_near(at(log, 1, WSK_LOG_DIE, 1), 51 + kelvin, 1e-9);
    assert_int_equal(wsk_log_of(log, 1, WSK_LOG_DIE).count, 2);
    wsk_log_free(log);
}

static void rocm_writes_json(void **state)
{
    (void)state;
    int line, column;
    wsk_log *log = read_log(
        "2026-11-22T12:00:00+01:00\n"
        "{\"card0\": {\"Temperature (Sensor edge) (C)\": \"55.0\", \"Temperature (Sensor mem) (c)\": \"70.0\", "
        "\"Average Graphics Package Power (W)\": \"240.0\", \"sclk clock speed:\": \"(1802Mhz)\", \"sclk clock "
        "level:\": "
        "\"7\", \"Fan speed (level)\": \"117\", \"Fan speed (%)\": \"45\", \"Fan RPM\": \"1600\", \"GPU use (%)\": "
        "\"99\"}, "
        "\"card1\": {\"Temperature (Sensor edge) (C)\": \"40.0\", \"Average Graphics Package Power (W)\": \"N/A "
        "(Secondary die)\"}, \"system\": {\"Driver version\": \"6.7\"}}\n\n"
        "2026-11-22T12:00:02+01:00\n"
        "{\"card0\": {\"Temperature (Sensor edge) (C)\": \"56.0\", \"Current Socket Graphics Package Power (W)\": "
        "\"241.5\"}}\n"
        "2026-11-22T12:00:04+01:00\n"
        "{\"card0\": {\"Temperature (Sensor ed\n"
        "{\"card0\": {\"Temperature (Sensor edge) (C)\": \"57.0\", oops}}\n"
        "{\"card0\": {\"Temperature (Sensor edge) (C)\": \"58.0\"}}\n",
        WSK_OK);
    assert_string_equal(wsk_log_format(log), "rocm-smi or amd-smi, JSON");
    assert_int_equal(wsk_log_cards(log), 2);
    assert_string_equal(wsk_log_card(log, 1), "1");
    assert_near(at(log, 0, WSK_LOG_DIE, 1), 56 + kelvin, 1e-9);
    assert_near(at(log, 0, WSK_LOG_MEMORY, 0), 70 + kelvin, 1e-9);
    assert_near(at(log, 0, WSK_LOG_POWER, 0), 240, 1e-9);
    assert_near(at(log, 0, WSK_LOG_POWER, 1), 241.5, 1e-9);
    assert_near(at(log, 0, WSK_LOG_CLOCK, 0), 1802e6, 1);
    assert_near(at(log, 0, WSK_LOG_FAN, 0), 0.45, 1e-9);
    assert_near(at(log, 0, WSK_LOG_FAN_SPEED, 0), 1600, 1e-9);
    assert_near(at(log, 0, WSK_LOG_UTILISATION, 0), 0.99, 1e-9);
    assert_int_equal(wsk_log_of(log, 1, WSK_LOG_POWER).count, 0);
    assert_near(wsk_log_of(log, 0, WSK_LOG_DIE).t_s[1], 2, 1e-6);
    assert_near(at(log, 0, WSK_LOG_DIE, 2), 58 + kelvin,
                1e-9); /* the document that was cut and the damaged one are left out */
    assert_near(wsk_log_start_utc_s(log), 1795345200, 1e-6);
    assert_int_equal(wsk_log_left_out(log), 2);
    assert_string_equal(said(log, 0, &line, &column), "log.json-cut");
    assert_int_equal(line, 8);
    assert_string_equal(said(log, 1, &line, &column), "json.syntax");
    assert_int_equal(line, 8);
    wsk_log_free(log);
    log = read_log("{\"card0\": {\"Fan Speed (%)\": \"45\", \"Average Graphics Package Power (W)\": \"222.0\"}}\n"
                   "{\"card0\": {\"Fan Speed (%)\": \"46\", \"Average Graphics Package Power (W)\": \"223.0\"}}\n",
                   WSK_OK);
    assert_string_equal(said(log, 0, &line, &column), "log.json-no-time");
    assert_near(wsk_log_of(log, 0, WSK_LOG_POWER).t_s[1], 1, 1e-9);
    wsk_log_free(log);
    /* Mistakes stand in the second line of the first document and in the third of the second; then the log ends within
     * a document. */
    log = read_log("{\"card0\": {\"Average Graphics Package Power (W)\": \"222.0\"}}\n"
                   "{\"card0\":\n oops\n\n}\n"
                   "{\"card0\":\n\n oops\n}\n"
                   "{\"card0\":\n",
                   WSK_OK);
    static const int places[][2] = {{3, 2}, {8, 2}, {10, 11}};
    assert_int_equal(wsk_log_left_out(log), 3);
    assert_int_equal(wsk_log_messages(log), 4);
    for (size_t i = 0; i < 3; i++) {
        assert_string_equal(said(log, i + 1, &line, &column), i < 2 ? "json.syntax" : "log.json-cut");
        assert_int_equal(line, places[i][0]);
    }
    wsk_log_free(log);
}

static void amd_smi_writes_json(void **state)
{
    (void)state;
    static const char metric[] =
        "    {\n        \"timestamp\": %d,\n        \"gpu\": %d,\n        \"usage\": {\"gfx_activity\": {\"value\": "
        "98, "
        "\"unit\": \"%%\"}, \"vcn_activity\": [\"N/A\", \"N/A\"]},\n        \"power\": {\"socket_power\": "
        "{\"value\": "
        "%d, \"unit\": \"W\"}, \"gfx_voltage\": {\"value\": 780, \"unit\": \"mV\"}},\n        \"clock\": {\"gfx_0\": "
        "{\"clk\": {\"value\": 2100, \"unit\": \"MHz\"}, \"max_clk\": {\"value\": 2482, \"unit\": \"MHz\"}}, "
        "\"mem_0\": "
        "{\"clk\": {\"value\": 1124, \"unit\": \"MHz\"}}},\n        \"temperature\": {\"edge\": {\"value\": %d, "
        "\"unit\": \"C\"}, \"hotspot\": {\"value\": 70, \"unit\": \"C\"}, \"mem\": \"N/A\"},\n        \"fan\": "
        "{\"speed\": 100, \"rpm\": 1450, \"usage\": {\"value\": 39.2, \"unit\": \"%%\"}}\n    }";
    char text[6 * sizeof metric], *to = text;
    to += snprintf(to, sizeof text, "'CTRL' + 'C' to stop watching output:\n");
    for (int i = 0; i < 2; i++) {
        to += snprintf(to, sizeof text - (size_t)(to - text), i ? "{\"gpu_data\": [\n" : "[\n");
        to += snprintf(to, sizeof text - (size_t)(to - text), metric, 1769014607 + i, 0, 250 + i, 60 + i);
        to += snprintf(to, sizeof text - (size_t)(to - text), ",\n");
        to += snprintf(to, sizeof text - (size_t)(to - text), metric, 1769014607 + i, 1, 150 + i, 50 + i);
        to += snprintf(to, sizeof text - (size_t)(to - text), i ? "\n]}\n" : "\n]\n");
    }
    wsk_log *log = read_log(text, WSK_OK);
    assert_int_equal(wsk_log_cards(log), 2);
    assert_int_equal(wsk_log_messages(log), 0);
    assert_near(at(log, 0, WSK_LOG_POWER, 1), 251, 1e-9);
    assert_near(at(log, 1, WSK_LOG_DIE, 1), 51 + kelvin, 1e-9);
    assert_near(at(log, 0, WSK_LOG_HOT_SPOT, 0), 70 + kelvin, 1e-9);
    assert_near(at(log, 0, WSK_LOG_CLOCK, 0), 2100e6, 1);
    assert_near(at(log, 0, WSK_LOG_MEMORY_CLOCK, 0), 1124e6, 1);
    assert_near(at(log, 0, WSK_LOG_UTILISATION, 0), 0.98, 1e-9);
    assert_near(at(log, 0, WSK_LOG_FAN, 0), 0.392, 1e-9);
    assert_near(at(log, 0, WSK_LOG_FAN_SPEED, 0), 1450, 1e-9);
    assert_int_equal(wsk_log_of(log, 0, WSK_LOG_MEMORY).count, 0);
    assert_near(wsk_log_of(log, 1, WSK_LOG_POWER).t_s[1], 1, 1e-9);
    assert_near(wsk_log_start_utc_s(log), 1769014607, 1e-6);
    wsk_log_free(log);
    log = read_log("[{\"timestamp\": 1769014607, \"gpu\": 0, \"power_usage\": {\"value\": 250, \"unit\": \"W\"}, "
                   "\"max_power\": {\"value\": 303, \"unit\": \"W\"}, \"hotspot_temperature\": {\"value\": 70, "
                   "\"unit\": \"C\"}, \"memory_temperature\": {\"value\": 80, \"unit\": \"C\"}, \"gfx_clk\": "
                   "{\"value\": 2100, \"unit\": \"MHz\"}, \"gfx\": {\"value\": 99, \"unit\": \"%\"}}]\n",
                   WSK_OK);
    assert_near(at(log, 0, WSK_LOG_POWER, 0), 250, 1e-9);
    assert_near(at(log, 0, WSK_LOG_LIMIT, 0), 303, 1e-9);
    assert_near(at(log, 0, WSK_LOG_HOT_SPOT, 0), 70 + kelvin, 1e-9);
    assert_near(at(log, 0, WSK_LOG_MEMORY, 0), 80 + kelvin, 1e-9);
    assert_near(at(log, 0, WSK_LOG_CLOCK, 0), 2100e6, 1);
    assert_near(at(log, 0, WSK_LOG_UTILISATION, 0), 0.99, 1e-9);
    wsk_log_free(log);
    int line, column;
    log = read_log("[{\"timestamp\": 1769014607, \"gpu\": 0, \"power_usage\": 250},\n"
                   "{\"timestamp\": \"noon\", \"gpu\": 0, \"power_usage\": 251}]\n",
                   WSK_OK);
    assert_int_equal(wsk_log_of(log, 0, WSK_LOG_POWER).count, 1);
    assert_int_equal(wsk_log_left_out(log), 1);
    assert_string_equal(said(log, 0, &line, &column), "log.time");
    wsk_log_free(log);
    wsk_log_free(read_log("[{\"gpu\": 0, \"power\": \"N/A\"}]\n", WSK_EINPUT));
    wsk_log_free(read_log("{\"card0\": {\"x\": 1}, \"card1\": [1, {}], \"gpu_data\": {}}\n", WSK_EINPUT));
    wsk_log_free(read_log("[{\"gpu\": 0, \"power_usage\": ", WSK_EINPUT));
}

static void amd_programs_are_read(void **state)
{
    (void)state;
    wsk_log *log = read_log("timestamp,gpu,power_usage,hotspot_temperature,memory_temperature,gfx,gfx_clock\n"
                            "1795348800,0,250 W,70 \xC2\xB0"
                            "C,80 \xC2\xB0"
                            "C,100 %,2100 MHz\n"
                            "1795348801,0,251 W,71 \xC2\xB0"
                            "C,81 \xC2\xB0"
                            "C,100 %,2090 MHz\n",
                            WSK_OK);
    assert_string_equal(wsk_log_format(log), "rocm-smi or amd-smi");
    assert_near(at(log, 0, WSK_LOG_POWER, 1), 251, 1e-9);
    assert_near(at(log, 0, WSK_LOG_HOT_SPOT, 0), 70 + kelvin, 1e-9);
    assert_near(at(log, 0, WSK_LOG_MEMORY, 1), 81 + kelvin, 1e-9);
    wsk_log_free(log);
    log = read_log("device,Temperature (Sensor edge) (C),sclk clock speed:,sclk clock level:,Average Graphics "
                   "Package Power (W)\n"
                   "card0,55.0,(2100Mhz),1,240.0\ncard1,50.0,(500Mhz),0,200.0\n",
                   WSK_OK);
    assert_int_equal(wsk_log_cards(log), 2);
    assert_near(at(log, 0, WSK_LOG_DIE, 0), 55 + kelvin, 1e-9);
    assert_near(at(log, 1, WSK_LOG_POWER, 0), 200, 1e-9);
    assert_near(at(log, 0, WSK_LOG_CLOCK, 0), 2.1e9, 1);
    wsk_log_free(log);
}

static void a_meter_tells_the_wall(void **state)
{
    (void)state;
    wsk_log *log = read_log("time,apower\n2026-11-22T12:00:00Z,450.5\n2026-11-22T12:00:05Z,455.5\n", WSK_OK);
    assert_int_equal(wsk_log_wall(log).count, 2);
    assert_near(wsk_log_wall(log).value[1], 455.5, 1e-9);
    assert_near(wsk_log_start_utc_s(log), 1795348800, 1e-6);
    wsk_log_free(log);
    /* "watts" may be the power of a card or of the whole machine, so it is read as both. */
    log = read_log("time,watts\n0,450\n5,460\n", WSK_OK);
    assert_near(at(log, 0, WSK_LOG_POWER, 1), 460, 1e-9);
    assert_int_equal(wsk_log_wall(log).count, 2);
    wsk_log_free(log);
}

static void rows_without_names_are_told(void **state)
{
    (void)state;
    int line, column;
    wsk_log *log =
        read_log("2026/11/22 12:00:00.000, 0, 61, 301.5 W\n2026/11/22 12:00:01.000, 0, 61, 301.5 W\n", WSK_EINPUT);
    assert_string_equal(said(log, 0, &line, &column), "log.no-header");
    wsk_log_free(log);
}

static void telegraf_lines(void **state)
{
    (void)state;
    wsk_log *log =
        read_log("cpu,cpu=cpu0,host=a usage_idle=99 1700000000000000000\n"
                 "nvidia_smi,host=a\\ b,index=1,name=NVIDIA\\ A40\\,\\ 48GB,uuid=GPU-secret clocks_current_sm=1740i,"
                 "driver_version=\"550, 54\",fan_speed=46i,power_draw=101.5,temperature_gpu=50i,utilization_gpu=99i "
                 "1700000000000000000\n"
                 "nvidia_smi,index=0,uuid=GPU-other power_draw=20.5,temperature_gpu=31i 1700000000000000000\n"
                 "amd_rocm_smi,gpu_id=0x66af,name=card2 "
                 "power_draw=35,temperature_sensor_edge=40,temperature_sensor_junction=48 "
                 "1700000001000000000\n"
                 "nvidia_smi,index=0 power_draw=21.5,temperature_gpu=32i 1700000010000000000\n"
                 "nvidia_smi,index=0 power_draw=21.5,temperature_gpu=32i soon\n"
                 "nvidia_smi,index=0 power_draw=99.5,temperature_gpu=33i 17000000",
                 WSK_OK);
    int line, column;
    assert_string_equal(wsk_log_format(log), "telegraf");
    assert_int_equal(wsk_log_cards(log), 3);
    assert_string_equal(wsk_log_card(log, 1), "1");
    assert_near(at(log, 1, WSK_LOG_POWER, 0), 101.5, 1e-9);
    assert_near(at(log, 1, WSK_LOG_CLOCK, 0), 1.74e9, 1);
    assert_near(at(log, 1, WSK_LOG_FAN, 0), 0.46, 1e-9);
    assert_near(at(log, 1, WSK_LOG_DIE, 0), 50 + WSK_KELVIN, 1e-9);
    assert_near(at(log, 2, WSK_LOG_HOT_SPOT, 0), 48 + WSK_KELVIN, 1e-9);
    const wsk_log_series s = wsk_log_of(log, 0, WSK_LOG_POWER);
    assert_int_equal(s.count, 2); /* two rows: the line without a time and the line that was cut off are left out */
    assert_near(s.t_s[1], 10, 1e-6);
    assert_int_equal(wsk_log_left_out(log), 2);
    assert_string_equal(said(log, 0, &line, &column), "log.time");
    assert_int_equal(line, 6);
    assert_near(wsk_log_start_utc_s(log), 1.7e9, 1);
    wsk_log_free(log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(telegraf_lines),
                                       cmocka_unit_test(dmon_repeats_its_header),
                                       cmocka_unit_test(dmon_has_times_alone),
                                       cmocka_unit_test(dcgmi_names_entities),
                                       cmocka_unit_test(processes_are_no_cards),
                                       cmocka_unit_test(queries_follow_each_other),
                                       cmocka_unit_test(queries_in_xml_may_be_cut),
                                       cmocka_unit_test(scrapes_follow_each_other),
                                       cmocka_unit_test(prometheus_answers_are_read),
                                       cmocka_unit_test(windows_programs_are_read),
                                       cmocka_unit_test(amd_programs_are_read),
                                       cmocka_unit_test(rocm_writes_json),
                                       cmocka_unit_test(amd_smi_writes_json),
                                       cmocka_unit_test(a_meter_tells_the_wall),
                                       cmocka_unit_test(rows_without_names_are_told)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
