/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "twin/nvml/state.h"

static int32_t clock_of(const wsk_twin_card *card, unsigned type)
{
    return type == NVML_CLOCK_MEM     ? card->now.memory_clock_mhz
           : type == NVML_CLOCK_VIDEO ? card->now.video_clock_mhz
                                      : card->now.clock_mhz;
}

static int32_t highest_of(const wsk_twin_card *card, unsigned type)
{
    return type == NVML_CLOCK_MEM     ? card->fixed.memory_clock_max_mhz
           : type == NVML_CLOCK_VIDEO ? WSK_TWIN_NONE
                                      : card->fixed.clock_max_mhz;
}

NVML_FUNCTION(nvmlDeviceGetClockInfo, nvmlDevice_t device, unsigned type, unsigned *out)
{
    NVML_FIND(out);
    return type < NVML_CLOCKS ? wsk_nvml_number(clock_of(&card, type), out) : NVML_ERROR_INVALID_ARGUMENT;
}

NVML_FUNCTION(nvmlDeviceGetMaxClockInfo, nvmlDevice_t device, unsigned type, unsigned *out)
{
    NVML_FIND(out);
    return type < NVML_CLOCKS ? wsk_nvml_number(highest_of(&card, type), out) : NVML_ERROR_INVALID_ARGUMENT;
}

NVML_FUNCTION(nvmlDeviceGetMaxCustomerBoostClock, nvmlDevice_t device, unsigned type, unsigned *out)
{
    NVML_FIND(out);
    return type < NVML_CLOCKS ? wsk_nvml_number(highest_of(&card, type), out) : NVML_ERROR_INVALID_ARGUMENT;
}

NVML_FUNCTION(nvmlDeviceGetClock, nvmlDevice_t device, unsigned type, unsigned which, unsigned *out)
{
    NVML_FIND(out);
    if (type >= NVML_CLOCKS || which > NVML_CLOCK_BOOST_MAX)
        return NVML_ERROR_INVALID_ARGUMENT;
    if (which == NVML_CLOCK_TARGET || which == NVML_CLOCK_DEFAULT)
        return NVML_ERROR_DEPRECATED; /* application clocks, which new drivers no longer have */
    return wsk_nvml_number(which == NVML_CLOCK_CURRENT ? clock_of(&card, type) : highest_of(&card, type), out);
}

NVML_FUNCTION(nvmlDeviceGetMinMaxClockOfPState, nvmlDevice_t device, unsigned type, unsigned pstate, unsigned *least,
              unsigned *most)
{
    NVML_FIND(least);
    if (!most || type >= NVML_CLOCKS || pstate > 15)
        return NVML_ERROR_INVALID_ARGUMENT;
    if (pstate)
        return NVML_ERROR_NOT_SUPPORTED; /* the catalogue has the clock range of P0 only */
    const bool memory = type == NVML_CLOCK_MEM;
    const nvmlReturn_t high = wsk_nvml_number(highest_of(&card, type), most);
    return high != NVML_SUCCESS
               ? high
               : wsk_nvml_number(memory ? card.fixed.memory_clock_max_mhz : card.fixed.clock_min_mhz, least);
}

NVML_FUNCTION(nvmlDeviceGetSupportedMemoryClocks, nvmlDevice_t device, unsigned *count, unsigned *out)
{
    NVML_FIND(count);
    if (card.fixed.memory_clock_max_mhz == WSK_TWIN_NONE)
        return NVML_ERROR_NOT_SUPPORTED;
    const nvmlReturn_t room = wsk_nvml_list(1, count, out);
    return room != NVML_SUCCESS ? room : wsk_nvml_number(card.fixed.memory_clock_max_mhz, out);
}

NVML_FUNCTION(nvmlDeviceGetSupportedGraphicsClocks, nvmlDevice_t device, unsigned memory_mhz, unsigned *count,
              unsigned *out)
{
    NVML_FIND(count);
    const wsk_twin_fixed *f = &card.fixed;
    if (f->clock_step_mhz <= 0 || f->clock_min_mhz <= 0 || f->clock_max_mhz < f->clock_min_mhz)
        return NVML_ERROR_NOT_SUPPORTED;
    if (f->memory_clock_max_mhz != WSK_TWIN_NONE && memory_mhz != (unsigned)f->memory_clock_max_mhz)
        return NVML_ERROR_NOT_FOUND;
    const unsigned have = (unsigned)((f->clock_max_mhz - f->clock_min_mhz) / f->clock_step_mhz) + 1;
    const nvmlReturn_t room = wsk_nvml_list(have, count, out);
    for (unsigned i = 0; i < have && room == NVML_SUCCESS; i++)
        out[i] = (unsigned)f->clock_max_mhz - i * (unsigned)f->clock_step_mhz;
    return room;
}

static nvmlReturn_t give_reasons(nvmlDevice_t device, nvml_u64 *out, bool supported)
{
    NVML_FIND(out);
    *out = supported ? WSK_REASON_IDLE | WSK_REASON_CLOCK_SETTING | WSK_REASON_POWER_CAP | WSK_REASON_HW_SLOWDOWN |
                           WSK_REASON_SW_THERMAL | WSK_REASON_HW_THERMAL | WSK_REASON_HW_BRAKE
                     : card.now.reasons;
    return NVML_SUCCESS;
}
NVML_FUNCTION(nvmlDeviceGetCurrentClocksEventReasons, nvmlDevice_t device, nvml_u64 *out)
{
    return give_reasons(device, out, false);
}
NVML_FUNCTION(nvmlDeviceGetCurrentClocksThrottleReasons, nvmlDevice_t device, nvml_u64 *out)
{
    return give_reasons(device, out, false);
}
NVML_FUNCTION(nvmlDeviceGetSupportedClocksEventReasons, nvmlDevice_t device, nvml_u64 *out)
{
    return give_reasons(device, out, true);
}
NVML_FUNCTION(nvmlDeviceGetSupportedClocksThrottleReasons, nvmlDevice_t device, nvml_u64 *out)
{
    return give_reasons(device, out, true);
}

NVML_FUNCTION(nvmlDeviceGetViolationStatus, nvmlDevice_t device, unsigned policy, nvmlViolationTime_t *out)
{
    wsk_nvml_head now;
    NVML_FIND(out);
    const nvmlReturn_t head = wsk_nvml_now(&now);
    if (head != NVML_SUCCESS)
        return head;
    if (policy > NVML_POLICY_RELIABILITY && policy != NVML_POLICY_CLOCKS && policy != NVML_POLICY_CLOCKS + 1)
        return NVML_ERROR_INVALID_ARGUMENT;
    if (policy > NVML_POLICY_THERMAL)
        return NVML_ERROR_NOT_SUPPORTED;
    *out = (nvmlViolationTime_t){.referenceTime = (nvml_u64)now.utc_ns / 1000,
                                 .violationTime = policy == NVML_POLICY_POWER
                                                      ? card.now.held_power_ns
                                                      : card.now.held_thermal_ns + card.now.held_hw_thermal_ns};
    return NVML_SUCCESS;
}
