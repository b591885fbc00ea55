/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "sim/net/cpu.h"
#include "sim/net/gpu.h"
#include "tests/support/bench.h"
#include "tests/unit/catalogue.h"

static const wsk_origin *origin(const char *id, const wsk_elem *e, const char *name)
{
    for (const wsk_param *p = e->kind->params; p && p->name; p++)
        if (strcmp(p->name, name) == 0)
            return &e->origins[p - e->kind->params];
    fail_msg("%s: no attribute %s", id, name);
    return NULL;
}

static void stated(const char *id, const wsk_elem *e, const char *name)
{
    const wsk_origin *o = origin(id, e, name);
    if (o->from != WSK_FROM_PART || !o->text || (strcmp(name, "name") != 0 && (!o->source || !o->ref)))
        fail_msg("%s states no %s, or not where it comes from", id, name);
    if (o->source && strcmp(o->source, "assumed") == 0 && strcmp(name, "price") == 0 && !o->spread)
        fail_msg("%s: its price is assumed and has no spread", id);
}

/* Plausible values by memory type. Clock, MHz: half of the data rate per pin, from JEDEC rates and cards on sale.
 * Limit, degC: the memory temperature limits of the makers. */
static const struct {
    const char *type;
    double clock_low, clock_high, limit_low, limit_high;
} memories[] = {{"GDDR5", 2500, 4500, 95, 110},   {"GDDR5X", 5000, 6000, 95, 110},  {"GDDR6", 5000, 10001, 95, 110},
                {"GDDR6X", 9400, 12000, 95, 112}, {"GDDR7", 13000, 16000, 95, 110}, {"HBM2", 700, 1250, 80, 105},
                {"HBM2e", 1200, 1850, 80, 105},   {"HBM3", 2400, 3300, 80, 105},    {"HBM3e", 2900, 4900, 80, 105},
                {"LPDDR5X", 3700, 5400, 85, 105}};

static void check_memory(const char *id, const wsk_gpu_params *g)
{
    for (size_t i = 0; i < sizeof memories / sizeof *memories; i++)
        if (strcmp(memories[i].type, g->memory_type) == 0) {
            within(id, "memory clock, MHz", g->memory_clock_hz * 1e-6, memories[i].clock_low, memories[i].clock_high);
            within(id, "memory limit, degC", g->memory_limit_k - 273.15, memories[i].limit_low,
                   memories[i].limit_high);
            within(id, "memory, GB", g->memory_byte * 1e-9, 2, 300);
            return;
        }
    fail_msg("%s: memory of no known type: %s", id, g->memory_type);
}

static void check_card(const char *id, const void *params)
{
    const wsk_gpu_params *g = params;
    const wsk_elem *e = g->head.elem;
    /* gpu/generic stands for any card: it states no memory, price or other value of one product */
    if (strcmp(id, "gpu/generic") == 0)
        return;
    static const char *const names[] = {"name",
                                        "slots",
                                        "tdp",
                                        "idle",
                                        "clock-max",
                                        "clock-knee",
                                        "voltage-slope",
                                        "target-temperature",
                                        "slowdown-temperature",
                                        "shutdown-temperature",
                                        "memory",
                                        "memory-type",
                                        "memory-clock",
                                        "memory-limit",
                                        "price"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        stated(id, e, names[i]);
    bool module = g->connector && (strncmp(g->connector, "SXM", 3) == 0 || strcmp(g->connector, "OAM") == 0);
    if (g->tdp_w > 75 && !g->soldered) /* a slot delivers at most 75 W, so the card has a power connector */
        stated(id, e, "connector");
    assert_non_null(wsk_elem_child(e, "cooler", NULL));
    assert_string_equal(origin(id, e, "price")->currency, "USD");
    within(id, "price, USD", g->price, 100, 60000);
    within(id, "idle draw over tdp", g->idle_w / g->tdp_w, 0.02, 0.35);
    if (!isnan(g->limit_min_w))
        within(id, "least limit over tdp", g->limit_min_w / g->tdp_w, 0.1, 1);
    if (!isnan(g->limit_max_w))
        within(id, "highest limit over tdp", g->limit_max_w / g->tdp_w, 1, 1.5);
    within(id, "length, mm", g->length_m * 1e3, 140, 360);
    within(id, "slots", g->slots, 1, 4);
    if (!isnan(g->thickness_m))
        within(id, "thickness over its slots", g->thickness_m / (g->slots * 0.02032), module ? 1 : 0.7,
               module ? 6 : 1.03);
    check_memory(id, g);
}

static void test_cards(void **state)
{
    (void)state;
    assert_true(each("gpu", NULL, check_card) >= 80);
    list *l = parts_of("gpu");
    static const char *const named[] = {"gpu/gtx-1080", "gpu/b300",   "gpu/mi210", "gpu/mi250x",
                                        "gpu/mi300x",   "gpu/gaudi2", "gpu/gaudi3"};
    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        bool found = false;
        for (int k = 0; k < l->count; k++)
            found = found || strcmp(l->ids[k], named[i]) == 0;
        if (!found)
            fail_msg("%s is missing", named[i]);
    }
    free(l);
}

