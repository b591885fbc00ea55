/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Handles an MPI launcher that started several processes of this command. Several `wattsink sweep` would all write the
 * same file, so each process is replaced by wattsink-mpi. */
#ifndef WSK_CLI_RANKS_H
#define WSK_CLI_RANKS_H
#include "cli/kit/cli.h"

/* Finds rank and number of processes from the launcher's environment variables. Returns the variable with the number of
 * processes; NULL: not started by a launcher. */
const char *wsk_cli_launched(size_t *rank, size_t *size);

/* If a launcher started several processes and wattsink-mpi lies beside this program, replaces this process by
 * wattsink-mpi with the same arguments and does not return. Returns WSK_OK if this is the only process. Without
 * wattsink-mpi, rank 0 prints a message and gets WSK_EUSAGE; other ranks get -1 and must end with success. */
int wsk_cli_become_rank(char **argv);

#endif
