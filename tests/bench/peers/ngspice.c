/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Powers and changing flows are external sources, whose values ngspice requests at each iteration. This is faster than
 * a netlist with tables of values over time, which ngspice searches from the start each time. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <ngspice/sharedspice.h>

#include "tests/bench/peers/case.h"

enum { LINES = 4096 };
typedef struct {
    const wsk_bench_case *c;
    double **end_c;
    /* [vector of ngspice]: the number of the node whose temperature it holds; -1: of no node; -2: the time */
    int *place;
    int vectors, time, next;
    char *line[LINES];
    int lines;
    bool failed;
} job;

static void put(job *j, const char *head, int i, const char *tail)
{
    wsk_buf b = {0};
    wsk_buf_printf(&b, "%s%d %s", head, i, tail);
    wsk_buf_put(&b, "", 1);
    if (j->lines < LINES - 1)
        j->line[j->lines++] = b.data;
}

static void put_term(job *j, int i, bool varies)
{
    const wsk_term *t = &j->c->net->terms[i];
    double g = j->c->g[0][i];
    wsk_buf b = {0};
    char text[40];
    if (varies) {
        wsk_buf_printf(&b, "w%d 0 external", i);
        wsk_buf_put(&b, "", 1);
        put(j, "v", i, b.data);
        wsk_buf_free(&b);
        if (t->sense < 0)
            wsk_buf_printf(&b, "n%d n%d i=v(w%d)*v(n%d)", t->from, t->to, i, t->from);
        else
            wsk_buf_printf(&b, "n%d n%d i=v(w%d)*(v(n%d)-v(n%d))", t->from, t->to, i, t->from, t->sense);
    } else if (t->kind == WSK_TERM_CONDUCTANCE) {
        wsk_format_number(text, sizeof text, 1 / g);
        wsk_buf_printf(&b, "n%d n%d %s", t->from, t->to, text);
    } else {
        wsk_format_number(text, sizeof text, g);
        if (t->sense < 0)
            wsk_buf_printf(&b, "n%d n%d n%d 0 %s", t->from, t->to, t->from, text);
        else
            wsk_buf_printf(&b, "n%d n%d n%d n%d %s", t->from, t->to, t->from, t->sense, text);
    }
    wsk_buf_put(&b, "", 1);
    put(j, varies ? "b" : t->kind == WSK_TERM_CONDUCTANCE ? "r" : "g", i, b.data);
    wsk_buf_free(&b);
    if (varies) {
        wsk_format_number(text, sizeof text, g);
        wsk_buf_printf(&b, ")=%s", text);
        wsk_buf_put(&b, "", 1);
        put(j, ".ic v(w", i, b.data);
        wsk_buf_free(&b);
    }
}

static void put_node(job *j, int i)
{
    const wsk_bench_case *c = j->c;
    wsk_buf b = {0};
    char text[40];
    if (c->net->given[i]) {
        wsk_buf_printf(&b, "n%d 0 external", i);
        wsk_buf_put(&b, "", 1);
        put(j, "vt", i, b.data);
        wsk_buf_free(&b);
        return;
    }
    bool heat = false;
    for (int k = 0; k < c->n_second && !heat; k++)
        heat = c->watts[k][i] != 0;
    if (heat) {
        wsk_buf_printf(&b, "0 n%d external", i);
        wsk_buf_put(&b, "", 1);
        put(j, "i", i, b.data);
        wsk_buf_free(&b);
    }
    if (c->net->cap[i] > 0) {
        wsk_format_number(text, sizeof text, c->net->cap[i]);
        wsk_buf_printf(&b, "n%d 0 %s", i, text);
        wsk_format_number(text, sizeof text, c->start_c[i]);
        wsk_buf_printf(&b, " ic=%s", text);
        wsk_buf_put(&b, "", 1);
        put(j, "c", i, b.data);
        wsk_buf_free(&b);
    }
}

static void write_deck(job *j, double tolerance)
{
    const wsk_bench_case *c = j->c;
    wsk_buf b = {0};
    char text[40];
    put(j, "* network ", 0, "");
    for (int i = 0; i < c->n; i++)
        put_node(j, i);
    for (int i = 0; i < c->net->n_term; i++) {
        bool any = false, varies = false;
        for (int s = 0; s < c->n_set; s++) {
            any = any || c->g[s][i] > 0;
            varies = varies || c->g[s][i] < c->g[0][i] || c->g[s][i] > c->g[0][i];
        }
        if (any && c->net->terms[i].from < c->n && c->net->terms[i].from != c->net->terms[i].to)
            put_term(j, i, varies);
    }
    wsk_format_number(text, sizeof text, tolerance);
    wsk_buf_printf(&b, "reltol=%s vntol=1e-4 abstol=1e-4 chgtol=1e-2 method=gear maxord=2", text);
    wsk_buf_put(&b, "", 1);
    put(j, ".options itl4=50 gmin=1e-", 12, b.data);
    wsk_buf_free(&b);
    put(j, ".tran 1 ", c->n_second, "0 1 uic");
    j->line[j->lines++] = strdup(".end");
    j->line[j->lines] = NULL;
}

