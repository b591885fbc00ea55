/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists of prices, exchange rates, and folders of parts with misplaced or missing files. */
#define _XOPEN_SOURCE 700
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/plans.h"
#include "tests/unit/assert.h"

static char folder[64];

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/wsk-prices-XXXXXX");
    return mkdtemp(folder) ? 0 : 1;
}

static const char *path_of(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void put_file(const char *name, const char *text)
{
    FILE *f = fopen(path_of(name), "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0 && fclose(f) == 0);
}

static int drop_folder(void **state)
{
    (void)state;
    static const char *const names[] = {"p.csv", "gpu/Mine.xml", "gpu/plain.xml", "mine.xml", "gpu", ""};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        remove(path_of(names[i]));
    return 0;
}

static double price_of(const wsk_plan *plan, const char *element, char currency[8])
{
    const wsk_elem *e = wsk_test_find(plan->rig, element);
    const wsk_param *p = wsk_kind_param(e->kind, "price");
    memcpy(currency, e->origins[p - e->kind->params].currency, 8);
    return *(const double *)(const void *)((const char *)e->params + p->offset);
}

#define RIG(tariff) \
    "<rig><site>" tariff "</site><chassis part='chassis/mid-tower'><gpu part='gpu/plain' slot='1'/><psu " \
    "part='psu/tier-gold-1600'/></chassis></rig>"

static const char plain[] =
    "<gpu title='Plain' tdp='350 W' clock-max='2 GHz' clock-knee='1.3 GHz' voltage-slope='0.5 1/GHz'><cooler "
    "kind='passive' conductance='9 W/K' flow='60 m3/h' capacity='400 J/K'/><source for='*' kind='assumed' "
    "ref='test'/></gpu>";

static void put_parts(void)
{
    mkdir(path_of("gpu"), 0700);
    put_file("gpu/plain.xml", plain);
}

/* A price of the list counts for parts with a price of their own and for parts without. */
static void prices_come_from_a_list(void **state)
{
    (void)state;
    put_parts();
    put_file("p.csv", "id,price,date\n# comment,,\n\ngpu/plain , 1234 EUR , 2026-08-03\r\npsu/tier-gold-1600,99 "
                      "USD,2026-08-01");
    char list[128], currency[8];
    strcpy(list, path_of("p.csv"));
    wsk_plan *plan = wsk_test_plan((wsk_plan_input){.parts_dir = "parts", .extra_parts_dir = folder, .prices = list},
                                   RIG(""), WSK_OK);
    assert_near(price_of(plan, "gpu", currency), 1234, 1e-12);
    assert_string_equal(currency, "EUR");
    assert_near(price_of(plan, "psu", currency), 99, 1e-12);
    assert_string_equal(currency, "USD");
    const wsk_elem *gpu = wsk_test_find(plan->rig, "gpu");
    const wsk_origin *o = &gpu->origins[wsk_kind_param(gpu->kind, "price") - gpu->kind->params];
    assert_string_equal(o->source, "database");
    assert_non_null(strstr(o->ref, "p.csv, 2026-08-03"));
    wsk_plan_free(plan);
}

/* Spreadsheets separate cells by semicolons where the decimal sign is a comma (RFC 4180 has commas), and put a cell
 * that contains the separator into quotes. */
static void lists_of_spreadsheets_are_read(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "id;price;date\r\ngpu/plain;1234,5 EUR;2026-08-03\r\npsu/tier-gold-1600;99 USD;2026-08-01\r\n",
        "gpu/plain; 1234,50 EUR ;2026-08-03\npsu/tier-gold-1600;99.00 USD;2026-08-01",
        "\"id\",\"price\",\"date\"\n\"gpu/plain\",\"1234,5 EUR\",\"2026-08-03\"\npsu/tier-gold-1600,99 "
        "USD,2026-08-01\n",
        "\"gpu/plain\" ; \"1234,5 EUR\" ; \"2026-08-03\"\npsu/tier-gold-1600;99 USD;2026-08-01\n",
        "id,price,date\rgpu/plain,1234.5 EUR,2026-08-03\rpsu/tier-gold-1600,99 USD,2026-08-01\r"};
    char list[128], currency[8];
    put_parts();
    strcpy(list, path_of("p.csv"));
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        put_file("p.csv", texts[i]);
        wsk_plan *plan = wsk_test_plan(
            (wsk_plan_input){.parts_dir = "parts", .extra_parts_dir = folder, .prices = list}, RIG(""), WSK_OK);
        assert_near(price_of(plan, "gpu", currency), 1234.5, 1e-9);
        assert_string_equal(currency, "EUR");
        assert_near(price_of(plan, "psu", currency), 99, 1e-9);
        assert_string_equal(currency, "USD");
        wsk_plan_free(plan);
    }
}

