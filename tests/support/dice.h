/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef WSK_TESTS_DICE_H
#define WSK_TESTS_DICE_H
#include <math.h>

#include "tests/support/random_rig.h"

enum { WSK_PIECES = 48, WSK_LOOPS_MOST = 2 };

typedef struct {
    uint64_t seed, turn;
} wsk_dice;

typedef struct {
    wsk_buf piece[WSK_PIECES];
    int count;
} wsk_family;

typedef struct {
    const wsk_random_rig_spec *spec;
    int index;
    bool frame, sealed, still; /* frame: open frame; sealed: neither fans nor vents; still: all fans stopped */
    bool cpu, ducted;
    int loops, members; /* members: number of cards and processors that loops cool */
    bool facility[WSK_LOOPS_MOST];
    double loop_w[WSK_LOOPS_MOST];
} wsk_random_case;

static inline double wsk_draw(wsk_dice *d, double low, double high)
{
    return low + (high - low) * wsk_random(d->seed, 0x7269675f, d->turn++);
}

/* Draws from an approximate normal distribution with mean 0 and sd 1: the sum of twelve uniform draws less 6. */
static inline double wsk_draw_normal(wsk_dice *d)
{
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += wsk_draw(d, 0, 1);
    return sum;
}

static inline bool wsk_chance(wsk_dice *d, double p)
{
    return wsk_draw(d, 0, 1) < p;
}

static inline int wsk_pick(wsk_dice *d, int low, int high)
{
    return low + (int)wsk_draw(d, 0, high - low + 1);
}

/* Writes an attribute: the value in four digits, plus `more`. */
static inline void wsk_attr_more(wsk_buf *b, const char *name, double value, double more, const char *unit)
{
    char text[40];
    double grid = pow(10, floor(log10(fabs(value) + 1e-30)) - 3);
    wsk_format_number(text, sizeof text, (value == 0 ? 0 : floor(value / grid + 0.5) * grid) + more);
    wsk_buf_printf(b, " %s=\"%s%s%s\"", name, text, *unit && *unit != '%' ? " " : "", unit);
}

static inline void wsk_attr(wsk_buf *b, const char *name, double value, const char *unit)
{
    wsk_attr_more(b, name, value, 0, unit);
}

static inline wsk_buf *wsk_next_piece(wsk_family *f)
{
    return &f->piece[f->count < WSK_PIECES - 1 ? f->count++ : WSK_PIECES - 1];
}

/* Appends all sibling elements to `out`, and frees them. shuffle 0: in the order written; else the seed of their
 * order. */
void wsk_settle(wsk_family *f, wsk_buf *out, uint64_t shuffle);

void wsk_write_control(wsk_dice *d, const wsk_random_case *c, bool coolant, bool cards, wsk_buf *b);
/* Returns the number of the first free slot. */
int wsk_write_cards(wsk_dice *d, wsk_random_case *c, int most, wsk_family *f);
void wsk_write_loops(wsk_dice *d, wsk_random_case *c, bool cards, wsk_family *f);

#endif
