/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _XOPEN_SOURCE 700
#include "sim/net/cooler.h"
#include "sim/net/cpu.h"
#include "sim/net/governor.h"
#include "sim/net/site.h"
#include "tests/unit/plan_folder.h"

static const wsk_elem *get(const wsk_elem *e, const char *element, int n)
{
    const wsk_elem *c = wsk_elem_child(e, element, NULL);
    while (c && n-- > 0)
        c = wsk_elem_child(e, element, c);
    assert_non_null(c);
    return c;
}

static void test_values(void **state)
{
    (void)state;
    wsk_plan *plan = load(CHASSIS(CARDS "<fan part=\"fan/f\" at=\"front\" count=\"3\"/>"));
    const wsk_elem *chassis = get(plan->rig, "chassis", 0), *gpu0 = get(chassis, "gpu", 0),
                   *gpu1 = get(chassis, "gpu", 1);
    const wsk_gpu_params *a = gpu0->params, *b = gpu1->params;
    assert_ptr_equal(a->head.elem, gpu0);
    assert_string_equal(gpu0->id, "gpu0");
    assert_rel(a->slot, 1, 1e-9);
    assert_rel(b->slot, 3, 1e-9);
    assert_int_equal(gpu1->order, 0);
    assert_rel(b->limit_w, 280, 1e-9);
    assert_true(isnan(a->limit_w));
    assert_rel(a->length_m, 0.267, 1e-9);
    assert_rel(a->target_k, 356.15, 1e-9);
    assert_string_equal(gpu0->title, "Card");
    assert_string_equal(gpu0->part, "gpu/card");
    const wsk_origin *tdp = wsk_elem_origin(gpu0, "tdp"), *knee = wsk_elem_origin(gpu0, "clock-knee");
    assert_string_equal(tdp->source, "datasheet");
    assert_string_equal(tdp->spread, "2 %");
    assert_false(tdp->assumed);
    assert_int_equal(tdp->from, WSK_FROM_PART);
    assert_true(knee->assumed);
    assert_false(wsk_elem_origin(gpu0, "name")->assumed);
    assert_true(wsk_elem_origin(gpu0, "waiting")->assumed);
    assert_int_equal(wsk_elem_origin(gpu0, "waiting")->from, WSK_FROM_DEFAULT);
    assert_int_equal(wsk_elem_origin(gpu1, "power-limit")->from, WSK_FROM_RIG);
    assert_null(wsk_elem_origin(gpu0, "nothing"));
    const wsk_cooler_params *cooler = get(gpu0, "cooler", 0)->params;
    assert_rel(cooler->flow_ref_m3s, 0.01, 1e-9);
    assert_rel(cooler->recess_m, 0.003, 1e-9);
    assert_int_equal(cooler->curve.count, 2);
    assert_rel(cooler->curve.x[1], 353.15, 1e-9);
    assert_rel(cooler->curve.y[1], 4000, 1e-9);
    assert_string_equal(wsk_elem_origin(get(gpu0, "cooler", 0), "recess")->ref, "caliper");
    static const char *const governors[] = {"memory-limit", "power-brake", "slowdown", "thermal-target"};
    for (int i = 0; i < 4; i++)
        assert_string_equal(get(gpu0, "governor", i)->kind->name, governors[i]);
    const wsk_fan_params *front = get(chassis, "fan", 0)->params, *top = get(chassis, "fan", 1)->params;
    assert_int_equal(front->at, WSK_AT_FRONT);
    assert_rel(front->count, 3, 1e-9);
    assert_int_equal(top->at, WSK_AT_TOP);
    assert_string_equal(wsk_elem_origin(get(chassis, "psu", 0), "price")->currency, "USD");
    assert_non_null(get(get(get(plan->rig, "site", 0), "room", 0), "outdoor", 0));
    assert_null(wsk_elem_child(plan->rig, "workload", NULL));
    wsk_plan_free(plan);
}

