#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/helpers.inc"
parts=$top/parts

cat >good.xml <<'END'
<rig name="My rig">
  <site supply="230 V" circuit="16 A">
    <room temperature="25 degC"/>
    <tariff kind="flat" price="0.30 EUR/kWh"/>
  </site>
  <chassis part="chassis/full-tower-8-slot">
    <fan part="fan/generic-120-1500" at="front" count="3"/>
    <fan part="fan/generic-120-1500" at="rear"/>
    <psu part="psu/tier-gold-1600"/>
    <cpu part="cpu/xeon-w-2255"/>
    <gpu part="gpu/rtx-3090-blower" slot="1" power-limit="280 W"/>
    <gpu part="gpu/rtx-3090-blower" slot="3" power-limit="280 W"/>
  </chassis>
  <workload kind="training" class="training"/>
  <run from="2026-08-03T09:00:00" zone="Europe/Berlin" for="1 d"/>
</rig>
END
exits 0 "no mistake" "$wattsink" check good.xml
[ ! -s err ] && pass "and nothing to tell" || fail "and nothing to tell" "$(cat err)"

# mistake NAME SED PLACE WORDS...: exit code 3 and one line, at PLACE, that contains all WORDS.
mistake() {
    name=$1 edit=$2 place=$3
    shift 3
    sed -e "$edit" good.xml >rig.xml
    cmp -s good.xml rig.xml && fail "$name: made" "the edit changed nothing"
    exits 3 "$name: exit 3" "$wattsink" check rig.xml
    count inputs "inputs tried"
    [ "$got" != 3 ] || count inputs "refused by exit 3"
    # For ids without a similar part a further line says where parts were searched; the count leaves it out.
    [ "$(grep -vc '^wattsink: parts were looked for in ' err)" -eq 1 ] && pass "$name: one line" || fail "$name: one line" "$(cat err)"
    case $(cat err) in "rig.xml:$place: "*) pass "$name: at its place" ;; *) fail "$name: at its place" "not $place: $(cat err)" ;; esac
    for words in "$@"; do
        if grep -qF -- "$words" err; then pass "$name: says $words"; else fail "$name: says $words" "$(cat err)"; fi
    done
}

mistake "a misspelt attribute" '11s/power-limit/powerlimit/' 11:46 'unknown attribute "powerlimit" of <gpu>' 'did you mean "power-limit"'
mistake "capitals" '11s/power-limit/Power-Limit/' 11:46 'did you mean "power-limit"'
mistake "an attribute of one's own" '11s/power-limit/colour/' 11:46 'unknown attribute "colour"' "'wattsink kinds gpu' has all"
mistake "a worker that is not there" '14s/class="training"/class="training" gpus="gpu0 gpu9"/' 14:52 "'gpu9' is not a card of this rig" 'gpu0'
sed 14d good.xml >idle.xml
for command in check steady 'run --for 1s -o idle'; do
    # shellcheck disable=SC2086 # unquoted: a command and its options
    exits 0 "no workload: $command" "$wattsink" $command idle.xml
    [ "$(grep -c 'idle.xml:1:2: warning: this rig has no <workload>, so its cards idle' err)" = 1 ] &&
        pass "no workload: $command says so" || fail "no workload: $command says so" "$(cat err)"
