/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Settings of a card or a language model that are checked against its other values, and cards that PSUs and workloads
 * name. */
#include <stdio.h>
#include <string.h>

#include "tests/support/bench.h"

#define RIG(cards, rest) \
    "<rig><site supply='230 V'/><chassis part='chassis/mid-tower'>" cards "<psu id='p' part='psu/tier-gold-1600'/>" \
    "</chassis>" rest "</rig>"
#define CARD "<gpu id='g' part='gpu/rtx-3090' slot='1'/>"

/* told: a message contains `what`; false: none does. */
/* set: one assignment, or two with a line break between them */
static void check(const char *xml, const char *set, wsk_status expect, const char *what, bool told)
{
    char first[80];
    const size_t len = strcspn(set, "\n");
    assert_true(len < sizeof first);
    snprintf(first, sizeof first, "%.*s", (int)len, set);
    const char *const sets[] = {first, set[len] ? set + len + 1 : NULL};
    const wsk_rig_options o = {.path = "-",
                               .text = xml,
                               .text_len = strlen(xml),
                               .parts_dir = "parts",
                               .sets = sets,
                               .set_count = set[len] ? 2 : 1};
    wsk_rig *rig = NULL;
    const wsk_status status = wsk_rig_load(&rig, &o);
    bool found = false;
    for (size_t i = 0; i < wsk_rig_messages(rig); i++) {
        int severity, line, column;
        const char *file, *text;
        wsk_rig_message(rig, i, &severity, &file, &line, &column, &text);
        found = found || strstr(text, what);
        if (status != expect)
            print_error("%s\n", text);
    }
    if (status != expect || found != told)
        fail_msg("%s: status %d, \"%s\" is in %s message", set, status, what, found ? "a" : "no");
    wsk_rig_free(rig);
}

