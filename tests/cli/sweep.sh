#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/helpers.inc"
. "$top/tests/fault/midway.inc"
two="two-cards.xml --for 1h"
limits='gpu[*].power-limit=200W:350W:50W'
sweep() { "$wattsink" sweep "$@"; }
cell() {
    awk -F, -v id="$2" -v name="$3" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i } $1 == id { print $c }' "$1"
}

# shellcheck disable=SC2086 # unquoted, to be split into words
{
exits 0 "a sweep" sweep $two --vary "$limits" -o r.csv -q
exits 0 "without a question" sweep $two --vary "$limits" -o seen.csv
says out '^ +1 +200 W .*' "all cases are shown"
[ "$(grep -cE '^ +[1-4] +[0-9]+ W ' out)" = 4 ] && pass "with a line each" || fail "with a line each" "$(cat out)"
says out 'gpus.die_max_c +work.lost_fraction .*cost_per_work' "and the results that decide"
hottest=$(awk '$1 == 4 { print $4 }' out)
for card in 0 1; do printf '%.1f\n' "$(cell seen.csv 4 "gpus[$card].die_max_c")"; done >dies
grep -qx "$hottest" dies && pass "the printed GPU temperature is in the file" || fail "the printed GPU temperature is in the file" "$hottest, not of $(cat dies)"
[ "$(wc -l <r.csv)" = 5 ] && pass "has a row a case" || fail "has a row a case" "$(wc -l r.csv)"
"$wattsink" run $two --set 'gpu[*].power-limit=250W' --json -o one -q >run.json
for key in annual die_max_c; do
    column=cost.annual
    [ $key = annual ] || column='gpus[0].die_max_c'
    want=$(sed -n "s/.*\"$key\": \([0-9.e-]*\),.*/\1/p" run.json | head -n 1)
    got=$(cell r.csv 2 "$column")
    [ -n "$got" ] && [ "$got" = "$want" ] && pass "$key is that of a single run" || fail "$key is that of a single run" "$got, not $want"
done
[ "$(cell r.csv 2 'gpu[*].power-limit')" = 250 ] && pass "the axis is a number" || fail "the axis is a number"
[ -z "$(cell r.csv 2 carbon_kg)" ] && pass "what is not known is empty" || fail "what is not known is empty"
if head -n 1 r.csv | grep -q wall_clock_s; then fail "no time of day"; else pass "no time of day"; fi
max=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { if ($i == "gpus.die_max_c") m = i; if ($i ~ /^gpus\[[01]\]\.die_max_c$/) d[++n] = i } next }
    { x = $d[1] + 0 > $d[2] + 0 ? $d[1] : $d[2]; if (x != $m) print "row " $1 }' r.csv)
[ -z "$max" ] && pass "gpus.die_max_c is the largest of the cards" || fail "gpus.die_max_c is the largest of the cards" "$max"
for of in 'gpus.power_mean_w sum' 'gpus.work_rel mean' 'gpus.clock_mean_mhz mean'; do
    key=${of% *}
    # shellcheck disable=SC2086 # unquoted, to be split into words
    exits 0 "each card's ${key#gpus.}" sweep $two --vary "$limits" --columns "gpus[0].${key#gpus.},gpus[1].${key#gpus.},$key" -o over.csv -q --force
    awk -F, -v how="${of#* }" 'NR > 1 { n = NF; d = $(n-2) + $(n-1); if (how == "mean") d /= 2; if ($n == "" || ($n - d) ^ 2 > 1e-12 * d * d) print }' over.csv >wrong
    [ ! -s wrong ] && pass "$key is their ${of#* }" || fail "$key is their ${of#* }" "$(cat wrong)"
done
for jobs in 1 2 5; do
    sweep $two --vary "$limits" -o "jobs$jobs.csv" -q --jobs $jobs
    cmp -s r.csv "jobs$jobs.csv" && pass "the same bits from $jobs threads" || fail "the same bits from $jobs threads"
done
for lanes in 2 8; do
    sweep $two --vary "$limits" -o "lanes$lanes.csv" -q --lanes $lanes
    cmp -s r.csv "lanes$lanes.csv" && pass "the same bits in $lanes lanes" || fail "the same bits in $lanes lanes"
