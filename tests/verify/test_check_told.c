/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `check` and mistakes tell, against what is computed and typed: the list of uncertainties, the circuit behind a
 * UPS, names of parts that may be meant, texts that are cut. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/units.h"
#include "tests/verify/supplies.h"

/* ---- the list of uncertainties ---- */

/* The number before `unit` in a line, with its sign (the minus is U+2212); 0 if the line has no such number. */
static double told(const char *line, const char *unit)
{
    const char *end = line + strcspn(line, "\n"), *at = strstr(line, unit);
    if (!at || at >= end)
        return 0;
    while (strspn(at - 1, ".0123456789"))
        at--;
    return (strncmp(at - 3, "\xE2\x88\x92", 3) == 0 ? -1 : 1) * strtod(at, NULL);
}

/* `check` names the five largest sources with their spread, effects from half a watt, 0.05 K, dB and % on, and the reason,
 * cut to 64 columns. */
static void large_uncertainties_are_told(void **state)
{
    (void)state;
    static const char *const rigs[] = {"scenarios/single-3090/rig.xml", "scenarios/quad-3090-15a/350.xml"};
    int effects = 0, cut = 0;
    for (int k = 0; k < 2; k++) {
        wsk_rig *rig = wsk_test_rig_file(rigs[k]);
        wsk_uncertainty *u = NULL;
        assert_int_equal(wsk_rig_uncertainty(&u, rig, WSK_STEPPER_FAST), WSK_OK);
        char *text = wsk_test_check(rig), begin[200];
        const char *line = strstr(text, "\nLargest sources of uncertainty"), *all = strstr(text, "\n  All ");
        assert_true(line && all);
        assert_int_equal(strtol(all + 7, NULL, 10), wsk_uncertainty_sources(u));
        const double site_w = strtod(strstr(all, ": ") + 2, NULL);
        for (size_t i = 0; i < 5; i++) {
            wsk_uncertainty_source s;
            wsk_uncertainty_get(u, i, &s);
            line = strchr(line + 1, '\n');
            snprintf(begin, sizeof begin, "\n  %s, \xC2\xB1%s: ", s.text, s.spread + 2);
            if (strncmp(line, begin, strlen(begin)) != 0)
                fail_msg("%s: no \"%s\" where %s", rigs[k], begin + 1, line);
            line += strlen(begin);
            const double says[] = {told(line, " W"), told(line, " %"), told(line, " K"), told(line, " dB")};
            const double is[] = {s.site_rel * site_w, 100 * s.work_rel, s.die_k, s.noise_db};
            for (int e = 0; e < 4; e++) {
                const double least = e ? 0.05 : 0.5;
                assert_near(says[e], fabs(is[e]) >= least ? is[e] : 0, 1.05 * least);
                effects += says[e] != 0;
            }
            line = strchr(line, '\n');
            const size_t len = strcspn(line + 1, "\n");
            assert_true(strncmp(line, "\n    ", 5) == 0 && line[5] != ' ' && len <= 80);
            const char *reason = line + 5; /* and the kind of source before it */
            const bool is_cut = strncmp(line + 1 + len - 3, "...", 3) == 0;
            const size_t part = (size_t)(line + 1 + len - reason) - 3 * is_cut;
            assert_true(strncmp(s.why, reason, part) == 0 && strchr(is_cut ? " ," : ";: ", s.why[part]));
            cut += is_cut;
        }
        assert_true(strncmp(strchr(line + 1, '\n'), "\n  All ", 7) == 0);
        wsk_text_free(text);
        wsk_uncertainty_free(u);
        wsk_rig_free(rig);
    }
    assert_true(effects > 10 && cut > 0);
}

/* ---- the circuit ---- */

/* A UPS takes the rig's power and its own loss from the circuit; other loads there have no UPS: 1000 W at the wall,
 * of 200 V, 250 W lost, 300 W beside it. */
static void the_circuit_bears_the_loss_of_a_ups(void **state)
{
    (void)state;
    static const char xml[] =
        "<rig><site supply='200 V' circuit='20 A'><room temperature='21 degC'/>"
        "<ups rated='1000 W' efficiency-25='80 %' efficiency-100='80 %'/></site><chassis><vent at='front' area='900 "
        "cm2'/><vent at='rear' area='900 cm2'/><psu kind='constant' rated='2000 W' efficiency='90 %'/>"
        "<load dc='900 W'/></chassis><load ac='300 W'/><run for='2 h'/></rig>";
    static const char *const sets[] = {NULL, "ups.rated=800W"};
    for (int i = 0; i < 2; i++) {
        wsk_rig *rig = wsk_test_rig(xml, sets[i]);
        char *text = wsk_test_check(rig);
        assert_non_null(
            strstr(text, i ? "UPS and PDU: 125 % loaded, 250 W" : "UPS and PDU: 100 % loaded, 250 W lost"));
        assert_true((strstr(text, "the UPS or PDU is too small") != NULL) == (i == 1));
        assert_non_null(strstr(text, "4000 W continuous, 39 % used (7.8 A)"));
        wsk_text_free(text);
        wsk_rig_free(rig);
    }
}

/* ---- the page of a run ---- */

/* A controlled fan held at 60 % of 1,500 rpm takes the cube of that of its power. */
static void mean_speed_and_power_of_a_fan_are_told(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run =
        after(RIG("", PSU "/>",
                  "<gpu part='gpu/generic' slot='1' slots='2' tdp='200 W'><cooler kind='blower' "
                  "part='cooler/generic-blower'/></gpu><fan id='f' at='front' pressure='18 Pa' flow='55 CFM' "
                  "rpm='1500 rpm' power='40 W' power-exponent='3' sensor='gpu' curve='0 degC:60 %, 100 degC:60 %'/>"),
              7200, &rig);
    char *text = NULL;
    assert_int_equal(wsk_run_summary_text(run, &text), WSK_OK);
    if (!strstr(text, "f 1 x 900 rpm (60 %), 9 W"))
        fail_msg("%s", text);
    wsk_text_free(text);
    wsk_test_drop(run, rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(large_uncertainties_are_told),
                                       cmocka_unit_test(the_circuit_bears_the_loss_of_a_ups),
                                       cmocka_unit_test(mean_speed_and_power_of_a_fan_are_told)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
