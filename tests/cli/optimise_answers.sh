#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The search for the best settings: its answer as text and as JSON say the same, costs and steps follow from each other,
# and each wrong question has its message.
. "$(dirname "$0")/helpers.inc"
. "$top/tests/cli/optimise.inc"
holds() { if awk "BEGIN { exit !($1) }"; then pass "$2"; else fail "$2" "$1"; fi; }
goal() { sed -n "s/.*\"$1\": {\"goals\": \[\([-0-9.e+]*\).*/\1/p" out | head -n 1; } # first goal of the rig (as_is) or of the best settings (run)
refused() { # NAME PATTERN ARGUMENTS...
    name=$1 pattern=$2
    shift 2
    ask 2 "$name" "$@"
    says err "$pattern" "$name: is told"
}

# ---- text and JSON ----
set -- --over "$limits" --max gpus.clock_mean_mhz --where 'gpus.die_max_c < 76 degC' --where 'gpus.work_rel > 0.2'
ask 0 "an answer as JSON" "$@" --json
best=$(sed -n 's/.*"best": {"set": \["\([^"]*\)"\].*/\1/p' out)
command=$(sed -n 's/.*"simplest": .*"command": "\([^"]*\)".*/\1/p' out)
ask 0 "the same as text" "$@"
says out "^Best  $best\$" "names the same setting"
says out '^Limits, each kept with a probability of 80 %' "names the limits"
says out '^    gpus.die_max_c < 76 degC: .* K away, \+-.*; 2 K tighter (lowers gpus.clock_mean_mhz by|costs nothing|cannot be kept)' \
    "tells what a tighter limit costs"
[ -n "$command" ] && [ "$(grep '^wattsink run' out)" = "$command" ] && pass "has the same command" ||
    fail "has the same command" "$command: $(cat out)"
ask 0 "a limit that cannot be tighter" --over 'gpu.power-limit=200W,300W' --min gpus.power_mean_w --where 'gpus.power_mean_w < 206 W'
says out '; 1[0-9](\.[0-9])? W tighter cannot be kept$' "says so"
ask 0 "a minimum whose limit binds" --over 'gpu.power-limit=200W:350W:10W' --min gpus.power_mean_w --where 'gpus.work_rel > 0.7' --probability 50%
says out '[0-9] tighter raises gpus.power_mean_w by 10.0 W$' "costs the power of a step"
keys() { grep -o '"[a-z_]*":' out | tr -d '":' >>keys; }
bound() { sed -n 's/.*"goal_grows_by": \(-*[0-9]\).*/\1/p' out | head -n 1; }
ask 0 "the same as JSON" --over 'gpu.power-limit=200W:350W:10W' --min gpus.power_mean_w --where 'gpus.work_rel > 0.7' --probability 50% --json
keys
case $(bound) in [1-9]) pass "by which the goal grows" ;; *) fail "by which the goal grows" "$(cat out)" ;; esac
of 0 "a maximum whose limit binds" two-cards.xml --parts "$top/parts" --for 1h --over 'gpu[*].power-limit=150W:350W:25W' --max gpus.clock_mean_mhz \
    --where 'gpus.die_max_c < 76' --json
case $(bound) in -[1-9]) pass "the goal falls" ;; *) fail "the goal falls" "$(cat out)" ;; esac
ask 0 "values without order as JSON" --over 'gpu.power-limit=300W,0.3kW' --min cost.annual --max work.done --json
keys
lost=$(sort -u keys | while read -r key; do grep -qE -- "\`$key(\[\])?\`" "$top/docs/optimise.md" || echo "$key"; done)
[ -s keys ] && [ -z "$lost" ] && pass "every key of optimise --json is documented" || fail "every key of optimise --json is documented" "$lost"
ask 0 "values without order" --over 'gpu.power-limit=300W,0.3kW' --min gpus.power_mean_w
says out '^    gpu.power-limit=300W, 0.3kW$' "lists all that are as good"
ask 0 "a plateau" --over 'fan[*].speed=1000rpm:1200rpm:100rpm' --max gpus.work_rel
says out '^    fan\[1\].speed from 1000rpm to 1200rpm$' "is told by its ends"
ask 1 "limits that only give together" --over "$limits" --max gpus.work_rel --where 'gpus.power_mean_w < 150 W' \
    --where 'noise_dba < 20 dBA'
