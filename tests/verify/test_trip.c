/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>

#include "sim/books/books.h"
#include "tests/support/trip.h"
#include "tests/verify/supplies.h"

/* Points of published envelopes: at m times the rating, a cold breaker must not trip before holds_s and must have
 * tripped after trips_s. Sources: IEC 60898 (IEK VA47-100, 30 degC; magnetic bounds ti-soft), UL 489 (OptiFuse, rated
 * to 50 A), Japanese interpretation, article 33 (classes to 30, 50 and 100 A; the shortest must-trip times are those
 * of the smallest). */
static const struct {
    int first, last; /* first and last kind of breaker to which the point applies */
    double m, holds_s, trips_s;
} envelope[] = {
    {WSK_BREAKER_B, WSK_BREAKER_B, 3, 0.1, INFINITY},
    {WSK_BREAKER_B, WSK_BREAKER_B, 5, 0, 0.1},
    {WSK_BREAKER_C, WSK_BREAKER_C, 5, 0.1, INFINITY},
    {WSK_BREAKER_C, WSK_BREAKER_C, 10, 0, 0.1},
    {WSK_BREAKER_D, WSK_BREAKER_D, 10, 0.1, INFINITY},
    {WSK_BREAKER_D, WSK_BREAKER_D, 20, 0, 0.1},
    {WSK_BREAKER_B, WSK_BREAKER_D, 1.13, 7200, INFINITY},
    {WSK_BREAKER_B, WSK_BREAKER_D, 1.45, 0, 3600},
    {WSK_BREAKER_B, WSK_BREAKER_D, 2.55, 1, 60},
    {WSK_BREAKER_UL, WSK_BREAKER_UL, 1, INFINITY, INFINITY},
    {WSK_BREAKER_UL, WSK_BREAKER_UL, 1.35, 0, 3600},
    {WSK_BREAKER_UL, WSK_BREAKER_UL, 2, 0, 120},
    {WSK_BREAKER_JAPAN, WSK_BREAKER_JAPAN, 1, INFINITY, INFINITY},
    {WSK_BREAKER_JAPAN, WSK_BREAKER_JAPAN, 1.25, 0, 3600},
    {WSK_BREAKER_JAPAN, WSK_BREAKER_JAPAN, 2, 0, 120},
};

static void envelopes(void **state)
{
    (void)state;
    for (size_t e = 0; e < sizeof envelope / sizeof *envelope; e++)
        for (int kind = envelope[e].first; kind <= envelope[e].last; kind++) {
            wsk_breaker b = wsk_breaker_of(kind);
            for (int u = 0; u <= 20; u++)
                for (int f = 0; f <= 20; f++) {
                    double hold = b.hold_low + (b.hold_high - b.hold_low) * u / 20;
                    double instant = b.instant_low + (b.instant_high - b.instant_low) * f / 20;
                    double t = wsk_breaker_trip_s(&b, hold, instant, envelope[e].m);
                    if (!(t >= envelope[e].holds_s && t <= envelope[e].trips_s))
                        fail_msg("%s, I_h %.3f, instant %.2f: %.3g s at %.3g x the rating; expected %.3g to %.3g",
                                 b.name, hold, instant, t, envelope[e].m, envelope[e].holds_s, envelope[e].trips_s);
                }
        }
}

static void heat_in_steps(void **state)
{
    (void)state;
    wsk_breaker b = wsk_breaker_of(WSK_BREAKER_UL);
    double t = wsk_breaker_trip_s(&b, 1.17, 9, 1.6);
    for (int n = 1; n <= 1000; n *= 10) {
        double heat = 0;
        for (int i = 0; i < n; i++)
            heat = wsk_breaker_heat(heat, 1.6, wsk_breaker_keeps(&b, t / n));
        assert_rel(heat, 1.17 * 1.17, 1e-12);
    }
    assert_near(wsk_breaker_trip(&b, b.hold_low * b.hold_low, 1), 0, 1e-12);
    assert_near(wsk_breaker_trip(&b, b.hold_high * b.hold_high, 1), 1, 1e-12);
    double middle = 0.5 * (b.hold_low + b.hold_high);
    assert_near(wsk_breaker_trip(&b, middle * middle, 1), 0.5, 1e-12);
    assert_near(wsk_breaker_trip(&b, 0, 0.5 * (b.instant_low + b.instant_high)), 0.5, 1e-12);
}

