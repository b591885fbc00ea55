/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures time and memory of jobs against a budget. Each job is a whole process. With the argument "short", only jobs
 * run that take less than half a minute together. Processor time is judged, not elapsed time, because other programs
 * may share the machine. */
#include <dirent.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "wattsink.h"
#include "wattsink_summary.h"

enum { WORDS = 16, TEXT = 512 };
typedef struct {
    double wall_s, cpu_s, rss_mb;
    double yardstick_s; /* CPU time of the calibration loop, the shorter of the times before and after the job */
    int code;
} cost;

static char folder[] = "/tmp/wattsink-bench-XXXXXX";
static const char *wattsink;

static double clock_s(clockid_t which)
{
    struct timespec t;
    clock_gettime(which, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double calibrate_once(void)
{
    enum { N = 24, TIMES = 6000 };
    static double a[N * N], x[N], y[N];
    for (int i = 0; i < N * N; i++)
        a[i] = (i % 7 + 1) * 0.01;
    for (int i = 0; i < N; i++)
        x[i] = 1;
    double began = clock_s(CLOCK_PROCESS_CPUTIME_ID);
    for (int t = 0; t < TIMES * 10; t++) {
        double norm = 0;
        for (int i = 0; i < N; i++) {
            y[i] = 0;
            for (int j = 0; j < N; j++)
                y[i] += a[i * N + j] * x[j];
            norm = fmax(norm, fabs(y[i]));
        }
        for (int i = 0; i < N; i++)
            x[i] = y[i] / norm;
    }
    return x[0] > 2 ? 0 : clock_s(CLOCK_PROCESS_CPUTIME_ID) - began;
}

/* The loop is timed next to each job, because the load of a shared machine changes from minute to minute. */
static double calibrate(void)
{
    double best = INFINITY;
    for (int i = 0; i < 5; i++)
        best = fmin(best, calibrate_once());
    return best;
}

/* getrusage(RUSAGE_CHILDREN) gives the largest memory over all children so far, so each command must be the child of a
 * process of its own. */
static cost watch(const char *const words[])
{
    cost c = {.code = 1};
    double began = clock_s(CLOCK_MONOTONIC);
    int status;
    if (fork() == 0) {
        if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr))
            _exit(127);
        execv(words[0], (char *const *)(uintptr_t)words);
        _exit(127);
    }
    c.code = wait(&status) < 0 || !WIFEXITED(status) ? 1 : WEXITSTATUS(status);
    struct rusage u;
    getrusage(RUSAGE_CHILDREN, &u);
    c.wall_s = clock_s(CLOCK_MONOTONIC) - began;
    c.cpu_s =
        (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) + 1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
    c.rss_mb = (double)u.ru_maxrss / 1024;
    return c;
}

static cost run_once(const char *const words[])
{
    int pipes[2];
    cost c = {.code = 1};
    fflush(stdout);
    if (pipe(pipes) != 0)
        return c;
    pid_t child = fork();
    if (child == 0) {
        c = watch(words);
        _exit(write(pipes[1], &c, sizeof c) == (ssize_t)sizeof c ? 0 : 1);
    }
    close(pipes[1]);
    if (child < 0 || read(pipes[0], &c, sizeof c) != (ssize_t)sizeof c)
        c.code = 1;
    close(pipes[0]);
    if (child > 0)
        waitpid(child, NULL, 0);
    if (c.code != 0) {
        fprintf(stderr, "bench: exit %d:", c.code);
        for (int i = 0; words[i]; i++)
            fprintf(stderr, " %s", words[i]);
        fputc('\n', stderr);
        exit(1);
    }
    return c;
}

static cost best_of(int times, const char *const words[])
{
    cost best = {.wall_s = INFINITY, .cpu_s = INFINITY, .yardstick_s = calibrate()};
    for (int i = 0; i < times; i++) {
        cost c = run_once(words);
        best.wall_s = fmin(best.wall_s, c.wall_s);
        best.cpu_s = fmin(best.cpu_s, c.cpu_s);
        best.rss_mb = fmax(best.rss_mb, c.rss_mb);
        best.yardstick_s = fmin(best.yardstick_s, calibrate());
    }
    return best;
}

