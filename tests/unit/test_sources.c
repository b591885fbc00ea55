/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the values that a <source> is for, and the element of a part that an element of the rig overrides. */
#define _XOPEN_SOURCE 700
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/plans.h"
#include "tests/unit/assert.h"

static wsk_plan *load(const char *text, const char *folder, wsk_status expect)
{
    return wsk_test_plan((wsk_plan_input){.parts_dir = "parts", .extra_parts_dir = folder}, text, expect);
}

#define CLASS(name, p0) "<class name='" name "' p0='" p0 "' c='90 W/GHz' clock-share='80 %%'/>"
#define CARD(sources) \
    "<gpu id='g' slot='1' tdp='350 W' clock-max='2 GHz' clock-knee='1.3 GHz' voltage-slope='0.5 1/GHz'><cooler " \
    "kind='passive' conductance='9 W/K' flow='60 m3/h' capacity='400 J/K'/>" CLASS("training", "80 W") \
        CLASS("decode", "70 W") sources "</gpu>"

static void words_name_values(void **state)
{
    (void)state;
    static const struct {
        const char *word, *element, *attr;
        enum { NOTHING, OTHER, THIS } names; /* OTHER: the word names another value */
    } cases[] = {
        {"tdp", "gpu", "tdp", THIS},
        {"tdp", "gpu", "clock-max", OTHER},
        {"clock-max\n  tdp\t", "gpu", "tdp", THIS},
        {"*", "gpu", "tdp", THIS},
        {"*", "cooler", "flow", THIS},
        {"cooler.flow", "cooler", "flow", THIS},
        {"cooler.*", "cooler", "flow", THIS},
        {"cooler.flow", "cooler", "conductance", OTHER},
        {"flow", "cooler", "flow", NOTHING},
        {"class.p0", "class", "p0", THIS},
        {"class[training].p0", "class", "p0", THIS},
        {"class[0].p0", "class", "p0", THIS},
        {"class[1].p0", "class", "p0", OTHER},
        {"class[*].p0", "class", "p0", THIS},
        {"class[decode].p0", "class", "p0", OTHER},
        {"cooler[passive].flow", "cooler", "flow", THIS},
        {"class[decode.p0", "class", "p0", NOTHING},
        {"class[decode]p0", "class", "p0", NOTHING},
        {"class..p0", "class", "p0", NOTHING},
        {".p0", "class", "p0", NOTHING},
        {"gpu.cooler.flow", "cooler", "flow", NOTHING}, /* paths begin inside the element of the source */
        {"psu.flow", "cooler", "flow", NOTHING},
        {"a.b.c.d.e.f.g.h.i.j.flow", "cooler", "flow", NOTHING},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1200];
        snprintf(text, sizeof text,
                 "<rig><chassis part='chassis/mid-tower'>" CARD(
                     "<source for='%s' kind='measured' ref='here'/>") "</chassis></rig>",
                 cases[i].word);
        wsk_plan *plan = load(text, NULL, cases[i].names == NOTHING ? WSK_EINPUT : WSK_OK);
        const wsk_elem *e = wsk_test_find(plan->rig, cases[i].element);
        assert_true(cases[i].names != NOTHING || wsk_test_plan_says(plan, "a source for \""));
        const wsk_origin *o = &e->origins[wsk_kind_param(e->kind, cases[i].attr) - e->kind->params];
        if ((o->source && o->ref && strcmp(o->ref, "here") == 0) != (cases[i].names == THIS))
            fail_msg("\"%s\": %s.%s", cases[i].word, cases[i].element, cases[i].attr);
        wsk_plan_free(plan);
    }
}

/* Of several sources for a value the most exact one counts, in the order class[training].p0, class.p0, class.*, *. */
static void the_most_exact_word_counts(void **state)
{
    (void)state;
    static const char *const words[] = {"*", "class.*", "class.p0", "class[training].p0"};
    for (int last = 0; last < 4; last++)
        for (int turn = 0; turn < 2; turn++) {
            wsk_buf b = {0};
            char sources[400] = "";
            for (int k = 0; k <= last; k++) {
                const int i = turn ? last - k : k;
                const size_t n = strlen(sources);
                snprintf(sources + n, sizeof sources - n, "<source for='%s' kind='measured' ref='%d'/>", words[i], i);
            }
            wsk_buf_printf(&b, "<rig><chassis part='chassis/mid-tower'>" CARD("%s") "</chassis></rig>", sources);
            wsk_plan *plan = load(b.data, NULL, WSK_OK);
            const wsk_elem *e = wsk_test_find(plan->rig, "class");
            const char *ref = e->origins[wsk_kind_param(e->kind, "p0") - e->kind->params].ref;
            assert_int_equal(ref[0], '0' + last);
            wsk_plan_free(plan);
            wsk_buf_free(&b);
        }
}

