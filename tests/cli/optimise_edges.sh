#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The search for the best settings with unusual questions: goals that are expressions or costs, limits that worsen the
# goal or conflict, steps of ranges, and rigs whose cards cannot be moved or counted.
. "$(dirname "$0")/helpers.inc"
. "$top/tests/cli/optimise.inc"

# ---- goals and limits ----
ask 0 "a cost of owning as text" --over "$limits" --min owning.annual --where 'gpus.work_rel > 0.2'
says out '^    owning\.annual [0-9.]+ [A-Z]{3}( \+-.*)?; as it is: [0-9.]+ [A-Z]{3}$' "has its currency"
ask 0 "an expression as text" --over "$limits" --max '2 * gpus.work_rel'
says out '^    2 \* gpus\.work_rel [0-9.]+( \+-.*)?; as it is: ' "has no unit"
ask 0 "a cost of owning for an hour of work as text" --over "$limits" --min owning.per_work --where 'gpus.work_rel > 0.2'
says out '^    owning\.per_work [0-9.]+ [A-Z]{3}/GPU-h( \+-.*)?; as it is: [0-9.]+ [A-Z]{3}/GPU-h$' "has its unit"
ask 0 "a quotient of keys" --over "$limits" --max 'work.done/energy.wall_kwh' --where 'gpus.die_max_c - room.max_c < 60 K'
says out '^    work\.done/energy\.wall_kwh [0-9.]+( \+-[0-9.]+)?; as it is: [0-9.]+$' "has no unit that is known"
says out '^    gpus\.die_max_c - room\.max_c < 60 K: [0-9.]+ K away' "a difference of temperatures is in K"
cat >two.xml <<'END'
<rig name="two">
  <site supply="230 V" circuit="32 A"><tariff kind="flat" price="0.3 EUR/kWh"/></site>
  <chassis part="chassis/mining-frame-8">
    <psu part="psu/tier-gold-1600"/><cpu part="cpu/generic-workstation"/>
    <gpu part="gpu/rtx-3090" slot="1" riser="60 mm"/>
  </chassis>
  <chassis part="chassis/mining-frame-8">
    <psu part="psu/tier-gold-1600"/><cpu part="cpu/generic-workstation"/>
    <gpu part="gpu/rtx-3090" slot="1" riser="60 mm"/><gpu part="gpu/rtx-4090" slot="4" riser="60 mm"/>
  </chassis>
  <workload kind="training" class="decode"/>
  <run for="1 h"/>
</rig>
END
of 0 "cards of one of two chassis" two.xml --over 'chassis[1].gpu[*].power-limit=250W,300W' --max 'mean(gpus.clock_mean_mhz)'
says out "^wattsink run 'two.xml' --set 'chassis\[1\]\.gpu\[\*\]\.power-limit=300W' --leap" "leave those of the other alone"
cat >slots.xml <<'END'
<rig name="slots">
  <site supply="230 V" circuit="16 A"><room temperature="25 degC"/></site>
  <chassis part="chassis/full-tower-8-slot">
    <fan part="fan/generic-120-1500" at="front"/><psu part="psu/tier-gold-1200"/><cpu part="cpu/generic-workstation"/>
    <gpu part="gpu/rtx-3090" slot="1"/><gpu part="gpu/rtx-3090" slot="5" voltage-offset="-100 mV"/>
  </chassis>
  <workload kind="training" class="decode"/>
  <run for="10 min"/>
</rig>
END
of 0 "places of two cards of one part, one with a lower voltage" slots.xml --over 'gpu[*].slot' --min gpus.die_max_c
says out '^Cases: 12; ' "each is tried above the other"
sed -e 's|voltage-offset="[^"]*"||; s|<fan [^>]*>|<fan part="fan/generic-120-1500" at="front" sensor="gpu"/><fan part="fan/generic-120-1500" at="rear" sensor="inlet"/>|' \
    slots.xml >fans.xml
