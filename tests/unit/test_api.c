/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <cmocka.h>

#include "tests/unit/assert.h"
#include "wattsink.h"

#define CARD \
    "<gpu slot='1' tdp='250 W' clock-max='1900 MHz' clock-knee='1400 MHz' voltage-slope='0.6 1/GHz' %s>" \
    "<cooler kind='blower' conductance='8 W/K' flow='16 CFM' capacity='500 J/K' fan-pressure='320 Pa'" \
    " fan-flow='29 CFM' fan-rpm='4000 rpm'/></gpu>"

static wsk_rig *load(const char *text, wsk_status expected)
{
    wsk_rig *rig = NULL;
    wsk_rig_options o = {.path = "-", .text = text, .text_len = strlen(text), .parts_dir = "parts"};
    assert_int_equal(wsk_rig_load(&rig, &o), expected);
    return rig;
}

static wsk_rig *with_card(const char *attributes, const char *around)
{
    static char text[4096];
    char card[1024];
    snprintf(card, sizeof card, CARD, attributes);
    snprintf(text, sizeof text,
             "<rig><site><room temperature='25 degC'/>%s</site><chassis><psu kind='constant' rated='900 W' "
             "efficiency='90 %%'/><fan at='front' pressure='18 Pa' flow='55 CFM' rpm='1500 rpm'/>%s</chassis>"
             "<workload class='burn'/><run for='1 h'/></rig>",
             around, card);
    return load(text, WSK_OK);
}

static double number(const char *json, const char *key)
{
    char name[64];
    snprintf(name, sizeof name, "\"%s\": ", key);
    const char *at = strstr(json, name);
    assert_non_null(at);
    at += strlen(name);
    return strncmp(at, "null", 4) == 0 ? (double)NAN : strtod(at, NULL);
}

static void test_refused_values_change_nothing(void **state)
{
    (void)state;
    wsk_rig *rig = with_card("", "");
    wsk_run *a, *b;
    double pa, pb;
    assert_int_equal(wsk_run_new(&a, rig, NULL), WSK_OK);
    assert_int_equal(wsk_run_new(&b, rig, NULL), WSK_OK);
    assert_int_equal(wsk_run_set(a, "gpu0.power_w", -50), WSK_EINPUT);
    assert_int_equal(wsk_run_set(a, "gpu0.colour", 1), WSK_EINPUT);
    assert_int_equal(wsk_run_set(a, "gpu7.power_w", 50), WSK_EINPUT);
    assert_int_equal(wsk_run_advance(a, 60), WSK_OK);
    assert_int_equal(wsk_run_advance(b, 60), WSK_OK);
    assert_int_equal(wsk_run_get(a, "gpu0.power_w", &pa), WSK_OK);
    assert_int_equal(wsk_run_get(b, "gpu0.power_w", &pb), WSK_OK);
    assert_same(pa, pb);
    wsk_run_free(a);
    wsk_run_free(b);
    wsk_rig_free(rig);
}

static void test_steps_and_lengths_out_of_range(void **state)
{
    (void)state;
    wsk_rig *rig = with_card("", "");
    static const wsk_run_options bad[] = {{.step_s = 1e-10}, {.step_s = -1},       {.step_s = 61},
                                          {.step_s = NAN},   {.duration_s = 1e10}, {.duration_s = -1}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        wsk_run *run = NULL;
        assert_int_equal(wsk_run_new(&run, rig, &bad[i]), WSK_EUSAGE);
        assert_null(run);
    }
    wsk_rig_free(rig);
}

static void test_values_before_the_first_step(void **state)
{
    (void)state;
    wsk_rig *rig = with_card("", "");
    wsk_run *run;
    double v;
    assert_int_equal(wsk_run_new(&run, rig, NULL), WSK_OK);
    static const char *const names[] = {"gpu0.die_c", "gpu0.memory_c", "gpu0.inlet_c",
                                        "room.air_c", "case.air_c",    "gpu0.heatsink"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_int_equal(wsk_run_get(run, names[i], &v), WSK_OK);
        assert_near(v, 25, 1e-9);
    }
    wsk_run_free(run);
    wsk_rig_free(rig);
}

/* The engine skips the controls of a card while nothing changes. After a day in a cool room and a day in a hot one, a
 * card must be like one that was in the hot room for both days. */
