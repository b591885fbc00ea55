/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/bench.h"

typedef struct {
    uint64_t seed, turn;
} dice;

static double draw(dice *d, double low, double high)
{
    return low + (high - low) * wsk_random(d->seed, 0x666c6f77, d->turn++);
}

static int pick(dice *d, int low, int high)
{
    return low + (int)draw(d, 0, high - low + 1);
}

static double scale(dice *d, double low, double high)
{
    return low * pow(high / low, draw(d, 0, 1));
}

enum { LOOPS_MOST = 3, LOOP_NODES = 5, LOOP_BRANCHES = 9 };

typedef struct {
    wsk_arena *arena;
    wsk_case house; /* the chassis; `dust` is the index of its dust in rpm[], or negative */
    wsk_net net;
    wsk_point point;
    double *rpm, *t;
} bench;

static wsk_branch random_branch(dice *d, int from, int to, bool fan, int mover, double rho_rel)
{
    double q = scale(d, 0.002, 0.08), p = scale(d, 3, 300), s = draw(d, 0, 1);
    wsk_branch b = {.from = from,
                    .to = to,
                    .mover = WSK_NO,
                    .column = WSK_NO,
                    .rho_rel = rho_rel,
                    .heat_w_k_per_m3s = WSK_RHO0 * WSK_CP * rho_rel};
    if (fan) {
        b.mover = mover;
        b.a = p;
        b.b = -s * p / q;
        b.d = (1 - s) * p / (q * q);
        b.k2 = draw(d, 0, 2) * p / (q * q);
    } else {
        b.k2 = scale(d, 0.01, 100) * 30 / (q * q);
        b.k1 = draw(d, 0, 1) < 0.3 ? scale(d, 0.01, 10) * 30 / q : 0;
    }
    if (draw(d, 0, 1) < 0.3)
        b.k2_foul = scale(d, 0.01, 10) * 30 / (q * q);
    if (draw(d, 0, 1) < 0.2)
        b.k1_foul = scale(d, 0.01, 10) * 30 / q;
    return b;
}

static void add_branch(bench *k, unsigned char *pattern, wsk_branch b)
{
    int f = b.from - 1, t = b.to - 1, n = k->net.n_flow - 1;
    k->net.branches[k->net.n_branch++] = b;
    if (f >= 0 && t >= 0)
        pattern[f * n + t] = pattern[t * n + f] = 1;
}

static wsk_branch water(dice *d, int from, int to)
{
    double q = scale(d, 1e-5, 2e-4);
    return (wsk_branch){.from = from,
                        .to = to,
                        .mover = WSK_NO,
                        .column = WSK_NO,
                        .rho_rel = draw(d, 0.99, 1.02),
                        .heat_w_k_per_m3s = draw(d, 3.9e6, 4.2e6),
                        .k1 = scale(d, 100, 5000) / q,
                        .k2 = scale(d, 500, 20000) / (q * q)};
}

/* Adds a water loop: tank, two pumps in series, two or three parallel blocks, a radiator, the return, and a pressure
 * reference (breather) to the room. */
static void add_loop(bench *k, dice *d, unsigned char *pattern, int first)
{
    for (int i = 0; i < 2; i++) {
        wsk_branch b = water(d, first + i, first + i + 1);
        double q = scale(d, 1e-4, 5e-4), p = scale(d, 1e4, 6e4), s = draw(d, 0, 0.6);
        b.mover = k->net.n_mover;
        b.a = p;
        b.b = -s * p / q;
        b.d = (1 - s) * p / (q * q);
        b.k1 = b.k2 = 0;
        add_branch(k, pattern, b);
        k->net.movers[k->net.n_mover] = (wsk_mover){.ref_rpm = 4000};
        k->rpm[k->net.n_mover++] = draw(d, 0, 1) < 0.4 ? 0 : 4000 * draw(d, 0.1, 1);
    }
    for (int n = pick(d, 2, 3); n > 0; n--)
        add_branch(k, pattern, water(d, first + 2, first + 3));
    add_branch(k, pattern, water(d, first + 3, first + 4));
    add_branch(k, pattern, water(d, first + 4, first));
    wsk_branch breather = water(d, first, 0);
    breather.k1 = 1e6;
    breather.k2 = 0;
    add_branch(k, pattern, breather);
}

/* Builds a random network. Each new node is first connected to an earlier one, so that every node reaches the room.
 * Each node also has a leak to the room, as in real cases. */
