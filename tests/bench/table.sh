#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# table.sh BENCH.json: prints the rows of a benchmark as Markdown tables, one for each group.
exec awk '
function get(key) {
    if (!match($0, "\"" key "\": (\"[^\"]*\"|[-+.0-9e]+)")) return ""
    word = substr($0, RSTART + length(key) + 4, RLENGTH - length(key) - 4)
    gsub(/"/, "", word)
    return word
}
function head(group) {
    if (group == last) return
    last = group
    if (group == "budget")
        print "\n| job | processor time or memory | required | goal | times the calibration loop | how |\n|---|---:|---:|---:|---:|---|"
    if (group == "replay")
        print "\n| solver | simulated s per s | largest error, K | tolerance | its time over ours | required, goal | over ours in lanes |\n|---|---:|---:|---:|---:|---:|---:|"
    if (group == "scaling")
        print "\n| H100 cards, eight per server | nodes | processor time of a 1 s step, us | of start, first hours and files, ms | memory, MB |\n|---:|---:|---:|---:|---:|"
    if (group == "threads")
        print "\n| a sweep of twelve cases | processor time | elapsed time |\n|---|---:|---:|"
    if (group == "time")
        print "\n| days of four cards | processor time, s | memory, MB |\n|---:|---:|---:|"
}
{ group = get("group"); if (group != "") head(group) }
group == "budget" {
    u = get("unit"); r = get("ratio")
    printf "| %s | %s %s | %s %s | %s %s | %s | %s |\n", get("row"), get("value"), u, get("must"), u, get("goal"), u, u == "MB" ? "" : r + 0 < 10 ? sprintf("%.2f", r) : sprintf("%.0f", r), get("note")
}
group == "replay" {
    t = get("tolerance"); m = get("must"); r = get("ratio"); l = get("ratio_in_lanes")
    printf "| %s | %.0f | %s | %s | %s | %s | %s |\n", get("row"), get("simulated_s_per_s"), get("error_k"), t, r + 0 < 10 ? sprintf("%.2f", r) : sprintf("%.0f", r), m == "" ? "" : m ", " get("goal"), l == "" ? "" : l + 0 < 10 ? sprintf("%.2f", l) : sprintf("%.0f", l)
}
group == "absent" { missing = missing (missing ? ", " : "") get("row"); count++ }
END { if (count) printf "\n%d solvers not measured, because their libraries are missing: %s.\n", count, missing }
group == "scaling" { printf "| %s | %s | %s | %s | %s |\n", get("cards"), get("nodes"), get("us_per_step"), get("start_ms"), get("rss_mb") }
group == "threads" { printf "| %s | %s | %s |\n", get("row"), get("ratio"), get("elapsed_ratio") }
group == "time" { printf "| %s | %s | %s |\n", get("days"), get("cpu_s"), get("rss_mb") }
' "$1"
