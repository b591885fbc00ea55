#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Draws those figures of the documentation that the program can compute: make.sh WATTSINK FOLDER, from the top folder
# (make figures). Figures of measurements come from `make validation-docs`, figures of timings from `make bench-doc`.
set -eu
export LC_ALL=C
top=$(pwd) wattsink=$(realpath "$1") out=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

number() { sed -n "s/.*\"$1\": \(-\{0,1\}[0-9.e+-]*\).*/\1/p" | head -n 1; }
at() {
    rig=$1 keys=$2
    shift 2
    for set in "$@"; do set -- "$@" --set "$set"; shift; done
    "$wattsink" steady "$rig" "$@" --json >point || touch failed
    for key in $keys; do printf ' %s' "$(number "$key" <point)"; done
    echo
}
draw() {
    [ ! -e failed ] || exit 1
    { cat "$top/docs/figures/style.gp"; cat; } >"$1.gp"
    gnuplot -e "size_y = $2; name = '$out/$1.svg'" "$1.gp"
}
# machine PAGE: prints the drawing of the machine from a report as SVG, with the style rules that it needs.
machine() {
    {
        echo '<svg xmlns="http://www.w3.org/2000/svg" width="870" height="444" viewBox="0 0 870 444"><style>'
        sed -n 's/^<style>\(.*\)<\/style>.*/\1/p' "$1" | sed 's/}/}\n/g' |
            grep -E '^(:root|svg text|svg \.(m|e|c|b|on-d|on-l)|\.(wall|open|guess|slot|vent|part|fin|air|warm|edge|hook|shade|rot|halo|f-[a-z]+))\{'
        echo '</style><rect width="870" height="444" fill="#fff"/>'
        awk '/<svg [^>]*class="draw wide"/ { on = 1; sub(/.*<svg [^>]*>/, "") } on { last = sub(/<\/svg>.*/, "</svg>"); print; if (last) exit }' "$1"
    } | sed 's/color-scheme:light dark;//'
}
from() { cp "$1" "$out/$2.svg"; }

rig() {
    cat >"$1.xml" <<END
<rig name="$1">
  <site supply="120 V" circuit="15 A"><room temperature="25 degC"/></site>
  <chassis part="chassis/full-tower-8-slot">
    <fan part="fan/generic-120-1500" at="front" count="3"/><fan part="fan/generic-120-1500" at="rear"/>
    <psu part="psu/tier-gold-1600"/><gpu part="$2" slot="3"/>
  </chassis>
  <workload kind="constant" class="training" gpus="all"/>
  <run from="2026-08-03T00:00:00" for="1 d" step="1 s"/>
</rig>
END
}
rig blower gpu/rtx-3090-blower
rig open-air gpu/rtx-3090-open-air
cat >load.xml <<'END'
<rig name="load">
  <site supply="120 V" circuit="15 A"><room temperature="25 degC"/></site>
  <chassis part="chassis/full-tower-8-slot">
    <fan part="fan/generic-120-1500" at="front" count="3"/><fan part="fan/generic-120-1500" at="rear"/>
    <psu part="psu/tier-gold-1000"/><load dc="500 W"/>
  </chassis>
  <run from="2026-08-03T00:00:00" for="1 d" step="1 s"/>
</rig>
END

for class in training decode prefill; do
    for f in $(seq 500 50 1800); do
        echo "$f$(at blower.xml 'power_mean_w work_rel' gpu.clock="$f MHz" workload.class=$class)"
    done >"clock-$class"
