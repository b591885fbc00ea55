/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/check/check.h"

#include <math.h>
#include <string.h>

#include "sim/base/width.h"
#include "sim/net/provenance.h"
#include "sim/study/spread/spread.h"

/* Reports sides of the case with more fans than fan places. A fan wall counts as fans at the front. */
static void report_places(const wsk_net *net, int in, wsk_lines *l)
{
    const wsk_case *c = &net->cases[in];
    double used[WSK_PLACES] = {0};
    for (const wsk_elem *e = NULL; (e = wsk_elem_child(c->elem, "fan", e)) != NULL;) {
        const wsk_fan_params *f = e->params;
        used[f->at == WSK_AT_WALL ? WSK_AT_FRONT : f->at] += f->count;
    }
    for (const wsk_elem *loop = NULL; (loop = wsk_elem_child(c->elem, "loop", loop)) != NULL;)
        for (const wsk_elem *e = NULL; (e = wsk_elem_child(loop, "radiator", e)) != NULL;) {
            const wsk_radiator_params *r = e->params;
            /* number of fans of the radiator; 0: the radiator counts as one fan per 120 x 120 mm of its face */
            double fans = 0;
            for (const wsk_elem *f = NULL; (f = wsk_elem_child(e, "fan", f)) != NULL;)
                fans += ((const wsk_fan_params *)f->params)->count;
            if (r->direction != WSK_DIR_OUTSIDE && r->at < WSK_PLACES)
                used[r->at] += fans > 0 ? fans : floor(r->face_m2 / 0.0144 + 0.5);
        }
    for (int i = 0; i < net->n_card; i++) {
        const wsk_card *k = &net->cards[i];
        if (k->in == in && k->exhaust < 0 && k->mover >= 0 && k->cooler->direction != WSK_DIR_OUTSIDE &&
            k->cooler->at < WSK_PLACES)
            used[k->cooler->at] += k->cooler->fans;
    }
    for (int p = 0; p < WSK_PLACES; p++)
        if (!c->open && used[p] > c->params->places[p])
            wsk_check_advise(
                l, WSK_SAID(WSK_SAY_CHECK_FAN_PLACES, used[p], WSK_WORD(wsk_place_names[p]), c->params->places[p]));
}

/* id_columns: width of the column of ids */
static void report_card(const wsk_net *net, const wsk_card *c, int id_columns, wsk_lines *l)
{
    double first = c->gpu->slot, last = first + c->gpu->slots - 1;
    const char *id = wsk_printf(l->arena, "%s%*s", c->id, id_columns - wsk_width(c->id), "");
    const wsk_said *slots =
        wsk_hangs_outside(c) ? WSK_SAID(WSK_SAY_CHECK_RISER_OUTSIDE, first)
        : wsk_on_riser(c)
            ? WSK_SAID(WSK_SAY_CHECK_RISER, first) /* the slot holds only the riser's connector, not the card */
        : c->gpu->slots < 2 ? WSK_SAID(WSK_SAY_CHECK_SLOT, first)
                            : WSK_SAID(WSK_SAY_CHECK_SLOTS, first, last);
    wsk_lines_add(l, 2,
                  WSK_SAID(WSK_SAY_CHECK_CARD, id, slots, c->gpu->length_m * 1e3, c->cooler->head.elem->kind->name,
                           c->gap >= 0 ? WSK_SAID(WSK_SAY_CHECK_GAP, c->gap_m * 1e3) : NULL,
                           c->behind >= 0 ? WSK_SAID(WSK_SAY_CHECK_BEHIND, net->cards[c->behind].id) : NULL));
}

static void report_fit(const wsk_net *net, wsk_lines *l)
{
    int id_columns = 6;
    wsk_lines_add(l, 0, WSK_SAID(WSK_SAY_CHECK_FIT));
    for (int i = 0; i < net->n_card; i++)
        id_columns = wsk_width(net->cards[i].id) > id_columns ? wsk_width(net->cards[i].id) : id_columns;
    for (int i = 0; i < net->n_card; i++)
        report_card(net, &net->cards[i], id_columns, l);
    if (!net->n_card)
        wsk_lines_add(l, 2, WSK_SAID(WSK_SAY_CHECK_NO_CARDS));
    for (int i = 0; i < net->n_case; i++)
        report_places(net, i, l);
}

