/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The effects of uncertain inputs on results, by closed forms. Theory: docs/theory/uncertainty.md */
#include <stdlib.h>
#include <string.h>

#include "sim/study/findings/found.h"
#include "tests/support/bench.h"

/* A chassis with no effect on temperatures: its air has the room's temperature. */
#define HUGE_CASE \
    "<vent at='side' area='100 m2'/><vent at='side' area='100 m2'/><vent at='front' area='100 m2'/>" \
    "<fan at='front' diameter='1 m' pressure='10 Pa' flow='20 m3/s' rpm='100 rpm' power='0 W'/>"
/* A card with pinned fan speed and power. Its memory gives heat to the heatsink only, its board none, so that each
 * temperature is a sum of rises. */
#define CARD(slot, more, sources) \
    "<gpu slot='" slot "' tdp='250 W' clock-max='1900 MHz' clock-knee='1300 MHz' voltage-slope='0.5 1/GHz' " \
    "power='215 W' fan='2330 rpm'" \
    " idle='20 W' memory-power='31 W' board-share='11 %' memory-resistance='0.37 K/W' memory-to-heatsink='100 %'" \
    " board-to-heatsink='0 W/K' board-conductance='1.2 W/K' " more ">" \
    "<cooler kind='blower' conductance='11.3 W/K' flow='21 l/s' exponent='0.63' natural='0 W/K' capacity='310 J/K'" \
    " drop='27 Pa' fan-pressure='180 Pa' fan-flow='31 l/s' fan-rpm='3000 rpm' fan-curvature='35 %' outlet='42 cm2' " \
    "leak='0 %'/>" sources "</gpu>"
#define RIG(cards) \
    "<rig><site><room temperature='24.3 degC' humidity='0 %'/></site><chassis intake-loss='0' wall-gap='1 " \
    "m'>" HUGE_CASE cards "</chassis></rig>"

static const double die_w = 215 - 215 * 31.0 / 250 - 215 * 0.11;

static char *spread_of(const char *xml)
{
    wsk_rig *rig = wsk_test_rig(xml, NULL);
    char *json = NULL;
    assert_int_equal(wsk_rig_spread(rig, WSK_STEPPER_FAST, &json), WSK_OK);
    wsk_rig_free(rig);
    return json;
}

/* Reads a number, which may be negative. NAN: there is no such member after `from`. */
static double number_at(const char *from, const char *name)
{
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\": ", name);
    const char *at = from ? strstr(from, quoted) : NULL, *end;
    double v = NAN;
    if (at && !wsk_parse_number(at + strlen(quoted), &end, &v) && at[strlen(quoted)] == '-' &&
        wsk_parse_number(at + strlen(quoted) + 1, &end, &v))
        v = -v;
    return v;
}

static const char *source_at(const char *json, const char *key)
{
    char quoted[128];
    snprintf(quoted, sizeof quoted, "\"key\": \"%s\"", key);
    return strstr(json, quoted);
}

/* Effect of the uncertain input `key` on the quantity `what`; NAN: the input is not among the sources. */
static double effect(const char *json, const char *key, const char *what)
{
    return number_at(source_at(json, key), what);
}

static double card_flow(void)
{
    double nu = 2330.0 / 3000, p = 180, fan_q = 0.031, curvature = 0.35, drop = 27, q_ref = 0.021, outlet = 42e-4;
    double square =
        (1 - curvature) * p / (fan_q * fan_q) + 0.5 * drop / (q_ref * q_ref) + 1.5 * 1.184 / 2 / (outlet * outlet);
    double line = curvature * p * nu / fan_q + 0.5 * drop / q_ref, lift = p * nu * nu;
    return (-line + sqrt(line * line + 4 * square * lift)) / (2 * square);
}

