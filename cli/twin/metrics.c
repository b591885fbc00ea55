/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Metrics of a twin. The tables list them: `dcgm` and `more` for cards; the table of variables and `asked` for
 * present values of the run, which `units` converts; `results` for results so far. Names in `dcgm` are those of DCGM's
 * fields. Their types and most help texts are those of dcgm-exporter, etc/default-counters.csv; their labels come from
 * its internal/pkg/rendermetrics. */
#include "cli/twin/metrics.h"

#include <math.h>
#include <string.h>

#include "cli/kit/cli.h"

enum { NAME_MAX_LEN = 128 };

static double told(int32_t value)
{
    return value == WSK_TWIN_NONE ? (double)NAN : value;
}

#define READ(name, value) \
    static double name(const wsk_twin_card *c) \
    { \
        return value; \
    }
READ(sm_clock, told(c->now.clock_mhz))
READ(memory_clock, told(c->now.memory_clock_mhz))
READ(memory_c, told(c->now.memory_c))
READ(die_c, told(c->now.die_c))
READ(power_w, told(c->now.power_mw) / 1e3)
READ(power_instant_w, told(c->now.power_instant_mw) / 1e3)
READ(limit_w, told(c->now.limit_mw) / 1e3)
READ(enforced_w, told(c->now.enforced_limit_mw) / 1e3)
READ(energy_mj, (double)c->now.energy_mj)
READ(tx_bytes, told(c->now.pcie_tx_kbs) * 1e3)
READ(rx_bytes, told(c->now.pcie_rx_kbs) * 1e3)
READ(gpu_percent, told(c->now.gpu_percent))
READ(memory_percent, told(c->now.memory_percent))
READ(encoder_percent, told(c->now.encoder_percent))
READ(decoder_percent, told(c->now.decoder_percent))
READ(xid, (double)c->now.xid)
READ(held_power, (double)(c->now.held_power_ns + c->now.held_brake_ns))
READ(held_heat, (double)(c->now.held_thermal_ns + c->now.held_hw_thermal_ns))
READ(free_mib, (double)(c->fixed.memory_bytes - c->now.memory_used_bytes) / 1048576)
READ(used_mib, (double)c->now.memory_used_bytes / 1048576)
READ(total_mib, (double)c->fixed.memory_bytes / 1048576)
READ(busy, told(c->now.gpu_percent) / 100)
READ(fan_percent, c->fixed.fans ? told(c->now.fan_percent[0]) : (double)NAN)
READ(pstate, told(c->now.pstate))
READ(reasons, (double)c->now.reasons)
READ(slowdown_c, told(c->fixed.slowdown_c))
READ(shutdown_c, told(c->fixed.shutdown_c))
READ(target_c, told(c->fixed.target_c))
READ(lost, c->now.lost)

#define GAUGE WSK_METRIC_GAUGE
#define COUNTER WSK_METRIC_COUNTER
/* Metrics of a card under the names of dcgm-exporter. even_lost: the metric is also given for a card that is off the
 * bus. */
