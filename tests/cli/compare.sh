#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/helpers.inc"

exits 0 "efficiencies" "$wattsink" compare load.xml --vary 'psu.efficiency=82%,87%' --annual
says out '31\.4[0-9] USD less a year' "1600 W for a fifth of the year saves 31.4 USD"
says out '22\.4[0-9] USD' "the quoted 22 USD are explained"
says out '112 W less' "by the watts at the wall"
says out 'repeated' "the year is said to be repeated"
says out '^Winner: 87%' "the winner is named"
says out '^psu.efficiency  *82%  *87%' "the cases stand side by side"
says out '^No purchase, no payback: no part has a price' "that there are no prices is said"
sed 's|<chassis>|<chassis price="60 USD">|' load.xml >priced.xml
exits 0 "a part without a price" "$wattsink" compare priced.xml --vary 'psu.efficiency=82%,87%' --annual
says out '^    No payback: parts of 87% have no price \(psu0\)' "is named"
says out '^The purchase lacks parts without a price="...": psu0' "and left out of the purchase"
says out '^purchase  *USD  *>60  *>60' "which counts the rest, as less than the whole"

exits 0 "json" "$wattsink" compare load.xml --vary 'psu.efficiency=82%,87%' --json
[ "$(grep -c '"label":' out)" = 2 ] && pass "one object a case" || fail "one object a case"
for key in purchase payback_years npv cost_per_work digest work; do
    [ "$(grep -o "\"$key\":" out | wc -l)" = 2 ] && pass "each has $key once" || fail "each has $key once" "$(cat out)"
done
"$wattsink" compare load.xml --vary 'psu.efficiency=82%,87%' >page
winner=$(sed -n 's/^\(Winner: [^(]*\).*/\1/p' page)
[ -n "$winner" ] && grep -qF "\"verdict\": \"$winner" out && grep -qF '"code": "compare.winner", "text": "Winner: ' out &&
    pass "and the verdict of the page as text and code" || fail "and the verdict of the page as text and code" "$winner; $(tail -n 1 out)"
sed 's/A load/B load/' load.xml >b.xml
exits 0 "two files" "$wattsink" compare load.xml b.xml --for 1d
says out '^  *load  *b$' "labelled by file"
says out '^No winner: the cases cost the same' "equal cases have no winner"
sed 's|<tariff[^>]*/>||' hot.xml >free.xml
exits 0 "a rig without a tariff" "$wattsink" compare free.xml --vary 'gpu.power-limit=150W,250W' --annual
says out '^No winner: no case has a tariff' "says that it lacks one"
says out '^250W  *[0-9]' "and has its table all the same"

exits 0 "a range" "$wattsink" compare two-cards.xml --vary 'gpu[*].power-limit=200W:300W:50W' --for 6h
[ "$(grep -o '^[0-9]*W  *[0-9]' out | cut -c1-4 | sort -u | wc -l)" = 3 ] && pass "makes three cases" || fail "makes three cases" "$(cat out)"
for column in 'card power' wall 'GPU clock' throughput 'per energy' 'cost of work' 'GPU max'; do says out "^power-limit.* $column( |\$)" "a sweep of limits has the column $column"; done
[ "$(grep -o '[0-9]\*' out | wc -l)" -ge 6 ] && pass "the best of each column is marked" || fail "the best of each column is marked" "$(cat out)"
[ "$(grep -c ' $' out)" = 0 ] && pass "no line ends in blanks" || fail "no line ends in blanks" "$(grep -n ' $' out | head -3)"
[ "$(awk 'length > 80' out | wc -l)" = 0 ] && pass "a sweep has 80 columns" || fail "a sweep has 80 columns" "$(awk 'length > 80' out)"
says out '^200W  *[0-9.]*\*  *[0-9]*( \+-[0-9]+| -[0-9]+/\+[0-9]+)?\*' "the lowest limit draws least"
says out '^300W does the most work. 2[05]0W does the most work per kWh' "what each is best at is said"
"$wattsink" compare two-cards.xml --vary 'gpu[*].power-limit=200W,280W' --for 4d --leap >leapt
won=$(sed -n 's/^Winner: \([^ ,]*\).*/\1/p' leapt)
[ -n "$won" ] && grep -q "^Checked by ticks, without skipped cycles: .*$won" leapt && pass "with --leap the winner is checked by ticks" || fail "with --leap the winner is checked by ticks" "$(cat leapt)"
"$wattsink" compare two-cards.xml --vary 'gpu[*].power-limit=200W,280W' --for 4d --leap --json >leapt
[ "$(grep -c '"strides": {' leapt)" = 1 ] && pass "the other case has its strides" || fail "the other case has its strides" "$(grep -c strides leapt)"
"$wattsink" compare two-cards.xml --vary 'gpu[*].power-limit=200W:300W:50W' --for 6h --json |
    grep -v wall_clock_s >one
"$wattsink" compare two-cards.xml --vary 'gpu[*].power-limit=200W:300W:50W' --for 6h --json |
    grep -v wall_clock_s >two
cmp -s one two && pass "the same bits whatever the threads did" || fail "the same bits whatever the threads did"
# Several printed costs may be equal, so the least is taken from the JSON, which has all digits.
exits 0 "close values" "$wattsink" compare hot.xml --vary 'gpu.power-limit=105W:140W:1W' --for 2h -o close
won=$(tr -s '\n ' ' ' <out | sed -En 's/.*(Winner:|Cheapest:) +([0-9]+)W.*/\2/p')
least=$(sed -n 's/.*"cost_per_work": \([0-9.e-]*\).*/\1/p; s/.*"power_limit_w": \([0-9.]*\).*/\1/p' close/compare.json |
    paste - - | sort -g | sed -n '1s/.*\t//p')