static void test_resistance_of_a_die(void **state)
{
    (void)state;
    char *json = spread_of(RIG(CARD("1", "die-resistance='0.043 K/W'",
                                    "<source for='die-resistance' kind='fitted' ref='a bench' spread='+-10 %'/>")));
    assert_near(effect(json, "gpu0:die-resistance", "die_k"), 0.0043 * die_w, 0.02);
    assert_near(effect(json, "gpu0:die-resistance", "site_rel"), 0, 1e-9);
    wsk_text_free(json);
}

/* With die-area, the die resistance is 25 mm2K/W over 250 mm2, 0.1 K/W; without it, 0.05 K/W. Half of the range
 * 16-39 mm2K/W over 250 mm2 is 0.046 K/W. */
static void test_resistance_by_the_area_of_a_die(void **state)
{
    (void)state;
    char *json = spread_of(RIG(CARD("1", "die-area='250 mm2'", ""))), *plain = spread_of(RIG(CARD("1", "", "")));
    assert_near(effect(json, "gpu:die-resistance", "die_k"), 0.046 * die_w, 0.02);
    assert_near(number_at(json, "die_max_c") - number_at(plain, "die_max_c"), 0.05 * die_w, 0.02);
    wsk_text_free(json);
    wsk_text_free(plain);
}

static double fins(double ua)
{
    double q = card_flow(), w = 1.184 * 1006 * q;
    return 215 * (1 - 0.11) / (w * (1 - exp(-ua * pow(q / 0.021, 0.63) / w)));
}

static void test_conductance_of_a_cooler(void **state)
{
    (void)state;
    char *json =
        spread_of(RIG(CARD("1", "die-resistance='0.043 K/W'",
                           "<source for='cooler.conductance' kind='measured' ref='a bench' spread='+-2 W/K'/>")));
    double moved = effect(json, "cooler0:conductance", "die_k");
    assert_near(moved, 0.5 * (fins(13.3) - fins(9.3)), 0.03);
    assert_true(moved < 0);
    wsk_text_free(json);
}

/* A default value has one error that all cards with this default share, so it changes the hottest of four cards as
 * much as one card. */
static void test_identical_cards_move_together(void **state)
{
    (void)state;
    char *one = spread_of(RIG(CARD("1", "", ""))),
         *four = spread_of(RIG(CARD("1", "", "") CARD("3", "", "") CARD("5", "", "") CARD("7", "", "")));
    /* Half of the range 0.03-0.09 K/W that is stated for cards without a die area. */
    assert_near(effect(one, "gpu:die-resistance", "die_k"), 0.03 * die_w, 0.02);
    assert_near(effect(four, "gpu:die-resistance", "die_k"), 0.03 * die_w, 0.05);
    wsk_text_free(one);
    wsk_text_free(four);
}

#define BENCH(inside) \
    "<rig><site><room temperature='25 degC'/></site><chassis kind='frame'>" inside "</chassis></rig>"
#define EIGHTY "<psu kind='constant' rated='900 W' efficiency='80 %'>"

static void test_two_of_a_part_do_twice_as_much(void **state)
{
    (void)state;
    char *one =
        spread_of(BENCH(EIGHTY "</psu><load name='x' dc='100 W'/><fan part='fan/generic-120-1500' at='front'/>"));
    char *two =
        spread_of(BENCH(EIGHTY "</psu><load name='x' dc='100 W'/><fan part='fan/generic-120-1500' at='front'/>"
                               "<fan part='fan/generic-120-1500' at='rear'/>"));
    const char *key = "fan/generic-120-1500:power";
    double a = effect(one, key, "site_rel") * number_at(one, "site_w"),
           b = effect(two, key, "site_rel") * number_at(two, "site_w");
    assert_true(a > 0);
    assert_rel(b, 2 * a, 1e-5);
    const char *price = "fan/generic-120-1500:price";
    if (effect(one, price, "purchase") > 0)
        assert_rel(effect(two, price, "purchase"), 2 * effect(one, price, "purchase"), 1e-5);
    wsk_text_free(one);
    wsk_text_free(two);
}