static const struct {
    wsk_metric metric;
    double (*read)(const wsk_twin_card *card);
    bool even_lost;
} dcgm[] = {
    {{"DCGM_FI_DEV_SM_CLOCK", "SM clock frequency (in MHz).", GAUGE, 0}, sm_clock, false},
    {{"DCGM_FI_DEV_MEM_CLOCK", "Memory clock frequency (in MHz).", GAUGE, 0}, memory_clock, false},
    {{"DCGM_FI_DEV_MEMORY_TEMP", "Memory temperature (in C).", GAUGE, 0}, memory_c, false},
    {{"DCGM_FI_DEV_GPU_TEMP", "GPU temperature (in C).", GAUGE, 0}, die_c, false},
    {{"DCGM_FI_DEV_POWER_USAGE", "Power draw (in W).", GAUGE, 6}, power_w, false},
    {{"DCGM_FI_DEV_POWER_USAGE_INSTANT", "Power draw at this instant (in W).", GAUGE, 6}, power_instant_w, false},
    {{"DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", "Total energy consumption since boot (in mJ).", COUNTER, 0},
     energy_mj,
     false},
    {{"DCGM_FI_DEV_GPU_UTIL", "GPU utilization (in %).", GAUGE, 0}, gpu_percent, false},
    {{"DCGM_FI_DEV_MEM_COPY_UTIL", "Memory utilization (in %).", GAUGE, 0}, memory_percent, false},
    {{"DCGM_FI_DEV_ENC_UTIL", "Encoder utilization (in %).", GAUGE, 0}, encoder_percent, false},
    {{"DCGM_FI_DEV_DEC_UTIL", "Decoder utilization (in %).", GAUGE, 0}, decoder_percent, false},
    {{"DCGM_FI_DEV_XID_ERRORS", "Value of the last XID error encountered.", GAUGE, 0}, xid, true},
    {{"DCGM_FI_DEV_POWER_VIOLATION", "Throttling duration due to power constraints (in ns).", COUNTER, 0},
     held_power,
     false},
    {{"DCGM_FI_DEV_THERMAL_VIOLATION", "Throttling duration due to thermal constraints (in ns).", COUNTER, 0},
     held_heat,
     false},
    {{"DCGM_FI_DEV_FB_FREE", "Framebuffer memory free (in MiB).", GAUGE, 0}, free_mib, false},
    {{"DCGM_FI_DEV_FB_USED", "Framebuffer memory used (in MiB).", GAUGE, 0}, used_mib, false},
    {{"DCGM_FI_DEV_FB_TOTAL", "Framebuffer memory (in MiB).", GAUGE, 0}, total_mib, false},
    {{"DCGM_FI_DEV_FAN_SPEED", "Fan speed (in %).", GAUGE, 0}, fan_percent, false},
    {{"DCGM_FI_DEV_PSTATE", "Performance state: 0 is the highest.", GAUGE, 0}, pstate, false},
    {{"DCGM_FI_DEV_CLOCK_THROTTLE_REASONS", "Why the clocks are held down (bits as NVML numbers them).", GAUGE, 0},
     reasons,
     false},
    {{"DCGM_FI_DEV_POWER_MGMT_LIMIT", "Power limit (in W).", GAUGE, 6}, limit_w, false},
    {{"DCGM_FI_DEV_ENFORCED_POWER_LIMIT", "Power limit that is enforced (in W).", GAUGE, 6}, enforced_w, false},
    {{"DCGM_FI_DEV_SLOWDOWN_TEMP", "GPU temperature of the hardware slowdown (in C).", GAUGE, 0}, slowdown_c, false},
    {{"DCGM_FI_DEV_SHUTDOWN_TEMP", "GPU temperature at which the card shuts down (in C).", GAUGE, 0},
     shutdown_c,
     false},
    {{"DCGM_FI_PROF_GR_ENGINE_ACTIVE", "Ratio of time the graphics engine is active.", GAUGE, 6}, busy, false},
    {{"DCGM_FI_PROF_PCIE_TX_BYTES", "Data sent over the PCIe bus, bytes per second.", GAUGE, 0}, tx_bytes, false},
    {{"DCGM_FI_PROF_PCIE_RX_BYTES", "Data received over the PCIe bus, bytes per second.", GAUGE, 0}, rx_bytes, false},
};

static const struct {
    wsk_metric metric;
    double (*read)(const wsk_twin_card *card);
} more[] = {
    {{"wattsink_gpu_target_celsius", "GPU temperature above which the clock is lowered.", GAUGE, 0}, target_c},
    {{"wattsink_gpu_lost", "1: the card is off the bus.", GAUGE, 0}, lost},
};

static void put_escaped(wsk_buf *out, const char *text)
{
    for (; *text; text++)
        if (*text == '"' || *text == '\\')
            wsk_buf_printf(out, "\\%c", *text);
        else if (*text == '\n')
            wsk_buf_put(out, "\\n", 2);
        else
            wsk_buf_put(out, text, 1);
}

static void put_label(wsk_buf *out, const char *name, const char *value)
{
    if (!value[0])
        return;
    wsk_buf_printf(out, "%s%s=\"", out->len ? "," : "{", name);
    put_escaped(out, value);
    wsk_buf_put(out, "\"", 1);
}

static const char *close_labels(wsk_buf *labels)
{
    if (labels->len)
        wsk_buf_put(labels, "}", 1);
    wsk_cli_check_memory(!labels->failed);
    return labels->len ? labels->data : "";
}

static int index_of(const wsk_twin_moment *moment, int card)
{
    int index = 0;
    for (int i = 0; i < card; i++)
        index += moment->card[i].fixed.nvidia != 0;
    return moment->card[card].fixed.nvidia ? index : -1;
}

/* Adds the labels that only the last Xid has (internal/pkg/collector/gpu_collector.go of dcgm-exporter, texts of
 * xid_errors.go there). A twin has no other Xid than these two. */
