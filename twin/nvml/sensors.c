/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "twin/nvml/state.h"

NVML_NUMBER(nvmlDeviceGetPowerUsage, card.now.power_mw)
NVML_NUMBER(nvmlDeviceGetPowerManagementLimit, card.now.limit_mw)
NVML_NUMBER(nvmlDeviceGetPowerManagementDefaultLimit, card.fixed.limit_default_mw)
NVML_NUMBER(nvmlDeviceGetEnforcedPowerLimit, card.now.enforced_limit_mw)
NVML_NUMBER(nvmlDeviceGetPowerManagementMode, 1)
NVML_NUMBER(nvmlDeviceGetPowerSource, 0) /* 0 means mains in NVML */
NVML_NUMBER(nvmlDeviceGetPowerState, card.now.pstate)
NVML_NUMBER(nvmlDeviceGetPerformanceState, card.now.pstate)
NVML_NUMBER(nvmlDeviceGetNumFans, card.fixed.fans)
NVML_NUMBER(nvmlDeviceGetFanSpeed, card.fixed.fans ? card.now.fan_percent[0] : WSK_TWIN_NONE)

static nvmlReturn_t give_pair(int32_t first, int32_t second, unsigned *a, unsigned *b)
{
    if (!b)
        return NVML_ERROR_INVALID_ARGUMENT;
    const nvmlReturn_t rc = wsk_nvml_number(first, a);
    return rc != NVML_SUCCESS ? rc : wsk_nvml_number(second, b);
}

NVML_FUNCTION(nvmlDeviceGetPowerManagementLimitConstraints, nvmlDevice_t device, unsigned *least, unsigned *most)
{
    NVML_FIND(least);
    return give_pair(card.fixed.limit_min_mw, card.fixed.limit_max_mw, least, most);
}

NVML_FUNCTION(nvmlDeviceGetTotalEnergyConsumption, nvmlDevice_t device, nvml_u64 *out)
{
    NVML_FIND(out);
    *out = card.now.energy_mj;
    return NVML_SUCCESS;
}

NVML_FUNCTION(nvmlDeviceGetTemperature, nvmlDevice_t device, unsigned sensor, unsigned *out)
{
    NVML_FIND(out);
    return sensor ? NVML_ERROR_INVALID_ARGUMENT : wsk_nvml_number(card.now.die_c, out);
}

NVML_FUNCTION(nvmlDeviceGetTemperatureV, nvmlDevice_t device, nvmlTemperature_v1_t *out)
{
    NVML_FIND(out);
    const nvmlReturn_t version = wsk_nvml_version("Temperature", out);
    if (version != NVML_SUCCESS)
        return version;
    if (out->sensorType)
        return NVML_ERROR_INVALID_ARGUMENT;
    if (card.now.die_c == WSK_TWIN_NONE)
        return NVML_ERROR_NOT_SUPPORTED;
    out->temperature = card.now.die_c;
    return NVML_SUCCESS;
}

NVML_FUNCTION(nvmlDeviceGetTemperatureThreshold, nvmlDevice_t device, unsigned type, unsigned *out)
{
    NVML_FIND(out);
    switch (type) {
    case NVML_THRESHOLD_SHUTDOWN: return wsk_nvml_number(card.fixed.shutdown_c, out);
    case NVML_THRESHOLD_SLOWDOWN: return wsk_nvml_number(card.fixed.slowdown_c, out);
    case NVML_THRESHOLD_MEMORY: return wsk_nvml_number(card.fixed.memory_max_c, out);
    case NVML_THRESHOLD_TARGET: return wsk_nvml_number(card.fixed.target_c, out);
    default: return type < NVML_THRESHOLDS ? NVML_ERROR_NOT_SUPPORTED : NVML_ERROR_INVALID_ARGUMENT;
    }
}

NVML_FUNCTION(nvmlDeviceGetMarginTemperature, nvmlDevice_t device, nvmlMarginTemperature_v1_t *out)
{
    NVML_FIND(out);
    const nvmlReturn_t version = wsk_nvml_version("MarginTemperature", out);
    if (version != NVML_SUCCESS)
        return version;
    const int32_t limit_c = wsk_nvml_margin_from_c(&card.fixed);
    if (limit_c == WSK_TWIN_NONE || card.now.die_c == WSK_TWIN_NONE)
        return NVML_ERROR_NOT_SUPPORTED;
    out->marginTemperature = limit_c - card.now.die_c;
    return NVML_SUCCESS;
}