/* A day is that of the price beside it. A price of the rig, of a derived part or of an assignment has no day of the price
 * that it replaces. */
static void a_new_price_has_no_old_day(void **state)
{
    (void)state;
    put_parts();
    put_file("gpu/plain.xml", "<gpu title='Plain' base='gpu/rtx-4090' price='900 USD'><source for='price' "
                              "kind='assumed' ref='test'/></gpu>");
    static const struct {
        const char *gpu, *set, *day;
    } cases[] = {{"part='gpu/rtx-4090'", NULL, "2022-10-12"},
                 {"part='gpu/plain'", NULL, NULL},
                 {"part='gpu/rtx-4090' price='500 USD'", NULL, NULL},
                 {"part='gpu/rtx-4090' price='500 USD' price-date='2026-08-03'", NULL, "2026-08-03"},
                 {"part='gpu/rtx-4090' price-date='2026-08-03'", NULL, "2026-08-03"},
                 {"part='gpu/rtx-4090' price='500 USD' price-date='2026-08-03'", "gpu.price=300USD", NULL},
                 {"part='gpu/rtx-4090'", "gpu.tdp=400W", "2022-10-12"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        wsk_plan_input in = {.parts_dir = "parts", .extra_parts_dir = folder};
        if (cases[i].set) {
            in.sets = &cases[i].set;
            in.set_count = 1;
        }
        char rig[400];
        snprintf(rig, sizeof rig, "<rig><chassis part='chassis/mid-tower'><gpu %s slot='1'/></chassis></rig>",
                 cases[i].gpu);
        wsk_plan *plan = wsk_test_plan(in, rig, WSK_OK);
        const wsk_elem *gpu = wsk_test_find(plan->rig, "gpu");
        const char *day = gpu->origins[wsk_kind_param(gpu->kind, "price-date") - gpu->kind->params].text;
        if (cases[i].day)
            assert_string_equal(day, cases[i].day);
        else
            assert_null(day);
        wsk_plan_free(plan);
    }
}

static void mistakes_of_a_list_are_told(void **state)
{
    (void)state;
    put_parts();
    static const struct {
        const char *row, *says;
    } cases[] = {{"gpu/plain,10 USD", "expected three columns"},
                 {"gpu/plain,10 USD,2026-08-03,x", "expected three columns, not more"},
                 {"gpu/plain,10,50 EUR,2026-08-03", "a price with a decimal comma is two"},
                 {"gpu/plain;10 USD", "expected three columns"},
                 {"gpu/plain;1.234 EUR;2026-08-03", "\"1.234 EUR\" may be read in two ways"},
                 {"gpu/plain;1,234 EUR;2026-08-03", "\"1,234 EUR\" may be read in two ways"},
                 {"gpu/plain;1.234,50 EUR;2026-08-03", "\"1.234,50 EUR\" may be read in two ways"},
                 {"gpu/plain,\"1,234,567 EUR\",2026-08-03", "may be read in two ways"},
                 {"gpu/plain;10,50;2026-08-03", "\"10,50\" is not a price"},
                 {"\"gpu/plain;10,50 EUR;2026-08-03", "expected three columns"},
                 {"gpu/plain", "expected three columns"},
                 {"gpu/plian,10 USD,2026-08-03", "did you mean \"gpu/plain\""},
                 {"gpu/Plain,10 USD,2026-08-03", "\"gpu/Plain\""},
                 {"xyz/plain,10 USD,2026-08-03", "there is no part \"xyz/plain\""},
                 {"tariff/flat-de,10 USD,2026-08-03", "parts of <tariff> have no price"},
                 {"gpu/plain,10,2026-08-03", "\"10\" is not a price"},
                 {"gpu/plain,-10 USD,2026-08-03", "\"-10 USD\" is not a price"},
                 {"gpu/plain,10 USD,soon", "\"soon\" is not a date"}};
    char list[128];
    strcpy(list, path_of("p.csv"));
    const wsk_plan_input in = {.parts_dir = "parts", .extra_parts_dir = folder, .prices = list};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        put_file("p.csv", cases[i].row);
        wsk_plan *plan = wsk_test_plan(in, RIG(""), WSK_EINPUT);
        if (!wsk_test_plan_says(plan, cases[i].says))
            fail_msg("%s: %s", cases[i].row, plan->diags.items[0].message);
        wsk_plan_free(plan);
    }
    put_file("p.csv",
             "gpu/plain,10 USD,2026-08-03\npsu/tier-gold-1600,99 USD,2026-08-03\ngpu/plain,20 USD,2026-08-04\n");
    wsk_plan *plan = wsk_test_plan(in, RIG(""), WSK_EINPUT);
    assert_true(wsk_test_plan_says(plan, "\"gpu/plain\" has a price in line 1 already"));
    assert_int_equal(plan->diags.items[0].line, 3);
    wsk_plan_free(plan);
    remove(list);
    plan = wsk_test_plan(in, RIG(""), WSK_EINPUT);
    assert_true(wsk_test_plan_says(plan, "cannot open the file"));
    assert_string_equal(plan->diags.items[0].file, list);
    wsk_plan_free(plan);
}

