/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds the cases to the network: the air of a case, its fans and openings, its processor's cooler, and dust. Theory:
 * docs/theory/air.md, docs/theory/room.md */
#include <math.h>

#include "sim/net/compile.h"

/* If the rig names no mainboard, no memory or no drive, the part draws its share of the processor's parameter
 * `board`, assumed: docs/theory/constants.md, "parts of a host" */
static void sum_host(wsk_case *c)
{
    static const struct {
        const char *element;
        double share;
    } parts[] = {{"board", 0.5}, {"memory", 0.3}, {"storage", 0.2}};
    double unnamed = 1;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        unnamed -= wsk_elem_child(c->elem, parts[i].element, NULL) ? parts[i].share : 0;
        for (const wsk_elem *e = NULL; (e = wsk_elem_child(c->elem, parts[i].element, e)) != NULL;) {
            const wsk_host_params *p = e->params;
            double rest_w = isnan(p->idle_w) ? p->power_w : p->idle_w;
            c->host_rest_w += wsk_elem_count(e) * rest_w;
            c->host_span_w += wsk_elem_count(e) * (p->power_w - rest_w);
        }
    }
    c->host_unnamed = wsk_max(unnamed, 0);
    c->host_rest_w += c->cpu ? c->host_unnamed * c->cpu->board_w : 0;
}

void wsk_build_case_table(wsk_build *b)
{
    wsk_net *net = b->net;
    size_t n = 0;
    for (const wsk_elem *e = NULL; (e = wsk_elem_child(b->plan->rig, "chassis", e)) != NULL;)
        n++;
    net->cases = wsk_alloc(net->arena, (n + 1) * sizeof *net->cases);
    if (!net->cases) {
        b->full = true;
        return;
    }
    for (const wsk_elem *e = NULL; (e = wsk_elem_child(b->plan->rig, "chassis", e)) != NULL;) {
        const wsk_chassis_ops *ops = e->kind->ops;
        wsk_case *c = &net->cases[net->n_case++];
        *c = (wsk_case){.elem = e,
                        .params = e->params,
                        .open = ops->open,
                        .cpu = wsk_params_of(wsk_only(e, "cpu")),
                        .cpu_solid = WSK_NO,
                        .door = wsk_params_of(wsk_only(e, "rear-door")),
                        .door_core = WSK_NO,
                        .panel = WSK_NO,
                        .dust = WSK_NO};
        sum_host(c);
    }
}

/* Cards whose power is stated count as working. */
static bool has_idle_cards(const wsk_net *net, int in)
{
    int cards = 0, working = 0;
    for (int i = 0; i < net->n_card; i++) {
        cards += net->cards[i].in == in;
        working += net->cards[i].in == in && (net->cards[i].works || !isnan(net->cards[i].gpu->pin_power_w));
    }
    return cards > 0 && working == 0;
}

/* Warns of a return of exhaust air where nothing blows air through the case: it returns what fans move. The fans of
 * open-air cards only stir the air in the case. */
static void check_return(wsk_build *b, int in)
{
    const wsk_case *c = &b->net->cases[in];
    bool blown = wsk_elem_child(c->elem, "fan", NULL) || wsk_elem_child(c->elem, "loop", NULL);
    for (int i = 0; i < b->net->n_card; i++)
        blown = blown || (b->net->cards[i].in == in && !wsk_exhausts_around(&b->net->cards[i]));
    if (c->params->exhaust_return > 0 && !c->open && !blown)
        wsk_elem_diag(&b->plan->diags, WSK_DIAG_WARNING, c->elem, "exhaust-return",
                      WSK_SAID(WSK_SAY_RETURN_UNBLOWN, c->elem->id));
}

