/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps the samples of a log. A series that reaches WSK_LOG_SAMPLES is thinned while it is read, so that memory is
 * bounded: neighbouring samples are replaced by their means. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/number.h"
#include "sim/log/log.h"

static size_t find_or_add(wsk_log *log, wsk_log_by by, const char *key)
{
    for (size_t i = 0; i < log->count; i++)
        if (strcmp(log->cards[i]->key, key) == 0)
            return i;
    log->crowded = log->crowded || log->count == WSK_LOG_CARDS;
    wsk_log_one *card = log->crowded ? NULL : wsk_alloc(log->arena, sizeof *card);
    if (!card)
        return WSK_LOG_CARDS;
    const char *end;
    const double number = wsk_number_at(key, &end);
    snprintf(card->key, sizeof card->key, "%s", key);
    card->by = by;
    card->order = by == WSK_LOG_BY_INDEX && end != key && isfinite(number) ? number : (double)log->count;
    card->name = by == WSK_LOG_BY_HIDDEN ? wsk_printf(log->arena, "%zu", log->count) : card->key;
    log->cards[log->count] = card;
    return log->count++;
}

static void warn_of_move(wsk_log *log, const wsk_said *said)
{
    enum { MOST_TOLD = 10 };
    if (log->moves++ < MOST_TOLD)
        wsk_diag_add(&log->diags, WSK_DIAG_WARNING, log->path, log->line ? log->line : 1, 1, said);
}

/* Adds a card whose key another card has already: "0 (2)". */
static size_t add_namesake(wsk_log *log, wsk_log_by by, const char *key)
{
    char other[WSK_LOG_CELL];
    for (size_t n = 2;; n++) {
        size_t i = 0;
        snprintf(other, sizeof other, "%.60s (%zu)", key, n);
        while (i < log->count && strcmp(log->cards[i]->key, other) != 0)
            i++;
        if (i == log->count)
            return find_or_add(log, by, other);
    }
}

/* The card of a key whose id no card has yet. */
static size_t add_id(wsk_log *log, wsk_log_by by, const char *key, const char *id)
{
    size_t of = find_or_add(log, by, key);
    if (of == WSK_LOG_CARDS || (*log->cards[of]->id && *log->cards[of]->id != *id))
        return of;
    if (*log->cards[of]->id) {
        of = add_namesake(log, by, key);
        if (of == WSK_LOG_CARDS)
            return of;
        warn_of_move(log, WSK_SAID(WSK_SAY_LOG_REPLACED, wsk_printf(log->arena, "%s", key), log->cards[of]->name));
    }
    snprintf(log->cards[of]->id, WSK_LOG_CELL, "%s", id);
    snprintf(log->cards[of]->latest, WSK_LOG_CELL, "%s", key);
    return of;
}

size_t wsk_log_card_with(wsk_log *log, wsk_log_by by, const char *key, const char *id)
{
    size_t of = 0;
    if (!*id)
        return find_or_add(log, by, key);
    while (of < log->count && strcmp(log->cards[of]->id, id) != 0)
        of++;
    if (of == log->count)
        return add_id(log, by, key, id);
    wsk_log_one *card = log->cards[of];
    if (strcmp(card->latest, key) != 0 && by != WSK_LOG_BY_HIDDEN) {
        warn_of_move(log, WSK_SAID(WSK_SAY_LOG_MOVED, wsk_printf(log->arena, "%s", key), card->name));
        snprintf(card->latest, sizeof card->latest, "%s", key);
    }
    return of;
}

void wsk_log_put_model(wsk_log *log, size_t card, const char *model)
{
    if (card < log->count && *model && !log->cards[card]->model)
        log->cards[card]->model = wsk_strdup(log->arena, model);
}

static int card_order(const void *a, const void *b)
{
    const wsk_log_one *x = *(wsk_log_one *const *)a, *y = *(wsk_log_one *const *)b;
    if (x->by == WSK_LOG_BY_BUS && y->by == WSK_LOG_BY_BUS)
        return strcmp(x->key, y->key);
    return x->order > y->order || x->order < y->order ? (x->order > y->order) - (x->order < y->order)
                                                      : strcmp(x->key, y->key);
}