of 0 "the curve of a fan that follows other air than the first fan" fans.xml --over 'fan[1].curve' --min noise_dba --where 'gpus.work_rel > 0.1'
says out "^wattsink run 'fans.xml' --set 'fan\[1\]\.curve=22 degC:" "has points in the range of air"
sed '/<tariff/d' "$rig" >untaxed.xml
sed 's|<tariff [^>]*>|<tariff kind="flat" price="0.16 USD/kWh"/>|' "$rig" >dollars.xml
for goal in cost.annual cost_per_work; do
    of 0 "$goal in two currencies" dollars.xml --over 'tariff.price=0.16USD/kWh,0.15EUR/kWh' --min $goal --where 'gpus.work_rel > 0.2'
    says out '^Best  tariff\.price=0\.16USD/kWh$' "is not compared by its number"
done
for goal in owning.annual owning.per_work; do
    of 3 "$goal without a tariff" untaxed.xml --over "$limits" --min $goal --where 'gpus.work_rel > 0.2'
    says err "no case has a number for $(echo $goal | sed 's/\./\\./')" "cannot be told"
done
of 0 "the cost of owning where electricity is free" dollars.xml --set 'tariff.price=0 USD/kWh' --over "$limits" --min owning.per_work --where 'gpus.work_rel > 0.2'
says out '^    owning\.per_work 0\.[0-9]+ USD/GPU-h \+-0\.[0-9]*[1-9][0-9]*; as it is: ' "is that of the purchase"
for goal in work.done work.done/simulated_s; do
    ask 0 "$goal of a long run" --over "$limits" --max $goal --where 'gpus.work_rel > 0.2' --json
    eval "share_${#goal}=\$(sed -n 's|^ \"best\": .*\"run\": {\"goals\": .\([0-9.e-]*\).*\"uncertainty\": {\"goals\": .\([0-9.e-]*\).*|\2/\1|p' out)"
done
# shellcheck disable=SC2154  # share_9 and share_21 are set above
awk "BEGIN { exit !($share_9 > 0 && ($share_9) / ($share_21) > 0.99 && ($share_9) / ($share_21) < 1.01) }" && pass "has the same relative ± for each second" ||
    fail "has the same relative ± for each second" "$share_9 $share_21"
ask 0 "a maximum whose limit binds" --over 'gpu.power-limit=200W:350W:10W' --max gpus.clock_mean_mhz --where 'gpus.power_mean_w < 300 W' --probability 50%
says out 'gpus\.power_mean_w < 300 W: .* W tighter lowers gpus\.clock_mean_mhz by [0-9.]+ MHz$' "costs clock"
ask 0 "limits of energy, and of what is 0" --over "$limits" --max gpus.work_rel --where 'energy.wall_kwh < 1e4 kWh' --where 'gpus.throttle_s.thermal < 1e9'
says out '^    energy\.wall_kwh < 1e4 kWh: [0-9]{4}[0-9.]* kWh away, .*; [0-9.]+ kWh tighter costs nothing$' "the distance from a limit of energy is told with a step"
says out '^    gpus\.throttle_s\.thermal < 1e9: 9[0-9]{8} (s )?away, \+-[0-9.]+$' "the distance from a limit of a time that is 0 is told without a step"
ask 1 "a die colder than the room" --over "$limits" --max gpus.work_rel --where 'gpus.die_max_c < 10 degC' -o none.xml --format svg --min noise_dba
says out '^    gpus\.die_max_c < 10 degC: if it gives by [0-9.]+ K at least, the other limits can be kept$' "gives in K"
absent none.xml "no rig is written"
absent none.plots "nor a picture"
ask 1 "a share that cannot be reached" --over "$limits" --max gpus.clock_mean_mhz --where 'gpus.work_rel > 5'
says out '^    gpus\.work_rel > 5: if it gives by [0-9.]+ at least' "gives without a unit"
ask 2 "a picture without a place" --over "$limits" --max gpus.work_rel --min noise_dba --format svg
if command -v gnuplot >/dev/null; then
    mkdir d.ir
    ask 0 "a front of a quotient" --over "$limits" --max noise_dba --min 'cost.annual/work.done' --where 'work.done > 1' --format svg -o cost
    says cost.plots/pareto.gp "^x_name = 'cost\.annual/work\.done'$" "has no unit at its axis"
    ask 0 "a front of three goals" --over "$limits" --min cost_per_work --max gpus.clock_mean_mhz --max work.done --format svg -o three
    says three.plots/pareto.gp "^axis_name = '[^.]*'\$" "has the third one's label at its colours"
    ask 0 "a front of an expression" --over "$limits" --max noise_dba --min '2 * gpus.work_rel' --format svg -o d.ir/best
    says d.ir/best.plots/pareto.gp "^x_name = '2 \* gpus\.work_rel'$" "has it at its axis"
    present d.ir/best "a point in the folder's name begins no suffix"
