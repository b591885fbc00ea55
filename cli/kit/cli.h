/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What commands share: options (options.c), loading a rig (rig.c), files and folders (files.c), text as wide as the
 * terminal (text.c), its language (language.c, locale.c), JSON (json.c), --vary (vary.c), cases on threads (cases.c),
 * money (money.c). Like all of cli, it sees nothing of the engine but the public headers and sim/base. Begin with
 * this header. */
#ifndef WSK_CLI_H
#define WSK_CLI_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "sim/base/base.h"
#include "words/tr.h"

/* ---- language: of all that a person reads on the terminal, and of nothing that a program reads ---- */
extern wsk_lang wsk_cli_lang;
wsk_locale wsk_cli_locale(void); /* as the environment says */
/* By --lang, which is taken out of the arguments, else by the locale. WSK_EUSAGE after a message. */
int wsk_cli_language(int *argc, char **argv);
/* The text in that language, where it is printed. N_ marks a text that stands in a table and is printed elsewhere by T_. */
#define T_(english) wsk_tr(wsk_cli_lang, english)
#define N_(english) english

/* ---- commands: one file each, one of these structs at its end ---- */
typedef struct {
    const char *name;
    const char *usage;                 /* what follows "wattsink NAME" */
    const char *summary;               /* one line */
    const char *options;               /* help text of the options, lines */
    const char *example;               /* a command line that works in a checkout */
    int (*run)(int argc, char **argv); /* argv[0] is the command's name; returns the exit code */
} wsk_cli_command;
extern const wsk_cli_command wsk_cli_run, wsk_cli_steady, wsk_cli_compare, wsk_cli_sweep, wsk_cli_check, wsk_cli_plot,
    wsk_cli_report, wsk_cli_new, wsk_cli_export, wsk_cli_parts, wsk_cli_schema, wsk_cli_kinds, wsk_cli_help;
void wsk_cli_print_help(const wsk_cli_command *command);

/* ---- options ---- */
typedef struct {
    const char **items;
    size_t count;
} wsk_cli_list;
/* One of value, flag and list is set. */
typedef struct {
    const char *name; /* without the dashes */
    char letter;      /* 0: none */
    const char **value;
    bool *flag;
    wsk_cli_list *list;
} wsk_cli_option;
/* Reads options (table ends with name == NULL) and collects the other words in `words`. Returns WSK_OK,
 * WSK_EUSAGE after a message, or -1 when --help was asked for and printed. */
int wsk_cli_parse(const wsk_cli_command *command, int argc, char **argv, const wsk_cli_option *options,
                  wsk_cli_list *words);