NVML_FUNCTION(nvmlDeviceGetThermalSettings, nvmlDevice_t device, unsigned index, nvmlGpuThermalSettings_t *out)
{
    enum { ALL = 15, INTERNAL = 1, OF_GPU = 1 };
    NVML_FIND(out);
    if (index && index != ALL)
        return NVML_ERROR_INVALID_ARGUMENT;
    if (card.now.die_c == WSK_TWIN_NONE)
        return NVML_ERROR_NOT_SUPPORTED;
    *out = (nvmlGpuThermalSettings_t){.count = 1};
    out->sensor[0].controller = INTERNAL;
    out->sensor[0].target = OF_GPU;
    out->sensor[0].currentTemp = card.now.die_c;
    out->sensor[0].defaultMaxTemp = card.fixed.shutdown_c != WSK_TWIN_NONE ? card.fixed.shutdown_c : 0;
    return NVML_SUCCESS;
}

static bool has_fan(const wsk_twin_card *card, unsigned fan, nvmlReturn_t *rc)
{
    const int fans = card->fixed.fans < WSK_TWIN_FANS ? card->fixed.fans : WSK_TWIN_FANS;
    *rc = fans < 1 ? NVML_ERROR_NOT_SUPPORTED : NVML_ERROR_INVALID_ARGUMENT;
    return fans > 0 && fan < (unsigned)fans;
}

NVML_FUNCTION(nvmlDeviceGetFanSpeed_v2, nvmlDevice_t device, unsigned fan, unsigned *out)
{
    nvmlReturn_t why;
    NVML_FIND(out);
    return has_fan(&card, fan, &why) ? wsk_nvml_number(card.now.fan_percent[fan], out) : why;
}

NVML_FUNCTION(nvmlDeviceGetTargetFanSpeed, nvmlDevice_t device, unsigned fan, unsigned *out)
{
    nvmlReturn_t why;
    NVML_FIND(out);
    return has_fan(&card, fan, &why) ? wsk_nvml_number(card.now.fan_goal_percent[fan], out) : why;
}

NVML_FUNCTION(nvmlDeviceGetFanControlPolicy_v2, nvmlDevice_t device, unsigned fan, unsigned *out)
{
    nvmlReturn_t why;
    NVML_FIND(out);
    return has_fan(&card, fan, &why) ? wsk_nvml_number(card.now.fan_manual, out) : why;
}

NVML_FUNCTION(nvmlDeviceGetFanSpeedRPM, nvmlDevice_t device, nvmlFanSpeedInfo_v1_t *out)
{
    nvmlReturn_t why;
    NVML_FIND(out);
    const nvmlReturn_t version = wsk_nvml_version("FanSpeedInfo", out);
    if (version != NVML_SUCCESS)
        return version;
    return has_fan(&card, out->fan, &why) ? wsk_nvml_number(card.now.fan_rpm[out->fan], &out->speed) : why;
}

NVML_FUNCTION(nvmlDeviceGetMinMaxFanSpeed, nvmlDevice_t device, unsigned *least, unsigned *most)
{
    nvmlReturn_t why;
    NVML_FIND(least);
    return has_fan(&card, 0, &why) ? give_pair(card.fixed.fan_percent_min, 100, least, most)
           : most                  ? why
                                   : NVML_ERROR_INVALID_ARGUMENT;
}

NVML_FUNCTION(nvmlDeviceGetCoolerInfo, nvmlDevice_t device, nvmlCoolerInfo_v1_t *out)
{
    enum { VARIABLE = 2, COOLS_GPU = 2 };
    nvmlReturn_t why;
    NVML_FIND(out);
    const nvmlReturn_t version = wsk_nvml_version("CoolerInfo", out);
    if (version != NVML_SUCCESS)
        return version;
    if (!has_fan(&card, out->index, &why))
        return why;
    out->signalType = VARIABLE;
    out->target = COOLS_GPU;
    return NVML_SUCCESS;
}

static nvml_u64 used_of(const wsk_twin_card *card)
{
    const int64_t used = card->now.memory_used_bytes;
    return used < 0 ? 0 : used > card->fixed.memory_bytes ? (nvml_u64)card->fixed.memory_bytes : (nvml_u64)used;
}

