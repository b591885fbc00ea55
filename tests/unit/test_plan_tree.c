/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _XOPEN_SOURCE 700
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sim/io/load.h"
#include "sim/net/chassis.h"
#include "sim/net/cooler.h"
#include "sim/net/gpu.h"
#include "sim/net/loop.h"
#include "tests/unit/assert.h"

static char folder[256];

#define ANY "<source for=\"*\" kind=\"assumed\" ref=\"test\"/>"
static const struct {
    const char *name, *text; /* text NULL: the entry is a folder */
} files[] = {
    {"gpu", NULL},
    {"fan", NULL},
    {"loop", NULL},
    {"pump", NULL},
    {"radiator", NULL},
    {"cooler", NULL},
    {"gpu/card.xml",
     "<gpu tdp=\"350 W\" clock-max=\"1980 MHz\" clock-knee=\"1200 MHz\" voltage-slope=\"0.5 1/GHz\">"
     "<cooler kind=\"passive\" conductance=\"6 W/K\" flow=\"36 m3/h\" capacity=\"400 J/K\"/>" ANY "</gpu>"},
    {"gpu/wet.xml", "<gpu base=\"gpu/card\"><cooler part=\"cooler/block\" drop=\"9 kPa\"/>" ANY "</gpu>"},
    {"fan/f.xml", "<fan pressure=\"15 Pa\" flow=\"100 m3/h\" rpm=\"1500 rpm\">" ANY "</fan>"},
    {"pump/generic-centrifugal.xml",
     "<pump title=\"Some pump\" pressure=\"40 kPa\" flow=\"1000 l/h\" rpm=\"4000 rpm\">" ANY "</pump>"},
    {"pump/strong.xml", "<pump base=\"pump/generic-centrifugal\" pressure=\"60 kPa\">" ANY "</pump>"},
    {"radiator/r.xml", "<radiator conductance=\"20 W/K\" flow=\"100 m3/h\"><fan part=\"fan/f\"/>" ANY "</radiator>"},
    {"loop/kit.xml",
     "<loop volume=\"1 l\"><pump part=\"pump/strong\"/><radiator part=\"radiator/r\"/>" ANY "</loop>"},
    {"cooler/block.xml", "<cooler kind=\"water\" conductance=\"80 W/K\">" ANY "</cooler>"},
    {"cooler/better.xml", "<cooler kind=\"water\" base=\"cooler/block\" conductance=\"120 W/K\">" ANY "</cooler>"},
};
#define FILES (sizeof files / sizeof *files)

static int make_parts(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "%s/wsk-tree-XXXXXX", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
    assert_non_null(mkdtemp(folder));
    for (size_t i = 0; i < FILES; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", folder, files[i].name);
        if (!files[i].text) {
            assert_int_equal(mkdir(path, 0700), 0);
            continue;
        }
        FILE *f = fopen(path, "w");
        assert_non_null(f);
        assert_true(fputs(files[i].text, f) >= 0);
        assert_int_equal(fclose(f), 0);
    }
    return 0;
}

static int drop_parts(void **state)
{
    (void)state;
    for (size_t i = FILES; i-- > 0;) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", folder, files[i].name);
        remove(path);
    }
    return remove(folder);
}

static wsk_plan *load_set(const char *text, const char *set, wsk_status expect)
{
    wsk_plan_input in = {.path = "rig.xml",
                         .text = text,
                         .text_len = strlen(text),
                         .parts_dir = folder,
                         .sets = &set,
                         .set_count = set != NULL};
    wsk_plan *plan = NULL;
    wsk_status status = wsk_plan_load(&plan, &in);
    assert_non_null(plan);
    if (status != expect)
        fail_msg("status %d: %s", status, plan->diags.count ? plan->diags.items[0].message : "no message");
    return plan;
}

static wsk_plan *load(const char *text)
{
    return load_set(text, NULL, WSK_OK);
}

static const wsk_elem *get(const wsk_elem *e, const char *element, int n)
{
    const wsk_elem *c = wsk_elem_child(e, element, NULL);
    while (c && n-- > 0)
        c = wsk_elem_child(e, element, c);
    assert_non_null(c);
    return c;
}

static int count(const wsk_elem *e, const char *element)
{
    int n = 0;
    for (const wsk_elem *c = NULL; (c = wsk_elem_child(e, element, c)) != NULL;)
        n++;
    return n;
}

