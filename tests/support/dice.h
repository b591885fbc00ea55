/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private to the makers of random rigs: dice, attributes, siblings before they are put in order. */
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

/* One chassis while it is written. */
typedef struct {
    const wsk_random_rig_spec *spec;
    int index;
    bool frame, sealed, still; /* open frame; no fan and no vent; all fans stand */
    bool cpu, ducted;          /* ducted: has cards that the case's fans must blow through */
    int loops, members;        /* loops; parts in any of them */
    bool facility[WSK_LOOPS_MOST];
    double loop_w[WSK_LOOPS_MOST]; /* what its members give at most */
} wsk_random_case;

static inline double wsk_draw(wsk_dice *d, double low, double high)
{
    return low + (high - low) * wsk_random(d->seed, 0x7269675f, d->turn++);
}

static inline bool wsk_chance(wsk_dice *d, double p)
{
    return wsk_draw(d, 0, 1) < p;
}

static inline int wsk_pick(wsk_dice *d, int low, int high)
{
    return low + (int)wsk_draw(d, 0, high - low + 1);
}

/* Four digits, as people write them. */
static inline void wsk_attr(wsk_buf *b, const char *name, double value, const char *unit)
{
    char text[40];
    double grid = pow(10, floor(log10(fabs(value) + 1e-30)) - 3);
    wsk_format_number(text, sizeof text, value == 0 ? 0 : floor(value / grid + 0.5) * grid);
    wsk_buf_printf(b, " %s=\"%s%s%s\"", name, text, *unit && *unit != '%' ? " " : "", unit);
}

static inline wsk_buf *wsk_next_piece(wsk_family *f)
{
    return &f->piece[f->count < WSK_PIECES - 1 ? f->count++ : WSK_PIECES - 1];
}

/* Moves all pieces into `out`, in order or shuffled. */
void wsk_settle(wsk_family *f, wsk_buf *out, uint64_t shuffle);

/* sensor="..." and its curve, where chance has it; what a fan or pump follows. coolant: there is some. */
void wsk_write_control(wsk_dice *d, const wsk_random_case *c, bool coolant, bool cards, wsk_buf *b);
/* Cards of a chassis (random_card.c): returns the first free slot. */
int wsk_write_cards(wsk_dice *d, wsk_random_case *c, int most, wsk_family *f);
/* Its loops, after its cards (random_loop.c). */
void wsk_write_loops(wsk_dice *d, wsk_random_case *c, bool cards, wsk_family *f);

#endif