[ -n "$won" ] && [ "$won" = "$least" ] && pass "have the cheapest as winner" || fail "have the cheapest as winner" "$won, not $least"
sed 's/power-limit="280 W"//; s/tdp="350 W"/tdp="350 W" plateau-draw="250 W" plateau-high="320 W"/' two-cards.xml >flat.xml
exits 0 "a firmware plateau" "$wattsink" compare flat.xml --vary 'gpu[*].power-limit=240W:330W:10W' --for 2h
says out '^From 250W to 320W nothing changes' "is told"
exits 0 "voltages at one power limit" "$wattsink" compare two-cards.xml --vary 'gpu[*].voltage-offset=-100mV,0mV' --for 1h \
    --set 'gpu[*].power-limit=200W' --set workload.class=burn
grep -q 'nothing changes' out && fail "do different work at the same watts" || pass "do different work at the same watts"
exits 0 "limits of memory that is too hot" "$wattsink" compare hot.xml --vary 'gpu.power-limit=150W,200W,250W' --for 3h
says out 'lost' "shows what heat takes"
exits 0 "a folder" "$wattsink" compare two-cards.xml --vary 'gpu[*].power-limit=200W,300W' --for 1h -o kept
present kept/compare.json "keeps the comparison"
[ "$(grep -o '"power_limit_w": [0-9.]*' kept/compare.json | tr -d '\n')" = '"power_limit_w": 200"power_limit_w": 300' ] &&
    pass "compare.json has both power limits" || fail "compare.json has both power limits" "$(grep power_limit_w kept/compare.json)"
exits 0 "the same rig again" "$wattsink" compare two-cards.xml --vary 'gpu[*].power-limit=220W,300W' --for 1h -o kept
exits 3 "another rig" "$wattsink" compare load.xml --vary 'psu.efficiency=82%,87%' -o kept
says err "holds the results of 'Two cards'" "leaves it alone"
exits 0 "but for --force" "$wattsink" compare load.xml --vary 'psu.efficiency=82%,87%' -o kept --force
# Rigs of the same cards made by `new` have the same name.
sed 's/rated="[^"]*"/rated="1300 W"/' two-cards.xml >like.xml
cmp -s like.xml two-cards.xml && fail "like.xml differs"
kept() { "$wattsink" compare two-cards.xml load.xml --for 1h -o mixed "$@"; }
exits 0 "two rigs" kept
for option in '--for 2h' '--annual' '--set site.circuit=30A' '--rate 3%'; do
    # shellcheck disable=SC2086 # unquoted, to be split into words
    exits 0 "the same two with $option" kept $option
done
cp mixed/compare.json before.json
exits 3 "another rig of the same name" "$wattsink" compare like.xml load.xml --for 1h -o mixed
says err '^wattsink: mixed holds the comparison of other rigs, or of these before they were edited \(digests [0-9a-f]{16} [0-9a-f]{16}, now [0-9a-f]{16} [0-9a-f]{16}\); --force replaces it, -o FOLDER keeps both$' "leaves the comparison alone"
exits 3 "another second rig" "$wattsink" compare two-cards.xml like.xml --for 1h -o mixed
exits 3 "the settings of another rig of that name" "$wattsink" compare like.xml --vary 'gpu[*].power-limit=200W,300W' --for 1h -o mixed
cmp -s mixed/compare.json before.json && pass "it stays" || fail "it stays"
cp two-cards.xml asis.xml && cp like.xml two-cards.xml
exits 3 "a rig that was edited" kept
exits 0 "by force" kept --force
cp asis.xml two-cards.xml
sed 's/ "rig_digests": "[^"]*",//' before.json >mixed/compare.json
exits 0 "a comparison of an earlier version, which tells the name only" kept
echo '{"my": "data"}' >mixed/compare.json
exits 3 "a file of somebody else" kept
says err '^wattsink: mixed/compare\.json was not written by wattsink, or is damaged; --force replaces it, -o FOLDER keeps both$' "is told"
says mixed/compare.json '"my"' "and stays"
echo hi >mixed/compare.json
exits 3 "a damaged comparison" kept
says mixed/compare.json '^hi$' "stays, too"
exits 0 "by force it is replaced" kept --force
exits 0 "two currencies" "$wattsink" compare two-cards.xml --vary 'tariff.price=0.1USD/kWh,0.2EUR/kWh' --for 1h
says out 'paid in different currencies: ' "are not mixed"
says out '^No winner' "and have no winner"
yearly=$("$wattsink" run two-cards.xml --set tariff.price=0.1USD/kWh --for 1h | sed -n 's/^Cost .*(about \([0-9]*\) a year.*/\1/p')
exits 0 "two currencies of a year" "$wattsink" compare two-cards.xml --vary 'tariff.price=0.1USD/kWh,0.2EUR/kWh' --for 1h --annual
paid=$(sed -n 's/^Electricity is paid in different currencies: \([0-9]*\)[.][0-9]* USD, [0-9.]* EUR a year[.]$/\1/p' out)
[ -n "$paid" ] && [ $((paid - yearly)) -ge -1 ] && [ $((paid - yearly)) -le 1 ] && pass "are those of a year, as the table's energy" || fail "are those of a year, as the table's energy" "$paid, not $yearly"
exits 3 "a tariff of local time" "$wattsink" compare load.xml --vary 'psu.efficiency=82%,87%' --set site.tariff=tariff/tepco-juryo-b
says err '--set run.zone=' "says how a run gets its zone"
exits 0 "two times" "$wattsink" compare two-cards.xml --vary 'run.for=1h,2h'
says out '^No winner: the cases have different durations' "have no winner"
exits 0 "per year they have one" "$wattsink" compare two-cards.xml --vary 'run.for=1h,2h' --annual
says out '^Winner' "which is named"
for bad in 200W:300W:0W 300W:200W:50W 200W:300W; do
    exits 2 "the range $bad" "$wattsink" compare two-cards.xml --vary "gpu[0].power-limit=$bad"
    says err 'LOW:HIGH:STEP' "is told from a value"
