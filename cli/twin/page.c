/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the page of a twin and its events. The machine is drawn as in the report, but with present values. The
 * page's script (live.js) contains no texts. */
#include "cli/twin/page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/kit/cli.h"
#include "draw/page.h"
#include "draw/report.h"

static double present(const wsk_run *run, wsk_var which, const char *id)
{
    const wsk_var_row *row = wsk_var_about(which);
    char name[160];
    double value;
    snprintf(name, sizeof name, "%s%s%s", id, *id ? "." : "", row->name);
    return wsk_run_get(run, name, &value) == WSK_OK ? value : (double)NAN;
}

/* Results that the drawing shows, and the variable with the present value of each. owner: the result that holds the
 * id of the card, PSU or loop; WSK_RESULTS: the value belongs to the rig. often_none: the variable has a number also
 * where there is nothing to show, as the clock of a card whose power is given, and the fan of a card without one. */
static const struct {
    wsk_result result, owner;
    wsk_var variable;
    bool often_none;
} drawn[] = {{WSK_R_GPU_DIE_MEAN, WSK_R_GPU_ID, WSK_VAR_CARD_DIE_C, false},
             {WSK_R_GPU_DIE_MAX, WSK_R_GPU_ID, WSK_VAR_CARD_DIE_C, false},
             {WSK_R_GPU_POWER_MEAN, WSK_R_GPU_ID, WSK_VAR_CARD_POWER_W, false},
             {WSK_R_GPU_CLOCK_MEAN, WSK_R_GPU_ID, WSK_VAR_CARD_CLOCK_MHZ, true},
             {WSK_R_GPU_FAN_MEAN, WSK_R_GPU_ID, WSK_VAR_CARD_FAN_RPM, true},
             {WSK_R_GPU_INLET_MEAN, WSK_R_GPU_ID, WSK_VAR_CARD_INLET_C, false},
             {WSK_R_PSU_LOAD_MEAN, WSK_R_PSU_ID, WSK_VAR_SUPPLY_LOAD, false},
             {WSK_R_LOOP_COOLANT_MEAN, WSK_R_LOOP_ID, WSK_VAR_LOOP_COOLANT_C, false},
             {WSK_R_LOOP_RETURN_MAX, WSK_R_LOOP_ID, WSK_VAR_LOOP_RETURN_C, false},
             {WSK_R_LOOP_FLOW, WSK_R_LOOP_ID, WSK_VAR_LOOP_FLOW_LPM, false},
             {WSK_R_ROOM_MEAN, WSK_RESULTS, WSK_VAR_ROOM_C, false}};

/* Sets present speed and flow of the fans. Present flow = mean flow x present speed / mean speed (fan law,
 * docs/theory/mover.md). */
static void set_fans(wsk_summary *s, const wsk_run *run)
{
    for (size_t i = 0; i < wsk_summary_count(s, WSK_SCOPE_FAN); i++) {
        const char *id = wsk_summary_text(s, WSK_R_FAN_ID, i);
        const double mean = wsk_summary_number(s, WSK_R_FAN_RPM, i), flow = wsk_summary_number(s, WSK_R_FAN_FLOW, i);
        const double rpm = present(run, WSK_VAR_MOVER_RPM, id ? id : "");
        if (isnan(rpm))
            continue;
        (void)wsk_summary_set_number(s, WSK_R_FAN_RPM, i, rpm);
        if (mean > 0 && !isnan(flow))
            (void)wsk_summary_set_number(s, WSK_R_FAN_FLOW, i, flow * rpm / mean);
    }
}