static void test_eight_modules_err_alike_in_price(void **state)
{
    (void)state;
    char *one = spread_of(BENCH(EIGHTY "</psu><load name='x' dc='100 W'/><memory part='memory/ddr4-rdimm-32'/>")),
         *eight = spread_of(BENCH(EIGHTY "</psu><load name='x' dc='100 W'/>"
                                         "<memory part='memory/ddr4-rdimm-32' count='8'/>"));
    const char *price = "memory/ddr4-rdimm-32:price";
    assert_true(effect(one, price, "purchase") > 0);
    assert_rel(effect(eight, price, "purchase"), 8 * effect(one, price, "purchase"), 1e-5);
    wsk_text_free(one);
    wsk_text_free(eight);
}

static void test_price_takes_a_quarter_of_its_range(void **state)
{
    (void)state;
    static const char *const spreads[] = {"75-125 USD", "+-25 USD", "+-25 %"};
    for (size_t i = 0; i < sizeof spreads / sizeof *spreads; i++) {
        char xml[800];
        snprintf(xml, sizeof xml,
                 BENCH("<psu kind='constant' rated='900 W' efficiency='80 %%' price='100 USD'><source for='price' "
                       "kind='article' ref='a list' spread='%s'/></psu><load name='x' dc='400 W'/>"),
                 spreads[i]);
        char *json = spread_of(xml);
        assert_near(effect(json, "psu0:price", "purchase"), 0.25 * (125 - 75), 1e-6);
        wsk_text_free(json);
    }
}

static void test_efficiency(void **state)
{
    (void)state;
    char *json = spread_of(BENCH(EIGHTY "<source for='efficiency' kind='measured' ref='a meter' spread='+-2 "
                                        "points'/></psu><load name='x' dc='400 W'/>"));
    double expected = 0.5 * (400 / 0.82 - 400 / 0.78) / (400 / 0.8);
    assert_rel(number_at(json, "site_w"), 500, 1e-6);
    assert_rel(effect(json, "psu0:efficiency", "site_rel"), expected, 1e-5);
    assert_rel(number_at(strstr(json, "\"total\""), "site_rel"), -expected, 1e-5);
    wsk_text_free(json);
    /* a class PSU with an 80 PLUS rating: all its efficiencies change together, by the spread among rated PSUs */
    json = spread_of(BENCH("<psu part='psu/tier-gold-1600'/><load name='x' dc='800 W'/>"));
    double points = effect(json, "psu/tier-gold-1600:efficiency", "site_rel");
    assert_near(points, -0.0052 / 0.9119, 2e-4);
    wsk_text_free(json);
    /* at a tenth of the rated load the spread is larger: 1.92 percentage points of 85.84 % */
    json = spread_of(BENCH("<psu part='psu/tier-gold-1600'/><load name='x' dc='160 W'/>"));
    assert_near(effect(json, "psu/tier-gold-1600:efficiency", "site_rel"), -0.0192 / 0.8584, 1.5e-3);
    wsk_text_free(json);
    /* a spread that holds for the whole PSU moves each of its points, also the lowest */
    json = spread_of(BENCH("<psu rated='1000 W' efficiency-10='80 %' efficiency-20='85 %' efficiency-50='88 %' "
                           "efficiency-100='85 %' spread='2 %'/><load name='x' dc='100 W'/>"));
    assert_rel(effect(json, "psu0:efficiency", "site_rel"), 0.5 * (100 / 0.82 - 100 / 0.78) / (100 / 0.8), 1e-3);
    wsk_text_free(json);
}

/* At 2 % load, a class PSU has an assumed loss without load, with a spread of 53-92 % of the loss at 10 % load. An
 * efficiency stated for 2 % load has its own spread instead; a measured power without load has no spread. */