static bool grow(wsk_log_track *k)
{
    const size_t room = k->room ? 2 * k->room : 256;
    double *t = realloc(k->t, room * sizeof *t);
    if (t)
        k->t = t;
    double *value = t ? realloc(k->value, room * sizeof *value) : NULL;
    if (!value)
        return false;
    k->value = value;
    int *line = k->held_line ? realloc(k->line, room * sizeof *line) : NULL;
    if (k->held_line && !line)
        return false;
    k->line = line;
    k->room = room;
    return true;
}

static void halve(wsk_log_track *k)
{
    for (size_t i = 0; i + 1 < k->count; i += 2) {
        k->t[i / 2] = 0.5 * (k->t[i] + k->t[i + 1]);
        k->value[i / 2] = 0.5 * (k->value[i] + k->value[i + 1]);
        if (k->line)
            k->line[i / 2] = k->line[i];
    }
    k->count /= 2;
    k->stride *= 2;
}

static bool flush(wsk_log_track *k)
{
    if (!k->held)
        return true;
    if (k->count == k->room && !grow(k))
        return false;
    const double n = (double)k->held;
    k->t[k->count] = k->sum_t / n;
    if (k->line)
        k->line[k->count] = k->held_line;
    k->value[k->count++] = k->sum_value / n;
    k->held = 0;
    k->sum_t = k->sum_value = 0;
    return true;
}

void wsk_log_put(wsk_log *log, size_t card, int quantity, double t_s, double value)
{
    if (quantity != WSK_LOG_WALL && card >= log->count)
        return;
    wsk_log_track *k = quantity == WSK_LOG_WALL ? &log->wall : &log->cards[card]->of[quantity];
    if (k->count == WSK_LOG_SAMPLES) {
        halve(k);
        log->thinned = true;
    }
    k->stride += !k->stride;
    if (!k->held && (quantity == WSK_LOG_POWER || quantity == WSK_LOG_UTILISATION))
        k->held_line = log->line;
    k->sum_t += t_s;
    k->sum_value += value;
    if (++k->held == k->stride && !flush(k))
        log->failed = true;
}

typedef struct {
    double t, value;
    size_t place;
    int line;
} sample;

