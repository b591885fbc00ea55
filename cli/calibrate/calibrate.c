/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/calibrate/calibrate.h"
#include "cli/kit/cases.h"
#include "cli/kit/lock.h"
#include "cli/kit/rig.h"
#include "cli/kit/shell.h"
#include "words/words.h"

static int read_sweep(wsk_cli_task *t)
{
    size_t len = 0;
    char *text = wsk_cli_read(t->file, &len);
    if (!text) {
        wsk_cli_error(T_("cannot read %s: %s"), t->file, T_(strerror(errno)));
        return errno == ENOENT ? WSK_EINPUT : WSK_ERUN;
    }
    wsk_status status = wsk_limits_read(&t->sweep, t->file, text, len);
    free(text);
    for (size_t i = 0; t->sweep && i < wsk_limits_messages(t->sweep); i++) {
        int severity, line, column;
        const wsk_said *said = wsk_limits_message(t->sweep, i, &severity, &line, &column);
        wsk_cli_told_at(t->file, line, column, severity, said);
    }
    wsk_cli_check_memory(status != WSK_ENOMEM);
    if (t->sweep)
        t->rows = wsk_limits_rows(t->sweep, &t->count);
    return (int)status;
}

static int find_cards(const wsk_rig *rig, const char *path, wsk_cli_task *t)
{
    const char *part = NULL, *other = NULL, *id;
    const wsk_said *why = NULL;
    size_t able = 0;
    for (size_t i = 0; i < wsk_rig_cards(rig); i++) {
        const char *its = NULL;
        id = wsk_rig_card(rig, i, &its);
        if (t->id && (strlen(id) != t->id_len || strncmp(id, t->id, t->id_len) != 0))
            continue;
        const wsk_said *no = wsk_calibrate_refusal(rig, i);
        if (no) {
            why = why ? why : no;
            continue;
        }
        if (!able++)
            t->first = i, part = its;
        if (able == 1 || (!t->id && wsk_cli_same_part(part, its)))
            t->cards++;
        else
            other = id;
    }
    if (able && (!other || t->id))
        return WSK_OK;
    id = able ? wsk_rig_card(rig, t->first, &part) : NULL;
    if (able) {
        wsk_cli_error(T_("--sweep %1$s: for which card? The cards differ; expected --sweep %2$s=%1$s"), t->file, id);
    } else if (why) {
        wsk_buf b = {0};
        wsk_words_said(&b, wsk_cli_lang, why);
        wsk_cli_check_memory(!b.failed);
        wsk_cli_error("%s: %s", path, b.data);
        wsk_buf_free(&b);
    } else if (t->id) {
        wsk_cli_error(T_("--sweep %1$.*2$s: %3$s has no such card; expected an id such as %4$s"), t->id,
                      (int)t->id_len, path, wsk_rig_cards(rig) ? wsk_rig_card(rig, 0, &part) : "gpu0");
    } else {
        wsk_cli_error(T_("%s has no card"), path);
    }
    return WSK_EINPUT;
}

static bool same_card(const wsk_cli_task *tasks, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (tasks[i].first == tasks[n].first || tasks[i].cards > 1 || tasks[n].cards > 1)
            return true;
    return false;
}

