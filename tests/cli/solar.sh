#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/helpers.inc"
cat >sun.xml <<'RIG'
<rig name="sun"><site supply="230 V"><room temperature="20 degC"/><tariff kind="flat" price="0.30 EUR/kWh"/>
  <solar surplus="0:00:200 W" feed-in="0.10 EUR/kWh"/><heating season="50 %" price="0.09 EUR/kWh" efficiency="0.9"/></site>
  <load name="box" ac="500 W"/><run from="2026-06-01T00:00:00" zone="Europe/Berlin" for="10 h"/></rig>
RIG
exits 0 "a rig with solar power and heating" "$wattsink" run sun.xml -o sun
says out 'Solar power covers 40 % of its energy\.' "the share of solar power"
says out 'Its heat saves about 219 EUR of heating a year\.' "the heating saved: 2190 kWh at 0.1 EUR"
says out 'feed-in lost 18\.2 %' "the payment lost: 0.2 of 1.1 EUR"
says sun/summary.json '"solar_kwh": 2 ' "2 kWh of solar energy"
says sun/summary.json '"solar": 0\.2' "cost 0.2 EUR"
says sun/summary.json '"heating_saved": 219' "and the heating"
exits 0 "its report" "$wattsink" report sun
says sun/report.html 'heating saved a year' "has a tile for the heating"
says sun/report.html 'feed-in payment lost' "and the payment in the bill"
exits 0 "in Japanese" "$wattsink" --lang ja run sun.xml -o ja --quiet
exits 0 "a rig with facility water" "$wattsink" run "$top/scenarios/sxm-air-vs-liquid/liquid.xml" --for 10min -q -o cdu \
    --set 'site.tariff+=kind=flat price=0.3EUR/kWh' --set 'site.heating+=season=50% price=0.09EUR/kWh'
lacks cdu/summary.json heating_saved "heat that leaves the building saves no heating"
months='site.solar.months=1:31 kWh, 2:28 kWh, 3:31 kWh, 4:30 kWh, 5:31 kWh, 6:60 kWh, 7:31 kWh, 8:31 kWh, 9:30 kWh, 10:31 kWh, 11:30 kWh, 12:31 kWh'
"$wattsink" compare sun.xml --vary load.ac=500W,400W --annual --json --set "$months" >year 2>err
says year '"simulated_s": 31536000' "compare --annual simulates the year of a sun with months"
"$wattsink" compare sun.xml --vary load.ac=500W,400W --annual --json --set site.solar.latitude=52 >year 2>err
says year '"simulated_s": 31536000' "and of a sun with days by the latitude"
exits 3 "no such latitude" "$wattsink" check sun.xml --set site.solar.latitude=91
exits 3 "without a tariff" "$wattsink" run sun.xml -o none --set site.tariff=none
says err '<solar> needs a <tariff> beside it' "what is missing is told"
says err '<heating> needs a <tariff> beside it' "for both"
exit $status
