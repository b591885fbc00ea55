#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/helpers.inc"
sed -e 's|<site [^>]*>|<site supply="120 V" circuit="15 A"><branch id="b2" circuit="15 A"/>|' \
    -e 's|<psu .*|<psu id="a" kind="constant" rated="1600 W" efficiency="90 %"/><psu id="b" kind="constant" rated="1600 W" efficiency="90 %" feeds="gpu1" on="b2"/>|' \
    two-cards.xml >two.xml
exits 0 "check of two circuits" "$wattsink" check two.xml
says out 'Circuit site: [0-9]+ VA of 1440 VA' "each circuit's load"
says out 'Circuit b2: [0-9]+ VA of 1440 VA' "and the other's"
says out 'if circuit b2 goes off, the machine stops' "what its loss stops"
exits 0 "run" "$wattsink" run two.xml --for 1h -o two --force
says out 'circuit b2 [0-9]+ of 1440 VA' "the page has both"
exits 0 "json" sh -c "'$wattsink' run two.xml --for 1h -o two --force --json -q"
tr -d '\n' <out >flat
says flat '"circuits": \[ *\{ "id": "site", .*\{ "id": "b2", ' "circuits in the summary"
exits 0 "steady" "$wattsink" steady two.xml
says out 'circuit site [0-9]+ of 1440 VA' "of the steady point, too"
exits 0 "report" "$wattsink" report two
says two/report.html 'Circuit b2: [0-9]+ of 1440 VA' "the report names the circuits"
says two/report.html 'b on b2' "the drawing says which PSU hangs where"
exits 0 "a tripped breaker" "$wattsink" run two.xml --for 1h -o trip --force --set 'branch[b2].circuit=1.5 A'
says out 'The machine stops after' "the verdict leads with it"
says trip/events.csv ',b2,trips,current,trips.current' "an event"
says trip/events.csv ',chassis0,stops,no mains,stops.no-mains' "and what it stops"
says trip/summary.json '"machines_stopped": 1' "and a result"
exits 0 "resumed after the trip" sh -c "'$wattsink' run two.xml --for 1h -o again --force -q --set 'branch[b2].circuit=1.5 A'"
same_results trip again "the same each time"
exits 0 "sweep over where a PSU hangs" "$wattsink" sweep two.xml --for 600s --vary 'psu[b].on=b2,site' --set site.circuit=20A -o moved.csv
says moved.csv 'circuits\[0\].load_peak' "a column for each circuit"
exits 0 "compare" "$wattsink" compare two.xml --vary 'branch[b2].circuit=15A,1.5A' --for 1h
says out 'trip' "a case that trips is told"
says out '^1[.]5A: The breaker of circuit b2 trips after [0-9]+ min [0-9]+ s; the machine stops[.]$' "and that the machine stops"
exits 0 "a failure in each case, and one after the run" "$wattsink" compare two.xml --vary 'branch[b2].fails-at=20min,30min,2h' --for 1h -q
says out '^20min: Circuit b2 fails after 20 min; the machine stops[.]$' "each is told"
says out '^30min: Circuit b2 fails after 30 min; the machine stops[.]$' "each is told"
lacks out '^2h: ' "a circuit that holds is not"
exits 0 "a PSU that fails" "$wattsink" compare two.xml --vary 'psu[a].fails-at=20min,2h' --for 1h -q
says out '^20min: a fails after 20 min; the machine stops[.]$' "is told"
exits 0 "a lost card" "$wattsink" compare two.xml --vary 'gpu[1].lost-at=2h,30min' --for 1h -q
says out '^    Lost with lost cards: [0-9.]+ % of the work instead of 0[.]0 %[.]$' "is told"
exits 0 "UPS" "$wattsink" run two.xml --for 600s -o ups --force --set 'site.ups+=rated=1500W battery=500Wh'
says out 'battery of the UPS of circuit site carries the mean load of [0-9]+ W for [0-9]+ (±|\+-) [0-9]+ min' "minutes with their spread"
says ups/summary.json '"ups": \{ "minutes": ' "as a result"

# The minutes of `check` in an outage of all circuits must be those of a run in which all circuits fail.
cat >outage.xml <<'RIG'
<rig name="A UPS on one of two circuits"><site supply="230 V"><room temperature="21 degC"/><branch id="u" circuit="16 A"><ups rated="2 kW" battery="300 Wh"/></branch>
  <branch id="k" circuit="16 A"/></site><chassis part="chassis/open-bench"><load dc="1200 W"/>
  <psu id="a" kind="constant" rated="1600 W" efficiency="90 %" redundant="yes" on="u"/><psu id="b" kind="constant" rated="1600 W" efficiency="90 %" redundant="yes" on="k"/>
