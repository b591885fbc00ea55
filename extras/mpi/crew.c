/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "extras/mpi/crew.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "cli/kit/cases.h"

struct wsk_crew {
    const wsk_sweep *sweep;
    pthread_mutex_t lock;
    pthread_cond_t work;
    pthread_t *threads;
    size_t made, alive, idle; /* numbers of threads: started, not yet ended, waiting for cases */
    size_t *queue, queued;    /* case numbers, of which threads take the last ones first */
    char **rows;
    size_t row_count, row_room;
    bool stopped;
};

/* Call with the lock held. */
static void put_row(wsk_crew *c, char *row)
{
    if (c->row_count == c->row_room) {
        c->row_room = c->row_room ? 2 * c->row_room : 64;
        char **grown = wsk_cli_alloc(c->row_room * sizeof *grown);
        if (c->row_count)
            memcpy(grown, c->rows, c->row_count * sizeof *grown);
        free(c->rows);
        c->rows = grown;
    }
    c->rows[c->row_count++] = row;
}

/* Runs up to --lanes cases of the queue. Call with the lock held; it is released while the cases run. */
static void run_some(wsk_crew *c)
{
    size_t which[WSK_CLI_TOGETHER], n = wsk_sweep_lanes(c->sweep);
    char *rows[WSK_CLI_TOGETHER] = {NULL};
    n = n > c->queued ? c->queued : n;
    for (size_t i = 0; i < n; i++)
        which[i] = c->queue[--c->queued];
    pthread_mutex_unlock(&c->lock);
    wsk_sweep_run_cases(c->sweep, which, n, rows);
    pthread_mutex_lock(&c->lock);
    for (size_t i = 0; i < n; i++) {
        if (rows[i])
            put_row(c, rows[i]);
        else if (!wsk_cli_interrupted())
            /* out of memory: rank 0 would wait for the row for ever, so the sweep ends */
            raise(SIGTERM);
    }
}

static void *work(void *arg)
{
    wsk_crew *c = arg;
    pthread_mutex_lock(&c->lock);
    while (!c->stopped) {
        if (c->queued) {
            run_some(c);
            continue;
        }
        c->idle++;
        pthread_cond_wait(&c->work, &c->lock);
        c->idle--;
    }
    c->alive--;
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

wsk_crew *wsk_crew_new(const wsk_sweep *sweep, size_t threads)
{
    wsk_crew *c = wsk_cli_alloc(sizeof *c);
    c->sweep = sweep;
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->work, NULL);
    c->threads = wsk_cli_alloc(threads * sizeof *c->threads);
    pthread_mutex_lock(&c->lock);
    while (c->made < threads && pthread_create(&c->threads[c->made], NULL, work, c) == 0)
        c->made++;
    c->alive = c->made;
    pthread_mutex_unlock(&c->lock);
    if (c->made)
        return c;
    wsk_crew_free(c);
    return NULL;
}

void wsk_crew_give(wsk_crew *c, const uint64_t *cases, size_t n)
{
    pthread_mutex_lock(&c->lock);
    size_t *queue = wsk_cli_alloc((n + c->queued) * sizeof *queue);
    for (size_t i = 0; i < n; i++)
        queue[i] = (size_t)cases[n - 1 - i];
    if (c->queued)
        memcpy(queue + n, c->queue, c->queued * sizeof *queue);
    free(c->queue);
    c->queue = queue;
    c->queued += n;
    pthread_cond_broadcast(&c->work);
    pthread_mutex_unlock(&c->lock);
}

size_t wsk_crew_idle(wsk_crew *c)
{
    pthread_mutex_lock(&c->lock);
    size_t idle = c->queued || c->stopped ? 0 : c->idle;
    pthread_mutex_unlock(&c->lock);
    return idle;
}

char *wsk_crew_row(wsk_crew *c)
{
    pthread_mutex_lock(&c->lock);
    char *row = c->row_count ? c->rows[--c->row_count] : NULL;
    pthread_mutex_unlock(&c->lock);
    return row;
}

void wsk_crew_stop(wsk_crew *c)
{
    pthread_mutex_lock(&c->lock);
    c->stopped = true;
    pthread_cond_broadcast(&c->work);
    pthread_mutex_unlock(&c->lock);
}

bool wsk_crew_gone(wsk_crew *c)
{
    pthread_mutex_lock(&c->lock);
    bool gone = c->alive == 0;
    pthread_mutex_unlock(&c->lock);
    return gone;
}

void wsk_crew_free(wsk_crew *c)
{
    if (!c)
        return;
    for (size_t i = 0; i < c->made; i++)
        pthread_join(c->threads[i], NULL);
    while (c->row_count)
        free(c->rows[--c->row_count]);
    free(c->rows);
    free(c->queue);
    free(c->threads);
    pthread_cond_destroy(&c->work);
    pthread_mutex_destroy(&c->lock);
    free(c);
}
