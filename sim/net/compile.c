/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plan to network: rooms, case, fans, vents, processor and supply; the cards are in cards.c. */
#include "sim/net/compile.h"

#include <math.h>
#include <string.h>

#include "sim/net/provenance.h"

int wsk_build_node(wsk_build *b, const char *name, const wsk_elem *elem, double cap_j_k, double absurd_k)
{
    if (b->net->n_node >= WSK_ROOM_FOR || !name) {
        b->full = true;
        return 0;
    }
    b->net->nodes[b->net->n_node] = (wsk_node){.name = name, .elem = elem, .cap_j_k = cap_j_k, .absurd_k = absurd_k};
    return b->net->n_node++;
}

int wsk_build_flow_node(wsk_build *b, int node)
{
    if (b->net->n_flow >= WSK_ROOM_FOR) {
        b->full = true;
        return 0;
    }
    b->net->flow_node[b->net->n_flow] = node;
    return b->net->n_flow++;
}

int wsk_build_block(wsk_build *b, int first, int count)
{
    if (b->net->n_block >= WSK_ROOM_FOR) {
        b->full = true;
        return 0;
    }
    b->net->blocks[b->net->n_block] = (wsk_block){.first = first, .count = count};
    return b->net->n_block++;
}

void wsk_build_inner(wsk_build *b, int block, int i, int j, double g)
{
    b->net->blocks[block].inner[i][j] += g;
    b->net->blocks[block].inner[j][i] += g;
}

int wsk_build_port(wsk_build *b, wsk_port port)
{
    if (b->net->n_port >= WSK_ROOM_FOR) {
        b->full = true;
        return 0;
    }
    b->net->ports[b->net->n_port] = port;
    return b->net->n_port++;
}

void wsk_build_fins(wsk_build *b, wsk_port port)
{
    port.law = WSK_PORT_FINS;
    wsk_build_port(b, port);
    port.law = WSK_PORT_FINS_NATURAL;
    port.sense = port.deposit;
    wsk_build_port(b, port);
}

int wsk_build_branch(wsk_build *b, wsk_branch branch)
{
    if (b->net->n_branch >= WSK_ROOM_FOR) {
        b->full = true;
        return 0;
    }
    if (branch.heat_w_k_per_m3s == 0) {
        branch.heat_w_k_per_m3s = b->net->rho_cp;
        branch.rho_rel = b->net->rho_rel;
    }
    b->net->branches[b->net->n_branch] = branch;
    return b->net->n_branch++;
}

int wsk_build_mover(wsk_build *b, const char *name, double ref_rpm, double rpm, double power_w, double exponent)
{
    if (b->net->n_mover >= WSK_ROOM_FOR || !name) {
        b->full = true;
        return 0;
    }
    b->net->movers[b->net->n_mover] =
        (wsk_mover){.name = name, .ref_rpm = ref_rpm, .rpm0 = rpm, .power_w = power_w, .power_exponent = exponent};
    return b->net->n_mover++;
}

void wsk_build_exchange(wsk_build *b, int a, int c, int branch, double ratio, double area_m2, double height_m)
{
    if (b->net->n_exchange >= WSK_ROOM_FOR) {
        b->full = true;
        return;
    }
    b->net->exchanges[b->net->n_exchange++] = (wsk_exchange){a, c, branch, ratio, area_m2, height_m};
}

void wsk_build_cond(wsk_build *b, int a, int c, double g)
{
    if (b->net->n_cond >= WSK_ROOM_FOR) {
        b->full = true;
        return;
    }
    if (g > 0)
        b->net->conds[b->net->n_cond++] = (wsk_conductance){a, c, g};
}

double wsk_loss_k2(double loss, double area_m2)
{
    return loss * WSK_RHO0 / 2 / (area_m2 * area_m2);
}

wsk_fan_law wsk_fan_curve(double pressure_pa, double flow_m3s, double curvature, double n)
{
    double q = flow_m3s * n;
    return (wsk_fan_law){
        .a = pressure_pa, .b = -curvature * pressure_pa / q, .d = (1 - curvature) * pressure_pa / (q * q)};
}

