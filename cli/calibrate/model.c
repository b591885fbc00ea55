/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares product names. Drivers, tools and people write one product in many ways, so only words count that tell
 * products apart: those with digits, such as 4090 or H100, and Ti, Super and the like. */
#include <ctype.h>
#include <string.h>

#include "cli/calibrate/calibrate.h"
#include "twin/identity.h"

enum { WORDS = 12, WORD = 24 };
typedef struct {
    char model[WORDS][WORD];
    size_t count;
    unsigned kinds; /* one bit for each of `kinds` */
    bool branded;
} product;

static const char *const brands[] = {"nvidia", "geforce", "gtx", "rtx",      "quadro", "tesla", "titan",
                                     "radeon", "rx",      "amd", "instinct", "vega",   "intel", "arc"};
/* Words that tell products with the same number apart. The last three are forms (connectors) of one product, which many
 * names leave out. They tell two products apart only if both names have such a word. */
static const char *const kinds[] = {"ti", "super", "xt", "xtx", "gre", "laptop", "pcie", "sxm", "nvl"};
enum { KINDS = (int)(sizeof kinds / sizeof *kinds), FORMS = 3 };
static const unsigned forms = ((1u << FORMS) - 1) << (KINDS - FORMS);

static bool is_model(const char *word)
{
    const size_t len = strlen(word), number = strspn(word, "0123456789");
    if (strcspn(word, "0123456789") == len || len < 2)
        return false;
    return strcmp(word + number, "gb") != 0 && strncmp(word, "gpu", 3) != 0 && strncmp(word, "hbm", 3) != 0 &&
           strncmp(word, "gddr", 4) != 0;
}

/* Length of the number with which a word such as "4070ti" begins; adds the bit of the kind that follows it ("ti") to
 * *found. If the word is no number with a kind, the length of the whole word. */
static size_t length_of_number(const char *word, unsigned *found)
{
    const size_t digits = strspn(word, "0123456789");
    for (int i = 0; i < KINDS - FORMS && digits; i++)
        if (strcmp(word + digits, kinds[i]) == 0) {
            *found |= 1u << i;
            return digits;
        }
    return strlen(word);
}

static void add_word(product *p, const char *word)
{
    for (size_t i = 0; i < sizeof brands / sizeof *brands; i++)
        p->branded = p->branded || strcmp(word, brands[i]) == 0;
    for (int i = 0; i < KINDS; i++) {
        const size_t len = strlen(kinds[i]);
        const bool form = i >= KINDS - FORMS && strspn(word + strnlen(word, len), "0123456789") == strlen(word) - len;
        if (strcmp(word, kinds[i]) == 0 || (strncmp(word, kinds[i], len) == 0 && form)) {
            p->kinds |= 1u << i;
            return;
        }
    }
    const int len = (int)length_of_number(word, &p->kinds);
    if (is_model(word) && p->count < WORDS)
        snprintf(p->model[p->count++], WORD, "%.*s", len, word);
}

static product product_of(const char *name)
{
    product p = {.count = 0};
    char word[WORD];
    size_t n = 0;
    for (const char *c = name;; c++) {
        if (isalnum((unsigned char)*c) && n < WORD - 1) {
            word[n++] = (char)tolower((unsigned char)*c);
            continue;
        }
        word[n] = '\0';
        if (n)
            add_word(&p, word);
        n = 0;
        if (!*c)
            return p;
    }
}

static bool share_model(const product *a, const product *b)
{
    for (size_t i = 0; i < a->count; i++)
        for (size_t k = 0; k < b->count; k++)
            if (strcmp(a->model[i], b->model[k]) == 0)
                return true;
    return false;
}

bool wsk_cli_is_other_card(const char *name, const char *part)
{
    const wsk_identity *known = wsk_twin_identity(part);
    const char *id = strchr(part, '/');
    const product logged = product_of(name), ours = product_of(known ? known->name : id ? id + 1 : part);
    if (strchr(name, '/') || !logged.branded || !ours.branded || !logged.count || !ours.count)
        return false;
    if (!share_model(&logged, &ours))
        return true;
    const unsigned differ = logged.kinds ^ ours.kinds;
    return (differ & ~forms) || ((differ & forms) && (logged.kinds & forms) && (ours.kinds & forms));
}
