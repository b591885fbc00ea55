/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tokens a second of a language model on the cards of a rig, and the memory that it takes. Theory, fits and ranges:
 * docs/theory/tokens.md. All values SI; NAN: unknown. */
#ifndef WSK_TOKENS_H
#define WSK_TOKENS_H
#include "sim/net/machine.h"
#include "sim/net/workload.h"

#define WSK_GIB_BYTE 1073741824.0
enum { WSK_TOKENS_CARDS_MOST = 64 }; /* working cards of a rig that wsk_tokens_of can take */

typedef struct {
    double share;
    double digest; /* bytes of weights that a compute unit can process per clock */
    /* layer_s: fixed time of a layer; mixture_layer_s, latent_layer_s: additional time of a layer with experts, and
     * of a layer whose keys and values are compressed into one (MLA); hop_s: fixed time of each further card over
     * which layers are split */
    double layer_s, mixture_layer_s, latent_layer_s, hop_s;
    /* share of the peak rate of matrix operations that prompts attain; prompt: with low-bit weights, prompt_16: with
     * 16-bit weights */
    double prompt, prompt_16;
    double ops_most; /* most matrix operations per unit and clock that the engine's kernels can use */
    /* A step's times for unpacking weights (digest) and for the arithmetic of further requests are combined by the
     * norm of this exponent: 1 adds them, a large one lets them overlap. */
    double overlap;
    double prompt_layer_s;
    /* Relative half widths within which 80 % of rates stay. Rate of generation: generation_rel; hbm_rel: with HBM;
     * mixture_rel: at least this with a mixture of experts; together_rel: at least this with several requests or a
     * tensor split; version_rel: added in quadrature, for versions of the engine other than the fitted one.
     * prompt_rel: rate of prompts. */
    double generation_rel, hbm_rel, mixture_rel, together_rel, prompt_rel, version_rel;
    double mxfp4_rest_bits; /* of a weight outside the experts of a mixture whose experts are MXFP4 */
    bool table_on_host;
    bool spills;      /* weights that do not fit into the cards may stay in the host's memory */
    bool whole_heads; /* with a tensor split each card must have the same number of whole heads */
    bool safetensors; /* loads weights in the formats FP8 and AWQ, which llama.cpp does not have */
    bool since_volta; /* runs on NVIDIA's cards of compute capability 7.0 (Volta) and later only */
} wsk_engine_law;
extern const wsk_engine_law wsk_engine_laws[WSK_ENGINES];

/* The work of a group of cards that together hold the model once. */
typedef struct {
    const wsk_model_params *model;
    wsk_quant quant;
    wsk_engine engine;
    int split, cards; /* split: how the group's cards share the model; WSK_SPLIT_NONE: one card */
    /* streams: requests that the group answers together; context: tokens of each request in the cache */
    double streams, context;
    double nvlink_byte_s; /* peak rate of a card's links, both directions together; 0: no NVLink */
    double spilling;      /* number of groups whose weights do not fit and that share the host's bandwidth; 0: only
                           * this one */
    const wsk_engine_law *law;
} wsk_token_job;

/* A card of the group. matrix_ops_16: matrix_ops with weights of 16 bit. generation_hz, prompt_hz: its clock while it
 * generates and while it processes prompts. */
typedef struct {
    double memory_byte, memory_byte_s, units, matrix_ops, matrix_ops_16, generation_hz, prompt_hz;
    bool hbm, cuda;
    bool fp8; /* twice as many matrix operations with 8-bit floats */
} wsk_token_card;

typedef struct wsk_token_rates {
    double weight_byte, cache_byte, need_byte,
        have_byte; /* all for the group; need_byte includes memory that the engine keeps on each card */
    double spilled;
    bool fits;
    /* tokens a second, all streams together, of the group; from wsk_tokens_of: of all groups */
    double generation_s, prompt_s;
    double copies, requests;
    double group; /* cards that share one copy of the model */
    /* If the model fits only where all working cards share one copy: their memory together, bytes, and the attribute of
     * the workload with which they do. 0: it fits as it is, or not at all. */
    double shared;
    const char *shared_by;
    /* number of heads that such a group cannot share evenly, so that the engine refuses the model; 0: it can share
     * them */
    double uneven_heads;
    double busy; /* share of the time of generation in which at least one card of the group has work */
    /* relative half widths, within which 80 % of cases stay, of generation_s, prompt_s and need_byte */
    double generation_rel, prompt_rel, memory_rel;
} wsk_token_rates;

typedef struct {
    /* If the card's group cannot hold the model: share of the time in which a card of the group has work (the group
     * waits while the host reads its own memory), at least 0.01. Not changed if the group can hold the model. */
    double duty;
    double step_s; /* time that the card's part of a step takes */
    /* share of a step with one request in which kernels run, of the model and of a usual one; not changed for a
     * mixture of experts, for weights of 16 bits, and for a card that lacks a parameter (wsk_tokens_lacking) */
    double kernels, kernels_usual;
    double bits; /* bits of a weight of a dense model; not changed for a mixture of experts */
    /* work of the cores for a byte of a dense model's weights, divided by that of llama.cpp; not changed for that engine,
     * for a mixture of experts and for weights of 16 bits */
    double unpacking;
} wsk_token_part;

/* Llama 3.1 8B, the dense model that a class without kernel-share is taken to be fitted to: docs/theory/workload.md,
 * "The model that a workload names" */
extern const wsk_model_params wsk_model_usual;
/* Number of heads, of attention or of keys and values, that tensor-parallel cards cannot share evenly:
 * docs/theory/tokens.md, "Generation". 0: they can, or the number of heads is unknown. */
double wsk_model_uneven_heads(const wsk_model_params *model, int cards);
bool wsk_engine_loads(wsk_engine engine, wsk_quant quant);
/* True if the engine needs an NVIDIA card of the Volta generation or newer and this card is older. */
bool wsk_engine_needs_newer(wsk_engine engine, const wsk_gpu_params *gpu);
/* Lists the names of the parameters that the card does not state and rates of tokens need. Returns their number. */
enum { WSK_TOKENS_NEED = 4 };
size_t wsk_tokens_lacking(const wsk_gpu_params *gpu, const char *names[WSK_TOKENS_NEED]);
double wsk_model_cache_byte(const wsk_model_params *model, double context);
/* Number of weights that a step of `streams` requests reads: all that a token uses, without the embedding table; of a
 * mixture of experts, the experts that at least one request chooses. */
double wsk_model_read(const wsk_model_params *model, double streams);
wsk_token_card wsk_token_card_of(const wsk_gpu_params *gpu, double generation_hz, double prompt_hz);
/* Share of a step with one request in which kernels run, on a card that holds the whole model: docs/theory/workload.md,
 * "The model that a workload names". Of `job` it uses model, quant, engine and context. */
double wsk_tokens_kernels(const wsk_token_job *job, const wsk_token_card *card);
wsk_token_rates wsk_tokens(const wsk_token_job *job, const wsk_token_card *cards);
/* Computes rates and memory for a rig whose workload names a model: rates of all groups of working cards together,
 * memory of the fullest group. clocks_hz: of each card the clock for generation, then that for prompts; NULL: the
 * highest. False: the rig has no model, or no or too many working cards, or one that lacks a parameter
 * (wsk_tokens_lacking). parts: NULL, or one for each card, of which those of working cards are changed; kernels, bits
 * and unpacking also where it returns false. */
bool wsk_tokens_of(const wsk_workload_params *workload, const wsk_card *cards, int count, const double *clocks_hz,
                   wsk_token_rates *out, wsk_token_part *parts);

#endif
