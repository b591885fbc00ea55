/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/bench.h"
#include "sim/books/bill.h"

#define RUN "<run from=\"2026-03-01\" zone=\"America/Los_Angeles\" for=\"1 d\"/>"

/* @ in `tariff` or `run` marks the line and column that the message must state; it is removed before loading. */
typedef struct {
    const char *tariff, *run, *says;
} mistake;

static const mistake mistakes[] = {
    {"<tariff kind=\"time-of-use\"><period from=\"@25:00\" to=\"26:00\" price=\"1 USD/kWh\"/><period price=\"1 "
     "USD/kWh\"/></tariff>",
     RUN, "\"25:00\" is not a time of day"},
    {"<tariff kind=\"time-of-use\"><period from=\"@9\" to=\"12:00\" price=\"1 USD/kWh\"/><period price=\"1 "
     "USD/kWh\"/></tariff>",
     RUN, "\"9\" is not a time of day"},
    {"<tariff kind=\"time-of-use\"><period from=\"8:00\" to=\"@24:30\" price=\"1 USD/kWh\"/><period price=\"1 "
     "USD/kWh\"/></tariff>",
     RUN, "\"24:30\" is not a time of day"},
    {"<tariff kind=\"time-of-use\"><period from=\"9:00\" to=\"@9:00\" price=\"1 USD/kWh\"/><period price=\"1 "
     "USD/kWh\"/></tariff>",
     RUN, "it ends when it begins"},
    {"<tariff kind=\"time-of-use\"><period days=\"@mon-fry\" price=\"1 USD/kWh\"/></tariff>", RUN,
     "\"mon-fry\" is not a name of days"},
    {"<@tariff kind=\"time-of-use\"><period days=\"weekdays\" price=\"1 USD/kWh\"/></tariff>", RUN,
     "no period covers 00:00 on Saturday"},
    {"<@tariff kind=\"time-of-use\"><period from=\"6:00\" to=\"23:30\" price=\"1 USD/kWh\"/></tariff>", RUN,
     "no period covers 00:00 on Monday"},
    {"<tariff kind=\"time-of-use\"><period name=\"a\" from=\"6:00\" to=\"9:00\" price=\"1 USD/kWh\"/><@period "
     "name=\"b\" from=\"8:00\" to=\"10:00\" price=\"1 USD/kWh\"/><period price=\"1 USD/kWh\"/></tariff>",
     RUN, "this period and \"a\" both cover 08:00 on Monday"},
    {"<@tariff kind=\"time-of-use\"/>", RUN, "no period covers"},
    {"<tariff kind=\"time-of-use\"><season name=\"s\" from=\"@6-31\" to=\"9-1\"/><period price=\"1 "
     "USD/kWh\"/></tariff>",
     RUN, "\"6-31\" is not a day of the year"},
    {"<tariff kind=\"time-of-use\"><season name=\"s\" from=\"6-1\" to=\"9-1\"/><season name=\"t\" from=\"@9-1\" "
     "to=\"5-31\"/><period price=\"1 USD/kWh\"/></tariff>",
     RUN, "09-01 is in season \"s\" as well"},
    {"<tariff kind=\"time-of-use\"><season name=\"summer\" from=\"6-1\" to=\"9-1\"/><period season=\"@sommer\" "
     "price=\"1 USD/kWh\"/><period price=\"1 USD/kWh\"/></tariff>",
     RUN, "did you mean \"summer\""},
    {"<@tariff kind=\"time-of-use\"><season name=\"summer\" from=\"6-1\" to=\"9-1\"/><period season=\"summer\" "
     "price=\"1 USD/kWh\"/></tariff>",
     RUN, "no period covers 00:00 on Monday outside the seasons"},
    {"<tariff kind=\"time-of-use\"><period price=\"1 USD/kWh\"/><holiday date=\"@13-25\"/></tariff>", RUN,
     "\"13-25\" is not a date"},
    {"<tariff kind=\"time-of-use\"><period price=\"1 USD/kWh\"/><@holiday month=\"11\"/></tariff>", RUN,
     "<holiday> needs a date"},
    {"<tariff kind=\"time-of-use\"><period price=\"1 USD/kWh\"/><@holiday date=\"12-25\" nth=\"2\"/></tariff>", RUN,
     "<holiday> needs a date"},
    {"<tariff kind=\"time-of-use\"><period price=\"1 USD/kWh\"/><holiday kind=\"@federal\"/></tariff>", RUN,
     "unknown kind \"federal\""},
    {"<tariff kind=\"time-of-use\"><period price=\"@1\"/></tariff>", RUN, "has no unit"},
    {"<@tariff kind=\"blocks\"><block up-to=\"100 kWh\" price=\"1 USD/kWh\"/></tariff>", RUN,
     "there is no price above the last block"},
    {"<@tariff kind=\"blocks\"/>", RUN, "this tariff of blocks has no block"},
    {"<tariff kind=\"blocks\"><block price=\"1 USD/kWh\"/><@block price=\"2 USD/kWh\"/></tariff>", RUN,
     "another block has no up-to either"},
    {"<tariff kind=\"blocks\"><season name=\"a\" from=\"1-1\" to=\"6-30\"/><season name=\"b\" from=\"7-1\" "
     "to=\"12-31\"/>"
     "<block season=\"a\" price=\"1 USD/kWh\"/><block season=\"b\" price=\"2 USD/kWh\"/>"
     "<@block season=\"a\" price=\"3 USD/kWh\"/></tariff>",
     RUN, "another block has no up-to either"},
    {"<tariff kind=\"blocks\"><block up-to=\"@100 kW\" price=\"1 USD/kWh\"/><block price=\"1 USD/kWh\"/></tariff>",
     RUN, "expected an energy"},
    {"<tariff kind=\"flat\" price=\"1 USD/kWh\"><demand price=\"@1 USD/kWh\"/></tariff>", RUN,
     "expected a price of power"},
    {"<tariff kind=\"flat\" price=\"1 USD/kWh\"><demand price=\"1 USD/kW\" window=\"@7 min\"/></tariff>", RUN,
     "window: an hour is not a whole number"},
    {"<tariff kind=\"flat\" price=\"1 USD/kWh\"><demand name=\"a\" price=\"1 USD/kW\"/><demand name=\"a\" price=\"@2 "
     "USD/kW\"/></tariff>",
     RUN, "another demand charge of this name"},
    {"<tariff kind=\"flat\" price=\"1 USD/kWh\" standing-day=\"@1 EUR\"/>", RUN,
     "a price in EUR where others of this tariff are in USD"},
    {"<tariff kind=\"flat\" price=\"1 USD/kWh\" billing-day=\"@31\"/>", RUN, "expected at most 28"},
    {"<tariff kind=\"flat\" price=\"1 USD/kWh\" @periods=\"2\"/>", RUN, "unknown attribute \"periods\""},
    {"<tariff kind=\"flat\" price=\"1 USD/kWh\"><@period price=\"1 USD/kWh\"/></tariff>", RUN,
     "<period> does not belong in <tariff>"},
    {"<tariff part=\"tariff/pge-ev2-a\"/>", "<@run from=\"2026-03-01\" for=\"1 d\"/>", "the run has no time zone"},
    {"<tariff part=\"tariff/pge-ev2-a\"/>", "<@run zone=\"UTC\" for=\"1 d\"/>",
     "the run has none; expected <run from="},
    {"<tariff part=\"tariff/pge-ev2-a\"/>", "<run from=\"2026-03-01\" zone=\"@America/Los_Angles\" for=\"1 d\"/>",
     "is not a time zone"},
    {"<@carbon kind=\"daily\"/>", RUN, "no <profile> covers the time outside the seasons"},
    {"<carbon kind=\"daily\"><profile curve=\"@0 h:1 g/kWh, 25 h:2 g/kWh\"/></carbon>", RUN,
     "a time outside the day"},
    {"<tariff kind=\"flat\" price=\"1 USD/kWh\"><demand name=\"a\" price=\"@10 USD/kW\"/><demand name=\"a\" "
     "price=\"9 USD/kW\"/></tariff>",
     RUN, "another demand charge of this name"},
    {"<tariff kind=\"flat\" price=\"1 USD/kWh\"><demand price=\"1 USD/kW\" window=\"@90.5 s\"/></tariff>", RUN,
     "window: an hour is not a whole number"},
    {"<tariff kind=\"flat\" price=\"1 USD/kWh\" minimum-day=\"1 USD\"/>", "<@run from=\"2026-03-01\" for=\"1 d\"/>",
     "the run has no time zone"},
    {"<tariff kind=\"flat\" price=\"1 USD/kWh\" minimum-month=\"1 USD\"/>", "<@run zone=\"UTC\" for=\"1 d\"/>",
     "the run has none; expected <run from="},
    {"<tariff kind=\"flat\" price=\"1 USD/kWh\" standing-month=\"1 USD\"/>", "<@run zone=\"UTC\" for=\"1 d\"/>",
     "the run has none; expected <run from="},
    {"<tariff part=\"tariff/pge-ev2-a\"/>", "<run from=\"@yesterday\" zone=\"UTC\" for=\"1 d\"/>", "is not a date"},
    {"<tariff kind=\"time-of-use\"><period from=\"@1200\" to=\"12:00\" price=\"1 USD/kWh\"/><period price=\"1 "
     "USD/kWh\"/></tariff>",
     RUN, "\"1200\" is not a time of day"},
    {"<tariff kind=\"time-of-use\"><period from=\"@8:\" to=\"12:00\" price=\"1 USD/kWh\"/><period price=\"1 "
     "USD/kWh\"/></tariff>",
     RUN, "\"8:\" is not a time of day"},
    {"<tariff kind=\"time-of-use\"><period from=\"@8:5\" to=\"12:00\" price=\"1 USD/kWh\"/><period price=\"1 "
     "USD/kWh\"/></tariff>",
     RUN, "\"8:5\" is not a time of day"},
    {"<tariff kind=\"time-of-use\"><period from=\"@8:60\" to=\"12:00\" price=\"1 USD/kWh\"/><period price=\"1 "
     "USD/kWh\"/></tariff>",
     RUN, "\"8:60\" is not a time of day"},
    {"<tariff kind=\"time-of-use\"><period from=\"@8:000\" to=\"12:00\" price=\"1 USD/kWh\"/><period price=\"1 "
     "USD/kWh\"/></tariff>",
     RUN, "\"8:000\" is not a time of day"},
    {"<tariff kind=\"time-of-use\"><period from=\"@x\" to=\"12:00\" price=\"1 USD/kWh\"/><period price=\"1 "
     "USD/kWh\"/></tariff>",
     RUN, "\"x\" is not a time of day"},
    {"<tariff kind=\"time-of-use\"><period from=\"@24:00\" price=\"1 USD/kWh\"/><period price=\"1 "
     "USD/kWh\"/></tariff>",
     RUN, "it ends when it begins"},
    {"<tariff kind=\"time-of-use\"><season name=\"s\" from=\"1-1\" to=\"@13-1\"/><period price=\"1 "
     "USD/kWh\"/></tariff>",
     RUN, "\"13-1\" is not a day of the year"},
    {"<tariff kind=\"time-of-use\"><season name=\"s\" from=\"1-1\" to=\"@006-1\"/><period price=\"1 "
     "USD/kWh\"/></tariff>",
     RUN, "\"006-1\" is not a day of the year"},
    {"<tariff kind=\"time-of-use\"><season name=\"s\" from=\"1-1\" to=\"@6-015\"/><period price=\"1 "
     "USD/kWh\"/></tariff>",
     RUN, "\"6-015\" is not a day of the year"},
    {"<tariff kind=\"time-of-use\"><season name=\"s\" from=\"1-1\" to=\"@6/1\"/><period price=\"1 "
     "USD/kWh\"/></tariff>",
     RUN, "\"6/1\" is not a day of the year"},
    {"<tariff kind=\"time-of-use\"><season name=\"s\" from=\"1-1\" to=\"@6-32\"/><period price=\"1 "
     "USD/kWh\"/></tariff>",
     RUN, "\"6-32\" is not a day of the year"},
    {"<tariff kind=\"time-of-use\"><season name=\"s\" from=\"1-1\" to=\"@6-15x\"/><period price=\"1 "
     "USD/kWh\"/></tariff>",
     RUN, "\"6-15x\" is not a day of the year"},
    {"<tariff kind=\"time-of-use\"><season name=\"s\" from=\"1-1\" to=\"@0-1\"/><period price=\"1 "
     "USD/kWh\"/></tariff>",
     RUN, "\"0-1\" is not a day of the year"},
    {"<tariff kind=\"time-of-use\"><season name=\"s\" from=\"1-1\" to=\"@6-0\"/><period price=\"1 "
     "USD/kWh\"/></tariff>",
     RUN, "\"6-0\" is not a day of the year"},
    {"<tariff kind=\"time-of-use\"><season name=\"s\" from=\"1-1\" to=\"@2-30\"/><period price=\"1 "
     "USD/kWh\"/></tariff>",
     RUN, "\"2-30\" is not a day of the year"},
    {"<tariff kind=\"time-of-use\"><season name=\"s\" from=\"1-1\" to=\"@x\"/><period price=\"1 USD/kWh\"/></tariff>",
     RUN, "\"x\" is not a day of the year"},
    {"<tariff kind=\"time-of-use\"><period days=\"@mo\" price=\"1 USD/kWh\"/><period price=\"1 USD/kWh\"/></tariff>",
     RUN, "is not a name of days"},
    {"<tariff kind=\"time-of-use\"><period days=\"@mondays\" price=\"1 USD/kWh\"/><period price=\"1 "
     "USD/kWh\"/></tariff>",
     RUN, "is not a name of days"},
    {"<tariff kind=\"time-of-use\"><period days=\"@mon-tue-wed\" price=\"1 USD/kWh\"/><period price=\"1 "
     "USD/kWh\"/></tariff>",
     RUN, "is not a name of days"},
    {"<tariff kind=\"time-of-use\"><period days=\"@wednesday-and-saturday-too\" price=\"1 USD/kWh\"/><period "
     "price=\"1 USD/kWh\"/></tariff>",
     RUN, "is not a name of days"},
    {"<tariff kind=\"time-of-use\"><season name=\"summer\" from=\"6-1\" to=\"9-1\"/><period season=\"@q\" price=\"1 "
     "USD/kWh\"/><period price=\"1 USD/kWh\"/></tariff>",
     RUN, "there is no season \"q\" here"},
    {"<tariff kind=\"time-of-use\"><season name=\"@\" from=\"6-1\" to=\"9-1\"/><period price=\"1 "
     "USD/kWh\"/></tariff>",
     RUN, "name: expected one word"},
    {"<tariff kind=\"time-of-use\"><season name=\"@a b\" from=\"6-1\" to=\"9-1\"/><period price=\"1 "
     "USD/kWh\"/></tariff>",
     RUN, "name: expected one word"},
    {"<tariff kind=\"time-of-use\"><season name=\"@a,b\" from=\"6-1\" to=\"9-1\"/><period price=\"1 "
     "USD/kWh\"/></tariff>",
     RUN, "name: expected one word"},
    {"<@tariff kind=\"time-of-use\"><season name=\"warm\" from=\"4-1\" to=\"9-30\"/><season name=\"cold\" "
     "from=\"10-1\" to=\"3-31\"/><period season=\"cold\" price=\"1 USD/kWh\"/><period season=\"warm\" from=\"6:00\" "
     "to=\"22:00\" price=\"1 USD/kWh\"/></tariff>",
     RUN, "no period covers 00:00 on Monday in season warm"},
    {"<tariff kind=\"time-of-use\"><@holiday month=\"11\" nth=\"4\"/><period price=\"1 USD/kWh\"/></tariff>", RUN,
     "<holiday> needs a date"},
    {"<tariff kind=\"time-of-use\"><@holiday date=\"12-25\" month=\"11\"/><period price=\"1 USD/kWh\"/></tariff>",
     RUN, "<holiday> needs a date"},
    {"<tariff kind=\"time-of-use\"><@holiday date=\"12-25\" day=\"thu\"/><period price=\"1 USD/kWh\"/></tariff>", RUN,
     "<holiday> needs a date"},
    {"<tariff kind=\"time-of-use\"><holiday date=\"@2026-13-45\"/><period price=\"1 USD/kWh\"/></tariff>", RUN,
     "is not a date"},
    {"<tariff kind=\"blocks\"><block up-to=\"100 kWh\" price=\"1 USD/kWh\"/><block up-to=\"@100 kWh\" price=\"2 "
     "USD/kWh\"/><block price=\"1 USD/kWh\"/></tariff>",
     RUN, "another block ends here as well"},
    {"<@tariff kind=\"blocks\"><season name=\"s\" from=\"1-1\" to=\"12-31\"/><block season=\"s\" up-to=\"100 kWh\" "
     "price=\"1 USD/kWh\"/></tariff>",
     RUN, "there is no price above the last block in each season"},
    {"<@carbon kind=\"daily\"><season name=\"a\" from=\"1-1\" to=\"6-30\"/><season name=\"b\" from=\"7-1\" "
     "to=\"12-31\"/><profile season=\"a\" curve=\"0 h:1 g/kWh\"/></carbon>",
     RUN, "no <profile> covers season b"},
    {"<carbon kind=\"daily\"><profile curve=\"@-1 h:1 g/kWh, 5 h:2 g/kWh\"/></carbon>", RUN,
     "a time outside the day"},
    {"<carbon kind=\"daily\"><profile curve=\"0 h:1 g/kWh\"/><@profile curve=\"0 h:2 g/kWh\"/></carbon>", RUN,
     "another <profile> covers the same time"},
};