void wsk_build_case_solids(wsk_build *b)
{
    wsk_net *net = b->net;
    for (int i = 0; i < net->n_case; i++) {
        wsk_case *c = &net->cases[i];
        c->idles = has_idle_cards(net, i);
        check_return(b, i);
        if (c->cpu) {
            const wsk_elem *e = c->cpu->head.elem;
            c->cpu_solid = wsk_build_node(b, wsk_printf(net->arena, "%s.cooler", e->id), e,
                                          c->cpu->count * c->cpu->cap_j_k, 473.15);
            wsk_build_block(b, c->cpu_solid, 1);
        }
        wsk_build_supply_solids(b, i);
        wsk_build_door_solid(b, i);
    }
}

/* Adds what lies behind the outlets: a rear door, and a return path from exhaust to intake. A share s of the intake air
 * is exhaust: T_intake = T_room + s (T_exhaust - T_room). The pressure loss of the return path and those of the
 * openings to the room are in such a ratio that the return path supplies the share s of the intake air. If the case
 * loses air through seams, the share is smaller. */
static void build_outside(wsk_build *b, int i)
{
    wsk_net *net = b->net;
    wsk_case *c = &net->cases[i];
    const double s = c->params->exhaust_return;
    const bool returns = s > 0;
    /* Area of the openings to the room, assumed so large that they cause almost no pressure loss:
     * docs/theory/constants.md, "open space" */
    const double face_m2 = 0.5, face_k2 = wsk_loss_k2(1, face_m2);
    if (!returns && !c->door)
        return;
    int before = returns ? wsk_build_node(b, wsk_build_name(b, i, "intake"), c->elem, 0, 573.15) : WSK_NO, out;
    if (c->door)
        out = wsk_build_door(b, i);
    else
        out = c->flow_out =
            wsk_build_flow_node(b, wsk_build_node(b, wsk_build_name(b, i, "exhaust"), c->elem, 0, 573.15));
    if (returns) {
        c->flow_in = wsk_build_flow_node(b, before);
        c->face_in =
            wsk_build_branch(b, (wsk_branch){.to = c->flow_in, .mover = WSK_NO, .column = WSK_NO, .k2 = face_k2});
    }
    c->face_out = wsk_build_branch(b, (wsk_branch){.from = out, .mover = WSK_NO, .column = WSK_NO, .k2 = face_k2});
    if (returns) {
        double past = (1 - s) / s;
        wsk_build_branch(
            b,
            (wsk_branch){
                .from = out, .to = c->flow_in, .mover = WSK_NO, .column = WSK_NO, .k2 = 2 * past * past * face_k2});
        /* keeps a small heat exchange with the room when all fans stand still */
        wsk_build_exchange(b, before, net->room, WSK_NO, 0, 0.002 * face_m2, 0.3);
    }
    wsk_build_exchange(b, net->flow_node[out], net->room, WSK_NO, 0, 0.002 * face_m2, 0.3);
}

static void build_case_media(wsk_build *b, int i)
{
    wsk_net *net = b->net;
    wsk_case *c = &net->cases[i];
    const wsk_chassis_params *p = c->params;
    c->flow_air = c->flow_in = c->flow_out = 0;
    c->air = net->room;
    if (c->open)
        return;
    c->air = wsk_build_node(b, wsk_build_name(b, i, "case"), c->elem, 0, 573.15);
    c->flow_air = wsk_build_flow_node(b, c->air);
    double area = wsk_max(p->panel_area_m2 - (p->side ? p->side_area_m2 : 0), 0.01), g = p->panel_cond_w_m2k * area;
    /* Panels with a time constant of at most 2 s (cap / 2g) get no heat capacity and follow the air at once. */
    double cap = p->panel_cap_j_k > 4 * g ? p->panel_cap_j_k : 0;
    c->panel = wsk_build_node(b, wsk_build_name(b, i, "panels"), c->elem, cap, 573.15);
    wsk_build_cond(b, c->air, c->panel, g);
    wsk_build_cond(b, c->panel, net->room, g);
    build_outside(b, i);
}

