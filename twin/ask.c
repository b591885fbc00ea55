/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "twin/ask.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static long now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (long)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static bool await(int at, short events, long until_ms)
{
    for (;;) {
        const long left = until_ms - now_ms();
        struct pollfd p = {.fd = at, .events = events};
        const int ready = poll(&p, 1, left > 0 ? (int)left : 0);
        if (ready > 0)
            return true;
        if (ready == 0 || errno != EINTR)
            return false;
    }
}

static bool send_all(int at, const char *bytes, size_t len, long until_ms)
{
    while (len) {
        const ssize_t n = send(at, bytes, len, MSG_NOSIGNAL);
        if (n > 0) {
            bytes += n;
            len -= (size_t)n;
        } else if (n < 0 && errno != EINTR && (errno != EAGAIN || !await(at, POLLOUT, until_ms)))
            return false;
    }
    return true;
}

static bool read_line(int at, char *out, size_t size, long until_ms)
{
    char bytes[512];
    size_t len = 0;
    for (;;) {
        if (!await(at, POLLIN, until_ms))
            return false;
        const ssize_t n = recv(at, bytes, sizeof bytes, 0);
        if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN))
            return false;
        for (ssize_t i = 0; i < n; i++) {
            if (bytes[i] == '\n') {
                out[len] = '\0';
                return true;
            }
            if (len + 1 < size)
                out[len++] = bytes[i];
        }
    }
}

/* The answers of a twin begin with "ok", and the code of a refusal comes next (docs/twin.md). */
static wsk_ask_status judge(const char *answer)
{
    static const struct {
        const char *begin;
        wsk_ask_status status;
    } kinds[] = {{"{\"ok\": true", WSK_ASK_OK},
                 {"{\"ok\": false, \"code\": \"read-only\"", WSK_ASK_DENIED},
                 {"{\"ok\": false, \"code\": \"range\"", WSK_ASK_RANGE},
                 {"{\"ok\": false, \"code\": \"unknown\"", WSK_ASK_UNKNOWN},
                 {"{\"ok\": false, \"code\": \"lost\"", WSK_ASK_LOST}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strncmp(answer, kinds[i].begin, strlen(kinds[i].begin)) == 0)
            return kinds[i].status;
    return WSK_ASK_REFUSED;
}

wsk_ask_status wsk_twin_ask(const char *path, const char *line, int wait_ms, char *answer, size_t size)
{
    const long until_ms = now_ms() + wait_ms;
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    if (!size || !*path || strlen(path) >= sizeof to.sun_path)
        return WSK_ASK_GONE;
    memcpy(to.sun_path, path, strlen(path));
    answer[0] = '\0';
    const int at = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (at < 0)
        return WSK_ASK_GONE;
    const bool answered = connect(at, (const struct sockaddr *)&to, sizeof to) == 0 &&
                          send_all(at, line, strlen(line), until_ms) && send_all(at, "\n", 1, until_ms) &&
                          read_line(at, answer, size, until_ms);
    close(at);
    return answered ? judge(answer) : WSK_ASK_GONE;
}