static void test_light_load(void **state)
{
    (void)state;
#define LIGHT(more) \
    BENCH( \
        "<psu rated='1000 W' efficiency-10='85 %' efficiency-20='89 %' efficiency-50='91 %' efficiency-100='88 %' " \
        "efficiency-10-230='85 %' efficiency-20-230='89 %' efficiency-50-230='91 %' efficiency-100-230='88 %' " more \
        "</psu><load name='x' dc='20 W'/>")
    double at_10 = 100 / 0.85 - 100, base = 20 + at_10 * (0.67 + 0.2 * 0.33);
    char *json = spread_of(LIGHT(">"));
    assert_rel(number_at(json, "site_w"), base, 1e-6);
    assert_rel(effect(json, "psu:no-load-share", "site_rel"), 0.195 * 0.8 * at_10 / base, 1e-5);
    wsk_text_free(json);
    json = spread_of(LIGHT("efficiency-2='60 %'><source for='efficiency-2' kind='measured' ref='a meter' "
                           "spread='+-4 points'/>"));
    assert_rel(effect(json, "psu0:efficiency-2", "site_rel"), 0.5 * (20 / 0.64 - 20 / 0.56) / (20 / 0.6), 1e-5);
    assert_null(source_at(json, "psu:no-load-share"));
    wsk_text_free(json);
    json = spread_of(LIGHT("no-load-power='7 W'>"));
    assert_rel(number_at(json, "site_w"), 20 + 7 + 0.2 * (at_10 - 7), 1e-6);
    assert_null(source_at(json, "psu:no-load-share"));
    wsk_text_free(json);
}

static void test_nothing_assumed_moves_nothing(void **state)
{
    (void)state;
    char *json = spread_of(BENCH(EIGHTY "</psu><load name='x' dc='400 W'/>"));
    const char *total = strstr(json, "\"total\"");
    static const char *const names[] = {"site_rel", "work_rel", "die_k", "noise_db", "purchase"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_same(number_at(total, names[i]), 0);
    assert_null(source_at(json, "psu0:efficiency"));
    wsk_text_free(json);
}

/* Effects that lower a result and effects that raise it are summed separately, each as a root of squares; the ± is the
 * mean of both sums. */
static void test_total_is_the_root_of_the_squares(void **state)
{
    (void)state;
    static const char *const names[] = {"site_rel", "work_rel", "die_k", "noise_db"};
    wsk_rig *rig = wsk_test_rig_file("scenarios/single-3090/rig.xml");
    char *json = NULL, *steady = NULL, *page = NULL;
    assert_int_equal(wsk_rig_spread(rig, WSK_STEPPER_FAST, &json), WSK_OK);
    assert_int_equal(wsk_steady_page(rig, WSK_STEPPER_FAST, 0, NULL, &steady, &page), WSK_OK);
    assert_near(number_at(json, "die_max_c"), number_at(steady, "die_mean_c"), 0.01);
    wsk_text_free(steady);
    wsk_text_free(page);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        double below = 0, above = 0, money = 0;
        int n = 0;
        const char *total = strstr(json, "\"total\"");
        for (const char *s = strstr(json, "\"key\""); s; s = strstr(s + 1, "\"key\""), n++) {
            const double lowered = number_at(strstr(s, "\"lowered\""), names[i]),
                         raised = number_at(strstr(s, "\"raised\""), names[i]),
                         least = fmin(fmin(lowered, raised), 0), most = fmax(fmax(lowered, raised), 0);
            below += least * least;
            above += most * most;
            money += number_at(s, "purchase") * number_at(s, "purchase");
            assert_near(number_at(s, names[i]), (raised - lowered) / 2, 1e-6 * (most - least) + 1e-12);
        }
        assert_true(n > 5);
        assert_rel(number_at(strstr(total, "\"below\""), names[i]), sqrt(below), 1e-5);
        assert_rel(number_at(strstr(total, "\"above\""), names[i]), sqrt(above), 1e-5);
        assert_rel(number_at(total, names[i]), (sqrt(below) + sqrt(above)) / 2, 1e-5);
        assert_rel(number_at(total, "purchase"), sqrt(money), 1e-5);
    }
    wsk_text_free(json);
    wsk_rig_free(rig);
}

