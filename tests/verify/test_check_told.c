/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/api.h"
#include "sim/base/units.h"
#include "sim/net/net.h"
#include "sim/study/kit/verdict.h"
#include "tests/verify/supplies.h"

/* Reads the number that ends before `at`, with its sign (the minus sign is U+2212). */
static double number_before(const char *at)
{
    while (strspn(at - 1, ".0123456789"))
        at--;
    return (strncmp(at - 3, "\xE2\x88\x92", 3) == 0 ? -1 : 1) * strtod(at, NULL);
}

/* Reads the effects of lowering [0] and raising [1] an input, which a line states before `unit`: "+1.3 to −4.0 K", or
 * only the second, "−4.0 K", if the first is its opposite. Both are 0 if the line has no such number. */
static void told(const char *line, const char *unit, double effects[2])
{
    const char *end = line + strcspn(line, "\n"), *at = strstr(line, unit), *to = line;
    effects[0] = effects[1] = 0;
    if (!at || at >= end)
        return;
    effects[1] = number_before(at);
    effects[0] = -effects[1];
    while ((to = strstr(to + 1, " to ")) && to < at)
        if (!memchr(to, ',', (size_t)(at - to)))
            effects[0] = number_before(to);
}

static void large_uncertainties_are_told(void **state)
{
    (void)state;
    static const char *const rigs[] = {"scenarios/single-3090/rig.xml", "scenarios/quad-3090-15a/350.xml"};
    int effects = 0, both = 0, cut = 0;
    for (int k = 0; k < 2; k++) {
        wsk_rig *rig = wsk_test_rig_file(rigs[k]);
        wsk_uncertainty *u = NULL;
        assert_int_equal(wsk_rig_uncertainty(&u, rig, WSK_STEPPER_FAST), WSK_OK);
        char *text = wsk_test_check(rig), begin[200];
        const char *line = strstr(text, "\nLargest sources of uncertainty"), *all = strstr(text, "\n  All ");
        assert_true(line && all);
        assert_int_equal(strtol(all + 7, NULL, 10), wsk_uncertainty_sources(u));
        const double site_w = strtod(strstr(all, ": ") + 2, NULL);
        for (size_t i = 0; i < 5; i++) {
            wsk_uncertainty_source s;
            wsk_uncertainty_get(u, i, &s);
            line = strchr(line + 1, '\n');
            snprintf(begin, sizeof begin, "\n  %s, \xC2\xB1%s: ", s.text, s.spread + 2);
            if (strncmp(line, begin, strlen(begin)) != 0)
                fail_msg("%s: no \"%s\" where %s", rigs[k], begin + 1, line);
            line += strlen(begin);
            static const char *const units[] = {" W", " %", " K", " dB"};
            int told_before = effects;
            const wsk_uncertainty_effects *low = &s.lowered, *high = &s.raised;
            const double lowered[] = {low->site_rel * site_w, 100 * low->work_rel, low->die_k, low->noise_db},
                         raised[] = {high->site_rel * site_w, 100 * high->work_rel, high->die_k, high->noise_db};
            for (int e = 0; e < 4; e++) {
                const double unit = e ? 0.1 : 1, half = (raised[e] - lowered[e]) / 2;
                const bool hardly_heard =
                    e == 3 && effects > told_before && fabs(lowered[e]) < 1 && fabs(raised[e]) < 1;
                double says[2];
                told(line, units[e], says);
                if (hardly_heard) { /* beside other effects, a change of the level by less than 1 dB is not printed */
                    assert_true(says[0] == 0 && says[1] == 0);
                    continue;
                }
                effects += says[1] != 0;
                both += says[0] != -says[1];
                if (says[0] == -says[1]) { /* the effects are nearly opposite, so the line has one number or none */
                    assert_near(says[1], fabs(half) >= unit / 2 ? half : 0, 0.53 * unit);
                    assert_true(fabs(half) < unit / 2 || fabs(raised[e] + lowered[e]) < 0.41 * fabs(half) + unit);
                } else {
                    assert_near(says[0], lowered[e], 0.53 * unit);
                    assert_near(says[1], raised[e], 0.53 * unit);
                }
            }
            line = strchr(line, '\n');
            const size_t len = strcspn(line + 1, "\n");
            assert_true(strncmp(line, "\n    ", 5) == 0 && line[5] != ' ' && len <= 80);
            const char *reason = line + 5;
            const bool is_cut = strncmp(line + 1 + len - 3, "...", 3) == 0;
            const size_t part = (size_t)(line + 1 + len - reason) - 3 * is_cut;
            assert_true(strncmp(s.why, reason, part) == 0 && strchr(is_cut ? " ," : ";: ", s.why[part]));
            cut += is_cut;
        }
        assert_true(strncmp(strchr(line + 1, '\n'), "\n  All ", 7) == 0);
        line = strchr(strchr(line + 1, '\n') + 1, '\n');
        assert_true(strncmp(line, "\n  ", 3) == 0 && line[3] != ' ');
        wsk_text_free(text);
        wsk_uncertainty_free(u);
        wsk_rig_free(rig);
    }
    assert_true(effects > 10 && both > 0 && cut > 0);
}

