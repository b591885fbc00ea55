/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tokens per second of whole rigs: groups of cards, unlike cards, a model that does not fit, engines:
 * docs/theory/tokens.md */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/io/plan.h"
#include "sim/net/tokens.h"
#include "tests/support/bench.h"
#include "tests/unit/assert.h"

static void near_to(double a, double b, double rel)
{
    if (!(fabs(a / b - 1) <= rel))
        fail_msg("%.9g is not within %g of %.9g", a, rel, b);
}

static wsk_run *model_run(const char *cards, const char *work, const char *says, wsk_rig **rig)
{
    char xml[1600];
    snprintf(xml, sizeof xml,
             "<rig><site supply='230 V' circuit='32 A'/><chassis kind='frame' slots='20' card-length='1 m'><psu "
             "kind='constant' rated='5 kW' efficiency='94 %%'/>%s</chassis><workload kind='inference' "
             "model='model/llama-3.1-8b' %s/><run for='1 h'/></rig>",
             cards, work);
    const wsk_rig_options o = {.path = "-", .text = xml, .text_len = strlen(xml), .parts_dir = "parts"};
    const wsk_status status = wsk_rig_load(rig, &o);
    bool told = !says;
    for (size_t i = 0; i < wsk_rig_messages(*rig); i++) {
        int severity, line, column;
        const char *file, *text;
        wsk_rig_message(*rig, i, &severity, &file, &line, &column, &text);
        if (status != WSK_OK)
            print_error("%s\n", text);
        told = told || strstr(text, says);
    }
    assert_int_equal(status, WSK_OK);
    if (!told)
        fail_msg("no message says %s", says);
    return wsk_test_run(*rig, WSK_STEPPER_FAST, 60);
}

static wsk_token_rates of_rig(const char *cards, const char *work, const char *says)
{
    wsk_rig *rig = NULL;
    wsk_run *run = model_run(cards, work, says, &rig);
    const wsk_token_rates rates = run->net->tokens ? *run->net->tokens : (wsk_token_rates){.generation_s = NAN};
    wsk_test_drop(run, rig);
    return rates;
}

#define GPU(id, slot, part, more) "<gpu id='" id "' part='gpu/" part "' slot='" slot "' " more "/>"
#define PAIR GPU("a", "1", "rtx-3090", "") GPU("b", "5", "rtx-3090", "")
#define FOUR PAIR GPU("c", "9", "rtx-3090", "") GPU("d", "13", "rtx-3090", "")

/* The cards of a rig form groups, each of which holds the model once. */
static void groups_of_a_rig(void **state)
{
    (void)state;
    const wsk_token_rates one = of_rig(GPU("a", "1", "rtx-3090", ""), "", NULL), two = of_rig(PAIR, "", NULL),
                          layers = of_rig(PAIR, "split='layer'", NULL), tensor = of_rig(PAIR, "split='tensor'", NULL),
                          groups = of_rig(FOUR, "tensor-parallel='2'", NULL);
    near_to(two.generation_s, 2 * one.generation_s, 0.02);
    assert_true(two.copies > 1.5 && layers.copies < 1.5 && tensor.copies < 1.5);
    near_to(layers.have_byte, 2 * one.have_byte, 1e-12);
    near_to(layers.generation_s, one.generation_s, 0.1);
    assert_true(tensor.generation_s > 1.2 * layers.generation_s);
    near_to(groups.copies, 2, 1e-12);
    near_to(groups.generation_s, 2 * tensor.generation_s, 0.05);
    /* `batch` counts requests of one group; `streams` those of the rig */
    near_to(of_rig(PAIR, "batch='4'", NULL).requests, 8, 1e-12);
    near_to(of_rig(PAIR, "batch='4'", NULL).generation_s, of_rig(PAIR, "streams='8'", NULL).generation_s, 0.01);
    near_to(of_rig(PAIR, "gpus='b'", NULL).generation_s, one.generation_s, 0.02);
}

