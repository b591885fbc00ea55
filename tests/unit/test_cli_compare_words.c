/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sentences of a comparison that only unusual cases get: unknown prices, several currencies, many cases. */
#define _XOPEN_SOURCE 700
#include "tests/unit/cli_compare_cases.h"

typedef enum { AS_CASES, AS_SETTINGS } form;

static char *words_of(wsk_cli_case *cases, size_t count, wsk_cli_work_by work, form as, wsk_cli_finance finance)
{
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);
    assert_non_null(out);
    const wsk_cli_comparison all = {.cases = cases, .count = count, .finance = finance, .work = work};
    if (as == AS_SETTINGS)
        wsk_cli_sweep_text(out, &all);
    else
        wsk_cli_compare_text(out, &all);
    fclose(out);
    for (size_t i = 0; i < count; i++) {
        free(cases[i].label);
        free(cases[i].sources);
    }
    return text;
}

static void says_of(wsk_cli_case *cases, size_t count, wsk_cli_work_by work, const char *wanted)
{
    char *text = words_of(cases, count, work, AS_CASES, FINANCE);
    assert_says(text, wanted);
    assert_null(strstr(text, "nan"));
    free(text);
}

static void settings_say(wsk_cli_case *cases, size_t count, const char *wanted)
{
    for (size_t i = 0; i < count; i++)
        cases[i].varied = cases[i].label;
    assert_true(wsk_cli_is_sweep(cases, count));
    char *text = words_of(cases, count, WSK_CLI_HOURS, AS_SETTINGS, FINANCE);
    assert_says(text, wanted);
    assert_null(strstr(text, "nan"));
    free(text);
}

static void add_band(wsk_cli_case *c, const char *key, double site)
{
    c->sources = wsk_cli_alloc(sizeof *c->sources);
    c->sources[0] = (wsk_cli_source){.key = key, .text = key, .lowered = {.site = -site}, .raised = {.site = site}};
    c->n_sources = 1;
    c->spread_known = true;
}

static void no_payback(void **state)
{
    (void)state;
    wsk_cli_case more[] = {make("a", NAN, 100, 500, 1000), make("b", NAN, 150, 400, 1200)};
    more[1].other_work = true;
    char *text = words(more, 2);
    assert_says(text, "No payback: b does 50 % more work");
    free(text);
    wsk_cli_case unknown[] = {make("a", NAN, 100, 500, 1000), make("b", NAN, 150, 400, 1200)};
    unknown[1].other_work = true;
    says_of(unknown, 2, WSK_CLI_UNLIKE, "No payback: the work of these cases cannot be compared.");
    wsk_cli_case idle[] = {make("a", NAN, 0, 500, 1000), make("b", NAN, 0, 400, 1200)};
    idle[1].other_work = true;
    says_of(idle, 2, WSK_CLI_HOURS, "No payback: the cases have different loads.");
    wsk_cli_case one[] = {make("a", NAN, 100, 500, 1000), make("b", NAN, 0, 400, 1200)};
    one[1].other_work = true;
    says_of(one, 2, WSK_CLI_HOURS, "No payback: the cases have different loads.");
    /* the first case lacks a price that the second one has */
    static char lacking[] = "gpu0";
    wsk_cli_case unpriced[] = {make("a", NAN, 100, 500, 1000), make("b", NAN, 100, 400, 1200)};
    unpriced[0].unpriced = lacking;
    unpriced[1].same_unpriced = false;
    says_of(unpriced, 2, WSK_CLI_HOURS, "No payback: parts of a have no price (gpu0).");
}