static void put_xid(wsk_buf *labels, const wsk_twin_card *card)
{
    const bool lost = card->now.xid != 0;
    put_label(labels, "err_code", lost ? "79" : "0");
    put_label(labels, "err_msg", lost ? "GPU has fallen off the bus" : "No Error");
}

static void visit_cards(const wsk_metrics_of *of, wsk_metrics_visitor *visitor, void *to)
{
    for (size_t m = 0; m < sizeof dcgm / sizeof *dcgm; m++)
        for (int i = 0; i < of->moment->count; i++) {
            const wsk_twin_card *card = &of->moment->card[i];
            const int index = index_of(of->moment, i);
            char number[16], device[24];
            wsk_buf labels = {0};
            if (index < 0)
                continue;
            snprintf(number, sizeof number, "%d", index);
            snprintf(device, sizeof device, "nvidia%d", index);
            put_label(&labels, "gpu", number);
            put_label(&labels, "UUID", card->fixed.uuid);
            put_label(&labels, "pci_bus_id", card->fixed.bus_id);
            put_label(&labels, "device", device);
            put_label(&labels, "modelName", card->fixed.name);
            put_label(&labels, "Hostname", of->host);
            put_label(&labels, "DCGM_FI_DRIVER_VERSION", of->moment->driver);
            if (dcgm[m].read == xid)
                put_xid(&labels, card);
            visitor(to, &dcgm[m].metric, close_labels(&labels),
                    card->now.lost && !dcgm[m].even_lost ? (double)NAN : dcgm[m].read(card));
            wsk_buf_free(&labels);
        }
}

/* Adds the labels of a card in wattsink_... metrics: its id, and for an NVIDIA card also its index and UUID. DCGM's
 * metrics have these two labels too, so that queries can join both. */
static void put_card(wsk_buf *labels, const wsk_twin_moment *moment, const char *id)
{
    put_label(labels, "id", id);
    for (int i = 0; i < moment->count; i++) {
        const int index = index_of(moment, i);
        char number[16];
        if (strcmp(moment->card[i].fixed.id, id) != 0 || index < 0)
            continue;
        snprintf(number, sizeof number, "%d", index);
        put_label(labels, "gpu", number);
        put_label(labels, "UUID", moment->card[i].fixed.uuid);
    }
}

static void visit_more(const wsk_metrics_of *of, wsk_metrics_visitor *visitor, void *to)
{
    for (size_t m = 0; m < sizeof more / sizeof *more; m++)
        for (int i = 0; i < of->moment->count; i++) {
            wsk_buf labels = {0};
            put_card(&labels, of->moment, of->moment->card[i].fixed.id);
            visitor(to, &more[m].metric, close_labels(&labels), more[m].read(&of->moment->card[i]));
            wsk_buf_free(&labels);
        }
}

/* Conversion to the base units of Prometheus: unit of a variable, end of its name, end of the metric's name, factor.
 * https://prometheus.io/docs/practices/naming/ */
static const struct {
    const char *unit, *end, *name;
    double scale;
} units[] = {{"W", "_w", "_watts", 1},          {"VA", "_va", "_volt_amperes", 1}, {"degC", "_c", "_celsius", 1},
             {"kWh", "_kwh", "_joules", 3.6e6}, {"MHz", "_mhz", "_hertz", 1e6},    {"s", "_s", "_seconds", 1},
             {"J", "_j", "_joules", 1},         {"V", "_v", "_volts", 1},          {"mV", "_mv", "_volts", 1e-3},
             {"%", "_percent", "_ratio", 0.01}, {"dBA", "_dba", "_decibels", 1}};

/* prefixes by owner; variables of the whole rig have none */
static const char *const owners[WSK_OWNERS] = {[WSK_OF_CASE] = "case_",
                                               [WSK_OF_SUPPLY] = "psu_",
                                               [WSK_OF_LOOP] = "loop_",
                                               [WSK_OF_MOVER] = "fan_",
                                               [WSK_OF_CARD] = "gpu_"};

/* The cost is no counter: it falls while prices are negative. */
static bool is_counter(const wsk_var_row *row)
{
    return row->change == WSK_VAR_GROWS && row->row != WSK_VAR_COST;
}

/* Makes the metric's name for a variable: wattsink_gpu_die_celsius for "gpu0.die_c". Returns the factor for its
 * values. */
