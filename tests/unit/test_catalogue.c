/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "sim/net/chassis.h"
#include "sim/net/compile.h"
#include "sim/net/cooler.h"
#include "sim/net/fan.h"
#include "sim/net/loop.h"
#include "tests/unit/catalogue.h"

static bool known_kind(const char *source)
{
    static const char *const kinds[] = {"datasheet", "database", "log", "article", "measured", "fitted", "assumed"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i], source) == 0)
            return true;
    return false;
}

static void sourced(const char *id, const wsk_elem *e)
{
    for (const wsk_param *p = e->kind->params; p && p->name; p++) {
        const wsk_origin *o = &e->origins[p - e->kind->params];
        if (o->from != WSK_FROM_PART || strcmp(p->name, "name") == 0)
            continue;
        if (!o->source || !o->ref || strlen(o->ref) < 8)
            fail_msg("%s: %s says not where it comes from", id, p->name);
        else if (!known_kind(o->source))
            fail_msg("%s: %s has a source of the unknown kind %s", id, p->name, o->source);
    }
    for (const wsk_elem *c = e->child; c; c = c->next)
        sourced(id, c);
}

static void test_each_loads_and_says_its_sources(void **state)
{
    (void)state;
    list *l = parts_of(NULL);
    for (int i = 0; i < l->count; i++) {
        char text[2048];
        if (!scene(l->ids[i], text, sizeof text))
            continue;
        wsk_rig *rig = NULL;
        wsk_rig_options o = {.path = "-", .text = text, .text_len = strlen(text), .parts_dir = "parts"};
        wsk_status status = wsk_rig_load(&rig, &o);
        for (size_t k = 0; status != WSK_OK && rig && k < wsk_rig_messages(rig); k++) {
            int severity, line, column;
            const char *file, *message;
            wsk_rig_message(rig, k, &severity, &file, &line, &column, &message);
            print_error("%s: %s\n", l->ids[i], message);
        }
        assert_int_equal(status, WSK_OK);
        wsk_rig_free(rig);
        wsk_plan *plan = plan_of(l->ids[i]);
        const wsk_elem *e = with_part(plan->rig, l->ids[i]);
        assert_non_null(e);
        sourced(l->ids[i], e);
        wsk_plan_free(plan);
    }
    free(l);
}

static double head(wsk_fan_law law, double nu, double q)
{
    return law.a * nu * nu + law.b * nu * q - law.d * q * q;
}

/* Returns the largest hydraulic power (pressure times flow), W. */
static double falling(const char *id, double pressure, double flow, double curvature)
{
    wsk_fan_law law = wsk_fan_curve(pressure, flow, curvature, 1);
    double last = head(law, 1, 0), most = 0;
    within(id, "shut-off pressure by its law", last / pressure, 0.999999, 1.000001);
    for (int i = 1; i <= 100; i++) {
        double q = flow * i / 100, p = head(law, 1, q);
        if (!(p < last))
            fail_msg("%s: pressure does not fall at %d %% of the free flow", id, i);
        most = fmax(most, p * q);
        last = p;
    }
    within(id, "pressure left at free flow", last / pressure, -1e-9, 1e-9);
    return most;
}

static void check_fan(const char *id, const void *params)
{
    const wsk_fan_params *f = params;
    double tip = 3.14159265358979 * f->diameter_m * f->rpm / 60;
    within(id, "best efficiency", falling(id, f->pressure_pa, f->flow_m3s, f->curvature) / f->power_w, 0.02, 0.6);
    within(id, "tip speed, m/s", tip, 4, 80);
    /* Flow coefficient, flow / (tip speed * face area), and pressure coefficient, pressure / (air density * tip
     * speed^2), in the range of axial fans. */
    within(id, "flow over tip speed and face", f->flow_m3s / (tip * 0.785 * f->diameter_m * f->diameter_m), 0.08,
           0.45);
    within(id, "pressure over that of the tip", f->pressure_pa / (1.2 * tip * tip), 0.05, 0.6);
    if (isnan(f->noise.dba))
        fail_msg("%s states no noise", id);
    double at_1m = f->noise.dba + 20 * log10(f->noise.distance_m);
    within(id, "noise over that of its tips, dB", at_1m - (19.8 + 55 * log10(tip / 8.17)), -15, 15);
}

