/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef WSK_ADVICE_H
#define WSK_ADVICE_H
#include "sim/io/plan.h"
#include "sim/control/run.h"
#include "sim/study/verdict.h"
#include "sim/study/trip.h"

/* The changes that would help most, found by solving the changed rigs; out->n 0 and no words where none applies.
 * `input` is what the network was read from. `run`: a run of it, whose loads count where they are above those of the
 * steady point; or NULL. All that `out` names belongs to the arena. */
wsk_status wsk_advise(wsk_arena *arena, const wsk_net *net, const wsk_run *run, const wsk_plan_input *input,
                      wsk_advice *out);

/* ---- what it tries, and how; private to sim/advice.c, sim/judge.c and sim/propose.c ---- */
enum { WSK_SETS_MAX = 128, WSK_VARIANTS_MAX = 48 };

/* Of several variants of a family the best alone is told. */
typedef enum {
    WSK_BY_LIMIT,
    WSK_BY_DEFAULT,
    WSK_BY_SUPPLY,
    WSK_BY_VOLTAGE,
    WSK_BY_TIER,
    WSK_BY_SLOT,
    WSK_BY_FAN,
    WSK_BY_CURVE,
    WSK_BY_COOLER,
    WSK_BY_PANEL,
    WSK_BY_ROOM,
    WSK_FAMILIES
} wsk_family;
typedef struct {
    const wsk_said *what; /* what is changed */
    wsk_family family;
    bool bought; /* something whose price is not known */
    bool halved; /* an assignment is missing: half a change is none */
    const char *sets[WSK_SETS_MAX];
    size_t count;
} wsk_variant;

/* A steady point at the mean of the run's weather; throttling, hot parts and shutdowns at its hottest hour too. */
typedef struct {
    double work, lost, over_w, over_psu_w, hottest_c, room_c, noise_dba;
    double wall_w, site_w;            /* of the rig; with what cools the room, which is on the bill */
    double hot_room_c, hot_outdoor_c; /* at the hottest hour */
    double room_heat_w;               /* what the room must get rid of */
    double die_c[WSK_STEP_CARDS], card_w[WSK_STEP_CARDS];
    double trip, trip_psu; /* chance that a supply or the breaker, and that a supply, switches off within the run */
    double cure_psu,
        cure_circuit; /* shares of the cards' watts at which supplies, and the circuit, would carry them; 1: they do */
    double cure_rated[WSK_STEP_CARDS]; /* the nameplate at which each supply would; 0: it needs none */
    double price;                      /* of supplies and case fans; NAN: not known */
    char currency[8];
    bool throttles, braked, parts_hot;
    int dead;
} wsk_outcome;

/* The rig as it stands, and what a run of it had beyond its steady point. */
typedef struct {
    wsk_arena *arena;
    const wsk_net *net;
    const wsk_plan_input *input;
    wsk_parts_read parts;     /* of the rigs that were judged */
    wsk_variant always;       /* what fails within the run: advice is for what comes after */
    double mean_k, hot_k;     /* outdoors in the run, on average and at most; NAN: as the rig's steady point has it */
    double noise_dba, room_c; /* of the run, as its verdict tells them: mean, and at most */
    double extra_w[WSK_STEP_CARDS], extra_cards_w[WSK_STEP_CARDS]; /* a supply's, and its cards' of that */
    double extra_va;
    double duty; /* mean watts of the run over those of the steady point, 1 at most: cards that are not always busy */
    bool fails;  /* failures undo a tenth of the work and more: no part of the rig mends that */
    bool leap;   /* points that are only ranked are solved with leaps */
} wsk_judged;

/* Mean watts at the wall and for cooling the room. */
double wsk_site_w(const wsk_run *run);
/* The steady point of the rig with the variant's assignments, NULL for none; false where it has none or cannot be built. Takes
 * from `run_of_it`, where not NULL, what that had beyond the steady point. */
bool wsk_judge(wsk_judged *r, const wsk_variant *v, const wsk_run *run_of_it, wsk_outcome *out);

/* Fills `list`, whose room is WSK_VARIANTS_MAX, with what may help the rig whose steady point `base` is: returns how many.
 * heat: it is held back by heat, now or at some hour of its run. */
size_t wsk_propose(wsk_arena *arena, const wsk_net *net, const wsk_plan_input *input, const wsk_outcome *base,
                   bool heat, wsk_variant *list);
void wsk_variant_set(wsk_arena *arena, wsk_variant *variant, const char *path, double value, const char *unit);

#endif