static void prices_of_one_kind(void **state)
{
    (void)state;
    wsk_cli_case bought[] = {make("a", NAN, 100, NAN, 1000), make("b", NAN, 100, NAN, 1200)};
    char *text = words_of(bought, 2, WSK_CLI_HOURS, AS_CASES, FINANCE);
    assert_says(text, "Purchase: 200 USD more.");
    assert_null(strstr(text, "Electricity: "));
    assert_says(text, "No winner: no case has a tariff, so electricity has no price.");
    free(text);
    wsk_cli_case one[] = {make("a", NAN, 100, 20, 1000), make("b", NAN, 100, NAN, 1000)};
    says_of(one, 2, WSK_CLI_HOURS, "No winner: b has no tariff, so its electricity has no price.");
    wsk_cli_case apart[] = {make("a", NAN, 100, 20, 1000), make("b", NAN, 100, 30, 1200)};
    strcpy(apart[0].purchase_currency, "USD");
    strcpy(apart[1].purchase_currency, "EUR");
    text = words_of(apart, 2, WSK_CLI_HOURS, AS_CASES, FINANCE);
    assert_says(text, "The parts are priced in different currencies.");
    assert_null(strstr(text, "Purchase: "));
    assert_null(strstr(text, "purchase "));
    free(text);
    wsk_cli_case alone[] = {make("a", NAN, 100, 20, 1000)};
    says_of(alone, 1, WSK_CLI_HOURS, "No winner: there is only one case.");
}

static void equal_electricity(void **state)
{
    (void)state;
    static const char unsure[] = "No winner: electricity costs the same, and the purchases cannot be compared.";
    wsk_cli_case apart[] = {make("a", NAN, 100, 20, 1000), make("b", NAN, 100, 20, 1000)};
    strcpy(apart[0].purchase_currency, "USD");
    strcpy(apart[1].purchase_currency, "EUR");
    says_of(apart, 2, WSK_CLI_HOURS, unsure);
    wsk_cli_case lacking[] = {make("a", NAN, 100, 20, 1000), make("b", NAN, 100, 20, NAN)};
    says_of(lacking, 2, WSK_CLI_HOURS, unsure);
    wsk_cli_case parts[] = {make("a", NAN, 100, 20, 1000), make("b", NAN, 100, 20, 1000)};
    parts[1].same_unpriced = false;
    says_of(parts, 2, WSK_CLI_HOURS, unsure);
    wsk_cli_case dearer[] = {make("a", NAN, 100, 20, 1000), make("b", NAN, 100, 20, 1500)};
    for (int i = 0; i < 2; i++)
        strcpy(dearer[i].purchase_currency, "EUR");
    says_of(dearer, 2, WSK_CLI_HOURS, unsure);
    wsk_cli_case none[] = {make("a", NAN, 100, 20, NAN), make("b", NAN, 100, 20, NAN)};
    says_of(none, 2, WSK_CLI_HOURS, "No winner: the cases cost the same.");
}

static void loads_without_work(void **state)
{
    (void)state;
    wsk_cli_case cases[] = {make("a", NAN, NAN, 20, 1000), make("b", NAN, NAN, 30, 1000)};
    cases[1].summary = summary_of("{ \"energy\": { \"dc_kwh\": 150 }, \"gpus\": [ { } ] }");
    says_of(cases, 2, WSK_CLI_HOURS, "No winner: the loads of the cases differ, and no work is counted.");
    /* two cases have the cards of the first one, a third has others */
    wsk_cli_case cards[] = {make("a", NAN, 100, 20, 0), make("b", NAN, 100, 21, 0), make("c", NAN, 100, 22, 0)};
    for (int i = 0; i < 3; i++)
        strcpy(cards[i].cards, i < 2 ? "big card" : "small card");
    says_of(cards, 3, WSK_CLI_UNLIKE,
            "No winner: GPU-hours of big card and of small card are different amounts of work.");
}