/* If the cards are unlike, the group with the least memory decides whether the model fits. */
static void unlike_cards(void **state)
{
    (void)state;
    static const char *const orders[] = {GPU("a", "1", "rtx-3090", "") GPU("b", "5", "rtx-3090", "memory='4 GB'"),
                                         GPU("a", "1", "rtx-3090", "memory='4 GB'") GPU("b", "5", "rtx-3090", "")};
    for (size_t i = 0; i < 2; i++) {
        const wsk_token_rates r = of_rig(orders[i], "", "does not fit");
        assert_false(r.fits);
        near_to(r.have_byte, 4 * 1073741824.0, 1e-12);
    }
    /* NVLink joins a group only if all its cards have it */
    static const char links[] = GPU("a", "1", "rtx-3090", "nvlink='yes'") GPU("b", "5", "rtx-3090", "nvlink='yes'"),
                      half[] = GPU("a", "1", "rtx-3090", "nvlink='yes'") GPU("b", "5", "rtx-3090", "");
    const char *tensor = "split='tensor'";
    assert_true(of_rig(links, tensor, NULL).generation_s > 1.02 * of_rig(half, tensor, NULL).generation_s);
    near_to(of_rig(half, tensor, NULL).generation_s, of_rig(PAIR, tensor, NULL).generation_s, 1e-12);
}

#define SMALL(id, slot) GPU(id, slot, "rtx-3090", "memory='4 GB'")

/* All cards on which the model does not fit read the remaining weights from the same host memory. */
static void one_host_for_all_cards(void **state)
{
    (void)state;
    const double one = of_rig(SMALL("a", "1"), "", "does not fit").generation_s,
                 two = of_rig(SMALL("a", "1") SMALL("b", "5"), "", "does not fit").generation_s,
                 four = of_rig(SMALL("a", "1") SMALL("b", "5") SMALL("c", "9") SMALL("d", "13"), "", "does not fit")
                            .generation_s;
    assert_true(two > one && two < 1.2 * one);
    assert_true(four > two && four < 1.2 * one);
    /* if the model fits on one card, the other has the host memory for itself */
    near_to(of_rig(SMALL("a", "1") GPU("b", "5", "rtx-3090", ""), "", "does not fit").generation_s,
            one + of_rig(GPU("b", "5", "rtx-3090", ""), "", NULL).generation_s, 0.02);
}

/* A model that no card can hold, but all together can, is named as such, with the setting that shares it: cards in turn
 * in llama.cpp, all at once in vLLM. Not where it already is shared, or would not fit then either. */
#define TINY(id, slot) GPU(id, slot, "rtx-4090", "memory='8 GB'")
#define TINIES TINY("a", "1") TINY("b", "5") TINY("c", "9") TINY("d", "13")

static void sharing_is_proposed_where_it_helps(void **state)
{
    (void)state;
    static const struct {
        const char *cards, *work, *told, *then; /* then: the work with the setting that is told */
    } rigs[] = {
        {SMALL("a", "1") SMALL("b", "5"), "", "; split=\"layer\" lets the 2 cards", "split='layer'"},
        {SMALL("a", "1") SMALL("b", "5") SMALL("c", "9") SMALL("d", "13"), "tensor-parallel='1'",
         "; split=\"layer\" lets the 4 cards", "tensor-parallel='1' split='layer'"},
        {GPU("a", "1", "rtx-4090", "memory='10 GB'") GPU("b", "5", "rtx-4090", "memory='10 GB'"),
         "engine='vllm' quant='BF16'", "; split=\"tensor\" lets the 2 cards",
         "engine='vllm' quant='BF16' split='tensor'"},
        /* beside tensor-parallel, split does not count */
        {TINIES, "engine='vllm' quant='BF16' tensor-parallel='2'", "; tensor-parallel=\"4\" lets the 4 cards",
         "engine='vllm' quant='BF16' tensor-parallel='4'"},
        {TINIES, "engine='vllm' quant='BF16' tensor-parallel='2' split='tensor'",
         "; tensor-parallel=\"4\" lets the 4 cards", "engine='vllm' quant='BF16' tensor-parallel='4' split='tensor'"},
        {SMALL("a", "1"), "", NULL, NULL},
        {SMALL("a", "1") SMALL("b", "5"), "quant='F16'", NULL, NULL},
        {SMALL("a", "1") SMALL("b", "5"), "split='layer' quant='F16'", NULL, NULL},
    };
    for (size_t i = 0; i < sizeof rigs / sizeof *rigs; i++) {
        wsk_rig *rig = NULL;
        wsk_run *run = model_run(rigs[i].cards, rigs[i].work, rigs[i].told ? rigs[i].told : "does not fit", &rig);
        assert_int_equal(run->net->tokens->shared > 0, rigs[i].told != NULL);
        wsk_test_drop(run, rig);
        assert_true(!rigs[i].then || of_rig(rigs[i].cards, rigs[i].then, NULL).fits);
    }
}

