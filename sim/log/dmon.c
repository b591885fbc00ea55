/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads nvidia-smi dmon: columns separated by blanks, below two header lines that begin with # and are repeated on
 * every screen. dcgmi dmon is similar, but its second header line is "ID" without #, and its rows begin with two
 * words, "GPU 0". */
#include <string.h>

#include "sim/log/log.h"

static const wsk_log_name names[] = {{"date", WSK_LOG_DATE, 0, NULL},
                                     {"time", WSK_LOG_TIME, 0, NULL},
                                     {"gpu", WSK_LOG_INDEX, 0, NULL},
                                     {"pwr", WSK_LOG_POWER, 0, NULL},
                                     {"gtemp", WSK_LOG_DIE, 0, NULL},
                                     {"temp", WSK_LOG_DIE, 1, NULL},
                                     {"mtemp", WSK_LOG_MEMORY, 0, NULL},
                                     {"sm", WSK_LOG_UTILISATION, 0, NULL},
                                     {"mem", WSK_LOG_MEMORY_UTILISATION, 0, NULL},
                                     {"pclk", WSK_LOG_CLOCK, 0, NULL},
                                     {"mclk", WSK_LOG_MEMORY_CLOCK, 0, NULL},
                                     /* columns of dcgmi dmon */
                                     {"entity", WSK_LOG_INDEX, 0, NULL},
                                     {"power", WSK_LOG_POWER, 0, NULL},
                                     {"powinst", WSK_LOG_POWER, 1, NULL},
                                     {"pmlmt", WSK_LOG_LIMIT, 0, NULL},
                                     {"tmptr", WSK_LOG_DIE, 0, NULL},
                                     {"mmtmp", WSK_LOG_MEMORY, 0, NULL},
                                     {"gputl", WSK_LOG_UTILISATION, 0, NULL},
                                     {"mcutl", WSK_LOG_MEMORY_UTILISATION, 0, NULL},
                                     {"smclk", WSK_LOG_CLOCK, 0, NULL},
                                     {"mmclk", WSK_LOG_MEMORY_CLOCK, 0, NULL},
                                     {NULL, 0, 0, NULL}};
enum { WORDS = 64 };

static bool next_word(const wsk_log_reader *r, size_t *at, size_t *from, char word[WSK_LOG_CELL])
{
    size_t n = 0;
    while (*at < r->end &&
           (r->text[*at] == ' ' || r->text[*at] == '\t' || r->text[*at] == '\r' || r->text[*at] == '#'))
        ++*at;
    *from = *at;
    for (; *at < r->end && r->text[*at] > ' '; ++*at)
        if (n < WSK_LOG_CELL - 1)
            word[n++] = r->text[*at] < 0x7F ? r->text[*at] : '?';
    if (*at == *from && *at < r->end) {
        ++*at;
        word[n++] = '?';
    }
    word[n] = '\0';
    return *from < r->end;
}

/* Reads the names of the columns. Returns the number of columns with values; -1: the line is no header of dmon, for
 * example a header of nvidia-smi pmon (processes). */
static int read_header(const wsk_log_reader *r, const wsk_log_name *column[WORDS], size_t *count)
{
    char word[WSK_LOG_CELL], bare[WSK_LOG_CELL], unit[WSK_UNIT_BYTES];
    int values = 0;
    size_t from;
    *count = 0;
    for (size_t at = r->start; *count < WORDS && next_word(r, &at, &from, word); ++*count) {
        wsk_log_bare(word, bare, unit);
        column[*count] = NULL;
        if (strcmp(bare, "pid") == 0 || (!*count && strcmp(bare, "gpu") != 0 && strcmp(bare, "date") != 0 &&
                                         strcmp(bare, "time") != 0 && strcmp(bare, "entity") != 0))
            return -1;
        for (const wsk_log_name *n = names; n->name; n++)
            if (strcmp(n->name, bare) == 0) {
                column[*count] = n;
                values += n->role < WSK_LOG_TIME;
            }
    }
    return values;
}

bool wsk_log_dmon_fits(const wsk_log_reader *r)
{
    const wsk_log_name *column[WORDS];
    size_t count;
    return wsk_log_begins(r, "#") && read_header(r, column, &count) > 0;
}

