/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares the search for the best settings with methods of NLopt. Each method may evaluate 500 cases of the same grid.
 * Exit code 1: the answer of some method is better than that of the search by more than the uncertainty of their
 * difference, or it is as good but missing from the cases that the search lists as equally good. */
#include <math.h>
#include <nlopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/question.h"

enum { AXES = WSK_QUESTION_AXES, LIMITS = WSK_QUESTION_LIMITS, EVALUATIONS = 500 };
/* inner: for AUGLAG, the method that AUGLAG extends by limits. */
typedef struct {
    const char *name;
    nlopt_algorithm method, inner;
} rival;
#define NO_INNER NLOPT_NUM_ALGORITHMS
static const rival rivals[] = {{"COBYLA", NLOPT_LN_COBYLA, NO_INNER},
                               {"ISRES", NLOPT_GN_ISRES, NO_INNER},
                               {"ORIG_DIRECT", NLOPT_GN_ORIG_DIRECT, NO_INNER},
                               {"ORIG_DIRECT_L", NLOPT_GN_ORIG_DIRECT_L, NO_INNER},
                               {"AUGLAG + CRS2_LM", NLOPT_AUGLAG, NLOPT_GN_CRS2_LM},
                               {"AUGLAG + ESCH", NLOPT_AUGLAG, NLOPT_GN_ESCH},
                               {"AUGLAG + BOBYQA", NLOPT_AUGLAG, NLOPT_LN_BOBYQA},
                               {"AUGLAG + SBPLX", NLOPT_AUGLAG, NLOPT_LN_SBPLX},
                               {"AUGLAG + NELDERMEAD", NLOPT_AUGLAG, NLOPT_LN_NELDERMEAD}};
enum { RIVALS = sizeof rivals / sizeof *rivals };

typedef struct {
    const wsk_question *q;
    const wsk_rig *base;
    const wsk_question_levels *l;
    double need[LIMITS], scale[1 + LIMITS];
    double *known;
    /* asked: number of evaluations; best: number of the best case, or l->cases if no case keeps the limits */
    size_t asked, best;
} field;

static size_t case_of(const field *f, const double *x, int *at)
{
    size_t i = 0;
    for (int a = AXES - 1; a >= 0; a--) {
        const int count = (int)f->l->settings[a].count, level = (int)(x[a] * count);
        at[a] = level < 0 ? 0 : level >= count ? count - 1 : level;
        i = i * (size_t)count + (size_t)at[a];
    }
    return i;
}

static void levels_of(const field *f, size_t i, int *at)
{
    for (int a = 0; a < AXES; i /= f->l->settings[a++].count)
        at[a] = (int)(i % f->l->settings[a].count);
}

static const double *look_up(field *f, const double *x)
{
    int at[AXES];
    const size_t i = case_of(f, x, at);
    double *v = &f->known[i * (1 + LIMITS)];
    if (isnan(v[0]) && !wsk_question_solve(f->q, f->base, f->l, at, v))
        for (int k = 0; k <= LIMITS; k++)
            v[k] = k ? -1e3 * f->scale[k] : 1e3 * f->scale[0];
    bool keeps = true;
    for (int k = 0; k < LIMITS; k++)
        keeps = keeps && v[1 + k] >= f->need[k];
    if (keeps && (f->best == f->l->cases || v[0] < f->known[f->best * (1 + LIMITS)]))
        f->best = i;
    return v;
}

static double goal(unsigned n, const double *x, double *gradient, void *ctx)
{
    (void)n, (void)gradient;
    field *f = ctx;
    f->asked++;
    return look_up(f, x)[0] / f->scale[0];
}

typedef struct {
    field *f;
    int limit;
} limited;
static double limit(unsigned n, const double *x, double *gradient, void *ctx)
{
    (void)n, (void)gradient;
    const limited *c = ctx;
    return (c->f->need[c->limit] - look_up(c->f, x)[1 + c->limit]) / c->f->scale[1 + c->limit];
}

static size_t let_search(field *f, const rival *r)
{
    nlopt_opt opt = nlopt_create(r->method, AXES), inner = NULL;
    limited limits[LIMITS];
    double x[AXES], value;
    f->asked = 0;
    f->best = f->l->cases;
    nlopt_srand(1);
    nlopt_set_lower_bounds1(opt, 0);
    nlopt_set_upper_bounds1(opt, 1);
    nlopt_set_min_objective(opt, goal, f);
    for (int i = 0; i < LIMITS; i++) {
        limits[i] = (limited){f, i};
        nlopt_add_inequality_constraint(opt, limit, &limits[i], 0);
    }
    nlopt_set_maxeval(opt, EVALUATIONS);
    if (r->inner != NO_INNER) {
        inner = nlopt_create(r->inner, AXES);
        nlopt_set_maxeval(inner, EVALUATIONS / 4);
        nlopt_set_xtol_abs1(inner, 2e-3);
        nlopt_set_local_optimizer(opt, inner);
    } else {
        nlopt_set_xtol_abs1(opt, 2e-3);
    }
    for (int a = 0; a < AXES; a++)
        x[a] = 0.5;
    nlopt_optimize(opt, x, &value);
    nlopt_destroy(opt);
    if (inner)
        nlopt_destroy(inner);
    return f->best;
}

/* Lets the library choose among these cases: asks with a single setting, each value of which is a whole case. NULL: the
 * library has no answer. */
