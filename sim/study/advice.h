/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Advice: the changes of a rig that help most. wsk_advise is the interface; the rest is shared by advice.c (ranks the
 * changes), propose.c (makes them), judge.c (solves them) and look.c (reads the run). Theory: docs/theory/trip.md,
 * "Advice behind a run" */
#ifndef WSK_ADVICE_H
#define WSK_ADVICE_H
#include "sim/io/plan.h"
#include "sim/control/run.h"
#include "sim/study/bands.h"
#include "sim/study/verdict.h"
#include "sim/study/trip.h"

/* Finds the changes that help most by solving the steady point of each changed rig. No change found: out->n is 0.
 * `input`: the rig file and assignments of `net`. `run`: a run of `net`, or NULL; its loads count where they exceed
 * those of the steady point. bands: the search for the bands of that run, which ends before the changes are told; NULL:
 * none. The arena owns everything that `out` points to. WSK_ERUN: a file of the catalogue could not
 * be read for a reason that may pass; out->before says which. */
wsk_status wsk_advise(wsk_arena *arena, const wsk_net *net, const wsk_run *run, const wsk_plan_input *input,
                      wsk_bands_work *bands, wsk_advice *out);

/* ---- variants and their outcomes: private to advice.c, judge.c and propose.c ---- */
enum { WSK_SETS_MAX = 128, WSK_VARIANTS_MAX = 48 }; /* most assignments of a variant; most variants of a rig */

/* Families of changes. Advice lists only the best variant of each family. */
typedef enum {
    WSK_BY_LIMIT,   /* lower power limits */
    WSK_BY_DEFAULT, /* power limits back at their default */
    WSK_BY_SUPPLY,  /* larger PSUs */
    WSK_BY_VOLTAGE, /* higher mains voltage, or a larger circuit */
    WSK_BY_CIRCUIT, /* PSUs on other circuits */
    WSK_BY_TIER,    /* PSU with a better 80 PLUS rating */
    WSK_BY_SLOT,    /* cards moved to other slots */
    WSK_BY_RISER,   /* cards on risers */
    WSK_BY_FEWER,   /* one card taken out, the others apart */
    WSK_BY_FAN,     /* more or faster case fans */
    WSK_BY_CURVE,   /* faster or slower fans of the cards */
    WSK_BY_COOLER,  /* blowers instead of open-air coolers */
    WSK_BY_PANEL,   /* side panel off */
    WSK_BY_LOOP,    /* faster fans on radiators, colder facility water */
    WSK_BY_ROOM,    /* cooler or better aired room */
    WSK_FAMILIES    /* number of families */
} wsk_family;
typedef struct {
    const wsk_said *what; /* description of the change */
    wsk_family family;
    bool bought; /* needs a purchase of unknown price */
    bool halved; /* an assignment is missing (out of memory or of `sets`): close_variant drops the variant */
    const char *sets[WSK_SETS_MAX]; /* assignments in the syntax of --set */
    size_t count;
} wsk_variant;

/* Steady point of a rig at the run's mean outdoor temperature. `throttles`, `parts_hot` and `dead` also count the
 * run's hottest hour. */
typedef struct {
    /* work: throughput, sum over the cards, 1 for a card at its reference. lost: share of it lost to heat. over_w:
     * load beyond the circuit's limit, VA. over_psu_w: beyond the PSUs' available power, W. hottest_c: hottest die.
     * room_c: room air. noise_dba: at the listener; NAN: no sound source. */
    double work, lost, over_w, over_psu_w, hottest_c, room_c, noise_dba;
    double wall_w, site_w; /* electric power of the rig; with the room's cooling, which the bill contains */
    double hot_room_c, hot_outdoor_c; /* room and outdoor air at the hottest hour */
    double room_heat_w; /* heat that the room loses through walls and to the air conditioner at the hottest hour */
    double die_c[WSK_STEP_CARDS], card_w[WSK_STEP_CARDS]; /* per card: mean die temperature and board power */
    double trip, trip_psu; /* probability of a trip within the run: PSUs and breaker; PSUs alone */
    /* Share of the cards' present power at which the PSUs (cure_psu) or the circuit (cure_circuit) carry the load and
     * do not trip. 1: no lower limits needed; 0 or less: lower limits are no cure. */
    double cure_psu, cure_circuit;
    /* Per PSU: nameplate, W, of a larger PSU that carries the load. 0: the PSU carries its load already, or no size up
     * to about 4 times its own would. */
    double cure_rated[WSK_STEP_CARDS];
    double price;                      /* of all PSUs and fans; NAN: unknown */
    char currency[8];                  /* of price; "": no price */
    bool throttles, braked, parts_hot; /* heat slows a card; a chassis brakes its cards; a part is over its limit */
    int dead;                          /* number of cards that shut down */
} wsk_outcome;

