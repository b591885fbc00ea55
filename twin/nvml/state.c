/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "twin/nvml/state.h"
#include "twin/ask.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct nvmlDevice_st {
    char unused;
};
static struct nvmlDevice_st devices[WSK_TWIN_CARDS];

/* The moment (the whole state of the twin at one time) is large, so all functions share this copy, under the lock. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    unsigned users;
    wsk_twin_reader *reader;
    wsk_twin_moment moment;
} state;

static nvmlReturn_t from_status(wsk_twin_status status)
{
    switch (status) {
    case WSK_TWIN_OK: return NVML_SUCCESS;
    case WSK_TWIN_ABSENT: return NVML_ERROR_DRIVER_NOT_LOADED;
    case WSK_TWIN_DENIED: return NVML_ERROR_NO_PERMISSION;
    case WSK_TWIN_FOREIGN: return NVML_ERROR_LIB_RM_VERSION_MISMATCH;
    case WSK_TWIN_GONE: return NVML_ERROR_GPU_IS_LOST;
    default: return NVML_ERROR_OPERATING_SYSTEM;
    }
}

static nvmlReturn_t attach(void)
{
    nvmlReturn_t rc = from_status(wsk_twin_attach(&state.reader, NULL));
    if (rc != NVML_SUCCESS)
        return rc;
    /* GONE: nothing was published yet, or the writer is silent, for example because it was killed. */
    if (wsk_twin_read(state.reader, &state.moment) == WSK_TWIN_GONE) {
        wsk_twin_detach(state.reader);
        state.reader = NULL;
        return NVML_ERROR_DRIVER_NOT_LOADED;
    }
    return NVML_SUCCESS;
}

nvmlReturn_t wsk_nvml_open(void)
{
    pthread_mutex_lock(&lock);
    const nvmlReturn_t rc = state.users ? NVML_SUCCESS : attach();
    state.users += rc == NVML_SUCCESS;
    pthread_mutex_unlock(&lock);
    return rc;
}

nvmlReturn_t wsk_nvml_close(void)
{
    pthread_mutex_lock(&lock);
    const nvmlReturn_t rc = state.users ? NVML_SUCCESS : NVML_ERROR_UNINITIALIZED;
    if (state.users && --state.users == 0) {
        wsk_twin_detach(state.reader);
        state.reader = NULL;
    }
    pthread_mutex_unlock(&lock);
    return rc;
}

/* Takes the lock and copies the newest moment to state.moment. The caller must release the lock, whatever the
 * result. */
static nvmlReturn_t begin(void)
{
    pthread_mutex_lock(&lock);
    if (!state.users)
        return NVML_ERROR_UNINITIALIZED;
    return from_status(wsk_twin_read(state.reader, &state.moment));
}

/* Finds a card of state.moment; `index` counts only NVIDIA's cards. NULL: there is no such card, and *count is the
 * number of NVIDIA's cards; so index -1 counts them. */
static const wsk_twin_card *pick(int index, int *count)
{
    *count = 0;
    for (int i = 0; i < state.moment.count && i < WSK_TWIN_CARDS; i++)
        if (state.moment.card[i].fixed.nvidia && (*count)++ == index)
            return &state.moment.card[i];
    return NULL;
}

nvmlReturn_t wsk_nvml_now(wsk_nvml_head *out)
{
    const nvmlReturn_t rc = begin();
    if (rc == NVML_SUCCESS) {
        const wsk_twin_moment *m = &state.moment;
        *out = (wsk_nvml_head){.t_ns = m->t_ns, .utc_ns = m->utc_ns, .writable = m->writable, .cuda = m->cuda};
        memcpy(out->driver, m->driver, sizeof out->driver);
        memcpy(out->socket, m->socket, sizeof out->socket);
        out->driver[sizeof out->driver - 1] = out->socket[sizeof out->socket - 1] = '\0';
        pick(-1, &out->cards);
    }
    pthread_mutex_unlock(&lock);
    return rc;
}

nvmlDevice_t wsk_nvml_handle(int index)
{
    return index >= 0 && index < WSK_TWIN_CARDS ? &devices[index] : NULL;
}

int wsk_nvml_index(nvmlDevice_t device)
{
    const uintptr_t at = (uintptr_t)device, first = (uintptr_t)devices;
    return at >= first && at < first + sizeof devices ? (int)((at - first) / sizeof *devices) : -1;
}

