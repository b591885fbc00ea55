/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "cli/smi/smi.h"
#include "sim/base/calendar.h"

enum { HEADER_EVERY = 20 };

typedef struct {
    char group; /* letter of -s that selects the column */
    const char *name, *unit;
    /* a value of WSK_TWIN_NONE is printed as "-"; function NULL: under_limit, which needs the previous round, too */
    int32_t (*value)(const wsk_twin_card *card);
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

static int32_t is_too_hot(const wsk_twin_card *c)
{
    return (c->now.reasons & (WSK_REASON_SW_THERMAL | WSK_REASON_HW_THERMAL)) != 0;
}

static int32_t ecc_errors(const wsk_twin_card *c)
{
    return c->fixed.ecc ? 0 : WSK_TWIN_NONE;
}

/* Share of the time since the previous round for which the power limit slowed the card, %. Without a previous round, or
 * if no time has passed: 100 if the power limit slows the card at present, else 0. */
static int32_t under_limit(const wsk_smi *smi, const wsk_twin_card *c)
{
    const int64_t dt_ns = smi->moment.t_ns - smi->before.t_ns;
    if (smi->before.count != smi->moment.count || dt_ns <= 0)
        return c->now.reasons & WSK_REASON_POWER_CAP ? 100 : 0;
    const wsk_twin_card *old = &smi->before.card[c - smi->moment.card];
    const int64_t held_ns = (int64_t)(c->now.held_power_ns - old->now.held_power_ns);
    return held_ns >= dt_ns ? 100 : (int32_t)(100 * held_ns / dt_ns);
}

static const column columns[] = {{'p', "pwr", "W", watts},
                                 {'p', "gtemp", "C", die},
                                 {'p', "mtemp", "C", memory},
                                 {'u', "sm", "%", busy},
                                 {'u', "mem", "%", memory_busy},
                                 {'u', "enc", "%", encoder},
                                 {'u', "dec", "%", decoder},
                                 {'u', "jpg", "%", zero},
                                 {'u', "ofa", "%", zero},
                                 {'c', "mclk", "MHz", memory_clock},
                                 {'c', "pclk", "MHz", sm_clock},
                                 {'v', "pviol", "%", NULL},
                                 {'v', "tviol", "bool", is_too_hot},
                                 {'m', "fb", "MB", used_mb},
                                 {'m', "bar1", "MB", zero},
                                 {'m', "ccpm", "MB", zero},
                                 {'e', "sbecc", "errs", ecc_errors},
                                 {'e', "dbecc", "errs", ecc_errors},
                                 {'e', "pci", "errs", zero},
                                 {'t', "rxpci", "MB/s", received},
                                 {'t', "txpci", "MB/s", sent}};
enum { COLUMNS = sizeof columns / sizeof *columns };

static bool is_stamped(const wsk_smi *smi, char letter)
{
    return smi->options.stamps && strchr(smi->options.stamps, letter);
}

/* Begins a line of a header. The columns are as wide as in the output of drivers of 2026, from public captures; those
 * of 2024 printed narrower columns. */
static void begin_header(const wsk_smi *smi, const char *date, const char *time, const char *card)
{
    const bool dated = is_stamped(smi, 'D'), timed = is_stamped(smi, 'T');
    fputc('#', smi->out);
    if (dated)
        fprintf(smi->out, "%-*s", timed ? 12 : 13, date);
    if (timed)
        fprintf(smi->out, "%-13s", time);
    fprintf(smi->out, "%s%s", dated || timed ? "" : " ", card);
}

/* Prints the groups of columns in the order of the letters of -s. */
static void print_cells(const wsk_smi *smi, const char *select,
                        void (*print)(const wsk_smi *smi, const column *which, const wsk_twin_card *card),
                        const wsk_twin_card *card)
{
    for (const char *letter = select; *letter; letter++)
        for (int i = 0; i < COLUMNS; i++)
            if (columns[i].group == *letter)
                print(smi, &columns[i], card);
    fputs(" \n", smi->out);
}

static void print_name(const wsk_smi *smi, const column *which, const wsk_twin_card *card)
{
    (void)card;
    fprintf(smi->out, " %6s", which->name);
}

static void print_unit(const wsk_smi *smi, const column *which, const wsk_twin_card *card)
{
    (void)card;
    fprintf(smi->out, " %6s", which->unit);
}

static void print_cards_header(const wsk_smi *smi, const char *select)
{
    begin_header(smi, "Date", "Time", "gpu");
    print_cells(smi, select, print_name, NULL);
    begin_header(smi, "YYYYMMDD", "HH:MM:SS", "Idx");
    print_cells(smi, select, print_unit, NULL);
}

static void begin_line(const wsk_smi *smi, int index)
{
    const wsk_date d = wsk_date_of(smi->moment.utc_ns / WSK_NS);
    const bool dated = is_stamped(smi, 'D'), timed = is_stamped(smi, 'T');
    if (dated)
        fprintf(smi->out, " %04d%02d%02d   ", d.year, d.month, d.day);
    if (timed)
        fprintf(smi->out, " %02d:%02d:%02d   ", d.second / 3600, d.second / 60 % 60, d.second % 60);
    fprintf(smi->out, "%5d", index);
}

static void print_number(FILE *out, int32_t value)
{
    if (value == WSK_TWIN_NONE)
        fprintf(out, " %6s", "-");
    else
        fprintf(out, " %6d", value);
}

static void print_reading(const wsk_smi *smi, const column *which, const wsk_twin_card *card)
{
    print_number(smi->out, which->value ? which->value(card) : under_limit(smi, card));
}

int wsk_smi_check_monitor(const wsk_smi *smi)
{
    const char *select = smi->options.select, *letters = smi->options.pmon ? "um" : "pucvmet";
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
        begin_line(smi, smi->card[c].index);
        print_cells(smi, select, print_reading, smi->card[c].card);
    }
    return code;
}