/* place_w: heat per 120 mm fan place of the loop's radiators */
static void report_loops(const wsk_net *net, wsk_lines *lines)
{
    for (int i = 0; i < net->n_circuit; i++) {
        const wsk_circuit *l = &net->circuits[i];
        double watts = 0, face = 0;
        if (!l->params)
            continue;
        for (int k = 0; k < net->n_card; k++)
            if (net->cards[k].exhaust < 0 && net->cards[k].mover < 0 && net->cards[k].in == l->in &&
                (!net->cards[k].cooler->loop || strcmp(net->cards[k].cooler->loop, l->id) == 0))
                watts += wsk_card_most_w(net, &net->cards[k]);
        const wsk_cpu_params *cpu = net->cases[l->in].cpu;
        if (cpu && cpu->loop && strcmp(cpu->loop, l->id) == 0)
            watts += cpu->count * cpu->power_w;
        for (const wsk_elem *e = NULL; (e = wsk_elem_child(l->elem, "radiator", e)) != NULL;)
            face += ((const wsk_radiator_params *)e->params)->face_m2;
        double place_w = watts * 0.0144 / face;
        wsk_lines_add(lines, 2,
                      !(face > 0)     ? WSK_SAID(WSK_SAY_CHECK_LOOP, l->id, watts)
                      : place_w > 150 ? WSK_SAID(WSK_SAY_CHECK_LOOP_HOT, l->id, watts, face * 1e4, place_w)
                                      : WSK_SAID(WSK_SAY_CHECK_LOOP_RADIATOR, l->id, watts, face * 1e4, place_w));
    }
}

static void report_gaps(const wsk_net *net, wsk_lines *l)
{
    double least_mm = INFINITY;
    const wsk_said *ids = NULL;
    int n = 0;
    bool room = false;
    for (int i = 0; i < net->n_card; i++) {
        int up = net->cards[i].above;
        if (up < 0 || net->cards[up].gap_m >= 10e-3 || !wsk_exhausts_around(&net->cards[up]))
            continue;
        ids = wsk_said_join(l->arena, ids, WSK_SAID(WSK_SAY_PLAIN, net->cards[up].id));
        least_mm = fmin(least_mm, fmax(0, net->cards[up].gap_m * 1e3));
        room = room || wsk_free_slots(net, net->cards[up].in) >= 1;
        n++;
    }
    if (n)
        wsk_check_advise(l, n == 1 && room ? WSK_SAID(WSK_SAY_CHECK_NARROW_GAP, ids, least_mm)
                            : n == 1       ? WSK_SAID(WSK_SAY_CHECK_NARROW_GAP_FULL, ids, least_mm)
                            : room         ? WSK_SAID(WSK_SAY_CHECK_NARROW_GAPS, ids, least_mm)
                                           : WSK_SAID(WSK_SAY_CHECK_NARROW_GAPS_FULL, ids, least_mm));
}

static bool has_fan_wall(const wsk_case *c)
{
    for (const wsk_elem *e = NULL; (e = wsk_elem_child(c->elem, "fan", e)) != NULL;)
        if (((const wsk_fan_params *)e->params)->at == WSK_AT_WALL)
            return true;
    return false;
}

static void report_undriven(const wsk_net *net, wsk_lines *l)
{
    const wsk_said *ids = NULL;
    for (int i = 0; i < net->n_card; i++)
        if (wsk_ducted(&net->cards[i]) && !has_fan_wall(&net->cases[net->cards[i].in]))
            ids = wsk_said_join(l->arena, ids, WSK_SAID(WSK_SAY_PLAIN, net->cards[i].id));
    if (ids)
        wsk_check_advise(l, WSK_SAID(WSK_SAY_CHECK_UNDRIVEN, ids));
}

static bool is_immersed(const wsk_card *c)
{
    return wsk_style_of(c)->dielectric;
}

/* Theory: docs/theory/cooler.md, "What a bath takes" */
static void report_baths(const wsk_net *net, wsk_lines *l)
{
    const wsk_said *wet = NULL, *blown = NULL, *dry = NULL;
    for (int i = 0; i < net->n_card; i++) {
        const wsk_card *c = &net->cards[i];
        bool beside = false;
        for (int j = 0; j < net->n_card; j++)
            beside = beside || (net->cards[j].in == c->in && is_immersed(&net->cards[j]));
        const wsk_said *id = WSK_SAID(WSK_SAY_PLAIN, c->id);
        if (is_immersed(c))
            wet = wsk_said_join(l->arena, wet, id);
        else if (beside)
            dry = wsk_said_join(l->arena, dry, id);
        if (is_immersed(c) && !(c->cooler->saved_w > 0))
            blown = wsk_said_join(l->arena, blown, id);
    }
    if (wet)
        wsk_check_advise(l, WSK_SAID(WSK_SAY_CHECK_BATH, wet));
    if (blown)
        wsk_check_advise(l, WSK_SAID(WSK_SAY_CHECK_BATH_FANS, blown));
    if (dry)
        wsk_check_advise(l, WSK_SAID(WSK_SAY_CHECK_BATH_DRY, dry));
}