fi

ask 0 "a front as text" --over "$limits" --over 'fan[*].speed=700rpm,1100rpm,1490rpm' --min cost_per_work --max 'work.done/2' --max work.done
says out '^    Values of the steady point; above are those of runs over time\.$' "tells where its values are from"
says out '^    work\.done [0-9]+\.[0-9] GPU-h \+-[0-9]+\.[0-9]; as it is: [0-9]+\.[0-9] GPU-h$' "a value has the decimals of its ±"
sed -n '/^Pareto/,/^wattsink/s/^.*GPU-h  *[0-9]*\(\.[0-9]*\) GPU-h  *[0-9.]* GPU-h .*/\1/p' out | awk '{ if (length($0) != length(first)) first ? bad = 1 : first = $0 } END { exit bad || !first }' &&
    pass "and a column has one number of decimals" || fail "and a column has one number of decimals" "$(cat out)"
ask 0 "a front as JSON" --over "$limits" --over 'fan[*].speed=700rpm,1100rpm,1490rpm' --min cost_per_work --max work.done --json
best=$(sed -n 's/^ "best": .*\("run": {[^}]*}\).*/\1/p' out)
[ -n "$best" ] && sed -n '/"front"/,$p' out | grep -qF "$best" && pass "has the run of the best case" || fail "has the run of the best case" "$(cat out)"
ask 0 "little work" --set workload.duty=30% --set run.for=10min --over "$limits" --max work.done --where 'noise_dba < 60'
says out "^    work\\.done 0\\.[0-9]{4} GPU-h [+]-0\\.000[0-9]; as it is: 0\\.[0-9]{4} GPU-h\$" "has more decimals"

# ---- loads by the hour, and what a limit costs ----
cat >tou.xml <<END
<rig name="t"><site supply="240 V" circuit="16 A"><room volume="30 m3" conductance="60 W/K"><outdoor mean="15 degC" swing="5 K"/><air-conditioner capacity="2.5 kW" setpoint="26 degC"/></room>
  <tariff kind="time-of-use" standing-day="0.40 USD" tax="10 %" surcharge="0.01 USD/kWh"><season name="summer" from="06-01" to="09-30"/>
    <period name="peak" from="16:00" to="21:00" days="weekdays" season="summer" price="0.58 USD/kWh"/><period name="off" price="0.26 USD/kWh"/><holiday kind="us-federal"/>
    <demand price="15 USD/kW" name="max"/></tariff></site>
  <chassis part="chassis/mid-tower"><fan part="fan/generic-120-1500" at="front" count="2"/><fan part="fan/generic-120-1500" at="rear"/>
    <psu part="psu/tier-gold-850"/><cpu part="cpu/generic-desktop"/><gpu part="gpu/rtx-3090-open-air" slot="1" power-limit="300 W"/></chassis>
  <workload kind="inference" class="training" load-curve="0 h:20 %, 8 h:30 %, 9 h:100 %, 18 h:100 %, 20 h:40 %"/><run from="2026-06-30T18:30:00" zone="America/New_York" for="7 d"/></rig>
END
of 0 "a limit whose distance differs between cases" tou.xml --over gpu.power-limit=200W:350W --min owning.annual --where 'sum(gpus.work_rel) > 0.5'
says out '^    sum\(gpus\.work_rel\) > 0\.5: .* tighter raises owning\.annual by [0-9]+ USD$' "can be tighter, by the distance that another case needs"
of 0 "a load of each price" tou.xml --over workload.load-curve=0%:100%:20% --min cost.annual --where 'work.done > 60 GPU-h' --json
grep -o '"setting": "workload.load-curve@[^}]*"low": "0%"' out >zero
[ -s zero ] && fail "no load of a dearer hour is taken for that of a cheaper one" "$(cat zero)" || pass "no load of a dearer hour is taken for that of a cheaper one"
# Prices are those of hours of the local clock, also when a run begins between two hours and clocks are set forward.
sed -e 's|<season [^>]*>||; s|from="16:00" to="21:00" days="weekdays" season="summer"|from="6:00" to="22:00"|; s|<demand [^>]*>||' \
    -e 's|2026-06-30T18:30:00|2026-03-06T18:30:00|' tou.xml >spring.xml
