/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A language model, as far as memory and cards depend on it, and the formats in which its weights are stored. NAN:
 * not given. */
#ifndef WSK_MODEL_H
#define WSK_MODEL_H
#include "sim/net/kind.h"

typedef struct {
    wsk_params head;
    const char *name;
    double parameters, active;
    double layers, hidden, vocabulary, heads, kv_heads, head_size;
    double latent; /* values cached per layer and token if the cache is compressed (MLA); NAN: not compressed */
    /* window_layers: number of layers whose cache holds the last `window` tokens only */
    double window, window_layers;
    int tied; /* 1: the embedding table is also the output layer, so that each step reads it */
    /* experts: number of experts in each layer; experts_used: number of those that one token uses; NAN: dense
     * model */
    double experts, experts_used;
    double context_max; /* tokens */
} wsk_model_params;

/* clang-format off */
/* X(symbol, text, stored bits per weight, with scales): docs/theory/tokens.md, "Bytes" */
#define WSK_QUANT_LIST(X) \
    X(F16, "F16", 16) \
    X(BF16, "BF16", 16) \
    X(FP8, "FP8", 8) \
    X(Q8_0, "Q8_0", 8.5) \
    X(Q6_K, "Q6_K", 6.5633) \
    X(Q5_K_M, "Q5_K_M", 5.7036) \
    X(Q5_K_S, "Q5_K_S", 5.5704) \
    X(Q4_K_M, "Q4_K_M", 4.8944) \
    X(Q4_K_S, "Q4_K_S", 4.6672) \
    X(Q4_0, "Q4_0", 4.64) \
    X(IQ4_XS, "IQ4_XS", 4.4597) \
    X(Q3_K_L, "Q3_K_L", 4.2979) \
    X(Q3_K_M, "Q3_K_M", 4.0) \
    X(IQ3_M, "IQ3_M", 3.7628) \
    X(Q3_K_S, "Q3_K_S", 3.6429) \
    X(IQ3_XXS, "IQ3_XXS", 3.2548) \
    X(Q2_K, "Q2_K", 3.1593) \
    X(IQ2_M, "IQ2_M", 2.9294) \
    X(IQ2_XS, "IQ2_XS", 2.5882) \
    X(MXFP4, "MXFP4", 4.25) \
    X(AWQ, "AWQ", 4.25)
/* clang-format on */
typedef enum {
#define WSK_QUANT_ENUM(sym, text, bits) WSK_QUANT_##sym,
    WSK_QUANT_LIST(WSK_QUANT_ENUM)
#undef WSK_QUANT_ENUM
        WSK_QUANT_COUNT
} wsk_quant;
typedef enum { WSK_ENGINE_LLAMA_CPP, WSK_ENGINE_VLLM, WSK_ENGINES } wsk_engine;
extern const char *const wsk_quant_names[], *const wsk_engine_names[];

#endif