static cost simulate(const char *rig, const char *span, int times)
{
    static int number; /* each run needs a new folder, because `run` would read old results before it replaces them */
    char out[TEXT];
    snprintf(out, sizeof out, "%s/%d", folder, number++);
    return best_of(times,
                   (const char *const[]){wattsink, "run", rig, "--for", span, "-o", out, "--force", "-q", NULL});
}

static cost leap(const char *rig, const char *span, int times)
{
    char out[TEXT];
    snprintf(out, sizeof out, "%s/leap", folder);
    return best_of(times, (const char *const[]){wattsink, "run", rig, "--leap", "--for", span, "-o", out, "--force",
                                                "-q", NULL});
}

/* Processor time of a run from exec to the first tick, s: until the checkpoint that is written just before that tick
 * is on disk. The run is then killed. */
static double start_once(const char *rig)
{
    static int number;
    const struct timespec pause = {.tv_nsec = 50000};
    char out[TEXT], first[TEXT + 32];
    struct stat st;
    clockid_t used;
    int status;
    snprintf(out, sizeof out, "%s/start%d", folder, number++);
    snprintf(first, sizeof first, "%s/run.ckpt.safe", out);
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        execl(wattsink, wattsink, "run", rig, "--leap", "--for", "3650d", "-o", out, "-q", (char *)NULL);
        _exit(127);
    }
    while (child > 0 && stat(first, &st) != 0 && waitpid(child, &status, WNOHANG) == 0)
        nanosleep(&pause, NULL);
    if (child < 0 || stat(first, &st) != 0 || clock_getcpuclockid(child, &used) != 0) {
        fprintf(stderr, "bench: %s does not start\n", rig);
        exit(1);
    }
    const double s = clock_s(used);
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    return s;
}

static cost start(const char *rig, int times)
{
    cost c = {.cpu_s = INFINITY, .yardstick_s = calibrate()};
    for (int i = 0; i < times; i++)
        c.cpu_s = fmin(c.cpu_s, start_once(rig));
    return c;
}

static void row(const char *name, double value, const char *unit, double must, double goal, double ratio, double wall,
                const char *note)
{
    printf("{\"group\": \"budget\", \"row\": \"%s\", \"value\": %.4g, \"unit\": \"%s\", \"must\": %g, \"goal\": %g, "
           "\"ratio\": %.4g",
           name, value, unit, must, goal, ratio);
    if (wall > 0)
        printf(", \"wall_s\": %.4g", wall);
    printf(", \"note\": \"%s\"}\n", note);
    fflush(stdout);
}

static void time_row(const char *name, const cost *c, double factor, double must, double goal, const char *note)
{
    row(name, c->cpu_s * factor, "s", must, goal, c->cpu_s * factor / c->yardstick_s, c->wall_s * factor, note);
}

static const char *const four = "scenarios/quad-3090-blower/rig.xml", *const eight = "scenarios/h100-4u/rig.xml";

typedef struct {
    cost worst, slowest; /* the command `steady`; the steady point alone */
    double most_mb;
    char name[TEXT], hardest[TEXT], largest[TEXT];
    int count;
} survey;

/* The steady point alone, without loading the rig and without ranges. */
static cost find_point(const char *path)
{
    cost c = {.wall_s = INFINITY, .cpu_s = INFINITY, .yardstick_s = calibrate()};
    wsk_rig *rig = NULL;
    c.code = wsk_rig_load(&rig, &(wsk_rig_options){.path = path, .parts_dir = "parts"});
    for (int i = 0; i < 2 && c.code == WSK_OK; i++) {
        wsk_summary *point = NULL;
        const double began = clock_s(CLOCK_PROCESS_CPUTIME_ID), at = clock_s(CLOCK_MONOTONIC);
        c.code = wsk_steady_point(&point, rig, WSK_STEPPER_FAST, WSK_POINT_ALONE, NULL, NULL);
        c.cpu_s = fmin(c.cpu_s, clock_s(CLOCK_PROCESS_CPUTIME_ID) - began);
        c.wall_s = fmin(c.wall_s, clock_s(CLOCK_MONOTONIC) - at);
        wsk_summary_free(point);
    }
    wsk_rig_free(rig);
    return c;
}

static void keep_slower(cost *worst, char *name, const cost *c, const char *path)
{
    if (c->cpu_s > worst->cpu_s) {
        *worst = *c;
        snprintf(name, TEXT, "%s", path);
    }
}

