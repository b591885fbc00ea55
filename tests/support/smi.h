/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Publishes the data of a twin (simulated cards that other programs see as real ones) without a simulation, and
 * captures the output of `wattsink smi` about these data. */
#ifndef WSK_TESTS_SMI_H
#define WSK_TESTS_SMI_H
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "cli/kit/cli.h"
#include "twin/identity.h"
#include "twin/segment.h"

/* Most quantities get different numbers, so that a test notices a mixed-up column. */
static inline void smi_card(wsk_twin_card *c, const char *part, int index)
{
    *c = (wsk_twin_card){.fixed = {.bus = index + 1, .minor = index, .pcie_gen = 4, .pcie_lanes = 16},
                         .now = {.persistence = 1, .pcie_gen_now = 3, .pcie_lanes_now = 8, .pcie_tx_kbs = 5000}};
    wsk_twin_fixed *f = &c->fixed;
    wsk_twin_now *n = &c->now;
    snprintf(f->id, sizeof f->id, "gpu%d", index);
    snprintf(f->part, sizeof f->part, "%s", part);
    snprintf(f->uuid, sizeof f->uuid, "GPU-00000000-0000-8000-8000-00000000000%d", index);
    snprintf(f->bus_id, sizeof f->bus_id, "00000000:%02X:00.0", (unsigned)f->bus);
    assert_true(wsk_twin_identify(f));
    f->limit_min_mw = 150000, f->limit_default_mw = 320000, f->limit_max_mw = 400000;
    f->clock_min_mhz = 210, f->clock_max_mhz = 1980, f->clock_step_mhz = 15, f->memory_clock_max_mhz = 2619;
    f->target_c = 87, f->slowdown_c = 89, f->shutdown_c = 95, f->memory_max_c = 105;
    f->fans = f->ecc ? 0 : 2;
    n->die_c = 61 + index, n->memory_c = 71, n->hotspot_c = 75;
    n->power_mw = 251250, n->power_mean_mw = 251250, n->power_instant_mw = 260500;
    n->limit_mw = n->enforced_limit_mw = 300000;
    n->clock_mhz = 1725, n->memory_clock_mhz = 2600, n->video_clock_mhz = 1500;
    n->fan_percent[0] = n->fan_percent[1] = 43;
    n->gpu_percent = 97, n->memory_percent = 41, n->pcie_rx_kbs = 7000, n->pstate = 2;
    n->reasons = WSK_REASON_POWER_CAP, n->held_power_ns = 12345678000, n->memory_used_bytes = (int64_t)5000 << 20;
    n->process[0] =
        (wsk_twin_process){.name = "training", .pid = 4194400, .sm_percent = 97, .memory_bytes = (int64_t)4096 << 20};
}

static inline wsk_twin_moment *smi_moment(const char *driver, int32_t cuda)
{
    wsk_twin_moment *m = calloc(1, sizeof *m);
    assert_non_null(m);
    m->utc_ns = 1795435200250000000;
    m->cuda = cuda;
    snprintf(m->driver, sizeof m->driver, "%s", driver);
    return m;
}

static inline wsk_twin_moment *one_card(const char *part)
{
    wsk_twin_moment *m = smi_moment("590.48.01", 13010);
    smi_card(&m->card[0], part, 0);
    m->count = 1;
    return m;
}

/* Returns the standard output of `wattsink smi ARG...` while the twin shows `m`. `args` ends with NULL. The caller
 * frees the text. */
static inline char *smi_says(const wsk_twin_moment *m, int *code, const char *const *args)
{
    char name[32], file[64];
    const char *argv[24] = {"smi", "--twin", name};
    int argc = 3;
    size_t len;
    wsk_twin_writer *w;
    snprintf(name, sizeof name, "smi-%ld", (long)getpid());
    snprintf(file, sizeof file, "/tmp/wattsink-smi-%ld.out", (long)getpid());
    for (; args[argc - 3]; argc++)
        argv[argc] = args[argc - 3];
    if (argc > 3 && (strcmp(args[0], "dmon") == 0 || strcmp(args[0], "pmon") == 0)) /* a subcommand comes first */
        argv[1] = args[0], argv[2] = "--twin", argv[3] = name;
    assert_int_equal(wsk_twin_create(&w, name), WSK_TWIN_OK);
    wsk_twin_publish(w, m);
    fflush(stdout);
    const int old = dup(STDOUT_FILENO), out = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(old >= 0 && out >= 0 && dup2(out, STDOUT_FILENO) >= 0);
    *code = wsk_cli_smi.run(argc, (char **)(uintptr_t)argv);
    fflush(stdout);
    assert_true(dup2(old, STDOUT_FILENO) >= 0);
    close(old), close(out);
    wsk_twin_close(w);
    char *text = wsk_cli_read(file, &len);
    unlink(file);
    assert_non_null(text);
    return text;
}
#define SMI_SAYS(m, code, ...) smi_says(m, code, (const char *const[]){__VA_ARGS__, NULL})

/* Exit code of `wattsink smi ARG...` while the twin shows `m`, without an output file of its own. */
static inline int code_of(const wsk_twin_moment *m, const char *const *args)
{
    char name[32];
    const char *argv[24] = {"smi", "--twin", name};
    int argc = 3;
    wsk_twin_writer *w;
    snprintf(name, sizeof name, "smi-%ld", (long)getpid());
    for (; args[argc - 3]; argc++)
        argv[argc] = args[argc - 3];
    assert_int_equal(wsk_twin_create(&w, name), WSK_TWIN_OK);
    wsk_twin_publish(w, m);
    const int code = wsk_cli_smi.run(argc, (char **)(uintptr_t)argv);
    wsk_twin_close(w);
    return code;
}
#define CODE_OF(m, ...) code_of(m, (const char *const[]){__VA_ARGS__, NULL})

static inline void check_line(const char *text, const char *line)
{
    if (!strstr(text, line))
        fail_msg("no line \"%s\" in:\n%.2500s", line, text);
}
#endif
