/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/books/observe.h"
#include "sim/say/say.h"
#include "tests/support/bench.h"

static char *steady_verdict(const char *path, char **json)
{
    wsk_rig *rig = wsk_test_rig_file(path);
    char *text = NULL;
    assert_int_equal(wsk_steady_page(rig, WSK_STEPPER_FAST, 0, NULL, json, &text), WSK_OK);
    wsk_rig_free(rig);
    return text;
}

static char *run_verdict(const char *path, double hours)
{
    wsk_rig *rig = wsk_test_rig_file(path);
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, hours * 3600);
    char *text = NULL;
    wsk_test_advance(run, hours * 3600);
    assert_int_equal(wsk_run_summary_text(run, &text), WSK_OK);
    wsk_run_free(run);
    wsk_rig_free(rig);
    return text;
}

/* A steady point does not follow a limit schedule. This difference must not be reported as heat. */
static void what_is_not_hot_is_not_told_as_hot(void **state)
{
    (void)state;
    char *json = NULL, *text = steady_verdict("scenarios/time-of-use-night/peak-limit.xml", &json);
    assert_non_null(strstr(text, "does not follow limit-schedule"));
    assert_null(strstr(text, "hotter than their limits"));
    assert_non_null(strstr(json, "\"too_hot\": false"));
    wsk_text_free(text);
    wsk_text_free(json);
    text = run_verdict("scenarios/v100-memory/rig.xml", 1);
    assert_non_null(strstr(text, "arts get hotter than their limits"));
    wsk_text_free(text);
}

static int count(const char *text, const char *what)
{
    int n = 0;
    for (const char *at = strstr(text, what); at; at = strstr(at + 1, what))
        n++;
    return n;
}

static void losses_are_told_once(void **state)
{
    (void)state;
    static const struct {
        const char *path, *told;
    } rigs[] = {{"scenarios/quad-2080-openair/rig.xml", " % of the throughput lost."},
                {"scenarios/titan-positions/top.xml", " % of the throughput lost."},
                {"scenarios/v100-memory/capped.xml", ", heat -"},
                {"scenarios/quad-3090-blower/rig.xml", " of full: power limits -"}};
    for (size_t i = 0; i < sizeof rigs / sizeof *rigs; i++) {
        char *json = NULL, *text = steady_verdict(rigs[i].path, &json), *verdict = strstr(text, "Verdict  ");
        assert_non_null(verdict);
        if (strstr(verdict, "It ") || !strstr(verdict, rigs[i].told) ||
            count(verdict, "throughput lost") + count(verdict, "Throughput ") != 1)
            fail_msg("%s", verdict);
        wsk_text_free(text);
        wsk_text_free(json);
    }
}

static void points_are_whole(void **state)
{
    (void)state;
    static const struct {
        double limited, lost;
        const char *told;
    } cases[] = {{0.1286, 0.571, "Throughput 37 % of full: power limits -13, heat -50 points."},
                 {0.0757, 0, "Throughput 92 % of full: power limits -8 points."},
                 {0, 0.0038, "Throughput 99.6 % of full: heat -0.4 points."},
                 {0, 0.9963, "Throughput 0.37 % of full: heat -100 points."},
                 {0, 0, "Throughput 100 % of full."}};
    wsk_arena *arena = wsk_arena_new();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const wsk_facts facts = {.limited = cases[i].limited, .lost = cases[i].lost, .limits = "power limits"};
        const wsk_said *said = wsk_say_throughput(&facts, arena);
        assert_string_equal(wsk_said_english(arena, said), cases[i].told);
    }
    wsk_arena_free(arena);
}

static void a_brake_is_no_heat(void **state)
{
    (void)state;
    char *text = run_verdict("scenarios/redundant-8gpu/braked.xml", 13);
    const char *verdict = strstr(text, "Verdict  ");
    assert_true(verdict && strstr(verdict, "brakes its cards") && strstr(verdict, "or throttles from heat"));
    if (!strstr(verdict, "the power brake -"))
        fail_msg("%s", verdict);
    wsk_text_free(text);
}

