/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Locks on results: one process writes to a folder or file, or several read it. The lock is on a file of its own,
 * because a POSIX lock ends when the process closes any descriptor of the locked file, as SQLite may do. The system
 * releases the lock when the process ends in any way, so a lock file left by a killed process locks nothing. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/kit/cli.h"

struct wsk_cli_lock {
    char *path;
    int fd;
};

/* *holder: after F_GETLK, the process whose lock prevents this one; 0: none. Returns the value of fcntl. */
static int control(int fd, int command, short type, pid_t *holder)
{
    struct flock whole = {.l_type = type, .l_whence = SEEK_SET};
    int code = fcntl(fd, command, &whole);
    if (holder)
        *holder = whole.l_type == F_UNLCK ? 0 : whole.l_pid;
    return code;
}

static void tell_holder(int fd, const char *what, short type)
{
    char name[32] = "";
    pid_t holder = 0;
    control(fd, F_GETLK, type, &holder);
    ssize_t len = pread(fd, name, sizeof name - 1, 0);
    name[len > 0 ? len : 0] = '\0';
    wsk_cli_error(
        T_("'wattsink %1$s' (process %2$ld) works in %3$s; wait for its end, or name another place with -o"), name,
        (long)holder, what);
}

wsk_cli_lock *wsk_cli_lock_take(const char *file, const char *what, const char *command, bool shared)
{
    wsk_cli_lock *lock = wsk_cli_alloc(sizeof *lock);
    short type = shared ? F_RDLCK : F_WRLCK;
    lock->path = wsk_cli_format("%s", file);
    for (;;) {
        struct stat there, mine;
        lock->fd = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (lock->fd < 0) /* typical for a read-only folder: goes on without a lock */
            return lock;
        if (control(lock->fd, F_SETLK, type, NULL) != 0) {
            if (errno != EACCES && errno != EAGAIN) /* a file system without locks, for example */
                return lock;
            tell_holder(lock->fd, what, type);
            close(lock->fd);
            free(lock->path);
            free(lock);
            return NULL;
        }
        if (fstat(lock->fd, &mine) == 0 && stat(file, &there) == 0 && mine.st_ino == there.st_ino &&
            mine.st_dev == there.st_dev)
            break;
        close(lock->fd); /* the process that held the lock deleted the file after open(): try again */
    }
    if (ftruncate(lock->fd, 0) == 0 && pwrite(lock->fd, command, strlen(command), 0) < 0)
        errno = 0;
    return lock;
}

wsk_cli_lock *wsk_cli_lock_folder(const char *dir, const char *command, bool shared)
{
    char *file = wsk_cli_format("%s/wattsink.lock", dir);
    wsk_cli_lock *lock = wsk_cli_lock_take(file, dir, command, shared);
    free(file);
    return lock;
}

void wsk_cli_lock_drop(wsk_cli_lock *lock)
{
    if (!lock)
        return;
    /* The process that can get the exclusive lock is the last user of the file, and deletes it. */
    if (lock->fd >= 0 && control(lock->fd, F_SETLK, F_WRLCK, NULL) == 0)
        unlink(lock->path);
    if (lock->fd >= 0)
        close(lock->fd);
    free(lock->path);
    free(lock);
}
