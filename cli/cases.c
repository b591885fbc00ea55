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
    size_t of = q->work->of ? q->work->of : q->work->count;
    fprintf(stderr, "\r%zu of %zu cases, %s left   ", q->finished * of / q->work->count, of, left);
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

static void end_one(wsk_cli_simulation *c, wsk_run *run, double spent_s)
{
    if (c->code == WSK_OK || c->code == WSK_EAUDIT) {
        wsk_status status = wsk_run_summary_json(run, spent_s, &c->json);
        if (c->code == WSK_OK)
            c->code = (int)status;
    } else if (run && *wsk_run_error(run)) {
        c->why = wsk_cli_format("%s", wsk_run_error(run));
    }
    wsk_run_free(run);
}

/* Those that are under way to `until_s`; false when none is left. */
static bool advance(wsk_cli_simulation *all, wsk_run *const *runs, size_t n, double until_s)
{
    wsk_run *moving[WSK_CLI_TOGETHER];
    wsk_status status[WSK_CLI_TOGETHER];
    size_t which[WSK_CLI_TOGETHER], count = 0;
    for (size_t i = 0; i < n; i++)
        if (all[i].code == WSK_OK && wsk_run_time(runs[i]) < wsk_run_duration(runs[i])) {
            moving[count] = runs[i];
            which[count++] = i;
        }
    if (count == 0)
        return false;
    wsk_status failed = wsk_runs_advance(moving, count, until_s, status);
    for (size_t i = 0; i < count; i++)
        all[which[i]].code = failed == WSK_OK ? (int)status[i] : (int)failed;
    return true;
}

void wsk_cli_simulate(wsk_cli_simulation *all, size_t n, const wsk_run_options *options)
{
    wsk_run *runs[WSK_CLI_TOGETHER] = {NULL};
    double chunk_s = 3600, t = 0, began = wsk_cli_clock();
    for (size_t i = 0; i < n; i++) {
        all[i].json = all[i].why = NULL;
        if (all[i].code == WSK_OK)
            all[i].code = (int)wsk_run_new(&runs[i], all[i].rig, options);
    }
    for (;;) {
        double start = wsk_cli_clock();
        t += chunk_s;
        if (!advance(all, runs, n, t))
            break;
        if (wsk_cli_interrupted())
            for (size_t i = 0; i < n; i++)
                all[i].code = all[i].code == WSK_OK ? WSK_EINTERRUPTED : all[i].code;
        if (wsk_cli_clock() - start < 0.05)
            chunk_s *= 2;
    }
    for (size_t i = 0; i < n; i++)
        end_one(&all[i], runs[i], wsk_cli_clock() - began);
}
