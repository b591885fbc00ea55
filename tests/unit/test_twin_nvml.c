/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wattsink's stand-in for NVIDIA's library, loaded as a client does. A twin is a running simulation that shows its
 * cards to other programs; the stand-in reads its state. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <dlfcn.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include "tests/unit/nvml_functions.h"
#include "twin/segment.h"

enum { BYTES = 8192 };

static any_function *at[FUNCTIONS];
static wsk_twin_moment moment;
static wsk_twin_writer *writer;
static pthread_t heart;
static atomic_bool beating;
static atomic_int working;

static any_function *find(const char *name)
{
    for (int i = 0; i < FUNCTIONS; i++)
        if (strcmp(functions[i].name, name) == 0)
            return at[i];
    fail_msg("%s", name);
    return NULL;
}
/* Calls a function of the library with ARGS arguments; in the calling convention surplus arguments do no harm. */
#define CALL(name, ...) call(find(#name), (uintptr_t[ARGS]){__VA_ARGS__})
#define AT(x) (uintptr_t)(x)
static nvmlReturn_t call(any_function *f, const uintptr_t *a)
{
    return f(a[0], a[1], a[2], a[3], a[4], a[5]);
}

/* Keeps the twin alive in a thread of its own, however long a test takes. */
static void *beat(void *unused)
{
    while (atomic_load(&beating)) {
        wsk_twin_beat(writer);
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    }
    return unused;
}

static int publish_ours(void **state)
{
    (void)state;
    fill_moment(&moment);
    moment.writer_pid = getpid();
    if (wsk_twin_create(&writer, NULL) != WSK_TWIN_OK)
        return 1;
    wsk_twin_publish(writer, &moment);
    atomic_store(&beating, true);
    return pthread_create(&heart, NULL, beat, NULL) != 0 || CALL(nvmlInit_v2, 0) != NVML_SUCCESS;
}

static int close_ours(void **state)
{
    (void)state;
    while (CALL(nvmlShutdown, 0) == NVML_SUCCESS)
        ;
    atomic_store(&beating, false);
    pthread_join(heart, NULL);
    wsk_twin_close(writer);
    return 0;
}

static nvmlDevice_t card(int index)
{
    nvmlDevice_t d = NULL;
    assert_int_equal(CALL(nvmlDeviceGetHandleByIndex_v2, AT(index), AT(&d)), NVML_SUCCESS);
    return d;
}

/* Pointers among the arguments point into `bytes`. */
static void prepare(int f, uintptr_t *args, uint64_t (*bytes)[BYTES / 8], nvmlDevice_t device, nvmlEventSet_t set)
{
    for (int a = 0; a < ARGS; a++) {
        const parameter *p = &functions[f].arg[a];
        memset(bytes[a], 0, BYTES);
        if (p->kind == IS_VERSIONED)
            memcpy(bytes[a], &(unsigned){word_of(p->type)}, sizeof(unsigned));
        args[a] = p->kind == DEVICE   ? AT(device)
                  : p->kind == HANDLE ? AT(set)
                  : p->kind == NUMBER ? 1
                  : p->kind == LONG   ? 0
                                      : AT(bytes[a]);
    }
}

static void call_before_init(void **state)
{
    static uint64_t bytes[ARGS][BYTES / 8];
    uintptr_t args[ARGS];
    (void)state;
    for (int f = 0; f < FUNCTIONS; f++)
        if (strncmp(functions[f].name, "nvmlInit", 8) != 0 && strcmp(functions[f].name, "nvmlErrorString") != 0) {
            prepare(f, args, bytes, NULL, NULL);
            if (call(at[f], args) != NVML_ERROR_UNINITIALIZED)
                fail_msg("%s before nvmlInit", functions[f].name);
        }
    setenv("WATTSINK_TWIN", "nobody-has-this-name", 1);
    assert_int_equal(CALL(nvmlInit_v2, 0), NVML_ERROR_DRIVER_NOT_LOADED);
    char own[32];
    snprintf(own, sizeof own, "nvml-%ld", (long)getpid());
    setenv("WATTSINK_TWIN", own, 1);
}

