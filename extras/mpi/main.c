/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program wattsink-mpi: runs `wattsink sweep` on the ranks of an MPI job. All ranks read the command line and the
 * rig; ranks.c runs the cases. */
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <mpi.h>

#include "cli/sweep/ranks.h"
#include "extras/mpi/ranks.h"

static int rank, ranks;

/* False, after a message of rank 0, if the launcher belongs to another MPI than this program: each process is then
 * alone in its own MPI_COMM_WORLD, and each would write the result file. */
static bool in_one_world(const char *variable, size_t launched_rank, size_t launched_size)
{
    if (!variable || launched_size <= (size_t)ranks)
        return true;
    char library[MPI_MAX_LIBRARY_VERSION_STRING];
    int len = 0;
    MPI_Get_library_version(library, &len);
    /* keeps the beginning, such as "Open MPI v4.1.4" or "MPICH Version:\t4.0.2" */
    library[strcspn(library, ",\n")] = '\0';
    for (char *p = library; (p = strpbrk(p, "\t:")) != NULL;)
        *p = ' ';
    if (launched_rank == 0)
        wsk_cli_error(
            T_("one of %1$zu processes (%2$s), but alone in its MPI: wattsink-mpi is built with %3$s and needs "
               "its mpirun, or srun with a matching --mpi="),
            launched_size, variable, library);
    return false;
}

enum { RIG_MAX = 16 * 1024 * 1024 };

/* Of a rig larger than RIG_MAX, one byte too many is read, so that the library rejects the rig. The caller frees the
 * text. */
static char *read_stdin(size_t *len)
{
    char *text = wsk_cli_alloc(RIG_MAX + 2);
    *len = fread(text, 1, RIG_MAX + 1, stdin);
    return text;
}

