/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Public interface: calibration. sim/log reads the rows. */
#include <math.h>

#include "sim/api.h"
#include "sim/study/calibrate.h"
#include "sim/study/calibrated.h"

/* The card with this number, if rows can be fitted to it; else NULL and *status. */
static const wsk_card *find(const wsk_rig *rig, size_t card, wsk_status *status)
{
    *status = !rig->net ? WSK_EINPUT : card < (size_t)rig->net->n_card ? WSK_OK : WSK_EUSAGE;
    return *status == WSK_OK ? &rig->net->cards[card] : NULL;
}

const wsk_said *wsk_calibrate_refusal(const wsk_rig *rig, size_t card)
{
    wsk_status status;
    const wsk_card *c = find(rig, card, &status);
    return c ? wsk_calibrate_refuses(rig->net, c) : NULL;
}

wsk_status wsk_calibrate_sweep(const wsk_rig *rig, size_t card, const wsk_calibrate_row *rows, size_t count,
                               wsk_calibration *out)
{
    wsk_status status;
    const wsk_card *c = find(rig, card, &status);
    if (!c)
        return status;
    return wsk_calibrate_refuses(rig->net, c) ? WSK_EUSAGE
                                              : wsk_calibrate_card(c->gpu, c->ops, &c->cls, rows, count, out);
}

wsk_status wsk_calibrate_predict(const wsk_rig *rig, size_t card, const wsk_calibration *fit,
                                 const wsk_calibrate_row *row, wsk_calibrate_row *out)
{
    wsk_status status;
    const wsk_card *c = find(rig, card, &status);
    if (!c)
        return status;
    if (isnan(row->limit_w) && isnan(row->lock_hz) && isnan(row->drawn_w))
        return WSK_EUSAGE;
    wsk_calibrate_row_of(c->gpu, c->ops, &c->cls, fit, row, out);
    return WSK_OK;
}

size_t wsk_rig_cards(const wsk_rig *rig)
{
    return rig->net ? (size_t)rig->net->n_card : 0;
}

const char *wsk_rig_card(const wsk_rig *rig, size_t card, const char **part)
{
    wsk_status status;
    const wsk_card *c = find(rig, card, &status);
    *part = c ? c->elem->part : NULL;
    return c ? c->id : NULL;
}

wsk_status wsk_rig_calibrated(const wsk_rig *rig, const wsk_calibrated_card *cards, size_t count, char **text)
{
    wsk_status status = WSK_OK;
    for (size_t i = 0; i < count && status == WSK_OK; i++)
        find(rig, cards[i].card, &status);
    wsk_plan *plan = NULL;
    wsk_buf b = {0};
    if (status == WSK_OK)
        status = wsk_calibrated_plan(rig->net, &rig->input, cards, count, &plan);
    if (status == WSK_OK) {
        wsk_plan_write_resolved(plan, &b);
        status = wsk_give(&b, true, text);
    }
    wsk_plan_free(plan);
    return status;
}