/* Tells which value of which row is impossible for the card, and what would be possible. */
static void tell_impossible(const wsk_cli_task *t)
{
    static const struct {
        const char *name;
        wsk_dim dim;
    } about[WSK_ROW_VALUES] = {
        {WSK_N("power limit"), WSK_DIM_POWER}, {WSK_N("locked clock"), WSK_DIM_FREQUENCY},
        {WSK_N("power"), WSK_DIM_POWER},       {WSK_N("clock"), WSK_DIM_FREQUENCY},
        {WSK_N("work"), WSK_DIM_NONE},         {WSK_N("GPU temperature"), WSK_DIM_TEMPERATURE}};
    const wsk_row_value v = t->fit.impossible;
    const size_t row = t->fit.worst_row;
    char value[40] = "", from[40] = "", to[40] = "";
    int line, column;
    wsk_limits_place(t->sweep, row, v, &line, &column);
    if (v >= WSK_ROW_VALUES || row >= t->count) {
        wsk_cli_told_at(t->file, line, column, 0, WSK_SAID(WSK_SAY_SWEEP_ROW));
        return;
    }
    const double values[WSK_ROW_VALUES] = {t->rows[row].limit_w,  t->rows[row].lock_hz, t->rows[row].drawn_w,
                                           t->rows[row].clock_hz, t->rows[row].work,    t->rows[row].die_k};
    wsk_format_bound(value, sizeof value, values[v], about[v].dim, NULL);
    wsk_format_bound(from, sizeof from, t->fit.possible_from, about[v].dim, NULL);
    wsk_format_bound(to, sizeof to, t->fit.possible_to, about[v].dim, NULL);
    wsk_cli_told_at(t->file, line, column, 0,
                    WSK_SAID(WSK_SAY_SWEEP_BEYOND, WSK_WORD(about[v].name), (const char *)value, (const char *)from,
                             (const char *)to));
}

static int fit(const wsk_rig *rig, wsk_cli_task *t)
{
    const wsk_status status = wsk_calibrate_sweep(rig, t->first, t->rows, t->count, &t->fit);
    if (status == WSK_EUSAGE)
        tell_impossible(t);
    return status == WSK_EUSAGE ? WSK_EINPUT : (int)status;
}

/* Asks whether the rows are of another card if they have a limit that this one does not take. */
static void compare_limits(const wsk_rig *rig, wsk_cli_task *t)
{
    double most_w = 0;
    const char *part;
    for (size_t i = 0; i < t->count; i++)
        most_w = fmax(most_w, t->rows[i].limit_w);
    t->over = wsk_cli_excess_of(rig, t->first, most_w);
    if (t->over.limit_w > 0)
        wsk_cli_note(
            T_("--sweep %1$s: its power limit is up to %2$.0f W, but %3$s of the rig takes %4$.0f W at most: "
               "are its rows of another card?"),
            t->file, t->over.limit_w, wsk_rig_card(rig, t->first, &part), t->over.most_w);
}

static int fit_sweep(const wsk_cli_order *o, const wsk_rig *rig, wsk_cli_task *tasks, size_t i)
{
    tasks[i].file = wsk_cli_split_id(o->sweeps.items[i], &tasks[i].id, &tasks[i].id_len);
    int code = read_sweep(&tasks[i]);
    if (code == WSK_OK)
        code = find_cards(rig, o->rig, &tasks[i]);
    if (code == WSK_OK && same_card(tasks, i))
        code = wsk_cli_usage(&wsk_cli_calibrate, T_("two sweeps for one card; expected one of each, as gpu0=FILE"));
    if (code == WSK_OK)
        compare_limits(rig, &tasks[i]);
    if (code == WSK_OK)
        code = fit(rig, &tasks[i]);
    wsk_cli_check_memory(code != WSK_ENOMEM);
    return code;
}

/* Drops the fit of power and clock to a log if a sweep applies to the same card, because a sweep determines power and
 * clock better. */
static void prefer_sweeps(const wsk_cli_order *o, const wsk_rig *rig, const wsk_cli_task *tasks, wsk_cli_logs *logs)
{
    const size_t count = o->sweeps.count;
    const char *part, *its;
    bool told = !o->goal || (o->what != WSK_GOAL_WORK && o->what != WSK_GOAL_WATTS);
    for (size_t i = 0; i < logs->count; i++)
        for (size_t k = 0; k < count; k++) {
            wsk_rig_card(rig, logs->of[i].card, &part);
            wsk_rig_card(rig, tasks[k].first, &its);
            if (logs->of[i].card == tasks[k].first || (tasks[k].cards > 1 && wsk_cli_same_part(part, its)))
                logs->fits[i].electrical.rows = 0;
            else
                continue;
            if (!told)
                wsk_cli_note(
                    T_("--goal %s: 'Record next' is computed from the log alone, without the rows of --sweep"),
                    o->goal);
            told = true;
        }
}

