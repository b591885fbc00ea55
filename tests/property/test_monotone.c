/* SPDX-License-Identifier: GPL-3.0-or-later */
/* In the rigs of this test, more cooling makes no card hotter: two runs are compared that differ in one value, with all
 * other values pinned. In other rigs a fan that blows a radiator's heat into the case may heat other cards. */
#include <string.h>

#include "tests/support/bench.h"
#include "sim/step/step.h"
#include "sim/books/books.h"
#include "sim/control/control.h"

/* Advances with natural convection held constant, so that both runs have the same network. */
static void advance_held(wsk_run *run, int until_s)
{
    while (run->head->t_ns < until_s * WSK_NS) {
        wsk_control(run);
        wsk_power_tree(run);
        assert_true(wsk_step(run, 1));
        run->head->t_ns += WSK_NS;
    }
}

static double draw(uint64_t seed, int i, double low, double high)
{
    return low + (high - low) * wsk_random(seed, 0x6d6f6e6f, (uint64_t)i);
}

static const char *end(wsk_buf *b)
{
    wsk_buf_put(b, "", 1);
    assert_false(b->failed);
    return b->data;
}

/* Power, fans and pumps are pinned. Pumps draw no power, so that their speed affects the flow only. */
static void write_wet(wsk_buf *b, uint64_t seed, int most_cards, int radiators, const char *direction)
{
    int cards = 1 + (int)draw(seed, 0, 0, most_cards);
    wsk_buf_printf(b,
                   "<rig><site><room temperature='25 degC'/></site><chassis slots='9'><fan id='case-fan' at='front' "
                   "count='2' pressure='30 Pa' flow='150 m3/h' rpm='1400 rpm' power='0 W'/>"
                   "<vent area='200 cm2'/><loop id='loop' blocks='%s' volume='%.3f l' hose='%.2f m'><pump id='pump' "
                   "pressure='40 kPa' flow='%.1f l/min' rpm='4000 rpm' duty='60 %%' power='0 W'/>",
                   draw(seed, 1, 0, 1) < 0.5 ? "series" : "parallel", draw(seed, 2, 0.3, 1.5), draw(seed, 3, 0.5, 4),
                   draw(seed, 4, 8, 20));
    for (int i = 0; i < radiators; i++)
        wsk_buf_printf(b,
                       "<radiator id='rad%d' direction='%s' conductance='%.1f W/K' flow='%.1f l/s' drop='%.1f Pa' "
                       "coolant-conductance='%.0f W/K'>"
                       "<fan id='rad-fan%d' count='2' pressure='25 Pa' flow='%.0f m3/h' rpm='1800 rpm' duty='60 %%' "
                       "power='0 W'/></radiator>",
                       i, direction, draw(seed, 10 + i, 10, 40), draw(seed, 15 + i, 30, 90),
                       draw(seed, 20 + i, 5, 20), draw(seed, 25 + i, 60, 200), i, draw(seed, 30 + i, 90, 200));
    wsk_buf_printf(b, "</loop>");
    for (int i = 0; i < cards; i++)
        wsk_buf_printf(
            b,
            "<gpu id='card%d' slot='%d' tdp='300 W' clock-max='1900 MHz' clock-knee='1300 MHz' voltage-slope='0.5 "
            "1/GHz' power='%.0f W'>"
            "<cooler kind='water' covers='%s' conductance='%.1f W/K' capacity='250 J/K' drop='%.1f kPa'/></gpu>",
            i, 1 + 3 * i, draw(seed, 40 + i, 60, 200), draw(seed, 44 + i, 0, 1) < 0.3 ? "die" : "all",
            draw(seed, 48 + i, 10, 30), draw(seed, 52 + i, 4, 16));
    wsk_buf_printf(b, "</chassis></rig>");
}

/* Gives both runs the temperatures that the better cooled one has after so many seconds. */
static void begin_warm(wsk_run *worse, wsk_run *better, int after_s)
{
    assert_int_equal(worse->net->n_node, better->net->n_node);
    advance_held(better, after_s);
    memcpy(worse->t, better->t, (size_t)better->net->n_node * sizeof *better->t);
    worse->head->t_ns = better->head->t_ns;
}

