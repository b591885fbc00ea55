/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wattsink compare: several rigs, or one rig with a value varied, side by side. */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/compare.h"
#include "cli/xml.h"

static bool one_constant_psu(const char *xml)
{
    int constant = 0, other = 0;
    size_t len;
    for (const char *p = xml; (p = wsk_xml_tag(p, &len)) != NULL; p++) {
        if (!wsk_xml_is(p, "psu"))
            continue;
        const char *kind = wsk_xml_attribute(p, len, "kind");
        if (kind && !strncmp(kind, "constant\"", 9))
            constant++;
        else
            other++;
    }
    return constant == 1 && other == 0;
}

void wsk_cli_case_derive(wsk_cli_case *c, const wsk_cli_case *first)
{
    c->simulated_s = wsk_json_number(c->json, "simulated_s");
    c->wall_kwh = wsk_json_number(c->json, "energy.wall_kwh");
    c->cost = wsk_json_number(c->json, "cost.run");
    c->annual = wsk_json_number(c->json, "cost.annual");
    c->work = wsk_json_number(c->json, "work.done");
    c->purchase = wsk_json_number(c->json, "purchase");
    if (!wsk_json_text(c->json, "cost.currency", c->currency, sizeof c->currency))
        c->currency[0] = '\0';
    if (!wsk_json_text(c->json, "purchase_currency", c->purchase_currency, sizeof c->purchase_currency))
        c->purchase_currency[0] = '\0';
    char *xml = NULL;
    if (wsk_rig_resolved(c->rig, &xml) == WSK_OK) {
        c->limit_w = wsk_xml_sum(xml, "gpu", "power-limit");
        c->constant_psu = one_constant_psu(xml);
    }
    wsk_text_free(xml);
    double saved = first->annual - c->annual, dearer = c->purchase - first->purchase, factor = 0;
    for (int year = 1; year <= WSK_CLI_NPV_YEARS; year++)
        factor += pow(1 + WSK_CLI_NPV_RATE, -year);
    if (wsk_cli_other_currency(c->currency, first->currency) ||
        wsk_cli_other_currency(c->purchase_currency, first->purchase_currency) ||
        wsk_cli_other_currency(c->currency, c->purchase_currency))
        saved = NAN;
    c->npv = c == first ? 0 : saved * factor - dearer;
    c->payback_years = c != first && saved > 0 && dearer > 0 ? dearer / saved : NAN;
    c->cost_per_work = wsk_json_number(c->json, "cost_per_work");
    if (isnan(c->cost_per_work) && c->work > 0)
        c->cost_per_work = c->cost / c->work;
}

void wsk_cli_compare_json(FILE *out, const wsk_cli_case *cases, size_t count)
{
    fputs("{\"cases\": [\n", out);
    for (size_t i = 0; i < count; i++) {
        const wsk_cli_case *c = &cases[i];
        size_t len = strlen(c->json);
        while (len && c->json[len - 1] != '}')
            len--;
        while (len && strchr("} \t\r\n", c->json[len - 1])) {
            len--;
            if (c->json[len] == '}')
                break;
        }
        while (len && strchr(" \t\r\n", c->json[len - 1]))
            len--;
        fprintf(out, "%.*s,\n  \"label\": ", (int)len, c->json);
        wsk_json_quote(out, c->label);
        const struct {
            const char *name;
            double value;
        } more[] = {{"purchase", c->purchase},
                    {"payback_years", c->payback_years},
                    {"npv", c->npv},
                    {"power_limit_w", c->limit_w / (double)wsk_json_count(c->json, "gpus")},
                    {"cost_per_work", c->cost_per_work}};
        for (size_t m = 0; m < sizeof more / sizeof *more; m++) {
            char key[32];
            snprintf(key, sizeof key, "\"%s\":", more[m].name);
            if (strstr(c->json, key))
                continue; /* the summary has it already */
            fprintf(out, ", \"%s\": ", more[m].name);
            wsk_json_put_number(out, more[m].value);
        }
        fputs(i + 1 < count ? "},\n" : "}\n", out);
    }
    fputs("]}\n", out);
}

/* ---- running ---- */

typedef struct {
    pthread_mutex_t lock;
    wsk_cli_case *cases;
    size_t count, next, finished;
    bool progress;
} queue;