static void many_burdens(void **state)
{
    (void)state;
    wsk_cli_case cases[7];
    for (size_t i = 0; i < 7; i++) {
        char name[] = {(char)('a' + i), '\0'};
        cases[i] = make(name, NAN, 100, 20 + (double)i, 1000);
        cases[i].supply_peak = i < 6 ? 1.1 : NAN;
    }
    char *text = words_of(cases, 7, WSK_CLI_HOURS, AS_CASES, FINANCE);
    assert_says(text, "d: PSU load 110 % of its available output. More cases are overloaded or shut down. ");
    assert_null(strstr(text, "e: PSU load"));
    const char *more = strstr(text, "More cases are overloaded");
    assert_null(strstr(more + 1, "More cases are overloaded"));
    assert_says(text, "Winner among the cases within their limits: g");
    assert_says(text, "Overloaded cases are not ranked.");
    free(text);
    wsk_cli_case room[] = {make("big", NAN, 100, 20, 1000), make("small", NAN, 100, 30, 1000)};
    room[0].no_room = true;
    says_of(room, 2, WSK_CLI_HOURS, "Cases that are overloaded or whose model does not fit are not ranked.");
    wsk_cli_case off[] = {make("a", NAN, 100, 20, 1000), make("b", NAN, 100, 30, 1000)};
    off[0].shuts_down = off[1].shuts_down = true;
    says_of(off, 2, WSK_CLI_HOURS, "Warning: every case would trip or shut down.");
    wsk_cli_case fed[] = {make("a", NAN, 100, 20, 1000), make("b", NAN, 100, 30, 1000)};
    fed[0].feed_peak = 1.2;
    says_of(fed, 2, WSK_CLI_HOURS, "Winner among the cases within their limits: b");
}

static void rivals(void **state)
{
    (void)state;
    /* a and b cost the same and nothing of them is uncertain; c costs more */
    wsk_cli_case three[] = {make("a", NAN, 100, 20, NAN), make("b", NAN, 100, 20, NAN), make("c", NAN, 100, 30, NAN)};
    for (int i = 0; i < 3; i++)
        add_band(&three[i], three[i].label, 0);
    char *text = words_of(three, 3, WSK_CLI_HOURS, AS_CASES, FINANCE);
    assert_says(text, "No winner between a and b");
    assert_says(text, "Uncertainty: +-0 USD.");
    assert_null(strstr(text, "mostly from"));
    assert_says(text, "a beats c.");
    free(text);
    wsk_cli_case six[] = {make("a", NAN, 100, 500, NAN), make("b", NAN, 100, 501, NAN),
                          make("c", NAN, 100, 800, NAN), make("d", NAN, 100, 810, NAN),
                          make("e", NAN, 100, 820, NAN), make("f", NAN, 100, 830, NAN)};
    for (int i = 0; i < 6; i++)
        add_band(&six[i], six[i].label, 0.02);
    says_of(six, 6, WSK_CLI_HOURS, "a beats the other cases (4).");
    /* an overloaded case is no rival, and is not beaten */
    wsk_cli_case over[] = {make("a", NAN, 100, 500, NAN), make("b", NAN, 100, 501, NAN),
                           make("c", NAN, 100, 502, NAN), make("d", NAN, 100, 503, NAN)};
    for (int i = 0; i < 4; i++)
        add_band(&over[i], over[i].label, 0.02);
    over[3].supply_peak = 1.1;
    says_of(over, 4, WSK_CLI_HOURS, "No winner among a, b and c: their differences are within the uncertainty.");
}

static void a_purchase_that_is_not_earned(void **state)
{
    (void)state;
    wsk_cli_case cases[] = {make("plain", NAN, 100, 20, 1000), make("big", NAN, 150, 22, 1200)};
    cases[1].npv = -150;
    char *text = words_of(cases, 2, WSK_CLI_HOURS, AS_CASES, FINANCE);
    assert_says(text, "Winner: big");
    assert_says(text,
                "Warning: big does not pay back in a 5-year period at 5 % interest: net present value -150 USD.");
    free(text);
    wsk_cli_case earned[] = {make("plain", NAN, 100, 20, 1000), make("big", NAN, 150, 22, 1200)};
    earned[1].npv = 10;
    text = words_of(earned, 2, WSK_CLI_HOURS, AS_CASES, FINANCE);
    assert_says(text, "Winner: big");
    assert_null(strstr(text, "does not pay back"));
    free(text);
}