static void check_from(const char *xml, const char *worse, const char *better, uint64_t seed, int cards, int start_s)
{
    wsk_rig *rigs[2] = {wsk_test_rig(xml, worse), wsk_test_rig(xml, better)};
    wsk_run *run[2];
    double gain = 0;
    for (int k = 0; k < 2; k++)
        run[k] = wsk_test_run(rigs[k], WSK_STEPPER_FAST, 3600);
    if (start_s > 0)
        begin_warm(run[0], run[1], start_s);
    for (int t = 20; t <= 3600; t += t < 200 ? 20 : 200) {
        advance_held(run[0], start_s + t);
        advance_held(run[1], start_s + t);
        for (int i = 0; i < run[0]->net->n_card && i < cards; i++) {
            const wsk_card *a = &run[0]->net->cards[i], *b = &run[1]->net->cards[i];
            double before = wsk_die_k(run[0], a, &run[0]->cards[i]), after = wsk_die_k(run[1], b, &run[1]->cards[i]);
            gain = fmax(gain, before - after);
            if (!(after <= before + 1e-6))
                fail_msg("seed %llu, %d s: %s has its die at %.6f degC with %s, at %.6f with %s",
                         (unsigned long long)seed, t, a->id, after - WSK_KELVIN, better ? better : "nothing",
                         before - WSK_KELVIN, worse ? worse : "nothing");
        }
    }
    if (!(gain > 1e-6))
        fail_msg("seed %llu: %s changes nothing", (unsigned long long)seed, better ? better : "nothing");
    for (int k = 0; k < 2; k++) {
        wsk_run_free(run[k]);
        wsk_rig_free(rigs[k]);
    }
}

static void check_no_hotter(const char *xml, const char *worse, const char *better, uint64_t seed, int cards)
{
    check_from(xml, worse, better, seed, cards, 0);
}

static int seeds(void)
{
    return wsk_test_cases(40, 6);
}

static void test_loops(void **state)
{
    (void)state;
    static const char *const ways[] = {"outside", "exhaust", "intake"};
    for (uint64_t seed = 1; seed <= (uint64_t)seeds(); seed++) {
        wsk_buf b = {0};
        write_wet(&b, seed, 3, 2, ways[seed % 3]);
        check_no_hotter(end(&b), "gpu.mount=2", "gpu.mount=1", seed, 9);
        wsk_buf_free(&b);
        /* Tested with one card only: with two cards, a faster flow carries the heat of the hotter card to the cooler
         * one sooner. */
        b = (wsk_buf){0};
        write_wet(&b, seed, 1, 2, ways[seed % 3]);
        check_no_hotter(end(&b), NULL, "pump.duty=95 %", seed, 9);
        check_no_hotter(b.data, "pump.duty=0 %", "pump.duty=5 %", seed, 9);
        wsk_buf_free(&b);
    }
}

/* More air through a radiator makes no die hotter. Tested for radiators with air of their own only: inside a case,
 * the speed of a stalled fan also affects how much air flows backwards through it. */
static void test_radiator_air(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= (uint64_t)seeds(); seed++) {
        wsk_buf b = {0};
        write_wet(&b, seed, 3, 2, "outside");
        const char *xml = end(&b);
        check_no_hotter(xml, NULL, "fan[rad-fan0].duty=90 %", seed, 9);
        check_no_hotter(xml, "radiator.drop=40 Pa", "radiator.drop=5 Pa", seed, 9);
        check_no_hotter(xml, "chassis.dust-start=40 %", NULL, seed, 9);
        check_no_hotter(xml, "fan[rad-fan0].fails-at=300 s", NULL, seed, 9);
        wsk_buf_free(&b);
    }
}

static void test_more_radiators(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= (uint64_t)seeds(); seed++) {
        double die[4] = {0};
        for (int n = 1; n <= 3; n++) {
            wsk_buf b = {0};
            write_wet(&b, seed, 3, n, "outside");
            wsk_rig *rig = wsk_test_rig(end(&b), NULL);
            wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 7200);
            advance_held(run, 7200);
            die[n] = wsk_die_k(run, &run->net->cards[0], &run->cards[0]);
            wsk_run_free(run);
            wsk_rig_free(rig);
            wsk_buf_free(&b);
        }
        if (!(die[2] < die[1] && die[3] < die[2]))
            fail_msg("seed %llu: %.3f, %.3f, %.3f K with one, two, three radiators", (unsigned long long)seed, die[1],
                     die[2], die[3]);
    }
}

static void test_hotter_facility_water(void **state)
{
    (void)state;
    int found = 0;
    for (uint64_t seed = 1; seed <= (uint64_t)wsk_test_cases(200, 40); seed++) {
        wsk_rig *rig = wsk_test_random(&(wsk_random_rig_spec){.seed = seed, .pin_cards = true, .pin_room = true});
        wsk_run *cool = wsk_test_run(rig, WSK_STEPPER_FAST, 1800), *hot = wsk_test_run(rig, WSK_STEPPER_FAST, 1800);
        const wsk_net *net = cool->net;
        bool facility = false;
        for (int i = 0; i < net->n_circuit; i++)
            if (net->circuits[i].facility) {
                hot->t[net->circuits[i].tank] += 3;
                facility = true;
            }
        for (int t = 1; facility && t <= 1200; t += t < 20 ? 1 : 80) {
            advance_held(cool, t);
            advance_held(hot, t);
            for (int i = 0; i < net->n_node; i++) {
                double d = hot->t[i] - cool->t[i];
                if (!(d >= -1e-9 && d <= 3 + 1e-9))
                    fail_msg("seed %llu: 3 K of facility water change %s by %.9f K after %d s",
                             (unsigned long long)seed, net->nodes[i].name, d, t);
            }
        }
        found += facility;
        wsk_run_free(cool);
        wsk_run_free(hot);
        wsk_rig_free(rig);
    }
    assert_true(found > 5);
}

