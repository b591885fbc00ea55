/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/kit/cases.h"
#include "cli/optimise/optimise.h"
#include "cli/kit/lock.h"
#include "cli/plot/plot.h"

typedef struct {
    wsk_cli_list over, where, min, max, words;
    const char *probability, *years, *resale, *jobs, *seed, *most, *duration, *step;
    bool resume, force;
} typed;

typedef struct {
    void (*one)(void *work, size_t i);
    void *work;
} passed;

static void *run_one(void *ctx, size_t i)
{
    const passed *p = ctx;
    p->one(p->work, i);
    return NULL;
}

static void together(void *ctx, size_t count, void (*one)(void *work, size_t i), void *work)
{
    const wsk_optimising *o = ctx;
    passed p = {one, work};
    wsk_cli_run_cases(&(wsk_cli_work){.count = count, .jobs = o->jobs, .ctx = &p, .run = run_one});
}

static bool goes_on(void *ctx, const wsk_optimise_progress *p)
{
    wsk_optimising *o = ctx;
    if (!o->quiet && wsk_cli_colour(2)) {
        const wsk_goal *g = &o->aims.goals[0];
        fputc('\r', stderr);
        if (p->best)
            wsk_cli_say(stderr, T_("%1$zu cases, best so far: %2$s %3$.5g   "), p->tried, g->text,
                        g->most ? -p->best[0] : p->best[0]);
        else
            wsk_cli_say(stderr, T_("%1$zu cases, none keeps the limits yet   "), p->tried);
        o->shown = true;
    }
    return !wsk_cli_interrupted();
}

static void measure(void *ctx, const wsk_summary *summary, double *out)
{
    wsk_optimising *o = ctx;
    wsk_aims_measure(&o->aims, summary, out);
}

/* The values of a case depend on the limit on overloads (wsk_aims_spare), so its key does too. */
static char *key_of(const wsk_optimising *o, const char *key)
{
    return o->aims.spared == WSK_CLI_RUNS || o->unlimited ? wsk_cli_format("%s", key)
                                                          : wsk_cli_format("spared %d %s", o->aims.spared, key);
}

static size_t recall(void *ctx, const char *key, double *out, size_t room)
{
    const wsk_optimising *o = ctx;
    if (!o->keeping)
        return 0;
    char *own = key_of(o, key);
    const size_t count = wsk_keeping_recall(o->keeping, own, out, room);
    free(own);
    return count;
}

static void keep(void *ctx, const char *key, const double *values, size_t count)
{
    wsk_optimising *o = ctx;
    if (!o->keeping)
        return;
    char *own = key_of(o, key);
    wsk_keeping_add(o->keeping, own, values, count);
    free(own);
}

static bool read_number(const char *name, const char *text, double low, double high, double *out)
{
    const char *end = NULL;
    if (!text)
        return true;
    double v = wsk_number_at(text, &end);
    if (!isnan(v) && !strcmp(end + strspn(end, " "), "%")) {
        v /= 100;
        end = "";
    }
    if (isnan(v) || *end || !(v >= low && v <= high)) {
        wsk_cli_usage(&wsk_cli_optimise, T_("--%1$s '%2$s': expected a number from %3$g to %4$g"), name, text, low,
                      high);
        return false;
    }
    *out = v;
    return true;
}

static bool read_numbers(wsk_optimising *o, const typed *t)
{
    double jobs = 0, seed = 0, most = 0;
    const bool ok = read_number("probability", t->probability, 0.5, 0.999, &o->options.probability) &&
                    read_number("years", t->years, 0.1, 100, &o->aims.years) &&
                    read_number("resale", t->resale, 0, 1, &o->aims.resale) &&
                    read_number("jobs", t->jobs, 1, WSK_CLI_JOBS_MAX, &jobs) &&
                    read_number("seed", t->seed, 0, 1e9, &seed) && read_number("most", t->most, 8, 1e6, &most);
    o->jobs = (size_t)jobs;
    o->options.seed = (uint64_t)seed;
    o->options.most = (size_t)most;
    return ok;
}

/* Chooses by how much each limit is tightened to find what the limit costs: 2 dBA, 2 K, else 1/20 of the limited value
 * at the steady point of the rig as it is. The limit on overloads is not tightened, and its uncertainty is taken as 0
 * (certain). */
