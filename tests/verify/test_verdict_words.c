/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sentences of the verdict for facts made up here: each fault is told where its fact begins, and nothing is said to
 * be well that is not. */
#include <math.h>
#include <string.h>

#include "sim/say/say.h"
#include "tests/support/bench.h"

typedef const wsk_said *sayer(const wsk_facts *, wsk_arena *);

/* A rig of four cards without faults, noise and money. */
static wsk_facts healthy(void)
{
    return (wsk_facts){.cards = 4,
                       .psus = 1,
                       .machines = 1,
                       .worst = -1,
                       .failed_s = NAN,
                       .slowed_s = NAN,
                       .shut_s = NAN,
                       .off_s = NAN,
                       .limits = "power limits",
                       .noise_dba = NAN,
                       .listener_m = 1,
                       .room_c = 25,
                       .tokens_s = NAN,
                       .request_s = NAN,
                       .week = NAN,
                       .year = NAN,
                       .solar = NAN,
                       .heating = NAN,
                       .currency = "USD"};
}

static void assert_says(sayer *say, const wsk_facts *f, const char *told)
{
    wsk_arena *arena = wsk_arena_new();
    const wsk_said *said = say(f, arena);
    const char *text = said ? wsk_said_english(arena, said) : NULL;
    if (!said != !told || (told && strcmp(text, told) != 0))
        fail_msg("\"%s\" for \"%s\"", text ? text : "", told ? told : "");
    wsk_arena_free(arena);
}

/* The sentences before those on throughput and money, as one text. */
static const wsk_said *opinions(const wsk_facts *f, wsk_arena *arena)
{
    wsk_said_list o = {.arena = arena};
    o.count = wsk_say_verdict(f, &o);
    return wsk_said_link_all(&o, WSK_SAY_JOIN_SENTENCES, WSK_SAY_JOIN_SENTENCES);
}

/* A case changes the healthy rig; `set` does so. */
typedef struct {
    void (*set)(wsk_facts *f);
    const char *told;
} change;

static void assert_all_say(sayer *say, const change *changes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        wsk_facts f = healthy();
        changes[i].set(&f);
        assert_says(say, &f, changes[i].told);
    }
}

#define CHANGE(name, ...) \
    static void name(wsk_facts *f) \
    { \
        __VA_ARGS__; \
    }
#define ALL_IS_WELL "Nothing trips, gets too hot or throttles from heat."
#define OTHERWISE_COOL " Nothing gets too hot or throttles from heat."

CHANGE(well, (void)f)
CHANGE(may_trip, f->trip = 0.3)
CHANGE(hardly_trips, f->trip = 0.0049)
CHANGE(seldom_trips, f->trip = 0.007)
CHANGE(surely_trips, f->trip = 0.999)
CHANGE(over_circuit, f->over_s = 60; f->over = 1)
CHANGE(over_for_a_time, f->over_s = 3600; f->over = 0.5)
CHANGE(over_feed, f->feed = 1.2)
CHANGE(small_psu, f->load = 1.1)
CHANGE(small_psus, f->load = 1.1; f->psus = 2)
CHANGE(full_psu, f->load = 1; f->feed = 1)
CHANGE(braked, f->braked = true)
CHANGE(circuit_lost, f->off_circuit = "a"; f->off_s = 600; f->trip = 0.5)
CHANGE(circuit_lost_others_trip, circuit_lost(f); f->trip_left = 0.3)
CHANGE(circuit_lost_others_over, circuit_lost(f); f->over_s = 60; f->over = 0.1; f->trip = 0)
CHANGE(circuit_lost_others_small, circuit_lost(f); f->load = 1.1; f->trip = 0)
CHANGE(on_battery, circuit_lost(f); f->on_battery = true; f->trip = 0)
CHANGE(stopped_by_circuit, circuit_lost(f); f->stopped = true; f->over_s = 60; f->over = 0.1)
CHANGE(stopped_steady, f->off_circuit = "a"; f->stopped = true)
CHANGE(stopped_by_psu, f->off_psu = "psu0"; f->off_s = 60; f->stopped = true; f->trip = 0.3)
CHANGE(undone, f->undone = 0.5)
CHANGE(little_undone, f->undone = 0.05)
CHANGE(parts_hot, f->parts_hot = true)
CHANGE(room_hot, f->room_c = 36)
CHANGE(may_throttle, f->throttles = 0.45)
CHANGE(hardly_throttles, f->throttles = 0.2)
CHANGE(surely_throttles_later, f->throttles = 0.97; f->failed = true)
CHANGE(may_throttle_later, f->throttles = 0.45; f->failed = true)
CHANGE(no_cards, f->cards = 0)
CHANGE(given_watts, f->given = true)

