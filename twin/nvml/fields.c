/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "twin/nvml/state.h"

enum { SCOPE_GPU, SCOPE_MODULE, SCOPE_MEMORY };

static void give_uint(nvmlFieldValue_t *f, int32_t value)
{
    f->valueType = NVML_VALUE_UINT;
    f->nvmlReturn = wsk_nvml_number(value, &f->value.uiVal);
}

static void give_u64(nvmlFieldValue_t *f, uint64_t value)
{
    f->valueType = NVML_VALUE_U64;
    f->value.ullVal = value;
}

static void give_errors(nvmlFieldValue_t *f, const wsk_twin_fixed *card, bool counted)
{
    give_u64(f, 0);
    if (!card->ecc || !counted)
        f->nvmlReturn = NVML_ERROR_NOT_SUPPORTED;
}

/* Gives a temperature threshold as cards without display outputs do from Hopper on: by how much it is below the
 * temperature from which nvmlDeviceGetMarginTemperature counts, the target; negative if it is above. */
static void give_margin(nvmlFieldValue_t *f, const wsk_twin_fixed *card, int32_t to_c)
{
    const int32_t from_c = wsk_nvml_margin_from_c(card);
    const bool told =
        card->arch >= WSK_ARCH_HOPPER && !card->display && from_c != WSK_TWIN_NONE && to_c != WSK_TWIN_NONE;
    f->valueType = NVML_VALUE_INT;
    f->value.siVal = told ? from_c - to_c : 0;
    f->nvmlReturn = told ? NVML_SUCCESS : NVML_ERROR_NOT_SUPPORTED;
}

static void give_power(nvmlFieldValue_t *f, int32_t mw)
{
    give_uint(f, f->scopeId == SCOPE_GPU ? mw : WSK_TWIN_NONE); /* memory and module have no values of their own */
    if (f->scopeId > SCOPE_MEMORY)
        f->nvmlReturn = NVML_ERROR_INVALID_ARGUMENT;
}

static void give_field(nvmlFieldValue_t *f, const wsk_twin_card *card)
{
    const wsk_twin_fixed *c = &card->fixed;
    const wsk_twin_now *n = &card->now;
    switch (f->fieldId) {
    case 1: /* 1, 2: ECC mode, at present and after a restart */
    case 2: give_uint(f, c->ecc ? 1 : c->ecc_off ? 0 : WSK_TWIN_NONE); break;
    case 3: /* 3 to 6: ECC errors, corrected and uncorrected, first since the start, then ever */
    case 4:
    case 5:
    case 6: give_errors(f, c, true); break;
    case 142: /* 142 to 145: remapped memory rows: after corrected and after uncorrected errors, pending, failed */
    case 143:
    case 144:
    case 145: give_errors(f, c, c->arch >= WSK_ARCH_AMPERE); break;
    case 74: /* 74, 75: time in which power and heat held the clocks down, ns */ give_u64(f, n->held_power_ns); break;
    case 75: give_u64(f, n->held_thermal_ns + n->held_hw_thermal_ns); break;
    case 269: give_u64(f, n->held_thermal_ns); break;
    case 270: give_u64(f, n->held_hw_thermal_ns); break;
    case 271: give_u64(f, n->held_brake_ns); break;
    case 82: give_uint(f, n->memory_c); break;
    case 83: /* energy, mJ */
    case 191: give_u64(f, n->energy_mj); break;
    case 94: /* 94, 95: number of replays on PCI Express, and number of overflows of their counter */
    case 95: give_u64(f, 0); break;
    case 91: /* number of NVLinks: a twin simulates none */ give_uint(f, 0); break;
    case 185: give_power(f, n->power_mean_mw); break;
    case 186: give_power(f, n->power_instant_mw); break;
    case 187: give_power(f, c->limit_min_mw); break;
    case 188: give_power(f, c->limit_max_mw); break;
    case 189: give_power(f, c->limit_default_mw); break;
    case 190: give_power(f, n->enforced_limit_mw); break;
    case 192: give_power(f, n->limit_mw); break;
    case 193: give_margin(f, c, c->shutdown_c); break;
    case 194: give_margin(f, c, c->slowdown_c); break;
    default: f->nvmlReturn = f->fieldId && f->fieldId < 303 ? NVML_ERROR_NOT_SUPPORTED : NVML_ERROR_INVALID_ARGUMENT;
    }
}

NVML_FUNCTION(nvmlDeviceGetFieldValues, nvmlDevice_t device, int count, nvmlFieldValue_t *values)
{
    wsk_nvml_head now;
    NVML_FIND(values);
    const nvmlReturn_t head = wsk_nvml_now(&now);
    if (head != NVML_SUCCESS)
        return head;
    if (count < 1)
        return NVML_ERROR_INVALID_ARGUMENT;
    for (int i = 0; i < count; i++) {
        nvmlFieldValue_t *f = &values[i];
        f->timestamp = now.utc_ns / 1000;
        f->latencyUsec = 0;
        f->nvmlReturn = NVML_SUCCESS;
        f->value.ullVal = 0;
        give_field(f, &card);
    }
    return NVML_SUCCESS;
}