static const wsk_elem *only(const wsk_elem *parent, const char *name)
{
    return parent ? wsk_elem_child(parent, name, NULL) : NULL;
}

#define PARAMS(e) ((e) ? (e)->params : NULL)

static void take_site(wsk_build *b)
{
    wsk_net *net = b->net;
    const wsk_elem *rig = b->plan->rig, *site = only(rig, "site"), *room = only(site, "room"),
                   *tariff = only(site, "tariff");
    const wsk_elem *workload = only(rig, "workload");
    net->site = PARAMS(site);
    net->room_params = PARAMS(room);
    net->outdoor_params = PARAMS(only(room, "outdoor"));
    net->ac = PARAMS(only(room, "air-conditioner"));
    net->tariff = PARAMS(tariff);
    net->currency = tariff ? wsk_elem_origin(tariff, "price")->currency : NULL;
    net->carbon = PARAMS(only(site, "carbon"));
    net->runspec = PARAMS(only(rig, "run"));
    b->chassis = only(rig, "chassis");
    net->chassis = PARAMS(b->chassis);
    net->workload = PARAMS(workload);
    net->workload_ops = workload ? workload->kind->ops : NULL;
    net->cls = net->workload ? (wsk_class)net->workload->cls : WSK_CLASS_IDLE;
    double volt = net->site->supply_v, rule = net->site->continuous;
    if (isnan(rule)) /* NEC 210.20(A) applies to North American supplies */
        rule = volt == 120 || volt == 208 || volt == 240 || volt == 277 ? 0.8 : 1;
    net->circuit_w = isnan(net->site->circuit_a) ? 0 : net->site->circuit_a * volt * rule;
    /* Barometric formula of the standard atmosphere (ICAO), temperature effects left to the fixed 25 degC. */
    net->rho_rel = pow(1 - 2.25577e-5 * net->site->altitude_m, 5.25588);
    net->rho_cp = WSK_RHO0 * net->rho_rel * WSK_CP;
}

static void build_supply(wsk_build *b)
{
    wsk_net *net = b->net;
    const wsk_elem *psu = only(b->chassis, "psu");
    if (!psu)
        return;
    net->has_supply = true;
    net->supply = (wsk_supply){.elem = psu, .params = psu->params, .ops = psu->kind->ops};
    net->supply.ops->prepare(net->supply.params, net->site->supply_v, &net->supply.law);
    net->supply.solid =
        wsk_build_node(b, wsk_printf(net->arena, "%s.parts", psu->id), psu, net->supply.params->cap_j_k, 473.15);
    wsk_build_block(b, net->supply.solid, 1);
}

static void build_cpu(wsk_build *b)
{
    wsk_net *net = b->net;
    const wsk_elem *cpu = only(b->chassis, "cpu");
    net->cpu = PARAMS(cpu);
    net->cpu_solid = WSK_NO;
    if (!cpu)
        return;
    net->cpu_solid = wsk_build_node(b, wsk_printf(net->arena, "%s.cooler", cpu->id), cpu, net->cpu->cap_j_k, 473.15);
    wsk_build_block(b, net->cpu_solid, 1);
}

/* Room, outdoors, case air and panels: the media that every rig has. */
static void build_media(wsk_build *b)
{
    wsk_net *net = b->net;
    const wsk_room_params *room = net->room_params;
    const wsk_chassis_params *ch = net->chassis;
    const double air_j_m3k = WSK_RHO0 * WSK_CP;
    double cap = isnan(room->cap_j_k) ? 6 * air_j_m3k * room->volume_m3 : room->cap_j_k;
    net->room = wsk_build_node(b, "room", room->head.elem, cap, 373.15);
    net->nodes[net->room].boundary = !isnan(room->temp_k);
    wsk_build_flow_node(b, net->room);
    net->outdoor = wsk_build_node(b, "outdoor", net->outdoor_params->head.elem, 0, 373.15);
    net->nodes[net->outdoor].boundary = true;
    wsk_build_cond(b, net->room, net->outdoor, room->cond_w_k);
    net->case_air = wsk_build_node(b, "case", b->chassis, 0, 573.15);
    b->flow_case = wsk_build_flow_node(b, net->case_air);
    net->panel = wsk_build_node(b, "panels", b->chassis, ch->panel_cap_j_k > 0 ? ch->panel_cap_j_k : 1, 573.15);
    double g = ch->panel_cond_w_m2k * ch->panel_area_m2;
    wsk_build_cond(b, net->case_air, net->panel, g);
    wsk_build_cond(b, net->panel, net->room, g);
}

