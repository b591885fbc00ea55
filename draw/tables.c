/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables: what the summary says of each part, what happened, every input with its source, the balance. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw/report.h"

/* ---- a table of one of the summary's lists ---- */

typedef struct {
    wsk_result result;
    const char *head, *unit;
    int places;   /* -1: a text; -2: a share, in percent */
    bool of_time; /* seconds, shown as a share of the run */
} column;

static void open_table(wsk_report *r, const char *title, const char *css)
{
    fprintf(r->out,
            "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"%s\">\n<table "
            "class=\"%s\">\n<caption>%s</caption>\n",
            title, css, title);
}

static void close_table(wsk_report *r)
{
    fputs("</tbody>\n</table>\n</div>\n", r->out);
}

static void cell(wsk_report *r, size_t i, const column *c, bool *there)
{
    if (c->places == -1) {
        const char *text = wsk_report_said(r, c->result, i);
        *there = text[0] != '\0';
        wsk_report_text(r->out, text);
        return;
    }
    double v = wsk_report_result(r, c->result, i);
    *there = isfinite(v);
    if (!*there)
        fputs("–", r->out);
    else if (c->of_time || c->places == -2)
        wsk_report_percent(r->out, c->of_time ? v / r->simulated_s : v);
    else
        fprintf(r->out, "%s%.*f", v < -0.5 * pow(10, -c->places) ? "−" : "", c->places, fabs(v));
}

/* A column without a value in any row is left out. */
static void list_table(wsk_report *r, const char *title, const column *columns, size_t n)
{
    size_t rows = wsk_summary_count(r->summary, wsk_result_about(columns[0].result)->scope);
    bool used[24] = {false}, there;
    FILE *page = r->out;
    char *drop = NULL;
    size_t len;
    if (!rows || n > 24 || !(r->out = open_memstream(&drop, &len)))
        return;
    for (size_t i = 0; i < rows; i++)
        for (size_t k = 0; k < n; k++) {
            cell(r, i, &columns[k], &there);
            used[k] = used[k] || there;
        }
    fclose(r->out);
    free(drop);
    r->out = page;
    open_table(r, title, "");
    fputs("<thead><tr>", r->out);
    for (size_t k = 0; k < n; k++)
        if (used[k]) {
            fprintf(r->out, "<th scope=\"col\"%s>%s%s", columns[k].places == -1 ? " class=\"l\"" : "",
                    columns[k].head, columns[k].unit[0] ? ", " : "");
            wsk_report_text(r->out, columns[k].unit);
            fputs("</th>", r->out);
        }
    fputs("</tr></thead>\n<tbody>\n", r->out);
    for (size_t i = 0; i < rows; i++) {
        fputs("<tr>", r->out);
        for (size_t k = 0; k < n; k++) {
            if (!used[k])
                continue;
            fputs(k == 0 ? "<th scope=\"row\">" : columns[k].places == -1 ? "<td class=\"l\">" : "<td>", r->out);
            cell(r, i, &columns[k], &there);
            fputs(k == 0 ? "</th>" : "</td>", r->out);
        }
        fputs("</tr>\n", r->out);
    }
    close_table(r);
}

#define TABLE(r, title, columns) list_table(r, title, columns, sizeof columns / sizeof *columns)

