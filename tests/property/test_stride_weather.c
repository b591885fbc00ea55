/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Strides where outdoor air follows a file, so that no day repeats. Runs with strides are compared with runs that
 * simulate every tick. With WATTSINK_SOAK six rigs run for a year, and 100 random rigs for 20 days. */
#define _XOPEN_SOURCE 700
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/bench.h"
#include "tests/support/strides.h"
#include "sim/books/books.h"
#include "sim/step/stride.h"

static const double day_s = 86400;
static char folder[256];

static bool soak(void)
{
    return getenv("WATTSINK_SOAK") != NULL;
}

static double draw(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*seed >> 11) / 9007199254740992.0 - 0.5;
}

/* A year of hourly temperatures, degC: seasons, days, and weather that lasts for days. */
typedef struct {
    const char *name;
    double mean_c, season_k, day_k, weather_k;
} climate;
static const climate climates[] = {
    {"mild.csv", 15, 10, 4, 3}, {"cold.csv", 8, 12, 5, 4}, {"warm.csv", 27, 4, 3, 2}, {"constant.csv", 25, 0, 0, 0}};

static FILE *create(const char *name, const char *columns)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f, "%s\n", columns);
    return f;
}

static const char columns[] = "t_h,temp_c";

static void write_climate(const char *name, const climate *c, double warmer_k)
{
    const double pi = 3.141592653589793;
    uint64_t seed = (uint64_t)(c->mean_c * 7);
    double weather = 0;
    FILE *f = create(name, columns);
    for (int h = 0; h < 8760; h++) {
        weather = 0.97 * weather + 0.84 * c->weather_k * draw(&seed);
        fprintf(f, "%d,%.2f\n", h,
                c->mean_c + warmer_k - c->season_k * cos(2 * pi * (h / 24.0 - 20) / 365) +
                    c->day_k * cos(2 * pi * (h % 24 - 15) / 24) + weather);
    }
    assert_int_equal(fclose(f), 0);
}

/* One hot evening in weeks of mild weather. */
static void write_heat_wave(void)
{
    FILE *f = create("wave.csv", columns);
    for (int h = 0; h < 30 * 24; h++)
        fprintf(f, "%d,%.2f\n", h, 20 + 3 * cos(0.2618 * (h - 15)) + (h > 470 && h < 478 ? 14 : 0) + 0.01 * (h % 37));
    assert_int_equal(fclose(f), 0);
}

static void write_prices(void)
{
    uint64_t seed = 5;
    FILE *f = create("prices.csv", "t_h,price_usd_per_kwh");
    for (int h = 0; h < 60 * 24; h++)
        fprintf(f, "%d,%.4f\n", h, 0.09 + 0.05 * cos(0.2618 * (h - 19)) + 0.08 * draw(&seed));
    assert_int_equal(fclose(f), 0);
}

static int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "%s/wsk-weather-XXXXXX", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
    assert_non_null(mkdtemp(folder));
    for (size_t i = 0; i < sizeof climates / sizeof *climates; i++)
        write_climate(climates[i].name, &climates[i], 0);
    write_heat_wave();
    write_prices();
    return 0;
}

static int drop_folder(void **state)
{
    (void)state;
    static const char *const names[] = {"mild.csv", "cold.csv",   "warm.csv",  "constant.csv",
                                        "wave.csv", "prices.csv", "warmer.csv"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        remove(path);
    }
    return rmdir(folder);
}

static const char file_kind[] = "outdoor.kind=file";

/* Loads a rig, from its path or its text, with the weather of a file, and up to two more values set. NULL: the rig has
 * no outdoor air that a file can give. */