static void build_fan(wsk_build *b, const wsk_elem *e)
{
    const wsk_fan_params *f = e->params;
    const wsk_chassis_params *ch = b->net->chassis;
    bool in = f->at == WSK_AT_FRONT || f->at == WSK_AT_BOTTOM || f->at == WSK_AT_SIDE;
    double rpm = !isnan(f->speed_rpm) ? f->speed_rpm : isnan(f->speed_share) ? f->rpm : f->speed_share * f->rpm;
    double face = f->count * 0.7853981633974483 * f->diameter_m * f->diameter_m;
    wsk_fan_law law = wsk_fan_curve(f->pressure_pa, f->flow_m3s, f->curvature, f->count);
    int mover = wsk_build_mover(b, e->id, f->rpm, rpm, f->power_w * f->count, f->power_exponent);
    wsk_build_branch(b, (wsk_branch){.from = in ? 0 : b->flow_case,
                                     .to = in ? b->flow_case : 0,
                                     .mover = mover,
                                     .a = law.a,
                                     .b = law.b,
                                     .d = law.d,
                                     .k2 = wsk_loss_k2(in ? ch->intake_loss : ch->exhaust_loss, face),
                                     .column = in ? WSK_NO : b->flow_case,
                                     .rise_m = in ? 0 : 0.5 * ch->natural_height_m});
}

static void build_case_openings(wsk_build *b)
{
    wsk_net *net = b->net;
    const wsk_chassis_params *ch = net->chassis;
    double area = 0;
    for (const wsk_elem *e = NULL; (e = wsk_elem_child(b->chassis, "fan", e)) != NULL;)
        build_fan(b, e);
    for (const wsk_elem *e = NULL; (e = wsk_elem_child(b->chassis, "vent", e)) != NULL;) {
        const wsk_vent_params *v = e->params;
        area += v->area_m2;
        wsk_build_branch(b,
                         (wsk_branch){.from = b->flow_case,
                                      .to = 0,
                                      .mover = WSK_NO,
                                      .k2 = wsk_loss_k2(v->loss, v->area_m2),
                                      .column = v->at == WSK_AT_TOP || v->at == WSK_AT_REAR ? b->flow_case : WSK_NO,
                                      .rise_m = 0.5 * ch->natural_height_m});
    }
    /* Seams: about 20 cm2 per m2 of panel; no case is tight. */
    double seams = 20e-4 * (ch->panel_area_m2 > 0.1 ? ch->panel_area_m2 : 0.1);
    wsk_build_branch(
        b, (wsk_branch){
               .from = b->flow_case, .to = 0, .mover = WSK_NO, .column = WSK_NO, .k2 = wsk_loss_k2(2.5, seams)});
    wsk_build_exchange(b, net->case_air, net->room, WSK_NO, 0, 0.05 * (area + seams), ch->natural_height_m);
}

