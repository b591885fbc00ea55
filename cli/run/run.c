/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wattsink run: simulates a rig and writes its results to a folder. ckpt.c has the checkpoints of --resume; full.c and
 * full_nc.c are --full, every step as NetCDF; the files watch*.c are --watch. Begin with main_run at the end of this
 * file. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/run/ckpt.h"
#include "cli/kit/cases.h"
#include "cli/kit/cli.h"
#include "cli/kit/lock.h"
#include "cli/run/full.h"
#include "cli/run/replace.h"
#include "cli/run/strides.h"
#include "cli/run/watch.h"
#include "words/width.h"

/* CHUNK_S: real time, s, that one call of advance() shall take. CHECKPOINT_S: least real time between two checkpoints,
 * s; the next checkpoint is written after the first call of advance() that ends later. So a kill loses about the sum of
 * both; docs/architecture.md, "How a run is kept on disk", promises at most 0.2 s. */
static const double CHUNK_S = 0.06, CHECKPOINT_S = 0.08;
static const double SAFE_S = 5; /* real time between checkpoints that survive a power cut, s */

typedef struct {
    wsk_cli_rig_options rig;
    const char *dir, *duration, *step, *seed, *stepper;
    bool json, quiet, resume, force, leap, watch, full;
} settings;

typedef struct {
    settings set;
    char *dir;
    wsk_rig *rig;
    wsk_run *run;
    wsk_cli_ckpt head;
    FILE *events;
    wsk_cli_lock *lock;
    wsk_full *full;
    wsk_watch *watch; /* page of --watch; NULL: no page is shown */
    double from_s;    /* simulated time at which this process began, s */
    bool progress;
    double safe; /* wsk_clock() when the last checkpoint that survives a power cut was on disk */
    int shown;   /* columns of the longest progress line so far */
} job;

static bool identify(job *j, const char *path)
{
    snprintf(j->head.format, sizeof j->head.format, "%s", WSK_CLI_CKPT_FORMAT);
    snprintf(j->head.version, sizeof j->head.version, "%s", wsk_version());
    snprintf(j->head.options, sizeof j->head.options, "stepper=%s%s%s", j->set.stepper ? j->set.stepper : "fast",
             j->set.leap ? " leap" : "", j->set.full ? " full" : "");
    snprintf(j->head.digest, sizeof j->head.digest, "%s", wsk_rig_digest(j->rig));
    memcpy(j->head.rig, j->head.digest, sizeof j->head.rig);
    if (!j->set.duration && !j->set.step && !j->set.seed)
        return true;
    wsk_cli_rig_options plain = j->set.rig;
    plain.files_of = j->rig;
    plain.sets.count -= (size_t)(j->set.duration != NULL) + (j->set.step != NULL) + (j->set.seed != NULL);
    int code;
    wsk_rig *rig = wsk_cli_load(path, &plain, -1, &code);
    bool ok = rig != NULL;
    if (ok)
        snprintf(j->head.rig, sizeof j->head.rig, "%s", wsk_rig_digest(rig));
    wsk_rig_free(rig);
    /* if the rig is invalid without --for, --step and --seed, head.rig keeps the digest with them */
    return ok || code == WSK_EINPUT;
}

static int refuse_other_rig(job *j)
{
    char found[32];
    int code = j->set.force ? WSK_OK : wsk_cli_ckpt_found(j->dir, found);
    if (code != WSK_OK)
        return code;
    if (!j->set.force && found[0] && strcmp(found, j->head.rig) != 0 && strcmp(found, j->head.digest) != 0) {
        wsk_cli_error(
            T_("%s holds the results of another rig, or of this one before it was edited (digest %s, now %s); "
               "--force replaces them, -o FOLDER keeps both"),
            j->dir, found, j->head.rig);
        return WSK_EINPUT;
    }
    return WSK_OK;
}

