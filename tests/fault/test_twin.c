/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hostile, broken and killed clients must not keep a twin from answering the next client, make it leak, or make it show
 * states that are not whole. */
#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <poll.h>
#include <unistd.h>
#include <cmocka.h>

#include "sim/base/base.h"
#include "twin/ask.h"
#include "twin/segment.h"

static char name[32], answer[1 << 16];
static pid_t twin;
static wsk_twin_reader *reader;
static wsk_twin_moment moment;

static void rest(void)
{
    (void)poll(NULL, 0, 10);
}

static void start(const char *pace)
{
    const char *program = getenv("WATTSINK");
    assert_non_null(program);
    twin = fork();
    assert_true(twin >= 0);
    if (twin == 0) {
        execl(program, program, "twin", "tests/cli/two-cards.xml", "--name", name, "--writable", "-q", pace,
              (char *)NULL);
        _exit(127);
    }
    for (;;) {
        assert_int_equal(waitpid(twin, NULL, WNOHANG), 0);
        if (wsk_twin_attach(&reader, name) == WSK_TWIN_OK) {
            if (wsk_twin_read(reader, &moment) == WSK_TWIN_OK && moment.writer_pid == twin)
                return;
            wsk_twin_detach(reader);
        }
        rest();
    }
}

static int set_up(void **state)
{
    (void)state;
    snprintf(name, sizeof name, "fault-%ld", (long)getpid());
    start("--speed=60");
    return 0;
}

static int end(int signal)
{
    int status = 0;
    kill(twin, signal);
    assert_int_equal(waitpid(twin, &status, 0), twin);
    wsk_twin_detach(reader);
    return status;
}

static int tear_down(void **state)
{
    (void)state;
    const int status = end(SIGTERM);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -1;
}

static void assert_well(void)
{
    assert_int_equal(wsk_twin_ask(moment.socket, "{\"read\": [\"wall_w\"]}", 600000, answer, sizeof answer),
                     WSK_ASK_OK);
    assert_int_equal(wsk_twin_read(reader, &moment), WSK_TWIN_OK);
    assert_int_equal(moment.count, 2);
}

static int dial(void)
{
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    memcpy(to.sun_path, moment.socket, sizeof to.sun_path);
    const int at = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_true(at >= 0);
    assert_int_equal(connect(at, (const struct sockaddr *)&to, sizeof to), 0);
    return at;
}

static void say(int at, const char *bytes, size_t len)
{
    while (len) {
        const ssize_t n = send(at, bytes, len, MSG_NOSIGNAL);
        if (n <= 0)
            return;
        bytes += n;
        len -= (size_t)n;
    }
}

static void hear(int at)
{
    size_t len = 0;
    ssize_t n;
    while ((n = recv(at, answer + len, sizeof answer - 1 - len, 0)) > 0 && len < sizeof answer - 1)
        len += (size_t)n;
    answer[len] = '\0';
}

static long count_descriptors(void)
{
    char path[64];
    long count = 0;
    snprintf(path, sizeof path, "/proc/%ld/fd", (long)twin);
    DIR *folder = opendir(path);
    assert_non_null(folder);
    while (readdir(folder))
        count++;
    closedir(folder);
    return count;
}

static long read_status(const char *key)
{
    char path[64], line[128];
    double value = -1;
    snprintf(path, sizeof path, "/proc/%ld/status", (long)twin);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    const size_t len = strlen(key);
    while (fgets(line, sizeof line, file))
        if (strncmp(line, key, len) == 0 && line[len] == ':') {
            const char *end_of;
            assert_true(wsk_parse_number(line + len + 1 + strspn(line + len + 1, " \t"), &end_of, &value));
        }
    fclose(file);
    assert_true(value >= 0); /* a twin that has just started may not have waited for anything yet */
    return (long)value;
}

/* Pages of programs and libraries do not count, because the system drops them and reads them again as it likes. */
static long read_memory_kb(void)
{
    return read_status("RssAnon");
}

/* A sanitizer keeps freed memory for a while, so a sanitized twin may grow. */
static void assert_no_growth(long before_kb, long allowed_kb)
{
    assert_true(before_kb > 0);
#ifdef WSK_SANITIZED
    (void)allowed_kb;
#else
    assert_true(read_memory_kb() <= before_kb + allowed_kb);
#endif
}

