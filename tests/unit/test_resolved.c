/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Assignments of parts and kinds to a resolved rig: elements of its old parts go, and values of the rig itself stay. */
#define _XOPEN_SOURCE 700
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "tests/support/plans.h"
#include "tests/unit/assert.h"

static wsk_plan *load(const char *text, const char *set)
{
    return wsk_test_plan((wsk_plan_input){.parts_dir = "parts", .sets = &set, .set_count = set ? 1 : 0}, text,
                         WSK_OK);
}

static char *resolve(const wsk_plan *plan)
{
    wsk_buf b = {0};
    wsk_plan_write_resolved(plan, &b);
    assert_false(b.failed);
    return b.data;
}

/* Removes each attribute written="...", which rigs resolved by an old version lack. */
static void remove_written(char *text)
{
    for (char *at; (at = strstr(text, " written=\"")) != NULL;) {
        const char *end = strchr(at + 10, '"') + 1;
        memmove(at, end, strlen(end) + 1);
    }
}

#define RIG(site, inside) \
    "<rig><site supply=\"230 V\">" site "</site><chassis part=\"chassis/mid-tower\">" inside \
    "<psu part=\"psu/tier-gold-1600\"/></chassis></rig>"

static const struct {
    const char *text, *set;
} cases[] = {
    {RIG("", "<gpu part=\"gpu/rtx-3090\" slot=\"1\"/>"), "gpu.part=gpu/rtx-4090"},
    {RIG("", "<gpu part=\"gpu/rtx-3090\" slot=\"1\"/>"), "gpu=gpu/rtx-4090"},
    {RIG("", "<gpu part=\"gpu/rtx-3090\" slot=\"1\" tdp=\"300 W\"><class name=\"decode\" p0=\"77 W\"/></gpu>"),
     "gpu.part=gpu/rtx-4090"},
    {RIG("", "<gpu part=\"gpu/rtx-3090\" slot=\"1\"><cooler recess=\"9 mm\"/></gpu>"), "gpu.part=gpu/rtx-4090"},
    {RIG("", "<gpu part=\"gpu/rtx-3090\" slot=\"1\"/>"), "gpu.cooler.part=cooler/aio-240"},
    {RIG("", "<gpu part=\"gpu/rtx-3090\" slot=\"1\"/>"), "gpu.cooler=cooler/aio-240"},
    {RIG("", "<gpu part=\"gpu/rtx-3090\" slot=\"1\"/>"), "chassis.part=chassis/fractal-torrent"},
    {RIG("", "<gpu part=\"gpu/rtx-3090\" slot=\"1\"/><fan part=\"fan/arctic-p12\" at=\"top\"/>"),
     "chassis.part=chassis/fractal-torrent"},
    {RIG("<tariff part=\"tariff/pge-ev2-a\"/>", "<gpu part=\"gpu/rtx-3090\" slot=\"1\"/>"),
     "tariff.part=tariff/flat-de"},
    {RIG("<tariff part=\"tariff/pge-ev2-a\"/>", "<gpu part=\"gpu/rtx-3090\" slot=\"1\"/>"),
     "tariff=tariff/de-low-voltage-demand"},
    {RIG("", "<gpu part=\"gpu/v100-pcie\" slot=\"1\"><governor kind=\"slowdown\" dwell=\"20 s\"/></gpu>"),
     "gpu=gpu/p100-pcie"},
    {RIG("", "<gpu part=\"gpu/v100-pcie\" slot=\"1\"><cooler kind=\"blower\" part=\"cooler/generic-blower\"/></gpu>"),
     "gpu=gpu/p100-pcie"},
    {RIG("", "<gpu part=\"gpu/rtx-3090\" slot=\"1\"><class name=\"training\" p0=\"99 W\"/></gpu>"),
     "gpu=gpu/rtx-3080"},
    {RIG("", "<loop id=\"l\" part=\"loop/custom-360\"><pump part=\"pump/ddc-3-1\"/></loop><gpu part=\"gpu/rtx-3090\" "
             "slot=\"1\"><cooler part=\"cooler/block-rtx-3090\" loop=\"l\"/></gpu>"),
     "loop=loop/custom-2x360"},
    {"<rig><site supply=\"230 V\"/><chassis id=\"c\" part=\"chassis/server-4u-8gpu\"><vent at=\"rear\" area=\"9 "
     "cm2\"/><psu "
     "part=\"psu/tier-gold-1600\"/></chassis></rig>",
     "chassis=chassis/mid-tower-mesh"},
    {"<rig><site supply=\"230 V\"/><chassis part=\"chassis/server-4u-8gpu\"><fan part=\"fan/generic-92x38-11500\" "
     "at=\"wall\" "
     "count=\"2\"/><psu part=\"psu/tier-gold-1600\"/></chassis></rig>",
     "chassis=chassis/server-2u-4gpu"},
    {RIG("", "<gpu part=\"gpu/rtx-3090\" slot=\"1\"/>"), "gpu.part=gpu/titan-rtx"},
};

