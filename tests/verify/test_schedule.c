/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares the schedules of `wattsink optimise`, which sets one load for each group of hours with about the same price
 * and the same demand charges, with the cheapest schedules by linear programs (GLPK). The tariffs are random, with one
 * or two demand charges, and a share of the day's work must be done by the end of the day. The bill is linear in the
 * load of each hour and in the highest load during the hours of each demand charge, so a linear program over 24 hourly
 * loads finds the least bill of all schedules by the hour. */
#include <glpk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/optimise/optimise.h"
#include "tests/support/bench.h"
#include "tests/support/dice.h"

enum {
    DAY = 24,
    STEP = 2 /* step of the loads, % */,
    DEMANDS = 2,
    DAYS = 30 /* days of June, the month that pays the demand charges */
};
typedef struct {
    int first, hours;
    double price; /* per kW and month */
} charge;
typedef struct {
    double price[DAY]; /* per kWh */
    charge demand[DEMANDS];
    size_t demand_count;
    double share; /* work that must be done in a day / work of a day at full load */
} tariff;

static bool is_in(const charge *d, int hour)
{
    return (hour - d->first + DAY) % DAY < d->hours;
}

static tariff draw_tariff(uint64_t seed)
{
    wsk_dice d = {.seed = seed};
    tariff t = {.share = wsk_draw(&d, 0.25, 0.9)};
    const double cheap = round(wsk_draw(&d, 8, 30)) / 100;
    const int more = (int)wsk_draw(&d, 1, 4);
    for (int h = 0; h < DAY; h++)
        t.price[h] = cheap;
    for (int i = 0; i < more; i++) {
        const int first = (int)wsk_draw(&d, 0, DAY), hours = (int)wsk_draw(&d, 2, 10);
        const double price = round(100 * cheap * wsk_draw(&d, 1.1, 3)) / 100;
        for (int h = 0; h < hours; h++)
            t.price[(first + h) % DAY] = price;
    }
    const int kind = (int)wsk_draw(&d, 0, 3);
    if (kind != 1)
        t.demand[t.demand_count++] = (charge){0, DAY, round(wsk_draw(&d, 2, 25))};
    if (kind != 0)
        t.demand[t.demand_count++] =
            (charge){(int)wsk_draw(&d, 0, DAY), (int)wsk_draw(&d, 3, 10), round(wsk_draw(&d, 2, 25))};
    return t;
}

static char *rig_of(const tariff *t)
{
    wsk_buf b = {0};
    wsk_buf_printf(&b, "<rig><site supply=\"230 V\"><room temperature=\"24 degC\"/><tariff kind=\"time-of-use\">");
    for (int h = 0; h < DAY; h++)
        wsk_buf_printf(&b, "<period from=\"%02d:00\" to=\"%02d:00\" price=\"%.2f USD/kWh\"/>", h, h + 1, t->price[h]);
    for (size_t i = 0; i < t->demand_count; i++) {
        const charge *d = &t->demand[i];
        wsk_buf_printf(&b, "<demand name=\"d%zu\" window=\"15 min\" price=\"%.0f USD/kW\"", i, d->price);
        if (d->hours < DAY)
            wsk_buf_printf(&b, " from=\"%02d:00\" to=\"%02d:00\"", d->first, (d->first + d->hours - 1) % DAY + 1);
        wsk_buf_printf(&b, "/>");
    }
    wsk_buf_printf(&b, "</tariff></site><chassis part=\"chassis/mining-frame-8\"><psu part=\"psu/tier-gold-1600\"/>"
                       "<cpu part=\"cpu/xeon-w-2255\"/>");
    for (int i = 0; i < 4; i++)
        wsk_buf_printf(&b, "<gpu part=\"gpu/rtx-3090\" slot=\"%d\" riser=\"92 mm\" power-limit=\"270 W\"/>",
                       1 + 2 * i);
    wsk_buf_printf(&b, "</chassis><workload kind=\"inference\" class=\"training\" gpus=\"all\"/>"
                       "<run from=\"2026-06-03T00:00:00\" zone=\"UTC\" for=\"1 d\" step=\"1 s\"/></rig>");
    assert_false(b.failed);
    return b.data;
}

/* Finds the loads with the least bill if all hours of a group have one load. group[h]: group of hour h; rises[g]:
 * the load of group g must be at least that of the group before (NULL: no such condition); rise_w: power at full
 * load less power without load. Returns what the loads add to the bill of a day. */