done
sed 's/power-limit="280 W"/power="250 W"/' idle.xml >pinned.xml
exits 0 "no workload, but watts: a measured case" "$wattsink" check pinned.xml
[ ! -s err ] && pass "which is not told" || fail "which is not told" "$(cat err)"
mistake "the beginning of two names" '14s/training" class="training"/inference" model="model\/llama-3.1-8b" quant="Q4_K"/' 14:64 'quant: "Q4_K" is unknown' 'did you mean "Q4_K_M"'
mistake "a misspelt element" '7s/<fan/<fann/' 7:6 'unknown element "fann" in <chassis>' 'did you mean "fan"'
mistake "another word for an element" '7s/<fan/<motherboard/' 7:6 'unknown element "motherboard" in <chassis>' 'did you mean "board"'
mistake "a wrong unit" '11s/280 W/280 V/' 11:59 '"280 V" is a voltage' 'expected a power (W, kW'
mistake "a missing unit" '11s/280 W/280/' 11:59 '"280" has no unit' 'did you mean "280 W"'
mistake "days without their unit" '15s/1 d/1/' 15:61 '"1" has no unit' 'did you mean "1 d"'
mistake "a unit spelt out" '11s/280 W/280 watts/' 11:59 'unknown unit' 'did you mean "280 W"'
mistake "a unit in small letters" '11s/280 W/280 w/' 11:59 'did you mean "280 W"'
mistake "no value" '11s/280 W//' 11:59 'there is no value' 'expected a power (W'
mistake "a comma for the decimal sign" '4s/0.30/0,30/' 4:32 'has a comma in its number' 'did you mean "0.30 EUR/kWh"'
mistake "a comma between thousands" '11s/280 W/1,000 W/' 11:59 'did you mean "1000 W" or "1.000 W"'
mistake "a German number" '11s/280 W/1.000,5 W/' 11:59 'did you mean "1000.5 W"'
mistake "a minus of typography" '3s/25 degC/−5 degC/' 3:24 'did you mean "-5 degC"'
mistake "about so much" '11s/280 W/~280 W/' 11:59 'did you mean "280 W"'
mistake "a currency's sign" '4s/EUR/€/' 4:32 'did you mean "0.30 EUR/kWh"'
mistake "a currency's sign before the number" '4s,0.30 EUR/kWh,$0.16/kWh,' 4:32 'did you mean "0.16 USD/kWh"'
mistake "a yen's sign before the number" '4s,0.30 EUR/kWh,¥31/kWh,' 4:32 'did you mean "31 JPY/kWh"'
mistake "a currency in small letters" '4s/EUR/eur/' 4:32 'did you mean "0.30 EUR/kWh"'
mistake "digits and units as wide as a Japanese letter" '11s/280 W/２８０Ｗ/' 11:59 'did you mean "280W"'
mistake "a wide percent sign" '7s,/>, duty="50 ％"/>,' 7:65 'did you mean "50 %"'
mistake "a voltage of alternating current" '2s/230 V/230 VAC/' 2:17 'did you mean "230 V"'
mistake "AC before its voltage" '2s/230 V/AC230V/' 2:17 'did you mean "230V"'
mistake "a cubic metre in one letter" '3s,temperature="25 degC",volume="25 ㎥",' 3:19 'did you mean "25 m3"'
mistake "cents" '4s/0.30 EUR/30 ct/' 4:32 'did you mean "0.3 EUR/kWh"'
mistake "kilowatts an hour" '4s,kWh,kW/h,' 4:32 'did you mean "0.30 EUR/kWh"'
mistake "a rating by another word" '9s,part="psu/tier-gold-1600",rating="1000 W" efficiency-20="90 %" efficiency-50="92 %" efficiency-100="89 %",' 9:10 'unknown attribute "rating" of <psu>' 'did you mean "rated"'
mistake "a card's power by another word" '11s/power-limit/tgp/' 11:46 'did you mean "tdp"'
mistake "a place by another word" '7s/ at=/ position=/' 7:38 'unknown attribute "position" of <fan>' 'did you mean "at"'
mistake "efficiency at points" '9s,part="psu/tier-gold-1600",rated="1000 W" efficiency="20 %:90 %",' 9:25 'unknown attribute "efficiency" of <psu> of kind certified' 'kind="constant" has it' 'this kind has efficiency-10, efficiency-20'
mistake "a month" '15s/1 d/1 month/' 15:61 'did you mean "30 d"'
mistake "a card too long" '12d;6s/8-slot"/8-slot" card-length="250 mm"/' 11:6 'gpu/rtx-3090-blower is 267 mm long' 'at most the 250 mm that fit in the chassis'
mistake "a card too thick" '12d;6s/full-tower-8/sff-2/;11s/rtx-3090-blower/rtx-4090/' 11:36 'a 3-slot card' 'expected a chassis with 3 slots'
mistake "two cards in a slot" '12s/slot="3"/slot="2"/' 12:43 'slot 2 is taken: gpu0 covers slots 1 to 2' 'expected slot 3 or higher'
mistake "two cards in the last slots" '11s/slot="1"/slot="7"/;12s/slot="3"/slot="7"/' 12:43 'slot 7 is taken: gpu0 covers slots 7 to 8' 'expected slot 1'
mistake "four slots of card in two of 75 mm" '12s/slot="3"/slot="2"/;6s/8-slot"/8-slot" pitch="75 mm"/;11s,slot="1",slot="1" slots="4",' 12:43 'slot 2 is taken: gpu0 covers slots 1 to 2'
mistake "the last slot" '12s/slot="3"/slot="8"/' 12:43 'reaches beyond the chassis' 'expected slot 7 or lower'
mistake "a slot far away" '12s/slot="3"/slot="70"/' 12:43 'the chassis, which has 8' 'expected slot 7 or lower'
mistake "kilowatts for watts" '11s/280 W/280 kW/' 11:59 'cannot be set on this card' 'expected 100 W to 350 W'
mistake "lanes that no link has" '11s/slot="1"/slot="1" lanes="3"/' 11:53 'a slot has no 3 lanes' 'expected lanes of 1, 2, 4, 8 or 16'
mistake "more lanes than a slot has" '11s/slot="1"/slot="1" lanes="32"/' 11:53 'a slot has no 32 lanes' 'expected lanes of 1, 2, 4, 8 or 16'
mistake "slots counted from 0" '11s/slot="1"/slot="0"/' 11:43 'out of range' 'at least 1'
mistake "no slot" '12s/ slot="3"//' 12:6 '<gpu> lacks slot' 'expected slot="..."'
mistake "a misspelt attribute that must be there" '11s/slot=/slott=/' 11:37 'unknown attribute "slott" of <gpu>' 'did you mean "slot"'
mistake "a card's edition for a part" '11s/rtx-3090-blower/rtx-5090-fe/' 11:16 'there is no part "gpu/rtx-5090-fe"' 'did you mean "gpu/rtx-5090"'
mistake "half a part's name, misremembered" '11s/rtx-3090-blower/w7950/' 11:16 'there is gpu/radeon-pro-w7900'
mistake "a size that is not made" '9s/gold-1600/gold-1500/' 9:16 'did you mean "psu/tier-gold-1600"'
mistake "a misspelt part" '11s/rtx-3090-blower/rtx3090-blower/' 11:16 'there is no part "gpu/rtx3090-blower"' 'did you mean "gpu/rtx-3090-blower"'
mistake "a part misspelt twice" '11,12s/rtx-3090-blower/rtx3090-blower/' 11:16 'did you mean "gpu/rtx-3090-blower"; named in 2 places'
mistake "a fan misspelt twice" '7,8s/1500/1550/' 7:16 'there is no part "fan/generic-120-1550"' 'named in 2 places'
# With an assignment the file is read more than once, but the mistake must be reported once.
sed '7,8s/1500/1550/; 11,12s/rtx-3090-blower/rtx3090-blower/' good.xml >twice.xml
exits 3 "parts misspelt twice, with --set" "$wattsink" steady twice.xml --set run.for=6h
says err '^twice\.xml:7:16: there is no part "fan/generic-120-1550".*named in 2 places' "names the first place of the fan"
says err '^twice\.xml:11:16: .*did you mean "gpu/rtx-3090-blower"; named in 2 places' "and of the card"
mistake "a part's words run together" '11s/rtx-3090-blower/rtx4070tisuper/' 11:16 'did you mean "gpu/rtx-4070-ti-super"'
mistake "a product's name for a part" '11s,gpu/rtx-3090-blower,RTX 3090,' 11:16 "is not a part's name" 'did you mean "gpu/rtx-3090"'
mistake "half a part's name" '9s/tier-gold-1600/gold/' 9:16 'there is no part "psu/gold"' "'wattsink parts psu'" 'tier-gold-1000'
mistake "a part without its family" '11s,gpu/,,' 11:16 'did you mean "gpu/rtx-3090-blower"'
mistake "a part of another family" '9s,psu/tier-gold-1600,gpu/rtx-3090,' 9:16 'part "gpu/rtx-3090" is a <gpu>' 'expected a <psu>' "'wattsink parts psu'"
mistake "a card outside the chassis" '12{h;d};13G' 13:6 '<gpu> does not belong in <rig>' 'expected in chassis'
mistake "a tariff outside the site" '4{h;d};14G' 14:6 '<tariff> does not belong in <rig>' 'expected in site'
mistake "an id given twice" '11,12s/slot/id="a" slot/' 12:41 'the id "a" is already used by a <gpu> in line 11' 'expected another'
mistake "an element not closed" '5d' 15:3 '<site> of line 2 is still open' 'expected </site>'
mistake "a tag not closed" '10s,/>,>,' 13:5 '<cpu> of line 10 is still open' '"/>" at the end of line 10'
mistake "a tag without its >" '10s,/>,,' 10:32 'a tag that does not end' 'expected >'
mistake "the last tag without its >" '14s,/>,,' 14:45 'a tag that does not end' 'expected >'
mistake "an element that begins with a digit" '10s,<cpu,<1cpu,' 10:5 'a < that begins no element' 'expected a name'
mistake "a blank behind <" '10s,<cpu,< cpu,' 10:5 'a < that begins no element' '&lt; for the sign itself'
mistake "an & in a name" '1s,My,Me \& My,' 1:15 'an & that begins no known entity' 'expected &amp;'
mistake "a file that breaks off" '16d' 16:1 'the text ends inside <rig> of line 1' 'expected </rig>'
mistake "no quotes" '11s/"280 W"/280W/' 11:58 'a value without quotes' 'name="value"'
mistake "typographic quotes" '11s/"280 W"/“280 W”/' 11:58 'typographic quotes; expected straight ones'
mistake "a line above <?xml" '1s/^/\n<?xml version="1.0"?>/' 2:6 'expected it as the very first thing in the file'
mistake "a namespace" '1s,<rig,<rig xmlns="http://example.org",' 1:2 'in a namespace; expected none'
mistake "a rig in a rig" '2s/^/<rig><\/rig>/' 2:2 "expected it as the file's outermost element"
mistake "a quote not closed" '11s/280 W"/280 W/' 11:59 'the value of power-limit is not closed' 'expected a quote'
mistake "an attribute twice" '11s/slot="1"/slot="1" slot="2"/' 11:46 'attribute "slot" is written twice in <gpu>' 'expected it once'
mistake "percent without their sign" '7s,/>, duty="50"/>,' 7:65 'duty: "50" is out of range' 'did you mean "50 %"'
mistake "a negative number" '11s/280 W/-280 W/' 11:59 'out of range' 'more than zero' 'did you mean "280 W"'
mistake "a limit above the card's" '11s/280 W/500 W/' 11:59 'a power limit of 500 W cannot be set on this card' 'expected 100 W to 350 W'
mistake "an unknown kind" '14s/kind="training"/kind="trainning"/' 14:19 'unknown kind "trainning" of <workload>' 'did you mean "training"'
mistake "a kind of one's own" '4s/flat/fixed/' 4:19 'unknown kind "fixed" of <tariff>' 'blocks, flat, spot, time-of-use'
mistake "half a class" '14s/class="training"/class="train"/' 14:36 'class: "train" is unknown' 'did you mean "training"'
mistake "another word for a class" '14s/class="training"/class="inference"/' 14:36 'class: "inference" is unknown' 'did you mean kind="inference"'
mistake "another word for a place" '7s/front/back/' 7:42 'expected front, rear' 'did you mean "rear"'
mistake "a misspelt place" '7s/front/frnt/' 7:42 'expected front, rear' 'did you mean "front"'
mistake "another root" '1s/rig/server/;16s/rig/server/' 1:2 "the file's element is \"server\"" 'expected <rig>'
mistake "half a fan" '7s/"3"/"2.5"/' 7:56 '"2.5" is not a whole number'
mistake "a number in words" '7s/"3"/"three"/' 7:56 '"three" is not a whole number'
mistake "a count of cards" '11s/slot=/count="2" slot=/' 11:37 'unknown attribute "count" of <gpu>' 'write one <gpu> for each'
mistake "part misspelt" '11s/part=/parts=/' 11:10 'unknown attribute "parts" of <gpu>' 'did you mean "part"'
mistake "a part's file" '11s,gpu/rtx-3090-blower,parts/gpu/rtx-3090-blower.xml,' 11:16 'did you mean "gpu/rtx-3090-blower"'
mistake "a part's path" '11s,gpu/rtx-3090-blower,/usr/share/wattsink/parts/gpu/rtx-3090-blower.xml,' 11:16 'did you mean "gpu/rtx-3090-blower"'
mistake "a price without its energy" '4s,EUR/kWh,EUR,' 4:32 'did you mean "0.30 EUR/kWh"'
mistake "points joined by semicolons" '7s,/>, sensor="gpu" curve="30 degC:40 %; 60 degC:100 %"/>,' 7:79 'expected commas'
mistake "a schedule beyond midnight" '11s/power-limit="280 W"/limit-schedule="25:00:280 W"/' 11:62 'limit-schedule: "25:00" is not a time of day'
mistake "a time in other words" '15s,/>, step="1m"/>,' 15:72 'did you mean "1 min"'
mistake "a date with its offset" '15s/09:00:00/09:00:00+02:00/' 15:14 'did you mean "2026-08-03T09:00:00"'
mistake "a date of Greenwich" '15s/09:00:00/09:00:00Z/' 15:14 'did you mean "2026-08-03T09:00:00"'
mistake "a German date" '15s/2026-08-03T09:00:00/03.08.2026/' 15:14 'is not a date' 'did you mean "2026-08-03T00:00:00"'
mistake "an American date" '15s,2026-08-03T09:00:00,8/3/2026,' 15:14 'is not a date' 'did you mean "2026-08-03T00:00:00"'
mistake "a month that is none" '15s/2026-08-03T09:00:00/2026-13-03/' 15:14 'is not a date' 'did you mean "2026-03-13"'
mistake "a date with a blank" '15s/03T09:00:00/03 09:00/' 15:14 'is not a date' 'did you mean "2026-08-03T09:00"'
mistake "a day that is none" '15s/08-03T/02-30T/' 15:14 'is not a date' 'expected a date and time such as'
mistake "a PSU that loses more without load" '9s/tier-gold-1600"/& no-load-power="40 W"/' 9:51 '40.0 W without load' 'at 10 % load (24.0 W)'
mistake "two tariffs" '4p' 5:6 'a second <tariff> in <site>' 'one at most, and the first is in line 4'
mistake "text between elements" '13s/ *</hello</' 13:1 'text "hello" between the elements' 'name="value"'
# A tariff by the hour needs <run from=>. The message that `from` is missing must not appear if the file cannot be read
# as far as <run>, or if `from` is there but wrong.
dated='4s,kind="flat" price="0.30 EUR/kWh",part="tariff/tepco-juryo-b",'
mistake "a quote not closed, billed by the hour" "$dated;"'11s/280 W"/280 W/' 11:59 'the value of power-limit is not closed'
mistake "an end tag misspelt, billed by the hour" "$dated;"'13s/chassis/chasis/' 13:5 '<chassis> of line 6 is still open'
mistake "a date that is none, billed by the hour" "$dated;"'15s/2026-08-03T/2026-13-03T/' 15:14 'is not a date'
mistake "no date, billed by the hour" "$dated;"'15s/ from="[^"]*"//' 15:4 'the tariff depends on the date and the run has none'
if [ -d /usr/share/zoneinfo ]; then
    mistake "a misspelt zone" '15s/Berlin/Berln/' 15:41 '"Europe/Berln" is not a time zone' 'did you mean "Europe/Berlin"'
    mistake "a zone with a control character" '15s/Berlin/\&#127;/' 15:41 'control character'
    mistake "a city for a zone" '15s,Europe/,,' 15:41 '"Berlin" is not a time zone' 'did you mean "Europe/Berlin"'