static void check_pump(const char *id, const void *params)
{
    const wsk_pump_params *p = params;
    within(id, "best efficiency", falling(id, p->pressure_pa, p->flow_m3s, p->curvature) / p->power_w, 0.03, 0.5);
    within(id, "noise, dBA", p->noise.dba, 15, 75);
}

static void test_fans_and_pumps(void **state)
{
    (void)state;
    assert_true(each("fan", NULL, check_fan) >= 26);
    assert_true(each("pump", NULL, check_pump) >= 4);
}

typedef struct {
    double pressure, flow, rpm;
} radiator_fan;

/* Air flow through the radiator core with n of these fans, m3/s: where fan pressure equals the core's pressure drop
 * plus the exit loss. */
static double through(const wsk_radiator_params *r, radiator_fan fan, double n, double rpm)
{
    wsk_fan_law law = wsk_fan_curve(fan.pressure, fan.flow, 0.3, n);
    double low = 0, high = n * fan.flow;
    for (int i = 0; i < 60; i++) {
        double q = 0.5 * (low + high), x = q / r->flow_m3s, out = 0.6 * (q / r->face_m2) * (q / r->face_m2);
        if (head(law, rpm / fan.rpm, q) > 0.5 * r->drop_pa * (x + x * x) + out)
            low = q;
        else
            high = q;
    }
    return low;
}

/* Conductance of the radiator in W/K, from entering coolant to entering air, at an air flow of q m3/s and the rated
 * coolant flow: air side and coolant side in series. */
static double passes(const wsk_radiator_params *r, double q)
{
    double air = 1207 * q, water = 4.15e6 * r->coolant_flow_m3s;
    double g_air = air * -expm1(-r->ua_w_k * pow(q / r->flow_m3s, r->ua_exponent) / air);
    double g_water = water * -expm1(-r->coolant_w_k / water);
    return 1 / (1 / g_air + 1 / g_water);
}

static void check_radiator(const char *id, const void *params)
{
    const wsk_radiator_params *r = params;
    bool wide = fabs(r->face_m2 / 0.0196 - round(r->face_m2 / 0.0196)) < 0.01;
    double n = round(r->face_m2 / (wide ? 0.0196 : 0.0144)), last = 0;
    /* pressure in Pa, flow in m3/s and rpm of the catalogue's generic 140 mm and 120 mm radiator fans */
    radiator_fan fan = wide ? (radiator_fan){25, 0.03776, 1700} : (radiator_fan){28, 0.03068, 2000};
    static const double rpm[] = {500, 750, 1000, 1300, 1600, 1850};
    for (size_t i = 0; i < sizeof rpm / sizeof *rpm; i++) {
        double g = passes(r, through(r, fan, n, rpm[i]));
        if (!(g > last))
            fail_msg("%s passes no more at %g rpm", id, rpm[i]);
        last = g;
    }
    within(id, "W/K for each 120 mm square at 1,850 rpm", last / (r->face_m2 / 0.0144), 7, 20);
    within(id, "face velocity of its data, m/s", r->flow_m3s / r->face_m2, 0.7, 3.5);
}

static void check_measured(const char *id, const void *params)
{
    const wsk_radiator_params *r = params;
    if (strcmp(id, "radiator/ek-coolstream-xe-240") == 0)
        within(id, "W/K where 35 were measured", passes(r, r->flow_m3s), 34.5, 35.5);
    if (strcmp(id, "radiator/thermochill-he-120-2") == 0)
        within(id, "W/K where 40 were measured", passes(r, r->flow_m3s), 39.4, 40.6);
}

static void test_radiators(void **state)
{
    (void)state;
    assert_true(each("radiator", NULL, check_radiator) >= 6);
    each("radiator", NULL, check_measured);
}

