/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tells whether the cases of a sweep can be compared, by the rules of the command compare. No case is the best by
 * GPU-hours of unlike cards, nor by the cost of work where it is negative, because less work looks better then. */
#include <stdlib.h>
#include <string.h>

#include "cli/sweep/rule.h"

bool wsk_sweep_asks_cards(const wsk_sweep *s, const wsk_question *q)
{
    bool unlike = false, asked = false;
    for (size_t a = 0; a < s->design.axis_count; a++)
        unlike = unlike || s->design.axes[a].unlike;
    for (size_t g = 0; g < q->count; g++)
        asked = asked || wsk_cli_depends_on_cards(q->goals[g].text);
    return unlike && asked;
}

static void rule_pair(const wsk_question *q, const wsk_cli_worker *a, const wsk_cli_worker *b, wsk_sweep_ruling *r)
{
    for (size_t g = 0; g < q->count && r->outcome == WSK_SWEEP_RANKED; g++) {
        const wsk_cli_likeness how = wsk_cli_compare_workers(q->goals[g].text, a, b);
        if (how == WSK_CLI_COMPARABLE)
            continue;
        *r = (wsk_sweep_ruling){.outcome =
                                    how == WSK_CLI_HOURS_OF_UNLIKE ? WSK_SWEEP_UNLIKE_CARDS : WSK_SWEEP_ONE_RATE,
                                .goal = &q->goals[g],
                                .a = *a,
                                .b = *b};
    }
}

void wsk_sweep_rule_cards(const wsk_sweep *s, const wsk_question *q, const size_t *ids, size_t count,
                          wsk_sweep_ruling *r)
{
    /* most rigs to load; if so many have the same cards, the other rigs are assumed to have them too */
    enum { KINDS = 64 };
    size_t keys[KINDS], n = 0;
    wsk_cli_worker first = {{0}, {0}}, worker;
    for (size_t i = 0; i < count && n < KINDS && r->outcome == WSK_SWEEP_RANKED; i++) {
        const size_t key = wsk_sweep_cards_key(&s->design, ids[i] - 1);
        size_t k = 0;
        while (k < n && keys[k] != key)
            k++;
        if (k < n)
            continue;
        keys[n++] = key;
        wsk_rig *rig = wsk_sweep_load_case(s, ids[i] - 1);
        if (rig && wsk_cli_worker_of(&worker, rig) && *first.cards)
            rule_pair(q, &first, &worker, r);
        else if (rig)
            first = worker;
        wsk_rig_free(rig);
    }
}

void wsk_sweep_rule_cost(const wsk_goal *goal, double value, size_t id, wsk_sweep_ruling *r)
{
    if (r->outcome == WSK_SWEEP_RANKED && !goal->most && value < 0 && wsk_cli_is_cost_of_work(goal->text))
        *r = (wsk_sweep_ruling){.outcome = WSK_SWEEP_NEGATIVE_COST, .goal = goal, .id = id};
}

void wsk_sweep_tell_ruling(FILE *out, const wsk_sweep_ruling *r)
{
    char *why =
        r->outcome == WSK_SWEEP_NEGATIVE_COST
            ? wsk_cli_format(T_("No case is the best by %1$s: the electricity of case %2$zu has a negative "
                                "cost, so that less work looks better."),
                             r->goal->text, r->id)
            : wsk_cli_say_unlike(r->outcome == WSK_SWEEP_ONE_RATE ? WSK_CLI_RATE_OF_ONE : WSK_CLI_HOURS_OF_UNLIKE,
                                 r->goal->text, &r->a, &r->b);
    fprintf(out, "%s\n", why);
    free(why);
}

const char *wsk_sweep_outcome_code(wsk_sweep_outcome outcome)
{
    static const char *const codes[] = {NULL, "unlike-cards", "one-rate", "negative-cost"};
    return codes[outcome];
}