static void choose_steps(wsk_optimising *o)
{
    wsk_summary *now = NULL;
    for (size_t i = 0; i < o->aims.limit_count; i++) {
        o->options.tighter[i] = 0;
        o->options.certain[i] = !o->aims.limits[i].condition;
    }
    if (wsk_steady_point(&now, o->base, WSK_STEPPER_FAST, WSK_POINT_ALONE, NULL, NULL) != WSK_OK)
        return;
    for (size_t i = 0; i < o->aims.limit_count; i++) {
        const char *text = o->aims.limits[i].text;
        const wsk_result_row *row = wsk_aims_about(text);
        if (o->options.certain[i])
            continue;
        if (row && (!strcmp(row->unit, "degC") || !strcmp(row->unit, "K") || !strcmp(row->unit, "dBA"))) {
            o->options.tighter[i] = 2;
            continue;
        }
        wsk_aims alone = o->aims;
        double v[1] = {NAN};
        wsk_expr_error error = {0};
        wsk_goal side = {0};
        char *key = wsk_cli_format("%.*s", (int)strcspn(text, "<>="), text);
        alone.goal_count = 1;
        alone.limit_count = 0;
        if (wsk_aims_side(&alone, key, &side, &error)) {
            alone.goals[0] = side;
            wsk_aims_measure(&alone, now, v);
        }
        wsk_goal_free(&side);
        free(key);
        /* amounts in these units grow with time: the value at the steady point is scaled to the length of the run */
        if (row && (!strcmp(row->unit, "GPU-h") || !strcmp(row->unit, "kWh")))
            v[0] *= wsk_rig_duration(o->base) / wsk_summary_number(now, WSK_R_SIMULATED, 0);
        o->options.tighter[i] = isfinite(v[0]) && fabs(v[0]) > 0 ? fabs(v[0]) / 20 : 0;
    }
    wsk_summary_free(now);
}

/* Returns the head of a file of cases: all that the values of the cases depend on. looked: digest of
 * wsk_choices_look. */
static char *head_of(const wsk_optimising *o, const typed *t, uint64_t looked)
{
    char *text = NULL;
    size_t len = 0;
    FILE *out = wsk_cli_text(&text, &len);
    fprintf(out, "wattsink optimise %s %s values %016llx years %.17g resale %.17g\n", wsk_version(),
            wsk_rig_digest(o->base), (unsigned long long)looked, o->aims.years, o->aims.resale);
    for (size_t i = 0; i < t->over.count; i++)
        fprintf(out, "over %s\n", t->over.items[i]);
    for (size_t i = 0; i < o->aims.goal_count; i++)
        fprintf(out, "goal %d %s\n", o->aims.goals[i].most, o->aims.goals[i].text);
    for (size_t i = 0; i < o->aims.limit_count; i++)
        fprintf(out, "limit %s\n", o->aims.limits[i].text);
    fputs("cases\n", out);
    fclose(out);
    return text;
}

/* The last line of a rig that optimise wrote: such a file may be replaced by the next answer. */
static const char MARK[] = "<!-- written by wattsink optimise -->\n";

/* WSK_OK: the file does not exist, is written in place, or is an earlier answer. Else prints a message. */
static int check_out(const char *file)
{
    if (wsk_cli_is_stream(file))
        return WSK_OK;
    char *old = wsk_cli_read(file, NULL);
    int code = WSK_OK;
    if (!old && errno != ENOENT && errno != ENOTDIR) {
        wsk_cli_error(T_("cannot read %s: %s"), file, T_(strerror(errno)));
        code = WSK_ERUN;
    } else if (old && !strstr(old, MARK)) {
        wsk_cli_error(T_("%s exists already and was not written by optimise; --force replaces it"), file);
        code = WSK_EINPUT;
    }
    free(old);
    return code;
}

static int write_rig(const wsk_optimising *o)
{
    int code;
    char *text = NULL;
    wsk_rig *rig = wsk_choices_load(&o->options, o->answer->simplest.levels, o->path, &o->rig, o->base, -1, &code);
    if (rig)
        code = (int)wsk_rig_resolved(rig, &text);
    if (code == WSK_OK) {
        char *marked = wsk_cli_format("%s%s", text, MARK);
        code = wsk_cli_write_path(o->out, marked, strlen(marked)) ? WSK_OK : WSK_ERUN;
        free(marked);
    }
    wsk_text_free(text);
    wsk_rig_free(rig);
    return code;
}