/* A UPS takes the rig's power and its own loss from the circuit; other loads of the circuit do not pass through the
 * UPS. Here the PSU draws 1000 W, the UPS loses 250 W and another load draws 300 W, at 200 V. */
static void the_circuit_bears_the_loss_of_a_ups(void **state)
{
    (void)state;
    static const char xml[] =
        "<rig><site supply='200 V' circuit='20 A'><room temperature='21 degC'/>"
        "<ups rated='1000 W' efficiency-25='80 %' efficiency-100='80 %'/></site><chassis><vent at='front' area='900 "
        "cm2'/><vent at='rear' area='900 cm2'/><psu kind='constant' rated='2000 W' efficiency='90 %'/>"
        "<load dc='900 W'/></chassis><load ac='300 W'/><run for='2 h'/></rig>";
    static const char *const sets[] = {NULL, "ups.rated=800W"};
    for (int i = 0; i < 2; i++) {
        wsk_rig *rig = wsk_test_rig(xml, sets[i]);
        char *text = wsk_test_check(rig);
        assert_non_null(strstr(text, i ? "UPS: 125 % loaded, 250 W" : "UPS: 100 % loaded, 250 W lost"));
        assert_true((strstr(text, "the UPS or PDU is too small") != NULL) == (i == 1));
        assert_non_null(strstr(text, "4000 W continuous, 39 % used (7.8 A)"));
        wsk_text_free(text);
        wsk_rig_free(rig);
    }
}

/* Lines are indented by an even number of blanks, at most two more than the line before. No line is empty or ends with
 * a blank. */
static void lines_stand_under_their_headings(void **state)
{
    (void)state;
    static const char *const rigs[] = {"scenarios/quad-3090-15a/350.xml", "scenarios/immersion-3090/rig.xml",
                                       "scenarios/home-100v-jp/rig.xml", "scenarios/own-card/rig.xml"};
    for (size_t i = 0; i < sizeof rigs / sizeof *rigs; i++) {
        wsk_rig *rig = wsk_test_rig_file(rigs[i]);
        char *text = wsk_test_check(rig);
        int lines = 0, before = 0;
        for (const char *line = text; *line; line = strchr(line, '\n') + 1, lines++) {
            const int blanks = (int)strspn(line, " "), length = (int)strcspn(line, "\n");
            if (blanks % 2 || blanks > before + 2 || blanks == length || line[length - 1] == ' ')
                fail_msg("%s: '%.*s'", rigs[i], length, line);
            before = blanks;
        }
        assert_true(lines > 15);
        wsk_text_free(text);
        wsk_rig_free(rig);
    }
}

