/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/suggest/suggest.h"

/* A box and its parts. slots: slots or rail places of the chassis; cards: most cards that the board's slots allow with
 * 8 lanes each; lanes: PCI Express lanes of processors and board; modules: memory slots of the board; fans: standard
 * case fans are added; rest_w: power of processor, board and fans at full speed. rail_mm: distance between two places
 * of a rail of cards; 0: the cards are in slots. */
typedef struct {
    const char *chassis, *board, *cpu, *module;
    int slots, cards, cpus, lanes, modules;
    wsk_cli_mount mount;
    bool fans;
    double rest_w, rail_mm;
} box;
/* The powers and sizes are assumed: docs/theory/constants.md, "host of a suggested machine" */
static const box boxes[] = {{.chassis = "chassis/mid-tower-mesh",
                             .board = "board/generic-desktop",
                             .cpu = "cpu/ryzen-9-7950x",
                             .module = "memory/ddr5-udimm-32",
                             .slots = 7,
                             .cards = 2,
                             .cpus = 1,
                             .lanes = 32,
                             .modules = 4,
                             .mount = WSK_CLI_IN_SLOT,
                             .fans = true,
                             .rest_w = 200},
                            {.chassis = "chassis/full-tower-8-slot",
                             .board = "board/generic-workstation",
                             .cpu = "cpu/generic-workstation",
                             .module = "memory/ddr4-rdimm-32",
                             .slots = 8,
                             .cards = 4,
                             .cpus = 1,
                             .lanes = 88,
                             .modules = 8,
                             .mount = WSK_CLI_IN_SLOT,
                             .fans = true,
                             .rest_w = 250},
                            {.chassis = "chassis/workstation-12-slot",
                             .board = "board/generic-workstation",
                             .cpu = "cpu/generic-workstation",
                             .module = "memory/ddr4-rdimm-32",
                             .slots = 12,
                             .cards = 6,
                             .cpus = 1,
                             .lanes = 88,
                             .modules = 8,
                             .mount = WSK_CLI_IN_SLOT,
                             .fans = true,
                             .rest_w = 250},
                            {.chassis = "chassis/mining-frame-8",
                             .board = "board/generic-server",
                             .cpu = "cpu/epyc-7302",
                             .module = "memory/ddr4-rdimm-32",
                             .slots = 8,
                             .cards = 7,
                             .cpus = 1,
                             .lanes = 128,
                             .modules = 8,
                             .mount = WSK_CLI_IN_SLOT,
                             .rest_w = 250,
                             .rail_mm = 100},
                            {.chassis = "chassis/server-4u-8gpu",
                             .board = "board/generic-server-2s",
                             .cpu = "cpu/generic-server",
                             .module = "memory/ddr5-rdimm-32",
                             .slots = 20,
                             .cards = 8,
                             .cpus = 2,
                             .lanes = 320,
                             .modules = 24,
                             .mount = WSK_CLI_IN_DUCT,
                             .rest_w = 900}};
enum { DRIVE_LANES = 4, MODULE_GB = 32 };
enum { BOXES = sizeof boxes / sizeof *boxes };
static const int ratings[] = {550, 650, 750, 850, 1000, 1200, 1600};
enum { RATINGS = sizeof ratings / sizeof *ratings };

int wsk_boxes(void)
{
    return BOXES;
}

const char *wsk_box_chassis(int at)
{
    return boxes[at].chassis;
}

bool wsk_box_holds(int at, const wsk_choice_card *card, int count)
{
    const box *b = &boxes[at];
    const int room = b->rail_mm > 0 ? count : count * card->need.slots;
    return b->mount == card->need.place && count <= b->cards && room <= b->slots;
}

static double load_of(const wsk_machine *m)
{
    return m->count * m->limit_w + boxes[m->box].rest_w;
}

static double wanted_psu_w(const wsk_machine *m)
{
    return 1.25 * load_of(m); /* assumed: docs/theory/constants.md, "host of a suggested machine" */
}

static int find_rating(const wsk_machine *m)
{
    int at = 0;
    while (at < RATINGS - 1 && ratings[at] < wanted_psu_w(m))
        at++;
    return at + m->psu_up < RATINGS ? at + m->psu_up : RATINGS - 1;
}

bool wsk_machine_psu_up(wsk_machine *m)
{
    const bool larger = find_rating(m) < RATINGS - 1;
    m->psu_up += larger;
    return larger;
}

/* Writes one PSU, or several of the largest rating that share the load. */
static void write_psus(FILE *out, const wsk_machine *m)
{
    const double wanted_w = wanted_psu_w(m);
    const int at = find_rating(m);
    const int units = (int)ceil(wanted_w / ratings[at]);
    for (int i = 0; i < units; i++)
        fprintf(out, "    <psu part=\"psu/tier-gold-%d\"%s/>\n", ratings[at], units > 1 ? " redundant=\"yes\"" : "");
}

