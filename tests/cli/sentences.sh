#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Sentences that only some rigs need are tested with rigs that need them and with similar rigs that do not.
. "$(dirname "$0")/helpers.inc"

rig() {
    cat >rig.xml <<END
<rig name="r"><site supply="230 V" circuit="$1"><room temperature="25 degC"/>$2</site>
<chassis part="chassis/full-tower-8-slot"><fan part="fan/generic-120-1500" at="front" count="3"/>
<fan part="fan/generic-120-1500" at="rear"/>$3</chassis><workload kind="training" ${4-}/><run for="2 d"/></rig>
END
}
told() {
    exits 0 "$2: check" "$wattsink" check rig.xml
    if grep -qF -- "$1" out; then pass "$2"; else fail "$2" "no \"$1\" in: $(cat out)"; fi
}
untold() {
    exits 0 "$2: check" "$wattsink" check rig.xml
    if grep -qF -- "$1" out; then fail "$2" "$(grep -F -- "$1" out)"; else pass "$2"; fi
}
psu='<psu part="psu/tier-gold-1600"/>'
card='<gpu part="gpu/rtx-3090-open-air" slot="1"/>'
constant() { echo "<psu kind=\"constant\" rated=\"$1\" efficiency=\"90 %\"/>"; }

eps='one EPS connector is rated for 300 W'
rig "16 A" "" "$psu$card<cpu part='cpu/xeon-w-2255' power='350 W'/>"
told "cpu0 draws 350 W; $eps, connect both" "a processor above one EPS connector"
rig "16 A" "" "$psu$card<cpu part='cpu/xeon-w-2255' power='300 W'/>"
untold "$eps" "a processor within one EPS connector"

exits 0 "check of a machine that is sold with its card" "$wattsink" check "$top/scenarios/desk-machines/spark.xml"
says out 'PSU 240 W: [0-9]+ % loaded' "has the load of its PSU"
"$wattsink" run "$top/scenarios/desk-machines/spark.xml" --for 2h -o spark >advised 2>err
lacks advised 'psu/tier' "no other PSU is advised for it"
lacks out 'Rule of thumb' "and no rules for cards in slots"

gap='of air under its fans'
rig "16 A" "" "$psu$card<gpu part='gpu/rtx-3090-open-air' slot='4'/>"
told "open-air card gpu0 has 3 mm $gap; leave a free slot below it" "a card with the next one 3 mm below it"
rig "16 A" "" "$psu$card<gpu part='gpu/rtx-3090-open-air' slot='5'/>"
untold "$gap; leave" "a card with a free slot below"
rig "16 A" "" "$psu<gpu part='gpu/rtx-2080-ti' slot='1'/><gpu part='gpu/rtx-2080-ti' slot='3'/><gpu part='gpu/rtx-2080-ti' slot='5'/>"
told "open-air cards gpu0, gpu1 have 2 mm of air under their fans; leave a free slot below each" "two cards with the next one 2 mm below them"

# A full chassis: its place for a card is taken, so no advice to leave a slot free.
rig "16 A" "" "$psu<gpu part='gpu/rtx-2080-ti' slot='1'/><gpu part='gpu/rtx-2080-ti' slot='3'/><gpu part='gpu/rtx-2080-ti' slot='5'/><gpu part='gpu/rtx-2080-ti' slot='7'/>"
told "open-air cards gpu0, gpu1, gpu2 have 2 mm of air under their fans, and no slot of their chassis is free; risers, a larger chassis or one card fewer" "three cards that touch in a chassis without a free slot"
untold 'leave a free slot' "no free slot where there is none"

