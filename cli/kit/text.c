/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "cli/kit/cli.h"
#include "words/width.h"

enum { NARROWEST = 20 };

static int positive(const char *name)
{
    const char *text = getenv(name), *end;
    double v = text ? wsk_number_at(text, &end) : 0;
    return v >= 1 && v <= 10000 ? (int)v : 0;
}

void wsk_cli_terminal_size(int fd, int *columns, int *rows)
{
    struct winsize size;
    bool known = ioctl(fd, TIOCGWINSZ, &size) == 0;
    *columns = positive("COLUMNS");
    *rows = positive("LINES");
    if (!*columns)
        *columns = known && size.ws_col ? size.ws_col : 80;
    if (!*rows)
        *rows = known && size.ws_row ? size.ws_row : 24;
}

bool wsk_cli_dumb(void)
{
    const char *term = getenv("TERM");
    return !term || !*term || !strcmp(term, "dumb");
}

bool wsk_cli_colour(int fd)
{
    const char *no = getenv("NO_COLOR");
    return isatty(fd) && !wsk_cli_dumb() && (!no || !*no);
}

static size_t blanks(const char *text, size_t len)
{
    size_t n = 0;
    while (n < len && text[n] == ' ')
        n++;
    return n;
}

static size_t until_blank(const char *text, size_t len)
{
    size_t n = 0;
    while (n < len && text[n] != ' ')
        n++;
    return n;
}

/* Bytes up to the first place where Japanese text may break within a word; `len` if there is none. */
static size_t until_break(const char *text, size_t len)
{
    int columns;
    for (size_t i = 0, n; i < len; i += n) {
        n = wsk_char_width(text + i, len - i, &columns);
        if (i + n < len && wsk_may_break(text + i, text + i + n))
            return i + n;
    }
    return len;
}

/* Length, bytes, of the next piece of text that must stay in one line: a word, "1440 W,", "81 +-6 degC" or "[--set
 * PATH=VALUE]". */
static size_t next_word(const char *text, size_t len)
{
    enum { UNIT = 5, BRACKET = 30 };
    const char *close = *text == '[' ? memchr(text, ']', len) : NULL;
    if (close && close - text < BRACKET)
        return (size_t)(close - text) + until_blank(close, len - (size_t)(close - text));
    size_t n = until_blank(text, len);
    for (int i = 0; i < 2 && n > 0 && text[n - 1] >= '0' && text[n - 1] <= '9'; i++) {
        size_t unit = n + 1 < len ? until_blank(text + n + 1, len - n - 1) : 0;
        unit = until_break(text + n + 1, unit);
        n += unit > 0 && unit <= UNIT ? 1 + unit : 0;
    }
    return until_break(text, n);
}

/* Indent of the lines that continue a wrapped line, columns: the column of the text behind a gap of two or more blanks,
 * as in help texts, or behind a short first word with a colon ("advice: "). Without those it is the line's own indent,
 * plus 2 if that is 1 to 3. An indent of more than half the width becomes 2. */
static int hang_of(const char *line, size_t len, int width)
{
    enum { GAP_BY = 32, LABEL = 12 };
    size_t lead = blanks(line, len);
    int fallback = (int)(lead == 0 || lead >= 4 ? lead : lead + 2);
    for (size_t i = lead; i < len && i < GAP_BY;) {
        size_t word = until_blank(line + i, len - i), gap = blanks(line + i + word, len - i - word);
        if (i == lead && gap == 1 && word > 1 && word <= LABEL && line[i + word - 1] == ':')
            fallback = (int)(lead + word + 1);
        i += word + gap;
        if (gap >= 2 && i < len) {
            fallback = wsk_width_n(line, i);
            break;
        }
    }
    return 2 * fallback > width ? 2 : fallback;
}

static void put_line(FILE *out, const char *line, size_t len, int width)
{
    int hang = hang_of(line, len, width), column = 0;
    bool any = false;
    for (size_t i = 0; i < len;) {
        size_t gap = blanks(line + i, len - i), word = next_word(line + i + gap, len - i - gap);
        int wide = wsk_width_n(line + i + gap, word);
        if (!word)
            break;
        if (any && column + (int)gap + wide > width && column > hang)
            column = fprintf(out, "\n%*s", hang, "") - 1;
        else
            column += fprintf(out, "%*s", (int)gap, "");
        fwrite(line + i + gap, 1, word, out);
        column += wide;
        any = true;
        i += gap + word;
    }
    fputc('\n', out);
}

typedef struct {
    /* terminal columns of a table column; `from` is the end of the previous column, so the gap is included */
    int from, to;
} span;

typedef struct {
    const char *text;
    size_t rows;
    int n;
    span *columns;
} table;

static const char *next_line(const char *line)
{
    line += strcspn(line, "\n");
    return line + (*line == '\n');
}

static void mark_filled(char *filled, const char *line, size_t len)
{
    int columns;
    for (size_t i = 0, at = 0; i < len; at += (size_t)columns) {
        bool blank = line[i] == ' ';
        i += wsk_char_width(line + i, len - i, &columns);
        for (int k = 0; k < columns; k++)
            filled[at + (size_t)k] = (char)(filled[at + (size_t)k] || !blank);
    }
}

