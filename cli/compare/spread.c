/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Uncertainty of a case, and of the difference or quotient of two cases (docs/theory/uncertainty.md). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/compare/compare.h"
#include "sim/say/say.h"

/* The uncertainty of tokens/s is half the width of the band that contains the true value with a probability of 80 %.
 * That of the other sources is one standard deviation. For a normal error the first is 1.2816 times the second. */
static const double eighty = 1.2816;

static double number_or_0(double v)
{
    return isnan(v) ? 0 : v;
}

static const char *keep(char **to, const char *text)
{
    char *copy = *to;
    size_t len = strlen(text) + 1;
    memcpy(copy, text, len);
    *to = copy + len;
    return copy;
}

static wsk_cli_effects effects_of(const wsk_uncertainty_effects *from, double purchase)
{
    return (wsk_cli_effects){.site = number_or_0(from->site_rel),
                             .wall = number_or_0(from->wall_rel),
                             .work = number_or_0(from->work_rel),
                             .die_k = number_or_0(from->die_k),
                             .noise_db = number_or_0(from->noise_db),
                             .purchase = purchase};
}

void wsk_cli_case_spread(wsk_cli_case *c, const wsk_uncertainty *u)
{
    wsk_uncertainty_source from;
    size_t count = wsk_uncertainty_sources(u);
    free(c->sources);
    wsk_arena_free(c->names);
    c->names = wsk_arena_new();
    wsk_cli_check_memory(c->names != NULL);
    size_t bytes = (count + 2) * sizeof *c->sources;
    for (size_t i = 0; i < count; i++) {
        wsk_uncertainty_get(u, i, &from);
        bytes += strlen(from.key) + strlen(from.text) + 2;
    }
    c->sources = wsk_cli_alloc(bytes);
    char *texts = (char *)(c->sources + count + 1);
    c->n_sources = count; /* the block has room for one more source: wsk_cli_tokens_spread */
    c->has_tokens_source = false;
    c->spread_known = true;
    wsk_uncertainty_effects below, above;
    wsk_uncertainty_total(u, &below, &above);
    c->site_below = below.site_rel;
    c->wall_below = below.wall_rel;
    c->site_above = above.site_rel;
    c->wall_above = above.wall_rel;
    c->noise_below = below.noise_db;
    c->noise_above = above.noise_db;
    for (size_t i = 0; i < count; i++) {
        wsk_cli_source *s = &c->sources[i];
        wsk_uncertainty_get(u, i, &from);
        s->key = keep(&texts, from.key);
        s->text = keep(&texts, from.text);
        s->name = wsk_said_keep(c->names, from.name);
        const double purchase = number_or_0(from.purchase);
        s->lowered = effects_of(&from.lowered, -purchase);
        s->raised = effects_of(&from.raised, purchase);
    }
    wsk_cli_check_memory(!wsk_arena_failed(c->names));
}

void wsk_cli_case_forget(wsk_cli_case *c)
{
    free(c->sources);
    c->sources = NULL;
    c->n_sources = 0;
    c->spread_known = false;
}

/* lowered, raised: changes of a value if one input is lowered or raised. Adds the square of the largest fall to
 * squares->below, and the square of the largest rise to squares->above. */
static void add_sides(wsk_cli_sides *squares, double lowered, double raised)
{
    const double least = fmin(fmin(lowered, raised), 0), most = fmax(fmax(lowered, raised), 0);
    squares->below += least * least;
    squares->above += most * most;
}

/* Half of the width of the range of a relative change. The lower side is at most 1, because a value falls by 100 % at
 * most. */
static double half_of(wsk_cli_sides squares)
{
    return wsk_cli_half((wsk_cli_sides){fmin(sqrt(squares.below), 1), sqrt(squares.above)});
}

/* Relative change of a quotient. above, below: numerator and denominator relative to their unchanged values. 0 if
 * `below` is almost 0, as for a rig that shuts down and does no work. */
static double of_quotient(double above, double below)
{
    return below > 0.02 ? above / below - 1 : 0;
}

/* The uncertainties of tokens in the summary take throughput and power as certain. Adds the uncertainties of throughput
 * and power, as the command run does. */
