/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/net/compile.h"

#include <math.h>
#include <string.h>

#include "sim/base/calendar.h"
#include "sim/base/psychro.h"
#include "sim/net/outdoors.h"
#include "sim/net/provenance.h"
#include "sim/net/tariff.h"
#include "sim/net/tokens.h"

/* Relative error of a measured rate. Assumed: docs/theory/constants.md, "measured tokens" */
static const double measured_rel = 0.02;

double wsk_room_start_k(const wsk_net *net)
{
    double k =
        isnan(net->room_params->temp_k) ? net->outdoor_ops->mean_k(net->outdoor_params) : net->room_params->temp_k;
    /* If its temperature is not stated, an air-conditioned room starts at the setpoint of its air conditioner or at
     * the mean outdoors, whichever is lower. */
    return net->ac && isnan(net->room_params->temp_k) ? wsk_min(k, net->ac->setpoint_k) : k;
}

/* If the site states no place, a rig with fans at the wall of a case stands in a server room, any other at a
 * desk. */
static wsk_standing stand_of(const wsk_elem *rig, const wsk_site_params *site)
{
    if (site->place >= 0)
        return (wsk_standing)site->place;
    for (const wsk_elem *c = NULL; (c = wsk_elem_child(rig, "chassis", c)) != NULL;)
        for (const wsk_elem *f = NULL; (f = wsk_elem_child(c, "fan", f)) != NULL;)
            if (((const wsk_fan_params *)f->params)->at == WSK_AT_WALL)
                return WSK_STANDS_SERVER_ROOM;
    return WSK_STANDS_DESK;
}

/* Gives outdoor air from a file the mean of the run instead of that of the file. */
static void take_mean_outdoors(wsk_build *b)
{
    wsk_net *net = b->net;
    const wsk_series *file = &net->outdoor_params->file,
                     *known = b->bills_as ? &b->bills_as->outdoor_params->file : NULL;
    wsk_outdoor_params *of_run = file->count ? wsk_alloc(net->arena, sizeof *of_run) : NULL;
    if (!of_run)
        return;
    *of_run = *net->outdoor_params;
    of_run->file.mean = known && known->count && known->t == file->t ? known->mean : wsk_outdoors_of(net).mean_k;
    net->outdoor_params = of_run;
}

static void take_site(wsk_build *b)
{
    wsk_net *net = b->net;
    const wsk_elem *rig = b->plan->rig, *site = wsk_only(rig, "site"), *room = wsk_only(site, "room"),
                   *tariff = wsk_only(site, "tariff");
    const wsk_elem *workload = wsk_only(rig, "workload");
    net->site = wsk_params_of(site);
    net->stand = stand_of(rig, net->site);
    net->room_params = wsk_params_of(room);
    const wsk_elem *outdoor = wsk_only(room, "outdoor"), *ac = wsk_only(room, "air-conditioner");
    net->outdoor_params = outdoor->params;
    net->outdoor_ops = outdoor->kind->ops;
    net->ac = wsk_params_of(ac);
    net->ac_fails_ns = net->ac ? wsk_fails_ns(net->ac->fails_s) : -1;
    net->ac_ops = ac ? ac->kind->ops : NULL;
    net->tariff = wsk_params_of(tariff);
    net->carbon = wsk_params_of(wsk_only(site, "carbon"));
    net->runspec = wsk_params_of(wsk_only(rig, "run"));
    if (b->plan->zone && !isnan(net->runspec->from_s))
        net->start_utc_s = wsk_zone_utc(b->plan->zone, (int64_t)net->runspec->from_s);
    take_mean_outdoors(b);
    if (b->bills_as)
        net->billing = b->bills_as->billing;
    else
        b->full = !wsk_billing_make(&net->billing, net->arena, b->plan, site, net->runspec) || b->full;
    net->currency = net->billing ? net->billing->currency : NULL;
    net->workload = wsk_params_of(workload);
    net->workload_ops = workload ? workload->kind->ops : NULL;
    net->cls = net->workload ? (wsk_class)net->workload->cls : WSK_CLASS_IDLE;
    net->host_load =
        net->workload && !isnan(net->workload->host_load) ? net->workload->host_load : wsk_class_host_load[net->cls];
    wsk_build_lines(b, site);
    double room_k = wsk_room_start_k(net), pressure_rel = pow(1 - 2.25577e-5 * net->site->altitude_m, 5.25588);
    net->dew_k = wsk_dew_point_k(room_k, net->room_params->humidity);
    /* Air density at 25 degC divided by the reference density WSK_RHO0. The pressure at the site's altitude follows
     * the barometric formula of the standard atmosphere (ICAO); humidity lowers the density by up to 2 %. */
    net->rho_rel = pressure_rel * wsk_humid_density_rel(room_k, net->room_params->humidity, pressure_rel);
    net->rho_cp = WSK_RHO0 * net->rho_rel * WSK_CP;
}

