/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/optimise/optimise.h"

static void put_sets(const wsk_optimising *o, const int *levels)
{
    char *sets = NULL;
    wsk_cli_check_memory(wsk_optimise_sets(&o->options, levels, &sets) == WSK_OK);
    putchar('[');
    for (char *p = sets, *end; *p && (end = strchr(p, '\n')); p = end + 1) {
        *end = '\0';
        if (p > sets)
            fputs(", ", stdout);
        wsk_json_quote(stdout, p);
    }
    putchar(']');
    wsk_text_free(sets);
}

/* Maximised goals are stored negated, so their sign is changed back, but not for `deviations` (standard
 * deviations). */
static void put_values(const wsk_optimising *o, const char *key, const double *v, bool deviations)
{
    printf("\"%s\": ", key);
    if (!v) {
        fputs("null", stdout);
        return;
    }
    fputs("{\"goals\": [", stdout);
    for (size_t i = 0; i < o->aims.goal_count; i++) {
        fputs(i ? ", " : "", stdout);
        wsk_json_number(stdout, o->aims.goals[i].most && !deviations ? -v[i] : v[i]);
    }
    fputs("], \"limits\": [", stdout);
    for (size_t i = 0; i < o->aims.limit_count; i++) {
        fputs(i ? ", " : "", stdout);
        wsk_json_number(stdout, v[o->aims.goal_count + i]);
    }
    fputs("]}", stdout);
}

static void put_case(wsk_optimising *o, const char *key, const wsk_optimised *of)
{
    printf(" \"%s\": ", key);
    if (!of->levels) {
        fputs("null,\n", stdout);
        return;
    }
    fputs("{\"set\": ", stdout);
    put_sets(o, of->levels);
    fputs(", ", stdout);
    put_values(o, "point", of->point, false);
    fputs(", ", stdout);
    put_values(o, "run", of->run, false);
    fputs(", ", stdout);
    put_values(o, "uncertainty", of->sd, true);
    char *command = wsk_optimise_command(o, of->levels);
    fputs(", \"command\": ", stdout);
    if (command)
        wsk_json_quote(stdout, command);
    else
        fputs("null", stdout);
    free(command);
    fputs("},\n", stdout);
}

static void put_alike(const wsk_optimising *o, size_t setting)
{
    const bool *alike = o->answer->alike[setting];
    bool any = false;
    if (!alike)
        return;
    fputs(", \"values\": [", stdout);
    for (size_t k = 0; k < o->choices.items[setting].count; k++) {
        if (!alike[k])
            continue;
        fputs(any ? ", " : "", stdout);
        wsk_json_quote(stdout, wsk_choices_shown(&o->choices, setting, (int)k));
        any = true;
    }
    putchar(']');
}

static void put_plateau(const wsk_optimising *o)
{
    const wsk_optimum *a = o->answer;
    fputs(" \"plateau\": [", stdout);
    for (size_t i = 0; a->low && i < o->choices.count; i++) {
        fputs(i ? ", {\"setting\": " : "{\"setting\": ", stdout);
        wsk_json_quote(stdout, o->choices.of[i].name);
        fputs(", \"low\": ", stdout);
        wsk_json_quote(stdout, wsk_choices_shown(&o->choices, i, a->low[i]));
        fputs(", \"high\": ", stdout);
        wsk_json_quote(stdout, wsk_choices_shown(&o->choices, i, a->high[i]));
        put_alike(o, i);
        putchar('}');
    }
    fputs("],\n", stdout);
}

static void put_limits(const wsk_optimising *o)
{
    const wsk_optimum *a = o->answer;
    fputs(" \"limits\": [", stdout);
    for (size_t i = 0; i < o->aims.limit_count; i++) {
        const wsk_limit_price *p = &a->prices[i];
        const wsk_limit_conflict *c = &a->conflicts[i];
        fputs(i ? ",\n  {\"where\": " : "\n  {\"where\": ", stdout);
        wsk_json_quote(stdout, o->aims.limits[i].text);
        fputs(", \"tighter_by\": ", stdout);
        wsk_json_number(stdout, a->found && p->known ? o->options.tighter[i] : NAN);
        fputs(", \"goal_grows_by\": ", stdout);
        wsk_json_number(stdout, !a->found || !p->known ? NAN : o->aims.goals[0].most ? 0 - p->more : p->more);
        fputs(", \"gives_by\": ", stdout);
        wsk_json_number(stdout, !a->found && c->alone ? c->give : NAN);
        fputs(", \"gives_together_by\": ", stdout);
        wsk_json_number(stdout, !a->found && c->together > 0 ? c->together : NAN);
        putchar('}');
    }
    fputs("],\n", stdout);
}

