/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The numbers of a summary against each other: energy is conserved, parts add up to the whole, and means times the time
 * are sums (docs/theory/ledger.md, docs/theory/money.md). */
#include <math.h>

#include "tests/support/bench.h"
#include "wattsink_summary.h"

static const double hours = 48;

/* Two machines on two circuits, of which one has a UPS, in a cooled room, under a tariff with periods. */
static const char xml[] =
    "<rig><site supply='230 V' circuit='16 A'><room volume='40 m3' conductance='40 W/K'>"
    "<outdoor mean='20 degC' swing='5 K'/><air-conditioner capacity='3 kW' setpoint='24 degC'/></room>"
    "<branch id='second' circuit='10 A'><ups rated='3 kW' battery='900 Wh'/></branch>"
    "<tariff kind='time-of-use' standing-month='30 EUR' tax='19 %'><period name='day' price='0.4 EUR/kWh' "
    "from='7:00' "
    "to='21:00'/><period name='night' price='0.2 EUR/kWh'/><demand price='9 EUR/kW/month' window='15 min'/></tariff>"
    "<carbon kind='constant' intensity='380 g/kWh'/></site>"
    "<chassis id='a' part='chassis/full-tower-8-slot'><fan part='fan/generic-140-1500' at='front' count='3'/>"
    "<fan part='fan/generic-120-1500' at='rear'/><psu id='p' part='psu/tier-gold-1600'/>"
    "<gpu id='g0' part='gpu/rtx-3090-blower' slot='1'/><gpu id='g1' part='gpu/rtx-3090' slot='5' power-limit='250 "
    "W'/>"
    "</chassis><chassis id='b' part='chassis/full-tower-8-slot'><fan part='fan/generic-140-1500' at='front' "
    "count='3'/>"
    "<psu id='q' part='psu/tier-bronze-850' on='second'/><gpu id='g2' part='gpu/rtx-3060' slot='1'/></chassis>"
    "<workload kind='training' class='training' rate='3' checkpoint-every='1 h'/>"
    "<run from='2026-06-01T00:00:00' zone='Europe/Berlin' for='48 h'/></rig>";

static double sum_of(const wsk_summary *s, wsk_result result, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += wsk_summary_number(s, result, i);
    return sum;
}