/* Returns the name of the first function whose answer breaks the interface. */
static const char *call_all(uint64_t (*bytes)[BYTES / 8], nvmlDevice_t device, nvmlEventSet_t set)
{
    uintptr_t args[ARGS];
    const uintptr_t bad[] = {0, 1, (uintptr_t)args, UINTPTR_MAX, AT(device) - 4096};
    for (int f = 0; f < FUNCTIONS; f++) {
        if (is_special(f))
            continue;
        prepare(f, args, bytes, device, set);
        const nvmlReturn_t good = call(at[f], args);
        if (functions[f].how == ABSENT ? good != NVML_ERROR_NOT_SUPPORTED
                                       : good == NVML_ERROR_UNINITIALIZED || good == NVML_ERROR_GPU_IS_LOST)
            return functions[f].name;
        for (int a = 0; a < functions[f].count; a++) {
            const int kind = functions[f].arg[a].kind;
            for (size_t b = 0; b < (kind == DEVICE || kind == HANDLE ? sizeof bad / sizeof *bad : 1); b++) {
                if ((kind == HANDLE && b && functions[f].how == ABSENT) || kind < DEVICE)
                    continue; /* no wrong value exists for this argument: plain numbers, and handles that an absent
                               * function never gives out */
                prepare(f, args, bytes, device, set);
                args[a] = bad[b];
                const nvmlReturn_t rc = call(at[f], args);
                if (kind != OPTIONAL && rc != NVML_ERROR_INVALID_ARGUMENT)
                    return functions[f].name;
            }
            if (kind == IS_VERSIONED)
                for (unsigned wrong = 0; wrong < 3; wrong++) {
                    prepare(f, args, bytes, device, set);
                    const unsigned right = word_of(functions[f].arg[a].type);
                    *(unsigned *)bytes[a] = wrong == 0 ? 0 : wrong == 1 ? right + 4 : right + (9u << 24);
                    if (call(at[f], args) != NVML_ERROR_ARGUMENT_VERSION_MISMATCH)
                        return functions[f].name;
                }
        }
    }
    return NULL;
}

static void call_with_anything(void **state)
{
    static uint64_t bytes[ARGS][BYTES / 8];
    nvmlEventSet_t set;
    (void)state;
    assert_int_equal(FUNCTIONS, 413);
    const nvmlDevice_t device = card(0);
    assert_int_equal(CALL(nvmlEventSetCreate, AT(&set)), NVML_SUCCESS);
    const char *wrong = call_all(bytes, device, set);
    if (wrong)
        fail_msg("%s", wrong);
    assert_int_equal(CALL(nvmlEventSetFree, AT(set)), NVML_SUCCESS);
    assert_int_equal(CALL(nvmlEventSetFree, AT(set)), NVML_ERROR_INVALID_ARGUMENT);
    assert_int_equal(CALL(nvmlEventSetCreate, 0), NVML_ERROR_INVALID_ARGUMENT);
}

static void *call_in_thread(void *index)
{
    uint64_t(*bytes)[BYTES / 8] = calloc(ARGS, sizeof *bytes);
    nvmlEventSet_t set = NULL;
    nvmlDevice_t device = NULL;
    const char *wrong = "its thread";
    for (int times = 0; times < 3 && bytes && wrong; times++) {
        CALL(nvmlInit_v2, 0);
        CALL(nvmlDeviceGetHandleByIndex_v2, (uintptr_t)index, AT(&device));
        CALL(nvmlEventSetCreate, AT(&set));
        wrong = call_all(bytes, device, set);
        CALL(nvmlEventSetFree, AT(set));
        CALL(nvmlShutdown, 0);
        if (wrong)
            break;
        wrong = times < 2 ? "" : NULL;
    }
    free(bytes);
    atomic_fetch_sub(&working, 1);
    return (void *)(uintptr_t)wrong;
}

static void call_from_threads(void **state)
{
    pthread_t threads[8];
    (void)state;
    card(0);
    atomic_store(&working, 8);
    for (uintptr_t i = 0; i < 8; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, call_in_thread, (void *)i), 0);
    while (atomic_load(&working)) {
        wsk_twin_publish(writer, &moment);
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    const char *wrong = NULL;
    for (int i = 0; i < 8; i++) {
        void *of_thread;
        pthread_join(threads[i], &of_thread);
        wrong = of_thread ? of_thread : wrong;
    }
    if (wrong)
        fail_msg("%s", wrong);
}

