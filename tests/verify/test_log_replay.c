/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The replay of a log (sim/study/calibrate/thermal.c): at constant inputs it settles where a run of the rig does, a fitted value
 * acts as that value stated in the rig, and the inputs of the log act as they do by hand. */
#include "sim/step/step.h"
#include "tests/verify/log_bench.h"

static void settles_as_a_run(void **state)
{
    (void)state;
    bench b;
    wsk_run *run;
    bool cycling;
    open_bench(&b);
    wsk_rig *rig = wsk_test_rig_sets(LOG_RIG("", "", BLOWER, TRAINING),
                                     (const char *[]){"gpu.power=200 W", "gpu.fan=2000 rpm"}, 2);
    assert_int_equal(wsk_steady_solve(&run, rig->net, WSK_STEPPER_FAST, &cycling, NULL, NULL), WSK_OK);
    const int memory = run->net->cards[0].memory;
    assert_near(b.th.die_k[BINS - 1], run->cards[0].die_k, 0.01);
    assert_near(b.th.memory_k[BINS - 1], run->t[memory], 0.01);
    assert_near(b.th.t[memory], run->t[memory], 0.01); /* the state before the log */
    wsk_run_free(run);
    wsk_rig_free(rig);
    close_bench(&b);
}

/* Each unknown of a fit, in a log with a change of the load, acts as the attributes that it stands for. */
static void values_act_as_those_of_the_rig(void **state)
{
    (void)state;
    static const char xml[] = LOG_RIG("", "", BLOWER, TRAINING), open_air[] = LOG_RIG("", "", OPEN_AIR, TRAINING);
    bench b;
    open_bench(&b);
    const wsk_gpu_params g = *b.rig->net->cards[0].gpu;
    const double rel = 1.3;
    close_bench(&b);
    const struct {
        wsk_thermal_value value;
        const char *xml, *set;
        double base;
    } cases[] = {{WSK_TH_INLET, xml, "room.temperature=%g degC", 22},
                 {WSK_TH_INLET, open_air, "room.temperature=%g degC", 22},
                 {WSK_TH_FINS, xml, "gpu.cooler.conductance=%g W/K", 8},
                 {WSK_TH_DIE, xml, "gpu.die-resistance=%g K/W", 0.05},
                 {WSK_TH_FIN_HEAT, xml, "gpu.cooler.capacity=%g J/K", 500},
                 {WSK_TH_BOARD_HEAT, xml, "gpu.board-capacity=%g J/K", g.board_cap_j_k},
                 {WSK_TH_BOARD, xml, "gpu.board-conductance=%g W/K", g.board_cond_w_k},
                 {WSK_TH_MEMORY, xml, "gpu.memory-resistance=%g K/W", g.memory_res_k_w},
                 {WSK_TH_STILL, open_air, "gpu.cooler.natural-factor=%g", 1}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        bench stated;
        char text[2][80];
        (void)snprintf(text[0], sizeof text[0], cases[k].set, rel * cases[k].base);
        (void)snprintf(text[1], sizeof text[1], "gpu.board-to-heatsink=%g W/K", rel * g.board_heatsink_cond_w_k);
        open_rig(&b, cases[k].xml);
        open_sets(&stated, cases[k].xml, (const char *[]){text[0], text[1]}, cases[k].value == WSK_TH_BOARD ? 2 : 1);
        for (bench *each = &b; each; each = each == &b ? &stated : NULL) {
            halve(each, 100);
            if (cases[k].xml == open_air)
                memset(each->rpm, 0, sizeof each->rpm);
            start_bench(each);
        }
        double off_k = 0;
        for (int i = 0; i < BINS; i++)
            off_k = fmax(off_k,
                         fabs(b.th.die_k[i] - stated.th.die_k[i]) + fabs(b.th.memory_k[i] - stated.th.memory_k[i]));
        assert_true(off_k > 0.5);
        b.th.parts[0].x[cases[k].value] = cases[k].value == WSK_TH_INLET ? 22 * (rel - 1) : log(rel);
        assert_int_equal(wsk_thermal_open(&b.th), WSK_OK);
        replay(&b);
        for (int i = 0; i < BINS; i++) {
            assert_near(b.th.die_k[i], stated.th.die_k[i], 1e-4);
            assert_near(b.th.memory_k[i], stated.th.memory_k[i], 1e-4);
        }
        close_bench(&b);
        close_bench(&stated);
    }
}

