/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wattsink calibrate --plan: a script that records a log which tells most. */
#include "cli/calibrate/calibrate.h"

#define QUERY \
    "nvidia-smi " \
    "--query-gpu=timestamp,index,power.draw,power.limit,utilization.gpu,clocks.sm,temperature.gpu,temperature." \
    "memory," \
    "fan.speed " \
    "--format=csv -l 1"

const char wsk_cli_recording[] = QUERY " > log.csv";

/* Two powers or more, an idle hour's beginning and a cool-down: with one power, inlet and conductance are one. The limits
 * are read before anything is set. setsid: the whole load ends, not only its shell. */
static const char script[] =
    "#!/bin/sh\n"
    "# Records what `wattsink calibrate --log` wants of all NVIDIA cards: 10 min at rest, 40 min of your load,\n"
    "# 20 min at rest. As root also 15 min each at 80 % and 60 % of the power limit. At the end, also when it is\n"
    "# interrupted, the load is stopped and the limits are set back. Nothing else is changed.\n"
    "#   sh record.sh 'COMMAND OF YOUR LOAD' [LOG.csv]      70 minutes, as root 100\n"
    "set -eu\n"
    "load=${1:?usage: sh record.sh \"COMMAND OF YOUR LOAD\" [LOG.csv]}\n"
    "log=${2:-log.csv}\n"
    "[ ! -e \"$log\" ] || { echo \"$log is there already\" >&2; exit 1; }\n"
    "limits=$(nvidia-smi --query-gpu=index,power.limit --format=csv,noheader,nounits)\n"
    "worker= recorder=\n"
    "limit() { # PERCENT: of the limits that were set before\n"
    "    [ \"$(id -u)\" = 0 ] || return 0\n"
    "    echo \"$limits\" | while IFS=', ' read -r card watts; do\n"
    "        case $watts in *[!0-9.]* | '') continue ;; esac\n"
    "        nvidia-smi -i \"$card\" -pl \"$(awk -v w=\"$watts\" -v p=\"$1\" 'BEGIN { print w * p / 100 }')\" >&2 || "
    ":\n"
    "    done\n"
    "}\n"
    "rest() { [ -z \"$worker\" ] || kill -- \"-$worker\" 2>/dev/null || :; worker=; }\n"
    "end() {\n"
    "    trap - EXIT INT TERM HUP\n"
    "    rest\n"
    "    [ -z \"$recorder\" ] || kill \"$recorder\" 2>/dev/null || :\n"
    "    limit 100\n"
    "}\n"
    "trap end EXIT\n"
    "trap 'exit 130' INT TERM HUP\n" QUERY " >\"$log\" &\n"
    "recorder=$!\n"
    "echo 'at rest, 10 minutes' >&2; sleep 600 & wait $!\n"
    "setsid sh -c \"$load\" >&2 &\n"
    "worker=$!\n"
    "echo 'load, 40 minutes' >&2; sleep 2400 & wait $!\n"
    "if [ \"$(id -u)\" = 0 ]; then\n"
    "    for percent in 80 60; do\n"
    "        limit $percent\n"
    "        echo \"load at $percent % of the limit, 15 minutes\" >&2; sleep 900 & wait $!\n"
    "    done\n"
    "    limit 100\n"
    "fi\n"
    "rest\n"
    "echo 'at rest, 20 minutes' >&2; sleep 1200 & wait $!\n"
    "echo \"wattsink calibrate RIG.xml --log $log\" >&2\n";

void wsk_cli_plan_print(void)
{
    fputs(script, stdout);
}
