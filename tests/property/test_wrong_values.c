/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rigs in which one attribute has a wrong or extreme value: they are refused with an error, or have a steady point with
 * plausible numbers, or one that says which component left the physical range. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/bench.h"
#include "tests/unit/assert.h"

static const char *const wrong[] = {
    "",  "x",   "0",    "-1",    "1e300",   "nan",        "5 bananas", "50 %", "1000 W",  "20 degC", "1e-9 W/K",
    "3", "yes", "none", "front", "1, 2, x", "10:5, 20:7", "230 V",     "1 h",  "0.5 l/s", "-40 %",   "900 kg"};
enum { WRONG = sizeof wrong / sizeof *wrong };

typedef struct {
    int tried, refused, solved, unphysical;
} tally;

/* Returns true if the messages contain an error. Each error must have a code. */
static bool tells_error(const wsk_rig *rig)
{
    bool error = false;
    for (size_t i = 0; i < wsk_rig_messages(rig); i++) {
        int severity, line, column;
        const char *file, *text;
        wsk_rig_message(rig, i, &severity, &file, &line, &column, &text);
        assert_true(*text && *wsk_said_code(wsk_rig_message_said(rig, i)));
        error = error || severity == 0;
    }
    return error;
}

static void check_steady(const wsk_rig *rig, const char *what, tally *t)
{
    wsk_summary *s = NULL;
    char *why = NULL;
    const wsk_status status = wsk_steady_point(&s, rig, WSK_STEPPER_FAST, WSK_POINT_ALONE, NULL, &why);
    if (status == WSK_ENUMERIC) {
        if (!why || !*why)
            fail_msg("%s: no steady point, and no reason is stated", what);
        t->unphysical++;
    } else if (status != WSK_OK) {
        fail_msg("%s: status %s", what, wsk_status_text(status));
    } else {
        const double wall_w = wsk_summary_number(s, WSK_R_WALL_PEAK_W, 0);
        if (!(wall_w >= 0 && wall_w < 1e9))
            fail_msg("%s: %g W at the wall", what, wall_w);
        for (size_t i = 0; i < wsk_summary_count(s, WSK_SCOPE_GPU); i++) {
            const double die_c = wsk_summary_number(s, WSK_R_GPU_DIE_MAX, i);
            if (!(die_c > -274 && die_c < 2000))
                fail_msg("%s: GPU %zu has %g degC", what, i, die_c);
        }
        t->solved++;
    }
    wsk_text_free(why);
    wsk_summary_free(s);
}

/* Loads the rig `text` with the value of `len` bytes at `at` replaced. */
static void try(const char *text, size_t at, size_t len, const char *value, bool steady, tally *t)
{
    const size_t all = strlen(text), new = strlen(value), begin = at > 60 ? at - 60 : 0;
    char *changed = malloc(all + new + 1), what[200];
    wsk_rig *rig = NULL;
    assert_non_null(changed);
    memcpy(changed, text, at);
    memcpy(changed + at, value, new);
    memcpy(changed + at + new, text + at + len, all - at - len + 1);
    (void)snprintf(what, sizeof what, "%.*s%s", (int)(at - begin), text + begin, value);
    const wsk_status status = wsk_rig_load(
        &rig, &(wsk_rig_options){.path = "-", .text = changed, .text_len = all - len + new, .parts_dir = "parts"});
    t->tried++;
    if (status == WSK_EINPUT && !tells_error(rig))
        fail_msg("%s: refused without an error", what);
    else if (status == WSK_EINPUT)
        t->refused++;
    else if (status != WSK_OK)
        fail_msg("%s: status %s", what, wsk_status_text(status));
    else if (tells_error(rig))
        fail_msg("%s: loaded with an error", what);
    else if (steady)
        check_steady(rig, what, t);
    wsk_rig_free(rig);
    free(changed);
}

static void each_attribute_wrong(void **state)
{
    (void)state;
    static const char *const rigs[] = {"scenarios/time-of-use-night/night.xml", "scenarios/water-3090/rig.xml",
                                       "scenarios/home-100v-jp/rig.xml", "scenarios/immersion-3090/rig.xml",
                                       "scenarios/h100-4u/rig.xml"};
    tally t = {0};
    const int every = getenv("WATTSINK_SOAK") ? 1 : 7; /* tests each n-th attribute of all rigs */
    int turn = 0, attribute = 0;
    for (size_t r = 0; r < sizeof rigs / sizeof *rigs; r++) {
        char *text = NULL;
        wsk_rig *rig = wsk_test_rig_file(rigs[r]);
        assert_int_equal(wsk_rig_resolved(rig, &text), WSK_OK);
        const char *from = strstr(text, "<rig");
        assert_non_null(from);
        for (const char *p = from; (p = strstr(p, "=\"")) != NULL;) {
            const char *value = p + 2, *end = strchr(value, '"');
            assert_non_null(end);
            if (attribute++ % every == 0) {
                try(text, (size_t)(value - text), (size_t)(end - value), wrong[turn % WRONG], turn % 8 == 0, &t);
                turn++;
            }
            p = end + 1;
        }
        wsk_text_free(text);
        wsk_rig_free(rig);
    }
    print_message("%d rigs: %d refused, %d steady points, %d out of the physical range\n", t.tried, t.refused,
                  t.solved, t.unphysical);
    assert_true(t.tried > 100 && t.refused > t.tried / 4 && t.solved > 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_attribute_wrong)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
