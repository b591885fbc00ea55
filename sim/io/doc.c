/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parses an XML file into nodes with libxml2, which no other file of the library includes. */
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <string.h>

#include "sim/io/doc.h"

typedef struct {
    wsk_scan scan;
    wsk_cursor cursor;
    wsk_arena *arena;
    wsk_diags *diags;
    xmlParserCtxtPtr parser;
    wsk_node *root, *at;
    size_t tags;
    bool no_memory, broken, flawed; /* broken: parsing stopped at an error; flawed: it went on after an error */
} reader;

static const char *qualified(wsk_arena *arena, const xmlChar *prefix, const xmlChar *local)
{
    return prefix ? wsk_printf(arena, "%s:%s", (const char *)prefix, (const char *)local)
                  : wsk_strdup(arena, (const char *)local);
}

/* Copies attribute text from libxml2's SAX interface, which normalises it but writes each '&' as "&#38;". */
static char *value_text(wsk_arena *arena, const xmlChar *from, const xmlChar *end)
{
    size_t len = (size_t)(end - from), n = 0;
    char *out = wsk_alloc(arena, len + 1);
    if (!out)
        return NULL;
    for (size_t i = 0; i < len; i++) {
        out[n++] = (char)from[i];
        if (from[i] == '&' && len - i >= 5 && memcmp(from + i, "&#38;", 5) == 0)
            i += 4;
    }
    return out;
}

/* Stops the parser without xmlStopParser, which would free text that libxml2 is still reading. */
static void stop_parser(reader *r)
{
    r->broken = true;
    r->parser->disableSAX = 1;
    r->parser->instate = XML_PARSER_EOF;
}

static void place_value(reader *r, wsk_attr *a, const wsk_scan_attr *where)
{
    wsk_cursor_move(&r->cursor, where->name);
    a->name_line = r->cursor.line;
    a->name_column = r->cursor.column;
    size_t first = where->value, end = where->value + where->value_len;
    while (first < end && strchr(" \t\r\n", r->scan.text[first]))
        first++;
    wsk_cursor_move(&r->cursor, first < end ? first : where->value);
    a->line = r->cursor.line;
    a->column = r->cursor.column;
}

/* Adds the attributes of a tag to a node. Names and places are those in the tag's text, values those of libxml2; both
 * lists are in file order. */
static bool take_attributes(reader *r, wsk_node *node, size_t at, int count, const xmlChar **attrs)
{
    wsk_scan_attr where;
    char quoted[WSK_QUOTED];
    int k = 0;
    while (wsk_scan_attribute(&r->scan, &at, &where)) {
        const char *name = r->scan.text + where.name;
        if (where.name_len >= 5 && memcmp(name, "xmlns", 5) == 0 && (where.name_len == 5 || name[5] == ':'))
            continue;
        wsk_attr *a = wsk_alloc(r->arena, sizeof *a);
        char *word = wsk_alloc(r->arena, where.name_len + 1);
        if (!a || !word)
            return false;
        memcpy(word, name, where.name_len);
        a->name = word;
        place_value(r, a, &where);
        if (wsk_node_attr(node, word)) {
            wsk_io_error(r->diags, node->file, a->name_line, a->name_column,
                         WSK_SAID(WSK_SAY_ATTR_TWICE, wsk_io_quote(quoted, word), node->name));
            r->flawed = true;
            const char *colon = strchr(word, ':');
            if (k < count && strcmp((const char *)attrs[5 * k], colon ? colon + 1 : word) == 0)
                k++;
            continue;
        }
        if (k >= count)
            break;
        a->value = value_text(r->arena, attrs[5 * k + 3], attrs[5 * k + 4]);
        k++;
        if (!a->value)
            return false;
        if (node->last_attr)
            node->last_attr->next = a;
        else
            node->attrs = a;
        node->last_attr = a;
    }
    return true;
}

