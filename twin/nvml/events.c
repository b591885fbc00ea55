/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NVML's event sets. A wait polls the state of the twin every 20 ms, because the twin cannot wake its readers. An
 * event is a difference from the previous poll: another Xid (error number of NVIDIA's driver), P-state or clock. */
#include "twin/nvml/state.h"

#include <pthread.h>
#include <string.h>
#include <time.h>

enum { SETS = 64, KINDS = NVML_EVENT_XID | NVML_EVENT_PSTATE | NVML_EVENT_CLOCK, LOOK_MS = 20 };

typedef struct {
    nvml_u64 kinds;
    uint32_t xid;
    int32_t lost, pstate, clock_mhz;
    nvml_u64 due; /* kinds that have happened and that the client has not received yet */
} watch;

struct nvmlEventSet_st {
    bool used;
    watch card[WSK_TWIN_CARDS];
};
static struct nvmlEventSet_st sets[SETS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* True if `set` is in the table and in use. It may be any pointer: one outside the table is not read. The caller holds
 * the lock. */
static bool is_set(nvmlEventSet_t set)
{
    const uintptr_t at = (uintptr_t)set, first = (uintptr_t)sets;
    return at >= first && at < first + sizeof sets && (at - first) % sizeof *sets == 0 && set->used;
}

NVML_FUNCTION(nvmlDeviceGetSupportedEventTypes, nvmlDevice_t device, nvml_u64 *out)
{
    NVML_FIND(out);
    *out = KINDS;
    return NVML_SUCCESS;
}

NVML_FUNCTION(nvmlEventSetCreate, nvmlEventSet_t *out)
{
    wsk_nvml_head now;
    nvmlReturn_t rc = wsk_nvml_now(&now);
    if (rc == NVML_SUCCESS && !out)
        rc = NVML_ERROR_INVALID_ARGUMENT;
    if (rc != NVML_SUCCESS)
        return rc;
    rc = NVML_ERROR_INSUFFICIENT_RESOURCES;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < SETS && rc != NVML_SUCCESS; i++)
        if (!sets[i].used) {
            sets[i] = (struct nvmlEventSet_st){.used = true};
            *out = &sets[i];
            rc = NVML_SUCCESS;
        }
    pthread_mutex_unlock(&lock);
    return rc;
}

NVML_FUNCTION(nvmlEventSetFree, nvmlEventSet_t set)
{
    wsk_nvml_head now;
    nvmlReturn_t rc = wsk_nvml_now(&now);
    if (rc == NVML_ERROR_UNINITIALIZED)
        return rc;
    pthread_mutex_lock(&lock);
    rc = is_set(set) ? NVML_SUCCESS : NVML_ERROR_INVALID_ARGUMENT;
    if (rc == NVML_SUCCESS)
        set->used = false;
    pthread_mutex_unlock(&lock);
    return rc;
}

NVML_FUNCTION(nvmlDeviceRegisterEvents, nvmlDevice_t device, nvml_u64 kinds, nvmlEventSet_t set)
{
    NVML_FIND(device);
    if (kinds & ~(nvml_u64)KINDS)
        return NVML_ERROR_NOT_SUPPORTED;
    pthread_mutex_lock(&lock);
    const bool found = is_set(set);
    if (found) {
        watch *w = &set->card[wsk_nvml_index(device)];
        *w = (watch){.kinds = w->kinds | kinds,
                     .due = w->due,
                     .xid = card.now.xid,
                     .pstate = card.now.pstate,
                     .clock_mhz = card.now.clock_mhz};
    }
    pthread_mutex_unlock(&lock);
    return found ? NVML_SUCCESS : NVML_ERROR_INVALID_ARGUMENT;
}

static void look(watch *w, const wsk_twin_now *now)
{
    if (now->xid && (now->xid != w->xid || (now->lost && !w->lost)))
        w->due |= NVML_EVENT_XID;
    if (now->pstate != w->pstate)
        w->due |= NVML_EVENT_PSTATE;
    if (now->clock_mhz != w->clock_mhz)
        w->due |= NVML_EVENT_CLOCK;
    w->due &= w->kinds;
    w->xid = now->xid;
    w->lost = now->lost;
    w->pstate = now->pstate;
    w->clock_mhz = now->clock_mhz;
}

static bool take(watch *w, int index, nvmlEventData_t *out)
{
    static const nvml_u64 kinds[] = {NVML_EVENT_XID, NVML_EVENT_PSTATE, NVML_EVENT_CLOCK};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        if (w->due & kinds[k]) {
            w->due &= ~kinds[k];
            *out = (nvmlEventData_t){.device = wsk_nvml_handle(index),
                                     .eventType = kinds[k],
                                     .eventData = kinds[k] == NVML_EVENT_XID ? w->xid : 0,
                                     .gpuInstanceId = NVML_NO_INSTANCE,
                                     .computeInstanceId = NVML_NO_INSTANCE};
            return true;
        }
    return false;
}

static nvmlReturn_t poll_set(nvmlEventSet_t set, nvmlEventData_t *out)
{
    wsk_twin_card card;
    wsk_nvml_head now;
    nvmlReturn_t rc = wsk_nvml_now(&now);
    if (rc != NVML_SUCCESS)
        return rc;
    rc = NVML_ERROR_TIMEOUT;
    pthread_mutex_lock(&lock);
    if (!is_set(set))
        rc = NVML_ERROR_INVALID_ARGUMENT;
    for (int i = 0; i < now.cards && rc == NVML_ERROR_TIMEOUT; i++) {
        watch *w = &set->card[i];
        if (!w->kinds || wsk_nvml_card(i, &card) != NVML_SUCCESS)
            continue;
        look(w, &card.now);
        if (take(w, i, out))
            rc = NVML_SUCCESS;
    }
    pthread_mutex_unlock(&lock);
    return rc;
}

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Fills only the first `size` bytes of `out`, because the first version of the struct is shorter. */
static nvmlReturn_t wait_for(nvmlEventSet_t set, void *out, size_t size, unsigned timeout_ms)
{
    const int64_t until_ms = now_ms() + timeout_ms;
    nvmlEventData_t data;
    for (;;) {
        nvmlReturn_t rc = poll_set(set, &data);
        if (rc != NVML_ERROR_UNINITIALIZED && !out)
            rc = NVML_ERROR_INVALID_ARGUMENT;
        if (rc == NVML_SUCCESS)
            memcpy(out, &data, size);
        const int64_t left_ms = until_ms - now_ms();
        if (rc != NVML_ERROR_TIMEOUT || left_ms <= 0)
            return rc;
        const long pause_ms = left_ms < LOOK_MS ? (long)left_ms : LOOK_MS;
        nanosleep(&(struct timespec){.tv_nsec = pause_ms * 1000000}, NULL);
    }
}
NVML_FUNCTION(nvmlEventSetWait, nvmlEventSet_t set, nvmlEventData_v1_t *out, unsigned timeout_ms)
{
    return wait_for(set, out, sizeof *out, timeout_ms);
}
NVML_FUNCTION(nvmlEventSetWait_v2, nvmlEventSet_t set, nvmlEventData_t *out, unsigned timeout_ms)
{
    return wait_for(set, out, sizeof *out, timeout_ms);
}
