/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "sim/base/number.h"
#include "sim/log/log.h"

void wsk_log_open(wsk_log_moment *m, wsk_log_by by, const char *card)
{
    m->by = by;
    snprintf(m->card, sizeof m->card, "%s", card);
    m->id[0] = '\0';
    for (int q = 0; q < WSK_LOG_QUANTITIES; q++)
        m->value[q] = NAN;
}

void wsk_log_note(wsk_log_reader *r, wsk_log_moment *m, const wsk_log_name *name, size_t at, const char *cell)
{
    wsk_log_scale scale;
    double si;
    const int q = name->role;
    if (wsk_log_absent(cell) || (!isnan(m->value[q]) && m->rank[q] <= name->rank))
        return;
    if (!wsk_log_scale_of(q, name->unit ? name->unit : "", &scale) || !wsk_log_value(q, cell, &scale, &si)) {
        const char *end;
        if (fabs(wsk_number_at(cell, &end)) < 1e15) /* DCGM reports values beyond this for a sensor that it lacks */
            wsk_log_tell(r, WSK_DIAG_WARNING, at, WSK_SAID(WSK_SAY_LOG_CELL, cell));
        return;
    }
    m->value[q] = si;
    m->rank[q] = name->rank;
}

void wsk_log_keep(wsk_log *log, wsk_log_moment *m)
{
    for (int q = 0; q < WSK_LOG_QUANTITIES; q++)
        if (!isnan(m->value[q])) {
            wsk_log_put(log, wsk_log_card_with(log, m->by, m->card, m->id), q, m->t_s, m->value[q]);
            m->value[q] = NAN;
        }
}

bool wsk_log_holds(const wsk_log_moment *m)
{
    for (int q = 0; q < WSK_LOG_QUANTITIES; q++)
        if (!isnan(m->value[q]))
            return true;
    return false;
}
