/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <pthread.h>
#include <string.h>

#include "sim/io/load.h"

/* Mean over the first to_ns of a series. Each value holds until the next sample, the last value until end_ns. */
static double held_mean(const wsk_recorded *r, int64_t to_ns, int64_t end_ns)
{
    double sum = 0, span = 0;
    for (size_t i = 0; i < r->count && (i == 0 || r->t_ns[i] - r->t_ns[0] < to_ns); i++) {
        const int64_t until = i + 1 < r->count ? r->t_ns[i + 1] : end_ns, stop = r->t_ns[0] + to_ns;
        const double s = (double)((until < stop ? until : stop) - r->t_ns[i]);
        sum += s * r->value[i];
        span += s;
    }
    return span > 0 ? sum / span : r->value[0];
}

static void take_means(wsk_recorded *r, int64_t end_ns)
{
    const int64_t second_ns = 1000000000;
    r->mean = r->opening = r->first = r->most = NAN;
    if (!r->count)
        return;
    r->mean = held_mean(r, INT64_MAX / 4, end_ns);
    r->opening = held_mean(r, 60 * second_ns, end_ns);
    r->first = held_mean(r, 3 * second_ns, end_ns);
    r->most = r->value[0];
    for (size_t i = 1; i < r->count; i++)
        r->most = r->value[i] > r->most ? r->value[i] : r->most;
}

/* A log that a rig names, parsed. It is read once, as all files are, but its text, which may be long, is not stored. */
typedef struct wsk_logged {
    const char *dir, *path;
    /* status, why: as in wsk_file. WSK_EINPUT also means that no log was found in the text; `diags` then has the
     * reason. */
    wsk_status status;
    const wsk_said *why;
    bool there;
    wsk_recording recording;
    wsk_diags diags;
    struct wsk_logged *next;
} wsk_logged;

/* Which values of a logged quantity a replay uses: none, only those at its start, or all. */
typedef enum { NOT_TAKEN, FIRST_TAKEN, ALL_TAKEN } extent;
static const extent takes[WSK_LOG_QUANTITIES] = {
    [WSK_LOG_POWER] = ALL_TAKEN,     [WSK_LOG_UTILISATION] = ALL_TAKEN, [WSK_LOG_MEMORY_UTILISATION] = ALL_TAKEN,
    [WSK_LOG_CLOCK] = ALL_TAKEN,     [WSK_LOG_DIE] = FIRST_TAKEN,       [WSK_LOG_FAN] = ALL_TAKEN,
    [WSK_LOG_FAN_SPEED] = ALL_TAKEN, [WSK_LOG_INLET] = ALL_TAKEN};

static wsk_log_series series_of(const wsk_log *log, size_t i)
{
    return wsk_log_of(log, i / WSK_LOG_QUANTITIES, (wsk_log_quantity)(i % WSK_LOG_QUANTITIES));
}

static void fill_times(wsk_log_series from, int64_t *t)
{
    for (size_t i = 0; i < from.count; i++)
        t[i] = (int64_t)floor(from.t_s[i] * 1e9 + 0.5);
}

static void note_series(wsk_log_series from, const int64_t *t, wsk_recording *out)
{
    out->hash = wsk_hash(out->hash, &from.count, sizeof from.count);
    out->hash = wsk_hash(out->hash, t, from.count * sizeof *t);
    out->hash = wsk_hash(out->hash, from.value, from.count * sizeof *from.value);
    /* the last sample counts as long as the one before it */
    if (from.count > 1) {
        const int64_t end = 2 * t[from.count - 1] - t[from.count - 2];
        out->period_ns = end > out->period_ns ? end : out->period_ns;
    }
}

/* Stores a series. Quantities of a card mostly have the same times. If the times equal those of the series `before`,
 * both series share one array. */
static bool store(wsk_arena *a, wsk_recorded *r, const wsk_recorded *before)
{
    double *value = wsk_alloc(a, r->count * sizeof *value);
    const bool same = before->count == r->count && memcmp(before->t_ns, r->t_ns, r->count * sizeof *r->t_ns) == 0;
    int64_t *t = same ? NULL : wsk_alloc(a, r->count * sizeof *t);
    if (!value || (!same && !t))
        return false;
    memcpy(value, r->value, r->count * sizeof *value);
    if (t)
        memcpy(t, r->t_ns, r->count * sizeof *t);
    r->value = value;
    r->t_ns = same ? before->t_ns : t;
    return true;
}

static bool take_all(wsk_arena *a, const wsk_log *from, wsk_recorded *of, int64_t *t, wsk_recording *out)
{
    const wsk_recorded none = {0}, *before = &none;
    const size_t all = out->cards * WSK_LOG_QUANTITIES;
    for (size_t i = 0; i < all; i++) {
        const wsk_log_series s = series_of(from, i);
        fill_times(s, t);
        note_series(s, t, out);
    }
    for (size_t i = 0; i < all; i++) {
        const wsk_log_series s = series_of(from, i);
        const extent taken = takes[i % WSK_LOG_QUANTITIES];
        of[i] = (wsk_recorded){.count = taken == NOT_TAKEN ? 0 : s.count, .t_ns = t, .value = s.value};
        if (of[i].count)
            fill_times(s, t);
        take_means(&of[i], out->period_ns);
        if (taken == FIRST_TAKEN && of[i].count)
            of[i].count = 1;
        if (of[i].count && !store(a, &of[i], before))
            return false;
        if (taken == ALL_TAKEN && of[i].count)
            before = &of[i];
    }
    return true;
}