static double name_variable(const wsk_var_row *row, char out[NAME_MAX_LEN])
{
    size_t keep = strlen(row->name);
    const char *end = "";
    double scale = 1;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        const size_t tail = strlen(units[i].end);
        if (strcmp(row->unit, units[i].unit) == 0 && keep > tail &&
            strcmp(row->name + keep - tail, units[i].end) == 0) {
            keep -= tail;
            end = units[i].name;
            scale = units[i].scale;
            break;
        }
    }
    /* the processor's variable belongs to its case, but has its own id */
    const char *owner = row == wsk_var_about(WSK_VAR_CASE_CPU_C) ? "cpu_" : owners[row->owner];
    snprintf(out, NAME_MAX_LEN, "wattsink_%s%.*s%s%s", owner ? owner : "", (int)keep, row->name, end,
             is_counter(row) ? "_total" : "");
    for (char *c = out; *c; c++)
        if (*c == '.' || *c == '-')
            *c = '_';
    return scale;
}

static void visit_variable(const wsk_metrics_of *of, wsk_var which, wsk_metrics_visitor *visitor, void *to)
{
    char metric_name[NAME_MAX_LEN];
    const wsk_var_row *row = wsk_var_about(which);
    const double scale = name_variable(row, metric_name);
    const bool money = which == WSK_VAR_COST || which == WSK_VAR_COST_OTHER;
    const wsk_metric metric = {
        .name = metric_name, .help = row->label, .type = is_counter(row) ? COUNTER : GAUGE, .digits = -1};
    for (size_t i = 0; i < wsk_run_variables(of->run); i++) {
        const char *name, *unit, *currency = "";
        double value;
        wsk_buf labels = {0};
        if (wsk_run_variable_row(of->run, i) != row)
            continue;
        wsk_run_variable(of->run, i, &name, &unit, &value);
        if (row->owner != WSK_OF_RIG) {
            char id[NAME_MAX_LEN];
            snprintf(id, sizeof id, "%.*s", (int)(strlen(name) - strlen(row->name) - 1), name);
            if (row->owner == WSK_OF_CARD)
                put_card(&labels, of->moment, id);
            else
                put_label(&labels, "id", id);
        } else if (money && of->summary && (currency = wsk_summary_text(of->summary, WSK_R_CURRENCY, 0))) {
            put_label(&labels, "currency", currency);
        }
        visitor(to, &metric, close_labels(&labels), value * scale);
        wsk_buf_free(&labels);
    }
}

/* Variables that a run does not record, but that each query of the metrics returns: work per second, shutdowns, and
 * whether circuits and PSUs are on. The site's own circuit, the first one, gets the id "site", as in the results. */
static const struct {
    wsk_var variable;
    const char *name;
    wsk_metric_type type;
} asked[] = {{WSK_VAR_WORK_PER_S, "wattsink_work_units_per_second", GAUGE},
             {WSK_VAR_TOKENS_PER_S, "wattsink_tokens_per_second", GAUGE},
             {WSK_VAR_SHUTDOWNS, "wattsink_shutdowns_total", COUNTER},
             {WSK_VAR_UNDONE_S, "wattsink_work_undone_gpu_seconds_total", COUNTER},
             {WSK_VAR_CIRCUIT_ON, "wattsink_circuit_on", GAUGE},
             {WSK_VAR_SUPPLY_ON, "wattsink_psu_on", GAUGE},
             {WSK_VAR_CARD_WORK_PER_S, "wattsink_gpu_work_units_per_second", GAUGE}};

static void visit_asked(const wsk_metrics_of *of, wsk_metrics_visitor *visitor, void *to)
{
    for (size_t m = 0; m < sizeof asked / sizeof *asked; m++) {
        const wsk_var_row *row = wsk_var_about(asked[m].variable);
        const wsk_metric metric = {.name = asked[m].name, .help = row->label, .type = asked[m].type, .digits = -1};
        const size_t count = row->owner == WSK_OF_RIG ? 1 : wsk_run_owners(of->run, row->owner);
        for (size_t i = 0; i < count; i++) {
            wsk_buf labels = {0};
            if (row->owner == WSK_OF_CARD)
                put_card(&labels, of->moment, wsk_run_owner(of->run, row->owner, i));
            else
                put_label(&labels, "id",
                          row->owner == WSK_OF_CIRCUIT && i == 0 ? "site" : wsk_run_owner(of->run, row->owner, i));
            visitor(to, &metric, close_labels(&labels), wsk_run_value(of->run, asked[m].variable, i));
            wsk_buf_free(&labels);
        }
    }
}

