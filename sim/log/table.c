/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads tables: a header line with the names of the columns, in any order, then rows. Names or cells may have units,
 * columns may belong to several cards, and the header may be repeated. */
#include <math.h>
#include <string.h>

#include "sim/base/number.h"
#include "sim/log/log.h"

typedef struct {
    int role, rank;
    int slot; /* index of the column's quantity and card in sheet.slot; -1: the column has no values */
    wsk_log_scale scale;
} column;
typedef struct {
    int quantity, rank;
    double value;
    char card[WSK_LOG_CELL]; /* key of the card; "": each row names its card */
} slot;
typedef struct {
    wsk_log_reader *r;
    const wsk_log_table *table;
    size_t columns, slots;
    size_t name_at;    /* column of the cards' names, which may contain separators; WSK_LOG_COLUMNS: none */
    int by;            /* role of the column that identifies the card; WSK_LOG_NONE: no such column */
    bool timed, again; /* again: the previous line was a repeated header */
    double row;        /* number of rows of the first card: used as time, s, if the log has no times */
    char one[WSK_LOG_CELL];
    char first[WSK_LOG_CELL];
    wsk_log_mixed mixed;
    column column[WSK_LOG_COLUMNS];
    slot slot[WSK_LOG_COLUMNS];
} sheet;

static char separator_of(const wsk_log_reader *r)
{
    for (const char *c = "\t;,"; *c; c++)
        if (memchr(r->text + r->start, *c, r->end - r->start))
            return *c;
    return ',';
}

/* True if the unit in a header suits the quantity of the name. One name may stand for several quantities, and the
 * unit then tells which: "GPU Fan1 [RPM]". */
static bool unit_fits(const wsk_log_name *n, const char *unit)
{
    wsk_log_scale scale;
    if (n->role == WSK_LOG_WORK) /* a time is no rate of work */
        return !*unit || !wsk_log_scale_of(WSK_LOG_TIME, unit, &scale);
    return n->role >= WSK_LOG_TIME || !*unit || wsk_log_scale_of(n->role, unit, &scale);
}

const wsk_log_name *wsk_log_table_name(const wsk_log_table *table, const char *cell, char unit[WSK_UNIT_BYTES])
{
    static const char *const tails[] = {"_w",    " w",       "_kw",      "_mw",  "_mhz",  "_ghz", "_c",
                                        "_degc", "_f",       "_k",       "_pct", "_%",    " %",   "_rpm",
                                        "_hz",   "_percent", " c",       " rpm", "_s",    "_sec", "_seconds",
                                        "_ms",   "_min",     "_minutes", "_h",   "_hours"};
    char bare[WSK_LOG_CELL], head[WSK_LOG_CELL];
    wsk_log_bare(cell, bare, unit);
    for (const wsk_log_name *n = table->names; n->name; n++)
        if (strcmp(n->name, bare) == 0 && unit_fits(n, unit))
            return n;
    if (!table->fits_tail)
        return NULL;
    snprintf(head, sizeof head, "%s", cell);
    for (char *c = head; *c; c++)
        *c = *c >= 'A' && *c <= 'Z' ? (char)(*c - 'A' + 'a') : *c;
    const size_t len = strlen(head);
    for (size_t i = 0; i < sizeof tails / sizeof *tails; i++) {
        const size_t tail = strlen(tails[i]);
        if (len <= tail || strcmp(head + len - tail, tails[i]) != 0)
            continue;
        head[len - tail] = '\0';
        wsk_log_bare(head, bare, unit);
        /* a column in small letters: no card draws megawatts */
        snprintf(unit, WSK_UNIT_BYTES, "%s", strcmp(tails[i], "_mw") == 0 ? "mW" : tails[i] + 1);
        for (const wsk_log_name *n = table->names; n->name; n++)
            if (strcmp(n->name, bare) == 0 && unit_fits(n, unit))
                return n;
        return NULL;
    }
    return NULL;
}

