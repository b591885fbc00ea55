#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/helpers.inc"
parts=$top/parts
rig() {
    printf '<rig name="%s"><site supply="230 V" circuit="16 A"><room temperature="%s degC"/></site><chassis part="chassis/full-tower-8-slot">\n<psu part="psu/tier-gold-1600"/>\n%s\n</chassis><workload class="training"/><run for="2 h"/></rig>\n' \
        "$1" "$3" "$2" >"$1.xml"
}
card() { printf '<gpu part="%s" slot="%s"/>\n' "$1" "$2"; }
# advised $file CODE NAME: the advice about $file.xml has a change with this code. With that change $file.xml loses less
# work to heat, within 3 points of the share that the advice states.
advised() {
    name=$3
    "$wattsink" run "$1.xml" --parts "$parts" -q --json -o "$1" --force >"$1.json" 2>err
    sed -n "/\"code\": \"$2\"/,/\"lost_fraction\"/p" "$1.json" >change
    says change '"set": \[' "$name"
    before=$(sed -n 's/^.*"work": .*"lost_fraction": \([0-9.e-]*\),.*/\1/p' "$1.json" | head -n 1)
    said=$(sed -n 's/.*"lost_fraction": \([0-9.e-]*\),.*/\1/p' change | head -n 1)
    set --
    sed -n 's/.*"set": \["\(.*\)"\],/\1/p' change | head -n 1 | sed 's/", "/\n/g' >sets
    while read -r s; do set -- "$@" --set "$s"; done <sets
    "$wattsink" run "$file.xml" --parts "$parts" -q --json -o followed --force "$@" >followed.json 2>err
    after=$(sed -n 's/^.*"work": .*"lost_fraction": \([0-9.e-]*\),.*/\1/p' followed.json | head -n 1)
    if awk -v b="${before:-x}" -v s="${said:-x}" -v a="${after:-x}" 'BEGIN { exit !(b != "x" && s != "x" && a != "x" && a < b && a - s < 0.03 && s - a < 0.03) }'; then
        pass "$name: does what it says"; else fail "$name: does what it says" "before $before, said $said, after $after: $(cat sets err)"; fi
}
open=gpu/rtx-2080
file=airless
rig $file "$(card $open 1; card $open 4; card $open 7)" 30
advised $file change.new-fans "a case without fans"
file=touching
rig $file "<fan part=\"fan/generic-120-1500\" at=\"front\" count=\"3\"/><fan part=\"fan/generic-120-1500\" at=\"rear\"/>$(card gpu/rtx-3090 1; card gpu/rtx-3090 4; card gpu/rtx-3090 7; card gpu/rtx-3090 10)" 30
sed -i 's/full-tower-8-slot/workstation-12-slot/' $file.xml
advised $file change.fewer-cards-apart "four thick cards that touch"
work() { grep -o '"work": {[^}]*"done": [0-9.]*' "$1" | head -n 1 | sed 's/.* //'; }
awk -v four="$(work $file.json)" -v three="$(work followed.json)" 'BEGIN { exit !(three > 1.5 * four) }' && pass "three cards do more work than four" ||
    fail "three cards do more work than four" "$(work $file.json) $(work followed.json)"
