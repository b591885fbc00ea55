/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>

#include "tests/support/bench.h"
#include "sim/books/books.h"

#define CHIP "tdp='300 W' clock-max='1900 MHz' clock-knee='1300 MHz' voltage-slope='0.5 1/GHz'"

static wsk_run *settled(const char *xml, const char *set, wsk_stepper stepper, double span_s, wsk_rig **rig)
{
    *rig = wsk_test_rig(xml, set);
    wsk_run *run = wsk_test_run(*rig, stepper, span_s);
    wsk_test_advance(run, span_s);
    return run;
}

#define FINS \
    "<cooler kind='passive' conductance='14 W/K' flow='25 l/s' capacity='500 J/K' drop='60 Pa' outlet='60 cm2' " \
    "leak='0 %'/>"

/* Heat, W, that a surface loses to the slow air of a case. over_k: how much the surface is warmer than that air,
 * K. */
static double surface_w(double area_m2, double over_k)
{
    return area_m2 * cbrt(pow(10, 3) + pow(8 * pow(over_k / 10, 0.25), 3)) * over_k;
}

static void test_second_card_of_a_duct(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        wsk_rig *rig;
        wsk_run *run =
            settled("<rig><site><room temperature='22 degC'/></site><chassis><fan at='wall' count='3' pressure='400 "
                    "Pa' flow='200 m3/h' rpm='9000 rpm'/>"
                    "<gpu id='one' slot='1' power='210 W' " CHIP ">" FINS
                    "</gpu><gpu id='two' behind='one' slot='3' power='180 W' " CHIP ">" FINS "</gpu>"
                    "<gpu id='three' behind='two' slot='5' power='90 W' " CHIP ">" FINS "</gpu></chassis></rig>",
                    NULL, (wsk_stepper)k, 7200, &rig);
        const wsk_card *c = run->net->cards;
        static const double watts[] = {210, 180, 90};
        double w = run->flows->point.w[c[0].branch];
        assert_true(w > 5);
        for (int i = 0; i < 2; i++) {
            /* the duct's air does not get the heat that the card's shell and board back (267 x 112 x 38.64 mm) lose
             * to the case */
            double air = run->t[c[0].inlet], side = 0.267 * 0.112,
                   edges = (2 * 0.267 + 0.112) * (2 * 20.32e-3 - 2e-3);
            double beside =
                surface_w(side + edges, run->t[c[i].heatsink] - air) + surface_w(side, run->t[c[i].board] - air);
            assert_true(beside < 0.3 * watts[i]);
            assert_rel(run->flows->point.w[c[i + 1].branch], w, 1e-9);
            assert_rel(run->t[c[i + 1].inlet] - run->t[c[i].inlet], (watts[i] - beside) / w, 1e-3);
            double share[WSK_INTAKES];
            wsk_intake_shares(run, i + 1, share);
            assert_rel(share[WSK_FROM_NEIGHBOUR], 1, 1e-12);
        }
        wsk_test_drop(run, rig);
    }
}

/* Warm air of a case rises by half the case's height to openings and exhaust fans at the rear, and to none in front. */
static void test_draught_of_a_warm_case(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = settled(
        "<rig><site><room temperature='22 degC'/></site><chassis height='0.6 m'><fan at='front' pressure='40 Pa' "
        "flow='60 m3/h' rpm='1200 rpm'/><fan at='rear' pressure='40 Pa' flow='60 m3/h' rpm='1200 rpm'/>"
        "<vent at='front' area='90 cm2'/><vent at='rear' area='90 cm2'/><load dc='100 W'/></chassis></rig>",
        NULL, WSK_STEPPER_FAST, 60, &rig);
    const wsk_case *c = run->net->cases;
    int rear = 0;
    for (int i = 0; i < run->net->n_branch; i++) {
        const wsk_branch *b = &run->net->branches[i];
        if (b->column < 0)
            continue;
        assert_true(b->column == c->flow_air && b->from == c->flow_air && b->to == c->flow_out);
        assert_near(b->rise_m, 0.3, 1e-12);
        rear++;
    }
    assert_int_equal(rear, 2);
    wsk_test_drop(run, rig);
}

