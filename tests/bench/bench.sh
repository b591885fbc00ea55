#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench.sh [short]: runs the benchmarks, leaves their rows as $BUILD/bench.json, prints the table; fails where the budget is missed.
set -eu
here=$(dirname "$0")
rows=$BUILD/bench.rows
: >"$rows"
"$BUILD/tests/bench/budget" "$@" >>"$rows"
case ${1-} in
short) "$BUILD/tests/bench/peers" 1200 1 >>"$rows" ;;
*) "$BUILD/tests/bench/peers" 3600 3 >>"$rows" ;;
esac
{
    printf '{"wattsink": "%s", "tier": "%s", "rows": [\n' "$("$WATTSINK" --version | cut -d' ' -f2)" "${1:-full}"
    sed '$!s/$/,/' "$rows"
    printf ']}\n'
} >"$BUILD/bench.json"
rm -f "$rows"
"$here/table.sh" "$BUILD/bench.json"
awk -F'"' '/"group": "budget"/ {split($0, p, /"(value|must)": /); if (p[2] + 0 > p[3] + 0) {print "over budget: " $8; bad = 1}}
    END {exit bad}' "$BUILD/bench.json"
