/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>
#include <strings.h>

#include "cli/smi/layout.h"
#include "cli/smi/smi.h"

/* COLON, PROCESS_COLON: column of the colon in text, in rows of a card and of a process. DEPTH: deepest nesting. */
enum { COLON = 55, PROCESS_COLON = 42, DEPTH = 8 };

static const struct {
    const char *name;
    unsigned section;
} sections[] = {{"MEMORY", WSK_SMI_MEMORY},
                {"UTILIZATION", WSK_SMI_UTILISATION},
                {"ECC", WSK_SMI_ECC},
                {"TEMPERATURE", WSK_SMI_TEMPERATURE},
                {"POWER", WSK_SMI_POWER},
                {"CLOCK", WSK_SMI_CLOCK},
                {"COMPUTE", WSK_SMI_COMPUTE},
                {"PIDS", WSK_SMI_PIDS},
                {"PERFORMANCE", WSK_SMI_PERFORMANCE},
                {"SUPPORTED_CLOCKS", WSK_SMI_SUPPORTED_CLOCKS},
                {"PAGE_RETIREMENT", WSK_SMI_PAGES},
                {"ACCOUNTING", WSK_SMI_ACCOUNTING},
                {"ENCODER_STATS", WSK_SMI_ENCODER},
                {"SUPPORTED_GPU_TARGET_TEMP", WSK_SMI_TARGETS},
                {"FBC_STATS", WSK_SMI_FBC},
                {"ROW_REMAPPER", WSK_SMI_ROWS},
                {"GSP_FIRMWARE_VERSION", WSK_SMI_GSP},
                {"POWER_SMOOTHING", WSK_SMI_SMOOTHING},
                {"POWER_PROFILES", WSK_SMI_PROFILES}};

bool wsk_smi_sections(const char *text, unsigned *out)
{
    *out = 0;
    for (const char *word = text; *word; word += word[strcspn(word, ",")] ? strcspn(word, ",") + 1 : strlen(word)) {
        const size_t len = strcspn(word, ",");
        unsigned found = 0;
        for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
            if (strlen(sections[i].name) == len && strncasecmp(sections[i].name, word, len) == 0)
                found = sections[i].section;
        if (!found) {
            fprintf(stderr, "\"%.*s\" is not a section of -d.\n", (int)len, word);
            return false;
        }
        *out |= found;
    }
    return *out != 0;
}

static void print_text(FILE *out, int depth, const char *key, const char *value)
{
    fprintf(out, "%*s%-*s: %s\n", 4 * depth, "", COLON - 4 * depth, key, value);
}

static void print_value(FILE *out, int depth, const char *key, const wsk_smi_value *v)
{
    char text[WSK_SMI_TEXT + 16];
    snprintf(text, sizeof text, "%s%s%s", *v->text ? v->text : "N/A", *v->text && *v->unit ? " " : "",
             *v->text ? v->unit : "");
    print_text(out, depth, key, text);
}

static void indent(FILE *out, int depth)
{
    for (int i = 0; i < depth; i++)
        fputc('\t', out);
}

static void print_escaped(FILE *out, const char *text)
{
    for (const char *c = text; *c; c++)
        switch (*c) {
        case '&': fputs("&amp;", out); break;
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        default: fputc(*c, out);
        }
}

static void print_element(FILE *out, int depth, const char *tag, const char *text)
{
    indent(out, depth);
    fprintf(out, "<%s>", tag);
    print_escaped(out, text);
    fprintf(out, "</%s>\n", tag);
}

static void print_tag(FILE *out, int depth, const char *before, const char *tag)
{
    indent(out, depth);
    fprintf(out, "%s%s>\n", before, tag);
}

static void print_xml_value(FILE *out, const wsk_smi_row *row, const wsk_smi_value *v)
{
    char text[WSK_SMI_TEXT + 16];
    const char *from = v->text + (row->flags & L_BARE && strncmp(v->text, "0x", 2) == 0 ? 2 : 0);
    snprintf(text, sizeof text, "%s%s%s", *from ? from : "N/A", *from && *v->unit ? " " : "", *from ? v->unit : "");
    /* in nvidia-smi's XML the value of mig_devices is on a line of its own */
    if (strcmp(row->tag, "mig_devices") == 0) {
        print_tag(out, row->depth + 1, "<", row->tag);
        indent(out, row->depth + 2);
        fputs("None\n", out);
        print_tag(out, row->depth + 1, "</", row->tag);
        return;
    }
    print_element(out, row->depth + 1, row->tag, text);
}

