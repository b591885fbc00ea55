/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw/report.h"
#include "sim/say/say.h"

/* Japanese has no space between two sentences. */
static void end_sentence(wsk_report *r)
{
    if (r->lang == WSK_EN)
        fputc(' ', r->out);
}

static void end_item(wsk_report *r)
{
    fputs("</li>\n", r->out);
}

static void put_list(wsk_report *r, const wsk_said_list *list)
{
    wsk_report_text(r->out,
                    wsk_report_message(r, wsk_said_link_all(list, WSK_SAY_JOIN_SENTENCES, WSK_SAY_JOIN_SENTENCES)));
}

static void heat(wsk_report *r, const wsk_facts *f)
{
    wsk_said_list sentences = {.arena = r->arena};
    int top = 0;
    double die = -INFINITY;
    for (int i = 0; i < f->cards; i++) {
        double t = wsk_report_result(r, WSK_R_GPU_DIE_MAX, (size_t)i);
        if (t > die)
            die = t, top = i;
    }
    if (!f->cards)
        return;
    const wsk_said *doubt = wsk_say_heat_doubt(f, r->arena);
    wsk_report_item(r, f->hot || f->off ? WSK_BAD : doubt ? WSK_WARN : WSK_GOOD, TR_("Heat"));
    if (doubt)
        wsk_said_add(&sentences, doubt);
    else
        wsk_say_heat(f, &sentences);
    put_list(r, &sentences);
    end_sentence(r);
    if (isfinite(die))
        wsk_report_put(r, "Max GPU temperature: %1$.1f °C (%2$s).", WSK_ARG(die),
                       WSK_ARG(wsk_report_said(r, WSK_R_GPU_ID, (size_t)top)));
    end_item(r);
}

static void ranges(wsk_report *r, const wsk_facts *f)
{
    const wsk_said *all = wsk_say_ranges(f, r->arena);
    if (!all)
        return;
    wsk_report_item(r, WSK_PLAIN, TR_("Range"));
    wsk_report_text(r->out, wsk_report_message(r, all));
    end_item(r);
}

static void work(wsk_report *r, const wsk_facts *f)
{
    const wsk_said *throughput = wsk_say_throughput(f, r->arena);
    double done = wsk_report_result(r, WSK_R_WORK, 0), counted = wsk_report_result(r, WSK_R_COUNT, 0),
           failures = wsk_report_result(r, WSK_R_FAILURES, 0);
    if (!isfinite(done))
        return;
    const double taken = fmax(fmax(f->lost, f->gone), fmax(f->dark, f->undone));
    wsk_report_item(r, taken > 0.05 ? WSK_BAD : taken > 0.005 ? WSK_WARN : WSK_GOOD, TR_("Work"));
    if (r->point)
        ;
    else if (isfinite(counted))
        wsk_report_put(r, "Work done: %1$s GPU-hours (%2$s %3$s).", WSK_ARG(wsk_report_amount(r, done, 4)),
                       WSK_ARG(wsk_report_amount(r, counted, 4)), wsk_arg_unit(wsk_report_said(r, WSK_R_COUNTED, 0)));
    else
        wsk_report_put(r, "Work done: %1$s GPU-hours.", WSK_ARG(wsk_report_amount(r, done, 4)));
    if (throughput) {
        if (!r->point)
            end_sentence(r);
        wsk_report_text(r->out, wsk_report_message(r, throughput));
    }
    if (failures > 0) {
        end_sentence(r);
        wsk_report_put(r, "Failures of the job: %1$.0f; %2$.3g GPU-hours were done again.", WSK_ARG(failures),
                       WSK_ARG(wsk_report_result(r, WSK_R_REDONE, 0)));
    }
    end_item(r);
}

static void tokens(wsk_report *r, const wsk_facts *f)
{
    const wsk_said *said = wsk_say_tokens(f, r->arena);
    if (!said)
        return;
    wsk_report_item(r, f->fits ? WSK_GOOD : WSK_BAD, TR_("Tokens"));
    wsk_report_text(r->out, wsk_report_message(r, said));
    end_item(r);
}