static void read_values(void **state)
{
    (void)state;
    unsigned u, v, count = 0;
    nvml_u64 big;
    char text[96];
    const nvmlDevice_t d = card(3); /* NVML index 3 is moment.card[4], because moment.card[1] is another maker's */
    const wsk_twin_card *c = &moment.card[4];
    assert_int_equal(CALL(nvmlDeviceGetCount_v2, AT(&u)), NVML_SUCCESS);
    assert_int_equal(u, CARDS);
    assert_int_equal(CALL(nvmlDeviceGetName, AT(d), AT(text), sizeof text), NVML_SUCCESS);
    assert_string_equal(text, c->fixed.name);
    assert_int_equal(CALL(nvmlDeviceGetUUID, AT(d), AT(text), 40), NVML_ERROR_INSUFFICIENT_SIZE);
    assert_int_equal(CALL(nvmlDeviceGetUUID, AT(d), AT(text), 41), NVML_SUCCESS);
    assert_string_equal(text, c->fixed.uuid);
    const struct {
        any_function *read;
        int32_t value;
    } numbers[] = {{find("nvmlDeviceGetPowerUsage"), c->now.power_mw},
                   {find("nvmlDeviceGetEnforcedPowerLimit"), c->now.enforced_limit_mw},
                   {find("nvmlDeviceGetPowerManagementDefaultLimit"), c->fixed.limit_default_mw},
                   {find("nvmlDeviceGetFanSpeed"), c->now.fan_percent[0]},
                   {find("nvmlDeviceGetMinorNumber"), c->fixed.minor},
                   {find("nvmlDeviceGetIndex"), 3}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        assert_int_equal(call(numbers[i].read, (uintptr_t[ARGS]){AT(d), AT(&u)}), NVML_SUCCESS);
        assert_int_equal(u, numbers[i].value);
    }
    assert_int_equal(CALL(nvmlDeviceGetTemperature, AT(d), 0, AT(&u)), NVML_SUCCESS);
    assert_int_equal(u, c->now.die_c);
    assert_int_equal(CALL(nvmlDeviceGetTemperatureThreshold, AT(d), 2, AT(&u)), NVML_ERROR_NOT_SUPPORTED);
    assert_int_equal(CALL(nvmlDeviceGetClockInfo, AT(d), NVML_CLOCK_SM, AT(&u)), NVML_SUCCESS);
    assert_int_equal(u, c->now.clock_mhz);
    assert_int_equal(CALL(nvmlDeviceGetFanSpeed_v2, AT(d), 1, AT(&u)), NVML_SUCCESS);
    assert_int_equal(u, c->now.fan_percent[1]);
    assert_int_equal(CALL(nvmlDeviceGetFanSpeed_v2, AT(d), 2, AT(&u)), NVML_ERROR_INVALID_ARGUMENT);
    assert_int_equal(CALL(nvmlDeviceGetTotalEnergyConsumption, AT(d), AT(&big)), NVML_SUCCESS);
    assert_true(big == c->now.energy_mj);
    assert_int_equal(CALL(nvmlDeviceGetPowerManagementLimitConstraints, AT(d), AT(&u), AT(&v)), NVML_SUCCESS);
    assert_true(u == 100000 && v == 400000);
    nvmlMemory_v2_t m = {.version = NVML_VERSION(nvmlMemory_v2_t, 2)};
    assert_int_equal(CALL(nvmlDeviceGetMemoryInfo_v2, AT(d), AT(&m)), NVML_SUCCESS);
    assert_true(m.total == 24ULL << 30 && m.used == 1ULL << 30 && m.free + m.used == m.total);
    nvmlFieldValue_t f[3] = {{.fieldId = 186}, {.fieldId = 82}, {.fieldId = 74}};
    assert_int_equal(CALL(nvmlDeviceGetFieldValues, AT(d), 3, AT(f)), NVML_SUCCESS);
    assert_true(f[0].nvmlReturn == NVML_SUCCESS && f[0].value.uiVal == (unsigned)c->now.power_instant_mw);
    assert_true(f[1].value.uiVal == (unsigned)c->now.memory_c && f[2].value.ullVal == 77);
    nvmlProcessInfo_v2_t p[2] = {{0}};
    assert_int_equal(CALL(nvmlDeviceGetComputeRunningProcesses_v3, AT(d), AT(&count), 0),
                     NVML_ERROR_INSUFFICIENT_SIZE);
    assert_int_equal(count, 1);
    assert_int_equal(CALL(nvmlDeviceGetComputeRunningProcesses_v3, AT(d), AT(&count), AT(p)), NVML_SUCCESS);
    assert_true(p[0].pid == 5000004 && p[0].usedGpuMemory == 123 && p[1].pid == 0);
    assert_int_equal(CALL(nvmlSystemGetProcessName, 5000004, AT(text), sizeof text), NVML_SUCCESS);
    assert_string_equal(text, "training");
    unsigned clocks[127];
    count = 126;
    assert_int_equal(CALL(nvmlDeviceGetSupportedGraphicsClocks, AT(d), 9751, AT(&count), AT(clocks)),
                     NVML_ERROR_INSUFFICIENT_SIZE);
    assert_int_equal(count, 127);
    assert_int_equal(CALL(nvmlDeviceGetSupportedGraphicsClocks, AT(d), 9751, AT(&count), AT(clocks)), NVML_SUCCESS);
    assert_true(clocks[0] == 2100 && clocks[126] == 210);
    nvmlDevice_t by = NULL;
    assert_int_equal(CALL(nvmlDeviceGetHandleByUUID, AT(c->fixed.uuid), AT(&by)), NVML_SUCCESS);
    assert_ptr_equal(by, d);
    assert_int_equal(CALL(nvmlDeviceGetHandleByPciBusId_v2, AT("0000:a4:00.0"), AT(&by)), NVML_SUCCESS);
    assert_ptr_equal(by, d);
    assert_int_equal(CALL(nvmlDeviceGetHandleByPciBusId_v2, AT("0000:a1:00.0"), AT(&by)), NVML_ERROR_NOT_FOUND);
    assert_int_equal(CALL(nvmlDeviceGetHandleByIndex_v2, CARDS, AT(&by)), NVML_ERROR_INVALID_ARGUMENT);
}

