/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/smi/smi.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "cli/kit/cli.h"

static bool is_named(const wsk_smi_card *c, const char *word, size_t len)
{
    char index[16];
    const wsk_twin_fixed *f = &c->card->fixed;
    snprintf(index, sizeof index, "%d", c->index);
    const char *const names[] = {index, f->uuid, f->bus_id, f->serial, f->bus_id + 4};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (*names[i] && strlen(names[i]) == len && strncasecmp(names[i], word, len) == 0)
            return true;
    return false;
}

static bool is_selected(const wsk_smi *smi, const wsk_smi_card *c)
{
    const char *word = smi->options.id;
    if (!word)
        return true;
    for (;;) {
        const size_t len = strcspn(word, ",");
        if (is_named(c, word, len))
            return true;
        if (!word[len])
            return false;
        word += len + 1;
    }
}

static int read_cards(wsk_smi *smi)
{
    if (wsk_twin_read(smi->reader, &smi->moment) != WSK_TWIN_OK) {
        fputs("NVIDIA-SMI has failed: the twin has ended, or does not answer.\n", stdout);
        return WSK_SMI_NO_DRIVER;
    }
    smi->count = smi->attached = 0;
    for (int i = 0; i < smi->moment.count; i++)
        smi->attached += smi->moment.card[i].fixed.nvidia != 0;
    int index = 0;
    for (int i = 0; i < smi->moment.count; i++) {
        const wsk_twin_card *card = &smi->moment.card[i];
        if (!card->fixed.nvidia)
            continue;
        smi->card[smi->count] = (wsk_smi_card){.moment = &smi->moment,
                                               .card = card,
                                               .identity = wsk_twin_identity(card->fixed.part),
                                               .index = index++,
                                               .attached = smi->attached,
                                               .dialect = wsk_smi_dialect(&smi->moment)};
        smi->count += is_selected(smi, &smi->card[smi->count]);
    }
    if (!smi->count)
        fputs("No devices were found\n", stdout);
    return smi->count ? WSK_SMI_OK : WSK_SMI_NOT_FOUND;
}

static int attach(wsk_smi *smi)
{
    const wsk_twin_status status = wsk_twin_attach(&smi->reader, smi->options.twin);
    const char *name = wsk_twin_name(smi->options.twin);
    if (status == WSK_TWIN_OK)
        return read_cards(smi);
    printf("NVIDIA-SMI has failed because no twin \"%s\" is running%s. Start one: wattsink twin RIG.xml\n",
           name ? name : smi->options.twin,
           status == WSK_TWIN_DENIED    ? " that you may read"
           : status == WSK_TWIN_FOREIGN ? " of this version"
                                        : "");
    return WSK_SMI_NO_DRIVER;
}

static int show(wsk_smi *smi, unsigned sections, int round, int *line)
{
    const wsk_smi_options *o = &smi->options;
    if (o->dmon || o->pmon)
        return wsk_smi_monitor(smi, line);
    if (o->query)
        return wsk_smi_query(smi, round == 0);
    if (o->apps)
        return wsk_smi_apps(smi, round == 0);
    if (o->clocks)
        return wsk_smi_clocks(smi, round == 0);
    if (o->document)
        return wsk_smi_document(smi, sections);
    return o->list ? wsk_smi_list(smi) : wsk_smi_table(smi);
}

/* Waits until the twin's own clock, which may be faster or slower than real time, reaches t_ns. */
static int wait_for(wsk_smi *smi, int64_t t_ns)
{
    const struct timespec pause = {.tv_nsec = 5000000};
    int code = WSK_SMI_OK;
    while (code == WSK_SMI_OK && smi->moment.t_ns < t_ns && !wsk_cli_interrupted()) {
        nanosleep(&pause, NULL);
        code = read_cards(smi);
    }
    return code;
}

static bool read_rounds(const wsk_smi_options *o, int64_t *every_ns, double *rounds)
{
    double every = o->dmon || o->pmon ? 1 : 0;
    const char *end = "";
    *rounds = o->every || o->dmon || o->pmon ? 0 : 1;
    if (o->every && (!wsk_parse_number(o->every, &end, &every) || *end || !(every > 0) || every > 1e6))
        return false;
    if (o->count && (!wsk_parse_number(o->count, &end, rounds) || *end || !(*rounds >= 1) || *rounds > 1e9))
        return false;
    *every_ns = (int64_t)(every * (o->milliseconds ? 1e6 : 1e9));
    return true;
}

static int show_rounds(wsk_smi *smi, unsigned sections, int64_t every_ns, double rounds)
{
    int line = 0;
    wsk_cli_catch_interrupts();
    int code = WSK_SMI_OK;
    for (int round = 0;; round++) {
        const int64_t next_ns = smi->moment.t_ns + every_ns;
        const int shown = show(smi, sections, round, &line);
        code = shown != WSK_SMI_OK ? shown : code;
        if (rounds > 0 && round + 1 >= rounds)
            return code;
        if (fflush(smi->out) != 0)
            return WSK_SMI_OTHER;
        smi->before = smi->moment;
        const int waited = wait_for(smi, next_ns);
        if (waited != WSK_SMI_OK || wsk_cli_interrupted())
            return waited != WSK_SMI_OK ? waited : code;
    }
}

