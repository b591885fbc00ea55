/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps a server with NVIDIA cards below the current of its circuit, through NVML. It runs on real cards, and in tests
 * on a twin (docs/howto/test-a-power-capper.md).
 *
 *     cc capper.c -o capper -lnvidia-ml
 *     capper AMPS VOLTS OTHER_W EFFICIENCY [SECONDS]
 *
 * AMPS: current that the server may draw; OTHER_W: power of all its parts but the cards, W; EFFICIENCY: that of the
 * server's PSU. With SECONDS, the program runs until it is stopped and adjusts the limits at this interval; without
 * SECONDS it adjusts them once. It stores nothing, because the cards keep their limits. Exit code: 0, or 1 if a card
 * cannot be read or set. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* These declarations replace NVIDIA's <nvml.h>, so that the program builds without it. */
typedef struct nvmlDevice_st *nvmlDevice_t;
int nvmlInit_v2(void);
int nvmlShutdown(void);
const char *nvmlErrorString(int result);
int nvmlDeviceGetCount_v2(unsigned *count);
int nvmlDeviceGetHandleByIndex_v2(unsigned index, nvmlDevice_t *device);
int nvmlDeviceGetPowerUsage(nvmlDevice_t device, unsigned *mw);
int nvmlDeviceGetPowerManagementLimit(nvmlDevice_t device, unsigned *mw);
int nvmlDeviceGetPowerManagementLimitConstraints(nvmlDevice_t device, unsigned *least_mw, unsigned *most_mw);
int nvmlDeviceSetPowerManagementLimit(nvmlDevice_t device, unsigned mw);

enum { CARDS = 64 };

/* Every power limit changes by the same amount. */
static int look(double budget_w)
{
    nvmlDevice_t device[CARDS];
    unsigned count, mw, limit[CARDS], least[CARDS], most[CARDS];
    double sum_w = 0;
    int rc = nvmlDeviceGetCount_v2(&count);
    if (!rc && count > CARDS)
        count = CARDS;
    for (unsigned i = 0; i < count && !rc; i++) {
        if ((rc = nvmlDeviceGetHandleByIndex_v2(i, &device[i])) || (rc = nvmlDeviceGetPowerUsage(device[i], &mw)) ||
            (rc = nvmlDeviceGetPowerManagementLimit(device[i], &limit[i])) ||
            (rc = nvmlDeviceGetPowerManagementLimitConstraints(device[i], &least[i], &most[i])))
            break;
        sum_w += mw * 1e-3;
    }
    for (unsigned i = 0; i < count && !rc; i++) {
        const double wanted = limit[i] + 1e3 * (budget_w - sum_w) / count;
        const unsigned next = wanted < least[i] ? least[i] : wanted > most[i] ? most[i] : (unsigned)wanted;
        if (next != limit[i])
            rc = nvmlDeviceSetPowerManagementLimit(device[i], next);
    }
    if (rc)
        fprintf(stderr, "capper: %s\n", nvmlErrorString(rc));
    return rc;
}

int main(int argc, char **argv)
{
    if (argc < 5) {
        fprintf(stderr, "usage: capper AMPS VOLTS OTHER_W EFFICIENCY [SECONDS]\n");
        return 2;
    }
    /* The PSU delivers AMPS x VOLTS x EFFICIENCY, of which OTHER_W does not go to the cards. */
    const double budget_w = atof(argv[1]) * atof(argv[2]) * atof(argv[4]) - atof(argv[3]);
    int rc = nvmlInit_v2();
    if (rc) {
        fprintf(stderr, "capper: %s\n", nvmlErrorString(rc));
        return 1;
    }
    while (!(rc = look(budget_w)) && argc > 5)
        nanosleep(&(struct timespec){.tv_sec = atoi(argv[5])}, NULL);
    nvmlShutdown();
    return rc ? 1 : 0;
}
