/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages on values, dates, units and names in common spellings that are not accepted: each says what was probably
 * meant, or does not guess. */
#include <stdlib.h>
#include <string.h>

#include "sim/io/load.h"
#include "tests/unit/assert.h"

static const char rig[] = "<rig><site supply=\"230 V\"><room><air-conditioner capacity=\"4 kW\"/></room><tariff "
                          "price=\"0.1 EUR/kWh\"/></site><chassis "
                          "part=\"chassis/mid-tower\"><fan "
                          "part=\"fan/arctic-p12\" at=\"rear\"/><gpu part=\"gpu/rtx-3090\" slot=\"1\"/><psu "
                          "part=\"psu/tier-gold-1600\"/></chassis><workload kind=\"inference\" "
                          "class=\"decode\"/><run for=\"1 h\" from=\"2026-01-01\"/></rig>";

/* Asserts that the assignment PATH=VALUE is refused by one message. meant: the end of the message, from "did you mean "
 * on; "": it guesses nothing. */
static void assert_meant(const char *path, const char *value, const char *says, const char *meant)
{
    char set[1200], end[200] = "";
    const char *const sets[] = {set};
    snprintf(set, sizeof set, "%s=%s", path, value);
    if (*meant)
        snprintf(end, sizeof end, "; did you mean %s", meant);
    const wsk_plan_input in = {.path = "rig.xml",
                               .text = rig,
                               .text_len = sizeof rig - 1,
                               .parts_dir = "parts",
                               .sets = sets,
                               .set_count = 1};
    wsk_plan *plan = NULL;
    if (wsk_plan_load(&plan, &in) != WSK_EINPUT)
        fail_msg("%s is not refused", set);
    assert_int_equal(plan->diags.errors, 1);
    const char *message = plan->diags.items[0].message, *guess = strstr(message, "; did you mean ");
    if (!strstr(message, says) || strcmp(guess ? guess : "", end) != 0)
        fail_msg("%s: \"%s\" and \"%s\" expected, not: %s", set, says, end, message);
    wsk_plan_free(plan);
}

typedef struct {
    const char *path, *value, *says, *meant;
} row;

#define LIMIT "gpu.power-limit"
#define PRICE "tariff.price"
#define NINES "99999999999999999999999999999999999999999999"

static void check(const row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        assert_meant(rows[i].path, rows[i].value, rows[i].says, rows[i].meant);
}

#define CHECK(rows) check((rows), sizeof(rows) / sizeof *(rows))

static void test_separators(void **state)
{
    (void)state;
    static const row rows[] = {
        {LIMIT, "1,000W", "has a comma", "\"1000W\" or \"1.000W\""},
        {LIMIT, "1.000.000W", "cannot be read", "\"1000000W\""},
        {LIMIT, "1.000.00W", "is not a number", ""},
        {LIMIT, "1,000.5W", "has a comma", "\"1000.5W\""},
        {LIMIT, "1.000,5W", "has a comma", "\"1000.5W\""},
        {LIMIT, "0,350kW", "has a comma", "\"0.350kW\""},
        {LIMIT, ",350kW", "has a comma", "\".350kW\""},
        {LIMIT, "1234,567W", "has a comma", "\"1234.567W\""},
        {LIMIT, "12,34,567W", "is not a number", ""},
        {LIMIT, "1,234,567W", "has a comma", "\"1234567W\""},
        {LIMIT, "1,234,5W", "is not a number", ""},
        {LIMIT, "1'000W", "cannot be read", "\"1000W\""},
    };
    CHECK(rows);
}

static void test_signs_and_width(void **state)
{
    (void)state;
    static const row rows[] = {
        {LIMIT, "~350W", "cannot be read", "\"350W\""},
        {LIMIT, "ca. 350W", "cannot be read", "\"350W\""},
        {LIMIT, "\xC2\xB1 350W", "cannot be read", "\"350W\""},
        {LIMIT,
         "\xE2\x88\x92"
         "350W",
         "cannot be read", "\"-350W\""},
        {"site.supply", "AC230V", "cannot be read", "\"230V\""},
        {"site.supply", "DC 230V", "cannot be read", "\"230V\""},
        {"site.supply", "230 VAC", "cannot be read", "\"230 V\""},
        {"site.supply", "AC", "is not a number", ""},
        /* full-width digits and letters, then other characters that begin with the same byte */
        {LIMIT, "\xEF\xBC\x93\xEF\xBC\x95\xEF\xBC\x90\xEF\xBC\xB7", "cannot be read", "\"350W\""},
        {LIMIT, "350\xEF\xBD\x97", "has an unknown unit", ""},
        {LIMIT, "350\xEF\xBF\xA5", "has an unknown unit", ""},
        {LIMIT, "350\xEF\xAC\x80", "has an unknown unit", ""},
        {LIMIT, "350\xEF\xBD\xB0", "has an unknown unit", ""},
    };
    CHECK(rows);
}