int wsk_cli_usage(const wsk_cli_command *command, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The same of a command that takes one rig, when `words` are none or several. */
int wsk_cli_one_rig(const wsk_cli_command *command, const wsk_cli_list *words);
void wsk_cli_push(wsk_cli_list *list, const char *item);
/* Frees the list, and the items from number `from` on: those that the caller allocated. */
void wsk_cli_list_free(wsk_cli_list *list, size_t from);
/* "; did you mean 'x'?" or "" (static storage per call site: the caller's buffer). */
const char *wsk_cli_hint(char *out, size_t size, const char *word, const char *const *names, const char *dashes);

/* ---- rigs ---- */
typedef struct {
    const char *parts, *data; /* --parts, --data; NULL: not given */
    wsk_cli_list sets;        /* --set, and what other options turn into */
    const wsk_rig *files_of;  /* rig whose files are used as it has read them; NULL: all files are read now */
    struct {
        const char *option, *set;
    } by_option[3]; /* of the sets, those that an option turned into: messages name the option */
} wsk_cli_rig_options;
#define WSK_CLI_RIG_OPTIONS(o) \
    {.name = "set", .list = &(o).sets}, {.name = "parts", .value = &(o).parts}, \
    { \
        .name = "data", .value = &(o).data \
    }
/* --for VALUE as the set run.for=VALUE, which is the caller's to free; NULL where value is NULL. */
char *wsk_cli_set_by(wsk_cli_rig_options *options, const char *option, const char *path, const char *value);
/* Loads a rig ("-": standard input) and prints its messages of severity <= `show` to stderr. NULL on failure
 * with *code set to the exit code. */
wsk_rig *wsk_cli_load(const char *path, const wsk_cli_rig_options *options, int show, int *code);
/* A part, for wsk_findings_free; NULL with *code set, after its messages, each behind `lead`. */
wsk_findings *wsk_cli_part(const char *lead, const char *own, const char *catalogue, const char *id, int *code);
/* Prints them in the user's language; WSK_OK or WSK_ENOMEM. */
int wsk_cli_print_findings(const wsk_findings *findings);
/* Why a run (NULL: not even made) did not go on, in the user's language: its failure, or what the code says. Caller frees. */
char *wsk_cli_why(const wsk_run *run, int code);
bool wsk_cli_stepper(const wsk_cli_command *command, const char *text, wsk_stepper *out);
/* The rig file's name without .xml, or its folder's name where that is "rig". Caller frees. */
char *wsk_cli_rig_label(const char *path);

/* ---- the terminal ---- */
/* Text for people: to a terminal, or where COLUMNS is set, wrapped at its width; elsewhere as it is, for scripts. */
void wsk_cli_print(FILE *out, const char *text);
/* Text as this terminal shows it: symbols in ASCII where the locale has no UTF-8. NULL: the text can stay. Caller frees. */
char *wsk_cli_shown(const char *text);
/* The same, wrapped at a width everywhere: lines at blanks, going on below themselves, and tables taken apart. */
void wsk_cli_wrap(FILE *out, const char *text, int width);
/* Columns of a terminal, or COLUMNS where that is set; `elsewhere` of anything else. */
int wsk_cli_page(FILE *out, int elsewhere);
/* Whether symbols such as the degree sign can be shown: a locale of UTF-8, or a language that needs it. */
bool wsk_cli_utf8(void);
wsk_voice wsk_cli_voice(void); /* the program's language, for pages that the library writes */
/* Size of the terminal: COLUMNS and LINES where set, else what the terminal says, else 80 x 24. */
void wsk_cli_terminal_size(int fd, int *columns, int *rows);
bool wsk_cli_dumb(void);     /* TERM says that it knows no escapes, or nothing */
bool wsk_cli_colour(int fd); /* whether colours are wanted on it: a terminal, no NO_COLOR, and not a dumb one */

/* ---- files and text ---- */
void *wsk_cli_alloc(size_t size); /* ends the program when out of memory */
char *wsk_cli_format(const char *fmt, ...) __attribute__((format(printf, 1, 2))); /* caller frees */
void wsk_cli_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));   /* "wattsink: ..." to stderr */
/* What is no mistake but may surprise: as an error, but not where --quiet was given. */
void wsk_cli_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void wsk_cli_say(FILE *out, const char *fmt, ...) __attribute__((format(printf, 2, 3))); /* fprintf */
/* ISO C does not know "%1$s", POSIX does: without __extension__ gcc's -Wpedantic refuses it. */
#define wsk_cli_usage(...) __extension__ wsk_cli_usage(__VA_ARGS__)
#define wsk_cli_format(...) __extension__ wsk_cli_format(__VA_ARGS__)
#define wsk_cli_error(...) __extension__ wsk_cli_error(__VA_ARGS__)
#define wsk_cli_note(...) __extension__ wsk_cli_note(__VA_ARGS__)
#define wsk_cli_say(...) __extension__ wsk_cli_say(__VA_ARGS__)
/* "a, b, c", or "a, b and c", in the program's language. Caller frees. */
char *wsk_cli_join(const char *const *items, size_t count, bool with_and);
extern bool wsk_cli_quiet;                 /* wsk_cli_parse has met --quiet */
extern void (*wsk_cli_before_error)(void); /* what makes stderr fit for text; NULL: it is */
/* Replaces DIR/NAME as a whole or leaves it as it was; false after a message. */
bool wsk_cli_write(const char *dir, const char *name, const char *data, size_t len);
/* The whole file with a NUL behind it, or NULL (silent). Caller frees. */
char *wsk_cli_read(const char *path, size_t *len);
bool wsk_cli_mkdirs(const char *dir); /* false after a message */
bool wsk_cli_is_dir(const char *path);
/* Whether that is a folder, as a command that reads results wants it; false after a message. */
bool wsk_cli_results(const char *command, const char *dir);
/* "parts" or "plots": of the checkout, or installed beside the program, or under PREFIX. Caller frees. */
char *wsk_cli_share(const char *what);
char *wsk_cli_parts_dir(const char *extra);          /* the catalogue; `extra` where there is none. Caller frees. */
void wsk_cli_duration(char out[32], double seconds); /* "12.4 d" */
extern double wsk_cli_started;                       /* wsk_clock() when main began */

/* ---- interrupts ---- */
void wsk_cli_catch_interrupts(void);
bool wsk_cli_interrupted(void);

/* ---- summaries ---- */
/* Of DIR/NAME, a summary.json or compare.json, a summary a case, for wsk_summaries_free; NULL with *count 0: there is no such file,
 * or it is damaged, after a message. */
wsk_summary **wsk_cli_summaries(const char *dir, const char *name, size_t *count);
/* The one of DIR/summary.json, for wsk_summary_free. */
wsk_summary *wsk_cli_summary(const char *dir);
/* A text of the summary; "" where there is none, or no summary. */
const char *wsk_cli_said(const wsk_summary *summary, wsk_result result, size_t member);
/* Whether a member of a scope has this id, which no NUL ends; ids: the scope's result of ids, WSK_R_GPU_ID. */
bool wsk_cli_listed(const wsk_summary *summary, wsk_result ids, const char *id, size_t len);

/* "text" in JSON's quotes and escapes. */
void wsk_json_quote(FILE *out, const char *text);

#endif
