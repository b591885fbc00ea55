/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "tests/support/bench.h"
#include "sim/step/step.h"
#include "sim/books/observe.h"
#include "sim/books/books.h"
#include "sim/control/control.h"

/* Advances a run with natural convection held constant, so that two compared runs have the same network. */
static void advance_held(wsk_run *run, int until_s)
{
    while (run->head->t_ns < until_s * WSK_NS) {
        wsk_control(run);
        wsk_power_tree(run);
        assert_true(wsk_step(run, 1));
        run->head->t_ns += WSK_NS;
    }
}

/* Tolerance, K, for a temperature that moves in the wrong direction by rounding only. */
static const double rounding_k = 1e-9;

static bool fins_give(const wsk_run *run, int branch)
{
    for (int i = 0; i < run->net->n_port; i++) {
        const wsk_port *p = &run->net->ports[i];
        if (p->law == WSK_PORT_FINS && p->branch == branch && run->t[p->solid] < run->t[p->sense])
            return false;
    }
    return true;
}

static void test_faster_fan_never_heats_its_card(void **state)
{
    (void)state;
    int compared = 0;
    for (uint64_t seed = 1; seed <= (uint64_t)wsk_test_cases(60, 10); seed++) {
        wsk_rig *rig = wsk_test_random(
            &(wsk_random_rig_spec){.seed = seed, .least_cards = 1, .pin_cards = true, .pin_room = true});
        wsk_run *slow = wsk_test_run(rig, WSK_STEPPER_FAST, 1800);
        int card = (int)(seed % (uint64_t)slow->net->n_card);
        for (double share = 0.2; share < 1; share += 0.35) {
            wsk_run *base = wsk_test_run(rig, WSK_STEPPER_FAST, 1800);
            wsk_run *fast = wsk_test_run(rig, WSK_STEPPER_FAST, 1800);
            double rpm = base->net->cards[card].rpm_max * share;
            base->cards[card].pin_rpm = rpm;
            fast->cards[card].pin_rpm = rpm;
            int node = base->net->cards[card].heatsink, branch = base->net->cards[card].branch, warm = 0;
            /* Waits until the fins give heat: a radiator that starts colder than the exhaust air of cards is warmed
             * by that air, and a faster fan warms it faster. */
            do {
                advance_held(base, warm += 10);
                advance_held(fast, warm);
            } while (!fins_give(base, branch) && warm < 1800);
            fast->cards[card].pin_rpm = rpm * 1.2;
            for (int t = 100 * (warm / 100 + 1); t <= 1800; t += 100) {
                advance_held(base, t);
                advance_held(fast, t);
                /* The suction of case fans can draw air backwards through a card; the card's fan then slows that
                 * stream. Such cards are left out. */
                if (base->flows->point.q[branch] <= 0 || !fins_give(base, branch))
                    break;
                if (!(fast->t[node] <= base->t[node] + rounding_k))
                    fail_msg("seed %llu, %s at %.0f rpm: %.9f K, 20 %% faster %.9f K", (unsigned long long)seed,
                             base->net->cards[card].id, rpm, base->t[node], fast->t[node]);
                compared++;
            }
            wsk_run_free(base);
            wsk_run_free(fast);
        }
        wsk_run_free(slow);
        wsk_rig_free(rig);
    }
    assert_true(compared > 100);
}