/* Card a has 4 lanes but is linked by NVLink, which is faster than the 8 lanes of card b: b has the slowest link. */
/* The simulation of check is a steady point, which has the mean of a schedule of power limits. */
static void the_mean_of_a_schedule_is_told(void **state)
{
    (void)state;
    static const char *const schedule[] = {"gpu[0].limit-schedule=0:00:150 W, 12:00:350 W"};
    for (size_t n = 0; n < 2; n++) {
        wsk_rig *rig = wsk_test_rig_sets(
            "<rig><chassis part='chassis/full-tower-8-slot'><fan part='fan/generic-120-1500' at='front'/><psu "
            "part='psu/tier-gold-1000'/><gpu part='gpu/rtx-3090' slot='1'/></chassis></rig>",
            schedule, n);
        char *text = wsk_test_check(rig);
        const char *at = strstr(text, "limit-schedule");
        assert_true(n ? at && strstr(at, "250 W") : !at);
        wsk_text_free(text);
        wsk_rig_free(rig);
    }
}

static void the_slowest_link_is_named(void **state)
{
    (void)state;
    wsk_rig *rig = wsk_test_rig("<rig><site supply='230 V'/><chassis slots='12'>"
                                "<gpu id='a' part='gpu/rtx-3090' slot='1' lanes='4' nvlink='yes'/>"
                                "<gpu id='b' part='gpu/rtx-3090' slot='4' lanes='8'/>"
                                "<gpu id='c' part='gpu/rtx-3090' slot='7' lanes='16'/><psu part='psu/evga-1600-p2'/>"
                                "</chassis><workload class='training' communication='20 %'/></rig>",
                                NULL);
    char *text = wsk_test_check(rig);
    assert_non_null(strstr(text,
                           "b: PCI Express 4 x8 makes communication 33.3 % of a step, PCI Express 4 x16 makes it "
                           "20 %: 17 % less work"));
    wsk_text_free(text);
    wsk_rig_free(rig);
}

/* A rig without work has no throughput, and a rule about memory is not stated for cards of unknown memory size. */
static void unknown_numbers_are_not_told(void **state)
{
    (void)state;
    static const char *const loads[] = {"<load dc='400 W'/>", "<gpu part='gpu/generic' slot='1' tdp='200 W'><cooler "
                                                              "part='cooler/generic-blower'/></gpu>"};
    for (int i = 0; i < 2; i++) {
        char xml[800];
        snprintf(xml, sizeof xml,
                 "<rig><site supply='230 V'><room temperature='21 degC'/></site><chassis part='chassis/mid-tower'>%s"
                 "<psu part='psu/tier-gold-1600'/></chassis>%s<run for='2 h'/></rig>",
                 loads[i], i ? "<workload class='training'/>" : "");
        wsk_rig *rig = wsk_test_rig(xml, NULL);
        char *text = wsk_test_check(rig);
        assert_non_null(strstr(text, "\nLargest sources of uncertainty"));
        assert_true((strstr(strstr(text, "\n  All "), ", throughput ") != NULL) == (i == 1));
        assert_null(strstr(text, "system memory"));
        wsk_text_free(text);
        wsk_rig_free(rig);
    }
}

static void mean_speed_and_power_of_a_fan_are_told(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run =
        after(RIG("", PSU "/>",
                  "<gpu part='gpu/generic' slot='1' slots='2' tdp='200 W'><cooler kind='blower' "
                  "part='cooler/generic-blower'/></gpu><fan id='f' at='front' pressure='18 Pa' flow='55 CFM' "
                  "rpm='1500 rpm' power='40 W' power-exponent='3' sensor='gpu' curve='0 degC:60 %, 100 degC:60 %'/>"),
              7200, &rig);
    char *text = NULL;
    assert_int_equal(wsk_run_summary_text(run, &text), WSK_OK);
    if (!strstr(text, "f 1 x 900 rpm (60 %), 9 W"))
        fail_msg("%s", text);
    wsk_text_free(text);
    wsk_test_drop(run, rig);
}

