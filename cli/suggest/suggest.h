/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Suggests whole machines from the catalogue for a language model ("model") and a budget. suggest.c: parses the
 * options; cards.c: lists the cards; machine.c: writes a machine as a rig; judge.c: solves it; choose.c: chooses the
 * three machines of the answer; relax.c: finds the limits that exclude other machines; tell.c: prints the answer.
 * Begin with suggest.c. docs/suggest.md lists what is considered. */
#ifndef WSK_CLI_SUGGEST_H
#define WSK_CLI_SUGGEST_H
#include "cli/kit/card.h"
#include "cli/kit/country.h"

typedef struct {
    /* attributes of the workload; NULL (never `model`): its default is used */
    const char *model, *quant, *engine, *streams, *context;
    /* limits: purchase price in `currency`, least memory of all cards, highest sound level (INFINITY: none); years over
     * which the purchase is written off */
    double budget, memory_gb, noise_dba, years;
    char currency[4];
    const wsk_cli_country *land;
    wsk_cli_socket socket; /* circuit of the machine; its description, `words`, is "as asked" if the user gave it */
    char volts[24], amps[24];
    wsk_cli_rig_options options;
    char *parts;
    wsk_rig *held; /* keeps the content of all files; all rigs are loaded from it */
    bool quiet;    /* no message is printed */
} wsk_ask;

typedef struct {
    char *id, *title;
    wsk_cli_need need;
    double memory_gb, price;
    char currency[8], dated[16]; /* dated: date of the price; "": unknown */
} wsk_choice_card;
/* The usable cards, and the cards that are left out, by reason. */
typedef struct {
    wsk_choice_card *list;
    size_t count;
    wsk_cli_list unpriced;
    /* number of modules for server boards; number of cards whose data are incomplete or invalid */
    int modules, unusable;
} wsk_choice_cards;
/* Loads a rig from its XML with the parts and prices of the question. sets: settings as of --set; NULL: none. */
wsk_status wsk_suggest_load(wsk_rig **rig, const char *text, const wsk_ask *ask, const wsk_cli_list *sets);
/* Reads the list of prices and all parts but the cards into ask->held, which the caller frees after all other rigs.
 * WSK_OK, or another wsk_status if a message has been printed: a file does not exist, cannot be read or has
 * mistakes. */
wsk_status wsk_suggest_hold(wsk_ask *ask);
/* For a rig that could not be loaded: WSK_OK if its parts do not fit; else prints why, and returns the status. */
wsk_status wsk_suggest_refusal(const wsk_rig *rig, wsk_status status, const wsk_ask *ask);
/* Reads the cards of the catalogue into ask->held. WSK_OK, or another wsk_status if a message has been printed. Free
 * *out with wsk_free_cards in both cases. */
int wsk_list_cards(wsk_choice_cards *out, const wsk_ask *ask);
void wsk_free_cards(wsk_choice_cards *cards);

/* A machine: a number of equal cards in a box, at a power limit. */
typedef struct {
    const wsk_choice_card *card;
    int count, box;
    double limit_w;
    int psu_up; /* number of ratings by which the PSU is larger than its load requires, to have enough plugs */
} wsk_machine;
bool wsk_machine_psu_up(wsk_machine *machine); /* takes the next larger PSU; false: there is none */
int wsk_boxes(void);
bool wsk_box_holds(int box, const wsk_choice_card *card, int count);
const char *wsk_box_chassis(int box);
double wsk_machine_host_gb(const wsk_machine *machine);
/* Returns the machine as XML of a rig. Caller frees. */
char *wsk_machine_xml(const wsk_machine *machine, const wsk_ask *ask);
/* Returns XML of a rig with every part that a suggested machine can have, except the cards. The parts need not fit
 * together. Caller frees. */
char *wsk_machine_all_parts_xml(const wsk_ask *ask);

