/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "cli/smi/smi.h"
#include "sim/base/calendar.h"

enum { HEADER_EVERY = 20 };

typedef struct {
    char group; /* letter of -s that selects the column */
    const char *name, *unit;
    int32_t (*value)(const wsk_twin_card *card); /* WSK_TWIN_NONE is printed as "-" */
} column;

static int32_t watts(const wsk_twin_card *c)
{
    return c->now.power_mw == WSK_TWIN_NONE ? WSK_TWIN_NONE : c->now.power_mw / 1000;
}

static int32_t die(const wsk_twin_card *c)
{
    return c->now.die_c;
}

static int32_t memory(const wsk_twin_card *c)
{
    return wsk_smi_has_hbm(&(wsk_smi_card){.card = c}) ? c->now.memory_c : WSK_TWIN_NONE;
}

static int32_t busy(const wsk_twin_card *c)
{
    return c->now.gpu_percent;
}

static int32_t memory_busy(const wsk_twin_card *c)
{
    return c->now.memory_percent;
}

static int32_t encoder(const wsk_twin_card *c)
{
    return c->now.encoder_percent;
}

static int32_t decoder(const wsk_twin_card *c)
{
    return c->now.decoder_percent;
}

static int32_t zero(const wsk_twin_card *c)
{
    (void)c;
    return 0;
}

static int32_t memory_clock(const wsk_twin_card *c)
{
    return c->now.memory_clock_mhz;
}

static int32_t sm_clock(const wsk_twin_card *c)
{
    return c->now.clock_mhz;
}

static int32_t used_mb(const wsk_twin_card *c)
{
    return (int32_t)(c->now.memory_used_bytes >> 20);
}

static int32_t received(const wsk_twin_card *c)
{
    return c->now.pcie_rx_kbs == WSK_TWIN_NONE ? WSK_TWIN_NONE : c->now.pcie_rx_kbs / 1000;
}

static int32_t sent(const wsk_twin_card *c)
{
    return c->now.pcie_tx_kbs == WSK_TWIN_NONE ? WSK_TWIN_NONE : c->now.pcie_tx_kbs / 1000;
}

static const column columns[] = {{'p', "pwr", "W", watts},         {'p', "gtemp", "C", die},
                                 {'p', "mtemp", "C", memory},      {'u', "sm", "%", busy},
                                 {'u', "mem", "%", memory_busy},   {'u', "enc", "%", encoder},
                                 {'u', "dec", "%", decoder},       {'u', "jpg", "%", zero},
                                 {'u', "ofa", "%", zero},          {'c', "mclk", "MHz", memory_clock},
                                 {'c', "pclk", "MHz", sm_clock},   {'m', "fb", "MB", used_mb},
                                 {'m', "bar1", "MB", zero},        {'m', "ccpm", "MB", zero},
                                 {'t', "rxpci", "MB/s", received}, {'t', "txpci", "MB/s", sent}};
enum { COLUMNS = sizeof columns / sizeof *columns };

static void print_cards_header(const wsk_smi *smi, const char *select)
{
    fputs(smi->options.dates ? "#Date       Time        gpu" : "# gpu", smi->out);
    for (int i = 0; i < COLUMNS; i++)
        if (strchr(select, columns[i].group))
            fprintf(smi->out, " %6s", columns[i].name);
    fputs(smi->options.dates ? " \n#YYYYMMDD   HH:MM:SS    Idx" : " \n# Idx", smi->out);
    for (int i = 0; i < COLUMNS; i++)
        if (strchr(select, columns[i].group))
            fprintf(smi->out, " %6s", columns[i].unit);
    fputs(" \n", smi->out);
}

static void print_date(const wsk_smi *smi)
{
    const wsk_date d = wsk_date_of(smi->moment.utc_ns / WSK_NS);
    if (smi->options.dates)
        fprintf(smi->out, " %04d%02d%02d   %02d:%02d:%02d  ", d.year, d.month, d.day, d.second / 3600,
                d.second / 60 % 60, d.second % 60);
}

static void print_number(FILE *out, int32_t value)
{
    if (value == WSK_TWIN_NONE)
        fprintf(out, " %6s", "-");
    else
        fprintf(out, " %6d", value);
}