void wsk_report_tables(wsk_report *r)
{
    static const column cards[] = {{WSK_R_GPU_ID, "card", "", -1, false},
                                   {WSK_R_GPU_PART, "part", "", -1, false},
                                   {WSK_R_GPU_SLOT, "slot", "", 0, false},
                                   {WSK_R_GPU_DIE_MEAN, "die", "°C", 1, false},
                                   {WSK_R_GPU_DIE_MAX, "at most", "°C", 1, false},
                                   {WSK_R_GPU_HOTSPOT_MAX, "hot spot", "°C", 1, false},
                                   {WSK_R_GPU_MEMORY_MAX, "memory", "°C", 1, false},
                                   {WSK_R_GPU_VRM_MAX, "VRM", "°C", 1, false},
                                   {WSK_R_GPU_INLET_MEAN, "inlet", "°C", 1, false},
                                   {WSK_R_GPU_POWER_MEAN, "power", "W", 1, false},
                                   {WSK_R_GPU_CLOCK_MEAN, "clock", "MHz", 0, false},
                                   {WSK_R_GPU_FAN_MEAN, "fan", "rpm", 0, false},
                                   {WSK_R_GPU_WORK, "work rate", "", 3, false},
                                   {WSK_R_GPU_LIMITED_BY_POWER, "held by power", "", 0, true},
                                   {WSK_R_GPU_LIMITED_BY_HEAT, "by heat", "", 0, true},
                                   {WSK_R_GPU_LIMITED_BY_MEMORY, "by memory", "", 0, true},
                                   {WSK_R_GPU_SLOWDOWN, "hardware", "", 0, true}};
    static const column intake[] = {{WSK_R_GPU_ID, "card", "", -1, false},
                                    {WSK_R_GPU_FROM_ROOM, "room", "", -2, false},
                                    {WSK_R_GPU_FROM_CASE, "case", "", -2, false},
                                    {WSK_R_GPU_FROM_NEIGHBOUR, "neighbour’s exhaust", "", -2, false},
                                    {WSK_R_GPU_FROM_OWN, "own exhaust", "", -2, false},
                                    {WSK_R_GPU_INLET_MEAN, "inlet", "°C", 1, false}};
    static const column psus[] = {{WSK_R_PSU_ID, "supply", "", -1, false},
                                  {WSK_R_PSU_PART, "part", "", -1, false},
                                  {WSK_R_PSU_RATED, "rated", "W", 0, false},
                                  {WSK_R_PSU_LOAD_MEAN, "load", "", -2, false},
                                  {WSK_R_PSU_LOAD_PEAK, "at most", "", -2, false},
                                  {WSK_R_PSU_EFFICIENCY, "efficiency", "", -2, false},
                                  {WSK_R_PSU_OVER_LIMIT, "overloaded", "s", 0, false},
                                  {WSK_R_PSU_TRIP, "trip probability", "", -2, false}};
    static const column fans[] = {
        {WSK_R_FAN_ID, "fan or pump", "", -1, false},    {WSK_R_FAN_COUNT, "alike", "", 0, false},
        {WSK_R_FAN_RPM, "speed", "rpm", 0, false},       {WSK_R_FAN_FLOW, "air", "m³/h", 1, false},
        {WSK_R_PUMP_FLOW, "coolant", "l/min", 2, false}, {WSK_R_FAN_POWER, "power", "W", 1, false},
        {WSK_R_FAN_NOISE, "noise", "dBA", 1, false}};
    static const column cases[] = {{WSK_R_CASE_ID, "case", "", -1, false},
                                   {WSK_R_CASE_PART, "part", "", -1, false},
                                   {WSK_R_CASE_AIR, "air", "°C", 1, false},
                                   {WSK_R_CASE_PRESSURE, "over room pressure", "Pa", 2, false},
                                   {WSK_R_CASE_FRESH_AIR, "fresh air", "m³/h", 1, false},
                                   {WSK_R_CASE_AIR_CHANGES, "changes a minute", "", 1, false}};
    static const column loops[] = {{WSK_R_LOOP_ID, "loop", "", -1, false},
                                   {WSK_R_LOOP_COOLANT_MEAN, "to the blocks", "°C", 1, false},
                                   {WSK_R_LOOP_COOLANT_MAX, "at most", "°C", 1, false},
                                   {WSK_R_LOOP_RETURN_MAX, "behind them at most", "°C", 1, false},
                                   {WSK_R_LOOP_FLOW, "flow", "l/min", 2, false}};
    const column months[] = {{WSK_R_MONTH_FROM, "from", "", -1, false},
                             {WSK_R_MONTH_SHARE, "share of a month", "", -2, false},
                             {WSK_R_MONTH_KWH, "energy", "kWh", 1, false},
                             {WSK_R_MONTH_PEAK, "peak", "kW", 3, false},
                             {WSK_R_MONTH_COST, "cost", r->currency, 2, false}};
    fputs("<section>\n<h2>In numbers</h2>\n", r->out);
    TABLE(r, "Cards", cards);
    TABLE(r, "Where their intake air comes from", intake);
    if (wsk_summary_count(r->summary, WSK_SCOPE_GPU) > 1 && isfinite(wsk_report_result(r, WSK_R_GPU_FROM_ROOM, 0)))
        fputs("<p class=\"note\">Shares are of the air. In the gap that a card draws from it is warmed further by "
              "the board of the card next to it: "
              "an inlet can be warmer than where all of its air comes from.</p>\n",
              r->out);
    TABLE(r, "Power supplies", psus);
    TABLE(r, "Fans and pumps", fans);
    TABLE(r, "Cases", cases);
    TABLE(r, "Coolant", loops);
    TABLE(r, "The bill by month", months);
    fputs("</section>\n", r->out);
}

