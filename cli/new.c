/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wattsink new: a commented rig to start from, which runs as it is. */
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

static int main_new(int argc, char **argv) {
    (void)argc;
    (void)argv;
    return 1;
}
const wsk_cli_command wsk_cli_new = {.name = "new", .usage = "", .summary = "a commented rig to start from", .options = "", .example = "wattsink new --gpus 4 --gpu gpu/rtx-3090-blower > rig.xml", .run = main_new};
