#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/helpers.inc"

mkdir -p parts/gpu parts/psu
cat >parts/gpu/card.xml <<'END'
<gpu tdp="350 W" clock-max="1980 MHz" clock-knee="1200 MHz" voltage-slope="0.5 1/GHz">
  <cooler conductance="6 W/K" flow="36 m3/h" capacity="400 J/K" fan-pressure="500 Pa" fan-flow="72 m3/h" fan-rpm="5000 rpm"/>
  <source for="*" kind="assumed" ref="test"/>
</gpu>
END
ln -s /etc/passwd parts/psu/link.xml

tried() {
    count inputs "inputs tried"
    [ "$1" != 3 ] || count inputs "refused by exit 3"
}
# refused NAME FILE [LINE:COLUMN: ]PATTERN: a run of FILE is refused with PATTERN, at this place if one is given.
refused() {
    # The limit is on processor time, because a busy machine slows any command.
    exits 3 "$1: exit 3" timeout 60 sh -c 'ulimit -c 0; ulimit -t 1; exec "$@"' sh "$wattsink" run "$2" --parts parts -o made
    # A mistake that concerns the file as a whole has no line.
    case $3 in [0-9]*:* | ' '*) place= ;; *) place='[0-9]+:[0-9]+: .*' ;; esac
    says err "^rig\.xml:$place$3" "$1: located"
    absent made "$1: no folder"
    [ "$got" -lt 124 ] && pass "$1: at once" || fail "$1: at once" "exit $got"
    tried "$got"
    rm -rf made
}
card() { printf '<rig>\n  <chassis><gpu part="gpu/card" slot="1"\n    %s/></chassis>\n</rig>\n' "$1" >rig.xml; }
repeat() { yes "$1" | head -n "$2" | tr -d '\n'; }

: >rig.xml && refused "empty" rig.xml "empty"
head -c 5000 /bin/sh >rig.xml && refused "binary" rig.xml "not .*text"
head -c 100000000 /dev/zero >rig.xml && refused "100 MB" rig.xml ' the file is larger than 16 MB' && rm rig.xml
{ printf '<?xml version="1.0"?>\n<!DOCTYPE r [<!ENTITY a "ha">' && for k in b c d e f g h; do
    printf '<!ENTITY %s "&%s;&%s;&%s;&%s;&%s;&%s;&%s;&%s;">' $k a a a a a a a a
done && printf ']>\n<rig name="&h;"/>'; } >rig.xml
refused "billion laughs" rig.xml "2:1: .*refused"
printf '<!DOCTYPE rig [<!ENTITY x SYSTEM "file:///etc/passwd">]>\n<rig name="&x;"/>' >rig.xml
refused "external entity" rig.xml "1:1: .*refused"
{ repeat '<rig>' 200000 && repeat '</rig>' 200000; } >rig.xml && refused "200,000 nested elements" rig.xml "64 deep"
printf '<rig>\n  <site>\n</rig>\n' >rig.xml && refused "torn" rig.xml "expected </site>"

card 'tdp="-5 W"' && refused "negative" rig.xml '3:10: .*out of range'
card 'tdp="nan W"' && refused "nan" rig.xml '3:10: .*not a number'
card 'tdp="1e400 W"' && refused "overflow" rig.xml '3:10: .*too large'
card 'power-limit="280 kg"' && refused "wrong unit" rig.xml '3:18: .*is a mass; expected a power \(W, kW'
card 'power-limit="280"' && refused "no unit" rig.xml '3:18: .*has no unit.*did you mean "280 W"'
card 'power-limt="280 W"' && refused "misspelt" rig.xml '3:5: .*did you mean "power-limit"'
printf '<rig><chassis><gpu slot="1" part="gpu/crad"/></chassis></rig>' >rig.xml
refused "missing part" rig.xml '1:35: .*did you mean "gpu/card"'
sed 's/tdp="350 W"/tdp="350 W" tdp="250 W"/' parts/gpu/card.xml >parts/gpu/twice.xml
printf '<gpu base="gpu/twice"/>\n' >parts/gpu/above.xml
for id in twice above; do
    printf '<rig><chassis><gpu slot="1" part="gpu/%s"/></chassis></rig>' $id >rig.xml
    exits 3 "an attribute twice in a part ($id): exit 3" "$wattsink" run rig.xml --parts parts -o made
    says err '^parts/gpu/twice\.xml:1:[0-9]+: attribute "tdp" is written twice in <gpu>' "an attribute twice in a part ($id): located"
    exits 3 "an attribute twice in a part ($id): not shown" "$wattsink" parts --show gpu/$id --parts parts
done
printf '<rig><chassis><psu part="psu/link"/></chassis></rig>' >rig.xml && refused "link that leaves" rig.xml "leads out"
printf '<rig><chassis><psu part="../../etc/passwd"/></chassis></rig>' >rig.xml && refused "path that leaves" rig.xml "not a part"
printf '<rig><chassis>\n<gpu part="gpu/card" slot="1"/>\n<gpu part="gpu/card" slot="2"/></chassis></rig>' >rig.xml
refused "a slot used twice" rig.xml "3:28: slot 2 is taken"

