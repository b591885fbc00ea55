/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/calibrate/calibrated.h"

#include <math.h>
#include <string.h>

#include "sim/base/said.h"
#include "sim/net/class.h"
#include "sim/net/load.h"
#include "sim/study/calibrate/fan_fit.h"
#include "sim/study/kit/plan_copy.h"

const wsk_said *wsk_calibrate_refuses(const wsk_net *net, const wsk_card *card)
{
    static const wsk_said idle = {.code = WSK_SAY_CALIBRATE_IDLE}, fixed = {.code = WSK_SAY_CALIBRATE_FIXED},
                          stated = {.code = WSK_SAY_CALIBRATE_STATED};
    const wsk_workload_params *w = net->workload;
    if (!card->works)
        return &idle;
    if (!isnan(card->gpu->pin_power_w) || !isnan(card->gpu->pin_clock_hz))
        return &fixed;
    return isnan(w->p0_w) && isnan(w->c_w_hz) && isnan(w->clock_share) && isnan(w->measured_w) ? NULL : &stated;
}

static bool of_class(const char *name)
{
    return strcmp(name, "p0") == 0 || strcmp(name, "c") == 0 || strcmp(name, "clock-share") == 0 ||
           strcmp(name, "duty") == 0;
}

/* Inverts the changes that the workload makes to a class, so that applying the workload again gives the fitted
 * values. */
static wsk_gpu_class own_numbers(const wsk_net *net, const wsk_card *card, const wsk_calibration *fit)
{
    int working = 0;
    for (int i = 0; i < net->n_card; i++)
        working += net->cards[i].works;
    const wsk_load load = wsk_load_of(net->workload, working, false);
    wsk_gpu_class cls = card->cls, bare;
    double duty = NAN;
    for (size_t i = 0; i < fit->count; i++) {
        const char *name = fit->values[i].name;
        double *to = strcmp(name, "p0") == 0            ? &cls.p0_w
                     : strcmp(name, "c") == 0           ? &cls.c_w_hz
                     : strcmp(name, "clock-share") == 0 ? &cls.clock_share
                     : strcmp(name, "duty") == 0        ? &duty
                                                        : NULL;
        if (to)
            *to = fit->values[i].value;
    }
    cls.p0_w = fit->mean_share * cls.p0_w + card->cooler->saved_w; /* compiling the rig subtracts saved_w again */
    cls.c_w_hz *= fit->mean_share;
    if (!(cls.kernels > 0)) /* the class gets no kernel-share, and without it no bits are applied to it again */
        cls.draw = 0;
    wsk_load_apart(&load, net->cls, &cls);
    card->ops->classify(card->gpu, net->cls, NULL, &bare);
    if (duty < 1 && bare.pauses_stated) /* the rows told that these pauses are long */
        bare = wsk_gpu_all_long(&bare);
    duty = isnan(duty) ? 1 - bare.long_pause : duty;
    bare = wsk_gpu_between(&bare);
    wsk_gpu_add_pauses(&bare, duty);
    cls.long_pause = bare.long_pause;
    cls.traffic_w = bare.traffic_w * fit->mean_share / wsk_gpu_limit_share(&bare);
    cls.pause = bare.pause;
    return cls;
}

typedef struct {
    wsk_arena *arena;
    const char **items;
    size_t count, room;
} sets;

static void add(sets *s, const char *text)
{
    if (wsk_arena_failed(s->arena))
        return;
    if (s->count == s->room) {
        const size_t room = 2 * s->room + 32;
        const char **more = wsk_alloc(s->arena, room * sizeof *more);
        if (!more)
            return;
        s->room = room;
        if (s->count) {
            memcpy(more, s->items, s->count * sizeof *more);
            wsk_arena_drop(s->items, s->count * sizeof *more);
        }
        s->items = more;
    }
    s->items[s->count++] = text;
}

static bool has_class(const wsk_elem *card, int cls)
{
    for (const wsk_elem *e = NULL; (e = wsk_elem_child(card, "class", e)) != NULL;)
        if (((const wsk_class_params *)e->params)->name == cls)
            return true;
    return false;
}

