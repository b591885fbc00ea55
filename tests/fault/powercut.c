/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A library for LD_PRELOAD that records what a power cut would leave on disk in the worst case: the content of each
 * file at its last fsync, and the entries of the folder at its last fsync. CUT_FOLDER is the watched folder. CUT_DISK
 * gets the records: the file "entries" has a line "ID NAME" for each entry of the watched folder, and a file named ID
 * holds the content. An ID is made of inode and time of birth, because the system reuses inodes. The process also gets
 * a faster clock, because it writes to the disk only every few seconds. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static void name_file(char *out, size_t size, int dir, const char *name, int flags)
{
    struct statx st = {0};
    statx(dir, name, flags, STATX_INO | STATX_BTIME, &st);
    snprintf(out, size, "%llu-%lld.%09u", (unsigned long long)st.stx_ino, (long long)st.stx_btime.tv_sec,
             st.stx_btime.tv_nsec);
}

static void copy_file(int fd, const char *to)
{
    char temp[PATH_MAX], bytes[65536], self[64];
    snprintf(temp, sizeof temp, "%s.new", to);
    snprintf(self, sizeof self, "/proc/self/fd/%d", fd);
    int in = open(self, O_RDONLY), out = open(temp, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    for (ssize_t got; in >= 0 && out >= 0 && (got = read(in, bytes, sizeof bytes)) > 0;)
        if (write(out, bytes, (size_t)got) != got)
            abort();
    close(in);
    close(out);
    rename(temp, to);
}

static void list_folder(const char *folder, const char *to)
{
    char temp[PATH_MAX], id[64];
    snprintf(temp, sizeof temp, "%s.new", to);
    FILE *out = fopen(temp, "w");
    DIR *dir = opendir(folder);
    for (struct dirent *e; out && dir && (e = readdir(dir)) != NULL;) {
        if (e->d_name[0] == '.' && (!e->d_name[1] || !strcmp(e->d_name, "..")))
            continue;
        name_file(id, sizeof id, dirfd(dir), e->d_name, AT_SYMLINK_NOFOLLOW);
        fprintf(out, "%s %s\n", id, e->d_name);
    }
    if (dir)
        closedir(dir);
    if (out)
        fclose(out);
    rename(temp, to);
}

static void record(int fd)
{
    const char *folder = getenv("CUT_FOLDER"), *disk = getenv("CUT_DISK");
    char self[64], path[PATH_MAX], to[PATH_MAX], id[64];
    snprintf(self, sizeof self, "/proc/self/fd/%d", fd);
    ssize_t len = folder && disk ? readlink(self, path, sizeof path - 1) : -1;
    if (len < 0)
        return;
    path[len] = '\0';
    size_t n = strlen(folder);
    if (strcmp(path, folder) == 0) {
        snprintf(to, sizeof to, "%s/entries", disk);
        list_folder(folder, to);
    } else if (strncmp(path, folder, n) == 0 && path[n] == '/') {
        name_file(id, sizeof id, fd, "", AT_EMPTY_PATH);
        snprintf(to, sizeof to, "%s/%s", disk, id);
        copy_file(fd, to);
    }
}

static int sync_by(const char *name, int fd)
{
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
    int code = real(fd);
    if (code == 0)
        record(fd);
    return code;
}

int fsync(int fd)
{
    return sync_by("fsync", fd);
}

int fdatasync(int fd)
{
    return sync_by("fdatasync", fd);
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    enum { FASTER = 40, NS_PER_S = 1000000000 };
    int (*real)(clockid_t, struct timespec *) =
        (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int code = real(clock, now);
    if (code == 0 && clock == CLOCK_MONOTONIC) {
        long long ns = (long long)now->tv_nsec * FASTER;
        now->tv_sec = now->tv_sec * FASTER + (time_t)(ns / NS_PER_S);
        now->tv_nsec = (long)(ns % NS_PER_S);
    }
    return code;
}
