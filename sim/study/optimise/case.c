/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/study/optimise/optimise.h"
#include "sim/results/results.h"
#include "sim/step/step.h"
#include "sim/study/findings/fill.h"
#include "sim/study/spread/spread.h"

void wsk_seek_straighten(const wsk_seeker *s, int *levels)
{
    const wsk_setting *all = s->o->settings;
    for (size_t i = 1; i < s->n; i++)
        if (all[i].at && all[i - 1].at && !all[i].falls && !strcmp(all[i].path, all[i - 1].path) &&
            levels[i] < levels[i - 1])
            levels[i] = levels[i - 1];
}

typedef struct {
    double place;
    const char *at;
    int len;
    size_t setting;
} curve_point;

static int by_place(const void *x, const void *y)
{
    const curve_point *a = x, *b = y;
    return a->place < b->place ? -1 : a->place > b->place;
}

static size_t list_places(const wsk_setting *one, size_t setting, curve_point *out, size_t room)
{
    size_t n = 0;
    for (const char *p = one->at; *p && n < room;) {
        const char *end;
        p += strspn(p, ", ");
        const int len = (int)strcspn(p, ",");
        out[n++] = (curve_point){wsk_number_at(p, &end), p, len, setting};
        p += len;
    }
    return n;
}

static const char *curve_of(const wsk_optimise_options *o, wsk_arena *arena, const int *levels, size_t i,
                            size_t *next)
{
    enum { POINTS_MAX = 256 };
    const wsk_setting *all = o->settings;
    curve_point *points = wsk_alloc(arena, POINTS_MAX * sizeof *points);
    size_t n = 0;
    for (*next = i; points && *next < o->setting_count && all[*next].at && !strcmp(all[*next].path, all[i].path);
         ++*next)
        n += list_places(&all[*next], *next, &points[n], POINTS_MAX - n);
    if (n)
        qsort(points, n, sizeof *points, by_place);
    const char *text = points ? wsk_printf(arena, "%s=", all[i].path) : NULL;
    for (size_t k = 0; text && k < n; k++) {
        const curve_point *p = &points[k];
        text = wsk_printf(arena, "%s%s%.*s:%s", text, k ? ", " : "", p->len, p->at,
                          all[p->setting].values[levels[p->setting]]);
    }
    return text;
}

const char **wsk_seek_sets(const wsk_optimise_options *o, wsk_arena *arena, const int *levels, size_t *count)
{
    size_t room = 1;
    for (size_t i = 0; i < o->setting_count; i++, room++)
        for (const char *p = o->settings[i].values[levels[i]]; (p = strchr(p, '\n')); p++)
            room++;
    const char **sets = wsk_alloc(arena, room * sizeof *sets);
    *count = 0;
    for (size_t i = 0, next; !wsk_arena_failed(arena) && i < o->setting_count; i = next) {
        const wsk_setting *one = &o->settings[i];
        const char *value = one->values[levels[i]];
        next = i + 1;
        if (one->at) {
            sets[(*count)++] = curve_of(o, arena, levels, i, &next);
        } else if (one->path) {
            sets[(*count)++] = wsk_printf(arena, "%s=%s", one->path, value);
        } else {
            for (size_t len; *value; value += len + (value[len] == '\n')) {
                len = strcspn(value, "\n");
                if (len)
                    sets[(*count)++] = wsk_printf(arena, "%.*s", (int)len, value);
            }
        }
    }
    if (!wsk_arena_failed(arena))
        return sets;
    *count = 0;
    return NULL;
}

typedef struct {
    wsk_plan *plan;
    wsk_net *net;
} built;

