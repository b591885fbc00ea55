/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/base/said.h"

#include <math.h>
#include <string.h>

#include "sim/base/width.h"

#define TEXT_MAX 2000u
/* Most bytes of the sentence that wsk_said_english makes, because a hostile file can put long names and values into
 * it. */
#define MESSAGE_MAX 1023u

static const struct {
    const char *name, *english;
    int args;
} codes[] = {
#define WSK_CODE(name, args, code, english) {code, english, args},
#include "sim/base/codes.def"
#undef WSK_CODE
};

const char *wsk_code_name(wsk_code code)
{
    return codes[code].name;
}

bool wsk_code_named(const char *name, wsk_code *out)
{
    for (int i = 0; i < WSK_SAY_COUNT_; i++)
        if (strcmp(codes[i].name, name) == 0) {
            *out = (wsk_code)i;
            return true;
        }
    return false;
}

bool wsk_word_code(const char *english, wsk_code *out)
{
    for (int i = 0; i < WSK_SAY_COUNT_; i++)
        if (strncmp(codes[i].name, "word.", 5) == 0 && strcmp(codes[i].english, english) == 0) {
            *out = (wsk_code)i;
            return true;
        }
    return false;
}

int wsk_code_args(wsk_code code)
{
    return codes[code].args;
}

const char *wsk_code_english(wsk_code code)
{
    return codes[code].english;
}

wsk_arg wsk_arg_unit(const char *unit)
{
    if (!unit || strcmp(unit, "units") == 0)
        return WSK_WORD("units");
    return strcmp(unit, "tokens") == 0 ? WSK_WORD("tokens") : wsk_arg_text(unit);
}

const char *wsk_said_code(const wsk_said *said)
{
    return said ? wsk_code_name(said->code) : "";
}

bool wsk_said_argument(const wsk_said *said, size_t k, double *number, const char **text, const wsk_said **inner)
{
    if (!said || k >= (size_t)said->count)
        return false;
    const wsk_arg *a = &said->args[k];
    *number = a->number;
    *text = a->type == WSK_ARG_TEXT || a->type == WSK_ARG_WORD ? a->text : NULL;
    *inner = a->said;
    return true;
}

const wsk_said *wsk_said_keep(wsk_arena *arena, const wsk_said *said)
{
    wsk_said *copy = said ? wsk_alloc(arena, sizeof *copy) : NULL;
    wsk_arg *args = copy ? wsk_alloc(arena, ((size_t)said->count + 1) * sizeof *args) : NULL;
    if (!args)
        return NULL;
    for (int i = 0; i < said->count; i++) {
        args[i] = said->args[i];
        if (args[i].said && !(args[i].said = wsk_said_keep(arena, args[i].said)))
            return NULL;
        if ((args[i].type == WSK_ARG_TEXT || args[i].type == WSK_ARG_WORD) && args[i].text &&
            !(args[i].text = wsk_printf(arena, "%.*s", (int)wsk_utf8_cut(args[i].text, TEXT_MAX), args[i].text)))
            return NULL;
    }
    *copy = (wsk_said){said->code, said->count, args};
    return copy;
}

const wsk_said *wsk_said_join(wsk_arena *arena, const wsk_said *first, const wsk_said *then)
{
    return first ? WSK_SAY(arena, WSK_SAY_JOINED, first, then) : wsk_said_keep(arena, then);
}

void wsk_said_add(wsk_said_list *list, const wsk_said *said)
{
    const wsk_said *kept = wsk_said_keep(list->arena, said);
    if (kept && list->count == list->room) {
        size_t room = list->room ? 2 * list->room : 8;
        const wsk_said **items = wsk_alloc(list->arena, room * sizeof *items);
        if (items && list->count)
            memcpy(items, list->items, list->count * sizeof *items);
        if (items) {
            list->items = items;
            list->room = room;
        }
    }
    if (kept && list->count < list->room)
        list->items[list->count++] = kept;
    else
        list->failed = true;
}

const wsk_said *wsk_said_link(wsk_arena *arena, wsk_code how, const wsk_said *first, const wsk_said *second)
{
    if (!first || !second)
        return wsk_said_keep(arena, first ? first : second);
    return wsk_said_keep(arena, &(wsk_said){how, 2, (const wsk_arg[]){wsk_arg_said(first), wsk_arg_said(second)}});
}