done
knee=$("$wattsink" parts gpu --show gpu/rtx-3090-blower | sed -n 's/.*clock-knee *\([0-9.]*\) MHz.*/\1/p')
draw clock-power 330 <<END
set multiplot layout 1,2
set xlabel 'core clock (MHz)'; set ylabel 'board power (W)'; set yrange [0:*]; set xrange [450:1850]
set arrow 1 from $knee, graph 0 to $knee, graph 1 nohead dt 3 lc rgb grey
set label 1 'voltage rises' at $knee, graph 0.07 offset 0.6,0 tc rgb '#555555'
set key left top
plot for [i = 1:3] 'clock-'.word('training decode prefill', i) using 1:2 with lines lw 2 lc rgb colour[i] title word('training decode prefill', i)
unset arrow 1; unset label 1; set xrange [100:*]; set key right bottom
set xlabel 'board power (W)'; set ylabel 'work, of that at the default limit'
plot for [i = 1:3] 'clock-'.word('training decode prefill', i) using 2:3 with lines lw 2 lc rgb colour[i] title word('training decode prefill', i)
END

for t in $(seq 5 1 50); do
    echo "$t$(at blower.xml 'die_mean_c fan_mean_rpm clock_mean_mhz power_mean_w' room.temperature="$t degC")"
done >warm
draw warm-room 470 <<'END'
set multiplot layout 2,2
set xlabel 'air in the room (°C)'; set xrange [5:50]; unset key
set ylabel 'die (°C)'; plot 'warm' using 1:2 with lines lw 2 lc rgb red
set ylabel 'fan (rpm)'; plot 'warm' using 1:3 with lines lw 2 lc rgb blue
set ylabel 'clock (MHz)'; plot 'warm' using 1:4 with lines lw 2 lc rgb green
set ylabel 'board power (W)'; set yrange [0:400]; plot 'warm' using 1:5 with lines lw 2 lc rgb orange
END

"$wattsink" run blower.xml --for 30min -o step -q
for t in $(seq -10 5 40); do
    echo "$t$(at blower.xml 'die_mean_c power_mean_w' room.temperature="$t degC" gpu.clock="1400 MHz" 'gpu.fan=80 %')"
done >leak
draw card-heat 330 <<'END'
set multiplot layout 1,2
set datafile separator comma
set xlabel 'time since the work began (min)'; set ylabel 'temperature (°C)'; set key at graph 1, graph 0.4; set xrange [0:30]
plot for [i = 1:2] 'step/series.csv' every 4 using (column('t_s')/60):(column(word('gpu0.memory_c.mean gpu0.die_c.mean', i))) with lines lw 2 lc rgb word(purple.' '.red, i) title word('memory die', i), \
     'step/series.csv' every 4 using (column('t_s')/60):(column('gpu0.inlet_c.mean')) with lines lw 2 lc rgb blue title 'air taken in'
set datafile separator whitespace; unset key
set xlabel 'die (°C)'; set ylabel 'board power at 1400 MHz (W)'; set xrange [*:*]
plot 'leak' using 2:3 with linespoints lw 2 pt 7 ps 0.5 lc rgb red
END

cat >case.xml <<'END'
<rig name="case">
  <site><room temperature="25 degC"/></site>
  <chassis><fan part="fan/generic-120-1500" at="front" loss="0" rpm="1500 rpm"/><vent at="rear" area="100 cm2"/><load dc="1 W"/></chassis>
</rig>
END
flow_at() { at case.xml pressure_pa "$@" | tr -d '\n'; sed -n 's/.*"flow_m3h": \([0-9.]*\).*/ \1/p' point | head -n 1; }
for n in 500 750 1000 1250 1500; do
    for area in 1 5 10 15 20 30 40 50 60 80 100 150 200 300 500 1000 3000; do
        flow_at "fan.speed=$n rpm" "vent.area=$area cm2"
    done >"fan-$n"
done
for area in 25 60 150; do
    for n in $(seq 100 100 1500); do flow_at "fan.speed=$n rpm" "vent.area=$area cm2"; done >"vent-$area"
