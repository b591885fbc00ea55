/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The resolved rig as a list of elements that know their parents. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw/report.h"
#include "cli/kit/xml.h"

enum { DEPTH_MAX = 64 };

/* Behind the tag at p, quotes respected; NULL: it does not end. */
static const char *tag_end(const char *p)
{
    bool quoted = false;
    for (; *p && (quoted || *p != '>'); p++)
        if (*p == '"')
            quoted = !quoted;
    return *p ? p + 1 : NULL;
}

static bool add(wsk_report_rig *rig, const char *tag, size_t len, int parent, size_t *room)
{
    if ((size_t)rig->count == *room) {
        *room = *room ? 2 * *room : 256;
        wsk_report_elem *more = realloc(rig->elems, *room * sizeof *more);
        if (!more)
            return false;
        rig->elems = more;
    }
    wsk_report_elem *e = &rig->elems[rig->count++];
    *e = (wsk_report_elem){.tag = tag, .len = len, .parent = parent};
    size_t n = strcspn(tag + 1, " \t\r\n/>");
    snprintf(e->name, sizeof e->name, "%.*s", (int)(n < sizeof e->name ? n : 0), tag + 1);
    return true;
}

bool wsk_report_read_rig(wsk_report_rig *rig, const char *xml)
{
    int open[DEPTH_MAX], depth = 0;
    size_t room = 0;
    *rig = (wsk_report_rig){0};
    for (const char *p = xml; (p = strchr(p, '<')) != NULL;) {
        const char *end;
        if (!strncmp(p, "<!--", 4)) {
            if (!(p = strstr(p, "-->")))
                return false;
            continue;
        }
        if (!(end = tag_end(p)))
            return false;
        if (p[1] == '/') {
            depth--;
        } else if (p[1] != '?') {
            if (!add(rig, p, (size_t)(end - p), depth ? open[depth - 1] : -1, &room))
                return false;
            if (end[-2] != '/' && depth < DEPTH_MAX)
                open[depth++] = rig->count - 1;
        }
        if (depth < 0)
            return false;
        p = end;
    }
    return depth == 0 && rig->count > 0 && wsk_report_is(rig, 0, "rig");
}

const char *wsk_report_attribute(const wsk_report_rig *rig, int elem, const char *name, size_t *len)
{
    const char *value = elem < 0 ? NULL : wsk_xml_attribute(rig->elems[elem].tag, rig->elems[elem].len, name);
    if (value)
        *len = strcspn(value, "\"");
    return value;
}

bool wsk_report_is(const wsk_report_rig *rig, int elem, const char *name)
{
    return elem >= 0 && !strcmp(rig->elems[elem].name, name);
}

bool wsk_report_copy(const wsk_report_rig *rig, int elem, const char *name, char *out, size_t size)
{
    size_t len;
    const char *value = wsk_report_attribute(rig, elem, name, &len);
    out[0] = '\0';
    if (!value || len >= size)
        return false;
    memcpy(out, value, len);
    out[len] = '\0';
    return true;
}

double wsk_report_number(const wsk_report_rig *rig, int elem, const char *name)
{
    size_t len;
    const char *value = wsk_report_attribute(rig, elem, name, &len), *end;
    return value ? wsk_number_at(value, &end) : NAN;
}

int wsk_report_next(const wsk_report_rig *rig, const char *name, int after, int under)
{
    for (int i = after + 1; i < rig->count; i++) {
        if (!wsk_report_is(rig, i, name))
            continue;
        int up = rig->elems[i].parent;
        while (under >= 0 && up >= 0 && up != under)
            up = rig->elems[up].parent;
        if (under < 0 || up == under)
            return i;
    }
    return -1;
}

int wsk_report_with_id(const wsk_report_rig *rig, const char *id)
{
    char mine[256];
    for (int i = 0; i < rig->count; i++)
        if (wsk_report_copy(rig, i, "id", mine, sizeof mine) && !strcmp(mine, id))
            return i;
    return -1;
}