static void on_start(void *ctx, const xmlChar *local, const xmlChar *prefix, const xmlChar *uri, int namespaces,
                     const xmlChar **ns, int count, int defaulted, const xmlChar **attrs)
{
    (void)namespaces, (void)ns, (void)defaulted;
    reader *r = ctx;
    if (r->no_memory || r->tags >= r->scan.tag_count)
        return;
    size_t at = r->scan.tags[r->tags++] + 1;
    wsk_node *node = wsk_alloc(r->arena, sizeof *node);
    if (!node || !(node->name = qualified(r->arena, prefix, local))) {
        r->no_memory = true;
        stop_parser(r);
        return;
    }
    node->file = r->scan.file;
    size_t len = strlen(node->name);
    if (r->scan.len - at < len || memcmp(r->scan.text + at, node->name, len) != 0) {
        stop_parser(r); /* after an error, which was reported, libxml2 and scan.c disagree about the tags */
        return;
    }
    wsk_cursor_move(&r->cursor, at);
    node->line = r->cursor.line;
    node->column = r->cursor.column;
    if (uri && !r->at)
        wsk_io_error(r->diags, node->file, node->line, node->column, WSK_SAID(WSK_SAY_NAMESPACE, node->name));
    if (!take_attributes(r, node, at + len, count, attrs)) {
        r->no_memory = true;
        stop_parser(r);
        return;
    }
    node->parent = r->at;
    if (!r->at)
        r->root = r->root ? r->root : node;
    else if (r->at->last)
        r->at->last->next = node;
    else
        r->at->child = node;
    if (r->at)
        r->at->last = node;
    r->at = node;
}

static void on_end(void *ctx, const xmlChar *local, const xmlChar *prefix, const xmlChar *uri)
{
    (void)local, (void)prefix, (void)uri;
    reader *r = ctx;
    if (r->at)
        r->at = r->at->parent;
}

/* Finds the attribute of the current tag whose value contains `offset`: an error inside a value often means that its
 * closing quote is missing. */
static bool open_value(const reader *r, size_t offset, wsk_scan_attr *where)
{
    if (r->tags >= r->scan.tag_count)
        return false;
    size_t at = r->scan.tags[r->tags] + 1;
    while (at < r->scan.len && !strchr(" \t\r\n/>", r->scan.text[at]))
        at++;
    while (wsk_scan_attribute(&r->scan, &at, where))
        if (where->value <= offset && offset <= where->value + where->value_len)
            return true;
    return false;
}

/* Offset of the last `character` at or before `at` in the same line; without such a character, the start of the
 * line. */
static size_t last_before(const reader *r, size_t at, char character)
{
    const char *text = r->scan.text;
    while (at > 0 && text[at < r->scan.len ? at : at - 1] != character && text[at - 1] != '\n')
        at--;
    return at;
}

static size_t end_of_text_before(const reader *r, size_t at)
{
    while (at > 0 && strchr(" \t\r\n", r->scan.text[at - 1]))
        at--;
    return at;
}

/* Returns the message for a mistake, and moves *offset from the place where the parser noticed the mistake to the place
 * where it begins. */
