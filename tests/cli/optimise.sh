#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/helpers.inc"
rig=$top/scenarios/single-3090/rig.xml
limits='gpu.power-limit=200W:350W'
ask() {
    code=$1 name=$2
    shift 2
    exits "$code" "$name" "$wattsink" optimise "$rig" -q "$@"
}

ask 2 "nothing to change" --min noise_dba
ask 2 "no goal" --over "$limits"
ask 2 "a price without work" --over "$limits" --min cost.run
says err 'how much work' "asks for it"
ask 2 "an unknown key" --over "$limits" --max gpus.work_rl
says err "did you mean 'gpus.work_rel'" "has a suggestion"
ask 2 "a unit of something else" --over "$limits" --max gpus.work_rel --where 'noise_dba < 50 W'
says err "does not fit" "is refused"
ask 2 "a number that is a condition" --over "$limits" --max gpus.work_rel --where 'noise_dba'
ask 2 "a range without ends" --over gpu.power-limit=200W:200W --max gpus.work_rel
ask 2 "a range without a value" --over gpu.power-limit= --max gpus.work_rel
ask 3 "a path to nothing" --over gpu.power-limt=200W:300W --max gpus.work_rel
says err 'did you mean "gpu.power-limit"' "has a suggestion too"
ask 3 "watts that no card takes" --over gpu.power-limit=9kW:10kW --max gpus.work_rel
ask 3 "a result that the rig does not have" --over "$limits" --max tokens.generation_per_s
ask 2 "a probability of one" --over "$limits" --max gpus.work_rel --probability 1
ask 2 "no file to resume" --over "$limits" --max gpus.work_rel --resume
ask 2 "four goals" --over "$limits" --min noise_dba --min carbon_kg --min energy.wall_kwh --max gpus.work_rel

# A card draws its power limit except during checkpoints, so the lowest limit has the least mean power, and the highest
# limit with a mean power below 265 W is 260 W.
value() { sed -n "s/.*\"$1\": {\"set\": \[\"[^\"]*=\([0-9.]*\)W\".*/\1/p" out; }
ask 0 "the least power" --over 'gpu.power-limit=200W:350W:10W' --min gpus.power_mean_w --where 'gpus.work_rel > 0.2' \
    --probability 50% --json
[ "$(value best)" = 200 ] && pass "is at the low end" || fail "is at the low end" "$(grep '"best"' out)"
ask 0 "the most clock" --over 'gpu.power-limit=200W:350W:10W' --max gpus.clock_mean_mhz --where 'gpus.power_mean_w < 265 W' \
    --probability 50% --json
w=$(value best)
[ "$w" = 260 ] && pass "is at the highest limit whose power is below" || fail "is at the highest limit whose power is below" "$w"
ask 0 "the same, more surely" --over 'gpu.power-limit=200W:350W:10W' --max gpus.clock_mean_mhz \
    --where 'gpus.die_max_c < 78 degC' --probability 50% --json
half=$(value best)
ask 0 "with a probability of 90 %" --over 'gpu.power-limit=200W:350W:10W' --max gpus.clock_mean_mhz \
    --where 'gpus.die_max_c < 78 degC' --probability 90% --json
[ "$(value best)" -lt "$half" ] && pass "the best limit is lower than at 50 %" || fail "the best limit is lower than at 50 %" "$(value best), $half"
ask 1 "limits that conflict" --over "$limits" --max gpus.work_rel --where 'gpus.power_mean_w < 150 W'
says out 'gpus.power_mean_w < 150 W: if it gives by (4[0-9]|5[0-9]|6[0-9])' "tells by how much it must give"
ask 0 "two goals" --over "$limits" --min gpus.power_mean_w --max gpus.work_rel --json
[ "$(grep -c '^  {"set"' out)" -gt 10 ] && pass "have a front" || fail "have a front" "$(cat out)"
ask 0 "a range of many steps" --over 'gpu.power-limit=150W:350W:2W' --min gpus.power_mean_w --max gpus.work_rel
all=$(sed -n 's/^Pareto front, [0-9]* of its \([0-9]*\) cases.*/\1/p' out) rows=$(grep -cE '^ .* W .*[0-9]W$' out)
[ "${all:-0}" -gt 20 ] && [ "$rows" -ge 10 ] && [ "$rows" -le 20 ] && pass "shows a front that can be read" || fail "shows a front that can be read" "$rows of $all: $(cat out)"
exits 0 "cards that differ" "$wattsink" optimise "$top/scenarios/quad-3090-blower/rig.xml" -q --set 'gpu[1].power-limit=150W' \
    --over 'gpu[*].power-limit=200W:260W:20W' --min 'sum(gpus.power_mean_w)' --where 'sum(gpus.work_rel) > 0.2' --json
[ "$(grep -o '"setting"' out | wc -l)" = 1 ] && pass "in their limits alone are one group" || fail "in their limits alone are one group" "$(cat out)"

