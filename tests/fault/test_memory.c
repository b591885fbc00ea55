/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The library without memory: a single allocation fails, or all allocations from one on. Each function must then
 * return WSK_ENOMEM, or the same as with enough memory. */
#include <unistd.h>

#include "tests/fault/starved.h"

#ifdef STARVED
#include "tests/fault/places.h"

enum { TEXTS = 9 };
typedef struct {
    wsk_status status;
    char *text[TEXTS];
} outcome;

static void drop(outcome *o)
{
    for (int i = 0; i < TEXTS; i++)
        wsk_text_free(o->text[i]);
}

static outcome work(const char *path)
{
    outcome o = {.status = WSK_OK};
    wsk_rig *rig = NULL;
    wsk_run *run = NULL;
    wsk_rig_options options = {.path = path, .parts_dir = "parts"};
    wsk_run_options with = {.seed = 1};
    o.status = wsk_rig_load(&rig, &options);
    if (o.status == WSK_OK && (o.status = wsk_run_new(&run, rig, &with)) == WSK_OK)
        o.status = wsk_run_advance(run, 600);
    for (int i = 0; i < TEXTS && o.status == WSK_OK; i++) {
        char **text = &o.text[i];
        o.status = i == 0   ? wsk_run_summary_json(run, 0, text)
                   : i == 1 ? wsk_run_summary_text(run, text)
                   : i == 2 ? wsk_run_series_csv(run, text)
                   : i == 3 ? wsk_run_events_csv(run, true, text)
                   : i == 4 ? wsk_rig_resolved(rig, text)
                   : i == 5 ? wsk_rig_export(rig, WSK_EXPORT_SPICE, 0, text)
                   : i == 6 ? wsk_rig_export(rig, WSK_EXPORT_JSON, 0, text)
                   : i == 7 ? wsk_parts_text("parts", "psu", "gold", text)
                            : wsk_kinds_text("gpu", text);
    }
    wsk_run_free(run);
    wsk_rig_free(rig);
    return o;
}

static void try(const char *path, const outcome *whole, long from, long to)
{
    made = 0;
    fail_from = from;
    fail_to = to;
    outcome o = work(path);
    fail_from = fail_to = 0;
    if (o.status != WSK_OK && o.status != WSK_ENOMEM)
        fail_msg("%s: allocation %ld fails: status %s", path, from, wsk_status_text(o.status));
    for (int i = 0; i < TEXTS && o.status == WSK_OK; i++)
        if (strcmp(o.text[i], whole->text[i]) != 0) {
            size_t at = 0;
            while (o.text[i][at] == whole->text[i][at])
                at++;
            at = at > 60 ? at - 60 : 0;
            fail_msg("%s: allocation %ld fails: text %d is not the same: '%.120s' for '%.120s'", path, from, i,
                     o.text[i] + at, whole->text[i] + at);
        }
    drop(&o);
}

/* In `make soak` the first allocation of each place in the source fails, else 150 of each rig. A place that an earlier
 * rig has shown is not tried again. */
static void each_allocation_fails(void **state)
{
    (void)state;
    const bool soak = getenv("WATTSINK_SOAK");
    with_libraries = true;
    static const char *const rigs[] = {"scenarios/quad-3090-blower/rig.xml", "scenarios/water-3090/rig.xml",
                                       "scenarios/time-of-use-night/night.xml", "scenarios/bench-1080/open-air.xml"};
    for (size_t r = 0; r < sizeof rigs / sizeof *rigs; r++) {
        outcome first = work(rigs[r]);
        drop(&first);
        made = n_places = 0;
        each_allocation = soak ? note_place : NULL;
        outcome whole = work(rigs[r]);
        each_allocation = NULL;
        const long total = made, step = 1 + total / 150;
        assert_int_equal(whole.status, WSK_OK);
        assert_true(total > 50 && n_places < PLACES && (!soak || r > 0 || n_places > 50));
        int tried = 0;
        for (long at = 1 + (long)r % step; soak ? tried < n_places : at <= total; at += step, tried++) {
            const long from = soak ? places[tried] : at;
            try(rigs[r], &whole, from, from);
            try(rigs[r], &whole, from, INT32_MAX);
        }
        print_message("%s: %ld allocations, %d of them fail\n", rigs[r], total, tried);
        drop(&whole);
    }
}