fi

mkdir -p own/gpu
sed 's/rtx-3090-blower/l40x/' good.xml >rig.xml
misplaced() {
    exits 3 "own part misplaced: exit 3" "$wattsink" check rig.xml --parts "$1"
    if grep -qF -- "$2" err; then pass "own part misplaced: says $2"; else fail "own part misplaced: says $2" "$(cat err)"; fi
}
echo '<gpu title="One of ours" base="gpu/l40"/>' >own/l40x.xml
misplaced own '; own/l40x.xml is there: it belongs in gpu/ there'
mv own/l40x.xml own/gpu/L40X.xml
misplaced own '; own/gpu/L40X.xml is there: name it l40x.xml'
mv own/gpu/L40X.xml own/gpu/l40x.xml
misplaced own/gpu '; own/gpu/l40x.xml is there: --parts wants the folder above'
misplaced own/gpu/ '--parts wants the folder above'
exits 0 "own part in its place" "$wattsink" check rig.xml --parts own

told() {
    sed -e "$2" good.xml >rig.xml
    exits 0 "$1: exit 0" "$wattsink" check rig.xml
    grep -qF -- "rig.xml:$3: warning: $4" err && pass "$1: told" || fail "$1: told" "$(cat err)"
}
told "a card's fan above its highest speed" '11s,/>, fan="9000 rpm"/>,' 11:71 'gpu0 is to run at 9000 rpm, above its highest speed of 4800 rpm'
told "a card's fan above 100 %" '11s,/>, fan="130 %"/>,' 11:71 'gpu0 is to run at 6240 rpm, above its highest speed'
told "a case fan above its full speed" '8s,/>, speed="1800 rpm"/>,' 8:55 'fan1 is to run at 1800 rpm, above its highest speed of 1500 rpm'
told "the low of a swing without its high" '14s,/>, swing-low="50 %"/>,' 14:57 'a swing is known only with its high'
mistake "the high of a swing below its mean" '14s,/>, swing-high="90 %"/>,' 14:58 '"90 %" is out of range' 'at least 100 %'
told "a fan curve without a sensor" '8s|/>| curve="30 degC:30 %, 60 degC:100 %"/>|' 8:55 'curve has no effect without sensor'
told "a curve over load of a fan that follows the processor" '8s|/>| sensor="cpu" load-curve="100 W:40 degC, 900 W:60 degC"/>|' 8:73 'load-curve has no effect without sensor="gpu"'
told "some fans of a place that fail, without a time" '7s|/>| fails="1"/>|' 7:66 'fails has no effect without fails-at'
told "a least speed without a sensor" '8s|/>| minimum="70 %"/>|' 8:57 'minimum has no effect without sensor'
told "a duty beside a speed" '8s|/>| speed="1000 rpm" duty="30 %"/>|' 8:71 'duty has no effect: speed="..." of fan1 overrides it'
mistake "more fans that fail than there are" '7s|/>| fails="4" fails-at="1 h"/>|' 7:66 'fails (4) is above count (3)'
told "an opening of a closed side" '6s|>| side-area="0.1 m2">|' 6:56 'side-area has no effect without side-panel="open"'
told "the fan of a card without one" '12s|.*|<gpu part="gpu/p40" slot="3" fan="50 %"/>|' 12:35 'gpu1 has no fan of its own whose speed fan could set'
told "a duct for a card without a fan" '12s|.*|<gpu part="gpu/p40" slot="3"><cooler intake="outside"/></gpu>|' 12:46 'intake="outside" has no effect without fan-pressure'
mistake "a slowest speed above the fastest" '12s|/>|><cooler rpm-min="5000 rpm"/></gpu>|' 12:83 'rpm-min (5000 rpm) is above rpm-max (4800 rpm)'
mistake "a last card too thick for the case" '12s|slot="3"|slot="7" thickness="90 mm"|' 12:57 'gpu1 in slot 7 is 90 mm thick; behind the last slot are 40 mm to the wall, and it reaches 9 mm beyond'
told "an air conditioner in a room of given temperature" '3s|/>|><air-conditioner capacity="3 kW" setpoint="24 degC"/></room>|' 3:34 'air-conditioner0 has no effect: temperature="..." of room0 overrides it'
told "a COP beside its curve" '3s|.*|<room volume="30 m3" conductance="40 W/K"><outdoor mean="18 degC"/><air-conditioner capacity="3 kW" setpoint="24 degC" cop="3" cop-curve="20 degC:4, 35 degC:3"/></room>|' 3:125 'cop has no effect: cop-curve="..." of air-conditioner0 overrides it'
told "a vent of a frame" '6s|full-tower-8-slot|mining-frame-8|;10s|^|<vent at="rear" area="50 cm2"/>|' 10:2 'vent0 has no effect: kind="..." of chassis0 overrides it'
told "a loop that cools nothing" '10s|^|<loop id="wet"><pump part="pump/d5"/><radiator part="radiator/generic-280" at="top"/></loop>|' 10:2 'wet has no effect without <cooler kind="water">'
job() { told "$1" "14s,/>, $2/>," "$3" "$4"; }
job "a duration of checkpoints without their interval" 'checkpoint-takes="30 s"' 14:64 'checkpoint-takes has no effect without checkpoint-every'
job "a duration of evaluations without their interval" 'evaluate-takes="30 s"' 14:62 'evaluate-takes has no effect without evaluate-every'
job "a duration of restarts without failures" 'restart-takes="5 min"' 14:61 'restart-takes has no effect without mtbf'
job "parts of a batch without a pipeline" 'micro-batches="8"' 14:61 'micro-batches has no effect without parallel="pipeline"'
job "a unit without a rate" 'unit="samples"' 14:52 'unit has no effect without rate'
job "a unit beside that of a measured rate" 'measured-rate="9 images/s" unit="samples"' 14:79 'unit has no effect: measured-rate="..." of workload0 overrides it'
told "weights of no model" '14s,.*,  <workload kind="inference" quant="F16"/>,' 14:37 'quant has no effect without model'
told "a price of tokens of no model" '14s,.*,  <workload kind="inference" token-price="1 EUR"/>,' 14:43 'token-price has no effect without model'
sed '14s,/>, checkpoint-takes="30 s" mtbf="20 h"/>,' good.xml >rig.xml
exits 0 "the best time between checkpoints needs theirs" "$wattsink" check rig.xml
! grep -q 'no effect' err && pass "which has an effect" || fail "which has an effect" "$(cat err)"
mistake "a step without work" '14s,/>, data-share="60 %" communication="60 %"/>,' 14:58 'data-share and communication take 120 % of a step together' 'at most 99 %'
mistake "a replay of nothing" '14s,training,replay,' 14:4 'nothing to replay' 'power="trace.csv"'
told "a step of the series alone" '15s,/>, step="10 s"/>,' 15:72 'the engine steps by at most 1 s; the rows of the series will be at least 10 s apart'

