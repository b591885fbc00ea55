/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs every rig that an expect.json under scenarios/ names, and checks its results against the ranges there:
 *   { "rig.xml": { "gpus[0].die_mean_c": [78, 83], ... }, ... } */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/base.h"
#include "tests/unit/assert.h"
#include "wattsink.h"

static const char *skip_space(const char *s)
{
    return s + strspn(s, " \t\r\n");
}

/* Within strings a backslash escapes one character; \u is not decoded. */
static const char *skip_value(const char *s)
{
    int depth = 0;
    for (bool text = false; *s; s++) {
        if (text) {
            if (*s == '\\' && s[1])
                s++;
            else if (*s == '"')
                text = false;
            continue;
        }
        if (*s == '"')
            text = true;
        else if (*s == '{' || *s == '[')
            depth++;
        else if ((*s == '}' || *s == ']') && depth-- == 0)
            return s;
        else if (*s == ',' && depth == 0)
            return s;
    }
    return s;
}

static const char *member(const char *s, const char *key, size_t key_len)
{
    if (*s != '{')
        return NULL;
    for (s = skip_space(s + 1); *s == '"'; s = skip_space(s + 1)) {
        size_t n = strcspn(s + 1, "\"");
        bool found = n == key_len && strncmp(s + 1, key, n) == 0;
        s = skip_space(s + n + 2);
        if (*s != ':')
            return NULL;
        s = skip_space(s + 1);
        if (found)
            return s;
        s = skip_value(s);
        if (*s != ',')
            return NULL;
    }
    return NULL;
}

static const char *element(const char *s, long index)
{
    if (*s != '[')
        return NULL;
    for (s = skip_space(s + 1); index > 0; index--) {
        s = skip_value(s);
        if (*s != ',')
            return NULL;
        s = skip_space(s + 1);
    }
    return s;
}

static double number_at(const char *json, const char *path, size_t path_len)
{
    const char *s = skip_space(json), *end = path + path_len;
    while (s && path < end) {
        size_t n = 0;
        while (path + n < end && path[n] != '.' && path[n] != '[')
            n++;
        s = member(s, path, n);
        path += n;
        if (s && path < end && *path == '[') {
            char *behind;
            s = element(s, strtol(path + 1, &behind, 10));
            path = behind + 1;
        }
        path += path < end;
    }
    double value;
    const char *behind;
    return s && wsk_parse_number(s, &behind, &value) ? value : NAN;
}

static char *read_text(const char *path)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        return NULL;
    char *text = calloc(1, 65536);
    if (text && fread(text, 1, 65535, f) == 65535)
        text[0] = '\0';
    (void)fclose(f);
    return text;
}

static char *summary_of(const char *path)
{
    wsk_rig *rig = NULL;
    wsk_run *run = NULL;
    char *json = NULL;
    wsk_rig_options rig_options = {.path = path, .parts_dir = "parts"};
    wsk_run_options run_options = {.stepper = WSK_STEPPER_FAST};
    if (wsk_rig_load(&rig, &rig_options) != WSK_OK || wsk_run_new(&run, rig, &run_options) != WSK_OK ||
        wsk_run_advance(run, wsk_run_duration(run)) != WSK_OK || wsk_run_summary_json(run, 0, &json) != WSK_OK)
        print_error("%s: %s\n", path, run ? wsk_run_error(run) : "cannot be loaded");
    wsk_run_free(run);
    wsk_rig_free(rig);
    return json;
}

