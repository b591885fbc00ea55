/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "cli/commands.h"

static int dispatch(int argc, char **argv)
{
    if (argc < 2) {
        fputs(T_("usage: wattsink COMMAND [ARGUMENT]...; 'wattsink help' lists the commands\n"), stderr);
        return WSK_EUSAGE;
    }
    const char *word = argv[1];
    if (!strcmp(word, "--version") || !strcmp(word, "-V")) {
        printf("wattsink %s\n", wsk_version());
        return WSK_OK;
    }
    if (!strcmp(word, "--help") || !strcmp(word, "-h"))
        word = "help";
    if (word[0] == '-') {
        static const char *const names[] = {"help", "version", "lang", NULL};
        char hint[64];
        wsk_cli_error(T_("unknown option '%s'%s"), word,
                      wsk_cli_hint(hint, sizeof hint, word + strspn(word, "-"), names, "--"));
        return WSK_EUSAGE;
    }
    const wsk_cli_command *command = wsk_cli_find(word);
    return command ? command->run(argc - 1, argv + 1) : WSK_EUSAGE;
}

/* Opens /dev/null for each closed standard stream, so that no result file gets descriptor 0, 1 or 2. Standard input is
 * opened for writing and the other two for reading, so that using the stream still fails. */
static void hold_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) == -1 && open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) == -1)
            return;
}

/* Makes glibc keep most freed memory in the process. The next simulation then reuses it, and the kernel need not zero
 * new pages. */
static void keep_memory(void)
{
#ifdef __GLIBC__
    const int large = 32 << 20;
    mallopt(M_TRIM_THRESHOLD, 8 * large);
    mallopt(M_MMAP_THRESHOLD, large);
    mallopt(M_TOP_PAD, large / 64);
#endif
}

int main(int argc, char **argv)
{
    keep_memory();
    hold_streams();
    wsk_cli_started = wsk_clock();
    /* With SIGXFSZ ignored, write() fails with EFBIG at the file size limit. Otherwise the signal would end the
     * program. */
    signal(SIGXFSZ, SIG_IGN);
    int code = wsk_cli_language(&argc, argv);
    if (code == WSK_OK)
        code = dispatch(argc, argv);
    errno = 0;
    if (fflush(stdout) != 0 || ferror(stdout)) {
        if (errno)
            wsk_cli_error(T_("cannot write to standard output: %s"), T_(strerror(errno)));
        else /* an earlier write failed, and its errno is lost */
            wsk_cli_error(T_("cannot write to standard output"));
        if (code == WSK_OK)
            code = WSK_ERUN;
    }
    return code;
}
