/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "cli/smi/fields.h"
#include "cli/smi/smi.h"

enum { FIELDS = 512 }; /* largest number of fields in a query; a field may be named twice */

static const wsk_smi_field apps[] = {
    {"timestamp", NULL, NULL, F_STAMP, Q_ALL},
    {"gpu_name", NULL, NULL, F_NAME, Q_ALL},
    {"gpu_bus_id", NULL, NULL, F_BUS_ID, Q_ALL},
    {"gpu_serial", NULL, NULL, F_SERIAL, Q_ALL},
    {"gpu_uuid", NULL, NULL, F_UUID, Q_ALL},
    {"pid", NULL, NULL, F_NA, Q_ALL}, /* the last three fields are properties of the process */
    {"process_name", "name", NULL, F_NA, Q_ALL},
    {"used_gpu_memory", "used_memory", "MiB", F_NA, Q_ALL},
    {NULL, NULL, NULL, F_NA, 0},
};

/* Fields of --query-supported-clocks, which prints a row for each pair of a memory clock and a graphics clock. */
static const wsk_smi_field clocks[] = {
    {"timestamp", NULL, NULL, F_STAMP, Q_ALL},   {"gpu_name", NULL, NULL, F_NAME, Q_ALL},
    {"gpu_bus_id", NULL, NULL, F_BUS_ID, Q_ALL}, {"gpu_serial", NULL, NULL, F_SERIAL, Q_ALL},
    {"gpu_uuid", NULL, NULL, F_UUID, Q_ALL},     {"memory", "mem", "MHz", F_CLOCK_MEMORY_MAX, Q_ALL},
    {"graphics", "gr", "MHz", F_NA, Q_ALL},      {NULL, NULL, NULL, F_NA, 0},
};

static unsigned bit_of(int dialect)
{
    return dialect >= 610 ? Q_610 : dialect >= 595 ? Q_595 : Q_590;
}

static bool is_named(const char *name, const char *word, size_t len)
{
    return name && strlen(name) == len && strncmp(name, word, len) == 0;
}

static const wsk_smi_field *find(const wsk_smi_field *fields, const char *word, size_t len, unsigned bit)
{
    for (const wsk_smi_field *f = fields; f->name; f++)
        if (f->flags & bit && (is_named(f->name, word, len) || is_named(f->other, word, len)))
            return f;
    return NULL;
}

static int read_fields(const char *text, const wsk_smi_field *fields, unsigned bit, const wsk_smi_field *out[FIELDS])
{
    int count = 0;
    for (const char *at = text; *at;) {
        at += strspn(at, " ,");
        const size_t len = strcspn(at, " ,");
        if (!len)
            break;
        const wsk_smi_field *f = find(fields, at, len, bit);
        if (!f || count == FIELDS) {
            fprintf(stderr, "Field \"%.*s\" is not a valid field to query.\n\n", (int)len, at);
            return -1;
        }
        out[count++] = f;
        at += len;
    }
    if (!count)
        fputs("No field to query was given.\n", stderr);
    return count ? count : -1;
}

/* Reads a format such as "csv, noheader": words in any order. *header and *units become false for "noheader" and
 * "nounits", else they stay. False, after a message: an unknown word, or "csv" is missing. */
static bool read_format(const char *format, bool *header, bool *units)
{
    bool csv = false;
    for (const char *at = format ? format : ""; *at;) {
        at += strspn(at, " ,");
        const size_t len = strcspn(at, " ,");
        if (is_named("csv", at, len)) {
            csv = true;
        } else if (is_named("noheader", at, len)) {
            *header = false;
        } else if (is_named("nounits", at, len)) {
            *units = false;
        } else if (len) {
            fprintf(stderr, "\"%.*s\" is not a valid format.\n", (int)len, at);
            return false;
        }
        at += len;
    }
    if (!csv)
        fputs("A query needs --format=csv[,noheader][,nounits].\n", stderr);
    return csv;
}

static void print_header(FILE *out, const wsk_smi_field *const *fields, int count)
{
    for (int i = 0; i < count; i++)
        fprintf(out, "%s%s%s%s%s", i ? ", " : "", fields[i]->name, fields[i]->unit ? " [" : "",
                fields[i]->unit ? fields[i]->unit : "", fields[i]->unit ? "]" : "");
    fputc('\n', out);
}

static void print_value(FILE *out, const wsk_smi_card *card, const wsk_smi_field *f, bool units)
{
    wsk_smi_value v;
    wsk_smi_tell(card, f->fact, &v);
    if (f->fact == F_DEPRECATED)
        fprintf(out, "[%s]", v.text);
    else if (!*v.text && f->fact != F_EMPTY)
        fputs(f->flags & Q_PLAIN ? "N/A" : "[N/A]", out);
    else
        fprintf(out, "%s%s%s", v.text, f->unit && units ? " " : "", f->unit && units ? f->unit : "");
}

/* Reads the fields and the format of the query that was asked for. Returns the number of fields; -1, after a message:
 * an unknown field or format. */
static int read_query(const wsk_smi *smi, const wsk_smi_field *out[FIELDS], bool *header, bool *units)
{
    const wsk_smi_options *o = &smi->options;
    const int count = o->query  ? read_fields(o->query, wsk_smi_fields, bit_of(wsk_smi_dialect(&smi->moment)), out)
                      : o->apps ? read_fields(o->apps, apps, Q_ALL, out)
                                : read_fields(o->clocks, clocks, Q_ALL, out);
    return count >= 0 && read_format(o->format, header, units) ? count : -1;
}

