/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Notices of the compared cases that bear on their comparison. */
#include <stdlib.h>
#include <string.h>

#include "cli/compare/words.h"
#include "sim/base/said.h"
#include "words/words.h"

static void put_notice(FILE *out, const wsk_said *notice, const char *name)
{
    wsk_buf text = {0};
    wsk_words_said(&text, wsk_cli_lang, notice);
    if (text.failed)
        wsk_cli_no_memory();
    fprintf(out, "%s%s%s\n", name ? name : "", name ? ": " : "", text.data);
    wsk_buf_free(&text);
}

/* True if `guess`, the notice in case `of` that cards of a kind were not measured, states the largest uncertainty of
 * all cases (the first of equal ones). */
static bool is_widest(const wsk_cli_common *all, size_t of, const wsk_said *guess)
{
    for (size_t i = 0; i < all->count; i++) {
        size_t n;
        const wsk_said *const *notices = wsk_summary_messages(all->cases[i].summary, WSK_R_NOTICES, 0, &n);
        for (size_t k = 0; k < n; k++)
            if (notices[k] && notices[k]->code == WSK_SAY_GUESS &&
                strcmp(notices[k]->args[0].text, guess->args[0].text) == 0 &&
                (notices[k]->args[1].number > guess->args[1].number ||
                 (i < of && !(notices[k]->args[1].number < guess->args[1].number))))
                return false;
    }
    return true;
}

/* True for a notice about heat that goes into a facility's cooling water. The case does not pay for cooling that water,
 * but a case cooled by air pays for its air conditioner. */
static bool is_water(const wsk_said *notice)
{
    return notice->code == WSK_SAY_FACILITY_HEAT || notice->code == WSK_SAY_FACILITY_WATTS;
}

/* Adds the value of the workload's attribute `name` to the list if it is not there. Caller frees the items. */
static void add_value(wsk_cli_list *values, const wsk_cli_case *c, const char *name)
{
    const wsk_elements *rig = NULL;
    if (c->rig && wsk_rig_elements(c->rig, &rig) == WSK_OK) {
        const int workload = wsk_elements_next(rig, "workload", -1, -1);
        const char *value = workload >= 0 ? wsk_elements_text(rig, workload, name) : NULL;
        bool known = !value;
        for (size_t i = 0; i < values->count && !known; i++)
            known = strcmp(values->items[i], value) == 0;
        if (!known)
            wsk_cli_push(values, wsk_cli_format("%s", value));
    }
    wsk_elements_free(rig);
}

/* Tokens of different models, and GPU-hours of different kinds of work, are different work, though each has one unit.
 * A user may want to compare them nevertheless, so only a notice is printed. */
static void say_unlike_work(FILE *out, const wsk_cli_common *all)
{
    const wsk_cli_work_by by = all->all->work;
    wsk_cli_list values = {0};
    for (size_t i = 0; i < all->count && (by == WSK_CLI_UNITS || by == WSK_CLI_HOURS); i++)
        if (all->cases[i].work > 0)
            add_value(&values, &all->cases[i], by == WSK_CLI_UNITS ? "model" : "class");
    if (values.count > 1) {
        char *names = wsk_cli_join(values.items, values.count);
        wsk_cli_say(
            out,
            by == WSK_CLI_UNITS
                ? T_("The cases serve different models (%s), so their tokens are not the same work.\n")
                : T_("The cases do different kinds of work (%s), so their GPU-hours are not the same work.\n"),
            names);
        free(names);
    }
    wsk_cli_list_free(&values, 0);
}

void wsk_cli_notice_words(FILE *out, const wsk_cli_common *all)
{
    say_unlike_work(out, all);
    for (size_t i = 0; i < all->count; i++) {
        size_t n;
        const wsk_said *const *notices = wsk_summary_messages(all->cases[i].summary, WSK_R_NOTICES, 0, &n);
        for (size_t k = 0; k < n; k++)
            if (notices[k] && notices[k]->code == WSK_SAY_GUESS && is_widest(all, i, notices[k]))
                put_notice(out, notices[k], NULL);
            else if (notices[k] && is_water(notices[k]))
                put_notice(out, notices[k], all->names[i]);
    }
}