static void advice_says_what_it_assigns(void **state)
{
    (void)state;
    static const char *const rigs[] = {"scenarios/quad-3090-15a/350.xml", "scenarios/single-3090/rig.xml"};
    int limits = 0, parts = 0;
    for (size_t r = 0; r < sizeof rigs / sizeof *rigs; r++) {
        wsk_rig *rig = wsk_test_rig_file(rigs[r]);
        wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 7200);
        wsk_test_advance(run, 7200);
        assert_int_equal(wsk_run_judge(rig, run), WSK_OK);
        const wsk_advice *a = run->advice;
        for (int i = 0; i < a->n + a->n_vain; i++) {
            const wsk_change *c = i < a->n ? &a->changes[i] : &a->vain[i - a->n];
            const char *text = wsk_said_english(run->arena, c->what);
            assert_true(text && *text);
            for (size_t k = 0; k < c->n_sets && !strstr(text, "at its default"); k++) {
                const char *limit = strstr(c->sets[k], ".power-limit="), *part = strstr(c->sets[k], "=psu/");
                limits += limit != NULL;
                parts += part != NULL;
                if ((limit && !strstr(text, limit + 13)) || (part && !strstr(text, part + 1)))
                    fail_msg("\"%s\" does not tell %s", text, c->sets[k]);
            }
        }
        wsk_test_drop(run, rig);
    }
    assert_true(limits > 0 && parts > 0);
}

static void effects_are_told_from_a_half_on(void **state)
{
    (void)state;
    static const char *const told_by[] = {"throughput", "wall power", "GPU temperature", "room", "noise"};
    wsk_arena *arena = wsk_arena_new();
    assert_non_null(arena);
    for (int e = 0; e < 5; e++)
        for (int way = -1; way < 2; way += 2)
            for (int big = 0; big < 2; big++) {
                const double v = way * (big ? 0.52 : 0.48);
                const wsk_advice a = {.cooling_w = NAN};
                const wsk_change c = {.work_rel = e == 0 ? v / 1000 : 0,
                                      .wall_w = e == 1 ? v : 0,
                                      .die_k = e == 2 ? v : 0,
                                      .room_k = e == 3 ? v : 0,
                                      .noise_db = e == 4 ? v : 0,
                                      .year = NAN,
                                      .purchase = NAN};
                wsk_said_list o = {.arena = arena};
                wsk_change_effects(&a, &c, &o);
                assert_int_equal(o.count, big);
                if (big)
                    assert_non_null(strstr(wsk_said_english(arena, o.items[0]), told_by[e]));
            }
    wsk_arena_free(arena);
}

static void problems_caused_left_and_cured_are_told(void **state)
{
    (void)state;
    static const struct {
        wsk_ills ill;
        const char *caused, *left, *cured;
    } rows[] = {
        {{.over_w = 120}, "120 W over the circuit", "still 120 W over the circuit", "within the circuit"},
        {{.over_psu_w = 80}, "80 W over the PSU rating", "still 80 W over the PSU rating", "within the PSU rating"},
        {{.trip = 0.3}, "30 % chance that the breaker trips", "still 30 % chance that the breaker trips", "no trip"},
        {{.trip = 0.006}, "1 % chance that the breaker trips", "still 1 % chance that the breaker trips", "no trip"},
        {{.trip = 0.004}, "", "", ""},
        {{.trip = 0.3, .trip_psu = 0.2}, "30 % chance of a PSU trip", "still 30 % chance of a PSU trip", "no trip"},
        {{.trip = 0.3, .trip_psu = 0.3, .over_psu_w = 80},
         "30 % chance of a PSU trip",
         "still 30 % chance of a PSU trip",
         "no trip"},
        {{.braked = true},
         "the chassis would brake its cards",
         "the chassis still brakes its cards",
         "no power brake"},
        {{.shuts_down = true}, "it would shut down from heat", "it still shuts down from heat", "no shutdown"},
        {{.throttles = true}, "cards would throttle from heat", "cards still throttle", "no throttling"},
        {{.throttles = true, .lost = 0.2},
         "cards would throttle from heat",
         "heat still takes 20.0 %",
         "no throttling"},
        {{.parts_hot = true},
         "parts would get hotter than their limits",
         "parts still get hotter than their limits",
         "parts stay within their limits"},
        {{.room_hot = true},
         "the room would get too hot",
         "the room still gets too hot",
         "the room then stays below 35"},
        {{.loud = true}, "then too loud for a desk", "still too loud", "then quiet enough for a desk"}};
    static const wsk_ills none = {0};
    wsk_arena *arena = wsk_arena_new();
    assert_non_null(arena);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int was = 0; was < 2; was++)
            for (int is = 0; is < 2; is++) {
                const wsk_advice a = {.now = was ? rows[i].ill : none, .cooling_w = NAN};
                const wsk_change c = {.work_rel = -0.01,
                                      .room_k = -0.5,
                                      .noise_db = -0.5,
                                      .die_k = NAN,
                                      .year = NAN,
                                      .purchase = NAN,
                                      .then = is ? rows[i].ill : none};
                const char *words = was && is ? rows[i].left : is ? rows[i].caused : was ? rows[i].cured : "";
                wsk_said_list o = {.arena = arena};
                wsk_change_effects(&a, &c, &o);
                /* The three effects on throughput, room and noise are always listed. */
                assert_int_equal(o.count, 3 + (*words != '\0'));
                size_t at = 0;
                for (size_t k = 0; k < o.count; k++)
                    at += strncmp(wsk_said_english(arena, o.items[k]), words, strlen(words)) == 0 && *words;
                if (at != (*words != '\0'))
                    fail_msg("row %zu, %d to %d: not \"%s\"", i, was, is, words);
            }
    const wsk_advice hot = {.now = {.throttles = true, .lost = 0.2}, .cooling_w = NAN};
    const wsk_change idle = {.year = NAN, .purchase = NAN, .then = hot.now};
    wsk_said_list o = {.arena = arena};
    wsk_change_effects(&hot, &idle, &o);
    assert_int_equal(o.count, 0);
    wsk_arena_free(arena);
}

