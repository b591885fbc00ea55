/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "draw/frame.h"
#include "draw/page.h"
#include "words/fitted.h"

enum { POINTS_MAX = 360, FEW = 2 };

static bool unproven(const wsk_log_fit *f)
{
    return !f->die[WSK_PART_HELD_OUT].readings;
}

static wsk_fitted_to fitted_to(const wsk_report_fitted *c)
{
    return c->one_level        ? WSK_FITTED_TO_ONE_LEVEL
           : c->further        ? WSK_FITTED_TO_LOG
           : !c->log           ? WSK_FITTED_TO_ROWS
           : c->log->one_power ? WSK_FITTED_TO_ONE_POWER
                               : WSK_FITTED_TO_LOG;
}

static const char *plus_minus(wsk_report *r, double value, double spread)
{
    wsk_buf out = {0};
    const int places = wsk_fitted_places(spread);
    wsk_buf_printf(&out, "%.*f ± %.*f", places, value, places, spread);
    const char *text = wsk_report_cut(r, out.failed ? "" : out.data, out.failed ? 0 : out.len);
    r->no_memory = r->no_memory || out.failed;
    wsk_buf_free(&out);
    return text;
}

static const char *before(wsk_report *r, const wsk_calibrated *v, const wsk_fitted *as)
{
    return plus_minus(r, (v->prior - as->less) / as->si, v->prior_spread / as->si);
}

static const char *after(wsk_report *r, const wsk_calibrated *v, const wsk_fitted *as)
{
    return plus_minus(r, (v->value - as->less) / as->si, v->spread / as->si);
}

static void values_table(wsk_report *r, const char *id, const wsk_calibration *fit, wsk_fitted_to to)
{
    const wsk_head heads[] = {{"", true},
                              {TR_("catalogue"), false},
                              {wsk_fitted_of(r->lang, to), false},
                              {TR_("unit"), true},
                              {TR_("moved, in the catalogue's ±"), false},
                              {wsk_fitted_by(r->lang, to), true}};
    wsk_report_open_table(r, wsk_report_format(r, "%1$s: values before and after", WSK_ARG(id)), "", heads, 6);
    for (size_t i = 0; i < fit->count; i++) {
        const wsk_calibrated *v = &fit->values[i];
        const wsk_fitted as = wsk_fitted_about(r->lang, v);
        fputs("<tr><th scope=\"row\">", r->out);
        wsk_report_text(r->out, as.label);
        fprintf(r->out, "</th><td>%s</td><td>%s</td><td class=\"l\">%s</td>", before(r, v, &as), after(r, v, &as),
                as.unit);
        const double moved = (v->value - v->prior) / v->prior_spread;
        fprintf(r->out, "<td>%s%.1f</td><td class=\"l\">",
                moved < -0.05  ? "−"
                : moved > 0.05 ? "+"
                               : "",
                fabs(moved));
        wsk_report_text(r->out, wsk_fitted_learnt(r->lang, v, to));
        fputs("</td></tr>\n", r->out);
    }
    wsk_report_close_table(r);
}

static void error_row(wsk_report *r, const char *name, const wsk_log_error *e)
{
    if (!e->readings)
        return;
    fputs("<tr><th scope=\"row\">", r->out);
    wsk_report_text(r->out, name);
    fprintf(r->out, "</th><td>%.2f</td><td>%.2f</td><td>%s%.2f</td><td>%s%.1f</td><td>%zu</td></tr>\n", e->mae_k,
            e->rmse_k, e->bias_k < -0.005 ? "−" : "+", fabs(e->bias_k), e->worst_k < 0 ? "−" : "+", fabs(e->worst_k),
            e->readings);
}

