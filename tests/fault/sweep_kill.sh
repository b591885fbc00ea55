#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A sweep that is killed twice without warning, and one that is interrupted: what was finished stays, and the resumed file
# has the rows of one that was left alone.
set -u
rig=scenarios/single-3090/rig.xml
. "$(dirname "$0")/helpers.inc"
sweep() { "$wattsink" sweep $rig --for 1d --vary 'gpu.power-limit=200W:350W:5W' --vary 'psu=psu/tier-gold-1000,psu/tier-bronze-1000' "$@"; }
rows() { sed 1d "$1" | wc -l; }

start=$(date +%s%N)
sweep -o "$dir/whole.csv" -q 2>"$dir/err"
code=$?
check $code "left alone" "$(head -3 "$dir/err")"
[ $code = 0 ] || exit 1
pause=$(awk "BEGIN { print ($(date +%s%N) - $start) / 5e9 }")
[ "$(rows "$dir/whole.csv")" = 62 ]
check $? "a row a case" "$(rows "$dir/whole.csv")"

killed=0 before=-1
for round in 1 2; do
    resume=--resume
    [ $round = 1 ] && resume=--force
    "$wattsink" sweep $rig --for 1d --vary 'gpu.power-limit=200W:350W:5W' --vary 'psu=psu/tier-gold-1000,psu/tier-bronze-1000' \
        -o "$dir/killed.csv" $resume --jobs $round 2>"$dir/err$round" &
    pid=$!
    sleep "$pause"
    kill -9 $pid 2>/dev/null && killed=$((killed + 1))
    wait $pid 2>/dev/null
done
[ $killed = 2 ]
check $? "killed twice in the middle" "the sweep was over after $killed"
before=$(sed -n 's/^resumed with \([0-9]*\) of 62 cases$/\1/p' "$dir/err2")
[ "${before:-0}" -gt 0 ]
check $? "what was finished was kept" "$(cat "$dir/err2")"
[ ! -e "$dir/killed.csv" ]
check $? "no half of a table"
sweep -o "$dir/killed.csv" --resume 2>"$dir/err" >/dev/null
check $? "resumed to the end" "$(cat "$dir/err")"
again=$(sed -n 's/^resumed with \([0-9]*\) of 62 cases$/\1/p' "$dir/err")
[ "${again:-0}" -gt "${before:-0}" ] && [ "$again" -lt 62 ]
check $? "the second killed one had gone on" "$before, then $again"
cmp -s "$dir/whole.csv" "$dir/killed.csv"
check $? "the same bits"

"$wattsink" sweep $rig --for 1d --vary 'gpu.power-limit=200W:350W:5W' --vary 'psu=psu/tier-gold-1000,psu/tier-bronze-1000' \
    -o "$dir/stopped.csv" -q 2>"$dir/err" &
pid=$!
sleep "$pause"
kill -INT $pid 2>/dev/null
wait $pid
code=$?
[ $code = 130 ]
check $? "interrupted: exit 130" "exit $code"
grep -q 'resume goes on' "$dir/err"
check $? "it says how to go on" "$(cat "$dir/err")"
sweep -o "$dir/stopped.csv" --resume -q 2>"$dir/err"
check $? "resumed after the interruption" "$(cat "$dir/err")"
cmp -s "$dir/whole.csv" "$dir/stopped.csv"
check $? "interrupted: the same bits"
exit $status
