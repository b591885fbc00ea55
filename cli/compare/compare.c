/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/kit/cases.h"
#include "cli/kit/lock.h"
#include "cli/kit/vary.h"
#include "cli/compare/compare.h"
#include "cli/plot/plot.h"

static void *run_case(void *ctx, size_t i)
{
    wsk_cli_case_run(&((wsk_cli_case *)ctx)[i]);
    return NULL;
}

/* Computes the uncertainty of a case from many steady points. A rig without a steady point is compared without
 * uncertainty. */
static void *spread_case(void *ctx, size_t i)
{
    wsk_cli_case *c = &((wsk_cli_case *)ctx)[i];
    wsk_uncertainty *u = NULL;
    if (!wsk_cli_interrupted() && wsk_rig_uncertainty(&u, c->rig, c->stepper) == WSK_OK)
        wsk_cli_case_spread(c, u);
    wsk_uncertainty_free(u);
    return NULL;
}

static int prepare(wsk_cli_case *cases, size_t count, wsk_stepper stepper, bool leap, bool quiet)
{
    int worst = WSK_OK;
    for (size_t i = 0; i < count; i++) {
        wsk_cli_case *c = &cases[i];
        /* With --vary all cases come from one file, whose warnings are printed once. */
        bool again = i > 0 && c->path == cases[0].path;
        c->options.files_of = i > 0 ? cases[0].rig : NULL;
        c->rig = wsk_cli_load(c->path, &c->options, quiet || again ? 0 : 1, &c->code);
        if (again && !quiet && c->rig)
            wsk_cli_print_low_limit(c->rig, cases[0].rig, &c->options);
        c->stepper = stepper;
        c->leap = leap;
        if (c->code != WSK_OK) {
            worst = c->code;
            if (count > 1 && cases[1].path == cases[0].path)
                break;
        }
    }
    return worst;
}

static void set_year(wsk_cli_case *cases, size_t count)
{
    const double year_s = 365 * 86400.0;
    bool matters = false;
    for (size_t i = 0; i < count; i++)
        matters = matters || wsk_cli_repeats(cases[i].rig) != WSK_CLI_AS_A_YEAR;
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
    const char *dir;
    bool json, annual, force, quiet;
    char *digests; /* digests of the rig files (file_digests); NULL: not needed, as `dir` and `json` are not set */
} output;

/* Digest of a rig file as it is, without --vary, --set and other options; of a file that is invalid without them, the
 * digest with them. On failure prints a message and returns NULL. Caller frees. */
static char *file_digest(const wsk_cli_case *c)
{
    const wsk_cli_rig_options plain = {.parts = c->options.parts, .data = c->options.data, .files_of = c->rig};
    int code;
    wsk_rig *rig = wsk_cli_load(c->path, &plain, -1, &code);
    char *digest = wsk_cli_format("%s", wsk_rig_digest(rig ? rig : c->rig));
    wsk_rig_free(rig);
    if (code == WSK_OK || code == WSK_EINPUT)
        return digest;
    wsk_cli_error("%s: %s", c->path, T_(wsk_status_text((wsk_status)code)));
    free(digest);
    return NULL;
}

/* The digests of all rig files, one after another. On failure prints a message and returns NULL. Caller frees. */
static char *file_digests(const wsk_cli_case *cases, size_t count)
{
    char *all = file_digest(&cases[0]);
    for (size_t i = 1; all && i < count && cases[i].path != cases[0].path; i++) {
        char *one = file_digest(&cases[i]), *longer = one ? wsk_cli_format("%s %s", all, one) : NULL;
        free(one);
        free(all);
        all = longer;
    }
    return all;
}

static int refuse_other_rigs(const output *o, const wsk_rig *rig)
{
    size_t count, runs;
    int code = WSK_OK, run_code = WSK_OK;
    if (o->force)
        return WSK_OK;
    wsk_summary **compared = wsk_cli_own_summaries(o->dir, "compare.json", &count, &code),
                **run = wsk_cli_summaries(o->dir, "summary.json", &runs, &run_code);
    const char *old = wsk_cli_said(count  ? compared[0]
                                   : runs ? run[0]
                                          : NULL,
                                   WSK_R_RIG, 0),
               *digests = wsk_cli_said(count ? compared[0] : NULL, WSK_R_COMPARE_DIGESTS, 0);
    if (code == WSK_OK && run_code == WSK_ERUN) {
        code = WSK_ERUN;
    } else if (code == WSK_OK && old[0] && strcmp(old, wsk_rig_name(rig)) != 0) {
        wsk_cli_error(T_("%s holds the results of '%s': choose another folder with -o, or --force to replace them"),
                      o->dir, old);
        code = WSK_EINPUT;
    } else if (code == WSK_OK && digests[0] && strcmp(digests, o->digests) != 0) {
        wsk_cli_error(
            T_("%s holds the comparison of other rigs, or of these before they were edited (digests %s, now "
               "%s); --force replaces it, -o FOLDER keeps both"),
            o->dir, digests, o->digests);
        code = WSK_EINPUT;
    }
    wsk_summaries_free(run, runs);
    wsk_summaries_free(compared, count);
    return code;
}