static void survey_rig(survey *s, const char *path)
{
    const cost steady = best_of(3, (const char *const[]){wattsink, "steady", path, "-q", "--json", NULL}),
               point = find_point(path), run = simulate(path, "1h", 1);
    keep_slower(&s->worst, s->name, &steady, path);
    keep_slower(&s->slowest, s->hardest, &point, path);
    if (run.rss_mb > s->most_mb) {
        s->most_mb = run.rss_mb;
        snprintf(s->largest, sizeof s->largest, "%s", path);
    }
    s->count++;
}

static bool ends_in(const char *text, const char *tail)
{
    size_t n = strlen(text), m = strlen(tail);
    return n > m && !strcmp(text + n - m, tail);
}

static void survey_folder(survey *s, const char *path)
{
    DIR *dir = opendir(path);
    for (struct dirent *e; dir && (e = readdir(dir)) != NULL;) {
        char file[TEXT];
        if (ends_in(e->d_name, ".xml") && snprintf(file, sizeof file, "%s/%s", path, e->d_name) < TEXT)
            survey_rig(s, file);
    }
    if (dir)
        closedir(dir);
}

static void survey_scenarios(survey *s, bool brief)
{
    DIR *dir = opendir("scenarios");
    for (struct dirent *e; dir && (e = readdir(dir)) != NULL;) {
        char path[TEXT];
        if (e->d_name[0] == '.' || snprintf(path, sizeof path, "scenarios/%s", e->d_name) >= TEXT)
            continue;
        if (!brief || strstr("quad-3090-blower h100-4u water-3090 mining-frame", e->d_name))
            survey_folder(s, path);
    }
    if (dir)
        closedir(dir);
}

static void fleet(bool brief, bool leaping)
{
    int weeks = brief ? 4 : 16;
    char out[TEXT];
    snprintf(out, sizeof out, "%s/fleet.sqlite", folder);
    cost c = best_of(brief ? 1 : 3, (const char *const[]){wattsink, "sweep", four, "--vary",
                                                          brief ? "gpu[*].power-limit=200W:350W:50W"
                                                                : "gpu[*].power-limit=200W:350W:10W",
                                                          "--for", "7d", "--jobs", "2", "--force", "-q", "-o", out,
                                                          leaping ? "--leap" : NULL, NULL});
    double factor = 1000.0 / weeks;
    row(leaping ? "1,000 weeks of four cards, 2 cores, with --leap" : "1,000 weeks of four cards, 2 cores",
        c.cpu_s / 2 * factor, "s", leaping ? 75 : 150, leaping ? 20 : 40, c.cpu_s / 2 * factor / c.yardstick_s,
        c.wall_s * factor, brief ? "a sweep of 4, times 250" : "a sweep of 16, times 62.5");
}

static const char server[] =
    "<chassis part=\"chassis/server-4u-8gpu\"><psu part=\"psu/tier-titanium-1600\" rated=\"6400 W\"/>"
    "<cpu name=\"two processors\" power=\"200 W\" idle=\"120 W\" conductance=\"20 W/K\" flow=\"80 CFM\" board=\"150 "
    "W\"/>";

static bool write_rack(const char *path, int cards)
{
    FILE *f = fopen(path, "w");
    if (!f)
        return false;
    fprintf(f, "<rig name=\"%d cards\"><site supply=\"230 V\"><room temperature=\"24 degC\"/></site>", cards);
    for (int i = 0; i < cards; i++) {
        if (i % 8 == 0)
            fprintf(f, "%s%s", i ? "</chassis>" : "", server);
        fprintf(f, "<gpu part=\"gpu/h100-pcie-duct\" slot=\"%d\"/>", 2 * (i % 8) + 1);
    }
    fprintf(f, "</chassis><workload kind=\"training\" class=\"training\" checkpoint-every=\"1 h\" "
               "checkpoint-takes=\"90 s\"/>"
               "<run from=\"2026-08-03T00:00:00\" for=\"1 d\" step=\"1 s\"/></rig>");
    return fclose(f) == 0;
}

static int count_nodes(const char *rig)
{
    char command[TEXT], line[TEXT];
    int n = 0;
    snprintf(command, sizeof command, "%s/network.json", folder);
    run_once((const char *const[]){wattsink, "export", rig, "--json", "-q", "-o", command, NULL});
    FILE *f = fopen(command, "r");
    while (f && fgets(line, sizeof line, f))
        n += strstr(line, "\"capacity_j_k\"") != NULL;
    if (f)
        fclose(f);
    return n;
}