sed '3s|.*|<room><outdoor kind="file" file="weather.csv"/></room>|' good.xml >rig.xml
dates() { printf 'time,temp_c\n%s,18\n%s,28\n' "$1" "$2" >weather.csv; }
dates 2026-08-03T00:00:00 2026-08-04T12:00:00
exits 0 "dates of the run" "$wattsink" check rig.xml
[ ! -s err ] && pass "have nothing to tell" || fail "have nothing to tell" "$(cat err)"
dates 2026-08-04T00:00:00 2026-08-06T00:00:00
exits 0 "dates behind its start" "$wattsink" check rig.xml
grep -q "^rig.xml:3:34: warning: the file's dates, 2026-08-04T00:00:00 to 2026-08-06T00:00:00, do not cover the run" err && pass "are told" || fail "are told" "$(cat err)"
dates 2025-01-01T00:00:00 2025-12-31T12:00:00
exits 0 "dates of a whole year" "$wattsink" check rig.xml
[ ! -s err ] && pass "hold for any year" || fail "hold for any year" "$(cat err)"
sed '15s|.*|<run from="2026-03-29T02:30:00" zone="Europe/Berlin" for="1 h"/>|' good.xml >rig.xml
exits 0 "a start that the clocks skip" "$wattsink" check rig.xml
grep -q '^rig.xml:15:[0-9]*: warning: clocks in Europe/Berlin skip 2026-03-29T02:30:00; the run starts at 2026-03-29T03:30:00' err && pass "is told" || fail "is told" "$(cat err)"
sed -i 's/2026-03-29/2026-10-25/' rig.xml
exits 0 "a start that clocks show twice" "$wattsink" check rig.xml
[ ! -s err ] && pass "has nothing to tell" || fail "has nothing to tell" "$(cat err)"