static void assert_says(const wsk_plan *plan, const char *words, int line, int column)
{
    for (size_t i = 0; i < plan->diags.count; i++)
        if (strstr(plan->diags.items[i].message, words)) {
            assert_int_equal(plan->diags.items[i].line, line);
            assert_int_equal(plan->diags.items[i].column, column);
            return;
        }
    fail_msg("no message says \"%s\", but \"%s\"", words, plan->diags.count ? plan->diags.items[0].message : "-");
}

#define GPU(slot, more) "<gpu part=\"gpu/card\" slot=\"" #slot "\" " more "/>"
#define TWO \
    "<rig name=\"r\"><chassis slots=\"9\">" GPU(3, "") \
        GPU(1, "") "</chassis>\n" \
                   "<chassis kind=\"frame\"><fan part=\"fan/f\"/>" GPU(1, "") GPU(5, "") \
                       GPU(3, "") "</chassis>\n" \
                                  "<chassis slots=\"2\">" GPU(1, "") "</chassis></rig>"

/* Chassis are sorted by id (9 before 10); chassis without an id follow in file order. */
static void chassis_come_in_the_order_of_their_ids(void **state)
{
    (void)state;
    static const char *const written[] = {"<chassis id=\"a10\"/><chassis slots=\"3\"/><chassis id=\"a9\"/>",
                                          "<chassis slots=\"3\"/><chassis id=\"a9\"/><chassis id=\"a10\"/>",
                                          "<chassis id=\"a9\"/><chassis id=\"a10\"/><chassis slots=\"3\"/>"};
    for (int i = 0; i < 3; i++) {
        char text[200];
        snprintf(text, sizeof text, "<rig>%s</rig>", written[i]);
        wsk_plan *p = load(text);
        assert_string_equal(get(p->rig, "chassis", 0)->id, "a9");
        assert_string_equal(get(p->rig, "chassis", 1)->id, "a10");
        assert_same(((const wsk_chassis_params *)get(p->rig, "chassis", 2)->params)->slots, 3);
        wsk_plan_free(p);
    }
}

