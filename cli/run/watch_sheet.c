/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli/run/watch_sheet.h"
#include "words/width.h"

/* Prints text as far as it fits the line. "?" replaces control characters and, without UTF-8, all but ASCII. */
static void put_text(wsk_sheet *s, const char *text)
{
    for (size_t len; *text; text += len) {
        int wide;
        len = wsk_char_width(text, strlen(text), &wide);
        bool ascii = (unsigned char)*text < 128;
        bool shown = ascii ? *text >= 32 && *text != 127 : s->page->utf8 && len > 1;
        wide = shown ? wide : 1;
        if (s->left < wide) {
            s->cut = true;
            return;
        }
        s->left -= wide;
        fwrite(shown ? text : "?", 1, shown ? len : 1, s->out);
    }
}

void wsk_sheet_say(wsk_sheet *s, const char *style, const char *fmt, ...)
{
    char text[512];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    bool styled = *style && s->page->colour;
    if (styled)
        fprintf(s->out, "\x1b[%sm", style);
    put_text(s, text);
    if (styled)
        fputs("\x1b[0m", s->out);
}

/* Ends a line. The last line has no newline, so that the page does not scroll. After a full line nothing is erased,
 * because the cursor still stands on the line's last character. */
void wsk_sheet_next(wsk_sheet *s)
{
    if (s->left > 0)
        fputs("\x1b[K", s->out);
    if (--s->rows > 0)
        fputs("\r\n", s->out);
    s->left = s->page->columns;
}

wsk_sheet_part wsk_sheet_begin(wsk_sheet *s, int gap)
{
    wsk_sheet_part p = {.at = ftell(s->out), .left = s->left};
    s->cut = false;
    if (s->left < s->page->columns)
        wsk_sheet_say(s, "", "%*s", gap, "");
    return p;
}

bool wsk_sheet_end(wsk_sheet *s, wsk_sheet_part p)
{
    if (!s->cut)
        return true;
    s->missing.values = true;
    fseek(s->out, p.at, SEEK_SET);
    s->left = p.left;
    return false;
}

void wsk_sheet_words(wsk_sheet *s, const char *style, const char *text)
{
    const bool values = s->missing.values;
    for (size_t len; *text; text += len) {
        len = strspn(text, " ") + strcspn(text + strspn(text, " "), " ");
        wsk_sheet_part p = wsk_sheet_begin(s, 0);
        wsk_sheet_say(s, style, "%.*s", (int)len, text);
        if (!wsk_sheet_end(s, p))
            break;
    }
    s->missing.values = values; /* words that do not fit are no missing values */
}

void wsk_sheet_aligned(wsk_sheet *s, const char *style, const char *text, int columns)
{
    wsk_buf b = {0};
    int most = columns < 0 ? -columns : columns;
    char *cut = wsk_cli_format("%.*s", (int)wsk_width_cut(text, most), text);
    wsk_pad(&b, cut, columns);
    wsk_sheet_say(s, style, "%s", b.data ? b.data : "");
    wsk_buf_free(&b);
    free(cut);
}
