/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _XOPEN_SOURCE 700
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/io/load.h"
#include "sim/net/site.h"
#include "tests/unit/assert.h"

static char folder[256];

static void put_bytes(const char *name, const char *text, size_t len)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, len, f), len);
    assert_int_equal(fclose(f), 0);
}

static void put_file(const char *name, const char *text)
{
    put_bytes(name, text, strlen(text));
}

static int make_folder(void **state)
{
    (void)state;
    char path[512];
    snprintf(folder, sizeof folder, "%s/wsk-series-XXXXXX", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/below", folder);
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(path, sizeof path, "%s/link.csv", folder);
    assert_int_equal(symlink("/etc/passwd", path), 0);
    snprintf(path, sizeof path, "%s/same.csv", folder);
    assert_int_equal(symlink("good.csv", path), 0);
    put_file("good.csv", "t_h,temp_c\n0,10\n1,20\n");
    put_file("below/good.csv", "t_h,temp_c\n0,10\n1,21\n");
    return 0;
}

static int drop_folder(void **state)
{
    (void)state;
    static const char *const names[] = {"w.csv", "good.csv", "below/good.csv", "link.csv", "same.csv", "below", ""};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        remove(path);
    }
    return 0;
}

/* data_dir NULL: the file is in the rig's folder; rig_path NULL: the rig is rig.xml in the temporary folder. */
static wsk_plan *load(const char *file, const char *data_dir, const char *rig_path, wsk_status expect)
{
    char text[512], path[512];
    snprintf(text, sizeof text, "<rig>\n<site><room><outdoor kind=\"file\" file=\"%s\"/></room></site></rig>", file);
    snprintf(path, sizeof path, "%s/rig.xml", folder);
    wsk_plan_input in = {
        .path = rig_path ? rig_path : path, .text = text, .text_len = strlen(text), .data_dir = data_dir};
    wsk_plan *plan = NULL;
    wsk_status status = wsk_plan_load(&plan, &in);
    assert_non_null(plan);
    if (status != expect)
        fail_msg("status %d: %s", status, plan->diags.count ? plan->diags.items[0].message : "no message");
    return plan;
}

static wsk_plan *load_text(const char *csv)
{
    put_file("w.csv", csv);
    return load("w.csv", NULL, NULL, WSK_OK);
}

static const wsk_elem *outdoor_of(const wsk_plan *plan)
{
    const wsk_elem *site = wsk_elem_child(plan->rig, "site", NULL);
    return wsk_elem_child(wsk_elem_child(site, "room", NULL), "outdoor", NULL);
}

static const wsk_series *series_of(const wsk_plan *plan)
{
    return &((const wsk_outdoor_params *)outdoor_of(plan)->params)->file;
}

static double temp_c(const wsk_plan *plan, double civil_s, double run_s)
{
    const wsk_outdoor_ops *ops = outdoor_of(plan)->kind->ops;
    return ops->temp_k(outdoor_of(plan)->params, civil_s, run_s) - WSK_KELVIN;
}

static void numbers_get_their_units_from_the_header(void **state)
{
    (void)state;
    static const struct {
        const char *csv;
        double t1, y1;
    } cases[] = {
        {"t_s,temp_c\n0,10\n90,20\n", 90, 293.15},
        {"t_min,T_K\n0,280\n1.5,290.5\n", 90, 290.5},
        {"t_h,outdoor_f\r0,50\r0.025,68\r", 90, 293.15},
        {"\xEF\xBB\xBFt_h,outdoor_f\r\n0,50\r\n0.025,68\r\n\r\n \r\n", 90, 293.15},
        {"# a comment, with a comma\n\n  t_d , temp_degC \n# another\n -1 , 10\n 0,-4.5e0\n", 0, 268.65},
        {"t_ms,\"temp_c\"\n\"0\",\"10\"\n90000,\"20\"", 90, 293.15},
        {"time,temp_c\n1970-01-01T00:00:00,10\n1970-01-01T00:01:30,20\n", 90, 293.15},
        {"Time,temp_c\n1970-01-01,10\n1970-01-01 00:02,20\n", 120, 293.15},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        wsk_plan *p = load_text(cases[i].csv);
        const wsk_series *s = series_of(p);
        assert_int_equal(s->count, 2);
        assert_int_equal(s->civil, i >= 6);
        assert_near(s->t[1], cases[i].t1, 1e-9);
        assert_near(s->y[1], cases[i].y1, 1e-9);
        wsk_plan_free(p);
    }
}