const wsk_said *wsk_said_link_all(const wsk_said_list *list, wsk_code how, wsk_code last)
{
    const wsk_said *all = NULL;
    for (size_t i = 0; i < list->count; i++)
        all = wsk_said_link(list->arena, i + 1 == list->count ? last : how, all, list->items[i]);
    return all;
}

typedef struct {
    int arg;
    char spec[24]; /* the conversion without its position: "%.1f" */
    char type;
    size_t precision; /* most bytes of a text argument; SIZE_MAX: all */
    int width;        /* columns of a text argument; below 0: blanks follow the text */
} conversion;

static size_t read_conversion(const char *text, int next, conversion *c)
{
    size_t digits = strspn(text, "0123456789"), at = 0;
    *c = (conversion){.arg = next, .precision = SIZE_MAX};
    if (digits > 0 && digits < 3 && text[digits] == '$') {
        c->arg = digits == 1 ? text[0] - '0' : 10 * (text[0] - '0') + text[1] - '0';
        at = digits + 1;
    }
    size_t len = strspn(text + at, "-+ 0123456789.");
    if (len > 8 || !text[at + len] || !strchr("sdgf", text[at + len]))
        return 0;
    c->type = text[at + len];
    snprintf(c->spec, sizeof c->spec, "%%%.*s%s%c", (int)len, text + at, c->type == 'd' ? "ll" : "", c->type);
    const char *point = memchr(text + at, '.', len);
    for (const char *p = point ? point + 1 : NULL; p && p < text + at + len; p++)
        c->precision = (c->precision == SIZE_MAX ? 0 : 10 * c->precision) + (size_t)(*p - '0');
    const bool behind = text[at] == '-';
    for (const char *p = text + at + behind; c->type == 's' && *p >= '0' && *p <= '9'; p++)
        c->width = 10 * c->width + (behind ? '0' - *p : *p - '0');
    return at + len + 1;
}

static void put_number(wsk_buf *out, const conversion *c, double number, wsk_translate *to, const void *language)
{
    char text[400];
    if (c->type == 'd')
        snprintf(text, sizeof text, c->spec, (long long)(number < 0 ? number - 0.5 : number + 0.5));
    else
        wsk_print(text, sizeof text, c->type == 's' ? "%.15g" : c->spec, number);
    bool minus = *text == '-' && strchr(c->spec, '+'); /* "%+.0f" prints a change: its minus becomes U+2212 */
    const char *sign = !minus ? "" : to ? to(language, "−") : "−";
    wsk_buf_put(out, sign, strlen(sign));
    wsk_buf_put(out, text + minus, strlen(text + minus));
}

static void put_word(wsk_buf *out, const char *word)
{
    wsk_buf_put(out, word, strlen(word));
}

static void put_text(wsk_buf *out, const conversion *c, const wsk_arg *arg, wsk_translate *to, const void *language)
{
    switch (arg->type) {
    case WSK_ARG_NUMBER: put_number(out, c, arg->number, to, language); break;
    case WSK_ARG_TEXT: wsk_buf_put(out, arg->text, wsk_utf8_cut(arg->text, c->precision)); break;
    case WSK_ARG_WORD: put_word(out, to ? to(language, arg->text) : arg->text); break;
    case WSK_ARG_SAID: wsk_said_write(out, arg->said, to, language); break;
    }
}

static void put_arg(wsk_buf *out, const conversion *c, const wsk_arg *arg, wsk_translate *to, const void *language)
{
    if (c->width == 0) {
        put_text(out, c, arg, to, language);
        return;
    }
    wsk_buf text = {0};
    put_text(&text, c, arg, to, language);
    wsk_buf_put(&text, "", 1);
    out->failed = out->failed || text.failed;
    if (!text.failed)
        wsk_pad(out, text.data, -c->width);
    wsk_buf_free(&text);
}

