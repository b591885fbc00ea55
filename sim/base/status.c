/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/base/said.h"

const char *wsk_status_text(wsk_status status)
{
    switch (status) {
#define CASE(name, value, text) \
    case name: return text;
        WSK_STATUS_LIST(CASE)
#undef CASE
    }
    return WSK_N("unknown status");
}

const char *wsk_version(void)
{
    return WATTSINK_VERSION;
}
