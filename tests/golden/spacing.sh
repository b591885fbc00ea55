#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Work lost to heat by two to four cards in one case, depending on the free slots between them (apart FREE CARDS).
set -u
. tests/golden/helpers.inc

apart() {
    i=0
    while [ $i -lt "$2" ]; do
        printf '%s ' "--set gpu[$i].slot=$((1 + i * (2 + $1)))"
        i=$((i + 1))
    done
}
for thick in 37.6 38.6 39.6; do
    before=0
    for n in 2 3 4; do
        name=$(echo two three four | cut -d' ' -f$((n - 1)))
        for free in 0 1 2; do
            eval "o$free=\$(of \"\$(point spacing/$name-open-air.xml \$(apart $free $n) --set 'gpu[*].thickness=${thick}mm')\" lost_fraction)"
            eval "b$free=\$(of \"\$(point spacing/$name-blower.xml \$(apart $free $n) --set 'gpu[*].thickness=${thick}mm')\" lost_fraction)"
        done
        is "$name cards, $thick mm: touching open-air cards lose more work than touching blowers" "$o0 > $b0"
        is "$name cards, $thick mm: with one free slot less than 2 % of the work is lost, with two no more" "$o1 < 0.02 && $b1 < 0.02 && $o2 <= $o1 + 0.001 && $b2 <= $b1 + 0.001"
        is "$name cards, $thick mm: more touching cards lose no less" "$o0 >= $before"
        before=$o0
    done
done

w=$(point spacing/four-water.xml)
worst=$(calc "$(of "$w" die_mean_c gpu3) - $(of "$w" die_mean_c gpu0)")
is "four cards on water, blocks in parallel: first and last die within 1.5 K" "$worst < 1.5 && $worst > -1.5"
w=$(point spacing/four-water.xml --set loop.blocks=series)
worst=$(calc "$(of "$w" die_mean_c gpu3) - $(of "$w" die_mean_c gpu0)")
is "four cards on water, blocks in series: the last die 0.5 to 4 K warmer than the first" "$worst > 0.5 && $worst < 4"
exit $failed
