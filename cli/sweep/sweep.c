/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/kit/cases.h"
#include "cli/plot/plot.h"
#include "cli/sweep/ranks.h"
#include "cli/sweep/inner.h"

typedef struct {
    wsk_cli_list vary, words;
    const char *sample, *seed, *method, *jobs, *lanes, *duration, *step, *stepper;
} typed;

static bool whole(const wsk_cli_command *command, const char *name, const char *text, double least, double most,
                  size_t missing, size_t *out)
{
    const char *end = NULL;
    double value = text ? wsk_number_at(text, &end) : NAN;
    *out = missing;
    if (!text)
        return true;
    if (*end || !(value >= least && value <= most) || fabs(value - floor(value)) > 0) {
        wsk_cli_usage(command, T_("--%s '%s': expected a whole number from %.0f to %.0f"), name, text, least, most);
        return false;
    }
    *out = (size_t)value;
    return true;
}

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n > m && !strcmp(text + n - m, end);
}

/* Sets s->out, the file of -o (default NAME.sqlite), and s->db, the SQLite file: FILE.csv.sqlite if s->out is a CSV
 * file, else s->out. On failure prints a message and returns false. */
static bool name_file(wsk_sweep *s, const wsk_cli_command *command)
{
    static const char *const databases[] = {".sqlite", ".sqlite3", ".db"};
    if (!s->out && !strcmp(s->path, "-")) {
        wsk_cli_usage(command, T_("a rig from standard input needs -o FILE"));
        return false;
    }
    if (!s->out) {
        char *rig = wsk_cli_rig_label(s->path);
        s->out = s->label = wsk_cli_format("%s.sqlite", rig);
        free(rig);
    }
    s->csv = ends_with(s->out, ".csv");
    bool known = s->csv;
    for (size_t i = 0; i < sizeof databases / sizeof *databases; i++)
        known = known || ends_with(s->out, databases[i]);
    if (!known)
        wsk_cli_usage(command, T_("-o '%s': expected a file that ends in .sqlite, .db or .csv"), s->out);
    s->db = wsk_cli_format(s->csv ? "%s.sqlite" : "%s", s->out);
    return known;
}

static int read_options(wsk_sweep *s, const wsk_cli_command *command, int argc, char **argv, typed *t)
{
    const wsk_cli_option options[] = {{.name = "vary", .list = &t->vary},
                                      {.name = "sample", .value = &t->sample},
                                      {.name = "seed", .value = &t->seed},
                                      {.name = "method", .value = &t->method},
                                      {.name = "best", .value = &s->best_text},
                                      {.name = "pareto", .value = &s->pareto_text},
                                      {.name = "columns", .value = &s->columns_text},
                                      {.name = "format", .value = &s->format},
                                      {.name = "jobs", .letter = 'j', .value = &t->jobs},
                                      {.name = "out", .letter = 'o', .value = &s->out},
                                      {.name = "resume", .flag = &s->resume},
                                      {.name = "force", .flag = &s->force},
                                      {.name = "for", .value = &t->duration},
                                      {.name = "step", .value = &t->step},
                                      {.name = "stepper", .value = &t->stepper},
                                      {.name = "leap", .flag = &s->run.leap},
                                      {.name = "lanes", .value = &t->lanes},
                                      {.name = "json", .flag = &s->json},
                                      {.name = "quiet", .letter = 'q', .flag = &s->quiet},
                                      WSK_CLI_PRICED_RIG_OPTIONS(s->rig),
                                      {.name = "exchange", .list = &(s->rig).exchanges},
                                      {.name = NULL}};
    int code = wsk_cli_parse(command, argc, argv, options, &t->words);
    if (code != WSK_OK)
        return code;
    if (t->words.count != 1)
        return wsk_cli_one_rig(command, &t->words);
    if (!t->vary.count)
        return wsk_cli_usage(command, T_("nothing is varied: --vary PATH=A,B or PATH=LOW:HIGH:STEP"));
    if (!t->sample && (t->seed || t->method))
        return wsk_cli_usage(command, T_("--%s is for --sample N"), t->seed ? "seed" : "method");
    if (s->format && !s->pareto_text)
        return wsk_cli_usage(command, T_("--format is for --pareto A,B"));
    if (s->resume && s->force)
        return wsk_cli_usage(command, T_("--resume or --force, not both"));
    if (t->method && strcmp(t->method, "lhs") != 0 && strcmp(t->method, "sobol") != 0)
        return wsk_cli_usage(command, T_("--method '%s': expected lhs or sobol"), t->method);
    if (!s->format)
        s->format = "svg";
    if (!wsk_plot_is_format(s->format))
        return wsk_cli_usage(command, T_("no format '%s'; there are svg, png, pdf and term"), s->format);
    s->path = t->words.items[0];
    s->run.stride = s->run.leap;
    if (!name_file(s, command))
        return WSK_EUSAGE;
    if (s->rig.prices && (wsk_cli_same_file(s->out, s->rig.prices) || wsk_cli_same_file(s->db, s->rig.prices)))
        return wsk_cli_usage(command, T_("-o %s is the file of --prices; expected another file"), s->out);
    if (wsk_cli_same_file(s->out, s->path) || wsk_cli_same_file(s->db, s->path))
        return wsk_cli_usage(command, T_("-o %s is the rig itself; expected another file"), s->out);
    if (!wsk_cli_stepper(command, t->stepper, &s->run.stepper) ||
        !whole(command, "jobs", t->jobs, 1, WSK_CLI_JOBS_MAX, 0, &s->jobs) ||
        !whole(command, "lanes", t->lanes, 1, WSK_CLI_TOGETHER, 1, &s->lanes))
        return WSK_EUSAGE;
    size_t users = s->rig.sets.count;
    wsk_cli_set_by(&s->rig, "--for", "run.for", t->duration);
    wsk_cli_set_by(&s->rig, "--step", "run.step", t->step);
    s->own_sets = s->rig.sets.count - users;
    return WSK_OK;
}