rig "16 A" "" "$(constant '30000 W')$card"
told "below 20 % load the PSU is larger than needed; a PSU of 600 W would run at 56 %" "a PSU too large"
rig "16 A" "" "$(constant '300 W')$card"
told "the PSU is too small by 37 W; use a PSU of at least 400 W, or lower the power limits" "a PSU too small"
rig "16 A" "" "$(constant '300 W')$card"
told "Recommended PSU: " "a PSU is recommended"
sed -n 's/.*Recommended PSU: //p' out >small
rig "16 A" "" "$(constant '3000 W')$card"
told "Recommended PSU: " "also beside one that is too large"
sed -n 's/.*Recommended PSU: //p' out >large
if [ -s small ] && cmp -s small large; then pass "and it is the same"; else fail "and it is the same" "$(cat small large)"; fi
rig "16 A" "" "$(constant "$(cut -d' ' -f1 small) W")$card"
untold "too small" "the recommended PSU is large enough"
rig "16 A" "" "$(constant '600 W')$card"
untold "larger than needed" "a PSU of a fitting size is not too large"
untold "too small" "and not too small"
rig "16 A" "" "$(constant '20 W')$card<gpu part='gpu/rtx-3090-open-air' slot='4'/>"
untold "lower the power limits" "limits that cannot cure a PSU that is many times too small"
size=$(sed -n 's/.*Recommended PSU: \([0-9]*\) W.*/\1/p' out)
told "the PSU is too small by 647 W; use a PSU of at least ${size:-?} W" "and the size is the recommended one"

rig "16 A" "" "$psu<gpu part='gpu/rtx-4090-open-air' slot='1'/><gpu part='gpu/rtx-3080' slot='6'/>"
told "The card's maker recommends 850 W with one GeForce RTX 4090" "the largest rating that makers of the cards recommend"
rig "16 A" "" "$psu<gpu part='gpu/rtx-4090-open-air' slot='1' recommended-psu='1200 W'/>"
told "The card's maker recommends 1200 W with one GeForce RTX 4090" "a board maker's own"
rig "16 A" "" "$psu<gpu part='gpu/rtx-2060' slot='1'/>"
untold "maker recommends" "a card of which none is known"

# The simulation may overrule a rule of thumb only if the uncertainty of the load, 40 % of everything but the cards,
# does not change the result.
host='<cpu part="cpu/generic-desktop" power="150 W" count="1"/>'
rig "16 A" "" "$(constant '590 W')$card"
told "one card needs 600 W: not met (590 W; simulation: " "a PSU under a rule, but far from full"
told "no load step trips it" "overrules it"
rig "16 A" "" "$(constant '590 W')$card$host"
told "one card needs 600 W: not met (590 W; simulation: " "a rule of thumb stays where the processor may draw the difference"
told "too uncertain to overrule it" "leaves it open"
rig "16 A" "" "$(constant '400 W')$card$host"
told "one card needs 600 W: not met (400 W)" "one that is full agrees"

feed='the UPS or PDU is too small'
rig "16 A" "<ups rated='300 W'/>" "$psu$card" ""
told "Advice: $feed" "a UPS too small"
rig "16 A" "<ups rated='3000 W'/>" "$psu$card" ""
told "UPS: 12 % loaded, " "a UPS large enough: its load"
untold "$feed" "a UPS large enough: no advice"

water() {
    rig "16 A" "" "$psu<loop><pump part='pump/d5'/><radiator part='radiator/generic-360' at='front' ${1-}>
<fan part='fan/generic-120-1500' count='3'/></radiator></loop><gpu part='gpu/rtx-3090-open-air' slot='1'><cooler kind='water'/></gpu>
<gpu part='gpu/rtx-3090-open-air' slot='4'><cooler kind='water'/></gpu>"
}
water
told "places for fans at the front of the chassis: 3; used by fans and radiators of the rig: 6" "a radiator where the fans are"
told "(220 W a 120 mm fan place; above 150 W the coolant gets hot or the fans loud)" "a radiator too small"
water 'direction="outside"'
untold "used by fans and radiators of the rig" "a radiator outside takes no place"

breaker='that the breaker (IEC 60898 C) trips within an hour'
rig "1.2 A" "" "$psu$card" 'class="burn"'
told "over the circuit's continuous limit by " "a circuit too small"
told "% chance $breaker; it holds below 317 VA" "its breaker"
rig "2 A" "" "$psu$card" 'class="burn"'
untold "over the circuit's continuous limit" "a circuit large enough"
untold "$breaker" "its breaker holds"

