/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared code of all commands: options (options.c), loading a rig (rig.c), files and folders (files.c), memory
 * (memory.c), text as wide as the terminal (text.c), the language of the text (language.c, locale.c), JSON (json.c),
 * summaries (summary.c), locks (lock.c), --vary (vary.c), cases on threads (cases.c), money (money.c). Of the engine,
 * cli includes only the public headers and sim/base. Begin with this header. */
#ifndef WSK_CLI_H
#define WSK_CLI_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "sim/base/base.h"
#include "words/tr.h"

/* Language of the terminal output. Files and formats for programs are the same in every language. */
extern wsk_lang wsk_cli_lang;
wsk_locale wsk_cli_locale(void);
/* Sets wsk_cli_lang from --lang, which is removed from the arguments, else from the locale. WSK_EUSAGE, after printing
 * a message: --lang names no known language. */
int wsk_cli_language(int *argc, char **argv);
/* T_ translates a text where it is printed. N_ marks a text in a table, which T_ translates later. */
#define T_(english) wsk_tr(wsk_cli_lang, english)
#define N_(english) english

typedef struct {
    const char *name;
    const char *usage; /* arguments behind "wattsink NAME" */
    const char *summary;
    const char *options;               /* help text: a line per option, then sentences; complete.c reads it, too */
    const char *example;               /* example command line, which works in a checkout of the source */
    int (*run)(int argc, char **argv); /* argv[0]: the command's name; returns a wsk_status */
} wsk_cli_command;
extern const wsk_cli_command wsk_cli_run, wsk_cli_steady, wsk_cli_compare, wsk_cli_sweep, wsk_cli_optimise,
    wsk_cli_suggest, wsk_cli_check, wsk_cli_plot, wsk_cli_report, wsk_cli_open, wsk_cli_new, wsk_cli_calibrate,
    wsk_cli_export, wsk_cli_parts, wsk_cli_schema, wsk_cli_kinds, wsk_cli_twin, wsk_cli_smi, wsk_cli_help;
void wsk_cli_print_help(const wsk_cli_command *command);

typedef struct {
    const char **items;
    size_t count;
} wsk_cli_list;
/* An option of a command. Exactly one of value, flag and list is not NULL: the parser writes the value there. */
typedef struct {
    const char *name; /* without the dashes */
    char letter;
    const char **value;
    bool *flag;
    wsk_cli_list *list;
} wsk_cli_option;
/* Reads options (the table ends with name == NULL) and collects the other words in `words`. Returns WSK_OK, WSK_EUSAGE
 * after printing a message, or -1 after printing the help for --help. */
int wsk_cli_parse(const wsk_cli_command *command, int argc, char **argv, const wsk_cli_option *options,
                  wsk_cli_list *words);