static void test_overrides(void **state)
{
    (void)state;
    wsk_plan *plan = load(CHASSIS("<gpu part=\"gpu/card\" slot=\"1\" tdp=\"300 W\"><cooler kind=\"blower\" "
                                  "recess=\"1 mm\"/><class name=\"training\" p0=\"99 W\"/>"
                                  "<class name=\"decode\" p0=\"9 W\" c=\"1 W/GHz\" clock-share=\"1\"/><governor "
                                  "kind=\"slowdown\" dwell=\"3 s\"/></gpu>"
                                  "<gpu part=\"gpu/card\" slot=\"3\"><cooler kind=\"open-air\" conductance=\"1 W/K\" "
                                  "flow=\"1 m3/h\" capacity=\"1 J/K\" "
                                  "fan-pressure=\"1 Pa\" fan-flow=\"1 m3/h\" fan-rpm=\"1 rpm\"/></gpu>"));
    const wsk_elem *chassis = get(plan->rig, "chassis", 0), *g = get(chassis, "gpu", 0);
    const wsk_cooler_params *cooler = get(g, "cooler", 0)->params,
                            *other = get(get(chassis, "gpu", 1), "cooler", 0)->params;
    assert_rel(((const wsk_gpu_params *)g->params)->tdp_w, 300, 1e-9);
    assert_rel(cooler->recess_m, 0.001, 1e-9);
    assert_rel(cooler->ua_w_k, 6, 1e-9);
    assert_string_equal(other->head.elem->kind->name, "open-air");
    assert_int_equal(other->curve.count, 0);
    const wsk_class_params *training = get(g, "class", 0)->params;
    assert_int_equal(training->name, WSK_CLASS_TRAINING);
    assert_rel(training->p0_w, 99, 1e-9);
    assert_rel(training->c_w_hz, 1e-7, 1e-9);
    assert_rel(((const wsk_governor_params *)get(g, "governor", 2)->params)->dwell_s, 3, 1e-9);
    assert_null(wsk_elem_child(g, "governor", get(g, "governor", 3)));
    wsk_plan_free(plan);
}

static void test_order_is_nothing(void **state)
{
    (void)state;
    wsk_plan *a = load(CHASSIS(CARDS "<fan part=\"fan/f\"/><fan part=\"fan/f\" at=\"rear\"/>"));
    wsk_plan *b = load("<!-- c -->\n<rig name='r'><chassis part='chassis/tower'><fan at='rear' part='fan/f'/>"
                       "<gpu part='gpu/card' slot='1'/>\n<fan part='fan/f'/><psu part='psu/gold'/>"
                       "<gpu slot='3' part='gpu/card' power-limit='0.28 kW'/></chassis></rig>");
    wsk_plan *c = load(CHASSIS(CARDS "<fan part=\"fan/f\"/><fan part=\"fan/f\" at=\"side\"/>"));
    assert_true(a->digest == b->digest);
    assert_true(a->digest != c->digest);
    wsk_plan_free(a), wsk_plan_free(b), wsk_plan_free(c);
}

/* Each number of a curve counts for the digest. */
static void test_digest_of_a_curve(void **state)
{
    (void)state;
    static const char *const curves[] = {"30 degC:40 %, 60 degC:90 %", "31 degC:40 %, 60 degC:90 %",
                                         "30 degC:41 %, 60 degC:90 %", "30 degC:40 %, 61 degC:90 %",
                                         "30 degC:40 %, 60 degC:91 %", "30 degC:40 %, 60 degC:90 %, 61 degC:90 %"};
    wsk_plan *plans[sizeof curves / sizeof *curves];
    for (size_t i = 0; i < sizeof curves / sizeof *curves; i++) {
        char text[2000];
        snprintf(text, sizeof text, CHASSIS(CARDS "<fan part=\"fan/f\" sensor=\"gpu\" curve=\"%s\"/>"), curves[i]);
        plans[i] = load(text);
        for (size_t k = 0; k < i; k++)
            if (plans[k]->digest == plans[i]->digest)
                fail_msg("%s and %s have the same digest", curves[k], curves[i]);
    }
    for (size_t i = 0; i < sizeof curves / sizeof *curves; i++)
        wsk_plan_free(plans[i]);
}