/* The commands report and compare make the verdict from the summary file, and run makes it from its own data. The
 * sentences are the same. */
static void a_summary_read_back_gives_the_same_verdict(void **state)
{
    static const char *const rigs[] = {"scenarios/quad-3090-15a/350.xml", "scenarios/fan-dies/pump.xml",
                                       "scenarios/v100-memory/rig.xml", "scenarios/redundant-8gpu/braked.xml",
                                       "scenarios/single-3090/rig.xml"};
    (void)state;
    for (size_t i = 0; i < sizeof rigs / sizeof *rigs; i++) {
        wsk_rig *rig = wsk_test_rig_file(rigs[i]);
        wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 13 * 3600);
        wsk_summary **read;
        size_t n, opinions;
        char *json;
        wsk_test_advance(run, 13 * 3600);
        assert_int_equal(wsk_run_summary_json(run, 0, &json), WSK_OK);
        assert_int_equal(wsk_summaries_read(&read, &n, json, strlen(json), NULL), WSK_OK);
        wsk_said_list said = {.arena = wsk_arena_new()};
        const wsk_facts facts = wsk_facts_of(read[0]);
        opinions = wsk_say_verdict(&facts, &said);
        assert_true(opinions > 0 && opinions <= said.count);
        assert_string_equal(
            wsk_said_english(said.arena, wsk_said_link_all(&said, WSK_SAY_JOIN_SENTENCES, WSK_SAY_JOIN_SENTENCES)),
            wsk_summary_text(read[0], WSK_R_VERDICT, 0));
        assert_int_equal(facts.off, wsk_summary_flag(read[0], WSK_R_SHUTS_DOWN, 0));
        assert_int_equal(facts.off, facts.cards_off + facts.cpus_off > 0);
        wsk_arena_free(said.arena);
        wsk_summaries_free(read, n);
        wsk_text_free(json);
        wsk_run_free(run);
        wsk_rig_free(rig);
    }
}

/* A summary of an older version says that the rig shuts down, but not how many cards do. */
static void an_old_summary_is_understood(void **state)
{
    static const char text[] = "{\"rig\": \"a\", \"simulated_s\": 60, \"gpus\": [{\"id\": \"g\", \"throttle_s\": "
                               "{\"power\": 0, \"thermal\": 30}}], \"verdict\": {\"shuts_down\": true}}";
    wsk_said_list said = {.arena = wsk_arena_new()};
    wsk_summary **read;
    size_t n;
    (void)state;
    assert_int_equal(wsk_summaries_read(&read, &n, text, strlen(text), NULL), WSK_OK);
    const wsk_facts facts = wsk_facts_of(read[0]);
    assert_true(facts.off && !facts.cards_off && facts.hot == 1 && facts.worst == 0);
    wsk_say_heat(&facts, &said);
    assert_int_equal(said.count, 1);
    assert_string_equal(wsk_said_english(said.arena, said.items[0]), "The rig shuts down from heat.");
    assert_null(wsk_say_trip(&facts, said.arena));
    assert_null(wsk_say_noise(&facts, said.arena));
    assert_null(wsk_say_throughput(&facts, said.arena));
    wsk_summaries_free(read, n);
    wsk_arena_free(said.arena);
}