static void test_a_hotter_room_wakes_cards(void **state)
{
    (void)state;
    static const char *const values[] = {"gpu0.die_c", "gpu0.clock_mhz", "gpu0.power_w", "wall_w"};
    wsk_rig *cool = with_card("target-temperature='60 degC'", "");
    wsk_run *woken, *hot;
    double w, h;
    const wsk_run_options o = {.duration_s = 2 * 86400};
    assert_int_equal(wsk_run_new(&woken, cool, &o), WSK_OK);
    assert_int_equal(wsk_run_new(&hot, cool, &o), WSK_OK);
    assert_int_equal(wsk_run_set(hot, "room.air_c", 48), WSK_OK);
    assert_int_equal(wsk_run_advance(woken, 86400), WSK_OK);
    assert_int_equal(wsk_run_advance(hot, 86400), WSK_OK);
    assert_int_equal(wsk_run_get(woken, "gpu0.clock_mhz", &w), WSK_OK);
    assert_int_equal(wsk_run_get(hot, "gpu0.clock_mhz", &h), WSK_OK);
    assert_true(h < w - 100);
    assert_int_equal(wsk_run_set(woken, "room.air_c", 48), WSK_OK);
    assert_int_equal(wsk_run_advance(woken, 2 * 86400), WSK_OK);
    assert_int_equal(wsk_run_advance(hot, 2 * 86400), WSK_OK);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        assert_int_equal(wsk_run_get(woken, values[i], &w), WSK_OK);
        assert_int_equal(wsk_run_get(hot, values[i], &h), WSK_OK);
        assert_rel(w, h, 0.02);
    }
    wsk_run_free(woken);
    wsk_run_free(hot);
    wsk_rig_free(cool);
}

static void test_ids_are_not_names_of_kinds(void **state)
{
    (void)state;
    wsk_rig *rig = with_card("id='cpu0'", "");
    wsk_run *run;
    char *json = NULL;
    double die;
    assert_int_equal(wsk_run_new(&run, rig, NULL), WSK_OK);
    assert_int_equal(wsk_run_advance(run, 600), WSK_OK);
    assert_int_equal(wsk_run_get(run, "cpu0.die_c", &die), WSK_OK);
    assert_int_equal(wsk_run_summary_json(run, 0, &json), WSK_OK);
    assert_true(die > 40 && number(json, "die_max_c") >= die);
    wsk_text_free(json);
    wsk_run_free(run);
    wsk_rig_free(rig);
}

static void test_dead_cards_lose_their_work(void **state)
{
    (void)state;
    wsk_rig *rig = with_card("fan='0 rpm' shutdown-temperature='80 degC'", "");
    wsk_run *run;
    char *json = NULL;
    assert_int_equal(wsk_run_new(&run, rig, NULL), WSK_OK);
    assert_int_equal(wsk_run_advance(run, 3600), WSK_OK);
    assert_int_equal(wsk_run_summary_json(run, 0, &json), WSK_OK);
    assert_true(number(json, "lost_fraction") > 0.5);
    assert_true(number(json, "unthrottled") > 0.9 * number(json, "simulated_s") / 3600 * 0.8);
    assert_non_null(strstr(json, "shutdown"));
    wsk_text_free(json);
    wsk_run_free(run);
    wsk_rig_free(rig);
}

static void test_unknown_prices_make_no_sum(void **state)
{
    (void)state;
    wsk_rig *rig = with_card("", "");
    wsk_run *run;
    char *json = NULL;
    assert_int_equal(wsk_run_new(&run, rig, NULL), WSK_OK);
    assert_int_equal(wsk_run_summary_json(run, 0, &json), WSK_OK);
    assert_true(isnan(number(json, "purchase")));
    wsk_text_free(json);
    wsk_run_free(run);
    wsk_rig_free(rig);
}

static void test_heat_without_a_way_is_refused(void **state)
{
    (void)state;
    char card[1024], text[2048];
    snprintf(card, sizeof card, CARD,
             "board-conductance='0 W/K' board-to-heatsink='0 W/K' memory-to-heatsink='100 %'");
    snprintf(text, sizeof text, "<rig><chassis>%s</chassis></rig>", card);
    wsk_rig *rig = load(text, WSK_EINPUT);
    bool told = false;
    for (size_t i = 0; i < wsk_rig_messages(rig); i++) {
        int severity, line, column;
        const char *file, *message;
        wsk_rig_message(rig, i, &severity, &file, &line, &column, &message);
        told = told || strstr(message, "cannot reach the air");
    }
    assert_true(told);
    wsk_rig_free(rig);
}