/* A card on which the model does not fit waits for the host as if it were the only card. A card on which it fits does
 * not wait. */
static void only_who_spills_waits(void **state)
{
    (void)state;
    static const char *const rigs[] = {SMALL("a", "1"), SMALL("a", "1") GPU("b", "5", "rtx-3090", ""),
                                       GPU("b", "1", "rtx-3090", "") SMALL("a", "5")};
    double pause[3], host[3];
    for (size_t i = 0; i < 3; i++) {
        wsk_rig *rig = NULL;
        wsk_run *run = model_run(rigs[i], "", "does not fit", &rig);
        pause[i] = run->net->cards[i == 2].cls.pause;
        host[i] = run->net->host_load;
        if (i)
            assert_true(run->net->cards[i == 1].cls.pause <= 0);
        wsk_test_drop(run, rig);
    }
    assert_true(pause[0] > 0.5 && host[0] > 0.5);
    for (size_t i = 1; i < 3; i++) {
        near_to(pause[i], pause[0], 1e-12);
        near_to(host[i], host[0], 1e-12);
    }
}

/* Cards that work on each layer together wait for the host, too: a step takes busy + exchanges + the rest of the weights
 * at 50 GB/s, and the cards have work in its first part only. A duty that the workload states counts instead. */
static void who_shares_each_layer_waits(void **state)
{
    (void)state;
    static const char *const works[] = {"split='tensor' quant='F16'", "tensor-parallel='2' quant='F16'"};
    for (size_t i = 0; i < 3; i++) {
        char work[80];
        wsk_rig *rig = NULL;
        snprintf(work, sizeof work, "%s%s", works[i % 2], i == 2 ? " duty='70 %'" : "");
        wsk_run *run = model_run(SMALL("a", "1") SMALL("b", "5"), work, "does not fit", &rig);
        const wsk_token_rates *r = run->net->tokens;
        const wsk_card *c = &run->net->cards[0];
        const double host_s = r->spilled * wsk_model_read(&wsk_model_usual, 1) * 2 / 50e9,
                     talk_s = 2 * 32 * (25e-6 + 2 * 0.5 * 4096 * 2 / 12e9), step_s = 1 / r->generation_s;
        if (i < 2) {
            /* the pause is that at the highest clock, the rate that at the clock of a warm card */
            near_to(1 - c->cls.pause, 1 - (host_s + talk_s) / step_s, 0.01);
            assert_true(c->cls.pause > 0.8);
            near_to(run->net->host_load, c->cls.pause, 0.01);
            assert_true(run->cards[0].power_w < 0.5 * c->limit_w);
        } else {
            near_to(c->cls.pause, 0.3, 1e-9);
        }
        wsk_test_drop(run, rig);
    }
}

/* If the memory size, bandwidth or compute units of a card are unknown, so are its tokens per second, and a warning
 * names the missing values. */
