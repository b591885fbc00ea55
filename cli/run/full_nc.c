/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run --full: writes the NetCDF-4 file, by the CF (Climate and Forecast) conventions 1.8. Only --full loads
 * libnetcdf, with dlopen(), because loading it takes longer than most commands run; a program that was built without it
 * says so. */
#ifdef WSK_NETCDF
#include <dlfcn.h>
#include <errno.h>
#include <netcdf.h>
#include <stdlib.h>
#include <string.h>

#include "cli/run/full.h"

/* Number of rows in a chunk (unit of storage) of the NetCDF file, and in the block of rows that is read at once. */
enum { BLOCK = 8192 };

/* Units of the table of variables in the spelling of the library UDUNITS, which CF requires. dBA: ten times the
 * logarithm of a squared sound pressure divided by (20 uPa)^2. */
static const char *const units[][2] = {
    {"degC", "degree_Celsius"}, {"VA", "V A"}, {"kWh", "kW h"}, {"dBA", "0.1 lg(re 4e-10 Pa2)"}, {"", "1"}};

/* The functions of libnetcdf that are used, without their prefix: X(return type, create, parameters) for nc_create. */
// clang-format off
#define FUNCTIONS(X) \
    X(int, create, (const char *, int, int *)) \
    X(int, def_dim, (int, const char *, size_t, int *)) \
    X(int, def_var, (int, const char *, nc_type, int, const int *, int *)) \
    X(int, def_var_chunking, (int, int, int, const size_t *)) \
    X(int, def_var_deflate, (int, int, int, int, int)) \
    X(int, set_var_chunk_cache, (int, int, size_t, size_t, float)) \
    X(int, put_att_text, (int, int, const char *, size_t, const char *)) \
    X(int, inq_varid, (int, const char *, int *)) \
    X(int, enddef, (int)) \
    X(int, put_vara_double, (int, int, const size_t *, const size_t *, const double *)) \
    X(int, put_vara_float, (int, int, const size_t *, const size_t *, const float *)) \
    X(int, close, (int)) \
    X(const char *, strerror, (int))
#define MEMBER(type, name, args) type(*name) args;
#define NAME(type, name, args) "nc_" #name,
#define AS_DECLARED(type, name, args) _Static_assert(_Generic(&nc_##name, type(*) args: 1, default: 0), "as in netcdf.h");
typedef struct {
    FUNCTIONS(MEMBER)
} netcdf;
static const char *const names[] = {FUNCTIONS(NAME)};
FUNCTIONS(AS_DECLARED)
// clang-format on
_Static_assert(sizeof(netcdf) == sizeof names / sizeof *names * sizeof(void *),
               "a function's address is one of data, as POSIX has it");

static bool load(netcdf *nc)
{
    void *library = dlopen(WSK_NETCDF, RTLD_NOW | RTLD_LOCAL);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        void *at = library ? dlsym(library, names[i]) : NULL;
        if (!at)
            return false;
        memcpy((char *)nc + i * sizeof at, &at, sizeof at);
    }
    return true;
}

const char *wsk_full_missing(void)
{
    netcdf nc;
    if (load(&nc))
        return NULL;
    static char text[200];
    snprintf(text, sizeof text, T_("--full writes NetCDF, whose library %s is not installed"), WSK_NETCDF);
    return text;
}

typedef struct {
    netcdf nc;
    /* file, time, dim: ids of the file (-1: not open), of the variable "time" and of its dimension. error: status of
     * the first call that failed, else NC_NOERR. */
    int file, time, dim, error;
    int *variable; /* variable[i]: id of the variable of column i */
} writer;

static void check(writer *w, int status)
{
    if (w->error == NC_NOERR)
        w->error = status;
}

static void text(writer *w, int variable, const char *name, const char *value)
{
    check(w, w->nc.put_att_text(w->file, variable, name, strlen(value), value));
}

/* Defines a compressed variable over time. The variable's cache holds one chunk, which is enough for appending; larger
 * caches would take much memory, because each of hundreds of variables has a cache. */
static int define_variable(writer *w, const char *name, bool sum)
{
    size_t chunk = BLOCK, size = sum ? sizeof(double) : sizeof(float);
    int id = -1;
    check(w, w->nc.def_var(w->file, name, sum ? NC_DOUBLE : NC_FLOAT, 1, &w->dim, &id));
    check(w, w->nc.def_var_chunking(w->file, id, NC_CHUNKED, &chunk));
    check(w, w->nc.def_var_deflate(w->file, id, 1, 1, 1));
    check(w, w->nc.set_var_chunk_cache(w->file, id, BLOCK * size, 1, 1));
    return id;
}

static void describe(writer *w, int id, const wsk_full_column *c, const char *currency)
{
    const char *unit = c->row->unit;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (!strcmp(unit, units[i][0]))
            unit = units[i][1];
    text(w, id, "units", unit);
    const char *owner_end = c->row->owner == WSK_OF_RIG ? NULL : strrchr(c->name, '.');
    char *name = owner_end ? wsk_cli_format("%.*s: %s", (int)(owner_end - c->name), c->name, c->row->label)
                           : wsk_cli_format("%s", c->row->label);
    text(w, id, "long_name", name);
    free(name);
    if (c->row->standard)
        text(w, id, "standard_name", c->row->standard);
    text(w, id, "series_name", c->name);
    if (c->row->row == WSK_VAR_COST || c->row->row == WSK_VAR_COST_OTHER)
        text(w, id, "currency", currency);
    text(w, id, "cell_methods", "time: point");
}

