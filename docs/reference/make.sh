#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# make.sh WATTSINK DIR: writes kinds.md and commands.md, the reference as the program tells it.
set -eu
export LC_ALL=C
wattsink=$1 out=$2 here=$(dirname "$0")
written="Written by \`make docs\`; do not edit."
{
    printf '%s\n' '<!-- SPDX-License-Identifier: GPL-3.0-or-later -->' '# Elements and attributes' '' \
        "$written The same in the terminal: \`wattsink kinds [ELEMENT]\`. How a rig file is written: [format.md](../format.md)." \
        'A default marked *assumed* is followed by the rule that it comes from.'
    "$wattsink" kinds | awk -f "$here/kinds.awk"
} >"$out/kinds.md"
{
    printf '%s\n' '<!-- SPDX-License-Identifier: GPL-3.0-or-later -->' '# Commands' '' \
        "$written The same in the terminal: \`wattsink help [COMMAND]\`." '' '```' && "$wattsink" help && echo '```'
    "$wattsink" help | sed -n 's/^  \([a-z][a-z]*\)  .*/\1/p' | while read -r command; do
        [ "$command" = help ] || { printf '\n## %s\n\n```\n' "$command" && "$wattsink" help "$command" && echo '```'; }
    done
} >"$out/commands.md"
