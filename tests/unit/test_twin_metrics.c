/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cli/twin/metrics.h"

static const char rig_text[] =
    "<rig name='a &quot;b\\'><site><room temperature='25 degC'/><tariff kind='flat' price='0.25 EUR/kWh'/></site>"
    "<chassis><psu kind='constant' rated='900 W' efficiency='90 %'/><cpu power='90 W'/><fan at='front' pressure='18 "
    "Pa' flow='55 CFM' "
    "rpm='1500 rpm'/><gpu slot='1' tdp='250 W' clock-max='1900 MHz' clock-knee='1400 MHz' voltage-slope='0.6 1/GHz'>"
    "<cooler kind='blower' conductance='8 W/K' flow='16 CFM' capacity='500 J/K' fan-pressure='320 Pa' fan-flow='29 "
    "CFM' "
    "fan-rpm='4000 rpm'/></gpu></chassis><workload class='burn'/><run for='1 h'/></rig>";

static wsk_rig *rig;
static wsk_run *run;
static wsk_summary *summary;
static wsk_twin_moment moment;
static wsk_metrics_of of;

static int start(void **state)
{
    const wsk_rig_options options = {
        .path = "-", .text = rig_text, .text_len = sizeof rig_text - 1, .parts_dir = "parts"};
    (void)state;
    assert_int_equal(wsk_rig_load(&rig, &options), WSK_OK);
    assert_int_equal(wsk_run_new(&run, rig, &(wsk_run_options){.no_series = true}), WSK_OK);
    assert_int_equal(wsk_run_advance(run, 600), WSK_OK);
    assert_int_equal(wsk_run_summary(&summary, run, 0), WSK_OK);
    moment = (wsk_twin_moment){.t_ns = 600000000000, .utc_ns = 1700000000500000000, .count = 2, .speed = INFINITY};
    snprintf(moment.rig, sizeof moment.rig, "%s", wsk_rig_name(rig));
    snprintf(moment.driver, sizeof moment.driver, "590.48.01");
    /* card 0 is another maker's, so that NVIDIA's first card is card 1 of the twin */
    snprintf(moment.card[0].fixed.id, WSK_TWIN_NAME, "other");
    wsk_twin_card *card = &moment.card[1];
    snprintf(card->fixed.id, WSK_TWIN_NAME, "gpu0");
    snprintf(card->fixed.name, sizeof card->fixed.name, "NVIDIA A\"\\\n");
    snprintf(card->fixed.uuid, sizeof card->fixed.uuid, "GPU-1");
    snprintf(card->fixed.bus_id, sizeof card->fixed.bus_id, "00000000:01:00.0");
    card->fixed.nvidia = 1;
    card->fixed.memory_bytes = (int64_t)24 << 30;
    card->fixed.slowdown_c = WSK_TWIN_NONE;
    card->now = (wsk_twin_now){.die_c = 71,
                               .memory_c = WSK_TWIN_NONE,
                               .power_mw = 249123,
                               .clock_mhz = 1410,
                               .energy_mj = 149400123,
                               .held_power_ns = 5,
                               .held_brake_ns = 7,
                               .held_thermal_ns = 11,
                               .held_hw_thermal_ns = 13,
                               .memory_used_bytes = (int64_t)1 << 30,
                               .xid = 79};
    of = (wsk_metrics_of){.moment = &moment, .run = run, .summary = summary, .host = "h"};
    return 0;
}

static int end(void **state)
{
    (void)state;
    wsk_summary_free(summary);
    wsk_run_free(run);
    wsk_rig_free(rig);
    return 0;
}

static char *text_of(wsk_metrics_form form)
{
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);
    assert_non_null(out);
    wsk_metrics_write(out, &of, form);
    fclose(out);
    return text;
}

#define LABELS_OPEN \
    "{gpu=\"0\",UUID=\"GPU-1\",pci_bus_id=\"00000000:01:00.0\",device=\"nvidia0\",modelName=\"NVIDIA " \
    "A\\\"\\\\\\n\"," \
    "Hostname=\"h\",DCGM_FI_DRIVER_VERSION=\"590.48.01\""
#define LABELS LABELS_OPEN "} "
#define XID_79 "DCGM_FI_DEV_XID_ERRORS" LABELS_OPEN ",err_code=\"79\",err_msg=\"GPU has fallen off the bus\"} 79\n"
#define XID_0 "DCGM_FI_DEV_XID_ERRORS" LABELS_OPEN ",err_code=\"0\",err_msg=\"No Error\"} 0\n"