static int open_events(job *j, size_t keep)
{
    char *path = wsk_cli_format("%s/events.csv", j->dir);
    j->events = fopen(path, keep ? "r+b" : "wb");
    bool ok = j->events != NULL;
    if (ok) {
        long len = keep && fseek(j->events, 0, SEEK_END) == 0 ? ftell(j->events) : -1;
        ok = keep ? len >= (long)keep && ftruncate(fileno(j->events), (off_t)keep) == 0 &&
                        fseek(j->events, (long)keep, SEEK_SET) == 0
                  : fputs(WSK_CLI_EVENTS_HEAD, j->events) >= 0 && fflush(j->events) == 0;
        if (len >= 0 && len < (long)keep)
            wsk_cli_error(T_("%s is shorter than the checkpoint says; start anew without --resume"), path);
        else if (!ok)
            wsk_cli_error(T_("cannot write %s: %s"), path, T_(strerror(errno)));
    } else {
        wsk_cli_error(T_("cannot open %s: %s"), path, T_(strerror(errno)));
    }
    j->head.events_len = keep ? keep : sizeof WSK_CLI_EVENTS_HEAD - 1;
    free(path);
    return ok ? WSK_OK : WSK_ERUN;
}

static int resume(job *j, bool *done)
{
    wsk_cli_ckpt saved;
    char *state = NULL, *why = NULL;
    size_t len = 0;
    int code = wsk_cli_ckpt_read(j->dir, &saved, &state, &len);
    if (code == WSK_ERUN)
        return code;
    if (code == WSK_CLI_CKPT_NONE) {
        /* Without a checkpoint nothing was kept, so the run starts anew. */
        if (!j->set.quiet)
            wsk_cli_say(stderr, T_("no checkpoint in %s: starting at 0 s\n"), j->dir);
        if ((code = refuse_other_rig(j)) == WSK_OK)
            code = open_events(j, 0);
        return code;
    }
    bool known = code == WSK_OK || code == WSK_CLI_CKPT_OTHER;
    if (known && !(why = wsk_cli_ckpt_differs(&saved, &j->head))) {
        code = (int)wsk_run_restore(j->run, state, len);
        if (code != WSK_OK)
            why = wsk_cli_format(T_("its state does not fit this program"));
    } else if (!why) {
        why = wsk_cli_format(T_("it is damaged"));
    }
    if (why) {
        wsk_cli_error(T_("%s/run.ckpt cannot be resumed: %s"), j->dir, why);
        code = WSK_EINPUT;
    } else {
        *done = saved.done;
        j->from_s = wsk_run_time(j->run);
        char at[32];
        wsk_cli_duration(at, j->from_s);
        if (!j->set.quiet)
            wsk_cli_say(stderr, *done ? T_("resumed at %s: the run is finished\n") : T_("resumed at %s\n"), at);
        if (!*done)
            code = open_events(j, saved.events_len);
    }
    free(why);
    free(state);
    return code;
}

/* Writes run.ckpt. events.csv and the rows of --full are flushed first, so that these files are at least as long as the
 * checkpoint says. */
static bool checkpoint(job *j, bool done, wsk_cli_ckpt_kind kind)
{
    bool sync = kind != WSK_CKPT_QUICK;
    char *lines = NULL, *state = NULL;
    size_t len = 0;
    bool ok = wsk_run_events_csv(j->run, true, &lines) == WSK_OK;
    errno = ok ? 0 : ENOMEM;
    if (ok && *lines) {
        size_t n = strlen(lines);
        if (j->watch)
            wsk_watch_events(j->watch, lines);
        ok = fwrite(lines, 1, n, j->events) == n && fflush(j->events) == 0;
        j->head.events_len += n;
    }
    ok = ok && (!sync || fsync(fileno(j->events)) == 0);
    if (!ok)
        wsk_cli_error(T_("cannot write %s/events.csv: %s"), j->dir, T_(strerror(errno)));
    ok = ok && (!j->full || wsk_full_flush(j->full, sync));
    if (ok && (ok = wsk_run_save(j->run, &state, &len) == WSK_OK)) {
        j->head.time_s = wsk_run_time(j->run);
        j->head.done = done;
        ok = wsk_cli_ckpt_write(j->dir, &j->head, kind, state, len);
        j->safe = ok && sync ? wsk_clock() : j->safe;
    }
    wsk_text_free(lines);
    wsk_text_free(state);
    return ok;
}