static wsk_rig *load(const char *path, const char *text, const char *file, const char *set, const char *also)
{
    char name[64];
    snprintf(name, sizeof name, "outdoor.file=%s", file);
    const char *sets[] = {file_kind, name, set, also};
    wsk_rig *rig = NULL;
    const wsk_rig_options options = {.path = path,
                                     .text = text,
                                     .text_len = text ? strlen(text) : 0,
                                     .parts_dir = "parts",
                                     .data_dir = folder,
                                     .sets = sets,
                                     .set_count = also  ? 4
                                                  : set ? 3
                                                        : 2};
    if (wsk_rig_load(&rig, &options) == WSK_OK)
        return rig;
    wsk_rig_free(rig);
    return NULL;
}

static wsk_rig *load_path(const char *path, const char *file, const char *set)
{
    wsk_rig *rig = load(path, NULL, file, set, NULL);
    if (!rig)
        fail_msg("%s does not load with %s", path, file);
    return rig;
}

static const struct {
    const char *path, *file, *set;
    /* least number of cycles that must be skipped in 30 days */
    int64_t least;
} rigs[] = {{"scenarios/quad-3090-blower/rig.xml", "warm.csv", NULL, 300},
            {"scenarios/home-100v-jp/rig.xml", "warm.csv", NULL, 300},
            {"scenarios/home-100v-jp/four-200v.xml", "warm.csv", NULL, 50},
            {"scenarios/llama-70b-2x3090/rig.xml", "mild.csv", NULL, 100},
            {"scenarios/mining-frame/rig.xml", "cold.csv", NULL, 1},
            {"scenarios/quad-3090-blower/rig.xml", "constant.csv", "tariff=tariff/chubu-high-voltage", 300},
            {"scenarios/quad-3090-blower/rig.xml", "wave.csv", NULL, 100},
            {"scenarios/llama-70b-2x3090/one-4090.xml", "mild.csv", NULL, 1}};

static void test_rigs(void **state)
{
    (void)state;
    const size_t count = sizeof rigs / sizeof *rigs, least = getenv("WATTSINK_SHORT") ? 1 : count;
    for (size_t i = 0; i < least; i++) {
        wsk_rig *rig = load_path(rigs[i].path, rigs[i].file, rigs[i].set);
        const int64_t skipped = wsk_test_hold(rigs[i].path, rig, 30 * day_s);
        if (skipped < rigs[i].least)
            fail_msg("%s in %s: only %lld cycles skipped", rigs[i].path, rigs[i].file, (long long)skipped);
        wsk_rig_free(rig);
    }
    wsk_test_none_wrong();
}

/* After a failure checkpoints count from the end of the restart, while the load switches by the time of the run. */
static void test_restarts_beside_a_load(void **state)
{
    (void)state;
    if (getenv("WATTSINK_SHORT"))
        skip();
    wsk_rig *rig =
        load(NULL,
             "<rig><site supply='230 V' circuit='16 A'><room volume='30 m3' conductance='60 W/K'>"
             "<outdoor/></room><tariff kind='flat' price='0.1 USD/kWh'>"
             "<demand price='20 USD/kW/month' window='15 min'/></tariff></site>"
             "<chassis part='chassis/workstation-12-slot'>"
             "<fan part='fan/generic-120-3000' at='front' count='3'/>"
             "<fan part='fan/generic-120-1500' at='rear'/><psu part='psu/tier-gold-1600'/>"
             "<gpu part='gpu/rtx-3090-blower' slot='1' power-limit='250 W'/>"
             "<load ac='500 W' duty='50 %' period='1 h'/></chassis>"
             "<workload kind='training' class='training' checkpoint-every='50 min' checkpoint-takes='10 min'"
             " mtbf='150 h' restart-takes='12 min'/><run zone='America/Los_Angeles'/></rig>",
             "mild.csv", "run.from=2026-08-03T00:00:00", NULL);
    assert_non_null(rig);
    assert_true(wsk_test_hold("restarts beside a load that switches", rig, 28 * day_s) > 0);
    wsk_rig_free(rig);
    wsk_test_none_wrong();
}