done
exits 0 "a falling range" "$wattsink" compare two-cards.xml --vary 'gpu[0].power-limit=300W:200W:-100W' --for 1h
exits 0 "times of day are no range" "$wattsink" compare two-cards.xml --for 1h \
    --vary 'run.from=2026-08-03T09:00:00,2026-08-03T10:00:00'
exits 0 "standard input" sh -c "'$wattsink' compare - two-cards.xml --for 1h <load.xml"
says out '^  *-  *two-cards' "is a case"
exits 2 "a value that is set and varied" "$wattsink" compare two-cards.xml --vary 'gpu.power-limit=150W,350W' --set gpu.power-limit=300W
says err "'gpu.power-limit=300W' has no effect: --vary changes the same value" "is refused"
exits 2 "a value that is varied twice" "$wattsink" compare two-cards.xml --vary 'gpu.power-limit=150W,350W' --vary 'gpu[1].power-limit=200W,250W'
says err 'another --vary changes gpu1.power-limit too' "is refused, too"
exits 2 "a value twice" "$wattsink" compare two-cards.xml --vary 'gpu.power-limit=350W,200W,350W'
says err "power-limit=350W' is there twice" "is one case, not two"
exits 0 "standard input varied" sh -c "'$wattsink' compare - --vary 'psu.efficiency=82%,87%' --annual <load.xml"
says out '31\.4[0-9] USD less' "gives what the file gives"
priced=$top/scenarios/limit-sweep-3090/rig.xml
exits 0 "own against cloud" "$wattsink" compare "$priced" --vary 'gpu[*].power-limit=200W,300W' --for 1h --annual \
    --cloud-price '2.5 USD/h' --rate 8% --years 3
says out '^  200W: breaks even after [0-9]+ hours of all its cards' "tells from when the own machine is cheaper"
says out 'In a 3-year period' "at the interest and for the years asked for"
exits 0 "a cloud nearly for nothing" "$wattsink" compare two-cards.xml --vary 'gpu[*].power-limit=200W,300W' --for 1h --annual \
    --cloud-price 0.001USD/GPU-h
says out '^  300W: never breaks even: its electricity alone costs' "is never beaten"
exits 0 "a cloud in another currency" "$wattsink" compare two-cards.xml --vary 'gpu[*].power-limit=200W,300W' --for 1h --annual \
    --cloud-price '2.5 EUR/h'
tr -s '\n ' ' ' <out >flat
says flat "no break-even: the own machine is paid in USD. --exchange 'EUR=RATE USD' converts" "is not converted without a rate"
exits 0 "a cloud in another currency, with a rate" "$wattsink" compare "$priced" --for 1h --annual --cloud-price '2 EUR/h' --exchange 'EUR=1.25 USD'
says out 'cloud at 2[.]5 USD per GPU-hour' "is converted, also beside one rig"
exits 0 "and as JSON" "$wattsink" compare "$priced" --vary 'gpu[*].power-limit=200W,300W' --for 1h --json --cloud-price '2.5 USD/h'
says out '"breakeven_gpu_h": [0-9]' "has the break-even"
says out '"spread": \{ "cost_spread": [0-9]' "and what is open"
sed 's|gpus="[^"]*"|gpus="gpu0"|' two-cards.xml >one-works.xml
exits 0 "a card that does not work" "$wattsink" compare one-works.xml --vary 'gpu[*].power-limit=300W,350W' --for 1h --leap
works=$(sed -nE 's/^350W +([0-9.]+)[*]? .*/\1/p' out | head -n 1) share=$(sed -nE 's/^350W +[0-9.]+[*]? +[^ ]+ [^ ]+ +[0-9]+[*]? +([0-9.]+).*/\1/p' out | head -n 1)
"$wattsink" run one-works.xml --set 'gpu[*].power-limit=350 W' --for 1h --leap -q -o works --force >/dev/null 2>err
alone=$(sed -nE '/"id": "gpu0"/,/"id": "gpu1"/s/.*"power_mean_w": ([0-9.]+).*/\1/p' works/summary.json)
awk -v w="$works" -v a="$alone" -v s="$share" 'BEGIN { exit !(w - a < 0.1 && a - w < 0.1 && s > 90) }' && pass "an idle card does not count in watts and throughput of the working card" ||
    fail "an idle card does not count in watts and throughput of the working card" "$works W, $alone W, $share %: $(head -n 5 out)"
