/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Advice for runs with pauses: the stated effect of a change is the difference between a run with the change and the
 * run. Advice for a rig that works at night only, or seldom at full load, stated effects of its steady point. */
#include <math.h>
#include <string.h>

#include "tests/support/bench.h"
#include "sim/books/bill.h"
#include "sim/books/books.h"
#include "sim/books/observe.h"
#include "sim/study/kit/verdict.h"
#include "sim/control/control.h"

#define RIG(room, chassis, fans, cards, work) \
    "<rig><site supply='230 V' circuit='16 A'>" room "<tariff kind='flat' price='0.30 USD/kWh'/></site>" \
    "<chassis part='chassis/" chassis "'>" fans \
    "<psu part='psu/tier-gold-1600'/><cpu part='cpu/generic-desktop'/>" cards "</chassis>" work \
    "<run from='2026-07-01T00:00:00' for='1 d'/></rig>"
#define FANS "<fan part='fan/generic-120-1500' at='front' count='2'/><fan part='fan/generic-120-1500' at='rear'/>"
#define GIVEN "<room temperature='30 degC'/>"
#define WEATHER "<room volume='40 m3' conductance='60 W/K'><outdoor mean='24 degC' swing='6 K'/></room>"
#define TWO "<gpu part='gpu/rtx-3090' slot='1'/><gpu part='gpu/rtx-3090' slot='4'/>"
#define TOUCHING \
    "<gpu part='gpu/rtx-3090' slot='1'/><gpu part='gpu/rtx-3090' slot='4'/><gpu part='gpu/rtx-3090' slot='7'/>" \
    "<gpu part='gpu/rtx-3090' slot='10'/>"
#define BLOWER(slot) "<gpu part='gpu/rtx-3090-blower' slot='" slot "' power-limit='300 W'/>"
#define BLOWERS BLOWER("1") BLOWER("3") BLOWER("5") BLOWER("7")
#define NIGHT \
    "<workload kind='inference' class='training' load-curve='0 h:100 %, 6 h:100 %, 6.01 h:0 %, 23.99 h:0 %'/>"
#define SELDOM "<workload kind='inference' class='training' load-curve='0 h:20 %, 12 h:100 %, 20 h:50 %'/>"
static const double span_s = 86400;

typedef struct {
    double work, lost, wall_w, die_c, room_c, noise_dba, year, over_va;
    bool off;
} told;

static told read(const wsk_run *run)
{
    told t = {.wall_w = wsk_var_mean(run, WSK_VAR_WALL_W, 0),
              .room_c = wsk_var_high(run, WSK_VAR_ROOM_C, 0),
              .noise_dba = wsk_dba(run->books->noise_s / wsk_window_s(run)),
              .year = wsk_bill_account(run).annual,
              .over_va = fmax(0, run->lines[0].va_peak - run->net->lines[0].limit_w)};
    double cool = 0;
    for (int i = 0; i < run->net->n_card; i++) {
        t.work += wsk_sum_value(&run->cards[i].work);
        cool += wsk_sum_value(&run->cards[i].work_cool);
        t.die_c = fmax(t.die_c, wsk_var_high(run, WSK_VAR_CARD_DIE_C, i));
        t.off = t.off || wsk_is_shut_down(run, i);
    }
    t.lost = 1 - t.work / cool;
    return t;
}

static wsk_run *run_of(const char *xml, const char *const *sets, size_t n, wsk_rig **rig)
{
    const wsk_run_options o = {.duration_s = span_s};
    wsk_run *run = NULL;
    *rig = wsk_test_rig_sets(xml, sets, n);
    assert_int_equal(wsk_run_new(&run, *rig, &o), WSK_OK);
    wsk_test_advance(run, span_s);
    return run;
}

/* least_lost, most_lost: bounds for the work that the run loses to heat */
static void follow(const char *xml, double least_lost, double most_lost, int least_changes)
{
    wsk_rig *rig, *other;
    wsk_run *run = run_of(xml, NULL, 0, &rig);
    const told was = read(run);
    assert_true(!was.off && (!run->net->n_card || (was.lost >= least_lost && was.lost <= most_lost)));
    assert_int_equal(wsk_run_judge(rig, run), WSK_OK);
    const wsk_advice *a = run->advice;
    assert_true(a->n + a->n_vain >= least_changes && !a->basis && !a->now.shuts_down);
    assert_near(a->now.lost, run->net->n_card ? was.lost : 0, 1e-9);
    for (int i = 0; i < a->n + a->n_vain; i++) {
        const wsk_change *c = i < a->n ? &a->changes[i] : &a->vain[i - a->n];
        wsk_run *changed = run_of(xml, c->sets, c->n_sets, &other);
        const told is = read(changed);
        if (run->net->n_card) {
            assert_near(c->work_rel, is.work / was.work - 1, 0.002);
            assert_near(c->then.lost, is.lost, 0.002);
            assert_near(c->die_k, is.die_c - was.die_c, 0.5);
        }
        assert_near(c->wall_w, is.wall_w - was.wall_w, 0.5);
        assert_near(c->year, is.year - was.year, 2);
        assert_near(c->then.over_w, is.over_va, 2);
        if (!isnan(c->room_k))
            assert_near(c->room_k, is.room_c - was.room_c, 0.3);
        if (!isnan(c->noise_db))
            assert_near(c->noise_db, is.noise_dba - was.noise_dba, 0.2);
        assert_true(isnan(c->work_low) || (c->work_low <= c->work_rel && c->work_high >= c->work_rel));
        wsk_test_drop(changed, other);
    }
    wsk_test_drop(run, rig);
}