void wsk_build_media(wsk_build *b)
{
    wsk_net *net = b->net;
    const wsk_room_params *room = net->room_params;
    const double air_j_m3k = WSK_RHO0 * WSK_CP;
    double cap = isnan(room->cap_j_k) ? 6 * air_j_m3k * room->volume_m3 : room->cap_j_k;
    net->room = wsk_build_node(b, "room", room->head.elem, cap, 373.15);
    net->nodes[net->room].boundary = !isnan(room->temp_k);
    wsk_build_flow_node(b, net->room);
    net->outdoor = wsk_build_node(b, "outdoor", net->outdoor_params->head.elem, 0, 373.15);
    net->nodes[net->outdoor].boundary = true;
    wsk_build_cond(b, net->room, net->outdoor, room->cond_w_k);
    for (int i = 0; i < net->n_case; i++)
        build_case_media(b, i);
}

static bool blows_in(int at)
{
    return at == WSK_AT_FRONT || at == WSK_AT_BOTTOM || at == WSK_AT_SIDE || at == WSK_AT_WALL;
}

static double fan_rpm(const wsk_fan_params *f)
{
    return !isnan(f->speed_rpm) ? f->speed_rpm : isnan(f->speed_share) ? f->rpm : f->speed_share * f->rpm;
}

void wsk_check_fan_speed(wsk_build *b, const wsk_elem *e, const char *attribute, double rpm, double highest_rpm)
{
    if (rpm > WSK_FAN_VARIES * highest_rpm)
        wsk_elem_diag(&b->plan->diags, WSK_DIAG_WARNING, e, attribute,
                      WSK_SAID(WSK_SAY_FAN_ABOVE, e->id, rpm, highest_rpm));
}

int wsk_build_fan(wsk_build *b, int in, const wsk_fan_params *f, wsk_branch branch, int coolant)
{
    wsk_net *net = b->net;
    wsk_fan_law law = wsk_fan_curve(f->pressure_pa, f->flow_m3s, f->curvature, f->count);
    branch.a = law.a;
    branch.b = law.b;
    branch.d = law.d;
    const char *id = f->head.elem->id;
    wsk_check_fan_speed(b, f->head.elem, isnan(f->speed_rpm) ? "duty" : "speed", fan_rpm(f), f->rpm);
    int mover = wsk_build_mover(
        b, (wsk_mover){.name = f->fails > 0 ? wsk_printf(net->arena, "%s.failing", id) : id,
                       .ref_rpm = f->rpm,
                       .rpm0 = fan_rpm(f),
                       .power_w = f->power_w * f->count * net->rho_rel,
                       .power_exponent = f->power_exponent,
                       .in = in,
                       .heat_node = net->cases[in].air,
                       .count = f->count,
                       .noise_p = wsk_noise_p(b, &f->noise, f->count, f->diameter_m, f->rpm, 0),
                       .by_tips = isnan(f->noise.dba),
                       .control =
                           f->control.sensor > 0 ? &((const wsk_fan_params *)f->head.elem->params)->control : NULL,
                       .coolant = coolant,
                       .fails_ns = wsk_fails_ns(f->control.fails_s)});
    branch.mover = mover;
    int index = wsk_build_branch(b, branch);
    net->movers[mover].branch = index;
    return index;
}

double wsk_fan_loss_k2(const wsk_fan_params *f, double loss)
{
    double face = f->count * 0.7853981633974483 * f->diameter_m * f->diameter_m * (1 - f->blocked);
    return wsk_loss_k2(isnan(f->loss) ? loss : f->loss, face);
}

int wsk_fan_groups(const wsk_fan_params *f, wsk_fan_params group[2])
{
    bool some = f->fails < f->count && !isnan(f->control.fails_s);
    group[0] = group[1] = *f;
    group[0].fails = 0;
    if (!some)
        return 1;
    group[0].count = f->count - f->fails;
    group[0].control.fails_s = NAN;
    group[1].count = f->fails;
    return f->fails > 0 ? 2 : 1;
}

