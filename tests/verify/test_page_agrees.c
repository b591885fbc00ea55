/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page of a run and its results are made by different code. Here each number of the page is compared with the
 * result of the same name, and the sum of its parts with the whole. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/bench.h"
#include "wattsink_summary.h"

static const double hours = 2, full_rpm = 1500; /* length of the run; full speed of the fan that the test sets */

/* Two machines on two circuits, of which one has a UPS; three cards, of which one is in a loop of coolant; a room that
 * is cooled; a tariff of which each part costs something; work that is counted. */
static const char xml[] =
    "<rig name='Two machines'><site supply='230 V' circuit='16 A' listener='2 m'>"
    "<room volume='40 m3' conductance='40 W/K'><outdoor mean='26 degC' swing='5 K'/>"
    "<air-conditioner capacity='3 kW' setpoint='24 degC'/></room>"
    "<branch id='second' circuit='10 A'><ups rated='3 kW' battery='900 Wh'/></branch>"
    "<tariff kind='time-of-use' standing-month='30 EUR' tax='19 %'><period name='day' price='0.4 EUR/kWh' "
    "from='1:00' to='21:00'/><period name='night' price='0.2 EUR/kWh'/>"
    "<demand price='9 EUR/kW/month' window='15 min'/></tariff>"
    "<carbon kind='constant' intensity='380 g/kWh'/></site>"
    "<chassis id='a' part='chassis/full-tower-8-slot'><fan id='front' part='fan/generic-140-1500' at='front' "
    "count='3' sensor='cpu' curve='30 degC:40 %, 90 degC:100 %'/>"
    "<fan part='fan/generic-120-1500' at='rear'/><cpu power='90 W'/><psu id='p' part='psu/tier-gold-1600'/>"
    "<gpu id='air' part='gpu/rtx-3090' slot='1'/>"
    "<gpu id='wet' slot='4' slots='1' tdp='250 W' clock-max='1900 MHz' clock-knee='1400 MHz' voltage-slope='0.6 "
    "1/GHz'><cooler kind='water' loop='w' slots='1' thickness='19 mm'/></gpu><loop kind='facility' id='w'/>"
    "</chassis><chassis id='b' part='chassis/full-tower-8-slot'><fan part='fan/generic-140-1500' at='front' "
    "count='3'/><cpu power='40 W'/><psu id='q' part='psu/tier-bronze-850' on='second'/>"
    "<gpu id='last' part='gpu/rtx-3060' slot='1'/></chassis>"
    "<workload kind='training' class='training' rate='3' unit='steps'/>"
    "<run from='2026-06-01T00:00:00' zone='Europe/Berlin' for='2 h'/></rig>";

/* Fails the test if the page lacks the text. */
static void says(const char *page, const char *format, ...)
{
    char text[256];
    va_list rest;
    va_start(rest, format);
    vsnprintf(text, sizeof text, format, rest);
    va_end(rest);
    if (!strstr(page, text)) {
        print_error("the page lacks \"%s\":\n%s", text, page);
        fail();
    }
}

#define GET(name) wsk_summary_number(s, WSK_R_##name, 0)
#define OF(name, i) wsk_summary_number(s, WSK_R_##name, i)
#define NAME(name, i) wsk_summary_text(s, WSK_R_##name, i)

static void says_power(const char *page, const wsk_summary *s)
{
    says(page, "max %.0f W at the wall, up to %.0f W on a meter", GET(WALL_PEAK_W), GET(WALL_METER));
    for (size_t i = 0; i < wsk_summary_count(s, WSK_SCOPE_PSU); i++)
        says(page, ", %s %.0f %% of its rating", NAME(PSU_ID, i), 100 * OF(PSU_LOAD_PEAK, i));
    for (size_t i = 0; i < wsk_summary_count(s, WSK_SCOPE_CIRCUIT); i++)
        says(page, ", circuit %s %.0f of %.0f VA", NAME(BRANCH_ID, i), OF(BRANCH_PEAK_VA, i), OF(BRANCH_LIMIT, i));
    /* The battery feeds what the UPS gives, which is what the circuit takes less the loss of the UPS. */
    says(page, "The battery of the UPS of circuit %s carries the mean load of %.0f W for %.0f", NAME(BRANCH_ID, 1),
         OF(BRANCH_MEAN, 1) - GET(FEED_LOSS_KWH) * 3.6e6 / GET(SIMULATED), GET(UPS_MINUTES));
}

