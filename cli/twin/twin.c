/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/twin/answer.h"
#include "cli/twin/backfill.h"
#include "cli/twin/client.h"
#include "cli/twin/door.h"
#include "cli/twin/server.h"

typedef struct {
    wsk_cli_rig_options rig;
    wsk_client_questions questions;
    const char *speed, *name, *seed, *listen, *token, *backfill, *every, *duration;
    bool quiet, writable, lockstep;
    wsk_gate_address on;
    char **command;
} settings;

/* Parts of a twin other than its run: control socket, HTTP server, client program. */
typedef struct {
    wsk_door *door;
    wsk_server *server;
    char *library; /* folder of the replacement for NVIDIA's library; NULL: not built */
    pid_t client;
    int code;       /* exit code of the client program, once it has ended */
    bool more;      /* true: requests are waiting */
    double asked_s; /* wsk_clock() of the last traffic on the control socket */
} company;

/* Start date in lockstep if the rig states none: 2026-01-01T00:00:00 UTC. */
static const int64_t LOCKSTEP_UTC_S = INT64_C(1767225600);

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

static bool read_listen(settings *set)
{
    if (!set->listen)
        return true;
    if (!wsk_gate_listen(set->listen, &set->on))
        wsk_cli_usage(&wsk_cli_twin, T_("--listen takes an address and a port, such as 127.0.0.1:9400, not '%s'"),
                      set->listen);
    else if (!set->on.loopback && !set->token)
        wsk_cli_usage(&wsk_cli_twin, T_("--listen %s can be reached from other machines: it needs --token FILE"),
                      set->listen);
    else
        return true;
    return false;
}