static void make(bench *k, uint64_t seed, int most_nodes, int most_branches)
{
    dice d = {seed, 0};
    wsk_net *net = &k->net;
    int nodes = pick(&d, 2, most_nodes), leaks = nodes - 1,
        branches = pick(&d, nodes - 1, most_branches - leaks) + leaks;
    int loops = most_nodes > 2 ? pick(&d, 0, LOOPS_MOST) : 0;
    size_t room = (size_t)(nodes > branches ? nodes : branches) + 1 + LOOPS_MOST * LOOP_BRANCHES;
    *k = (bench){.arena = wsk_arena_new()};
    assert_non_null(k->arena);
    net->branches = wsk_alloc(k->arena, room * sizeof *net->branches);
    net->movers = wsk_alloc(k->arena, room * sizeof *net->movers);
    net->flow_node = wsk_alloc(k->arena, room * sizeof *net->flow_node);
    k->rpm = wsk_alloc(k->arena, room * sizeof *k->rpm);
    k->t = wsk_alloc(k->arena, room * sizeof *k->t);
    unsigned char *pattern = wsk_alloc(k->arena, room * room);
    assert_true(net->branches && net->movers && net->flow_node && k->rpm && k->t && pattern);
    net->n_flow = net->n_node = nodes + loops * LOOP_NODES;
    net->cases = &k->house;
    net->n_case = 1;
    k->house.dust = WSK_NO;
    net->n_branch = branches;
    net->rho_rel = draw(&d, 0.7, 1);
    net->rho_cp = WSK_RHO0 * net->rho_rel * WSK_CP;
    for (int i = 0; i < net->n_flow; i++) {
        net->flow_node[i] = i;
        k->t[i] = 293.15 + (i ? draw(&d, 0, 40) : 0);
    }
    for (int i = 0; i < branches; i++) {
        bool leak = i >= branches - leaks;
        int from = i < nodes - 1 ? i + 1 : pick(&d, 0, nodes - 1), to = pick(&d, 0, i < nodes - 1 ? i : nodes - 1);
        if (leak)
            from = i - (branches - leaks) + 1;
        if (from == to || leak)
            to = from ? 0 : 1;
        bool turned = draw(&d, 0, 1) < 0.5, fan = draw(&d, 0, 1) < 0.4 && !leak;
        net->branches[i] = random_branch(&d, turned ? to : from, turned ? from : to, fan, net->n_mover, net->rho_rel);
        if (fan) {
            net->movers[net->n_mover] = (wsk_mover){.ref_rpm = draw(&d, 800, 5000)};
            net->movers[net->n_mover].rpm0 = net->movers[net->n_mover].ref_rpm;
            k->rpm[net->n_mover] =
                draw(&d, 0, 1) < 0.25 ? 0 : net->movers[net->n_mover].ref_rpm * draw(&d, 0.05, 1.3);
            net->n_mover++;
        } else if (draw(&d, 0, 1) < 0.3) {
            net->branches[i].column = net->branches[i].from ? net->branches[i].from : net->branches[i].to;
            net->branches[i].rise_m = draw(&d, 0.05, 0.5);
        }
        int f = net->branches[i].from - 1, t = net->branches[i].to - 1, n = net->n_flow - 1;
        if (f >= 0 && t >= 0)
            pattern[f * n + t] = pattern[t * n + f] = 1;
    }
    for (int i = 0; i < loops; i++)
        add_loop(k, &d, pattern, nodes + i * LOOP_NODES);
    /* the entry of rpm[] for dust holds the share of the opening that dust blocks, not a speed */
    if (most_nodes > 2 && draw(&d, 0, 1) < 0.5) {
        k->house.dust = net->n_mover;
        net->movers[net->n_mover] = (wsk_mover){.ref_rpm = 1};
        k->rpm[net->n_mover++] = draw(&d, 0, 0.9);
    }
    net->flow_lu = wsk_lu_analyse(k->arena, net->n_flow - 1, pattern);
    assert_non_null(net->flow_lu);
    net->arena = k->arena;
    assert_true(wsk_point_prepare(net));
    double *memory = wsk_alloc(k->arena, wsk_point_doubles(net) * sizeof *memory);
    assert_non_null(memory);
    wsk_point_place(net, &k->point, memory);
}

/* The pressure rise of a branch at flow q by the definition in net.h, without the solver. */
static double rise(const bench *k, const wsk_branch *b, double q)
{
    double nu = b->mover < 0 ? 0 : k->rpm[b->mover] / k->net.movers[b->mover].ref_rpm, lift = 0;
    double open = k->house.dust < 0 ? 1 : 1 - k->rpm[k->house.dust], k1 = b->k1 + b->k1_foul / open,
           k2 = b->k2 + b->k2_foul / (open * open);
    if (b->column >= 0)
        lift = WSK_RHO0 * b->rho_rel * WSK_G * b->rise_m * (k->t[b->column] - k->t[0]) / k->t[b->column];
    return b->rho_rel * (b->a * nu * nu + b->b * nu * q - b->d * q * fabs(q)) - k1 * q -
           b->rho_rel * k2 * q * fabs(q) + lift;
}

