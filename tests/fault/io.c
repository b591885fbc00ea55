/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs a command in which one system call on a file fails: io [-n N -e ERROR] [-f] -l LIST -u FOLDER... COMMAND... Of
 * the command's threads and forks, it counts the calls in the table below on files within the folders -u and on
 * standard input and output. The N-th of these calls fails with ERROR, a name of the table `errors`; "short"
 * transfers half of the requested bytes; "cut" truncates the file before the call, which then goes on, and "append"
 * adds a line to it. -f: all later calls that need disk space fail too. LIST gets a line "N CALL
 * FILE" for each call, and the line "fault CALL FILE" for the call that failed. Exit status: that of the command; 128
 * + number after a signal; 125 if the system does not allow this tracing.
 *
 * The kernel stops each call and asks this program (seccomp's user notification), so that calls of SQLite and libxml2
 * are seen as well; calls of the dynamic loader and the C library on their own files are excluded by their path. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

typedef enum { FD, PATH, AT, MAP, LOCK } file_of;
enum { NEEDS_ROOM = 1, IN = 2, OUT = 4 };
static const struct {
    int number;
    const char *name;
    file_of file;
    int arg, flags;
} calls[] = {
#ifdef SYS_open
    {SYS_open, "open", PATH, 0, 0},
    {SYS_stat, "stat", PATH, 0, 0},
    {SYS_lstat, "stat", PATH, 0, 0},
    {SYS_access, "access", PATH, 0, 0},
    {SYS_readlink, "readlink", PATH, 0, 0},
    {SYS_rename, "rename", PATH, 1, NEEDS_ROOM},
    {SYS_mkdir, "mkdir", PATH, 0, NEEDS_ROOM},
    {SYS_unlink, "unlink", PATH, 0, 0},
#endif
    {SYS_openat, "open", AT, 0, 0},
    {SYS_newfstatat, "stat", AT, 0, 0},
    {SYS_statx, "stat", AT, 0, 0},
    {SYS_fstat, "fstat", FD, 0, 0},
    {SYS_faccessat, "access", AT, 0, 0},
    {SYS_faccessat2, "access", AT, 0, 0},
    {SYS_readlinkat, "readlink", AT, 0, 0},
    {SYS_renameat, "rename", AT, 2, NEEDS_ROOM},
    {SYS_renameat2, "rename", AT, 2, NEEDS_ROOM},
    {SYS_mkdirat, "mkdir", AT, 0, NEEDS_ROOM},
    {SYS_unlinkat, "unlink", AT, 0, 0},
    {SYS_getdents64, "list", FD, 0, 0},
    {SYS_read, "read", FD, 0, IN},
    {SYS_pread64, "read", FD, 0, IN},
    {SYS_readv, "read", FD, 0, 0},
    {SYS_write, "write", FD, 0, OUT | NEEDS_ROOM},
    {SYS_pwrite64, "write", FD, 0, OUT | NEEDS_ROOM},
    {SYS_writev, "write", FD, 0, NEEDS_ROOM},
    {SYS_ftruncate, "truncate", FD, 0, 0},
    {SYS_fallocate, "allocate", FD, 0, NEEDS_ROOM},
    {SYS_fsync, "sync", FD, 0, NEEDS_ROOM},
    {SYS_fdatasync, "sync", FD, 0, NEEDS_ROOM},
    {SYS_close, "close", FD, 0, 0},
    {SYS_mmap, "map", MAP, 4, 0},
    {SYS_fcntl, "lock", LOCK, 0, 0},
};
enum { CALLS = sizeof calls / sizeof *calls };
static const struct {
    const char *name;
    int number;
} errors[] = {{"EIO", EIO},       {"ENOSPC", ENOSPC}, {"EINTR", EINTR},   {"EACCES", EACCES},
              {"EMFILE", EMFILE}, {"ENOMEM", ENOMEM}, {"ENOLCK", ENOLCK}, {"ENODEV", ENODEV}};

static char **command;
static const char *folders[8];
static int listener = -1;
static pid_t child = -1;
static FILE *list;
static long at, seen;
static int error;
static bool partly, cuts, appends, onward, injected;

/* A seccomp filter applies to one thread and its children, so the command starts in a thread of its own. */
static void *start(void *unused)
{
    struct sock_filter code[CALLS + 3];
    size_t n = 0;
    code[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (int i = 0; i < CALLS; i++)
        code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)calls[i].number,
                                                 (unsigned char)(CALLS - i), 0);
    code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
    struct sock_fprog program = {.len = (unsigned short)n, .filter = code};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0)
        listener = (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
    if (listener >= 0 && (child = fork()) == 0) {
        execvp(command[0], command);
        _exit(127);
    }
    return unused;
}

