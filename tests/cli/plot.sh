#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/helpers.inc"
command -v gnuplot >/dev/null || { echo "skip plot: no gnuplot"; exit 77; }

"$wattsink" run two-cards.xml --for 12h -o r -q
exits 0 "plot" "$wattsink" plot r
for what in temps power clocks fans cost psu; do
    present "r/plots/$what.svg" "$what is drawn"
    says out "r/plots/$what.svg" "and named"
    if xml=$(head -c 5 "r/plots/$what.svg") && [ "$xml" = "<?xml" ] && tail -n 3 "r/plots/$what.svg" | grep -q '</svg>'; then
        pass "$what is whole"; else fail "$what is whole"; fi
done
if [ -s err ]; then fail "gnuplot has nothing to complain about" "$(head -5 err)"; else pass "gnuplot has nothing to complain about"; fi
cp r/plots/temps.svg before.svg
(cd r/plots && rm temps.svg && gnuplot temps.gp)
cmp -s before.svg r/plots/temps.svg && pass "the script alone redraws it" || fail "the script alone redraws it"
exits 0 "png" "$wattsink" plot r --what temps --format png
present r/plots/temps.png "png is drawn"
exits 0 "pdf" "$wattsink" plot r --what power --format pdf
present r/plots/power.pdf "pdf is drawn"
exits 0 "terminal" "$wattsink" plot r --what fans --format term
says out 'gpu0' "in the terminal"
"$wattsink" run two-cards.xml --set 'gpu[*].clock=1500 MHz' --for 12h -o fixed -q
exits 0 "a clock that is always the same" "$wattsink" plot fixed --what clocks
if grep -q 'e+30' fixed/plots/clocks.svg; then fail "has an axis around it"; else says fixed/plots/clocks.svg '>1500<' "has an axis around it"; fi
# gnuplot leaves out the entries of a key that is higher than its panel.
"$wattsink" run "$top/scenarios/mining-frame/rig.xml" --set 'gpu[0].power-limit=200W' --set 'gpu[1].power-limit=230W' \
    --set 'gpu[2].power-limit=260W' --set 'gpu[3].power-limit=290W' --set 'gpu[4].power-limit=320W' --set 'gpu[5].memory-limit=150degC' --for 10min -o six -q
exits 0 "six cards of six limits" "$wattsink" plot six
count() { [ "$(grep -c ">$1<" six/plots/temps.svg)" = "$2" ] && pass "$2 keys have $1" || fail "$2 keys have $1" "$(grep -c ">$1<" six/plots/temps.svg)"; }
count 'intake air' 6
count 'GPU target' 6
count 'memory limit' 5
# The air of an open frame is that of the room, so a line of its own would cover the room's.
if grep -q '>case<' six/plots/temps.svg; then fail "a frame has no air of its own"; else pass "a frame has no air of its own"; fi
says six/plots/temps.svg '>room<' "beside that of the room"
says r/plots/temps.svg '>case<' "which a closed case has"
if grep -q '>-[0-9]*<' six/plots/fans.svg; then fail "no sound level below 0 dBA on the axis"; else pass "no sound level below 0 dBA on the axis"; fi
sed 's|<tariff|<ups kind="online" rated="2000 W"/><tariff|; s|<workload|<load ac="300 W"/><workload|' two-cards.xml >fed.xml
"$wattsink" run fed.xml --for 2h -o fed -q
LC_ALL=C COLUMNS=80 "$wattsink" plot fed --what power --format term >out
says out '[+] PSU = the wall' "the stack of power reaches the wall, with a UPS and an AC load"
# The label of the checkpoint ticks is to the right of the last number of the time axis.
left_of() { sed -n '/translate/ { s/.*translate(\([0-9]*\).*/\1/; h; }; />'"$1"'</ { g; p; }' r/plots/psu.svg | tail -n 1; }
words=$(left_of '[|] checkpoint, each 60 min') number=$(left_of 12)
[ "${number:-0}" -gt 0 ] && [ "${words:-0}" -gt "$number" ] && pass "the label of checkpoints is beside the axis" || fail "the label of checkpoints is beside the axis" "$words, $number"
"$wattsink" run load.xml --for 2h -o l -q
exits 0 "a rig without cards" "$wattsink" plot l
absent l/plots/fans.svg "has no fans to show"
exits 3 "nor can they be asked for" "$wattsink" plot l --what fans

"$wattsink" run "$top/scenarios/aio-4090/rig.xml" --for 10min -o aio -q
exits 0 "an all-in-one" "$wattsink" plot aio --what temps
says aio/plots/temps.svg '>gpu0.loop: coolant<' "names its loop above the panel"
says aio/plots/temps.svg '>in the tank<' "and its lines are told apart beside it"
"$wattsink" run "$top/scenarios/water-3090/rig.xml" --for 30min -o wet -q
exits 0 "a rig in water" "$wattsink" plot wet
for name in 'fan1, 3 x 120 mm at the front radiator, generic-120-1500' 'fan2, 2 x 140 mm at the top radiator, generic-140-1500' 'water: coolant'; do says wet/plots/fans.svg ">$name<" "fans show $name"; done
if [ -s err ]; then fail "gnuplot has nothing to complain about" "$(head -5 err)"; else pass "gnuplot has nothing to complain about"; fi


"$wattsink" run two-cards.xml --set 'gpu[*].power-limit=200W' --for 1d -o "it's 50 %.out" -q
for format in svg png pdf; do
    exits 0 "several runs as $format" "$wattsink" plot r "it's 50 %.out/" wet l --format $format
    for what in temps power clocks fans cost psu; do
        present r/plots/$what-overlay.$format "share the picture of $what"
        says out "^r/plots/$what-overlay.$format" "which is named"
    done
    if [ -s err ]; then fail "gnuplot has nothing to complain about" "$(head -5 err)"; else pass "gnuplot has nothing to complain about"; fi
