#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Checks heatsinks and cold plates of servers, and two cards on water. For servers the results must hold if the
# conductance of heatsinks is up to 20 %, and that of cold plates up to 25 %, below or above the part's value.
set -u
. tests/golden/helpers.inc
sink=$(fins h100-sxm) duct=7.15 plate=100

for percent in 80 100 120; do
    set -- --set workload.class=burn --set "gpu[*].cooler.conductance=$(part "$sink" $percent)W/K"
    air=$(point sxm-air-vs-liquid/air.xml "$@")
    is "modules on air, fins at $percent %: the second row 5-18 K over the first" \
        "$(of "$air" die_mean_c rear1) - $(of "$air" die_mean_c front1) > 5 && $(of "$air" die_mean_c rear1) - $(of "$air" die_mean_c front1) < 18"
    for wet in 75 100 125; do
        liquid=$(point sxm-air-vs-liquid/liquid.xml --set workload.class=burn --set "gpu[*].cooler.conductance=$(part $plate $wet)W/K")
        is "modules, fins at $percent %, plates at $wet %: with liquid the die is cooler than in the first row on air, and 10 K cooler than in the second" \
            "$(of "$liquid" die_mean_c gpu0) < $(of "$air" die_mean_c front1) && $(of "$liquid" die_mean_c gpu0) < $(of "$air" die_mean_c rear1) - 10"
        is "modules, fins at $percent %, plates at $wet %: with liquid no less work at less wall power" \
            "$(of "$liquid" done) >= $(of "$air" done) && $(of "$liquid" wall_kwh) < $(of "$air" wall_kwh)"
    done
done
for percent in 80 100 120; do
    cold=$(point h100-4u/rig.xml --set "gpu[*].cooler.conductance=$(part $duct $percent)W/K")
    is "eight H100 in 4U, fins at $percent %: none slows down at 24 degC" "$(of "$cold" thermal gpu0) == 0 && $(of "$cold" memory_max_c gpu0) < 95"
    hot=$(point h100-4u/rig.xml --set "gpu[*].cooler.conductance=$(part $duct $percent)W/K" --set site.room.temperature=35degC)
    is "eight H100 in 4U, fins at $percent %: in a room of 35 degC the fans run faster" "$(of "$hot" rpm_mean) > $(of "$cold" rpm_mean)"
done

# Measured on an RTX 3090 ArcticStorm: the die is 18 K above the coolant at 400 W of board power, 0.045 K/W.
w=$(point water-3090/rig.xml)
over=$(calc "($(of "$w" die_mean_c gpu0) - $(of "$w" coolant_mean_c)) / $(of "$w" power_mean_w gpu0)")
is "RTX 3090 on water: 0.035-0.06 K/W over its coolant ($over)" "$over > 0.035 && $over < 0.06"
slow=$(of "$w" die_mean_c gpu0) fast=$(of "$(point water-3090/rig.xml --set pump.duty=100%)" die_mean_c gpu0)
is "RTX 3090 on water: a faster pump brings less than 2 K" "$slow - $fast >= 0 && $slow - $fast < 2"

# Room and fan speed of the measured AIO are unknown, so its 43 degC must only be within the range of its fan speeds.
calm=$(of "$(point aio-4090/rig.xml)" die_mean_c) fast=$(of "$(point aio-4090/rig.xml --set gpu.fan=2000rpm)" die_mean_c)
is "RTX 4090 with an all-in-one: 43 degC at 246 W lie between fans at rest and at full speed" "$fast < 43 && $calm > 43"
exit $failed
