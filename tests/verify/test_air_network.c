/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The air network of a machine, branch by branch: losses, fans, exchanges and surfaces as docs/theory/air.md,
 * docs/theory/cooler.md and docs/theory/constants.md state them. */
#include <math.h>
#include <stdio.h>

#include "sim/io/plan.h"
#include "sim/net/chassis.h"
#include "sim/net/net.h"
#include "tests/support/bench.h"

static const double pi = 3.14159265358979323846, slot_m = 20.32e-3;

/* A tower with an open-air card, a blower and a passive card. */
static wsk_run *tower(const char *more, wsk_rig **rig)
{
    char xml[1600];
    snprintf(xml, sizeof xml,
             "<rig><site><room temperature='25 degC'/></site><chassis part='chassis/full-tower-8-slot' %s>"
             "<fan part='fan/generic-140-1500' at='front' count='3' blocked='20 %%'/>"
             "<fan part='fan/generic-120-1500' at='rear'/><psu part='psu/tier-gold-1600'/>"
             "<cpu part='cpu/generic-workstation'/><gpu part='gpu/rtx-3090' slot='1'/>"
             "<gpu part='gpu/rtx-3090-blower' slot='4'/><gpu part='gpu/a100-pcie-40gb' slot='7'/></chassis>"
             "<workload class='training'/><run for='1 h'/></rig>",
             more);
    return wsk_test_run_to(xml, 0, rig);
}

static bool near_to(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fabs(b);
}

/* Coefficient k of the pressure loss k q^2 of an opening with loss coefficient zeta; q: flow, m3/s; air at sea
 * level. */
static double loss(double zeta, double area_m2)
{
    return zeta * 1.184 / 2 / (area_m2 * area_m2);
}

static int branches(const wsk_net *net, int from, int to, double k1, double k2)
{
    int n = 0;
    for (int i = 0; i < net->n_branch; i++)
        n += net->branches[i].from == from && net->branches[i].to == to && near_to(net->branches[i].k1, k1) &&
             near_to(net->branches[i].k2, k2);
    return n;
}

static int exchanges(const wsk_net *net, int a, int b, double area_m2, double height_m)
{
    int n = 0;
    for (int i = 0; i < net->n_exchange; i++)
        n += net->exchanges[i].a == a && net->exchanges[i].b == b && near_to(net->exchanges[i].area_m2, area_m2) &&
             near_to(net->exchanges[i].height_m, height_m);
    return n;
}

static int surfaces(const wsk_net *net, int solid, int air, double g, double natural)
{
    int n = 0;
    for (int i = 0; i < net->n_port; i++)
        n += net->ports[i].solid == solid && net->ports[i].deposit == air && near_to(net->ports[i].g, g) &&
             near_to(net->ports[i].natural, natural);
    return n;
}

static double vents_m2(const wsk_case *c)
{
    double area = 0;
    for (const wsk_elem *e = NULL; (e = wsk_elem_child(c->elem, "vent", e)) != NULL;)
        area += ((const wsk_vent_params *)e->params)->area_m2;
    return area;
}

static void openings_of_a_case(void **state)
{
    (void)state;
    for (int open = 0; open < 2; open++) {
        wsk_rig *rig;
        wsk_run *run = tower(open ? "side-panel='open' side-area='0.2 m2'" : "", &rig);
        const wsk_net *net = run->net;
        const wsk_case *c = &net->cases[0];
        const wsk_chassis_params *p = c->params;
        const double seams = 20e-4 * p->panel_area_m2, panel = p->panel_area_m2 - (open ? 0.2 : 0);
        int panels = 0, high = 0;
        assert_int_equal(branches(net, c->flow_air, 0, 0, loss(2.5, seams)), 1);
        assert_int_equal(exchanges(net, c->air, net->room, 0.05 * (vents_m2(c) + seams), p->natural_height_m), 1);
        assert_int_equal(branches(net, c->flow_air, 0, 0, loss(2.7, 0.2)), open);
        assert_int_equal(exchanges(net, c->air, net->room, 0.2 * 0.2, sqrt(0.2)), open); /* area x Cd/3, Cd 0.6 */
        for (int i = 0; i < net->n_cond; i++)
            panels += near_to(net->conds[i].g, p->panel_cond_w_m2k * panel);
        assert_int_equal(panels, 2); /* from the air to the panels, and to the room */
        for (const wsk_elem *e = NULL; (e = wsk_elem_child(c->elem, "vent", e)) != NULL;) {
            const wsk_vent_params *v = e->params;
            const bool in = v->at != WSK_AT_TOP && v->at != WSK_AT_REAR;
            const int air = c->flow_air;
            assert_true(branches(net, in ? 0 : air, in ? air : 0, 0, loss(v->loss, v->area_m2)) >= 1);
        }
        for (int i = 0; i < net->n_branch; i++) { /* warm air rises by half of the height */
            const wsk_branch *b = &net->branches[i];
            if (b->column == c->flow_air && b->from == c->flow_air) {
                assert_rel(b->rise_m, 0.5 * p->natural_height_m, 1e-9);
                high++;
            }
        }
        assert_true(high > 0);
        wsk_test_drop(run, rig);
    }
}