static const char *list_loads(wsk_report *r, size_t n)
{
    const char *list = "";
    for (size_t i = 0; i < n && i < 8; i++) {
        double load = wsk_report_result(r, WSK_R_PSU_LOAD_PEAK, i);
        if (!isfinite(load))
            continue;
        const char *share = wsk_report_percent(r, load), *id = wsk_report_said(r, WSK_R_PSU_ID, i);
        share = n > 1 ? wsk_report_pair(r, id, share)
                      : wsk_report_format(r, "%1$s of its available output", WSK_ARG(share));
        share = load > 1     ? wsk_report_format(r, "%1$s (too small)", WSK_ARG(share))
                : load > 0.9 ? wsk_report_format(r, "%1$s (tight)", WSK_ARG(share))
                             : share;
        list = *list ? wsk_report_format(r, "%1$s, %2$s", WSK_ARG(list), WSK_ARG(share)) : share;
    }
    return list;
}

static void put_wall(wsk_report *r, double wall, double limit, double over)
{
    if (!isfinite(wall))
        return;
    if (isfinite(limit) && over > 0)
        wsk_report_put(r, "Max %1$.0f W at the wall, above the circuit’s continuous limit of %2$.0f W for %3$s.",
                       WSK_ARG(wall), WSK_ARG(limit), WSK_ARG(wsk_report_span(r, over)));
    else if (isfinite(limit))
        wsk_report_put(r, "Max %1$.0f W at the wall, within the circuit’s continuous limit of %2$.0f W.",
                       WSK_ARG(wall), WSK_ARG(limit));
    else
        wsk_report_put(r, "Max %1$.0f W at the wall.", WSK_ARG(wall));
    end_sentence(r);
}

static void put_circuits(wsk_report *r)
{
    for (size_t i = 0; i < wsk_summary_count(r->summary, WSK_SCOPE_CIRCUIT); i++) {
        const char *id = wsk_summary_text(r->summary, WSK_R_BRANCH_ID, i);
        double va = wsk_report_result(r, WSK_R_BRANCH_PEAK_VA, i),
               limit = wsk_report_result(r, WSK_R_BRANCH_LIMIT, i), over = wsk_report_result(r, WSK_R_BRANCH_OVER, i),
               off = wsk_report_result(r, WSK_R_BRANCH_OFF_AT, i);
        if (!isfinite(limit))
            continue;
        if (over > 0)
            wsk_report_put(r, "Circuit %1$s: %2$.0f of %3$.0f VA, above its limit for %4$s.", WSK_ARG(id ? id : ""),
                           WSK_ARG(va), WSK_ARG(limit), WSK_ARG(wsk_report_span(r, over)));
        else
            wsk_report_put(r, "Circuit %1$s: %2$.0f of %3$.0f VA.", WSK_ARG(id ? id : ""), WSK_ARG(va),
                           WSK_ARG(limit));
        end_sentence(r);
        if (isfinite(off)) {
            wsk_report_put(r, "Circuit %1$s goes off after %2$s.", WSK_ARG(id ? id : ""),
                           WSK_ARG(wsk_report_span(r, off)));
            end_sentence(r);
        }
    }
}

static void power(wsk_report *r, const wsk_facts *f)
{
    const double circuit = wsk_report_result(r, WSK_R_CIRCUIT_LIMIT, 0),
                 wall = wsk_report_result(r, WSK_R_WALL_PEAK_W, 0);
    /* At a low power factor a circuit is overloaded, in VA, by fewer watts than its limit. */
    const bool apart = wsk_summary_count(r->summary, WSK_SCOPE_CIRCUIT) > 1 || (f->over_s > 0 && wall <= circuit);
    const double limit = apart ? (double)NAN : circuit;
    const wsk_said *trip = wsk_say_trip(f, r->arena), *feed = wsk_say_feed(f, r->arena);
    bool bad = trip || f->load > 1 || f->over_s > 0 || feed;
    wsk_report_item(r, bad ? WSK_BAD : f->load > 0.9 || f->trip > 0.001 ? WSK_WARN : WSK_GOOD, TR_("Power"));
    put_wall(r, wall, limit, f->over_s);
    if (apart)
        put_circuits(r);
    const char *loads = list_loads(r, (size_t)f->psus);
    if (*loads && f->psus == 1)
        wsk_report_put(r, "Max PSU load: %1$s.", WSK_ARG(loads));
    else if (*loads)
        wsk_report_put(r, "Max PSU load, share of the rating: %1$s.", WSK_ARG(loads));
    if (feed) {
        end_sentence(r);
        wsk_report_text(r->out, wsk_report_message(r, feed));
    }
    if (trip) {
        end_sentence(r);
        wsk_report_text(r->out, wsk_report_message(r, trip));
    }
    end_item(r);
}

