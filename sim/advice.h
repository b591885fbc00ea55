/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef WSK_ADVICE_H
#define WSK_ADVICE_H
#include "sim/io/plan.h"
#include "sim/run/run.h"

/* The changes that would help most, found by solving the changed rigs; out->n 0 and no words where none applies.
 * `input` is what the network was read from. `run`: a run of it, whose loads count where they are above those of the
 * steady point; or NULL. All that `out` names belongs to the arena. */
wsk_status wsk_advise(wsk_arena *arena, const wsk_net *net, const wsk_run *run, const wsk_plan_input *input, wsk_advice *out);

/* ---- what it tries; private to sim/advice.c and sim/propose.c ---- */
enum { WSK_SETS_MAX = 128, WSK_VARIANTS_MAX = 48 };

/* Of several variants of a family the best alone is told. */
typedef enum { WSK_BY_LIMIT, WSK_BY_DEFAULT, WSK_BY_SUPPLY, WSK_BY_VOLTAGE, WSK_BY_TIER, WSK_BY_SLOT, WSK_BY_FAN, WSK_BY_CURVE, WSK_BY_COOLER, WSK_BY_PANEL,
               WSK_BY_ROOM, WSK_FAMILIES } wsk_family;
typedef struct {
    const char *text; /* what is changed, in words */
    wsk_family family;
    bool bought;      /* something whose price is not known */
    const char *sets[WSK_SETS_MAX];
    size_t count;
} wsk_variant;

/* A steady point. */
typedef struct {
    double work, lost, wall_w, over_w, over_psu_w, hottest_c, room_c, noise_dba;
    double die_c[WSK_STEP_CARDS], card_w[WSK_STEP_CARDS];
    double trip, trip_psu;            /* chance that a supply or the breaker, and that a supply, switches off within the run */
    double cure_psu, cure_circuit;    /* shares of the cards' watts at which supplies, and the circuit, would carry them; 1: they do */
    double cure_rated[WSK_STEP_CARDS]; /* the nameplate at which each supply would; 0: it needs none */
    double price;                     /* of supplies and case fans; NAN: not known */
    char currency[8];
    bool throttles, braked;
    int dead;
} wsk_outcome;

/* Fills `list`, whose room is WSK_VARIANTS_MAX, with what may help the rig whose steady point `base` is: returns how many.
 * heat: it is held back by heat, now or at some hour of its run. */
size_t wsk_propose(wsk_arena *arena, const wsk_net *net, const wsk_plan_input *input, const wsk_outcome *base, bool heat, wsk_variant *list);
void wsk_variant_set(wsk_arena *arena, wsk_variant *variant, const char *path, double value, const char *unit);

#endif
