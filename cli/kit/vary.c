/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/kit/vary.h"

typedef enum { NO_RANGE, RANGE, BAD_RANGE } range_kind;

typedef struct {
    const char *text;
    size_t len;
} unit_text;

static bool same_unit(unit_text a, unit_text b)
{
    return a.len == b.len && memcmp(a.text, b.text, a.len) == 0;
}

/* Size of a degree of a temperature unit, K; 0: not a temperature unit. */
static double degree_k(unit_text u)
{
    static const char *const celsius[] = {"K", "degC",
                                          "\xC2\xB0"
                                          "C",
                                          "\xC2\xBA"
                                          "C",
                                          "\xE2\x84\x83"},
                             *const fahrenheit[] = {"degF",
                                                    "\xC2\xB0"
                                                    "F",
                                                    "\xC2\xBA"
                                                    "F",
                                                    "\xE2\x84\x89"};
    for (size_t i = 0; i < sizeof celsius / sizeof *celsius; i++)
        if (same_unit(u, (unit_text){celsius[i], strlen(celsius[i])}))
            return 1;
    for (size_t i = 0; i < sizeof fahrenheit / sizeof *fahrenheit; i++)
        if (same_unit(u, (unit_text){fahrenheit[i], strlen(fahrenheit[i])}))
            return 5. / 9;
    return 0;
}

static bool timed_point(const char *text)
{
    const size_t hour = strspn(text, "0123456789");
    const char *minute = text + hour + 1;
    return hour >= 1 && hour <= 2 && text[hour] == ':' && strspn(minute, "0123456789") == 2 && minute[2] == ':';
}

int wsk_cli_range(const char *text, double number[3], const char **unit, size_t *len)
{
    unit_text u[3] = {{NULL, 0}};
    const char *p = text;
    int parts = 0;
    if (strchr(text, ',') || timed_point(text)) /* a list of values or a curve is no range */
        return 0;
    for (bool more = true; more && parts < 3; parts++) {
        const char *end;
        p += strspn(p, " ");
        number[parts] = wsk_number_at(p, &end);
        if (end == p || (*end == '-' && parts == 0)) /* a date such as 2026-08-03 is no range */
            return 0;
        end += strspn(end, " ");
        size_t n = strcspn(end, ":");
        more = end[n] == ':';
        p = end + n + 1;
        if (more && parts == 2)
            return 0;
        while (n > 0 && end[n - 1] == ' ')
            n--;
        u[parts] = (unit_text){end, n};
    }
    int first = parts == 3 && u[0].len == 0 ? (u[1].len ? 1 : 2) : 0;
    *unit = u[first].text;
    *len = u[first].len;
    /* Two numbers are a range only if their units are equal. 08:00 is a time of day, and 40degC:30% a point of a
     * curve. */
    if (parts < 3)
        return parts == 2 && *len > 0 && same_unit(u[0], u[1]) ? 2 : 0;
    double end_k = degree_k(u[0]), step_k = degree_k(u[2]);
    if (end_k > 0 && step_k > 0)
        number[2] *= step_k / end_k;
    if (same_unit(u[0], u[1]) && (same_unit(u[0], u[2]) || (end_k > 0 && step_k > 0)))
        return 3;
    for (int i = 0; i < 3; i++)
        if (u[i].len && !same_unit(u[i], u[first]))
            return -2;
    return -1;
}

/* True if the text is a range with '-' instead of ':', such as 200W-350W or 200-350W. A date such as 2026-08-03 is
 * none, because a second '-' follows. */
static bool dashed_range(const char *text, double number[2], const char **unit, size_t *len)
{
    const char *end, *last;
    number[0] = wsk_number_at(text, &end);
    end += strspn(end, " ");
    const size_t first = strcspn(end, "-"), trimmed = first - (first > 0 && end[first - 1] == ' ');
    if (end == text || end[first] != '-')
        return false;
    const char *second = end + first + 1 + strspn(end + first + 1, " ");
    number[1] = wsk_number_at(second, &last);
    last += strspn(last, " ");
    *unit = last;
    *len = strlen(last);
    return last > second && *len > 0 && !strpbrk(last, "-:") &&
           (trimmed == 0 || same_unit((unit_text){end, trimmed}, (unit_text){last, *len}));
}

