/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is known of a load before a sweep is fitted (docs/theory/gpu.md, "Calibration"), which values the rows let move,
 * and which rows no card can have. */
#include "tests/verify/log_bench.h"

#define CLASS(source) \
    "<class name='training' p0='40 W' c='70 W/GHz' clock-share='0.8' traffic-power='20 W' limit-share='80 " \
    "%'>" source "</class>" BLOWER
#define FITTED "<source for='p0 c clock-share' kind='measured' ref='a sweep'/>"
#define ASSUMED "<source for='p0 c clock-share' kind='assumed' ref='a guess'/>"

typedef struct {
    wsk_rig *rig;
    const wsk_card *card;
} sample;

static sample open_card(const char *gpu, const char *cooler, const char *workload)
{
    char xml[4000];
    static const char *const whole = LOG_RIG("", "@1", "@2", "@3");
    size_t n = 0;
    for (const char *c = whole; *c; c++)
        if (*c == '@') {
            const char *with = *++c == '1' ? gpu : *c == '2' ? cooler : workload;
            n += (size_t)snprintf(xml + n, sizeof xml - n, "%s", with);
        } else {
            xml[n++] = *c;
        }
    xml[n] = 0;
    sample s = {.rig = wsk_test_rig(xml, NULL)};
    s.card = &s.rig->net->cards[0];
    return s;
}

static void a_class_is_known_as_documented(void **state)
{
    (void)state;
    for (int fitted = 0; fitted < 2; fitted++) {
        const sample s = open_card("", fitted ? CLASS(FITTED) : CLASS(ASSUMED), TRAINING);
        const wsk_gpu_params *g = s.card->gpu;
        const wsk_gpu_class *cls = &s.card->cls;
        assert_int_equal(cls->fitted, fitted);
        const wsk_calibrate_load l = wsk_calibrate_of_class(g, s.card->ops, cls);
        /* the power between pauses, on which the limit acts */
        assert_rel(l.cls.p0_w, 40 / 0.8, 1e-12);
        assert_rel(l.cls.c_w_hz, 70e-9 / 0.8, 1e-12);
        assert_rel(l.cls.traffic_w, 20 / 0.8, 1e-12);
        assert_rel(l.mean_share, 0.8, 1e-12);
        assert_rel(l.ref_w, 250, 1e-12);
        assert_rel(l.boost_k, g->leakage_temp_k, 1e-12);
        /* standard deviations: of ln P0 0.6, of the clock's share 0.2, knee 0.1, slope 0.35, leakage 0.35; half, or three
         * tenths of knee and slope, of a class that was fitted to the card */
        assert_rel(l.p0_sd, fitted ? 0.3 : 0.6, 1e-12);
        assert_rel(l.share_sd, fitted ? 0.1 : 0.2, 1e-12);
        assert_rel(l.knee_sd, fitted ? 0.03 : 0.1, 1e-12);
        assert_rel(l.slope_sd, fitted ? 0.105 : 0.35, 1e-12);
        assert_rel(l.leakage_sd, 0.35, 1e-12);
        assert_rel(l.duty, 0.9, 1e-12);
        assert_rel(l.duty_sd, 0.3, 1e-12);
        /* 80 % of the loads are within 36 or 21 % of the draw, all of which is then an error of what follows the clock */
        const double draw_w = s.card->ops->power_w(g, cls, cls->ref_clock_hz, g->leakage_temp_k, NULL),
                     sd_w = (fitted ? 0.21 : 0.36) * draw_w / 1.28;
        assert_rel(l.c_sd, sd_w / (draw_w - cls->p0_w - cls->traffic_w), 1e-9);
        wsk_rig_free(s.rig);
    }
}

/* Pauses that the workload states are kept; long ones of the class are the mean of what is known. */
static void stated_pauses_are_kept(void **state)
{
    (void)state;
    static const struct {
        const char *cooler;
        double duty, sd;
    } cases[] = {
        {"<class name='training' p0='40 W' c='70 W/GHz' clock-share='0.8' duty='70 %'/>" BLOWER, 1, 0},
        {"<class name='training' p0='40 W' c='70 W/GHz' clock-share='0.8' duty='70 %' long-pauses='yes'/>" BLOWER,
         0.7, 0.3}};
    for (int k = 0; k < 2; k++) {
        const sample s = open_card("", cases[k].cooler, TRAINING);
        const wsk_calibrate_load l = wsk_calibrate_of_class(s.card->gpu, s.card->ops, &s.card->cls);
        assert_rel(l.duty, cases[k].duty, 1e-9);
        assert_near(l.duty_sd, cases[k].sd, 1e-12);
        wsk_rig_free(s.rig);
    }
}

static const wsk_calibrate_row nothing = {NAN, NAN, NAN, NAN, NAN, NAN};