static void settings_fit_the_card(void **state)
{
    (void)state;
    static const struct {
        const char *set;
        wsk_status status;
        const char *what;
        bool told;
    } cases[] = {
        {"gpu.fan=50 %", WSK_OK, "not a fan speed", false},
        {"gpu.fan=1500 rpm", WSK_OK, "not a fan speed", false},
        {"gpu.fan=3000 rpm", WSK_OK, "above its highest speed", false},
        {"gpu.fan=100 %", WSK_OK, "above its highest speed", false},
        {"gpu.fan=4000 rpm", WSK_OK, "g is to run at 4000 rpm, above its highest speed of 3000 rpm", true},
        {"gpu.fan=140 %", WSK_OK, "g is to run at 4200 rpm, above its highest speed of 3000 rpm", true},
        {"gpu.fan=-5 %", WSK_EINPUT, "'-5 %' is not a fan speed", true},
        {"gpu.fan=50 %x", WSK_EINPUT, "'50 %x' is not a fan speed", true},
        {"gpu.fan=fast", WSK_EINPUT, "'fast' is not a fan speed", true},
        {"gpu.limit-schedule=22:00:300 W, 23:00:350 W", WSK_OK, "limit-schedule", false},
        {"gpu.limit-schedule=22:00:3 W", WSK_EINPUT, "3 W at 22 h cannot be set", true},
        {"gpu.limit-schedule=22:00:3000 W", WSK_EINPUT, "3000 W at 22 h cannot be set", true},
        {"gpu.limit-schedule=-1 h:300 W", WSK_EINPUT, "at -1 h cannot be set", true},
        {"gpu.limit-schedule=24 h:300 W", WSK_EINPUT, "at 24 h cannot be set", true},
        {"gpu.limit-schedule=0 h:390 W, 23.99 h:100 W", WSK_OK, "cannot be set", false},
        {"gpu.limit-schedule=0 h:390.01 W", WSK_EINPUT, "at 0 h cannot be set", true},
        {"gpu.power-limit=390 W", WSK_OK, "power-limit", false},
        {"gpu.power-limit=390.01 W", WSK_EINPUT, "power-limit", true},
        {"gpu.power-limit=100 W", WSK_OK, "cannot be set", false},
        {"gpu.power-limit=99.99 W", WSK_EINPUT, "power-limit", true},
        /* a limit that is one of the schedule's does not contradict it */
        {"gpu.power-limit=350 W\ngpu.limit-schedule=7:00:350 W, 22:00:300 W", WSK_OK, "overrides", false},
        {"gpu.power-limit=320 W\ngpu.limit-schedule=7:00:350 W, 22:00:300 W", WSK_OK,
         "power-limit has no effect: limit-schedule=", true},
        {"gpu.power=300 W\ngpu.limit-schedule=22:00:300 W", WSK_OK, "limit-schedule has no effect: power=", true},
        {"gpu.clock=1200 MHz\ngpu.lock-clock=1000 MHz", WSK_OK, "lock-clock has no effect: clock=", true},
        {"gpu.power=300 W\ngpu.power-limit=300 W", WSK_OK, "power-limit has no effect: power=", true},
        {"gpu.power=300 W", WSK_OK, "has no effect", false},
        {"gpu.power-limit-min=350 W", WSK_OK, "power-limit", false},
        {"gpu.power-limit-min=360 W", WSK_EINPUT, "power-limit-min (360 W) is above tdp (350 W)", true},
        {"gpu.power-limit-min=360 W", WSK_EINPUT, "cannot be set", false},
        {"gpu.power-limit-min=500 W", WSK_EINPUT, "power-limit-min (500 W) is above power-limit-max (390 W)", true},
        {"gpu.power-limit-min=500 W", WSK_EINPUT, "is above tdp", false},
        {"gpu.idle=360 W", WSK_EINPUT, "idle (360 W) is above tdp (350 W)", true},
        {"gpu.idle=410 W", WSK_EINPUT, "idle (410 W) is above power-limit-max (390 W)", true},
        {"gpu.clock-max=200 MHz", WSK_EINPUT, "clock-min (210 MHz) is above clock-max (200 MHz)", true},
        {"gpu.slowdown-temperature=80 degC", WSK_OK, "is above slowdown-temperature (80 degC)", true},
        {"gpu.shutdown-temperature=90 degC", WSK_OK, "is above shutdown-temperature (90 degC)", true},
        {"gpu.target-temperature=84 degC", WSK_OK, "temperature", false},
        {"gpu.lock-clock=1000 MHz", WSK_OK, "g has clocks from", false},
        {"gpu.lock-clock=210 MHz", WSK_OK, "g has clocks from", false},
        {"gpu.lock-clock=209.9 MHz", WSK_OK, "g has clocks from 210", true},
        {"gpu.clock-max=1800 MHz\ngpu.lock-clock=1800 MHz", WSK_OK, "g has clocks from", false},
        {"gpu.clock-max=1800 MHz\ngpu.lock-clock=1800.1 MHz", WSK_OK, "g has clocks from 210 to 1800 MHz", true},
        {"gpu.clock-offset=100 MHz\ngpu.lock-clock=2010 MHz", WSK_OK, "g has clocks from", false},
        {"gpu.clock-offset=-100 MHz\ngpu.lock-clock=1850 MHz", WSK_OK, "g has clocks from", false},
        {"gpu.lock-clock=10 MHz", WSK_OK, "g has clocks from 210", true},
        {"gpu.lock-clock=9000 MHz", WSK_OK, "g has clocks from 210", true},
        {"gpu.memory-offset=500 MHz", WSK_OK, "memory-offset", false},
        {"gpu.memory-offset=-9751 MHz", WSK_EINPUT, "leaves no memory clock", true},
        {"workload.measured-power=15 W", WSK_EINPUT, "g cannot draw 15 W under load", true},
        {"workload.measured-power=365 W", WSK_OK, "at its default limit", false}, /* a sensor errs by 5 % */
        {"workload.measured-power=380 W", WSK_OK, "at its default limit g draws at most 350 W, so 380 W only", true},
        {"workload.measured-power=420 W", WSK_EINPUT, "and its highest limit of 390 W", true},
        {"workload.streams=8", WSK_OK, "has no effect in", false},
        {"workload.class=training\nworkload.streams=1", WSK_OK, "has no effect in", false},
        {"workload.class=training\nworkload.streams=8", WSK_OK, "streams has no effect in the class training", true},
        {"workload.class=idle\nworkload.batch=2", WSK_OK, "batch has no effect in the class idle", true},
        {"workload.batch=2", WSK_OK, "overrides it", false},
        {"workload.batch=2\nworkload.streams=8", WSK_OK,
         "streams has no effect: batch=\"...\" of workload0 overrides", true},
        {"workload.gpus=g", WSK_OK, "is not a card", false},
        {"workload.gpus=all", WSK_OK, "is not a card", false},
        {"workload.gpus=h", WSK_EINPUT, "'h' is not a card of this rig", true},
        {"workload.gpus= ", WSK_EINPUT, "'' is not a card of this rig; expected all, or ids such as g", true},
        {"psu.feeds=g", WSK_OK, "is not a card", false},
        {"psu.feeds= , g ,", WSK_OK, "is not a card", false},
        {"psu.feeds=h", WSK_EINPUT, "\"h\" is not a card of this chassis; expected ids such as g", true},
        {"gpu.liquid-only=yes", WSK_OK, "g is sold for liquid cooling only", true},
        {"gpu.liquid-only=yes\ncooler.kind=aio", WSK_OK, "liquid cooling", false},
        {"gpu.liquid-only=no", WSK_OK, "liquid cooling", false},
        {"gpu.pump-fails-at=1 h", WSK_OK, "g has no pump of its own", true},
        {"gpu.fan-fails-at=1 h", WSK_OK, "of its own", false},
    };
    static const char xml[] = RIG(CARD, "<workload class='decode'/><run for='1 h'/>");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check(xml, cases[i].set, cases[i].status, cases[i].what, cases[i].told);
}

