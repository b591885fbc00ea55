/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where each fact of -q stands: keys of text and of XML, order and depth. */
#ifndef WSK_SMI_LAYOUT_H
#define WSK_SMI_LAYOUT_H
#include "cli/smi/facts.h"

/* Bits that leave a row out. */
enum {
    L_TEXT = 1,     /* only in text */
    L_XML = 2,      /* only in XML */
    L_595 = 4,      /* from 595 on */
    L_610 = 8,      /* from 610 on */
    L_OLD = 16,     /* up to 595 */
    L_ASKED = 32,   /* only when -d asks for its section, and in XML */
    L_BARE = 64,    /* XML leaves out the "0x" of its value */
    L_INLINE = 128, /* a heading that reads "Key : N/A" where `when` is false; in text and XML */
};

typedef struct {
    int depth;                              /* 1: a card's own rows; 0: end of the table */
    const char *key, *tag;                  /* in text; in XML */
    int fact;                               /* wsk_smi_fact; -1: a heading */
    unsigned flags;                         /* L_ bits */
    bool (*when)(const wsk_smi_card *card); /* NULL: always */
    unsigned section;                       /* of rows of depth 1: bits of wsk_smi_section */
} wsk_smi_row;

extern const wsk_smi_row wsk_smi_layout[];
#endif
