#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Comparisons: the table, the words, the JSON, and the saving that is often quoted wrong.
. "$(dirname "$0")/helpers.inc"

exits 0 "efficiencies" "$wattsink" compare load.xml --vary 'psu.efficiency=82%,87%' --annual
says out '31\.4[0-9] USD less' "1600 W for a fifth of the year saves 31.4 USD"
says out '22\.4[0-9] USD' "the quoted 22 USD are explained"
says out '112 W less' "by the watts at the wall"
says out 'repeated' "the year is said to be repeated"
says out '^Winner: psu.efficiency=87%' "the winner is named"

exits 0 "json" "$wattsink" compare load.xml --vary 'psu.efficiency=82%,87%' --json
[ "$(grep -c '"label":' out)" = 2 ] && pass "one object a case" || fail "one object a case"
for key in purchase payback_years npv cost_per_work digest work; do
    [ "$(grep -o "\"$key\":" out | wc -l)" = 2 ] && pass "each has $key once" || fail "each has $key once" "$(cat out)"
done
sed 's/A load/B load/' load.xml >b.xml
exits 0 "two files" "$wattsink" compare load.xml b.xml --for 1d
says out '^load ' "labelled by file"
says out '^No winner: the cases cost the same' "equal cases have no winner"
sed 's|<tariff[^>]*/>||' hot.xml >free.xml
exits 0 "a rig without a tariff" "$wattsink" compare free.xml --vary 'gpu.power-limit=150W,250W' --annual
says out '^No winner: no case has a tariff' "says that it lacks one"
says out '250W, against .*150W:$' "and names the cases that differ"

exits 0 "a range" "$wattsink" compare two-cards.xml --vary 'gpu[*].power-limit=200W:300W:50W' --for 6h
[ "$(grep -c '^[0-9]*W  *[0-9]' out)" = 3 ] && pass "makes three cases" || fail "makes three cases" "$(cat out)"
for column in card wall clock work 'per energy' 'per work' hottest; do says out "^power-limit.* $column " "a sweep of limits has the column $column"; done
[ "$(grep -o '[0-9]\*' out | wc -l)" -ge 6 ] && pass "the best of each column is marked" || fail "the best of each column is marked" "$(cat out)"
says out '^200W  *[0-9.]*\*  *[0-9]*\*' "the lowest limit draws least"
says out '^300W does the most work. 2[05]0W does the most with a kilowatt-hour' "what each is best at is said"
"$wattsink" compare two-cards.xml --vary 'gpu[*].power-limit=200W:300W:50W' --for 6h --json |
    grep -v wall_clock_s >one
"$wattsink" compare two-cards.xml --vary 'gpu[*].power-limit=200W:300W:50W' --for 6h --json |
    grep -v wall_clock_s >two
cmp -s one two && pass "the same bits whatever the threads did" || fail "the same bits whatever the threads did"
# Of close values the least wins: the JSON has all digits of a cost.
exits 0 "close values" "$wattsink" compare hot.xml --vary 'gpu.power-limit=105W:140W:1W' --for 2h -o close
won=$(sed -n 's/^Winner: \([0-9]*\)W.*/\1/p' out)
least=$(sed -n 's/.*"cost_per_work": \([0-9.e-]*\).*/\1/p; s/.*"power_limit_w": \([0-9.]*\).*/\1/p' close/compare.json |
    paste - - | sort -g | sed -n '1s/.*\t//p')
[ -n "$won" ] && [ "$won" = "$least" ] && pass "have the cheapest as winner" || fail "have the cheapest as winner" "$won, not $least"
sed 's/power-limit="280 W"//; s/tdp="350 W"/tdp="350 W" plateau-draw="250 W" plateau-high="320 W"/' two-cards.xml >flat.xml
exits 0 "a firmware plateau" "$wattsink" compare flat.xml --vary 'gpu[*].power-limit=240W:330W:10W' --for 2h
says out '^From 250W to 320W nothing changes' "is told"
exits 0 "limits of memory that is too hot" "$wattsink" compare hot.xml --vary 'gpu.power-limit=150W,200W,250W' --for 3h
says out 'lost' "shows what heat takes"
exits 0 "a folder" "$wattsink" compare two-cards.xml --vary 'gpu[*].power-limit=200W,300W' --for 1h -o kept
present kept/compare.json "keeps the comparison"
[ "$(grep -o '"power_limit_w": [0-9.]*' kept/compare.json | tr -d '\n')" = '"power_limit_w": 200"power_limit_w": 300' ] &&
    pass "with each limit" || fail "with each limit" "$(grep power_limit_w kept/compare.json)"
exits 0 "the same rig again" "$wattsink" compare two-cards.xml --vary 'gpu[*].power-limit=220W,300W' --for 1h -o kept
exits 3 "another rig" "$wattsink" compare load.xml --vary 'psu.efficiency=82%,87%' -o kept
says err "holds the results of 'Two cards'" "leaves it alone"
exits 0 "but for --force" "$wattsink" compare load.xml --vary 'psu.efficiency=82%,87%' -o kept --force
exits 0 "two currencies" "$wattsink" compare two-cards.xml --vary 'tariff.price=0.1USD/kWh,0.2EUR/kWh' --for 1h
says out 'different currencies, which are never converted' "are not mixed"
says out '^No winner' "and have no winner"
exits 0 "two times" "$wattsink" compare two-cards.xml --vary 'run.for=1h,2h'
says out '^No winner: the cases last' "have no winner"
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
says out '^- ' "is a case"
exits 0 "standard input varied" sh -c "'$wattsink' compare - --vary 'psu.efficiency=82%,87%' --annual <load.xml"
says out '31\.4[0-9] USD less' "gives what the file gives"
exits 3 "a bad value" "$wattsink" compare two-cards.xml --vary 'gpu[0].power-limit=200W,20kg'
exits 3 "a bad path" "$wattsink" compare two-cards.xml --vary 'gpu[0].power=limit'
exit $status