weather() {
    printf '<rig>\n <site><room><outdoor kind="file" file="w.csv"/></room></site></rig>\n' >rig.xml
    printf "$1" >w.csv
}
csv() {
    exits 3 "$1: exit 3" "$wattsink" run rig.xml --parts parts -o made
    says err "^w\.csv:$2: $3" "$1: located"
    absent made "$1: no folder"
    tried "$got"
}
weather 'time,temp_c\n2026-08-03T09:00,20\n2026-08-03T08:00,20\n' && csv "time that falls" 3:1 "time .* is not after"
weather 't_h,temp_w\n0,20\n1,20\n' && csv "a column of watts" 1:5 "column .* ends in its unit: _c, _f, _k"
weather 't_h,temp_c\n0,20\n1,twenty\n2,300\n' && csv "no number" 3:3 '"twenty" is not a number'
says err '^w\.csv:4:3: "300" is out of range; expected at most 60 degC' "and the next mistake with it"
weather '' && csv "an empty data file" 1:1 "there is no text"
head -c 20000000 /dev/zero >w.csv && refused "20 MB of data" rig.xml '2:41: .*larger than 16 MB'
rm w.csv && refused "no data file" rig.xml '2:41: .*there is no file w\.csv'
ln -s /etc/passwd w.csv && refused "a link out of the data folder" rig.xml '2:41: .*leads out of the data folder' && rm w.csv
sed -i 's|w\.csv|../w.csv|' rig.xml && refused "data elsewhere" rig.xml '2:41: .*not the name of a data file'
printf '<rig><site><room><outdoor file="w.csv"/></room></site></rig>' >rig.xml
refused "a file without its kind" rig.xml '1:27: unknown attribute "file" of <outdoor> of kind sine; .*kind="file" has it'

chassis() { printf '<rig><chassis>\n%s</chassis></rig>\n' "$1" >rig.xml; }
chassis '<loop coolant="oil"/>' && refused "unknown coolant" rig.xml '2:16: .*expected water, glycol-30'
chassis '<loop><pump/></loop>' && refused "a pump without data" rig.xml '2:8: <pump> lacks pressure, flow, rpm'
chassis '<loop><radiator conductance="9 W/K" flow="1 m3"/></loop>' && refused "a volume for a flow" rig.xml '2:43: .*is a volume; expected a volume flow'
chassis '<vent at="front" area="9 cm2" power-limit="9 W"/>' && refused "an attribute of another element" rig.xml '2:31: unknown attribute "power-limit" of <vent>; expected .*; it belongs in <gpu>$'
chassis '<gpu part="gpu/card" slots="1" slot="1"/><gpu part="gpu/card" slots="1" slot="1"/>' && refused "two cards of one slot" rig.xml '2:79: slot 1 is taken by gpu0; expected slot 2 or higher$'
printf '<rig><run from="2026-08-03" zone="New York" for="1 h"/></rig>' >rig.xml && refused "a zone with a blank" rig.xml '1:35: .*did you mean "America/New_York"$'
chassis '<pump/>' && refused "a pump outside its loop" rig.xml '2:2: <pump> does not belong in <chassis>; expected in loop'
chassis '<gpu part="gpu/card" slot="1"><cooler kind="wter"/></gpu>' && refused "unknown cooler" rig.xml '2:45: .*did you mean "water"'
chassis '<gpu part="gpu/card" slot="1"><cooler recirculation="5"/></gpu>' && refused "exhaust of another style" rig.xml '2:39: .*recirculation'
printf '<rig><chassis kind="fram"/></rig>' >rig.xml && refused "unknown chassis" rig.xml '1:21: .*did you mean "frame"'
printf '<rig><chassis>\n<gpu part="gpu/card" slot="1" id="a"/></chassis>\n<chassis><gpu part="gpu/card" slot="1" id="a"/></chassis></rig>' >rig.xml
refused "one id in two chassis" rig.xml '3:44: the id "a" is already used by a <gpu> in line 2'

cat >rig.xml <<'END'
<rig>
  <site suply="120 V" circuit="15 W"><room volume="nan m3"/><tarif/></site>
  <chassis><psu part="psu/nothing"/>
    <gpu part="gpu/card" slot="1" power-limit="280 kg"
         tdp="-5 W"/>
    <gpu part="gpu/card" slot="one" power-limit="280" id="a"/>
    <gpu part="gpu/card" slot="5" fan="fast" clock="1e400 Hz" id="a"/>
  </chassis>
  <workload class="trainin"/>
</rig>
END
refused "many mistakes" rig.xml 'did you mean "supply"'
for place in 2:9 2:32 2:52 2:62 3:23 4:48 5:15 6:32 6:50 7:53 7:67 9:20; do
    says err "^rig.xml:$place: " "the mistake at $place is told"
done

card 'name="x"'
exits 3 "a bad assignment" "$wattsink" run rig.xml --parts parts -o made --set gpu.powr-limit=3W
says err 'did you mean .*gpu\.power-limit' "the nearest path is suggested"
absent made "a bad assignment makes no folder"