/* An open-air card whose fan stands still: docs/theory/cooler.md, "A fan at rest". */
static void test_card_with_a_still_fan(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run =
        settled("<rig><site><room temperature='22 degC'/></site><chassis card-width='112 mm'><vent at='rear' "
                "area='900 cm2'/><gpu slot='1' length='240 mm' thickness='40 mm' power='15 W' fan='0 rpm' " CHIP
                "><cooler kind='open-air' conductance='12 W/K' flow='25 l/s' capacity='500 J/K' drop='60 Pa' "
                "fan-pressure='90 Pa' fan-flow='40 l/s' fan-rpm='3000 rpm'/></gpu></chassis></rig>",
                NULL, WSK_STEPPER_FAST, 3600, &rig);
    const wsk_card *c = run->net->cards;
    const double area_m2 = 0.24 * 0.112 + (2 * 0.24 + 0.112) * 0.04;
    int found = 0;
    for (int i = 0; i < run->net->n_port; i++) {
        const wsk_port *p = &run->net->ports[i];
        if (p->law != WSK_PORT_FINS_NATURAL || p->solid != c->heatsink)
            continue;
        const double over_k = run->t[c->heatsink] - run->t[p->sense];
        assert_true(over_k > 5);
        assert_rel(run->flows->point.g[i], (4.4 + 5.5) * area_m2 * pow(over_k / 10, 0.25), 0.01);
        found++;
    }
    assert_int_equal(found, 1);
    wsk_test_drop(run, rig);
}

/* Without behind= in the rig, the card in slot 3 is behind that in slot 1. Slot 2 is empty, so the card in slot 4 is
 * behind none. */
static void test_two_rows(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = settled(
        "<rig><site><room temperature='22 degC'/></site><chassis row-slots='2' pitch='60 mm'><fan at='wall' "
        "count='3' pressure='400 Pa' flow='200 m3/h' rpm='9000 rpm'/><gpu id='one' slot='1' " CHIP " slots='1'"
        ">" FINS "</gpu><gpu id='three' slot='3' " CHIP " slots='1'"
        ">" FINS "</gpu><gpu id='four' slot='4' " CHIP " slots='1'"
        ">" FINS "</gpu></chassis></rig>",
        NULL, WSK_STEPPER_FAST, 60, &rig);
    const wsk_card *c = run->net->cards;
    assert_int_equal(c[0].behind, WSK_NO);
    assert_int_equal(c[1].behind, 0);
    assert_int_equal(c[2].behind, WSK_NO);
    assert_true(c[0].followed && !c[1].followed);
    wsk_test_drop(run, rig);
}

/* At a pitch of 45 mm a card of two usual slots, 2 x 20.32 mm less 2 mm, needs only one slot. The two cards stand in
 * neighbouring slots. */
static void test_slots_of_a_wide_pitch(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = settled("<rig><site><room temperature='22 degC'/></site><chassis pitch='45 mm'><fan at='wall' "
                           "count='3' pressure='400 Pa' flow='200 m3/h' rpm='9000 rpm'/><gpu slot='1' " CHIP
                           " slots='2'>" FINS "</gpu><gpu slot='2' " CHIP " slots='2'>" FINS "</gpu></chassis></rig>",
                           NULL, WSK_STEPPER_FAST, 60, &rig);
    assert_rel(run->net->cards[0].gpu->thickness_m, 38.64e-3, 1e-9);
    assert_rel(run->net->cards[0].gap_m, 6.36e-3, 1e-9);
    wsk_test_drop(run, rig);
}

/* behind= may name only a card in a lower slot that no other card is behind. The first row is valid; the others name
 * the card itself, a card in a higher slot, one card twice, and no card of the rig. */
