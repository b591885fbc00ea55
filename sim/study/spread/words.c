/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "sim/base/number.h"
#include "sim/base/width.h"
#include "sim/results/summary.h"
#include "sim/say/say.h"
#include "sim/study/spread/spread.h"

static void put_number(wsk_buf *o, const char *before, const char *name, double v)
{
    char text[40] = "null";
    if (isfinite(v))
        wsk_print_places(text, sizeof text, v, 7);
    wsk_buf_printf(o, "%s\"%s\": %s", before, name, text);
}

static void put_text(wsk_buf *o, const char *before, const char *name, const char *s)
{
    wsk_buf_printf(o, "%s\"%s\": ", before, name);
    wsk_buf_json(o, s);
}

static void put_fields(wsk_buf *o, const wsk_effects *e)
{
    put_number(o, "", "site_rel", e->site_rel);
    put_number(o, ", ", "work_rel", e->work_rel);
    put_number(o, ", ", "die_k", e->die_k);
    put_number(o, ", ", "memory_k", e->memory_k);
    put_number(o, ", ", "noise_db", e->noise_db);
    put_number(o, ", ", "margin_k", e->margin_k);
}

static void put_effects(wsk_buf *o, const char *before, const char *name, const wsk_effects *e)
{
    wsk_buf_printf(o, "%s\"%s\": { ", before, name);
    put_fields(o, e);
    wsk_buf_printf(o, " }");
}

static int by_rule(const wsk_spreads *s)
{
    int n = 0;
    for (int i = 0; i < s->n_source; i++)
        n += s->sources[i].from == WSK_SPREAD_RULE;
    return n;
}

void wsk_spreads_json(const wsk_spreads *s, wsk_buf *o)
{
    const wsk_spread_base *b = &s->base;
    put_number(o, "{ \"base\": { ", "site_w", b->site_w);
    put_number(o, ", ", "wall_w", b->wall_w);
    put_number(o, ", ", "work", b->work);
    put_number(o, ", ", wsk_result_about(WSK_R_GPU_DIE_MAX)->key, b->die_max_c);
    put_number(o, ", ", wsk_result_about(WSK_R_GPU_MEMORY_MAX)->key, b->memory_max_c);
    put_number(o, ", ", wsk_result_about(WSK_R_NOISE)->key, b->noise_dba);
    put_number(o, ", ", "margin_k", b->margin_k);
    wsk_buf_printf(o, " },\n  \"total\": { ");
    put_fields(o, &s->half);
    put_number(o, ", ", "purchase", s->purchase);
    put_text(o, ", ", "purchase_currency", s->currency);
    put_effects(o, ",\n    ", "below", &s->below);
    put_effects(o, ",\n    ", "above", &s->above);
    put_number(o, " },\n  ", "throttle_probability", s->throttles);
    put_number(o, ", ", "by_rule", by_rule(s));
    put_number(o, ", ", "unread", s->unread);
    wsk_buf_printf(o, ",\n  \"sources\": [");
    for (int i = 0; i < s->n_source; i++) {
        const wsk_spread_source *src = &s->sources[i];
        put_text(o, i ? ",\n    { " : "\n    { ", "key", src->key);
        put_text(o, ", ", "text", src->text);
        put_text(o, ", ", "where", src->where);
        put_text(o, ",\n      ", "why", src->why);
        put_text(o, ",\n      ", "spread", src->spread);
        wsk_buf_printf(o, ", ");
        put_fields(o, &src->mean);
        put_number(o, ", ", "purchase", src->purchase);
        put_effects(o, ",\n      ", "lowered", &src->lowered);
        put_effects(o, ",\n      ", "raised", &src->raised);
        wsk_buf_printf(o, ",\n      \"parts\": [");
        wsk_message_write(src->name, o);
        wsk_buf_printf(o, ", ");
        wsk_message_write(src->half, o);
        wsk_buf_printf(o, "] }");
    }
    wsk_buf_printf(o, "%s] }\n", s->n_source ? "\n  " : "");
}

/* Adds half of (raised - lowered), or both effects where they are not about opposite. unit: the smallest difference
 * that is shown. */
static void add_effect(wsk_arena *arena, const wsk_said **effects, const wsk_code codes[2], double lowered,
                       double raised, double unit)
{
    const double half = (raised - lowered) / 2;
    const bool uneven = wsk_is_uneven(&(wsk_ranged){0, fmin(lowered, raised), fmax(lowered, raised)}, unit);
    /* a value that rounds to 0 is written without a sign */
    const wsk_arg both[] = {WSK_ARG(fabs(lowered) < unit / 2 ? 0 : lowered),
                            WSK_ARG(fabs(raised) < unit / 2 ? 0 : raised)},
                  value = WSK_ARG(half);
    if (!(fabs(half) >= unit / 2))
        return;
    *effects = wsk_said_join(arena, *effects,
                             uneven ? &(const wsk_said){codes[1], 2, both} : &(const wsk_said){codes[0], 1, &value});
}

/* Shortens a reference: ends before its first ";", " (" or ": ", and after at most WIDEST columns of a terminal. A
 * text cut at WIDEST ends with "...", after a whole word if possible. */
static const char *brief(wsk_arena *arena, const char *ref)
{
    enum { WIDEST = 64 }; /* with indentation and kind of source, 64 columns fit a line of 80 */
    const size_t len = strlen(ref);
    size_t n = 0, space = 0;
    int columns = 0;
    for (int wide; n < len && columns <= WIDEST; columns += wide) {
        if (n && (ref[n] == ';' || (ref[n] == ' ' && ref[n + 1] == '(') || (ref[n] == ':' && ref[n + 1] == ' ')))
            return wsk_printf(arena, "%.*s", (int)n, ref);
        if (n && ref[n] == ' ')
            space = ref[n - 1] == ',' ? n - 1 : n;
        const size_t next = wsk_char_width(ref + n, len - n, &wide);
        if (columns + wide > WIDEST)
            return wsk_printf(arena, "%.*s...", (int)(space ? space : n), ref);
        n += next;
    }
    return ref;
}