/* Does a table wider than the page begin here? Its rows, two or more, end at an empty line or one with a leading ".".
 * Its columns, four or more, are divided by gaps of two blanks or more in all rows. Caller frees t->columns. */
static bool find_table(const char *text, int width, table *t)
{
    size_t widest = 0;
    *t = (table){.text = text};
    if (*text == ' ' || wsk_width_n(text, strcspn(text, "\n")) <= width)
        return false;
    for (const char *line = text; *line && *line != '\n' && *line != '.'; line = next_line(line), t->rows++) {
        size_t columns = (size_t)wsk_width_n(line, strcspn(line, "\n"));
        widest = columns > widest ? columns : widest;
    }
    char *filled = wsk_cli_alloc(widest + 1);
    const char *line = text;
    for (size_t r = 0; r < t->rows; r++, line = next_line(line))
        mark_filled(filled, line, strcspn(line, "\n"));
    t->columns = wsk_cli_alloc((widest / 2 + 1) * sizeof *t->columns);
    for (size_t i = 0; i < widest; t->n++) {
        t->columns[t->n].from = (int)i;
        while (i < widest && !filled[i])
            i++;
        while (i < widest && (filled[i] || filled[i + 1]))
            i++;
        t->columns[t->n].to = (int)i;
    }
    free(filled);
    return t->rows > 1 && t->n > 3;
}

/* Prints terminal columns from..to of a line. *owed: number of blanks not printed yet; they are printed only if more
 * text follows in the line. */
static void put_cell(FILE *out, const char *line, int from, int to, int *owed)
{
    size_t len = strcspn(line, "\n"), i = 0;
    int at = 0;
    while (at < to && i < len) {
        int columns;
        size_t n = wsk_char_width(line + i, len - i, &columns);
        if (at >= from && line[i] == ' ') {
            ++*owed;
        } else if (at >= from) {
            fprintf(out, "%*s%.*s", *owed, "", (int)n, line + i);
            *owed = 0;
        }
        at += columns;
        i += n;
    }
    *owed += at < from ? to - from : to > at ? to - at : 0;
}

static int width_of(const span *column)
{
    return column->to - column->from;
}

static void put_table(FILE *out, const table *t, int width)
{
    for (int first = 1, end; first < t->n; first = end) {
        int used = t->columns[0].to;
        for (end = first; end < t->n && (end == first || used + width_of(&t->columns[end]) <= width); end++)
            used += width_of(&t->columns[end]);
        if (first > 1)
            fputc('\n', out);
        const char *line = t->text;
        for (size_t r = 0; r < t->rows; r++, line = next_line(line)) {
            int owed = 0;
            put_cell(out, line, t->columns[0].from, t->columns[0].to, &owed);
            for (int k = first; k < end; k++)
                put_cell(out, line, t->columns[k].from, t->columns[k].to, &owed);
            fputc('\n', out);
        }
    }
}

int wsk_cli_page(FILE *out, int elsewhere)
{
    int width, rows;
    if (!positive("COLUMNS") && !isatty(fileno(out)))
        return elsewhere;
    wsk_cli_terminal_size(fileno(out), &width, &rows);
    return width < NARROWEST ? NARROWEST : width;
}

/* True for a line that is a command to copy, or a part of one. */
static bool is_command(const char *line, bool goes_on)
{
    static const char *const programs[] = {"wattsink ", "nvidia-smi "};
    const size_t len = strcspn(line, "\n"), lead = blanks(line, len);
    bool command = goes_on || (len && line[len - 1] == '\\');
    for (size_t i = 0; i < sizeof programs / sizeof *programs && lead; i++)
        command = command || strncmp(line + lead, programs[i], strlen(programs[i])) == 0;
    return command;
}

void wsk_cli_wrap(FILE *out, const char *text, int width)
{
    char *shown = wsk_cli_shown(text);
    bool goes_on = false; /* the line before ends with a backslash, so this line is part of its command */
    text = shown ? shown : text;
    while (*text) {
        table t = {0};
        /* not wrapped here: a line that the terminal itself wraps is copied as one line */
        if (is_command(text, goes_on)) {
            const size_t len = strcspn(text, "\n");
            fprintf(out, "%.*s\n", (int)len, text);
            goes_on = len && text[len - 1] == '\\';
            text = next_line(text);
        } else if (find_table(text, width, &t)) {
            put_table(out, &t, width);
            while (t.rows-- > 0)
                text = next_line(text);
        } else {
            put_line(out, text, strcspn(text, "\n"), width);
            text = next_line(text);
        }
        free(t.columns);
    }
    free(shown);
}

void wsk_cli_print(FILE *out, const char *text)
{
    int width = wsk_cli_page(out, 0);
    char *shown = wsk_cli_shown(text);
    if (width)
        wsk_cli_wrap(out, shown ? shown : text, width);
    else
        fputs(shown ? shown : text, out);
    free(shown);
}