done
exits 0 "a name with spaces and quotes" sweep $two --vary "$limits" -o "a b/it's \"r\".csv" -q
cmp -s r.csv "a b/it's \"r\".csv" && pass "holds the same" || fail "holds the same"
sed 's/name="Two cards"/name="Two, \&quot;big\&quot; cards"/' two-cards.xml >odd.xml
exits 0 "CSV quoting" sweep odd.xml --for 1h --vary 'gpu[0].power-limit=200W&gpu[1].power-limit=300W' --columns rig,steps -o odd.csv -q
says odd.csv '^1,"gpu\[0\].power-limit=200W, gpu\[1\].power-limit=300W",200,300,ok,,,"Two, ""big"" cards",3600$' "as in RFC 4180"
exits 0 "a list of columns" sweep $two --vary "$limits" --columns 'cost.annual,mean(gpus.die_max_c),max(gpus.die_max_c)' -o few.csv -q
says few.csv '^id,label,gpu\[\*\].power-limit,status,error,error_messages,cost.annual,mean\(gpus.die_max_c\),max\(gpus.die_max_c\)$' "keeps these alone"
exits 2 "a column of all slots" sweep $two --vary "$limits" --columns gpus.slot -o no.csv
says err "gpus.slot" "has no value of all cards"
exits 0 "a slot" sweep $two --vary "$limits" --columns 'gpus[1].slot,max(gpus.slot)' -o slot.csv -q
says slot.csv ',4,4$' "is a value of one card, or of a function"
if head -n 1 r.csv | tr , '\n' | grep -qxE 'gpus\.slot|circuits\.supply_v'; then fail "usual columns of lists are united"; else pass "usual columns of lists are united"; fi
exits 2 "an unknown column" sweep $two --vary "$limits" --columns 'cost.anual' -o no.csv
says err "did you mean 'cost.annual'" "gets a hint"
absent no.csv.sqlite "and leaves no file"

fan="$top/scenarios/fan-dies/blower.xml"
"$wattsink" run "$fan" --leap --set 'gpu[*].power-limit=150W' --json -o late -q >late.json
exits 0 "a fan dies" sweep "$fan" --leap --vary 'gpu[*].power-limit=150W,200W' --best 'max failure.to_throttle_s' -o late.sqlite -q
says out '^  best +[12] +[12][05]0 W +[0-9]' "and is asked about"
ticks=$(sed -n 's/^The best case, simulated by ticks: //p' out)
"$wattsink" run "$fan" --set "gpu[*].power-limit=$(sed -n 's/^  best .* \([12][05]0\) W .*/\1/p' out)W" --json -o ticks -q >ticks.json
want=$(sed -n 's/^  "failure".*"to_throttle_s": \([0-9.]*\).*/\1/p' ticks.json)
[ -n "$ticks" ] && awk "BEGIN { d = $ticks - $want; exit !(d < 1e-3 && d > -1e-3) }" && pass "the best case is checked by ticks" || fail "the best case is checked by ticks" "$ticks, not $want"
for f in late.csv few-late.csv; do
    [ $f = late.csv ] && few='' || few='--columns failure.to_throttle_s,work.lost_to,gpus[1].intake.case,max(gpus.intake.case),failure.at_s'
    exits 0 "the same as $f" sweep "$fan" --leap --vary 'gpu[*].power-limit=150W,200W' -o $f -q $few
    for key in at_s to_throttle_s; do
        want=$(sed -n "s/^  \"failure\".*\"$key\": \([0-9.]*\).*/\1/p" late.json)
        got=$(cell $f 1 failure.$key)
        [ -n "$got" ] && [ "$got" = "$want" ] && pass "failure.$key is that of a single run" || fail "failure.$key is that of a single run" "$got, not $want"
    done
    [ "$(cell $f 1 work.lost_to)" = "power limits" ] && pass "work.lost_to names what took the work" || fail "work.lost_to names what took the work" "$(cell $f 1 work.lost_to)"
    want=$(sed -n 's/.*"intake": { .*"case": \([0-9.e-]*\),.*/\1/p' late.json | sed -n 2p)
    got=$(cell $f 1 'gpus[1].intake.case')
    [ -n "$got" ] && [ "$got" = "$want" ] && pass "with where a card's air comes from" || fail "with where a card's air comes from" "$got, not $want"
