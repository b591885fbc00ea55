/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "cli/calibrate/calibrate.h"

#define QUERY \
    "nvidia-smi --query-gpu=timestamp,index,power.draw,power.limit,utilization.gpu,utilization.memory,clocks.sm," \
    "temperature.gpu,temperature.memory,fan.speed --format=csv -l 1"

const char wsk_cli_recording[] = QUERY " > log.csv";

/* Beginning of the script. It stores the present power limits before it changes any limit. setsid puts the load in a
 * process group of its own, so that the whole load can be ended, not only its shell. */
static const char head[] =
    "# At the end, also when it is interrupted, the load is stopped, and limits and fans are set back.\n"
    "#   sh record.sh 'COMMAND OF YOUR LOAD' [LOG.csv]\n"
    "set -eu\n"
    "load=${1:?usage: sh record.sh \"COMMAND OF YOUR LOAD\" [LOG.csv]}\n"
    "log=${2:-log.csv}\n"
    "[ ! -e \"$log\" ] || { echo \"$log is there already\" >&2; exit 1; }\n"
    "limits=$(nvidia-smi --query-gpu=index,power.limit,power.min_limit --format=csv,noheader,nounits)\n"
    "begin= worker= recorder= fans=\n"
    "root() { [ \"$(id -u)\" = 0 ]; }\n"
    "limit() { # PERCENT: of the limits that were set before, at least the lowest that a card takes\n"
    "    root || return 0\n"
    "    echo \"$limits\" | while IFS=', ' read -r card watts least; do\n"
    "        case $watts in *[!0-9.]* | '') continue ;; esac\n"
    "        nvidia-smi -i \"$card\" -pl \"$(LC_ALL=C awk -v w=\"$watts\" -v p=\"$1\" -v l=\"$least\" \\\n"
    "            'BEGIN { w *= p / 100; print w < l + 0 ? l + 0 : w }')\" >&2 || :\n"
    "    done\n"
    "}\n"
    "fan() { # PERCENT: of all fans; nvidia-settings wants a running X server with Coolbits 4\n"
    "    fans=set\n"
    "    nvidia-settings -a GPUFanControlState=1 -a GPUTargetFanSpeed=\"$1\" >&2\n"
    "}\n"
    "hold() { # SECONDS WHAT\n"
    "    echo \"$2, $(($1 / 60)) minutes\" >&2\n"
    "    sleep \"$1\" & wait $!\n"
    "    kill -0 \"$recorder\" 2>/dev/null || { echo \"nvidia-smi stopped before the end of $log\" >&2; exit 1; }\n"
    "    [ -z \"$worker\" ] || kill -0 \"$worker\" 2>/dev/null || echo \"the load ended before '$2' did\" >&2\n"
    "}\n"
    "begun() { sleep 5 & wait $!; kill -0 \"$1\" 2>/dev/null; } # PID: does it still run after 5 s?\n"
    "work() { # a load whose file is gone does not begin: the shell loses a signal that comes while it forks\n"
    "    begin=$(mktemp)\n"
    "    setsid sh -c '[ ! -e \"$1\" ] || eval \"$2\"' sh \"$begin\" \"$load\" >&2 & worker=$!\n"
    "    begun \"$worker\" || { echo \"the load ended at once: $load\" >&2; exit 1; }\n"
    "}\n"
    "rest() { # the group, or the load alone, which has no group yet when it has just begun\n"
    "    [ -z \"$begin\" ] || rm -f \"$begin\"\n"
    "    [ -z \"$worker\" ] || kill -- \"-$worker\" 2>/dev/null || kill \"$worker\" 2>/dev/null || :\n"
    "    begin= worker=\n"
    "}\n"
    "end() {\n"
    "    trap - EXIT INT TERM HUP\n"
    "    rest\n"
    "    [ -z \"$recorder\" ] || kill \"$recorder\" 2>/dev/null || :\n"
    "    [ -z \"$fans\" ] || nvidia-settings -a GPUFanControlState=0 >&2 || :\n"
    "    limit 100\n"
    "}\n"
    "trap end EXIT\n"
    "trap 'exit 130' INT TERM HUP\n";
