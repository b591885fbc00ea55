/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/run/watch_sheet.h"
#include "words/width.h"

/* Styles: parameters of the escape sequence "ESC [ ... m". */
static const char GREEN[] = "32", YELLOW[] = "33", RED[] = "31", BOLD[] = "1", DIM[] = "2", PLAIN[] = "";

static void bar(wsk_sheet *s, const char *style, double share, int width)
{
    static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    double filled = isnan(share) ? 0 : fmin(fmax(share, 0), 1) * width;
    int whole = (int)filled, eighth = (int)(8 * (filled - whole));
    char text[512] = "";
    size_t n = 0;
    bool utf8 = s->page->utf8;
    if (width > 100)
        width = 100;
    for (int i = 0; i < whole && i < width; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%s", utf8 ? "█" : "|");
    if (whole < width && utf8 && eighth)
        n += (size_t)snprintf(text + n, sizeof text - n, "%s", eighths[eighth]);
    wsk_sheet_say(s, style, "%s", text);
    n = 0;
    text[0] = '\0';
    for (int i = whole + (utf8 && eighth && whole < width); i < width; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%s", utf8 ? "·" : ".");
    wsk_sheet_say(s, DIM, "%s", text);
}

static double value(const wsk_sheet *s, const char *id, wsk_var variable)
{
    char full[160];
    double v;
    snprintf(full, sizeof full, "%s%s%s", id, *id ? "." : "", wsk_var_about(variable)->name);
    return wsk_run_get(s->page->run, full, &v) == WSK_OK ? v : (double)NAN;
}

static const char *heat(double c, double warm, double hot)
{
    return !(c >= warm) ? GREEN : c < hot ? YELLOW : RED;
}

static void item(wsk_sheet *s, const char *name, double v, int digits, const char *unit)
{
    if (isnan(v))
        return;
    wsk_sheet_part p = wsk_sheet_begin(s, 3);
    wsk_sheet_say(s, DIM, "%s ", name);
    wsk_sheet_say(s, PLAIN, "%.*f", digits, v);
    wsk_sheet_say(s, DIM, "%s%s", *unit ? " " : "", unit);
    wsk_sheet_end(s, p);
}

static const char *degrees(const wsk_sheet *s)
{
    return s->page->utf8 ? "°C" : "C";
}

static void each(wsk_sheet *s, wsk_var variable, int digits, const char *unit)
{
    for (size_t i = 0; i < wsk_run_variables(s->page->run); i++) {
        const wsk_var_row *row = wsk_run_variable_row(s->page->run, i);
        const char *name, *was;
        double v;
        char owner[80];
        wsk_run_variable(s->page->run, i, &name, &was, &v);
        size_t len = strlen(name), tail = strlen(row->name) + 1;
        if (row->row != variable || len <= tail || len - tail >= sizeof owner)
            continue;
        snprintf(owner, sizeof owner, "%.*s", (int)(len - tail), name);
        item(s, owner, v, digits, unit);
    }
}

static void clock_text(char out[32], double seconds)
{
    long long t = (long long)seconds, d = t / 86400;
    if (d > 0)
        snprintf(out, 32, "%lld d %02lld:%02lld", d, t / 3600 % 24, t / 60 % 60);
    else
        snprintf(out, 32, "%02lld:%02lld:%02lld", t / 3600, t / 60 % 60, t % 60);
}

static void head(wsk_sheet *s)
{
    const wsk_watch_page *p = s->page;
    char at[32], total[32], left[32];
    double now = wsk_run_time(p->run), to = wsk_run_duration(p->run);
    wsk_sheet_say(s, BOLD, "wattsink");
    wsk_sheet_say(s, PLAIN, "  ");
    wsk_sheet_words(s, PLAIN, wsk_cli_said(p->summary, WSK_R_RIG, 0));
    wsk_sheet_next(s);
    clock_text(at, now);
    wsk_cli_duration(total, to);
    wsk_cli_duration(left, p->speed > 0 ? (to - now) / p->speed : 0);
    int width = p->columns - 62;
    if (width >= 4)
        bar(s, PLAIN, to > 0 ? now / to : 1, width > 60 ? 60 : width);
    wsk_sheet_say(s, BOLD, " %3.0f %%", to > 0 ? floor(100 * now / to) : 100);
    wsk_sheet_part piece = wsk_sheet_begin(s, 2);
    char *reached = wsk_cli_format(T_("%1$s of %2$s"), at, total);
    wsk_sheet_say(s, PLAIN, "%s", reached);
    free(reached);
    wsk_sheet_end(s, piece);
    piece = wsk_sheet_begin(s, 2);
    if (p->paused)
        wsk_sheet_say(s, BOLD, "%s", T_("paused"));
    else if (p->speed > 0)
        wsk_sheet_say(s, PLAIN, T_("%.0f x real time"), p->speed);
    wsk_sheet_end(s, piece);
    piece = wsk_sheet_begin(s, 2);
    if (!p->paused && p->speed > 0)
        wsk_sheet_say(s, PLAIN, T_("%s left"), left);
    wsk_sheet_end(s, piece);
    wsk_sheet_next(s);
}

static void rig(wsk_sheet *s)
{
    const wsk_watch_page *p = s->page;
    const char *currency = wsk_cli_said(p->summary, WSK_R_CURRENCY, 0);
    double wall = value(s, "", WSK_VAR_WALL_W), limit = NAN;
    /* A circuit's limit is a limit of the whole power only if there is one circuit */
    if (wsk_summary_count(p->summary, WSK_SCOPE_CIRCUIT) < 2)
        limit = wsk_summary_number(p->summary, WSK_R_CIRCUIT_LIMIT, 0);
    wsk_sheet_say(s, DIM, "%s ", T_("wall"));
    wsk_sheet_say(s, limit > 0 && wall > limit ? RED : BOLD, "%.0f", wall);
    if (limit > 0)
        wsk_sheet_say(s, DIM, T_(" W of %.0f W"), limit);
    else
        wsk_sheet_say(s, DIM, " W");
    item(s, T_("energy"), value(s, "", WSK_VAR_ENERGY_KWH), 2, "kWh");
    if (currency[0])
        item(s, T_("cost"), value(s, "", WSK_VAR_COST), value(s, "", WSK_VAR_COST) < 1000 ? 2 : 0, currency);
    wsk_sheet_next(s);
    if (s->rows > 8) {
        item(s, T_("air conditioner"), value(s, "", WSK_VAR_AC_W), 0, "W");
        item(s, T_("noise"), value(s, "", WSK_VAR_NOISE_DBA), 1, "dBA");
        each(s, WSK_VAR_MOVER_RPM, 0, "rpm");
        wsk_sheet_next(s);
    } else {
        s->missing.values = true;
    }
    item(s, T_("room"), value(s, "", WSK_VAR_ROOM_C), 1, degrees(s));
    item(s, T_("outdoors"), value(s, "", WSK_VAR_OUTDOOR_C), 1, degrees(s));
    item(s, T_("case"), value(s, "case", WSK_VAR_CASE_AIR_C), 1, degrees(s));
    each(s, WSK_VAR_CASE_CPU_C, 1, degrees(s));
    wsk_sheet_next(s);
}

static const char *held_by(const wsk_sheet *s, const char *id)
{
    static const wsk_var reasons[] = {WSK_VAR_CARD_THROTTLE_HW, WSK_VAR_CARD_THROTTLE_MEMORY,
                                      WSK_VAR_CARD_THROTTLE_THERMAL, WSK_VAR_CARD_THROTTLE_POWER};
    static const char *const words[] = {N_("hardware"), N_("memory"), N_("heat"), N_("power")};
    for (int i = 0; i < 4; i++)
        if (value(s, id, reasons[i]) > 0)
            return words[i];
    return "";
}

/* Least columns for a card's line, besides the card's name. ROOMY: with bars. ALL: with all values. NO_SPOT: without
 * the hot spot. NO_MEMORY: without memory temperature, too. NO_FAN: without fan speed, too; with fewer columns the
 * clock is left out as well. */
enum { ROOMY = 55, ALL = 48, NO_SPOT = 42, NO_MEMORY = 35, NO_FAN = 29 };
typedef struct {
    int names, bars;
    /* columns of hot spot and of memory temperature: VALUE (below), or more if the title is longer */
    int spot_width, memory_width;
    bool spot, memory, fan, clock;
} layout;

enum { VALUE = 6 }; /* columns of a value, with the blank before it */

static void reading_wide(wsk_sheet *s, int width, bool shown, const char *style, double v, int digits)
{
    if (shown && isnan(v))
        wsk_sheet_say(s, DIM, "%*s", width, "-");
    else if (shown)
        wsk_sheet_say(s, style, "%*.*f", width, digits, v);
}

static void reading(wsk_sheet *s, bool shown, const char *style, double v, int digits)
{
    reading_wide(s, VALUE, shown, style, v, digits);
}

static void card(wsk_sheet *s, size_t i, const layout *l)
{
    const char *id = wsk_cli_said(s->page->summary, WSK_R_GPU_ID, i);
    double die = value(s, id, WSK_VAR_CARD_DIE_C), spot = value(s, id, WSK_VAR_CARD_HOTSPOT_C),
           memory = value(s, id, WSK_VAR_CARD_MEMORY_C), fan = value(s, id, WSK_VAR_CARD_FAN_RPM);
    const char *why = held_by(s, id);
    wsk_sheet_aligned(s, PLAIN, id, l->names);
    wsk_sheet_say(s, PLAIN, " ");
    wsk_sheet_say(s, heat(die, 75, 85), "%5.1f ", die);
    bar(s, heat(die, 75, 85), (die - 20) / 80, l->bars);
    reading_wide(s, l->spot_width, l->spot, heat(spot, 90, 100), spot, 1);
    reading_wide(s, l->memory_width, l->memory, heat(memory, 90, 100), memory, 1);
    wsk_sheet_say(s, PLAIN, "%s", l->memory ? " " : "");
    if (l->memory)
        bar(s, heat(memory, 90, 100), (memory - 20) / 90, l->bars);
    /* NAN, printed as "-": the card has no fan of its own, or its fan stands still */
    reading(s, l->fan, PLAIN, fan > 0 ? fan : (double)NAN, 0);
    reading(s, l->clock, PLAIN,
            wsk_watch_knows_clock(s->page, i) ? value(s, id, WSK_VAR_CARD_CLOCK_MHZ) : (double)NAN, 0);
    reading(s, true, BOLD, value(s, id, WSK_VAR_CARD_POWER_W), 0);
    if (*why) {
        wsk_sheet_part p = wsk_sheet_begin(s, 2);
        wsk_sheet_say(s, !strcmp(why, "power") ? YELLOW : RED, "%s", T_(why));
        wsk_sheet_end(s, p);
    }
    wsk_sheet_next(s);
}

static int title_width(const char *title)
{
    return wsk_width(title) < VALUE ? VALUE : wsk_width(title) + 1;
}

static layout lay_out(const wsk_sheet *s, int names)
{
    int spot = title_width(T_("spot")), memory = title_width(T_("mem"));
    int columns = s->page->columns - (spot - VALUE) - (memory - VALUE);
    names = names > 24 ? 24 : names;
    if (columns - ROOMY - names < 8 && names > 8)
        names = 8;
    int bars = (columns - ROOMY - names) / 2, room = columns - names;
    return (layout){.names = names,
                    .spot_width = spot,
                    .memory_width = memory,
                    .bars = bars < 0    ? 0
                            : bars > 40 ? 40
                                        : bars,
                    .spot = room >= ALL,
                    .memory = room >= NO_SPOT,
                    .fan = room >= NO_MEMORY,
                    .clock = room >= NO_FAN};
}

static void title(wsk_sheet *s, int width, bool shown, const char *name)
{
    if (shown)
        wsk_sheet_aligned(s, DIM, name, -width);
}

static layout lay_out_cards(const wsk_sheet *s)
{
    const wsk_summary *summary = s->page->summary;
    int names = wsk_width(T_("card"));
    for (size_t i = 0; i < wsk_summary_count(summary, WSK_SCOPE_GPU); i++) {
        int len = wsk_width(wsk_cli_said(summary, WSK_R_GPU_ID, i));
        names = len > names ? len : names;
    }
    return lay_out(s, names);
}

static void cards(wsk_sheet *s, int rows)
{
    const wsk_summary *summary = s->page->summary;
    size_t count = wsk_summary_count(summary, WSK_SCOPE_GPU), shown = rows < 2               ? 0
                                                                      : count < (size_t)rows ? count
                                                                                             : (size_t)rows - 1;
    s->missing.cards = count - shown;
    if (!shown)
        return;
    layout l = lay_out_cards(s);
    s->missing.values = s->missing.values || !l.spot || !l.memory || !l.fan || !l.clock;
    wsk_sheet_aligned(s, DIM, T_("card"), l.names);
    wsk_sheet_say(s, DIM, " %5s %*s", "GPU", l.bars, "");
    title(s, l.spot_width, l.spot, T_("spot"));
    title(s, l.memory_width, l.memory, T_("mem"));
    wsk_sheet_say(s, DIM, "%*s", l.memory ? 1 + l.bars : 0, "");
    title(s, VALUE, l.fan, "rpm");
    title(s, VALUE, l.clock, "MHz");
    title(s, VALUE, true, "W");
    wsk_sheet_part p = wsk_sheet_begin(s, 2);
    wsk_sheet_say(s, DIM, "%s", T_("limited by"));
    wsk_sheet_end(s, p);
    wsk_sheet_next(s);
    for (size_t i = 0; i < shown; i++)
        card(s, i, &l);
}

static void supplies(wsk_sheet *s)
{
    size_t count = wsk_summary_count(s->page->summary, WSK_SCOPE_PSU);
    for (size_t i = 0; i < count; i++) {
        const char *id = wsk_cli_said(s->page->summary, WSK_R_PSU_ID, i);
        double load = value(s, id, WSK_VAR_SUPPLY_LOAD);
        wsk_sheet_part p = wsk_sheet_begin(s, 3);
        wsk_sheet_say(s, DIM, "%s %s ", id, T_("load"));
        wsk_sheet_say(s, load > 1 ? RED : PLAIN, "%.0f %%", 100 * load);
        wsk_sheet_say(s, DIM, ", %s ", T_("efficiency"));
        wsk_sheet_say(s, PLAIN, "%.1f %%", 100 * value(s, id, WSK_VAR_SUPPLY_EFFICIENCY));
        if (!wsk_sheet_end(s, p))
            break;
    }
    if (count)
        wsk_sheet_next(s);
}

static void loops(wsk_sheet *s)
{
    for (size_t i = 0; i < wsk_summary_count(s->page->summary, WSK_SCOPE_LOOP); i++) {
        if (s->rows <= 3) {
            s->missing.values = true;
            break;
        }
        const char *id = wsk_cli_said(s->page->summary, WSK_R_LOOP_ID, i);
        wsk_sheet_say(s, DIM, "%s", id);
        item(s, T_("coolant"), value(s, id, WSK_VAR_LOOP_COOLANT_C), 1, degrees(s));
        item(s, T_("return"), value(s, id, WSK_VAR_LOOP_RETURN_C), 1, degrees(s));
        item(s, T_("flow"), value(s, id, WSK_VAR_LOOP_FLOW_LPM), 1, "l/min");
        wsk_sheet_next(s);
    }
}

static void event(wsk_sheet *s, const wsk_watch_event *e)
{
    char when[32];
    clock_text(when, e->at_s);
    wsk_sheet_say(s, DIM, "%*s  ", s->page->columns < 60 ? 8 : 12, when);
    wsk_sheet_words(s, PLAIN, e->component);
    wsk_sheet_part p = wsk_sheet_begin(s, 2);
    wsk_sheet_say(s, DIM, "%s", T_(e->what));
    if (wsk_sheet_end(s, p) && *e->why) {
        p = wsk_sheet_begin(s, 0);
        wsk_sheet_say(s, DIM, ": %s", T_(e->why));
        wsk_sheet_end(s, p);
    }
    if (e->count > 1) {
        p = wsk_sheet_begin(s, 2);
        wsk_sheet_say(s, DIM, T_("(%zu times)"), e->count);
        wsk_sheet_end(s, p);
    }
    wsk_sheet_next(s);
}

static void events(wsk_sheet *s, int rows)
{
    size_t n = s->page->n_events, show = rows < 0 ? 0 : (size_t)rows;
    s->missing.events = n > show ? n - show : 0;
    for (size_t i = s->missing.events; i < n; i++)
        event(s, &s->page->events[i]);
}

static bool lacks(const wsk_sheet *s, int rows)
{
    size_t events = s->page->n_events;
    return s->missing.cards || s->missing.past || s->missing.values || events > (size_t)(rows < 0 ? 0 : rows);
}

static void tell_missing(wsk_sheet *s)
{
    size_t cards = wsk_summary_count(s->page->summary, WSK_SCOPE_GPU), n = 0;
    char *texts[4], *all = wsk_cli_format("%s", T_("no room: "));
    const char *names[4];
    if (s->missing.cards)
        names[n] = T_("cards"), texts[n++] = wsk_cli_format(T_("%1$zu of %2$zu cards"), s->missing.cards, cards);
    if (s->missing.past)
        names[n] = T_("history"),
        texts[n++] = wsk_cli_format(T_("history of %1$zu of %2$zu cards"), s->missing.past, cards);
    if (s->missing.events)
        names[n] = T_("events"),
        texts[n++] = wsk_cli_format(T_("%1$zu of %2$zu events"), s->missing.events, s->page->n_events);
    if (s->missing.values)
        names[n] = T_("values"), texts[n++] = wsk_cli_format("%s", T_("some values"));
    int width = wsk_width(all);
    for (size_t i = 0; i < n; i++)
        width += wsk_width(texts[i]) + 2;
    bool brief = width - 2 > s->left;
    for (size_t i = 0; i < n; i++) {
        wsk_sheet_part p = wsk_sheet_begin(s, 0);
        wsk_sheet_say(s, YELLOW, "%s%s", i ? ", " : all, brief ? names[i] : texts[i]);
        wsk_sheet_end(s, p);
        free(texts[i]);
    }
    free(all);
}

static void foot(wsk_sheet *s)
{
    const wsk_watch_page *p = s->page;
    char pace[32];
    wsk_cli_duration(pace, p->asked);
    static const char *const keys[][2] = {{"q", N_("quit")},
                                          {N_("space"), N_("pause")},
                                          {"+", N_("faster")},
                                          {"-", N_("slower")},
                                          {"f", N_("full speed")}};
    for (int i = 0; i < 5; i++) {
        wsk_sheet_part piece = wsk_sheet_begin(s, p->columns < 72 ? 2 : 3);
        wsk_sheet_say(s, BOLD, "%s", T_(keys[i][0]));
        wsk_sheet_say(s, DIM, " %s",
                      i == 1 && p->paused ? T_("resume")
                      : i == 4 && p->free ? T_("set speed")
                                          : T_(keys[i][1]));
        wsk_sheet_end(s, piece);
    }
    wsk_sheet_part piece = wsk_sheet_begin(s, 3);
    if (p->free)
        wsk_sheet_say(s, DIM, "%s", T_("speed: as fast as possible"));
    else
        wsk_sheet_say(s, DIM, T_("speed: %s per second"), pace);
    wsk_sheet_end(s, piece);
}

static void past(wsk_sheet *s)
{
    int events = s->page->n_events < 3 ? (int)s->page->n_events : 3, before = s->rows,
        names = wsk_width(T_("history")), ids = lay_out_cards(s).names;
    wsk_watch_past(s, s->rows - 1 - (events > 0) - events, ids > names ? ids : names);
    if (s->rows < before && s->rows > events + 1)
        wsk_sheet_next(s);
}

char *wsk_watch_draw(const wsk_watch_page *page, size_t *len)
{
    char *text = NULL;
    wsk_sheet s = {.page = page, .out = wsk_cli_text(&text, len), .left = page->columns, .rows = page->rows};
    fputs("\x1b[H", s.out);
    if (s.rows > 2)
        head(&s);
    if (s.rows > 3)
        rig(&s);
    if (page->rows >= 20)
        wsk_sheet_next(&s);
    cards(&s, s.rows - 1 - (page->rows >= 12 ? 2 : 0));
    if (s.rows > 2)
        supplies(&s);
    loops(&s);
    if (s.rows > 3)
        wsk_sheet_next(&s);
    past(&s);
    bool lack = lacks(&s, s.rows - 1);
    events(&s, s.rows - (lack ? 2 : 1));
    while (s.rows > (lack ? 2 : 1))
        wsk_sheet_next(&s);
    if (lack)
        tell_missing(&s);
    if (s.rows > 1)
        wsk_sheet_next(&s);
    else if (lack)
        wsk_sheet_say(&s, PLAIN, "  ");
    foot(&s);
    wsk_sheet_next(&s);
    fclose(s.out);
    return text;
}
