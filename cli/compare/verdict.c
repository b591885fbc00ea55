/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the sentences about overloaded cases and about the winner, which rule.c finds. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/compare/words.h"
#include "sim/say/say.h"
#include "words/words.h"

/* ---- overloaded cases ---- */

/* The overloads of a case as text; "": none. circuit: with the load of the circuit. Caller frees. */
static char *put_burdens(const wsk_cli_case *c, bool circuit)
{
    wsk_arena *arena = wsk_arena_new();
    wsk_buf text = {0};
    const wsk_burdens burdens = {.off = c->shuts_down,
                                 .breaker = c->breaker,
                                 .trip = c->trip,
                                 .psu = c->supply_peak > 1.0005 ? c->supply_peak : 0,
                                 .circuit = circuit && wsk_cli_over_circuit(c) ? c->circuit_peak : 0};
    wsk_words_said(&text, wsk_cli_lang, wsk_say_burdens(&burdens, arena));
    wsk_arena_free(arena);
    char *words = wsk_cli_format("%s", text.data ? text.data : "");
    wsk_buf_free(&text);
    return words;
}

void wsk_cli_burden_words(FILE *out, const wsk_cli_comparison *all, char *const *names)
{
    enum { TOLD = 4 };
    size_t told = 0, over = 0;
    for (size_t i = 0; i < all->count; i++)
        over += wsk_cli_over_circuit(&all->cases[i]);
    if (over == all->count)
        fputs(T_("All cases exceed the circuit's continuous limit.\n"), out);
    for (size_t i = 0; i < all->count && told <= TOLD; i++) {
        char *burdens = put_burdens(&all->cases[i], over < all->count);
        if (*burdens && told++ < TOLD)
            wsk_cli_say(out, T_("%1$s: %2$s.\n"), names[i], burdens);
        else if (*burdens)
            fputs(T_("More cases are overloaded or shut down.\n"), out);
        free(burdens);
    }
}

/* ---- amounts ---- */

static int price_digits(double value)
{
    return value >= 10000 ? 0 : value >= 10 ? 2 : 4;
}

/* Returns a number as a price of the yardstick: "20.50 USD a year (electricity and purchase)". Caller frees. */
static char *put_price(const wsk_cli_yardstick *y, const char *number, const char *currency)
{
    char *amount = y->per[0] ? wsk_cli_format(T_("%1$s %2$s per %3$s"), number, currency, y->per)
                   : y->work ? wsk_cli_format(T_("%1$s %2$s per GPU-hour of work"), number, currency)
                             : wsk_cli_format(T_("%1$s %2$s a year"), number, currency);
    char *all =
        wsk_cli_format(y->buy ? T_("%1$s (electricity and purchase)") : T_("%1$s (electricity only)"), amount);
    free(amount);
    return all;
}

static char *put_cost(const wsk_cli_yardstick *y, const wsk_cli_case *c)
{
    char number[48];
    double value = y->scale * wsk_cli_measured(c, y->by);
    snprintf(number, sizeof number, "%.*f", price_digits(value), value);
    return put_price(y, number, c->currency);
}

/* ---- the ruling ---- */

static void put_no_winner(FILE *out, const wsk_cli_common *all, const wsk_cli_ruling *r)
{
    switch (r->outcome) {
    case WSK_CLI_ONE_CASE: fputs(T_("No winner: there is only one case.\n"), out); break;
    case WSK_CLI_CURRENCIES: fputs(T_("No winner: the cases are paid in different currencies.\n"), out); break;
    case WSK_CLI_UNEQUAL_TIMES: fputs(T_("No winner: the cases have different durations.\n"), out); break;
    case WSK_CLI_NO_TARIFFS:
        fputs(T_("No winner: no case has a tariff, so electricity has no price. Add a <tariff> to <site>.\n"), out);
        break;
    case WSK_CLI_NO_TARIFF:
        wsk_cli_say(out, T_("No winner: %1$s has no tariff, so its electricity has no price.\n"),
                    wsk_cli_name_of(all, r->who));
        break;
    case WSK_CLI_UNLIKE_CARDS:
    case WSK_CLI_UNLIKE_RATES:
        wsk_cli_say(out, T_("No winner: GPU-hours of %1$s and of %2$s are different amounts of work. "),
                    r->who->cards, r->other->cards);
        fputs(
            r->outcome == WSK_CLI_UNLIKE_RATES
                ? T_("Both cases have the rate of one card; vary the rate too (--vary 'workload.rate=...'), or "
                     "compare two files, each with its own rate.\n")
                : T_("With rate=\"...\" and unit=\"tokens\" in each <workload>, the cases are compared by tokens.\n"),
            out);
        break;
    case WSK_CLI_NEGATIVE_COST:
        wsk_cli_say(out,
                    T_("No winner: the electricity of %1$s has a negative cost, so that less work looks better.\n"),
                    wsk_cli_name_of(all, r->who));
        break;
    case WSK_CLI_UNLIKE_LOADS:
        fputs(T_("No winner: the loads of the cases differ, and no work is counted.\n"), out);
        break;
    case WSK_CLI_SAME_COST: fputs(T_("No winner: the cases cost the same.\n"), out); break;
    default: fputs(T_("No winner: electricity costs the same, and the purchases cannot be compared.\n"), out);
    }
}

/* Says that the difference between the best and its only rival is within its uncertainty, and names the input that most
 * of the uncertainty comes from. */
