/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <fcntl.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include "twin/segment.h"

static char name[32];
static wsk_twin_moment moment, seen;

static int give_name(void **state)
{
    (void)state;
    snprintf(name, sizeof name, "test-%ld", (long)getpid());
    return 0;
}

/* Times, sizes and energies are `n`, so that a mixture of two states is noticed. */
static void fill(int64_t n)
{
    moment.t_ns = moment.utc_ns = n;
    moment.count = 8;
    for (int i = 0; i < moment.count; i++) {
        moment.card[i].fixed.memory_bytes = n;
        moment.card[i].now.energy_mj = (uint64_t)n;
        moment.card[i].now.memory_used_bytes = n;
    }
}

static void assert_whole(void)
{
    assert_int_equal(seen.count, 8);
    for (int i = 0; i < seen.count; i++) {
        assert_int_equal(seen.card[i].fixed.memory_bytes, seen.t_ns);
        assert_int_equal(seen.card[i].now.energy_mj, seen.t_ns);
        assert_int_equal(seen.card[i].now.memory_used_bytes, seen.t_ns);
    }
}

static pid_t start_writer(void)
{
    int ready[2];
    char byte;
    assert_int_equal(pipe(ready), 0);
    const pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        wsk_twin_writer *w;
        alarm(60); /* ends the child if the test dies */
        if (wsk_twin_create(&w, name) != WSK_TWIN_OK)
            _exit(1);
        for (int64_t n = 1;; n++) {
            fill(n);
            wsk_twin_publish(w, &moment);
            if (n == 1 && write(ready[1], "", 1) != 1)
                _exit(1);
        }
    }
    close(ready[1]);
    assert_int_equal(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    return pid;
}

static void end_writer(pid_t pid)
{
    int how;
    kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, &how, 0), pid);
    assert_true(WIFSIGNALED(how));
}

static void test_reads_whole_moments(void **state)
{
    (void)state;
    for (int kills = 0; kills < 20; kills++) {
        const pid_t pid = start_writer();
        wsk_twin_reader *r;
        int64_t last = 0;
        assert_int_equal(wsk_twin_attach(&r, name), WSK_TWIN_OK);
        for (int i = 0; i < 2000; i++)
            if (wsk_twin_read(r, &seen) == WSK_TWIN_OK) {
                assert_whole();
                assert_true(seen.t_ns >= last);
                last = seen.t_ns;
            }
        assert_true(last > 0);
        end_writer(pid); /* kills the writer at an arbitrary moment, also while it writes */
        /* OK although the writer is dead, because it has not been silent for long enough. */
        assert_int_equal(wsk_twin_read(r, &seen), WSK_TWIN_OK);
        assert_whole();
        assert_true(seen.t_ns >= last);
        wsk_twin_detach(r);
    }
}

static void test_one_writer_a_name(void **state)
{
    (void)state;
    wsk_twin_writer *w, *other, *none;
    const pid_t pid = start_writer();
    assert_int_equal(wsk_twin_create(&w, name), WSK_TWIN_TAKEN);
    kill(pid, SIGSTOP); /* a stopped writer keeps its name */
    assert_int_equal(wsk_twin_create(&w, name), WSK_TWIN_TAKEN);
    assert_int_equal(wsk_twin_create(&other, "test-other"), WSK_TWIN_OK);
    end_writer(pid);
    assert_int_equal(wsk_twin_create(&w, name), WSK_TWIN_OK);
    assert_int_equal(wsk_twin_create(&none, name), WSK_TWIN_TAKEN);
    wsk_twin_close(w);
    wsk_twin_reader *r;
    assert_int_equal(wsk_twin_attach(&r, name), WSK_TWIN_ABSENT);
    assert_int_equal(wsk_twin_create(&w, "test-other"), WSK_TWIN_TAKEN);
    wsk_twin_close(other);
}

static void test_closed_is_gone(void **state)
{
    (void)state;
    wsk_twin_writer *w;
    wsk_twin_reader *r;
    assert_int_equal(wsk_twin_create(&w, name), WSK_TWIN_OK);
    assert_int_equal(wsk_twin_attach(&r, name), WSK_TWIN_OK);
    assert_int_equal(wsk_twin_read(r, &seen), WSK_TWIN_GONE); /* the writer has not published a state yet */
    fill(7);
    wsk_twin_publish(w, &moment);
    assert_int_equal(wsk_twin_read(r, &seen), WSK_TWIN_OK);
    assert_int_equal(wsk_twin_newest(r), 1);
    wsk_twin_close(w);
    assert_int_equal(wsk_twin_read(r, &seen), WSK_TWIN_GONE);
    assert_int_equal(seen.t_ns, 7);
    wsk_twin_detach(r);
}

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void assert_shown(const wsk_twin_reader *r, int64_t n)
{
    assert_int_equal(wsk_twin_read(r, &seen), WSK_TWIN_OK);
    assert_int_equal(seen.t_ns, n);
    assert_whole();
}

