/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Suggests whole machines from the catalogue for a model and a budget. suggest.c: parses the options; cards.c: lists
 * the cards; machine.c: writes a machine as a rig; judge.c: solves it; choose.c: chooses the three machines of the
 * answer; relax.c: finds the limits that exclude other machines; tell.c: prints the answer. Begin with suggest.c.
 * docs/suggest.md lists what is considered. */
#ifndef WSK_CLI_SUGGEST_H
#define WSK_CLI_SUGGEST_H
#include "cli/kit/card.h"
#include "cli/kit/country.h"

typedef struct {
    /* attributes of the workload; NULL: its default is used */
    const char *model, *quant, *engine, *streams, *context;
    double budget, memory_gb, noise_dba, years;
    char currency[4];
    const wsk_cli_country *land;
    wsk_cli_socket socket; /* circuit of the machine; its `words` are a placeholder if the user gave --circuit */
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
    int psu_up; /* steps by which the PSU is larger than its load asks for, because it needs more plugs */
} wsk_machine;
bool wsk_machine_psu_up(wsk_machine *machine); /* takes the next larger PSU; false: there is none */
int wsk_boxes(void);
bool wsk_box_holds(int box, const wsk_choice_card *card, int count);
const char *wsk_box_chassis(int box);
double wsk_machine_host_gb(const wsk_machine *machine);
/* Returns the machine as XML of a rig. Caller frees. */
char *wsk_machine_xml(const wsk_machine *machine, const wsk_ask *ask);
/* Returns a rig with every part that machines of the question can have, except the cards. The parts need not fit
 * together. Caller frees. */
char *wsk_machine_all_parts_xml(const wsk_ask *ask);

/* The result of judging a machine: good, or the first requirement that it fails. */
typedef enum {
    WSK_GOOD,
    WSK_BAD_FIT,    /* the rig is invalid: parts do not fit, have no price, or cannot share the model evenly */
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
    /* spread: relative uncertainty of tokens_s; circuit: load / limit */
    double tokens_s, spread, purchase, year_cost, noise_dba, wall_w, circuit;
    double card_price;    /* price of one card in the currency of the budget */
    double power_limited; /* time in which the power limit lowers a card's clock / total time */
    unsigned broken;      /* bit (1 << b) for each requirement b (wsk_bad) that the machine does not meet */
    double per_million;   /* cost of a million tokens: purchase and electricity over `years`, at full load all day */
} wsk_judged_machine;
/* Solves a machine's steady point. sure: heat and circuit limits must hold with a probability of 80 %. *out: the
 * machine and its values, as far as they were found before it failed. *code: WSK_OK, or another wsk_status if a message
 * has been printed. */
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
/* A solved machine, and its verdict with the budget with which it was first judged. */
typedef struct {
    wsk_judged_machine judged;
    wsk_bad bad;
} wsk_solved_machine;
typedef struct {
    wsk_solved_machine *list;
    size_t count;
} wsk_solved_machines;
/* The machines solved so far, kept for a further question with another budget. of[card * number of boxes + box]. Must
 * start as {0}. */
typedef struct {
    wsk_solved_machines *of;
    size_t count;
} wsk_known;
void wsk_known_free(wsk_known *known);
/* Judges the machines on threads; the result does not depend on their number. out->all is set by the caller. WSK_OK, or
 * another wsk_status if a message has been printed. */
int wsk_judge_all(wsk_field *out, const wsk_choice_cards *cards, wsk_known *known, const wsk_ask *ask);

/* WSK_ANOTHER: the machine with the least cost per token among the chips that won no title. */
typedef enum { WSK_FASTEST, WSK_LEAST_TO_BUY, WSK_LEAST_PER_TOKEN, WSK_ANOTHER, WSK_TITLES } wsk_title;
enum { WSK_TOLD = 3 }; /* number of machines in the answer */
/* A machine of the answer: the best by `title`. also: bit (1 << t) for each further title t that this machine
 * won. */
typedef struct {
    wsk_title title;
    unsigned also;
    /* next: the best machine by `title` with another chip; NULL: there is none */
    const wsk_judged_machine *best, *next;
    /* the machine keeps its title while one of its cards costs less than this; NAN: no such price */
    double holds_below;
} wsk_chosen;
/* Chooses the machines of the answer; returns their number. -1: a file could not be read, and a message has been
 * printed. */
int wsk_suggest_choose(wsk_chosen chosen[WSK_TOLD], wsk_field *field, const wsk_ask *ask);

/* relax.c: which limits must be relaxed so that a machine meets all requirements, or is faster than `than` tokens/s.
 * by[WSK_BAD_BUDGET, _POWER or _NOISE]: the machine that breaks only this limit, and by the least; machine.count 0:
 * there is none. */
typedef struct {
    wsk_judged_machine by[WSK_BADS];
    wsk_judged_machine together; /* the machine that exceeds the limits least, by the sum of the relative excesses */
} wsk_relaxed;
int wsk_suggest_relax(wsk_relaxed *out, const wsk_choice_cards *cards, wsk_known *known, const wsk_ask *ask,
                      double than);

/* Checks that writing the machines as rigs into `dir` replaces no file with other content. Prints a message if not. */
int wsk_suggest_check(const wsk_chosen *chosen, int count, const wsk_ask *ask, const char *dir);
int wsk_suggest_write(const wsk_chosen *chosen, int count, const wsk_ask *ask, const char *dir);
/* dir: folder into which the machines will be written; NULL: none */
int wsk_tell_text(const wsk_chosen *chosen, int count, const wsk_field *field, const wsk_choice_cards *cards,
                  const wsk_ask *ask, const wsk_relaxed *relaxed, const char *dir);
int wsk_tell_json(const wsk_chosen *chosen, int count, const wsk_field *field, const wsk_choice_cards *cards,
                  const wsk_ask *ask, const wsk_relaxed *relaxed);

#endif