n=0
# failures ATTRIBUTES ADVICE NAME: the page counts failures and ends the line with ADVICE.
failures() {
    n=$((n + 1))
    rig "16 A" "" "$psu$card" "$1"
    exits 0 "$3: run" "$wattsink" run rig.xml -o "out$n"
    says out "^Failures Job failures: [0-9]+; [0-9.]+ GPU-hours of work were done again$2\.\$" "$3"
}
every='; a checkpoint every'
failures "mtbf='2 h' checkpoint-every='30 s' checkpoint-takes='60 s'" "$every 15 min would lose least" "checkpoints too often"
failures "mtbf='2 h' checkpoint-takes='60 s'" "$every 15 min would lose least" "no checkpoints"
failures "mtbf='2 h' checkpoint-every='15 min' checkpoint-takes='60 s'" "" "checkpoints as they should be"
# The extra work that the advice promises must be that of out3, which has the advised interval, over out1 or out2. The
# verdict states the share of work that failures undo.
done_h() { sed -n 's/^.*"work": {.*"done": \([0-9.]*\),.*/\1/p' "$1/summary.json" | head -n 1; }
for often in 1 2; do
    more=$(grep -o 'A checkpoint every 15 min would lose least: about [0-9.]* GPU-hours more work' "out$often/summary.json" | head -n 1 | sed 's/.*about //; s/ .*//')
    awk -v m="${more:-x}" -v b="$(done_h "out$often")" -v a="$(done_h out3)" 'BEGIN { exit !(m > 0 && m > 0.75 * (a - b) && m < 1.33 * (a - b)) }' &&
        pass "advice $often tells the work that checkpoints save" || fail "advice $often tells the work that checkpoints save" "$more, $(done_h "out$often"), $(done_h out3)"
done
says out2/summary.json 'Failures of the job undo [1-9][0-9]+ % of its work\.' "the verdict tells what failures undo"
lacks out3/summary.json 'would lose least: about' "nothing where checkpoints are as they should be"
failures "mtbf='20 h' checkpoint-every='3 min' checkpoint-takes='600 s'" "$every 2 h 30 min would lose least" "long checkpoints"
failures "mtbf='10 min' checkpoint-every='2 s' checkpoint-takes='2 s'" "$every 49 s would lose least" "short checkpoints"
failures "mtbf='100 s' checkpoint-every='30 s' checkpoint-takes='60 s'" \
    "; the job fails about as often as it can be saved: no checkpoints help" "a job that fails too often"
rig "16 A" "" "$psu$card" "mtbf='100 year'"
exits 0 "a job that hardly fails: run" "$wattsink" run rig.xml -o rarely
lacks out '^Failures' "a job that hardly fails"

pair() {
    cat >rig.xml <<END
<rig name="r"><site supply="230 V" circuit="16 A"><room temperature="25 degC"/></site><chassis part="chassis/mid-tower-mesh">
<fan part="fan/generic-120-1500" at="front" count="3"/><fan part="fan/generic-120-1500" at="rear"/><psu part="psu/evga-1600-p2"/>
<gpu part="gpu/rtx-4090" slot="1"/><gpu part="gpu/rtx-4090" slot="$1"/></chassis><workload kind="training"/><run for="1 h"/></rig>
END
}
lost() {
    key=$1
    shift
    "$wattsink" steady rig.xml --json "$@" 2>err | grep -o "\"$key\": [0-9.e-]*" | head -n 1 | cut -d' ' -f2
}
pair 4
exits 0 "two touching cards" "$wattsink" steady rig.xml
says out '^Range .*GPU .* at the wall.*comes mostly from thickness' "temperature and power have their uncertainty, a wide loss its source"
says out 'leave a free slot' "with what to do"
exits 0 "in a chassis that they fill" "$wattsink" steady rig.xml --set chassis.slots=6
says out 'no slot is free: a riser, a larger chassis or one card fewer' "no advice to leave a slot free that is not there"
exits 0 "two touching cards again" "$wattsink" steady rig.xml
says out 'Throttling from heat: .* to [0-9]+ % of the throughput lost' "a loss that a millimetre decides is told as a range"
low=$(lost lost_fraction_low) high=$(lost lost_fraction_high)
for mm in 58 60; do
    at=$(lost lost_fraction --set "gpu[*].thickness=$mm mm")
    if awk "BEGIN {exit !($low <= $at + 0.001 && $at <= $high + 0.001)}"; then
        pass "the range holds what a card of $mm mm loses"
    else
        fail "the range holds what a card of $mm mm loses" "$at, range $low to $high"
    fi
