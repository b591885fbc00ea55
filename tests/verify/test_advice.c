/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/books/books.h"
#include "tests/support/bench.h"
#include "sim/study/kit/verdict.h"
#include "sim/study/trip/trip.h"
#include "sim/step/step.h"
#include "sim/books/observe.h"
#include "sim/control/control.h"

#define CARD(slot) \
    "<gpu part='gpu/generic' slot='" slot \
    "' slots='1' tdp='300 W' power-limit='%s'><cooler kind='blower' part='cooler/generic-blower'/></gpu>"
#define COOL "' fan='4800 rpm" /* pins the cards' fans at full speed, so that heat limits nothing */
#define FOUR CARD("1") CARD("3") CARD("5") CARD("7")

typedef struct {
    double psu_trip, breaker_trip, over_s, load;
    char advice[1200];
} outcome;

static outcome of(const char *site, const char *supplies, const char *limit)
{
    char xml[4096];
    outcome o = {0};
    snprintf(xml, sizeof xml,
             "<rig><site place='server-room' %s><room temperature='10 degC'/></site><chassis slots='8'><vent "
             "at='front' area='900 "
             "cm2'/><vent at='rear' area='900 cm2'/>"
             "<fan part='fan/generic-120-1500' at='front' count='3'/>%s" FOUR
             "<load dc='250 W'/></chassis><workload kind='training' class='burn'/><run for='2 h'/></rig>",
             site, supplies, limit, limit, limit, limit);
    wsk_rig *rig = wsk_test_rig(xml, NULL);
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 7200);
    wsk_test_advance(run, 7200);
    for (int i = 0; i < run->net->n_supply; i++) {
        o.psu_trip = fmax(o.psu_trip, run->supplies[i].failed ? 0 : wsk_supply_trip(run, i));
        o.load = fmax(o.load, run->supplies[i].peak_rel);
    }
    o.breaker_trip = isnan(wsk_circuit_trip(run)) ? 0 : wsk_circuit_trip(run);
    o.over_s = (double)run->lines[0].over_ns / 1e9;
    char *text = NULL;
    assert_int_equal(wsk_run_advice(rig, run, &text), WSK_OK);
    snprintf(o.advice, sizeof o.advice, "%s", text);
    wsk_text_free(text);
    wsk_run_free(run);
    wsk_rig_free(rig);
    return o;
}

static void advice_never_contradicts_the_verdict(void **state)
{
    (void)state;
    int trips = 0, quiet = 0;
    for (int w = 1000; w <= 2600; w += 200)
        for (int at = 0; at < 3; at++) {
            /* hot: the fans are not pinned. The cards then draw the most power while they are still cold, and only
             * then may the PSU trip. */
            bool low = at == 1, hot = at == 2;
            char psu[128];
            snprintf(psu, sizeof psu, "<psu kind='constant' rated='%d W' efficiency='92 %%'/>", w);
            outcome o = of(low ? "supply='120 V' circuit='15 A'" : "supply='230 V' circuit='16 A'", psu,
                           hot ? "300 W" : "300 W" COOL);
            bool trip = o.psu_trip >= 0.005 || o.breaker_trip >= 0.005, ill = trip || o.over_s > 0 || o.load > 1;
            bool calm = strstr(o.advice, "Nothing needs help") || strstr(o.advice, "Only ");
            if (ill && calm)
                fail_msg("%d W at %s: trips %.3f and %.3f, over the circuit for %.0f s, load %.2f:\n%s", w,
                         low ? "120 V" : "230 V", o.psu_trip, o.breaker_trip, o.over_s, o.load, o.advice);
            if (trip && !strstr(o.advice, "no trip"))
                fail_msg("%d W: trips %.3f and %.3f and is not cured:\n%s", w, o.psu_trip, o.breaker_trip, o.advice);
            trips += trip;
            quiet += calm;
        }
    assert_true(trips >= 4 && quiet >= 2);
}

