/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Strides of a run whose outdoor temperature comes from a file, or whose days were found not to repeat. Still, the
 * energy, work and heat of a cycle depend on the outdoor temperature during the cycle and in the hours before it. The
 * reference of a cycle is interpolated between cycles of the library, over three traits of that temperature
 * (find_traits). The hottest and the coldest cycles are always simulated. Theory: docs/theory/time.md, "Strides under
 * weather" */
#include <math.h>
#include <string.h>

#include "sim/base/calendar.h"
#include "sim/books/books.h"
#include "sim/net/site.h"
#include "sim/num/scatter.h"
#include "sim/step/stride.h"

enum { TRAITS = WSK_SCATTER_DIMS, POINTS = 14, LEAST_POINTS = 8, NEAREST = 6 };
/* Outdoor temperature is tabulated every 15 minutes: weather files are hourly and linear between the hours. */
static const int64_t grid_ns = 900 * WSK_NS, day_ns = WSK_DAY_S * WSK_NS;
/* Weights of the second and the third trait in find_traits; the first has the weight 1. Assumed, as below */
static const double warmer_weight = 0.3, rise_weight = 0.15;
/* smooth_k3: smoothing of the interpolation; near_k: largest distance to the third nearest cycle; most_weight2:
 * largest sum of squared weights, which is high far outside of the known weather; alike_k: a new cycle at a smaller
 * distance from a cycle of the library replaces it. Assumed: docs/theory/constants.md, "strides under weather" */
static const double smooth_k3 = 0.05, near_k = 1.5, most_weight2 = 2, alike_k = 0.3;
/* Largest differences between both ends of a stride, K. close_k: distance of their traits; rise_k: rise of a mean
 * temperature. Assumed, as above */
static const double close_k = 1, rise_k = 0.3;
/* LEAD: cycles simulated before a hottest or coldest cycle, and before a cycle without a reference. EXTREMES: number
 * of the hottest days, of a run or a month, whose hottest cycle is simulated, and number of the coldest days, whose
 * coldest cycle is simulated. Assumed, as above */
enum { LEAD = 3, EXTREMES = 4 };

/* Time constant, s, with which the room follows the outdoor temperature; 600 s to two days. */
static double room_time_s(const wsk_run *run)
{
    const wsk_net *net = run->net;
    const double g = net->room_params->cond_w_k, least = 600, most = 2 * 86400;
    const double time_s = g > 0 ? net->nodes[net->room].cap_j_k / g : most;
    return time_s < least ? least : wsk_min(time_s, most);
}

/* Integral, in K x grid_ns, from the start of the run to t_ns: of the outdoor temperature (which 0), or of the outdoor
 * temperature smoothed with the time constant of the room (which 1). */
static double integral(const wsk_stride *s, int which, int64_t t_ns)
{
    const int64_t last = s->n_outdoor - 2, at = t_ns / grid_ns < 0      ? 0
                                                : t_ns / grid_ns > last ? last
                                                                        : t_ns / grid_ns;
    const double *x = s->outdoor + 2 * at + which, share = (double)(t_ns - at * grid_ns) / (double)grid_ns;
    return x[0] + share * (x[2] - x[0]);
}

static double mean_k(const wsk_stride *s, int which, int64_t from_ns, int64_t to_ns)
{
    return (integral(s, which, to_ns) - integral(s, which, from_ns)) / ((double)(to_ns - from_ns) / (double)grid_ns);
}

/* Traits of the cycle that begins at t_ns, K: x[0]: mean outdoor temperature smoothed with the time constant of the
 * room; x[1]: weighted excess of the mean outdoor temperature over x[0]; x[2]: weighted rise of the outdoor
 * temperature within the cycle. */
static void find_traits(const wsk_stride *s, int64_t t_ns, double x[TRAITS])
{
    const int64_t end = t_ns + s->cycle.length_ns, middle = t_ns + s->cycle.length_ns / 2;
    x[0] = mean_k(s, 1, t_ns, end);
    x[1] = warmer_weight * (mean_k(s, 0, t_ns, end) - x[0]);
    x[2] = rise_weight * (mean_k(s, 0, middle, end) - mean_k(s, 0, t_ns, middle));
}

/* Traits of an entry of the library. They are computed again if the entry now holds a cycle with another start. */
static const double *traits_of(const wsk_stride *s, int64_t entry)
{
    double *x = s->traits + entry * (TRAITS + 1);
    if (!(x[TRAITS] == (double)s->starts[entry])) {
        find_traits(s, s->starts[entry], x);
        x[TRAITS] = (double)s->starts[entry];
    }
    return x;
}