static bool told_at(const wsk_rig *rig, const char *says, int at_line, int at_column)
{
    for (size_t m = 0; m < wsk_rig_messages(rig); m++) {
        int severity, line, column;
        const char *file, *text;
        wsk_rig_message(rig, m, &severity, &file, &line, &column, &text);
        if (severity == 0 && strstr(text, says) && line == at_line && column == at_column)
            return true;
    }
    return false;
}

static void mistakes_are_told_where_they_are(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        const mistake *k = &mistakes[i];
        char xml[1500];
        snprintf(xml, sizeof xml,
                 "<rig name=\"x\"><site supply=\"115 V\">\n%s</site>\n%s<chassis kind=\"frame\" slots=\"2\"/></rig>",
                 k->tariff, k->run);
        char *at = strchr(xml, '@');
        assert_non_null(at);
        memmove(at, at + 1, strlen(at));
        int line = 1, column = 1;
        for (const char *p = xml; p < at; p++) {
            line += *p == '\n';
            column = *p == '\n' ? 1 : column + 1;
        }
        const wsk_rig_options o = {.path = "-", .text = xml, .text_len = strlen(xml), .parts_dir = "parts"};
        wsk_rig *rig = NULL;
        assert_int_equal(wsk_rig_load(&rig, &o), WSK_EINPUT);
        if (!told_at(rig, k->says, line, column)) {
            for (size_t m = 0; m < wsk_rig_messages(rig); m++) {
                int severity, l, c;
                const char *file, *text;
                wsk_rig_message(rig, m, &severity, &file, &l, &c, &text);
                print_error("%d:%d: %s\n", l, c, text);
            }
            fail_msg("no message at %d:%d says: %s", line, column, k->says);
        }
        wsk_rig_free(rig);
    }
}

