#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Outputs in the READMEs and the how-tos must be what the program prints: each block that begins with "$ " is run, and
# each of its lines, except "...", must be printed, with the same words and nearly the same numbers.
# shellcheck disable=SC2016,SC2094 # backquotes of a page; a page and a file of the same name
set -u
top=$(pwd)
status=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
unset COLUMNS LINES
export LC_ALL=C.UTF-8
cp -R scenarios "$scratch" && cd "$scratch" || exit 1

# shellcheck disable=SC2317 # called by the commands of the pages
wattsink() { "$WATTSINK" "$@"; }
check() {
    if [ -z "$2" ]; then echo "ok $1"; else
        echo "not ok $1"
        echo "$2" | sed 's/^/    /'
        status=1
    fi
}
far() { awk -v most=0.004 -f "$top/tests/near.awk" "$1" "$2" 2>&1; }
xml() { sed -n "/^<$2/,/^<\/${2%% *}>/p" "$top/$1"; }
# put ELEMENT FILE: copies a rig from standard input, and replaces the element by the content of the file.
put() { awk -v element="$1" -v file="$2" '
    $0 ~ "<" element "[ >]" { while ((getline line <file) > 0) print line; skip = 1 }
    !skip { print }
    $0 ~ "</" element ">" || $0 ~ "^ *<" element " .*/>" { skip = 0 }'; }
blocks() {
    rm -f ./*.do ./*.shown
    awk '
        function indent(s) { match(s, /^ */); return RLENGTH }
        /^ *\$ / { k++; depth = indent($0); sub(/^ *\$ /, ""); gsub(/build\/wattsink/, "wattsink"); print >(k ".do"); next }
        k && NF && indent($0) < depth { depth = 1000 }
        k && NF && $1 != "..." && depth < 1000 { print >(k ".shown") }' "$top/$1"
}
compare() {
    blocks "$1"
    rm -rf ./*.out
    for run in *.do; do
        command=$(cat "$run")
        (eval "$command") >out 2>err
        check "$1: $command" "$(far out "${run%.do}.shown"; head -n 3 err)"
    done
}

wattsink new --gpus 2 --gpu gpu/rtx-3090-blower -o my.xml
compare README.md
compare README.ja.md
compare docs/howto/tariffs-and-circuits.md
compare docs/howto/train-at-night.md

page=docs/howto/tariffs-and-circuits.md
sed -n 's/^| \([0-9]*\) V, \([0-9]*\) A | \(.*\) |$/\1 \2 \3/p' "$top/$page" >circuits
check "$page has a table of circuits" "$([ -s circuits ] || echo none)"
while read -r volts amperes shown; do
    wattsink check scenarios/quad-3090-15a/350.xml --set site.supply="${volts}V" --set site.circuit="${amperes}A" >out
    echo "$shown" >row
    check "$page: $shown" "$(far out row)"
done <circuits

page=scenarios/README.md
eval "$(grep '^    wattsink run' "$top/$page")" >out
folder=$(sed -n 's/^    wattsink plot \([^ ]*\).*/\1/p' "$top/$page")
check "$page: plots the results of its run" "$([ -s "${folder:-none}/summary.json" ] || echo "no results in '$folder'")"

page=docs/howto/water-loop.md
wattsink new --gpus 2 --gpu gpu/rtx-3090 -o air.xml
xml $page chassis >chassis
put chassis chassis <air.xml >water.xml
compare $page

page=docs/howto/own-country.md
mkdir -p mine/tariff
xml $page 'tariff title' >mine/tariff/power-co.xml
xml $page site | sed 's|<tariff .*/>|<tariff part="tariff/power-co"/>|' >site
wattsink new --gpus 2 | put site site | sed "s|<run .*|  $(sed -n 's|.*`\(<run from[^`]*\)`.*|\1|p' "$top/$page")|" >rig.xml
compare $page

page=docs/howto/add-a-card.md
grep '^ *<gpu part="gpu/generic"' "$top/$page" >gpu
wattsink new --gpus 1 | put gpu gpu >rig.xml
compare $page
mkdir -p own/model
xml $page 'model title' >own/model/qwen3-1.7b.xml
wattsink new --gpus 1 | sed 's|<workload .*/>|<workload kind="inference" model="model/qwen3-1.7b"/>|' >rig.xml
check "$page: its model generates tokens" "$(wattsink steady rig.xml --parts own 2>&1 | grep -q '^Tokens .* generated' || echo "no tokens")"

page=docs/howto/replay-a-trace.md
for element in site workload run; do sed -n "s|^ *\(<${element}[^\`]*>\)\$|\1|p" "$top/$page" >$element; done
awk 'BEGIN { print "timestamp, index, power.draw [W], temperature.gpu, fan.speed [%], clocks.current.sm [MHz]"
    for (s = 0; s < 3600; s++) printf "2026/11/22 12:%02d:%02d.100, 0, %d.00 W, %d, 66 %%, 1500 MHz\n", s / 60, s % 60, s % 600 < 540 ? 295 : 28, s < 3 ? 30 : 60 }' >smi.csv
wattsink new --gpus 1 | put site site | put workload workload | put run run >rig.xml
compare $page
exit $status
