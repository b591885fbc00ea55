/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/kit/card.h"
#include "cli/kit/expr_code.h"
#include "cli/kit/vary.h"
#include "cli/optimise/optimise.h"

bool wsk_choices_special(const char *path)
{
    return wsk_choices_ends(path, "gpu[*].slot") || wsk_choices_ends(path, ".curve") ||
           wsk_choices_ends(path, "fan-curve") || wsk_choices_ends(path, "load-curve");
}

enum { CARDS_MAX = 64, PLACES_MAX = 200 }; /* a chassis has at most 64 slots */
typedef struct {
    size_t cards, slots;
    size_t wide[CARDS_MAX];
    size_t kind[CARDS_MAX]; /* index of the first equal card; the order of equal cards does not matter */
    size_t at[CARDS_MAX];
    wsk_cli_list lines, shown;
} placing;

/* Lists all placements of the cards from `next` on, given the slots of the cards before. A card must be in a higher
 * slot than all equal cards before it, so that no placement is listed twice. */
static void place_rest(placing *p, size_t next)
{
    if (p->lines.count > PLACES_MAX)
        return;
    if (next == p->cards) {
        char *lines = wsk_cli_format("%s", ""), *shown = wsk_cli_format("%s", "");
        for (size_t i = 0; i < p->cards; i++) {
            char *longer = wsk_cli_format("%sgpu[%zu].slot=%zu\n", lines, i, p->at[i]),
                 *more = wsk_cli_format("%s%s%zu", shown, i ? "," : "", p->at[i]);
            free(lines);
            free(shown);
            lines = longer;
            shown = more;
        }
        wsk_cli_push(&p->lines, lines);
        wsk_cli_push(&p->shown, shown);
        return;
    }
    size_t needed = 0; /* slots for this card and the equal ones after it, all of which come higher */
    for (size_t i = next; i < p->cards; i++)
        needed += p->kind[i] == p->kind[next] ? p->wide[i] : 0;
    for (size_t at = 1; at + needed <= p->slots + 1; at++) {
        bool free_place = true;
        for (size_t i = 0; i < next && free_place; i++)
            free_place = (at >= p->at[i] + p->wide[i] || p->at[i] >= at + p->wide[next]) &&
                         (p->kind[i] != p->kind[next] || at > p->at[i]);
        p->at[next] = at;
        if (free_place)
            place_rest(p, next + 1);
    }
}

static bool read_cards(placing *p, const wsk_elements *list)
{
    const int chassis = wsk_elements_next(list, "chassis", -1, -1);
    int element[CARDS_MAX];
    p->slots = (size_t)fmax(wsk_elements_number(list, chassis, "slots"), 0);
    for (int i = -1; (i = wsk_elements_next(list, "gpu", i, -1)) >= 0 && p->cards < CARDS_MAX; p->cards++) {
        const double wide = wsk_cli_slots_covered(list, i, chassis);
        /* of a card on a riser only the connector is in a slot */
        p->wide[p->cards] = wsk_elements_number(list, i, "riser") > 0 ? 1 : wide > 0 ? (size_t)wide : 2;
        element[p->cards] = i;
        size_t *kind = &p->kind[p->cards];
        for (*kind = 0; !wsk_choices_equal(list, element[*kind], i, "slot");)
            ++*kind;
    }
    return p->cards > 0 && p->slots > 0 && wsk_elements_next(list, "chassis", chassis, -1) < 0;
}

