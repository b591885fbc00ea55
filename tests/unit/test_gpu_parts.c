/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/io/plan.h"
#include "sim/net/cooler.h"
#include "sim/net/gpu.h"
#include "sim/net/tokens.h"
#include "tests/support/bench.h"
#include "tests/unit/assert.h"
#include "wattsink.h"

#define CARDS_LEAST 45
#define ID_MAX 64
#define RIG_MAX 1024

typedef void visit(const char *id, const wsk_gpu_params *gpu, const wsk_cooler_params *cooler,
                   const wsk_gpu_ops *ops);

static wsk_plan *plan_of(const char *id)
{
    char xml[RIG_MAX];
    snprintf(xml, sizeof xml,
             "<rig><chassis card-length='1 m'><psu kind='constant' rated='5 kW' efficiency='94 %%'/>"
             "<gpu part='gpu/%s' slot='1'/></chassis><workload/><run for='1 h'/></rig>",
             id);
    wsk_plan *plan = NULL;
    wsk_plan_input in = {.path = "-", .text = xml, .text_len = strlen(xml), .parts_dir = "parts"};
    if (wsk_plan_load(&plan, &in) != WSK_OK)
        fail_msg("gpu/%s does not load: see wattsink parts --show gpu/%s", id, id);
    return plan;
}

static bool next_part(DIR *dir, char id[ID_MAX])
{
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        const char *end = strstr(entry->d_name, ".xml");
        if (!end || strcmp(end, ".xml") != 0)
            continue;
        int len = (int)(end - entry->d_name);
        assert_true(len < ID_MAX);
        snprintf(id, ID_MAX, "%.*s", len, entry->d_name);
        return true;
    }
    return false;
}

static int each_card(visit *look)
{
    DIR *dir = opendir("parts/gpu");
    assert_non_null(dir);
    int count = 0;
    for (char id[ID_MAX]; next_part(dir, id);) {
        wsk_plan *plan = plan_of(id);
        const wsk_elem *chassis = wsk_elem_child(plan->rig, "chassis", NULL),
                       *gpu = wsk_elem_child(chassis, "gpu", NULL), *cooler = wsk_elem_child(gpu, "cooler", NULL);
        look(id, gpu->params, cooler->params, gpu->kind->ops);
        wsk_plan_free(plan);
        count++;
    }
    closedir(dir);
    return count;
}

static void expect(bool holds, const char *id, const char *what)
{
    if (!holds)
        fail_msg("gpu/%s: %s", id, what);
}

static void consistent(const char *id, const wsk_gpu_params *g, const wsk_cooler_params *cooler,
                       const wsk_gpu_ops *ops)
{
    (void)cooler, (void)ops;
    expect(isnan(g->limit_min_w) || g->limit_min_w <= g->tdp_w, id, "least power limit above tdp");
    expect(isnan(g->limit_max_w) || g->limit_max_w >= g->tdp_w, id, "highest power limit below tdp");
    expect(isnan(g->idle_w) || g->idle_w < 0.4 * g->tdp_w, id, "idles above 0.4 tdp");
    expect(g->clock_min_hz < g->clock_knee_hz && g->clock_knee_hz < g->clock_max_hz, id, "clocks out of order");
    expect(g->target_k < g->slowdown_k && g->slowdown_k < g->shutdown_k, id, "thresholds out of order");
    expect(g->memory_byte > 0 || strcmp(id, "generic") == 0, id, "no memory");
    expect(g->plateau_draw_w <= g->plateau_high_w || isnan(g->plateau_draw_w), id, "plateau upside down");
}

static void test_values(void **state)
{
    (void)state;
    assert_true(each_card(consistent) >= CARDS_LEAST);
}