static int second_of(const job *j, double t)
{
    int k = (int)ceil(t - 1e-9) - 1;
    return k < 0 ? 0 : k >= j->c->n_second ? j->c->n_second - 1 : k;
}

static int say(char *text, int id, void *data)
{
    job *j = data;
    (void)id;
    if (getenv("WATTSINK_BENCH_SPICE"))
        fprintf(stderr, "%s\n", text);
    j->failed = j->failed || strstr(text, "aborted") || strstr(text, "too small");
    return 0;
}

static int leave(int status, NG_BOOL at_once, NG_BOOL quit, int id, void *data)
{
    (void)status, (void)at_once, (void)quit, (void)id;
    ((job *)data)->failed = true;
    return 0;
}

static int names(pvecinfoall all, int id, void *data)
{
    job *j = data;
    (void)id;
    free(j->place);
    j->vectors = all->veccount;
    j->place = calloc((size_t)all->veccount, sizeof *j->place);
    for (int i = 0; j->place && i < all->veccount; i++) {
        const char *name = all->vecs[i]->vecname, *at = name[0] == 'V' && name[1] == '(' ? name + 2 : name;
        j->place[i] =
            at[0] == 'n' && at[1] >= '0' && at[1] <= '9' && !strchr(at, '#') ? (int)strtol(at + 1, NULL, 10) : -1;
        if (!strcmp(name, "time"))
            j->time = i;
    }
    return 0;
}

static int take(pvecvaluesall all, int count, int id, void *data)
{
    job *j = data;
    (void)count, (void)id;
    double t = all->vecsa[j->time]->creal;
    if (j->next < j->c->n_second && t > j->next + 1 - 1e-6) {
        double *out = j->end_c[j->next++];
        for (int i = 0; i < all->veccount && i < j->vectors; i++)
            if (j->place[i] >= 0)
                out[j->place[i]] = all->vecsa[i]->creal;
    }
    return 0;
}

static int volts(double *v, double t, char *name, int id, void *data)
{
    const job *j = data;
    int k = second_of(j, t);
    (void)id;
    if (name[1] == 't')
        *v = j->c->given[k][strtol(name + 2, NULL, 10)];
    else
        *v = j->c->g[j->c->set[k]][strtol(name + 1, NULL, 10)];
    return 0;
}

static int amperes(double *a, double t, char *name, int id, void *data)
{
    const job *j = data;
    (void)id;
    *a = j->c->watts[second_of(j, t)][strtol(name + 1, NULL, 10)];
    return 0;
}

static int sync_to(double t, double *delta, double old, int redo, int id, int place, void *data)
{
    double left = floor(t + 1 + 1e-9) - t;
    (void)old, (void)id, (void)place, (void)data;
    if (*delta > left || left - *delta < 1e-6)
        *delta = left;
    return redo;
}

static double simulate(const wsk_bench_case *c, const wsk_bench_ode *ode, double tolerance, double **end_c)
{
    static job j; /* static, because ngspice keeps the pointer that it gets at its first initialisation */
    static bool begun;
    /* arrays, because ngspice writes into its command strings */
    char run[] = "run", forget[] = "destroy all", drop[] = "remcirc";
    (void)ode;
    j = (job){.c = c, .end_c = end_c};
    for (int k = 0; k < c->n_second; k++)
        for (int i = 0; i < c->n; i++)
            end_c[k][i] = NAN;
    if (!begun) {
        ngSpice_Init(say, say, leave, take, names, NULL, &j);
        ngSpice_Init_Sync(volts, amperes, sync_to, NULL, &j);
    }
    begun = true;
    write_deck(&j, tolerance);
    double began = wsk_bench_cpu_s();
    bool ok = ngSpice_Circ(j.line) == 0 && ngSpice_Command(run) == 0;
    double took = wsk_bench_cpu_s() - began;
    ngSpice_Command(forget);
    ngSpice_Command(drop);
    for (int i = 0; i < j.lines; i++)
        free(j.line[i]);
    free(j.place);
    j.place = NULL;
    return ok && !j.failed && j.next == c->n_second ? took : -1;
}

static const double loose_to_tight[] = {1e-2, 1e-4, 1e-5, 3e-6, 2e-6, 1e-6, 5e-7, 3e-7, 1e-7, 0};
const wsk_bench_peer wsk_peer_ngspice[] = {{"ngspice as a library", true, false, 300, 500, loose_to_tight, simulate},
                                           {.name = NULL}};