static int add_slots(wsk_choices *c, const char *name, const char *path, const wsk_cli_rig_options *rig,
                     const wsk_rig *base)
{
    placing p = {0};
    const wsk_elements *list = wsk_cli_elements(base);
    int code = WSK_OK;
    const bool readable = read_cards(&p, list);
    wsk_elements_free(list);
    if (!readable) {
        wsk_cli_error(T_("--over '%s': places can be chosen for the cards of one chassis with slots"), name);
        code = WSK_EUSAGE;
    } else {
        place_rest(&p, 0);
        if (p.lines.count > PLACES_MAX) {
            wsk_cli_error(T_("--over '%s': more than %d placements"), name, PLACES_MAX);
            code = WSK_EUSAGE;
        }
    }
    wsk_setting *s = code == WSK_OK ? wsk_choices_open(c, name) : NULL;
    for (size_t i = 0; s && code == WSK_OK && i < p.lines.count; i++) {
        wsk_rig *loaded;
        if (wsk_choices_try(p.lines.items[i], path, rig, base, &loaded, &code)) {
            wsk_cli_push(&c->of[c->count - 1].values, wsk_cli_format("%s", p.lines.items[i]));
            wsk_cli_push(&c->of[c->count - 1].shown, wsk_cli_format("%s", p.shown.items[i]));
        }
        wsk_rig_free(loaded);
    }
    if (s)
        wsk_choices_close(c);
    if (s && code == WSK_OK && s->count == 0) {
        wsk_cli_error(T_("--over '%s': the cards fit nowhere"), name);
        code = WSK_EINPUT;
    }
    wsk_cli_list_free(&p.lines, 0);
    wsk_cli_list_free(&p.shown, 0);
    return s || code != WSK_OK ? code : WSK_EUSAGE;
}

/* Returns the sensor of the fan that the path names by its index, as in fan[1].curve. If the path names none, or a fan
 * without a sensor, returns the sensor of the first fan that has one. NULL: no fan follows a sensor. */
static const char *find_sensor(const wsk_elements *list, const char *path)
{
    static const char fan[] = "fan[";
    const char *end = path, *first = NULL;
    const double named = strncmp(path, fan, strlen(fan)) == 0 ? wsk_number_at(path + strlen(fan), &end) : NAN;
    double place = 0;
    for (int i = -1; (i = wsk_elements_next(list, "fan", i, -1)) >= 0; place++) {
        const char *sensor = wsk_elements_text(list, i, "sensor");
        if (!sensor || strcmp(sensor, "none") == 0)
            continue;
        if (*end == ']' && fabs(named - place) < 0.5)
            return sensor;
        first = first ? first : sensor;
    }
    return first;
}

/* Highest speed of the cards' own fans, rpm; 0: no card has one. */
static double find_fastest_rpm(const wsk_elements *list)
{
    double most = 0;
    for (int i = -1; (i = wsk_elements_next(list, "cooler", i, -1)) >= 0;) {
        const double rpm = wsk_elements_number(list, i, "rpm-max"), full = wsk_elements_number(list, i, "fan-rpm");
        most = fmax(most, isnan(rpm) ? full : rpm);
    }
    return most;
}

/* Adds a setting for the speed at each point of a fan curve. Temperatures of the points: 40 to 85 degC if the fan
 * follows cards or the processor, 22 to 46 degC if it follows air or coolant. */
static int add_curve(wsk_choices *c, const char *name, const wsk_rig *base)
{
    enum { POINTS = 4 };
    const wsk_elements *list = wsk_cli_elements(base);
    const char *sensor = find_sensor(list, name);
    const bool card = wsk_choices_ends(name, "fan-curve"), follows = sensor != NULL;
    const double fastest = card ? find_fastest_rpm(list) : 0;
    const bool hot = card || (sensor && (!strcmp(sensor, "gpu") || !strcmp(sensor, "cpu")));
    wsk_elements_free(list);
    if (!card && !follows) {
        wsk_cli_error(
            T_("--over '%1$s': no fan follows a sensor; --set 'fan[*].sensor=gpu' lets them follow the cards"), name);
        return WSK_EUSAGE;
    }
    if (card && !(fastest > 0)) {
        wsk_cli_error(T_("--over '%s': no card has a fan of its own"), name);
        return WSK_EUSAGE;
    }
    for (int k = 0; k < POINTS; k++) {
        char *point = wsk_cli_format("%d degC", hot ? 40 + 15 * k : 22 + 8 * k),
             *shown = wsk_cli_format("%s@%s", name, point);
        wsk_setting *s = wsk_choices_open(c, shown);
        free(shown);
        if (!s) {
            free(point);
            return WSK_EUSAGE;
        }
        c->paths[c->count - 1] = wsk_cli_format("%s", name);
        c->places[c->count - 1] = point;
        s->ordered = true;
        for (int percent = 20; percent <= 100; percent += 10)
            wsk_cli_push(&c->of[c->count - 1].values, card ? wsk_cli_format("%.0f rpm", fastest * percent / 100)
                                                           : wsk_cli_format("%d%%", percent));
        wsk_choices_close(c);
    }
    return WSK_OK;
}