static void one_tower_is_implied_where_none_is_written(void **state)
{
    (void)state;
    static const struct {
        const char *text, *kind;
    } cases[] = {{"<rig/>", "tower"},
                 {"<rig><chassis/></rig>", "tower"},
                 {"<rig><chassis kind=\"frame\"/></rig>", "frame"},
                 {"<rig><chassis kind=\"tower\"/></rig>", "tower"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        wsk_plan *p = load(cases[i].text);
        assert_int_equal(count(p->rig, "chassis"), 1);
        assert_string_equal(get(p->rig, "chassis", 0)->kind->name, cases[i].kind);
        assert_string_equal(get(p->rig, "chassis", 0)->id, "chassis0");
        wsk_plan_free(p);
    }
}

static void ids_count_on_through_the_chassis(void **state)
{
    (void)state;
    wsk_plan *p = load(TWO);
    static const char *const ids[3][3] = {{"gpu0", "gpu1", NULL}, {"gpu2", "gpu3", "gpu4"}, {"gpu5", NULL, NULL}};
    assert_int_equal(count(p->rig, "chassis"), 3);
    for (int c = 0; c < 3; c++) {
        const wsk_elem *chassis = get(p->rig, "chassis", c);
        char id[16];
        snprintf(id, sizeof id, "chassis%d", c);
        assert_string_equal(chassis->id, id);
        assert_int_equal(chassis->order, c);
        for (int g = 0; g < 3 && ids[c][g]; g++) {
            assert_string_equal(get(chassis, "gpu", g)->id, ids[c][g]);
            assert_rel(((const wsk_gpu_params *)get(chassis, "gpu", g)->params)->slot, 1 + 2 * g, 0);
        }
    }
    assert_string_equal(get(p->rig, "chassis", 1)->kind->name, "frame");
    wsk_buf out = {0};
    wsk_plan_write_resolved(p, &out);
    wsk_plan *again = load(out.data);
    assert_true(again->digest == p->digest);
    wsk_buf_free(&out);
    wsk_plan_free(p), wsk_plan_free(again);
}

static void paths_reach_each_chassis(void **state)
{
    (void)state;
    static const struct {
        /* reached: one letter per card in order of ids; x: the card's power limit was set. */
        const char *set, *reached;
    } cases[] = {{"gpu.power-limit=200W", "xxxxxx"},
                 {"gpu[*].power-limit=200W", "xxxxxx"},
                 {"chassis.gpu.power-limit=200W", "xxxxxx"},
                 /* indices count in file order; in the file the card in slot 3 comes first */
                 {"gpu[0].power-limit=200W", ".x...."},
                 {"gpu[2].power-limit=200W", "..x..."},
                 {"gpu[3].power-limit=200W", "....x."},
                 {"gpu[5].power-limit=200W", ".....x"},
                 {"chassis[0].gpu[1].power-limit=200W", "x....."},
                 {"chassis[1].gpu[0].power-limit=200W", "..x..."},
                 {"chassis[1].gpu.power-limit=200W", "..xxx."},
                 {"chassis[chassis2].gpu.power-limit=200W", ".....x"},
                 {"chassis[frame].gpu[1].power-limit=200W", "....x."},
                 {"gpu[gpu3].power-limit=200W", "...x.."},
                 {"chassis[*].gpu[0].power-limit=200W", ".xx..x"},
                 {"chassis[1].power-limit=200W", "..xxx."}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        wsk_plan *p = load_set(TWO, cases[i].set, WSK_OK);
        char reached[8] = "";
        for (int c = 0, k = 0; c < 3; c++)
            for (int g = 0; g < count(get(p->rig, "chassis", c), "gpu"); g++)
                reached[k++] =
                    isnan(((const wsk_gpu_params *)get(get(p->rig, "chassis", c), "gpu", g)->params)->limit_w) ? '.'
                                                                                                               : 'x';
        if (strcmp(reached, cases[i].reached) != 0)
            fail_msg("%s reached %s, not %s", cases[i].set, reached, cases[i].reached);
        wsk_plan_free(p);
    }
    static const char *const bad[][2] = {{"gpu[6].power-limit=200W", "expected [0] to [5]"},
                                         {"chassis[3].gpu.power-limit=200W", "expected [0] to [2]"},
                                         {"chassis[1].gpu[3].power-limit=200W", "expected [0] to [2]"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        wsk_plan *p = load_set(TWO, bad[i][0], WSK_EINPUT);
        assert_says(p, bad[i][1], 0, 0);
        wsk_plan_free(p);
    }
    wsk_plan *p = load_set(TWO, "chassis[2].slots=7", WSK_OK);
    assert_rel(((const wsk_chassis_params *)get(p->rig, "chassis", 2)->params)->slots, 7, 0);
    wsk_plan_free(p);
}

static void ids_are_unique_over_the_rig(void **state)
{
    (void)state;
    wsk_plan *p =
        load_set("<rig><chassis>" GPU(1, "id=\"a\"") "</chassis>\n<chassis>" GPU(1, "id=\"a\"") "</chassis></rig>",
                 NULL, WSK_EINPUT);
    assert_says(p, "the id \"a\" is already used by a <gpu> in line 1", 2, 44);
    wsk_plan_free(p);
    p = load("<rig><chassis>" GPU(1, "") GPU(3, "id=\"gpu2\"") "</chassis><chassis>" GPU(1, "")
                 GPU(3, "") "</chassis></rig>");
    assert_string_equal(get(get(p->rig, "chassis", 1), "gpu", 0)->id, "gpu1");
    assert_string_equal(get(get(p->rig, "chassis", 1), "gpu", 1)->id, "gpu3");
    wsk_plan_free(p);
    char many[2048] = "<rig>";
    for (int i = 0; i < 64; i++)
        strcat(many, "<chassis/>");
    strcat(many, "</rig>");
    wsk_plan_free(load(many));
    strcpy(strstr(many, "</rig>"), "\n<chassis/><chassis/></rig>");
    p = load_set(many, NULL, WSK_EINPUT);
    assert_says(p, "more than 64 <chassis> in <rig>", 2, 2);
    wsk_plan_free(p);
}

#define LOOPED \
    "<rig><chassis><fan part=\"fan/f\" at=\"rear\"/><loop part=\"loop/kit\"><pump kind=\"centrifugal\"/>" \
    "<radiator part=\"radiator/r\" at=\"front\"/></loop><loop kind=\"facility\"/>" \
    "<gpu part=\"gpu/wet\" slot=\"1\"/><gpu part=\"gpu/card\" slot=\"3\"><cooler part=\"cooler/better\" " \
    "covers=\"die\" loop=\"loop0\"/></gpu>" \
    "</chassis></rig>"

static void loops_are_built_from_parts(void **state)
{
    (void)state;
    wsk_plan *p = load(LOOPED);
    const wsk_elem *chassis = get(p->rig, "chassis", 0), *kit = get(chassis, "loop", 0);
    assert_int_equal(count(chassis, "loop"), 2);
    assert_string_equal(kit->id, "loop0");
    assert_string_equal(kit->kind->name, "closed");
    assert_string_equal(get(chassis, "loop", 1)->kind->name, "facility");
    assert_int_equal(count(kit, "pump"), 2);
    const wsk_pump_params *weak = get(kit, "pump", 0)->params, *strong = get(kit, "pump", 1)->params;
    assert_rel(weak->pressure_pa, 40000, 1e-12);
    assert_rel(strong->pressure_pa, 60000, 1e-12);
    /* strong.xml states no rpm: the value comes from its base part, generic-centrifugal.xml */
    assert_rel(strong->rpm, 4000, 1e-12);
    assert_string_equal(weak->head.elem->part, "pump/generic-centrifugal");
    assert_string_equal(weak->head.elem->id, "pump0");
    assert_string_equal(get(kit, "radiator", 1)->id, "radiator1");
    assert_int_equal(count(get(kit, "radiator", 0), "fan"), 1);
    const wsk_cooler_params *own = get(get(chassis, "gpu", 0), "cooler", 0)->params,
                            *other = get(get(chassis, "gpu", 1), "cooler", 0)->params;
    assert_rel(own->block_w_k, 80, 1e-12);
    assert_rel(own->block_drop_pa, 9000, 1e-12);
    assert_rel(other->block_w_k, 120, 1e-12);
    assert_rel(other->block_drop_pa, 12000, 1e-12);
    assert_int_equal(other->covers, 1);
    assert_string_equal(other->loop, "loop0");
    assert_string_equal(other->head.elem->part, "cooler/better");
    wsk_buf out = {0};
    wsk_plan_write_resolved(p, &out);
    wsk_plan *again = load(out.data);
    assert_true(again->digest == p->digest);
    wsk_buf_free(&out);
    wsk_plan_free(p), wsk_plan_free(again);
}

static void paths_tell_fans_apart(void **state)
{
    (void)state;
    static const struct {
        const char *set;
        int chassis, radiators; /* number of fans, of chassis and of radiators, that were set to 900 rpm */
    } cases[] = {{"chassis.fan.speed=900rpm", 1, 0},
                 {"chassis.fan[0].speed=900rpm", 1, 0},
                 {"radiator.fan.speed=900rpm", 0, 2},
                 {"radiator[1].fan.speed=900rpm", 0, 1},
                 {"loop[0].radiator[0].fan[0].speed=900rpm", 0, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        wsk_plan *p = load_set(LOOPED, cases[i].set, WSK_OK);
        const wsk_elem *chassis = get(p->rig, "chassis", 0), *kit = get(chassis, "loop", 0);
        int radiators = 0;
        for (int k = 0; k < 2; k++)
            radiators += !isnan(((const wsk_fan_params *)get(get(kit, "radiator", k), "fan", 0)->params)->speed_rpm);
        assert_int_equal(!isnan(((const wsk_fan_params *)get(chassis, "fan", 0)->params)->speed_rpm),
                         cases[i].chassis);
        assert_int_equal(radiators, cases[i].radiators);
        wsk_plan_free(p);
    }
    wsk_plan *p = load_set(LOOPED, "fan.speed=900rpm", WSK_EINPUT);
    assert_says(p, "expected one of chassis.fan.speed, chassis.loop.radiator.fan.speed", 0, 0);
    wsk_plan_free(p);
    p = load_set(LOOPED, "loop[0].pump[0].speed=3000rpm", WSK_OK);
    assert_rel(
        ((const wsk_pump_params *)get(get(get(p->rig, "chassis", 0), "loop", 0), "pump", 0)->params)->speed_rpm, 3000,
        1e-12);
    wsk_plan_free(p);
    p = load_set(LOOPED, "gpu[1].cooler=cooler/block", WSK_OK);
    const wsk_cooler_params *c = get(get(get(p->rig, "chassis", 0), "gpu", 1), "cooler", 0)->params;
    assert_rel(c->block_w_k, 80, 1e-12);
    wsk_plan_free(p);
}

static void mistakes_in_loops_are_told_at_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *inside, *says;
        int column; /* column of the mistake in line 2 of the text */
    } cases[] = {
        {"<loop kind=\"closd\"/>", "did you mean \"closed\"", 13},
        {"<loop><pmp/></loop>", "did you mean \"pump\"", 8},
        {"<pump part=\"pump/strong\"/>", "<pump> does not belong in <chassis>; expected in loop", 2},
        {"<loop kind=\"facility\"><pump part=\"pump/strong\"/></loop>", "<pump> does not belong in <loop>", 24},
        {"<loop><pump/></loop>", "<pump> lacks pressure, flow, rpm", 8},
        {"<loop><pump part=\"pump/storng\"/></loop>", "did you mean \"pump/strong\"", 19},
        {"<loop coolant=\"oil\"/>", "expected water, glycol-30", 16},
        {"<loop><radiator part=\"radiator/r\" direction=\"in\"/></loop>", "direction: \"in\" is unknown", 46},
        {"<gpu part=\"gpu/wet\" slot=\"1\"><cooler conductance=\"5 W\"/></gpu>",
         "is a power; expected a thermal conductance", 51},
        {"<gpu part=\"gpu/wet\" slot=\"1\"><cooler fan-rpm=\"5 rpm\"/></gpu>",
         "unknown attribute \"fan-rpm\" of <cooler> of kind water", 38},
        {"<gpu part=\"gpu/wet\" slot=\"1\" mount=\"-1\"/>", "mount: \"-1\" is out of range", 37},
        {"<fan part=\"fan/f\" sensor=\"gpus\"/>", "did you mean \"gpu\"", 27},
        {"<fan part=\"fan/f\" curve=\"40 degC:30 %, 30 degC:50 %\"/>", "is not above the one before", 26}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512];
        snprintf(text, sizeof text, "<rig><chassis>\n%s</chassis></rig>", cases[i].inside);
        wsk_plan *p = load_set(text, NULL, WSK_EINPUT);
        assert_says(p, cases[i].says, 2, cases[i].column);
        assert_int_equal(p->diags.errors, 1);
        wsk_plan_free(p);
    }
}

