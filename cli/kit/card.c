/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/kit/card.h"

#include <math.h>
#include <string.h>

#include "sim/base/slots.h"

static const double slot_mm = 20.32;

static bool is_yes(const wsk_elements *rig, int element, const char *attribute)
{
    const char *text = wsk_elements_text(rig, element, attribute);
    return text && strcmp(text, "yes") == 0;
}

/* Finds where the card is mounted. In a duct: the chassis fans must drive air through its cooler (WSK_TRAIT_DUCTED),
 * because the cooler has no fan of its own (no attribute fan-pressure). */
static wsk_cli_mount place_of(const wsk_elements *rig, const wsk_cli_need *card)
{
    static const char module[] = "cooler/class-module";
    const int gpu = wsk_elements_next(rig, "gpu", -1, -1);
    int e = wsk_elements_next(rig, "cooler", -1, -1);
    const wsk_element *cooler = e >= 0 ? &rig->items[e] : NULL;
    if (is_yes(rig, gpu, "soldered"))
        return WSK_CLI_SOLDERED;
    if (is_yes(rig, gpu, "liquid-only"))
        return WSK_CLI_ON_PLATE;
    if (card->thick_mm > card->slots * slot_mm + 1 ||
        (cooler && cooler->part && strncmp(cooler->part, module, sizeof module - 1) == 0))
        return WSK_CLI_AS_MODULE;
    return cooler && cooler->traits & WSK_TRAIT_DUCTED && !wsk_elements_text(rig, e, "fan-pressure")
               ? WSK_CLI_IN_DUCT
               : WSK_CLI_IN_SLOT;
}

/* The texts are printed inside XML comments, which must not contain "--". */
static const char *limited_by(const char *stack)
{
    if (stack && strcmp(stack, "cuda") == 0)
        return "what nvidia-smi -pl sets";
    if (stack && strcmp(stack, "rocm") == 0)
        return "the power cap that amd-smi sets";
    return "the limit of the board's power";
}

wsk_cli_need wsk_cli_card_needs(const wsk_elements *rig)
{
    const int gpu = wsk_elements_next(rig, "gpu", -1, -1);
    const double slots = wsk_elements_number(rig, gpu, "slots"),
                 least = wsk_elements_number(rig, gpu, "power-limit-min");
    wsk_cli_need card = {.tdp_w = wsk_elements_number(rig, gpu, "tdp"),
                         .limit_min_w = isnan(least) ? 0 : least,
                         .slots = slots >= 1 ? (int)slots : 2,
                         .thick_mm = wsk_elements_number(rig, gpu, "thickness"),
                         .limited_by = limited_by(wsk_elements_text(rig, gpu, "stack"))};
    if (isnan(card.thick_mm))
        card.thick_mm = card.slots * slot_mm;
    card.place = place_of(rig, &card);
    return card;
}

double wsk_cli_slots_covered(const wsk_elements *rig, int gpu, int chassis)
{
    const double slots = wsk_elements_number(rig, gpu, "slots"),
                 pitch_mm = wsk_elements_number(rig, chassis, "pitch");
    return slots >= 1 && pitch_mm > 0 ? wsk_slots_covered(slots, pitch_mm) : slots;
}