# Hours of spot prices, or of carbon, against runs in zones whose clocks differ from those of the file.
hours() { # hours ELEMENT CLOCK FIRST COUNT: a file of COUNT hours from a time by the clock
    begun=$(date -u -d "$3" +%s)
    if [ "$1" = carbon ]; then echo time,intensity_g_per_kwh; else echo time,price_eur_per_kwh; fi >hours.csv
    for i in $(seq 0 $(($4 - 1))); do date -u -d "@$((begun + 3600 * i))" +%Y-%m-%dT%H:%M:%S,0.1; done >>hours.csv
    kind=file
    [ "$1" = carbon ] || kind=spot
    hour_file="<$1 kind=\"$kind\" file=\"hours.csv\" clock=\"$2\"/>"
}
covers() { # covers NAME RUN yes|no: whether the run is within the hours
    echo "<rig name=\"r\"><site supply=\"230 V\">$hour_file</site><load ac=\"1000 W\"/><run $2/></rig>" >rig.xml
    exits 0 "$1" "$wattsink" check rig.xml
    seen=yes
    grep -q "do not cover the run" err && seen=no
    [ "$seen" = "$3" ] && pass "$1: covered: $3" || fail "$1: covered: $3" "$(cat err)"
}
for element in tariff carbon; do
    hours $element utc 2026-03-29T00:00:00 5
    covers "$element: the first local hour lies before a file in UTC" 'from="2026-03-29T00:00:00" zone="Europe/Berlin" for="4 h"' no
    covers "$element: the same hours without a zone offset" 'from="2026-03-29T00:00:00" zone="UTC" for="4 h"' yes
    hours $element utc 2026-08-03T07:00:00 24
    covers "$element: a day in Los Angeles in UTC" 'from="2026-08-03T00:00:00" zone="America/Los_Angeles" for="1 d"' yes
    hours $element local 2026-03-28T00:00:00 48
    covers "$element: two days over a clock change end an hour late" 'from="2026-03-28T00:00:00" zone="Europe/Berlin" for="2 d"' no
    covers "$element: 47 hours over it do not" 'from="2026-03-28T00:00:00" zone="Europe/Berlin" for="47 h"' yes
    hours $element local 2026-03-28T00:00:00 26
    covers "$element: a run to the moment of the change" 'from="2026-03-28T00:00:00" zone="Europe/Berlin" for="26 h"' yes
done

sed '3s|.*|<room><outdoor kind="file" file="weather.csv"/></room>|' good.xml >rig.xml
dates '03.08.2026 00:00' '04.08.2026 00:00'
exits 3 "dates of another sort" "$wattsink" check rig.xml
grep -q '"03.08.2026 00:00" is not a local date' err && pass "are quoted as they stand" || fail "are quoted as they stand" "$(cat err)"

for words in 'run --for 1dy' 'run --for 7' 'run --step -1s' 'run --seed x' 'compare --vary room.temperature=20degC,25degC --for 1dy' \
    'sweep --vary room.temperature=20degC,25degC --step 0s' 'export --spice --replay 10'; do
    exits 3 "$words: exit 3" "$wattsink" $words good.xml
    option=$(echo "$words" | sed 's/.*\(--[a-z]*\) [^ ]*$/\1/')
    if [ "$(wc -l <err)" -eq 1 ] && grep -q "^wattsink: $option: \".*; expected " err; then pass "$words: names $option"; else fail "$words: names $option" "$(cat err)"; fi
done
exits 3 "a number without its brackets" "$wattsink" steady good.xml --set gpu.0.power-limit=200W
grep -q 'did you mean "gpu\[0\]"' err && pass "the message suggests gpu[0]" || fail "the message suggests gpu[0]" "$(cat err)"
exits 3 "the same by --set" "$wattsink" run good.xml --set run.for=7
grep -q '^setting run.for=7: ' err && pass "the message shows the assignment as typed" || fail "the message shows the assignment as typed" "$(cat err)"

