/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/calibrate/calibrate.h"

/* A log file that is read piece by piece. It is not mapped, because reading a mapped file that another program has
 * truncated raises SIGBUS. Bytes that are appended after the file was opened are not read. */
typedef struct {
    int fd, why;        /* why: errno of a failed call; 0: none failed */
    bool sized, cut;    /* sized: a regular file, no pipe or device; cut: the file ended before `len` bytes */
    size_t len, at;     /* length of the file when it was opened, 0 unless `sized`; bytes read so far */
    uint64_t digest;    /* hash of the bytes read so far */
    struct stat opened; /* status of the file when it was opened */
} pieces;

static size_t read_piece(pieces *p, char *to, size_t want)
{
    size_t used = 0;
    ssize_t got = 1;
    while (used < want && got != 0) {
        got = read(p->fd, to + used, want - used);
        if (got > 0)
            used += (size_t)got;
        if (got < 0 && errno != EINTR) {
            p->why = errno;
            break;
        }
    }
    p->cut = p->cut || (p->sized && used < want);
    p->at += used;
    if (used) {
        const uint64_t piece = wsk_hash_words(to, used);
        p->digest = wsk_hash_more(p->digest, &piece, sizeof piece);
    }
    return used;
}

/* All pieces but the last have the same length, so that reading them again gives the same digest. */
static size_t next_piece(void *user, char *to, size_t room)
{
    pieces *p = user;
    const size_t piece = room < WSK_LOG_PIECE ? room : WSK_LOG_PIECE;
    return read_piece(p, to, p->sized && p->len - p->at < piece ? p->len - p->at : piece);
}

/* True if the file still begins with the bytes that were read. Reads them again. */
static bool begins_so(const pieces *was)
{
    pieces again = *was;
    char *text = wsk_cli_alloc(WSK_LOG_PIECE);
    again.len = was->at;
    again.at = 0;
    again.digest = WSK_HASH_EMPTY;
    again.why = lseek(was->fd, 0, SEEK_SET) == 0 ? 0 : errno;
    while (!again.why && next_piece(&again, text, WSK_LOG_PIECE)) {
    }
    free(text);
    return !again.why && again.at == was->at && again.digest == was->digest;
}

/* True if the file stayed unchanged while it was read, apart from bytes appended to it. */
static bool stands(pieces *p)
{
    struct stat now;
    if (fstat(p->fd, &now) != 0) {
        p->why = errno;
        return false;
    }
    const bool same = now.st_size == p->opened.st_size && now.st_mtim.tv_sec == p->opened.st_mtim.tv_sec &&
                      now.st_mtim.tv_nsec == p->opened.st_mtim.tv_nsec;
    return !p->cut && now.st_size >= p->opened.st_size && (same || begins_so(p));
}

int wsk_cli_log_open(const char *file, wsk_log **log)
{
    pieces p = {.fd = open(file, O_RDONLY | O_CLOEXEC), .digest = WSK_HASH_EMPTY};
    wsk_status status = WSK_OK;
    bool whole = false;
    *log = NULL;
    if (p.fd < 0 || fstat(p.fd, &p.opened) != 0) {
        p.why = errno;
    } else {
        p.sized = S_ISREG(p.opened.st_mode) && p.opened.st_size > 0;
        p.len = p.sized ? (size_t)p.opened.st_size : 0;
        status = wsk_log_read_pieces(log, file, next_piece, &p);
        whole = !p.why && (!p.sized || stands(&p));
    }
    if (p.fd >= 0)
        close(p.fd);
    wsk_cli_check_memory(status != WSK_ENOMEM);
    if (whole)
        return (int)status;
    wsk_log_free(*log);
    *log = NULL;
    if (p.why)
        wsk_cli_error(T_("cannot read %s: %s"), file, T_(strerror(p.why)));
    else
        wsk_cli_error(T_("%s changed while it was read, and not only by new lines at its end; expected a copy of it"),
                      file);
    return p.why == ENOENT ? WSK_EINPUT : WSK_ERUN;
}
