/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Assignments that add, remove and replace elements, and assignments that are refused with a message. */
#include <math.h>
#include <string.h>

#include "sim/net/gpu.h"
#include "tests/support/plans.h"
#include "tests/unit/assert.h"

static const char rig[] =
    "<rig><site supply='230 V'/><chassis part='chassis/mid-tower'><loop part='loop/custom-360'/><gpu "
    "part='gpu/rtx-3090' slot='1'/><psu part='psu/tier-gold-1600'/></chassis><workload kind='inference'><model "
    "part='model/llama-3-8b'/></workload><run for='1 h'/></rig>";

static wsk_plan *load(const char *text, const char *set, wsk_status expect)
{
    return wsk_test_plan((wsk_plan_input){.parts_dir = "parts", .sets = &set, .set_count = set ? 1 : 0}, text,
                         expect);
}

static void what_cannot_be_set_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *set, *says;
    } cases[] = {
        {"loop.radiator.fan+=fan/arctic-p12 at=rear", "comes with a part; expected one that is written in the rig"},
        {"loop.radiator=radiator/generic-280", "comes with a part; expected one that is written in the rig"},
        {"gpu.governor[slowdown]=none", "comes with a part; expected one that is written in the rig"},
        {"vent=none", "comes with a part; expected one that is written in the rig"},
        {"chassis.gpu+=gpu/rtx-3090 gpu/rtx-4090", "an added <gpu> has one part"},
        {"chassis.gpu+=", "<gpu> lacks slot"},
        {"xyz+=gpu/rtx-3090", "no element of the rig holds <xyz>"},
        {"workload.model=xyz", "there is no part \"xyz\""},
        {"part=x", "there are no parts for <rig>"},
        {"kind=x", "unknown kind \"x\" of <rig>"},
        {"rig=3", "there is no <rig> in <rig>"},
        {"gpu[].power=2W", "the path cannot be read"},
        {"gpu[0]x=3", "the path cannot be read"},
        {"gpu[0", "this is not PATH=VALUE"},
        {".=3", "the path cannot be read"},
        {"=3", "this is not PATH=VALUE"},
        {"gpu.class[foo].p0=3W", "there is no class[foo]"},
        {"gpu[9].power=2W", "there is no gpu[9]; expected [0] to [0]"},
        {"gpu.slot.x=3", "nothing in <gpu> is called \"slot\"; expected cooler"},
        {"chassis.gpu0.slot=3", "did you mean \"chassis.gpu[gpu0].slot\""},
        {"gpu.id=a b", "\"a b\" cannot be an id"},
        {"id=", "\"\" cannot be an id"},
        {"gpu.id=\xFF", "a byte that is not UTF-8"},
        {"workload.kind=training", "<model> does not belong in <workload>"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        wsk_plan *plan = load(rig, cases[i].set, WSK_EINPUT);
        assert_int_equal(plan->diags.errors, 1);
        if (!strstr(plan->diags.items[0].message, cases[i].says))
            fail_msg("%s: \"%s\" expected, not: %s", cases[i].set, cases[i].says, plan->diags.items[0].message);
        wsk_plan_free(plan);
    }
}

/* Number of elements, and part of the first, after an assignment to the rig and to the resolved rig. */
static void elements_come_and_go(void **state)
{
    (void)state;
    static const struct {
        const char *set, *element;
        int count;
        const char *part;
    } cases[] = {
        {"chassis.gpu+=gpu/rtx-4090  slot=4", "gpu", 2, "gpu/rtx-3090"},
        {"chassis.fan+=fan/arctic-p12 at=rear count=2", "fan", 2, NULL},
        {"gpu=none", "gpu", 0, NULL},
        {"psu=none", "psu", 0, NULL},
        {"loop=none", "loop", 0, NULL},
        {"workload.model=model/llama-3.1-8b", "model", 1, "model/llama-3.1-8b"},
        {"model=model/llama-3.1-8b", "model", 1, "model/llama-3.1-8b"},
        {"workload.model=none", "model", 0, NULL},
        {"cooler=cooler/aio-240", "cooler", 1, "cooler/aio-240"},
        {"gpu.cooler.kind=open-air", "cooler", 1, NULL},
        {"loop.volume=2 l", "loop", 1, "loop/custom-360"},
    };
    wsk_plan *plain = load(rig, NULL, WSK_OK);
    wsk_buf b = {0};
    wsk_plan_write_resolved(plain, &b);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int resolved = 0; resolved < 2; resolved++) {
            wsk_plan *plan = load(resolved ? b.data : rig, cases[i].set, WSK_OK);
            const wsk_elem *e = wsk_test_find(plan->rig, cases[i].element);
            if (wsk_test_count(plan->rig, cases[i].element) != cases[i].count ||
                (cases[i].part && (!e || !e->part || strcmp(e->part, cases[i].part) != 0)))
                fail_msg("%s, %s: %d <%s>, the first of %s", cases[i].set, resolved ? "resolved" : "written",
                         wsk_test_count(plan->rig, cases[i].element), cases[i].element,
                         e && e->part ? e->part : "no part");
            wsk_plan_free(plan);
        }
    wsk_buf_free(&b);
    wsk_plan_free(plain);
}

