/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/sweep/inner.h"
#include "cli/kit/vary.h"

/* Finds the unit that all values share. False: a value is no number, or the units differ. */
static bool find_unit(wsk_sweep_member *m)
{
    for (size_t i = 0; i < m->values.count; i++) {
        const char *end;
        if (isnan(wsk_number_at(m->values.items[i], &end)))
            return false;
        end += strspn(end, " ");
        if (strlen(end) >= sizeof m->unit || (i && strcmp(end, m->unit) != 0))
            return false;
        snprintf(m->unit, sizeof m->unit, "%s", end);
    }
    return true;
}

/* The value of an attribute of type text is a quantity only if it is in % or rpm, as a fan speed is. */
static bool quantity(const wsk_sweep_member *m)
{
    return !strstr(m->targets, " text ") || !strcmp(m->unit, "%") || !strcmp(m->unit, "rpm");
}

void wsk_sweep_take_targets(wsk_sweep_member *m, const char *targets)
{
    const bool first = !m->targets && *targets;
    for (; *targets; targets = strchr(targets, '\n') + 1) {
        if (m->targets && wsk_cli_has_place(m->targets, targets))
            continue;
        char *grown =
            wsk_cli_format("%s%.*s", m->targets ? m->targets : "", (int)strcspn(targets, "\n") + 1, targets);
        free(m->targets);
        m->targets = grown;
    }
    if (!first || m->continuous)
        return;
    m->number = find_unit(m) && quantity(m);
    if (!m->number)
        m->unit[0] = '\0';
}

bool wsk_sweep_apart(const wsk_sweep_design *d, bool speak)
{
    for (size_t m = 1; m < d->member_count; m++)
        for (size_t other = 0; other < m; other++) {
            const wsk_sweep_member *a = &d->members[other], *b = &d->members[m];
            const char *shared = a->targets && b->targets ? wsk_cli_shared_place(a->targets, b->targets) : NULL;
            if (shared && speak)
                wsk_cli_error(T_("--vary: '%s' is varied twice: '%s' sets %.*s too"), b->path, a->path,
                              (int)strcspn(shared, " "), shared);
            if (shared)
                return false;
        }
    return true;
}

bool wsk_sweep_heeds(const wsk_sweep *s, bool speak)
{
    char *varied = wsk_cli_format("%s", "");
    for (size_t m = 0; m < s->design.member_count; m++) {
        const char *targets = s->design.members[m].targets;
        char *longer = wsk_cli_format("%s%s", varied, targets ? targets : "");
        free(varied);
        varied = longer;
    }
    const bool ok = wsk_cli_sets_heeded(s->whole, &s->rig.sets, varied, speak);
    free(varied);
    return ok;
}

/* Reads PATH=VALUES. sampled: a range LOW:HIGH is continuous, and a step in it is ignored. */
static bool read_member(wsk_sweep_member *m, const char *text, bool sampled)
{
    const char *equals = strchr(text, '='), *unit = NULL;
    double number[3];
    size_t len = 0;
    int parts = sampled && equals && equals > text ? wsk_cli_range(equals + 1, number, &unit, &len) : 0;
    double apart = parts > 0 ? number[1] - number[0] : 0;
    if (len < sizeof m->unit && (parts == 2 ? apart != 0 : parts == 3 && apart * number[2] > 0)) {
        m->continuous = m->number = true;
        m->low = number[0];
        m->high = number[1];
        snprintf(m->unit, sizeof m->unit, "%.*s", (int)len, unit);
    } else {
        if (!wsk_cli_expand(text, &m->values))
            return false;
        for (size_t i = 0; i < m->values.count; i++) {
            const char *assignment = m->values.items[i];
            m->values.items[i] = wsk_cli_format("%s", strchr(assignment, '=') + 1);
            free((void *)(uintptr_t)assignment);
        }
    }
    m->path = wsk_cli_trimmed(text, (size_t)(equals - text));
    return true;
}

static bool levels_differ(const wsk_sweep_design *d, const wsk_sweep_axis *axis, const char *text)
{
    wsk_cli_list levels = {0};
    for (size_t i = 0; i < axis->levels; i++) {
        char *level = wsk_cli_format("%s", d->members[axis->first].values.items[i]);
        for (size_t m = axis->first + 1; m < axis->first + axis->count; m++) {
            char *longer = wsk_cli_format("%s & %s", level, d->members[m].values.items[i]);
            free(level);
            level = longer;
        }
        wsk_cli_push(&levels, level);
    }
    const bool ok = wsk_cli_values_differ(&levels, text);
    wsk_cli_list_free(&levels, 0);
    return ok;
}

