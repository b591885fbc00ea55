/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _XOPEN_SOURCE 700
#include <sys/stat.h>

#include "tests/unit/cli_compare_cases.h"

static char heated[] = "{ \"energy\": { \"dc_kwh\": 100, \"psu_loss_kwh\": 10 }, \"gpus\": [ { \"die_max_c\": 90 } "
                       "], \"work\": { \"lost_fraction\": 0.34 } }";

static void test_more_power_less_work(void **state)
{
    (void)state;
    wsk_cli_case cases[] = {make("175W", 175, 100, 20, 1000), make("200W", 200, 104, 22, 1000),
                            make("250W", 250, 80, 26, 1000)};
    cases[2].summary = summary_of(heated);
    char *text = words(cases, 3);
    assert_says(text, "250W does 23.1 % less work than 200W at a higher power limit (250 W, not 200 W).");
    assert_says(text, "limited by heat");
    assert_null(strstr(text, "  200W does"));
    assert_says(text, "Winner: 200W");
    free(text);
}

static void test_order_does_not_matter(void **state)
{
    (void)state;
    wsk_cli_case cases[] = {make("250W", 250, 80, 26, 1000), make("175W", 175, 100, 20, 1000)};
    cases[0].summary = summary_of(heated);
    char *text = words(cases, 2);
    assert_says(text, "250W does 20.0 % less work than 175W at a higher power limit");
    free(text);
}

static void test_more_work_is_no_inversion(void **state)
{
    (void)state;
    wsk_cli_case cases[] = {make("175W", 175, 100, 20, 1000), make("250W", 250, 120, 26, 1000)};
    char *text = words(cases, 2);
    assert_null(strstr(text, "higher power limit"));
    free(text);
}

static void test_purchase_counts(void **state)
{
    (void)state;
    wsk_cli_case cases[] = {make("throttled", NAN, 100, 20, 5000), make("cool", NAN, 150, 33, 5000)};
    char *text = words(cases, 2);
    assert_says(text, "Winner: cool");
    free(text);
    wsk_cli_case unpriced[] = {make("throttled", NAN, 100, 20, NAN), make("cool", NAN, 150, 33, NAN)};
    text = words(unpriced, 2);
    assert_says(text, "Winner: throttled");
    assert_says(text, "(electricity only)");
    assert_says(text, "cool does the most work, 50.0 % more than throttled.");
    free(text);
}

static void test_unknown_columns(void **state)
{
    (void)state;
    wsk_cli_case cases[] = {make("a", NAN, NAN, 20, NAN), make("b", NAN, NAN, 19, NAN)};
    char *text = words(cases, 2);
    assert_null(strstr(text, "purchase"));
    assert_null(strstr(text, "sound level"));
    assert_null(strstr(text, "nan"));
    assert_says(text, "Winner: b");
    free(text);
}

static void test_currencies_apart(void **state)
{
    (void)state;
    wsk_cli_case cases[] = {make("dollars", NAN, 100, 20, 1000), make("euros", NAN, 100, 30, 1000)};
    strcpy(cases[1].currency, "EUR");
    char *text = words(cases, 2);
    assert_says(text, "Electricity is paid in different currencies: 20.00 USD, 30.00 EUR.");
    assert_says(text, "No winner: the cases are paid in different currencies");
    assert_null(strstr(text, "cost of work"));
    assert_null(strstr(text, "Electricity: "));
    assert_null(strstr(text, "All in"));
    free(text);
}

static void test_parts_in_another_currency(void **state)
{
    (void)state;
    wsk_cli_case cases[] = {make("a", NAN, 100, 20, 1000), make("b", NAN, 100, 30, 1200)};
    strcpy(cases[0].purchase_currency, "EUR");
    strcpy(cases[1].purchase_currency, "EUR");
    char *text = words(cases, 2);
    assert_says(text, "no payback");
    assert_says(text, "Purchase: 200 EUR more.");
    assert_null(strstr(text, "all in"));
    assert_says(text, "(electricity only)");
    free(text);
}

static void test_times_apart(void **state)
{
    (void)state;
    wsk_cli_case cases[] = {make("year", NAN, 100, 20, 1000), make("two", NAN, 200, 20, 1000)};
    cases[1].simulated_s *= 2;
    char *text = words(cases, 2);
    assert_null(strstr(text, "Over "));
    assert_null(strstr(text, "energy"));
    assert_null(strstr(text, "Work: "));
    assert_says(text, "The cases have different durations (365 d, 730 d)");
    assert_says(text, "No winner: the cases have different durations");
    free(text);
}

