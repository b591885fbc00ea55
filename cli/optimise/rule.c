/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tells whether the cases of a search can be compared, by the rules of the command compare. No case is the best by
 * GPU-hours of unlike cards, nor by the cost of work where it is negative, because less work looks better then. */
#include <stdlib.h>
#include <string.h>

#include "cli/kit/work.h"
#include "cli/optimise/optimise.h"

static bool read_worker(const wsk_optimising *o, size_t setting, size_t level, wsk_cli_worker *out)
{
    const int levels[1] = {(int)level};
    const wsk_optimise_options one = {.settings = &o->choices.items[setting], .setting_count = 1};
    int code;
    wsk_rig *rig = wsk_choices_load(&one, levels, o->path, &o->rig, o->base, -1, &code);
    const bool ok = rig && wsk_cli_worker_of(out, rig);
    wsk_rig_free(rig);
    return ok;
}

static int check_pair(const wsk_optimising *o, const wsk_cli_worker *a, const wsk_cli_worker *b)
{
    for (size_t g = 0; g < o->aims.goal_count; g++) {
        const char *text = o->aims.goals[g].text;
        const wsk_cli_likeness how = wsk_cli_compare_workers(wsk_aims_work(text), a, b);
        if (how == WSK_CLI_COMPARABLE)
            continue;
        char *why = wsk_cli_say_unlike(how, text, a, b);
        wsk_cli_error("%s", why);
        free(why);
        return WSK_EUSAGE;
    }
    return WSK_OK;
}

/* Checks whether the values of a setting make the cards unlike. Of ordered values (numbers) only the first and the last
 * are checked: if the cards are alike with both, they are taken to be alike with all values between. */
static int check_setting(const wsk_optimising *o, size_t setting)
{
    const wsk_setting *s = &o->choices.items[setting];
    wsk_cli_worker first = {{0}, {0}}, worker;
    int code = WSK_OK;
    for (size_t k = 0; k < s->count && code == WSK_OK; k++) {
        if ((s->ordered && k > 0 && k + 1 < s->count) || !read_worker(o, setting, k, &worker))
            continue;
        if (*first.cards)
            code = check_pair(o, &first, &worker);
        else
            first = worker;
    }
    return code;
}

int wsk_optimise_check_cards(const wsk_optimising *o)
{
    bool asked = false;
    int code = WSK_OK;
    for (size_t g = 0; g < o->aims.goal_count; g++)
        asked = asked || wsk_cli_depends_on_cards(wsk_aims_work(o->aims.goals[g].text));
    for (size_t i = 0; asked && i < o->choices.count && code == WSK_OK; i++)
        code = check_setting(o, i);
    return code;
}

static const wsk_goal *find_negative(const wsk_optimising *o, const double *values)
{
    for (size_t g = 0; values && g < o->aims.goal_count; g++) {
        const wsk_goal *goal = &o->aims.goals[g];
        if (!goal->most && values[g] < 0 && wsk_aims_is_cost_of_work(goal->text))
            return goal;
    }
    return NULL;
}

const wsk_goal *wsk_optimise_negative(const wsk_optimising *o, const int **levels)
{
    const wsk_optimum *a = o->answer;
    if (!a->found)
        return NULL;
    const wsk_goal *goal = find_negative(o, a->best.run ? a->best.run : a->best.point);
    *levels = a->best.levels;
    for (size_t i = 0; !goal && i < a->front_count; i++) {
        goal = find_negative(o, a->front[i].point);
        *levels = a->front[i].levels;
    }
    return goal;
}
