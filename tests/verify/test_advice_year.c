/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Advice compares bills of a year. Cards that are busy for a part of the time at the steady point already, that wait
 * for slower cards, or whose work failures undo, have no more time without work for that. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/bench.h"
#include "sim/books/bill.h"
#include "sim/study/kit/verdict.h"

#define RIG(tariff, cpu, cards, work, run) \
    "<rig><site supply='230 V' circuit='16 A'><room temperature='24 degC'/>" tariff "</site>" \
    "<chassis part='chassis/full-tower-8-slot'><fan part='fan/generic-120-1500' at='front' count='3'/>" \
    "<psu part='psu/tier-gold-1600'/>" cpu cards "</chassis>" work \
    "<run from='2026-07-01T00:00:00' zone='Europe/Berlin' " run "/></rig>"
#define FLAT "<tariff kind='flat' price='0.30 EUR/kWh'/>"
#define NIGHT \
    "<tariff kind='time-of-use'><period from='0:00' to='7:00' price='0.15 EUR/kWh'/>" \
    "<period from='7:00' to='24:00' price='0.42 EUR/kWh'/></tariff>"
#define HOST "<cpu part='cpu/generic-workstation'/>"
#define HUNGRY "<cpu part='cpu/generic-workstation' idle='400 W' power='440 W'/>"
#define ALIKE "<gpu part='gpu/rtx-3090-blower' slot='1'/><gpu part='gpu/rtx-3090-blower' slot='5'/>"
#define UNLIKE "<gpu part='gpu/rtx-4090' slot='1'/><gpu part='gpu/rtx-3060' slot='5' speed='0.3'/>"
#define HALF(hours) "<workload kind='inference' class='training' load-curve='" hours "'/>"
#define FAILURES \
    "<workload class='training' mtbf='8 h' restart-takes='20 min' checkpoint-every='6 h' checkpoint-takes='60 s'/>"

static wsk_run *run_of(const char *xml, const char *const *sets, size_t n, wsk_rig **rig)
{
    const wsk_run_options o = {.leap = true};
    wsk_run *run = NULL;
    *rig = wsk_test_rig_sets(xml, sets, n);
    assert_int_equal(wsk_run_new(&run, *rig, &o), WSK_OK);
    assert_int_equal(wsk_run_advance(run, run->net->runspec->for_s), WSK_OK);
    return run;
}

static double annual(const char *xml, const char *const *sets, size_t n)
{
    wsk_rig *rig;
    wsk_run *run = run_of(xml, sets, n, &rig);
    const double year = wsk_bill_account(run).annual;
    wsk_test_drop(run, rig);
    return year;
}

static void changes_save_what_runs_show(void **state)
{
    (void)state;
    static const struct {
        const char *what, *xml;
    } rows[] = {{"cards that are busy for 40 % of each second",
                 RIG(FLAT, HOST, ALIKE, "<workload kind='constant' class='training' load='40 %'/>", "for='2 h'")},
                {"a fast card that waits for a slow one",
                 RIG(FLAT, HOST, UNLIKE, "<workload class='training'/>", "for='2 h'")},
                {"failures undo much of the work", RIG(FLAT, HOST, ALIKE, FAILURES, "for='3 d'")}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        wsk_rig *rig;
        wsk_run *run = run_of(rows[k].xml, NULL, 0, &rig);
        const double was = wsk_bill_account(run).annual;
        assert_int_equal(wsk_run_judge(rig, run), WSK_OK);
        const wsk_advice *a = run->advice;
        assert_true(a->n + a->n_vain > 0);
        for (int i = 0; i < a->n + a->n_vain; i++) {
            const wsk_change *c = i < a->n ? &a->changes[i] : &a->vain[i - a->n];
            const double saved = annual(rows[k].xml, c->sets, c->n_sets) - was;
            if (fabs(c->year - saved) > 5 + 0.08 * fabs(saved))
                fail_msg("%s: %+.0f a year, and %+.0f by a run", rows[k].what, c->year, saved);
        }
        wsk_test_drop(run, rig);
    }
}

static double money_after(const char *text, const char *words)
{
    const char *at = strstr(text, words);
    assert_non_null(at);
    return strtod(at + strlen(words), NULL);
}

static char *advice_of(const char *xml)
{
    wsk_rig *rig;
    wsk_run *run = run_of(xml, NULL, 0, &rig);
    char *text = NULL;
    assert_int_equal(wsk_run_advice(rig, run, &text), WSK_OK);
    wsk_test_drop(run, rig);
    return text;
}

/* The load is at most 50 %. */
static void cheaper_hours_save_what_a_run_shows(void **state)
{
    (void)state;
    static const char day[] =
        RIG(NIGHT, HOST, ALIKE, HALF("8.99 h:0 %, 9 h:50 %, 15 h:50 %, 15.01 h:0 %"), "for='2 d'");
    static const char night[] =
        RIG(NIGHT, HOST, ALIKE, HALF("0.99 h:0 %, 1 h:50 %, 7 h:50 %, 7.01 h:0 %"), "for='2 d'");
    char *text = advice_of(day);
    const double told = money_after(text, "The same work 8 h earlier each day costs about "),
                 saved = annual(day, NULL, 0) - annual(night, NULL, 0);
    if (fabs(told - saved) > 3 + 0.03 * saved)
        fail_msg("%.0f a year, and %.0f by runs", told, saved);
    wsk_text_free(text);
}

static void undone_work_is_no_time_without_work(void **state)
{
    (void)state;
    char *text = advice_of(RIG(FLAT, HUNGRY, ALIKE, FAILURES, "for='3 d'"));
    assert_null(strstr(text, "Without work"));
    wsk_text_free(text);
    /* 60 % of 0.3 EUR/kWh in 8760 h */
    text =
        advice_of(RIG(FLAT, HUNGRY, ALIKE, "<workload kind='constant' class='training' load='40 %'/>", "for='2 h'"));
    const double percent = money_after(text, "Without work, "), idle_w = money_after(text, "the rig draws "),
                 year = money_after(strstr(text, "the rig draws "), " W, ");
    assert_near(percent, 60, 1);
    assert_near(year, 0.6 * idle_w * 8.76 * 0.3, 4);
    wsk_text_free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(changes_save_what_runs_show),
                                       cmocka_unit_test(cheaper_hours_save_what_a_run_shows),
                                       cmocka_unit_test(undone_work_is_no_time_without_work)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
