/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/tokens.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/io/plan.h"
#include "sim/num/fit.h"

enum { GENERATION, PROMPT, UNKNOWNS = 4 };

static wsk_plan *plan_of(const char *card, const char *model)
{
    char xml[512];
    snprintf(
        xml, sizeof xml,
        "<rig><chassis card-length='1 m'><psu kind='constant' rated='5 kW' efficiency='94 %%'/>"
        "<gpu part='gpu/%s' slot='1'/></chassis><workload kind='inference' model='model/%s'/><run for='1 h'/></rig>",
        card, model);
    wsk_plan *plan = NULL;
    const wsk_plan_input in = {.path = "-", .text = xml, .text_len = strlen(xml), .parts_dir = "parts"};
    if (wsk_plan_load(&plan, &in) == WSK_OK)
        return plan;
    wsk_plan_free(plan);
    return NULL;
}

static bool fill_row(wsk_token_row *r, const wsk_plan *plan, wsk_engine engine)
{
    const wsk_elem *chassis = wsk_elem_child(plan->rig, "chassis", NULL), *gpu = wsk_elem_child(chassis, "gpu", NULL),
                   *work = wsk_elem_child(plan->rig, "workload", NULL), *model = wsk_elem_child(work, "model", NULL);
    const wsk_gpu_params *g = gpu->params;
    const wsk_gpu_ops *ops = gpu->kind->ops;
    wsk_gpu_class decode, prefill;
    ops->classify(g, WSK_CLASS_DECODE, NULL, &decode);
    ops->classify(g, WSK_CLASS_PREFILL, NULL, &prefill);
    int quant = 0;
    while (wsk_quant_names[quant] && strcmp(wsk_quant_names[quant], r->quant) != 0)
        quant++;
    const bool tensor = engine == WSK_ENGINE_VLLM;
    r->hbm = strncmp(g->memory_type, "HBM", 3) == 0;
    r->job = (wsk_token_job){.model = model->params,
                             .quant = (wsk_quant)quant,
                             .engine = engine,
                             .split = r->cards == 1 ? WSK_SPLIT_NONE
                                      : tensor      ? WSK_SPLIT_TENSOR
                                                    : WSK_SPLIT_LAYER,
                             .cards = r->cards,
                             .streams = 1,
                             .context = 1024,
                             .nvlink_byte_s = g->nvlink ? g->nvlink_byte_s : 0};
    for (int c = 0; c < r->cards; c++)
        r->each[c] = wsk_token_card_of(g, decode.ref_clock_hz, prefill.ref_clock_hz);
    return quant < WSK_QUANT_COUNT;
}

static bool read_row(wsk_tokens_facts *f, int i)
{
    const wsk_csv *csv = f->csv;
    wsk_token_row *r = &f->rows[i];
    *r = (wsk_token_row){
        .card = wsk_csv_text(csv, i, "card"),
        .model = wsk_csv_text(csv, i, "model"),
        .quant = wsk_csv_text(csv, i, "quant"),
        .cards = (int)wsk_csv_number(csv, i, "cards"),
        .prompt_held = strcmp(wsk_csv_text(csv, i, "prompt_use"), "held") == 0,
        .measured = {wsk_csv_number(csv, i, "generation_per_s"), wsk_csv_number(csv, i, "prompt_per_s")}};
    if (r->cards < 1 || r->cards > WSK_TOKEN_CARDS || !(f->plans[i] = plan_of(r->card, r->model)))
        return false;
    return fill_row(r, f->plans[i], WSK_ENGINE_LLAMA_CPP) && wsk_tokens(&r->job, r->each).fits;
}

/* Number of requests that fill the memory, at most 4,096. */
static double most_streams(wsk_token_job job, const wsk_token_card *each)
{
    double low = 1, high = 4096;
    while (high - low > 1) {
        job.streams = floor((low + high) / 2);
        if (wsk_tokens(&job, each).fits)
            low = job.streams;
        else
            high = job.streams;
    }
    return low;
}

static bool rates_together(const wsk_csv *csv, int i, wsk_token_rates *rates)
{
    wsk_token_row r = {.quant = wsk_csv_text(csv, i, "quant"), .cards = (int)wsk_csv_number(csv, i, "cards")};
    if (r.cards < 1 || r.cards > WSK_TOKEN_CARDS)
        return false;
    wsk_plan *plan = plan_of(wsk_csv_text(csv, i, "card"), wsk_csv_text(csv, i, "model"));
    const bool vllm = strcmp(wsk_csv_text(csv, i, "engine"), "vllm") == 0,
               done = plan && fill_row(&r, plan, vllm ? WSK_ENGINE_VLLM : WSK_ENGINE_LLAMA_CPP);
    if (done) {
        r.job.context = wsk_csv_number(csv, i, "context");
        const double given = wsk_csv_number(csv, i, "streams");
        r.job.streams = isnan(given) ? most_streams(r.job, r.each) : given;
        *rates = wsk_tokens(&r.job, r.each);
    }
    wsk_plan_free(plan);
    return done;
}

