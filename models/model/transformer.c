/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A language model of layers with attention, dense or with experts: the numbers that determine its memory and the
 * work of the cards. Theory: docs/theory/tokens.md */
#include "sim/net/model.h"

#define P wsk_model_params
static const wsk_param params[] = {
    WSK_TXT(P, name, "name", NULL, 0, "name"),
    WSK_NUM(P, parameters, "parameters", WSK_DIM_NONE, NULL, 1, 1e15, WSK_REQUIRED, "all parameters (weights)"),
    WSK_NUM(P, active, "active-parameters", WSK_DIM_NONE, NULL, 1, 1e15, 0,
            "parameters that one token uses, in a mixture of experts, both tables of the vocabulary among them; "
            "default: all"),
    WSK_NUM(P, layers, "layers", WSK_DIM_COUNT, NULL, 1, 1e4, WSK_REQUIRED, "layers"),
    WSK_NUM(P, hidden, "hidden", WSK_DIM_COUNT, NULL, 1, 1e6, WSK_REQUIRED, "values of a token between layers"),
    WSK_NUM(P, vocabulary, "vocabulary", WSK_DIM_COUNT, NULL, 1, 1e7, WSK_REQUIRED, "tokens of its vocabulary"),
    WSK_CHO(P, tied, "tied", wsk_yes_names, "no", 0, "yes: the table that looks up a token is also the output's"),
    WSK_NUM(P, heads, "heads", WSK_DIM_COUNT, NULL, 1, 1e4, 0, "attention heads of a layer"),
    WSK_NUM(P, kv_heads, "kv-heads", WSK_DIM_COUNT, NULL, 1, 1e4, WSK_REQUIRED,
            "heads of keys and values in a layer"),
    WSK_NUM(P, head_size, "head-size", WSK_DIM_COUNT, NULL, 1, 1e5, WSK_REQUIRED, "values of a head"),
    WSK_NUM(P, latent, "latent", WSK_DIM_COUNT, NULL, 1, 1e6, 0,
            "values that a layer keeps of a token, where keys and values are compressed into one (MLA)"),
    WSK_NUM(P, window, "window", WSK_DIM_COUNT, NULL, 1, 1e9, 0, "tokens that layers with a window look back"),
    WSK_NUM(P, window_layers, "window-layers", WSK_DIM_COUNT, "0", 0, 1e4, 0, "layers with a window"),
    WSK_NUM(P, context_max, "context-max", WSK_DIM_COUNT, NULL, 1, 1e9, 0,
            "longest context that it is made for, tokens; of several versions, that of the longest"),
    WSK_NUM(P, experts, "experts", WSK_DIM_COUNT, NULL, 1, 1e5, 0, "experts of a layer to choose from; none: dense"),
    WSK_NUM(P, experts_used, "experts-used", WSK_DIM_COUNT, NULL, 1, 1e5, 0, "experts of a layer that a token uses"),
    {.name = NULL}};
const wsk_kind wsk_model_transformer = {.element = "model",
                                        .name = "transformer",
                                        .is_default = true,
                                        .help = "a language model: its memory, and what it reads for a token",
                                        .size = sizeof(P),
                                        .params = params};