static const wsk_said *describe_error(const reader *r, const xmlError *error, size_t *offset)
{
    const char *open = r->at ? r->at->name : "rig", *text = r->scan.text;
    int line = r->at ? r->at->line : 0;
    const size_t at = *offset = *offset < r->scan.len ? *offset : r->scan.len;
    wsk_scan_attr where;
    switch (error->code) {
    case XML_ERR_NAME_REQUIRED:
    case XML_ERR_ENTITYREF_SEMICOL_MISSING:
    case XML_ERR_UNDECLARED_ENTITY:
        *offset = last_before(r, at, '&');
        if (*offset < r->scan.len && text[*offset] == '&')
            return WSK_SAY(r->arena, WSK_SAY_XML_AMPERSAND);
        *offset = last_before(r, at, '<');
        if (*offset < at || at == r->scan.len)
            return WSK_SAY(r->arena, WSK_SAY_XML_NO_NAME);
        *offset = end_of_text_before(r, at); /* the next tag begins at this offset, so the tag before it has no end */
        return WSK_SAY(r->arena, WSK_SAY_XML_NO_END);
    case XML_ERR_LT_IN_ATTRIBUTE:
        if (!open_value(r, at, &where) || !memchr(text + where.value, '\n', at - where.value))
            return WSK_SAY(r->arena, WSK_SAY_XML_LESS);
        *offset = where.value;
        return WSK_SAY(
            r->arena, WSK_SAY_XML_OPEN_VALUE,
            wsk_printf(r->arena, "%.*s", (int)(where.name_len < 60 ? where.name_len : 60), text + where.name));
    case XML_ERR_ATTRIBUTE_NOT_STARTED:
        return text[at] == '\xE2' || text[at] == '\xC2' ? WSK_SAY(r->arena, WSK_SAY_XML_TYPOGRAPHIC)
                                                        : WSK_SAY(r->arena, WSK_SAY_XML_NO_QUOTES);
    case XML_ERR_TAG_NAME_MISMATCH:
        *offset = last_before(r, at, '/') + 1;
        return WSK_SAY(r->arena, WSK_SAY_XML_WRONG_END, open, line);
    default: break;
    }
    switch (error->code) {
    case XML_ERR_ATTRIBUTE_WITHOUT_VALUE: return WSK_SAY(r->arena, WSK_SAY_XML_NO_VALUE);
    case XML_ERR_SPACE_REQUIRED: return WSK_SAY(r->arena, WSK_SAY_XML_NO_BLANK);
    case XML_ERR_GT_REQUIRED: return WSK_SAY(r->arena, WSK_SAY_XML_NO_END);
    case XML_ERR_TAG_NOT_FINISHED: return WSK_SAY(r->arena, WSK_SAY_XML_CUT_OFF, open, line);
    case XML_ERR_RESERVED_XML_NAME: return WSK_SAY(r->arena, WSK_SAY_XML_DECLARATION);
    case XML_ERR_DOCUMENT_END: return WSK_SAY(r->arena, WSK_SAY_XML_BEHIND);
    default: break;
    }
    const char *words = error->message ? error->message : "syntax error";
    return WSK_SAY(r->arena, WSK_SAY_XML_OTHER, wsk_printf(r->arena, "%.*s", (int)strcspn(words, "\n"), words));
}

/* Reports only the first error: libxml2 would continue after it, but later errors are guesses. */
static void on_error(void *ctx, xmlErrorPtr error)
{
    reader *r = ctx;
    /* if libxml2 cannot get a larger buffer, it stops without reporting that, and this error is only a consequence */
    if (error->code == XML_ERR_NO_MEMORY || (r->parser->disableSAX && !r->broken))
        r->no_memory = true;
    if (error->level < XML_ERR_ERROR || error->domain == XML_FROM_NAMESPACE || r->parser->disableSAX)
        return;
    if (error->code == XML_ERR_ATTRIBUTE_REDEFINED || error->code == XML_ERR_HYPHEN_IN_COMMENT) {
        r->flawed = true;
        return;
    }
    long at = xmlByteConsumed(r->parser);
    size_t offset = at < 0 ? 0 : (size_t)at;
    const wsk_said *said = describe_error(r, error, &offset);
    wsk_cursor_move(&r->cursor, offset);
    if (said)
        wsk_io_error(r->diags, r->scan.file, r->cursor.line, r->cursor.column, said);
    r->no_memory = r->no_memory || !said;
    stop_parser(r);
}

/* Allocates the parser's two arrays of attributes with room for the most attributes that scan.c lets an element have
 * (WSK_ATTRIBUTES_MAX, 200), so that the parser never grows them: if libxml2 2.9 can grow only the first array
 * (xmlCtxtGrowAttrs), it goes on with the freed old one. False: no memory. */
