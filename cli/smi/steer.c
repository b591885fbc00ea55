/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "cli/smi/smi.h"
#include "sim/base/base.h"
#include "twin/ask.h"

enum { WAIT_MS = 10000, ORDER = 192 };

static int finish_early(int code)
{
    fputs("Terminating early due to previous errors.\n", stdout);
    return code;
}

static int order(const wsk_smi *smi, const wsk_smi_card *card, const char *what, const char *text)
{
    char line[ORDER + 32], answer[512];
    if (card->card->now.lost)
        return finish_early(wsk_smi_tell_lost(smi, card));
    snprintf(line, sizeof line, "{\"do\": \"%s.%s\"}", card->card->fixed.id, text);
    switch (wsk_twin_ask(smi->moment.socket, line, WAIT_MS, answer, sizeof answer)) {
    case WSK_ASK_OK: return WSK_SMI_OK;
    case WSK_ASK_DENIED:
        printf("Changing the %s of GPU %s is not permitted: the twin runs without --writable.\n", what,
               card->card->fixed.bus_id);
        return finish_early(WSK_SMI_DENIED);
    case WSK_ASK_RANGE:
        printf("Provided %s is not valid for GPU %s.\n", what, card->card->fixed.bus_id);
        return finish_early(WSK_SMI_ARGUMENT);
    case WSK_ASK_UNKNOWN:
        printf("Setting the %s is not supported for GPU %s.\n", what, card->card->fixed.bus_id);
        return finish_early(WSK_SMI_UNSUPPORTED);
    case WSK_ASK_LOST: return finish_early(wsk_smi_tell_lost(smi, card));
    case WSK_ASK_GONE: printf("The twin does not answer.\n"); return finish_early(WSK_SMI_NO_DRIVER);
    case WSK_ASK_REFUSED: break;
    }
    printf("The twin refused the %s of GPU %s.\n", what, card->card->fixed.bus_id);
    return finish_early(WSK_SMI_OTHER);
}

static bool read_numbers(const char *text, double *first, double *second)
{
    const char *end = text;
    if (!wsk_parse_number(text, &end, first))
        return false;
    *second = *first;
    if (*end == ',' && !wsk_parse_number(end + 1, &end, second))
        return false;
    return !*end && *first >= 0 && *second >= *first && *second < 1e6;
}

static int set_limit(const wsk_smi *smi, const wsk_smi_card *c)
{
    const double old = c->card->now.limit_mw / 1e3, low = c->card->fixed.limit_min_mw / 1e3,
                 high = c->card->fixed.limit_max_mw / 1e3;
    double watts, same;
    char text[ORDER];
    if (!read_numbers(smi->options.limit, &watts, &same) || strchr(smi->options.limit, ',')) {
        printf("Provided power limit %s is not a number of watts.\n", smi->options.limit);
        return finish_early(WSK_SMI_ARGUMENT);
    }
    if (c->card->fixed.limit_min_mw != WSK_TWIN_NONE && c->card->fixed.limit_max_mw != WSK_TWIN_NONE &&
        !(watts >= low && watts <= high)) {
        printf("Provided power limit %.2f W is not a valid power limit which should be between %.2f W and %.2f W for "
               "GPU %s\n",
               watts, low, high, c->card->fixed.bus_id);
        return finish_early(WSK_SMI_ARGUMENT);
    }
    snprintf(text, sizeof text, "power-limit set %.3f W", watts);
    const int code = order(smi, c, "power limit", text);
    if (code == WSK_SMI_OK)
        printf("Power limit for GPU %s was set to %.2f W from %.2f W.\n", c->card->fixed.bus_id, watts, old);
    return code;
}