/* Axes, settings and options are stored in the file as texts, because the rows depend on them. A refused --resume
 * shows them. */
static void describe(wsk_sweep *s, const typed *t)
{
    size_t len = 0;
    FILE *out = wsk_cli_text(&s->axes_text, &len);
    for (size_t i = 0; i < t->vary.count; i++)
        fprintf(out, "%s%s", i ? "; " : "", t->vary.items[i]);
    fclose(out);
    out = wsk_cli_text(&s->settings_text, &len);
    for (size_t i = 0; i < s->rig.sets.count; i++)
        fprintf(out, "%s%s", i ? "; " : "", s->rig.sets.items[i]);
    fclose(out);
    char *sample = t->sample ? wsk_cli_format("sample %s by %s, seed %s", t->sample, t->method ? t->method : "lhs",
                                              t->seed ? t->seed : "0")
                             : wsk_cli_format("every combination");
    s->options_text =
        wsk_cli_format("%s, stepper %s%s, columns %s", sample, t->stepper ? t->stepper : "fast",
                       s->run.leap ? " with leaps" : "", s->columns_text ? s->columns_text : "as usual");
    free(sample);
}

static void make_digest(wsk_sweep *s)
{
    uint64_t hash = WSK_HASH_EMPTY;
    const char *const texts[] = {wsk_version(), s->rig_digest, s->axes_text, s->options_text};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (texts[i])
            hash = wsk_hash_more(hash, texts[i], strlen(texts[i])) ^ '\n';
    snprintf(s->digest, sizeof s->digest, "%016llx", (unsigned long long)hash);
}

static int begin(wsk_sweep *s, const wsk_cli_command *command, typed *t, bool speak)
{
    size_t sample, seed;
    if (!whole(command, "sample", t->sample, 1, 1e6, 0, &sample) ||
        !whole(command, "seed", t->seed, 0, 9e15, 0, &seed))
        return WSK_EUSAGE;
    wsk_design how = t->method && !strcmp(t->method, "sobol") ? WSK_DESIGN_SOBOL : WSK_DESIGN_LHS;
    if (!wsk_sweep_lay_out(&s->design, &t->vary, sample, how, seed))
        return WSK_EUSAGE;
    describe(s, t);
    int code = wsk_sweep_look(s, speak);
    if (code == WSK_OK)
        code = wsk_sweep_choose_columns(s, speak);
    make_digest(s);
    return code;
}

int wsk_sweep_new(wsk_sweep **out, const wsk_cli_command *command, int argc, char **argv, bool speak)
{
    typed t = {0};
    wsk_sweep *s = *out = wsk_cli_alloc(sizeof *s);
    int code = read_options(s, command, argc, argv, &t);
    if (code == WSK_OK)
        code = begin(s, command, &t, speak);
    free(t.vary.items);
    free(t.words.items);
    return code;
}

void wsk_sweep_free(wsk_sweep *s)
{
    if (!s)
        return;
    wsk_store_close(s->store);
    wsk_sweep_design_free(&s->design);
    wsk_sweep_columns_free(&s->columns);
    wsk_cli_list_free(&s->rig.sets, s->rig.sets.count - s->own_sets);
    free(s->rig.exchanges.items);
    wsk_rig_free(s->whole);
    free(s->label);
    free(s->column_names);
    free(s->axes_text);
    free(s->options_text);
    free(s->settings_text);
    free(s->db);
    free(s->has);
    free(s);
}

size_t wsk_sweep_cases(const wsk_sweep *s)
{
    return s->design.cases;
}

size_t wsk_sweep_jobs(const wsk_sweep *s)
{
    return s->jobs;
}

size_t wsk_sweep_lanes(const wsk_sweep *s)
{
    return s->lanes;
}

bool wsk_sweep_shows_progress(const wsk_sweep *s)
{
    return !s->quiet && isatty(STDERR_FILENO);
}

const char *wsk_sweep_digest(const wsk_sweep *s)
{
    return s->digest;
}