static void add_source(wsk_cli_case *c, const char *key, double site, double work)
{
    wsk_cli_source *grown = wsk_cli_alloc((c->n_sources + 1) * sizeof *grown);
    if (c->n_sources)
        memcpy(grown, c->sources, c->n_sources * sizeof *grown);
    free(c->sources);
    c->sources = grown;
    wsk_cli_source *s = &c->sources[c->n_sources++];
    *s = (wsk_cli_source){
        .key = key, .text = key, .lowered = {.site = -site, .work = -work}, .raised = {.site = site, .work = work}};
    c->spread_known = true;
}

/* An uncertain input that can only lower the work, by 12 of 100 GPU-hours, beside one of 5 either way: the ± has two
 * different sides, hypot(12, 5) = 13 below and 5 above. If both cases share the inputs, their difference is certain. */
static void test_one_sided(void **state)
{
    (void)state;
    char out[48];
    wsk_cli_case a = make("a", NAN, 100, 500, 1000), b = make("b", NAN, 100, 500, 1000);
    add_source(&a, "card", 0, 0);
    a.sources[0].lowered.work = -0.12;
    add_source(&a, "other", 0, 0.05);
    add_source(&b, "card", 0, 0);
    b.sources[0].lowered.work = -0.12;
    add_source(&b, "other", 0, 0.05);
    const wsk_cli_sides sides = wsk_cli_sides_of(&a, WSK_CLI_BY_WORK, &FINANCE);
    assert_close(sides.below, 13);
    assert_close(sides.above, 5);
    wsk_cli_put_places(out, 100, sides, 0);
    assert_string_equal(out, "100 -13/+5");
    wsk_cli_put_places(out, -100, wsk_cli_scaled(sides, -1), 0);
    assert_string_equal(out, "-100 -5/+13");
    wsk_cli_put_places(out, 100, (wsk_cli_sides){5.4, 5}, 0);
    assert_string_equal(out, "100 ±5");
    assert_true(wsk_cli_band_between(&a, &b, WSK_CLI_BY_WORK, &FINANCE, NULL) < 1e-12);
    /* If each case has a one-sided input of its own, a - b may be lower by 12 and higher by 12. */
    a.sources[0].key = "card of a";
    assert_close(wsk_cli_band_between(&a, &b, WSK_CLI_BY_WORK, &FINANCE, NULL), 12);
    /* a GPU-hour costs 1/0.88 times as much at 12 % less work, and 1/1.05 or 1/0.95 times at 5 % more or less */
    const wsk_cli_sides cost = wsk_cli_sides_of(&a, WSK_CLI_BY_PER_WORK, &FINANCE);
    assert_close(cost.above / wsk_cli_measured(&a, WSK_CLI_BY_PER_WORK), hypot(1 / 0.88 - 1, 1 / 0.95 - 1));
    assert_close(cost.below / wsk_cli_measured(&a, WSK_CLI_BY_PER_WORK), 1 - 1 / 1.05);
    free(a.sources);
    free(b.sources);
    free(a.label);
    free(b.label);
}

/* Three inputs may each shut the card down, which takes half of the power, once. No work is negative, no card gets hotter
 * than its shutdown, and two ranges of 250 USD below bound their difference. */
static void test_limited_sides(void **state)
{
    (void)state;
    static const char *const keys[] = {"x", "y", "z"};
    wsk_cli_case cases[] = {make("a", NAN, 100, 500, 1000), make("b", NAN, 100, 500, 1000)};
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 3; k++) {
            add_source(&cases[i], wsk_cli_format("%s%d", keys[k], i), 0, 0);
            cases[i].sources[k].raised = (wsk_cli_effects){.site = -0.5, .wall = -0.5, .work = -1, .die_k = 20};
        }
        cases[i].site_below = cases[i].wall_below = 0.5;
        cases[i].hottest_c = 98; /* the summary has 83 degC */
        assert_close(wsk_cli_sides_of(&cases[i], WSK_CLI_BY_COST, &FINANCE).below, 250);
        assert_close(wsk_cli_sides_of(&cases[i], WSK_CLI_BY_WALL, &FINANCE).below, 55);
        assert_close(wsk_cli_sides_of(&cases[i], WSK_CLI_BY_WORK, &FINANCE).below, 100);
        assert_close(wsk_cli_sides_of(&cases[i], WSK_CLI_BY_DIE, &FINANCE).above, 15);
    }
    assert_close(wsk_cli_band_between(&cases[0], &cases[1], WSK_CLI_BY_COST, &FINANCE, NULL), 250);
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 3; k++)
            free((char *)cases[i].sources[k].key);
        free(cases[i].sources);
        free(cases[i].label);
    }
}