static void set_present(wsk_summary *s, const wsk_run *run)
{
    for (size_t k = 0; k < sizeof drawn / sizeof *drawn; k++)
        for (size_t i = 0; i < wsk_summary_count(s, wsk_result_about(drawn[k].result)->scope); i++) {
            const char *id = drawn[k].owner == WSK_RESULTS ? "" : wsk_summary_text(s, drawn[k].owner, i);
            const double value = id ? present(run, drawn[k].variable, id) : (double)NAN;
            const bool none = drawn[k].often_none && isnan(wsk_summary_number(s, drawn[k].result, i));
            if (!isnan(value) && !none)
                (void)wsk_summary_set_number(s, drawn[k].result, i, value);
        }
    set_fans(s, run);
    for (size_t i = 0; i < wsk_run_variables(run); i++) {
        const char *name, *unit;
        double value;
        if (wsk_run_variable_row(run, i)->row != WSK_VAR_CASE_AIR_C)
            continue;
        wsk_run_variable(run, i, &name, &unit, &value);
        for (size_t c = 0; c < wsk_summary_count(s, WSK_SCOPE_CASE); c++) {
            const char *id = wsk_summary_text(s, WSK_R_CASE_ID, c);
            const size_t len = id ? strlen(id) : 0;
            if (wsk_summary_count(s, WSK_SCOPE_CASE) == 1 ||
                (strncmp(name, id ? id : "", len) == 0 && name[len] == '.'))
                (void)wsk_summary_set_number(s, WSK_R_CASE_AIR, c, value);
        }
    }
}

typedef struct {
    FILE *out;
    bool any;
} object;

static void put_key(object *o, const char *id, const char *key)
{
    char name[160];
    snprintf(name, sizeof name, "%s%s%s", id, *id ? "." : "", key);
    fputs(o->any ? "," : "", o->out);
    wsk_json_quote(o->out, name);
    fputc(':', o->out);
    o->any = true;
}

static void put_value(object *o, const char *id, const char *key, double value, int digits, const char *unit)
{
    char *text =
        isnan(value) ? wsk_cli_format("-") : wsk_cli_format("%.*f%s%s", digits, value, *unit ? " " : "", unit);
    put_key(o, id, key);
    wsk_json_quote(o->out, text);
    free(text);
}

static const struct {
    const char *key, *label;
    wsk_var variable;
    int digits;
    const char *unit;
} tiles[] = {{"wall", N_("wall"), WSK_VAR_WALL_W, 0, "W"},
             {"energy", N_("energy"), WSK_VAR_ENERGY_KWH, 2, "kWh"},
             {"cost", N_("cost"), WSK_VAR_COST, 2, ""},
             {"room", N_("room"), WSK_VAR_ROOM_C, 1, "°C"},
             {"noise", N_("noise"), WSK_VAR_NOISE_DBA, 1, "dBA"}};
static const struct {
    const char *key, *label;
} columns[] = {{"die", N_("GPU")},           {"memory", N_("memory")}, {"power", N_("power")},
               {"limit", N_("power limit")}, {"clock", N_("clock")},   {"fan", N_("fan")},
               {"held", N_("limited by")}};

static const char *held_by(const wsk_twin_now *now)
{
    return now->lost                                                         ? T_("off the bus")
           : now->reasons & (WSK_REASON_HW_SLOWDOWN | WSK_REASON_HW_THERMAL) ? T_("hardware")
           : now->reasons & WSK_REASON_SW_THERMAL                            ? T_("heat")
           : now->reasons & WSK_REASON_POWER_CAP                             ? T_("power")
                                                                             : "";
}

static double known(int32_t value)
{
    return value == WSK_TWIN_NONE ? (double)NAN : value;
}

static void put_card(object *o, const wsk_twin_card *card)
{
    const wsk_twin_now *now = &card->now;
    const char *id = card->fixed.id;
    put_value(o, id, "die", known(now->die_c), 0, "°C");
    put_value(o, id, "memory", known(now->memory_c), 0, "°C");
    put_value(o, id, "power", known(now->power_mw) / 1e3, 0, "W");
    put_value(o, id, "limit", known(now->limit_mw) / 1e3, 0, "W");
    put_value(o, id, "clock", known(now->clock_mhz), 0, "MHz");
    put_value(o, id, "fan", card->fixed.fans ? known(now->fan_percent[0]) : (double)NAN, 0, "%");
    put_key(o, id, "held");
    wsk_json_quote(o->out, held_by(now));
}