static void show_progress(job *j, double began)
{
    double now = wsk_run_time(j->run), total = wsk_run_duration(j->run);
    double real = wsk_clock() - began, speed = real > 0 ? (now - j->from_s) / real : 0;
    char at[32], left[32];
    wsk_cli_duration(at, now);
    wsk_cli_duration(left, speed > 0 ? (total - now) / speed : 0);
    const double percent = total > 0 ? 100 * now / total : 0;
    char *parts[] = {wsk_cli_format("%3.0f %%", percent), wsk_cli_format(T_("  %s simulated"), at),
                     wsk_cli_format(T_("  %.0f x real time"), speed), wsk_cli_format(T_("  %s left"), left)};
    /* The last column stays free: text in it may make the terminal begin a new line. */
    int columns, rows, used = 0;
    wsk_cli_terminal_size(STDERR_FILENO, &columns, &rows);
    fputc('\r', stderr);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        bool fits = used + wsk_width(parts[i]) < columns;
        fputs(fits ? parts[i] : "", stderr);
        used += fits ? wsk_width(parts[i]) : 0;
        free(parts[i]);
    }
    j->shown = used > j->shown ? used : j->shown;
    fprintf(stderr, "%*s", (j->shown < columns ? j->shown : columns - 1) - used, "");
}

static void clear_progress(job *j)
{
    fprintf(stderr, "\r%*s\r", j->shown, "");
    j->shown = 0;
}

static int step_to(job *j, double until)
{
    static const double SHORTER_THAN_A_STEP = 0.01; /* shorter than any step, s; the least step is 0.05 s */
    if (!j->full)
        return (int)wsk_run_advance(j->run, until);
    double end = wsk_run_duration(j->run);
    until = until < end ? until : end;
    int code = WSK_OK;
    while (code == WSK_OK && wsk_run_time(j->run) < until) {
        code = (int)wsk_run_advance(j->run, wsk_run_time(j->run) + SHORTER_THAN_A_STEP);
        if ((code == WSK_OK || code == WSK_EAUDIT) && !wsk_full_step(j->full))
            code = WSK_ERUN;
    }
    return code;
}

/* Advances by one chunk of simulated time, or with --watch less if the speed that the user chose demands it. *chunk_s:
 * length of a chunk, simulated s, which is adapted so that a chunk takes CHUNK_S of real time. */
static int advance(job *j, double *chunk_s)
{
    double from = wsk_run_time(j->run), reach = from + *chunk_s;
    double until = j->watch ? wsk_watch_pace(j->watch, reach) : reach, start = wsk_clock();
    bool whole = until >= reach;
    if (until <= from)
        return WSK_OK;
    /* Whole seconds, because the usual step is 1 s. A double of 9e15 (about 2^53) or more is whole anyway. */
    if (until < 9e15)
        until = (double)(int64_t)until;
    int code = step_to(j, until > from ? until : from + 1);
    double took = wsk_clock() - start, scale = took > 1e-6 ? CHUNK_S / took : 8;
    if (whole)
        *chunk_s *= scale > 8 ? 8 : scale < 0.1 ? 0.1 : scale;
    if (*chunk_s < 1)
        *chunk_s = 1;
    return code;
}

