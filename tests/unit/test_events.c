/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "tests/unit/assert.h"
#include "tests/support/bench.h"

typedef struct {
    const char *code, *english;
} term;
static const term whats[] = {
#define WSK_WHAT(name, code, english) {code, english},
#define WSK_WHY(name, code, english)
#include "sim/control/events.def"
#undef WSK_WHAT
#undef WSK_WHY
};
static const term whys[] = {
#define WSK_WHAT(name, code, english)
#define WSK_WHY(name, code, english) {code, english},
#include "sim/control/events.def"
#undef WSK_WHAT
#undef WSK_WHY
};
#define COUNT(list) (sizeof(list) / sizeof *(list))

static void check_terms(const term *list, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(strspn(list[i].code, "abcdefghijklmnopqrstuvwxyz-"), strlen(list[i].code));
        assert_null(strpbrk(list[i].english, ",\"\n"));
        for (size_t k = 0; k < i; k++)
            assert_true(strcmp(list[i].code, list[k].code) != 0 && strcmp(list[i].english, list[k].english) != 0);
    }
}

static void codes_are_unique_and_fit_into_csv(void **state)
{
    (void)state;
    check_terms(whats, COUNT(whats));
    check_terms(whys, COUNT(whys));
}

static const term *find(const term *list, size_t n, const char *english, size_t len)
{
    for (size_t i = 0; i < n; i++)
        if (strlen(list[i].english) == len && !memcmp(list[i].english, english, len))
            return &list[i];
    return NULL;
}

static int check_lines(const char *lines)
{
    int n = 0;
    for (; *lines; n++) {
        const char *field[5], *at = lines;
        char code[80];
        for (int i = 0; i < 5; i++) {
            field[i] = at;
            at += strcspn(at, ",\n");
            assert_int_equal(*at++, i < 4 ? ',' : '\n');
        }
        const term *what = find(whats, COUNT(whats), field[2], (size_t)(field[3] - field[2] - 1)),
                   *why = find(whys, COUNT(whys), field[3], (size_t)(field[4] - field[3] - 1));
        assert_true(what && why);
        int len = snprintf(code, sizeof code, "%s.%s\n", what->code, why->code);
        assert_int_equal(at - field[4], len);
        assert_memory_equal(field[4], code, (size_t)len);
        lines = at;
    }
    return n;
}

static void each_event_has_the_code_of_its_words(void **state)
{
    static const struct {
        const char *rig, *line;
    } runs[] = {{"scenarios/fan-dies/pump.xml", ",fails,as scheduled,fails.scheduled\n"},
                {"scenarios/quad-3090-15a/350.xml", ",throttle,sw_power_cap,throttle.power-cap\n"}};
    (void)state;
    for (size_t i = 0; i < COUNT(runs); i++) {
        wsk_rig *rig = wsk_test_rig_file(runs[i].rig);
        wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 6 * 3600);
        char *lines = NULL;
        wsk_test_advance(run, 6 * 3600);
        assert_int_equal(wsk_run_events_csv(run, false, &lines), WSK_OK);
        assert_true(check_lines(lines) > 1);
        assert_non_null(strstr(lines, runs[i].line));
        wsk_text_free(lines);
        wsk_run_free(run);
        wsk_rig_free(rig);
    }
}

/* A card that has shut down has no clock to limit, so no throttle event of it follows, neither a begin nor an end. */
static void a_card_that_is_off_has_no_throttling(void **state)
{
    (void)state;
    wsk_rig *rig = wsk_test_rig_file("scenarios/fan-dies/pump.xml");
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 6 * 3600);
    char *lines = NULL;
    wsk_test_advance(run, 6 * 3600);
    assert_int_equal(wsk_run_events_csv(run, false, &lines), WSK_OK);
    const char *off = strstr(lines, ",gpu1,shutdown,");
    assert_non_null(off);
    assert_null(strstr(off, ",gpu1,throttle"));
    wsk_text_free(lines);
    wsk_run_free(run);
    wsk_rig_free(rig);
}

/* Without mains a card's fan stands still, whatever the die's temperature. Neither this stop nor the next start is a
 * "fan slower" event. */
static void no_fan_follows_a_die_without_mains(void **state)
{
    (void)state;
    wsk_rig *rig = wsk_test_rig_file("scenarios/quad-3090-blower/rig.xml");
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 3600);
    char *lines = NULL;
    wsk_test_advance(run, 1800);
    assert_int_equal(wsk_run_events_csv(run, true, &lines), WSK_OK);
    wsk_text_free(lines);
    for (int on = 0; on < 2; on++) {
        assert_int_equal(wsk_run_set(run, "circuit.on", on), WSK_OK);
        wsk_test_advance(run, 3000 + 10 * on);
        assert_int_equal(wsk_run_events_csv(run, true, &lines), WSK_OK);
        assert_non_null(strstr(lines, on ? ",circuit,returns," : ",circuit,fails,"));
        assert_non_null(strstr(lines, on ? ",chassis0,returns," : ",chassis0,stops,"));
        assert_null(strstr(lines, ",gpu0,fan slower"));
        wsk_text_free(lines);
    }
    wsk_run_free(run);
    wsk_rig_free(rig);
}

/* When the mains returns, card y, which an order switched off, is on again. Card x, which fell off the bus for good,
 * stays off, and has no second event. */
static void a_card_is_lost_once(void **state)
{
    (void)state;
    wsk_rig *rig = wsk_test_rig("<rig><site supply='230 V' circuit='16 A'/><chassis part='chassis/mining-frame-8'>"
                                "<psu kind='constant' rated='1600 W' efficiency='90 %'/>"
                                "<gpu id='x' part='gpu/rtx-3090' slot='1' riser='60 mm' lost-at='5 min'/>"
                                "<gpu id='y' part='gpu/rtx-3090' slot='2' riser='60 mm'/></chassis>"
                                "<workload kind='constant' class='burn'/><run for='1 h'/></rig>",
                                NULL);
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 3600);
    char *lines = NULL;
    wsk_test_advance(run, 600);
    assert_int_equal(wsk_run_set(run, "y.off", 1), WSK_OK);
    for (int on = 0; on < 2; on++) {
        assert_int_equal(wsk_run_set(run, "circuit.on", on), WSK_OK);
        wsk_test_advance(run, 900 + 300 * on);
        assert_near(wsk_test_get(run, "x.off"), 1, 0);
        assert_near(wsk_test_get(run, "y.off"), !on, 0);
    }
    assert_int_equal(wsk_run_events_csv(run, false, &lines), WSK_OK);
    const char *lost = strstr(lines, ",x,falls off the bus,");
    assert_non_null(lost);
    assert_null(strstr(lost + 1, ",x,falls off the bus,"));
    wsk_text_free(lines);
    wsk_run_free(run);
    wsk_rig_free(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(codes_are_unique_and_fit_into_csv), cmocka_unit_test(each_event_has_the_code_of_its_words),
        cmocka_unit_test(a_card_that_is_off_has_no_throttling), cmocka_unit_test(no_fan_follows_a_die_without_mains),
        cmocka_unit_test(a_card_is_lost_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