static void add_part(void *ctx, const char *id, const char *title)
{
    wsk_buf *out = ctx;
    wsk_buf_printf(out, "%s %s;", id, title ? title : "-");
}

static void families_are_listed(void **state)
{
    (void)state;
    wsk_buf out = {0};
    assert_int_equal(wsk_parts_list(folder, "pump", NULL, add_part, &out, NULL), WSK_OK);
    assert_string_equal(out.data, "pump/generic-centrifugal Some pump;pump/strong -;");
    wsk_buf_free(&out);
    wsk_arena *arena = wsk_arena_new();
    wsk_diags diags;
    wsk_diags_init(&diags, arena);
    out = (wsk_buf){0};
    wsk_lines lines = {.arena = arena};
    assert_int_equal(wsk_part_tell(NULL, folder, "loop/kit", &lines, &diags, &(bool){false}), WSK_OK);
    wsk_lines_write(&out, &lines, NULL, NULL);
    assert_non_null(strstr(out.data, "pump, kind centrifugal, part pump/strong"));
    assert_non_null(strstr(out.data, "fan, kind axial, part fan/f"));
    wsk_buf_free(&out);
    wsk_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_tower_is_implied_where_none_is_written),
        cmocka_unit_test(chassis_come_in_the_order_of_their_ids),
        cmocka_unit_test(ids_count_on_through_the_chassis),
        cmocka_unit_test(paths_reach_each_chassis),
        cmocka_unit_test(ids_are_unique_over_the_rig),
        cmocka_unit_test(loops_are_built_from_parts),
        cmocka_unit_test(paths_tell_fans_apart),
        cmocka_unit_test(mistakes_in_loops_are_told_at_their_place),
        cmocka_unit_test(families_are_listed),
    };
    return cmocka_run_group_tests(tests, make_parts, drop_parts);
}