sed 's|supply="230 V" circuit="16 A"|supply="100 V" circuit="20 A" outlet="15 A"|' touching.xml >outlet.xml
file=outlet
advised $file change.fewer-cards-apart "four thick cards that touch, on an outlet of 100 V"
lacks change '"over_circuit_va": [1-9]' "three cards are not said to overload the circuit"
"$wattsink" run "$top/tests/golden/articles/lambda-3080.xml" --for 1h -o lost >out 2>err
says out 'one card fewer[^:]*: [^:]*: throughput \+[0-9]+ to \+[0-9]+ %' "where the loss is hardly known, so is the gain"
says out 'power limits[^:]*: throughput -[0-9]+ to \+[0-9]+ %.*cards may still throttle' "which may be a loss, and the end of throttling is not sure"
file=tier
rig $file "<fan part=\"fan/generic-120-1500\" at=\"front\" count=\"3\"/><fan part=\"fan/generic-120-1500\" at=\"rear\"/>$(for s in 1 3 5 7; do card gpu/rtx-3090-blower $s; done)" 26
sed -i 's|<room[^>]*/>|<room volume="30 m3" conductance="40 W/K"><outdoor mean="20 degC" swing="5 K"/><air-conditioner capacity="2.0 kW" setpoint="26 degC"/></room><tariff kind="flat" price="0.16 USD/kWh"/>|; s|slot="[1357]"|& power-limit="270 W"|' $file.xml
"$wattsink" run $file.xml --parts "$parts" -o $file >out 2>err
says out 'Platinum PSU[^:]*: wall power' "a better PSU gains no throughput, however uncertain the loss to heat is"
file=pair
rig $file "<fan part=\"fan/generic-120-1500\" at=\"front\" count=\"3\"/><fan part=\"fan/generic-120-1500\" at=\"rear\"/>$(card gpu/rtx-4090 1; card gpu/rtx-4090 4)" 22
sed -i 's|supply="230 V" circuit="16 A"|supply="120 V" circuit="15 A"|' $file.xml
advised $file change.slots-between "two thick cards that touch beside free slots"
# Four blowers that heat slows draw most while they are cold. Up to 230 W they keep the circuit's limit then.
"$wattsink" run "$top/scenarios/quad-3090-15a/350.xml" -q --json -o cold >cold.json 2>err
limit=$(sed -n 's/^.*"change": "power limits of \([0-9]*\) W",.*/\1/p' cold.json | head -n 1)
[ "${limit:-0}" -ge 205 ] && [ "$limit" -le 230 ] && pass "limits against the peak of cold cards are not lower than that needs" ||
    fail "limits against the peak of cold cards are not lower than that needs" "limit ${limit:-none}"
