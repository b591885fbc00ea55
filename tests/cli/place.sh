#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/helpers.inc"
cat >tower.xml <<'RIG'
<rig name="tower"><site supply="230 V"><room temperature="20 degC"/></site>
  <chassis part="chassis/mid-tower-mesh"><psu part="psu/tier-gold-850"/><cpu part="cpu/generic-desktop"/>
    <fan part="fan/generic-140-1500" at="front" count="2" noise="48 dBA"/><gpu part="gpu/rtx-3060" slot="1"/></chassis>
  <workload kind="training"/><run for="10 min" start="steady"/></rig>
RIG
sed 's|chassis/mid-tower-mesh"|chassis/rack-4u-desktop"|; s|<fan.*dBA"/>||' tower.xml >rack.xml
number() { sed -n 's/.*"'"$2"'": \([0-9.e+-]*\).*/\1/p' "$1/summary.json" | head -1; }
holds() { if awk "BEGIN { exit !($2) }"; then pass "$1"; else fail "$1" "$2"; fi; }

exits 0 "a tower" "$wattsink" run tower.xml -o tower -q
holds "makes about 50 dBA" "$(number tower noise_dba) > 47 && $(number tower noise_dba) < 54.5"
says tower/summary.json '"noise_place": "desk", "noise_limit_dba": 55' "a tower stands at a desk"
says tower/summary.json 'quiet enough to work beside' "where it is quiet enough"
says tower/summary.json '"too_loud": false' "and not too loud"
exits 0 "the same one in a living room" "$wattsink" run tower.xml -o room -q --set site.place=room
holds "is as loud" "$(number room noise_dba) == $(number tower noise_dba)"
says room/summary.json '"noise_place": "room", "noise_limit_dba": 45' "has the limit of a living room"
says room/summary.json '"code": "verdict.too-loud-for-room"' "and is too loud for it"
says room/summary.json '"too_loud": true' "as the flag says"
"$wattsink" check tower.xml --set site.place=room >out 2>&1
says out '; wall [0-9]+ W; [0-9]+ dBA, limit 45 \(living room\)$' "check names the limit and the place"
"$wattsink" check tower.xml >out 2>&1
says out 'dBA, limit 55 \(desk\)$' "a rig that names no place has the limit of a desk"
"$wattsink" report tower >/dev/null 2>&1
"$wattsink" report room >/dev/null 2>&1
says tower/report.html 'The limit is 55 dBA \(ASR A3.7\)' "the report has the desk's limit"
says room/report.html 'The limit is 45 dBA \(EPA 550/9-74-004\)' "and the living room's"

loud="--set chassis.fan.sensor=none --set chassis.fan.noise=60dBA"
exits 0 "a rack case" "$wattsink" run rack.xml -o rack -q $loud
says rack/summary.json '"noise_place": "server-room", "noise_limit_dba": 80' "stands in a server room"
holds "in which it may be louder than a desk allows" "$(number rack noise_dba) > 60"
says rack/summary.json 'quiet enough for a server room' "and is quiet enough"
exits 0 "one at a desk" "$wattsink" run rack.xml -o desk -q $loud --set site.place=desk
says desk/summary.json '"code": "verdict.too-loud-for-desk"' "is not"
says desk/summary.json '"too_loud": true' "as the flag says"
exits 0 "as resolved" "$wattsink" run desk/rig.resolved.xml -o again -q
says again/summary.json '"noise_place": "desk"' "it keeps its place"
"$wattsink" run rack.xml -o ears -q --set chassis.fan.sensor=none --set chassis.fan.noise=78dBA
says ears/summary.json '"code": "verdict.too-loud-for-server-room"' "three fans of 78 dBA ask for hearing protection"
"$wattsink" run rack.xml -o roar -q --set chassis.fan.sensor=none --set chassis.fan.noise=85dBA
says roar/summary.json '"code": "verdict.hearing-protection"' "of 85 dBA, that it is worn"
exits 3 "an unknown place is refused" "$wattsink" steady tower.xml --set site.place=attic
says err 'desk, room, server-room' "with the list"

# A generic cooler, whose fins are sized by the card, in place of the card's own cooler
sized='<cooler part="cooler/class-open-air-450"/>'
sed "s|<gpu part=\"gpu/rtx-3060\" slot=\"1\"/>|<gpu part=\"gpu/rtx-5080\" slot=\"1\">$sized</gpu>|" tower.xml >sized.xml
"$wattsink" check sized.xml >out 2>&1
says out 'Advice: the fins of cooler/class-open-air-450 go by the size of the card, and gpu0 has 2 slots and 304 mm' "check names the size by which fins go"
"$wattsink" check sized.xml --set gpu.slots=4 --set gpu.length="340 mm" >out 2>&1
lacks out 'go by the size' "a size that the rig states is its own"
"$wattsink" check tower.xml >out 2>&1
lacks out 'go by the size' "a card with its own cooler has its own size"
exit $status