static wsk_optimum *compare(const field *f, const size_t *cases, size_t count)
{
    char *texts[1 + RIVALS];
    for (size_t i = 0; i < count; i++) {
        int at[AXES];
        levels_of(f, cases[i], at);
        texts[i] = calloc(1, 80 * AXES);
        for (int a = 0; texts[i] && a < AXES; a++)
            snprintf(texts[i] + strlen(texts[i]), 80, "%s=%s\n", f->l->settings[a].path,
                     f->l->settings[a].values[at[a]]);
    }
    const wsk_setting setting = {.values = (const char *const *)texts, .count = count};
    wsk_optimise_options o = wsk_question_options(f->q, f->l);
    wsk_optimum *answer = NULL;
    o.settings = &setting;
    o.setting_count = 1;
    if (wsk_rig_optimise(&answer, f->base, &o) != WSK_OK)
        answer = NULL;
    for (size_t i = 0; i < count; i++)
        free(texts[i]);
    return answer;
}

/* A case counts as an answer if it keeps the limits in a run, with its own uncertainty. */
static bool is_answer(const field *f, size_t at)
{
    wsk_optimum *alone = compare(f, &at, 1);
    const bool is = alone && alone->found;
    wsk_optimum_free(alone);
    return is;
}

static bool in_ranges(const field *f, const wsk_optimum *answer, size_t i)
{
    int at[AXES];
    levels_of(f, i, at);
    for (int a = 0; a < AXES; a++)
        if (!answer->low || at[a] < answer->low[a] || at[a] > answer->high[a])
            return false;
    return true;
}

/* The distances from the limits that cases must keep at the steady point are those with which the search's best case
 * keeps the limits in a run. */
static void take_needs(field *f, const wsk_optimised *best)
{
    f->scale[0] = fabs(best->point[0]);
    for (int i = 0; i < LIMITS; i++) {
        /* 0.8416: 80 % of a normal distribution are below mean + 0.8416 sd */
        f->need[i] = 0.8416 * best->sd[1 + i] - (best->run[1 + i] - best->point[1 + i]);
        f->scale[1 + i] = fmax(fabs(f->q->limits[i].limit), 1);
    }
}

static size_t tell_method(field *f, const wsk_optimum *answer, const rival *r)
{
    const size_t at = let_search(f, r);
    const double *v = &f->known[at * (1 + LIMITS)];
    const bool any = at < f->l->cases, is = any && is_answer(f, at);
    printf("    %-20s %4zu cases  ", r->name, f->asked);
    if (any)
        printf("%.6g (%+.2f bands)%s\n", v[0], (v[0] - answer->best.point[0]) / answer->band,
               !is                        ? ", does not keep the limits by its own uncertainty"
               : in_ranges(f, answer, at) ? ", in the ranges of the search"
                                          : "");
    else
        puts("none keeps the limits");
    return is ? at : f->l->cases;
}

/* Returns the number of failures: one if any answer is better than the search's by more than the uncertainty of their
 * difference, and one for each answer that is as good but not among those that the search lists as equally good. */
static int judge(field *f, const wsk_optimum *answer)
{
    size_t cases[1 + RIVALS] = {0}, of[1 + RIVALS], count = 1;
    int bad = 0;
    for (int a = AXES - 1; a >= 0; a--)
        cases[0] = cases[0] * f->l->settings[a].count + (size_t)answer->best.levels[a];
    for (size_t r = 0; r < RIVALS; r++) {
        cases[count] = tell_method(f, answer, &rivals[r]);
        of[count] = r;
        count += cases[count] < f->l->cases;
    }
    wsk_optimum *all = compare(f, cases, count);
    if (!all || !all->found || !all->alike || !all->alike[0][0]) {
        puts("    FAILED: an answer is better beyond the band");
        bad++;
    }
    for (size_t i = 1; all && all->alike && i < count; i++) {
        const double by = f->known[cases[i] * (1 + LIMITS)] - answer->best.point[0];
        if (by <= 0 && !all->alike[0][i]) {
            printf("    FAILED: not among the equally good cases: the answer of %s\n", rivals[of[i]].name);
            bad++;
        }
    }
    wsk_optimum_free(all);
    return bad;
}

static int compare_on(const wsk_question *q)
{
    wsk_rig *base = NULL;
    wsk_question_levels l;
    wsk_optimum *answer = NULL;
    int bad = 1;
    wsk_question_lay_out(q, 1, &l);
    field f = {.q = q, .l = &l, .known = malloc((l.cases + 1) * (1 + LIMITS) * sizeof *f.known)};
    for (size_t i = 0; f.known && i < (l.cases + 1) * (1 + LIMITS); i++)
        f.known[i] = NAN;
    const wsk_optimise_options o = wsk_question_options(q, &l);
    if (f.known && wsk_rig_load(&base, &(wsk_rig_options){.path = q->rig, .parts_dir = "parts"}) == WSK_OK &&
        wsk_rig_optimise(&answer, base, &o) == WSK_OK && answer->found && answer->low) {
        f.base = base;
        take_needs(&f, &answer->best);
        printf("%s (%s): %zu cases\n    %-20s %4zu cases  %.6g, band %.2g\n", q->name, q->rig, l.cases, "wattsink",
               answer->tried, answer->best.point[0], answer->band);
        bad = judge(&f, answer);
    } else {
        printf("%s (%s): FAILED: no answer\n", q->name, q->rig);
    }
    fflush(stdout);
    wsk_optimum_free(answer);
    wsk_rig_free(base);
    wsk_question_drop(&l);
    free(f.known);
    return bad;
}

int main(void)
{
    int bad = 0;
    for (size_t i = 0; i < WSK_QUESTIONS; i++)
        bad += compare_on(&wsk_questions[i]);
    printf("%d answers better beyond the band, or not among the equally good cases\n", bad);
    return bad > 0;
}