static bool make_attribute_arrays(xmlParserCtxtPtr parser)
{
    enum { ATTRIBUTES = 200, WORDS = 5 };
    parser->atts = xmlMalloc(ATTRIBUTES * WORDS * sizeof *parser->atts);
    parser->attallocs = parser->atts ? xmlMalloc(ATTRIBUTES * sizeof *parser->attallocs) : NULL;
    parser->maxatts = parser->attallocs ? ATTRIBUTES * WORDS : 0;
    return parser->attallocs;
}

static void ignore_error(void *ctx, xmlErrorPtr error)
{
    (void)ctx;
    (void)error;
}

static wsk_status parse(reader *r)
{
    xmlSAXHandler sax = {
        .initialized = XML_SAX2_MAGIC, .startElementNs = on_start, .endElementNs = on_end, .serror = on_error};
    r->parser = xmlCreateMemoryParserCtxt(r->scan.text, (int)r->scan.len);
    if (!r->parser || !make_attribute_arrays(r->parser)) {
        xmlFreeParserCtxt(r->parser);
        return WSK_ENOMEM;
    }
    xmlCtxtUseOptions(r->parser, XML_PARSE_NONET | XML_PARSE_BIG_LINES | XML_PARSE_RECOVER | XML_PARSE_IGNORE_ENC);
    xmlSAXHandlerPtr own = r->parser->sax;
    r->parser->sax = &sax;
    r->parser->userData = r;
    int rc = xmlParseDocument(r->parser);
    if (r->parser->errNo == XML_ERR_NO_MEMORY)
        r->no_memory = true;
    bool well = (rc == 0 && r->parser->wellFormed) || r->flawed;
    r->parser->sax = own;
    if (r->parser->myDoc)
        xmlFreeDoc(r->parser->myDoc);
    xmlFreeParserCtxt(r->parser);
    if (r->no_memory)
        return WSK_ENOMEM;
    if (!well && !r->broken) {
        wsk_io_error(r->diags, r->scan.file, 1, 1, WSK_SAID(WSK_SAY_NOT_WELL_FORMED));
        r->broken = true;
    }
    return r->broken || !r->root ? WSK_EINPUT : WSK_OK;
}

/* Without memory libxml2 may report errors outside of the parser, and would print them if this thread had no
 * handler. */
static wsk_status run_parser(reader *r)
{
    const xmlStructuredErrorFunc handler = xmlStructuredError;
    void *const context = xmlStructuredErrorContext;
    xmlSetStructuredErrorFunc(NULL, ignore_error);
    const wsk_status status = parse(r);
    xmlSetStructuredErrorFunc(context, handler);
    return status;
}

wsk_status wsk_doc_parse(wsk_node **root, wsk_arena *arena, wsk_diags *diags, const char *file, const char *text,
                         size_t len)
{
    *root = NULL;
    const size_t mark = wsk_utf8_mark(text, len);
    text += mark;
    len -= mark;
    if (len > WSK_FILE_MAX) {
        wsk_io_error(diags, file, 1, 1, WSK_SAID(WSK_SAY_FILE_TOO_LARGE));
        return WSK_EINPUT;
    }
    reader r = {.scan = {.file = file, .text = text, .len = len, .arena = arena, .diags = diags},
                .cursor = {.text = text, .len = len},
                .arena = arena,
                .diags = diags};
    wsk_status status = wsk_scan_text(&r.scan);
    if (status == WSK_OK)
        status = run_parser(&r);
    *root = r.root;
    return status;
}

const wsk_attr *wsk_node_attr(const wsk_node *node, const char *name)
{
    for (const wsk_attr *a = node ? node->attrs : NULL; a; a = a->next)
        if (strcmp(a->name, name) == 0)
            return a;
    return NULL;
}