static void lists_are_bounded(void **state)
{
    (void)state;
    static const struct {
        const char *kind, *rest, *says;
        int most;
    } lists[] = {
        {"time-of-use", "<period name='p0' price='1 USD/kWh'/>", "more than 32 period names", WSK_NAMES},
        {"time-of-use", "", "more than 96 periods", WSK_SPANS},
        {"time-of-use", "<period price='1 USD/kWh'/>", "more than 24 seasons", WSK_SEASONS},
        {"time-of-use", "<period price='1 USD/kWh'/>", "more than 160 holidays", WSK_HOLIDAYS},
        {"flat' price='1 USD/kWh", "", "more than 12 demand charges", WSK_DEMANDS},
        {"blocks", "<block price='1 USD/kWh'/>", "more than 24 blocks", WSK_BLOCKS - 1},
    };
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++)
        for (int more = 0; more < 2; more++) {
            wsk_buf b = {0};
            wsk_buf_printf(&b, "<rig name='x'><site supply='115 V'><tariff kind='%s'>", lists[k].kind);
            for (int i = 0; i < lists[k].most + more; i++) {
                const int to = i + 1;
                if (k < 2)
                    wsk_buf_printf(&b, "<period from='%d:%02d' to='%d:%02d' name='p%d' price='1 USD/kWh'/>", i / 4,
                                   i % 4 * 15, to / 4, to % 4 * 15, k == 0 ? i : 0);
                else if (k == 2)
                    wsk_buf_printf(&b, "<season name='s%d' from='1-%d' to='1-%d'/>", i, i + 1, i + 1);
                else if (k == 3)
                    wsk_buf_printf(&b, "<holiday date='2%03d-05-01'/>", i);
                else if (k == 4)
                    wsk_buf_printf(&b, "<demand name='d%d' price='1 USD/kW'/>", i);
                else
                    wsk_buf_printf(&b, "<block up-to='%d kWh' price='1 USD/kWh'/>", i + 1);
            }
            wsk_buf_printf(&b, "%s</tariff></site>" RUN "<chassis kind='frame' slots='2'/></rig>", lists[k].rest);
            const wsk_rig_options o = {.path = "-", .text = b.data, .text_len = b.len, .parts_dir = "parts"};
            wsk_rig *rig = NULL;
            assert_int_equal(wsk_rig_load(&rig, &o), more ? WSK_EINPUT : WSK_OK);
            bool told = false;
            for (size_t m = 0; m < wsk_rig_messages(rig); m++) {
                int severity, line, column;
                const char *file, *text;
                wsk_rig_message(rig, m, &severity, &file, &line, &column, &text);
                told = told || strstr(text, lists[k].says);
            }
            assert_int_equal(told, more);
            wsk_rig_free(rig);
            wsk_buf_free(&b);
        }
}