static int simulate(job *j)
{
    double began = wsk_clock(), saved = began, saved_s = wsk_run_time(j->run), chunk_s = 600;
    double end = wsk_run_duration(j->run);
    int code = WSK_OK;
    while (code == WSK_OK && wsk_run_time(j->run) < end && !wsk_cli_interrupted()) {
        code = advance(j, &chunk_s);
        double at = wsk_run_time(j->run);
        if (at < end && at > saved_s && code == WSK_OK && wsk_clock() - saved > CHECKPOINT_S) {
            if (!checkpoint(j, false, wsk_clock() - j->safe > SAFE_S ? WSK_CKPT_SAFE : WSK_CKPT_QUICK))
                return WSK_ERUN;
            saved = wsk_clock();
            saved_s = at;
        }
        if (j->progress && !j->watch)
            show_progress(j, began);
    }
    if (j->progress && !j->watch)
        clear_progress(j);
    wsk_watch_close(j->watch);
    j->watch = NULL;
    if (code != WSK_OK && wsk_run_failure(j->run)) {
        char at[32], *why = wsk_cli_why(j->run, code);
        wsk_cli_duration(at, wsk_run_time(j->run));
        wsk_cli_error(T_("stopped at %s: %s"), at, why);
        free(why);
    }
    if (code == WSK_OK && wsk_run_time(j->run) < end)
        code = WSK_EINTERRUPTED;
    return code;
}

static bool write_text(const job *j, const char *name, wsk_status status, char *text)
{
    bool ok = status == WSK_OK && wsk_cli_write(j->dir, name, text, strlen(text));
    if (status != WSK_OK)
        wsk_cli_error(T_("cannot write %s/%s: %s"), j->dir, name, T_(wsk_status_text(status)));
    wsk_text_free(text);
    return ok;
}

/* Adds the advice to a finished run. On failure prints a message and returns false: if a file could not be read, the
 * advice could differ from that of another attempt. */
static bool judge(job *j)
{
    wsk_status status = wsk_run_time(j->run) >= wsk_run_duration(j->run) ? wsk_run_judge(j->rig, j->run) : WSK_OK;
    if (status != WSK_ERUN)
        return true;
    char *why = wsk_cli_why(j->run, (int)status);
    wsk_cli_error(T_("cannot write %s/%s: %s"), j->dir, "summary.json", why);
    free(why);
    return false;
}

/* Writes the result files, and the checkpoint last: if the checkpoint says that the run is done, all files are
 * complete. */
static int write_results(job *j, int code)
{
    char *text = NULL;
    wsk_status status = wsk_run_series_csv(j->run, &text);
    wsk_run_replaces(j->dir);
    bool ok = write_text(j, "series.csv", status, text);
    if (!ok || !judge(j))
        return WSK_ERUN;
    text = NULL;
    status = wsk_run_summary_json(j->run, wsk_clock() - wsk_cli_started, &text);
    ok = write_text(j, "summary.json", status, text);
    ok = ok && (!j->full || wsk_full_write(j->full, j->rig));
    bool done = code == WSK_OK || code == WSK_EAUDIT;
    ok = ok && checkpoint(j, done, WSK_CKPT_LAST);
    wsk_full_close(j->full, ok && done);
    j->full = NULL;
    return ok ? code : WSK_ERUN;
}

static int print_results(job *j)
{
    if (j->set.json) {
        int code = WSK_EINPUT;
        char *json = wsk_cli_read_in(j->dir, "summary.json", NULL, &code);
        if (json)
            fputs(json, stdout);
        else if (code != WSK_ERUN)
            wsk_cli_error(T_("%s/%s is missing: 'wattsink run RIG.xml -o %s' leaves it"), j->dir, "summary.json",
                          j->dir);
        code = json ? WSK_OK : WSK_ERUN;
        free(json);
        return code;
    }
    if (j->set.quiet)
        return WSK_OK;
    char *text = NULL;
    if (!judge(j))
        return WSK_ERUN;
    const wsk_voice voice = wsk_cli_voice();
    wsk_status status = wsk_run_page(j->run, &voice, &text);
    if (status == WSK_OK)
        wsk_print_page(j->run, text, j->dir);
    wsk_text_free(text);
    return (int)status;
}