static void test_units_of_daily_life(void **state)
{
    (void)state;
    static const row rows[] = {
        {PRICE, "$0.16/kWh", "cannot be read", "\"0.16 USD/kWh\""},
        {PRICE, "\xE2\x82\xAC 0,16/kWh", "has a comma", "\"0.16 EUR/kWh\""},
        {PRICE, "\xE2\x82\xAC/kWh", "is not a number", ""},
        {PRICE, "16 ct/kWh", "cannot be read", "\"0.16 EUR/kWh\""},
        {PRICE, "16 ct/kW/h", "cannot be read", "\"0.16 EUR/kWh\""},
        {PRICE, "0.16 eur/kWh", "cannot be read", "\"0.16 EUR/kWh\""},
        {PRICE, "0.16 EUR/kW/h", "cannot be read", "\"0.16 EUR/kWh\""},
        {PRICE, "0.16 EUR/kW/hour", "", ""},
        {PRICE, "0.16 EUR", "cannot be read", "\"0.16 EUR/kWh\""},
        {PRICE, "30 yen", "cannot be read", "\"30 JPY/kWh\""},
        {PRICE, "0.16 Euro per kWh", "has an unknown unit", ""},
        {"run.for", "3 months", "cannot be read", "\"90 d\""},
        {"run.for", "2 months/x", "has an unknown unit", ""},
        {"run.for", "1 monthsx", "has an unknown unit", ""},
        {"run.for", "10 m", "cannot be read", "\"10 min\""},
        {"run.for", "2 hrs", "cannot be read", "\"2 h\""},
        {"run.for", "1d 12h", "cannot be read", "\"36 h\""},
        {"run.for", "1d12h", "cannot be read", "\"36 h\""},
        {"run.for", "1 day, 12 hours", "cannot be read", "\"36 h\""},
        {"run.for", "1 h 30 m", "cannot be read", "\"90 min\""},
        {"run.for", "1h 30", "has an unknown unit", ""},
        {"run.for", "1d x", "has an unknown unit", ""},
        {"run.for", "1 hour", "has an unknown unit", "\"1 h\""},
        {"run.for", "2 minutes", "has an unknown unit", "\"2 min\""},
        {"room.temperature", "20", "has no unit", "\"20 degC\""},
        {"room.temperature", "20\xC2\xB0", "cannot be read", "\"20 degC\""},
        {LIMIT, "350", "has no unit", "\"350 W\""},
        {LIMIT, "350 w", "has an unknown unit", "\"350 W\""},
        {LIMIT, "350 watts", "has an unknown unit", "\"350 W\""},
        {LIMIT, "350 apples", "has an unknown unit", ""},
        {LIMIT, "350 hours", "has an unknown unit", ""},
        {LIMIT, "350 kg", "is a mass", ""},
        {LIMIT, NINES, "has no unit", ""},
        {LIMIT, NINES " watts", "has an unknown unit", ""},
        {"fan.pressure", "9", "has no unit", "\"9 Pa\""},
        {PRICE, "9", "has no unit", ""},
    };
    CHECK(rows);
}

static void test_ranges(void **state)
{
    (void)state;
    static const row rows[] = {
        {LIMIT, "-350 W", "expected more than zero", "\"350 W\""},
        {LIMIT, "-" NINES " W", "expected more than zero", ""},
        {LIMIT, "0 W", "expected more than zero", ""},
        {LIMIT, "1e400W", "is too large", ""},
        {LIMIT, "", "there is no value", ""},
        {"gpu.slot", "1.5", "is not a whole number", ""},
        {"gpu.slot", "-1", "expected at least 1", ""},
        {"gpu.slot", "1 W", "is a power; expected a whole number", ""},
        {"chassis.slots", "100", "expected at most 64", ""},
        {"psu.efficiency-50", "92", "expected at most 99.5 %", "\"92 %\""},
        {"psu.efficiency-50", "9200", "expected at most 99.5 %", ""},
        {"psu.efficiency-50", "120 %", "expected at most 99.5 %", ""},
        {"psu.efficiency-50", "92.0000000000000000000000000000000000000000", "expected at most 99.5 %", ""},
    };
    CHECK(rows);
}

