/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tokens a second of a language model on the cards of a rig, and the memory that it takes. Theory, fits and ranges:
 * docs/theory/tokens.md. All values SI; NAN: unknown. */
#ifndef WSK_TOKENS_H
#define WSK_TOKENS_H
#include "sim/net/machine.h"
#include "sim/net/workload.h"

/* Constants of an engine. */
typedef struct {
    double share;             /* attainable share of the memory's bandwidth */
    double digest;            /* bytes of weights that a compute unit takes in a clock */
    double layer_s, hop_s;    /* fixed time of a layer, and of each further card that layers are split over */
    double prompt, prompt_16; /* share of the peak of matrix operations: low-bit weights, 16-bit ones */
    double ops_most;          /* operations of a unit a clock that its kernels can use at most */
    double prompt_layer_s;    /* fixed time of a layer for a part of a prompt */
    double generation_rel, hbm_rel, prompt_rel; /* half widths that 80 % of the cases stay within */
    bool table_on_host;                         /* the table that looks up a token stays in the host's memory */
    bool spills;                                /* what does not fit may stand in the host's memory */
} wsk_engine_law;
extern const wsk_engine_law wsk_engine_laws[WSK_ENGINES];

/* Work of one group of cards; a group holds the model once. */
typedef struct {
    const wsk_model_params *model;
    wsk_quant quant;
    wsk_engine engine;
    int split, cards;        /* of a group; WSK_SPLIT_NONE: one card */
    double streams, context; /* requests that the group answers together, tokens of each in the cache */
    bool nvlink;
    const wsk_engine_law *law; /* NULL: that of the engine */
} wsk_token_job;

/* A card of the group. clock_hz: for generation, for prompts. */
typedef struct {
    double memory_byte, memory_byte_s, units, matrix_ops, generation_hz, prompt_hz;
    bool hbm, cuda;
} wsk_token_card;

typedef struct wsk_token_rates {
    double weight_byte, cache_byte, need_byte,
        have_byte;  /* of the group; need: with what each card keeps for itself */
    double spilled; /* share of the weights that stands in the host's memory */
    bool fits;
    double generation_s, prompt_s; /* tokens a second of the group, all streams together */
    double copies, requests;       /* copies of the model on the cards, and requests that they answer together */
    double busy;                   /* share of the time of generation in which a card has work */
    /* relative half widths that 80 % of cases stay within; of the memory too */
    double generation_rel, prompt_rel, memory_rel;
} wsk_token_rates;

/* Bytes of keys and values of a request with this many tokens. */
double wsk_model_cache_byte(const wsk_model_params *model, double context);
/* Weights that a step of `streams` requests reads: all that a token uses but the table that it looks up; of a mixture
 * of experts those that any of them chooses. */
double wsk_model_read(const wsk_model_params *model, double streams);
/* The law, for `job->cards` cards. */
wsk_token_rates wsk_tokens(const wsk_token_job *job, const wsk_token_card *cards);
/* The same for one group of the working cards of a rig whose workload names a model; rates of all groups together.
 * clocks_hz: of each card, for generation and then for prompts; NULL: the highest. False: the rig has no model, or a
 * card does not say its bandwidth and units. */
bool wsk_tokens_of(const wsk_workload_params *workload, const wsk_card *cards, int count, const double *clocks_hz,
                   wsk_token_rates *out);
/* Share of the time in which cards work that wait for what the host reads from its own memory; NAN: the model fits, or
 * there is none. */
double wsk_tokens_duty(const wsk_workload_params *workload, const wsk_card *cards, int count);

#endif
