/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/io/plan.h"
#include "sim/net/psu.h"
#include "tests/unit/assert.h"

enum { UNITS_MAX = 1024 };
typedef struct {
    char ids[UNITS_MAX][96];
    int count;
} list;

static void take(void *ctx, const char *id, const char *title)
{
    list *l = ctx;
    (void)title;
    assert_true(l->count < UNITS_MAX);
    snprintf(l->ids[l->count++], sizeof l->ids[0], "%s", id);
}

static const double loads[4] = {0.1, 0.2, 0.5, 1};

static void check_law(const char *id, const wsk_psu_params *psu, const wsk_psu_ops *ops, double volt)
{
    wsk_psu_law law;
    ops->prepare(psu, volt, &law);
    double before = ops->input_w(&law, 0);
    if (!(before >= 0 && before < 0.05 * psu->rated_w))
        fail_msg("%s: %g W in without load", id, before);
    for (int i = 1; i <= 2200; i++) {
        double out = psu->rated_w * i / 2000, in = ops->input_w(&law, out), va = wsk_psu_va(&law, in);
        if (!(in > before && out < in && va >= in * (1 - 1e-12)))
            fail_msg("%s at %g V: %.6g W in, %.6g VA, at %.2f %% load", id, volt, in, va, i * 0.05);
        before = in;
    }
    for (int p = 0; p < 4 && volt == 115; p++)
        assert_near(psu->rated_w * loads[p] / ops->input_w(&law, psu->rated_w * loads[p]), psu->eff[p], 1e-9);
    if (!(law.limit_w > 0 && law.limit_w <= psu->rated_w))
        fail_msg("%s may give %g W at %g V", id, law.limit_w, volt);
}

/* Power factor of server PSUs at 230 V, from Artesyn's data sheets: CSU and CSV above 0.9 from 10 % load, DS1600 and
 * DS2400 above 0.9 from 20 % load, DS3000TE above 0.98 at full load. The checked PSU must be above 0.9 from 10 % load
 * and above 0.98 at full load. */
static void check_server(const char *id, const wsk_psu_params *psu, const wsk_psu_ops *ops)
{
    wsk_psu_law law;
    ops->prepare(psu, 230, &law);
    for (int i = 1; i <= 10; i++) {
        double in = ops->input_w(&law, 0.1 * psu->rated_w * i), pf = in / wsk_psu_va(&law, in);
        if (!(pf > (i < 10 ? 0.9 : 0.98)))
            fail_msg("%s: power factor %.3f at %d0 %% load", id, pf, i);
    }
}

/* Minimum efficiency of each 80 PLUS rating at 20, 50 and 100 % load: internal PSUs at 115 V, redundant server PSUs
 * at 230 V. */
static void check_badge(const char *id, const wsk_psu_params *psu, bool redundant)
{
    static const struct {
        const char *tier;
        double asks[3], redundant[3];
    } badges[] = {{"White", {0.80, 0.80, 0.80}, {0}},
                  {"Bronze", {0.82, 0.85, 0.82}, {0.81, 0.85, 0.81}},
                  {"Silver", {0.85, 0.88, 0.85}, {0.85, 0.89, 0.85}},
                  {"Gold", {0.87, 0.90, 0.87}, {0.88, 0.92, 0.88}},
                  {"Platinum", {0.90, 0.92, 0.89}, {0.90, 0.94, 0.91}},
                  {"Titanium", {0.92, 0.94, 0.90}, {0.94, 0.96, 0.91}}};
    for (size_t k = 0; psu->tier && k < sizeof badges / sizeof *badges; k++)
        for (int p = 0; p < 3 && strcmp(badges[k].tier, psu->tier) == 0; p++) {
            double asks = redundant ? badges[k].redundant[p] : badges[k].asks[p],
                   has = redundant ? psu->eff230[1 + p] : psu->eff[1 + p];
            if (!(has >= asks - 1e-9))
                fail_msg("%s: %.2f %% at %.0f %% load, and its badge asks for %.0f %%", id, 100 * has,
                         100 * loads[1 + p], 100 * asks);
        }
}

