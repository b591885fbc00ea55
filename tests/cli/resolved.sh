#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# rig.resolved.xml states every value, but a value that came from a part or a default must still change when --set
# replaces the part, and a value written in the rig must stay.
. "$(dirname "$0")/helpers.inc"

answer() {
    file=$1 to=$2
    shift 2
    sets=
    for a in "$@"; do sets="$sets --set $a"; done
    # shellcheck disable=SC2086 # assignments have no spaces
    "$wattsink" steady "$file" $sets --json >"$to.json" 2>"$to.err"
    code=$?
    sed 's/"wall_clock_s": [^,]*//' "$to.json" >"$to"
}
alike() {
    name=$1
    shift
    answer "$name.xml" a "$@"
    first=$code
    answer "$name/rig.resolved.xml" b "$@"
    if [ "$first$code" = 00 ] && cmp -s a b; then pass "$name $*"; else
        fail "$name $*" "exits $first $code: $(cat a.err b.err | head -4) $(diff a b | head -4)"
    fi
    if cmp -s a "$name.plain"; then fail "$name $* changes something"; else pass "$name $* changes something"; fi
}
refused() {
    name=$1
    shift
    answer "$name.xml" a "$@"
    first=$code
    answer "$name/rig.resolved.xml" b "$@"
    if [ "$first$code" = 33 ]; then pass "$name $* is refused"; else fail "$name $* is refused" "exits $first $code"; fi
}
scenario() {
    sed '/<run /s/for="[^"]*"/for="1 s"/' "$top/scenarios/$2" >"$1.xml"
    exits 0 "run $1" "$wattsink" run "$1.xml" -q -o "$1"
    exits 0 "run $1 as resolved" "$wattsink" run "$1/rig.resolved.xml" -q -o "$1.again"
    cmp -s "$1/rig.resolved.xml" "$1.again/rig.resolved.xml" && pass "$1 resolves to itself" ||
        fail "$1 resolves to itself" "$(diff "$1/rig.resolved.xml" "$1.again/rig.resolved.xml" | head -4)"
    answer "$1.xml" "$1.plain"
}

scenario openair quad-2080-openair/rig.xml
alike openair psu=psu/tier-bronze-850
alike openair 'gpu[*]=gpu/rtx-2080-blower'
alike openair 'gpu[3]=gpu/rtx-3090'
alike openair 'gpu[gpu1].part=gpu/rtx-2070'
alike openair cpu=cpu/epyc-7763
alike openair chassis=chassis/open-bench chassis.slots=12
alike openair 'fan[0]=fan/generic-140-1500'
alike openair gpu.cooler=cooler/generic-blower
alike openair 'gpu[1].cooler.kind=passive'
alike openair 'gpu[2].power-limit=150W' 'gpu[2]=gpu/rtx-2080-super'
alike openair tariff=tariff/flat-de
refused openair psu=psu/tier-brass-850
refused openair psu.kind=constant
refused openair psu.rated-power=1W

scenario spare redundant-8gpu/rig.xml
alike spare 'psu[*]=psu/tier-titanium-1600'
alike spare 'psu[0]=psu/tier-titanium-1600'
alike spare 'gpu[*]=gpu/a100-pcie-80gb'
alike spare cpu=cpu/epyc-9354
alike spare 'chassis.fan[0].rpm=9000rpm'
refused spare 'chassis.fan[0]=fan/generic-120-1500'

scenario water water-3090/rig.xml
alike water 'gpu[*]=gpu/rtx-4090'
alike water 'radiator[0]=radiator/generic-420'
alike water pump=pump/ddc-3-1
alike water 'cooler=cooler/block-full-cover'
alike water chassis=chassis/fractal-torrent
alike water 'loop[water].radiator[1].fan=fan/noctua-nf-a14'

scenario sxm sxm-air-vs-liquid/liquid.xml
refused sxm loop=loop/custom-2x480-ddc # the rig states `supply`, which this loop does not have
alike sxm 'gpu[*]=gpu/h200-sxm'

scenario memory v100-memory/rig.xml
alike memory psu=psu/tier-gold-550
alike memory gpu=gpu/p100-pcie
alike memory 'fan=fan/noctua-nf-f12'
alike memory 'chassis=chassis/open-bench'

# Values that --set gave when the rig was resolved count as written in the rig; values of the replaced part are gone.
"$wattsink" run spare.xml -q -o set --set 'chassis.fan[0].rpm=9000rpm' --set gpu.class[training].clock-share=90% --set gpu.power-limit=300W
answer spare.xml a 'chassis.fan[0].rpm=9000rpm' 'gpu.class[training].clock-share=90%' gpu.power-limit=300W 'gpu=gpu/h100-pcie'
answer set/rig.resolved.xml b gpu=gpu/h100-pcie
cmp -s a b && [ "$code" = 0 ] && pass "what was set stays under a new part" || fail "what was set stays under a new part" "$(cat a.err b.err; diff a b | head -4)"
exit $status
