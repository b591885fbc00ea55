/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the parameter tables as XML schema 1.0. An element's type in the schema has the attributes of all its kinds.
 * Checks that depend on the kind or on several values are made when a rig is loaded. */
#include <string.h>

#include "sim/io/load.h"
#include "sim/net/provenance.h"

static void put_escaped(wsk_buf *out, const char *text)
{
    for (; *text; text++)
        if (*text == '&')
            wsk_buf_printf(out, "&amp;");
        else if (*text == '<')
            wsk_buf_printf(out, "&lt;");
        else if (*text == '"')
            wsk_buf_printf(out, "&quot;");
        else
            wsk_buf_put(out, text, 1);
}

#define NUMBER "\\s*[+\\-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+\\-]?[0-9]+)?"
static const struct {
    const char *name, *pattern, *help;
} types[] = {
    {"quantity", NUMBER "(\\s*[^0-9\\s.].*|\\s+1/.+)", "a number and its unit"},
    {"number", NUMBER "\\s*", "a number without a unit"},
    {"fraction", NUMBER "\\s*%?\\s*", "a number, or a percentage"},
    {"count", "\\s*[0-9]+\\s*", "a whole number"},
    {"curve", "[^:,]+:[^:,]+(,[^:,]+:[^:,]+)*", "points X:Y, joined by commas"},
    {"datetime", "\\s*[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9:.]+)?\\s*", "2026-08-03T09:00:00"},
    {"part", "\\s*[a-z0-9._+\\-]+(/[a-z0-9._+\\-]+)*\\s*", "a part's file below the part folder, without .xml"},
    {"id", "\\s*[A-Za-z0-9_\\-]{1,64}\\s*", "a name unique in the rig"},
};

static void put_types(wsk_buf *out)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        wsk_buf_printf(
            out,
            "  <xs:simpleType name=\"value-%s\">\n    <xs:annotation><xs:documentation>%s</xs:documentation>"
            "</xs:annotation>\n    <xs:restriction base=\"xs:string\"><xs:pattern value=\"%s\"/>"
            "</xs:restriction>\n  </xs:simpleType>\n",
            types[i].name, types[i].help, types[i].pattern);
}

static const char *type_of(const wsk_param *p)
{
    switch (p->type) {
    case WSK_TYPE_NUMBER:
        return p->dim == WSK_DIM_NONE       ? "value-number"
               : p->dim == WSK_DIM_FRACTION ? "value-fraction"
               : p->dim == WSK_DIM_COUNT    ? "value-count"
                                            : "value-quantity";
    case WSK_TYPE_CURVE: return "value-curve";
    case WSK_TYPE_DATETIME: return "value-datetime";
    case WSK_TYPE_CHOICE: return NULL;
    default: return "xs:string";
    }
}

static const char *unit_of(const wsk_param *p)
{
    if (p->type == WSK_TYPE_NUMBER)
        return p->dim == WSK_DIM_NONE    ? "number"
               : p->dim == WSK_DIM_COUNT ? "whole number"
                                         : wsk_dim_about(p->dim)->name;
    return p->type == WSK_TYPE_TEXT     ? "text"
           : p->type == WSK_TYPE_CHOICE ? "choice"
           : p->type == WSK_TYPE_CURVE  ? "curve"
           : p->type == WSK_TYPE_SERIES ? "data file"
           : p->type == WSK_TYPE_LOG    ? "log"
                                        : "date and time";
}

static bool told(const wsk_kind *const *upto, const char *element, const char *name)
{
    for (const wsk_kind *const *k = wsk_kinds; k != upto; k++)
        if (strcmp((*k)->element, element) == 0 && wsk_kind_param(*k, name))
            return true;
    return false;
}

static bool agreed(const char *element, const wsk_param *p)
{
    for (const wsk_kind *const *k = wsk_kinds; *k; k++) {
        const wsk_param *q = strcmp((*k)->element, element) == 0 ? wsk_kind_param(*k, p->name) : NULL;
        if (q && (q->type != p->type || q->dim != p->dim || q->choices != p->choices))
            return false;
    }
    return true;
}