static int run_job(job *j, const char *path)
{
    wsk_stepper stepper =
        j->set.stepper && !strcmp(j->set.stepper, "reference") ? WSK_STEPPER_REFERENCE : WSK_STEPPER_FAST;
    int code = WSK_OK;
    j->rig = wsk_cli_load(path, &j->set.rig, j->set.quiet ? 0 : 1, &code);
    if (!j->rig)
        return code;
    const wsk_run_options o = {.stepper = stepper, .leap = j->set.leap, .stride = !j->set.full && !j->set.watch};
    code = (int)wsk_run_new(&j->run, j->rig, &o);
    if (code == WSK_OK && !identify(j, path))
        code = WSK_ERUN;
    if (code != WSK_OK) {
        char *why = wsk_cli_why(j->run, code);
        wsk_cli_error(T_("%s: cannot start: %s"), path, why);
        free(why);
        return code;
    }
    bool done = false;
    const wsk_cli_lock_use use = j->set.resume ? WSK_CLI_RESUMES : WSK_CLI_WRITES;
    if (!wsk_cli_mkdirs(j->dir) || !(j->lock = wsk_cli_lock_folder(j->dir, "run", use)))
        return WSK_ERUN;
    if (j->set.resume)
        code = resume(j, &done);
    else if ((code = refuse_other_rig(j)) == WSK_OK)
        code = open_events(j, 0);
    if (code == WSK_OK && done) {
        wsk_full_forget(j->dir, false); /* a finished run deletes full.part, but may have failed to */
        return print_results(j);
    }
    if (code != WSK_OK)
        return code;
    if (!(wsk_run_time(j->run) > 0))
        wsk_full_forget(j->dir, true);
    if (j->set.full && !(j->full = wsk_full_open(j->dir, j->run)))
        return WSK_ERUN;
    char *resolved = NULL;
    wsk_status status = wsk_rig_resolved(j->rig, &resolved);
    if (!write_text(j, "rig.resolved.xml", status, resolved) || !checkpoint(j, false, WSK_CKPT_SAFE))
        return WSK_ERUN;
    wsk_cli_catch_interrupts();
    if (j->set.watch)
        j->watch = wsk_watch_open(j->run);
    code = simulate(j);
    /* After a failure no results are written, as they could not be trusted; the last checkpoint remains. */
    if (code != WSK_OK && code != WSK_EINTERRUPTED && code != WSK_EAUDIT)
        return code;
    code = write_results(j, code);
    if (code == WSK_EINTERRUPTED)
        wsk_cli_error(T_("interrupted; what was simulated is in %s, --resume goes on from there"), j->dir);
    if (code == WSK_OK || code == WSK_EAUDIT) {
        int printed = print_results(j);
        if (printed != WSK_OK)
            code = printed;
    }
    if (code == WSK_EAUDIT)
        wsk_cli_error(T_("the energy balance does not close: the results cannot be trusted"));
    return code;
}

