/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Notices of the compared cases that bear on their comparison. */
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

void wsk_cli_notice_words(FILE *out, const wsk_cli_common *all)
{
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
