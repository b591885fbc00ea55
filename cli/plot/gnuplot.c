/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws one picture: writes its data and its script, and runs gnuplot. No other file starts gnuplot. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/plot/plot.h"
#include "words/width.h"

typedef struct {
    const char *name, *terminal; /* terminal: gnuplot command with width and height (%d, px) and font (@) */
    const char *font[WSK_LANG_COUNT];
} format;
/* pngcairo and pdfcairo accept one font family; the system takes glyphs that are missing in it from another font. */
static const format formats[] = {
    {"svg",
     "set terminal svg size %d,%d font '@,14' background '#ffffff' noenhanced",
     {"Helvetica,Arial,sans-serif",
      "Noto Sans CJK JP,Noto Sans JP,Hiragino Sans,Yu Gothic,Meiryo,IPAGothic,sans-serif"}},
    {"png",
     "set terminal pngcairo size 2*%d,2*%d font '@,11' fontscale 2 linewidth 2 pointscale 2 background '#ffffff' "
     "noenhanced",
     {"DejaVu Sans", "Noto Sans CJK JP"}},
    {"pdf",
     "set terminal pdfcairo size %d/96.0,%d/96.0 font '@,11' fontscale 0.72 background '#ffffff' noenhanced",
     {"DejaVu Sans", "Noto Sans CJK JP"}},
    {"term", "set terminal dumb size %d,%d noenhanced", {"", ""}}};
enum { FORMATS = sizeof formats / sizeof *formats };

static const format *find_format(const char *name)
{
    for (int i = 0; i < FORMATS; i++)
        if (!strcmp(name, formats[i].name))
            return &formats[i];
    return NULL;
}

bool wsk_plot_is_format(const char *name)
{
    return find_format(name) != NULL;
}

const char *wsk_plot_format(int i)
{
    return i < FORMATS ? formats[i].name : NULL;
}

static char *terminal_of(const format *f)
{
    char *out = NULL;
    size_t len;
    FILE *text = wsk_cli_text(&out, &len);
    for (const char *p = f->terminal; *p; p++)
        if (*p == '@')
            fputs(f->font[wsk_cli_lang] ? f->font[wsk_cli_lang] : f->font[WSK_EN], text);
        else
            fputc(*p, text);
    fclose(text);
    return out;
}

/* True if fontconfig lists no font that has this letter, given in UTF-8. False also if fc-list is missing, because then
 * nothing is known. */