/* Sets rate_s, the rate of one working card. The attribute measured-rate, such as "34.7 tok/s", is the rate of the
 * whole rig. */
static void take_rate(wsk_build *b)
{
    wsk_net *net = b->net;
    int working = 0;
    for (int i = 0; i < net->n_card; i++)
        working += net->cards[i].works;
    if (working == 0 || !net->workload->measured_rate)
        return;
    const char *text = net->workload->measured_rate;
    wsk_workload_params *w = wsk_alloc(net->arena, sizeof *w);
    const char *name = text;
    double rate = 0;
    if (!w)
        return;
    bool number = wsk_parse_number(text, &name, &rate);
    name += strspn(name, " ");
    const size_t unit = strlen(name), per = sizeof "/s" - 1;
    if (!number || !(rate > 0) || unit <= per || strcmp(name + unit - per, "/s") != 0 ||
        !isnan(net->workload->rate_s)) {
        wsk_elem_diag(&b->plan->diags, WSK_DIAG_ERROR, net->workload->head.elem, "measured-rate",
                      WSK_SAID(WSK_SAY_MEASURED_RATE, text));
        return;
    }
    *w = *net->workload;
    w->rate_s = rate / working;
    w->unit = wsk_printf(net->arena, "%.*s", (int)(unit - per), name);
    net->workload = w;
}

static double reference_hz(const wsk_net *net, const wsk_card *c, wsk_class cls)
{
    wsk_gpu_class as;
    if (cls == net->cls)
        return c->cls.ref_clock_hz;
    c->ops->classify(c->gpu, cls, NULL, &as);
    return as.ref_clock_hz;
}

/* Names of the values that the computation of tokens needs and the card does not state; NULL: it states all. */
static const char *lacking(const wsk_build *b, const wsk_gpu_params *g)
{
    const char *lacks[WSK_TOKENS_NEED], *names = NULL;
    const size_t n = wsk_tokens_lacking(g, lacks);
    for (size_t i = 0; i < n; i++)
        names = names ? wsk_printf(b->net->arena, "%s, %s", names, lacks[i]) : lacks[i];
    return names;
}

/* Returns the reason why tokens cannot be computed, or NULL. With a measured rate, engine and format of weights are
 * not checked, because they evidently work. */