says out '^    With any one limit left out' "are told"
says out '^    noise_dba < 20 dBA relaxed by [0-9.]+ dBA$' "with what each must give"
# The printed command runs, although the file's name has a quote and the parts are the user's own.
mkdir parts parts/gpu && sed 's/RTX 3090/of mine/' "$top/parts/gpu/rtx-3090.xml" >parts/gpu/mine.xml
sed 's|part="gpu/[^"]*"|part="gpu/mine"|' "$rig" >"o'ne.xml"
of 0 "a name with a quote and parts" "o'ne.xml" --parts parts --over 'gpu.power-limit=250W,300W' --max gpus.clock_mean_mhz
command=$(sed -n 's/^wattsink run/run/p' out)
case $command in *"--parts 'parts'"*) pass "are in the command" ;; *) fail "are in the command" "$command" ;; esac
eval "exits 0 'it runs' '$wattsink' $command --for 10min -q -o run.out"

# A range with a step has the values that --vary makes of it: neither multiples of the step, nor an end that no step
# meets.
for range in 165W:285W:120W 170W:340W:60W 340W:170W:-60W; do
    ask 0 "the range $range" --over "gpu.power-limit=$range" --max gpus.clock_mean_mhz --for 30min
    "$wattsink" compare "$rig" -q --for 30min --vary "gpu.power-limit=$range" 2>err | sed -n 's/^\([0-9]*W\) .*/\1/p' | sort -u >varied
    says out "^Cases: $(wc -l <varied | tr -d ' ');" "has as many cases as --vary makes"
    says out "gpu.power-limit=$(sort -n varied | tail -n 1)\$" "of which the highest has the fastest clock"
done
exits 0 "steps that do not meet the end" "$wattsink" optimise "$rig" --over gpu.power-limit=170W:340W:60W --max gpus.clock_mean_mhz --for 30min
says err "--over 'gpu.power-limit=170W:340W:60W': the steps end at 290W, before 340W" "are told"

# ---- costs ----
# The purchase is written off over the years, so that its share falls with them and with the resale value.
set -- --over 'gpu.power-limit=250W,300W' --min owning.annual --where 'gpus.work_rel > 0.2' --json
for c in 0%:1 0%:2 100%:1; do
    ask 0 "the cost of a year (${c%:*}, ${c#*:})" "$@" --resale "${c%:*}" --years "${c#*:}"
    eval "own_$(echo "$c" | tr -dc 0-9)=$(goal as_is)"
done
# shellcheck disable=SC2154  # own_01, own_02 and own_1001 are set above
holds "($own_01 - $own_1001) / 2 - ($own_01 - $own_02) < 1e-6 * $own_01 && ($own_01 - $own_02) > 0" \
    "half of the loss in value is left when it takes twice as long"
ask 0 "the cost of the work" --over "$limits" --min owning.per_work --where 'gpus.work_rel > 0.2' --json
a=$(goal as_is) b=$(goal run)
# The best settings are those of the rig. The value as_is is of a run with --leap, the answer of a run by ticks, so they
# differ slightly.
holds "$b > 0 && $b <= $a * (1 + 1e-4)" "is at most that of the rig as it is"
sed 's|<tariff [^>]*/>|<tariff kind="flat" price="0.2 EUR/kWh"/>|' "$rig" >euro.xml
of 3 "prices in another currency than the bill" euro.xml --over 'gpu.power-limit=250W,300W' --min owning.annual --where 'gpus.work_rel > 0.2'
says err 'no case has a number for owning.annual' "give no sum"

