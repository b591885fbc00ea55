#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Four touching RTX 2080: open-air cards lose more work to heat than blowers, over the stated spread of the gap
# (thickness +-1 mm), the fans' recess and the blower's conductance; one free slot cures it. Both rigs stand in the
# same chassis with the same gap.
set -u
failed=0
part=parts/gpu/rtx-2080-blower.xml
fins=$(sed -n 's/^ *conductance="\([0-9.]*\) W\/K".*/\1/p' "$part" | head -n 1)

lost() { # rig, options: lost_fraction of its steady point
    rig=$1; shift
    "$WATTSINK" steady "scenarios/$rig" --json "$@" | sed -n 's/.*"lost_fraction": \([^,]*\),.*/\1/p'
}
holds() { # what, awk condition
    if awk "BEGIN { exit !($2) }"; then echo "ok $1"; else echo "not ok $1: $2"; failed=1; fi
}

for thick in 37.6 38.6 39.6; do
    worst=0
    for recess in 2 4 6; do
        for percent in 80 100 120; do
            blower=$(lost quad-2080-blower/rig.xml --set "gpu[*].thickness=${thick}mm" --set "gpu[*].cooler.recess=${recess}mm" \
                --set "gpu[*].cooler.conductance=$(awk "BEGIN { print $fins * $percent / 100 }")W/K")
            worst=$(awk "BEGIN { print ($blower > $worst) ? $blower : $worst }")
        done
    done
    for recess in 0 2; do
        open=$(lost quad-2080-openair/rig.xml --set "gpu[*].thickness=${thick}mm" --set "gpu[*].cooler.recess=${recess}mm")
        spaced=$(lost quad-2080-openair/spaced.xml --set "gpu[*].thickness=${thick}mm" --set "gpu[*].cooler.recess=${recess}mm")
        holds "$thick mm thick, fans $recess mm deep: open-air cards lose more than any blower" "$open > $worst"
        holds "$thick mm thick, fans $recess mm deep: one free slot leaves less than 2 %" "$spaced < 0.02"
    done
done
exit $failed
