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
#include "cli/kit/lock.h"

struct wsk_cli_lock {
    char *path;
    int fd; /* -1: there is no lock file, and none can be made */
    wsk_cli_lock *next;
};

/* True if another process holds a lock that prevents a lock of this type. *holder: id of that process; 0: it runs on
 * another system. */
static bool is_held(int fd, short type, pid_t *holder)
{
    struct flock whole = {.l_type = type, .l_whence = SEEK_SET};
    *holder = 0;
    if (fcntl(fd, F_GETLK, &whole) != 0 || whole.l_type == F_UNLCK)
        return false;
    *holder = whole.l_pid;
    return true;
}

static bool set(int fd, short type)
{
    return fcntl(fd, F_SETLK, &(struct flock){.l_type = type, .l_whence = SEEK_SET}) == 0;
}

static void tell_holder(int fd, const char *what, pid_t holder)
{
    char name[32] = "";
    ssize_t len = pread(fd, name, sizeof name - 1, 0);
    name[len > 0 ? len : 0] = '\0';
    wsk_cli_error(
        T_("'wattsink %1$s' (process %2$ld) works in %3$s; wait for its end, or name another place with -o"), name,
        (long)holder, what);
}

/* True for the errors of a file or a folder that this process cannot write to. */
static bool forbids_writing(int why)
{
    return why == EACCES || why == EPERM || why == EROFS || why == ENOSPC || why == EDQUOT;
}

static char *folder_of(const char *file)
{
    const char *slash = strrchr(file, '/');
    return slash ? wsk_cli_format("%.*s", slash > file ? (int)(slash - file) : 1, file) : wsk_cli_format(".");
}

/* Gives the lock file the read and write permissions of its folder. Else a lock file left by a killed process would
 * keep out other users who may write to the folder. */
static void allow_others(int fd, const char *file)
{
    struct stat st;
    char *folder = folder_of(file);
    if (stat(folder, &st) == 0 && fchmod(fd, S_IRUSR | S_IWUSR | (st.st_mode & 0666)) != 0)
        errno = 0; /* no error: a file system may have no permissions that could be changed */
    free(folder);
}

typedef struct {
    int fd, why; /* why: errno of opening it for writing, 0 if that succeeded */
    bool absent; /* there is no such file, and it cannot be made */
} opened;

/* Opens the file for writing, else for reading. O_CREAT is not used for a file that exists, because Linux then refuses
 * another user's file in a folder such as /tmp. */
static opened open_lock(const char *file)
{
    enum { PLAIN = O_NOFOLLOW | O_CLOEXEC };
    for (;;) {
        opened o = {.fd = open(file, O_RDWR | PLAIN)};
        if (o.fd >= 0)
            return o;
        if (errno == ENOENT) {
            if ((o.fd = open(file, O_RDWR | O_CREAT | O_EXCL | PLAIN, 0666)) >= 0)
                allow_others(o.fd, file);
            else if (errno == EEXIST)
                continue;
            o.why = o.fd < 0 ? errno : 0;
            o.absent = o.fd < 0;
            return o;
        }
        o.why = errno;
        if (!forbids_writing(o.why) || (o.fd = open(file, O_RDONLY | PLAIN)) >= 0 || errno != ENOENT)
            return o;
    }
}

/* False if the process that held the lock deleted the file after this one had opened it. */
static bool is_current(int fd, const char *file)
{
    struct stat there, mine;
    return fstat(fd, &mine) == 0 && stat(file, &there) == 0 && mine.st_ino == there.st_ino &&
           mine.st_dev == there.st_dev;
}

static bool is_writable(const char *file)
{
    char *folder = folder_of(file);
    const bool is = access(folder, W_OK) == 0 || !forbids_writing(errno);
    free(folder);
    return is;
}

/* True for the errors of a file system without locks. */
static bool lacks_locks(int why)
{
    return why == ENOLCK || why == ENOSYS || why == EOPNOTSUPP;
}

typedef enum { LOCKED, AGAIN, REFUSED } outcome;

/* Tries once to lock the open file. REFUSED: no lock, after printing a message. AGAIN: another process has ended its
 * lock meanwhile. */