# The cost of a year is that of the run, repeated. A note says so if the run lacks hours, days or seasons of a year.
year() { # NAME JSON TEXT TARIFF ARGUMENTS...
    sed "s|<tariff [^>]*/>|<tariff kind=\"time-of-use\">$4</tariff>|" "$rig" >year.xml
    name=$1 json=$2 text=$3
    shift 4
    set -- --over 'gpu.power-limit=250W,300W' --where 'gpus.work_rel > 0.2' "$@"
    of 0 "$name" year.xml "$@"
    if [ "$text" ]; then says out "$text" "is told"; else
        ! grep -q '^The cost of a year is' out && pass "is not told" || fail "is not told" "$(cat out)"; fi
    of 0 "$name as JSON" year.xml "$@" --json
    says out "\"year\": $json," "has it too"
}
peak='<period name="peak" from="16:00" to="21:00" price="0.5 USD/kWh"/><period name="off" price="0.2 USD/kWh"/>'
year "hours of a day" '"cut"' 'of this run of 2 h, repeated, although prices differ by the hour or the day of the week' "$peak" --for 2h --min owning.annual
year "whole days" null '' "$peak" --for 1d --min owning.annual
year "days of a week" '"cut"' 'of this run of 1 d, repeated, although prices differ by the hour' "$(echo "$peak" | sed 's/to="21:00"/& days="weekdays"/')" --for 1d --min cost.annual
year "a season" '"dated"' 'of this run of 1 d, repeated, although prices or weather depend on the date' \
    "$(echo "$peak" | sed 's/to="21:00"/& season="summer"/;s|^|<season name="summer" from="06-01" to="09-30"/>|')" --for 1d --min cost.annual
year "no cost of a year" null '' "$peak" --for 2h --min cost_per_work

# ---- the rig as it is ----
set -- --over 'gpu.power-limit=200W,300W' --min gpus.power_mean_w
ask 0 "a rig that draws more" "$@" --json
says out '"as_is_compared": "worse"' "is worse"
ask 0 "the same as text" "$@"
! grep -q 'the rig as it is, as far\|than the rig as it is\.' out && pass "says nothing of it" || fail "says nothing of it" "$(cat out)"
set -- --over 'gpu.power-limit=200W,250W' --max gpus.clock_mean_mhz
ask 0 "a rig that is faster than each case" "$@" --json
says out '"as_is_compared": "better"' "is better"
ask 0 "the same as text" "$@"
says out '^Each of these cases is worse than the rig as it is\.$' "says so"
ask 0 "a limit that the rig breaks" "$@" --where 'gpus.power_mean_w < 280 W' --json
says out '"as_is_compared": "breaks-limits"' "is told instead"
# All limits of the range cost about the same, so a simpler number is as good as the best, but it costs more than the rig
# as it is.
of 0 "a goal that is flat around the rig" "$top/scenarios/quad-3090-blower/rig.xml" --over 'gpu[*].power-limit=150W:350W:10W' \
    --min cost_per_work --for 2d --json
says out '"as_is_compared": "as-good"' "is as good as the best"
run=$(sed -n 's/.*"simplest": .*"run": {"goals": \[\([-0-9.e+]*\).*/\1/p' out)
holds "$run > 0 && $run <= $(goal as_is) * (1 + 2e-3)" "what is offered costs no more"
of 0 "the same as text" "$top/scenarios/quad-3090-blower/rig.xml" --over 'gpu[*].power-limit=150W:350W:10W' --min cost_per_work --for 2d
says out '^No case is better than the rig as it is, as far as the uncertainty tells\.$' "says so"
says out '^    the rig as it is$' "and lists it with what is as good"

