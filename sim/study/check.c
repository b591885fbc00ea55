/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `check` says of a rig that can be built: fit, sizing with the numbers behind it, provenance. */
#include "sim/study/check.h"

#include <math.h>
#include <string.h>

#include "sim/net/provenance.h"
#include "sim/study/spread.h"

/* Places of fans: those of the chassis against what is to sit there. A fan wall stands at the front. */
static void report_places(const wsk_net *net, int in, wsk_buf *o)
{
    const wsk_case *c = &net->cases[in];
    double used[WSK_PLACES] = {0};
    for (const wsk_elem *e = NULL; (e = wsk_elem_child(c->elem, "fan", e)) != NULL;) {
        const wsk_fan_params *f = e->params;
        used[f->at == WSK_AT_WALL ? WSK_AT_FRONT : f->at] += f->count;
    }
    for (const wsk_elem *l = NULL; (l = wsk_elem_child(c->elem, "loop", l)) != NULL;)
        for (const wsk_elem *e = NULL; (e = wsk_elem_child(l, "radiator", e)) != NULL;) {
            const wsk_radiator_params *r = e->params;
            double fans = 0; /* one side of it; without fans a place for each 120 mm */
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
            wsk_buf_printf(
                o, "  Advice: the rig puts fans and radiators in %.0f places at the %s; the chassis has %.0f\n",
                used[p], wsk_place_names[p], c->params->places[p]);
}

static void report_fit(const wsk_net *net, wsk_buf *o)
{
    wsk_buf_printf(o, "Fit\n");
    for (int i = 0; i < net->n_card; i++) {
        const wsk_card *c = &net->cards[i];
        bool riser = !isnan(c->gpu->riser_m); /* its slot holds only the connector */
        wsk_buf_printf(o, riser || c->gpu->slots < 2 ? "  %-6s slot %.0f" : "  %-6s slots %.0f-%.0f", c->id,
                       c->gpu->slot, c->gpu->slot + c->gpu->slots - 1);
        wsk_buf_printf(o, "%s  %.0f mm long  %s", riser ? " by a riser" : "", c->gpu->length_m * 1e3,
                       c->cooler->head.elem->kind->name);
        if (c->gap >= 0)
            wsk_buf_printf(o, "  air gap under its fans %.0f mm", c->gap_m * 1e3);
        if (c->behind >= 0)
            wsk_buf_printf(o, "  behind %s", net->cards[c->behind].id);
        wsk_buf_printf(o, "\n");
    }
    if (!net->n_card)
        wsk_buf_printf(o, "  no cards\n");
    for (int i = 0; i < net->n_case; i++)
        report_places(net, i, o);
}

/* Water: the heat each loop must give away, against the rule of 120 W a fan place. */
static void report_loops(const wsk_net *net, wsk_buf *o)
{
    for (int i = 0; i < net->n_circuit; i++) {
        const wsk_circuit *l = &net->circuits[i];
        double watts = 0, face = 0;
        if (!l->params)
            continue;
        for (int k = 0; k < net->n_card; k++)
            if (net->cards[k].exhaust < 0 && net->cards[k].mover < 0 && net->cards[k].in == l->in &&
                (!net->cards[k].cooler->loop || strcmp(net->cards[k].cooler->loop, l->id) == 0))
                watts += net->cards[k].held_w;
        const wsk_cpu_params *cpu = net->cases[l->in].cpu;
        if (cpu && cpu->loop && strcmp(cpu->loop, l->id) == 0)
            watts += cpu->power_w;
        for (const wsk_elem *e = NULL; (e = wsk_elem_child(l->elem, "radiator", e)) != NULL;)
            face += ((const wsk_radiator_params *)e->params)->face_m2;
        wsk_buf_printf(o, "  Loop %s: up to %.0f W", l->id, watts);
        if (face > 0)
            wsk_buf_printf(o, " on %.0f cm2 of radiator (%.0f W a 120 mm fan place%s)", face * 1e4,
                           watts * 0.0144 / face,
                           watts * 0.0144 / face > 150 ? "; above 150 W the coolant gets hot or the fans loud" : "");
        wsk_buf_printf(o, "\n");
    }
}

/* Open-air cards that breathe through a narrow gap, on one line. */
static void report_gaps(const wsk_net *net, wsk_buf *o)
{
    double least = INFINITY;
    int n = 0, last = -1;
    for (int i = 0; i < net->n_card; i++) {
        int up = net->cards[i].above; /* the card whose gap this one closes */
        if (up < 0 || net->cards[up].gap_m >= 10e-3 || !wsk_exhausts_around(&net->cards[up]))
            continue;
        if (last >= 0)
            wsk_buf_printf(o, "%s%s", n > 1 ? ", " : "  Advice: ", net->cards[last].id);
        least = fmin(least, net->cards[up].gap_m);
        last = up;
        n++;
    }
    if (n == 1)
        wsk_buf_printf(o,
                       "  Advice: open-air card %s has %.0f mm of air under its fans; leave a free slot below it\n",
                       net->cards[last].id, fmax(0, least) * 1e3);
    else if (n)
        wsk_buf_printf(o,
                       " and %s: open-air cards with %.0f mm of air under their fans; leave a free slot below each\n",
                       net->cards[last].id, fmax(0, least) * 1e3);
}

static void report_sizing(const wsk_net *net, wsk_buf *o)
{
    wsk_sizing_report(net, o);
    report_gaps(net, o);
    report_loops(net, o);
}

/* Kinds of source in the order in which `check` names them; the last stands for every other word. */
static const char *const source_kinds[] = {"datasheet", "database", "log", "article", "measured", "fitted", "other"};
enum { SOURCE_KINDS = sizeof source_kinds / sizeof *source_kinds };
typedef struct {
    int written, defaults, assumed, by_kind[SOURCE_KINDS];
} tally;

/* A name such as at="rear" is not counted as an assumed value: it has no spread. */
static bool is_assumed_choice(const wsk_origin *o)
{
    return !o->assumed && o->source && strcmp(o->source, "assumed") == 0;
}

static void count_origin(void *ctx, const wsk_elem *elem, const wsk_param *param, const wsk_origin *o)
{
    tally *t = ctx;
    int kind = 0;
    (void)elem;
    (void)param;
    while (kind < SOURCE_KINDS - 1 && !(o->source && strcmp(o->source, source_kinds[kind]) == 0))
        kind++;
    if (is_assumed_choice(o))
        return;
    if (o->assumed)
        t->assumed++;
    else if (o->from == WSK_FROM_DEFAULT)
        t->defaults += o->text != NULL;
    else if (o->from != WSK_FROM_PART)
        t->written++;
    else
        t->by_kind[kind]++;
}

/* "Inputs: 24 from the rig file, 25 datasheet, ..., 105 assumed". */
static void report_tally(const wsk_net *net, wsk_buf *o)
{
    tally t = {0};
    wsk_each_value(net->plan->rig, (int)net->cls, count_origin, &t);
    wsk_buf_printf(o, "Inputs: %d from the rig file", t.written);
    for (int i = 0; i < SOURCE_KINDS; i++)
        if (t.by_kind[i])
            wsk_buf_printf(o, ", %d %s", t.by_kind[i], source_kinds[i]);
    wsk_buf_printf(o, ", %d defaults, %d assumed", t.defaults, t.assumed);
}

/* Values of one element that share their origin stand on one line, with the origin behind them. */
typedef struct {
    wsk_buf *out;
    const wsk_elem *elem;
    const char *kind, *reason, *spread;
    bool assumed;
} list;

static bool same(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static void end_line(list *l)
{
    if (l->elem) {
        wsk_buf_printf(l->out, ": %s", l->kind);
        wsk_buf_printf(l->out, l->reason ? "; %s" : "", l->reason);
        wsk_buf_printf(l->out, l->spread ? "; spread %s\n" : "\n", l->spread);
    }
    l->elem = NULL;
}

static const char *kind_of(const wsk_origin *o)
{
    return o->assumed                    ? "assumed"
           : is_assumed_choice(o)        ? "assumed choice"
           : o->from == WSK_FROM_DEFAULT ? "default"
           : o->from != WSK_FROM_PART    ? "rig file"
           : o->source && *o->source     ? o->source
                                         : "no source";
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
    if (l->elem != e || !same(l->kind, kind) || !same(l->reason, reason) || !same(l->spread, o->spread)) {
        end_line(l);
        wsk_buf_printf(l->out, "  %s%s", owner ? owner : e->kind->element, owner != e->id ? ".cooler" : "");
    }
    *l = (list){l->out, e, kind, reason, o->spread, l->assumed};
    wsk_buf_printf(l->out, " %s=\"%s\"", p->name, o->text ? o->text : p->def ? p->def : "derived");
}

/* A rig without a steady point has no such section: the run says what leaves the range. */
static void report_spread(const wsk_net *net, wsk_buf *o)
{
    wsk_arena *arena = wsk_arena_new();
    wsk_spreads s;
    wsk_status status = arena ? wsk_spreads_solve(&s, arena, net, WSK_STEPPER_FAST) : WSK_ENOMEM;
    if (status == WSK_OK)
        wsk_spreads_report(&s, o);
    o->failed = o->failed || status == WSK_ENOMEM;
    wsk_arena_free(arena);
}

void wsk_check_report(const wsk_net *net, wsk_buf *o)
{
    report_fit(net, o);
    report_sizing(net, o);
    report_spread(net, o);
    report_tally(net, o);
    wsk_buf_printf(o, " ('wattsink check --sources' lists the assumed ones).\n");
}

void wsk_check_sources(const wsk_net *net, wsk_buf *o)
{
    report_tally(net, o);
    wsk_buf_printf(o, ".\n");
    for (int assumed = 1; assumed >= 0; assumed--) {
        list l = {.out = o, .assumed = assumed != 0};
        wsk_buf_printf(o, assumed ? "Assumed inputs\n" : "Other inputs\n");
        wsk_each_value(net->plan->rig, (int)net->cls, list_value, &l);
        end_line(&l);
    }
}
