/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures in a terminal, one panel a page. gnuplot draws each panel twice as characters: once with its text, and once
 * with two characters for each column and four for each row. The curves of the second drawing become the dots of
 * Braille characters in the first. Without UTF-8 only the first drawing is printed. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/plot/plot.h"
#include "words/width.h"

enum { TOP = 2, BELOW = 2 }; /* number of rows of a page above its panel, and below its time axis (plots/style.gp) */

typedef struct {
    char letter[5]; /* the UTF-8 character; "": gnuplot's line ends before this column */
    int colour;     /* 1 to 6: a curve; 0: text and axes */
} cell;
typedef struct {
    cell *cells;
    int rows, columns;
} sheet;

static cell *at(const sheet *s, int row, int column)
{
    static cell none;
    bool inside = row >= 0 && row < s->rows && column >= 0 && column < s->columns;
    none = (cell){"", 0};
    return inside ? &s->cells[row * s->columns + column] : &none;
}

static bool blank(const cell *c)
{
    return !c->letter[0] || c->letter[0] == ' ';
}

static int letter_bytes(const char *text)
{
    int n = 1;
    while (n < 4 && wsk_utf8_inside(text[n]))
        n++;
    return n;
}

/* Returns the colour of the ANSI escape at *text, and moves behind it. Black, white and greys are 0. */
static int read_colour(const char **text)
{
    const char *p = *text + strcspn(*text, "m");
    char last = p > *text ? p[-1] : '0'; /* the colour: last digit of "[1;31", "[0;39" */
    *text = *p ? p + 1 : p;
    return last >= '1' && last <= '6' ? last - '0' : 0;
}

static sheet read_sheet(const char **text)
{
    sheet s = {0};
    int column = 0, row = 0, colour = 0;
    const char *p = *text, *end = p + strcspn(p, "\f");
    for (const char *q = p; q < end; q++) {
        s.rows += *q == '\n';
        column = *q == '\n' ? 0 : column + 1;
        s.columns = column > s.columns ? column : s.columns;
    }
    s.cells = wsk_cli_alloc((size_t)(s.rows + 1) * (size_t)(s.columns + 1) * sizeof *s.cells);
    for (column = 0; p < end;) {
        if (*p == '\n') {
            row++, p++, column = 0;
        } else if (*p == '\x1b') {
            colour = read_colour(&p);
        } else {
            cell *c = at(&s, row, column++);
            int n = letter_bytes(p);
            memcpy(c->letter, p, (size_t)n);
            c->colour = colour;
            p += n;
        }
    }
    *text = *end ? end + 1 : end;
    return s;
}

static void put_letter(cell *c, const char *letter, int colour)
{
    memset(c->letter, 0, sizeof c->letter);
    memcpy(c->letter, letter, strlen(letter));
    c->colour = colour;
}

typedef struct {
    bool coloured;
    int rank[7]; /* rank[colour]: order in which the colours first appear on the page, from 1; 0: not seen yet */
    int ranks;
} looks;

static bool dashed(looks *l, int colour, int x, int y)
{
    /* by rank: period of the dash pattern, and how much of it is drawn, dots */
    static const int period[] = {1, 1, 6, 2, 8, 4, 3}, drawn[] = {1, 1, 4, 1, 3, 1, 1};
    if (!l->rank[colour])
        l->rank[colour] = ++l->ranks;
    return l->coloured || (x + 3 * y) % period[l->rank[colour]] < drawn[l->rank[colour]];
}

static void put_dots(cell *c, bool dots[2][4], int colour)
{
    static const int bit[2][4] = {{0x01, 0x02, 0x04, 0x40}, {0x08, 0x10, 0x20, 0x80}};
    int code = 0;
    for (int x = 0; x < 2; x++)
        for (int y = 0; y < 4; y++)
            code |= dots[x][y] ? bit[x][y] : 0;
    const char letter[] = {'\xE2', (char)(0xA0 | code >> 6), (char)(0x80 | (code & 0x3F)), '\0'};
    put_letter(c, code ? letter : " ", colour);
}

static void put_sample(cell *c, int from, looks *l)
{
    bool dots[2][4] = {{[2] = dashed(l, c->colour, from, 0)}, {[2] = dashed(l, c->colour, from + 1, 0)}};
    put_dots(c, dots, c->colour);
}

/* Puts those dots of the fine sheet that lie in a cell of the panel into the cell as a Braille character. Dots on an
 * axis count for the cell beside the axis. */
static void put_curve(const sheet *s, const sheet *fine, int row, int column, int left, looks *l)
{
    bool dots[2][4] = {0};
    int colour = 0, bottom = s->rows - 1 - BELOW;
    for (int x = column == left + 1 ? 2 * column - 2 : 2 * column - 1; x <= 2 * column; x++)
        for (int y = 4 * row; y <= (row == bottom - 1 ? 4 * row + 4 : 4 * row + 3); y++) {
            const cell *c = at(fine, y, x);
            if (!c->colour || blank(c))
                continue;
            colour = c->colour;
            if (dashed(l, colour, x, y))
                dots[x < 2 * column ? 0 : 1][y - 4 * row < 4 ? y - 4 * row : 3] = true;
        }
    put_dots(at(s, row, column), dots, colour);
}

