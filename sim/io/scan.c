/* SPDX-License-Identifier: GPL-3.0-or-later */
/* First pass over the XML text, before libxml2 parses it. It refuses texts that have too many elements or attributes
 * or are nested too deep, and finds the places of start tags and attributes, which libxml2 does not give. It stops
 * without a message at malformed text, because the parser reports the mistake. */
#include <string.h>

#include "sim/io/doc.h"

#define HYPHENS_MAX 20 /* most "--" inside comments; one more stops reading */

void wsk_cursor_move(wsk_cursor *c, size_t offset)
{
    if (offset < c->at || c->line == 0) {
        c->at = 0;
        c->line = c->column = 1;
    }
    if (offset > c->len)
        offset = c->len;
    for (; c->at < offset; c->at++) {
        unsigned char b = (unsigned char)c->text[c->at];
        if (b == '\n' || (b == '\r' && !(c->at + 1 < c->len && c->text[c->at + 1] == '\n'))) {
            c->line++;
            c->column = 1;
        } else if (!wsk_utf8_inside(c->text[c->at])) {
            c->column++;
        }
    }
}

static bool blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static void report_error_at(wsk_scan *s, size_t offset, const wsk_said *said)
{
    wsk_cursor_move(&s->cursor, offset);
    wsk_io_error(s->diags, s->file, s->cursor.line, s->cursor.column, said);
}

static bool starts_with(const wsk_scan *s, size_t i, const char *word)
{
    size_t n = strlen(word);
    return s->len - i >= n && memcmp(s->text + i, word, n) == 0;
}

static size_t offset_behind(const wsk_scan *s, size_t i, const char *word)
{
    size_t n = strlen(word);
    while (i < s->len) {
        const char *p = memchr(s->text + i, word[0], s->len - i);
        if (!p)
            return s->len;
        i = (size_t)(p - s->text);
        if (starts_with(s, i, word))
            return i + n;
        i++;
    }
    return s->len;
}

static wsk_status check_bytes(wsk_scan *s)
{
    size_t first = 0;
    while (first < s->len && blank(s->text[first]))
        first++;
    if (first == s->len) {
        wsk_io_error(s->diags, s->file, 1, 1, WSK_SAID(WSK_SAY_FILE_EMPTY));
        return WSK_EINPUT;
    }
    if (wsk_is_utf16(s->text, s->len)) {
        wsk_io_error(s->diags, s->file, 1, 1, WSK_SAID(WSK_SAY_UTF16));
        return WSK_EINPUT;
    }
    for (size_t i = 0, n; i < s->len; i += n)
        if ((n = wsk_utf8_bytes(s->text + i, s->len - i)) == 0) {
            report_error_at(s, i, s->text[i] ? WSK_SAID(WSK_SAY_NOT_UTF8) : WSK_SAID(WSK_SAY_ZERO_BYTE));
            return WSK_EINPUT;
        }
    if (s->text[first] != '<') {
        report_error_at(s, first, WSK_SAID(WSK_SAY_NOT_XML));
        return WSK_EINPUT;
    }
    return WSK_OK;
}

bool wsk_scan_attribute(const wsk_scan *s, size_t *at, wsk_scan_attr *out)
{
    size_t i = *at;
    while (i < s->len && blank(s->text[i]))
        i++;
    *at = i;
    if (i >= s->len || s->text[i] == '>' || s->text[i] == '/' || s->text[i] == '<')
        return false;
    out->name = i;
    while (i < s->len && !blank(s->text[i]) && !strchr("=></\"'", s->text[i]))
        i++;
    out->name_len = i - out->name;
    while (i < s->len && blank(s->text[i]))
        i++;
    if (out->name_len == 0 || i >= s->len || s->text[i] != '=')
        return false;
    i++;
    while (i < s->len && blank(s->text[i]))
        i++;
    if (i >= s->len || (s->text[i] != '"' && s->text[i] != '\''))
        return false;
    const char *end = memchr(s->text + i + 1, s->text[i], s->len - i - 1);
    if (!end)
        return false;
    out->value = i + 1;
    out->value_len = (size_t)(end - s->text) - out->value;
    *at = out->value + out->value_len + 1;
    return true;
}

/* Checks the declared encoding, which libxml2 is told to ignore. */
static wsk_status check_declaration(wsk_scan *s)
{
    size_t at = 5, end = offset_behind(s, 0, "?>");
    wsk_scan_attr a;
    while (at < end && wsk_scan_attribute(s, &at, &a)) {
        const char *v = s->text + a.value;
        if (a.name_len != 8 || memcmp(s->text + a.name, "encoding", 8) != 0)
            continue;
        char word[16] = "";
        for (size_t k = 0; k < a.value_len && k + 1 < sizeof word; k++)
            word[k] = (char)(v[k] >= 'A' && v[k] <= 'Z' ? v[k] - 'A' + 'a' : v[k]);
        if (strcmp(word, "utf-8") != 0 && strcmp(word, "utf8") != 0 && strcmp(word, "us-ascii") != 0) {
            report_error_at(s, a.value, WSK_SAID(WSK_SAY_ENCODING));
            return WSK_EINPUT;
        }
    }
    return WSK_OK;
}

