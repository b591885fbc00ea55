/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stand-in for NVIDIA's management library: libnvidia-ml.so.1, whose functions answer from the segment of a twin
 * and whose setters send requests over the twin's socket. functions.def lists all functions; this header has what
 * their files share. Begin here, then sensors.c. docs/twin.md, "NVML". */
#ifndef WSK_NVML_STATE_H
#define WSK_NVML_STATE_H
#include "twin/nvml/nvml.h"
#include "twin/segment.h"
#include <stdbool.h>
#include <stddef.h>

#define NVML_FUNCTION(name, ...) \
    nvmlReturn_t name(__VA_ARGS__); \
    nvmlReturn_t name(__VA_ARGS__)

/* Behind nvmlInit and nvmlShutdown. Calls are counted: the first wsk_nvml_open attaches to the twin's segment, the
 * last wsk_nvml_close detaches from it. */
nvmlReturn_t wsk_nvml_open(void);
nvmlReturn_t wsk_nvml_close(void);

/* The newest moment (state of the twin) without its cards. wsk_nvml_now returns UNINITIALIZED before nvmlInit, and
 * GPU_IS_LOST if the twin has ended or hangs. */
typedef struct {
    int64_t t_ns, utc_ns;
    int cards, writable, cuda; /* cards: number of NVIDIA's cards */
    char driver[24], socket[108];
} wsk_nvml_head;
nvmlReturn_t wsk_nvml_now(wsk_nvml_head *out);

/* Handle for a card's index; NULL: the index is no possible one. Handles are addresses in a static table: they stay
 * valid, and a pointer that is no handle is recognised. */
nvmlDevice_t wsk_nvml_handle(int index);
/* Index of a handle among NVIDIA's cards; -1: not a handle. The card need not exist: the index may be too large. */
int wsk_nvml_index(nvmlDevice_t device);

/* INVALID_ARGUMENT: there is no card with this index. A card that is off the bus is copied, too. */
nvmlReturn_t wsk_nvml_card(int index, wsk_twin_card *out);
/* Copies the card of a handle. given: a pointer argument of the NVML function, which must not be NULL.
 * INVALID_ARGUMENT: it is NULL, or `device` is no handle of a card. GPU_IS_LOST: the card is off the bus. */
nvmlReturn_t wsk_nvml_find(nvmlDevice_t device, const void *given, wsk_twin_card *out);

/* Sends {"do": "ID REST"} to the twin and waits until the twin has done it. ID: id of the card; REST: formatted as by
 * printf. */
nvmlReturn_t wsk_nvml_steer(nvmlDevice_t device, const char *rest, ...) __attribute__((format(printf, 2, 3)));

/* Copies a text into a caller's buffer; INSUFFICIENT_SIZE if its NUL does not fit, NOT_SUPPORTED if it is empty. */
nvmlReturn_t wsk_nvml_text(const char *text, char *out, unsigned length);
/* Writes a number that a sensor reports; NOT_SUPPORTED if it is WSK_TWIN_NONE. */
nvmlReturn_t wsk_nvml_number(int32_t value, unsigned *out);
/* Prepares a list of `have` items for a caller's buffer of *count items: sets *count to `have`. INSUFFICIENT_SIZE if
 * they do not fit, also where `list` is NULL and *count is 0 (the caller asks for the number of items). */
nvmlReturn_t wsk_nvml_list(unsigned have, unsigned *count, const void *list);

/* Checks the first word of a caller's struct, which states its version and size. type: name of the struct in
 * versions.def, the list of known versions. */
nvmlReturn_t wsk_nvml_version(const char *type, const void *given);

/* Temperature from which margins are counted: the target, or the slowdown temperature of a card that has
 * no target; WSK_TWIN_NONE: it has neither. */
static inline int32_t wsk_nvml_margin_from_c(const wsk_twin_fixed *card)
{
    return card->target_c != WSK_TWIN_NONE ? card->target_c : card->slowdown_c;
}

/* Defines `card`, and returns from the function if wsk_nvml_find fails. */
#define NVML_FIND(given) \
    wsk_twin_card card; \
    const nvmlReturn_t rc = wsk_nvml_find(device, given, &card); \
    if (rc != NVML_SUCCESS) \
    return rc

#define NVML_NUMBER(name, value) \
    NVML_FUNCTION(name, nvmlDevice_t device, unsigned *out) \
    { \
        NVML_FIND(out); \
        return wsk_nvml_number(value, out); \
    }

#endif