static void assignments_to_resolved_rigs_work_as_to_the_rig(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        wsk_plan *plain = load(cases[i].text, NULL), *set = load(cases[i].text, cases[i].set);
        char *text = resolve(plain), *want = resolve(set);
        wsk_plan *again = load(text, cases[i].set);
        char *got = resolve(again);
        if (set->digest == plain->digest)
            fail_msg("case %zu: %s changes nothing", i, cases[i].set);
        if (again->digest != set->digest || strcmp(got, want) != 0)
            fail_msg("case %zu: %s changes the resolved rig otherwise than the rig", i, cases[i].set);
        free(text), free(want), free(got);
        wsk_plan_free(plain), wsk_plan_free(set), wsk_plan_free(again);
    }
}

/* A cooler that an assignment gave stays under a new card, although the rig was resolved in between. */
static void assigned_parts_count_as_written(void **state)
{
    (void)state;
    static const char rig[] = RIG("", "<gpu part=\"gpu/rtx-3090\" slot=\"1\"/>"),
                      cooler[] = "gpu.cooler=cooler/aio-240";
    wsk_plan *plain = load(rig, NULL);
    char *first = resolve(plain);
    wsk_plan *cooled = load(first, cooler);
    char *second = resolve(cooled);
    wsk_plan *last = load(second, "gpu=gpu/rtx-4090");
    char *text = resolve(last);
    assert_non_null(strstr(text, "<cooler id=\"cooler0\" part=\"cooler/aio-240\" written=\"part\""));
    free(first), free(second), free(text);
    wsk_plan_free(plain), wsk_plan_free(cooled), wsk_plan_free(last);
}

/* A value that an assignment gave to an element of the old part is the rig's own, so it stays under a new part. */
static void assigned_values_stay(void **state)
{
    (void)state;
    static const char rig[] = RIG("", "<gpu part=\"gpu/rtx-3090\" slot=\"1\"/>");
    static const char *const sets[] = {"gpu.cooler.recess=4.5mm", "gpu.class[decode].clock-share=61%"};
    static const char *const stays[] = {" recess=\"4.5 mm\"", " clock-share=\"61 %\""};
    for (size_t i = 0; i < 2; i++) {
        wsk_plan *set = load(rig, sets[i]);
        char *first = resolve(set);
        wsk_plan *again = load(first, "gpu=gpu/rtx-4090");
        char *second = resolve(again);
        if (!strstr(second, stays[i]))
            fail_msg("%s is lost", sets[i]);
        free(first), free(second);
        wsk_plan_free(set), wsk_plan_free(again);
    }
}