static void put_attribute(wsk_buf *out, const char *element, const wsk_param *p)
{
    bool plain = agreed(element, p);
    const char *type = plain ? type_of(p) : "xs:string";
    wsk_buf_printf(out, "    <xs:attribute name=\"%s\"", p->name);
    if (type)
        wsk_buf_printf(out, " type=\"%s\"", type);
    wsk_buf_printf(out, ">\n      <xs:annotation><xs:documentation>");
    put_escaped(out, p->help);
    wsk_buf_printf(out, " (%s", unit_of(p));
    if (p->type == WSK_TYPE_NUMBER && p->dim > WSK_DIM_COUNT) {
        wsk_buf_printf(out, ": ");
        put_escaped(out, wsk_dim_about(p->dim)->fits);
    }
    if (p->def) {
        wsk_buf_printf(out, "; default ");
        put_escaped(out, p->def);
    }
    wsk_buf_printf(out, ")</xs:documentation></xs:annotation>\n");
    if (!type) {
        wsk_buf_printf(out, "      <xs:simpleType><xs:restriction base=\"xs:token\">\n");
        for (const char *const *c = p->choices; *c; c++)
            wsk_buf_printf(out, "        <xs:enumeration value=\"%s\"/>\n", *c);
        wsk_buf_printf(out, "      </xs:restriction></xs:simpleType>\n");
    }
    wsk_buf_printf(out, "    </xs:attribute>\n");
}

static void put_children(wsk_buf *out, const char *element)
{
    const char *seen[64];
    size_t n = 0;
    wsk_buf_printf(out, "    <xs:choice minOccurs=\"0\" maxOccurs=\"unbounded\">\n");
    for (const wsk_kind *const *k = wsk_kinds; *k; k++)
        for (const wsk_child *c = strcmp((*k)->element, element) == 0 ? (*k)->children : NULL; c && c->element; c++) {
            bool again = false;
            for (size_t i = 0; i < n; i++)
                again = again || strcmp(seen[i], c->element) == 0;
            if (again || n == sizeof seen / sizeof *seen)
                continue;
            seen[n++] = c->element;
            wsk_buf_printf(out, "      <xs:element name=\"%s\" type=\"%s\"/>\n", c->element, c->element);
        }
    wsk_buf_printf(out, "      <xs:element name=\"source\" type=\"value-source\"/>\n    </xs:choice>\n");
}

/* Attributes that name another element. Lists of ids ("feeds", "gpus") cannot be expressed in a schema. */
static const struct {
    const char *attribute, *to;
} references[] = {{"behind", "gpu"}, {"loop", "loop"}};

static void put_owners(wsk_buf *out, const char *attribute)
{
    const char *before = "";
    for (const wsk_kind *const *k = wsk_kinds; *k; k++)
        if (wsk_kind_param(*k, attribute) && !told(k, (*k)->element, attribute)) {
            wsk_buf_printf(out, "%s.//%s", before, (*k)->element);
            before = " | ";
        }
}

/* Writes the rules that ids are unique and references exist. A referenced id must be written in the file, because a
 * schema does not know the ids that the program makes. */
static void put_identities(wsk_buf *out)
{
    wsk_buf_printf(
        out, "    <xs:unique name=\"ids\"><xs:selector xpath=\".//*\"/><xs:field xpath=\"@id\"/></xs:unique>\n");
    for (size_t i = 0; i < sizeof references / sizeof *references; i++) {
        wsk_buf_printf(
            out,
            "    <xs:unique name=\"ids-of-%s\"><xs:selector xpath=\".//%s\"/><xs:field xpath=\"@id\"/></xs:unique>\n"
            "    <xs:keyref name=\"%s-names-a-%s\" refer=\"ids-of-%s\"><xs:selector xpath=\"",
            references[i].to, references[i].to, references[i].attribute, references[i].to, references[i].to);
        put_owners(out, references[i].attribute);
        wsk_buf_printf(out, "\"/><xs:field xpath=\"@%s\"/></xs:keyref>\n", references[i].attribute);
    }
}

