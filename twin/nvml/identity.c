/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "twin/nvml/state.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define TEXT(name, member) \
    NVML_FUNCTION(name, nvmlDevice_t device, char *out, unsigned length) \
    { \
        NVML_FIND(out); \
        return wsk_nvml_text(card.fixed.member, out, length); \
    }
TEXT(nvmlDeviceGetName, name)
TEXT(nvmlDeviceGetUUID, uuid)
TEXT(nvmlDeviceGetSerial, serial)
TEXT(nvmlDeviceGetVbiosVersion, vbios)
TEXT(nvmlDeviceGetBoardPartNumber, board_part)

static int32_t brand_of(const wsk_twin_fixed *f)
{
    static const int32_t brands[] = {
        [WSK_BRAND_GEFORCE] = 5, [WSK_BRAND_RTX] = 13,        [WSK_BRAND_NVIDIA] = 14, [WSK_BRAND_OTHER] = 0,
        [WSK_BRAND_TITAN] = 6,   [WSK_BRAND_QUADRO_RTX] = 12, [WSK_BRAND_TESLA] = 2};
    return f->brand >= 0 && f->brand < (int)(sizeof brands / sizeof *brands) ? brands[f->brand] : 0;
}

/* Transfer rate of a generation of PCI Express, MT/s. */
static int32_t link_speed(int32_t generation)
{
    return generation < 1    ? WSK_TWIN_NONE
           : generation == 1 ? 2500
           : generation == 2 ? 5000
                             : 8000 << (generation - 3);
}

NVML_NUMBER(nvmlDeviceGetIndex, wsk_nvml_index(device))
NVML_NUMBER(nvmlDeviceGetMinorNumber, card.fixed.minor)
NVML_NUMBER(nvmlDeviceGetBoardId, card.fixed.bus << 8)
NVML_NUMBER(nvmlDeviceGetMultiGpuBoard, 0)
NVML_NUMBER(nvmlDeviceGetBrand, brand_of(&card.fixed))
NVML_NUMBER(nvmlDeviceGetBusType, 2) /* 2 means PCI Express in NVML */
NVML_NUMBER(nvmlDeviceGetArchitecture, card.fixed.arch)
NVML_NUMBER(nvmlDeviceGetNumGpuCores, card.fixed.cores)
NVML_NUMBER(nvmlDeviceGetMemoryBusWidth, card.fixed.bus_bits)
NVML_NUMBER(nvmlDeviceGetPcieLinkMaxSpeed, card.fixed.pcie_gen) /* NVML numbers speeds as generations */
NVML_NUMBER(nvmlDeviceGetPcieSpeed, link_speed(card.now.pcie_gen_now))
NVML_NUMBER(nvmlDeviceGetCurrPcieLinkGeneration, card.now.pcie_gen_now)
NVML_NUMBER(nvmlDeviceGetCurrPcieLinkWidth, card.now.pcie_lanes_now)
NVML_NUMBER(nvmlDeviceGetMaxPcieLinkGeneration, card.fixed.pcie_gen)
NVML_NUMBER(nvmlDeviceGetMaxPcieLinkWidth, card.fixed.pcie_lanes)
NVML_NUMBER(nvmlDeviceGetGpuMaxPcieLinkGeneration, card.fixed.pcie_gen)
NVML_NUMBER(nvmlDeviceGetPcieReplayCounter, 0)
NVML_NUMBER(nvmlDeviceGetDisplayActive, 0)
NVML_NUMBER(nvmlDeviceGetPersistenceMode, card.now.persistence)
NVML_NUMBER(nvmlDeviceGetComputeMode, 0)
NVML_NUMBER(nvmlDeviceGetVirtualizationMode, 0)
NVML_NUMBER(nvmlDeviceGetDefaultEccMode, card.fixed.ecc ? 1 : card.fixed.ecc_off ? 0 : WSK_TWIN_NONE)
NVML_NUMBER(nvmlDeviceIsMigDeviceHandle, 0)
NVML_NUMBER(nvmlDeviceGetAccountingMode, 0)
NVML_NUMBER(nvmlDeviceGetAccountingBufferSize, 4000)

/* Drivers from 590 on return DEPRECATED for application clocks and the display mode (captures of 590.48.01). */
NVML_FUNCTION(nvmlDeviceGetDisplayMode, nvmlDevice_t device, unsigned *out)
{
    NVML_FIND(out);
    return NVML_ERROR_DEPRECATED;
}