static void faults_are_told_and_nothing_else(void **state)
{
    static const change changes[] = {
        {well, ALL_IS_WELL},
        {may_trip, "30 % chance that a PSU or the breaker trips." OTHERWISE_COOL},
        {hardly_trips, ALL_IS_WELL},
        {seldom_trips, "1 % chance that a PSU or the breaker trips." OTHERWISE_COOL},
        {surely_trips, "A PSU or the breaker would almost certainly trip." OTHERWISE_COOL},
        {over_circuit, "The circuit is overloaded." OTHERWISE_COOL},
        {over_for_a_time, "The circuit is overloaded for 1 h (50 % of the time)." OTHERWISE_COOL},
        {over_feed, "The UPS or power strip is loaded to 120 % of its rating." OTHERWISE_COOL},
        {small_psu, "The PSU is too small." OTHERWISE_COOL},
        {small_psus, "A PSU is too small." OTHERWISE_COOL},
        {full_psu, ALL_IS_WELL},
        {braked, "The chassis brakes its cards: the PSUs cannot carry them at full clock. " ALL_IS_WELL},
        {circuit_lost, "Circuit a goes off after 10 min; the others carry the load." OTHERWISE_COOL},
        {circuit_lost_others_trip,
         "Circuit a goes off after 10 min; the others take over the load. 30 % chance that a PSU "
         "or the breaker trips." OTHERWISE_COOL},
        {circuit_lost_others_over, "Circuit a goes off after 10 min; the others take over the load. The circuit is "
                                   "overloaded for 1 min (10 % of the time)." OTHERWISE_COOL},
        {circuit_lost_others_small, "Circuit a goes off after 10 min; the others take over the load. The PSU is too "
                                    "small." OTHERWISE_COOL},
        {on_battery, "Circuit a goes off after 10 min; its UPS carries its load. " ALL_IS_WELL},
        {undone, "Failures of the job undo 50 % of its work. " ALL_IS_WELL},
        {little_undone, ALL_IS_WELL},
        {parts_hot, "Parts get hotter than their limits. Nothing trips or throttles from heat."},
        {room_hot, "The room gets too hot (36.0 degC). Nothing trips or throttles from heat."},
        {may_throttle, "Nothing trips or gets too hot. With the most likely inputs no card throttles from heat, but "
                       "the chance that one "
                       "does is 45 %."},
        {hardly_throttles, ALL_IS_WELL},
        {surely_throttles_later, ALL_IS_WELL}, /* the sentence on the failure says when */
        {may_throttle_later, "Nothing trips or gets too hot. With the most likely inputs no card throttles from "
                             "heat, but the chance that "
                             "one does is 45 %."},
        {no_cards, "Nothing trips or gets too hot."},
        {given_watts, "Nothing trips or gets too hot."}};
    (void)state;
    assert_all_say(opinions, changes, sizeof changes / sizeof *changes);
}

/* A machine that its lost circuit stopped no longer trips a breaker or overloads a circuit; one that its failed PSU
 * stopped did both until then. */
static void what_stopped_the_machine_comes_first(void **state)
{
    (void)state;
    wsk_facts f = healthy();
    stopped_by_circuit(&f);
    wsk_arena *arena = wsk_arena_new();
    const char *text = wsk_said_english(arena, opinions(&f, arena));
    assert_null(strstr(text, "overloaded"));
    assert_null(strstr(text, "chance"));
    assert_non_null(strstr(text, "10 min"));
    f = healthy();
    stopped_steady(&f);
    text = wsk_said_english(arena, opinions(&f, arena));
    assert_null(strstr(text, "after"));
    f = healthy();
    stopped_by_psu(&f);
    text = wsk_said_english(arena, opinions(&f, arena));
    assert_non_null(strstr(text, "psu0"));
    assert_non_null(strstr(text, "1 min"));
    assert_non_null(strstr(text, "30 % chance that a PSU or the breaker trips"));
    wsk_arena_free(arena);
}