/* A run holds megabytes: it lives no longer than its case is at work. */
static void run_case(wsk_cli_case *c)
{
    double chunk_s = 3600;
    c->code = (int)wsk_run_new(&c->run, c->rig, &(wsk_run_options){.stepper = c->stepper, .duration_s = c->duration_s});
    double end = c->run ? wsk_run_duration(c->run) : 0;
    while (c->code == WSK_OK && wsk_run_time(c->run) < end) {
        if (wsk_cli_interrupted()) {
            c->code = WSK_EINTERRUPTED;
            break;
        }
        double start = wsk_cli_clock();
        c->code = (int)wsk_run_advance(c->run, wsk_run_time(c->run) + chunk_s);
        double took = wsk_cli_clock() - start;
        if (took < 0.05)
            chunk_s *= 2;
    }
    if (c->code == WSK_OK || c->code == WSK_EAUDIT) {
        wsk_status status = wsk_run_summary_json(c->run, wsk_cli_clock() - wsk_cli_started, &c->json);
        if (c->code == WSK_OK)
            c->code = (int)status;
    } else if (c->run && *wsk_run_error(c->run)) {
        c->why = wsk_cli_format("%s", wsk_run_error(c->run));
    }
    wsk_run_free(c->run);
    c->run = NULL;
}

static void *work(void *arg)
{
    queue *q = arg;
    for (;;) {
        pthread_mutex_lock(&q->lock);
        wsk_cli_case *c = q->next < q->count ? &q->cases[q->next++] : NULL;
        pthread_mutex_unlock(&q->lock);
        if (!c)
            return NULL;
        run_case(c);
        pthread_mutex_lock(&q->lock);
        q->finished++;
        if (q->progress)
            fprintf(stderr, "\r%zu of %zu cases", q->finished, q->count);
        pthread_mutex_unlock(&q->lock);
    }
}

/* Each case runs in one thread, so that its bits do not depend on their number. */
static void run_all(wsk_cli_case *cases, size_t count, bool progress)
{
    enum { THREADS_MAX = 64 };
    queue q = {.lock = PTHREAD_MUTEX_INITIALIZER, .cases = cases, .count = count, .progress = progress};
    pthread_t threads[THREADS_MAX];
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    size_t want = cores > 1 ? (size_t)cores : 1, made = 0;
    if (want > count)
        want = count;
    if (want > THREADS_MAX)
        want = THREADS_MAX;
    while (made + 1 < want && pthread_create(&threads[made], NULL, work, &q) == 0)
        made++;
    work(&q);
    for (size_t i = 0; i < made; i++)
        pthread_join(threads[i], NULL);
    if (progress)
        fprintf(stderr, "\r%40s\r", "");
}

static int prepare(wsk_cli_case *cases, size_t count, wsk_stepper stepper, bool quiet)
{
    int worst = WSK_OK;
    for (size_t i = 0; i < count; i++) {
        wsk_cli_case *c = &cases[i];
        /* A varied rig has one file: its warnings are said once. */
        bool again = i > 0 && c->path == cases[0].path;
        c->rig = wsk_cli_load(c->path, &c->options, quiet || again ? 0 : 1, &c->code);
        c->stepper = stepper;
        if (c->code != WSK_OK) {
            worst = c->code;
            if (again)
                break;
        }
    }
    return worst;
}

/* Whether a year is more than a week repeated: seasons, holidays, hourly prices, hourly carbon, weather from a file. */
static bool year_matters(const wsk_rig *rig)
{
    static const struct {
        const char *element, *kind; /* NULL: any */
    } signs[] = {{"season", NULL}, {"holiday", NULL}, {"tariff", "spot\""}, {"carbon", "file\""}, {"outdoor", "file\""}};
    char *xml = NULL;
    bool found = false;
    size_t len;
    if (wsk_rig_resolved(rig, &xml) != WSK_OK)
        return false;
    for (const char *p = xml; !found && (p = wsk_xml_tag(p, &len)) != NULL; p++)
        for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
            const char *kind = wsk_xml_is(p, signs[i].element) ? wsk_xml_attribute(p, len, "kind") : NULL;
            found = found || (kind && (!signs[i].kind || strncmp(kind, signs[i].kind, strlen(signs[i].kind)) == 0));
        }
    wsk_text_free(xml);
    return found;
}

