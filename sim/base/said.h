/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the library says: a code and its arguments. sim/base/codes.def lists the codes, each with its English sentence; the
 * room of words (words/words.h) makes the same sentence in other languages. */
#ifndef WSK_SAID_H
#define WSK_SAID_H
#include "sim/base/base.h"

/* WSK_SAY_FAN_SPEED, ...; WSK_SAY_FAN_SPEED_ARGS is how many arguments its sentence takes. */
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
const char *wsk_code_name(wsk_code code);    /* "card.fan-speed": stable, for programs */
const char *wsk_code_english(wsk_code code); /* "'%1$s' is not a fan speed; ..." */

/* TEXT is shown as it is (names, file contents); WORD is English of ours and is translated; SAID is a message in the message:
 * a hint, or the reason behind it. */
typedef enum { WSK_ARG_NUMBER, WSK_ARG_TEXT, WSK_ARG_WORD, WSK_ARG_SAID } wsk_arg_type;
typedef struct {
    wsk_arg_type type;
    double number;
    const char *text;
    const wsk_said *said; /* NULL: nothing */
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
static inline wsk_arg wsk_arg_said(const wsk_said *said)
{
    return (wsk_arg){.type = WSK_ARG_SAID, .said = said};
}
static inline wsk_arg wsk_arg_itself(wsk_arg arg)
{
    return arg;
}
/* An English word or phrase among the arguments of a message, which other languages translate. */
#define WSK_WORD(english) wsk_arg_word(english)
/* The same where it stands in a table: marks it for translation. */
#define WSK_N(english) english

/* WSK_SAID(WSK_SAY_FAN_SPEED, text, ...): a message that lives as long as the block around it; wsk_said_keep copies it. The
 * compiler checks the number of arguments; a number, a text, a WSK_WORD and a message are told apart by their types. */
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

/* A copy of the message and its texts in the arena; NULL: there is no message, or no memory. */
const wsk_said *wsk_said_keep(wsk_arena *arena, const wsk_said *said);
/* WSK_SAID that lives as long as the arena: for hints and reasons that a function gives. */
#define WSK_SAY(arena, ...) wsk_said_keep(arena, WSK_SAID(__VA_ARGS__))

/* "first, then": a list of messages; first NULL: `then` alone. */
const wsk_said *wsk_said_join(wsk_arena *arena, const wsk_said *first, const wsk_said *then);

/* ---- sentences ---- */
/* Gives the sentence or word in another language. */
typedef const char *wsk_translate(const void *language, const char *english);
/* Appends the template with its arguments in place: %1$s, %2$.1f, %3$02d, %%; an argument may stand anywhere or not at all.
 * A missing one is written as "?". to NULL: English. Numbers have a point in every locale. */
void wsk_render(wsk_buf *out, const char *text, const wsk_arg *args, int count, wsk_translate *to,
                const void *language);
/* The sentence of a message; NULL says nothing. */
void wsk_said_write(wsk_buf *out, const wsk_said *said, wsk_translate *to, const void *language);
/* ---- lists of messages: what a study finds, line by line ---- */
typedef struct {
    int indent; /* columns */
    const wsk_said *said;
} wsk_line;
typedef struct {
    wsk_arena *arena; /* holds the lines, their messages and texts */
    wsk_line *items;
    size_t count, room;
    bool failed; /* out of memory: a line is missing */
} wsk_lines;
/* Appends a copy of the message. */
void wsk_lines_add(wsk_lines *lines, int indent, const wsk_said *said);
/* Appends the lines as text, each indented and ended by a newline. to NULL: English. */
void wsk_lines_write(wsk_buf *out, const wsk_lines *lines, wsk_translate *to, const void *language);

/* In English and, but for its texts, in ASCII: as files and programs get it. "" when out of memory. */
const char *wsk_said_english(wsk_arena *arena, const wsk_said *said);
#endif