static int lock_clock(const wsk_smi *smi, const wsk_smi_card *c)
{
    double low, high;
    char text[ORDER];
    if (!read_numbers(smi->options.lock, &low, &high)) {
        printf("Provided clocks %s are not MIN,MAX in MHz.\n", smi->options.lock);
        return finish_early(WSK_SMI_ARGUMENT);
    }
    /* A driver replaces an end outside the card's clocks by the nearest clock. It refuses a range only if the whole
     * range lies below or above the card's clocks. */
    const int32_t least = c->card->fixed.clock_min_mhz, most = c->card->fixed.clock_max_mhz;
    if (least != WSK_TWIN_NONE && most != WSK_TWIN_NONE && (high < least || low > most)) {
        printf("Provided clocks %s are not valid clocks which should be between %d MHz and %d MHz for GPU %s\n",
               smi->options.lock, least, most, c->card->fixed.bus_id);
        return finish_early(WSK_SMI_ARGUMENT);
    }
    snprintf(text, sizeof text, "clock-lock set %.0f MHz %.0f MHz", low, high);
    const int code = order(smi, c, "GPU clock", text);
    if (code == WSK_SMI_OK)
        printf("GPU clocks set to \"(gpuClkMin %.0f, gpuClkMax %.0f)\" for GPU %s\n", low, high,
               c->card->fixed.bus_id);
    return code;
}

static int lock_memory(const wsk_smi *smi, const wsk_smi_card *c)
{
    double low, high;
    char text[ORDER];
    if (!read_numbers(smi->options.memory_lock, &low, &high)) {
        printf("Provided clocks %s are not MIN,MAX in MHz.\n", smi->options.memory_lock);
        return finish_early(WSK_SMI_ARGUMENT);
    }
    snprintf(text, sizeof text, "memory-clock-lock set %.0f MHz", high);
    const int code = order(smi, c, "memory clock", text);
    if (code == WSK_SMI_OK)
        printf("Memory clocks set to \"(memClkMin %.0f, memClkMax %.0f)\" for GPU %s\n", low, high,
               c->card->fixed.bus_id);
    return code;
}

static int set_persistence(const wsk_smi *smi, const wsk_smi_card *c)
{
    const char *value = smi->options.persistence;
    const bool on = strcmp(value, "1") == 0 || strcmp(value, "ENABLED") == 0;
    if (!on && strcmp(value, "0") != 0 && strcmp(value, "DISABLED") != 0) {
        printf("Provided persistence mode %s is not 0 or 1.\n", value);
        return finish_early(WSK_SMI_ARGUMENT);
    }
    if (on == (c->card->now.persistence != 0)) {
        printf("Persistence mode is already %s for GPU %s.\n", on ? "Enabled" : "Disabled", c->card->fixed.bus_id);
        return WSK_SMI_OK;
    }
    const int code = order(smi, c, "persistence mode", on ? "persistence set on" : "persistence set off");
    if (code == WSK_SMI_OK)
        printf("%s persistence mode for GPU %s.\n", on ? "Enabled" : "Disabled", c->card->fixed.bus_id);
    return code;
}

static int steer_card(const wsk_smi *smi, const wsk_smi_card *c)
{
    const wsk_smi_options *o = &smi->options;
    int code = WSK_SMI_OK;
    if (o->persistence)
        code = set_persistence(smi, c);
    if (code == WSK_SMI_OK && o->limit)
        code = set_limit(smi, c);
    if (code == WSK_SMI_OK && o->lock)
        code = lock_clock(smi, c);
    if (code == WSK_SMI_OK && o->reset_lock)
        code = order(smi, c, "GPU clock", "clock-lock returns");
    if (code == WSK_SMI_OK && o->memory_lock)
        code = lock_memory(smi, c);
    if (code == WSK_SMI_OK && o->reset_memory_lock)
        code = order(smi, c, "memory clock", "memory-clock-lock returns");
    return code;
}

int wsk_smi_steer(wsk_smi *smi)
{
    for (int i = 0; i < smi->count; i++) {
        const int code = steer_card(smi, &smi->card[i]);
        if (code != WSK_SMI_OK)
            return code;
    }
    fputs("All done.\n", stdout);
    return WSK_SMI_OK;
}