static void thresholds_count_as_the_margin_does(void **state)
{
    (void)state;
    moment.card[0].fixed.arch = WSK_ARCH_HOPPER;
    wsk_twin_publish(writer, &moment);
    nvmlMarginTemperature_v1_t margin = {.version = word_of("MarginTemperature")};
    nvmlFieldValue_t f[2] = {{.fieldId = 193}, {.fieldId = 194}};
    assert_int_equal(CALL(nvmlDeviceGetMarginTemperature, AT(card(0)), AT(&margin)), NVML_SUCCESS);
    assert_int_equal(CALL(nvmlDeviceGetFieldValues, AT(card(0)), 2, AT(f)), NVML_SUCCESS);
    assert_int_equal(margin.marginTemperature + moment.card[0].now.die_c, 83);
    assert_true(f[0].value.siVal == 83 - 98 && f[1].value.siVal == 83 - 95);
}

static void lose_a_card(void **state)
{
    static uint64_t bytes[ARGS][BYTES / 8];
    uintptr_t args[ARGS];
    (void)state;
    nvmlDevice_t d = card(2), other;
    moment.card[3].now.lost = 1;
    wsk_twin_publish(writer, &moment);
    for (int f = 0; f < FUNCTIONS; f++)
        if (functions[f].arg[0].kind == DEVICE) {
            prepare(f, args, bytes, d, NULL);
            if (call(at[f], args) != NVML_ERROR_GPU_IS_LOST)
                fail_msg("%s of a lost card", functions[f].name);
        }
    assert_int_equal(CALL(nvmlDeviceGetHandleByIndex_v2, 2, AT(&other)), NVML_ERROR_GPU_IS_LOST);
    assert_int_equal(CALL(nvmlDeviceGetHandleByIndex_v2, 3, AT(&other)), NVML_SUCCESS);
    assert_int_equal(CALL(nvmlDeviceGetMinorNumber, AT(other), AT(bytes)), NVML_SUCCESS);
}

static void count_users(void **state)
{
    unsigned n;
    (void)state;
    card(0);
    assert_int_equal(CALL(nvmlInit_v2, 0), NVML_SUCCESS);
    assert_int_equal(CALL(nvmlShutdown, 0), NVML_SUCCESS);
    assert_int_equal(CALL(nvmlDeviceGetCount_v2, AT(&n)), NVML_SUCCESS);
    assert_int_equal(CALL(nvmlShutdown, 0), NVML_SUCCESS);
    assert_int_equal(CALL(nvmlDeviceGetCount_v2, AT(&n)), NVML_ERROR_UNINITIALIZED);
}