static const wsk_log_name *name_of(const wsk_log_table *table, const char *cell, char card[WSK_LOG_CELL],
                                   char unit[WSK_UNIT_BYTES])
{
    char name[WSK_LOG_CELL];
    card[0] = unit[0] = '\0';
    if (!table->split)
        return wsk_log_table_name(table, cell, unit);
    return table->split(cell, card, name) ? wsk_log_table_name(table, name, unit) : NULL;
}

int wsk_log_table_fits(const wsk_log_reader *from, const wsk_log_table *table)
{
    wsk_log_reader r = *from;
    char cell[WSK_LOG_CELL], card[WSK_LOG_CELL], unit[WSK_UNIT_BYTES];
    int values = 0;
    r.separator = separator_of(&r);
    for (size_t at = r.start, n = 0; at < r.end && n < WSK_LOG_COLUMNS; n++) {
        wsk_log_cell(&r, &at, cell);
        const wsk_log_name *name = name_of(table, cell, card, unit);
        values += name && name->role < WSK_LOG_TIME;
    }
    return values;
}

static int add_slot(sheet *s, int quantity, const char *card)
{
    size_t i = 0;
    while (i < s->slots && (s->slot[i].quantity != quantity || strcmp(s->slot[i].card, card) != 0))
        i++;
    if (i == s->slots) {
        s->slot[s->slots++].quantity = quantity;
        memcpy(s->slot[i].card, card, WSK_LOG_CELL);
    }
    return (int)i;
}

/* The column of the room's air names no card. Its values become those of the first card that has a power. */
static void place_room_air(sheet *s)
{
    for (size_t i = 0; s->table->split && i < s->slots; i++)
        for (size_t k = 0; s->slot[i].quantity == WSK_LOG_INLET && !*s->slot[i].card && k < s->slots; k++)
            if (s->slot[k].quantity == WSK_LOG_POWER)
                memcpy(s->slot[i].card, s->slot[k].card, WSK_LOG_CELL);
}

/* Finds columns of times by common names, if the header has none of the table's own. */
static void find_common_times(sheet *s)
{
    char cell[WSK_LOG_CELL], unit[WSK_UNIT_BYTES];
    for (size_t at = s->r->start, i = 0; i < s->columns; i++) {
        wsk_log_cell(s->r, &at, cell);
        const wsk_log_name *name = wsk_log_table_name(&wsk_log_common, cell, unit);
        if (!name || (name->role != WSK_LOG_TIME && name->role != WSK_LOG_DATE) || s->column[i].role != WSK_LOG_NONE)
            continue;
        s->column[i].role = name->role;
        if (!wsk_log_scale_of(WSK_LOG_TIME, unit, &s->column[i].scale))
            (void)wsk_log_scale_of(WSK_LOG_TIME, "", &s->column[i].scale);
        s->timed = true;
    }
}

static void read_header(sheet *s)
{
    char cell[WSK_LOG_CELL], card[WSK_LOG_CELL], unit[WSK_UNIT_BYTES];
    s->r->separator = separator_of(s->r);
    s->columns = s->slots = 0;
    s->name_at = WSK_LOG_COLUMNS;
    s->by = WSK_LOG_NONE;
    s->timed = false;
    for (size_t at = s->r->start; at < s->r->end && s->columns < WSK_LOG_COLUMNS; s->columns++) {
        column *c = &s->column[s->columns];
        wsk_log_cell(s->r, &at, cell);
        if (s->columns == 0)
            memcpy(s->first, cell, sizeof cell);
        const wsk_log_name *name = name_of(s->table, cell, card, unit);
        *c = (column){.role = name ? name->role : WSK_LOG_NONE, .rank = name ? name->rank : 0, .slot = -1};
        if (!name)
            continue;
        if (!*unit && name->unit)
            snprintf(unit, sizeof unit, "%s", name->unit);
        if (c->role <= WSK_LOG_TIME && !wsk_log_scale_of(c->role, unit, &c->scale))
            (void)wsk_log_scale_of(c->role, "", &c->scale);
        /* In a table with by_order, the header does not name the cards: the n-th of the columns with the same quantity
         * and rank belongs to the n-th card. So the card's key is the number of such columns before this one. */
        if (s->table->by_order && c->role < WSK_LOG_WALL) {
            int before = 0;
            for (size_t i = 0; i < s->columns; i++)
                before += s->column[i].role == c->role && s->column[i].rank == c->rank;
            snprintf(card, sizeof card, "%d", before);
        }
        if (c->role < WSK_LOG_TIME)
            c->slot = add_slot(s, c->role, card);
        else if (c->role == WSK_LOG_NAME)
            s->name_at = s->columns;
        else if (c->role == WSK_LOG_TIME || c->role == WSK_LOG_DATE)
            s->timed = true;
        else if (s->by == WSK_LOG_NONE || c->role < s->by)
            s->by = c->role;
    }
    if (!s->timed)
        find_common_times(s);
    place_room_air(s);
}