done
exits 0 "a run of them" "$wattsink" run rig.xml -o ranges
says out '^Advice .*throughput \+[0-9]+ to \+[0-9]+ %' "advice that ends the loss tells its gain as a range"
says ranges/summary.json '"lost_fraction_high": 0' "summary.json has the ends"
pair 5
exits 0 "a run without throttling" "$wattsink" run rig.xml -o calm
says out 'No card throttles from heat' "does not throttle"
says out '^Range .*GPU .* at the wall' "and has its uncertainty, too"
says calm/summary.json '"uncertainty": \{ "die_k": [0-9.]+.*"throttle_probability": 0\.[0-9]+' "also in the summary"
says calm/summary.json '"memory_k": [0-9.]+, "memory_low_c": [0-9.]+, "memory_high_c": [0-9.]+, "noise_db": [0-9.]+, "noise_low_dba": [0-9.]+, "noise_high_dba": [0-9.]+' "with memory and noise"
cat >bare.xml <<'EOF'
<rig><site supply="230 V"><room temperature="24 degC"/></site><chassis part="chassis/open-bench"><psu kind="constant" rated="900 W" efficiency="90 %"/>
<gpu part="gpu/l4" slot="1" power="20 W"/></chassis><workload kind="constant" class="idle"/><run for="1 h"/></rig>
EOF
exits 0 "a machine without a fan" "$wattsink" steady bare.xml --json
says out '"memory_k": [0-9.]+, .*"noise_db": null, "noise_low_dba": null, "noise_high_dba": null' "what it does not have is null"
chance=$(sed -n 's/.*"throttle_probability": \([0-9.e-]*\).*/\1/p' calm/summary.json)
warmer=$(lost throttle_probability --set 'site.room.temperature=45 degC')
if awk "BEGIN {exit !($warmer > $chance)}"; then pass "a warm room makes throttling likelier"; else fail "a warm room makes throttling likelier" "$chance, $warmer"; fi
exits 0 "a room in which it may" "$wattsink" steady rig.xml --set 'site.room.temperature=35 degC'
says out 'Heat lowers the clock of a card with a chance of [0-9]+ %' "the page tells a chance that is neither no nor yes"
# Dust at the end of a run, and its hot hours, count in the chance of throttling: it does not contradict the run.
chance_of() { sed -n 's/.*"throttle_probability": \([0-9.e-]*\).*/\1/p' "$1"; }
cat >dusty.xml <<'EOF'
<rig><site><room temperature="25 degC"/></site><chassis part="chassis/mid-tower" dust="60 %" dust-time="12 h">
<fan part="fan/generic-120-1500" at="front" count="2"/><fan part="fan/generic-120-1500" at="rear"/><psu part="psu/tier-gold-850"/>
<cpu part="cpu/generic-desktop"/><gpu part="gpu/rtx-3090" slot="1"/></chassis><workload kind="constant" class="training"/><run for="12 h" step="1 s"/></rig>
EOF
exits 0 "a run that gathers dust" "$wattsink" run dusty.xml -o dusty
says out 'Throttling from heat: 1 of 1 cards' "throttles"
"$wattsink" steady dusty.xml --json -q --set chassis.dust-start=60% --set chassis.dust=0% >end.json
if awk "BEGIN {d = $(chance_of dusty/summary.json) - $(chance_of end.json); exit !(d * d < 1e-4)}"; then
    pass "its chance is that of the dust at its end"
else
    fail "its chance is that of the dust at its end" "$(chance_of dusty/summary.json), $(chance_of end.json)"