static void test_cards_as_dcgm_exporter_tells_them(void **state)
{
    static const char *const lines[] = {
        "DCGM_FI_DEV_GPU_TEMP" LABELS "71\n",
        "DCGM_FI_DEV_POWER_USAGE" LABELS "249.123000\n",
        "DCGM_FI_DEV_SM_CLOCK" LABELS "1410\n",
        "DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION" LABELS "149400123\n",
        "DCGM_FI_DEV_POWER_VIOLATION" LABELS "12\n",
        "DCGM_FI_DEV_THERMAL_VIOLATION" LABELS "24\n",
        "DCGM_FI_DEV_FB_FREE" LABELS "23552\n",
        "DCGM_FI_DEV_FB_USED" LABELS "1024\n",
        XID_79,
        "# HELP DCGM_FI_DEV_GPU_TEMP GPU temperature (in C).\n# TYPE DCGM_FI_DEV_GPU_TEMP gauge\n",
        "# TYPE DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION counter\n",
        "wattsink_speed +Inf\n",
        "wattsink_gpu_lost{id=\"other\"} 0\n",
        "wattsink_clock_timestamp_seconds 1700000000.500\n"};
    char *text = text_of(WSK_METRICS_TEXT);
    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (!strstr(text, lines[i]))
            fail_msg("missing: %s", lines[i]);
    /* a value that the card does not have is absent, and so is the other maker's card */
    assert_null(strstr(text, "DCGM_FI_DEV_MEMORY_TEMP"));
    assert_null(strstr(text, "DCGM_FI_DEV_SLOWDOWN_TEMP"));
    assert_null(strstr(text, "gpu=\"1\""));
    free(text);
}

static void test_a_lost_card_tells_its_xid_alone(void **state)
{
    (void)state;
    moment.card[1].now.lost = 1;
    char *text = text_of(WSK_METRICS_TEXT);
    assert_null(strstr(text, "DCGM_FI_DEV_GPU_TEMP"));
    assert_non_null(strstr(text, XID_79));
    assert_non_null(strstr(text, "wattsink_gpu_lost{id=\"gpu0\",gpu=\"0\",UUID=\"GPU-1\"} 1\n"));
    moment.card[1].now.lost = 0;
    free(text);
    moment.card[1].now.xid = 0;
    text = text_of(WSK_METRICS_TEXT);
    assert_non_null(strstr(text, XID_0));
    moment.card[1].now.xid = 79;
    free(text);
}

typedef struct {
    const char *name, *labels;
    double value;
    int found;
} wanted;

static void look(void *to, const wsk_metric *metric, const char *labels, double value)
{
    wanted *w = to;
    if (strcmp(metric->name, w->name) == 0 && strstr(labels, w->labels)) {
        w->found++;
        w->value = value;
    }
}

static double value_of(const char *name, const char *labels)
{
    wanted w = {.name = name, .labels = labels};
    wsk_metrics_visit(&of, look, &w);
    if (w.found != 1)
        fail_msg("%s%s: %d samples", name, labels, w.found);
    return w.value;
}

static double variable(const char *name)
{
    double value = NAN;
    assert_int_equal(wsk_run_get(run, name, &value), WSK_OK);
    return value;
}

static void test_values_in_base_units(void **state)
{
    (void)state;
    assert_true(fabs(value_of("wattsink_wall_watts", "") - variable("wall_w")) < 1e-9);
    assert_true(fabs(value_of("wattsink_energy_joules_total", "") - 3.6e6 * variable("energy_kwh")) < 1e-6);
    assert_true(fabs(value_of("wattsink_cost", "{currency=\"EUR\"}") - 0.25 * variable("energy_kwh")) < 1e-12);
    assert_true(fabs(value_of("wattsink_gpu_clock_hertz", "id=\"gpu0\"") - 1e6 * variable("gpu0.clock_mhz")) < 1e-3);
    assert_true(fabs(value_of("wattsink_gpu_die_celsius", "gpu=\"0\"") - variable("gpu0.die_c")) < 1e-12);
    assert_true(fabs(value_of("wattsink_psu_load", "{id=\"psu0\"}") - variable("psu0.load")) < 1e-12);
    assert_true(fabs(value_of("wattsink_simulated_seconds_total", "") - 600) < 1e-12);
    assert_true(value_of("wattsink_psu_rated_watts", "{id=\"psu0\"}") > 899);
    assert_true(value_of("wattsink_circuit_on", "{id=\"site\"}") == 1);
    assert_true(fabs(value_of("wattsink_cpu_die_celsius", "{id=\"cpu0\"}") - variable("cpu0.die_c")) < 1e-12);
}

