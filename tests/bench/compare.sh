#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# compare.sh BASELINE NOW [TOLERANCE]: fails if a ratio got worse by more than the tolerance (0.3: by 30 %). Times
# differ between machines, so only ratios are compared: to the calibration loop, and between solvers of one run.
exec awk -v tolerance="${3:-0.3}" '
function get(key) {
    if (!match($0, "\"" key "\": (\"[^\"]*\"|[-+.0-9e]+)")) return ""
    word = substr($0, RSTART + length(key) + 4, RLENGTH - length(key) - 4)
    gsub(/"/, "", word)
    return word
}
FNR == 1 { file++ }
/"tier"/ { tier[file] = get("tier") }
/"ratio"/ {
    name = get("row"); r = get("ratio")
    # The short tier replays less time, of which the start takes a larger share, so its ratios between solvers are not
    # comparable with those of the full tier.
    if (file == 2 && tier[1] != tier[2] && /"replay"/) { other++; next }
    if (file == 1) { was[name] = r; next }
    seen[name] = 1
    if (!(name in was)) { print "new: " name; next }
    # The ratio of the time of another solver to ours must not fall; all other ratios must not rise.
    worse = name ~ /^(rig4|srv8): / && name !~ /wattsink/ ? was[name] / r : r / was[name]
    bad = worse > 1 + tolerance
    failed += bad
    compared++
    printf "%-8s %-62s %10.4g -> %10.4g\n", bad ? "worse" : worse < 1 / (1 + tolerance) ? "better" : "as before", name, was[name], r
}
END {
    for (name in was) if (!(name in seen) && !other) print "not run: " name
    if (other) print other " ratios between solvers not compared: one is of the short tier"
    if (!compared) { print "nothing to compare"; exit 1 }
    printf "%d ratios compared, %d worse by more than %.0f %%\n", compared, failed, tolerance * 100
    exit failed > 0
}' "$1" "$2"