static void test_any_bytes(void **state)
{
    (void)state;
    static const char alphabet[] = "{}[]\":,.0123456789-+eE dogpu0.fanset%W\n\\u\xff\xc3\0";
    for (uint64_t i = 0; i < 400; i++) {
        char bytes[300];
        const size_t len = (size_t)(wsk_random(i, 1, 0) * sizeof bytes);
        for (size_t k = 0; k < len; k++)
            bytes[k] =
                i % 2 ? alphabet[(size_t)(wsk_random(i, 2, k) * sizeof alphabet)] : (char)(wsk_random(i, 2, k) * 256);
        const int at = dial();
        say(at, bytes, len);
        shutdown(at, SHUT_WR);
        hear(at);
        close(at);
    }
    assert_well();
}

static void test_longest_requests(void **state)
{
    (void)state;
    char *line = malloc(200000);
    assert_non_null(line);
    memset(line, ' ', 200000);
    int at = dial();
    say(at, line, 70000);
    hear(at);
    close(at);
    static const char refusal[] =
        "{\"ok\": false, \"code\": \"size\", \"why\": \"a request has at most 65536 bytes\", \"messages\": [";
    assert_memory_equal(answer, refusal, sizeof refusal - 1);
    /* the request then has 65,536 bytes before its newline, the most that is allowed */
    memcpy(line + 65536 - 14, "{\"list\": true}\n", 15);
    at = dial();
    say(at, line, 65537);
    shutdown(at, SHUT_WR);
    hear(at);
    close(at);
    assert_memory_equal(answer, "{\"ok\": true", 11);
    free(line);
    assert_well();
}

static void test_crowd(void **state)
{
    (void)state;
    int crowd[60];
    for (size_t i = 0; i < sizeof crowd / sizeof *crowd; i++) {
        crowd[i] = dial();
        say(crowd[i], "{\"read\"", 7);
        if (i % 10 == 9)
            assert_well();
    }
    for (size_t i = 0; i < sizeof crowd / sizeof *crowd; i++)
        close(crowd[i]);
    assert_well();
}

static void test_deaf_clients(void **state)
{
    (void)state;
    int deaf[4];
    for (size_t i = 0; i < sizeof deaf / sizeof *deaf; i++) {
        deaf[i] = dial();
        assert_int_equal(fcntl(deaf[i], F_SETFL, O_NONBLOCK), 0);
        for (int k = 0; k < 20000; k++)
            if (send(deaf[i], "{\"list\": true}\n", 15, MSG_NOSIGNAL) < 0)
                break;
        assert_well();
    }
    for (size_t i = 0; i < sizeof deaf / sizeof *deaf; i++)
        close(deaf[i]);
    assert_well();
}

static void kill_client(uint64_t i)
{
    const pid_t client = fork();
    assert_true(client >= 0);
    if (client == 0) {
        const int at = dial();
        say(at, i % 2 ? "{\"do\": \"gpu0.fan" : "{\"do\": \"gpu0.power-limit set 200 W\"}\n{\"re", i % 2 ? 16 : 42);
        kill(getpid(), SIGKILL);
    }
    assert_int_equal(waitpid(client, NULL, 0), client);
}

static void test_killed_clients(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 30; i++)
        kill_client(i);
    assert_well();
}

static void order(uint64_t i)
{
    static const char *const targets[] = {"gpu0.power-limit",
                                          "gpu1.power-limit",
                                          "gpu0.fan",
                                          "gpu1.fan",
                                          "gpu1.persistence",
                                          "room",
                                          "gpu7.fan",
                                          "gpu0.clock-lock",
                                          "gpu1.job",
                                          "gpu0",
                                          "gpu1",
                                          "psu0",
                                          "circuit",
                                          "fan0",
                                          "air-conditioner",
                                          "gpu1.clock-lock"};
    char text[64], line[128];
    const size_t t = (size_t)(wsk_random(i, 3, 0) * (sizeof targets / sizeof *targets)),
                 e = (size_t)(wsk_random(i, 4, 0) * 10);
    const double value = wsk_random(i, 5, 0) * 400;
    switch (e) {
    case 0: snprintf(text, sizeof text, "set %.0f W", value); break;
    case 1: snprintf(text, sizeof text, "set %.0f %%", value / 4); break;
    case 2: snprintf(text, sizeof text, "returns"); break;
    case 3: snprintf(text, sizeof text, "set %.0f degC", value / 8); break;
    case 4: snprintf(text, sizeof text, "fails"); break;
    case 5: snprintf(text, sizeof text, "set %.0f MHz", 5 * value); break;
    case 6: snprintf(text, sizeof text, "set job-%.0f %.0f %%", value, value / 4); break;
    case 7: snprintf(text, sizeof text, "lost"); break;
    case 8: snprintf(text, sizeof text, "returns"); break;
    default: snprintf(text, sizeof text, "set on");
    }
    snprintf(line, sizeof line, "{\"do\": \"%s %s\"}", targets[t], text);
    assert_int_not_equal(wsk_twin_ask(moment.socket, line, 600000, answer, sizeof answer), WSK_ASK_GONE);
}

