/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The segment of a twin: a ring of places, each for one moment (the whole state of the twin at one time), which the
 * writer fills in turn. The writer never writes to the place that readers see now, nor to one that is not due yet:
 * so a writer that is killed leaves a whole moment behind. The checksum tells a reader that a place was overwritten
 * while the reader copied it. */
#include "twin/segment.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { PLACES = WSK_TWIN_AHEAD + 4 };

typedef struct {
    _Atomic int64_t due_ms; /* time (CLOCK_MONOTONIC, ms) from which readers see the moment */
    uint64_t checksum;      /* checksum of the moment's number and of its bytes in use */
    wsk_twin_moment moment;
} place;

typedef struct {
    char magic[8];
    uint32_t version, size;
    int32_t writer_pid, unused;
    _Atomic uint64_t newest;  /* number of the newest moment, which lies in place[newest % PLACES]; 0: none yet */
    _Atomic int64_t alive_ms; /* time (CLOCK_MONOTONIC, ms) of the last sign of life; 0: closed */
    place place[PLACES];
} segment;
static const char magic[8] = "wsktwin";

struct wsk_twin_writer {
    segment *at;
    int file; /* kept open for its lock */
    char path[96];
};
struct wsk_twin_reader {
    const segment *at;
};

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

const char *wsk_twin_name(const char *name)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    if (!name || !*name)
        name = getenv("WATTSINK_TWIN");
    if (!name || !*name)
        return "twin";
    const size_t len = strlen(name);
    return len <= 40 && strspn(name, allowed) == len ? name : NULL;
}

static bool find_path(char *out, size_t size, const char *name)
{
    name = wsk_twin_name(name);
    return name && snprintf(out, size, "/wattsink.%lu.%s", (unsigned long)getuid(), name) < (int)size;
}

static size_t used(const wsk_twin_moment *m)
{
    const size_t count = m->count < 0 ? 0 : m->count > WSK_TWIN_CARDS ? WSK_TWIN_CARDS : (size_t)m->count;
    return offsetof(wsk_twin_moment, card) + count * sizeof m->card[0];
}

/* A variant of the hash FNV-1a that takes words of eight bytes. */
static uint64_t checksum(uint64_t number, const wsk_twin_moment *m)
{
    const uint64_t prime = 0x100000001b3;
    uint64_t hash = (0xcbf29ce484222325 ^ number) * prime, word;
    const char *bytes = (const char *)m;
    size_t len = used(m);
    for (; len >= sizeof word; bytes += sizeof word, len -= sizeof word) {
        memcpy(&word, bytes, sizeof word);
        hash = (hash ^ word) * prime;
        hash ^= hash >> 29; /* a product moves bits only upward; the shift moves them down */
    }
    for (; len; bytes++, len--)
        hash = (hash ^ (unsigned char)*bytes) * prime;
    return hash;
}

static wsk_twin_status why(void)
{
    return errno == ENOENT ? WSK_TWIN_ABSENT : errno == EACCES || errno == EPERM ? WSK_TWIN_DENIED : WSK_TWIN_FAILED;
}

static bool is_ours(const segment *s)
{
    return memcmp(s->magic, magic, sizeof magic) == 0 && s->version == WSK_TWIN_VERSION && s->size == sizeof *s;
}

static bool is_silent(const segment *s)
{
    const int64_t alive = atomic_load_explicit(&s->alive_ms, memory_order_acquire);
    return !alive || now_ms() - alive > WSK_TWIN_SILENCE_MS;
}