static void widen_tokens(const wsk_cli_case *c)
{
    wsk_cli_sides work2 = {0, 0}, per_work2 = {0, 0};
    for (size_t i = 0; i < c->n_sources; i++) {
        const wsk_cli_effects *lowered = &c->sources[i].lowered, *raised = &c->sources[i].raised;
        add_sides(&work2, lowered->work, raised->work);
        add_sides(&per_work2, of_quotient(1 + lowered->site, 1 + lowered->work),
                  of_quotient(1 + raised->site, 1 + raised->work));
    }
    const double work = eighty * half_of(work2), per_work = eighty * half_of(per_work2), elastic = fabs(c->elastic),
                 model = wsk_summary_number(c->summary, WSK_R_TOKENS_GENERATION_SPREAD, 0);
    /* standing charges per unit of work vary with the work alone */
    const double bill = elastic * per_work + fmax(1 - elastic, 0) * work;
    const struct {
        wsk_result result;
        double model, rig;
    } rows[] = {{WSK_R_TOKENS_GENERATION_SPREAD, model, work},
                {WSK_R_TOKENS_PROMPT_SPREAD, wsk_summary_number(c->summary, WSK_R_TOKENS_PROMPT_SPREAD, 0), work},
                {WSK_R_TOKENS_ENERGY_SPREAD, model, per_work},
                {WSK_R_TOKENS_COST_SPREAD, model, bill}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!isnan(wsk_summary_number(c->summary, rows[i].result, 0)))
            wsk_summary_set_number(c->summary, rows[i].result, 0, hypot(rows[i].model, rows[i].rig));
}

/* Writes the verdict again, because it states the ± of tokens. */
static void say_again(wsk_summary *s)
{
    wsk_arena *arena = wsk_arena_new();
    wsk_cli_check_memory(arena != NULL);
    const wsk_facts facts = wsk_facts_of(s);
    wsk_cli_check_memory(wsk_put_verdict(s, &facts, arena) && !wsk_arena_failed(arena));
    wsk_arena_free(arena);
}

void wsk_cli_tokens_spread(wsk_cli_case *c)
{
    if (!c->sources || !wsk_summary_shown(c->summary, WSK_R_TOKENS_MEMORY, 0) || c->widened == c->summary)
        return;
    /* This error belongs to the formula for tokens/s, not to an input, so cases with the same cards share it. */
    if (!c->has_tokens_source) {
        const char *key = wsk_printf(c->names, "tokens of %.80s", c->cards);
        wsk_cli_check_memory(key != NULL);
        c->has_tokens_source = true;
        const double tokens = number_or_0(wsk_summary_number(c->summary, WSK_R_TOKENS_GENERATION_SPREAD, 0)) / eighty,
                     prompt = number_or_0(wsk_summary_number(c->summary, WSK_R_TOKENS_PROMPT_SPREAD, 0)) / eighty;
        c->sources[c->n_sources++] = (wsk_cli_source){.key = key,
                                                      .text = T_("the tokens a second of these cards"),
                                                      .lowered = {.tokens = -tokens, .prompt = -prompt},
                                                      .raised = {.tokens = tokens, .prompt = prompt}};
    }
    widen_tokens(c);
    say_again(c->summary);
    c->widened = c->summary;
}

double wsk_cli_measured(const wsk_cli_case *c, wsk_cli_measure by)
{
    double cooling = wsk_summary_number(c->summary, WSK_R_ROOM_COOLING_KWH, 0);
    switch (by) {
    case WSK_CLI_BY_ENERGY: return c->wall_kwh + (cooling > 0 ? cooling : 0);
    case WSK_CLI_BY_WALL: return c->wall_kwh;
    case WSK_CLI_BY_COST: return c->cost;
    case WSK_CLI_BY_ANNUAL: return c->annual;
    case WSK_CLI_BY_WORK: return c->work > 0 ? c->work : NAN;
    case WSK_CLI_BY_PER_WORK: return c->cost_per_work;
    case WSK_CLI_BY_ALL_IN: return c->all_in;
    case WSK_CLI_BY_DIE: return wsk_summary_over(c->summary, WSK_R_GPU_DIE_MAX, WSK_OVER_MAX);
    case WSK_CLI_BY_NOISE: return wsk_summary_number(c->summary, WSK_R_NOISE, 0);
    case WSK_CLI_BY_CARBON: return wsk_summary_number(c->summary, WSK_R_CARBON, 0);
    case WSK_CLI_BY_PURCHASE: return c->purchase;
    case WSK_CLI_BY_TOTAL: return c->total;
    case WSK_CLI_BY_WORK_PER_ENERGY: return c->work / wsk_cli_measured(c, WSK_CLI_BY_ENERGY);
    case WSK_CLI_BY_COUNTED_PER_ENERGY: return c->count / wsk_cli_measured(c, WSK_CLI_BY_ENERGY);
    case WSK_CLI_BY_COUNTED: return c->count > 0 ? c->count : NAN;
    case WSK_CLI_BY_TOKENS: return wsk_summary_number(c->summary, WSK_R_TOKENS_GENERATION, 0);
    case WSK_CLI_BY_PROMPT: return wsk_summary_number(c->summary, WSK_R_TOKENS_PROMPT, 0);
    case WSK_CLI_BY_ALL_IN_COUNT: return c->all_in * c->work / c->count;
    default: return c->cost / c->count;
    }
}

