/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plan to network: the order of assembly, the checks of the whole, and the patterns of its matrices. */
#include "sim/net/compile.h"

#include <math.h>
#include <string.h>

#include "sim/base/psychro.h"
#include "sim/net/provenance.h"
#include "sim/net/tariff.h"
#include "sim/num/wide.h"

double wsk_room_start_k(const wsk_net *net)
{
    double k =
        isnan(net->room_params->temp_k) ? net->outdoor_ops->mean_k(net->outdoor_params) : net->room_params->temp_k;
    /* A conditioned room is kept at its setpoint before the run as well. */
    return net->ac && isnan(net->room_params->temp_k) ? wsk_min(k, net->ac->setpoint_k) : k;
}

static void take_site(wsk_build *b)
{
    wsk_net *net = b->net;
    const wsk_elem *rig = b->plan->rig, *site = wsk_only(rig, "site"), *room = wsk_only(site, "room"),
                   *tariff = wsk_only(site, "tariff");
    const wsk_elem *workload = wsk_only(rig, "workload");
    net->site = wsk_params_of(site);
    net->room_params = wsk_params_of(room);
    const wsk_elem *outdoor = wsk_only(room, "outdoor"), *ac = wsk_only(room, "air-conditioner");
    net->outdoor_params = outdoor->params;
    net->outdoor_ops = outdoor->kind->ops;
    net->ac = wsk_params_of(ac);
    net->ac_ops = ac ? ac->kind->ops : NULL;
    net->tariff = wsk_params_of(tariff);
    net->carbon = wsk_params_of(wsk_only(site, "carbon"));
    net->runspec = wsk_params_of(wsk_only(rig, "run"));
    if (b->bills_as)
        net->billing = b->bills_as->billing;
    else
        b->full = !wsk_billing_make(&net->billing, net->arena, b->plan, site, net->runspec) || b->full;
    net->currency = net->billing ? net->billing->currency : NULL;
    net->workload = wsk_params_of(workload);
    net->workload_ops = workload ? workload->kind->ops : NULL;
    net->cls = net->workload ? (wsk_class)net->workload->cls : WSK_CLASS_IDLE;
    double volt = net->site->supply_v, rule = net->site->continuous;
    if (isnan(rule)) /* NEC 210.20(A) applies to North American supplies */
        rule = volt == 120 || volt == 208 || volt == 240 || volt == 277 ? 0.8 : 1;
    double amp = isnan(net->site->circuit_a) ? INFINITY : net->site->circuit_a * rule;
    amp = isnan(net->site->outlet_a) ? amp : wsk_min(amp, net->site->outlet_a);
    net->circuit_w = isfinite(amp) ? amp * volt : 0;
    int kind = volt == 100                                                ? WSK_BREAKER_JAPAN
               : volt == 120 || volt == 208 || volt == 240 || volt == 277 ? WSK_BREAKER_UL
                                                                          : WSK_BREAKER_C;
    net->breaker = wsk_breaker_of(net->site->breaker < 0 ? kind : net->site->breaker);
    static const char *const feeds[2] = {"pdu", "ups"};
    for (int i = 0; i < 2; i++) {
        const wsk_elem *feed = wsk_only(site, feeds[i]);
        net->feeds[i] = wsk_params_of(feed);
        net->feed_ops[i] = feed ? feed->kind->ops : NULL;
    }
    double room_k = wsk_room_start_k(net), pressure_rel = pow(1 - 2.25577e-5 * net->site->altitude_m, 5.25588);
    net->dew_k = wsk_dew_point_k(room_k, net->room_params->humidity);
    /* Barometric formula of the standard atmosphere (ICAO); temperature effects left to the fixed 25 degC, moisture makes
     * air lighter by up to 2 %. */
    net->rho_rel = pressure_rel * wsk_humid_density_rel(room_k, net->room_params->humidity, pressure_rel);
    net->rho_cp = WSK_RHO0 * net->rho_rel * WSK_CP;
}

static void take_load(wsk_build *b, const wsk_elem *parent, int in)
{
    wsk_net *net = b->net;
    for (const wsk_elem *e = NULL; (e = wsk_elem_child(parent, "load", e)) != NULL;) {
        if (net->n_load >= WSK_ROOM_FOR) {
            b->full = true;
            return;
        }
        net->load_in[net->n_load] = in;
        net->loads[net->n_load++] = e->params;
    }
}