/* The end of a column's name states the unit of its numbers (load_kw: kW). A name without a valid unit is refused,
 * except for values without a dimension. */
static void every_dimension_has_its_endings(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        wsk_dim dim;
        double si; /* SI value of the number 2; the name must be refused if this is 0 or the currency is XXX */
        const char *currency;
    } cases[] = {
        {"load_w", WSK_DIM_POWER, 2, ""},
        {"load_kw", WSK_DIM_POWER, 2000, ""},
        {"load_mW", WSK_DIM_POWER, 0.002, ""},
        {"load_MW", WSK_DIM_POWER, 2e6, ""},
        {"load_mw", WSK_DIM_POWER, 0, ""},
        {"load", WSK_DIM_POWER, 0, ""},
        {"w", WSK_DIM_POWER, 0, ""},
        {"share_percent", WSK_DIM_FRACTION, 0.02, ""},
        {"share", WSK_DIM_FRACTION, 2, ""},
        {"n", WSK_DIM_COUNT, 2, ""},
        {"cop", WSK_DIM_NONE, 2, ""},
        {"ua_w_per_k", WSK_DIM_CONDUCTANCE, 2, ""},
        {"level_dba", WSK_DIM_SOUND, 2, ""},
        {"q_m3_per_h", WSK_DIM_FLOW, 2.0 / 3600, ""},
        {"q_cfm", WSK_DIM_FLOW, 2 * 0.028316846592 / 60, ""},
        {"price_eur_per_kwh", WSK_DIM_ENERGY_PRICE, 2 / 3.6e6, "EUR"},
        {"USD_per_MWh", WSK_DIM_ENERGY_PRICE, 2 / 3.6e9, "USD"},
        {"price_per_kwh", WSK_DIM_ENERGY_PRICE, 2 / 3.6e6, "XXX"},
        {"co2_kg_per_kwh", WSK_DIM_CARBON, 2 / 3.6e6, ""},
        {"cost_chf", WSK_DIM_PRICE, 2, "CHF"},
        {"cost_1", WSK_DIM_PRICE, 0, ""},
        {"cost_~eu", WSK_DIM_PRICE, 0, ""},
        {"cost_eu1_per_kwh", WSK_DIM_ENERGY_PRICE, 0, ""},
        {"clock_mhz", WSK_DIM_FREQUENCY, 2e6, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char csv[128];
        wsk_arena *arena = wsk_arena_new();
        wsk_diags diags;
        wsk_diags_init(&diags, arena);
        wsk_loader l = {.arena = arena, .diags = &diags};
        wsk_param p = {.name = "file", .type = WSK_TYPE_SERIES, .dim = cases[i].dim};
        wsk_series_doc doc = {.name = "w.csv", .path = "w.csv", .param = &p};
        wsk_diags_init(&doc.diags, arena);
        int len = snprintf(csv, sizeof csv, "t_s,%s\n0,2\n1,2\n", cases[i].name);
        wsk_series_parse(&l, &p, &doc, csv, (size_t)len);
        bool good = cases[i].si > 0 && strcmp(cases[i].currency, "XXX") != 0;
        if (good != (doc.series.count == 2))
            fail_msg("%s: %s", cases[i].name, doc.diags.count ? doc.diags.items[0].message : "taken");
        if (good) {
            assert_rel(doc.series.y[1], cases[i].si, 1e-12);
            assert_string_equal(doc.currency, cases[i].currency);
        }
        wsk_arena_free(arena);
    }
}

static void mean_and_period_follow_the_spacing(void **state)
{
    (void)state;
    wsk_plan *p = load_text("t_h,temp_c\n0,10\n1,20\n3,40\n");
    const wsk_series *s = series_of(p);
    assert_rel(s->period_s, 5 * 3600, 1e-12); /* the file repeats after its 3 h plus the last spacing of 2 h */
    assert_rel(s->mean - WSK_KELVIN, (15 * 1 + 30 * 2 + 25 * 2) / 5.0, 1e-9);
    const wsk_outdoor_ops *ops = outdoor_of(p)->kind->ops;
    assert_same(ops->mean_k(outdoor_of(p)->params), s->mean);
    double sum = 0;
    for (int i = 0; i < 50000; i++)
        sum += temp_c(p, 0, 3600 * (i + 0.5) * 5 / 50000);
    assert_near(sum / 50000, s->mean - WSK_KELVIN, 1e-6);
    wsk_plan_free(p);
}

