/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Advice: the changes of a rig that help most. wsk_advise is the interface; the rest is shared by advice.c (ranks the
 * changes), propose.c (makes them), judge.c (solves them) and look.c (reads the run). Theory:
 * docs/theory/trip.md, "Advice behind a run". Begin with advice.c. */
#ifndef WSK_ADVICE_H
#define WSK_ADVICE_H
#include "sim/io/plan.h"
#include "sim/control/run.h"
#include "sim/study/spread/bands.h"
#include "sim/study/kit/verdict.h"
#include "sim/study/trip/trip.h"

/* Finds the changes that help most by solving the steady point of each changed rig; if no change is found, out->n is
 * 0. `input`: the rig file and assignments of `net`. `run`: a run of `net`, or NULL; its loads count where they
 * exceed those of the steady point. bands: the search for the error ranges of that run, or NULL; wsk_advise ends it
 * with wsk_bands_end. The arena owns everything that `out` points to. WSK_ERUN: a file of the catalogue could not be
 * read for a reason that may pass; out->before names the file. */
wsk_status wsk_advise(wsk_arena *arena, const wsk_net *net, const wsk_run *run, const wsk_plan_input *input,
                      wsk_bands_work *bands, wsk_advice *out);

enum { WSK_SETS_MAX = 128, WSK_VARIANTS_MAX = 48 };

/* Families of changes. Advice lists only the best variant of each family. */
typedef enum {
    WSK_BY_LIMIT,
    WSK_BY_DEFAULT, /* power limits back at their default */
    WSK_BY_SUPPLY,
    WSK_BY_VOLTAGE,
    WSK_BY_CIRCUIT,
    WSK_BY_FEED,
    WSK_BY_TIER,
    WSK_BY_SLOT,
    WSK_BY_RISER,
    WSK_BY_FEWER, /* one card removed, the others spread over the free slots */
    WSK_BY_FAN,
    WSK_BY_SLOWER, /* slower case fans, against noise */
    WSK_BY_CURVE,
    WSK_BY_COOLER,
    WSK_BY_PANEL,
    WSK_BY_LOOP,  /* faster fans on radiators, colder facility water */
    WSK_BY_SPEED, /* fans and pumps at full speed */
    WSK_BY_CARE,  /* filters and coolers cleaned */
    WSK_BY_PASTE, /* new thermal paste and pads */
    WSK_BY_ROOM,
    WSK_FAMILIES
} wsk_family;
typedef struct {
    const wsk_said *what;
    wsk_family family;
    bool bought; /* the change needs a purchase whose price is unknown */
    bool judged; /* the changed rig could be solved */
    bool halved; /* an assignment is missing (no memory, or `sets` is full): wsk_variant_close drops the variant */
    const char *sets[WSK_SETS_MAX]; /* assignments in the syntax of --set */
    size_t count;
} wsk_variant;

/* Results of a rig's steady point at the mean outdoor temperature of wsk_judged. `throttles`, `parts_hot` and `dead`
 * also include the steady point at the hottest hour, if that is solved. */
typedef struct {
    /* work: throughput, sum over the cards, 1 for a card at its reference clock. lost: throughput lost to heat, as a
     * share of the throughput without that loss. over_w: load beyond the circuits' limits, VA. over_psu_w: load beyond
     * the PSUs' available power, W. over_feed: load of the UPS or strip beyond its rating, as a share of the rating,
     * summed over the circuits. hottest_c: hottest die, degC. room_c: room air, degC. noise_dba: at the listener; NAN:
     * no sound source. */
    double work, lost, over_w, over_psu_w, over_feed, hottest_c, room_c, noise_dba;
    /* Measure of the work for the ranking of changes: `work`. A replay of recorded power (uncounted) counts no work;
     * there it is the power of all cards, W, as if work were proportional to power. */
    double done;
    /* busy: share of the time in which the cards of the workload are busy, mean over these cards; less than the load of
     * the workload, `load`, where cards wait for slower ones. 0: unknown, or no card has work. */
    double busy, load;
    double wall_w, site_w; /* wall_w: electric power of the rig; site_w: with other AC loads and the room's cooling */
    /* room and outdoor air, degC, at the hottest hour; at the mean outdoor temperature if that hour is not solved */
    double hot_room_c, hot_outdoor_c;
    double hot_lost; /* `lost` at that hour */
    /* least distance of a working card from the temperature that lowers its clock, K; NAN: no card has work */
    double margin_k;
    /* heat that the room loses through walls and to the air conditioner, W, when it has hot_room_c */
    double room_heat_w;
    double die_c[WSK_STEP_CARDS], card_w[WSK_STEP_CARDS];
    double trip, trip_psu; /* probability of a trip within the run: PSUs and breaker; PSUs alone */
    /* Share of the cards' highest power at which the PSUs carry the load and do not trip (cure_psu), and at which the
     * circuit, its UPS and its strip carry the load (cure_circuit). 1: no lower limits needed; 0 or less: lower limits
     * are no cure. peak_rel: highest power of all cards, divided by their power at the steady point, at least 1. */
    double cure_psu, cure_circuit, peak_rel;
    /* Per PSU: nameplate power, W, of a larger PSU that carries the load. 0: this PSU already carries its load, or
     * even a PSU of about 4 times its size would not. */
    double cure_rated[WSK_STEP_CARDS];
    /* per circuit whose UPS or strip is overloaded: power that its PSUs take, W; 0 for other circuits */
    double feed_w[WSK_STEP_CARDS];
    /* price of all fans, PSUs, UPS, strips and riser cables; NAN: one is unknown or in another currency */
    double price;
    double year; /* electricity cost of a year, from a run of this rig; NAN: no tariff. Unused for a steady point */
    char currency[8];
    bool throttles, braked, parts_hot, uncounted;
    bool off[WSK_STEP_CARDS]; /* per card: shut down by heat, or without mains */
    int dead, gone;           /* number of cards that shut down or have no mains, and of lost cards */
} wsk_outcome;