static void errors_table(wsk_report *r, const wsk_report_fitted *c)
{
    static const char *const parts[] = {WSK_N("fitted"), WSK_N("held out")}, *const memory[] = {
                                                                                 WSK_N("memory, fitted"),
                                                                                 WSK_N("memory, held out")};
    const wsk_head heads[] = {{TR_("model less log, K"), true},
                              {TR_("mean size"), false},
                              {TR_("rms"), false},
                              {TR_("mean"), false},
                              {TR_("worst"), false},
                              {TR_("readings"), false}};
    wsk_report_open_table(r, wsk_report_format(r, "%1$s: errors by phase", WSK_ARG(c->id)), "", heads, 6);
    for (int part = WSK_LOG_PARTS - 1; part >= 0; part--) {
        error_row(r, TR_(parts[part]), &c->log->die[part]);
        for (int k = 0; k < WSK_PHASES; k++) {
            const char *phase = wsk_fitted_phase(r->lang, (wsk_log_phase)k);
            error_row(r, wsk_report_format(r, "%1$s, %2$s", WSK_ARG(TR_(parts[part])), WSK_ARG(phase)),
                      &c->log->phase[part][k]);
        }
        error_row(r, TR_(memory[part]), &c->log->memory[part]);
    }
    wsk_report_close_table(r);
}

static const wsk_report_fitted *worst_of(const wsk_report_calibration *what)
{
    const wsk_report_fitted *worst = NULL;
    for (size_t i = 0; i < what->count; i++) {
        const wsk_report_fitted *c = &what->cards[i];
        if (c->log && !unproven(c->log) &&
            (!worst || c->log->die[WSK_PART_HELD_OUT].mae_k > worst->log->die[WSK_PART_HELD_OUT].mae_k))
            worst = c;
    }
    return worst;
}

static void headline(wsk_report *r, const wsk_report_calibration *what)
{
    const wsk_report_fitted *worst = worst_of(what);
    fputs("<p class=\"headline\">", r->out);
    if (!worst)
        wsk_report_text(r->out, TR_("Fitted, but not proven: no time of the log was held out."));
    else
        wsk_report_put(
            r,
            "GPU temperature is predicted within %1$.1f K in the mean (%2$s), over %3$.0f minutes that the fit had "
            "not seen.",
            WSK_ARG(worst->log->die[WSK_PART_HELD_OUT].mae_k), WSK_ARG(worst->id),
            WSK_ARG((worst->log->end_s - worst->log->held_from_s) / 60));
    fputs("</p>\n", r->out);
}

static const char *list_learnt(wsk_report *r, const wsk_report_fitted *c)
{
    const char *list = "";
    for (size_t i = 0; i < c->fit->count; i++) {
        const wsk_calibrated *v = &c->fit->values[i];
        const wsk_fitted as = wsk_fitted_about(r->lang, v);
        if (!wsk_fitted_is_learnt(v, fitted_to(c)))
            continue;
        const char *one = wsk_report_format(r, "%1$s %2$s %3$s (catalogue %4$s)", WSK_ARG((const char *)as.label),
                                            WSK_ARG(after(r, v, &as)), WSK_ARG(as.unit), WSK_ARG(before(r, v, &as)));
        list = *list ? wsk_report_format(r, "%1$s; %2$s", WSK_ARG(list), WSK_ARG(one)) : one;
    }
    return list;
}

/* Grades a fit by its mean absolute error on the held-out part of the log, K. The limits are aims for a card that was
 * never fitted before (docs/theory/calibration.md, "What proves it": 0.8 K in the mean of nine runs, 1.9 K in the
 * worst). */
static wsk_grade grade_of(const wsk_log_fit *f)
{
    const double good_k = 1, fair_k = 2, off = f->die[WSK_PART_HELD_OUT].mae_k;
    return unproven(f) ? WSK_PLAIN : off <= good_k ? WSK_GOOD : off <= fair_k ? WSK_WARN : WSK_BAD;
}