/* The unchanged rig, and by how much its run exceeded its steady point. */
typedef struct {
    wsk_arena *arena;
    const wsk_net *net;
    const wsk_plan_input *input;
    wsk_parts_read parts; /* cache of parts read, shared by all judged rigs */
    wsk_variant always;   /* makes parts that fail within the run fail at its start: advice holds after the failure */
    /* Mean and highest outdoor temperature of the run, K. mean_k NAN: the rig's own mean is used. hot_k NAN: the
     * hottest hour is not solved separately. */
    double mean_k, hot_k;
    double noise_dba, room_c; /* of the run, as in its verdict: mean noise, highest room temperature */
    /* Per PSU, at least 0: how much higher the run's peak was than the steady point, W: load of the PSU; the power that
     * its cards draw. */
    double extra_w[WSK_STEP_CARDS], extra_cards_w[WSK_STEP_CARDS];
    /* Excess of the run's peak apparent power over the steady point's: of all circuits together, and of each (NULL: none
     * known). */
    double extra_va, *extra_line_va;
    double duty; /* mean power of the run / power of the steady point, at most 1; less: cards idle at times */
    bool fails;  /* failures of the job undo more than 10 % of the work: no change of parts cures that */
    bool leap;   /* solve with leaps (longer time steps, less exact): for ranking only */
} wsk_judged;

/* Mean electric power of the rig and of the room's cooling, W. */
double wsk_site_w(const wsk_run *run);
/* Solves the steady point of the rig with the variant's assignments (v NULL: unchanged). False: the rig cannot be built
 * or has no steady point. `run_of_it`, unless NULL: stores in `r` by how much that run exceeded the steady point. */
bool wsk_judge(wsk_judged *r, const wsk_variant *v, const wsk_run *run_of_it, wsk_outcome *out);

/* Reads from the run what a steady point does not show: mean noise, highest room temperature, weather, failures of the
 * job. mean_k is NAN if it is within least_weather_k of the rig's own mean; hot_k is NAN if it is within
 * least_weather_k of the mean. run NULL: all are NAN or false. */
void wsk_look_at(wsk_judged *r, const wsk_run *run);
/* Message on the power without work, for a run with much of it; NULL: none, or out of memory. Changes nothing in `r` but
 * its cache. */
const wsk_said *wsk_advise_idle(wsk_judged *r, const wsk_run *run);
/* Message on cheaper hours for the same work, where prices have periods and the work its hours; NULL: none. */
const wsk_said *wsk_advise_hours(wsk_judged *r, const wsk_run *run);

/* Fills `list` (room for WSK_VARIANTS_MAX) with changes that may help the rig; returns their number. base: the
 * rig's steady point. heat: heat limits the cards now or at some hour of the run. */
size_t wsk_propose(wsk_arena *arena, const wsk_net *net, const wsk_plan_input *input, const wsk_outcome *base,
                   bool heat, wsk_variant *list);
/* Appends an assignment: "path=value", followed by the unit, such as " W". path NULL: sets `halved`. */
void wsk_variant_set(wsk_arena *arena, wsk_variant *variant, const char *path, double value, const char *unit);

#endif
