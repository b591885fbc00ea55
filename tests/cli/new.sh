#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A new rig runs as it is, for every card in the catalogue.
. "$(dirname "$0")/helpers.inc"

exits 0 "the example" "$wattsink" new --gpus 4 --gpu gpu/rtx-3090-blower -o four.xml
[ "$(grep -c '<gpu ' four.xml)" = 4 ] && pass "has four cards" || fail "has four cards"
exits 0 "checks" "$wattsink" check four.xml
exits 0 "runs" "$wattsink" run four.xml --for 1h -q
exits 1 "never over an existing file" "$wattsink" new -o four.xml
exits 2 "no half cards" "$wattsink" new --gpus 1.5
exits 2 "no zero cards" "$wattsink" new --gpus 0
exits 3 "no more cards than fit" "$wattsink" new --gpus 40
exits 3 "an unknown card" "$wattsink" new --gpu gpu/rtx-3090-blwoer
exits 2 "more cards than any rig has" "$wattsink" new --gpus 100
says err 'from 1 to 64' "with the bounds"
for file in "$top"/parts/gpu/*.xml; do
    part=gpu/$(basename "$file" .xml)
    for count in 1 2 3 4 5 6 7 8; do
        : >check
        "$wattsink" new --gpu "$part" --gpus $count >x.xml 2>err &&
            case $count in 1 | 8) "$wattsink" check x.xml >check 2>>err ;; esac && # a hundred solutions each
            "$wattsink" run x.xml --for 10min -q --force 2>>err && [ ! -s err ] &&
            ! grep -E '^  (power supply|circuit) .* [1-9][0-9][0-9]+ % (loaded|used)' check >>err &&
            pass "$count x $part" || fail "$count x $part" "$(head -3 err)"
    done
done
exit $status