static void test_cards_that_stand_behind_none(void **state)
{
    (void)state;
    static const char *const behind[][3] = {{NULL, "one", NULL}, {"one", NULL, NULL},  {"two", NULL, NULL},
                                            {NULL, "two", NULL}, {NULL, "one", "one"}, {NULL, "four", NULL}};
    for (size_t i = 0; i < sizeof behind / sizeof *behind; i++) {
        wsk_buf b = {0};
        static const char *const ids[] = {"one", "two", "three"};
        wsk_buf_printf(
            &b, "<rig><site><room temperature='22 degC'/></site><chassis><fan at='wall' count='3' pressure='400 "
                "Pa' flow='200 m3/h' rpm='9000 rpm'/>");
        for (int k = 0; k < 3; k++)
            wsk_buf_printf(&b, "<gpu id='%s' slot='%d' power='90 W' " CHIP " %s%s%s>%s</gpu>", ids[k], 1 + 2 * k,
                           behind[i][k] ? "behind='" : "", behind[i][k] ? behind[i][k] : "", behind[i][k] ? "'" : "",
                           FINS);
        wsk_buf_printf(&b, "</chassis></rig>");
        wsk_rig *rig = NULL;
        const wsk_status status = wsk_rig_load(
            &rig, &(wsk_rig_options){.path = "-", .text = b.data, .text_len = b.len, .parts_dir = "parts"});
        if (status != (i ? WSK_EINPUT : WSK_OK))
            fail_msg("row %zu: %s", i, wsk_status_text(status));
        wsk_rig_free(rig);
        wsk_buf_free(&b);
    }
}

static void test_returned_exhaust(void **state)
{
    (void)state;
    static const char *const sets[] = {"chassis.exhaust-return=5 %", "chassis.exhaust-return=20 %",
                                       "chassis.exhaust-return=45 %"};
    static const double s[] = {0.05, 0.2, 0.45};
    for (int i = 0; i < 3; i++) {
        wsk_rig *rig;
        wsk_run *run = settled("<rig><site><room temperature='22 degC'/></site><chassis><fan at='front' count='3' "
                               "pressure='60 Pa' flow='200 m3/h' rpm='2000 rpm'/>"
                               "<fan at='rear' count='3' pressure='60 Pa' flow='200 m3/h' rpm='2000 rpm'/><load "
                               "dc='900 W'/></chassis></rig>",
                               sets[i], WSK_STEPPER_FAST, 14400, &rig);
        double room = wsk_test_get(run, "room"), in = wsk_test_get(run, "intake") - room,
               out = wsk_test_get(run, "case") - room;
        assert_true(out > 3);
        assert_rel(in, s[i] * out, 0.03); /* tolerance 3 %, because the case also leaks and mixes with the space
                                           * around it */
        /* Fresh air is the room's share of the air that comes in through the front, and what leaks in through the seams
         * where more air leaves than enters. Tolerance 0.3 %, because the space before the intakes also mixes with the
         * room without flow, which cools it. */
        const double *q = run->flows->point.q, front = q[run->net->movers[0].branch],
                     rear = q[run->net->movers[1].branch], returned = in / (wsk_test_get(run, "exhaust") - room);
        assert_rel(run->cases[0].fresh_s / run->cases[0].sampled_s,
                   front * (1 - returned) + (rear > front ? rear - front : 0), 3e-3);
        wsk_test_drop(run, rig);
    }
}

/* The temperature of the case must not jump when exhaust-return leaves 0, and must rise with each larger share, also
 * where air flows backwards through an opening: in at the rear beside a fan that blows out, out at the front beside
 * one that blows in, through a fan that stands still. */
static void test_little_returned_exhaust(void **state)
{
    (void)state;
    static const char *const openings[] = {
        "<fan at='rear' count='3' pressure='60 Pa' flow='200 m3/h' rpm='2000 rpm'/><vent at='rear' area='150 cm2'/>"
        "<vent at='front' area='50 cm2'/>",
        "<fan at='front' count='3' pressure='60 Pa' flow='200 m3/h' rpm='2000 rpm'/><vent at='front' area='150 cm2'/>"
        "<vent at='rear' area='50 cm2'/>",
        "<fan at='front' count='3' pressure='60 Pa' flow='200 m3/h' rpm='2000 rpm' speed='0 rpm'/>"
        "<fan at='rear' count='3' pressure='60 Pa' flow='200 m3/h' rpm='2000 rpm' speed='0 rpm'/>"
        "<fan at='top' pressure='60 Pa' flow='200 m3/h' rpm='2000 rpm'/>"};
    static const char *const sets[] = {"chassis.exhaust-return=0 %",  "chassis.exhaust-return=0.0001 %",
                                       "chassis.exhaust-return=1 %",  "chassis.exhaust-return=10 %",
                                       "chassis.exhaust-return=30 %", "chassis.exhaust-return=90 %"};
    for (int k = 0; k < 3; k++) {
        double before = 0;
        for (int i = 0; i < 6; i++) {
            char xml[1024];
            snprintf(
                xml, sizeof xml,
                "<rig><site><room temperature='22 degC'/></site><chassis panel-area='1.5 m2'>%s<load dc='900 W'/>"
                "</chassis></rig>",
                openings[k]);
            wsk_rig *rig;
            wsk_run *run = settled(xml, sets[i], WSK_STEPPER_FAST, 14400, &rig);
            const double now = wsk_test_get(run, "case");
            if (i == 1 ? fabs(now - before) > 0.01 : i > 1 && !(now > before))
                fail_msg("openings %d, %s: %.3f degC after %.3f degC", k, sets[i], now, before);
            before = now;
            wsk_test_drop(run, rig);
        }
    }
}

