/* SPDX-License-Identifier: GPL-3.0-or-later */
/* On each machine, --query-gpu, dmon and -q were recorded within seconds of each other, so the values of their readers
 * must agree. $WATTSINK_DATA names the folder of the recordings. */
#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/base/base.h"
#include "tests/unit/assert.h"

static char *folder(const char *under)
{
    const char *dir = getenv("WATTSINK_DATA");
    wsk_buf path = {0};
    wsk_buf_printf(&path, "%s/telemetry/%s", dir && *dir ? dir : "../shared/data", under);
    return path.data;
}

static wsk_log *read_file(const char *dir, const char *name, const char *tail, wsk_status status)
{
    wsk_buf path = {0};
    char *text = NULL;
    size_t len = 0;
    wsk_buf_printf(&path, "%s/%s%s", dir, name, tail);
    FILE *f = fopen(path.data, "rb");
    assert_non_null(f);
    const size_t room = 1 << 20;
    text = malloc(room);
    assert_non_null(text);
    len = fread(text, 1, room, f);
    assert_true(len < room);
    (void)fclose(f);
    wsk_log *log;
    assert_int_equal(wsk_log_read(&log, name, text, len), status);
    free(text);
    wsk_buf_free(&path);
    return log;
}

static double mean_of(const wsk_log *log, wsk_log_quantity q)
{
    const wsk_log_series s = wsk_log_of(log, 0, q);
    double sum = 0;
    for (size_t i = 0; i < s.count; i++)
        sum += s.value[i];
    return s.count ? sum / (double)s.count : NAN;
}

/* most, rel: largest allowed absolute and relative difference. The outputs were taken seconds apart, just after a load
 * began, in which an H100 at 640 W warms by 5 K; a wrong unit or column would differ by far more. */
static const struct {
    wsk_log_quantity q;
    double most, rel;
} alike[] = {{WSK_LOG_POWER, 10, 0.2},    {WSK_LOG_LIMIT, 0.5, 0}, {WSK_LOG_UTILISATION, 0.1, 0},
             {WSK_LOG_CLOCK, 30e6, 0.05}, {WSK_LOG_DIE, 8, 0},     {WSK_LOG_MEMORY_CLOCK, 1e6, 0.01},
             {WSK_LOG_MEMORY, 8, 0},      {WSK_LOG_FAN, 0.1, 0},   {WSK_LOG_MEMORY_UTILISATION, 0.1, 0}};

static int compare(const wsk_log *a, const wsk_log *b, const char *name)
{
    int both = 0;
    assert_int_equal(wsk_log_cards(a), 1);
    assert_int_equal(wsk_log_cards(b), 1);
    for (size_t i = 0; i < sizeof alike / sizeof *alike; i++) {
        const double x = mean_of(a, alike[i].q), y = mean_of(b, alike[i].q);
        if (isnan(x) || isnan(y))
            continue;
        both++;
        if (!(fabs(x - y) <= alike[i].most + alike[i].rel * fabs(x)))
            fail_msg("%s: quantity %zu: %g and %g", name, i, x, y);
    }
    return both;
}

static void formats_of_one_machine_agree(void **state)
{
    (void)state;
    static const char tail[] = "__load__query-gpu.csv";
    char *dir = folder("fixtures");
    DIR *open = opendir(dir);
    int machines = 0;
    if (!open) {
        print_message("no captures in %s; set WATTSINK_DATA\n", dir);
        free(dir);
        skip();
    }
    for (struct dirent *e; (e = readdir(open)) != NULL;) {
        const size_t len = strlen(e->d_name);
        char name[256];
        if (len <= sizeof tail || len >= sizeof name || strcmp(e->d_name + len - (sizeof tail - 1), tail) != 0)
            continue;
        snprintf(name, sizeof name, "%.*s", (int)(len - (sizeof tail - 1)), e->d_name);
        wsk_log *csv = read_file(dir, name, tail, WSK_OK), *dmon = read_file(dir, name, "__load__dmon.txt", WSK_OK),
                *query = read_file(dir, name, "__load__q.txt", WSK_OK);
        assert_true(compare(csv, dmon, name) >= 4);
        assert_true(compare(csv, query, name) >= 6 || strstr(name, "mig"));
        wsk_log_free(csv);
        wsk_log_free(dmon);
        wsk_log_free(query);
        wsk_log_free(read_file(dir, name, "__load__pmon.txt", WSK_EINPUT)); /* pmon lists processes, not cards */
        machines++;
    }
    (void)closedir(open);
    free(dir);
    print_message("%d machines\n", machines);
    assert_true(machines >= 8);
}

static void each_version_of_xml_is_read(void **state)
{
    (void)state;
    char *dir = folder("telegraf-nvidia_smi-xml");
    DIR *open = opendir(dir);
    int files = 0;
    if (!open) {
        free(dir);
        skip();
    }
    for (struct dirent *e; (e = readdir(open)) != NULL;) {
        const size_t len = strlen(e->d_name);
        if (len < 5 || strcmp(e->d_name + len - 4, ".xml") != 0)
            continue;
        wsk_log *log = read_file(dir, e->d_name, "", WSK_OK);
        const double die_c = mean_of(log, WSK_LOG_DIE) - WSK_KELVIN;
        assert_string_equal(wsk_log_format(log), "nvidia-smi -q -x");
        assert_true(wsk_log_cards(log) == 1 && die_c > 10 && die_c < 100);
        wsk_log_free(log);
        files++;
    }
    (void)closedir(open);
    free(dir);
    assert_true(files >= 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(formats_of_one_machine_agree),
                                       cmocka_unit_test(each_version_of_xml_is_read)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
