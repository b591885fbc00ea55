#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Four touching RTX 2080: open-air cards lose more work to heat than blowers, over the stated spread of the gap
# (thickness +-1 mm), the recess and both conductances (+-20 %). In one case (gap 3 mm, best fins, recess 2 mm)
# neither loses work, but the open-air cards are hotter.
set -u
. tests/golden/helpers.inc
open=$(fins rtx-2080) blower=$(fins rtx-2080-blower)

for thick in 37.6 38.6 39.6; do
    worst=0 hottest=0
    for recess in 2 4 6; do
        for percent in 80 100 120; do
            b=$(point quad-2080-blower/rig.xml --set "gpu[*].thickness=${thick}mm" --set "gpu[*].cooler.recess=${recess}mm" \
                --set "gpu[*].cooler.conductance=$(part "$blower" $percent)W/K")
            worst=$(calc "$(of "$b" lost_fraction) > $worst ? $(of "$b" lost_fraction) : $worst")
            [ $percent = 120 ] && hottest=$(calc "$(of "$b" die_mean_c gpu0) > $hottest ? $(of "$b" die_mean_c gpu0) : $hottest")
        done
    done
    for recess in 0 2; do
        for percent in 80 100 120; do
            set -- --set "gpu[*].thickness=${thick}mm" --set "gpu[*].cooler.recess=${recess}mm" \
                --set "gpu[*].cooler.conductance=$(part "$open" $percent)W/K"
            a=$(point quad-2080-openair/rig.xml "$@") s=$(point quad-2080-openair/spaced.xml "$@")
            what="$thick mm thick, fins at $percent %, fans $recess mm deep"
            lost=$(of "$a" lost_fraction)
            is "$what: open-air cards lose more than any blower" \
                "$lost > $worst || ($lost == 0 && $worst == 0 && $(of "$a" die_mean_c gpu0) > $hottest)"
            is "$what: with one free slot less than 2 % of the work is lost" "$(of "$s" lost_fraction) < 0.02"
        done
    done
done
exit $failed
