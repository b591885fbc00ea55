/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The control socket of a twin: several connections, clients that hang up, do not read or do not finish a request, and
 * folders that cannot hold the socket. The clock is the test's own, so that no test waits. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static double now_s;
double test_clock(void);
double test_clock(void)
{
    return now_s;
}
#define wsk_clock test_clock
#include "cli/twin/door.c"

enum { LONG = 4 << 20 };
static char folder[64];
static wsk_door *door;

/* Answers "long" with LONG bytes, and each other line with "<line>". */
static char *echo(void *to, const char *line, size_t len)
{
    const bool is_long = strcmp(line, "long") == 0;
    char *answer = malloc(is_long ? LONG + 2 : len + 4);
    *(int *)to += 1;
    if (is_long)
        snprintf(answer, LONG + 2, "%0*d\n", LONG, 0);
    else
        snprintf(answer, len + 4, "<%s>\n", line);
    return answer;
}

static int asked;

static int open_door(void **state)
{
    (void)state;
    now_s = 100;
    asked = 0;
    snprintf(folder, sizeof folder, "/tmp/wsk-door-XXXXXX");
    if (!mkdtemp(folder) || setenv("XDG_RUNTIME_DIR", folder, 1) != 0)
        return -1;
    door = wsk_door_open("t", echo, &asked);
    return door ? 0 : -1;
}

static int close_door(void **state)
{
    char path[128];
    (void)state;
    wsk_door_close(door);
    door = NULL;
    snprintf(path, sizeof path, "%s/wattsink", folder);
    return rmdir(path) | rmdir(folder);
}

static int join(void)
{
    struct sockaddr_un there = {.sun_family = AF_UNIX};
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    snprintf(there.sun_path, sizeof there.sun_path, "%s", wsk_door_path(door));
    assert_int_equal(connect(fd, (struct sockaddr *)&there, sizeof there), 0);
    return fd;
}

static void say(int fd, const char *text)
{
    assert_int_equal(send(fd, text, strlen(text), MSG_NOSIGNAL), strlen(text));
}

static void hears(int fd, const char *text)
{
    char got[256];
    const ssize_t n = recv(fd, got, sizeof got - 1, 0);
    assert_true(n >= 0);
    got[n] = '\0';
    assert_string_equal(got, text);
}

static void hears_nothing(int fd)
{
    char c;
    assert_int_equal(recv(fd, &c, 1, 0), -1);
    assert_int_equal(errno, EAGAIN);
}

/* The door hung up: the end of the stream, or a reset if it had not read all bytes. */
static void is_hung_up(int fd)
{
    char c;
    const ssize_t n = recv(fd, &c, 1, 0);
    assert_true(n == 0 || (n < 0 && errno == ECONNRESET));
    close(fd);
}

static size_t connections(void)
{
    struct pollfd polls[WSK_DOOR_POLLS];
    return wsk_door_polls(door, polls) - 1;
}

static void test_requests_in_parts_and_together(void **state)
{
    (void)state;
    const int fd = join();
    assert_false(wsk_door_serve(door));
    hears_nothing(fd);
    say(fd, "he");
    assert_false(wsk_door_serve(door));
    hears_nothing(fd);
    say(fd, "llo\nsecond\nthird\n");
    assert_true(wsk_door_serve(door));
    hears(fd, "<hello>\n");
    assert_true(wsk_door_serve(door));
    hears(fd, "<second>\n");
    assert_false(wsk_door_serve(door));
    hears(fd, "<third>\n");
    assert_int_equal(connections(), 1);
    close(fd);
    assert_false(wsk_door_serve(door));
    assert_int_equal(connections(), 0);
}

/* A client that fetches a long answer slowly gets it whole, without blocking others, and then its next answer. */
static void test_long_answer(void **state)
{
    struct pollfd polls[WSK_DOOR_POLLS];
    char bytes[65536];
    size_t got = 0;
    (void)state;
    const int slow = join(), other = join();
    say(slow, "long\nshort\n");
    say(other, "quick\n");
    wsk_door_serve(door);
    hears(other, "<quick>\n");
    assert_int_equal(wsk_door_polls(door, polls), 3);
    assert_int_equal(polls[1].events, POLLOUT);
    assert_int_equal(polls[2].events, POLLIN);
    for (int i = 0; i < 10; i++)
        wsk_door_serve(door);
    assert_int_equal(asked, 2); /* the line behind the long answer waits */
    for (const size_t all = LONG + 1 + strlen("<short>\n"); got < all;) {
        now_s += 4;
        wsk_door_serve(door);
        const ssize_t n = recv(slow, bytes, sizeof bytes, 0);
        assert_true(n > 0);
        got += (size_t)n;
        if (got == all)
            assert_memory_equal(bytes + n - 3, "t>\n", 3);
    }
    assert_int_equal(asked, 3);
    close(slow);
    close(other);
}

static void test_client_gone_before_its_answer(void **state)
{
    (void)state;
    const int early = join(), late = join(), reset = join();
    say(early, "long\n");
    wsk_door_serve(door);
    assert_int_equal(connections(), 3);
    close(early);
    wsk_door_serve(door);
    assert_int_equal(connections(), 2);
    say(late, "hello\n");
    close(late);
    wsk_door_serve(door);
    wsk_door_serve(door);
    assert_int_equal(connections(), 1);
    assert_int_equal(asked, 2);
    say(reset, "hello\n");
    wsk_door_serve(door);
    close(reset); /* an answer that was not read: the door's recv fails with ECONNRESET */
    wsk_door_serve(door);
    assert_int_equal(connections(), 0);
}