static wsk_twin_status map(segment **out, const char *path, int flags, int protection)
{
    struct stat st;
    const int file = shm_open(path, flags, 0);
    *out = NULL;
    if (file < 0)
        return why();
    wsk_twin_status status = WSK_TWIN_OK;
    if (fstat(file, &st) != 0)
        status = WSK_TWIN_FAILED;
    else if (st.st_uid != geteuid() || (st.st_mode & 077))
        status = WSK_TWIN_DENIED;
    else if (st.st_size != (off_t)sizeof **out)
        status = WSK_TWIN_FOREIGN;
    void *at = status == WSK_TWIN_OK ? mmap(NULL, sizeof **out, protection, MAP_SHARED, file, 0) : MAP_FAILED;
    close(file);
    if (status != WSK_TWIN_OK)
        return status;
    if (at == MAP_FAILED)
        return WSK_TWIN_FAILED;
    if (!is_ours(at)) {
        munmap(at, sizeof **out);
        return WSK_TWIN_FOREIGN;
    }
    *out = at;
    return WSK_TWIN_OK;
}

/* Describes a write lock on a whole file. A writer holds such a lock on its segment for life; the kernel releases the
 * lock, however the writer dies. */
static struct flock whole(void)
{
    return (struct flock){.l_type = F_WRLCK, .l_whence = SEEK_SET};
}