sed '11s/rtx-3090-blower/w7950/' good.xml >rig.xml
exits 3 "a part unlike all: exit 3" "$wattsink" check rig.xml
lacks err 'did you mean' "a part unlike all: no guess"

file_mistake() {
    exits 3 "$1: exit 3" "$wattsink" check "$2"
    [ "$(wc -l <err)" -eq 1 ] && pass "$1: one line" || fail "$1: one line" "$(cat err)"
    if grep -qF -- "$3" err; then pass "$1: says $3"; else fail "$1: says $3" "$(cat err)"; fi
}
mkdir -p folder/of.xml
cp good.xml folder/rig.xml
file_mistake "a misspelt file" goood.xml 'goood.xml: cannot open the file: No such file or directory; did you mean "good.xml"'
file_mistake "a file without its ending" folder/rig 'did you mean "folder/rig.xml"'
file_mistake "the rig's folder" folder 'this is a folder; expected a file; did you mean "folder/rig.xml"'
file_mistake "a folder called .xml" folder/of.xml 'this is a folder; expected a file'
file_mistake "a file far from all names" folder/nothing-like-it.xml 'folder/nothing-like-it.xml: cannot open the file: No such file or directory'
file_mistake "a misspelt folder" foldr/rig.xml 'did you mean "folder/rig.xml"'
file_mistake "a misspelt folder within another" "$PWD/foldr/rig.xml" "did you mean \"$PWD/folder/rig.xml\""
file_mistake "no name" '' "the name of the rig's file is empty; expected a file, or - for standard input"
file_mistake "a schema for a rig" "$top/schema/wattsink.xsd" 'the file'\''s element is "xs:schema"; expected <rig>'
printf '\357\273\277' >bom.xml && sed 's/$/\r/' good.xml >>bom.xml
exits 0 "a file from Windows" "$wattsink" check bom.xml
{ echo '<?xml version="1.0" encoding="ISO-8859-1"?>' && sed 's/My rig/B\xfcro/' good.xml; } >latin.xml
file_mistake "a file in Latin-1" latin.xml 'latin.xml:2:13: a byte that is not UTF-8 text; expected an XML file saved as UTF-8'

setting() {
    exits 3 "--set $1" "$wattsink" check good.xml --set "$1"
    [ "$(wc -l <err)" -eq 1 ] && pass "--set $1: one line" || fail "--set $1: one line" "$(cat err)"
    if grep -qF -- "setting $1: " err && grep -qF -- "$2" err; then pass "--set $1: says $2"; else fail "--set $1: says $2" "$(cat err)"; fi
}
setting gpus.power-limit=200W 'did you mean "gpu.power-limit"'
setting gpu1.power-limit=200W 'did you mean "gpu[gpu1].power-limit"'
setting gpu.power_limit=200W 'did you mean "gpu.power-limit"'
setting 'gpu[2].power-limit=200W' 'expected [0] to [1], [*] or an id'
setting 'gpu[*]power-limit=200W' 'expected names joined by dots'
setting 'gpu.power-limit 200W' 'this is not PATH=VALUE'
setting gpu.power-limit= 'there is no value'
setting gpu.power-limit=200 'did you mean "200 W"'
setting room.temp=25degC 'did you mean "room.temperature"'
setting site.room=25degC "there are no parts for <room>; expected its values as attributes, which 'wattsink kinds room' lists"
setting workload=training 'there are no parts for <workload>'
setting cpu= "the part of <cpu> has no name; expected one that 'wattsink parts cpu' lists"
setting 'chassis.fan+=fan/generic-120-1500 ta=rear' 'unknown attribute "ta" of <fan>'
setting psu=tier-gold-850 'did you mean "psu/tier-gold-850"'
setting 'gpu=rtx 4090' 'did you mean "gpu/rtx-4090"'
setting tariff.price=30ct/kWh 'did you mean "0.3 EUR/kWh"'
setting site.circuit=3600W 'is a power; expected a current'

for mistaken in 'gpu.powerlimit=200W,250W,300W' 'gpu.power-limit=200W,250W --for 1parsec'; do
    # shellcheck disable=SC2086 # unquoted: an axis and an option
    exits 3 "compare --vary $mistaken" "$wattsink" compare good.xml --vary $mistaken
    [ "$(wc -l <err)" -eq 1 ] && pass "compare --vary $mistaken: one line" || fail "compare --vary $mistaken: one line" "$(cat err)"
done

mkdir empty
exits 3 "no catalogue" env WATTSINK_PARTS="$scratch/empty" "$wattsink" check good.xml
[ "$(grep -c 'there are no parts in' err)" -eq 1 ] && pass "no catalogue: told once" || fail "no catalogue: told once" "$(cat err)"
says err '^wattsink: parts were looked for in .*/empty; .*WATTSINK_PARTS' "no catalogue: where it was looked for"
exits 3 "a setting for all cards" "$wattsink" check good.xml --set 'gpu[*].power-limit=900W'
[ "$(wc -l <err)" -eq 1 ] && pass "a setting for all cards: told once" || fail "a setting for all cards: told once" "$(cat err)"

mkdir -p own/gpu
printf '<gpu title="Mine" tdp="300 W">\n  <source for="*" kind="assumed" ref="mine"/>\n  <cooler part="cooler/generic-blower"/>\n</gpu>\n' >own/gpu/mine.xml
sed 's,gpu/rtx-3090-blower,gpu/mine,' good.xml >rig.xml
exits 3 "a part without a base: exit 3" "$wattsink" check rig.xml --parts own
says err '^.*own/gpu/mine\.xml:1:2: part "gpu/mine" lacks clock-max, .*base="gpu/\.\.\.".*base="gpu/generic"' "a part without a base: its place and cure"
[ "$(grep -c lacks err)" -eq 1 ] && pass "a part without a base: told once" || fail "a part without a base: told once" "$(cat err)"
exits 3 "a part without a base, and a setting: exit 3" "$wattsink" check rig.xml --parts own --set room.conductance=9W/K
says err '/gpu/mine\.xml:1:2: part "gpu/mine" lacks clock-max' "a part without a base, and a setting: its place"

