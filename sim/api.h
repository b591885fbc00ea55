/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef WSK_API_H
#define WSK_API_H
#include "sim/base/said.h"
#include "sim/io/plan.h"
#include "sim/net/net.h"

/* Moves the buffer's text to *text. If `ok` is false or a write to the buffer failed: frees the buffer and returns
 * WSK_ENOMEM. */
wsk_status wsk_give(wsk_buf *buf, bool ok, char **text);
/* Returns parts_dir or, if that is NULL, the folder of the installed catalogue. */
const char *wsk_catalogue(const char *parts_dir);

struct wsk_rig {
    wsk_plan *plan;
    wsk_net *net;         /* NULL: the rig has mistakes */
    wsk_plan_input input; /* advice loads the rig again from this input, with changes */
    /* the store of file contents that this rig owns; NULL: the rig uses the store of another rig */
    wsk_files *own_files;
    char digest[17];
};

/* All memory of the findings is in the arena of the lines, which wsk_findings_free frees. */
struct wsk_findings {
    wsk_lines lines;
};
wsk_findings *wsk_findings_new(void);
/* If a line was lost for lack of memory: frees the findings and returns WSK_ENOMEM. */
wsk_status wsk_findings_give(wsk_findings *findings, wsk_findings **out);
/* Writes the findings as English text, then frees them. */
wsk_status wsk_findings_english(wsk_findings *findings, char **text);

#endif
