/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/kit/money.h"
#include "cli/plot/plot.h"
#include "cli/sweep/rule.h"

typedef struct {
    size_t id;
    double x, y;
    /* most_x, most_y: a larger x, a larger y is better. met: the case meets the condition; after find_front, it is also
     * among the least overloaded such cases. front: it is a Pareto optimum. */
    bool most_x, most_y, met, front;
    wsk_cli_burden burden;
} point;
typedef struct {
    wsk_sweep_asked *asked;
    point *points;
    size_t count, room;
} cloud;

static bool collect(void *ctx, size_t id, const wsk_cell *cells)
{
    cloud *c = ctx;
    const wsk_question *q = &c->asked->question;
    bool met = wsk_sweep_meets(c->asked, cells);
    double x = wsk_expr_value(q->goals[0].value, c->asked->values);
    double y = wsk_expr_value(q->goals[1].value, c->asked->values);
    if (!isfinite(x) || !isfinite(y))
        return true;
    if (c->count == c->room) {
        c->room = c->room ? 2 * c->room : 1024;
        point *grown = realloc(c->points, c->room * sizeof *grown);
        wsk_cli_check_memory(grown != NULL);
        c->points = grown;
    }
    c->points[c->count++] = (point){id, x, y, q->goals[0].most, q->goals[1].most, met, false, c->asked->burden};
    return true;
}

static int compare(double a, double b, bool most)
{
    return most ? (b > a) - (b < a) : (a > b) - (a < b);
}

static int best_first(const void *a, const void *b)
{
    const point *p = a, *q = b;
    int order = compare(p->x, q->x, p->most_x);
    if (!order)
        order = compare(p->y, q->y, p->most_y);
    return order ? order : (p->id > q->id) - (p->id < q->id);
}

/* Marks the Pareto front among the least overloaded cases that meet the condition. With the cases sorted by the first
 * goal, a case is on the front exactly if it is better in the second goal than the last front case before it. */
static void find_front(cloud *c)
{
    const point *last = NULL;
    wsk_cli_burden least = WSK_CLI_STOPS;
    for (size_t i = 0; i < c->count; i++)
        least = c->points[i].met && c->points[i].burden < least ? c->points[i].burden : least;
    for (size_t i = 0; i < c->count; i++)
        c->points[i].met = c->points[i].met && c->points[i].burden == least;
    if (c->count)
        qsort(c->points, c->count, sizeof *c->points, best_first);
    for (size_t i = 0; i < c->count; i++) {
        point *p = &c->points[i];
        p->front = p->met && (!last || compare(p->y, last->y, p->most_y) < 0);
        if (p->front)
            last = p;
    }
}

typedef struct {
    FILE *out;
    bool number; /* the axis that colours the points has numbers, not texts */
    const point *p;
    size_t best; /* id of the case that --best found; 0: none */
} data_row;

static bool put_point(void *ctx, size_t id, const wsk_cell *cells)
{
    const data_row *r = ctx;
    char x[32], y[32], axis[32];
    wsk_sweep_number(x, r->p->x);
    wsk_sweep_number(y, r->p->y);
    wsk_sweep_number(axis, cells[1].number);
    fprintf(r->out, "%zu,%s,%s,%d,%d,%d,", id, x, y, r->p->met, r->p->front, id == r->best);
    if (r->number)
        fputs(axis, r->out);
    else
        wsk_sweep_put_quoted(r->out, cells[1].text ? cells[1].text : "");
    fputc(',', r->out);
    wsk_sweep_put_quoted(r->out, cells[0].text ? cells[0].text : "");
    fputc('\n', r->out);
    return true;
}

typedef struct {
    char name[8];
    bool several; /* the cases have several currencies, or the currency is not stored */
} currency;

static bool see_currency(void *ctx, size_t id, const wsk_cell *cells)
{
    currency *c = ctx;
    const char *mine = cells[0].text ? cells[0].text : "";
    (void)id;
    c->several = c->several || wsk_cli_other_currency(c->name, mine);
    if (!c->name[0])
        snprintf(c->name, sizeof c->name, "%s", mine);
    return !c->several;
}

/* The currency of all cases; named: the result that holds its name. */
static currency find_currency(const wsk_sweep *s, wsk_result named)
{
    currency c = {.several = !wsk_sweep_has_column(&s->columns, wsk_result_about(named)->key)};
    wsk_cli_list column = {0};
    wsk_cli_push(&column, wsk_result_about(named)->key);
    if (!c.several)
        wsk_store_each(s->store, 0, &column, see_currency, &c);
    free(column.items);
    if (c.several)
        c.name[0] = '\0';
    return c;
}

