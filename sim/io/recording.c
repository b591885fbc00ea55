/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
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

static bool copy(wsk_loader *l, wsk_log_series from, wsk_recorded *to, wsk_recording *log)
{
    int64_t *t = wsk_alloc(l->arena, (from.count + 1) * sizeof *t);
    double *value = wsk_alloc(l->arena, (from.count + 1) * sizeof *value);
    if (!t || !value)
        return false;
    for (size_t i = 0; i < from.count; i++) {
        t[i] = (int64_t)floor(from.t_s[i] * 1e9 + 0.5);
        value[i] = from.value[i];
    }
    *to = (wsk_recorded){.count = from.count, .t_ns = t, .value = value};
    log->hash = wsk_hash(log->hash, &from.count, sizeof from.count);
    log->hash = wsk_hash(wsk_hash(log->hash, t, from.count * sizeof *t), value, from.count * sizeof *value);
    /* the last sample counts as long as the one before it */
    if (from.count > 1) {
        const int64_t end = 2 * t[from.count - 1] - t[from.count - 2];
        log->period_ns = end > log->period_ns ? end : log->period_ns;
    }
    return true;
}

static bool take(wsk_loader *l, const wsk_log *from, wsk_recording *out)
{
    const size_t cards = wsk_log_cards(from), all = cards * WSK_LOG_QUANTITIES;
    wsk_recorded *of = wsk_alloc(l->arena, (all + 1) * sizeof *of);
    *out = (wsk_recording){.cards = cards, .of = of};
    for (size_t i = 0; i < all; i++)
        if (!of || !copy(l, wsk_log_of(from, i / WSK_LOG_QUANTITIES, (wsk_log_quantity)(i % WSK_LOG_QUANTITIES)),
                         &of[i], out))
            return false;
    for (size_t i = 0; i < all; i++)
        take_means(&of[i], out->period_ns);
    return true;
}

static void tell(wsk_loader *l, const wsk_log *log, const char *path)
{
    for (size_t i = 0; i < wsk_log_messages(log); i++) {
        int severity, line, column;
        const wsk_said *said = wsk_log_message(log, i, &severity, &line, &column);
        wsk_diag_add(l->diags, (wsk_severity)severity, path, line, column, said);
    }
}

bool wsk_recording_read(wsk_loader *l, const wsk_param *p, wsk_origin *o, wsk_recording *out)
{
    const wsk_said *why = NULL;
    const char *path = NULL;
    const wsk_file *f = wsk_data_file(l, o->text, &path, &why);
    wsk_log *log = NULL;
    bool good = false;
    if (f) {
        const wsk_status status = wsk_log_read(&log, path, f->text, f->len);
        if (status == WSK_OK)
            wsk_log_tell_holes(log);
        if (log)
            tell(l, log, path);
        good = status == WSK_OK && take(l, log, out);
        if (good && (!out->cards || out->period_ns <= 0))
            why = WSK_SAY(l->arena, WSK_SAY_LOG_SHORT);
        wsk_log_free(log);
    }
    if (why) {
        char q[WSK_QUOTED];
        wsk_value_error(l->diags, o, WSK_SAID(WSK_SAY_DATA_WHY, p->name, wsk_io_quote(q, o->text), why));
    }
    return good && !why;
}
