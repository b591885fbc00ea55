/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef WSK_ADVICE_H
#define WSK_ADVICE_H
#include "sim/io/plan.h"
#include "sim/control/run.h"
#include "sim/study/verdict.h"
#include "sim/study/trip.h"

/* Finds the changes that help most by solving the steady point of each changed rig. No change found: out->n is 0.
 * `input`: the source of `net`. `run`: a run of `net`, or NULL; its loads count where they exceed those of the
 * steady point. The arena owns everything that `out` points to. */
wsk_status wsk_advise(wsk_arena *arena, const wsk_net *net, const wsk_run *run, const wsk_plan_input *input,
                      wsk_advice *out);

/* ---- variants and their outcomes: private to advice.c, judge.c and propose.c ---- */
enum { WSK_SETS_MAX = 128, WSK_VARIANTS_MAX = 48 };

/* Kinds of change. Advice names only the best variant of a family. */
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
    const wsk_said *what; /* description of the change */
    wsk_family family;
    bool bought; /* needs a purchase of unknown price */
    bool halved; /* an assignment is missing: the variant is not used */
    const char *sets[WSK_SETS_MAX];
    size_t count;
} wsk_variant;

/* Steady point at the run's mean weather. `throttles`, `parts_hot` and `dead` also count the run's hottest hour. */
typedef struct {
    double work, lost, over_w, over_psu_w, hottest_c, room_c, noise_dba;
    double wall_w, site_w; /* electric power of the rig; of the rig and the room's cooling, which the bill contains */
    double hot_room_c, hot_outdoor_c; /* room and outdoor air at the hottest hour */
    double room_heat_w; /* heat that the room loses through walls and to the air conditioner at the hottest hour */
    double die_c[WSK_STEP_CARDS], card_w[WSK_STEP_CARDS];
    double trip, trip_psu; /* probability of a trip within the run: PSUs and breaker; PSUs alone */
    double cure_psu,
        cure_circuit; /* share of the cards' power at which the PSUs, and the circuit, carry the load; 1: they carry it now */
    double cure_rated[WSK_STEP_CARDS]; /* nameplate, W, at which each PSU carries its load; 0: no other size needed */
    double price;                      /* of PSUs and case fans; NAN: unknown */
    char currency[8];
    bool throttles, braked, parts_hot;
    int dead;
} wsk_outcome;

/* The unchanged rig, and by how much its run exceeded its steady point. */
typedef struct {
    wsk_arena *arena;
    const wsk_net *net;
    const wsk_plan_input *input;
    wsk_parts_read parts; /* cache of parts read, shared by all judged rigs */
    wsk_variant always; /* parts that fail within the run have failed from the start: advice is for the time after */
    double mean_k, hot_k;     /* mean and highest outdoor temperature of the run; NAN: the steady point's */
    double noise_dba, room_c; /* of the run, as in its verdict: mean noise, highest room temperature */
    double extra_w[WSK_STEP_CARDS],
        extra_cards_w[WSK_STEP_CARDS]; /* excess of the run per PSU: its load, and its cards' share of that */
    double extra_va;
    double duty; /* mean power of the run / power of the steady point, at most 1; less: cards idle at times */
    bool fails;  /* failures undo more than 10 % of the work: no change of parts cures that */
    bool leap;   /* solve with leaps (faster, less exact): for ranking only */
} wsk_judged;

/* Mean power at the wall plus that of cooling the room, W. */
double wsk_site_w(const wsk_run *run);
/* Solves the steady point of the rig with the variant's assignments (v NULL: unchanged). False: the rig cannot be
 * built or has no steady point. `run_of_it`, unless NULL: stores in `r` by how much that run exceeded the steady
 * point. */
bool wsk_judge(wsk_judged *r, const wsk_variant *v, const wsk_run *run_of_it, wsk_outcome *out);

/* Fills `list` (room for WSK_VARIANTS_MAX) with changes that may help the rig; returns their number. base: the
 * rig's steady point. heat: heat limits the cards now or at some hour of the run. */
size_t wsk_propose(wsk_arena *arena, const wsk_net *net, const wsk_plan_input *input, const wsk_outcome *base,
                   bool heat, wsk_variant *list);
void wsk_variant_set(wsk_arena *arena, wsk_variant *variant, const char *path, double value, const char *unit);

#endif