file=thick
rig $file "<fan part=\"fan/generic-120-1500\" at=\"front\" count=\"3\"/><fan part=\"fan/generic-120-1500\" at=\"rear\"/>$(card gpu/rtx-3090-fe 1; card gpu/rtx-3090-fe 4)" 28
sed -i 's|part="chassis/full-tower-8-slot"|part="chassis/full-tower-8-slot" slots="6"|' $file.xml
advised $file change.riser-outside "two thick cards and no free slot"
says change '"purchase": 90,' "the price of its cable is told"
cable='gpu[0].riser-cable+=riser-cable/pcie2-x1-usb'
"$wattsink" run $file.xml --parts "$parts" --set 'gpu[0].riser=60mm' --set gpu[0].riser-at=room --set workload.communication=1% --set "$cable" -o usb >out 2>err
tr -s '\n ' '  ' <out >told
says told 'gpu0[^.]*PCI Express 2 x1' "a miner's riser slows the communication of two cards"
exits 3 "a cable in a card that is on no riser" "$wattsink" run $file.xml --parts "$parts" --set "$cable" -o usb --force
says err 'gpu0 is on no riser' "is told"
lacks thick.json '"code": "change.slot' "no slots where there are none"
sed 's|slots="6"|slots="6" riser-places="1" riser-depth="130 mm" side-panel="open"|' $file.xml >bracket.xml
"$wattsink" run bracket.xml --parts "$parts" -q --json -o bracket --force >bracket.json 2>err
says bracket.json '"code": "change.riser(-outside)?"' "a place for an upright card is tried, too"
"$wattsink" check bracket.xml --parts "$parts" --set 'gpu[1].riser=60 mm' >out 2>err
says out 'slot 4 by a riser  ' "check tells the card on it"
"$wattsink" check $file.xml --parts "$parts" --set 'gpu[1].riser=60 mm' --set gpu[1].riser-at=room >out 2>err
says out 'slot 4 by a riser, outside the case' "and one outside"
file=above
blower=gpu/rtx-2080-ti-blower
rig $file "<fan part=\"fan/generic-120-1500\" at=\"front\" count=\"3\"/><fan part=\"fan/generic-120-1500\" at=\"rear\"/>$(card gpu/rtx-2080-ti 1; card $blower 3; card $blower 5; card $blower 7)" 28
advised $file change.last-place "an open-air card above blowers"
file=duct
rig $file "<fan part=\"fan/generic-120-1500\" at=\"front\" count=\"3\"/><fan part=\"fan/generic-120-1500\" at=\"rear\"/>$(card gpu/p40 1)" 25
advised $file change.shroud "a passive card in a tower"
file=full
rig $file "<fan part=\"fan/generic-120-1500\" at=\"front\" count=\"3\"/><fan part=\"fan/generic-120-1500\" at=\"rear\"/>$(card $open 1; card $open 3; card $open 5; card $open 7)" 35
"$wattsink" run $file.xml --parts "$parts" -q --json -o full --force >full.json 2>err
lacks full.json 'change.new-' "no new fans beside fans"
# The stated idle power must be that of the steady point of a rig without work, and its cost must follow from the
# tariff.
file=waiting
rig $file "<fan part=\"fan/generic-120-1500\" at=\"front\" count=\"3\"/>$(card gpu/rtx-3090 1)" 22
sed -i 's|</site>|<tariff kind="flat" price="0.30 EUR/kWh"/></site>|; s|<workload.*|<workload kind="inference" class="decode" load-curve="0 h:15 %, 24 h:15 %"/><run for="1 d"/></rig>|' $file.xml
"$wattsink" run $file.xml --parts "$parts" -o waiting >out 2>err
says out 'Without work, 8[456] % of the time, the rig draws [0-9]+ W, [0-9]+ EUR a year: let it sleep' "idle time has its power and cost"
told=$(sed -n 's/.*the rig draws \([0-9]*\) W, \([0-9]*\) EUR.*/\1 \2/p' out)
idle=$("$wattsink" steady $file.xml --parts "$parts" --set workload.class=idle --json 2>err | grep -o '"wall_kwh": [0-9.]*' | head -n 1 | awk '{ print $2 * 6000 }') # 0.1 kWh are 600 W for ten minutes
awk -v told="$told" -v w="${idle:-0}" 'BEGIN { split(told, t, " "); exit !(w && t[1] - w < 2 && w - t[1] < 2 && (t[2] / (0.85 * t[1] * 8.76 * 0.3) - 1) ^ 2 < 0.0005) }' &&
    pass "they are those of the rig without work" || fail "they are those of the rig without work" "$told, $idle W"
# Where load and price follow the clock, a change saves in each hour what the rig draws then: the rig with the advised
# PSU has that much less on its bill. The idle hours are mostly the cheap ones and add nothing to the demand charge.
cat >clock.xml <<'END'
<rig><site supply="230 V"><room temperature="20 degC"/>
<tariff kind="time-of-use"><period price="0.40 EUR/kWh" from="8:00" to="20:00" days="weekdays"/><period price="0.20 EUR/kWh"/>
<demand price="18 EUR/kW" from="8:00" to="20:00" days="weekdays" window="15 min"/></tariff></site>
<chassis part="chassis/mid-tower-mesh"><psu part="psu/tier-gold-650"/><cpu part="cpu/generic-desktop"/><gpu part="gpu/rtx-4060-ti-16gb" slot="1"/></chassis>
<workload kind="inference" class="training" load-curve="7 h:0 %, 8 h:100 %, 18 h:100 %, 19 h:0 %"/>
<run from="2026-08-03T00:00:00" zone="Europe/Berlin" for="7 d" step="1 s"/></rig>
END
"$wattsink" run clock.xml --parts "$parts" --leap --force -q --json -o clock >clock.json 2>err
set -- $(grep -o 'the rig draws [0-9]* W, [0-9]* EUR' clock.json | tr -dc '0-9 \n' | head -n 1)
awk -v w="${1:-0}" -v eur="${2:-0}" 'BEGIN { kwh = w * 13 * 365 / 1000; exit !(kwh && eur > 0.2 * kwh && eur < 0.23 * kwh) }' &&
    pass "advice prices idle time by the tariff of the idle hours" || fail "advice prices idle time by the tariff of the idle hours" "$* $(cat err)"
