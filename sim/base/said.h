/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages of the library: a code and its arguments. sim/base/codes.def lists each code with its English sentence;
 * words/words.h renders the sentence in other languages. */
#ifndef WSK_SAID_H
#define WSK_SAID_H
#include "sim/base/base.h"

/* The codes WSK_SAY_<NAME> of codes.def; WSK_SAY_<NAME>_ARGS is the number of arguments of the sentence. */
typedef enum {
#define WSK_CODE(name, args, code, english) WSK_SAY_##name,
#include "sim/base/codes.def"
#undef WSK_CODE
    WSK_SAY_COUNT_
} wsk_code;
enum {
#define WSK_CODE(name, args, code, english) WSK_SAY_##name##_ARGS = args,
#include "sim/base/codes.def"
#undef WSK_CODE
};
const char *wsk_code_name(wsk_code code);
bool wsk_code_named(const char *name, wsk_code *out);
bool wsk_word_code(const char *english, wsk_code *out); /* the code word.* of this English word; false: none */
int wsk_code_args(wsk_code code);
const char *wsk_code_english(wsk_code code);

/* TEXT is shown unchanged (names, file contents). WORD is an English word of ours and is translated. SAID is a
 * message inside the message, such as a hint or a reason. */
typedef enum { WSK_ARG_NUMBER, WSK_ARG_TEXT, WSK_ARG_WORD, WSK_ARG_SAID } wsk_arg_type;
typedef struct {
    wsk_arg_type type;
    double number;
    const char *text;
    const wsk_said *said;
} wsk_arg;
struct wsk_said {
    wsk_code code;
    int count;
    const wsk_arg *args;
};

static inline wsk_arg wsk_arg_number(double number)
{
    return (wsk_arg){.type = WSK_ARG_NUMBER, .number = number};
}
static inline wsk_arg wsk_arg_size(unsigned long number)
{
    return wsk_arg_number((double)number);
}
static inline wsk_arg wsk_arg_long(long number)
{
    return wsk_arg_number((double)number);
}
static inline wsk_arg wsk_arg_text(const char *text)
{
    return (wsk_arg){.type = WSK_ARG_TEXT, .text = text ? text : ""};
}
static inline wsk_arg wsk_arg_word(const char *english)
{
    return (wsk_arg){.type = WSK_ARG_WORD, .text = english};
}
/* A word argument, given by its code word.* of codes.def, so that results can name the word by this code too. */
static inline wsk_arg wsk_arg_named(wsk_code word)
{
    return wsk_arg_word(wsk_code_english(word));
}
/* An argument for the unit in which work is counted. The library's own names, "tokens" and "units", become words,
 * which are translated; a name that the rig gives becomes text. NULL: "units". */
wsk_arg wsk_arg_unit(const char *unit);
static inline wsk_arg wsk_arg_said(const wsk_said *said)
{
    return (wsk_arg){.type = WSK_ARG_SAID, .said = said};
}
static inline wsk_arg wsk_arg_itself(wsk_arg arg)
{
    return arg;
}
#define WSK_WORD(english) wsk_arg_word(english)
/* Marks an English word in a table for translation. */
#define WSK_N(english) english

/* WSK_SAID(WSK_SAY_FAN_SPEED, text, ...): a message that lives until the end of the enclosing block; wsk_said_keep
 * copies it. The compiler checks the number of arguments and picks their type: number, text, WSK_WORD or message. */
#define WSK_ARG(x) \
    _Generic((x), char *: wsk_arg_text, const char *: wsk_arg_text, const wsk_said *: wsk_arg_said, \
             wsk_said *: wsk_arg_said, wsk_arg: wsk_arg_itself, unsigned long: wsk_arg_size, long: wsk_arg_long, \
             default: wsk_arg_number)(x)
