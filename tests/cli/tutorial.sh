#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Follows docs/tutorial.md with its files, its mistakes and its commands. Messages must match word by word, numbers
# within 0.4 % or one unit of the last digit.
. "$(dirname "$0")/helpers.inc"

block() { awk -v n="$1" '/^```xml$/ {k++; on = k == n; next} /^```$/ {on = 0} on' "$top/docs/tutorial.md"; }
quotes() {
    while IFS= read -r line; do
        grep -qF -- "$line" "$top/docs/tutorial.md" || echo "$line"
    done <"$1" >unknown
    if [ -s unknown ]; then fail "the page has what $1 says" "$(cat unknown)"; else pass "the page has what $1 says"; fi
}
near() {
    grep -E -- "$2" "$1" >ours
    awk -v most=0.004 -f "$top/tests/near.awk" "$top/docs/tutorial.md" ours >unknown
    if [ -s unknown ]; then fail "$3: the page's numbers" "$(cat unknown)"; else pass "$3: the page's numbers"; fi
}
mkdir -p mine/gpu
block 1 >rig.xml
block 2 >mine/gpu/rtx-5060-ti.xml

exits 3 "the card is not in the catalogue" "$wattsink" check rig.xml
sed -i '/^wattsink: parts were looked for in /d' err # its folder is another one on each machine
quotes err
exits 3 "two slips in the part" "$wattsink" check rig.xml --parts mine
quotes err
sed -i 's/length="240"/length="240 mm"/; s/power-limt-min/power-limit-min/' mine/gpu/rtx-5060-ti.xml
exits 0 "check" "$wattsink" check rig.xml --parts mine
says out 'Advice: open-air card gpu0 has 2 mm of air under its fans; leave a free slot below it' "advises a free slot"
near out '^  (gpu[01]  |Cards|PSU|Load steps|Circuit|A UPS|Parts|Rule of thumb|Simulation|thickness of|All [0-9]+ inputs)' "check"
"$wattsink" steady rig.xml --parts mine >touching 2>err
exits 0 "steady" "$wattsink" steady rig.xml --parts mine --set 'gpu[1].slot=4'
says out 'No card throttles from heat' "which is enough"
near out '^(Power|Air|gpu[01]  |Intake)' "the free slot"
hottest() { awk '/^gpu[01]  / && $3 > most { most = $3 } END { print most }' "$1"; }
noise() { sed -n 's/^Air .* \([0-9]*\) dBA at 1 m\.$/\1/p' "$1"; }
says "$top/docs/tutorial.md" "^The hottest GPU is $(awk "BEGIN { printf \"%.0f\", $(hottest touching) - $(hottest out) }") K cooler, the machine $(($(noise touching) - $(noise out))) dB quieter" \
    "the page tells what the slot does"
sed -i 's/slot="3"/slot="4"/' rig.xml
exits 0 "run" "$wattsink" run rig.xml --parts mine -o week
near out '^(Power|Energy   |Cost|Air|gpu[01]  |Advice|Verdict|Range|  .*Throughput|  .*Effects with)' "a week"
exits 0 "report" "$wattsink" report week
present week/report.html "is a page"
exits 0 "compare" "$wattsink" compare rig.xml --parts mine --vary psu=psu/tier-bronze-650,psu/tier-gold-650,psu/tier-gold-850 \
    --annual --years 4 -q
says out '^    Electricity: [0-9]+ .* EUR less a year' "Gold saves"
near out '^tier-|^  +Electricity: 42|^  +Purchase: 26|^  +Energy: -0.5 kWh cards, -11[0-4]|^  Uncertainty|^  Cheapest|^  tier-gold-850 beats' "a better supply"
says out 'No winner between tier-gold-850 and tier-gold-650' "two of Gold cannot be told apart"
exits 0 "sweep" "$wattsink" sweep rig.xml --parts mine --vary 'gpu[1].slot=3,4,5' --vary 'gpu[*].power-limit=150W:180W:10W' \
    --for 1d --best 'min cost_per_work where gpus.die_max_c < 80' -o design.sqlite -q
says out '^  best .* 150 W ' "the lowest limit is the cheapest"
near out '^(Best:| .*[0-9] +1[0-9]0 W )' "the whole space"
exit $status
