/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Readers of measurements: logs (readings over time), with one source file per format (find.c chooses the format by
 * the content), and sweeps of power limits (sweep.h). store.c keeps the samples, scan.c reads lines and cells, time.c
 * reads times, table.c columns below a header. mixed.c detects mixed rows of several cards, holes.c detects holes.
 * Begin with this header. */
#ifndef WSK_LOG_LOG_H
#define WSK_LOG_LOG_H
#include "sim/base/said.h"
#include "sim/base/units.h"

enum { WSK_LOG_CELL = 96, WSK_LOG_COLUMNS = 768, WSK_LOG_CARDS = 256, WSK_LOG_TOLD = 20 };

/* The samples of one quantity: times, s, and values in SI units. */
typedef struct {
    double *t, *value;
    size_t count, room;
    size_t stride, held; /* stride: readings merged into one sample; held: readings of the sample that is not stored
                          * yet, summed in sum_t and sum_value */
    double sum_t, sum_value;
    int *line, held_line; /* line of each stored sample, and of the sample being summed; NULL: not kept, because the
                           * track is neither power nor utilisation */
} wsk_log_track;
/* How rows of a log name their card: by a number (also "0" in a log that names no card), by its address on the bus,
 * or by a text that is never shown, such as a serial number. */
typedef enum { WSK_LOG_BY_INDEX, WSK_LOG_BY_BUS, WSK_LOG_BY_HIDDEN } wsk_log_by;
typedef struct {
    /* key: how the rows first named the card; id: its UUID (u...) or its address on the bus (b...); "": not known;
     * latest: how its latest row named it */
    char key[WSK_LOG_CELL], id[WSK_LOG_CELL], latest[WSK_LOG_CELL];
    const char *name, *model; /* model: product name of the card; NULL: not logged */
    wsk_log_by by;
    double order;
    wsk_log_track of[WSK_LOG_QUANTITIES];
} wsk_log_one;
/* Kinds of times in a log: since its start; of the day; local date and time; UTC. */
typedef enum { WSK_LOG_SINCE, WSK_LOG_OF_DAY, WSK_LOG_CIVIL, WSK_LOG_UTC } wsk_log_clock;
struct wsk_log {
    wsk_arena *arena;
    wsk_diags diags;
    const char *format, *path;
    int line; /* number of the line that is being read; stored with samples */
    wsk_log_one *cards[WSK_LOG_CARDS];
    size_t count;
    wsk_log_track wall;
    wsk_log_clock clock;
    double start_s,
        east_s; /* east_s: by how much the log's clock is ahead of UTC, s, if its times state that; else 0 */
    size_t left_out, twice,
        moves; /* moves: warnings of cards with another key; twice: power samples left out, because their card has one at the same time */
    bool thinned, crowded, failed; /* crowded: there were more than WSK_LOG_CARDS cards */
};
/* Index of the card with this key; a new key adds a card. WSK_LOG_CARDS: there is no room or memory for another card.
 * id (of wsk_log_one): "", or what the card keeps when its key changes, as an index does after a restart. Warns where a
 * card has another key than before, or a key another card. */
size_t wsk_log_card_with(wsk_log *log, wsk_log_by by, const char *key, const char *id);
/* Keeps the product name of a card, the first one that its rows have. */
void wsk_log_put_model(wsk_log *log, size_t card, const char *model);
/* Adds a sample; t_s: its time by the log's clock, s. quantity WSK_LOG_WALL: power at the wall (`card` is not used). */
void wsk_log_put(wsk_log *log, size_t card, int quantity, double t_s, double value);
/* Ends the reading: sorts the samples of all tracks, drops those at the same time as another of the track, and calls
 * wsk_log_settle. */
void wsk_log_close(wsk_log *log);
/* Drops cards without samples, sorts cards, and shifts all times so that the first is 0. start_s grows by this
 * shift. */
void wsk_log_settle(wsk_log *log);
/* Drops the samples of all tracks before from_s and from to_s on. */
void wsk_log_cut(wsk_log *log, double from_s, double to_s);

