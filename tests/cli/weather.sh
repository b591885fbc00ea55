#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/helpers.inc"

# A year of 0 degC, with 30 degC in the summer. The steady point of a run in July is that of 30 degC, not of the year.
cat >year.csv <<'CSV'
time,temp_c
2026-01-01T00:00:00,0
2026-06-01T00:00:00,0
2026-06-02T00:00:00,30
2026-09-01T00:00:00,30
2026-09-02T00:00:00,0
2027-01-01T00:00:00,0
CSV
cat >july.xml <<'RIG'
<rig name="A card in July">
  <site supply="230 V"><room conductance="50 W/K"><outdoor kind="file" file="year.csv"/></room></site>
  <chassis part="chassis/mid-tower-mesh"><fan part="fan/generic-120-1500" at="front" count="2"/>
    <psu part="psu/tier-gold-850"/><gpu part="gpu/rtx-3090" slot="1"/></chassis>
  <workload kind="constant" class="training"/>
  <run from="2026-07-06T00:00:00" zone="Europe/Berlin" for="7 d"/>
</rig>
RIG
held() { # TEMPERATURE: the same rig with constant outdoor air
    "$wattsink" steady july.xml --json -q --set outdoor.kind=sine --set "outdoor.mean=$1" --set outdoor.swing=0K
}
# number KEY FILE: the first value of the key
number() { sed -n "s/.*\"$1\": \([-0-9.]*\).*/\1/p" "$2" | head -n 1; }
same_point() { # NAME TEMPERATURE OPTION...
    name=$1 celsius=$2
    shift 2
    held "$celsius" >held.json
    "$wattsink" steady july.xml --json -q "$@" >point.json
    for key in die_max_c inlet_mean_c wall_peak_w mean_c; do
        a=$(number $key held.json) b=$(number $key point.json)
        awk "BEGIN { d = $a - $b; exit !(d < 0.02 && d > -0.02) }" && pass "$name: $key" || fail "$name: $key" "$a, not $b"
    done
}
same_point "July" 30degC
same_point "January" 0degC --set run.from=2026-01-10T00:00:00
# from 15 degC to 30 degC in twelve hours, then 30 degC
same_point "half a day of rise, the day counts as a whole" 26.25degC --set run.from=2026-06-01T12:00:00 --set run.for=1h
same_point "the whole year" 7.5616degC --set run.from=2026-01-01T00:00:00 --set run.for=365d
"$wattsink" steady july.xml >out 2>err
lacks out 'outdoors' "weather that does not vary in the run is not told"
"$wattsink" run july.xml -q -o july
"$wattsink" run july.xml -q -o constant --set outdoor.kind=sine --set outdoor.mean=30degC --set outdoor.swing=0K
a=$(sed -n 's/.*"throttle_probability": \([0-9.e-]*\).*/\1/p' july/summary.json)
b=$(sed -n 's/.*"throttle_probability": \([0-9.e-]*\).*/\1/p' constant/summary.json)
awk "BEGIN { d = $a - $b; exit !(d < 0.002 && d > -0.002) }" && pass "as probably throttled as in constant air" || fail "as probably throttled as in constant air" "$a, not $b"

exit $status