static void advice_cures(void **state)
{
    (void)state;
    static const char small[] = "<psu kind='constant' rated='1250 W' efficiency='92 %'/>";
    outcome before = of("supply='230 V'", small, "300 W");
    double watts = 0;
    assert_true(before.psu_trip > 0.05);
    static const char limits_of[] = "power limits of ", supply_of[] = "a PSU of ";
    const char *limits = strstr(before.advice, limits_of), *supply = strstr(before.advice, supply_of);
    char psu[128], limit[32];
    assert_true(limits && supply);
    watts = strtod(supply + strlen(supply_of), NULL);
    snprintf(psu, sizeof psu, "<psu kind='constant' rated='%.0f W' efficiency='92 %%'/>", watts);
    assert_true(of("supply='230 V'", psu, "300 W").psu_trip < 0.005);
    watts = strtod(limits + strlen(limits_of), NULL);
    snprintf(limit, sizeof limit, "%.0f W", watts);
    assert_true(of("supply='230 V'", small, limit).psu_trip < 0.005);
}

/* One of three redundant PSUs fails and the other two carry the load. The advice must be about these two, not about
 * the steady point before the failure. */
static void advice_is_about_what_is_left(void **state)
{
    (void)state;
    outcome o = of("supply='230 V'",
                   "<psu kind='constant' rated='650 W' efficiency='92 %' redundant='yes'/><psu kind='constant' "
                   "rated='650 W' efficiency='92 %' redundant='yes'/>"
                   "<psu kind='constant' rated='650 W' efficiency='92 %' redundant='yes' fails-at='1 h'/>",
                   "300 W");
    assert_true(o.load > 1 && o.psu_trip > 0.005);
    assert_true(strstr(o.advice, "After the failure:") && strstr(o.advice, "no trip"));
}

static char *checked(int cards, double rated_w, const char *more)
{
    char xml[4096];
    int len = snprintf(xml, sizeof xml,
                       "<rig><site supply='230 V'><room temperature='20 degC'/></site><chassis slots='8'><vent "
                       "at='front' area='900 cm2'/>"
                       "<vent at='rear' area='900 cm2'/><psu kind='constant' rated='%.0f W' efficiency='92 %%' "
                       "%s/><load dc='250 W'/>",
                       rated_w, more);
    for (int i = 0; i < cards; i++)
        len += snprintf(xml + len, sizeof xml - (size_t)len, CARD("%d"), 1 + 2 * i, "300 W");
    snprintf(xml + len, sizeof xml - (size_t)len,
             "</chassis><workload kind='training' class='burn'/><run for='2 h'/></rig>");
    wsk_rig *rig = wsk_test_rig(xml, NULL);
    char *text = wsk_test_check(rig);
    wsk_rig_free(rig);
    return text;
}

static void same_size(const char *text, const char *before, double *size)
{
    const char *at = strstr(text, before);
    double w = at ? strtod(at + strlen(before), NULL) : *size;
    if (*size > 0 && w != *size)
        fail_msg("two sizes, %.0f W and %.0f W:\n%s", *size, w, text);
    *size = w;
}

static void sizes_named_are_enough(void **state)
{
    (void)state;
    int named = 0;
    static const char *const kinds[] = {"", "excursions='atx3'"};
    for (int k = 0; k < 2; k++)
        for (int cards = 1; cards <= 4; cards++)
            for (double w = 350 * cards; w < 450 * cards + 400; w += 50) {
                double size = 0;
                char *text = checked(cards, w, kinds[k]);
                same_size(text, "use a PSU of at least ", &size);
                same_size(text, ", a PSU of ", &size);
                same_size(text, "Fix: a PSU of ", &size);
                same_size(text, "no load step trips the PSU; a ", &size);
                wsk_text_free(text);
                if (!(size > 0))
                    continue;
                named++;
                text = checked(cards, size, kinds[k]);
                if (strstr(text, "Advice: the PSU") || strstr(text, "bove 90 %"))
                    fail_msg("%d cards: %.0f W was named for one of %.0f W:\n%s", cards, size, w, text);
                wsk_text_free(text);
            }
    assert_true(named >= 20);
}

