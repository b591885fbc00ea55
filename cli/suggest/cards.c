/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/kit/rig.h"
#include "cli/suggest/suggest.h"

static void read_price(wsk_choice_card *c, const wsk_elements *rig, int gpu)
{
    const wsk_attribute *a = wsk_elements_attribute(rig, gpu, "price");
    const char *date = wsk_elements_text(rig, gpu, "price-date");
    c->price = a ? a->value : NAN;
    snprintf(c->currency, sizeof c->currency, "%s", a ? a->unit : "");
    snprintf(c->dated, sizeof c->dated, "%.10s", date ? date : "");
}

static void read_card(wsk_choice_cards *all, const wsk_elements *rig, const char *id, const char *title)
{
    const int gpu = wsk_elements_next(rig, "gpu", -1, -1);
    wsk_choice_card c = {.need = wsk_cli_card_needs(rig), .memory_gb = wsk_elements_number(rig, gpu, "memory")};
    read_price(&c, rig, gpu);
    if (c.need.place != WSK_CLI_IN_SLOT && c.need.place != WSK_CLI_IN_DUCT) {
        all->modules++;
    } else if (isnan(c.price)) {
        wsk_cli_push(&all->unpriced, wsk_cli_format("%s", id));
    } else if (isnan(c.memory_gb) || isnan(c.need.tdp_w)) {
        all->unusable++;
    } else {
        c.id = wsk_cli_format("%s", id);
        c.title = wsk_cli_format("%s", title);
        all->list[all->count++] = c;
    }
}

wsk_status wsk_suggest_load(wsk_rig **rig, const char *text, const wsk_ask *ask, const wsk_cli_list *sets)
{
    return wsk_rig_load(rig, &(wsk_rig_options){.path = "-",
                                                .text = text,
                                                .text_len = strlen(text),
                                                .files_of = ask->held,
                                                .parts_dir = ask->parts,
                                                .extra_parts_dir = ask->options.parts,
                                                .prices = ask->options.prices,
                                                .exchanges = ask->options.exchanges.items,
                                                .exchange_count = ask->options.exchanges.count,
                                                .sets = sets ? sets->items : NULL,
                                                .set_count = sets ? sets->count : 0});
}

wsk_status wsk_suggest_refusal(const wsk_rig *rig, wsk_status status, const wsk_ask *ask)
{
    wsk_cli_check_memory(status != WSK_ENOMEM);
    if (!rig || (status != WSK_ERUN && (status != WSK_EINPUT || !wsk_rig_has_bad_files(rig))))
        return WSK_OK;
    if (!ask->quiet)
        wsk_cli_tell_refusal(rig, &ask->options, 0);
    return status;
}

wsk_status wsk_suggest_hold(wsk_ask *ask)
{
    wsk_rig *all = NULL;
    /* of the files that this rig reads, only the list of prices can have mistakes */
    wsk_status status = wsk_suggest_load(&ask->held, "<rig><chassis/></rig>", ask, NULL);
    if (status != WSK_OK) {
        wsk_cli_check_memory(status != WSK_ENOMEM);
        wsk_cli_tell_refusal(ask->held, &ask->options, 0);
        return status;
    }
    char *text = wsk_machine_all_parts_xml(ask);
    status = wsk_suggest_load(&all, text, ask, NULL);
    status = wsk_suggest_refusal(all, status, ask);
    wsk_rig_free(all);
    free(text);
    return status;
}

/* Adds a card to the lists. Loads it in a rig whose chassis and PSU are large, so that only the card can be invalid. */
static wsk_status look_up(wsk_choice_cards *all, const wsk_ask *ask, const char *id, const char *title)
{
    char *text = wsk_cli_format("<rig><chassis card-length=\"2 m\"><psu part=\"psu/tier-gold-1600\"/>"
                                "<gpu part=\"%s\" slot=\"1\"/></chassis></rig>",
                                id);
    const wsk_elements *list = NULL;
    wsk_rig *rig = NULL;
    wsk_status status = wsk_suggest_load(&rig, text, ask, NULL);
    if (status == WSK_OK)
        status = wsk_rig_elements(rig, &list);
    if (status == WSK_OK)
        read_card(all, list, id, title);
    else if ((status = wsk_suggest_refusal(rig, status, ask)) == WSK_OK)
        all->unusable++;
    wsk_elements_free(list);
    wsk_rig_free(rig);
    free(text);
    return status;
}

/* The generic card and the cards with "(class value" in their title are no products that can be bought. */
static bool is_product(const char *id, const char *title)
{
    return strcmp(id, "gpu/generic") != 0 && !strstr(title, "(class value");
}

int wsk_list_cards(wsk_choice_cards *out, const wsk_ask *ask)
{
    char *text = NULL;
    size_t lines = 0;
    *out = (wsk_choice_cards){0};
    wsk_status status = wsk_rig_parts_text(ask->held, "gpu", &text);
    wsk_cli_check_memory(status != WSK_ENOMEM);
    if (status != WSK_OK) {
        wsk_cli_error("%s", text);
    } else if (!*text) {
        wsk_cli_error(T_("there are no cards in %s/gpu"), ask->parts);
        status = WSK_EINPUT;
    }
    for (const char *p = text; p && *p; p++)
        lines += *p == '\n';
    out->list = wsk_cli_alloc((lines + 1) * sizeof *out->list);
    for (char *line = text, *end; status == WSK_OK && line && (end = strchr(line, '\n')); line = end + 1) {
        *end = '\0';
        const size_t len = strcspn(line, " ");
        const char *title = line + len + strspn(line + len, " ");
        line[len] = '\0';
        if (strncmp(line, "gpu/", 4) == 0 && is_product(line, title))
            status = look_up(out, ask, line, title);
    }
    wsk_text_free(text);
    return (int)status;
}

void wsk_free_cards(wsk_choice_cards *cards)
{
    for (size_t i = 0; i < cards->count; i++) {
        free(cards->list[i].id);
        free(cards->list[i].title);
    }
    free(cards->list);
    wsk_cli_list_free(&cards->unpriced, 0);
}
