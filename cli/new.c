/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wattsink new: a commented rig to start from, which runs as it is. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/xml.h"

static const char FAN[] = "fan/generic-120-1500", CPU[] = "cpu/xeon-w-2255";
static const struct {
    const char *part;
    int slots;
} chassis[] = {{"chassis/full-tower-8-slot", 8}, {"chassis/workstation-12-slot", 12}};
enum { CHASSIS = sizeof chassis / sizeof *chassis };

typedef struct {
    double tdp_w;
    int slots;
} need;

/* Power and width of a part, as the library resolves them. */
static int look_up(const char *part, const wsk_cli_rig_options *options, const char *parts, need *out)
{
    char *text = wsk_cli_format("<rig><chassis><gpu part=\"%s\" slot=\"1\"/></chassis></rig>", part);
    char *resolved = NULL, *error = NULL, *shown = NULL;
    wsk_rig *rig = NULL;
    wsk_status status = wsk_part_text(options->parts ? options->parts : parts, part, &shown, &error);
    if (status != WSK_OK && options->parts) {
        wsk_text_free(error);
        error = NULL;
        status = wsk_part_text(parts, part, &shown, &error);
    }
    if (status != WSK_OK) {
        wsk_cli_error("--gpu %s: %s", part,
                      error && *error ? error : "no such part; 'wattsink parts gpu' lists them");
    } else {
        status = wsk_rig_load(&rig, &(wsk_rig_options){.path = "-",
                                                       .text = text,
                                                       .text_len = strlen(text),
                                                       .parts_dir = parts,
                                                       .extra_parts_dir = options->parts});
        if (status == WSK_OK)
            status = wsk_rig_resolved(rig, &resolved);
        if (status != WSK_OK)
            wsk_cli_error("--gpu %s is not a card that can be used as it is", part);
    }
    if (status == WSK_OK) {
        double slots = wsk_xml_sum(resolved, "gpu", "slots");
        out->tdp_w = wsk_xml_sum(resolved, "gpu", "tdp");
        out->slots = slots >= 1 ? (int)slots : 2;
    }
    wsk_text_free(resolved);
    wsk_text_free(shown);
    wsk_text_free(error);
    wsk_rig_free(rig);
    free(text);
    return (int)status;
}

/* The smallest tier PSU that has a quarter of its rating to spare; 0: none is large enough. */
static int psu_rating(double load_w)
{
    static const int ratings[] = {850, 1000, 1200, 1600};
    for (size_t i = 0; i < sizeof ratings / sizeof *ratings; i++)
        if (load_w * 1.25 <= ratings[i])
            return ratings[i];
    return 0;
}

static void write_rig(FILE *out, int box, int count, const char *part, const need *card)
{
    enum { REST_W = 200, LARGEST_W = 1600 };
    int step = count > 1 ? (chassis[box].slots - card->slots) / (count - 1) : 1;
    double load = count * card->tdp_w + REST_W, limit = card->tdp_w;
    int rating = psu_rating(load);
    /* Cards that no single supply feeds get a limit instead, rounded down to 10 W. */
    if (!rating) {
        rating = LARGEST_W;
        limit = floor((rating / 1.25 - REST_W) / count / 10) * 10;
    }
    fprintf(
        out,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<!-- A rig for wattsink. Check it with 'wattsink check', run it with 'wattsink run'.\n"
        "     Every value carries its unit; any usual one is understood. 'wattsink kinds' lists what may be set,\n"
        "     'wattsink parts' what may be named after part=. -->\n");
    fprintf(out, "<rig name=\"%d x %s\">\n", count, strchr(part, '/') ? strchr(part, '/') + 1 : part);
    double peak = count * limit + REST_W;
    bool us = peak * 1.1 <= 1440;
    fprintf(out, "  <!-- The socket: %s. -->\n",
            us ? "15 A at 120 V carry 1440 W all day"
               : "16 A at 230 V; a 120 V, 15 A circuit carries 1440 W all day");
    fprintf(out, "  <site supply=\"%s\" circuit=\"%s\">\n", us ? "120 V" : "230 V", us ? "15 A" : "16 A");
    fprintf(out,
            "    <!-- What the rig's heat goes into. Leave the air conditioner out if there is none. -->\n"
            "    <room volume=\"30 m3\" conductance=\"40 W/K\">\n"
            "      <outdoor mean=\"20 degC\" swing=\"5 K\"/>\n"
            "      <air-conditioner capacity=\"%.1f kW\" setpoint=\"26 degC\"/>\n"
            "    </room>\n",
            ceil(peak * 1.5 / 500) * 0.5);
    fprintf(out, "    <tariff kind=\"flat\" price=\"0.16 USD/kWh\"/>\n"
                 "    <carbon intensity=\"0.369 kg/kWh\"/>\n"
                 "  </site>\n");
    fprintf(out,
            "  <chassis part=\"%s\">\n"
            "    <fan part=\"%s\" at=\"front\" count=\"3\"/>\n"
            "    <fan part=\"%s\" at=\"rear\"/>\n"
            "    <psu part=\"psu/tier-gold-%d\"/>\n"
            "    <cpu part=\"%s\"/>\n",
            chassis[box].part, FAN, FAN, rating, CPU);
    fprintf(out,
            "    <!-- One element a card; slots count from the CPU down. The gap to the next card decides how well\n"
            "         an open-air card breathes. power-limit=\"...\" is what nvidia-smi -pl sets. -->\n");
    for (int i = 0; i < count; i++) {
        fprintf(out, "    <gpu part=\"%s\" slot=\"%d\"", part, 1 + i * step);
        if (limit < card->tdp_w)
            fprintf(out, " power-limit=\"%.0f W\"", limit);
        fputs("/>\n", out);
    }
    fprintf(out, "  </chassis>\n"
                 "  <!-- kind=\"constant\" for independent work; class: burn, training, prefill, decode, moe-decode, "
                 "stream, idle. -->\n"
                 "  <workload kind=\"training\" class=\"training\" gpus=\"all\" checkpoint-every=\"1 h\" "
                 "checkpoint-takes=\"90 s\"/>\n"
                 "  <run for=\"7 d\" step=\"1 s\"/>\n"
                 "</rig>\n");
}