NVML_FUNCTION(nvmlDeviceGetMemoryInfo, nvmlDevice_t device, nvmlMemory_t *out)
{
    NVML_FIND(out);
    const nvml_u64 total = (nvml_u64)card.fixed.memory_bytes, used = used_of(&card);
    *out = (nvmlMemory_t){.total = total, .used = used, .free = total - used};
    return NVML_SUCCESS;
}

NVML_FUNCTION(nvmlDeviceGetMemoryInfo_v2, nvmlDevice_t device, nvmlMemory_v2_t *out)
{
    NVML_FIND(out);
    const nvmlReturn_t version = wsk_nvml_version("Memory", out);
    if (version != NVML_SUCCESS)
        return version;
    const nvml_u64 total = (nvml_u64)card.fixed.memory_bytes, used = used_of(&card);
    *out = (nvmlMemory_v2_t){.version = out->version, .total = total, .used = used, .free = total - used};
    return NVML_SUCCESS;
}

/* NVML's struct for BAR1 has the layout of nvmlMemory_t. */
NVML_FUNCTION(nvmlDeviceGetBAR1MemoryInfo, nvmlDevice_t device, nvmlMemory_t *out)
{
    NVML_FIND(out);
    const nvml_u64 total = (nvml_u64)card.fixed.bar1_bytes;
    *out = (nvmlMemory_t){.total = total, .free = total};
    return NVML_SUCCESS;
}

NVML_FUNCTION(nvmlDeviceGetUtilizationRates, nvmlDevice_t device, nvmlUtilization_t *out)
{
    NVML_FIND(out);
    const nvmlReturn_t gpu = wsk_nvml_number(card.now.gpu_percent, &out->gpu);
    out->memory = card.now.memory_percent == WSK_TWIN_NONE ? 0 : (unsigned)card.now.memory_percent;
    return gpu;
}

static nvmlReturn_t give_engine(int32_t percent, unsigned *out, unsigned *period_us)
{
    return give_pair(percent, 1000000, out, period_us);
}
NVML_FUNCTION(nvmlDeviceGetEncoderUtilization, nvmlDevice_t device, unsigned *out, unsigned *period_us)
{
    NVML_FIND(out);
    return give_engine(card.now.encoder_percent, out, period_us);
}
NVML_FUNCTION(nvmlDeviceGetDecoderUtilization, nvmlDevice_t device, unsigned *out, unsigned *period_us)
{
    NVML_FIND(out);
    return give_engine(card.now.decoder_percent, out, period_us);
}

/* No job of a twin encodes video or captures frames. */
NVML_FUNCTION(nvmlDeviceGetEncoderStats, nvmlDevice_t device, unsigned *sessions, unsigned *fps, unsigned *latency)
{
    NVML_FIND(sessions);
    if (!fps || !latency)
        return NVML_ERROR_INVALID_ARGUMENT;
    *sessions = *fps = *latency = 0;
    return NVML_SUCCESS;
}
NVML_FUNCTION(nvmlDeviceGetEncoderSessions, nvmlDevice_t device, unsigned *count, void *list)
{
    NVML_FIND(count);
    return wsk_nvml_list(0, count, list);
}
NVML_FUNCTION(nvmlDeviceGetFBCSessions, nvmlDevice_t device, unsigned *count, void *list)
{
    NVML_FIND(count);
    return wsk_nvml_list(0, count, list);
}
NVML_FUNCTION(nvmlDeviceGetFBCStats, nvmlDevice_t device, nvmlFBCStats_t *out)
{
    NVML_FIND(out);
    *out = (nvmlFBCStats_t){0};
    return NVML_SUCCESS;
}

/* NVML's order of the engines: graphics, memory, video. */
NVML_FUNCTION(nvmlDeviceGetDynamicPstatesInfo, nvmlDevice_t device, nvmlGpuDynamicPstatesInfo_t *out)
{
    NVML_FIND(out);
    const int32_t percent[] = {card.now.gpu_percent, card.now.memory_percent, card.now.decoder_percent};
    *out = (nvmlGpuDynamicPstatesInfo_t){.flags = 1};
    for (int i = 0; i < 3; i++)
        if (percent[i] != WSK_TWIN_NONE) {
            out->utilization[i].bIsPresent = 1;
            out->utilization[i].percentage = (unsigned)percent[i];
        }
    return NVML_SUCCESS;
}