exits 0 "tokens whose electricity is free" "$wattsink" compare "$priced" --set 'tariff.price=0 USD/kWh' --vary 'gpu[*].power-limit=200W,300W' --for 1h
says out '^Winner: 300W, 0[.][0-9]*[1-9][0-9]* USD per million tokens' "have the price of the purchase"
for bad in --rate=5 --rate=-1% --rate=x% --years=0 --years=2.5 '--years=5 a' --cloud-price=2.5 --cloud-price=usd '--cloud-price=2 USD/kWh' \
    --cloud-price=-1USD --cloud-price=1e999USD --cloud-price=USD --cloud-price=2USDT; do
    exits 2 "$bad" "$wattsink" compare two-cards.xml --vary 'gpu[*].power-limit=200W,300W' --for 1h "$bad"
    says err 'expected' "says what was expected"
done

. "$top/tests/fault/midway.inc"
ticks=$(getconf CLK_TCK)
"$wattsink" compare two-cards.xml --vary run.for=60s,120s,20000d -o cut >out 2>err &
pid=$!
busy() { ! kill -0 $pid 2>/dev/null || awk '{ exit !($14 + $15 >= 3 * ticks) }' ticks="$ticks" /proc/$pid/stat; }
soon busy
kill -INT $pid
wait $pid
got=$?
[ $got = 130 ] && pass "an interrupted comparison ends with 130" || fail "an interrupted comparison ends with 130" "$got"
says err 'interrupted; 2 of 3 cases had ended: they are compared, without their uncertainty' "and says what it compares"
says out '^run[.]for +60s +120s$' "and compares it"
lacks out 20000d "the case that had not ended is left out"
absent cut/compare.json "and writes no file of a part"

# The uncertainty is computed before the winner is simulated by ticks, so an interruption there does not lose it.
"$wattsink" compare two-cards.xml --vary gpu.power-limit=200W,300W --for 5000d --leap >out 2>err &
pid=$!
busy() { ! kill -0 $pid 2>/dev/null || awk '{ exit !($14 + $15 >= 10 * ticks) }' ticks="$ticks" /proc/$pid/stat; }
soon busy
kill -INT $pid
wait $pid
got=$?
[ $got = 130 ] && pass "interrupted while the winner is checked" || fail "interrupted while the winner is checked" "$got"
says err 'interrupted before the best case was simulated again, without skipped cycles$' "tells what is missing"
says out '^200W .*(\+-[0-9]+|-[0-9]+/\+[0-9]+)' "and compares all cases, with their uncertainty"
says out '^300W ' "and compares all cases"
says out '^Winner: 200W' "and names the winner"

# Each PSU that is known only by its 80 PLUS rating has an uncertainty of its own.
exits 0 "PSUs by 80 PLUS rating" "$wattsink" compare two-cards.xml --vary 'psu=psu/tier-gold-1600,psu/tier-platinum-1600' --for 2h --annual
says out '^electricity .*[0-9] (\+-[0-9]+|-[0-9]+/\+[0-9]+)' "leave the cost open"
says out 'Electricity: [0-9.]+ \+-[0-9.]+ USD less' "and the difference"

# The power at the wall excludes the air conditioner. Its power, and the uncertainty of that, count for energy and cost.
cooled="$top/scenarios/home-100v-jp/rig.xml"
sed -e 's|<outdoor[^>]*>|<outdoor mean="20 degC"/>|; s|setpoint="26 degC"|setpoint="30 degC"|; s|conductance="40 W/K"|conductance="120 W/K"|' \
    "$top/scenarios/quad-3090-blower/rig.xml" >mild.xml
exits 0 "a room that only a high limit warms enough" "$wattsink" compare mild.xml --vary 'gpu[*].power-limit=150W,350W' --for 3h
tr -s '\n ' ' ' <out >flat
says flat 'Energy: at the wall and for cooling the room[.]' "counts its cooling"
for cop in '' 3.2; do
    sed "s/<air-conditioner /&${cop:+cop=\"$cop\" }/" "$cooled" >cooled.xml
    for limit in 280 300; do "$wattsink" run cooled.xml --set "gpu[*].power-limit=$limit W" --for 2h -o cooled --force >run.$limit 2>err; done
    exits 0 "a rig beside an air conditioner${cop:+ of known efficiency}" "$wattsink" compare cooled.xml --vary 'gpu[*].power-limit=280W,300W' --for 2h
    # Compares lowest and highest watts of compare (here: "689 ±28" or "735 -57/+27") and of run (there: "mean 689 ±28
    # W" or "mean 735 W (678 to 762)").
    ends() { sed -E 's/^([0-9]+) [^ 0-9]*([0-9]+)$/\1 -\2\/+\2/' | sed -nE 's/^([0-9]+) -([0-9]+)\/[+]([0-9]+)$/\1 \2 \3/p' | awk '{ print $1 - $2, $1 + $3 }'; }
    for limit in 280 300; do
        here=$(sed -nE "s/^${limit}W +[0-9.]+\*? +([0-9]+ [^ *]+).*/\1/p" out | head -n 1 | ends)
        there=$(sed -nE 's/.*mean ([0-9]+) W at the wall \(([0-9]+) to ([0-9]+)\).*/\2 \3/p' "run.$limit")
        [ -n "$there" ] || there=$(sed -nE 's/.*mean ([0-9]+ [^ ]+) W at the wall.*/\1/p' "run.$limit" | ends)
        if awk -v h="$here" -v t="$there" 'function off(i) { return a[i] - b[i] < -1 || a[i] - b[i] > 1 } BEGIN { n = split(h, a, " ") + split(t, b, " "); exit n != 4 || off(1) || off(2) }'; then
            pass "is as certain at the wall as run tells, $limit W"; else fail "is as certain at the wall as run tells, $limit W" "run $there, compare $here"; fi
    done
