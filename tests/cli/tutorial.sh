#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# docs/tutorial.md, as a reader would follow it: its files, its slips, its commands. Messages are held word by word, numbers
# are not.
. "$(dirname "$0")/helpers.inc"

# block N: the N-th block of XML of the page.
block() { awk -v n="$1" '/^```xml$/ {k++; on = k == n; next} /^```$/ {on = 0} on' "$top/docs/tutorial.md"; }
# quotes FILE: every line of it stands on the page.
quotes() {
    while IFS= read -r line; do
        grep -qF -- "$line" "$top/docs/tutorial.md" || echo "$line"
    done <"$1" >unknown
    if [ -s unknown ]; then fail "the page has what $1 says" "$(cat unknown)"; else pass "the page has what $1 says"; fi
}
mkdir -p mine/gpu
block 1 >rig.xml
block 2 >mine/gpu/rtx-5060-ti.xml

exits 3 "the card is not in the catalogue" "$wattsink" check rig.xml
quotes err
exits 3 "two slips in the part" "$wattsink" check rig.xml --parts mine
quotes err
sed -i 's/length="240"/length="240 mm"/; s/power-limt-min/power-limit-min/' mine/gpu/rtx-5060-ti.xml
exits 0 "check" "$wattsink" check rig.xml --parts mine
says out 'advice: gpu0 is an open-air card with 2 mm of air; leave a free slot below it' "advises a free slot"
exits 0 "steady" "$wattsink" steady rig.xml --parts mine --set 'gpu[1].slot=4'
says out 'no card throttles from heat' "which is enough"
sed -i 's/slot="3"/slot="4"/' rig.xml
exits 0 "run" "$wattsink" run rig.xml --parts mine -o week
exits 0 "report" "$wattsink" report week
present week/report.html "is a page"
exits 0 "compare" "$wattsink" compare rig.xml --parts mine --vary psu=psu/tier-bronze-650,psu/tier-gold-650,psu/tier-gold-850 \
    --annual --years 4 -q
says out 'tier-gold-650 costs [0-9]+ .* EUR less to run' "Gold saves"
says out 'No winner between tier-gold-850 and tier-gold-650' "two of Gold cannot be told apart"
exits 0 "sweep" "$wattsink" sweep rig.xml --parts mine --vary 'gpu[1].slot=3,4,5' --vary 'gpu[*].power-limit=150W:180W:10W' \
    --for 1d --best 'min cost_per_work where gpus.die_max_c < 80' -o design.sqlite -q
says out '^  best .* 150 W ' "the lowest limit is the cheapest"
exit $status
