/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Expands --vary PATH=A,B,C and PATH=LOW:HIGH:STEP to settings PATH=VALUE. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/kit/vary.h"

typedef enum { NO_RANGE, RANGE, BAD_RANGE } range_kind;

/* A unit within a longer text, without the blanks around it. */
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

int wsk_cli_range(const char *text, double number[3], const char **unit, size_t *len)
{
    unit_text u[3] = {{NULL, 0}};
    const char *p = text;
    int parts = 0;
    if (strchr(text, ',')) /* a list of values */
        return 0;
    for (bool more = true; more && parts < 3; parts++) {
        const char *end;
        p += strspn(p, " ");
        number[parts] = wsk_number_at(p, &end);
        if (end == p || (*end == '-' && parts == 0)) /* 2026-08-03 is a date */
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
    int first = parts == 3 && u[0].len == 0 ? (u[1].len ? 1 : 2) : 0; /* index of the first number with a unit */
    *unit = u[first].text;
    *len = u[first].len;
    if (parts < 3) /* neither 08:00, a time of day, nor 40degC:30%, a point of a curve */
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

/* Writes what is wrong with a range, with a valid example; "" if the range is valid. */
static void range_flaw(const char *text, int parts, const double number[3], const char *unit, size_t len,
                       char out[200])
{
    int n = (int)len;
    double steps = parts == 3 ? (number[1] - number[0]) / number[2] : 0;
    out[0] = '\0';
    if (parts == -2)
        snprintf(out, 200, "its units differ; expected one, as in 200W:350W:10W");
    else if (parts == -1)
        snprintf(out, 200, "a unit is missing; did you mean %.10g%.*s:%.10g%.*s:%.10g%.*s", number[0], n, unit,
                 number[1], n, unit, number[2], n, unit);
    else if (parts == 2 && number[0] == number[1])
        snprintf(out, 200, "its ends are the same; expected such as %.10g%.*s alone", number[0], n, unit);
    else if (parts == 2)
        snprintf(out, 200, "it has no step; expected such as %.40s:%.4g%.*s", text, (number[1] - number[0]) / 4, n,
                 unit);
    else if (number[2] == 0)
        snprintf(out, 200, "its step is 0; expected one that leads from LOW to HIGH");
    else if (steps < 0)
        snprintf(out, 200, "its step leads away from %.10g%.*s; expected %.10g%.*s:%.10g%.*s:%.10g%.*s", number[1], n,
                 unit, number[0], n, unit, number[1], n, unit, -number[2], n, unit);
    else if (!(steps <= WSK_CLI_CASES_MAX))
        snprintf(out, 200, "it makes more than %d cases; expected a larger step", WSK_CLI_CASES_MAX);
}

/* Appends the values of a range such as "18degC:32degC:2K". `vary`: the whole value of --vary, for messages. */
static range_kind range(const char *vary, const char *text, wsk_cli_list *values)
{
    double number[3];
    const char *unit;
    size_t len;
    char flaw[200];
    int parts = wsk_cli_range(text, number, &unit, &len);
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

bool wsk_cli_expand(const char *text, wsk_cli_list *values)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text || !equals[1]) {
        wsk_cli_error(T_("--vary '%s': expected PATH=VALUE,VALUE or PATH=LOW:HIGH:STEP"), text);
        return false;
    }
    int path = (int)(equals - text);
    for (const char *p = equals + 1;; p++) {
        size_t len = strcspn(p, ",");
        char *item = wsk_cli_trimmed(p, len);
        wsk_cli_list many = {0};
        range_kind kind = range(text, item, &many);
        if (kind == NO_RANGE && !*item) {
            wsk_cli_error(T_("--vary '%s': a value is missing beside a comma"), text);
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