static const char *const sites[] = {"supply='120 V' circuit='15 A'", "supply='230 V' circuit='16 A'"};
static const char *const supplies[] = {"<psu part='psu/tier-bronze-750'/>", "<psu part='psu/tier-bronze-1600'/>"};

/* pitch: slots from one card to the next; at 2 the cards touch. */
static wsk_rig *stack(int site, int supply, int pitch, const char *cards, const char *const *sets, size_t n_sets)
{
    char xml[4096];
    size_t len =
        (size_t)snprintf(xml, sizeof xml,
                         "<rig><site %s><room temperature='25 degC'/><tariff kind='flat' price='0.3 USD/kWh'/></site>"
                         "<chassis part='chassis/workstation-12-slot'><fan part='fan/generic-120-1500' "
                         "count='3'/><fan part='fan/generic-120-1500' at='rear'/>%s",
                         sites[site], supplies[supply]);
    for (int i = 0; i < 4; i++)
        len += (size_t)snprintf(xml + len, sizeof xml - len, "<gpu part='%s' slot='%d'/>", cards, 1 + pitch * i);
    snprintf(xml + len, sizeof xml - len, "</chassis><workload class='training'/><run for='1 h'/></rig>");
    return wsk_test_rig_sets(xml, sets, n_sets);
}

typedef struct {
    double work, wall_w, die_c, noise_dba;
} point;

static point steady(const wsk_rig *rig)
{
    wsk_run *start = wsk_test_run(rig, WSK_STEPPER_FAST, 3600), *run = NULL;
    bool cycling;
    point p = {0};
    assert_int_equal(wsk_steady_solve(&run, start->net, WSK_STEPPER_FAST, &cycling, NULL, NULL), WSK_OK);
    double s = wsk_window_s(run);
    for (int i = 0; i < run->net->n_card; i++) {
        p.work += wsk_sum_value(&run->cards[i].work) / s;
        p.die_c = fmax(p.die_c, wsk_var_mean(run, WSK_VAR_CARD_DIE_C, i));
    }
    p.wall_w = wsk_sum_value(&run->books->ledger.wall) / s;
    p.noise_dba = wsk_dba(run->books->noise_s / s);
    wsk_run_free(run);
    wsk_run_free(start);
    return p;
}

/* A change that costs more than 0.5 % of the work must lower the trip probability or an overload, or lower noise above
 * 55 dBA by more than 1 dB for less than a tenth of the work. */
static void changes_do_what_they_say(void **state)
{
    (void)state;
    int told = 0;
    static const char *const cards[] = {"gpu/rtx-2080", "gpu/rtx-2080-blower"};
    for (int k = 0; k < 16; k++) {
        int site = k & 1, supply = k >> 1 & 1, pitch = k & 4 ? 3 : 2;
        wsk_rig *rig = stack(site, supply, pitch, cards[k >> 3], NULL, 0);
        wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 3600);
        wsk_test_advance(run, 3600);
        assert_int_equal(wsk_run_judge(rig, run), WSK_OK);
        const wsk_advice *a = run->advice;
        point before = steady(rig);
        double busy = fmin(1, wsk_sum_value(&run->books->ledger.wall) / wsk_window_s(run) / before.wall_w);
        assert_true(a->n <= WSK_CHANGES);
        for (int i = 0; i < a->n; i++) {
            const wsk_change *c = &a->changes[i];
            wsk_rig *changed = stack(site, supply, pitch, cards[k >> 3], c->sets, c->n_sets);
            point after = steady(changed);
            assert_near(c->work_rel, after.work / before.work - 1, 1e-9);
            assert_near(c->wall_w, after.wall_w - before.wall_w, 1e-6);
            assert_near(c->die_k, after.die_c - before.die_c, 1e-9);
            assert_near(c->noise_db, after.noise_dba - before.noise_dba, 1e-9);
            assert_near(c->year, busy * c->wall_w * 8.76 * 0.3, 1);
            bool quiets = before.noise_dba > 55 && c->noise_db < -1 && c->work_rel > -0.1;
            assert_true(c->work_rel > -0.005 || quiets || (a->now.trip >= 0.005 && c->then.trip < a->now.trip) ||
                        c->then.over_w < a->now.over_w || c->then.over_psu_w < a->now.over_psu_w);
            assert_true(c->then.trip <= a->now.trip + 0.005 && c->then.over_w <= a->now.over_w + 1);
            for (int j = 0; j < i; j++)
                assert_string_not_equal(wsk_said_english(run->arena, c->what),
                                        wsk_said_english(run->arena, a->changes[j].what));
            wsk_rig_free(changed);
            told++;
        }
        assert_true(a->n > 0 || a->before);
        wsk_run_free(run);
        wsk_rig_free(rig);
    }
    assert_true(told >= 8);
}