static void work_that_is_lost(void **state)
{
    (void)state;
    wsk_cli_case cases[] = {make("a", NAN, 100, 20, 1000), make("b", NAN, 80, 20, 1000)};
    cases[1].summary = summary_of("{ \"energy\": { \"dc_kwh\": 100 }, \"gpus\": [ { \"die_max_c\": 79 } ], "
                                  "\"work\": { \"lost_fraction\": 0.34 } }");
    cases[1].braked = true;
    char *text = words_of(cases, 2, WSK_CLI_HOURS, AS_CASES, FINANCE);
    assert_says(text, "Lost to heat and power brake: 34.0 % of the throughput instead of 10.0 %.");
    assert_says(text, "GPU temperature");
    assert_says(text, "4.0 K lower.");
    free(text);
}

static void small_inversions(void **state)
{
    (void)state;
    wsk_cli_case cases[] = {make("200W", 200, 100, 20, 1000), make("250W", 250, 99.95, 20, 1000)};
    cases[1].lock_mhz = 900;
    says_of(cases, 2, WSK_CLI_HOURS, "250W does 0.05 % less work than 200W at a higher power limit");
    /* not reported without a cause: both cases have the same locked clock and lose the same to heat */
    wsk_cli_case same[] = {make("200W", 200, 100, 20, 1000), make("250W", 250, 90, 20, 1000)};
    same[0].lock_mhz = same[1].lock_mhz = 900;
    char *text = words_of(same, 2, WSK_CLI_HOURS, AS_CASES, FINANCE);
    assert_null(strstr(text, "higher power limit"));
    free(text);
    /* heat takes 1 % more of the work, far too little to explain that half of it is missing */
    wsk_cli_case cold[] = {make("200W", 200, 100, 20, 1000), make("250W", 250, 50, 20, 1000)};
    cold[1].summary = summary_of("{ \"energy\": { \"dc_kwh\": 100 }, \"gpus\": [ { \"die_max_c\": 83 } ], "
                                 "\"work\": { \"lost_fraction\": 0.11 } }");
    text = words_of(cold, 2, WSK_CLI_HOURS, AS_CASES, FINANCE);
    assert_null(strstr(text, "higher power limit"));
    free(text);
    /* the case at 250 W is compared with the lower limit that does most work, not with a case of another number of
     * cards */
    wsk_cli_case three[] = {make("150W", 150, 100, 20, 1000), make("200W", 200, 98, 20, 1000),
                            make("250W", 250, 80, 20, 1000), make("100W", 100, 120, 20, 1000)};
    three[2].lock_mhz = 900;
    three[3].summary = summary_of("{ \"energy\": { \"dc_kwh\": 100 }, \"gpus\": [ { }, { } ] }");
    says_of(three, 4, WSK_CLI_HOURS, "250W does 20.0 % less work than 150W at a higher power limit");
}

