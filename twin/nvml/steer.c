/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each setter sends a request over the twin's control socket, and the twin compares the value with its limits. If
 * the twin was started without --writable, nothing is sent, and the result is NO_PERMISSION for valid arguments. */
#include "twin/nvml/state.h"

static nvmlReturn_t set_limit(nvmlDevice_t device, unsigned mw)
{
    return wsk_nvml_steer(device, ".power-limit set %u.%03u W", mw / 1000, mw % 1000);
}

NVML_FUNCTION(nvmlDeviceSetPowerManagementLimit, nvmlDevice_t device, unsigned mw)
{
    return set_limit(device, mw);
}

NVML_FUNCTION(nvmlDeviceSetPowerManagementLimit_v2, nvmlDevice_t device, nvmlPowerValue_v2_t *value)
{
    enum { WHOLE_CARD = 0, SCOPES = 4 };
    NVML_FIND(value);
    const nvmlReturn_t version = wsk_nvml_version("PowerValue", value);
    if (version != NVML_SUCCESS)
        return version;
    if (value->powerScope != WHOLE_CARD)
        return value->powerScope < SCOPES ? NVML_ERROR_NOT_SUPPORTED : NVML_ERROR_INVALID_ARGUMENT;
    return set_limit(device, value->powerValueMw);
}

NVML_FUNCTION(nvmlDeviceSetGpuLockedClocks, nvmlDevice_t device, unsigned low_mhz, unsigned high_mhz)
{
    NVML_FIND(device);
    if (low_mhz > high_mhz)
        return NVML_ERROR_INVALID_ARGUMENT;
    return wsk_nvml_steer(device, ".clock-lock set %u MHz %u MHz", low_mhz, high_mhz);
}

NVML_FUNCTION(nvmlDeviceResetGpuLockedClocks, nvmlDevice_t device)
{
    return wsk_nvml_steer(device, ".clock-lock returns");
}

/* A twin locks the memory at one clock: the highest that the caller allows. */
NVML_FUNCTION(nvmlDeviceSetMemoryLockedClocks, nvmlDevice_t device, unsigned low_mhz, unsigned high_mhz)
{
    NVML_FIND(device);
    if (low_mhz > high_mhz)
        return NVML_ERROR_INVALID_ARGUMENT;
    return wsk_nvml_steer(device, ".memory-clock-lock set %u MHz", high_mhz);
}

NVML_FUNCTION(nvmlDeviceResetMemoryLockedClocks, nvmlDevice_t device)
{
    return wsk_nvml_steer(device, ".memory-clock-lock returns");
}

NVML_FUNCTION(nvmlDeviceSetPersistenceMode, nvmlDevice_t device, unsigned mode)
{
    NVML_FIND(device);
    return mode > 1 ? NVML_ERROR_INVALID_ARGUMENT
                    : wsk_nvml_steer(device, ".persistence set %s", mode ? "on" : "off");
}

/* A twin's card holds all of its fans at one speed, so the number of a fan is only checked. */

static nvmlReturn_t check_fan(nvmlDevice_t device, unsigned fan, wsk_twin_card *card)
{
    const nvmlReturn_t rc = wsk_nvml_find(device, device, card);
    if (rc != NVML_SUCCESS)
        return rc;
    if (card->fixed.fans < 1)
        return NVML_ERROR_NOT_SUPPORTED;
    return fan < (unsigned)card->fixed.fans && fan < WSK_TWIN_FANS ? NVML_SUCCESS : NVML_ERROR_INVALID_ARGUMENT;
}

NVML_FUNCTION(nvmlDeviceSetFanSpeed_v2, nvmlDevice_t device, unsigned fan, unsigned percent)
{
    wsk_twin_card card;
    const nvmlReturn_t rc = check_fan(device, fan, &card);
    if (rc != NVML_SUCCESS)
        return rc;
    return percent > 100 ? NVML_ERROR_INVALID_ARGUMENT : wsk_nvml_steer(device, ".fan set %u %%", percent);
}

NVML_FUNCTION(nvmlDeviceSetDefaultFanSpeed_v2, nvmlDevice_t device, unsigned fan)
{
    wsk_twin_card card;
    const nvmlReturn_t rc = check_fan(device, fan, &card);
    return rc != NVML_SUCCESS ? rc : wsk_nvml_steer(device, ".fan returns");
}

/* Under the policy BY_HAND a fan keeps the speed that it has. */
NVML_FUNCTION(nvmlDeviceSetFanControlPolicy, nvmlDevice_t device, unsigned fan, unsigned policy)
{
    enum { AUTOMATIC, BY_HAND };
    wsk_twin_card card;
    const nvmlReturn_t rc = check_fan(device, fan, &card);
    if (rc != NVML_SUCCESS)
        return rc;
    if (policy > BY_HAND)
        return NVML_ERROR_INVALID_ARGUMENT;
    if (policy == AUTOMATIC)
        return wsk_nvml_steer(device, ".fan returns");
    return wsk_nvml_steer(device, ".fan set %d %%", (int)card.now.fan_percent[fan]);
}
