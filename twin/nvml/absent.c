/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions of NVML whose subject a twin does not simulate: MIG, virtual GPUs, NVLink, confidential computing and
 * the like. They check their arguments as functions.def lists them, and answer NOT_SUPPORTED. */
#include "twin/nvml/state.h"

typedef struct {
    enum { IS_DEVICE, IS_POINTER, IS_VERSIONED, IS_ANY } kind;
    const char *type; /* name of a versioned struct in versions.def */
    nvmlDevice_t device;
    const void *pointer;
} argument;

static nvmlReturn_t refuse(const argument *given, int count)
{
    wsk_nvml_head now;
    wsk_twin_card card;
    nvmlReturn_t rc = wsk_nvml_now(&now);
    for (int i = 0; i < count && rc == NVML_SUCCESS; i++) {
        if (given[i].kind == IS_DEVICE)
            rc = wsk_nvml_find(given[i].device, &card, &card);
        else if (given[i].kind != IS_ANY && !given[i].pointer)
            rc = NVML_ERROR_INVALID_ARGUMENT;
        else if (given[i].kind == IS_VERSIONED)
            rc = wsk_nvml_version(given[i].type, given[i].pointer);
    }
    return rc == NVML_SUCCESS ? NVML_ERROR_NOT_SUPPORTED : rc;
}

static argument a_device(nvmlDevice_t device)
{
    return (argument){.kind = IS_DEVICE, .device = device};
}
static argument a_pointer(const void *pointer)
{
    return (argument){.kind = IS_POINTER, .pointer = pointer};
}
static argument a_version(const char *type, const void *pointer)
{
    return (argument){.kind = IS_VERSIONED, .type = type, .pointer = pointer};
}
static argument any_number(nvml_u64 number)
{
    (void)number;
    return (argument){.kind = IS_ANY};
}
static argument any_pointer(const void *pointer)
{
    return (argument){.kind = IS_ANY, .pointer = pointer};
}

#define TYPE_DEVICE nvmlDevice_t
#define TYPE_HANDLE const void *
#define TYPE_POINTER const void *
#define TYPE_OPTIONAL const void *
#define TYPE_VERSIONED(type) const void *
#define TYPE_NUMBER unsigned
#define TYPE_LONG nvml_u64
/* Each GIVE_ macro begins a call; the macros below that use it add the parameter and the closing parenthesis. */
#define GIVE_DEVICE a_device(
#define GIVE_HANDLE a_pointer(
#define GIVE_POINTER a_pointer(
#define GIVE_OPTIONAL any_pointer(
#define GIVE_VERSIONED(type) a_version(#type,
#define GIVE_NUMBER any_number(
#define GIVE_LONG any_number(
#define REFUSE return refuse(given, (int)(sizeof given / sizeof *given));

#define NVML0(how, name) how##0(name)
#define NVML1(how, name, A) how##1(name, A)
#define NVML2(how, name, A, B) how##2(name, A, B)
#define NVML3(how, name, A, B, C) how##3(name, A, B, C)
#define NVML4(how, name, A, B, C, D) how##4(name, A, B, C, D)
#define NVML5(how, name, A, B, C, D, E) how##5(name, A, B, C, D, E)
#define NVML6(how, name, A, B, C, D, E, F) how##6(name, A, B, C, D, E, F)
#define REAL0(name)
#define REAL1(name, A)
#define REAL2(name, A, B)
#define REAL3(name, A, B, C)
#define REAL4(name, A, B, C, D)
#define REAL5(name, A, B, C, D, E)
#define REAL6(name, A, B, C, D, E, F)
#define ABSENT1(name, A) \
    NVML_FUNCTION(name, TYPE_##A a_) \
    { \
        const argument given[] = {GIVE_##A a_)}; \
        REFUSE \
    }
#define ABSENT2(name, A, B) \
    NVML_FUNCTION(name, TYPE_##A a_, TYPE_##B b_) \
    { \
        const argument given[] = {GIVE_##A a_), GIVE_##B b_)}; \
        REFUSE \
    }
#define ABSENT3(name, A, B, C) \
    NVML_FUNCTION(name, TYPE_##A a_, TYPE_##B b_, TYPE_##C c_) \
    { \
        const argument given[] = {GIVE_##A a_), GIVE_##B b_), GIVE_##C c_)}; \
        REFUSE \
    }
#define ABSENT4(name, A, B, C, D) \
    NVML_FUNCTION(name, TYPE_##A a_, TYPE_##B b_, TYPE_##C c_, TYPE_##D d_) \
    { \
        const argument given[] = {GIVE_##A a_), GIVE_##B b_), GIVE_##C c_), GIVE_##D d_)}; \
        REFUSE \
    }
#define ABSENT5(name, A, B, C, D, E) \
    NVML_FUNCTION(name, TYPE_##A a_, TYPE_##B b_, TYPE_##C c_, TYPE_##D d_, TYPE_##E e_) \
    { \
        const argument given[] = {GIVE_##A a_), GIVE_##B b_), GIVE_##C c_), GIVE_##D d_), GIVE_##E e_)}; \
        REFUSE \
    }
#define ABSENT6(name, A, B, C, D, E, F) \
    NVML_FUNCTION(name, TYPE_##A a_, TYPE_##B b_, TYPE_##C c_, TYPE_##D d_, TYPE_##E e_, TYPE_##F f_) \
    { \
        const argument given[] = {GIVE_##A a_), GIVE_##B b_), GIVE_##C c_), GIVE_##D d_), GIVE_##E e_), GIVE_##F f_)}; \
        REFUSE \
    }

#include "twin/nvml/functions.def"