static void write_pair(wsk_buf *b, uint64_t seed, const char *style)
{
    double pressure = draw(seed, 1, 60, 300), flow = draw(seed, 2, 18, 35);
    wsk_buf_printf(b,
                   "<rig><site><room temperature='25 degC'/></site><chassis slots='9'><fan id='case-fan' at='front' "
                   "count='2' pressure='30 Pa' flow='150 m3/h' rpm='1400 rpm' duty='70 %%' power='0 W'/>"
                   "<vent area='200 cm2'/>");
    for (int i = 0; i < 2; i++)
        wsk_buf_printf(b,
                       "<gpu id='card%d' slot='%d' slots='2' tdp='300 W' clock-max='1900 MHz' clock-knee='1300 MHz' "
                       "voltage-slope='0.5 1/GHz' power='%.0f W' fan='%.0f rpm'>"
                       "<cooler kind='%s' conductance='%.1f W/K' flow='%.1f l/s' capacity='500 J/K' drop='%.0f Pa' "
                       "fan-pressure='%.0f Pa' fan-flow='%.1f l/s' fan-rpm='3000 rpm'/></gpu>",
                       i, 1 + 2 * i, draw(seed, 3 + i, 60, 180), draw(seed, 5 + i, 1500, 3000), style,
                       draw(seed, 7, 7, 15), flow, 0.3 * pressure, pressure, 1.5 * flow);
    wsk_buf_printf(b, "</chassis></rig>");
}

/* A narrower gap in front of a card makes it hotter if it is warmer than the air in the gap. A cold card may be colder
 * than that air, because the exhaust of another card comes back into the gap; less of this air then warms it less. So
 * these runs begin with warm cards. */
static void test_air(void **state)
{
    (void)state;
    static const char *const styles[] = {"blower", "open-air"};
    static const char *const gaps[] = {"gpu[card0].thickness=40.3 mm", "gpu[card0].thickness=39.9 mm",
                                       "gpu[card0].thickness=39 mm",   "gpu[card0].thickness=37 mm",
                                       "gpu[card0].thickness=33 mm",   "gpu[card0].thickness=25 mm"};
    for (uint64_t seed = 1; seed <= (uint64_t)seeds(); seed++) {
        wsk_buf b = {0};
        write_pair(&b, seed, styles[seed % 2]);
        const char *xml = end(&b);
        for (int i = 0; i < 5; i++)
            check_from(xml, gaps[i], gaps[i + 1], seed, 1, 1200);
        check_no_hotter(xml, "chassis.dust-start=50 %", "chassis.dust-start=10 %", seed, 2);
        check_no_hotter(xml, "gpu[card1].mount=3", "gpu[card1].mount=1.5", seed, 2);
        check_no_hotter(xml, "fan[case-fan].duty=30 %", "fan[case-fan].duty=100 %", seed, 2);
        check_no_hotter(xml, "fan[case-fan].blocked=70 %", NULL, seed, 2);
        wsk_buf_free(&b);
    }
}

static void test_failure_cools_nothing_of_its_own(void **state)
{
    (void)state;
    static const char *const styles[] = {"blower", "open-air"}, *const ways[] = {"outside", "exhaust", "intake"};
    for (uint64_t seed = 1; seed <= (uint64_t)seeds(); seed++) {
        wsk_buf wet = {0}, pair = {0};
        write_wet(&wet, seed, 1, 2, ways[seed % 3]);
        write_pair(&pair, seed, styles[seed % 2]);
        check_no_hotter(end(&wet), "pump.fails-at=300 s", NULL, seed, 9);
        check_no_hotter(end(&pair), "gpu[card0].fan-fails-at=300 s", NULL, seed, 1);
        check_no_hotter(pair.data, "fan[case-fan].fails-at=300 s", NULL, seed, 2);
        wsk_buf_free(&wet);
        wsk_buf_free(&pair);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loops),
        cmocka_unit_test(test_radiator_air),
        cmocka_unit_test(test_more_radiators),
        cmocka_unit_test(test_hotter_facility_water),
        cmocka_unit_test(test_air),
        cmocka_unit_test(test_failure_cools_nothing_of_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
