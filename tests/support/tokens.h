/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef WSK_TESTS_TOKENS_H
#define WSK_TESTS_TOKENS_H
#include "sim/net/tokens.h"
#include "tests/support/replay.h"

enum { WSK_TOKEN_ROWS = 128, WSK_TOKEN_CARDS = 8 };
typedef struct {
    const char *card, *model, *quant;
    int cards;
    bool hbm, prompt_held;
    double measured[2], shipped[2], left_out[2];
    wsk_token_job job;
    wsk_token_card each[WSK_TOKEN_CARDS];
} wsk_token_row;
/* Relative errors of the rows with `hbm` memory (0 or 1; -1: all rows), each predicted by a fit without its kind of
 * card. inside: rows within the band that the program prints / these rows. */
typedef struct {
    int rows;
    double mean, worst, inside;
} wsk_token_score;
typedef struct {
    wsk_csv *csv;
    wsk_plan *plans[WSK_TOKEN_ROWS];
    int n, kinds;
    wsk_token_row rows[WSK_TOKEN_ROWS];
    wsk_engine_law all;
    int pairs, in_order; /* pairs: two rows of one model whose measured generation differs by over 25
                                         * %; in_order: pairs that the prediction orders as measured */
} wsk_tokens_facts;

/* Reads the file and fits the law; false: a file, a part or a fit failed. Free with wsk_tokens_free in both cases. */
bool wsk_tokens_read(wsk_tokens_facts *facts);
void wsk_tokens_free(wsk_tokens_facts *facts);
wsk_token_score wsk_tokens_score(const wsk_tokens_facts *facts, int prompt, int hbm);
/* Errors of generation by the shipped laws over the rows of a file; a row without `streams` has as many requests as the
 * memory holds. No rows: a file or a part could not be read. */
#define WSK_TOKENS_TOGETHER "tests/validate/facts/tokens_together.csv"
#define WSK_TOKENS_NEWER "tests/validate/facts/tokens_newer.csv"
wsk_token_score wsk_tokens_published(const char *path);
/* Returns nonzero if the section cannot be written. */
int wsk_tokens_report(void);

#endif
