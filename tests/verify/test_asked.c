/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/bench.h"
#include "wattsink_summary.h"

static wsk_run *begin(wsk_rig **rig, const char *card, const char *workload)
{
    char text[4096];
    snprintf(
        text, sizeof text,
        "<rig><site supply='100 V' circuit='10 A'><room temperature='25 degC'/></site><chassis>"
        "<psu kind='constant' rated='900 W' efficiency='80 %%'/><fan at='front' pressure='18 Pa' flow='55 CFM' "
        "rpm='1500 rpm'/>"
        "<gpu slot='1' tdp='250 W' idle='20 W' clock-max='1900 MHz' clock-knee='1400 MHz' memory-clock='7000 MHz' "
        "memory-type='GDDR6' voltage-slope='0.6 1/GHz' voltage-floor='0.75 V' %s><cooler kind='blower' "
        "conductance='8 W/K' flow='16 CFM' capacity='500 J/K' fan-pressure='320 Pa' fan-flow='29 CFM' "
        "fan-rpm='4000 rpm'/></gpu>"
        "<gpu slot='4' tdp='250 W' idle='20 W' clock-max='1900 MHz' clock-knee='1400 MHz' "
        "voltage-slope='0.6 1/GHz'><cooler kind='blower' conductance='8 W/K' flow='16 CFM' capacity='500 J/K' "
        "fan-pressure='320 Pa' fan-flow='29 CFM' fan-rpm='4000 rpm'/></gpu>"
        "</chassis>%s<run for='2 h'/></rig>",
        card, workload);
    wsk_rig_options o = {.path = "-", .text = text, .text_len = strlen(text), .parts_dir = "parts"};
    wsk_run *run = NULL;
    assert_int_equal(wsk_rig_load(rig, &o), WSK_OK);
    assert_int_equal(wsk_run_new(&run, *rig, NULL), WSK_OK);
    return run;
}

static void end(wsk_rig *rig, wsk_run *run)
{
    wsk_run_free(run);
    wsk_rig_free(rig);
}

static double get(const wsk_run *run, const char *name)
{
    double v = -1;
    assert_int_equal(wsk_run_get(run, name, &v), WSK_OK);
    return v;
}

static void test_energy_is_power_by_time(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = begin(&rig, "power='120 W'", "<workload kind='constant' class='burn' gpus='gpu0'/>");
    for (int t = 0; t <= 3600; t += 1200) {
        assert_int_equal(wsk_run_advance(run, t), WSK_OK);
        assert_rel(get(run, "gpu0.energy_j") + 1, 120.0 * t + 1, 1e-12);
    }
    /* The range from idle power (20 W) to power limit (250 W) is 230 W wide; a card at 120 W uses 100 W of it. */
    assert_rel(get(run, "gpu0.utilisation"), 100.0 / 230, 1e-12);
    assert_rel(get(run, "psu0.input_w"), get(run, "psu0.output_w") / 0.8, 1e-9);
    assert_rel(get(run, "circuit.power_w"), get(run, "psu0.input_w"), 1e-12);
    assert_rel(get(run, "circuit.load"), get(run, "circuit.power_va") / 1000, 1e-9);
    /* after an hour the breaker's heat has settled at (I / rated current)^2 divided by (hold current / rated
     * current)^2 */
    const double heat = get(run, "circuit.breaker_heat"), rel = get(run, "circuit.power_va") / 1000;
    assert_true(heat < rel * rel && heat > rel * rel / (1.5 * 1.5));
    assert_same(get(run, "circuit.on"), 1.0);
    assert_same(get(run, "trips"), 0.0);
    end(rig, run);
}