static bool any_closed(const wsk_report *r)
{
    for (int c = -1; (c = wsk_elements_next(r->rig, "chassis", c, -1)) >= 0;)
        if (!(r->rig->items[c].traits & WSK_TRAIT_OPEN))
            return true;
    return false;
}

static void noise(wsk_report *r, const wsk_facts *f)
{
    const wsk_said *noise = wsk_say_noise(f, r->arena);
    const bool loud = wsk_facts_loud(f), very = wsk_very_loud(f->stand, f->noise_dba);
    const wsk_loud_limits *l = &wsk_loud_at[f->stand];
    if (!noise)
        return;
    wsk_report_item(r, very ? WSK_BAD : loud ? WSK_WARN : WSK_GOOD, TR_("Noise"));
    wsk_report_text(r->out, wsk_report_message(r, noise));
    end_sentence(r);
    wsk_report_put(r, "The limit is %1$.0f dBA (%2$s).", WSK_ARG(very ? l->very_dba : l->dba),
                   WSK_ARG(very ? l->very_source : l->source));
    end_item(r);
}

static void air(wsk_report *r)
{
    double room = wsk_report_result(r, WSK_R_ROOM_MAX, 0), mean = wsk_report_result(r, WSK_R_ROOM_MEAN, 0);
    double cpu = wsk_report_result(r, WSK_R_CPU_MAX, 0), in = wsk_report_result(r, WSK_R_CASE_AIR_MEAN, 0);
    if (!isfinite(room))
        return;
    wsk_report_item(r, room > WSK_HOT_ROOM_C ? WSK_BAD : room > WSK_WARM_ROOM_C ? WSK_WARN : WSK_GOOD, TR_("Air"));
    if (room - mean >= 0.05)
        wsk_report_put(r, "The room is at %1$.1f °C on average, max %2$.1f °C.", WSK_ARG(mean), WSK_ARG(room));
    else
        wsk_report_put(r, "The room is at %1$.1f °C.", WSK_ARG(mean));
    if (room > WSK_WARM_ROOM_C) {
        bool hot = room > WSK_HOT_ROOM_C;
        end_sentence(r);
        wsk_report_put(r,
                       hot ? WSK_N("That is hotter than servers are rated for (%1$d °C, ASHRAE A2).")
                           : WSK_N("That is over the %1$d °C that ASHRAE recommends."),
                       WSK_ARG(hot ? WSK_HOT_ROOM_C : WSK_WARM_ROOM_C));
    }
    if (isfinite(in) && any_closed(r)) {
        end_sentence(r);
        wsk_report_put(r, "Air in the case: %1$.1f °C.", WSK_ARG(in));
    }
    if (isfinite(cpu)) {
        end_sentence(r);
        wsk_report_put(r, "Max CPU temperature: %1$.1f °C.", WSK_ARG(cpu));
    }
    end_item(r);
}

static void put_cost(wsk_report *r, double cost, double year)
{
    if (r->point) {
        wsk_report_put(r, "About %1$s a year at this point.", WSK_ARG(wsk_report_money(r, year)));
        return;
    }
    bool simulated = !strcmp(wsk_report_said(r, WSK_R_ANNUAL_BASIS, 0), "simulated");
    wsk_report_put(r, "%1$s for %2$s.", WSK_ARG(wsk_report_money(r, cost)),
                   WSK_ARG(wsk_report_span(r, r->simulated_s)));
    end_sentence(r);
    if (!isfinite(year))
        return;
    if (fabs(r->simulated_s - 7 * 86400) > 1) {
        wsk_report_put(r, "%1$s a week.", WSK_ARG(wsk_report_money(r, year * 7 / 365)));
        end_sentence(r);
    }
    wsk_report_put(r, simulated ? WSK_N("%1$s a year.") : WSK_N("Repeated, about %1$s a year."),
                   WSK_ARG(wsk_report_money(r, year)));
    end_sentence(r);
}

