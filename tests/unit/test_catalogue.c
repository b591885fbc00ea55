/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every part of the catalogue in a small rig: it loads, each of its values has a source, and its values obey
 * physics. */
#include <stdlib.h>
#include <string.h>

#include "sim/io/plan.h"
#include "sim/net/compile.h"
#include "sim/net/chassis.h"
#include "sim/net/cooler.h"
#include "sim/net/cpu.h"
#include "sim/net/gpu.h"
#include "sim/net/loop.h"
#include "tests/unit/assert.h"
#include "wattsink.h"

enum { PARTS_MAX = 1024 };
typedef struct {
    char ids[PARTS_MAX][128];
    int count;
} list;

static void take(void *ctx, const char *id, const char *title)
{
    list *l = ctx;
    assert_true(l->count < PARTS_MAX);
    if (!title || !*title)
        fail_msg("%s has no title", id);
    snprintf(l->ids[l->count++], sizeof l->ids[0], "%s", id);
}

static list *parts_of(const char *family)
{
    list *l = calloc(1, sizeof *l);
    assert_non_null(l);
    assert_int_equal(wsk_parts_list("parts", family, take, l), WSK_OK);
    return l;
}

/* ---- a rig around one part ---- */
/* A coolant loop that suits every cooler of the catalogue: immersion coolers need a dielectric such as PAO. */
#define LOOP \
    "<loop coolant='pao'><pump part='pump/d5'/><radiator part='radiator/generic-360'><fan " \
    "part='fan/generic-120-1500' " \
    "count='3'/></radiator></loop>"
#define WET "<gpu part='gpu/generic' tdp='250 W' slots='2' slot='1'><cooler kind='water'/></gpu>"
static const struct {
    const char *family, *before, *after; /* the rig's XML before and after the tested part */
} scenes[] = {
    {"fan", "<rig><chassis>", "</chassis></rig>"},
    {"psu", "<rig><site supply='230 V'/><chassis>", "</chassis></rig>"},
    {"cpu", "<rig><chassis>", "</chassis></rig>"},
    {"ups", "<rig><site>", "</site><chassis/></rig>"},
    {"pdu", "<rig><site>", "</site><chassis/></rig>"},
    {"loop", "<rig><chassis>" WET, "</chassis></rig>"},
    {"radiator", "<rig><chassis>" WET "<loop><pump part='pump/d5'/>", "</loop></chassis></rig>"},
    {"pump", "<rig><chassis>" WET "<loop><radiator part='radiator/generic-360'/>", "</loop></chassis></rig>"},
    {"cooler", "<rig><chassis>" LOOP "<gpu part='gpu/generic' tdp='250 W' slots='2' slot='1'>",
     "</gpu></chassis></rig>"},
};

static bool scene(const char *id, char *text, size_t size)
{
    size_t n = strcspn(id, "/");
    /* gpu/generic gets its power and slots here; the chassis has room for the largest card */
    if (strncmp(id, "gpu/", 4) == 0) {
        snprintf(text, size,
                 "<rig><chassis slots='8' pitch='100 mm' card-length='2 m'>" LOOP
                 "<gpu part='%s' slot='1'%s/></chassis></rig>",
                 id, strcmp(id, "gpu/generic") == 0 ? " tdp='250 W' slots='2'" : "");
        return true;
    }
    if (strncmp(id, "chassis/", 8) == 0) { /* with a card: fans may follow its temperature */
        snprintf(text, size,
                 "<rig><chassis part='%s'><gpu part='gpu/generic' tdp='250 W' slots='1' slot='1' length='250 mm'>"
                 "<cooler kind='open-air'/></gpu></chassis></rig>",
                 id);
        return true;
    }
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++)
        if (strlen(scenes[i].family) == n && strncmp(scenes[i].family, id, n) == 0) {
            snprintf(text, size, "%s<%.*s part='%s'/>%s", scenes[i].before, (int)n, id, id, scenes[i].after);
            return true;
        }
    return false;
}

static wsk_plan *plan_of(const char *id)
{
    char text[2048];
    assert_true(scene(id, text, sizeof text));
    wsk_plan_input in = {.path = "-", .text = text, .text_len = strlen(text), .parts_dir = "parts"};
    wsk_plan *plan = NULL;
    wsk_status status = wsk_plan_load(&plan, &in);
    assert_non_null(plan);
    if (status != WSK_OK)
        fail_msg("%s: %s", id, plan->diags.count ? plan->diags.items[0].message : "does not load");
    return plan;
}

static const wsk_elem *with_part(const wsk_elem *e, const char *id)
{
    if (e->part && strcmp(e->part, id) == 0)
        return e;
    for (const wsk_elem *c = e->child; c; c = c->next) {
        const wsk_elem *found = with_part(c, id);
        if (found)
            return found;
    }
    return NULL;
}