typedef struct {
    const char *names[2];
    const char **value;
    bool *flag;
    const char *otherwise; /* value if none follows; NULL: a value must follow */
} option;

static int refuse(const char *why, const char *word)
{
    fprintf(stderr, "%s%s. 'wattsink smi -h' lists the options.\n", why, word);
    return WSK_SMI_ARGUMENT;
}

static int read_option(const option *options, int argc, char **argv, int *i)
{
    const char *word = argv[*i];
    const size_t len = strncmp(word, "--", 2) == 0 ? strcspn(word, "=") : strlen(word);
    for (const option *o = options; o->names[0]; o++)
        for (int n = 0; n < 2 && o->names[n]; n++)
            if (strlen(o->names[n]) == len && strncmp(o->names[n], word, len) == 0) {
                if (o->flag) {
                    *o->flag = true;
                    return word[len] ? refuse("No value belongs to ", o->names[n]) : WSK_SMI_OK;
                }
                const bool follows = *i + 1 < argc && (!o->otherwise || argv[*i + 1][0] != '-');
                *o->value = word[len] ? word + len + 1 : follows ? argv[++*i] : o->otherwise ? o->otherwise : "";
                return **o->value ? WSK_SMI_OK : refuse("A value is missing for ", o->names[n]);
            }
    return refuse("Invalid combination of input arguments: ", word);
}

static int read_options(wsk_smi_options *o, int argc, char **argv)
{
    const char *ms = NULL;
    const option options[] = {{{"-L", "--list-gpus"}, NULL, &o->list, NULL},
                              {{"-i", "--id"}, &o->id, NULL, NULL},
                              {{"-q", "--query"}, NULL, &o->document, NULL},
                              {{"-x", "--xml-format"}, NULL, &o->xml, NULL},
                              {{"-d", "--display"}, &o->sections, NULL, NULL},
                              {{"-f", "--filename"}, &o->file, NULL, NULL},
                              {{"-l", "--loop"}, &o->every, NULL, "5"},
                              {{"-lms", "--loop-ms"}, &ms, NULL, NULL},
                              {{"-c", "--count"}, &o->count, NULL, NULL},
                              {{"-s", "--select"}, &o->select, NULL, NULL},
                              {{"-o", "--options"}, &o->stamps, NULL, NULL},
                              {{"--query-gpu", NULL}, &o->query, NULL, NULL},
                              {{"--query-compute-apps", NULL}, &o->apps, NULL, NULL},
                              {{"--query-supported-clocks", NULL}, &o->clocks, NULL, NULL},
                              {{"--format", NULL}, &o->format, NULL, NULL},
                              {{"--help-query-gpu", NULL}, NULL, &o->help_query, NULL},
                              {{"--help-query-compute-apps", NULL}, NULL, &o->help_apps, NULL},
                              {{"-pl", "--power-limit"}, &o->limit, NULL, NULL},
                              {{"-lgc", "--lock-gpu-clocks"}, &o->lock, NULL, NULL},
                              {{"-rgc", "--reset-gpu-clocks"}, NULL, &o->reset_lock, NULL},
                              {{"-lmc", "--lock-memory-clocks"}, &o->memory_lock, NULL, NULL},
                              {{"-rmc", "--reset-memory-clocks"}, NULL, &o->reset_memory_lock, NULL},
                              {{"-pm", "--persistence-mode"}, &o->persistence, NULL, NULL},
                              {{"--version", NULL}, NULL, &o->version, NULL},
                              {{"--twin", NULL}, &o->twin, NULL, NULL},
                              {{"-h", "--help"}, NULL, &o->help, NULL},
                              {{NULL, NULL}, NULL, NULL, NULL}};
    int i = 1;
    if (argc > 1 && (strcmp(argv[1], "dmon") == 0 || strcmp(argv[1], "pmon") == 0)) {
        o->dmon = argv[1][0] == 'd';
        o->pmon = !o->dmon;
        i++;
    }
    for (; i < argc; i++) {
        if ((o->dmon || o->pmon) && strcmp(argv[i], "-d") == 0 && i + 1 < argc) {
            /* for dmon and pmon, -d is the delay between rounds */
            o->every = argv[++i];
            continue;
        }
        const int code = read_option(options, argc, argv, &i);
        if (code != WSK_SMI_OK)
            return code;
    }
    o->milliseconds = ms != NULL;
    o->every = ms ? ms : o->every;
    if (o->xml && !o->document)
        return refuse("-x needs ", "-q");
    if (o->sections && !o->document)
        return refuse("-d needs ", "-q");
    return WSK_SMI_OK;
}