static void the_air_follows_the_file(void **state)
{
    (void)state;
    wsk_plan *p = load_text("t_h,temp_c\n0,10\n1,20\n3,40\n");
    static const double at[][2] = {{0, 10}, {0.25, 12.5}, {1, 20},       {2, 30},  {3, 40}, {4, 25},
                                   {5, 10}, {6, 20},      {5e6 + 2, 30}, {-1, 25}, {-4, 20}};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++)
        assert_near(temp_c(p, 12345, at[i][0] * 3600), at[i][1], 1e-5);
    wsk_plan_free(p);
    p = load_text("time,temp_c\n2026-08-03T09:00:00,10\n2026-08-03T15:00:00,22\n2026-08-03T21:00:00,16\n");
    int64_t nine = 0;
    assert_true(wsk_parse_datetime("2026-08-03T09:00:00", &nine));
    assert_near(temp_c(p, (double)nine, 999), 10, 1e-9);
    assert_near(temp_c(p, (double)nine + 3 * 3600, 0), 16, 1e-9);
    /* The last row is 21:00. From then on the value returns to the first row's value over 6 h, the last spacing
     * between rows. */
    assert_near(temp_c(p, (double)nine + 15 * 3600, 0), 13, 1e-9);
    assert_near(temp_c(p, (double)nine + 18 * 3600, 0), 10, 1e-9);
    assert_near(temp_c(p, (double)nine - 3 * 3600, 0), 13, 1e-9);
    assert_true(isnan(temp_c(p, NAN, 0))); /* a run without a date (NAN) must not crash */
    wsk_plan_free(p);
}

static void a_year_repeats_after_365_days(void **state)
{
    (void)state;
    for (int year = 2024; year <= 2025; year++) {
        wsk_buf b = {0};
        wsk_buf_printf(&b, "time,temp_c\n");
        int64_t first = 0;
        char text[24];
        snprintf(text, sizeof text, "%d-01-01", year);
        assert_true(wsk_parse_datetime(text, &first));
        int hours = year == 2024 ? 366 * 24 : 365 * 24;
        for (int h = 0; h < hours; h++) {
            wsk_format_datetime(text, first + h * INT64_C(3600));
            wsk_buf_printf(&b, "%s,%d\n", text, h % 24);
        }
        put_bytes("w.csv", b.data, b.len);
        wsk_buf_free(&b);
        wsk_plan *p = load("w.csv", NULL, NULL, WSK_OK);
        assert_rel(series_of(p)->period_s, 365 * 86400.0, 0);
        assert_near(series_of(p)->mean - WSK_KELVIN, 11.5, 2e-3);
        for (int k = -3; k <= 3; k++)
            for (int h = 0; h < 23; h++)
                assert_near(temp_c(p, (double)first + 365 * 86400.0 * k + 86400.0 * 100 + 3600 * (h + 0.5), 0),
                            h + 0.5, 1e-6);
        wsk_plan_free(p);
    }
}

static void content_and_not_the_name_is_digested(void **state)
{
    (void)state;
    wsk_plan *a = load("good.csv", NULL, NULL, WSK_OK), *b = load("same.csv", NULL, NULL, WSK_OK);
    wsk_plan *c = load("below/good.csv", NULL, NULL, WSK_OK), *d = load_text("t_s,temp_f\n0,50\n3600,68\n");
    assert_true(a->digest == b->digest);
    assert_true(a->digest != c->digest);
    assert_true(a->digest == d->digest || fabs(series_of(a)->y[1] - series_of(d)->y[1]) > 0);
    wsk_buf out = {0};
    wsk_plan_write_resolved(c, &out);
    assert_non_null(strstr(out.data, "file=\"below/good.csv\""));
    wsk_plan *again = NULL;
    wsk_plan_input in = {.path = "-", .text = out.data, .text_len = out.len, .data_dir = folder};
    assert_int_equal(wsk_plan_load(&again, &in), WSK_OK);
    assert_true(again->digest == c->digest);
    wsk_buf_free(&out);
    wsk_plan_free(a), wsk_plan_free(b), wsk_plan_free(c), wsk_plan_free(d), wsk_plan_free(again);
}