static double solve(const tariff *t, const int group[DAY], int groups, const bool *rises, double rise_w, double share,
                    double load[DAY])
{
    const int demands = (int)t->demand_count;
    int column[1 + DAY + DEMANDS];
    double value[1 + DAY + DEMANDS];
    glp_prob *p = glp_create_prob();
    glp_add_cols(p, groups + demands);
    glp_add_rows(p, 1);
    for (int g = 0; g < groups; g++) {
        double price = 0, hours = 0;
        for (int h = 0; h < DAY; h++) {
            price += group[h] == g ? t->price[h] * rise_w / 1000 : 0;
            hours += group[h] == g;
        }
        glp_set_col_bnds(p, 1 + g, GLP_DB, 0, 1);
        glp_set_obj_coef(p, 1 + g, price);
        column[1 + g] = 1 + g;
        value[1 + g] = hours;
    }
    /* The mean load of the day must be at least the share of the work that must be done. */
    glp_set_mat_row(p, 1, groups, column, value);
    glp_set_row_bnds(p, 1, GLP_LO, share * DAY, 0);
    for (int g = 1; rises && g < groups; g++) {
        const int row = rises[g] ? glp_add_rows(p, 1) : 0;
        if (row) {
            glp_set_row_bnds(p, row, GLP_LO, 0, 0);
            glp_set_mat_row(p, row, 2, (int[]){0, 1 + g, g}, (double[]){0, 1, -1});
        }
    }
    for (int d = 0; d < demands; d++) {
        const int highest = 1 + groups + d;
        glp_set_col_bnds(p, highest, GLP_LO, 0, 0);
        glp_set_obj_coef(p, highest, t->demand[d].price * rise_w / 1000 / DAYS);
        for (int h = 0; h < DAY; h++) {
            if (!is_in(&t->demand[d], h))
                continue;
            const int row = glp_add_rows(p, 1);
            glp_set_row_bnds(p, row, GLP_LO, 0, 0);
            glp_set_mat_row(p, row, 2, (int[]){0, highest, 1 + group[h]}, (double[]){0, 1, -1});
        }
    }
    glp_smcp how;
    glp_init_smcp(&how);
    how.msg_lev = GLP_MSG_OFF;
    assert_int_equal(glp_simplex(p, &how), 0);
    assert_int_equal(glp_get_status(p), GLP_OPT);
    for (int h = 0; h < DAY; h++)
        load[h] = glp_get_col_prim(p, 1 + group[h]);
    const double bill = glp_get_obj_val(p);
    glp_delete_prob(p);
    return bill;
}

/* Adds settings for loads by the price of the hour, and reads the group of each hour from their names. rises[g]: the
 * load of group g must be at least that of the group before. Returns the number of groups. */
static int group_hours(const wsk_rig *rig, wsk_choices *c, int group[DAY], bool rises[DAY])
{
    wsk_cli_list values = {0};
    for (int percent = 0; percent <= 100; percent += STEP)
        wsk_cli_push(&values, wsk_cli_format("%d%%", percent));
    assert_int_equal(wsk_choices_add_by_hour(c, "workload.load-curve", &values, rig), WSK_OK);
    wsk_cli_list_free(&values, 0);
    for (int h = 0; h < DAY; h++)
        group[h] = -1;
    for (size_t g = 0; g < c->count; g++) {
        int from, to, length;
        const char *p = strchr(c->of[g].name, '@') + 1;
        rises[g] = !c->items[g].falls;
        for (; sscanf(p, "%d-%d h%n", &from, &to, &length) == 2; p += length)
            for (int h = from; h < to; h++)
                group[h] = (int)g;
    }
    for (int h = 0; h < DAY; h++)
        assert_true(group[h] >= 0);
    return (int)c->count;
}

static void test_groups(void **state)
{
    (void)state;
    int each[DAY], lossy = 0;
    double worst = 0;
    const int cases = wsk_test_cases(60, 10);
    for (int h = 0; h < DAY; h++)
        each[h] = h;
    for (int i = 0; i < cases; i++) {
        const tariff t = draw_tariff((uint64_t)i);
        char *xml = rig_of(&t);
        wsk_rig *rig = wsk_test_rig(xml, NULL);
        wsk_choices c = {0};
        int group[DAY];
        bool rises[DAY];
        double load[DAY];
        const int groups = group_hours(rig, &c, group, rises);
        const double least = solve(&t, each, DAY, NULL, 1000, t.share, load),
                     ours = solve(&t, group, groups, rises, 1000, t.share, load);
        const double loss = ours / least - 1;
        lossy += loss > 1e-6;
        worst = fmax(worst, loss);
        wsk_choices_free(&c);
        wsk_rig_free(rig);
        free(xml);
    }
    printf("%d tariffs: groups lose at most %.3f %%, anything in %d\n", cases, 100 * worst, lossy);
    /* Groups lose a little, because prices that differ by less than 2 % count as one price. */
    assert_true(worst < 0.005);
}