#define WSK_SAID_COUNT(c, n) ((n) * (int)sizeof(char[c##_ARGS == (n) ? 1 : -1]))
#define WSK_SAID_OF(c, n, ...) (&(const wsk_said){c, WSK_SAID_COUNT(c, n), (const wsk_arg[]){__VA_ARGS__}})
#define WSK_SAID_0(c) WSK_SAID_OF(c, 0, {0})
#define WSK_SAID_1(c, a) WSK_SAID_OF(c, 1, WSK_ARG(a))
#define WSK_SAID_2(c, a, b) WSK_SAID_OF(c, 2, WSK_ARG(a), WSK_ARG(b))
#define WSK_SAID_3(c, a, b, d) WSK_SAID_OF(c, 3, WSK_ARG(a), WSK_ARG(b), WSK_ARG(d))
#define WSK_SAID_4(c, a, b, d, e) WSK_SAID_OF(c, 4, WSK_ARG(a), WSK_ARG(b), WSK_ARG(d), WSK_ARG(e))
#define WSK_SAID_5(c, a, b, d, e, f) WSK_SAID_OF(c, 5, WSK_ARG(a), WSK_ARG(b), WSK_ARG(d), WSK_ARG(e), WSK_ARG(f))
#define WSK_SAID_6(c, a, b, d, e, f, g) \
    WSK_SAID_OF(c, 6, WSK_ARG(a), WSK_ARG(b), WSK_ARG(d), WSK_ARG(e), WSK_ARG(f), WSK_ARG(g))
#define WSK_SAID_PICK(c, a, b, d, e, f, g, name, ...) name
#define WSK_SAID(...) \
    WSK_SAID_PICK(__VA_ARGS__, WSK_SAID_6, WSK_SAID_5, WSK_SAID_4, WSK_SAID_3, WSK_SAID_2, WSK_SAID_1, WSK_SAID_0, \
                  0) \
    (__VA_ARGS__)

/* Copies a message into the arena, with its texts, of which at most 2,000 bytes each are kept; NULL: no message given,
 * or out of memory. */
const wsk_said *wsk_said_keep(wsk_arena *arena, const wsk_said *said);
/* Makes a message as WSK_SAID does, but copies it into the arena. For hints and reasons that a function returns. */
#define WSK_SAY(arena, ...) wsk_said_keep(arena, WSK_SAID(__VA_ARGS__))

/* Joins two messages into one, "first, then" (WSK_SAY_JOINED); first NULL: a copy of `then`. */
const wsk_said *wsk_said_join(wsk_arena *arena, const wsk_said *first, const wsk_said *then);

typedef struct {
    wsk_arena *arena;
    const wsk_said **items;
    size_t count, room;
    bool failed;
} wsk_said_list;
/* Adds a copy of the message. A NULL message counts as out of memory: it sets `failed`. */
void wsk_said_add(wsk_said_list *list, const wsk_said *said);
/* Joins two messages by a code such as WSK_SAY_JOIN_AND; if one of them is NULL, the result is the other. */
const wsk_said *wsk_said_link(wsk_arena *arena, wsk_code how, const wsk_said *first, const wsk_said *second);
/* All messages of a list as one: linked by the code `how`, the last one by the code `last`. NULL: the list is empty, or
 * out of memory. */
const wsk_said *wsk_said_link_all(const wsk_said_list *list, wsk_code how, wsk_code last);

/* Appends the template `text` with its arguments in place. Conversions: %1$s, %2$.1f, %3$02d, %%. An argument may be
 * used anywhere or not at all; a missing one is written as "?". "%1$-10s" pads a text with blanks to ten columns of a
 * terminal. The decimal sign is a point in each locale. `to`, called with `language`, translates
 * word arguments; NULL: English. */
void wsk_render(wsk_buf *out, const char *text, const wsk_arg *args, int count, wsk_translate *to,
                const void *language);
/* Appends the sentence of a message; a NULL message appends nothing. `to` translates it; NULL: English. */
void wsk_said_write(wsk_buf *out, const wsk_said *said, wsk_translate *to, const void *language);
typedef struct {
    int indent;
    const wsk_said *said;
} wsk_line;
typedef struct {
    wsk_arena *arena;
    wsk_line *items;
    size_t count, room;
    bool failed;
} wsk_lines;
void wsk_lines_add(wsk_lines *lines, int indent, const wsk_said *said);
void wsk_lines_write(wsk_buf *out, const wsk_lines *lines, wsk_translate *to, const void *language);

/* The sentence of a message in English, for files and programs: ASCII except for its text arguments. "" when out of
 * memory. */
const char *wsk_said_english(wsk_arena *arena, const wsk_said *said);
/* A duration as text, such as "30 h" or "8 h 29 min": below 2 min in seconds with 4 digits, below 2 h in minutes and
 * seconds, below 2 days in hours and minutes, else in days and hours. It is rounded to the smaller unit, which is left
 * out if it is 0. Exactly 60 s, 1 h and 1 day are "1 min", "1 h" and "1 d". */
const wsk_said *wsk_say_span(wsk_arena *arena, double seconds);
#endif