static void visit_jobs(const wsk_metrics_of *of, wsk_metrics_visitor *visitor, void *to)
{
    static const wsk_metric job = {"wattsink_gpu_job_info", "The job that the card works on.", GAUGE, 0};
    for (int i = 0; i < of->moment->count; i++) {
        const wsk_twin_card *card = &of->moment->card[i];
        wsk_buf labels = {0};
        put_card(&labels, of->moment, card->fixed.id);
        put_label(&labels, "job", card->now.process[0].name);
        if (card->now.process[0].pid)
            visitor(to, &job, close_labels(&labels), 1);
        wsk_buf_free(&labels);
    }
}

/* Results that become metrics. id: the result whose text becomes the label `id` (WSK_R_COUNTED: the label `unit`);
 * WSK_RESULTS: no label. */
static const struct {
    wsk_result result, id;
    const char *name;
    wsk_metric_type type;
    double scale;
} results[] = {
    {WSK_R_BRANCH_LIMIT, WSK_R_BRANCH_ID, "wattsink_circuit_limit_watts", GAUGE, 1},
    {WSK_R_BRANCH_LOAD, WSK_R_BRANCH_ID, "wattsink_circuit_load_peak_ratio", GAUGE, 1},
    {WSK_R_BRANCH_OVER, WSK_R_BRANCH_ID, "wattsink_circuit_over_limit_seconds_total", COUNTER, 1},
    {WSK_R_BRANCH_TRIP, WSK_R_BRANCH_ID, "wattsink_breaker_trip_probability", GAUGE, 1},
    {WSK_R_BRANCH_TRIPPED, WSK_R_BRANCH_ID, "wattsink_breaker_tripped", GAUGE, 1},
    {WSK_R_BRANCH_FAILED, WSK_R_BRANCH_ID, "wattsink_circuit_failed", GAUGE, 1},
    {WSK_R_PSU_LINE_LIMIT, WSK_R_PSU_ID, "wattsink_psu_rated_watts", GAUGE, 1},
    {WSK_R_PSU_OVER_LIMIT, WSK_R_PSU_ID, "wattsink_psu_over_limit_seconds_total", COUNTER, 1},
    {WSK_R_PSU_TRIP, WSK_R_PSU_ID, "wattsink_psu_trip_probability", GAUGE, 1},
    {WSK_R_PSU_FAILED, WSK_R_PSU_ID, "wattsink_psu_failed", GAUGE, 1},
    {WSK_R_FAN_FAILED, WSK_R_FAN_ID, "wattsink_fan_failed", GAUGE, 1},
    {WSK_R_WORK, WSK_RESULTS, "wattsink_work_gpu_seconds_total", COUNTER, 3600},
    {WSK_R_WORK_UNTHROTTLED, WSK_RESULTS, "wattsink_work_unthrottled_gpu_seconds_total", COUNTER, 3600},
    {WSK_R_LOST, WSK_RESULTS, "wattsink_work_lost_ratio", GAUGE, 1},
    {WSK_R_COUNT, WSK_R_COUNTED, "wattsink_work_units_total", COUNTER, 1},
    {WSK_R_TOKENS_PROMPT, WSK_RESULTS, "wattsink_tokens_prompt_per_second", GAUGE, 1},
    {WSK_R_TOKENS_GENERATION, WSK_RESULTS, "wattsink_tokens_generated_per_second", GAUGE, 1},
    {WSK_R_CARBON, WSK_RESULTS, "wattsink_carbon_dioxide_grams_total", COUNTER, 1000},
};

/* Work that failures of the job subtracted from a result. It is added again, because a counter never falls. */
static double undone_of(const wsk_run *run, wsk_result result)
{
    switch ((int)result) {
    case WSK_R_WORK: return wsk_run_value(run, WSK_VAR_UNDONE_S, 0);
    case WSK_R_WORK_UNTHROTTLED: return wsk_run_value(run, WSK_VAR_UNDONE_COOL_S, 0);
    case WSK_R_COUNT: return wsk_run_value(run, WSK_VAR_WORK_UNDONE, 0);
    default: return 0;
    }
}

