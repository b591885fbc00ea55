/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The studies of the library without memory: advice, ranges, searches, fits, files. Each place in the source that
 * allocates, told apart by its callers, fails once alone and once with all that follow. The study must then return
 * WSK_ENOMEM, or the same answer as with enough memory. Bugs that this test found: a fit to a log that took a replay
 * without memory for one that the model cannot simulate, a check without the section on sizing, an uncertainty without
 * a source, and crashes in a search and in writing a calibrated rig. */
#include "tests/fault/starved.h"

#ifdef STARVED
#include <math.h>

#include "sim/base/base.h"
#include "tests/fault/places.h"
#include "tests/unit/log_samples.h"

/* ---- studies ---- */

/* Answers of a study as text, with memory and without. Fixed buffers, because an allocation could fail. */
static struct {
    char text[1 << 19];
    size_t len;
} told[2], *now;

static void tell(const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    const int n = vsnprintf(now->text + now->len, sizeof now->text - now->len, fmt, args);
    va_end(args);
    now->len += (size_t)n;
    assert_true(now->len < sizeof now->text);
}

/* Adds a text of the library to the answer and frees the text. */
static wsk_status tell_text(wsk_status status, char *text)
{
    if (status == WSK_OK)
        tell("%s\n", text);
    wsk_text_free(text);
    return status;
}

static wsk_status tell_summary(wsk_status status, wsk_summary *s)
{
    char *json = NULL;
    if (status == WSK_OK)
        status = wsk_summary_set_number(s, WSK_R_WALL_CLOCK, 0, 0);
    if (status == WSK_OK)
        status = tell_text(wsk_summary_json(s, &json), json);
    wsk_summary_free(s);
    return status;
}

static wsk_status tell_findings(wsk_status status, wsk_findings *f)
{
    char *json = NULL;
    const wsk_said *said[400];
    size_t n = 0;
    for (int indent; f && n < wsk_findings_count(f) && n < 400; n++)
        said[n] = wsk_findings_line(f, n, &indent);
    if (status == WSK_OK && (status = wsk_said_json(said, n, &json)) == WSK_OK) {
        wsk_findings *again = NULL;
        status = wsk_findings_read(json, strlen(json), &again);
        if (status == WSK_OK)
            tell("%zu of %zu\n", wsk_findings_count(again), n);
        wsk_findings_free(again);
    }
    if (status == WSK_OK)
        tell("%s\n", json);
    wsk_text_free(json);
    wsk_findings_free(f);
    return status;
}

static void tell_calibration(const wsk_calibration *c)
{
    for (size_t i = 0; i < c->count; i++)
        tell("%s %.17g %.17g\n", c->values[i].name, c->values[i].value, c->values[i].spread);
}

/* A run of twelve minutes, judged; and the same run from its saved bytes. */
static wsk_status judge(const wsk_rig *rig)
{
    wsk_run *run = NULL, *copy = NULL;
    wsk_summary *s = NULL;
    char *text = NULL;
    size_t len = 0;
    const wsk_run_options with = {.duration_s = 1200, .leap = true, .stride = true};
    wsk_status status = wsk_run_new(&run, rig, &with);
    if (status == WSK_OK)
        status = wsk_run_advance(run, 720);
    if (status == WSK_OK)
        status = wsk_run_save(run, &text, &len);
    if (status == WSK_OK)
        status = wsk_run_new(&copy, rig, &with);
    if (status == WSK_OK)
        status = wsk_run_restore(copy, text, len);
    wsk_text_free(text);
    text = NULL;
    wsk_run *both[] = {run, copy};
    wsk_status each[2];
    if (status == WSK_OK)
        status = wsk_runs_advance(both, 2, 1200, each);
    if (status == WSK_OK)
        status = wsk_run_judge(rig, copy);
    if (status == WSK_OK)
        status = tell_text(wsk_run_page(copy, NULL, &text), text);
    if (status == WSK_OK)
        status = wsk_run_summary(&s, copy, 0);
    status = status == WSK_OK ? tell_summary(status, s) : status;
    wsk_run_free(run);
    wsk_run_free(copy);
    return status;
}

