/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "twin/nvml/state.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

NVML_FUNCTION(nvmlInit, void)
{
    return wsk_nvml_open();
}
NVML_FUNCTION(nvmlInit_v2, void)
{
    return wsk_nvml_open();
}
NVML_FUNCTION(nvmlInitWithFlags, unsigned flags)
{
    /* The flags are ignored. The one that would matter allows a machine without cards, and this is always allowed. */
    (void)flags;
    return wsk_nvml_open();
}
NVML_FUNCTION(nvmlShutdown, void)
{
    return wsk_nvml_close();
}

const char *nvmlErrorString(nvmlReturn_t result);
const char *nvmlErrorString(nvmlReturn_t result)
{
    static const char *const texts[] = {
        [0] = "Success",
        [NVML_ERROR_UNINITIALIZED] = "Uninitialized",
        [NVML_ERROR_INVALID_ARGUMENT] = "Invalid Argument",
        [NVML_ERROR_NOT_SUPPORTED] = "Not Supported",
        [NVML_ERROR_NO_PERMISSION] = "Insufficient Permissions",
        [5] = "Already Initialized",
        [NVML_ERROR_NOT_FOUND] = "Not Found",
        [NVML_ERROR_INSUFFICIENT_SIZE] = "Insufficient Size",
        [8] = "Insufficient External Power",
        [NVML_ERROR_DRIVER_NOT_LOADED] = "Driver Not Loaded",
        [NVML_ERROR_TIMEOUT] = "Timeout",
        [11] = "Interrupt Request Issue",
        [12] = "NVML Shared Library Not Found",
        [13] = "Function Not Found",
        [14] = "Corrupted infoROM",
        [NVML_ERROR_GPU_IS_LOST] = "GPU is lost",
        [16] = "GPU requires restart",
        [NVML_ERROR_OPERATING_SYSTEM] = "The operating system has blocked the request.",
        [NVML_ERROR_LIB_RM_VERSION_MISMATCH] = "RM has detected an NVML/RM version mismatch.",
        [19] = "In use by another client",
        [NVML_ERROR_MEMORY] = "Insufficient Memory",
        [21] = "No data",
        [22] = "vGPU ECC Not Supported",
        [NVML_ERROR_INSUFFICIENT_RESOURCES] = "Insufficient Resources",
        [24] = "Frequency Not Supported",
        [NVML_ERROR_ARGUMENT_VERSION_MISMATCH] = "Argument version mismatch",
        [NVML_ERROR_DEPRECATED] = "Requested functionality has been deprecated",
        [27] = "System is not ready",
        [28] = "GPU not found",
        [29] = "Invalid state",
        [30] = "Reset type not supported"};
    const size_t at = (size_t)result;
    return at < sizeof texts / sizeof *texts ? texts[at] : "Unknown Error";
}

static nvmlReturn_t give_version(char *out, unsigned length, const char *before, const wsk_nvml_head *now)
{
    char text[80];
    if (!out)
        return NVML_ERROR_INVALID_ARGUMENT;
    snprintf(text, sizeof text, "%s%s", before, now->driver);
    return wsk_nvml_text(text, out, length);
}

NVML_FUNCTION(nvmlSystemGetDriverVersion, char *out, unsigned length)
{
    wsk_nvml_head now;
    const nvmlReturn_t rc = wsk_nvml_now(&now);
    return rc != NVML_SUCCESS ? rc : give_version(out, length, "", &now);
}

NVML_FUNCTION(nvmlSystemGetNVMLVersion, char *out, unsigned length)
{
    wsk_nvml_head now;
    const nvmlReturn_t rc = wsk_nvml_now(&now);
    return rc != NVML_SUCCESS ? rc : give_version(out, length, "13.", &now);
}

NVML_FUNCTION(nvmlSystemGetDriverBranch, nvmlSystemDriverBranchInfo_v1_t *out, unsigned length)
{
    wsk_nvml_head now;
    char branch[32];
    nvmlReturn_t rc = wsk_nvml_now(&now);
    if (rc == NVML_SUCCESS)
        rc = wsk_nvml_version("SystemDriverBranchInfo", out);
    if (rc != NVML_SUCCESS)
        return rc;
    snprintf(branch, sizeof branch, "r%.*s_00", (int)strcspn(now.driver, "."), now.driver);
    return wsk_nvml_text(branch, out->branch, length < sizeof out->branch ? length : (unsigned)sizeof out->branch);
}