/* The row that a card of the prior's values would give at this locked clock. */
static wsk_calibrate_row row_at(const sample *s, double clock_hz, double die_k)
{
    wsk_calibrate_row row = nothing;
    row.lock_hz = row.clock_hz = clock_hz;
    row.die_k = die_k;
    row.drawn_w = s->card->ops->power_w(s->card->gpu, &s->card->cls, clock_hz, die_k, NULL);
    row.work = 7 * s->card->ops->perf_rel(&s->card->cls, clock_hz);
    return row;
}

static const wsk_calibrated *value_of(const wsk_calibration *c, const char *name)
{
    for (size_t i = 0; i < c->count; i++)
        if (strcmp(c->values[i].name, name) == 0)
            return &c->values[i];
    return NULL;
}

/* Rows that agree with what is known leave each value where it was, in the units of its attribute, and tell the unit of
 * their work. Leakage moves if temperatures are 10 K apart, knee and slope if there are clocks. */
static void rows_that_agree_move_nothing(void **state)
{
    (void)state;
    static const double from_k[] = {333, 333, 333, 333}, to_k[] = {342.9, 343, 333, 333};
    for (int k = 0; k < 4; k++) {
        const sample s = open_card(
            " leakage='12 W'",
            "<class name='training' p0='40 W' c='90 W/GHz' clock-share='0.8'>" ASSUMED "</class>" BLOWER, TRAINING);
        const wsk_gpu_params *g = s.card->gpu;
        wsk_calibrate_row rows[6];
        wsk_calibration out;
        for (int i = 0; i < 6; i++) {
            rows[i] = row_at(&s, (0.8 + 0.2 * i) * 1e9, i % 2 ? to_k[k] : from_k[k]);
            if (k == 2)
                rows[i].clock_hz = NAN;
            if (k == 3)
                rows[i].work = NAN;
        }
        assert_int_equal(wsk_calibrate_card(g, s.card->ops, &s.card->cls, rows, 6, &out), WSK_OK);
        const struct {
            const char *name;
            double value, sd;
            bool there;
        } want[] = {{"p0", 40, 0.6 * 40, true},
                    {"c", 90e-9, NAN, true},
                    {"clock-share", 0.8, 0.2, true},
                    {"clock-knee", 1.4e9, 0.1 * 1.9e9, k != 2},
                    {"voltage-slope", 0.6e-9, 0.35 / 1.9e9, k != 2},
                    {"leakage", 12, 0.35 * 12, k == 1},
                    {"duty", NAN, NAN, false}};
        for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
            const wsk_calibrated *v = value_of(&out, want[i].name);
            assert_int_equal(v != NULL, want[i].there);
            if (!v)
                continue;
            assert_rel(v->value, want[i].value, 0.01);
            assert_rel(v->prior, want[i].value, 1e-9);
            if (!isnan(want[i].sd))
                assert_rel(v->prior_spread, want[i].sd, 1e-9);
            assert_true(v->spread > 0 && v->spread <= 1.001 * v->prior_spread && v->apart <= v->spread);
            assert_near(v->learnt,
                        1 - pow(v->spread / v->prior_spread * (i < 2 || i == 5 ? v->prior / v->value : 1), 2), 1e-6);
            assert_near(v->moved, 0, 0.05);
        }
        if (k == 3)
            assert_true(isnan(out.work_unit));
        else
            assert_rel(out.work_unit, 7, 0.01);
        assert_near(out.mean_share, 1, 1e-9);
        assert_true(out.noise < 0.1);
        wsk_rig_free(s.rig);
    }
}

/* What further rows would tell: nothing is less certain with them, none leave it as it is, and impossible ones are
 * refused. */
static void further_rows_are_foretold(void **state)
{
    (void)state;
    const sample s = open_card("", BLOWER, TRAINING);
    wsk_calibrate_row rows[2] = {row_at(&s, 1.4e9, 333), row_at(&s, 1.7e9, 333)}, more[2] = {nothing, nothing};
    wsk_calibrate_doubt now, same, then;
    const wsk_gpu_params *g = s.card->gpu;
    more[0].limit_w = 120;
    more[1].limit_w = 180;
    more[0].die_k = more[1].die_k = 333;
    assert_int_equal(wsk_calibrate_foretell(g, s.card->ops, &s.card->cls, rows, 2, more, 0, false, &now), WSK_OK);
    assert_int_equal(wsk_calibrate_foretell(g, s.card->ops, &s.card->cls, rows, 2, more, 0, true, &same), WSK_OK);
    assert_int_equal(wsk_calibrate_foretell(g, s.card->ops, &s.card->cls, rows, 2, more, 2, false, &then), WSK_OK);
    assert_same(same.work_rel, now.work_rel);
    assert_true(now.work_rel > 0 && now.power_rel > 0);
    assert_true(then.work_rel < 0.7 * now.work_rel && then.power_rel < now.power_rel);
    /* 2 % of a clock's draw, at best by all four rows */
    assert_true(then.power_rel > 0.02 / 2);
    more[0].limit_w = 1e5;
    assert_int_equal(wsk_calibrate_foretell(g, s.card->ops, &s.card->cls, rows, 2, more, 1, true, &then), WSK_EUSAGE);
    rows[0].drawn_w = -1;
    assert_int_equal(wsk_calibrate_foretell(g, s.card->ops, &s.card->cls, rows, 2, more, 0, true, &then), WSK_EUSAGE);
    wsk_rig_free(s.rig);
}