static void test_nothing_is_kept(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 300; i++)
        order(i);
    assert_well();
    const long memory_kb = read_memory_kb(), descriptors = count_descriptors();
    for (uint64_t i = 300; i < 3300; i++)
        order(i);
    assert_well();
    assert_no_growth(memory_kb, 64); /* 3,000 leaked answers of 30 bytes would be 90 kB */
    while (count_descriptors() > descriptors)
        rest();
}

static void test_killed_twin(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 5; i++) {
        for (uint64_t k = 0; k < 20; k++) {
            order(1000 * i + k);
            assert_int_equal(wsk_twin_read(reader, &moment), WSK_TWIN_OK);
        }
        char socket[108];
        memcpy(socket, moment.socket, sizeof socket);
        assert_true(WIFSIGNALED(end(SIGKILL)));
        assert_int_equal(wsk_twin_ask(socket, "{\"list\": true}", 600000, answer, sizeof answer), WSK_ASK_GONE);
        start("--speed=60");
        assert_well();
        assert_string_equal(moment.socket, socket);
    }
}

/* Reads as fast as it can, so that a twin in real time begins to publish states ahead of time. Returns the number of
 * states seen. */
static long watch(double seconds)
{
    const double until_s = wsk_clock() + seconds;
    int64_t before_ns = 0;
    long seen = 0;
    while (wsk_clock() < until_s) {
        assert_int_equal(wsk_twin_read(reader, &moment), WSK_TWIN_OK);
        assert_true(moment.t_ns >= before_ns);
        seen += moment.t_ns > before_ns;
        before_ns = moment.t_ns;
    }
    return seen;
}

/* Only in `make soak PARTS=twin`, which sets WATTSINK_TWIN_SECONDS: how long this test takes. */
static void test_soak(void **state)
{
    const char *seconds = getenv("WATTSINK_TWIN_SECONDS");
    const double until_s = wsk_clock() + (seconds ? atof(seconds) : 0);
    long memory_kb = 0, orders = 0, moments = 0, kills = 0;
    (void)state;
    if (!seconds)
        skip();
    for (uint64_t i = 0; wsk_clock() < until_s; i++) {
        for (uint64_t k = 0; k < 2000; k++, orders++) {
            order(2000 * (i + 10) + k);
            assert_int_equal(wsk_twin_read(reader, &moment), WSK_TWIN_OK);
            if (k % 100 == 0)
                kill_client(k);
        }
        assert_well();
        if (i % 20 == 1)
            memory_kb = read_memory_kb();
        if (i % 20 > 1)
            assert_no_growth(memory_kb, 128);
        if (i % 20 == 19) {
            moments += watch(3);
            assert_true(WIFSIGNALED(end(SIGKILL)));
            start(i % 40 == 39 ? "--speed=60" : "--speed=1");
            kills++;
        }
    }
    print_message("orders: %ld\nmoments watched: %ld\nkilled and started again: %ld\n", orders, moments, kills);
}

static double value_of(const char *variable)
{
    char line[128];
    const char *end_of;
    double value;
    snprintf(line, sizeof line, "{\"read\": [\"%s\"]}", variable);
    assert_int_equal(wsk_twin_ask(moment.socket, line, 600000, answer, sizeof answer), WSK_ASK_OK);
    const char *at = strstr(answer, variable);
    assert_non_null(at);
    assert_true(wsk_parse_number(at + strlen(variable) + 3, &end_of, &value));
    return value;
}