static const wsk_said *untold(const wsk_build *b, int working)
{
    const wsk_net *net = b->net;
    const wsk_workload_params *w = net->workload;
    const wsk_engine engine = (wsk_engine)w->engine;
    const char *names = NULL;
    if (working > WSK_TOKENS_CARDS_MOST)
        return WSK_SAY(net->arena, WSK_SAY_MODEL_MANY_CARDS, (double)working, (double)WSK_TOKENS_CARDS_MOST);
    for (int i = 0; i < net->n_card; i++)
        if (net->cards[i].works && (names = lacking(b, net->cards[i].gpu)) != NULL)
            return WSK_SAY(net->arena, WSK_SAY_MODEL_UNKNOWN_CARD, net->cards[i].id, names);
    if (w->measured_rate)
        return NULL;
    if (!wsk_engine_loads(engine, (wsk_quant)w->quant))
        return WSK_SAY(net->arena, WSK_SAY_MODEL_QUANT, wsk_engine_names[engine], wsk_quant_names[w->quant]);
    for (int i = 0; i < net->n_card; i++) {
        const wsk_card *c = &net->cards[i];
        if (c->works && wsk_engine_needs_newer(engine, c->gpu))
            return WSK_SAY(net->arena, WSK_SAY_MODEL_OLD_CARD, wsk_engine_names[engine], c->id);
        if (c->works && engine == WSK_ENGINE_VLLM && !c->gpu->vllm)
            return WSK_SAY(net->arena, WSK_SAY_MODEL_NO_ENGINE, wsk_engine_names[engine], c->id);
    }
    return NULL;
}

/* Warns if the measured rate is far from the computed one: it is then probably the rate of another model, or of only
 * one of several requests or cards. */
static void check_rate(wsk_build *b, const wsk_elem *e, double measured, double computed)
{
    static const double most = 2.5, least = 0.2;
    if (measured > most * computed || measured < least * computed)
        wsk_elem_diag(&b->plan->diags, WSK_DIAG_WARNING, e, "measured-rate",
                      WSK_SAID(WSK_SAY_MEASURED_RATE_FAR, measured, computed));
}

/* Sets `shared` of the rates *t of a model that does not fit, if all working cards can hold one copy together. Beside a
 * tensor-parallel of the rig a split does not count. */
static void look_for_sharing(const wsk_net *net, const wsk_workload_params *w, int working, wsk_token_rates *t)
{
    wsk_workload_params all = *w;
    wsk_token_rates r;
    all.split = w->engine == WSK_ENGINE_LLAMA_CPP ? WSK_SPLIT_LAYER : WSK_SPLIT_TENSOR;
    all.tensor_parallel = w->tensor_parallel > 1 ? working : 1;
    if (t->fits || t->group >= working || !wsk_tokens_of(&all, net->cards, net->n_card, NULL, &r, NULL) || !r.fits ||
        r.uneven_heads > 0)
        return;
    t->shared = r.have_byte;
    t->shared_by = all.tensor_parallel > 1 ? wsk_printf(net->arena, "tensor-parallel=\"%d\"", working)
                                           : wsk_printf(net->arena, "split=\"%s\"", wsk_split_names[all.split]);
}

static const wsk_said *say_no_room(const wsk_net *net, const wsk_token_rates *t, int working)
{
    const wsk_said *no_room =
        isnan(t->generation_s)
            ? WSK_SAY(net->arena, WSK_SAY_MODEL_NO_ROOM, t->need_byte / WSK_GIB_BYTE, t->have_byte / WSK_GIB_BYTE)
            : WSK_SAY(net->arena, WSK_SAY_MODEL_SPILLS, t->need_byte / WSK_GIB_BYTE, t->have_byte / WSK_GIB_BYTE,
                      100 * t->spilled);
    return t->shared > 0 ? wsk_said_link(net->arena, WSK_SAY_JOIN_SEMICOLON, no_room,
                                         WSK_SAID(WSK_SAY_MODEL_FITS_SHARED, t->shared_by, (double)working,
                                                  t->shared / WSK_GIB_BYTE))
                         : no_room;
}