static void build_board_air(wsk_build *b)
{
    wsk_net *net = b->net;
    if (net->cpu) {
        double w = net->rho_cp * net->cpu->flow_ref_m3s, g = w * -expm1(-net->cpu->ua_w_k / w);
        wsk_build_port(b, (wsk_port){.solid = net->cpu_solid,
                                     .sense = net->case_air,
                                     .deposit = net->case_air,
                                     .law = WSK_PORT_FIXED,
                                     .branch = WSK_NO,
                                     .g = g});
    }
    if (!net->has_supply)
        return;
    const wsk_psu_params *p = net->supply.params;
    bool outside = net->chassis->psu_intake == 1;
    int node =
        wsk_build_node(b, wsk_printf(net->arena, "%s.exhaust", net->supply.elem->id), net->supply.elem, 0, 573.15);
    int flow = wsk_build_flow_node(b, node);
    /* Its own fan at a fixed speed: free flow 1.6 times the stated one, which is reached against its loss. */
    wsk_fan_law law = wsk_fan_curve(40, 1.6 * p->fan_flow_m3s, 0.3, 1);
    double drop = law.a + law.b * p->fan_flow_m3s - law.d * p->fan_flow_m3s * p->fan_flow_m3s;
    int mover = wsk_build_mover(b, wsk_printf(net->arena, "%s.fan", net->supply.elem->id), 1000, 1000, 0, 0);
    int branch = wsk_build_branch(b, (wsk_branch){.from = outside ? 0 : b->flow_case,
                                                  .to = flow,
                                                  .mover = mover,
                                                  .column = WSK_NO,
                                                  .a = law.a,
                                                  .b = law.b,
                                                  .d = law.d,
                                                  .k2 = 0.8 * drop / (p->fan_flow_m3s * p->fan_flow_m3s)});
    wsk_build_branch(b, (wsk_branch){.from = flow,
                                     .to = 0,
                                     .mover = WSK_NO,
                                     .column = WSK_NO,
                                     .k2 = 0.2 * drop / (p->fan_flow_m3s * p->fan_flow_m3s)});
    wsk_build_exchange(b, node, net->room, WSK_NO, 0, 5e-4, 0.1);
    wsk_build_fins(b, (wsk_port){.solid = net->supply.solid,
                                 .sense = outside ? net->room : net->case_air,
                                 .deposit = node,
                                 .branch = branch,
                                 .g = p->cond_w_k,
                                 .flow_ref = p->fan_flow_m3s,
                                 .exponent = 0.6,
                                 .natural = 0.15 * p->cond_w_k});
}

static void take_loads(wsk_build *b)
{
    wsk_net *net = b->net;
    const wsk_elem *parents[2] = {b->plan->rig, b->chassis};
    net->loads = wsk_alloc(net->arena, WSK_ROOM_FOR * sizeof *net->loads);
    if (!net->loads) {
        b->full = true;
        return;
    }
    for (int i = 0; i < 2; i++)
        for (const wsk_elem *e = NULL;
             (e = wsk_elem_child(parents[i], "load", e)) != NULL && net->n_load < WSK_ROOM_FOR;)
            net->loads[net->n_load++] = e->params;
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
                              "the heat of %s has no way to the air; expected a conductance above zero", net->nodes[block->first + i].name);
    }
}

static void link_pair(unsigned char *p, int n, int i, int j)
{
    p[i * n + j] = p[j * n + i] = 1;
}