static void advance(const char *seconds)
{
    char line[64];
    snprintf(line, sizeof line, "{\"advance_s\": %s}", seconds);
    assert_int_equal(wsk_twin_ask(moment.socket, line, 600000, answer, sizeof answer), WSK_ASK_OK);
    assert_int_equal(wsk_twin_read(reader, &moment), WSK_TWIN_OK);
}

/* In lockstep mode time passes only on request, so sensor values must equal the run's own variables. */
static void test_sensors(void **state)
{
    (void)state;
    (void)end(SIGTERM);
    start("--lockstep");
    const wsk_twin_now *n = &moment.card[0].now;
    advance("100");
    assert_int_equal(moment.t_ns, 100 * INT64_C(1000000000));
    for (int i = 0; i < 20; i++) { /* in the first seconds after a change, mean and instantaneous power differ */
        const double before_j = value_of("gpu0.energy_j");
        if (i == 5) {
            assert_int_equal(wsk_twin_ask(moment.socket, "{\"do\": \"gpu0.power-limit set 150 W\"}", 600000, answer,
                                          sizeof answer),
                             WSK_ASK_OK);
            assert_int_equal(wsk_twin_read(reader, &moment), WSK_TWIN_OK);
            assert_int_equal(n->limit_mw, 150000);
        }
        advance(i % 2 ? "0.5" : "1");
        if (i % 2 == 0)
            assert_true(n->power_mean_mw - 1000 * (value_of("gpu0.energy_j") - before_j) < 0.6 &&
                        n->power_mean_mw - 1000 * (value_of("gpu0.energy_j") - before_j) > -0.6);
        const double power_w = value_of("gpu0.power_w"), die_c = value_of("gpu0.die_c");
        assert_true(n->power_instant_mw - 1000 * power_w < 0.6 && n->power_instant_mw - 1000 * power_w > -0.6);
        assert_true(n->die_c - die_c <= 0.5 && n->die_c - die_c >= -0.5);
        assert_true(i < 6 || n->power_instant_mw <= 150500);
    }
    assert_true(n->reasons & WSK_REASON_POWER_CAP);
    assert_int_equal(n->gpu_percent, 100);
    assert_string_equal(n->process[0].name, "training");
    assert_true(n->process[0].pid > 4194304);
}

/* The twin has a new reading of the sensors every 0.1 s, but wakes up less often: it publishes states ahead of time,
 * and none may be shown before its time. The effect of an order must be in the state that is shown when the order is
 * answered. */
static void test_real_time(void **state)
{
    (void)state;
    (void)end(SIGTERM);
    const double began_s = wsk_clock();
    start("--speed=1");
    int64_t before_ns = moment.t_ns;
    const int64_t first_ns = before_ns;
    const long woken = read_status("voluntary_ctxt_switches");
    for (int news = 0; news < 15;) {
        assert_int_equal(wsk_twin_read(reader, &moment), WSK_TWIN_OK);
        const double latest_s = wsk_clock() - began_s + 0.05;
        assert_true(1e-9 * (double)moment.t_ns <= latest_s);
        assert_int_equal(moment.t_ns % 100000000, 0);
        if (moment.t_ns == before_ns) {
            rest();
            continue;
        }
        assert_true(moment.t_ns > before_ns);
        before_ns = moment.t_ns;
        news++;
    }
    assert_true((double)(read_status("voluntary_ctxt_switches") - woken) <
                3 + 1e-9 * (double)(before_ns - first_ns) / 0.2);
    for (int i = 0; i < 3; i++) {
        char line[64];
        snprintf(line, sizeof line, "{\"do\": \"gpu1.power-limit set %d W\"}", 150 + i);
        assert_int_equal(wsk_twin_ask(moment.socket, line, 600000, answer, sizeof answer), WSK_ASK_OK);
        assert_int_equal(wsk_twin_read(reader, &moment), WSK_TWIN_OK);
        assert_int_equal(moment.card[1].now.limit_mw, 1000 * (150 + i));
        assert_true(moment.t_ns >= before_ns);
        before_ns = moment.t_ns;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_any_bytes),      cmocka_unit_test(test_longest_requests),
                                       cmocka_unit_test(test_crowd),          cmocka_unit_test(test_deaf_clients),
                                       cmocka_unit_test(test_killed_clients), cmocka_unit_test(test_nothing_is_kept),
                                       cmocka_unit_test(test_killed_twin),    cmocka_unit_test(test_soak),
                                       cmocka_unit_test(test_sensors),        cmocka_unit_test(test_real_time)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