# ---- the Pareto front ----
# Each row keeps the limits with its own uncertainty: a search over its settings alone, with the same limits, succeeds.
# The best case is the first row.
cat >mixed.xml <<'RIG'
<rig><site supply="230 V"><room volume="30 m3" conductance="40 W/K"><outdoor mean="20 degC" swing="5 K"/></room>
<tariff kind="flat" price="0.30 EUR/kWh"/></site>
<chassis part="chassis/mid-tower-mesh"><fan part="fan/generic-120-1500" at="front" count="2"/><fan part="fan/generic-120-1500" at="rear"/>
<psu part="psu/tier-gold-650"/><cpu part="cpu/generic-desktop"/><gpu part="gpu/rtx-4060-ti-16gb" slot="1"/><gpu part="gpu/arc-b580" slot="4"/></chassis>
<workload kind="constant" class="training"/><run for="1 d"/></rig>
RIG
front() {
    of "$1" "$2" mixed.xml --json --min noise_dba --min cost.annual --where 'sum(gpus.work_rel) > 1.8 and gpus.die_max_c < 85' \
        --where 'room.max_c < 36' --over "$3" --over "$4" --over "$5"
}
front 0 "two goals with limits" 'gpu[0].power-limit=110W:165W:5W' 'gpu[1].power-limit=110W:190W:5W' 'fan[0].speed=800rpm,1200rpm,1400rpm'
best=$(sed -n 's/.*"best": {"set": \["\([^}]*\)"\], .*/\1/p' out | sed 's/", "/|/g')
sed -n '/"front"/,$s/.*{"set": \["\([^}]*\)"\], .*/\1/p' out | sed 's/", "/|/g' >sets
[ "$(wc -l <sets)" -ge 2 ] && [ "$(head -n 1 sets)" = "$best" ] && pass "the best case is the first row" ||
    fail "the best case is the first row" "$best: $(cat sets)"
while IFS='|' read -r a b c; do front 0 "$a $b $c alone" "$a" "$b" "$c" </dev/null; done <sets

# A standing charge adds nothing to the ± of a cost.
standing() {
    cat >standing.xml <<RIG
<rig><site supply="230 V"><room temperature="24 degC"/><tariff kind="flat" price="0.30 EUR/kWh" standing-day="$1 EUR"/></site>
<chassis part="chassis/mid-tower-mesh"><fan part="fan/generic-120-1500" at="front" count="2"/><fan part="fan/generic-120-1500" at="rear"/>
<psu part="psu/tier-gold-650"/><cpu part="cpu/generic-desktop"/><gpu part="gpu/arc-b580" slot="4"/></chassis>
<workload kind="inference" class="decode" load-curve="0 h:100 %, 12 h:100 %, 12.01 h:0 %, 23.99 h:0 %"/>
<run from="2026-06-01T00:00:00" for="1 d"/></rig>
RIG
    of 0 "a year with $1 EUR a day" standing.xml --max work.done --where 'cost.annual < 6000 EUR' --over 'gpu.power-limit=150W,190W'
    sed -n 's/.* EUR away, +-\([0-9]*\);.*/\1/p' out >"standing$1"
}
standing 0
standing 9
[ -s standing0 ] && cmp -s standing0 standing9 && pass "have the same ±" || fail "have the same ±" "$(cat standing0), $(cat standing9)"

# ---- pictures ----
if command -v gnuplot >/dev/null; then
    ask 0 "a front of parts" --over 'psu=psu/tier-gold-1000,psu/tier-titanium-1200' --over "$limits" --max gpus.work_rel \
        --min gpus.die_max_c --format svg -o best
    [ -s best.plots/pareto.svg ] && pass "is drawn" || fail "is drawn" "$(ls; cat err)"
    says best.plots/pareto.csv '^1,.*"psu/tier-' "has the names of the parts"
    says best '<rig ' "the rig is written too"
    ask 0 "a front over a number" --over "$limits" --max gpus.work_rel --min gpus.die_max_c --format svg -o ./best.xml
    says best.plots/pareto.csv '^1,[^,]*,[^,]*,1,1,[01],[23][05]0,' "has the numbers"