typedef struct {
    FILE *out;
    const wsk_smi_card *card;
    bool xml;
    unsigned sections;
    /* open[depth]: XML tag of the open heading at that depth; NULL: no heading is open there */
    const char *open[DEPTH];
    int deepest; /* depth of the innermost open tag; 0: no tag is open */
    /* depth of a left-out row, below which deeper rows are left out as well; 0: nothing is left out */
    int skipped;
} document;

static bool is_of_driver(const document *d, unsigned flags)
{
    const int dialect = d->xml ? 595 : d->card->dialect; /* XML is known only from captures of driver 595 */
    return !((flags & L_595 && dialect < 595) || (flags & L_610 && dialect < 610) ||
             (flags & L_OLD && dialect >= 610));
}

static bool is_shown(const document *d, const wsk_smi_row *row)
{
    if (row->flags & (d->xml ? L_TEXT : L_XML) || !is_of_driver(d, row->flags))
        return false;
    if (row->depth == 1 && d->sections && !(row->section & d->sections))
        return false;
    if (row->depth == 1 && row->flags & L_ASKED && !d->xml && !d->sections)
        return false;
    return !row->when || row->when(d->card) || row->flags & L_INLINE;
}

static void close_to(document *d, int depth)
{
    for (; d->deepest >= depth; d->deepest--)
        if (d->deepest && d->open[d->deepest]) {
            print_tag(d->out, d->deepest + 1, "</", d->open[d->deepest]);
            d->open[d->deepest] = NULL;
        }
}

static void print_heading(document *d, const wsk_smi_row *row)
{
    const bool absent = row->flags & L_INLINE && !row->when(d->card);
    if (absent) {
        d->skipped = row->depth;
        if (d->xml)
            print_element(d->out, row->depth + 1, row->tag, "N/A");
        else
            print_text(d->out, row->depth, row->key, "N/A");
    } else if (d->xml) {
        print_tag(d->out, row->depth + 1, "<", row->tag);
        d->open[row->depth] = row->tag;
        d->deepest = row->depth;
    } else {
        fprintf(d->out, "%*s%s\n", 4 * row->depth, "", row->key);
    }
}

static void print_row(document *d, const wsk_smi_row *row)
{
    if (d->skipped && row->depth > d->skipped)
        return;
    d->skipped = 0;
    if (!is_shown(d, row)) {
        d->skipped = row->depth;
        return;
    }
    close_to(d, row->depth);
    if (row->fact < 0) {
        print_heading(d, row);
        return;
    }
    wsk_smi_value v;
    wsk_smi_tell(d->card, (wsk_smi_fact)row->fact, &v);
    if (d->xml)
        print_xml_value(d->out, row, &v);
    else
        print_value(d->out, row->depth, row->key, &v);
}

static void print_clocks(const document *d)
{
    const wsk_twin_fixed *f = &d->card->card->fixed;
    char text[32];
    if (d->sections ? !(d->sections & WSK_SMI_SUPPORTED_CLOCKS) : !d->xml)
        return;
    if (f->memory_clock_max_mhz < 1 || f->clock_max_mhz < 1 || f->clock_min_mhz < 1 || f->clock_step_mhz < 1) {
        if (d->xml)
            print_element(d->out, 2, "supported_clocks", "N/A");
        else
            print_text(d->out, 1, "Supported Clocks", "N/A");
        return;
    }
    snprintf(text, sizeof text, "%d MHz", f->memory_clock_max_mhz);
    if (d->xml) {
        print_tag(d->out, 2, "<", "supported_clocks");
        print_tag(d->out, 3, "<", "supported_mem_clock");
        print_element(d->out, 4, "value", text);
    } else {
        fputs("    Supported Clocks\n", d->out);
        print_text(d->out, 2, "Memory", text);
    }
    for (int mhz = f->clock_max_mhz; mhz >= f->clock_min_mhz; mhz -= f->clock_step_mhz) {
        snprintf(text, sizeof text, "%d MHz", mhz);
        if (d->xml)
            print_element(d->out, 4, "supported_graphics_clock", text);
        else
            print_text(d->out, 3, "Graphics", text);
    }
    if (d->xml) {
        print_tag(d->out, 3, "</", "supported_mem_clock");
        print_tag(d->out, 2, "</", "supported_clocks");
    }
}

static void print_process(const document *d, const wsk_twin_process *p)
{
    char pid[16], memory[32];
    snprintf(pid, sizeof pid, "%d", p->pid);
    snprintf(memory, sizeof memory, "%lld MiB", (long long)(p->memory_bytes >> 20));
    const char *const rows[][3] = {{"GPU instance ID", "gpu_instance_id", "N/A"},
                                   {"Compute instance ID", "compute_instance_id", "N/A"},
                                   {"Process ID", "pid", pid},
                                   {"Type", "type", "C"},
                                   {"Name", "process_name", p->name},
                                   {"Used GPU Memory", "used_memory", memory}};
    if (d->xml)
        print_tag(d->out, 3, "<", "process_info");
    for (int i = 0; i < 6; i++)
        if (d->xml)
            print_element(d->out, 4, rows[i][1], rows[i][2]);
        else
            fprintf(d->out, "%*s%-*s: %s\n", i < 3 ? 8 : 12, "", PROCESS_COLON - (i < 3 ? 8 : 12), rows[i][0],
                    rows[i][2]);
    if (d->xml)
        print_tag(d->out, 3, "</", "process_info");
}