annual() { sed -n 's/^ *"cost": {.*"annual": \([0-9.]*\).*/\1/p' "$1" | head -n 1; }
said=$(sed -n '/tier-titanium-650/,/"annual"/s/.*"annual": -\([0-9.]*\).*/\1/p' clock.json | head -n 1)
"$wattsink" run clock.xml --parts "$parts" --leap --force -q --json -o titanium --set psu=psu/tier-titanium-650 >titanium.json 2>err
awk -v b="$(annual clock.json)" -v a="$(annual titanium.json)" -v s="${said:-0}" 'BEGIN { exit !(b && a && s && (b - a) / s < 1.15 && (b - a) / s > 0.85) }' &&
    pass "advice states the saving that a run with the change shows" || fail "advice states the saving that a run with the change shows" "$(annual clock.json) $(annual titanium.json) $said"
"$wattsink" report waiting >out 2>err
says waiting/report.html 'let it sleep' "the report says it, too"
"$wattsink" run $file.xml --parts "$parts" -o working --set 'workload.load-curve=0 h:95 %, 24 h:95 %' >out 2>err
lacks out 'Without work' "the cost of idling is not stated where cards work"
# The stated saving must be the difference in cost to a rig with the hours shifted as advised.
file=evening
rig $file "<fan part=\"fan/generic-120-1500\" at=\"front\" count=\"3\"/>$(card gpu/rtx-3090 1)" 22
sed -i 's|</site>|<tariff kind="time-of-use"><period name="night" from="0:00" to="6:00" price="0.10 EUR/kWh"/><period name="day" price="0.40 EUR/kWh"/></tariff></site>|
s|<workload.*|<workload kind="inference" class="decode" load-curve="15 h:0 %, 15.01 h:100 %, 21 h:100 %, 21.01 h:0 %"/><run for="2 d" from="2026-03-02T00:00:00" zone="Europe/Berlin"/></rig>|' $file.xml
"$wattsink" run $file.xml --parts "$parts" -o evening >out 2>err
says out 'The same work 9 h later each day costs about [0-9]+ EUR a year less, if it can wait' "work at dear hours is moved to cheap ones"
saved=$(sed -n 's/.*costs about \([0-9]*\) EUR a year less.*/\1/p' out)
says evening/summary.json '"code": "advice.later"' "the summary has the advice as a code"
"$wattsink" report evening >out 2>err
says evening/report.html '<b>Hours</b> The same work 9 h later' "the report says it, too"
"$wattsink" run $file.xml --parts "$parts" -o moved --set 'workload.load-curve=0 h:100 %, 6 h:100 %, 6.01 h:0 %, 24 h:0 %' >out 2>err
lacks out 'The same work' "no better hours than the cheapest"
year() { sed -n 's/.*"annual": \([0-9.]*\).*/\1/p' "$1/summary.json" | head -n 1; }
awk -v a="$(year evening)" -v b="$(year moved)" -v s="${saved:-0}" 'BEGIN { exit !(s > 0 && (s / (a - b) - 1) ^ 2 < 0.0009) }' &&
    pass "the moved work saves that" || fail "the moved work saves that" "$saved; $(year evening) $(year moved)"
"$wattsink" run $file.xml --parts "$parts" -o flat --set 'workload.load-curve=0 h:50 %, 24 h:50 %' >out 2>err
lacks out 'The same work' "no hours are advised for a constant load"
# Between the last point of the curve and the first one of the next day the load is linear, too: a curve that has a
# point at midnight on that line is the same.
"$wattsink" run $file.xml --parts "$parts" -o wraps --set 'workload.load-curve=8 h:0 %, 20 h:100 %' >out 2>err
"$wattsink" run $file.xml --parts "$parts" -o midnight --set 'workload.load-curve=0 h:66.6666667 %, 8 h:0 %, 20 h:100 %, 24 h:66.6666667 %' >out 2>err
told() { grep -o 'The same work [^"]* a year less' "$1/summary.json" | head -n 1; }
[ -n "$(told midnight)" ] && [ "$(told wraps)" = "$(told midnight)" ] &&
    pass "the load over midnight counts" || fail "the load over midnight counts" "$(told wraps); $(told midnight)"