/* A load of the rig itself hangs on the first chassis. */
static void take_loads(wsk_build *b)
{
    wsk_net *net = b->net;
    net->loads = wsk_alloc(net->arena, WSK_ROOM_FOR * sizeof *net->loads);
    net->load_in = wsk_alloc(net->arena, WSK_ROOM_FOR * sizeof *net->load_in);
    if (!net->loads || !net->load_in) {
        b->full = true;
        return;
    }
    take_load(b, b->plan->rig, 0);
    for (int i = 0; i < net->n_case; i++)
        take_load(b, net->cases[i].elem, i);
}

/* Ports of a block stand together: order them by block. */
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

/* Every heat source must reach the media: within its block, or by a port of its own. */
static void check_paths(wsk_build *b)
{
    const wsk_net *net = b->net;
    for (int k = 0; k < net->n_block; k++) {
        const wsk_block *block = &net->blocks[k];
        bool reached[WSK_BLOCK_MAX] = {false};
        for (int p = block->first_port; p < block->first_port + block->n_ports; p++)
            if (net->ports[p].g > 0 || net->ports[p].natural > 0)
                reached[net->ports[p].solid - block->first] = true;
        for (int round = 0; round < block->count; round++)
            for (int i = 0; i < block->count; i++)
                for (int j = 0; j < block->count; j++)
                    reached[i] = reached[i] || (reached[j] && block->inner[i][j] > 0);
        for (int i = 0; i < block->count; i++)
            if (!reached[i])
                wsk_elem_diag(&b->plan->diags, WSK_DIAG_ERROR, net->nodes[block->first + i].elem, NULL,
                              WSK_SAID(WSK_SAY_NO_HEAT_PATH, net->nodes[block->first + i].name));
    }
}

static void link_pair(unsigned char *p, int n, int i, int j)
{
    p[i * n + j] = p[j * n + i] = 1;
}

const wsk_lu *wsk_net_full_lu(const wsk_net *net, wsk_arena *arena)
{
    int n = net->n_node;
    unsigned char *full = wsk_alloc(arena, (size_t)n * (size_t)n);
    if (!full)
        return NULL;
    for (int i = 0; i < net->n_branch; i++)
        link_pair(full, n, net->flow_node[net->branches[i].from], net->flow_node[net->branches[i].to]);
    for (int i = 0; i < net->n_exchange; i++)
        link_pair(full, n, net->exchanges[i].a, net->exchanges[i].b);
    for (int i = 0; i < net->n_cond; i++)
        link_pair(full, n, net->conds[i].a, net->conds[i].b);
    for (int k = 0; k < net->n_block; k++)
        for (int i = 0; i < net->blocks[k].count; i++)
            for (int j = 0; j < net->blocks[k].count; j++)
                full[(net->blocks[k].first + i) * n + net->blocks[k].first + j] = 1;
    for (int p = 0; p < net->n_port; p++) { /* either way round */
        const wsk_port *a = &net->ports[p];
        link_pair(full, n, a->solid, a->sense);
        link_pair(full, n, a->solid, a->deposit);
        link_pair(full, n, a->deposit, a->sense);
    }
    return wsk_lu_analyse(arena, n, full);
}

wsk_places wsk_net_places(const wsk_net *net, const wsk_lu *lu, int shift, bool inverted, wsk_arena *arena)
{
    const int n = lu->n, pairs = net->n_branch + net->n_exchange + net->n_cond;
    int *at = wsk_alloc(arena, ((size_t)n * (size_t)n + 1) * sizeof *at),
        (*pair)[4] = wsk_alloc(arena, ((size_t)pairs + 1) * sizeof *pair);
    int *own = wsk_alloc(arena, ((size_t)n + 1) * sizeof *own), given = 0;
    if (!at || !pair || !own)
        return (wsk_places){0};
    const int rows = wsk_inverse_rows(n), size = inverted ? n * rows : lu->nnz;
    for (int i = 0; i < n * n; i++)
        at[i] = net->nodes[i / n + shift].boundary ? size : inverted ? i % n * rows + i / n : lu->place[i];
    for (int i = 0; i < n; i++)
        if (net->nodes[i + shift].boundary)
            own[given++] = inverted ? i * rows + i : lu->place[i * n + i];
    for (int i = 0; i < pairs; i++) {
        const int x = i - net->n_branch, c = x - net->n_exchange;
        int a = x < 0 ? net->flow_node[net->branches[i].from] : c < 0 ? net->exchanges[x].a : net->conds[c].a;
        int b = x < 0 ? net->flow_node[net->branches[i].to] : c < 0 ? net->exchanges[x].b : net->conds[c].b;
        a -= shift;
        b -= shift;
        const int of[4] = {at[a * n + a], at[b * n + a], at[b * n + b], at[a * n + b]};
        memcpy(pair[i], of, sizeof of);
    }
    return (wsk_places){n, shift, size, at, own, (const int(*)[4])pair};
}

