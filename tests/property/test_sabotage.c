/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The energy balance detects tampering. The test steps a run as the engine does, and removes or adds heat within the
 * steps. */
#include <math.h>
#include <string.h>

#include "tests/support/bench.h"
#include "sim/step/step.h"
#include "sim/step/tables.h"
#include "sim/books/books.h"
#include "sim/control/control.h"

enum { STEPS = 600 };
static const double closed = 1e-9; /* largest relative residual of the energy balance in a run without tampering */

/* A tampering: functions that are called in each step but the first: before the step, between the solver and the
 * energy balance, and after both. NULL: no call. */
typedef struct {
    void (*before)(wsk_run *run);
    void (*between)(wsk_run *run);
    void (*after)(wsk_run *run);
    int which;
} crime;
static crime now;

static void drive(wsk_run *run, const crime *c)
{
    now = *c;
    for (int i = 0; i < STEPS && wsk_check_state(run); i++) {
        int64_t next = run->head->t_ns + run->tick_ns;
        double h = (double)run->tick_ns / 1e9;
        wsk_control(run);
        wsk_power_tree(run);
        if (i > 0 && c->before)
            c->before(run);
        assert_true(wsk_step(run, h));
        if (i > 0 && c->between)
            c->between(run);
        wsk_ledger_step(run, h);
        wsk_ledger_close(run);
        if (i > 0 && c->after)
            c->after(run);
        run->head->t_ns = next;
        run->head->tick++;
    }
}

static double residual_after(const wsk_rig *rig, wsk_stepper stepper, const crime *c, double *splitting)
{
    wsk_run *run = wsk_test_run(rig, stepper, 2 * STEPS);
    drive(run, c);
    double residual = wsk_residual(run);
    if (splitting)
        *splitting = wsk_splitting(run);
    wsk_run_free(run);
    return residual;
}

static wsk_rig *rig_of(uint64_t seed, bool pin_room)
{
    return wsk_test_random(
        &(wsk_random_rig_spec){.seed = seed, .least_cards = 2, .pin_cards = true, .pin_room = pin_room});
}

static int cases(void)
{
    return wsk_test_cases(12, 3);
}

static void check_caught(const wsk_rig *rig, uint64_t seed, int stepper, const crime *c, const char *what)
{
    double residual = residual_after(rig, (wsk_stepper)stepper, c, NULL);
    if (!(residual > closed))
        fail_msg("seed %llu, stepper %d: %s (%d) leaves a residual of %.3g", (unsigned long long)seed, stepper, what,
                 c->which, residual);
}

static void test_honest_run_closes(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= (uint64_t)cases(); seed++)
        for (int stepper = 0; stepper < 2; stepper++) {
            wsk_rig *rig = rig_of(seed, seed % 2);
            double splitting, residual = residual_after(rig, (wsk_stepper)stepper, &(crime){.which = 0}, &splitting);
            if (!(residual <= closed))
                fail_msg("seed %llu, stepper %d: residual %.3g", (unsigned long long)seed, stepper, residual);
            assert_true(splitting < 1e-9);
            wsk_rig_free(rig);
        }
}

/* Removes the PSU's loss, which the meter has counted, from the heat. */
static void drop_loss(wsk_run *run)
{
    for (int i = 0; i < run->net->n_supply; i++)
        run->heat[run->net->supplies[i].solid] -= run->supply_wall_w[i] - run->supply_dc_w[i];
}

static void test_dropped_psu_loss_is_caught(void **state)
{
    (void)state;
    int tried = 0;
    for (uint64_t seed = 1; seed <= (uint64_t)cases(); seed++)
        for (int stepper = 0; stepper < 2; stepper++) {
            wsk_rig *rig = rig_of(seed, seed % 2);
            wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 10);
            bool has = run->net->n_supply > 0;
            wsk_run_free(run);
            if (has)
                check_caught(rig, seed, stepper, &(crime){.before = drop_loss}, "the dropped loss");
            tried += has;
            wsk_rig_free(rig);
        }
    assert_true(tried > 0);
}

/* Delivers the heat of a stream a second time to the node downstream. */
static void double_stream(wsk_run *run)
{
    const wsk_branch *b = &run->net->branches[now.which];
    const wsk_point *p = &run->flows->point;
    int from = run->net->flow_node[b->from], to = run->net->flow_node[b->to];
    double w = p->w[now.which];
    int up = w >= 0 ? from : to, down = w >= 0 ? to : from;
    if (!run->net->nodes[down].boundary)
        run->heat[down] += fabs(w) * run->t[up];
}

/* Doubles the flow of a stream across the rig's boundary, where the energy balance counts it, after the flows were
 * solved. */
static void double_crossing(wsk_run *run)
{
    run->flows->point.w[now.which] *= 2;
}

static void halve_crossing(wsk_run *run)
{
    run->flows->point.w[now.which] *= 0.5;
}

