/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/kit/grid.h"
#include "cli/kit/shell.h"
#include "cli/optimise/optimise.h"

/* Decimal places of a goal's value v: those of its key, or more if its standard deviation sd needs more. sd NAN: not
 * known; then a value too small for the key's decimals, or the value of an expression, gets `significant` digits. */
static int places_of(const wsk_goal *g, double v, double sd, int significant)
{
    enum { MOST = 12 };
    const wsk_result_row *row = wsk_aims_about(g->text);
    const int digits = row ? row->digits : -1;
    double places = digits;
    if (sd > 0)
        places = fmax(digits, ceil(-log10(sd)));
    else if (fabs(v) > 0 && (digits < 0 || fabs(v) < pow(10, -digits)))
        places = significant - 1 - floor(log10(fabs(v)));
    return places < 0 || !isfinite(places) ? 0 : places > MOST ? MOST : (int)places;
}

/* Returns the value v of a goal as text with its unit. Maximised goals are stored negated. Caller frees. */
static char *goal_text(const wsk_optimising *o, size_t goal, double v, int places)
{
    char unit[24];
    const wsk_goal *g = &o->aims.goals[goal];
    wsk_aims_unit(&o->aims, g->unit, unit);
    return isnan(v) ? wsk_cli_format("-")
                    : wsk_cli_format("%.*f%s%s", places, g->most ? -v : v, *unit ? " " : "", unit);
}

/* Returns v with as many decimal places as this number of significant digits needs, as %g writes it but without an
 * exponent. Caller frees. */
static char *number_text(double v, int significant)
{
    const double places = significant - 1 - floor(log10(fabs(v)));
    char *text = wsk_cli_format("%.*f", places > 0 && isfinite(places) ? (int)fmin(places, 12) : 0, v);
    for (size_t n = strlen(text); strpbrk(text, ".,") && (text[n - 1] == '0' || strchr(".,", text[n - 1])); n--)
        text[n - 1] = '\0';
    return text;
}

static void put_quoted(FILE *out, const char *text)
{
    char *quoted = wsk_cli_shell_quoted(text);
    fprintf(out, " %s", quoted);
    free(quoted);
}

char *wsk_optimise_command(wsk_optimising *o, const int *levels)
{
    char *text = NULL, *sets = NULL;
    size_t len = 0;
    if (strcmp(o->path, "-") == 0)
        return NULL;
    FILE *out = wsk_cli_text(&text, &len);
    fputs("wattsink run", out);
    put_quoted(out, o->path);
    for (size_t i = 0; i < o->rig.sets.count; i++) {
        fputs(" --set", out);
        put_quoted(out, o->rig.sets.items[i]);
    }
    wsk_cli_check_memory(wsk_optimise_sets(&o->options, levels, &sets) == WSK_OK);
    for (char *p = sets, *end; *p && (end = strchr(p, '\n')); p = end + 1) {
        *end = '\0';
        fputs(" --set", out);
        put_quoted(out, p);
    }
    const struct {
        const char *option, *value;
    } given[] = {{"parts", o->rig.parts}, {"prices", o->rig.prices}, {"data", o->rig.data}};
    for (size_t i = 0; i < sizeof given / sizeof *given; i++)
        if (given[i].value) {
            fprintf(out, " --%s", given[i].option);
            put_quoted(out, given[i].value);
        }
    for (size_t i = 0; i < o->rig.exchanges.count; i++) {
        fputs(" --exchange", out);
        put_quoted(out, o->rig.exchanges.items[i]);
    }
    fputs(" --leap", out);
    wsk_text_free(sets);
    fclose(out);
    return text;
}

static char *settings_text(const wsk_optimising *o, const int *levels)
{
    char *text = wsk_cli_format("%s", "");
    for (size_t i = 0; i < o->choices.count; i++) {
        char *longer = wsk_cli_format("%s%s%s=%s", text, i ? ", " : "", o->choices.of[i].name,
                                      wsk_choices_shown(&o->choices, i, levels[i]));
        free(text);
        text = longer;
    }
    return text;
}

static void tell_case(const wsk_optimising *o, const char *head, const wsk_optimised *of)
{
    char *settings = settings_text(o, of->levels);
    wsk_cli_say(stdout, "%s  %s\n", head, settings);
    free(settings);
    for (size_t g = 0; g < o->aims.goal_count; g++) {
        const double *v = of->run ? of->run : of->point, now = o->answer->now[g];
        const double sd = of->sd ? of->sd[g] : NAN;
        const int places = places_of(&o->aims.goals[g], v[g], sd, 5);
        char *is = goal_text(o, g, v[g], places), *was = goal_text(o, g, now, places);
        char *band = isfinite(sd) ? wsk_cli_format("%.*f", places, sd) : NULL;
        wsk_cli_say(stdout, "    %s %s%s%s", o->aims.goals[g].text, is, band ? " ±" : "", band ? band : "");
        if (!isnan(now))
            wsk_cli_say(stdout, T_("; as it is: %s"), was);
        fputc('\n', stdout);
        free(band);
        free(is);
        free(was);
    }
}