static void test_hotter_inlet_cools_no_node(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= (uint64_t)wsk_test_cases(100, 15); seed++) {
        wsk_rig *rig = wsk_test_random(&(wsk_random_rig_spec){.seed = seed, .pin_cards = true, .pin_room = true});
        wsk_run *cool = wsk_test_run(rig, WSK_STEPPER_FAST, 1800), *hot = wsk_test_run(rig, WSK_STEPPER_FAST, 1800);
        advance_held(cool, 300);
        advance_held(hot, 300);
        assert_int_equal(wsk_run_set(hot, "room.air_c", cool->t[cool->net->room] - WSK_KELVIN + 3), WSK_OK);
        double rise = 0;
        for (int t = 301; t <= 1800; t += t < 320 ? 1 : 80) {
            advance_held(cool, t);
            advance_held(hot, t);
            for (int i = 0; i < cool->net->n_node; i++) {
                double d = hot->t[i] - cool->t[i];
                rise = fmax(rise, i == cool->net->room ? 0 : d);
                if (!(d >= -rounding_k && d <= 3 + rounding_k))
                    fail_msg("seed %llu: 3 K at the inlet change %s by %.9f K after %d s", (unsigned long long)seed,
                             cool->net->nodes[i].name, d, t - 300);
            }
        }
        assert_true(rise > 1);
        wsk_run_free(cool);
        wsk_run_free(hot);
        wsk_rig_free(rig);
    }
}

/* At a fixed GPU temperature, power and work rise with the clock, and the clock rises with the power limit. */
static void check_card(const wsk_card *c)
{
    double lowest = c->gpu->clock_min_hz, highest = c->gpu->clock_max_hz;
    for (double die = 293.15; die < 375; die += 13.7) {
        double before = 0, work = 0, clock = 0;
        for (int i = 0; i <= 60; i++) {
            double f = lowest + (highest - lowest) * i / 60, p = c->ops->power_w(c->gpu, &c->cls, f, die, NULL),
                   w = c->ops->perf_rel(&c->cls, f);
            if (i > 0 && !(p > before))
                fail_msg("%s at %.1f degC: %.17g W at %.3f MHz, %.17g W a step below", c->id, die - WSK_KELVIN, p,
                         f / 1e6, before);
            assert_true(w >= work);
            before = p;
            work = w;
        }
        assert_true(c->ops->boost_hz(c->gpu, die + 1) <= c->ops->boost_hz(c->gpu, die));
        /* The search starts at the lowest clock for odd i, and at the highest for even i. */
        for (int i = 0; i < 250; i++) {
            double limit = (0.05 + 0.005 * i) * c->default_limit_w;
            double f = c->ops->clock_for(c->gpu, &c->cls, limit, die, i % 2 ? lowest : highest),
                   p = c->ops->power_w(c->gpu, &c->cls, f, die, NULL);
            if (f < clock)
                fail_msg("%s: %.3f W allow %.6f MHz, less %.6f MHz", c->id, limit, f * 1e-6, clock * 1e-6);
            assert_true(f >= lowest);
            if (f > lowest)
                assert_near(p, limit, 1e-4);
            clock = f;
        }
    }
    double held = 0;
    for (double limit = 0.3 * c->default_limit_w; limit < 1.4 * c->default_limit_w; limit += 0.5) {
        double h = c->ops->held_w(c->gpu, limit);
        if (h < held)
            fail_msg("%s: a limit of %.1f W holds %.1f W, a lower one %.1f W", c->id, limit, h, held);
        held = h;
    }
}