static void plausible(const char *id, const wsk_gpu_params *g, const wsk_cooler_params *cooler,
                      const wsk_gpu_ops *ops)
{
    (void)cooler;
    /* Bounds of the power without a limit, as multiples of tdp. Training on an A100 draws 1.2 times its tdp of 400 W,
     * which is 1.9 times the tdp of the boards of 250 W with the same chip. On an H100 SXM it would draw 1.9 times
     * 700 W at the highest clock, and the same chip is sold with a tdp of 400 W and a clock 10 % lower. */
    static const struct {
        wsk_class cls;
        double least, most;
        const char *what;
    } work[] = {{WSK_CLASS_TRAINING, 0.6, 2.8, "training would draw an implausible share of tdp"},
                {WSK_CLASS_BURN, 0.7, 3.1, "burn would draw an implausible share of tdp"}};
    /* Sources, docs/theory/sources.md: 25 training programs on a P100 drew 0.57-0.76 of its TDP without a limit
     * (zeus). The highest measured power was 3.0 times the TDP: a GEMM on an H100 PCIe, whose chip is also sold with
     * twice that TDP (yqg9651/cuda_test). */
    const double warm_k = 65 + WSK_KELVIN;
    wsk_gpu_params card = *g;
    wsk_gpu_complete(&card);
    for (size_t i = 0; i < sizeof work / sizeof *work; i++) {
        wsk_gpu_class c;
        ops->classify(&card, work[i].cls, NULL, &c);
        double draw = ops->power_w(&card, &c, ops->boost_hz(&card, warm_k), warm_k, NULL) / card.tdp_w;
        bool implausible = !(draw >= work[i].least && draw <= work[i].most);
        if (implausible)
            print_error("gpu/%s: %.2f of tdp\n", id, draw);
        expect(!implausible, id, work[i].what);
    }
}

static void test_draw(void **state)
{
    (void)state;
    each_card(plausible);
}

static double number(const char *json, const char *key)
{
    char name[ID_MAX];
    snprintf(name, sizeof name, "\"%s\": ", key);
    const char *at = strstr(json, name);
    assert_non_null(at);
    return strtod(at + strlen(name), NULL);
}

/* Cards with fans stand in a tower, passive cards in a ducted server, SXM and OAM modules in an 8-GPU module server. */
static void settles(const char *id, const wsk_gpu_params *g, const wsk_cooler_params *cooler, const wsk_gpu_ops *ops)
{
    (void)ops;
    bool fanless = !(cooler->rpm > 0),
         module = g->connector && (strncmp(g->connector, "SXM", 3) == 0 || strcmp(g->connector, "OAM") == 0);
    char xml[RIG_MAX];
    snprintf(
        xml, sizeof xml,
        "<rig><site supply='230 V' circuit='63 A'><room temperature='25 degC'/></site><chassis part='chassis/%s'>%s"
        "<psu kind='constant' rated='5 kW' efficiency='94 %%'/><gpu part='gpu/%s' slot='2'/></chassis>"
        "<workload kind='constant' class='training'/><run for='1 d'/></rig>",
        module    ? "server-8u-hgx"
        : fanless ? "server-4u-8gpu"
                  : "mid-tower-mesh",
        fanless
            ? ""
            : "<fan part='fan/generic-120-1500' at='front' count='2'/><fan part='fan/generic-120-1500' at='rear'/>",
        id);
    wsk_rig *rig = NULL;
    wsk_rig_options o = {.path = "-", .text = xml, .text_len = strlen(xml), .parts_dir = "parts"};
    expect(wsk_rig_load(&rig, &o) == WSK_OK, id, "does not fit its chassis");
    char *json = NULL, *text = NULL;
    expect(wsk_steady_page(rig, WSK_STEPPER_FAST, 0, NULL, &json, &text) == WSK_OK, id,
           text ? text : "no steady state");
    double die = number(json, "die_mean_c"), target = g->target_k - WSK_KELVIN;
    if (!(die >= 45 && die <= target + 1))
        print_error("gpu/%s: %.1f degC, target %.0f degC\n", id, die, target);
    expect(strstr(json, "\"settled\": true") != NULL, id, "does not settle");
    expect(die >= 45 && die <= target + 1, id, "settles cold or above its target");
    expect(number(json, "power_mean_w") > 0.5 * g->tdp_w, id, "settles at less than half its power");
    wsk_text_free(json), wsk_text_free(text);
    wsk_rig_free(rig);
}

/* Three quarters of the default power are released in the die. The hottest point must then be 10-30 K above the GPU
 * temperature sensor on Radeon RX cards, and 9-16 K on GeForce cards. */