fi
refused "a format that there is not" "no format 'gif'" --over "$limits" --max gpus.work_rel --min noise_dba --format gif -o x.xml
ask 1 "a rig that cannot be written" --over 'gpu.power-limit=250W,300W' --max gpus.work_rel -o nowhere/x.xml
says err 'nowhere/x.xml' "names the file"
cp "$rig" own.xml
answer() { # CODE NAME ARGUMENTS...
    code=$1 name=$2
    shift 2
    of "$code" "$name" own.xml --over 'gpu.power-limit=250W,300W' --max gpus.work_rel "$@"
}
for force in '' --force; do
    # shellcheck disable=SC2086  # unquoted: an option or nothing
    answer 2 "the rig itself as the place of the answer${force:+, by force}" -o ./own.xml $force
    says err '^wattsink optimise: -o \./own\.xml is the rig itself; expected another file' "is told"
done
cmp -s own.xml "$rig" && pass "the rig stays" || fail "the rig stays"
cp load.xml mine.xml
answer 3 "a file that is no answer" -o mine.xml --cases none.cases
says err '^wattsink: mine\.xml exists already and was not written by optimise; --force replaces it$' "is told"
cmp -s mine.xml load.xml && pass "it stays" || fail "it stays"
absent none.cases "nothing was tried"
answer 0 "by force" -o mine.xml --force
says mine.xml ' resolved="true"' "it is replaced"
answer 0 "over an earlier answer" -o mine.xml
exits 0 "the answer is a rig" "$wattsink" check mine.xml
mkdir folder.xml
answer 1 "a folder as the place of the answer" -o folder.xml
says err 'folder\.xml: Is a directory' "is told"
mkfifo pipe
cat pipe >through.xml &
reader=$!
answer 0 "a FIFO" -o pipe
if [ -p pipe ]; then wait $reader; else kill $reader; fi
cmp -s through.xml mine.xml && pass "gets the same answer" || fail "gets the same answer"

# ---- wrong questions ----
for w in 'probability 0.4' 'probability x' 'years 0' 'years 4y' 'resale 101%' 'jobs 0' 'seed -1' 'most 7' 'most 1e7'; do
    refused "--$w" "^wattsink optimise: --${w% *} '${w#* }': expected a number from" --over "$limits" --max gpus.work_rel "--${w% *}" "${w#* }"
done
refused "a step of nothing" 'expected two different ends' --over 'gpu.power-limit=200W:350W:0W' --max gpus.work_rel
refused "no path" 'expected PATH=LOW:HIGH' --over '=200W:350W' --max gpus.work_rel
refused "no range" 'expected PATH=LOW:HIGH' --over 'gpu.power-limit' --max gpus.work_rel
refused "too many settings" 'more than 40 settings' $(for i in 1 2 3 4 5 6 7 8 9 10 11; do echo '--over fan[*].curve'; done) \
    --set 'fan[*].sensor=gpu' --max gpus.work_rel
refused "a text as a goal" 'is no number' --over "$limits" --max rig
refused "no result of this name" "the summary has no key 'owning.monthly', did you mean|the summary has no key 'owning.monthly'" \
    --over "$limits" --min owning.monthly
refused "the beginning of a name" "no key 'noise'; there is 'noise_dba', 'noise_max_dba'" --over "$limits" --min noise
refused "the end of a name" "no key 'annual'; .*'cost\.annual'" --over "$limits" --min annual
for key in uncertainty verdict; do # the results of a study that only `run` makes
    grep -q "$key\." err && fail "no case has a number for $key" "$(cat err)" || pass "no case has a number for $key"
done
refused "too many limits" 'column' --over "$limits" --max gpus.work_rel \
    $(for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17; do echo '--where noise_dba<99'; done)
ask 3 "a number of cards that no slot takes" --over 'gpu[*].count=9,10,1.5,x' --max gpus.work_rel
says err 'takes none of these numbers' "is told"
for f in '[>3]' '[rated>]' '[rated]' 'rated>3]' '[rated>3'; do
    refused "the filter $f" 'expected a filter' --over "psu=psu/*$f" --max gpus.work_rel