static void write_fans(FILE *out, const box *b)
{
    if (b->fans)
        fputs("    <fan part=\"fan/generic-120-1500\" at=\"front\" count=\"3\"/>\n"
              "    <fan part=\"fan/generic-120-1500\" at=\"rear\"/>\n",
              out);
}

/* Number of memory modules of the host. The host's memory holds the weights while they are loaded, so it is as large
 * as the memory of all cards plus 16 GB, if the board has slots for so many modules; at least two modules. */
static int count_modules(const box *b, double cards_gb)
{
    const int modules = (int)ceil((cards_gb + 16) / MODULE_GB);
    return modules < 2 ? 2 : modules > b->modules ? b->modules : modules;
}

double wsk_machine_host_gb(const wsk_machine *m)
{
    return MODULE_GB * count_modules(&boxes[m->box], m->count * m->card->memory_gb);
}

static void write_host(FILE *out, const box *b, double cards_gb)
{
    fprintf(out,
            "    <cpu part=\"%s\"%s/>\n"
            "    <board part=\"%s\"/>\n"
            "    <memory part=\"%s\" count=\"%d\"/>\n"
            "    <storage part=\"storage/nvme-m2\"/>\n",
            b->cpu, b->cpus > 1 ? " count=\"2\"" : "", b->board, b->module, count_modules(b, cards_gb));
}

static void write_cards(FILE *out, const box *b, const wsk_machine *m)
{
    const wsk_choice_card *c = m->card;
    const int step = b->rail_mm > 0 ? 1 : m->count > 1 ? (b->slots - c->need.slots) / (m->count - 1) : 1;
    for (int i = 0; i < m->count; i++) {
        fprintf(out, "    <gpu part=\"%s\" slot=\"%d\"", c->id, 1 + i * step);
        if (b->rail_mm > 0)
            fprintf(out, " riser=\"%.0f mm\"", fmax(b->rail_mm - c->need.thick_mm, 1));
        if (16 * m->count + DRIVE_LANES > b->lanes)
            fputs(" lanes=\"8\"", out);
        if (m->limit_w < c->need.tdp_w)
            fprintf(out, " power-limit=\"%.0f W\"", m->limit_w);
        fputs("/>\n", out);
    }
}

static void write_workload(FILE *out, const wsk_ask *ask)
{
    const struct {
        const char *name, *value;
    } told[] = {{"quant", ask->quant}, {"engine", ask->engine}, {"streams", ask->streams}, {"context", ask->context}};
    const bool vllm = ask->engine && strcmp(ask->engine, "vllm") == 0;
    fprintf(out, "  <workload kind=\"inference\" model=\"%s\" split=\"%s\"", ask->model, vllm ? "tensor" : "layer");
    for (size_t i = 0; i < sizeof told / sizeof *told; i++)
        if (told[i].value)
            fprintf(out, " %s=\"%s\"", told[i].name, told[i].value);
    fputs("/>\n", out);
}

char *wsk_machine_xml(const wsk_machine *m, const wsk_ask *ask)
{
    const box *b = &boxes[m->box];
    char *text = NULL;
    size_t len;
    FILE *out = wsk_cli_text(&text, &len);
    fprintf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<rig name=\"%d x %s\">\n", m->count, m->card->id + 4);
    wsk_cli_write_site(out, ask->land, &ask->socket, load_of(m));
    fprintf(out, "  <chassis part=\"%s\">\n", b->chassis);
    write_fans(out, b);
    write_psus(out, m);
    write_host(out, b, m->count * m->card->memory_gb);
    write_cards(out, b, m);
    fputs("  </chassis>\n", out);
    write_workload(out, ask);
    fputs("  <run for=\"7 d\" step=\"1 s\"/>\n</rig>\n", out);
    wsk_cli_check_memory(fclose(out) == 0);
    return text;
}

char *wsk_machine_all_parts_xml(const wsk_ask *ask)
{
    char *text = NULL;
    size_t len;
    FILE *out = wsk_cli_text(&text, &len);
    fputs("<rig>\n", out);
    wsk_cli_write_site(out, ask->land, &ask->socket, 1000);
    for (const box *b = boxes; b < boxes + BOXES; b++) {
        fprintf(out, "  <chassis part=\"%s\">\n", b->chassis);
        write_fans(out, b);
        for (int i = 0; i < RATINGS; i++)
            fprintf(out, "    <psu part=\"psu/tier-gold-%d\"/>\n", ratings[i]);
        write_host(out, b, 0);
        fputs("  </chassis>\n", out);
    }
    write_workload(out, ask);
    fputs("</rig>\n", out);
    wsk_cli_check_memory(fclose(out) == 0);
    return text;
}