typedef struct {
    wsk_tokens_facts *f;
    const char *without;
    int of;
} fitting;

static double rate_of(const wsk_token_row *r, const wsk_engine_law *law, int of)
{
    wsk_token_job job = r->job;
    job.law = law;
    const wsk_token_rates t = wsk_tokens(&job, r->each);
    return of == GENERATION ? t.generation_s : t.prompt_s;
}

static void set_law(wsk_engine_law *law, int of, const double *x)
{
    if (of == GENERATION) {
        law->share = exp(x[0]);
        law->digest = exp(x[1]);
        law->layer_s = exp(x[2]);
        law->hop_s = exp(x[3]);
    } else {
        law->prompt = exp(x[0]);
        law->prompt_16 = exp(x[1]);
        law->prompt_layer_s = exp(x[2]);
    }
}

static bool counts(const fitting *p, const wsk_token_row *r)
{
    return (p->of == GENERATION || r->prompt_held) && !(p->without && strcmp(p->without, r->card) == 0);
}

static void residuals(void *user, const double *x, double *out)
{
    const fitting *p = user;
    wsk_engine_law law = wsk_engine_laws[WSK_ENGINE_LLAMA_CPP];
    set_law(&law, p->of, x);
    for (int i = 0; i < p->f->n; i++) {
        const wsk_token_row *r = &p->f->rows[i];
        out[i] =
            counts(p, r) ? log(rate_of(r, &law, p->of) / r->measured[p->of]) / (p->of == GENERATION ? 0.08 : 0.2) : 0;
    }
}

/* The priors are wide, so that the rows determine the fit. */
static bool fit(wsk_tokens_facts *f, const char *without, int of, wsk_engine_law *law)
{
    const wsk_prior generation[UNKNOWNS] = {{log(0.85), 0.2, log(0.5), log(0.97)},
                                            {log(10), 1, log(1), log(100)},
                                            {log(50e-6), 1.5, log(1e-6), log(1e-3)},
                                            {log(100e-6), 1.5, log(1e-6), log(1e-2)}},
                    prompt[UNKNOWNS] = {{log(0.4), 0.5, log(0.05), log(1)},
                                        {log(0.4), 0.5, log(0.05), log(1)},
                                        {log(300e-6), 1.5, log(1e-6), log(1e-2)}};
    fitting p = {f, without, of};
    wsk_fit result;
    const wsk_fit_problem problem = {.unknowns = of == GENERATION ? 4 : 3,
                                     .rows = f->n,
                                     .prior = of == GENERATION ? generation : prompt,
                                     .residuals = residuals,
                                     .user = &p,
                                     .huber = 1.5};
    if (wsk_fit_map(&problem, NULL, &result) != WSK_OK)
        return false;
    set_law(law, of, result.x);
    return true;
}

static bool leave_out(wsk_tokens_facts *f)
{
    const wsk_engine_law shipped = wsk_engine_laws[WSK_ENGINE_LLAMA_CPP];
    f->all = shipped;
    bool done = fit(f, NULL, GENERATION, &f->all) && fit(f, NULL, PROMPT, &f->all);
    for (int i = 0; i < f->n && done; i++) {
        int first = 0;
        while (strcmp(f->rows[first].card, f->rows[i].card) != 0)
            first++;
        if (first < i)
            continue;
        f->kinds++;
        wsk_engine_law law = shipped;
        done = fit(f, f->rows[i].card, GENERATION, &law) && fit(f, f->rows[i].card, PROMPT, &law);
        for (int j = i; j < f->n; j++)
            for (int of = 0; of < 2 && strcmp(f->rows[j].card, f->rows[i].card) == 0; of++) {
                f->rows[j].shipped[of] = rate_of(&f->rows[j], &shipped, of);
                f->rows[j].left_out[of] = rate_of(&f->rows[j], &law, of);
            }
    }
    return done;
}

static void count_pairs(wsk_tokens_facts *f)
{
    for (int i = 0; i < f->n; i++)
        for (int j = 0; j < i; j++) {
            const wsk_token_row *a = &f->rows[i], *b = &f->rows[j];
            const double far = log(a->measured[0] / b->measured[0]);
            if (strcmp(a->model, b->model) != 0 || strcmp(a->quant, b->quant) != 0 || !(fabs(far) > log(1.25)))
                continue;
            f->pairs++;
            f->in_order += far * log(a->left_out[0] / b->left_out[0]) > 0;
        }
}

bool wsk_tokens_read(wsk_tokens_facts *f)
{
    *f = (wsk_tokens_facts){.csv = wsk_csv_read("tests/validate/facts/tokens.csv")};
    if (!f->csv || wsk_csv_rows(f->csv) > WSK_TOKEN_ROWS)
        return false;
    f->n = wsk_csv_rows(f->csv);
    for (int i = 0; i < f->n; i++)
        if (!read_row(f, i))
            return false;
    if (!leave_out(f))
        return false;
    count_pairs(f);
    return true;
}

void wsk_tokens_free(wsk_tokens_facts *f)
{
    for (int i = 0; i < WSK_TOKEN_ROWS; i++)
        wsk_plan_free(f->plans[i]);
    wsk_csv_free(f->csv);
}