static void report_stray_text(wsk_scan *s, size_t from, size_t to)
{
    while (from < to && blank(s->text[from]))
        from++;
    while (to > from && blank(s->text[to - 1]))
        to--;
    if (from == to)
        return;
    char text[120] = "", quoted[WSK_QUOTED];
    size_t n = to - from < sizeof text - 1 ? to - from : sizeof text - 1;
    memcpy(text, s->text + from, n);
    wsk_cursor_move(&s->cursor, from);
    wsk_io_error(s->diags, s->file, s->cursor.line, s->cursor.column,
                 WSK_SAID(WSK_SAY_STRAY_TEXT, wsk_io_quote(quoted, text)));
}

/* Skips a comment and reports each "--" inside it: XML forbids it, but people write it easily, as in --set. */
static wsk_status skip_comment(wsk_scan *s, size_t *i)
{
    size_t end = offset_behind(s, *i + 4, "-->");
    for (size_t at = *i + 4; (at = offset_behind(s, at, "--")) + 1 < end;) {
        report_error_at(s, at - 2, WSK_SAID(WSK_SAY_HYPHENS));
        if (++s->hyphens > HYPHENS_MAX)
            return WSK_EINPUT;
    }
    *i = end;
    return WSK_OK;
}

static wsk_status add_tag(wsk_scan *s, size_t at)
{
    if (s->tag_count == WSK_ELEMENTS_MAX) {
        report_error_at(s, at, WSK_SAID(WSK_SAY_TOO_MANY_TAGS));
        return WSK_EINPUT;
    }
    if (s->tag_count == s->tag_room) {
        size_t room = s->tag_room ? 2 * s->tag_room : 64;
        uint32_t *tags = wsk_alloc(s->arena, room * sizeof *tags);
        if (!tags)
            return WSK_ENOMEM;
        if (s->tag_count)
            memcpy(tags, s->tags, s->tag_count * sizeof *tags);
        s->tags = tags;
        s->tag_room = room;
    }
    s->tags[s->tag_count++] = (uint32_t)at;
    return WSK_OK;
}

/* Moves *i behind a start tag. *stop: true if the tag is malformed. */
static wsk_status skip_start_tag(wsk_scan *s, size_t *i, int *depth, bool *stop)
{
    wsk_status status = add_tag(s, *i);
    if (status != WSK_OK)
        return status;
    if (*depth >= WSK_DEPTH_MAX) {
        report_error_at(s, *i, WSK_SAID(WSK_SAY_TOO_DEEP));
        return WSK_EINPUT;
    }
    size_t at = *i + 1, count = 0;
    while (at < s->len && !blank(s->text[at]) && s->text[at] != '>' && s->text[at] != '/')
        at++;
    wsk_scan_attr a;
    while (wsk_scan_attribute(s, &at, &a))
        if (++count > WSK_ATTRIBUTES_MAX) {
            report_error_at(s, a.name, WSK_SAID(WSK_SAY_TOO_MANY_ATTRS));
            return WSK_EINPUT;
        }
    bool closed = at < s->len && s->text[at] == '/';
    at += closed;
    *stop = at >= s->len || s->text[at] != '>';
    *i = at + 1;
    *depth += !closed;
    return WSK_OK;
}

wsk_status wsk_scan_text(wsk_scan *s)
{
    s->cursor = (wsk_cursor){.text = s->text, .len = s->len};
    wsk_status status = check_bytes(s);
    if (status == WSK_OK && starts_with(s, 0, "<?xml") && s->len > 5 && blank(s->text[5]))
        status = check_declaration(s);
    int depth = 0;
    bool stop = false;
    for (size_t i = 0; status == WSK_OK && !stop && i < s->len;) {
        size_t from = i, end;
        if (s->text[i] != '<') {
            const char *p = memchr(s->text + i, '<', s->len - i);
            i = p ? (size_t)(p - s->text) : s->len;
            if (depth > 0)
                report_stray_text(s, from, i);
        } else if (starts_with(s, i, "<!--")) {
            status = skip_comment(s, &i);
        } else if (starts_with(s, i, "<![CDATA[")) {
            end = offset_behind(s, i, "]]>");
            report_stray_text(s, i + 9, end >= i + 12 ? end - 3 : end);
            i = end;
        } else if (starts_with(s, i, "<!")) {
            report_error_at(s, i, WSK_SAID(WSK_SAY_DOCTYPE));
            status = WSK_EINPUT;
        } else if (starts_with(s, i, "<?")) {
            i = offset_behind(s, i, "?>");
        } else if (starts_with(s, i, "</")) {
            i = offset_behind(s, i, ">");
            stop = --depth < 0;
        } else {
            status = skip_start_tag(s, &i, &depth, &stop);
        }
    }
    return status;
}