typedef struct {
    char time[2 * WSK_LOG_CELL], date[WSK_LOG_CELL], card[WSK_LOG_CELL], model[WSK_LOG_CELL], id[WSK_LOG_CELL];
    size_t time_at;
    int card_rank; /* rank of the column that gave `card` */
    bool bad;
} row;

/* Writes the time of a cell as wsk_log_time reads it: a plain number as seconds with a decimal point, anything else as
 * it is. */
static void read_time(const column *c, const char *cell, char *time, size_t size)
{
    char text[WSK_LOG_CELL];
    const char *end;
    snprintf(text, sizeof text, "%s", cell);
    for (char *at = text; *at; at++) /* a comma inside a cell is a decimal comma */
        *at = *at == ',' ? '.' : *at;
    const double value = wsk_number_at(text, &end);
    if (end == text || *end || !isfinite(value) || (c->scale.mul == 1 && strcmp(text, cell) == 0))
        snprintf(time, size, "%s", cell);
    else
        snprintf(time, size, "%.9f", value * c->scale.mul);
}

/* Takes the key and the id of the row's card from a cell. The serial number is no id: two GPUs of one board share it. */
static void read_card(const sheet *s, const column *c, const char *cell, row *w)
{
    if (c->role == s->by && (!*w->card || c->rank < w->card_rank)) {
        snprintf(w->card, sizeof w->card, "%s", cell);
        w->card_rank = c->rank;
    }
    if (c->role == WSK_LOG_HIDDEN && c->rank == 0)
        snprintf(w->id, sizeof w->id, "u%.90s", cell);
    else if (c->role == WSK_LOG_BUS && !*w->id)
        snprintf(w->id, sizeof w->id, "b%.90s", cell);
}

static void read_cell(sheet *s, const column *c, size_t from, const char *cell, row *w)
{
    if (c->role == WSK_LOG_TIME && !*w->time) {
        read_time(c, cell, w->time, sizeof w->time);
        w->time_at = from;
    } else if (c->role == WSK_LOG_DATE) {
        snprintf(w->date, sizeof w->date, "%s", cell);
    } else if (c->role == WSK_LOG_NAME && !wsk_log_absent(cell)) {
        snprintf(w->model, sizeof w->model, "%s", cell);
    } else if (c->role >= WSK_LOG_INDEX && c->role <= WSK_LOG_HIDDEN && !wsk_log_absent(cell)) {
        read_card(s, c, cell, w);
    }
    if (c->slot < 0 || wsk_log_absent(cell))
        return;
    slot *to = &s->slot[c->slot];
    if (!isnan(to->value) && to->rank <= c->rank)
        return;
    wsk_log_scale scale = c->scale;
    double si;
    if (wsk_log_value(c->role, cell, &scale, &si)) {
        to->value = si;
        to->rank = c->rank;
    } else if (!w->bad) {
        w->bad = true;
        wsk_log_tell(s->r, WSK_DIAG_WARNING, from, WSK_SAID(WSK_SAY_LOG_CELL, cell));
    }
}