/* Columns of pmon. A twin knows two values of a process: its share of the SMs and its memory. In the other columns
 * print_process prints "-", or 0 for ccpm. */
static const struct {
    char group;
    const char *title[2]; /* name, unit */
} process_columns[] = {{'u', {"sm", "%"}},  {'u', {"mem", "%"}}, {'u', {"enc", "%"}}, {'u', {"dec", "%"}},
                       {'u', {"jpg", "%"}}, {'u', {"ofa", "%"}}, {'m', {"fb", "MB"}}, {'m', {"ccpm", "MB"}}};
enum { PROCESS_COLUMNS = sizeof process_columns / sizeof *process_columns };

static void print_process_titles(const wsk_smi *smi, const char *select, int line)
{
    for (int i = 0; i < PROCESS_COLUMNS; i++)
        if (strchr(select, process_columns[i].group))
            fprintf(smi->out, " %6s", process_columns[i].title[line]);
}

static void print_processes_header(const wsk_smi *smi, const char *select)
{
    begin_header(smi, "Date", "Time", "gpu");
    fputs("         pid   type", smi->out);
    print_process_titles(smi, select, 0);
    fputs("    command \n", smi->out);
    begin_header(smi, "YYYYMMDD", "HH:MM:SS", "Idx");
    fputs("           #    C/G", smi->out);
    print_process_titles(smi, select, 1);
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
    begin_line(smi, index);
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
    int code = WSK_SMI_OK;
    for (int c = 0; c < smi->count; c++) {
        if (smi->card[c].card->now.lost) {
            code = wsk_smi_tell_lost(smi, &smi->card[c]);
            continue;
        }
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
    return code;
}

int wsk_smi_monitor(const wsk_smi *smi, int *line)
{
    return smi->options.pmon ? monitor_processes(smi, line) : monitor_cards(smi, line);
}