typedef struct {
    double work, cost;
} day;

static void measure(void *ctx, const wsk_summary *s, double *out)
{
    out[0] = wsk_summary_number(s, WSK_R_COST, 0);
    out[1] = wsk_summary_number(s, WSK_R_WORK, 0) - *(const double *)ctx;
}

static day run_day(const char *xml, const double load[DAY])
{
    wsk_buf set = {0};
    wsk_run *run = NULL;
    wsk_summary *all = NULL;
    wsk_buf_printf(&set, "workload.load-curve=");
    for (int h = 0; h < DAY; h++)
        wsk_buf_printf(&set, "%s%d h:%.9g, %d.98 h:%.9g", h ? ", " : "", h, load[h], h, load[h]);
    assert_false(set.failed);
    wsk_rig *rig = wsk_test_rig(xml, set.data);
    assert_int_equal(wsk_run_new(&run, rig, &(wsk_run_options){.no_series = true}), WSK_OK);
    wsk_test_advance(run, wsk_run_duration(run));
    assert_int_equal(wsk_run_summary(&all, run, 0), WSK_OK);
    const day d = {wsk_summary_number(all, WSK_R_WORK, 0), wsk_summary_number(all, WSK_R_COST, 0)};
    wsk_summary_free(all);
    wsk_run_free(run);
    wsk_rig_free(rig);
    wsk_buf_free(&set);
    return d;
}

/* Runs schedules of the linear program for several shares of work and returns the one with the smallest share that
 * does `work` in the rig. The share is found by bisection, because work is not proportional to the load: cards that
 * pause run faster under their power limit. */
static day run_program(const tariff *t, const char *xml, double work)
{
    int each[DAY];
    double load[DAY], low = 0, high = 1;
    day best = {0};
    for (int h = 0; h < DAY; h++)
        each[h] = h;
    for (int i = 0; i < 9; i++) {
        const double share = i ? (low + high) / 2 : 1;
        solve(t, each, DAY, NULL, 1000, share, load);
        const day d = run_day(xml, load);
        *(d.work >= work ? &high : &low) = share;
        best = d.work >= work ? d : best;
    }
    assert_true(best.work >= work);
    return best;
}

static void test_search(void **state)
{
    (void)state;
    const int cases = wsk_test_cases(3, 1);
    double worst = -1;
    for (int i = 0; i < cases; i++) {
        const tariff t = draw_tariff((uint64_t)(100 + i));
        char *xml = rig_of(&t);
        wsk_rig *rig = wsk_test_rig(xml, NULL);
        wsk_choices c = {0};
        wsk_optimum *answer = NULL;
        int group[DAY];
        bool rises[DAY];
        double load[DAY];
        for (int h = 0; h < DAY; h++)
            load[h] = 1;
        const double full = run_day(xml, load).work, work = t.share * full;
        const int groups = group_hours(rig, &c, group, rises);
        const wsk_optimise_options o = {.settings = c.items,
                                        .setting_count = c.count,
                                        .goals = 1,
                                        .limits = 1,
                                        .calls = {.ctx = (void *)(uintptr_t)&work, .measure = measure},
                                        .probability = 0.5,
                                        .over_time = true};
        assert_int_equal(wsk_rig_optimise(&answer, rig, &o), WSK_OK);
        assert_true(answer->found);
        const day program = run_program(&t, xml, work);
        const double more = answer->best.run[0] / program.cost - 1;
        printf("tariff %d: %d groups, %zu runs: %.4g, the linear program's schedule %.4g (%+.2f %%)\n", i, groups,
               answer->runs, answer->best.run[0], program.cost, 100 * more);
        worst = fmax(worst, more);
        wsk_optimum_free(answer);
        wsk_choices_free(&c);
        wsk_rig_free(rig);
        free(xml);
    }
    printf("%d tariffs: the search is dearer by at most %.2f %%\n", cases, 100 * worst);
    /* The search may be dearer by a little, because its loads have steps of STEP percent. */
    assert_true(worst < 0.01);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_groups), cmocka_unit_test(test_search)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
