/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Captures of nvidia-smi on Linux without MIG, in the folder $WATTSINK_DATA, against `wattsink smi`: lines must be
 * equal except for their numbers. */
#include <ctype.h>
#include <stdbool.h>

#include "sim/base/base.h"
#include "tests/support/smi.h"

static const struct {
    const char *capture, *part, *driver;
    int32_t cuda;
} machines[] = {
    {"nvidia-geforce-rtx-2080-super__595.71.05", "gpu/rtx-2080-super", "595.71.05", 13020},
    {"nvidia-geforce-rtx-2080-super__610.57.04", "gpu/rtx-2080-super", "610.57.04", 13030},
    {"nvidia-geforce-rtx-4080-super__595.71.05", "gpu/rtx-4080-super", "595.71.05", 13020},
    {"nvidia-h100-80gb-hbm3__590.48.01", "gpu/h100-sxm", "590.48.01", 13010},
    {"nvidia-h200__590.48.01", "gpu/h200-sxm", "590.48.01", 13010},
    {"nvidia-l40s__595.80", "gpu/l40s", "595.80", 13020},
};
enum { MACHINES = sizeof machines / sizeof *machines };

/* Values that a card may have and that a twin never has (docs/smi.md, "Values that a twin lacks"). */
static const char *const unknown[] = {"VBIOS Version",        "vbios_version", "GPU Max Operating Temp",
                                      "Atomic Caps Outbound", "Host Max",      "Video"};

static char *capture(size_t machine, const char *what)
{
    const char *dir = getenv("WATTSINK_DATA");
    char path[512];
    size_t len;
    snprintf(path, sizeof path, "%s/telemetry/fixtures/linux-x86_64__%s__%s", dir && *dir ? dir : "../shared/data",
             machines[machine].capture, what);
    return wsk_cli_read(path, &len);
}

static wsk_twin_moment *moment(size_t machine, bool busy)
{
    wsk_twin_moment *m = smi_moment(machines[machine].driver, machines[machine].cuda);
    smi_card(&m->card[0], machines[machine].part, 0);
    m->count = 1;
    if (!busy)
        m->card[0].now.process[0].pid = 0;
    return m;
}

static bool is_unknown(const char *key)
{
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        if (strstr(key, unknown[i]))
            return true;
    return false;
}

/* Reduces a value to its comparable part: "N/A", "#" and the unit after the number, or "#". */
static void mask(const char *value, char *out, size_t size)
{
    const char *unit = value + strspn(value, "-0123456789.");
    if (strcmp(value, "N/A") == 0 || strcmp(value, "[N/A]") == 0 || strstr(value, "deprecated"))
        snprintf(out, size, "%s", value);
    else if (unit > value && *unit == ' ')
        snprintf(out, size, "#%s", unit);
    else
        snprintf(out, size, "#");
}

static bool next_line(char **at, char **line)
{
    if (!**at)
        return false;
    *line = *at;
    *at += strcspn(*at, "\n");
    char *end = *at;
    if (**at)
        ++*at;
    *end = '\0';
    while (end > *line && end[-1] == ' ')
        *--end = '\0';
    return true;
}

static void same_row(const char *ours, const char *theirs, const char *name)
{
    char a[256], b[256];
    const char *colon = strstr(theirs, " : "), *mine = strstr(ours, " : ");
    if (!colon)
        colon = strstr(theirs, ": ");
    if (!mine)
        mine = strstr(ours, ": ");
    if (!colon || !mine) {
        if (strcmp(ours, theirs) != 0 && strncmp(theirs, "GPU 0", 5) != 0)
            fail_msg("%s: '%s' and not '%s'", name, ours, theirs);
        return;
    }
    const size_t key = (size_t)(colon - theirs);
    if ((size_t)(mine - ours) != key || strncmp(ours, theirs, key) != 0)
        fail_msg("%s: '%s' and not '%s'", name, ours, theirs);
    mask(strchr(mine, ':') + 2, a, sizeof a);
    mask(strchr(colon, ':') + 2, b, sizeof b);
    if (strcmp(a, b) != 0 && !is_unknown(theirs))
        fail_msg("%s: '%s' and not '%s'", name, ours, theirs);
}

static void document(void **state)
{
    (void)state;
    int seen = 0, code;
    for (size_t i = 0; i < MACHINES; i++) {
        char *theirs = capture(i, "idle__q.txt"), *end = theirs ? strstr(theirs, "\n    Processes") : NULL;
        if (!theirs)
            continue;
        assert_non_null(end);
        end[1] = '\0'; /* cuts off the list of processes, which desktops have even without work */
        wsk_twin_moment *m = moment(i, false);
        char *ours = SMI_SAYS(m, &code, "-q"), *at = ours, *their_at = theirs, *line, *their_line;
        assert_int_equal(code, 0);
        bool of_memory =
            /* in the section "GPU Memory Power Readings": a twin does not know the power of memory alone */
            false;
        while (next_line(&their_at, &their_line)) {
            assert_true(next_line(&at, &line));
            if (!strchr(their_line, ':'))
                of_memory = strstr(their_line, "GPU Memory Power") != NULL;
            if (!of_memory || !strstr(their_line, "Average Power Draw"))
                same_row(line, their_line, machines[i].capture);
        }
        assert_true(next_line(&at, &line));
        assert_string_equal(line, "    Processes                                          : None");
        free(ours);
        free(theirs);
        free(m);
        seen++;
    }
    if (!seen)
        skip();
}

