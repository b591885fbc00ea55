/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "cli/run/watch.h"

static const double FRAME_S = 0.1;
/* Approximate real time of a whole run at the initial speed, s. */
static const double SHOW_S = 20;
/* Escape sequences. ENTER: alternate screen, cursor hidden, screen cleared; LEAVE: back to the normal screen. */
static const char ENTER[] = "\x1b[?1049h\x1b[?25l\x1b[2J", LEAVE[] = "\x1b[0m\x1b[?25h\x1b[?1049l";

struct wsk_watch {
    wsk_watch_page page;
    int keys;
    bool opened;                  /* true: this program has opened `keys` and closes it */
    int rung;                     /* index of the chosen speed in `ladder` */
    double anchor_s, anchor_real; /* simulated and real time, s, from which the chosen speed is kept */
    double drawn_real;            /* real time at which the page was drawn last, s */
    double seen_s, seen_real;     /* simulated and real time, s, from which the actual speed is measured */
};

/* The speeds to choose from, simulated seconds per real second. */
static const double ladder[] = {1,    2,    5,     10,    20,    30,    60,     120,    300,    600,     1200,   1800,
                                3600, 7200, 14400, 28800, 43200, 86400, 172800, 432000, 864000, 2592000, 7776000};
enum { RUNGS = sizeof ladder / sizeof *ladder };

/* State needed to restore the terminal, global because signal handlers use it. */
static struct {
    volatile sig_atomic_t taken, stop;
    int keys;
    struct termios before;
} terminal;

static void put(const char *text, size_t len)
{
    while (len > 0) {
        ssize_t n = write(STDERR_FILENO, text, len);
        if (n < 0 && errno != EINTR)
            return;
        text += n > 0 ? n : 0;
        len -= n > 0 ? (size_t)n : 0;
    }
}

static void take(void)
{
    struct termios raw = terminal.before;
    raw.c_lflag &= (tcflag_t) ~(ICANON | ECHO);
    raw.c_cc[VMIN] = 0;
    raw.c_cc[VTIME] = 0;
    tcsetattr(terminal.keys, TCSADRAIN, &raw);
    put(ENTER, sizeof ENTER - 1);
    terminal.taken = 1;
}

static void give_back(void)
{
    if (!terminal.taken)
        return;
    terminal.taken = 0;
    put(LEAVE, sizeof LEAVE - 1);
    tcsetattr(terminal.keys, TCSADRAIN, &terminal.before);
}

static void on_end(int number)
{
    int saved = errno;
    give_back();
    signal(number, SIG_DFL);
    raise(number);
    errno = saved;
}

static void on_stop(int number)
{
    (void)number;
    terminal.stop = 1;
}

static const int ends[] = {SIGQUIT, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGPIPE, SIGALRM, SIGUSR1, SIGUSR2};
enum { ENDS = sizeof ends / sizeof *ends };