static void tell(const wsk_cli_order *o, const wsk_rig *rig, const wsk_cli_task *tasks, const wsk_cli_logs *logs,
                 const wsk_cli_wall *wall)
{
    size_t told = 0;
    if (o->json)
        printf("{\"calibrated\": [");
    for (size_t i = 0; i < o->sweeps.count; i++, told++) {
        if (o->json && told)
            printf(", ");
        if (o->json)
            wsk_cli_task_json(rig, &tasks[i]);
        else
            wsk_cli_task_print(rig, &tasks[i]);
    }
    for (size_t i = 0; i < logs->count; i++, told++) {
        if (o->json && told)
            printf(", ");
        if (o->json)
            wsk_cli_log_json(rig, &logs->of[i], &logs->fits[i], o->what);
        else
            wsk_cli_log_print(rig, &logs->of[i], &logs->fits[i], o->what);
    }
    if (o->json)
        printf("]%s", o->wall ? ", " : "");
    if (o->wall && o->json)
        wsk_cli_wall_json(wall);
    else if (o->wall)
        wsk_cli_wall_print(wall);
    if (o->json)
        puts("}");
}

/* False, with a message, if logs are fitted and the folder contains the results of a run, whose report.html would be
 * overwritten. */
static bool spares_results(const wsk_cli_order *o)
{
    struct stat there;
    char *path = wsk_cli_format("%s/summary.json", o->dir);
    const bool has = o->logs.count && stat(path, &there) == 0;
    if (has)
        wsk_cli_usage(&wsk_cli_calibrate,
                      T_("-o %s: it holds the results of a run and their report.html; expected another folder"),
                      o->dir);
    free(path);
    return !has;
}

/* Locks the folder of -o. Fails, with a message, if another process works there, or if the folder now contains the
 * results of a run. */
static int take_folder(const wsk_cli_order *o, wsk_cli_lock **lock)
{
    *lock = wsk_cli_lock_results(o->dir, "calibrate");
    return !*lock ? WSK_ERUN : spares_results(o) ? WSK_OK : WSK_EUSAGE;
}

/* Fits the meter, then the logs. The base load that the meter tells warms the air that the cards take in, and a card
 * whose log has no watts draws those that a sweep tells: a log is fitted with them, because it will be run with them. */
static int fit_logs(const wsk_cli_fitted *f, wsk_cli_logs *logs, wsk_cli_wall *wall)
{
    const wsk_cli_order *o = f->order;
    wsk_rig *swept = NULL, *metered = NULL;
    bool drawn = false; /* the watts of sweeps are needed */
    int code = WSK_OK;
    for (size_t i = 0; i < logs->count; i++)
        drawn = drawn || (o->sweeps.count && !logs->traces[i].power.count);
    if (drawn)
        code = wsk_cli_fitted_apply(f, true, &swept);
    const wsk_rig *rig = swept ? swept : f->rig;
    if (code == WSK_OK && o->wall)
        code = wsk_cli_wall_fit(rig, o->wall, logs, o->share, wall);
    if (code == WSK_OK && wall->fit.fit.count)
        code = wsk_cli_fitted_apply(f, drawn, &metered);
    if (code == WSK_OK)
        code = wsk_cli_logs_fit(metered ? metered : rig, o->share, logs);
    wsk_rig_free(metered);
    wsk_rig_free(swept);
    return code;
}

/* True if calibrated.xml, `path`, names data files, such as a log to replay, that are not in its own folder. */
static bool lacks_data(const wsk_cli_order *o, const char *path)
{
    const wsk_cli_rig_options options = {.parts = o->rig_options.parts};
    int code;
    wsk_rig *rig = wsk_cli_load_quietly(path, &options, &code);
    const bool lacks = rig && code != WSK_OK && wsk_rig_has_bad_files(rig);
    wsk_rig_free(rig);
    return lacks;
}