enum { TOLD = 5 };

static void report_reason(const wsk_spread_source *src, wsk_lines *l)
{
    if (!src->ref)
        wsk_lines_add(l, 4, WSK_SAID(WSK_SAY_PLAIN, WSK_WORD(src->kind)));
    else if (src->ours)
        wsk_lines_add(l, 4, WSK_SAID(WSK_SAY_CHECK_REASON, WSK_WORD(src->kind), WSK_WORD(src->ref)));
    else
        wsk_lines_add(l, 4, WSK_SAID(WSK_SAY_CHECK_REASON, WSK_WORD(src->kind), brief(l->arena, src->ref)));
}

/* A change of the noise by less than audible_db is hardly heard, so it is reported only for an input without other
 * effects. */
static const double audible_db = 1;

static void report_source(const wsk_spread_source *src, const wsk_spread_base *b, wsk_lines *l)
{
    const wsk_said *effects = NULL;
    static const wsk_code power[] = {WSK_SAY_CHECK_EFFECT_W, WSK_SAY_CHECK_EFFECT_W_RANGE},
                          work[] = {WSK_SAY_CHECK_EFFECT_WORK, WSK_SAY_CHECK_EFFECT_WORK_RANGE},
                          die[] = {WSK_SAY_CHECK_EFFECT_DIE, WSK_SAY_CHECK_EFFECT_DIE_RANGE},
                          noise[] = {WSK_SAY_CHECK_EFFECT_NOISE, WSK_SAY_CHECK_EFFECT_NOISE_RANGE};
    const wsk_effects *lowered = &src->lowered, *raised = &src->raised;
    add_effect(l->arena, &effects, power, lowered->site_rel * b->site_w, raised->site_rel * b->site_w, 1);
    add_effect(l->arena, &effects, work, 100 * lowered->work_rel, 100 * raised->work_rel, 0.1);
    add_effect(l->arena, &effects, die, lowered->die_k, raised->die_k, 0.1);
    if (!effects || fabs(lowered->noise_db) >= audible_db || fabs(raised->noise_db) >= audible_db)
        add_effect(l->arena, &effects, noise, lowered->noise_db, raised->noise_db, 0.1);
    wsk_lines_add(l, 2,
                  effects ? WSK_SAID(WSK_SAY_CHECK_UNCERTAIN, src->name, src->half, effects)
                          : WSK_SAID(WSK_SAY_CHECK_UNCERTAIN_ALONE, src->name, src->half));
    report_reason(src, l);
}

static wsk_ranged range_of(double value, double below, double above)
{
    return (wsk_ranged){value, value - below, value + above};
}

static const wsk_said *say_ranges(const wsk_spreads *s, wsk_arena *a)
{
    const wsk_spread_base *b = &s->base;
    const wsk_effects *below = &s->below, *above = &s->above;
    const wsk_ranged site = range_of(b->site_w, below->site_rel * b->site_w, above->site_rel * b->site_w),
                     work = range_of(0, 100 * below->work_rel, 100 * above->work_rel),
                     die = range_of(b->die_max_c, below->die_k, above->die_k),
                     noise = range_of(b->noise_dba, below->noise_db, above->noise_db);
    const wsk_said *all = wsk_say_ranged(a, &site, 1, WSK_SAY_CHECK_BAND_W, WSK_SAY_CHECK_BAND_W_RANGE);
    if (b->work > 0)
        all = wsk_said_join(a, all,
                            wsk_is_uneven(&work, 0.1) ? WSK_SAID(WSK_SAY_CHECK_BAND_WORK_RANGE, work.low, work.high)
                                                      : WSK_SAID(WSK_SAY_CHECK_BAND_WORK, wsk_half_width(&work)));
    if (isfinite(die.value))
        all = wsk_said_join(a, all, wsk_say_ranged(a, &die, 1, WSK_SAY_CHECK_BAND_DIE, WSK_SAY_CHECK_BAND_DIE_RANGE));
    if (isfinite(b->noise_dba))
        all = wsk_said_join(a, all,
                            wsk_say_ranged(a, &noise, 1, WSK_SAY_CHECK_BAND_NOISE, WSK_SAY_CHECK_BAND_NOISE_RANGE));
    return all;
}

void wsk_spreads_report(const wsk_spreads *s, wsk_lines *l)
{
    const wsk_spread_base *b = &s->base;
    int told = 0;
    while (told < s->n_source && told < TOLD && s->sources[told].size > 0)
        told++;
    wsk_lines_add(l, 0, WSK_SAID(WSK_SAY_CHECK_UNCERTAINTY));
    if (!told) {
        wsk_lines_add(l, 2, WSK_SAID(WSK_SAY_CHECK_CERTAIN));
        return;
    }
    for (int i = 0; i < told; i++)
        report_source(&s->sources[i], b, l);
    const wsk_said *together =
        WSK_SAY(l->arena, WSK_SAY_CHECK_TOGETHER, (double)s->n_source, say_ranges(s, l->arena));
    wsk_lines_add(l, 2,
                  s->unread
                      ? WSK_SAID(WSK_SAY_JOIN_SEMICOLON, together, WSK_SAID(WSK_SAY_CHECK_UNREAD, (double)s->unread))
                      : together);
    if (isfinite(s->throttles) && !s->off)
        wsk_lines_add(l, 2, wsk_say_throttle_chance(s->throttles, l->arena));
}