printf '<gpu title="Zyx" base="gpu/rtx-3090-blower" tdp="300 W">\n  <source for="*" kind="assumed" ref="mine"/>\n</gpu>\n' >own/gpu/zyx.xml
sed 's,gpu/rtx-3090-blower,gpu/zyx,' good.xml >rig.xml
for command in check steady 'run -o none'; do
    # shellcheck disable=SC2086 # unquoted: a command and its options
    exits 3 "own parts forgotten: $command" "$wattsink" $command rig.xml
    says err '^rig\.xml:11:16: there is no part "gpu/zyx"' "own parts forgotten: $command: the place"
    [ "$(grep -c '^wattsink: parts were looked for in .*; --parts DIR .*WATTSINK_PARTS' err)" -eq 1 ] &&
        pass "own parts forgotten: $command: told once how to name them" || fail "own parts forgotten: $command: told once how to name them" "$(cat err)"
done
sed 's,gpu/rtx-3090-blower,gpu/b770,' good.xml >rig.xml
exits 3 "own parts forgotten, like another" "$wattsink" check rig.xml
says err '^wattsink: parts were looked for in ' "own parts forgotten, like another: told too"
sed 's,gpu/rtx-3090-blower,gpu/zyx,' good.xml >rig.xml
exits 0 "own parts named" "$wattsink" check rig.xml --parts own
sed 's,gpu/rtx-3090-blower,gpu/qqq,' good.xml >rig.xml
exits 3 "not even there" "$wattsink" check rig.xml --parts own
says err '^wattsink: parts were looked for in own and .*; WATTSINK_PARTS' "not even there: both folders are named"

exits 0 "parts: an id" "$wattsink" parts gpu/rtx-4090
says out '^gpu/rtx-4090: ' "is shown"
exits 0 "parts: an own part on one of the catalogue" "$wattsink" parts gpu/zyx --parts own
says out 'builds on gpu/rtx-3090-blower' "is shown with what it builds on"
exits 0 "parts --show: the same" "$wattsink" parts --show gpu/zyx --parts own
exits 3 "parts: an own part without its folder" "$wattsink" parts --show gpu/zyx
says err 'parts were looked for in .*--parts DIR' "says how to name it"
printf '<gpu title="Bad" base="gpu/rtx-3090-blower" tpd="300 W">\n  <source for="*" kind="assumed" ref="mine"/>\n</gpu>\n' >own/gpu/bad.xml
exits 3 "parts: a mistake in a part" "$wattsink" parts --show gpu/bad --parts own
says err 'own/gpu/bad\.xml:1:45: unknown attribute "tpd".*did you mean "tdp"' "has its place"
printf '<gpu title="Bad" base="gpu/rtx-3090-blower" tdp="300 W"/>\n' >own/gpu/bad.xml
exits 3 "parts: a value without a source" "$wattsink" parts gpu/bad --parts own
says err 'own/gpu/bad\.xml:1:45: tdp has no source; expected a <source for="tdp" kind="datasheet\|database\|log\|article\|measured\|fitted\|assumed" ref=.*or one for="\*"' "has its cure"
printf '<gpu title="Bad" base="gpu/rtx-3090-blower" slots="2" slots="3">\n  <source for="*" kind="assumed" ref="mine"/>\n</gpu>\n' >own/gpu/bad.xml
exits 3 "parts: a part with an attribute twice" "$wattsink" parts gpu/bad --parts own
says err 'own/gpu/bad\.xml:1:55: attribute "slots" is written twice in <gpu>' "has its place"
printf '<gpu title="Bad" base="gpu/rtx-3090-blower" slots="2">\n  <source for="*" kind="hearsay" ref="mine"/>\n</gpu>\n' >own/gpu/bad.xml
exits 3 "parts: an unknown kind of source" "$wattsink" parts gpu/bad --parts own
says err 'own/gpu/bad\.xml:2:25: unknown kind of source "hearsay"; expected datasheet, database, log, article, measured, fitted or assumed' "names the seven"
rm own/gpu/bad.xml
for words in 'parts --show acme' 'new --gpu nosuch'; do
    # shellcheck disable=SC2086 # unquoted: a command and its options
    exits 3 "$words" "$wattsink" $words
    if grep -qE "did you mean|there is [a-z]+/|^\$|parts '" err; then fail "$words: no odd guess, no empty line" "$(cat err)"
    else pass "$words: no odd guess, no empty line"; fi
done
meant() {
    exits 3 "$*" "$wattsink" "$@"
    if grep -qF -- "$meant" err; then pass "$*: says $meant"; else fail "$*: says $meant" "$(cat err)"; fi
    [ "$(wc -l <err)" -eq 1 ] && pass "$*: one line" || fail "$*: one line" "$(cat err)"
}
meant='did you mean "gpu/rtx-4090"'
meant parts --show 'RTX 4090'
meant parts --show rtx-4090
meant parts gpu --show rtx-4091
meant new --gpu rtx4090
meant new --gpu 'RTX 4090'
meant new --gpu gpu/rtx4090
meant="did you mean 'gpu'"
meant parts gpux
meant="did you mean 'parts --search 4090'"
meant parts 4090
meant="no part with 'nosuch'"
meant parts --search nosuch
exits 0 "new: a card without its family" "$wattsink" new --gpu rtx-4090
says out 'part="gpu/rtx-4090"' "is that of the family gpu"

refuse() {
    code=$1 pattern=$2
    shift 2
    exits "$code" "$*: exit $code" "$wattsink" "$@"
    says err "$pattern" "$*: says why"
    [ "$(wc -l <err)" -eq 1 ] && pass "$*: one line" || fail "$*: one line" "$(cat err)"
}
mkdir -p hollow && echo x >file
for command in check run steady 'export --spice' 'sweep --vary gpu.power-limit=200W,300W' 'compare --vary gpu.power-limit=200W,300W'; do
    # shellcheck disable=SC2086 # unquoted: a command and its options
    refuse 3 '^nofile\.xml: cannot open the file: No such file or directory$' $command nofile.xml
done
exits 3 "compare two files that are not there" "$wattsink" compare nofile.xml none.xml
[ "$(grep -c '^no[a-z]*\.xml: cannot open the file: No such' err)" = 2 ] && pass "both are told" || fail "both are told" "$(cat err)"
for command in plot report; do
    refuse 3 "^wattsink: nosuch: No such file or directory; $command wants the folder that 'wattsink run' leaves$" $command nosuch
    refuse 3 "^wattsink: good\.xml is a rig: 'wattsink run good\.xml' leaves a folder of results, and $command wants that$" $command good.xml
    refuse 3 "^wattsink: file is a file; $command wants" $command file
    refuse 3 "^wattsink: hollow/[a-z.]* is missing: 'wattsink run RIG\.xml -o hollow' leaves it$" $command hollow
done
refuse 1 '^wattsink: cannot make file: it exists already.*another name after -o$' new -o file
refuse 1 '^wattsink: cannot make the folder file: a file has that name$' run good.xml -o file
# The name after -o must be checked before the simulation, which could take long.
refuse 1 '^wattsink: cannot make the folder file: a file has that name$' compare good.xml --vary gpu.power-limit=200W,300W --for 3000d -o file