static void check_solution(const bench *k, uint64_t seed)
{
    const wsk_net *net = &k->net;
    const wsk_point *p = &k->point;
    /* Largest flow and largest pressure: [0] of air, [1] of water. */
    double most[2] = {0, 0}, high[2] = {1, 1};
    for (int i = 0; i < net->n_branch; i++) {
        int wet = net->branches[i].heat_w_k_per_m3s > 1e6;
        assert_true(isfinite(p->q[i]));
        most[wet] = fmax(most[wet], fabs(p->q[i]));
        high[wet] = fmax(high[wet], net->branches[i].a);
    }
    for (int n = 1; n < net->n_flow; n++) {
        double sum = 0, largest = 0;
        for (int i = 0; i < net->n_branch; i++) {
            sum += net->branches[i].to == n ? p->q[i] : net->branches[i].from == n ? -p->q[i] : 0;
            if (net->branches[i].to == n || net->branches[i].from == n)
                largest = most[net->branches[i].heat_w_k_per_m3s > 1e6];
        }
        if (!(fabs(sum) <= 1e-9 * fmax(largest, 1e-6)))
            fail_msg("seed %llu: the flows of node %d are off balance by %.3g of %.3g m3/s", (unsigned long long)seed,
                     n, sum, largest);
    }
    for (int i = 0; i < net->n_branch; i++) {
        const wsk_branch *b = &net->branches[i];
        double dp = p->pressure[b->to] - p->pressure[b->from], want = rise(k, b, p->q[i]);
        /* below 2e-5 m3/s of air (or water of the same heat capacity flow) the solver replaces the square loss by a
         * linear one */
        double open = k->house.dust < 0 ? 1 : 1 - k->rpm[k->house.dust], few = 0.7e-3 / sqrt(b->heat_w_k_per_m3s);
        double slack = 1e-6 * high[b->heat_w_k_per_m3s > 1e6] +
                       b->rho_rel * (b->k2 + b->k2_foul / (open * open) + b->d) * few * fmax(few, fabs(p->q[i]));
        if (!(fabs(dp - want) <= slack))
            fail_msg("seed %llu: branch %d lifts %.6g Pa at %.4g m3/s, the nodes differ by %.6g",
                     (unsigned long long)seed, i, want, p->q[i], dp);
    }
}

static void solve(bench *k, uint64_t seed)
{
    if (!wsk_point_solve(&k->net, k->rpm, k->t, &k->point))
        fail_msg("seed %llu: no solution for %d nodes, %d branches, %d fans", (unsigned long long)seed, k->net.n_flow,
                 k->net.n_branch, k->net.n_mover);
    check_solution(k, seed);
}

static void test_random_networks(void **state)
{
    (void)state;
    int backwards = 0, most = 0, cases = wsk_test_cases(1500, 150);
    for (uint64_t seed = 1; seed <= (uint64_t)cases; seed++) {
        bench k;
        make(&k, seed, seed % 10 ? 12 : 60, seed % 10 ? 40 : 200);
        solve(&k, seed);
        for (int i = 0; i < k.net.n_branch; i++)
            backwards += k.net.branches[i].mover >= 0 && k.rpm[k.net.branches[i].mover] > 0 && k.point.q[i] < 0;
        most = k.net.n_branch > most ? k.net.n_branch : most;
        wsk_arena_free(k.arena);
    }
    /* In enough of the cases, a stronger fan drives air backwards through another fan. */
    assert_true(backwards > cases / 15);
    assert_true(most > 150);
}

static void test_speed_range(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= (uint64_t)wsk_test_cases(150, 20); seed++) {
        bench k;
        make(&k, seed, 12, 40);
        for (double share = 1e-3; share < 20; share *= 1.9) {
            for (int i = 0; i < k.net.n_mover; i++)
                k.rpm[i] = i == k.house.dust ? k.rpm[i] : k.net.movers[i].ref_rpm * share;
            solve(&k, seed);
        }
        wsk_arena_free(k.arena);
    }
}