static const struct {
    const char *name, *path, *unit;
    double si;
} thermal[] = {{"conductance", "cooler.conductance", "W/K", 1},
               {"block-conductance", "cooler.block-conductance", "W/K", 1},
               {"capacity", "cooler.capacity", "J/K", 1},
               {"die-resistance", "die-resistance", "K/W", 1},
               {"board-capacity", "board-capacity", "J/K", 1},
               {"board-conductance", "board-conductance", "W/K", 1},
               {"memory-resistance", "memory-resistance", "K/W", 1},
               {"natural-factor", "cooler.natural-factor", "", 1},
               {"rpm-min", "cooler.rpm-min", "rpm", 1},
               {"clock-knee", "clock-knee", "MHz", 1e6},
               {"voltage-slope", "voltage-slope", "1/GHz", 1e-9},
               {"leakage", "leakage", "W", 1},
               {"fan-rise", "cooler.fan-rise", "s", 1},
               {"fan-fall", "cooler.fan-fall", "s", 1}};

static void assign_class(sets *s, const wsk_net *net, const wsk_card *card, const wsk_calibration *fit)
{
    const wsk_gpu_class own = own_numbers(net, card, fit);
    const char *cls = wsk_class_names[net->cls], *pauses = wsk_yes_names[own.long_pause > 0];
    if (has_class(card->elem, (int)net->cls)) {
        add(s, wsk_printf(s->arena, "gpu[%s].class[%s].p0=%.7g W", card->id, cls, own.p0_w));
        add(s, wsk_printf(s->arena, "gpu[%s].class[%s].c=%.7g W/GHz", card->id, cls, own.c_w_hz * 1e9));
        add(s, wsk_printf(s->arena, "gpu[%s].class[%s].clock-share=%.7g", card->id, cls, own.clock_share));
        add(s, wsk_printf(s->arena, "gpu[%s].class[%s].traffic-power=%.7g W", card->id, cls, own.traffic_w));
        add(s, wsk_printf(s->arena, "gpu[%s].class[%s].duty=%.7g", card->id, cls, 1 - own.pause));
        add(s, wsk_printf(s->arena, "gpu[%s].class[%s].long-pauses=%s", card->id, cls, pauses));
        add(s, wsk_printf(s->arena, "gpu[%s].class[%s].limit-share=%.7g", card->id, cls, fit->mean_share));
    } else {
        add(s, wsk_printf(
                   s->arena,
                   "gpu[%s].class+=name=%s p0=%.7gW c=%.7gW/GHz clock-share=%.7g traffic-power=%.7gW duty=%.7g "
                   "long-pauses=%s limit-share=%.7g%s",
                   card->id, cls, own.p0_w, own.c_w_hz * 1e9, own.clock_share, own.traffic_w, 1 - own.pause, pauses,
                   fit->mean_share, own.kernels > 0 ? wsk_printf(s->arena, " kernel-share=%.7g", own.kernels) : ""));
    }
}

/* Efficiency attributes of a PSU; the fit shifts all of them by the same amount. */
static const char *const levels[] = {"efficiency",        "efficiency-10",     "efficiency-20",
                                     "efficiency-50",     "efficiency-100",    "efficiency-10-230",
                                     "efficiency-20-230", "efficiency-50-230", "efficiency-100-230"};
enum { LEVELS = sizeof levels / sizeof *levels };

/* True if the log determined the value well enough for use. */
static bool told(const wsk_calibrated *v)
{
    const double seen = 0.1;
    return v->learnt >= seen;
}

/* True if nothing was learnt about the value, alone or together with others. */
static bool unseen(const wsk_calibrated *v)
{
    return v->learnt < 0.01;
}

/* True if the rig keeps the value that it had, with its source and spread: nothing was learnt about it. The values of a
 * class are written together. So are those of a log's temperatures, which only together meet the log: errors that were
 * added to the ± of a fitted value, as those of watts that no log has, may leave nothing learnt. */
static bool kept(const wsk_calibrated *v)
{
    static const char *const alone[] = {"clock-knee", "voltage-slope", "leakage"};
    bool by_itself = fabs(v->value - v->prior) <= 0.01 * v->prior_spread;
    for (size_t i = 0; i < sizeof alone / sizeof *alone; i++)
        by_itself = by_itself || strcmp(v->name, alone[i]) == 0;
    return unseen(v) && by_itself && !of_class(v->name);
}

static bool is_level(const char *name)
{
    return strncmp(name, "efficiency", 10) == 0;
}

static double number_of(const wsk_elem *e, const char *name)
{
    const wsk_param *p = wsk_kind_param(e->kind, name);
    return p ? *(const double *)((const char *)e->params + p->offset) : (double)NAN;
}