#define FILTERED \
    "<rig><site><room temperature='25 degC' humidity='0 %%'/></site><chassis panel-area='0.1 m2' dust-start='%d " \
    "%%' intake-loss='7'>" \
    "<fan at='front' diameter='120 mm' pressure='30 Pa' flow='150 m3/h' rpm='1500 rpm' curvature='25 %%' " \
    "blocked='%d %%'/>" \
    "<vent at='rear' area='10 m2'/></chassis></rig>"

/* Flow ratio x = q/Q of a fan with a filter, from p - s p x - (1 - s) p x^2 = K2 Q^2 x^2/(1 - b)^2. p: shut-off
 * pressure; s: curvature; Q: free flow; K2: loss coefficient of the clean opening; 1 - b: share of the opening that
 * dust and blocking leave free. */
static void test_dust_and_blocked_faces(void **state)
{
    (void)state;
    const double p = 30, q_free = 150 / 3600.0, curve = 0.25, face = 3.14159265358979 / 4 * 0.12 * 0.12,
                 loss = 7 * 1.184 / 2 / (face * face);
    static const int cases[][2] = {{0, 0}, {30, 0}, {0, 30}, {50, 0}, {0, 50}, {40, 50}, {0, 90}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char xml[1024];
        snprintf(xml, sizeof xml, FILTERED, cases[i][0], cases[i][1]);
        wsk_rig *rig = wsk_test_rig(xml, NULL);
        wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 10);
        wsk_test_advance(run, 10);
        double open = (1 - cases[i][0] / 100.0) * (1 - cases[i][1] / 100.0), line = curve * p / q_free,
               square = (1 - curve) * p / (q_free * q_free) + loss / (open * open),
               q = 2 * p / (line + sqrt(line * line + 4 * square * p));
        int branch = WSK_NO;
        for (int m = 0; m < run->net->n_mover; m++)
            if (run->net->movers[m].branch >= 0)
                branch = run->net->movers[m].branch;
        assert_rel(run->flows->point.q[branch], q, 1e-3);
        wsk_test_drop(run, rig);
    }
}

static void test_dust_stays_in_its_case(void **state)
{
    (void)state;
    static const char text[] = "<rig><chassis id='a'><fan id='fa' at='front' pressure='30 Pa' flow='150 m3/h' "
                               "rpm='1500 rpm'/><vent area='100 cm2'/></chassis>"
                               "<chassis id='b'><fan id='fb' at='front' pressure='30 Pa' flow='150 m3/h' rpm='1500 "
                               "rpm'/><vent area='100 cm2'/></chassis></rig>";
    double q[3][2];
    static const char *const sets[] = {NULL, "chassis[a].dust-start=60 %", "chassis[b].dust-start=60 %"};
    for (int i = 0; i < 3; i++) {
        wsk_rig *rig = wsk_test_rig(text, sets[i]);
        wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 10);
        wsk_test_advance(run, 10);
        for (int m = 0; m < run->net->n_mover; m++)
            if (run->net->movers[m].branch >= 0)
                q[i][run->net->movers[m].in] = run->flows->point.q[run->net->movers[m].branch];
        wsk_test_drop(run, rig);
    }
    assert_rel(q[0][0], q[0][1], 1e-12);
    assert_true(q[1][0] < 0.9 * q[0][0] && q[2][1] < 0.9 * q[0][1]);
    assert_rel(q[1][1], q[0][1], 1e-9);
    assert_rel(q[2][0], q[0][0], 1e-9);
}