static const char record[] = QUERY
    " >\"$log\" &\nrecorder=$!\n"
    "begun \"$recorder\" || { cat \"$log\" >&2; rm -f \"$log\"; echo 'nvidia-smi records nothing' >&2; exit 1; }\n";
static const char tail[] = "echo \"wattsink calibrate RIG.xml --log $log\" >&2\n";

/* Recordings. name NULL: the recording for a first log. Run as root, its script sets several power limits, because a
 * log of one power cannot separate inlet temperature and thermal conductance. first: shell commands that check the
 * needs of the recording, such as root; steps: the shell commands of the recording. */
static const struct {
    const char *name, *about, *first, *steps;
} plans[] = {
    {NULL,
     "# Records what `wattsink calibrate --log` wants of all NVIDIA cards: 10 min at rest, 40 min of your load,\n"
     "# 20 min at rest: 70 minutes. As root also 15 min each at 80 % and 60 % of the power limit: 100 minutes.\n",
     "",
     "hold 600 'at rest'\n"
     "work\n"
     "hold 2400 load\n"
     "if root; then\n"
     "    for percent in 80 60; do\n"
     "        limit $percent\n"
     "        hold 900 \"load at $percent % of the limit, or the lowest\"\n"
     "    done\n"
     "    limit 100\n"
     "fi\n"
     "rest\n"
     "hold 1200 'at rest'\n"},
    {"soak", "# Records 5 min at rest and 30 min of your load, for `wattsink calibrate --log`. It needs no root.\n",
     "",
     "hold 300 'at rest'\n"
     "work\n"
     "hold 1800 load\n"},
    {"staircase",
     "# Records 5 min at rest, and 30 min of your load at each of 100, 85, 70 and 55 % of the power limit, for\n"
     "# `wattsink calibrate --log`. Power limits need root.\n",
     "root || { echo 'power limits need root' >&2; exit 1; }\n",
     "hold 300 'at rest'\n"
     "work\n"
     "for percent in 100 85 70 55; do\n"
     "    limit $percent\n"
     "    hold 1800 \"load at $percent % of the limit, or the lowest\"\n"
     "done\n"},
    {"fan",
     "# Records 5 min at rest, and 15 min of your load with the fans held at each of 40 and 80 %, for\n"
     "# `wattsink calibrate --log`. It needs no root, but nvidia-settings.\n",
     "command -v nvidia-settings >/dev/null || { echo 'nvidia-settings is missing' >&2; exit 1; }\n",
     "fan 40\n"
     "hold 300 'at rest'\n"
     "work\n"
     "hold 900 'load with fans at 40 %'\n"
     "fan 80\n"
     "hold 900 'load with fans at 80 %'\n"},
    {"idle",
     "# Records 5 min at rest, 15 min of your load and an hour at rest, for `wattsink calibrate --log`. It needs no\n"
     "# root.\n",
     "",
     "hold 300 'at rest'\n"
     "work\n"
     "hold 900 load\n"
     "rest\n"
     "hold 3600 'at rest'\n"},
    {"memory",
     "# Records 5 min at rest and 30 min of a load that is bound by the memory, for `wattsink calibrate --log`: "
     "give\n"
     "# one that reads and writes all the time, such as text generation with unquantised weights. It needs no "
     "root.\n",
     "",
     "hold 300 'at rest'\n"
     "work\n"
     "hold 1800 load\n"}};
enum { PLANS = (int)(sizeof plans / sizeof *plans) };

bool wsk_cli_plan_print(const char *name)
{
    for (int i = 0; i < PLANS; i++)
        if (name && plans[i].name ? strcmp(name, plans[i].name) == 0 : !name && !plans[i].name) {
            printf("#!/bin/sh\n%s%s%s%s%s%s", plans[i].about, head, plans[i].first, record, plans[i].steps, tail);
            return true;
        }
    return false;
}