/* Independent errors of 3 % and 4 % of 500 USD add up to sqrt(15^2 + 20^2) = 25 USD. Case b costs 460 USD, shares the
 * error of 3 % and has an error of 4 % of its own. In the difference a - b the shared error counts only for the 40
 * USD between the cases: sqrt((0.03 x 40)^2 + 20^2 + 18.4^2). */
static void test_shared_cancels(void **state)
{
    (void)state;
    wsk_cli_case a = make("a", NAN, 100, 500, 1000), b = make("b", NAN, 100, 460, 1000);
    add_source(&a, "card", 0.03, 0);
    add_source(&a, "badge a", 0.04, 0);
    add_source(&b, "card", 0.03, 0);
    add_source(&b, "badge b", -0.04, 0);
    const wsk_cli_source *most;
    assert_close(wsk_cli_band(&a, WSK_CLI_BY_ANNUAL, &FINANCE), 25);
    assert_close(wsk_cli_band_between(&a, &b, WSK_CLI_BY_ANNUAL, &FINANCE, &most),
                 sqrt(1.2 * 1.2 + 20 * 20 + 18.4 * 18.4));
    assert_string_equal(most->text, "badge a");
    /* a third of the bill is standing charges, which an error in the energy does not change */
    a.elastic = 2.0 / 3;
    assert_close(wsk_cli_band(&a, WSK_CLI_BY_ANNUAL, &FINANCE), 50.0 / 3);
    /* an error that raises energy and work in proportion cancels in the cost per work */
    wsk_cli_case c = make("c", NAN, 100, 500, 1000);
    add_source(&c, "limit", 0.05, 0.05);
    assert_true(wsk_cli_band(&c, WSK_CLI_BY_PER_WORK, &FINANCE) < 1e-12);
    /* at one price for each kWh the cost of a token is the price / tokens per kWh, and so as uncertain */
    c.count = 1000;
    c.sources[0].raised.tokens = 0.2;
    c.sources[0].lowered.tokens = -0.2;
    assert_close(wsk_cli_band(&c, WSK_CLI_BY_COUNTED_PER_ENERGY, &FINANCE) /
                     wsk_cli_measured(&c, WSK_CLI_BY_COUNTED_PER_ENERGY),
                 0.2);
    const double a_token = wsk_cli_measured(&c, WSK_CLI_BY_COUNT);
    const wsk_cli_sides of_token = wsk_cli_sides_of(&c, WSK_CLI_BY_COUNT, &FINANCE);
    assert_close(of_token.below / a_token, 1 - 1 / 1.2);
    assert_close(of_token.above / a_token, 1 / 0.8 - 1);
    /* such an error also cancels in the ratio of the work of two rigs that share it */
    wsk_cli_case d = make("d", NAN, 400, 500, 1000);
    add_source(&d, "limit", 0.05, 0.05);
    assert_true(wsk_cli_band_ratio(&c, &d, WSK_CLI_BY_WORK, &FINANCE) < 1e-12);
    assert_close(wsk_cli_band_between(&c, &d, WSK_CLI_BY_WORK, &FINANCE, NULL), 15);
    wsk_cli_case *all[] = {&a, &b, &c, &d};
    for (int i = 0; i < 4; i++) {
        free(all[i]->label);
        free(all[i]->sources);
        wsk_arena_free(all[i]->names);
    }
}

