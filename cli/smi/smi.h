/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wattsink smi: prints the cards of a twin as `nvidia-smi` would, for programs that read nvidia-smi's output and for
 * people who know it. A twin is a simulation in a process of its own (`wattsink twin`) that publishes its state,
 * a "moment", in shared memory. The output is English in every language, like that of nvidia-smi. facts.c
 * computes what a card reports; layout.c and query.c say where each fact is printed; document.c (-q), table.c and
 * monitor.c (dmon, pmon) print; steer.c changes settings. Begin with smi.c.
 *
 * Keys, order, indentation and units follow captures of drivers 590, 595 and 610 on Linux without MIG
 * (github.com/utkuozdemir/nvidia_gpu_exporter, internal/captures; for XML: influxdata/telegraf,
 * plugins/inputs/nvidia_smi/testdata, driver 595). docs/smi.md says what is left out. */
#ifndef WSK_SMI_H
#define WSK_SMI_H
#include <stdbool.h>
#include <stdio.h>

#include "cli/smi/facts.h"
#include "twin/identity.h"
#include "twin/segment.h"

/* Exit codes of nvidia-smi, as its manual page numbers them. */
enum {
    WSK_SMI_OK = 0,
    WSK_SMI_ARGUMENT = 2,
    WSK_SMI_UNSUPPORTED = 3, /* the card cannot do this */
    WSK_SMI_DENIED = 4,      /* no permission: the twin was started without --writable */
    WSK_SMI_NOT_FOUND = 6,
    WSK_SMI_NO_DRIVER = 9, /* no twin of that name can be read */
    WSK_SMI_LOST = 15,     /* the card is off the bus */
    WSK_SMI_OTHER = 255
};

/* Sections of -q that -d selects, as bits. */
typedef enum {
    WSK_SMI_MEMORY = 1 << 0,
    WSK_SMI_UTILISATION = 1 << 1,
    WSK_SMI_ECC = 1 << 2,
    WSK_SMI_TEMPERATURE = 1 << 3,
    WSK_SMI_POWER = 1 << 4,
    WSK_SMI_CLOCK = 1 << 5,
    WSK_SMI_COMPUTE = 1 << 6,
    WSK_SMI_PIDS = 1 << 7,
    WSK_SMI_PERFORMANCE = 1 << 8,
    WSK_SMI_SUPPORTED_CLOCKS = 1 << 9,
    WSK_SMI_PAGES = 1 << 10,
    WSK_SMI_ACCOUNTING = 1 << 11,
    WSK_SMI_ENCODER = 1 << 12,
    WSK_SMI_TARGETS = 1 << 13,
    WSK_SMI_FBC = 1 << 14,
    WSK_SMI_ROWS = 1 << 15,
    WSK_SMI_GSP = 1 << 16,
    WSK_SMI_SMOOTHING = 1 << 17,
    WSK_SMI_PROFILES = 1 << 18
} wsk_smi_section;

typedef struct {
    const char *twin; /* name of the twin; NULL: that of WATTSINK_TWIN, else "twin" */
    /* value of -i: index, UUID, bus id or serial of cards, with commas between them; NULL: all cards */
    const char *id;
    const char *query;    /* value of --query-gpu: names of fields */
    const char *apps;     /* value of --query-compute-apps: names of fields */
    const char *clocks;   /* value of --query-supported-clocks: names of fields */
    const char *format;   /* value of --format, how --query-gpu prints */
    const char *file;     /* value of -f: output file */
    const char *sections; /* value of -d: sections of -q */
    /* values of -pl (power limit), -lgc and -lmc (locked clocks of GPU and memory), -pm */
    const char *limit, *lock, *memory_lock, *persistence;
    const char *select; /* value of -s of dmon and pmon: letters of columns */
    const char *stamps; /* value of -o of dmon and pmon: letters D (date) and T (time) */
    /* time from round to round: value of -l (s) or -lms (ms), or of -d of dmon and pmon (s) */
    const char *every;
    const char *count; /* value of -c: number of rounds */
    bool milliseconds, list, document, xml, reset_lock, reset_memory_lock;
    bool dmon, pmon, help_query, help_apps, help, version;
} wsk_smi_options;

typedef struct {
    wsk_smi_options options;
    wsk_twin_reader *reader;
    wsk_twin_moment moment, before; /* before: of the previous round; its count is 0 in the first round */
    int count;                      /* number of NVIDIA cards that -i selects */
    int attached;                   /* number of all NVIDIA cards */
    wsk_smi_card card[WSK_TWIN_CARDS];
    FILE *out;
} wsk_smi;

/* Prints that a card is off the bus, in the words of nvidia-smi. Returns WSK_SMI_LOST. */
int wsk_smi_tell_lost(const wsk_smi *smi, const wsk_smi_card *card);

/* Returns the driver whose layout is printed for the twin's driver version: 590, 595 or 610. */
int wsk_smi_dialect(const wsk_twin_moment *moment);

int wsk_smi_table(const wsk_smi *smi);
int wsk_smi_list(const wsk_smi *smi);
void wsk_smi_versions(const wsk_smi *smi); /* prints --version */
/* Prints -q, with or without -x. `sections`: bits of wsk_smi_section; 0: all. */
int wsk_smi_document(const wsk_smi *smi, unsigned sections);
/* Reads the value of -d, such as "MEMORY,POWER", as bits of wsk_smi_section. On failure prints a message and returns
 * false. */
bool wsk_smi_sections(const char *text, unsigned *out);
/* Check the fields and the format of a query, or the columns of dmon or pmon, before anything is printed. Return
 * WSK_SMI_OK; or print a message and return WSK_SMI_ARGUMENT. */
int wsk_smi_check_query(const wsk_smi *smi);
int wsk_smi_check_monitor(const wsk_smi *smi);
/* Print --query-gpu, --query-compute-apps and --query-supported-clocks. header: also print the line of names. */
int wsk_smi_query(const wsk_smi *smi, bool header);
int wsk_smi_apps(const wsk_smi *smi, bool header);
int wsk_smi_clocks(const wsk_smi *smi, bool header);
void wsk_smi_help_query(FILE *out, int dialect);
void wsk_smi_help_apps(FILE *out);
/* Prints one round of dmon or pmon. *line: number of rows printed so far, headers not counted; begin with 0. */
int wsk_smi_monitor(const wsk_smi *smi, int *line);
/* Applies -pl, -lgc, -rgc, -lmc, -rmc and -pm to all selected cards. */
int wsk_smi_steer(wsk_smi *smi);
#endif