/* Tolerance of a sampled probability: four standard deviations of `trials` draws. */
static double band(double p, int trials)
{
    return 4 * sqrt(fmax(p * (1 - p), 1.0 / trials) / trials);
}

static void analytic_and_sampled_agree(void **state)
{
    (void)state;
    static const double cards[5] = {347, 351.5, 349, 352.2, 338};
    const int trials = wsk_test_cases(4000, 800);
    int between = 0;
    for (int n = 1; n <= 5; n++)
        for (int synchronous = 0; synchronous <= 1; synchronous++)
            for (int k = 0; k < 6; k++) {
                double all = 0;
                for (int i = 0; i < n; i++)
                    all += cards[i];
                wsk_steps s = {.n = n,
                               .card_w = cards,
                               .base_w = all + 211,
                               .opp = 1.25,
                               .excursions = k % 2,
                               .step_s = 0.9,
                               .synchronous = synchronous,
                               .time_s = 40};
                s.limit_w = s.base_w * (0.82 + 0.035 * k);
                double p = wsk_steps_trip(&s, NULL), drawn = wsk_steps_trip_sampled(&s, 7321 + (uint64_t)k, trials);
                /* 0.004: error of the grid on which the distribution is computed */
                if (!(fabs(p - drawn) <= band(p, trials) + 0.004))
                    fail_msg("%d cards, synchronous %d, supply %.0f W: %.4f by analysis, %.4f drawn", n, synchronous,
                             s.limit_w, p, drawn);
                between += p > 0.02 && p < 0.98;
            }
    assert_true(between >= 10);
}

static void trips_are_monotone(void **state)
{
    (void)state;
    static const double cards[4] = {350, 350, 350, 350}, less[4] = {300, 300, 300, 300};
    const wsk_steps at = {.n = 4,
                          .card_w = cards,
                          .base_w = 1650,
                          .limit_w = 1500,
                          .opp = 1.25,
                          .step_s = 1,
                          .time_s = 86400,
                          .synchronous = true};
    double before = 1.1;
    for (double w = 1200; w < 2600; w += 20) {
        wsk_steps s = at, alone, limited, brief, built;
        s.limit_w = w;
        alone = limited = brief = built = s;
        alone.synchronous = false;
        limited.card_w = less;
        limited.base_w -= 200;
        brief.time_s = 600;
        built.excursions = WSK_EXCURSIONS_ATX3;
        double p = wsk_steps_trip(&s, NULL);
        assert_true(p >= 0 && p <= 1 && p <= before + 1e-12);
        assert_true(wsk_steps_trip(&alone, NULL) <= p + 1e-9);
        assert_true(wsk_steps_trip(&limited, NULL) <= p + 1e-12);
        assert_true(wsk_steps_trip(&brief, NULL) <= p + 1e-12);
        assert_true(wsk_steps_trip(&built, NULL) <= p + 1e-12);
        before = p;
    }
    assert_true(before < 1e-6);
    wsk_steps small = at;
    small.limit_w = 1200;
    assert_near(wsk_steps_trip(&small, NULL), 1, 1e-12);
    double rating = wsk_steps_cure_rating(&small);
    small.limit_w = rating;
    assert_true(wsk_steps_trip(&small, NULL) < 0.005);
    assert_true(small.base_w <= 0.9 * small.limit_w);
    small.limit_w = rating - 50;
    assert_true(wsk_steps_trip(&small, NULL) >= 0.005 || small.base_w > 0.9 * small.limit_w);
}