/* Change of a measure, in its unit, by the changes `s`. Quotients are not linear: half the work at the same power is
 * twice the cost of work. bill: relative change of the electricity cost. */
static double effect(const wsk_cli_case *c, const wsk_cli_effects *s, wsk_cli_measure by, const wsk_cli_finance *f)
{
    const double value = wsk_cli_measured(c, by), bill = s->site * c->elastic, work = 1 + s->work,
                 count = work * (1 + s->tokens), site = 1 + s->site,
                 total = c->annual * bill + c->worth * s->purchase / wsk_cli_annuity(f),
                 hours = c->work * WSK_CLI_YEAR_S / c->simulated_s;
    switch (by) {
    case WSK_CLI_BY_ENERGY: return value * s->site;
    case WSK_CLI_BY_WALL: return value * s->wall;
    case WSK_CLI_BY_CARBON: return value * s->site * c->elastic_carbon;
    case WSK_CLI_BY_COST:
    case WSK_CLI_BY_ANNUAL: return value * bill;
    case WSK_CLI_BY_WORK: return value * s->work;
    case WSK_CLI_BY_TOKENS:
    case WSK_CLI_BY_COUNTED: return value * (count - 1);
    case WSK_CLI_BY_PROMPT: return value * (work * (1 + s->prompt) - 1);
    case WSK_CLI_BY_WORK_PER_ENERGY: return value * of_quotient(work, site);
    case WSK_CLI_BY_COUNTED_PER_ENERGY: return value * of_quotient(count, site);
    case WSK_CLI_BY_PER_WORK: return value * of_quotient(1 + bill, work);
    case WSK_CLI_BY_COUNT: return value * of_quotient(1 + bill, count);
    case WSK_CLI_BY_TOTAL: return total;
    case WSK_CLI_BY_ALL_IN: return value * of_quotient(1 + total / hours / value, work);
    case WSK_CLI_BY_ALL_IN_COUNT: return value * of_quotient(1 + total / hours * c->work / c->count / value, count);
    case WSK_CLI_BY_DIE: return s->die_k;
    case WSK_CLI_BY_NOISE: return s->noise_db;
    default: return c->worth * s->purchase;
    }
}

static const wsk_cli_source *same_source(const wsk_cli_case *c, const char *key)
{
    for (size_t i = 0; i < c->n_sources; i++)
        if (strcmp(c->sources[i].key, key) == 0)
            return &c->sources[i];
    return NULL;
}

/* Limits the sides of a measure as the ranges of a run are limited: several inputs that may each shut the cards down, or
 * keep them on, take or add their power only once, no card gets hotter than its shutdown temperature, and no work is
 * negative. fmin of a number and NAN, for a limit that is not known, is the number. */
static wsk_cli_sides limit_sides(const wsk_cli_case *c, wsk_cli_measure by, const wsk_cli_finance *f,
                                 wsk_cli_sides sides)
{
    const wsk_cli_effects least = {.site = -c->site_below, .wall = -c->wall_below},
                          most = {.site = c->site_above, .wall = c->wall_above};
    const double value = wsk_cli_measured(c, by);
    double change, rise;
    switch (by) {
    case WSK_CLI_BY_ENERGY:
    case WSK_CLI_BY_WALL:
    case WSK_CLI_BY_CARBON:
    case WSK_CLI_BY_COST:
    case WSK_CLI_BY_ANNUAL:
        change = effect(c, &least, by, f);
        rise = effect(c, &most, by, f);
        if (change > 0) { /* less power costs more where power earns money */
            sides.above = fmin(sides.above, change);
            sides.below = fmin(sides.below, fabs(rise));
        } else {
            sides.below = fmin(sides.below, -change);
            sides.above = fmin(sides.above, fabs(rise));
        }
        break;
    case WSK_CLI_BY_TOTAL:
        change = effect(c, &least, WSK_CLI_BY_ANNUAL, f);
        if (!(change > 0))
            sides.below =
                fmin(sides.below, hypot(change, wsk_cli_band(c, WSK_CLI_BY_PURCHASE, f) / wsk_cli_annuity(f)));
        break;
    case WSK_CLI_BY_DIE:
        sides.above = isnan(c->hottest_c) ? sides.above : fmin(sides.above, fmax(c->hottest_c - value, 0));
        break;
    case WSK_CLI_BY_NOISE:
        sides.below = fmin(sides.below, c->noise_below);
        sides.above = fmin(sides.above, c->noise_above);
        break;
    case WSK_CLI_BY_PURCHASE: break;
    default: sides.below = value > 0 ? fmin(sides.below, value) : sides.below;
    }
    return sides;
}