static void test_a_share_of_the_time(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run =
        begin(&rig, "", "<workload kind='constant' class='burn' load='30 %' gpus='gpu0' rate='50' unit='x'/>");
    assert_int_equal(wsk_run_advance(run, 600), WSK_OK);
    /* 30 % of the reference's work keeps the card busy for no more than 30 % of the time (tolerance 1.2), because the
     * card runs at full clock */
    const double used = get(run, "gpu0.utilisation"), work = get(run, "gpu0.work_rel");
    assert_rel(work, 0.3, 1e-9);
    assert_true(used > 0.2 && used <= 0.3 * 1.2);
    assert_rel(get(run, "work_per_s"), 0.3 * 50, 1e-9);
    assert_rel(get(run, "work_done"), 0.3 * 50 * 600, 1e-3);
    assert_same(get(run, "gpu0.pstate"), 2.0);
    assert_same(get(run, "gpu0.memory_clock_mhz"), 7000.0);
    assert_same(get(run, "gpu1.utilisation"), 0.0);
    assert_same(get(run, "gpu1.reasons"), 1.0);
    assert_same(get(run, "gpu1.pstate"), 8.0);
    assert_true(isnan(get(run, "gpu1.memory_clock_mhz"))); /* the rig states no memory clock for this card */
    assert_true(isnan(get(run, "tokens_per_s")));
    end(rig, run);
}

static void test_held_down_by_a_limit(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = begin(&rig, "power-limit='150 W'", "<workload kind='constant' class='burn' gpus='gpu0'/>");
    assert_int_equal(wsk_run_advance(run, 500), WSK_OK);
    assert_rel(get(run, "gpu0.held_power_s"), 500, 1e-9);
    assert_same(get(run, "gpu0.held_thermal_s"), 0.0);
    assert_same(get(run, "gpu0.reasons"), 4.0);
    assert_same(get(run, "gpu0.power_limit_w"), 150.0);
    assert_same(get(run, "gpu0.enforced_limit_w"), 150.0);
    assert_same(get(run, "gpu0.utilisation"), 1.0);
    assert_true(get(run, "gpu0.clock_mhz") < 1400);
    /* Below the knee of the voltage curve, the voltage is the floor voltage. */
    assert_rel(get(run, "gpu0.voltage_v"), 0.75, 1e-12);
    assert_rel(get(run, "gpu0.fan_percent"), get(run, "gpu0.fan_rpm") / 40, 1e-12);
    assert_same(get(run, "gpu0.fan_failed"), 0.0);
    assert_true(isnan(get(run, "gpu0.lock_high_mhz")));
    end(rig, run);
}

static void test_a_locked_clock_is_told(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = begin(&rig, "lock-clock='900 MHz'", "<workload kind='constant' class='burn' gpus='gpu0'/>");
    assert_int_equal(wsk_run_advance(run, 100), WSK_OK);
    assert_same(get(run, "gpu0.reasons"), 2.0);
    assert_rel(get(run, "gpu0.lock_high_mhz"), 900, 1e-12);
    assert_rel(get(run, "gpu0.lock_low_mhz"), 210, 1e-12);
    end(rig, run);
}

static void test_names_and_numbers(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = begin(&rig, "", "<workload class='burn'/>");
    assert_int_equal(wsk_run_advance(run, 60), WSK_OK);
    for (int r = 0; r < WSK_VAR_COUNT; r++) {
        const wsk_var_row *row = wsk_var_about((wsk_var)r);
        for (size_t i = 0; i < wsk_run_owners(run, row->owner); i++) {
            const char *id = wsk_run_owner(run, row->owner, i);
            char name[160];
            double named = NAN;
            snprintf(name, sizeof name, "%s%s%s", id, *id ? "." : "", row->name);
            const double at = wsk_run_value(run, row->row, i);
            if (wsk_run_get(run, name, &named) == WSK_OK)
                assert_true(at == named || (isnan(at) && isnan(named)));
            else
                assert_true(isnan(at));
        }
        assert_true(isnan(wsk_run_value(run, row->row, wsk_run_owners(run, row->owner))));
    }
    for (size_t i = 0; i < wsk_run_variables(run); i++)
        assert_int_not_equal(wsk_run_variable_row(run, i)->change, WSK_VAR_ASKED);
    assert_int_equal(wsk_run_owners(run, WSK_OF_CARD), 2);
    assert_string_equal(wsk_run_owner(run, WSK_OF_CARD, 1), "gpu1");
    assert_string_equal(wsk_run_owner(run, WSK_OF_CARD, 2), "");
    assert_string_equal(wsk_run_owner(run, WSK_OF_RIG, 0), "");
    assert_true(isnan(wsk_run_value(run, WSK_VAR_COUNT, 0)));
    double v;
    assert_int_equal(wsk_run_get(run, "gpu2.energy_j", &v), WSK_EINPUT);
    assert_int_equal(wsk_run_get(run, "gpu0.energy", &v), WSK_EINPUT);
    end(rig, run);
}