static void assign_machine(sets *s, const wsk_net *net, const wsk_calibrated *v)
{
    if (strcmp(v->name, "board") == 0 && told(v))
        add(s, wsk_printf(s->arena, "cpu.board=%.7g W", v->value));
    for (int i = 0; is_level(v->name) && told(v) && i < net->n_supply; i++) {
        const wsk_supply *psu = &net->supplies[i];
        for (int k = 0; k < LEVELS; k++) {
            const double before = number_of(psu->elem, levels[k]);
            if (before > 0)
                add(s, wsk_printf(s->arena, "psu[%s].%s=%.7g", psu->elem->id, levels[k],
                                  wsk_min(before + v->value - v->prior, 0.995)));
        }
        add(s, wsk_printf(s->arena, "psu[%s].spread=%.4g", psu->elem->id, v->spread));
    }
}

static bool of_fan(const char *name)
{
    return strncmp(name, "fan-", 4) == 0;
}

static void assign_curve(sets *s, const wsk_card *card, const wsk_calibration *fit)
{
    const wsk_curve curve = wsk_fan_fit_curve(card, fit);
    wsk_buf b = {0};
    for (int k = 0; k < curve.count; k++)
        wsk_buf_printf(&b, "%s%.4g degC:%.0f rpm", k ? ", " : "", curve.x[k] - WSK_KELVIN, curve.y[k]);
    if (b.failed)
        wsk_arena_fail(s->arena);
    else
        add(s, wsk_printf(s->arena, "gpu[%s].cooler.fan-curve=%s", card->id, b.data));
    wsk_buf_free(&b);
}

static const char traffic[] = "memory-traffic";
/* The log determines the memory's resistance with these values: a run with them meets it, whatever their own errors. */
static const char *const by_memory[] = {"memory-power", "memory-to-heatsink"};

/* The cards of a rig have one workload: their mean. */
static void assign_traffic(sets *s, const wsk_net *net, const wsk_calibrated_card *cards, size_t count)
{
    double sum = 0, n = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < cards[i].fit->count; k++)
            if (strcmp(cards[i].fit->values[k].name, traffic) == 0) {
                sum += cards[i].fit->values[k].value;
                n++;
            }
    if (n > 0 && net->workload)
        add(s, wsk_printf(s->arena, "workload.memory-traffic=%.4g", sum / n));
}

static void assign(sets *s, const wsk_net *net, const wsk_card *card, const wsk_calibration *fit)
{
    for (size_t i = 0; i < fit->count; i++) {
        const wsk_calibrated *v = &fit->values[i];
        if (v->at > 0 && (!i || !(fit->values[i - 1].at > 0)))
            assign_curve(s, card, fit);
        if (of_fan(v->name) && !told(v))
            continue;
        assign_machine(s, net, v);
        if (strcmp(v->name, "p0") == 0)
            assign_class(s, net, card, fit);
        if (kept(v))
            continue;
        if (strcmp(v->name, "inlet") == 0 && !isnan(net->room_params->temp_k))
            add(s, wsk_printf(s->arena, "room.temperature=%.7g degC", v->value - WSK_KELVIN));
        /* the fit scales both conductances of the board by one factor: sim/study/calibrate/thermal.h */
        if (strcmp(v->name, "board-conductance") == 0)
            add(s, wsk_printf(s->arena, "gpu[%s].board-to-heatsink=%.7g W/K", card->id,
                              card->gpu->board_heatsink_cond_w_k * v->value / v->prior));
        if (strcmp(v->name, "memory-resistance") == 0) {
            add(s, wsk_printf(s->arena, "gpu[%s].%s=%.7g W", card->id, by_memory[0], card->gpu->memory_w));
            add(s, wsk_printf(s->arena, "gpu[%s].%s=%.7g", card->id, by_memory[1], card->gpu->memory_heatsink_share));
        }
        for (size_t k = 0; k < sizeof thermal / sizeof *thermal; k++)
            if (strcmp(v->name, thermal[k].name) == 0)
                add(s, wsk_printf(s->arena, "gpu[%s].%s=%.7g %s", card->id, thermal[k].path, v->value / thermal[k].si,
                                  thermal[k].unit));
    }
}

static wsk_origin *fitted_origin(wsk_arena *arena, const wsk_elem *e, const char *name, const char *from)
{
    size_t at = 0;
    while (e && e->kind->params[at].name && strcmp(e->kind->params[at].name, name) != 0)
        at++;
    if (!e || !e->kind->params[at].name)
        return NULL;
    wsk_origin *o = &e->origins[at];
    o->from = WSK_FROM_RIG;
    o->source = "fitted";
    o->ref = wsk_printf(arena, WSK_CALIBRATED_ON "%s", from);
    o->assumed = false;
    return o;
}