static outcome try(const opened *o, const char *file, const char *what, short type)
{
    pid_t holder;
    if (set(o->fd, type))
        return is_current(o->fd, file) ? LOCKED : AGAIN;
    const int why = errno;
    if (is_held(o->fd, type, &holder))
        tell_holder(o->fd, what, holder);
    else if (o->why) /* a lock for writing needs a file that is open for writing */
        wsk_cli_error(T_("cannot open %s: %s"), file, T_(strerror(o->why)));
    else if (why == EACCES || why == EAGAIN)
        return AGAIN;
    else if (type == F_RDLCK && lacks_locks(why))
        return LOCKED; /* no process writes there: a writer would be refused */
    else
        wsk_cli_error(T_("cannot lock %s: %s; a folder on another disk, named with -o, may do"), file,
                      T_(strerror(why)));
    return REFUSED;
}

/* Opens and locks the lock file, with `shared` for a reader. *fd: the file; -1: the reader needs no lock. False, after
 * printing a message: there is no lock. */
static bool lock_file(const char *file, const char *what, bool shared, int *fd)
{
    for (;;) {
        const opened o = open_lock(file);
        *fd = o.fd;
        if (o.fd < 0 && shared && o.absent && forbids_writing(o.why))
            return true; /* no process writes there: a writer would have made the lock file */
        if (o.fd < 0) {
            wsk_cli_error(T_("cannot open %s: %s"), file, T_(strerror(o.why)));
            return false;
        }
        const outcome is = try(&o, file, what, shared ? F_RDLCK : F_WRLCK);
        if (is == LOCKED)
            return true;
        close(o.fd);
        if (is == REFUSED)
            return false;
    }
}

wsk_cli_lock *wsk_cli_lock_take(const char *file, const char *what, const char *command, wsk_cli_lock_use use)
{
    int fd;
    if (!lock_file(file, what, use == WSK_CLI_READS || (use == WSK_CLI_RESUMES && !is_writable(file)), &fd))
        return NULL;
    if (fd >= 0 && ftruncate(fd, 0) == 0 && pwrite(fd, command, strlen(command), 0) < 0)
        errno = 0;
    wsk_cli_lock *lock = wsk_cli_alloc(sizeof *lock);
    *lock = (wsk_cli_lock){.path = wsk_cli_format("%s", file), .fd = fd};
    return lock;
}

wsk_cli_lock *wsk_cli_lock_folder(const char *dir, const char *command, wsk_cli_lock_use use)
{
    char *file = wsk_cli_format("%s/wattsink.lock", dir);
    wsk_cli_lock *lock = wsk_cli_lock_take(file, dir, command, use);
    free(file);
    return lock;
}

wsk_cli_lock *wsk_cli_lock_results(const char *dir, const char *command)
{
    return wsk_cli_mkdirs(dir) ? wsk_cli_lock_folder(dir, command, WSK_CLI_WRITES) : NULL;
}

/* True if no process writes to the folder. Else prints a message. */
static bool is_free(const char *folder)
{
    pid_t holder;
    char *file = wsk_cli_format("%s/wattsink.lock", folder);
    int fd = open(file, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    const bool none = fd < 0 && (errno == ENOENT || errno == ENOTDIR),
               held = fd >= 0 && is_held(fd, F_RDLCK, &holder);
    if (held)
        tell_holder(fd, folder, holder);
    else if (fd < 0 && !none)
        wsk_cli_error(T_("cannot open %s: %s"), file, T_(strerror(errno)));
    if (fd >= 0)
        close(fd);
    free(file);
    return none || (fd >= 0 && !held);
}

bool wsk_cli_lock_output(wsk_cli_lock **held, const char *path, const char *command)
{
    char *target;
    if (!path || wsk_cli_is_stream(path))
        return true;
    if (!wsk_cli_follow_links(path, &target)) {
        wsk_cli_error(T_("cannot open %s: %s"), path, T_(strerror(errno)));
        free(target);
        return false;
    }
    char *folder = folder_of(target), *file = wsk_cli_format("%s.lock", target);
    wsk_cli_lock *lock = is_free(folder) ? wsk_cli_lock_take(file, path, command, WSK_CLI_WRITES) : NULL;
    if (lock) {
        lock->next = *held;
        *held = lock;
    }
    free(folder);
    free(file);
    free(target);
    return lock != NULL;
}

void wsk_cli_lock_drop(wsk_cli_lock *lock)
{
    while (lock) {
        wsk_cli_lock *next = lock->next;
        /* The process that can get the exclusive lock is the last user of the file, and deletes it. */
        if (lock->fd >= 0 && set(lock->fd, F_WRLCK) && is_current(lock->fd, lock->path))
            unlink(lock->path);
        if (lock->fd >= 0)
            close(lock->fd);
        free(lock->path);
        free(lock);
        lock = next;
    }
}
