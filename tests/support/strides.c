/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/strides.h"

#include <math.h>
#include <string.h>

#include "tests/support/bench.h"
#include "sim/books/books.h"
#include "sim/books/observe.h"
#include "sim/step/stride.h"

wsk_run *wsk_test_start(const wsk_rig *rig, double duration_s, bool stride)
{
    wsk_run *run = NULL;
    assert_int_equal(
        wsk_run_new(&run, rig, &(wsk_run_options){.duration_s = duration_s, .leap = stride, .stride = stride}),
        WSK_OK);
    return run;
}

static double work_of(const wsk_run *run)
{
    double sum = 0;
    for (int i = 0; i < run->net->n_card; i++)
        sum += wsk_sum_value(&run->cards[i].work);
    return sum;
}

static double energy_of(const wsk_run *run)
{
    const wsk_ledger l = wsk_ledger_now(run);
    return wsk_sum_value(&l.wall) + wsk_sum_value(&l.side) + wsk_sum_value(&l.cooling_electric);
}

enum { AN_ENERGY, A_COST, A_CARBON, A_PERIOD /* from here on: energy in each period of the tariff */ };
static double sum_of(const wsk_run *run, int i)
{
    const wsk_account x = wsk_bill_account(run);
    return i == AN_ENERGY  ? energy_of(run)
           : i == A_COST   ? x.cost
           : i == A_CARBON ? x.carbon_kg
                           : wsk_sum_value(&x.bill.period_j[i - A_PERIOD]);
}

static int wrong;

static void near(const char *what, const char *of, double a, double b, double tolerance)
{
    if (fabs(a - b) <= tolerance || (isnan(a) && isnan(b)))
        return;
    print_message("%s: %s %.9g, with strides %.9g\n", what, of, a, b);
    wrong++;
}

/* The rig in weather that is colder and warmer by by_k, and its runs in ticks, made when a value of them is needed. */
typedef struct {
    const wsk_test_weather *weather; /* NULL: no such runs */
    double by_k;
    wsk_rig *rig[2];
    wsk_run *run[2];
} bracket;

static void run_bracket(bracket *in, double duration_s)
{
    for (int k = 0; k < 2 && !in->rig[k]; k++) {
        in->rig[k] = in->weather->load(in->weather->of, k ? in->by_k : -in->by_k);
        assert_non_null(in->rig[k]);
        in->run[k] = wsk_test_start(in->rig[k], duration_s, false);
        wsk_test_try(in->run[k], duration_s);
    }
}

static void drop_bracket(bracket *in)
{
    for (int k = 0; k < 2; k++) {
        wsk_run_free(in->run[k]);
        wsk_rig_free(in->rig[k]);
    }
}

/* As `near`, for value(run, i). A run with strides (b) is also right if its value lies between those of the runs in
 * ticks in the given, the colder and the warmer weather. */
static void near_in(const char *what, const char *of, double (*value)(const wsk_run *run, int i), int i,
                    const wsk_run *a, const wsk_run *b, double tolerance, bracket *in)
{
    const double ticked = value(a, i), strode = value(b, i);
    if (in->weather && fabs(strode - ticked) > tolerance) {
        run_bracket(in, wsk_run_time(a));
        const double cold = value(in->run[0], i), warm = value(in->run[1], i);
        if (strode >= fmin(ticked, fmin(cold, warm)) && strode <= fmax(ticked, fmax(cold, warm)))
            return;
    }
    near(what, of, ticked, strode, tolerance);
}

void wsk_test_none_wrong(void)
{
    const int n = wrong;
    wrong = 0;
    assert_int_equal(n, 0);
}

/* The largest differences in this test: relative, except heat_s (s) and hot_k (K). */
static struct {
    double energy, work, cost, carbon, heat_s, hot_k, peak;
    int runs;
    int64_t simulated, skipped;
} worst;