static void test_dates(void **state)
{
    (void)state;
    static const struct {
        const char *typed, *meant;
    } dates[] = {
        {"2026-08-03 10:00:00", "\"2026-08-03T10:00:00\""},
        {"2026-08-03T10:00:00Z", "\"2026-08-03T10:00:00\""},
        {"2026-08-03T10:00:00+02:00", "\"2026-08-03T10:00:00\""},
        {"2026-08-03 10:00:00Z", "\"2026-08-03T10:00:00\""},
        {"2026-08-03 10:61:00Z", ""},
        {"2026-08-03T10:61:00", ""},
        {"3.8.2026", "\"2026-08-03T00:00:00\""},
        {"03.08.2026", "\"2026-08-03T00:00:00\""},
        {"8/3/2026", "\"2026-08-03T00:00:00\""},
        {"13/8/2026", "\"2026-08-13T00:00:00\""},
        {"31/31/2026", ""},
        {"3-8-26", ""},
        {"3.8.2026x", ""},
        {"2026-31-08", "\"2026-08-31\""},
        {"2026-31-08T10:00", "\"2026-08-31T10:00\""},
        {"2026-31-31", ""},
        {"2026-31/08", ""},
        {"2026.31.08", ""},
        {"yesterday", ""},
        {"", ""},
        {"3.8", ""},
        {"3", ""},
        {"2026-13-09" NINES, ""},
        {"123.8.2026", ""},
        {"1.234.2026", ""},
        {"1.2.20260", ""},
        {"..2026", ""},
    };
    for (size_t i = 0; i < sizeof dates / sizeof *dates; i++)
        assert_meant("run.from", dates[i].typed, "is not a date", dates[i].meant);
}

static void test_texts_and_curves(void **state)
{
    (void)state;
    char text[1002];
    memset(text, 'x', 1001);
    text[1001] = '\0';
    assert_meant("rig.name", text, "more than 1000 bytes", "");
    static const row rows[] = {
        {"rig.name", "a\x7F", "a control character", ""},
        {"rig.name", "a\xC2\x85", "a control character", ""},
        {"fan.curve", "40 degC:30 %; 50 degC:40 %", "joined by semicolons", ""},
        {"fan.curve", "40 degC:30 %, 50 degC", "\"50 degC\" is not a point of a curve", ""},
        {"fan.curve", "40 degC:30 %, 50:40 %", "\"50\" has no unit", "\"50 degC\""},
        {"fan.curve", "40 degC:30 %, 50 degC:x", "\"x\" is not a number", ""},
        {"fan.curve", "40 degC:30 %, 40 degC:50 %", "\"40 degC\" is not above the one before it", ""},
        {"fan.curve", "", "\"\" is not a point of a curve", ""},
        {"gpu.limit-schedule", "25:00:300 W", "\"25:00\" is not a time of day", ""},
        {"fan.curve", "40 degC:30, 80 degC:100", "\"30\" is out of range; expected at most 100 %", "\"30 %\""},
        {"fan.curve", "40 degC: 30, 80 degC: 100 %", "\"30\" is out of range; expected at most 100 %", "\"30 %\""},
        {"fan.curve", "40 degC:300 %, 80 degC:100 %", "\"300 %\" is out of range; expected at most 100 %", ""},
        {"fan.curve", "40 degC:30 %, 80 degC:-100 %", "\"-100 %\" is out of range; expected at least 0 %", ""},
        {"fan.curve", "4000 degC:30 %", "\"4000 degC\" is out of range; expected at most 200 degC", ""},
        {"fan.load-curve", "100 W:4000 degC", "expected at most 200 degC", ""},
        {"fan.load-curve", "-100 W:40 degC", "expected at least 0 W", ""},
        {"gpu.limit-schedule", "7:00:-300 W", "\"-300 W\" is out of range; expected at least 0 W", ""},
        {"psu.line-rating", "100 V:0 W", "expected at least 1 W", ""},
        {"workload.load-curve", "0:00:20, 14:00:90 %", "\"20\" is out of range; expected at most 100 %", "\"20 %\""},
        {"workload.load-curve", "0:00:-20 %", "\"-20 %\" is out of range; expected at least 0 %", ""},
        {"workload.load-curve", "0:00:120 %", "\"120 %\" is out of range; expected at most 100 %", ""},
        {"workload.load-curve", "8am:10 %, 12:00:80 %", "\"8am\" is not a time of day", ""},
        {"workload.load-curve", "8:10 %, 12:80 %", "\"8\" is not a time of day; expected such as 16:00 or 16 h", ""},
        {"workload.load-curve", "30 h:20 %", "\"30 h\" is out of range; expected at most 24 h", ""},
        {"air-conditioner.cop-curve", "20 degC:0, 35 degC:0", "\"0\" is out of range; expected at least 0.5", ""},
        {"air-conditioner.cop-curve", "20 degC:-4", "\"-4\" is out of range; expected at least 0.5", ""},
        {"air-conditioner.cop-curve", "20 degC:40", "\"40\" is out of range; expected at most 20", ""},
    };
    CHECK(rows);
    wsk_buf b = {0};
    for (int i = 0; i <= WSK_CURVE_MAX; i++)
        wsk_buf_printf(&b, "%s%d degC:50 %%", i ? ", " : "", i + 1);
    assert_meant("fan.curve", b.data, "points", "");
    wsk_buf_free(&b);
}

