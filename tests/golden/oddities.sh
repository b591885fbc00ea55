#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Measured orders: which of two coolers is the better one depends on the case, the neighbouring card and the side panel.
# Each order must hold over the stated spread of the gap (thickness +-1 mm), the recess and the conductance (+-20 %).
set -u
. tests/golden/helpers.inc
open=$(fins gtx-1080-open-air) blower=$(fins gtx-1080) titan=$(fins rtx-2080) class=$(fins rtx-2080-ti-blower)

# Measured: the blower has 83 degC and 37 dBA, open-air cards have 68-81 degC and 29-34 dBA.
a=$(point bench-1080/open-air.xml) b=$(point bench-1080/blower.xml)
is "bench: about 11 K cooler" "$(of "$b" die_mean_c) - $(of "$a" die_mean_c) > 7 && $(of "$b" die_mean_c) - $(of "$a" die_mean_c) < 16"
is "bench: 5-6 dB quieter" "$(of "$b" noise_dba) - $(of "$a" noise_dba) > 2 && $(of "$b" noise_dba) - $(of "$a" noise_dba) < 9"
for percent in 80 120; do
    a=$(point bench-1080/open-air.xml --set "gpu.cooler.conductance=$(part "$open" $percent)W/K")
    b=$(point bench-1080/blower.xml --set "gpu.cooler.conductance=$(part "$blower" $percent)W/K")
    is "bench, fins at $percent %: cooler" "$(of "$b" die_mean_c) - $(of "$a" die_mean_c) > 3"
    is "bench, fins at $percent %: no louder" "$(of "$b" noise_dba) > $(of "$a" noise_dba) - 1"
done

for thick in 37.6 38.6 39.6; do
    for percent in 80 100 120; do
        a=$(point pair-1080/open-air.xml --set "gpu[*].thickness=${thick}mm" --set "gpu[*].cooler.conductance=$(part "$open" $percent)W/K")
        for recess in 0 2; do
            b=$(point pair-1080/blower.xml --set "gpu[*].thickness=${thick}mm" --set "gpu[*].cooler.recess=${recess}mm" \
                --set "gpu[*].cooler.conductance=$(part "$blower" $percent)W/K")
            is "pair, $thick mm, fins at $percent %, recess $recess mm: open-air cards lose less to heat and are cooler" \
                "$(of "$a" lost_fraction) < $(of "$b" lost_fraction) && $(of "$a" die_mean_c upper) < $(of "$b" die_mean_c upper)"
        done
    done
done

# If an open-air card touches a blower below it, the open-air card must lose more work than the blower. If a blower is
# above an open-air card, whose exhaust it takes in, the blower must lose more.
alone() { # CARD PERCENT: work of that card alone in the same case, with PERCENT of its conductance
    p=$blower
    [ "$1" = gtx-1080 ] || p=$open
    of "$(point pair-1080/alone.xml --set "gpu.part=gpu/$1" --set "gpu.cooler.conductance=$(part "$p" "$2")W/K")" work_rel
}
for percent in 80 100 120; do
    o=$(alone gtx-1080-open-air $percent) b=$(alone gtx-1080 $percent)
    for thick in 37.6 38.6 39.6; do
        both="--set gpu[*].thickness=${thick}mm"
        a=$(point pair-1080/open-air-over-blower.xml $both --set "gpu[0].cooler.conductance=$(part "$open" $percent)W/K" \
            --set "gpu[1].cooler.conductance=$(part "$blower" $percent)W/K")
        is "mixed pair, $thick mm, fins at $percent %: the blower below suffers less than the open-air card" \
            "$b - $(of "$a" work_rel blower) < $o - $(of "$a" work_rel open)"
        a=$(point pair-1080/blower-over-open-air.xml $both --set "gpu[1].cooler.conductance=$(part "$open" $percent)W/K" \
            --set "gpu[0].cooler.conductance=$(part "$blower" $percent)W/K")
        is "mixed pair, $thick mm, fins at $percent %: the blower above suffers more" \
            "$b - $(of "$a" work_rel blower) > $o - $(of "$a" work_rel open)"
    done
done

for thick in 37.6 38.6 39.6; do
    for percent in 80 100 120; do
        set -- --set "gpu[*].thickness=${thick}mm" --set "gpu[0].cooler.conductance=$(part "$titan" $percent)W/K" \
            --set "gpu[1].cooler.conductance=$(part "$class" $percent)W/K" --set "gpu[2].cooler.conductance=$(part "$class" $percent)W/K" \
            --set "gpu[3].cooler.conductance=$(part "$titan" $percent)W/K"
        a=$(point titan-positions/top.xml "$@") b=$(point titan-positions/bottom.xml "$@")
        is "TITAN, $thick mm, fins at $percent %: the TITAN is slow at the top, and not at the bottom" \
            "$(of "$a" work_rel titan) < $(of "$b" work_rel titan) - 0.01 && $(of "$b" work_rel titan) > 0.98"
        is "TITAN, $thick mm, fins at $percent %: the blower below the TITAN suffers less" "$(of "$a" work_rel upper) > $(of "$a" work_rel titan)"
        is "TITAN, $thick mm, fins at $percent %: the blower over an open-air card is the slower one" \
            "$(of "$a" work_rel lower) < $(of "$a" work_rel upper)"
    done
done

# Measured: closing the side panel raises an open-air card's fan speed by about 9 %, but hardly a blower's. Means over
# several room temperatures are compared, because the speed changes in steps.
gain() { # KIND PERCENT CONDUCTANCE: relative rise of the fan speed when the panel is closed
    total=0
    for room in 20 21 22 23 24; do
        r="--set site.room.temperature=${room}degC"
        c="--set gpu.cooler.conductance=$(part "$3" "$2")W/K"
        a=$(of "$(point side-panel/$1-closed.xml $r $c)" fan_mean_rpm) b=$(of "$(point side-panel/$1-open.xml $r $c)" fan_mean_rpm)
        total=$(calc "$total + $a / $b")
    done
    calc "$total / 5 - 1"
}
for percent in 80 100 120; do
    a=$(gain open-air $percent "$titan") b=$(gain blower $percent "$blower")
    is "side panel, fins at $percent %: an open-air card's fans 4-15 % faster ($a)" "$a > 0.04 && $a < 0.15"
    is "side panel, fins at $percent %: a blower's less than 3 % ($b)" "$b < 0.03 && $b > -0.01"
done
exit $failed