enum { ROOM = 2 * PATH_MAX };

static void follow(char *out, const char *link)
{
    ssize_t len = readlink(link, out, PATH_MAX - 1);
    out[len > 0 ? len : 0] = '\0';
}

static void find_file(char out[ROOM], const struct seccomp_notif *call, int kind)
{
    char link[64], name[PATH_MAX] = "", folder[PATH_MAX] = "";
    const int arg = calls[kind].arg;
    const unsigned long long *args = (const unsigned long long *)call->data.args;
    const int fd = (int)args[arg];
    const bool by_fd = calls[kind].file != PATH && calls[kind].file != AT;
    out[0] = '\0';
    if (calls[kind].file == LOCK && args[1] != F_SETLK && args[1] != F_SETLKW)
        return;
    if (by_fd || (calls[kind].file == AT && fd != AT_FDCWD))
        snprintf(link, sizeof link, "/proc/%u/fd/%d", call->pid, fd);
    else
        snprintf(link, sizeof link, "/proc/%u/cwd", call->pid);
    follow(folder, link);
    if (!by_fd) {
        snprintf(link, sizeof link, "/proc/%u/mem", call->pid);
        int memory = open(link, O_RDONLY);
        ssize_t got = pread(memory, name, sizeof name - 1, (off_t)args[arg + (calls[kind].file == AT)]);
        name[got > 0 ? got : 0] = '\0';
        close(memory);
    }
    snprintf(out, ROOM, "%s%s%s", name[0] == '/' ? "" : folder, name[0] && name[0] != '/' ? "/" : "", name);
}

/* Programs that the command starts have another executable. */
static bool of_command(const struct seccomp_notif *call)
{
    char link[64], mine[PATH_MAX], its[PATH_MAX];
    snprintf(link, sizeof link, "/proc/%d/exe", child);
    follow(mine, link);
    snprintf(link, sizeof link, "/proc/%u/exe", call->pid);
    follow(its, link);
    return !strcmp(mine, its);
}

static bool counted(const struct seccomp_notif *call, int kind, char path[ROOM])
{
    if (!of_command(call))
        return false;
    find_file(path, call, kind);
    if (calls[kind].file == FD && call->data.args[0] <= STDOUT_FILENO) {
        snprintf(path, ROOM, "standard-%s", call->data.args[0] ? "output" : "input");
        return true;
    }
    if (strstr(path, ".gcda")) /* counts of `make coverage`, which the command itself does not make */
        return false;
    for (size_t i = 0; folders[i]; i++)
        if (!strncmp(path, folders[i], strlen(folders[i])))
            return true;
    return false;
}

static pid_t process_of(unsigned thread)
{
    char path[64], line[128];
    int process = 0;
    snprintf(path, sizeof path, "/proc/%u/status", thread);
    FILE *status = fopen(path, "re");
    while (status && !process && fgets(line, sizeof line, status))
        sscanf(line, "Tgid: %d", &process);
    if (status)
        fclose(status);
    return process;
}