static void test_names_and_widths_are_messages(void **state)
{
    (void)state;
    wsk_rig *rig = wsk_test_rig_file("scenarios/bronze-vs-gold/bronze-tier.xml");
    char *json = NULL;
    assert_int_equal(wsk_rig_spread(rig, WSK_STEPPER_FAST, &json), WSK_OK);
    int n = 0;
    for (const char *at = strstr(json, "\"key\""); at; at = strstr(at + 1, "\"key\""), n++) {
        const char *name = strstr(at, "\"parts\": [{ \"code\": \"uncertain."),
                   *width = strstr(at, "{ \"code\": \"check.spread"), *end = strstr(at, "] }] }");
        assert_true(name && width && end && name < width && width < end);
    }
    assert_true(n > 0);
    const char *psu = strstr(json, "psu/tier-bronze-1600:efficiency");
    assert_non_null(psu);
    assert_non_null(strstr(psu, "\"code\": \"check.spread-by-load\""));
    assert_non_null(strstr(psu, " points at 10, 20, 50, 100 %\", \"values\": ["));
    wsk_text_free(json);
    wsk_rig_free(rig);
}

static void test_order_changes_nothing(void **state)
{
    (void)state;
    char *a =
        spread_of(BENCH("<psu part='psu/tier-gold-1600'/><load name='x' dc='100 W'/><fan part='fan/generic-120-1500' "
                        "at='front'/><fan part='fan/generic-140-1500' at='rear'/>"));
    char *b = spread_of(BENCH("<fan part='fan/generic-140-1500' at='rear'/><load name='x' dc='100 W'/><fan "
                              "part='fan/generic-120-1500' at='front'/><psu part='psu/tier-gold-1600'/>"));
    assert_string_equal(a, b);
    wsk_text_free(b);
    b = spread_of(BENCH("<psu part='psu/tier-gold-1600'/><load name='x' dc='100 W'/><fan part='fan/generic-120-1500' "
                        "at='front'/><fan part='fan/generic-140-1500' at='rear'/>"));
    assert_string_equal(a, b);
    wsk_text_free(a);
    wsk_text_free(b);
}

/* The warmer the room, the larger the probability that heat lowers a card's clock, from almost 0 to almost 1. The
 * margin must keep falling where the card already throttles, although the die then hardly gets hotter. */
static void test_chance_of_throttling(void **state)
{
    (void)state;
    static const int room_c[] = {0, 15, 25, 30, 35, 45, 60};
    double before = -1, margin_before = INFINITY;
    for (size_t i = 0; i < sizeof room_c / sizeof *room_c; i++) {
        char xml[512];
        snprintf(xml, sizeof xml,
                 "<rig><site><room temperature='%d degC'/></site><chassis kind='frame'>"
                 "<gpu part='gpu/rtx-3090-blower' slot='1' fan='3000 rpm'/></chassis>"
                 "<workload kind='constant' class='training'/></rig>",
                 room_c[i]);
        char *json = spread_of(xml);
        double chance = number_at(json, "throttle_probability"), margin = number_at(json, "margin_k");
        print_message("room of %d degC: margin %.1f K, chance %.3f\n", room_c[i], margin, chance);
        assert_true(chance >= before && chance >= 0 && chance <= 1 && margin < margin_before - 1);
        assert_true((chance > 0.5) == (margin < 0));
        assert_true(i > 0 || chance < 0.01);
        before = chance;
        margin_before = margin;
        wsk_text_free(json);
    }
    assert_true(before > 0.99);
}

#define DOUBTED(width) \
    BENCH( \
        "<gpu part='gpu/rtx-3090-blower' slot='1' fan='3000 rpm' hotspot-limit='140 degC' memory-limit='140 degC' " \
        "target-temperature='96 degC'><source for='target-temperature' kind='measured' ref='x' spread='+-" width \
        "'/></gpu></chassis><workload kind='constant' class='training'/><chassis kind='frame'>")