static nvmlReturn_t give_cuda(int *out)
{
    wsk_nvml_head now;
    const nvmlReturn_t rc = wsk_nvml_now(&now);
    if (rc != NVML_SUCCESS)
        return rc;
    if (!out)
        return NVML_ERROR_INVALID_ARGUMENT;
    *out = now.cuda;
    return NVML_SUCCESS;
}
NVML_FUNCTION(nvmlSystemGetCudaDriverVersion, int *out)
{
    return give_cuda(out);
}
NVML_FUNCTION(nvmlSystemGetCudaDriverVersion_v2, int *out)
{
    return give_cuda(out);
}

static nvmlReturn_t give_count(unsigned *out, bool cards)
{
    wsk_nvml_head now;
    const nvmlReturn_t rc = wsk_nvml_now(&now);
    if (rc != NVML_SUCCESS)
        return rc;
    if (!out)
        return NVML_ERROR_INVALID_ARGUMENT;
    *out = cards ? (unsigned)now.cards : 0;
    return NVML_SUCCESS;
}
NVML_FUNCTION(nvmlDeviceGetCount, unsigned *out)
{
    return give_count(out, true);
}
NVML_FUNCTION(nvmlDeviceGetCount_v2, unsigned *out)
{
    return give_count(out, true);
}
NVML_FUNCTION(nvmlUnitGetCount, unsigned *out)
{
    return give_count(out, false);
}
NVML_FUNCTION(nvmlGetExcludedDeviceCount, unsigned *out)
{
    return give_count(out, false);
}
NVML_FUNCTION(nvmlSystemGetHicVersion, unsigned *count, nvmlHwbcEntry_t *entries)
{
    (void)entries;
    return give_count(count, false);
}

/* Lists all cards for each processor, because all are connected to the same host. */
NVML_FUNCTION(nvmlSystemGetTopologyGpuSet, unsigned cpu, unsigned *count, nvmlDevice_t *out)
{
    wsk_nvml_head now;
    nvmlReturn_t rc = wsk_nvml_now(&now);
    (void)cpu;
    if (rc == NVML_SUCCESS)
        rc = count ? wsk_nvml_list((unsigned)now.cards, count, out) : NVML_ERROR_INVALID_ARGUMENT;
    for (int i = 0; i < now.cards && rc == NVML_SUCCESS; i++)
        out[i] = wsk_nvml_handle(i);
    return rc;
}

NVML_FUNCTION(nvmlSystemGetProcessName, unsigned pid, char *out, unsigned length)
{
    wsk_twin_card card;
    wsk_nvml_head now;
    nvmlReturn_t rc = wsk_nvml_now(&now);
    if (rc == NVML_SUCCESS && (!out || !length))
        rc = NVML_ERROR_INVALID_ARGUMENT;
    for (int i = 0; rc == NVML_SUCCESS && i < now.cards && (rc = wsk_nvml_card(i, &card)) == NVML_SUCCESS; i++)
        for (int p = 0; p < WSK_TWIN_PROCESSES; p++)
            if (pid && card.now.process[p].pid == (int32_t)pid) {
                snprintf(out, length, "%.*s", WSK_TWIN_NAME - 1,
                         card.now.process[p].name); /* a name that does not fit is cut off */
                return NVML_SUCCESS;
            }
    return rc == NVML_SUCCESS ? NVML_ERROR_NOT_FOUND : rc;
}

typedef bool matches(const wsk_twin_card *card, const void *wanted);

static nvmlReturn_t search(matches *is, const void *wanted, nvmlDevice_t *out)
{
    wsk_twin_card card;
    wsk_nvml_head now;
    nvmlReturn_t rc = wsk_nvml_now(&now);
    if (rc == NVML_SUCCESS && (!out || !wanted))
        rc = NVML_ERROR_INVALID_ARGUMENT;
    for (int i = 0; rc == NVML_SUCCESS && i < now.cards && (rc = wsk_nvml_card(i, &card)) == NVML_SUCCESS; i++)
        if (is(&card, wanted)) {
            if (card.now.lost)
                return NVML_ERROR_GPU_IS_LOST;
            *out = wsk_nvml_handle(i);
            return NVML_SUCCESS;
        }
    return rc == NVML_SUCCESS ? NVML_ERROR_NOT_FOUND : rc;
}

