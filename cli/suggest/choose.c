/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/suggest/suggest.h"

static double by(wsk_title title, const wsk_judged_machine *m)
{
    switch (title) {
    case WSK_FASTEST: return -m->tokens_s;
    case WSK_LEAST_TO_BUY: return m->purchase;
    default: return m->per_million;
    }
}

static bool is_better(wsk_title title, const wsk_judged_machine *a, const wsk_judged_machine *b)
{
    const double x = by(title, a), y = by(title, b);
    return x != y ? x < y : a->per_million < b->per_million;
}

/* Length of the part of a card's id that names the chip, such as "gpu/rtx-3090" of "gpu/rtx-3090-blower". */
static size_t chip_length(const char *id)
{
    static const char *const ends[] = {"-blower", "-open-air", "-fe", "-duct", "-triple-fan", "-water", "-aio"};
    size_t len = strlen(id);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        const size_t n = strlen(ends[i]);
        if (len > n && strcmp(id + len - n, ends[i]) == 0)
            return len - n;
    }
    return len;
}

static bool same_chip(const wsk_machine *a, const wsk_machine *b)
{
    const size_t n = chip_length(a->card->id);
    return n == chip_length(b->card->id) && strncmp(a->card->id, b->card->id, n) == 0;
}

/* The title "fastest" goes to the machine with the least cost per token among those whose speed is at most this share
 * below the highest. */
static const double alike = 0.02;

static bool is_free(const wsk_field *f, size_t i, const bool *out, const wsk_judged_machine *const *taken, int n)
{
    bool is = !out[i];
    for (int k = 0; k < n; k++)
        is = is && !same_chip(&f->list[i].machine, &taken[k]->machine);
    return is;
}

static const wsk_judged_machine *find_best(wsk_title title, const wsk_field *f, const bool *out,
                                           const wsk_judged_machine *const *taken, int n)
{
    const wsk_judged_machine *best = NULL;
    for (size_t i = 0; i < f->count; i++)
        if (is_free(f, i, out, taken, n) && (!best || is_better(title, &f->list[i], best)))
            best = &f->list[i];
    const double enough = best && title == WSK_FASTEST ? (1 - alike) * best->tokens_s : INFINITY;
    for (size_t i = 0; i < f->count; i++)
        if (f->list[i].tokens_s >= enough && f->list[i].per_million < best->per_million &&
            is_free(f, i, out, taken, n))
            best = &f->list[i];
    return best;
}

/* Price of one card up to which the machine stays better than `next` by this title; for WSK_FASTEST, up to which the
 * machine stays within the budget. NAN: there is no `next`. */
static double holds_below(wsk_title title, const wsk_judged_machine *best, const wsk_judged_machine *next,
                          const wsk_ask *ask)
{
    const double cards = best->machine.count, tokens = best->tokens_s * 86400 * 365 * ask->years / 1e6;
    const double more = title == WSK_FASTEST        ? ask->budget - best->purchase
                        : !next                     ? NAN
                        : title == WSK_LEAST_TO_BUY ? next->purchase - best->purchase
                                                    : (next->per_million - best->per_million) * tokens;
    return best->card_price + more / cards;
}

/* The best machine by a title that keeps heat and circuit limits with the required probability, without machines that
 * have the chip of one of the n machines `taken`. Machines that fail are marked in `out`. NULL: no such machine, or
 * *code is not WSK_OK. */
static const wsk_judged_machine *find_sure(wsk_title title, wsk_field *f, bool *out,
                                           const wsk_judged_machine *const *taken, int n, const wsk_ask *ask,
                                           int *code)
{
    const wsk_judged_machine *best;
    while ((best = find_best(title, f, out, taken, n)) && *code == WSK_OK) {
        wsk_judged_machine *at = &f->list[best - f->list], judged;
        const wsk_bad bad = wsk_suggest_judge(&judged, &at->machine, ask, true, code);
        if (bad == WSK_GOOD) {
            *at = judged;
            return best;
        }
        out[best - f->list] = true;
        f->bad[bad]++;
        f->bad[WSK_GOOD]--;
    }
    return NULL;
}

static wsk_chosen *find_told(wsk_chosen *chosen, int n, const wsk_judged_machine *m)
{
    for (int i = 0; i < n; i++)
        if (chosen[i].best == m)
            return &chosen[i];
    return NULL;
}

int wsk_suggest_choose(wsk_chosen chosen[WSK_TOLD], wsk_field *f, const wsk_ask *ask)
{
    const wsk_judged_machine *taken[WSK_TOLD];
    bool *out = wsk_cli_alloc((f->count + 1) * sizeof *out);
    int n = 0, code = WSK_OK;
    for (int t = 0; t < WSK_TITLES && n < WSK_TOLD;) {
        const bool another = t == WSK_ANOTHER;
        const wsk_judged_machine *best = find_sure((wsk_title)t, f, out, taken, another ? n : 0, ask, &code);
        wsk_chosen *told = best ? find_told(chosen, n, best) : NULL;
        if (!best)
            break;
        if (told) {
            told->also |= 1u << t;
        } else {
            taken[n] = best;
            chosen[n++] = (wsk_chosen){.title = (wsk_title)t, .best = best};
        }
        t += !another;
    }
    for (int i = 0; i < n; i++) {
        chosen[i].next = find_best(chosen[i].title, f, out, &chosen[i].best, 1);
        chosen[i].holds_below =
            chosen[i].title == WSK_ANOTHER ? NAN : holds_below(chosen[i].title, chosen[i].best, chosen[i].next, ask);
        if (chosen[i].title == WSK_ANOTHER)
            chosen[i].next = NULL;
    }
    free(out);
    return code == WSK_OK ? n : -1;
}
