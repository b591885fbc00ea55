/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The plan that a rig file, its parts and --set assignments become, and the messages about mistakes in them. */
#define _XOPEN_SOURCE 700
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "sim/io/load.h"
#include "sim/net/cooler.h"
#include "sim/net/governor.h"
#include "sim/net/site.h"
#include "tests/unit/assert.h"

static char folder[256]; /* temporary folder with the test's own parts */

#define SLOW_S 1.0 /* CPU time in s within which any input, however hostile, must be loaded or refused */

static void put_file(const char *name, const char *text)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

static void put_folder(const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_int_equal(mkdir(path, 0700), 0);
}

#define ANY "<source for=\"*\" kind=\"assumed\" ref=\"test\"/>"
#define COOLER \
    "<cooler kind=\"blower\" conductance=\"6 W/K\" flow=\"36 m3/h\" capacity=\"400 J/K\" fan-pressure=\"500 Pa\" " \
    "fan-flow=\"72 m3/h\" fan-rpm=\"5000 rpm\" fan-curve=\"30 degC:1000 rpm, 80 degC:4000 rpm\"/>"

static int make_parts(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "%s/wsk-plan-XXXXXX", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
    assert_non_null(mkdtemp(folder));
    put_folder("gpu"), put_folder("psu"), put_folder("fan"), put_folder("chassis"), put_folder("cooler");
    put_file("cooler/generic-open-air.xml",
             "<cooler kind=\"open-air\" conductance=\"9 W/K\" flow=\"36 m3/h\" capacity=\"400 J/K\" "
             "fan-pressure=\"50 Pa\" fan-flow=\"72 m3/h\" fan-rpm=\"3000 rpm\">" ANY "</cooler>");
    put_file("gpu/base.xml",
             "<gpu title=\"Base\" name=\"Base card\" tdp=\"350 W\" clock-max=\"1980 MHz\" clock-knee=\"1200 MHz\" "
             "voltage-slope=\"0.5 1/GHz\">" COOLER
             "<class name=\"training\" p0=\"110 W\" c=\"100 W/GHz\" clock-share=\"83 %\"/>" ANY
             "<source for=\"tdp class[training].p0\" kind=\"datasheet\" ref=\"maker\" spread=\"2 %\"/></gpu>");
    put_file("gpu/card.xml", "<gpu title=\"Card\" base=\"gpu/base\" length=\"267 mm\"><cooler recess=\"3 mm\"/>"
                             "<source for=\"length cooler.*\" kind=\"measured\" ref=\"caliper\"/></gpu>");
    put_file("psu/gold.xml",
             "<psu rated=\"1600 W\" efficiency-10=\"87 %\" efficiency-20=\"90 %\" efficiency-50=\"92 %\" "
             "efficiency-100=\"89 %\" price=\"400 USD\">" ANY "</psu>");
    put_file("psu/tin.xml", "<psu kind=\"constant\" rated=\"1600 W\" efficiency=\"82 %\">" ANY "</psu>");
    put_file("fan/f.xml", "<fan pressure=\"15 Pa\" flow=\"100 m3/h\" rpm=\"1500 rpm\">" ANY "</fan>");
    put_file("chassis/tower.xml",
             "<chassis slots=\"8\"><vent at=\"rear\" area=\"100 cm2\"/><fan part=\"fan/f\" at=\"top\"/>" ANY
             "</chassis>");
    put_file("gpu/loop-a.xml", "<gpu base=\"gpu/loop-b\"/>");
    put_file("gpu/loop-b.xml", "<gpu base=\"gpu/loop-a\"/>");
    put_file("gpu/unsourced.xml", "<gpu base=\"gpu/base\"\n  length=\"300 mm\"/>");
    put_file("gpu/slotted.xml", "<gpu base=\"gpu/base\" slot=\"1\">" ANY "</gpu>");
    put_file("gpu/torn.xml", "<gpu\n  tdp=3>");
    put_file("outside.txt", "<gpu/>");
    char link[512];
    snprintf(link, sizeof link, "%s/gpu/link.xml", folder);
    assert_int_equal(symlink("/etc/passwd", link), 0);
    return 0;
}

static int drop_parts(void **state)
{
    (void)state;
    static const char *const names[] = {"gpu/base.xml",
                                        "gpu/card.xml",
                                        "psu/gold.xml",
                                        "psu/tin.xml",
                                        "fan/f.xml",
                                        "chassis/tower.xml",
                                        "gpu/loop-a.xml",
                                        "gpu/loop-b.xml",
                                        "gpu/unsourced.xml",
                                        "gpu/slotted.xml",
                                        "gpu/torn.xml",
                                        "outside.txt",
                                        "gpu/link.xml",
                                        "cooler/generic-open-air.xml",
                                        "cooler",
                                        "gpu",
                                        "psu",
                                        "fan",
                                        "chassis",
                                        ""};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        remove(path);
    }
    return 0;
}