"$wattsink" run "$top/scenarios/quad-3090-blower/rig.xml" --for 3h -o blowers >out 2>err
says out 'No change that was tried against noise is worth it\.' "no change against noise"
tr -s '\n ' '  ' <out >told
says told 'Tried: lower power limits, [^.]*other speeds of the cards.? fans\.' "says what was tried"
lacks told 'Tried:[^.]*other slots' "but no slots where all are taken"
# Power limits that make the rig quiet enough are listed beside changes that leave it too loud, and not as "not worth
# it".
"$wattsink" run "$top/scenarios/quad-3090-blower/rig.xml" --for 20min --leap --set 'gpu[*].power-limit=260 W' -o quieter >out 2>err
tr -s '\n ' '  ' <out >told
says told 'Only noise is a problem\. Trade-offs: .*power limits of [0-9]+ W: [^:]*, then quiet enough for a desk\.' "advice lists the power limits that end the noise"
"$wattsink" run "$top/scenarios/quad-3090-blower/rig.xml" --for 20min --leap --set 'gpu[*].power-limit=260 W' --set psu=psu/tier-bronze-1600 -o quieter --force >out 2>err
tr -s '\n ' '  ' <out >told
says told 'Platinum PSU.* Against noise there are only trade-offs: .*power limits of [0-9]+ W: [^:]*, then quiet enough for a desk\.' "so they are beside another change"
lacks told 'No change that was tried against noise is worth it' "and no heading says otherwise"
# A change that only cools the room is not listed as one against noise.
cat >ducts.xml <<'END'
<rig>
  <site supply="230 V" circuit="16 A" place="room">
    <room volume="30 m3" conductance="25 W/K"><outdoor mean="12 degC" swing="5 K"/></room>
    <tariff part="tariff/flat-gb"/>
  </site>
  <chassis part="chassis/test-bench">
    <psu part="psu/tier-bronze-750"/>
    <cpu part="cpu/xeon-e5-2680-v4"/>
    <gpu part="gpu/p40" slot="1"><cooler part="cooler/shroud-40"/></gpu>
    <gpu part="gpu/p40" slot="3"><cooler part="cooler/shroud-97-blower"/></gpu>
  </chassis>
  <workload kind="inference" class="moe-decode"/>
  <run for="1 d"/>