static void a_price_is_paid_back(void **state)
{
    (void)state;
    wsk_arena *arena = wsk_arena_new();
    assert_non_null(arena);
    for (int other = 0; other < 2; other++) {
        const wsk_advice a = {.currency = other ? "EUR" : "USD", .cooling_w = NAN};
        const wsk_change c = {.year = -40, .purchase = 100, .currency = "USD"};
        wsk_said_list o = {.arena = arena};
        wsk_change_effects(&a, &c, &o);
        assert_int_equal(o.count, other ? 2 : 3);
        assert_string_equal(wsk_said_english(arena, o.items[0]), other ? "-40 EUR a year" : "-40 USD a year");
        assert_string_equal(wsk_said_english(arena, o.items[1]), "+100 USD to buy");
        if (!other)
            assert_string_equal(wsk_said_english(arena, o.items[2]), "paid back in 2.5 years");
    }
    wsk_arena_free(arena);
}

/* Number of inputs that the lines from `line` to `end` list as of this kind. */
static int count_inputs(const char *line, const char *end, const char *kind)
{
    char closes[40];
    int n = 0;
    snprintf(closes, sizeof closes, "\": %s", kind);
    for (; line < end; line = strchr(line, '\n') + 1) {
        const char *values_end = strstr(line, closes), *at = line;
        if (values_end && values_end < strchr(line, '\n') && strchr("\n;", values_end[strlen(closes)]))
            while ((at = strstr(at + 1, "=\"")) && at < values_end)
                n++;
    }
    return n;
}

static int tally_of(const char *text, const char *what)
{
    const char *line = strstr(text, "Inputs: "), *at = line ? strstr(line, what) : NULL;
    assert_true(at && line && at < strchr(line, '\n'));
    while (at > line && strchr(" 0123456789", at[-1]))
        at--;
    return (int)strtol(at, NULL, 10);
}

/* The list of inputs begins with the number of inputs of each kind. The numbers must match the lines of the list and
 * the short report. */
