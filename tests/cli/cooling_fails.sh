#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/helpers.inc"

# A load of 1000 W in a room of 500 kJ/K and 50 W/K, 20 degC outdoors: without cooling the room's temperature moves
# from its value at the failure towards 40 degC, with a time constant of 10,000 s.
cat >room.xml <<'RIG'
<rig name="A load in a cooled room">
  <site supply="230 V"><room capacity="500 kJ/K" conductance="50 W/K"><outdoor mean="20 degC" swing="0 K"/>
    <air-conditioner capacity="3 kW" setpoint="24 degC" fails-at="1 h"/></room></site>
  <load dc="1000 W"/>
  <chassis part="chassis/open-bench"><psu kind="constant" rated="1600 W" efficiency="99.9999 %"/></chassis>
  <run for="6 h" step="1 s" start="steady"/>
</rig>
RIG
exits 0 "a room whose cooling fails" "$wattsink" run room.xml -o room -q
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { t = $1; room = $at["room.air_c.mean"]; ac = $at["ac_w.mean"]; span = t - last; middle = t - span / 2; last = t }
    t <= 3600 { from = room; if (ac < 100) bad = "no cooling before" }
    t > 3600 + span { if (ac != 0) bad = "cooling after"; want = 40 + (from - 40) * exp(-(middle - 3600) / 10000); d = room - want; if (d > 0.25 || d < -0.25) bad = t ": " room ", not " want; n++ }
    END { if (bad) print bad; exit bad || n < 100 }' room/series.csv >found && pass "warms as its capacity and conductance say" || fail "warms as its capacity and conductance say" "$(cat found)"
says room/events.csv '^3600,air-conditioner,fails,as scheduled' "the event is logged at its time"
says room/summary.json '"cooling_failed": true' "and in the summary"
"$wattsink" run room.xml >out 2>&1
says out '^Failure +the air conditioner stopped at 1 h' "and said"
"$wattsink" report room >/dev/null
says room/report.html 'the air conditioner stopped at 1 h' "also in the report"
exits 0 "the same with leaps" "$wattsink" run room.xml -o leap -q --leap
last() { awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "room.air_c.mean") c = i } END { print $c }' "$1/series.csv"; }
awk "BEGIN { d = $(last room) - $(last leap); exit !(d < 0.05 && d > -0.05) }" && pass "with leaps the room ends as warm" || fail "with leaps the room ends as warm" "$(last room) $(last leap)"
"$wattsink" run room.xml -o cut -q --for 3h && "$wattsink" run room.xml --set 'air-conditioner.fails-at=2h' -o late -q --for 3h
awk "BEGIN { exit !($(last late) < $(last cut) - 2) }" && pass "a later failure leaves the room cooler" || fail "a later failure leaves the room cooler" "$(last late) $(last cut)"
exits 0 "without a failure" "$wattsink" run room.xml --set 'air-conditioner.fails-at=9h' -o none -q
lacks none/summary.json cooling_failed "summary.json has no failure of the cooling"
exits 3 "a part may not state it" sh -c 'mkdir -p p/air-conditioner && cp room.xml other.xml && "$0" steady other.xml --set air-conditioner.fails-at=soon' "$wattsink"

# The failure may come at any hour: check rehearses it in the warmest weather and with all work, whatever the hour at
# which the run begins. The mean of 29 degC and a swing of 4 K are as warm as 33 degC without a swing.
rehearsed() { "$wattsink" check "$top/scenarios/quad-3090-blower/rig.xml" "$@" 2>/dev/null | sed -n 's/ at 33 degC outdoors, the highest of the run//; /Room cooling off/p'; }
warm=$(rehearsed --set outdoor.mean=33degC --set outdoor.swing=0K)
for hour in 00 06 15; do
    night=$(rehearsed --set "run.from=2026-08-03T$hour:00:00")
    [ -n "$warm" ] && [ "$night" = "$warm" ] && pass "the same from $hour:00 on" || fail "the same from $hour:00 on" "$night, not $warm"