/* Heat takes more of the throughput at the steady point than in these runs. */
static void effects_are_those_of_the_run(void **state)
{
    (void)state;
    follow(RIG(GIVEN, "full-tower-8-slot", FANS, TWO, SELDOM), 0.1, 0.4, 2);
    follow(RIG(WEATHER, "full-tower-8-slot", FANS, TWO, SELDOM), 0.1, 0.4, 2);
    follow(RIG(WEATHER, "full-tower-8-slot", FANS, TWO, NIGHT), 0.2, 0.5, 2);
}

/* The steady point at the mean outdoor temperature loses as much to heat as the run, because the cards throttle at each
 * hour of the day. With a change they throttle in the hot hours only. */
static void effects_follow_the_weather(void **state)
{
    (void)state;
    follow(RIG("<room volume='60 m3' conductance='90 W/K'><outdoor mean='24 degC' swing='12 K'/></room>",
               "full-tower-8-slot", FANS, BLOWERS, "<workload class='training'/>"),
           0.2, 0.3, 2);
}

/* With all cards busy all day the room would get so hot that a card shuts down. No card does in the run, so that no
 * change may be said to end a shutdown. */
static void no_shutdown_is_ended_that_only_the_steady_point_has(void **state)
{
    (void)state;
    follow(RIG("<room volume='20 m3' conductance='40 W/K'><outdoor mean='28 degC' swing='8 K'/></room>",
               "workstation-12-slot", FANS, TOUCHING, NIGHT),
           0.2, 0.9, 1);
}

/* A load that runs for a fifth of the day, and no card */
static void a_load_with_pauses_counts_by_its_mean(void **state)
{
    (void)state;
    follow("<rig><site supply='230 V' circuit='16 A'><room temperature='26 degC'/><tariff kind='flat' price='0.30 "
           "USD/kWh'/></site><chassis part='chassis/open-bench'><psu part='psu/tier-bronze-1600'/><load dc='1500 W' "
           "duty='20 %' period='1 day'/></chassis><run from='2026-07-01T00:00:00' for='1 d'/></rig>",
           0, 0, 1);
}

/* Limits of 350 W by day are too much for a circuit of 8 A, of which 80 % may be drawn all day (NEC 210.20(A)). The
 * advised schedule keeps the run within it, leaves the night as it is, and takes no more work than it must: with 10 W
 * more by day the circuit would be overloaded. */
static void a_schedule_is_capped_where_it_overloads(void **state)
{
    (void)state;
#define SCHEDULED(id, slot) \
    "<gpu id='" id "' part='gpu/rtx-3090' slot='" slot "' limit-schedule='0 h:200 W, 6 h:350 W, 22 h:200 W'/>"
    static const char xml[] = "<rig><site supply='120 V' circuit='8 A'><room temperature='21 degC'/><tariff "
                              "kind='flat' price='0.30 USD/kWh'/>"
                              "</site><chassis part='chassis/open-bench'><psu part='psu/tier-gold-1600'/><cpu "
                              "part='cpu/generic-desktop'/>" SCHEDULED("g", "1")
                                  SCHEDULED("h", "6") "</chassis><workload class='training'/>"
                                                      "<run from='2026-07-01T00:00:00' for='1 d'/></rig>";
    follow(xml, 0, 0.2, 2);
    wsk_rig *rig, *other;
    wsk_run *run = run_of(xml, NULL, 0, &rig);
    assert_true(read(run).over_va > 0);
    assert_int_equal(wsk_run_judge(rig, run), WSK_OK);
    const wsk_change *cap = NULL;
    for (int i = 0; i < run->advice->n; i++)
        if (strstr(run->advice->changes[i].sets[0], "limit-schedule"))
            cap = &run->advice->changes[i];
    assert_non_null(cap);
    assert_int_equal(cap->n_sets, 2);
    int watts = 0;
    assert_int_equal(sscanf(cap->sets[0], "gpu[g].limit-schedule=0:00:200 W, 6:00:%d W, 22:00:200 W", &watts), 1);
    wsk_run *capped = run_of(xml, cap->sets, 2, &other);
    assert_near(read(capped).over_va, 0, 0);
    wsk_test_drop(capped, other);
    char more[2][100];
    for (int i = 0; i < 2; i++)
        snprintf(more[i], sizeof more[i], "gpu[%c].limit-schedule=0 h:200 W, 6 h:%d W, 22 h:200 W", "gh"[i],
                 watts + 10);
    capped = run_of(xml, (const char *const[]){more[0], more[1]}, 2, &other);
    assert_true(read(capped).over_va > 0);
    wsk_test_drop(capped, other);
    wsk_test_drop(run, rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(effects_are_those_of_the_run),
                                       cmocka_unit_test(effects_follow_the_weather),
                                       cmocka_unit_test(a_load_with_pauses_counts_by_its_mean),
                                       cmocka_unit_test(a_schedule_is_capped_where_it_overloads),
                                       cmocka_unit_test(no_shutdown_is_ended_that_only_the_steady_point_has)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