/* A case with one uncertain input: the efficiency of a part whose name is `length` times the same letter. */
static wsk_cli_case with_part(char letter, size_t length)
{
    char name[200] = "", folder[] = "/tmp/wattsink-names-XXXXXX", family[80], file[300], xml[500];
    assert_true(length < sizeof name);
    memset(name, letter, length);
    assert_non_null(mkdtemp(folder));
    snprintf(family, sizeof family, "%s/psu", folder);
    snprintf(file, sizeof file, "%s/%s.xml", family, name);
    assert_int_equal(mkdir(family, 0700), 0);
    FILE *out = fopen(file, "w");
    assert_non_null(out);
    fputs("<psu title='x' kind='constant' rated='900 W' efficiency='80 %'><source for='rated efficiency' "
          "kind='measured' "
          "ref='a meter' spread='+-2 points'/></psu>",
          out);
    assert_int_equal(fclose(out), 0);
    snprintf(xml, sizeof xml,
             "<rig><site><room temperature='25 degC'/></site><chassis kind='frame'><psu part='psu/%s'/>"
             "<load name='x' dc='400 W'/></chassis></rig>",
             name);
    wsk_rig *rig = NULL;
    wsk_uncertainty *u = NULL;
    wsk_cli_case c = make("long", NAN, 100, 500, 1000);
    assert_int_equal(wsk_rig_load(&rig, &(wsk_rig_options){.path = "-",
                                                           .text = xml,
                                                           .text_len = strlen(xml),
                                                           .parts_dir = "parts",
                                                           .extra_parts_dir = folder}),
                     WSK_OK);
    assert_int_equal(wsk_rig_uncertainty(&u, rig, WSK_STEPPER_FAST), WSK_OK);
    wsk_cli_case_spread(&c, u);
    wsk_uncertainty_free(u);
    wsk_rig_free(rig);
    remove(file);
    remove(family);
    remove(folder);
    return c;
}

static void test_long_names_stay_apart(void **state)
{
    (void)state;
    wsk_cli_case a = with_part('a', 150), b = with_part('b', 150), same = with_part('a', 150);
    const wsk_cli_sides each = wsk_cli_sides_of(&a, WSK_CLI_BY_ANNUAL, &FINANCE);
    const wsk_cli_source *most;
    assert_true(each.below > 1);
    assert_close(wsk_cli_band_between(&a, &b, WSK_CLI_BY_ANNUAL, &FINANCE, &most), hypot(each.below, each.above));
    assert_true(strlen(most->text) > 150);
    assert_true(wsk_cli_band_between(&a, &same, WSK_CLI_BY_ANNUAL, &FINANCE, NULL) < 1e-9);
    wsk_cli_case *all[] = {&a, &b, &same};
    for (int i = 0; i < 3; i++) {
        free(all[i]->label);
        free(all[i]->sources);
        wsk_arena_free(all[i]->names);
    }
}

static void test_inside_the_band(void **state)
{
    (void)state;
    wsk_cli_case close[] = {make("a", NAN, NAN, 500, 1000), make("b", NAN, NAN, 490, 1000)};
    add_source(&close[0], "badge a", 0.02, 0);
    add_source(&close[1], "badge b", 0.02, 0);
    char *text = words(close, 2);
    assert_says(text,
                "No winner between b and a: the difference of 10 USD a year (electricity and purchase) is within "
                "its uncertainty. Uncertainty: +-14 USD, mostly from badge a.");
    assert_null(strstr(text, "Winner"));
    assert_says(text, "Cheapest: b, 721 USD a year (electricity and purchase).");
    assert_says(text, "500 +-10");
    free(text);
    wsk_cli_case three[] = {make("a", NAN, NAN, 500, 1000), make("b", NAN, NAN, 490, 1000),
                            make("c", NAN, NAN, 495, 1000), make("d", NAN, NAN, 900, 1000)};
    for (int i = 0; i < 4; i++)
        add_source(&three[i], three[i].label, 0.02, 0);
    text = words(three, 4);
    assert_says(text, "No winner among b, a and c: their differences are within the uncertainty.");
    assert_says(text, "Cheapest: b, 721 USD a year (electricity and purchase).");
    assert_null(strstr(text, "Winner"));
    assert_says(text, "b beats d.");
    free(text);
    wsk_cli_case shared[] = {make("a", NAN, NAN, 500, 1000), make("b", NAN, NAN, 490, 1000)};
    add_source(&shared[0], "load", 0.02, 0);
    add_source(&shared[1], "load", 0.02, 0);
    text = words(shared, 2);
    assert_says(text, "Winner: b");
    free(text);
}

/* Two PSUs for the same load. The more efficient one saves 50 USD a year, which is worth 216 USD over five years at 5
 * % interest (annuity factor 4.3294767): too little if this PSU costs 500 USD more, enough if it costs 200 USD
 * more. */