static void put_element(wsk_buf *out, const char *element)
{
    wsk_buf_printf(out, "  <xs:element name=\"%s\" type=\"%s\"", element, element);
    if (strcmp(element, "rig") == 0) {
        wsk_buf_printf(out, ">\n");
        put_identities(out);
        wsk_buf_printf(out, "  </xs:element>\n");
    } else {
        wsk_buf_printf(out, "/>\n");
    }
    wsk_buf_printf(out, "  <xs:complexType name=\"%s\">\n", element);
    put_children(out, element);
    for (const wsk_kind *const *k = wsk_kinds; *k; k++)
        for (const wsk_param *p = strcmp((*k)->element, element) == 0 ? (*k)->params : NULL; p && p->name; p++)
            if (!told(k, element, p->name))
                put_attribute(out, element, p);
    wsk_buf_printf(out, "    <xs:attribute name=\"id\" type=\"value-id\"/>\n    <xs:attribute name=\"kind\">\n"
                        "      <xs:simpleType><xs:restriction base=\"xs:token\">\n");
    for (const wsk_kind *const *k = wsk_kinds; *k; k++)
        if (strcmp((*k)->element, element) == 0)
            wsk_buf_printf(out, "        <xs:enumeration value=\"%s\"/>\n", (*k)->name);
    wsk_buf_printf(out, "      </xs:restriction></xs:simpleType>\n    </xs:attribute>\n");
    if (strcmp(element, "rig") == 0)
        wsk_buf_printf(out, "    <xs:attribute name=\"resolved\" type=\"xs:boolean\"/>\n");
    else
        wsk_buf_printf(out, "    <xs:attribute name=\"part\" type=\"value-part\"/>\n    <xs:attribute name=\"base\" "
                            "type=\"value-part\"/>\n    <xs:attribute name=\"title\" type=\"xs:string\"/>\n");
    wsk_buf_printf(out, "    <xs:attribute name=\"written\" type=\"xs:string\"/>\n  </xs:complexType>\n");
}

void wsk_schema_write(wsk_buf *out)
{
    wsk_buf_printf(out,
                   "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                   "<!-- SPDX-License-Identifier: GPL-3.0-or-later -->\n"
                   "<!-- Rigs and parts of wattsink; written by `wattsink schema` from the parameter tables. -->\n"
                   "<xs:schema xmlns:xs=\"http://www.w3.org/2001/XMLSchema\">\n");
    put_types(out);
    wsk_buf_printf(out,
                   "  <xs:complexType name=\"value-source\">\n"
                   "    <xs:attribute name=\"for\" type=\"xs:string\" use=\"required\"/>\n"
                   "    <xs:attribute name=\"kind\">\n      <xs:simpleType><xs:restriction base=\"xs:token\">\n");
    for (const char *const *k = wsk_source_kinds; *k; k++)
        wsk_buf_printf(out, "        <xs:enumeration value=\"%s\"/>\n", *k);
    wsk_buf_printf(out, "      </xs:restriction></xs:simpleType>\n    </xs:attribute>\n"
                        "    <xs:attribute name=\"ref\" type=\"xs:string\"/>\n"
                        "    <xs:attribute name=\"spread\" type=\"xs:string\"/>\n"
                        "    <xs:attribute name=\"from\" type=\"xs:token\"/>\n  </xs:complexType>\n");
    for (const wsk_kind *const *k = wsk_kinds; *k; k++) {
        bool first = true;
        for (const wsk_kind *const *j = wsk_kinds; j != k; j++)
            first = first && strcmp((*j)->element, (*k)->element) != 0;
        if (first)
            put_element(out, (*k)->element);
    }
    wsk_buf_printf(out, "</xs:schema>\n");
}