/* A name that CF 1.8, section 2.3, allows and no variable has: a letter, then letters, digits and "_", with a number
 * appended if the name is taken. Caller frees. */
static char *free_name(const writer *w, const char *name)
{
    bool letter = (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z');
    char *plain = wsk_cli_format("%s%s", letter ? "" : "x", name);
    int id;
    for (char *p = plain; *p; p++)
        if (!((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || (*p >= '0' && *p <= '9')))
            *p = '_';
    char *own = wsk_cli_format("%s", plain);
    for (int k = 2; w->nc.inq_varid(w->file, own, &id) == NC_NOERR; k++) {
        free(own);
        own = wsk_cli_format("%s_%d", plain, k);
    }
    free(plain);
    return own;
}

static void define(writer *w, const wsk_full_table *t)
{
    char *source = wsk_cli_format("wattsink %s", wsk_version());
    check(w, w->nc.create(t->path, NC_NETCDF4 | NC_CLOBBER, &w->file));
    if (w->error)
        w->file = -1;
    check(w, w->nc.def_dim(w->file, "time", NC_UNLIMITED, &w->dim));
    w->time = define_variable(w, "time", true);
    text(w, w->time, "units", t->since);
    text(w, w->time, "long_name", "end of the step");
    text(w, w->time, "axis", "T");
    text(w, w->time, "standard_name", "time");
    text(w, w->time, "calendar", "proleptic_gregorian");
    if (!t->dated)
        text(w, w->time, "comment", "the rig has no date: counted from a nominal 1970-01-01 00:00");
    for (size_t i = 0; i < t->count; i++) {
        char *name = free_name(w, t->columns[i].name);
        w->variable[i] = define_variable(w, name, t->columns[i].sum);
        free(name);
        describe(w, w->variable[i], &t->columns[i], t->currency);
    }
    text(w, NC_GLOBAL, "Conventions", "CF-1.8");
    text(w, NC_GLOBAL, "title", t->title);
    text(w, NC_GLOBAL, "source", source);
    text(w, NC_GLOBAL, "rig_digest", t->digest);
    check(w, w->nc.enddef(w->file));
    free(source);
}

static void put_column(writer *w, int id, bool sum, const char *first, size_t row_size, size_t from, size_t rows,
                       void *column)
{
    size_t size = sum ? sizeof(double) : sizeof(float);
    for (size_t r = 0; r < rows; r++)
        memcpy((char *)column + r * size, first + r * row_size, size);
    check(w, sum ? w->nc.put_vara_double(w->file, id, &from, &rows, column)
                 : w->nc.put_vara_float(w->file, id, &from, &rows, column));
}

bool wsk_full_netcdf(const wsk_full_table *t, FILE *rows)
{
    writer w = {.file = -1};
    if (!load(&w.nc)) {
        wsk_cli_error(T_("cannot write %s: %s"), t->path, wsk_full_missing());
        return false;
    }
    w.variable = wsk_cli_alloc((t->count + 1) * sizeof *w.variable);
    char *block = wsk_cli_alloc(BLOCK * t->row_size);
    double *column = wsk_cli_alloc(BLOCK * sizeof *column);
    bool read = true;
    int why = 0;
    define(&w, t);
    for (uint64_t at = 0; at < t->rows && w.error == NC_NOERR && read;) {
        size_t n = t->rows - at < BLOCK ? (size_t)(t->rows - at) : BLOCK, offset = sizeof(double);
        read = fread(block, t->row_size, n, rows) == n;
        why = errno;
        if (!read)
            break;
        put_column(&w, w.time, true, block, t->row_size, (size_t)at, n, column);
        for (size_t i = 0; i < t->count; i++) {
            put_column(&w, w.variable[i], t->columns[i].sum, block + offset, t->row_size, (size_t)at, n, column);
            offset += t->columns[i].sum ? sizeof(double) : sizeof(float);
        }
        at += n;
    }
    if (w.file >= 0)
        check(&w, w.nc.close(w.file));
    if (!read)
        wsk_cli_error(T_("cannot read %s: %s"), t->rows_path, T_(strerror(why)));
    else if (w.error)
        wsk_cli_error(T_("cannot write %s: %s"), t->path, w.nc.strerror(w.error));
    free(column);
    free(block);
    free(w.variable);
    return w.error == NC_NOERR && read;
}
#else
#include "cli/run/full.h"

const char *wsk_full_missing(void)
{
    return T_("--full writes NetCDF, which this program was built without; install libnetcdf-dev (Debian's name) and "
              "run make again");
}

bool wsk_full_netcdf(const wsk_full_table *table, FILE *rows)
{
    (void)table;
    (void)rows;
    return false;
}
#endif