static bool serves_model(const wsk_rig *rig)
{
    const wsk_elements *all = NULL;
    int workload = -1;
    if (wsk_rig_elements(rig, &all) == WSK_OK)
        workload = wsk_elements_next(all, "workload", -1, -1);
    const bool serves = workload >= 0 && wsk_elements_text(all, workload, "model");
    wsk_elements_free(all);
    return serves;
}

/* Searches with the limit that nothing is overloaded, trips, shuts down or lacks memory. If no case keeps the limits
 * then, searches again with overloads allowed, then also with too little memory for the model, and last without this
 * limit. */
static int search_spared(wsk_optimising *o)
{
    int code = WSK_OK;
    for (wsk_cli_burden most = o->unlimited ? WSK_CLI_STOPS : WSK_CLI_RUNS; most <= WSK_CLI_STOPS; most++) {
        if (most == WSK_CLI_LACKS_MEMORY && !serves_model(o->base))
            continue;
        wsk_optimum_free(o->answer);
        o->answer = NULL;
        wsk_aims_spare(&o->aims, most);
        o->options.limits = o->aims.limit_count;
        choose_steps(o);
        code = (int)wsk_rig_optimise(&o->answer, o->base, &o->options);
        if (code != WSK_OK || o->answer->found || o->answer->interrupted)
            break;
    }
    return code;
}

static void tell_nothing(const wsk_optimising *o)
{
    const char *goal = o->aims.goals[0].text;
    char *why = wsk_aims_has_purchase(goal) ? wsk_cli_say_currencies(&o->aims.money) : NULL;
    if (why)
        wsk_cli_error(T_("no case has a number for %1$s: %2$s"), goal, why);
    else
        wsk_cli_error(T_("no case has a number for %s: none can be built, or the rig does not have this result"),
                      goal);
    free(why);
}

static int search(wsk_optimising *o)
{
    o->options.settings = o->choices.items;
    o->options.setting_count = o->choices.count;
    o->options.over_time = o->choices.over_time;
    o->options.goals = o->aims.goal_count;
    o->options.calls = (wsk_optimise_calls){o, measure, together, goes_on, recall, keep};
    wsk_cli_catch_interrupts();
    int code = search_spared(o);
    if (o->shown)
        fprintf(stderr, "\r%70s\r", "");
    if (code == WSK_EINPUT)
        tell_nothing(o);
    else if (code != WSK_OK)
        wsk_cli_error("%s", T_(wsk_status_text((wsk_status)code)));
    if (code != WSK_OK)
        return code;
    if (o->json)
        wsk_optimise_json(o);
    else
        wsk_optimise_tell(o);
    const int *levels;
    const bool best = o->answer->found && !wsk_optimise_negative(o, &levels);
    if (o->out && best)
        code = write_rig(o);
    if (code == WSK_OK && o->out && best)
        code = wsk_optimise_draw(o);
    return code != WSK_OK ? code : o->answer->interrupted ? WSK_EINTERRUPTED : best ? WSK_OK : WSK_ERUN;
}

static int read_aims(wsk_optimising *o, const typed *t)
{
    wsk_cli_list goals = {0};
    bool most[2 * WSK_OPTIMISE_GOALS + 2] = {false};
    o->aims.rig = o->base;
    for (size_t i = 0; i < t->over.count; i++)
        o->aims.hours_vary = o->aims.hours_vary || !strncmp(t->over.items[i], "workload", strlen("workload"));
    for (size_t i = 0; i < t->min.count + t->max.count; i++) {
        if (i <= 2 * WSK_OPTIMISE_GOALS)
            most[i] = i >= t->min.count;
        wsk_cli_push(&goals, i < t->min.count ? t->min.items[i] : t->max.items[i - t->min.count]);
    }
    const int code = wsk_aims_read(&o->aims, &goals, most, &t->where);
    free(goals.items);
    return code;
}

/* Adds the settings of --over. The number of cards comes first, because values set for gpu[*] must also apply to
 * added cards. */
static int add_choices(wsk_optimising *o, const typed *t)
{
    int code = WSK_OK;
    for (int counts = 1; counts >= 0; counts--)
        for (size_t i = 0; i < t->over.count && code == WSK_OK; i++)
            if ((strstr(t->over.items[i], "gpu[*].count=") != NULL) == counts)
                code = wsk_choices_add(&o->choices, t->over.items[i], o->path, &o->rig, o->base);
    return code;
}