/* A blower card with `card` as further attributes, in a machine on `site`. */
#define COOLED(kind, more) \
    "<cooler kind='" kind "' conductance='8 W/K' flow='16 CFM' capacity='500 J/K' " more "/></gpu>"
#define FANNED "fan-pressure='320 Pa' fan-flow='29 CFM' fan-rpm='4000 rpm'"
#define CARD_OF(card) \
    "<gpu slot='1' tdp='250 W' idle='20 W' clock-max='1900 MHz' clock-knee='1400 MHz' memory-clock='1200 MHz' " \
    "voltage-slope='0.6 1/GHz' " card ">"
#define FAN "<fan id='f' at='front' pressure='18 Pa' flow='55 CFM' rpm='1500 rpm'/>"
#define MACHINE(site, chassis, card, work) \
    "<rig><site supply='200 V'>" site "</site><chassis " chassis "><psu kind='constant' rated='900 W' " \
    "efficiency='80 %'/>" FAN card "</chassis>" work "<run for='2 h'/></rig>"
#define ROOM "<room temperature='25 degC'/>"
#define BURN "<workload kind='constant' class='burn' rate='50' unit='x'/>"

/* Runs a rig until until_s, in a run of two hours. */
static wsk_run *run_to(const char *xml, double until_s, wsk_rig **rig)
{
    *rig = wsk_test_rig(xml, NULL);
    wsk_run *run = wsk_test_run(*rig, WSK_STEPPER_FAST, 7200);
    wsk_test_advance(run, until_s);
    return run;
}

static void test_a_card_that_is_lost(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = run_to(MACHINE(ROOM, "", CARD_OF("") COOLED("blower", FANNED), BURN), 600, &rig);
    assert_true(get(run, "gpu0.voltage_v") > 0.5 && get(run, "gpu0.memory_clock_mhz") > 0);
    assert_same(get(run, "gpu0.off"), 0.0);
    assert_int_equal(wsk_run_set(run, "gpu0.off", 1), WSK_OK);
    wsk_test_advance(run, 660);
    static const char *const zero[] = {"utilisation", "memory_utilisation", "voltage_v", "memory_clock_mhz",
                                       "work_per_s"};
    for (size_t i = 0; i < sizeof zero / sizeof *zero; i++) {
        char name[64];
        snprintf(name, sizeof name, "gpu0.%s", zero[i]);
        assert_same(get(run, name), 0.0);
    }
    assert_same(get(run, "gpu0.off"), 1.0);
    assert_same(get(run, "work_per_s"), 0.0);
    wsk_test_drop(run, rig);
}