static size_t count_cells(const wsk_log_reader *r)
{
    size_t n = 0;
    char cell[WSK_LOG_CELL];
    for (size_t at = r->start; at < r->end; n++)
        wsk_log_cell(r, &at, cell);
    return n + (r->end > r->start && r->text[r->end - 1] == r->separator);
}

static bool time_of(sheet *s, row *w, double *t)
{
    char both[3 * WSK_LOG_CELL];
    if (!s->timed) {
        if (!(s->row > 0))
            memcpy(s->one, w->card, sizeof s->one);
        s->row += strcmp(s->one, w->card) == 0;
        *t = s->row;
        return true;
    }
    if (*w->date && *w->time) {
        snprintf(both, sizeof both, "%s %s", w->date, w->time);
        memcpy(w->time, both, sizeof w->time);
        w->time[sizeof w->time - 1] = '\0';
    } else if (*w->date) {
        snprintf(w->time, sizeof w->time, "%s", w->date);
    }
    if (wsk_log_time(s->r, w->time, t))
        return true;
    if (!s->again)
        wsk_log_mistime(s->r, w->time_at ? w->time_at : s->r->start, w->time);
    return false;
}

/* Rows that name no card are read as rows of one card. Passes their times and values to mixed.c, which finds out
 * whether they mix several cards. */
static void look_for_mixed(sheet *s, double t)
{
    double value[WSK_LOG_MIXED_OF] = {NAN, NAN, NAN};
    if (s->by != WSK_LOG_NONE || !s->timed)
        return;
    for (size_t i = 0; i < s->slots; i++) {
        const int q = s->slot[i].quantity, to = q == WSK_LOG_POWER ? 0 : q == WSK_LOG_DIE ? 1 : 2;
        if (*s->slot[i].card)
            return;
        if (to < 2 || q == WSK_LOG_FAN || q == WSK_LOG_FAN_SPEED)
            value[to] = s->slot[i].value;
    }
    wsk_log_mixed_row(&s->mixed, t, value, s->r->line);
}

static void keep_row(sheet *s, const row *w, double t)
{
    wsk_log *log = s->r->log;
    const wsk_log_by by = s->by == WSK_LOG_BUS      ? WSK_LOG_BY_BUS
                          : s->by == WSK_LOG_HIDDEN ? WSK_LOG_BY_HIDDEN
                                                    : WSK_LOG_BY_INDEX;
    for (size_t i = 0; i < s->slots; i++) {
        const slot *k = &s->slot[i];
        if (isnan(k->value))
            continue;
        const char *key = *k->card ? k->card : *w->card ? w->card : "0";
        if (k->quantity == WSK_LOG_WALL) {
            wsk_log_put(log, 0, k->quantity, t, k->value);
            continue;
        }
        const size_t card = wsk_log_card_with(log, by, key, w->id);
        wsk_log_put(log, card, k->quantity, t, k->value);
        wsk_log_put_model(log, card, w->model);
    }
}

static bool is_number(const char *cell)
{
    const char *end;
    (void)wsk_number_at(cell, &end);
    return end != cell && !*end;
}

/* True if the row has text behind the header's last column, or numbers where a card's name would have to contain a
 * separator: then a number was cut in two, and the values behind it are in wrong columns. more: see read_row. */
static bool is_shifted(const sheet *s, size_t more)
{
    const wsk_log_reader *r = s->r;
    char cell[WSK_LOG_CELL];
    for (size_t at = r->start, i = 0; at < r->end; i++) {
        wsk_log_cell(r, &at, cell);
        if (more ? i > s->name_at && i <= s->name_at + more && is_number(cell) : i >= s->columns && *cell)
            return true;
    }
    return false;
}