done
ask 3 "no such family" --over 'psu=nothing/*' --max gpus.work_rel
ask 3 "a filter on what no part has" --over 'psu=psu/*[nothing>700W]' --max gpus.work_rel
ask 3 "a filter in a wrong unit" --over 'psu=psu/*[rated>700 K]' --max gpus.work_rel
sed 's/<tariff[^>]*>//' "$top/tests/cli/two-cards.xml" >unpriced.xml
of 3 "hours by a price that there is not" unpriced.xml --over 'gpu[*].limit-schedule=200W:300W:50W' --max gpus.work_rel
says err 'the hours are sorted by their price' "needs a tariff"
exits 2 "two rigs" "$wattsink" optimise "$rig" "$rig" --over "$limits" --max gpus.work_rel
exits 3 "no rig" "$wattsink" optimise nothing.xml --over "$limits" --max gpus.work_rel

# ---- ranges and lists ----
cases() { # COUNT NAME RANGE: the search for the least power tries this many values
    ask 0 "$2" --over "$3" --min gpus.power_mean_w --json
    says out "^ \"cases\": $1," "$2: $1 values"
}
cases 3 "a range with a step that does not meet its end" 'gpu.power-limit=205W:344W:50W'
cases 4 "a range whose ends are no multiples of five watts" 'gpu.power-limit=302W:311W'
cases 3 "watts have a step of five at least" 'gpu.power-limit=300W:310W'
cases 4 "a range from the higher end" 'gpu.power-limit=350W:200W:-50W'
cases 3 "a list" 'gpu.power-limit=200W,250W,300W'
says out '"plateau": \[\{[^}]*"high": "200W"\}\]' "in rising order it is a range"
cases 3 "a list without order" 'gpu.power-limit=200W,300W,250W'
says out '"values": \["200W"\]' "has values"
cases 3 "a list with a value that is no number" 'gpu.power-limit=200W,none,250W'
says out '"values": \["200W"\]' "has no order either"
ask 0 "a wide plateau" --over 'gpu.power-limit=150W:350W:10W' --over 'fan[*].speed=700rpm:1500rpm:100rpm' --min cost_per_work \
    --where 'gpus.work_rel > 0.3'
says out '^Easiest to set  gpu.power-limit=(200|250|300)W, ' "has a round value that is as good"
says out '^Best  gpu.power-limit=' "beside the best"
of 0 "curves in quotes" "$top/scenarios/time-of-use-night/always.xml" --for 1d --probability 50% --min cost.run --where 'work.done > 30 GPU-h' \
    --over 'workload.load-curve="0 h:100 %, 12 h:0 %","0 h:100 %"'
says out '^Best  workload.load-curve=0 h:100 %, 12 h:0 %$' "keep their commas"

# ---- places and numbers of cards ----
of 2 "too many placements" "$top/scenarios/redundant-8gpu/rig.xml" --over 'gpu[*].slot' --max gpus.work_rel
says err 'more than 200 placements' "is told"
of 0 "cards that fit in one way" "$top/scenarios/quad-3090-blower/rig.xml" --over 'gpu[*].slot' --max gpus.work_rel --for 1h --json
says out '"cases": 1,' "are one case"
of 0 "cards on risers" "$top/scenarios/mining-frame/rig.xml" --over 'gpu[*].slot' --max gpus.work_rel --for 1h
says out '^Best  gpu\[\*\].slot=1,2,3,4,5,6$' "take one slot each"
of 0 "numbers of cards on risers" "$top/scenarios/mining-frame/rig.xml" --over 'gpu[*].count=5,6' --max 'sum(gpus.work_rel)' --for 1h
says out '^Best  gpu\[\*\].count=6$' "are as many as there are slots"
of 0 "fewer cards than slots" "$top/scenarios/redundant-8gpu/rig.xml" --over 'gpu[*].count=1,2' --max 'sum(gpus.work_rel)' --for 1h
says out "'gpu\[7\]=none' .*'gpu\[2\]=none' --set 'gpu\[0\].slot=1'" "are spread over the slots"
cat >two.xml <<'END'
<rig name="Two chassis">
  <chassis part="chassis/fractal-define-7-xl"><psu part="psu/tier-gold-1000"/><gpu part="gpu/rtx-3090" slot="1"/></chassis>
  <chassis part="chassis/fractal-define-7-xl"><psu part="psu/tier-gold-1000"/><gpu part="gpu/rtx-3090" slot="1"/></chassis>
  <workload kind="inference" class="training" gpus="all"/>
  <run for="1 h" step="1 s"/>