static wsk_status build(const wsk_seeker *s, const int *levels, built *b)
{
    wsk_arena *arena = wsk_arena_new();
    size_t count = 0;
    *b = (built){0};
    const char **sets = arena && levels ? wsk_seek_sets(s->o, arena, levels, &count) : NULL;
    const char **all = arena ? wsk_alloc(arena, (s->input->set_count + count + 1) * sizeof *all) : NULL;
    wsk_status status = all && (sets || !levels) ? WSK_OK : WSK_ENOMEM;
    if (status == WSK_OK) {
        wsk_plan_input input = *s->input;
        for (size_t i = 0; i < input.set_count; i++)
            all[i] = input.sets[i];
        for (size_t i = 0; i < count; i++)
            all[input.set_count + i] = sets[i];
        input.sets = all;
        input.set_count += count;
        status = wsk_plan_load(&b->plan, &input);
        if (status == WSK_OK)
            status = wsk_net_compile(&b->net, b->plan);
    }
    wsk_arena_free(arena);
    return status;
}

static void tear_down(built *b)
{
    wsk_net_free(b->net);
    wsk_plan_free(b->plan);
}

/* Results that grow with time. Those of a steady point cover ten minutes, so they are scaled to the length of the run
 * over time. */
static const wsk_result growing[] = {
    WSK_R_DC_KWH,      WSK_R_WALL_KWH,    WSK_R_PSU_LOSS_KWH,  WSK_R_FEED_LOSS_KWH, WSK_R_ROOM_COOLING_KWH,
    WSK_R_COST,        WSK_R_COST_ENERGY, WSK_R_WORK,          WSK_R_CARBON,        WSK_R_ROOM_COOLING_HEAT_KWH,
    WSK_R_FANS_KWH,    WSK_R_COUNT,       WSK_R_HEAT_OUT_KWH,  WSK_R_SOLAR_KWH,     WSK_R_WORK_UNTHROTTLED,
    WSK_R_COST_DEMAND, WSK_R_COST_SOLAR,  WSK_R_COST_STANDING, WSK_R_COST_MARGINAL, WSK_R_CARBON_MARGINAL,
    WSK_R_SIMULATED};

static double duration_of(const wsk_seeker *s, const wsk_net *net)
{
    return s->o->duration_s > 0 ? s->o->duration_s : net->runspec->for_s;
}

static wsk_summary *summarize(const wsk_seeker *s, const wsk_run *run, bool steady)
{
    wsk_summary *all = NULL;
    const wsk_result_kind kind = {.steady = steady};
    if (wsk_summary_new(&all) != WSK_OK)
        return NULL;
    wsk_results_gather(all, run, &kind, 0);
    if (!wsk_summary_failed(all))
        wsk_study_fill(all, run);
    const double times = duration_of(s, run->net) / wsk_summary_number(all, WSK_R_SIMULATED, 0);
    for (size_t i = 0; steady && i < sizeof growing / sizeof *growing; i++) {
        const double v = wsk_summary_number(all, growing[i], 0);
        if (!isnan(v))
            wsk_summary_set_number(all, growing[i], 0, times * v);
    }
    if (!wsk_summary_failed(all))
        return all;
    wsk_summary_free(all);
    return NULL;
}

static void fill_unknown(double *v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        v[i] = NAN;
}

/* Results of a run over time that the uncertainty of a case needs, in four groups: results in proportion to the
 * energy; money, of which standing charges do not change; results in proportion to the work; money per work. For a
 * changed input such a result is estimated as the result of the run, times the ratio of energy, money or work at the
 * steady points with and without the change. The last row, MARGINAL, shows how much of the money follows the
 * energy. */
enum { OF_ENERGY = 6, OF_MONEY = 4, OF_WORK = 3, PER_WORK = 1, MARGINAL = OF_ENERGY + OF_MONEY + OF_WORK + PER_WORK };
_Static_assert(MARGINAL + 1 == WSK_RUN_RESULTS, "one row for each number of a run");
static const wsk_result of_run[WSK_RUN_RESULTS] = {
    WSK_R_DC_KWH,        WSK_R_WALL_KWH,     WSK_R_ROOM_COOLING_KWH, WSK_R_COST_ENERGY,
    WSK_R_COST_DEMAND,   WSK_R_CARBON,                                                /* OF_ENERGY */
    WSK_R_COST,          WSK_R_ANNUAL,       WSK_R_COST_YEAR,        WSK_R_COST_WEEK, /* OF_MONEY */
    WSK_R_WORK,          WSK_R_COUNT,        WSK_R_WORK_UNTHROTTLED,                  /* OF_WORK */
    WSK_R_COST_PER_WORK, WSK_R_COST_MARGINAL};