static void put_close_pair(FILE *out, const wsk_cli_common *all, const wsk_cli_ruling *r, const wsk_cli_case *rival)
{
    char text[48], *bar;
    const wsk_cli_yardstick *y = &r->y;
    const char *most;
    double band = wsk_cli_band_between(r->best, rival, y->by, all->f, &most);
    wsk_cli_put_band(text, y->scale * (wsk_cli_measured(rival, y->by) - wsk_cli_measured(r->best, y->by)),
                     y->scale * band, y->work ? 4 : 2);
    if ((bar = strstr(text, " ±")) != NULL)
        *bar++ = '\0';
    char *price = put_price(y, text, all->run);
    wsk_cli_say(out, T_("No winner between %1$s and %2$s: the difference of %3$s is within its uncertainty.\n"),
                wsk_cli_name_of(all, r->best), wsk_cli_name_of(all, rival), price);
    if (*most)
        wsk_cli_say(out, T_("  Uncertainty: %1$s %2$s, mostly from %3$s.\n"), bar ? bar : "±0", all->run, most);
    else
        wsk_cli_say(out, T_("  Uncertainty: %1$s %2$s.\n"), bar ? bar : "±0", all->run);
    free(price);
}

/* Names of cases. group true: the best case and its rivals; false: the cases that the best one beats. Caller frees. */
static char *put_names(const wsk_cli_common *all, const wsk_cli_ruling *r, bool group)
{
    const char **items = wsk_cli_alloc((all->count + 1) * sizeof *items);
    size_t n = 0;
    if (group)
        items[n++] = wsk_cli_name_of(all, r->best);
    for (size_t i = 0; i < all->count; i++) {
        const wsk_cli_case *c = &all->cases[i];
        if (c != r->best && wsk_cli_may_win(all, c) && wsk_cli_is_rival(all, r->best, c, r->y.by) == group)
            items[n++] = all->names[i];
    }
    char *names = wsk_cli_join(items, n, true);
    free(items);
    return names;
}

static void put_group(FILE *out, const wsk_cli_common *all, const wsk_cli_ruling *r)
{
    char *cost = put_cost(&r->y, r->best);
    for (size_t i = 0; i < all->count && r->rivals == 1; i++)
        if (wsk_cli_is_rival(all, r->best, &all->cases[i], r->y.by))
            put_close_pair(out, all, r, &all->cases[i]);
    if (r->rivals > 1) {
        char *names = put_names(all, r, true);
        wsk_cli_say(out, T_("No winner among %1$s: their differences are within the uncertainty.\n"), names);
        free(names);
    }
    wsk_cli_say(out, T_("  Cheapest: %1$s, %2$s.\n"), wsk_cli_name_of(all, r->best), cost);
    if (r->works)
        wsk_cli_say(out, T_("  Most work: %1$s.\n"), wsk_cli_name_of(all, r->works));
    if (r->cool)
        wsk_cli_say(out, T_("  Coolest: %1$s.\n"), wsk_cli_name_of(all, r->cool));
    free(cost);
}

/* Says which cases the cheapest one beats: by name up to NAMED cases, else by their number. */
static void put_beaten(FILE *out, const wsk_cli_common *all, const wsk_cli_ruling *r)
{
    enum { NAMED = 3 };
    if (r->beaten > NAMED) {
        wsk_cli_say(out, T_("  %1$s beats the other cases (%2$zu).\n"), wsk_cli_name_of(all, r->best), r->beaten);
    } else if (r->beaten) {
        char *names = put_names(all, r, false);
        wsk_cli_say(out, T_("  %1$s beats %2$s.\n"), wsk_cli_name_of(all, r->best), names);
        free(names);
    }
}

static void put_warnings(FILE *out, const wsk_cli_common *all, const wsk_cli_ruling *r)
{
    const wsk_cli_case *best = r->best;
    if (r->left_out)
        fputs(r->burden == WSK_CLI_RUNS ? T_("  Overloaded cases are not ranked.\n")
                                        : T_("  Cases that would trip or shut down are not ranked.\n"),
              out);
    if (r->burden == WSK_CLI_STOPS)
        fputs(T_("  Warning: every case would trip or shut down.\n"), out);
    else if (r->burden == WSK_CLI_OVERLOADS)
        wsk_cli_say(out, T_("  Warning: %1$s overloads its PSU or its circuit, too.\n"), wsk_cli_name_of(all, best));
    if (r->unearned)
        wsk_cli_say(out,
                    T_("  Warning: %1$s does not pay back within %2$d years at %3$g %% interest: net present value "
                       "%4$.0f %5$s.\n"),
                    wsk_cli_name_of(all, best), all->f->years, 100 * all->f->rate, best->npv, best->currency);
    if (r->most)
        wsk_cli_say(out, T_("  %1$s does the most work, %2$.1f %% more than %3$s.\n"), wsk_cli_name_of(all, r->most),
                    100 * (wsk_cli_work_rate(all, r->most) / wsk_cli_work_rate(all, best) - 1),
                    wsk_cli_name_of(all, best));
}

void wsk_cli_ruling_words(FILE *out, const wsk_cli_common *all, const wsk_cli_ruling *r)
{
    if (r->outcome != WSK_CLI_RANKED) {
        put_no_winner(out, all, r);
        return;
    }
    if (r->rivals) {
        put_group(out, all, r);
        put_beaten(out, all, r);
    } else {
        char *cost = put_cost(&r->y, r->best);
        wsk_cli_say(out, T_("Winner: %1$s, %2$s.\n"), wsk_cli_name_of(all, r->best), cost);
        free(cost);
    }
    put_warnings(out, all, r);
}