static void test_dear_savings_do_not_win(void **state)
{
    (void)state;
    wsk_cli_case cases[] = {make("plain", NAN, NAN, 500, 1000), make("better", NAN, NAN, 450, 1500)};
    char *text = words(cases, 2);
    assert_says(text, "Winner: plain, 730.97 USD a year (electricity and purchase)."); /* 500 + 1000/4.3294767 */
    free(text);
    wsk_cli_case cheaper[] = {make("plain", NAN, NAN, 500, 1000), make("better", NAN, NAN, 450, 1200)};
    text = words(cheaper, 2);
    assert_says(text, "Winner: better, 727.17 USD a year (electricity and purchase)."); /* 450 + 1200/4.3294767 */
    free(text);
}

static void test_digits_of_bands(void **state)
{
    (void)state;
    static const struct {
        double value, band;
        int digits;
        const char *text;
    } some[] = {{466.32, 9.4, 2, "466 ±9"},   {466.32, 1.23, 2, "466.3 ±1.2"},
                {1466.32, 32, 2, "1466 ±32"}, {0.0723, 0.0041, 4, "0.072 ±0.004"},
                {12.346, 0.001, 2, "12.35"},  {12.346, NAN, 2, "12.35"},
                {12.346, 0, 1, "12.3"},       {79, 9.97, 1, "79 ±10"}};
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        char out[48];
        wsk_cli_put_band(out, some[i].value, wsk_cli_even(some[i].band), some[i].digits);
        assert_string_equal(out, some[i].text);
    }
}

/* Of 12 kWh in the room 3 are losses of PSUs, so a quarter of the air conditioner's 2 kWh cools them. Where loops took 6
 * of the 12 kWh to a facility's water, it is half of them. The 2 kWh more that a rear door takes leave their share. */
static void test_cooling_of_psus(void **state)
{
    (void)state;
#define COOLED(notices, cases) \
    "{ \"rig\": \"r\", \"simulated_s\": 14400, \"energy\": { \"wall_kwh\": 12, \"psu_loss_kwh\": 3, " \
    "\"room_cooling_kwh\": 2 }, " \
    "\"notices\": [" notices "], \"cases\": [" cases "] }"
#define WATER(kwh) "{ \"code\": \"page.facility-heat\", \"text\": \"heat\", \"values\": [" kwh "] }"
    assert_close(wsk_cli_psu_cooling_kwh(summary_of(COOLED("", ""))), 0.5);
    assert_close(wsk_cli_psu_cooling_kwh(summary_of(COOLED(WATER("6"), "{}"))), 1);
    assert_close(wsk_cli_psu_cooling_kwh(summary_of(COOLED(WATER("8"), "{ \"door_heat_w\": 500 }"))), 1);
    assert_close(wsk_cli_psu_cooling_kwh(summary_of(COOLED(WATER("2"), "{ \"door_heat_w\": 500 }"))), 0.5);
}

/* A PSU for 200 USD more that saves 100 USD a year is paid back after two years. At 10 % interest over three years
 * its net present value is 100/1.1 + 100/1.21 + 100/1.331 - 200 = 48.685 USD. */
static void test_payback(void **state)
{
    (void)state;
    wsk_cli_case cases[] = {make("plain", NAN, NAN, 500, 1000), make("better", NAN, NAN, 400, 1200)};
    const wsk_cli_finance f = {.rate = 0.1, .years = 3, .cloud = NAN};
    for (int i = 0; i < 2; i++)
        invest(&cases[i], &cases[0], &f, WSK_CLI_HOURS);
    assert_close(cases[1].payback_years, 2);
    assert_true(fabs(cases[1].npv - 48.68520) < 1e-4);
    assert_true(isnan(wsk_cli_payback_years(100, 1e-10)) && isnan(wsk_cli_payback_years(-100, 200)));
    char *text = words_with(cases, 2, f);
    assert_says(text, "net present value of a 3-year period at 10 % interest");
    assert_says(text, "Payback: 2.0 years.");
    free(text);
}

