/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/kit/card.h"
#include "cli/kit/country.h"
#include "cli/kit/shell.h"

static const char FAN[] = "fan/generic-120-1500", CPU[] = "cpu/xeon-w-2255", SERVER_CPU[] = "cpu/epyc-9354",
                  PLATE[] = "cooler/cold-plate-sxm-full";
static const struct {
    const char *part;
    int slots; /* number of slots or SXM modules; for an open frame: the most cards that it holds */
    wsk_cli_mount place;
    bool risers;   /* true for an open frame: each card hangs at a place of a rail, connected by a riser */
    double rest_w; /* power of processor, board and fans at full speed, W */
} chassis[] = {{"chassis/full-tower-8-slot", 8, WSK_CLI_IN_SLOT, false, 200},
               {"chassis/workstation-12-slot", 12, WSK_CLI_IN_SLOT, false, 200},
               {"chassis/mining-frame-8", 12, WSK_CLI_IN_SLOT, true, 200},
               {"chassis/server-4u-8gpu", 20, WSK_CLI_IN_DUCT, false, 600},
               {"chassis/server-8u-hgx", 8, WSK_CLI_AS_MODULE, false, 1150},
               {"chassis/server-10u-hgx-b200", 8, WSK_CLI_AS_MODULE, false, 1370},
               {"chassis/nvl72-tray", 4, WSK_CLI_ON_PLATE, false, 800},
               {"chassis/server-4u-sxm-liquid", 8, WSK_CLI_ON_PLATE, false, 800}};
/* Rail of an open frame. rail_mm: pitch of its places; up to four cards use every other place. long_rail_mm: pitch of
 * the cards on the longer rail that five or more cards get. */
static const double rail_mm = 75, long_rail_mm = 100;
/* share of their work that the cards may lose to heat; if they lose more, further chassis are tried */
static const double little_heat = 0.02;
enum { CHASSIS = sizeof chassis / sizeof *chassis, GPUS_MAX = 64 };
enum { SUPPLY_W = 1600 };
static const char SUPPLY[] = "psu/tier-gold-1600";
static int look_up(const char *part, const wsk_cli_rig_options *options, const char *parts, wsk_cli_need *out)
{
    char *text = wsk_cli_format("<rig><chassis card-length=\"2 m\"><psu part=\"%s\"/><gpu part=\"%s\" slot=\"1\"/>"
                                "</chassis></rig>",
                                SUPPLY, part);
    const wsk_elements *list = NULL;
    wsk_rig *rig = NULL;
    int code;
    wsk_findings *shown = wsk_cli_part("wattsink: --gpu: ", options->parts, parts, part, &code);
    wsk_status status = (wsk_status)code;
    if (shown) {
        status = wsk_rig_load(&rig, &(wsk_rig_options){.path = "-",
                                                       .text = text,
                                                       .text_len = strlen(text),
                                                       .parts_dir = parts,
                                                       .extra_parts_dir = options->parts});
        if (status == WSK_OK)
            status = wsk_rig_elements(rig, &list);
        if (status == WSK_ERUN)
            wsk_cli_print_messages(rig, options, 0);
        else if (status != WSK_OK)
            wsk_cli_error(T_("--gpu %s is not a card that can be used as it is"), part);
    }
    if (status == WSK_OK)
        *out = wsk_cli_card_needs(list);
    wsk_elements_free(list);
    wsk_findings_free(shown);
    wsk_rig_free(rig);
    free(text);
    return (int)status;
}

typedef struct {
    int rating_w, units;
    double limit_w;
} supply;

/* Chooses the PSUs. Their rating is at least 1.25 times the load. If one PSU of SUPPLY_W is too small, a lower power
 * limit of the cards is preferred to several PSUs, if it is at least 0.7 times the TDP and the card allows it. Several
 * PSUs are made redundant, since only redundant PSUs share a load here; so they must carry it with one PSU lost. */
static supply choose_supply(int count, const wsk_cli_need *card, double rest_w)
{
    static const int ratings[] = {850, 1000, 1200, SUPPLY_W};
    const double spare = 1.25, little = 0.7,
                 uneven = 1.05; /* uneven: a redundant PSU may carry 5 % above its share */
    const double load_w = count * card->tdp_w + rest_w, wanted_w = load_w * spare;
    for (size_t i = 0; i < sizeof ratings / sizeof *ratings; i++)
        if (wanted_w <= ratings[i])
            return (supply){ratings[i], 1, card->tdp_w};
    double limit_w = floor((SUPPLY_W / spare - rest_w) / count / 10) * 10;
    if (limit_w >= fmax(card->limit_min_w, little * card->tdp_w))
        return (supply){SUPPLY_W, 1, limit_w};
    return (supply){SUPPLY_W, (int)fmax(ceil(wanted_w / SUPPLY_W), 1 + ceil(uneven * load_w / SUPPLY_W)),
                    card->tdp_w};
}