/* Only rank 0 gets standard input, so a rig from there is sent to all ranks. */
static bool share_stdin(int argc, char **argv)
{
    bool wanted = false;
    for (int i = 1; i < argc; i++)
        wanted = wanted || !strcmp(argv[i], "-");
    if (!wanted || ranks == 1)
        return true;
    size_t len = 0;
    char *text = rank == 0 ? read_stdin(&len) : NULL;
    uint64_t size = len;
    MPI_Bcast(&size, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    if (!text)
        text = wsk_cli_alloc((size_t)size + 1);
    MPI_Bcast(text, (int)size, MPI_CHAR, 0, MPI_COMM_WORLD);
    FILE *copy = tmpfile();
    bool ok = copy && fwrite(text, 1, (size_t)size, copy) == size && fflush(copy) == 0 &&
              fseek(copy, 0, SEEK_SET) == 0 && dup2(fileno(copy), STDIN_FILENO) == STDIN_FILENO;
    free(text);
    if (!ok)
        wsk_cli_error("%s", T_("cannot hand on standard input"));
    return ok;
}

static int from_first(int code)
{
    MPI_Bcast(&code, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return code;
}

/* Returns, on every rank, the code of the lowest rank that failed; that rank prints the message. */
static int from_any(int code, const char *what)
{
    int failed = code == WSK_OK ? INT_MAX : rank, first;
    MPI_Allreduce(&failed, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (first == INT_MAX)
        return WSK_OK;
    MPI_Bcast(&code, 1, MPI_INT, first, MPI_COMM_WORLD);
    if (rank == first) {
        char host[MPI_MAX_PROCESSOR_NAME];
        int len;
        MPI_Get_processor_name(host, &len);
        wsk_cli_error(T_("rank %1$d, on %2$s, %3$s"), rank, host, T_(what));
    }
    return code;
}

/* Only rank 0 prints errors of command line and rig. What the other ranks read must have the digest of what rank 0
 * read. */
static int lay_out(wsk_sweep **sweep, int argc, char **argv)
{
    char digest[17] = "";
    int code = from_first(rank == 0 ? wsk_sweep_new(sweep, &wsk_cli_sweep, argc, argv, true) : WSK_OK);
    if (code != WSK_OK)
        return code;
    if (rank == 0)
        snprintf(digest, sizeof digest, "%s", wsk_sweep_digest(*sweep));
    MPI_Bcast(digest, (int)sizeof digest, MPI_CHAR, 0, MPI_COMM_WORLD);
    if (rank != 0)
        code = wsk_sweep_new(sweep, &wsk_cli_sweep, argc, argv, false);
    code = from_any(code, N_("cannot read the rig that rank 0 has read"));
    if (code != WSK_OK)
        return code;
    code = strcmp(digest, wsk_sweep_digest(*sweep)) != 0 ? WSK_EINPUT : WSK_OK;
    return from_any(code, N_("has another rig, version or command line than rank 0"));
}

static int open_file(wsk_sweep *sweep)
{
    int code = from_first(rank == 0 ? wsk_sweep_open(sweep) : WSK_OK);
    if (code != WSK_OK)
        return code;
    const char *names = wsk_sweep_column_names(sweep);
    int len = rank == 0 ? (int)strlen(names) + 1 : 0;
    MPI_Bcast(&len, 1, MPI_INT, 0, MPI_COMM_WORLD);
    char *copy = wsk_cli_alloc((size_t)len);
    if (rank == 0)
        memcpy(copy, names, (size_t)len);
    MPI_Bcast(copy, len, MPI_CHAR, 0, MPI_COMM_WORLD);
    if (rank != 0)
        wsk_sweep_use_columns(sweep, copy);
    free(copy);
    return WSK_OK;
}

static int run(wsk_sweep *sweep)
{
    size_t threads = wsk_sweep_jobs(sweep) ? wsk_sweep_jobs(sweep) : 1;
    bool lost = false;
    wsk_cli_catch_interrupts();
    wsk_crew *crew = wsk_crew_new(sweep, threads);
    int code = from_any(crew ? WSK_OK : WSK_ERUN, N_("cannot start a thread"));
    if (code == WSK_OK) {
        code = wsk_ranks_run(sweep, crew, threads, &lost);
        if (rank == 0)
            code = wsk_sweep_report(sweep, code);
    } else if (crew) {
        wsk_crew_stop(crew);
    }
    if (lost) {
        fflush(NULL);
        MPI_Abort(MPI_COMM_WORLD, code);
    }
    wsk_crew_free(crew);
    return code;
}

static int sweep_on_ranks(int argc, char **argv)
{
    wsk_sweep *sweep = NULL;
    int code = from_any(share_stdin(argc, argv) ? WSK_OK : WSK_ERUN, N_("cannot store standard input"));
    if (code == WSK_OK)
        code = lay_out(&sweep, argc, argv);
    if (code == WSK_OK)
        code = open_file(sweep);
    if (code == WSK_OK)
        code = run(sweep);
    wsk_sweep_free(sweep);
    return code < 0 ? WSK_OK : code;
}

int main(int argc, char **argv)
{
    size_t launched_rank = 0, launched_size = 0;
    /* Must be called before MPI_Init, which itself sets the environment variables in which a launcher states rank and
     * size. */
    const char *variable = wsk_cli_launched(&launched_rank, &launched_size);
    wsk_cli_started = wsk_clock();
    signal(SIGXFSZ, SIG_IGN);
    int level, code;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    /* the arguments of `wattsink` begin with "sweep", and may do so here */
    if (argc > 1 && !strcmp(argv[1], "sweep")) {
        argv++;
        argc--;
    }
    code = wsk_cli_language(&argc, argv);
    if (code != WSK_OK)
        ;
    else if (!in_one_world(variable, launched_rank, launched_size))
        code = WSK_EUSAGE;
    else if (argc > 1 && !strcmp(argv[1], "--version"))
        code = rank == 0 && printf("wattsink-mpi %s\n", wsk_version()) < 0 ? WSK_ERUN : WSK_OK;
    else
        code = sweep_on_ranks(argc, argv);
    if (fflush(stdout) != 0 && code == WSK_OK)
        code = WSK_ERUN;
    MPI_Finalize();
    /* Only rank 0, or a process that is alone in its MPI, returns a failure, because mpirun prints a message for each
     * process that fails. */
    return rank == 0 || launched_size > (size_t)ranks ? code : WSK_OK;
}