of 0 "a load of each price in a week in which clocks are set" spring.xml --over workload.load-curve=0%:100%:50% --min cost.annual --most 20 --where 'work.done > 20 GPU-h' --json
grep -o '"setting": "workload.load-curve@[^"]*"' out | sort | tr '\n' ' ' >hours
[ "$(cat hours)" = '"setting": "workload.load-curve@0-6 h 22-24 h" "setting": "workload.load-curve@6-22 h" ' ] &&
    pass "has the hours of the clock" || fail "has the hours of the clock" "$(cat hours)"
of 2 "the price of work where the hours vary" tou.xml --over workload.load-curve=0%:100%:20% --min cost_per_work
says err "sum\(gpus\.work_rel\) > 0\.5' .* 'work\.done > 84 GPU-h'" "needs an amount of work that this machine can do"
of 2 "a cost" tou.xml --over gpu.power-limit=200W,300W --min cost.annual
for goal in cost_per_work owning.per_work cost.run/work.done; do
    of 0 "$goal" tou.xml --set run.for=1d --over gpu.power-limit=200W,300W --min $goal
done

# ---- a goal with two minima ----
# Two cards heat each other, so the fans are quieter if either card draws little: the noise over the two power limits
# has two minima. Only a low limit of gpu[1] makes the machine as quiet as asked.
cat >valleys.xml <<END
<rig name="Two valleys"><site supply="120 V" circuit="15 A" altitude="40 m">
    <room volume="30 m3" conductance="40 W/K"><outdoor mean="20 degC" swing="6 K"/></room><tariff kind="flat" price="0.16 USD/kWh"/></site>
  <chassis part="chassis/mid-tower"><fan part="fan/generic-120-1500" at="front" count="2" speed="1500 rpm"/><fan part="fan/generic-120-1500" at="rear"/>
    <psu part="psu/tier-gold-850"/><cpu part="cpu/generic-desktop"/>
    <gpu part="gpu/rtx-3090-open-air" slot="1" power-limit="300 W"/><gpu part="gpu/rtx-3090-open-air" slot="4" power-limit="220 W"/></chassis>
  <workload kind="training" class="training"/><run from="2026-08-03T09:00:00" zone="America/Los_Angeles" for="3 h" step="1 s"/></rig>
END
set -- --over 'gpu[0].power-limit=150W:350W:10W' --over 'gpu[1].power-limit=150W:350W:10W' --max work.done --probability 50%
of 0 "a limit that is kept in the second of two valleys" valleys.xml "$@" --where 'noise_dba < 42.9'
says out '^Best  gpu\[0\]\.power-limit=(19|20|21)0W, gpu\[1\]\.power-limit=150W$' "is found there"
of 1 "a limit that no case keeps that was computed" valleys.xml "$@" --where 'noise_dba < 40'
says out '^No case was found that keeps all limits with a probability of 50 %' "is told as that"
says out '^    noise_dba < 40: if it gives by [0-9.]+ dBA, the other limits can be kept$' "what it gives is not said to be the least"
of 1 "all cases" valleys.xml "$@" --where 'noise_dba < 40' --most 441
says out '^No case keeps all limits' "leave no doubt"
says out '^    noise_dba < 40: if it gives by 2\.6[0-9]* dBA at least' "and tell the least"
for most in 20 33; do
    of 1 "at most $most cases" valleys.xml "$@" --where 'noise_dba < 40' --most $most --json
    says out "^ \"cases\": $most," "are computed"
    says out '"complete": false' "they are not all"
done

# ---- ranges and lists ----
steps() { # NAME RANGE VALUES: a search over RANGE computes VALUES cases
    ask 0 "$1" --over "$2" --min gpus.power_mean_w --json
    says out "^ \"cases\": $3," "$1: $3 values"
}
steps "a sixtieth that is a power of ten" 'fan[0].speed=700rpm:1300rpm' 61
steps "one of seven" 'fan[0].speed=700rpm:1120rpm' 43
steps "one in percent" 'gpu.fan=40%:100%' 61
steps "a list in two units" 'gpu.power-limit=200W,250W,0.3kW' 3
says out '"values": \["200W"\]' "has no order"
steps "values of one character" 'gpu.lanes=4,8' 2
steps "a path from the chassis" 'chassis.gpu[*].power-limit=200W,300W' 2
for range in 300W:300W 200W:350W:10K 1W:1e9W:1W; do
    ask 2 "the range $range" --over "gpu.power-limit=$range" --max gpus.work_rel
    says err "^wattsink: --over 'gpu\.power-limit=$range': expected two different ends in one unit" "$range is told"