/* Data-centre cards stay in P0 with their memory at full clock: those in a server's air stream and those with HBM. */
static void test_an_idle_card_by_its_kind(void **state)
{
    (void)state;
    static const struct {
        const char *xml;
        double pstate, memory_mhz;
        bool fan;
    } cards[] = {{MACHINE(ROOM, "", CARD_OF("memory-type='GDDR6'") COOLED("blower", FANNED), ""), 8, 405, true},
                 {MACHINE(ROOM, "", CARD_OF("") COOLED("blower", FANNED), ""), 8, 405, true},
                 {MACHINE(ROOM, "", CARD_OF("memory-type='HBM2e'") COOLED("blower", FANNED), ""), 0, 1200, true},
                 {MACHINE(ROOM, "", CARD_OF("") COOLED("passive", "drop='40 Pa'"), ""), 0, 1200, false},
                 {MACHINE(ROOM, "", CARD_OF("memory-offset='-900 MHz'") COOLED("blower", FANNED), ""), 8, 300, true}};
    for (size_t i = 0; i < sizeof cards / sizeof *cards; i++) {
        wsk_rig *rig;
        wsk_run *run = run_to(cards[i].xml, 60, &rig);
        assert_same(get(run, "gpu0.pstate"), cards[i].pstate);
        assert_rel(get(run, "gpu0.memory_clock_mhz"), cards[i].memory_mhz, 1e-12);
        assert_int_equal(isnan(get(run, "gpu0.fan_percent")), !cards[i].fan);
        assert_int_equal(isnan(get(run, "gpu0.fan_failed")), !cards[i].fan);
        assert_int_equal(isnan(get(run, "gpu0.fan_held_percent")), 1);
        assert_true(isnan(get(run, "work_per_s"))); /* no work is counted */
        assert_true(isnan(get(run, "gpu0.work_per_s")));
        wsk_test_drop(run, rig);
    }
}

static void test_steered_power_and_load(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = run_to(MACHINE(ROOM, "", CARD_OF("") COOLED("blower", FANNED), BURN), 600, &rig);
    const double busy = get(run, "gpu0.memory_utilisation");
    assert_int_equal(wsk_run_set(run, "gpu0.power_w", 112), WSK_OK);
    wsk_test_advance(run, 700);
    assert_rel(get(run, "gpu0.utilisation"), 92.0 / 230, 1e-12);
    assert_true(get(run, "gpu0.memory_utilisation") > 0 && get(run, "gpu0.memory_utilisation") < busy);
    assert_int_equal(wsk_run_set(run, "gpu0.power_w", 10), WSK_OK); /* below idle power */
    wsk_test_advance(run, 800);
    assert_same(get(run, "gpu0.utilisation"), 0.0);
    assert_int_equal(wsk_run_set(run, "gpu0.power_w", 400), WSK_OK); /* above the limit */
    wsk_test_advance(run, 900);
    assert_same(get(run, "gpu0.utilisation"), 1.0);
    wsk_test_drop(run, rig);

    /* A card outside the job, kept busy by a steered load, counts in the rig's pace. */
    run = begin(&rig, "", "<workload kind='constant' class='burn' gpus='gpu0' rate='50' unit='x'/>");
    assert_int_equal(wsk_run_advance(run, 600), WSK_OK);
    const double one = get(run, "work_per_s");
    assert_same(get(run, "gpu1.work_per_s"), 0.0);
    assert_int_equal(wsk_run_set(run, "gpu1.utilisation", 0.5), WSK_OK);
    assert_int_equal(wsk_run_advance(run, 1200), WSK_OK);
    assert_rel(get(run, "gpu1.work_per_s"), 50 * get(run, "gpu1.work_rel"), 1e-12);
    assert_true(get(run, "gpu1.work_per_s") > 0.4 * 50);
    assert_true(get(run, "work_per_s") > one + 0.4 * 50 - 1);
    assert_int_equal(wsk_run_set(run, "gpu1.utilisation", 1.5), WSK_EINPUT);
    end(rig, run);
}

/* While a checkpoint is saved the cards wait, with kernels that spin. */
static void test_cards_that_wait(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = run_to(
        MACHINE(ROOM, "", CARD_OF("") COOLED("blower", FANNED),
                "<workload kind='training' class='training' checkpoint-every='10 min' checkpoint-takes='120 s'/>"),
        540, &rig);
    const double working_w = get(run, "gpu0.power_w");
    assert_true(get(run, "gpu0.work_rel") > 0.5);
    wsk_test_advance(run, 660);
    assert_same(get(run, "gpu0.work_rel"), 0.0);
    assert_same(get(run, "gpu0.utilisation"), 1.0);
    assert_true(get(run, "gpu0.power_w") < 0.6 * working_w);
    wsk_test_drop(run, rig);
}