done
draw fan-curve 360 <<'END'
set xlabel 'flow through one 120 mm fan (m³/h)'; set ylabel 'pressure in the case over the room (Pa)'
set xrange [0:100]; set yrange [0:20]; set key outside right top
plot for [n in '1500 1250 1000 750 500'] 'fan-'.n using 2:1 with lines lw 2 lc rgb blue title n eq '1500' ? 'fan at 1500, 1250, ... 500 rpm' : '', \
     for [i = 1:3] 'vent-'.word('25 60 150', i) using 2:1 with linespoints lw 1.6 pt 7 ps 0.4 lc rgb colour[i + 1] title 'case with a vent of '.word('25 60 150', i).' cm²'
END

for style in open-air blower; do
    for mm in 20 20.25 20.5 20.75 $(seq 21 0.5 28) 30 32 35; do
        echo "$mm$(at "$top/scenarios/spacing/four-$style.xml" 'done unthrottled' "chassis.pitch=$mm mm") $(
            sed -n 's/.*"die_mean_c": \([0-9.]*\).*/\1/p' point | sort -n | tail -n 1) $(sed -n 's/.*"clock_mean_mhz": \([0-9.]*\).*/\1/p' point | sort -n | head -n 1)"
    done >"gap-$style"
done
thick=$("$wattsink" parts gpu --show gpu/rtx-2080 | sed -n 's/.*thickness *\([0-9.]*\) mm.*/\1/p')
draw slot-gap 330 <<END
set multiplot layout 1,2
set xlabel 'free space between two cards (mm)'; set xrange [0:30]; set key right top
set ylabel 'hottest die (°C)'
plot for [i = 1:2] 'gap-'.word('open-air blower', i) using (2*\$1 - ${thick:-38}):4 with lines lw 2 lc rgb colour[i] title word('open-air blower', i)
set ylabel 'clock of the slowest card (MHz)'; set key right bottom; set yrange [0:*]
plot for [i = 1:2] 'gap-'.word('open-air blower', i) using (2*\$1 - ${thick:-38}):5 with lines lw 2 lc rgb colour[i] title word('open-air blower', i)
END

for badge in bronze gold platinum titanium; do
    for w in 20 30 50 75 $(seq 100 50 1000); do
        echo "$w$(at load.xml 'efficiency_mean load_mean' "load.dc=$w W" psu=psu/tier-$badge-1000)"
    done >"psu-$badge"
done
draw psu-efficiency 330 <<'END'
set multiplot layout 1,2
tiers = 'titanium platinum gold bronze'
set xlabel 'load (% of 1000 W)'; set ylabel 'efficiency (%)'; set key right bottom; set yrange [70:96]
plot for [i = 1:4] 'psu-'.word(tiers, i) using ($1/10):(100*$2) with lines lw 2 lc rgb colour[i] title word(tiers, i)
set ylabel 'lost as heat (W)'; set yrange [0:*]; set key left top reverse Left invert
plot for [i = 1:4] 'psu-'.word(tiers, i) using ($1/10):($1/$2 - $1) with lines lw 2 lc rgb colour[i] title word(tiers, i)
END

cat >breaker.xml <<'END'
<rig name="breaker"><site supply="120 V" circuit="15 A"><room temperature="25 degC"/></site><chassis><load ac="100 W"/></chassis></rig>
END
for time in 10s 1min 3min 3h; do
    for percent in $(seq 90 5 195) $(seq 200 10 600); do
        "$wattsink" run breaker.xml --set "load.ac=$((18 * percent)) W" --for $time --json -q -o trip --force >point
        echo "$percent $(sed -n '/"circuit"/s/.*"trip_probability": \([0-9.e-]*\).*/\1/p' point)"
    done >"trip-$time"
done
draw breaker 330 <<'END'
times = '3h 3min 1min 10s'; words_ = "'3 hours' '3 minutes' '1 minute' '10 seconds'"
set xlabel 'current (% of the 15 A that the breaker is made for)'; set ylabel 'chance that it has opened (%)'; set yrange [0:104]; set xrange [90:600]; set logscale x; set xtics add (90, 100, 120, 150, 200, 300, 400, 600); set key outside right top
plot for [i = 1:4] 'trip-'.word(times, i) using 1:(100*$2) with lines lw 2 lc rgb colour[i] title word(words_, i)
END