/* A steady point has no time of failure, but the verdict says that the shutdown follows a failure. */
static void what_follows_a_failure(void **state)
{
    static const struct {
        wsk_facts f;
        const char *told;
    } cases[] = {
        {{.failed_s = 600, .slowed_s = 0, .shut_s = NAN}, "psu0; throttling already before, no shutdown."},
        {{.slowed_s = 300, .shut_s = 3600}, "psu0; throttling after 5 min, shutdown after 1 h."},
        {{.slowed_s = 300, .shut_s = NAN, .braked = true}, "psu0; throttling from heat after 5 min, no shutdown."},
        {{.slowed_s = NAN, .shut_s = NAN}, "psu0; no throttling, no shutdown."},
        {{.slowed_s = NAN, .shut_s = NAN, .stopped = true}, "psu0; no throttling, no shutdown from heat."},
        {{.failed_s = 0, .slowed_s = 0, .shut_s = NAN}, "psu0; throttling after 0 s, no shutdown."}};
    static const char text[] = "{\"rig\": \"a\", \"simulated_s\": 60, \"steady\": true, \"gpus\": [{\"id\": \"g\"}], "
                               "\"fans\": [{\"id\": \"pump0\", \"failed\": true}], \"verdict\": "
                               "{\"shuts_down\": true, \"cards_shut_down\": 1, \"processors_shut_down\": 0}}";
    wsk_said_list parts = {.arena = wsk_arena_new()}, heat = {.arena = parts.arena};
    wsk_summary **read;
    size_t n;
    (void)state;
    wsk_said_add(&parts, WSK_SAID(WSK_SAY_PLAIN, "psu0"));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(wsk_said_english(parts.arena, wsk_say_failure(&cases[i].f, &parts)), cases[i].told);
    wsk_said_add(&parts, WSK_SAID(WSK_SAY_PLAIN, "fan0"));
    assert_string_equal(wsk_said_english(parts.arena, wsk_say_failure(&cases[3].f, &parts)),
                        "psu0, fan0; from the first on: no throttling, no shutdown.");
    assert_int_equal(wsk_summaries_read(&read, &n, text, strlen(text), NULL), WSK_OK);
    const wsk_facts facts = wsk_facts_of(read[0]);
    wsk_say_heat(&facts, &heat);
    assert_int_equal(heat.count, 1);
    assert_string_equal(wsk_said_english(heat.arena, heat.items[0]),
                        "Shut down from heat after the failure: 1 of 1 cards.");
    wsk_summaries_free(read, n);
    wsk_arena_free(parts.arena);
}

static void burdens_of_a_case(void **state)
{
    static const struct {
        wsk_burdens b;
        const char *told;
    } cases[] = {{{.trip = 0.0049}, NULL},
                 {{.no_room = true}, "the model does not fit into the memory of its cards"},
                 {{.trip = 0.33, .psu = 1.07}, "33 % chance of a PSU trip, PSU load 107 % of its available output"},
                 {{.trip = 0.996, .breaker = true}, "the breaker would trip"},
                 {{.off = true, .trip = 0.999, .circuit = 1.2},
                  "shuts down from heat, the PSU would trip, circuit load 120 % of the continuous limit"}};
    wsk_arena *arena = wsk_arena_new();
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const wsk_said *said = wsk_say_burdens(&cases[i].b, arena);
        assert_int_equal(said == NULL, cases[i].told == NULL);
        if (said)
            assert_string_equal(wsk_said_english(arena, said), cases[i].told);
    }
    wsk_arena_free(arena);
}

static char *verdict_of(const wsk_facts *facts, wsk_arena *arena)
{
    wsk_said_list o = {.arena = arena};
    wsk_buf b = {0};
    wsk_say_verdict(facts, &o);
    for (size_t i = 0; i < o.count; i++)
        wsk_buf_printf(&b, "%s\n", wsk_said_english(arena, o.items[i]));
    return b.data;
}

/* A circuit goes off, which stops the machine or does not, in a run or at a steady point, which has no time. If all
 * cards, a processor or an unknown number of cards are off, the rig counts as off as a whole. */