#define SMALL "<psu kind='constant' rated='550 W' efficiency='90 %'/>"
#define CARD(id, slot, watts) \
    "<gpu id='" id "' slot='" slot "' slots='1' tdp='250 W' power='" watts "' part='gpu/generic' fan='100 %'>" \
    "<cooler kind='blower' part='cooler/generic-blower'/></gpu>"

static int index_of(const wsk_run *run, const char *id)
{
    for (int i = 0; i < run->net->n_supply; i++)
        if (strcmp(run->net->supplies[i].elem->id, id) == 0)
            return i;
    fail_msg("no supply %s", id);
    return 0;
}

static double load_of(const wsk_run *run, const char *id)
{
    return run->supply_dc_w[index_of(run, id)];
}

static void named_loads(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run =
        after(RIG("supply='230 V' circuit='16 A'", PSU " id='a' feeds='x y'/>" PSU " id='b' power-factor='80 %'/>",
                  CARD("x", "1", "131 W") CARD("y", "3", "117 W")
                      CARD("z", "5", "83 W") "<load dc='47 W'/><load ac='60 W'/>"),
              60, &rig);
    assert_near(load_of(run, "a"), 248, 1e-9);
    assert_near(load_of(run, "b"), 130, 1e-9);
    assert_near(run->wall_w, 378 / 0.9, 1e-9);
    assert_near(run->va, 248 / 0.9 + 130 / 0.9 / 0.8, 1e-9);
    assert_near(wsk_test_get(run, "wall_va"), run->va + 60, 1e-9);
    assert_near(run->books->va_peak, run->va + 60, 1e-9);
    assert_near(run->net->lines[0].limit_w, 3680, 1e-9);
    wsk_run_free(run);
    wsk_rig_free(rig);
}

/* The largest PSU feeds the loads that no PSU names in feeds="...", whatever the order in the file. */
static void unnamed_loads(void **state)
{
    (void)state;
    static const char *const rigs[] = {RIG("", SMALL PSU "/>", CARD("x", "1", "131 W") CARD("y", "3", "117 W")),
                                       RIG("", PSU "/>" SMALL, CARD("x", "1", "131 W") CARD("y", "3", "117 W"))};
    for (int i = 0; i < 2; i++) {
        wsk_rig *rig;
        wsk_run *run = after(rigs[i], 60, &rig);
        bool told = false;
        assert_int_equal(run->net->n_supply, 2);
        for (int k = 0; k < 2; k++)
            assert_near(load_of(run, run->net->supplies[k].elem->id),
                        run->net->supplies[k].params->rated_w > 900 ? 248 : 0, 1e-9);
        for (size_t k = 0; k < wsk_rig_messages(rig); k++) {
            int severity, line, column;
            const char *file, *text;
            wsk_rig_message(rig, k, &severity, &file, &line, &column, &text);
            told = told || strstr(text, "(550 W) feeds nothing");
        }
        assert_true(told);
        wsk_run_free(run);
        wsk_rig_free(rig);
    }
}

static void refused(const char *xml, const char *words)
{
    const wsk_rig_options o = {.path = "-", .text = xml, .text_len = strlen(xml), .parts_dir = "parts"};
    wsk_rig *rig = NULL;
    bool told = false;
    assert_int_equal(wsk_rig_load(&rig, &o), WSK_EINPUT);
    for (size_t i = 0; i < wsk_rig_messages(rig); i++) {
        int severity, line, column;
        const char *file, *text;
        wsk_rig_message(rig, i, &severity, &file, &line, &column, &text);
        told = told || strstr(text, words);
    }
    if (!told)
        fail_msg("no message says: %s", words);
    wsk_rig_free(rig);
}