static int leave(const output *o, const wsk_cli_comparison *all)
{
    char *text = NULL;
    size_t len = 0;
    FILE *out = wsk_cli_text(&text, &len);
    bool ok = wsk_cli_compare_json(out, all);
    wsk_plot_forget_results(o->dir, true);
    ok = fclose(out) == 0 && ok && wsk_cli_write(o->dir, "compare.json", text, len);
    free(text);
    return ok ? WSK_OK : WSK_ERUN;
}

static void tell_prices(const wsk_cli_case *cases, size_t count)
{
    const wsk_rig **rigs = wsk_cli_alloc(count * sizeof *rigs);
    for (size_t i = 0; i < count; i++)
        rigs[i] = isnan(cases[i].purchase) ? NULL : cases[i].rig;
    wsk_cli_tell_prices(rigs, count);
    free(rigs);
}

static size_t ended_first(wsk_cli_case *cases, size_t count)
{
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        if (cases[i].code != WSK_OK)
            continue;
        const wsk_cli_case ended = cases[i];
        memmove(&cases[n + 1], &cases[n], (i - n) * sizeof *cases);
        cases[n++] = ended;
    }
    return n;
}

/* The step after the runs that an interruption cut off: computing uncertainties, or simulating the winner again. */
typedef enum { CUT_NOTHING, CUT_SPREADS, CUT_CONFIRMING } cut_off;

static int report(wsk_cli_case *cases, size_t count, const output *o, const wsk_cli_finance *f, cut_off cut)
{
    int code = cut == CUT_NOTHING ? WSK_OK : WSK_EINTERRUPTED;
    const size_t asked = count;
    for (size_t i = 0; i < count; i++) {
        if (cases[i].code == WSK_OK)
            continue;
        if (code == WSK_OK)
            code = cases[i].code;
        if (cases[i].code == WSK_EINTERRUPTED)
            continue;
        const char *why = cases[i].why;
        wsk_cli_error("%s: %s", cases[i].label, why && *why ? why : T_(wsk_status_text((wsk_status)cases[i].code)));
    }
    if (code == WSK_EINTERRUPTED) {
        count = ended_first(cases, count);
        if (cut == CUT_CONFIRMING)
            wsk_cli_error(T_("interrupted before the best case was simulated again, without skipped cycles"));
        else if (count > 1 || cut == CUT_SPREADS)
            wsk_cli_error(T_("interrupted; %zu of %zu cases had ended: they are compared, without their uncertainty"),
                          count, asked);
        else
            wsk_cli_error(T_("interrupted before two cases had ended"));
    }
    if (code != WSK_OK && !(code == WSK_EINTERRUPTED && (count > 1 || cut != CUT_NOTHING)))
        return code;
    const wsk_cli_work_by work = wsk_cli_cases_derive(cases, count, f);
    const wsk_cli_comparison all = {
        .cases = cases, .count = count, .annual = o->annual, .finance = *f, .work = work, .digests = o->digests};
    if (o->dir && code == WSK_OK) /* if a case failed or was interrupted, the folder keeps its earlier comparison */
        code = leave(o, &all);
    if (o->json)
        wsk_cli_compare_json(stdout, &all);
    else if (wsk_cli_is_sweep(cases, count))
        wsk_cli_sweep_text(stdout, &all);
    else
        wsk_cli_compare_text(stdout, &all);
    for (size_t i = 0; i < count && !o->json; i++)
        if (cases[i].confirmed)
            wsk_cli_say(stdout, T_("Checked by ticks, without skipped cycles: %s\n"), cases[i].label);
    if (!o->quiet)
        tell_prices(cases, count);
    return code;
}

static wsk_cli_case *from_files(const wsk_cli_list *words, const wsk_cli_rig_options *base)
{
    wsk_cli_case *cases = wsk_cli_alloc(words->count * sizeof *cases);
    for (size_t i = 0; i < words->count; i++) {
        cases[i].path = words->items[i];
        cases[i].options = *base;
        cases[i].label = wsk_cli_rig_label(words->items[i]);
    }
    for (size_t i = 0; i < words->count; i++)
        for (size_t k = i + 1; k < words->count; k++) {
            if (strcmp(cases[i].label, cases[k].label) != 0)
                continue;
            free(cases[k].label);
            cases[k].label = wsk_cli_format("%s", words->items[k]);
        }
    return cases;
}