static wsk_answer answer(const wsk_net *net, int node)
{
    const wsk_node *n = &net->nodes[node];
    return n->boundary ? WSK_GIVEN : n->cap_j_k > 0 ? WSK_SLOW : WSK_QUICK;
}

static bool slow(const wsk_net *net, int node)
{
    return node >= net->n_solid && answer(net, node) == WSK_SLOW;
}

/* The lists that a step goes through. */
static bool sort_media(wsk_net *net)
{
    size_t n = (size_t)(net->n_node - net->n_solid) + 1, ports = (size_t)net->n_port + 1;
    bool ok = (net->port_solid = wsk_alloc(net->arena, ports * sizeof(int))) &&
              (net->port_slot = wsk_alloc(net->arena, ports * sizeof(int))) &&
              (net->port_row = wsk_alloc(net->arena, ports * sizeof(int))) &&
              (net->slow_port = wsk_alloc(net->arena, ports * sizeof(int)));
    for (int kind = 0; kind < WSK_MEDIA && ok; kind++)
        ok = (net->media[kind] = wsk_alloc(net->arena, n * sizeof(int))) != NULL;
    if (!ok)
        return false;
    for (int node = net->n_solid; node < net->n_node; node++) {
        wsk_answer kind = answer(net, node);
        net->media[kind][net->n_media[kind]++] = node;
    }
    for (int k = 0; k < net->n_block; k++) {
        const wsk_block *b = &net->blocks[k];
        for (int p = b->first_port; p < b->first_port + b->n_ports; p++) {
            net->port_row[p] = net->ports[p].solid - b->first;
            net->port_slot[p] = b->slot + net->port_row[p];
        }
    }
    for (int p = 0; p < net->n_port; p++) {
        net->port_solid[p] = net->ports[p].solid;
        if (slow(net, net->ports[p].sense) || slow(net, net->ports[p].deposit)) /* which gives, streams decide */
            net->slow_port[net->n_slow_port++] = p;
    }
    return true;
}

/* Its room in tables, and how its solids conduct among themselves. */
static void place_block(wsk_net *net, wsk_block *b)
{
    const int n = b->count, rows = wsk_rows(n);
    b->table = net->n_table;
    b->slot = net->n_slot;
    net->n_table += wsk_table_size(n, b->n_ports);
    net->n_slot += rows;
    wsk_alike *last = net->n_alike > 0 ? &net->alike[net->n_alike - 1] : NULL;
    if (last && last->count == n && last->ports == b->n_ports)
        last->blocks++;
    else
        net->alike[net->n_alike++] = (wsk_alike){1, n, b->n_ports};
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (i != j) {
                b->base[j * rows + i] = b->inner[i][j];
                b->base[i * rows + i] -= b->inner[i][j];
            }
}

static bool analyse(wsk_net *net)
{
    int n = net->n_node, m = n - net->n_solid, s0 = net->n_solid, u = net->n_flow - 1;
    size_t nn = (size_t)n * (size_t)n;
    unsigned char *mean = wsk_alloc(net->arena, nn), *flow = wsk_alloc(net->arena, nn);
    net->alike = wsk_alloc(net->arena, ((size_t)net->n_block + 1) * sizeof *net->alike);
    if (!mean || !flow || !net->alike)
        return false;
    for (int i = 0; i < net->n_branch; i++) {
        const wsk_branch *b = &net->branches[i];
        link_pair(mean, m, net->flow_node[b->from] - s0, net->flow_node[b->to] - s0);
        if (b->from && b->to)
            link_pair(flow, u, b->from - 1, b->to - 1);
    }
    for (int i = 0; i < net->n_exchange; i++)
        link_pair(mean, m, net->exchanges[i].a - s0, net->exchanges[i].b - s0);
    for (int i = 0; i < net->n_cond; i++)
        link_pair(mean, m, net->conds[i].a - s0, net->conds[i].b - s0);
    for (int k = 0; k < net->n_block; k++) {
        wsk_block *b = &net->blocks[k];
        place_block(net, b);
        for (int p = b->first_port; p < b->first_port + b->n_ports; p++) {
            const wsk_port *a = &net->ports[p];
            for (int q = b->first_port; q < b->first_port + b->n_ports; q++) {
                const wsk_port *c = &net->ports[q];
                const int mine[2] = {a->deposit - s0, a->sense - s0}, other[2] = {c->deposit - s0, c->sense - s0};
                for (int i = 0; i < 4; i++)
                    mean[mine[i & 1] * m + other[i >> 1]] = 1;
            }
        }
    }
    net->flow_lu = wsk_lu_analyse(net->arena, u, flow);
    net->mean_lu = wsk_lu_analyse(net->arena, m, mean);
    if (net->mean_lu)
        net->mean_at = wsk_net_places(net, net->mean_lu, s0, m <= WSK_INVERSE_MAX, net->arena);
    return net->flow_lu && net->mean_at.at && sort_media(net) && wsk_point_prepare(net);
}

