/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds logs in which rows of several cards are mixed and no column names the card: the rows come in groups of the
 * same number of rows, at one time or within milliseconds. Rows of a single card form groups, too, if the card is
 * read many times a second and times are whole seconds. Values then decide: values of different cards in one group
 * differ more than values of one card in neighbouring groups. */
#include <math.h>
#include <string.h>

#include "sim/log/log.h"

static const double near_s = 0.1; /* greatest distance of successive rows of one group, s */

static void end_group(wsk_log_mixed *m)
{
    m->groups_of[m->size < WSK_LOG_MIXED ? m->size : WSK_LOG_MIXED]++;
    m->groups++;
    m->before_size = m->size;
    m->size = 0;
}

static void add_difference(double sum[WSK_LOG_MIXED_OF], const double a[WSK_LOG_MIXED_OF],
                           const double b[WSK_LOG_MIXED_OF])
{
    for (int q = 0; q < WSK_LOG_MIXED_OF; q++)
        if (isfinite(a[q]) && isfinite(b[q]))
            sum[q] += fabs(a[q] - b[q]);
}

void wsk_log_mixed_row(wsk_log_mixed *m, double t_s, const double value[WSK_LOG_MIXED_OF], int line)
{
    const double step = t_s - m->last_s;
    const bool joins = m->rows && step >= 0 && step <= near_s;
    if (m->rows && !joins) {
        end_group(m);
        m->far_s += fabs(step);
    }
    if (joins) {
        m->near++;
        m->near_s += step;
        m->equal += !(step > 0);
        m->line = m->line ? m->line : line;
        add_difference(m->beside, value, m->last);
        m->besides++;
    }
    if (m->size < WSK_LOG_MIXED) {
        if (m->groups && m->size < m->before_size) {
            add_difference(m->later, value, m->before[m->size]);
            m->laters++;
        }
        memcpy(m->before[m->size], value, sizeof m->before[m->size]);
    }
    m->fraction = m->fraction || fabs(t_s - floor(t_s + 0.5)) > 1e-3;
    memcpy(m->last, value, sizeof m->last);
    m->last_s = t_s;
    m->size++;
    m->rows++;
}

/* True if, for some value, rows of one group differ, and at least `times` as much as rows at the same place of
 * neighbouring groups. */
static bool differ(const wsk_log_mixed *m, double times)
{
    for (int q = 0; q < WSK_LOG_MIXED_OF; q++)
        if (m->besides && m->laters && m->beside[q] > 0 &&
            m->beside[q] / (double)m->besides >= times * m->later[q] / (double)m->laters)
            return true;
    return false;
}

bool wsk_log_mixed_found(const wsk_log_mixed *m)
{
    static const double most = 0.9; /* least share of the groups that must have the usual number of rows; the other
                                     * groups may have lost rows */
    enum { FEW = 3 };
    size_t usual = 1;
    for (size_t n = 1; n < WSK_LOG_MIXED; n++)
        usual = m->groups_of[n] > m->groups_of[usual] ? n : usual;
    if (usual < 2 || m->groups < FEW || (double)m->groups_of[usual] < most * (double)m->groups)
        return false;
    if (m->near_s / (double)m->near > 0.2 * m->far_s / (double)m->groups)
        return false;
    /* Least ratio of differences within groups to differences between groups. Rows of a single card are hardly ever
     * some milliseconds apart (any difference is enough), seldom have one time to the millisecond (0.5), and often
     * have one time in whole seconds (2). */
    const double times = 2 * m->equal < m->near ? 0 : m->fraction ? 0.5 : 2;
    return differ(m, times);
}