static void mistakes(void **state)
{
    (void)state;
    refused(RIG("", PSU " feeds='nobody'/>" PSU "/>", CARD("x", "1", "100 W")), "is not a card of this chassis");
    refused(RIG("", PSU " id='a' feeds='x'/>" PSU " id='b' feeds='x'/>", CARD("x", "1", "100 W")),
            "is already fed by a");
    refused(RIG("", PSU " fails-at='1 h'/>", CARD("x", "1", "100 W")), "nothing is left to feed it");
    refused(RIG("supply='120 V'", "<psu part='psu/server-titanium-3000'/>", ""), "needs at least 180 V");
}

/* A swing whose high part lasts long loads the PSU like a higher mean power. Here the high part lasts 0.3 s, 30 ms or
 * 3 ms. */
static void swing_of_the_power(void **state)
{
    (void)state;
    static const double cards[2] = {300, 400};
    const wsk_steps even = {
        .n = 2, .card_w = cards, .base_w = 900, .limit_w = 1000, .opp = 1.25, .step_s = 1, .time_s = 3600};
    for (int sync = 0; sync < 2; sync++) {
        wsk_steps swings = even, raised = even;
        swings.rise = 0.35;
        swings.fall = 0.15;
        swings.synchronous = raised.synchronous = sync;
        raised.base_w += 0.35 * (sync ? 700 : 500);
        assert_near(wsk_steps_trip(&swings, NULL), wsk_steps_trip(&raised, NULL), 1e-12);
        raised.step_s = swings.step_s = 0.1;
        assert_near(wsk_steps_trip(&swings, NULL), wsk_steps_trip(&raised, NULL), 1e-12);
        raised.step_s = swings.step_s = 0.01;
        assert_true(wsk_steps_trip(&swings, NULL) < wsk_steps_trip(&raised, NULL));
    }
}

/* 17 A, then 15 A, through a 15 A breaker (UL 489) at 120 V. A warm breaker trips if its holding current is below the
 * current; holding currents are spread evenly over 1.05-1.32 times the rating. */
static void breaker_in_a_run(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = after(RIG("supply='120 V' circuit='15 A'",
                             "<psu kind='constant' rated='3 kW' efficiency='100 %'/>", "<load dc='2040 W'/>"),
                         7200, &rig);
    double m = 2040.0 / 1800;
    assert_near(run->lines[0].breaker_most, m * m, 1e-9);
    assert_near(wsk_circuit_trip(run), (m - 1.05) / (1.32 - 1.05), 1e-9);
    wsk_run_free(run);
    wsk_rig_free(rig);
    run = after(RIG("supply='120 V' circuit='15 A'", "<psu kind='constant' rated='3 kW' efficiency='100 %'/>",
                    "<load dc='1800 W'/>"),
                7200, &rig);
    assert_same(wsk_circuit_trip(run), 0);
    assert_near((double)run->lines[0].over_ns / 1e9, 7200, 1e-9);
    wsk_run_free(run);
    wsk_rig_free(rig);
}

static double limit_va(const char *site)
{
    char xml[512];
    snprintf(xml, sizeof xml, "<rig><site %s/><chassis/></rig>", site);
    wsk_rig *rig = wsk_test_rig(xml, NULL);
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 1);
    double va = run->net->lines[0].limit_w;
    wsk_run_free(run);
    wsk_rig_free(rig);
    return va;
}

static void circuits(void **state)
{
    (void)state;
    assert_near(limit_va("supply='120 V' circuit='15 A'"), 1440, 1e-9);
    assert_near(limit_va("supply='120 V' circuit='20 A'"), 1920, 1e-9);
    assert_near(limit_va("supply='208 V' circuit='20 A'"), 3328, 1e-9);
    assert_near(limit_va("supply='240 V' circuit='30 A'"), 5760, 1e-9);
    /* Japan: the outlet's limit of 15 A, 1500 VA */
    assert_near(limit_va("supply='100 V' circuit='20 A' outlet='15 A'"), 1500, 1e-9);
    /* United Kingdom: the outlet's limit of 13 A */
    assert_near(limit_va("supply='230 V' circuit='32 A' outlet='13 A'"), 2990, 1e-9);
    assert_near(limit_va("supply='230 V' circuit='16 A'"), 3680, 1e-9); /* a Schuko outlet, 16 A */
    assert_near(limit_va("supply='230 V' outlet='13 A'"), 2990, 1e-9);
}