static void check_block(const char *id, const void *params)
{
    const wsk_cooler_params *k = params;
    within(id, "K/W of block over coolant", 1 / k->block_w_k, 0.008, 0.06);
    within(id, "drop, kPa", k->block_drop_pa / 1e3, 2, 40);
    within(id, "flow, l/min", k->block_flow_m3s * 6e4, 0.5, 6);
}

static void check_aio(const char *id, const void *params)
{
    const wsk_cooler_params *k = params;
    check_block(id, params);
    falling(id, k->pressure_pa, k->flow_m3s, k->curvature);
    within(id, "coolant, l", k->volume_m3 * 1e3, 0.05, 1);
    within(id, "face velocity of its data, m/s", k->flow_ref_m3s / (k->fans * 0.785 * k->diameter_m * k->diameter_m),
           0.7, 3.5);
}

static void test_blocks(void **state)
{
    (void)state;
    assert_true(each("cooler", "water", check_block) >= 6);
    assert_true(each("cooler", "aio", check_aio) >= 3);
}

static bool same_curve(const wsk_curve *a, const wsk_curve *b)
{
    bool same = a->count == b->count;
    for (int i = 0; i < a->count && same; i++)
        same = a->x[i] == b->x[i] && a->y[i] == b->y[i];
    return same;
}

/* The fans of a wall stand side by side under one controller: a slower one would let air flow back. They fit into the
 * case and leave no place at its front, and the openings behind them fit into the rear of a rack's 0.45 m. */
static void check_wall(const char *id, const wsk_chassis_params *c)
{
    const wsk_fan_params *first = NULL;
    double fans = 0, vents_m2 = 0;
    for (const wsk_elem *e = NULL; (e = wsk_elem_child(c->head.elem, "fan", e)) != NULL;) {
        const wsk_fan_params *f = e->params;
        if (f->at != WSK_AT_WALL)
            continue;
        first = first ? first : f;
        fans += f->count;
        if (f->control.sensor != first->control.sensor || !same_curve(&f->control.curve, &first->control.curve) ||
            !same_curve(&f->control.load_curve, &first->control.load_curve))
            fail_msg("%s: fans of its wall differ in sensor, curve or load-curve", id);
        within(id, "fan of its wall, m", f->diameter_m, 0.03, c->natural_height_m);
    }
    for (const wsk_elem *e = NULL; first && (e = wsk_elem_child(c->head.elem, "vent", e)) != NULL;)
        vents_m2 += ((const wsk_vent_params *)e->params)->at == WSK_AT_REAR
                        ? ((const wsk_vent_params *)e->params)->area_m2
                        : 0;
    if (!first)
        return;
    within(id, "rear openings, m2", vents_m2, 0, 0.45 * c->natural_height_m);
    within(id, "front-places, which its wall takes", c->places[WSK_AT_FRONT], fans, fans);
}

static void check_chassis(const char *id, const void *params)
{
    const wsk_chassis_params *c = params;
    const wsk_elem *e = c->head.elem;
    within(id, "slots", c->slots, 1, 24);
    /* The card of a machine of a few litres is soldered to its board. */
    within(id, "longest card, mm", c->card_length_max_m * 1e3, c->volume_m3 < 5e-3 ? 140 : 250, 600);
    if (((const wsk_chassis_ops *)e->kind->ops)->open)
        return;
    assert_non_null(wsk_elem_child(e, "vent", NULL));
    check_wall(id, c);
    within(id, "J/K per m2 of panel", c->panel_cap_j_k / c->panel_area_m2, 1500, 35000);
}

static void test_chassis(void **state)
{
    (void)state;
    int frames = each("chassis", "frame", NULL), cases = each("chassis", "tower", check_chassis);
    assert_true(frames >= 2);
    assert_true(frames + cases >= 12);
    each("chassis", "frame", check_chassis);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_loads_and_says_its_sources),
        cmocka_unit_test(test_fans_and_pumps),
        cmocka_unit_test(test_radiators),
        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_chassis),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