static void no_break_even_at_all(void **state)
{
    (void)state;
    static const struct {
        double work, annual, purchase;
        const char *currency, *bought, *wanted;
    } all[] = {
        {100, 20, 1000, "EUR", "EUR", "no break-even: the own machine is paid in EUR. --exchange 'USD=RATE EUR'"},
        {100, 20, 1000, "USD", "EUR", "no break-even: the own machine is paid in EUR. --exchange 'EUR=RATE USD'"},
        {100, NAN, 1000, "USD", "USD", "no break-even: its electricity has no price."},
        {0, NAN, 1000, "USD", "USD", "no break-even: no work is counted."},
        {100, 20, NAN, "USD", "USD", "no break-even: its parts have no price."}};
    wsk_cli_finance f = FINANCE;
    f.cloud = 2.5;
    strcpy(f.cloud_currency, "USD");
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        wsk_cli_case cases[] = {make("a", NAN, all[i].work, all[i].annual, all[i].purchase),
                                make("b", NAN, all[i].work, all[i].annual, all[i].purchase)};
        for (int k = 0; k < 2; k++) {
            strcpy(cases[k].currency, all[i].currency);
            strcpy(cases[k].purchase_currency, all[i].bought);
            rent(&cases[k], &f);
        }
        char *text = words_of(cases, 2, WSK_CLI_HOURS, AS_CASES, f);
        assert_says(text, all[i].wanted);
        free(text);
    }
    wsk_cli_case five[5];
    for (size_t i = 0; i < 5; i++) {
        char name[] = {(char)('a' + i), '\0'};
        five[i] = make(name, NAN, 1000, 100 + (double)i, i < 4 ? 6000 : NAN);
        rent(&five[i], &f);
    }
    char *text = words_of(five, 5, WSK_CLI_HOURS, AS_CASES, f);
    assert_says(text,
                "Own machine against cloud at 2.5 USD per GPU-hour (see the table): e: no break-even: its parts");
    assert_null(strstr(text, "breaks even after"));
    free(text);
}

static void many_durations(void **state)
{
    (void)state;
    wsk_cli_case cases[5];
    for (size_t i = 0; i < 5; i++) {
        char name[] = {(char)('a' + i), '\0'};
        cases[i] = make(name, NAN, 100, 20, 1000);
        cases[i].simulated_s = 86400.0 * (double)(i + 1);
        strcpy(cases[i].currency, i ? "USD" : "EUR");
    }
    char *text = words_of(cases, 5, WSK_CLI_HOURS, AS_CASES, FINANCE);
    assert_says(text, "The cases have different durations (1 d, 2 d, 3 d, 4 d, ...)");
    assert_says(text, "Electricity is paid in different currencies: 20.00 EUR, 20.00 USD, 20.00 USD, 20.00 USD, ..., "
                      "each over its own duration.");
    free(text);
}

static void set_psu(wsk_cli_case *c, double efficiency, double cooling_kwh)
{
    char *json = wsk_cli_format("{ \"energy\": { \"dc_kwh\": 100, \"room_cooling_kwh\": %g }, \"gpus\": [ { } ], "
                                "\"psus\": [ { \"efficiency_mean\": %g } ] }",
                                cooling_kwh, efficiency);
    wsk_summary_free(c->summary);
    c->summary = summary_of(json);
    c->constant_psu = true;
    c->wall_kwh = 100 / efficiency;
    free(json);
}

/* Two PSUs of constant efficiency with the same load of 100 kWh in a year: 100/0.8 - 100/0.9 = 13.9 kWh apart. The
 * price is that of the energy saved, whatever else is on the bill. */
static void why_a_saving_is_larger(void **state)
{
    (void)state;
    for (int more = 0; more <= 30; more += 30) {
        wsk_cli_case cases[] = {make("a", NAN, 100, 25 + more, 1000), make("b", NAN, 100, 22.22 + more, 1000)};
        set_psu(&cases[0], 0.8, 0);
        set_psu(&cases[1], 0.9, 0);
        char *text = words_of(cases, 2, WSK_CLI_HOURS, AS_CASES, FINANCE);
        assert_says(text, "Why 2.78 and not 2.00 USD a year:");
        assert_says(text, "(0.90 - 0.80) x 100.0 kWh");
        assert_says(text, "100.0/0.80 - 100.0/0.90 = 13.9 kWh.");
        free(text);
    }
    static const struct {
        double cost, efficiency, cooling_kwh;
        bool constant;
    } none[] = {{25, 0.9, 0, true}, {20, 0.9, 5, true}, {20, 0.8, 0, true}, {22.22, 0.9, 0, false}};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        wsk_cli_case apart[] = {make("a", NAN, 100, 25, 1000), make("b", NAN, 100, none[i].cost, 1000)};
        set_psu(&apart[0], 0.8, 3 * none[i].cooling_kwh);
        set_psu(&apart[1], none[i].efficiency, none[i].cooling_kwh);
        apart[1].constant_psu = none[i].constant;
        char *text = words_of(apart, 2, WSK_CLI_HOURS, AS_CASES, FINANCE);
        assert_null(strstr(text, "Why "));
        free(text);
    }
}