/* Traffic of the log takes its part of the card's power from the die at once, and heats the memory with it. */
static void traffic_heats_the_memory(void **state)
{
    (void)state;
    bench b;
    double traffic[BINS] = {0}, die_k[2], memory_k[2];
    /* a heatsink that hardly warms */
    open_sets(&b, LOG_RIG("", "", BLOWER, TRAINING), (const char *[]){"gpu.cooler.capacity=500000 J/K"}, 1);
    b.card.traffic = traffic;
    for (int busy = 0; busy < 2; busy++) {
        for (int i = 0; i < BINS; i++)
            traffic[i] = 0.6 * busy;
        start_bench(&b);
        die_k[busy] = b.th.die_k[0];
        memory_k[busy] = b.th.memory_k[BINS - 1];
    }
    const wsk_card *c = &b.rig->net->cards[0];
    const double more_w = wsk_memory_w(c, 0.6, power_w) - wsk_memory_w(c, 0, power_w);
    assert_true(more_w > 20);
    assert_near(die_k[0] - die_k[1], res_k_w * more_w, 0.02);
    assert_true(memory_k[1] > memory_k[0] + 2);
    close_bench(&b);
}

/* From the first bin that was not fitted on, a replay does not use the speeds that follow from the logged
 * temperatures, of a card's own fan or of those of its case. */
static void what_is_held_out_is_not_used(void **state)
{
    (void)state;
    enum { KNOWN = 61 };
    for (int own = 0; own < 2; own++) {
        bench b;
        double before[BINS], *rpm = NULL;
        open_rig(&b, own ? LOG_RIG("", "", OPEN_AIR, TRAINING) : DRIVEN_RIG("", PASSIVE("g", "1"), ""));
        b.card.follows = own;
        b.card.rpm = own ? b.rpm : NULL;
        b.card.opening_rpm = NAN;
        wsk_thermal_follow_cards(&b.log, b.arena, b.rig->net, NULL, 0);
        for (int m = 0; m < b.rig->net->n_mover && !own; m++)
            rpm = b.log.case_rpm[m] ? b.log.case_rpm[m] : rpm;
        rpm = own ? b.rpm : rpm;
        assert_non_null(rpm);
        start_bench(&b);
        b.th.known_until = KNOWN;
        replay(&b);
        memcpy(before, b.th.die_k, sizeof before);
        for (int known = 0; known < 2; known++) {
            for (int i = KNOWN - known; i < BINS; i++)
                rpm[i] *= 0.5;
            replay(&b);
            for (int i = 0; i < BINS; i++)
                assert_true((known && i >= KNOWN - 1) || b.th.die_k[i] == before[i]);
            assert_int_equal(b.th.die_k[KNOWN - 1] > before[KNOWN - 1], known);
        }
        close_bench(&b);
    }
}

/* The sensor shows what was, by the share of a bin between two of them; before the log it showed the first bin. */
static void a_sensor_may_be_late(void **state)
{
    (void)state;
    bench b;
    double now_k[BINS];
    open_rig(&b, LOG_RIG("", "", BLOWER, TRAINING));
    for (int i = 0; i < BINS; i++)
        b.power[i] = 100 + 100 * (i % 7 < 3);
    start_bench(&b);
    memcpy(now_k, b.th.die_k, sizeof now_k);
    for (double late = -2.75; late < 3; late += 0.25) {
        b.th.parts[0].x[WSK_TH_DELAY] = late * bin_s;
        replay(&b);
        for (int i = 0; i < BINS; i++) {
            const double at = fmin(fmax(i - late, 0), BINS - 1);
            const int from = (int)floor(at), to = from < BINS - 1 ? from + 1 : from;
            assert_near(b.th.die_k[i], now_k[from] + (at - from) * (now_k[to] - now_k[from]), 1e-9);
        }
    }
    close_bench(&b);
}