static wsk_status point(const wsk_rig *rig)
{
    wsk_summary *s = NULL;
    char *text = NULL;
    wsk_status status = wsk_steady_point(&s, rig, WSK_STEPPER_FAST, WSK_POINT_RANGES + WSK_POINT_ADVICE, NULL, &text);
    wsk_text_free(text);
    text = NULL;
    status = status == WSK_OK ? tell_summary(status, s) : status;
    if (status == WSK_OK)
        status = tell_text(wsk_steady_page(rig, WSK_STEPPER_REFERENCE, 0, NULL, NULL, &text), text);
    return status;
}

static wsk_status advice(const wsk_rig *rig)
{
    char *text = NULL;
    return tell_text(wsk_rig_advice(rig, &text), text);
}

static wsk_status spread(const wsk_rig *rig)
{
    char *json = NULL;
    wsk_uncertainty *u = NULL;
    wsk_status status = tell_text(wsk_rig_spread(rig, WSK_STEPPER_FAST, &json), json);
    if (status == WSK_OK && (status = wsk_rig_uncertainty(&u, rig, WSK_STEPPER_FAST)) == WSK_OK)
        for (size_t i = 0; i < wsk_uncertainty_sources(u); i++) {
            wsk_uncertainty_source source;
            wsk_uncertainty_get(u, i, &source);
            tell("%s %s %.17g\n", source.key, source.where, source.site_rel);
        }
    wsk_uncertainty_free(u);
    return status;
}

static wsk_status checks(const wsk_rig *rig)
{
    wsk_findings *f = NULL;
    bool missing;
    char *text = NULL;
    wsk_status status = wsk_rig_check(rig, false, &f);
    status = tell_findings(status, f);
    f = NULL;
    if (status == WSK_OK)
        status = tell_findings(wsk_part_lines(NULL, "parts", "gpu/rtx-3090", &f, &missing), f);
    f = NULL;
    if (status == WSK_OK)
        status = tell_findings(wsk_kinds_lines("psu", &f), f);
    if (status == WSK_OK)
        status = tell_text(wsk_schema_text(&text), text);
    return status;
}

static wsk_status sources(const wsk_rig *rig)
{
    wsk_findings *f = NULL;
    const wsk_status status = wsk_rig_check(rig, true, &f);
    return tell_findings(status, f);
}

static wsk_status export(const wsk_rig *rig)
{
    char *spice = NULL, *json = NULL;
    const wsk_status status = tell_text(wsk_rig_export(rig, WSK_EXPORT_SPICE, 60, &spice), spice);
    return status == WSK_OK ? tell_text(wsk_rig_export(rig, WSK_EXPORT_JSON, 60, &json), json) : status;
}

/* Goal: power at the wall; limits: work, and `cool` K of the GPU temperature. */
static void measure(void *ctx, const wsk_summary *s, double *out)
{
    const double *most_c = ctx;
    out[0] = wsk_summary_over(s, WSK_R_WALL_PEAK_W, WSK_OVER_NONE);
    out[1] = wsk_summary_over(s, WSK_R_GPU_WORK, WSK_OVER_SUM) - 1.5;
    out[2] = *most_c - wsk_summary_over(s, WSK_R_GPU_DIE_MAX, WSK_OVER_MAX);
}

static wsk_status search(const wsk_rig *rig, double most_c)
{
    static const char *const watts[] = {"200 W", "260 W", "320 W"}, *const degrees[] = {"18 degC", "25 degC"};
    const wsk_setting settings[] = {{.path = "gpu[*].power-limit", .values = watts, .count = 3, .ordered = true},
                                    {.path = "room.temperature", .values = degrees, .count = 2}};
    const wsk_optimise_options options = {.settings = settings,
                                          .setting_count = 2,
                                          .goals = 1,
                                          .limits = 2,
                                          .tighter = {0.1, 1},
                                          .duration_s = 600,
                                          .calls = {.ctx = &most_c, .measure = measure}};
    wsk_optimum *o = NULL;
    char *sets = NULL;
    wsk_status status = wsk_rig_optimise(&o, rig, &options);
    if (status == WSK_OK && o->found) {
        tell("%d %d %.17g\n", o->best.levels[0], o->best.levels[1], o->best.point[0]);
        status = tell_text(wsk_optimise_sets(&options, o->simplest.levels, &sets), sets);
    } else if (status == WSK_OK) {
        for (int i = 0; i < 2; i++)
            tell("%d %.17g %.17g\n", o->conflicts[i].alone, o->conflicts[i].give, o->conflicts[i].together);
    }
    wsk_optimum_free(o);
    return status;
}

