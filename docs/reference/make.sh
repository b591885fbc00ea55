#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# make.sh WATTSINK DIR: writes the pages of the reference from the program's own output.
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
{
    printf '%s\n' '<!-- SPDX-License-Identifier: GPL-3.0-or-later -->' '# Results' '' \
        "$written The table that it is written from is \`include/wattsink_results.h\` with \`wattsink_compared.h\`." '' \
        'Every value of `summary.json`, of a case in `compare.json` and of a column of a sweep. A share is 0 to 1; a' \
        'currency is named beside its number. *Of all* says how the members of a list become one number in tables; `--best`' \
        'and `--columns` take `gpus.die_max_c`, `gpus[0].die_max_c` and `mean(gpus.die_max_c)`, too. A value that does not' \
        'apply is null; the key of one marked *only if so* is not there.'
    awk -f "$here/results.awk" "$here/../../include/wattsink_results.h" \
        "$here/../../include/wattsink_compared.h"
} >"$out/results.md"