static void values_of_a_model_fit_each_other(void **state)
{
    (void)state;
    static const char dense[] = RIG(CARD, "<workload kind='inference' model='model/llama-3.1-8b'/><run for='1 h'/>"),
                      experts[] = RIG(CARD, "<workload kind='inference' model='model/gpt-oss-20b'/><run for='1 h'/>"),
                      layers[] =
                          RIG(CARD, "<workload kind='inference'><model parameters='8e9' layers='32' hidden='4096' "
                                    "vocabulary='128000' kv-heads='8' head-size='128'/></workload>"
                                    "<run for='1 h'/>");
    static const struct {
        const char *xml, *set;
        wsk_status status;
        const char *what;
        bool told;
    } cases[] = {
        {experts, "workload.model.active-parameters=20.91e9", WSK_OK, "is above", false},
        {experts, "workload.model.active-parameters=21e9", WSK_EINPUT,
         "active-parameters (21e9) is above parameters (20.91e9); expected at most that", true},
        {experts, "workload.model.experts-used=33", WSK_EINPUT, "experts-used (33) is above experts (32)", true},
        {experts, "workload.model.experts-used=32", WSK_EINPUT, "a token uses all experts, but", true},
        {experts, "workload.model.experts-used=31", WSK_OK, "experts", false},
        {dense, "workload.model.heads=8", WSK_OK, "is above", false},
        {dense, "workload.model.heads=4", WSK_EINPUT, "kv-heads (8) is above heads (4)", true},
        {experts, "workload.model.window-layers=24", WSK_OK, "window", false},
        {experts, "workload.model.window-layers=25", WSK_EINPUT, "window-layers (25) is above layers (24)", true},
        {experts, "workload.model.window-layers=0", WSK_OK, "window has no effect without window-layers", true},
        {dense, "workload.measured-rate=60 tok/s", WSK_OK, "were measured", false},
        {dense, "workload.measured-rate=2000 tok/s", WSK_OK, "2000 tokens a second were measured, and this", true},
        {dense, "workload.measured-rate=2 tok/s", WSK_OK, "2 tokens a second were measured, and this", true},
        {dense, "workload.class=prefill\nworkload.batch=8", WSK_OK, "has no effect in", false},
        {layers, "workload.model.window-layers=20", WSK_OK, "window-layers has no effect without window;", true},
        {layers, "workload.model.experts=8", WSK_OK, "experts has no effect without active-parameters", true},
        {layers, "workload.model.experts=8", WSK_OK, "experts has no effect without experts-used", true},
        {layers, "workload.model.experts-used=8", WSK_OK, "experts-used has no effect without experts;", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check(cases[i].xml, cases[i].set, cases[i].status, cases[i].what, cases[i].told);
}

static void a_model_is_named_or_written(void **state)
{
    (void)state;
    static const char xml[] = RIG(CARD, "<workload kind='inference' model='model/llama-3.1-8b'>"
                                        "<model part='model/llama-3.1-70b'/></workload><run/>");
    check(xml, "run.for=1 h", WSK_EINPUT, "model=\"...\" names a part, but <model> is written here too", true);
    check(xml, "workload.model=model/mistral-7b", WSK_OK, "written here too", false);
}

/* A card whose highest settable limit is below its tdp starts with that limit. */
static void the_default_limit_can_be_set(void **state)
{
    (void)state;
    static const char xml[] = RIG(CARD, "<workload class='burn'/><run for='1 h'/>");
    static const char *const above = "gpu.power-limit-max=400 W", *const below = "gpu.power-limit-max=300 W";
    wsk_rig *rig = wsk_test_rig(xml, below);
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 60);
    wsk_test_advance(run, 60);
    const wsk_card *c = &run->net->cards[0];
    assert_near(c->limit_w, 300, 1e-9);
    assert_near(c->default_limit_w, 300, 1e-9);
    assert_true(wsk_test_get(run, "g.power_w") < 301);
    assert_near(c->ops->power_w(c->gpu, &c->cls, c->cls.ref_clock_hz, 65 + WSK_KELVIN, NULL), 300, 5);
    wsk_test_drop(run, rig);
    rig = wsk_test_rig(xml, above);
    run = wsk_test_run(rig, WSK_STEPPER_FAST, 60);
    assert_near(run->net->cards[0].limit_w, 350, 1e-9);
    wsk_test_drop(run, rig);
    /* the default of power-limit-min, 30 % of the tdp, does not exceed the highest limit */
    static const char plain[] =
        RIG("<gpu id='g' slot='1' tdp='300 W' power-limit-max='60 W' clock-max='1.9 GHz' clock-knee='1.3 GHz' "
            "voltage-slope='0.5 1/GHz'><cooler kind='passive' conductance='20 W/K' flow='100 m3/h' capacity='500 "
            "J/K'/></gpu>",
            "<workload class='burn'/><run for='1 h'/>");
    rig = wsk_test_rig(plain, NULL);
    run = wsk_test_run(rig, WSK_STEPPER_FAST, 60);
    assert_near(run->net->cards[0].limit_w, 60, 1e-9);
    wsk_test_drop(run, rig);
}

/* An offset of the memory clock needs the clock itself. */
static void an_offset_needs_its_clock(void **state)
{
    (void)state;
    static const char xml[] =
        RIG("<gpu slot='1' tdp='300 W' clock-max='1.9 GHz' clock-knee='1.3 GHz' voltage-slope='0.5 1/GHz' "
            "memory-offset='500 MHz'><cooler kind='passive' conductance='20 W/K' flow='100 m3/h' capacity='500 "
            "J/K'/></gpu>",
            "");
    wsk_rig *rig = NULL;
    assert_int_equal(
        wsk_rig_load(&rig,
                     &(wsk_rig_options){.path = "-", .text = xml, .text_len = sizeof xml - 1, .parts_dir = "parts"}),
        WSK_EINPUT);
    int severity, line, column;
    const char *file, *text;
    wsk_rig_message(rig, 0, &severity, &file, &line, &column, &text);
    assert_non_null(strstr(text, "memory-clock"));
    wsk_rig_free(rig);
}

/* Cards are in the order of chassis and slots, whatever their order in the file. */
static void cards_are_in_the_order_of_slots(void **state)
{
    (void)state;
    static const int orders[][4] = {{1, 3, 5, 10}, {3, 1, 5, 10}, {10, 5, 3, 1}, {5, 10, 1, 3}, {10, 1, 5, 3}};
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        wsk_buf b = {0};
        wsk_buf_printf(&b, "<rig><site supply='230 V'/>");
        for (int in = 0; in < 2; in++) {
            wsk_buf_printf(&b, "<chassis id='%c' part='chassis/workstation-12-slot'>", 'a' + in);
            for (int k = 0; k < 4; k++)
                wsk_buf_printf(&b, "<gpu part='gpu/rtx-3060' slot='%d'/>", orders[i][in ? 3 - k : k]);
            wsk_buf_printf(&b, "<psu part='psu/tier-gold-1600'/></chassis>");
        }
        wsk_buf_printf(&b, "<run for='1 h'/></rig>");
        wsk_rig *rig = wsk_test_rig(b.data, NULL);
        wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 1);
        assert_int_equal(run->net->n_card, 8);
        for (int k = 0; k < 8; k++) {
            assert_int_equal(run->net->cards[k].in, k / 4);
            assert_int_equal((int)run->net->cards[k].gpu->slot, orders[0][k % 4]);
        }
        wsk_buf_free(&b);
        wsk_test_drop(run, rig);
    }
}

