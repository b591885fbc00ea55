/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fields of --query-gpu: names, units and the fact that each shows. */
#ifndef WSK_SMI_FIELDS_H
#define WSK_SMI_FIELDS_H
#include "cli/smi/facts.h"

/* Bits: the drivers that have the field; Q_PLAIN: what is not told reads N/A, not [N/A]. */
enum { Q_590 = 1, Q_595 = 2, Q_610 = 4, Q_ALL = 7, Q_PLAIN = 8 };

typedef struct {
    const char *name, *other, *unit; /* other: its second name; unit: in the header; NULL: none */
    wsk_smi_fact fact;
    unsigned flags;
} wsk_smi_field;
extern const wsk_smi_field wsk_smi_fields[]; /* ends with name NULL */
#endif