static void test_messages_as_data(void **state)
{
    (void)state;
    wsk_rig *rig = load("<rig><chassis sluts='8'/></rig>", WSK_EINPUT);
    assert_int_equal(wsk_rig_messages(rig), 1);
    const wsk_said *said = wsk_rig_message_said(rig, 0), *inner;
    double value;
    const char *text;
    assert_string_equal(wsk_said_code(said), "xml.unknown-attribute");
    assert_true(wsk_said_argument(said, 0, &value, &text, &inner));
    assert_string_equal(text, "\"sluts\"");
    assert_null(inner);
    assert_true(wsk_said_argument(said, 3, &value, &text, &inner)); /* argument 3 is a message of its own: the hint */
    assert_null(text);
    assert_string_equal(wsk_said_code(inner), "hint.meant");
    assert_true(wsk_said_argument(inner, 0, &value, &text, &inner));
    assert_string_equal(text, "slots");
    assert_false(wsk_said_argument(said, 4, &value, &text, &inner));
    wsk_rig_free(rig);
    rig = load(
        "<rig><chassis slots='2'><gpu slot='3' part='gpu/rtx-3090-blower'/></chassis><workload class='idle'/></rig>",
        WSK_EINPUT);
    said = wsk_rig_message_said(rig, 0);
    assert_string_equal(wsk_said_code(said), "card.slot-beyond-chassis");
    assert_true(wsk_said_argument(said, 1, &value, &text, &inner));
    assert_null(text);
    assert_near(value, 3, 0);
    wsk_rig_free(rig);
}

/* The room settles at outdoor temperature + power / conductance of the walls. */
static void test_steady_point_of_a_slow_room(void **state)
{
    (void)state;
    wsk_rig *rig =
        load("<rig><site><room volume='10000 m3' conductance='40 W/K'><outdoor mean='22 degC'/></room></site>"
             "<chassis><psu kind='constant' rated='900 W' efficiency='100 %'/><load dc='800 W'/>"
             "<fan at='front' power='0 W' pressure='18 Pa' flow='55 CFM' rpm='1500 rpm' count='3'/></chassis></rig>",
             WSK_OK);
    char *json = NULL, *text = NULL;
    assert_int_equal(wsk_steady_page(rig, WSK_STEPPER_FAST, 0, NULL, &json, &text), WSK_OK);
    assert_near(number(strstr(json, "\"room\""), "mean_c"), 22 + 800.0 / 40, 0.1);
    assert_non_null(strstr(json, "\"settled\": true"));
    wsk_text_free(json);
    wsk_text_free(text);
    wsk_rig_free(rig);
}

static void test_advice_tries_each_change_alone(void **state)
{
    (void)state;
    wsk_rig *rig = load(
        "<rig><site><room temperature='30 degC'/></site><chassis slots='4'>"
        "<psu kind='constant' rated='1200 W' efficiency='90 %'/>"
        "<fan at='front' pressure='6 Pa' flow='12 CFM' rpm='1000 rpm'/><vent area='60 cm2'/>"
        "<gpu part='gpu/generic' tdp='150 W' slots='2' thickness='28 mm' slot='1'><cooler kind='open-air'/></gpu>"
        "<gpu part='gpu/generic' tdp='150 W' slots='2' thickness='28 mm' slot='3'><cooler kind='open-air'/></gpu>"
        "</chassis><workload class='burn'/></rig>",
        WSK_OK);
    char *text = NULL;
    assert_int_equal(wsk_rig_advice(rig, &text), WSK_OK);
    if (strncmp(text, "Advice   ", 9) != 0 || !strstr(text, " fan") || strstr(text, "free slot"))
        fail_msg("%s", text);
    wsk_text_free(text);
    wsk_rig_free(rig);
}

static void expect_messages_back(const wsk_said *said)
{
    static const char *const wrong[] = {
        "", "{}", "[1]", "[", "[{\"code\": 1}]", "[{\"code\": \"run.temperature\"}]", "null"};
    wsk_findings *found;
    char *json, *again;
    int indent;
    assert_int_equal(wsk_said_json(&(const wsk_said *){said}, 1, &json), WSK_OK);
    assert_int_equal(wsk_findings_read(json, strlen(json), &found), WSK_OK);
    assert_int_equal(wsk_findings_count(found), 1);
    assert_int_equal(wsk_said_json(&(const wsk_said *){wsk_findings_line(found, 0, &indent)}, 1, &again), WSK_OK);
    assert_int_equal(indent, 0);
    assert_string_equal(json, again);
    wsk_findings_free(found);
    wsk_text_free(again);
    wsk_text_free(json);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(wsk_findings_read(wrong[i], strlen(wrong[i]), &found), WSK_EINPUT);
        assert_null(found);
    }
}