typedef struct {
    int socket;
    const char *answer;
    char asked[256];
} server;

static void *serve_once(void *data)
{
    server *s = data;
    const int client = accept(s->socket, NULL, NULL);
    ssize_t n = 0, got;
    while (client >= 0 && !memchr(s->asked, '\n', (size_t)n) &&
           (got = read(client, s->asked + n, sizeof s->asked - 1 - (size_t)n)) > 0)
        n += got;
    if (client < 0 || write(client, s->answer, strlen(s->answer)) < 0)
        n = 0;
    s->asked[n] = '\0';
    close(client);
    return NULL;
}

static void expect_order(server *s, const char *answer, const char *order, const char *function, uintptr_t a,
                         uintptr_t b, nvmlReturn_t wanted)
{
    pthread_t thread;
    s->answer = answer;
    memset(s->asked, 0, sizeof s->asked);
    const nvmlDevice_t d = card(1);
    assert_int_equal(pthread_create(&thread, NULL, serve_once, s), 0);
    const nvmlReturn_t rc = call(find(function), (uintptr_t[ARGS]){AT(d), a, b});
    pthread_join(thread, NULL);
    assert_string_equal(s->asked, order);
    assert_int_equal(rc, wanted);
}

static void steer(void **state)
{
    (void)state;
    server s = {.socket = socket(AF_UNIX, SOCK_STREAM, 0)};
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    assert_int_equal(CALL(nvmlDeviceSetPowerManagementLimit, AT(card(1)), 200000), NVML_ERROR_NO_PERMISSION);
    snprintf(to.sun_path, sizeof to.sun_path, "/tmp/wsk-nvml-%ld", (long)getpid());
    snprintf(moment.socket, sizeof moment.socket, "%s", to.sun_path);
    moment.writable = 1;
    wsk_twin_publish(writer, &moment);
    assert_int_equal(bind(s.socket, (struct sockaddr *)&to, sizeof to), 0);
    assert_int_equal(listen(s.socket, 1), 0);
    const char *done = "{\"ok\": true, \"t_s\": 1}\n",
               *range = "{\"ok\": false, \"code\": \"range\", \"why\": \"\"}\n";
    expect_order(&s, done, "{\"do\": \"gpu2.power-limit set 200.500 W\"}\n", "nvmlDeviceSetPowerManagementLimit",
                 200500, 0, NVML_SUCCESS);
    expect_order(&s, range, "{\"do\": \"gpu2.power-limit set 9.000 W\"}\n", "nvmlDeviceSetPowerManagementLimit", 9000,
                 0, NVML_ERROR_INVALID_ARGUMENT);
    expect_order(&s, done, "{\"do\": \"gpu2.clock-lock set 210 MHz 1500 MHz\"}\n", "nvmlDeviceSetGpuLockedClocks",
                 210, 1500, NVML_SUCCESS);
    expect_order(&s, done, "{\"do\": \"gpu2.fan set 60 %\"}\n", "nvmlDeviceSetFanSpeed_v2", 0, 60, NVML_SUCCESS);
    expect_order(&s, done, "{\"do\": \"gpu2.fan returns\"}\n", "nvmlDeviceSetDefaultFanSpeed_v2", 1, 0, NVML_SUCCESS);
    expect_order(&s, "{\"ok\": false, \"code\": \"read-only\"}\n", "{\"do\": \"gpu2.persistence set off\"}\n",
                 "nvmlDeviceSetPersistenceMode", 0, 0, NVML_ERROR_NO_PERMISSION);
    close(s.socket);
    unlink(to.sun_path);
}

static void *publish_xid(void *unused)
{
    moment.card[2].now.xid = 79;
    moment.card[2].now.lost = 1;
    wsk_twin_publish(writer, &moment);
    return unused;
}