/* True if the text is a point of a curve: 30degC:1000rpm, or 7:00:250W with a time of day. A time alone (16:00) or a
 * date is no such point. */
static bool curve_point(const char *text)
{
    const char *end;
    const double x = wsk_number_at(text, &end);
    end += strspn(end, " ");
    const size_t unit = strcspn(end, ":");
    return !isnan(x) && end[unit] == ':' && (unit ? strcspn(end, "-0123456789") >= unit : timed_point(text));
}

static void range_flaw(const char *text, int parts, const double number[3], const char *unit, size_t len,
                       char out[200])
{
    int n = (int)len;
    double steps = parts == 3 ? (number[1] - number[0]) / number[2] : 0;
    out[0] = '\0';
    if (parts == -2)
        snprintf(out, 200, T_("its units differ; expected one, as in 200W:350W:10W"));
    else if (parts == -1)
        snprintf(out, 200, T_("a unit is missing; did you mean %.10g%.*s:%.10g%.*s:%.10g%.*s"), number[0], n, unit,
                 number[1], n, unit, number[2], n, unit);
    else if (parts == 2 && number[0] == number[1])
        snprintf(out, 200, T_("its ends are the same; expected such as %.10g%.*s alone"), number[0], n, unit);
    else if (parts == 2)
        snprintf(out, 200, T_("it has no step; expected such as %.40s:%.4g%.*s"), text, (number[1] - number[0]) / 4,
                 n, unit);
    else if (number[2] == 0)
        snprintf(out, 200, T_("its step is 0; expected one that leads from LOW to HIGH"));
    else if (steps < 0)
        snprintf(out, 200, T_("its step leads away from %.10g%.*s; expected %.10g%.*s:%.10g%.*s:%.10g%.*s"),
                 number[1], n, unit, number[0], n, unit, number[1], n, unit, -number[2], n, unit);
    else if (!(steps <= WSK_CLI_CASES_MAX))
        snprintf(out, 200, T_("it makes more than %d cases; expected a larger step"), WSK_CLI_CASES_MAX);
}

static range_kind range(const char *vary, const char *text, wsk_cli_list *values)
{
    double number[3];
    const char *unit;
    size_t len;
    char flaw[200];
    int parts = wsk_cli_range(text, number, &unit, &len);
    if (!parts && dashed_range(text, number, &unit, &len)) {
        wsk_cli_error(T_("--vary '%s': ranges are LOW:HIGH:STEP; expected such as %.10g%.*s:%.10g%.*s:%.4g%.*s"),
                      vary, number[0], (int)len, unit, number[1], (int)len, unit, (number[1] - number[0]) / 4,
                      (int)len, unit);
        return BAD_RANGE;
    }
    if (!parts)
        return NO_RANGE;
    range_flaw(text, parts, number, unit, len, flaw);
    if (*flaw) {
        wsk_cli_error(T_("--vary '%s': '%s' is no range LOW:HIGH:STEP: %s"), vary, text, flaw);
        return BAD_RANGE;
    }
    double steps = (number[1] - number[0]) / number[2], whole = floor(steps + 1e-9);
    for (int i = 0; i <= (int)whole; i++)
        wsk_cli_push(values, wsk_cli_format("%.10g%.*s", number[0] + i * number[2], (int)len, unit));
    if (steps - whole > 1e-9)
        wsk_cli_note(T_("--vary '%s': the steps end at %s, before %.10g%.*s"), vary, values->items[values->count - 1],
                     number[1], (int)len, unit);
    return RANGE;
}

char *wsk_cli_trimmed(const char *text, size_t len)
{
    size_t skip = 0;
    while (skip < len && text[skip] == ' ')
        skip++;
    while (len > skip && text[len - 1] == ' ')
        len--;
    return wsk_cli_format("%.*s", (int)(len - skip), text + skip);
}