static void test_hourly_prices(void **state)
{
    (void)state;
    wsk_rig *rig =
        load("scenarios/quad-3090-blower/rig.xml", NULL, "warm.csv", "tariff.kind=spot", "tariff.file=prices.csv");
    assert_non_null(rig);
    assert_true(wsk_test_hold("prices by the hour", rig, 30 * day_s) > 300);
    wsk_rig_free(rig);
    wsk_test_none_wrong();
}

/* The mining frame is left out: its memory hovers at its limit, and leaps within cycles put its time limited by heat
 * 1.5 % off. */
static void test_years(void **state)
{
    (void)state;
    if (!soak())
        skip();
    wsk_test_print_worst("30 days under weather");
    for (size_t i = 0; i < sizeof rigs / sizeof *rigs; i++) {
        if (strcmp(rigs[i].file, "wave.csv") == 0 || strstr(rigs[i].path, "mining-frame"))
            continue;
        wsk_rig *rig = load_path(rigs[i].path, rigs[i].file, rigs[i].set);
        wsk_test_hold(rigs[i].path, rig, 365 * day_s);
        wsk_rig_free(rig);
    }
    wsk_test_print_worst("a year under weather");
    wsk_test_none_wrong();
}

typedef struct {
    const char *xml;
    const climate *in;
} rig_in_climate;

static wsk_rig *load_warmer(const void *of, double warmer_k)
{
    const rig_in_climate *r = of;
    write_climate("warmer.csv", r->in, warmer_k);
    return load("-", r->xml, "warmer.csv", NULL, NULL);
}

static void test_random_rigs(void **state)
{
    (void)state;
    int64_t skipped = 0;
    for (uint64_t seed = 1; seed <= (soak() ? 100 : getenv("WATTSINK_SHORT") ? 2 : 8); seed++) {
        char what[32], *xml = wsk_random_rig(&(wsk_random_rig_spec){.seed = seed});
        const climate *in = &climates[seed % 3];
        const wsk_test_weather weather = {load_warmer, &(rig_in_climate){xml, in}};
        wsk_rig *rig = load("-", xml, in->name, NULL, NULL);
        snprintf(what, sizeof what, "seed %llu", (unsigned long long)seed);
        if (rig)
            skipped += wsk_test_hold_in(what, rig, 20 * day_s, &weather);
        wsk_rig_free(rig);
        wsk_text_free(xml);
    }
    if (soak())
        wsk_test_print_worst("random rigs under weather for 20 days");
    assert_true(skipped > 0 || getenv("WATTSINK_SHORT")); /* the two rigs of WATTSINK_SHORT take none */
    wsk_test_none_wrong();
    wsk_test_estimates(soak());
}

static bool is_skipped(const wsk_run *run, double hour)
{
    return wsk_skipped_share(run, (int64_t)(hour * 3600) * WSK_NS, (int64_t)((hour + 1) * 3600) * WSK_NS) > 0;
}

/* The hottest hours are simulated: of the whole run, and of each month if the tariff charges for demand. */
static void test_hottest_hours(void **state)
{
    (void)state;
    for (int monthly = 0; monthly < 2; monthly++) {
        wsk_rig *rig = load("scenarios/quad-3090-blower/rig.xml", NULL, "warm.csv", "run.from=2026-04-01T00:00:00",
                            monthly ? "tariff=tariff/chubu-high-voltage" : NULL);
        wsk_run *run = wsk_test_start(rig, 91 * day_s, true);
        wsk_test_advance(run, 91 * day_s);
        assert_true(run->stride->head->skipped > 1000);
        const int first[] = {0, 30 * 24, 61 * 24, 91 * 24};
        for (int m = monthly ? 0 : 2; m < 3; m++) {
            double most = 0;
            int at = 0;
            for (int h = monthly ? first[m] + 24 : 24; h < first[m + 1] - 2; h++) {
                const wsk_outdoor_params *o = run->net->outdoor_params;
                const double k = run->net->outdoor_ops->temp_k(o, 0, h * 3600.0 + 1800);
                at = k > most ? h : at;
                most = fmax(k, most);
            }
            assert_false(is_skipped(run, at));
        }
        wsk_run_free(run);
        wsk_rig_free(rig);
    }
}