</rig>
END
# Cards of one slot each: one fewer than slots have as many placements as there are slots, which may be the free one.
for cards in 3 17 31; do
    {
        echo "<rig><chassis kind=\"frame\" slots=\"$((cards + 1))\"><psu kind=\"constant\" rated=\"9 kW\" efficiency=\"90 %\"/>"
        for slot in $(seq $cards); do echo "<gpu part=\"gpu/rtx-3060-ti\" slot=\"$slot\" riser=\"100 mm\"/>"; done
        echo '</chassis><workload kind="constant" class="training"/><run for="1 s"/></rig>'
    } >many.xml
    of 0 "places of $cards cards in $((cards + 1)) slots" many.xml --over 'gpu[*].slot' --max gpus.work_rel --for 1s
    says out "^Cases: $((cards + 1));" "each slot is the free one of a placement"
done
of 2 "places in two chassis" two.xml --over 'gpu[*].slot' --max gpus.work_rel
says err 'cards of one chassis' "are refused"
of 2 "a number of cards in two chassis" two.xml --over 'gpu[*].count=1:3' --max gpus.work_rel
says err 'cards of the catalogue in one chassis' "is refused"
of 0 "cards that differ" two.xml --set 'gpu[1].power-limit=250W' --over 'gpu[*].fan=50%,60%' --min 'max(gpus.die_max_c)' --json
if [ "$(grep -o '"setting": "gpu\[[01]\].fan"' out | wc -l)" = 2 ]; then pass "have a setting each"; else fail "have a setting each" "$(cat out err)"; fi

# ---- curves ----
ask 0 "a curve over the inlet" --set 'fan[*].sensor=inlet' --over 'fan[*].curve' --min noise_dba --most 8 --json
says out '"setting": "fan\[\*\].curve@22 degC"' "has points at the temperatures of air"
ask 0 "a curve over the processor" --set 'fan[*].sensor=cpu' --over 'fan[*].curve' --min noise_dba --most 8 --json
says out '"setting": "fan\[\*\].curve@85 degC"' "has points at those of chips"

# ---- hours ----
night=$top/scenarios/time-of-use-night/always.xml
day="--for 1d --probability 50% --json"
# The load curve with the least carbon for 30 GPU-hours must emit less than full load all day.
of 0 "a load by the carbon of the hour" "$night" $day --most 16 --over workload.load-curve=0%:100%:50% --min carbon_kg \
    --where 'work.done > 30 GPU-h'
run=$(goal run) is=$(goal as_is)
holds "$run > 0 && $run < $is" "emits less than full load"
# With a demand charge from 8 to 20 h, the hours of the charge are one group of the load curve and have less load than
# the others.
sed 's|<tariff .*/>.*|<tariff kind="flat" price="0.10 USD/kWh"><demand from="08:00" to="20:00" price="20 USD/kW" window="15 min"/></tariff>|' \
    "$night" >demand.xml
of 0 "a load under a demand charge by day" demand.xml $day --most 40 --over workload.load-curve=0%:100%:50% --min cost.run \
    --where 'work.done > 30 GPU-h'