/* Reads one --vary. In "A=1,2&B=3,4" the two paths change together: one axis with two members. */
static bool read_axis(wsk_sweep_design *d, wsk_sweep_axis *axis, const char *text, bool sampled)
{
    axis->first = d->member_count;
    for (const char *p = text;; p++) {
        size_t len = strcspn(p, "&");
        char *one = wsk_cli_format("%.*s", (int)len, p);
        wsk_sweep_member *m = &d->members[d->member_count];
        bool ok = read_member(m, one, sampled);
        free(one);
        d->member_count++;
        if (!ok)
            return false;
        axis->count++;
        size_t levels = m->continuous ? 0 : m->values.count;
        if (axis->count > 1 && levels != axis->levels) {
            if (levels && axis->levels)
                wsk_cli_error(
                    T_("--vary '%s': linked axes need equally many values, and '%s' has %zu where the first has %zu"),
                    text, m->path, levels, axis->levels);
            else
                wsk_cli_error(T_("--vary '%s': a range that is sampled is linked with a list"), text);
            return false;
        }
        axis->levels = levels;
        p += len;
        if (!*p)
            return levels_differ(d, axis, text);
    }
}

static size_t count_members(const wsk_cli_list *vary)
{
    size_t n = 0;
    for (size_t i = 0; i < vary->count; i++) {
        n++;
        for (const char *p = vary->items[i]; *p; p++)
            n += *p == '&';
    }
    return n;
}

static bool sample_points(wsk_sweep_design *d, size_t sample, wsk_design how, uint64_t seed)
{
    if (d->axis_count > WSK_DESIGN_DIMENSIONS) {
        wsk_cli_error(T_("--sample: at most %d axes"), WSK_DESIGN_DIMENSIONS);
        return false;
    }
    d->cases = sample;
    d->points = wsk_cli_alloc(sample * d->axis_count * sizeof *d->points);
    wsk_status status = wsk_design_points(how, seed, sample, d->axis_count, d->points);
    if (status != WSK_OK)
        wsk_cli_error(T_("--sample: %s"), T_(wsk_status_text(status)));
    return status == WSK_OK;
}

bool wsk_sweep_lay_out(wsk_sweep_design *d, const wsk_cli_list *vary, size_t sample, wsk_design how, uint64_t seed)
{
    d->members = wsk_cli_alloc(count_members(vary) * sizeof *d->members);
    d->axes = wsk_cli_alloc(vary->count * sizeof *d->axes);
    d->cases = 1;
    for (size_t i = 0; i < vary->count; i++) {
        d->axis_count++;
        if (!read_axis(d, &d->axes[i], vary->items[i], sample > 0))
            return false;
        if (!sample && d->cases > WSK_SWEEP_CASES_MAX / d->axes[i].levels) {
            wsk_cli_error(T_("--vary makes more than %d cases; --sample N takes some of them"), WSK_SWEEP_CASES_MAX);
            return false;
        }
        d->cases *= sample ? 1 : d->axes[i].levels;
    }
    return !sample || sample_points(d, sample, how, seed);
}

void wsk_sweep_design_free(wsk_sweep_design *d)
{
    for (size_t i = 0; d->members && i < d->member_count; i++) {
        free(d->members[i].path);
        free(d->members[i].targets);
        wsk_cli_list_free(&d->members[i].values, 0);
    }
    free(d->members);
    free(d->axes);
    free(d->points);
}

size_t wsk_sweep_level(const wsk_sweep_design *d, size_t axis, size_t i)
{
    if (d->points) {
        size_t level = (size_t)(d->points[i * d->axis_count + axis] * (double)d->axes[axis].levels);
        return level < d->axes[axis].levels ? level : d->axes[axis].levels - 1;
    }
    for (size_t a = d->axis_count; a-- > axis + 1;)
        i /= d->axes[a].levels;
    return i % d->axes[axis].levels;
}

size_t wsk_sweep_cards_key(const wsk_sweep_design *d, size_t i)
{
    size_t key = 0;
    for (size_t a = 0; a < d->axis_count; a++) {
        if (d->axes[a].unlike && !d->axes[a].levels)
            return i;
        if (d->axes[a].unlike)
            key = key * d->axes[a].levels + wsk_sweep_level(d, a, i);
    }
    return key;
}

static size_t axis_of(const wsk_sweep_design *d, size_t member)
{
    size_t a = 0;
    while (member >= d->axes[a].first + d->axes[a].count)
        a++;
    return a;
}

char *wsk_sweep_level_value(const wsk_sweep_design *d, size_t member, size_t level)
{
    const wsk_sweep_member *m = &d->members[member];
    if (m->continuous)
        return wsk_cli_format("%.10g%s", level ? m->high : m->low, m->unit);
    return wsk_cli_format("%s", m->values.items[level]);
}

char *wsk_sweep_value(const wsk_sweep_design *d, size_t member, size_t i)
{
    const wsk_sweep_member *m = &d->members[member];
    size_t axis = axis_of(d, member);
    if (!m->continuous)
        return wsk_sweep_level_value(d, member, wsk_sweep_level(d, axis, i));
    return wsk_cli_format("%.10g%s", m->low + d->points[i * d->axis_count + axis] * (m->high - m->low), m->unit);
}

bool wsk_sweep_telling(const wsk_sweep_design *d, size_t axis, size_t level)
{
    const wsk_sweep_axis *a = &d->axes[axis];
    size_t last = a->levels ? a->levels - 1 : 1;
    if (level == 0 || level == last)
        return true;
    for (size_t m = a->first; level < last && m < a->first + a->count; m++)
        if (!d->members[m].number)
            return true;
    return false;
}