static wsk_status optimise(const wsk_rig *rig)
{
    return search(rig, 200);
}

static wsk_status conflict(const wsk_rig *rig)
{
    return search(rig, 20);
}

/* ---- fits ---- */

static struct {
    char text[1 << 17];
    size_t len;
} file;

static void read_file(const char *path, size_t most)
{
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    file.len = fread(file.text, 1, most, f);
    fclose(f);
    while (file.len && file.text[file.len - 1] != '\n')
        file.len--;
    file.text[file.len] = '\0';
}

static wsk_readings readings(wsk_log_series s)
{
    return (wsk_readings){s.t_s, s.value, s.count};
}

static wsk_status fit_log(const wsk_rig *rig)
{
    wsk_log *log = NULL;
    wsk_log_fit fit;
    wsk_log_curves *curves = NULL;
    char *xml = NULL, *id = NULL, *part = NULL;
    wsk_status status = wsk_log_read(&log, "log.csv", file.text, file.len);
    if (status == WSK_OK) {
        const wsk_calibrate_trace trace = {.power = readings(wsk_log_of(log, 0, WSK_LOG_POWER)),
                                           .utilisation = readings(wsk_log_of(log, 0, WSK_LOG_UTILISATION)),
                                           .clock = readings(wsk_log_of(log, 0, WSK_LOG_CLOCK)),
                                           .die = readings(wsk_log_of(log, 0, WSK_LOG_DIE)),
                                           .fan = readings(wsk_log_of(log, 0, WSK_LOG_FAN)),
                                           .limit = readings(wsk_log_of(log, 0, WSK_LOG_LIMIT))};
        tell("%zu samples, %zu left out\n", trace.power.count, wsk_log_left_out(log));
        status = wsk_calibrate_log(rig, &trace, 1, 0.3, &fit, &curves);
    }
    if (status == WSK_OK) {
        const wsk_calibrated_card card = {0, &fit.fit, "log.csv"};
        const wsk_log_curve *curve = wsk_log_curves_of(curves, 0);
        tell_calibration(&fit.fit);
        tell_calibration(&fit.electrical.fit);
        tell("%zu %.17g\n", curve->count, curve->die_model_k[curve->count - 1]);
        status = tell_text(wsk_rig_calibrated(rig, &card, 1, &xml), xml);
        if (status == WSK_OK && (status = wsk_rig_calibrated_part(rig, &card, 1, 0, &id, &part)) == WSK_OK)
            tell("%s\n%s\n", id, part);
        wsk_text_free(id);
        wsk_text_free(part);
    }
    wsk_log_curves_free(curves);
    wsk_log_free(log);
    return status;
}

/* Fits a meter whose readings are a linear function of the card's power. */
static wsk_status fit_wall(const wsk_rig *rig)
{
    static double watts[1 << 12];
    wsk_log *log = NULL;
    wsk_wall_fit fit;
    wsk_status status = wsk_log_read(&log, "log.csv", file.text, file.len);
    if (status == WSK_OK) {
        const wsk_calibrate_trace trace = {.power = readings(wsk_log_of(log, 0, WSK_LOG_POWER)),
                                           .die = readings(wsk_log_of(log, 0, WSK_LOG_DIE))};
        for (size_t i = 0; i < trace.power.count; i++)
            watts[i] = 60 + 1.1 * trace.power.value[i];
        const wsk_readings wall = {trace.power.t_s, watts, trace.power.count};
        status = wsk_calibrate_wall(rig, &trace, 1, &wall, 0, 0.3, &fit);
    }
    if (status == WSK_OK)
        tell_calibration(&fit.fit);
    wsk_log_free(log);
    return status;
}

