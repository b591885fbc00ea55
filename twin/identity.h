/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Identity of the catalogue's cards as NVIDIA's driver reports it: name, PCI ids, architecture, cores.
 * docs/twin-cards.md has the sources of the table. */
#ifndef WSK_TWIN_IDENTITY_H
#define WSK_TWIN_IDENTITY_H
#include "twin/segment.h"

typedef enum {
    WSK_BOARD_GEFORCE, /* no ECC, like TITAN */
    WSK_BOARD_TITAN,
    WSK_BOARD_QUADRO,      /* Turing workstation cards: ECC that is off when delivered */
    WSK_BOARD_WORKSTATION, /* "RTX" without GeForce: ECC that is off when delivered */
    WSK_BOARD_TESLA,       /* data centre cards before Turing: ECC on */
    WSK_BOARD_DATACENTRE,  /* data centre cards from Turing on: ECC on */
    WSK_BOARD_MINING       /* neither ECC nor display outputs */
} wsk_board;

typedef struct {
    const char *part, *name; /* part: id in the catalogue, such as "gpu/a10" */
    uint16_t pci_device;     /* the vendor is 10DE; 0: not known */
    uint32_t subsystem;      /* device and vendor as NVML has them: 0x16C110DE; 0: not known */
    wsk_board board;
    wsk_twin_arch arch;
    int compute, cores, bus_bits; /* compute: 86 for capability 8.6; 0: not known */
    int memory_mib;               /* as `nvidia-smi` shows it; 0: the data sheet's GB are taken as GiB */
    int bar1_mib;                 /* 0: the smallest power of two that is not below the memory, at least 256 */
    const char *vbios, *board_part, *gpu_part, *inforom;
} wsk_identity;

/* Row of the table for a part's id; for a variant of a card (`gpu/rtx-4090-blower`), the row of the card. NULL: there
 * is none. */
const wsk_identity *wsk_twin_identity(const char *part);

/* Fills the members of `card` that a driver reports for the part card->part, and sets `nvidia`. Before the call,
 * memory_bytes must have the size by the data sheet, and `uuid` the text from which the serial number is made. False:
 * the part is not in the table; nothing is changed. */
bool wsk_twin_identify(wsk_twin_fixed *card);
#endif
