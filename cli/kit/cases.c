/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/kit/cases.h"

#include <omp.h>
#include <pthread.h>
#include <stdlib.h>

static void show(const wsk_cli_work *w, size_t finished, double began)
{
    char left[32];
    wsk_cli_duration(left, (wsk_clock() - began) / (double)finished * (double)(w->count - finished));
    fputc('\r', stderr);
    wsk_cli_say(stderr, T_("%1$zu of %2$zu cases, %3$s left   "), finished * (w->of ? w->of : w->count) / w->count,
                w->of ? w->of : w->count, left);
}

static void *wait_for(void *lock)
{
    pthread_mutex_lock(lock);
    pthread_mutex_unlock(lock);
    return NULL;
}

/* Number of threads, at most `want`, that the system allows, counting the calling thread. Tested with pthreads,
 * because OpenMP ends the program if it cannot start all its threads. The test threads block on a lock, so that all
 * exist at the same time. */
static int granted(int want)
{
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_t *threads = wsk_cli_alloc((size_t)want * sizeof *threads);
    int made = 0;
    pthread_mutex_lock(&lock);
    while (made + 1 < want && pthread_create(&threads[made], NULL, wait_for, &lock) == 0)
        made++;
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < made; i++)
        pthread_join(threads[i], NULL);
    free(threads);
    return made + 1;
}

int wsk_cli_cores(void)
{
#ifdef _OPENMP
    return omp_get_num_procs();
#else
    return 1; /* the page in a browser has one thread */
#endif
}

static int threads_for(const wsk_cli_work *w)
{
    size_t want = w->jobs ? w->jobs : (size_t)wsk_cli_cores(),
           most = w->count < WSK_CLI_JOBS_MAX ? w->count : WSK_CLI_JOBS_MAX;
    return granted((int)(want < most ? want : most > 0 ? most : 1));
}

void wsk_cli_run_cases(const wsk_cli_work *w)
{
    size_t finished = 0;
    int stopped = 0;
    double began = wsk_clock();
#pragma omp parallel for schedule(monotonic : dynamic, 1) num_threads(threads_for(w))
    for (size_t i = 0; i < w->count; i++) {
        int stop;
#pragma omp atomic read
        stop = stopped;
        if (stop)
            continue;
        void *result = w->run(w->ctx, i);
#pragma omp critical(wsk_case_done)
        {
            if (w->done && !w->done(w->ctx, i, result)) {
#pragma omp atomic write
                stopped = 1;
            }
            finished++;
            if (w->progress)
                show(w, finished, began);
        }
    }
    if (w->progress)
        fprintf(stderr, "\r%60s\r", "");
}

static void end_one(wsk_cli_simulation *c, wsk_run *run, double spent_s)
{
    if (c->code == WSK_OK || c->code == WSK_EAUDIT) {
        wsk_status status = wsk_run_summary(&c->summary, run, spent_s);
        if (c->code == WSK_OK)
            c->code = (int)status;
    } else if (run && wsk_run_failure(run)) {
        c->why = wsk_cli_format("%s", wsk_run_error(run));
        c->told = wsk_cli_why(run, c->code);
        c->messages = wsk_cli_messages(&(const wsk_said *){wsk_run_failure(run)}, 1);
    }
    wsk_run_free(run);
}

static bool goes_on(const wsk_cli_simulation *one, const wsk_run *run)
{
    return one->code == WSK_OK && wsk_run_time(run) < wsk_run_duration(run);
}

static bool advance(wsk_cli_simulation *all, wsk_run *const *runs, size_t n, double until_s)
{
    wsk_run *moving[WSK_CLI_TOGETHER];
    wsk_status status[WSK_CLI_TOGETHER];
    size_t which[WSK_CLI_TOGETHER], count = 0;
    for (size_t i = 0; i < n; i++)
        if (goes_on(&all[i], runs[i])) {
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
    double chunk_s = 3600, t = 0, began = wsk_clock();
    wsk_run_options plain = *options;
    plain.no_series = true;
    for (size_t i = 0; i < n; i++) {
        all[i].summary = NULL;
        all[i].why = all[i].told = all[i].messages = NULL;
        if (all[i].code == WSK_OK)
            all[i].code = (int)wsk_run_new(&runs[i], all[i].rig, &plain);
    }
    for (;;) {
        double start = wsk_clock();
        t += chunk_s;
        if (!advance(all, runs, n, t))
            break;
        for (size_t i = 0; wsk_cli_interrupted() && i < n; i++)
            if (goes_on(&all[i], runs[i]))
                all[i].code = WSK_EINTERRUPTED;
        if (wsk_clock() - start < 0.05)
            chunk_s *= 2;
    }
    for (size_t i = 0; i < n; i++)
        end_one(&all[i], runs[i], wsk_clock() - began);
}
