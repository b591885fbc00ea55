/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The facts about a card that smi prints. Each has a text and a unit. */
#ifndef WSK_SMI_FACTS_H
#define WSK_SMI_FACTS_H
#include "twin/identity.h"
#include "twin/segment.h"

typedef struct {
    const wsk_twin_moment *moment;
    const wsk_twin_card *card;
    const wsk_identity *identity; /* NULL: the card has no part */
    /* index: position among the NVIDIA cards; attached: number of NVIDIA cards; dialect: driver whose output is
     * imitated, 590, 595 or 610 */
    int index, attached, dialect;
} wsk_smi_card;

enum { WSK_SMI_TEXT = 128 };
typedef struct {
    char text[WSK_SMI_TEXT]; /* "": the card does not report the fact */
    const char *unit;
} wsk_smi_value;

typedef enum {
    F_NA,
    F_EMPTY, /* reported as an empty text, where F_NA is printed as N/A */
    F_DEPRECATED,
    F_NO,
    F_YES,
    F_NONE,
    F_ZERO,
    F_ONE,
    F_ZERO_MIB,
    F_ZERO_US,
    F_ZERO_PERCENT,
    F_ENABLED,
    F_DISABLED,
    F_DEFAULT,
    F_NOT_ACTIVE,
    F_VALID,
    F_ACCOUNTED, /* size of the accounting buffer */
    F_DIRECT,
    F_GUID,
    F_NO_EGM,
    F_DATE,
    F_STAMP,
    F_DRIVER,
    F_DRIVER_OLD, /* with the note that driver 610 prints behind the version */
    F_CUDA,
    F_CUDA_OLD,
    F_COUNT,
    F_NAME,
    F_BRAND,
    F_ARCHITECTURE,
    F_PERSISTENCE,
    F_ADDRESSING,
    F_MIG,
    F_SERIAL,
    F_UUID,
    F_PDI,
    F_INDEX,
    F_MINOR,
    F_VBIOS,
    F_BOARD_ID,
    F_BOARD_PART,
    F_GPU_PART,
    F_IMAGE,
    F_OEM,
    F_ECC_OBJECT,
    F_C2C,
    F_GSP,
    F_GSP_MODE,
    F_SPARSE,
    F_COMPUTE_CAP,
    F_EDPP,
    F_EDPP_PERCENT,
    F_BUS,
    F_DEVICE,
    F_DOMAIN,
    F_SUBCLASS,
    F_BASECLASS,
    F_DEVICE_ID,
    F_BUS_ID,
    F_SUBSYSTEM,
    F_GEN_MAX,
    F_GEN,
    F_GEN_HOST,
    F_WIDTH_MAX,
    F_WIDTH,
    F_LANES_MAX,
    F_LANES,
    F_TX,
    F_RX,
    F_FAN,
    F_PSTATE,
    F_REASONS_SUPPORTED,
    F_REASONS,
    F_REASON_IDLE,
    F_REASON_SETTING,
    F_REASON_POWER,
    F_REASON_SLOWDOWN,
    F_REASON_HW_THERMAL,
    F_REASON_BRAKE,
    F_REASON_SW_THERMAL,
    F_HELD_POWER,
    F_HELD_THERMAL,
    F_HELD_HW_THERMAL,
    F_HELD_BRAKE,
    F_MEMORY_TOTAL,
    F_MEMORY_USED,
    F_MEMORY_FREE,
    F_BAR1_TOTAL,
    F_UTIL_GPU,
    F_UTIL_MEMORY,
    F_UTIL_ENCODER,
    F_UTIL_DECODER,
    F_ECC_MODE,
    F_ECC_COUNT,
    F_ECC_SPLIT, /* counts that driver 595 prints for Ampere and newer cards even without ECC */
    F_ECC_SPLIT_FLAG,
    F_ECC_FLAG,
    F_UNREPAIRABLE,
    F_RETIRED,
    F_RETIRED_PENDING,
    F_REMAPPED,
    F_REMAPPED_FLAG,
    F_BANKS_MAX,
    F_BANKS,
    F_TEMP,
    F_TEMP_LIMIT, /* kelvins from the GPU temperature up to the target temperature of the card */
    F_SHUTDOWN,
    F_SLOWDOWN,
    F_SHUTDOWN_LIMIT,
    F_SLOWDOWN_LIMIT,
    F_OPERATING_LIMIT,
    F_TARGET,
    F_MEMORY_TEMP,
    F_MEMORY_MAX,
    F_MEMORY_LIMIT,
    F_POWER,
    F_POWER_MEAN,
    F_POWER_INSTANT,
    F_LIMIT,
    F_LIMIT_ENFORCED,
    F_LIMIT_DEFAULT,
    F_LIMIT_MIN,
    F_LIMIT_MAX,
    F_CLOCK,
    F_CLOCK_MEMORY,
    F_CLOCK_VIDEO,
    F_CLOCK_MAX,
    F_CLOCK_MEMORY_MAX,
    F_CLOCK_BOOST_MAX,
    F_FABRIC_STATE,
    F_FABRIC_STATUS,
    F_FABRIC_CLIQUE,
    F_FABRIC_CLUSTER,
    WSK_SMI_FACTS
} wsk_smi_fact;

void wsk_smi_tell(const wsk_smi_card *card, wsk_smi_fact fact, wsk_smi_value *out);

bool wsk_smi_has_ecc(const wsk_smi_card *card); /* the card can have ECC, whether it is on or off */
bool wsk_smi_ecc_on(const wsk_smi_card *card);
bool wsk_smi_ecc_not_on(const wsk_smi_card *card);
/* drivers report thresholds of the card as kelvins below its target temperature ("T.Limit"), not as degrees */
bool wsk_smi_by_margin(const wsk_smi_card *card);
/* drivers count parity and SEC-DED errors of the card separately */
bool wsk_smi_split_ecc(const wsk_smi_card *card);
bool wsk_smi_remaps_rows(const wsk_smi_card *card);   /* drivers remap memory rows of the card that failed */
bool wsk_smi_retires_pages(const wsk_smi_card *card); /* drivers retire memory pages of the card that failed */
bool wsk_smi_is_hopper(const wsk_smi_card *card);     /* data-centre card of Hopper or newer */
/* data-centre card of Hopper or newer that is a module (SXM) on a board with switches */
bool wsk_smi_is_module(const wsk_smi_card *card);
bool wsk_smi_has_hbm(const wsk_smi_card *card); /* has HBM, the only memory whose temperature drivers report */
bool wsk_smi_can_mig(const wsk_smi_card *card);
/* reports mean power beside the present power: Ampere and newer, not GA100 */
bool wsk_smi_tells_mean(const wsk_smi_card *card);
bool wsk_smi_has_gsp(const wsk_smi_card *card);

/* Writes a time as "Fri Jun 26 11:59:58 2026", UTC. */
void wsk_smi_date(int64_t utc_ns, char out[WSK_SMI_TEXT]);
/* Writes the CUDA version as "13.1". */
void wsk_smi_cuda(const wsk_twin_moment *moment, char out[WSK_SMI_TEXT]);
#endif