static void write_supply(FILE *out, const supply *s)
{
    if (s->units > 1)
        fprintf(out, "    <!-- %d PSUs that share the load; one of them may fail. -->\n", s->units);
    for (int i = 0; i < s->units; i++)
        fprintf(out, "    <psu part=\"psu/tier-gold-%d\"%s/>\n", s->rating_w,
                s->units > 1 ? " redundant=\"yes\"" : "");
}

typedef struct {
    int count;
    const char *part;
    wsk_cli_need card;
    const wsk_cli_country *land;
} order;

static void write_rig(FILE *out, int box, const order *o)
{
    const int count = o->count;
    const char *part = o->part;
    const wsk_cli_need *card = &o->card;
    bool risers = chassis[box].risers, apart = count <= 4, plated = card->place == WSK_CLI_ON_PLATE;
    int step = risers ? 1 + apart : count > 1 ? (chassis[box].slots - card->slots) / (count - 1) : 1;
    supply psu = choose_supply(count, card, chassis[box].rest_w);
    fprintf(
        out,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<!-- A rig for wattsink. Check it with 'wattsink check', run it with 'wattsink run'.\n"
        "     Every value carries its unit; any usual one is understood. 'wattsink kinds' lists what may be set,\n"
        "     'wattsink parts' what may be named after part=. -->\n");
    fprintf(out, "<rig name=\"%d x %s\">\n", count, strchr(part, '/') ? strchr(part, '/') + 1 : part);
    const double load_w = count * psu.limit_w + chassis[box].rest_w;
    wsk_cli_write_site(out, o->land, wsk_cli_choose_socket(o->land, load_w), load_w);
    if (risers && apart)
        fprintf(
            out,
            "  <!-- An open frame: in a case these cards would heat each other. They hang on risers, at every other\n"
            "       place of the rail. -->\n"
            "  <chassis part=\"%s\">\n",
            chassis[box].part);
    else if (risers)
        fprintf(out,
                "  <!-- An open frame: in a case these cards would heat each other. They hang on risers, %.0f mm "
                "from one\n"
                "       to the next. -->\n"
                "  <chassis part=\"%s\" slots=\"%d\" pitch=\"%.0f mm\">\n",
                long_rail_mm, chassis[box].part, count, long_rail_mm);
    else
        fprintf(out, "%s  <chassis part=\"%s\">\n",
                plated                           ? "  <!-- These cards are sold for cold plates only. -->\n"
                : card->place == WSK_CLI_IN_SLOT ? ""
                                                 : "  <!-- A server whose own fans drive the cards' air. -->\n",
                chassis[box].part);
    if (card->place == WSK_CLI_IN_SLOT && !risers)
        fprintf(out,
                "    <fan part=\"%s\" at=\"front\" count=\"3\"/>\n"
                "    <fan part=\"%s\" at=\"rear\"/>\n",
                FAN, FAN);
    write_supply(out, &psu);
    fprintf(out, "    <cpu part=\"%s\"/>\n", card->place == WSK_CLI_IN_SLOT ? CPU : SERVER_CPU);
    if (plated)
        fprintf(out, "    <!-- The coolant carries the cards' heat to the water of the facility. -->\n"
                     "    <loop part=\"loop/facility-cdu\"/>\n");
    fprintf(out,
            "    <!-- One element a card; %s\n"
            "         %spower-limit=\"...\" is %s. -->\n",
            risers ? "riser=\"...\" is the free air under its fans, which decides how well"
            : card->place == WSK_CLI_IN_SLOT
                ? "slots count from the CPU down. The gap to the next card decides how well"
            : plated ? "their plates share the coolant of the loop."
                     : "they share the air that the fan wall drives.",
            risers || card->place == WSK_CLI_IN_SLOT ? "an open-air card breathes. " : "", card->limited_by);
    for (int i = 0; i < count; i++) {
        fprintf(out, "    <gpu part=\"%s\" slot=\"%d\"", part, 1 + i * step);
        if (risers)
            fprintf(out, " riser=\"%.0f mm\"", floor((apart ? 2 * rail_mm : long_rail_mm) - card->thick_mm));
        if (psu.limit_w < card->tdp_w)
            fprintf(out, " power-limit=\"%.0f W\"", psu.limit_w);
        fprintf(out, plated ? "><cooler part=\"%s\"/></gpu>\n" : "/>\n", PLATE);
    }
    fprintf(out, "  </chassis>\n"
                 "  <!-- kind=\"constant\" for independent work; class: burn, training, prefill, decode, moe-decode, "
                 "stream, idle. -->\n"
                 "  <workload kind=\"training\" class=\"training\" gpus=\"all\" checkpoint-every=\"1 h\" "
                 "checkpoint-takes=\"90 s\"/>\n"
                 "  <run for=\"7 d\" step=\"1 s\"/>\n"
                 "</rig>\n");
}