</chassis><run for="3 h"/></rig>
RIG
"$wattsink" check outage.xml >out 2>&1
told=$(sed -n 's/^  UPS battery in an outage of all circuits: about \([0-9]*\) .*/\1/p' out)
"$wattsink" run outage.xml -q -o outage --set 'branch[u].fails-at=1h' --set 'branch[k].fails-at=1h'
stopped=$(sed -n 's/.*"stopped_at_s": \([0-9.]*\).*/\1/p' outage/summary.json)
awk "BEGIN { d = (${stopped:-0} - 3600) / 60 - ${told:-0}; exit !(d <= 0.5 && d >= -0.5 && ${told:-0} > 1) }" && pass "check tells the minutes of an outage of all circuits" || fail "check tells the minutes of an outage of all circuits" "told $told min, stopped at $stopped s"

wrong() {
    sed -e "$2" two.xml >wrong.xml
    exits 3 "$1" "$wattsink" check wrong.xml
    says err "$3" "$1: says so"
}
wrong "an unknown circuit" 's/on="b2"/on="b3"/' 'no <branch> with the id "b3"; expected (site, or b2|b2, or site)'
wrong "two of one id" 's|<branch |<branch id="b2" circuit="10 A"/><branch |' 'already used'
wrong "the name of the site's own circuit" 's/id="b2"/id="site"/; s/on="b2"/on="site"/' 'that of the site'
wrong "the name of its variables and events" 's/id="b2"/id="circuit"/; s/on="b2"/on="circuit"/' 'id "circuit" is that of the site'
wrong "a circuit without a rating" 's/<branch id="b2" circuit="15 A"/<branch id="b2"/' 'lacks circuit'
wrong "a rating below its range" 's/id="b2" circuit="15 A"/id="b2" circuit="0 A"/' 'out of range'
wrong "a branch outside the site" 's|<chassis>|<branch circuit="5 A"/><chassis>|' 'branch'
wrong "a battery without energy" 's|circuit="15 A"/>|circuit="15 A"><ups rated="1 kW" battery="0 Wh"/></branch>|' 'out of range'
wrong "a battery in a strip" 's|circuit="15 A"/>|circuit="15 A"><pdu rated="1 kW" battery="5 Wh"/></branch>|' 'unknown attribute'
wrong "a load on an unknown circuit" 's|</chassis>|<load ac="5 W" on="kitchen"/></chassis>|' 'no <branch> with the id "kitchen"'
wrong "a PSU that its circuit cannot feed" 's|id="b" kind|id="b" supply-min="200 V" kind|' 'b2 has 120 V'
wrong "a PSU below the voltage of its circuit" 's|id="b2" circuit|id="b2" supply="400 V" circuit|' 'takes at most 264 V, and b2 has 400 V'
sed 's|supply="[0-9]* V"|supply="400 V"|' two.xml >phases.xml
exits 3 "three-phase mains" "$wattsink" check phases.xml
says err 'takes at most 264 V, and the site has 400 V.*for three-phase 400 V write 230 V and one <branch> for each phase' "says what to write"
sed 's|id="b" kind|id="b" supply-max="415 V" kind|; s|id="b2" circuit|id="b2" supply="400 V" circuit|' two.xml >takes.xml
exits 0 "a PSU that takes it" "$wattsink" check takes.xml
# mains VOLTS PSU: checks a machine with this part on this mains voltage.
mains() { echo "<rig><site supply=\"$1\"/><chassis><psu part=\"psu/$2\"/><gpu part=\"gpu/rtx-3060\" slot=\"1\"/></chassis></rig>" >mains.xml; "$wattsink" check mains.xml; }
exits 0 "a desktop PSU at the highest mains of 230 V" mains '253 V' tier-gold-850
exits 3 "at 277 V" mains '277 V' tier-gold-850
exits 0 "a PSU for data centres at 277 V" mains '277 V' tier-ruby-3000
exits 3 "at 480 V" mains '480 V' tier-ruby-3000
sed 's|<branch |<branch id="spare" circuit="10 A"/><branch |' two.xml >spare.xml
exits 0 "a branch without a PSU" "$wattsink" check spare.xml
says err 'warning: nothing hangs on spare' "is a warning"
sed 's|on="b2"/>|on="b2"/>|; s|circuit="15 A"/>|circuit="15 A"><ups rated="1500 W"/><pdu rated="1500 W"/></branch>|' two.xml >fed.xml
exits 0 "a UPS and a strip on a branch" "$wattsink" check fed.xml