static char folder[64];

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/wsk-sources-XXXXXX");
    return mkdtemp(folder) ? 0 : 1;
}

static int drop_folder(void **state)
{
    (void)state;
    static const char *const names[] = {"gpu/mine.xml", "gpu", ""};
    for (size_t i = 0; i < 3; i++) {
        char path[96];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        remove(path);
    }
    return 0;
}

static void mistakes_of_sources_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *source, *says;
    } cases[] = {
        {"<source for='*' kind='assumed'/>", "this source is incomplete"},
        {"<source for='*' kind='assumed' ref=''/>", "this source is incomplete"},
        {"<source for='*' ref='x'/>", "this source is incomplete"},
        {"<source kind='assumed' ref='x'/><source for='*' kind='assumed' ref='x'/>", "does not say for what"},
        {"<source for='*' kind='guessed' ref='x'/>", "unknown kind of source \"guessed\""},
        {"<source for='*' kind='assumed' ref='x' by='me'/>", "<source> has no attribute \"by\""},
        {"<source for='*' kind='assumed' ref='x' from='rig'/>", "<source> has no attribute \"from\""},
        {"<source for='* tpd' kind='assumed' ref='x'/>", "did you mean \"tdp\""},
        {"<source for='* class[burn].p0' kind='assumed' ref='x'/>", "a source for \"class[burn].p0\""},
        {"<source for='tdp' kind='assumed' ref='x'/>", "no source"},
    };
    char path[96];
    snprintf(path, sizeof path, "%s/gpu", folder);
    mkdir(path, 0700);
    snprintf(path, sizeof path, "%s/gpu/mine.xml", folder);
    for (size_t i = 0; i <= sizeof cases / sizeof *cases; i++) {
        const bool many = i == sizeof cases / sizeof *cases;
        FILE *f = fopen(path, "w");
        assert_non_null(f);
        fprintf(f, "<gpu tdp='350 W' clock-max='2 GHz' clock-knee='1.3 GHz' voltage-slope='0.5 1/GHz'><cooler "
                   "kind='passive' conductance='9 W/K' flow='60 m3/h' capacity='400 J/K'/>");
        if (many) {
            fprintf(f, "<source for='");
            for (int k = 0; k < 301; k++)
                fprintf(f, "* ");
            fprintf(f, "' kind='assumed' ref='x'/>");
        } else {
            fputs(cases[i].source, f);
        }
        fprintf(f, "</gpu>");
        assert_int_equal(fclose(f), 0);
        wsk_plan *plan =
            load("<rig><chassis part='chassis/mid-tower'><gpu part='gpu/mine' slot='1'/></chassis></rig>", folder,
                 WSK_EINPUT);
        const char *words = many ? "more than 300 words in the sources of <gpu>" : cases[i].says;
        if (!wsk_test_plan_says(plan, words))
            fail_msg("\"%s\" expected, not: %s", words, plan->diags.items[0].message);
        wsk_plan_free(plan);
    }
}

/* A fan without a part overrides the fan of the chassis part at its place, or the only fan. */
static void fans_of_a_part_are_overridden(void **state)
{
    (void)state;
    static const struct {
        const char *fan;
        int fans; /* 0: refused */
    } cases[] = {{"", 1},
                 {"<fan duty='60 %'/>", 1},
                 {"<fan at='wall' duty='60 %'/>", 1},
                 {"<fan at='front' duty='60 %'/>", 0},
                 {"<fan part='fan/arctic-p12' at='rear'/>", 2},
                 {"<fan at='rear' pressure='9 Pa' flow='90 m3/h' rpm='900 rpm'/>", 2},
                 {"<fan part='fan/arctic-p12' at='rear'/><fan at='wall' duty='60 %'/>", 2},
                 {"<fan part='fan/arctic-p12' at='rear'/><fan duty='60 %'/>", 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[600];
        snprintf(text, sizeof text, "<rig><chassis part='chassis/server-4u-8gpu'>%s</chassis></rig>", cases[i].fan);
        wsk_plan *plan = load(text, NULL, cases[i].fans ? WSK_OK : WSK_EINPUT);
        if (cases[i].fans && wsk_test_count(plan->rig, "fan") != cases[i].fans)
            fail_msg("%s: %d fans", cases[i].fan, wsk_test_count(plan->rig, "fan"));
        if (!cases[i].fans)
            assert_true(wsk_test_plan_says(plan, "<fan> lacks"));
        wsk_plan_free(plan);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_name_values),
        cmocka_unit_test(the_most_exact_word_counts),
        cmocka_unit_test(mistakes_of_sources_are_told),
        cmocka_unit_test(fans_of_a_part_are_overridden),
    };
    return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