static void catch_signals(bool on)
{
    struct sigaction end = {.sa_handler = on ? on_end : SIG_DFL}, stop = {.sa_handler = on ? on_stop : SIG_DFL}, old;
    sigemptyset(&end.sa_mask);
    sigemptyset(&stop.sa_mask);
    for (int i = 0; i < ENDS; i++)
        if (sigaction(ends[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(ends[i], &end, NULL);
    sigaction(SIGTSTP, &stop, NULL);
}

static int open_keys(bool *opened)
{
    *opened = false;
    if (isatty(STDIN_FILENO))
        return STDIN_FILENO;
    int fd = open("/dev/tty", O_RDONLY | O_NOCTTY);
    *opened = fd >= 0;
    return fd;
}

wsk_watch *wsk_watch_open(const wsk_run *run)
{
    bool opened;
    if (!isatty(STDERR_FILENO) || wsk_cli_dumb())
        return NULL;
    int keys = open_keys(&opened);
    /* The terminal is taken only by a foreground program: one in the background would be stopped by SIGTTOU. */
    bool ours = keys >= 0 && tcgetpgrp(keys) == getpgrp() && tcgetattr(keys, &terminal.before) == 0;
    wsk_summary *summary = NULL;
    if (!ours || wsk_run_summary(&summary, run, 0) != WSK_OK) {
        if (opened)
            close(keys);
        return NULL;
    }
    wsk_watch *w = wsk_cli_alloc(sizeof *w);
    double real = wsk_clock(), at = wsk_run_time(run);
    memset(w, 0, sizeof *w);
    w->page.run = run;
    w->page.summary = summary;
    w->page.utf8 = wsk_cli_utf8();
    w->page.colour = wsk_cli_colour(STDERR_FILENO);
    w->keys = terminal.keys = keys;
    w->opened = opened;
    while (w->rung < RUNGS - 1 && ladder[w->rung] * SHOW_S * 1.25 < wsk_run_duration(run))
        w->rung++;
    w->anchor_s = w->seen_s = at;
    w->anchor_real = w->seen_real = real;
    wsk_cli_before_error = give_back;
    atexit(give_back); /* restores the terminal on exit() anywhere; a second call of give_back does nothing */
    catch_signals(true);
    take();
    return w;
}

void wsk_watch_close(wsk_watch *w)
{
    if (!w)
        return;
    give_back();
    wsk_cli_before_error = NULL;
    catch_signals(false);
    if (w->opened)
        close(w->keys);
    wsk_summary_free(w->page.summary);
    free(w);
}

static void anchor(wsk_watch *w, double real)
{
    w->anchor_s = wsk_run_time(w->page.run);
    w->anchor_real = real;
}

static void on_key(wsk_watch *w, char key, double real)
{
    switch (key) {
    case 'q':
    case 'Q':
        raise(SIGINT); /* as Ctrl-C: run.c writes a checkpoint and ends with WSK_EINTERRUPTED */
        break;
    case ' ': w->page.paused = !w->page.paused; break;
    case '+':
    case '=':
        if (w->rung < RUNGS - 1)
            w->rung++;
        break;
    case '-':
    case '_':
        if (w->page.free)
            w->page.free = false;
        else if (w->rung > 0)
            w->rung--;
        break;
    case 'f':
    case 'F': w->page.free = !w->page.free; break;
    default: return;
    }
    anchor(w, real);
}

static void read_keys(wsk_watch *w, double wait_s)
{
    struct pollfd p = {.fd = w->keys, .events = POLLIN};
    if (poll(&p, 1, wait_s > 0 ? (int)(wait_s * 1000) + 1 : 0) <= 0)
        return;
    char keys[32];
    ssize_t n = read(w->keys, keys, sizeof keys);
    double real = wsk_clock();
    /* An arrow key arrives as ESC and further characters, which are not commands. */
    for (ssize_t i = 0; i < n && keys[i] != '\x1b'; i++)
        on_key(w, keys[i], real);
    if (n <= 0 && (p.revents & (POLLHUP | POLLERR | POLLNVAL)))
        raise(SIGINT); /* the terminal is gone, so the run ends as after Ctrl-C */
}

/* Takes the summary again once the run has results, because a summary without them has no clocks. */
static void know_clocks(wsk_watch *w)
{
    wsk_summary *now = NULL;
    if (wsk_summary_number(w->page.summary, WSK_R_SIMULATED, 0) > 0 || !(wsk_run_time(w->page.run) > 0) ||
        wsk_run_summary(&now, w->page.run, 0) != WSK_OK)
        return;
    wsk_summary_free(w->page.summary);
    w->page.summary = now;
}

static void draw(wsk_watch *w, double real)
{
    wsk_watch_page *p = &w->page;
    double at = wsk_run_time(p->run), since = real - w->seen_real;
    if (since >= 1 || (p->speed <= 0 && since > 0.05)) {
        p->speed = (at - w->seen_s) / since;
        w->seen_s = at;
        w->seen_real = real;
    }
    p->asked = ladder[w->rung];
    wsk_cli_terminal_size(STDERR_FILENO, &p->columns, &p->rows);
    size_t len;
    know_clocks(w);
    char *text = wsk_watch_draw(p, &len);
    put(text, len);
    free(text);
    w->drawn_real = real;
}

static void stop_here(wsk_watch *w)
{
    terminal.stop = 0;
    give_back();
    raise(SIGSTOP);
    take();
    anchor(w, wsk_clock());
}

double wsk_watch_pace(wsk_watch *w, double until)
{
    double at = wsk_run_time(w->page.run), real = wsk_clock(), rate = ladder[w->rung];
    if (terminal.stop)
        stop_here(w);
    bool due = real - w->drawn_real >= FRAME_S;
    if (due)
        draw(w, real);
    double wait_s = w->drawn_real + FRAME_S - real;
    if (w->page.paused) {
        read_keys(w, wait_s);
        return at;
    }
    double reach = w->anchor_s + rate * (real - w->anchor_real);
    /* The computer is too slow for the chosen speed: from now on the speed is kept from the run's present time, else
     * the lag would grow without limit. */
    if (reach > at + 2 * rate * FRAME_S) {
        anchor(w, real - FRAME_S);
        reach = at + rate * FRAME_S;
    }
    bool ahead = !w->page.free && reach < at + 1;
    if (due || ahead)
        read_keys(w, ahead ? wait_s : 0);
    return w->page.free ? until : ahead ? at : reach < until ? reach : until;
}

void wsk_watch_events(wsk_watch *w, const char *lines)
{
    for (const char *p = lines; *p; p += *p == '\n') {
        wsk_watch_event_add(&w->page, p);
        p += strcspn(p, "\n");
    }
}