static bool lacks_font(const char *letter, size_t len)
{
    unsigned code = (unsigned char)letter[0] & (0xFFU >> (len + 1));
    for (size_t i = 1; i < len; i++)
        code = code << 6 | ((unsigned char)letter[i] & 0x3F);
    char *pattern = wsk_cli_format(":charset=%x", code), bytes[512];
    int ends[2], status = -1;
    bool any = false;
    pid_t child = pipe(ends) == 0 ? fork() : -1;
    if (child == 0) {
        close(ends[0]);
        if (dup2(ends[1], STDOUT_FILENO) >= 0)
            execlp("fc-list", "fc-list", pattern, "family", (char *)NULL);
        _exit(127);
    }
    free(pattern);
    if (child < 0)
        return false;
    close(ends[1]);
    for (ssize_t n; (n = read(ends[0], bytes, sizeof bytes)) > 0 || (n < 0 && errno == EINTR);)
        any = any || n > 0;
    close(ends[0]);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    return !any && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Warns of a PNG or PDF for whose letters there is no font. The font of the pictures has all that are not wide. */
static void check_font(const char *as, const char *text, size_t len)
{
    static bool checked;
    int columns = 1;
    size_t n;
    if (checked || (strcmp(as, "png") != 0 && strcmp(as, "pdf") != 0))
        return;
    for (const char *end = text + len; text < end && columns < 2; text += columns < 2 ? n : 0)
        n = wsk_char_width(text, (size_t)(end - text), &columns);
    if (columns < 2)
        return;
    checked = true;
    if (lacks_font(text, n))
        wsk_cli_note(T_("no font here has the letter %.*s: its sign may cover the picture; install one (Debian: "
                        "fonts-noto-cjk) or use --format svg"),
                     (int)n, text);
}

/* A comment of the script that names the rig of the results; caller frees. Empty: there is no summary. */
static char *mark_of(const wsk_plot_table *t)
{
    const char *digest = t->summary ? wsk_summary_text(t->summary, WSK_R_DIGEST, 0) : NULL;
    return digest ? wsk_cli_format("# Results of the rig with the digest %s.\n", digest) : wsk_cli_format("%s", "");
}

static bool write_script(const char *dir, const wsk_plot_table *t, const format *f)
{
    char *scripts = wsk_cli_share("plots"), *text = NULL, *mark = mark_of(t);
    size_t len = 0;
    FILE *out = wsk_cli_text(&text, &len);
    bool ok = true;
    const char *const files[] = {"style", t->body ? t->body : t->name};
    char *terminal = terminal_of(f);
    wsk_plot_preamble(out, &(wsk_plot_head){t->name, files[1], f->name, terminal, t->summary, t->rig_name, t->columns,
                                            t->seconds, t->interval_s});
    fputs(mark, out);
    free(mark);
    for (size_t i = 0; i < t->n_variables; i++)
        wsk_plot_name(out, t->variables[i]);
    fputs(t->script, out);
    free(terminal);
    for (int i = 0; ok && i < 2; i++) {
        char *path = wsk_cli_format("%s/%s.gp", scripts, files[i]), *body = wsk_cli_read(path, NULL);
        if (body)
            fputs(body, out);
        else
            wsk_cli_error(T_("cannot read %s: %s"), path, T_(strerror(errno)));
        ok = body != NULL;
        free(body);
        free(path);
    }
    ok = fclose(out) == 0 && ok;
    char *name = wsk_cli_format("%s.gp", t->name);
    ok = ok && wsk_cli_write_soon(dir, name, text, len);
    check_font(f->name, text, len);
    free(name);
    free(text);
    free(scripts);
    return ok;
}

static bool write_tables(const char *dir, const wsk_plot_table *t)
{
    char *csv = wsk_cli_format("%s.csv", t->name);
    bool ok = !t->csv || wsk_cli_write_soon(dir, csv, t->csv, strlen(t->csv));
    free(csv);
    for (size_t i = 0; ok && i < t->n_tables; i++) {
        csv = wsk_cli_format("%s-%zu.csv", t->name, i + 1);
        ok = wsk_cli_write_soon(dir, csv, t->tables[i], strlen(t->tables[i]));
        free(csv);
    }
    return ok;
}

/* The content of NAME.END, caller frees; NULL: there is no such file. */
static char *read_file(const char *dir, const char *name, const char *end)
{
    char *path = wsk_cli_format("%s/%s.%s", dir, name, end), *text = wsk_cli_read(path, NULL);
    free(path);
    return text;
}

static bool has_table(const char *dir, const char *name, const char *csv)
{
    char *old = read_file(dir, name, "csv");
    const bool same = old && strcmp(old, csv) == 0;
    free(old);
    return same;
}

/* True if the data in the folder are those of this picture, and its script is of the same rig. */
static bool is_drawn(const char *dir, const wsk_plot_table *t)
{
    char *mark = mark_of(t), *script = read_file(dir, t->name, "gp");
    bool same = script && strstr(script, mark) && (!t->csv || has_table(dir, t->name, t->csv));
    for (size_t i = 0; same && i < t->n_tables; i++) {
        char *name = wsk_cli_format("%s-%zu", t->name, i + 1);
        same = has_table(dir, name, t->tables[i]);
        free(name);
    }
    free(script);
    free(mark);
    return same;
}

static void delete_file(const char *dir, const char *name, const char *end)
{
    char *path = wsk_cli_format("%s/%s.%s", dir, name, end);
    unlink(path);
    free(path);
}

void wsk_plot_forget(const char *folder, const char *name, bool data)
{
    for (int i = 0; i < FORMATS; i++)
        delete_file(folder, name, formats[i].name);
    if (!data)
        return;
    delete_file(folder, name, "gp");
    delete_file(folder, name, "csv");
    rmdir(folder);
}

/* Deletes the tables of the runs in a picture of several. */
static void delete_tables(const char *folder, const char *name)
{
    bool any = true;
    for (size_t i = 1; any; i++) {
        char *path = wsk_cli_format("%s/%s-%zu.csv", folder, name, i);
        any = unlink(path) == 0;
        free(path);
    }
}

void wsk_plot_forget_in(const char *dir, const char *name)
{
    char *plots = wsk_cli_format("%s/plots", dir), *shared = wsk_cli_format("%s-overlay", name);
    delete_tables(plots, shared);
    wsk_plot_forget(plots, shared, true);
    wsk_plot_forget(plots, name, true);
    free(shared);
    free(plots);
}

/* Deletes the pictures of this name, and those of its run beside other runs, unless they are of the same results. */
static void forget_others(const char *dir, const wsk_plot_table *t)
{
    if (is_drawn(dir, t))
        return;
    char *shared = wsk_cli_format("%s-overlay", t->name);
    wsk_plot_forget(dir, t->name, false);
    wsk_plot_forget(dir, shared, false);
    free(shared);
}

static char *read_all(int end, size_t *len)
{
    char *text = NULL, bytes[4096];
    FILE *out = wsk_cli_text(&text, len);
    for (ssize_t n; (n = read(end, bytes, sizeof bytes)) > 0 || (n < 0 && errno == EINTR);)
        if (n > 0)
            fwrite(bytes, 1, (size_t)n, out);
    fclose(out);
    return text;
}

typedef struct {
    int out[2], why[2]; /* out: pipe for the output of gnuplot; why: pipe for the errno if gnuplot cannot start */
} pipes;

static void close_end(int *end)
{
    if (*end >= 0)
        close(*end);
    *end = -1;
}

static void close_pipes(pipes *p)
{
    for (int i = 0; i < 2; i++) {
        close_end(&p->out[i]);
        close_end(&p->why[i]);
    }
}

/* All ends are marked to be closed by exec, so a successful start of gnuplot ends the pipe `why` without a byte. */
static bool open_pipes(pipes *p)
{
    *p = (pipes){{-1, -1}, {-1, -1}};
    bool ok = pipe(p->out) == 0 && pipe(p->why) == 0;
    for (int i = 0; ok && i < 2; i++)
        ok = fcntl(p->out[i], F_SETFD, FD_CLOEXEC) == 0 && fcntl(p->why[i], F_SETFD, FD_CLOEXEC) == 0;
    const int why = errno;
    if (!ok)
        close_pipes(p);
    errno = why;
    return ok;
}

static void start(const char *dir, const char *script, const char *first, const pipes *p)
{
    if (chdir(dir) != 0 || dup2(p->out[1], STDOUT_FILENO) < 0)
        _exit(126);
    setenv("LC_ALL", "C.UTF-8", 1);
    execlp("gnuplot", "gnuplot", first ? "-e" : script, first ? first : (char *)NULL, script, (char *)NULL);
    const int why = errno;
    _exit(write(p->why[1], &why, sizeof why) == (ssize_t)sizeof why ? 127 : 126);
}

static int say_not_started(int why)
{
    wsk_cli_check_memory(why != ENOMEM);
    wsk_cli_error(T_("cannot start gnuplot: %s"), T_(strerror(why)));
    return WSK_ERUN;
}

static int say_failed(const char *dir, const char *script)
{
    wsk_cli_error(T_("gnuplot failed on %s/%s"), dir, script);
    return WSK_ERUN;
}

/* Runs gnuplot in the folder of the script, without a shell. first: commands before the script, or NULL. *text gets
 * what gnuplot prints, of *len bytes; caller frees. Returns WSK_OK or, after a message, an exit code; ABSENT without a
 * message: there is no gnuplot. */
enum { ABSENT = -1 };
static int run_gnuplot(const char *dir, const char *script, const char *first, char **text, size_t *len)
{
    pipes p;
    int status = -1, why = 0;
    *text = NULL;
    fflush(stdout);
    if (!open_pipes(&p))
        return say_not_started(errno);
    pid_t child = fork();
    if (child == 0)
        start(dir, script, first, &p);
    if (child < 0) {
        why = errno;
        close_pipes(&p);
        return say_not_started(why);
    }
    close_end(&p.out[1]);
    close_end(&p.why[1]);
    *text = read_all(p.out[0], len);
    ssize_t told;
    while ((told = read(p.why[0], &why, sizeof why)) < 0 && errno == EINTR)
        continue;
    close_pipes(&p);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    if (told == (ssize_t)sizeof why)
        return why == ENOENT ? ABSENT : say_not_started(why);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return WSK_OK;
    /* the child process ran out of memory before it started gnuplot, and has printed a message */
    if (WIFEXITED(status) && WEXITSTATUS(status) == WSK_ENOMEM)
        return WSK_ENOMEM;
    return say_failed(dir, script);
}

/* Draws in the terminal. This process prints what gnuplot draws, so that write errors such as a full disk are
 * reported. */
static int draw_in_terminal(const char *dir, const char *script)
{
    static bool ended;
    char *text = NULL, *fine = NULL;
    size_t len;
    int code = ended ? WSK_OK : run_gnuplot(dir, script, NULL, &text, &len);
    if (code == WSK_OK && !ended && wsk_cli_utf8())
        code = run_gnuplot(dir, script, "dots = 1", &fine, &len);
    if (code == WSK_OK && !ended)
        ended = !wsk_plot_term(text, fine);
    free(fine);
    free(text);
    return code;
}

/* Draws a file. gnuplot prints the picture and this process writes it, because gnuplot reports no write errors and
 * would leave a part of the picture under its name. */
static int draw_file(const char *dir, const char *script, const char *picture)
{
    char *bytes = NULL;
    size_t len = 0;
    int code = run_gnuplot(dir, script, "printed = 1", &bytes, &len);
    if (code == WSK_OK && !len)
        code = say_failed(dir, script);
    if (code == WSK_OK && !wsk_cli_write_soon(dir, picture, bytes, len))
        code = WSK_ERUN;
    free(bytes);
    return code;
}

int wsk_plot_draw(const char *folder, const wsk_plot_table *t, const char *as, bool quiet)
{
    const format *f = find_format(as);
    char *script = wsk_cli_format("%s.gp", t->name), *picture = wsk_cli_format("%s.%s", t->name, as);
    int code = WSK_ERUN;
    forget_others(folder, t);
    if (wsk_cli_mkdirs(folder) && write_tables(folder, t) && write_script(folder, t, f))
        code = strcmp(as, "term") ? draw_file(folder, script, picture) : draw_in_terminal(folder, script);
    if (code == WSK_OK && !quiet && strcmp(as, "term") != 0)
        printf("%s/%s\n", folder, picture);
    if (code == ABSENT) {
        wsk_cli_error(T_("gnuplot is not installed (Debian: gnuplot-nox)"));
        code = t->optional ? WSK_OK : WSK_ERUN;
    }
    free(picture);
    free(script);
    return code;
}
