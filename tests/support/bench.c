/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/bench.h"
#include "sim/api.h"
#include "sim/books/books.h"

#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static wsk_rig *load(const wsk_rig_options *options)
{
    wsk_rig *rig = NULL;
    wsk_status status = wsk_rig_load(&rig, options);
    for (size_t i = 0; status != WSK_OK && rig && i < wsk_rig_messages(rig); i++) {
        int severity, line, column;
        const char *file, *text;
        wsk_rig_message(rig, i, &severity, &file, &line, &column, &text);
        if (severity == 0)
            print_error("%s:%d:%d: %s\n", file ? file : "", line, column, text);
    }
    if (status != WSK_OK && options->text)
        print_error("%s\n", options->text);
    assert_int_equal(status, WSK_OK);
    return rig;
}

wsk_rig *wsk_test_rig_sets(const char *xml, const char *const *sets, size_t count)
{
    const wsk_rig_options o = {
        .path = "-", .text = xml, .text_len = strlen(xml), .parts_dir = "parts", .sets = sets, .set_count = count};
    return load(&o);
}

wsk_rig *wsk_test_rig(const char *xml, const char *set)
{
    return wsk_test_rig_sets(xml, &set, set ? 1 : 0);
}

wsk_rig *wsk_test_rig_file(const char *path)
{
    const wsk_rig_options o = {.path = path, .parts_dir = "parts"};
    return load(&o);
}

wsk_rig *wsk_test_random(const wsk_random_rig_spec *spec)
{
    char *xml = wsk_random_rig(spec);
    assert_non_null(xml);
    wsk_rig *rig = wsk_test_rig(xml, NULL);
    wsk_text_free(xml);
    return rig;
}

wsk_run *wsk_test_run(const wsk_rig *rig, wsk_stepper stepper, double duration_s)
{
    const wsk_run_options o = {.duration_s = duration_s, .stepper = stepper};
    wsk_run *run = NULL;
    assert_int_equal(wsk_run_new(&run, rig, &o), WSK_OK);
    return run;
}

void wsk_test_advance(wsk_run *run, double until_s)
{
    wsk_status status = wsk_run_advance(run, until_s);
    if (status != WSK_OK)
        print_error("%.3f s: %s; residual %.3g\n", wsk_run_time(run), wsk_run_error(run), wsk_residual(run));
    assert_int_equal(status, WSK_OK);
}

wsk_run *wsk_test_run_to(const char *xml, double span_s, wsk_rig **rig)
{
    *rig = wsk_test_rig(xml, NULL);
    wsk_run *run = wsk_test_run(*rig, WSK_STEPPER_FAST, span_s);
    wsk_test_advance(run, span_s);
    return run;
}

void wsk_test_drop(wsk_run *run, wsk_rig *rig)
{
    wsk_run_free(run);
    wsk_rig_free(rig);
}

int wsk_test_events(wsk_run *run, const char *what)
{
    char *text = NULL;
    int n = 0;
    assert_int_equal(wsk_run_events_csv(run, false, &text), WSK_OK);
    for (const char *at = text; (at = strstr(at, what)) != NULL; at++)
        n++;
    wsk_text_free(text);
    return n;
}

bool wsk_test_try(wsk_run *run, double until_s)
{
    wsk_status status = wsk_run_advance(run, until_s);
    if (status == WSK_ENUMERIC && strstr(wsk_run_error(run), " would be at "))
        return false;
    if (status != WSK_OK)
        fail_msg("%.3f s: %s; residual %.3g", wsk_run_time(run), wsk_run_error(run), wsk_residual(run));
    return true;
}

double wsk_test_get(const wsk_run *run, const char *name)
{
    double value = NAN;
    if (wsk_run_get(run, name, &value) != WSK_OK)
        fail_msg("no variable %s", name);
    return value;
}

char *wsk_test_save(const wsk_run *run, size_t *len)
{
    char *bytes = NULL;
    assert_int_equal(wsk_run_save(run, &bytes, len), WSK_OK);
    return bytes;
}

char *wsk_test_summary(const wsk_run *run)
{
    char *text = NULL;
    assert_int_equal(wsk_run_summary_json(run, 0, &text), WSK_OK);
    return text;
}

int wsk_test_cases(int full, int few)
{
    const char *soak = getenv("WATTSINK_SOAK");
    int times = soak ? atoi(soak) : 1;
    return getenv("WATTSINK_SHORT") ? few : full * (times > 1 && times <= 1000 ? times : 1);
}

char *wsk_test_check(const wsk_rig *rig)
{
    wsk_findings *found;
    char *text = NULL;
    assert_int_equal(wsk_rig_check(rig, false, &found), WSK_OK);
    assert_int_equal(wsk_findings_english(found, &text), WSK_OK);
    return text;
}

char *wsk_test_part(const char *id)
{
    wsk_findings *found;
    char *text = NULL;
    bool missing;
    wsk_status status = wsk_part_lines(NULL, "parts", id, &found, &missing);
    assert_non_null(found);
    assert_int_equal(wsk_findings_english(found, &text), WSK_OK);
    if (status != WSK_OK)
        fail_msg("%s: %s", id, text);
    return text;
}