static void test_doubled_stream_is_caught(void **state)
{
    (void)state;
    int inner = 0, crossing = 0;
    for (uint64_t seed = 1; seed <= (uint64_t)cases(); seed++)
        for (int stepper = 0; stepper < 2; stepper++) {
            wsk_rig *rig = rig_of(seed, true);
            wsk_run *run = wsk_test_run(rig, (wsk_stepper)stepper, 10);
            wsk_test_advance(run, 1);
            for (int i = 0; i < run->net->n_branch; i++) {
                const wsk_branch *b = &run->net->branches[i];
                double w = run->flows->point.w[i];
                int down = w >= 0 ? b->to : b->from;
                /* skips a fan in an open frame, which takes its air from the room and returns it to the room */
                if (fabs(w) < 1e-2 || b->from == b->to)
                    continue;
                if (!run->net->nodes[run->net->flow_node[down]].boundary) {
                    check_caught(rig, seed, stepper, &(crime){.before = double_stream, .which = i},
                                 "the doubled stream");
                    inner++;
                }
                if (run->net->nodes[run->net->flow_node[b->from]].boundary ||
                    run->net->nodes[run->net->flow_node[b->to]].boundary) {
                    check_caught(rig, seed, stepper,
                                 &(crime){.between = double_crossing, .after = halve_crossing, .which = i},
                                 "the doubled crossing");
                    crossing++;
                }
            }
            wsk_run_free(run);
            wsk_rig_free(rig);
        }
    assert_true(inner > 20 && crossing > 20);
}

/* Heat flow from a solid through port number now.which, W. skip_flux removes all of this heat, corrupt_flux changes
 * it by a millionth. */
static double flux_of(const wsk_run *run)
{
    const wsk_port *p = &run->net->ports[now.which];
    return run->flows->point.g[now.which] * (run->t[p->solid] - run->t[p->sense]);
}

static double metered_w(const wsk_run *run)
{
    return run->wall_w + run->side_w + run->ac_w;
}

static void skip_flux(wsk_run *run)
{
    run->heat[run->net->ports[now.which].deposit] -= flux_of(run);
}

static void corrupt_flux(wsk_run *run)
{
    run->heat[run->net->ports[now.which].deposit] += 1e-6 * flux_of(run);
}

static void test_skipped_and_corrupted_flux_is_caught(void **state)
{
    (void)state;
    int tried = 0;
    for (uint64_t seed = 1; seed <= (uint64_t)cases(); seed++)
        for (int stepper = 0; stepper < 2; stepper++) {
            wsk_rig *rig = rig_of(seed, seed % 2);
            wsk_run *run = wsk_test_run(rig, (wsk_stepper)stepper, 2 * STEPS);
            wsk_test_advance(run, STEPS);
            for (int i = 0; i < run->net->n_port; i++) {
                now.which = i;
                /* a millionth of a smaller flux would be too close to 1e-9, the residual that is allowed without
                 * tampering */
                if (fabs(flux_of(run)) < 0.05 * metered_w(run))
                    continue;
                check_caught(rig, seed, stepper, &(crime){.before = skip_flux, .which = i}, "the skipped flux");
                check_caught(rig, seed, stepper, &(crime){.before = corrupt_flux, .which = i},
                             "the flux off by a millionth");
                tried++;
            }
            wsk_run_free(run);
            wsk_rig_free(rig);
        }
    assert_true(tried > 20);
}

static void corrupt_conductance(wsk_run *run)
{
    run->stepping->config->give[now.which] *= 1 + 1e-6;
}

static void mend_conductance(wsk_run *run)
{
    run->stepping->config->give[now.which] /= 1 + 1e-6;
}

/* The table has no conductance of a port whose heat a boundary receives, such as the room of given temperature around
 * an open frame. That heat is counted where it leaves the rig, by the conductance of the flow solution. */
static bool leaves_the_rig(const wsk_run *run)
{
    return run->net->nodes[run->flows->point.deposit[now.which]].boundary;
}

static void corrupt_leaving(wsk_run *run)
{
    run->flows->point.g[now.which] *= 1 + 1e-6;
}

static void mend_leaving(wsk_run *run)
{
    run->flows->point.g[now.which] /= 1 + 1e-6;
}

/* Address of the first entry of the matrix A (C dT/dt = A T + ...) in a block's tables, which follows the matrices P
 * and Q. */
static double *conductance_of(const wsk_run *run)
{
    const wsk_block *b = &run->net->blocks[now.which];
    return run->stepping->config->blocks + b->table + 2 * b->count * wsk_rows(b->count);
}

static void corrupt_block(wsk_run *run)
{
    *conductance_of(run) *= 1 + 1e-6;
}

static void mend_block(wsk_run *run)
{
    *conductance_of(run) /= 1 + 1e-6;
}

