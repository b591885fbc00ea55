/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/kit/vary.h"
#include "cli/optimise/optimise.h"

enum { GROUPS_MAX = WSK_SETTINGS_MAX + 1 }; /* one more than there may be settings, so that too many are refused */
typedef struct {
    int first;
    char *ids;
    size_t count;
} group;

static size_t find_groups(const wsk_elements *list, const char *element, const char *attribute, group *out)
{
    size_t n = 0, place = 0;
    for (int i = -1; (i = wsk_elements_next(list, element, i, -1)) >= 0; place++) {
        size_t g = 0;
        while (g < n && !wsk_choices_equal(list, out[g].first, i, attribute))
            g++;
        if (g == GROUPS_MAX)
            continue;
        if (g == n)
            out[n++] = (group){.first = i, .ids = wsk_cli_format("%s", "")};
        char *longer = wsk_cli_format("%s%s%zu", out[g].ids, out[g].count ? "," : "", place);
        free(out[g].ids);
        out[g].ids = longer;
        out[g].count++;
    }
    return n;
}

static double round_step(double v)
{
    const double ten = pow(10, floor(log10(v) + 1e-9)), lead = v / ten;
    return ten * (lead <= 1 + 1e-9 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10);
}

/* Step of a range LOW:HIGH that states none: 1/60 of the range, rounded up to 1, 2 or 5 times a power of ten; for
 * watts at least 5 W. */
static double usual_step(double low, double high, const char *unit, size_t len)
{
    const double step = round_step(fabs(high - low) / 60);
    return len == 1 && *unit == 'W' ? fmax(step, 5) : step;
}

/* Adds first, first + step and so on, up to last, to the values of a setting. */
static void push_steps(wsk_cli_list *values, double first, double last, double step, const char *unit, size_t len)
{
    for (int i = 0; first + i * step <= last + 1e-9 * step; i++)
        wsk_cli_push(values, wsk_cli_format("%.10g%.*s", first + i * step, (int)len, unit));
}

/* Adds the values of a range that states its step: those that --vary makes of it, in rising order. */
static void push_stated(const char *over, wsk_cli_list *values, const double number[3], const char *unit, size_t len)
{
    const double step = fabs(number[2]), range = fabs(number[1] - number[0]),
                 whole = step * floor(range / step + 1e-9),
                 first = number[0] < number[1] ? number[0] : number[0] - whole;
    push_steps(values, first, first + whole, step, unit, len);
    if (range - whole > 1e-9 * step)
        wsk_cli_note(T_("--over '%s': the steps end at %.10g%.*s, before %.10g%.*s"), over,
                     number[0] < number[1] ? first + whole : first, (int)len, unit, number[1], (int)len, unit);
}

/* Adds the values of a range without a step: round ones and both ends. */
static void push_range(wsk_cli_list *values, const double number[3], const char *unit, size_t len)
{
    const double low = fmin(number[0], number[1]), high = fmax(number[0], number[1]), step = fabs(number[2]),
                 first = ceil(low / step - 1e-9) * step;
    const int n = (int)len;
    if (first - low > 1e-9 * step)
        wsk_cli_push(values, wsk_cli_format("%.10g%.*s", low, n, unit));
    push_steps(values, first, high, step, unit, len);
    const double last = first + floor((high - first) / step + 1e-9) * step;
    if (high - last > 1e-9 * step)
        wsk_cli_push(values, wsk_cli_format("%.10g%.*s", high, n, unit));
}

static bool are_ordered(const wsk_cli_list *values)
{
    const char *unit = NULL;
    double before = -INFINITY;
    bool ordered = values->count > 2;
    for (size_t i = 0; i < values->count && ordered; i++) {
        const char *end;
        const double v = wsk_number_at(values->items[i], &end);
        ordered = !isnan(v) && v > before && (!unit || !strcmp(unit, end));
        unit = end;
        before = v;
    }
    return ordered;
}

static void split_list(const char *text, wsk_cli_list *values)
{
    for (const char *p = text;; p++) {
        bool quoted = false;
        size_t n = 0;
        for (; p[n] && (quoted || p[n] != ','); n++)
            quoted ^= p[n] == '"';
        char *item = wsk_cli_trimmed(p, n);
        const size_t len = strlen(item);
        if (len >= 2 && item[0] == '"' && item[len - 1] == '"') {
            memmove(item, item + 1, len - 2);
            item[len - 2] = '\0';
        }
        wsk_cli_push(values, item);
        p += n;
        if (!*p)
            break;
    }
}

/* Adds the setting `path` with these values. of not NULL: the setting is `attribute` of the elements of that group, and
 * each value becomes one assignment for each of them. */
static int add_setting(wsk_choices *c, const char *path, const group *of, const char *element, const char *attribute,
                       const wsk_cli_list *values, bool ordered)
{
    char *name = of ? wsk_cli_format("%s[%s].%s", element, of->ids, attribute) : wsk_cli_format("%s", path);
    wsk_setting *s = wsk_choices_open(c, name);
    free(name);
    if (!s)
        return WSK_EUSAGE;
    wsk_chosen *mine = &c->of[c->count - 1];
    s->ordered = ordered;
    if (!of)
        c->paths[c->count - 1] = wsk_cli_format("%s", path);
    for (size_t i = 0; i < values->count; i++) {
        if (!of) {
            wsk_cli_push(&mine->values, wsk_cli_format("%s", values->items[i]));
            continue;
        }
        char *lines = wsk_cli_format("%s", "");
        for (const char *id = of->ids; *id; id += strcspn(id, ",") + (id[strcspn(id, ",")] == ',')) {
            char *longer = wsk_cli_format("%s%s[%.*s].%s=%s\n", lines, element, (int)strcspn(id, ","), id, attribute,
                                          values->items[i]);
            free(lines);
            lines = longer;
        }
        wsk_cli_push(&mine->values, lines);
        wsk_cli_push(&mine->shown, wsk_cli_format("%s", values->items[i]));
    }
    wsk_choices_close(c);
    return WSK_OK;
}