done

# Builders' rule of thumb: four RTX 3090 at 80 and 90 % of their default limit lose less than 5 % of the work.
exits 0 "the builders' rule" "$wattsink" compare "$top/scenarios/quad-3090-15a/350.xml" --vary 'gpu[*].power-limit=280W,315W,350W' --for 6h --json
sed -n 's/.*"work": {[^}]*"done": \([0-9.]*\),.*/\1/p' out >done
if awk 'NR < 3 { w[NR] = $1 } NR == 3 { ok = ($1 > 0 && w[1] > 0.95 * $1 && w[2] > 0.95 * $1 && w[1] < $1) } END { exit !ok }' done; then
    pass "costs less than 5 % of the work"; else fail "costs less than 5 % of the work" "$(cat done)"; fi

cat >seasons.xml <<'EOF'
<rig name="Seasons"><site supply="120 V"><room temperature="25 degC"/>
  <tariff kind="time-of-use"><season name="summer" from="06-01" to="09-30"/>
    <period name="summer" season="summer" price="0.40 USD/kWh"/><period name="winter" price="0.10 USD/kWh"/></tariff></site>
  <chassis><vent at="front" area="400 cm2"/><vent at="top" area="400 cm2"/><psu kind="constant" rated="1600 W" efficiency="80 %"/></chassis>
  <load dc="800 W"/><run from="2026-07-01T00:00:00" zone="UTC" for="7 d" step="60 s"/></rig>
EOF
exits 0 "a year" "$wattsink" compare seasons.xml --vary 'psu.efficiency=80%,100%' --annual
says out '^Per year of 365 days, simulated' "is simulated"
# 1 kW: 122 days at 0.40 and 243 at 0.10 USD/kWh are 1754.40 USD. July repeated would be 3504 USD.
says out '^electricity  *USD/year  *1754\.40  *1403\.52' "and has both seasons"
exits 0 "with --for" "$wattsink" compare seasons.xml --vary 'psu.efficiency=80%,100%' --annual --for 1d
says out ': 1 d simulated, repeated' "the time is repeated"
says out '^electricity  *USD/year  *3504\.00' "and July is the whole year"
cat >weekend.xml <<'EOF'
<rig name="Sunday"><site supply="230 V" circuit="32 A"><tariff kind="time-of-use"><period days="weekdays" price="1 USD/kWh"/>
  <period days="weekends" price="0.1 USD/kWh"/></tariff><room temperature="25 degC"/></site><chassis/><load ac="1000 W"/>
  <run from="2026-08-02T00:00:00" zone="America/Los_Angeles" for="1 d"/></rig>
EOF
exits 0 "a Sunday for a year" "$wattsink" compare weekend.xml weekend.xml --annual --leap -q
# 1 kW: 260 weekdays at 1 and 105 days of weekends at 0.1 USD/kWh. The Sunday repeated would be 876 USD.
says out '^electricity  *USD/year  *6492\.00' "has weekdays too"
exits 0 "a week for a year" "$wattsink" compare weekend.xml weekend.xml --annual --leap -q --set 'run.for=7 d'
says out ': 7 d simulated, repeated' "is repeated, as it has all days"
sed 's/period days="weekdays"/period from="8:00" to="20:00"/; s/ days="weekends"//' weekend.xml >evening.xml
exits 0 "half a day for a year" "$wattsink" compare evening.xml evening.xml --annual --leap -q --set 'run.for=12 h'
says out '^electricity  *USD/year  *4818\.00' "has all hours"
exits 0 "a day for a year" "$wattsink" compare evening.xml evening.xml --annual --leap -q
says out ': 1 d simulated, repeated' "is repeated, as each day costs the same"