fi
sed 's|<room.*/>|<room conductance="25 W/K"><outdoor mean="8 degC" swing="12 K"/></room>|;s| dust=.*">|>|;s|12 h|1 d|' dusty.xml >hours.xml
exits 0 "a run whose afternoon is hot" "$wattsink" run hours.xml -o hours
says out 'Throttling from heat: 1 of 1 cards' "throttles, too"
lacks out 'with a chance of [0-9] %|with a chance of [1-4][0-9] %' "no chance below one half beside that"
if awk "BEGIN {exit !($(chance_of hours/summary.json) >= 0.5)}"; then pass "nor in the summary"; else fail "nor in the summary" "$(chance_of hours/summary.json)"; fi
exits 0 "two cards with a free slot" "$wattsink" steady rig.xml
lacks out 'of the throughput lost' "no range of a loss where none is near"
"$wattsink" run "$top/scenarios/quad-3090-blower/rig.xml" --for 1d -o doubt -q
says doubt/summary.json '"verdict.heat-in-doubt", "text": "With the most likely inputs no card throttles from heat, but the chance that one does is [2-7][0-9] %' "throttling in doubt is in the verdict"
lacks doubt/summary.json 'Nothing [^.]*throttles from heat' "the verdict does not also deny throttling"
"$wattsink" report doubt >/dev/null
says doubt/report.html '<li class="warn">.*<b>Heat</b> With the most likely inputs no card throttles from heat, but the chance that one does is [2-7][0-9] %' "the page of the run says so, too"
# Throttling is as uncertain with fans that fail as with fans that turn very slowly.
for fans in duty=1% fails-at=0s fails-at=30min; do
    "$wattsink" run "$top/scenarios/quad-3090-blower/rig.xml" --for 4h --set "fan[0].$fans" -o "still-$fans" -q
    says "still-$fans/summary.json" '"verdict.heat-in-doubt", "text": "With the most likely inputs no card throttles from heat, but the chance that one does is [2-7][0-9] %' "throttling is in doubt with fan[0].$fans"
done
"$wattsink" run "$top/scenarios/quad-3090-blower/rig.xml" --for 1d -o clear -q --set 'gpu[*].power-limit=180W'
says clear/summary.json 'Nothing [^.]*throttles from heat' "a clear one says that nothing throttles"
lacks clear/summary.json heat-in-doubt "and the verdict has no doubt about heat"

frozen() { "$wattsink" steady "$top/scenarios/water-3090/rig.xml" --set "loop.coolant=$1" --set "room.temperature=$2" --set 'gpu[*].power-limit=100W' >out 2>&1; }
frozen water -40degC
says out 'water: coolant -[0-9.]+ (°C|degC); it freezes at 0\.0' "water below its freezing point is told"
lacks out "hotter than" "and not called too hot"
frozen glycol-30 -30degC
if grep -q '^Coolant .* -[0-9]' out && ! grep -q freezes out; then pass "not glycol at the same temperature"; else fail "not glycol at the same temperature" "$(cat out)"; fi
frozen glycol-30 -50degC
says out 'it freezes at -12\.8' "but glycol below its own"
# The bill of a week, from a run that may lack hours or days with other prices.
week() { # week PERIODS DURATION SENTENCE NAME
    cat >rig.xml <<END
<rig name="r"><site supply="230 V"><room temperature="25 degC"/><tariff kind="time-of-use">$1</tariff></site><load ac="1000 W"/>
<run from="2026-08-02T00:00:00" zone="America/Los_Angeles" for="$2"/></rig>
END
    exits 0 "$4" "$wattsink" run rig.xml -o week --force
    if tr -s '\n ' '  ' <out | grep -qF -- "Electricity: $3"; then pass "$4: told so"; else fail "$4: told so" "$(cat out)"; fi
}
days='<period days="weekdays" price="1 USD/kWh"/><period days="weekends" price="0.1 USD/kWh"/>'
hours='<period from="8:00" to="20:00" price="1 USD/kWh"/><period price="0.1 USD/kWh"/>'
week "$days" "1 d" '16.80 USD a week (about 876 a year), if the rest of the week costs the same.' "the week of a run of one Sunday, weekdays dearer"
says week/summary.json '"annual_partial": true' "the summary tells that the run lacks dearer days"
week "$days" "7 d" '124.80 USD a week (about 6507 a year).' "the week of a run of seven days, weekdays dearer"
lacks week/summary.json annual_partial "the summary tells no lack of days for a whole week"
week "$hours" "6 h" '16.80 USD a week (about 876 a year), if the rest of the week costs the same.' "the week of a run of six night hours, the day dearer"
week "$hours" "2 d" '92.40 USD a week (about 4818 a year).' "the week of a run of two days, the day dearer"
week '<period price="1 USD/kWh"/>' "6 h" '168.00 USD a week (about 8760 a year).' "the week of a run of six hours at one price"

exit $status
