/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Only the main thread of a rank communicates, and it sleeps between checks, because waiting inside MPI would use a
 * whole core.
 *
 *     rank -> 0   ASK     number of idle threads
 *     0 -> rank   CHUNK   case numbers; an ASK after the last case gets no answer
 *     rank -> 0   ROW     a finished case
 *     rank -> 0   HURT    this process got a signal to stop
 *     0 -> rank   END     all rows have arrived, or the sweep stops for another reason
 *     rank -> 0   BYE     answer to END, after the last ROW */
#include "extras/mpi/ranks.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <mpi.h>

enum { ASK = 1, CHUNK, ROW, HURT, END, BYE };
/* A thread computes --lanes cases together. An idle thread gets at most CHUNK_MOST times as many cases at once. */
enum { CHUNK_MOST = 8 };
/* After an interrupt, other ranks have this time to answer END: Open MPI sends SIGKILL 1 s after SIGTERM. */
static const double patience_s = 0.5;

static void nap(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

static void say(int to, int tag)
{
    MPI_Send(NULL, 0, MPI_CHAR, to, tag, MPI_COMM_WORLD);
}

static bool look(MPI_Status *status)
{
    int any = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &any, status);
    return any != 0;
}

/* *n: number of items of the message. The caller frees the result. */
static void *hear(const MPI_Status *status, MPI_Datatype type, size_t item, size_t *n)
{
    int count = 0;
    MPI_Get_count(status, type, &count);
    void *data = wsk_cli_alloc((size_t)count * item);
    MPI_Recv(data, count, type, status->MPI_SOURCE, status->MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    *n = (size_t)count;
    return data;
}

/* Returns false at the end of the sweep. */
static bool obey(wsk_crew *crew, const MPI_Status *status)
{
    size_t n;
    uint64_t *cases = hear(status, MPI_UINT64_T, sizeof *cases, &n);
    bool end = status->MPI_TAG == END;
    if (end) {
        wsk_crew_stop(crew);
        raise(SIGTERM); /* the signal handler interrupts the running cases */
    } else {
        wsk_crew_give(crew, cases, n);
    }
    free(cases);
    return !end;
}

static bool send_rows(wsk_crew *crew)
{
    bool any = false;
    for (char *row; (row = wsk_crew_row(crew)) != NULL; any = true) {
        MPI_Send(row, (int)strlen(row) + 1, MPI_CHAR, 0, ROW, MPI_COMM_WORLD);
        free(row);
    }
    return any;
}

static void follow(wsk_crew *crew)
{
    bool asked = false, hurt = false, ended = false;
    while (!ended || !wsk_crew_gone(crew)) {
        MPI_Status status;
        bool moved = look(&status);
        if (moved) {
            ended = !obey(crew, &status);
            asked = false;
        }
        moved = send_rows(crew) || moved;
        if (!hurt && !ended && wsk_cli_interrupted()) {
            hurt = true;
            say(0, HURT);
        }
        size_t idle = asked || hurt || ended ? 0 : wsk_crew_idle(crew);
        if (idle) {
            uint64_t want = idle;
            MPI_Send(&want, 1, MPI_UINT64_T, 0, ASK, MPI_COMM_WORLD);
            asked = true;
        }
        if (!moved)
            nap();
    }
    send_rows(crew);
    say(0, BYE);
}

typedef struct {
    wsk_sweep *sweep;
    wsk_crew *crew;
    size_t threads;
    int ranks, byes;
    size_t next, left; /* cases that are not distributed yet: `left` cases, starting at `next` */
    int code;
    bool ended;
    double began, ended_at;
    /* stored_before: rows stored before this run; shown: rows stored when progress was last shown */
    size_t stored_before, shown;
} desk;

/* The fewer cases are left, the fewer are chosen at once, so that all threads end at about the same time. The caller
 * frees the numbers. */
static uint64_t *choose(desk *d, size_t idle, size_t *n)
{
    size_t each = d->left / (4 * d->threads), cases = wsk_sweep_cases(d->sweep);
    each = each < 1 ? 1 : each > CHUNK_MOST ? CHUNK_MOST : each;
    *n = idle * each * wsk_sweep_lanes(d->sweep);
    *n = *n > d->left ? d->left : *n;
    uint64_t *chosen = wsk_cli_alloc(*n * sizeof *chosen);
    for (size_t i = 0; i < *n && d->next < cases; d->next++)
        if (wsk_sweep_missing(d->sweep, d->next))
            chosen[i++] = d->next;
    d->left -= *n;
    return chosen;
}

static void keep(desk *d, const char *row)
{
    int code = d->code == WSK_OK || d->code == WSK_EINTERRUPTED ? wsk_sweep_store(d->sweep, row) : WSK_OK;
    if (code != WSK_OK)
        d->code = code;
}

static void answer(desk *d, const MPI_Status *status)
{
    size_t n;
    if (status->MPI_TAG == ROW) {
        char *row = hear(status, MPI_CHAR, 1, &n);
        keep(d, row);
        free(row);
        return;
    }
    uint64_t *idle = hear(status, MPI_UINT64_T, sizeof *idle, &n);
    if (status->MPI_TAG == BYE)
        d->byes++;
    if (status->MPI_TAG == HURT && d->code == WSK_OK)
        d->code = WSK_EINTERRUPTED;
    if (status->MPI_TAG == ASK && d->left && !d->ended) {
        uint64_t *cases = choose(d, (size_t)*idle, &n);
        MPI_Send(cases, (int)n, MPI_UINT64_T, status->MPI_SOURCE, CHUNK, MPI_COMM_WORLD);
        free(cases);
    }
    free(idle);
}

static bool work_here(desk *d)
{
    bool any = false;
    for (char *row; (row = wsk_crew_row(d->crew)) != NULL; any = true) {
        keep(d, row);
        free(row);
    }
    size_t idle = d->left && !d->ended ? wsk_crew_idle(d->crew) : 0, n;
    if (idle) {
        uint64_t *cases = choose(d, idle, &n);
        wsk_crew_give(d->crew, cases, n);
        free(cases);
    }
    return any;
}

static void end(desk *d)
{
    d->ended = true;
    d->ended_at = wsk_clock();
    wsk_crew_stop(d->crew);
    if (d->code != WSK_OK)
        raise(SIGTERM);
    for (int rank = 1; rank < d->ranks; rank++)
        say(rank, END);
}

static void show(desk *d)
{
    size_t stored = wsk_sweep_stored(d->sweep), cases = wsk_sweep_cases(d->sweep);
    if (stored == d->shown || !wsk_sweep_shows_progress(d->sweep))
        return;
    char left[32];
    double spent = wsk_clock() - d->began;
    wsk_cli_duration(left, spent / (double)(stored - d->stored_before) * (double)(cases - stored));
    wsk_cli_say(stderr, "\r");
    wsk_cli_say(stderr, T_("%1$zu of %2$zu cases, %3$s left   "), stored, cases, left);
    d->shown = stored;
}

/* Serves the other ranks until all rows are stored, and runs cases on rank 0. Returns false if a rank did not answer
 * END in time. */
static bool lead(desk *d)
{
    size_t cases = wsk_sweep_cases(d->sweep);
    while (!d->ended || d->byes < d->ranks - 1 || !wsk_crew_gone(d->crew)) {
        MPI_Status status;
        bool moved = look(&status);
        if (moved)
            answer(d, &status);
        moved = work_here(d) || moved;
        show(d);
        if (d->code == WSK_OK && !d->ended && wsk_cli_interrupted())
            d->code = WSK_EINTERRUPTED;
        if (!d->ended && (d->code != WSK_OK || wsk_sweep_stored(d->sweep) == cases))
            end(d);
        if (d->ended && d->code != WSK_OK && wsk_clock() > d->ended_at + patience_s)
            return false;
        if (!moved)
            nap();
    }
    work_here(d);
    if (d->shown != d->stored_before)
        fprintf(stderr, "\r%60s\r", "");
    return true;
}

int wsk_ranks_run(wsk_sweep *sweep, wsk_crew *crew, size_t threads, bool *lost)
{
    int rank, ranks;
    *lost = false;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (rank != 0) {
        follow(crew);
        return WSK_OK;
    }
    size_t stored = wsk_sweep_stored(sweep);
    desk d = {.sweep = sweep,
              .crew = crew,
              .threads = threads * (size_t)ranks,
              .ranks = ranks,
              .left = wsk_sweep_cases(sweep) - stored,
              .began = wsk_clock(),
              .stored_before = stored,
              .shown = stored};
    *lost = !lead(&d);
    if (d.code == WSK_EINTERRUPTED && wsk_sweep_stored(sweep) == wsk_sweep_cases(sweep))
        d.code = WSK_OK; /* all rows are stored, so the interrupt has no effect */
    return d.code;
}