/* Records source and spread of a value. The rows determine p0 and c together: p0 gets its whole spread, c only its
 * spread at fixed p0, because the study of uncertainty combines the two this way. */
static void state(wsk_arena *arena, const wsk_elem *e, const char *name, const wsk_calibrated *v, const char *from)
{
    wsk_origin *o = fitted_origin(arena, e, name, from);
    const bool degrees = strcmp(name, "temperature") == 0, points = is_level(name),
               speed = v->at > 0 || strcmp(name, "rpm-min") == 0;
    const double half = strcmp(name, "c") == 0 ? v->apart : v->spread;
    if (!o)
        return;
    o->spread = speed     ? wsk_printf(arena, "+-%.3g rpm", half)
                : points  ? wsk_printf(arena, "+-%.3g points", 100 * half)
                : degrees ? wsk_printf(arena, "+-%.3g K", half)
                          : wsk_printf(arena, "+-%.3g %%", 100 * half / v->value);
    if (unseen(v)) { /* a value of the class that is written because the log determined the others */
        o->source = "assumed";
        o->ref = wsk_printf(arena, "not told by %s", from);
        o->assumed = true;
    }
}

static const wsk_elem *place_of(const wsk_plan *plan, const wsk_net *net, const wsk_elem *gpu, const char *name)
{
    if (strcmp(name, "inlet") == 0)
        return wsk_elem_child(wsk_elem_child(plan->rig, "site", NULL), "room", NULL);
    if (strcmp(name, traffic) == 0)
        return wsk_elem_child(plan->rig, "workload", NULL);
    if (gpu && of_class(name)) {
        for (const wsk_elem *e = NULL; (e = wsk_elem_child(gpu, "class", e)) != NULL;)
            if (((const wsk_class_params *)e->params)->name == (int)net->cls)
                return e;
        return NULL;
    }
    static const char cooler[] = "cooler.";
    bool of_cooler = of_fan(name);
    for (size_t k = 0; k < sizeof thermal / sizeof *thermal; k++)
        if (strcmp(name, thermal[k].name) == 0)
            of_cooler = strncmp(thermal[k].path, cooler, sizeof cooler - 1) == 0;
    return gpu && of_cooler ? wsk_elem_child(gpu, "cooler", NULL) : gpu;
}

static void state_machine(wsk_plan *plan, const wsk_calibrated *v, const char *from)
{
    const wsk_elem *chassis = wsk_elem_child(plan->rig, "chassis", NULL);
    const wsk_elem *cpu = chassis ? wsk_elem_child(chassis, "cpu", NULL) : NULL;
    if (strcmp(v->name, "board") == 0 && told(v) && cpu) {
        state(plan->arena, cpu, "board", v, from);
        /* the meter determines only the sum of the board's power and the processors' idle power */
        wsk_origin *idle = fitted_origin(plan->arena, cpu, "idle", from);
        if (idle)
            idle->spread = NULL;
    }
    for (const wsk_elem *psu = NULL;
         is_level(v->name) && told(v) && (psu = wsk_elem_child(chassis, "psu", psu)) != NULL;)
        for (int k = 0; k < LEVELS; k++)
            if (number_of(psu, levels[k]) > 0)
                state(plan->arena, psu, levels[k], v, from);
}

/* One spread for the fitted points of a curve, which the study of uncertainty moves together: their root mean
 * square. */
static wsk_calibrated curve_of(const wsk_calibration *fit)
{
    wsk_calibrated all = {.name = "fan-curve", .learnt = 1};
    double n = 0;
    for (size_t i = 0; i < fit->count; i++)
        if (fit->values[i].at > 0) {
            all.at = fit->values[i].at;
            all.spread += fit->values[i].spread * fit->values[i].spread;
            n++;
        }
    all.spread = n > 0 ? sqrt(all.spread / n) : 0;
    return all;
}

/* Takes the kernel-share of the part's class away if the rows are of a load that named no model: it is the share of
 * other loads, and with it a model that is named later would change values that are of its own weights. As the class
 * then is no longer the part's with other values, the rig is its source ("kind"). */