static const wsk_diag *find(const wsk_plan *plan, const char *words)
{
    for (size_t i = 0; i < plan->diags.count; i++)
        if (strstr(plan->diags.items[i].message, words))
            return &plan->diags.items[i];
    fail_msg("no message says \"%s\", but \"%s\"", words, plan->diags.count ? plan->diags.items[0].message : "-");
    return NULL;
}

static void mistakes_are_told_at_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *csv, *says;
        int line, column;
    } cases[] = {
        {"", "no text in the file", 1, 1},
        {"# nothing\n", "no text in the file", 1, 10},
        {"t_x,temp_c\n1,2\n2,3\n", "names no unit of time", 1, 1},
        {"t_s, temp\n1,2\n2,3\n", "ends in its unit: _c, _f, _k", 1, 6},
        {"t_s;temp_c\n1;2\n", "not by a semicolon", 1, 1},
        {"1,2\n2,3\n", "expected a header", 1, 1},
        {"t_s,temp_c\n1,2\n", "fewer than two rows", 2, 1},
        {"t_s,temp_c\n1,2\n1,3\n", "is not after", 3, 1},
        {"t_s,temp_c\n1,2\n# c\n\n2, x9\n", "\"x9\" is not a number; expected one in C", 5, 4},
        {"t_s,temp_c\r\n1,2\r\n2,99\r\n", "expected at most 60 degC", 3, 3},
        {"t_s,temp_k\n1,0\n2,290\n", "expected at least -90 degC", 2, 3},
        {"t_s,temp_c\n1,2\n2,1e400\n", "not a number", 3, 3},
        {"t_s,temp_c\n1,2\n2,nan\n", "not a number", 3, 3},
        {"t_s,temp_c\n1,2\n2,3,4\n", "more than two columns", 3, 4},
        {"t_s,temp_c\n1,2\n2\n", "one column", 3, 1},
        {"t_s,temp_c\n1,2\n2,\n", "no value behind the comma", 3, 3},
        {"t_s,temp_c\n1,2\n2,20 degC\n", "not a number", 3, 3},
        {"t_s,temp_c\n1,2\n1e300,3\n", "not a time in s", 3, 1},
        {"time,temp_c\n2026-02-28,2\n2026-02-29,3\n", "not a local date", 3, 1},
        {"time,temp_c\n2026-02-28T00:00:00Z,2\n2026-03-01,3\n", "not a local date", 2, 1},
        {"t_s,temp_c\n1,2\n2,\xFF\xFE\x1B[31m\n", "\"???[31m\" is not a number", 3, 3},
        {"t_s,temp_c\n1,2\n2,0000000000000000000000000000000000000000000000000000000000000000000001\n",
         "not a number", 3, 3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        put_file("w.csv", cases[i].csv);
        wsk_plan *p = load("w.csv", NULL, NULL, WSK_EINPUT);
        const wsk_diag *d = find(p, cases[i].says);
        assert_int_equal(p->diags.errors, 1);
        assert_non_null(strstr(d->file, "/w.csv"));
        assert_int_equal(d->line, cases[i].line);
        assert_int_equal(d->column, cases[i].column);
        wsk_plan_free(p);
    }
    put_bytes("w.csv", "t_s,temp_c\0\n1,2\n", 16);
    wsk_plan *p = load("w.csv", NULL, NULL, WSK_EINPUT);
    find(p, "zero byte");
    wsk_plan_free(p);
    put_file("w.csv", "t_s,temp_c\n5,x\n4,y\n3,z\n2,2\n1\n");
    p = load("w.csv", NULL, NULL, WSK_EINPUT);
    assert_int_equal(p->diags.errors, 7);
    wsk_plan_free(p);
}

#define LONG "0123456789012345678901234567890123456789.csv"

