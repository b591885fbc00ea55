/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Replays of long logs: how large they may be, and that a log is read once. */
#define _XOPEN_SOURCE 700
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/control/control.h"
#include "sim/net/recording.h"
#include "tests/verify/workloads.h"

static char folder[256], file[300];

static int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "%s/wsk-log-XXXXXX", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
    if (!mkdtemp(folder))
        return -1;
    snprintf(file, sizeof file, "%s/smi.csv", folder);
    return 0;
}

static int drop_folder(void **state)
{
    (void)state;
    char rig[300];
    snprintf(rig, sizeof rig, "%s/rig.xml", folder);
    remove(file);
    remove(rig);
    return rmdir(folder);
}

/* Writes a log of two cards, each with `rows` rows that end with `blanks` blanks. */
static void put_log(int rows, int blanks, double power_w)
{
    FILE *f = fopen(file, "w");
    assert_non_null(f);
    fprintf(f, "t_s,index,power.draw [W],utilization.gpu [%%],clocks.mem [MHz],temperature.gpu\n");
    for (int i = 0; i < rows; i++)
        for (int card = 0; card < 2; card++)
            fprintf(f, "%d,%d,%.1f,%d,9501,%d%*s\n", i, card, power_w + card + i % 7, 40 + i % 3, 50 + i, blanks, "");
    assert_int_equal(fclose(f), 0);
}

static wsk_rig *load(const wsk_rig *files_of, wsk_status status)
{
    char path[300];
    snprintf(path, sizeof path, "%s/rig.xml", folder);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(RIG(CARD("1", "") CARD("5", ""), "<workload kind='replay' log='smi.csv'/>"), f);
    assert_int_equal(fclose(f), 0);
    const wsk_rig_options o = {.path = path, .parts_dir = "parts", .files_of = files_of};
    wsk_rig *rig;
    assert_int_equal(wsk_rig_load(&rig, &o), status);
    return rig;
}

static bool told(const wsk_rig *rig, const char *part)
{
    for (size_t i = 0; i < wsk_rig_messages(rig); i++) {
        const char *path, *text;
        int level, line, column;
        wsk_rig_message(rig, i, &level, &path, &line, &column, &text);
        if (strstr(text, part))
            return true;
    }
    return false;
}

/* A log may be larger than other files. Padded with blanks, it gives the same digest and powers as without. */
static void a_log_above_the_bound_of_other_files_is_replayed(void **state)
{
    (void)state;
    char digest[64];
    put_log(60, 10, 100);
    wsk_rig *rig = load(NULL, WSK_OK);
    snprintf(digest, sizeof digest, "%s", wsk_rig_digest(rig));
    wsk_rig_free(rig);
    put_log(60, 150000, 100);
    rig = load(NULL, WSK_OK);
    assert_string_equal(wsk_rig_digest(rig), digest);
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 3600);
    wsk_test_advance(run, 8.5);
    assert_near(run->cards[1].power_w, 102, 1e-9);
    wsk_test_drop(run, rig);
}

static void a_log_above_its_own_bound_is_refused(void **state)
{
    (void)state;
    put_log(2, 10, 100);
    assert_int_equal(truncate(file, 256000001), 0);
    wsk_rig *rig = load(NULL, WSK_EINPUT);
    assert_true(told(rig, "the log is larger than 256 MB"));
    wsk_rig_free(rig);
}

/* A rig with files_of shares the log that the other rig has read, and its messages, even if the file has changed.
 * Quantities that a replay does not use count in the digest but are not kept in memory; quantities with the same times
 * share one list of times. */
static void a_log_is_read_once(void **state)
{
    (void)state;
    put_log(60, 0, 100);
    wsk_rig *first = load(NULL, WSK_OK);
    put_log(60, 0, 150);
    wsk_rig *second = load(first, WSK_OK), *anew = load(NULL, WSK_OK);
    assert_string_equal(wsk_rig_digest(second), wsk_rig_digest(first));
    assert_string_not_equal(wsk_rig_digest(anew), wsk_rig_digest(first));
    assert_int_equal(wsk_rig_messages(second), wsk_rig_messages(first));
    assert_true(told(second, "the log repeats"));
    wsk_run *of[] = {wsk_test_run(first, WSK_STEPPER_FAST, 3600), wsk_test_run(second, WSK_STEPPER_FAST, 3600)};
    const wsk_recording *log = &of[0]->net->workload->log;
    assert_ptr_equal(of[1]->net->workload->log.of, log->of);
    const wsk_recorded *power = wsk_recorded_of(log, 1, WSK_LOG_POWER),
                       *used = wsk_recorded_of(log, 1, WSK_LOG_UTILISATION),
                       *die = wsk_recorded_of(log, 1, WSK_LOG_DIE);
    assert_int_equal(power->count, 60);
    assert_ptr_equal(used->t_ns, power->t_ns);
    assert_int_equal(wsk_recorded_of(log, 1, WSK_LOG_MEMORY_CLOCK)->count, 0);
    assert_int_equal(die->count, 1);
    assert_near(die->first, 273.15 + 51, 1e-9); /* the mean of the first three seconds */
    wsk_run_free(of[1]);
    wsk_run_free(of[0]);
    wsk_rig_free(second);
    wsk_rig_free(anew);
    wsk_rig_free(first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_log_above_the_bound_of_other_files_is_replayed),
                                       cmocka_unit_test(a_log_above_its_own_bound_is_refused),
                                       cmocka_unit_test(a_log_is_read_once)};
    return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