size_t wsk_case_numbers(const wsk_seeker *s)
{
    return s->m + (s->by_run ? WSK_RUN_RESULTS : 0);
}

/* Rounds a number to BITS significant bits. Its last bits may differ between equal cards and between the C libraries of
 * two systems, and the search should take the first of equal cases on every system. */
static double rounded(double v)
{
    enum { BITS = 32 };
    int exponent;
    const double share = frexp(v, &exponent);
    return isfinite(v) ? ldexp(round(ldexp(share, BITS)), exponent - BITS) : v;
}

static wsk_status measure_run(const wsk_seeker *s, const wsk_run *run, bool steady, double *v)
{
    wsk_summary *all = summarize(s, run, steady);
    if (!all)
        return WSK_ENOMEM;
    s->o->calls.measure(s->o->calls.ctx, all, v);
    for (size_t i = 0; i < s->m; i++)
        v[i] = rounded(v[i]);
    for (size_t i = s->m; i < wsk_case_numbers(s); i++)
        v[i] = wsk_summary_number(all, of_run[i - s->m], 0);
    wsk_summary_free(all);
    return WSK_OK;
}

static wsk_status run_over_time(const wsk_seeker *s, const wsk_net *net, bool stride, wsk_run **run)
{
    const wsk_run_options options = {
        .duration_s = s->o->duration_s, .step_s = s->o->step_s, .leap = stride, .stride = stride, .no_series = true};
    wsk_status status = wsk_run_create(run, net, &options);
    return status == WSK_OK ? wsk_run_advance(*run, duration_of(s, net)) : status;
}

wsk_status wsk_case_compute(const wsk_seeker *s, const int *levels, wsk_case_way way, double *v)
{
    built b;
    wsk_run *run = NULL;
    fill_unknown(v, wsk_case_numbers(s));
    wsk_status status = build(s, levels, &b);
    if (status == WSK_OK)
        status = way == WSK_AT_POINT ? wsk_steady_leap(&run, b.net, WSK_STEPPER_FAST)
                                     : run_over_time(s, b.net, way == WSK_BY_STRIDES, &run);
    if (status == WSK_OK)
        status = measure_run(s, run, way == WSK_AT_POINT, v);
    wsk_run_free(run);
    tear_down(&b);
    return status == WSK_ENOMEM || status == WSK_ERUN ? status : WSK_OK;
}

typedef struct {
    const wsk_seeker *s;
    /* Summary of the first steady point that read_more gets, at which all inputs have their stated values. At each
     * later point the error of one uncertain input is added to its value, or subtracted. */
    wsk_summary *base;
    const double *run;
    double energy, work;
    bool failed;
} reader;

/* Ratio of money with and without a change of the energy by the factor `energy`. Only the marginal part of the cost
 * follows the energy, as in sim/study/spread/bands.c. run: results in the order of of_run. */
static double money_ratio(const double *run, double energy)
{
    const double cost = run[OF_ENERGY], marginal = run[MARGINAL], elastic = marginal / cost;
    return isfinite(elastic) ? 1 + elastic * (energy - 1) : energy;
}

static void take_from_run(const reader *r, wsk_summary *all)
{
    const double energy = wsk_summary_number(all, WSK_R_WALL_KWH, 0) / r->energy,
                 work = wsk_summary_number(all, WSK_R_WORK, 0) / r->work, money = money_ratio(r->run, energy);
    for (size_t i = 0; i < MARGINAL; i++) {
        const double ratio = i < OF_ENERGY                        ? energy
                             : i < OF_ENERGY + OF_MONEY           ? money
                             : i < OF_ENERGY + OF_MONEY + OF_WORK ? work
                                                                  : money / work;
        if (isfinite(r->run[i] * ratio))
            wsk_summary_set_number(all, of_run[i], 0, r->run[i] * ratio);
    }
}

