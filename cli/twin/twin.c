/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command `wattsink twin`: starts a twin and runs it until a signal ends it. */
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/twin/live.h"

typedef struct {
    wsk_cli_rig_options rig;
    const char *speed, *name, *seed;
    bool quiet;
} settings;

/* ---- starting ---- */

static bool read_speed(const char *text, double *out)
{
    const char *end;
    *out = 1;
    if (!text)
        return true;
    if (strcmp(text, "max") == 0) {
        *out = INFINITY;
        return true;
    }
    if (wsk_parse_number(text, &end, out) && !*end && *out > 0 && *out <= 1e6)
        return true;
    wsk_cli_usage(&wsk_cli_twin, T_("--speed takes a number up to 1000000, such as 60, or max, not '%s'"), text);
    return false;
}

static bool open_segment(wsk_live *live, const char *name)
{
    const wsk_twin_status status = wsk_twin_create(&live->writer, name);
    if (status == WSK_TWIN_OK)
        return true;
    if (status == WSK_TWIN_TAKEN)
        wsk_cli_error(T_("a twin named '%s' is running already; --name OTHER starts a second one"),
                      wsk_twin_name(name));
    else
        wsk_cli_error(T_("no shared memory for the twin: %s"), T_(strerror(errno)));
    return false;
}

/* Fills `live` for the rig; live->rig is loaded. */
static int start(wsk_live *live, const settings *set)
{
    /* A hundred years, the most that a run can last: a twin has no end. */
    const wsk_run_options options = {.duration_s = 3.15e9, .step_s = WSK_LIVE_STEP_S, .no_series = true};
    const wsk_status status = wsk_run_new(&live->run, live->rig, &options);
    if (status != WSK_OK) {
        char *why = wsk_cli_why(live->run, (int)status);
        wsk_cli_error("%s", why);
        free(why);
        return (int)status;
    }
    if (!wsk_live_fix(live))
        return WSK_EINPUT;
    live->utc_ns = wsk_live_date(live, (int64_t)time(NULL) * WSK_NS);
    live->moment.writer_pid = getpid();
    live->moment.cuda = 13010; /* the newest driver of docs/twin.md */
    snprintf(live->moment.driver, sizeof live->moment.driver, "590.48.01");
    if (!open_segment(live, set->name))
        return WSK_ERUN;
    wsk_live_sample_cards(live);
    live->anchor_real_s = wsk_clock();
    wsk_live_publish(live);
    return WSK_OK;
}

/* Says what runs, and what to type next. */
static void greet(const wsk_live *live, const settings *set)
{
    const char *name = wsk_twin_name(set->name);
    char *speed = isinf(live->speed) ? wsk_cli_format(T_("as fast as it goes"))
                                     : wsk_cli_format(T_("%g times as fast as real time"), live->speed);
    wsk_cli_say(stderr, T_("%s: %d cards, %s. Ctrl-C ends it.\n"), wsk_rig_name(live->rig), live->moment.count,
                speed);
    if (strcmp(name, "twin") != 0)
        wsk_cli_say(stderr, T_("In another terminal, first: export WATTSINK_TWIN=%s\n"), name);
    free(speed);
}

/* ---- running ---- */

/* Waits for `ms`, or until a signal comes. */
static void wait_ms(int ms)
{
    (void)poll(NULL, 0, ms);
}

static int run(wsk_live *live)
{
    double due = wsk_clock();
    wsk_status status = WSK_OK;
    while (!wsk_cli_interrupted() && status == WSK_OK && wsk_run_time(live->run) < wsk_run_duration(live->run)) {
        status = wsk_live_follow(live);
        wsk_live_publish(live);
        const double now = wsk_clock(), period = WSK_LIVE_MS * 1e-3;
        due = due + period > now ? due + period : now; /* late: the missed moments are left out */
        wait_ms(isinf(live->speed) ? 0 : (int)ceil(1e3 * (due - now)));
    }
    if (status == WSK_OK)
        return WSK_OK;
    char *why = wsk_cli_why(live->run, (int)status);
    wsk_cli_error(T_("the twin stops: %s"), why);
    free(why);
    return (int)status;
}

static int twin(const char *path, const settings *set, wsk_live *live)
{
    int code = WSK_OK;
    live->rig = wsk_cli_load(path, &set->rig, set->quiet ? 0 : 1, &code);
    if (!live->rig)
        return code;
    wsk_cli_catch_interrupts();
    code = start(live, set);
    if (code == WSK_OK) {
        if (!set->quiet)
            greet(live, set);
        code = run(live);
    }
    return code;
}

static int main_twin(int argc, char **argv)
{
    settings set = {.speed = NULL};
    wsk_cli_list words = {0};
    const wsk_cli_option options[] = {{.name = "speed", .value = &set.speed},
                                      {.name = "name", .value = &set.name},
                                      {.name = "quiet", .letter = 'q', .flag = &set.quiet},
                                      WSK_CLI_RIG_OPTIONS(set.rig),
                                      {.name = NULL}};
    double speed;
    int code = wsk_cli_parse(&wsk_cli_twin, argc, argv, options, &words);
    if (code != WSK_OK) {
        code = code < 0 ? WSK_OK : code;
    } else if (words.count != 1) {
        code = wsk_cli_one_rig(&wsk_cli_twin, &words);
    } else if (!read_speed(set.speed, &speed)) {
        code = WSK_EUSAGE;
    } else if (!wsk_twin_name(set.name)) {
        code = wsk_cli_usage(&wsk_cli_twin,
                             T_("a twin's name has 1 to 40 letters, digits, dots, dashes or underscores"));
    } else {
        wsk_live *live = wsk_cli_alloc(sizeof *live);
        live->speed = speed;
        code = twin(words.items[0], &set, live);
        wsk_twin_close(live->writer);
        wsk_run_free(live->run);
        wsk_rig_free(live->rig);
        free(live);
    }
    free(set.rig.sets.items);
    free(words.items);
    return code;
}

const wsk_cli_command wsk_cli_twin = {
    .name = "twin",
    .usage = "RIG.xml [--speed N|max] [--name NAME]",
    .summary = N_("a rig that runs by the wall clock, for tools that watch and steer real GPUs"),
    .options = N_("  --speed N           simulated time per real time: 1 (default), 60, ... or max\n"
                  "  --name NAME         for several twins at a time; default: WATTSINK_TWIN, else twin\n"
                  "  --set PATH=VALUE    change a value\n"
                  "  -q, --quiet         no warnings and no greeting\n"
                  "  --parts DIR         your own parts, searched before the catalogue\n"
                  "  --data DIR          data files, instead of the rig's folder\n"
                  "docs/twin.md says what clients read.\n"),
    .example = "wattsink twin scenarios/quad-3090-blower/rig.xml --speed 60",
    .run = main_twin};