static double distance2(const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < TRAITS; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sum;
}

/* The cycles of the library nearest to a given cycle in their traits, nearest first. at: traits of the given cycle;
 * distance2: squared distances of traits, K^2; x: traits; weight: weights in the interpolation */
typedef struct {
    int n;
    int64_t entry[POINTS];
    double at[TRAITS], distance2[POINTS], x[POINTS][TRAITS], weight[POINTS];
} neighbours;

static void insert(neighbours *near, int64_t entry, const double *x, double d2)
{
    int at = near->n < POINTS ? near->n++ : POINTS - 1;
    for (; at > 0 && near->distance2[at - 1] > d2; at--) {
        near->entry[at] = near->entry[at - 1];
        near->distance2[at] = near->distance2[at - 1];
        memcpy(near->x[at], near->x[at - 1], sizeof near->x[at]);
    }
    near->entry[at] = entry;
    near->distance2[at] = d2;
    memcpy(near->x[at], x, sizeof near->x[at]);
}

static void find_neighbours(const wsk_stride *s, int64_t t_ns, neighbours *near)
{
    find_traits(s, t_ns, near->at);
    near->n = 0;
    for (int64_t i = 0; i < s->head->count; i++) {
        const double *x = traits_of(s, i);
        const double d2 = distance2(x, near->at);
        if (near->n < POINTS || d2 < near->distance2[POINTS - 1])
            insert(near, i, x, d2);
    }
}

/* Time limited by heat, s, in an entry of the library; entry -1: in the last simulated cycle. */
static double heat_of(const wsk_run *run, int64_t entry)
{
    double x[WSK_HEADLINES];
    wsk_take_headlines(run, entry < 0 ? run->stride->fresh : wsk_entry(run->stride, entry), x);
    return x[WSK_OF_HEAT];
}

/* True if heat limits clocks in some of the nearest cycles but not in others. The time limited by heat then does not
 * vary linearly with the weather, so it cannot be interpolated between these cycles. */
static bool heat_begins(const wsk_run *run, const neighbours *near)
{
    int limited = 0;
    for (int i = 0; i < NEAREST; i++)
        limited += heat_of(run, near->entry[i]) > 0;
    return limited > 0 && limited < NEAREST;
}

/* Finds the neighbours of the cycle that begins at t_ns and their weights. False: the library has too few cycles with
 * similar weather, or heat limits clocks in only some of them. */
static bool weigh(const wsk_run *run, int64_t t_ns, neighbours *near)
{
    double sum = 0;
    find_neighbours(run->stride, t_ns, near);
    if (near->n < LEAST_POINTS || near->distance2[2] > near_k * near_k || heat_begins(run, near))
        return false;
    wsk_scatter_weights(near->n, near->x[0], near->at, smooth_k3, near->weight);
    for (int i = 0; i < near->n; i++)
        sum += near->weight[i] * near->weight[i];
    return sum <= most_weight2;
}

double wsk_reference_of_weather(const wsk_run *run, int64_t t_ns)
{
    const wsk_stride *s = run->stride;
    const int n = s->n + s->bins;
    neighbours near;
    memset(s->wanted, 0, (size_t)n * sizeof *s->wanted);
    if (!weigh(run, t_ns, &near))
        return 0;
    for (int i = 0; i < near.n; i++) {
        const double *entry = wsk_entry(s, near.entry[i]), weight = near.weight[i];
        for (int k = 0; k < n; k++)
            s->wanted[k] += weight * entry[k];
    }
    return 1;
}

int64_t wsk_like_weather(const wsk_run *run, int64_t t_ns)
{
    const wsk_stride *s = run->stride;
    neighbours near;
    find_neighbours(s, t_ns, &near);
    return near.n ? s->starts[near.entry[0]] : 0;
}

/* Index of the older entry of the two that are closest in their traits. It is the entry that the library can best do
 * without. */
static int64_t find_redundant(const wsk_stride *s)
{
    int64_t found = 0;
    double least = INFINITY;
    for (int64_t i = 0; i < s->head->count; i++)
        for (int64_t j = 0; j < i; j++) {
            const double d2 = distance2(traits_of(s, i), traits_of(s, j));
            if (d2 < least) {
                least = d2;
                found = s->starts[i] < s->starts[j] ? i : j;
            }
        }
    return found;
}