static char *alike_text(const wsk_optimising *o, size_t setting)
{
    wsk_cli_list all = {0};
    for (size_t k = 0; k < o->choices.items[setting].count; k++)
        if (o->answer->alike[setting][k])
            wsk_cli_push(&all, wsk_cli_format("%s", wsk_choices_shown(&o->choices, setting, (int)k)));
    char *text = wsk_cli_join(all.items, all.count);
    wsk_cli_list_free(&all, 0);
    return text;
}

static void tell_plateau(const wsk_optimising *o)
{
    const wsk_optimum *a = o->answer;
    if (!a->low)
        return;
    wsk_cli_say(stdout, T_("As good, as far as the uncertainty tells (each alone, the others at the best):\n"));
    for (size_t i = 0; i < o->choices.count; i++) {
        const char *low = wsk_choices_shown(&o->choices, i, a->low[i]),
                   *high = wsk_choices_shown(&o->choices, i, a->high[i]);
        if (a->alike[i]) {
            char *all = alike_text(o, i);
            wsk_cli_say(stdout, "    %s=%s\n", o->choices.of[i].name, all);
            free(all);
        } else if (a->low[i] == a->high[i])
            wsk_cli_say(stdout, "    %s=%s\n", o->choices.of[i].name, low);
        else
            wsk_cli_say(stdout, T_("    %1$s from %2$s to %3$s\n"), o->choices.of[i].name, low, high);
    }
    /* It may differ in several settings, and is then in none of these ranges. */
    if (o->aims.goal_count == 1 && a->as_is == WSK_AS_IS_AS_GOOD)
        wsk_cli_say(stdout, T_("    the rig as it is\n"));
}

/* The first goal alone is compared, so that with several goals nothing is said. */
static void tell_as_is(const wsk_optimising *o)
{
    if (o->aims.goal_count > 1)
        return;
    if (o->answer->as_is == WSK_AS_IS_AS_GOOD)
        wsk_cli_say(stdout, T_("No case is better than the rig as it is, as far as the uncertainty tells.\n"));
    if (o->answer->as_is == WSK_AS_IS_BETTER)
        wsk_cli_say(stdout, T_("Each of these cases is worse than the rig as it is.\n"));
}

static char *step_text(const wsk_optimising *o, size_t limit)
{
    char unit[24];
    wsk_aims_unit(&o->aims, o->aims.limits[limit].unit, unit);
    char *step = number_text(o->options.tighter[limit], 3),
         *text = wsk_cli_format("%s%s%s", step, *unit ? " " : "", !strcmp(unit, "degC") ? "K" : unit);
    free(step);
    return text;
}

static void tell_uncertain(const wsk_optimising *o, size_t i, const char *away, const char *band, const char *step)
{
    const wsk_optimum *a = o->answer;
    const wsk_limit_price *price = &a->prices[i];
    char unit[24];
    wsk_aims_unit(&o->aims, o->aims.limits[i].unit, unit);
    const char *shown = !strcmp(unit, "degC") ? "K" : unit;
    wsk_cli_say(stdout, T_("    %1$s: %2$s%3$s%4$s away, ±%5$s"), wsk_aims_limit(&o->aims, i), away,
                *shown ? " " : "", shown, band);
    if (o->options.tighter[i] > 0 && price->known && price->binds) {
        char *more = goal_text(o, 0, o->aims.goals[0].most ? -price->more : price->more,
                               places_of(&o->aims.goals[0], price->more, NAN, 2));
        wsk_cli_say(stdout,
                    o->aims.goals[0].most ? T_("; %1$s tighter lowers %2$s by %3$s")
                                          : T_("; %1$s tighter raises %2$s by %3$s"),
                    step, o->aims.goals[0].text, more);
        free(more);
    } else if (o->options.tighter[i] > 0 && price->known) {
        wsk_cli_say(stdout, T_("; %s tighter costs nothing"), step);
    } else if (o->options.tighter[i] > 0 && price->binds && !a->interrupted) {
        wsk_cli_say(stdout, T_("; %s tighter cannot be kept"), step);
    }
    fputc('\n', stdout);
}