static char *folder_with(const char *name, const char *text)
{
    char *dir = strdup("/tmp/wattsink-test-XXXXXX"), path[120];
    assert_non_null(dir);
    assert_non_null(mkdtemp(dir));
    snprintf(path, sizeof path, "%s/%s", dir, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0 && fclose(f) == 0);
    return dir;
}

static void remove_folder(char *dir, const char *name)
{
    char path[120];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    unlink(path);
    rmdir(dir);
    free(dir);
}

static double bill_of(const char *dir, const char *site, const char *run, double hours, double watts, double *carbon)
{
    char xml[800];
    snprintf(xml, sizeof xml,
             "<rig name=\"x\"><site supply=\"115 V\"><room temperature=\"20 degC\"/>%s</site><chassis kind=\"frame\" "
             "slots=\"2\"/>%s</rig>",
             site, run);
    const wsk_rig_options o = {
        .path = "-", .text = xml, .text_len = strlen(xml), .parts_dir = "parts", .data_dir = dir};
    wsk_rig *rig = NULL;
    wsk_status status = wsk_rig_load(&rig, &o);
    for (size_t m = 0; status != WSK_OK && m < wsk_rig_messages(rig); m++) {
        int severity, line, column;
        const char *file, *text;
        wsk_rig_message(rig, m, &severity, &file, &line, &column, &text);
        print_error("%d:%d: %s\n", line, column, text);
    }
    assert_int_equal(status, WSK_OK);
    wsk_run *r = wsk_test_run(rig, WSK_STEPPER_FAST, 0);
    wsk_bill b;
    int64_t end = (int64_t)(hours * 3600 + 0.5) * WSK_NS;
    wsk_bill_open(&b, r->net->billing, 0, end);
    for (int64_t t = 0; t < end; t += 37 * WSK_NS)
        wsk_bill_add(&b, r->net->billing, t, t + 37 * WSK_NS < end ? t + 37 * WSK_NS : end, watts);
    wsk_bill_close(&b, r->net->billing, end);
    double cost = wsk_sum_value(&b.energy);
    if (carbon)
        *carbon = wsk_sum_value(&b.carbon);
    wsk_run_free(r);
    wsk_rig_free(rig);
    return cost;
}