int64_t wsk_place_in_library(const wsk_run *run, int64_t t_ns)
{
    const wsk_stride *s = run->stride;
    neighbours near;
    find_neighbours(s, t_ns, &near);
    if (near.n >= LEAST_POINTS && near.distance2[LEAST_POINTS - 1] < near_k * near_k &&
        near.distance2[0] < alike_k * alike_k)
        return near.entry[0];
    return s->head->count < s->entries ? s->head->count++ : find_redundant(s);
}

/* ---- how far a stride may go ---- */

static int64_t earlier(int64_t a_ns, int64_t b_ns)
{
    return a_ns < b_ns ? a_ns : b_ns;
}

/* Number of cycles that may be skipped from t_ns on before the next of the hottest or coldest cycles and the LEAD
 * cycles before it, which must be simulated. */
static int64_t cycles_to_extreme(const wsk_stride *s, int64_t t_ns)
{
    int64_t least = INT64_MAX;
    const int64_t length = s->cycle.length_ns;
    for (int i = 0; i < s->n_extremes; i++)
        if (s->extremes[i] > t_ns - 2 * length)
            least = (s->extremes[i] - t_ns) / length < least ? (s->extremes[i] - t_ns) / length : least;
    return least == INT64_MAX ? least : least - LEAD;
}

/* True if no mean temperature in the cycle that begins at t_ns is higher by more than rise_k than in the last cycle
 * before the stride. After a larger rise, fans would follow late and temperatures would overshoot. */
static bool rises_little(const wsk_run *run, int64_t t_ns)
{
    const wsk_stride *s = run->stride;
    const double length_s = (double)s->cycle.length_ns / 1e9;
    wsk_reference_of_weather(run, t_ns);
    for (int i = 0; i < run->net->n_node; i++)
        if (run->cap[i] > 0 && s->wanted[s->nodes + i] - s->fresh[s->nodes + i] > rise_k * length_s)
            return false;
    return true;
}

/* True if a stride may end at t_ns. Where heat limits clocks, the weather at the end must be like that at the start,
 * because a governor still has the clock of the start. */
static bool may_end(const wsk_run *run, int64_t t_ns)
{
    const wsk_stride *s = run->stride;
    double here[TRAITS];
    neighbours near;
    find_traits(s, run->head->t_ns, here);
    find_neighbours(s, t_ns, &near);
    if (distance2(here, near.at) > close_k * close_k && (heat_of(run, near.entry[0]) > 0 || heat_of(run, -1) > 0))
        return false;
    return rises_little(run, t_ns);
}

int64_t wsk_limit_by_weather(const wsk_run *run, int64_t room)
{
    const wsk_stride *s = run->stride;
    const int64_t t = run->head->t_ns, length = s->cycle.length_ns, free_cycles = cycles_to_extreme(s, t),
                  most = earlier(room, earlier(s->head->reach, free_cycles));
    const bool may_heat = wsk_checks_allow(s->head, WSK_OF_HEAT);
    neighbours near;
    int64_t n = 0;
    if (most <= 0 || !wsk_checks_allow(s->head, WSK_OF_ENERGY) || !wsk_checks_allow(s->head, WSK_OF_WORK) ||
        !weigh(run, t - length, &near))
        return 0;
    while (n <= most && weigh(run, t + n * length, &near) && (may_heat || !(heat_of(run, near.entry[0]) > 0)))
        n++;
    n = n > most ? most : n - LEAD;
    while (n > 0 && !may_end(run, t + n * length))
        n--;
    return n;
}

/* Adds weight x the mean temperatures of the cycle that begins at t_ns to shift_k. The caller takes the temperature
 * where two cycles meet as the average of their means. */
static void add_mean(wsk_run *run, int64_t t_ns, double weight)
{
    wsk_stride *s = run->stride;
    const double length_s = (double)s->cycle.length_ns / 1e9;
    wsk_reference_of_weather(run, t_ns);
    for (int i = 0; i < run->net->n_node; i++)
        s->shift_k[i] += run->cap[i] > 0 ? weight * s->wanted[s->nodes + i] / length_s : 0;
}

void wsk_shift_by_weather(wsk_run *run, int64_t cycles)
{
    const int64_t length = run->stride->cycle.length_ns, from = run->head->t_ns, to = from + cycles * length;
    add_mean(run, from - length, -0.5);
    add_mean(run, from, -0.5);
    add_mean(run, to - length, 0.5);
    add_mean(run, to, 0.5);
}

/* ---- the table of outdoor temperatures ---- */