done
for name in r "it's 50 %" wet; do says r/plots/temps-overlay.svg ">$(echo "$name" | sed "s/'/.*/")<" "the key has $name"; done
if grep -q '>l<' r/plots/temps-overlay.svg; then pass "a rig without cards has the room's curve"; else fail "a rig without cards has the room's curve"; fi
says r/plots/cost-overlay-1.csv '^43200,' "the data of each is beside it, sums dated by the end"
"$wattsink" plot r wet --what power -q
cp r/plots/power-overlay.svg before.svg
(cd r/plots && rm power-overlay.svg && gnuplot power-overlay.gp)
cmp -s before.svg r/plots/power-overlay.svg && pass "the script alone redraws it" || fail "the script alone redraws it"
# A week in a room of constant temperature, with a checkpoint of 90 s after each hour of work. Each point of the picture
# is a mean that must include its share of checkpoints; if points were whole hours, one in 41 would have none.
"$wattsink" run two-cards.xml --set room.temperature=25degC --for 7d -o week -q
exits 0 "a week with checkpoints" "$wattsink" plot week r --what power
head -n 1 week/plots/power-overlay-1.csv >columns
says columns '^t_s,wall_w,cards_w,psu_loss_w,ac_w$' "the columns are named for what they hold"
awk -F, 'NR > 6 { if ($2 > most) most = $2; if (!least || $2 < least) least = $2; rows++ } END { exit !(rows > 100 && most < 1.001 * least) }' \
    week/plots/power-overlay-1.csv && pass "shows no false spike" || fail "shows no false spike" "$(cut -d, -f1,2 week/plots/power-overlay-1.csv | sort -t, -k2n | sed -n '2p;$p')"
"$wattsink" plot week --what power -q
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["wall_w.min"] > 0.9 * $at["wall_w.mean"] { bad = 1 } END { exit bad || NR < 100 }' week/plots/power.csv &&
    pass "and a checkpoint in each stretch" || fail "and a checkpoint in each stretch" "$(head -n 3 week/plots/power.csv)"
# A checkpoint is 2.4 % of its hour, so the band of 90 % of the time does not reach down to it.
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } NR > 2 && NR < 150 {
    p5 = $at["gpu0.power_w.p5"]; least = $at["gpu0.power_w.min"]; mean = $at["gpu0.power_w.mean"]
    if (p5 < mean - 20 || least > mean - 50 || $at["gpu0.power_w.p95"] < mean || $at["gpu0.power_w.p95"] > $at["gpu0.power_w.max"] + 0.01) bad = 1 } END { exit bad || NR < 100 }' \
    week/plots/power.csv && pass "checkpoints are outside of the band of 90 %" || fail "checkpoints are outside of the band of 90 %" "$(sed -n 1,3p week/plots/power.csv)"
says week/plots/power.svg '>checkpoint: each 60 min<' "but told"
awk -F, 'FNR == NR { if (FNR == 1) { for (i = 1; i <= NF; i++) if ($i == "wall_w.mean") w = i } else { kwh[FNR] = kwh[FNR - 1] + $w * ($1 - last) / 3.6e6; last = $1; n = FNR; end = $1 } next }
    FNR == 1 { for (i = 1; i <= NF; i++) if ($i == "energy_kwh.max") e = i; next }
    $1 <= end + 1 { close_to = $e; at = $1 } END { want = close_to; got = kwh[n] - (end - at) * (kwh[n] - kwh[n - 1]) / 3692; d = got / want - 1; exit !(d * d < 1e-6) }' \
    week/plots/power.csv week/series.csv && pass "with all of the energy" || fail "with all of the energy"
# The curve of a run must be the sum over its cards; the single cards are columns of the run's own picture.
"$wattsink" plot r --what power -q
"$wattsink" plot r wet --what power -q
awk -F, 'FNR == 1 { for (i = 1; i <= NF; i++) { if ($i ~ /^gpu[01].power_w.mean$/) sum[i] = 1 } file++; next }
    file == 1 { s = 0; for (i in sum) s += $i; own[FNR] = s; next }
    FNR > 1 { d = $3 - own[FNR]; if (d > 1e-3 || d < -1e-3) bad = 1; rows++ } END { exit bad || rows < 50 }' \
    r/plots/power.csv r/plots/power-overlay-1.csv && pass "the curve of a run is the sum over its cards" || fail "the curve of a run is the sum over its cards" "$(head -3 r/plots/power-overlay-1.csv)"

# Of a card whose power is given the clock and the limits are not known, and the numbers of the series say nothing.
"$wattsink" run two-cards.xml --set 'gpu[0].power=300W' --for 2h -o given -q
exits 0 "a card whose power is given" "$wattsink" plot given --what clocks
lacks given/plots/clocks.csv '^t_s.*gpu0\.' "its clock is not drawn"
says given/plots/clocks.svg '>gpu1, slot 4<' "that of the other card is"
if grep -q '>gpu0' given/plots/clocks.svg; then fail "and it has no panel"; else pass "and it has no panel"; fi
"$wattsink" plot given r --what clocks -q
awk -F, 'FNR == 2 { exit !($2 == $3 && $2 > 300) }' given/plots/clocks-overlay-1.csv && pass "nor does it count beside another run" ||
    fail "nor does it count beside another run" "$(head -n 2 given/plots/clocks-overlay-1.csv)"
"$wattsink" run two-cards.xml --set 'gpu[*].power=300W' --for 2h -o all-given -q
exits 3 "nothing is known of the clocks" "$wattsink" plot all-given --what clocks
says err "all-given has nothing to draw in 'clocks'" "which is told"
# A limit below the default cuts a replayed power, so the time limited by it is known.
{ echo 't_s,power_w'; for t in 0 600 1200 1800; do echo "$t,$((100 + t % 1200 / 3))"; done; } >watts.csv
sed 's|<workload.*|<workload kind="replay" log="watts.csv"/>|' two-cards.xml >replay.xml
"$wattsink" run replay.xml --set 'gpu[*].power-limit=200W' --for 40min -o cut -q
exits 0 "a replayed power that a limit cuts" "$wattsink" plot cut --what clocks
says cut/plots/clocks.svg '>clock unknown: the power of the card is given<' "instead of a clock says why there is none"
if [ -s err ]; then fail "gnuplot has nothing to complain about" "$(head -5 err)"; else pass "gnuplot has nothing to complain about"; fi
# A clock of a card that has stopped is 0, and no axis of a clock begins below that.
"$wattsink" run two-cards.xml --set 'gpu[0].lost-at=1h' --for 2h -o lost -q
"$wattsink" plot lost r --what clocks -q
if grep -q '>-[0-9]*<' lost/plots/clocks-overlay.svg; then fail "no clock below 0 on the axis"; else says lost/plots/clocks-overlay.svg '>0<' "no clock below 0 on the axis"; fi