static void prices_come_from_a_file(void **state)
{
    (void)state;
    /* Prices over six hours that contain the end of summer time in Berlin (01:00 UTC); one price is negative. */
    static const char local[] = "time,price_eur_per_mwh\n2026-10-25 00:00,100\n2026-10-25 01:00,200\n2026-10-25 "
                                "02:00,-50\n2026-10-25 03:00,400\n"
                                "2026-10-25 04:00,500\n";
    char *dir = folder_with("spot.csv", local);
    const char *run = "<run from=\"2026-10-25T00:00:00\" zone=\"Europe/Berlin\" for=\"1 d\"/>";
    /* the six hours have the local times 0, 1, 2, 2 again, 3 and 4 */
    assert_rel(bill_of(dir, "<tariff kind=\"spot\" file=\"spot.csv\"/>", run, 6, 2000, NULL),
               2 * (0.1 + 0.2 - 0.05 - 0.05 + 0.4 + 0.5), 1e-12);
    /* the same file read as UTC: the run starts at 22:00 UTC of the day before, two hours before the first row, and
     * the file repeats every five hours, so the first price is that of 03:00 */
    assert_rel(bill_of(dir, "<tariff kind=\"spot\" file=\"spot.csv\" clock=\"utc\" surcharge=\"1 EUR/kWh\"/>", run, 4,
                       1000, NULL),
               4 + 0.4 + 0.5 + 0.1 + 0.2, 1e-12);
    remove_folder(dir, "spot.csv");
    /* Times in hours from the start of the run; the file repeats at its end. */
    dir = folder_with("spot.csv", "t_h,price_usd_per_kwh\n0,1\n1.5,2\n2,3\n");
    assert_rel(bill_of(dir, "<tariff kind=\"spot\" file=\"spot.csv\"/>", RUN, 5, 1000, NULL),
               2 * (1.5 * 1 + 0.5 * 2 + 0.5 * 3), 1e-12);
    remove_folder(dir, "spot.csv");
    /* A file of a leap year has prices of its last day, too. */
    dir = folder_with("spot.csv", "time,price_usd_per_kwh\n2024-01-01,1\n2024-12-30,2\n2024-12-31,3\n");
    assert_rel(bill_of(dir, "<tariff kind=\"spot\" file=\"spot.csv\"/>",
                       "<run from=\"2024-12-30T12:00\" zone=\"UTC\" for=\"2 d\"/>", 48, 1000, NULL),
               12 * 2 + 24 * 3 + 12 * 1, 1e-12);
    remove_folder(dir, "spot.csv");
    dir = folder_with("grid.csv", "time,intensity_g_per_kwh\n2026-03-01T00:00:00,100\n2026-03-01T01:00:00,300\n");
    double kg;
    bill_of(dir, "<carbon kind=\"file\" file=\"grid.csv\"/>", RUN, 3, 1000, &kg);
    assert_rel(kg, 0.1 + 0.3 + 0.1, 1e-12);
    remove_folder(dir, "grid.csv");
}

