/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program that embeds the library may have a locale with a decimal comma: all that the library writes has the bytes
 * that it has in the C locale, and the program keeps its locale. */
#define _XOPEN_SOURCE 700 /* mkdtemp */
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/base.h"
#include "sim/base/said.h"
#include "tests/support/bench.h"
#include "wattsink_log.h"

static char folder[256];

/* Makes a German locale in a folder of its own. False: the system cannot. */
static bool make_locale(void)
{
    char command[512];
    snprintf(folder, sizeof folder, "%s/wsk-locale-XXXXXX", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
    assert_non_null(mkdtemp(folder));
    snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 '%s/de_DE.UTF-8' >/dev/null 2>&1", folder);
    return system(command) == 0 && setenv("LOCPATH", folder, 1) == 0 && setlocale(LC_ALL, "de_DE.UTF-8") &&
           strcmp(localeconv()->decimal_point, ",") == 0;
}

static int remove_locale(void **state)
{
    char command[512];
    (void)state;
    setlocale(LC_ALL, "C");
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return *folder ? system(command) : 0;
}

/* setlocale and newlocale of glibc never free the list of folders of LOCPATH, which LeakSanitizer would report. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:argz_add_sep";
}

static void take(wsk_buf *all, const char *what, wsk_status status, char *text)
{
    if (status != WSK_OK)
        fail_msg("%s: status %d", what, status);
    wsk_buf_put(all, text, strlen(text));
    wsk_text_free(text);
}

static void write_fit(wsk_buf *all, const wsk_rig *rig)
{
    const wsk_calibration fit = {
        .mean_share = 0.9375,
        .noise = NAN,
        .work_unit = NAN,
        .count = 2,
        .values = {{.name = "p0", .value = 60.5, .spread = 1.25, .prior = 55, .learnt = 0.5},
                   {.name = "conductance", .value = 7.25, .spread = 0.5, .prior = 6, .learnt = 0.5}}};
    const wsk_calibrated_card card = {0, &fit, "log.csv"};
    char *text = NULL, *id = NULL;
    wsk_status status = wsk_rig_calibrated(rig, &card, 1, &text);
    take(all, "calibrated", status, text);
    status = wsk_rig_calibrated_part(rig, &card, 1, 0, &id, &text);
    take(all, "part", status, text);
    wsk_text_free(id);
}

static void write_rig(wsk_buf *all, const wsk_rig *rig)
{
    char *text = NULL;
    wsk_status status = wsk_rig_resolved(rig, &text);
    take(all, "resolved", status, text);
    for (int format = WSK_EXPORT_SPICE; format <= WSK_EXPORT_JSON; format++) {
        status = wsk_rig_export(rig, (wsk_export_format)format, 2, &text);
        take(all, "export", status, text);
    }
    status = wsk_rig_advice(rig, &text);
    take(all, "advice", status, text);
    status = wsk_rig_spread(rig, WSK_STEPPER_FAST, &text);
    take(all, "spread", status, text);
    take(all, "check", WSK_OK, wsk_test_check(rig));
}

static void write_run(wsk_buf *all, const wsk_rig *rig)
{
    char *text = NULL;
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 90);
    wsk_test_advance(run, 90);
    assert_int_equal(wsk_run_judge(rig, run), WSK_OK);
    wsk_status status = wsk_run_summary_json(run, 0.5, &text);
    take(all, "summary", status, text);
    status = wsk_run_summary_text(run, &text);
    take(all, "page", status, text);
    status = wsk_run_series_csv(run, &text);
    take(all, "series", status, text);
    status = wsk_run_events_csv(run, false, &text);
    take(all, "events", status, text);
    wsk_run_free(run);
}

/* Times between samples, and cells of formats whose times or numbers are converted to text while they are read */
static void read_logs(wsk_buf *all)
{
    static const char *const logs[] = {
        "time_s,power_w\n0,100.5\n0.5,110\n1,120\n1.5,120\n2,120\n90.25,120\n90.75,110\n",
        "[{\"timestamp\": 1769014607, \"gpu\": 0, \"power_usage\": {\"value\": 250.25, \"unit\": \"W\"}}]\n",
        "{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":[{\"metric\":{\"__name__\":"
        "\"DCGM_FI_DEV_POWER_USAGE\",\"gpu\":\"1\"},\"values\":[[1795348800.25,\"300.5\"],[1795348801.75,\"301.5\"]]}"
        "]}}"};
    for (size_t i = 0; i < sizeof logs / sizeof *logs; i++) {
        wsk_log *log = NULL;
        const wsk_status status = wsk_log_read(&log, "log", logs[i], strlen(logs[i]));
        assert_int_equal(status, WSK_OK);
        const wsk_log_series power = wsk_log_of(log, 0, WSK_LOG_POWER);
        assert_true(power.count > 0);
        for (size_t k = 0; k < power.count; k++) {
            char number[2][32];
            wsk_format_number(number[0], sizeof *number, power.t_s[k]);
            wsk_format_number(number[1], sizeof *number, power.value[k]);
            for (size_t n = 0; n < 2; n++)
                wsk_buf_put(all, number[n], strlen(number[n]));
        }
        for (size_t k = 0; k < wsk_log_messages(log); k++) {
            int severity, line, column;
            const wsk_said *said = wsk_log_message(log, k, &severity, &line, &column);
            wsk_said_write(all, said, NULL, NULL);
        }
        wsk_log_free(log);
    }
}

static wsk_buf write_all(void)
{
    wsk_buf all = {0};
    wsk_rig *rig = wsk_test_rig_file("scenarios/single-3090/rig.xml");
    write_rig(&all, rig);
    write_fit(&all, rig);
    write_run(&all, rig);
    read_logs(&all);
    wsk_rig_free(rig);
    assert_false(all.failed);
    return all;
}

static void test_same_bytes(void **state)
{
    (void)state;
    setlocale(LC_ALL, "C");
    wsk_buf expected = write_all();
    if (!make_locale()) {
        wsk_buf_free(&expected);
        skip();
    }
    wsk_buf german = write_all();
    setlocale(LC_ALL, "C");
    for (size_t at = 0; at < expected.len && at < german.len; at++)
        if (expected.data[at] != german.data[at])
            fail_msg("not \"%.70s\" but \"%.70s\"", expected.data + (at > 30 ? at - 30 : 0),
                     german.data + (at > 30 ? at - 30 : 0));
    assert_int_equal(expected.len, german.len);
    wsk_buf_free(&expected);
    wsk_buf_free(&german);
}

static void test_locale_of_the_thread_stays(void **state)
{
    (void)state;
    const locale_t own = newlocale(LC_ALL_MASK, "de_DE.UTF-8", (locale_t)0);
    if (own == (locale_t)0)
        skip();
    const locale_t before = uselocale(own);
    wsk_buf b = {0}, said = {0};
    wsk_buf_printf(&b, "%.1f %s", 1.5, "1,5");
    wsk_said_write(&said, WSK_SAID(WSK_SAY_CHANGE_FASTER, 2.5), NULL, NULL);
    const bool stays = uselocale((locale_t)0) == own;
    char ours[16];
    snprintf(ours, sizeof ours, "%.1f", 1.5);
    uselocale(before);
    freelocale(own);
    assert_string_equal(b.data, "1.5 1,5");
    assert_null(strchr(said.data, ','));
    assert_true(stays);
    assert_string_equal(ours, "1,5");
    wsk_buf_free(&b);
    wsk_buf_free(&said);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_bytes),
                                       cmocka_unit_test(test_locale_of_the_thread_stays)};
    return cmocka_run_group_tests(tests, NULL, remove_locale);
}
