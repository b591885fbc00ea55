/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/base/loud.h"

#include <math.h>
#include <string.h>

#include "wattsink.h"

const char *const wsk_stand_names[] = {"desk", "room", "server-room", NULL};
const wsk_loud_limits wsk_loud_at[WSK_STANDS] = {[WSK_STANDS_DESK] = {.dba = WSK_LOUD_DBA,
                                                                      .very_dba = WSK_VERY_LOUD_DBA,
                                                                      .source = "ASR A3.7",
                                                                      .very_source = "ASR A3.7",
                                                                      .where = WSK_N("desk")},
                                                 [WSK_STANDS_ROOM] = {.dba = 45,
                                                                      .very_dba = WSK_LOUD_DBA,
                                                                      .source = "EPA 550/9-74-004",
                                                                      .very_source = "ASR A3.7",
                                                                      .where = WSK_N("living room")},
                                                 [WSK_STANDS_SERVER_ROOM] = {.dba = 80,
                                                                             .very_dba = 85,
                                                                             .source = "2003/10/EC",
                                                                             .very_source = "2003/10/EC",
                                                                             .where = WSK_N("server room")}};

wsk_standing wsk_stand_named(const char *name)
{
    int i = 0;
    while (name && wsk_stand_names[i] && strcmp(name, wsk_stand_names[i]) != 0)
        i++;
    return name && wsk_stand_names[i] ? (wsk_standing)i : WSK_STANDS_DESK;
}

bool wsk_loud(wsk_standing stand, double dba)
{
    return round(dba) > wsk_loud_at[stand].dba;
}

bool wsk_very_loud(wsk_standing stand, double dba)
{
    return round(dba) > wsk_loud_at[stand].very_dba;
}

bool wsk_loud_after(wsk_standing stand, double dba, double change_db)
{
    const double after = dba + (isnan(change_db) ? 0 : change_db);
    return wsk_loud(stand, dba) ? after > wsk_loud_at[stand].dba : wsk_loud(stand, after);
}

double wsk_loud_spared(wsk_standing stand, double before, double after)
{
    const wsk_loud_limits *l = &wsk_loud_at[stand];
    if (before > l->very_dba && after > l->dba)
        return 0;
    return fmin(fmax(before, l->dba), l->very_dba) - fmin(fmax(after, l->dba), l->very_dba);
}