static void hot_spot(const char *id, const wsk_gpu_params *card, const wsk_cooler_params *cooler,
                     const wsk_gpu_ops *ops)
{
    (void)cooler;
    (void)ops;
    wsk_gpu_params g = *card;
    wsk_gpu_complete(&g);
    const double over_k = wsk_hotspot_over_k(&g, 0.75 * g.tdp_w);
    const char *name = g.name ? g.name : "";
    const bool radeon = strncmp(name, "Radeon RX", 9) == 0;
    expect(!radeon || (over_k >= 10 && over_k <= 30), id, "hot spot not 10-30 K over the die");
    expect(strncmp(name, "GeForce", 7) != 0 || (over_k >= 9 && over_k <= 16), id, "hot spot not 9-16 K over the die");
}

static void test_hot_spots(void **state)
{
    (void)state;
    assert_true(each_card(hot_spot) > CARDS_LEAST);
}

static void test_settles(void **state)
{
    (void)state;
    each_card(settles);
}

static void test_processors(void **state)
{
    (void)state;
    DIR *dir = opendir("parts/cpu");
    assert_non_null(dir);
    int count = 0;
    for (char id[ID_MAX]; next_part(dir, id); count++) {
        char xml[RIG_MAX];
        snprintf(xml, sizeof xml,
                 "<rig><site><room temperature='25 degC'/></site><chassis part='chassis/mid-tower-mesh'>"
                 "<fan part='fan/generic-120-1500' at='front' count='2'/><fan part='fan/generic-120-1500' at='rear'/>"
                 "<psu part='psu/tier-gold-1000'/><cpu part='cpu/%s'/><gpu part='gpu/rtx-3080' slot='2'/></chassis>"
                 "<workload kind='constant' class='training'/><run for='1 d'/></rig>",
                 id);
        wsk_rig *rig = NULL;
        wsk_rig_options o = {.path = "-", .text = xml, .text_len = strlen(xml), .parts_dir = "parts"};
        if (wsk_rig_load(&rig, &o) != WSK_OK)
            fail_msg("cpu/%s does not load", id);
        char *json = NULL, *text = NULL;
        if (wsk_steady_page(rig, WSK_STEPPER_FAST, 0, NULL, &json, &text) != WSK_OK)
            fail_msg("cpu/%s: %s", id, text ? text : "no steady state");
        double cpu = number(json, "cpu_max_c");
        if (!(cpu > 35 && cpu < 85))
            fail_msg("cpu/%s: %.1f degC beside one card", id, cpu);
        wsk_text_free(json), wsk_text_free(text);
        wsk_rig_free(rig);
    }
    closedir(dir);
    assert_true(count >= 8);
}

static void test_loads(void **state)
{
    (void)state;
    DIR *dir = opendir("parts/load");
    assert_non_null(dir);
    int count = 0;
    for (char id[ID_MAX]; next_part(dir, id); count++) {
        char part[ID_MAX + 8];
        snprintf(part, sizeof part, "load/%s", id);
        wsk_text_free(wsk_test_part(part));
    }
    closedir(dir);
    assert_true(count >= 4);
}

/* At the clock that clock_for() finds for a power, the card draws that power, from any starting value of the search. */
static void clock_of_power(const char *id, const wsk_gpu_params *card, const wsk_cooler_params *cooler,
                           const wsk_gpu_ops *ops)
{
    (void)cooler;
    wsk_gpu_params g = *card;
    wsk_gpu_complete(&g);
    for (int cls = 0; cls < WSK_CLASS_IDLE; cls++) {
        wsk_gpu_class c;
        ops->classify(&g, (wsk_class)cls, NULL, &c);
        assert_true(fabs(ops->perf_rel(&c, c.ref_clock_hz) - 1) < 1e-9);
        assert_true(c.work_spread > 0 && c.work_spread < 1 && c.power_spread_rel > 0 && c.power_spread_rel < 0.5);
        double before = 0;
        for (double share = 0.02; share < 1.6; share += 0.02)
            for (double guess = 1e8; guess < 4e9; guess *= 6) {
                double power = share * g.tdp_w, die = 330 + 30 * share,
                       clock = ops->clock_for(&g, &c, power, die, guess),
                       drawn = ops->power_w(&g, &c, clock, die, NULL);
                if (!(clock > g.clock_min_hz ? fabs(drawn - power) < 1e-5 * power : drawn >= power * (1 - 1e-6)))
                    fail_msg("%s, class %d: %.0f W asked, %.2f W at %.1f MHz", id, cls, power, drawn, clock / 1e6);
            }
        for (double watts = 0.05 * g.tdp_w; watts < 1.5 * g.tdp_w; watts += 0.01 * g.tdp_w) {
            double clock = ops->clock_for(&g, &c, watts, 340, g.clock_max_hz);
            assert_true(clock >= before * (1 - 1e-9));
            before = clock;
        }
    }
}