/* Prints the message and the command's usage line to stderr. Returns WSK_EUSAGE. */
int wsk_cli_usage(const wsk_cli_command *command, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Call this if words->count is not 1: prints that the rig is missing or that there are too many. Returns WSK_EUSAGE. */
int wsk_cli_one_rig(const wsk_cli_command *command, const wsk_cli_list *words);
/* Appends the pointer to the list; the text is not copied. */
void wsk_cli_push(wsk_cli_list *list, const char *item);
/* Frees the list and its items from index `from` on. The items before `from` belong to another owner. */
void wsk_cli_list_free(wsk_cli_list *list, size_t from);
/* Writes "; did you mean '--x'?" into `out`: the name nearest to `word`, with `dashes` before it. Returns `out`, or ""
 * if no name is near enough. `names` ends with NULL. */
const char *wsk_cli_hint(char *out, size_t size, const char *word, const char *const *names, const char *dashes);

typedef struct {
    const char *parts, *data;
    const char *prices;
    wsk_cli_list exchanges; /* "EUR=1.08 USD", from --exchange */
    wsk_cli_list sets;      /* "PATH=VALUE", from --set and from other options */
    /* an earlier rig: files that it has read are taken from its memory; NULL: all files are read from disk */
    const wsk_rig *files_of;
    int threads; /* wsk_rig_options.threads */
    struct {
        const char *option, *set;
    } by_option[3]; /* settings made from other options: a message about "run.for=1d" names --for instead */
} wsk_cli_rig_options;
#define WSK_CLI_RIG_OPTIONS(o) \
    {.name = "set", .list = &(o).sets}, {.name = "parts", .value = &(o).parts}, \
    { \
        .name = "data", .value = &(o).data \
    }
#define WSK_CLI_PRICED_RIG_OPTIONS(o) \
    WSK_CLI_RIG_OPTIONS(o), \
    { \
        .name = "prices", .value = &(o).prices \
    }
/* Adds the setting PATH=VALUE for an option, e.g. run.for=VALUE for --for, and returns it. Caller frees it after the
 * last use of `options`. NULL, and nothing added, if value is NULL. */
char *wsk_cli_set_by(wsk_cli_rig_options *options, const char *option, const char *path, const char *value);
/* Loads a rig ("-": standard input) and prints its messages to stderr: show -1: none, 0: errors, 1: warnings as well,
 * 2: advice as well. On failure NULL, with *code set to the exit code. */
wsk_rig *wsk_cli_load(const char *path, const wsk_cli_rig_options *options, int show, int *code);
/* Prints the messages of a rig to stderr. show: as in wsk_cli_load. */
void wsk_cli_print_messages(const wsk_rig *rig, const wsk_cli_rig_options *options, int show);
/* The lines that describe a part; free with wsk_findings_free. own: folder of --parts, or NULL. catalogue: folder of
 * wattsink's own parts. On failure prints messages, each after the text `lead`, sets *code and returns NULL. */
wsk_findings *wsk_cli_part(const char *lead, const char *own, const char *catalogue, const char *id, int *code);
/* Prints findings, one line each, on standard output in the user's language. Returns WSK_OK or WSK_ENOMEM. */
int wsk_cli_print_findings(const wsk_findings *findings);
/* Prints, as advice on stderr, how many prices in these rigs are older than a year; prints nothing if none is. Items of
 * `rigs` may be NULL. */
void wsk_cli_tell_prices(const wsk_rig *const *rigs, size_t count);
/* Why a run failed, in the user's language. If the run gives no reason or is NULL: the meaning of `code`. Caller
 * frees. */
char *wsk_cli_why(const wsk_run *run, int code);
/* Messages as JSON (wsk_said_json). NULL: out of memory. Caller frees. */
char *wsk_cli_messages(const wsk_said *const *messages, size_t count);
/* Elements of a rig that has been loaded; free them with wsk_elements_free. Ends the program when out of memory. */
const wsk_elements *wsk_cli_elements(const wsk_rig *rig);
/* Messages in the JSON of wsk_cli_messages, or in an object that has them as "messages", as one text in the user's
 * language. NULL: no message, or damaged JSON. Caller frees. */
char *wsk_cli_told(const char *json);
/* Reads the value of --stepper; NULL: the option was not given, the default is used. On failure prints a message and
 * returns false. */
bool wsk_cli_stepper(const wsk_cli_command *command, const char *text, wsk_stepper *out);
/* The rig file's name without .xml, or the folder's name if the file is rig.xml. Caller frees. If the system cannot
 * resolve the path, prints a message and exits the program. */
char *wsk_cli_rig_label(const char *path);
/* The time zone of the rig's run, allocated in the arena. If the arena is NULL, ends the program as out of memory.
 * Returns NULL if the run has no zone or the zone's file cannot be read. */
const struct wsk_zone *wsk_cli_zone(wsk_arena *arena, const wsk_elements *rig);

/* Prints text, wrapped at COLUMNS or the terminal's width; unwrapped if `out` is no terminal and COLUMNS is unset. */
void wsk_cli_print(FILE *out, const char *text);
/* If wsk_cli_utf8() is false, returns a copy with ASCII instead of symbols, which the caller frees. Else NULL: the text
 * itself can be printed. */
char *wsk_cli_shown(const char *text);
/* Prints text wrapped at `width` columns: lines break at blanks and continue indented; wide tables are split. */
void wsk_cli_wrap(FILE *out, const char *text, int width);
/* Page width, columns: COLUMNS if set, else the terminal's, else `elsewhere` if `out` is no terminal. */
int wsk_cli_page(FILE *out, int elsewhere);
/* Can symbols such as the degree sign be shown? True for a UTF-8 locale or any language but English. */
bool wsk_cli_utf8(void);
wsk_voice wsk_cli_voice(void); /* language of pages that the library writes, and whether they must be ASCII */
/* Size of the terminal in characters: COLUMNS and LINES if set, else the terminal's report, else 80 x 24. */
void wsk_cli_terminal_size(int fd, int *columns, int *rows);
bool wsk_cli_dumb(void);     /* true: no escape sequences are printed, because TERM is unset, empty or "dumb" */
bool wsk_cli_colour(int fd); /* use colours? Only on a terminal, not dumb, with NO_COLOR unset or empty */

void *wsk_cli_alloc(size_t size); /* zeroed memory; ends the program when there is none */
/* A stream that writes to memory (open_memstream); ends the program when there is none. The caller closes the stream,
 * then frees *text. */
FILE *wsk_cli_text(char **text, size_t *len);
/* Ends the program at once: "out of memory" to stderr, exit code WSK_ENOMEM (memory.c). Open streams are not
 * flushed. */
_Noreturn void wsk_cli_no_memory(void);
/* Calls wsk_cli_no_memory() unless `enough` is true. */
void wsk_cli_check_memory(bool enough);
char *wsk_cli_format(const char *fmt, ...) __attribute__((format(printf, 1, 2))); /* caller frees */
/* prints "wattsink: ..." to stderr */
void wsk_cli_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Prints a note to stderr like an error, unless --quiet was given. */
void wsk_cli_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* fprintf whose formats may have "%1$s". To stdout and stderr it prints ASCII unless wsk_cli_utf8(). */
void wsk_cli_say(FILE *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* POSIX has "%1$s" in formats, ISO C does not. __extension__ silences gcc's -Wpedantic about it. */
#define wsk_cli_usage(...) __extension__ wsk_cli_usage(__VA_ARGS__)
#define wsk_cli_format(...) __extension__ wsk_cli_format(__VA_ARGS__)
#define wsk_cli_error(...) __extension__ wsk_cli_error(__VA_ARGS__)
#define wsk_cli_note(...) __extension__ wsk_cli_note(__VA_ARGS__)
#define wsk_cli_say(...) __extension__ wsk_cli_say(__VA_ARGS__)
/* Joins texts to "a, b, c", in the program's language. Caller frees. */
char *wsk_cli_join(const char *const *items, size_t count);
extern bool wsk_cli_quiet;
/* Called before each error or note; --watch sets it to restore the terminal first. NULL: nothing to do. */
extern void (*wsk_cli_before_error)(void);
/* Replaces DIR/NAME by rename(): readers see the old or the new file, never a part. When the function returns true, the
 * new file is on disk (fsync) and survives a power cut. On failure prints a message and returns false; the old file
 * remains, unless only the fsync of the folder failed. */
bool wsk_cli_write(const char *dir, const char *name, const char *data, size_t len);
/* Does the work of wsk_cli_write without fsync: the system puts the new file on disk later. Until then a power cut can
 * damage the file. */
bool wsk_cli_write_soon(const char *dir, const char *name, const char *data, size_t len);
/* Closes a file that was written as `temp`, and renames it to `path`; temp NULL: it was written in place. ok: all
 * writes to it succeeded (else errno says why). sync: waits until the file is on disk. file NULL: it could not be
 * opened (errno). On failure prints a message and returns false; the old `path` remains, unless only the fsync of
 * the folder failed. */
bool wsk_cli_replace(FILE *file, bool ok, const char *temp, const char *path, bool sync);
/* Is -o FILE written in place, without replacing a file? True for a FIFO, a device, and an open file such as
 * /dev/stdout. */
bool wsk_cli_is_stream(const char *path);
/* Follows symbolic links at the end of a path, also where the last one leads to a missing file. Links in /proc are not
 * followed, because they stand for open files, whatever name these had. False: the system cannot tell (errno), and
 * *target is the link. The caller frees *target. */
bool wsk_cli_follow_links(const char *path, char **target);
typedef struct {
    char *path, *temp; /* temp NULL: path is written in place */
} wsk_cli_output;
/* Opens -o FILE for writing. A file is replaced as wsk_cli_write does it; of a symbolic link, the file that it leads to
 * is replaced, and the link stays. Returns NULL on failure (errno). Call wsk_cli_output_close in either case. */
FILE *wsk_cli_output_open(wsk_cli_output *out, const char *path);
/* Ends the writing as wsk_cli_replace does. file: from wsk_cli_output_open, also NULL. */
bool wsk_cli_output_close(wsk_cli_output *out, FILE *file, bool ok);
/* Opens, writes and closes -o FILE by the functions above. */
bool wsk_cli_write_path(const char *path, const char *data, size_t len);
/* Deletes the file that wsk_cli_output_open would replace, if there is one; no message. */
void wsk_cli_output_delete(const char *path);
bool wsk_cli_same_file(const char *a, const char *b); /* false if either does not exist */
/* deletes DIR/NAME and waits until that is on disk; no message */
void wsk_cli_delete(const char *dir, const char *name);
/* The whole file with a NUL after it; the caller frees it. NULL: the file could not be read (errno); nothing is
 * printed. */
char *wsk_cli_read(const char *path, size_t *len);
/* Reads a stream to its end as wsk_cli_read does, and closes it. */
char *wsk_cli_read_stream(FILE *file, size_t *len);
/* makes a folder and its parents; on failure prints a message and returns false */
bool wsk_cli_mkdirs(const char *dir);
/* wsk_cli_read for the file DIR/NAME of results. NULL: the file is missing, and *code stays as it is; or the system
 * cannot read it, and *code is WSK_ERUN after a printed message. */
char *wsk_cli_read_in(const char *dir, const char *name, size_t *len, int *code);
/* Is this a folder? Also true if the system cannot tell: the command that then uses the folder reports the error. */
bool wsk_cli_is_dir(const char *path);
/* Is `dir` an existing folder? If not, prints a message that `command` needs a folder of results, and returns false. */
bool wsk_cli_results(const char *command, const char *dir);
/* Path of the folder "parts" or "plots": in the checkout, beside the installed program, or else under PREFIX, where it
 * may be missing. Caller frees. If the system cannot tell where the folder is, prints a message and exits. */
char *wsk_cli_share(const char *what);
/* Folder of the catalogue: WATTSINK_PARTS if set, else wsk_cli_share("parts") if it exists or `extra` is NULL, else
 * `extra`. Caller frees. */
char *wsk_cli_parts_dir(const char *extra);
void wsk_cli_duration(char out[32], double seconds); /* "12.4 d", in the program's language */
/* real time, s, between two writes of stored cases to disk (fsync), after which they survive a power cut */
#define WSK_CLI_SYNC_S 5
extern double wsk_cli_started; /* wsk_clock() at the start of main, s */

void wsk_cli_catch_interrupts(void); /* from this call on, SIGINT, SIGTERM and SIGHUP only set a flag */
bool wsk_cli_interrupted(void);

/* Reads DIR/NAME, a summary.json or compare.json: one summary per case. Free with wsk_summaries_free. Returns NULL and
 * *count 0 if the file is missing or cannot be read (as in wsk_cli_read_in), or if it is damaged, after printing a
 * message and setting *code to WSK_EINPUT. */
wsk_summary **wsk_cli_summaries(const char *dir, const char *name, size_t *count, int *code);
/* wsk_cli_summaries for a file that will be replaced; *code must be WSK_OK. If wattsink did not write it or if it is
 * damaged, prints that --force is needed and sets *code to WSK_EINPUT. */
wsk_summary **wsk_cli_own_summaries(const char *dir, const char *name, size_t *count, int *code);
/* Reads DIR/summary.json. NULL: as in wsk_cli_summaries. Free with wsk_summary_free. */
wsk_summary *wsk_cli_summary(const char *dir, int *code);
/* The text of a result for the component with index `member`, e.g. a GPU. "" if the summary is NULL or lacks the
 * result. */
const char *wsk_cli_said(const wsk_summary *summary, wsk_result result, size_t member);
/* Does a component in the summary have this id of `len` bytes? ids: which components, e.g. WSK_R_GPU_ID for GPUs. */
bool wsk_cli_listed(const wsk_summary *summary, wsk_result ids, const char *id, size_t len);

void wsk_json_quote(FILE *out, const char *text);
/* writes the shortest text that gives the same number when read back; null if not finite */
void wsk_json_number(FILE *out, double value);

#endif
