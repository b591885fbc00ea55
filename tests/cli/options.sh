#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/helpers.inc"

exits 2 "no command" "$wattsink"
exits 2 "unknown command" "$wattsink" rum
says err "did you mean 'run'" "the nearest command is suggested"
for pair in version=--version watch='run --watch' catalogue=parts validate=check init=new rnu=run; do
    exits 2 "no command: ${pair%%=*}" "$wattsink" "${pair%%=*}"
    says err "did you mean '${pair#*=}'" "${pair%%=*}: what it is called here"
done
exits 2 "no command like it" "$wattsink" qqqqqqqq
says err "'wattsink help' lists the commands" "where there are some is said"
exits 2 "a misspelt --version" "$wattsink" --verison
says err "did you mean '--version'" "is understood"
exits 2 "a command that is not built is unknown" "$wattsink" calibrate two-cards.xml
exits 2 "unknown option" "$wattsink" run --quite two-cards.xml
says err "did you mean '--quiet'" "the nearest option is suggested"
for pair in optimise:--vary=--over sweep:--over=--vary compare:--over=--vary optimise:--best=--min sweep:--max=--best; do
    asked=${pair#*:}
    exits 2 "${pair%%=*}" "$wattsink" "${pair%%:*}" rig.xml "${asked%=*}" x
    says err "did you mean '${asked#*=}'" "what this command calls it"
done
exits 2 "an option that is not built is unknown" "$wattsink" run --lanes two-cards.xml
exits 2 "unknown letter" "$wattsink" run -x two-cards.xml
exits 2 "option without its value" "$wattsink" run two-cards.xml -o
exits 2 "flag with a value" "$wattsink" run --json=yes two-cards.xml
exits 2 "no rig" "$wattsink" run
exits 2 "two rigs" "$wattsink" run two-cards.xml load.xml
exits 2 "unknown stepper" "$wattsink" run --stepper fats two-cards.xml
says err "did you mean 'fast'" "the nearest stepper is suggested"
exits 2 "comparing one" "$wattsink" compare two-cards.xml
exits 2 "vary without values" "$wattsink" compare two-cards.xml --vary gpu.power-limit
exits 2 "plot without a folder" "$wattsink" plot
exits 2 "unknown picture" "$wattsink" plot x --what tmeps
says err "did you mean 'temps'" "the nearest picture is suggested"
exits 2 "unknown format" "$wattsink" plot x --format pgn
exits 3 "plot of a folder without results" "$wattsink" plot .
exits 3 "missing rig" "$wattsink" run nowhere.xml
exits 3 "missing folder of parts" "$wattsink" check --parts nowhere two-cards.xml
exits 3 "unknown element" "$wattsink" kinds gpuu

exits 0 "version" "$wattsink" --version
says out '^wattsink [0-9]+\.[0-9]+\.[0-9]+$' "the version is one line"
# Commands in a help text are copied as they are shown, however wide the terminal is.
mkdir bin
printf '#!/bin/sh\necho "run with: $*"\n' >bin/nvidia-smi
chmod +x bin/nvidia-smi
for lang in en ja; do
    for columns in 80 60; do
        LC_ALL=C.UTF-8 COLUMNS=$columns "$wattsink" help calibrate --lang $lang >out 2>err
        sed -n '/^  nvidia-smi/,/^  wattsink new/p' out | sed '$d' >paste.sh
        if sh -n paste.sh && PATH=$scratch/bin:$PATH sh paste.sh && [ "$(cat log.csv)" = "run with: --format=csv -l 1 --query-gpu=timestamp,index,power.draw,power.limit,utilization.gpu,utilization.memory,clocks.sm,temperature.gpu,temperature.memory,fan.speed" ]; then
            pass "the command in help is one, $lang at $columns"; else fail "the command in help is one, $lang at $columns" "$(cat paste.sh log.csv)"; fi
        says out '^  wattsink calibrate my\.xml --log log\.csv -o mine$' "and so is a short one"
        rm -f log.csv
    done
done
LC_ALL=C.UTF-8 COLUMNS=80 "$wattsink" help calibrate >out 2>err
if awk '/^[A-Z]/ && length < 40 && !/[.:]$/ { exit 1 }' out; then pass "a paragraph has no short line but its last"; else fail "a paragraph has no short line but its last" "$(awk '/^[A-Z]/ && length < 40 && !/[.:]$/' out)"; fi
exits 0 "help" "$wattsink" help
for command in run new steady check compare plot parts kinds schema help; do
    says out "^  $command " "help lists $command"
done
for command in run new steady check compare plot parts kinds schema help; do
    "$wattsink" help $command >help.txt
    says help.txt "^example: wattsink $command" "help $command has an example"
    "$wattsink" $command --help | cmp -s - help.txt && pass "$command --help" || fail "$command --help"
done
exits 2 "help for an unknown command" "$wattsink" help rnu
exits 0 "kinds of one element" "$wattsink" kinds psu
says out 'efficiency' "kinds lists parameters"
exits 0 "parts" "$wattsink" parts
says out '^gpu/rtx-3090-blower +[A-Z]' "parts lists ids and titles"
exits 0 "parts of a family" "$wattsink" parts psu
says out '^psu/tier-gold-1600' "the family is listed"
grep -q '^gpu/' out && fail "and no other id" || pass "and no other id"
exits 0 "parts by text" "$wattsink" parts --search blower
says out '^gpu/rtx-2080-blower' "found by text"
exits 3 "parts of an unknown family" "$wattsink" parts gup
exits 3 "parts that nothing matches" "$wattsink" parts --search nonesuch
exits 0 "one part" "$wattsink" parts --show gpu/rtx-3090-blower
says out 'tdp .*350 W' "with its values"
exits 3 "an unknown part" "$wattsink" parts --show gpu/rtx-3090-blwoer
says err 'rtx-3090-blower' "the nearest part is suggested"
exits 0 "schema" "$wattsink" schema
says out '<xs:schema' "schema is XML schema"
exits 0 "check" "$wattsink" check two-cards.xml
exits 0 "steady" "$wattsink" steady two-cards.xml --json
says out '"die_mean_c"' "steady has the keys of a summary"
exits 0 "a quiet steady" "$wattsink" steady two-cards.xml --quiet
says out "steady operating point" "its result stays"
exits 1 "and nothing is said beside it" test -s err
exits 0 "a rig from standard input" sh -c "'$wattsink' check - <two-cards.xml"
[ -w /dev/full ] && exits 1 "standard output is full" sh -c "'$wattsink' schema >/dev/full"
exits 2 "a word that only begins like --lang" "$wattsink" run --language ja two-cards.xml
says err "unknown option '--language'" "is no --lang"
# ---- parts that are not there ----
exits 3 "no part of a family has the text" "$wattsink" parts gpu --search nonesuch
says err "there is no part with 'nonesuch' in the family gpu" "is told with the family"
exits 3 "no family, and the text is somewhere" "$wattsink" parts blower
says err "there is no family of parts 'blower'; did you mean 'parts --search blower'" "a search is suggested"
mkdir empty own own/gpu && cp "$top/parts/gpu/rtx-3090-blower.xml" own/gpu/mine.xml
exits 3 "a catalogue without parts" env WATTSINK_PARTS="$scratch/empty" "$wattsink" parts --search blower
says err "there are no parts in .*/empty" "is told with its folder"
exits 3 "no family in one's own folder either" "$wattsink" parts --parts own gup
says err "did you mean 'gpu'" "the nearest family of both is suggested"
exits 3 "no text in one's own folder either" "$wattsink" parts --parts own --search nonesuch
says err "there is no part with 'nonesuch'" "is told"
exits 0 "an empty WATTSINK_PARTS" env WATTSINK_PARTS= "$wattsink" parts --show gpu/rtx-3090-blower
says out 'tdp .*350 W' "is as none"
for id in rtx-3090-blower gpu/rtx-3090-blower; do
    exits 0 "a part of a family by $id" "$wattsink" parts gpu --show "$id"
    says out 'tdp .*350 W' "has its values: $id"
done
# ---- files in place of folders ----
exits 3 "a rig behind a file" "$wattsink" check two-cards.xml/rig.xml
says err 'two-cards\.xml/rig\.xml' "is named"
: >notes.txt && : >.xml
for file in notes.txt .xml; do
    exits 3 "a report of $file" "$wattsink" report $file
    says err "$file is a file; report wants the folder that 'wattsink run' leaves" "is told: $file"
done
exits 3 "a report of a rig" "$wattsink" report two-cards.xml
says err "two-cards.xml is a rig: 'wattsink run two-cards.xml' leaves a folder of results" "what to do is told"
exits 1 "a new rig in a folder that is not there" "$wattsink" new -o nowhere/x.xml
says err 'cannot make nowhere/x\.xml: No such file or directory' "is told"
if [ -w /dev/full ]; then
    exits 1 "a new rig, and standard output is full" sh -c "'$wattsink' new -o full.xml >/dev/full"
    absent full.xml "it is removed, so that the command can be given again"
fi
for rig in 'quad-3090-blower 40' 'single-3090 30' 'h100-4u 40'; do
    COLUMNS=80 "$wattsink" check "$top/scenarios/${rig% *}/rig.xml" >out
    [ -s out ] && [ "$(wc -l <out)" -le "${rig#* }" ] && pass "check of ${rig% *} in ${rig#* } lines" ||
        fail "check of ${rig% *} in ${rig#* } lines" "$(wc -l <out)"
    [ "$(grep -cE '^    (datasheet|database|log|article|measured|fitted|assumed|other)' out)" = 5 ] &&
        grep -q '^Fit' out && grep -q '^Sizing' out && grep -q '^  All [0-9]* inputs: ' out && grep -q '^Inputs: ' out &&
        pass "with its five uncertainties" || fail "with its five uncertainties" "$(cat out)"
done
for rig in scenarios/quad-3090-blower/rig.xml scenarios/water-3090/rig.xml scenarios/h100-4u/rig.xml; do
    exits 0 "check $rig" "$wattsink" check "$top/$rig"
    [ "$(wc -l <out)" -le 40 ] && pass "is one screen" || fail "is one screen" "$(wc -l <out) lines"
    assumed=$(sed -n 's/^Inputs: .* \([0-9]*\) assumed .*/\1/p' out)
    exits 0 "check $rig --sources" "$wattsink" check "$top/$rig" --sources
    listed=$(sed -n '/^Assumed inputs/,/^Other inputs/p' out | grep -E '^  ' | sed 's/": assumed.*/"/' | grep -oE ' [a-z0-9-]+="[^"]*"' | wc -l)
    [ "$listed" = "$assumed" ] && pass "lists the $assumed assumed inputs" || fail "lists the assumed inputs" "$listed of $assumed"
    lacks_assumed=$(sed '1,/^Other inputs/d' out | grep -E ': assumed(;|$)' | head -n 3)
    [ -z "$lacks_assumed" ] && pass "inputs listed as other are not assumed" || fail "inputs listed as other are not assumed" "$lacks_assumed"
done
exit $status