void wsk_test_print_worst(const char *what)
{
    if (worst.runs)
        print_message(
            "%s: %d runs, %lld of %lld cycles simulated; largest differences: energy %.1e, work %.1e, cost %.1e, "
            "carbon %.1e, limited by heat %.0f s, highest temperature %.3f K, highest power %.1e\n",
            what, worst.runs, (long long)worst.simulated, (long long)(worst.simulated + worst.skipped), worst.energy,
            worst.work, worst.cost, worst.carbon, worst.heat_s, worst.hot_k, worst.peak);
    memset(&worst, 0, sizeof worst);
}

static void raise_to(double *most, double a, double b, double of)
{
    const double d = fabs(b - a) / (of > 0 ? of : 1);
    *most = d > *most ? d : *most;
}

/* Quantities whose error by strides a run estimates. estimates: number of runs; low_estimates: number of runs whose
 * estimate was below a third of the true error. Errors below a tenth of the allowed error are not counted. */
enum { OF_COST = WSK_HEADLINES, OF_CARBON, OF_PEAK, OF_HOT, ESTIMATES };
static const char *const estimated[ESTIMATES] = {"energy", "work",          "time limited by heat", "cost",
                                                 "carbon", "highest power", "highest temperatures"};
static int estimates, low_estimates[ESTIMATES];

static void judge_estimate(int of, double error, double told, double small)
{
    low_estimates[of] += fabs(error) > small && told < fabs(error) / 3;
}

static double card_heat(const wsk_run *run, int card)
{
    return wsk_heat_throttle_s(&run->cards[card]);
}

static double heat_of(const wsk_run *run)
{
    double sum = 0;
    for (int i = 0; i < run->net->n_card; i++)
        sum += card_heat(run, i);
    return sum;
}

static double hottest_apart_k(const wsk_run *a, const wsk_run *b)
{
    double most = 0;
    for (int i = 0; i < a->variables->n; i++)
        if (a->variables->all[i].node >= 0)
            most = fmax(most, fabs(wsk_high_at(a, i) - wsk_high_at(b, i)));
    return most;
}

static void count_estimate(const wsk_run *a, const wsk_run *b)
{
    const wsk_stride_head *h = b->stride->head;
    const wsk_account x = wsk_bill_account(a), y = wsk_bill_account(b);
    const double energy = energy_of(a), work = work_of(a), heat = heat_of(a), peak = a->books->wall_peak_w,
                 small = 1e-5;
    if (!h->skipped)
        return;
    estimates++;
    judge_estimate(WSK_OF_ENERGY, energy_of(b) - energy, h->error[WSK_OF_ENERGY], small * energy);
    judge_estimate(WSK_OF_WORK, work_of(b) - work, h->error[WSK_OF_WORK], small * work);
    judge_estimate(WSK_OF_HEAT, heat_of(b) - heat, h->error[WSK_OF_HEAT], fmax(6, 1e-3 * heat));
    judge_estimate(OF_COST, y.cost - x.cost, h->error_cost, small * fabs(x.cost));
    judge_estimate(OF_CARBON, y.carbon_kg - x.carbon_kg, h->error_carbon_kg, small * fabs(x.carbon_kg));
    judge_estimate(OF_PEAK, b->books->wall_peak_w / peak - 1, h->error_peak_rel, 5e-4);
    judge_estimate(OF_HOT, hottest_apart_k(a, b), h->error_k, 0.01);
}

/* Time limited by heat: where a card grazes its limit at peaks of its load, millikelvins decide at which of them heat
 * begins to limit it, and it stays limited until the next. A random rig was limited for 9,557 s, 9,912 and 10,803 of 20
 * days in weather 0.02 K apart, all in ticks. */
static void same_heat(const char *what, const wsk_run *a, const wsk_run *b, const wsk_test_weather *weather)
{
    bracket in = {.weather = weather, .by_k = 0.02};
    for (int i = 0; i < a->net->n_card; i++) {
        const double heat = card_heat(a, i);
        near_in(what, "s limited by heat", card_heat, i, a, b, fmax(60, 0.01 * heat), &in);
        raise_to(&worst.heat_s, heat, card_heat(b, i), 1);
    }
    drop_bracket(&in);
}