/* A rig that states another rating scales the curve of its part by it. */
static void check_line_rating(const char *id, const wsk_psu_params *psu)
{
    double most_w = 0;
    for (int i = 0; i < psu->line_rating.count; i++)
        most_w = fmax(most_w, psu->line_rating.y[i]);
    if (psu->line_rating.count && most_w != psu->rated_w)
        fail_msg("%s: line-rating of %g W at most, rated %g W", id, most_w, psu->rated_w);
}

static void count(int *n, const wsk_psu_params *psu, const wsk_elem *e, const char *id)
{
    static const char *const tiers[] = {"White", "Bronze", "Silver", "Gold", "Platinum", "Titanium", "Ruby"};
    bool class = strncmp(id, "psu/tier-", 9) == 0 || strncmp(id, "psu/server-", 11) == 0 ||
                 strncmp(id, "psu/cybenetics-", 15) == 0;
    const wsk_origin *eff = wsk_elem_origin(e, "efficiency-50");
    if (!class && psu->rated_w >= 450 && psu->rated_w <= 1650 && eff->source && strcmp(eff->source, "measured") == 0)
        n[0]++;
    for (int k = 0; k < 7; k++)
        n[1 + k] += psu->tier && strcmp(psu->tier, tiers[k]) == 0 && (k == 6 || !class);
    n[8] += psu->tier && strncmp(psu->tier, "Cybenetics", 10) == 0;
    n[9] += class && psu->spread > 0;
    n[10] += psu->rated_w >= 2000;
    if (class && !(psu->spread > 0))
        fail_msg("%s states no spread", id);
    if (!(eff->source && strcmp(eff->source, "measured") == 0) &&
        !(eff->spread && (psu->spread > 0 || strncmp(eff->spread, "+-", 2) == 0)))
        fail_msg("%s: nobody measured its points, and they state no spread in points", id);
    check_line_rating(id, psu);
    check_badge(id, psu, strncmp(id, "psu/server-", 11) == 0);
    const wsk_origin *price = wsk_elem_origin(e, "price");
    if (!(psu->price > 0) && !(price->ref && strncmp(price->ref, "in the price of gpu/", 20) == 0))
        fail_msg("%s has no price", id);
}

static void every_unit(void **state)
{
    (void)state;
    static const double volts[] = {100, 115, 120, 208, 230, 240};
    list *l = calloc(1, sizeof *l);
    int n[11] = {0};
    assert_non_null(l);
    assert_int_equal(wsk_parts_list("parts", "psu", NULL, take, l, NULL), WSK_OK);
    for (int i = 0; i < l->count; i++) {
        char text[256];
        snprintf(text, sizeof text, "<rig><chassis><psu part='%s'/></chassis></rig>", l->ids[i]);
        wsk_plan_input in = {.path = "-", .text = text, .text_len = strlen(text), .parts_dir = "parts"};
        wsk_plan *plan = NULL;
        if (wsk_plan_load(&plan, &in) != WSK_OK)
            fail_msg("%s does not load", l->ids[i]);
        const wsk_elem *psu = wsk_elem_child(wsk_elem_child(plan->rig, "chassis", NULL), "psu", NULL);
        assert_non_null(psu);
        for (size_t k = 0; k < sizeof volts / sizeof *volts; k++)
            check_law(l->ids[i], psu->params, psu->kind->ops, volts[k]);
        if (strncmp(l->ids[i], "psu/server-", 11) == 0)
            check_server(l->ids[i], psu->params, psu->kind->ops);
        count(n, psu->params, psu, l->ids[i]);
        wsk_plan_free(plan);
    }
    free(l);
    print_message(
        "measured units of 450-1650 W: %d; White %d, Bronze %d, Silver %d, Gold %d, Platinum %d, Titanium %d\n", n[0],
        n[1], n[2], n[3], n[4], n[5], n[6]);
    assert_true(n[0] >= 150);
    for (int k = 1; k <= 10; k++)
        assert_true(n[k] >= (k < 7 ? 20 : 2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_unit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
