/* SPDX-License-Identifier: GPL-3.0-or-later */
/* In a replay of recorded power the work is not known, so advice must not present a lower power limit as one that costs
 * no work. */
#define _XOPEN_SOURCE 700
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/study/kit/verdict.h"
#include "tests/support/bench.h"

static char folder[256];

static void put_log(const char *head, double from, double step)
{
    char path[300];
    snprintf(path, sizeof path, "%s/log.csv", folder);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f, "t_s,%s\n", head);
    for (int i = 0; i < 60; i++)
        fprintf(f, "%d,%.1f\n", 60 * i, from + step * (i % 2));
    assert_int_equal(fclose(f), 0);
}

static int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "%s/wsk-advice-XXXXXX", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
    return mkdtemp(folder) ? 0 : -1;
}

static int drop_folder(void **state)
{
    (void)state;
    char path[300];
    snprintf(path, sizeof path, "%s/log.csv", folder);
    remove(path);
    return rmdir(folder);
}

static wsk_run *judged(wsk_rig **rig, const char *psu)
{
    char xml[2048];
    snprintf(xml, sizeof xml,
             "<rig><site supply='230 V' circuit='16 A'><room temperature='22 degC'/>"
             "<tariff kind='flat' price='0.32 EUR/kWh'/></site><chassis part='chassis/mid-tower'>"
             "<fan part='fan/generic-120-1500' at='front' count='2'/><fan part='fan/generic-120-1500' at='rear'/>"
             "<psu part='psu/%s'/><cpu part='cpu/generic-desktop'/>"
             "<gpu part='gpu/rtx-4070-ti-super' slot='1'/><gpu part='gpu/rtx-4070-ti-super' slot='5'/></chassis>"
             "<workload kind='replay' log='log.csv'/><run for='1 h' step='1 s'/></rig>",
             psu);
    const wsk_rig_options o = {
        .path = "-", .text = xml, .text_len = strlen(xml), .parts_dir = "parts", .data_dir = folder};
    if (wsk_rig_load(rig, &o) != WSK_OK) {
        for (size_t i = 0; i < wsk_rig_messages(*rig); i++) {
            const char *file, *text;
            int level, line, column;
            wsk_rig_message(*rig, i, &level, &file, &line, &column, &text);
            print_error("%s\n", text);
        }
        fail();
    }
    wsk_run *run = wsk_test_run(*rig, WSK_STEPPER_FAST, 3600);
    wsk_test_advance(run, 3600);
    assert_int_equal(wsk_run_judge(*rig, run), WSK_OK);
    return run;
}

static bool lowers(const wsk_change *c)
{
    for (size_t i = 0; i < c->n_sets; i++)
        if (strstr(c->sets[i], "power-limit"))
            return true;
    return false;
}

static int count_limits(const wsk_run *run, bool known)
{
    const wsk_advice *a = run->advice;
    int n = 0;
    for (int i = 0; i < a->n + a->n_vain; i++) {
        const wsk_change *c = i < a->n ? &a->changes[i] : &a->vain[i - a->n];
        n += lowers(c) && c->work_unknown != known && isnan(c->work_rel) != known;
    }
    return n;
}

static bool tells(const wsk_run *run, const char *words)
{
    char *text = NULL;
    assert_int_equal(wsk_run_summary_text(run, &text), WSK_OK);
    const bool found = strstr(text, words) != NULL;
    wsk_text_free(text);
    return found;
}

static const char unknown[] = "how much work it costs is not known";

static void no_limit_is_sold_where_nothing_is_wrong(void **state)
{
    (void)state;
    wsk_rig *rig;
    put_log("power_w", 150, 60);
    wsk_run *run = judged(&rig, "tier-gold-1000");
    assert_int_equal(count_limits(run, false), 0);
    assert_int_equal(count_limits(run, true), 0);
    assert_false(tells(run, "power limit"));
    wsk_test_drop(run, rig);
}

/* Advice may offer lower power limits against an overload, but must say that the lost work is unknown. It offers only
 * the smallest cut that helps, as it does where work is counted. */
static void a_limit_that_cures_says_that_its_price_is_unknown(void **state)
{
    (void)state;
    wsk_rig *rig;
    put_log("power_w", 270, 10);
    wsk_run *run = judged(&rig, "tier-gold-550");
    assert_int_equal(count_limits(run, false), 1);
    assert_int_equal(count_limits(run, true), 0);
    assert_true(tells(run, unknown));
    wsk_test_drop(run, rig);
    put_log("utilisation", 99, 1);
    run = judged(&rig, "tier-gold-550");
    assert_int_equal(count_limits(run, false), 0);
    assert_true(count_limits(run, true) > 0);
    assert_false(tells(run, unknown));
    wsk_test_drop(run, rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_limit_is_sold_where_nothing_is_wrong),
                                       cmocka_unit_test(a_limit_that_cures_says_that_its_price_is_unknown)};
    return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