static void money(wsk_report *r, const wsk_facts *f)
{
    static const struct {
        wsk_result result;
        int digits;
        const char *english;
    } amounts[] = {{WSK_R_WALL_KWH, 4, WSK_N("%1$s kWh at the wall.")},
                   {WSK_R_ROOM_COOLING_KWH, 4, WSK_N("%1$s kWh for cooling the room.")},
                   {WSK_R_CARBON, 3, WSK_N("%1$s kg of CO₂.")}};
    double cost = wsk_report_result(r, WSK_R_COST, 0);
    bool any = false;
    if (r->point && !(isfinite(cost) && isfinite(wsk_report_result(r, WSK_R_ANNUAL, 0))))
        return;
    wsk_report_item(r, WSK_PLAIN, isfinite(cost) ? TR_("Cost") : TR_("Energy"));
    if (isfinite(cost))
        put_cost(r, cost, wsk_report_result(r, WSK_R_ANNUAL, 0));
    for (int k = 0; k < 3 && !r->point; k++) {
        double v = wsk_report_result(r, amounts[k].result, 0);
        if (!isfinite(v) || (k == 1 && !(v > 0)))
            continue;
        if (any)
            end_sentence(r);
        wsk_report_put(r, amounts[k].english, WSK_ARG(wsk_report_amount(r, v, amounts[k].digits)));
        any = true;
    }
    const wsk_said *warming = wsk_say_warming(f, r->arena);
    if (warming) {
        end_sentence(r);
        wsk_report_text(r->out, wsk_report_message(r, warming));
    }
    end_item(r);
}

/* The failing fans of a group have an id of their own, "fan0.failing", and are named "3 of the 8 fans of fan0". */
static const wsk_said *say_part(wsk_report *r, const char *id)
{
    const char *rest = strstr(id, ".failing");
    double failing = 1, all = 0;
    if (strcmp(id, "air-conditioner") == 0)
        return WSK_SAY(r->arena, WSK_SAY_FAILURE_AC);
    for (size_t i = 0; i < wsk_summary_count(r->summary, WSK_SCOPE_CIRCUIT); i++)
        if (strcmp(wsk_report_said(r, WSK_R_BRANCH_ID, i), id) == 0)
            return WSK_SAY(r->arena, WSK_SAY_FAILED_CIRCUIT, id);
    if (!rest)
        return WSK_SAY(r->arena, WSK_SAY_PLAIN, id);
    size_t len = (size_t)(rest - id);
    for (size_t i = 0; i < wsk_summary_count(r->summary, WSK_SCOPE_FAN); i++) {
        const char *name = wsk_report_said(r, WSK_R_FAN_ID, i);
        double count = wsk_report_result(r, WSK_R_FAN_COUNT, i);
        bool these = !strcmp(name, id);
        failing = these ? count : failing;
        all += these || (strlen(name) == len && !memcmp(name, id, len)) ? count : 0;
    }
    return WSK_SAY(r->arena, WSK_SAY_FAILURE_SOME_FANS, failing, fmax(all, failing), wsk_report_cut(r, id, len));
}