exits 0 "schema" "$wattsink" schema
if command -v xmllint >/dev/null; then
    cp out s.xsd
    exits 0 "the schema takes a rig" xmllint --noout --schema s.xsd rig.xml two-cards.xml parts/gpu/card.xml
    card 'power-limit="280"'
    exits 3 "the schema refuses a number without unit" xmllint --noout --schema s.xsd rig.xml
fi
cat >rig.xml <<'END'
<rig name="bad">
<chassis slots="8"><fan at="front" pressure="20 Pa" flow="60 CFM" rpm="1500 rpm" duty="600"/>
<cpu power="100 W" loop="watre"/>
<loop id="water"><radiator conductance="80 W/K" flow="160 CFM" direction="inward"/></loop>
<gpu part="gpu/card" slot="8"><cooler kind="water" conductance="30 W/K" loop="wtaer"/></gpu>
<gpu part="gpu/card" slot="1" thicknes="2 mm"/>
</chassis></rig>
END
exits 3 "seven mistakes at once: exit 3" "$wattsink" run rig.xml --parts parts -o made
for told in '2:[0-9]*: duty: "600" is out of range' "3:26: there is no loop 'watre'.*did you mean 'water'" '4:2: this loop has no pump' \
    '4:[0-9]*: direction: "inward" is unknown' '5:[0-9]*: a 2-slot card in slot 8 reaches beyond' \
    "5:[0-9]*: there is no loop 'wtaer'" '6:[0-9]*: unknown attribute "thicknes"'; do
    says err "^rig\.xml:$told" "seven mistakes at once: $told"
done

sized() {
    printf '<rig><chassis><psu kind="constant" efficiency="90 %%" rated="%s"/><gpu part="gpu/card" slot="1" memory-capacity="%s" memory-resistance="%s"/></chassis><run for="1 h" step="1 s"/></rig>' "$1" "$2" "$3" >rig.xml
}
sized '1e-310 W' '25 J/K' '0.4 K/W' && refused "a PSU of almost no watts" rig.xml 'rated: "1e-310 W" is out of range; expected at least 1 W'
sized '1000 W' '1e-6 J/K' '0.4 K/W' && refused "memory without heat capacity" rig.xml 'memory-capacity: "1e-6 J/K" is out of range; expected at least 1 J/K'
sized '1000 W' '25 J/K' '1e-12 K/W' && refused "memory without resistance" rig.xml 'memory-resistance: "1e-12 K/W" is out of range; expected at least 0.001 K/W'
sized '1000 W' '1 J/K' '0.001 K/W' && exits 0 "the smallest values allowed are simulated" "$wattsink" run rig.xml --parts parts -o made -q
rm -rf made
# airy COOLER FAN: writes a rig in which a card's cooler and a case fan have these attributes.
airy() {
    printf '<rig><chassis><fan pressure="20 Pa" rpm="1500 rpm" %s/><gpu part="gpu/card" slot="1"><cooler %s/></gpu></chassis><run for="20 min" step="1 s"/></rig>' "${2-flow=\"80 m3/h\"}" "$1" >rig.xml
}
airy 'flow="1e-310 m3/h"' && refused "fins without flow" rig.xml 'flow: "1e-310 m3/h" is out of range; expected at least 0\.0001 m3/s'
airy 'outlet="1e-310 cm2"' && refused "an outlet without area" rig.xml 'outlet: "1e-310 cm2" is out of range; expected at least 0\.1 cm2'
airy 'fan-flow="1e-310 m3/h"' && refused "a card's fan without flow" rig.xml 'fan-flow: "1e-310 m3/h" is out of range; expected at least 0\.0001 m3/s'
airy 'fan-rpm="1e-12 rpm"' && refused "fan data at no speed" rig.xml 'fan-rpm: "1e-12 rpm" is out of range; expected at least 1 rpm'
airy 'rpm-max="0 rpm"' && refused "a fan that may not turn" rig.xml 'rpm-max: "0 rpm" is out of range; expected at least 1 rpm'
airy '' 'flow="1e-310 m3/h"' && refused "a case fan without flow" rig.xml 'flow: "1e-310 m3/h" is out of range; expected at least 0\.0001 m3/s'
for least in 'flow="0.0001 m3/s"' 'outlet="0.1 cm2"' 'fan-flow="0.0001 m3/s"' 'fan-rpm="1 rpm"' 'rpm-max="1 rpm"'; do
    airy "$least" && exits 0 "the least value allowed is simulated: $least" "$wattsink" run rig.xml --parts parts -o made -q
    rm -rf made
done
airy '' 'flow="0.0001 m3/s"' && exits 0 "the least value allowed is simulated: a case fan" "$wattsink" run rig.xml --parts parts -o made -q
rm -rf made
printf '<rig><chassis><psu kind="constant" rated="1600 W" efficiency="90 %%"/><load dc="1e-12 W"/></chassis><run for="1 d" step="1 s"/></rig>' >rig.xml
exits 0 "a load of 1e-12 W: the energy balance closes" "$wattsink" run rig.xml -o made -q
exit $status