static void shares_of(const char *kind, const char *upper, const char *lower, double thickness_mm,
                      double share[WSK_INTAKES], double *die_c)
{
    wsk_buf b = {0};
    wsk_buf_printf(&b, "<rig><site><room temperature='25 degC'/></site><chassis kind='%s' slots='9'>", kind);
    if (strcmp(kind, "tower") == 0)
        wsk_buf_printf(
            &b, "<fan at='front' count='3' pressure='40 Pa' flow='180 m3/h' rpm='1600 rpm'/><vent area='150 cm2'/>");
    wsk_buf_printf(&b,
                   "<gpu id='upper' slot='1' slots='2' thickness='%.3g mm' power='200 W' fan='2200 rpm' " CHIP ">",
                   thickness_mm);
    wsk_buf_printf(&b, "%s</gpu>", upper);
    if (lower)
        wsk_buf_printf(
            &b, "<gpu id='lower' slot='3' slots='2' thickness='38 mm' power='200 W' fan='2200 rpm' " CHIP ">%s</gpu>",
            lower);
    wsk_buf_printf(&b, "</chassis></rig>");
    wsk_buf_put(&b, "", 1);
    wsk_rig *rig;
    wsk_run *run = settled(b.data, NULL, WSK_STEPPER_FAST, 3600, &rig);
    wsk_intake_shares(run, 0, share);
    if (die_c)
        *die_c = wsk_test_get(run, "upper.die_c");
    wsk_test_drop(run, rig);
    wsk_buf_free(&b);
}

static const char open_air[] = "<cooler kind='open-air' conductance='14 W/K' flow='35 l/s' capacity='500 J/K' "
                               "drop='25 Pa' fans='2' fan-pressure='70 Pa'"
                               " fan-flow='30 l/s' fan-rpm='2200 rpm' outlet='180 cm2'/>";
static const char blower[] = "<cooler kind='blower' conductance='12 W/K' flow='22 l/s' capacity='500 J/K' drop='90 "
                             "Pa' diameter='66 mm' fan-pressure='320 Pa'"
                             " fan-flow='40 l/s' fan-rpm='3600 rpm'/>";

static void test_intake_of_neighbours(void **state)
{
    (void)state;
    double share[WSK_INTAKES], before = 0, hot = 0, die;
    shares_of("frame", blower, NULL, 38, share, NULL);
    assert_rel(share[WSK_FROM_ROOM], 1, 1e-6);
    shares_of("frame", open_air, NULL, 38, share, NULL);
    assert_rel(share[WSK_FROM_ROOM] + share[WSK_FROM_OWN], 1, 1e-12);
    for (double thickness = 20; thickness < 40; thickness += 3) {
        shares_of("tower", open_air, open_air, thickness, share, &die);
        if (share[WSK_FROM_NEIGHBOUR] <= before || die <= hot)
            fail_msg("%.0f mm thick: share %.3f after %.3f, die %.2f after %.2f", thickness,
                     share[WSK_FROM_NEIGHBOUR], before, die, hot);
        before = share[WSK_FROM_NEIGHBOUR];
        hot = die;
    }
    assert_true(before > 0.1);
    shares_of("tower", open_air, blower, 38, share, &die);
    assert_true(share[WSK_FROM_NEIGHBOUR] < 0.02 && die < hot);
}

static void test_shares_sum_to_one(void **state)
{
    (void)state;
    int cards = 0, neighbours = 0;
    for (uint64_t seed = 1; seed <= (uint64_t)wsk_test_cases(300, 40); seed++) {
        wsk_rig *rig = wsk_test_random(&(wsk_random_rig_spec){.seed = seed});
        wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 60);
        wsk_test_try(run, 60);
        for (int i = 0; i < run->net->n_card; i++) {
            double share[WSK_INTAKES], sum = 0;
            bool wet = run->net->cards[i].exhaust < 0;
            wsk_intake_shares(run, i, share);
            for (int k = 0; k < WSK_INTAKES; k++) {
                assert_true(share[k] >= 0 && share[k] <= 1 + 1e-12);
                sum += share[k];
            }
            if (!(fabs(sum - !wet) <= 1e-9))
                fail_msg("seed %llu: the shares of %s sum to %.12g", (unsigned long long)seed, run->net->cards[i].id,
                         sum);
            if (run->net->cases[run->net->cards[i].in].open)
                assert_true(share[WSK_FROM_CASE] == 0);
            cards += !wet;
            neighbours += share[WSK_FROM_NEIGHBOUR] > 0.01;
        }
        wsk_test_drop(run, rig);
    }
    assert_true(cards > 50 && neighbours > 5);
}