static void what_goes_off(void **state)
{
    (void)state;
    static const struct {
        wsk_facts facts;
        const char *told, *untold;
    } cases[] = {
        {{.off_circuit = "b", .off_s = 7200, .stopped = true}, "The machine stops after 2", "Throughput"},
        {{.off_circuit = "b", .off_s = NAN, .stopped = true}, "Without circuit b the machine stands still.", "after"},
        {{.off_circuit = "b", .off_s = 7200, .stopped = true, .empty = true},
         "The machine stops after 2 h, when the UPS of circuit b is empty.",
         "goes off"},
        {{.off_circuit = "b", .off_s = 7200, .stopped = true, .machines = 2, .stops = 1, .stops_id = "two"},
         "Machine two stops after 2 h, when circuit b goes off.",
         "The machine"},
        {{.off_circuit = "b", .off_s = 7200, .stopped = true, .machines = 3, .stops = 2},
         "2 of 3 machines stop after 2 h, when circuit b goes off.",
         "The machine"},
        {{.off_circuit = "b", .off_s = 7200}, "Circuit b goes off after 2", "stops"},
        {{.off_circuit = "b", .off_s = 7200}, "the others carry the load.", "take over"},
        {{.off_circuit = "b", .off_s = 7200, .trip = 1, .trip_left = 1},
         "A PSU or the breaker would almost certainly trip.",
         "carry the load"},
        {{.off_circuit = "b", .off_s = 7200, .psus = 4, .load = 1.6},
         "the others take over the load.",
         "carry the load"},
        {{.off_circuit = "b", .off_s = 7200, .over_s = 600}, "The circuit is overloaded.", "carry the load"},
        {{.off_circuit = "b", .off_s = 7200, .trip = 1}, "the others carry the load.", "almost certainly"},
        {{.off_circuit = "b", .off_s = 7200, .trip = 1, .trip_left = 1, .over_s = 600, .stopped = true},
         "The machine stops after 2",
         "almost certainly"},
        {{.off_circuit = "b", .off_s = NAN}, "Throughput", "Circuit b"},
        {{.cards = 4, .off = true, .cards_off = 4}, "The rig shuts down from heat.", " of 4 cards"},
        {{.cards = 4, .off = true}, "The rig shuts down from heat.", " of 4 cards"},
        {{.cards = 4, .off = true, .cards_off = 1, .cpus_off = 1}, "The rig shuts down from heat.", " of 4 cards"},
        {{.cards = 4, .off = true, .cards_off = 1}, "Shutdown from heat: 1 of 4 cards.", "The rig shuts"},
        {{.cards = 4, .hot = 2, .lost = 0.25, .braked = true}, "heat and the power brake -25", "throughput lost"},
        {{.cards = 4, .hot = 2, .lost = 0.25}, "25 % of the throughput lost", "Throughput "},
        {{.cards = 4, .hot = 2, .lost = 0.25, .limited = 0.5, .limits = "power limits"}, "power limits -50", "lost"},
        {{.cards = 4, .trip = 0.5}, "", "Nothing trips"},
        {{.cards = 4, .load = 1.2, .psus = 1}, "", "Nothing trips"},
        {{.cards = 4, .load = 0.5, .psus = 1}, "Nothing trips", "shuts down"},
        {{.cards = 4, .over_s = 60}, "", "Nothing trips"},
        {{.cards = 4, .feed = 1.2}, "", "Nothing trips"},
    };
    wsk_arena *arena = wsk_arena_new();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = verdict_of(&cases[i].facts, arena);
        if (!text || !strstr(text, cases[i].told) || strstr(text, cases[i].untold))
            fail_msg("case %zu: %s", i, text ? text : "nothing");
        free(text);
    }
    wsk_arena_free(arena);
}

static void chances_have_words_at_their_ends(void **state)
{
    (void)state;
    static const struct {
        double p;
        const char *told;
    } cases[] = {
        {0.009, "No card throttles"}, {0.01, ": 1 %"}, {0.5, ": 50 %"}, {0.99, ": 99 %"}, {0.991, "Heat lowers"}};
    wsk_arena *arena = wsk_arena_new();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *said = wsk_said_english(arena, wsk_say_throttle_chance(cases[i].p, arena));
        if (!strstr(said, cases[i].told))
            fail_msg("%g: %s", cases[i].p, said);
    }
    wsk_arena_free(arena);
}

