/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Layout of a page for a terminal: labelled messages and a table of cards, as data and as text (page.c). The caller
 * chooses the content of the page: sim/study/findings/page.c does so for a run. */
#ifndef WSK_SAY_PAGE_H
#define WSK_SAY_PAGE_H
#include "sim/base/said.h"

enum { WSK_PAGE_COLUMNS = 12 };
typedef struct {
    const char *cells[WSK_PAGE_COLUMNS]; /* a NULL cell is shown as "-" */
    bool off;
} wsk_page_row;

typedef enum { WSK_PAGE_TEXT, WSK_PAGE_LINE, WSK_PAGE_TABLE } wsk_page_kind;
typedef struct {
    wsk_page_kind kind;
    bool apart;
    const char *label; /* NULL: the line belongs to the label of an earlier line */
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

void wsk_page_text(wsk_page *page, bool apart, const wsk_said *said);
/* Adds nothing if `said` is NULL. */
void wsk_page_line(wsk_page *page, const char *label, const wsk_said *said);
void wsk_page_table(wsk_page *page);

/* Append a message, or the text of a page. voice: language and character set of the output (wsk_voice in wattsink.h);
 * NULL: English in ASCII. */
void wsk_page_said(const wsk_said *said, const wsk_voice *voice, wsk_buf *out);
void wsk_page_write(const wsk_page *page, const wsk_voice *voice, wsk_buf *out);

#endif