typedef struct {
    wsk_log_reader *r;
    const wsk_log_name *column[WORDS];
    size_t count;
    bool timed, entities; /* timed: rows have a time or date; entities: rows begin with an entity, as in dcgmi */
    double row;
    char one[WSK_LOG_CELL]; /* key of the first card; in a log without times, its n-th row has the time n s */
} screen;

static void read_row(screen *s)
{
    wsk_log_reader *r = s->r;
    wsk_log_moment now = {.t_s = 0};
    char word[WSK_LOG_CELL], card[WSK_LOG_CELL] = "0", date[WSK_LOG_CELL] = "", both[2 * WSK_LOG_CELL + 1] = "";
    size_t at = r->start, from, n = 0;
    bool gpu = true;
    while (next_word(r, &at, &from, word)) {
        if (s->entities && !n && (strcmp(word, "ID") == 0 || strcmp(word, "Id") == 0))
            return;
        gpu = n || !s->entities ? gpu : strcmp(word, "GPU") == 0;
        n++;
    }
    n -= s->entities && n; /* an entity such as "GPU 0" is two words */
    if (!gpu) {            /* the entity is a processor or a part of a card */
        wsk_log_leave(r, r->start, WSK_SAID(WSK_SAY_LOG_NOTHING));
        return;
    }
    if (n < s->count || (!r->whole && n == s->count)) {
        wsk_log_leave(r, r->start, n < s->count ? WSK_SAID(WSK_SAY_LOG_ROW, n, s->count) : WSK_SAID(WSK_SAY_LOG_CUT));
        return;
    }
    wsk_log_open(&now, WSK_LOG_BY_INDEX, card);
    at = r->start;
    for (size_t i = 0; i < s->count && next_word(r, &at, &from, word); i++) {
        const wsk_log_name *name = s->column[i];
        if (s->entities && !i && !next_word(r, &at, &from, word))
            break;
        if (!name)
            continue;
        if (name->role < WSK_LOG_TIME)
            wsk_log_note(r, &now, name, from, word);
        else if (name->role == WSK_LOG_INDEX)
            memcpy(card, word, sizeof card);
        else if (name->role == WSK_LOG_DATE)
            memcpy(date, word, sizeof date);
        else
            snprintf(both, sizeof both, "%s%s%s", date, *date ? " " : "", word);
    }
    snprintf(now.card, sizeof now.card, "%s", card);
    if (!s->timed) {
        if (!(s->row > 0))
            memcpy(s->one, card, sizeof s->one);
        s->row += strcmp(s->one, card) == 0;
        now.t_s = s->row;
    } else if (!wsk_log_time(r, *both ? both : date, &now.t_s)) {
        wsk_log_mistime(r, r->start, both);
        return;
    }
    if (wsk_log_holds(&now))
        wsk_log_keep(r->log, &now);
    else
        wsk_log_leave(r, r->start, WSK_SAID(WSK_SAY_LOG_NOTHING));
}

void wsk_log_dmon_read(wsk_log_reader *r)
{
    screen s = {.r = r};
    r->log->format = "nvidia-smi dmon";
    do {
        if (!wsk_log_begins(r, "#")) {
            read_row(&s);
            continue;
        }
        const wsk_log_name *column[WORDS];
        size_t count;
        if (read_header(r, column, &count) <= 0)
            continue; /* the line with the units, or a header of another program */
        const bool first = s.count == 0;
        memcpy(s.column, column, sizeof column);
        s.count = count;
        s.timed = false;
        s.entities = wsk_log_begins(r, "#Entity") || wsk_log_begins(r, "# Entity");
        if (s.entities)
            r->log->format = "dcgmi dmon";
        for (size_t i = 0; i < count; i++)
            s.timed = s.timed || (column[i] && (column[i]->role == WSK_LOG_TIME || column[i]->role == WSK_LOG_DATE));
        if (first && !s.timed)
            wsk_log_tell(r, WSK_DIAG_WARNING, r->start, WSK_SAID(WSK_SAY_LOG_NO_TIME));
    } while (wsk_log_line(r));
}