typedef struct {
    wsk_log *log;
    const char *path, *text;
    /* len: bytes of text in memory. Offsets in this text: at: next line; start, end: current line; keep: start of
     * text before the current line that the format reads again, SIZE_MAX: none */
    size_t len, at, start, end, keep;
    bool ended; /* no text follows the text in memory */
    int line, told;
    bool whole;
    bool untimed;            /* a row was left out before a time was read */
    bool dated;              /* a time was read: later times must be of that kind */
    bool anew;               /* another series of times begins: its first time may lie before the last time read */
    bool slashed, day_first; /* a date such as 12/07/2026 was read; the day comes first in such dates */
    double day_s;            /* s added to times of the day: a day for each midnight that has passed */
    /* first_s, read_s: times of the first row and of the latest row as read, s; hour_s: by how much the log's clock
     * has been set back so far (end of summer time), s, negative: forward; last_s: read_s + hour_s; usual_s: largest
     * distance of successive rows, s, in which older distances count less */
    double first_s, read_s, last_s, hour_s, usual_s;
    char separator, ends; /* between cells; the byte that ends lines */
    /* window: memory, of `room` bytes, for a text that is read in pieces. Text before the current line and before
     * `keep` is removed from it; all offsets above then decrease. */
    char *window;
    size_t room;
    size_t (*read)(void *user, char *to, size_t room);
    void *user;
} wsk_log_reader;
/* Lets the reader free text that is no longer needed: before the current line and before r->keep. Offsets may
 * decrease. */
void wsk_log_pass(wsk_log_reader *r);
/* Brings the text up to `offset` into memory, or up to its end if the text is shorter. Call it before reading text
 * behind the current line. Returns r->len; r->text may have moved. */
size_t wsk_log_reach(wsk_log_reader *r, size_t offset);
bool wsk_log_line(wsk_log_reader *r);
bool wsk_log_begins(const wsk_log_reader *r, const char *text);
void wsk_log_tell(wsk_log_reader *r, wsk_severity severity, size_t at, const wsk_said *said);
/* Counts a row that is left out, and warns about it. */
void wsk_log_leave(wsk_log_reader *r, size_t at, const wsk_said *said);
/* Copies the next cell of the line, trimmed, without quotes and degree signs, and moves *at behind its separator.
 * Returns the offset of its text. */
size_t wsk_log_cell(const wsk_log_reader *r, size_t *at, char out[WSK_LOG_CELL]);
bool wsk_log_absent(const char *cell);
/* Reads a time from a cell: its kind, and its value in s, since 1970 for dates. Does not change the reader. day_first:
 * a date such as 12/07/2026 is of July, not of December. */
bool wsk_log_time_of(const char *cell, bool day_first, wsk_log_clock *kind, double *t_s);
/* Reads a time from a cell, and corrects it for midnights and summer time that have passed since the log's first time,
 * s. False: the cell holds no time, or one of another kind than the log's first time. */
bool wsk_log_time(wsk_log_reader *r, const char *cell, double *t_s);
/* Leaves out, as wsk_log_leave does, a row whose time could not be read. Of such rows before the first readable time,
 * only one is reported. */
void wsk_log_mistime(wsk_log_reader *r, size_t at, const char *cell);

enum {
    WSK_LOG_WALL = WSK_LOG_QUANTITIES,
    WSK_LOG_TIME,
    WSK_LOG_DATE,
    WSK_LOG_INDEX,
    WSK_LOG_BUS,
    WSK_LOG_HIDDEN, /* UUID or serial number */
    WSK_LOG_NAME,
    WSK_LOG_NONE = -1
};
/* Conversion from a unit: SI value = mul * number + add. */
typedef struct {
    double mul, add;
    char unit[WSK_UNIT_BYTES];
} wsk_log_scale;
/* Finds the conversion from a unit, spelled as logs write it; unit "": the usual unit of the quantity. False: the unit
 * is not one of the quantity. */
bool wsk_log_scale_of(int quantity, const char *unit, wsk_log_scale *scale);
/* Reads a cell as an SI value, by its own unit (*scale then becomes that unit's), else by *scale. False: the cell
 * holds no number, its unit is not one of the quantity, or no card can have such a value. */
bool wsk_log_value(int quantity, const char *cell, wsk_log_scale *scale, double *si);
/* Copies the letters and digits of a column's name into `bare`, in lower case. A unit in brackets at its end goes into
 * `unit` instead; "": the name states no unit, or one that no quantity here has (MiB, us). */
void wsk_log_bare(const char *cell, char bare[WSK_LOG_CELL], char unit[WSK_UNIT_BYTES]);

/* A known name of a column or value; those of a wsk_log_table are spelled as wsk_log_bare writes names. role: a
 * wsk_log_quantity, or WSK_LOG_WALL, WSK_LOG_TIME, ... */
