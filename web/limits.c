/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Searches better power limits for the page, with the library's search. `wattsink optimise` with the arguments that the
 * answer states gives the same limits. The search minimises the price of work, or its energy if the rig has no tariff.
 * Its limits: nine tenths of the present work (less if the uncertainty of the work is larger than a tenth); the present
 * temperature and noise, plus their uncertainty; the limit of the circuit. Nothing is overloaded or trips, if there is
 * such a case. */
#include <emscripten.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/kit/burden.h"
#include "cli/kit/cli.h"
#include "web/engine.h"

enum { CARDS = 8 /* if a rig has more cards than this, all of them share one limit */, CASES = 120, VALUES = 2000 };
enum { WORK, DIE, NOISE, WALL, LIMITS };
static const char *const asked_as[LIMITS] = {"sum(gpus.work_rel) > %.2f", "gpus.die_max_c < %.0f degC",
                                             "noise_dba < %.0f dBA", "circuit.wall_peak_w < %.0f W"};

typedef struct {
    wsk_setting settings[CARDS];
    char *paths[CARDS], *texts[CARDS];
    const char *values[CARDS][VALUES];
    size_t count;
    /* paid: the rig has a tariff; without a tariff the search minimises energy */
    bool asks[LIMITS], paid;
    wsk_cli_burden spared; /* worst burden (overload) that a case may have; WSK_CLI_STOPS: any */
    double bounds[LIMITS];
} question;

EM_JS(void, tell_share, (double share), { Module["share"](share); })

static bool tell_progress(void *ctx, const wsk_optimise_progress *p)
{
    (void)ctx;
    tell_share(0.9 * (double)p->tried / (double)(p->tried > p->most ? p->tried : p->most));
    return true;
}

static double read_limit(const wsk_summary *s, int limit)
{
    return limit == WORK    ? wsk_summary_over(s, WSK_R_GPU_WORK, WSK_OVER_SUM)
           : limit == DIE   ? wsk_summary_over(s, WSK_R_GPU_DIE_MAX, WSK_OVER_MAX)
           : limit == NOISE ? wsk_summary_number(s, WSK_R_NOISE, 0)
                            : wsk_summary_number(s, WSK_R_WALL_PEAK_W, 0);
}

static void measure(void *ctx, const wsk_summary *s, double *out)
{
    const question *q = ctx;
    *out++ = q->paid ? wsk_summary_number(s, WSK_R_COST_PER_WORK, 0)
                     : wsk_summary_number(s, WSK_R_WALL_KWH, 0) / wsk_summary_number(s, WSK_R_WORK, 0);
    for (int i = 0; i < LIMITS; i++)
        if (q->asks[i])
            *out++ = (i == WORK ? -1 : 1) * (q->bounds[i] - read_limit(s, i));
    if (q->spared != WSK_CLI_STOPS)
        *out = wsk_cli_burden_margin(s, q->spared);
}

static wsk_status search_spared(const question *q, const wsk_rig *rig, wsk_optimum **answer)
{
    wsk_optimise_options o = {.settings = q->settings,
                              .setting_count = q->count,
                              .goals = 1,
                              .calls = {.ctx = (void *)(uintptr_t)q, .measure = measure, .goes_on = tell_progress},
                              .most = CASES,
                              .duration_s = 86400};
    for (int i = 0; i < LIMITS; i++)
        o.limits += q->asks[i];
    if (q->spared != WSK_CLI_STOPS)
        o.certain[o.limits++] = true;
    return wsk_rig_optimise(answer, rig, &o);
}

/* Searches as `wattsink optimise` does: among cases that overload nothing; if there is none, among those that trip
 * nothing; if there is none, among all. */
static wsk_status search(question *q, const wsk_rig *rig, wsk_optimum **answer)
{
    static const wsk_cli_burden order[] = {WSK_CLI_RUNS, WSK_CLI_OVERLOADS, WSK_CLI_STOPS};
    wsk_status status = WSK_OK;
    for (size_t i = 0; i < sizeof order / sizeof *order && status == WSK_OK && !(*answer && (*answer)->found); i++) {
        wsk_optimum_free(*answer);
        *answer = NULL;
        q->spared = order[i];
        status = search_spared(q, rig, answer);
    }
    return status;
}

/* Adds the power limit of the card `id`, or of all cards if id is "*", as a setting of the search. Its values are
 * `low`, the multiples of 5 W between `low` and `high`, and `high`, the same as those of a range LOW:HIGH:5W of
 * `wattsink optimise`. */
