/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether the work of two cases can be compared, and which goals are about work. A GPU-hour is the work of a card in
 * an hour at its own default power limit, so GPU-hours of unlike cards are different amounts of work
 * (docs/theory/money.md). */
#ifndef WSK_CLI_WORK_H
#define WSK_CLI_WORK_H
#include <stdbool.h>

#include "wattsink.h"

enum { WSK_CLI_CARDS_TEXT = 256 };
/* Writes the kinds of cards of a rig, in alphabetical order, such as "1 x GeForce RTX 3090 and 2 x Tesla P40". With
 * several kinds, the text states the number of cards of each, because equal texts mean that the work of two rigs can be
 * compared; with one kind it states no number. */
void wsk_cli_name_cards(char out[WSK_CLI_CARDS_TEXT], const wsk_elements *rig);

/* The cards of a case and the rates of its workloads, which decide whether its work can be compared with another
 * case's. rates: rate="...", the units of work that one card does in a second, and measured-rate="...", those that the
 * whole rig does. */
typedef struct {
    char cards[WSK_CLI_CARDS_TEXT], rates[128];
} wsk_cli_worker;
/* False: the elements of the rig cannot be read. */
bool wsk_cli_worker_of(wsk_cli_worker *out, const wsk_rig *rig);
/* HOURS_OF_UNLIKE: the goal counts GPU-hours of unlike cards. RATE_OF_ONE: it counts units of work by the same
 * rate="..." for unlike cards, which can be right for one of them only. */
typedef enum { WSK_CLI_COMPARABLE, WSK_CLI_HOURS_OF_UNLIKE, WSK_CLI_RATE_OF_ONE } wsk_cli_likeness;
wsk_cli_likeness wsk_cli_compare_workers(const char *goal, const wsk_cli_worker *a, const wsk_cli_worker *b);
/* Says why neither of two cases is the best by the goal, in sentences without a line end. Caller frees. */
char *wsk_cli_say_unlike(wsk_cli_likeness how, const char *goal, const wsk_cli_worker *a, const wsk_cli_worker *b);
/* True for a goal that wsk_cli_compare_workers may find incomparable. */
bool wsk_cli_depends_on_cards(const char *goal);

/* True if the text of a goal or a limit names a rate, an amount or a loss of work, or the clock of the cards. */
bool wsk_cli_is_work(const char *text);
/* True if the text is the price of a unit of work, in money or energy, or a quotient with work in it. Idle power makes
 * such a price high for a machine that hardly works. */
bool wsk_cli_is_price_of_work(const char *text);
/* True if the text names an amount of money, energy or carbon. */
bool wsk_cli_is_price(const char *text);
/* True if the text is the cost of a unit of work. If electricity prices make that cost negative, less work looks
 * better. */
bool wsk_cli_is_cost_of_work(const char *text);
bool wsk_cli_names_one(const char *text, const wsk_result *results, size_t count);

#endif
