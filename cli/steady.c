/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "cli/kit/cases.h"

static int main_steady(int argc, char **argv)
{
    wsk_cli_rig_options rig_options = {.threads = wsk_cli_cores()};
    wsk_cli_list words = {0};
    const char *stepper_name = NULL;
    bool json = false, quiet = false;
    const wsk_cli_option options[] = {{.name = "json", .flag = &json},
                                      {.name = "stepper", .value = &stepper_name},
                                      {.name = "quiet", .letter = 'q', .flag = &quiet},
                                      WSK_CLI_RIG_OPTIONS(rig_options),
                                      {.name = NULL}};
    wsk_stepper stepper;
    int code = wsk_cli_parse(&wsk_cli_steady, argc, argv, options, &words);
    if (code != WSK_OK) {
        code = code < 0 ? WSK_OK : code;
    } else if (words.count != 1) {
        code = wsk_cli_one_rig(&wsk_cli_steady, &words);
    } else if (!wsk_cli_stepper(&wsk_cli_steady, stepper_name, &stepper)) {
        code = WSK_EUSAGE;
    } else {
        wsk_rig *rig = wsk_cli_load(words.items[0], &rig_options, quiet ? 0 : 1, &code);
        char *as_json = NULL, *as_text = NULL;
        if (rig) {
            const wsk_voice voice = wsk_cli_voice();
            code = (int)wsk_steady_page(rig, stepper, wsk_clock() - wsk_cli_started, &voice, &as_json, &as_text);
            if (code == WSK_OK && json)
                fputs(as_json, stdout);
            else if (code == WSK_OK)
                wsk_cli_print(stdout, as_text);
            else
                wsk_cli_error(T_("%s: no steady state: %s"), words.items[0],
                              as_text && *as_text ? as_text : T_(wsk_status_text((wsk_status)code)));
        }
        wsk_text_free(as_json);
        wsk_text_free(as_text);
        wsk_rig_free(rig);
    }
    free(rig_options.sets.items);
    free(words.items);
    return code;
}

const wsk_cli_command wsk_cli_steady = {
    .name = "steady",
    .usage = "RIG.xml [--json] [--set PATH=VALUE]...",
    .summary = N_("the steady operating point, at once: temperatures, clocks, watts"),
    .options = N_("  --json              the keys of a run's summary, \"_mean\" values being the point\n"
                  "  --set PATH=VALUE    change a value\n"
                  "  --stepper NAME      one of fast (default), reference\n"
                  "  -q, --quiet         no warnings on standard error\n"
                  "  --parts DIR         your own parts, searched before the catalogue\n"
                  "  --data DIR          data files, instead of the rig's folder\n"),
    .example = "wattsink steady scenarios/single-3090/rig.xml --set gpu.power-limit=300W",
    .run = main_steady};
