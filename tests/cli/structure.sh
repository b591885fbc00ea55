#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/helpers.inc"
parts=$top/parts
# alike FILE NAME SET...: two.xml with these assignments has the steady point of FILE.
alike() {
    file=$1 name=$2
    shift 2
    for s in "$@"; do set -- "$@" --set "$s"; shift; done
    "$wattsink" steady "$file" --parts "$parts" --json >want.json 2>err &&
        "$wattsink" steady two.xml --parts "$parts" --json "$@" >got.json 2>>err
    for f in want got; do sed 's/"\(wall_clock_s\|digest\|simulated_s\)": [^,]*,//g' $f.json >$f; done
    if [ -s want ] && cmp -s want got; then pass "$name"; else fail "$name" "$(cat err; diff want got | head -5)"; fi
}
cat >two.xml <<'END'
<rig name="two">
  <site supply="230 V" circuit="16 A"><room temperature="25 degC"/><tariff price="0.3 EUR/kWh"/></site>
  <chassis part="chassis/full-tower-8-slot">
    <fan part="fan/generic-120-1500" at="front" count="2"/>
    <fan part="fan/generic-120-1500" at="rear"/>
    <psu part="psu/tier-gold-1600"/>
    <gpu part="gpu/rtx-3090-blower" slot="1"/>
    <gpu part="gpu/rtx-3090-blower" slot="3"/>
  </chassis>
  <workload class="training"/>
  <run for="1 h"/>
</rig>
END
sed '/slot="3"/d' two.xml >one.xml
alike one.xml "a card less" 'gpu[1]=none'
alike one.xml "by its id" 'gpu[gpu1]=none'
sed '/<gpu/d' two.xml >bare.xml
alike bare.xml "no card" 'gpu[*]=none'
sed 's|<psu|<fan part="fan/generic-120-3000" at="top" count="2"/><psu|' two.xml >more.xml
alike more.xml "two fans more" 'chassis.fan+=fan/generic-120-3000 at=top count=2'
alike more.xml "that are changed then" 'fan+=fan/generic-120-3000 at=top' 'fan[2].count=2'
sed 's|slot="3"/>|slot="3"/><gpu part="gpu/rtx-3090-blower" slot="5" power-limit="250W"/>|' two.xml >three.xml
alike three.xml "a card more" 'gpu+=gpu/rtx-3090-blower slot=5 power-limit=250W'
alike two.xml "added and taken away" 'gpu+=gpu/rtx-3090-blower slot=5' 'gpu[gpu2]=none'
sed 's|supply|altitude="1500 m" supply|; s|</site>|<carbon part="carbon/de"/></site>|' two.xml >site.xml
alike site.xml "an element of the site" 'site.carbon+=carbon/de' site.altitude=1500m
exits 0 "a run" "$wattsink" run two.xml --parts "$parts" --set 'gpu+=gpu/rtx-3090-blower slot=5 power-limit=250W' -q -o added
alike added/rig.resolved.xml "leaves the rig as it is then" 'gpu+=gpu/rtx-3090-blower slot=5 power-limit=250W'
exits 0 "as an axis" "$wattsink" sweep two.xml --parts "$parts" --vary 'gpu[1]=gpu/rtx-3090-blower,none' --columns steps,circuit.wall_peak_w -q -o axis.csv
[ "$(wc -l <axis.csv)" = 3 ] && grep -q '^2,.*none.*,ok,' axis.csv && pass "the axis has a case with the card and one without" || fail "the axis has a case with the card and one without" "$(cat axis.csv)"
wrong() {
    exits 3 "$1: refused" "$wattsink" check two.xml --parts "$parts" --set "$1"
    if grep -qF -- "$2" err; then pass "$1: says $2"; else fail "$1: says $2" "$(cat err)"; fi
}
wrong 'gpu[7]=none' 'there is no gpu[7]; expected [0] to [1], [*] or an id'
wrong 'gpu[0].cooler=none' 'this element comes with a part'
wrong 'gpu+=gpu/rtx-3090-blower' 'setting gpu+=gpu/rtx-3090-blower: <gpu> lacks slot'
wrong 'fan+=fan/generic-120-1500 fan/other at=front' 'has one part and attributes without blanks'
wrong 'fan+=fan/nothing at=front' 'there is no part "fan/nothing"'
wrong 'wing+=x' 'no element of the rig holds <wing>'
wrong 'gpu+=gpu/rtx-3090-blower slot=3' 'setting gpu+=gpu/rtx-3090-blower slot=3: slot 3 is taken: gpu1 covers'
wrong 'gpu+=gpu/rtx-3090-blower slot=5 colour=red' 'unknown attribute "colour"'
wrong 'run+=for=3h' 'a second <run>'
wrong 'chassis.gpu[0].fan+=x' 'holds <fan>'
exit $status