static int add_groups(wsk_choices *c, const char *path, const wsk_rig *base, const wsk_cli_list *values, bool ordered)
{
    const char *star = strstr(path, "[*].");
    const wsk_elements *list = NULL;
    group groups[GROUPS_MAX];
    /* Groups are named by the places of all elements of the rig, so a path within one chassis is no list of groups. */
    if (!star || strcspn(path, ".") < (size_t)(star - path) || strchr(star + 4, '.'))
        return add_setting(c, path, NULL, NULL, NULL, values, ordered);
    list = wsk_cli_elements(base);
    char *element = wsk_cli_format("%.*s", (int)(star - path), path);
    const size_t n = find_groups(list, element, star + 4, groups);
    int code = n < 2 ? add_setting(c, path, NULL, NULL, NULL, values, ordered) : WSK_OK;
    for (size_t i = 0; i < n && n > 1 && code == WSK_OK; i++)
        code = add_setting(c, path, &groups[i], element, star + 4, values, ordered);
    for (size_t i = 0; i < n; i++)
        free(groups[i].ids);
    wsk_elements_free(list);
    free(element);
    return code;
}

static int try_value(const wsk_choices *c, size_t setting, size_t level, const char *path,
                     const wsk_cli_rig_options *rig, const wsk_rig *base, int show)
{
    const int levels[1] = {(int)level};
    const wsk_optimise_options o = {.settings = &c->items[setting], .setting_count = 1};
    int code;
    wsk_rig_free(wsk_choices_load(&o, levels, path, rig, base, show, &code));
    return code;
}

/* The rig must be valid with the first or the last value of each new setting. */
static int try_ends(const wsk_choices *c, size_t first, const char *path, const wsk_cli_rig_options *rig,
                    const wsk_rig *base)
{
    int code = WSK_OK;
    for (size_t i = first; i < c->count && code == WSK_OK; i++)
        if (try_value(c, i, 0, path, rig, base, -1) != WSK_OK &&
            try_value(c, i, c->items[i].count - 1, path, rig, base, -1) != WSK_OK)
            code = try_value(c, i, 0, path, rig, base, 0);
    return code;
}

int wsk_choices_add(wsk_choices *c, const char *text, const char *path, const wsk_cli_rig_options *rig,
                    const wsk_rig *base)
{
    const char *equals = strchr(text, '='), *unit = NULL;
    double number[3] = {0};
    size_t len = 0;
    const size_t first = c->count;
    if (!equals && wsk_choices_special(text)) {
        const int code = wsk_choices_add_special(c, text, path, rig, base);
        return code == WSK_OK ? try_ends(c, first, path, rig, base) : code;
    }
    if (!equals || equals == text || !equals[1]) {
        wsk_cli_error(T_("--over '%s': expected PATH=LOW:HIGH, PATH=LOW:HIGH:STEP or PATH=A,B"), text);
        return WSK_EUSAGE;
    }
    char *where = wsk_cli_trimmed(text, (size_t)(equals - text));
    wsk_cli_list values = {0};
    /* A number of cards gets the step 1, because "1:4" alone could be a time of day. */
    char *range = wsk_cli_format(wsk_choices_counts(where) && !strchr(equals, ',') ? "%s:1" : "%s", equals + 1);
    int parts = wsk_cli_range(range, number, &unit, &len);
    if (wsk_choices_counts(where) && !parts)
        parts = wsk_cli_range(equals + 1, number, &unit, &len);
    int code = WSK_OK;
    bool ordered = parts > 0;
    if (parts == 2)
        number[2] = number[0] < number[1] || number[0] > number[1] ? usual_step(number[0], number[1], unit, len) : 0;
    if (parts < 0 || (parts > 0 && !(fabs(number[2]) > 0 && fabs(number[1] - number[0]) / fabs(number[2]) < 1e5))) {
        wsk_cli_error(
            T_("--over '%s': expected two different ends in one unit, such as 200W:350W, and a step in it if any, "
               "such as 200W:350W:10W"),
            text);
        code = WSK_EUSAGE;
    } else if (parts == 3) {
        push_stated(text, &values, number, unit, len);
    } else if (parts > 0) {
        push_range(&values, number, unit, len);
    } else if (strstr(equals + 1, "/*")) {
        code = wsk_choices_parts(&values, where, equals + 1, path, rig, base);
    } else {
        split_list(equals + 1, &values);
        ordered = are_ordered(&values);
    }
    if (code == WSK_OK && ordered && wsk_choices_by_hour(where))
        code = wsk_choices_add_by_hour(c, where, &values, base);
    else if (code == WSK_OK && wsk_choices_counts(where))
        code = wsk_choices_add_counts(c, where, &values, path, rig, base);
    else if (code == WSK_OK)
        code = add_groups(c, where, base, &values, ordered);
    for (size_t i = first; i < c->count; i++)
        c->of[i].numbers = parts > 0 && !wsk_choices_counts(where);
    if (code == WSK_OK)
        code = try_ends(c, first, path, rig, base);
    wsk_cli_list_free(&values, 0);
    free(range);
    free(where);
    return code;
}