static void says_energy(const char *page, const wsk_summary *s)
{
    says(page, "%.4g kWh at the wall (%.3g kWh lost in the PSUs, %.3g in the UPS) + %.3g kWh for cooling",
         GET(WALL_KWH), GET(PSU_LOSS_KWH), GET(FEED_LOSS_KWH), GET(ROOM_COOLING_KWH));
    says(page, "Cost     %.2f EUR for 2 h (about %.0f a year if repeated); %.3g kg of CO2.", GET(COST), GET(ANNUAL),
         GET(CARBON));
    says(page, "Parts of it: day %.3g %%, night %.3g %%, demand %.3g %%, standing charge %.3g %%.",
         100 * OF(PERIOD_COST, 0) / GET(COST), 100 * OF(PERIOD_COST, 1) / GET(COST),
         100 * GET(COST_DEMAND) / GET(COST), 100 * GET(COST_STANDING) / GET(COST));
}

/* The number that follows the label on the page. */
static double after(const char *page, const char *label)
{
    const char *at = strstr(page, label);
    if (!at)
        print_error("the page lacks \"%s\":\n%s", label, page);
    assert_non_null(at);
    return strtod(at + strlen(label), NULL);
}

static void says_air(const char *page, const wsk_summary *s)
{
    says(page, "room %.1f degC, in the case %.1f degC, processor max %.0f degC; %.0f dBA at %.3g m", GET(ROOM_MEAN),
         GET(CASE_AIR_MEAN), GET(CPU_MAX), GET(NOISE), GET(NOISE_DISTANCE));
    says(page, "%s: %.1f degC to the blocks, max %.1f degC behind them, %.1f l/min.", NAME(LOOP_ID, 0),
         GET(LOOP_COOLANT_MEAN), GET(LOOP_RETURN_MAX), GET(LOOP_FLOW));
    assert_string_equal(NAME(FAN_ID, 0), "front");
    says(page, "Fans     front %.0f x %.0f rpm (%.0f %%), %.0f W.", GET(FAN_COUNT), GET(FAN_RPM),
         100 * GET(FAN_RPM) / full_rpm, GET(FAN_POWER));
}

/* Column of the table of cards. */
static const struct {
    int places;
    wsk_result result;
} columns[] = {{0, WSK_R_GPU_SLOT},       {1, WSK_R_GPU_DIE_MEAN},   {1, WSK_R_GPU_DIE_MAX},
               {1, WSK_R_GPU_MEMORY_MAX}, {1, WSK_R_GPU_POWER_MEAN}, {0, WSK_R_GPU_CLOCK_MEAN},
               {0, WSK_R_GPU_FAN_MEAN},   {3, WSK_R_GPU_WORK}};

static void says_card(const char *page, const wsk_summary *s, size_t i)
{
    char label[32], want[32], cell[32];
    snprintf(label, sizeof label, "\n%s ", NAME(GPU_ID, i));
    const char *at = strstr(page, label);
    assert_non_null(at);
    at += strlen(label);
    for (size_t k = 0; k < sizeof columns / sizeof *columns; k++) {
        const double value = wsk_summary_number(s, columns[k].result, i);
        int used = 0;
        assert_int_equal(sscanf(at, "%31s%n", cell, &used), 1);
        at += used;
        snprintf(want, sizeof want, isnan(value) ? "-" : "%.*f", columns[k].places, value);
        assert_string_equal(cell, want);
    }
    double by_power, by_heat;
    assert_int_equal(sscanf(at, "%lf %lf", &by_power, &by_heat), 2);
    assert_near(by_power, 100 * (OF(GPU_LIMITED_BY_POWER, i) + OF(GPU_BRAKED, i)) / GET(SIMULATED), 0.051);
    assert_near(by_heat,
                100 * (OF(GPU_LIMITED_BY_HEAT, i) + OF(GPU_SLOWDOWN, i) - OF(GPU_BRAKED, i)) / GET(SIMULATED), 0.051);
    const double own = OF(GPU_FROM_OWN, i), enclosed = OF(GPU_FROM_CASE, i);
    snprintf(label, sizeof label, "%s: case ", NAME(GPU_ID, i));
    if (isnan(own))
        assert_null(strstr(page, label));
    else if (own < 0.005)
        says(page, "%s%.0f %%", label, 100 * enclosed);
    else
        says(page, "%s%.0f %%, own exhaust %.0f %%", label, 100 * enclosed, 100 * own);
}

