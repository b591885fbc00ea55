/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ranks overloaded cases last, as compare does. */
#include <string.h>

#include "cli/sweep/inner.h"

enum { TRIPS, SHUTS_DOWN, OVERLOADS, FLAGS };
static const wsk_result flags[FLAGS] = {WSK_R_TRIPS, WSK_R_SHUTS_DOWN, WSK_R_OVERLOADS};

void wsk_sweep_need_for_burdens(wsk_sweep *s)
{
    for (size_t i = 0; i < FLAGS; i++)
        wsk_sweep_add_column(&s->columns, wsk_result_about(flags[i])->key);
    if (s->keys.any[WSK_R_TOKENS_FIT])
        wsk_sweep_add_column(&s->columns, wsk_result_about(WSK_R_TOKENS_FIT)->key);
}

static bool is_stored_and_unasked(const wsk_sweep *s, const wsk_sweep_asked *a, wsk_result flag)
{
    const char *key = wsk_result_about(flag)->key;
    return wsk_sweep_has_column(&s->columns, key) && !(a->question.where && strstr(a->question.where_text, key));
}

void wsk_sweep_rank_burdens(const wsk_sweep *s, wsk_sweep_asked *a)
{
    a->ranked = true;
    for (size_t i = 0; i < FLAGS; i++)
        a->ranked = a->ranked && is_stored_and_unasked(s, a, flags[i]);
    for (size_t i = 0; a->ranked && i < FLAGS; i++)
        wsk_cli_push(&a->columns, wsk_result_about(flags[i])->key);
    a->serves = is_stored_and_unasked(s, a, WSK_R_TOKENS_FIT);
    if (a->serves)
        wsk_cli_push(&a->columns, wsk_result_about(WSK_R_TOKENS_FIT)->key);
}

wsk_cli_burden wsk_sweep_burden(const wsk_sweep_asked *a, const wsk_cell *cells)
{
    const wsk_cell *fits = cells + (a->ranked ? FLAGS : 0);
    const bool stops = a->ranked && (cells[TRIPS].number > 0 || cells[SHUTS_DOWN].number > 0);
    return wsk_cli_burden_by(stops, a->serves && fits->number <= 0, a->ranked && cells[OVERLOADS].number > 0);
}

void wsk_sweep_tell_burdens(FILE *out, wsk_cli_burden best, size_t left, bool lacks)
{
    if (best == WSK_CLI_LACKS_MEMORY)
        fputs(
            T_("The model of the best case does not fit into the memory of its cards: no case is better in that.\n"),
            out);
    else if (best > WSK_CLI_RUNS)
        fputs(T_("The best case is overloaded or would trip: no case is better in that.\n"), out);
    if (left && lacks && best < WSK_CLI_LACKS_MEMORY)
        wsk_cli_say(out,
                    T_("Cases not ranked, as they are overloaded, would trip or shut down from heat, or their model "
                       "does not fit into the memory of the cards: %zu\n"),
                    left);
    else if (left)
        wsk_cli_say(out, T_("Cases not ranked, as they are overloaded, would trip or shut down from heat: %zu\n"),
                    left);
}