static nvmlReturn_t give_handle(unsigned index, nvmlDevice_t *out)
{
    wsk_twin_card card;
    const nvmlReturn_t rc = wsk_nvml_card(index < WSK_TWIN_CARDS ? (int)index : -1, &card);
    if (rc != NVML_SUCCESS)
        return rc;
    if (!out)
        return NVML_ERROR_INVALID_ARGUMENT;
    if (card.now.lost)
        return NVML_ERROR_GPU_IS_LOST;
    *out = wsk_nvml_handle((int)index);
    return NVML_SUCCESS;
}
NVML_FUNCTION(nvmlDeviceGetHandleByIndex, unsigned index, nvmlDevice_t *out)
{
    return give_handle(index, out);
}
NVML_FUNCTION(nvmlDeviceGetHandleByIndex_v2, unsigned index, nvmlDevice_t *out)
{
    return give_handle(index, out);
}

static bool has_uuid(const wsk_twin_card *card, const void *wanted)
{
    return strcmp(card->fixed.uuid, wanted) == 0;
}
NVML_FUNCTION(nvmlDeviceGetHandleByUUID, const char *uuid, nvmlDevice_t *out)
{
    return search(has_uuid, uuid, out);
}

static bool has_bytes(const wsk_twin_card *card, const void *wanted)
{
    const unsigned char *bytes = wanted;
    const char *at = card->fixed.uuid + strcspn(card->fixed.uuid, "-");
    for (int i = 0; i < 16; i++) {
        char two[3];
        at += *at == '-';
        if (!at[0] || !at[1])
            return false;
        snprintf(two, sizeof two, "%02x", bytes[i]);
        if (strncasecmp(at, two, 2) != 0)
            return false;
        at += 2;
    }
    return true;
}
NVML_FUNCTION(nvmlDeviceGetHandleByUUIDV, const nvmlUUID_v1_t *uuid, nvmlDevice_t *out)
{
    enum { ASCII = 1, BINARY = 2 };
    wsk_nvml_head now;
    nvmlReturn_t rc = wsk_nvml_now(&now);
    if (rc == NVML_SUCCESS)
        rc = wsk_nvml_version("UUID", uuid);
    if (rc != NVML_SUCCESS)
        return rc;
    if (uuid->type == BINARY)
        return search(has_bytes, uuid->value.bytes, out);
    char text[sizeof uuid->value.str + 1] = "";
    memcpy(text, uuid->value.str, sizeof uuid->value.str);
    return uuid->type == ASCII ? search(has_uuid, text, out) : NVML_ERROR_INVALID_ARGUMENT;
}

/* Compares bus ids. The wanted id may lack the domain or its leading zeros: "0000:01:00.0", "00000000:01:00.0" or
 * "01:00.0", in upper or lower case. */
static bool has_bus_id(const wsk_twin_card *card, const void *wanted)
{
    const char *a = card->fixed.bus_id, *b = wanted;
    const size_t with = strlen(a), len = strlen(b);
    if (len < 7 || len > with || strcasecmp(a + with - len, b) != 0)
        return false;
    return len == 7 || len == 12 || len == 16;
}
NVML_FUNCTION(nvmlDeviceGetHandleByPciBusId, const char *id, nvmlDevice_t *out)
{
    return search(has_bus_id, id, out);
}
NVML_FUNCTION(nvmlDeviceGetHandleByPciBusId_v2, const char *id, nvmlDevice_t *out)
{
    return search(has_bus_id, id, out);
}

static bool has_serial(const wsk_twin_card *card, const void *wanted)
{
    return card->fixed.serial[0] && strcmp(card->fixed.serial, wanted) == 0;
}
NVML_FUNCTION(nvmlDeviceGetHandleBySerial, const char *serial, nvmlDevice_t *out)
{
    return search(has_serial, serial, out);
}
