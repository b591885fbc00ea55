/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The books: accounts of power, energy and money. power.c puts powers into the heat network and sums them up to the
 * meter; delivery.c passes them through the PSUs to the circuit. account.c books a tick, ledger.c checks that no energy
 * is lost, bill.c prices the metered energy, observe.c records variables. Begin with power.c. */
#ifndef WSK_BOOKS_H
#define WSK_BOOKS_H
#include "sim/books/bill.h"
#include "sim/control/run.h"

/* The accounts of energy, from which ledger.c computes the energy balance, in J unless stated otherwise. */
typedef struct {
    /* Metered energies. `side`: AC loads on the circuit beside the PSUs, and losses of UPS and power strip. */
    wsk_sum dc, wall, psu_loss, cooling_electric, side;
    wsk_sum cooling_heat; /* heat removed from the room by the air conditioner */
    /* heat that left through boundary nodes of given temperature, such as the outdoors, and by the air conditioner,
     * with its electric energy */
    wsk_sum out;
    wsk_sum strode; /* energy imbalance of the cycles of the run that were skipped (sim/step/skip.c) */
    wsk_sum defect; /* sum of |heat in - heat out| over air and coolant nodes without heat capacity */
    /* heat-capacity flow x time, J/K. strayed: |inflow - outflow| summed over air and coolant nodes except the room;
     * carried: sum of all flows. */
    wsk_sum strayed, carried;
} wsk_ledger;

/* Accounts, saved with the run. Peaks and sums cover the window, the time that wsk_window_s gives. */
struct wsk_books {
    double wall_peak_w, dc_peak_w, va_peak; /* peaks of the sums over all circuits */
    wsk_sum feed_loss;                      /* loss of UPS and power strip, J */
    /* sum of 10^(level/10) x time, s; peak of 10^(level/10); level: noise in dBA */
    double noise_s, noise_peak;
    wsk_bill bill;
    wsk_ledger ledger;
    /* The open stretch, the time of constant flows that wsk_ledger_close ends: its length, s; heat removed by the air
     * conditioner plus its electricity, J. */
    double stretch_s, stretch_ac_j;
    /* time of the last update of the coolant of the CDUs (coolant distribution units; power.c) */
    int64_t supplied_ns;
    int64_t weather_ns;  /* end of the minute for which weather_k, cooling_w, compressing_w hold */
    double weather_k[2]; /* outdoor temperature at the start and the end of that minute */
    /* Maximum cooling power of the air conditioner, and the electric power that it then draws, W, at the start and
     * the end of that minute. */
    double cooling_w[2], compressing_w[2];
    /* bucket: interval of the recorded series. Start of the open bucket; number of closed buckets */
    int64_t bucket_ns, n_buckets;
    int64_t sampled_ns; /* time of the last sample of the origins of intake air */
};

/* Outdoor temperature at a time of the run, K (power.c). */
double wsk_outdoor_k(const wsk_run *run, int64_t t_ns);
/* Updates only weather, air conditioner, coolant of CDUs and heat into the room, for ticks in which all other powers
 * stay the same (power.c). */
void wsk_follow_room(wsk_run *run);
/* Puts the powers of the coming step into the nodes of the heat network, and sums them through the PSUs to the meter
 * (power.c). */
void wsk_power_tree(wsk_run *run);
/* Passes the load of each case through its PSUs: computes wall_w and va, and adds PSU losses to run->heat
 * (delivery.c). True if a chassis has just pulled its power brake, the signal that makes its cards halve their
 * clocks. */
bool wsk_deliver(wsk_run *run);
/* False if, in some chassis whose power brake is released, a PSU is now overloaded, so that the brake would be
 * pulled. */
bool wsk_brakes_rest(const wsk_run *run);
/* Loss of a circuit's UPS and power strip, W, when its PSUs draw wall_w. *over (may be NULL): load divided by
 * rating, of the UPS or of the strip, whichever ratio is higher; 0: the circuit has neither. */
double wsk_feed_loss_w(const wsk_mains_line *line, double wall_w, double *over);
/* wsk_book_tick books a tick of dt_ns. If no control acts in the tick (quiet tick), it only counts the tick, for most
 * amounts; wsk_book_repeats books the amounts of the counted ticks. Call wsk_book_repeats before rates change or sums
 * are read (account.c). */
void wsk_book_tick(wsk_run *run, int64_t dt_ns);
void wsk_book_repeats(wsk_run *run);
/* Share of a card's power that a PSU carries, 0 to 1. It is also 0 if no PSU is assigned to the card, or if the rig
 * gives the card no work. */
double wsk_supply_share(const wsk_run *run, const wsk_card *card, int supply);
/* Books a step of the circuits: their peaks and the heat of their breakers. Opens the breakers that trip (lines.c). */
void wsk_account_lines(wsk_run *run, double h, int64_t dt_ns);
/* Time of the next change at a circuit, ns: a breaker trips if loads stay as they are, a circuit fails, or the UPS
 * battery of a circuit that is off is empty; INT64_MAX: none (lines.c). */
int64_t wsk_next_line_ns(const wsk_run *run);
/* Mean power that the PSUs of a circuit, and machines without a PSU element, draw while it has power, W (lines.c). */
double wsk_ups_load_w(const wsk_run *run, int line);
/* wsk_battery_minutes for the load wsk_ups_load_w. */
double wsk_ups_minutes(const wsk_run *run, int line, double *spread);
int wsk_fullest_line(const wsk_run *run);
/* Cause and time of a machine's stop: a circuit whose loads lost their power, or a PSU that failed as scheduled. Both
 * -1: the machine runs, or a PSU that failed by command stopped it. */
typedef struct {
    int line, supply;
    int64_t at_ns;
} wsk_stop;
wsk_stop wsk_stopped_by(const wsk_run *run, int in);
void wsk_account_delivery(wsk_run *run, int64_t dt_ns);
/* Shares of the origins of a card's intake air (intake.c). Their sum is 1, or 0 if the card takes in no air. */
void wsk_intake_shares(const wsk_run *run, int card, double share[WSK_INTAKES]);

void wsk_ledger_start(wsk_run *run);
void wsk_ledger_step(wsk_run *run, double h);
/* Closes the open stretch: the time since the last call, in which neither speeds nor natural convection changed. In
 * such a time heat flows are linear in the temperatures, so that the whole stretch is booked as one sum. Call it
 * before speeds or natural convection change. */
void wsk_ledger_close(wsk_run *run);
/* wsk_ledger_now gives the accounts including the open stretch; wsk_mover_now does so for a fan or pump. */
wsk_ledger wsk_ledger_now(const wsk_run *run);
wsk_mover_state wsk_mover_now(const wsk_run *run, int mover);
/* Heat stored in the nodes since the start, J. */
double wsk_stored_j(const wsk_run *run);
/* Relative residual of the energy balance or, if larger, of the mass balance of the flows. */
double wsk_residual(const wsk_run *run);
/* Sum of the heat imbalances of air and coolant nodes without heat capacity, relative to the energy at the wall. */
double wsk_splitting(const wsk_run *run);

#endif
