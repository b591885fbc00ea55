/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads single values out of the JSON that the library writes, by walking the text; no tree is built. */
#include <math.h>
#include <string.h>

#include "cli/kit/cli.h"

static const char *space(const char *p)
{
    return p + strspn(p, " \t\r\n");
}

/* Behind the string that begins at p, or NULL. */
static const char *skip_string(const char *p)
{
    for (p++; *p && *p != '"'; p++)
        if (*p == '\\' && !*++p)
            return NULL;
    return *p ? p + 1 : NULL;
}

/* Behind the value that begins at p, or NULL. Brackets only nest inside, so counting is enough. */
static const char *skip_value(const char *p)
{
    int depth = 0;
    do {
        p = space(p);
        if (*p == '"') {
            if (!(p = skip_string(p)))
                return NULL;
        } else if (*p == '{' || *p == '[') {
            depth++, p++;
        } else if (*p == '}' || *p == ']') {
            depth--, p++;
        } else if (*p == ',' || *p == ':') {
            if (!depth)
                return NULL;
            p++;
        } else {
            size_t len = strcspn(p, ",:]} \t\r\n\"");
            if (!len)
                return NULL;
            p += len;
        }
    } while (depth > 0);
    return p;
}

static const char *member(const char *p, const char *name, size_t len)
{
    if (*p != '{')
        return NULL;
    p = space(p + 1);
    while (*p == '"') {
        const char *key = p + 1, *end = skip_string(p);
        if (!end)
            return NULL;
        bool match = (size_t)(end - 1 - key) == len && !memcmp(key, name, len);
        p = space(end);
        if (*p != ':')
            return NULL;
        p = space(p + 1);
        if (match)
            return p;
        if (!(p = skip_value(p)))
            return NULL;
        p = space(p);
        if (*p == ',')
            p = space(p + 1);
    }
    return NULL;
}

static const char *element(const char *p, size_t index)
{
    if (*p != '[')
        return NULL;
    p = space(p + 1);
    for (; *p && *p != ']'; index--) {
        if (!index)
            return p;
        if (!(p = skip_value(p)))
            return NULL;
        p = space(p);
        if (*p == ',')
            p = space(p + 1);
    }
    return NULL;
}

const char *wsk_json_find(const char *json, const char *path)
{
    const char *p = space(json);
    while (p && *path) {
        if (*path == '[') {
            size_t index = 0;
            for (path++; *path >= '0' && *path <= '9'; path++)
                index = 10 * index + (size_t)(*path - '0');
            path++; /* ] */
            p = element(p, index);
        } else {
            size_t len = strcspn(path, ".[");
            p = member(p, path, len);
            path += len;
        }
        if (*path == '.')
            path++;
    }
    return p;
}

double wsk_json_number(const char *json, const char *path)
{
    const char *p = wsk_json_find(json, path), *end;
    return p ? wsk_number_at(p, &end) : NAN;
}

bool wsk_json_text(const char *json, const char *path, char *out, size_t size)
{
    const char *p = wsk_json_find(json, path);
    if (!p || *p != '"')
        return false;
    size_t n = 0;
    for (p++; *p && *p != '"'; p++) {
        if (*p == '\\') {
            static const char from[] = "nrtbf", to[] = "\n\r\t\b\f";
            p++;
            const char *which = *p ? strchr(from, *p) : NULL;
            if (*p == 'u') { /* the library escapes control characters only */
                p += strspn(p + 1, "0123456789abcdefABCDEF") >= 4 ? 4 : 0;
                continue;
            }
            if (n + 1 >= size || !*p)
                return false;
            out[n++] = which ? to[which - from] : *p;
            continue;
        }
        if (n + 1 >= size)
            return false;
        out[n++] = *p;
    }
    out[n] = '\0';
    return true;
}

bool wsk_json_true(const char *json, const char *path)
{
    const char *value = wsk_json_find(json, path);
    return value && strncmp(value, "true", 4) == 0;
}

size_t wsk_json_count(const char *json, const char *path)
{
    const char *p = wsk_json_find(json, path);
    size_t n = 0;
    while (p && *p == '[' && element(p, n))
        n++;
    return n;
}

void wsk_json_quote(FILE *out, const char *text)
{
    wsk_buf quoted = {0};
    wsk_buf_json(&quoted, text);
    fputs(quoted.failed ? "null" : quoted.data, out);
    wsk_buf_free(&quoted);
}

/* The program never calls the locale's setter, so printf writes a point. */
void wsk_json_put_number(FILE *out, double value)
{
    if (isfinite(value))
        fprintf(out, "%.10g", value);
    else
        fputs("null", out);
}