/* With a heatsink that hardly warms, the die begins at the logged temperature, plus what the fit adds to it. */
static void begins_at_the_logged_temperature(void **state)
{
    (void)state;
    static const double x[] = {0, 4, -3};
    for (int k = 0; k < 3; k++) {
        bench b;
        open_sets(&b, LOG_RIG("", "", BLOWER, TRAINING), (const char *[]){"gpu.cooler.capacity=500000 J/K"}, 1);
        start_bench(&b);
        b.th.parts[0].x[WSK_TH_START_DIE] = x[k];
        replay(&b);
        assert_near(b.th.die_k[0], 340 + x[k], 0.02);
        close_bench(&b);
    }
}

/* A fan that the rig holds at a speed stays there, if the log has none. */
static void a_held_fan_is_held(void **state)
{
    (void)state;
    bench held, logged;
    open_rig(&held, LOG_RIG("", " fan='2000 rpm'", BLOWER, TRAINING));
    held.card.rpm = NULL;
    held.card.opening_rpm = NAN;
    halve(&held, 100);
    start_bench(&held);
    open_rig(&logged, LOG_RIG("", "", BLOWER, TRAINING));
    halve(&logged, 100);
    start_bench(&logged);
    for (int i = 0; i < BINS; i++)
        assert_near(held.th.die_k[i], logged.th.die_k[i], 1e-6);
    close_bench(&held);
    close_bench(&logged);
}

/* Inlet temperatures of the log shift the room from bin to bin; the fitted value comes on top. */
static void the_room_follows_the_logged_inlet(void **state)
{
    (void)state;
    bench plain, b;
    double inlet_k[BINS];
    open_bench(&plain);
    for (int late = 0; late < 2; late++)
        for (int x = 0; x < 3; x += 2) {
            open_rig(&b, LOG_RIG("", "", BLOWER, TRAINING));
            for (int i = 0; i < BINS; i++)
                inlet_k[i] = WSK_KELVIN + 22 + (late && i < BINS / 2 ? 0 : 5);
            b.log.inlet_k = inlet_k;
            start_bench(&b);
            b.th.parts[0].x[WSK_TH_INLET] = x;
            replay(&b);
            assert_near(b.th.die_k[BINS - 1], plain.th.die_k[BINS - 1] + 5 + x, 0.1);
            assert_near(b.th.die_k[BINS / 2 - 1], plain.th.die_k[BINS - 1] + (late ? 0 : 5) + x, 0.1);
            close_bench(&b);
        }
    close_bench(&plain);
}

/* Replays the log with these speeds, and returns the temperatures. */
static const double *at_speeds(bench *b, double (*rpm)(int bin))
{
    for (int i = 0; i < BINS; i++)
        b->rpm[i] = rpm(i);
    replay(b);
    return b->th.die_k;
}

static double steady_speed(int bin)
{
    (void)bin;
    return 2000;
}
static double nearly_steady(int bin)
{
    return bin % 2 ? 2003.9 : 1996.1; /* moves by more than a tenth of 1 % of 4000 rpm in each bin */
}
static double moves_by_little(int bin)
{
    return bin % 2 ? 2034 : 1996;
}
static double moves_by_more(int bin)
{
    return bin % 2 ? 2044 : 2000;
}
static double alternates(int bin)
{
    return bin % 2 ? 2040 : 2000;
}
static double rests_late(int bin)
{
    return bin < BINS / 2 ? 2000 : 2030;
}
/* Speeds are set in steps of 10 rpm, and while they move, in steps of 1 % of the highest speed, 4000 rpm. */
static void speeds_are_set_in_steps(void **state)
{
    (void)state;
    bench b, same;
    open_bench(&b);
    open_bench(&same);
    static const struct {
        double (*rpm)(int), (*as)(int);
    } cases[] = {{nearly_steady, steady_speed}, {moves_by_little, steady_speed}, {moves_by_more, alternates}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const double *die = at_speeds(&b, cases[k].rpm), *want = at_speeds(&same, cases[k].as);
        for (int i = 0; i < BINS; i++)
            assert_same(die[i], want[i]);
    }
    /* a small change is made up for once the speed rests */
    const double *die = at_speeds(&b, rests_late), *before = at_speeds(&same, steady_speed);
    for (int i = 0; i < BINS; i++)
        assert_true(i <= BINS / 2 ? die[i] == before[i] : die[i] < before[i] - 0.02);
    close_bench(&b);
    close_bench(&same);
}

