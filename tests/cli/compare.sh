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
for key in purchase payback_years npv cost_per_work digest energy; do
    [ "$(grep -o "\"$key\":" out | wc -l)" = 2 ] && pass "each has $key once" || fail "each has $key once" "$(cat out)"
done
sed 's/A load/B load/' load.xml >b.xml
exits 0 "two files" "$wattsink" compare load.xml b.xml --for 1d
says out '^load ' "labelled by file"
says out 'No winner' "equal cases have no winner"

exits 0 "a range" "$wattsink" compare two-cards.xml --vary 'gpu[*].power-limit=200W:300W:50W' --for 6h
[ "$(grep -c '^gpu\[\*\]\.power-limit=[0-9]*W  *[0-9]' out)" = 3 ] && pass "makes three cases" || fail "makes three cases" "$(cat out)"
"$wattsink" compare two-cards.xml --vary 'gpu[*].power-limit=200W:300W:50W' --for 6h --json |
    grep -v wall_clock_s >one
"$wattsink" compare two-cards.xml --vary 'gpu[*].power-limit=200W:300W:50W' --for 6h --json |
    grep -v wall_clock_s >two
cmp -s one two && pass "the same bits whatever the threads did" || fail "the same bits whatever the threads did"
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
