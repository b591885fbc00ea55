#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench.sh [short]: runs the benchmarks, writes their rows to $BUILD/bench.json and prints the tables. Fails if a
# benchmark fails or misses its budget; with BUDGET=told a missed budget is only reported.
set -eu
here=$(dirname "$0")
rows=$BUILD/bench.rows
: >"$rows"
"$BUILD/tests/bench/budget" "$@" >>"$rows"
case ${1-} in
short) "$BUILD/tests/bench/peers" 1200 1 >>"$rows" ;;
*)
    "$BUILD/tests/bench/peers" 3600 3 >>"$rows"
    "$here/scaling.sh" >>"$rows"
    ;;
esac
{
    printf '{"wattsink": "%s", "tier": "%s", "rows": [\n' "$("$WATTSINK" --version | cut -d' ' -f2)" "${1:-full}"
    sed '$!s/$/,/' "$rows"
    printf ']}\n'
} >"$BUILD/bench.json"
rm -f "$rows"
"$here/table.sh" "$BUILD/bench.json"
awk 'function get(key) { return match($0, "\"" key "\": [-+.0-9e]+") ? substr($0, RSTART + length(key) + 4, RLENGTH - length(key) - 4) + 0 : "" }
    { split($0, word, "\""); name = word[8]; must = get("must") }
    /"budget"/ && get("value") > must { print "over budget: " name; bad = 1 }
    /"replay"/ && must != "" && get("ratio") < must { printf "below the budget: %s is %.0f times ours, must %d\n", name, get("ratio"), must; bad = 1 }
    /"threads"/ && must != "" && get("ratio") > must { printf "below the budget: %s, %.2f times, must %.2f\n", name, get("ratio"), must; bad = 1 }
    END {exit bad}' "$BUILD/bench.json" || [ "${BUDGET-}" = told ]
