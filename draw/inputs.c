/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "draw/report.h"

static bool same_origin(const wsk_origin_text *a, const wsk_origin_text *b)
{
    return a == b || (!strcmp(a->from, b->from) && !strcmp(a->kind, b->kind) && !strcmp(a->ref, b->ref) &&
                      !strcmp(a->spread, b->spread));
}

static bool same_element(const wsk_element *a, const wsk_element *b)
{
    if (a->attribute_count != b->attribute_count || strcmp(a->element, b->element) != 0 ||
        strcmp(a->kind, b->kind) != 0 || !wsk_same_text(a->part, b->part) || !wsk_same_text(a->written, b->written))
        return false;
    for (size_t i = 0; i < a->attribute_count; i++) {
        const wsk_attribute *p = &a->attributes[i], *q = &b->attributes[i];
        if (strcmp(p->name, q->name) != 0 || !same_origin(p->origin, q->origin) ||
            (strcmp(p->text, q->text) != 0 && strcmp(p->name, "slot") != 0))
            return false;
    }
    return true;
}

/* Returns the index behind the last descendant of element e. Descendants follow their element directly in the list. */
static int behind(const wsk_elements *rig, int e)
{
    int i = e + 1;
    while (i < rig->count && rig->items[i].parent >= e)
        i++;
    return i;
}

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

/* Rounds decimal fractions that come from a conversion of units: 55 CFM is 93.44559375360001 m3/h in
 * rig.resolved.xml. */
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

static void put_origin(wsk_report *r, const wsk_element *e, const wsk_origin_text *origin)
{
    /* The reason of a default is the program's own sentence, so it is translated; a reference from a file is not. */
    const char *ref = strcmp(origin->from, "default") == 0 ? TR_(origin->ref) : origin->ref;
    const char *const columns[] = {TR_(origin->from), TR_(origin->kind), ref, origin->spread}, *before = "";
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
    const wsk_head heads[] = {{TR_("value"), false},
                              {TR_("from"), false},
                              {TR_("kind"), false},
                              {TR_("source"), false},
                              {TR_("spread"), false}};
    wsk_report_open_table(r, TR_("Values and their sources"), "src", heads, sizeof heads / sizeof *heads);
    for (size_t i = 0; i < e->attribute_count; i++) {
        size_t k = 0;
        while (e->attributes[k].origin != e->attributes[i].origin)
            k++;
        if (k == i)
            put_origin(r, e, e->attributes[i].origin);
    }
    wsk_report_close_table(r);
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
        const char *id = wsk_elements_id(r->rig, like);
        if (slot)
            wsk_report_put(r, ": as %1$s, but slot %2$s", WSK_ARG(id), WSK_ARG(slot));
        else
            wsk_report_put(r, ": as %1$s", WSK_ARG(id));
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
    wsk_report_open_section(r, TR_("Every input and its source"));
    fputs("<p class=\"note\">", r->out);
    wsk_report_text(r->out, TR_("The rig as it was simulated (rig.resolved.xml)."));
    if (isfinite(assumed)) {
        fputc(' ', r->out);
        wsk_report_put(r, "Assumed inputs, which rest on no data sheet or measurement of their own: %1$.0f.",
                       WSK_ARG(assumed));
    }
    fputs("</p>\n", r->out);
    put_element(r, 0);
    fputs("</section>\n", r->out);
}
