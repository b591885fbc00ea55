/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "wattsink.h"

const char *wsk_status_text(wsk_status status)
{
    switch (status) {
#define CASE(name, value, text) \
    case name: return text;
        WSK_STATUS_LIST(CASE)
#undef CASE
    }
    return "unknown status";
}

const char *wsk_version(void)
{
    return WATTSINK_VERSION;
}
