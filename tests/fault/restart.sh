#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A run with simulated failures of its job is killed repeatedly and resumed. Its files must have the bytes of an
# uninterrupted run.
set -u
. "$(dirname "$0")/helpers.inc"
days=$((4 * days))
chassis() {
    printf '<chassis id="%s"><psu kind="constant" rated="1200 W" efficiency="90 %%"/>' "$1"
    for slot in 1 4; do
        printf '<gpu part="gpu/generic" tdp="300 W" slot="%s" limit-schedule="7 h:200 W, 21.5 h:300 W" memory-limit="80 degC"/>' $slot
    done
    printf '</chassis>'
}
{
    printf '<rig name="Failing">'
    chassis a
    chassis b
    printf '<workload mtbf="2 h" restart-takes="40 min" checkpoint-every="30 min" checkpoint-takes="45 s" evaluate-every="50 min"/>'
    printf '<run from="2026-08-03T18:00:00" for="%s d"/></rig>' "$days"
} >"$dir/rig.xml"
run() { "$wattsink" run "$dir/rig.xml" -q "$@" 2>>"$dir/err"; }
run -o "$dir/whole"
check $? "a run that is not interrupted ends" "$(head -5 "$dir/err")"
grep -q '"failures"' "$dir/whole/summary.json" && grep -q 'power limit,schedule' "$dir/whole/events.csv"
check $? "the run has failures of its job and changes of the power limit"
killed=0 resume=--force
for round in 1 2 3 4; do
    midway KILL simulated "$dir/killed" "$wattsink" run "$dir/rig.xml" -o "$dir/killed" -q $resume || break
    [ $got = 137 ] && killed=$((killed + 1))
    resume=--resume
done
[ $killed -ge 2 ]
check $? "the run is killed in the middle at least twice" "$killed times, the last with exit $got: $(cat "$dir/killed.err")"
: >"$dir/err"
run -o "$dir/killed" $resume
check $? "the killed run resumes to its end" "$(cat "$dir/err")"
for f in summary.json series.csv events.csv run.ckpt; do
    for d in whole killed; do sed 's/"wall_clock_s": [^,]*/"wall_clock_s": 0/' "$dir/$d/$f" >"$dir/$d.$f"; done
    [ -s "$dir/whole.$f" ] && cmp -s "$dir/whole.$f" "$dir/killed.$f"
    check $? "killed and resumed: the same bytes of $f"
done
survived kills kills $kills
exit $status