static wsk_plan *load_bytes(const char *text, size_t len, const char *const *sets, size_t count, wsk_status expect)
{
    wsk_plan_input in = {
        .path = "rig.xml", .text = text, .text_len = len, .parts_dir = folder, .sets = sets, .set_count = count};
    wsk_plan *plan = NULL;
    clock_t start = clock();
    wsk_status status = wsk_plan_load(&plan, &in);
    assert_true((double)(clock() - start) / CLOCKS_PER_SEC < SLOW_S);
    assert_non_null(plan);
    if (status != expect)
        fail_msg("status %d: %s", status, plan->diags.count ? plan->diags.items[0].message : "no message");
    return plan;
}

static wsk_plan *load(const char *text)
{
    return load_bytes(text, strlen(text), NULL, 0, WSK_OK);
}

static const wsk_elem *get(const wsk_elem *e, const char *element, int n)
{
    const wsk_elem *c = wsk_elem_child(e, element, NULL);
    while (c && n-- > 0)
        c = wsk_elem_child(e, element, c);
    assert_non_null(c);
    return c;
}

static const wsk_diag *find(const wsk_plan *plan, const char *words)
{
    for (size_t i = 0; i < plan->diags.count; i++)
        if (strstr(plan->diags.items[i].message, words))
            return &plan->diags.items[i];
    return NULL;
}

/* Checks that a message contains `words` and that its line and column point at `word` in the text. Columns count
 * characters, not bytes. */
static void assert_caret(const wsk_plan *plan, const char *text, const char *words, const char *word)
{
    const wsk_diag *d = find(plan, words);
    if (!d)
        fail_msg("no message says \"%s\"", words);
    const char *at = text;
    for (int line = 1; line < d->line; line++)
        at = strchr(at, '\n') + 1;
    for (int column = 1; column < d->column; column++) {
        at++;
        while (((unsigned char)*at & 0xC0) == 0x80)
            at++;
    }
    if (d->line < 1 || strncmp(at, word, strlen(word)) != 0)
        fail_msg("\"%s\" points at %d:%d, \"%.20s\", not at \"%s\"", d->message, d->line, d->column, at, word);
}

#define CHASSIS(inside) \
    "<rig name=\"r\"><chassis part=\"chassis/tower\"><psu part=\"psu/gold\"/>" inside "</chassis></rig>"
#define CARDS "<gpu part=\"gpu/card\" slot=\"3\" power-limit=\"280W\"/><gpu part=\"gpu/card\" slot=\"1\"/>"

/* ---- valid rigs ---- */
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

static void test_resolved_reads_back(void **state)
{
    (void)state;
    char fans[2048] = "";
    for (int i = 0; i < 12; i++) /* ids are ordered by number: fan10 comes after fan9 */
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

/* ---- assignments ---- */
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
    } cases[] = {{"gpu.power-limit=200W", {200, 200}},
                 {"power-limit=0.2 kW", {200, 200}},
                 {"gpu[0].power-limit=200 W", {0, 200}},
                 {"chassis.gpu[gpu0].power-limit=200 W", {200, 280}},
                 {"gpu[*].power-limit = 200 W", {200, 200}}};
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

