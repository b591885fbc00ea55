/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Spreads that are read from the words of the sources of parts, and from the reasons for assumed values. Theory:
 * docs/theory/uncertainty.md */
#include <math.h>
#include <string.h>

#include "sim/io/load.h"
#include "sim/net/spread.h"
#include "tests/unit/assert.h"

static const char rig[] =
    "<rig><chassis part='chassis/mid-tower'><gpu slot='1' tdp='350 W' clock-max='2 GHz' clock-knee='1.3 GHz' "
    "voltage-slope='0.5 1/GHz' die-area='500 mm2'><cooler kind='blower' conductance='6 W/K' flow='36 m3/h' "
    "capacity='400 J/K' fan-pressure='500 Pa' fan-flow='72 m3/h' fan-rpm='5000 rpm'/><class name='training' p0='110 "
    "W' "
    "c='100 W/GHz' clock-share='80 %'/></gpu><psu part='psu/tier-gold-1600'/></chassis></rig>";

static const wsk_elem *find(const wsk_elem *e, const char *name)
{
    if (strcmp(e->kind->element, name) == 0)
        return e;
    const wsk_elem *found = NULL;
    for (const wsk_elem *c = e->child; c && !found; c = c->next)
        found = find(c, name);
    return found;
}

typedef struct {
    const char *element, *attr;
    double value;
    const char *text;
    double half; /* 0: no spread can be read */
    bool relative;
} row;

static void check(const row *rows, size_t count, bool assumed)
{
    wsk_plan *plan = NULL;
    const wsk_plan_input in = {.path = "-", .text = rig, .text_len = sizeof rig - 1, .parts_dir = "parts"};
    assert_int_equal(wsk_plan_load(&plan, &in), WSK_OK);
    for (size_t i = 0; i < count; i++) {
        const row *r = &rows[i];
        const wsk_elem *e = find(plan->rig, r->element);
        const wsk_param *p = wsk_kind_param(e->kind, r->attr);
        wsk_origin o = {.from = WSK_FROM_PART, .source = "assumed", .assumed = assumed};
        if (assumed)
            o.ref = r->text;
        else
            o.spread = r->text;
        const wsk_spread s = wsk_spread_of(e, p, &o, r->value);
        const wsk_spread_from from = assumed ? (r->half > 0 ? WSK_SPREAD_REASON : WSK_SPREAD_RULE)
                                             : (r->half > 0 ? WSK_SPREAD_STATED : WSK_SPREAD_UNREAD);
        if (s.from != from || (r->half > 0 && (s.relative != r->relative || fabs(s.half / r->half - 1) > 1e-9)))
            fail_msg("%s.%s, \"%s\": %.9g, %s, from %d", r->element, r->attr, r->text, s.half,
                     s.relative ? "relative" : "absolute", s.from);
    }
    wsk_plan_free(plan);
}

#define TDP(text, half, relative) \
    { \
        "gpu", "tdp", 350, text, half, relative \
    }