static void fans_of_a_case(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = tower("intake-loss='5' exhaust-loss='2'", &rig);
    const wsk_net *net = run->net;
    int n = 0;
    double jet = 0;
    for (const wsk_elem *e = NULL; (e = wsk_elem_child(net->cases[0].elem, "fan", e)) != NULL; n++) {
        const wsk_fan_params *f = e->params;
        const wsk_mover *m = &net->movers[n];
        const wsk_branch *b = &net->branches[m->branch];
        const double q0 = f->count * f->flow_m3s, s = f->curvature, open = n ? 1 : 0.8,
                     face = f->count * pi / 4 * f->diameter_m * f->diameter_m * open,
                     speed = f->flow_m3s / (pi / 4 * f->diameter_m * f->diameter_m);
        assert_rel(b->a, f->pressure_pa, 1e-9);
        assert_near(b->b, -s * f->pressure_pa / q0, 1e-9 * f->pressure_pa / q0);
        assert_rel(b->d, (1 - s) * f->pressure_pa / (q0 * q0), 1e-9);
        assert_rel(n ? b->k2 : b->k2_foul, loss(isnan(f->loss) ? (n ? 2 : 5) : f->loss, face), 1e-9);
        assert_rel(m->power_w, f->power_w * f->count * net->rho_rel, 1e-9);
        jet = n ? jet : 0.5 * 1.184 * pow(0.4 * speed, 2);
    }
    assert_int_equal(n, 2);
    assert_rel(net->cases[0].jet_pa, jet, 1e-9);
    wsk_test_drop(run, rig);
}

/* A share s of the intake air is exhaust: the path back has 2 ((1 - s)/s)^2 of the loss of an opening to the room. */
static void exhaust_comes_back(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = tower("exhaust-return='15 %'", &rig);
    const wsk_net *net = run->net;
    const wsk_case *c = &net->cases[0];
    const double face = loss(1, 0.5);
    assert_int_equal(branches(net, 0, c->flow_in, 0, face), 1);
    assert_int_equal(branches(net, c->flow_out, 0, 0, face), 1);
    assert_int_equal(branches(net, c->flow_out, c->flow_in, 0, 2 * pow(0.85 / 0.15, 2) * face), 1);
    wsk_test_drop(run, rig);
}

static void gaps_under_cards(void **state)
{
    (void)state;
    for (int open = 0; open < 2; open++) {
        wsk_rig *rig;
        wsk_run *run = tower(open ? "side-panel='open' side-area='0.2 m2'" : "", &rig);
        const wsk_net *net = run->net;
        const wsk_case *c = &net->cases[0];
        const wsk_chassis_params *p = c->params;
        for (int i = 0; i < 2; i++) { /* the open-air card and the blower */
            const wsk_card *card = &net->cards[i];
            const wsk_cooler_params *k = card->cooler;
            const double gap = 3 * slot_m - card->gpu->thickness_m, length = card->gpu->length_m,
                         width = p->card_width_m, path = fmax((width - k->diameter_m) / 2, 5e-3),
                         edge = open ? width : length + width, friction = 12 * 1.85e-5 * path / (gap * gap * gap);
            assert_rel(card->gap_m, gap, 1e-9);
            assert_int_equal(branches(net, c->flow_air, card->gap, friction / edge, loss(p->gap_loss, gap * edge)),
                             1);
            assert_int_equal(branches(net, 0, card->gap, friction / length, loss(p->gap_loss, gap * length)), open);
            assert_int_equal(exchanges(net, net->flow_node[card->gap], c->air, 0.05 * gap * edge, gap), 1);
            const wsk_branch *fins = &net->branches[card->branch];
            assert_int_equal(fins->from, card->gap);
            assert_rel(fins->k2, loss(p->curtain_loss, pi * k->diameter_m * (gap + k->recess_m) * k->fans), 1e-9);
        }
        wsk_test_drop(run, rig);
    }
}