static void test_higher_limit_never_slows(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= (uint64_t)wsk_test_cases(60, 10); seed++) {
        wsk_rig *rig = wsk_test_random(&(wsk_random_rig_spec){.seed = seed, .least_cards = 1});
        wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 60);
        for (int i = 0; i < run->net->n_card && run->net->workload; i++)
            check_card(&run->net->cards[i]);
        wsk_run_free(run);
        wsk_rig_free(rig);
    }
    /* The card has a light load and high leakage, so that a cold die saves more than the load draws by its clock. */
    wsk_rig *light =
        wsk_test_rig("<rig><chassis><gpu slot='1' tdp='300 W' clock-max='1900 MHz' clock-knee='1200 MHz'"
                     " voltage-slope='0.9 1/GHz' leakage='36 W'><cooler conductance='9 W/K' flow='40 CFM'"
                     " capacity='700 J/K' fan-pressure='90 Pa' fan-flow='60 CFM' fan-rpm='2600 rpm'/>"
                     "</gpu></chassis><workload class='decode' p0='60 W' c='4 W/GHz'/></rig>",
                     NULL);
    wsk_run *cold = wsk_test_run(light, WSK_STEPPER_FAST, 60);
    check_card(&cold->net->cards[0]);
    wsk_run_free(cold);
    wsk_rig_free(light);
    /* With a firmware plateau, a card with any limit from 330 to 370 W draws 330 W. */
    wsk_rig *rig = wsk_test_rig(
        "<rig><chassis><gpu slot='1' tdp='350 W' power-limit-max='400 W' plateau-high='370 W'"
        " plateau-draw='330 W' clock-max='1980 MHz' clock-knee='1400 MHz' voltage-slope='0.5 1/GHz'>"
        "<cooler conductance='9 W/K' flow='40 CFM' capacity='700 J/K' fan-pressure='90 Pa' fan-flow='60 CFM'"
        " fan-rpm='2600 rpm'/></gpu></chassis><workload/></rig>",
        NULL);
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 60);
    check_card(&run->net->cards[0]);
    assert_near(run->net->cards[0].ops->held_w(run->net->cards[0].gpu, 350), 330, 1e-9);
    wsk_run_free(run);
    wsk_rig_free(rig);
}

static void test_more_load_never_lowers_input(void **state)
{
    (void)state;
    int supplies = 0;
    for (uint64_t seed = 1; seed <= (uint64_t)wsk_test_cases(100, 20); seed++) {
        wsk_rig *rig = wsk_test_random(&(wsk_random_rig_spec){.seed = seed});
        wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 60);
        const wsk_supply *s = &run->net->supplies[0];
        double before = 0;
        for (int i = 0; run->net->n_supply > 0 && i <= 1500; i++) {
            double out = s->law.rated_w * i / 1000, in = s->ops->input_w(&s->law, out);
            assert_true(isfinite(in) && (i == 0 || in > before));
            assert_true(i == 0 ? in >= 0 : in > out);
            before = in;
        }
        supplies += run->net->n_supply > 0;
        wsk_run_free(run);
        wsk_rig_free(rig);
    }
    assert_true(supplies > 10);
}

/* Range of the temperatures that feed a node; each temperature is a mean over the step. */
typedef struct {
    double low, high;
} bounds;

static void feed(const wsk_run *run, bounds *b, int node)
{
    b->low = fmin(b->low, run->mean_t[node]);
    b->high = fmax(b->high, run->mean_t[node]);
}

static void feed_pair(const wsk_run *run, bounds *b, int a, int c)
{
    feed(run, &b[a], c);
    feed(run, &b[c], a);
}

/* Second law: the temperature of an air node without heat capacity and heat load lies between the lowest and the
 * highest temperature of its sources: the origins of its streams, mixing air, panels and parts. */
static void check_second_law(const wsk_run *run, uint64_t seed)
{
    const wsk_net *net = run->net;
    const wsk_point *p = &run->flows->point;
    bounds b[256];
    assert_true(net->n_node <= 256);
    for (int i = 0; i < net->n_node; i++)
        b[i] = (bounds){INFINITY, -INFINITY};
    for (int i = 0; i < net->n_branch; i++)
        feed(run, &b[p->down[i]], p->up[i]);
    for (int i = 0; i < net->n_exchange; i++)
        feed_pair(run, b, net->exchanges[i].a, net->exchanges[i].b);
    for (int i = 0; i < net->n_cond; i++)
        feed_pair(run, b, net->conds[i].a, net->conds[i].b);
    for (int i = 0; i < net->n_port; i++)
        feed(run, &b[p->deposit[i]], net->ports[i].solid);
    for (int i = net->n_solid; i < net->n_node; i++) {
        double t = run->mean_t[i];
        if (net->nodes[i].boundary || run->heat[i] != 0 || run->cap[i] > 0)
            continue;
        if (!(t >= b[i].low - 1e-6 && t <= b[i].high + 1e-6))
            fail_msg("seed %llu, %.0f s: %s is at %.3f degC, its sources between %.3f and %.3f",
                     (unsigned long long)seed, wsk_run_time(run), net->nodes[i].name, t - WSK_KELVIN,
                     b[i].low - WSK_KELVIN, b[i].high - WSK_KELVIN);
    }
}

