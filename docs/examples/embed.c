/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Embeds a simulation: loads a rig, advances an hour, and reads variables on the way.
 *
 *     cc embed.c $(pkg-config --cflags --libs wattsink) -o embed
 *     ./embed RIG.xml [PARTS-FOLDER] */
#include <stdio.h>

#include <wattsink.h>

static void print_messages(const wsk_rig *rig)
{
    for (size_t i = 0; i < wsk_rig_messages(rig); i++) {
        int severity, line, column;
        const char *file, *text;
        wsk_rig_message(rig, i, &severity, &file, &line, &column, &text);
        if (severity == 0 && line > 0) /* severity 0 is an error, 1 a warning, 2 advice */
            fprintf(stderr, "%s:%d:%d: %s\n", file, line, column, text);
        else if (severity == 0)
            fprintf(stderr, "%s%s%s\n", file ? file : "", file ? ": " : "", text);
    }
}

static wsk_status simulate(const wsk_rig *rig)
{
    wsk_run *run = NULL;
    wsk_status status = wsk_run_new(&run, rig, &(wsk_run_options){.duration_s = 3600, .step_s = 1});
    printf("%6s  %6s  %6s  %6s\n", "t, min", "die, C", "card W", "wall W");
    for (double t = 0; status == WSK_OK && t < wsk_run_duration(run);) {
        t += 600;
        status = wsk_run_advance(run, t);
        double die_c = 0, card_w = 0, wall_w = 0;
        /* The names of variables are those of the columns of series.csv; wsk_run_variable lists them with units. */
        if (status == WSK_OK && wsk_run_get(run, "gpu0.die_c", &die_c) == WSK_OK &&
            wsk_run_get(run, "gpu0.power_w", &card_w) == WSK_OK && wsk_run_get(run, "wall_w", &wall_w) == WSK_OK)
            printf("%6.0f  %6.1f  %6.1f  %6.1f\n", wsk_run_time(run) / 60, die_c, card_w, wall_w);
    }
    if (status == WSK_ENUMERIC)
        fprintf(stderr, "%s\n", wsk_run_error(run));
    char *summary = NULL;
    if (status == WSK_OK && wsk_run_summary_text(run, &summary) == WSK_OK)
        printf("\n%s", summary);
    wsk_text_free(summary);
    wsk_run_free(run); /* the run refers to the rig, so the run is freed first */
    return status;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: %s RIG.xml [PARTS-FOLDER]\n", argv[0]);
        return WSK_EUSAGE;
    }
    wsk_rig *rig = NULL;
    wsk_status status =
        wsk_rig_load(&rig, &(wsk_rig_options){.path = argv[1], .parts_dir = argc > 2 ? argv[2] : NULL});
    if (status == WSK_OK) {
        printf("%s, wattsink %s\n\n", wsk_rig_name(rig), wsk_version());
        status = simulate(rig);
    } else {
        print_messages(rig); /* after a failed load, the rig contains the error messages */
        fprintf(stderr, "%s: %s\n", argv[1], wsk_status_text(status));
    }
    wsk_rig_free(rig);
    return (int)status;
}
