/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Many cases on some threads. Each case runs in one thread, so that its bits do not depend on their number. */
#ifndef WSK_CLI_CASES_H
#define WSK_CLI_CASES_H
#include "cli/kit/cli.h"

enum { WSK_CLI_JOBS_MAX = 1024 };

typedef struct {
    size_t count; /* cases 0 to count - 1, taken in this order */
    size_t of;    /* what progress counts instead, where an item holds several; 0: the items */
    size_t jobs;  /* threads; 0: one a core */
    bool progress;
    void *ctx;
    /* In any thread. What it returns goes to `done`. */
    void *(*run)(void *ctx, size_t i);
    /* One at a time, in the order in which cases end; NULL: nothing to do. False: begin no other case. */
    bool (*done)(void *ctx, size_t i, void *result);
} wsk_cli_work;
/* Returns when all cases have ended, or those that had begun when `done` said false. */
void wsk_cli_run_cases(const wsk_cli_work *work);

enum { WSK_CLI_TOGETHER = 8 };
typedef struct {
    const wsk_rig *rig;
    int code;             /* before: WSK_OK, or it is left as it is; after: how it ended */
    wsk_summary *summary; /* for wsk_summary_free, on WSK_OK and WSK_EAUDIT */
    /* What stopped it, for free(), where the run says it: in English as files have it, and in the user's language. */
    char *why, *told;
} wsk_cli_simulation;
/* Runs up to WSK_CLI_TOGETHER rigs side by side to their ends, or until an interrupt (WSK_EINTERRUPTED). */
void wsk_cli_simulate(wsk_cli_simulation *all, size_t n, const wsk_run_options *options);

#endif