/* Notes the strongest jet of a front fan in the case. A jet reaches the end of a card with 0.4 of the speed that the
 * fan's free flow has at its face: docs/theory/constants.md, "jet of a front fan" */
static void note_jet(wsk_case *c, const wsk_fan_params *f, int mover)
{
    double speed_m_s = 0.4 * f->flow_m3s / (0.7853981633974483 * f->diameter_m * f->diameter_m),
           pressure_pa = 0.5 * WSK_RHO0 * speed_m_s * speed_m_s;
    if (pressure_pa <= c->jet_pa)
        return;
    c->jet_pa = pressure_pa;
    c->jet_mover = mover;
}

static void build_case_fan(wsk_build *b, int in, const wsk_fan_params *f)
{
    const wsk_case *c = &b->net->cases[in];
    bool inward = blows_in(f->at);
    wsk_branch branch = {.from = inward ? c->flow_in : c->flow_air,
                         .to = inward ? c->flow_air : c->flow_out,
                         .column = inward ? WSK_NO : c->flow_air,
                         .rise_m = inward ? 0 : 0.5 * c->params->natural_height_m};
    branch.in = in;
    if (inward)
        branch.k2_foul = wsk_fan_loss_k2(f, c->params->intake_loss);
    else
        branch.k2 = wsk_fan_loss_k2(f, c->params->exhaust_loss);
    const int fan = wsk_build_fan(b, in, f, branch, WSK_NO); /* may move the table of branches */
    const int mover = b->net->branches[fan].mover;
    if (f->at == WSK_AT_FRONT && !c->open)
        note_jet(&b->net->cases[in], f, mover);
}

static void build_vent(wsk_build *b, const wsk_case *c, const wsk_vent_params *v)
{
    bool high = v->at == WSK_AT_TOP || v->at == WSK_AT_REAR, in = blows_in(v->at);
    wsk_build_branch(b, (wsk_branch){.from = in ? c->flow_in : c->flow_air,
                                     .to = in ? c->flow_air : c->flow_out,
                                     .mover = WSK_NO,
                                     .k2 = wsk_loss_k2(v->loss, v->area_m2),
                                     .column = high ? c->flow_air : WSK_NO,
                                     .rise_m = 0.5 * c->params->natural_height_m});
}

static void build_openings(wsk_build *b, int i)
{
    wsk_net *net = b->net;
    const wsk_case *c = &net->cases[i];
    const wsk_chassis_params *ch = c->params;
    double area = 0;
    for (const wsk_elem *e = NULL; (e = wsk_elem_child(c->elem, "fan", e)) != NULL;) {
        wsk_fan_params group[2];
        for (int n = wsk_fan_groups(e->params, group), g = 0; g < n; g++)
            build_case_fan(b, i, &group[g]);
    }
    if (c->open)
        return;
    for (const wsk_elem *e = NULL; (e = wsk_elem_child(c->elem, "vent", e)) != NULL;) {
        area += ((const wsk_vent_params *)e->params)->area_m2;
        build_vent(b, c, e->params);
    }
    /* No case is airtight. Its seams are assumed to be 20 cm2 per m2 of panel: docs/theory/constants.md, "seams" */
    double seams = 20e-4 * (ch->panel_area_m2 > 0.1 ? ch->panel_area_m2 : 0.1);
    wsk_build_branch(
        b,
        (wsk_branch){.from = c->flow_air, .to = 0, .mover = WSK_NO, .column = WSK_NO, .k2 = wsk_loss_k2(2.5, seams)});
    /* Warm air and room air change places through the openings even without net flow, over an assumed 0.05 of their
     * area: docs/theory/constants.md, "exchange through openings" */
    wsk_build_exchange(b, c->air, net->room, WSK_NO, 0, 0.05 * (area + seams), ch->natural_height_m);
    /* A removed side panel leaves one large vertical opening, which exchanges w = rho cp (Cd/3) A sqrt(g H dT/T), Cd
     * 0.6 (Brown and Solvason 1962). Its loss coefficient is 2.7 = 1/0.61^2. */
    if (ch->side) {
        wsk_build_branch(b, (wsk_branch){.from = c->flow_air,
                                         .to = 0,
                                         .mover = WSK_NO,
                                         .column = WSK_NO,
                                         .k2 = wsk_loss_k2(2.7, ch->side_area_m2)});
        wsk_build_exchange(b, c->air, net->room, WSK_NO, 0, 0.2 * ch->side_area_m2, sqrt(ch->side_area_m2));
    }
}

