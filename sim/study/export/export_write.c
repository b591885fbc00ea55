/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "sim/study/export/export.h"

static void number(wsk_buf *o, const char *before, double v)
{
    char t[40];
    wsk_format_number(t, sizeof t, v);
    wsk_buf_printf(o, "%s%s", before, t);
}

static bool any_flow(const wsk_exported *e, int term)
{
    for (int k = 0; k < e->n_step; k++)
        if (e->steps[k].g[term] > 0)
            return true;
    return false;
}

static bool flow_varies(const wsk_exported *e, int term)
{
    for (int k = 1; k < e->n_step; k++)
        if (e->steps[k].g != e->steps[k - 1].g && e->steps[k].g[term] < e->steps[0].g[term])
            return true;
        else if (e->steps[k].g[term] > e->steps[0].g[term])
            return true;
    return false;
}

/* Name of a node for SPICE. It is in small letters, because SPICE ignores case. */
static char *spice_name(const wsk_heat_net *x, int node)
{
    char *name = wsk_strdup(x->arena, x->name[node]);
    for (char *c = name; c && *c; c++) {
        bool upper = *c >= 'A' && *c <= 'Z',
             plain = (*c >= 'a' && *c <= 'z') || (*c >= '0' && *c <= '9') || *c == '.';
        *c = (char)(upper ? *c + ('a' - 'A') : plain ? *c : '_');
    }
    return name;
}

static char **spice_names(const wsk_heat_net *x)
{
    char **names = wsk_alloc(x->arena, ((size_t)x->n_node + 1) * sizeof *names);
    for (int i = 0; names && i < x->n_node; i++) {
        names[i] = spice_name(x, i);
        for (int k = 0; names[i] && k < i; k++)
            if (strcmp(names[i], names[k]) == 0)
                names[i] = wsk_printf(x->arena, "%s.%d", names[i], i);
        if (!names[i])
            return NULL;
    }
    return names;
}

typedef enum { OF_HEAT, OF_GIVEN, OF_FLOW } quantity;

static double value_at(const wsk_exported *e, quantity what, int i, int step)
{
    const wsk_exported_step *s = &e->steps[step];
    return what == OF_HEAT ? s->heat_w[i] : what == OF_GIVEN ? s->temp_c[i] : s->g[i];
}

static void spice_value(const wsk_exported *e, quantity what, int i, wsk_buf *o)
{
    const double edge_s = 1e-3;
    double last = value_at(e, what, i, 0);
    bool opened = false;
    for (int k = 1; k < e->n_step; k++) {
        double v = value_at(e, what, i, k), t = e->steps[k - 1].until_s;
        if (!(v < last) && !(v > last))
            continue;
        if (!opened)
            number(o, " PWL(0 ", last);
        opened = true;
        number(o, "\n+ ", t);
        number(o, " ", last);
        number(o, " ", t + edge_s);
        number(o, " ", v);
        last = v;
    }
    if (opened)
        wsk_buf_put(o, ")\n", 2);
    else
        number(o, " ", last), wsk_buf_put(o, "\n", 1);
}

static void spice_head(const wsk_exported *e, wsk_buf *o)
{
    wsk_buf_printf(o, "* wattsink %s, rig %s: ", wsk_version(), e->digest);
    for (const char *c = e->rig; *c; c++)
        wsk_buf_put(o, (unsigned char)*c < 0x20 ? " " : c, 1);
    wsk_buf_printf(
        o,
        "\n* The heat network. 1 V = 1 K: voltages are degC, currents watts, conductances W/K, capacities J/K (1 F "
        "=\n"
        "* 1 J/K), time seconds. Air without capacity follows at once. I: watts into a node. R: conductance. G from "
        "up\n"
        "* to down, driven by up alone: what a stream carries; driven by two nodes: fins that sense the air before\n"
        "* them and give to the air behind. V: given temperatures.\n");
    if (!e->replay)
        wsk_buf_printf(o, "* Flows and watts are those of the steady point%s; IC: its temperatures.\n",
                       e->moving ? ", means over ten minutes: its fans do not rest" : "");
    else
        wsk_buf_printf(
            o, "* Watts and flows of each step from the start, in edges of a millisecond; IC: temperatures at 0.\n");
}

