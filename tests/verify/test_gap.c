/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The slot gap: air flow of a card's fans when another card is close. Worked example of docs/theory/air.md: at 2 mm
 * from a two-slot card, two 85 mm axial fans at 2,550 rpm keep about 0.4 of their free flow, and a blower with a 65
 * mm eye without recess about 0.5. */
#include <stdio.h>

#include "sim/control/run.h"
#include "tests/support/bench.h"

static const char rig_text[] =
    "<rig name='gap'><site><room temperature='25 degC'/></site>"
    "<chassis slots='9' wall-gap='60 mm'><fan at='front' count='3' pressure='60 Pa' flow='110 CFM' rpm='2800 rpm'/>"
    "<vent at='rear' area='300 cm2'/>%s%s</chassis><run for='1 h'/></rig>";

static wsk_rig *pair(const char *gpu, bool neighbour)
{
    wsk_buf one = {0}, two = {0}, all = {0};
    wsk_buf_printf(&one, "<gpu slot='1' power='200 W' %s", gpu);
    wsk_buf_printf(&two, "<gpu slot='3' power='200 W' %s", gpu);
    wsk_buf_printf(&all, rig_text, one.data, neighbour ? two.data : "");
    wsk_rig *rig = wsk_test_rig(all.data, NULL);
    wsk_buf_free(&one);
    wsk_buf_free(&two);
    wsk_buf_free(&all);
    return rig;
}

static double flow(const char *gpu, bool neighbour)
{
    wsk_rig *rig = pair(gpu, neighbour);
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 60);
    wsk_test_advance(run, 1);
    double q = run->flows->point.q[run->net->cards[0].branch];
    wsk_run_free(run);
    wsk_rig_free(rig);
    return q;
}

static double kept(const char *gpu)
{
    double q = flow(gpu, true), free = flow(gpu, false);
    print_message("%.40s...: %.1f of %.1f CFM, %.2f\n", gpu, q / 4.719474e-4, free / 4.719474e-4, q / free);
    return q / free;
}

static const char axial[] = "thickness='38.64 mm' part='gpu/rtx-2080' fan='2550 rpm'/>";
static const char blower[] = "thickness='38.64 mm' part='gpu/gtx-1080' fan='2300 rpm'><cooler recess='0 mm'/></gpu>";

static void axial_keeps_two_fifths(void **state)
{
    (void)state;
    assert_near(kept(axial), 0.4, 0.1);
}

static void blower_keeps_half(void **state)
{
    (void)state;
    assert_near(kept(blower), 0.5, 0.1);
}

static void recess_and_gap_act(void **state)
{
    (void)state;
    double flush = flow(blower, true);
    double recessed =
        flow("thickness='38.64 mm' part='gpu/gtx-1080' fan='2300 rpm'><cooler recess='4 mm'/></gpu>", true);
    double wide = flow("thickness='37.64 mm' part='gpu/gtx-1080' fan='2300 rpm'><cooler recess='0 mm'/></gpu>", true);
    double tight =
        flow("thickness='39.64 mm' part='gpu/gtx-1080' fan='2300 rpm'><cooler recess='0 mm'/></gpu>", true);
    assert_true(recessed > 1.15 * flush);
    assert_true(wide > 1.15 * flush && tight < 0.75 * flush);
}

static double die_at_rest(const char *neighbour)
{
    wsk_buf text = {0};
    wsk_buf_printf(&text,
                   "<rig name='at rest'><site><room temperature='25 degC'/></site>"
                   "<chassis slots='9' wall-gap='60 mm'><vent at='rear' area='900 cm2'/>"
                   "<gpu part='gpu/rtx-4070' slot='1' power='15 W' fan='0 rpm'/>%s</chassis><run for='1 h'/></rig>",
                   neighbour);
    wsk_rig *rig = wsk_test_rig(text.data, NULL);
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 12 * 3600);
    wsk_buf_free(&text);
    wsk_test_advance(run, 12 * 3600);
    const double die_k = run->cards[0].die_k;
    wsk_run_free(run);
    wsk_rig_free(rig);
    return die_k;
}

