/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/support/question.h"

const wsk_question wsk_questions[WSK_QUESTIONS] = {
    {"price of work, one card, its limit and the case fans",
     "scenarios/single-3090/rig.xml",
     {{"gpu.power-limit", "W", 150, 350, 5},
      {"fan[0].speed", "rpm", 500, 2000, 65},
      {"fan[1].speed", "rpm", 500, 2000, 65}},
     {WSK_R_COST_PER_WORK, WSK_OVER_NONE, 0, false},
     {{WSK_R_GPU_WORK, WSK_OVER_MEAN, 0.8, true}, {WSK_R_NOISE, WSK_OVER_NONE, 62, false}}},
    {"work of four blowers under a circuit",
     "scenarios/quad-3090-blower/rig.xml",
     {{"gpu[*].power-limit", "W", 150, 350, 5},
      {"fan[0].speed", "rpm", 500, 2000, 75},
      {"room.conductance", "W/K", 40, 160, 5}},
     {WSK_R_GPU_WORK, WSK_OVER_SUM, 0, true},
     {{WSK_R_WALL_PEAK_W, WSK_OVER_NONE, 1400, false}, {WSK_R_GPU_DIE_MAX, WSK_OVER_MAX, 88, false}}},
    {"noise of one card",
     "scenarios/single-3090/rig.xml",
     {{"gpu.power-limit", "W", 150, 350, 5}, {"fan[0].speed", "rpm", 500, 2000, 75}, {"gpu.fan", "%", 30, 100, 2.5}},
     {WSK_R_NOISE, WSK_OVER_NONE, 0, false},
     {{WSK_R_GPU_WORK, WSK_OVER_MEAN, 0.85, true}, {WSK_R_GPU_DIE_MAX, WSK_OVER_MAX, 84, false}}},
    {"power of a card on an all-in-one",
     "scenarios/aio-4090/rig.xml",
     {{"gpu.power-limit", "W", 200, 450, 5},
      {"fan[0].duty", "%", 20, 100, 4},
      {"room.temperature", "degC", 16, 32, 0.8}},
     {WSK_R_WALL_PEAK_W, WSK_OVER_NONE, 0, false},
     {{WSK_R_GPU_WORK, WSK_OVER_MEAN, 0.9, true}, {WSK_R_GPU_DIE_MAX, WSK_OVER_MAX, 75, false}}},
    {"price of work of two cards that differ in their limits",
     "scenarios/pair-1080/blower.xml",
     {{"gpu[0].power-limit", "W", 110, 200, 3},
      {"gpu[1].power-limit", "W", 110, 200, 3},
      {"fan[0].speed", "rpm", 500, 1500, 50}},
     {WSK_R_WALL_PEAK_W, WSK_OVER_NONE, 0, false},
     {{WSK_R_GPU_WORK, WSK_OVER_SUM, 1.6, true}, {WSK_R_GPU_DIE_MAX, WSK_OVER_MAX, 80, false}}},
    {"work of four open-air cards that choke",
     "scenarios/quad-2080-openair/rig.xml",
     {{"gpu[*].power-limit", "W", 125, 225, 2.5},
      {"fan[0].speed", "rpm", 500, 2000, 75},
      {"room.temperature", "degC", 16, 32, 0.64}},
     {WSK_R_GPU_WORK, WSK_OVER_SUM, 0, true},
     {{WSK_R_GPU_DIE_MAX, WSK_OVER_MAX, 88, false}, {WSK_R_NOISE, WSK_OVER_NONE, 75, false}}},
    {"noise of two cards on a Japanese outlet",
     "scenarios/home-100v-jp/rig.xml",
     {{"gpu[*].power-limit", "W", 150, 350, 5},
      {"fan[0].speed", "rpm", 500, 1500, 50},
      {"gpu[*].fan", "%", 30, 100, 2.5}},
     {WSK_R_NOISE, WSK_OVER_NONE, 0, false},
     {{WSK_R_GPU_WORK, WSK_OVER_SUM, 1.7, true}, {WSK_R_GPU_DIE_MAX, WSK_OVER_MAX, 85, false}}},
    {"price of work in an open frame",
     "scenarios/mining-frame/rig.xml",
     {{"gpu[*].power-limit", "W", 150, 350, 5},
      {"gpu[*].fan", "%", 30, 100, 2.5},
      {"room.conductance", "W/K", 40, 160, 5}},
     {WSK_R_COST_PER_WORK, WSK_OVER_NONE, 0, false},
     {{WSK_R_GPU_WORK, WSK_OVER_SUM, 4.5, true}, {WSK_R_NOISE, WSK_OVER_NONE, 62, false}}},
    {"work of two cards in a water loop",
     "scenarios/water-3090/rig.xml",
     {{"gpu[*].power-limit", "W", 200, 350, 5},
      {"pump[0].duty", "%", 30, 100, 2.5},
      {"room.temperature", "degC", 18, 34, 0.8}},
     {WSK_R_GPU_WORK, WSK_OVER_SUM, 0, true},
     {{WSK_R_GPU_DIE_MAX, WSK_OVER_MAX, 62, false}, {WSK_R_WALL_PEAK_W, WSK_OVER_NONE, 950, false}}},
    {"power of four blowers side by side",
     "scenarios/quad-2080-blower/rig.xml",
     {{"gpu[*].power-limit", "W", 125, 225, 2.5},
      {"fan[0].speed", "rpm", 500, 3000, 125},
      {"gpu[*].fan", "%", 30, 100, 2.5}},
     {WSK_R_WALL_PEAK_W, WSK_OVER_NONE, 0, false},
     {{WSK_R_GPU_WORK, WSK_OVER_SUM, 3.2, true}, {WSK_R_GPU_DIE_MAX, WSK_OVER_MAX, 82, false}}}};