static void numbers_agree(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_summary *s = NULL;
    wsk_run *run = wsk_test_run_to(xml, hours * 3600, &rig);
    assert_int_equal(wsk_run_summary(&s, run, 0), WSK_OK);
#define GET(name) wsk_summary_number(s, WSK_R_##name, 0)
    const size_t psus = wsk_summary_count(s, WSK_SCOPE_PSU), circuits = wsk_summary_count(s, WSK_SCOPE_CIRCUIT),
                 periods = wsk_summary_count(s, WSK_SCOPE_PERIOD), cards = wsk_summary_count(s, WSK_SCOPE_GPU);
    assert_true(psus == 2 && circuits == 2 && periods == 2 && cards == 3);
    /* energy, kWh */
    const double wall = GET(WALL_KWH), cooling = GET(ROOM_COOLING_KWH);
    double inputs = 0, outputs = 0;
    for (size_t i = 0; i < psus; i++) {
        const double out = wsk_summary_number(s, WSK_R_PSU_LOAD_MEAN, i) *
                           wsk_summary_number(s, WSK_R_PSU_LINE_LIMIT, i) * hours / 1e3;
        outputs += out;
        inputs += out / wsk_summary_number(s, WSK_R_PSU_EFFICIENCY, i);
    }
    assert_rel(GET(DC_KWH), outputs, 1e-6);
    assert_rel(GET(DC_KWH) + GET(PSU_LOSS_KWH), inputs, 1e-6);
    assert_rel(inputs + GET(FEED_LOSS_KWH), wall, 1e-6);
    assert_rel(GET(HEAT_OUT_KWH) + GET(STORED_KWH), wall + cooling, 1e-6);
    assert_true(GET(RESIDUAL) < 1e-9);
    assert_rel(sum_of(s, WSK_R_BRANCH_MEAN, circuits) * hours / 1e3, wall, 1e-6);
    assert_rel(sum_of(s, WSK_R_BRANCH_SHARE, circuits), 1, 1e-9);
    for (size_t i = 0; i < circuits; i++)
        assert_rel(wsk_summary_number(s, WSK_R_BRANCH_LOAD, i) * wsk_summary_number(s, WSK_R_BRANCH_LIMIT, i),
                   wsk_summary_number(s, WSK_R_BRANCH_PEAK_VA, i), 1e-9);
    assert_rel(GET(CIRCUIT_LIMIT), 230 * 16, 1e-9);
    assert_true(GET(ROOM_COOLING_HEAT_KWH) / cooling > 3 && GET(ROOM_COOLING_HEAT_KWH) / cooling < 6);
    double fans = 0;
    for (int i = 0; i < run->net->n_mover; i++)
        fans += run->net->movers[i].power_w * hours / 1e3; /* all fans keep their full speed */
    assert_rel(GET(FANS_KWH), fans, 1e-6);
    /* sound: levels add as powers, and so do their means over the time */
    double loud = 0, drawn_w = 0;
    for (size_t i = 0; i < wsk_summary_count(s, WSK_SCOPE_FAN); i++) {
        const double level_dba = wsk_summary_number(s, WSK_R_FAN_NOISE, i),
                     fan_w = wsk_summary_number(s, WSK_R_FAN_POWER, i);
        loud += isnan(level_dba) ? 0 : pow(10, level_dba / 10);
        drawn_w += isnan(fan_w) ? 0 : fan_w;
    }
    assert_near(GET(NOISE), 10 * log10(loud), 1e-6);
    assert_true(GET(NOISE_MAX) >= GET(NOISE));
    assert_rel(GET(FANS_KWH), drawn_w * hours / 1e3, 1e-6);
    /* money */
    assert_rel(sum_of(s, WSK_R_PERIOD_KWH, periods), wall + cooling, 1e-6);
    assert_rel(GET(COST), GET(COST_ENERGY) + GET(COST_DEMAND) + GET(COST_STANDING) + GET(COST_MINIMUM), 1e-9);
    for (size_t i = 0; i < periods; i++)
        assert_rel(wsk_summary_number(s, WSK_R_PERIOD_COST, i),
                   (i ? 0.2 : 0.4) * 1.19 * wsk_summary_number(s, WSK_R_PERIOD_KWH, i), 1e-9);
    assert_rel(sum_of(s, WSK_R_PERIOD_COST, periods), GET(COST_ENERGY), 1e-9);
    assert_rel(GET(COST_STANDING), 1.19 * 30 * 2 / 30, 1e-9); /* two days of June */
    assert_rel(GET(CARBON), 0.38 * (wall + cooling), 1e-9);
    assert_rel(GET(COST_PER_WORK), GET(COST) / GET(WORK), 1e-12);
    /* work */
    assert_rel(GET(WORK), sum_of(s, WSK_R_GPU_WORK, cards) * hours, 1e-9);
    assert_rel(GET(COUNT), GET(WORK) * 3600 * 3, 1e-9);
    assert_rel(GET(LOST), 1 - GET(WORK) / GET(WORK_UNTHROTTLED), 1e-6);
    assert_true(GET(LOST_TO_LIMIT) > 0 && GET(LOST_TO_LIMIT) < 0.5);
    for (size_t i = 0; i < cards; i++) {
        const double from =
            wsk_summary_number(s, WSK_R_GPU_FROM_ROOM, i) + wsk_summary_number(s, WSK_R_GPU_FROM_CASE, i) +
            wsk_summary_number(s, WSK_R_GPU_FROM_OWN, i) + wsk_summary_number(s, WSK_R_GPU_FROM_NEIGHBOUR, i);
        assert_rel(from, 1, 1e-6);
    }
    wsk_summary_free(s);
    wsk_test_drop(run, rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(numbers_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
