/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/sweep/ranks.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Environment variables in which launchers give size and rank. SLURM_NTASKS is not used, because a process started by
 * hand in a Slurm batch script has it as well. Slurm's variables are looked up last: inside Slurm, mpirun starts its
 * daemons as Slurm tasks, so processes of mpirun have Slurm's variables as well. */
static const struct {
    const char *size, *rank;
} launchers[] = {{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
                 {"PMI_SIZE", "PMI_RANK"},
                 {"SLURM_STEP_NUM_TASKS", "SLURM_PROCID"}};

static size_t whole(const char *text)
{
    const char *end;
    double value = text ? wsk_number_at(text, &end) : 0;
    return value >= 0 && value < 1e9 ? (size_t)value : 0;
}

const char *wsk_cli_launched(size_t *rank, size_t *size)
{
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++) {
        *size = whole(getenv(launchers[i].size));
        *rank = whole(getenv(launchers[i].rank));
        if (*size)
            return launchers[i].size;
    }
    return NULL;
}

int wsk_cli_become_rank(char **argv)
{
    static char name[] = "wattsink-mpi";
    size_t rank, size;
    const char *variable = wsk_cli_launched(&rank, &size);
    if (!variable || size < 2)
        return WSK_OK;
    char path[4096];
    ssize_t len = readlink("/proc/self/exe", path, sizeof path - sizeof name);
    char *slash = len > 0 ? (path[len] = '\0', strrchr(path, '/')) : NULL;
    if (slash) {
        memcpy(slash + 1, name, sizeof name);
        argv[0] = name;
        execv(path, argv);
    }
    if (rank != 0)
        return -1; /* success: mpirun ends all processes when one fails, perhaps before rank 0 has printed */
    wsk_cli_error(
        T_("started as one of %zu processes (%s), which would all write one file: that takes wattsink-mpi beside "
           "this program ('make mpi'); separate sweeps are started without that variable"),
        size, variable);
    return WSK_EUSAGE;
}
