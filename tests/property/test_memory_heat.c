/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The heat of a card's memory depends on the traffic of its workload: docs/theory/card.md, "Memory". */
#include <math.h>
#include <stdio.h>

#include "sim/books/books.h"
#include "sim/net/machine.h"
#include "tests/support/bench.h"

#define BENCH(part, more, work) \
    "<rig><site><room temperature='24 degC'/></site><chassis part='chassis/test-bench'><gpu part='gpu/" part \
    "' slot='1' " more "/></chassis><workload kind='constant' " work "/><run for='4 h'/></rig>"

typedef struct {
    double die_c, memory_c, board_w, memory_w;
} settled;

static settled settle(const char *xml)
{
    wsk_rig *rig;
    wsk_run *run = wsk_test_run_to(xml, 4 * 3600, &rig);
    const wsk_card *card = &run->net->cards[0];
    const double board_w = run->cards[0].power_w, die_w = wsk_die_w(card, NAN, board_w);
    assert_rel(die_w + wsk_memory_w(card, NAN, board_w) + wsk_board_w(card, board_w), board_w, 1e-12);
    assert_true(wsk_residual(run) <= 1e-9);
    const settled s = {wsk_test_get(run, "gpu0.die_c"), wsk_test_get(run, "gpu0.memory_c"), board_w,
                       wsk_memory_w(card, NAN, board_w)};
    wsk_test_drop(run, rig);
    return s;
}

static void test_traffic_moves_heat(void **state)
{
    (void)state;
    static const char *const rigs[] = {
        BENCH("rtx-3090-open-air", "power='290 W' fan='70 %'", "class='stream' memory-traffic='0 %'"),
        BENCH("rtx-3090-open-air", "power='290 W' fan='70 %'", "class='stream' memory-traffic='25 %'"),
        BENCH("rtx-3090-open-air", "power='290 W' fan='70 %'", "class='stream' memory-traffic='50 %'"),
        BENCH("rtx-3090-open-air", "power='290 W' fan='70 %'", "class='stream' memory-traffic='75 %'"),
        BENCH("rtx-3090-open-air", "power='290 W' fan='70 %'", "class='stream'")};
    settled last = settle(rigs[0]);
    for (int i = 1; i < 5; i++) {
        const settled now = settle(rigs[i]);
        assert_rel(now.board_w, last.board_w, 1e-12);
        assert_true(now.memory_w > last.memory_w + 5 && now.memory_c > last.memory_c + 4);
        assert_true(now.die_c < last.die_c && now.die_c > last.die_c - 2);
        last = now;
    }
    /* The power of memory at full traffic is that of 936 GB/s at 7.25 pJ per bit, and a quarter of it in addition,
     * which memory also draws without traffic. At 290 W the card does a little less than full work. */
    const double full_w = 936e9 * 8 * 7.25e-12 * 1.25;
    assert_true(last.memory_w <= full_w && last.memory_w > 0.95 * full_w);
}

/* Memory of an RTX 3090 is at 100-110 degC while mining, as people report (NVlabs/instant-ngp issue 297,
 * develsoftware/GMinerRelease issue 372); it is cooler in training, cooler still with gpu-burn, and coolest on an
 * idle card. */
static void test_loads_in_order(void **state)
{
    (void)state;
    const settled mines = settle(BENCH("rtx-3090-open-air", "power-limit='290 W'", "class='stream'")),
                  trains = settle(BENCH("rtx-3090-open-air", "power='290 W'", "class='training'")),
                  burns = settle(BENCH("rtx-3090-open-air", "power='290 W'", "class='burn'")),
                  idles = settle(BENCH("rtx-3090-open-air", "", "class='training' load='0 %'"));
    print_message("memory of a 3090: mining %.1f, training %.1f, gpu-burn %.1f, idle %.1f degC\n", mines.memory_c,
                  trains.memory_c, burns.memory_c, idles.memory_c);
    assert_true(mines.memory_c >= 100 && mines.memory_c <= 111);
    assert_true(mines.memory_c > trains.memory_c + 5 && trains.memory_c > burns.memory_c + 5);
    assert_true(burns.memory_c > idles.memory_c + 20 && idles.memory_c < 60);
}

/* A stated memory-power is the power of memory in training at the clock of the card's default limit, and replaces the
 * value derived from bandwidth. */
static void test_stated_power(void **state)
{
    (void)state;
    wsk_rig *rig = wsk_test_rig(BENCH("rtx-3090-open-air", "memory-power='33 W'", "class='training'"), NULL);
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 60);
    const wsk_card *card = &run->net->cards[0];
    const double ref_w = card->ops->power_w(card->gpu, &card->cls, card->cls.ref_clock_hz, 65 + 273.15, NULL);
    assert_rel(wsk_memory_w(card, NAN, ref_w), 33, 1e-9);
    assert_rel(wsk_memory_w(card, NAN, ref_w + 50), 33,
               1e-9); /* a higher clock does not raise the traffic above that of
                                                           * the load */
    double last = 0;
    for (double w = card->gpu->idle_w; w < ref_w; w += 5) {
        assert_true(wsk_memory_w(card, NAN, w) >= last);
        last = wsk_memory_w(card, NAN, w);
    }
    wsk_test_drop(run, rig);
}