static wsk_status fit_sweep(const wsk_rig *rig)
{
    wsk_limits *sweep = NULL;
    wsk_calibration fit;
    size_t n;
    wsk_status status = wsk_limits_read(&sweep, "limits.csv", file.text, file.len);
    const wsk_calibrate_row *rows = status == WSK_OK ? wsk_limits_rows(sweep, &n) : NULL;
    if (rows && (status = wsk_calibrate_sweep(rig, 0, rows, n, &fit)) == WSK_OK)
        tell_calibration(&fit);
    wsk_limits_free(sweep);
    return status;
}

/* ---- files of other programs ---- */

static wsk_status read_logs(const wsk_rig *rig)
{
    (void)rig;
    wsk_status status = WSK_OK;
    for (size_t i = 0; i < WSK_LOG_SAMPLE_COUNT && status == WSK_OK; i++) {
        wsk_log *log = NULL;
        status = wsk_log_read(&log, "x.log", log_samples[i], strlen(log_samples[i]));
        tell("%s\n", wsk_status_text(status));
        status = status == WSK_EINPUT ? WSK_OK : status; /* a refused log is an answer, too */
        for (size_t m = 0; status == WSK_OK && m < wsk_log_messages(log); m++) {
            int severity, line, column;
            const wsk_said *said = wsk_log_message(log, m, &severity, &line, &column);
            tell("%d %s\n", line, wsk_said_code(said));
        }
        for (size_t k = 0; status == WSK_OK && k < wsk_log_cards(log); k++) {
            const wsk_log_series s = wsk_log_of(log, k, WSK_LOG_POWER);
            tell("%s %s %zu %g\n", wsk_log_format(log), wsk_log_card(log, k), s.count,
                 s.count ? s.value[s.count - 1] : 0);
        }
        wsk_log_free(log);
    }
    return status;
}

static wsk_status read_summaries(const wsk_rig *rig)
{
    (void)rig;
    wsk_summary **all = NULL;
    wsk_file_mistake mistake = {0};
    char *json = NULL;
    size_t n = 0;
    wsk_status status = wsk_summaries_read(&all, &n, file.text, file.len, &mistake);
    if (status == WSK_OK)
        status = tell_text(wsk_summaries_json((const wsk_summary *const *)all, n, &json), json);
    wsk_findings_free(mistake.why);
    wsk_summaries_free(all, n);
    if (status != WSK_OK)
        return status;
    /* a file that is cut */
    status = wsk_summaries_read(&all, &n, file.text, file.len / 2, &mistake);
    const wsk_status cut = status == WSK_EINPUT ? WSK_OK : status;
    wsk_findings *why = status == WSK_EINPUT ? mistake.why : NULL;
    return tell_findings(cut, why);
}

/* ---- each place without memory ---- */

static wsk_status try(wsk_status (*study)(const wsk_rig *), const wsk_rig *rig, long from, long to)
{
    now = &told[from != 0];
    now->len = 0;
    now->text[0] = 0;
    made = 0;
    fail_from = from;
    fail_to = to;
    const wsk_status status = study(rig);
    fail_from = fail_to = 0;
    return status;
}

#ifdef WSK_COVERAGE
static const int more = 3;
#else
static const int more = 1;
#endif