exits 0 "a card whose memory is too hot" "$wattsink" compare "$top/scenarios/v100-memory/rig.xml" --vary 'gpu.power-limit=175W,250W' --annual
tr -s '\n ' ' ' <out >flat
says flat ' 250W does [0-9.]+ % less work than 175W at a higher power limit \(250 W, not 175 W\)' "does less with more, and it is said"
says flat 'No winner between (175W and 250W|250W and 175W): .* within its uncertainty.* Cheapest: (175|250)W,' "no case wins by less than its uncertainty"
grep -q '^Winner' out && fail "and so there is no winner" || pass "and so there is no winner"
[ "$(awk 'length > 80' out | wc -l)" = 0 ] && pass "in 80 columns" || fail "in 80 columns" "$(awk 'length > 80' out)"
[ "$(grep -cE '^ *%([,.;:]| [^ ]|$)' out)" = 0 ] && pass "no number is torn from its per cent" || fail "no number is torn from its per cent" "$(grep '^ *%' out)"
sed 's|</site>|<tariff kind="flat" price="0.16 USD/kWh"/></site>|' "$top/scenarios/quad-3090-15a/350.xml" >outlet.xml
exits 0 "a supply that is too small" "$wattsink" compare outlet.xml --vary 'gpu[*].power-limit=250W,350W' --for 6h
tr -s '\n ' ' ' <out >flat
says flat '350W: [0-9]+ % chance of a PSU trip, PSU load 10[0-9] % of its available output' "is told"
says out '^Winner: 250W' "and loses"
says out 'PSU load  *circuit load' "and stands in the table"
exits 0 "a brake" "$wattsink" compare "$top/scenarios/redundant-8gpu/braked.xml" "$top/scenarios/redundant-8gpu/limited.xml" --for 13h
says out '^throttled by heat  *% of time  *0\.0  *0\.0$' "a locked clock is not called heat"
says out '^lost to heat and power brake' "and is named beside it"
exits 0 "files on that outlet" "$wattsink" compare "$top/scenarios/quad-3090-15a/350.xml" "$top/scenarios/quad-3090-15a/250.xml" --for 6h
says out '^trip risk  *%  *[1-9][0-9]*  *0$' "have a row that tells which trips"
says out '^circuit load  *% of limit  *1[0-9]+  *10[0-9]$' "and one for the circuit"
# Of the 1600 W of this PSU 800 W are available at 120 V. Two cards at 340 W make a load of 660 W, 83 %: no overload.
cat >low-line.xml <<'RIG'
<rig name="low line"><site supply="120 V"><room temperature="20 degC"/><tariff kind="flat" price="0.2 USD/kWh"/></site>
  <chassis part="chassis/open-bench"><psu part="psu/server-platinum-1600"/><gpu part="gpu/rtx-3090-open-air" slot="1"/><gpu part="gpu/rtx-3090-open-air" slot="5"/></chassis>
  <workload kind="constant" class="decode"/><run for="1 h"/></rig>
RIG
exits 0 "compare takes a PSU whose output is reduced at 120 V" "$wattsink" compare low-line.xml --vary 'gpu[*].power-limit=250W,340W' -o low-line
lacks out 'of its available output|overload' "a PSU at 120 V is not overloaded in compare if it is not in run"
"$wattsink" run low-line.xml --set 'gpu[*].power-limit=340W' -o low-line-run -q
load=$(sed -n 's/.*"load_peak": \(0\.[0-9]*\).*/\1/p' low-line-run/summary.json | head -n 1)
says low-line/compare.json "\"supply_peak\": $load" "the load of a PSU at 120 V is in compare that of run"

site='<site supply="120 V"><room temperature="25 degC"/><tariff kind="flat" price="0.16 USD/kWh"/></site>'
for card in rtx-3090-open-air:30 rtx-4070:12; do
    for rate in '' " rate=\"${card#*:}\" unit=\"tokens\""; do
        echo "<rig name=\"x\">$site<chassis part=\"chassis/open-bench\"><psu part=\"psu/tier-gold-850\"/><gpu part=\"gpu/${card%:*}\" slot=\"1\"/></chassis>
<workload kind=\"constant\" class=\"decode\"$rate/><run from=\"2026-08-03T09:00:00\" zone=\"UTC\" for=\"1 h\" step=\"1 s\"/></rig>" >"${card%:*}${rate:+-tokens}.xml"
    done
done
exits 0 "unlike cards" "$wattsink" compare rtx-3090-open-air.xml rtx-4070.xml
tr -s '\n ' ' ' <out >flat
says flat 'No winner: GPU-hours of GeForce RTX 3090 and of GeForce RTX 4070 are different amounts of work' "have no winner by their hours"
lacks out 'GPU-h( |$)' "and the table has no GPU-hours"
exits 0 "with tokens" "$wattsink" compare rtx-3090-open-air-tokens.xml rtx-4070-tokens.xml
says out '^Winner: rtx-3090-open-air-tokens, [0-9.]+ USD per million tokens' "the one with the cheaper token wins"
says out 'Work: [56][0-9.]+ .*less' "and does more, as its rate says"
# Tokens of two models, and GPU-hours of two kinds of work, are not the same work.
grep -q 'not the same work' out && fail "one kind of work is told as two" "$(cat out)" || pass "one kind of work is not told as two"
llama="$top/scenarios/llama-70b-2x3090/rig.xml"
exits 0 "two quantisations of one model" "$wattsink" compare "$llama" --vary workload.quant=Q4_K_M,Q3_K_L --for 1h
grep -q 'not the same work' out && fail "are told as different work" "$(cat out)" || pass "are not told as different work"
exits 0 "two models" "$wattsink" compare "$llama" --vary workload.model=model/llama-3.1-70b,model/llama-3.1-8b --for 1h
tr -s '\n ' ' ' <out >flat
says flat 'different models \(model/llama-3.1-70b, model/llama-3.1-8b\), so their tokens are not the same work' "are told"
exits 0 "two kinds of work" "$wattsink" compare "$top/scenarios/single-3090/rig.xml" --vary workload.class=training,decode --for 1h
tr -s '\n ' ' ' <out >flat
says flat 'different kinds of work \(training, decode\), so their GPU-hours are not the same work' "are told"
exits 0 "limits of a card that counts tokens" "$wattsink" compare rtx-3090-open-air-tokens.xml --vary 'gpu.power-limit=250W,350W'
says out 'million tokens|1000 tokens' "are told in them"
exits 0 "one rate for two cards" "$wattsink" compare rtx-3090-open-air-tokens.xml --vary 'gpu.part=gpu/rtx-3090-open-air,gpu/rtx-4070'
tr -s '\n ' ' ' <out >flat
says flat 'the rate of one card' "is not taken for both"
exits 0 "limits of a card that nobody measured" "$wattsink" compare rtx-4070.xml --vary 'gpu.power-limit=120W,200W'
says out '^120W .* \+-[0-9]+' "have their spread"
says out 'Loads of one class differ' "and say so"
exits 0 "a locked clock" "$wattsink" compare rtx-3090-open-air.xml --vary 'gpu.lock-clock=900MHz,1500MHz' --vary 'gpu.power-limit=250W,300W'
lacks out 'limited by heat' "a locked clock is not called heat"
says out 'its clock is locked at 900 MHz' "and is named"