static double read_value(const wsk_summary *s, const wsk_question_bound *b)
{
    return b->over == WSK_OVER_NONE ? wsk_summary_number(s, b->result, 0) : wsk_summary_over(s, b->result, b->over);
}

void wsk_question_measure(void *ctx, const wsk_summary *s, double *out)
{
    const wsk_question *q = ctx;
    out[0] = (q->goal.above ? -1 : 1) * read_value(s, &q->goal);
    for (int i = 0; i < WSK_QUESTION_LIMITS; i++)
        out[1 + i] = (q->limits[i].above ? 1 : -1) * (read_value(s, &q->limits[i]) - q->limits[i].limit);
}

void wsk_question_lay_out(const wsk_question *q, double coarser, wsk_question_levels *l)
{
    l->cases = 1;
    for (int a = 0; a < WSK_QUESTION_AXES; a++) {
        const wsk_question_axis *x = &q->axes[a];
        const size_t n = (size_t)floor((x->high - x->low) / (x->step * coarser) + 1.000001);
        l->texts[a] = calloc(n, sizeof *l->texts[a]);
        for (size_t i = 0; i < n; i++) {
            l->texts[a][i] = malloc(40);
            snprintf(l->texts[a][i], 40, "%.6g %s", x->low + (double)i * x->step * coarser, x->unit);
        }
        l->settings[a] =
            (wsk_setting){.path = x->path, .values = (const char *const *)l->texts[a], .count = n, .ordered = true};
        l->cases *= n;
    }
}

void wsk_question_drop(wsk_question_levels *l)
{
    for (int a = 0; a < WSK_QUESTION_AXES; a++) {
        for (size_t i = 0; i < l->settings[a].count; i++)
            free(l->texts[a][i]);
        free(l->texts[a]);
    }
}

wsk_optimise_options wsk_question_options(const wsk_question *q, const wsk_question_levels *l)
{
    return (wsk_optimise_options){.settings = l->settings,
                                  .setting_count = WSK_QUESTION_AXES,
                                  .goals = 1,
                                  .limits = WSK_QUESTION_LIMITS,
                                  .calls = {.ctx = (void *)(uintptr_t)q, .measure = wsk_question_measure}};
}

bool wsk_question_solve(const wsk_question *q, const wsk_rig *base, const wsk_question_levels *l, const int *at,
                        double *out)
{
    char sets[WSK_QUESTION_AXES][80];
    const char *list[WSK_QUESTION_AXES];
    for (int a = 0; a < WSK_QUESTION_AXES; a++) {
        snprintf(sets[a], sizeof sets[a], "%s=%s", l->settings[a].path, l->settings[a].values[at[a]]);
        list[a] = sets[a];
    }
    wsk_rig *rig = NULL;
    wsk_summary *s = NULL;
    const wsk_rig_options options = {
        .path = q->rig, .parts_dir = "parts", .sets = list, .set_count = WSK_QUESTION_AXES, .files_of = base};
    const bool ok = wsk_rig_load(&rig, &options) == WSK_OK &&
                    wsk_steady_point(&s, rig, WSK_STEPPER_FAST, WSK_POINT_ALONE, NULL, NULL) == WSK_OK;
    if (ok)
        wsk_question_measure((void *)(uintptr_t)q, s, out);
    wsk_summary_free(s);
    wsk_rig_free(rig);
    return ok;
}