static bool take(wsk_arena *a, const wsk_log *from, wsk_recording *out)
{
    size_t most = 0;
    *out = (wsk_recording){.cards = wsk_log_cards(from)};
    for (size_t i = 0; i < out->cards * WSK_LOG_QUANTITIES; i++)
        most = series_of(from, i).count > most ? series_of(from, i).count : most;
    wsk_arena *scratch = wsk_arena_new();
    int64_t *t = scratch ? wsk_alloc(scratch, (most + 1) * sizeof *t) : NULL;
    wsk_recorded *of = wsk_alloc(a, (out->cards * WSK_LOG_QUANTITIES + 1) * sizeof *of);
    out->of = of;
    const bool ok = t && of && take_all(a, from, of, t, out);
    wsk_arena_free(scratch);
    return ok;
}

static void keep_messages(const wsk_log *log, wsk_logged *to)
{
    for (size_t i = 0; i < wsk_log_messages(log); i++) {
        int severity, line, column;
        const wsk_said *said = wsk_log_message(log, i, &severity, &line, &column);
        wsk_diag_add(&to->diags, (wsk_severity)severity, to->path, line, column, said);
    }
}

/* Reads and parses a log. Its text is freed before the parsed values are copied into the arena. False: out of
 * memory. */
static bool read_log(wsk_arena *a, wsk_logged *to)
{
    wsk_arena *scratch = wsk_arena_new();
    wsk_file f = {.status = WSK_ENOMEM};
    wsk_log *log = NULL;
    if (scratch)
        wsk_log_file_read(scratch, to->dir, to->path, &f);
    to->there = f.status == WSK_OK;
    to->status = f.status == WSK_OK ? wsk_log_read(&log, to->path, f.text, f.len) : f.status;
    to->why = f.why ? wsk_said_keep(a, f.why) : NULL;
    const bool kept = !f.why || to->why;
    wsk_arena_free(scratch);
    if (to->status == WSK_OK)
        wsk_log_tell_holes(log);
    if (log)
        keep_messages(log, to);
    const bool ok = to->status != WSK_ENOMEM && kept && (to->status != WSK_OK || take(a, log, &to->recording));
    wsk_log_free(log);
    return ok && !wsk_arena_failed(a);
}

static const wsk_logged *get(wsk_files *files, const char *dir, const char *path)
{
    for (const wsk_logged *f = files->logs; f; f = f->next)
        if (strcmp(f->path, path) == 0 && strcmp(f->dir, dir) == 0)
            return f;
    wsk_arena *a = files->arena;
    wsk_logged *f = wsk_alloc(a, sizeof *f);
    if (!f || !(f->path = wsk_strdup(a, path)) || !(f->dir = wsk_strdup(a, dir)))
        return NULL;
    wsk_diags_init(&f->diags, a);
    if (!read_log(a, f))
        return NULL;
    if (f->status == WSK_ERUN)
        return wsk_files_miss(files, f->path, f->why) ? f : NULL;
    f->next = files->logs;
    files->logs = f;
    return f;
}

static const wsk_logged *get_log(wsk_loader *l, const char *name, const wsk_said **why)
{
    const char *path = NULL;
    if (!wsk_data_path(l, name, &path, why))
        return NULL;
    pthread_mutex_lock(&l->files->lock);
    const wsk_logged *f = get(l->files, l->data_dir, path);
    pthread_mutex_unlock(&l->files->lock);
    if (!f) {
        wsk_arena_fail(l->arena);
        return NULL;
    }
    l->unread = l->unread || f->status == WSK_ERUN;
    *why = f->there || f->why ? f->why : WSK_SAY(l->arena, WSK_SAY_DATA_MISSING, path);
    return f;
}

bool wsk_recording_read(wsk_loader *l, const wsk_param *p, wsk_origin *o, wsk_recording *out)
{
    const wsk_said *why = NULL;
    const wsk_logged *f = get_log(l, o->text, &why);
    bool good = f && f->status == WSK_OK;
    for (size_t i = 0; f && i < f->diags.count; i++) {
        const wsk_diag *d = &f->diags.items[i];
        wsk_diag_add(l->diags, d->severity, f->path, d->line, d->column, d->said);
    }
    if (good)
        *out = f->recording;
    if (good && (!out->cards || out->period_ns <= 0))
        why = WSK_SAY(l->arena, WSK_SAY_LOG_SHORT);
    if (why) {
        char q[WSK_QUOTED];
        l->bad_files = true;
        wsk_value_error(l->diags, o, WSK_SAID(WSK_SAY_DATA_WHY, p->name, wsk_io_quote(q, o->text), why));
    }
    return good && !why;
}