static void test_time_limits(void **state)
{
    (void)state;
    const int silent = join(), part = join(), deaf = join();
    wsk_door_serve(door);
    say(part, "hel");
    say(deaf, "long\n");
    wsk_door_serve(door);
    now_s += 4.9;
    wsk_door_serve(door);
    assert_int_equal(connections(), 3);
    now_s += 0.2;
    wsk_door_serve(door);
    assert_int_equal(connections(), 1); /* a client that has asked nothing may stay */
    is_hung_up(part);
    close(deaf);
    say(silent, "hello\n");
    wsk_door_serve(door);
    hears(silent, "<hello>\n");
    close(silent);
}

static void test_longest_request(void **state)
{
    static char line[WSK_REQUEST_BYTES + 2];
    char answer[512] = "";
    (void)state;
    const int fits = join(), exceeds = join();
    memset(line, 'a', sizeof line);
    for (int i = 0; i < 2; i++)
        assert_int_equal(send(i ? exceeds : fits, line, WSK_REQUEST_BYTES, MSG_NOSIGNAL), WSK_REQUEST_BYTES);
    wsk_door_serve(door);
    assert_int_equal(connections(), 2);
    say(fits, "\n");
    say(exceeds, "a");
    wsk_door_serve(door);
    wsk_door_serve(door);
    assert_int_equal(asked, 1);
    assert_true(recv(exceeds, answer, sizeof answer - 1, 0) > 0);
    assert_non_null(strstr(answer, "\"size\""));
    is_hung_up(exceeds);
    assert_int_equal(connections(), 1);
    close(fits);
}

/* A connection more than there are places takes the place of the one that has been idle longest. */
static void test_full_house(void **state)
{
    int fds[WSK_DOOR_CONNECTIONS];
    (void)state;
    for (int i = 0; i < WSK_DOOR_CONNECTIONS; i++) {
        now_s += 1;
        fds[i] = join();
        wsk_door_serve(door);
    }
    now_s += 1;
    say(fds[0], "awake\n");
    wsk_door_serve(door);
    hears(fds[0], "<awake>\n");
    const int more = join();
    say(more, "me\n");
    wsk_door_serve(door);
    wsk_door_serve(door);
    hears(more, "<me>\n");
    assert_int_equal(connections(), WSK_DOOR_CONNECTIONS);
    is_hung_up(fds[1]);
    for (int i = 0; i < WSK_DOOR_CONNECTIONS; i++)
        if (i != 1) {
            hears_nothing(fds[i]);
            close(fds[i]);
        }
    close(more);
}

static void test_places_of_the_socket(void **state)
{
    char own[96], taken[128], name[96], fallback[64];
    (void)state;
    snprintf(own, sizeof own, "%s/wattsink", folder);
    snprintf(fallback, sizeof fallback, "/tmp/wattsink-%lu/", (unsigned long)geteuid());
    /* a folder that others can read is not used */
    assert_int_equal(chmod(own, 0755), 0);
    snprintf(name, sizeof name, "door-%d", (int)getpid());
    wsk_door *elsewhere = wsk_door_open(name, echo, &asked);
    assert_non_null(elsewhere);
    assert_int_equal(strncmp(wsk_door_path(elsewhere), fallback, strlen(fallback)), 0);
    wsk_door_close(elsewhere);
    assert_int_equal(chmod(own, 0700), 0);
    /* a folder in which the path of the socket would be too long is not used */
    snprintf(name, sizeof name, "%080d", (int)getpid());
    elsewhere = wsk_door_open(name, echo, &asked);
    assert_non_null(elsewhere);
    assert_int_equal(strncmp(wsk_door_path(elsewhere), fallback, strlen(fallback)), 0);
    wsk_door_close(elsewhere);
    /* no twin can listen if a folder has the socket's name */
    snprintf(taken, sizeof taken, "%s/taken.sock", own);
    assert_int_equal(mkdir(taken, 0700), 0);
    assert_null(wsk_door_open("taken", echo, &asked));
    assert_int_equal(rmdir(taken), 0);
    /* a file in place of the folder */
    wsk_door_close(door);
    door = NULL;
    assert_int_equal(rmdir(own), 0);
    FILE *file = fopen(own, "w");
    assert_non_null(file);
    fclose(file);
    assert_int_equal(chmod(own, 0600), 0);
    snprintf(name, sizeof name, "door-%d", (int)getpid());
    elsewhere = wsk_door_open(name, echo, &asked);
    assert_non_null(elsewhere);
    assert_int_equal(strncmp(wsk_door_path(elsewhere), fallback, strlen(fallback)), 0);
    assert_int_equal(access(wsk_door_path(elsewhere), F_OK), 0);
    snprintf(taken, sizeof taken, "%s", wsk_door_path(elsewhere));
    wsk_door_close(elsewhere);
    assert_int_not_equal(access(taken, F_OK), 0);
    assert_int_equal(unlink(own), 0);
    assert_int_equal(mkdir(own, 0700), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_requests_in_parts_and_together, open_door, close_door),
        cmocka_unit_test_setup_teardown(test_long_answer, open_door, close_door),
        cmocka_unit_test_setup_teardown(test_client_gone_before_its_answer, open_door, close_door),
        cmocka_unit_test_setup_teardown(test_time_limits, open_door, close_door),
        cmocka_unit_test_setup_teardown(test_longest_request, open_door, close_door),
        cmocka_unit_test_setup_teardown(test_full_house, open_door, close_door),
        cmocka_unit_test_setup_teardown(test_places_of_the_socket, open_door, close_door)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