static void report_sizing(const wsk_net *net, wsk_lines *l)
{
    wsk_sizing_report(net, l);
    report_gaps(net, l);
    report_undriven(net, l);
    report_baths(net, l);
    report_loops(net, l);
}

/* by_kind: by index in wsk_source_kinds; the last entry counts all other kinds */
typedef struct {
    int written, defaults, assumed, by_kind[WSK_SOURCE_KIND_COUNT + 1];
} tally;

/* True if the value is an assumed choice, such as at="rear". Such a value has no spread and is not counted as
 * assumed. */
static bool is_assumed_choice(const wsk_origin *o)
{
    return !o->assumed && o->source && strcmp(o->source, "assumed") == 0;
}

static void count_origin(void *ctx, const wsk_elem *elem, const wsk_param *param, const wsk_origin *o)
{
    tally *t = ctx;
    int kind = 0;
    (void)elem;
    while (wsk_source_kinds[kind] && !(o->source && strcmp(o->source, wsk_source_kinds[kind]) == 0))
        kind++;
    /* the date of a price is no uncertain input */
    if (is_assumed_choice(o) || (o->from == WSK_FROM_PART && param->type == WSK_TYPE_DATETIME))
        return;
    if (o->assumed)
        t->assumed++;
    else if (o->from == WSK_FROM_DEFAULT)
        t->defaults += o->text != NULL;
    else if (o->from != WSK_FROM_PART)
        t->written++;
    else if (o->source || strcmp(param->name, "name") != 0) /* a part's name is no input and has no source */
        t->by_kind[kind]++;
}

static const wsk_said *tally_of(const wsk_net *net, bool kinds, wsk_arena *arena)
{
    int sourced = 0;
    tally t = {0};
    wsk_each_value(net->plan->rig, (int)net->cls, count_origin, &t);
    const wsk_said *all = WSK_SAY(arena, WSK_SAY_CHECK_FROM_RIG, (double)t.written);
    for (int i = 0; i <= WSK_SOURCE_KIND_COUNT; i++) {
        sourced += t.by_kind[i];
        if (kinds && t.by_kind[i])
            all = wsk_said_join(arena, all,
                                WSK_SAID(WSK_SAY_CHECK_FROM_KIND, (double)t.by_kind[i],
                                         WSK_WORD(wsk_source_kinds[i] ? wsk_source_kinds[i] : WSK_N("other"))));
    }
    if (!kinds)
        all = wsk_said_join(arena, all, WSK_SAID(WSK_SAY_CHECK_FROM_SOURCES, (double)sourced));
    all = wsk_said_join(arena, all, WSK_SAID(WSK_SAY_CHECK_FROM_DEFAULTS, (double)t.defaults));
    return wsk_said_join(arena, all, WSK_SAID(WSK_SAY_CHECK_FROM_ASSUMPTIONS, (double)t.assumed));
}

/* State of the listing of inputs. Inputs of one element with the same source, reason and spread share a line, at
 * whose end these three are printed. */
typedef struct {
    wsk_lines *out;
    wsk_buf values;
    const wsk_elem *elem;
    const char *kind, *reason, *spread;
    bool ours; /* the reason comes from a table of the program, not from a file */
    bool assumed;
} list;

static void end_line(list *l)
{
    if (l->elem && !l->values.failed)
        wsk_lines_add(l->out, 2,
                      WSK_SAID(WSK_SAY_CHECK_SOURCE, l->values.data, WSK_WORD(l->kind),
                               l->reason ? WSK_SAID(WSK_SAY_CHECK_SOURCE_REASON,
                                                    l->ours ? WSK_WORD(l->reason) : wsk_arg_text(l->reason))
                                         : NULL,
                               l->spread ? WSK_SAID(WSK_SAY_CHECK_SOURCE_SPREAD, l->spread) : NULL));
    l->out->failed = l->out->failed || l->values.failed;
    wsk_buf_free(&l->values);
    l->values = (wsk_buf){0};
    l->elem = NULL;
}

static const char *kind_of(const wsk_origin *o)
{
    return o->assumed                    ? WSK_N("assumed")
           : is_assumed_choice(o)        ? WSK_N("assumed choice")
           : o->from == WSK_FROM_DEFAULT ? WSK_N("default")
           : o->from != WSK_FROM_PART    ? WSK_N("rig file")
           : o->source && *o->source     ? o->source
                                         : WSK_N("no source");
}