/* The highest temperature of a card that shuts down depends on whether it does so at a peak of its load or just after
 * it: in a random rig a change of the weather by 0.1 K changed it by 0.25 K, in ticks. */
static void same_extremes(const char *what, const wsk_run *a, const wsk_run *b, const wsk_test_weather *weather)
{
    bracket in = {.weather = weather, .by_k = 0.1};
    for (int i = 0; i < a->variables->n; i++)
        if (a->variables->all[i].node >= 0) {
            near_in(what, a->variables->all[i].name, wsk_high_at, i, a, b, 0.1, &in);
            raise_to(&worst.hot_k, wsk_high_at(a, i), wsk_high_at(b, i), 1);
        }
    raise_to(&worst.peak, a->books->wall_peak_w, b->books->wall_peak_w, a->books->wall_peak_w);
    near(what, "highest power", a->books->wall_peak_w, b->books->wall_peak_w, 5e-3 * a->books->wall_peak_w);
    drop_bracket(&in);
}

static void same_events(const char *what, const wsk_run *a, const wsk_run *b)
{
    near(what, "shutdowns", (double)a->head->shutdowns, (double)b->head->shutdowns, 0);
    near(what, "failures", (double)a->head->failures, (double)b->head->failures, 0);
    for (int i = 0; i < a->net->n_line; i++)
        near(what, "circuit off", (double)a->lines[i].tripped, (double)b->lines[i].tripped, 0);
    for (int i = 0; i < a->net->n_mover; i++)
        near(what, "fan failed", (double)a->movers[i].failed, (double)b->movers[i].failed, 0);
}

/* A fan that reads whole degrees may settle at either of two speeds within its hysteresis: in random rig 123 a change
 * of the weather by 0.001 K changes the energy of a run in ticks by 1.9e-4. */
static void same_sums(const char *what, const wsk_run *a, const wsk_run *b, const wsk_test_weather *weather)
{
    static const char *const names[] = {"J", "cost", "kg of CO2", "J in a tariff period"};
    bracket in = {.weather = weather, .by_k = 0.001};
    for (int i = 0; i < A_PERIOD + WSK_NAMES; i++)
        near_in(what, names[i < A_PERIOD ? i : A_PERIOD], sum_of, i, a, b,
                1e-4 * fabs(sum_of(a, i < A_PERIOD ? i : AN_ENERGY)), &in);
    drop_bracket(&in);
}

static void same_bill(const char *what, const wsk_account *x, const wsk_account *y)
{
    const wsk_bill *a = &x->bill, *b = &y->bill;
    if (isnan(x->cost))
        return;
    near(what, "demand charge", x->demand, y->demand, 2e-3 * fabs(x->demand));
    assert_int_equal(a->n_months, b->n_months);
    for (int64_t i = 0; i < a->n_months && i < WSK_BILL_MONTHS; i++)
        near(what, "W in the highest window of a month", a->months[i].peak_w, b->months[i].peak_w,
             2e-3 * a->months[i].peak_w);
}

static void agree(const char *what, const wsk_run *a, const wsk_run *b, const wsk_test_weather *weather)
{
    const wsk_account x = wsk_bill_account(a), y = wsk_bill_account(b);
    const double work = work_of(a);
    assert_true(a->head->t_ns == b->head->t_ns);
    same_sums(what, a, b, weather);
    near(what, "s of work", work, work_of(b), 1e-4 * work + 1e-3);
    same_heat(what, a, b, weather);
    raise_to(&worst.energy, energy_of(a), energy_of(b), energy_of(a));
    raise_to(&worst.work, work, work_of(b), work);
    raise_to(&worst.cost, x.cost, y.cost, fabs(x.cost));
    raise_to(&worst.carbon, x.carbon_kg, y.carbon_kg, fabs(x.carbon_kg));
    worst.runs++;
    worst.simulated += b->stride->head->simulated;
    worst.skipped += b->stride->head->skipped;
    same_bill(what, &x, &y);
    same_extremes(what, a, b, weather);
    same_events(what, a, b);
    if (!(wsk_residual(b) <= 1e-9))
        fail_msg("%s: residual %.1e", what, wsk_residual(b));
    count_estimate(a, b);
}