int wsk_choices_add_special(wsk_choices *c, const char *setting, const char *path, const wsk_cli_rig_options *rig,
                            const wsk_rig *base)
{
    if (wsk_choices_ends(setting, "load-curve"))
        return wsk_choices_hours(c, setting, base);
    return wsk_choices_ends(setting, ".slot") ? add_slots(c, setting, path, rig, base) : add_curve(c, setting, base);
}

typedef struct {
    char *name, *quantity;
    bool above;
} filter;

static bool read_filter(const char *text, filter *f)
{
    const size_t len = strlen(text), sign = strcspn(text, "<>");
    if (!len)
        return true;
    if (*text != '[' || text[len - 1] != ']' || sign < 2 || sign + 2 >= len)
        return false;
    f->name = wsk_cli_trimmed(text + 1, sign - 1);
    f->quantity = wsk_cli_trimmed(text + sign + 1, len - sign - 2);
    f->above = text[sign] == '>';
    return true;
}

static bool passes(const filter *f, const wsk_elements *list, const char *id)
{
    for (int i = 0; f->name && i < list->count; i++) {
        const wsk_attribute *a =
            list->items[i].part && !strcmp(list->items[i].part, id) ? wsk_elements_attribute(list, i, f->name) : NULL;
        double limit = NAN;
        if (!a)
            continue;
        const char *end;
        if (!wsk_expr_convert(f->quantity, *a->unit ? a->unit : "1", &limit)) {
            limit = wsk_number_at(f->quantity, &end);
            limit = *end ? NAN : limit;
        }
        return f->above ? a->value > limit : a->value < limit;
    }
    return !f->name;
}

int wsk_choices_parts(wsk_cli_list *values, const char *at, const char *text, const char *path,
                      const wsk_cli_rig_options *rig, const wsk_rig *base)
{
    const char *star = strstr(text, "/*");
    char *family = wsk_cli_format("%.*s", (int)(star - text), text), *all = NULL;
    filter f = {0};
    int code = WSK_OK;
    if (!read_filter(star + 2, &f)) {
        wsk_cli_error(T_("--over '%s': expected a filter such as psu/*[rated>1200W]"), text);
        code = WSK_EUSAGE;
    } else {
        code = (int)wsk_rig_parts_text(base, family, &all);
        wsk_cli_check_memory(code != WSK_ENOMEM);
        if (code != WSK_OK)
            wsk_cli_error("%s", all);
    }
    for (const char *line = all; code == WSK_OK && line && *line;) {
        char *id = wsk_cli_format("%.*s", (int)strcspn(line, " \n"), line), *set = wsk_cli_format("%s=%s", at, id);
        wsk_rig *loaded = NULL;
        if (strchr(id, '/') && wsk_choices_try(set, path, rig, base, &loaded, &code)) {
            const wsk_elements *list = wsk_cli_elements(loaded);
            if (passes(&f, list, id))
                wsk_cli_push(values, wsk_cli_format("%s", id));
            wsk_elements_free(list);
        }
        wsk_rig_free(loaded);
        free(set);
        free(id);
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    if (code == WSK_OK && values->count == 0) {
        wsk_cli_error(T_("--over '%s': no part of the catalogue passes and fits there"), text);
        code = WSK_EINPUT;
    }
    wsk_text_free(all);
    free(f.name);
    free(f.quantity);
    free(family);
    return code;
}