/* Sentences on tokens: NULL where there is nothing to say. */
static void tokens_are_told(void **state)
{
    (void)state;
    typedef const wsk_said *sayer(const wsk_facts *, wsk_arena *);
    static const struct {
        sayer *say;
        wsk_facts facts;
        const char *told;
    } cases[] = {
        {wsk_say_tokens, {.tokens_s = 50}, NULL},
        {wsk_say_tokens,
         {.model = true, .need_gib = 40, .have_gib = 24, .tokens_s = NAN},
         "The model does not fit: it needs 40.0 GiB"},
        {wsk_say_tokens,
         {.model = true, .need_gib = 40, .have_gib = 24, .tokens_s = 3},
         "with the rest in the host's memory it generates 3 tokens"},
        {wsk_say_tokens, {.model = true, .fits = true, .tokens_s = 50, .tokens_rel = 0.2}, "It generates 50 tokens"},
        {wsk_say_tokens,
         {.model = true, .fits = true, .need_gib = 20, .have_gib = 24, .tokens_s = NAN},
         "The model fits: it takes 20.0 of 24.0 GiB"},
        {wsk_say_requests, {.requests = 1, .request_s = 9}, NULL},
        {wsk_say_requests, {.requests = 8, .request_s = NAN}, NULL},
        {wsk_say_requests, {.requests = 8, .request_s = 9, .copies = 1}, "Requests answered at a time: 8,"},
        {wsk_say_requests, {.requests = 8, .request_s = 9, .copies = 2}, "2 copies of the model answer 8 requests"},
        {wsk_say_tokens_elsewhere, {.token_price = NAN, .token_cost = 1}, NULL},
        {wsk_say_tokens_elsewhere, {.token_price = 3, .token_cost = NAN}, NULL},
        {wsk_say_tokens_elsewhere,
         {.token_price = 3, .token_cost = 1.5, .currency = "EUR"},
         "2 times this electricity"},
    };
    wsk_arena *arena = wsk_arena_new();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const wsk_said *said = cases[i].say(&cases[i].facts, arena);
        const char *text = said ? wsk_said_english(arena, said) : NULL;
        if ((text == NULL) != (cases[i].told == NULL) || (text && !strstr(text, cases[i].told)))
            fail_msg("case %zu: %s", i, text ? text : "nothing");
    }
    wsk_arena_free(arena);
}

/* Heat lowers no clock of a card whose power is pinned, so nothing tells whether it would throttle: above its target
 * temperature of 83 degC a real one would. */
static void given_watts_do_not_throttle(void **state)
{
    (void)state;
    static const char *const cards[] = {"", "fan-fails-at='58 min'"};
    for (int i = 0; i < 2; i++) {
        char xml[1000], *text = NULL;
        snprintf(xml, sizeof xml,
                 "<rig><site><room temperature='45 degC'/></site><chassis part='chassis/full-tower-8-slot'>"
                 "<fan part='fan/generic-120-1500' at='front' count='3'/><psu part='psu/tier-gold-850'/>"
                 "<gpu part='gpu/rtx-3090' slot='1' power='330 W' %s/></chassis></rig>",
                 cards[i]);
        wsk_rig *rig;
        wsk_run *run = wsk_test_run_to(xml, 3600, &rig);
        assert_true(wsk_var_high(run, WSK_VAR_CARD_DIE_C, 0) > 84);
        assert_int_equal(wsk_run_judge(rig, run), WSK_OK);
        assert_int_equal(wsk_run_summary_text(run, &text), WSK_OK);
        if (strstr(text, "o card throttles") || strstr(text, "or throttles from heat") ||
            strstr(text, "no throttling") || !strstr(text, "The cards draw the watts given"))
            fail_msg("%s", text);
        wsk_text_free(text);
        wsk_test_drop(run, rig);
        rig = wsk_test_rig(xml, NULL);
        text = wsk_test_check(rig);
        if (strstr(text, "no card throttles") || !strstr(text, "the cards draw the watts given"))
            fail_msg("%s", text);
        wsk_text_free(text);
        wsk_rig_free(rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_hot_is_not_told_as_hot),
        cmocka_unit_test(given_watts_do_not_throttle),
        cmocka_unit_test(losses_are_told_once),
        cmocka_unit_test(points_are_whole),
        cmocka_unit_test(burdens_of_a_case),
        cmocka_unit_test(what_goes_off),
        cmocka_unit_test(chances_have_words_at_their_ends),
        cmocka_unit_test(tokens_are_told),
        cmocka_unit_test(what_follows_a_failure),
        cmocka_unit_test(an_old_summary_is_understood),
        cmocka_unit_test(a_summary_read_back_gives_the_same_verdict),
        cmocka_unit_test(a_brake_is_no_heat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
