/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "tests/unit/assert.h"
#include "wattsink.h"

static const char text[] =
    "<rig name=\"a &amp; b\"><chassis slots=\"8\" pitch=\"20.32 mm\"><psu part=\"psu/tier-gold-850\"/>"
    "<gpu part=\"gpu/rtx-3090-blower\" slot=\"5\"/><gpu part=\"gpu/rtx-3090-blower\" slot=\"1\"/>"
    "</chassis><workload class=\"burn\"/></rig>";

static wsk_rig *load(void)
{
    wsk_rig *rig = NULL;
    wsk_rig_options o = {.path = "-", .text = text, .text_len = sizeof text - 1, .parts_dir = "parts"};
    assert_int_equal(wsk_rig_load(&rig, &o), WSK_OK);
    return rig;
}

static void test_walk(void **state)
{
    (void)state;
    wsk_rig *rig = load();
    const wsk_elements *l = NULL;
    assert_int_equal(wsk_rig_elements(rig, &l), WSK_OK);
    assert_true(wsk_elements_is(l, 0, "rig"));
    assert_int_equal(l->items[0].parent, -1);
    assert_string_equal(wsk_elements_text(l, 0, "name"), "a & b");
    int first = wsk_elements_next(l, "gpu", -1, -1), second = wsk_elements_next(l, "gpu", first, -1);
    assert_string_equal(wsk_elements_id(l, first), "gpu1");
    assert_string_equal(wsk_elements_id(l, second), "gpu0");
    assert_int_equal(wsk_elements_next(l, "gpu", second, -1), -1);
    assert_int_equal(wsk_elements_find(l, "gpu0"), second);
    assert_true(wsk_elements_number(l, first, "tdp") == 350);
    assert_string_equal(wsk_elements_attribute(l, first, "tdp")->unit, "W");
    assert_string_equal(wsk_elements_attribute(l, first, "slot")->origin->from, "rig");
    assert_string_equal(wsk_elements_attribute(l, first, "tdp")->origin->from, "part");
    assert_true(l->items[first].traits & WSK_TRAIT_BOUGHT);
    int cooler = wsk_elements_next(l, "cooler", -1, second);
    assert_int_equal(l->items[cooler].parent, second);
    assert_int_equal(l->items[cooler].look->air, WSK_AIR_OUT);
    assert_false(l->items[cooler].traits & WSK_TRAIT_BOUGHT);
    assert_null(wsk_elements_text(l, -1, "name"));
    assert_true(isnan(wsk_elements_number(l, first, "nothing")));
    static const int outside[] = {-1, -7, INT_MIN, 1 << 20, INT_MAX};
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++) {
        assert_null(wsk_elements_attribute(l, outside[i], "tdp"));
        assert_null(wsk_elements_text(l, outside[i], "tdp"));
        assert_true(isnan(wsk_elements_number(l, outside[i], "tdp")));
        assert_string_equal(wsk_elements_id(l, outside[i]), "");
        assert_false(wsk_elements_is(l, outside[i], "gpu"));
        assert_int_equal(wsk_elements_next(l, "gpu", outside[i], -1), outside[i] < 0 ? first : -1);
    }
    assert_null(wsk_elements_text(l, l->count, "tdp"));
    wsk_elements_free(l);
    wsk_rig_free(rig);
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static void test_read_back(void **state)
{
    (void)state;
    wsk_rig *rig = load();
    const wsk_elements *a = NULL, *b = NULL;
    char *xml = NULL;
    assert_int_equal(wsk_rig_elements(rig, &a), WSK_OK);
    assert_int_equal(wsk_rig_resolved(rig, &xml), WSK_OK);
    assert_int_equal(wsk_elements_read(xml, strlen(xml), &b), WSK_OK);
    assert_int_equal(a->count, b->count);
    for (int i = 0; i < a->count; i++) {
        const wsk_element *p = &a->items[i], *q = &b->items[i];
        assert_string_equal(p->element, q->element);
        assert_string_equal(p->kind, q->kind);
        assert_string_equal(p->id, q->id);
        assert_true(same_text(p->part, q->part) && same_text(p->written, q->written));
        assert_int_equal(p->parent, q->parent);
        assert_int_equal(p->traits, q->traits);
        assert_ptr_equal(p->look, q->look);
        assert_int_equal(p->attribute_count, q->attribute_count);
        for (size_t k = 0; k < p->attribute_count; k++) {
            const wsk_origin_text *o = p->attributes[k].origin, *r = q->attributes[k].origin;
            assert_string_equal(p->attributes[k].name, q->attributes[k].name);
            assert_string_equal(p->attributes[k].text, q->attributes[k].text);
            assert_string_equal(o->from, r->from);
            assert_string_equal(o->kind, r->kind);
            assert_string_equal(o->ref, r->ref);
            assert_string_equal(o->spread, r->spread);
        }
    }
    wsk_elements_free(a);
    wsk_elements_free(b);
    wsk_text_free(xml);
    wsk_rig_free(rig);
}

static void test_refuses(void **state)
{
    (void)state;
    static const char *const bad[] = {"", "<rig", "<rig><a></rig>", "<gpu/>", "<rig name=\"<\"/>", "no"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const wsk_elements *l = NULL;
        assert_int_equal(wsk_elements_read(bad[i], strlen(bad[i]), &l), WSK_EINPUT);
        assert_null(l);
    }
    const wsk_elements *l = NULL;
    static const char odd[] = "<rig><toaster kind=\"hot\" watts=\"9 W\"/></rig>";
    assert_int_equal(wsk_elements_read(odd, sizeof odd - 1, &l), WSK_OK);
    assert_true(wsk_elements_number(l, 1, "watts") == 9);
    assert_int_equal(l->items[1].traits, 0);
    assert_string_equal(wsk_elements_attribute(l, 1, "watts")->origin->from, "");
    wsk_elements_free(l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_walk), cmocka_unit_test(test_read_back),
                                       cmocka_unit_test(test_refuses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
