/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of the public interface share: api.c has rigs and runs, api_page.c summaries and pages, api_study.c what is
 * studied of a rig, api_tables.c designs, kinds and parts. */
#ifndef WSK_API_H
#define WSK_API_H
#include "sim/base/said.h"
#include "sim/io/plan.h"
#include "sim/net/net.h"

/* Hands the buffer's text to the caller; WSK_ENOMEM after freeing it where `ok` is false or its writing failed. */
wsk_status wsk_give(wsk_buf *buf, bool ok, char **text);
/* NULL: the catalogue that is installed with the library. */
const char *wsk_catalogue(const char *parts_dir);

struct wsk_rig {
    wsk_plan *plan;
    wsk_net *net;         /* NULL when the rig has mistakes */
    wsk_plan_input input; /* to read it again with changes */
    char digest[17];
};

/* Lines of messages, in an arena of their own. */
struct wsk_findings {
    wsk_lines lines;
};
wsk_findings *wsk_findings_new(void); /* NULL: out of memory */
/* Hands them to the caller, or frees them where a line is missing. */
wsk_status wsk_findings_give(wsk_findings *findings, wsk_findings **out);
/* Frees them and hands out their text in English. */
wsk_status wsk_findings_english(wsk_findings *findings, char **text);

#endif
