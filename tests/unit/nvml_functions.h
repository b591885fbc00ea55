/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables functions.def and versions.def of twin/nvml as arrays, and the state of a twin: a simulation that shows
 * its cards to other programs as a driver shows real ones. */
#ifndef WSK_TEST_NVML_FUNCTIONS_H
#define WSK_TEST_NVML_FUNCTIONS_H
#include <stdio.h>

#include "twin/nvml/nvml.h"
#include "twin/segment.h"

enum { CARDS = 8, ARGS = 6 };
enum { NUMBER, LONG, DEVICE, HANDLE, POINTER, OPTIONAL, IS_VERSIONED };
enum { ABSENT, REAL };
typedef struct {
    int kind;
    const char *type;
} parameter;
#define VERSIONED(type) IS_VERSIONED, #type
#define NVML0(how, name) {#name, how, 0, {{0}}},
#define NVML1(how, name, A) {#name, how, 1, {{A}}},
#define NVML2(how, name, A, B) {#name, how, 2, {{A}, {B}}},
#define NVML3(how, name, A, B, C) {#name, how, 3, {{A}, {B}, {C}}},
#define NVML4(how, name, A, B, C, D) {#name, how, 4, {{A}, {B}, {C}, {D}}},
#define NVML5(how, name, A, B, C, D, E) {#name, how, 5, {{A}, {B}, {C}, {D}, {E}}},
#define NVML6(how, name, A, B, C, D, E, F) {#name, how, 6, {{A}, {B}, {C}, {D}, {E}, {F}}},
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wmissing-field-initializers"
#else
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#endif
static const struct {
    const char *name;
    int how, count;
    parameter arg[ARGS];
} functions[] = {
#include "twin/nvml/functions.def"
};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

#define VERSION(name, version, size) {#name, (unsigned)(version) << 24 | (size)},
static const struct {
    const char *type;
    unsigned word;
} versions[] = {
#include "twin/nvml/versions.def"
};

static void fill_moment(wsk_twin_moment *m)
{
    *m = (wsk_twin_moment){.t_ns = 5000000000, .utc_ns = 1700000000000000000, .count = CARDS + 1, .cuda = 13010};
    snprintf(m->driver, sizeof m->driver, "590.48.01");
    for (int i = 0; i < m->count; i++) {
        wsk_twin_fixed *f = &m->card[i].fixed;
        wsk_twin_now *n = &m->card[i].now;
        f->nvidia = i != 1;
        snprintf(f->id, sizeof f->id, "gpu%d", i);
        snprintf(f->name, sizeof f->name, "NVIDIA Test %d", i);
        snprintf(f->uuid, sizeof f->uuid, "GPU-0123456%u-89ab-cdef-0123-456789abcdef", (unsigned)i % 10);
        snprintf(f->bus_id, sizeof f->bus_id, "00000000:%02X:00.0", 0xa0 + i);
        snprintf(f->serial, sizeof f->serial, "13%d", i);
        snprintf(f->vbios, sizeof f->vbios, "94.02");
        f->bus = 0xa0 + i, f->pci_id = 0x220410de, f->arch = WSK_ARCH_AMPERE, f->cc_major = 8, f->cc_minor = 6;
        f->minor = i, f->fans = 2, f->fan_percent_min = 30, f->memory_bytes = 24LL << 30, f->bar1_bytes = 1 << 28;
        f->limit_min_mw = 100000, f->limit_default_mw = 350000, f->limit_max_mw = 400000, f->ecc = 1;
        f->clock_min_mhz = 210, f->clock_max_mhz = 2100, f->clock_step_mhz = 15, f->memory_clock_max_mhz = 9751;
        f->slowdown_c = 95, f->shutdown_c = 98, f->target_c = 83, f->memory_max_c = WSK_TWIN_NONE;
        n->die_c = 60 + i, n->power_mw = 300000 + i, n->limit_mw = n->enforced_limit_mw = 320000 + i;
        n->clock_mhz = 1500 + i, n->memory_clock_mhz = 9501, n->gpu_percent = 90 + i, n->memory_c = 70 + i;
        n->fan_percent[0] = 40 + i, n->fan_percent[1] = 50 + i, n->energy_mj = 1ULL << 40, n->held_power_ns = 77;
        n->memory_used_bytes = 1LL << 30, n->reasons = WSK_REASON_POWER_CAP, n->power_instant_mw = 301000 + i;
        n->process[1] =
            (wsk_twin_process){.name = "training", .pid = 5000000 + i, .sm_percent = 88, .memory_bytes = 123};
    }
}

typedef nvmlReturn_t any_function(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t);

static unsigned word_of(const char *type)
{
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++)
        if (strcmp(versions[i].type, type) == 0)
            return versions[i].word;
    fail_msg("versions.def has no %s", type);
    return 0;
}

/* Functions that a test must not call with arbitrary arguments: nvmlErrorString returns no status, and the others open,
 * close or free what the test's other calls need. */
static bool is_special(int f)
{
    return strncmp(functions[f].name, "nvmlInit", 8) == 0 || strcmp(functions[f].name, "nvmlShutdown") == 0 ||
           strcmp(functions[f].name, "nvmlErrorString") == 0 || strcmp(functions[f].name, "nvmlEventSetFree") == 0 ||
           strcmp(functions[f].name, "nvmlEventSetCreate") == 0;
}

#endif