static void test_a_lock_above_the_clock(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = begin(&rig, "lock-clock='1800 MHz' power-limit='120 W'",
                         "<workload kind='constant' class='burn' gpus='gpu0'/>");
    assert_int_equal(wsk_run_advance(run, 100), WSK_OK);
    assert_true(get(run, "gpu0.clock_mhz") < 1700);
    assert_same(get(run, "gpu0.reasons"), 4.0);
    end(rig, run);
}

static void test_circuits(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = run_to(MACHINE(ROOM, "", CARD_OF("") COOLED("blower", FANNED), BURN), 600, &rig);
    assert_true(get(run, "circuit.power_w") > 200);
    assert_true(isnan(get(run, "circuit.load")) && isnan(get(run, "circuit.over_s")) &&
                isnan(get(run, "circuit.breaker_heat"))); /* the circuit has no rating */
    assert_int_equal(wsk_run_set(run, "circuit.on", 0), WSK_OK);
    wsk_test_advance(run, 660);
    assert_same(get(run, "circuit.on"), 0.0);
    assert_same(get(run, "circuit.power_w"), 0.0);
    assert_same(get(run, "trips"), 0.0); /* the circuit was switched off, not tripped */
    assert_same(get(run, "psu0.on"), 0.0);
    assert_int_equal(wsk_run_set(run, "circuit.on", 0.5), WSK_EINPUT);
    assert_int_equal(wsk_run_set(run, "circuit.power_w", 5), WSK_EINPUT);
    wsk_test_drop(run, rig);
}

static void test_trips_stay_counted(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = run_to("<rig><site supply='100 V' circuit='1 A'>" ROOM
                          "<branch id='b' circuit='15 A'/></site><chassis><psu kind='constant' "
                          "rated='900 W' efficiency='80 %'/>" FAN CARD_OF("")
                              COOLED("blower", FANNED) "</chassis>" BURN "<run for='2 h'/></rig>",
                          1800, &rig);
    assert_same(get(run, "circuit.on"), 0.0);
    assert_same(get(run, "trips"), 1.0);
    assert_int_equal(wsk_run_set(run, "circuit.on", 1), WSK_OK);
    assert_same(get(run, "circuit.on"), 1.0);
    assert_same(get(run, "trips"), 1.0);
    wsk_test_advance(run, 3600);
    assert_same(get(run, "circuit.on"), 0.0);
    assert_same(get(run, "trips"), 2.0);
    wsk_test_drop(run, rig);
}

static void test_the_air_conditioner(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = run_to(
        MACHINE("<room volume='60 m3' conductance='80 W/K'><outdoor mean='20 degC' swing='0 K'/><air-conditioner "
                "capacity='3 kW' setpoint='20 degC'/></room>",
                "", CARD_OF("") COOLED("blower", FANNED), BURN),
        3600, &rig);
    assert_same(get(run, "ac_on"), 1.0);
    assert_int_equal(wsk_run_set(run, "ac_on", 0.5), WSK_EINPUT);
    assert_int_equal(wsk_run_set(run, "ac_on", 0), WSK_OK);
    wsk_test_advance(run, 3700);
    assert_same(get(run, "ac_on"), 0.0);
    assert_same(get(run, "ac_w"), 0.0);
    assert_int_equal(wsk_run_set(run, "ac_on", 1), WSK_OK);
    wsk_test_advance(run, 3800);
    assert_same(get(run, "ac_on"), 1.0);
    wsk_test_drop(run, rig);
    run = run_to(MACHINE(ROOM, "", CARD_OF("") COOLED("blower", FANNED), BURN), 60, &rig);
    assert_true(isnan(get(run, "ac_on")));
    assert_int_equal(wsk_run_set(run, "ac_on", 0), WSK_EINPUT);
    assert_int_equal(wsk_run_set(run, "trips", 0), WSK_EINPUT);
    wsk_test_drop(run, rig);
}