done
[ "$(cell few-late.csv 1 'max(gpus.intake.case)')" = "$(cell late.csv 1 gpus.intake.case)" ] && pass "of all cards as well" || fail "of all cards as well"
if head -n 1 late.csv | tr , '\n' | grep -qE '^gpus(\[[0-9]\])?\.intake$'; then fail "a key with members is no column"; else pass "a key with members is no column"; fi
[ -z "$(cell r.csv 1 failure.at_s)" ] && head -n 1 r.csv | grep -q ',failure.at_s,' && pass "a key without an event is an empty column" || fail "a key without an event is an empty column"
exits 0 "going on" sweep "$fan" --leap --vary 'gpu[*].power-limit=150W,200W' --best 'min work.failures where failure.at_s > 0' --resume -o late.csv -q
if command -v sqlite3 >/dev/null; then
    # A sweep does not judge its runs, so it has neither the ranges nor the advice of a judged run.
    lost=$(sqlite3 :memory: "ATTACH 'late.sqlite' AS s; SELECT replace(replace(fullkey, '\$.', ''), char(34), '') AS name FROM json_tree(CAST(readfile('late.json') AS TEXT)) WHERE type NOT IN ('object', 'array')
        AND name NOT IN ('wattsink', 'wall_clock_s', 'verdict.text', 'verdict.advice', 'verdict.basis', 'verdict.changes', 'verdict.tried_in_vain')
        AND name NOT LIKE 'uncertainty.%' AND name NOT LIKE 'work.lost_fraction_%'
        AND (name NOT LIKE '%[%' OR name LIKE 'gpus[%' OR name LIKE 'psus[%' OR name LIKE 'fans[%' OR name LIKE 'cases[%')
        AND name NOT LIKE 'verdict.%[%' AND name NOT IN (SELECT name FROM pragma_table_info('cases', 's'))")
    [ -z "$lost" ] && pass "each key with one value is a column" || fail "each key with one value is a column" "$lost"
fi

sed 's/<rig name="[^"]*"/<rig name="Single"/' "$top/scenarios/single-3090/rig.xml" >single.xml # the name gets no comma, because `cell` splits rows at commas
single="single.xml --for 1h"
supplies='psu=psu/tier-gold-850,psu/tier-bronze-850'
sweep $single --vary "$supplies" -o money.csv -q
cat >paid.xml <<'RIG'
<rig><site supply="230 V"><room temperature="24 degC"/><tariff kind="flat" price="0.3 USD/kWh"/></site><chassis part="chassis/open-bench" price="0 USD">
<psu part="psu/tier-gold-850"/><cpu part="cpu/generic-desktop" price="0 USD"/></chassis><run for="1 h"/></rig>
RIG
exits 0 "parts in two currencies" sweep paid.xml --vary 'psu.price=140 USD,100 EUR,130 USD' --best 'min purchase' --columns purchase -o paid.csv
says out '^ +best +3 +130 USD' "an amount in another currency is not the least"
says out '^ +2 +100 EUR +-$' "but unknown"
exits 0 "tariffs in two currencies" sweep paid.xml --vary 'tariff=tariff/flat-de,tariff/flat-us' --best 'min cost.annual' -o tariffs.csv
says out '^ +2 +tariff/flat-us +-$' "are not compared either"
npv=$(cell money.csv 2 npv)
[ "$(cell money.csv 1 npv)" = 0 ] && [ -n "$npv" ] && pass "npv is against the first" || fail "npv is against the first" "$npv"
for columns in work.done npv npv,payback_years,cost.annual; do
    exits 0 "npv with --columns $columns" sweep $single --vary "$supplies" --columns $columns --best 'max npv' -o some-money.csv -q --force
    says out '^  best ' "is found"
    [ "$(cell some-money.csv 2 npv)" = "$npv" ] && pass "is the same" || fail "is the same" "$(cat some-money.csv)"
done
for vary in 'gpu.power-limit=350W,250W' 'gpu=gpu/rtx-3090-open-air,gpu/rtx-4090'; do
    exits 0 "a case that does other work, $vary" sweep $single --vary "$vary" --columns npv -o some-money.csv -q --force
    [ "$(cell some-money.csv 1 npv)$(cell some-money.csv 2 npv)" = 0 ] && pass "has no npv, as in compare" || fail "has no npv, as in compare" "$(cat some-money.csv)"
done
exits 1 "a first case that fails" sweep $single --vary gpu.slot=30,1,2 -o first.csv -q
sed 's/"[^"]*"//g' first.csv >plain.csv # removes the quoted error messages
got="$(cell plain.csv 1 status) $(cell plain.csv 2 status), $(cell plain.csv 1 npv)$(cell plain.csv 2 npv)"
[ "$got" = "bad input ok, " ] && pass "has no npv, nor have the others" || fail "has no npv, nor have the others" "$got"

exits 0 "linked axes" sweep $two --vary 'gpu[0].power-limit=200W,250W&gpu[1].power-limit=300W,350W' --vary 'psu.efficiency=85%,90%' --columns steps -o linked.csv -q
[ "$(tail -n +2 linked.csv | sed 's/"[^"]*"//g' | cut -d, -f 3-5 | tr '\n' ' ')" = "200,300,85 200,300,90 250,350,85 250,350,90 " ] &&
    pass "linked axes count as one axis" || fail "linked axes count as one axis" "$(cat linked.csv)"
exits 2 "links of unequal length" sweep $two --vary 'gpu[0].power-limit=200W,250W&gpu[1].power-limit=300W' -o no.csv
exits 0 "a sample" sweep $two --vary 'gpu[*].power-limit=200W:300W' --sample 10 --seed 7 --columns steps -o sample.csv -q
strata=$(awk -F, 'NR > 1 { print int(($3 - 200) / 10) }' sample.csv | sort -n | tr '\n' ' ')
[ "$strata" = "0 1 2 3 4 5 6 7 8 9 " ] && pass "hits every stratum once" || fail "hits every stratum once" "$strata"
sweep $two --vary 'gpu[*].power-limit=200W:300W' --sample 3 --method sobol --columns steps -o sobol.csv -q
[ "$(cut -d, -f 3 sobol.csv | tr '\n' ' ')" = "gpu[*].power-limit 250 275 225 " ] && pass "Sobol begins in the middle" || fail "Sobol begins in the middle" "$(cat sobol.csv)"
# A range that stands beside other values makes a list, also in a sample, and so needs a step.
drawn() {
    exits 0 "a sample from $1" sweep two-cards.xml --for 1s --vary "gpu[*].power-limit=$1" --sample "$2" --columns steps -o drawn.csv -q --force
    got=$(cut -d, -f 3 drawn.csv | tail -n +2 | sort -n | tr '\n' ' ')
    [ "$got" = "$3 " ] && pass "$1 is drawn whole" || fail "$1 is drawn whole" "$got"
}
drawn 200W:300W:50W,350W 4 '200 250 300 350'
drawn 350W,200W:250W:50W 3 '200 250 350'
drawn 320W:300W:-10W,200W:250W:50W 5 '200 250 300 310 320'
exits 2 "a range without a step in a list" sweep $two --vary 'gpu[*].power-limit=200W:350W,400W' --sample 4 -o no.csv
says err "'200W:350W' is no range .*: it has no step" "is told"
for range in 300W:200W 300W:200W:-10W; do
    exits 0 "a sample that falls" sweep $two --vary "gpu[*].power-limit=$range" --sample 10 --columns steps -o falls.csv -q --force
    strata=$(awk -F, 'NR > 1 { print int(($3 - 200) / 10) }' falls.csv | sort -n | tr '\n' ' ')
    [ "$strata" = "0 1 2 3 4 5 6 7 8 9 " ] && pass "$range is continuous" || fail "$range is continuous" "$strata"
done
exits 2 "a sample of nothing" sweep $two --vary 'gpu[*].power-limit=200W:200W' --sample 4 -o no.csv
says err 'its ends are the same' "is told"
# In a range of temperatures the step is a difference, in any unit.
temperatures() {
    exits 0 "from $1" sweep two-cards.xml --for 1s --vary "room.temperature=$1" --columns steps -o t.csv -q --force
    got=$(cut -d, -f 3 t.csv | tail -n +2 | tr '\n' ' ')
    [ "$got" = "$2 " ] && pass "$1 is $2" || fail "$1 is $2" "$got"
}
temperatures 18degC:18.3degC:0.1K '18 18.1 18.2 18.3'
temperatures '18 degC : 32 degC : 7 degC' '18 25 32'
temperatures 18degC:28degC:9degF '18 23 28'
temperatures 60degF:78degF:5K '60 69 78'
temperatures 291K:305K:7degC '291 298 305'
temperatures 32°C:18°C:-7K '32 25 18'
temperatures 18degC:18degC:1K 18
no_range() {
    exits 2 "no range: $1" sweep two-cards.xml --for 1s --vary "gpu[0].power-limit=$1" -o none.csv -q
    [ "$(wc -l <err)" = 1 ] && pass "no range: $1: one line" || fail "no range: $1: one line" "$(cat err)"
    if grep -qF -- "$2" err; then pass "no range: $1: $2"; else fail "no range: $1: $2" "$(cat err)"; fi
    absent none.csv "no range: $1: no file"
}
no_range 200W-350W 'ranges are LOW:HIGH:STEP; expected such as 200W:350W:37.5W'
no_range '200 W - 350 W' 'ranges are LOW:HIGH:STEP; expected such as 200W:350W:37.5W'
no_range 200-350W 'ranges are LOW:HIGH:STEP'
# The points of a curve are separated by commas. In double quotes a curve is one value, without quotes it is refused.
curve='30 degC:1500 rpm, 80 degC:3000 rpm'
exits 2 "two points of a curve" sweep $two --vary "gpu[0].fan-curve=$curve" -o curves.csv -q
says err "a comma separates values, and '30 degC:1500 rpm' is a point of a curve; expected each curve in double quotes" "are no two values"
absent curves.csv "no sweep of them"
exits 0 "two curves in quotes" sweep $two --vary "gpu[0].fan-curve=\"$curve\",\"30 degC:2000 rpm\"" --columns steps -o curves.csv -q
[ "$(wc -l <curves.csv)" = 3 ] && grep -qF "\"$curve\"" curves.csv && pass "are two cases" || fail "are two cases" "$(cat curves.csv)"
exits 2 "points by the clock" sweep $two --vary 'gpu[0].limit-schedule=7:00:250W,22:00:300W' -o curves.csv -q --force
says err "'7:00:250W' is a point of a curve" "are no two values either"
exits 0 "one of them" sweep $two --vary 'gpu[0].limit-schedule=7:00:250W' --columns steps -o point.csv -q
exits 0 "one point" sweep $two --vary 'gpu[0].fan-curve=30 degC:2000 rpm' --columns steps -o point.csv -q --force
# The type of a column must follow the attribute, not the look of its text.
kind() {
    exits 0 "$1" sweep two-cards.xml --for 60s --vary "$2" --columns steps -o kind.sqlite -q --force --best "min steps"
    got=$(sqlite3 kind.sqlite "SELECT group_concat(value, ';') || ' ' || group_concat(DISTINCT typeof(value)) FROM (SELECT \"${2%%=*}\" AS value FROM cases)")
    [ "$got" = "$4 $3" ] && pass "$1: $4" || fail "$1: $4" "$got"
}
if command -v sqlite3 >/dev/null; then
    kind "dates are text" run.from=2026-08-03,2027-08-03 text '2026-08-03;2027-08-03'
    says out '^  best +1 +2026-08-03 ' "and printed as they are"
    kind "an id is text" 'gpu[0].id=1a,2a' text '1a;2a'
    kind "an id of digits is text" 'gpu[0].id=11,12' text '11;12'
    kind "watts are numbers" 'gpu[0].power-limit=200W,250W' real '200.0;250.0'
    kind "with blanks as well" 'gpu[0].power-limit=200 W , 250W,  270 W' real '200.0;250.0;270.0'
    exits 0 "they are asked about" sweep two-cards.xml --for 60s --vary 'gpu[0].power-limit=200W, 250 W' --columns 'steps , cost.annual' -o blank.sqlite -q --best 'max "gpu[0].power-limit"'
    says out '^  best +2 +250 W ' "blanks count for nothing"
    kind "of two units they are text" 'gpu[0].power-limit=200W,0.25kW' text '200W;0.25kW'
    kind "numbers without a unit" 'gpu[1].slot=4,5' real '4.0;5.0'
    kind "a fan's share of its speed is a number" 'gpu[0].fan=40%:80%:20%' real '40.0;60.0;80.0'
    kind "and its speed" 'gpu[0].fan=2000 rpm,2500 rpm' real '2000.0;2500.0'
fi
exits 2 "a path varied twice" sweep $two --vary 'gpu.power-limit=200W,250W' --vary 'gpu[*].power-limit=200W,250W' -o none.csv
says err "'gpu\[\*\].power-limit' is varied twice" "is told, also as [*]"
twice() {
    exits 2 "$1 and $2" sweep single.xml --for 1s --vary "$1" --vary "$2" -o none.csv
    says err "^wattsink: --vary: '${2%%=*}' is varied twice: '${1%%=*}' sets $3 too$" "is told as varied twice"
    absent none.csv.sqlite "and leaves no file"
}
twice gpu.power-limit=200W,250W 'chassis.gpu.power-limit=300W' gpu0.power-limit
twice 'gpu.power-limit=200W,250W' 'rig.gpu.power-limit=300W' gpu0.power-limit
twice psu=psu/tier-gold-850,psu/tier-bronze-850 psu.part=psu/tier-gold-1000 psu0.part
exits 2 "one of all" sweep $two --vary 'gpu[1].power-limit=200W,250W' --vary 'gpu[*].power-limit=300W' -o none.csv
says err "'gpu\[\*\].power-limit' is varied twice: 'gpu\[1\].power-limit' sets gpu1.power-limit too" "is told"
exits 2 "by number and by id, linked" sweep $two --vary 'gpu[0].power-limit=200W,250W&gpu[gpu0].power-limit=300W,350W' -o none.csv
says err "'gpu\[gpu0\].power-limit' is varied twice" "is told"
# Two axes must not set the same attribute in any case, also if an axis changes which card has an id, or a chassis part
# brings fans of its own.
sed 's/<chassis [^>]*>/<chassis part="chassis\/corsair-7000d-airflow">/' single.xml >cased.xml
for chassis in chassis/mid-tower,chassis/corsair-7000d-airflow chassis/corsair-7000d-airflow,chassis/mid-tower; do
    exits 2 "a fan of one chassis ($chassis)" sweep cased.xml --for 1s --vary "chassis=$chassis&fan[*].duty=50%,60%" --vary 'fan[3].duty=70%,80%' -o none.csv
    says err "'fan\[3\].duty' is varied twice" "is told"
done
exits 2 "a card that another's id moves" sweep $two --vary 'gpu[0].id=x,y&gpu[*].power-limit=200W,250W' --vary 'gpu[1].power-limit=300W,310W' -o none.csv
says err "is varied twice" "is told"
exits 0 "another card" sweep two-cards.xml --for 60s --vary 'gpu[0].id=x,y&gpu[1].power-limit=200W,250W' --vary 'gpu[0].power-limit=300W,310W' --columns steps -o moved.csv -q
exits 0 "a part and a value of it" sweep single.xml --for 60s --vary psu=psu/tier-gold-850,psu/tier-bronze-850 --vary gpu.slot=1,2 --columns steps -o apart.csv -q
no_range 200:350:10W 'a unit is missing; did you mean 200W:350W:10W'
no_range 200W:350W:10 'did you mean 200W:350W:10W'
no_range 200W:0.35kW:10W 'its units differ'
no_range 200W:350W:0W 'its step is 0'
no_range 200W:350W:-10W 'leads away from 350W; expected 200W:350W:10W'
no_range 350W:200W:10W 'expected 350W:200W:-10W'
no_range 200W:350W 'it has no step; expected such as 200W:350W:37.5W'
no_range 350W:200W 'it has no step; expected such as 350W:200W:-37.5W'
no_range 200W:350W:1e-4W 'more than 10000 cases'
no_range 200W, 'a value is missing beside a comma'
exits 0 "a step that does not divide" sweep $two --vary 'gpu[0].power-limit=200W:350W:40W' --columns steps -o undivided.csv
says err 'the steps end at 320W, before 350W' "is told"
exits 0 "the same, quietly" sweep $two --vary 'gpu[0].power-limit=200W:350W:40W' --columns steps -o undivided.csv --force -q
[ ! -s err ] && pass "is not told" || fail "is not told" "$(cat err)"
exits 2 "a seed without a sample" sweep $two --vary "$limits" --seed 3 -o no.csv
exits 2 "nothing varied" sweep $two
exits 2 "a format without a front" sweep $two --vary "$limits" --format png -o no.csv
says err '^wattsink sweep: --format is for --pareto' "is told"
exits 3 "a misspelt path" sweep $two --vary 'gpu[*].powr-limit=200W,250W' -o no.csv
says err 'did you mean "gpu\[\*\].power-limit"' "is told with the nearest"
exits 2 "an ending that says nothing" sweep $two --vary "$limits" -o results.txt

exits 0 "the best" sweep $two --vary "$limits" --resume -o r.csv --best 'min cost.annual where work.done > 0 and "gpu[*].power-limit" >= 250'
says out '^  best +2 +250 W +[0-9]+ +[0-9]+\.[0-9] ' "is the cheapest that meets the condition, with the digits of results"
says out '^ +id +gpu\[\*\].power-limit +electricity cost a year +work \(GPU-h\)' "has the labels of results"
says out '^ +cost.annual +work.done' "and the keys below them"
says out '^ +1 +200 W .* no$' "its neighbour below does not"
says out '^ +3 +300 W .*[0-9]$' "the case above meets it"
says err '^resumed with 4 of 4 cases$' "and nothing ran again"
exits 0 "no such case" sweep $two --vary "$limits" --resume -o r.csv --best 'min cost.annual where gpus.die_max_c < 10'
says out '^No case meets: gpus.die_max_c < 10' "is told"
exits 2 "a mistake" sweep $two --vary "$limits" --resume -o r.csv --best 'min cost.annual where gpus.die_max < 83'
says err "^wattsink: --best, column 23: the summary has no key 'gpus.die_max'; did you mean 'gpus.die_max_c'" "has its place"
[ "$(tail -n 1 err | tr -d '^')" = "                        " ] && pass "the caret is below it" || fail "the caret is below it" "$(tail -n 2 err)"
exits 2 "a key that has members" sweep $two --vary "$limits" --resume -o r.csv --best 'min cost'
says err "no key 'cost'; there is .*'cost.run', 'cost.annual'" "is told those"
exits 2 "the last word of a key" sweep $two --vary "$limits" --resume -o r.csv --best 'min annual'
says err "no key 'annual'; did you mean 'cost.annual'" "is told the whole"
exits 0 "as JSON" sweep $two --vary "$limits" --resume -o r.csv -q --json --best 'max mean(gpus.power_mean_w)' --pareto 'cost.annual,max gpus.die_max_c'
says out '"best": \{"id": 4, .*"gpu\[\*\].power-limit": 350, "status": "ok", "error": null, "error_messages": null' "the row is there"
says out '"carbon_kg": null' "with what is not known"
if command -v gnuplot >/dev/null; then
    exits 0 "a front" sweep $two --vary "$limits" --vary 'psu.efficiency=80%,90%' -o f.sqlite --pareto 'cost.annual,work.done' -q
    [ "$(grep -c '^ .*90 %' out)" = 4 ] && pass "the front has the four cases with the better PSU" || fail "the front has the four cases with the better PSU" "$(cat out)"
    lacks out '80 %' "and none with the worse PSU"
    for f in svg gp csv; do present f.plots/pareto.$f "$f of the picture"; done
    if [ -s err ]; then fail "gnuplot has nothing to complain about" "$(head -3 err)"; else pass "gnuplot has nothing to complain about"; fi
    says f.plots/pareto.svg '>electricity cost a year \(USD\), less is better<' "money has its currency"
    says f.plots/pareto.svg '>Pareto front<' "and the line its name"
    exits 0 "a front in Japanese" sweep $two --vary "$limits" --vary 'psu.efficiency=80%,90%' -o j.sqlite --pareto 'cost.annual,work.done' -q --lang ja
    says j.plots/pareto.svg '>年間電気代 \(USD\)' "has Japanese axes"
    says j.plots/pareto.svg '>パレートフロント<' "the line of the Pareto front has a Japanese name"
    if sed 's/<[^>]*>//g' j.plots/pareto.svg | grep -q 'electricity\|前面'; then fail "and neither English nor the wrong word for a front" "$(sed 's/<[^>]*>//g' j.plots/pareto.svg | grep 'electricity\|前面')"; else pass "and neither English nor the wrong word for a front"; fi
    exits 0 "a front in two currencies" sweep $two --vary "$limits" --vary 'tariff.price=0.16USD/kWh,0.30EUR/kWh' -o g.sqlite --pareto 'cost.annual,work.done' -q
    says g.plots/pareto.svg '>electricity cost a year \(in the tariff.*s currency\), less is better<' "names neither"
    exits 0 "a front of the cost of work" sweep $two --vary "$limits" -o h.sqlite --pareto 'cost_per_work,work.done' -q
    says h.plots/pareto.svg '\(USD/GPU-h\), less is better<' "has the currency of that, too"
    exits 0 "a front of purchase" sweep $single --vary "$supplies" -o k.sqlite --pareto 'purchase,cost_per_work' -q
    says k.plots/pareto.svg '>purchase price of the parts \(USD\), less is better<' "has the currency of the parts"
    cp f.plots/pareto.svg before.svg
    (cd f.plots && rm pareto.svg && gnuplot pareto.gp)
    cmp -s before.svg f.plots/pareto.svg && pass "the script alone redraws it" || fail "the script alone redraws it"
    exits 0 "a front by parts, as PNG" sweep $two --vary 'gpu[0].power-limit=200W,300W' --vary 'workload.class=training,burn' -o p.db --pareto 'cost.annual,work.done where gpus.die_max_c > 0' --format png -q
    present p.plots/pareto.png "is drawn"
    exits 0 "an empty Pareto front" sweep $two --vary 'gpu[0].power-limit=200W,300W' --vary 'workload.class=training,burn' -o p.db --pareto 'cost.annual,work.done where gpus.die_max_c < 0' --resume -q
    says out ': 0 of 4 cases' "is told"
    [ ! -e p.plots ] && pass "and leaves no picture of another question" || fail "and leaves no picture of another question" "$(ls p.plots)"
    if [ -s err ]; then fail "nothing to complain about" "$(head -3 err)"; else pass "nothing to complain about"; fi
else
    echo "skip a front: no gnuplot"
fi

exits 1 "a bad case" sweep $two --vary 'gpu[0].power-limit=200W,220kg,240W' -o bad.csv -q
says bad.csv '^2,.*,220kg,bad input,.*220kg.* is a mass' "is a row with its error"
says bad.csv '^3,.*,240W,ok,' "and does not stop the rest"
says err '1 of 3 cases failed' "is told at the end"
exits 3 "an existing file" sweep $two --vary "$limits" -o r.csv
exits 0 "but for --force" sweep $two --vary "$limits" -o jobs1.csv --force -q
echo mine >foreign.csv
exits 3 "a CSV file of another hand" sweep $two --vary "$limits" -o foreign.csv --resume
says err 'foreign.csv is there already, but not foreign.csv.sqlite' "is not gone on with"
[ "$(cat foreign.csv)" = mine ] && pass "and left as it is" || fail "and left as it is" "$(head -3 foreign.csv)"
absent foreign.csv.sqlite "without a file beside it"
exits 0 "but for --force" sweep $two --vary "$limits" -o foreign.csv --force -q
cmp -s r.csv foreign.csv && pass "it is replaced" || fail "it is replaced"
exits 3 "another rig" sweep load.xml --for 1h --vary 'psu.efficiency=85%,90%' -o r.csv --resume
exits 3 "another axis" sweep $two --vary 'gpu[*].power-limit=200W:350W:10W' -o r.csv --resume
exits 3 "another step" sweep $two --step 2s --vary "$limits" -o r.csv --resume
exits 3 "another stepper" sweep $two --stepper reference --vary "$limits" -o r.csv --resume
says err 'other options' "says what differs"
exits 3 "another length" sweep two-cards.xml --for 2h --vary "$limits" -o r.csv --resume
says err 'r.csv cannot be resumed: it has other settings \(run.for=1h; now run.for=2h\)' "is told as that"
exits 3 "no length" sweep two-cards.xml --vary "$limits" -o r.csv --resume
says err 'other settings \(run.for=1h; now none\)' "is told as that"
exits 3 "a length and a step" sweep $two --step 2s --set psu.efficiency=80% --vary "$limits" -o r.csv --resume
says err 'other settings \(run.for=1h; now psu.efficiency=80%; run.for=1h; run.step=2s\)' "is told as that"
exits 3 "another rig alone" sweep odd.xml --for 1h --vary "$limits" -o r.csv --resume
says err 'belongs to another rig' "is told as that"
exits 0 "the same length by other words" sweep two-cards.xml --for 60min --vary "$limits" -o r.csv --resume -q
exits 3 "another value" sweep $two --set psu.efficiency=80% --vary "$limits" -o r.csv --resume
echo 'not a database, but long enough to be looked at as one: it has more than a hundred bytes, and all of them are text' >text.sqlite
exits 3 "a file that is no sweep" sweep $two --vary "$limits" -o text.sqlite --resume
says err 'does not hold a sweep' "is not gone on with"
exits 1 "a folder that cannot be made" sweep $two --vary "$limits" -o two-cards.xml/r.sqlite
if [ -w /dev/full ]; then
    exits 1 "a file that cannot be written" sweep $two --vary "$limits" -o /proc/r.sqlite
fi
exits 0 "from standard input" sh -c '"$1" sweep - --for 1h --vary "gpu[*].power-limit=200W:350W:50W" -o in.csv -q <two-cards.xml' sh "$wattsink"
cmp -s r.csv in.csv && pass "gives the same" || fail "gives the same"
}

mkdir stale
sweep single.xml --for 1h --vary "$supplies" --columns steps,cost.annual -o stale/r.csv -q
cp stale/r.csv stale/first.csv
sweep single.xml --for 1h --set 'tariff.price=0.5 USD/kWh' --vary "$supplies" --columns steps,cost.annual -o stale/r.csv.sqlite --force -q
exits 0 "asking rows that are new" sweep single.xml --for 1h --set 'tariff.price=0.5 USD/kWh' --vary "$supplies" --columns steps,cost.annual -o stale/r.csv --resume -q
cmp -s stale/r.csv stale/first.csv && fail "writes the file anew" || pass "writes the file anew"
cp stale/r.csv stale/second.csv
: >stale/r.csv
sweep single.xml --for 1h --set 'tariff.price=0.5 USD/kWh' --vary "$supplies" --columns steps,cost.annual -o stale/r.csv --resume -q
cmp -s stale/r.csv stale/second.csv && pass "an emptied table is written again too" || fail "an emptied table is written again too" "$(head -3 stale/r.csv)"

mkdir done
for f in done/r.sqlite done/r.csv; do
    sweep single.xml --for 1h --vary "$supplies" -o $f -q
done
cp -R done before
for f in r.sqlite r.csv; do
    exits 0 "asking $f" sweep single.xml --for 1h --vary "$supplies" -o done/$f --resume -q --best 'max npv'
done
diff -r before done >differ 2>&1 && pass "changes nothing" || fail "changes nothing" "$(cat differ)"
rm done/r.csv
exits 0 "a CSV file that is lost" sweep single.xml --for 1h --vary "$supplies" -o done/r.csv --resume -q
cmp -s before/r.csv done/r.csv && pass "is written again" || fail "is written again"
cat >media.sh <<'EOF'
mount -t tmpfs none done && cp before/* done && mount -o remount,ro done || exit 77
for f in r.sqlite r.csv; do "$@" -o done/$f || exit; done
EOF
unshare -rm sh media.sh "$wattsink" sweep single.xml --for 1h --vary "$supplies" --resume -q --best 'max npv' >out 2>err
if grep -qE '^(unshare|mount|sh):' err; then
    echo "skip media that cannot be written to: no mount"
elif [ "$(grep -c '^  best ' out)" = 2 ]; then
    pass "on media that cannot be written to"
else
    fail "on media that cannot be written to" "$(cat err)"
fi

# The first sweep is stopped by SIGSTOP after some rows (SQLite's log grows by 4 kB per row), so that it holds the file
# while the second one tries.
many='gpu[*].power-limit=200W:300W:0.25W'
"$wattsink" sweep two-cards.xml --for 2h --vary "$many" --columns steps -o both.sqlite -q >first.out 2>&1 &
first=$!
rows() { [ -e both.sqlite-wal ] && [ "$(wc -c <both.sqlite-wal)" -gt 100000 ]; }
begun() { rows || ! kill -0 $first 2>/dev/null; }
soon begun
if kill -STOP $first 2>/dev/null && rows; then
    for how in --resume --force; do
        exits 1 "a second sweep: $how" sweep two-cards.xml --for 2h --vary "$many" --columns steps -o both.sqlite -q $how
        says err "^wattsink: .wattsink sweep. \(process $first\) works in both.sqlite; wait for its end" "a second sweep: $how: says so"
    done
    kill -KILL $first
    wait $first 2>/dev/null
    exits 0 "after kill -9" sweep two-cards.xml --for 2h --vary "$many" --columns steps -o both.sqlite --resume
    absent both.sqlite.lock "and leaves no lock"
else
    kill -KILL $first 2>/dev/null # SIGKILL also ends a sweep that SIGSTOP has stopped
    echo "ok a second sweep # SKIP the first was done at once"
fi
wait

if command -v sqlite3 >/dev/null; then
    # shellcheck disable=SC2086
    sweep $two --vary "$limits" --vary 'psu.efficiency=80%,90%' -o limits.sqlite -q
    sed -n '/^    sqlite3 /,/^$/s/^    //p' "$top/docs/sweep.md" | sed 's/SELECT psu,/SELECT "psu.efficiency",/; s/ -column//; s/< 83/< 200/' >query.sh
    exits 0 "the query of docs/sweep.md" sh query.sh
    [ "$(wc -l <out)" = 6 ] && pass "has a header and five rows" || fail "has a header and five rows" "$(cat out err)"
    says out '^90.0\|' "the better supply first"
    exits 0 "NULL" sqlite3 limits.sqlite 'SELECT count(*) FROM cases WHERE carbon_kg IS NULL AND typeof("cost.annual") = '\''real'\'
    says out '^8$' "is what is not known"
    [ "$(ls limits.sqlite*)" = limits.sqlite ] && pass "one file holds it all" || fail "one file holds it all" "$(ls limits.sqlite*)"
else
    echo "skip the query of docs/sweep.md: no sqlite3"
fi
exit $status