static void test_pieces_and_resume(void **state)
{
    (void)state;
    wsk_rig *rig = load_path("scenarios/home-100v-jp/rig.xml", "warm.csv", NULL);
    size_t n;
    wsk_text_free(wsk_test_pieces(rig, 20 * day_s, 23456, &n));
    wsk_rig_free(rig);
}

/* Under weather, no strides are taken with a load that follows the time of the day, cycles of several hours or a short
 * run; leaps are taken instead. */
static void test_no_strides(void **state)
{
    (void)state;
    static const struct {
        const char *path, *set, *why;
        double days;
    } of[] = {{"scenarios/time-of-use-night/night.xml", NULL, "weather", 30},
              {"scenarios/quad-3090-blower/rig.xml", "workload.checkpoint-every=5 h", "weather", 30},
              {"scenarios/quad-3090-blower/rig.xml", NULL, "short", 2}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        wsk_rig *rig = load_path(of[i].path, "mild.csv", of[i].set);
        wsk_run *run = wsk_test_start(rig, of[i].days * day_s, true);
        assert_null(run->stride);
        assert_string_equal(run->no_strides, of[i].why);
        wsk_run_free(run);
        wsk_rig_free(rig);
    }
}

/* A second year takes less than half as many steps as the first. */
static void test_length(void **state)
{
    (void)state;
    if (getenv("WATTSINK_SHORT"))
        skip();
    wsk_rig *rig = load_path("scenarios/quad-3090-blower/rig.xml", "mild.csv", NULL);
    int64_t steps[2];
    for (int years = 1; years <= 2; years++) {
        wsk_run *run = wsk_test_start(rig, years * 365 * day_s, true);
        wsk_test_advance(run, years * 365 * day_s);
        steps[years - 1] = run->head->tick;
        assert_true(wsk_residual(run) <= 1e-9);
        wsk_run_free(run);
    }
    print_message("steps of a year under weather: %lld, of two: %lld\n", (long long)steps[0], (long long)steps[1]);
    assert_true(steps[0] < 1000000 && (double)steps[1] < 1.5 * (double)steps[0]);
    wsk_rig_free(rig);
}

/* Each new cycle is assigned to the library's entry with the most similar weather, or to a new entry if none is
 * similar enough or the neighbourhood is not well covered yet. Here the library's own cycles are assigned again: most
 * must get their own place. */
static void test_places_in_the_library(void **state)
{
    (void)state;
    wsk_rig *rig = load_path("scenarios/quad-3090-blower/rig.xml", "warm.csv", NULL);
    wsk_run *run = wsk_test_start(rig, 60 * day_s, true);
    wsk_test_advance(run, 60 * day_s);
    wsk_stride *s = run->stride;
    const int64_t count = s->head->count;
    int own = 0;
    assert_true(count > 20);
    for (int64_t i = 0; i < count; i++) {
        const int64_t place = wsk_place_in_library(run, s->starts[i]);
        assert_true(place >= 0 && place <= count && place < s->entries);
        assert_int_equal(s->head->count, place == count ? count + 1 : count);
        s->head->count = count;
        own += place == i;
    }
    print_message("%d of %lld cycles keep their own place\n", own, (long long)count);
    assert_true(own > count / 2);
    wsk_run_free(run);
    wsk_rig_free(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rigs),          cmocka_unit_test(test_restarts_beside_a_load),
        cmocka_unit_test(test_years),         cmocka_unit_test(test_random_rigs),
        cmocka_unit_test(test_no_strides),    cmocka_unit_test(test_hourly_prices),
        cmocka_unit_test(test_hottest_hours), cmocka_unit_test(test_pieces_and_resume),
        cmocka_unit_test(test_length),        cmocka_unit_test(test_places_in_the_library)};
    return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