if command -v gnuplot >/dev/null; then
    exits 0 "two supplies in an air-conditioned room" "$wattsink" compare "$top/scenarios/quad-3090-blower/rig.xml" \
        --vary psu=psu/tier-bronze-1600,psu/tier-gold-1600 --for 1h -o pic
    "$wattsink" plot pic >/dev/null 2>err
    for layer in cards 'rest of the rig' 'fans, pumps' 'PSU losses' 'room cooling'; do
        says pic/plots/compare.svg "$layer" "the legend has $layer"
    done
    exits 0 "unlike cards" "$wattsink" compare rtx-3090-open-air.xml rtx-4070.xml -o unlike
    "$wattsink" plot unlike >/dev/null 2>err
    lacks unlike/plots/compare.svg 'GPU-h' "have no bars of work"
    exits 0 "that count tokens" "$wattsink" compare rtx-3090-open-air-tokens.xml rtx-4070-tokens.xml -o tokens
    "$wattsink" plot tokens >/dev/null 2>err
    says tokens/plots/compare.svg 'tokens' "have bars of tokens"
    exits 0 "tokens by a formula" "$wattsink" compare "$top/scenarios/llama-70b-2x3090/rig.xml" --vary 'gpu[*].power-limit=250W,350W' --for 1h -o formula
    "$wattsink" plot formula --what compare -q
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        !($at["work_band"] > 0.07 * $at["work"] && $at["per_work_band"] > 0.07 * $at["per_work"]) { bad = 1 } END { exit bad || NR < 3 }' formula/plots/compare.csv &&
        pass "have its error in their bars" || fail "have its error in their bars" "$(cat formula/plots/compare.csv)"
    says formula/compare.json '"count_spread": [0-9.]+, "cost_per_count_spread": [0-9.e-]+' "and compare.json has it"
fi

export SOURCE_DATE_EPOCH=1793500000
printf '<rig><chassis part="chassis/mid-tower-mesh"><gpu part="gpu/rtx-4090" slot="1"/><psu part="psu/tier-gold-1000"/></chassis><workload class="training"/><run for="1 h"/></rig>\n' >priced.xml
exits 0 "old prices" "$wattsink" check priced.xml
says err '^advice: prices older than a year: 2 of 3 \(oldest: gpu/rtx-4090, 2022-10\), without a date: 1;' "check tells old prices"
printf 'id,price,date\n# by hand\ngpu/rtx-4090, 2500 USD, 2026-10-01\npsu/tier-gold-1000,150 USD,2026-10-01\n' >prices.csv
exits 0 "a list of prices" "$wattsink" check priced.xml --prices prices.csv
lacks err 'prices older' "tells no new prices"
exits 0 "sources of a list" "$wattsink" check priced.xml --prices prices.csv --sources
says out 'price="2500 USD" price-date="2026-10-01": database; prices.csv, 2026-10-01' "a price names its list"
exits 0 "compared by a list" "$wattsink" compare priced.xml priced.xml --prices prices.csv --json
says out '"purchase": 2750,' "purchase by the list"
exits 0 "compared by old prices" "$wattsink" compare priced.xml priced.xml
says err '^advice: prices older than a year: 2 of 3' "compare tells old prices"
while IFS='|' read -r row what; do
    echo "$row" >prices.csv
    exits 3 "bad prices: $row" "$wattsink" check priced.xml --prices prices.csv
    says err "^prices\.csv:1:1: .*$what" "bad prices told: $row"
done <<END
gpu/rtx-409,1 USD,2026-01-01|there is no part "gpu/rtx-409".*did you mean "gpu/rtx-4090"
gpu/rtx-4090,dear,2026-01-01|"dear" is not a price
gpu/rtx-4090,-1 USD,2026-01-01|"-1 USD" is not a price
gpu/rtx-4090,1 USD,yesterday|"yesterday" is not a date
gpu/rtx-4090,1 USD|expected three columns
gpu/rtx-4090,1 USD,2026-01-01,new|expected three columns
cooler/aio-240,1 USD,2026-01-01|parts of <cooler> have no price
END
exits 3 "no such list" "$wattsink" check priced.xml --prices nowhere.csv
says err 'nowhere\.csv: cannot open' "no such list is told"

for card in rtx-5070 rtx-4070-ti rtx-4070-ti-super; do
    cat >"$card.xml" <<RIG
<rig name="$card"><site supply="230 V"><room temperature="24 degC"/><tariff kind="flat" price="0.3 USD/kWh"/></site>
  <chassis part="chassis/workstation-12-slot"><psu part="psu/tier-gold-850"/><cpu part="cpu/generic-desktop"/>
    <fan part="fan/generic-140-1500" at="front" count="3"/><gpu part="gpu/$card" slot="1"/></chassis>
  <workload kind="inference" model="model/llama-3.1-8b"/><run for="20 min" start="steady"/></rig>