nvmlReturn_t wsk_nvml_card(int index, wsk_twin_card *out)
{
    int count;
    nvmlReturn_t rc = begin();
    if (rc == NVML_SUCCESS) {
        const wsk_twin_card *card = index < 0 ? NULL : pick(index, &count);
        if (card)
            *out = *card;
        else
            rc = NVML_ERROR_INVALID_ARGUMENT;
    }
    pthread_mutex_unlock(&lock);
    return rc;
}

nvmlReturn_t wsk_nvml_find(nvmlDevice_t device, const void *given, wsk_twin_card *out)
{
    nvmlReturn_t rc = wsk_nvml_card(wsk_nvml_index(device), out);
    if (rc == NVML_SUCCESS && !given)
        rc = NVML_ERROR_INVALID_ARGUMENT;
    return rc == NVML_SUCCESS && out->now.lost ? NVML_ERROR_GPU_IS_LOST : rc;
}

static nvmlReturn_t from_answer(wsk_ask_status status)
{
    switch (status) {
    case WSK_ASK_OK: return NVML_SUCCESS;
    case WSK_ASK_DENIED: return NVML_ERROR_NO_PERMISSION;
    case WSK_ASK_RANGE: return NVML_ERROR_INVALID_ARGUMENT;
    case WSK_ASK_UNKNOWN: return NVML_ERROR_NOT_SUPPORTED;
    case WSK_ASK_LOST: return NVML_ERROR_GPU_IS_LOST;
    case WSK_ASK_GONE: return NVML_ERROR_TIMEOUT;
    default: return NVML_ERROR_UNKNOWN;
    }
}

nvmlReturn_t wsk_nvml_steer(nvmlDevice_t device, const char *rest, ...)
{
    /* long, because the twin answers only while it is not computing the next stretch of simulated time */
    enum { WAIT_MS = 5000 };
    char event[96], line[192], answer[512];
    wsk_twin_card card;
    wsk_nvml_head now;
    nvmlReturn_t rc = wsk_nvml_find(device, rest, &card);
    if (rc == NVML_SUCCESS)
        rc = wsk_nvml_now(&now);
    if (rc != NVML_SUCCESS)
        return rc;
    if (!now.writable)
        return NVML_ERROR_NO_PERMISSION;
    va_list args;
    va_start(args, rest);
    vsnprintf(event, sizeof event, rest, args);
    va_end(args);
    snprintf(line, sizeof line, "{\"do\": \"%.*s%s\"}", WSK_TWIN_NAME - 1, card.fixed.id, event);
    return from_answer(wsk_twin_ask(now.socket, line, WAIT_MS, answer, sizeof answer));
}

nvmlReturn_t wsk_nvml_text(const char *text, char *out, unsigned length)
{
    const size_t len = strlen(text);
    if (!len)
        return NVML_ERROR_NOT_SUPPORTED;
    if (length <= len)
        return NVML_ERROR_INSUFFICIENT_SIZE;
    memcpy(out, text, len + 1);
    return NVML_SUCCESS;
}

nvmlReturn_t wsk_nvml_number(int32_t value, unsigned *out)
{
    if (value == WSK_TWIN_NONE)
        return NVML_ERROR_NOT_SUPPORTED;
    *out = (unsigned)value;
    return NVML_SUCCESS;
}

nvmlReturn_t wsk_nvml_list(unsigned have, unsigned *count, const void *list)
{
    const unsigned room = *count;
    if (room && !list)
        return NVML_ERROR_INVALID_ARGUMENT;
    *count = have;
    return have > room ? NVML_ERROR_INSUFFICIENT_SIZE : NVML_SUCCESS;
}

nvmlReturn_t wsk_nvml_version(const char *type, const void *given)
{
    static const struct {
        const char *type;
        unsigned word;
    } known[] = {
#define VERSION(name, version, size) {#name, (unsigned)(version) << 24 | (size)},
#include "twin/nvml/versions.def"
#undef VERSION
    };
    unsigned word;
    if (!given)
        return NVML_ERROR_INVALID_ARGUMENT;
    memcpy(&word, given, sizeof word);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].type, type) == 0 && known[i].word == word)
            return NVML_SUCCESS;
    return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
}