/* The command itself cannot be made to transfer less, so this program transfers half of the bytes for it. */
static long long transfer_half(const struct seccomp_notif *call, int kind)
{
    char link[64];
    size_t half = (size_t)call->data.args[2] / 2;
    half = half ? half : 1;
    char *bytes = malloc(half);
    snprintf(link, sizeof link, "/proc/%u/mem", call->pid);
    int process = (int)syscall(SYS_pidfd_open, process_of(call->pid), 0), memory = open(link, O_RDWR);
    int fd = (int)syscall(SYS_pidfd_getfd, process, (int)call->data.args[0], 0);
    bool at_place = call->data.nr == SYS_pread64 || call->data.nr == SYS_pwrite64;
    off_t place = (off_t)call->data.args[3], where = (off_t)call->data.args[1];
    ssize_t done = -1;
    if (calls[kind].flags & IN) {
        done = at_place ? pread(fd, bytes, half, place) : read(fd, bytes, half);
        if (done > 0 && pwrite(memory, bytes, (size_t)done, where) != done)
            abort();
    } else if (pread(memory, bytes, half, where) == (ssize_t)half) {
        done = at_place ? pwrite(fd, bytes, half, place) : write(fd, bytes, half);
    }
    free(bytes);
    close(fd);
    close(memory);
    close(process);
    return done;
}

static void change_file(const char *path)
{
    int file = open(path, cuts ? O_WRONLY | O_TRUNC : O_WRONLY | O_APPEND);
    if (file < 0 || (appends && write(file, "\n", 1) != 1))
        abort();
    close(file);
}

static void answer(const struct seccomp_notif *call)
{
    char path[ROOM] = "";
    struct seccomp_notif_resp reply = {.id = call->id, .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE};
    int kind = 0;
    while (kind < CALLS - 1 && calls[kind].number != call->data.nr)
        kind++;
    if (counted(call, kind, path)) {
        bool now = ++seen == at || (onward && injected && (calls[kind].flags & NEEDS_ROOM));
        fprintf(list, "%ld %s %s\n", seen, calls[kind].name, path);
        if (now && !injected) {
            fprintf(list, "fault %s %s\n", calls[kind].name, path);
            injected = true;
        }
        if (now && (cuts || appends)) {
            change_file(path);
        } else if (now && partly) {
            long long done = transfer_half(call, kind);
            if (done >= 0)
                reply = (struct seccomp_notif_resp){.id = call->id, .val = done};
        } else if (now) {
            reply = (struct seccomp_notif_resp){.id = call->id, .error = -error};
        }
    }
    ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &reply); /* fails if the command has ended in the meantime */
}

static int usage(void)
{
    fputs("usage: io [-n N -e ERROR] [-f] -l LIST -u FOLDER... COMMAND...\n", stderr);
    return 125;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    size_t count = 0;
    for (int c; (c = getopt(argc, argv, "+n:e:fl:u:")) != -1;) {
        if (c == 'n')
            at = atol(optarg);
        else if (c == 'f')
            onward = true;
        else if (c == 'l')
            list = fopen(optarg, "we");
        else if (c == 'u' && count + 1 < sizeof folders / sizeof *folders)
            folders[count++] = optarg;
        else if (c == 'e') {
            partly = !strcmp(optarg, "short");
            cuts = !strcmp(optarg, "cut");
            appends = !strcmp(optarg, "append");
            for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
                error = strcmp(optarg, errors[i].name) ? error : errors[i].number;
        } else
            return usage();
    }
    command = argv + optind;
    if (!list || !command[0] || (at && !partly && !cuts && !appends && !error))
        return usage();
    if (pthread_create(&thread, NULL, start, NULL) != 0 || pthread_join(thread, NULL) != 0 || child < 0) {
        perror("io: seccomp");
        return 125;
    }
    int process = (int)syscall(SYS_pidfd_open, child, 0), status = 0;
    struct pollfd watched[] = {{.fd = listener, .events = POLLIN}, {.fd = process, .events = POLLIN}};
    while (poll(watched, 2, -1) > 0 && !watched[1].revents) {
        struct seccomp_notif call = {0};
        if ((watched[0].revents & POLLIN) && ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &call) == 0)
            answer(&call);
    }
    waitpid(child, &status, 0);
    fclose(list);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
