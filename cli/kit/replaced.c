/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/kit/replaced.h"

#include <string.h>

#include "cli/kit/cli.h"

bool wsk_cli_half_replaced(const char *dir, const char *xml, const wsk_summary *summary)
{
    static const char mark[] = " digest "; /* in the comment at the head, of wsk_rig_resolved */
    const char *is = wsk_cli_said(summary, WSK_R_DIGEST, 0), *at = strstr(xml, mark), *end = strstr(xml, "-->");
    if (!*is || !at || !end || at > end || strncmp(at + strlen(mark), is, strlen(is)) == 0)
        return false;
    wsk_cli_error(T_("%1$s/summary.json is of another rig than %1$s/rig.resolved.xml, whose run has not ended: "
                     "'wattsink run RIG.xml -o %1$s --resume' goes on with it"),
                  dir);
    return true;
}
