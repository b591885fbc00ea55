/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "cli/kit/cases.h"

static int main_check(int argc, char **argv)
{
    wsk_cli_rig_options rig_options = {.threads = wsk_cli_cores()};
    wsk_cli_list words = {0};
    bool quiet = false, sources = false;
    const wsk_cli_option options[] = {{.name = "quiet", .letter = 'q', .flag = &quiet},
                                      {.name = "sources", .flag = &sources},
                                      WSK_CLI_PRICED_RIG_OPTIONS(rig_options),
                                      {.name = "exchange", .list = &(rig_options).exchanges},
                                      {.name = NULL}};
    int code = wsk_cli_parse(&wsk_cli_check, argc, argv, options, &words);
    if (code != WSK_OK) {
        code = code < 0 ? WSK_OK : code;
    } else if (words.count != 1) {
        code = wsk_cli_one_rig(&wsk_cli_check, &words);
    } else {
        wsk_rig *rig = wsk_cli_load(words.items[0], &rig_options, quiet ? 0 : 2, &code);
        wsk_run *run = NULL;
        if (rig) {
            /* The run is created only for its error messages: a rig that loads may still have no steady point to start
             * from. */
            code = (int)wsk_run_new(&run, rig, &(wsk_run_options){0});
            if (code != WSK_OK) {
                char *why = wsk_cli_why(run, code);
                wsk_cli_error(T_("%s cannot be built: %s"), words.items[0], why);
                free(why);
            }
            wsk_findings *found = NULL;
            wsk_status status = quiet ? WSK_OK : wsk_rig_check(rig, sources, &found);
            if (found)
                status = (wsk_status)wsk_cli_print_findings(found);
            if (status == WSK_OK && !quiet && !sources)
                wsk_cli_tell_prices(&(const wsk_rig *){rig}, 1);
            wsk_findings_free(found);
            if (code == WSK_OK)
                code = (int)status;
        }
        wsk_run_free(run);
        wsk_rig_free(rig);
    }
    free(rig_options.sets.items);
    free(rig_options.exchanges.items);
    free(words.items);
    return code;
}

const wsk_cli_command wsk_cli_check = {
    .name = "check",
    .usage = "RIG.xml [--sources] [--set PATH=VALUE]...",
    .summary = N_("schema, units, fit, sizing and the largest uncertainties"),
    .options =
        N_("  --sources           every input with its value and source instead\n"
           "  --set PATH=VALUE    change a value\n"
           "  -q, --quiet         errors only\n"
           "  --parts DIR         your own parts, searched before the catalogue\n"
           "  --prices FILE       prices of parts: id, price with its currency, date in each row\n"
           "  --exchange RATE     such as EUR=1.08USD: prices of parts are converted to the currency of the tariff\n"
           "  --data DIR          data files, instead of the rig's folder\n"
           "Exit code: 0 also with advice, 3 for a rig that cannot be built.\n"),
    .example = "wattsink check scenarios/quad-3090-blower/rig.xml",
    .run = main_check};