/* mount='100' is a factor on the thermal resistance between die and heatsink, so that the die overheats at once. */
static void test_results_of_a_run_that_never_stepped(void **state)
{
    (void)state;
    wsk_rig *rig = with_card("power='200 W' mount='100'", "");
    wsk_run *run;
    char *text = NULL, *bytes = NULL;
    size_t len;
    assert_int_equal(wsk_run_new(&run, rig, NULL), WSK_OK);
    assert_null(wsk_run_failure(run));
    assert_string_equal(wsk_run_error(run), "");
    assert_int_equal(wsk_run_advance(run, 3600), WSK_ENUMERIC);
    assert_non_null(strstr(wsk_run_error(run), "gpu0.die"));
    assert_true(wsk_run_time(run) <= 1);
    const wsk_said *why = wsk_run_failure(run);
    double number;
    const char *node;
    const wsk_said *inner;
    assert_string_equal(wsk_said_code(why), "run.temperature");
    assert_true(wsk_said_argument(why, 0, &number, &node, &inner));
    assert_string_equal(node, "gpu0.die");
    assert_true(wsk_said_argument(why, 1, &number, &node, &inner) && number > 200);
    expect_messages_back(why);
    assert_int_equal(wsk_run_summary_json(run, 0, &text), WSK_OK);
    wsk_text_free(text);
    assert_int_equal(wsk_run_summary_text(run, &text), WSK_OK);
    wsk_text_free(text);
    assert_int_equal(wsk_run_series_csv(run, &text), WSK_OK);
    wsk_text_free(text);
    assert_int_equal(wsk_run_events_csv(run, true, &text), WSK_OK);
    wsk_text_free(text);
    assert_int_equal(wsk_run_save(run, &bytes, &len), WSK_OK);
    wsk_text_free(bytes);
    wsk_run_free(run);
    assert_int_equal(wsk_steady_page(rig, WSK_STEPPER_FAST, 0, NULL, &bytes, &text), WSK_ENUMERIC);
    assert_non_null(strstr(text, "gpu0.die"));
    wsk_text_free(text);
    wsk_rig_free(rig);
}

#define WATER \
    "<loop id='wet' hose='0 m'><pump id='push' pressure='40 kPa' flow='20 l/min' rpm='4800 rpm' noise='30 dBA'/>" \
    "<radiator id='core' conductance='30 W/K' flow='70 l/s'><fan id='blow' pressure='25 Pa' flow='250 m3/h' " \
    "rpm='1700 rpm'/></radiator></loop>"

static void test_names_of_water(void **state)
{
    (void)state;
    wsk_rig *rig = load("<rig><chassis id='a'>" WATER "<gpu slot='1' tdp='250 W' clock-max='1900 MHz' "
                        "clock-knee='1400 MHz' voltage-slope='0.6 1/GHz' power='180 W'>"
                        "<cooler kind='water' conductance='20 W/K'/></gpu></chassis><chassis id='b'><fan "
                        "pressure='20 Pa' flow='100 m3/h' rpm='1200 rpm'/>"
                        "<load dc='50 W'/></chassis><run for='1 h'/></rig>",
                        WSK_OK);
    wsk_run *run;
    char *json = NULL;
    double coolant, back, lpm;
    assert_int_equal(wsk_run_new(&run, rig, NULL), WSK_OK);
    assert_int_equal(wsk_run_advance(run, 3600), WSK_OK);
    assert_int_equal(wsk_run_get(run, "wet.coolant_c", &coolant), WSK_OK);
    assert_int_equal(wsk_run_get(run, "wet.return_c", &back), WSK_OK);
    assert_int_equal(wsk_run_get(run, "wet.flow_lpm", &lpm), WSK_OK);
    /* heat into the coolant, W: 88 % of the card's 180 W, because board and VRM keep 12 % (board-share); tolerance of
     * 15 W for the pump */
    assert_near(lpm / 60000 * 4.146e6 * (back - coolant), 180 * 0.88, 15);
    assert_int_equal(wsk_run_summary_json(run, 0, &json), WSK_OK);
    static const char *const names[] = {"\"wet\"", "\"push\"", "\"blow\"", "\"a\"", "\"b\""};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strstr(json, names[i]))
            fail_msg("no %s in %s", names[i], json);
    wsk_text_free(json);
    wsk_run_free(run);
    wsk_rig_free(rig);
}