static void test_clock_of_power(void **state)
{
    (void)state;
    assert_true(each_card(clock_of_power) >= CARDS_LEAST);
}

static bool states(const wsk_gpu_params *g, int cls)
{
    for (const wsk_elem *c = NULL; (c = wsk_elem_child(g->head.elem, "class", c)) != NULL;)
        if (((const wsk_class_params *)c->params)->name == cls)
            return true;
    return false;
}

/* Boards with the chip of the H100 SXM and as many units draw what its chip draws at the same clock without a limit. */
static void test_boards_of_one_chip(void **state)
{
    (void)state;
    static const char *const ids[] = {"h100-sxm", "h200-sxm", "h100-nvl", "h200-nvl", "gh200"};
    static const wsk_class classes[] = {WSK_CLASS_TRAINING, WSK_CLASS_PREFILL, WSK_CLASS_DECODE, WSK_CLASS_MOE_DECODE,
                                        WSK_CLASS_STREAM};
    for (size_t k = 0; k < sizeof classes / sizeof *classes; k++) {
        double first = 0;
        for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
            wsk_plan *plan = plan_of(ids[i]);
            const wsk_elem *gpu = wsk_elem_child(wsk_elem_child(plan->rig, "chassis", NULL), "gpu", NULL);
            const wsk_gpu_ops *ops = gpu->kind->ops;
            wsk_gpu_params g = *(const wsk_gpu_params *)gpu->params;
            wsk_gpu_class c;
            wsk_gpu_complete(&g);
            ops->classify(&g, classes[k], NULL, &c);
            const double w = ops->power_w(&g, &c, 1.7e9, g.leakage_temp_k, NULL);
            first = i ? first : w;
            if (fabs(w / first - 1) > 0.15) /* 15 %: P0 (power that does not depend on the clock) differs by board */
                fail_msg("gpu/%s, %s: %.0f W at 1.7 GHz, the H100 SXM %.0f", ids[i], wsk_class_names[classes[k]], w,
                         first);
            wsk_plan_free(plan);
        }
    }
}

static bool was_measured(const wsk_origin *o)
{
    static const char by_chip[] = "loads of the ";
    return !o->assumed || (o->ref && strncmp(o->ref, by_chip, strlen(by_chip)) == 0);
}

/* A card must stay usable at its lowest settable limit. Without values of its part for a class of work, P0 (power that
 * does not depend on the clock) is at most 3/4 of that limit, and at 35 % of the clock the card draws no more than the
 * limit, unless P0 is at most the idle power, to which less leakage of a colder die is added. With values of its part,
 * P0 is at most the largest of 0.8 times the limit, 1.2 times the largest P0 of the part that was measured, on this
 * card or another of its chip, and 1.1 times the idle power. */
static void leave_limits_a_use(const char *id, const wsk_gpu_params *card, const wsk_cooler_params *cooler,
                               const wsk_gpu_ops *ops)
{
    (void)cooler;
    wsk_gpu_params g = *card;
    wsk_gpu_complete(&g);
    double known = 0;
    for (const wsk_elem *c = NULL; (c = wsk_elem_child(g.head.elem, "class", c)) != NULL;)
        if (was_measured(wsk_elem_origin(c, "p0")))
            known = fmax(known, ((const wsk_class_params *)c->params)->p0_w);
    for (int cls = 0; cls < WSK_CLASS_IDLE; cls++) {
        wsk_gpu_class c;
        ops->classify(&g, (wsk_class)cls, NULL, &c);
        const double low = ops->power_w(&g, &c, 0.35 * ops->boost_hz(&g, 65 + WSK_KELVIN), g.leakage_temp_k, NULL);
        const bool usable = states(&g, cls)
                                ? c.p0_w <= fmax(fmax(0.8 * g.limit_min_w, 1.2 * known), 1.1 * g.idle_w)
                                : c.p0_w <= fmax(0.75 * g.limit_min_w, g.idle_w + g.leakage_w) + 1e-9 &&
                                      (low <= g.limit_min_w * 1.001 || c.p0_w <= g.idle_w * 1.001 + g.leakage_w);
        if (!usable)
            fail_msg("gpu/%s, %s: P0 %.0f W, %.0f W at 35 %% of the clock, lowest limit %.0f W", id,
                     wsk_class_names[cls], c.p0_w, low, g.limit_min_w);
    }
}

