/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Errors at the place where the mistake was written, and text quoted for them. */
#include <stdarg.h>
#include <string.h>

#include "sim/io/load.h"

void wsk_io_error(wsk_diags *diags, const char *file, int line, int column, const char *fmt, ...)
{
    char text[1024];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    for (size_t i = 0; i < diags->count; i++) {
        const wsk_diag *d = &diags->items[i];
        if (d->line == line && d->column == column && strcmp(d->message, text) == 0 &&
            (d->file == file || (d->file && file && strcmp(d->file, file) == 0)))
            return;
    }
    wsk_diag_add(diags, WSK_DIAG_ERROR, file, line, column, WSK_SAID(WSK_SAY_PLAIN, text));
}

void wsk_attr_error(wsk_loader *l, const wsk_node *node, const wsk_attr *a, const char *fmt, ...)
{
    char text[900];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    if (a->assignment)
        wsk_io_error(l->diags, NULL, 0, 0, "setting %s: %s", a->assignment, text);
    else
        wsk_io_error(l->diags, node->file, a->line, a->column, "%s", text);
}

const char *wsk_io_quote(char out[WSK_QUOTED], const char *text)
{
    const size_t room = WSK_QUOTED - 8;
    size_t n = 0, i = 0;
    out[n++] = '"';
    while (text[i] && n < room) {
        unsigned char c = (unsigned char)text[i], d = c ? (unsigned char)text[i + 1] : 0;
        bool control = c < 0x20 || c == 0x7F || (c == 0xC2 && d >= 0x80 && d < 0xA0);
        out[n++] = control ? '?' : (char)c;
        i += c == 0xC2 && control ? 2 : 1;
    }
    if (text[i]) { /* never cut inside a character */
        while (n > 1 && ((unsigned char)out[n - 1] & 0xC0) == 0x80)
            n--;
        if (n > 1 && ((unsigned char)out[n - 1] & 0xC0) == 0xC0)
            n--;
        memcpy(out + n, "...", 3);
        n += 3;
    }
    out[n++] = '"';
    out[n] = '\0';
    return out;
}

void wsk_value_error(wsk_diags *diags, const wsk_origin *o, const char *message)
{
    if (o->from == WSK_FROM_SET && !o->line)
        wsk_io_error(diags, NULL, 0, 0, "setting %s: %s", o->ref ? o->ref : "?", message);
    else
        wsk_io_error(diags, o->file, o->line, o->column, "%s", message);
}