/* Dust is in the list of fans, but it has no speed and cannot be set. */
static void test_dust_has_no_speed(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = run_to(MACHINE(ROOM, "dust='30 %'", CARD_OF("") COOLED("blower", FANNED), BURN), 600, &rig);
    int dusts = 0;
    for (size_t i = 0; i < wsk_run_owners(run, WSK_OF_MOVER); i++) {
        const char *id = wsk_run_owner(run, WSK_OF_MOVER, i);
        char name[64];
        const bool dust = strstr(id, "dust") != NULL;
        dusts += dust;
        assert_int_equal(isnan(wsk_run_value(run, WSK_VAR_MOVER_PERCENT, i)), dust);
        assert_int_equal(isnan(wsk_run_value(run, WSK_VAR_MOVER_FAILED, i)), dust);
        snprintf(name, sizeof name, "%s.percent", id);
        if (dust)
            assert_int_equal(wsk_run_set(run, name, 50), WSK_EINPUT);
    }
    assert_int_equal(dusts, 1);
    assert_int_equal(wsk_run_set(run, "f.percent", 50), WSK_OK);
    assert_rel(get(run, "f.percent"), 50, 1e-12);
    assert_rel(get(run, "f.rpm"), 750, 1e-12);
    assert_int_equal(wsk_run_set(run, "f.percent", 101), WSK_EINPUT);
    assert_int_equal(wsk_run_set(run, "f.rpm", 700), WSK_EINPUT);
    wsk_test_drop(run, rig);
}

static void test_tokens(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run =
        run_to(MACHINE(ROOM, "card-length='400 mm'",
                       "<gpu id='a' slot='1' part='gpu/rtx-3090-blower'/><gpu id='b' slot='5' "
                       "part='gpu/rtx-3090-blower'/>",
                       "<workload kind='inference' class='decode' model='model/llama-3.1-8b' quant='Q4_K_M'/>"),
               600, &rig);
    wsk_summary *s = NULL;
    assert_int_equal(wsk_run_summary(&s, run, 0), WSK_OK);
    const double both = get(run, "tokens_per_s");
    assert_rel(both, wsk_summary_number(s, WSK_R_TOKENS_GENERATION, 0), 0.02);
    wsk_summary_free(s);
    /* each card answers its own requests, so without card a half of them are left */
    assert_int_equal(wsk_run_set(run, "a.off", 1), WSK_OK);
    wsk_test_advance(run, 660);
    assert_rel(get(run, "tokens_per_s"), both / 2, 0.02);
    wsk_test_drop(run, rig);
}