/* ---- events ---- */

typedef struct {
    const char *text; /* component,what,why */
    size_t len, times;
    double first_s, last_s;
} happening;

static size_t count_events(const wsk_report *r, happening *list, size_t most, size_t *all)
{
    size_t n = 0;
    *all = 0;
    for (const char *row = strchr(r->events, '\n'); row && row[1]; row = strchr(row + 1, '\n')) {
        const char *p;
        double t = wsk_number_at(row + 1, &p);
        if (*p++ != ',' || isnan(t))
            continue;
        size_t len = strcspn(p, "\r\n"), i = 0;
        ++*all;
        while (i < n && (list[i].len != len || memcmp(list[i].text, p, len) != 0))
            i++;
        if (i == most)
            continue;
        if (i == n)
            list[n++] = (happening){.text = p, .len = len, .first_s = t};
        list[i].times++;
        list[i].last_s = t;
    }
    return n;
}

static void when(wsk_report *r, double t)
{
    char date[24], hour[16];
    if (isnan(r->from_s)) {
        wsk_report_span(r->out, t);
        return;
    }
    wsk_report_date(date, r->from_s + t);
    wsk_report_hour(hour, r->from_s + t);
    fprintf(r->out, "%s %s", date, hour);
}

/* What a card's driver calls a reason; NULL: it is words already. */
static const char *in_words(const char *why)
{
    static const char *const words[][2] = {{"sw_power_cap", "power limit"},
                                           {"sw_thermal_slowdown", "heat"},
                                           {"hw_slowdown", "hardware slowdown"},
                                           {"hw_thermal_slowdown", "heat"},
                                           {"hw_power_brake_slowdown", "power brake"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcmp(words[i][0], why))
            return words[i][1];
    return NULL;
}

void wsk_report_events(wsk_report *r)
{
    enum { MOST = 400 };
    happening *list = wsk_alloc(r->arena, MOST * sizeof *list);
    r->no_memory = r->no_memory || !list;
    size_t all, n = !list ? 0 : count_events(r, list, MOST, &all);
    if (n) {
        fprintf(r->out,
                "<section>\n<h2>What happened</h2>\n<details%s>\n<summary>%zu event%s of %zu kind%s</summary>\n",
                n <= 12 ? " open=\"\"" : "", all, all == 1 ? "" : "s", n, n == 1 ? "" : "s");
        open_table(r, "Events", "");
        fputs("<thead><tr><th scope=\"col\">component</th><th scope=\"col\" class=\"l\">what</th><th scope=\"col\" "
              "class=\"l\">why</th><th scope=\"col\">times</th>"
              "<th scope=\"col\">first</th><th scope=\"col\">last</th></tr></thead>\n<tbody>\n",
              r->out);
        for (size_t i = 0; i < n; i++) {
            const char *p = list[i].text, *end = p + list[i].len;
            fputs("<tr>", r->out);
            for (int k = 0; k < 3; k++) {
                size_t len = k < 2 ? strcspn(p, ",\r\n") : (size_t)(end - p);
                char text[1024];
                snprintf(text, sizeof text, "%.*s", (int)len, p);
                fputs(k ? "<td class=\"l\">" : "<td>", r->out);
                const char *plain = k == 2 ? in_words(text) : NULL;
                if (plain)
                    fprintf(r->out, "%s (", plain);
                wsk_report_text(r->out, text);
                fputs(plain ? ")</td>" : "</td>", r->out);
                p += len + (p + len < end);
            }
            fprintf(r->out, "<td>%zu</td><td>", list[i].times);
            when(r, list[i].first_s);
            fputs("</td><td>", r->out);
            when(r, list[i].last_s);
            fputs("</td></tr>\n", r->out);
        }
        close_table(r);
        fputs("</details>\n</section>\n", r->out);
    }
}

/* ---- inputs ---- */

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && !strcmp(a, b));
}