/* The cycles with the highest values, at most one of each day, highest first. value, at_ns: value and start of such a
 * cycle; open, open_ns: value and start of the highest cycle so far of the day that is being read. */
typedef struct {
    int n;
    double value[EXTREMES], open;
    int64_t at_ns[EXTREMES], open_ns;
} extremes;

static void note_extreme(extremes *e, double x, int64_t t_ns)
{
    if (x > e->open) {
        e->open = x;
        e->open_ns = t_ns;
    }
}

static void end_day(extremes *e)
{
    int at = e->n < EXTREMES ? e->n : EXTREMES - 1;
    if (e->open > -INFINITY && (e->n < EXTREMES || e->open > e->value[at])) {
        for (; at > 0 && e->value[at - 1] < e->open; at--) {
            e->value[at] = e->value[at - 1];
            e->at_ns[at] = e->at_ns[at - 1];
        }
        e->value[at] = e->open;
        e->at_ns[at] = e->open_ns;
        e->n += e->n < EXTREMES;
    }
    e->open = -INFINITY;
}

static void keep_extremes(wsk_stride *s, extremes *e)
{
    for (int i = 0; i < e->n; i++)
        s->extremes[s->n_extremes++] = e->at_ns[i];
    e->n = 0;
}

static int month_of(const wsk_run *run, int64_t t_ns)
{
    int64_t until_ns;
    const double start_s = wsk_start_civil_s(run->net, t_ns, &until_ns);
    const wsk_date d = wsk_date_of((int64_t)start_s + t_ns / WSK_NS);
    return d.year * 12 + d.month;
}

/* Finds the hottest and the coldest cycles, outdoors and as the room follows it: of each month if the tariff charges
 * for the highest demand of a month, else of the run. */
static void find_extremes(wsk_run *run)
{
    wsk_stride *s = run->stride;
    const bool monthly = run->net->billing && run->net->billing->n_demands > 0;
    const int64_t length = s->cycle.length_ns;
    extremes e[4];
    int month = month_of(run, 0);
    s->n_extremes = 0;
    for (int k = 0; k < 4; k++)
        e[k] = (extremes){.open = -INFINITY};
    for (int64_t t = s->cycle.anchor_ns; t + length <= run->end_ns; t += length) {
        const int now = monthly ? month_of(run, t) : month;
        for (int k = 0; k < 4; k++) {
            if (t / day_ns != (t - length) / day_ns || now != month)
                end_day(&e[k]);
            if (now != month)
                keep_extremes(s, &e[k]);
            if (t >= s->warm_ns)
                note_extreme(&e[k], (k < 2 ? 1 : -1) * mean_k(s, k % 2, t, t + length), t);
        }
        month = now;
    }
    for (int k = 0; k < 4; k++) {
        end_day(&e[k]);
        keep_extremes(s, &e[k]);
    }
}

bool wsk_weather_make(wsk_run *run)
{
    wsk_stride *s = run->stride;
    const int64_t months = run->end_ns / (INT64_C(28 * 86400) * WSK_NS) + 2;
    s->n_outdoor = run->end_ns / grid_ns + 3;
    s->outdoor = wsk_alloc(run->arena, 2 * (size_t)s->n_outdoor * sizeof *s->outdoor);
    s->traits = wsk_alloc(run->arena, (size_t)s->entries * (TRAITS + 1) * sizeof *s->traits);
    s->extremes = wsk_alloc(run->arena, 4 * EXTREMES * (size_t)months * sizeof *s->extremes);
    return !wsk_arena_failed(run->arena);
}

void wsk_weather_read(wsk_run *run)
{
    wsk_stride *s = run->stride;
    const double keeps = exp(-(double)grid_ns / 1e9 / room_time_s(run));
    for (int i = 0; i < s->entries; i++)
        s->traits[i * (TRAITS + 1) + TRAITS] = -1;
    double before = wsk_outdoor_k(run, 0), room = before; /* both integrals are 0 at the start */
    for (int64_t i = 1; i < s->n_outdoor; i++) {
        const double now = wsk_outdoor_k(run, i * grid_ns), mean = 0.5 * (before + now),
                     next = mean + (room - mean) * keeps;
        s->outdoor[2 * i] = s->outdoor[2 * i - 2] + mean;
        s->outdoor[2 * i + 1] = s->outdoor[2 * i - 1] + 0.5 * (room + next);
        before = now;
        room = next;
    }
    s->warm_ns = (int64_t)(5 * room_time_s(run)) * WSK_NS + s->cycle.length_ns;
    find_extremes(run);
}