int64_t wsk_test_hold_in(const char *what, const wsk_rig *rig, double duration_s, const wsk_test_weather *weather)
{
    wsk_run *b = wsk_test_start(rig, duration_s, true);
    if (!b->stride) {
        wsk_run_free(b);
        return 0;
    }
    wsk_run *a = wsk_test_start(rig, duration_s, false);
    const bool whole = wsk_test_try(a, duration_s);
    int64_t skipped = 0;
    if (whole != wsk_test_try(b, duration_s))
        fail_msg("%s: only one of both fails", what);
    if (whole) {
        agree(what, a, b, weather);
        skipped = b->stride->head->skipped;
    }
    wsk_run_free(a);
    wsk_run_free(b);
    return skipped;
}

int64_t wsk_test_hold(const char *what, const wsk_rig *rig, double duration_s)
{
    return wsk_test_hold_in(what, rig, duration_s, NULL);
}

void wsk_test_estimates(bool print)
{
    for (int of = 0; of < ESTIMATES; of++) {
        if (print)
            print_message("estimated error of %s below a third of the true one: %d of %d runs\n", estimated[of],
                          low_estimates[of], estimates);
        if (low_estimates[of] > 1 + estimates / 20)
            fail_msg("%s: %d of %d estimated errors are too low", estimated[of], low_estimates[of], estimates);
    }
}

char *wsk_test_pieces(const wsk_rig *rig, double end_s, double piece_s, size_t *n)
{
    wsk_run *whole = wsk_test_start(rig, end_s, true), *pieces = wsk_test_start(rig, end_s, true);
    size_t m;
    wsk_test_advance(whole, end_s);
    assert_true(whole->stride->head->skipped > 0);
    for (double t = 0; wsk_run_time(pieces) < end_s; t += piece_s) {
        wsk_test_advance(pieces, t < end_s ? t : end_s);
        char *bytes = wsk_test_save(pieces, n);
        wsk_run_free(pieces);
        pieces = wsk_test_start(rig, end_s, true);
        assert_int_equal(wsk_run_restore(pieces, bytes, *n), WSK_OK);
        wsk_text_free(bytes);
    }
    char *a = wsk_test_save(whole, n), *b = wsk_test_save(pieces, &m);
    assert_true(*n == m && memcmp(a, b, m) == 0);
    wsk_text_free(b);
    wsk_run_free(whole);
    wsk_run_free(pieces);
    return a;
}

int wsk_test_account_at(const wsk_run *run, const void *place)
{
    const wsk_stride *s = run->stride;
    for (int k = 0; k < s->n; k++)
        if (s->places[k].at == place)
            return k;
    fail_msg("no account is stored there");
    return -1;
}

wsk_run *wsk_test_start_by_day(wsk_rig **rig, const char *workload, int days)
{
    char text[1200];
    snprintf(text, sizeof text,
             "<rig><site supply='230 V' circuit='16 A'><room volume='40 m3' conductance='60 W/K'>"
             "<outdoor mean='22 degC' swing='5 K'/></room><tariff kind='flat' price='0.36 USD/kWh'/>"
             "<carbon intensity='0.72 kg/kWh'/></site><chassis part='chassis/workstation-12-slot'>"
             "<fan part='fan/generic-120-3000' at='front' count='3'/><fan part='fan/generic-120-1500' at='rear'/>"
             "<psu part='psu/tier-gold-1600'/><gpu part='gpu/rtx-3090-blower' slot='1'/>"
             "<gpu part='gpu/rtx-3090-blower' slot='5'/></chassis><workload class='training' %s/></rig>",
             workload);
    *rig = wsk_test_rig(text, NULL);
    wsk_run *run = wsk_test_start(*rig, days * 86400, true);
    assert_non_null(run->stride);
    return run;
}