/* Software sees each chip of such a card as a card of its own, so the part states no compute units for tokens. */
static void test_cards_of_several_chips(void **state)
{
    (void)state;
    static const char *const ids[] = {"gpu/a16", "gpu/k80", "gpu/mi250x"};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        wsk_plan *plan = plan_of(ids[i]);
        const wsk_gpu_params *g = with_part(plan->rig, ids[i])->params;
        if (!isnan(g->units))
            fail_msg("%s has compute units for tokens", ids[i]);
        wsk_plan_free(plan);
    }
}

static void has(const char *text, const char *line)
{
    if (!strstr(text, line))
        fail_msg("not shown: %s\nin\n%s", line, text);
}

static void test_shows_what_a_run_would_use(void **state)
{
    (void)state;
    char *text = wsk_test_part("gpu/rtx-4070");
    has(text, "\n  not stated by the part\n    thickness ");
    has(text, "    leakage                    6 W              assumed    [");
    has(text, " 3 % of tdp\n");
    has(text, "    power-limit-max            200 W            assumed    [");
    has(text, "  class stream, not stated by the part\n    p0                         40 W");
    for (const char *line = text; line && *line && strncmp(line, "Sources", 7) != 0; line = strchr(line, '\n') + 1)
        if (strcspn(line, "\n") > 120)
            fail_msg("a long line: %.130s", line);
    wsk_text_free(text);
    text = wsk_test_part("gpu/rtx-4090"); /* this part states all its workload classes */
    assert_null(strstr(text, "class stream, not stated"));
    has(text, "  class stream, kind fit\n");
    wsk_text_free(text);
}

static void check_cpu(const char *id, const void *params)
{
    const wsk_cpu_params *c = params;
    stated(id, c->head.elem, "power");
    stated(id, c->head.elem, "idle");
    within(id, "idle over full power", c->idle_w / c->power_w, 0.05, 1);
}

static void check_host(const char *id, const void *params)
{
    const wsk_host_params *p = params;
    stated(id, p->head.elem, "power");
    stated(id, p->head.elem, "idle");
    stated(id, p->head.elem, "price");
    within(id, "idle over full power", p->idle_w / p->power_w, 0.1, 1);
}

static void test_hosts(void **state)
{
    (void)state;
    assert_true(each("board", NULL, check_host) >= 4);
    assert_true(each("memory", NULL, check_host) >= 8);
    assert_true(each("storage", NULL, check_host) >= 4);
}

static void test_processors(void **state)
{
    (void)state;
    assert_true(each("cpu", NULL, check_cpu) >= 11);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cards),
        cmocka_unit_test(test_cards_of_several_chips),
        cmocka_unit_test(test_shows_what_a_run_would_use),
        cmocka_unit_test(test_processors),
        cmocka_unit_test(test_hosts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