static void test_resolved_reads_back(void **state)
{
    (void)state;
    char fans[2048] = "";
    for (int i = 0; i < 12; i++) /* ids are sorted by their number: fan10 comes after fan9 */
        strcat(fans, "<fan part=\"fan/f\"/>");
    char text[4096];
    snprintf(text, sizeof text,
             "<rig name=\"a &amp; &quot;b&quot;\"><site><tariff price=\"0.1 EUR/kWh\"/></site><chassis "
             "part=\"chassis/tower\"><psu part=\"psu/tin\"/>%s" CARDS
             "</chassis><run from=\"2026-08-03T09:00:00\"/></rig>",
             fans);
    static const char *const sets[] = {"gpu[0].tdp=311.7W"};
    wsk_plan *a = load_bytes(text, strlen(text), sets, 1, WSK_OK);
    wsk_buf first = {0}, again = {0};
    wsk_plan_write_resolved(a, &first);
    wsk_plan_input in = {.path = "x.xml", .text = first.data, .text_len = first.len};
    wsk_plan *b = NULL;
    assert_int_equal(wsk_plan_load(&b, &in), WSK_OK);
    assert_true(a->digest == b->digest);
    wsk_plan_write_resolved(b, &again);
    assert_string_equal(first.data, again.data);
    wsk_buf_free(&first), wsk_buf_free(&again);
    wsk_plan_free(a), wsk_plan_free(b);
}

static wsk_plan *set(const char *assignment, wsk_status expect)
{
    static const char text[] =
        "<rig name=\"r\"><chassis part=\"chassis/tower\"><psu kind=\"constant\" rated=\"1 kW\" efficiency=\"82 "
        "%\"/>" CARDS "</chassis><workload checkpoint-every=\"1 h\"/></rig>";
    return load_bytes(text, strlen(text), &assignment, 1, expect);
}