ask 1 "limits of which no one is the reason alone" --over "$limits" --max gpus.work_rel --where 'gpus.power_mean_w < 150 W' --where 'noise_dba < 20 dBA' --json
[ "$(grep -c '"gives_together_by": [1-9]' out)" = 2 ] && pass "both limits must be relaxed" || fail "both limits must be relaxed" "$(cat out)"
exits 0 "a rig from standard input" sh -c 'exec "$0" optimise - -q --over "gpu.power-limit=200W,250W" --min gpus.power_mean_w <"$1"' "$wattsink" "$top/scenarios/own-card/rig.xml"
lacks out 'wattsink run' "has no command to run it again"
ask 0 "values without order" --over 'gpu.power-limit=300W,0.3kW' --min gpus.power_mean_w --where 'gpus.work_rel > 0.2' --json
says out '"values": \["300W", "0.3kW"\]' "that are the same are both told"
ask 0 "values without order that differ" --over 'gpu.power-limit=200W,300W' --min gpus.power_mean_w --where 'gpus.work_rel > 0.1' --probability 50% --json
says out '"values": \["200W"\]' "are told apart"
# More cards do more work. Each card draws 300 W and the rest less than 200 W, so two fit under 900 W and one under 500
# W.
ask 0 "a number of cards" --over 'gpu[*].count=1:3' --max 'sum(gpus.work_rel)' --where 'circuit.wall_peak_w < 900 W' --probability 50% --json
says out '"best": .*"gpu\+=gpu/rtx-3090-open-air' "adds a second one"
ask 0 "fewer of them" --over 'gpu[*].count=1:3' --max 'sum(gpus.work_rel)' --where 'circuit.wall_peak_w < 500 W' --probability 50% --json
says out '"best": .*"set": \["gpu\[0\].slot=1"\]' "stays at one"
if command -v gnuplot >/dev/null; then
    ask 0 "a picture of three goals" --over 'gpu.power-limit=200W:350W:50W' --min noise_dba --max gpus.work_rel --min cost_per_work --format svg -o f.xml
    [ -s f.plots/pareto.svg ] && pass "is drawn" || fail "is drawn" "$(ls)"
    says f.plots/pareto.csv '^1,' "has its cases"
fi
ask 2 "a picture of one goal" --over "$limits" --min noise_dba --format svg -o f.xml

ask 0 "parts by a filter" --over 'psu=psu/*[rated>1300W]' --min circuit.wall_peak_w --where 'gpus.work_rel > 0.5' --json
part=$(sed -n 's/.*"best": {"set": \["psu=\([^"]*\)".*/\1/p' out)
rated=$("$wattsink" steady "$rig" -q --json --set "psu=$part" | sed -n 's/.*"rated_w": \([0-9]*\).*/\1/p')
[ "${rated:-0}" -gt 1300 ] && pass "the chosen PSU has more than 1300 W" || fail "the chosen PSU has more than 1300 W" "$part $rated"
ask 2 "a damaged filter" --over 'psu=psu/*[rated>' --min circuit.wall_peak_w --where 'gpus.work_rel > 0.5'
ask 3 "a filter that nothing passes" --over 'psu=psu/*[rated>900kW]' --min circuit.wall_peak_w --where 'gpus.work_rel > 0.5'
# Two open-air cards that touch take each other's exhaust, and are cooler apart.
exits 0 "places" "$wattsink" optimise "$top/scenarios/spacing/two-open-air.xml" -q --over 'gpu[*].slot' \
    --min gpus.die_mean_c --where 'sum(gpus.work_rel) > 0.5' --probability 50% --json
