#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/helpers.inc"
. "$top/tests/fault/midway.inc"

exits 0 "help" "$wattsink" help
commands=$(sed -n 's/^  \([a-z]*\)  *[a-z].*/\1/p' out)
[ "$(echo "$commands" | wc -l)" -ge 13 ] && pass "lists the commands" || fail "lists the commands" "$commands"
for command in $commands; do
    exits 0 "$command --help" "$wattsink" "$command" --help
    says out "^usage: wattsink $command" "has its usage"
    says out "^example: wattsink $command" "and an example"
    exits 2 "$command --nosuch" "$wattsink" "$command" --nosuch
    case $command in # smi imitates the messages of nvidia-smi
    smi) says err "Invalid combination of input arguments: --nosuch" "names the option" ;;
    *) says err "unknown option '--nosuch'" "names the option" ;;
    esac
    exits 2 "$command --lang without a language" "$wattsink" "$command" --lang
    exits 2 "$command --lang xx" "$wattsink" "$command" --lang xx
    says err "en.*ja" "tells the languages"
done

cp two-cards.xml ./--json.xml
exits 0 "a rig whose name begins with a dash" "$wattsink" check -- --json.xml
exits 3 "an option behind --" "$wattsink" check -- --quiet
says err '^--quiet: cannot open the file' "is a file"
exits 3 "so is a language" "$wattsink" check -- --lang
says err '^--lang: cannot open the file' "which is not there"
exits 2 "steady with an unknown stepper" "$wattsink" steady two-cards.xml --stepper slow
exits 2 "two commands to help with" "$wattsink" help run check
says err 'one command at a time' "are one too many"
exits 2 "two families of parts" "$wattsink" parts gpu psu
exits 2 "two elements" "$wattsink" kinds gpu psu
exits 3 "own parts that are not there" "$wattsink" parts --parts nowhere
exits 0 "the program without standard streams" sh -c "'$wattsink' run two-cards.xml --for 1s -q -o closed <&- >&- 2>&-"
present closed/summary.json "does its work"
cat closed/*.csv >tables
lacks tables '^wattsink' "and writes no message into it"

if script -qec true /dev/null >/dev/null 2>&1; then
    unset NO_COLOR
    on() { TERM=xterm script -qec "stty cols $1 rows 24; $2" /dev/null </dev/null >shown 2>&1; }
    for command in "sweep two-cards.xml --columns steps -o t.sqlite" "compare two-cards.xml -o t"; do
        on 100 "'$wattsink' $command --vary gpu[*].power-limit=200W:350W:10W --for 12h"
        tr '\r' '\n' <shown >lines
        says lines '^[0-9]+ of 16 cases, .* left' "${command%% *} tells its progress"
        says lines '16 cases|Verdict|350' "and its result behind it"
        on 100 "'$wattsink' $command --vary gpu[*].power-limit=200W:350W:10W --for 12h --force -q"
        if grep -q ' of 16 cases, ' shown; then fail "${command%% *} -q tells none"; else pass "${command%% *} -q tells none"; fi
    done
    for width in 20 40 60 72; do
        on "$width" "'$wattsink' help run"
        tr -d '\r' <shown | awk -v w="$width" 'length > w && !/^example: / && split($0, word) > 2 { bad = 1; print > "wide" } END { exit bad }' &&
            pass "help fits $width columns" || fail "help fits $width columns" "$(head -3 wide)"
    done
else
    echo "skip a terminal: none can be made here"
fi
exit $status