/* The load of the host is the mean share of the cards' power between rest and highest power. The power supply gives the
 * cards, the processor, its board and the fans. */
static void the_host_works_with_the_cards(void **state)
{
    (void)state;
    static const char xml[] =
        LOG_RIG("<cpu power='250 W' idle='50 W' conductance='20 W/K' board='40 W'/><gpu id='h' slot='5' tdp='250 W' "
                "die-resistance='0.05 K/W' clock-max='1900 MHz' clock-knee='1400 MHz' voltage-slope='0.6 1/GHz' "
                "idle='30 W'>" BLOWER "</gpu>",
                "", BLOWER, "<workload kind='training' host-load='80 %'/>");
    bench b;
    double other[BINS], dc_w[BINS];
    open_rig(&b, xml);
    for (int i = 0; i < BINS; i++) {
        b.power[i] = i == 7 ? 10 : 20 + 1.5 * i; /* below its power at rest */
        other[i] = i < 40 ? 30 : i < 60 ? 33 : 90;
    }
    wsk_thermal_card cards[2] = {b.card, b.card};
    for (int i = 0; i < 2; i++) {
        cards[i].card = strcmp(b.rig->net->cards[i].id, "g") == 0 ? 0 : 1;
        cards[i].power_w = cards[i].card ? other : b.power;
        cards[i].highest_w = cards[i].card ? 90 : 200;
    }
    for (int full = 0; full < 2; full++) {
        b.log.cards = cards;
        b.log.count = 2;
        assert_int_equal(wsk_thermal_make(&b.th, b.arena, b.rig->net, &b.log), WSK_OK);
        assert_int_equal(wsk_thermal_open(&b.th), WSK_OK);
        b.th.dc_w = dc_w;
        b.th.full_host = full;
        double rest_w = NAN;
        replay(&b);
        for (int i = 0; i < BINS; i++) {
            double share = 0;
            for (int k = 0; k < 2; k++) {
                const double idle_w = cards[k].card ? 30 : 20,
                             of = fmin(fmax((cards[k].power_w[i] - idle_w) / (cards[k].highest_w - idle_w), 0), 1);
                share += full && of > 0.1 ? 0.5 : 0.5 * of;
            }
            const double host_w = dc_w[i] - b.power[i] - other[i] - share * 0.8 * (250 - 50);
            rest_w = isnan(rest_w) ? host_w : rest_w; /* fans, board and the processor at rest */
            assert_near(host_w, rest_w, 1e-6);
        }
        assert_true(rest_w > 90 && rest_w < 150);
    }
    close_bench(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(settles_as_a_run),
                                       cmocka_unit_test(values_act_as_those_of_the_rig),
                                       cmocka_unit_test(a_sensor_may_be_late),
                                       cmocka_unit_test(traffic_heats_the_memory),
                                       cmocka_unit_test(what_is_held_out_is_not_used),
                                       cmocka_unit_test(begins_at_the_logged_temperature),
                                       cmocka_unit_test(a_held_fan_is_held),
                                       cmocka_unit_test(the_room_follows_the_logged_inlet),
                                       cmocka_unit_test(speeds_are_set_in_steps),
                                       cmocka_unit_test(the_host_works_with_the_cards)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
