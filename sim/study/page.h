/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page that a run or a steady point leaves in the terminal, as data: labelled messages and the table of cards. page.c and
 * page_cards.c fill it, page_write.c adds its items and makes its text. */
#ifndef WSK_STUDY_PAGE_H
#define WSK_STUDY_PAGE_H
#include "sim/base/said.h"
#include "sim/control/run.h"
#include "sim/results/results.h"
#include "sim/study/verdict.h"

enum { WSK_PAGE_COLUMNS = 12 };
typedef struct {
    const char *cells[WSK_PAGE_COLUMNS]; /* texts; NULL: nothing */
    bool off;                            /* the card has shut down */
} wsk_page_row;

typedef enum {
    WSK_PAGE_TEXT, /* a line of its own */
    WSK_PAGE_LINE, /* behind a label, or below the line before it */
    WSK_PAGE_TABLE /* the table of cards */
} wsk_page_kind;
typedef struct {
    wsk_page_kind kind;
    bool apart;        /* an empty line before it */
    const char *label; /* a word; NULL: the line goes on below the one before it */
    const wsk_said *said;
} wsk_page_item;

typedef struct {
    wsk_arena *arena;
    wsk_page_item *items;
    size_t count, room;
    wsk_page_row *rows; /* of the table of cards */
    size_t n_rows;
    bool failed; /* out of memory */
} wsk_page;

void wsk_page_text(wsk_page *page, bool apart, const wsk_said *said);
/* Nothing where said is NULL. */
void wsk_page_line(wsk_page *page, const char *label, const wsk_said *said);
/* The table of page->rows. */
void wsk_page_table(wsk_page *page);

/* Fills an empty page that has an arena. */
void wsk_page_fill(wsk_page *page, const wsk_run *run, const wsk_result_kind *kind);
/* Its part on cards: table, intake air, cards that were never measured (page_cards.c). */
void wsk_page_cards(wsk_page *page, const wsk_run *run);
void wsk_page_advice(wsk_page *page, const wsk_advice *advice);

/* Appends the text of the page. voice NULL: English. */
void wsk_page_write(const wsk_page *page, const wsk_voice *voice, wsk_buf *out);

#endif