static int main_run(int argc, char **argv)
{
    job j = {.set = {.rig = {.threads = wsk_cli_cores()}}};
    wsk_cli_list words = {0};
    const wsk_cli_option options[] = {{.name = "out", .letter = 'o', .value = &j.set.dir},
                                      {.name = "for", .value = &j.set.duration},
                                      {.name = "step", .value = &j.set.step},
                                      {.name = "seed", .value = &j.set.seed},
                                      {.name = "stepper", .value = &j.set.stepper},
                                      {.name = "leap", .flag = &j.set.leap},
                                      {.name = "watch", .flag = &j.set.watch},
                                      {.name = "full", .flag = &j.set.full},
                                      {.name = "json", .flag = &j.set.json},
                                      {.name = "quiet", .letter = 'q', .flag = &j.set.quiet},
                                      {.name = "resume", .flag = &j.set.resume},
                                      {.name = "force", .flag = &j.set.force},
                                      WSK_CLI_PRICED_RIG_OPTIONS(j.set.rig),
                                      {.name = "exchange", .list = &(j.set.rig).exchanges},
                                      {.name = NULL}};
    int code = wsk_cli_parse(&wsk_cli_run, argc, argv, options, &words);
    wsk_stepper stepper;
    if (code != WSK_OK) {
        code = code < 0 ? WSK_OK : code;
    } else if (words.count != 1) {
        code = wsk_cli_one_rig(&wsk_cli_run, &words);
    } else if (!wsk_cli_stepper(&wsk_cli_run, j.set.stepper, &stepper)) {
        code = WSK_EUSAGE;
    } else if (!strcmp(words.items[0], "-") && !j.set.dir) {
        code = wsk_cli_usage(&wsk_cli_run, T_("a rig from standard input needs -o DIR"));
    } else if (j.set.full && wsk_full_missing()) {
        code = wsk_cli_usage(&wsk_cli_run, "%s", wsk_full_missing());
    } else {
        char *sets[] = {wsk_cli_set_by(&j.set.rig, "--for", "run.for", j.set.duration),
                        wsk_cli_set_by(&j.set.rig, "--step", "run.step", j.set.step),
                        wsk_cli_set_by(&j.set.rig, "--seed", "run.seed", j.set.seed)};
        char *label = wsk_cli_rig_label(words.items[0]);
        j.dir = j.set.dir ? wsk_cli_format("%s", j.set.dir) : wsk_cli_format("%s.out", label);
        j.progress = !j.set.quiet && isatty(STDERR_FILENO);
        code = run_job(&j, words.items[0]);
        free(label);
        for (int i = 0; i < 3; i++)
            free(sets[i]);
    }
    if (j.events && fclose(j.events) != 0 && code == WSK_OK) {
        wsk_cli_error(T_("cannot write %s/events.csv: %s"), j.dir, T_(strerror(errno)));
        code = WSK_ERUN;
    }
    wsk_watch_close(j.watch);
    wsk_full_close(j.full, false);
    wsk_cli_lock_drop(j.lock);
    wsk_run_free(j.run);
    wsk_rig_free(j.rig);
    free(j.dir);
    free(j.set.rig.sets.items);
    free(j.set.rig.exchanges.items);
    free(words.items);
    return code;
}

const wsk_cli_command wsk_cli_run = {
    .name = "run",
    .usage = "RIG.xml [-o DIR] [--for 7d] [--step 1s] [--set PATH=VALUE]... [OPTION]...",
    .summary = N_("simulate a rig and leave its results in a folder"),
    .options = N_(
        "  -o DIR              results go here (default ./NAME.out/; NAME is the file's, of a rig.xml its folder's)\n"
        "  --for 7d            how long to simulate, instead of what the rig says\n"
        "  --step 1s           time step\n"
        "  --seed N            seed of everything random\n"
        "  --set PATH=VALUE    change a value: gpu[0].power-limit=280W, psu=psu/tier-gold-1600\n"
        "  --stepper NAME      one of fast (default), reference; reference is slower and verifies fast\n"
        "  --leap              skip cycles that repeat, leap where little changes: a year takes a second\n"
        "  --watch             show the run in the terminal: temperatures, fans, clocks, watts,\n"
        "                      and their course since the start\n"
        "  --full              every step as NetCDF-4 in DIR/full.nc, beside the series of means\n"
        "  --resume            continue from the checkpoint in DIR; the results are the same\n"
        "  --force             replace another rig's results in DIR\n"
        "  --json              print the summary as JSON\n"
        "  -q, --quiet         no summary, no progress, no warnings\n"
        "  --parts DIR         your own parts, searched before the catalogue\n"
        "  --prices FILE       prices of parts: id, price with its currency, date in each row\n"
        "  --exchange RATE     such as EUR=1.08USD: prices of parts are converted to the currency of the tariff\n"
        "  --data DIR          data files, instead of the rig's folder\n"),
    .example = "wattsink run scenarios/quad-3090-blower/rig.xml --for 1d --set 'gpu[*].power-limit=250W'",
    .run = main_run};
