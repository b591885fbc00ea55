#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/helpers.inc"

json() { sed -n "s/.*\"$2\": \([-0-9.e]*\).*/\1/p" "$1/summary.json" | head -n 1; }
value() {
    text=$(printf "$3" "$(json "$1" "$2")")
    if grep -qF -- "$text" "$1/report.html"; then pass "$4"; else fail "$4" "no '$text'"; fi
}
lacks() { if [ ! -s "$1" ] || grep -qE -- "$2" "$1"; then fail "$3" "$(grep -oE -- ".{0,40}($2).{0,40}" "$1" | head -3)"; else pass "$3"; fi; }
sound() {
    if command -v xmllint >/dev/null; then
        sed -E 's/<(meta|link|br)([^>]*)>/<\1\2\/>/g; /^<!DOCTYPE/d' "$1" >as.xml
        if xmllint --noout as.xml 2>xml.err; then pass "$2"; else fail "$2" "$(head -3 xml.err)"; fi
    else
        echo "skip $2: no xmllint"
    fi
}

"$wattsink" run two-cards.xml --for 1d -o r -q
exits 0 "a report" "$wattsink" report r
says out '^r/report\.html$' "says where it is"
page=r/report.html
sound $page "is well-formed"
lacks $page '<b>[0-9]+\.[0-9]{7,}' "writes an input's value as people read it"
lacks $page '[0-9]{3,} minutes' "counts hours in hours"
value r wall_kwh '%.4g kWh at the wall' "energy as in the summary"
value r wall_peak_w 'Max %.0f W at the wall' "peak as in the summary"
value r die_max_c '<td>%.1f</td>' "temperature as in the summary"
value r power_mean_w '<td>%.1f</td>' "power as in the summary"
even=$(printf '<small> ±%.1f</small>' "$(json r die_k)")
ends=$(printf '<small>(%.1f to %.1f)</small>' "$(json r die_low_c)" "$(json r die_high_c)")
if grep -qF -e "$even" -e "$ends" $page; then pass "a tile has the uncertainty of the summary"; else
    fail "a tile has the uncertainty of the summary" "neither '$even' nor '$ends'"; fi
cp -R r older
sed -i 's/"\(die\|wall\|annual\)_\(low\|high\)[_cw]*": [^,]*, //g' older/summary.json
if grep -q '"die_low_c"' older/summary.json; then fail "a summary of an earlier version"; fi
exits 0 "a report of a summary of an earlier version" "$wattsink" report older
says older/report.html "<small> ±$(printf %.1f "$(json r die_k)")</small>" "has its uncertainty"
says $page '<b>Range</b>' "the ranges have a row"
value r residual_rel '<b>%.1e</b>' "residual as in the summary"
for section in 'The machine' 'Over time' 'Throttling' 'From the wall to heat' 'In numbers' 'Every input and its source' 'Energy balance'; do
    says $page "<h2>$section</h2>" "has a section: $section"