int wsk_smi_check_monitor(const wsk_smi *smi)
{
    const char *select = smi->options.select, *letters = smi->options.pmon ? "um" : "pucmt";
    if (!select || strspn(select, letters) == strlen(select))
        return WSK_SMI_OK;
    fprintf(stderr, "-s %s: expected letters of %s.\n", select, letters);
    return WSK_SMI_ARGUMENT;
}

static int monitor_cards(const wsk_smi *smi, int *line)
{
    const char *select = smi->options.select ? smi->options.select : "puc";
    int code = WSK_SMI_OK;
    for (int c = 0; c < smi->count; c++) {
        if (smi->card[c].card->now.lost) {
            code = wsk_smi_tell_lost(smi, &smi->card[c]);
            continue;
        }
        if ((*line)++ % HEADER_EVERY == 0)
            print_cards_header(smi, select);
        print_date(smi);
        fprintf(smi->out, "%5d", smi->card[c].index);
        for (int i = 0; i < COLUMNS; i++)
            if (strchr(select, columns[i].group))
                print_number(smi->out, columns[i].value(smi->card[c].card));
        fputs(" \n", smi->out);
    }
    return code;
}

/* Columns of pmon. The twin knows of a process its share of the SMs and its memory. */
static const struct {
    char group;
    const char *name, *unit;
} process_columns[] = {{'u', "sm", "%"},  {'u', "mem", "%"}, {'u', "enc", "%"}, {'u', "dec", "%"},
                       {'u', "jpg", "%"}, {'u', "ofa", "%"}, {'m', "fb", "MB"}, {'m', "ccpm", "MB"}};
enum { PROCESS_COLUMNS = sizeof process_columns / sizeof *process_columns };

static void print_processes_header(const wsk_smi *smi, const char *select)
{
    fprintf(smi->out, "%s         pid   type", smi->options.dates ? "#Date       Time        gpu" : "# gpu");
    for (int i = 0; i < PROCESS_COLUMNS; i++)
        if (strchr(select, process_columns[i].group))
            fprintf(smi->out, " %6s", process_columns[i].name);
    fprintf(smi->out, "    command \n%s           #    C/G",
            smi->options.dates ? "#YYYYMMDD   HH:MM:SS    Idx" : "# Idx");
    for (int i = 0; i < PROCESS_COLUMNS; i++)
        if (strchr(select, process_columns[i].group))
            fprintf(smi->out, " %6s", process_columns[i].unit);
    fputs("    name \n", smi->out);
}

static void print_process(const wsk_smi *smi, const char *select, int index, const wsk_twin_process *p)
{
    int32_t values[PROCESS_COLUMNS];
    for (int i = 0; i < PROCESS_COLUMNS; i++)
        values[i] = WSK_TWIN_NONE;
    if (p) {
        values[0] = p->sm_percent > 0 ? p->sm_percent : WSK_TWIN_NONE;
        values[PROCESS_COLUMNS - 2] = (int32_t)(p->memory_bytes >> 20);
        values[PROCESS_COLUMNS - 1] = 0;
    }
    print_date(smi);
    fprintf(smi->out, "%5d", index);
    if (p)
        fprintf(smi->out, "%11d%6s", p->pid, "C");
    else
        fprintf(smi->out, "%11s%6s", "-", "-");
    for (int i = 0; i < PROCESS_COLUMNS; i++)
        if (strchr(select, process_columns[i].group))
            print_number(smi->out, values[i]);
    fprintf(smi->out, "    %-15.15s\n", p ? p->name : "-");
}

static int monitor_processes(const wsk_smi *smi, int *line)
{
    const char *select = smi->options.select ? smi->options.select : "u";
    for (int c = 0; c < smi->count; c++) {
        bool any = false;
        for (int i = 0; i <= WSK_TWIN_PROCESSES; i++) {
            const wsk_twin_process *p = i < WSK_TWIN_PROCESSES ? &smi->card[c].card->now.process[i] : NULL;
            if (p ? !p->pid : any)
                continue;
            any = true;
            if ((*line)++ % HEADER_EVERY == 0)
                print_processes_header(smi, select);
            print_process(smi, select, smi->card[c].index, p);
        }
    }
    return WSK_SMI_OK;
}

int wsk_smi_monitor(const wsk_smi *smi, int *line)
{
    return smi->options.pmon ? monitor_processes(smi, line) : monitor_cards(smi, line);
}