void wsk_render(wsk_buf *out, const char *text, const wsk_arg *args, int count, wsk_translate *to,
                const void *language)
{
    int next = 1;
    while (*text) {
        size_t plain = strcspn(text, "%");
        wsk_buf_put(out, text, plain);
        text += plain;
        if (!*text)
            return;
        text++;
        conversion c;
        size_t len = *text == '%' ? 0 : read_conversion(text, next, &c);
        if (len == 0) {
            wsk_buf_put(out, "%", 1);
            text += *text == '%';
            continue;
        }
        next = c.arg + 1;
        text += len;
        if (c.arg >= 1 && c.arg <= count)
            put_arg(out, &c, &args[c.arg - 1], to, language);
        else
            wsk_buf_put(out, "?", 1);
    }
}

void wsk_said_write(wsk_buf *out, const wsk_said *said, wsk_translate *to, const void *language)
{
    if (!said)
        return;
    const char *english = wsk_code_english(said->code);
    wsk_render(out, to ? to(language, english) : english, said->args, said->count, to, language);
}

typedef struct {
    wsk_arena *arena;
} ascii_text;

static const char *to_ascii(const void *language, const char *english)
{
    const ascii_text *where = language;
    wsk_buf ascii = {0};
    const char *p = english;
    while (*p && !((unsigned char)*p & 0x80))
        p++;
    if (!*p)
        return english;
    wsk_ascii(&ascii, english);
    const char *copy = ascii.failed ? NULL : wsk_strdup(where->arena, ascii.data);
    wsk_buf_free(&ascii);
    if (!copy)
        wsk_arena_fail(where->arena);
    return copy ? copy : english;
}

const char *wsk_said_english(wsk_arena *arena, const wsk_said *said)
{
    wsk_buf out = {0};
    wsk_said_write(&out, said, to_ascii, &(ascii_text){arena});
    if (out.len > MESSAGE_MAX)
        memcpy(out.data + wsk_utf8_cut(out.data, MESSAGE_MAX - 3), "...", 4);
    const char *copy = out.data && !out.failed ? wsk_strdup(arena, out.data) : NULL;
    wsk_buf_free(&out);
    if (!copy && said)
        wsk_arena_fail(arena);
    return copy ? copy : "";
}

void wsk_lines_add(wsk_lines *lines, int indent, const wsk_said *said)
{
    if (lines->count == lines->room) {
        size_t room = lines->room ? 2 * lines->room : 32;
        wsk_line *grown = wsk_alloc(lines->arena, room * sizeof *grown);
        if (!grown) {
            lines->failed = true;
            return;
        }
        if (lines->count)
            memcpy(grown, lines->items, lines->count * sizeof *grown);
        lines->items = grown;
        lines->room = room;
    }
    const wsk_said *kept = wsk_said_keep(lines->arena, said);
    lines->failed = lines->failed || (said && !kept);
    lines->items[lines->count++] = (wsk_line){indent, kept};
}

void wsk_lines_write(wsk_buf *out, const wsk_lines *lines, wsk_translate *to, const void *language)
{
    out->failed = out->failed || lines->failed;
    for (size_t i = 0; i < lines->count; i++) {
        wsk_buf_printf(out, "%*s", lines->items[i].indent, "");
        wsk_said_write(out, lines->items[i].said, to, language);
        wsk_buf_put(out, "\n", 1);
    }
}

const wsk_said *wsk_say_span(wsk_arena *a, double s)
{
    static const struct {
        double s;
        wsk_code whole, both;
    } units[] = {{86400, WSK_SAY_SPAN_D, WSK_SAY_SPAN_D_H},
                 {3600, WSK_SAY_SPAN_H, WSK_SAY_SPAN_H_MIN},
                 {60, WSK_SAY_SPAN_MIN, WSK_SAY_SPAN_MIN_S},
                 {1, WSK_SAY_SPAN_S, WSK_SAY_SPAN_S}};
    int k = s < 119.5 ? 3 : s < 2 * 3600 - 0.5 ? 2 : s < 2 * 86400 - 30 ? 1 : 0;
    for (int i = 0; i < 3; i++)
        k = s == units[i].s ? i : k;
    if (k == 3)
        return WSK_SAY(a, WSK_SAY_SPAN_S, s);
    double small = floor(s / units[k + 1].s + 0.5), per = units[k].s / units[k + 1].s, whole = floor(small / per);
    const wsk_arg args[] = {wsk_arg_number(whole), wsk_arg_number(small - whole * per)};
    bool one = small == whole * per;
    return wsk_said_keep(a, &(wsk_said){one ? units[k].whole : units[k].both, one ? 1 : 2, args});
}
