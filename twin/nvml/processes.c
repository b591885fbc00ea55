/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A job on a card is shown as a process. NVML keeps samples over time; a twin has only the newest. */
#include "twin/nvml/state.h"

#include <string.h>

static unsigned count_jobs(const wsk_twin_card *card)
{
    unsigned n = 0;
    for (int p = 0; p < WSK_TWIN_PROCESSES; p++)
        n += card->now.process[p].pid != 0;
    return n;
}

static const wsk_twin_process *next_job(const wsk_twin_card *card, int *p)
{
    while (*p < WSK_TWIN_PROCESSES && !card->now.process[*p].pid)
        ++*p;
    return *p < WSK_TWIN_PROCESSES ? &card->now.process[(*p)++] : NULL;
}

static unsigned percent(int32_t value)
{
    return value == WSK_TWIN_NONE || value < 0 ? 0 : (unsigned)value;
}

/* Each job is a compute process; the lists of graphics and MPS processes are empty. */

/* Fills a list of processes. size: of one item of the list, because that of version 1 is shorter than later ones. */
static nvmlReturn_t give_running(nvmlDevice_t device, bool compute, unsigned *count, void *out, size_t size)
{
    NVML_FIND(count);
    const nvmlReturn_t room = wsk_nvml_list(compute ? count_jobs(&card) : 0, count, out);
    char *to = out;
    int p = 0;
    for (const wsk_twin_process *job; compute && room == NVML_SUCCESS && (job = next_job(&card, &p)); to += size) {
        const nvmlProcessInfo_v2_t item = {.pid = (unsigned)job->pid,
                                           .usedGpuMemory = (nvml_u64)job->memory_bytes,
                                           .gpuInstanceId = NVML_NO_INSTANCE,
                                           .computeInstanceId = NVML_NO_INSTANCE};
        memcpy(to, &item, size);
    }
    return room;
}
#define RUNNING(name, compute) \
    NVML_FUNCTION(name, nvmlDevice_t device, unsigned *count, nvmlProcessInfo_v1_t *out) \
    { \
        return give_running(device, compute, count, out, sizeof *out); \
    } \
    NVML_FUNCTION(name##_v2, nvmlDevice_t device, unsigned *count, nvmlProcessInfo_v2_t *out) \
    { \
        return give_running(device, compute, count, out, sizeof *out); \
    } \
    NVML_FUNCTION(name##_v3, nvmlDevice_t device, unsigned *count, nvmlProcessInfo_v2_t *out) \
    { \
        return give_running(device, compute, count, out, sizeof *out); \
    }
RUNNING(nvmlDeviceGetComputeRunningProcesses, true)
RUNNING(nvmlDeviceGetGraphicsRunningProcesses, false)
RUNNING(nvmlDeviceGetMPSComputeRunningProcesses, false)

NVML_FUNCTION(nvmlDeviceGetRunningProcessDetailList, nvmlDevice_t device, nvmlProcessDetailList_v1_t *out)
{
    enum { COMPUTE = 0, MODES = 3 };
    NVML_FIND(out);
    const nvmlReturn_t version = wsk_nvml_version("ProcessDetailList", out);
    if (version != NVML_SUCCESS)
        return version;
    if (out->mode >= MODES)
        return NVML_ERROR_INVALID_ARGUMENT;
    const bool compute = out->mode == COMPUTE;
    const nvmlReturn_t room =
        wsk_nvml_list(compute ? count_jobs(&card) : 0, &out->numProcArrayEntries, out->procArray);
    nvmlProcessDetail_v1_t *to = out->procArray;
    int p = 0;
    for (const wsk_twin_process *job; compute && room == NVML_SUCCESS && (job = next_job(&card, &p)); to++)
        *to = (nvmlProcessDetail_v1_t){.pid = (unsigned)job->pid,
                                       .usedGpuMemory = (nvml_u64)job->memory_bytes,
                                       .gpuInstanceId = NVML_NO_INSTANCE,
                                       .computeInstanceId = NVML_NO_INSTANCE};
    return room;
}

/* Copies a card, and sets *t_us to the time of its newest sample. NOT_FOUND: the caller has already received this
 * sample. */
static nvmlReturn_t newest(nvmlDevice_t device, const void *given, nvml_u64 seen_us, wsk_twin_card *card,
                           nvml_u64 *t_us)
{
    wsk_nvml_head now;
    nvmlReturn_t rc = wsk_nvml_find(device, given, card);
    if (rc == NVML_SUCCESS)
        rc = wsk_nvml_now(&now);
    if (rc != NVML_SUCCESS)
        return rc;
    *t_us = (nvml_u64)now.utc_ns / 1000;
    return *t_us > seen_us ? NVML_SUCCESS : NVML_ERROR_NOT_FOUND;
}

NVML_FUNCTION(nvmlDeviceGetProcessUtilization, nvmlDevice_t device, nvmlProcessUtilizationSample_t *out,
              unsigned *count, nvml_u64 seen_us)
{
    wsk_twin_card card;
    nvml_u64 t_us;
    nvmlReturn_t rc = newest(device, count, seen_us, &card, &t_us);
    if (rc == NVML_SUCCESS)
        rc = count_jobs(&card) ? wsk_nvml_list(count_jobs(&card), count, out) : NVML_ERROR_NOT_FOUND;
    int p = 0;
    for (const wsk_twin_process *job; rc == NVML_SUCCESS && (job = next_job(&card, &p)); out++)
        *out = (nvmlProcessUtilizationSample_t){
            .pid = (unsigned)job->pid, .timeStamp = t_us, .smUtil = percent(job->sm_percent)};
    return rc;
}

NVML_FUNCTION(nvmlDeviceGetProcessesUtilizationInfo, nvmlDevice_t device, nvmlProcessesUtilizationInfo_v1_t *out)
{
    wsk_twin_card card;
    nvml_u64 t_us;
    nvmlReturn_t rc = wsk_nvml_find(device, out, &card);
    if (rc == NVML_SUCCESS)
        rc = wsk_nvml_version("ProcessesUtilizationInfo", out);
    if (rc == NVML_SUCCESS)
        rc = newest(device, out, out->lastSeenTimeStamp, &card, &t_us);
    if (rc == NVML_SUCCESS)
        rc = count_jobs(&card) ? wsk_nvml_list(count_jobs(&card), &out->processSamplesCount, out->procUtilArray)
                               : NVML_ERROR_NOT_FOUND;
    if (rc != NVML_SUCCESS)
        return rc;
    nvmlProcessUtilizationInfo_v1_t *to = out->procUtilArray;
    int p = 0;
    for (const wsk_twin_process *job; (job = next_job(&card, &p)); to++)
        *to = (nvmlProcessUtilizationInfo_v1_t){
            .pid = (unsigned)job->pid, .timeStamp = t_us, .smUtil = percent(job->sm_percent)};
    return rc;
}

NVML_FUNCTION(nvmlDeviceGetSamples, nvmlDevice_t device, unsigned type, nvml_u64 seen_us, unsigned *value_type,
              unsigned *count, nvmlSample_t *out)
{
    wsk_twin_card card;
    nvml_u64 t_us;
    nvmlReturn_t rc = newest(device, count, seen_us, &card, &t_us);
    if (rc != NVML_SUCCESS)
        return rc;
    const wsk_twin_now *n = &card.now;
    const int32_t values[] = {n->power_instant_mw, n->gpu_percent, n->memory_percent,  n->encoder_percent,
                              n->decoder_percent,  n->clock_mhz,   n->memory_clock_mhz};
    if (!value_type || type > 9)
        return NVML_ERROR_INVALID_ARGUMENT;
    if (type >= sizeof values / sizeof *values || values[type] == WSK_TWIN_NONE)
        return NVML_ERROR_NOT_SUPPORTED;
    *value_type = NVML_VALUE_UINT;
    if (!out) { /* the caller asks for the number of samples */
        *count = 1;
        return NVML_SUCCESS;
    }
    rc = wsk_nvml_list(1, count, out);
    if (rc == NVML_SUCCESS)
        *out = (nvmlSample_t){.timeStamp = t_us, .sampleValue.uiVal = (unsigned)values[type]};
    return rc;
}