static int optimise(wsk_optimising *o, const typed *t)
{
    int code;
    uint64_t looked;
    o->base = wsk_cli_load(o->path, &o->rig, o->quiet ? 0 : 1, &code);
    if (!o->base)
        return code;
    code = read_aims(o, t);
    o->unlimited = code == WSK_OK && wsk_aims_load(&o->aims);
    o->choices.by_carbon = code == WSK_OK && strstr(o->aims.goals[0].text, "carbon") != NULL;
    code = code == WSK_OK ? add_choices(o, t) : code;
    code = code == WSK_OK ? wsk_choices_look(&o->choices, o->path, &o->rig, o->base, o->quiet, &looked) : code;
    code = code == WSK_OK ? wsk_optimise_check_cards(o) : code;
    wsk_cli_lock *held = NULL;
    if (code == WSK_OK &&
        !(wsk_cli_lock_output(&held, o->out, "optimise") && wsk_cli_lock_output(&held, o->cases, "optimise")))
        code = WSK_ERUN;
    if (code == WSK_OK && o->cases) {
        char *head = head_of(o, t, looked);
        code = wsk_keeping_open(&o->keeping, o->cases, head, t->resume, t->force);
        free(head);
    }
    if (code == WSK_OK)
        code = search(o);
    const bool kept = wsk_keeping_close(o->keeping);
    wsk_cli_lock_drop(held);
    return code == WSK_OK && !kept ? WSK_ERUN : code;
}

static int main_optimise(int argc, char **argv)
{
    /* assumed defaults: docs/theory/constants.md, "write-off" */
    wsk_optimising o = {.aims = {.years = 4, .resale = 0.25}};
    typed t = {0};
    const wsk_cli_option options[] = {{.name = "over", .list = &t.over},
                                      {.name = "min", .list = &t.min},
                                      {.name = "max", .list = &t.max},
                                      {.name = "where", .list = &t.where},
                                      {.name = "probability", .value = &t.probability},
                                      {.name = "years", .value = &t.years},
                                      {.name = "resale", .value = &t.resale},
                                      {.name = "out", .letter = 'o', .value = &o.out},
                                      {.name = "cases", .value = &o.cases},
                                      {.name = "resume", .flag = &t.resume},
                                      {.name = "force", .flag = &t.force},
                                      {.name = "jobs", .letter = 'j', .value = &t.jobs},
                                      {.name = "seed", .value = &t.seed},
                                      {.name = "most", .value = &t.most},
                                      {.name = "for", .value = &t.duration},
                                      {.name = "format", .value = &o.format},
                                      {.name = "json", .flag = &o.json},
                                      {.name = "quiet", .letter = 'q', .flag = &o.quiet},
                                      {.name = "exchange", .list = &o.rig.exchanges},
                                      WSK_CLI_PRICED_RIG_OPTIONS(o.rig),
                                      {.name = NULL}};
    int code = wsk_cli_parse(&wsk_cli_optimise, argc, argv, options, &t.words);
    if (code != WSK_OK) {
        code = code < 0 ? WSK_OK : code;
    } else if (t.words.count != 1) {
        code = wsk_cli_one_rig(&wsk_cli_optimise, &t.words);
    } else if (t.over.count == 0) {
        code = wsk_cli_usage(&wsk_cli_optimise, T_("--over is missing: what may be changed?"));
    } else if (t.min.count + t.max.count == 0) {
        code = wsk_cli_usage(&wsk_cli_optimise, T_("--min or --max is missing: what is best?"));
    } else if (t.resume && !o.cases) {
        code = wsk_cli_usage(&wsk_cli_optimise, T_("--resume needs --cases FILE"));
    } else if (o.format && !wsk_plot_is_format(o.format)) {
        code = wsk_cli_usage(&wsk_cli_optimise, T_("no format '%s'; there are svg, png, pdf and term"), o.format);
    } else if (o.format && (!o.out || t.min.count + t.max.count < 2)) {
        code = wsk_cli_usage(&wsk_cli_optimise,
                             T_("--format draws a Pareto front: it needs two goals or three, and -o FILE"));
    } else if (o.out && wsk_cli_same_file(o.out, t.words.items[0])) {
        code = wsk_cli_usage(&wsk_cli_optimise, T_("-o %s is the rig itself; expected another file"), o.out);
    } else if (o.cases && wsk_cli_same_file(o.cases, t.words.items[0])) {
        code = wsk_cli_usage(&wsk_cli_optimise, T_("--cases %s is the rig itself; expected another file"), o.cases);
    } else if (o.out && o.rig.prices && wsk_cli_same_file(o.out, o.rig.prices)) {
        code = wsk_cli_usage(&wsk_cli_optimise, T_("-o %s is the file of --prices; expected another file"), o.out);
    } else if (o.cases && o.rig.prices && wsk_cli_same_file(o.cases, o.rig.prices)) {
        code = wsk_cli_usage(&wsk_cli_optimise, T_("--cases %s is the file of --prices; expected another file"),
                             o.cases);
    } else if (o.out && o.cases && (!strcmp(o.out, o.cases) || wsk_cli_same_file(o.out, o.cases))) {
        code = wsk_cli_usage(&wsk_cli_optimise, T_("-o and --cases are the same file, %s; expected two"), o.out);
    } else if (!read_numbers(&o, &t)) {
        code = WSK_EUSAGE;
    } else if (o.out && !t.force && (code = check_out(o.out)) != WSK_OK) {
        ; /* check_out has printed why */
    } else {
        o.path = t.words.items[0];
        char *set = wsk_cli_set_by(&o.rig, "--for", "run.for", t.duration);
        code = optimise(&o, &t);
        free(set);
    }
    wsk_optimum_free(o.answer);
    wsk_choices_free(&o.choices);
    wsk_aims_free(&o.aims);
    wsk_rig_free(o.base);
    wsk_cli_list *const lists[] = {&t.over, &t.where, &t.min, &t.max, &t.words, &o.rig.sets, &o.rig.exchanges};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        free(lists[i]->items);
    return code;
}

