/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/cases.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct {
    const wsk_cli_work *work;
    pthread_mutex_t lock;
    size_t next, finished;
    bool stopped;
    double began;
} queue;

/* With the lock held. */
static void show(const queue *q)
{
    char left[32];
    double spent = wsk_cli_clock() - q->began;
    wsk_cli_duration(left, spent / (double)q->finished * (double)(q->work->count - q->finished));
    fprintf(stderr, "\r%zu of %zu cases, %s left   ", q->finished, q->work->count, left);
}

static void *take(void *arg)
{
    queue *q = arg;
    const wsk_cli_work *w = q->work;
    for (;;) {
        pthread_mutex_lock(&q->lock);
        bool any = !q->stopped && q->next < w->count;
        size_t i = any ? q->next++ : 0;
        pthread_mutex_unlock(&q->lock);
        if (!any)
            return NULL;
        void *result = w->run(w->ctx, i);
        pthread_mutex_lock(&q->lock);
        if (w->done && !w->done(w->ctx, i, result))
            q->stopped = true;
        q->finished++;
        if (w->progress)
            show(q);
        pthread_mutex_unlock(&q->lock);
    }
}

void wsk_cli_run_cases(const wsk_cli_work *work)
{
    queue q = {.work = work, .lock = PTHREAD_MUTEX_INITIALIZER, .began = wsk_cli_clock()};
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    size_t want = work->jobs ? work->jobs : cores > 1 ? (size_t)cores : 1, made = 0;
    if (want > work->count)
        want = work->count;
    if (want > WSK_CLI_JOBS_MAX)
        want = WSK_CLI_JOBS_MAX;
    pthread_t *threads = wsk_cli_alloc(want * sizeof *threads);
    while (made + 1 < want && pthread_create(&threads[made], NULL, take, &q) == 0)
        made++;
    take(&q);
    for (size_t i = 0; i < made; i++)
        pthread_join(threads[i], NULL);
    free(threads);
    if (work->progress)
        fprintf(stderr, "\r%60s\r", "");
}

int wsk_cli_simulate(const wsk_rig *rig, const wsk_run_options *options, char **json, char **why)
{
    wsk_run *run = NULL;
    double chunk_s = 3600, began = wsk_cli_clock();
    *json = *why = NULL;
    int code = (int)wsk_run_new(&run, rig, options);
    double end = run ? wsk_run_duration(run) : 0;
    while (code == WSK_OK && wsk_run_time(run) < end) {
        if (wsk_cli_interrupted()) {
            code = WSK_EINTERRUPTED;
            break;
        }
        double start = wsk_cli_clock();
        code = (int)wsk_run_advance(run, wsk_run_time(run) + chunk_s);
        if (wsk_cli_clock() - start < 0.05)
            chunk_s *= 2;
    }
    if (code == WSK_OK || code == WSK_EAUDIT) {
        wsk_status status = wsk_run_summary_json(run, wsk_cli_clock() - began, json);
        if (code == WSK_OK)
            code = (int)status;
    } else if (run && *wsk_run_error(run)) {
        *why = wsk_cli_format("%s", wsk_run_error(run));
    }
    wsk_run_free(run);
    return code;
}