# A row in which cycles were skipped has no minimum of their cost, and the end of an interval cuts it here.
"$wattsink" run "$top/scenarios/quad-3090-blower/rig.xml" --for 365d --leap -o leap -q
"$wattsink" plot leap --what cost -q
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "cost.max") c = i; next }
    { rate = ($c - sum) / ($1 - at); sum = $c; at = $1; rows++; if (rows > 100) exit
      most = rate > most ? rate : most; least = !least || rate < least ? rate : least }
    END { exit !(rows > 100 && most < 1.01 * least) }' leap/plots/cost.csv && pass "a year of equal days costs the same in each interval" ||
    fail "a year of equal days costs the same in each interval" "$(cut -d, -f1 leap/plots/cost.csv | head -n 6)"
# Where the price is below zero, the cost falls, and ends an interval with its least value.
printf 't_h,price_usd_per_kwh\n0,0.1\n3,-0.2\n12,0.1\n' >spot.csv
sed 's|<tariff.*</site>|<tariff kind="spot" file="spot.csv"/></site>|; s|<run |<run from="2026-08-03T00:00:00" zone="UTC" |' two-cards.xml >spot.xml
"$wattsink" run spot.xml --for 12h -o spot -q
"$wattsink" plot spot r --what cost -q
paid=$(sed -n 's/.*"cost": { "currency": "USD", "run": \([-0-9.]*\).*/\1/p' spot/summary.json)
tail -n 1 spot/plots/cost-overlay-1.csv | awk -F, -v want="$paid" '{ d = $2 - want; rows++ } END { exit !(rows && want < -0.5 && d < 1e-5 && d > -1e-5) }' &&
    pass "the curve of a cost that falls ends at the cost of the run" || fail "the curve of a cost that falls ends at the cost of the run" "$paid, $(tail -n 1 spot/plots/cost-overlay-1.csv)"

# Money in several currencies is not compared, as in the table.
sed 's|0.16 USD|30 JPY|' two-cards.xml >yen.xml
sed 's|<tariff[^>]*>||' two-cards.xml >free.xml
"$wattsink" compare free.xml two-cards.xml yen.xml --for 1h -o currencies >told
lacks told '\bnan\b' "cases of several currencies, and one without a tariff: no number is missing in the words"
says told 'different currencies: [0-9.]* USD, [0-9.]* JPY\.' "each cost that is known is named"
exits 0 "money of several currencies" "$wattsink" plot currencies --what compare
says currencies/plots/compare.svg '>energy \(kWh\)<' "the energy is compared"
lacks currencies/plots/compare.svg '>electricity cost' "and no cost"
says currencies/plots/compare.svg '>Comparison of the cases over [0-9]+ (min|h)<' "over a time, and by nothing that is not drawn"
# The currency is that of the cases that have a tariff. A cost below zero has a bar and a number, too.
"$wattsink" compare free.xml spot.xml --for 12h -o below >/dev/null
exits 0 "a cost below zero, after a case without a tariff" "$wattsink" plot below --what compare
says below/plots/compare.svg '>electricity cost \(USD\)<' "has its currency"
says below/plots/compare.svg '>-[0-9][0-9.]* (±|−)' "and its number"
sed 's|power-limit="280 W"||; s|<gpu |<gpu power-limit="250 W" |' yen.xml >less.xml
sed 's|power-limit="280 W"||; s|<gpu |<gpu power-limit="300 W" |' two-cards.xml >more.xml
"$wattsink" compare less.xml more.xml --for 1h -o paid >/dev/null
exits 0 "power limits of rigs that pay in several currencies" "$wattsink" plot paid --what limit
lacks paid/plots/limit.svg '>electricity cost' "have no costs"
# Totals of different durations are not compared, as in the table.
sed 's|for="1 d"|for="1 h"|' two-cards.xml >hour.xml
"$wattsink" compare two-cards.xml hour.xml -o durations >/dev/null
exits 0 "cases of different durations" "$wattsink" plot durations --what compare
lacks durations/plots/compare.svg '>(energy|electricity cost|work) \(' "have no totals"
says durations/plots/compare.svg '>Comparison of the cases<' "nor a common time"
says durations/plots/compare.svg 'totals of different durations are not drawn' "which is told"
says durations/plots/compare.svg '>GPU temperature, max' "and temperatures are drawn"
"$wattsink" compare two-cards.xml hour.xml --annual -o years >/dev/null
"$wattsink" plot years --what compare -q
says years/plots/compare.svg '>Comparison of the cases, per year<' "of a year"
says years/plots/compare.svg '>energy \(kWh/year\)<' "a year of each is drawn"

# As many fans as a rig may have, each with a panel of its own.
{ echo '<rig name="many fans"><site supply="230 V"><room temperature="24 degC"/></site>'
  for machine in 1 2 3 4 5 6 7 8 9 10 11 12; do
      echo '<chassis><psu kind="constant" rated="1000 W" efficiency="90 %"/><gpu part="gpu/generic" slot="1" tdp="200 W"><cooler kind="blower"/></gpu>'
      for low in 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37; do echo "<fan part=\"fan/generic-120-1500\" at=\"front\" sensor=\"gpu\" curve=\"30 degC:$low %, 80 degC:100 %\"/>"; done
      echo '</chassis>'
  done
  echo '<workload kind="constant" class="training"/><run for="1 min"/></rig>'; } >airy.xml
"$wattsink" run airy.xml -o airy -q
exits 0 "216 fans" "$wattsink" plot airy --what fans
says airy/plots/fans.svg '>fan215, 120 mm at the front' "have a panel each"
if [ -s err ]; then fail "gnuplot has nothing to complain about" "$(head -5 err)"; else pass "gnuplot has nothing to complain about"; fi