const wsk_cli_command wsk_cli_optimise = {
    .name = "optimise",
    .usage = "RIG.xml --over PATH=LOW:HIGH... --min EXPR [--where CONDITION]... [-o RIG.xml]",
    .summary = N_("the best settings of a rig, under limits that hold with a stated probability"),
    .options = N_(
        "  --over PATH=LOW:HIGH a setting: a range, with a step LOW:HIGH:STEP or without, or values A,B\n"
        "  --over PATH         places of cards (gpu[*].slot), a fan curve (fan[0].curve), hours "
        "(workload.load-curve)\n"
        "  --over 'gpu[*].count=1:4'       the number of cards\n"
        "  --over PATH=LOW:HIGH of gpu[*].limit-schedule or workload.load-curve: a value for each price of the hour\n"
        "  --min EXPR          goal: the lowest value of a key of summary.json, or of an expression of keys\n"
        "  --max EXPR          goal: the highest value; up to three goals give a Pareto front\n"
        "  --where CONDITION   a limit, such as 'noise_dba < 45 dBA'; several, or linked by 'and', must all hold\n"
        "  --probability 80%   probability with which each limit must hold, given the uncertainty of the inputs\n"
        "  --years 4           years over which owning.annual and owning.per_work write the purchase off\n"
        "  --resale 25%        resale value after these years, as a share of the purchase\n"
        "  -o FILE             write the rig with the settings that are easiest to set and as good as the best\n"
        "  --cases FILE        store each computed case in FILE\n"
        "  --resume            use the cases that --cases stored; the answer is the same\n"
        "  --force             replace that file, and one of -o that optimise did not write\n"
        "  -j, --jobs N        threads (default: one a core); the answer does not depend on it\n"
        "  --most N            most cases of the search (default: about 60, and 50 for each setting)\n"
        "  --seed N            seed of the points with which the search starts\n"
        "  --for 7d            duration of the runs that check the answer\n"
        "  --set PATH=VALUE    change a value in all cases\n"
        "  --format png        draw the Pareto front, into BEST.plots beside the file -o BEST.xml: svg, png or pdf\n"
        "  --json              the answer as JSON\n"
        "  -q, --quiet         no warnings, no progress\n"
        "  --parts DIR         your own parts, searched before the catalogue\n"
        "  --prices FILE       prices of parts: id, price with its currency, date in each row\n"
        "  --exchange RATE     such as EUR=1.08USD: prices of parts are converted to the currency of the tariff\n"
        "  --data DIR          data files, instead of the rig's folder\n"
        "Exit code 1: no case keeps all limits, and the answer says which of them conflict; or a cost of work is "
        "negative.\n"),
    .example = "wattsink optimise scenarios/quad-3090-blower/rig.xml --over 'gpu[*].power-limit=150W:350W' --min "
               "cost_per_work --where 'sum(gpus.work_rel) > 3' --where 'noise_dba < 70 dBA'",
    .run = main_optimise};
