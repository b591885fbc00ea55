#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/helpers.inc"

exits 0 "run" "$wattsink" run two-cards.xml --for 3h
for file in summary.json series.csv events.csv rig.resolved.xml run.ckpt; do
    present "two-cards.out/$file" "$file is there"
done
[ "$(find two-cards.out -name '.*.new' | wc -l)" = 0 ] && pass "no temporary files stay" || fail "no temporary files stay"
[ "$(wc -l <out)" -le 40 ] && pass "the summary is at most 40 lines" || fail "the summary is at most 40 lines"
if [ -s err ]; then fail "no progress without a terminal" "$(cat err)"; else pass "no progress without a terminal"; fi
mkdir deep && cp two-cards.xml deep/rig.xml
exits 0 "a rig named rig" "$wattsink" run deep/rig.xml --for 1h -q
present deep.out/summary.json "rig.xml takes its folder's name"
(cd deep && "$wattsink" run rig.xml --for 1h -q)
present deep/deep.out/summary.json "and does so in place"
if [ -s out ]; then fail "quiet prints nothing" "$(cat out)"; else pass "quiet prints nothing"; fi

exits 0 "json" "$wattsink" run two-cards.xml --for 3h -o a/b --json
cmp -s out a/b/summary.json && pass "--json prints summary.json" || fail "--json prints summary.json"
same_results two-cards.out a/b "two runs differ in wall_clock_s only"
exits 0 "the same rig again, another length" "$wattsink" run two-cards.xml --for 2h -o a/b -q

exits 3 "another rig's folder is refused" "$wattsink" run load.xml --for 1h -o a/b
says err "another rig" "and says why"
exits 3 "a changed rig is another rig" "$wattsink" run two-cards.xml --for 1h --set 'gpu[0].power-limit=200W' -o a/b
exits 0 "--force replaces it" "$wattsink" run load.xml --for 1h -o a/b --force -q
says a/b/summary.json '"A load"' "with the new results"

exits 2 "standard input needs -o" sh -c "'$wattsink' run - <two-cards.xml"
exits 0 "standard input" sh -c "'$wattsink' run - -o piped --for 1h -q <two-cards.xml"
sed 's/350 W/350 kg/' two-cards.xml >bad.xml
exits 3 "bad input" "$wattsink" run bad.xml -o none
absent none "bad input makes no folder"
says err '^bad\.xml:[0-9]+:[0-9]+: ' "messages have file, line and column"
exits 3 "a bad option value is bad input" "$wattsink" run two-cards.xml --for 7parsec -o none
absent none "and makes no folder either"
exits 3 "a bad path" "$wattsink" run two-cards.xml --set gpu.powr-limit=1W -o none

# Standard input has no folder, so outdoor air is then read from the folder --data.
mkdir hot cold
sed 's|<tariff|<room conductance="5000 W/K"><outdoor kind="file" file="air.csv"/></room><tariff|' two-cards.xml >hot/rig.xml
printf '\357\273\277time,temp_f\r\n# warm\r\n2026-08-03 00:00,95\r\n2026-08-04 00:00,95\r\n\r\n' >hot/air.csv
printf 't_h,temp_c\n0,5\n1,5\n' >cold/air.csv
room() { sed -n 's/.*"room": { "mean_c": \([0-9]*\).*/\1/p' "$1" | head -n 1; }
exits 0 "a data file" "$wattsink" run hot/rig.xml --for 6h -o w1 --json
[ "$(room out)" = 35 ] && pass "the room follows it" || fail "the room follows it" "$(grep room out)"
says w1/rig.resolved.xml 'file="air\.csv"' "the resolved rig names it"
exits 0 "a data folder" sh -c "'$wattsink' run - --data cold --for 6h -o w2 --json <hot/rig.xml"
[ "$(room out)" = 5 ] && pass "the data folder's air" || fail "the data folder's air" "$(grep room out)"
exits 3 "standard input has no folder" sh -c "'$wattsink' run - --for 1h -o w3 <hot/rig.xml"
says err 'expected --data DIR' "and says what to do"
exits 0 "the resolved rig with its data" "$wattsink" check w1/rig.resolved.xml --data hot
printf 't_h,temp_c\n0,35\n1,35.1\n' >hot/air.csv
exits 3 "other data are another rig" "$wattsink" run hot/rig.xml --for 6h -o w1

# A limit on file size has the effect of a full disk.
exits 1 "a full disk" sh -c "ulimit -f 4; '$wattsink' run two-cards.xml --for 3h -o full"
says err "cannot write" "is named"
: >plain
exits 1 "a file where the folder should be" "$wattsink" run two-cards.xml --for 1h -o plain/x
exit $status