/* Values that no such card can have: powers of more than twice the highest limit or a fifth of the power at rest, clocks
 * beyond twice the highest or below a quarter of the lowest, and temperatures of no card. */
static void impossible_rows_are_named(void **state)
{
    (void)state;
    const sample s = open_card(" power-limit-max='300 W' clock-min='200 MHz'", BLOWER, TRAINING);
    static const struct {
        wsk_row_value value;
        double from, to;
    } bounds[] = {{WSK_ROW_LIMIT, 4, 600},      {WSK_ROW_LOCK, 50e6, 3.8e9}, {WSK_ROW_DRAWN, 4, 600},
                  {WSK_ROW_CLOCK, 50e6, 3.8e9}, {WSK_ROW_WORK, 1e-30, 1e30}, {WSK_ROW_DIE, 223.15, 423.15}};
    for (size_t k = 0; k < sizeof bounds / sizeof *bounds; k++)
        for (int end = 0; end < 2; end++)
            for (int out = 0; out < 2; out++) {
                wsk_calibrate_row row = nothing;
                row.limit_w = 200;
                double *const at[] = {
                    [WSK_ROW_LIMIT] = &row.limit_w,  [WSK_ROW_LOCK] = &row.lock_hz, [WSK_ROW_DRAWN] = &row.drawn_w,
                    [WSK_ROW_CLOCK] = &row.clock_hz, [WSK_ROW_WORK] = &row.work,    [WSK_ROW_DIE] = &row.die_k};
                wsk_calibration said;
                memset(&said, 0, sizeof said);
                *at[bounds[k].value] = (end ? bounds[k].to : bounds[k].from) * (1 + 1e-6 * (end == out ? 1 : -1));
                assert_int_equal(wsk_calibrate_impossible(s.card->gpu, &row, &said), out);
                assert_int_equal(said.impossible, out ? bounds[k].value : WSK_ROW_VALUES);
                if (out) {
                    assert_rel(said.possible_from, bounds[k].from, 1e-9);
                    assert_rel(said.possible_to, bounds[k].to, 1e-9);
                }
            }
    for (int v = 0; v < 4; v++) { /* one of limit, lock and power must be there */
        wsk_calibrate_row row = nothing;
        wsk_calibration said;
        memset(&said, 0, sizeof said);
        row.clock_hz = 1e9;
        *(v == 0 ? &row.limit_w : v == 1 ? &row.lock_hz : v == 2 ? &row.drawn_w : &row.work) = v == 1 ? 1e9 : 200;
        assert_int_equal(wsk_calibrate_impossible(s.card->gpu, &row, &said), v == 3);
    }
    wsk_rig_free(s.rig);
}

static wsk_rig *written(const sample *s, const wsk_calibration *fit)
{
    char *text;
    assert_int_equal(wsk_rig_calibrated(s->rig, &(wsk_calibrated_card){0, fit, "sweep.csv"}, 1, &text), WSK_OK);
    wsk_rig *rig = wsk_test_rig(text, NULL);
    wsk_text_free(text);
    return rig;
}

/* Fitted values are written so that the rig has them, whatever the workload makes of the card's class: a fit that found
 * what was known changes nothing, another one is what is known of the new rig. */
