/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files of the public interface: api.c (rigs and runs), api_page.c (summaries, pages, advice),
 * api_study.c (check, export, uncertainty), api_calibrate.c (calibration), api_optimise.c (the best settings),
 * api_tables.c (designs, kinds and parts). */
#ifndef WSK_API_H
#define WSK_API_H
#include "sim/base/said.h"
#include "sim/io/plan.h"
#include "sim/net/net.h"

/* Moves the buffer's text to *text. If `ok` is false or a write to the buffer failed: frees the buffer and returns
 * WSK_ENOMEM. */
wsk_status wsk_give(wsk_buf *buf, bool ok, char **text);
/* The folder of the part catalogue: parts_dir, or the installed catalogue if parts_dir is NULL. */
const char *wsk_catalogue(const char *parts_dir);

struct wsk_rig {
    wsk_plan *plan;
    wsk_net *net;         /* NULL: the rig has mistakes */
    wsk_plan_input input; /* files, folders and assignments of the rig: advice loads it again with changes */
    wsk_files *own_files; /* store of file contents that the rig owns; NULL: it uses the store of another rig */
    char digest[17];
};

/* A list of messages. Its memory is in the arena of the lines, which wsk_findings_free frees. */
struct wsk_findings {
    wsk_lines lines;
};
wsk_findings *wsk_findings_new(void); /* NULL: out of memory */
/* Moves the findings to *out. If a line was lost for lack of memory: frees them and returns WSK_ENOMEM. */
wsk_status wsk_findings_give(wsk_findings *findings, wsk_findings **out);
/* Writes the findings as English text, then frees them. */
wsk_status wsk_findings_english(wsk_findings *findings, char **text);

#endif