/* Electricity charges of the rig's first nine days, during which clocks in California go back by an hour. */
static double charges(wsk_rig *rig)
{
    wsk_run *run;
    char *json;
    assert_int_equal(wsk_run_new(&run, rig, NULL), WSK_OK);
    assert_int_equal(wsk_run_advance(run, 9 * 86400), WSK_OK);
    assert_int_equal(wsk_run_summary_json(run, 0, &json), WSK_OK);
    double sum = number(strstr(json, "\"cost\": "), "energy");
    assert_true(sum > 1);
    wsk_text_free(json);
    wsk_run_free(run);
    return sum;
}

/* With a limit of 0 file descriptors no file can be opened: a rig then loads only if it takes all files, also its
 * time zone, from a rig that is loaded already. */
static void test_each_file_is_read_once(void **state)
{
    (void)state;
    wsk_rig *first = NULL, *again = NULL, *alone = NULL;
    wsk_rig_options o = {.path = "scenarios/time-of-use-night/night.xml", .parts_dir = "parts"};
    struct rlimit limit, none;
    assert_int_equal(wsk_rig_load(&first, &o), WSK_OK);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
    none = limit;
    none.rlim_cur = 0;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    wsk_status unread = wsk_rig_load(&alone, &o);
    o.files_of = first;
    wsk_status status = wsk_rig_load(&again, &o);
    setrlimit(RLIMIT_NOFILE, &limit);
    assert_int_equal(unread, WSK_ERUN);
    assert_int_equal(status, WSK_OK);
    assert_true(charges(again) == charges(first));
    wsk_rig_free(alone);
    wsk_rig_free(again);
    wsk_rig_free(first);
}

static void test_what_assignments_set(void **state)
{
    (void)state;
    const char text[] = "<rig><chassis><psu/><gpu slot='3' id='far'/><gpu slot='1'/></chassis></rig>";
    static const char *const sets[] = {"gpu[*].power-limit=200W", "gpu[far].part=gpu/none", "psu=psu/none",
                                       "run.from=2026-08-03",     "gpu[1].slot=5",          "gpu.colour=red",
                                       "room.temperature=20degC"};
    static const char *const want[] = {"far.power-limit number /rig0/chassis0/gpu0.power-limit\ngpu0.power-limit "
                                       "number /rig0/chassis0/gpu1.power-limit\n",
                                       "far.part text /rig0/chassis0/gpu0.part\n",
                                       "psu0.part text /rig0/chassis0/psu0.part\n",
                                       "run0.from text /rig0/run0.from\n",
                                       "gpu0.slot number /rig0/chassis0/gpu1.slot\n",
                                       "",
                                       "room0.temperature number /rig0/site0/room0.temperature\n"};
    enum { SETS = sizeof sets / sizeof *sets };
    wsk_rig *rig = NULL;
    wsk_rig_options o = {
        .path = "-", .text = text, .text_len = strlen(text), .parts_dir = "parts", .sets = sets, .set_count = SETS};
    assert_int_equal(wsk_rig_load(&rig, &o), WSK_EINPUT);
    for (size_t i = 0; i < SETS; i++)
        assert_string_equal(wsk_rig_assigned(rig, i), want[i]);
    assert_string_equal(wsk_rig_assigned(rig, SETS), "");
    wsk_rig_free(rig);
    rig = load("<rig/", WSK_EINPUT);
    assert_string_equal(wsk_rig_assigned(rig, 0), "");
    wsk_rig_free(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused_values_change_nothing),
        cmocka_unit_test(test_steps_and_lengths_out_of_range),
        cmocka_unit_test(test_a_hotter_room_wakes_cards),
        cmocka_unit_test(test_values_before_the_first_step),
        cmocka_unit_test(test_ids_are_not_names_of_kinds),
        cmocka_unit_test(test_dead_cards_lose_their_work),
        cmocka_unit_test(test_unknown_prices_make_no_sum),
        cmocka_unit_test(test_heat_without_a_way_is_refused),
        cmocka_unit_test(test_messages_as_data),
        cmocka_unit_test(test_steady_point_of_a_slow_room),
        cmocka_unit_test(test_advice_tries_each_change_alone),
        cmocka_unit_test(test_results_of_a_run_that_never_stepped),
        cmocka_unit_test(test_names_of_water),
        cmocka_unit_test(test_what_assignments_set),
        cmocka_unit_test(test_each_file_is_read_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