static void put_values(FILE *out, const wsk_metrics_of *of)
{
    object o = {.out = out};
    char passed[32];
    wsk_cli_duration(passed, (double)of->moment->t_ns / 1e9);
    put_key(&o, "", "time");
    wsk_json_quote(out, passed);
    for (size_t i = 0; i < sizeof tiles / sizeof *tiles; i++) {
        const char *unit = tiles[i].unit, *currency = wsk_summary_text(of->summary, WSK_R_CURRENCY, 0);
        put_value(&o, "", tiles[i].key, present(of->run, tiles[i].variable, ""), tiles[i].digits,
                  tiles[i].variable == WSK_VAR_COST && currency ? currency : unit);
    }
    for (int i = 0; i < of->moment->count; i++)
        put_card(&o, &of->moment->card[i]);
}

static void put_sliders(FILE *out, const wsk_metrics_of *of)
{
    object o = {.out = out};
    for (int i = 0; i < of->moment->count; i++) {
        const wsk_twin_card *card = &of->moment->card[i];
        put_key(&o, card->fixed.id, "limit");
        fprintf(out, "%.0f", card->now.limit_mw / 1e3);
    }
    const double room = present(of->run, WSK_VAR_ROOM_C, "");
    if (!isnan(room)) {
        put_key(&o, "", "room");
        fprintf(out, "%.1f", room);
    }
}

void wsk_page_event(FILE *out, const wsk_metrics_of *of, const wsk_elements *rig, wsk_summary *summary)
{
    char *html = NULL;
    size_t len = 0;
    FILE *machine = wsk_cli_text(&html, &len);
    set_present(summary, of->run);
    const wsk_report_point point = {.summary = summary, .run = of->run, .rig = rig, .lang = wsk_cli_lang};
    wsk_cli_check_memory(wsk_report_point_machine(machine, &point) == WSK_OK);
    fclose(machine);
    fputs("{\"values\":{", out);
    put_values(out, of);
    fputs("},\"sliders\":{", out);
    put_sliders(out, of);
    fputs("},\"machine\":", out);
    wsk_json_quote(out, html);
    fputc('}', out);
    free(html);
}

static void put_slider(FILE *out, const char *key, const char *target, double low, double high, const char *unit)
{
    fputs("<input type=\"range\" data-slider=\"", out);
    wsk_report_text(out, key);
    fputs("\" data-do=\"", out);
    wsk_report_text(out, target);
    fprintf(out, "\" data-unit=\"%s\" min=\"%.0f\" max=\"%.0f\" step=\"1\" aria-label=\"", unit, low, high);
    wsk_report_text(out, target);
    fputs("\"><output></output>", out);
}

