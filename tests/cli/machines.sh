#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/helpers.inc"

drawn() {
    name=$1 rig=$2
    shift 2
    exits 0 "$name" "$wattsink" run "$rig" --for 10min -q --force -o m "$@"
    exits 0 "$name: a report" "$wattsink" report m
    page=m/report.html
    if command -v xmllint >/dev/null; then
        sed -E 's/<(meta|link|br)([^>]*)>/<\1\2\/>/g; /^<!DOCTYPE/d' $page >as.xml
        exits 0 "$name: well-formed" xmllint --noout as.xml
    fi
    if grep -qE '[>" ](-?nan|-?inf)[<" ]' $page; then fail "$name: numbers" "$(grep -oE '.{0,40}[>" ](-?nan|-?inf)' $page | head -3)"
    else pass "$name: numbers"; fi
}
flow() { sed -n "s/.*\"id\": \"$1\", .*\"flow_m3h\": \([-0-9.e+]*\).*/\1/p" m/summary.json | head -n 1; }
# twice PATTERN NAME: the page has PATTERN twice, once for wide and once for narrow screens.
twice() { n=$(grep -oE -- "$1" $page | wc -l); if [ "$n" = 2 ]; then pass "$2"; else fail "$2" "$n times /$1/"; fi; }

fan='diameter="120 mm" pressure="20 Pa" flow="90 m3/h" rpm="1500 rpm" power="2 W"'
case_of() {
    printf '<rig name="A case"><chassis %s>%s<psu kind="constant" rated="1600 W" efficiency="90 %%"/>
<gpu part="gpu/generic" tdp="200 W" slot="1"/></chassis><workload class="training"/></rig>\n' "${2-}" "$1"
}

sides=
for at in front rear top bottom side; do sides="$sides<fan id=\"$at\" at=\"$at\" $fan/>"; done
case_of "$sides" >sides.xml
drawn "a fan at each side" sides.xml
for at in front rear top bottom side; do
    twice ">$at</tspan>" "the one at the $at"
    says $page "$(printf '%.0f' "$(flow $at)") m³/h" "with its flow"
done
[ "$(grep -o '<circle class="open"' $page | wc -l)" = 2 ] && pass "the fan at the side is drawn as a circle, at both widths" || fail "the fan at the side is drawn as a circle, at both widths"

for at in front rear top bottom; do
    case_of "<fan id=\"in\" at=\"front\" $fan/><vent at=\"$at\" area=\"100 cm2\"/>" >vent.xml
    drawn "a vent at the $at" vent.xml
    twice '<path class="vent"' "is drawn"
    twice '>vents</tspan>' "with the air through it"
    twice '>and PSU</tspan>' "and through the PSU"
done
case_of "<fan id=\"in\" at=\"front\" $fan/>" >psu.xml
drawn "a case without a vent" psu.xml
twice '>PSU</tspan>' "breathes through its PSU"

case_of "<fan id=\"in\" at=\"front\" count=\"3\" fails=\"1\" fails-at=\"10 s\" $fan/><vent at=\"rear\" area=\"5 cm2\"/>" >back.xml
drawn "a fan that stands" back.xml
case $(flow in.failing) in -*) pass "air flows back through it" ;; *) fail "air flows back through it" "$(flow in.failing)" ;; esac
twice 'm³/h back' "and is drawn so"
twice '>fails</tspan>' "with the reason"

for place in front:intake rear:outside bottom:intake top:exhaust; do
    drawn "a radiator at the ${place%:*}" "$top/scenarios/water-3090/rig.xml" --set "radiator.at=${place%:*}" --set "radiator.direction=${place#*:}"
done

case_of "<fan id=\"a\" at=\"front\" $fan/>" 'id="left"' | sed "s|</chassis>|&<chassis id=\"right\"><fan id=\"b\" at=\"rear\" $fan/></chassis>|" >two.xml
drawn "two cases" two.xml
sed 's/<chassis id="left"/& price="100 USD"/' two.xml >priced.xml
exits 0 "their price" "$wattsink" check priced.xml
says out '^  Rig, all parts: 100\.00 USD' "is told as that of the rig"
lacks out '; all parts' "and not as that of the first machine"
for id in left right; do
    [ "$(grep -c "<h3>$id</h3>" $page)" = 1 ] && pass "the $id one by its name" || fail "the $id one by its name"
done
# Alike cards of several machines share a row. Where all are in the first slot, the row says so.
node='<psu kind="constant" rated="1600 W" efficiency="90 %"/><gpu part="gpu/generic" tdp="200 W" slot="1"/></chassis>'
echo "<rig name=\"Two machines\"><chassis id=\"a\">$node<chassis id=\"b\">$node<workload class=\"training\"/></rig>" >nodes.xml
"$wattsink" steady nodes.xml >out 2>&1
says out '^gpu0-gpu1 +1 +[0-9]' "cards in the same slot of two machines"

# Of many PSUs eight have a load of their own in the line on power; the others are counted, with the highest of theirs.
supply='<psu kind="constant" rated="1 kW" efficiency="90 %" redundant="yes"/>'
{ echo '<rig name="Ten PSUs"><site><room temperature="25 degC"/></site><chassis kind="frame">'; for n in 1 2 3 4 5 6 7 8 9 10; do echo "$supply"; done
  echo '<load dc="4 kW"/><gpu part="gpu/generic" tdp="200 W" slot="1"/></chassis><workload class="training"/></rig>'; } >ten.xml
"$wattsink" steady ten.xml >out 2>&1
tr -s '\n ' '  ' <out >told
says told 'psu7 [0-9]+ % of its rating, further PSUs [(]2[)] at most [34][0-9] % of theirs' "the last two of ten PSUs are told"

exit $status