int wsk_smi_check_query(const wsk_smi *smi)
{
    const wsk_smi_field *fields[FIELDS];
    bool header, units;
    return read_query(smi, fields, &header, &units) < 0 ? WSK_SMI_ARGUMENT : WSK_SMI_OK;
}

/* Prints the line of names, unless `header` is false or the format says "noheader". Returns the number of fields. */
static int begin_answer(const wsk_smi *smi, bool header, const wsk_smi_field *fields[FIELDS], bool *units)
{
    *units = true;
    const int count = read_query(smi, fields, &header, units);
    if (header)
        print_header(smi->out, fields, count);
    return count;
}

int wsk_smi_query(const wsk_smi *smi, bool header)
{
    const wsk_smi_field *fields[FIELDS];
    bool units;
    int code = WSK_SMI_OK;
    const int count = begin_answer(smi, header, fields, &units);
    for (int c = 0; c < smi->count; c++) {
        const bool lost = smi->card[c].card->now.lost;
        if (lost)
            code = wsk_smi_tell_lost(smi, &smi->card[c]);
        for (int i = 0; i < count; i++) {
            fputs(i ? ", " : "", smi->out);
            if (lost)
                fputs("[GPU is lost]", smi->out);
            else
                print_value(smi->out, &smi->card[c], fields[i], units);
        }
        fputc('\n', smi->out);
    }
    return code;
}

static void print_process(const wsk_smi *smi, const wsk_smi_card *card, const wsk_twin_process *p,
                          const wsk_smi_field *f, bool units)
{
    if (strcmp(f->name, "pid") == 0)
        fprintf(smi->out, "%d", p->pid);
    else if (strcmp(f->name, "process_name") == 0)
        fputs(p->name, smi->out);
    else if (strcmp(f->name, "used_gpu_memory") == 0)
        fprintf(smi->out, "%lld%s", (long long)(p->memory_bytes >> 20), units ? " MiB" : "");
    else
        print_value(smi->out, card, f, units);
}

int wsk_smi_apps(const wsk_smi *smi, bool header)
{
    const wsk_smi_field *fields[FIELDS];
    bool units;
    const int count = begin_answer(smi, header, fields, &units);
    for (int c = 0; c < smi->count; c++)
        for (int p = 0; p < WSK_TWIN_PROCESSES; p++) {
            const wsk_twin_process *process = &smi->card[c].card->now.process[p];
            for (int i = 0; process->pid && i < count; i++) {
                fputs(i ? ", " : "", smi->out);
                print_process(smi, &smi->card[c], process, fields[i], units);
            }
            if (process->pid)
                fputc('\n', smi->out);
        }
    return WSK_SMI_OK;
}

static void print_pair(const wsk_smi *smi, const wsk_smi_card *card, int mhz, const wsk_smi_field *const *fields,
                       int count, bool units)
{
    for (int i = 0; i < count; i++) {
        fputs(i ? ", " : "", smi->out);
        if (strcmp(fields[i]->name, "graphics") == 0)
            fprintf(smi->out, "%d%s", mhz, units ? " MHz" : "");
        else
            print_value(smi->out, card, fields[i], units);
    }
    fputc('\n', smi->out);
}

int wsk_smi_clocks(const wsk_smi *smi, bool header)
{
    const wsk_smi_field *fields[FIELDS];
    bool units;
    int code = WSK_SMI_OK;
    const int count = begin_answer(smi, header, fields, &units);
    for (int c = 0; c < smi->count; c++) {
        const wsk_twin_fixed *f = &smi->card[c].card->fixed;
        if (smi->card[c].card->now.lost)
            code = wsk_smi_tell_lost(smi, &smi->card[c]);
        else if (f->memory_clock_max_mhz > 0 && f->clock_min_mhz > 0 && f->clock_step_mhz > 0)
            for (int mhz = f->clock_max_mhz; mhz >= f->clock_min_mhz; mhz -= f->clock_step_mhz)
                print_pair(smi, &smi->card[c], mhz, fields, count, units);
    }
    return code;
}

static void print_help(FILE *out, const char *option, const wsk_smi_field *fields, unsigned bit)
{
    fprintf(out, "List of valid properties to query for the switch \"%s\":\n\n", option);
    for (const wsk_smi_field *f = fields; f->name; f++)
        if (f->flags & bit) {
            fprintf(out, "\"%s\"", f->name);
            if (f->other)
                fprintf(out, " or \"%s\"", f->other);
            const bool process = fields == apps && f->fact == F_NA;
            fprintf(out, "\n%s%s%s\n\n", f->unit ? "In " : "", f->unit ? f->unit : "",
                    f->fact == F_NA && !process
                        ? (f->unit ? "; a twin does not tell it." : "A twin does not tell it.")
                    : f->unit ? "."
                              : "Text or a number without a unit.");
        }
}

void wsk_smi_help_query(FILE *out, int dialect)
{
    print_help(out, "--query-gpu", wsk_smi_fields, bit_of(dialect));
}

void wsk_smi_help_apps(FILE *out)
{
    print_help(out, "--query-compute-apps", apps, Q_ALL);
}