static void amounts_are_read(void **state)
{
    (void)state;
    static const row rows[] = {
        TDP("+-20 W", 20, false),
        TDP("+-1,000 W", 1000, false),
        TDP("+-1,234,567 W", 1234567, false),
        TDP("+-1,00 W", 0, false), /* the comma separates no thousands, so it ends the amount before its unit */
        TDP("+-5 %", 17.5, true),
        TDP("+-5 %, of one card", 17.5, true),
        TDP("+-5 %x", 0, false),
        TDP("-8, +4 W", 6, false),
        TDP("-30 % +10 %", 70, true),
        TDP("-30 %", 52.5, true),
        TDP("-8 W, +x W", 4, false),
        TDP("-8 W +-x W", 4, false),
        TDP("- W", 0, false),
        TDP("+- W", 0, false),
        TDP("340-360 W", 10, false),
        TDP("360-340 W", 0, false),
        TDP("340-360", 0, false),
        TDP("5-10 %", 0, false),
        TDP("5 W", 5, false),
        TDP("+-3 points", 0, false),
        TDP("+-0 W", 0, false),
        TDP("+-5 aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 0, false),
        TDP("by eye", 0, false),
    };
    check(rows, sizeof rows / sizeof *rows, false);
}

static void other_units_are_proportional(void **state)
{
    (void)state;
    static const row rows[] = {
        TDP("2-3 kg of copper", 70, true),
        TDP("0-3 kg of copper", 0, false),
        TDP("+-5 kg", 0, false),
        TDP("0.9-1.1 of tdp", 35, false),
        {"gpu", "clock-max", 2e9, "0.95-1.05 of the highest clock", 1e8, false},
        {"gpu", "die-resistance", 0.05, "20-30 mm2K/W", 0.01, false},
        {"gpu", "die-resistance", 0.05, "0.03-0.07 K/W", 0.02, false},
        {"psu", "rated", 1600, "0.9-1.1 of tdp", 160, true}, /* a PSU has no tdp */
        {"gpu", "board-share", 0.1, "5-15 %", 0.05, false},
        {"gpu", "board-share", 0.1, "+-3 points", 0.03, false},
        {"gpu", "board-share", 0.1, "+-20 %", 0.02, true},
        {"gpu", "memory-limit", 378, "+-3 K", 3, false},
        {"gpu", "memory-limit", 378, "100-110 degC", 5, false},
        {"gpu", "memory-limit", 378, "+-5 %", 0, false},
        {"gpu", "memory-limit", 378, "2-3 kg", 0, false},
        {"class", "p0", 110, "+-5 % in power", 5.5, true},
        {"class", "c", 1e-7, "+-5 % in power", 5e-9, true},
        {"class", "clock-share", 0.8, "+-5 % in power", 0, false},
        {"class", "p0", 110, "+-5 % in work", 0, false},
        {"gpu", "tdp", 350, "+-5 % in power", 0, false},
    };
    check(rows, sizeof rows / sizeof *rows, false);
}

static void clauses_name_their_parameters(void **state)
{
    (void)state;
    static const char two[] = "conductance +-15 %, fan +-20 %", general[] = "+-10 %; flow +-30 %";
    static const row rows[] = {
        {"cooler", "conductance", 6, two, 0.9, true},
        {"cooler", "fan-pressure", 500, two, 100, true},
        {"cooler", "rpm-min", 1000, two, 200, true},
        {"cooler", "capacity", 400, two, 0, false},
        {"cooler", "capacity", 400, general, 40, true},
        {"cooler", "flow", 0.01, general, 0.003, true},
        {"cooler", "fan-flow", 0.02, general, 0.006, true},
        {"cooler", "capacity", 400, "single values +-10 %", 40, true},
        {"cooler", "capacity", 400, "ca +-10 %", 0, false}, /* an abbreviation needs at least three letters */
        {"cooler", "capacity", 400, "cap +-10 %", 40, true},
        {"cooler", "capacity", 400, "capx +-10 %", 0, false},
        {"cooler", "capacity", 400, "fans +-10 %", 0, false},
        {"cooler", "capacity", 400, "flow +-30 %; +-10 %", 40, true},
        {"cooler", "capacity", 400, "flow +-30 %; 40 J/K", 0, false},
        {"cooler", "capacity", 400, "heat capacity +-10 %", 40, true},
        {"cooler", "capacity", 400, "capacity 40 J/K", 0, false},
    };
    check(rows, sizeof rows / sizeof *rows, false);
}

static void reasons_of_assumed_values_are_read(void **state)
{
    (void)state;
    static const row rows[] = {
        TDP("cards of this class take 300-400 W", 50, false),
        TDP("others take 100-200 W, these 300-400 W", 50, false),
        TDP("others take 100-200 W", 0, false),
        TDP("a guess of +-30 W", 30, false),
        TDP("a guess of +-5 %", 0, false),
        TDP("a guess of +- W", 0, false),
        TDP("their makers say so; spread +-10 %", 35, true),
        TDP("400-300 W", 0, false),
        TDP("350-350 W", 0, false),
        TDP("300-400 K", 0, false),
        TDP("300-400", 0, false),
        TDP("in 2020 some", 0, false),
        TDP("0.8-1.2 of tdp", 70, false),
        {"cooler", "exponent", 0.6, "fits give 0.5-0.8", 0.15, false},
        {"cooler", "exponent", 0.6, "0.5-0.8, by fits", 0.15, false},
        {"cooler", "exponent", 0.6, "0.5-0.8 in fits", 0.15, false},
        {"cooler", "exponent", 0.6, "0.5-0.8 over fits", 0.15, false},
        {"cooler", "exponent", 0.6, "0.5-0.8 W", 0, false},
        {"cooler", "conductance", 6, "5-8 (fits)", 0, false},
        {"cooler", "conductance", 6, "(5-8)", 0, false},
        {"cooler", "conductance", 6, "fits: 5-8;", 1.5, false},
        {"gpu", "board-share", 0.1, "0.05-0.15: by eye", 0.05, false},
        {"gpu", "die-resistance", 0.05, "dies have 20-30 mm2K/W", 0.01, false},
    };
    check(rows, sizeof rows / sizeof *rows, true);
}

/* Without a range in the reason a length is within 10 %, a temperature within 5 K, and all else within 25 %. */
static void rules_for_the_rest(void **state)
{
    (void)state;
    static const struct {
        const char *element, *attr;
        double value, half;
        bool relative;
    } rows[] = {{"gpu", "tdp", 350, 87.5, true},
                {"gpu", "length", 0.3, 0.03, true},
                {"gpu", "memory-limit", 378, 5, false},
                {"gpu", "tdp", NAN, 0, false}};
    wsk_plan *plan = NULL;
    const wsk_plan_input in = {.path = "-", .text = rig, .text_len = sizeof rig - 1, .parts_dir = "parts"};
    assert_int_equal(wsk_plan_load(&plan, &in), WSK_OK);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const wsk_elem *e = find(plan->rig, rows[i].element);
        const wsk_param *p = wsk_kind_param(e->kind, rows[i].attr);
        const wsk_origin o = {.from = WSK_FROM_PART, .assumed = true, .ref = "by eye"},
                         known = {.from = WSK_FROM_PART, .ref = "by eye"};
        const wsk_spread s = wsk_spread_of(e, p, &o, rows[i].value), none = wsk_spread_of(e, p, &known, 1);
        assert_near(s.half, rows[i].half, 1e-12);
        assert_int_equal(s.relative, rows[i].relative);
        assert_int_equal(none.from, WSK_SPREAD_NONE);
        assert_same(none.half, 0);
    }
    /* the spread of a converted price is converted, too */
    const wsk_elem *psu = find(plan->rig, "psu");
    wsk_origin price = {.from = WSK_FROM_PART, .spread = "+-10 EUR", .own_currency = "EUR", .own = 100};
    assert_near(wsk_spread_of(psu, wsk_kind_param(psu->kind, "price"), &price, 108).half, 10.8, 1e-9);
    price.spread = "+-10 %";
    assert_near(wsk_spread_of(psu, wsk_kind_param(psu->kind, "price"), &price, 108).half, 10.8, 1e-9);
    wsk_plan_free(plan);
}