/* ---- mistakes ---- */
static void test_many_mistakes(void **state)
{
    (void)state;
    static const char text[] =
        "<?xml version=\"1.0\"?>\n"
        "<rig name=\"t\xC3\xA9n\" nme=\"x\">\n"
        "  <site suply=\"120 V\" circuit='  15 W' altitude=\"40\">\n"
        "    <room volume=\"nan m3\"><outdor/></room><tariff price=\"0,16 USD/kWh\"/>\n"
        "  </site>\n"
        "  <chassis part=\"chassis/towr\"> stray\n"
        "    <psu part=\"gpu/card\"/><fan part=\"fan/f\" at=\"frontt\"/>\n"
        "    <gpu part=\"gpu/card\" slot=\"1\"\n"
        "         power-limit\n"
        "           =\n"
        "             \"280 kg\"\n"
        "         power=\"-5 W\" tdp=\"1e400 W\"\n"
        "         clock=\"280\"/>\n"
        "    <gpu part=\"gpu/cart\" slot=\"1.5\" id=\"a\" tdp=\"1 W\" tdp=\"2 W\"/>\n"
        "    <gpu part=\"gpu/card\" id=\"a\"><cooler kind=\"blowr\"/><tariff/></gpu>\n"
        "  </chassis>\n"
        "  <workload kind=\"traning\" class=\"decod\"/><run from=\"yesterday\"/><run for=\"1 d\"/>\n"
        "</rig>\n";
    static const struct {
        const char *says, *word;
    } cases[] = {{"unknown attribute \"nme\"", "nme"},
                 {"did you mean \"supply\"", "suply"},
                 {"circuit: \"15 W\" is a power", "15 W"},
                 {"\"40\" has no unit", "40\""},
                 {"\"nan m3\" is not a number", "nan"},
                 {"did you mean \"outdoor\"", "outdor"},
                 {"expected '.' as the decimal sign", "0,16"},
                 {"did you mean \"chassis/tower\"", "chassis/towr"},
                 {"text \"stray\"", "stray"},
                 {"part \"gpu/card\" is a <gpu>", "gpu/card"},
                 {"did you mean \"front\"", "frontt"},
                 {"\"280 kg\" is a mass; expected a power", "280 kg"},
                 {"\"-5 W\" is out of range", "-5 W"},
                 {"\"1e400 W\" is too large", "1e400"},
                 {"\"280\" has no unit; expected a frequency", "280\""},
                 {"there is no part \"gpu/cart\"", "gpu/cart"},
                 {"\"1.5\" is not a whole", "1.5"},
                 {"written twice", "tdp=\"2 W\""},
                 {"<gpu> lacks slot", "gpu part=\"gpu/card\" id"},
                 {"the id \"a\" is already used", "a\"><cooler"},
                 {"did you mean \"blower\"", "blowr"},
                 {"<tariff> does not belong in <gpu>", "tariff/></gpu"},
                 {"did you mean \"training\"", "traning"},
                 {"did you mean \"decode\"", "decod\""},
                 {"is not a date", "yesterday"},
                 {"a second <run>", "run for"}};
    wsk_plan *plan = load_bytes(text, strlen(text), NULL, 0, WSK_EINPUT);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_caret(plan, text, cases[i].says, cases[i].word);
    assert_int_equal(plan->diags.errors, sizeof cases / sizeof *cases);
    assert_non_null(plan->rig);
    wsk_plan_free(plan);
}

static void test_flaws_of_xml(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says, *word;
    } cases[] = {{"<rig>\n <site>\n  <room></site>\n</rig>", "<room> of line 3 is still open; expected </room>",
                  "site>\n</rig>"},
                 {"<rig>\n <site suply=\"1\">\n", "the text ends inside <site> of line 2", ""},
                 {"<rig>\n <site suply=\"1\">\n", "did you mean \"supply\"", "suply"},
                 {"<rig>\n <site supply=120/></rig>", "without quotes", "120"},
                 {"<rig name=\"a & b\"/>", "&amp;", "& b"},
                 {"<rig name=\"a < b\"/>", "&lt;", "< b"},
                 {"<rig name=\"&foo;\"/>", "known entity", "&foo;"},
                 {"<rig/>\n <rig/>", "behind the end", "<rig/>"},
                 {"<rig>\n<!-- a --set b --></rig>", "two hyphens", "--set"},
                 {"<rig>\n <site supply=\"\x01\"/></rig>", "not well-formed", "\x01"},
                 {"<gpu tdp=\"3 W\"/>", "as in a part", "gpu"},
                 {"<rik/>", "did you mean \"rig\"", "rik"},
                 {"<rig xmlns=\"http://a\"/>", "namespace", "rig"},
                 {"<rig name=\"\xC2\x9B\"/>", "control character", "\xC2\x9B"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        wsk_plan *plan = load_bytes(cases[i].text, strlen(cases[i].text), NULL, 0, WSK_EINPUT);
        assert_caret(plan, cases[i].text, cases[i].says, cases[i].word);
        wsk_plan_free(plan);
    }
    wsk_plan_free(load("\xEF\xBB\xBF<rig xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" "
                       "xsi:noNamespaceSchemaLocation=\"w.xsd\"/>"));
}