static bool same_origin(const wsk_origin_text *a, const wsk_origin_text *b)
{
    return a == b || (!strcmp(a->from, b->from) && !strcmp(a->kind, b->kind) && !strcmp(a->ref, b->ref) &&
                      !strcmp(a->spread, b->spread));
}

/* Elements that are equal, origins included, but for id and slot. */
static bool same_element(const wsk_element *a, const wsk_element *b)
{
    if (a->attribute_count != b->attribute_count || strcmp(a->element, b->element) != 0 ||
        strcmp(a->kind, b->kind) != 0 || !same_text(a->part, b->part) || !same_text(a->written, b->written))
        return false;
    for (size_t i = 0; i < a->attribute_count; i++) {
        const wsk_attribute *p = &a->attributes[i], *q = &b->attributes[i];
        if (strcmp(p->name, q->name) != 0 || !same_origin(p->origin, q->origin) ||
            (strcmp(p->text, q->text) != 0 && strcmp(p->name, "slot") != 0))
            return false;
    }
    return true;
}

/* Behind the element and all below it, which stand behind it in the list. */
static int behind(const wsk_elements *rig, int e)
{
    int i = e + 1;
    while (i < rig->count && rig->items[i].parent >= e)
        i++;
    return i;
}

/* An element alike, with all below it: then one table stands for both. */
static bool same(const wsk_elements *rig, int a, int b)
{
    int n = behind(rig, a) - a;
    if (behind(rig, b) - b != n)
        return false;
    for (int i = 0; i < n; i++)
        if (!same_element(&rig->items[a + i], &rig->items[b + i]) ||
            (i && rig->items[a + i].parent - a != rig->items[b + i].parent - b))
            return false;
    return true;
}

/* A value, its long fractions at the digits that people read: 55 CFM is 93.44559375360001 m3/h in the file. */
static void put_value(wsk_report *r, const char *value)
{
    static const char digits[] = "0123456789.";
    for (const char *p = value; *p;) {
        size_t n = strspn(p, digits), other = n ? 0 : strcspn(p, digits);
        const char *point = memchr(p, '.', n), *ends;
        char piece[256];
        if (n > 9 && point && point - p < 6 && p[n]) {
            fprintf(r->out, "%.*f", (int)(6 - (point - p)), wsk_number_at(p, &ends));
        } else {
            n = n + other < sizeof piece ? n + other : sizeof piece - 1;
            other = 0;
            snprintf(piece, sizeof piece, "%.*s", (int)n, p);
            wsk_report_text(r->out, piece);
        }
        p += n + other;
    }
}

/* A row for all values of one origin. */
static void put_origin(wsk_report *r, const wsk_element *e, const wsk_origin_text *origin)
{
    const char *const columns[] = {origin->from, origin->kind, origin->ref, origin->spread}, *before = "";
    fputs("<tr><td>", r->out);
    for (size_t i = 0; i < e->attribute_count; i++) {
        if (e->attributes[i].origin != origin)
            continue;
        fputs(before, r->out);
        wsk_report_text(r->out, e->attributes[i].name);
        fputs(" <b>", r->out);
        put_value(r, e->attributes[i].text);
        fputs("</b>", r->out);
        before = "<br>";
    }
    fputs("</td>", r->out);
    for (int k = 0; k < 4; k++) {
        fputs("<td>", r->out);
        wsk_report_text(r->out, columns[k]);
        fputs("</td>", r->out);
    }
    fputs("</tr>\n", r->out);
}