static void read_more(void *ctx, const wsk_run *run, double more[WSK_SPREAD_MORE])
{
    reader *r = ctx;
    wsk_summary *all = summarize(r->s, run, true);
    fill_unknown(more, WSK_SPREAD_MORE);
    r->failed = r->failed || !all;
    if (all && !r->base) {
        r->energy = wsk_summary_number(all, WSK_R_WALL_KWH, 0);
        r->work = wsk_summary_number(all, WSK_R_WORK, 0);
    }
    if (all && r->run)
        take_from_run(r, all);
    if (all)
        r->s->o->calls.measure(r->s->o->calls.ctx, all, more);
    if (!r->base)
        r->base = all;
    else
        wsk_summary_free(all);
}

static void half_difference(const reader *r, const double *up, const double *down, double *effect)
{
    for (size_t i = 0; i < r->s->m; i++)
        effect[i] = isnan(up[i]) || isnan(down[i]) ? 0 : (up[i] - down[i]) / 2;
}

static void shift(wsk_summary *all, wsk_result result, double by)
{
    for (size_t i = 0; i < wsk_summary_count(all, wsk_result_about(result)->scope); i++) {
        const double v = wsk_summary_number(all, result, i);
        if (!isnan(v))
            wsk_summary_set_number(all, result, i, v + by);
    }
}

/* Effect on goals and limits of an error that shifts results directly, so that no steady point has to be solved. */
static void shift_effect(const reader *r, const wsk_result *results, size_t count, double by, double *effect)
{
    double up[WSK_MEASURES_MAX], down[WSK_MEASURES_MAX];
    for (int way = 1; way >= -1; way -= 2) {
        for (size_t i = 0; i < count; i++)
            shift(r->base, results[i], way * by);
        r->s->o->calls.measure(r->s->o->calls.ctx, r->base, way > 0 ? up : down);
        for (size_t i = 0; i < count; i++)
            shift(r->base, results[i], -way * by);
    }
    half_difference(r, up, down, effect);
}

static void multiply(wsk_summary *all, const wsk_result *results, size_t count, double by)
{
    for (size_t i = 0; i < count; i++) {
        const double v = wsk_summary_number(all, results[i], 0);
        if (!isnan(v))
            wsk_summary_set_number(all, results[i], 0, v * by);
    }
}

/* Multiplies the rates of tokens and divides what a token takes. */
static void scale_tokens(wsk_summary *all, double rate, double prompt)
{
    static const wsk_result made[] = {WSK_R_TOKENS_GENERATION, WSK_R_TOKENS_GENERATION_LOW,
                                      WSK_R_TOKENS_GENERATION_HIGH, WSK_R_TOKENS_EACH_REQUEST, WSK_R_COUNT},
                            taken[] = {WSK_R_TOKENS_ENERGY, WSK_R_TOKENS_COST},
                            seen[] = {WSK_R_TOKENS_PROMPT, WSK_R_TOKENS_PROMPT_LOW, WSK_R_TOKENS_PROMPT_HIGH};
    multiply(all, made, sizeof made / sizeof *made, rate);
    multiply(all, taken, sizeof taken / sizeof *taken, 1 / rate);
    multiply(all, seen, sizeof seen / sizeof *seen, prompt);
}

/* Effect on goals and limits of the error of the law of tokens, which is that of the summary: the rates are higher and
 * what a token takes is less, or the reverse. */