static void hostile(const char *head, const char *repeat, size_t times, const char *tail, const char *says)
{
    wsk_buf b = {0};
    wsk_buf_put(&b, head, strlen(head));
    for (size_t i = 0; i < times; i++)
        wsk_buf_put(&b, repeat, strlen(repeat));
    wsk_buf_put(&b, tail, strlen(tail));
    assert_false(b.failed);
    wsk_plan *plan = load_bytes(b.data, b.len, NULL, 0, WSK_EINPUT);
    const wsk_diag *d = find(plan, says);
    if (!d)
        fail_msg("no message says \"%s\", but \"%s\"", says, plan->diags.items[0].message);
    assert_true(d->line > 0 && d->column > 0);
    wsk_plan_free(plan);
    wsk_buf_free(&b);
}

static void test_hostile(void **state)
{
    (void)state;
    hostile("", "", 0, "", "empty");
    hostile(" \n", "", 0, "", "empty");
    hostile("\x7F"
            "ELF\x02\xFF",
            "", 0, "", "not UTF-8");
    hostile("hello", "", 0, "", "not XML");
    hostile("<rig>", "<room>", 200000, "", "nested more than 64 deep");
    hostile("<rig>", "<a/>", 300000, "</rig>", "more than 20000 elements");
    hostile("<rig ", "a='' ", 300000, "/>", "more than 200 attributes");
    hostile("<rig name='", "x", 11000000, "'/>", "too long");
    hostile("<rig>", "<!--", 1000000, "", "two hyphens");
    hostile("<rig>", "&", 3000000, "", "known entity");
    hostile("<rig>", "\x01", 3000000, "", "not well-formed");
    hostile("<rig>", " ", 16000000, "</rig>", "larger than 16 MB");
    hostile("<rig><chassis>", "<fan part='fan/f'/>", 19000, "</chassis></rig>", "more than 5000 elements");
    hostile("<rig>", "x<a b='1'/>", 19000, "</rig>", "text \"x\"");
    hostile("<?xml version=\"1.0\"?>\n<!DOCTYPE l [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]>\n<rig "
            "name=\"&b;\"/>",
            "", 0, "", "refused");
    hostile("<!DOCTYPE rig [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>\n<rig name=\"&x;\"/>", "", 0, "", "refused");
    hostile("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><rig/>", "", 0, "", "other than UTF-8");
    static const char zero[] = "<rig>\0</rig>";
    wsk_plan *plan = load_bytes(zero, sizeof zero - 1, NULL, 0, WSK_EINPUT);
    assert_non_null(find(plan, "zero byte"));
    wsk_plan_free(plan);
}

/* Randomly damaged copies of a good rig are accepted or refused, without a crash. */
static void test_scrambled(void **state)
{
    (void)state;
    static const char good[] = CHASSIS(CARDS "<gpu part=\"gpu/card\" slot=\"5\"><cooler recess=\"1 mm\"/><source "
                                             "for=\"slot\" kind=\"measured\" ref=\"x\"/></gpu>");
    static const char letters[] = "<>\"'/= &;!-[]?x.\n\xC3";
    char text[sizeof good];
    for (uint64_t n = 0; n < 400; n++) {
        memcpy(text, good, sizeof good);
        for (uint64_t k = 0; k <= n % 5; k++) {
            size_t at = (size_t)(wsk_random(7, n, 2 * k) * (sizeof good - 1));
            text[at] = letters[(size_t)(wsk_random(7, n, 2 * k + 1) * (sizeof letters - 1))];
        }
        wsk_plan_input in = {.path = "-", .text = text, .text_len = sizeof good - 1, .parts_dir = folder};
        wsk_plan *plan = NULL;
        wsk_status status = wsk_plan_load(&plan, &in);
        assert_true(status == WSK_OK || (status == WSK_EINPUT && plan->diags.errors > 0));
        wsk_plan_free(plan);
    }
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
    assert_int_equal(wsk_parts_list(folder, NULL, count_part, &all), WSK_OK);
    assert_int_equal(wsk_parts_list(folder, "gpu", count_part, &gpus), WSK_OK);
    assert_int_equal(all, 12);
    assert_int_equal(gpus, 7);
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

/* The attribute tables of all element kinds are consistent: default values can be parsed, child elements exist, and
 * each element has one default kind. The XML schema and `wattsink kinds` name every attribute. */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_overrides),
        cmocka_unit_test(test_order_is_nothing),
        cmocka_unit_test(test_resolved_reads_back),
        cmocka_unit_test(test_assignments),
        cmocka_unit_test(test_bad_assignments),
        cmocka_unit_test(test_many_mistakes),
        cmocka_unit_test(test_flaws_of_xml),
        cmocka_unit_test(test_hostile),
        cmocka_unit_test(test_scrambled),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_catalogue),
        cmocka_unit_test(test_tables),
    };
    return cmocka_run_group_tests(tests, make_parts, drop_parts);
}