</rig>
END
"$wattsink" run ducts.xml --leap -o ducts >out 2>err
tr -s '\n ' '  ' <out >told
says told 'Advice .*Trade-offs: the room aired [^:]*: [^:]*the room then stays below 35' "a change against the hot room is a trade-off"
lacks told 'against noise' "and not one against noise"
file=bath
sed 's/room temperature="26 degC"/room temperature="52 degC"/; s/<run [^>]*>/<run for="2 h" start="steady"\/>/' "$top/scenarios/immersion-3090/rig.xml" >$file.xml
advised $file change.radiator-fans "a bath too warm"
file=cdu
sed 's|loop/facility-cdu" supply="17 degC"|loop/facility-cdu" supply="62 degC"|; s/<run [^>]*>/<run for="2 h" start="steady"\/>/' "$top/scenarios/sxm-air-vs-liquid/liquid.xml" >$file.xml
advised $file change.colder-water "facility water too warm"
lacks cdu.json 'change.radiator-fans' "no fans where there are no radiators"
# troubled FILE NAME: the advice about FILE.xml must not print "Nothing needs help" beside a problem that the verdict or
# a warning states.
troubled() {
    "$wattsink" run "$1.xml" --parts "$parts" -o "$1" --force >out 2>err
    if grep -q 'Nothing needs help' out || ! grep -q '^Advice' out; then fail "$2 needs help" "$(cat out)"; else pass "$2 needs help"; fi
}
single="<fan part=\"fan/generic-120-1500\" at=\"front\" count=\"3\"/><fan part=\"fan/generic-120-1500\" at=\"rear\"/>$(card gpu/rtx-3090 1)"
file=cool
rig $file "$single" 22
"$wattsink" run $file.xml --parts "$parts" -o calm --force >out 2>err
says out '^Advice +Nothing needs help' "a cool card in a roomy case needs no help"
sed 's/slot="1"/slot="1" vrm-limit="60 degC"/' $file.xml >vrm.xml
troubled vrm "a part over its limit"
sed 's|</site>|<ups part="ups/online-1500" rated="300 W"/></site>|' $file.xml >ups.xml
troubled ups "an overloaded UPS"
says out '^Verdict +The UPS or power strip is loaded to 1[0-9][0-9] % of its rating\.' "the verdict tells it"
says ups/summary.json '"overloads": true' "and the flag of overloads"
"$wattsink" report ups >out 2>err
says ups/report.html 'aria-label="bad">[^<]*</span><b>Power</b>[^<]*The UPS or power strip is loaded to' "and the report, as bad"
# fed FILE CODE NAME: the advice about FILE.xml has a change with this code that ends the overload of UPS or power
# strip, and with that change $file.xml has no overload.
fed() {
    name=$3
    "$wattsink" run "$1.xml" --parts "$parts" -q --json -o "$1" --force >"$1.json" 2>err
    sed -n "/\"code\": \"$2\"/,/\"lost_fraction\"/p" "$1.json" >change
    says change 'effect.within-feed' "$name"
    set --
    sed -n 's/.*"set": \["\(.*\)"\],/\1/p' change | head -n 1 | sed 's/", "/\n/g' >sets
    while read -r s; do set -- "$@" --set "$s"; done <sets
    "$wattsink" run "$file.xml" --parts "$parts" -q --json -o followed --force "$@" >followed.json 2>err
    if [ -s sets ] && grep -q '"overloads": false' followed.json; then pass "$name: does what it says"; else fail "$name: does what it says" "$(cat sets err)"; fi
}
file=ups
fed ups change.power-limit "lower limits for an overloaded UPS"
fed ups change.ups-part "or a larger UPS"
says change '"purchase": 0' "which costs nothing more where it is the same part"
sed 's|ups/online-1500|ups/line-interactive-1500|' ups.xml >priced.xml
file=priced
fed priced change.ups-part "a larger one than a cheap one"
says change '"purchase": 300,' "costs the difference"
sed 's|<ups part="ups/online-1500" rated="300 W"/>|<pdu part="pdu/strip-16a" rated="300 W"/>|' ups.xml >strip.xml
file=strip
fed strip change.no-strip "an overloaded strip"
sed 's|rated="300 W"|rated="500 W"|; s|<psu part="psu/tier-gold-1600"/>|<psu part="psu/tier-gold-1000" feeds="gpu0"/><psu part="psu/tier-gold-550"/><gpu part="gpu/rtx-3090" slot="5"/>|' strip.xml >halves.xml
file=halves
fed halves change.second-circuit "two PSUs on one strip"
cp ups.xml large.xml && sed -i 's|rated="300 W"|rated="1500 W"|' large.xml
"$wattsink" compare ups.xml large.xml --parts "$parts" >out 2>err
says out 'ups: UPS or power strip load 1[0-9][0-9] % of its rating' "compare tells the overload"
lacks out '^Winner: ups' "and ranks no such case"
sed 's|<workload class="training"/>|<workload kind="inference" model="model/llama-3.1-70b" quant="Q4_K_M" engine="llama.cpp" context="8192"/>|' $file.xml >model.xml
troubled model "a model that does not fit"
says out 'Only the model is a problem' "which is told"
# Beside changes of the rig, the advice begins with the model.
serves() {
    sed "s|<workload .*/>|<workload kind=\"inference\" model=\"model/$1\"/>|" "$top/scenarios/quad-3090-blower/rig.xml" >serves.xml
    "$wattsink" run serves.xml --leap --for 1h --set psu=psu/tier-bronze-1600 -o "serves-$1" >out 2>err
    tr -s '\n ' '  ' <out >told
}
serves llama-3.1-70b
says told 'Advice With split="layer" the cards share one copy of the model, which fits into their 96\.0 GiB\. .* PSU ' \
    "the advice begins with the split"