static void test_heat_flows_downhill(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= (uint64_t)wsk_test_cases(200, 25); seed++) {
        wsk_rig *rig = wsk_test_random(&(wsk_random_rig_spec){.seed = seed});
        wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 3600);
        for (int t = 1; t <= 3600; t += t < 10 ? 1 : 57) {
            if (!wsk_test_try(run, t))
                break;
            check_second_law(run, seed);
        }
        wsk_run_free(run);
        wsk_rig_free(rig);
    }
}

static void test_reversed_card_heats_what_lies_downstream(void **state)
{
    (void)state;
    wsk_rig *rig =
        wsk_test_rig("<rig><site><room temperature='20 degC'/></site><chassis exhaust-loss='0'>"
                     "<fan at='rear' count='4' pressure='400 Pa' flow='300 m3/h' rpm='3000 rpm'/>"
                     "<gpu slot='1' tdp='200 W' clock-max='1900 MHz' clock-knee='1300 MHz' voltage-slope='0.5 1/GHz' "
                     "power='120 W' fan='0 rpm'>"
                     "<cooler kind='blower' conductance='9 W/K' flow='18 l/s' capacity='500 J/K' drop='20 Pa' "
                     "fan-pressure='150 Pa'"
                     " fan-flow='30 l/s' fan-rpm='3000 rpm' leak='1 %' outlet='40 cm2'/></gpu></chassis></rig>",
                     NULL);
    for (int stepper = 0; stepper < 2; stepper++) {
        wsk_run *run = wsk_test_run(rig, (wsk_stepper)stepper, 7200);
        wsk_test_advance(run, 7200);
        const wsk_card *c = &run->net->cards[0];
        assert_true(run->flows->point.q[c->branch] < -2e-3);
        assert_true(wsk_test_get(run, "gpu0.exhaust") < 22);
        assert_true(wsk_test_get(run, "gpu0.gap") > wsk_test_get(run, "gpu0.exhaust") + 1);
        wsk_run_free(run);
    }
    wsk_rig_free(rig);
}

/* Front fans blow half of their air out again through the vent beside them. That air goes to the room, not to the zone
 * from which the fans draw, so the intake gets no warmer than the stated 5 % of the exhaust make it. */
static void test_air_that_leaves_at_an_intake_goes_to_the_room(void **state)
{
    (void)state;
    wsk_rig *rig = wsk_test_rig("<rig><site><room temperature='20 degC'/></site><chassis exhaust-return='5 %'>"
                                "<vent at='front' area='200 cm2'/><vent at='rear' area='100 cm2'/>"
                                "<fan at='front' count='3' pressure='100 Pa' flow='200 m3/h' rpm='2000 rpm'/>"
                                "<load dc='1000 W'/><gpu part='gpu/rtx-3080' slot='1' power='0 W'/></chassis></rig>",
                                NULL);
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 3600);
    wsk_test_advance(run, 3600);
    const wsk_net *net = run->net;
    const wsk_case *c = &net->cases[0];
    const double *t = run->t, room = t[net->room], intake = t[net->flow_node[c->flow_in]],
                 exhaust = t[net->flow_node[c->flow_out]];
    double back = 0, in = 0;
    for (int i = 0; i < net->n_branch; i++)
        if (net->branches[i].from == c->flow_in) {
            back -= fmin(run->flows->point.q[i], 0);
            in += fmax(run->flows->point.q[i], 0);
        }
    assert_true(back > 0.4 * in && exhaust > room + 5);
    assert_true(intake > room && intake <= room + 0.05 * (exhaust - room));
    wsk_test_drop(run, rig);
}

