/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who runs what: rank 0 hands out cases and stores rows, every rank (rank 0 too) runs cases in threads of its own. */
#ifndef WSK_MPI_RANKS_H
#define WSK_MPI_RANKS_H
#include "extras/mpi/crew.h"

/* On every rank, with the same sweep; on rank 0 it is open. Runs what is missing. On rank 0 returns WSK_OK,
 * WSK_EINTERRUPTED or a failure, and sets *lost where other ranks did not answer any more. */
int wsk_ranks_run(wsk_sweep *sweep, wsk_crew *crew, size_t threads, bool *lost);

#endif