static int write_file(const char *file, const char *text)
{
    FILE *out = fopen(file, "wx");
    if (!out) {
        if (errno == EEXIST)
            wsk_cli_error(
                T_("cannot make %s: it exists already, and new writes over no file; expected another name after -o"),
                file);
        else
            wsk_cli_error(T_("cannot make %s: %s"), file, T_(strerror(errno)));
        return WSK_ERUN;
    }
    /* The stream gets this buffer so that it need not allocate one: writing cannot run out of memory. */
    char buffer[BUFSIZ];
    setvbuf(out, buffer, _IOFBF, sizeof buffer);
    bool ok = fputs(text, out) >= 0 && fflush(out) == 0;
    int why = errno;
    if (fclose(out) != 0 && ok)
        ok = false, why = errno;
    if (!ok) {
        wsk_cli_error(T_("cannot write %s: %s"), file, T_(strerror(why)));
        unlink(file); /* deletes a partial file, because the next attempt would refuse to overwrite it */
    }
    return ok ? WSK_OK : WSK_ERUN;
}

static char *rig_text(int box, const order *o)
{
    char *text = NULL;
    size_t len;
    FILE *out = wsk_cli_text(&text, &len);
    write_rig(out, box, o);
    wsk_cli_check_memory(fclose(out) == 0);
    return text;
}

/* Share of the work that the cards lose to heat at the rig's steady point, 0 to 1; 1 if the share is not known. NAN,
 * after printing messages: a file of the rig or its parts could not be read. */
static double lost_to_heat(const char *text, const wsk_cli_rig_options *options, const char *parts)
{
    wsk_rig *rig = NULL;
    wsk_summary *summary = NULL;
    double lost = NAN;
    wsk_status status = wsk_rig_load(&rig, &(wsk_rig_options){.path = "-",
                                                              .text = text,
                                                              .text_len = strlen(text),
                                                              .parts_dir = parts,
                                                              .extra_parts_dir = options->parts});
    if (status == WSK_OK && wsk_steady_summary(&summary, rig, WSK_STEPPER_FAST, 0, NULL) == WSK_OK)
        lost = wsk_summary_number(summary, WSK_R_LOST, 0);
    if (status == WSK_ERUN)
        wsk_cli_print_messages(rig, options, 0);
    wsk_summary_free(summary);
    wsk_rig_free(rig);
    return status != WSK_ERUN && isnan(lost) ? 1 : lost;
}

/* An open frame keeps cards apart, so it is for several. */
static bool fits(int box, int count, const wsk_cli_need *card)
{
    if (chassis[box].risers && count == 1)
        return false;
    return chassis[box].place == card->place && count * (chassis[box].risers ? 1 : card->slots) <= chassis[box].slots;
}

/* Returns the first chassis in which the cards lose at most little_heat, else the chassis in which they lose least.
 * NULL: no chassis holds the cards, or *code is WSK_ERUN and messages were printed. Caller frees. */
static char *choose_rig(const order *o, const wsk_cli_rig_options *options, const char *parts, int *box_chosen,
                        int *code)
{
    char *best = NULL;
    double least = INFINITY;
    for (int box = 0; box < CHASSIS && least > little_heat; box++) {
        if (!fits(box, o->count, &o->card))
            continue;
        char *text = rig_text(box, o);
        double lost = lost_to_heat(text, options, parts);
        if (isnan(lost)) {
            *code = WSK_ERUN;
            free(text);
            free(best);
            return NULL;
        }
        if (lost < least) {
            free(best);
            best = text;
            least = lost;
            *box_chosen = box;
        } else {
            free(text);
        }
    }
    return best;
}

static int too_many(int count, const wsk_cli_need *card)
{
    int box = CHASSIS - 1;
    while (chassis[box].place != card->place)
        box--;
    if (chassis[box].risers)
        wsk_cli_error(T_("%d cards are more than the %d places of %s"), count, chassis[box].slots, chassis[box].part);
    else
        wsk_cli_error(T_("%1$s takes at most %2$d of these %3$d-slot cards, not %4$d"), chassis[box].part,
                      chassis[box].slots / card->slots, card->slots, count);
    return WSK_EINPUT;
}