static void carbon_follows_hour_and_season(void **state)
{
    (void)state;
    double kg;
    bill_of(NULL, "<carbon kind=\"daily\"><profile curve=\"6 h:100 g/kWh, 18 h:400 g/kWh\"/></carbon>",
            "<run for=\"1 d\"/>", 24, 1000, &kg);
    assert_rel(kg, 12 * 0.1 + 12 * 0.4, 1e-12); /* before 06:00 the last value of the previous day holds */
    bill_of(
        NULL,
        "<carbon kind=\"daily\"><season name=\"s\" from=\"03-02\" to=\"03-31\"/><profile season=\"s\" curve=\"0 "
        "h:100 g/kWh\"/>"
        "<season name=\"t\" from=\"04-01\" to=\"03-01\"/><profile season=\"t\" curve=\"0 h:200 g/kWh\"/></carbon>",
        "<run from=\"2026-03-01T12:00:00\" for=\"2 d\"/>", 24, 1000, &kg);
    assert_rel(kg, 12 * 0.2 + 12 * 0.1, 1e-12);
    bill_of(NULL, "<carbon part=\"carbon/us-hourly\"/>", "<run from=\"2026-01-01\" for=\"365 d\"/>", 8760, 1000, &kg);
    assert_true(kg / 8760 > 0.25 && kg / 8760 < 0.5);
}