/* money, bought: currencies of electricity and of the parts; "": not known. */
static const char *unit_of(const wsk_result_row *row, const char *money, const char *bought, char text[48])
{
    static const char any[] = "currency";
    const char *rest = row->unit + strlen(any);
    if (!strcmp(row->unit, "purchase currency"))
        return bought;
    if (!strncmp(row->unit, any, strlen(any)) && (!*rest || *money)) {
        snprintf(text, 48, "%s%s", *money ? money : T_("in the tariff's currency"), rest);
        return text;
    }
    return !strcmp(row->unit, "degC") ? "°C" : !strcmp(row->unit, "1") ? "" : row->unit;
}

static void put_axis(FILE *out, const char *name, const char *goal, const char *money, const char *bought)
{
    wsk_result_place p;
    char *text = NULL;
    if (wsk_result_find(&p, goal) && p.over == WSK_OVER_NONE && p.member <= 0 && !strchr(goal, '[')) {
        const wsk_result_row *row = wsk_result_about(p.result);
        char money_unit[48];
        const char *unit = unit_of(row, money, bought, money_unit);
        const char *label = T_(row->label);
        text = *unit ? wsk_cli_format("%s (%s)", label, unit) : wsk_cli_format("%s", label);
    }
    wsk_plot_quote(out, name, text ? text : goal);
    free(text);
}

/* Index of the varied path whose value colours the points: the first path with at most 8 values that are not numbers,
 * else path 0. */
static size_t colour_member(const wsk_sweep_design *d)
{
    for (size_t m = 0; m < d->member_count; m++)
        if (!d->members[m].number && d->members[m].values.count <= 8)
            return m;
    return 0;
}

static char *script_lines(const wsk_sweep *s, const wsk_question *q, size_t member)
{
    const wsk_sweep_member *m = &s->design.members[member];
    char *text = NULL;
    size_t len = 0;
    FILE *out = wsk_cli_text(&text, &len);
    const currency money = find_currency(s, WSK_R_CURRENCY), bought = find_currency(s, WSK_R_PURCHASE_CURRENCY);
    put_axis(out, "x_name", q->goals[0].text, money.name, bought.name);
    put_axis(out, "y_name", q->goals[1].text, money.name, bought.name);
    fprintf(out, "x_most = %d\ny_most = %d\n", q->goals[0].most, q->goals[1].most);
    wsk_plot_quote(out, "condition", q->where ? q->where_text : "");
    wsk_plot_quote(out, "axis_name", m->path);
    wsk_plot_quote(out, "axis_unit", m->unit + strspn(m->unit, " "));
    fprintf(out, "axis_number = %d\narray level[%zu]\nlevel[1] = ''\n", m->number,
            m->values.count ? m->values.count : 1);
    fprintf(out, "levels = %zu\n", m->number ? 0 : m->values.count);
    for (size_t i = 0; !m->number && i < m->values.count; i++) {
        char name[32];
        snprintf(name, sizeof name, "level[%zu]", i + 1);
        wsk_plot_quote(out, name, m->values.items[i]);
    }
    fclose(out);
    return text;
}

static char *pictures(const wsk_sweep *s)
{
    size_t dot = strlen(s->out);
    while (dot > 0 && s->out[dot] != '.')
        dot--;
    return wsk_cli_format("%.*s.plots", (int)dot, s->out);
}

void wsk_sweep_forget_front(const wsk_sweep *s)
{
    char *folder = pictures(s);
    wsk_plot_forget(folder, "pareto", true);
    free(folder);
}