static void test_no_node_starts_at_zero(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= (uint64_t)wsk_test_cases(60, 10); seed++) {
        char *xml = wsk_random_rig(&(wsk_random_rig_spec){.seed = seed});
        assert_non_null(xml);
        for (int steady = 0; steady < 2; steady++) {
            wsk_rig *rig = wsk_test_rig(xml, steady ? "run.start=steady" : NULL);
            wsk_run *run = NULL;
            wsk_status status = wsk_run_new(&run, rig, NULL);
            /* cards with pinned power or with memory without a limit may leave the model's range */
            if (status != WSK_OK && !(steady && strstr(wsk_run_error(run), " would be at ")))
                fail_msg("seed %llu: %s", (unsigned long long)seed, wsk_run_error(run));
            double ambient = wsk_test_get(run, "room");
            for (int i = 0; i < run->net->n_node && status == WSK_OK; i++) {
                double t = wsk_test_get(run, run->net->nodes[i].name);
                assert_true(t > -60 && t < 300);
                double given = run->net->nodes[i].given_k;
                if (!steady && i != run->net->outdoor)
                    assert_near(t, given > 0 ? given - WSK_KELVIN : ambient, 1e-9);
            }
            wsk_run_free(run);
            wsk_rig_free(rig);
        }
        wsk_text_free(xml);
    }
}

static void check_no_absurd_number(const wsk_run *run)
{
    for (int i = 0; i < run->variables->n; i++) {
        if (strcmp(run->variables->all[i].row->unit, "degC") != 0)
            continue;
        const double high = wsk_high_at(run, i);
        if (high > 300)
            fail_msg("%s was recorded at %.0f degC", run->variables->all[i].name, high);
    }
}

static void check_stops(const wsk_rig *rig, wsk_stepper stepper, int card, double watts, const char *component)
{
    wsk_run *run = wsk_test_run(rig, stepper, 86400);
    if (card >= 0) {
        component = run->net->cards[card].id;
        run->cards[card].pin_power_w = watts;
        wsk_wake(run);
    }
    assert_int_equal(wsk_run_advance(run, 86400), WSK_ENUMERIC);
    if (strncmp(wsk_run_error(run), component, strlen(component)) != 0)
        fail_msg("expected %s... in: %s", component, wsk_run_error(run));
    check_no_absurd_number(run);
    assert_int_equal(wsk_run_advance(run, 86400), WSK_ENUMERIC);
    wsk_run_free(run);
}

static void test_absurd_state_stops_with_a_name(void **state)
{
    (void)state;
    for (int stepper = 0; stepper < 2; stepper++) {
        for (uint64_t seed = 1; seed <= 12; seed++) {
            wsk_rig *rig = wsk_test_random(
                &(wsk_random_rig_spec){.seed = seed, .least_cards = 2, .pin_cards = true, .pin_room = true});
            check_stops(rig, (wsk_stepper)stepper, 1, 20000, NULL);
            wsk_rig_free(rig);
        }
        wsk_rig *rig = wsk_test_rig(
            "<rig><site><room temperature='25 degC'/></site><chassis><load dc='40 kW'/></chassis></rig>", NULL);
        check_stops(rig, (wsk_stepper)stepper, -1, 0, "case");
        wsk_rig_free(rig);
        rig = wsk_test_rig("<rig><site><room volume='10 m3' conductance='1 W/K'/></site><load ac='30 kW'/></rig>",
                           NULL);
        check_stops(rig, (wsk_stepper)stepper, -1, 0, "room");
        wsk_rig_free(rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_faster_fan_never_heats_its_card),
        cmocka_unit_test(test_hotter_inlet_cools_no_node),
        cmocka_unit_test(test_higher_limit_never_slows),
        cmocka_unit_test(test_more_load_never_lowers_input),
        cmocka_unit_test(test_heat_flows_downhill),
        cmocka_unit_test(test_reversed_card_heats_what_lies_downstream),
        cmocka_unit_test(test_air_that_leaves_at_an_intake_goes_to_the_room),
        cmocka_unit_test(test_no_node_starts_at_zero),
        cmocka_unit_test(test_absurd_state_stops_with_a_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