/* A measured power is that of a card at the temperature which it has at that power: a card that draws a seventh of its
 * limit is cool, and leaks less. */
static void measured_power_is_drawn(void **state)
{
    (void)state;
    static const char *const parts[] = {"rtx-3090", "rtx-2080-blower", "rtx-a5000", "gtx-1080-ti"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        for (int watts = 60; watts <= 200; watts += 70) {
            char xml[500];
            snprintf(xml, sizeof xml,
                     RIG("<fan part='fan/generic-120-3000' at='front' count='2'/><gpu part='gpu/%s' slot='1'/>",
                         "<workload class='decode' measured-power='%d W'/>"),
                     parts[i], watts);
            wsk_rig *rig = wsk_test_rig(xml, NULL);
            wsk_summary *all;
            assert_int_equal(wsk_steady_summary(&all, rig, WSK_STEPPER_FAST, 0, NULL), WSK_OK);
            assert_near(wsk_summary_number(all, WSK_R_GPU_POWER_MEAN, 0), watts, 0.1 * watts);
            wsk_summary_free(all);
            wsk_rig_free(rig);
        }
}

/* Mistakes are told in the order of their lines, whether the text or the parts behind it show them. */
static void mistakes_are_in_the_order_of_lines(void **state)
{
    (void)state;
    static const char xml[] = "<rig>\n<site supply='230 V'/>\n<chassis part='chassis/mid-tower'>" CARD
                              "\n<gpu part='gpu/rtx-3090' slot='2'/>\n<psu part='psu/tier-gold-1600'/></chassis>\n"
                              "<workload class='training' gpus='h'/>\n<run for='1 parsec'/>\n</rig>";
    static const int lines[] = {4, 6, 7};
    const wsk_rig_options o = {.path = "-", .text = xml, .text_len = strlen(xml), .parts_dir = "parts"};
    wsk_rig *rig = NULL;
    assert_int_equal(wsk_rig_load(&rig, &o), WSK_EINPUT);
    assert_int_equal(wsk_rig_messages(rig), 3);
    for (size_t i = 0; i < 3; i++) {
        int severity, line, column;
        const char *file, *text;
        wsk_rig_message(rig, i, &severity, &file, &line, &column, &text);
        assert_int_equal(line, lines[i]);
    }
    wsk_rig_free(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mistakes_are_in_the_order_of_lines), cmocka_unit_test(measured_power_is_drawn),
        cmocka_unit_test(cards_are_in_the_order_of_slots),    cmocka_unit_test(settings_fit_the_card),
        cmocka_unit_test(values_of_a_model_fit_each_other),   cmocka_unit_test(a_model_is_named_or_written),
        cmocka_unit_test(the_default_limit_can_be_set),       cmocka_unit_test(an_offset_needs_its_clock),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