static void verdict_of(wsk_report *r, const wsk_report_fitted *c, bool values)
{
    const char *learnt = values ? list_learnt(r, c) : "";
    if (!*learnt && (c->further || (!values && (!c->log || unproven(c->log)))))
        return;
    wsk_report_item(r, c->log ? grade_of(c->log) : WSK_PLAIN, c->id);
    if (c->log && !unproven(c->log)) {
        const wsk_log_error *held = &c->log->die[WSK_PART_HELD_OUT];
        if (isnan(c->log->skill_stays) || isnan(c->log->skill_line))
            wsk_report_put(r, "Held out: mean error %1$.2f K, rms %2$.2f K.", WSK_ARG(held->mae_k),
                           WSK_ARG(held->rmse_k));
        else
            wsk_report_put(
                r,
                "Held out: mean error %1$.2f K, rms %2$.2f K. Simple predictions: rms %3$.1f K by the last "
                "temperature, %4$.1f K by a line over power.",
                WSK_ARG(held->mae_k), WSK_ARG(held->rmse_k), WSK_ARG(held->rmse_k / (1 - c->log->skill_stays)),
                WSK_ARG(held->rmse_k / (1 - c->log->skill_line)));
        fputs(r->lang == WSK_EN ? " " : "", r->out);
    }
    if (*learnt)
        wsk_report_put(r, "Learnt: %1$s.", WSK_ARG(learnt));
    else if (values)
        wsk_report_text(r->out, TR_("No value was learnt well."));
    fputs("</li>\n", r->out);
}

typedef struct {
    const double *measured, *model;
    const char *dots, *line;
} pair;

/* Gathers the bins of a curve to at most POINTS_MAX points. minus NULL: each point has the mean of `values`, K, as
 * degC; else the mean of values - minus, K. half: half the width of the band, K; NULL: the band of a point has no
 * height. */
static int gather(const wsk_log_curve *c, const double *values, const double *minus, const double *half,
                  wsk_point *points)
{
    const size_t each = (c->count + POINTS_MAX - 1) / POINTS_MAX;
    int n = 0;
    for (size_t i = 0; i < c->count; i += each) {
        double sum = 0, wide = 0, bins = 0;
        for (size_t k = i; k < i + each && k < c->count; k++) {
            const double v = values[k] - (minus ? minus[k] : WSK_KELVIN);
            if (!isfinite(v))
                continue;
            sum += v;
            wide += half ? half[k] : 0;
            bins++;
        }
        const double end = fmin((double)(i + each), (double)c->count);
        points[n++] = (wsk_point){500 * ((double)i + end) / (double)c->count, (sum - wide) / bins, sum / bins,
                                  (sum + wide) / bins};
    }
    return n;
}

static void widen(const wsk_point *p, int n, double *low, double *high)
{
    for (int i = 0; i < n; i++)
        if (isfinite(p[i].mean)) {
            *low = fmin(*low, p[i].low);
            *high = fmax(*high, p[i].high);
        }
}

static void open_picture(wsk_report *r, const wsk_frame *f, const wsk_log_fit *log, const char *title,
                         const char *about, bool times)
{
    char box[64];
    snprintf(box, sizeof box, "class=\"ax\" height=\"%d\"", f->height);
    wsk_report_svg(r, box, title, about);
    wsk_frame_grid(r, f);
    if (times)
        wsk_report_time_axis(r, 0, log->end_s, f->top, f->floor, 7, 90);
    if (!unproven(log))
        fprintf(r->out, "<rect class=\"held\" x=\"%.3f%%\" width=\"%.3f%%\" y=\"%d\" height=\"%d\"/>\n",
                100 * log->held_from_s / log->end_s, 100 * (1 - log->held_from_s / log->end_s), f->top,
                f->floor - f->top);
    wsk_frame_open(r, f, "few");
}

static void close_picture(wsk_report *r, const wsk_frame *f)
{
    wsk_frame_close(r);
    wsk_frame_numbers(r, f);
    wsk_frame_close(r);
}

static void key_item(wsk_report *r, const char *css, const char *text)
{
    fprintf(r->out, "<li><i class=\"%s\"></i>", css);
    wsk_report_text(r->out, text);
    fputs("</li>", r->out);
}

static void key(wsk_report *r, const wsk_report_fitted *c)
{
    fputs("<ul class=\"key\">", r->out);
    key_item(r, "dot", TR_("GPU, log"));
    key_item(r, "k0", TR_("GPU, fit"));
    key_item(r, "sq bd0", TR_("80 % band"));
    if (c->curve->memory_k) {
        key_item(r, "dot pale", TR_("memory, log"));
        key_item(r, "k3", TR_("memory, fit"));
    }
    if (!unproven(c->log))
        key_item(r, "sq held", TR_("held out"));
    fputs("</ul>\n", r->out);
}

