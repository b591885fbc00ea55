/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/kit/xml.h"

#include <math.h>
#include <string.h>

const char *wsk_xml_tag(const char *p, size_t *len)
{
    while ((p = strchr(p, '<')) != NULL) {
        if (!strncmp(p, "<!--", 4)) {
            if (!(p = strstr(p, "-->")))
                return NULL;
            continue;
        }
        bool quoted = false;
        *len = 0;
        while (p[*len] && (quoted || p[*len] != '>'))
            if (p[(*len)++] == '"')
                quoted = !quoted;
        if (p[1] != '/' && p[1] != '?')
            return p;
        p++;
    }
    return NULL;
}

bool wsk_xml_is(const char *tag, const char *element)
{
    size_t n = strlen(element);
    return !strncmp(tag + 1, element, n) && strchr(" \n/>", tag[n + 1]);
}

const char *wsk_xml_attribute(const char *tag, size_t len, const char *name)
{
    size_t n = strlen(name);
    bool quoted = false;
    for (size_t i = 1; i + n + 2 < len; i++) {
        if (tag[i] == '"')
            quoted = !quoted;
        if (!quoted && (tag[i - 1] == ' ' || tag[i - 1] == '\n') && !strncmp(tag + i, name, n) &&
            !strncmp(tag + i + n, "=\"", 2))
            return tag + i + n + 2;
    }
    return NULL;
}

double wsk_xml_sum(const char *xml, const char *element, const char *name)
{
    double sum = NAN;
    size_t len;
    for (const char *p = xml; (p = wsk_xml_tag(p, &len)) != NULL; p++) {
        const char *value = wsk_xml_is(p, element) ? wsk_xml_attribute(p, len, name) : NULL, *end;
        if (!value)
            continue;
        double number = wsk_number_at(value, &end), count = 1;
        if ((value = wsk_xml_attribute(p, len, "count")) != NULL)
            count = wsk_number_at(value, &end);
        if (!isnan(number))
            sum = (isnan(sum) ? 0 : sum) + number * count;
    }
    return sum;
}