/* The loss of the power strip grows with the square of the load; at its rated 2 kW the strip is 98 % efficient. The
 * UPS, which feeds the strip, loses a + b x of its rating; x: load / rating. Both losses heat the room and count at
 * the meter. */
static void ups_and_strip(void **state)
{
    (void)state;
    wsk_rig *rig =
        wsk_test_rig("<rig><site supply='230 V' circuit='16 A'><room temperature='21 degC'/><ups rated='1500 W' "
                     "efficiency-25='85 %' "
                     "efficiency-100='93 %'/><pdu rated='2 kW' efficiency='98 %'/></site><chassis><vent at='front' "
                     "area='900 cm2'/>" PSU "/><load dc='900 W'/></chassis><run for='1 h'/></rig>",
                     NULL);
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 3600);
    wsk_test_advance(run, 3600);
    double strip = (1 / 0.98 - 1) * 1000 * 1000 / 2000, quarter = 0.25 * (1 / 0.85 - 1), full = 1 / 0.93 - 1,
           b = (full - quarter) / 0.75;
    double ups = 1500 * (full - b) + b * (1000 + strip);
    assert_near(run->side_w, strip + ups, 1e-9);
    assert_near(wsk_sum_value(&run->books->feed_loss), 3600 * (strip + ups), 1e-6);
    assert_near(run->books->va_peak, 1000 + strip + ups, 1e-9);
    assert_near(run->lines[0].feed_peak_rel, (1000 + strip) / 1500, 1e-12);
    assert_true(wsk_residual(run) <= 1e-9);
    wsk_run_free(run);
    wsk_rig_free(rig);
}

/* Puget Systems (October 2020, reported by The FPS Review): four Gigabyte RTX 3090 Turbo limited to 300 W, a ten-core
 * Xeon and a 1600 W Platinum PSU of EVGA peaked at 1,717 W at the wall and never switched off. The rest of such a
 * system draws 250-400 W: Xeon W-2255 165 W (Intel ARK), and 85-235 W for board, memory, fans and drives. Returns the
 * model's peak with this power of the rest. */
static double published_peak(const char *rest_w)
{
    char set[64];
    snprintf(set, sizeof set, "load.dc=%s", rest_w);
    wsk_rig *rig =
        wsk_test_rig("<rig><site supply='120 V' circuit='20 A'><room temperature='25 degC'/></site>"
                     "<chassis part='chassis/full-tower-8-slot'><psu part='psu/evga-1600-p2'/><load dc='250 W'/>"
                     "<gpu part='gpu/rtx-3090-blower' slot='1' power='300 W' fan='80 %'/><gpu "
                     "part='gpu/rtx-3090-blower' slot='3' power='300 W' fan='80 %'/>"
                     "<gpu part='gpu/rtx-3090-blower' slot='5' power='300 W' fan='80 %'/><gpu "
                     "part='gpu/rtx-3090-blower' slot='7' power='300 W' fan='80 %'/>"
                     "</chassis><run for='10 min'/></rig>",
                     set);
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 600);
    wsk_test_advance(run, 600);
    double peak = run->books->wall_peak_w;
    wsk_run_free(run);
    wsk_rig_free(rig);
    return peak;
}