/* Rates convert prices to the currency of the tariff, directly, the other way and through a third currency. A rate
 * that is given again does not count, and neither does one of currencies without a link to the tariff's. */
static void rates_convert_prices(void **state)
{
    (void)state;
    put_parts();
    put_file("p.csv", "psu/tier-gold-1600,100 USD,2026-08-01\n");
    char list[128];
    strcpy(list, path_of("p.csv"));
    static const struct {
        const char *rates[3];
        double price;
        const char *currency;
    } cases[] = {{{"USD=0.5EUR"}, 50, "EUR"},
                 {{"EUR=4 USD"}, 25, "EUR"},
                 {{"CHF=2 USD", "EUR=2 CHF"}, 25, "EUR"},
                 {{"AUD=0.3 EUR", "USD=2 AUD", "USD=0.5EUR"}, 50, "EUR"},
                 {{"CHF=2 JPY"}, 100, "USD"},
                 {{"CHF=2 EUR"}, 100, "USD"}};
    char currency[8];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t count = 0;
        while (count < 3 && cases[i].rates[count])
            count++;
        wsk_plan *plan = wsk_test_plan((wsk_plan_input){.parts_dir = "parts",
                                                        .extra_parts_dir = folder,
                                                        .prices = list,
                                                        .exchanges = cases[i].rates,
                                                        .exchange_count = count},
                                       RIG("<tariff price='0.3 EUR/kWh'/>"), WSK_OK);
        const double price = price_of(plan, "psu", currency);
        if (fabs(price - cases[i].price) > 1e-9 || strcmp(currency, cases[i].currency) != 0)
            fail_msg("case %zu: %g %s", i, price, currency);
        wsk_plan_free(plan);
    }
    /* an option comes before the rates of the rig, also where these lead over other currencies */
#define RATE(currency, value) "<exchange currency='" currency "' value='" value "'/>"
    static const struct {
        const char *rig, *rate;
        double price;
    } before[] = {
        {RIG("<tariff price='0.3 EUR/kWh'/>" RATE("AUD", "0.3 EUR") RATE("USD", "2 AUD")), "USD=0.5EUR", 50},
        {RIG("<tariff price='0.3 EUR/kWh'/>" RATE("AUD", "0.3 EUR") RATE("USD", "2 AUD")), "AUD=0.4EUR", 80}};
    for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
        wsk_plan *plan = wsk_test_plan((wsk_plan_input){.parts_dir = "parts",
                                                        .extra_parts_dir = folder,
                                                        .prices = list,
                                                        .exchanges = &before[i].rate,
                                                        .exchange_count = 1},
                                       before[i].rig, WSK_OK);
        assert_near(price_of(plan, "psu", currency), before[i].price, 1e-9);
        wsk_plan_free(plan);
    }
    static const char *const twice[] = {
        RIG("<tariff price='0.3 EUR/kWh'/>" RATE("USD", "0.5 EUR") RATE("USD", "0.6 EUR")),
        RIG("<tariff price='0.3 EUR/kWh'/>" RATE("USD", "0.5 EUR") RATE("EUR", "2 USD"))};
    for (size_t i = 0; i < 2; i++) {
        wsk_plan *plan = wsk_test_plan((wsk_plan_input){.parts_dir = "parts"}, twice[i], WSK_EINPUT);
        assert_true(wsk_test_plan_says(plan, "expected one"));
        wsk_plan_free(plan);
    }
    /* without a tariff, with or without a site, nothing is converted */
    const char *rate = "USD=0.5EUR";
    static const char *const rigs[] = {RIG(""), "<rig><chassis part='chassis/mid-tower'><psu "
                                                "part='psu/tier-gold-1600'/></chassis></rig>"};
    for (size_t i = 0; i < 2; i++) {
        wsk_plan *plan = wsk_test_plan((wsk_plan_input){.parts_dir = "parts",
                                                        .extra_parts_dir = folder,
                                                        .prices = list,
                                                        .exchanges = &rate,
                                                        .exchange_count = 1},
                                       rigs[i], WSK_OK);
        assert_near(price_of(plan, "psu", currency), 100, 1e-12);
        wsk_plan_free(plan);
    }
    static const char *const wrong[] = {"USD", "EURO=1 USD", "eur=1 USD", "USD=", "USD=0 EUR", "U\"D=1 EUR"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        wsk_plan *plan =
            wsk_test_plan((wsk_plan_input){.parts_dir = "parts", .exchanges = &wrong[i], .exchange_count = 1},
                          "<rig><site><tariff price='0.3 EUR/kWh'/></site></rig>", WSK_EINPUT);
        assert_true(wsk_test_plan_says(plan, "expected"));
        wsk_plan_free(plan);
    }
}

