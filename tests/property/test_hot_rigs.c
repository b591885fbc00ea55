/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hot rigs, in which the governors of a card (the controls that lower its clock for heat) act against each other:
 * the work that heat costs, and whether a card shuts down, depend neither on the step nor on leaps, which compute
 * several ticks as one step. Theory: docs/theory/governor.md, "More than one governor" */
#include <math.h>
#include <stdio.h>

#include "sim/books/books.h"
#include "tests/support/bench.h"

#define OPEN_3090(slot) "<gpu part='gpu/rtx-3090-open-air' slot='" slot "'/>"
#define SXM(id, slot, more) "<gpu id='" id "' part='gpu/h100-sxm' slot='" slot "'" more "/>"
#define ROOM "<rig><site><room temperature='%d degC'/></site>"
#define TOWER "<chassis part='chassis/workstation-12-slot'><fan part='fan/generic-120-1500' at='front' count='3'/>"
#define WORK "</chassis><workload kind='constant' class='training'/><run for='1 h'/></rig>"

/* Room temperatures, degC, and speeds of the chassis fans, rpm, of each rig. */
static const struct {
    const char *name, *xml;
    int rooms_c[5], speeds_rpm[3];
} rigs[] = {
    {"eight H100 SXM",
     ROOM "<chassis part='chassis/server-8u-hgx'>" SXM("a", "1", "") SXM("b", "2", "") SXM("c", "3", "")
         SXM("d", "4", "") SXM("e", "5", " behind='a'") SXM("f", "6", " behind='b'") SXM("g", "7", " behind='c'")
             SXM("h", "8", " behind='d'") WORK,
     {25, 30, 35, 40, 45},
     {3600, 4500, 5400}},
    {"four RTX 3090, touching",
     ROOM TOWER OPEN_3090("1") OPEN_3090("4") OPEN_3090("7") OPEN_3090("10") WORK,
     {30, 34, 38, 42, 45},
     {500, 900, 1500}},
    {"V100 in a tower",
     ROOM TOWER "<gpu part='gpu/v100-pcie' slot='1'/>" WORK,
     {30, 34, 38, 42, 45},
     {500, 900, 1500}},
};

typedef struct {
    double lost;
    bool off;
} outcome;

static outcome run_hot(const wsk_rig *rig, double step_s, bool leap)
{
    const double hour = 3600;
    wsk_run *run = NULL;
    assert_int_equal(wsk_run_new(&run, rig, &(wsk_run_options){.duration_s = hour, .step_s = step_s, .leap = leap}),
                     WSK_OK);
    wsk_test_advance(run, hour);
    double work = 0, cool = 0;
    outcome o = {0, false};
    for (int i = 0; i < run->net->n_card; i++) {
        work += wsk_sum_value(&run->cards[i].work);
        cool += wsk_sum_value(&run->cards[i].work_cool);
        o.off = o.off || run->cards[i].off;
    }
    o.lost = 1 - work / cool;
    wsk_run_free(run);
    return o;
}

static void test_steps_agree(void **state)
{
    (void)state;
    int differ = 0, slowed = 0;
    for (size_t r = 0; r < sizeof rigs / sizeof *rigs; r++)
        for (int k = 0; k < 15; k++) {
            const int room_c = rigs[r].rooms_c[k % 5], rpm = rigs[r].speeds_rpm[k / 5];
            char xml[2000], speed[60];
            snprintf(xml, sizeof xml, rigs[r].xml, room_c);
            snprintf(speed, sizeof speed, "chassis.fan[0].speed=%d rpm", rpm);
            wsk_rig *rig = wsk_test_rig(xml, speed);
            static const struct {
                const char *name;
                double step_s;
                bool leap;
            } ways[] = {{"0.1 s", 0.1, false}, {"0.5 s", 0.5, false}, {"1 s", 1, false}, {"leaps", 1, true}};
            const outcome fine = run_hot(rig, ways[0].step_s, ways[0].leap);
            slowed += fine.lost > 0.02;
            for (int i = 1; i < 4; i++) {
                const outcome o = run_hot(rig, ways[i].step_s, ways[i].leap);
                if (fabs(o.lost - fine.lost) <= 0.02 && o.off == fine.off)
                    continue;
                print_error("%s, %d degC, %d rpm: %.3f lost, off %d with %s; %.3f, %d with %s\n", rigs[r].name,
                            room_c, rpm, fine.lost, fine.off, ways[0].name, o.lost, o.off, ways[i].name);
                differ++;
            }
            wsk_rig_free(rig);
        }
    assert_int_equal(differ, 0);
    assert_true(slowed >= 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_steps_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