/* The result of judging a machine: good, or the first requirement that it fails. */
typedef enum {
    WSK_GOOD,
    WSK_BAD_FIT,    /* parts do not fit or have no price */
    WSK_BAD_ENGINE, /* the engine does not run on the cards, or cannot split the model over them */
    WSK_BAD_MEMORY, /* the model does not fit into the cards' memory */
    WSK_BAD_BUDGET,
    WSK_BAD_POWER, /* circuit or PSU is overloaded or may trip */
    WSK_BAD_HEAT,  /* a card throttles from heat or shuts down, or no steady point exists */
    WSK_BAD_NOISE,
    WSK_BAD_HOST, /* the host has too little memory to load the weights */
    WSK_BADS
} wsk_bad;
typedef struct {
    wsk_machine machine;
    /* spread: relative uncertainty of tokens_s; purchase, year_cost (electricity): in the currency of the budget;
     * wall_w: peak; circuit: peak load of the circuit divided by its limit */
    double tokens_s, spread, purchase, year_cost, noise_dba, wall_w, circuit;
    double card_price;    /* price of one card in the currency of the budget */
    bool psu_fails;       /* a PSU, UPS or power strip is overloaded or may trip, which no larger circuit mends */
    double power_limited; /* share of the time in which the power limit lowers a card's clock, largest of the cards */
    unsigned broken;      /* bit (1 << b) for each requirement b (wsk_bad) that the machine does not meet */
    double per_million;   /* cost of a million tokens: purchase and electricity over `years`, at full load all day */
} wsk_judged_machine;
/* Solves a machine's steady point and checks it against the requirements. sure: heat and circuit limits must hold with
 * a probability of 80 %. *out: the machine and its values, as far as they were computed before a requirement failed.
 * *code: WSK_OK, or another wsk_status if a message has been printed. */
wsk_bad wsk_suggest_judge(wsk_judged_machine *out, const wsk_machine *machine, const wsk_ask *ask, bool sure,
                          int *code);

/* All good machines, and how many failed each requirement. */
typedef struct {
    wsk_judged_machine *list;
    size_t count, looked_at;
    size_t bad[WSK_BADS];
    /* also keep machines that fail a requirement, if their parts fit together and the model fits into memory */
    bool all;
} wsk_field;
/* A solved machine, and the verdict on it for the budget of its first judgement. */
typedef struct {
    wsk_judged_machine judged;
    wsk_bad bad;
} wsk_solved_machine;
typedef struct {
    wsk_solved_machine *list;
    size_t count;
} wsk_solved_machines;
/* The machines solved so far, so that a judgement by another budget need not solve them again.
 * of[card * number of boxes + box]. Must start as {0}. */
typedef struct {
    wsk_solved_machines *of;
    size_t count;
} wsk_known;
void wsk_known_free(wsk_known *known);
/* Judges the machines on threads; the result does not depend on their number. out->all is set by the caller. WSK_OK, or
 * another wsk_status if a message has been printed. */
int wsk_judge_all(wsk_field *out, const wsk_choice_cards *cards, wsk_known *known, const wsk_ask *ask);

/* WSK_ANOTHER: least cost per token among the machines whose chip has won no other title. */
typedef enum { WSK_FASTEST, WSK_LEAST_TO_BUY, WSK_LEAST_PER_TOKEN, WSK_ANOTHER, WSK_TITLES } wsk_title;
enum { WSK_TOLD = 3 }; /* number of machines in the answer */
/* A machine of the answer: the best by `title`. also: bit (1 << t) for each further title t that this machine
 * won. */
typedef struct {
    wsk_title title;
    unsigned also;
    /* next: the best machine by `title` with another chip; NULL: there is none */
    const wsk_judged_machine *best, *next;
    /* the machine keeps its title while the price of one card, in the currency of the budget, is below this; NAN: no
     * such price */
    double holds_below;
} wsk_chosen;
/* Chooses the machines of the answer; returns their number. -1: a file could not be read, and a message has been
 * printed. */
int wsk_suggest_choose(wsk_chosen chosen[WSK_TOLD], wsk_field *field, const wsk_ask *ask);

/* relax.c: the machines that would meet all requirements if limits were relaxed, and are at least 5 % faster than
 * `than` tokens per second (0: of any speed). by[WSK_BAD_BUDGET, _POWER or _NOISE]: the machine that breaks only this
 * limit, and by the least; machine.count 0: there is none. */
typedef struct {
    wsk_judged_machine by[WSK_BADS];
    wsk_judged_machine together; /* the machine with the least sum of relative excesses over all limits */
} wsk_relaxed;
int wsk_suggest_relax(wsk_relaxed *out, const wsk_choice_cards *cards, wsk_known *known, const wsk_ask *ask,
                      double than);

/* Checks that writing the machines as rigs into `dir` replaces no file with other content. WSK_OK: it does not; else
 * another wsk_status, and a message has been printed. */
int wsk_suggest_check(const wsk_chosen *chosen, int count, const wsk_ask *ask, const char *dir);
int wsk_suggest_write(const wsk_chosen *chosen, int count, const wsk_ask *ask, const char *dir);
/* dir: folder into which the machines will be written; NULL: none */
int wsk_tell_text(const wsk_chosen *chosen, int count, const wsk_field *field, const wsk_choice_cards *cards,
                  const wsk_ask *ask, const wsk_relaxed *relaxed, const char *dir);
int wsk_tell_json(const wsk_chosen *chosen, int count, const wsk_field *field, const wsk_choice_cards *cards,
                  const wsk_ask *ask, const wsk_relaxed *relaxed);

#endif