static int find_axis(const sheet *s)
{
    for (int column = 0; column < s->columns; column++) {
        int n = 0;
        for (int row = TOP; row < s->rows - 1 - BELOW; row++)
            n += at(s, row, column)->letter[0] == '|' && !at(s, row, column)->colour;
        if (2 * n > s->rows - 1 - BELOW - TOP)
            return column;
    }
    return -1;
}

static void draw_axes(sheet *s, int left, int right)
{
    int bottom = s->rows - 1 - BELOW;
    for (int row = TOP; row <= bottom; row++) {
        cell *mark = at(s, row, left - 1);
        bool marked = !blank(mark) && !mark->colour;
        put_letter(at(s, row, left), row == bottom ? "└" : marked ? "┤" : "│", 0);
        if (marked)
            put_letter(mark, " ", 0);
    }
    for (int column = left + 1; column <= right; column++)
        put_letter(at(s, bottom, column), "─", 0);
    for (int column = left, from = -1; column <= s->columns; column++) {
        bool number = !blank(at(s, bottom + 1, column));
        int middle = (from + column - 1) / 2;
        if (from >= 0 && !number && middle > left && middle <= right)
            put_letter(at(s, bottom, middle), "┬", 0);
        from = !number ? -1 : from < 0 ? column : from;
    }
}

/* Returns the symbol for a single point, which gnuplot draws as F (point type 6) or G (type 7). "": the cell has
 * another character, so it belongs to a curve. */
static const char *point(const cell *c)
{
    return c->letter[0] == 'F' ? "o" : c->letter[0] == 'G' ? "⣿" : "";
}

static void refine_key(sheet *s, int right, looks *l)
{
    for (int row = TOP; row < s->rows - BELOW; row++)
        for (int column = right + 1, from = 0; column < s->columns; column++) {
            cell *c = at(s, row, column);
            from = c->colour && !blank(c) ? from + 2 : 0;
            if (c->colour && *point(c))
                put_letter(c, point(c), c->colour);
            else if (from)
                put_sample(c, from - 2, l);
        }
}

static void refine(sheet *s, const sheet *fine, bool coloured)
{
    looks l = {.coloured = coloured};
    int left = find_axis(s), right = left, bottom = s->rows - 1 - BELOW;
    if (left < 0)
        return;
    while (!blank(at(s, bottom, right + 1)))
        right++;
    refine_key(s, right, &l);
    for (int row = TOP; row < bottom; row++)
        for (int column = left + 1; column <= right; column++) {
            cell *c = at(s, row, column);
            if (c->colour && *point(c))
                put_letter(c, point(c), c->colour);
            else if (c->colour || blank(c))
                put_curve(s, fine, row, column, left, &l);
        }
    draw_axes(s, left, right);
}

static void coarsen(sheet *s)
{
    for (int i = 0; i < s->rows * s->columns; i++) {
        cell *c = &s->cells[i];
        if ((unsigned char)c->letter[0] >= 0x80)
            put_letter(c, "?", c->colour);
        else if (c->colour && strchr("+-|", c->letter[0]) && c->letter[0])
            c->letter[0] = " *o#%=@"[c->colour];
    }
}

/* Prints a row without trailing blanks. gnuplot counts one column a character: after characters that are two columns
 * wide, surplus blanks are dropped until the columns match again, but one blank always stays. */
static void put_row(const sheet *s, int row, bool coloured)
{
    /* blanks: blanks not printed yet; ahead: columns written beyond gnuplot's count; now: colour in effect */
    int blanks = 0, ahead = 0, now = 0;
    for (int column = 0; column < s->columns && at(s, row, column)->letter[0]; column++) {
        const cell *c = at(s, row, column);
        int columns;
        if (coloured && now && blank(c)) {
            fputs("\x1b[0m", stdout);
            now = 0;
        }
        if (blank(c)) {
            blanks++;
            continue;
        }
        for (; ahead > 0 && blanks > 1; ahead--)
            blanks--;
        printf("%*s", blanks, "");
        blanks = 0;
        if (coloured && c->colour != now)
            printf("\x1b[%dm", c->colour ? 30 + c->colour : 0);
        now = c->colour;
        wsk_char_width(c->letter, strlen(c->letter), &columns);
        ahead += columns - 1;
        fputs(c->letter, stdout);
    }
    fputs(coloured && now ? "\x1b[0m\n" : "\n", stdout);
}

static bool wait_for_next(void)
{
    static bool shown;
    char answer[16] = "";
    if (shown && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO)) {
        fputs(T_("Enter: the next picture, q: end "), stdout);
        fflush(stdout);
        if (!fgets(answer, sizeof answer, stdin)) {
            putchar('\n');
            return false;
        }
    } else if (shown) {
        putchar('\n');
    }
    shown = true;
    return answer[0] != 'q';
}

bool wsk_plot_term(const char *text, const char *fine)
{
    bool coloured = wsk_cli_colour(STDOUT_FILENO), wanted = true;
    text += *text == '\f';
    fine += fine && *fine == '\f';
    while (*text && wanted) {
        sheet s = read_sheet(&text), dots = fine ? read_sheet(&fine) : (sheet){0};
        wanted = wait_for_next();
        if (wanted) {
            if (fine)
                refine(&s, &dots, coloured);
            else
                coarsen(&s);
            for (int row = 0; row < s.rows; row++)
                put_row(&s, row, coloured);
        }
        free(s.cells);
        free(dots.cells);
    }
    return wanted;
}