typedef struct {
    char *names[1000];
    size_t count;
} list;

static void collect(void *to, const wsk_metric *metric, const char *labels, double value)
{
    list *l = to;
    char text[1024];
    (void)value;
    assert_true(l->count < 1000);
    assert_true(metric->help[0] && !strchr(metric->help, '\n'));
    snprintf(text, sizeof text, "%s%s", metric->name, labels);
    l->names[l->count++] = strdup(text);
}

static void test_each_variable_has_one_metric(void **state)
{
    list l = {.count = 0};
    size_t ours = 0;
    (void)state;
    wsk_metrics_visit(&of, collect, &l);
    for (size_t i = 0; i < l.count; i++)
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(l.names[i], l.names[k]);
    /* Counts the metrics named wattsink_..., without those of the summary. */
    of.summary = NULL;
    for (size_t i = 0; i < l.count; i++)
        free(l.names[i]);
    l.count = 0;
    wsk_metrics_visit(&of, collect, &l);
    for (size_t i = 0; i < l.count; i++) {
        ours += strncmp(l.names[i], "wattsink_", 9) == 0;
        free(l.names[i]);
    }
    of.summary = summary;
    /* Metrics besides the variables: two for each of 2 cards (target temperature, lost), four for the twin (build,
     * simulated time, clock, speed), four for the rig (work and tokens per second, shutdowns, undone work); work per second of
     * each card of the run; whether each circuit and each PSU is on. */
    assert_int_equal(ours, wsk_run_variables(run) + 12 + wsk_run_owners(run, WSK_OF_CARD) +
                               wsk_run_owners(run, WSK_OF_CIRCUIT) + wsk_run_owners(run, WSK_OF_SUPPLY));
}

static bool is_name(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (!(text[i] == '_' || (text[i] >= 'a' && text[i] <= 'z') || (text[i] >= 'A' && text[i] <= 'Z') ||
              (i && text[i] >= '0' && text[i] <= '9')))
            return false;
    return len > 0;
}

static void test_grammar(void **state)
{
    (void)state;
    for (int form = WSK_METRICS_TEXT; form <= WSK_METRICS_OPEN; form++) {
        char *text = text_of((wsk_metrics_form)form), *rest = text, *line, family[128] = "", type[16] = "";
        bool ended = false;
        while ((line = strtok_r(rest, "\n", &rest))) {
            char name[128];
            assert_false(ended);
            if (strcmp(line, "# EOF") == 0) {
                ended = true;
            } else if (strncmp(line, "# HELP ", 7) == 0) {
                snprintf(family, sizeof family, "%.*s", (int)strcspn(line + 7, " "), line + 7);
                assert_true(is_name(family, strlen(family)));
                type[0] = 0;
            } else if (strncmp(line, "# TYPE ", 7) == 0) {
                const size_t len = strlen(family);
                assert_memory_equal(line + 7, family, len);
                snprintf(type, sizeof type, "%s", line + 7 + len + 1);
            } else {
                assert_true(type[0] != 0);
                snprintf(name, sizeof name, "%.*s", (int)strcspn(line, "{ "), line);
                const bool total = strlen(name) > 6 && strcmp(name + strlen(name) - 6, "_total") == 0;
                if (form == WSK_METRICS_OPEN && strcmp(type, "counter") == 0) {
                    assert_true(total);
                    name[strlen(name) - 6] = 0;
                } else if (strcmp(type, "counter") == 0) {
                    assert_true(total || strncmp(name, "DCGM_", 5) == 0);
                } else {
                    assert_true(strcmp(type, "gauge") == 0 ||
                                (form == WSK_METRICS_OPEN && strcmp(type, "unknown") == 0));
                    assert_false(total);
                }
                assert_string_equal(name, family);
            }
        }
        assert_int_equal(ended, form == WSK_METRICS_OPEN);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cards_as_dcgm_exporter_tells_them),
        cmocka_unit_test(test_a_lost_card_tells_its_xid_alone), cmocka_unit_test(test_values_in_base_units),
        cmocka_unit_test(test_each_variable_has_one_metric), cmocka_unit_test(test_grammar)};
    return cmocka_run_group_tests(tests, start, end);
}
