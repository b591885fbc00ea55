/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Define _XOPEN_SOURCE 700 before including this file. */
#ifndef WSK_TESTS_PLAN_FOLDER_H
#define WSK_TESTS_PLAN_FOLDER_H
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "sim/io/load.h"
#include "tests/unit/assert.h"

static char folder[256];

/* CPU time, s, within which every input, also a hostile one, must be loaded or refused. Sanitizers take several times
 * as long. */
#ifdef WSK_SANITIZED
#define SLOW_S 5.0
#else
#define SLOW_S 1.0
#endif

static inline void put_file(const char *name, const char *text)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

static inline void put_folder(const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_int_equal(mkdir(path, 0700), 0);
}

#define ANY "<source for=\"*\" kind=\"assumed\" ref=\"test\"/>"
#define COOLER \
    "<cooler kind=\"blower\" conductance=\"6 W/K\" flow=\"36 m3/h\" capacity=\"400 J/K\" fan-pressure=\"500 Pa\" " \
    "fan-flow=\"72 m3/h\" fan-rpm=\"5000 rpm\" fan-curve=\"30 degC:1000 rpm, 80 degC:4000 rpm\"/>"

static inline int make_parts(void **state)
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

static inline int drop_parts(void **state)
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

static inline wsk_plan *load_bytes(const char *text, size_t len, const char *const *sets, size_t count,
                                   wsk_status expect)
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

static inline wsk_plan *load(const char *text)
{
    return load_bytes(text, strlen(text), NULL, 0, WSK_OK);
}

static const wsk_diag *find(const wsk_plan *plan, const char *words)
{
    for (size_t i = 0; i < plan->diags.count; i++)
        if (strstr(plan->diags.items[i].message, words))
            return &plan->diags.items[i];
    return NULL;
}

#define CHASSIS(inside) \
    "<rig name=\"r\"><chassis part=\"chassis/tower\"><psu part=\"psu/gold\"/>" inside "</chassis></rig>"
#define CARDS "<gpu part=\"gpu/card\" slot=\"3\" power-limit=\"280W\"/><gpu part=\"gpu/card\" slot=\"1\"/>"

#endif