NVML_FUNCTION(nvmlDeviceGetApplicationsClock, nvmlDevice_t device, unsigned type, unsigned *out)
{
    NVML_FIND(out);
    return type < NVML_CLOCKS ? NVML_ERROR_DEPRECATED : NVML_ERROR_INVALID_ARGUMENT;
}
NVML_FUNCTION(nvmlDeviceGetDefaultApplicationsClock, nvmlDevice_t device, unsigned type, unsigned *out)
{
    NVML_FIND(out);
    return type < NVML_CLOCKS ? NVML_ERROR_DEPRECATED : NVML_ERROR_INVALID_ARGUMENT;
}
NVML_FUNCTION(nvmlDeviceSetApplicationsClocks, nvmlDevice_t device, unsigned memory_mhz, unsigned graphics_mhz)
{
    NVML_FIND(device);
    (void)memory_mhz, (void)graphics_mhz;
    return NVML_ERROR_DEPRECATED;
}
NVML_FUNCTION(nvmlDeviceResetApplicationsClocks, nvmlDevice_t device)
{
    NVML_FIND(device);
    return NVML_ERROR_DEPRECATED;
}

NVML_FUNCTION(nvmlDeviceGetCudaComputeCapability, nvmlDevice_t device, int *major, int *minor)
{
    NVML_FIND(major);
    if (!minor)
        return NVML_ERROR_INVALID_ARGUMENT;
    *major = card.fixed.cc_major;
    *minor = card.fixed.cc_minor;
    return NVML_SUCCESS;
}

NVML_FUNCTION(nvmlDeviceOnSameBoard, nvmlDevice_t device, nvmlDevice_t other, int *out)
{
    NVML_FIND(out);
    const nvmlReturn_t second = wsk_nvml_find(other, out, &card);
    if (second == NVML_SUCCESS)
        *out = device == other;
    return second;
}

static void short_id(const wsk_twin_fixed *f, char *out, size_t size)
{
    snprintf(out, size, "%04X:%02X:%02X.0", (unsigned)f->domain & 0xffff, (unsigned)f->bus & 0xff,
             (unsigned)f->device & 0xff);
}

static nvmlPciInfo_t place_of(const wsk_twin_fixed *f)
{
    nvmlPciInfo_t p = {.domain = (unsigned)f->domain,
                       .bus = (unsigned)f->bus,
                       .device = (unsigned)f->device,
                       .pciDeviceId = f->pci_id,
                       .pciSubSystemId = f->pci_subsystem_id};
    short_id(f, p.busIdLegacy, sizeof p.busIdLegacy);
    snprintf(p.busId, sizeof p.busId, "%s", f->bus_id);
    return p;
}

/* Fills the first `size` bytes of the struct, because older versions of the struct are shorter. */
static nvmlReturn_t give_place(nvmlDevice_t device, void *out, size_t size)
{
    NVML_FIND(out);
    const nvmlPciInfo_t place = place_of(&card.fixed);
    memcpy(out, &place, size);
    return NVML_SUCCESS;
}
NVML_FUNCTION(nvmlDeviceGetPciInfo, nvmlDevice_t device, nvmlPciInfo_v1_t *out)
{
    return give_place(device, out, sizeof *out);
}
NVML_FUNCTION(nvmlDeviceGetPciInfo_v2, nvmlDevice_t device, nvmlPciInfo_t *out)
{
    return give_place(device, out, offsetof(nvmlPciInfo_t, busId));
}
NVML_FUNCTION(nvmlDeviceGetPciInfo_v3, nvmlDevice_t device, nvmlPciInfo_t *out)
{
    return give_place(device, out, sizeof *out);
}
NVML_FUNCTION(nvmlDeviceGetPciInfoExt, nvmlDevice_t device, nvmlPciInfoExt_v1_t *out)
{
    NVML_FIND(out);
    const nvmlReturn_t version = wsk_nvml_version("PciInfoExt", out);
    if (version != NVML_SUCCESS)
        return version;
    const nvmlPciInfo_t p = place_of(&card.fixed);
    *out = (nvmlPciInfoExt_v1_t){.version = out->version,
                                 .domain = p.domain,
                                 .bus = p.bus,
                                 .device = p.device,
                                 .pciDeviceId = p.pciDeviceId,
                                 .pciSubSystemId = p.pciSubSystemId,
                                 .baseClass = 0x03,                             /* PCI class: display controller */
                                 .subClass = card.fixed.display ? 0x00 : 0x02}; /* VGA, or 3D controller */
    memcpy(out->busId, p.busId, sizeof out->busId);
    return NVML_SUCCESS;
}