exits 1 "a full disk under text" sh -c '"$0" plot r --what fans --format term >/dev/full' "$wattsink"
says err 'cannot write' "is told"
exits 1 "and under a name" sh -c '"$0" plot r --what fans --format svg >/dev/full' "$wattsink"
says err 'cannot write' "is told as well"
if script -qec true /dev/null >/dev/null 2>&1; then
    on_terminal() { env -u COLUMNS LC_ALL=C.UTF-8 TERM=xterm-256color script -qec "stty cols 90 rows 24; $1" /dev/null </dev/null >out; }
    esc=$(printf '\033')
    on_terminal "'$wattsink' plot r --what temps --format term"
    says out "$esc\[31m" "in a terminal with colours"
    lacks out "$esc\[([0-9;]*[;1]3[07]|3[07]|[349][0-9]?;|1;)" "no curve is black or white"
    says out "$esc\[33m(⠤)+$esc\[0mGPU hot spot" "the hot spot in a colour of its own"
    says out "$esc\[31m(⠤)+$esc\[0mGPU" "and the key has the curves' colours"
    on_terminal "NO_COLOR=1 '$wattsink' plot r --what temps --format term"
    lacks out "$esc" "without, where NO_COLOR says so"
    widest=$(tr -d '\r\f' <out | LC_ALL=C.UTF-8 wc -L)
    [ "$widest" -le 90 ] && [ "$widest" -ge 85 ] && pass "the picture is as wide as the terminal" || fail "the picture is as wide as the terminal" "$widest"
fi
LC_ALL=C COLUMNS=80 "$wattsink" plot r --what temps --format term >out
says out '\(degC\)' "in degC"
if grep -q "$(printf '\f')" out; then fail "without a form feed"; else pass "without a form feed"; fi
LC_ALL=C.UTF-8 COLUMNS=80 "$wattsink" plot r --what temps --format term >wide
says wide '\(°C\)' "in °C elsewhere"
if LC_ALL=C grep -q "$(printf '[\200-\377]')" out; then fail "in ASCII, where the locale is not UTF-8"; else pass "in ASCII, where the locale is not UTF-8"; fi
[ "$(LC_ALL=C.UTF-8 wc -L <wide)" -le 80 ] && pass "a picture in text fits 80 columns" || fail "a picture in text fits 80 columns" "$(LC_ALL=C.UTF-8 wc -L <wide)"
tall=$(awk '!NF { n = 0 } NF && ++n > most { most = n } END { print most }' wide)
[ "$tall" -le 23 ] && pass "a panel in text fits 24 lines" || fail "a panel in text fits 24 lines" "$tall"
[ "$(grep -c 'time (' wide)" = "$(grep -c '°C)$' wide)" ] && pass "each panel has its time axis" || fail "each panel has its time axis" "$(cat wide)"
says wide '│ *[⠤⠒⣀⠉]' "the curves are of dots"
"$wattsink" plot r --what cost -q
lacks r/plots/cost.svg 'air conditioner' "no air conditioner where there is none"

"$wattsink" run "$top/scenarios/quad-3090-blower/rig.xml" --for 3d -o quad -q
exits 0 "a rig with an air conditioner" "$wattsink" plot quad
says quad/plots/temps.svg '>memory limit<' "the memory has its limit"
says quad/plots/temps.svg '>GPU target<' "the GPU its target"
says r/plots/temps.svg '>[|] checkpoint, each 60 min<' "checkpoints are ticks where there are few"
# Each of the three panels has one tick per checkpoint. If the work ends before the run, later ticks must be missing.
marks() { sed -n '/stroke-width="1\.20"/,/<\/g>/p' "$1/plots/temps.svg" | grep -oE 'M([0-9.]+),[0-9.]+ L\1,[0-9.]+' | wc -l; }
cp -r r ended && cp -r r never
awk -F, '$3 == "checkpoint" && ++n > 3 { exit } { print }' r/events.csv >ended/events.csv
awk -F, '$3 != "checkpoint"' r/events.csv >never/events.csv
"$wattsink" plot ended --what temps -q
"$wattsink" plot never --what temps -q
counted="$(marks r) $(marks ended) $(marks never)"
[ "$counted" = "33 9 0" ] && pass "and end where the work does" || fail "and end where the work does" "$counted"
says quad/plots/power.svg '>air conditioner, mean<' "the air conditioner has a panel of its own"
says quad/plots/cost.svg '>air conditioner<' "and its share of the cost"
says quad/plots/clocks.svg '>gpu0, gpu1 and gpu2 alike, rtx-3090-blower<' "so do clocks that differ by less than half a step"
says quad/plots/power.svg '>gpu0 and 3 more alike, rtx-3090-blower<' "cards that differ by less than a line share a panel"
if [ -s err ]; then fail "gnuplot has nothing to complain about" "$(head -5 err)"; else pass "gnuplot has nothing to complain about"; fi
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { c = $at["cost.max"]; e = $at["energy_kwh.max"]
    if (NR > 3 && $1 - t > 3000) { r = (c - lc) / ($1 - t); if (!least || r < least) least = r; if (r > most) most = r } t = $1; lc = c } END { exit !(most < 1.2 * least) }' \
    quad/plots/cost.csv && pass "no false spike in the cost of an hour" || fail "no false spike in the cost of an hour"

# A bill that falls: an hour at 0.2 USD/kWh and two at -0.3 USD/kWh, then one second of the first hour alone.
printf 'time,price_usd_per_mwh\n2026-08-03T00:00:00,200\n2026-08-03T01:00:00,-300\n2026-08-03T02:00:00,-300\n' >falls.csv
sed 's|<tariff[^>]*/>|<tariff kind="spot" file="falls.csv"/>|; s|<run [^>]*/>|<run from="2026-08-03T00:00:00" zone="UTC" for="3 h" step="1 s"/>|' "$top/scenarios/single-3090/rig.xml" >falls.xml
"$wattsink" run falls.xml -o falls -q
bill=$(sed -n 's/.*"currency": "USD", "run": \([-0-9.]*\),.*/\1/p' falls/summary.json)
exits 0 "a bill that falls" "$wattsink" plot falls --what cost
says falls/plots/cost.svg ">all: $(printf %.2f "$bill") USD<" "has the bill of its end in the key"
says falls/plots/cost.svg '>-0\.[0-9]+<' "and an axis below zero"
says falls/plots/cost.svg '>[|] checkpoint, each 60 min<' "and the word for its checkpoints"
bars() { grep -c "<polygon fill = 'rgb(230, 159,   0)'" "$1/plots/cost.svg"; }
rows=$(($(wc -l <falls/plots/cost.csv) - 1))
[ "$(bars falls)" = "$rows" ] && pass "each interval has its charges" || fail "each interval has its charges" "$(bars falls) of $rows"
"$wattsink" run falls.xml --for 1s -o second -q
"$wattsink" plot second --what cost -q
[ "$(bars second)" = 1 ] && pass "one interval alone, too" || fail "one interval alone, too" "$(bars second)"

