/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole machines from the catalogue for a model and a budget. suggest.c reads what is asked, cards.c lists the cards,
 * machine.c writes a machine as a rig, judge.c solves it, choose.c takes the three that are told, relax.c finds what stands in the
 * way of others, tell.c tells them.
 * Begin with suggest.c. docs/suggest.md says what is looked at. */
#ifndef WSK_CLI_SUGGEST_H
#define WSK_CLI_SUGGEST_H
#include "cli/kit/card.h"
#include "cli/kit/country.h"

/* The options of the command. NAN: not given. */
typedef struct {
    const char *model, *quant, *engine, *streams, *context; /* of the workload; NULL: its default */
    double budget, memory_gb, noise_dba, years;
    char currency[4]; /* of the budget */
    const wsk_cli_country *land;
    wsk_cli_socket socket; /* the circuit; its words are not known where the user named it */
    char volts[24], amps[24];
    wsk_cli_rig_options options;
    char *parts; /* folder of the catalogue */
} wsk_ask;

/* A card of the catalogue. */
typedef struct {
    char *id, *title;
    wsk_cli_need need;
    double memory_gb, price;     /* price: NAN: none */
    char currency[8], dated[16]; /* date of the price; "": none */
} wsk_choice_card;
/* Cards that are left out, by reason. */
typedef struct {
    wsk_choice_card *list;
    size_t count;
    wsk_cli_list unpriced; /* their ids */
    int modules, unusable; /* modules for server boards; cards that no rig takes as they are */
} wsk_choice_cards;
/* Reads the family gpu of the catalogue. WSK_OK, or another wsk_status after a message. Free in each case. */
int wsk_list_cards(wsk_choice_cards *out, const wsk_ask *ask);
void wsk_free_cards(wsk_choice_cards *cards);

/* A machine: a number of equal cards in a box, at a power limit. */
typedef struct {
    const wsk_choice_card *card;
    int count, box;
    double limit_w;
} wsk_machine;
int wsk_boxes(void);
bool wsk_box_holds(int box, const wsk_choice_card *card, int count);
const char *wsk_box_chassis(int box);
/* Memory of its host, GB. */
double wsk_machine_host_gb(const wsk_machine *machine);
/* The machine as a rig. Caller frees. */
char *wsk_machine_xml(const wsk_machine *machine, const wsk_ask *ask);

/* The result of judging a machine: good, or the first requirement that it fails. */
typedef enum {
    WSK_GOOD,
    WSK_BAD_FIT,    /* the rig is refused: parts do not fit or are missing */
    WSK_BAD_MEMORY, /* the model does not fit, or less memory than asked */
    WSK_BAD_BUDGET,
    WSK_BAD_POWER, /* circuit or PSU overloaded, or one may trip */
    WSK_BAD_HEAT,  /* a card throttles from heat or shuts down */
    WSK_BAD_NOISE,
    WSK_BAD_HOST, /* too little memory of the host to load the weights through */
    WSK_BADS
} wsk_bad;
typedef struct {
    wsk_machine machine;
    double tokens_s, spread, purchase, year_cost, noise_dba, wall_w, circuit; /* spread, circuit: shares */
    double power_limited; /* share of the time in which the power limit lowers the clock of a card */
    unsigned broken;      /* bit (1 << b) for each wsk_bad of what is asked that it does not meet */
    double per_million;   /* cost of a million tokens over `years`: purchase and electricity, working all day */
} wsk_judged_machine;
/* Solves the steady point. sure: with ranges, so that heat and circuit hold with a probability of 80 %. WSK_GOOD: *out
 * is filled. *code: WSK_OK, or another wsk_status after a message. */
wsk_bad wsk_suggest_judge(wsk_judged_machine *out, const wsk_machine *machine, const wsk_ask *ask, bool sure,
                          int *code);

/* All good machines, and how many were refused for what. */
typedef struct {
    wsk_judged_machine *list;
    size_t count, looked_at;
    size_t bad[WSK_BADS];
    bool all; /* keep those that do not meet what is asked, too, if their parts fit and the model does */
} wsk_field;
int wsk_judge_all(wsk_field *out, const wsk_choice_cards *cards, const wsk_ask *ask);

/* WSK_ANOTHER: least cost per token of the cards that no title went to. */
typedef enum { WSK_FASTEST, WSK_LEAST_TO_BUY, WSK_LEAST_PER_TOKEN, WSK_ANOTHER, WSK_TITLES } wsk_title;
enum { WSK_TOLD = 3 }; /* machines that are told, each with another chip */
/* A machine of the answer: the best by a title. also: bit (1 << t) for each further title t that the same chip won. */
typedef struct {
    wsk_title title;
    unsigned also;
    const wsk_judged_machine *best, *next; /* next: best one with another card; NULL: there is none */
    double holds_below; /* price of a card below which the machine keeps its title; NAN: no such price */
} wsk_chosen;
/* Returns how many were chosen; -1 after a message: a part could not be read now. */
int wsk_suggest_choose(wsk_chosen chosen[WSK_TOLD], wsk_field *field, const wsk_ask *ask);

/* relax.c: what must give for a machine that meets all that is asked, or for a faster one than `than`, tokens a second. For
 * WSK_BAD_BUDGET, _POWER and _NOISE the machine that breaks this alone, by the least; not found: machine.count is 0. */
typedef struct {
    wsk_judged_machine by[WSK_BADS];
    wsk_judged_machine
        together; /* where none breaks one alone: the one that breaks them by the least sum of shares */
} wsk_relaxed;
int wsk_suggest_relax(wsk_relaxed *out, const wsk_choice_cards *cards, const wsk_ask *ask, double than);

int wsk_tell_text(const wsk_chosen *chosen, int count, const wsk_field *field, const wsk_choice_cards *cards,
                  const wsk_ask *ask, const wsk_relaxed *relaxed, const char *dir);
int wsk_tell_json(const wsk_chosen *chosen, int count, const wsk_field *field, const wsk_choice_cards *cards,
                  const wsk_ask *ask, const wsk_relaxed *relaxed);

#endif