/* At its lowest clock a working card draws no less than at rest. Workload classes that a part states are fits to
 * measurements, and not checked. */
static void work_draws_more_than_rest(const char *id, const wsk_gpu_params *card, const wsk_cooler_params *cooler,
                                      const wsk_gpu_ops *ops)
{
    (void)cooler;
    wsk_gpu_params g = *card;
    wsk_gpu_complete(&g);
    for (int cls = 0; cls < WSK_CLASS_IDLE; cls++) {
        wsk_gpu_class c;
        ops->classify(&g, (wsk_class)cls, NULL, &c);
        const double low = ops->power_w(&g, &c, g.clock_min_hz, 30 + WSK_KELVIN, NULL);
        if (!states(&g, cls) && low < g.idle_w * (1 - 1e-9))
            fail_msg("gpu/%s, %s: %.1f W at %.0f MHz, %.1f W at rest", id, wsk_class_names[cls], low,
                     g.clock_min_hz / 1e6, g.idle_w);
    }
}

static void test_work_draws_more_than_rest(void **state)
{
    (void)state;
    assert_true(each_card(work_draws_more_than_rest) >= 90);
}

/* A workload class that the part only assumes, or takes from another card of its chip, is as uncertain as the class's
 * default. A class with a source of its own, or written in the rig (own: true), is less uncertain. */