static void test_assignments(void **state)
{
    (void)state;
    static const struct {
        const char *set;
        double limit[2];
    } cases[] = {{"gpu.power-limit=200W", {200, 200}},        {"power-limit=0.2 kW", {200, 200}},
                 {"gpu[0].power-limit=200 W", {0, 200}},      {"chassis.gpu[gpu0].power-limit=200 W", {200, 280}},
                 {"gpu[*].power-limit = 200 W", {200, 200}},  {"  rig.gpu[gpu0].power-limit=200 W  ", {200, 280}},
                 {"gpu[boost].power-limit=200 W", {200, 200}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        wsk_plan *p = set(cases[i].set, WSK_OK);
        for (int k = 0; k < 2; k++) {
            const wsk_gpu_params *g = get(get(p->rig, "chassis", 0), "gpu", k)->params;
            if (cases[i].limit[k] > 0)
                assert_rel(g->limit_w, cases[i].limit[k], 1e-9);
        }
        wsk_plan_free(p);
    }
    wsk_plan *p = set("psu=psu/gold", WSK_OK);
    assert_string_equal(get(get(p->rig, "chassis", 0), "psu", 0)->kind->name, "certified");
    wsk_plan_free(p);
    p = set("room.temperature=25degC", WSK_OK);
    const wsk_elem *room = get(get(p->rig, "site", 0), "room", 0);
    assert_rel(((const wsk_room_params *)room->params)->temp_k, 298.15, 1e-9);
    assert_int_equal(wsk_elem_origin(room, "temperature")->from, WSK_FROM_SET);
    wsk_plan_free(p);
    p = set("gpu[1].cooler.recess=2mm", WSK_OK);
    assert_rel(
        ((const wsk_cooler_params *)get(get(get(p->rig, "chassis", 0), "gpu", 0), "cooler", 0)->params)->recess_m,
        0.002, 1e-9);
    wsk_plan_free(p);
    p = set("gpu[*].cooler.kind=open-air", WSK_OK);
    const wsk_elem *cooler = get(get(get(p->rig, "chassis", 0), "gpu", 0), "cooler", 0);
    assert_rel(((const wsk_cooler_params *)cooler->params)->ua_w_k, 9, 1e-9);
    assert_string_equal(cooler->part, "cooler/generic-open-air");
    wsk_plan_free(p);
    p = set("workload.kind=constant", WSK_OK);
    assert_string_equal(get(p->rig, "workload", 0)->kind->name, "constant");
    wsk_plan_free(p);
}

static void test_bad_assignments(void **state)
{
    (void)state;
    static const struct {
        const char *set, *says;
    } cases[] = {{"gpu.powr-limit=2W", "did you mean \"gpu.power-limit\""},
                 {"gpu[7].power=2W", "[0] to [1]"},
                 {"gpu[99999999999999999999].power=2W", "there is no gpu[99999999999999999999]; expected [0] to [1]"},
                 {"gpu.1.power=2W", "a number needs brackets; did you mean \"gpu[1]\""},
                 {"gpu1.power=2W", "did you mean \"gpu[gpu1].power\""},
                 {"gpu[gpu2].power=2W", "[0] to [1], [*] or an id"},
                 {"gpu.id=a", "set on more than one <gpu>"},
                 {"name=a\x01", "not UTF-8"},
                 {"name=\xFF", "not UTF-8"},
                 {"gpu[0]x.tdp=3W", "cannot be read"},
                 {"gpu[].tdp=3W", "cannot be read"},
                 {"chassis.gpu.a.b.c.d.e.f.g.h.i.j.k=1", "cannot be read"}, /* more than 12 names */
                 {"chasis.gpu.power=2W", "did you mean \"chassis.gpu.power\""},
                 {"conductance=3W/K", "can mean several things"},
                 {"room.air-conditioner.setpoint=3degC", "there is no <air-conditioner> in <room>"},
                 {"foo", "not PATH=VALUE"},
                 {"gpu.power-limit=300", "has no unit"},
                 {"psu=psu/golt", "did you mean \"psu/gold\""},
                 {"a..b=c", "cannot be read"},
                 {"psu=../gold", "not a part's name"},
                 {"gpu[.tdp=3W", "cannot be read"},
                 {"workload.kind=consant", "did you mean \"constant\""},
                 {"=3", "not PATH=VALUE"},
                 {"gpu.slot=", "there is no value; expected a whole number"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        wsk_plan *p = set(cases[i].set, WSK_EINPUT);
        if (!find(p, cases[i].says))
            fail_msg("%s: %s", cases[i].set, p->diags.count ? p->diags.items[0].message : "-");
        assert_int_equal(p->diags.errors, 1);
        wsk_plan_free(p);
    }
}

static void test_assignment_to_many(void **state)
{
    (void)state;
    enum { LOADS = 100 };
    wsk_buf b = {0};
    wsk_buf_printf(&b, "<rig><chassis/>");
    for (int i = 0; i < LOADS; i++)
        wsk_buf_printf(&b, "<load dc=\"1 W\"/>");
    wsk_buf_printf(&b, "</rig>");
    const char *const sets[] = {"load.dc=2 W", "load[*].duty=50 %", "load[99].dc=3 W"};
    wsk_plan *p = load_bytes(b.data, b.len, sets, 3, WSK_OK);
    int n = 0, high = 0;
    for (const wsk_elem *e = NULL; (e = wsk_elem_child(p->rig, "load", e)) != NULL; n++) {
        const wsk_load_params *load = e->params;
        assert_rel(load->duty, 0.5, 1e-12);
        assert_true(load->dc_w == 2 || load->dc_w == 3);
        high += load->dc_w == 3;
    }
    assert_int_equal(n, LOADS);
    assert_int_equal(high, 1);
    wsk_plan_free(p);
    wsk_buf_free(&b);
}

static void test_parts(void **state)
{
    (void)state;
    static const struct {
        const char *part, *says;
    } cases[] = {{"gpu/loop-a", "builds on itself"},
                 {"gpu/unsourced", "length has no source"},
                 {"gpu/slotted", "slot in a part"},
                 {"gpu/torn", "without quotes"},
                 {"gpu/link", "leads out"},
                 {"../outside", "not a part's name"},
                 {"/etc/passwd", "not a part's name"},
                 {"gpu/../gpu/card", "not a part's name"},
                 {"gpu/.card", "not a part's name"},
                 {"gpu/crad", "did you mean \"gpu/card\""},
                 {"psu/gold", "is a <psu>"},
                 {"", "the part of <gpu> has no name"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[256];
        snprintf(text, sizeof text, "<rig><chassis><gpu slot=\"1\" part=\"%s\"/></chassis></rig>", cases[i].part);
        wsk_plan *plan = load_bytes(text, strlen(text), NULL, 0, WSK_EINPUT);
        const wsk_diag *d = find(plan, cases[i].says);
        if (!d)
            fail_msg("%s: %s", cases[i].part, plan->diags.items[0].message);
        assert_true(plan->bad_files);
        if (strstr(cases[i].part, "unsourced")) {
            assert_int_equal(d->line, 2);
            assert_int_equal(d->column, 3);
        }
        wsk_plan_free(plan);
    }
}

static void count_part(void *ctx, const char *id, const char *title)
{
    int *n = ctx;
    *n += strcmp(id, "gpu/link") == 0 ? 100 : 1;
    if (strcmp(id, "gpu/card") == 0)
        assert_string_equal(title, "Card");
}

static void test_catalogue(void **state)
{
    (void)state;
    int all = 0, gpus = 0;
    assert_int_equal(wsk_parts_list(folder, NULL, NULL, count_part, &all, NULL), WSK_OK);
    assert_int_equal(wsk_parts_list(folder, "gpu", NULL, count_part, &gpus, NULL), WSK_OK);
    assert_int_equal(all, 12);
    assert_int_equal(gpus, 7);
    /* with a store of files, refused parts are listed too: gpu/link, which count_part counts as 100 */
    wsk_files *files = wsk_files_new();
    gpus = 0;
    assert_int_equal(wsk_parts_list(folder, "gpu", files, count_part, &gpus, NULL), WSK_OK);
    assert_int_equal(gpus, 107);
    wsk_files_free(files);
    wsk_arena *arena = wsk_arena_new();
    wsk_diags diags;
    wsk_diags_init(&diags, arena);
    wsk_buf out = {0};
    wsk_lines lines = {.arena = arena};
    assert_int_equal(wsk_part_tell(NULL, folder, "gpu/card", &lines, &diags, &(bool){false}), WSK_OK);
    wsk_lines_write(&out, &lines, NULL, NULL);
    assert_non_null(strstr(out.data, "] maker; spread 2 %"));
    assert_non_null(strstr(out.data, "builds on gpu/base"));
    assert_int_equal(wsk_part_tell(NULL, folder, "gpu/unsourced", &lines, &diags, &(bool){false}), WSK_EINPUT);
    assert_int_equal(wsk_part_tell(NULL, folder, "gpu/none", &lines, &diags, &(bool){false}), WSK_EINPUT);
    wsk_buf_free(&out);
    wsk_arena_free(arena);
}

static void test_tables(void **state)
{
    (void)state;
    wsk_arena *arena = wsk_arena_new();
    wsk_diags diags;
    wsk_diags_init(&diags, arena);
    wsk_loader l = {.arena = arena, .diags = &diags};
    wsk_buf schema = {0}, kinds = {0};
    wsk_schema_write(&schema);
    wsk_lines lines = {.arena = arena};
    wsk_kinds_tell(&lines, NULL);
    wsk_lines_write(&kinds, &lines, NULL, NULL);
    for (const wsk_kind *const *k = wsk_kinds; *k; k++) {
        int defaults = 0;
        for (const wsk_kind *const *j = wsk_kinds; *j; j++)
            defaults += strcmp((*j)->element, (*k)->element) == 0 && (*j)->is_default;
        assert_int_equal(defaults, 1);
        for (const wsk_child *c = (*k)->children; c && c->element; c++)
            assert_non_null(wsk_kind_get(c->element, c->implied));
        for (const wsk_param *p = (*k)->params; p->name; p++) {
            union {
                double number;
                int choice;
                const char *text;
                wsk_curve curve;
            } field;
            wsk_origin o = {.text = p->def};
            if (p->def && !wsk_value_read(&l, *k, p, &o, &field))
                fail_msg("default of %s %s: %s", (*k)->element, p->name, diags.items[0].message);
            assert_true(p->offset < (*k)->size);
            char name[64];
            snprintf(name, sizeof name, "name=\"%s\"", p->name);
            assert_non_null(strstr(schema.data, name));
            assert_non_null(strstr(kinds.data, p->help));
        }
    }
    wsk_buf_free(&schema), wsk_buf_free(&kinds);
    wsk_arena_free(arena);
}

/* Files that are kept in memory are found by their paths, whichever came last, and are not read from the disk. */
static void test_kept_files_are_found(void **state)
{
    (void)state;
    static const char *const paths[] = {"none/a.xml", "none/b.xml", "none/c.xml"}, *const texts[] = {"A", "BB",
                                                                                                     "CCC"};
    wsk_files *files = wsk_files_new();
    assert_non_null(files);
    for (size_t i = 0; i < 3; i++)
        assert_true(wsk_files_keep(files, paths[i], texts[i], strlen(texts[i])));
    for (size_t i = 0; i < 3; i++) {
        const wsk_file *f = wsk_files_get(files, NULL, paths[i], "data");
        assert_non_null(f);
        assert_string_equal(f->text, texts[i]);
        assert_int_equal(f->len, strlen(texts[i]));
    }
    wsk_files_free(files);
}

/* A choice of XML Schema may name each element once, although several kinds of an element hold the same ones. */
static void test_schema_names_each_child_once(void **state)
{
    (void)state;
    wsk_buf schema = {0};
    int choices = 0, children = 0;
    wsk_schema_write(&schema);
    for (const char *at = schema.data; (at = strstr(at, "<xs:choice")) != NULL; choices++) {
        const char *end = strstr(at, "</xs:choice>");
        assert_non_null(end);
        for (; (at = strstr(at, "<xs:element name=")) != NULL && at < end; at++, children++) {
            char named[80];
            snprintf(named, sizeof named, "%.*s", (int)strcspn(at, ">"), at);
            const char *again = strstr(at + 1, named);
            assert_true(!again || again > end);
        }
        at = end;
    }
    assert_true(choices > 20 && children > 2 * choices);
    wsk_buf_free(&schema);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_overrides),
        cmocka_unit_test(test_order_is_nothing),
        cmocka_unit_test(test_digest_of_a_curve),
        cmocka_unit_test(test_resolved_reads_back),
        cmocka_unit_test(test_assignments),
        cmocka_unit_test(test_bad_assignments),
        cmocka_unit_test(test_assignment_to_many),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_catalogue),
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_schema_names_each_child_once),
        cmocka_unit_test(test_kept_files_are_found),
    };
    return cmocka_run_group_tests(tests, make_parts, drop_parts);
}
