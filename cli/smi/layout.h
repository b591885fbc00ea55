/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The layout of -q: which rows are printed in which order, with the fact, the keys in text and XML, and the depth of
 * each. */
#ifndef WSK_SMI_LAYOUT_H
#define WSK_SMI_LAYOUT_H
#include "cli/smi/facts.h"

/* Flag bits that restrict where a row is printed. */
enum {
    L_TEXT = 1,     /* only in text, not in XML */
    L_XML = 2,      /* only in XML, not in text */
    L_595 = 4,      /* from driver 595 on */
    L_610 = 8,      /* from driver 610 on */
    L_OLD = 16,     /* up to driver 595 */
    L_ASKED = 32,   /* in text only if -d asks for the row's section; always in XML */
    L_BARE = 64,    /* XML prints the value without its "0x" */
    L_INLINE = 128, /* a heading that is printed as "Key : N/A" if `when` is false, in text and XML */
};

typedef struct {
    int depth; /* 1: row directly below the card; 0: end of the table */
    const char *key, *tag;
    int fact; /* wsk_smi_fact; -1: a heading */
    unsigned flags;
    bool (*when)(const wsk_smi_card *card); /* condition of the row; NULL: always true */
    /* for rows of depth 1: sections to which the row belongs, bits of wsk_smi_section */
    unsigned section;
} wsk_smi_row;

extern const wsk_smi_row wsk_smi_layout[];
#endif