/* Without written=, id, part and kind of each element count as the rig's own; values of the old part still go. */
static void rigs_of_an_old_version_take_new_parts(void **state)
{
    (void)state;
    static const char rig[] = RIG("", "<gpu part=\"gpu/rtx-3090\" slot=\"1\" tdp=\"300 W\"/>");
    wsk_plan *plain = load(rig, NULL), *set = load(rig, "gpu.part=gpu/rtx-4090");
    char *text = resolve(plain);
    remove_written(text);
    wsk_plan *same = load(text, NULL), *again = load(text, "gpu.part=gpu/rtx-4090");
    assert_true(same->digest == plain->digest);
    assert_true(again->digest == set->digest);
    wsk_plan_free(plain), wsk_plan_free(set), wsk_plan_free(same), wsk_plan_free(again);
    free(text);
}

static const wsk_elem *child_of(const wsk_elem *e, const wsk_elem *like)
{
    int before = 0;
    for (const wsk_elem *c = like->parent->child; c != like; c = c->next)
        before += strcmp(c->kind->element, like->kind->element) == 0;
    const wsk_elem *c = wsk_elem_child(e, like->kind->element, NULL);
    while (before-- > 0)
        c = wsk_elem_child(e, like->kind->element, c);
    return c;
}

/* Asserts that two elements have the same kind, and the same values but ids, and so have their children. */
static void assert_alike(const wsk_elem *a, const wsk_elem *b)
{
    assert_ptr_equal(a->kind, b->kind);
    for (const wsk_param *p = a->kind->params; p->name; p++) {
        wsk_buf x = {0}, y = {0};
        const size_t at = (size_t)(p - a->kind->params);
        const bool there = wsk_value_write(&x, p, &a->origins[at], (const char *)a->params + p->offset);
        if (there != wsk_value_write(&y, p, &b->origins[at], (const char *)b->params + p->offset) ||
            (there && strcmp(x.data, y.data) != 0))
            fail_msg("%s of <%s>: %s, not %s", p->name, a->kind->element, y.data, x.data);
        wsk_buf_free(&x), wsk_buf_free(&y);
    }
    for (const wsk_elem *c = a->child; c; c = c->next) {
        const wsk_elem *d = child_of(b, c);
        if (!d)
            fail_msg("<%s> has no <%s>", a->kind->element, c->kind->element);
        assert_alike(c, d);
    }
}

/* Checks that each level is indented by two blanks, and that an end tag has the indent of its start tag. */
static void assert_indented(const char *xml)
{
    int depth = 0;
    for (const char *line = strchr(xml, '\n'); line && line[1]; line = strchr(line + 1, '\n')) {
        const int blanks = (int)strspn(line + 1, " ");
        const char *tag = line + 1 + blanks;
        depth -= tag[1] == '/';
        if (*tag != '<' || blanks != 2 * depth)
            fail_msg("%d blanks at depth %d: %.40s", blanks, depth, tag);
        depth += tag[1] != '/' && strchr(tag, '>')[-1] != '/';
    }
    assert_int_equal(depth, 0);
}