CHANGE(nothing_known, f->lost = NAN)
CHANGE(stopped, f->stopped = true; f->lost = 0.5)
CHANGE(limited, f->limited = 0.08)
CHANGE(hardly_limited, f->limited = 0.008)
CHANGE(lost_cards, f->gone = 0.25)
CHANGE(limited_and_lost_cards, f->gone = 0.25; f->limited = 0.2)
CHANGE(heat, f->hot = 2; f->lost = f->lost_low = f->lost_high = 0.1)
CHANGE(heat_and_limits, heat(f); f->limited = 0.1)
CHANGE(heat_and_brake, heat(f); f->braked = true)
CHANGE(brake, f->braked = true; f->lost = f->lost_low = f->lost_high = 0.2)
CHANGE(hardly_any_left, f->gone = 0.994)
CHANGE(wide, heat(f); f->lost_low = 0.02; f->lost_high = 0.28; f->limited = 0.1)

static void losses_add_up(void **state)
{
    static const change changes[] = {
        {well, "Throughput 100 % of full."},
        {nothing_known, NULL},
        {stopped, NULL},
        {limited, "Throughput 92 % of full: power limits -8 points."},
        {hardly_limited, "Throughput 99.2 % of full: power limits -0.8 points."},
        {lost_cards, "Throughput 75 % of full: lost cards -25 points."},
        {limited_and_lost_cards, "Throughput 60 % of full: power limits -20, lost cards -20 points."},
        {heat_and_limits, "Throughput 81 % of full: power limits -10, heat -9 points."},
        {heat_and_brake, "Throughput 90 % of full: heat and the power brake -10 points."},
        {hardly_any_left, "Throughput 0.6 % of full: lost cards -99 points."},
        {brake, "Throughput 80 % of full: the power brake -20 points."},
        {wide, "Throughput 81 % (60 to 90) of full: power limits -10, heat -9 points."}};
    (void)state;
    assert_all_say(wsk_say_throughput, changes, sizeof changes / sizeof *changes);
}

CHANGE(a_card_off, f->off = true; f->cards_off = 1; f->lost = f->lost_low = f->lost_high = 0.25)
CHANGE(all_cards_off, a_card_off(f); f->cards_off = 4)
CHANGE(a_processor_off, a_card_off(f); f->cards_off = 0; f->cpus_off = 1)
CHANGE(unknown_off, a_card_off(f); f->cards_off = 0)
CHANGE(heat_wide, heat(f); f->lost_low = 0.02; f->lost_high = 0.28)
CHANGE(heat_and_lost_card, heat(f); f->gone = 0.25)
CHANGE(heat_that_takes_nothing, f->hot = 1)

static void heat_names_its_loss_where_it_is_the_only_one(void **state)
{
    static const change changes[] = {
        {heat, "Throttling from heat: 2 of 4 cards, 10 % of the throughput lost. Nothing trips."},
        {heat_wide, "Throttling from heat: 2 of 4 cards, 0 to 30 % of the throughput lost. Nothing trips."},
        {heat_that_takes_nothing, "Throttling from heat: 1 of 4 cards. Nothing trips."},
        {heat_and_limits, "Throttling from heat: 2 of 4 cards. Nothing trips."},
        {heat_and_lost_card, "Throttling from heat: 2 of 4 cards. Nothing trips."},
        {a_card_off, "Shutdown from heat: 1 of 4 cards, 25 % of the throughput lost. Nothing trips."},
        {all_cards_off, "The rig shuts down from heat, 25 % of the throughput lost. Nothing trips."},
        {a_processor_off, "The rig shuts down from heat, 25 % of the throughput lost. Nothing trips."},
        {unknown_off, "The rig shuts down from heat, 25 % of the throughput lost. Nothing trips."}};
    (void)state;
    assert_all_say(opinions, changes, sizeof changes / sizeof *changes);
}

/* The page's sentences on heat. */
static const wsk_said *page_heat(const wsk_facts *f, wsk_arena *arena)
{
    wsk_said_list o = {.arena = arena};
    wsk_say_heat(f, &o);
    return o.count ? wsk_said_link_all(&o, WSK_SAY_JOIN_SENTENCES, WSK_SAY_JOIN_SENTENCES) : NULL;
}