static void put_table(wsk_report *r, const wsk_element *e)
{
    open_table(r, "Values and their sources", "src");
    fputs("<thead><tr><th scope=\"col\">value</th><th scope=\"col\">from</th><th scope=\"col\">kind</th><th "
          "scope=\"col\">source</th><th scope=\"col\">spread</th></tr></thead>\n<tbody>\n",
          r->out);
    for (size_t i = 0; i < e->attribute_count; i++) {
        size_t k = 0;
        while (e->attributes[k].origin != e->attributes[i].origin)
            k++;
        if (k == i)
            put_origin(r, e, e->attributes[i].origin);
    }
    close_table(r);
}

static void put_element(wsk_report *r, int at)
{
    const wsk_element *e = &r->rig->items[at];
    const char *slot = wsk_elements_text(r->rig, at, "slot");
    int like = -1;
    for (int i = 0; i < at && like < 0; i++)
        if (same(r->rig, i, at))
            like = i;
    fputs(like >= 0 ? "<p>" : e->parent < 0 ? "<details open=\"\">\n<summary>" : "<details>\n<summary>", r->out);
    fputs("&lt;", r->out);
    wsk_report_text(r->out, e->element);
    fputs("&gt; <b>", r->out);
    wsk_report_text(r->out, e->id);
    fputs("</b> ", r->out);
    wsk_report_text(r->out, e->part ? e->part : "");
    if (like >= 0) {
        fputs(": as ", r->out);
        wsk_report_text(r->out, r->rig->items[like].id);
        if (slot) {
            fputs(", but slot ", r->out);
            wsk_report_text(r->out, slot);
        }
        fputs("</p>\n", r->out);
        return;
    }
    fputs("</summary>\n", r->out);
    put_table(r, e);
    for (int c = at + 1; c < behind(r->rig, at); c++)
        if (r->rig->items[c].parent == at)
            put_element(r, c);
    fputs("</details>\n", r->out);
}

void wsk_report_inputs(wsk_report *r)
{
    double assumed = wsk_report_result(r, WSK_R_ASSUMED, 0);
    fputs("<section>\n<h2>Every input and its source</h2>\n<p class=\"note\">The rig as it was simulated "
          "(rig.resolved.xml).",
          r->out);
    if (isfinite(assumed))
        fprintf(r->out, " %.0f values are assumed: no data sheet or measurement of their own stands behind them.",
                assumed);
    fputs("</p>\n", r->out);
    put_element(r, 0);
    fputs("</section>\n", r->out);
}

/* ---- balance ---- */

void wsk_report_balance(wsk_report *r)
{
    static const struct {
        wsk_result energy;
        const char *name;
    } rows[] = {{WSK_R_WALL_KWH, "drawn at the wall"},
                {WSK_R_ROOM_COOLING_KWH, "drawn by the air conditioner"},
                {WSK_R_HEAT_OUT_KWH, "left the system as heat"},
                {WSK_R_STORED_KWH, "still warms what the rig is made of"}};
    double residual = wsk_report_result(r, WSK_R_RESIDUAL, 0), splitting = wsk_report_result(r, WSK_R_SPLITTING, 0);
    fputs("<section>\n<h2>Energy balance</h2>\n", r->out);
    open_table(r, "What came in, went out and stayed", "");
    fputs("<thead><tr><th scope=\"col\">account</th><th scope=\"col\">kWh</th></tr></thead>\n<tbody>\n", r->out);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double v = wsk_report_result(r, rows[i].energy, 0);
        if (isfinite(v))
            fprintf(r->out, "<tr><th scope=\"row\">%s</th><td>%.6g</td></tr>\n", rows[i].name, v);
    }
    close_table(r);
    if (isfinite(residual))
        fprintf(r->out,
                "<p>What went in, less what left and what is stored: <b>%.1e</b> of the input (a run above 1e-9 is "
                "refused).",
                residual);
    if (isfinite(splitting))
        fprintf(r->out, " Error of the step’s splitting: %.1e.", splitting);
    fputs(" The balance proves the booking, not that the model is right.</p>\n</section>\n", r->out);
}