static void tell_limit(const wsk_optimising *o, size_t i)
{
    const wsk_optimum *a = o->answer;
    const size_t m = o->aims.goal_count + i;
    const double *v = a->best.run ? a->best.run : a->best.point;
    char unit[24];
    wsk_aims_unit(&o->aims, o->aims.limits[i].unit, unit);
    const char *shown = !strcmp(unit, "degC") ? "K" : unit, *blank = *shown ? " " : "";
    char *away = number_text(v[m], 3), *band = number_text(a->best.sd ? a->best.sd[m] : NAN, 2),
         *step = step_text(o, i);
    if (o->options.certain[i] || !a->best.sd)
        wsk_cli_say(stdout, T_("    %1$s: %2$s%3$s%4$s away in the computed case\n"), wsk_aims_limit(&o->aims, i),
                    away, blank, shown);
    else
        tell_uncertain(o, i, away, band, step);
    free(away);
    free(band);
    free(step);
}

/* True if the limit is printed. The limit on overloads, which the command adds itself (wsk_aims_spare), is printed only
 * if the best case is less than 5 % away from it. */
static bool is_told(const wsk_optimising *o, size_t limit)
{
    const wsk_optimum *a = o->answer;
    const size_t m = o->aims.goal_count + limit;
    const double *v = a->best.run ? a->best.run : a->best.point;
    return o->aims.limits[limit].condition || v[m] < 5;
}

static void tell_limits(const wsk_optimising *o)
{
    bool any = false;
    for (size_t i = 0; i < o->aims.limit_count; i++) {
        if (!is_told(o, i))
            continue;
        if (!any)
            wsk_cli_say(stdout, T_("Limits, each kept with a probability of %.0f %%, at the best:\n"),
                        100 * o->answer->probability);
        any = true;
        tell_limit(o, i);
    }
}

/* Prints that the answer overloads or trips something, because nothing better was found. */
static void tell_burden(const wsk_optimising *o)
{
    if (o->unlimited || o->aims.spared == WSK_CLI_RUNS)
        return;
    wsk_cli_say(
        stdout,
        o->aims.spared == WSK_CLI_STOPS
            ? T_("No case was found within the limits in which nothing would trip or shut down from heat. "
                 "The best of the others:\n")
        : o->aims.spared == WSK_CLI_LACKS_MEMORY
            ? T_("No case was found within the limits in which the language model fits into the memory of the "
                 "cards and nothing would trip. The best of those in which nothing would trip or shut down "
                 "from heat:\n")
            : T_("No case was found within the limits in which nothing is overloaded. The best of those in "
                 "which nothing would trip:\n"));
}

static void tell_give(const wsk_optimising *o, size_t i, const char *format, double give)
{
    char unit[24];
    wsk_aims_unit(&o->aims, o->aims.limits[i].unit, unit);
    const char *shown = !strcmp(unit, "degC") ? "K" : unit;
    char *text = number_text(give, 3);
    if (give > 0)
        wsk_cli_say(stdout, format, wsk_aims_limit(&o->aims, i), text, *shown ? " " : "", shown);
    free(text);
}

static void tell_conflicts(const wsk_optimising *o)
{
    bool any = false;
    const bool complete = o->answer->complete;
    wsk_cli_say(stdout,
                complete ? T_("No case keeps all limits with a probability of %.0f %%.\n")
                         : T_("No case was found that keeps all limits with a probability of %.0f %%.\n"),
                100 * o->answer->probability);
    for (size_t i = 0; i < o->aims.limit_count && !o->answer->interrupted; i++) {
        const wsk_limit_conflict *c = &o->answer->conflicts[i];
        any = any || c->alone;
        if (c->alone)
            tell_give(o, i,
                      complete ? T_("    %1$s: if it gives by %2$s%3$s%4$s at least, the other limits can be kept\n")
                               : T_("    %1$s: if it gives by %2$s%3$s%4$s, the other limits can be kept\n"),
                      c->give);
    }
    if (!any && !o->answer->interrupted)
        wsk_cli_say(stdout,
                    complete
                        ? T_("    With any one limit left out, the others cannot be kept. The least by which they "
                             "must be relaxed together:\n")
                        : T_("    With any one limit left out, no case was found that keeps the others. One does "
                             "if they are relaxed together:\n"));
    for (size_t i = 0; i < o->aims.limit_count && !any && !o->answer->interrupted; i++)
        tell_give(o, i, T_("    %1$s relaxed by %2$s%3$s%4$s\n"), o->answer->conflicts[i].together);
}

static void find_spans(const wsk_optimising *o, double *span)
{
    const wsk_optimum *a = o->answer;
    for (size_t k = 0; k < o->aims.goal_count; k++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < a->front_count; i++) {
            low = fmin(low, a->front[i].point[k]);
            high = fmax(high, a->front[i].point[k]);
        }
        span[k] = high - low;
    }
}

static bool is_apart(const wsk_optimising *o, const double *span, size_t i, size_t j)
{
    const wsk_optimised *front = o->answer->front;
    for (size_t k = 0; k < o->aims.goal_count; k++)
        if (fabs(front[i].point[k] - front[j].point[k]) * 15 > span[k])
            return true;
    return false;
}