/* The unchanged rig, and how far the peaks of its run exceeded its steady point. */
typedef struct {
    wsk_arena *arena;
    const wsk_net *net;
    const wsk_run *run; /* the run that was asked about; NULL: none */
    const wsk_plan_input *input;
    wsk_parts_read parts; /* cache of parts loaded from files, shared by all judged rigs */
    int n_failed; /* failures during the run: judged rigs have them from the start, so advice holds after them */
    /* End of the run, s: steady points have the dust that has gathered by then. 0: the dust of the start, as of `steady`,
     * or because none gathers. */
    double dust_s;
    /* Mean and highest outdoor temperature of the run, K. mean_k NAN: the mean of the rig's own weather is used.
     * hot_k NAN: the hottest hour is not solved separately. */
    double mean_k, hot_k;
    double noise_dba, room_c; /* mean noise and highest room temperature of the run */
    /* Peak of the run minus steady point, W. extra_cards_w: per card, what it draws from its PSUs. extra_w: per PSU, its
     * load without these cards, negative if less of that load came with the peak. */
    double extra_w[WSK_STEP_CARDS], extra_cards_w[WSK_STEP_CARDS];
    /* Peak apparent power of the run minus that of the steady point, VA: of all circuits together, and of each circuit
     * (NULL: there is only one, or out of memory). */
    double extra_va, *extra_line_va;
    double duty; /* mean power of the run divided by the power of the steady point, at most 1 */
    /* Mean day of the run, by the local clock; the year for the yearly costs consists of such days. busy[h]: work of
     * hour h as a share of that of the steady point, at which the cards may be busy for a share of the time only; load:
     * this share; idle_w: power of the rig with all cards idle, with other AC loads and the room's cooling, W; scale:
     * mean power of the run divided by the mean power of this day, at most 1; year: energy and demand charges of such a
     * year, NAN: no tariff; idle: share of the run in which the cards have no work. */
    double busy[24], load, idle_w, scale, year, idle;
    bool fails;   /* failures of the compute job undo more than 10 % of the work; no change of parts cures that */
    bool resting; /* solve the rig while its cards have no work */
    bool leap;    /* solve with leaps (longer time steps, less exact): for ranking only */
    /* per card, true if a judged rig has it lost from the start; NULL: only the failures of the rig */
    const bool *off;
    bool shut_down; /* heat had shut cards down when the run ended */
    bool stopped;   /* a card that shut down in the run works at the steady point (wsk_look_at_shutdowns) */
    /* outcomes of the listed changes and of the unchanged rig are those of runs (wsk_judges_over_run) */
    bool over_run;
    bool brief; /* the run itself took leaps: solve always with leaps, and each change only once */
} wsk_judged;

/* Mean electric power of the rig, other AC loads and the room's cooling over a run, W. */
double wsk_site_w(const wsk_run *run);
/* Time in which failures and trips count, s: the duration of the run that was asked about; of a steady point, or if
 * there is no run, that of the rig's run. */
double wsk_judged_s(const wsk_judged *r);
/* Solves the steady point of the rig with the variant's assignments (v NULL: unchanged). False: the rig cannot be
 * built or has no steady point. `run_of_it`: a run whose peaks above the steady point are stored in `r`, or NULL. */
bool wsk_judge(wsk_judged *r, const wsk_variant *v, const wsk_run *run_of_it, wsk_outcome *out);

/* Builds the rig with the user's assignments, followed by the n assignments of `more`. Parts that fail during the run
 * have failed from the start. dust_s: the dust is that of this time of the run. */
wsk_status wsk_load_changed(wsk_judged *r, const char *const *more, size_t n, double dust_s, wsk_plan **plan,
                            wsk_net **net);
/* Reads work, throttling, shutdowns and hot parts of the cards, from a run or a steady point. */
void wsk_judge_cards(const wsk_run *run, wsk_outcome *out);

/* True if the run has pauses, so that its means differ from those of its steady point, at which all cards are busy.
 * r->duty must be known. */