wsk_cli_sides wsk_cli_sides_of(const wsk_cli_case *c, wsk_cli_measure by, const wsk_cli_finance *f)
{
    wsk_cli_sides sum = {0, 0};
    for (size_t i = 0; i < c->n_sources; i++)
        add_sides(&sum, effect(c, &c->sources[i].lowered, by, f), effect(c, &c->sources[i].raised, by, f));
    if (!c->spread_known || isnan(wsk_cli_measured(c, by)))
        return wsk_cli_even(NAN);
    const wsk_cli_sides sides = {sqrt(sum.below), sqrt(sum.above)};
    return limit_sides(c, by, f, sides);
}

double wsk_cli_band(const wsk_cli_case *c, wsk_cli_measure by, const wsk_cli_finance *f)
{
    return wsk_cli_half(wsk_cli_sides_of(c, by, f));
}

/* Uncertainty of b x scale_b - a x scale_a, half of the width of its range. A source of both cases counts once, with
 * the differences of its effects. NAN: not known. *most: the source with the largest effect; `most` may be NULL. */
static double band_of_difference(const wsk_cli_case *a, double scale_a, const wsk_cli_case *b, double scale_b,
                                 wsk_cli_measure by, const wsk_cli_finance *f, const wsk_cli_source **most)
{
    wsk_cli_sides sum = {0, 0};
    double largest = 0;
    for (int side = 0; side < 2; side++) {
        const wsk_cli_case *mine = side ? b : a, *its = side ? a : b;
        /* A source of b alone gets a negative sign, so that all effects are those on a x scale_a - b x scale_b. */
        const double scale = side ? -scale_b : scale_a, its_scale = side ? scale_a : scale_b;
        for (size_t i = 0; i < mine->n_sources; i++) {
            const wsk_cli_source *s = &mine->sources[i], *other = same_source(its, s->key);
            if (side && other)
                continue;
            double lowered = scale * effect(mine, &s->lowered, by, f),
                   raised = scale * effect(mine, &s->raised, by, f);
            if (other) {
                lowered -= its_scale * effect(its, &other->lowered, by, f);
                raised -= its_scale * effect(its, &other->raised, by, f);
            }
            add_sides(&sum, lowered, raised);
            if (most && fmax(fabs(lowered), fabs(raised)) > largest)
                largest = fmax(fabs(lowered), fabs(raised)), *most = s;
        }
    }
    /* A difference is no more uncertain than both values together, whose ranges have limits. */
    const wsk_cli_sides of_a = wsk_cli_scaled(wsk_cli_sides_of(a, by, f), scale_a),
                        of_b = wsk_cli_scaled(wsk_cli_sides_of(b, by, f), scale_b);
    const double below = fmin(sqrt(sum.below), of_a.below + of_b.above),
                 above = fmin(sqrt(sum.above), of_a.above + of_b.below);
    bool known = a->spread_known && b->spread_known;
    return known && !isnan(wsk_cli_measured(a, by) - wsk_cli_measured(b, by)) ? (below + above) / 2 : NAN;
}

double wsk_cli_band_between(const wsk_cli_case *a, const wsk_cli_case *b, wsk_cli_measure by,
                            const wsk_cli_finance *f, const wsk_cli_source **most)
{
    if (most)
        *most = NULL;
    return band_of_difference(a, 1, b, 1, by, f, most);
}

double wsk_cli_band_scaled(const wsk_cli_case *a, double scale_a, const wsk_cli_case *b, double scale_b,
                           wsk_cli_measure by, const wsk_cli_finance *f)
{
    return band_of_difference(a, scale_a, b, scale_b, by, f, NULL);
}

double wsk_cli_band_ratio(const wsk_cli_case *a, const wsk_cli_case *b, wsk_cli_measure by, const wsk_cli_finance *f)
{
    double va = wsk_cli_measured(a, by), vb = wsk_cli_measured(b, by);
    return band_of_difference(a, vb / va / va, b, 1 / va, by, f, NULL);
}