static void unknown_cards(void **state)
{
    (void)state;
    static const struct {
        const char *known, *says;
    } cards[] = {{"", "does not say its memory, memory-bandwidth, compute-units, matrix-ops"},
                 {"memory='24 GB'", "a does not say its memory-bandwidth, compute-units, matrix-ops"},
                 {"memory='24 GB' memory-bandwidth='936 GB/s'", "a does not say its compute-units, matrix-ops"},
                 {"memory='24 GB' memory-bandwidth='936 GB/s' compute-units='82'", "a does not say its matrix-ops"},
                 {"memory='24 GB' memory-bandwidth='936 GB/s' compute-units='82' matrix-ops='1024'", NULL},
                 {"memory='23.5 GB' memory-bandwidth='936 GB/s' compute-units='82' matrix-ops='1024'", NULL}};
    double have[6];
    for (size_t i = 0; i < 6; i++) {
        char text[600];
        snprintf(
            text, sizeof text,
            "<gpu id='a' slot='1' tdp='300 W' clock-max='1900 MHz' clock-knee='1300 MHz' "
            "voltage-slope='0.5 1/GHz' %s>"
            "<cooler kind='passive' conductance='20 W/K' flow='100 m3/h' capacity='500 J/K' drop='60 Pa'/></gpu>",
            cards[i].known);
        const wsk_token_rates r = of_rig(text, "", cards[i].says);
        have[i] = r.have_byte;
        assert_true(cards[i].says ? isnan(r.generation_s) : r.generation_s > 10);
    }
    /* data sheets say GB for GiB where the number is whole */
    near_to(have[4], 24 * 1073741824.0, 1e-12);
    near_to(have[5], 23.5e9, 1e-12);
}