bool wsk_has_pauses(const wsk_judged *r);
/* True if effects of changes are those on such a run, or on one whose cards have other limits at other times of the day,
 * or that heat slows otherwise than its steady point `point`, or more in some hours, and in which no dust gathers. The
 * run lasts a day or longer, and no part fails or shuts down in it. */
bool wsk_judges_over_run(const wsk_judged *r, const wsk_outcome *point);
/* wsk_read_run replaces in the outcome of a steady point what a run of the same rig tells: temperatures and loads are
 * its highest, the others its means. wsk_judge_over_run does so with a run, with leaps, of the rig with the variant's
 * assignments. False: the rig cannot be built or the run fails. */
void wsk_read_run(const wsk_run *run, wsk_outcome *o);
bool wsk_judge_over_run(wsk_judged *r, const wsk_variant *v, wsk_outcome *o);

/* A rig with an uncertain input at an end of its range: throughput, and wsk_outcome.margin_k. */
typedef struct {
    double work, margin_k;
} wsk_end;
/* Solves the rig with the n assignments of `sets` with the uncertain input `key` (wsk_spread_source) at its lower and
 * its upper end; both are equal for a rig without that input. Solved with leaps. *there false: the rig cannot be built
 * or has no steady point. WSK_ENOMEM. */
wsk_status wsk_judge_ends(wsk_judged *r, const char *const *sets, size_t n, const char *key, wsk_end out[2],
                          bool *there);

/* Finds the chance that the rig throttles after each change. If the throughput lost to heat is known only as a wide
 * range, the gain of a change is a range, too, and its ends are found (work_low, work_high). For this the unchanged
 * and the changed rig are solved with the most influential input (bands->key) at both ends of its range. Drops a
 * change that gains no work and whose only benefit, the end of throttling, is doubtful. WSK_ENOMEM. */
wsk_status wsk_find_doubts(wsk_judged *r, const wsk_bands *bands, wsk_advice *out);

/* Reads from the run what a steady point does not show: mean noise, highest room temperature, weather, failures of the
 * job. mean_k and hot_k are NAN for a steady point and if the room temperature is given. mean_k is also NAN if it is
 * close to the rig's own mean, and hot_k if it is close to the mean. run NULL: all are NAN or false. */
void wsk_look_at(wsk_judged *r, const wsk_run *run);
/* If heat shut cards down in the run that work at the steady point `base`, replaces work, power, noise and
 * temperatures in `base` by those of the rig without these cards, and sets r->stopped. */
void wsk_look_at_shutdowns(wsk_judged *r, const wsk_run *run, wsk_outcome *base);
/* Fills r->duty and the day of the run; base: the rig's steady point. run NULL: the cards are busy all day. */
void wsk_look_at_hours(wsk_judged *r, const wsk_run *run, const wsk_outcome *base);
/* Power, W, of the rig with the variant's assignments and all cards idle, with other AC loads and the room's cooling;
 * cards that are off in its outcome `o` stay off. r->idle_w if the run is never idle, nothing is paid for energy, or
 * the rig cannot be solved. Changes only the cache in `r`. */
double wsk_idle_w(wsk_judged *r, const wsk_variant *v, const wsk_outcome *o);
/* Energy and demand charges of a year like the run for a rig that draws busy_w with all cards busy and idle_w without
 * work. NAN: no tariff. */
double wsk_year_of(const wsk_judged *r, double busy_w, double idle_w);
/* Message on the power that cards draw while idle; NULL: no message, or out of memory. base: the rig's steady
 * point. */
const wsk_said *wsk_advise_idle(wsk_judged *r, const wsk_run *run, const wsk_outcome *base);
/* Message on cheaper hours for the same work, if prices differ by time of day and the work follows a load curve over
 * the day; NULL: no message. */
const wsk_said *wsk_advise_hours(wsk_judged *r, const wsk_run *run, const wsk_outcome *base);

/* True if no card works because some are lost: their job waits for them, and no change of other parts helps. */
bool wsk_job_waits(const wsk_judged *r, const wsk_outcome *base);
/* Message before the changes of `a`, or instead of them. Sets a->trade_offs. base: the rig's steady point; troubled:
 * the steady point or the run fails, throttles, loses work to heat or has parts over their limits; list: the n changes
 * that were proposed. NULL: no message, or out of memory. */
const wsk_said *wsk_advice_before(const wsk_judged *r, const wsk_outcome *base, bool troubled,
                                  const wsk_variant *list, size_t n, wsk_advice *a);
/* Message on the weather and load for which the changes were solved; NULL: both are those of the run. */
const wsk_said *wsk_advice_basis(const wsk_judged *r);

/* Fills `list` (room for WSK_VARIANTS_MAX) with changes that may help the rig; returns their number. base: the rig's
 * steady point. heat: true if heat limits the cards at the steady point or at some hour of the run. */
size_t wsk_propose(const wsk_judged *r, const wsk_outcome *base, bool heat, wsk_variant *list);
/* Appends the assignment "path=value" with the unit, such as " W", behind the value. path NULL: sets `halved`. */
void wsk_variant_set(wsk_arena *arena, wsk_variant *variant, const char *path, double value, const char *unit);

#endif