/* A part that is written from a card of a rig, as calibrate writes it, gives the same card. */
static void a_card_becomes_a_part(void **state)
{
    (void)state;
    static const char *const cards[] = {
        "<gpu part=\"gpu/rtx-3090\" slot=\"1\" tdp=\"300 W\"/>",
        "<gpu part=\"gpu/rtx-3090\" slot=\"1\"><cooler part=\"cooler/aio-240\"/></gpu>",
        "<gpu part=\"gpu/rtx-3090\" slot=\"1\"><cooler recess=\"4 mm\"/><class name=\"decode\" p0=\"71 W\"/></gpu>",
        "<gpu part=\"gpu/v100-pcie\" slot=\"1\"><governor kind=\"slowdown\" dwell=\"20 s\"/><governor "
        "kind=\"memory-limit\" hysteresis=\"3 K\"/></gpu>",
        "<gpu part=\"gpu/rtx-3090\" slot=\"1\"><cooler kind=\"passive\" conductance=\"9 W/K\" flow=\"60 m3/h\" "
        "capacity=\"400 J/K\"/></gpu>"};
    char folder[] = "/tmp/wsk-resolved-XXXXXX", family[64], path[80];
    assert_non_null(mkdtemp(folder));
    snprintf(family, sizeof family, "%s/gpu", folder);
    snprintf(path, sizeof path, "%s/mine.xml", family);
    assert_int_equal(mkdir(family, 0700), 0);
    for (size_t i = 0; i < sizeof cards / sizeof *cards; i++) {
        char text[800];
        snprintf(text, sizeof text, RIG("", "%s"), cards[i]);
        wsk_plan *plan = load(text, NULL);
        const wsk_elem *gpu = wsk_elem_child(wsk_elem_child(plan->rig, "chassis", NULL), "gpu", NULL);
        wsk_buf b = {0};
        wsk_plan_write_part(gpu, "Mine", &b);
        wsk_buf_put(&b, "", 1);
        assert_indented(b.data);
        FILE *f = fopen(path, "w");
        assert_non_null(f);
        assert_true(fputs(b.data, f) >= 0 && fclose(f) == 0);
        static const char rig[] = RIG("", "<gpu part=\"gpu/mine\" slot=\"1\"/>");
        const wsk_plan_input in = {.path = "rig.xml",
                                   .text = rig,
                                   .text_len = sizeof rig - 1,
                                   .parts_dir = "parts",
                                   .extra_parts_dir = folder};
        wsk_plan *again = NULL;
        if (wsk_plan_load(&again, &in) != WSK_OK)
            fail_msg("%s: %s", b.data, again->diags.items[0].message);
        assert_alike(gpu, wsk_elem_child(wsk_elem_child(again->rig, "chassis", NULL), "gpu", NULL));
        wsk_buf_free(&b);
        wsk_plan_free(plan), wsk_plan_free(again);
    }
    remove(path), remove(family), remove(folder);
}

static void words_are_read_without_regard_to_case(void **state)
{
    (void)state;
    static const char *const own = "<gpu part=\"gpu/rtx-3090\" slot=\"1\"><class name=\"%s\" p0=\"77 W\"/></gpu>",
                             *const words[2][5] = {{"Decode", "Front", "DECODE", "q4_k_m", "vLLM"},
                                                   {"decode", "front", "decode", "Q4_K_M", "vllm"}};
    char *resolved[2], text[2000], gpu[200];
    for (int i = 0; i < 2; i++) {
        const char *const *w = words[i];
        snprintf(gpu, sizeof gpu, own, w[0]);
        snprintf(text, sizeof text,
                 "<rig><site supply=\"230 V\"/><chassis part=\"chassis/mid-tower\">%s<fan part=\"fan/arctic-p12\" "
                 "at=\"%s\"/><psu part=\"psu/tier-gold-1600\"/></chassis><workload kind=\"inference\" class=\"%s\" "
                 "quant=\"%s\" engine=\"%s\" model=\"model/llama-3.1-8b\"/></rig>",
                 gpu, w[1], w[2], w[3], w[4]);
        wsk_plan *plan = load(text, NULL);
        resolved[i] = resolve(plan);
        wsk_plan_free(plan);
    }
    assert_string_equal(resolved[0], resolved[1]);
    free(resolved[0]), free(resolved[1]);
}

static void no_two_words_differ_by_case_alone(void **state)
{
    (void)state;
    for (const wsk_kind *const *k = wsk_kinds; *k; k++)
        for (const wsk_param *p = (*k)->params; p->name; p++)
            for (int a = 0; p->type == WSK_TYPE_CHOICE && p->choices[a]; a++)
                for (int b = 0; b < a; b++)
                    if (strcasecmp(p->choices[a], p->choices[b]) == 0)
                        fail_msg("%s of <%s>: %s and %s", p->name, (*k)->element, p->choices[a], p->choices[b]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(assignments_to_resolved_rigs_work_as_to_the_rig),
        cmocka_unit_test(assigned_parts_count_as_written),
        cmocka_unit_test(a_card_becomes_a_part),
        cmocka_unit_test(assigned_values_stay),
        cmocka_unit_test(rigs_of_an_old_version_take_new_parts),
        cmocka_unit_test(words_are_read_without_regard_to_case),
        cmocka_unit_test(no_two_words_differ_by_case_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