static void test_spread_goes_by_the_source(void **state)
{
    (void)state;
    static const struct {
        const char *card, *inside;
        wsk_class cls;
        bool own;
    } cases[] = {
        {"gpu/l4", "", WSK_CLASS_DECODE, false},
        {"gpu/rtx-4000-ada", "", WSK_CLASS_DECODE, true},
        {"gpu/gh200", "", WSK_CLASS_DECODE, false},
        {"gpu/h100-sxm", "", WSK_CLASS_DECODE, true},
        {"gpu/h100-sxm", "", WSK_CLASS_MOE_DECODE, false},
        {"gpu/rtx-3080", "", WSK_CLASS_TRAINING, false},
        {"gpu/rtx-3090", "", WSK_CLASS_TRAINING, true},
        {"gpu/rtx-3090-blower", "", WSK_CLASS_DECODE, true},
        {"gpu/rtx-4080", "", WSK_CLASS_DECODE, false},
        {"gpu/rtx-4080", "<class name='decode' p0='60 W' c='90 W/GHz' clock-share='70 %'/>", WSK_CLASS_DECODE, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char xml[RIG_MAX];
        snprintf(xml, sizeof xml,
                 "<rig><chassis card-length='1 m'><psu kind='constant' rated='5 kW' efficiency='94 %%'/>"
                 "<gpu part='%s' slot='1'>%s</gpu></chassis><workload/><run for='1 h'/></rig>",
                 cases[i].card, cases[i].inside);
        wsk_plan *plan = NULL;
        wsk_plan_input in = {.path = "-", .text = xml, .text_len = strlen(xml), .parts_dir = "parts"};
        assert_int_equal(wsk_plan_load(&plan, &in), WSK_OK);
        const wsk_elem *gpu = wsk_elem_child(wsk_elem_child(plan->rig, "chassis", NULL), "gpu", NULL);
        const wsk_gpu_ops *ops = gpu->kind->ops;
        wsk_gpu_params given = *(const wsk_gpu_params *)gpu->params, bare = given;
        const wsk_elem none = {.kind = gpu->kind};
        wsk_gpu_complete(&given);
        wsk_gpu_complete(&bare);
        bare.head.elem = &none;
        wsk_gpu_class c, plain;
        ops->classify(&given, cases[i].cls, NULL, &c);
        ops->classify(&bare, cases[i].cls, NULL, &plain);
        const bool own = c.work_spread < plain.work_spread && c.power_spread_rel < plain.power_spread_rel;
        if (own != cases[i].own || c.fitted != own)
            fail_msg("%s, %s: %g of work, %g of power", cases[i].card, wsk_class_names[cases[i].cls], c.work_spread,
                     c.power_spread_rel);
        wsk_plan_free(plan);
    }
}

static void test_limits_have_a_use(void **state)
{
    (void)state;
    assert_true(each_card(leave_limits_a_use) >= 90);
}

static void test_faster_memory(void **state)
{
    (void)state;
    wsk_plan *plan = plan_of("rtx-3090");
    const wsk_elem *gpu = wsk_elem_child(wsk_elem_child(plan->rig, "chassis", NULL), "gpu", NULL);
    const wsk_gpu_ops *ops = gpu->kind->ops;
    wsk_gpu_params fast = *(const wsk_gpu_params *)gpu->params;
    wsk_gpu_class slow, quick;
    ops->classify(&fast, WSK_CLASS_DECODE, NULL, &slow);
    fast.memory_offset_hz = 0.1 * fast.memory_clock_hz;
    ops->classify(&fast, WSK_CLASS_DECODE, NULL, &quick);
    double f = slow.ref_clock_hz, die = fast.leakage_temp_k,
           work = ops->perf_rel(&quick, f) / ops->perf_rel(&slow, f),
           more = ops->power_w(&fast, &quick, f, die, NULL) - ops->power_w(&fast, &slow, f, die, NULL);
    assert_true(work > 1 && work < 1.1);
    /* The energy per byte is constant, so the power of traffic rises in proportion to work. */
    assert_true(fabs(more - slow.traffic_w * (work - 1)) < 1e-9);
    assert_true(more > 0);
    wsk_plan_free(plan);
}

/* Cards in `silent` may lack inputs of tokens/s: they have several chips or undocumented units, or are too old. */
static void says_tokens(const char *id, const wsk_gpu_params *gpu, const wsk_cooler_params *cooler,
                        const wsk_gpu_ops *ops)
{
    (void)cooler, (void)ops;
    static const char *const silent[] = {"a16", "k80", "mi250x", "gaudi2", "gaudi3", "generic", "gtx-770"};
    for (size_t i = 0; i < sizeof silent / sizeof *silent; i++)
        if (strcmp(id, silent[i]) == 0)
            return;
    expect(wsk_tokens_lacking(gpu, (const char *[WSK_TOKENS_NEED]){0}) == 0, id, "lacks a value that tokens need");
}

static void test_says_tokens(void **state)
{
    (void)state;
    assert_true(each_card(says_tokens) > CARDS_LEAST);
}

/* Fails if a card refuses a power limit at which a published sweep ran it. */
static void takes_published_limits(const char *id, const wsk_gpu_params *gpu, const wsk_cooler_params *cooler,
                                   const wsk_gpu_ops *ops)
{
    (void)cooler, (void)ops;
    expect(strcmp(id, "v100-sxm2") != 0 || gpu->limit_min_w <= 100, id, "refuses 100 W");
}

static void test_published_limits(void **state)
{
    (void)state;
    assert_true(each_card(takes_published_limits) > CARDS_LEAST);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_clock_of_power),
                                       cmocka_unit_test(test_faster_memory),
                                       cmocka_unit_test(test_limits_have_a_use),
                                       cmocka_unit_test(test_boards_of_one_chip),
                                       cmocka_unit_test(test_work_draws_more_than_rest),
                                       cmocka_unit_test(test_spread_goes_by_the_source),
                                       cmocka_unit_test(test_values),
                                       cmocka_unit_test(test_draw),
                                       cmocka_unit_test(test_settles),
                                       cmocka_unit_test(test_hot_spots),
                                       cmocka_unit_test(test_processors),
                                       cmocka_unit_test(test_loads),
                                       cmocka_unit_test(test_says_tokens),
                                       cmocka_unit_test(test_published_limits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
