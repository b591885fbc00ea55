/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What to do where an MPI launcher started several of us: alone they would all write the same file. */
#ifndef WSK_CLI_RANKS_H
#define WSK_CLI_RANKS_H
#include "cli/kit/cli.h"

/* The environment variable by which a launcher says how many processes it started, and what it says; NULL: none does. */
const char *wsk_cli_launched(size_t *rank, size_t *size);

/* Of several processes, each becomes `wattsink-mpi` with the same words, where that lies beside this program; it does not
 * return then. WSK_OK: there is only one of us; else the exit code, after a message of the first. */
int wsk_cli_become_rank(char **argv);

#endif