#define CARD(part) "<rig><chassis part='chassis/mid-tower'><gpu part='" part "' slot='1'/></chassis></rig>"

/* The message about a missing part names the user's file that was probably meant: one beside the folder of its family,
 * or one with capitals in its name. */
static void misplaced_parts_are_found(void **state)
{
    (void)state;
    put_parts();
    put_file("mine.xml", plain);
    put_file("gpu/Mine.xml", plain);
    char family[80];
    strcpy(family, path_of("gpu"));
    wsk_plan *plan = wsk_test_plan((wsk_plan_input){.parts_dir = "parts", .extra_parts_dir = folder},
                                   CARD("gpu/mine"), WSK_EINPUT);
    assert_true(wsk_test_plan_says(plan, "gpu/Mine.xml"));
    wsk_plan_free(plan);
    remove(path_of("gpu/Mine.xml"));
    plan = wsk_test_plan((wsk_plan_input){.parts_dir = "parts", .extra_parts_dir = folder}, CARD("gpu/mine"),
                         WSK_EINPUT);
    assert_true(wsk_test_plan_says(plan, "/mine.xml"));
    wsk_plan_free(plan);
    /* The user names the folder of one family, parts/gpu, instead of the folder of all parts. */
    plan = wsk_test_plan((wsk_plan_input){.parts_dir = "parts", .extra_parts_dir = family}, CARD("gpu/plain"),
                         WSK_EINPUT);
    assert_true(wsk_test_plan_says(plan, "gpu/plain.xml"));
    wsk_plan_free(plan);
}

static void folders_without_parts_are_told(void **state)
{
    (void)state;
    put_parts();
    wsk_plan *plan = wsk_test_plan((wsk_plan_input){.path = NULL}, CARD("gpu/plain"), WSK_EINPUT);
    assert_true(wsk_test_plan_says(plan, "gpu/plain"));
    wsk_plan_free(plan);
    remove(path_of("gpu/plain.xml"));
    remove(path_of("mine.xml"));
    static const char two[] =
        "<rig><chassis><gpu part='gpu/plain' slot='1'/><gpu part='gpu/plain' slot='4'/></chassis></rig>";
    for (int extra = 0; extra < 2; extra++) { /* no folder has any part: one error for both cards */
        plan = wsk_test_plan(
            (wsk_plan_input){.parts_dir = extra ? NULL : folder, .extra_parts_dir = extra ? folder : NULL}, two,
            WSK_EINPUT);
        assert_true(wsk_test_plan_says(plan, folder));
        assert_int_equal(plan->diags.errors, 1);
        wsk_plan_free(plan);
    }
    /* a part that the rig names twice and that does not exist: one error, with the number of places */
    plan = wsk_test_plan((wsk_plan_input){.parts_dir = "parts"}, two, WSK_EINPUT);
    assert_int_equal(plan->diags.errors, 1);
    assert_true(wsk_test_plan_says(plan, "there is no part \"gpu/plain\""));
    assert_true(wsk_test_plan_says(plan, "named in 2 places"));
    wsk_plan_free(plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prices_come_from_a_list),        cmocka_unit_test(lists_of_spreadsheets_are_read),
        cmocka_unit_test(a_new_price_has_no_old_day),     cmocka_unit_test(mistakes_of_a_list_are_told),
        cmocka_unit_test(rates_convert_prices),           cmocka_unit_test(misplaced_parts_are_found),
        cmocka_unit_test(folders_without_parts_are_told),
    };
    return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