static void values_have_a_range(void **state)
{
    (void)state;
    static const struct {
        wsk_dim dim;
        unsigned flags;
        double min, max;
        const char *csv, *says; /* says NULL: the values are taken */
    } cases[] = {
        {WSK_DIM_POWER, WSK_POSITIVE, 0, 0, "t_s,load_w\n0,1\n1,0\n", "expected more than zero"},
        {WSK_DIM_POWER, WSK_POSITIVE, 0, 0, "t_s,load_w\n0,1\n1,2\n", NULL},
        {WSK_DIM_POWER, 0, 0, 0, "t_s,load_w\n0,-1\n1,0\n", NULL},
        {WSK_DIM_POWER, 0, -5, 0, "t_s,load_w\n0,-5\n1,0\n", NULL},
        {WSK_DIM_POWER, 0, -5, 0, "t_s,load_w\n0,-5\n1,1\n", "expected at most 0 W"},
        {WSK_DIM_POWER, 0, 2, 9, "t_s,load_w\n0,5\n1,1\n", "expected at least 2 W"},
        {WSK_DIM_FRACTION, 0, 0.2, 1, "t_s,share\n0,1\n1,85\n", "expected at most 1, for its column names no unit"},
        {WSK_DIM_FRACTION, 0, 0.2, 1, "t_s,share\n0,1\n1,0.1\n", "expected at least 0.2, for its column"},
        {WSK_DIM_FRACTION, 0, 0.2, 1, "t_s,share_pct\n0,100\n1,101\n", "expected at most 100 %"},
        {WSK_DIM_TEMPERATURE, 0, 223.15, 373.15, "t_s,temp_c\n0,-50\n1,100\n", NULL},
        {WSK_DIM_TEMPERATURE, 0, 223.15, 373.15, "t_s,temp_f\n0,-58\n1,212\n", NULL},
        {WSK_DIM_TEMPERATURE, 0, 223.15, 373.15, "t_s,temp_c\n0,-50.000001\n1,1\n", "expected at least -50 degC"},
        {WSK_DIM_POWER, 0, 0, 0, "t_s,load_w\n0,1\n1,1 2\n", "is not a number"},
        {WSK_DIM_NONE, 0, 0, 0, "t_s,cop\n0,1\n1,x\n", "is not a number"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        wsk_arena *arena = wsk_arena_new();
        wsk_diags diags;
        wsk_diags_init(&diags, arena);
        wsk_loader l = {.arena = arena, .diags = &diags};
        wsk_param p = {.name = "file",
                       .type = WSK_TYPE_SERIES,
                       .dim = cases[i].dim,
                       .flags = cases[i].flags,
                       .min = cases[i].min,
                       .max = cases[i].max};
        wsk_series_doc doc = {.name = "w.csv", .path = "w.csv", .param = &p};
        wsk_diags_init(&doc.diags, arena);
        wsk_series_parse(&l, &p, &doc, cases[i].csv, strlen(cases[i].csv));
        const char *told = doc.diags.count ? doc.diags.items[0].message : "";
        if (cases[i].says ? !strstr(told, cases[i].says) : *told != '\0')
            fail_msg("case %zu: \"%s\"", i, told);
        assert_int_equal(doc.series.count, cases[i].says ? 0 : 2);
        wsk_arena_free(arena);
    }
}

/* A file has at most 20 messages, and one of more than 1,100,000 rows is refused. */
static void long_files_are_refused(void **state)
{
    (void)state;
    wsk_buf b = {0};
    wsk_buf_printf(&b, "t_s,temp_c\n");
    for (int i = 0; i < 40; i++)
        wsk_buf_printf(&b, "%d,x%d\n", i, i);
    put_file("w.csv", b.data);
    wsk_plan *p = load("w.csv", NULL, NULL, WSK_EINPUT);
    assert_int_equal(p->diags.errors, 20);
    wsk_plan_free(p);
    wsk_buf_free(&b);
    wsk_buf_printf(&b, "t_s,temp_c\n");
    char *empty = malloc(1200000);
    assert_non_null(empty);
    memset(empty, '\n', 1200000);
    wsk_buf_put(&b, empty, 1200000);
    put_bytes("w.csv", b.data, b.len);
    p = load("w.csv", NULL, NULL, WSK_EINPUT);
    find(p, "more than 1,100,000 rows");
    wsk_plan_free(p);
    wsk_buf_free(&b);
    free(empty);
}

static void files_come_from_the_data_folder_only(void **state)
{
    (void)state;
    static const struct {
        const char *file, *says;
    } cases[] = {{"../good.csv", "not the name of a data file"},
                 {"/etc/passwd", "not the name of a data file"},
                 {"", "not the name of a data file"},
                 {"below/../good.csv", "not the name of a data file"},
                 {".hidden", "not the name of a data file"},
                 {"below/", "not the name of a data file"},
                 {"below\\good.csv", "not the name of a data file"},
                 {"a\x7F.csv", "not the name of a data file"},
                 {LONG LONG LONG LONG LONG, "not the name of a data file"},
                 {"link.csv", "leads out of the data folder"},
                 {"none.csv", "there is no file"},
                 {"below", "this is a folder"},
                 {"good.csv/x", "there is no file"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        wsk_plan *p = load(cases[i].file, NULL, NULL, WSK_EINPUT);
        const wsk_diag *d = find(p, cases[i].says);
        assert_int_equal(p->diags.errors, 1);
        assert_int_equal(d->line, 2);
        assert_int_equal(d->column, 40);
        wsk_plan_free(p);
    }
    char path[512];
    snprintf(path, sizeof path, "%s/below", folder);
    wsk_plan *p = load("good.csv", path, NULL, WSK_OK);
    assert_near(series_of(p)->y[1] - WSK_KELVIN, 21, 1e-9);
    wsk_plan_free(p);
    p = load("good.csv", NULL, "-", WSK_EINPUT);
    find(p, "expected --data DIR");
    wsk_plan_free(p);
    wsk_plan_free(load("good.csv", folder, "-", WSK_OK));
    size_t len = WSK_FILE_MAX + 1;
    char *big = calloc(len, 1);
    assert_non_null(big);
    put_bytes("w.csv", big, len);
    free(big);
    p = load("w.csv", NULL, NULL, WSK_EINPUT);
    find(p, "larger than 16 MB");
    wsk_plan_free(p);
}

static void scrambled_files_end_with_a_verdict(void **state)
{
    (void)state;
    static const char good[] =
        "# weather\ntime,temp_c\n2026-08-03T09:00:00,21.5\n2026-08-03 10:00,22\n2026-08-03T11:00:00,\"23\"\n";
    static const char letters[] = ",\n\r\"#-: eE.;_\xC3\0\t9";
    char text[sizeof good];
    for (uint64_t n = 0; n < 2000; n++) {
        memcpy(text, good, sizeof good);
        for (uint64_t k = 0; k <= n % 6; k++)
            text[(size_t)(wsk_random(5, n, 2 * k) * (sizeof good - 1))] =
                letters[(size_t)(wsk_random(5, n, 2 * k + 1) * (sizeof letters - 1))];
        wsk_arena *arena = wsk_arena_new();
        wsk_diags diags;
        wsk_diags_init(&diags, arena);
        wsk_loader l = {.arena = arena, .diags = &diags};
        wsk_param p = {.name = "file", .type = WSK_TYPE_SERIES, .dim = WSK_DIM_TEMPERATURE};
        wsk_series_doc doc = {.name = "w.csv", .path = "w.csv", .param = &p};
        wsk_diags_init(&doc.diags, arena);
        wsk_series_parse(&l, &p, &doc, text, sizeof good - 1);
        assert_true((doc.series.count >= 2) == (doc.diags.errors == 0));
        wsk_arena_free(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_get_their_units_from_the_header),
        cmocka_unit_test(every_dimension_has_its_endings),
        cmocka_unit_test(mean_and_period_follow_the_spacing),
        cmocka_unit_test(the_air_follows_the_file),
        cmocka_unit_test(a_year_repeats_after_365_days),
        cmocka_unit_test(content_and_not_the_name_is_digested),
        cmocka_unit_test(mistakes_are_told_at_their_place),
        cmocka_unit_test(values_have_a_range),
        cmocka_unit_test(long_files_are_refused),
        cmocka_unit_test(files_come_from_the_data_folder_only),
        cmocka_unit_test(scrambled_files_end_with_a_verdict),
    };
    return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