static void build_cpu_air(wsk_build *b, int i)
{
    wsk_net *net = b->net;
    const wsk_case *c = &net->cases[i];
    if (!c->cpu || c->cpu->loop)
        return;
    double w = net->rho_cp * c->cpu->flow_ref_m3s, g = c->cpu->count * w * -expm1(-c->cpu->ua_w_k / w);
    wsk_build_port(b, (wsk_port){.solid = c->cpu_solid,
                                 .sense = c->air,
                                 .deposit = c->air,
                                 .law = WSK_PORT_FIXED,
                                 .branch = WSK_NO,
                                 .g = g});
}

/* The dust of a case is a row in the table of movers, whose "speed" is the share of filters and fins that dust
 * blocks: when this share changes, the flow is solved again, as after a change of a fan's speed. */
static void build_dust(wsk_build *b)
{
    wsk_net *net = b->net;
    for (int i = 0; i < net->n_case; i++)
        if (net->cases[i].params->dust > 0 || net->cases[i].params->dust_start > 0)
            net->cases[i].dust = wsk_build_mover(b, (wsk_mover){.name = wsk_build_name(b, i, "dust"),
                                                                .ref_rpm = 1,
                                                                .rpm0 = net->cases[i].params->dust_start,
                                                                .in = i,
                                                                .heat_node = net->room,
                                                                .branch = WSK_NO,
                                                                .coolant = WSK_NO,
                                                                .fails_ns = -1});
}

void wsk_build_case_air(wsk_build *b)
{
    build_dust(b);
    for (int i = 0; i < b->net->n_case && !b->full; i++) {
        build_openings(b, i);
        build_cpu_air(b, i);
        wsk_build_supply_air(b, i);
    }
}

static void build_reversal(wsk_build *b, int opening, int face, int from, int to)
{
    /* The branch `past` is almost closed to flow: it only carries the heat of the reversed air of the opening. */
    const double closed = 1e12;
    int past =
        wsk_build_branch(b, (wsk_branch){.from = from, .to = to, .mover = WSK_NO, .column = WSK_NO, .k1 = closed});
    wsk_build_reversal(b, (wsk_reversal){.opening = opening, .past = past, .face = face});
}

/* True if the branch leads through the fins of a radiator, card or PSU. If air flows backwards through fins at an
 * intake, they give their heat to the zone outside of the intake. */
static bool has_fins(const wsk_net *net, int branch)
{
    for (int i = 0; i < net->n_port; i++)
        if (net->ports[i].branch == branch)
            return true;
    return false;
}

void wsk_build_reversals(wsk_build *b)
{
    const wsk_net *net = b->net;
    const int openings = net->n_branch;
    for (int i = 0; i < net->n_case; i++) {
        const wsk_case *c = &net->cases[i];
        for (int k = 0; k < openings && c->flow_in != 0 && !b->full; k++) {
            const int from = net->branches[k].from, to = net->branches[k].to;
            if (to == c->flow_out && from != c->flow_in && !c->door)
                build_reversal(b, k, c->face_out, 0, from);
            else if (from == c->flow_in && !has_fins(net, k))
                build_reversal(b, k, c->face_in, to, 0);
        }
    }
}