/* Cards that were never measured in this kind of work: how far throughput and power may be off. */
static void says_guesses(const char *page, const wsk_summary *s)
{
    says(page,
         "wet: no measurements of this card in this kind of work: throughput +-%.0f %%, power up to %.0f %% lower.",
         100 * OF(GPU_WORK_SPREAD, 1), 100 * OF(GPU_POWER_SPREAD, 1));
    says(page,
         "%s: no measurements of this card in this kind of work: throughput +-%.0f %%, power up to %.0f %% lower.",
         NAME(GPU_PART, 2), 100 * OF(GPU_WORK_SPREAD, 2), 100 * OF(GPU_POWER_SPREAD, 2));
    assert_null(strstr(page, "air: no measurements"));
}

static void says_all(const char *page, const wsk_summary *s)
{
    says_power(page, s);
    says_air(page, s);
    assert_int_equal(wsk_summary_count(s, WSK_SCOPE_GPU), 3);
    for (size_t i = 0; i < 3; i++)
        says_card(page, s, i);
    says_guesses(page, s);
    assert_rel(after(page, strstr(page, " steps a second, ") ? " steps a second, " : " steps, "),
               GET(COUNT) / GET(WALL_KWH), 5e-4);
    says(page, "Energy balance: residual %.1e of the input. %.0f assumed inputs", GET(RESIDUAL), GET(ASSUMED));
}

static void the_page_of_a_run_tells_its_results(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_summary *s = NULL;
    char *page = NULL;
    wsk_run *run = wsk_test_run_to(xml, hours * 3600, &rig);
    assert_int_equal(wsk_run_summary(&s, run, 0), WSK_OK);
    assert_int_equal(wsk_run_summary_text(run, &page), WSK_OK);
    says(page, "Two machines: 2 h simulated\n");
    says_all(page, s);
    says_energy(page, s);
    assert_rel(after(page, "Work     "), GET(COUNT), 2e-4);
    /* Water takes the heat of the card that it cools, but for a little that stays in the card or reaches the air. */
    assert_near(after(page, "Water    "), OF(GPU_POWER_MEAN, 1) * hours / 1e3, 0.06);
    wsk_text_free(page);
    wsk_summary_free(s);
    wsk_test_drop(run, rig);
}

/* A steady point has no duration: it has rates where a run has amounts. */
static void the_page_of_a_steady_point_tells_its_results(void **state)
{
    (void)state;
    wsk_rig *rig = wsk_test_rig(xml, NULL);
    wsk_summary *s = NULL;
    char *page = NULL;
    assert_int_equal(wsk_steady_summary(&s, rig, WSK_STEPPER_FAST, 0, &page), WSK_OK);
    says(page, "Two machines: steady operating point\n");
    says_all(page, s);
    assert_rel(after(page, "Work     "), GET(COUNT) / GET(SIMULATED), 2e-3);
    assert_near(after(page, "Water    "), OF(GPU_POWER_MEAN, 1), 0.1 * OF(GPU_POWER_MEAN, 1));
    wsk_text_free(page);
    wsk_summary_free(s);
    wsk_rig_free(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_page_of_a_run_tells_its_results),
                                       cmocka_unit_test(the_page_of_a_steady_point_tells_its_results)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
