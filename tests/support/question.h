/* SPDX-License-Identifier: GPL-3.0-or-later */
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
    wsk_question_bound goal;
    wsk_question_bound limits[WSK_QUESTION_LIMITS];
} wsk_question;
/* Each of the first WSK_QUESTIONS_COUNTED questions has at least 20,000 cases, all of which a soak run computes. */
extern const wsk_question wsk_questions[WSK_QUESTIONS];

typedef struct {
    wsk_setting settings[WSK_QUESTION_AXES];
    char **texts[WSK_QUESTION_AXES];
    size_t cases;
} wsk_question_levels;
/* Lists the values of each setting. coarser: factor on the question's step between values. Free `levels` with
 * wsk_question_drop. */
void wsk_question_lay_out(const wsk_question *question, double coarser, wsk_question_levels *levels);
void wsk_question_drop(wsk_question_levels *levels);
/* For wsk_optimise_calls.measure; ctx: the wsk_question. out[0]: goal, less is better; out[1...]: distance from each
 * limit, negative if that limit is broken. */
void wsk_question_measure(void *ctx, const wsk_summary *summary, double *out);
wsk_optimise_options wsk_question_options(const wsk_question *question, const wsk_question_levels *levels);
/* Goal and distances from the limits, as in wsk_question_measure, at the steady point of the case with value at[i] of
 * setting i. False: that case has no steady point. */
bool wsk_question_solve(const wsk_question *question, const wsk_rig *base, const wsk_question_levels *levels,
                        const int *at, double *out);

#endif