static void spice_node(const wsk_exported *e, char **name, int i, wsk_buf *o)
{
    const wsk_heat_net *x = e->heat_net;
    bool heat = false;
    if (x->given[i]) {
        wsk_buf_printf(o, "V%d %s 0", i, name[i]);
        spice_value(e, OF_GIVEN, i, o);
        return;
    }
    if (x->cap[i] > 0) {
        wsk_buf_printf(o, "C%d %s 0", i, name[i]);
        number(o, " ", x->cap[i]);
        number(o, " IC=", e->start_c[i]);
        wsk_buf_put(o, "\n", 1);
    }
    for (int k = 0; k < e->n_step && !heat; k++)
        heat = fabs(e->steps[k].heat_w[i]) > 0;
    if (heat) {
        wsk_buf_printf(o, "I%d 0 %s", i, name[i]);
        spice_value(e, OF_HEAT, i, o);
    }
}

static void spice_term(const wsk_exported *e, char **name, int i, wsk_buf *o)
{
    const wsk_term *t = &e->heat_net->terms[i];
    const char *from = name[t->from], *to = name[t->to], *sense = t->sense < 0 ? "0" : name[t->sense];
    double g = e->steps[0].g[i];
    if (!any_flow(e, i) || t->from == t->to)
        return;
    if (flow_varies(e, i)) {
        wsk_buf_printf(o, "Vf%d flow.%d 0", i, i);
        spice_value(e, OF_FLOW, i, o);
        number(o, ".ic v(flow.", i); /* without .ic, the conductance would be 0 in the solver's first iteration */
        number(o, ")=", g);
        wsk_buf_put(o, "\n", 1);
        wsk_buf_printf(o, "Bf%d %s %s I=v(flow.%d)*", i, from, to, i);
        if (t->sense < 0)
            wsk_buf_printf(o, "v(%s)\n", from);
        else
            wsk_buf_printf(o, "(v(%s)-v(%s))\n", from, sense);
        return;
    }
    if (t->kind == WSK_TERM_CONDUCTANCE) {
        wsk_buf_printf(o, "R%d %s %s", i, from, to);
        number(o, " ", 1 / g);
    } else {
        wsk_buf_printf(o, "G%d %s %s %s %s", i, from, to, from, sense);
        number(o, " ", g);
    }
    wsk_buf_put(o, "\n", 1);
}

bool wsk_export_spice(const wsk_exported *e, wsk_buf *o)
{
    const wsk_heat_net *x = e->heat_net;
    char **name = spice_names(x);
    if (!name)
        return false;
    spice_head(e, o);
    for (int i = 0; i < x->n_node; i++)
        spice_node(e, name, i, o);
    for (int i = 0; i < x->n_term; i++)
        spice_term(e, name, i, o);
    wsk_buf_printf(o, ".options reltol=1e-6 vntol=1e-6 abstol=1e-9 method=gear\n");
    if (e->replay) {
        number(o, ".tran 1 ", e->steps[e->n_step - 1].until_s);
        wsk_buf_printf(o, " 0 0.5 uic\n.end\n");
    } else {
        wsk_buf_printf(o, ".op\n.end\n");
    }
    return !o->failed;
}

static void json_row(wsk_buf *o, const char *key, const double *v, int n, const bool *which)
{
    const char *comma = "";
    wsk_buf_printf(o, "\"%s\": [", key);
    for (int i = 0; i < n; i++) {
        if (which && !which[i])
            continue;
        number(o, comma, v[i]);
        comma = ", ";
    }
    wsk_buf_put(o, "]", 1);
}

static void json_nodes(const wsk_exported *e, wsk_buf *o)
{
    const wsk_heat_net *x = e->heat_net;
    wsk_buf_printf(o, "  \"nodes\": [\n");
    for (int i = 0; i < x->n_node; i++) {
        wsk_buf_printf(o, "    {\"name\": ");
        wsk_buf_json(o, x->name[i]);
        number(o, ", \"capacity_j_k\": ", x->cap[i]);
        wsk_buf_printf(o, ", \"given\": %s", x->given[i] ? "true" : "false");
        number(o, e->replay ? ", \"start_c\": " : ", \"temperature_c\": ", e->start_c[i]);
        if (!e->replay)
            number(o, ", \"power_w\": ", e->steps[0].heat_w[i]);
        wsk_buf_printf(o, "}%s\n", i + 1 < x->n_node ? "," : "");
    }
    wsk_buf_printf(o, "  ],\n");
}