static void put_cards(FILE *out, const wsk_twin_moment *moment)
{
    fprintf(out, "<div class=\"scroll\"><table><thead><tr><th>%s</th>", T_("card"));
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        fprintf(out, "<th>%s</th>", T_(columns[i].label));
    fprintf(out, "%s</tr></thead><tbody>", moment->writable ? "<th></th>" : "");
    for (int i = 0; i < moment->count; i++) {
        const wsk_twin_fixed *card = &moment->card[i].fixed;
        fputs("<tr><th>", out);
        wsk_report_text(out, card->id);
        fputs("</th>", out);
        for (size_t k = 0; k < sizeof columns / sizeof *columns; k++) {
            fputs("<td data-value=\"", out);
            wsk_report_text(out, card->id);
            fprintf(out, ".%s\"></td>", columns[k].key);
        }
        if (moment->writable) {
            char key[WSK_TWIN_NAME + 16], target[WSK_TWIN_NAME + 16];
            snprintf(key, sizeof key, "%s.limit", card->id);
            snprintf(target, sizeof target, "%s.power-limit", card->id);
            fputs("<td>", out);
            put_slider(out, key, target, card->limit_min_mw / 1e3, card->limit_max_mw / 1e3, "W");
            fputs("</td>", out);
        }
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table></div>\n", out);
}

static void put_room(FILE *out)
{
    fprintf(out, "<p>%s ", T_("room"));
    put_slider(out, "room", "room", 10, 45, "degC");
    fputs("</p>\n<p id=\"said\" role=\"status\"></p>\n", out);
}

static void put_order(FILE *out, const char *target, const char *event)
{
    char *order = wsk_cli_format("%s %s", target, event);
    fputs("<option>", out);
    wsk_report_text(out, order);
    fputs("</option>", out);
    free(order);
}

static void put_failures(FILE *out, const wsk_metrics_of *of)
{
    static const wsk_owner owners[] = {WSK_OF_MOVER, WSK_OF_SUPPLY, WSK_OF_CIRCUIT};
    static const char *const events[] = {"fails", "returns"};
    fprintf(out, "<p>%s <select id=\"order\" aria-label=\"%s\">", T_("failures"), T_("failures"));
    for (int i = 0; i < of->moment->count; i++) {
        put_order(out, of->moment->card[i].fixed.id, "lost");
        put_order(out, of->moment->card[i].fixed.id, "returns");
    }
    for (size_t k = 0; k < sizeof owners / sizeof *owners; k++)
        for (size_t i = 0; i < wsk_run_owners(of->run, owners[k]); i++)
            for (int e = 0; e < 2; e++)
                put_order(out, wsk_run_owner(of->run, owners[k], i), events[e]);
    for (int e = 0; e < 2 && !isnan(present(of->run, WSK_VAR_AC_ON, "")); e++)
        put_order(out, "air-conditioner", events[e]);
    fprintf(out, "</select> <button id=\"do\">%s</button></p>\n", T_("let it happen"));
}

void wsk_page_html(FILE *out, const wsk_metrics_of *of)
{
    fprintf(out,
            "<!DOCTYPE html>\n<html lang=\"%s\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
            "content=\"width=device-width, initial-scale=1\">\n<link rel=\"icon\" href=\"data:,\">\n<link "
            "rel=\"stylesheet\" href=\"page.css\">\n<script src=\"page.js\" defer></script>\n<title>",
            wsk_lang_names[wsk_cli_lang]);
    wsk_report_text(out, of->moment->rig);
    fputs("</title>\n</head>\n<body>\n<header><h1>", out);
    wsk_report_text(out, of->moment->rig);
    fprintf(out,
            "</h1>\n<p class=\"sub\">%s <span data-value=\"time\"></span> <span id=\"gone\" "
            "hidden>%s</span></p></header>\n<main>\n",
            T_("simulated"), T_("The twin does not answer."));
    fputs("<dl class=\"tiles\">", out);
    for (size_t i = 0; i < sizeof tiles / sizeof *tiles; i++)
        fprintf(out, "<div><dt>%s</dt><dd data-value=\"%s\"></dd></div>", T_(tiles[i].label), tiles[i].key);
    fputs("</dl>\n", out);
    put_cards(out, of->moment);
    fputs("<div id=\"machine\"></div>\n", out);
    if (of->moment->writable) {
        put_failures(out, of);
        put_room(out);
    } else {
        fprintf(out, "<p class=\"note\">%s</p>\n", T_("To steer from this page, start the twin with --writable."));
    }
    fputs("</main>\n</body>\n</html>\n", out);
}

void wsk_page_style(FILE *out)
{
    wsk_report_point_style(out);
    fputs("#machine{overflow-x:auto}#machine "
          ".wide{display:block;min-width:44rem}input[type=range]{vertical-align:middle;"
          "width:9rem}output{display:inline-block;min-width:4rem}#gone{color:var(--bad)}\n",
          out);
}