static int make(const char *count_text, const char *part, const char *file, const wsk_cli_rig_options *options)
{
    const char *end;
    double count = wsk_cli_number(count_text, &end);
    if (*end || !(count >= 1 && count <= 64) || count != floor(count))
        return wsk_cli_usage(&wsk_cli_new, "--gpus '%s': expected a whole number from 1", count_text);
    if (part[strcspn(part, "<>&\"'")])
        return wsk_cli_usage(&wsk_cli_new, "--gpu '%s': expected the id of a part", part);
    char *parts = wsk_cli_parts_dir(options->parts);
    need card = {0};
    int code = look_up(part, options, parts, &card);
    free(parts);
    if (code != WSK_OK)
        return code;
    int box = 0;
    while (box < CHASSIS && count * card.slots > chassis[box].slots)
        box++;
    if (box == CHASSIS) {
        box--;
        wsk_cli_error("%.0f cards of %d slots do not fit the %d slots of %s: %d at most", count, card.slots,
                      chassis[box].slots, chassis[box].part, chassis[box].slots / card.slots);
        return WSK_EINPUT;
    }
    if (!file) {
        write_rig(stdout, box, (int)count, part, &card);
        return WSK_OK;
    }
    FILE *out = fopen(file, "wx");
    if (!out) {
        wsk_cli_error("cannot make %s: it exists, or its folder does not", file);
        return WSK_ERUN;
    }
    write_rig(out, box, (int)count, part, &card);
    bool ok = !ferror(out);
    ok = fclose(out) == 0 && ok;
    if (!ok)
        wsk_cli_error("cannot write %s", file);
    return ok ? WSK_OK : WSK_ERUN;
}

static int main_new(int argc, char **argv)
{
    const char *count = "1", *part = "gpu/rtx-3090-blower", *file = NULL;
    wsk_cli_rig_options rig = {0};
    wsk_cli_list words = {0};
    const wsk_cli_option options[] = {{.name = "gpus", .value = &count},
                                      {.name = "gpu", .value = &part},
                                      {.name = "out", .letter = 'o', .value = &file},
                                      {.name = "parts", .value = &rig.parts},
                                      {.name = NULL}};
    int code = wsk_cli_parse(&wsk_cli_new, argc, argv, options, &words);
    if (code != WSK_OK)
        code = code < 0 ? WSK_OK : code;
    else if (words.count)
        code = wsk_cli_usage(&wsk_cli_new, "'%s': the file goes after -o", words.items[0]);
    else
        code = make(count, part, file, &rig);
    free(words.items);
    return code;
}

const wsk_cli_command wsk_cli_new = {
    .name = "new",
    .usage = "[--gpus N] [--gpu PART] [-o FILE]",
    .summary = "write a commented rig to start from, which runs as it is",
    .options = "  --gpus N            how many cards (default 1)\n"
               "  --gpu PART          which card (default gpu/rtx-3090-blower); 'wattsink parts gpu' lists them\n"
               "  -o FILE             write there, not to standard output; never over an existing file\n"
               "  --parts DIR         your own parts, searched before the catalogue\n",
    .example = "wattsink new --gpus 4 --gpu gpu/rtx-3090-blower > rig.xml",
    .run = main_new};