static void tell_next(const wsk_cli_order *o)
{
    const char *slash = strrchr(o->rig, '/'), *data = o->rig_options.data;
    char *folder = data ? wsk_cli_format("%s", data)
                        : wsk_cli_format("%.*s", slash ? (int)(slash - o->rig) : 1, slash ? o->rig : ".");
    char *path = wsk_cli_format("%s/calibrated.xml", o->dir), *word = wsk_cli_shell_word(path),
         *from = wsk_cli_shell_word(*folder ? folder : "/");
    if (lacks_data(o, path))
        wsk_cli_say(stdout, T_("Next: wattsink run %1$s --data %2$s\n"), word, from);
    else
        wsk_cli_say(stdout, T_("Next: wattsink run %s\n"), word);
    free(from);
    free(word);
    free(path);
    free(folder);
}

static int calibrate(const wsk_cli_order *o, const wsk_rig *rig, wsk_cli_task *tasks)
{
    wsk_cli_lock *lock = NULL;
    wsk_cli_logs logs = {0};
    wsk_cli_wall wall = {0};
    const wsk_cli_fitted fitted = {rig, o, tasks, &logs, &wall};
    int code = WSK_OK;
    for (size_t i = 0; i < o->sweeps.count && code == WSK_OK; i++)
        code = fit_sweep(o, rig, tasks, i);
    if (code == WSK_OK)
        code = wsk_cli_logs_read(rig, o->rig, &o->logs, &logs);
    if (code == WSK_OK)
        code = fit_logs(&fitted, &logs, &wall);
    if (code == WSK_OK)
        prefer_sweeps(o, rig, tasks, &logs);
    if (code == WSK_OK && !o->dry)
        code = take_folder(o, &lock);
    if (code == WSK_OK && !o->dry)
        code = wsk_cli_fitted_write(&fitted);
    if (code == WSK_OK)
        tell(o, rig, tasks, &logs, &wall);
    if (code == WSK_OK && !o->dry)
        code = wsk_cli_fitted_show(&fitted);
    if (code == WSK_OK && !o->dry && !o->json)
        tell_next(o);
    wsk_cli_lock_drop(lock);
    for (size_t i = 0; i < o->sweeps.count; i++)
        wsk_limits_free(tasks[i].sweep);
    wsk_log_free(wall.log);
    wsk_cli_logs_free(&logs);
    return code;
}

static bool read_share(const char *text, double *out)
{
    char currency[8];
    size_t at;
    wsk_dim means;
    *out = NAN;
    return !text || (wsk_parse_quantity(text, WSK_DIM_FRACTION, out, currency, &at, &means) == WSK_UNIT_OK &&
                     *out >= 0 && *out <= 0.9);
}

static bool read_goal(const char *text, wsk_calibrate_goal *out)
{
    *out = WSK_GOAL_TEMPERATURE;
    for (int i = 0; text && i < WSK_GOALS; i++)
        if (strcmp(text, wsk_calibrate_goal_name((wsk_calibrate_goal)i)) == 0) {
            *out = (wsk_calibrate_goal)i;
            return true;
        }
    return !text;
}

/* Finds the input file that the result called `name` in the folder of -o would replace. NULL: there is none. */
static const char *find_replaced(const wsk_cli_order *o, const char *name)
{
    char *path = wsk_cli_format("%s/%s", o->dir, name);
    const char *id = NULL, *found = wsk_cli_same_file(path, o->rig)               ? o->rig
                                    : o->wall && wsk_cli_same_file(path, o->wall) ? o->wall
                                                                                  : NULL;
    size_t len;
    for (size_t i = 0; !found && i < o->logs.count + o->sweeps.count; i++) {
        const char *word = i < o->logs.count ? o->logs.items[i] : o->sweeps.items[i - o->logs.count],
                   *file = wsk_cli_split_id(word, &id, &len);
        found = wsk_cli_same_file(path, file) ? file : NULL;
    }
    free(path);
    return found;
}