static void noise_is_limited(void **state)
{
    (void)state;
    static const char xml[] =
        "<rig><site supply='230 V' circuit='16 A'><room temperature='25 degC'/><tariff kind='flat' price='0.30 "
        "EUR/kWh'/></site>"
        "<chassis part='chassis/full-tower-8-slot'><fan part='fan/generic-120-1500' at='front' count='3'/>"
        "<fan part='fan/generic-120-1500' at='rear'/><psu part='psu/tier-gold-1600'/><cpu part='cpu/xeon-w-2255'/>"
        "<gpu part='gpu/rtx-3090-blower' slot='1'/><gpu part='gpu/rtx-3090-blower' slot='5'/></chassis>"
        "<workload kind='training' class='training'/><run for='1 h'/></rig>";
    wsk_rig *rig = NULL;
    wsk_rig_options o = {.path = "-", .text = xml, .text_len = strlen(xml), .parts_dir = "parts"};
    assert_int_equal(wsk_rig_load(&rig, &o), WSK_OK);
    char *text = NULL;
    assert_int_equal(wsk_rig_advice(rig, &text), WSK_OK);
    const char *limits = strstr(text, "power limits of "), *work = limits ? strstr(limits, "throughput -") : NULL,
               *noise = limits ? strstr(limits, "noise -") : NULL;
    if (!work || !noise || strtod(work + 12, NULL) > 5 || strtod(noise + 7, NULL) < 2)
        fail_msg("%s", text);
    wsk_text_free(text);
    wsk_rig_free(rig);
}

static void trips_come_first(void **state)
{
    (void)state;
    for (int supply = 0; supply < 2; supply++) {
        wsk_rig *rig = stack(1, supply, 2, supply ? "gpu/rtx-2080" : "gpu/rtx-2080-blower", NULL, 0);
        wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 3600);
        wsk_test_advance(run, 3600);
        assert_int_equal(wsk_run_judge(rig, run), WSK_OK);
        const wsk_advice *a = run->advice;
        assert_true(a->n > 0 && (a->now.trip >= 0.005) == (supply == 0));
        assert_true(supply == 0 ? a->changes[0].then.trip < 0.005 : a->changes[0].work_rel > 0.02);
        wsk_run_free(run);
        wsk_rig_free(rig);
    }
}

/* A free slot between cards and an open side panel change nothing in these rigs, so they must not be named among the
 * changes that were tried in vain. */