static int draw(wsk_sweep *s, const cloud *c, size_t best)
{
    size_t member = colour_member(&s->design), len = 0;
    wsk_cli_list columns = {0};
    char *csv = NULL, *lines = script_lines(s, &c->asked->question, member);
    int code = WSK_OK;
    wsk_cli_push(&columns, "label");
    wsk_cli_push(&columns, s->design.members[member].path);
    FILE *out = wsk_cli_text(&csv, &len);
    fputs("id,x,y,met,front,best,axis,label\n", out);
    /* Rows of the front come first, because plots/pareto.gp draws the front as a staircase through the first rows. */
    for (size_t i = 0; i < 2 * c->count; i++) {
        const point *p = &c->points[i % c->count];
        data_row row = {out, s->design.members[member].number, p, best};
        if (p->front == (i < c->count) && !wsk_store_each(s->store, p->id, &columns, put_point, &row))
            break;
    }
    if (fclose(out) == 0) {
        char *folder = pictures(s);
        const wsk_plot_table table = {.name = "pareto",
                                      .csv = csv,
                                      .columns = " id x y met front best axis label ",
                                      .rig_name = s->rig_name,
                                      .script = lines,
                                      .interval_s = 1,
                                      .optional = true};
        code = wsk_plot_draw(folder, &table, s->format, s->quiet);
        free(folder);
    }
    free(columns.items);
    free(lines);
    free(csv);
    return code;
}

/* Lists the cases of the front. The list stays empty if a rule of rule.h forbids to compare the cases. */
static void take_front(const wsk_sweep *s, const cloud *c, wsk_sweep_front *front, wsk_sweep_ruling *ruling)
{
    const wsk_question *q = &c->asked->question;
    size_t *ranked = wsk_cli_alloc((c->count + 1) * sizeof *ranked), n = 0;
    front->ids = wsk_cli_alloc((c->count + 1) * sizeof *front->ids);
    for (size_t i = 0; i < c->count; i++) {
        const point *p = &c->points[i];
        if (p->met)
            ranked[n++] = p->id;
        if (!p->front)
            continue;
        front->ids[front->count++] = p->id;
        wsk_sweep_rule_cost(&q->goals[0], p->x, p->id, ruling);
        wsk_sweep_rule_cost(&q->goals[1], p->y, p->id, ruling);
    }
    if (wsk_sweep_asks_cards(s, q))
        wsk_sweep_rule_cards(s, q, ranked, n, ruling);
    free(ranked);
    front->why = ruling->outcome;
    if (front->why != WSK_SWEEP_RANKED)
        front->count = 0;
}

static int tell_front(wsk_sweep *s, const cloud *c, const wsk_sweep_front *front, FILE *out)
{
    enum { SHOWN = 40 };
    const wsk_question *q = &c->asked->question;
    const wsk_goal *g = q->goals;
    const size_t n = front->count;
    const char *x_way = g[0].most ? "max" : "min", *y_way = g[1].most ? "max" : "min";
    if (q->where)
        wsk_cli_say(out, T_("Pareto front of %1$s %2$s, %3$s %4$s where %5$s: %6$zu of %7$zu cases\n\n"), x_way,
                    g[0].text, y_way, g[1].text, q->where_text, n, c->count);
    else
        wsk_cli_say(out, T_("Pareto front of %1$s %2$s, %3$s %4$s: %5$zu of %6$zu cases\n\n"), x_way, g[0].text,
                    y_way, g[1].text, n, c->count);
    const int code = n ? wsk_sweep_table(s, c->asked, out, front->ids, NULL, n < SHOWN ? n : SHOWN) : WSK_OK;
    if (n > SHOWN)
        fprintf(out, T_("  More cases on the front: %zu\n"), n - SHOWN);
    if (n)
        fputc('\n', out);
    return code;
}

int wsk_sweep_pareto(wsk_sweep *s, FILE *out, size_t best, wsk_sweep_front *front)
{
    wsk_sweep_asked a;
    wsk_sweep_ruling ruling = {.outcome = WSK_SWEEP_RANKED};
    *front = (wsk_sweep_front){0};
    if (!wsk_sweep_read_question(s, &a, 2, false, true)) {
        wsk_sweep_asked_free(&a);
        return WSK_EUSAGE;
    }
    cloud c = {.asked = &a};
    int code = wsk_store_each(s->store, 0, &a.columns, collect, &c) ? WSK_OK : WSK_ERUN;
    find_front(&c);
    take_front(s, &c, front, &ruling);
    if (code == WSK_OK && out && front->why != WSK_SWEEP_RANKED)
        wsk_sweep_tell_ruling(out, &ruling);
    else if (code == WSK_OK && out)
        code = tell_front(s, &c, front, out);
    if (code == WSK_OK && out && front->count)
        code = draw(s, &c, best);
    else if (code == WSK_OK && out)
        wsk_sweep_forget_front(s);
    free(c.points);
    wsk_sweep_asked_free(&a);
    return code;
}
