#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A sweep killed twice without warning, and one interrupted: finished cases are kept, and the resumed file has the
# rows of an uninterrupted sweep.
set -u
rig=scenarios/single-3090/rig.xml
. "$(dirname "$0")/helpers.inc"
sweep() { sh "$dir/sweep" "$@"; }
rows() { sed 1d "$1" | wc -l; }
cat >"$dir/sweep" <<END
exec '$wattsink' sweep $rig --for 1d --vary 'gpu.power-limit=200W:350W:5W' --vary 'psu=psu/tier-gold-1000,psu/tier-bronze-1000' "\$@"
END

sweep -o "$dir/whole.csv" -q 2>"$dir/err"
code=$?
check $code "left alone" "$(head -3 "$dir/err")"
[ $code = 0 ] || exit 1
[ "$(rows "$dir/whole.csv")" = 62 ]
check $? "a row a case" "$(rows "$dir/whole.csv")"

midway KILL stored "$dir/killed" sh "$dir/sweep" -o "$dir/killed/a.csv" --jobs 1
first=$got
midway KILL stored "$dir/killed" sh "$dir/sweep" -o "$dir/killed/a.csv" --resume --jobs 2
[ $first-$got = 137-137 ]
check $? "killed twice in the middle" "exits $first and $got"
before=$(sed -n 's/^resumed with \([0-9]*\) of 62 cases$/\1/p' "$dir/killed.err")
[ "${before:-0}" -gt 0 ]
check $? "what was finished was kept" "$(cat "$dir/killed.err")"
[ ! -e "$dir/killed/a.csv" ]
check $? "no half of a table"
sweep -o "$dir/killed/a.csv" --resume 2>"$dir/err" >/dev/null
check $? "resumed to the end" "$(cat "$dir/err")"
again=$(sed -n 's/^resumed with \([0-9]*\) of 62 cases$/\1/p' "$dir/err")
[ "${again:-0}" -gt "${before:-0}" ] && [ "$again" -lt 62 ]
check $? "the second killed one had gone on" "$before, then $again"
cmp -s "$dir/whole.csv" "$dir/killed/a.csv"
check $? "the same bits"

midway INT stored "$dir/stopped" sh "$dir/sweep" -o "$dir/stopped/a.csv" -q
[ $got = 130 ]
check $? "interrupted: exit 130" "exit $got"
grep -q 'resume goes on' "$dir/stopped.err"
check $? "it says how to go on" "$(cat "$dir/stopped.err")"
sweep -o "$dir/stopped/a.csv" --resume -q 2>"$dir/err"
check $? "resumed after the interruption" "$(cat "$dir/err")"
cmp -s "$dir/whole.csv" "$dir/stopped/a.csv"
check $? "interrupted: the same bits"
exit $status