static void check_zone(wsk_build *b)
{
    /* Zones of many people, for hints: the system has hundreds. */
    static const char *const usual[] = {"UTC",
                                        "Europe/London",
                                        "Europe/Berlin",
                                        "Europe/Paris",
                                        "Europe/Madrid",
                                        "Europe/Rome",
                                        "Europe/Warsaw",
                                        "Europe/Amsterdam",
                                        "Europe/Stockholm",
                                        "Europe/Zurich",
                                        "Europe/Vienna",
                                        "Europe/Kyiv",
                                        "Europe/Istanbul",
                                        "America/New_York",
                                        "America/Chicago",
                                        "America/Denver",
                                        "America/Los_Angeles",
                                        "America/Toronto",
                                        "America/Vancouver",
                                        "America/Mexico_City",
                                        "America/Sao_Paulo",
                                        "America/Phoenix",
                                        "Asia/Tokyo",
                                        "Asia/Seoul",
                                        "Asia/Shanghai",
                                        "Asia/Hong_Kong",
                                        "Asia/Taipei",
                                        "Asia/Singapore",
                                        "Asia/Kolkata",
                                        "Asia/Dubai",
                                        "Asia/Jakarta",
                                        "Asia/Jerusalem",
                                        "Australia/Sydney",
                                        "Australia/Perth",
                                        "Pacific/Auckland",
                                        "Africa/Johannesburg",
                                        "Africa/Lagos",
                                        "Africa/Cairo",
                                        NULL};
    const wsk_runspec_params *r = b->net->runspec;
    if (!r->zone || wsk_zone_known(r->zone))
        return;
    const char *near = wsk_nearest(r->zone, usual);
    for (size_t i = 0; !near && usual[i]; i++) { /* "Berlin" */
        const char *city = strrchr(usual[i], '/');
        near = city && wsk_distance(city + 1, r->zone) == 0 ? usual[i] : NULL;
    }
    wsk_elem_diag(&b->plan->diags, WSK_DIAG_ERROR, r->head.elem, "zone",
                  WSK_SAID(WSK_SAY_ZONE_UNKNOWN, r->zone, near ? WSK_SAID(WSK_SAY_MEANT, near) : NULL));
}

/* Its cooling is set once a second: a band that the room crosses faster makes it bang on and off. */
static void check_conditioner(wsk_build *b)
{
    const wsk_net *net = b->net;
    if (net->ac && !net->nodes[net->room].boundary &&
        net->ac_ops->capacity_w(net->ac, 0) > net->ac->band_k * net->nodes[net->room].cap_j_k)
        wsk_elem_diag(&b->plan->diags, WSK_DIAG_WARNING, net->ac->head.elem, "capacity", WSK_SAID(WSK_SAY_AC_CYCLES));
}

static void check_weather(wsk_build *b)
{
    const wsk_net *net = b->net;
    if (net->outdoor_params->file.civil && isnan(net->runspec->from_s))
        wsk_elem_diag(&b->plan->diags, WSK_DIAG_WARNING, net->outdoor_params->head.elem, "file",
                      WSK_SAID(WSK_SAY_WEATHER_DATES));
}

/* Data files with dates that are not those of the run: one of less than a year begins again, which is seldom meant. */
static void check_dates(wsk_build *b, const wsk_elem *e)
{
    const double whole_year_s = 363 * 86400.0, from_s = b->net->runspec->from_s,
                 to_s = from_s + b->net->runspec->for_s;
    for (const wsk_param *p = e->kind->params; p && p->name; p++) {
        const wsk_series *s = (const wsk_series *)(const void *)((const char *)e->params + p->offset);
        char begins[24], ends[24];
        if (p->type != WSK_TYPE_SERIES || !s->count || !s->civil || s->period_s > whole_year_s || isnan(from_s) ||
            (from_s >= s->t[0] - 1 && to_s <= s->t[0] + s->period_s + 1))
            continue;
        wsk_format_datetime(begins, (int64_t)s->t[0]);
        wsk_format_datetime(ends, (int64_t)s->t[s->count - 1]);
        wsk_elem_diag(&b->plan->diags, WSK_DIAG_WARNING, e, p->name, WSK_SAID(WSK_SAY_FILE_DATES, begins, ends));
    }
    for (const wsk_elem *c = e->child; c; c = c->next)
        check_dates(b, c);
}

