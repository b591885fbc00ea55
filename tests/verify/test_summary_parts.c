/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The numbers of fans, machines, loops, PSUs and circuits in a summary against the network that they describe. The rig
 * changes little after its first hour, and the run is long, so that means are what the network has at the end. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/bench.h"
#include "sim/books/books.h"
#include "wattsink_summary.h"

static const double hours = 40;

static const char xml[] =
    "<rig><site supply='230 V' circuit='16 A'><room temperature='22 degC'/>"
    "<branch id='second' circuit='10 A'><ups rated='3 kW' battery='900 Wh'/></branch></site>"
    "<chassis id='a' part='chassis/full-tower-8-slot'><fan id='front' part='fan/generic-140-1500' at='front' "
    "count='3'/>"
    "<fan part='fan/generic-120-1500' at='rear'/><psu id='p' part='psu/tier-gold-1600'/>"
    "<gpu id='g0' part='gpu/rtx-3090-blower' slot='1' power='250 W' fan='60 %'/>"
    "<gpu id='g1' part='gpu/rtx-3060' slot='5' power='150 W' fan='50 %'/></chassis>"
    "<chassis id='b' part='chassis/full-tower-8-slot'><fan part='fan/generic-140-1500' at='front' count='2'/>"
    "<psu id='q' part='psu/tier-bronze-850' on='second'/>"
    "<gpu id='g2' part='gpu/rtx-3090' slot='3' power='280 W'><cooler "
    "part='cooler/aio-120-hybrid'/></gpu></chassis><run for='40 h'/></rig>";

/* The mover of the summary's row k: those that drive a flow, in their order. */
static int mover_of(const wsk_net *net, size_t k)
{
    for (int i = 0; i < net->n_mover; i++)
        if (net->movers[i].branch >= 0 && k-- == 0)
            return i;
    fail_msg("no such fan");
    return -1;
}

static void check_movers(const wsk_run *run, const wsk_summary *s)
{
    const wsk_net *net = run->net;
    const size_t count = wsk_summary_count(s, WSK_SCOPE_FAN);
    int pumps = 0, loud = 0;
    double noise = 0;
    assert_true(count >= 7);
    for (size_t k = 0; k < count; k++) {
        const int i = mover_of(net, k);
        const double q = run->flows->point.q[net->movers[i].branch];
        const bool pump = wsk_summary_known(s, WSK_R_PUMP_FLOW, k);
        assert_string_equal(wsk_summary_text(s, WSK_R_FAN_ID, k), net->movers[i].name);
        assert_rel(wsk_summary_number(s, WSK_R_FAN_RPM, k), run->rpm[i], 0.01);
        assert_true(pump != wsk_summary_known(s, WSK_R_FAN_FLOW, k));
        if (pump) /* l/min */
            assert_rel(wsk_summary_number(s, WSK_R_PUMP_FLOW, k), 60e3 * q, 0.01);
        else /* m3/h */
            assert_rel(wsk_summary_number(s, WSK_R_FAN_FLOW, k), 3600 * q, 0.01);
        pumps += pump;
        if (wsk_summary_known(s, WSK_R_FAN_NOISE, k)) {
            noise += pow(10, wsk_summary_number(s, WSK_R_FAN_NOISE, k) / 10);
            loud++;
        }
        assert_true(!(wsk_summary_number(s, WSK_R_FAN_POWER, k) < 0));
    }
    assert_int_equal(pumps, 1);
    assert_true(loud >= 5);
    assert_true(wsk_summary_number(s, WSK_R_NOISE, 0) >= 10 * log10(noise) - 0.05);
    assert_true(wsk_summary_number(s, WSK_R_NOISE, 0) <= 10 * log10(noise) + 3); /* the PSUs are heard as well */
    assert_near(wsk_summary_number(s, WSK_R_NOISE_MAX, 0), wsk_summary_number(s, WSK_R_NOISE, 0), 1);
}

static void check_cases(const wsk_run *run, const wsk_summary *s)
{
    const wsk_net *net = run->net;
    static const char *const names[] = {"a", "b"};
    assert_int_equal(wsk_summary_count(s, WSK_SCOPE_CASE), 2);
    for (size_t i = 0; i < 2; i++) {
        const wsk_case *c = &net->cases[i];
        assert_string_equal(wsk_summary_text(s, WSK_R_CASE_ID, i), names[i]);
        assert_string_equal(wsk_summary_text(s, WSK_R_CASE_PART, i), "chassis/full-tower-8-slot");
        assert_near(wsk_summary_number(s, WSK_R_CASE_PRESSURE, i), run->flows->point.pressure[c->flow_air], 0.02);
        assert_near(wsk_summary_number(s, WSK_R_CASE_AIR, i), run->t[c->air] - WSK_KELVIN, 0.2);
        const double fresh = wsk_summary_number(s, WSK_R_CASE_FRESH_AIR, i);
        assert_rel(wsk_summary_number(s, WSK_R_CASE_AIR_CHANGES, i) * 60 * c->params->volume_m3, fresh, 1e-9);
        /* what the front fans draw in is fresh, as far as no air returns */
        double drawn = 0;
        for (int b = 0; b < net->n_branch; b++)
            if (net->branches[b].mover >= 0 && net->movers[net->branches[b].mover].in == (int)i &&
                net->branches[b].to == c->flow_air && run->flows->point.q[b] > 0)
                drawn += 3600 * run->flows->point.q[b];
        assert_true(fresh > 0.4 * drawn && fresh < 2.5 * drawn);
    }
}