static int check_ranges(const char *file, const char *json, const char *ranges)
{
    int checked = 0;
    for (ranges = skip_space(ranges + 1); *ranges == '"'; ranges = skip_space(ranges + 1)) {
        size_t n = strcspn(ranges + 1, "\"");
        double value = number_at(json, ranges + 1, n);
        const char *pair = skip_space(skip_space(ranges + n + 2) + 1);
        const char *first = element(pair, 0), *second = element(pair, 1), *behind;
        double low = NAN, high = NAN;
        assert_true(first && second && wsk_parse_number(first, &behind, &low) &&
                    wsk_parse_number(second, &behind, &high));
        if (!(value >= low && value <= high)) {
            print_error("%s: %.*s is %.6g; expected %.6g to %.6g\n", file, (int)n, ranges + 1, value, low, high);
            fail();
        }
        checked++;
        ranges = skip_value(pair);
        if (*ranges != ',')
            break;
    }
    return checked;
}

/* Programs identify a word among the values of a message by its code. */
static void check_words(const char *file, const char *json)
{
    const char *nameless = strstr(json, "{ \"word\":");
    if (nameless)
        fail_msg("%s: a word has no code: %.60s", file, nameless);
}

static void check_folder(const char *folder)
{
    char path[512];
    snprintf(path, sizeof path, "scenarios/%s/expect.json", folder);
    char *expect = read_text(path);
    if (!expect)
        fail_msg("%s cannot be read", path);
    const char *s = skip_space(expect);
    assert_int_equal(*s, '{');
    int rigs = 0;
    for (s = skip_space(s + 1); *s == '"'; s = skip_space(s + 1)) {
        int n = (int)strcspn(s + 1, "\"");
        snprintf(path, sizeof path, "scenarios/%s/%.*s", folder, n, s + 1);
        const char *ranges = skip_space(skip_space(s + n + 2) + 1);
        char *json = summary_of(path);
        assert_non_null(json);
        assert_true(check_ranges(path, json, ranges) > 0);
        check_words(path, json);
        wsk_text_free(json);
        rigs++;
        s = skip_value(ranges);
        if (*s != ',')
            break;
    }
    assert_true(rigs > 0);
    free(expect);
}

static void headline_numbers(void **state)
{
    (void)state;
    DIR *dir = opendir("scenarios");
    int folders = 0;
    assert_non_null(dir);
    for (const struct dirent *e; (e = readdir(dir)) != NULL;)
        if (!strchr(e->d_name, '.')) {
            check_folder(e->d_name);
            folders++;
        }
    (void)closedir(dir);
    assert_true(folders >= 5);
}

static void coolers_in_order(void **state)
{
    (void)state;
    static const char *const rigs[3] = {"quad-2080-openair/rig.xml", "quad-2080-openair/spaced.xml",
                                        "quad-2080-blower/rig.xml"};
    static const char lost[] = "work.lost_fraction", done[] = "work.done";
    double loss[3], work[3];
    for (int i = 0; i < 3; i++) {
        char path[128];
        snprintf(path, sizeof path, "scenarios/%s", rigs[i]);
        char *json = summary_of(path);
        assert_non_null(json);
        loss[i] = number_at(json, lost, sizeof lost - 1);
        work[i] = number_at(json, done, sizeof done - 1);
        wsk_text_free(json);
    }
    assert_true(loss[2] < loss[0] && work[2] > work[0]);
    assert_true(loss[1] < 0.02 && work[1] > work[0]);
}

/* A load of 1600 W runs for 20 % of 8,760 h at 0.16 USD/kWh. */
static void bronze_against_gold(void **state)
{
    (void)state;
    static const char annual[] = "cost.annual";
    char *bronze = summary_of("scenarios/bronze-vs-gold/bronze.xml"),
         *gold = summary_of("scenarios/bronze-vs-gold/gold.xml");
    assert_non_null(bronze);
    assert_non_null(gold);
    double saved = number_at(bronze, annual, sizeof annual - 1) - number_at(gold, annual, sizeof annual - 1);
    assert_rel(saved, (1600 / 0.82 - 1600 / 0.87) * 0.2 * 8.760 * 0.16, 1e-6);
    wsk_text_free(bronze);
    wsk_text_free(gold);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(headline_numbers), cmocka_unit_test(coolers_in_order),
                                       cmocka_unit_test(bronze_against_gold)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