static bool is_failure(const wsk_event *e)
{
    static const char *const words[] = {"fails", "falls off the bus"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (e->what_len == strlen(words[i]) && !memcmp(e->what, words[i], e->what_len))
            return true;
    return false;
}

static void failure(wsk_report *r, const wsk_facts *f)
{
    wsk_said_list parts = {.arena = r->arena};
    if (isnan(f->failed_s))
        return;
    for (const char *at = r->events; at;) {
        wsk_event e;
        if (wsk_event_read(&at, &e) && is_failure(&e))
            wsk_said_add(&parts,
                         WSK_SAID(WSK_SAY_FAILURE_AT, say_part(r, wsk_report_cut(r, e.component, e.component_len)),
                                  wsk_say_span(r->arena, e.at_s)));
    }
    if (!parts.count)
        wsk_said_add(&parts, WSK_SAID(WSK_SAY_FAILURE_AT, WSK_SAID(WSK_SAY_FAILURE_A_PART),
                                      wsk_say_span(r->arena, f->failed_s)));
    wsk_report_item(r, isnan(f->shut_s) ? WSK_WARN : WSK_BAD, TR_("Failure"));
    wsk_report_text(r->out, wsk_report_message(r, wsk_say_failure(f, &parts)));
    end_item(r);
}

void wsk_report_ranged_tile(wsk_report *r, const char *name, int places, const wsk_ranged *value, const char *unit)
{
    if (!isfinite(value->value))
        return;
    const double least = pow(10, -places), half = wsk_half_width(value);
    const bool uneven = wsk_is_uneven(value, least);
    fputs("<div><dt>", r->out);
    wsk_report_text(r->out, name);
    fprintf(r->out, "</dt><dd>%.*f", places, value->value);
    if (half >= least && !uneven)
        fprintf(r->out, "<small> ±%.*f</small>", places, half);
    if (unit[0])
        fputc(' ', r->out);
    wsk_report_text(r->out, unit);
    if (half >= least && uneven) {
        const char *low = wsk_printf(r->arena, "%.*f", places, value->low),
                   *high = wsk_printf(r->arena, "%.*f", places, value->high);
        fputs(" <small>(", r->out);
        wsk_report_text(r->out, wsk_report_message(r, WSK_SAY(r->arena, WSK_SAY_FROM_TO, low, high)));
        fputs(")</small>", r->out);
    }
    fputs("</dd></div>\n", r->out);
}

void wsk_report_tile(wsk_report *r, const char *name, int places, double value, const char *unit)
{
    wsk_report_ranged_tile(r, name, places, &(wsk_ranged){value, NAN, NAN}, unit);
}

static void ranged_tile(wsk_report *r, wsk_result result, const wsk_ranged *value)
{
    const wsk_result_row *row = wsk_result_about(result);
    wsk_report_ranged_tile(r, TR_(row->label), row->digits, value, wsk_report_unit(r, result));
}

static void result_tile(wsk_report *r, wsk_result result, double value)
{
    ranged_tile(r, result, &(wsk_ranged){value, NAN, NAN});
}

static void tiles(wsk_report *r, const wsk_facts *f)
{
    double year = wsk_report_result(r, WSK_R_ANNUAL, 0), week = year * 7 / 365,
           lost = wsk_report_result(r, WSK_R_LOST, 0);
    fputs("<dl class=\"tiles\">\n", r->out);
    ranged_tile(r, WSK_R_GPU_DIE_MAX, &f->die_c);
    wsk_report_ranged_tile(r, TR_("power at the wall, mean"), 0, &f->wall_w, "W");
    result_tile(r, WSK_R_WALL_PEAK_W, wsk_report_result(r, WSK_R_WALL_PEAK_W, 0));
    wsk_report_tile(
        r, f->braked ? TR_("share of the work lost to heat and power brake") : wsk_report_label(r, WSK_R_LOST), 1,
        lost < 0 ? 0 : 100 * lost, "%");
    if (f->psus && f->load > 0)
        wsk_report_tile(r, wsk_report_label(r, WSK_R_PSU_LOAD_PEAK), 0, 100 * f->load, "%");
    result_tile(r, WSK_R_NOISE, wsk_report_result(r, WSK_R_NOISE, 0));
    wsk_report_tile(r, wsk_report_label(r, WSK_R_COST_WEEK), week >= 1000 ? 0 : 2, week, r->currency);
    const double demand = wsk_report_result(r, WSK_R_COST_DEMAND, 0);
    if (demand > 0)
        result_tile(r, WSK_R_COST_DEMAND, demand);
    ranged_tile(r, WSK_R_ANNUAL, &(wsk_ranged){year, f->annual.low, f->annual.high});
    if (!isnan(f->heating))
        result_tile(r, WSK_R_HEATING, f->heating);
    fputs("</dl>\n", r->out);
}

/* Returns the sentence that names the main problem or says that there is none; for a summary without translatable
 * messages, the whole verdict. */
static const char *headline(wsk_report *r)
{
    size_t n;
    const wsk_said *const *parts = wsk_summary_messages(r->summary, WSK_R_VERDICT_PARTS, 0, &n);
    return n && parts[0] ? wsk_report_message(r, parts[0]) : wsk_report_said(r, WSK_R_VERDICT, 0);
}

void wsk_report_verdict(wsk_report *r)
{
    const wsk_facts f = wsk_facts_of(r->summary);
    const char *head = headline(r);
    fprintf(r->out, "<section aria-label=\"%s\">\n", TR_("Verdict"));
    if (*head) {
        fputs("<p class=\"headline\">", r->out);
        wsk_report_text(r->out, head);
        const wsk_said *rate = r->point ? wsk_say_tokens(&f, r->arena) : NULL;
        if (rate) {
            end_sentence(r);
            wsk_report_text(r->out, wsk_report_message(r, rate));
        }
        fputs("</p>\n", r->out);
    }
    tiles(r, &f);
    fputs("<ul class=\"verdict\">\n", r->out);
    heat(r, &f);
    ranges(r, &f);
    tokens(r, &f);
    work(r, &f);
    power(r, &f);
    noise(r, &f);
    air(r);
    money(r, &f);
    failure(r, &f);
    wsk_report_advice(r);
    fputs("</ul>\n</section>\n", r->out);
}