# lid HEIGHT CARD-ATTRIBUTES: runs `check` for a card with a plug under a lid at this height.
lid() { sed "s|<chassis>|<chassis card-height=\"$1\">|; s|<gpu slot=\"1\"|<gpu slot=\"1\" connector=\"8-pin\" $2|" two-cards.xml >lid.xml; "$wattsink" check lid.xml; }
exits 0 "111 mm and 35 mm of cable under 146 mm" lid '146.2 mm' ''
[ ! -s err ] && pass "and nothing to tell" || fail "and nothing to tell" "$(cat err)"
exits 0 "under 140 mm" lid '140 mm' ''
says err 'warning: gpu0 is 111 mm tall and its plug and cable need 35 mm above it, and the chassis has 140 mm' "a warning within what is known"
exits 3 "under 130 mm" lid '130 mm' ''
exits 0 "with the plug at the end" lid '130 mm' 'plug="end"'
exits 0 "with an angled plug" lid '130 mm' 'plug-bend="15 mm"'
exits 3 "a taller card" lid '150 mm' 'height="138 mm"'
exits 3 "a card taller than the lid, without a plug above" lid '120 mm' 'height="138 mm" plug="end"'
says err 'gpu0 is 138 mm tall, and the chassis has 120 mm' "without a word of plugs"
{
    echo '<rig><chassis part="chassis/server-4u-8gpu"><psu part="psu/tier-gold-1600" rated="6000 W"/>'
    for slot in 1 3 5 7 9 11 13 15; do echo "<gpu part=\"gpu/rtx-2080\" slot=\"$slot\"/>"; done
    echo '</chassis><workload class="training"/></rig>'
} >eight.xml
exits 3 "eight desktop cards in a 4U server" "$wattsink" check eight.xml --parts "$top/parts"
says err 'gpu7 is 116 mm tall and its plug and cable need 35 mm above it, and the chassis has 130 mm' "do not fit under its lid"
sed 's|gpu/rtx-2080|gpu/a100-pcie-40gb|' eight.xml >passive.xml
exits 0 "eight server cards" "$wattsink" check passive.xml --parts "$top/parts"

long=$(printf '%064d' 0)
sed "s/<gpu slot=\"1\"/<gpu id=\"$long\" slot=\"1\"/" two-cards.xml >long.xml
exits 0 "check of a card with the longest id" "$wattsink" check long.xml
says out "^  $long slots 1-2 " "check tells a card's fit by its whole id"
if awk '/mm long/ { at[index($0, " slots ")]++; n++ } END { exit !(n > 1 && length(at) == 1) }' out; then
    pass "with the columns of the other cards below its own"; else fail "with the columns of the other cards below its own" "$(grep 'mm long' out)"; fi

sed 's|<psu .*|<psu id="busy" part="psu/tier-gold-850"/><psu id="spare" part="psu/tier-gold-850"/>|' two-cards.xml >spare.xml
exits 0 "a PSU that feeds nothing" "$wattsink" run spare.xml --for 10min -o spare --force -q
says spare/summary.json '"id": "busy",.*"efficiency_mean": 0\.9' "beside one that feeds all"
says spare/summary.json '"id": "spare",.*"efficiency_mean": null' "has no efficiency"

chained() { sed "s|<psu .*|<psu kind=\"constant\" rated=\"1600 W\" efficiency=\"90 %\" cables=\"$1\"/>|; s|<gpu slot|<gpu connector=\"8-pin 8-pin\" slot|" two-cards.xml >chained.xml; "$wattsink" check chained.xml; }
exits 0 "two cables for four plugs" chained 2
says out 'daisy-chained cable of psu0 carries 2[0-9][0-9] W; its plug is rated 150 W' "more than 150 W through one is told"
exits 0 "a cable for each plug" chained 4
grep -q 'daisy' out && fail "without a chained cable there is no warning" "$(grep daisy out)" || pass "without a chained cable there is no warning"
printf 't_s,power_w\n0,600\n600,100\n' >peak.csv
sed 's|<workload [^>]*>|<workload kind="replay" power="peak.csv"/>|' two-cards.xml >peak.xml
exits 0 "check of a replay" "$wattsink" check peak.xml
says out 'Cards 1200 W' "PSUs are sized for the highest power of the trace"
sed 's|</site>|<pdu rated="2000 W" efficiency="95 %"/></site>|' two-cards.xml >strip.xml
exits 0 "a comparison of rigs with a power strip" "$wattsink" compare strip.xml two-cards.xml --for 1h -q
says out '^UPS and PDU losses +kWh +0[.][0-9]+ ' "its loss has its name"
exit $status