/* most: how many places of the study are tried; `make coverage` tries more, `make soak` each. */
static void starve(const char *name, wsk_status (*study)(const wsk_rig *), const wsk_rig *rig, long most)
{
    fail_from = fail_to = 0;                         /* a study that crashed left its numbers */
    assert_int_equal(try(study, rig, 0, 0), WSK_OK); /* the first call makes tables that later calls reuse */
    n_places = 0;
    each_allocation = note_place;
    assert_int_equal(try(study, rig, 0, 0), WSK_OK);
    each_allocation = NULL;
    const long total = made;
    const int step = getenv("WATTSINK_SOAK") ? 1 : 1 + (int)(n_places / (more * most));
    int ended = 0, tried = 0;
    for (int i = 0; i < n_places; i += step)
        for (int alone = 0; alone < 2; alone++, tried++) {
            const wsk_status status = try(study, rig, places[i], alone ? places[i] : INT32_MAX);
            ended += status == WSK_ENOMEM;
            if (status != WSK_OK && status != WSK_ENOMEM)
                fail_msg("%s: allocation %ld%s fails: status %s", name, places[i], alone ? "" : " and the rest",
                         wsk_status_text(status));
            if (status == WSK_OK && strcmp(told[0].text, told[1].text) != 0)
                fail_msg("%s: allocation %ld%s fails: another answer", name, places[i], alone ? "" : " and the rest");
        }
    print_message("%s: %ld allocations at %d places, %d tried, %d ended\n", name, total, n_places, tried, ended);
    assert_true(ended >= tried / 4);
}

static wsk_rig *load_rig(const char *path)
{
    wsk_rig *rig = NULL;
    assert_int_equal(wsk_rig_load(&rig, &(wsk_rig_options){.path = path, .parts_dir = "parts"}), WSK_OK);
    return rig;
}

#define STUDY(name, path, most) \
    static void name##_without_memory(void **state) \
    { \
        (void)state; \
        wsk_rig *rig = load_rig(path); \
        starve(#name, name, rig, most); \
        wsk_rig_free(rig); \
    }
#define FILE_STUDY(name, path, data, bytes, most) \
    static void name##_without_memory(void **state) \
    { \
        (void)state; \
        wsk_rig *rig = load_rig(path); \
        read_file(data, bytes); \
        starve(#name, name, rig, most); \
        wsk_rig_free(rig); \
    }
#define PAIR "scenarios/pair-1080/blower.xml"
#define OWN "scenarios/own-card/rig.xml"
STUDY(judge, PAIR, 40)
STUDY(point, PAIR, 20)
STUDY(advice, PAIR, 100)
STUDY(spread, PAIR, 100)
STUDY(checks, PAIR, 20)
STUDY(sources, PAIR, 100)
STUDY(export, PAIR, 100)
STUDY(optimise, PAIR, 30)
STUDY(conflict, PAIR, 100)
FILE_STUDY(fit_log, OWN, "scenarios/own-card/log.csv", 12000, 20)
FILE_STUDY(fit_wall, OWN, "scenarios/own-card/log.csv", 100000, 100)
FILE_STUDY(fit_sweep, OWN, "scenarios/own-card/limits.csv", 10000, 100)

static void read_summaries_without_memory(void **state)
{
    (void)state;
    wsk_rig *rig = load_rig(PAIR);
    wsk_summary *s = NULL;
    char *json = NULL;
    assert_int_equal(wsk_steady_point(&s, rig, WSK_STEPPER_FAST, WSK_POINT_RANGES + WSK_POINT_ADVICE, NULL, NULL),
                     WSK_OK);
    const wsk_summary *const twice[] = {s, s};
    assert_int_equal(wsk_summaries_json(twice, 2, &json), WSK_OK);
    file.len = strlen(json);
    assert_true(file.len < sizeof file.text);
    memcpy(file.text, json, file.len + 1);
    wsk_text_free(json);
    wsk_summary_free(s);
    starve("read_summaries", read_summaries, rig, 100);
    wsk_rig_free(rig);
}
STUDY(read_logs, OWN, 400)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(judge_without_memory),          cmocka_unit_test(point_without_memory),
        cmocka_unit_test(advice_without_memory),         cmocka_unit_test(spread_without_memory),
        cmocka_unit_test(checks_without_memory),         cmocka_unit_test(sources_without_memory),
        cmocka_unit_test(export_without_memory),         cmocka_unit_test(optimise_without_memory),
        cmocka_unit_test(conflict_without_memory),       cmocka_unit_test(fit_log_without_memory),
        cmocka_unit_test(fit_wall_without_memory),       cmocka_unit_test(fit_sweep_without_memory),
        cmocka_unit_test(read_summaries_without_memory), cmocka_unit_test(read_logs_without_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