/* Each name in `gpus` is a card's. */
static void check_workers(wsk_build *b)
{
    static const char between[] = " ,\t\n";
    const wsk_net *net = b->net;
    const char *list = net->workload ? net->workload->gpus : NULL;
    if (!list || strcmp(list, "all") == 0 || !net->n_card)
        return;
    for (const char *s = list + strspn(list, between); *s; s += strspn(s, between)) {
        int len = (int)strcspn(s, between), i = 0;
        while (i < net->n_card && (strncmp(net->cards[i].id, s, (size_t)len) != 0 || net->cards[i].id[len]))
            i++;
        if (i == net->n_card)
            wsk_elem_diag(
                &b->plan->diags, WSK_DIAG_ERROR, net->workload->head.elem, "gpus",
                WSK_SAID(WSK_SAY_WORKLOAD_CARD, wsk_printf(b->plan->arena, "%.*s", len, s), net->cards[0].id));
        s += len;
    }
}

static void check_workload(wsk_build *b)
{
    const wsk_net *net = b->net;
    check_workers(b);
    for (int i = 0; i < net->n_case && !b->plan->diags.errors; i++) /* the supply may be what could not be read */
        if (!net->cases[i].n_supply && (wsk_only(net->cases[i].elem, "gpu") || net->cases[i].cpu))
            wsk_elem_diag(&b->plan->diags, WSK_DIAG_WARNING, net->cases[i].elem, NULL, WSK_SAID(WSK_SAY_NO_PSU));
}

/* A controller must find what it reads. A chassis's fan that follows "the coolant" takes the first loop of its case. */
static void check_sensors(wsk_build *b)
{
    wsk_net *net = b->net;
    for (int i = 0; i < net->n_mover; i++) {
        wsk_mover *m = &net->movers[i];
        bool found = true;
        if (!m->control)
            continue;
        for (int k = 0; k < net->n_circuit && m->coolant < 0; k++)
            if (net->circuits[k].in == m->in)
                m->coolant = net->circuits[k].tank;
        if (m->control->sensor == WSK_SENSE_GPU)
            found = wsk_only(net->cases[m->in].elem, "gpu") != NULL;
        else if (m->control->sensor == WSK_SENSE_CPU)
            found = net->cases[m->in].cpu != NULL;
        else if (m->control->sensor == WSK_SENSE_COOLANT)
            found = m->coolant >= 0;
        if (!found)
            wsk_diag_add(&b->plan->diags, WSK_DIAG_ERROR, b->plan->path, net->cases[m->in].elem->line,
                         net->cases[m->in].elem->column,
                         WSK_SAID(WSK_SAY_NO_SENSOR, m->name, WSK_WORD(wsk_sense_names[m->control->sensor])));
    }
}

static bool allocate(wsk_net *net)
{
#define TABLE(f) ((net->f = wsk_alloc(net->arena, WSK_ROOM_FIRST * sizeof *net->f)) != NULL)
    return TABLE(nodes) && TABLE(blocks) && TABLE(ports) && TABLE(branches) && TABLE(exchanges) && TABLE(conds) &&
           TABLE(movers) && TABLE(flow_node);
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
    net->digest = plan->digest;
    if (!allocate(net))
        goto no_memory;
    take_site(&build);
    wsk_build_case_table(&build);
    if (!build.full)
        wsk_build_supply_table(&build);
    if (!build.full)
        wsk_build_card_table(&build);
    if (!build.full)
        wsk_build_supply_loads(&build);
    if (!build.full)
        wsk_check_loops(&build);
    check_workload(&build);
    check_zone(&build);
    check_weather(&build);
    check_dates(&build, plan->rig);
    if (plan->diags.errors || build.full)
        goto bad;
    wsk_build_card_solids(&build);
    wsk_build_loop_solids(&build);
    wsk_build_case_solids(&build);
    take_loads(&build);
    net->n_solid = net->n_node;
    if (plan->diags.errors || build.full)
        goto bad;
    wsk_build_media(&build);
    wsk_build_case_air(&build);
    wsk_build_card_air(&build);
    wsk_build_loops(&build);
    if (build.full)
        goto bad;
    sort_ports(net);
    check_paths(&build);
    check_conditioner(&build);
    check_sensors(&build);
    if (plan->diags.errors)
        goto bad;
    net->assumed = wsk_count_assumed(plan->rig, (int)net->cls);
    if (!analyse(net))
        goto no_memory;
    *out = net;
    return WSK_OK;
bad:
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