static bool read_seed(const char *text, uint64_t *out)
{
    const char *end;
    double seed = 1;
    if (text && (!wsk_parse_number(text, &end, &seed) || *end || seed < 0 || seed > 9e15 || seed > floor(seed))) {
        wsk_cli_usage(&wsk_cli_twin, T_("--seed takes a whole number, not '%s'"), text);
        return false;
    }
    *out = (uint64_t)seed;
    return true;
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

/* Starts the run of live->rig, which must be loaded, and sets the twin's date and cards. Returns the exit code. */
static int start_run(wsk_live *live, const settings *set)
{
    /* A twin without --backfill runs until it is stopped: 3.15e9 s are about a hundred years. */
    const double duration_s = set->backfill ? wsk_rig_duration(live->rig) : 3.15e9;
    wsk_run_options options = {.duration_s = duration_s, .step_s = WSK_LIVE_STEP_S, .no_series = true, .ready = true};
    if (!read_seed(set->seed, &options.seed))
        return WSK_EUSAGE;
    live->seed = options.seed;
    const wsk_status status = wsk_run_new(&live->run, live->rig, &options);
    if (status != WSK_OK) {
        char *why = wsk_cli_why(live->run, (int)status);
        wsk_cli_error("%s", why);
        free(why);
        return (int)status;
    }
    if (!wsk_live_fix(live))
        return WSK_EINPUT;
    /* Start of a run if the rig states none: in lockstep a fixed date, because nothing may depend on the real time;
     * with --backfill a date from which the run ends now; else now. */
    const int64_t begun_s = set->backfill ? (int64_t)time(NULL) - (int64_t)duration_s : (int64_t)time(NULL);
    live->utc_ns = wsk_live_date(live, (set->lockstep ? LOCKSTEP_UTC_S : begun_s) * WSK_NS);
    live->writable = set->writable;
    live->lockstep = set->lockstep;
    live->moment.writer_pid = getpid();
    live->moment.cuda = 13010; /* CUDA 13.1, that of the newest driver in docs/twin.md */
    snprintf(live->moment.driver, sizeof live->moment.driver, "590.48.01");
    return WSK_OK;
}

static int start(wsk_live *live, company *with, const settings *set)
{
    const char *name = wsk_twin_name(set->name);
    int code = start_run(live, set);
    if (code != WSK_OK)
        return code;
    with->library = wsk_client_library();
    if (set->command && !with->library) {
        wsk_cli_error(T_("the stand-in for NVIDIA's library is not there: libnvidia-ml.so.1"));
        return WSK_ERUN;
    }
    if (!open_segment(live, name) || !(with->door = wsk_door_open(name, wsk_live_answer, live)))
        return WSK_ERUN;
    snprintf(live->moment.socket, sizeof live->moment.socket, "%s", wsk_door_path(with->door));
    const wsk_served served = {
        .moment = &live->moment, .run = live->run, .rig = live->elements, .answer = wsk_live_answer, .to = live};
    if (set->listen && (code = wsk_server_start(&with->server, &set->on, set->token, &served)) != WSK_OK)
        return code;
    wsk_live_sample_cards(live);
    wsk_live_set_speed(live, live->speed);
    wsk_live_publish(live);
    if (set->command && (with->client = wsk_client_start(set->command, with->library, name)) < 0)
        return WSK_ERUN;
    return WSK_OK;
}

static void greet(const wsk_live *live, const company *with, const settings *set)
{
    const char *name = wsk_twin_name(set->name);
    char *speed = live->lockstep       ? wsk_cli_format(T_("time passes by \"advance_s\" alone"))
                  : isinf(live->speed) ? wsk_cli_format(T_("as fast as it goes"))
                  : live->speed > 1 || live->speed < 1
                      ? wsk_cli_format(T_("%g times as fast as real time"), live->speed)
                      : wsk_cli_format(T_("in real time"));
    wsk_cli_say(stderr, T_("%1$s, cards: %2$d, %3$s. Ctrl-C ends it. In another terminal:\n"),
                wsk_rig_name(live->rig), live->moment.count, speed);
    if (strcmp(name, "twin") != 0)
        wsk_cli_say(stderr, "    export WATTSINK_TWIN=%s\n", name);
    wsk_cli_say(stderr, "    wattsink twin --read %s.power_w\n", live->moment.card[0].fixed.id);
    if (live->writable)
        wsk_cli_say(stderr, "    wattsink twin --do '%s.power-limit set %.0f W'\n", live->moment.card[0].fixed.id,
                    ceil(live->moment.card[0].fixed.limit_min_mw * 1e-3));
    if (with->server)
        wsk_cli_say(stderr, T_("Page: %1$s  metrics: %1$smetrics\n"), wsk_server_url(with->server));
    if (with->library)
        wsk_cli_say(stderr, "    LD_LIBRARY_PATH=%s nvtop\n", with->library);
    free(speed);
}

static volatile sig_atomic_t caught; /* last signal that asked the twin to end; 0: no signal */

static void on_end(int number)
{
    caught = number;
}

static void on_child(int number)
{
    (void)number; /* the signal itself ends poll(); nothing else is needed */
}

static void catch_signals(void)
{
    struct sigaction end = {.sa_handler = on_end}, child = {.sa_handler = on_child}, old;
    sigemptyset(&end.sa_mask);
    sigemptyset(&child.sa_mask);
    sigaction(SIGCHLD, &child, NULL);
    sigaction(SIGINT, &end, NULL);
    sigaction(SIGTERM, &end, NULL);
    if (sigaction(SIGHUP, NULL, &old) == 0 && old.sa_handler != SIG_IGN) /* nohup ignores SIGHUP */
        sigaction(SIGHUP, &end, NULL);
}

/* True until the twin should end. A twin with a client ends with the client. The twin passes signals on to the
 * client, except SIGINT, which a terminal sends to both. */
static bool goes_on(const wsk_live *live, company *with)
{
    if (with->client > 0 && wsk_client_ended(with->client, &with->code)) {
        with->client = 0;
        return false;
    }
    if (with->client > 0 && caught) {
        if (caught != SIGINT)
            kill(with->client, caught);
        caught = 0;
    }
    return !caught && live->status == WSK_OK && wsk_run_time(live->run) < wsk_run_duration(live->run);
}

static int wait_ms(const company *with, double due)
{
    const double left_s = due - wsk_clock();
    /* Rounded up: a timeout of 0 ms would loop without sleeping for the last fraction of a millisecond. */
    const int left_ms = left_s > 0 && !with->more ? (int)ceil(1e3 * left_s) : 0;
    const int server_ms = with->server ? wsk_server_wait(with->server) : left_ms;
    return server_ms < left_ms ? server_ms : left_ms;
}

static void serve(company *with, double due)
{
    struct pollfd polls[WSK_DOOR_POLLS + 1];
    const size_t door = wsk_door_polls(with->door, polls);
    bool asked = false;
    if (with->server)
        polls[door] = (struct pollfd){.fd = wsk_server_fd(with->server), .events = POLLIN};
    const int ready = poll(polls, (nfds_t)door + (with->server != NULL), wait_ms(with, due));
    for (size_t i = 0; ready > 0 && i < door; i++)
        asked = asked || polls[i].revents;
    if (asked)
        with->asked_s = wsk_clock();
    /* The control socket is served if a request has arrived or is waiting, or if a client is connected, because its
     * time limit may have passed. */
    if (asked || (ready >= 0 && (door > 1 || with->more)))
        with->more = wsk_door_serve(with->door);
    if (with->server && ((ready > 0 && polls[door].revents) || wsk_server_wait(with->server) == 0))
        wsk_server_run(with->server);
}

/* Number of moments (published states) to compute at once. It is 1 for 2 s after each request, while a page is open, or
 * if the twin is faster than real time, so that clients find the run at the present time; else WSK_LIVE_AHEAD. */
static int count_ahead(const wsk_live *live, const company *with)
{
    const double pause_s = 2;
    const bool quick = live->speed > 1 || (with->server && wsk_server_watched(with->server));
    return quick || wsk_clock() - with->asked_s < pause_s ? 1 : WSK_LIVE_AHEAD;
}

/* Computes the moments (published states) from the time `due` of wsk_clock on; in lockstep none. Readers see the first
 * at once, and each further one from its own time on. Returns the time of the next moment to compute. */
static double show_moments(wsk_live *live, company *with, double due)
{
    const double period_s = WSK_LIVE_MS * 1e-3;
    const int count = live->lockstep ? 0 : count_ahead(live, with);
    for (int i = 0; i < count && live->status == WSK_OK; i++) {
        live->status = wsk_live_follow(live, due + i * period_s);
        wsk_live_publish_due(live, i ? due + i * period_s : 0);
    }
    if (live->lockstep)
        wsk_twin_beat(live->writer);
    if (with->server)
        wsk_server_show(with->server);
    if (isinf(live->speed))
        return wsk_clock();
    due += wsk_max(count, 1) * period_s;
    return due + wsk_max(floor((wsk_clock() - due) / period_s), 0) * period_s; /* skips missed moments */
}

static int run(wsk_live *live, company *with)
{
    double due = wsk_clock();
    with->asked_s = -INFINITY;
    while (goes_on(live, with)) {
        if (wsk_clock() >= due)
            due = show_moments(live, with, due);
        serve(with, due);
    }
    if (live->status == WSK_OK)
        return with->code;
    char *why = wsk_cli_why(live->run, (int)live->status);
    wsk_cli_error(T_("the twin stops: %s"), why);
    free(why);
    return (int)live->status;
}

static void end_client(pid_t client)
{
    int code;
    kill(client, SIGTERM);
    while (!wsk_client_ended(client, &code))
        (void)poll(NULL, 0, WSK_LIVE_MS);
}

static int backfill(const settings *set, wsk_live *live)
{
    double every_s = 60; /* the interval at which Prometheus scrapes by default */
    if (set->every && (wsk_order_quantities(set->every, WSK_DIM_TIME, &every_s, 1) != 1 || !(every_s >= 1)))
        return wsk_cli_usage(&wsk_cli_twin, T_("--every takes a time of 1 s or more, such as 15s, not '%s'"),
                             set->every);
    int code = wsk_backfill_check(set->backfill);
    if (code == WSK_OK)
        code = start_run(live, set);
    if (code != WSK_OK)
        return code;
    wsk_live_sample_cards(live);
    live->speed = 1;
    return wsk_backfill(live, set->backfill, every_s);
}

static int twin(const char *path, const settings *set, wsk_live *live)
{
    int code = WSK_OK;
    company with = {.client = 0};
    live->rig = wsk_cli_load(path, &set->rig, set->quiet ? 0 : 1, &code);
    if (live->rig && set->backfill) {
        code = backfill(set, live);
    } else if (live->rig) {
        catch_signals();
        code = start(live, &with, set);
        if (code == WSK_OK) {
            if (!set->quiet && !set->command)
                greet(live, &with, set);
            code = run(live, &with);
        }
    }
    if (with.client > 0)
        end_client(with.client);
    wsk_server_stop(with.server);
    wsk_door_close(with.door);
    wsk_twin_close(live->writer);
    wsk_run_free(live->run);
    wsk_elements_free(live->elements);
    wsk_rig_free(live->rig);
    free(with.library);
    return code;
}

static int find_command(int argc, char **argv)
{
    int i = 1;
    while (i < argc && strcmp(argv[i], "--") != 0)
        i++;
    return i;
}

static int main_twin(int argc, char **argv)
{
    settings set = {.speed = NULL};
    wsk_cli_list words = {0};
    const wsk_cli_option options[] = {{.name = "speed", .value = &set.speed},
                                      {.name = "writable", .letter = 'w', .flag = &set.writable},
                                      {.name = "lockstep", .flag = &set.lockstep},
                                      {.name = "seed", .value = &set.seed},
                                      {.name = "name", .value = &set.name},
                                      {.name = "listen", .value = &set.listen},
                                      {.name = "token", .value = &set.token},
                                      {.name = "backfill", .value = &set.backfill},
                                      {.name = "every", .value = &set.every},
                                      {.name = "for", .value = &set.duration},
                                      {.name = "do", .list = &set.questions.orders},
                                      {.name = "ask", .list = &set.questions.lines},
                                      {.name = "read", .list = &set.questions.reads},
                                      {.name = "quiet", .letter = 'q', .flag = &set.quiet},
                                      WSK_CLI_RIG_OPTIONS(set.rig),
                                      {.name = NULL}};
    double speed;
    const int own = find_command(argc, argv);
    int code = wsk_cli_parse(&wsk_cli_twin, own, argv, options, &words);
    set.command = own < argc ? argv + own + 1 : NULL;
    const bool asks = set.questions.orders.count || set.questions.lines.count || set.questions.reads.count;
    if (code != WSK_OK) {
        code = code < 0 ? WSK_OK : code;
    } else if (!wsk_twin_name(set.name)) {
        code = wsk_cli_usage(&wsk_cli_twin,
                             T_("a twin's name has 1 to 40 letters, digits, dots, dashes or underscores"));
    } else if (asks && (words.count || set.command)) {
        code = wsk_cli_usage(&wsk_cli_twin,
                             T_("--do, --ask and --read ask a twin that runs; they take no rig and no command"));
    } else if (asks) {
        code = wsk_client_ask(set.name, &set.questions);
    } else if (words.count != 1) {
        code = wsk_cli_one_rig(&wsk_cli_twin, &words);
    } else if (set.command && !*set.command) {
        code = wsk_cli_usage(&wsk_cli_twin, T_("which command behind --?"));
    } else if (set.lockstep && set.speed) {
        code = wsk_cli_usage(&wsk_cli_twin, T_("--lockstep has no speed: a client advances the time"));
    } else if (!set.backfill && (set.every || set.duration)) {
        code = wsk_cli_usage(&wsk_cli_twin, T_("--every and --for need --backfill"));
    } else if (set.backfill && (set.speed || set.lockstep || set.listen || set.command || set.writable)) {
        code = wsk_cli_usage(&wsk_cli_twin, T_("--backfill has no clients and no speed: leave out %s"),
                             set.speed      ? "--speed"
                             : set.lockstep ? "--lockstep"
                             : set.listen   ? "--listen"
                             : set.writable ? "--writable"
                                            : "-- COMMAND");
    } else if (set.token && !set.listen) {
        code = wsk_cli_usage(&wsk_cli_twin, T_("--token is for --listen"));
    } else if (!read_speed(set.speed, &speed) || !read_listen(&set)) {
        code = WSK_EUSAGE;
    } else {
        wsk_live *live = wsk_cli_alloc(sizeof *live);
        char *lasts = wsk_cli_set_by(&set.rig, "--for", "run.for", set.duration);
        live->speed = speed;
        code = twin(words.items[0], &set, live);
        free(lasts);
        free(live);
    }
    free(set.rig.sets.items);
    free(set.questions.orders.items);
    free(set.questions.lines.items);
    free(set.questions.reads.items);
    free(words.items);
    return code;
}

const wsk_cli_command wsk_cli_twin = {
    .name = "twin",
    .usage = "RIG.xml [--speed N|max] [--writable] [--listen 127.0.0.1:PORT] [-- COMMAND ARGS]",
    .summary = N_("a rig that runs by the wall clock, for tools that watch and steer real GPUs"),
    .options = N_(
        "  --speed N           simulated time per real time: 1 (default), 60, ... or max\n"
        "  -w, --writable      clients may steer: limits, clocks, fans, jobs, failures\n"
        "  --lockstep          time passes only when a client advances it\n"
        "  --seed N            of failures and noise (default 1)\n"
        "  --name NAME         name of the twin, for several at a time; default: WATTSINK_TWIN, else twin\n"
        "  --listen ADDRESS    a page and metrics for Prometheus, at 127.0.0.1:9400 for instance\n"
        "  --token FILE        password of visitors, the first line of FILE; required for an address that others "
        "reach\n"
        "  --backfill FILE     write the metrics of the whole run with their times, for promtool, and end\n"
        "  --every 1min        time between two samples of --backfill\n"
        "  --for 7d            how long to simulate for --backfill, instead of what the rig says\n"
        "  --do TEXT           send an order to the running twin, such as 'gpu0.power-limit set 200 W'; takes no "
        "rig\n"
        "  --ask JSON          send a request to the running twin and print the answer: '{\"advance_s\": 1}'\n"
        "  --read NAME         print a value of the running twin, such as gpu0.power_w; takes no rig\n"
        "  --set PATH=VALUE    change a value\n"
        "  -q, --quiet         no warnings and no greeting\n"
        "  --parts DIR         your own parts, searched before the catalogue\n"
        "  --data DIR          data files, instead of the rig's folder\n"
        "With a COMMAND the twin runs it as a client, with the stand-in for NVIDIA's library, and ends with it and\n"
        "its exit code. docs/twin.md says what clients read and may ask.\n"),
    .example = "wattsink twin scenarios/quad-3090-blower/rig.xml -- wattsink smi",
    .run = main_twin};
