/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fields of --query-gpu: names, units and the fact that each shows. */
#ifndef WSK_SMI_FIELDS_H
#define WSK_SMI_FIELDS_H
#include "cli/smi/facts.h"

/* Flag bits. Q_590, Q_595, Q_610: drivers that have the field. Q_PLAIN: a missing value is printed as N/A, not
 * [N/A]. */
enum { Q_590 = 1, Q_595 = 2, Q_610 = 4, Q_ALL = 7, Q_PLAIN = 8 };

typedef struct {
    const char *name, *other, *unit; /* other: second name of the field; unit: unit in the header line; NULL: none */
    wsk_smi_fact fact;
    unsigned flags;
} wsk_smi_field;
extern const wsk_smi_field wsk_smi_fields[]; /* the last item has name NULL */
#endif
