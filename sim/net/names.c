/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/net/chassis.h"
#include "sim/net/class.h"
#include "sim/net/cooler.h"
#include "sim/net/gpu.h"
#include "sim/net/model.h"
#include "sim/net/psu.h"
#include "sim/net/site.h"

const char *const wsk_class_names[] = {
#define WSK_CLASS_TEXT(sym, text) text,
    WSK_CLASS_LIST(WSK_CLASS_TEXT)
#undef WSK_CLASS_TEXT
        NULL};
/* Load of the host: 0.2 if one thread per card only waits for its kernels, 1 if the host also loads data, as in
 * training. docs/theory/constants.md, "host's load" */
const double wsk_class_host_load[WSK_CLASS_COUNT] = {
    [WSK_CLASS_BURN] = 0.2,   [WSK_CLASS_TRAINING] = 1,     [WSK_CLASS_PREFILL] = 0.2,
    [WSK_CLASS_DECODE] = 0.2, [WSK_CLASS_MOE_DECODE] = 0.2, [WSK_CLASS_STREAM] = 0.2};
const char *const wsk_place_names[] = {"front", "rear", "top", "bottom", "side", "wall", NULL};
const char *const wsk_sense_names[] = {"none", "gpu", "cpu", "inlet", "coolant", NULL};
const char *const wsk_side_names[] = {"closed", "open", NULL};
const char *const wsk_intake_names[] = {"case", "outside", NULL};
const char *const wsk_covers_names[] = {"all", "die", NULL};
const char *const wsk_direction_names[] = {"exhaust", "intake", "outside", NULL};
const char *const wsk_excursion_names[] = {"plain", "atx3", NULL};
const char *const wsk_split_names[] = {"none", "layer", "tensor", NULL};
const char *const wsk_plug_names[] = {"top", "end", "none", NULL};
const char *const wsk_riser_at_names[] = {"case", "room", NULL};
const char *const wsk_stack_names[] = {"cuda", "rocm", "other", NULL};
const char *const wsk_engine_names[] = {"llama.cpp", "vllm", NULL};
const char *const wsk_quant_names[] = {
#define WSK_QUANT_TEXT(sym, text, bits) text,
    WSK_QUANT_LIST(WSK_QUANT_TEXT)
#undef WSK_QUANT_TEXT
        NULL};
const char *const wsk_yes_names[] = {"no", "yes", NULL};
const char *const wsk_breaker_names[] = {"ul", "b", "c", "d", "japan", NULL};