static const char meter[] =
    "<rig name=\"x\"><site supply=\"120 V\"><room volume=\"30 m3\" conductance=\"60 W/K\"><air-conditioner "
    "capacity=\"3 kW\" setpoint=\"24 degC\"/></room>"
    "<tariff kind=\"time-of-use\" standing-day=\"1 USD\"><period name=\"peak\" from=\"16:00\" to=\"21:00\" "
    "price=\"0.6 USD/kWh\"/>"
    "<period name=\"off\" price=\"0.2 USD/kWh\"/><block up-to=\"100 kWh\" price=\"-0.05 USD/kWh\"/>"
    "<demand price=\"10 USD/kW\"/></tariff><carbon part=\"carbon/us-hourly\"/></site>"
    "<chassis part=\"chassis/mid-tower\"><fan part=\"fan/generic-120-1500\" at=\"front\" count=\"3\"/>"
    "<psu part=\"psu/tier-gold-1000\"/><gpu part=\"gpu/rtx-3090\" slot=\"1\"/></chassis>"
    "<workload kind=\"training\" checkpoint-every=\"17 min\"/>"
    "<run from=\"2026-10-31T20:11:00\" zone=\"America/Los_Angeles\" for=\"14 h\"/></rig>";

static double cost_at_end(const wsk_run *run)
{
    return wsk_bill_account(run).cost;
}