NVML_FUNCTION(nvmlDeviceGetPcieThroughput, nvmlDevice_t device, unsigned counter, unsigned *out)
{
    NVML_FIND(out);
    if (counter > 1)
        return NVML_ERROR_INVALID_ARGUMENT;
    return wsk_nvml_number(counter ? card.now.pcie_rx_kbs : card.now.pcie_tx_kbs, out);
}

/* Sets a bit for each processor of the computer on which the twin runs: the simulated cards are equally near to all. */
NVML_FUNCTION(nvmlDeviceGetCpuAffinity, nvmlDevice_t device, unsigned words, unsigned long *out)
{
    NVML_FIND(out);
    const long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    const unsigned bits = 8 * sizeof *out;
    if (!words)
        return NVML_ERROR_INVALID_ARGUMENT;
    if (cpus > (long)words * (long)bits)
        return NVML_ERROR_INSUFFICIENT_SIZE;
    memset(out, 0, words * sizeof *out);
    for (long i = 0; i < cpus; i++)
        out[i / (long)bits] |= 1UL << (i % (long)bits);
    return NVML_SUCCESS;
}

NVML_FUNCTION(nvmlDeviceGetEccMode, nvmlDevice_t device, unsigned *current, unsigned *pending)
{
    NVML_FIND(current);
    if (!pending)
        return NVML_ERROR_INVALID_ARGUMENT;
    if (!card.fixed.ecc && !card.fixed.ecc_off)
        return NVML_ERROR_NOT_SUPPORTED;
    *current = *pending = card.fixed.ecc ? 1 : 0;
    return NVML_SUCCESS;
}

static nvmlReturn_t give_errors(nvmlDevice_t device, unsigned type, unsigned counter, nvml_u64 *out)
{
    NVML_FIND(out);
    if (type > 1 || counter > 1)
        return NVML_ERROR_INVALID_ARGUMENT;
    if (!card.fixed.ecc)
        return NVML_ERROR_NOT_SUPPORTED;
    *out = 0;
    return NVML_SUCCESS;
}
NVML_FUNCTION(nvmlDeviceGetTotalEccErrors, nvmlDevice_t device, unsigned type, unsigned counter, nvml_u64 *out)
{
    return give_errors(device, type, counter, out);
}
NVML_FUNCTION(nvmlDeviceGetMemoryErrorCounter, nvmlDevice_t device, unsigned type, unsigned counter, unsigned place,
              nvml_u64 *out)
{
    return place > 7 ? give_errors(device, type, 2, out) : give_errors(device, type, counter, out);
}
NVML_FUNCTION(nvmlDeviceGetDetailedEccErrors, nvmlDevice_t device, unsigned type, unsigned counter,
              nvmlEccErrorCounts_t *out)
{
    nvml_u64 none;
    const nvmlReturn_t rc = give_errors(device, type, counter, out ? &none : NULL);
    if (rc == NVML_SUCCESS)
        *out = (nvmlEccErrorCounts_t){0};
    return rc;
}
NVML_FUNCTION(nvmlDeviceGetRemappedRows, nvmlDevice_t device, unsigned *corrected, unsigned *uncorrected,
              unsigned *pending, unsigned *failed)
{
    NVML_FIND(corrected);
    if (!uncorrected || !pending || !failed)
        return NVML_ERROR_INVALID_ARGUMENT;
    if (!card.fixed.ecc || card.fixed.arch < WSK_ARCH_AMPERE)
        return NVML_ERROR_NOT_SUPPORTED;
    *corrected = *uncorrected = *pending = *failed = 0;
    return NVML_SUCCESS;
}

/* Assumes that MIG can split the cards with HBM (no other memory has so wide a bus) from Ampere on. A twin never
 * splits a card. */
static bool has_mig(const wsk_twin_fixed *f)
{
    return f->arch >= WSK_ARCH_AMPERE && f->bus_bits > 1024;
}
NVML_NUMBER(nvmlDeviceGetMaxMigDeviceCount, has_mig(&card.fixed) ? 7 : 0)
NVML_FUNCTION(nvmlDeviceGetMigMode, nvmlDevice_t device, unsigned *current, unsigned *pending)
{
    NVML_FIND(current);
    if (!pending)
        return NVML_ERROR_INVALID_ARGUMENT;
    if (!has_mig(&card.fixed))
        return NVML_ERROR_NOT_SUPPORTED;
    *current = *pending = 0;
    return NVML_SUCCESS;
}