wsk_token_score wsk_tokens_score(const wsk_tokens_facts *f, int of, int hbm)
{
    const wsk_engine_law *law = &wsk_engine_laws[WSK_ENGINE_LLAMA_CPP];
    wsk_token_score s = {0};
    for (int i = 0; i < f->n; i++) {
        const wsk_token_row *r = &f->rows[i];
        if ((of == PROMPT && !r->prompt_held) || (hbm >= 0 && r->hbm != hbm))
            continue;
        const double e = fabs(r->left_out[of] / r->measured[of] - 1), band = of == PROMPT ? law->prompt_rel
                                                                             : r->hbm     ? law->hbm_rel
                                                                                          : law->generation_rel;
        s.rows++;
        s.mean += e;
        s.worst = e > s.worst ? e : s.worst;
        /* the program states the band relative to the printed value, so the error here is relative to the prediction */
        s.inside += fabs(r->measured[of] / r->left_out[of] - 1) <= band;
    }
    s.mean /= s.rows;
    s.inside /= s.rows;
    return s;
}

wsk_token_score wsk_tokens_published(const char *path)
{
    wsk_csv *csv = wsk_csv_read(path);
    wsk_token_score s = {.rows = csv ? wsk_csv_rows(csv) : 0};
    for (int i = 0; i < s.rows; i++) {
        wsk_token_rates r;
        if (!rates_together(csv, i, &r)) {
            s.rows = 0;
            break;
        }
        const double e = fabs(wsk_csv_number(csv, i, "generation_per_s") / r.generation_s - 1);
        s.mean += e / s.rows;
        s.worst = fmax(s.worst, e);
        s.inside += (e <= r.generation_rel) / (double)s.rows;
    }
    wsk_csv_free(csv);
    return s;
}

static void score_line(const wsk_tokens_facts *f, const char *what, int of, int hbm, double band)
{
    const wsk_token_score s = wsk_tokens_score(f, of, hbm);
    printf("| %s | %d | %.1f %% | %.0f %% | ±%.0f %% | %.0f %% |\n", what, s.rows, 100 * s.mean, 100 * s.worst,
           100 * band, 100 * s.inside);
}

int wsk_tokens_report(void)
{
    const wsk_engine_law *law = &wsk_engine_laws[WSK_ENGINE_LLAMA_CPP];
    wsk_tokens_facts *f = malloc(sizeof *f);
    if (!f)
        return 1;
    bool read = wsk_tokens_read(f);
    puts("## Tokens a second\n");
    if (read) {
        printf(
            "Generation and prompts of 1,024 tokens of Llama 3 8B and 70B on rented machines, one stream, layers "
            "split over\n"
            "several cards (`tokens.csv`: %d rows of %d kinds of cards, llama.cpp with CUDA of May 2024). The law "
            "is fitted "
            "with\neach kind of card left out and then asked for that kind. The band is that of the law in "
            "this "
            "version;\nit should hold 80 %% of the rows. The program adds the difference between versions. Mixtures "
            "of experts and\nother software have wider bands, which are assumed (theory/tokens.md).\n\n"
            "| what | rows | mean abs. error | worst | band | rows within it |\n|---|---|---|---|---|---|\n",
            f->n, f->kinds);
        score_line(f, "generation, GDDR memory", GENERATION, 0, law->generation_rel);
        score_line(f, "generation, HBM", GENERATION, 1, law->hbm_rel);
        score_line(f, "prompts", PROMPT, -1, law->prompt_rel);
        printf("\nOf %d pairs of rigs with one model whose generation differs by more than 25 %%, %d (%.0f %%) are "
               "in the right "
               "order.\n\n",
               f->pairs, f->in_order, 100.0 * f->in_order / f->pairs);
        const wsk_token_score t = wsk_tokens_published(WSK_TOKENS_TOGETHER);
        printf("Many requests at once, and vLLM (`tokens_together.csv`: %d published rows of A100, H100, H200 and "
               "RTX 3090, 8B "
               "to\n405B and a mixture of 235B; most with TensorRT-LLM in place of vLLM; a row without a number of "
               "requests "
               "has as many\nas the memory holds): mean error %.0f %% of the prediction, worst %.0f %%, %.0f %% of "
               "the rows "
               "within the band.\n\n",
               t.rows, 100 * t.mean, 100 * t.worst, 100 * t.inside);
        const wsk_token_score newer = wsk_tokens_published(WSK_TOKENS_NEWER);
        printf("One request with newer versions (`tokens_newer.csv`: %d published rows of 17 kinds of cards, "
               "dense models and\nmixtures of experts, none fitted): mean error %.0f %% of the prediction, worst "
               "%.0f %%, %.0f %% of the rows within\nthe band that the program prints.\n\n",
               newer.rows, 100 * newer.mean, 100 * newer.worst, 100 * newer.inside);
        read = t.rows > 0 && newer.rows > 0;
    }
    wsk_tokens_free(f);
    free(f);
    return !read;
}
