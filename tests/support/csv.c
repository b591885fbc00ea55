/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/base.h"
#include "tests/support/replay.h"

struct wsk_csv {
    char *text;
    const char **cells;
    int columns, rows;
};

static char *read_all(const char *path, size_t *len)
{
    FILE *f = fopen(path, "rb");
    char *text = NULL;
    size_t room = 0, n = 0, got = 1;
    while (f && got) {
        char *more = n + 65536 + 1 > room ? realloc(text, room = 2 * room + 131072) : text;
        if (!more)
            break;
        text = more;
        got = fread(text + n, 1, 65536, f);
        n += got;
    }
    if (f)
        fclose(f);
    if (text)
        text[n] = 0;
    *len = n;
    return text;
}

static char *cut(char *s, const char **cell, bool *last)
{
    char *out = s;
    *cell = s;
    bool quoted = *s == '"';
    for (s += quoted; *s; s++) {
        if (quoted && *s == '"') {
            if (s[1] != '"') {
                quoted = false;
                continue;
            }
            s++;
        } else if (!quoted && (*s == ',' || *s == '\n' || *s == '\r')) {
            break;
        }
        *out++ = *s;
    }
    char end = *s;
    while (end == '\r' && s[1] == '\n')
        end = *++s;
    *last = end != ',';
    *out = 0;
    return end ? s + 1 : s;
}

wsk_csv *wsk_csv_read(const char *path)
{
    size_t len;
    wsk_csv *csv = calloc(1, sizeof *csv);
    char *text = read_all(path, &len);
    if (!csv || !text) {
        free(text);
        free(csv);
        return NULL;
    }
    csv->text = text;
    size_t commas = 1, n = 0;
    for (size_t i = 0; i < len; i++)
        commas += text[i] == ',' || text[i] == '\n';
    csv->cells = calloc(commas + 1, sizeof *csv->cells);
    bool last = false;
    for (char *s = text; csv->cells && *s;) {
        s = cut(s, &csv->cells[n++], &last);
        if (last && !csv->columns)
            csv->columns = (int)n;
    }
    csv->rows = csv->columns ? (int)n / csv->columns - 1 : 0;
    return csv;
}

void wsk_csv_free(wsk_csv *csv)
{
    if (!csv)
        return;
    free(csv->cells);
    free(csv->text);
    free(csv);
}

int wsk_csv_rows(const wsk_csv *csv)
{
    return csv->rows;
}

const char *wsk_csv_text(const wsk_csv *csv, int row, const char *column)
{
    for (int i = 0; i < csv->columns && row < csv->rows; i++)
        if (strcmp(csv->cells[i], column) == 0)
            return csv->cells[(row + 1) * csv->columns + i];
    return "";
}

double wsk_csv_number(const wsk_csv *csv, int row, const char *column)
{
    double value;
    const char *end, *text = wsk_csv_text(csv, row, column);
    return *text && wsk_parse_number(text, &end, &value) ? value : (double)NAN;
}
