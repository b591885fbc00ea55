/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values of the run's summary by their paths. No other file of the drawing reads JSON. */
#include <stdarg.h>
#include <stdio.h>

#include "cli/kit/cli.h"
#include "draw/report.h"

double wsk_report_json(const wsk_report *r, const char *path, ...)
{
    char where[96];
    va_list args;
    va_start(args, path);
    vsnprintf(where, sizeof where, path, args);
    va_end(args);
    return wsk_json_number(r->json, where);
}

void wsk_report_json_text(const wsk_report *r, char *out, size_t size, const char *path, ...)
{
    char where[96];
    va_list args;
    va_start(args, path);
    vsnprintf(where, sizeof where, path, args);
    va_end(args);
    if (!wsk_json_text(r->json, where, out, size))
        out[0] = '\0';
}

size_t wsk_report_count(const wsk_report *r, const char *list)
{
    return wsk_json_count(r->json, list);
}

bool wsk_report_true(const wsk_report *r, const char *path)
{
    return wsk_json_true(r->json, path);
}

bool wsk_report_has(const wsk_report *r, const char *path)
{
    return wsk_json_find(r->json, path) != NULL;
}