static void read_row(sheet *s)
{
    wsk_log_reader *r = s->r;
    char cell[WSK_LOG_CELL];
    row w = {.time_at = 0};
    double t;
    const size_t cells = count_cells(r);
    size_t at = r->start, values = 0, last = s->columns;
    /* number of separators inside the card's name, which make the row longer than the header */
    const size_t more = cells > s->columns && s->name_at < s->columns ? cells - s->columns : 0;
    if (cells < (s->columns < 2 ? 1 : 2)) {
        wsk_log_leave(r, r->start, WSK_SAID(WSK_SAY_LOG_ROW, cells, s->columns));
        return;
    }
    if (cells > s->columns && is_shifted(s, more)) {
        wsk_log_leave(r, r->start,
                      r->separator == ',' ? WSK_SAID(WSK_SAY_LOG_CELLS, cells, s->columns)
                                          : WSK_SAID(WSK_SAY_LOG_ROW, cells, s->columns));
        return;
    }
    if (!r->whole) /* a line that was cut off: its last number may lack digits */
        last = cells - more - 1;
    for (size_t i = 0; i < s->slots; i++)
        s->slot[i].value = NAN;
    for (size_t i = 0; i < s->columns && (at < r->end || !i); i++) {
        const size_t from = wsk_log_cell(r, &at, cell);
        for (size_t k = 0; i == s->name_at && k < more; k++)
            wsk_log_cell(r, &at, cell);
        if (i < last || s->column[i].slot < 0)
            read_cell(s, &s->column[i], from, cell, &w);
        else
            wsk_log_tell(r, WSK_DIAG_WARNING, from, WSK_SAID(WSK_SAY_LOG_CUT));
    }
    for (size_t i = 0; i < s->slots; i++)
        values += isnan(s->slot[i].value) ? 0 : 1;
    if (values && time_of(s, &w, &t)) {
        look_for_mixed(s, t);
        keep_row(s, &w, t);
        return;
    }
    if (!values && !s->again)
        wsk_log_leave(r, r->start,
                      cells < s->columns ? WSK_SAID(WSK_SAY_LOG_ROW, cells, s->columns)
                                         : WSK_SAID(WSK_SAY_LOG_NOTHING));
}

static void refuse_mixed(sheet *s)
{
    wsk_log *log = s->r->log;
    s->r->start = 0;
    s->r->line = s->mixed.line;
    wsk_log_tell(s->r, WSK_DIAG_ERROR, 0, WSK_SAID(WSK_SAY_LOG_MIXED));
    for (size_t i = 0; i < log->count; i++)
        for (int q = 0; q < WSK_LOG_QUANTITIES; q++)
            log->cards[i]->of[q].count = log->cards[i]->of[q].held = 0;
    log->wall.count = log->wall.held = 0;
}

void wsk_log_table_read(wsk_log_reader *r, const wsk_log_table *table)
{
    char cell[WSK_LOG_CELL];
    sheet *s = wsk_alloc(r->log->arena, sizeof *s);
    if (!s)
        return;
    s->r = r;
    s->table = table;
    r->log->format = table->format;
    read_header(s);
    if (!s->timed)
        wsk_log_tell(r, WSK_DIAG_WARNING, r->start, WSK_SAID(WSK_SAY_LOG_NO_TIME));
    while (wsk_log_line(r)) {
        size_t at = r->start;
        if (wsk_log_begins(r, "#"))
            continue;
        wsk_log_cell(r, &at, cell);
        if (strcmp(cell, s->first) == 0 && wsk_log_table_fits(r, table)) {
            read_header(s);
            s->again = true;
            continue;
        }
        read_row(s);
        s->again = false;
    }
    if (wsk_log_mixed_found(&s->mixed))
        refuse_mixed(s);
    for (size_t i = 0; table->powered && i < r->log->count; i++)
        for (int q = 0; q < WSK_LOG_QUANTITIES && !r->log->cards[i]->of[WSK_LOG_POWER].count; q++)
            r->log->cards[i]->of[q].count = 0;
}