static void settings_of_cards(void **state)
{
    (void)state;
    wsk_cli_case negative[] = {make("gpu.power-limit=200W", 200, 50, -2, NAN),
                               make("gpu.power-limit=300W", 300, 100, -3, NAN)};
    settings_say(negative, 2, "No winner: the electricity of 200W has a negative cost");
    wsk_cli_case unpaid[] = {make("gpu.power-limit=200W", 200, 50, NAN, NAN),
                             make("gpu.power-limit=300W", 300, 100, NAN, NAN)};
    settings_say(unpaid, 2, "No winner: no case has a tariff");
    wsk_cli_case same[] = {make("gpu.power-limit=200W", 200, 100, 20, NAN),
                           make("gpu.power-limit=300W", 300, 100, 20, NAN)};
    settings_say(same, 2, "No winner: the cases cost the same.");
    /* more work at the same energy is also more work per kWh */
    wsk_cli_case best[] = {make("gpu.power-limit=200W", 200, 50, 20, NAN),
                           make("gpu.power-limit=300W", 300, 100, 20, NAN)};
    settings_say(best, 2, "300W does the most work, and the most work per kWh.");
    wsk_cli_case two[] = {make("gpu.power-limit=200W", 200, 80, 10, NAN),
                          make("gpu.power-limit=300W", 300, 100, 20, NAN)};
    two[0].wall_kwh = 55;
    settings_say(two, 2, "300W does the most work. 200W does the most work per kWh: 20.0 % less work");
    wsk_cli_case cooled[] = {make("gpu.power-limit=200W", 200, 80, 10, NAN),
                             make("gpu.power-limit=300W", 300, 100, 20, NAN)};
    for (int i = 0; i < 2; i++)
        cooled[i].summary = summary_of("{ \"energy\": { \"dc_kwh\": 100, \"room_cooling_kwh\": 30 }, \"gpus\": [ { "
                                       "\"work_spread_rel\": 0.03 } ] }");
    for (int i = 0; i < 2; i++)
        cooled[i].varied = cooled[i].label;
    char *text = words_of(cooled, 2, WSK_CLI_HOURS, AS_SETTINGS, FINANCE);
    assert_says(text, "Energy: at the wall and for cooling the room.");
    assert_says(text, "by that alone a card's work is uncertain by up to 3 %.");
    free(text);
}

static void no_settings_of_cards(void **state)
{
    (void)state;
    static const char *const labels[] = {"gpu.power-limit=200W", "rig.xml", "fan[*].speed=500rpm", "psu=psu/a"};
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
        wsk_cli_case cases[] = {make(labels[i], 200, 50, 20, NAN), make(labels[i], 300, 100, 30, NAN)};
        cases[0].varied = cases[1].varied = labels[i];
        assert_int_equal(wsk_cli_is_sweep(cases, 2), i == 0);
        assert_false(wsk_cli_is_sweep(cases, 1));
        cases[1].work = 0;
        assert_false(wsk_cli_is_sweep(cases, 2));
        free(cases[0].label);
        free(cases[1].label);
    }
}

