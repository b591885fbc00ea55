/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rank 0 distributes cases and stores rows; every rank, including rank 0, runs cases in its own threads. */
#ifndef WSK_MPI_RANKS_H
#define WSK_MPI_RANKS_H
#include "extras/mpi/crew.h"

/* Must be called on every rank, with the same sweep, whose file is open on rank 0. On rank 0 it returns WSK_OK,
 * WSK_EINTERRUPTED or a failure; *lost is set if other ranks stopped answering. */
int wsk_ranks_run(wsk_sweep *sweep, wsk_crew *crew, size_t threads, bool *lost);

#endif