static void temperatures(wsk_report *r, const wsk_report_fitted *c, const pair *pairs, int count, wsk_point *points)
{
    wsk_frame f = {.height = 230, .top = 8, .floor = 210};
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < count; i++) {
        widen(points, gather(c->curve, pairs[i].measured, NULL, NULL, points), &low, &high);
        widen(points, gather(c->curve, pairs[i].model, NULL, i ? NULL : c->curve->half_k, points), &low, &high);
    }
    wsk_frame_scale(&f, low, high, 5);
    open_picture(r, &f, c->log, wsk_report_format(r, "%1$s: temperatures of log and fit", WSK_ARG(c->id)),
                 wsk_report_format(r, "Between %1$.4g and %2$.4g °C.", WSK_ARG(low), WSK_ARG(high)), true);
    for (int i = 0; i < count; i++) {
        int n = gather(c->curve, pairs[i].model, NULL, c->curve->half_k, points);
        if (!i)
            wsk_frame_band(r, &f, "bd f0", points, n, 1);
        n = gather(c->curve, pairs[i].measured, NULL, NULL, points);
        wsk_frame_dots(r, &f, pairs[i].dots, points, n, 1);
        n = gather(c->curve, pairs[i].model, NULL, NULL, points);
        wsk_frame_line(r, &f, pairs[i].line, points, n, 1);
    }
    close_picture(r, &f);
}

static void differences(wsk_report *r, const wsk_report_fitted *c, const pair *pairs, int count, wsk_point *points)
{
    wsk_frame f = {.height = 110, .top = 8, .floor = 100};
    double reach = 1;
    for (int i = 0; i < count; i++) {
        const int n = gather(c->curve, pairs[i].model, pairs[i].measured, NULL, points);
        for (int k = 0; k < n; k++)
            if (isfinite(points[k].mean))
                reach = fmax(reach, fabs(points[k].mean));
    }
    wsk_frame_scale(&f, -reach, reach, 4);
    open_picture(r, &f, c->log, wsk_report_format(r, "%1$s: fit less log", WSK_ARG(c->id)),
                 wsk_report_format(r, "The axis reaches to %1$.3g K on both sides.", WSK_ARG(f.high)), false);
    int n = gather(c->curve, pairs[0].model, pairs[0].model, c->curve->half_k, points);
    for (int k = 0; k < n; k++) {
        points[k].low = fmax(points[k].low, f.low);
        points[k].high = fmin(points[k].high, f.high);
    }
    wsk_frame_band(r, &f, "bd f0", points, n, 1);
    for (int i = count - 1; i >= 0; i--) {
        n = gather(c->curve, pairs[i].model, pairs[i].measured, NULL, points);
        wsk_frame_dots(r, &f, i ? "dots pale" : "dots", points, n, 1);
    }
    close_picture(r, &f);
}

static void picture(wsk_report *r, const wsk_report_fitted *c)
{
    const pair pairs[] = {{c->curve->die_k, c->curve->die_model_k, "dots", "ln k0"},
                          {c->curve->memory_k, c->curve->memory_model_k, "dots pale", "ln k3 dash"}};
    const int count = c->curve->memory_k ? 2 : 1;
    wsk_point *points = wsk_alloc(r->arena, POINTS_MAX * sizeof *points);
    if (!points) {
        r->no_memory = true;
        return;
    }
    wsk_report_open_figure(r, c->part ? wsk_report_format(r, "%1$s, %2$s", WSK_ARG(c->id), WSK_ARG(c->part)) : c->id,
                           "°C");
    temperatures(r, c, pairs, count, points);
    key(r, c);
    fputs("</figure>\n", r->out);
    wsk_report_open_figure(r, TR_("fit less log"), "K");
    differences(r, c, pairs, count, points);
    fputs("</figure>\n", r->out);
}

static int put_lines(wsk_report *r, const char *id, wsk_buf *text)
{
    int n = 0;
    for (const char *at = text->data; at && *at; at += strcspn(at, "\n") + 1, n++) {
        fputs("<li>", r->out);
        if (*id)
            wsk_report_put(r, "%1$s: %2$s", WSK_ARG(id), WSK_ARG(wsk_report_cut(r, at, strcspn(at, "\n"))));
        else
            wsk_report_text(r->out, wsk_report_cut(r, at, strcspn(at, "\n")));
        fputs("</li>\n", r->out);
    }
    r->no_memory = r->no_memory || text->failed;
    wsk_buf_free(text);
    return n;
}