static void check_power(const wsk_run *run, const wsk_summary *s)
{
    static const char *const psus[] = {"p", "q"};
    double share = 0;
    for (size_t i = 0; i < 2; i++) {
        const wsk_supply *p = &run->net->supplies[i];
        assert_string_equal(wsk_summary_text(s, WSK_R_PSU_ID, i), psus[i]);
        assert_rel(wsk_summary_number(s, WSK_R_PSU_LOAD_MEAN, i), run->supply_dc_w[i] / p->law.limit_w, 0.01);
        assert_rel(wsk_summary_number(s, WSK_R_PSU_EFFICIENCY, i), run->supply_dc_w[i] / run->supply_wall_w[i], 0.01);
        assert_same(wsk_summary_number(s, WSK_R_PSU_OVER_LIMIT, i), 0.0);
        const double mean = wsk_summary_number(s, WSK_R_BRANCH_MEAN, i),
                     va = wsk_summary_number(s, WSK_R_BRANCH_PEAK_VA, i);
        assert_rel(mean, run->line_wall_w[i] + run->line_side_w[i], 0.01);
        assert_true(wsk_summary_number(s, WSK_R_BRANCH_PEAK, i) >= mean * (1 - 1e-9) && va >= mean);
        assert_rel(wsk_summary_number(s, WSK_R_BRANCH_LOAD, i), va / wsk_summary_number(s, WSK_R_BRANCH_LIMIT, i),
                   1e-9);
        assert_same(wsk_summary_number(s, WSK_R_BRANCH_OVER, i), 0.0);
        assert_same(wsk_summary_number(s, WSK_R_BRANCH_SUPPLY, i), 230.0);
        assert_true(wsk_summary_known(s, WSK_R_BRANCH_FEED, i) == (i == 1));
        assert_true(wsk_summary_known(s, WSK_R_BRANCH_UPS, i) == (i == 1));
        assert_false(wsk_summary_known(s, WSK_R_BRANCH_OFF_AT, i));
        share += wsk_summary_number(s, WSK_R_BRANCH_SHARE, i);
    }
    assert_rel(share, 1, 1e-9);
    /* circuits of 16 A and 10 A */
    assert_rel(wsk_summary_number(s, WSK_R_BRANCH_LIMIT, 0) / wsk_summary_number(s, WSK_R_BRANCH_LIMIT, 1), 1.6,
               1e-9);
}

static void check_cards(const wsk_run *run, const wsk_summary *s)
{
    static const double power_w[] = {250, 150, 280}, slot[] = {1, 5, 3};
    assert_int_equal(wsk_summary_count(s, WSK_SCOPE_GPU), 3);
    for (size_t i = 0; i < 3; i++) {
        const wsk_card *c = &run->net->cards[i];
        char name[8];
        snprintf(name, sizeof name, "g%zu", i);
        assert_string_equal(wsk_summary_text(s, WSK_R_GPU_ID, i), name);
        assert_same(wsk_summary_number(s, WSK_R_GPU_SLOT, i), slot[i]);
        assert_rel(wsk_summary_number(s, WSK_R_GPU_POWER_MEAN, i), power_w[i], 1e-9);
        const double die_c = run->cards[i].die_k - WSK_KELVIN, mean_c = wsk_summary_number(s, WSK_R_GPU_DIE_MEAN, i);
        assert_near(mean_c, die_c, 0.5);
        assert_true(wsk_summary_number(s, WSK_R_GPU_DIE_MAX, i) >= mean_c);
        assert_near(wsk_summary_number(s, WSK_R_GPU_MEMORY_MAX, i), run->t[c->memory] - WSK_KELVIN, 0.5);
        assert_near(wsk_summary_number(s, WSK_R_GPU_INLET_MEAN, i), run->t[c->inlet] - WSK_KELVIN, 0.5);
        if (c->mover >= 0)
            assert_rel(wsk_summary_number(s, WSK_R_GPU_FAN_MEAN, i), run->rpm[c->mover], 0.01);
    }
}

static void numbers_of_parts(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_summary *s = NULL;
    wsk_run *run = wsk_test_run_to(xml, hours * 3600, &rig);
    assert_int_equal(wsk_run_summary(&s, run, 0), WSK_OK);
    check_movers(run, s);
    check_cases(run, s);
    check_power(run, s);
    check_cards(run, s);
    wsk_summary_free(s);
    wsk_test_drop(run, rig);
}

/* Two cards of 24 GiB hold a model of 70.6e9 parameters at 4.8 bits (Q4_K_M) and its cache. */
static void memory_of_a_model(void **state)
{
    (void)state;
    wsk_summary *s = NULL;
    wsk_rig *rig = wsk_test_rig_file("scenarios/llama-70b-2x3090/rig.xml");
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 600);
    wsk_test_advance(run, 600);
    assert_int_equal(wsk_run_summary(&s, run, 0), WSK_OK);
    const double weights_gib = 70.6e9 * 4.8 / 8 / (1024.0 * 1024 * 1024);
    assert_rel(wsk_summary_number(s, WSK_R_TOKENS_CARDS_MEMORY, 0), 48, 1e-9);
    assert_true(wsk_summary_number(s, WSK_R_TOKENS_MEMORY, 0) > 0.98 * weights_gib);
    assert_true(wsk_summary_number(s, WSK_R_TOKENS_MEMORY, 0) < 48);
    wsk_summary_free(s);
    wsk_test_drop(run, rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(numbers_of_parts), cmocka_unit_test(memory_of_a_model)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