static void visit_results(const wsk_metrics_of *of, wsk_metrics_visitor *visitor, void *to)
{
    for (size_t m = 0; m < sizeof results / sizeof *results && of->summary; m++) {
        const wsk_result_row *about = wsk_result_about(results[m].result);
        const wsk_metric metric = {
            .name = results[m].name, .help = about->label, .type = results[m].type, .digits = -1};
        for (size_t i = 0; i < wsk_summary_count(of->summary, about->scope); i++) {
            const wsk_result by = results[m].id;
            const char *id = by == WSK_RESULTS ? NULL : wsk_summary_text(of->summary, by, i);
            const double undone = undone_of(of->run, results[m].result);
            const double value = wsk_summary_number(of->summary, results[m].result, i) * results[m].scale;
            wsk_buf labels = {0};
            put_label(&labels, by == WSK_R_COUNTED ? "unit" : "id", id ? id : "");
            /* a result is unknown where a failure has undone all work so far */
            visitor(to, &metric, close_labels(&labels), undone > 0 ? (isnan(value) ? 0 : value) + undone : value);
            wsk_buf_free(&labels);
        }
    }
}

static void visit_twin(const wsk_metrics_of *of, wsk_metrics_visitor *visitor, void *to)
{
    static const wsk_metric about = {"wattsink_build_info", "The program and the rig.", GAUGE, 0},
                            passed = {"wattsink_simulated_seconds_total", "Simulated time since the start.", COUNTER,
                                      -1},
                            date = {"wattsink_clock_timestamp_seconds", "Unix time of the simulated clock.", GAUGE,
                                    3},
                            speed = {"wattsink_speed", "Simulated seconds in one of real time.", GAUGE, -1};
    wsk_buf labels = {0};
    put_label(&labels, "version", wsk_version());
    put_label(&labels, "rig", of->moment->rig);
    visitor(to, &about, close_labels(&labels), 1);
    wsk_buf_free(&labels);
    visitor(to, &passed, "", (double)of->moment->t_ns / 1e9);
    visitor(to, &date, "", (double)of->moment->utc_ns / 1e9);
    visitor(to, &speed, "", of->moment->speed);
}

void wsk_metrics_visit(const wsk_metrics_of *of, wsk_metrics_visitor *visitor, void *to)
{
    visit_cards(of, visitor, to);
    visit_more(of, visitor, to);
    for (int v = 0; v < WSK_VAR_COUNT; v++)
        visit_variable(of, (wsk_var)v, visitor, to);
    visit_asked(of, visitor, to);
    visit_jobs(of, visitor, to);
    visit_results(of, visitor, to);
    visit_twin(of, visitor, to);
}

static bool ends_in_total(const char *name)
{
    const size_t len = strlen(name);
    return len > 6 && strcmp(name + len - 6, "_total") == 0;
}

void wsk_metrics_head(FILE *out, const wsk_metric *metric, wsk_metrics_form form)
{
    size_t len = strlen(metric->name);
    const char *type = metric->type == COUNTER ? "counter" : "gauge";
    if (form == WSK_METRICS_OPEN && metric->type == COUNTER) {
        if (ends_in_total(metric->name))
            len -= 6;
        else
            type = "unknown";
    }
    fprintf(out, "# HELP %.*s %s\n# TYPE %.*s %s\n", (int)len, metric->name, metric->help, (int)len, metric->name,
            type);
}

void wsk_metrics_value(FILE *out, const wsk_metric *metric, double value)
{
    if (isinf(value))
        fputs(value > 0 ? "+Inf" : "-Inf", out);
    else if (metric->digits >= 0)
        fprintf(out, "%.*f", metric->digits, value);
    else
        fprintf(out, "%.10g", value);
}

typedef struct {
    FILE *out;
    wsk_metrics_form form;
    char headed[NAME_MAX_LEN]; /* name of the metric whose head was written last */
} page;

static void write_sample(void *to, const wsk_metric *metric, const char *labels, double value)
{
    page *p = to;
    if (isnan(value))
        return;
    if (strcmp(p->headed, metric->name) != 0) {
        wsk_metrics_head(p->out, metric, p->form);
        snprintf(p->headed, sizeof p->headed, "%s", metric->name);
    }
    fprintf(p->out, "%s%s ", metric->name, labels);
    wsk_metrics_value(p->out, metric, value);
    fputc('\n', p->out);
}

void wsk_metrics_write(FILE *out, const wsk_metrics_of *of, wsk_metrics_form form)
{
    page p = {.out = out, .form = form};
    wsk_metrics_visit(of, write_sample, &p);
    if (form == WSK_METRICS_OPEN)
        fputs("# EOF\n", out);
}

const char *wsk_metrics_type(wsk_metrics_form form)
{
    return form == WSK_METRICS_OPEN ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
                                    : "text/plain; version=0.0.4; charset=utf-8";
}