static void next(wsk_report *r, const wsk_report_calibration *what)
{
    wsk_report_open_section(r, TR_("What to record next"));
    fputs("<ul>\n", r->out);
    for (size_t i = 0; i < what->count; i++) {
        wsk_buf lines = {0};
        if (what->cards[i].log)
            wsk_fitted_open(&lines, r->lang, what->cards[i].log);
        put_lines(r, what->count > 1 ? what->cards[i].id : "", &lines);
    }
    fputs("<li>", r->out);
    wsk_report_text(r->out, TR_("A script that records rest, load and, as root, lower power limits:"));
    fputs(" <code>wattsink calibrate --plan &gt; record.sh</code></li>\n</ul>\n</section>\n", r->out);
}

static void meter(wsk_report *r, const wsk_wall_fit *wall)
{
    wsk_buf lines = {0};
    wsk_report_open_section(r, TR_("The machine, by a meter at the wall"));
    values_table(r, TR_("machine"), &wall->fit, WSK_FITTED_TO_METER);
    wsk_fitted_wall(&lines, r->lang, wall);
    fputs("<ul class=\"note\">\n", r->out);
    put_lines(r, "", &lines);
    fputs("</ul>\n</section>\n", r->out);
}

static bool few_cards(const wsk_report_calibration *what)
{
    size_t cards = 0;
    for (size_t i = 0; i < what->count; i++)
        cards += !what->cards[i].further;
    return cards <= FEW;
}

static void sections(wsk_report *r, const wsk_report_calibration *what)
{
    fprintf(r->out, "<section aria-label=\"%s\">\n", TR_("Verdict"));
    const bool few = few_cards(what);
    headline(r, what);
    fputs("<ul class=\"verdict\">\n", r->out);
    for (size_t i = 0; i < what->count; i++)
        verdict_of(r, &what->cards[i], few);
    fputs("</ul>\n</section>\n", r->out);
    wsk_report_open_section(r, TR_("What was learnt"));
    for (size_t i = 0; i < what->count; i++)
        values_table(r, what->cards[i].id, what->cards[i].fit, fitted_to(&what->cards[i]));
    fputs("</section>\n", r->out);
    wsk_report_open_section(r, TR_("The log over the fit"));
    for (size_t i = 0; i < what->count; i++)
        if (what->cards[i].log)
            picture(r, &what->cards[i]);
    fputs("</section>\n", r->out);
    wsk_report_open_section(r, TR_("Errors"));
    for (size_t i = 0; i < what->count; i++) {
        const wsk_report_fitted *c = &what->cards[i];
        wsk_buf lines = {0};
        if (!c->log)
            continue;
        errors_table(r, c);
        wsk_fitted_proof(&lines, r->lang, c->log);
        fputs("<ul class=\"note\">\n", r->out);
        put_lines(r, "", &lines);
        fputs("</ul>\n", r->out);
    }
    fputs("</section>\n", r->out);
    if (what->wall)
        meter(r, what->wall);
    next(r, what);
}

wsk_status wsk_report_calibrated(FILE *out, const wsk_report_calibration *what)
{
    wsk_report r = {.out = out, .lang = what->lang, .from_s = NAN, .hot_from_s = NAN, .hot_to_s = NAN};
    if (!(r.arena = wsk_arena_new()))
        return WSK_ENOMEM;
    wsk_report_open_page(&r, wsk_report_format(&r, "%1$s - wattsink calibration", WSK_ARG(what->rig)));
    fputs("<header>\n<h1>", out);
    wsk_report_text(out, what->rig);
    fputs("</h1>\n<p class=\"sub\">", out);
    wsk_report_put(&r, "Calibrated on %1$s; wattsink %2$s", WSK_ARG(what->from), WSK_ARG(wsk_version()));
    fputs("</p>\n</header>\n<main>\n", out);
    sections(&r, what);
    wsk_report_close_page(&r);
    wsk_arena_free(r.arena);
    return r.no_memory ? WSK_ENOMEM : WSK_OK;
}