CHANGE(worst, heat(f); f->worst = 1; f->worst_id = "gpu1"; f->worst_share = 0.42)
CHANGE(a_card_and_a_processor_off, a_card_off(f); f->cpus_off = 1)
CHANGE(a_card_off_after_failure, a_card_off(f); f->failed = true)

#define PROCESSOR "A processor shuts down from heat, and all cards of its machine with it."

static void heat_on_the_page(void **state)
{
    static const change changes[] = {
        {no_cards, NULL},
        {well, "No card throttles from heat."},
        {given_watts, "The cards draw the watts given, however hot they get."},
        {worst, "Throttling from heat: 2 of 4 cards; gpu1 is in thermal slowdown 42 % of the time."},
        {a_card_off, "Shut down from heat: 1 of 4 cards. This rig cannot do this work."},
        {a_card_off_after_failure, "Shut down from heat after the failure: 1 of 4 cards."},
        {a_processor_off, PROCESSOR},
        {a_card_and_a_processor_off, "Shut down from heat: 1 of 4 cards. This rig cannot do this work. " PROCESSOR},
        {unknown_off, "The rig shuts down from heat."}};
    (void)state;
    assert_all_say(page_heat, changes, sizeof changes / sizeof *changes);
}

CHANGE(silent, f->noise_dba = 1)
CHANGE(quiet, f->noise_dba = 30)
CHANGE(loud, f->noise_dba = 75)
CHANGE(loud_server_room, f->noise_dba = 75; f->stand = WSK_STANDS_SERVER_ROOM)

static void noise_is_judged_by_its_place(void **state)
{
    static const change changes[] = {
        {well, NULL},
        {silent, NULL},
        {quiet, "The rig is quiet enough to work beside (30 dBA at 1 m)."},
        {loud, "The rig is too loud to work beside (75 dBA at 1 m)."},
        {loud_server_room, "The rig is quiet enough for a server room (75 dBA at 1 m)."}};
    (void)state;
    assert_all_say(wsk_say_noise, changes, sizeof changes / sizeof *changes);
}

static void ranges_of(wsk_facts *f, double below, double above)
{
    f->die_c = (wsk_ranged){80, 80 - 0.1 * below, 80 + 0.1 * above};
    f->wall_w = (wsk_ranged){1000, 1000 - below, 1000 + above};
    f->annual = (wsk_ranged){500, 500 - below, 500 + above};
}
/* Half of the last digit, or a bit more; less. */
CHANGE(least, ranges_of(f, 0.52, 0.52))
CHANGE(too_little, ranges_of(f, 0.48, 0.48))
CHANGE(even, ranges_of(f, 50, 50); f->throttles = 0.1)
CHANGE(uneven, ranges_of(f, 80, 20))
CHANGE(no_currency, even(f); f->currency = NULL; f->throttles = 0.04)
CHANGE(surely, even(f); f->throttles = 0.96)
CHANGE(just_doubtful, even(f); f->hot = 1; f->throttles = 0.95)
CHANGE(told_in_the_verdict, even(f); f->throttles = 0.5)
CHANGE(told_at_a_steady_point, even(f); f->throttles = 0.5; f->steady = true)
CHANGE(shut_down, even(f); f->off = true)
#define EVEN "GPU 80.0 +-5.0 degC, mean 1000 +-50 W at the wall, 500 +-50 USD a year."

static void ranges_are_told_from_their_last_digit_on(void **state)
{
    static const change changes[] = {
        {well, NULL},
        {too_little, NULL},
        {least, "GPU 80.0 +-0.1 degC, mean 1000 +-1 W at the wall, 500 +-1 USD a year."},
        {even, EVEN " Heat lowers the clock of a card with a chance of 10 %."},
        {uneven, "GPU 80.0 degC (72.0 to 82.0), mean 1000 W at the wall (920 to 1020), 500 USD a year (420 to 520)."},
        {no_currency, "GPU 80.0 +-5.0 degC, mean 1000 +-50 W at the wall."},
        {surely, EVEN},
        {just_doubtful, EVEN " Heat lowers the clock of a card with a chance of 95 %."},
        {told_in_the_verdict, EVEN},
        {told_at_a_steady_point, EVEN " Heat lowers the clock of a card with a chance of 50 %."},
        {shut_down, EVEN}};
    (void)state;
    assert_all_say(wsk_say_ranges, changes, sizeof changes / sizeof *changes);
}