static void json_terms(const wsk_exported *e, const bool *used, wsk_buf *o)
{
    static const char *const kinds[] = {"conductance", "stream", "port"};
    const wsk_heat_net *x = e->heat_net;
    const char *comma = "";
    wsk_buf_printf(o, "  \"terms\": [");
    for (int i = 0; i < x->n_term; i++) {
        const wsk_term *t = &x->terms[i];
        if (!used[i])
            continue;
        wsk_buf_printf(o, "%s\n    {\"kind\": \"%s\", \"from\": %d, \"to\": %d, \"sense\": ", comma, kinds[t->kind],
                       t->from, t->to);
        if (t->sense < 0)
            wsk_buf_printf(o, "null");
        else
            wsk_buf_printf(o, "%d", t->sense);
        if (!e->replay)
            number(o, ", \"g_w_k\": ", e->steps[0].g[i]);
        wsk_buf_printf(o, "}");
        comma = ",";
    }
    wsk_buf_printf(o, "\n  ]");
}

static int number_flows(const wsk_exported *e, int *set)
{
    int n = 0;
    for (int k = 0; k < e->n_step; k++) {
        set[k] = -1;
        for (int j = k - 1; j >= 0 && set[k] < 0; j--)
            if (e->steps[j].g == e->steps[k].g)
                set[k] = set[j];
        if (set[k] < 0)
            set[k] = n++;
    }
    return n;
}

static bool json_replay(const wsk_exported *e, const bool *used, wsk_buf *o)
{
    const wsk_heat_net *x = e->heat_net;
    int *set = wsk_alloc(x->arena, ((size_t)e->n_step + 1) * sizeof *set), next = 0;
    if (!set)
        return false;
    int count = number_flows(e, set);
    wsk_buf_printf(o, ",\n  \"flows\": [");
    for (int k = 0; k < e->n_step && next < count; k++)
        if (set[k] == next) {
            wsk_buf_printf(o, "%s\n    {", next++ ? "," : "");
            json_row(o, "g_w_k", e->steps[k].g, x->n_term, used);
            wsk_buf_printf(o, "}");
        }
    wsk_buf_printf(o, "\n  ],\n  \"steps\": [");
    for (int k = 0; k < e->n_step; k++) {
        number(o, k ? ",\n    {\"until_s\": " : "\n    {\"until_s\": ", e->steps[k].until_s);
        wsk_buf_printf(o, ", \"flows\": %d, ", set[k]);
        json_row(o, "power_w", e->steps[k].heat_w, x->n_node, NULL);
        wsk_buf_printf(o, ", ");
        json_row(o, "temperature_c", e->steps[k].temp_c, x->n_node, NULL);
        wsk_buf_printf(o, "}");
    }
    wsk_buf_printf(o, "\n  ]");
    return true;
}

bool wsk_export_json(const wsk_exported *e, wsk_buf *o)
{
    const wsk_heat_net *x = e->heat_net;
    bool *used = wsk_alloc(x->arena, ((size_t)x->n_term + 1) * sizeof *used);
    if (!used)
        return false;
    for (int i = 0; i < x->n_term; i++)
        used[i] = any_flow(e, i) && x->terms[i].from != x->terms[i].to;
    wsk_buf_printf(o, "{\n  \"wattsink\": \"%s\", \"rig\": ", wsk_version());
    wsk_buf_json(o, e->rig);
    wsk_buf_printf(o, ", \"digest\": \"%s\",\n", e->digest);
    if (!e->replay)
        wsk_buf_printf(o, "  \"moving\": %s,\n", e->moving ? "true" : "false");
    json_nodes(e, o);
    json_terms(e, used, o);
    if (e->replay && !json_replay(e, used, o))
        return false;
    wsk_buf_printf(o, "\n}\n");
    return !o->failed;
}