static void take_model(wsk_build *b)
{
    wsk_net *net = b->net;
    const wsk_elem *e = net->workload->head.elem, *model = wsk_elem_child(e, "model", NULL);
    wsk_token_rates *t = wsk_alloc(net->arena, sizeof *t);
    wsk_workload_params *w = wsk_alloc(net->arena, sizeof *w);
    double *clocks_hz = wsk_alloc(net->arena, (2 * (size_t)net->n_card + 1) * sizeof *clocks_hz);
    int working = 0;
    if (!model || !t || !w || !clocks_hz || b->plan->diags.errors)
        return;
    *w = *net->workload;
    for (int i = 0; i < net->n_card; i++) {
        const wsk_card *c = &net->cards[i];
        clocks_hz[2 * i] = reference_hz(net, c, net->cls == WSK_CLASS_PREFILL ? WSK_CLASS_DECODE : net->cls);
        clocks_hz[2 * i + 1] = reference_hz(net, c, WSK_CLASS_PREFILL);
        working += c->works;
    }
    if (!isnan(w->rate_s) && !w->measured_rate) {
        wsk_elem_diag(&b->plan->diags, WSK_DIAG_ERROR, e, "rate", WSK_SAID(WSK_SAY_MODEL_RATE));
        return;
    }
    const wsk_said *why = untold(b, working);
    if (why)
        wsk_elem_diag(&b->plan->diags, WSK_DIAG_WARNING, e, "model", why);
    if (why || !wsk_tokens_of(w, net->cards, net->n_card, clocks_hz, t, NULL))
        return;
    if (t->uneven_heads > 0) {
        int fewer = (int)t->group - 1;
        while (wsk_model_uneven_heads(model->params, fewer) > 0)
            fewer--;
        const char *engine = wsk_engine_names[w->engine];
        wsk_elem_diag(&b->plan->diags, WSK_DIAG_WARNING, e, "model",
                      w->tensor_parallel > 1
                          ? WSK_SAID(WSK_SAY_MODEL_HEADS_GROUP, engine, t->group, t->uneven_heads, (double)fewer)
                          : WSK_SAID(WSK_SAY_MODEL_HEADS, engine, t->group, t->uneven_heads, (double)fewer));
    }
    look_for_sharing(net, w, working, t);
    if (!t->fits)
        wsk_elem_diag(&b->plan->diags, WSK_DIAG_WARNING, e, "model", say_no_room(net, t, working));
    /* the host's processor does the arithmetic of the weights that stay in the host's memory */
    if (!t->fits && isnan(w->host_load))
        net->host_load = wsk_max(net->host_load, 1 - t->busy);
    if (w->measured_rate) {
        check_rate(b, e, w->rate_s * working, t->generation_s);
        t->generation_s = w->rate_s * working;
        t->generation_rel = measured_rel;
    } else if (isfinite(t->generation_s)) {
        w->rate_s = t->generation_s / working;
        w->unit = "tokens";
    }
    net->tokens = t;
    net->workload = w;
}

static void take_load(wsk_build *b, const wsk_elem *parent, int in)
{
    wsk_net *net = b->net;
    for (const wsk_elem *e = NULL; (e = wsk_elem_child(parent, "load", e)) != NULL;) {
        if (net->n_load >= WSK_ROOM_FOR) {
            b->full = true;
            return;
        }
        const wsk_load_params *load = e->params;
        net->load_in[net->n_load] = in;
        net->load_line[net->n_load] = load->ac_w > 0 || load->on ? wsk_build_on_line(b, e, load->on) : 0;
        net->loads[net->n_load++] = e->params;
    }
}

/* A load directly in the rig counts as a load of the first chassis. */
static void take_loads(wsk_build *b)
{
    wsk_net *net = b->net;
    net->loads = wsk_alloc(net->arena, WSK_ROOM_FOR * sizeof *net->loads);
    net->load_in = wsk_alloc(net->arena, WSK_ROOM_FOR * sizeof *net->load_in);
    net->load_line = wsk_alloc(net->arena, WSK_ROOM_FOR * sizeof *net->load_line);
    if (!net->loads || !net->load_in || !net->load_line) {
        b->full = true;
        return;
    }
    take_load(b, b->plan->rig, 0);
    for (int i = 0; i < net->n_case; i++)
        take_load(b, net->cases[i].elem, i);
}