static size_t pick_front(const wsk_optimising *o, size_t *picked)
{
    const size_t last = o->answer->front_count - 1;
    double span[WSK_OPTIMISE_GOALS];
    size_t n = 0;
    find_spans(o, span);
    for (size_t i = 0; i <= last; i++)
        if (i == 0 || i == last || (is_apart(o, span, i, picked[n - 1]) && is_apart(o, span, i, last)))
            picked[n++] = i;
    return n;
}

static void tell_front(const wsk_optimising *o)
{
    const wsk_optimum *a = o->answer;
    const size_t goals = o->aims.goal_count, settings = o->choices.count;
    if (goals < 2 || !a->front_count)
        return;
    size_t *picked = wsk_cli_alloc(a->front_count * sizeof *picked);
    const size_t count = pick_front(o, picked);
    if (count < a->front_count)
        wsk_cli_say(stdout, T_("Pareto front, %1$zu of its %2$zu cases (--json lists all):\n"), count,
                    a->front_count);
    else
        wsk_cli_say(stdout, count == 1 ? T_("Pareto front, one case:\n") : T_("Pareto front, %zu cases:\n"), count);
    if (!a->by_run)
        wsk_cli_say(stdout, T_("    Values of the steady point; above are those of runs over time.\n"));
    wsk_cli_grid g = wsk_cli_grid_new(count + 1, goals + settings, 0);
    for (size_t k = 0; k < goals; k++) {
        wsk_cli_grid_set(&g, 0, k, o->aims.goals[k].text);
        double largest = 0;
        for (size_t i = 0; i < count; i++)
            largest = fmax(largest, fabs(a->front[picked[i]].point[k]));
        const int places = places_of(&o->aims.goals[k], largest, NAN, 5);
        for (size_t i = 0; i < count; i++) {
            char *text = goal_text(o, k, a->front[picked[i]].point[k], places);
            wsk_cli_grid_set(&g, i + 1, k, text);
            free(text);
        }
    }
    for (size_t k = 0; k < settings; k++) {
        wsk_cli_grid_set(&g, 0, goals + k, o->choices.of[k].name);
        for (size_t i = 0; i < count; i++)
            wsk_cli_grid_set(&g, i + 1, goals + k, wsk_choices_shown(&o->choices, k, a->front[picked[i]].levels[k]));
    }
    wsk_cli_grid_print(stdout, &g, wsk_cli_page(stdout, 1 << 20));
    wsk_cli_grid_free(&g);
    free(picked);
}

static void tell_negative(const wsk_optimising *o, const wsk_goal *goal, const int *levels)
{
    char *settings = settings_text(o, levels);
    wsk_cli_say(stdout,
                T_("No case is the best by %1$s: with %2$s the electricity has a negative cost, so that less work "
                   "looks better.\n"),
                goal->text, settings);
    free(settings);
}

/* Prints why a real year may cost more or less than the run repeated over a year. */
static void tell_year(const wsk_optimising *o)
{
    const wsk_cli_repeated how = wsk_aims_repeats(&o->aims);
    char time[32];
    wsk_cli_duration(time, wsk_rig_duration(o->base));
    if (how == WSK_CLI_CUT)
        wsk_cli_say(stdout,
                    T_("The cost of a year is that of this run of %1$s, repeated, although prices differ by the hour "
                       "or the day of the week. --for 7d runs a week.\n"),
                    time);
    if (how == WSK_CLI_DATED)
        wsk_cli_say(stdout,
                    T_("The cost of a year is that of this run of %1$s, repeated, although prices or weather depend "
                       "on the date. --for 365d runs a year.\n"),
                    time);
}

void wsk_optimise_tell(wsk_optimising *o)
{
    const wsk_optimum *a = o->answer;
    const int *levels;
    const wsk_goal *negative = wsk_optimise_negative(o, &levels);
    if (!a->found)
        tell_conflicts(o);
    if (negative)
        tell_negative(o, negative, levels);
    if (a->found && !negative) {
        tell_burden(o);
        const bool same = !memcmp(a->best.levels, a->simplest.levels, o->choices.count * sizeof *a->best.levels);
        tell_case(o, same ? T_("Best") : T_("Easiest to set"), &a->simplest);
        if (!same)
            tell_case(o, T_("Best"), &a->best);
        tell_as_is(o);
        tell_plateau(o);
        tell_limits(o);
        tell_front(o);
        tell_year(o);
        char *command = wsk_optimise_command(o, a->simplest.levels);
        if (command)
            printf("%s\n", command);
        free(command);
    }
    if (a->interrupted)
        wsk_cli_say(stdout, T_("Interrupted: the best so far.\n"));
    wsk_cli_say(stdout, T_("Cases: %1$zu; runs over time: %2$zu; cases with their uncertainty: %3$zu.\n"), a->tried,
                a->runs, a->spreads);
}