static void tokens_effect(const reader *r, double *effect)
{
    const double half_width = 1.28, /* 80 % of a normal distribution lie within so many standard deviations */
        rate = wsk_summary_number(r->base, WSK_R_TOKENS_GENERATION_SPREAD, 0) / half_width,
                 prompt = wsk_summary_number(r->base, WSK_R_TOKENS_PROMPT_SPREAD, 0) / half_width;
    double up[WSK_MEASURES_MAX], down[WSK_MEASURES_MAX];
    for (int way = 1; way >= -1; way -= 2) {
        const double of_rate = isnan(rate) ? 1 : 1 + way * rate, of_prompt = isnan(prompt) ? 1 : 1 + way * prompt;
        scale_tokens(r->base, of_rate, of_prompt);
        r->s->o->calls.measure(r->s->o->calls.ctx, r->base, way > 0 ? up : down);
        scale_tokens(r->base, 1 / of_rate, 1 / of_prompt);
    }
    half_difference(r, up, down, effect);
}

/* Key of the error of the law of tokens: cases with the same cards share it. */
static double tokens_key(const wsk_net *net)
{
    uint64_t hash = WSK_HASH_EMPTY;
    for (int i = 0; i < net->n_card; i++) {
        const wsk_elem *e = net->cards[i].elem;
        const char *name = e->part ? e->part : e->id;
        hash = net->cards[i].works ? wsk_hash_more(hash, name, strlen(name) + 1) : hash;
    }
    return (double)(hash >> 12);
}

static const wsk_result heard[] = {WSK_R_NOISE, WSK_R_NOISE_MAX}, paid[] = {WSK_R_PURCHASE},
                        felt[] = {WSK_R_GPU_DIE_MEAN, WSK_R_GPU_DIE_MAX, WSK_R_GPU_HOTSPOT_MAX, WSK_R_GPU_MEMORY_MAX,
                                  WSK_R_GPU_VRM_MAX};

static size_t list_effects(const wsk_seeker *s, const wsk_spreads *all, const reader *r, double *out)
{
    size_t n = 0;
    for (int i = 0; i < all->n_source && n < (WSK_ERRORS_MAX - 1) * (s->m + 1); i++) {
        const wsk_spread_source *src = &all->sources[i];
        double *effect = &out[n + 1];
        out[n] = (double)(wsk_hash_more(WSK_HASH_EMPTY, src->key, strlen(src->key)) >> 12);
        for (size_t k = 0; k < s->m; k++)
            effect[k] = isnan(src->more[k]) ? 0 : src->more[k];
        if (src->count == 0 && src->mean.noise_db != 0)
            shift_effect(r, heard, 2, src->mean.noise_db, effect);
        if (src->purchase != 0)
            shift_effect(r, paid, 1, src->purchase, effect);
        n += s->m + 1;
    }
    out[n] = 1; /* key of the model's own temperature error */
    shift_effect(r, felt, sizeof felt / sizeof *felt, WSK_SPREAD_MODEL_K, &out[n + 1]);
    n += s->m + 1;
    out[n] = tokens_key(all->net);
    tokens_effect(r, &out[n + 1]);
    n += s->m + 1;
    for (size_t at = 1; at < n; at += s->m + 1)
        for (size_t i = 0; i < s->o->limits; i++)
            out[at + s->o->goals + i] = s->o->certain[i] ? 0 : out[at + s->o->goals + i];
    return n;
}

wsk_status wsk_case_effects(const wsk_seeker *s, const int *levels, const double *run, double *out, size_t *count)
{
    built b;
    wsk_spreads all;
    reader r = {.s = s, .run = run};
    const wsk_spread_reader read = {read_more, &r};
    wsk_arena *arena = wsk_arena_new();
    *count = 0;
    wsk_status status = arena ? build(s, levels, &b) : WSK_ENOMEM;
    if (status == WSK_OK)
        status = wsk_spreads_solve_with(&all, arena, b.net, WSK_STEPPER_FAST, &(wsk_spread_how){.reader = &read});
    if (status == WSK_OK && r.failed)
        status = WSK_ENOMEM;
    if (status == WSK_OK)
        *count = list_effects(s, &all, &r, out);
    wsk_summary_free(r.base);
    if (arena)
        tear_down(&b);
    wsk_arena_free(arena);
    return status == WSK_ENOMEM || status == WSK_ERUN ? status : WSK_OK;
}