static void test_stopped_fans_leave_natural_flow(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= (uint64_t)wsk_test_cases(300, 40); seed++) {
        bench k;
        make(&k, seed, 12, 40);
        memset(k.rpm, 0, (size_t)k.net.n_mover * sizeof *k.rpm);
        solve(&k, seed);
        bool drawn = false;
        for (int i = 0; i < k.net.n_branch; i++) {
            drawn = drawn || k.net.branches[i].column >= 0;
            /* All fans stand: only the buoyancy of warm air, a few pascals, drives a flow. */
            assert_true(fabs(k.point.q[i]) < 0.5);
        }
        /* All air has one temperature, so nothing drives a flow. */
        for (int i = 0; i < k.net.n_node; i++)
            k.t[i] = 301.5;
        solve(&k, seed);
        for (int i = 0; i < k.net.n_branch; i++)
            assert_true(fabs(k.point.q[i]) < 1e-9);
        wsk_arena_free(k.arena);
    }
}

static void test_solution_has_no_memory(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        bench k;
        double first[128], rpm[128];
        make(&k, seed, 12, 40);
        solve(&k, seed);
        memcpy(first, k.point.q, (size_t)k.net.n_branch * sizeof *first);
        memcpy(rpm, k.rpm, (size_t)k.net.n_mover * sizeof *rpm);
        for (int i = 0; i < k.net.n_mover; i++)
            k.rpm[i] *= i == k.house.dust ? 1 : i % 2 ? 1.7 : 0.3;
        solve(&k, seed);
        memcpy(k.rpm, rpm, (size_t)k.net.n_mover * sizeof *rpm);
        solve(&k, seed);
        assert_memory_equal(first, k.point.q, (size_t)k.net.n_branch * sizeof *first);
        wsk_arena_free(k.arena);
    }
}

/* For one fan and one loss there is a closed form: q is the positive root of A nu^2 + B nu q - D q^2 = K2 q^2. nu:
 * share of full speed; A, B, D: coefficients of the fan's curve; K2: coefficient of the loss. */
static void test_one_fan_one_loss(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        dice d = {seed, 0};
        bench k;
        make(&k, 3, 2, 2);
        wsk_net *net = &k.net;
        net->n_flow = 2;
        net->n_branch = 2;
        net->branches[0] = random_branch(&d, 0, 1, true, 0, net->rho_rel);
        net->branches[1] = random_branch(&d, 1, 0, false, 0, net->rho_rel);
        net->branches[1].k1 = 0;
        for (int i = 0; i < 2; i++)
            net->branches[i].k1_foul = net->branches[i].k2_foul = 0;
        net->movers[0].ref_rpm = net->movers[0].rpm0 = 1000;
        net->n_mover = 1;
        assert_true(wsk_point_prepare(net));
        k.rpm[0] = draw(&d, 100, 1500);
        double *memory = wsk_alloc(k.arena, wsk_point_doubles(net) * sizeof *memory);
        assert_non_null(memory);
        wsk_point_place(net, &k.point, memory);
        solve(&k, seed);
        const wsk_branch *f = &net->branches[0];
        double nu = k.rpm[0] / 1000, c2 = f->d + f->k2 + net->branches[1].k2, c1 = -f->b * nu, c0 = f->a * nu * nu;
        /* q does not depend on the density of air, which is a factor of all terms */
        double q = 2 * c0 / (c1 + sqrt(c1 * c1 + 4 * c2 * c0));
        assert_rel(k.point.q[0], q, 1e-4 + 1e-9 / (q * q));
        assert_rel(k.point.w[0], net->rho_cp * q, 1e-4 + 1e-9 / (q * q));
        wsk_arena_free(k.arena);
    }
}

static void test_sealed_case_conducts(void **state)
{
    (void)state;
    wsk_rig *rig = wsk_test_rig(
        "<rig><site><room temperature='20 degC'/></site><chassis panel-area='1.2 m2' panel-capacity='500 J/K'>"
        "<load dc='30 W'/></chassis></rig>",
        NULL);
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 86400);
    wsk_test_advance(run, 86400);
    /* The film coefficient is 6 W/m2K on each side of the panels. */
    double g = 1.2 * 6 / 2, rise = wsk_test_get(run, "case") - 20;
    assert_true(rise > 2 && rise < 30 / g);
    assert_near(wsk_test_get(run, "panels"), 20 + rise / 2, 0.01);
    wsk_run_free(run);
    wsk_rig_free(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_fan_one_loss),
        cmocka_unit_test(test_random_networks),
        cmocka_unit_test(test_speed_range),
        cmocka_unit_test(test_stopped_fans_leave_natural_flow),
        cmocka_unit_test(test_solution_has_no_memory),
        cmocka_unit_test(test_sealed_case_conducts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