/* False, with a message, if a result file would replace an input file. */
static bool spares_inputs(const wsk_cli_order *o)
{
    static const char *const names[] = {"calibrated.xml", "calibration.csv", "calibration.svg", "report.html"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *file = find_replaced(o, names[i]);
        if (file) {
            wsk_cli_usage(&wsk_cli_calibrate, T_("-o %1$s: its %2$s is %3$s, which is read; expected another folder"),
                          o->dir, names[i], file);
            return false;
        }
    }
    return true;
}

/* Prints the script of the recording that a word names. Ignores a word that ends in .xml: it is a rig, which the script
 * does not need. False: two words, or an unknown name. */
static bool print_plan(const wsk_cli_list *words)
{
    const char *name = NULL;
    for (size_t i = 0; i < words->count; i++) {
        const char *word = words->items[i], *end = strrchr(word, '.');
        if (end && strcmp(end, ".xml") == 0)
            continue;
        if (name)
            return false;
        name = word;
    }
    return wsk_cli_plan_print(name);
}

static int main_calibrate(int argc, char **argv)
{
    wsk_cli_list words = {0};
    bool quiet = false, plan = false;
    wsk_cli_order o = {.dir = ".", .rig_options.threads = wsk_cli_cores()};
    const wsk_cli_option options[] = {{.name = "sweep", .list = &o.sweeps},
                                      {.name = "log", .list = &o.logs},
                                      {.name = "wall", .value = &o.wall},
                                      {.name = "holdout", .value = &o.holdout},
                                      {.name = "goal", .value = &o.goal},
                                      {.name = "plan", .flag = &plan},
                                      {.name = "out", .letter = 'o', .value = &o.dir},
                                      {.name = "parts-out", .value = &o.parts},
                                      {.name = "dry-run", .flag = &o.dry},
                                      {.name = "json", .flag = &o.json},
                                      {.name = "quiet", .letter = 'q', .flag = &quiet},
                                      WSK_CLI_RIG_OPTIONS(o.rig_options),
                                      {.name = NULL}};
    int code = wsk_cli_parse(&wsk_cli_calibrate, argc, argv, options, &words);
    o.rig = words.count ? words.items[0] : NULL;
    if (code != WSK_OK) {
        code = code < 0 ? WSK_OK : code;
    } else if (plan) {
        if (!print_plan(&words))
            code = wsk_cli_usage(&wsk_cli_calibrate, "%s",
                                 T_("--plan: expected soak, staircase, fan, idle or memory, or nothing"));
    } else if (words.count != 1) {
        code = wsk_cli_one_rig(&wsk_cli_calibrate, &words);
    } else if (!o.sweeps.count && !o.logs.count) {
        code = wsk_cli_usage(
            &wsk_cli_calibrate,
            T_("expected --sweep FILE or --log FILE, what was measured; --plan prints how to record it"));
    } else if (o.wall && !o.logs.count) {
        code = wsk_cli_usage(&wsk_cli_calibrate,
                             T_("--wall %s: expected --log FILE beside it, what the cards drew meanwhile"), o.wall);
    } else if (o.goal && !o.logs.count) {
        code = wsk_cli_usage(&wsk_cli_calibrate,
                             T_("--goal %s: expected --log FILE beside it, which has a 'Record next'"), o.goal);
    } else if (!read_share(o.holdout, &o.share)) {
        code =
            wsk_cli_usage(&wsk_cli_calibrate,
                          T_("--holdout %s: expected a share of the time from 0 to 90 %%, such as 40%%"), o.holdout);
    } else if (!read_goal(o.goal, &o.what)) {
        code =
            wsk_cli_usage(&wsk_cli_calibrate, T_("--goal %s: expected temperature, memory, work or watts"), o.goal);
    } else if (!o.dry && !spares_inputs(&o)) {
        code = WSK_EUSAGE;
    } else if (!o.dry && !spares_results(&o)) {
        code = WSK_EUSAGE;
    } else {
        wsk_cli_quiet = wsk_cli_quiet || quiet;
        wsk_rig *rig = wsk_cli_load(o.rig, &o.rig_options, quiet ? 0 : 1, &code);
        wsk_cli_task *tasks = wsk_cli_alloc(o.sweeps.count * sizeof *tasks);
        if (rig)
            code = calibrate(&o, rig, tasks);
        free(tasks);
        wsk_rig_free(rig);
    }
    free(o.sweeps.items);
    free(o.logs.items);
    free(o.rig_options.sets.items);
    free(words.items);
    return code;
}