/* Calls check() (NULL: nothing) for every part of the family whose kind is `kind` (NULL: any). Returns their
 * number. */
static int each(const char *family, const char *kind, void (*check)(const char *id, const void *params))
{
    list *l = parts_of(family);
    int n = 0;
    for (int i = 0; i < l->count; i++) {
        wsk_plan *plan = plan_of(l->ids[i]);
        const wsk_elem *e = with_part(plan->rig, l->ids[i]);
        if (!e)
            fail_msg("%s is not in its rig", l->ids[i]);
        else if (!kind || strcmp(e->kind->name, kind) == 0) {
            n++;
            if (check)
                check(l->ids[i], e->params);
        }
        wsk_plan_free(plan);
    }
    free(l);
    return n;
}

static void within(const char *id, const char *what, double value, double low, double high)
{
    if (!(value >= low && value <= high))
        fail_msg("%s: %s is %g; expected %g to %g", id, what, value, low, high);
}

/* ---- every part ---- */
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

/* ---- fans and pumps ---- */
static double head(wsk_fan_law law, double nu, double q)
{
    return law.a * nu * nu + law.b * nu * q - law.d * q * q;
}

/* Checks that pressure falls with flow, from the shut-off pressure to 0 at the free flow. Returns the largest
 * hydraulic power (pressure times flow), W. */
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
    /* Flow and pressure coefficients of axial fans (dimensionless), from the speed of the blade tips. */
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

/* ---- radiators ---- */
typedef struct {
    double pressure, flow, rpm;
} radiator_fan;

/* Air flow in m3/s through the radiator core with n of these fans at this speed: the flow at which fan pressure
 * equals the core's pressure drop plus the exit loss (bisection). */
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

/* Conductance of the radiator in W/K, between entering coolant and entering air, at an air flow of q m3/s and the
 * reference flow of water: air side and water side in series. */
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

/* ---- water blocks and all-in-one coolers ---- */
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