static void scaling(void)
{
    static const int cards[] = {1, 2, 4, 8, 16, 32, 64};
    for (size_t i = 0; i < sizeof cards / sizeof *cards; i++) {
        char rig[TEXT];
        snprintf(rig, sizeof rig, "%s/rack.xml", folder);
        if (!write_rack(rig, cards[i]))
            exit(1);
        /* small rigs run more often, because their step time is the difference of two short times */
        const int times = cards[i] > 16 ? 2 : 8;
        cost day = simulate(rig, "1d", times), three = simulate(rig, "3d", times);
        printf("{\"group\": \"scaling\", \"row\": \"%d cards\", \"cards\": %d, \"nodes\": %d, \"us_per_step\": %.4g, "
               "\"start_ms\": %.4g, \"rss_mb\": %.4g}\n",
               cards[i], cards[i], count_nodes(rig), (three.cpu_s - day.cpu_s) / (2 * 86400) * 1e6,
               (day.cpu_s - (three.cpu_s - day.cpu_s) / 2) * 1e3, three.rss_mb);
    }
    static const int days[] = {1, 2, 4, 7, 14, 28, 56};
    for (size_t i = 0; i < sizeof days / sizeof *days; i++) {
        char span[32];
        snprintf(span, sizeof span, "%dd", days[i]);
        cost c = simulate(four, span, 2);
        printf("{\"group\": \"time\", \"row\": \"%d days of four cards\", \"days\": %d, \"cpu_s\": %.4g, \"rss_mb\": "
               "%.4g}\n",
               days[i], days[i], c.cpu_s, c.rss_mb);
        fflush(stdout);
    }
}

int main(int argc, char **argv)
{
    bool brief = argc > 1 && !strcmp(argv[1], "short");
    wattsink = getenv("WATTSINK");
    if (!wattsink || !mkdtemp(folder)) {
        fputs("bench: WATTSINK does not name the program\n", stderr);
        return 2;
    }
    cost week = simulate(four, "7d", brief ? 2 : 5);
    time_row("week of four cards at 1 s", &week, 1, 2, 0.4, "exec to exit, files written");
    week = leap(four, "7d", brief ? 2 : 5);
    time_row("week of four cards, with --leap", &week, 1, 0.4, 0.1, "exec to exit, files written");
    cost year = brief ? simulate(eight, "2d", 1) : simulate(eight, "365d", 1);
    time_row("year of eight cards at 1 s", &year, brief ? 182.5 : 1, 60, 15,
             brief ? "2 days times 182.5" : "in full");
    year = leap(eight, "365d", 1);
    time_row("year of eight cards, with --leap", &year, 1, 1.5, 0.5, "in full");
    cost begin = start(four, brief ? 5 : 20);
    time_row("start of four cards, to the first tick", &begin, 1, 0.02, 0.01, "from exec, first files written");
    survey s = {.most_mb = 0};
    survey_scenarios(&s, brief);
    char note[2 * TEXT];
    snprintf(note, sizeof note, "worst of %d: %s", s.count, s.hardest);
    row("steady point of any rig", s.slowest.cpu_s * 1e3, "ms", 20, 5, s.slowest.cpu_s / s.slowest.yardstick_s,
        s.slowest.wall_s, note);
    snprintf(note, sizeof note, "exec to exit; worst of %d: %s", s.count, s.name);
    row("about 100 steady points, for its ranges", s.worst.cpu_s * 1e3, "ms", 200, 50,
        s.worst.cpu_s / s.worst.yardstick_s, s.worst.wall_s, note);
    fleet(brief, false);
    fleet(brief, true);
    snprintf(note, sizeof note, "most of %d and of the jobs above: %s", s.count + 2,
             year.rss_mb > s.most_mb ? eight : s.largest);
    double mb = fmax(fmax(week.rss_mb, year.rss_mb), s.most_mb);
    row("memory of any run", mb, "MB", 64, 32, mb, 0, note);
    printf(
        "{\"group\": \"calibration\", \"row\": \"60,000 products of 24 x 24\", \"value\": %.4g, \"unit\": \"s\"}\n",
        calibrate());
    if (!brief)
        scaling();
    fflush(stdout); /* execl replaces this process, and would lose text that is not written yet */
    execl("/bin/rm", "rm", "-rf", folder, (char *)NULL);
    return 0;
}