/* Tokens per second are unknown if the engine cannot load the weights or does not run on so old a card. */
static void engines_that_do_not_run(void **state)
{
    (void)state;
    static const struct {
        const char *part, *work, *says;
    } cases[] = {{"rtx-4090", "engine='llama.cpp' quant='FP8'", "llama.cpp does not load FP8 weights"},
                 {"rtx-4090", "engine='llama.cpp' quant='AWQ'", "llama.cpp does not load AWQ weights"},
                 {"rtx-4090", "engine='llama.cpp' quant='MXFP4'", NULL},
                 {"rtx-4090", "engine='vllm' quant='AWQ'", NULL},
                 {"p40", "engine='vllm'", "vllm does not run on a, which is older than compute capability 7.0"},
                 {"p100-pcie", "engine='vllm'", "vllm does not run on a"},
                 {"p40", "engine='llama.cpp'", NULL},
                 {"v100-pcie", "engine='vllm'", NULL},
                 {"mi50-16gb", "engine='vllm'", "vllm does not run on a; expected"},
                 {"rx-6800-xt", "engine='vllm'", "vllm does not run on a; expected"},
                 {"rx-7600-xt", "engine='vllm'", "vllm does not run on a; expected"},
                 {"mi210", "engine='vllm'", NULL},
                 {"rx-7900-xtx", "engine='vllm'", NULL},
                 {"mi50-16gb", "", NULL},
                 {"mi50-16gb", "engine='vllm' measured-rate='20 tok/s'", NULL},
                 {"p40", "engine='vllm' measured-rate='20 tok/s'", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char gpu[200], work[200];
        snprintf(gpu, sizeof gpu, GPU("a", "1", "%s", ""), cases[i].part);
        snprintf(work, sizeof work, "context='1024' %s", cases[i].work);
        const wsk_token_rates r = of_rig(gpu, work, cases[i].says);
        if (cases[i].says ? !isnan(r.generation_s) : !(r.generation_s > 10))
            fail_msg("%s, %s: %g tokens a second", cases[i].part, cases[i].work, r.generation_s);
    }
}

/* A card at its power limit can draw less but not more. If no uncertainty of the whole rig was computed, half of the
 * range of the card's power is the spread of the energy per token, beside the spread of the tokens. */
static void energy_at_a_limit(void **state)
{
    (void)state;
    double open[2], rel[2];
    for (int capped = 0; capped < 2; capped++) {
        char xml[512];
        snprintf(xml, sizeof xml,
                 "<rig><chassis part='chassis/workstation-12-slot'><psu kind='constant' rated='1 kW' efficiency='94 "
                 "%%'/><fan part='fan/generic-140-1500' at='front' count='3'/><gpu part='gpu/rtx-4090' "
                 "slot='1' power-limit='%d W'/></chassis><workload kind='inference' model='model/llama-3.1-8b'/><run "
                 "for='10 min'/></rig>",
                 capped ? 280 : 450);
        wsk_rig *rig;
        wsk_run *run = wsk_test_run_to(xml, 600, &rig);
        wsk_summary *s = NULL;
        assert_int_equal(wsk_run_summary(&s, run, 0), WSK_OK);
        const double all = wsk_summary_number(s, WSK_R_TOKENS_ENERGY_SPREAD, 0),
                     tokens = wsk_summary_number(s, WSK_R_TOKENS_GENERATION_SPREAD, 0);
        open[capped] = sqrt(all * all - tokens * tokens);
        rel[capped] =
            wsk_summary_number(s, WSK_R_GPU_POWER_SPREAD, 0) * wsk_summary_number(s, WSK_R_GPU_POWER_MEAN, 0) * 600 /
            (3.6e6 * (wsk_summary_number(s, WSK_R_WALL_KWH, 0) - wsk_summary_number(s, WSK_R_PSU_LOSS_KWH, 0)));
        wsk_summary_free(s);
        wsk_test_drop(run, rig);
    }
    near_to(open[0], rel[0], 1e-9);
    assert_true(rel[1] > 0.05);
    near_to(open[1], rel[1] / 2, 0.05);
}

/* Result `wanted` of a minute of a rig. */
static double result_of(const char *cards, const char *work, wsk_result wanted)
{
    wsk_rig *rig = NULL;
    wsk_summary *s = NULL;
    wsk_run *run = model_run(cards, work, NULL, &rig);
    wsk_test_advance(run, 60);
    assert_int_equal(wsk_run_summary(&s, run, 0), WSK_OK);
    const double value = wsk_summary_number(s, wanted, 0);
    wsk_summary_free(s);
    wsk_test_drop(run, rig);
    return value;
}

static double prompt_rate(const char *cards, const char *work)
{
    return result_of(cards, work, WSK_R_TOKENS_PROMPT);
}

/* Prompts are processed at the power limit in force, whether power-limit or limit-schedule states it. */
static void prompts_at_a_limit(void **state)
{
    (void)state;
    const double free = prompt_rate(GPU("a", "1", "rtx-3090", ""), ""),
                 held = prompt_rate(GPU("a", "1", "rtx-3090", "power-limit='220 W'"), "");
    assert_true(held < 0.95 * free);
    near_to(prompt_rate(GPU("a", "1", "rtx-3090", "limit-schedule='0 h:220 W'"), ""), held, 1e-6);
}

/* Neither a lost card nor the cards that share a model with it process prompts. */
static void no_prompts_of_a_lost_card(void **state)
{
    (void)state;
    const double one = prompt_rate(GPU("a", "1", "rtx-3090", ""), "");
    static const char lost[] = GPU("a", "1", "rtx-3090", "") GPU("b", "5", "rtx-3090", "lost-at='0 s'");
    near_to(prompt_rate(PAIR, ""), 2 * one, 0.02);
    near_to(prompt_rate(lost, ""), one, 0.02);
    assert_true(prompt_rate(PAIR, "split='layer'") > 0.5 * one);
    assert_near(prompt_rate(lost, "split='layer'"), 0, 0);
    near_to(prompt_rate(GPU("a", "1", "rtx-3090", "lost-at='30 s'"), ""), one / 2, 0.05);
}

/* A copy of the model on a card that is lost from the start answers no requests. One that is lost later counts, and
 * the rate of a request is that of the time in which the copy answered. */
static void no_requests_of_a_lost_copy(void **state)
{
    (void)state;
#define ROW(slot) GPU("a" slot, slot, "rtx-3090", "")
    static const struct {
        const char *cards, *work;
        double copies, requests;
    } rows[] = {{PAIR, "streams='8'", 2, 8},
                {ROW("1") GPU("b", "5", "rtx-3090", "lost-at='0 s'"), "streams='8'", 1, 4},
                {ROW("1") GPU("b", "5", "rtx-3090", "lost-at='30 s'"), "streams='8'", 2, 8},
                {ROW("1") GPU("b", "5", "rtx-3090", "power='200 W'"), "streams='8'", 1, 4}, /* its work is unknown */
                {ROW("1") ROW("5") ROW("9") GPU("b", "13", "rtx-3090", "lost-at='0 s'"),
                 "streams='8' tensor-parallel='2'", 1, 4}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_near(result_of(rows[i].cards, rows[i].work, WSK_R_TOKENS_COPIES), rows[i].copies, 0);
        assert_near(result_of(rows[i].cards, rows[i].work, WSK_R_TOKENS_REQUESTS), rows[i].requests, 0);
    }
    const double each = result_of(ROW("1"), "streams='4'", WSK_R_TOKENS_EACH_REQUEST);
    for (size_t i = 0; i < 4; i++)
        near_to(result_of(rows[i].cards, rows[i].work, WSK_R_TOKENS_EACH_REQUEST), each, 0.02);
    near_to(result_of(rows[3].cards, "", WSK_R_TOKENS_PROMPT), result_of(ROW("1"), "", WSK_R_TOKENS_PROMPT), 0.02);
    const char *none = GPU("a", "1", "rtx-3090", "lost-at='0 s'");
    assert_near(result_of(none, "streams='4'", WSK_R_TOKENS_REQUESTS), 0, 0);
    assert_true(isnan(result_of(none, "streams='4'", WSK_R_TOKENS_EACH_REQUEST)));
}

/* Prompt tokens a second of a rig's summary, relative to `t->prompt_s`. */
static double prompt_share(const char *cards, const char *work, wsk_token_rates *t, double *perf)
{
    wsk_rig *rig = NULL;
    wsk_run *run = model_run(cards, work, NULL, &rig);
    wsk_summary *s = NULL;
    wsk_test_advance(run, 60);
    assert_int_equal(wsk_run_summary(&s, run, 0), WSK_OK);
    const double share = wsk_summary_number(s, WSK_R_TOKENS_PROMPT, 0) / run->net->tokens->prompt_s;
    const wsk_card *c = &run->net->cards[0];
    wsk_gpu_class as;
    c->ops->classify(c->gpu, WSK_CLASS_PREFILL, NULL, &as);
    *perf = isnan(c->gpu->lock_clock_hz) ? 1 : c->ops->perf_rel(&as, c->gpu->lock_clock_hz);
    *t = *run->net->tokens;
    wsk_summary_free(s);
    wsk_test_drop(run, rig);
    return share;
}

/* Cards that are cool and at their default limit read prompts at their reference rate, one after another or together.
 * A locked clock slows each card as it slows prefill. */
static void prompts_of_a_rig(void **state)
{
    (void)state;
    static const char slow_pair[] =
        GPU("a", "1", "rtx-3090", "lock-clock='900 MHz'") GPU("b", "5", "rtx-3090", "lock-clock='900 MHz'"),
                      mixed[] = GPU("a", "1", "rtx-3090", "lock-clock='900 MHz'") GPU("b", "5", "rtx-3090", "");
    static const struct {
        const char *cards, *work;
        double locked; /* share of the cards that have the locked clock */
    } rows[] = {{GPU("a", "1", "rtx-3090", ""), "", 0},
                {PAIR, "", 0},
                {PAIR, "split='layer'", 0},
                {FOUR, "tensor-parallel='2'", 0},
                {GPU("a", "1", "rtx-3090", "lock-clock='900 MHz'"), "", 1},
                {slow_pair, "", 1},
                {mixed, "", 0.5},
                {mixed, "gpus='b'", 0}};
    double rate[8];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        wsk_token_rates t;
        double perf;
        const double share = prompt_share(rows[i].cards, rows[i].work, &t, &perf);
        rate[i] = share * t.prompt_s;
        assert_true(rows[i].locked <= 0 || perf < 0.7);
        near_to(share, rows[i].locked * perf + 1 - rows[i].locked, 0.03);
    }
    near_to(rate[1], 2 * rate[0], 0.03);
    near_to(rate[7], rate[0], 0.03);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(groups_of_a_rig),
                                       cmocka_unit_test(unlike_cards),
                                       cmocka_unit_test(one_host_for_all_cards),
                                       cmocka_unit_test(sharing_is_proposed_where_it_helps),
                                       cmocka_unit_test(only_who_spills_waits),
                                       cmocka_unit_test(who_shares_each_layer_waits),
                                       cmocka_unit_test(unknown_cards),
                                       cmocka_unit_test(engines_that_do_not_run),
                                       cmocka_unit_test(energy_at_a_limit),
                                       cmocka_unit_test(prompts_at_a_limit),
                                       cmocka_unit_test(no_prompts_of_a_lost_card),
                                       cmocka_unit_test(no_requests_of_a_lost_copy),
                                       cmocka_unit_test(prompts_of_a_rig)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