static void the_rig_gets_what_was_fitted(void **state)
{
    (void)state;
#define MODEL(more) "<workload kind='inference' class='decode' model='model/llama-3.1-8b' " more "/>"
#define OWN(more) \
    "<class name='decode' p0='40 W' c='70 W/GHz' clock-share='0.8' traffic-power='20 W' " more "/>" BLOWER
    static const char *const coolers[] = {BLOWER,
                                          OWN(""),
                                          OWN("duty='70 %'"),
                                          OWN("duty='70 %' long-pauses='yes'"),
                                          OWN("limit-share='80 %' kernel-share='90 %'"),
                                          OWN("limit-share='85 %' duty='80 %' long-pauses='yes'")},
                             *const workloads[] = {"<workload class='decode'/>",
                                                   "<workload class='decode' duty='60 %'/>",
                                                   "<workload class='decode' streams='4'/>",
                                                   MODEL(""),
                                                   MODEL("quant='Q4_K_M' streams='3'"),
                                                   MODEL("quant='Q8_0'"),
                                                   MODEL("quant='Q2_K' streams='20'"),
                                                   MODEL("quant='F16'")};
    static const char gpu[] =
        " memory='24 GB' memory-bandwidth='900 GB/s' compute-units='80' stack='cuda' matrix-ops='1024'";
    for (size_t k = 0; k < sizeof coolers / sizeof *coolers; k++)
        for (size_t w = 0; w < sizeof workloads / sizeof *workloads; w++) {
            const sample s = open_card(gpu, coolers[k], workloads[w]);
            const wsk_gpu_class *before = &s.card->cls;
            const wsk_calibrate_load l = wsk_calibrate_of_class(s.card->gpu, s.card->ops, before);
            wsk_calibration fit = {.count = 4, .mean_share = l.mean_share};
            const wsk_calibrated values[] = {{.name = "p0", .value = l.cls.p0_w, .learnt = 1},
                                             {.name = "c", .value = l.cls.c_w_hz, .learnt = 1},
                                             {.name = "clock-share", .value = l.cls.clock_share, .learnt = 1},
                                             {.name = "duty", .value = 1 - before->long_pause, .learnt = 1}};
            memcpy(fit.values, values, sizeof values);
            char *text;
            assert_int_equal(wsk_rig_calibrated(s.rig, &(wsk_calibrated_card){0, &fit, "sweep.csv"}, 1, &text),
                             WSK_OK);
            wsk_rig *rig = wsk_test_rig(text, NULL);
            wsk_text_free(text);
            const wsk_gpu_class *after = &rig->net->cards[0].cls;
            assert_rel(after->p0_w, before->p0_w, 1e-5);
            assert_rel(after->c_w_hz, before->c_w_hz, 1e-5);
            assert_rel(after->clock_share, before->clock_share, 1e-5);
            assert_near(after->traffic_w, before->traffic_w, 1e-4);
            assert_near(after->pause, before->pause, 1e-5);
            assert_near(after->long_pause, before->long_pause, 1e-5);
            assert_near(wsk_gpu_limit_share(after), wsk_gpu_limit_share(before), 1e-6);
            assert_rel(after->ref_clock_hz, before->ref_clock_hz, 1e-3);
            wsk_rig_free(rig);
            fit.values[0].value *= 1.15;
            fit.values[1].value *= 0.9;
            fit.values[2].value *= 0.8;
            rig = written(&s, &fit);
            const wsk_card *c = &rig->net->cards[0];
            const wsk_calibrate_load known = wsk_calibrate_of_class(c->gpu, c->ops, &c->cls);
            assert_rel(known.cls.p0_w, fit.values[0].value, 1e-5);
            assert_rel(known.cls.c_w_hz, fit.values[1].value, 1e-5);
            assert_rel(known.cls.clock_share, fit.values[2].value, 1e-5);
            assert_near(1 - c->cls.long_pause, fit.values[3].value, 1e-5);
            assert_rel(known.mean_share, l.mean_share, 1e-5);
            wsk_rig_free(rig);
            wsk_rig_free(s.rig);
        }
}

/* Where rows draw less than a limit that binds, all powers are a share of the model's; a limit is never exceeded. */
static void the_lowest_limit_tells_the_share(void **state)
{
    (void)state;
    static const double drawn[] = {0.8, 0.97, 1, 1.005};
    for (int k = 0; k < 4; k++) {
        const sample s = open_card(
            "",
            "<class name='training' p0='40 W' c='90 W/GHz' clock-share='0.8' duty='99 %'>" ASSUMED "</class>" BLOWER,
            TRAINING);
        wsk_calibrate_row rows[3];
        wsk_calibration out;
        for (int i = 0; i < 3; i++) {
            rows[i] = nothing;
            rows[i].limit_w = 120 + 30 * i;
            rows[i].drawn_w = rows[i].limit_w * (i ? 0.9 : drawn[k]);
        }
        assert_int_equal(wsk_calibrate_card(s.card->gpu, s.card->ops, &s.card->cls, rows, 3, &out), WSK_OK);
        assert_near(out.mean_share, fmin(drawn[k], 1), 1e-9);
        wsk_rig_free(s.rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_class_is_known_as_documented),  cmocka_unit_test(stated_pauses_are_kept),
        cmocka_unit_test(rows_that_agree_move_nothing),    cmocka_unit_test(impossible_rows_are_named),
        cmocka_unit_test(further_rows_are_foretold),       cmocka_unit_test(the_rig_gets_what_was_fitted),
        cmocka_unit_test(the_lowest_limit_tells_the_share)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