static void test_clocks_and_fans_are_set_and_released(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run =
        run_to(MACHINE(ROOM, "", CARD_OF("clock-min='300 MHz'") COOLED("blower", FANNED), BURN), 600, &rig);
    assert_int_equal(wsk_run_set(run, "gpu0.lock_low_mhz", 600), WSK_OK);
    assert_rel(get(run, "gpu0.lock_low_mhz"), 600, 1e-12);
    assert_true(isnan(get(run, "gpu0.lock_high_mhz")));
    assert_int_equal(wsk_run_set(run, "gpu0.lock_low_mhz", 299), WSK_EINPUT);
    assert_int_equal(wsk_run_set(run, "gpu0.lock_low_mhz", 1901), WSK_EINPUT);
    assert_rel(get(run, "gpu0.lock_low_mhz"), 600, 1e-12);

    assert_int_equal(wsk_run_set(run, "f.percent", 40), WSK_OK);
    assert_rel(get(run, "f.rpm"), 600, 1e-12);
    assert_int_equal(wsk_run_set(run, "f.failed", 1), WSK_OK);
    assert_int_equal(wsk_run_set(run, "f.percent", 60), WSK_OK); /* a failed fan stands still whatever is set */
    assert_same(get(run, "f.rpm"), 0.0);
    assert_int_equal(wsk_run_set(run, "f.failed", 0.5), WSK_EINPUT);
    assert_int_equal(wsk_run_set(run, "f.failed", 0), WSK_OK);
    wsk_test_advance(run, 660);
    assert_rel(get(run, "f.rpm"), 900, 1e-12);
    assert_int_equal(wsk_run_set(run, "f.percent", NAN), WSK_OK);
    assert_rel(get(run, "f.rpm"), 1500, 1e-12); /* back to the speed that the rig states */

    assert_int_equal(wsk_run_set(run, "gpu0.fan_failed", 1), WSK_OK);
    wsk_test_advance(run, 720);
    assert_same(get(run, "gpu0.fan_percent"), 0.0);
    assert_int_equal(wsk_run_set(run, "gpu0.fan_failed", 2), WSK_EINPUT);
    assert_int_equal(wsk_run_set(run, "gpu0.utilisation", -0.1), WSK_EINPUT);
    int own_fans = 0;
    for (size_t i = 0; i < wsk_run_owners(run, WSK_OF_MOVER); i++) {
        char name[64];
        const bool own = strstr(wsk_run_owner(run, WSK_OF_MOVER, i), "gpu0") != NULL; /* has gpu0.fan_rpm */
        own_fans += own;
        snprintf(name, sizeof name, "%s.percent", wsk_run_owner(run, WSK_OF_MOVER, i));
        assert_int_equal(wsk_run_set(run, name, 50), own ? WSK_EINPUT : WSK_OK);
    }
    assert_int_equal(own_fans, 1);
    wsk_test_drop(run, rig);
}

/* NAN goes back to the power, clock and fan speed that the rig states. */
static void test_released_to_the_rig(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double order, rig;
    } pins[] = {{"gpu0.power_w", 90, 150}, {"gpu0.clock_mhz", 900, 1200}, {"gpu0.fan_rpm", 1000, 2000}};
    wsk_rig *rig;
    wsk_run *run = run_to(
        MACHINE(ROOM, "", CARD_OF("power='150 W' clock='1200 MHz' fan='2000 rpm'") COOLED("blower", FANNED), BURN),
        60, &rig);
    for (int released = 0; released < 2; released++) {
        for (size_t i = 0; i < 3; i++)
            assert_int_equal(wsk_run_set(run, pins[i].name, released ? (double)NAN : pins[i].order), WSK_OK);
        wsk_test_advance(run, 120 + 60 * released);
        for (size_t i = 0; i < 3; i++)
            assert_rel(get(run, pins[i].name), released ? pins[i].rig : pins[i].order, 1e-12);
    }
    wsk_test_drop(run, rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_energy_is_power_by_time),
                                       cmocka_unit_test(test_a_share_of_the_time),
                                       cmocka_unit_test(test_held_down_by_a_limit),
                                       cmocka_unit_test(test_a_locked_clock_is_told),
                                       cmocka_unit_test(test_names_and_numbers),
                                       cmocka_unit_test(test_a_card_that_is_lost),
                                       cmocka_unit_test(test_an_idle_card_by_its_kind),
                                       cmocka_unit_test(test_steered_power_and_load),
                                       cmocka_unit_test(test_cards_that_wait),
                                       cmocka_unit_test(test_a_lock_above_the_clock),
                                       cmocka_unit_test(test_circuits),
                                       cmocka_unit_test(test_trips_stay_counted),
                                       cmocka_unit_test(test_the_air_conditioner),
                                       cmocka_unit_test(test_dust_has_no_speed),
                                       cmocka_unit_test(test_tokens),
                                       cmocka_unit_test(test_clocks_and_fans_are_set_and_released),
                                       cmocka_unit_test(test_released_to_the_rig)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
