/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Advice offers to undo a state that the rig declares: a slowed fan, dust, worn paste. See docs/theory/trip.md,
 * "Advice behind a run". */
#include <string.h>

#include "tests/support/said.h"
#include "tests/support/bench.h"
#include "sim/api.h"
#include "sim/books/books.h"
#include "sim/step/step.h"
#include "sim/study/findings/found.h"
#include "sim/study/kit/verdict.h"

#define TOWER_OF(chassis, set, cards) \
    "<rig><site supply='230 V'><room temperature='34 degC'/></site><chassis " \
    "part='chassis/full-tower-8-slot' " chassis ">" \
    "<fan id='f' part='fan/generic-120-1500' at='front' count='3' " set "/>" \
    "<fan part='fan/generic-120-1500' at='rear'/><psu part='psu/tier-gold-1600'/>" cards \
    "</chassis><workload kind='training' class='training'/><run for='2 h'/></rig>"
#define TOWER(set, cards) TOWER_OF("", set, cards)
#define DUSTY(dust, cards) TOWER_OF(dust, "", cards)
#define TWO "<gpu part='gpu/rtx-3080' slot='1'/><gpu part='gpu/rtx-3080' slot='5'/>"
#define BLOWERS(more) \
    "<gpu part='gpu/rtx-3090-blower' slot='1' " more "</gpu><gpu part='gpu/rtx-3090-blower' slot='4' " more "</gpu>"
#define QUIET "><cooler fan-curve='40 degC:900 rpm, 90 degC:2200 rpm'/>"

/* One card in a dusty case, whose paste and pads are worn, too */
#define WORN \
    "<rig><site supply='230 V'><room temperature='28 degC'/></site><chassis part='chassis/mid-tower' " \
    "dust-start='50 %'><fan part='fan/generic-120-1500' at='front' count='2'/><fan part='fan/generic-120-1500' " \
    "at='rear'/><psu part='psu/tier-bronze-850'/><cpu part='cpu/generic-desktop'/><gpu part='gpu/rtx-3080' " \
    "slot='1' " \
    "mount='1.7' pads='1.6'/></chassis><workload kind='constant' class='training'/><run for='2 h'/></rig>"

#define QUAD "scenarios/quad-3090-blower/rig.xml"

/* Checks that advice has a change with these words, and that a rig with the assignments of this change gains as much
 * as advice promises. */
static void check_offer(const wsk_rig_options *rig_options, const char *words)
{
    wsk_rig *rig = NULL;
    assert_int_equal(wsk_rig_load(&rig, rig_options), WSK_OK);
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 7200);
    wsk_test_advance(run, 7200);
    assert_int_equal(wsk_run_judge(rig, run), WSK_OK);
    const wsk_change *found = NULL;
    for (int i = 0; i < run->advice->n + run->advice->n_vain; i++) {
        const wsk_advice *a = run->advice;
        const wsk_change *c = i < a->n ? &a->changes[i] : &a->vain[i - a->n];
        found = strcmp(wsk_said_english(run->arena, c->what), words) == 0 ? c : found;
    }
    if (!found) {
        char *text = NULL;
        assert_int_equal(wsk_run_advice(rig, run, &text), WSK_OK);
        fail_msg("no \"%s\" in:\n%s", words, text);
    }
    wsk_rig_options with = *rig_options;
    const char *sets[64];
    size_t n = 0;
    for (; n < rig_options->set_count; n++)
        sets[n] = rig_options->sets[n];
    for (size_t k = 0; k < found->n_sets; k++)
        sets[n++] = found->sets[k];
    with.sets = sets;
    with.set_count = n;
    wsk_rig *changed = NULL;
    assert_int_equal(wsk_rig_load(&changed, &with), WSK_OK);
    wsk_run *after = wsk_test_run(changed, WSK_STEPPER_FAST, 7200);
    wsk_test_advance(after, 7200);
    double before_s = 0, after_s = 0;
    for (int i = 0; i < run->net->n_card; i++) {
        before_s += wsk_sum_value(&run->cards[i].work);
        after_s += wsk_sum_value(&after->cards[i].work);
    }
    assert_true(found->work_rel > 0.005);
    assert_near(after_s / before_s - 1, found->work_rel, 0.02 + 0.2 * found->work_rel);
    wsk_test_drop(after, changed);
    wsk_test_drop(run, rig);
}

static void check_made(const char *xml, const char *words)
{
    check_offer(&(wsk_rig_options){.path = "-", .text = xml, .text_len = strlen(xml), .parts_dir = "parts"}, words);
}

static void faults_are_undone(void **state)
{
    (void)state;
    check_made(TOWER("blocked='92 %'", TWO), "the filters of the case fans cleaned");
    check_made(DUSTY("dust-start='60 %'", TWO), "dust removed from filters and coolers");
    check_made(TOWER("speed='300 rpm'", TWO), "the case fans at full speed");
    check_made(TOWER("duty='20 %'", TWO), "the case fans at full speed");
    check_made(TOWER("sensor='gpu' curve='30 degC:10 %, 90 degC:25 %'", TWO), "the case fans at full speed");
    check_made(TOWER("", BLOWERS("mount='4'>")), "new thermal paste and pads where the rig says that they are worn");
    check_made(WORN, "new thermal paste and pads where the rig says that they are worn");
    check_made(WORN, "dust removed from filters and coolers");
    check_made(TOWER("", BLOWERS(QUIET)), "the cards' own fans 100 % faster at every temperature");
}