/* A memory clock of the owner's moves more or less data in the same time, and heats the memory by what it moves: at the
 * reference clock the power beyond that of memory without traffic is proportional to the work. */
static void test_memory_clock_moves_heat(void **state)
{
    (void)state;
    static const char *const rigs[] = {
        BENCH("rtx-3090-open-air", "power='290 W' fan='70 %' memory-offset='-3000 MHz'", "class='stream'"),
        BENCH("rtx-3090-open-air", "power='290 W' fan='70 %'", "class='stream'"),
        BENCH("rtx-3090-open-air", "power='290 W' fan='70 %' memory-offset='1000 MHz'", "class='stream'"),
        BENCH("rtx-3090-open-air", "power='290 W' fan='70 %' memory-offset='3000 MHz'",
              "class='stream' clock-share='20 %'")};
    double last_c = 0, sold_w = 0;
    for (int i = 0; i < 4; i++) {
        wsk_rig *rig;
        wsk_run *run = wsk_test_run_to(rigs[i], 4 * 3600, &rig);
        const wsk_card *card = &run->net->cards[0];
        const double work = card->ops->perf_rel(&card->cls, card->cls.ref_clock_hz),
                     moved_w = wsk_memory_w(card, NAN, card->ref_at_w) - card->memory_awake_w;
        double last_w = 0;
        for (double w = card->gpu->idle_w; w < card->ref_at_w; w += 5) {
            assert_true(wsk_memory_w(card, NAN, w) >= last_w);
            last_w = wsk_memory_w(card, NAN, w);
        }
        sold_w = i == 0 ? moved_w / work : sold_w;
        assert_rel(moved_w, work * sold_w, 1e-9);
        assert_true(wsk_test_get(run, "gpu0.memory_c") > last_c + 2);
        last_c = wsk_test_get(run, "gpu0.memory_c");
        wsk_test_drop(run, rig);
    }
}

/* Whether memory chips lie on both faces of the board is a fact of the card, and no consequence of a stated
 * resistance: a card that states the value which the program derives is the same card. */
static void test_stated_resistance_moves_no_chip(void **state)
{
    (void)state;
    static const char *const cards[] = {"rtx-3090-open-air", "rtx-4080", "rtx-a6000"};
    for (size_t i = 0; i < sizeof cards / sizeof *cards; i++) {
        char xml[600];
        wsk_rig *rig;
        snprintf(xml, sizeof xml, BENCH("%s", "power='290 W' fan='70 %%' %s", "class='training'"), cards[i], "");
        const settled derived = settle(xml);
        wsk_run *run = wsk_test_run_to(xml, 1, &rig);
        char stated[60];
        snprintf(stated, sizeof stated, "memory-resistance='%.17g K/W'", run->net->cards[0].gpu->memory_res_k_w);
        wsk_test_drop(run, rig);
        snprintf(xml, sizeof xml, BENCH("%s", "power='290 W' fan='70 %%' %s", "class='training'"), cards[i], stated);
        const settled same = settle(xml);
        assert_rel(same.die_c, derived.die_c, 1e-12);
        assert_rel(same.memory_c, derived.memory_c, 1e-12);
    }
}

/* Stacks on the die's package lie under the heatsink of the die. Those of an H100 PCIe and of H100 and H200 SXM stand at
 * most 12 K over it at the full power of training (docs/theory/sources.md, "Recordings of this project"), so cards whose
 * stacks are only assumed stand no higher. */
static void test_stacks_near_the_die(void **state)
{
    (void)state;
    static const char *const cards[] = {"a100-pcie-40gb", "a100-pcie-80gb", "a30",     "b200",      "b300",
                                        "cmp-170hx",      "gaudi2",         "gaudi3",  "h100-nvl",  "h20",
                                        "h200-nvl",       "mi50-16gb",      "mi60",    "mi100",     "mi210",
                                        "mi250x",         "mi300x",         "mi325x",  "mi350x",    "mi355x",
                                        "p100-pcie",      "radeon-vii",     "titan-v", "v100-pcie", "v100-sxm2"};
    for (size_t i = 0; i < sizeof cards / sizeof *cards; i++) {
        char xml[600];
        snprintf(xml, sizeof xml,
                 "<rig><site><room temperature='24 degC'/></site><chassis part='chassis/server-8u-hgx'><psu "
                 "kind='constant' rated='5 kW' efficiency='94 %%'/><gpu part='gpu/%s' slot='1'/></chassis><workload "
                 "kind='constant' class='training'/><run for='4 h'/></rig>",
                 cards[i]);
        const settled trains = settle(xml);
        if (trains.memory_c > trains.die_c + 12)
            fail_msg("%s: memory %.1f degC, die %.1f degC", cards[i], trains.memory_c, trains.die_c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_traffic_moves_heat),
                                       cmocka_unit_test(test_memory_clock_moves_heat),
                                       cmocka_unit_test(test_stated_resistance_moves_no_chip),
                                       cmocka_unit_test(test_stacks_near_the_die),
                                       cmocka_unit_test(test_loads_in_order),
                                       cmocka_unit_test(test_stated_power)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