static void published_build(void **state)
{
    (void)state;
    double low = published_peak("250W"), high = published_peak("400W");
    print_message("four 3090 at 300 W and 250-400 W for the rest: %.0f-%.0f W at the wall; published 1717 W\n", low,
                  high);
    assert_true(low < 1717 && 1717 < high);
    assert_true(high - low < 200);
    /* 1,717 W at the wall are 1,580 W of output at 92 % efficiency: even with coinciding load steps, the PSU trips with
     * a probability below 5 % */
    static const double cards[4] = {300, 300, 300, 300};
    wsk_steps steps = {.n = 4,
                       .card_w = cards,
                       .base_w = 1580,
                       .limit_w = 1600,
                       .opp = 1.25,
                       .step_s = 1,
                       .time_s = 86400,
                       .synchronous = true};
    assert_true(wsk_steps_trip(&steps, NULL) < 0.05);
}

/* A run that has not begun has no load steps: its summary must not be computed from a highest power that does not
 * exist. */
static void not_begun(void **state)
{
    (void)state;
    double card_w[WSK_STEP_CARDS];
    wsk_rig *rig = wsk_test_rig_file("scenarios/quad-3090-blower/rig.xml");
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 600);
    wsk_steps steps = wsk_steps_of_run(run, 0, 0, card_w);
    assert_int_equal(steps.n, 4);
    for (int i = 0; i < steps.n; i++)
        assert_near(card_w[i], 0, 0);
    wsk_test_drop(run, rig);
}

/* A load of 2.6 times a breaker's rating holds for some seconds; where it swings by 30 % to both sides, the weakest
 * breakers of kind B trip at once: between 3.05 and 4.95 times their rating. */
static void a_swing_reaches_the_magnetic_trip(void **state)
{
    (void)state;
#define SWINGS(workload) \
    "<rig><site supply='230 V' circuit='4 A' breaker='B'><room temperature='21 degC'/></site><chassis><vent " \
    "at='front' " \
    "area='900 cm2'/><vent at='rear' area='900 cm2'/><psu kind='constant' rated='5000 W' efficiency='100 %' " \
    "power-factor='100 %'/><gpu id='g' slot='1' tdp='2500 W' power='2400 W' clock-max='1900 MHz' " \
    "clock-knee='1400 MHz' voltage-slope='0.6 1/GHz'><cooler part='cooler/generic-blower'/></gpu></chassis>" \
    "<workload kind='constant' class='training' " workload "/><run for='2 h'/></rig>"
    static const char *const xml[] = {SWINGS(""), SWINGS("swing-high='130 %' swing-low='70 %' swing-period='2 s'")};
    for (int swings = 0; swings < 2; swings++) {
        wsk_rig *rig;
        wsk_run *run = after(xml[swings], 3, &rig);
        double card_w[WSK_STEP_CARDS];
        const wsk_steps steps = wsk_steps_of_run(run, 0, wsk_window_s(run), card_w);
        const double rise_w = wsk_steps_wall_w(&steps) - steps.base_w,
                     m = (run->lines[0].va_peak + rise_w) / (4 * 230);
        assert_true(rise_w >= swings * 0.3 * 2400 && rise_w < (0.1 + swings * 0.3) * 2400);
        assert_near(wsk_line_trip(run, 0), swings ? (m - 3.05) / (4.95 - 3.05) : 0, 1e-6);
        assert_true(m > (swings ? 3.2 : 2.5) && m < (swings ? 3.7 : 2.9));
        wsk_test_drop(run, rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_swing_reaches_the_magnetic_trip),
        cmocka_unit_test(envelopes),
        cmocka_unit_test(heat_in_steps),
        cmocka_unit_test(analytic_and_sampled_agree),
        cmocka_unit_test(trips_are_monotone),
        cmocka_unit_test(named_loads),
        cmocka_unit_test(unnamed_loads),
        cmocka_unit_test(mistakes),
        cmocka_unit_test(swing_of_the_power),
        cmocka_unit_test(breaker_in_a_run),
        cmocka_unit_test(circuits),
        cmocka_unit_test(ups_and_strip),
        cmocka_unit_test(published_build),
        cmocka_unit_test(not_begun),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