static void what_is_tried_in_vain(void **state)
{
    (void)state;
    static const char air[] = "<gpu part='gpu/rtx-3090-blower' slot='1'/><gpu part='gpu/rtx-3090-blower' slot='5'/>",
                      water[] =
                          "<loop id='l' volume='1.1 l' hose='2.5 m' fittings='16'><pump part='pump/d5' duty='75 "
                          "%'/><radiator part='radiator/generic-360' at='top' "
                          "direction='exhaust'><fan part='fan/generic-120-1500' count='3'/></radiator></loop>"
                          "<gpu part='gpu/rtx-3090' slot='1'><cooler part='cooler/block-rtx-3090' loop='l'/></gpu>"
                          "<gpu part='gpu/rtx-3090' slot='4'><cooler part='cooler/block-rtx-3090' loop='l'/></gpu>";
    const char *const cards[] = {air, water};
    int told = 0;
    for (int k = 0; k < 2; k++)
        for (int w = 290; w <= 340; w += 25) {
            char xml[4096], limit[32];
            snprintf(
                xml, sizeof xml,
                "<rig><site supply='230 V' circuit='16 A'><room temperature='25 degC'/></site><chassis "
                "part='chassis/full-tower-8-slot'>"
                "<fan part='fan/generic-120-1500' at='front' count='3'/><psu part='psu/tier-gold-1600'/>%s</chassis>"
                "<workload kind='training' class='training'/><run for='1 h'/></rig>",
                cards[k]);
            snprintf(limit, sizeof limit, "gpu[*].power-limit=%dW", w);
            wsk_rig *rig = wsk_test_rig(xml, limit);
            wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 3600);
            char *json = NULL, *text = NULL;
            wsk_test_advance(run, 3600);
            assert_int_equal(wsk_run_judge(rig, run), WSK_OK);
            assert_int_equal(wsk_run_summary_json(run, 0, &json), WSK_OK);
            assert_int_equal(wsk_run_summary_text(run, &text), WSK_OK);
            const wsk_advice *a = run->advice;
            for (int i = 0; i < a->n_vain; i++, told++) {
                const wsk_change *c = &a->vain[i];
                const char *what = wsk_said_english(run->arena, c->what);
                assert_true(fabs(c->work_rel) >= 0.0005 || fabs(c->wall_w) >= 0.5 || fabs(c->die_k) >= 0.5 ||
                            fabs(c->noise_db) >= 0.5);
                if (strstr(what, "slot") || strstr(what, "panel"))
                    fail_msg("%s", text);
                assert_true(strstr(text, what) && strstr(strstr(json, "\"tried_in_vain\""), what));
            }
            assert_true((a->n > 0) != (strstr(text, "worth it") || (strstr(text, "Nothing needs help") ||
                                                                    strstr(text, "Only noise is a problem"))));
            assert_null(strstr(text, "the 1 changes"));
            wsk_text_free(json);
            wsk_text_free(text);
            wsk_run_free(run);
            wsk_rig_free(rig);
        }
    assert_true(told >= 3); /* over the six rigs, at least three changes were tried in vain */
}

/* The first change ends the trips and costs less than 1 % of the work. A higher mains voltage is not proposed, because
 * the voltage limits no PSU here. */
static void cures_cost_as_little_as_they_can(void **state)
{
    (void)state;
    static const char small[] = "<rig><site supply='100 V' circuit='15 A'><room temperature='25 "
                                "degC'/></site><chassis part='chassis/full-tower-8-slot'>"
                                "<fan part='fan/generic-120-1500' at='front' count='3'/><psu "
                                "part='psu/tier-gold-550'/><gpu part='gpu/rtx-3090-blower' slot='1'/>"
                                "<gpu part='gpu/rtx-3090-blower' slot='3'/></chassis><workload kind='training' "
                                "class='training'/><run for='1 h'/></rig>",
                      loads[] = "<rig><site supply='230 V' circuit='6 A'><room temperature='25 "
                                "degC'/></site><chassis><vent at='front' area='900 cm2'/>"
                                "<vent at='rear' area='900 cm2'/><psu kind='constant' rated='2000 W' efficiency='90 "
                                "%'/><load dc='1500 W'/></chassis><run for='1 h'/></rig>";
    const char *const xml[] = {small, loads};
    for (int k = 0; k < 2; k++) {
        wsk_rig *rig = NULL;
        wsk_rig_options o = {.path = "-", .text = xml[k], .text_len = strlen(xml[k]), .parts_dir = "parts"};
        assert_int_equal(wsk_rig_load(&rig, &o), WSK_OK);
        wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 3600);
        wsk_test_advance(run, 3600);
        assert_int_equal(wsk_run_judge(rig, run), WSK_OK);
        const wsk_advice *a = run->advice;
        assert_true(a->n > 0 && a->now.trip >= 0.005 && a->changes[0].then.trip < 0.005);
        assert_true(isnan(a->changes[0].work_rel) || a->changes[0].work_rel > -0.01);
        for (int i = 0; i < a->n; i++)
            assert_null(strstr(wsk_said_english(run->arena, a->changes[i].what), "200 V"));
        assert_true(k == 0 || strcmp(wsk_said_english(run->arena, a->changes[0].what), "a circuit of 10 A") ==
                                  0); /* 1,500 W at 90 % efficiency and 230 V are only 7.2 A */
        wsk_run_free(run);
        wsk_rig_free(rig);
    }
}