/* The target temperature has a spread of 5 K, and the card is below that temperature. The margin then has a spread
 * of 5 K too, and the probability is nearer to 0.5. */
static void test_doubt_of_a_limit(void **state)
{
    (void)state;
    double width[2], chance[2];
    for (int sure = 0; sure < 2; sure++) {
        char *json = spread_of(sure ? DOUBTED("0.001 K") : DOUBTED("5 K"));
        width[sure] = number_at(strstr(json, "\"total\""), "margin_k");
        chance[sure] = number_at(json, "throttle_probability");
        wsk_text_free(json);
    }
    assert_near(sqrt(width[0] * width[0] - width[1] * width[1]), 5, 0.05);
    assert_true(chance[0] > chance[1] + 0.01 && chance[0] < 0.5);
}

#define LIMITED(limit) \
    BENCH("<gpu part='gpu/rtx-4090' slot='1' fan='3000 rpm' target-temperature='96 degC' memory-limit='140 degC' " \
          "power-limit='" limit " W'/></chassis><workload kind='constant' class='decode'/><chassis kind='frame'>")
/* At a power limit a card draws this limit within 3 % (docs/theory/gpu.md, "What was fitted"). This uncertainty
 * vanishes if the limit is above the power that the load needs. */
static void test_draw_under_a_limit(void **state)
{
    (void)state;
    char *held = spread_of(LIMITED("250")), *free_one = spread_of(LIMITED("450"));
    const double base = number_at(held, "wall_w");
    assert_near(base, 250, 1e-6);
    assert_near(effect(held, "gpu:limit-draw", "site_rel") * base, 0.03 * 250, 1e-4 * 250);
    assert_true(isnan(effect(free_one, "gpu:limit-draw", "site_rel")) ||
                fabs(effect(free_one, "gpu:limit-draw", "site_rel")) < 0.005);
    wsk_text_free(held);
    wsk_text_free(free_one);
}

/* A card without fits has assumed values for a class of work. The errors of its power and of its fixed power p0 both
 * change the work under a power limit. */
static void test_class_of_an_unknown_card(void **state)
{
    (void)state;
    char *json = spread_of("<rig><site><room temperature='24.3 degC'/></site><chassis wall-gap='1 m'>" HUGE_CASE
                           "<gpu part='gpu/generic' tdp='300 W' slot='1' power-limit='200 W'/></chassis>"
                           "<workload kind='constant' class='training'/></rig>");
    double draw = effect(json, "gpu/generic:class[training].draw", "work_rel"),
           fixed = effect(json, "gpu/generic:class[training].idle share p0", "work_rel");
    assert_true(draw < -0.001); /* more watts per clock give a lower clock at the same power limit */
    assert_true(fixed < -0.001);
    /* at 2/3 of the default limit the half width is 0.16 (1.5 - 1), which is 1.28 standard deviations */
    assert_near(-fixed, 0.16 * 0.5 / 1.28 * 0.92, 0.01);
    wsk_text_free(json);
}

/* The die is at about 75 degC. A target temperature of 93 degC has no effect on it. A target of 79 degC with a spread
 * of 6 K has an effect, because a target of 73 degC would limit the die. */
static void test_thresholds(void **state)
{
    (void)state;
    for (int near = 0; near < 2; near++) {
        char xml[700];
        snprintf(xml, sizeof xml,
                 "<rig><site><room temperature='24 degC'/></site><chassis kind='frame'>"
                 "<gpu part='gpu/rtx-3090-blower' slot='1' fan='2000 rpm' power-limit='200 W' target-temperature='%d "
                 "degC'>"
                 "<source for='target-temperature' kind='assumed' ref='a guess' spread='+-6 K'/></gpu></chassis>"
                 "<workload kind='constant' class='training'/></rig>",
                 near ? 79 : 93);
        char *json = spread_of(xml);
        double die = number_at(json, "die_max_c"), effect_k = effect(json, "gpu0:target-temperature", "die_k");
        assert_near(die, 75.2, 0.5);
        /* only the lower end of the spread has an effect, so the mean effect is half of it */
        assert_near(effect_k, near ? (die - 73) / 2 : 0, near ? 0.6 : 0.001);
        assert_true(effect(json, "gpu0:target-temperature", "margin_k") > 1);
        wsk_text_free(json);
    }
}

