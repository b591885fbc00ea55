/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The threads of one rank: case numbers go in, rows come out. They never talk to other ranks. */
#ifndef WSK_MPI_CREW_H
#define WSK_MPI_CREW_H
#include "cli/sweep/sweep.h"

typedef struct wsk_crew wsk_crew;

/* Starts the threads; NULL where not even one can be. Keeps `sweep`. */
wsk_crew *wsk_crew_new(const wsk_sweep *sweep, size_t threads);
void wsk_crew_give(wsk_crew *crew, const uint64_t *cases, size_t n);
size_t wsk_crew_idle(wsk_crew *crew); /* threads that wait, with nothing queued */
char *wsk_crew_row(wsk_crew *crew);   /* a finished row for free(), or NULL: none just now */
void wsk_crew_stop(wsk_crew *crew);   /* begin no other case */
bool wsk_crew_gone(wsk_crew *crew);   /* stopped, and no thread is in a case any more */
void wsk_crew_free(wsk_crew *crew);   /* of a crew that is gone, or NULL */

#endif