static void steppers_agree_on_the_bill(void **state)
{
    (void)state;
    double cost[2];
    wsk_rig *rig = wsk_test_rig(meter, NULL);
    for (int k = 0; k < 2; k++) {
        wsk_run *run = wsk_test_run(rig, k ? WSK_STEPPER_REFERENCE : WSK_STEPPER_FAST, 0);
        wsk_test_advance(run, 1e9);
        cost[k] = cost_at_end(run);
        assert_true(cost[k] > 1);
        wsk_run_free(run);
    }
    assert_rel(cost[0], cost[1], 1e-4);
    wsk_rig_free(rig);
}

static void a_bill_goes_on_where_it_was(void **state)
{
    (void)state;
    wsk_rig *rig = wsk_test_rig(meter, NULL);
    wsk_run *whole = wsk_test_run(rig, WSK_STEPPER_FAST, 0), *first = wsk_test_run(rig, WSK_STEPPER_FAST, 0),
            *second = wsk_test_run(rig, WSK_STEPPER_FAST, 0);
    size_t len;
    wsk_test_advance(whole, 1e9);
    wsk_test_advance(first, 5 * 3600 + 137);
    char *bytes = wsk_test_save(first, &len);
    assert_int_equal(wsk_run_restore(second, bytes, len), WSK_OK);
    wsk_test_advance(second, 1e9);
    char *a = wsk_test_summary(whole), *b = wsk_test_summary(second);
    assert_string_equal(a, b);
    assert_true(cost_at_end(first) < cost_at_end(whole));
    assert_near(wsk_test_get(whole, "cost"), cost_at_end(whole), 0.01 * cost_at_end(whole));
    wsk_text_free(a);
    wsk_text_free(b);
    wsk_text_free(bytes);
    wsk_run_free(whole);
    wsk_run_free(first);
    wsk_run_free(second);
    wsk_rig_free(rig);
}

static void the_summary_lists_the_bill(void **state)
{
    (void)state;
    wsk_rig *rig = wsk_test_rig(meter, "run.for=365 d");
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 3600);
    wsk_test_advance(run, 1e9);
    char *text = wsk_test_summary(run), *page = NULL;
    assert_non_null(strstr(text, "\"annual_basis\": \"repeated\""));
    assert_non_null(strstr(text, "\"periods\": [{ \"name\": \"off\""));
    assert_non_null(strstr(text, "\"months\": [{ \"from\": \"2026-10-01\""));
    assert_non_null(strstr(text, "\"demand\": "));
    wsk_text_free(text);
    wsk_run_free(run);
    /* A steady state has no date, so a tariff whose price depends on the hour gives no bill. */
    assert_int_equal(wsk_steady_page(rig, WSK_STEPPER_FAST, 0, NULL, &text, &page), WSK_OK);
    assert_non_null(strstr(text, "\"run\": null"));
    wsk_text_free(text);
    wsk_text_free(page);
    wsk_rig_free(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mistakes_are_told_where_they_are), cmocka_unit_test(lists_are_bounded),
        cmocka_unit_test(prices_come_from_a_file),          cmocka_unit_test(carbon_follows_hour_and_season),
        cmocka_unit_test(steppers_agree_on_the_bill),       cmocka_unit_test(a_bill_goes_on_where_it_was),
        cmocka_unit_test(the_summary_lists_the_bill),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