static double work_at_point(const char *dust_start)
{
    wsk_rig *rig = NULL;
    wsk_run *run = NULL;
    double work = 0;
    assert_int_equal(
        wsk_rig_load(&rig,
                     &(wsk_rig_options){.path = QUAD, .parts_dir = "parts", .sets = &dust_start, .set_count = 1}),
        WSK_OK);
    assert_int_equal(wsk_steady_leap(&run, rig->net, WSK_STEPPER_FAST), WSK_OK);
    for (int i = 0; i < run->net->n_card; i++)
        work += wsk_sum_value(&run->cards[i].work) / wsk_window_s(run);
    wsk_run_free(run);
    wsk_rig_free(rig);
    return work;
}

/* Runs four blowers for 20 days in which dust gathers, and returns the offer to remove it twice. */
static const wsk_change *find_dusting(const char *dust, wsk_rig **rig, wsk_run **run)
{
    enum { RUN_S = 20 * 86400 };
    const char *sets[] = {dust, "chassis.dust-time=20d", "run.for=20d"};
    const wsk_change *found = NULL;
    assert_int_equal(
        wsk_rig_load(rig, &(wsk_rig_options){.path = QUAD, .parts_dir = "parts", .sets = sets, .set_count = 3}),
        WSK_OK);
    assert_int_equal(wsk_run_new(run, *rig, &(wsk_run_options){.duration_s = RUN_S, .leap = true, .stride = true}),
                     WSK_OK);
    wsk_test_advance(*run, RUN_S);
    assert_int_equal(wsk_run_judge(*rig, *run), WSK_OK);
    for (int i = 0; i < (*run)->advice->n; i++)
        if (strcmp(wsk_said_english((*run)->arena, (*run)->advice->changes[i].what),
                   "dust removed from filters and coolers every 10 days") == 0)
            found = &(*run)->advice->changes[i];
    assert_non_null(found);
    return found;
}

static void check_told(wsk_run *run, const char *words)
{
    wsk_said_list found = {.arena = run->arena};
    bool told = false;
    wsk_found_parts(run, &found);
    for (size_t i = 0; i < found.count; i++)
        told = told || strcmp(wsk_said_english(run->arena, found.items[i]), words) == 0;
    assert_true(told);
}

/* Effects are those of the dust of the end: 60 %, and 30 % with two cleanings. */
static void gathering_dust_is_removed(void **state)
{
    (void)state;
    wsk_rig *rig = NULL;
    wsk_run *run = NULL;
    const wsk_change *c = find_dusting("chassis.dust=60%", &rig, &run);
    assert_near(c->work_rel, work_at_point("chassis.dust-start=30%") / work_at_point("chassis.dust-start=60%") - 1,
                0.01);
    assert_true(c->work_rel > 0.1);
    check_told(run, "chassis0: dust blocks 60 % of its filters and coolers at the end of the run");
    wsk_test_drop(run, rig);
}

/* With 95 % of dust the cards shut down, and with 47.5 % they throttle: the offer ends the shutdown all the same. */
static void a_shutdown_ends_though_cards_then_throttle(void **state)
{
    (void)state;
    wsk_rig *rig = NULL;
    wsk_run *run = NULL;
    const wsk_change *c = find_dusting("chassis.dust=95%", &rig, &run);
    assert_true(run->advice->now.shuts_down && !c->then.shuts_down && c->then.throttles);
    wsk_test_drop(run, rig);
}

static void a_throttled_pump_gets_its_full_speed(void **state)
{
    (void)state;
    const char *slow[] = {"pump[0].duty=15%"};
    check_offer(
        &(wsk_rig_options){
            .path = "scenarios/water-3090/rig.xml", .parts_dir = "parts", .sets = slow, .set_count = 1},
        "pumps and radiator fans at full speed");
}

static void a_low_limit_is_raised_half_way(void **state)
{
    (void)state;
    check_made(TOWER("", "<gpu part='gpu/rtx-4090' slot='1' power-limit='200 W'/>"), "a power limit of 325 W");
}

/* All eight places for fans at the chassis wall are taken, so advice offers no further fan. */
static void a_full_wall_gets_no_other_fan(void **state)
{
    (void)state;
    wsk_rig *rig = wsk_test_rig(
        "<rig><site supply='230 V'><room temperature='45 degC'/></site><chassis part='chassis/server-4u-8gpu'>"
        "<psu part='psu/tier-platinum-1600'/><gpu part='gpu/h100-pcie' slot='1'/><gpu part='gpu/h100-pcie' slot='3'/>"
        "</chassis><workload kind='training' class='burn'/><run for='1 h'/></rig>",
        NULL);
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 3600);
    wsk_test_advance(run, 3600);
    assert_int_equal(wsk_run_judge(rig, run), WSK_OK);
    double wall = 0;
    for (const wsk_elem *e = NULL; (e = wsk_elem_child(run->net->cases[0].elem, "fan", e)) != NULL;)
        wall +=
            ((const wsk_fan_params *)e->params)->at == WSK_AT_WALL ? ((const wsk_fan_params *)e->params)->count : 0;
    assert_true(wall >= run->net->cases[0].params->places[WSK_AT_FRONT]);
    for (int i = 0; i < run->advice->n; i++)
        assert_null(strstr(wsk_said_english(run->arena, run->advice->changes[i].what), "one more intake fan"));
    wsk_test_drop(run, rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(faults_are_undone),
                                       cmocka_unit_test(gathering_dust_is_removed),
                                       cmocka_unit_test(a_shutdown_ends_though_cards_then_throttle),
                                       cmocka_unit_test(a_throttled_pump_gets_its_full_speed),
                                       cmocka_unit_test(a_low_limit_is_raised_half_way),
                                       cmocka_unit_test(a_full_wall_gets_no_other_fan)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
