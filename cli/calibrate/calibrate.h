/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private to wattsink calibrate: calibrate.c reads the rows, finds their cards and writes the rig; tell.c judges the fit and
 * prints it. Begin with calibrate.c. */
#ifndef WSK_CLI_CALIBRATE_H
#define WSK_CLI_CALIBRATE_H
#include "cli/kit/cli.h"

/* One sweep and the cards that it is for. */
typedef struct {
    const char *file, *id; /* id: of the card; NULL: all cards alike */
    size_t id_len;
    wsk_limits *sweep;
    const wsk_calibrate_row *rows;
    size_t count;
    size_t first, cards; /* the first card, and how many have the same part */
    wsk_calibration fit;
} wsk_cli_task;

/* Prints what the fit of a sweep learnt, how far it is off, and what other rows would tell. */
void wsk_cli_task_print(const wsk_rig *rig, const wsk_cli_task *task);
/* The same as a JSON object. */
void wsk_cli_task_json(const wsk_rig *rig, const wsk_cli_task *task);

#endif