/* After sorting, the ports (links from a solid to air or coolant) of a block are consecutive. */
static void sort_ports(wsk_net *net)
{
    for (int i = 1; i < net->n_port; i++)
        for (int j = i; j > 0 && net->ports[j - 1].solid > net->ports[j].solid; j--) {
            wsk_port t = net->ports[j];
            net->ports[j] = net->ports[j - 1];
            net->ports[j - 1] = t;
        }
    for (int k = 0; k < net->n_block; k++) {
        wsk_block *block = &net->blocks[k];
        block->first_port = block->n_ports = 0;
        for (int p = net->n_port; p-- > 0;)
            if (net->ports[p].solid >= block->first && net->ports[p].solid < block->first + block->count) {
                block->first_port = p;
                block->n_ports++;
            }
    }
}

static bool allocate_tables(wsk_net *net)
{
#define TABLE(f) (net->f = wsk_alloc(net->arena, WSK_ROOM_FIRST * sizeof *net->f))
    TABLE(nodes), TABLE(blocks), TABLE(ports), TABLE(branches), TABLE(exchanges), TABLE(conds), TABLE(movers);
    TABLE(flow_node), TABLE(reversals);
    return !wsk_arena_failed(net->arena);
#undef TABLE
}

wsk_status wsk_net_compile(wsk_net **out, wsk_plan *plan)
{
    return wsk_net_compile_copy(out, plan, NULL);
}

wsk_status wsk_net_compile_copy(wsk_net **out, wsk_plan *plan, const wsk_net *of)
{
    wsk_arena *arena = wsk_arena_new();
    wsk_net *net = arena ? wsk_alloc(arena, sizeof *net) : NULL;
    wsk_build build = {.net = net, .plan = plan, .bills_as = of};
    *out = NULL;
    if (!net)
        goto no_memory;
    net->arena = arena;
    net->plan = plan;
    net->threads = of ? of->threads : 1;
    net->digest = plan->digest;
    if (!allocate_tables(net))
        goto no_memory;
    take_site(&build);
    wsk_build_case_table(&build);
    if (!build.full)
        wsk_build_supply_table(&build);
    if (!build.full)
        wsk_build_card_table(&build);
    if (!build.full && net->workload)
        take_rate(&build);
    if (!build.full && net->workload)
        take_model(&build);
    if (!build.full)
        wsk_build_supply_loads(&build);
    if (!build.full)
        wsk_check_loops(&build);
    wsk_check_plan(&build);
    if (plan->diags.errors || build.full)
        goto bad;
    wsk_build_card_solids(&build);
    wsk_build_loop_solids(&build);
    wsk_build_case_solids(&build);
    take_loads(&build);
    wsk_check_lines(&build);
    net->n_solid = net->n_node;
    if (plan->diags.errors || build.full)
        goto bad;
    wsk_build_media(&build);
    wsk_build_case_air(&build);
    wsk_build_card_air(&build);
    wsk_build_loops(&build);
    wsk_build_reversals(&build);
    if (build.full)
        goto bad;
    sort_ports(net);
    wsk_check_network(&build);
    if (plan->diags.errors)
        goto bad;
    net->assumed = of ? of->assumed : wsk_count_assumed(plan->rig, (int)net->cls);
    if (!wsk_net_analyse(net, of))
        goto no_memory;
    *out = net;
    return WSK_OK;
bad:
    if (wsk_arena_failed(arena))
        goto no_memory;
    if (build.full && !plan->diags.errors)
        wsk_diag_add(&plan->diags, WSK_DIAG_ERROR, plan->path, 0, 0, WSK_SAID(WSK_SAY_RIG_TOO_LARGE, WSK_ROOM_FOR));
    wsk_arena_free(arena);
    return WSK_EINPUT;
no_memory:
    wsk_arena_free(arena);
    return WSK_ENOMEM;
}

void wsk_net_free(wsk_net *net)
{
    if (net)
        wsk_arena_free(net->arena);
}
