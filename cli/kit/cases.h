/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs the cases of a comparison or a sweep on threads. A case stays in one thread, so its result does not depend on
 * the number of threads. */
#ifndef WSK_CLI_CASES_H
#define WSK_CLI_CASES_H
#include "cli/kit/cli.h"

enum { WSK_CLI_JOBS_MAX = 1024 };
/* Number of processor cores that this process may use. */
int wsk_cli_cores(void);

typedef struct {
    /* number of items, which are cases or groups of cases; they are started in the order 0 to count - 1 */
    size_t count;
    size_t of;   /* number of cases that the progress line states; 0: `count` */
    size_t jobs; /* threads; 0: one per core */
    bool progress;
    void *ctx;
    /* Computes item i, in any thread. The result is passed to `done`. */
    void *(*run)(void *ctx, size_t i);
    /* Called when an item has ended, by one thread at a time; may be NULL. Returns false to start no further items. */
    bool (*done)(void *ctx, size_t i, void *result);
} wsk_cli_work;
void wsk_cli_run_cases(const wsk_cli_work *work);

enum { WSK_CLI_TOGETHER = 8 }; /* largest number of rigs in one call of wsk_cli_simulate */
typedef struct {
    const wsk_rig *rig;
    int code;             /* in: WSK_OK; any other value skips the rig. out: status of the run */
    wsk_summary *summary; /* set if the code is WSK_OK or WSK_EAUDIT, else NULL; free with wsk_summary_free */
    /* Why a run failed: in English for files, in the user's language, and as JSON (wsk_said_json); NULL: no reason
     * given. Caller frees all. */
    char *why, *told, *messages;
} wsk_cli_simulation;
/* Simulates up to WSK_CLI_TOGETHER rigs side by side, each to its end. An interrupt stops the unfinished runs, whose
 * code becomes WSK_EINTERRUPTED. */
void wsk_cli_simulate(wsk_cli_simulation *all, size_t n, const wsk_run_options *options);

#endif
