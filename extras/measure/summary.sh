#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# summary.sh DIR: reads a log of measure.sh. Writes summary.txt with a line per phase (means of its last half), and
# trace.csv for <workload kind="replay" power="trace.csv"/>.
set -u
dir=${1:?usage: summary.sh DIR}
[ -s "$dir/samples.csv" ] && [ -s "$dir/phases.csv" ] || { echo "summary: $dir has no log" >&2; exit 1; }
LC_ALL=C awk -F', *' -v trace="$dir/trace.csv" '
function seconds(stamp, p, y, m) {
    split(stamp, p, /[\/ :]/)
    y = p[1]; m = p[2]
    if (m < 3) { y--; m += 12 }
    return (365*y + int(y/4) - int(y/100) + int(y/400) + int((153*m - 457)/5) + p[3])*86400 + p[4]*3600 + p[5]*60 + p[6]
}
function column(name) { return (name in at) ? $(at[name]) : "" }
function add(sum, number_of, value) { if (value != "-") { sum[now] += value; number_of[now]++ } }
function mean(sum, number_of) { return number_of[k] ? sprintf("%.0f", sum[k]/number_of[k]) : "-" }
function number(text) { return text ~ /^ *-?[0-9.]+ *$/ ? text + 0 : "-" }
FILENAME ~ /phases.csv$/ {
    if (FNR > 1) { split($0, f, ","); n++; begin[n] = seconds(f[1]); name[n] = f[2]; length_s[n] = f[3] }
    next
}
FNR == 1 {
    for (i = 1; i <= NF; i++) { key = $i; sub(/ \[.*/, "", key); sub(/\r/, "", key); at[key] = i }
    columns = NF
    power = ("power.draw.instant" in at) ? "power.draw.instant" : "power.draw"
    print "t_s,power_w" > trace
    next
}
NF < columns { next } # the last line can be cut off
{
    t = seconds($1)
    if (first == "") first = t
    w = number(column(power))
    if (w == "-") w = number(column("power.draw"))
    if (w == "-") next
    if (written == "" || t > written) { printf "%.3f,%.2f\n", t - first, w > trace; written = t }
    while (now < n && t >= begin[now + 1]) now++
    if (!now || t > begin[now] + length_s[now]) next
    if ((v = number(column("temperature.gpu"))) != "-") { if (!(now in top) || v > top[now]) top[now] = v; last[now] = v }
    if ((v = number(column("temperature.memory"))) != "-" && (!(now in memory) || v > memory[now])) memory[now] = v
    if (t < begin[now] + length_s[now]/2) next
    count[now]++; watts[now] += w
    # Drivers write clocks.current.sm where clocks.sm was asked for.
    add(clock, clocks, number(("clocks.sm" in at) ? column("clocks.sm") : column("clocks.current.sm")))
    add(fan, fans, number(column("fan.speed")))
    if (w > peak[now]) peak[now] = w
    reasons = column("clocks_event_reasons.active") column("clocks_throttle_reasons.active")
    if (reasons !~ /^0x/) next
    add(capped, known, 100*(reasons ~ /[4-7cdefCDEF]$/))
    add(hot, known_hot, 100*(reasons ~ /[2-7abcdefABCDEF].$/))
}
END {
    printf "%-14s %7s %9s %9s %9s %7s %9s %9s %9s %8s %8s\n", "phase", "seconds", "mean W", "highest W", "clock MHz", "fan %", "end degC", "max degC", "mem degC", "capped %", "hot %"
    for (k = 1; k <= n; k++) {
        printf "%-14s %7d %9s %9s %9s %7s %9s %9s %9s %8s %8s\n", name[k], length_s[k], count[k] ? sprintf("%.1f", watts[k]/count[k]) : "-", \
            count[k] ? sprintf("%.1f", peak[k]) : "-", mean(clock, clocks), mean(fan, fans), \
            ((k in last) ? last[k] : "-"), ((k in top) ? top[k] : "-"), ((k in memory) ? memory[k] : "-"), mean(capped, known), mean(hot, known_hot)
    }
}' "$dir/phases.csv" "$dir/samples.csv" >"$dir/summary.txt" || exit 1
cat "$dir/summary.txt"