/* Where the year matters to one case, all cases simulate it. */
static void set_year(wsk_cli_case *cases, size_t count)
{
    const double year_s = 365 * 86400.0;
    bool matters = false;
    for (size_t i = 0; i < count; i++)
        matters = matters || year_matters(cases[i].rig);
    for (size_t i = 0; matters && i < count; i++)
        if (wsk_rig_duration(cases[i].rig) < year_s)
            cases[i].duration_s = year_s;
}

static bool varies_time(const wsk_cli_list *vary)
{
    for (size_t i = 0; i < vary->count; i++)
        if (strncmp(vary->items[i], "run.for", 7) == 0 || strncmp(vary->items[i], "for=", 4) == 0)
            return true;
    return false;
}

typedef struct {
    const char *dir; /* -o; NULL: not given */
    bool json, annual, force;
} output;

/* DIR/compare.json, which `plot` reads. Another rig's results stay unless --force. */
static int leave(const output *o, const wsk_cli_case *cases, size_t count)
{
    char *path = wsk_cli_format("%s/compare.json", o->dir), *before = wsk_cli_read(path, NULL), *run = NULL, *text = NULL;
    char old[256] = "", new[256] = "";
    int code = WSK_OK;
    size_t len = 0;
    free(path);
    path = wsk_cli_format("%s/summary.json", o->dir);
    run = wsk_cli_read(path, NULL);
    wsk_json_text(cases[0].json, "rig", new, sizeof new);
    if (before ? wsk_json_text(before, "cases[0].rig", old, sizeof old) : run && wsk_json_text(run, "rig", old, sizeof old))
        if (strcmp(old, new) != 0 && !o->force) {
            wsk_cli_error("%s holds the results of '%s': choose another folder with -o, or --force to replace them", o->dir, old);
            code = WSK_EINPUT;
        }
    FILE *out = code == WSK_OK ? open_memstream(&text, &len) : NULL;
    if (out) {
        wsk_cli_compare_json(out, cases, count);
        fclose(out);
        code = wsk_cli_mkdirs(o->dir) && wsk_cli_write(o->dir, "compare.json", text, len) ? WSK_OK : WSK_ERUN;
    }
    free(text);
    free(run);
    free(before);
    free(path);
    return code;
}

static int report(wsk_cli_case *cases, size_t count, const output *o)
{
    int code = WSK_OK;
    for (size_t i = 0; i < count; i++) {
        if (cases[i].code == WSK_OK)
            continue;
        if (code == WSK_OK)
            code = cases[i].code;
        if (cases[i].code == WSK_EINTERRUPTED)
            continue;
        const char *why = cases[i].why;
        wsk_cli_error("%s: %s", cases[i].label, why && *why ? why : wsk_status_text((wsk_status)cases[i].code));
    }
    if (code == WSK_EINTERRUPTED)
        wsk_cli_error("interrupted");
    if (code != WSK_OK)
        return code;
    for (size_t i = 0; i < count; i++)
        wsk_cli_case_derive(&cases[i], &cases[0]);
    if (o->dir && (code = leave(o, cases, count)) != WSK_OK)
        return code;
    if (o->json)
        wsk_cli_compare_json(stdout, cases, count);
    else if (!o->annual && wsk_cli_is_sweep(cases, count))
        wsk_cli_sweep_text(stdout, cases, count);
    else
        wsk_cli_compare_text(stdout, cases, count, o->annual);
    return WSK_OK;
}

static wsk_cli_case *from_files(const wsk_cli_list *words, const wsk_cli_rig_options *base)
{
    wsk_cli_case *cases = wsk_cli_alloc(words->count * sizeof *cases);
    for (size_t i = 0; i < words->count; i++) {
        cases[i].path = words->items[i];
        cases[i].options = *base;
        cases[i].label = wsk_cli_rig_label(words->items[i]);
    }
    /* Two files of one name: say which. */
    for (size_t i = 0; i < words->count; i++)
        for (size_t k = i + 1; k < words->count; k++) {
            if (strcmp(cases[i].label, cases[k].label) != 0)
                continue;
            free(cases[k].label);
            cases[k].label = wsk_cli_format("%s", words->items[k]);
        }
    return cases;
}