done
ask 3 "a quote that does not end" --over 'workload.class="training,decode' --max gpus.work_rel
ask 0 "parts below a limit" --over 'psu=psu/*[rated<700W]' --min energy.wall_kwh --where 'sum(gpus.work_rel) > 0.1' --json
says out '"set": \["psu=psu/' "are a choice"
ask 0 "parts by a number without unit" --over 'psu=psu/*[efficiency-50>0.945]' --min energy.wall_kwh --where 'sum(gpus.work_rel) > 0.1' --json
says out '"set": \["psu=psu/' "are a choice too"
ask 3 "a number with something behind it" --over 'psu=psu/*[efficiency-50>0.9x]' --min energy.wall_kwh --where 'sum(gpus.work_rel) > 0.1'
says err 'no part of the catalogue passes' "passes nothing"

# ---- cards ----
for over in 'gpu[*].count=1:3' 'gpu[*].slot'; do
    of 2 "no cards: $over" load.xml --over "$over" --min noise_dba
    says err 'cards of (the catalogue in )?one chassis' "$over is refused"
done
ask 3 "numbers of cards that are none" --over 'gpu[*].count=0,65,2x' --max gpus.work_rel
says err 'takes none of these numbers' "are told"
sed 's| power-limit="[^"]*"||; s|<gpu part="[^"]*"|<gpu tdp="285 W" slots="2" clock-max="2610 MHz" clock-knee="2580 MHz" voltage-slope="0.7 1/GHz"|; /<gpu/s|/>|><cooler kind="blower" conductance="9 W/K" flow="20 CFM" capacity="650 J/K" drop="110 Pa" fans="1" diameter="70 mm" fan-pressure="420 Pa" fan-flow="36 CFM" fan-rpm="4800 rpm" rpm-min="1400 rpm" rpm-max="4800 rpm"/></gpu>|' "$rig" >bare.xml
of 2 "a number of cards without a part" bare.xml --over 'gpu[*].count=1:2' --max gpus.work_rel
says err 'cards of the catalogue' "is refused"
of 0 "a place of such a card" bare.xml --over 'gpu[*].slot' --max gpus.work_rel --json
says out '"cases": [1-9]' "is found"
cooled() { # CONDUCTANCE of the second card's cooler
    cat <<END
<rig name="Two"><site supply="230 V" circuit="16 A"><room temperature="22 degC"/></site>
  <chassis part="chassis/fractal-define-7-xl"><psu part="psu/tier-gold-1000"/>
    <gpu part="gpu/rtx-3090" slot="1"><cooler kind="open-air" conductance="9 W/K"/></gpu>
    <gpu part="gpu/rtx-3090" slot="5"><cooler kind="open-air" conductance="$1"/></gpu></chassis>
  <workload kind="inference" class="training" gpus="all"/><run for="1 h" step="1 s"/></rig>
END
}
cooled '9 W/K' >alike.xml
cooled '7 W/K' >differ.xml
of 0 "cards with coolers alike" alike.xml --over 'gpu[*].fan=50%,60%' --min 'max(gpus.die_max_c)' --json
[ "$(grep -o '"setting": "gpu\[[^"]*fan"' out | sort -u | wc -l)" = 1 ] && pass "share a setting" || fail "share a setting" "$(grep -o '"setting": "[^"]*"' out; cat err)"
of 0 "cards with coolers that differ" differ.xml --over 'gpu[*].fan=50%,60%' --min 'max(gpus.die_max_c)' --json
[ "$(grep -o '"setting": "gpu\[[01]\]\.fan"' out | sort -u | wc -l)" = 2 ] && pass "have one each" || fail "have one each" "$(grep -o '"setting": "[^"]*"' out; cat err)"

# Fans of one price share a setting; more than 40 settings are refused.
fans() { seq "$1" | sed 's|.*|<fan part="fan/generic-120-1500" at="front" price="& USD"/>|' | tr -d '\n'; }
sed "s|<fan [^>]*at=\"front\".*|$(fans 17)|" "$rig" >fans.xml
of 0 "fans of 17 prices" fans.xml --over 'fan[*].speed=700rpm,900rpm' --min noise_dba --where 'gpus.work_rel > 0.1' --most 8 --json
[ "$(grep -o '"setting": "fan[^"]*"' out | sort -u | wc -l)" = 18 ] && pass "have a speed each" || fail "have a speed each" "$(grep -o '"setting": "[^"]*"' out)"
sed "s|<fan [^>]*at=\"front\".*|$(fans 42)|" "$rig" >fans.xml
of 2 "fans of 42 prices" fans.xml --over 'fan[*].speed=700rpm,900rpm' --min noise_dba
says err '^wattsink: --over: more than 40 settings$' "are too many"

# Further cards are copies of the last one, with all that the rig states for it and for its cooler.
copied() { # CARDS: the cards of the rig
    printf '<rig name="t"><site><room temperature="22 degC"/></site><chassis part="chassis/full-tower-8-slot"><fan part="fan/generic-120-1500" at="front" count="3"/>'
    printf '<psu part="psu/evga-1600-p2"/><cpu part="cpu/generic-desktop"/>%s</chassis><workload kind="constant" class="decode"/><run for="1 h"/></rig>\n' "$1"
}
card() { printf '<gpu part="gpu/rtx-3090" slot="%s" lock-clock="1300 MHz" price="700 USD"><cooler kind="open-air" conductance="7 W/K"/></gpu>' "$1"; }
copied "$(card 1)" >one.xml
of 0 "a second card" one.xml --over 'gpu[*].count=1,2' --max 'sum(gpus.clock_mean_mhz)' --max purchase --max gpus.die_max_c --json
said=$(sed -n 's/.*"best": .*"command": "\(wattsink run [^"]*\)".*/\1/p' out)
slot=$(echo "$said" | sed -n "s/.*'gpu\[1\]\.slot=\([0-9]*\)'.*/\1/p")
copied "$(card 1)$(card "$slot")" >both.xml
sums() { sed -nE '/"(clock_mean_mhz|die_max_c|purchase)":/s/^ *//p' "$1/summary.json"; }
eval "\"$wattsink\" ${said#wattsink} -o copy" >out 2>err && "$wattsink" run both.xml --leap -q -o both >out 2>err
[ -n "$slot" ] && [ "$(sums copy)" = "$(sums both)" ] && pass "the added card is a copy of the first" || fail "the added card is a copy of the first" "$(sums copy; sums both; cat err)"

# ---- curves and hours ----
ask 0 "the curve of a card's own fan" --set run.for=2h --over gpu.fan-curve --min noise_dba --where 'gpus.die_max_c < 80 degC' --probability 50%
says out '^Best  gpu\.fan-curve@40 degC=[0-9]+ rpm, .*gpu\.fan-curve@85 degC=[0-9]+ rpm$' "has its speeds"
set -- $(sed -n 's/^Best //p' out | grep -o '=[0-9]*' | tr -d =)
[ $# = 4 ] && [ "$1" -le "$2" ] && [ "$2" -le "$3" ] && [ "$3" -le "$4" ] && pass "the speeds of the curve do not fall" || fail "the speeds of the curve do not fall" "$*"
sed 's/<gpu [^>]*>/<gpu part="gpu\/l4" slot="1"\/>/' "$rig" >still.xml
of 2 "of a card without one" still.xml --over gpu.fan-curve --min noise_dba
says err 'no card has a fan of its own' "is told"
sed 's/.*<tariff.*/<tariff price="0.3 USD\/kWh"\/>/' "$top/scenarios/time-of-use-night/always.xml" >flat.xml
of 0 "hours under a tariff of one price" flat.xml --set run.for=1d --over workload.load-curve --min cost.annual --where 'work.done > 18 GPU-h' --probability 50%
says out '^Best  workload\.load-curve=0-5 h$' "are those after midnight, in one piece"

# ---- overloads and trips ----
quad=$top/scenarios/quad-3090-blower/rig.xml
# Four cards of 350 W are too much for a PSU of 850 W and for one of 1000 W: run calls both TOO SMALL.
supplies='psu=psu/evga-supernova-850-t2,psu/evga-supernova-1000-t2'
of 0 "the cheapest PSU" "$quad" --over "$supplies,psu/tier-gold-1600" --min owning.annual --where 'sum(gpus.work_rel)>3'
says out '^Best  psu=psu/tier-gold-1600$' "the best PSU carries the cards"
says out '^    psu=psu/tier-gold-1600$' "and none that trips is as good"
of 0 "PSUs that all are too small" "$quad" --over "$supplies" --min owning.annual --where 'sum(gpus.work_rel)>3' --json
says out '"burden": "trip"' "are told as that"
# The circuit carries these cards at 290 W, and at 300 W is above its continuous limit for most of the time.
of 0 "a limit that the circuit carries" "$quad" --over 'gpu[*].power-limit=260W,290W,320W,350W' --min cost_per_work --json
says out '"best": .*power-limit=290W"' "is the best"
lacks out '"high": "3[25]0W"' "one that it does not carry is not as good"
of 0 "limits that overload it" "$quad" --over 'gpu[*].power-limit=320W,335W,350W' --min cost_per_work
says out '^No case was found within the limits in which nothing is overloaded\.' "are told as that"
of 0 "a question about the load itself" "$quad" --over 'gpu[*].power-limit=320W,335W,350W' --min cost_per_work --where 'circuit.over_limit_s > 1' --json
says out '"burden": null' "is answered as asked"
of 0 "two goals under it" "$quad" --over 'gpu[*].power-limit=260W,290W,320W,350W' --max work.done --min cost_per_work --json
if sed -n '/"front"/,$p' out | grep -q 'power-limit=3[25]0W'; then fail "have no overload on the front" "$(sed -n '/"front"/,$p' out)"; else pass "have no overload on the front"; fi

# ---- files that are given ----
printf 'id,price,date\ngpu/rtx-3090-open-air, 900 EUR, 2026-10-01\n' >"my prices.csv"
mkdir -p files
ask 0 "prices, data and exchange" --over "$limits" --max gpus.work_rel --for 1h --prices 'my prices.csv' --data files --exchange EUR=1.1USD
command=$(sed -n 's/^wattsink run/run/p' out)
case $command in *"--prices 'my prices.csv' --data 'files' --exchange 'EUR=1.1USD'"*) pass "are in the command" ;; *) fail "are in the command" "$command" ;; esac
eval "exits 0 'it runs' '$wattsink' $command -q -o run.out"
cp "my prices.csv" kept.csv
for option in -o --cases; do
    ask 2 "$option over the prices" --over "$limits" --max gpus.work_rel --prices 'my prices.csv' $option './my prices.csv' --force
    says err 'is the file of --prices; expected another file' "is told"
    cmp -s 'my prices.csv' kept.csv && pass "and the prices are kept" || fail "and the prices are kept"
done
exits 2 "a table over the prices" "$wattsink" sweep "$rig" --vary "$limits" -q --prices 'my prices.csv' -o './my prices.csv' --force
cmp -s 'my prices.csv' kept.csv && pass "and they are kept too" || fail "and they are kept too"
ask 2 "-o and --cases name one file" --over "$limits" --max gpus.work_rel -o same --cases same
says err 'are the same file, same; expected two' "is told"

# ---- work that cannot be compared ----
# A GPU-hour is the work of a card at its own limit, so counted in GPU-hours a small card does as much as a large one.
cards='gpu.part=gpu/rtx-3090-open-air,gpu/rtx-4090'
for goal in '--max work.done' '--min cost_per_work' '--min owning.per_work' '--max sum(gpus.work_rel)'; do
    ask 2 "${goal#--} of unlike cards" --over "$cards" "${goal%% *}" "${goal#* }" --for 1h
    says err 'No case is the best by .*: GPU-hours of GeForce RTX 3090 and of GeForce RTX 4090 are different amounts of work\.' "is not compared"
done
ask 2 "a filter of unlike cards" --over 'gpu.part=gpu/*[tdp<350W]' --max work.done --for 1h
says err 'GPU-hours of .* are different amounts of work' "is not compared"
ask 2 "work as the second goal" --over "$cards" --min noise_dba --max work.done --for 1h
ask 0 "the noise of unlike cards" --over "$cards" --min noise_dba --for 1h
ask 0 "one kind of cards by two coolers" --over gpu.part=gpu/rtx-3090-open-air,gpu/rtx-3090-blower --max work.done --for 1h
says out '^(Best|Easiest to set) ' "does comparable work"
sed 's|<workload |<workload rate="30" unit="tokens" |' "$rig" >counts.xml
of 2 "one rate for two cards" counts.xml --over "$cards" --max work.count --for 1h
says err 'GeForce RTX 3090 and GeForce RTX 4090 have the rate of one card' "is not taken for both"
model='<workload model="model/llama-3.1-8b" quant="Q4_K_M" kind="inference" '
sed "s|<workload .*|$model/>|; /<\/workload>/d" "$rig" >serves.xml
of 0 "tokens of a model" serves.xml --over "$cards" --max tokens.generation_per_s --for 1h
says out '^Best +gpu\.part=gpu/rtx-4090' "are compared"
# The law of tokens errs, too: a rate of 107 with its +-20 % (80 % of cases) is 16.4 uncertain, as one standard deviation.
of 0 "a limit of tokens" serves.xml --over gpu.power-limit=330W,350W --min gpus.power_mean_w --where 'tokens.generation_per_s > 60' --for 1h --json
sed -n 's/.*"uncertainty": {"goals": \[[^]]*\], "limits": \[\([0-9.]*\).*/\1/p' out | head -n 1 >doubt
if awk '{ exit !($1 > 14 && $1 < 20) }' doubt && [ -s doubt ]; then pass "has the error of the law"; else fail "has the error of the law" "$(cat doubt)"; fi
of 1 "a limit that the law does not tell with 80 %" serves.xml --over gpu.power-limit=330W,350W --min gpus.power_mean_w --where 'tokens.generation_per_s > 95' --for 1h
# Prices below zero: with less work the cost of work looks lower.
awk 'BEGIN { print "time,price_usd_per_mwh"; for (h = 0; h < 24; h++) printf "2026-08-03T%02d:00:00,-300\n", h }' >negative.csv
sed 's|<tariff[^>]*/>|<tariff kind="spot" file="negative.csv"/>|; s|<run [^>]*/>|<run from="2026-08-03T00:00:00" zone="UTC" for="1 h" step="1 s"/>|' "$rig" >negative.xml
for goal in cost_per_work 'cost.run / work.done'; do
    of 1 "$goal below zero" negative.xml --over "$limits" --min "$goal" -o never.xml
    says out '^No case is the best by .*: with gpu\.power-limit=200W the electricity has a negative cost, so that less work looks better\.$' "has no best case"
    lacks out '^Best' "and names none"
    absent never.xml "nor writes one"
done
of 1 "in JSON" negative.xml --over "$limits" --min cost_per_work --max work.done --json
says out '"no_best": "negative-cost"' "says why"
says out '"best": null' "and names none"
of 0 "a bill below zero" negative.xml --over "$limits" --min cost.run --where 'work.done > 0.5 GPU-h'
says out '^Best' "is compared"
sed '0,/<gpu slot="1"/s//<gpu limit-schedule="0:00:250 W, 8:00:300 W" slot="1"/' two-cards.xml >scheduled.xml
exits 0 "a setting without effect" "$wattsink" optimise scheduled.xml --over 'gpu[*].power-limit=200W:300W' --min gpus.power_mean_w --most 8 --for 1h
[ "$(grep -c 'power-limit has no effect: limit-schedule=.* of gpu0 overrides it' err)" = 1 ] && pass "is told once" || fail "is told once" "$(cat err)"

# A model of 70 billion weights does not fit into one card of 32 GiB, whatever its limit; nothing trips.
large=$top/scenarios/llama-70b-2x3090/one-5090.xml
of 0 "a model that does not fit" "$large" --over gpu.power-limit=400W,500W --max gpus.clock_mean_mhz --for 10min
says out '^No case was found within the limits in which the language model fits into the memory of the cards and nothing would trip[.] ' "is told"
lacks out 'would trip or shut down from heat[.] The best of the others' "and no trip"
of 0 "the same as JSON" "$large" --over gpu.power-limit=400W,500W --max gpus.clock_mean_mhz --for 10min --json
says out '"burden": "memory", "found": true' "has the same"
exit $status
