#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# doc.sh BENCH.json: writes docs/bench.md from reading.md and the tables of a benchmark, and its figure.
set -eu
here=$(dirname "$0")
data=$(mktemp -d)
trap 'rm -rf "$data"' EXIT
"$here/table.sh" "$1" >"$data/tables"
sed -n 's/.*"cards": \([0-9]*\), "nodes": \([0-9]*\), "us_per_step": \([-+.0-9e]*\).*/\1 \2 \3/p' "$1" >"$data/scaling"
sed -n 's/.*"days": \([0-9]*\), "cpu_s": \([-+.0-9e]*\).*/\1 \2/p' "$1" >"$data/time"
if [ -s "$data/scaling" ]; then
    per=$(awk '$1 == 8 {print $3 / 8}' "$data/scaling")
    gnuplot -e "scaling='$data/scaling'; time='$data/time'; out='docs/figures/bench-cost.png'; y8=$per" "$here/cost.gp"
fi
cat "$here/reading.md" "$data/tables" >docs/bench.md
cat >>docs/bench.md <<'END'

![Cost against cards, nodes and simulated time](figures/bench-cost.png)
END
