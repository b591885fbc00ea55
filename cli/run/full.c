/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run --full: stores a row per step in full.part and gives the rows to full_nc.c, which writes full.nc. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/run/full.h"

struct wsk_full {
    const wsk_run *run;
    char *dir, *path;
    FILE *file;
    wsk_full_column *columns;
    size_t count, row_size; /* number of columns; bytes of a row */
    uint64_t rows;
    char *row;
};

static char *part_path(const char *dir)
{
    return wsk_cli_format("%s/full.part", dir);
}

void wsk_full_forget(const char *dir, bool all)
{
    char *part = part_path(dir), *nc = wsk_cli_format("%s/full.nc", dir);
    unlink(part);
    if (all)
        unlink(nc);
    free(nc);
    free(part);
}

static bool failed(const wsk_full *f)
{
    wsk_cli_error(T_("cannot write %s: %s"), f->path, T_(strerror(errno)));
    return false;
}

static bool unreadable(const wsk_full *f)
{
    wsk_cli_error(T_("cannot read %s: %s"), f->path, T_(strerror(errno)));
    return false;
}

static double time_of(FILE *file, size_t row_size, uint64_t row)
{
    double t;
    return fseeko(file, (off_t)(row * row_size), SEEK_SET) == 0 && fread(&t, sizeof t, 1, file) == 1 ? t : NAN;
}

static bool cut_back(wsk_full *f)
{
    double now = wsk_run_time(f->run);
    if (fseeko(f->file, 0, SEEK_END) != 0)
        return failed(f);
    uint64_t low = 0, high = (uint64_t)ftello(f->file) / f->row_size;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        double at = time_of(f->file, f->row_size, middle);
        if (isnan(at))
            return unreadable(f);
        if (at <= now)
            low = middle + 1;
        else
            high = middle;
    }
    if (now > 0 && (low == 0 || time_of(f->file, f->row_size, low - 1) < now)) {
        wsk_cli_error(T_("%s is shorter than the checkpoint says; start anew without --resume"), f->path);
        return false;
    }
    f->rows = low;
    off_t len = (off_t)(low * f->row_size);
    return (fflush(f->file) == 0 && ftruncate(fileno(f->file), len) == 0 && fseeko(f->file, len, SEEK_SET) == 0) ||
           failed(f);
}

wsk_full *wsk_full_open(const char *dir, const wsk_run *run)
{
    wsk_full *f = wsk_cli_alloc(sizeof *f);
    memset(f, 0, sizeof *f);
    f->run = run;
    f->dir = wsk_cli_format("%s", dir);
    f->path = part_path(dir);
    f->count = wsk_run_variables(run);
    f->columns = wsk_cli_alloc((f->count + 1) * sizeof *f->columns);
    f->row_size = sizeof(double);
    for (size_t i = 0; i < f->count; i++) {
        const char *unit;
        double v;
        wsk_full_column *c = &f->columns[i];
        wsk_run_variable(run, i, &c->name, &unit, &v);
        c->row = wsk_run_variable_row(run, i);
        c->sum = c->row->change == WSK_VAR_GROWS;
        f->row_size += c->sum ? sizeof(double) : sizeof(float);
    }
    f->row = wsk_cli_alloc(f->row_size);
    f->file = fopen(f->path, wsk_run_time(run) > 0 ? "r+b" : "w+b");
    bool ok = f->file != NULL;
    if (!ok)
        wsk_cli_error(T_("cannot open %s: %s"), f->path, T_(strerror(errno)));
    if (ok && cut_back(f))
        return f;
    wsk_full_close(f, false);
    return NULL;
}

bool wsk_full_step(wsk_full *f)
{
    double t = wsk_run_time(f->run), v;
    char *p = f->row;
    memcpy(p, &t, sizeof t);
    p += sizeof t;
    for (size_t i = 0; i < f->count; i++) {
        const char *name, *unit;
        wsk_run_variable(f->run, i, &name, &unit, &v);
        float single = (float)v;
        size_t size = f->columns[i].sum ? sizeof v : sizeof single;
        memcpy(p, f->columns[i].sum ? (const void *)&v : (const void *)&single, size);
        p += size;
    }
    if (fwrite(f->row, f->row_size, 1, f->file) != 1)
        return failed(f);
    f->rows++;
    return true;
}

bool wsk_full_flush(wsk_full *f, bool sync)
{
    return (fflush(f->file) == 0 && (!sync || fsync(fileno(f->file)) == 0)) || failed(f);
}

/* Days from 1970-01-01 to a Gregorian date; month 1 to 12. */
static int64_t days_of(int64_t year, int month, int day)
{
    int64_t y = month > 2 ? year : year - 1, m = month > 2 ? month - 3 : month + 9;
    return 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 1 - 719468;
}

/* Finds the offset of a time zone from UTC at the local time `civil`, s, positive to the east. False: setenv() or
 * mktime() fails. Changes TZ of the whole process. */