static bool analyse(wsk_net *net)
{
    int n = net->n_node, m = n - net->n_solid, s0 = net->n_solid, u = net->n_flow - 1;
    size_t nn = (size_t)n * (size_t)n;
    unsigned char *full = wsk_alloc(net->arena, nn), *mean = wsk_alloc(net->arena, nn),
                  *flow = wsk_alloc(net->arena, nn);
    if (!full || !mean || !flow)
        return false;
#define BOTH(i, j) (link_pair(full, n, i, j), link_pair(mean, m, (i)-s0, (j)-s0))
    for (int i = 0; i < net->n_branch; i++) {
        const wsk_branch *b = &net->branches[i];
        BOTH(net->flow_node[b->from], net->flow_node[b->to]);
        if (b->from && b->to)
            link_pair(flow, u, b->from - 1, b->to - 1);
    }
    for (int i = 0; i < net->n_exchange; i++)
        BOTH(net->exchanges[i].a, net->exchanges[i].b);
    for (int i = 0; i < net->n_cond; i++)
        BOTH(net->conds[i].a, net->conds[i].b);
#undef BOTH
    for (int k = 0; k < net->n_block; k++) {
        const wsk_block *b = &net->blocks[k];
        for (int i = 0; i < b->count; i++)
            for (int j = 0; j < b->count; j++)
                full[(b->first + i) * n + b->first + j] = 1;
        for (int p = b->first_port; p < b->first_port + b->n_ports; p++) {
            const wsk_port *a = &net->ports[p];
            full[a->solid * n + a->sense] = full[a->deposit * n + a->solid] = 1;
            full[a->solid * n + a->deposit] = full[a->sense * n + a->solid] = 1; /* either way round */
            link_pair(full, n, a->deposit, a->sense);
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
    net->full_lu = wsk_lu_analyse(net->arena, n, full);
    return net->flow_lu && net->mean_lu && net->full_lu;
}

static void check_zone(wsk_build *b)
{
    const wsk_runspec_params *r = b->net->runspec;
    if (r->zone && !wsk_zone_known(r->zone))
        wsk_elem_diag(&b->plan->diags, WSK_DIAG_ERROR, r->head.elem, "zone",
                      "\"%s\" is no time zone of this system; expected an IANA name such as America/Los_Angeles",
                      r->zone);
}

/* Its cooling is set once a second: a band that the room crosses faster makes it bang on and off. */
static void check_conditioner(wsk_build *b)
{
    const wsk_net *net = b->net;
    if (net->ac && !net->nodes[net->room].boundary && net->ac->capacity_w > net->ac->band_k * net->nodes[net->room].cap_j_k)
        wsk_elem_diag(&b->plan->diags, WSK_DIAG_WARNING, net->ac->head.elem, "capacity",
                      "the air conditioner cools this room through its band in less than a second and will bang on and off; "
                      "expected a larger room, a wider band or a smaller unit");
}

static void check_workload(wsk_build *b)
{
    const wsk_net *net = b->net;
    int n = 0;
    for (int i = 0; i < net->n_card; i++)
        n += net->cards[i].works;
    if (net->workload && net->n_card && net->cls != WSK_CLASS_IDLE && n == 0)
        wsk_elem_diag(&b->plan->diags, WSK_DIAG_ERROR, net->workload->head.elem, "gpus",
                      "'%s' names no card of this rig; expected all, or ids such as %s", net->workload->gpus,
                      net->cards[0].id);
    if (!only(b->chassis, "psu") && (net->n_card || only(b->chassis, "cpu")))
        wsk_elem_diag(&b->plan->diags, WSK_DIAG_WARNING, b->chassis, NULL,
                      "the rig has no power supply: the meter reads what the parts draw, without conversion loss; "
                      "add <psu part=\"...\"/>");
}

static bool allocate(wsk_net *net)
{
#define TABLE(f) ((net->f = wsk_alloc(net->arena, WSK_ROOM_FOR * sizeof *net->f)) != NULL)
    return TABLE(nodes) && TABLE(blocks) && TABLE(ports) && TABLE(branches) && TABLE(exchanges) && TABLE(conds) &&
           TABLE(movers) && TABLE(flow_node);
#undef TABLE
}

wsk_status wsk_net_compile(wsk_net **out, wsk_plan *plan)
{
    wsk_arena *arena = wsk_arena_new();
    wsk_net *net = arena ? wsk_alloc(arena, sizeof *net) : NULL;
    wsk_build build = {.net = net, .plan = plan};
    *out = NULL;
    if (!net)
        goto no_memory;
    net->arena = arena;
    net->plan = plan;
    net->digest = plan->digest;
    if (!allocate(net))
        goto no_memory;
    take_site(&build);
    wsk_build_card_table(&build);
    check_workload(&build);
    check_zone(&build);
    if (plan->diags.errors || build.full)
        goto bad;
    wsk_build_card_solids(&build);
    build_cpu(&build);
    take_loads(&build);
    build_supply(&build);
    net->n_solid = net->n_node;
    build_media(&build);
    build_case_openings(&build);
    wsk_build_card_air(&build);
    build_board_air(&build);
    if (build.full)
        goto bad;
    sort_ports(net);
    check_paths(&build);
    check_conditioner(&build);
    if (plan->diags.errors)
        goto bad;
    net->assumed = wsk_count_assumed(plan->rig, (int)net->cls);
    if (!analyse(net))
        goto no_memory;
    *out = net;
    return WSK_OK;
bad:
    if (build.full && !plan->diags.errors)
        wsk_diag_add(&plan->diags, WSK_DIAG_ERROR, plan->path, 0, 0,
                     "the rig is too large; expected fewer than %d nodes", WSK_ROOM_FOR);
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