static size_t value_len(const char *p)
{
    bool quoted = false;
    size_t n = 0;
    for (; p[n] && (quoted || p[n] != ','); n++)
        quoted ^= p[n] == '"';
    return n;
}

static char *one_value(const char *p, size_t len, bool *quoted)
{
    char *item = wsk_cli_trimmed(p, len);
    const size_t n = strlen(item);
    *quoted = n >= 2 && item[0] == '"' && item[n - 1] == '"';
    if (*quoted) {
        memmove(item, item + 1, n - 2);
        item[n - 2] = '\0';
    }
    return item;
}

bool wsk_cli_expand(const char *text, wsk_cli_list *values)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text || !equals[1]) {
        wsk_cli_error(T_("--vary '%s': expected PATH=VALUE,VALUE or PATH=LOW:HIGH:STEP"), text);
        return false;
    }
    int path = (int)(equals - text);
    for (const char *p = equals + 1;; p++) {
        size_t len = value_len(p);
        bool quoted;
        char *item = one_value(p, len, &quoted);
        wsk_cli_list many = {0};
        range_kind kind = quoted ? NO_RANGE : range(text, item, &many);
        if (kind == NO_RANGE && !*item) {
            wsk_cli_error(T_("--vary '%s': a value is missing beside a comma"), text);
            kind = BAD_RANGE;
        } else if (kind == NO_RANGE && !quoted && strchr(equals, ',') && curve_point(item)) {
            wsk_cli_error(T_("--vary '%s': a comma separates values, and '%s' is a point of a curve; expected each "
                             "curve in double quotes: '%.*s=\"30degC:1000rpm,80degC:3000rpm\",\"...\"'"),
                          text, item, path, text);
            kind = BAD_RANGE;
        }
        if (kind == NO_RANGE)
            wsk_cli_push(&many, wsk_cli_format("%s", item));
        for (size_t i = 0; i < many.count; i++) {
            wsk_cli_push(values, wsk_cli_format("%.*s=%s", path, text, many.items[i]));
        }
        wsk_cli_list_free(&many, 0);
        free(item);
        if (kind == BAD_RANGE)
            return false;
        p += len;
        if (!*p)
            break;
    }
    return true;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

bool wsk_cli_values_differ(const wsk_cli_list *values, const char *vary)
{
    const char **sorted = wsk_cli_alloc((values->count + 1) * sizeof *sorted), *twice = NULL;
    for (size_t i = 0; i < values->count; i++)
        sorted[i] = values->items[i];
    if (values->count)
        qsort(sorted, values->count, sizeof *sorted, by_text);
    for (size_t i = 1; i < values->count && !twice; i++)
        twice = strcmp(sorted[i - 1], sorted[i]) ? NULL : sorted[i];
    if (twice)
        wsk_cli_error(T_("--vary '%1$s': '%2$s' is there twice; expected different values"), vary, twice);
    free(sorted);
    return !twice;
}

bool wsk_cli_has_place(const char *lines, const char *line)
{
    const char *place = strchr(strchr(line, ' ') + 1, ' ');
    size_t len = strcspn(place, "\n") + 1;
    for (; *lines; lines = strchr(lines, '\n') + 1)
        if (!strncmp(strchr(strchr(lines, ' ') + 1, ' '), place, len))
            return true;
    return false;
}

const char *wsk_cli_shared_place(const char *a, const char *b)
{
    for (const char *line = a; *line; line = strchr(line, '\n') + 1)
        if (wsk_cli_has_place(b, line))
            return line;
    return NULL;
}

bool wsk_cli_sets_heeded(const wsk_rig *rig, const wsk_cli_list *sets, const char *varied, bool speak)
{
    for (size_t i = 0; i < sets->count; i++) {
        const char *lines = wsk_rig_assigned(rig, i);
        bool all = *lines != '\0';
        for (const char *line = lines; *line; line = strchr(line, '\n') + 1)
            all = all && wsk_cli_has_place(varied, line);
        if (all && speak)
            wsk_cli_error(T_("'%1$s' has no effect: --vary changes the same value; expected one of them"),
                          sets->items[i]);
        if (all)
            return false;
    }
    return true;
}