/* Checks -l, -lms, -c, and the fields or columns asked for. Which fields exist depends on the twin's driver version. */
static int check(const wsk_smi *smi, int64_t *every_ns, double *rounds)
{
    const wsk_smi_options *o = &smi->options;
    if (!read_rounds(o, every_ns, rounds)) {
        fputs("-l, -lms and -c take a number above 0.\n", stderr);
        return WSK_SMI_ARGUMENT;
    }
    if (o->dmon || o->pmon)
        return wsk_smi_check_monitor(smi);
    return o->query || o->apps || o->clocks ? wsk_smi_check_query(smi) : WSK_SMI_OK;
}

static int tell_unwritten(const char *file)
{
    fprintf(stderr, "%s cannot be written.\n", file);
    return WSK_SMI_OTHER;
}

/* Replaces the file of -f only after all checks, so that a refused command leaves it as it was. */
static int show_in_file(wsk_smi *smi, unsigned sections)
{
    const char *file = smi->options.file;
    int64_t every_ns;
    double rounds;
    int code = check(smi, &every_ns, &rounds);
    if (code != WSK_SMI_OK || !file)
        return code != WSK_SMI_OK ? code : show_rounds(smi, sections, every_ns, rounds);
    smi->out = fopen(file, "w");
    if (!smi->out)
        return tell_unwritten(file);
    code = show_rounds(smi, sections, every_ns, rounds);
    const bool failed = ferror(smi->out) != 0;
    return fclose(smi->out) != 0 || failed ? tell_unwritten(file) : code;
}

static int run(wsk_smi *smi)
{
    const wsk_smi_options *o = &smi->options;
    unsigned sections = 0;
    if (o->sections && !wsk_smi_sections(o->sections, &sections))
        return WSK_SMI_ARGUMENT;
    const int code = attach(smi);
    if (code != WSK_SMI_OK)
        return code;
    if (o->version || o->help_query) {
        if (o->version)
            wsk_smi_versions(smi);
        else
            wsk_smi_help_query(stdout, wsk_smi_dialect(&smi->moment));
        return WSK_SMI_OK;
    }
    if (o->limit || o->lock || o->reset_lock || o->memory_lock || o->reset_memory_lock || o->persistence)
        return wsk_smi_steer(smi);
    return show_in_file(smi, sections);
}

static int main_smi(int argc, char **argv)
{
    wsk_smi *smi = wsk_cli_alloc(sizeof *smi);
    smi->out = stdout;
    int code = read_options(&smi->options, argc, argv);
    if (code == WSK_SMI_OK && smi->options.help)
        wsk_cli_print_help(&wsk_cli_smi);
    else if (code == WSK_SMI_OK && smi->options.help_apps)
        wsk_smi_help_apps(stdout);
    else if (code == WSK_SMI_OK)
        code = run(smi);
    wsk_twin_detach(smi->reader);
    free(smi);
    return code;
}

const wsk_cli_command wsk_cli_smi = {
    .name = "smi",
    .usage = "[dmon|pmon] [OPTION]...",
    .summary = N_("a twin's cards as nvidia-smi shows them"),
    .options =
        N_("  -L, --list-gpus     names and UUIDs\n"
           "  -q, --query         all values of the cards\n"
           "  -x, --xml-format    with -q: as XML\n"
           "  -d, --display NAMES with -q: sections, such as POWER,TEMPERATURE\n"
           "  --query-gpu NAMES   values of cards, separated by commas, with --format=csv[,noheader][,nounits]\n"
           "  --query-compute-apps the same for processes\n"
           "  --format csv        format of these two\n"
           "  --help-query-gpu    names for --query-gpu\n"
           "  -i, --id 0          one card, by index, UUID, bus id or serial number; several by commas\n"
           "  -l, --loop 5        repeat every 5 s of the twin's time; 5 if no number follows\n"
           "  -lms 500            the same in milliseconds\n"
           "  -c, --count 10      end after ten rounds\n"
           "  -s, --select puc    dmon: groups of columns, of pucvmet; pmon: of um\n"
           "  -d 2                dmon, pmon: seconds from round to round\n"
           "  -o, --options DT    dmon, pmon: with date (D), time (T)\n"
           "  -f, --filename FILE write to FILE\n"
           "  -pl 200             power limit, W\n"
           "  -lgc 210,1500       keep the SM clock in this range, MHz\n"
           "  -rgc                remove the limit of -lgc\n"
           "  -lmc 5001           keep the memory clock at this value, MHz\n"
           "  -rmc                remove the limit of -lmc\n"
           "  -pm 1               persistence mode on or off\n"
           "  --version           versions of the driver that the twin shows\n"
           "  --twin NAME         the twin, else that of WATTSINK_TWIN, else 'twin'\n"
           "--query-supported-clocks NAMES does as --query-gpu, for the clocks that -lgc takes.\n"
           "Its output and exit codes are those of nvidia-smi, in English (docs/smi.md).\n"),
    .example = "wattsink smi --help-query-compute-apps",
    .run = main_smi};