static void forget_kernels(const wsk_net *net, const wsk_card *card, wsk_elem *gpu)
{
    for (wsk_elem *e = gpu ? gpu->child : NULL; e; e = e->next) {
        wsk_class_params *p = e->params;
        if (strcmp(e->kind->element, "class") != 0 || p->name != (int)net->cls || card->cls.draw > 0)
            continue;
        wsk_origin *o = &e->origins[wsk_kind_param(e->kind, "kernel-share") - e->kind->params];
        if (o->from != WSK_FROM_PART || isnan(p->kernels))
            continue;
        p->kernels = NAN;
        *o = (wsk_origin){.from = WSK_FROM_DEFAULT};
        e->written = "kind";
    }
}

/* The clock share of the class may be that of other bits or fewer requests than the load had. With k = a/(1 - a^4)^(1/4),
 * which these change by a factor, relative changes of k are those of a, divided by 1 - a^4. */
static wsk_calibrated of_own_class(const wsk_net *net, const wsk_card *card, const wsk_calibration *fit,
                                   const wsk_calibrated *v)
{
    wsk_calibrated out = *v;
    if (strcmp(v->name, "clock-share") != 0 || !(v->value < 1))
        return out;
    out.value = own_numbers(net, card, fit).clock_share;
    out.spread *= out.value / v->value * (1 - pow(out.value, 4)) / (1 - pow(v->value, 4));
    return out;
}

static void state_all(wsk_plan *plan, const wsk_net *net, const wsk_calibrated_card *card)
{
    wsk_elem *gpu = wsk_plan_gpu(plan->rig, net->cards[card->card].id);
    const wsk_calibrated curve = curve_of(card->fit);
    if (curve.at > 0)
        state(plan->arena, place_of(plan, net, gpu, curve.name), curve.name, &curve, card->from);
    for (size_t i = 0; i < card->fit->count; i++) {
        const wsk_calibrated *v = &card->fit->values[i];
        const bool inlet = strcmp(v->name, "inlet") == 0;
        state_machine(plan, v, card->from);
        if ((of_fan(v->name) && (v->at > 0 || !told(v))) || kept(v))
            continue;
        const wsk_calibrated own = of_own_class(net, &net->cards[card->card], card->fit, v);
        if ((!inlet || !isnan(net->room_params->temp_k)) && strcmp(v->name, "board") != 0 && !is_level(v->name))
            state(plan->arena, place_of(plan, net, gpu, v->name), inlet ? "temperature" : v->name, &own, card->from);
        if (strcmp(v->name, "p0") == 0)
            forget_kernels(net, &net->cards[card->card], gpu);
        if (strcmp(v->name, "memory-resistance") == 0)
            for (size_t k = 0; k < sizeof by_memory / sizeof *by_memory; k++)
                fitted_origin(plan->arena, gpu, by_memory[k], card->from);
        if (strcmp(v->name, "board-conductance") == 0)
            state(plan->arena, gpu, "board-to-heatsink", v, card->from);
        /* unseen pauses would lower the mean power at a limit, and with it the clock, as a lower limit-draw does */
        if (strcmp(v->name, "duty") == 0 && unseen(v))
            state(plan->arena, gpu, "limit-draw", v, card->from);
        /* assign_class sets these attributes together with p0 */
        static const char *const along[] = {"traffic-power", "duty", "long-pauses", "limit-share"};
        for (size_t k = 0; strcmp(v->name, "p0") == 0 && k < sizeof along / sizeof *along; k++)
            fitted_origin(plan->arena, place_of(plan, net, gpu, "p0"), along[k], card->from);
    }
}

wsk_status wsk_calibrated_plan(const wsk_net *net, const wsk_plan_input *input, const wsk_calibrated_card *cards,
                               size_t count, wsk_plan **plan)
{
    sets s = {.arena = wsk_arena_new()};
    wsk_plan_input again = *input;
    wsk_status status = WSK_ENOMEM;
    *plan = NULL;
    if (!s.arena)
        return status;
    for (size_t i = 0; i < input->set_count; i++)
        add(&s, input->sets[i]);
    for (size_t i = 0; i < count; i++)
        assign(&s, net, &net->cards[cards[i].card], cards[i].fit);
    assign_traffic(&s, net, cards, count);
    if (!wsk_arena_failed(s.arena)) {
        again.sets = s.items;
        again.set_count = s.count;
        status = wsk_plan_load(plan, &again);
    }
    for (size_t i = 0; i < count && status == WSK_OK; i++)
        state_all(*plan, net, &cards[i]);
    if (status == WSK_OK && wsk_arena_failed((*plan)->arena))
        status = WSK_ENOMEM;
    wsk_arena_free(s.arena);
    return status;
}
