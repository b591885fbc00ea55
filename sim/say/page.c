/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "sim/say/page.h"

enum { LABEL_COLUMNS = 9, GAP = 2 }; /* terminal columns: width of a label; gap between columns of the table */

static void add_item(wsk_page *page, wsk_page_item item)
{
    if (page->count == page->room) {
        size_t room = page->room ? 2 * page->room : 32;
        wsk_page_item *items = wsk_alloc(page->arena, room * sizeof *items);
        if (items && page->count)
            memcpy(items, page->items, page->count * sizeof *items);
        if (items) {
            page->items = items;
            page->room = room;
        }
    }
    item.said = wsk_said_keep(page->arena, item.said);
    if (page->count < page->room && (item.said || item.kind == WSK_PAGE_TABLE))
        page->items[page->count++] = item;
    else
        page->failed = true;
}

void wsk_page_text(wsk_page *page, bool apart, const wsk_said *said)
{
    add_item(page, (wsk_page_item){.kind = WSK_PAGE_TEXT, .apart = apart, .said = said});
}

void wsk_page_line(wsk_page *page, const char *label, const wsk_said *said)
{
    if (said)
        add_item(page, (wsk_page_item){.kind = WSK_PAGE_LINE, .label = label, .said = said});
}

void wsk_page_table(wsk_page *page)
{
    add_item(page, (wsk_page_item){.kind = WSK_PAGE_TABLE, .apart = true});
}

typedef struct {
    const wsk_voice *voice;
    wsk_buf *out, piece;
} page_writer;

static const wsk_voice in_english = {.ascii = true};

static int count_columns(const page_writer *w, const char *text)
{
    int n = 0;
    if (w->voice->width)
        return w->voice->width(text);
    for (; *text; text++)
        n += !wsk_utf8_inside(*text);
    return n;
}

static const char *translate_word(const page_writer *w, const char *english)
{
    return w->voice->translate ? w->voice->translate(w->voice->language, english) : english;
}

/* The text, in ASCII if the voice asks for that; valid until the next call. */
static const char *show(page_writer *w, const char *text)
{
    w->piece.len = 0;
    if (w->voice->ascii)
        wsk_ascii(&w->piece, text);
    else
        wsk_buf_put(&w->piece, text, strlen(text));
    wsk_buf_put(&w->piece, "", 1);
    return w->piece.failed ? "" : w->piece.data;
}

static void put_text(page_writer *w, const char *text)
{
    wsk_buf_put(w->out, text, strlen(text));
}

static void put_said(page_writer *w, const wsk_said *said)
{
    wsk_buf sentence = {0};
    wsk_said_write(&sentence, said, w->voice->translate, w->voice->language);
    wsk_buf_put(&sentence, "", 1);
    put_text(w, show(w, sentence.failed ? "" : sentence.data));
    w->out->failed = w->out->failed || sentence.failed;
    wsk_buf_free(&sentence);
}

void wsk_page_said(const wsk_said *said, const wsk_voice *voice, wsk_buf *out)
{
    page_writer w = {.voice = voice ? voice : &in_english, .out = out};
    put_said(&w, said);
    wsk_buf_free(&w.piece);
}

static void put_blanks(page_writer *w, int n)
{
    wsk_buf_printf(w->out, "%*s", n > 0 ? n : 0, "");
}

static void put_label(page_writer *w, const char *label)
{
    const char *shown = label ? show(w, translate_word(w, label)) : "";
    int columns = count_columns(w, shown);
    put_text(w, shown);
    put_blanks(w, columns < LABEL_COLUMNS ? LABEL_COLUMNS - columns : 1);
}

static const char *const heads[WSK_PAGE_COLUMNS] = {WSK_N("card"),           WSK_N("slot"),
                                                    WSK_N("GPU °C"),         WSK_N("max °C"),
                                                    WSK_N("memory °C"),      WSK_N("power W"),
                                                    WSK_N("clock MHz"),      WSK_N("fan rpm"),
                                                    WSK_N("GPU-h/hour"),     WSK_N("power-limited %"),
                                                    WSK_N("heat-limited %"), ""};

static const char *cell_of(page_writer *w, const wsk_page *page, size_t row, int column)
{
    const wsk_page_row *r = row ? &page->rows[row - 1] : NULL;
    if (!r)
        return heads[column][0] ? show(w, translate_word(w, heads[column])) : "";
    if (column + 1 == WSK_PAGE_COLUMNS)
        return r->off ? show(w, translate_word(w, WSK_N("off"))) : "";
    return r->cells[column] ? show(w, r->cells[column]) : "-";
}

static void put_table(page_writer *w, const wsk_page *page)
{
    int widths[WSK_PAGE_COLUMNS] = {0};
    for (int c = 0; c < WSK_PAGE_COLUMNS; c++)
        for (size_t r = 0; r <= page->n_rows; r++) {
            int columns = count_columns(w, cell_of(w, page, r, c));
            widths[c] = columns > widths[c] ? columns : widths[c];
        }
    for (size_t r = 0; r <= page->n_rows; r++) {
        int owed = 0;
        for (int c = 0; c < WSK_PAGE_COLUMNS; c++) {
            const char *cell = cell_of(w, page, r, c);
            int blanks = widths[c] - count_columns(w, cell);
            owed += c ? GAP + blanks : 0;
            if (!*cell)
                continue;
            put_blanks(w, owed);
            put_text(w, cell);
            owed = c ? 0 : blanks;
        }
        put_text(w, "\n");
    }
}

void wsk_page_write(const wsk_page *page, const wsk_voice *voice, wsk_buf *out)
{
    page_writer w = {.voice = voice ? voice : &in_english, .out = out};
    for (size_t i = 0; i < page->count; i++) {
        const wsk_page_item *item = &page->items[i];
        if (item->apart)
            put_text(&w, "\n");
        if (item->kind == WSK_PAGE_TABLE) {
            put_table(&w, page);
            continue;
        }
        if (item->kind == WSK_PAGE_LINE)
            put_label(&w, item->label);
        put_said(&w, item->said);
        put_text(&w, "\n");
    }
    out->failed = out->failed || w.piece.failed || page->failed;
    wsk_buf_free(&w.piece);
}