/* Noise belongs to the opinions, unless the rig is not loud but off or in a hot room. */
CHANGE(quiet_and_off, quiet(f); unknown_off(f))
CHANGE(loud_and_off, loud(f); unknown_off(f))
CHANGE(quiet_and_hot, quiet(f); room_hot(f))

static void noise_in_the_verdict(void **state)
{
    static const struct {
        void (*set)(wsk_facts *f);
        bool told;
    } cases[] = {{quiet, true}, {loud, true}, {quiet_and_off, false}, {loud_and_off, true}, {quiet_and_hot, false}};
    (void)state;
    wsk_arena *arena = wsk_arena_new();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        wsk_facts f = healthy();
        cases[i].set(&f);
        const char *text = wsk_said_english(arena, opinions(&f, arena));
        assert_int_equal(strstr(text, "dBA at 1 m") != NULL, cases[i].told);
    }
    wsk_arena_free(arena);
}

/* The causes of a wide loss follow the ranges, and are left out where the loss is known well. */
static void causes_of_a_wide_loss_are_told(void **state)
{
    (void)state;
    wsk_facts f = healthy();
    wsk_arena *arena = wsk_arena_new();
    const wsk_said *const causes[] = {WSK_SAY(arena, WSK_SAY_THROUGHPUT_FULL), WSK_SAY(arena, WSK_SAY_HEAT_NONE)};
    even(&f);
    f.throttles = 0;
    f.doubts = causes;
    f.n_doubts = 2;
    heat(&f);
    assert_says(wsk_say_ranges, &f, EVEN);
    heat_wide(&f);
    const char *text = wsk_said_english(arena, wsk_say_ranges(&f, arena));
    for (int i = 0; i < 2; i++)
        assert_non_null(strstr(text, wsk_said_english(arena, causes[i])));
    wsk_arena_free(arena);
}

/* Money and energy come after the opinions, and only where they are known. */
static void money_comes_last(void **state)
{
    (void)state;
    wsk_facts f = healthy();
    wsk_arena *arena = wsk_arena_new();
    wsk_said_list o = {.arena = arena};
    f.week = 10;
    f.year = 521;
    f.solar = 0.3;
    f.heating = 20;
    assert_int_equal(wsk_say_verdict(&f, &o), 1);
    assert_int_equal(o.count, 5);
    assert_string_equal(wsk_said_english(arena, o.items[1]), "Throughput 100 % of full.");
    assert_string_equal(wsk_said_english(arena, o.items[2]), "Electricity: 10.00 USD a week (about 521 a year).");
    assert_string_equal(wsk_said_english(arena, o.items[3]), "Solar power covers 30 % of its energy.");
    assert_string_equal(wsk_said_english(arena, o.items[4]), "Its heat saves about 20 USD of heating a year.");
    f.partial = true;
    f.year = 522;
    o.count = 0;
    wsk_say_verdict(&f, &o);
    assert_string_equal(wsk_said_english(arena, o.items[2]),
                        "Electricity: 10.00 USD a week (about 522 a year), if the rest of the week costs the same.");
    f.year = NAN;
    o.count = 0;
    wsk_say_verdict(&f, &o);
    assert_int_equal(o.count, 2);
    wsk_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(faults_are_told_and_nothing_else),
                                       cmocka_unit_test(what_stopped_the_machine_comes_first),
                                       cmocka_unit_test(losses_add_up),
                                       cmocka_unit_test(heat_names_its_loss_where_it_is_the_only_one),
                                       cmocka_unit_test(heat_on_the_page),
                                       cmocka_unit_test(noise_is_judged_by_its_place),
                                       cmocka_unit_test(ranges_are_told_from_their_last_digit_on),
                                       cmocka_unit_test(causes_of_a_wide_loss_are_told),
                                       cmocka_unit_test(noise_in_the_verdict),
                                       cmocka_unit_test(money_comes_last)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