/* An assignment to an element that a later assignment removes has no effect. By an index such as gpu[0] it would
 * otherwise reach the element that takes the index. */
static void values_go_with_their_element(void **state)
{
    (void)state;
    static const char two[] = "<rig><site supply='230 V'/><chassis part='chassis/mid-tower'><gpu part='gpu/rtx-3090' "
                              "slot='1'/><gpu part='gpu/rtx-3090' slot='4'/></chassis><run for='1 h'/></rig>";
    static const char *const cases[][4] = {
        {"gpu[1].power-limit=200 W", "gpu[gpu1].cooler.conductance=9 W/K", "gpu[1]=none", "gpu0"},
        {"gpu[gpu1].fan-fails-at=0 s", "gpu[gpu1].power-limit=200 W", "gpu[gpu1]=none", "gpu0"},
        {"gpu[0].fan-fails-at=0 s", "gpu[0].power-limit=200 W", "gpu[0]=none", "gpu1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        wsk_plan *plan =
            wsk_test_plan((wsk_plan_input){.parts_dir = "parts", .sets = cases[i], .set_count = 3}, two, WSK_OK);
        const wsk_elem *gpu = wsk_test_find(plan->rig, "gpu");
        assert_int_equal(wsk_test_count(plan->rig, "gpu"), 1);
        const wsk_gpu_params *p = gpu->params;
        assert_true(!(p->limit_w == 200) && isnan(p->fan_fails_s));
        wsk_plan_free(plan);
    }
}

/* The rig file has no line for an element that comes from a part. If an assignment makes it the rig's own, messages name
 * the line of its parent. */
static void an_element_of_a_part_stands_at_its_parent(void **state)
{
    (void)state;
    static const char lines[] = "<rig>\n<site supply='230 V'/>\n<chassis part='chassis/mid-tower'>\n"
                                "  <gpu part='gpu/rtx-3090' slot='1'/>\n</chassis>\n<run for='1 h'/></rig>";
    wsk_plan *plan = load(lines, "gpu.cooler.kind=open-air", WSK_OK);
    const wsk_elem *gpu = wsk_test_find(plan->rig, "gpu"), *cooler = wsk_test_find(plan->rig, "cooler");
    assert_int_equal(gpu->line, 4);
    assert_int_equal(cooler->line, gpu->line);
    assert_int_equal(cooler->column, gpu->column);
    assert_string_equal(cooler->file, gpu->file);
    wsk_plan_free(plan);
}

/* An assignment that cannot be made is told once, also if a later one removes elements. */
static void a_mistake_before_a_removal_is_told_once(void **state)
{
    (void)state;
    static const char *const mistakes[] = {"gpu[9].power=2W", "gpu[].power=2W", "xyz.power=2W"};
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        const char *const sets[] = {mistakes[i], "psu=none"};
        wsk_plan *plan =
            wsk_test_plan((wsk_plan_input){.parts_dir = "parts", .sets = sets, .set_count = 2}, rig, WSK_EINPUT);
        assert_int_equal(plan->diags.errors, 1);
        assert_int_equal(plan->diags.count, 1);
        wsk_plan_free(plan);
    }
}

/* 400 bytes of an assignment are shown; of a longer one the beginning, and dots. */
static void a_long_assignment_is_cut(void **state)
{
    (void)state;
    for (int size = 399; size <= 401; size++) {
        char set[402] = "gpu.id=", shown[410];
        memset(set + 7, '?', (size_t)size - 7);
        snprintf(shown, sizeof shown, "%.400s%s", set, size > 400 ? "..." : "");
        wsk_plan *plan = load(rig, set, WSK_EINPUT);
        const char *told = strstr(plan->diags.items[0].message, shown);
        assert_non_null(told);
        assert_null(strchr("?.", told[strlen(shown)]));
        wsk_plan_free(plan);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_cannot_be_set_is_told),
        cmocka_unit_test(elements_come_and_go),
        cmocka_unit_test(values_go_with_their_element),
        cmocka_unit_test(an_element_of_a_part_stands_at_its_parent),
        cmocka_unit_test(a_mistake_before_a_removal_is_told_once),
        cmocka_unit_test(a_long_assignment_is_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
