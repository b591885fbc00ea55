/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "cli/kit/cli.h"

static int write_to(const char *path, const char *text)
{
    if (!path) {
        fputs(text, stdout);
        return WSK_OK;
    }
    return wsk_cli_write_path(path, text, strlen(text)) ? WSK_OK : WSK_ERUN;
}

static int export_rig(const wsk_rig *rig, const char *name, wsk_export_format format, double replay_s,
                      const char *path)
{
    char *text = NULL;
    const wsk_voice voice = wsk_cli_voice();
    int code = (int)wsk_rig_export_page(rig, format, replay_s, &voice, &text);
    if (code == WSK_OK)
        code = write_to(path, text);
    else if (code == WSK_EUSAGE)
        wsk_cli_error(T_("--replay records a day at most"));
    else
        wsk_cli_error(T_("%s: nothing to export: %s"), name,
                      text && *text ? text : T_(wsk_status_text((wsk_status)code)));
    wsk_text_free(text);
    return code;
}

static int main_export(int argc, char **argv)
{
    wsk_cli_rig_options rig_options = {0};
    wsk_cli_list words = {0};
    const char *path = NULL, *replay = NULL;
    bool spice = false, json = false, quiet = false;
    const wsk_cli_option options[] = {{.name = "spice", .flag = &spice},
                                      {.name = "json", .flag = &json},
                                      {.name = "replay", .value = &replay},
                                      {.name = "out", .letter = 'o', .value = &path},
                                      {.name = "quiet", .letter = 'q', .flag = &quiet},
                                      WSK_CLI_RIG_OPTIONS(rig_options),
                                      {.name = NULL}};
    int code = wsk_cli_parse(&wsk_cli_export, argc, argv, options, &words);
    if (code != WSK_OK) {
        code = code < 0 ? WSK_OK : code;
    } else if (words.count != 1) {
        code = wsk_cli_one_rig(&wsk_cli_export, &words);
    } else if (spice == json) {
        code = wsk_cli_usage(&wsk_cli_export, T_("as --spice or as --json?"));
    } else if (path && wsk_cli_same_file(path, words.items[0])) {
        code = wsk_cli_usage(&wsk_cli_export, T_("-o %s is the rig itself; expected another file"), path);
    } else {
        char *set = wsk_cli_set_by(&rig_options, "--replay", "run.for", replay);
        wsk_rig *rig = wsk_cli_load(words.items[0], &rig_options, quiet ? 0 : 1, &code);
        if (rig)
            code = export_rig(rig, words.items[0], json ? WSK_EXPORT_JSON : WSK_EXPORT_SPICE,
                              replay ? wsk_rig_duration(rig) : 0, path);
        wsk_rig_free(rig);
        free(set);
    }
    free(rig_options.sets.items);
    free(words.items);
    return code;
}

const wsk_cli_command wsk_cli_export = {
    .name = "export",
    .usage = "RIG.xml --spice|--json [--replay 10min] [-o FILE]",
    .summary = N_("the compiled heat network for other solvers"),
    .options =
        N_("  --spice             a netlist for ngspice: 1 V = 1 K, amperes are watts\n"
           "  --json              the same as lists: nodes with capacities and watts, terms with conductances\n"
           "  --replay 10min      every step from the start, a day at most, instead of the steady point\n"
           "  -o FILE             write there, not to standard output\n"
           "  --set PATH=VALUE    change a value\n"
           "  -q, --quiet         no warnings\n"
           "  --parts DIR         your own parts, searched before the catalogue\n"
           "  --data DIR          data files, instead of the rig's folder\n"),
    .example = "wattsink export scenarios/quad-3090-blower/rig.xml --spice -o rig.cir",
    .run = main_export};