static void wait_for_an_event(void **state)
{
    nvmlEventSet_t set;
    nvmlEventData_t data = {0};
    pthread_t thread;
    struct timespec before, after;
    (void)state;
    const nvmlDevice_t d = card(1);
    assert_int_equal(CALL(nvmlEventSetCreate, AT(&set)), NVML_SUCCESS);
    assert_int_equal(CALL(nvmlDeviceRegisterEvents, AT(d), 0x100000, AT(set)), NVML_ERROR_NOT_SUPPORTED);
    assert_int_equal(CALL(nvmlDeviceRegisterEvents, AT(d), NVML_EVENT_XID, AT(set)), NVML_SUCCESS);
    clock_gettime(CLOCK_MONOTONIC, &before);
    assert_int_equal(CALL(nvmlEventSetWait_v2, AT(set), AT(&data), 50), NVML_ERROR_TIMEOUT);
    clock_gettime(CLOCK_MONOTONIC, &after);
    assert_true((after.tv_sec - before.tv_sec) * 1000 + (after.tv_nsec - before.tv_nsec) / 1000000 >= 49);
    pthread_create(&thread, NULL, publish_xid, NULL);
    nvmlReturn_t rc;
    while ((rc = CALL(nvmlEventSetWait_v2, AT(set), AT(&data), 1000)) == NVML_ERROR_TIMEOUT)
        ;
    pthread_join(thread, NULL);
    assert_true(rc == NVML_SUCCESS && data.device == d && data.eventType == NVML_EVENT_XID && data.eventData == 79);
    assert_int_equal(CALL(nvmlEventSetWait_v2, AT(set), AT(&data), 0), NVML_ERROR_TIMEOUT);
    assert_int_equal(CALL(nvmlEventSetFree, AT(set)), NVML_SUCCESS);
}

static void kill_the_writer(void **state)
{
    int ready[2];
    char byte;
    unsigned n;
    (void)state;
    fill_moment(&moment);
    assert_int_equal(pipe(ready), 0);
    const pid_t child = fork();
    if (child == 0) {
        if (wsk_twin_create(&writer, NULL) == WSK_TWIN_OK) {
            wsk_twin_publish(writer, &moment);
            for (ssize_t told = write(ready[1], "x", 1); told == 1;)
                nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL), wsk_twin_beat(writer);
        }
        _exit(1);
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    assert_int_equal(CALL(nvmlInit_v2, 0), NVML_SUCCESS);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    nvmlReturn_t rc; /* the loop ends when the writer has been silent for WSK_TWIN_SILENCE_MS */
    while ((rc = CALL(nvmlDeviceGetCount_v2, AT(&n))) == NVML_SUCCESS)
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    assert_int_equal(rc, NVML_ERROR_GPU_IS_LOST);
    assert_int_equal(CALL(nvmlShutdown, 0), NVML_SUCCESS);
    assert_int_equal(CALL(nvmlInit_v2, 0), NVML_ERROR_DRIVER_NOT_LOADED);
    assert_int_equal(wsk_twin_create(&writer, NULL), WSK_TWIN_OK);
    wsk_twin_close(writer);
    close(ready[0]);
    close(ready[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(call_before_init),
        cmocka_unit_test_setup_teardown(call_with_anything, publish_ours, close_ours),
        cmocka_unit_test_setup_teardown(call_from_threads, publish_ours, close_ours),
        cmocka_unit_test_setup_teardown(read_values, publish_ours, close_ours),
        cmocka_unit_test_setup_teardown(thresholds_count_as_the_margin_does, publish_ours, close_ours),
        cmocka_unit_test_setup_teardown(lose_a_card, publish_ours, close_ours),
        cmocka_unit_test_setup_teardown(count_users, publish_ours, close_ours),
        cmocka_unit_test_setup_teardown(steer, publish_ours, close_ours),
        cmocka_unit_test_setup_teardown(wait_for_an_event, publish_ours, close_ours),
        cmocka_unit_test(kill_the_writer),
    };
    char path[512];
    const char *build = getenv("BUILD");
    snprintf(path, sizeof path, "%s/twin/libnvidia-ml.so.1", build ? build : "build");
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    for (int i = 0; i < FUNCTIONS; i++) {
        void *symbol = dlsym(library, functions[i].name);
        if (!symbol) {
            fprintf(stderr, "%s is not exported\n", functions[i].name);
            return 1;
        }
        memcpy(&at[i], &symbol, sizeof symbol);
    }
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    dlclose(library);
    return failed;
}