RIG
done
exits 0 "cards whose costs are within the uncertainty" "$wattsink" compare rtx-5070.xml rtx-4070-ti.xml rtx-4070-ti-super.xml -q
tr -s '\n ' ' ' <out >line
says line 'gpu/rtx-5070: no measurements of this card in this kind of work: throughput' "a card without measurements is told"
sed 's/rtx-5070/rtx-3090/g' rtx-5070.xml >measured.xml
exits 0 "a card whose class was measured" "$wattsink" steady measured.xml
lacks out 'no measurements of this card' "a card whose class was measured has no such note"
says line 'Most work of these: rtx-4070-ti-super, which cannot be told apart from rtx-5070\.' "the case with the most work names the case it cannot be told apart from"
says line 'Coolest of these: rtx-4070-ti(\.|, which cannot be told apart from rtx-4070-ti-super\.)' "a case that is hotter by more than the uncertainty is not among the coolest"

exits 3 "a bad value" "$wattsink" compare two-cards.xml --vary 'gpu[0].power-limit=200W,20kg'
exits 3 "a bad path" "$wattsink" compare two-cards.xml --vary 'gpu[0].power=limit'
exits 2 "more cases than there may be" "$wattsink" compare load.xml --vary psu.efficiency=70%:90%:0.1% --vary tariff.price=0.1USD/kWh:0.2USD/kWh:0.001USD/kWh
says err 'vary makes more than [0-9]+ cases' "is told"

# At constant load and price, a run of a week gives the same year as a run of a day. The cost of a year is then equally
# uncertain, and the case with the lower power limit does less work a year.
sed 's/<workload.*/<workload kind="constant" class="training" gpus="all"\/>/; s/<tariff.*/<tariff price="0.3 USD\/kWh"\/>/' \
    "$top/scenarios/single-3090/rig.xml" >day.xml
sed 's/power-limit="[^"]*"/power-limit="250 W"/' day.xml >week.xml
sed 's/ for="[^"]*"/ for="1 d"/' day.xml >day && sed 's/ for="[^"]*"/ for="7 d"/' week.xml >week7.xml
sed 's/ for="[^"]*"/ for="1 d"/' week.xml >week1.xml
mv day day.xml
difference() { sed -n "s/.*\"work_difference\": \([^,]*\), .*/\1/p" out | tail -1; }
exits 0 "a day and a day" "$wattsink" compare day.xml week1.xml -q --annual --leap
alike=$(sed -nE "s/^    Electricity: .* (±|\+-)([0-9.]*) USD less a year\\.$/\2/p" out)
exits 0 "a day and a week" "$wattsink" compare day.xml week7.xml -q --annual --leap
unlike=$(sed -nE "s/^    Electricity: .* (±|\+-)([0-9.]*) USD less a year\\.$/\2/p" out)
awk -v a="$alike" -v b="$unlike" 'BEGIN { exit !(a > 0 && b > 0 && b < 1.2 * a && a < 1.2 * b) }' &&
    pass "are as uncertain a year" || fail "are as uncertain a year" "±$alike, ±$unlike"
exits 0 "in JSON" "$wattsink" compare day.xml week7.xml -q --annual --leap --json
awk -v d="$(difference)" 'BEGIN { exit !(d < -100) }' && pass "less work a year is less" || fail "less work a year is less" "$(difference)"
exits 0 "as they are" "$wattsink" compare day.xml week7.xml -q --leap --json
[ "$(difference)" = null ] && pass "their work is not compared" || fail "their work is not compared" "$(difference)"
# The plant that cools the facility's water is not on the meter, but the fans of the air-cooled case are.
sxm=$top/scenarios/sxm-air-vs-liquid
exits 0 "a machine on facility water" "$wattsink" compare "$sxm/air.xml" "$sxm/liquid.xml" --for 1h
says out "^liquid: [45][.][0-9] kWh of heat went into the facility's water; its chiller, pumps" "the heat into the facility's water is told of the liquid-cooled case"
lacks out "^air: .*facility's water" "no such heat is told of the case on air"
"$wattsink" steady "$sxm/liquid.xml" >out 2>&1
says out "^Water  *[45][0-9][0-9][0-9] W of heat go into the facility's water; its chiller, pumps and CDU are neither" "the watts into the facility's water are told at a steady point"
"$wattsink" check "$sxm/liquid.xml" >out 2>&1
says out 'without a price: .*loop0' "check tells a facility loop without a price"
"$wattsink" check "$sxm/liquid.xml" --set 'loop.price=9000 USD' >out 2>&1
lacks out 'without a price: .*loop0' "check accepts the price of a facility loop"
# A card that requests keep busy for a quarter of the time does a quarter of the work of one that is always busy.
sed 's|<workload .*/>|<workload kind="inference" class="decode" load-curve="24 h:25 %"/>|' "$top/scenarios/single-3090/rig.xml" >quarter.xml
exits 0 "power limits of a card with pauses" "$wattsink" compare quarter.xml --for 6h --vary gpu.power-limit=300W,350W
says out '^350W .* 25[.]0' "their throughput is a quarter"
tr -s '\n ' '  ' <out >told
says told 'Throughput: % of unthrottled cards at their default limit that are always busy[.]' "and the legend says of what"
exit $status