done
night=$(rehearsed --set run.from=2026-08-03T00:00:00 --set run.for=1h)
[ "$night" = "$warm" ] && pass "also of a run of an hour at night" || fail "also of a run of an hour at night" "$night, not $warm"
served='<workload kind="inference" class="training" load-curve="0:00:0 %, 11:00:0 %, 12:00:100 %, 16:00:100 %, 17:00:0 %"/>'
sed "s|<workload.*/>|$served|" "$top/scenarios/quad-3090-blower/rig.xml" >served.xml
"$wattsink" check served.xml --set run.from=2026-08-03T00:00:00 >out 2>&1
says out 'Room cooling off at 33 degC.*: throttling after ' "with the work of the day where the run begins at night"

# The forecast of `check` for a failure of the cooling must agree with a run that has this failure.
rig=$top/scenarios/quad-3090-blower/rig.xml
"$wattsink" check "$rig" >out 2>&1
says out '^  Room cooling off at 33 degC outdoors, the highest of the run: throttling after [0-9]+-[0-9]+ min, no shutdown \(room [0-9]+ degC in 4 h\)$' "check rehearses the failure"
told=$(sed -n 's/.*cooling off.*: throttling after \([0-9]*-[0-9]*\) min.*/\1/p' out)
sed 's|setpoint="26 degC"/>|setpoint="26 degC" fails-at="3 h"/>|' "$rig" >fails.xml
"$wattsink" run fails.xml --for 7h -o quad -q
seen=$(sed -n 's/.*"to_throttle_s": \([0-9.]*\).*/\1/p' quad/summary.json | head -n 1)
awk "BEGIN { s = $seen / 60; exit !(s >= ${told%-*} && s <= ${told#*-}) }" && pass "as long as in a run" || fail "as long as in a run" "check: $told, run: $seen s"
"$wattsink" check "$rig" --set 'room.conductance=2kW/K' --set outdoor.mean=18degC --set outdoor.swing=0K >out 2>&1
lacks out 'Room cooling off' "no failure of a cooling that is off"
"$wattsink" check "$rig" --set 'room.conductance=300W/K' --set outdoor.mean=24degC --set outdoor.swing=0K >out 2>&1
says out 'Room cooling off: no throttling within 4 h \(room [0-9]+ degC\)' "and that none throttles where none does"
sed 's|<room temperature="20 degC"/>|<room volume="60 m3" conductance="40 W/K"><outdoor mean="18 degC" swing="0 K"/><air-conditioner capacity="9 kW" setpoint="24 degC"/></room>|' "$top/scenarios/sxm-air-vs-liquid/liquid.xml" >water.xml
"$wattsink" check water.xml >out 2>&1
says out "^  Room cooling off, facility water goes on: " "check says that facility water goes on for cards on cold plates"

# Steady points are at the mean outdoor temperature. `check` and `steady` tell it where the room follows other weather.
for said in 'check:^Sizing \(simulated at 29 degC outdoors, the mean\)$' 'steady:^Air +outdoors 29[.]0 degC \(the mean; 25[.]0 to 33[.]0 degC in the run\), room '; do
    COLUMNS=200 "$wattsink" "${said%%:*}" "$rig" >out 2>&1
    says out "${said#*:}" "${said%%:*} tells the outdoor temperature at which it stands"
    for still in outdoor.swing=0K room.temperature=25degC; do
        "$wattsink" "${said%%:*}" "$rig" --set $still >out 2>&1
        lacks out '(the mean\)|outdoors 29)' "not with $still"
    done
done
# a winter day of a file that is warmer later on
printf 't_s,temp_c\n0,0\n86400,4\n172800,30\n345600,30\n' >year.csv
sed 's|<outdoor [^>]*>|<outdoor kind="file" file="year.csv"/>|' "$rig" >file.xml
"$wattsink" steady file.xml --set run.for=1d --set run.from=1970-01-01T00:00:00 >out 2>&1
says out '^Air +outdoors 2[.]0 degC \(the mean; 0[.]0 to 4[.]0 degC in the run\)' "also where the run is colder than the rest of its file"
exit $status
