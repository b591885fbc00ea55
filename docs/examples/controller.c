/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Closed-loop control: keeps a machine's wall power at a budget by setting its cards' power limits, as a management
 * processor or an operator's script does through nvidia-smi.
 *
 *     cc controller.c $(pkg-config --cflags --libs wattsink) -o controller
 *     ./controller RIG.xml WATTS [PARTS-FOLDER] */
#include <stdio.h>
#include <stdlib.h>

#include <wattsink.h>

enum { PERIOD_S = 10, STEP_W = 10, CARDS = 64 };

typedef struct {
    int count;
    double limit_w[CARDS];
} cards;

/* Finds the cards by their default ids gpu0, gpu1, ...; if the rig gives its cards other ids, change the name
 * below. */
static void find_cards(cards *all, const wsk_run *run)
{
    char name[32];
    for (all->count = 0; all->count < CARDS; all->count++) {
        snprintf(name, sizeof name, "gpu%d.power_w", all->count);
        if (wsk_run_get(run, name, &all->limit_w[all->count]) != WSK_OK)
            return;
    }
}

/* Changes every card's limit by the same number of watts. A limit outside the card's range is refused, and the card
 * keeps its old limit. */
static void move_limits(cards *all, wsk_run *run, double by_w)
{
    char name[32];
    for (int i = 0; i < all->count; i++) {
        snprintf(name, sizeof name, "gpu%d.power_limit_w", i);
        if (wsk_run_set(run, name, all->limit_w[i] + by_w) == WSK_OK)
            all->limit_w[i] += by_w;
    }
}

static wsk_status control(wsk_run *run, double budget_w)
{
    cards all;
    wsk_status status = wsk_run_advance(run, PERIOD_S);
    find_cards(&all, run);
    while (status == WSK_OK && wsk_run_time(run) < wsk_run_duration(run)) {
        double wall_w = 0;
        wsk_run_get(run, "wall_w", &wall_w);
        /* Integral controller. It corrects half of the error per period, because a watt less at a card saves more
         * than a watt at the wall. A step is at most STEP_W, so that a card's limit stops near the end of its range
         * if the budget cannot be reached. */
        double by_w = all.count > 0 ? 0.5 * (budget_w - wall_w) / all.count : 0;
        move_limits(&all, run, by_w > STEP_W ? STEP_W : by_w < -STEP_W ? -STEP_W : by_w);
        status = wsk_run_advance(run, wsk_run_time(run) + PERIOD_S);
        if ((long)wsk_run_time(run) % 600 == 0)
            printf("%5.0f min  wall %7.1f W  limit of gpu0 %6.1f W\n", wsk_run_time(run) / 60, wall_w,
                   all.limit_w[0]);
    }
    return status;
}

int main(int argc, char **argv)
{
    char *end = NULL;
    double budget_w = argc < 3 ? 0 : strtod(argv[2], &end);
    if (argc < 3 || *end || budget_w <= 0) {
        fprintf(stderr, "usage: %s RIG.xml WATTS [PARTS-FOLDER]\n", argv[0]);
        return WSK_EUSAGE;
    }
    wsk_rig *rig = NULL;
    wsk_run *run = NULL;
    wsk_status status =
        wsk_rig_load(&rig, &(wsk_rig_options){.path = argv[1], .parts_dir = argc > 3 ? argv[3] : NULL});
    if (status == WSK_OK)
        status = wsk_run_new(&run, rig, &(wsk_run_options){.duration_s = 3600});
    if (status == WSK_OK)
        status = control(run, budget_w);
    for (size_t i = 0; rig && !run && i < wsk_rig_messages(rig); i++) {
        int severity, line, column;
        const char *file, *text;
        wsk_rig_message(rig, i, &severity, &file, &line, &column, &text);
        if (severity == 0) /* the example embed.c also prints file, line and column */
            fprintf(stderr, "%s\n", text);
    }
    if (status != WSK_OK)
        fprintf(stderr, "%s: %s\n", argv[1], run ? wsk_run_error(run) : wsk_status_text(status));
    wsk_run_free(run);
    wsk_rig_free(rig);
    return (int)status;
}