static int sample_order(const void *a, const void *b)
{
    const sample *x = a, *y = b;
    if (x->t < y->t || x->t > y->t)
        return x->t < y->t ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

/* Sorts a track by time. Of several samples at one time it keeps the first, and adds the number of the others to
 * *twice. False: out of memory. */
static bool sort_track(wsk_log_track *k, size_t *twice)
{
    if (!flush(k))
        return false;
    bool rises = true;
    for (size_t i = 1; rises && i < k->count; i++)
        rises = k->t[i] > k->t[i - 1];
    if (rises)
        return true;
    sample *all = malloc(k->count * sizeof *all);
    if (!all)
        return false;
    for (size_t i = 0; i < k->count; i++)
        all[i] = (sample){k->t[i], k->value[i], i, k->line ? k->line[i] : 0};
    qsort(all, k->count, sizeof *all, sample_order);
    size_t n = 0;
    for (size_t i = 0; i < k->count; i++)
        if (!n || all[i].t > k->t[n - 1]) {
            k->t[n] = all[i].t;
            if (k->line)
                k->line[n] = all[i].line;
            k->value[n++] = all[i].value;
        }
    *twice += k->count - n;
    k->count = n;
    free(all);
    return true;
}

static void shift_track(wsk_log_track *k, double by)
{
    size_t n = 0;
    for (size_t i = 0; i < k->count; i++) {
        const double t = k->t[i] - by;
        if (n && !(t > k->t[n - 1]))
            continue;
        k->t[n] = t;
        if (k->line)
            k->line[n] = k->line[i];
        k->value[n++] = k->value[i];
    }
    k->count = n;
}

static size_t tracks_of(const wsk_log *log)
{
    return 1 + log->count * WSK_LOG_QUANTITIES;
}

static wsk_log_track *track_of(wsk_log *log, size_t i)
{
    return i == 0 ? &log->wall : &log->cards[(i - 1) / WSK_LOG_QUANTITIES]->of[(i - 1) % WSK_LOG_QUANTITIES];
}

static void free_track(wsk_log_track *k)
{
    free(k->t);
    free(k->value);
    free(k->line);
}

static void cut_track(wsk_log_track *k, double from_s, double to_s)
{
    size_t n = 0;
    for (size_t i = 0; i < k->count; i++) {
        if (!(k->t[i] >= from_s && k->t[i] < to_s))
            continue;
        k->t[n] = k->t[i];
        if (k->line)
            k->line[n] = k->line[i];
        k->value[n++] = k->value[i];
    }
    k->count = n;
}

void wsk_log_cut(wsk_log *log, double from_s, double to_s)
{
    for (size_t i = 0; i < tracks_of(log); i++)
        cut_track(track_of(log, i), from_s, to_s);
}

void wsk_log_settle(wsk_log *log)
{
    double start = INFINITY;
    size_t n = 0;
    for (size_t i = 0; i < tracks_of(log); i++)
        if (track_of(log, i)->count)
            start = wsk_min(start, track_of(log, i)->t[0]);
    log->start_s = isfinite(start) ? log->start_s + start : (double)NAN;
    for (size_t i = 0; i < tracks_of(log) && isfinite(start); i++)
        shift_track(track_of(log, i), start);
    for (size_t i = 0; i < log->count; i++) {
        bool has = false;
        for (int q = 0; q < WSK_LOG_QUANTITIES; q++)
            has = has || log->cards[i]->of[q].count > 0;
        if (has)
            log->cards[n++] = log->cards[i];
        else
            for (int q = 0; q < WSK_LOG_QUANTITIES; q++)
                free_track(&log->cards[i]->of[q]);
    }
    log->count = n;
    qsort(log->cards, log->count, sizeof(wsk_log_one *), card_order);
}

void wsk_log_close(wsk_log *log)
{
    for (size_t i = 0; i < tracks_of(log); i++) {
        wsk_log_track *k = track_of(log, i);
        size_t twice = 0;
        log->failed = !sort_track(k, &twice) || log->failed;
        if (i && (i - 1) % WSK_LOG_QUANTITIES == WSK_LOG_POWER)
            log->twice += twice;
    }
    wsk_log_settle(log);
}

void wsk_log_free(wsk_log *log)
{
    if (!log)
        return;
    for (size_t i = 0; i < tracks_of(log); i++)
        free_track(track_of(log, i));
    wsk_arena_free(log->arena);
}

const char *wsk_log_format(const wsk_log *log)
{
    return log->format;
}

size_t wsk_log_cards(const wsk_log *log)
{
    return log->count;
}

bool wsk_log_index(const wsk_log *log, size_t card, size_t *index)
{
    const wsk_log_one *c = card < log->count ? log->cards[card] : NULL;
    if (!c || c->by != WSK_LOG_BY_INDEX || !*c->key || c->key[strspn(c->key, "0123456789")] || c->order > 1e6)
        return false;
    *index = (size_t)c->order;
    return true;
}

const char *wsk_log_card(const wsk_log *log, size_t card)
{
    return card < log->count ? log->cards[card]->name : "";
}

const char *wsk_log_model(const wsk_log *log, size_t card)
{
    return card < log->count && log->cards[card]->model ? log->cards[card]->model : "";
}

static wsk_log_series series_of(const wsk_log_track *k)
{
    return (wsk_log_series){k->count ? k->t : NULL, k->count ? k->value : NULL, k->count};
}

wsk_log_series wsk_log_of(const wsk_log *log, size_t card, wsk_log_quantity quantity)
{
    return card < log->count && quantity < WSK_LOG_QUANTITIES ? series_of(&log->cards[card]->of[quantity])
                                                              : (wsk_log_series){0};
}

wsk_log_series wsk_log_wall(const wsk_log *log)
{
    return series_of(&log->wall);
}

double wsk_log_start_utc_s(const wsk_log *log)
{
    return log->clock == WSK_LOG_UTC ? log->start_s : NAN;
}

double wsk_log_start_civil_s(const wsk_log *log)
{
    return log->clock == WSK_LOG_UTC || log->clock == WSK_LOG_CIVIL ? log->start_s + log->east_s : NAN;
}

size_t wsk_log_left_out(const wsk_log *log)
{
    return log->left_out;
}

size_t wsk_log_messages(const wsk_log *log)
{
    return log->diags.count;
}

const wsk_said *wsk_log_message(const wsk_log *log, size_t i, int *severity, int *line, int *column)
{
    const wsk_diag *d = &log->diags.items[i];
    *severity = (int)d->severity;
    *line = d->line;
    *column = d->column;
    return d->said;
}