static void print_processes(const document *d)
{
    int count = 0;
    if (d->sections && !(d->sections & WSK_SMI_PIDS))
        return;
    for (int i = 0; i < WSK_TWIN_PROCESSES; i++)
        count += d->card->card->now.process[i].pid != 0;
    if (d->xml)
        print_tag(d->out, 2, "<", "processes");
    else if (count)
        fputs("    Processes\n", d->out);
    else
        print_text(d->out, 1, "Processes", "None");
    for (int i = 0; i < WSK_TWIN_PROCESSES; i++)
        if (d->card->card->now.process[i].pid)
            print_process(d, &d->card->card->now.process[i]);
    if (d->xml) {
        print_tag(d->out, 2, "</", "processes");
        print_tag(d->out, 2, "<", "accounted_processes");
        print_tag(d->out, 2, "</", "accounted_processes");
    }
}

static void print_capabilities(const document *d)
{
    if (d->sections)
        return;
    if (d->xml) {
        print_tag(d->out, 2, "<", "capabilities");
        print_element(d->out, 3, "egm", "disabled");
        print_tag(d->out, 2, "</", "capabilities");
    } else {
        fputs("    Capabilities\n", d->out);
        print_text(d->out, 2, "EGM", "disabled");
    }
}

static void print_card(const wsk_smi *smi, const wsk_smi_card *card, unsigned wanted)
{
    document d = {.out = smi->out, .card = card, .xml = smi->options.xml, .sections = wanted};
    if (d.xml)
        fprintf(d.out, "\t<gpu id=\"%s\">\n", card->card->fixed.bus_id);
    else
        fprintf(d.out, "GPU %s\n", card->card->fixed.bus_id);
    for (const wsk_smi_row *row = wsk_smi_layout; row->depth; row++)
        print_row(&d, row);
    close_to(&d, 1);
    print_clocks(&d);
    print_processes(&d);
    print_capabilities(&d);
    fputs(d.xml ? "\t</gpu>\n\n" : "\n", d.out);
}

static void print_head(const wsk_smi *smi)
{
    static const struct {
        const char *key, *tag;
        wsk_smi_fact fact;
        bool from_610;
    } rows[] = {{"Timestamp", "timestamp", F_DATE, false},
                {"Driver Version", "driver_version", F_DRIVER_OLD, false},
                {"CUDA Version", "cuda_version", F_CUDA_OLD, false},
                {"KMD Version", NULL, F_DRIVER, true},
                {"CUDA UMD Version", NULL, F_CUDA, true},
                {"Attached GPUs", "attached_gpus", F_COUNT, false}};
    const int dialect = wsk_smi_dialect(&smi->moment);
    const wsk_smi_card any = {.moment = &smi->moment,
                              .card = smi->moment.card,
                              .attached = smi->attached,
                              .dialect = smi->options.xml ? 595 : dialect};
    fputs(smi->options.xml ? "<?xml version=\"1.0\" ?>\n<!DOCTYPE nvidia_smi_log SYSTEM \"nvsmi_device_v13.dtd\">\n"
                             "<nvidia_smi_log>\n"
                           : "\n==============NVSMI LOG==============\n\n",
          smi->out);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        wsk_smi_value v;
        wsk_smi_tell(&any, rows[i].fact, &v);
        if (smi->options.xml && rows[i].tag)
            print_element(smi->out, 1, rows[i].tag, v.text);
        else if (!smi->options.xml && (!rows[i].from_610 || dialect >= 610))
            fprintf(smi->out, "%s%-*s: %s\n", rows[i].fact == F_COUNT ? "\n" : "", COLON, rows[i].key, v.text);
    }
}

int wsk_smi_document(const wsk_smi *smi, unsigned wanted)
{
    int code = WSK_SMI_OK;
    print_head(smi);
    for (int i = 0; i < smi->count; i++)
        if (smi->card[i].card->now.lost)
            code = wsk_smi_tell_lost(smi, &smi->card[i]);
        else
            print_card(smi, &smi->card[i], wanted);
    if (smi->options.xml)
        fputs("</nvidia_smi_log>\n", smi->out);
    return code;
}