static int main_compare(int argc, char **argv)
{
    wsk_cli_rig_options rig = {0};
    const char *stepper_name = NULL, *duration = NULL;
    wsk_cli_list vary = {0}, words = {0};
    output o = {0};
    bool quiet = false;
    const wsk_cli_option options[] = {{.name = "vary", .list = &vary},
                                      {.name = "annual", .flag = &o.annual},
                                      {.name = "out", .letter = 'o', .value = &o.dir},
                                      {.name = "force", .flag = &o.force},
                                      {.name = "for", .value = &duration},
                                      {.name = "stepper", .value = &stepper_name},
                                      {.name = "json", .flag = &o.json},
                                      {.name = "quiet", .letter = 'q', .flag = &quiet},
                                      WSK_CLI_RIG_OPTIONS(rig),
                                      {.name = NULL}};
    wsk_stepper stepper;
    wsk_cli_case *cases = NULL;
    size_t count = 0;
    char *for_set = NULL, *text = NULL;
    int code = wsk_cli_parse(&wsk_cli_compare, argc, argv, options, &words);
    if (code != WSK_OK) {
        code = code < 0 ? WSK_OK : code;
        goto out;
    }
    code = WSK_EUSAGE;
    if (!wsk_cli_stepper(&wsk_cli_compare, stepper_name, &stepper))
        goto out;
    if (vary.count ? words.count != 1 : words.count < 2) {
        wsk_cli_usage(&wsk_cli_compare, vary.count ? "--vary takes one rig" : "at least two rigs, or one and --vary");
        goto out;
    }
    /* Several cases may be of one standard input. */
    for (size_t i = 0; i < words.count && !text; i++)
        if (!strcmp(words.items[i], "-"))
            rig.text = text = wsk_cli_read_stdin(&rig.text_len);
    if (duration)
        wsk_cli_push(&rig.sets, for_set = wsk_cli_format("run.for=%s", duration));
    if (vary.count) {
        if (!(cases = wsk_cli_vary(words.items[0], &rig, &vary, &count)))
            goto out;
    } else {
        cases = from_files(&words, &rig);
        count = words.count;
    }
    if ((code = prepare(cases, count, stepper, quiet)) == WSK_OK) {
        if (o.annual && !duration && !varies_time(&vary))
            set_year(cases, count);
        wsk_cli_catch_interrupts();
        run_all(cases, count, !quiet && isatty(STDERR_FILENO));
        code = report(cases, count, &o);
    }
out:
    for (size_t i = 0; i < count; i++) {
        wsk_text_free(cases[i].json);
        free(cases[i].why);
        wsk_rig_free(cases[i].rig);
        free(cases[i].label);
        if (vary.count)
            wsk_cli_list_free(&cases[i].options.sets, rig.sets.count);
    }
    free(cases);
    free(for_set);
    free(text);
    free(rig.sets.items);
    free(vary.items);
    free(words.items);
    return code;
}

const wsk_cli_command wsk_cli_compare = {
    .name = "compare",
    .usage = "A.xml B.xml...  or  RIG.xml --vary PATH=V1,V2,... [--annual] [-o DIR]",
    .summary = "several rigs side by side: energy, money, payback, throttling, work",
    .options = "  --vary PATH=A,B     one case for each value; also a range, 200W:350W:10W; several multiply\n"
               "  --annual            per year of 365 days: simulated where tariff or weather have seasons,\n"
               "                      else (and with --for) the simulated time repeated\n"
               "  --for 7d            how long to simulate each\n"
               "  --set PATH=VALUE    change a value in all cases\n"
               "  --stepper NAME      fast (default) or reference\n"
               "  -o, --out DIR       leave compare.json there; 'wattsink plot DIR' draws a sweep of power limits\n"
               "  --force             replace another rig's results in DIR\n"
               "  --json              {\"cases\": [...]}, one summary a case\n"
               "  -q, --quiet         no warnings, no progress\n"
               "  --parts DIR         your own parts, searched before the catalogue\n"
               "  --data DIR          data files, instead of the rig's folder\n",
    .example = "wattsink compare scenarios/bronze-vs-gold/bronze.xml scenarios/bronze-vs-gold/gold.xml --annual",
    .run = main_compare};
