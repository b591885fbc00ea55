/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "cli/twin/live.h"

static wsk_status advance(wsk_live *live, double until_s)
{
    wsk_status status = WSK_OK;
    /* A long advance stops for a sample at the start of the averaging window that ends with the last sample, so that
     * the mean over this window is exact. */
    if (until_s - wsk_run_time(live->run) > WSK_LIVE_WINDOW_S) {
        status = wsk_run_advance(live->run, until_s - WSK_LIVE_WINDOW_S);
        wsk_live_sample_cards(live);
    }
    if (status == WSK_OK)
        status = wsk_run_advance(live->run, until_s);
    wsk_live_sample_cards(live);
    return status;
}

/* Simulated time of one call to the engine, s. It is short, so that the loop in wsk_live_follow can check the wall
 * clock between calls. */
static double chunk_s(const wsk_live *live)
{
    return isinf(live->speed) ? 10 : wsk_max(live->speed * WSK_LIVE_MS * 1e-3 / 8, WSK_LIVE_STEP_S);
}

wsk_status wsk_live_follow(wsk_live *live, double due_s)
{
    const double began = wsk_clock(), end_s = wsk_run_duration(live->run);
    double now_s = wsk_run_time(live->run);
    wsk_status status = WSK_OK;
    double until_s = end_s;
    /* the run stops at the first end of a step from until_s on; half a step less makes that the nearest end */
    if (!isinf(live->speed))
        until_s = live->anchor_s + (due_s - live->anchor_real_s) * live->speed - 0.5 * WSK_LIVE_STEP_S;
    until_s = wsk_min(until_s, end_s);
    while (status == WSK_OK && now_s < until_s && wsk_clock() - began < 0.8e-3 * WSK_LIVE_MS) {
        status = advance(live, wsk_min(until_s, now_s + chunk_s(live)));
        now_s = wsk_run_time(live->run);
    }
    /* this computer is too slow for live->speed: count from the present times instead of catching up */
    if (now_s < until_s) {
        live->anchor_s = now_s;
        live->anchor_real_s = wsk_clock();
    }
    return status;
}

wsk_status wsk_live_advance(wsk_live *live, double seconds)
{
    const double until_s = wsk_run_time(live->run) + seconds;
    double beaten_s = wsk_clock(), left_s = seconds;
    wsk_status status = WSK_OK;
    while (status == WSK_OK && left_s > 1e-9 && left_s > 1e-12 * until_s) {
        status = advance(live, until_s - left_s + wsk_min(left_s, 10));
        left_s = until_s - wsk_run_time(live->run);
        if (wsk_run_time(live->run) >= wsk_run_duration(live->run))
            break;
        if (live->writer && wsk_clock() - beaten_s > 0.5e-3 * WSK_TWIN_SILENCE_MS) {
            wsk_twin_beat(live->writer); /* a sign of life, because readers take a silent writer for dead */
            beaten_s = wsk_clock();
        }
    }
    return status;
}

void wsk_live_set_speed(wsk_live *live, double speed)
{
    live->speed = speed;
    live->anchor_s = wsk_run_time(live->run);
    live->anchor_real_s = wsk_clock();
}

void wsk_live_fill(wsk_live *live)
{
    wsk_twin_moment *m = &live->moment;
    char *events = NULL; /* fetched only to free them: a run keeps its events until then, and a twin uses none */
    (void)wsk_run_events_csv(live->run, true, &events);
    wsk_text_free(events);
    m->t_ns = llround(wsk_run_time(live->run) * 1e9);
    m->utc_ns = live->utc_ns + m->t_ns;
    m->writable = live->writable;
    m->lockstep = live->lockstep;
    m->speed = live->speed;
    wsk_live_sense(live);
}

void wsk_live_publish(wsk_live *live)
{
    wsk_live_publish_due(live, 0);
}

void wsk_live_publish_due(wsk_live *live, double due_s)
{
    wsk_live_fill(live);
    wsk_twin_publish_due(live->writer, &live->moment, (int64_t)ceil(1e3 * due_s));
}
