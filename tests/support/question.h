/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Questions to the search for the best settings, of three settings and two limits each: for comparing its answers with all cases, and
 * with those of other methods. */
#ifndef WSK_TESTS_QUESTION_H
#define WSK_TESTS_QUESTION_H
#include "wattsink.h"

enum { WSK_QUESTION_AXES = 3, WSK_QUESTION_LIMITS = 2, WSK_QUESTIONS = 10, WSK_QUESTIONS_COUNTED = 6 };
typedef struct {
    const char *path, *unit;
    double low, high, step;
} wsk_question_axis;
typedef struct {
    wsk_result result;
    wsk_over over;
    double limit;
    bool above;
} wsk_question_bound;
typedef struct {
    const char *name, *rig;
    wsk_question_axis axes[WSK_QUESTION_AXES];
    wsk_question_bound goal; /* above: more is better */
    wsk_question_bound limits[WSK_QUESTION_LIMITS];
} wsk_question;
/* The first WSK_QUESTIONS_COUNTED have 20,000 cases and more each. */
extern const wsk_question wsk_questions[WSK_QUESTIONS];

/* The settings of a question. */
typedef struct {
    wsk_setting settings[WSK_QUESTION_AXES];
    char **texts[WSK_QUESTION_AXES];
    size_t cases;
} wsk_question_levels;
/* coarser: steps are so many times as large. Free with wsk_question_drop. */
void wsk_question_lay_out(const wsk_question *question, double coarser, wsk_question_levels *levels);
void wsk_question_drop(wsk_question_levels *levels);
/* wsk_optimise_calls.measure; ctx: wsk_question. */
void wsk_question_measure(void *ctx, const wsk_summary *summary, double *out);
/* What the library is asked. */
wsk_optimise_options wsk_question_options(const wsk_question *question, const wsk_question_levels *levels);
/* Goal and distances from the limits at the steady point of a case. False: it has none. */
bool wsk_question_solve(const wsk_question *question, const wsk_rig *base, const wsk_question_levels *levels,
                        const int *at, double *out);

#endif