typedef struct {
    const char *name;
    int role;
    int rank;         /* of several columns with the same quantity, the lowest rank counts */
    const char *unit; /* unit of values whose name and cell state none; NULL: the quantity's usual unit */
} wsk_log_name;
typedef struct {
    const char *format;
    const wsk_log_name *names;
    bool powered;   /* a device for which the log has no power is no card, and its samples are dropped */
    bool by_order;  /* the n-th column of equal quantity and rank belongs to the n-th card */
    bool fits_tail; /* a name may end in its unit: power_w */
    /* Splits a column's name such as "gpu0.power_w.mean" into the card's key and a name of the table. False: the
     * column is ignored. Function NULL: the names of columns contain no card. */
    bool (*split)(const char *cell, char card[WSK_LOG_CELL], char name[WSK_LOG_CELL]);
} wsk_log_table;
/* Finds a name in the table; NULL: it has none. unit: the unit that the cell states in brackets or as its tail
 * (power_w). */
const wsk_log_name *wsk_log_table_name(const wsk_log_table *table, const char *cell, char unit[WSK_UNIT_BYTES]);
/* Number of known columns with values, if the current line is the header of this table; 0: it is not. */
int wsk_log_table_fits(const wsk_log_reader *r, const wsk_log_table *table);
void wsk_log_table_read(wsk_log_reader *r, const wsk_log_table *table);

/* The values of one card at one time, while they are read. NAN: not read yet; rank: of the name that gave the value. */
typedef struct {
    double t_s, value[WSK_LOG_QUANTITIES];
    int rank[WSK_LOG_QUANTITIES];
    wsk_log_by by;
    char card[WSK_LOG_CELL], id[WSK_LOG_CELL]; /* key and id of the card */
} wsk_log_moment;
void wsk_log_open(wsk_log_moment *m, wsk_log_by by, const char *card);
/* Stores the value of a cell, unless a value of the same or a lower rank is stored already. Warns of a text that is no
 * value. */
void wsk_log_note(wsk_log_reader *r, wsk_log_moment *m, const wsk_log_name *name, size_t at, const char *cell);
bool wsk_log_holds(const wsk_log_moment *m);
void wsk_log_keep(wsk_log *log, wsk_log_moment *m);

/* Detects logs that mix rows of several cards without a column that names the card: they have the same number of rows
 * at each moment (mixed.c). */
enum { WSK_LOG_MIXED = 64, WSK_LOG_MIXED_OF = 3 };
typedef struct {
    size_t rows, groups, size, equal, near;
    size_t groups_of[WSK_LOG_MIXED + 1]; /* groups_of[n]: number of groups that have n rows */
    int line;                            /* number of the line with the first row that joins a group */
    bool fraction;
    double last_s, near_s, far_s;
    double last[WSK_LOG_MIXED_OF], before[WSK_LOG_MIXED][WSK_LOG_MIXED_OF];
    size_t before_size;
    double beside[WSK_LOG_MIXED_OF], later[WSK_LOG_MIXED_OF]; /* sums of differences of values. beside: to the row
                                                               * before in the same group; later: to the row at the
                                                               * same place in the group before */
    size_t besides, laters;
} wsk_log_mixed;
void wsk_log_mixed_row(wsk_log_mixed *m, double t_s, const double value[WSK_LOG_MIXED_OF], int line);
bool wsk_log_mixed_found(const wsk_log_mixed *m);

extern const wsk_log_table wsk_log_smi, wsk_log_own, wsk_log_windows, wsk_log_amd, wsk_log_common;
/* Functions *_read read from the current line to the end of the text; *_fits tell whether the current line begins
 * that format. */
void wsk_log_query_text(wsk_log_reader *r);
void wsk_log_query_xml(wsk_log_reader *r);
bool wsk_log_dmon_fits(const wsk_log_reader *r);
void wsk_log_dmon_read(wsk_log_reader *r);
bool wsk_log_dcgm_fits(const wsk_log_reader *r);
void wsk_log_dcgm_read(wsk_log_reader *r);
bool wsk_log_telegraf_fits(const wsk_log_reader *r);
void wsk_log_telegraf_read(wsk_log_reader *r);
bool wsk_log_amd_json_fits(wsk_log_reader *r);
void wsk_log_amd_json_read(wsk_log_reader *r);
const wsk_log_name *wsk_log_dcgm_name(const char *text, size_t len);
void wsk_log_prometheus_read(wsk_log_reader *r);
bool wsk_log_dcmi_fits(const wsk_log_reader *r);
void wsk_log_dcmi_read(wsk_log_reader *r);
bool wsk_log_tasmota_fits(const wsk_log_reader *r);
void wsk_log_tasmota_read(wsk_log_reader *r);
/* The line before the current one, which may hold a time alone; from == to: there is none, or it is too long. */
void wsk_log_line_before(const wsk_log_reader *r, size_t *from, size_t *to);
#endif