static void test_names(void **state)
{
    (void)state;
    static const row rows[] = {
        {"gpu", "parts/gpu/rtx-3090.xml", "there is no part", "\"gpu/rtx-3090\""},
        {"gpu", "/opt/parts/gpu/rtx-3090.xml", "is not a part's name", "\"gpu/rtx-3090\""},
        {"gpu", "rtx 3090", "is not a part's name", "\"gpu/rtx-3090\""},
        {"gpu", "GPU/rtx-3090", "is not a part's name", "\"gpu/rtx-3090\""},
        {"gpu", "gpu/RTX_3090", "is not a part's name", "\"gpu/rtx-3090\""},
        {"gpu", "gpu/../psu", "is not a part's name", ""},
        {"gpu", "/etc/passwd", "is not a part's name", ""},
        {"gpu", "gpu/", "is not a part's name", ""},
        {"psu", "psu/xyzzy", "there is no part", ""},
        {"gpu", "gpu/dgx-spark", "; gpu/generic with tdp=\"...\" stands in for a card that is not listed", ""},
        {"gpu", "gpu/geforce-rtx-5090", "there is no part", "\"gpu/rtx-5090\""},
        {"gpu", "gpu/nvidia-geforce-rtx-3090-ti-strix", "there is no part", "\"gpu/rtx-3090-ti\""},
        {"gpu", "gpu/tesla-p40", "there is no part", "\"gpu/p40\""},
        {"gpu", "gpu/p40-24gb", "there is no part", "\"gpu/p40\""},
        {"gpu", "NVIDIA GeForce RTX 5090", "is not a part's name", "\"gpu/rtx-5090\""},
        {"gpu", "gpu/rtx-3090-strix", "there is no part", "\"gpu/rtx-3090\""},
        {"gpu", "gpu/rtx-4070-ti-supr", "there is no part", "\"gpu/rtx-4070-ti-super\""},
        {"gpu", "gpu/rtx-4060-ti", "there is no part", "\"gpu/rtx-4060-ti-16gb\""},
        {"gpu", "gpu/rtx-5060-ti", "there is gpu/rtx-5060-ti-16gb, gpu/rtx-5060-ti-8gb", ""},
        {"gpu", "gpu/rx-7900", "there is gpu/rx-7900-gre, gpu/rx-7900-xt, gpu/rx-7900-xtx", ""},
        {"workload.model", "model/llama70b", "there is model/llama-3-70b", ""},
        {"workload.model", "model/llama70b", "'wattsink kinds model' lists the values of its config.json", ""},
        {"workload.model", "model/falcon-9", "'wattsink kinds model' lists the values of its config.json", ""},
        {"workload.model", "model/qwen3-8", "'wattsink kinds model' lists the values of its config.json",
         "\"model/qwen3-8b\""},
        {"psu", "gold", "there is psu/", ""},
        {"psu", "psu/80plus-gold", "there is psu/tier-gold-1000, ", ""},
        {"psu", "psu/80-plus-titanium-1600", "there is no part", "\"psu/tier-titanium-1600\""},
        {"psu.kind", "const", "unknown kind", "\"constant\""},
        {"workload.class", "LLM", "is unknown", "\"decode\""},
        {"workload.class", "fine-tuning", "is unknown", "\"training\""},
        {"workload.class", "boost", "is unknown", ""},
        {"chassis.power-brake", "true", "is unknown", "\"yes\""},
        {"chassis.power-brake", "off", "is unknown", "\"no\""},
        {"gpu.wattage", "3 W", "is called \"wattage\"", "\"gpu.tdp\""},
        {"run.days", "3", "is called \"days\"", "\"run.for\""},
        {"room.size", "30 m3", "is called \"size\"", "\"room.volume\""},
        {"fan.size", "3 mm", "is called \"size\"", "\"fan.diameter\""},
    };
    CHECK(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_separators),
        cmocka_unit_test(test_signs_and_width),
        cmocka_unit_test(test_units_of_daily_life),
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_dates),
        cmocka_unit_test(test_texts_and_curves),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