static void fins_and_surfaces_of_cards(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = tower("", &rig);
    const wsk_net *net = run->net;
    const wsk_case *house = &net->cases[0];
    for (int i = 0; i < 3; i++) {
        const wsk_card *c = &net->cards[i];
        const wsk_cooler_params *k = c->cooler;
        const wsk_branch *fins = &net->branches[c->branch];
        const double q = k->flow_ref_m3s, length = c->gpu->length_m, width = house->params->card_width_m,
                     side = length * width, shell = side + (2 * length + width) * c->gpu->thickness_m;
        /* half of the pressure drop grows with the flow, half with its square */
        assert_rel(fins->k1_foul, 0.5 * k->drop_pa / q, 1e-9);
        assert_rel(fins->k2_foul, 0.5 * k->drop_pa / (q * q), 1e-9);
        if (c->mover >= 0) {
            const double q0 = k->fans * k->flow_m3s;
            assert_rel(fins->a, k->pressure_pa, 1e-9);
            assert_rel(fins->d, (1 - k->curvature) * k->pressure_pa / (q0 * q0), 1e-9);
        } else { /* the jet of the front fan presses air through a passive card */
            assert_rel(fins->a, house->jet_pa, 1e-9);
        }
        const double natural = isnan(k->natural_w_k) ? k->natural_factor * (4.4 + 5.5) * shell : k->natural_w_k;
        int ports = 0;
        for (int n = 0; n < net->n_port; n++) {
            const wsk_port *p = &net->ports[n];
            if (p->solid != c->heatsink || p->law != WSK_PORT_FINS)
                continue;
            assert_true(p->g == k->ua_w_k && p->flow_ref == q && p->exponent == k->ua_exponent);
            ports++;
        }
        assert_int_equal(ports, 1);
        if (natural > 0) {
            int still = 0;
            for (int n = 0; n < net->n_port; n++)
                still += net->ports[n].solid == c->heatsink && near_to(net->ports[n].natural, natural);
            assert_true(still > 0);
        }
        int boards = 0;
        for (int n = 0; n < net->n_port; n++) {
            const wsk_port *p = &net->ports[n];
            boards += p->solid == c->board && p->branch == c->branch && p->exponent == 0.5 &&
                      near_to(p->g, c->gpu->board_cond_w_k) && near_to(p->natural, 0.4 * c->gpu->board_cond_w_k);
        }
        assert_int_equal(boards, 1);
        if (i == 2) { /* a passive card has the surfaces of its shell and of its board in slow air */
            assert_int_equal(surfaces(net, c->heatsink, house->air, 10 * shell, 8 * shell), 1);
            assert_int_equal(surfaces(net, c->board, house->air, 10 * side, 8 * side), 1);
        }
    }
    /* outlets, zeta 1.5: of the blower through the bracket and by a leak into the case */
    const wsk_card *blower = &net->cards[1];
    const double area = blower->cooler->outlet_area_m2, leak = blower->cooler->leak_share;
    int out = 0, into = 0;
    for (int n = 0; n < net->n_branch; n++) {
        const wsk_branch *b = &net->branches[n];
        if (b->from < 0 || net->flow_node[b->from] != blower->exhaust)
            continue;
        out += b->to == house->flow_out && near_to(b->k2, loss(1.5, area));
        into += b->to == house->flow_air && near_to(b->k2, loss(1.5, area * leak / (1 - leak)));
    }
    assert_int_equal(out, 1);
    assert_int_equal(into, leak > 0);
    assert_int_equal(exchanges(net, blower->exhaust, net->room, 0.05 * area, 0.1), 1);
    /* outlets of the open-air card: over its edges, behind the card and through the bracket */
    const wsk_card *axial = &net->cards[0];
    const wsk_cooler_params *k = axial->cooler;
    const double parts[] = {1 - k->through - k->bracket, k->through, k->bracket};
    for (int part = 0; part < 3; part++) {
        int found = 0;
        for (int n = 0; n < net->n_branch; n++)
            found += net->flow_node[net->branches[n].from] == axial->exhaust &&
                     near_to(net->branches[n].k2, loss(1.5, k->outlet_area_m2 * parts[part]));
        assert_true(found == 1 || !(parts[part] > 0));
    }
    /* exhaust that returns over the card's edges into the gap below its fans */
    int back = 0;
    for (int n = 0; n < net->n_exchange; n++)
        back += net->exchanges[n].a == axial->exhaust && net->exchanges[n].b == net->flow_node[axial->gap] &&
                near_to(net->exchanges[n].ratio,
                        k->recirculation * exp(-axial->gap_m / k->diameter_m / k->recirculation_gap) * parts[0]);
    assert_int_equal(back, 1);
    wsk_test_drop(run, rig);
}