static char *choice_text(const order *o, int box, const char *file)
{
    char *text = NULL;
    size_t len;
    FILE *out = wsk_cli_text(&text, &len);
    const supply psu = choose_supply(o->count, &o->card, chassis[box].rest_w);
    const wsk_cli_socket *s = wsk_cli_choose_socket(o->land, o->count * psu.limit_w + chassis[box].rest_w);
    wsk_cli_say(out, T_("%1$s: %2$d x %3$s in %4$s, %5$d x psu/tier-gold-%6$d, %7$s at %8$s.\n"), file, o->count,
                o->part, chassis[box].part, psu.units, psu.rating_w, s->circuit, s->supply);
    if (psu.limit_w < o->card.tdp_w)
        wsk_cli_say(out, T_("The cards are limited to %1$.0f W (default %2$.0f W), so that one PSU feeds them.\n"),
                    psu.limit_w, o->card.tdp_w);
    if (!*o->land->code)
        wsk_cli_say(out, T_("Room, electricity and carbon are examples: --country gives those of a country.\n"));
    char *word = wsk_cli_shell_word(file);
    wsk_cli_say(out, T_("Next: wattsink check %1$s, then wattsink run %1$s\n"), word);
    free(word);
    wsk_cli_check_memory(fclose(out) == 0);
    return text;
}

/* Writes the file, then prints the choice. The text to print and its buffer are made before the file, because a program
 * that ended for lack of memory would leave the file, and the same command would refuse to overwrite it. */
static int write_and_tell(const order *o, int box, const char *file, const char *text)
{
    static char buffer[BUFSIZ];
    char *told = choice_text(o, box, file);
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    int code = write_file(file, text);
    if (code == WSK_OK && (fputs(told, stdout) < 0 || fflush(stdout) != 0)) {
        unlink(file); /* removes the file, so that the same command can be given again */
        code = WSK_ERUN;
    }
    free(told);
    return code;
}

static int make(const char *count_text, const char *part, const char *file, const char *code_of_country,
                const wsk_cli_rig_options *options)
{
    const char *end;
    const wsk_cli_country *land = wsk_cli_find_country(&wsk_cli_new, code_of_country);
    if (!land)
        return WSK_EUSAGE;
    double count = wsk_number_at(count_text, &end);
    if (*end || !(count >= 1 && count <= GPUS_MAX) || count != floor(count))
        return wsk_cli_usage(&wsk_cli_new, T_("--gpus '%s': expected a whole number from 1 to %d"), count_text,
                             GPUS_MAX);
    if (part[strcspn(part, "<>&\"'")])
        return wsk_cli_usage(&wsk_cli_new, T_("--gpu '%s': expected the id of a part"), part);
    char *parts = wsk_cli_parts_dir(options->parts),
         *id = wsk_cli_format("%s%s", strchr(part, '/') ? "" : "gpu/", part);
    order o = {.count = (int)count, .part = id, .land = land};
    int box = 0, code = look_up(id, options, parts, &o.card);
    if (code == WSK_OK && o.card.place == WSK_CLI_SOLDERED) {
        wsk_cli_error(T_("%s is sold inside a machine only; scenarios/desk-machines has rigs to start from"), id);
        code = WSK_EINPUT;
    }
    char *text = code == WSK_OK ? choose_rig(&o, options, parts, &box, &code) : NULL;
    if (code == WSK_OK && !text)
        code = too_many(o.count, &o.card);
    else if (text && file)
        code = write_and_tell(&o, box, file, text);
    else if (text && !file)
        fputs(text, stdout);
    free(text);
    free(id);
    free(parts);
    return code;
}

static int main_new(int argc, char **argv)
{
    const char *count = "1", *part = "gpu/rtx-3090-blower", *file = NULL, *land = "";
    wsk_cli_rig_options rig = {0};
    wsk_cli_list words = {0};
    const wsk_cli_option options[] = {
        {.name = "gpus", .value = &count},      {.name = "gpu", .value = &part},
        {.name = "country", .value = &land},    {.name = "out", .letter = 'o', .value = &file},
        {.name = "parts", .value = &rig.parts}, {.name = NULL}};
    int code = wsk_cli_parse(&wsk_cli_new, argc, argv, options, &words);
    if (code != WSK_OK)
        code = code < 0 ? WSK_OK : code;
    else if (words.count)
        code = wsk_cli_usage(&wsk_cli_new, T_("'%s': the file goes after -o"), words.items[0]);
    else
        code = make(count, part, file, land, &rig);
    free(words.items);
    return code;
}

const wsk_cli_command wsk_cli_new = {
    .name = "new",
    .usage = "[--gpus N] [--gpu PART] [-o FILE]",
    .summary = N_("write a commented rig to start from, which runs as it is"),
    .options =
        N_("  --gpus N            how many cards (default 1)\n"
           "  --gpu PART          which card (default gpu/rtx-3090-blower); 'wattsink parts gpu' lists them\n"
           "  --country CODE      one of us, jp, de, fr, it, dk, gb; mains, price and carbon of electricity, summer\n"
           "  -o FILE             write there, not to standard output; never over an existing file\n"
           "  --parts DIR         your own parts, searched before the catalogue\n"),
    .example = "wattsink new --gpus 4 --gpu gpu/rtx-3090-blower > rig.xml",
    .run = main_new};