serves llama-3.1-405b
says told 'Advice A smaller quantisation, a shorter context or cards with more memory would let the model fit\. .* PSU ' \
    "or with what would let the model fit"
file=cool
printf 'time_s,power_w\n0,60\n3000,60\n3001,345\n3600,345\n3601,60\n7200,60\n' >peak.csv
sed 's|<room|<branch id="b2" supply="120 V" circuit="3 A"/><room|; s|tier-gold-1600"|tier-gold-1600" on="b2"|; s|<workload class="training"/>|<load ac="1400 W" on="site"/><workload kind="replay" power="peak.csv"/>|' $file.xml >branch.xml
troubled branch "a brief overload of one circuit of two"
says out 'circuit b2 [0-9]+ of 288 VA' "that is one"
lacks out 'Without work' "a replay of power tells no time without work"
file=l40s
printf '<rig><site supply="120 V"><room temperature="25 degC"/><tariff kind="flat" price="0.30 USD/kWh"/></site><chassis part="chassis/full-tower-8-slot"><fan part="fan/generic-120-1500" at="front" count="2" speed="800 rpm"/><fan part="fan/generic-120-1500" at="rear" speed="800 rpm"/><psu part="psu/tier-gold-850"/><cpu part="cpu/generic-workstation"/><gpu part="gpu/l40s" slot="1"/></chassis><workload kind="constant" class="training"/><run for="2 h"/></rig>\n' >$file.xml
"$wattsink" run $file.xml --parts "$parts" -o $file >out 2>err
says out '^Advice .*cooler/shroud-97-blower.*no shutdown' "a passive card of 350 W that shuts down gets a fan in a duct"
lacks out 'GPU temperature' "and no temperature beside that of a card that is off"
spread() { sed -n 's/.*"annual": \([0-9.]*\), "annual_low.*/\1/p' "$1/summary.json"; }
sed 's|price="0.30 USD/kWh"|price="0.30 USD/kWh" standing-day="2 USD"|' $file.xml >standing.xml
"$wattsink" run standing.xml --parts "$parts" -q -o standing >out 2>err
if awk -v a="$(spread $file)" -v b="$(spread standing)" 'BEGIN { exit !(a > 0 && a - b < 1e-9 && b - a < 1e-9) }'; then
    pass "a standing charge is certain"; else fail "a standing charge is certain" "$(spread $file) $(spread standing)"; fi
# Two touching open-air cards of a hot room, which shut down at one end of their uncertainty: from there any work is an
# unbounded gain, and a single number would hide it.
cat >touch.xml <<'RIG'
<rig><site supply="120 V" circuit="15 A"><room volume="35 m3" conductance="25 W/K"><outdoor mean="28 degC" swing="5 K"/></room></site>
  <chassis part="chassis/mid-tower-mesh"><fan part="fan/generic-120-1500" at="front" count="2"/><fan part="fan/generic-120-1500" at="rear"/>
    <psu part="psu/corsair-rm1000i"/><cpu part="cpu/generic-desktop"/><gpu part="gpu/rtx-3090" slot="1"/><gpu part="gpu/rtx-3090" slot="4"/></chassis>
  <workload kind="inference" model="model/llama-3.1-70b" split="layer" load-curve="24 h:60 %"/><run from="2026-07-06T00:00:00" for="1 d"/></rig>
RIG
"$wattsink" run touch.xml -q -o touch >out 2>err
says touch/summary.json '"lost_fraction_high": 1,' "cards that may shut down"
says touch/summary.json '"text": "[^"]*throughput \+[0-9]+ % or more' "gain at least what they gain at the better end"
lacks touch/summary.json '"text": "[^"]*throughput \+[0-9]+\.[0-9] %' "and no gain is told to a tenth of a per cent"
exit $status