static void add_setting(question *q, const char *id, double low, double high)
{
    enum { STEP_W = 5, LENGTH = 24 };
    wsk_setting *s = &q->settings[q->count];
    char *text = wsk_cli_alloc((size_t)VALUES * LENGTH);
    q->texts[q->count] = text;
    s->path = q->paths[q->count] = wsk_cli_format("gpu[%s].power-limit", id);
    s->values = q->values[q->count++];
    s->ordered = true;
    for (double w = low; s->count < VALUES; w = fmin(STEP_W * floor(w / STEP_W + 1 + 1e-9), high)) {
        snprintf(text + LENGTH * s->count, LENGTH, "%.10gW", w);
        q->values[q->count - 1][s->count] = text + LENGTH * s->count;
        s->count++;
        if (w >= high)
            break;
    }
}

static void drop_settings(question *q)
{
    for (size_t i = 0; i < q->count; i++) {
        free(q->paths[i]);
        free(q->texts[i]);
    }
    memset(q->settings, 0, sizeof q->settings);
    q->count = 0;
}

static double limit_of(const wsk_elements *list, int card, const char *name, double otherwise)
{
    const double v = wsk_elements_number(list, card, name);
    return isnan(v) ? otherwise : v;
}

static size_t count_cards(const wsk_elements *list)
{
    size_t cards = 0;
    for (int e = -1; (e = wsk_elements_next(list, "gpu", e, -1)) >= 0;)
        cards++;
    return cards;
}

/* Adds one setting for each card, or one for all cards if there are many. present: only one setting, with the present
 * limit of the first card as its only value. */
static void add_settings(question *q, const wsk_elements *list, bool present)
{
    const bool together = count_cards(list) > CARDS;
    for (int e = -1; (e = wsk_elements_next(list, "gpu", e, -1)) >= 0 && !(q->count && (together || present));) {
        const double tdp = wsk_elements_number(list, e, "tdp"), now = limit_of(list, e, "power-limit", tdp);
        add_setting(q, together && !present ? "*" : wsk_elements_id(list, e),
                    present ? now : limit_of(list, e, "power-limit-min", tdp / 2),
                    present ? now : limit_of(list, e, "power-limit-max", tdp));
    }
}

/* The search must keep those limits whose quantity has a value at the rig's steady point. */
static wsk_status choose_limits(question *q, const wsk_rig *rig)
{
    wsk_summary *s = NULL;
    const wsk_status status = wsk_steady_point(&s, rig, WSK_STEPPER_FAST, WSK_POINT_ALONE, NULL, NULL);
    if (status != WSK_OK)
        return status;
    q->paid = isfinite(wsk_summary_number(s, WSK_R_COST_PER_WORK, 0));
    q->bounds[WALL] = wsk_summary_number(s, WSK_R_CIRCUIT_LIMIT, 0);
    for (int i = 0; i < LIMITS; i++)
        q->asks[i] = isfinite(read_limit(s, i)) && (i != WALL || isfinite(q->bounds[i]));
    wsk_summary_free(s);
    return WSK_OK;
}

/* The bounds come from a search whose only case is the present rig, because a search also gives the uncertainty. The
 * bound of the circuit stays. */
static wsk_status choose_bounds(question *q, const wsk_rig *rig, const wsk_elements *list)
{
    const double unbound[LIMITS] = {-1e6, 1e6, 1e6, 1e9}, circuit_w = q->bounds[WALL];
    wsk_optimum *now = NULL;
    add_settings(q, list, true);
    memcpy(q->bounds, unbound, sizeof unbound);
    wsk_status status = search(q, rig, &now);
    drop_settings(q);
    status = status == WSK_OK && !(now->found && now->best.sd) ? WSK_EINPUT : status;
    for (int i = 0, at = 1; status == WSK_OK && i < LIMITS; i++) {
        if (!q->asks[i])
            continue;
        const double sd = isfinite(now->best.sd[at]) ? now->best.sd[at] : 0, by = now->best.run[at++];
        const double v = unbound[i] + (i == WORK ? by : -by);
        q->bounds[i] = i == WORK ? floor(100 * fmin(0.9 * v, v - sd)) / 100 : ceil(v + sd);
    }
    q->bounds[WALL] = circuit_w;
    wsk_optimum_free(now);
    return status;
}