/* With the side panel off, half of the air that leaves over the edges of a card goes to the room. */
static void edges_at_an_open_side(void **state)
{
    (void)state;
    for (int open = 0; open < 2; open++) {
        wsk_rig *rig;
        wsk_run *run = tower(open ? "side-panel='open' side-area='0.2 m2'" : "", &rig);
        const wsk_net *net = run->net;
        const wsk_card *card = &net->cards[0];
        const wsk_cooler_params *k = card->cooler;
        const double edges = k->outlet_area_m2 * (1 - k->through - k->bracket), share = open ? 0.5 : 1;
        int into = 0, out = 0;
        for (int n = 0; n < net->n_branch; n++) {
            const wsk_branch *b = &net->branches[n];
            if (net->flow_node[b->from] != card->exhaust || !near_to(b->k2, loss(1.5, edges * share)))
                continue;
            into += b->to == net->cases[0].flow_air;
            out += b->to == 0;
        }
        assert_int_equal(into, 1);
        assert_int_equal(out, open);
        wsk_test_drop(run, rig);
    }
}

/* If one of three fans fails, the network has one mover for the two others and one for the failing fan. Power and flow
 * are proportional to their numbers of fans. */
static void one_fan_of_three(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run =
        wsk_test_run_to("<rig><chassis part='chassis/full-tower-8-slot'>"
                        "<fan part='fan/generic-140-1500' at='front' count='3' fails='1' fails-at='1 min'/>"
                        "<psu part='psu/tier-gold-850'/><gpu part='gpu/rtx-3060' slot='1'/></chassis>"
                        "<workload class='training'/><run for='1 h'/></rig>",
                        0, &rig);
    const wsk_net *net = run->net;
    const wsk_fan_params *f = wsk_elem_child(net->cases[0].elem, "fan", NULL)->params;
    for (int i = 0; i < 2; i++) {
        const double count = i ? 1 : 2, q0 = count * f->flow_m3s;
        const wsk_mover *m = &net->movers[i];
        const wsk_branch *b = &net->branches[m->branch];
        assert_rel(m->count, count, 1e-12);
        assert_string_equal(m->name, i ? "fan0.failing" : "fan0");
        assert_rel(m->power_w, count * f->power_w * net->rho_rel, 1e-9);
        assert_rel(b->d, (1 - f->curvature) * f->pressure_pa / (q0 * q0), 1e-9);
        assert_rel(b->k2_foul,
                   loss(isnan(f->loss) ? net->cases[0].params->intake_loss : f->loss,
                        count * pi / 4 * f->diameter_m * f->diameter_m),
                   1e-9);
        assert_true(m->fails_ns == (i ? (int64_t)60e9 : -1));
    }
    wsk_test_drop(run, rig);
}

/* A processor's cooler warms the air that it takes in: G = w (1 - exp(-UA/w)). */
static void cooler_of_a_processor(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = tower("", &rig);
    const wsk_net *net = run->net;
    const wsk_case *c = &net->cases[0];
    const double w = net->rho_cp * c->cpu->flow_ref_m3s;
    assert_int_equal(surfaces(net, c->cpu_solid, c->air, c->cpu->count * w * (1 - exp(-c->cpu->ua_w_k / w)), 0), 1);
    wsk_test_drop(run, rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(openings_of_a_case),         cmocka_unit_test(fans_of_a_case),
        cmocka_unit_test(exhaust_comes_back),         cmocka_unit_test(gaps_under_cards),
        cmocka_unit_test(fins_and_surfaces_of_cards), cmocka_unit_test(cooler_of_a_processor),
        cmocka_unit_test(edges_at_an_open_side),      cmocka_unit_test(one_fan_of_three)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