static void test_moments_are_shown_when_due(void **state)
{
    (void)state;
    wsk_twin_writer *w;
    wsk_twin_reader *r;
    const int64_t hour_ms = 3600000, began_ms = now_ms();
    assert_int_equal(wsk_twin_create(&w, name), WSK_TWIN_OK);
    assert_int_equal(wsk_twin_attach(&r, name), WSK_TWIN_OK);
    /* More moments than there are places in the segment. */
    for (int64_t n = 1; n <= 20; n++) {
        fill(n);
        wsk_twin_publish_due(w, &moment, began_ms);
        assert_shown(r, n);
    }
    const uint64_t shown = wsk_twin_newest(r);
    for (int64_t n = 1; n <= WSK_TWIN_AHEAD; n++) {
        fill(20 + n);
        wsk_twin_publish_due(w, &moment, began_ms + n * hour_ms);
        assert_shown(r, 20);
        assert_int_equal(wsk_twin_newest(r), shown);
    }
    fill(30);
    wsk_twin_publish(w, &moment);
    assert_shown(r, 30);
    assert_int_equal(wsk_twin_newest(r), shown + WSK_TWIN_AHEAD + 1);
    fill(31);
    wsk_twin_publish_due(w, &moment, began_ms + 50);
    while (now_ms() < began_ms + 50)
        assert_int_equal(wsk_twin_read(r, &seen), WSK_TWIN_OK);
    assert_shown(r, 31);
    wsk_twin_detach(r);
    wsk_twin_close(w);
}

static void test_refuses_what_is_no_segment(void **state)
{
    (void)state;
    char path[96];
    wsk_twin_reader *r;
    wsk_twin_writer *w;
    snprintf(path, sizeof path, "/wattsink.%lu.%s", (unsigned long)getuid(), name);
    assert_int_equal(wsk_twin_attach(&r, name), WSK_TWIN_ABSENT);
    assert_int_equal(wsk_twin_attach(&r, "../x"), WSK_TWIN_ABSENT);
    int file = shm_open(path, O_RDWR | O_CREAT | O_EXCL, 0600);
    assert_true(file >= 0);
    assert_int_equal(wsk_twin_attach(&r, name), WSK_TWIN_FOREIGN);
    assert_int_equal(ftruncate(file, 4 << 20), 0);
    assert_int_equal(wsk_twin_attach(&r, name), WSK_TWIN_FOREIGN);
    assert_int_equal(fchmod(file, 0622), 0);
    /* Refused, because other users could write to the file. */
    assert_int_equal(wsk_twin_attach(&r, name), WSK_TWIN_DENIED);
    close(file);
    /* The file has no writer, so a new writer replaces it. */
    assert_int_equal(wsk_twin_create(&w, name), WSK_TWIN_OK);
    wsk_twin_close(w);
}

static void test_only_the_owner_may_open(void **state)
{
    (void)state;
    wsk_twin_writer *w;
    char path[96];
    struct stat st;
    assert_int_equal(wsk_twin_create(&w, name), WSK_TWIN_OK);
    snprintf(path, sizeof path, "/wattsink.%lu.%s", (unsigned long)getuid(), name);
    const int file = shm_open(path, O_RDONLY, 0);
    assert_true(file >= 0);
    assert_int_equal(fstat(file, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    assert_ptr_equal(mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0), MAP_FAILED);
    close(file);
    wsk_twin_close(w);
}

static void test_names(void **state)
{
    (void)state;
    setenv("WATTSINK_TWIN", "", 1);
    assert_string_equal(wsk_twin_name(NULL), "twin");
    setenv("WATTSINK_TWIN", "rack-2", 1);
    assert_string_equal(wsk_twin_name(NULL), "rack-2");
    assert_string_equal(wsk_twin_name("a"), "a");
    assert_null(wsk_twin_name("a/b"));
    assert_null(wsk_twin_name("12345678901234567890123456789012345678901"));
    unsetenv("WATTSINK_TWIN");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reads_whole_moments),
        cmocka_unit_test(test_one_writer_a_name),
        cmocka_unit_test(test_closed_is_gone),
        cmocka_unit_test(test_moments_are_shown_when_due),
        cmocka_unit_test(test_refuses_what_is_no_segment),
        cmocka_unit_test(test_only_the_owner_may_open),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, give_name, NULL);
}