/* Two idle cards in adjacent places, fans at rest: the upper card faces the warm back of the lower one, so it is hotter
 * than an idle card alone. */
static void neighbour_warms_a_card_at_rest(void **state)
{
    (void)state;
    const double alone_k = die_at_rest(""),
                 beside_k = die_at_rest("<gpu part='gpu/rtx-4070' slot='3' power='15 W' fan='0 rpm'/>");
    print_message("at rest: alone %.1f degC, beside another %.1f\n", alone_k - WSK_KELVIN, beside_k - WSK_KELVIN);
    assert_true(beside_k > alone_k + 1 && beside_k < alone_k + 15);
}

/* Area, m2, of the outlet of a card that leads to a node of the air. */
static double outlet_m2(const wsk_net *net, const wsk_card *c, int node)
{
    double sum = 0;
    for (int i = 0; i < net->n_branch; i++)
        if (net->flow_node[net->branches[i].from] == c->exhaust && net->flow_node[net->branches[i].to] == node)
            sum += sqrt(1.5 * 1.184 / 2 / net->branches[i].k2); /* loss coefficient 1.5 */
    return sum;
}

/* Share of the fan's flow that returns from the exhaust to the gap of a card. */
static double returned(const wsk_net *net, const wsk_card *c, const wsk_card *to)
{
    double sum = 0;
    for (int i = 0; i < net->n_exchange; i++)
        if (net->exchanges[i].a == c->exhaust && net->exchanges[i].b == net->flow_node[to->gap])
            sum += net->exchanges[i].ratio;
    return sum;
}

/* Of the outlet the share `through` leads behind the card, to the gap of the one above, and `bracket` out of the case.
 * The rest leaves over the edges, into the case, and only air of this rest returns: docs/theory/cooler.md. At least 5 %
 * leave over the edges. */
static void outlets_share_the_air(void **state)
{
    (void)state;
    static const double of[][3] = {/* through, bracket, what is left for the bracket */
                                   {0, 0, 0},
                                   {0.35, 0.2, 0.2},
                                   {0.6, 0, 0},
                                   {0.5, 0.7, 0.45}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        char gpu[200];
        snprintf(gpu, sizeof gpu,
                 "part='gpu/rtx-2080' fan='2550 rpm'><cooler part='cooler/class-open-air-300' through='%g %%' "
                 "bracket='%g %%' outlet='150 cm2'/></gpu>",
                 100 * of[i][0], 100 * of[i][1]);
        wsk_rig *rig = pair(gpu, true);
        wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 60);
        const wsk_net *net = run->net;
        const wsk_card *low = &net->cards[1], *high = &net->cards[0]; /* slot 1 is above */
        const double through = of[i][0], bracket = of[i][2], rest = 1 - through - bracket, all_m2 = 150e-4;
        const int case_air = net->cases[0].air, outside = net->flow_node[net->cases[0].flow_out];
        double some = 0;
        assert_int_equal(low->above, 0);
        assert_near(outlet_m2(net, low, net->flow_node[high->gap]), all_m2 * through, 1e-9);
        assert_near(outlet_m2(net, low, case_air), all_m2 * rest, 1e-9);
        assert_near(outlet_m2(net, high, case_air), all_m2 * (rest + through), 1e-9);
        assert_near(outlet_m2(net, low, outside), all_m2 * bracket, 1e-9);
        for (int k = 0; k < 2; k++) { /* a share below 1e-6 is left out */
            const wsk_cooler_params *cooler = low->cooler;
            const double close = exp(-net->cards[k].gap_m / cooler->diameter_m / cooler->recirculation_gap);
            assert_near(returned(net, low, &net->cards[k]), cooler->recirculation * close * rest, 1e-6);
            some = fmax(some, close);
        }
        assert_true(some > 0.1);
        wsk_test_drop(run, rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(axial_keeps_two_fifths), cmocka_unit_test(blower_keeps_half),
        cmocka_unit_test(recess_and_gap_act),     cmocka_unit_test(neighbour_warms_a_card_at_rest),
        cmocka_unit_test(outlets_share_the_air),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