says out '"setting": "workload.load-curve@8-20 h"' "the hours of the charge are one group"
set -- $(sed -n 's/.*"best": .*load-curve=0 h:\([0-9]*\)%, [^"]* 8 h:\([0-9]*\)%.*/\1 \2/p' out | head -1)
[ $# = 2 ] && [ "$1" -gt "$2" ] && pass "works by night" || fail "works by night" "$* $(head -c 900 out)"
sed 's|from="08:00" to="20:00"|from="08:30" to="19:30"|' demand.xml >half.xml
of 0 "a demand charge that begins and ends at half past an hour" half.xml $day --most 8 --over workload.load-curve=0%:100%:50% \
    --min cost.run --where 'work.done > 30 GPU-h'
says out '"setting": "workload.load-curve@8-20 h"' "counts both hours"
of 0 "a power limit by the hour" "$night" --for 1d --probability 50% --most 16 --over 'gpu[*].limit-schedule=150W:250W:50W' \
    --min cost.run --where 'work.done > 30 GPU-h' --json
says out '"setting": "gpu\[\*\].limit-schedule@[0-9 h-]*"' "is a setting for each group of hours"
run=$(goal run) is=$(goal as_is)
holds "$run > 0 && $run < $is" "costs less"

# ---- files of cases ----
question="--over $limits --max gpus.work_rel --json"
ask 0 "cases are kept" $question --cases a.cases
cp out one
cp a.cases whole.cases
last=$(tail -n 1 whole.cases)
for damage in "${last%% = *}" "${last%?}x" "${last%?????}" "$last$last"; do
    { sed '$d' whole.cases && echo "$damage"; } >a.cases
    ask 0 "a damaged last line" $question --cases a.cases --resume
    cmp -s out one && cmp -s a.cases whole.cases && pass "is computed again" || fail "is computed again" "$(diff a.cases whole.cases)"
done
echo nothing >a.cases
ask 3 "a file of something else" $question --cases a.cases --resume
ask 0 "it is replaced if forced" $question --cases a.cases --force
cmp -s a.cases whole.cases && pass "by the same cases" || fail "by the same cases" "$(diff a.cases whole.cases)"
ask 1 "cases that cannot be kept" $question --cases nowhere/a.cases
says err 'nowhere/a.cases' "names the file"

# ---- cases as good as the best must keep the limits in runs of their own ----
"$wattsink" new --gpus 2 --gpu gpu/rtx-3090-blower -o blowers.xml >out 2>err
of 0 "two limits, of which one is too loud" blowers.xml --max work.done --where 'noise_dba < 60 dBA' --over 'gpu[*].power-limit=275W,280W'
says out '^    gpu\[\*\]\.power-limit=275W$' "only the one that keeps the limit is as good"

# ---- a terminal, an interruption ----
if script -qec true /dev/null >/dev/null 2>&1; then
    env -u NO_COLOR TERM=xterm script -qec "'$wattsink' optimise '$rig' --over $limits --max gpus.work_rel --where 'noise_dba < 60 dBA'" \
        /dev/null </dev/null >out 2>&1
    says out '[0-9]+ cases, best so far: gpus.work_rel 0\.[0-9]+|cases, none keeps the limits yet' "a terminal shows the progress"
else
    echo "skip a terminal shows the progress: no terminal here"
fi
# interrupted NAME ARGUMENTS...: ends a long search once it has tried twenty cases.
interrupted() {
    name=$1
    shift
    rm -f i.cases
    "$wattsink" optimise "$rig" -q --over 'gpu.power-limit=150W:350W:1W' --over 'fan[*].speed=500rpm:1500rpm:10rpm' \
        --over 'gpu.fan=30%:100%:1%' --max gpus.work_rel --most 100000 --cases i.cases "$@" >out 2>err &
    pid=$!
    while ! [ -s i.cases ] || [ "$(wc -l <i.cases)" -lt 20 ]; do kill -0 $pid 2>/dev/null || break; done
    kill -INT $pid
    wait $pid
    code=$?
    [ $code = 130 ] && pass "$name: exit code" || fail "$name: exit code" "$code: $(cat err)"
}
interrupted "an interrupted search"
says out '^Interrupted: the best so far' "says so"
interrupted "the same as JSON" --json --where 'noise_dba < 5 dBA'
says out '"found": false, "interrupted": true' "says so"
exit $status