"$wattsink" compare two-cards.xml --vary 'gpu[*].power-limit=200W:350W:50W' --for 1h -o sweep >/dev/null
for format in svg png pdf; do
    exits 0 "a sweep of power limits as $format" "$wattsink" plot sweep --what limit --format $format
    present sweep/plots/limit.$format "is drawn"
    if [ -s err ]; then fail "gnuplot has nothing to complain about" "$(head -5 err)"; else pass "gnuplot has nothing to complain about"; fi
done
says sweep/plots/limit.svg '>best<' "the best is marked"
says sweep/plots/limit.csv '^200,' "a row for each limit"
says sweep/plots/limit.svg '>uncertainty<' "results have their bands"
lacks sweep/plots/limit.svg '>overloaded<' "nothing is overloaded"
# 300 W and more overload the circuit, so the marked best is not the best of all limits.
# Uncertainties have unequal sides, the same as in the picture of the comparison.
"$wattsink" plot sweep -q
awk -F, 'FNR == 1 { for (i = 1; i <= NF; i++) at[FILENAME, $i] = i; next }
    { low[FILENAME, FNR] = $at[FILENAME, FILENAME ~ /limit/ ? "die_c_band" : "die_band"]
      high[FILENAME, FNR] = $at[FILENAME, FILENAME ~ /limit/ ? "die_c_up_band" : "die_up_band"]; n = FNR }
    END { l = "sweep/plots/limit.csv"; c = "sweep/plots/compare.csv"
      for (i = 2; i <= n; i++) { bad += low[l, i] != low[c, i] || high[l, i] != high[c, i]; uneven += low[l, i] != high[l, i] }
      exit bad || !uneven || n < 4 }' sweep/plots/limit.csv sweep/plots/compare.csv && pass "uncertainties have two sides" ||
    fail "uncertainties have two sides" "$(cat sweep/plots/limit.csv)"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { down = $at["per_kwh_band"]; up = $at["per_kwh_up_band"]; n++; bad += !(down > 0 && up > 0 && down < $at["per_kwh"]) } END { exit bad || n < 4 }' \
    sweep/plots/limit.csv && pass "work per energy has an uncertainty" || fail "work per energy has an uncertainty" "$(head -2 sweep/plots/limit.csv)"
half=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } NR == 2 { printf "%.4f", ($at["per_kwh_band"] + $at["per_kwh_up_band"]) / 2 }' sweep/plots/limit.csv)
json=$(sed -n 's/.*"work_per_kwh_spread": \([0-9.e-]*\).*/\1/p' sweep/compare.json | head -n 1)
awk "BEGIN { exit !($half > 0 && ($half - ${json:-0}) ^ 2 < 1e-6) }" && pass "that of compare.json" || fail "that of compare.json" "$half $json"
"$wattsink" compare two-cards.xml --vary 'gpu[*].power-limit=200W:350W:50W' --for 1h --set 'site.circuit=6.5 A' -o tight >/dev/null
"$wattsink" plot tight --what limit --format svg -q
says tight/plots/limit.svg '>overloaded<' "overloaded limits are shaded"
says tight/plots/limit.svg '>cheapest to run<' "the cheapest of the others has a line"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { over[$at["over"]]++; if ($at["over"] == 1 && $at["limit_w"] < 250) bad = 1 } END { exit !(over[0] > 0 && over[1] > 0 && !bad) }' tight/plots/limit.csv &&
    pass "the data file marks overloaded limits" || fail "the data file marks overloaded limits" "$(cat tight/plots/limit.csv)"
# "All in" needs the prices of the parts, in the currency of the tariff.
for price in 'USD >cheapest,.all.in<' 'EUR >cheapest.to.run<'; do
    sed "s|<gpu |<gpu price=\"900 ${price% *}\" |" two-cards.xml >priced.xml
    "$wattsink" compare priced.xml --vary 'gpu[*].power-limit=200W:300W:50W' --for 1h -o priced --force >/dev/null
    "$wattsink" plot priced --what limit --format svg -q
    says priced/plots/limit.svg "${price#* }" "cards priced in ${price% *}: ${price#* }"
done
sed 's|<tariff|<ups kind="online" rated="700 W"/><tariff|' two-cards.xml >ups.xml
"$wattsink" compare ups.xml --vary 'gpu[*].power-limit=200W:350W:50W' --for 1h -o ups >/dev/null
"$wattsink" plot ups --what limit --format svg -q
says ups/plots/limit.svg '>overloaded<' "limits that overload a UPS are shaded"
exits 0 "and in the terminal" "$wattsink" plot sweep --format term
says out 'power limit of each card' "with its axis"
exits 3 "a run has no limits to show" "$wattsink" plot r --what limit
says err 'compare.json' "and what would is said"
exits 3 "nor has a sweep temperatures" "$wattsink" plot sweep --what temps
"$wattsink" compare load.xml --vary 'psu.efficiency=82%,87%' -o other >/dev/null
exits 0 "a comparison of something else" "$wattsink" plot other
absent other/plots/limit.svg "is told from a sweep of limits"
for format in svg png pdf; do
    exits 0 "is drawn as $format" "$wattsink" plot other --what compare --format $format
    present other/plots/compare.$format "with its picture"
    if [ -s err ]; then fail "gnuplot has nothing to complain about" "$(head -5 err)"; else pass "gnuplot has nothing to complain about"; fi