# price NAME TARIFF DATE ZONE: writes the price in each hour of a day to price-NAME, from the cost of a constant load.
price() {
    "$wattsink" run load.xml --set tariff="tariff/$2" --set "run.from=$3T00:00:00" --set run.zone="$4" --set 'load.dc=900 W' --for 1d -o "day-$1" -q
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { cost = $at["cost.max"]; kwh = $at["energy_kwh.max"]
          if ($1 % 1800 == 0) { print $1 / 3600 - 0.5, (price = (cost - paid) / (kwh - before)) }
          if ($1 % 1800 == 0) { paid = cost; before = kwh } }
        END { print 24, price }' "day-$1/series.csv" >"price-$1"
}
sed -i 's|circuit="15 A">|circuit="15 A"><tariff part="tariff/pge-e-tou-c"/>|' load.xml
price summer pge-e-tou-c 2026-08-04 America/Los_Angeles
price winter pge-e-tou-c 2026-01-13 America/Los_Angeles
price ev pge-ev2-a 2026-08-04 America/Los_Angeles
price sdge sdge-tou-dr1 2026-08-04 America/Los_Angeles
draw tariff-day 330 <<'END'
array told[4] = ['PG&E E-TOU-C, August', 'PG&E E-TOU-C, January', 'PG&E EV2-A, August', 'SDG&E TOU-DR1, August']
set xlabel 'hour of a weekday'; set ylabel 'USD/kWh'; set yrange [0:*]; set xrange [0:24]; set xtics 3; set key outside right top
plot for [i = 1:4] 'price-'.word('summer winter ev sdge', i) using 1:2 with steps lw (i == 1 ? 4 : 2) dt 1 + (i == 2) lc rgb colour[i] title told[i]
END
"$wattsink" compare "$top/scenarios/bronze-vs-gold/bronze.xml" "$top/scenarios/bronze-vs-gold/gold.xml" --annual -o badges >/dev/null
"$wattsink" plot badges --what compare -q
from badges/plots/compare.svg bronze-gold

for style in blower open-air; do
    for percent in $(seq 30 5 100); do
        echo "$percent$(at $style.xml die_mean_c "gpu.fan=$percent %" 'gpu.power=300 W') $(
            sed -n 's/.*"noise_dba": \([0-9.]*\), "noise_max_dba.*/\1/p' point)"
    done >"noise-$style"
done
draw noise 330 <<'END'
set xlabel 'noise of the machine (dBA at 1 m)'; set ylabel 'die at 300 W (°C)'; set yrange [60:95]; set key right top
plot for [i = 1:2] 'noise-'.word('blower open-air', i) using 3:2 with linespoints lw 2 pt 7 ps 0.4 lc rgb colour[i] title word('blower open-air', i)
END

for kind in with without; do
    cooler=
    [ $kind = without ] || cooler='<air-conditioner capacity="2.8 kW" setpoint="26 degC"/>'
    sed "s|<room temperature=\"25 degC\"/>|<room volume=\"30 m3\" conductance=\"40 W/K\"><outdoor mean=\"24 degC\" swing=\"8 K\"/>$cooler</room>|" blower.xml >"$kind.xml"
    "$wattsink" run "$kind.xml" --for 3d -o "$kind" -q
done
draw room-days 330 <<'END'
set datafile separator comma
set xlabel 'time (h)'; set ylabel 'air (°C)'; set xrange [0:72]; set xtics 12; set key outside right top
plot 'without/series.csv' using (column('t_s')/3600):(column('outdoor.air_c.mean')) with lines lw 2 lc rgb black title 'outdoors', \
     'without/series.csv' using (column('t_s')/3600):(column('room.air_c.mean')) with lines lw 2 lc rgb orange title 'room', \
     'with/series.csv' using (column('t_s')/3600):(column('room.air_c.mean')) with lines lw 2 lc rgb blue title 'room, conditioned'