static void list_value(void *ctx, const wsk_elem *e, const wsk_param *p, const wsk_origin *o)
{
    list *l = ctx;
    const char *kind = kind_of(o),
               *reason = o->ref       ? o->ref
                         : o->assumed ? p->assumed
                                      : NULL,
               *owner = e->parent && strcmp(e->kind->element, "cooler") == 0 ? e->parent->id : e->id;
    if (o->assumed != l->assumed || (!o->text && !o->assumed))
        return;
    if (l->elem != e || !wsk_same_text(l->kind, kind) || !wsk_same_text(l->reason, reason) ||
        !wsk_same_text(l->spread, o->spread)) {
        end_line(l);
        wsk_buf_printf(&l->values, "%s%s", owner ? owner : e->kind->element, owner != e->id ? ".cooler" : "");
    }
    *l = (list){l->out, l->values, e, kind, reason, o->spread, wsk_reason_is_ours(o), l->assumed};
    wsk_buf_printf(&l->values, " %s=\"%s\"", p->name, o->text ? o->text : p->def ? p->def : "derived");
}

/* True if the workload names a dense model that changes nothing in the card, because the decode class of its part does
 * not state kernel-share. */
static bool ignores_model(const wsk_net *net, const wsk_card *c)
{
    const wsk_workload_params *w = net->workload;
    const wsk_elem *model = w ? wsk_elem_child(w->head.elem, "model", NULL) : NULL;
    if (!model || ((const wsk_model_params *)model->params)->experts > 0 || net->cls != WSK_CLASS_DECODE ||
        !c->works || !isnan(c->gpu->pin_power_w) || !isnan(w->measured_w) || !isnan(w->p0_w) || !isnan(w->c_w_hz) ||
        !isnan(w->clock_share))
        return false;
    for (const wsk_elem *e = NULL; (e = wsk_elem_child(c->elem, "class", e)) != NULL;) {
        const wsk_class_params *p = e->params;
        if (p->name == WSK_CLASS_DECODE)
            return isnan(p->kernels);
    }
    return false;
}

static const char *part_or_id(const wsk_card *c)
{
    return c->elem->part ? c->elem->part : c->id;
}

static void report_any_model(const wsk_net *net, wsk_lines *l)
{
    const wsk_said *names = NULL;
    for (int i = 0; i < net->n_card; i++) {
        bool before = false;
        for (int k = 0; k < i; k++)
            before = before || strcmp(part_or_id(&net->cards[k]), part_or_id(&net->cards[i])) == 0;
        if (!before && ignores_model(net, &net->cards[i]))
            names = wsk_said_join(l->arena, names, WSK_SAID(WSK_SAY_PLAIN, part_or_id(&net->cards[i])));
    }
    if (names)
        wsk_lines_add(l, 2, WSK_SAID(WSK_SAY_CHECK_ANY_MODEL, names));
}

static void report_spread(const wsk_net *net, wsk_lines *l)
{
    wsk_arena *arena = wsk_arena_new();
    wsk_spreads s;
    wsk_status status = arena ? wsk_spreads_solve(&s, arena, net, WSK_STEPPER_FAST) : WSK_ENOMEM;
    if (status == WSK_OK)
        wsk_spreads_report(&s, l);
    l->failed = l->failed || status == WSK_ENOMEM;
    wsk_arena_free(arena);
}

void wsk_check_report(const wsk_net *net, wsk_lines *l)
{
    report_fit(net, l);
    report_sizing(net, l);
    report_spread(net, l);
    report_any_model(net, l);
    wsk_lines_add(l, 0, WSK_SAID(WSK_SAY_CHECK_INPUTS, tally_of(net, false, l->arena)));
}

void wsk_check_sources(const wsk_net *net, wsk_lines *lines)
{
    wsk_lines_add(lines, 0, WSK_SAID(WSK_SAY_CHECK_ALL_INPUTS, tally_of(net, true, lines->arena)));
    for (int assumed = 1; assumed >= 0; assumed--) {
        list l = {.out = lines, .assumed = assumed != 0};
        wsk_lines_add(lines, 0,
                      assumed ? WSK_SAID(WSK_SAY_CHECK_ASSUMED_INPUTS) : WSK_SAID(WSK_SAY_CHECK_OTHER_INPUTS));
        wsk_each_value(net->plan->rig, (int)net->cls, list_value, &l);
        end_line(&l);
    }
}
