/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Layout of a page for a terminal: labelled messages and a table of cards, as data and as text (page.c). The caller
 * chooses the content of the page: sim/study/page.c does so for a run. */
#ifndef WSK_SAY_PAGE_H
#define WSK_SAY_PAGE_H
#include "sim/base/said.h"

enum { WSK_PAGE_COLUMNS = 12 };
typedef struct {
    const char *cells[WSK_PAGE_COLUMNS]; /* texts of the cells; NULL: empty */
    bool off;                            /* the card has shut down */
} wsk_page_row;

typedef enum {
    WSK_PAGE_TEXT, /* a line without a label */
    WSK_PAGE_LINE, /* a line after a label, or below the previous line */
    WSK_PAGE_TABLE
} wsk_page_kind;
typedef struct {
    wsk_page_kind kind;
    bool apart;        /* preceded by an empty line */
    const char *label; /* a word; NULL: the line belongs to the label above */
    const wsk_said *said;
} wsk_page_item;

typedef struct {
    wsk_arena *arena;
    wsk_page_item *items;
    size_t count, room;
    wsk_page_row *rows;
    size_t n_rows;
    bool failed;
} wsk_page;

/* Adds a line without a label. apart: after an empty line. */
void wsk_page_text(wsk_page *page, bool apart, const wsk_said *said);
/* Adds a line after a label; said NULL: adds nothing. */
void wsk_page_line(wsk_page *page, const char *label, const wsk_said *said);
void wsk_page_table(wsk_page *page);

/* Appends a message. voice NULL: English. */
void wsk_page_said(const wsk_said *said, const wsk_voice *voice, wsk_buf *out);
/* Appends the text of the page. voice NULL: English. */
void wsk_page_write(const wsk_page *page, const wsk_voice *voice, wsk_buf *out);

#endif