static bool zone_offset(const char *zone, const struct tm *civil, long *out)
{
    struct tm t = *civil;
    t.tm_isdst = -1;
    if (setenv("TZ", zone, 1) != 0)
        return false;
    tzset();
    time_t utc = mktime(&t);
    if (utc == (time_t)-1)
        return false;
    *out = (long)(86400 * days_of(civil->tm_year + 1900, civil->tm_mon + 1, civil->tm_mday) + 3600 * civil->tm_hour +
                  60 * civil->tm_min + civil->tm_sec - (int64_t)utc);
    return true;
}

static int digits(const char *p, int count)
{
    int n = 0;
    for (; count-- > 0 && *p >= '0' && *p <= '9'; p++)
        n = 10 * n + (*p - '0');
    return n;
}

/* Writes "seconds since ..." with the start of the run, which a resolved rig states as <run from="..." zone="...">.
 * False: the rig has no date, and 1970-01-01 is written. */
static bool read_start(const wsk_elements *rig, char out[80])
{
    int at = wsk_elements_next(rig, "run", -1, -1);
    const char *from = wsk_elements_text(rig, at, "from"), *zone = wsk_elements_text(rig, at, "zone");
    struct tm t = {0};
    snprintf(out, 80, "seconds since 1970-01-01 00:00:00");
    /* The library has checked the date, and always writes it like 2026-08-03T09:00:00. */
    if (!from || strlen(from) < sizeof "2026-08-03T09:00:00" - 1)
        return false;
    t.tm_year = digits(from, 4);
    t.tm_mon = digits(from + 5, 2);
    t.tm_mday = digits(from + 8, 2);
    if (from[10] == 'T') {
        t.tm_hour = digits(from + 11, 2);
        t.tm_min = digits(from + 14, 2);
        t.tm_sec = digits(from + 17, 2);
    }
    int n = snprintf(out, 80, "seconds since %04d-%02d-%02d %02d:%02d:%02d", t.tm_year, t.tm_mon, t.tm_mday,
                     t.tm_hour, t.tm_min, t.tm_sec);
    t.tm_year -= 1900;
    t.tm_mon -= 1;
    long ahead = 0;
    if (zone && n > 0 && zone_offset(zone, &t, &ahead)) {
        long minutes = labs(ahead) / 60;
        snprintf(out + n, 80 - (size_t)n, " %c%02ld:%02ld", ahead < 0 ? '-' : '+', minutes / 60, minutes % 60);
    }
    return true;
}

#ifdef WSK_COVERAGE
void __gcov_dump(void);
#else
#define __gcov_dump()
#endif

/* Writes the file in a process of its own: libnetcdf 4.9 crashes when a file that could not be written is closed. */
static bool write_apart(const wsk_full_table *t, FILE *rows)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        const bool ok = wsk_full_netcdf(t, rows);
        __gcov_dump(); /* `make coverage`: _exit() stores no counts */
        _exit(ok ? WSK_OK : WSK_ERUN);
    }
    if (child < 0)
        wsk_cli_error(T_("cannot write %s: %s"), t->path, T_(strerror(errno)));
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    if (child > 0 && !WIFEXITED(status))
        wsk_cli_error(T_("cannot write %s: %s"), t->path, T_("the library of NetCDF crashed"));
    return child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == WSK_OK;
}

bool wsk_full_write(wsk_full *f, const wsk_rig *rig)
{
    char *temp = wsk_cli_format("%s/.full.nc.new", f->dir), *path = wsk_cli_format("%s/full.nc", f->dir);
    wsk_full_table t = {.path = temp,
                        .rows_path = f->path,
                        .title = wsk_rig_name(rig),
                        .digest = wsk_rig_digest(rig),
                        .columns = f->columns,
                        .count = f->count,
                        .row_size = f->row_size,
                        .rows = f->rows};
    const wsk_elements *list = NULL;
    bool ok = wsk_rig_elements(rig, &list) == WSK_OK;
    if (ok)
        t.dated = read_start(list, t.since);
    wsk_elements_free(list);
    wsk_summary *summary = NULL;
    if (ok && (ok = wsk_run_summary(&summary, f->run, 0) == WSK_OK))
        snprintf(t.currency, sizeof t.currency, "%s", wsk_cli_said(summary, WSK_R_CURRENCY, 0));
    wsk_summary_free(summary);
    if (!ok)
        wsk_cli_error(T_("cannot write %s: out of memory"), path);
    ok = ok && wsk_full_flush(f, false) && (fseeko(f->file, 0, SEEK_SET) == 0 || failed(f)) &&
         write_apart(&t, f->file);
    if (ok)
        ok = wsk_cli_replace(fopen(temp, "r+b"), true, temp, path, true);
    else
        unlink(temp);
    free(path);
    free(temp);
    return ok;
}

void wsk_full_close(wsk_full *f, bool done)
{
    if (!f)
        return;
    if (f->file)
        fclose(f->file);
    if (done)
        unlink(f->path);
    free(f->row);
    free(f->columns);
    free(f->path);
    free(f->dir);
    free(f);
}
