/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/twin/door.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "cli/kit/cli.h"
#include "cli/twin/request.h"

typedef struct {
    int fd;   /* socket; -1: this entry is unused */
    char *in; /* buffer of WSK_REQUEST_BYTES + 1 bytes, allocated when the first byte arrives */
    size_t len;
    char *out;
    size_t sent, left; /* bytes of the answer: sent; still to be sent */
    /* wsk_clock() at the latest of these: the connection was accepted, a request began, a request was answered, bytes
     * were sent */
    double since_s;
} connection;

struct wsk_door {
    char path[108];
    int listener;
    wsk_door_answer *answer;
    void *to;
    connection at[WSK_DOOR_CONNECTIONS];
};

static bool make_folder(const char *path)
{
    struct stat st;
    if (mkdir(path, 0700) != 0 && errno != EEXIST)
        return false;
    if (lstat(path, &st) != 0)
        return false;
    errno = EACCES;
    return S_ISDIR(st.st_mode) && st.st_uid == geteuid() && !(st.st_mode & 077);
}

/* Finds the socket's path: under XDG_RUNTIME_DIR, or under /tmp if XDG_RUNTIME_DIR is unset, too long or unusable.
 * False: failed, and a message has been printed. */
static bool find_path(char out[108], const char *name)
{
    const char *dirs = getenv("XDG_RUNTIME_DIR");
    char folder[80];
    if (dirs && *dirs == '/' && strlen(dirs) < sizeof folder - 16) {
        snprintf(folder, sizeof folder, "%s/wattsink", dirs);
        if (snprintf(out, 108, "%s/%s.sock", folder, name) < 108 && make_folder(folder))
            return true;
    }
    snprintf(folder, sizeof folder, "/tmp/wattsink-%lu", (unsigned long)geteuid());
    if (make_folder(folder)) {
        snprintf(out, 108, "%s/%s.sock", folder, name);
        return true;
    }
    wsk_cli_error(T_("cannot make the folder %s: %s"), folder, T_(strerror(errno)));
    return false;
}

wsk_door *wsk_door_open(const char *name, wsk_door_answer *answer, void *to)
{
    wsk_door *d = wsk_cli_alloc(sizeof *d);
    struct sockaddr_un here = {.sun_family = AF_UNIX};
    *d = (wsk_door){.listener = -1, .answer = answer, .to = to};
    for (size_t i = 0; i < WSK_DOOR_CONNECTIONS; i++)
        d->at[i].fd = -1;
    if (!find_path(d->path, name)) {
        d->path[0] = '\0';
        wsk_door_close(d);
        return NULL;
    }
    memcpy(here.sun_path, d->path, sizeof here.sun_path);
    unlink(d->path); /* removes the socket that a killed twin left; this process holds the lock of the name */
    d->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (d->listener >= 0 && bind(d->listener, (const struct sockaddr *)&here, sizeof here) == 0 &&
        chmod(d->path, 0600) == 0 && listen(d->listener, WSK_DOOR_CONNECTIONS) == 0)
        return d;
    wsk_cli_error(T_("cannot listen at %s: %s"), d->path, T_(strerror(errno)));
    wsk_door_close(d);
    return NULL;
}

const char *wsk_door_path(const wsk_door *door)
{
    return door->path;
}

static void hang_up(connection *c)
{
    close(c->fd);
    free(c->in);
    free(c->out);
    *c = (connection){.fd = -1};
}

static void send_answer(connection *c)
{
    const ssize_t n = send(c->fd, c->out + c->sent, c->left, MSG_NOSIGNAL);
    if (n < 0 && errno != EAGAIN && errno != EINTR) {
        hang_up(c);
        return;
    }
    if (n <= 0)
        return;
    c->since_s = wsk_clock();
    c->sent += (size_t)n;
    c->left -= (size_t)n;
    if (!c->left) {
        free(c->out);
        c->out = NULL;
    }
}

static void give(connection *c, char *answer)
{
    c->out = answer;
    c->sent = 0;
    c->left = strlen(answer);
    send_answer(c);
}

