/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef WSK_CHECK_H
#define WSK_CHECK_H
#include "sim/net/net.h"

/* Appends the report on a compiled rig as text. */
void wsk_check_report(const wsk_net *net, wsk_buf *out);

/* Its section on supplies, plugs, circuit and rules of thumb (sizing.c). */
void wsk_sizing_report(const wsk_net *net, wsk_buf *out);

#endif