static void summary_holds_the_verdict(void **state)
{
    (void)state;
    wsk_rig *rig = stack(1, 1, 2, "gpu/rtx-2080", NULL, 0);
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 3600);
    char *json = NULL, *text = NULL;
    wsk_test_advance(run, 3600);
    assert_int_equal(wsk_run_summary_json(run, 0, &json), WSK_OK);
    assert_non_null(strstr(json, "\"changes\": null"));
    assert_non_null(strstr(json, "\"throttles\": true"));
    assert_non_null(strstr(json, "\"trips\": false"));
    wsk_text_free(json);
    assert_int_equal(wsk_run_judge(rig, run), WSK_OK);
    assert_int_equal(wsk_run_summary_json(run, 0, &json), WSK_OK);
    assert_int_equal(wsk_run_summary_text(run, &text), WSK_OK);
    const wsk_advice *a = run->advice;
    const char *verdict = strstr(json, "\"verdict\"");
    assert_true(verdict && a->n > 0);
    const char *what = wsk_said_english(run->arena, a->changes[0].what);
    assert_true(strstr(verdict, what) && strstr(verdict, a->changes[0].sets[0]));
    char *line = strstr(text, what), *end = strchr(line, '\n');
    char *words = wsk_printf(run->arena, "\"text\": \"%.*s\"", (int)(end - line), line);
    assert_true(words && strstr(verdict, words));
    assert_true(strstr(text, "Verdict  ") && strstr(text, what));
    int lines = 0;
    for (const char *c = text; *c; c++)
        lines += *c == '\n';
    assert_true(lines < 40);
    wsk_text_free(json);
    wsk_text_free(text);
    wsk_run_free(run);
    wsk_rig_free(rig);
}

/* After a failed fan, heat takes throughput, and the memory of the cards is over its limit. Lower power limits end
 * that; a cooler room regains more throughput, and leaves it. */
static void hot_parts_are_cured_first(void **state)
{
    (void)state;
    wsk_rig *rig = wsk_test_rig_file("scenarios/fan-dies/server-three.xml");
    wsk_run *run = NULL;
    assert_int_equal(wsk_run_new(&run, rig, &(wsk_run_options){.duration_s = 86400, .leap = true}), WSK_OK);
    wsk_test_advance(run, 86400);
    assert_int_equal(wsk_run_judge(rig, run), WSK_OK);
    const wsk_advice *a = run->advice;
    assert_true(a->n > 1 && a->now.parts_hot && !a->changes[0].then.parts_hot);
    assert_true(a->changes[1].then.parts_hot && a->changes[1].work_rel > a->changes[0].work_rel);
    wsk_run_free(run);
    wsk_rig_free(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hot_parts_are_cured_first),

        cmocka_unit_test(advice_never_contradicts_the_verdict),
        cmocka_unit_test(advice_cures),
        cmocka_unit_test(noise_is_limited),
        cmocka_unit_test(advice_is_about_what_is_left),
        cmocka_unit_test(changes_do_what_they_say),
        cmocka_unit_test(trips_come_first),
        cmocka_unit_test(sizes_named_are_enough),
        cmocka_unit_test(what_is_tried_in_vain),
        cmocka_unit_test(cures_cost_as_little_as_they_can),
        cmocka_unit_test(summary_holds_the_verdict),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