typedef struct {
    wsk_sweep *sweep;
    size_t *todo, count; /* todo: numbers of the cases to run, from 0; count: how many */
    size_t together;
    int code;
} crew;

static void *run_some(void *ctx, size_t k)
{
    const crew *c = ctx;
    size_t first = k * c->together, n = c->count - first < c->together ? c->count - first : c->together;
    char **rows = wsk_cli_alloc(c->together * sizeof *rows);
    if (!wsk_cli_interrupted())
        wsk_sweep_run_cases(c->sweep, c->todo + first, n, rows);
    return rows;
}

static bool keep_some(void *ctx, size_t k, void *result)
{
    crew *c = ctx;
    char **rows = result;
    size_t first = k * c->together;
    for (size_t i = 0; i < c->together && first + i < c->count; i++) {
        if (!rows[i])
            c->code = c->code == WSK_OK ? WSK_EINTERRUPTED : c->code;
        else if (c->code == WSK_OK || c->code == WSK_EINTERRUPTED) {
            int code = wsk_sweep_store(c->sweep, rows[i]);
            c->code = code == WSK_OK ? c->code : code;
        }
        free(rows[i]);
    }
    free(rows);
    return c->code == WSK_OK;
}

static int run_missing(wsk_sweep *s)
{
    size_t cases = s->design.cases;
    crew c = {.sweep = s, .todo = wsk_cli_alloc((cases - s->stored) * sizeof *c.todo)};
    for (size_t i = 0; i < cases; i++)
        if (wsk_sweep_missing(s, i))
            c.todo[c.count++] = i;
    c.together = s->lanes;
    wsk_cli_work work = {.count = (c.count + c.together - 1) / c.together,
                         .of = c.count,
                         .jobs = s->jobs,
                         .progress = wsk_sweep_shows_progress(s),
                         .ctx = &c,
                         .run = run_some,
                         .done = keep_some};
    if (work.count)
        wsk_cli_run_cases(&work);
    free(c.todo);
    return c.code;
}

static int main_sweep(int argc, char **argv)
{
    wsk_sweep *s = NULL;
    int code = wsk_cli_become_rank(argv);
    if (code == WSK_OK)
        code = wsk_sweep_new(&s, &wsk_cli_sweep, argc, argv, true);
    if (code == WSK_OK && (code = wsk_sweep_open(s)) == WSK_OK) {
        wsk_cli_catch_interrupts();
        code = wsk_sweep_report(s, run_missing(s));
    }
    wsk_sweep_free(s);
    return code < 0 ? WSK_OK : code;
}

const wsk_cli_command wsk_cli_sweep = {
    .name = "sweep",
    .usage = "RIG.xml --vary PATH=V1,V2,... [--vary ...] [--sample N] [--best EXPR] [-o FILE]",
    .summary = N_("the design space of a rig: every combination, a row each"),
    .options = N_(
        "  --vary PATH=A,B     an axis: values, or a range 200W:350W:10W; all combinations of several;\n"
        "                      'PATH=A,B&OTHER=C,D' moves two together\n"
        "  --sample N          N cases instead of all; ranges are continuous between their ends\n"
        "  --method NAME       one of lhs (default), sobol; a Latin hypercube, or Sobol's sequence\n"
        "  --seed N            of the sample (default 0)\n"
        "  --best EXPR         the best case and those around it: 'min cost.annual where gpus.die_max_c < 83'\n"
        "  --pareto A,B        the cases that no other beats in both, as a table and a picture\n"
        "  --format NAME       of the picture: one of svg (default), png, pdf, term\n"
        "  --columns A,B       keys of summary.json to keep (default: all)\n"
        "  -o, --out FILE      .sqlite (default ./NAME.sqlite) or .csv\n"
        "  --resume            run what FILE does not have yet\n"
        "  --force             replace FILE\n"
        "  -j, --jobs N        threads (default: one a core); the rows do not depend on it\n"
        "  --for 7d, --step 1s how long to simulate each case, and the time step\n"
        "  --set PATH=VALUE    change a value in all cases\n"
        "  --stepper NAME      one of fast (default), reference\n"
        "  --leap              skip cycles that repeat, leap where little changes\n"
        "  --lanes N           cases that a thread takes side by side, 1 (default) to 8; the rows do not depend on "
        "it\n"
        "  --json              print the answer as JSON\n"
        "  -q, --quiet         no warnings, no progress\n"
        "  --parts DIR         your own parts, searched before the catalogue\n"
        "  --prices FILE       prices of parts: id, price with its currency, date in each row\n"
        "  --exchange RATE     such as EUR=1.08USD: prices of parts are converted to the currency of the tariff\n"
        "  --data DIR          data files, instead of the rig's folder\n"
        "Exit code 1: some cases failed; their rows say why.\n"),
    .example = "wattsink sweep scenarios/single-3090/rig.xml --vary 'gpu.power-limit=200W:350W:10W' --for 1d",
    .run = main_sweep};