static void check_conductance(const wsk_rig *rig, uint64_t seed, bool leaves)
{
    const crime within = {.before = corrupt_conductance, .between = mend_conductance, .which = now.which},
                leaving = {.between = corrupt_leaving, .after = mend_leaving, .which = now.which};
    check_caught(rig, seed, WSK_STEPPER_FAST, leaves ? &leaving : &within, "the corrupted conductance");
}

static void test_corrupted_table_is_caught(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= (uint64_t)cases(); seed++) {
        wsk_rig *rig = rig_of(seed, true);
        wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 2 * STEPS);
        wsk_test_advance(run, STEPS);
        for (int i = 0; i < run->net->n_card; i++) {
            check_caught(rig, seed, WSK_STEPPER_FAST,
                         &(crime){.before = corrupt_block, .between = mend_block, .which = i}, "the corrupted block");
            for (now.which = 0; now.which < run->net->n_port; now.which++)
                if (run->net->ports[now.which].solid == run->net->cards[i].heatsink &&
                    flux_of(run) > 0.05 * metered_w(run))
                    check_conductance(rig, seed, leaves_the_rig(run));
        }
        wsk_run_free(run);
        wsk_rig_free(rig);
    }
}

static const char loop_text[] =
    "<rig><site><room temperature='24 degC'/></site><chassis><fan at='front' pressure='20 Pa' flow='120 m3/h' "
    "rpm='1200 rpm'/><vent area='100 cm2'/>"
    "<loop volume='0.6 l'><pump pressure='40 kPa' flow='20 l/min' rpm='4800 rpm' power='18 W'/>"
    "<radiator direction='exhaust' conductance='25 W/K' flow='60 l/s'><fan pressure='25 Pa' flow='280 m3/h' "
    "rpm='1700 rpm'/></radiator>"
    "<radiator direction='outside' conductance='25 W/K' flow='60 l/s'><fan pressure='25 Pa' flow='280 m3/h' "
    "rpm='1700 rpm'/></radiator></loop>"
    "<gpu slot='1' tdp='300 W' clock-max='1900 MHz' clock-knee='1300 MHz' voltage-slope='0.5 1/GHz' power='250 W'>"
    "<cooler kind='water' conductance='22 W/K'/></gpu>"
    "<gpu slot='4' tdp='300 W' clock-max='1900 MHz' clock-knee='1300 MHz' voltage-slope='0.5 1/GHz' power='150 W'>"
    "<cooler kind='water' conductance='22 W/K'/></gpu></chassis></rig>";

static void drop_pump_heat(wsk_run *run)
{
    run->heat[run->net->movers[now.which].heat_node] -= run->mover_w[now.which];
}

static bool is_coolant(const wsk_net *net, int branch)
{
    return net->branches[branch].heat_w_k_per_m3s > 1e6;
}

static void test_tampered_water_is_caught(void **state)
{
    (void)state;
    wsk_rig *rig = wsk_test_rig(loop_text, NULL);
    int streams = 0, pumps = 0, ports = 0;
    for (int stepper = 0; stepper < 2; stepper++) {
        wsk_run *run = wsk_test_run(rig, (wsk_stepper)stepper, 2 * STEPS);
        wsk_test_advance(run, STEPS);
        const wsk_net *net = run->net;
        for (int i = 0; i < net->n_branch; i++)
            if (is_coolant(net, i) && fabs(run->flows->point.w[i]) > 1) {
                check_caught(rig, 0, stepper, &(crime){.before = double_stream, .which = i}, "the doubled coolant");
                streams++;
            }
        for (int i = 0; i < net->n_mover; i++)
            if (run->mover_w[i] > 0) {
                check_caught(rig, 0, stepper, &(crime){.before = drop_pump_heat, .which = i},
                             "the dropped heat of a pump or fan");
                pumps++;
            }
        for (now.which = 0; now.which < net->n_port; now.which++) {
            const wsk_port *p = &net->ports[now.which];
            if (p->law != WSK_PORT_FINS || fabs(flux_of(run)) < 1)
                continue;
            check_caught(rig, 0, stepper, &(crime){.before = skip_flux, .which = now.which},
                         "the dropped side of a block or radiator");
            check_caught(rig, 0, stepper, &(crime){.before = corrupt_flux, .which = now.which},
                         "their flux off by a millionth");
            ports++;
        }
        wsk_run_free(run);
    }
    assert_int_equal(streams, 2 * 6); /* six per stepper: pump, two blocks, two radiators, return */
    assert_int_equal(pumps, 2 * 4);
    assert_int_equal(ports, 2 * 6); /* six per stepper: two blocks, and two radiator cores with two sides each */
    wsk_rig_free(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_honest_run_closes),         cmocka_unit_test(test_dropped_psu_loss_is_caught),
        cmocka_unit_test(test_doubled_stream_is_caught),  cmocka_unit_test(test_skipped_and_corrupted_flux_is_caught),
        cmocka_unit_test(test_corrupted_table_is_caught), cmocka_unit_test(test_tampered_water_is_caught),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