done
order=$(grep -oE 'aria-label="Verdict"|<h2>[^<]*' $page | head -n 3 | tr '\n' '|')
[ "$order" = 'aria-label="Verdict"|<h2>The machine|<h2>Over time|' ] && pass "the verdict comes first" || fail "the verdict comes first" "$order"
[ "$(grep -o '<svg role="img"' $page | wc -l)" = "$(grep -o '<title id="pt' $page | wc -l)" ] &&
    pass "every picture has a title" || fail "every picture has a title"
says $page '<html lang="en">' "has a language"
says $page 'name="viewport"' "is for phones too"
says $page 'warmed further by the board of the card next to it' "says what warms an inlet besides the air that comes in"
[ "$(grep -c 'class="draw wide"' $page)" = "$(grep -c 'class="draw phone"' $page)" ] && says $page 'class="draw phone"' "draws the machine for a narrow screen as well"
says $page '<b>(Advice|Change 1)</b>' "labels what would help"
lacks $page '<b></b>' "leaves no line without its label"
lacks $page 'details::details-content' "prints folded what is folded on the screen"

cat >va.xml <<'END'
<rig name="va">
  <site supply="120 V" circuit="15 A"><room temperature="25 degC"/></site>
  <chassis kind="frame"><psu kind="constant" rated="2000 W" efficiency="90 %" power-factor="70 %"/><load name="x" dc="1100 W"/></chassis>
  <run for="2 h" step="1 s"/>
</rig>
END
"$wattsink" run va.xml -o va -q
exits 0 "a report of a circuit that a low power factor overloads" "$wattsink" report va
says va/report.html 'Max 1222 W at the wall\. Circuit site: 1746 of 1440 VA, above its limit for 2 hours' "tells the load in VA"

limit() { sed -n "s/^#define $1 //p" "$top/include/wattsink.h"; }
says $page "The limit is $(limit WSK_LOUD_DBA) dBA \(ASR A3.7\)" "judges noise by the library's limit"
for at in "$(($(limit WSK_WARM_ROOM_C) + 1)):the $(limit WSK_WARM_ROOM_C) °C that" "$(($(limit WSK_HOT_ROOM_C) + 1)):\($(limit WSK_HOT_ROOM_C) °C, ASHRAE A2\)"; do
    "$wattsink" run two-cards.xml --set "room.temperature=${at%%:*}degC" --for 10min -q -o warm --force
    "$wattsink" report warm >/dev/null
    says warm/report.html "The room is at ${at%%:*}.0 °C\. That is (over|hotter).*${at#*:}" "and a room of ${at%%:*} °C, told once"
done
says warm/report.html '</b> gpu0: no measurements of this card' "an id begins a sentence as it is written"
"$wattsink" run two-cards.xml --set run.from=1965-08-03T09:00:00 --for 2d -o old -q
exits 0 "a report of a run before 1970" "$wattsink" report old
says old/report.html 'Tue 3 Aug 09:00' "has its time of day"
"$wattsink" run "$top/scenarios/quad-3090-15a/350.xml" --for 2h -o over >out 2>err
exits 0 "a report of what trips" "$wattsink" report over
for words in 'no trip' 'within the circuit'; do
    says over/report.html "<b>Change [1-3]</b> .*$words" "tells a change with what decides: $words"
done
lacks over/report.html '<b>Change [1-3]</b> .*would still trip' "lists no change that still trips next to one that cures"
head=$(sed -n 's/.*class="headline">\(.*\)<\/p>.*/\1/p' over/report.html)
[ -n "$head" ] && COLUMNS=999 "$wattsink" run "$top/scenarios/quad-3090-15a/350.xml" --for 2h -o over --force 2>err | grep -qF "Verdict  $head" &&
    pass "has the run's verdict for a headline" || fail "has the run's verdict for a headline" "$head"
# The rig is too loud, so each change that is marked as a cure must say that the rig is then quiet enough.
grep -E '<li class="good"><span[^>]*>✓</span><b>Change' over/report.html | grep -v 'then quiet enough for a desk' >loud
if [ -s loud ]; then fail "marks none as a cure that leaves it loud" "$(cat loud)"; else pass "marks none as a cure that leaves it loud"; fi
"$wattsink" run "$top/scenarios/side-panel/open-air-open.xml" --for 1h -q -o calm
"$wattsink" report calm >/dev/null
says calm/report.html '<b>Advice</b> Nothing needs help\.</li>' "says once that nothing needs help"
lacks calm/report.html '<b>(Trade-off|Change 1)</b> [^<]*(Trade-offs|Nothing needs)' "and not ahead of each change"
says calm/report.html '<b>Trade-off</b> [A-Z][^<]*: throughput −[0-9]' "tells what was tried"
"$wattsink" run "$top/scenarios/fan-dies/pump.xml" --for 10803s -o soon >soon.txt
exits 0 "a pump that stops 3 s before the end" "$wattsink" report soon
says soon/summary.json '"shuts_down_later": true' "the summary has what it leads to"
says soon.txt 'Failure .*, shutdown only after the end of this run' "the run tells what it leads to"
says soon/report.html 'shutdown only after the end of this run' "and the report, too"
sed 's/<loop>/<loop id="water">/' "$top/scenarios/fan-dies/pump.xml" >water.xml
"$wattsink" run water.xml --for 4h -q -o pump
exits 0 "a report of a shutdown" "$wattsink" report pump
says pump/report.html '<b>Warning</b> water: coolant' "the id of a loop keeps its small letter"
says pump/report.html '<b>Heat</b> Shut down from heat after the failure: 2 of 2 cards' "says that it shuts down"
says pump/report.html '<b>Advice</b> After the failure: No change that was tried ends the shutdown; replace each failed part\. Tried: ' "and what to do"
# Power limits and heat each take points from full throughput, and together with the remaining throughput they make
# 100. Rounding to whole points changes the sum by at most 1.5.
sed -n 's/.*Throughput \([0-9.]*\) % of full: power limits −\([0-9.]*\), heat −\([0-9.]*\) points.*/\1 \2 \3/p' pump/report.html >points
awk '{ d = $1 + $2 + $3 - 100; ok = d * d <= 2.25 && $2 > 0 && $3 > 0 } END { exit !ok }' points &&
    pass "does not lose more than all of the throughput" || fail "does not lose more than all of the throughput" "$(cat points)"
lacks pump/report.html 'No card throttles|one can work beside|thermal runaway' "praises nothing in what shuts down"

"$wattsink" run "$top/scenarios/redundant-8gpu/braked.xml" --for 13h -q -o braked
exits 0 "a report of a power brake" "$wattsink" report braked
says braked/report.html 'Throughput [0-9.]+ % of full: .*the power brake −[1-9]' "blames the brake, not heat"
says braked/report.html '<b>Change 1</b> After the failure: [a-z].*\.</li>' "tells what its changes are for"
lacks braked/report.html '<b>Advice</b> [^<]*:</li>' "with no row for the label alone"
says braked/report.html '<b>Failure</b> psu[0-9] stopped at 12 h; ' "names what fails"
# All sentences of the advice of run are on the page, also where no change follows.
cat >fan.xml <<'XML'
<rig>
  <site supply="230 V" circuit="16 A" place="room"><room temperature="20 degC"/></site>
  <chassis part="chassis/full-tower-8-slot">
    <fan part="fan/generic-120-1500" at="front" count="3"/><fan part="fan/generic-120-1500" at="rear" fails-at="10 min"/>
    <psu part="psu/tier-titanium-1200"/><cpu part="cpu/ryzen-9-7950x"/>
    <gpu part="gpu/rtx-3090-blower" slot="1" power-limit="280 W"/>
  </chassis>
  <workload class="training"/><run for="2 h"/>
</rig>
XML
"$wattsink" run fan.xml -q -o fan
exits 0 "a report of a failed fan" "$wattsink" report fan
says fan/report.html '<b>Advice</b> After the failure: Replace fan1\. Apart from that: Only noise is a problem\.</li>' "has the whole advice"
says fan/report.html '<b>Trade-off</b> [A-Z]' "and the trade-off by itself"
exits 0 "in Japanese" "$wattsink" report fan --lang ja
says fan/report.html 'fan1 を交換してください。そのほかには、問題は騒音だけです。</li>' "has the whole advice"
lacks fan/report.html '、。' "and no sentence without an end"
sed 's|</site>|<branch id="b2" circuit="15 A" fails-at="40 min"/></site>|; s|<psu |&on="b2" |; s|<gpu slot="1"|& lost-at="30 min"|' two-cards.xml >lost.xml
"$wattsink" run lost.xml --for 1h -o lost >page 2>err
exits 0 "a report of a lost card and a lost circuit" "$wattsink" report lost
says page '^Failure +circuit b2 stopped at 40 min, gpu0 stopped at 30 min; |^Failure +gpu0 stopped at 30 min, circuit b2 stopped at 40 min; ' "run names both"
says lost/report.html '<b>Failure</b> gpu0 stopped at 30 min, circuit b2 stopped at 40 min; ' "the report, too"
says lost/report.html '<li class="bad"><span [^>]*>✗</span><b>Work</b>' "and marks the work that it costs as bad"
says lost/report.html 'Colours: highest temperatures of the run' "its drawing is coloured by the highest temperatures"
says lost/report.html '<desc [^>]*>Side view.* coloured by highest GPU temperature\.' "and is described so"
sed '/<h2>Every input/,$d' braked/report.html >told.html
lacks told.html 'The psu|A part fails|−0\.?0*<|[0-9] degC|[0-9]\.[0-9]+ (minutes|hours|days)' "and speaks plainly"
lacks $page '>-0 (h|min)<' "its clock begins at 0"
lacks braked/report.html 'begins 0 s later|: \.<' "and no incomplete sentence"

"$wattsink" run load.xml --set 'load.duty=100%' --for 365d --leap -o year >year.txt
lacks year.txt '[0-9]e[+][0-9]' "the run's page has no number with an exponent"
says year.txt '^Energy +[0-9]{5} kWh at the wall' "nor rounds kWh away"
exits 0 "a year of much power" "$wattsink" report year
sed '/<h2>Every input/,$d' year/report.html >told.html
lacks told.html '[0-9]e[+][0-9]' "writes no number with an exponent"
says told.html '[0-9]{5} kWh at the wall' "nor rounds kWh away"
says told.html 'The hottest hours \([^)]*\) are shaded, and drawn by themselves: day [0-9]+, 0?[0-9]+:00 to ' "nor calls a row of six hours an hour"
# events.csv lacks the events of load cycles that --leap skips; report and output of the run say so. A run by ticks has
# all events.
cat >limits.xml <<'RIG'
<rig name="limits"><site supply="230 V" circuit="16 A"><room temperature="24 degC"/></site>
  <chassis part="chassis/full-tower-8-slot"><fan part="fan/generic-120-1500" at="front" count="3"/><fan part="fan/generic-120-1500" at="rear"/>
    <psu part="psu/tier-gold-1600"/><cpu part="cpu/generic-workstation"/>
    <gpu part="gpu/rtx-3090" slot="1" limit-schedule="7:00:250 W, 22:00:350 W"/>
    <gpu part="gpu/rtx-3090" slot="4" limit-schedule="7:00:250 W, 22:00:350 W"/></chassis>
  <workload kind="training" class="training"/><run from="2026-08-03T00:00:00" for="3 d"/></rig>
RIG
for way in leap ticks; do
    "$wattsink" run limits.xml $([ $way = leap ] && echo --leap) -o "limits-$way" >"limits-$way.txt"
    "$wattsink" report "limits-$way" >/dev/null
done
skipped=$(sed -n 's/.*"skipped": \([0-9]*\).*/\1/p' limits-leap/summary.json)
says limits-leap/report.html "Events of skipped cycles are not listed \\(skipped: $skipped\\)" "tells that events of skipped cycles are not listed"
says limits-leap.txt '^Events of skipped cycles are not listed\.$' "as does the run's page"
lacks limits-ticks/report.html 'skipped cycles' "which a run by ticks has"
lacks limits-ticks.txt 'skipped cycles' "on its page too"
"$wattsink" run "$top/scenarios/home-100v-jp/four-100v.xml" --for 1d -o yen >yen.txt 2>&1
"$wattsink" report yen >/dev/null
says yen/report.html '<dt>electricity cost of a week</dt><dd>[0-9]{4,} JPY<' "large sums of money are whole"
sed '/<h2>Every input/,$d' yen/report.html >told.html
lacks told.html '[0-9]{2}\.[0-9]+ JPY' "nor have their shares cents"
says yen.txt '^Cost +[0-9]{4,} JPY for ' "nor has the run's own line"
says yen/report.html 'JPY for 1 day[;.]' "one day is one"
says yen/report.html 'continuous limit of 1500 W for .*\. Max PSU load: [0-9.]+ % of its available output' "tells of what a share is"
sed '/<h2>Every input/,$d' yen/report.html >told.html
lacks told.html " -[0-9]|[a-z]'s " "sets minus signs and apostrophes"
[ "$(sed -n '/<h2>From the wall/,/<h2>What it/p' yen/report.html | grep -oE '<tspan class="b">[0-9.]+ kWh' | sed 's/.*\.//; s/ .*//' | awk 'length < 2' | wc -l)" = 0 ] &&
    pass "and the same decimals along the flow" || fail "and the same decimals along the flow" "$(grep -oE 'class="b">[0-9.]+ kWh' yen/report.html)"

says $page "default-src 'none'" "forbids all loading"
lacks $page '<script|<iframe|<object|javascript:| on[a-z]+=|style="' "no script, no inline style"
lacks $page '(src|href)="(http|//|file)' "no address to load from"
lacks $page "unsafe-" "no unsafe rule"
if command -v openssl >/dev/null; then
    sed -n 's/^<style>\(.*\)<\/style>$/\1/p' $page | tr -d '\n' >style
    digest=$(openssl dgst -sha256 -binary style | openssl base64)
    grep -qF "style-src 'sha256-$digest'" $page && pass "the policy of the page allows its style by digest" || fail "the policy of the page allows its style by digest" "$digest"
else
    echo "skip its style is the one it allows: no openssl"
fi

lacks $page 'nan|>inf|-inf|NaN' "no nan and no inf"
"$wattsink" run load.xml --for 2h -o l -q
exits 0 "a rig without cards" "$wattsink" report l
sound l/report.html "is well-formed"
lacks l/report.html '<h2>Throttling|<caption>Cards|GPU temperature, max|Max GPU' "shows no cards"
lacks l/report.html 'nan|>inf|-inf' "no nan and no inf"
echo '<rig/>' >nothing.xml
"$wattsink" run nothing.xml --for 2h -o nothing -q
exits 0 "a rig of nothing" "$wattsink" report nothing
sound nothing/report.html "is well-formed"
lacks nothing/report.html '<h2>What it costs|a year|USD|EUR|<caption>PSUs' "costs nothing and draws nothing"
"$wattsink" run two-cards.xml --for 1s -o second -q
exits 0 "a run of one second" "$wattsink" report second
lacks second/report.html 'nan|>inf|the hottest hour' "has no hottest hour"
"$wattsink" run "$top/scenarios/spacing/four-water.xml" --for 3h -o wet -q
exits 0 "a rig in water" "$wattsink" report wet
says wet/report.html 'water block' "shows its blocks"
says wet/report.html 'figcaption>Processor, coolant and air|figcaption>Coolant and air' "and a curve of its coolant"
lacks $page 'figcaption>[A-Z][a-z, ]*coolant' "a rig without a loop has no coolant curve"
sound wet/report.html "is well-formed"

# With negative prices the bill falls: from the first hour on, or after three quarters of a day.
price() { awk -v paid="$1" 'BEGIN { print "time,price_usd_per_mwh"; for (h = 0; h < 24; h++) printf "2026-08-03T%02d:00:00,%d\n", h, h < paid ? 200 : -300 }'; }
sed 's|<tariff[^>]*/>|<tariff kind="spot" file="spot.csv"/>|; s|<run [^>]*/>|<run from="2026-08-03T00:00:00" zone="UTC" for="1 d" step="1 s"/>|' "$top/scenarios/single-3090/rig.xml" >falls.xml
price 0 >spot.csv
"$wattsink" run falls.xml -o gain -q
exits 0 "a bill below zero" "$wattsink" report gain
sed -n '/<h2>What it costs/,/<\/section>/p' gain/report.html >bill.html
says bill.html '<p>−[0-9.]+ USD for 1 day' "is told"
hours() { grep -oE "<title>[0-2][0-9]:00 $1[0-9.]+ USD" "$2/report.html" | wc -l; }
[ "$(hours − gain)" = 24 ] && pass "with what each hour brings in" || fail "with what each hour brings in" "$(cat bill.html)"
price 18 >spot.csv
"$wattsink" run falls.xml -o falls -q
exits 0 "a bill that falls at last" "$wattsink" report falls
[ "$(hours '' falls) $(hours − falls)" = "18 6" ] &&
    pass "has hours of both kinds" || fail "has hours of both kinds" "$(hours '' falls) $(hours − falls)"

if [ -e /usr/share/zoneinfo/Europe/Berlin ]; then
    # Clocks are put back on 25 October 2026 at 03:00, so that 07:00 comes 8 h after midnight.
    sed 's|<gpu |<gpu limit-schedule="7:00:200 W, 22:00:350 W" |; s| power-limit="300 W"||; s|<tariff[^>]*/>|<tariff kind="flat" price="0.3 EUR/kWh"/>|
        s|<workload.*|<workload kind="inference" load-curve="6:59:0 %, 7:00:90 %, 8:00:90 %, 8:01:0 %"/>|
        s|<run [^>]*/>|<run from="2026-10-25T00:00:00" zone="Europe/Berlin" for="1 d" step="1 s"/>|' "$top/scenarios/single-3090/rig.xml" >autumn.xml
    "$wattsink" run autumn.xml -o autumn -q
    exits 0 "a day on which clocks are put back" "$wattsink" report autumn
    says autumn/report.html '<td>2</td><td>Sun 25 Oct 07:00</td><td>Sun 25 Oct 22:00</td>' "has the times of its schedule in its events"
    says autumn/report.html 'x="54.17%"[^>]*>12:00<' "and on its axis"
    [ "$(grep -oE '<title>[0-9:]+ [0-9.]+' autumn/report.html | sort -k 2 -n | tail -n 1 | cut -c 8-12)" = 07:00 ] &&
        pass "and the hours of cost begin at the local hour" || fail "and the hours of cost begin at the local hour" "$(grep -oE '<title>[0-9:]+ [0-9.]+' autumn/report.html)"
fi

"$wattsink" run two-cards.xml --for 3d -o days -q
exits 0 "three days without a date" "$wattsink" report days
says days/report.html 'drawn by itself: day [123], [0-2][0-9]:[0-5][0-9] to [0-2][0-9]:' "name the day of their hottest hour"
"$wattsink" run "$top/scenarios/quad-2080-openair/rig.xml" --for 1h -o open -q
exits 0 "open-air cards that touch" "$wattsink" report open
# Each of the three upper cards must have an arrow from the exhaust of the card below, and the picture is drawn at two
# widths.
[ "$(grep -c '’s exhaust into gpu[012]:' open/report.html)" = 6 ] && pass "each upper card takes in the exhaust of the card below" || fail "each upper card takes in the exhaust of the card below" "$(grep -o '.\{9\}exhaust into [^<]*' open/report.html)"
says open/report.html '<li class="good"><span[^>]*>✓</span><b>Change 1</b> One free slot' "a change behind which no ill is left is marked"
share=$(grep -o '"neighbour_exhaust": [0-9.]*' open/summary.json | sed -n '3s/.* //p')
flow=$(grep -o '"id": "gpu2.fan", "count": 2, "rpm_mean": [0-9.]*, "flow_m3h": [0-9.]*' open/summary.json | sed 's/.* //')
says open/report.html "gpu3’s exhaust into gpu2: $(awk "BEGIN { printf \"%.0f\", $share * $flow }") m³/h" "as much as the summary says"
kept=$(json open stored_kwh)
shown=$(sed -n 's/.*still stored .*>\([0-9.]*\) kWh.*/\1/p' open/report.html)
awk "BEGIN { d = ${shown:-0} / $kept - 1; exit !(d * d < 0.05 * 0.05) }" && pass "the flow of energy names what the balance has in store" || fail "the flow of energy names what the balance has in store" "$shown, $kept"
says open/report.html 'hooked, the exhaust of the card below' "the key has the hooks"
says open/report.html '</i>neighbour’s exhaust' "the key names the neighbour's exhaust"
# The lower card is the longer one: its exhaust must not cross its own name on the way to the upper one.
"$wattsink" run "$top/scenarios/quad-2080-openair/rig.xml" --set 'gpu[0].length=150mm' --for 1h -o shorter -q
"$wattsink" report shorter >/dev/null
tr -d '\n' <shorter/report.html | sed 's/<g>/\n&/g' >pieces
start=$(sed -n 's/.*gpu1’s exhaust into gpu0.*class="hook shade"[^>]* d="M\([0-9]*\).*/\1/p' pieces | head -n 1)
edge=$(tr '\n' ' ' <shorter/report.html | sed 's/<rect/\n&/g' | sed -n 's/^<rect[^>]* x="\([0-9]*\).*class="b">gpu1<.*/\1/p' | head -n 1)
[ "${start:-999}" -le "${edge:-0}" ] && pass "the exhaust of a longer card begins at its end" || fail "the exhaust of a longer card begins at its end" "$start, card from $edge"
"$wattsink" run "$top/scenarios/mining-frame/rig.xml" --for 1h -o frame -q
exits 0 "six equal cards" "$wattsink" report frame
says frame/report.html 'gpu0, gpu1, gpu2, gpu3, gpu4, gpu5 \(alike: one line\)' "are one line, and said to be"
lacks frame/report.html '’s exhaust into|hooked|</i>neighbour’s exhaust' "cards far apart take in no neighbour's exhaust, and the key has no entry for it"

"$wattsink" run "$top/scenarios/fan-dies/server-three.xml" --for 4h -o three -q
exits 0 "three of eight fans that fail" "$wattsink" report three
says three/report.html '<b>Failure</b> 3 of the [0-9]+ fans of fan0 stopped at 3 h; ' "are told by their number"
says three/report.html '>fan0</tspan> × 5<' "are drawn beside the others"
says three/report.html '>fan0</tspan> × 3<.*>fails<' "and marked"
"$wattsink" run "$top/scenarios/titan-positions/top.xml" --for 1h -o titan -q
"$wattsink" report titan >/dev/null
says titan/report.html 'open’s exhaust into lower: [1-9]' "a blower breathes the exhaust of an open-air card below it"

cat >bare.xml <<X
<rig name="Sizes"><chassis slots="8" pitch="20.32 mm" card-length="420 mm"><psu part="psu/tier-gold-1600"/>
<gpu id="told" part="gpu/generic" tdp="200 W" slot="1" length="300 mm" thickness="38 mm"/>
<gpu id="bare" part="gpu/generic" tdp="200 W" slot="5"/></chassis><workload class="training"/></rig>
X
"$wattsink" run bare.xml --for 1h -o bare -q
for size in '' thickness length; do # also removes the size itself, because a results folder may come from another version
    [ -z "$size" ] || sed -i "/id=\"bare\"/s/ $size=\"[^\"]*\"//" bare/rig.resolved.xml
    exits 0 "a card without ${size:-a size of its own}" "$wattsink" report bare
    [ "$(grep -c '<title>bare: GPU temperature' bare/report.html)" = 2 ] && pass "is drawn, at both widths" || fail "is drawn, at both widths" "$(grep -o '<title>[a-z]*: GPU[^<]*' bare/report.html)"
    [ "$(grep -c 'class="guess"' bare/report.html)" = 2 ] && pass "and its outline is dashed" || fail "and its outline is dashed" "$(grep -c 'class="guess"' bare/report.html)"
    says bare/report.html '<li>.*[Dd]ashed.*size unknown' "which is said"
    lacks bare/report.html 'nan|-inf' "without nan and inf"
done
lacks frame/report.html 'class="guess"|size unknown' "sizes that are told are not doubted"

# 1010 rows are drawn as means of three. The fan fails when only two rows are left, and the curve must show its failure.
sed -e 's/ checkpoint-every="[^"]*" checkpoint-takes="[^"]*"//' -e 's/slot="1"/slot="1" fan-fails-at="120970 s"/' "$top/scenarios/single-3090/rig.xml" >late.xml
"$wattsink" run late.xml --for '121200 s' -q -o late
[ "$(($(wc -l <late/series.csv) % 3))" = 0 ] && pass "the last drawn mean is of two rows only" || fail "the last drawn mean is of two rows only" "$(wc -l <late/series.csv)"
exits 0 "is reported" "$wattsink" report late
sed -n 's/.*class="ln k0" d="M\(.*\)".*/\1/p' late/report.html | head -n 1 >curve
awk '{ exit !($NF < $(NF - 8) - 10) }' curve && pass "and the curve rises at its end" || fail "and the curve rises at its end" "$(tail -c 80 curve)"

labels() { grep -aoE '<(h2|caption|dt|summary|th scope="col"( class="l")?)>[^<]*|<figcaption>[^<]*<small>[^<]*' "$1" | sed 's/<[^>]*>/ /g' | grep -av '&lt;'; }
# cells FILE: prints every number in a table or tile, without the reasons of inputs, which are sentences.
cells() { sed 's|</b></td><td>.*||' "$1" | grep -aoE '<(td|dd|b)>(−|-)?[0-9][0-9.e+-]*[ <]' | LC_ALL=C sort; }
for dir in r braked wet yen three; do
    cp $dir/report.html english.html
    exits 0 "a page in Japanese: $dir" "$wattsink" report $dir --lang ja
    says $dir/report.html '<html lang="ja">' "which says so"
    iconv -f UTF-8 -t UTF-8 $dir/report.html >/dev/null 2>&1 && pass "in UTF-8" || fail "in UTF-8"
    sound $dir/report.html "well-formed"
    labels $dir/report.html | grep -avE '^ *(kWh|W) *$' >labels
    [ "$(wc -l <labels)" -gt 40 ] && ! LC_ALL=C grep -avq '[^ -~]' labels && pass "with no label left in English" || fail "with no label left in English" "$(LC_ALL=C grep -av '[^ -~]' labels | head -5)"
    cells english.html >numbers
    cells $dir/report.html | cmp -s numbers - && pass "and the same numbers" || fail "and the same numbers" "$(cells $dir/report.html | diff numbers - | head -5)"
    mv english.html $dir/report.html
done
says braked/report.html '<html lang="en">' "a page in English says so"
cp yen/report.html english.html
LC_ALL=ja_JP.UTF-8 "$wattsink" report yen >/dev/null
says yen/report.html 'GPU 温度は最大 [0-9.]+ °C です' "the locale sets the page's language"
says yen/report.html '最大 [0-9]+ W。回路の連続許容電力 1500 W を .*超えます' "its sentences are whole"
"$wattsink" report braked --lang ja >/dev/null
says braked/report.html '電源ユニットの最大負荷率: psu0 [0-9.]+ %、psu1 [0-9.]+ %' "names and numbers stand apart"
"$wattsink" report braked >/dev/null
LC_ALL=ja_JP.UTF-8 "$wattsink" report yen --lang en >/dev/null
cmp -s english.html yen/report.html && pass "and --lang overrides it" || fail "and --lang overrides it"
says yen/report.html 'Max GPU temperature: ' "in the field's words"

sed -e 's|<rig name="[^"]*"|<rig name="\&lt;script\&gt;alert(1)\&lt;/script\&gt; \&amp; \&quot;x\&quot; \&#39;y\&#39; é 日本"|' two-cards.xml >evil.xml
if "$wattsink" run evil.xml --for 1h -o evil -q 2>err; then
    exits 0 "a hostile name" "$wattsink" report evil
    lacks evil/report.html '<script|alert\(1\)</' "stays a name"
    says evil/report.html '<h1>&lt;script&gt;alert\(1\)&lt;/script&gt; &amp; &quot;x&quot; &#39;y&#39; é 日本</h1>' "with every letter of it"
    sound evil/report.html "and the page well-formed"
else
    fail "a hostile name" "$(head -3 err)"
fi
long=$(printf '%064d' 0)
sed "s/<gpu slot=\"1\"/<gpu id=\"$long\" slot=\"1\"/; s/<psu /<psu id=\"p$long\" /; s/p0/p/" two-cards.xml | sed 's/<chassis[^>]*>/&<fan id="long-name-of-the-fans-at-the-front" part="fan\/generic-120-1500" at="front" count="3"\/>/' >long.xml
"$wattsink" run long.xml --for 1h -o long -q
exits 0 "the report of a rig with long ids" "$wattsink" report long
sed -n "/<h2>From the wall to heat/,/<\/svg>/p" long/report.html >flow
says flow 'class="halo"[^>]*>0+…0+ <' "the flow of energy shortens it to its room"
drawn=$(sed -n '/class="draw wide"/,/<\/svg>/p' long/report.html | grep -oE 'class="b"[^>]*>[^<]*</t' | sed 's/.*>\(.*\)<.*/\1/')
for id in '0+…0+' 'p0*…0+' 'long-*…f*ront'; do
    echo "$drawn" | grep -qxE "$id" && pass "the drawing shortens a long id to $id" || fail "the drawing shortens a long id to $id" "$drawn"
done
echo "$drawn" | grep -qE '.{33}' && fail "no id in the drawing is wider than its card" "$drawn" || pass "no id in the drawing is wider than its card"
cp -R r changed
sed -i 's|gpu0,throttle|<img src=x onerror=alert(1)>,throttle|; $a 5,"a,<b>b</b>,c' changed/events.csv
echo '6,gpu0,throttle,sw_thermal_slowdown (memory),throttle.memory-heat' >>changed/events.csv
sed -i 's|ref="[^"]*"|ref="\&lt;i>\&amp;evil; \&lt;\&#60;"|; s|id="chassis0"|id="a\&lt;b>\&amp;"|' changed/rig.resolved.xml
"$wattsink" report changed >out 2>err
lacks changed/report.html '<img|<i>|<b>b|a<b>' "tampered files bring no markup in"
sound changed/report.html "and leave the page well-formed"
says changed/report.html '<td class="l">memory temperature \(sw_thermal_slowdown\)</td>' "the memory's heat is told in words too"

"$wattsink" run "$top/scenarios/immersion-3090/rig.xml" --for 10min -q -o bath
"$wattsink" report bath >/dev/null
says bath/report.html 'Coolant of bath: [0-9.]+ °C below the cards, max [0-9.]+ °C above them' "tells a bath by its cards"
lacks bath/report.html '(to|from) the blocks' "and names no blocks"
COLUMNS=100 "$wattsink" steady "$top/scenarios/immersion-3090/rig.xml" >out
says out '^Coolant  bath: [0-9.]+ .{1,4}C below the cards' "and so does the page"

exits 3 "a folder that is not there" "$wattsink" report nowhere
says err "^wattsink: nowhere: No such file or directory; report wants the folder" "is named, and what it should be"
mkdir part && cp r/summary.json part/
exits 3 "half a run" "$wattsink" report part
absent part/report.html "leaves no page"
cp r/* part/ 2>/dev/null
sed 's|ref="[^"]*"|ref="<i>\&evil;"|' r/rig.resolved.xml >part/rig.resolved.xml
exits 3 "a rig that is not well-formed" "$wattsink" report part
head -c 3000 r/rig.resolved.xml >part/rig.resolved.xml
exits 3 "a rig cut short" "$wattsink" report part
cp r/rig.resolved.xml part/ && echo 'x,y' >part/series.csv
exits 3 "another table" "$wattsink" report part
# series.csv must reach the time that summary.json states, also after an interrupted run; a cut table is refused.
size=$(wc -c <r/series.csv) rows=$(wc -l <r/series.csv)
head -c $((size / 2)) r/series.csv >half
head -n $((rows - 1)) r/series.csv >short
head -n 1 r/series.csv >headed
head -c $((size - 1)) r/series.csv >unended
tr , ';' <r/series.csv >foreign
rm -f part/report.html
for cut in half short headed unended foreign; do
    cp $cut part/series.csv
    exits 3 "a $cut series" "$wattsink" report part
    says err '^wattsink: part/series\.csv is damaged$' "is told: $cut"
    absent part/report.html "and leaves no page: $cut"
done
cp r/series.csv part/ && printf '{ "rig": "x",\n  "steps": }\n' >part/summary.json
exits 3 "a summary that is no JSON" "$wattsink" report part
says err '^wattsink: part/summary.json:2:12: not well-formed JSON: unexpected character$' "is told, and where"
exits 3 "and told in Japanese" env LC_ALL=C.UTF-8 "$wattsink" --lang ja report part
says err '^wattsink: part/summary.json:2:12: JSONの文法に誤りがあります: 予期しない文字$' "place first"
echo '{ "rig": "x", "steps": "many" }' >part/summary.json
exits 3 "a text where a number is expected" "$wattsink" report part
says err '^wattsink: part/summary.json: the value of "steps" does not fit; expected a number$' "is named"
"$wattsink" new 2>/dev/null | sed 's|at="rear"|at="rear" count="50"|' >many.xml
exits 0 "fifty fans at the rear" "$wattsink" run many.xml --for 1min -q -o many
exits 0 "are reported" "$wattsink" report many
negative=$(grep -oE '<rect[^>]* (width|height)="-[^>]*' many/report.html | head -n 1)
[ -z "$negative" ] && grep -q 'class="part"' many/report.html && pass "and drawn, each with a size" || fail "and drawn, each with a size" "$negative"
exits 2 "no folder" "$wattsink" report
exits 2 "two folders" "$wattsink" report r l
cp $page before.html
"$wattsink" report r >out 2>err
cmp -s before.html $page && pass "the same run gives the same page" || fail "the same run gives the same page"

# Of a card whose power is given the clock and the limits are not known, and the numbers of the series say nothing.
"$wattsink" run two-cards.xml --set 'gpu[0].power=300W' --for 2h -o given -q
"$wattsink" report given >/dev/null
tr '\n' ' ' <given/report.html | sed 's|<h2>Throttling|\n&|; s|<h2>From the wall|\n&|' >lines
sed -n 1p lines | sed 's|.*<figcaption>GPU clock||; s|<figcaption>.*||' >clock
says clock '</i>gpu1<' "a card whose power is given: its clock is not drawn, that of the other card is"
lacks clock '</i>gpu0' "nor named beside it"
sed -n 2p lines >limits
says limits '>gpu1</tspan>: power limit' "what limits the other card is drawn"
lacks limits '>gpu0</tspan>' "and nothing is said of its own limits"
"$wattsink" run two-cards.xml --set 'gpu[*].power=300W' --for 2h -o all-given -q
"$wattsink" report all-given >/dev/null
lacks all-given/report.html 'No card was limited by anything|<h2>Throttling' "two such cards: the page does not say that nothing limited them"
lacks all-given/report.html '<figcaption>GPU clock' "and draws no clock"

# Lines beyond the eight colours are dashed, in the key as well, and no card is left out.
{ echo '<rig name="many cards"><site supply="230 V"><room temperature="24 degC"/></site>'
  for machine in 1 2 3 4 5 6 7 8 9; do
      echo '<chassis kind="frame" slots="24"><psu kind="constant" rated="3000 W" efficiency="90 %"/>'
      for slot in 1 4 7 10 13 16 19 22; do echo "<gpu part=\"gpu/generic\" tdp=\"$((90 + 10 * machine + slot)) W\" slots=\"2\" slot=\"$slot\"><cooler kind=\"open-air\"/></gpu>"; done
      echo '</chassis>'
  done
  echo '<workload kind="constant" class="training"/><run for="1 min"/></rig>'; } >crowd.xml
"$wattsink" run crowd.xml -o crowd -q
exits 0 "72 cards" "$wattsink" report crowd
tr '\n' ' ' <crowd/report.html | sed 's|.*<figcaption>GPU temperature||; s|</figure>.*||; s|<path[^>]*>||g' >chart
says chart 'Lines over time: 72;' "have a line each"
says chart '<i class="k7"></i>gpu7(,|<)' "the eighth has a colour of its own"
says chart '<i class="k4 dash"></i>gpu12(,|<)' "the thirteenth is dashed in the key, too"
says chart '[ >]gpu71[ <]' "and the last one is named"

guess='no measurements of this card in this kind of work: throughput'
for card in rtx-5070 rtx-3090; do
    cat >guess.xml <<RIG
<rig name="guess"><site supply="230 V"><room temperature="24 degC"/></site>
  <chassis part="chassis/workstation-12-slot"><psu part="psu/tier-gold-850"/><fan part="fan/generic-140-1500" at="front" count="3"/>
    <gpu part="gpu/$card" slot="1"/></chassis>
  <workload kind="inference" model="model/llama-3.1-8b"/><run for="10 min" start="steady"/></rig>
RIG
    "$wattsink" run guess.xml -o "$card" -q
    "$wattsink" report "$card" >/dev/null
    "$wattsink" check guess.xml >"$card/check" 2>&1
done
says rtx-5070/report.html "gpu/rtx-5070: $guess ±" "the report tells a card without measurements"
says rtx-5070/summary.json '"code": "page.never-measured"' "the summary as well"
says rtx-5070/check "gpu/rtx-5070: $guess" "and check"
for file in report.html summary.json check; do lacks "rtx-3090/$file" "$guess" "$file: not of a measured card"; done

# Killed while it replaced the results of another rig, a run leaves its own rig and events beside the older summary.
"$wattsink" run guess.xml --set run.for=20min -o other -q
cp -r rtx-3090 mixed
cp other/rig.resolved.xml mixed/
for command in report plot; do
    exits 3 "$command mixes no results of two rigs" "$wattsink" $command mixed
    says err 'mixed/summary.json is of another rig than mixed/rig.resolved.xml, whose run has not ended' "and $command says so"
done
exit $status