done
says other/plots/compare.svg '>87%<' "whose bars have the cases' names"
says other/plots/compare.svg '>PSU losses<' "and energy its parts"
says other/plots/compare.csv '^1,nan,53.76,nan,11.80098' "as the data beside it"
cp other/plots/compare.svg before.svg
"$wattsink" plot other --what compare -q
(cd other/plots && rm compare.svg && gnuplot compare.gp)
cmp -s before.svg other/plots/compare.svg && pass "the script alone redraws it" || fail "the script alone redraws it"
exits 0 "and in the terminal" "$wattsink" plot other --what compare --format term
says out 'energy \(kWh\)' "with its panels"
exits 3 "but no limits" "$wattsink" plot other --what limit
says err 'do not differ in power limits' "which is said"
exits 3 "nor has a run cases" "$wattsink" plot r --what compare
says err 'compare.json' "and what would is said"
cp two-cards.xml "it's 50 % of \\a {b}_c ^d @e.xml"
# A hot card has nearly reached its limit, so that its temperature may be lower by more than higher.
cp two-cards.xml again.xml
"$wattsink" compare two-cards.xml again.xml --for 1h -q -o uneven >table
told=$(sed -n 's/^GPU temperature, max .*degC *\([0-9]*\) -\([0-9]*\)\/+\([0-9]*\) .*/\1 −\2\/+\3/p' table)
exits 0 "unequal uncertainties" "$wattsink" plot uneven --what compare
[ -n "$told" ] && grep -q ">$told<" uneven/plots/compare.svg && pass "have their sides, as in the table" || fail "have their sides, as in the table" "$told"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
    NR == 2 { split("'"${told#* }"'", s, "/"); gsub(/[^0-9]/, "", s[1]); gsub(/[^0-9]/, "", s[2])
        low = $at["die_band"] - s[1]; high = $at["die_up_band"] - s[2]
        exit !(low <= 0.5 && low >= -0.5 && high <= 0.5 && high >= -0.5) }' uneven/plots/compare.csv && pass "so do its whiskers" || fail "so do its whiskers" "$told: $(cat uneven/plots/compare.csv)"
exits 0 "an odd name" "$wattsink" compare "it's 50 % of \\a {b}_c ^d @e.xml" load.xml --for 1h --annual -o oddly
exits 0 "is drawn" "$wattsink" plot oddly --what compare
says oddly/plots/compare.svg "s 50 % of .a .b._c .d @e<" "as it is"
if [ -s err ]; then fail "gnuplot has nothing to complain about" "$(head -5 err)"; else pass "gnuplot has nothing to complain about"; fi
exits 0 "many cases" "$wattsink" compare load.xml --vary 'tariff.price=0.10USD/kWh:0.50USD/kWh:0.01USD/kWh' --for 1h -o many
exits 3 "have no room" "$wattsink" plot many --what compare

echo '<rig/>' >nothing.xml
"$wattsink" run nothing.xml --for 2h -o nothing -q
exits 0 "a rig without watts, and another" "$wattsink" plot nothing l
absent nothing/plots/power.svg "has no power to show"
says err "no picture 'power', all of it is 0" "and says so"
if grep -qiE 'warning|gnuplot' err; then fail "gnuplot has nothing to complain about" "$(head -5 err)"; else pass "gnuplot has nothing to complain about"; fi
present l/plots/power.svg "the other is drawn"
exits 3 "a folder without results, and another" "$wattsink" plot nowhere l --what temps --format png
present l/plots/temps.png "the other is drawn all the same"

cards() {
    printf '<rig name="%s"><chassis slots="40"><psu part="psu/tier-gold-1600"/>' "$2"
    for k in $(seq "$1"); do printf '<gpu part="gpu/generic" tdp="75 W" slots="2" slot="%s"/>' $((2 * k - 1)); done
    printf '</chassis><workload class="training"/></rig>'
}
for n in 8 12; do
    cards $n "$n cards" >n.xml
    "$wattsink" run n.xml --for 1h -o n$n -q
    exits 0 "$n cards" "$wattsink" plot n$n --what power
    for name in 'rest of the rig' 'lost in the PSU' 'rig at the wall'; do
        says n$n/plots/power.svg ">$name<" "the key has the $name"
    done
done
dot=$(printf '\342[\240-\243].')
for n in 8 12; do
    for look in plain coloured; do
        LC_ALL=C.UTF-8 COLUMNS=90 "$wattsink" plot n$n --what power --format term >out
        [ $look = plain ] || ! type on_terminal >/dev/null 2>&1 || on_terminal "'$wattsink' plot n$n --what power --format term"
        # Each entry of the legend must have dashes of its own, or in colour a colour of its own.
        tr -d '\r' <out | sed '/gpu0/,$d' | LC_ALL=C sed -nE "s/.* (($esc\[3.m)?$dot($dot| ){3})($esc\[0m)?[+0-9a-z].*/\1/p" | sort >marks
        [ "$(wc -l <marks)" -ge 4 ] && [ -z "$(uniq -d marks)" ] && pass "$n cards in text, $look: a mark for each line" || fail "$n cards in text, $look: a mark for each line" "$(cat marks; head -30 out)"
    done
done
"$wattsink" run "$top/scenarios/redundant-8gpu/rig.xml" --for 1h -o eight -q
exits 0 "eight equal cards" "$wattsink" plot eight
for what in temps power clocks; do
    [ "$(grep -c '>gpu0 and 7 more alike, h100-pcie-duct<' eight/plots/$what.svg)" = 1 ] && pass "share a panel in $what" || fail "share a panel in $what" "$(grep -o '>gpu[^<]*' eight/plots/$what.svg)"
done
says eight/plots/power.svg '>gpu7<' "each card is a layer of the stack"
if [ -s err ]; then fail "gnuplot has nothing to complain about" "$(head -5 err)"; else pass "gnuplot has nothing to complain about"; fi
"$wattsink" run "$top/scenarios/redundant-8gpu/rig.xml" --set 'gpu[3].power-limit=250W' --for 1h -o seven -q
exits 0 "one of which has less power" "$wattsink" plot seven --what temps
says seven/plots/temps.svg '>gpu3, slot 7, h100-pcie-duct<' "has its own"
says seven/plots/temps.svg '>gpu0 and 6 more alike, h100-pcie-duct<' "the others theirs"
# The width of a line is that in the panel of the cards, not in that of the power at the wall, where 15 W are less.
"$wattsink" run "$top/scenarios/redundant-8gpu/rig.xml" --set 'gpu[3].power-limit=335W' --for 1h -o fifteen -q
exits 0 "one of which draws 15 W less" "$wattsink" plot fifteen --what power
says fifteen/plots/power.svg '>gpu3, slot 7, h100-pcie-duct<' "has a panel of its own"
exits 0 "without a tariff" "$wattsink" plot n8 --what cost
if [ -s err ]; then fail "gnuplot has nothing to complain about" "$(head -5 err)"; else pass "gnuplot has nothing to complain about"; fi
says n8/plots/power.svg '>gpu7<' "eight cards have their own colours"
says n12/plots/power.svg '>12 cards<' "twelve are one"

"$wattsink" run two-cards.xml --for 1s -o second -q
exits 0 "a run of one second" "$wattsink" plot second
[ "$(wc -l <second/plots/temps.csv)" = 3 ] && pass "has lines" || fail "has lines" "$(head -c 300 second/plots/temps.csv)"
says second/plots/temps.svg '>time \(s\)<' "and seconds"

"$wattsink" run two-cards.xml --set 'room.temperature=25degC' --for 1h -o pinned -q
exits 0 "a pinned room" "$wattsink" plot pinned --what temps
says r/plots/temps.svg '>outdoors<' "the air outdoors is drawn"
grep -q '>outdoors<' pinned/plots/temps.svg && fail "shows no air outdoors" || pass "shows no air outdoors"
says pinned/series.csv 'outdoor.air_c.mean' "which the series still has"

sed 's/period="[^"]*"/period="4 h"/; s/duty="[^"]*"/duty="50 %"/' load.xml >pulse.xml
"$wattsink" run pulse.xml --for 8h -o pulse -q
exits 0 "a power supply that rests" "$wattsink" plot pulse --what psu
says pulse/plots/psu.csv ',0,0,0,nan,nan,nan' "has no efficiency meanwhile"

# looks PICTURE NAMES: the number of looks (colour and dashes) of the curves that the first panel's key names.
looks() { awk -v names=">($2)<" '$0 ~ names { key = 1 } key && /<path/ { sub(/  d=.*/, ""); print; key = 0 }' "$1" | sort -u | wc -l; }
psus() { # MORE CARDS LOADS: a rig with four equal PSUs
    printf '<rig><chassis slots="40">'
    for k in 0 1 2 3; do printf '<psu id="p%s" part="psu/tier-gold-1600" %s/>' $k "$1"; done
    for k in $(seq "$2"); do printf '<gpu part="gpu/generic" tdp="75 W" slots="2" slot="%s"/>' $((2 * k - 1)); done
    printf '%s</chassis><workload class="training"/></rig>' "$3"
}
psus "" 0 '<load dc="300 W"/>' >spare.xml
"$wattsink" run spare.xml --for 1h -o spare -q
exits 0 "PSUs that feed nothing" "$wattsink" plot spare --what psu
if [ -s err ]; then fail "gnuplot draws PSUs that feed nothing without complaint" "$(head -5 err)"; else pass "gnuplot draws PSUs that feed nothing without complaint"; fi
[ "$(grep -c '>p0<' spare/plots/psu.svg) $(grep -c '>p3<' spare/plots/psu.svg)" = "2 1" ] && pass "the key of the efficiency names only PSUs that feed something" ||
    fail "the key of the efficiency names only PSUs that feed something" "$(grep -o '>p[0-9]<' spare/plots/psu.svg)"
sed 's/<psu id="p[1-3]"[^>]*>//g; s/<load[^>]*>//; s/"p0"/"p0" no-load-power="2 W"/' spare.xml >bare.xml
"$wattsink" run bare.xml --for 1h -o bare -q
exits 0 "a PSU that only loses" "$wattsink" plot bare --what psu
lacks bare/plots/psu.svg '>p0.*: efficiency' "a PSU that only loses has no panel of its efficiency"
psus 'redundant="yes"' 10 "" >ten.xml
"$wattsink" run ten.xml --for 1h -o ten -q
exits 0 "four PSUs and ten cards" "$wattsink" plot ten --what psu
n=$(looks ten/plots/psu.svg 'p[0-3]')
[ "$n" = 4 ] && pass "each of four PSUs beside ten cards has a colour of its own" || fail "each of four PSUs beside ten cards has a colour of its own" "$n looks"

exits 0 "and another" "$wattsink" plot pulse l --what power
lacks pulse/plots/power-overlay.svg '<text><tspan[^>]*>-[0-9]|> *-[0-9]+</' "watts begin at 0"
exits 0 "two rooms of one temperature" "$wattsink" plot l pulse --what temps
awk '/air temperature in the room/ { there = 1 } END { exit !there }' l/plots/temps-overlay.svg && [ "$(grep -cE '> *2[0-9](\.[0-9]+)?<' l/plots/temps-overlay.svg)" -ge 3 ] &&
    pass "leave room below their curve" || fail "leave room below their curve" "$(grep -oE '>[0-9.]+<' l/plots/temps-overlay.svg | head)"

i=0
while [ $((i += 1)) -le 18 ]; do cp -R bare run$i.out; done
exits 0 "eighteen runs" "$wattsink" plot run*.out --what power -q
n=$(looks run1.out/plots/power-overlay.svg 'run[0-9]+')
[ "$n" = 18 ] && pass "the key of eighteen runs names each, by a look of its own" || fail "the key of eighteen runs names each, by a look of its own" "$n looks"
{
    echo '<rig>'
    for k in 1 2 3 4 5 6 7 8 9; do printf '<chassis id="c%s"><psu id="p%s" part="psu/tier-gold-1000"/><load dc="%s0 W"/></chassis>' $k $k $k; done
    echo '</rig>'
} >nine.xml
"$wattsink" run nine.xml --for 1h -o nine -q
exits 0 "nine chassis" "$wattsink" plot nine
n="$(looks nine/plots/temps.svg 'c[1-9]') $(looks nine/plots/psu.svg 'p[1-9]')"
[ "$n" = "9 9" ] && pass "the keys of nine chassis name each chassis and PSU, by a look of its own" || fail "the keys of nine chassis name each chassis and PSU, by a look of its own" "$n looks"

long=$(printf '%080d' 0)
cards 1 "Rig 50 % &quot;a&quot; 'b' back\slash {c} _d ^e @f \`id\` é 日本 $long $long $long $long" |
    sed "s/tdp=/id=\"$(printf '%064d' 0)\" tdp=/" >odd.xml
"$wattsink" run odd.xml --for 1h -o odd -q
exits 0 "an odd and long name" "$wattsink" plot odd --what temps
says odd/plots/temps.svg "Rig 50 % .a. 'b' back.slash .c. _d .e @f \`id\` é 日本 0+\.\.\.<" "stands there, shortened"
says odd/plots/temps.svg ">$(printf '%064d' 0), slot 1" "as does the longest id"
exits 0 "the power of a card with the longest id" "$wattsink" plot odd --what power
says odd/plots/power.svg '>000000\.\.000000<' "the key shortens the longest id to its room"
sed -n 's|.*\(<chassis .*\)</chassis>.*|\1|p' odd.xml | sed "s/id=\"[^\"]*\"//" >inside
printf '<rig><site><tariff kind="flat" price="0.3 EUR/kWh"/></site>%s</chassis>%s</chassis></rig>' "$(sed 's/<chassis/& id="a"/' inside)" \
    "$(sed "s/<chassis/& id=\"$(printf '%064d' 0)\"/" inside)" >pair.xml
"$wattsink" run pair.xml --for 1h -o pair -q
exits 0 "a chassis with the longest id" "$wattsink" plot pair --what temps
says pair/plots/temps.svg '>000000\.\.000000<' "the key shortens the longest id of a chassis to its room"
prose=$(grep -nE "(title|xlabel|xname =|label [0-9]+|panel\([^,]*,) *'[A-Za-z]" "$top"/plots/*.gp)
[ -z "$prose" ] && pass "the scripts hold no prose" || fail "the scripts hold no prose" "$prose"
japanese() {
    cp "$1/plots/$2.csv" english.csv 2>/dev/null || : >english.csv
    sed -n "s/^\([wx][a-z_]*\) = '\(.*\)'$/\2/p" "$1/plots/$2.gp" >english
    exits 0 "$2 of $1 in Japanese" "$wattsink" plot "$1" --what "$2" --lang ja
    iconv -f UTF-8 -t UTF-8 "$1/plots/$2.svg" >/dev/null 2>&1 && pass "in UTF-8" || fail "in UTF-8"
    says "$1/plots/$2.svg" 'Noto Sans CJK JP' "with a font that has its letters"
    if [ -s err ]; then fail "gnuplot has nothing to complain about" "$(head -5 err)"; else pass "gnuplot has nothing to complain about"; fi
    left=$(grep -vE '^(GPU|%.*)$' english | while read -r text; do grep -aoF ">$text<" "$1/plots/$2.svg"; done)
    [ "$(wc -l <english)" -gt 5 ] && [ -z "$left" ] && pass "with no text left in English" || fail "with no text left in English" "$left"
    [ ! -s english.csv ] || cmp -s english.csv "$1/plots/$2.csv" && pass "and the same data" || fail "and the same data"
}
"$wattsink" plot r wet -q
for what in temps power clocks fans cost psu; do
    "$wattsink" plot r --what $what -q
    japanese r $what
done
"$wattsink" plot wet --what temps -q && japanese wet temps
"$wattsink" plot sweep -q
japanese sweep limit
# A PNG needs a font on this machine, so plot warns once if fontconfig knows none with Japanese letters.
mkdir fonts
printf '#!/bin/sh\nexit 0\n' >fonts/fc-list
chmod +x fonts/fc-list
exits 0 "PNG without a Japanese font" env PATH="$PWD/fonts:$PATH" "$wattsink" plot wet --lang ja --format png
[ "$(grep -c fonts-noto-cjk err)" = 1 ] && pass "warns once" || fail "warns once" "$(cat err)"
exits 0 "SVG without a Japanese font" env PATH="$PWD/fonts:$PATH" "$wattsink" plot wet --lang ja --what temps --format svg
grep -q fonts-noto-cjk err && fail "needs none" "$(cat err)" || pass "needs none"
exits 0 "an English PNG of a rig with a Japanese name, without a font for it" env PATH="$PWD/fonts:$PATH" "$wattsink" plot odd --format png
[ "$(grep -c 'letter 日.*fonts-noto-cjk' err)" = 1 ] && pass "an English PNG warns once of a name without a font" || fail "an English PNG warns once of a name without a font" "$(cat err)"
exits 0 "an English PNG without wide letters" env PATH="$PWD/fonts:$PATH" "$wattsink" plot n8 --what temps --format png
grep -q fonts-noto-cjk err && fail "an English PNG without wide letters needs no Japanese font" "$(cat err)" || pass "an English PNG without wide letters needs no Japanese font"
printf '#!/bin/sh\necho IPAGothic\n' >fonts/fc-list
exits 0 "PNG with a Japanese font" env PATH="$PWD/fonts:$PATH" "$wattsink" plot wet --lang ja --what temps --format png
grep -q fonts-noto-cjk err && fail "warns of nothing" "$(cat err)" || pass "warns of nothing"
japanese sweep compare
says sweep/plots/compare.svg '>GPU 温度、最大 \(°C\)<' "labels are those of the table of results"
LC_ALL=ja_JP.UTF-8 "$wattsink" plot r wet --what temps -q
says r/plots/temps-overlay.svg '>2 件の結果: 温度<' "several runs are told by the locale"
LC_ALL=ja_JP.UTF-8 COLUMNS=80 "$wattsink" plot r --what temps --format term >out
iconv -f UTF-8 -t UTF-8 out >/dev/null 2>&1 && pass "text is valid UTF-8" || fail "text is valid UTF-8"
says out '(⠤)+ *(⠤)*メモリー' "with its key in Japanese"

exits 1 "without gnuplot" env PATH=/nonexistent "$wattsink" plot r
says err 'gnuplot-nox' "the package is named"
exit $status