static bool is_same(const wsk_optimising *o, const wsk_optimised *a, const wsk_optimised *b)
{
    return !memcmp(a->levels, b->levels, o->choices.count * sizeof *a->levels);
}

static void put_front(const wsk_optimising *o)
{
    const wsk_optimum *a = o->answer;
    fputs(" \"front\": [", stdout);
    for (size_t i = 0; i < a->front_count; i++) {
        fputs(i ? ",\n  {\"set\": " : "\n  {\"set\": ", stdout);
        put_sets(o, a->front[i].levels);
        fputs(", ", stdout);
        put_values(o, "point", a->front[i].point, false);
        const wsk_optimised *run = is_same(o, &a->front[i], &a->best)       ? &a->best
                                   : is_same(o, &a->front[i], &a->simplest) ? &a->simplest
                                                                            : NULL;
        if (run) {
            fputs(", ", stdout);
            put_values(o, "run", run->run, false);
        }
        putchar('}');
    }
    fputs("],\n", stdout);
}

void wsk_optimise_json(wsk_optimising *o)
{
    const wsk_optimum *a = o->answer;
    printf("{\"wattsink\": \"%s\", \"rig\": ", wsk_version());
    wsk_json_quote(stdout, wsk_rig_name(o->base));
    fputs(", \"goals\": [", stdout);
    for (size_t i = 0; i < o->aims.goal_count; i++) {
        fputs(i ? ", " : "", stdout);
        char *text = wsk_cli_format("%s %s", o->aims.goals[i].most ? "max" : "min", o->aims.goals[i].text);
        wsk_json_quote(stdout, text);
        free(text);
    }
    const int *levels;
    const bool negative = wsk_optimise_negative(o, &levels), found = a->found && !negative;
    const char *spared = o->unlimited || !found                   ? "null"
                         : o->aims.spared == WSK_CLI_RUNS         ? "\"none\""
                         : o->aims.spared == WSK_CLI_OVERLOADS    ? "\"overload\""
                         : o->aims.spared == WSK_CLI_LACKS_MEMORY ? "\"memory\""
                                                                  : "\"trip\"";
    static const char *const repeats[] = {
        [WSK_CLI_AS_A_YEAR] = "null", [WSK_CLI_CUT] = "\"cut\"", [WSK_CLI_DATED] = "\"dated\""};
    printf("],\n \"year\": %s,", repeats[wsk_aims_repeats(&o->aims)]);
    printf("\n \"burden\": %s, \"found\": %s, \"interrupted\": %s, \"by_run\": %s, \"complete\": %s, "
           "\"probability\": ",
           spared, found ? "true" : "false", a->interrupted ? "true" : "false", a->by_run ? "true" : "false",
           a->complete ? "true" : "false");
    wsk_json_number(stdout, a->probability);
    fputs(",\n ", stdout);
    put_values(o, "as_is", a->now, false);
    static const char *const compared[] = {[WSK_AS_IS_UNKNOWN] = "null",
                                           [WSK_AS_IS_BREAKS_LIMITS] = "\"breaks-limits\"",
                                           [WSK_AS_IS_WORSE] = "\"worse\"",
                                           [WSK_AS_IS_AS_GOOD] = "\"as-good\"",
                                           [WSK_AS_IS_BETTER] = "\"better\""};
    printf(",\n \"as_is_compared\": %s,\n", negative ? "null" : compared[a->as_is]);
    if (negative)
        fputs(" \"no_best\": \"negative-cost\",\n", stdout);
    const wsk_optimised none = {0};
    put_case(o, "best", negative ? &none : &a->best);
    put_case(o, "simplest", negative ? &none : &a->simplest);
    if (!negative)
        put_plateau(o);
    put_limits(o);
    if (!negative)
        put_front(o);
    printf(" \"cases\": %zu, \"runs\": %zu, \"spreads\": %zu}\n", a->tried, a->runs, a->spreads);
}