/* True if the segment of this path belongs to a living writer, even a stopped one. */
static bool is_taken(const char *path)
{
    const int file = shm_open(path, O_RDWR, 0);
    struct flock lock = whole();
    if (file < 0)
        return false;
    segment *old;
    bool taken = fcntl(file, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
    if (!taken && map(&old, path, O_RDONLY, PROT_READ) == WSK_TWIN_OK) { /* a process does not see its own lock */
        taken = old->writer_pid == getpid() && atomic_load(&old->alive_ms);
        munmap(old, sizeof *old);
    }
    close(file);
    return taken;
}

/* Locks the new segment. False: another process has replaced the segment meanwhile, or the lock fails. */
static bool claim(int file, const char *path)
{
    struct flock lock = whole();
    struct stat mine, there;
    const int again = fcntl(file, F_SETLK, &lock) == 0 ? shm_open(path, O_RDONLY, 0) : -1;
    const bool same =
        again >= 0 && fstat(file, &mine) == 0 && fstat(again, &there) == 0 && mine.st_ino == there.st_ino;
    if (again >= 0)
        close(again);
    struct flock kept = whole(); /* locks once more: in POSIX, close(again) has released the lock */
    return same && fcntl(file, F_SETLK, &kept) == 0;
}

wsk_twin_status wsk_twin_create(wsk_twin_writer **out, const char *name)
{
    *out = NULL;
    wsk_twin_writer *w = calloc(1, sizeof *w);
    if (!w || !find_path(w->path, sizeof w->path, name)) {
        errno = w ? EINVAL : ENOMEM;
        free(w);
        return WSK_TWIN_FAILED;
    }
    wsk_twin_status status = WSK_TWIN_OK;
    int file = shm_open(w->path, O_RDWR | O_CREAT | O_EXCL, 0600);
    if (file < 0 && errno == EEXIST) {
        if (is_taken(w->path))
            status = WSK_TWIN_TAKEN;
        /* readers of the old segment keep it mapped, and see that its writer is silent */
        else if (shm_unlink(w->path) == 0 || errno == ENOENT)
            file = shm_open(w->path, O_RDWR | O_CREAT | O_EXCL, 0600);
    }
    if (file < 0) {
        status = status == WSK_TWIN_OK ? why() : status;
        free(w);
        return status;
    }
    if (!claim(file, w->path)) {
        close(file);
        free(w);
        return WSK_TWIN_TAKEN;
    }
    void *at = ftruncate(file, (off_t)sizeof *w->at) == 0
                   ? mmap(NULL, sizeof *w->at, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
                   : MAP_FAILED;
    if (at == MAP_FAILED) {
        close(file);
        shm_unlink(w->path);
        free(w);
        return WSK_TWIN_FAILED;
    }
    w->file = file;
    w->at = at; /* the bytes of a new segment are zero: it has no moment yet */
    w->at->version = WSK_TWIN_VERSION;
    w->at->size = sizeof *w->at;
    w->at->writer_pid = getpid();
    wsk_twin_beat(w);
    atomic_thread_fence(memory_order_release);
    memcpy(w->at->magic, magic, sizeof magic);
    *out = w;
    return WSK_TWIN_OK;
}

void wsk_twin_publish(wsk_twin_writer *w, const wsk_twin_moment *moment)
{
    wsk_twin_publish_due(w, moment, 0);
}

void wsk_twin_publish_due(wsk_twin_writer *w, const wsk_twin_moment *moment, int64_t due_ms)
{
    const uint64_t number = atomic_load_explicit(&w->at->newest, memory_order_relaxed) + 1;
    place *to = &w->at->place[number % PLACES];
    atomic_store_explicit(&to->due_ms, due_ms, memory_order_relaxed);
    memcpy(&to->moment, moment, used(moment));
    to->checksum = checksum(number, &to->moment);
    atomic_store_explicit(&w->at->newest, number, memory_order_release);
    wsk_twin_beat(w);
}

void wsk_twin_beat(wsk_twin_writer *w)
{
    atomic_store_explicit(&w->at->alive_ms, now_ms(), memory_order_release);
}

void wsk_twin_close(wsk_twin_writer *w)
{
    if (!w)
        return;
    atomic_store(&w->at->alive_ms, 0);
    munmap(w->at, sizeof *w->at);
    shm_unlink(w->path);
    close(w->file);
    free(w);
}

wsk_twin_status wsk_twin_attach(wsk_twin_reader **out, const char *name)
{
    char path[96];
    segment *at;
    *out = NULL;
    if (!find_path(path, sizeof path, name))
        return WSK_TWIN_ABSENT;
    wsk_twin_status status = map(&at, path, O_RDONLY, PROT_READ);
    if (status != WSK_TWIN_OK)
        return status;
    wsk_twin_reader *r = calloc(1, sizeof *r);
    if (!r) {
        munmap(at, sizeof *at);
        return WSK_TWIN_FAILED;
    }
    r->at = at;
    *out = r;
    return WSK_TWIN_OK;
}

static uint64_t newest(const wsk_twin_reader *r)
{
    return atomic_load_explicit(&r->at->newest, memory_order_acquire);
}

uint64_t wsk_twin_newest(const wsk_twin_reader *r)
{
    const uint64_t last = newest(r);
    const int64_t at_ms = now_ms();
    uint64_t number = last;
    while (number > 1 && last - number < WSK_TWIN_AHEAD &&
           atomic_load_explicit(&r->at->place[number % PLACES].due_ms, memory_order_relaxed) > at_ms)
        number--;
    return number;
}

wsk_twin_status wsk_twin_read(const wsk_twin_reader *r, wsk_twin_moment *out)
{
    /* a try fails only if the writer publishes several moments during the copy of one */
    for (int tries = 0; tries < 1000; tries++) {
        const uint64_t number = wsk_twin_newest(r);
        const place *from = &r->at->place[number % PLACES];
        if (!number)
            return WSK_TWIN_GONE;
        memcpy(out, &from->moment, offsetof(wsk_twin_moment, card));
        const size_t bytes = used(out), head = offsetof(wsk_twin_moment, card);
        memcpy((char *)out + head, (const char *)&from->moment + head, bytes - head);
        const uint64_t sum = from->checksum;
        atomic_thread_fence(memory_order_acquire);
        if (newest(r) - number < PLACES - 1 && sum == checksum(number, out))
            return is_silent(r->at) ? WSK_TWIN_GONE : WSK_TWIN_OK;
    }
    return WSK_TWIN_GONE;
}

void wsk_twin_detach(wsk_twin_reader *r)
{
    if (!r)
        return;
    union {
        const segment *read;
        void *mapped;
    } at = {.read = r->at};
    munmap(at.mapped, sizeof *r->at);
    free(r);
}
