/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "sim/io/load.h"

enum { ASSIGNMENT_SHOWN = 400 }; /* bytes of an assignment in a message, which has at most 1023 bytes */

void wsk_io_error(wsk_diags *diags, const char *file, int line, int column, const wsk_said *said)
{
    const char *text = NULL;
    for (size_t i = 0; i < diags->count; i++) {
        const wsk_diag *d = &diags->items[i];
        if (d->line != line || d->column != column ||
            !(d->file == file || (d->file && file && strcmp(d->file, file) == 0)))
            continue;
        text = text ? text : wsk_said_english(diags->arena, said);
        if (strcmp(d->message, text) == 0)
            return;
    }
    wsk_diag_add(diags, WSK_DIAG_ERROR, file, line, column, said);
}

void wsk_setting_error(wsk_diags *diags, const char *assignment, const wsk_said *said)
{
    char shown[ASSIGNMENT_SHOWN + 4];
    const size_t n = strlen(assignment);
    snprintf(shown, sizeof shown, "%.*s%s",
             (int)(n > ASSIGNMENT_SHOWN ? wsk_utf8_cut(assignment, ASSIGNMENT_SHOWN) : n), assignment,
             n > ASSIGNMENT_SHOWN ? "..." : "");
    wsk_io_error(diags, NULL, 0, 0, WSK_SAID(WSK_SAY_SETTING, shown, said));
}

void wsk_attr_error(wsk_loader *l, const wsk_node *node, const wsk_attr *a, const wsk_said *said)
{
    if (a->assignment)
        wsk_setting_error(l->diags, a->assignment, said);
    else
        wsk_io_error(l->diags, node->file, a->line, a->column, said);
}

void wsk_name_error(wsk_loader *l, const wsk_node *node, const wsk_attr *a, const wsk_said *said)
{
    if (a->assignment)
        wsk_setting_error(l->diags, a->assignment, said);
    else
        wsk_io_error(l->diags, node->file, a->name_line, a->name_column, said);
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
    if (text[i]) {
        out[n] = text[i];
        out[n + 1] = '\0';
        n = 1 + wsk_utf8_cut(out + 1, n - 1);
        memcpy(out + n, "...", 3);
        n += 3;
    }
    out[n++] = '"';
    out[n] = '\0';
    return out;
}

void wsk_value_error(wsk_diags *diags, const wsk_origin *o, const wsk_said *said)
{
    if (o->from == WSK_FROM_SET && !o->line)
        wsk_setting_error(diags, o->ref ? o->ref : "?", said);
    else
        wsk_io_error(diags, o->file, o->line, o->column, said);
}