static void put_question(FILE *out, const question *q)
{
    wsk_buf b = {0};
    for (size_t i = 0; i < q->count; i++) {
        const wsk_setting *s = &q->settings[i];
        if (s->count > 1)
            wsk_buf_printf(&b, "--over '%s=%s:%s:5W' ", s->path, s->values[0], s->values[s->count - 1]);
    }
    wsk_buf_printf(&b, "--min '%s'", q->paid ? "cost_per_work" : "energy.wall_kwh / work.done");
    for (int i = 0; i < LIMITS; i++)
        if (q->asks[i]) {
            char *where = wsk_cli_format(asked_as[i], q->bounds[i]);
            wsk_buf_printf(&b, " --where '%s'", where);
            free(where);
        }
    wsk_buf_printf(&b, " --for 1d --most %d", CASES);
    wsk_page_put_text(out, "question", b.failed ? "" : b.data);
    wsk_buf_free(&b);
}

static double watts(const wsk_setting *s, int level)
{
    const char *end;
    return wsk_number_at(s->values[level], &end);
}

static void put_limits(FILE *out, const question *q, const wsk_optimum *a)
{
    fputs(",\"limits\":[", out);
    for (size_t i = 0; i < q->count; i++) {
        const int at = a->simplest.levels[i], low = a->low ? a->low[i] : at, high = a->high ? a->high[i] : at;
        const wsk_setting *s = &q->settings[i];
        fprintf(out, "%s[%g,%g,%g]", i ? "," : "", watts(s, at), watts(s, low < at ? low : at),
                watts(s, high > at ? high : at));
    }
    fputc(']', out);
}

static void put_spreads(FILE *out, const question *q, const double *sd)
{
    static const char *const names[LIMITS] = {"work", "die", "noise", "wall"};
    const char *comma = "";
    fputs(",\"sd\":{", out);
    for (int i = 0, at = 1; sd && i < LIMITS; i++)
        if (q->asks[i] && isfinite(sd[at++])) {
            fprintf(out, "%s\"%s\":%.17g", comma, names[i], sd[at - 1]);
            comma = ",";
        }
    fputc('}', out);
}

static void put_conflicts(FILE *out, const question *q, const wsk_optimum *a)
{
    bool first = true;
    fputs(",\"conflicts\":[", out);
    for (int i = 0, at = 0; i < LIMITS; i++) {
        if (!q->asks[i])
            continue;
        const wsk_limit_conflict *c = &a->conflicts[at++];
        if (!c->alone && !(c->together > 0))
            continue;
        char *where = wsk_cli_format(asked_as[i], q->bounds[i]);
        fprintf(out, "%s[\"%s\",%.3g]", first ? "" : ",", where, c->alone ? c->give : c->together);
        free(where);
        first = false;
    }
    fputc(']', out);
}

static const char *burden_of(const question *q)
{
    return q->spared == WSK_CLI_RUNS ? "none" : q->spared == WSK_CLI_OVERLOADS ? "overload" : "trip";
}

/* Returns {"limits": [[watts, lowest, highest value that is as good] for each card or for all], "burden": "none",
 * "overload" or "trip", as `wattsink optimise --json` has it, "unbeaten": true if these limits are not better than those
 * of the rig, within the uncertainty, "sd": {...} or
 * "conflicts": [[limit, by how much it must be relaxed]], "question": arguments of `wattsink optimise`, "status": exit
 * code}. The caller frees the text. */
char *wsk_web_limits(const char *xml);
char *wsk_web_limits(const char *xml)
{
    char *text = NULL;
    size_t len = 0;
    wsk_rig *rig = NULL;
    wsk_optimum *answer = NULL;
    const wsk_elements *list = NULL;
    question *q = wsk_cli_alloc(sizeof *q);
    FILE *out = wsk_cli_text(&text, &len);
    memset(q, 0, sizeof *q);
    wsk_status status = wsk_page_load(&rig, xml);
    if (status == WSK_OK)
        status = wsk_rig_elements(rig, &list);
    if (status == WSK_OK)
        status = choose_limits(q, rig);
    if (status == WSK_OK)
        status = choose_bounds(q, rig, list);
    if (status == WSK_OK) {
        add_settings(q, list, false);
        status = search(q, rig, &answer);
    }
    fprintf(out, "{\"status\":%d", (int)status);
    if (status == WSK_OK) {
        put_question(out, q);
        if (answer->found) {
            put_limits(out, q, answer);
            fprintf(out, ",\"burden\":\"%s\",\"unbeaten\":%s", burden_of(q),
                    answer->as_is >= WSK_AS_IS_AS_GOOD ? "true" : "false");
            put_spreads(out, q, answer->simplest.sd);
        } else {
            put_conflicts(out, q, answer);
        }
    }
    fputc('}', out);
    fclose(out);
    drop_settings(q);
    free(q);
    wsk_optimum_free(answer);
    wsk_elements_free(list);
    wsk_rig_free(rig);
    return text;
}