/* Returns the uncertainty of a card's work and power after an hour. The more a power limit, a locked clock or heat
 * slows the card, the more uncertain is its work. A power limit makes its power less uncertain. */
static wsk_card_open held(const char *card, const char *air)
{
    char xml[1200];
    snprintf(xml, sizeof xml,
             "<rig><site><room temperature='%s'/></site><chassis kind='frame'>"
             "<gpu slot='1' tdp='300 W' power-limit-min='90 W' clock-max='1800 MHz' clock-knee='1350 MHz' "
             "voltage-slope='0.47 1/GHz' %s>"
             "<cooler kind='blower' conductance='12 W/K' flow='60 m3/h' drop='120 Pa' fan-pressure='400 Pa' "
             "fan-flow='80 m3/h' fan-rpm='3000 rpm'"
             " rpm-min='2900 rpm' capacity='200 J/K'/></gpu></chassis><workload kind='constant' "
             "class='training'/><run for='1 h'/></rig>",
             air, card);
    wsk_rig *rig = wsk_test_rig(xml, NULL);
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 3600);
    wsk_test_advance(run, 3600);
    wsk_card_open open = wsk_card_spread(run, 0);
    wsk_run_free(run);
    wsk_rig_free(rig);
    return open;
}

static void test_a_guess_is_as_wide_as_it_is_held(void **state)
{
    (void)state;
    const wsk_card_open free = held("", "20 degC"), some = held("power-limit='240 W'", "20 degC"),
                        low = held("power-limit='150 W'", "20 degC"),
                        locked = held("lock-clock='1000 MHz'", "20 degC"), hot = held("", "57 degC");
    assert_true(free.work_rel >= 0.02 && free.work_rel < 0.05 && free.power_rel > 0.25 && free.power_rel < 0.5);
    assert_true(some.work_rel > 1.5 * free.work_rel && some.work_rel < 0.15 && some.power_rel < 0.6 * free.power_rel);
    assert_true(low.work_rel > 2 * some.work_rel && low.power_rel < 0.05);
    assert_true(locked.work_rel > 2 * free.work_rel && locked.power_rel > 0.25);
    assert_true(hot.work_rel > 1.5 * free.work_rel && hot.power_rel < free.power_rel);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_resistance_of_a_die),
        cmocka_unit_test(test_resistance_by_the_area_of_a_die),
        cmocka_unit_test(test_conductance_of_a_cooler),
        cmocka_unit_test(test_identical_cards_move_together),
        cmocka_unit_test(test_two_of_a_part_do_twice_as_much),
        cmocka_unit_test(test_eight_modules_err_alike_in_price),
        cmocka_unit_test(test_price_takes_a_quarter_of_its_range),
        cmocka_unit_test(test_names_and_widths_are_messages),
        cmocka_unit_test(test_efficiency),
        cmocka_unit_test(test_light_load),
        cmocka_unit_test(test_nothing_assumed_moves_nothing),
        cmocka_unit_test(test_total_is_the_root_of_the_squares),
        cmocka_unit_test(test_order_changes_nothing),
        cmocka_unit_test(test_draw_under_a_limit),
        cmocka_unit_test(test_class_of_an_unknown_card),
        cmocka_unit_test(test_chance_of_throttling),
        cmocka_unit_test(test_doubt_of_a_limit),
        cmocka_unit_test(test_thresholds),
        cmocka_unit_test(test_a_guess_is_as_wide_as_it_is_held),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