/* ---- chassis ---- */
static void check_chassis(const char *id, const void *params)
{
    const wsk_chassis_params *c = params;
    const wsk_elem *e = c->head.elem;
    within(id, "slots", c->slots, 1, 24);
    within(id, "longest card, mm", c->card_length_max_m * 1e3, 250, 600);
    if (((const wsk_chassis_ops *)e->kind->ops)->open)
        return;
    assert_non_null(wsk_elem_child(e, "vent", NULL)); /* air that a fan blows in must have a way out */
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

/* ---- cards: each states the values that a buyer looks for, with their sources ---- */
static const wsk_origin *origin(const char *id, const wsk_elem *e, const char *name)
{
    for (const wsk_param *p = e->kind->params; p && p->name; p++)
        if (strcmp(p->name, name) == 0)
            return &e->origins[p - e->kind->params];
    fail_msg("%s: no attribute %s", id, name);
    return NULL;
}

static void stated(const char *id, const wsk_elem *e, const char *name)
{
    const wsk_origin *o = origin(id, e, name);
    if (o->from != WSK_FROM_PART || !o->text || (strcmp(name, "name") != 0 && (!o->source || !o->ref)))
        fail_msg("%s states no %s, or not where it comes from", id, name);
    if (o->source && strcmp(o->source, "assumed") == 0 && strcmp(name, "price") == 0 && !o->spread)
        fail_msg("%s: its price is assumed and has no spread", id);
}

/* Plausible values by memory type. Clock in MHz: half of the data rate per pin, from JEDEC rates and cards on sale.
 * Limit: the makers' memory temperature limits, degC. */
static const struct {
    const char *type;
    double clock_low, clock_high, limit_low, limit_high;
} memories[] = {{"GDDR5", 2500, 4500, 95, 110},   {"GDDR5X", 5000, 6000, 95, 110},  {"GDDR6", 5000, 10001, 95, 110},
                {"GDDR6X", 9400, 12000, 95, 112}, {"GDDR7", 13000, 16000, 95, 110}, {"HBM2", 700, 1250, 80, 105},
                {"HBM2e", 1200, 1850, 80, 105},   {"HBM3", 2400, 3300, 80, 105},    {"HBM3e", 2900, 4900, 80, 105}};

static void check_memory(const char *id, const wsk_gpu_params *g)
{
    for (size_t i = 0; i < sizeof memories / sizeof *memories; i++)
        if (strcmp(memories[i].type, g->memory_type) == 0) {
            within(id, "memory clock, MHz", g->memory_clock_hz * 1e-6, memories[i].clock_low, memories[i].clock_high);
            within(id, "memory limit, degC", g->memory_limit_k - 273.15, memories[i].limit_low,
                   memories[i].limit_high);
            within(id, "memory, GB", g->memory_byte * 1e-9, 2, 300);
            return;
        }
    fail_msg("%s: memory of no known type: %s", id, g->memory_type);
}

static void check_card(const char *id, const void *params)
{
    const wsk_gpu_params *g = params;
    const wsk_elem *e = g->head.elem;
    /* gpu/generic stands for any card: it states no memory, price or other value of one product */
    if (strcmp(id, "gpu/generic") == 0)
        return;
    static const char *const names[] = {"name",
                                        "slots",
                                        "tdp",
                                        "idle",
                                        "clock-max",
                                        "clock-knee",
                                        "voltage-slope",
                                        "target-temperature",
                                        "slowdown-temperature",
                                        "shutdown-temperature",
                                        "memory",
                                        "memory-type",
                                        "memory-clock",
                                        "memory-limit",
                                        "price"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        stated(id, e, names[i]);
    bool module = g->connector && (strncmp(g->connector, "SXM", 3) == 0 || strcmp(g->connector, "OAM") == 0);
    if (g->tdp_w > 75) /* a slot delivers at most 75 W, so the card has a power connector */
        stated(id, e, "connector");
    assert_non_null(wsk_elem_child(e, "cooler", NULL));
    assert_string_equal(origin(id, e, "price")->currency, "USD");
    within(id, "price, USD", g->price, 100, 60000);
    within(id, "idle draw over tdp", g->idle_w / g->tdp_w, 0.02, 0.35);
    if (!isnan(g->limit_min_w))
        within(id, "least limit over tdp", g->limit_min_w / g->tdp_w, 0.1, 1);
    if (!isnan(g->limit_max_w))
        within(id, "highest limit over tdp", g->limit_max_w / g->tdp_w, 1, 1.5);
    within(id, "length, mm", g->length_m * 1e3, 140, 360);
    within(id, "slots", g->slots, 1, 4);
    if (!isnan(g->thickness_m)) /* an SXM or OAM module without a stated thickness is as thick as its heatsink */
        within(id, "thickness over its slots", g->thickness_m / (g->slots * 0.02032), module ? 1 : 0.7,
               module ? 6 : 1.03);
    check_memory(id, g);
}

static void test_cards(void **state)
{
    (void)state;
    assert_true(each("gpu", NULL, check_card) >= 80);
    list *l = parts_of("gpu");
    static const char *const named[] = {"gpu/gtx-1080", "gpu/b300",   "gpu/mi210", "gpu/mi250x",
                                        "gpu/mi300x",   "gpu/gaudi2", "gpu/gaudi3"};
    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        bool found = false;
        for (int k = 0; k < l->count; k++)
            found = found || strcmp(l->ids[k], named[i]) == 0;
        if (!found)
            fail_msg("%s is missing", named[i]);
    }
    free(l);
}

/* ---- wattsink parts --show ---- */
static char *shown(const char *id)
{
    char *text = NULL, *error = NULL;
    if (wsk_part_text("parts", id, &text, &error) != WSK_OK)
        fail_msg("%s: %s", id, error ? error : "is not shown");
    wsk_text_free(error);
    return text;
}

static void has(const char *text, const char *line)
{
    if (!strstr(text, line))
        fail_msg("not shown: %s\nin\n%s", line, text);
}

/* `wattsink parts --show` prints every number that a run would use, also defaults and class values that the part
 * does not state. */
static void test_shows_what_a_run_would_use(void **state)
{
    (void)state;
    char *text = shown("gpu/rtx-4070");
    has(text, "    leakage                    6 W              assumed    [");
    has(text, " 3 % of tdp\n");
    has(text, "    power-limit-max            200 W            assumed    [");
    has(text, "  class stream, not stated by the part\n    p0                         60 W");
    for (const char *line = text; line && *line && strncmp(line, "Sources", 7) != 0; line = strchr(line, '\n') + 1)
        if (strcspn(line, "\n") > 120)
            fail_msg("a long line: %.130s", line);
    wsk_text_free(text);
    text = shown("gpu/rtx-4090"); /* this part states all its workload classes */
    assert_null(strstr(text, "class stream, not stated"));
    has(text, "  class stream, kind fit\n");
    wsk_text_free(text);
}

/* ---- processors ---- */
static void check_cpu(const char *id, const void *params)
{
    const wsk_cpu_params *c = params;
    stated(id, c->head.elem, "power");
    stated(id, c->head.elem, "idle");
    within(id, "idle over full power", c->idle_w / c->power_w, 0.05, 1);
}

static void test_processors(void **state)
{
    (void)state;
    assert_true(each("cpu", NULL, check_cpu) >= 11);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_loads_and_says_its_sources),
        cmocka_unit_test(test_fans_and_pumps),
        cmocka_unit_test(test_radiators),
        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_chassis),
        cmocka_unit_test(test_cards),
        cmocka_unit_test(test_shows_what_a_run_would_use),
        cmocka_unit_test(test_processors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