static char *next_value(char **at)
{
    char *value = *at, *end = strstr(*at, ", ");
    *at = end ? end + 2 : *at + strlen(*at);
    if (end)
        *end = '\0';
    return value;
}

static void query(void **state)
{
    (void)state;
    int seen = 0, code;
    for (size_t i = 0; i < MACHINES; i++) {
        char *theirs = capture(i, "load__query-gpu.csv");
        if (!theirs)
            continue;
        char *names = theirs, *values = strchr(theirs, '\n') + 1, names_only[16384] = "--query-gpu=";
        names[strcspn(names, "\n")] = '\0';
        values[strcspn(values, "\n")] = '\0';
        size_t n = strlen(names_only);
        for (const char *c = names; *c;) {
            if (strncmp(c, " [", 2) == 0)
                c += strcspn(c, "]") + 1;
            else if (*c++ != ' ')
                names_only[n++] = c[-1];
        }
        wsk_twin_moment *m = moment(i, true);
        char *ours = SMI_SAYS(m, &code, names_only, "--format=csv"), *our_values = strchr(ours, '\n') + 1;
        assert_int_equal(code, 0);
        our_values[-1] = '\0';
        our_values[strcspn(our_values, "\n")] = '\0';
        assert_string_equal(ours, names);
        while (*names) {
            char a[256], b[256];
            const char *name = next_value(&names);
            mask(next_value(&our_values), a, sizeof a);
            mask(next_value(&values), b, sizeof b);
            if (strcmp(a, b) != 0 && !is_unknown(name) && !strstr(name, "pcie.link.gen.hostmax"))
                fail_msg("%s: %s: '%s' and not '%s'", machines[i].capture, name, a, b);
        }
        free(ours);
        free(theirs);
        free(m);
        seen++;
    }
    if (!seen)
        skip();
}

static void blank_out(char *line)
{
    for (char *c = line; *c; c++)
        if (isdigit((unsigned char)*c))
            *c = '#';
}

/* The first `lines` lines must be equal except for digits. Later lines must have the same length, except those of pmon
 * and those behind line 13 of the table. */
static void same_head(const char *what, const char *command, size_t lines)
{
    int seen = 0, code;
    for (size_t i = 0; i < MACHINES; i++) {
        char *theirs = capture(i, what), *line, *their_line;
        if (!theirs)
            continue;
        wsk_twin_moment *m = moment(i, true);
        char *ours = command ? SMI_SAYS(m, &code, command, "-c", "1") : SMI_SAYS(m, &code, "-c", "1");
        char *at = ours, *their_at = theirs;
        for (size_t n = 0; next_line(&their_at, &their_line) && next_line(&at, &line); n++) {
            const bool first = !command && n == 0; /* the first line of the output without a command is the date */
            blank_out(line);
            blank_out(their_line);
            if (!first && n < lines)
                assert_string_equal(line, their_line);
            else if (strlen(line) != strlen(their_line) &&
                     (command ? strcmp(command, "pmon") != 0 : n < 13 && !first))
                fail_msg("%s: '%s' is not as long as '%s'", machines[i].capture, line, their_line);
        }
        free(ours);
        free(theirs);
        free(m);
        seen++;
    }
    if (!seen)
        skip();
}

static void table(void **state)
{
    (void)state;
    same_head("load__table.txt", NULL, 8);
}

static void dmon(void **state)
{
    (void)state;
    same_head("load__dmon.txt", "dmon", 2);
}

static void pmon(void **state)
{
    (void)state;
    same_head("load__pmon.txt", "pmon", 2);
}

static void help(void **state)
{
    (void)state;
    int seen = 0, code;
    for (size_t i = 0; i < MACHINES; i++) {
        char *theirs = capture(i, "help-query-gpu.txt"), *line, *their_line;
        if (!theirs)
            continue;
        wsk_twin_moment *m = moment(i, true);
        char *ours = SMI_SAYS(m, &code, "--help-query-gpu"), *at = ours, *their_at = theirs;
        while (next_line(&their_at, &their_line)) {
            /* lines such as "0: Default" describe values of a name, not names */
            if (*their_line != '"' || isdigit((unsigned char)their_line[1]))
                continue;
            if (strncmp(their_line, "\"clocks.max.sm\"", 15) == 0)
                their_line[15] = '\0';
            do
                assert_true(next_line(&at, &line));
            while (*line != '"');
            assert_string_equal(line, their_line);
        }
        free(ours);
        free(theirs);
        free(m);
        seen++;
    }
    if (!seen)
        skip();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(document), cmocka_unit_test(query), cmocka_unit_test(table),
        cmocka_unit_test(dmon),     cmocka_unit_test(pmon),  cmocka_unit_test(help),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