static void test_parts_without_a_price(void **state)
{
    (void)state;
    static const char xml[] =
        "<chassis id=\"chassis0\" part=\"chassis/%s\"><psu id=\"psu0\" price=\"200 USD\"/>"
        "<fan id=\"fan0\"/><fan id=\"fan1\" count=\"3\" price=\"10 USD\"/><fan id=\"fan2\" price=\"0 EUR\"/>"
        "<vent id=\"vent0\"/><load id=\"load0\" price=\"0 USD\"/></chassis><tariff price=\"0.1 EUR/kWh\"/>";
    wsk_cli_case cases[] = {make("a", NAN, NAN, 500, NAN), make("b", NAN, NAN, 400, NAN)};
    for (int i = 0; i < 2; i++) {
        char *text = wsk_cli_format(xml, i ? "tower" : "bench");
        const wsk_elements *rig = elements_of(text);
        sum_prices(&cases[i], &(case_list){cases, 2}, rig);
        wsk_elements_free(rig);
        free(text);
        assert_close(cases[i].purchase, 230);
        assert_string_equal(cases[i].unpriced, "chassis0, fan0");
        assert_string_equal(cases[i].purchase_currency, "USD");
    }
    invest(&cases[1], &cases[0], &FINANCE, WSK_CLI_HOURS);
    /* Unknown, because the cases differ in a part that has no price. */
    assert_true(isnan(cases[1].npv));
    strcpy(cases[1].unpriced_what, cases[0].unpriced_what);
    invest(&cases[1], &cases[0], &FINANCE, WSK_CLI_HOURS);
    assert_close(cases[1].npv, 100 * wsk_cli_annuity(&FINANCE));
    cases[1].same_unpriced = false;
    char *text = words(cases, 2);
    assert_says(text, "The purchase lacks parts without a price=\"...\": chassis0, fan0.");
    assert_says(text, "No payback: parts of b have no price (chassis0, fan0).");
    free(text);
    for (int i = 0; i < 2; i++) {
        free(cases[i].unpriced);
        free(cases[i].unpriced_what);
    }
}

static int widest(const char *text)
{
    int most = 0;
    for (const char *p = text; *p; p += strcspn(p, "\n"), p += *p == '\n') {
        int width = wsk_width_n(p, strcspn(p, "\n"));
        most = width > most ? width : most;
    }
    return most;
}

static void test_fits_a_page(void **state)
{
    (void)state;
    for (size_t count = 2; count <= 12; count++) {
        wsk_cli_case cases[12];
        for (size_t i = 0; i < count; i++) {
            char *label = wsk_cli_format("chassis.psu=psu/a-very-long-name-of-a-power-supply-%zu", i);
            cases[i] = make(label, NAN, 100 + (double)i, 500 + (double)i, 1000);
            add_source(&cases[i], "badge", 0.02, 0);
            free(label);
        }
        char *text = words(cases, count);
        assert_true(widest(text) <= 80);
        size_t rows = 0;
        for (const char *p = text; *p; p++)
            rows += *p == '\n';
        if (rows > 60)
            fail_msg("%zu lines for %zu cases", rows, count);
        free(text);
    }
}

static void test_short_names(void **state)
{
    (void)state;
    static const char *const labels[] = {"psu=psu/tier-gold-850, gpu.power-limit=200W",
                                         "psu=psu/tier-gold-850, gpu.power-limit=300W"};
    char *head, **names = wsk_cli_short_names(labels, 2, &head);
    assert_string_equal(head, "psu, gpu.power-limit");
    assert_string_equal(names[0], "tier-gold-850, 200W");
    for (int i = 0; i < 2; i++)
        free(names[i]);
    free(names);
    free(head);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_more_power_less_work),
                                       cmocka_unit_test(test_order_does_not_matter),
                                       cmocka_unit_test(test_more_work_is_no_inversion),
                                       cmocka_unit_test(test_purchase_counts),
                                       cmocka_unit_test(test_unknown_columns),
                                       cmocka_unit_test(test_currencies_apart),
                                       cmocka_unit_test(test_parts_in_another_currency),
                                       cmocka_unit_test(test_times_apart),
                                       cmocka_unit_test(test_one_sided),
                                       cmocka_unit_test(test_limited_sides),
                                       cmocka_unit_test(test_shared_cancels),
                                       cmocka_unit_test(test_long_names_stay_apart),
                                       cmocka_unit_test(test_inside_the_band),
                                       cmocka_unit_test(test_digits_of_bands),
                                       cmocka_unit_test(test_cooling_of_psus),
                                       cmocka_unit_test(test_payback),
                                       cmocka_unit_test(test_parts_without_a_price),
                                       cmocka_unit_test(test_fits_a_page),
                                       cmocka_unit_test(test_short_names),
                                       cmocka_unit_test(test_dear_savings_do_not_win)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
