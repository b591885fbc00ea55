/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The threads of one rank of an MPI job. They take case numbers and return rows, and do not communicate with other
 * ranks. */
#ifndef WSK_MPI_CREW_H
#define WSK_MPI_CREW_H
#include "cli/sweep/sweep.h"

typedef struct wsk_crew wsk_crew;

/* Returns NULL if not even one thread could be started. `sweep` must outlive the crew. */
wsk_crew *wsk_crew_new(const wsk_sweep *sweep, size_t threads);
void wsk_crew_give(wsk_crew *crew, const uint64_t *cases, size_t n);
size_t wsk_crew_idle(wsk_crew *crew); /* number of idle threads; 0 while cases are queued */
char *wsk_crew_row(wsk_crew *crew);   /* the caller frees the row; NULL: none is finished at present */
void wsk_crew_stop(wsk_crew *crew);
bool wsk_crew_gone(wsk_crew *crew); /* true if the crew was stopped, and no thread runs a case any more */
void wsk_crew_free(wsk_crew *crew); /* call only after wsk_crew_gone is true; NULL is allowed */

#endif