const wsk_cli_command wsk_cli_calibrate = {
    .name = "calibrate",
    .usage =
        "RIG.xml [--sweep [ID=]FILE] [--log [ID=]FILE] [--wall FILE] [-o DIR] [--parts-out DIR] [--dry-run] [--json]",
    .summary = N_("fit your own card to a few measured power limits, or to a log"),
    .options = N_(
        "  --sweep [ID=]FILE   rows measured with the work of the rig: limit, power, clock, work, temperature;\n"
        "                      for the card with this id, else for all cards, which must be alike\n"
        "  --log [ID=]FILE     readings over time of power, temperature and fan, such as nvidia-smi writes; without\n"
        "                      an id the cards of the log are those of the rig in their order\n"
        "  --wall FILE         readings of a meter at the machine's plug meanwhile: times and watts\n"
        "  --holdout SHARE     of the log's time, at its end, that proves the fit (default: 40%)\n"
        "  --goal GOAL         one of temperature (default), memory, work, watts; what 'Record next' shall make "
        "surer\n"
        "  --plan [RECORDING]  print a script that records a log: one of soak, staircase, fan, idle, memory;\n"
        "                      'Record next' of a fitted log names one; without a name a first log, 70 minutes (as\n"
        "                      root 100); nothing else is done\n"
        "  -o DIR              write DIR/calibrated.xml, the rig with the fitted values (default: this folder); of "
        "a\n"
        "                      log also calibration.svg, the log over the fit, with its data and script, and\n"
        "                      report.html, one page of it all\n"
        "  --parts-out DIR     write each fitted card as a part too, for --parts DIR of other rigs\n"
        "  --dry-run           write nothing\n"
        "  --json              the fitted values and their errors, as JSON\n"
        "  --set PATH=VALUE    change a value\n"
        "  -q, --quiet         no warnings\n"
        "  --parts DIR         your own parts, searched before the catalogue\n"
        "  --data DIR          data files, instead of the rig's folder\n"
        "From a log to your card's numbers, N cards of the part that 'wattsink parts gpu' lists:\n"
        "  nvidia-smi --format=csv -l 1 \\\n"
        "    --query-gpu=timestamp,index,power.draw,power.limit,utilization.gpu,\\\n"
        "utilization.memory,clocks.sm,temperature.gpu,temperature.memory,fan.speed \\\n"
        "    > log.csv\n"
        "  wattsink new --gpus N --gpu gpu/rtx-4090 -o my.xml\n"
        "  wattsink calibrate my.xml --log log.csv -o mine\n"
        "A sweep tells watts, clocks and work. Two rows are enough, five tell more: the lowest limit, the highest, "
        "and\n"
        "some between, each the mean of a minute or more. Columns are found by their names, such as\n"
        "limit_w,power_w,clock_mhz,work,temperature_c, or those of nvidia-smi. Work may have any unit.\n"
        "A log tells temperatures: the cooler, the inlet air, how fast the card warms. Half an hour of load with "
        "some\n"
        "minutes at rest before and after is enough; its format is found from what it contains. With clocks, and\n"
        "utilisation or limits, it also tells watts and clocks, as a sweep does; --sweep goes before it. With the "
        "speed of\n"
        "the card's fan it tells the fan's curve.\n"
        "A meter tells the base load of the machine and the level of its PSU's efficiency; its clock may be minutes "
        "off.\n"),
    .example = "wattsink calibrate scenarios/own-card/rig.xml --log scenarios/own-card/log.csv --dry-run",
    .run = main_calibrate};