/* Returns the die temperature of an idle H100 PCIe, degC; 2000 if the card shut down. */
static double idle_die_c(const char *fans)
{
    char xml[1024];
    (void)snprintf(xml, sizeof xml,
                   "<rig><site><room temperature='24 degC'/></site><chassis part='chassis/mid-tower-mesh'>%s"
                   "<gpu part='gpu/h100-pcie' slot='1'/></chassis><workload class='idle'/></rig>",
                   fans);
    wsk_rig *rig;
    wsk_run *run = wsk_test_run_to(xml, 4 * 3600, &rig);
    double die = run->cards[0].off ? 2000 : wsk_test_get(run, "gpu0.die_c");
    wsk_test_drop(run, rig);
    return die;
}

/* Fans at the front blow air into the open end of a passive card, which a fan at the rear does not. */
static void test_front_fans_cool_an_idle_passive_card(void **state)
{
    (void)state;
    const char *rear = "<fan part='fan/generic-120-1500' at='rear'/>";
    double before = idle_die_c("<fan part='fan/generic-120-1500' at='front' count='2'/>"
                               "<fan part='fan/generic-120-1500' at='rear'/>");
    assert_true(before > 50 && before < 85);
    assert_true(idle_die_c(rear) > before + 3);
}

/* The card of the second chassis draws 900 W, which must not matter to the first chassis' fan. */
static double share_at(double own_w, const char *load_curve)
{
    char xml[2048];
    (void)snprintf(xml, sizeof xml,
                   "<rig><site><room temperature='22 degC'/></site><chassis id='a'><fan at='wall' count='3' "
                   "pressure='400 Pa' flow='200 m3/h' rpm='10000 rpm' sensor='gpu' curve='40 degC:30 %%, 80 degC:70 "
                   "%%' %s/><gpu slot='1' power='%.0f W' " CHIP ">%s</gpu><gpu slot='3' power='%.0f W' " CHIP
                   ">%s</gpu></chassis><chassis id='b'><fan at='wall' count='3' pressure='400 Pa' flow='200 m3/h' "
                   "rpm='10000 rpm'/><gpu slot='1' power='900 W' " CHIP ">%s</gpu></chassis></rig>",
                   load_curve, own_w / 2, FINS, own_w / 2, FINS, FINS);
    wsk_rig *rig;
    wsk_run *run = wsk_test_run_to(xml, 1800, &rig);
    for (int i = 0; i < run->net->n_mover; i++)
        if (run->net->movers[i].control) {
            double share = 100 * run->rpm[i] / run->net->movers[i].ref_rpm;
            wsk_test_drop(run, rig);
            return share;
        }
    fail_msg("no controlled fan");
    return NAN;
}

static void test_fans_answer_the_load(void **state)
{
    (void)state;
    const char *curve = "load-curve='200 W:40 degC, 600 W:70 degC'";
    double cool = share_at(200, ""), hot = share_at(600, "");
    assert_true(cool < 40 && hot > cool && hot < 60);
    assert_near(share_at(200, curve), cool, 1e-9);
    /* For 600 W the load-curve gives 70 degC, for which the fan curve gives 60 %. */
    assert_near(share_at(600, curve), 60, 0.5);
    assert_near(share_at(600, "load-curve='200 W:20 degC, 600 W:30 degC'"), hot, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_second_card_of_a_duct),  cmocka_unit_test(test_draught_of_a_warm_case),
        cmocka_unit_test(test_card_with_a_still_fan),  cmocka_unit_test(test_two_rows),
        cmocka_unit_test(test_slots_of_a_wide_pitch),  cmocka_unit_test(test_cards_that_stand_behind_none),
        cmocka_unit_test(test_returned_exhaust),       cmocka_unit_test(test_little_returned_exhaust),
        cmocka_unit_test(test_dust_and_blocked_faces), cmocka_unit_test(test_dust_stays_in_its_case),
        cmocka_unit_test(test_intake_of_neighbours),   cmocka_unit_test(test_shares_sum_to_one),
        cmocka_unit_test(test_fans_answer_the_load),   cmocka_unit_test(test_front_fans_cool_an_idle_passive_card),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
