/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a picture calls fans and pumps: how many of which size where, from the resolved rig. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/plot/plot.h"
#include "cli/kit/xml.h"

typedef struct {
    const char *tag, *radiator; /* its own start tag, and that of the radiator around it or NULL */
    size_t len, radiator_len;
} place;

static bool named(const char *tag, size_t len, const char *id)
{
    const char *value = wsk_xml_attribute(tag, len, "id");
    size_t n = strlen(id);
    return value && !strncmp(value, id, n) && value[n] == '"';
}

/* The fan or pump with this id. A radiator ends at its end tag, which wsk_xml_tag leaves out. */
static bool find(const char *xml, const char *id, place *out)
{
    size_t len;
    const char *radiator = NULL;
    size_t radiator_len = 0;
    for (const char *tag = xml; (tag = wsk_xml_tag(tag, &len)) != NULL; tag++) {
        if (wsk_xml_is(tag, "radiator")) {
            radiator = tag;
            radiator_len = len;
        }
        if ((!wsk_xml_is(tag, "fan") && !wsk_xml_is(tag, "pump")) || !named(tag, len, id))
            continue;
        const char *end = radiator ? strstr(radiator, "</radiator>") : NULL;
        *out = (place){tag, end && end > tag ? radiator : NULL, len, radiator_len};
        return true;
    }
    return false;
}

/* A copy of an attribute without what gnuplot would take for the end of the text. */
static bool attribute(const char *tag, size_t len, const char *name, char *out, size_t size)
{
    const char *value = tag ? wsk_xml_attribute(tag, len, name) : NULL;
    size_t n = 0;
    for (; value && *value && *value != '"' && n + 1 < size; value++)
        if (*value != '\'' && (unsigned char)*value >= 32)
            out[n++] = *value;
    out[n] = '\0';
    return n > 0;
}

static void title(FILE *out, const char *id, const place *p)
{
    char count[16], size[24], at[32], part[80];
    fputs(id, out);
    if (wsk_xml_is(p->tag, "fan")) {
        attribute(p->tag, p->len, "count", count, sizeof count);
        attribute(p->tag, p->len, "diameter", size, sizeof size);
        bool several = *count && strcmp(count, "1") != 0;
        const char *holder = p->radiator ? p->radiator : p->tag;
        size_t len = p->radiator ? p->radiator_len : p->len;
        fprintf(out, ", %s%s%s", several ? count : "", several ? " x " : "", size);
        if (attribute(holder, len, "at", at, sizeof at))
            fprintf(out, " at the %s%s", at, p->radiator ? " radiator" : "");
    }
    if (attribute(p->tag, p->len, "part", part, sizeof part))
        fprintf(out, ", %s", strchr(part, '/') ? strchr(part, '/') + 1 : part);
}

char *wsk_plot_mover_titles(const char *xml, const char *json)
{
    char *script = NULL;
    size_t len;
    FILE *out = open_memstream(&script, &len);
    if (!out)
        exit(WSK_ERUN);
    for (size_t i = 0; i < wsk_json_count(json, "fans"); i++) {
        char path[32], id[80];
        place p;
        snprintf(path, sizeof path, "fans[%zu].id", i);
        if (!wsk_json_text(json, path, id, sizeof id) || strchr(id, '\'') || !find(xml, id, &p))
            continue;
        fprintf(out, "movers_title[%zu] = '", i + 1);
        title(out, id, &p);
        fputs("'\n", out);
    }
    fclose(out);
    return script;
}