END

sed 's|kind="constant" class="training" gpus="all"|kind="training" class="training" gpus="all" checkpoint-every="15 min" checkpoint-takes="90 s"|' blower.xml >save.xml
"$wattsink" run save.xml --for 40min -o save -q
draw checkpoint 400 <<'END'
set datafile separator comma
set multiplot layout 2,1
set xrange [0:40]; set rmargin 16; set key at graph 1.02, graph 1 left top; set xlabel 'time (min)'
set ylabel 'power (W)'; set yrange [0:*]; set ytics 100
plot for [i = 1:2] 'save/series.csv' using (column('t_s')/60):(column(word('wall_w.mean gpu0.power_w.mean', i))) with lines lw 1.6 lc rgb colour[i] title (i == 1 ? 'at the wall' : 'card')
set ylabel 'temperature (°C)'; set yrange [*:*]; set ytics 20
plot for [i = 1:2] 'save/series.csv' using (column('t_s')/60):(column(word('gpu0.memory_c.mean gpu0.die_c.mean', i))) with lines lw 1.6 lc rgb word(purple.' '.red, i) title word('memory die', i)
END

for share in $(seq 25 5 100); do
    echo "$share$(at "$top/scenarios/water-3090/rig.xml" 'coolant_mean_c die_mean_c flow_lpm' "pump[*].duty=$share %")"
done >pump
for n in $(seq 300 100 1500); do
    echo "$n$(at "$top/scenarios/water-3090/rig.xml" 'coolant_mean_c die_mean_c noise_dba' "chassis.loop.radiator.fan.speed=$n rpm")"
done >air
draw loop 330 <<'END'
set multiplot layout 1,2
set yrange [20:*]; set key right top; set ylabel 'temperature (°C)'
set xlabel 'coolant (l/min)'
plot 'pump' using 4:3 with linespoints lw 2 pt 7 ps 0.4 lc rgb red title 'die', '' using 4:2 with linespoints lw 2 pt 7 ps 0.4 lc rgb blue title 'coolant'
set xlabel 'the radiators’ fans (rpm)'
plot 'air' using 1:3 with linespoints lw 2 pt 7 ps 0.4 lc rgb red title 'die', '' using 1:2 with linespoints lw 2 pt 7 ps 0.4 lc rgb blue title 'coolant'
END

s=$top/scenarios
"$wattsink" compare "$s/quad-3090-blower/rig.xml" --vary 'gpu[*].power-limit=200W:350W:10W' --for 1d -o limits >/dev/null
"$wattsink" plot limits --what limit -q
from limits/plots/limit.svg quad-3090-limits
"$wattsink" run "$s/quad-3090-blower/rig.xml" -o week -q
"$wattsink" plot week --what temps -q
from week/plots/temps.svg quad-3090-temps
"$wattsink" report week >/dev/null
machine week/report.html >machine.svg
from machine.svg quad-3090-machine
"$wattsink" compare "$s/spacing/four-open-air.xml" "$s/spacing/four-blower.xml" "$s/spacing/four-water.xml" -o four >/dev/null
"$wattsink" plot four --what compare -q
from four/plots/compare.svg spacing-four
for name in evening night; do "$wattsink" run "$s/time-of-use-night/$name.xml" -o $name -q; done
"$wattsink" plot evening night --what cost -q
from evening/plots/cost-overlay.svg night-cost
"$wattsink" sweep "$s/quad-3090-blower/rig.xml" --vary 'gpu[*].power-limit=200W:350W:10W' --vary psu=psu/tier-gold-1600,psu/tier-bronze-1600 --for 1d \
    --best 'min cost.annual where gpus.die_max_c < 83' --pareto cost.annual,work.done -o sweep.sqlite >/dev/null 2>&1
from sweep.plots/pareto.svg sweep-front