static char *line_end(const connection *c)
{
    return c->len ? memchr(c->in, '\n', c->len) : NULL;
}

static void take_bytes(connection *c)
{
    if (!c->in)
        c->in = wsk_cli_alloc(WSK_REQUEST_BYTES + 1);
    const ssize_t n = recv(c->fd, c->in + c->len, WSK_REQUEST_BYTES + 1 - c->len, 0);
    if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) {
        hang_up(c);
    } else if (n > 0) {
        if (!c->len)
            c->since_s = wsk_clock(); /* the time limit of a request counts from its first byte */
        c->len += (size_t)n;
    }
}

static void answer_line(wsk_door *d, connection *c)
{
    char *end = line_end(c);
    if (!end && c->len <= WSK_REQUEST_BYTES)
        return;
    if (!end) { /* the end of this request is unknown, so no further request can be read */
        wsk_buf refusal = {0};
        wsk_refusal_write(&refusal, &(wsk_refusal){"size", {.code = WSK_SAY_TWIN_SIZE}});
        wsk_buf_printf(&refusal, "\n");
        (void)send(c->fd, refusal.data, refusal.len, MSG_NOSIGNAL);
        wsk_buf_free(&refusal);
        hang_up(c);
        return;
    }
    *end = '\0';
    char *answer = d->answer(d->to, c->in, (size_t)(end - c->in));
    c->len -= (size_t)(end + 1 - c->in);
    memmove(c->in, end + 1, c->len);
    c->since_s = wsk_clock();
    give(c, answer);
}

static void accept_all(wsk_door *d)
{
    for (;;) {
        const int fd = accept(d->listener, NULL, NULL);
        if (fd < 0)
            return;
        connection *c = &d->at[0];
        for (size_t i = 0; i < WSK_DOOR_CONNECTIONS && c->fd >= 0; i++)
            if (d->at[i].fd < 0 || d->at[i].since_s < c->since_s)
                c = &d->at[i];
        if (c->fd >= 0)
            hang_up(c);
        const int flags = fcntl(fd, F_GETFL);
        if (fcntl(fd, F_SETFD, FD_CLOEXEC) != 0 || flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) != 0)
            close(fd);
        else
            *c = (connection){.fd = fd, .since_s = wsk_clock()};
    }
}

size_t wsk_door_polls(const wsk_door *d, struct pollfd polls[WSK_DOOR_POLLS])
{
    size_t n = 0;
    polls[n++] = (struct pollfd){.fd = d->listener, .events = POLLIN};
    for (size_t i = 0; i < WSK_DOOR_CONNECTIONS; i++)
        if (d->at[i].fd >= 0)
            polls[n++] = (struct pollfd){.fd = d->at[i].fd, .events = d->at[i].out ? POLLOUT : POLLIN};
    return n;
}

bool wsk_door_serve(wsk_door *d)
{
    bool more = false;
    accept_all(d);
    for (size_t i = 0; i < WSK_DOOR_CONNECTIONS; i++) {
        connection *c = &d->at[i];
        if (c->fd >= 0 && c->out)
            send_answer(c);
        if (c->fd >= 0 && !c->out && !line_end(c))
            take_bytes(c);
        if (c->fd >= 0 && !c->out)
            answer_line(d, c);
        if (c->fd >= 0 && (c->out || c->len) && !(!c->out && line_end(c)) &&
            wsk_clock() - c->since_s > WSK_DOOR_MS * 1e-3)
            hang_up(c);
        more = more || (c->fd >= 0 && !c->out && line_end(c));
    }
    return more;
}

void wsk_door_close(wsk_door *d)
{
    if (!d)
        return;
    for (size_t i = 0; i < WSK_DOOR_CONNECTIONS; i++)
        if (d->at[i].fd >= 0)
            hang_up(&d->at[i]);
    if (d->listener >= 0)
        close(d->listener);
    if (*d->path)
        unlink(d->path);
    free(d);
}