static void inputs_are_listed(void **state)
{
    (void)state;
    static const char *const rigs[] = {"scenarios/single-3090/rig.xml", "scenarios/quad-3090-15a/350.xml"};
    for (size_t i = 0; i < 2; i++) {
        wsk_rig *rig = wsk_test_rig_file(rigs[i]);
        wsk_findings *found;
        char *list = NULL, *report = wsk_test_check(rig);
        assert_int_equal(wsk_rig_check(rig, true, &found), WSK_OK);
        assert_int_equal(wsk_findings_english(found, &list), WSK_OK);
        const char *assumed = strstr(list, "\nAssumed inputs\n"), *other = strstr(list, "\nOther inputs\n");
        assert_true(strncmp(list, "Inputs: ", 8) == 0 && assumed == strchr(list, '\n') && other > assumed);
        const char *end = list + strlen(list);
        assumed += strlen("\nAssumed inputs\n");
        other += strlen("\nOther inputs\n");
        assert_int_equal(count_inputs(assumed, other - strlen("Other inputs\n"), "assumed"),
                         tally_of(list, " assumed"));
        assert_int_equal(count_inputs(other, end, "assumed"), 0);
        assert_int_equal(count_inputs(other, end, "default"), tally_of(list, " default"));
        assert_int_equal(count_inputs(other, end, "rig file"), tally_of(list, " from the rig"));
        static const char *const alike[] = {" from the rig", " default", " assumed"};
        int sourced = -tally_of(list, " from the rig") - tally_of(list, " default") - tally_of(list, " assumed");
        for (const char *at = list + 6; at && at < strchr(list, '\n'); at = strchr(at + 1, ','))
            sourced += (int)strtol(at + 1, NULL, 10);
        for (size_t k = 0; k < 3; k++)
            assert_int_equal(tally_of(report, alike[k]), tally_of(list, alike[k]));
        assert_int_equal(sourced, tally_of(report, " sourced"));
        wsk_text_free(list);
        wsk_text_free(report);
        wsk_rig_free(rig);
    }
}

#define CHASSIS(id, card) \
    "<chassis id='" id "' part='chassis/workstation-12-slot'><psu part='psu/tier-gold-1200'/>" card "</chassis>"
#define GPU(part, more) "<gpu part='gpu/" part "' slot='1'>" more "</gpu>"
#define COUNTED(chassis) \
    "<rig><site supply='230 V'><room temperature='21 degC'/></site>" chassis "<workload/><run for='1 h'/></rig>"

static int count_assumed(const char *xml)
{
    wsk_rig *rig = wsk_test_rig(xml, NULL);
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 60);
    const int assumed = run->net->assumed;
    wsk_test_drop(run, rig);
    return assumed;
}

/* Inputs of equal cards in two chassis of the same part count once, those of unlike cards count for each. */
static void inputs_of_unlike_cards_count(void **state)
{
    (void)state;
    const int one = count_assumed(COUNTED(CHASSIS("a", GPU("rtx-4090", "")))),
              alike = count_assumed(COUNTED(CHASSIS("a", GPU("rtx-4090", "")) CHASSIS("b", GPU("rtx-4090", "")))),
              bare = count_assumed(COUNTED(CHASSIS("a", ""))),
              unlike = count_assumed(COUNTED(CHASSIS("a", GPU("rtx-4090", "")) CHASSIS("b", GPU("rtx-3090", "")))),
              other = count_assumed(COUNTED(CHASSIS("a", GPU("rtx-3090", ""))));
    assert_int_equal(alike, one);
    assert_int_equal(unlike - one, other - bare);
    assert_true(count_assumed(COUNTED(CHASSIS("a", GPU("rtx-4090", "")) CHASSIS(
                    "b", GPU("rtx-4090", "<cooler part='cooler/generic-blower'/>")))) > one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(large_uncertainties_are_told),
                                       cmocka_unit_test(the_circuit_bears_the_loss_of_a_ups),
                                       cmocka_unit_test(lines_stand_under_their_headings),
                                       cmocka_unit_test(the_slowest_link_is_named),
                                       cmocka_unit_test(unknown_numbers_are_not_told),
                                       cmocka_unit_test(mean_speed_and_power_of_a_fan_are_told),
                                       cmocka_unit_test(advice_says_what_it_assigns),
                                       cmocka_unit_test(effects_are_told_from_a_half_on),
                                       cmocka_unit_test(problems_caused_left_and_cured_are_told),
                                       cmocka_unit_test(a_price_is_paid_back),
                                       cmocka_unit_test(inputs_are_listed),
                                       cmocka_unit_test(the_mean_of_a_schedule_is_told),
                                       cmocka_unit_test(inputs_of_unlike_cards_count)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
