/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/io/load.h"

void wsk_names_add(wsk_names *names, const char *name)
{
    for (size_t i = 0; i < names->count; i++)
        if (strcmp(names->names[i], name) == 0)
            return;
    if (names->count + 1 >= names->room) {
        size_t room = names->room ? 2 * names->room : 64;
        const char **more = wsk_alloc(names->arena, room * sizeof *more);
        if (!more)
            return;
        for (size_t i = 0; i < names->count; i++)
            more[i] = names->names[i];
        names->names = more;
        names->room = room;
    }
    names->names[names->count++] = name; /* behind it is NULL: memory of an arena is zero */
}

const char *const *wsk_names_list(wsk_names *names)
{
    static const char *const none[] = {NULL};
    return names->count ? names->names : none;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void wsk_names_sort(wsk_names *names)
{
    if (names->count)
        qsort(names->names, names->count, sizeof *names->names, compare_names);
}

/* A name that begins with the word, such as training for "train": the only one, or the first of several if `any`.
 * NULL: none, several without `any`, or the word is shorter than three letters. */
static const char *begun(const char *word, const wsk_names *names, bool any)
{
    const char *found = NULL;
    size_t len = strlen(word);
    for (size_t i = 0; len >= 3 && i < names->count; i++)
        if (strncmp(names->names[i], word, len) == 0) {
            if (found)
                return any ? found : NULL;
            found = names->names[i];
        }
    return found;
}

/* The name that a misspelt word probably means: one that begins with the word (for "Q4_K" Q4_K_M, not Q6_K), else the
 * most similar one. NULL: none. */
const char *wsk_io_meant(const char *word, wsk_names *names)
{
    const char *near = wsk_nearest(word, wsk_names_list(names)), *longer = begun(word, names, near != NULL);
    return longer ? longer : near;
}

static const char *tail_of(const char *id, char *digits, size_t size)
{
    const char *tail = strchr(id, '/') ? strchr(id, '/') + 1 : id;
    size_t n = 0;
    for (const char *c = tail; *c && n + 1 < size; c++)
        if (*c >= '0' && *c <= '9')
            digits[n++] = *c;
    digits[n] = '\0';
    return tail;
}

/* Distance of a word from the most similar word of a name, whose words are joined by '-'. 0: equal; 1: one begins
 * with the other; 2: one letter differs; UINT_MAX: none is similar. */
static unsigned far_from(const char *word, size_t len, const char *name)
{
    unsigned least = UINT_MAX;
    for (const char *w = name; *w;) {
        char mine[64], other[64];
        size_t n = strcspn(w, "-");
        snprintf(mine, sizeof mine, "%.*s", (int)len, word);
        snprintf(other, sizeof other, "%.*s", (int)n, w);
        unsigned far = strcmp(mine, other) == 0                                             ? 0
                       : len >= 2 && n >= 2 && strncmp(mine, other, len < n ? len : n) == 0 ? 1
                       : len >= 4 && wsk_distance(mine, other) == 1                         ? 2
                                                                                            : UINT_MAX;
        least = far < least ? far : least;
        w += n + (w[n] == '-');
    }
    return least;
}

const char *wsk_io_part_by_words(const char *word, const wsk_names *names)
{
    char digits[64], other[64];
    const char *best = NULL, *tail = tail_of(word, digits, sizeof digits);
    size_t least = SIZE_MAX;
    for (size_t i = 0; i < names->count; i++) {
        const char *name = tail_of(names->names[i], other, sizeof other);
        size_t sum = strlen(name) + 10 * wsk_distance(digits, other); /* llama70b is no model of 8b */
        for (const char *w = tail; *w && sum < SIZE_MAX;) {
            size_t n = strcspn(w, "-");
            unsigned far = n ? far_from(w, n, name) : 0;
            sum = far == UINT_MAX ? SIZE_MAX : sum + 100 * far;
            w += n + (w[n] == '-');
        }
        if (sum < least) {
            best = names->names[i];
            least = sum;
        }
    }
    return *tail ? best : NULL;
}

/* True if two ids differ only in '-', '_' and blanks: "rtx4070tisuper", "rtx_4070_ti_super". */
static bool run_together(const char *a, const char *b)
{
    while (*a || *b) {
        a += strspn(a, "-_ ");
        b += strspn(b, "-_ ");
        if (*a != *b)
            return false;
        a += *a != '\0';
        b += *b != '\0';
    }
    return true;
}

/* True if the words of a name are words of this text, side by side: gpu/rtx-5090 in gpu/geforce-rtx-5090-founders. */
static bool has_words(const char *text, const char *name)
{
    const size_t len = strlen(name);
    for (const char *p = strstr(text, name); p && len; p = strstr(p + 1, name))
        if ((p == text || p[-1] == '-') && (p[len] == '-' || p[len] == '\0'))
            return true;
    return false;
}

static double number_of(const char *digits)
{
    double n = 0;
    while (*digits)
        n = 10 * n + (*digits++ - '0');
    return n;
}

const char *wsk_io_meant_part(const char *word, const wsk_names *names)
{
    char digits[64], other[64];
    const char *tail = tail_of(word, digits, sizeof digits), *best = NULL, *within = "";
    bool more = false; /* longer names have this one: gpu/rx-7900 is nearer to them than to gpu/rx-7600 */
    double number = number_of(digits), apart = INFINITY;
    for (size_t i = 0; i < names->count; i++) {
        const char *name = tail_of(names->names[i], other, sizeof other);
        within = strlen(name) > strlen(within) && has_words(tail, name) ? name : within;
        more = more || (*tail && has_words(name, tail));
    }
    const size_t len = strlen(tail) - strlen(within);
    unsigned limit = len > 5 ? (unsigned)len / 3 : 1, least = UINT_MAX;
    for (size_t i = 0; i < names->count; i++) {
        const char *name = tail_of(names->names[i], other, sizeof other);
        if (run_together(tail, name))
            return names->names[i];
        if (strncmp(name, within, strlen(within)) != 0) /* gpu/p40-24gb is a P40, not an M40 of 24 GB */
            continue;
        unsigned far = wsk_distance(tail, name), weighed = far + 3 * wsk_distance(digits, other);
        /* of equally similar names, the one with the nearer number counts: for 1500, the name with 1600 before that
         * with 1000 */
        double step = fabs(number_of(other) - number);
        if (!more && (far <= limit || name == within) && (weighed < least || (weighed == least && step < apart))) {
            best = names->names[i];
            least = weighed;
            apart = step;
        }
    }
    return best ? best : begun(word, names, false);
}

const wsk_said *wsk_io_hint(const char *word, wsk_names *names)
{
    const char *near = wsk_io_meant(word, names);
    return near ? WSK_SAY(names->arena, WSK_SAY_MEANT, near) : NULL;
}

const char *wsk_io_list(char *out, size_t size, wsk_names *names)
{
    size_t n = 0;
    out[0] = '\0';
    for (size_t i = 0; i < names->count; i++) {
        size_t len = strlen(names->names[i]);
        if (n + len + 8 > size) {
            snprintf(out + n, size - n, ", ...");
            break;
        }
        n += (size_t)snprintf(out + n, size - n, "%s%s", i ? ", " : "", names->names[i]);
    }
    return out;
}