static void fail_in_loading(const wsk_rig_options *options)
{
    long total = INT32_MAX;
    for (long at = 0; at <= total; at++) {
        wsk_rig *rig = NULL;
        made = 0;
        fail_from = fail_to = at;
        const wsk_status status = wsk_rig_load(&rig, options);
        fail_from = fail_to = 0;
        total = at ? total : made;
        wsk_rig_free(rig);
        if (status != WSK_OK && (status != WSK_ENOMEM || !at))
            fail_msg("%s: allocation %ld of %ld fails: status %s", options->path, at, total, wsk_status_text(status));
    }
    assert_true(total > 300);
}

/* The rig made below has more than 32 nodes, so that tables must grow while it is loaded. */
static void each_allocation_fails_in_loading(void **state)
{
    (void)state;
    static const char *const rigs[] = {"scenarios/quad-3090-blower/rig.xml", "scenarios/quad-2080-openair/alone.xml",
                                       "scenarios/water-3090/rig.xml", "scenarios/time-of-use-night/night.xml"};
    for (size_t r = 0; r < sizeof rigs / sizeof *rigs; r++)
        fail_in_loading(&(wsk_rig_options){.path = rigs[r], .parts_dir = "parts"});
    static const char chassis[] =
        "<chassis><fan at='front' count='2' pressure='40 Pa' flow='180 m3/h' rpm='1600 rpm'/><vent area='150 cm2'/>"
        "<gpu slot='1' tdp='300 W' clock-max='1900 MHz' clock-knee='1300 MHz' voltage-slope='0.5 1/GHz'><cooler "
        "kind='blower' conductance='14 W/K' flow='30 l/s' capacity='500 J/K' drop='60 Pa' fan-pressure='150 Pa' "
        "fan-flow='50 l/s' fan-rpm='2500 rpm'/></gpu></chassis>";
    enum { CASES = 12 };
    char text[CASES * sizeof chassis + 20], *end = text + sprintf(text, "<rig>");
    for (int i = 0; i < CASES; i++)
        end += sprintf(end, "%s", chassis);
    end += sprintf(end, "</rig>");
    fail_in_loading(&(wsk_rig_options){.path = "-", .text = text, .text_len = (size_t)(end - text)});
}

/* By default libxml2 prints a message about missing memory to standard error. */
static void nothing_is_printed_in_loading(void **state)
{
    (void)state;
    FILE *printed = tmpfile();
    assert_non_null(printed);
    fflush(stderr);
    const int own = dup(2);
    assert_int_equal(dup2(fileno(printed), 2), 2);
    const wsk_rig_options options = {.path = "scenarios/single-3090/rig.xml", .parts_dir = "parts"};
    wsk_rig *rig = NULL;
    made = 0;
    wsk_status status = wsk_rig_load(&rig, &options);
    wsk_rig_free(rig);
    for (long at = 1, total = made; status == WSK_OK && at <= total; at++) {
        made = 0;
        fail_from = at;
        fail_to = INT32_MAX;
        wsk_rig_load(&rig, &options);
        fail_from = fail_to = 0;
        wsk_rig_free(rig);
    }
    fflush(stderr);
    dup2(own, 2);
    close(own);
    char text[200];
    const size_t len = fread(text, 1, sizeof text - 1, (rewind(printed), printed));
    text[len] = '\0';
    fclose(printed);
    assert_int_equal(status, WSK_OK);
    assert_string_equal(text, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_allocation_fails),
                                       cmocka_unit_test(nothing_is_printed_in_loading),
                                       cmocka_unit_test(each_allocation_fails_in_loading)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