static void digits_of_numbers(void **state)
{
    (void)state;
    char out[48];
    assert_int_equal(wsk_cli_places(INFINITY, 2), 2);
    wsk_cli_put_places(out, 12.345, wsk_cli_even(INFINITY), 2);
    assert_string_equal(out, "12.35");
    wsk_cli_put_places(out, 12.345, wsk_cli_even(0.004), 2);
    assert_string_equal(out, "12.35");
    wsk_cli_put_places(out, 12.345, wsk_cli_even(0.006), 2);
    assert_string_equal(out, "12.35 ±0.01");
    static const struct {
        double kwh;
        int finer;
    } all[] = {{25, 0}, {20, 0}, {3, 1}, {0.5, 2}, {0.1, 3}, {0, 0}, {NAN, 0}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const wsk_cli_case c = {.wall_kwh = all[i].kwh, .simulated_s = 1};
        assert_int_equal(wsk_cli_finer(&(wsk_cli_comparison){.cases = &c, .count = 1}), all[i].finer);
    }
}

static void money_of_several_currencies(void **state)
{
    (void)state;
    static const struct {
        const char *first, *own, *bought;
        bool known;
    } all[] = {{"USD", "USD", "USD", true}, {"EUR", "USD", "USD", false}, {"USD", "USD", "EUR", false}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        wsk_cli_case a = make("a", NAN, 100, 500, 1000), b = make("b", NAN, 100, 400, 1200);
        strcpy(a.currency, all[i].first);
        strcpy(a.purchase_currency, all[i].bought);
        strcpy(b.currency, all[i].own);
        strcpy(b.purchase_currency, all[i].bought);
        invest(&b, &a, &FINANCE, WSK_CLI_HOURS);
        if (all[i].known)
            assert_close(b.payback_years, 2);
        else
            assert_true(isnan(b.payback_years) && isnan(b.npv));
        strcpy(a.purchase_currency, "GBP");
        invest(&b, &a, &FINANCE, WSK_CLI_HOURS);
        assert_true(isnan(b.payback_years));
        free(a.label);
        free(b.label);
    }
}

static void cards_without_names(void **state)
{
    (void)state;
    char many[70 * 32] = "", *at = many;
    for (int i = 0; i < 70; i++)
        at += sprintf(at, "<gpu name=\"%c\"/>", i < 66 ? 'A' : 'B');
    const struct {
        const char *xml, *cards;
    } all[] = {{"<gpu tdp=\"350 W\"/><gpu/>", "card of 350 W"}, {"<gpu/>", ""}, {many, "A"}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        wsk_cli_case c = {.limit_w = 0};
        const wsk_elements *rig = elements_of(all[i].xml);
        wsk_cli_name_cards(c.cards, rig);
        wsk_elements_free(rig);
        assert_string_equal(c.cards, all[i].cards);
    }
    /* names that are longer than the text has room for are cut */
    char name[200], *xml;
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    xml = wsk_cli_format("<gpu name=\"a%s\"/><gpu name=\"b%s\"/><gpu name=\"c%s\"/>", name, name, name);
    wsk_cli_case c = {.limit_w = 0};
    const wsk_elements *rig = elements_of(xml);
    wsk_cli_name_cards(c.cards, rig);
    wsk_elements_free(rig);
    assert_int_equal(strlen(c.cards), sizeof c.cards - 1);
    assert_memory_equal(c.cards, "1 x axxx", 8);
    free(xml);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_payback),
        cmocka_unit_test(prices_of_one_kind),
        cmocka_unit_test(equal_electricity),
        cmocka_unit_test(loads_without_work),
        cmocka_unit_test(many_burdens),
        cmocka_unit_test(rivals),
        cmocka_unit_test(a_purchase_that_is_not_earned),
        cmocka_unit_test(work_that_is_lost),
        cmocka_unit_test(small_inversions),
        cmocka_unit_test(no_break_even_at_all),
        cmocka_unit_test(many_durations),
        cmocka_unit_test(why_a_saving_is_larger),
        cmocka_unit_test(settings_of_cards),
        cmocka_unit_test(no_settings_of_cards),
        cmocka_unit_test(digits_of_numbers),
        cmocka_unit_test(money_of_several_currencies),
        cmocka_unit_test(cards_without_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