static bool read_cloud(const char *text, wsk_cli_finance *f)
{
    static const char *const per[] = {"", "/h", "/GPU-h", "/gpu-h", "/hour", "/GPU-hour", "/gpu-hour"};
    const char *p;
    f->cloud = wsk_number_at(text, &p);
    if (p == text || !(f->cloud >= 0) || isinf(f->cloud))
        return false;
    p += strspn(p, " ");
    if (strspn(p, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != 3)
        return false;
    snprintf(f->cloud_currency, sizeof f->cloud_currency, "%.3s", p);
    for (size_t i = 0; i < sizeof per / sizeof *per; i++)
        if (!strcmp(p + 3, per[i]))
            return true;
    return false;
}

static bool read_finance(const char *rate, const char *years, const char *cloud, wsk_cli_finance *f)
{
    const char *end;
    *f = WSK_CLI_FINANCE;
    if (rate) {
        f->rate = wsk_number_at(rate, &end) / 100;
        if (end == rate || strcmp(end + strspn(end, " "), "%") != 0 || !(f->rate >= 0 && f->rate <= 1))
            return wsk_cli_usage(&wsk_cli_compare,
                                 T_("--rate '%s': expected interest a year from 0 to 100 %%, such as 5%%"), rate),
                   false;
    }
    if (years) {
        double n = wsk_number_at(years, &end);
        if (end == years || *end || !(n >= 1 && n <= 100) || n > floor(n))
            return wsk_cli_usage(&wsk_cli_compare, T_("--years '%s': expected whole years from 1 to 100"), years),
                   false;
        f->years = (int)n;
    }
    if (cloud && !read_cloud(cloud, f))
        return wsk_cli_usage(&wsk_cli_compare,
                             T_("--cloud-price '%s': expected the price of a rented GPU-hour, such as '2.5 USD/h'"),
                             cloud),
               false;
    return true;
}

typedef struct {
    wsk_cli_case *cases;
    size_t count;
    wsk_stepper stepper;
    bool leap, year;
    wsk_cli_list vary, sets; /* the texts of --vary, and of --set and --for */
    output o;
    wsk_cli_finance finance;
} job;

static void convert_cloud(wsk_cli_finance *f, const wsk_rig *rig)
{
    const char *paid;
    const double worth = wsk_rig_exchange(rig, f->cloud_currency, &paid);
    if (!(worth > 0) || isnan(f->cloud))
        return;
    f->cloud *= worth;
    snprintf(f->cloud_currency, sizeof f->cloud_currency, "%.3s", paid);
}

static int run_cases(job *j)
{
    enum { SPREADS = 50 }; /* with more cases than this no uncertainty is computed, because it would take too long */
    if ((j->o.dir || j->o.json) && !(j->o.digests = file_digests(j->cases, j->count)))
        return WSK_ERUN;
    int code = j->o.dir ? refuse_other_rigs(&j->o, j->cases[0].rig) : WSK_OK;
    if (code != WSK_OK)
        return code;
    if (j->year)
        set_year(j->cases, j->count);
    convert_cloud(&j->finance, j->cases[0].rig);
    wsk_cli_catch_interrupts();
    wsk_cli_work work = {
        .count = j->count, .progress = !j->o.quiet && isatty(STDERR_FILENO), .ctx = j->cases, .run = run_case};
    wsk_cli_run_cases(&work);
    work.run = spread_case;
    work.progress = false;
    bool all_ran = j->count <= SPREADS;
    for (size_t i = 0; i < j->count; i++)
        all_ran = all_ran && j->cases[i].code == WSK_OK;
    cut_off cut = CUT_NOTHING;
    if (all_ran) {
        wsk_cli_run_cases(&work);
        cut = wsk_cli_interrupted() ? CUT_SPREADS : CUT_NOTHING;
    }
    for (size_t i = 0; i < j->count && cut == CUT_SPREADS; i++)
        wsk_cli_case_forget(&j->cases[i]);
    if (j->leap && cut == CUT_NOTHING && !wsk_cli_confirm(j->cases, j->count, j->o.annual, &j->finance))
        cut = CUT_CONFIRMING;
    return report(j->cases, j->count, &j->o, &j->finance, cut);
}

static int run_job(job *j)
{
    int code = prepare(j->cases, j->count, j->stepper, j->leap, j->o.quiet);
    if (code == WSK_OK && !wsk_cli_vary_apart(j->cases[0].rig, &j->vary, &j->sets))
        code = WSK_EUSAGE;
    if (code != WSK_OK || !j->o.dir)
        return code == WSK_OK ? run_cases(j) : code;
    wsk_cli_lock *lock = wsk_cli_lock_results(j->o.dir, "compare");
    code = lock ? run_cases(j) : WSK_ERUN;
    wsk_cli_lock_drop(lock);
    return code;
}

static int main_compare(int argc, char **argv)
{
    wsk_cli_rig_options rig = {0};
    const char *stepper_name = NULL, *duration = NULL, *rate = NULL, *years = NULL, *cloud = NULL;
    wsk_cli_list words = {0};
    job j = {0};
    const wsk_cli_option options[] = {{.name = "vary", .list = &j.vary},
                                      {.name = "annual", .flag = &j.o.annual},
                                      {.name = "rate", .value = &rate},
                                      {.name = "years", .value = &years},
                                      {.name = "cloud-price", .value = &cloud},
                                      {.name = "out", .letter = 'o', .value = &j.o.dir},
                                      {.name = "force", .flag = &j.o.force},
                                      {.name = "for", .value = &duration},
                                      {.name = "stepper", .value = &stepper_name},
                                      {.name = "leap", .flag = &j.leap},
                                      {.name = "json", .flag = &j.o.json},
                                      {.name = "quiet", .letter = 'q', .flag = &j.o.quiet},
                                      WSK_CLI_PRICED_RIG_OPTIONS(rig),
                                      {.name = "exchange", .list = &(rig).exchanges},
                                      {.name = NULL}};
    char *for_set = NULL;
    int code = wsk_cli_parse(&wsk_cli_compare, argc, argv, options, &words);
    if (code != WSK_OK) {
        code = code < 0 ? WSK_OK : code;
        goto out;
    }
    code = WSK_EUSAGE;
    if (!wsk_cli_stepper(&wsk_cli_compare, stepper_name, &j.stepper) || !read_finance(rate, years, cloud, &j.finance))
        goto out;
    /* with --cloud-price one rig is enough, because it is compared with the rented GPU */
    const size_t least = cloud ? 1 : 2;
    if (j.vary.count ? words.count != 1 : words.count < least) {
        j.vary.count ? wsk_cli_one_rig(&wsk_cli_compare, &words)
                     : wsk_cli_usage(&wsk_cli_compare, T_("at least two rigs, or one and --vary"));
        goto out;
    }
    for_set = wsk_cli_set_by(&rig, "--for", "run.for", duration);
    j.sets = rig.sets;
    if (j.vary.count) {
        if (!(j.cases = wsk_cli_vary(words.items[0], &rig, &j.vary, &j.count)))
            goto out;
    } else {
        j.cases = from_files(&words, &rig);
        j.count = words.count;
    }
    j.year = j.o.annual && !duration && !varies_time(&j.vary);
    code = run_job(&j);
out:
    for (size_t i = 0; i < j.count; i++) {
        wsk_cli_case_free(&j.cases[i]);
        if (j.vary.count)
            wsk_cli_list_free(&j.cases[i].options.sets, rig.sets.count);
    }
    free(j.cases);
    free(j.o.digests);
    free(for_set);
    free(rig.sets.items);
    free(rig.exchanges.items);
    free(j.vary.items);
    free(words.items);
    return code;
}

const wsk_cli_command wsk_cli_compare = {
    .name = "compare",
    .usage = N_("A.xml B.xml...  or  RIG.xml --vary PATH=V1,V2,... [--annual] [-o DIR]"),
    .summary = N_("several rigs side by side: energy, money, payback, throttling, work"),
    .options =
        N_("  --vary PATH=A,B     one case for each value; also a range, 200W:350W:10W; all combinations of several\n"
           "  --annual            per year of 365 days: simulated where tariff or weather have seasons, or prices\n"
           "                      by hour or day that the run cuts, else (and with --for) the run repeated\n"
           "  --rate 5%           interest a year, for value and \"all in\"\n"
           "  --years 5           years over which a purchase is spread\n"
           "  --cloud-price PRICE of a rented GPU-hour, '2.5 USD/h': finds when buying becomes cheaper\n"
           "  --for 7d            how long to simulate each\n"
           "  --leap              skip cycles that repeat, leap where little changes: a year takes a second\n"
           "  --set PATH=VALUE    change a value in all cases\n"
           "  --stepper NAME      one of fast (default), reference\n"
           "  -o, --out DIR       leave compare.json there, which 'wattsink plot DIR' draws\n"
           "  --force             replace another rig's results in DIR\n"
           "  --json              {\"cases\": [...]}, one summary a case\n"
           "  -q, --quiet         no warnings, no progress\n"
           "  --parts DIR         your own parts, searched before the catalogue\n"
           "  --prices FILE       prices of parts: id, price with its currency, date in each row\n"
           "  --exchange RATE     such as EUR=1.08USD: prices of parts are converted to the currency of the tariff,\n"
           "                      costs of other rigs to that of the first\n"
           "  --data DIR          data files, instead of the rig's folder\n"),
    .example = "wattsink compare scenarios/bronze-vs-gold/bronze.xml scenarios/bronze-vs-gold/gold.xml --annual",
    .run = main_compare};