set -- $(sed -n 's/.*"best": {"set": \["gpu\[0\].slot=\([0-9]*\)", "gpu\[1\].slot=\([0-9]*\)".*/\1 \2/p' out)
[ $# = 2 ] && [ $(($2 - $1)) -ge 4 ] && pass "are apart" || fail "are apart" "$*"
ask 2 "a curve without a sensor" --over 'chassis.fan[*].curve' --min noise_dba
says err "sensor=gpu" "says how to follow one"
ask 0 "a curve" --set 'fan[*].sensor=gpu' --over 'chassis.fan[*].curve' --min gpus.die_max_c --probability 50% --json
sed -n 's/.*"best".*curve=\([^"]*\)".*/\1/p' out | head -1 | tr ',' '\n' | sed 's/.*:\([0-9]*\)%/\1/' >points
[ "$(wc -l <points)" = 4 ] && sort -nc points && pass "the speeds of the curve do not fall" || fail "the speeds of the curve do not fall" "$(cat points)"

# On a tariff that is cheapest from midnight to six, the cheapest schedule begins at midnight and has as few hours as
# suffice for the work. Four cards at about 0.9 of their throughput do 22 GPU-hours in six hours.
exits 0 "hours" "$wattsink" optimise "$top/scenarios/time-of-use-night/always.xml" -q --set 'run.for=1d' \
    --over workload.load-curve --min cost.annual --where 'work.done > 18 GPU-h' --probability 50% --json
says out '"best": .*load-curve=0 h:100 %, 4.98 h:100 %, 5 h:0 %, 23.98 h:0 %"' "are the five after midnight"
hours() {
    name=$1
    shift
    exits 0 "$name" "$wattsink" optimise "$top/scenarios/time-of-use-night/always.xml" -q --set 'run.for=1d' --over workload.load-curve \
        --min cost.annual --where 'work.done > 18 GPU-h' --json "$@"
}
hours "hours whose cases are kept" --cases h.cases
cp out whole
grep -v '^doubt' h.cases | head -n 20 >half.cases
hours "half of them" --cases half.cases --resume
cmp -s out whole && pass "give the same hours" || fail "give the same hours" "$(diff out whole | head -5)"
exits 0 "a load by the price of the hour" "$wattsink" optimise "$top/scenarios/time-of-use-night/always.xml" -q --for 1d --most 24 \
    --over workload.load-curve=0%:100%:25% --min cost.run --where 'work.done > 30 GPU-h' --probability 50% --json
set -- $(sed -n 's/.*"best": .*load-curve=0 h:\([0-9]*\)%.* 16 h:\([0-9]*\)%.*/\1 \2/p' out | head -1)
[ $# = 2 ] && [ "$1" -gt "$2" ] && pass "is higher at night" || fail "is higher at night" "$(head -c 600 out)"
# With a charge for the highest power, half the load all day is cheaper than full load for half of the day, for the
# same work.
sed 's|<tariff .*/>.*|<tariff kind="flat" price="0.10 USD/kWh"><demand price="20 USD/kW" window="15 min"/></tariff>|' \
    "$top/scenarios/time-of-use-night/always.xml" >demand.xml
demand="--for 1d --min cost.run --probability 50% --json"
exits 0 "hours under a demand charge" "$wattsink" optimise demand.xml -q $demand --over workload.load-curve --where 'work.done > 44 GPU-h'
hours=$(sed -n 's/.*"best": .*"run": {"goals": \[\([0-9.]*\)\].*/\1/p' out)
exits 0 "a load under it" "$wattsink" optimise demand.xml -q $demand --over workload.load-curve=0%:100%:5% --where 'work.done > 44 GPU-h'
load=$(sed -n 's/.*"best": .*"run": {"goals": \[\([0-9.]*\)\].*/\1/p' out)
[ -n "$load" ] && awk -v a="$load" -v b="$hours" 'BEGIN { exit !(a < 0.9 * b) }' && pass "costs less" || fail "costs less" "$load $hours"
ask 3 "hours without a load curve" --over workload.load-curve --max work.done

question="--over gpu.power-limit=200W:350W --over fan[0].speed=500rpm:2000rpm:100rpm --min cost_per_work"
ask 0 "one thread" $question --where 'gpus.work_rel > 0.8' -j 1 --json --cases a.cases -o a.xml
cp out one
ask 0 "two threads" $question --where 'gpus.work_rel > 0.8' -j 2 --json
cmp -s out one && pass "say the same" || fail "say the same" "$(diff out one | head -5)"
ask 3 "a file that is there" $question --where 'gpus.work_rel > 0.8' --cases a.cases
ask 3 "a file of another question" $question --where 'gpus.work_rel > 0.9' --cases a.cases --resume
# A program that is killed while it writes may leave a last line without an end.
lines=$(wc -l <a.cases)
head -n $((lines / 2)) a.cases >b.cases
sed -n "$((lines / 2 + 1))p" a.cases | head -c 30 >>b.cases
ask 0 "half of the cases" $question --where 'gpus.work_rel > 0.8' --json --cases b.cases --resume
cmp -s out one && pass "give the same answer" || fail "give the same answer" "$(diff out one | head -5)"
cmp -s a.cases b.cases && pass "and the same file" || fail "and the same file" "$(diff a.cases b.cases | head -c 300)"
exits 0 "the rig that is written" "$wattsink" steady a.xml -q --json
says out "\"rig\": \"One RTX 3090" "runs"

"$wattsink" optimise "$rig" -q $question --where 'gpus.work_rel > 0.8' --cases k.cases >/dev/null 2>&1 &
pid=$!
while ! [ -s k.cases ] || [ "$(wc -l <k.cases)" -lt 20 ]; do kill -0 $pid 2>/dev/null || break; done
kill -9 $pid 2>/dev/null
wait $pid 2>/dev/null
ask 0 "after a kill" $question --where 'gpus.work_rel > 0.8' --json --cases k.cases --resume
cmp -s out one && pass "the same answer" || fail "the same answer" "$(diff out one | head -5)"
exit $status