static void spreads_of_parts_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *name, *spread;
        wsk_dim dim;
        double value, half;
    } rows[] = {
        {"conductance", "+-40 %", WSK_DIM_CONDUCTANCE, 10, 4},
        {"target-temperature", "+-5 K", WSK_DIM_TEMPERATURE, 356.15, 5},
        {"target-temperature", "80-86 degC", WSK_DIM_TEMPERATURE, 356.15, 3},
        {"efficiency-50", "+-1 point", WSK_DIM_FRACTION, 0.9, 0.01},
        {"leak", "conductance +-25 %, fan +-20 %, recess 0-6 mm, leak 5-20 %", WSK_DIM_FRACTION, 0.1, 0.075},
        {"recess", "conductance +-25 %, fan +-20 %, recess 0-6 mm, leak 5-20 %", WSK_DIM_LENGTH, 0.003, 0.003},
        {"fan-flow", "conductance +-25 %, fan +-20 %, recess 0-6 mm, leak 5-20 %", WSK_DIM_FLOW, 0.02, 0.004},
        {"leakage", "+-35 %; +-8 K", WSK_DIM_POWER, 11, 3.85},
        {"leakage-temperature", "+-35 %; +-8 K", WSK_DIM_TEMPERATURE, 338.15, 8},
        {"idle", "-8, +4 W", WSK_DIM_POWER, 28, 6},
        {"flow", "-30 % +10 %: the air of two such fans", WSK_DIM_FLOW, 0.02, 0.004},
        {"conductance", "8-25 K at full power", WSK_DIM_CONDUCTANCE, 6, 6 * 8.5 / 16.5},
        {"clock-knee", "knee +-80 MHz, slope +-30 %", WSK_DIM_FREQUENCY, 1.4e9, 80e6},
        {"voltage-slope", "knee +-80 MHz, slope +-30 %", WSK_DIM_PER_FREQ, 0.7e-9, 0.21e-9},
        {"price", "59.99-327.49 USD", WSK_DIM_PRICE, 120, 133.75},
        {"clock-knee", "perf_rel 0.7 % mean, 2.4 % worst; clock 2.2 % mean, 4.9 % worst", WSK_DIM_FREQUENCY, 1.4e9,
         0},
        {"conductance", "rms 2.1 K there, 3.9 K over the second half", WSK_DIM_CONDUCTANCE, 6, 0},
        {"conductance", "rms 0.8 K on that run; single values +-25 %", WSK_DIM_CONDUCTANCE, 6, 1.5},
        {"conductance", "none known", WSK_DIM_CONDUCTANCE, 6, 0},
        {"conductance", "", WSK_DIM_CONDUCTANCE, 6, 0},
        {"conductance", "+-", WSK_DIM_CONDUCTANCE, 6, 0},
        {"conductance", "+- %, -, 1-, 1e999 W/K, 9-", WSK_DIM_CONDUCTANCE, 6, 0},
    };
    const wsk_param knee = {.name = "clock-knee", .type = WSK_TYPE_NUMBER, .dim = WSK_DIM_FREQUENCY};
    const wsk_origin middle = {.from = WSK_FROM_PART,
                               .assumed = true,
                               .source = "assumed",
                               .ref = "knee 1,060-1,500 MHz, boost 1,400-2,100 MHz"};
    const wsk_kind kind = {.element = "cooler", .name = "x"};
    const wsk_elem elem = {.kind = &kind};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const wsk_param p = {.name = rows[i].name, .type = WSK_TYPE_NUMBER, .dim = rows[i].dim};
        const wsk_origin o = {.from = WSK_FROM_PART, .source = "measured", .spread = rows[i].spread};
        wsk_spread s = wsk_spread_of(&elem, &p, &o, rows[i].value);
        if (fabs(s.half - rows[i].half) > 1e-9 * fabs(rows[i].value))
            print_error("%s: \"%s\"\n", rows[i].name, rows[i].spread);
        assert_near(s.half, rows[i].half, 1e-9 * fabs(rows[i].value));
        assert_int_equal(s.from, rows[i].half > 0 ? WSK_SPREAD_STATED : WSK_SPREAD_UNREAD);
    }
    assert_int_equal(wsk_spread_of(&elem, &knee, &(wsk_origin){.source = "measured"}, 1e9).from, WSK_SPREAD_NONE);
    assert_near(wsk_spread_of(&elem, &knee, &middle, 1.3e9).half, 220e6, 1);
    assert_near(wsk_spread_of(&elem, &knee, &middle, 1.9e9).half, 350e6, 1);
    /* `half` of an assumed value is half the width of the range in its reason if the value is within that range,
     * else a quarter of the value. */
    const wsk_param p = {
        .name = "leak", .type = WSK_TYPE_NUMBER, .dim = WSK_DIM_FRACTION, .assumed = "5-20 %; found in the case air"};
    const wsk_origin o = {.from = WSK_FROM_DEFAULT, .assumed = true, .source = "assumed"};
    assert_near(wsk_spread_of(&elem, &p, &o, 0.1).half, 0.075, 1e-12);
    assert_near(wsk_spread_of(&elem, &p, &o, 0.4).half, 0.1, 1e-12);
    assert_int_equal(wsk_spread_of(&elem, &p, &o, 0.4).from, WSK_SPREAD_RULE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(amounts_are_read),
        cmocka_unit_test(other_units_are_proportional),
        cmocka_unit_test(clauses_name_their_parameters),
        cmocka_unit_test(reasons_of_assumed_values_are_read),
        cmocka_unit_test(rules_for_the_rest),
        cmocka_unit_test(spreads_of_parts_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
