/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Telemetry logs: measurements of cards and of the power at the wall, in SI units. wattsink.h includes this file.
 *
 *     wsk_log *log;
 *     if (wsk_log_read(&log, "smi.csv", text, length) == WSK_OK)
 *         for (size_t card = 0; card < wsk_log_cards(log); card++) {
 *             wsk_log_series power = wsk_log_of(log, card, WSK_LOG_POWER);
 *             for (size_t i = 0; i < power.count; i++)
 *                 printf("%g s: %g W\n", power.t_s[i], power.value[i]);
 *         }
 *     wsk_log_free(log); */
#ifndef WATTSINK_LOG_H
#define WATTSINK_LOG_H
#include "wattsink_messages.h"

/* X(NAME, unit of the values, text). Shares are 0 to 1. */
#define WSK_LOG_LIST(X) \
    X(POWER, "W", "board power") \
    X(LIMIT, "W", "power limit in force") \
    X(UTILISATION, "", "share of the time with a kernel running") \
    X(MEMORY_UTILISATION, "", "share of the time in which memory is read or written") \
    X(CLOCK, "Hz", "clock of the cores") \
    X(MEMORY_CLOCK, "Hz", "clock of the memory") \
    X(DIE, "K", "GPU temperature") \
    X(MEMORY, "K", "memory temperature") \
    X(HOT_SPOT, "K", "hot spot temperature") \
    X(FAN, "", "fan speed, a share of the highest") \
    X(FAN_SPEED, "rpm", "fan speed") \
    X(INLET, "K", "temperature of the air taken in") \
    X(WORK, "1/s", "rate of work: tokens, samples or iterations a second")
typedef enum wsk_log_quantity {
#define WSK_LOG_ENUM(name, unit, text) WSK_LOG_##name,
    WSK_LOG_LIST(WSK_LOG_ENUM)
#undef WSK_LOG_ENUM
        WSK_LOG_QUANTITIES
} wsk_log_quantity;

/* `count` samples of one quantity of one card: t_s rises strictly, in seconds from the first sample of the whole log.
 * Both arrays belong to the log and are valid as long as the log. count 0: the log does not have the quantity, and
 * both arrays are NULL. */
typedef struct {
    const double *t_s, *value;
    size_t count;
} wsk_log_series;

typedef struct wsk_log wsk_log;
/* Reads a log from text, whose format is detected from the content. path: name of the file for messages. The text is
 * not needed afterwards. Rows that cannot be read are skipped and counted (wsk_log_left_out), with a message.
 * WSK_EINPUT: no format fits, no value could be read, or rows of several cards are mixed; *out is set nevertheless, so
 * that its messages can be read; free it in this case too. WSK_ENOMEM: *out is NULL. A series longer than
 * WSK_LOG_SAMPLES is thinned, with a message: neighbouring samples are replaced by their means. */
enum { WSK_LOG_SAMPLES = 1 << 18 };
wsk_status wsk_log_read(wsk_log **out, const char *path, const char *text, size_t len);
/* Like wsk_log_read, for a text that is read piece by piece into little memory: read(user, to, room) copies the next
 * bytes of the text, at most `room` of them, and returns their number; 0: the text has ended. `room` is at least
 * WSK_LOG_PIECE. */
enum { WSK_LOG_PIECE = 1 << 18 };
wsk_status wsk_log_read_pieces(wsk_log **out, const char *path, size_t (*read)(void *user, char *to, size_t room),
                               void *user);
void wsk_log_free(wsk_log *log); /* NULL is allowed */
/* The name of the detected format, such as "nvidia-smi --query-gpu"; "": no format was detected. */
const char *wsk_log_format(const wsk_log *log);
/* Number of cards. Cards are sorted by their index; if the log has no index, by their bus or by their first row. */
size_t wsk_log_cards(const wsk_log *log);
/* The name of a card in the log: its index or bus. If the log names cards by UUID or serial number, which are never
 * shown: the number of the card in the order of first appearance, from 0. */
const char *wsk_log_card(const wsk_log *log, size_t card); /* "": no such card */
/* The product name that the log states, such as "NVIDIA GeForce RTX 4090". "": it states none, or no such card. */
const char *wsk_log_model(const wsk_log *log, size_t card);
/* The index by which the log names a card, 0 also in a log that names none. False: it names them by bus, UUID or
 * serial number, which tell nothing of their order in a rig. */
bool wsk_log_index(const wsk_log *log, size_t card, size_t *index);
/* No values: the log has none of this quantity, or no such card. */
wsk_log_series wsk_log_of(const wsk_log *log, size_t card, wsk_log_quantity quantity);
/* Power at the wall, W. A log that has only times and watts gives the same samples as power of its single card and as
 * power at the wall. */
wsk_log_series wsk_log_wall(const wsk_log *log);
/* The time of the first sample, s since 1970. wsk_log_start_utc_s: in UTC; NAN: the log does not state its time zone.
 * wsk_log_start_civil_s: as the log's clock shows it, so in the zone of its first time; NAN: the log has no dates. */
double wsk_log_start_utc_s(const wsk_log *log);
double wsk_log_start_civil_s(const wsk_log *log);
size_t wsk_log_left_out(const wsk_log *log); /* number of rows that could not be read or have no value */
/* Keeps the longest stretch of the log without a hole of more than an hour and more than 100 times the median distance
 * of its rows. A fit needs this, because the load in such a hole is unknown; a wrong date makes such a hole, too. Adds
 * messages about the rows that are dropped, and about shorter holes. WSK_ENOMEM: the log is as before. */
wsk_status wsk_log_take_stretch(wsk_log *log);
/* Adds messages about holes in the power, or in the utilisation if no power is logged. For a replay (a simulation
 * whose load is the log), in which each value holds until the next. */
void wsk_log_tell_holes(wsk_log *log);
size_t wsk_log_messages(const wsk_log *log);
/* Message i. *severity: 0 error, 1 warning. *line and *column count from 1. */
const wsk_said *wsk_log_message(const wsk_log *log, size_t i, int *severity, int *line, int *column);

#endif