# A word that a command cannot use, for example a rig without a command or a value with a blank: the message must say
# what to write instead.
meant_word() {
    pattern=$1
    shift
    exits 2 "$*: exit 2" "$wattsink" "$@"
    says err "$pattern" "$*: what was meant"
}
meant_word "unknown command 'good.xml'; did you mean 'run good.xml'" good.xml
meant_word "unknown command 'hollow'; did you mean 'report hollow'" hollow
meant_word "'day' is none; a value with a blank in it wants quotes" run good.xml --for 1 day
meant_word "'200W,250W' is none; a value with a blank" compare good.xml --vary gpu.power-limit 200W,250W
meant_word "one rig at a time, not 'good.xml' and 'idle.xml'" steady good.xml idle.xml
meant_word '^wattsink steady: which rig' steady
meant_word '^usage: wattsink schema$' schema good.xml
refuse 3 "^wattsink: no element 'gpuu'; did you mean 'gpu'" kinds gpuu
refuse 3 "^wattsink: no element 'nothing'; 'wattsink kinds' lists all" kinds nothing
"$wattsink" run good.xml --for 10s -q -o done
refuse 3 '^done: this is a folder; expected a file; did you mean "done/rig\.resolved\.xml"$' steady 'done'

cp good.xml mine.xml && ln -s mine.xml also.xml
for file in mine.xml ./mine.xml also.xml; do
    exits 2 "an export over its rig, $file" "$wattsink" export mine.xml --spice -o $file
    if cmp -s good.xml mine.xml; then pass "leaves the rig"; else fail "leaves the rig" "$(head -n 2 mine.xml)"; fi
done

sed '9s/1600/550/' good.xml >rig.xml
exits 0 "a supply too small: exit 0" "$wattsink" check rig.xml
says out 'Advice: the PSU is too small by [0-9]+ W; use a PSU of at least [0-9]+ W' "a supply too small: told with its number"
says out 'Advice: the PSU (would almost certainly trip|is [0-9]+ % likely to trip)' "a supply too small: told that it trips"
sed -n 's/.* at least \([0-9]* W\),.*/\1/p;s/.* a PSU of \([0-9]* W\),.*/\1/p' out | sort -u >sizes
[ "$(wc -l <sizes)" -eq 1 ] && pass "a supply too small: one size cures it" || fail "a supply too small: one size cures it" "$(cat sizes)"

sed -e '3s/degC/W/;4s/0.30/0,30/;7s/front/frnt/;9s/tier/teir/;11s/power-limit/powerlimit/;12s/280 W/280/;15s/Berlin/Berln/' good.xml >rig.xml
exits 3 "seven mistakes: exit 3" "$wattsink" check rig.xml
sed 's/^rig\.xml:\([0-9]*\):.*/\1/' err | tr '\n' ' ' >lines
says lines '^3 4 7 9 11 12 (15 )?$' "seven mistakes: all at once"

if command -v xmllint >/dev/null; then
    schema=$top/schema/wattsink.xsd
    exits 0 "schema: no mistake" xmllint --noout --nonet --schema "$schema" good.xml
    invalid() {
        sed -e "$2" good.xml >rig.xml
        exits 3 "schema: $1 is refused" xmllint --noout --nonet --schema "$schema" rig.xml
        says err "rig\.xml:$3" "schema: $1 is located"
    }
    invalid "a misspelt attribute" '11s/power-limit/powerlimit/' "11: .*powerlimit"
    invalid "a missing unit" '11s/280 W/280/' "11: .*power-limit"
    invalid "an unknown kind" '14s/kind="training"/kind="trainning"/' "14: .*trainning"
    invalid "a card outside the chassis" '12{h;d};13G' "13: .*gpu"
    invalid "an id given twice" '11,12s/slot/id="a" slot/' "12: .*Duplicate key"
    invalid "one id on two sorts of element" '7s/at/id="a" at/;11s/slot/id="a" slot/' "11: .*Duplicate key"
    loop='<loop id="water"><pump pressure="40 kPa" flow="20 l\/min" rpm="4800 rpm"\/><\/loop>'
    sed "10s/ *</<cpu part=\"cpu\/xeon-w-2255\" loop=\"water\"\/>$loop</;10s/<cpu part=\"cpu\/xeon-w-2255\"\/>\$//" good.xml >rig.xml
    exits 0 "schema: a loop that is there" xmllint --noout --nonet --schema "$schema" rig.xml
    exits 0 "schema: the scenarios" sh -c "xmllint --noout --nonet --schema '$schema' '$top'/scenarios/*/*.xml"
    "$wattsink" run good.xml --for 1s -q -o resolved
    exits 0 "schema: a resolved rig" xmllint --noout --nonet --schema "$schema" resolved/rig.resolved.xml
    invalid "a loop that is not there" '10s/part/loop="watre" part/' "10: .*No match found"
else
    echo "ok the schema # SKIP xmllint (package libxml2-utils) is not there"
fi
sed 's/ feeds="[^"]*"//' "$top/tests/golden/articles/wopr-4090.xml" >no-feeds.xml
exits 4 "a PSU at three times its rating" "$wattsink" steady no-feeds.xml --parts "$top/parts" -q
says err 'psu0 carries 3[0-9]{3} W and may give 1000 W: it would trip at once; expected a larger PSU, or feeds=' "is named as the cause, not the temperature that it leads to"
# Exhaust that returns is air that fans blow through the case.
returning() { printf '<rig><site supply="230 V"/><chassis exhaust-return="20 %%"><vent at="front" area="300 cm2"/><vent at="rear" area="100 cm2"/>%s<psu kind="constant" rated="900 W" efficiency="90 %%"/><gpu part="gpu/%s" slot="1"/></chassis></rig>\n' "$1" "$2" >returns.xml; }
returning '' rtx-3070
exits 0 "exhaust-return of a case without fans" "$wattsink" check returns.xml
says err 'returns\.xml:1:[0-9]*: warning: exhaust-return changes little: it returns air that fans blow through the case, and .* has none' "is warned of"
returning '<fan part="fan/generic-120-1500" at="rear"/>' rtx-3070
"$wattsink" check returns.xml >out 2>err
lacks err 'exhaust-return' "not with a fan"
returning '' rtx-3090-blower
"$wattsink" check returns.xml >out 2>err
lacks err 'exhaust-return' "nor with a card that blows its air out"

exit $status
