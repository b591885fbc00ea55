#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# run --watch must give the same bits as a run without it, and always restore the terminal.
. "$(dirname "$0")/helpers.inc"
. "$top/tests/fault/midway.inc"
script -qec true /dev/null >/dev/null 2>&1 || { echo "skip watch: no terminal can be made here"; exit 77; }
export TERM=xterm LC_ALL=C.UTF-8
unset NO_COLOR COLUMNS LINES
ulimit -c 0
esc=$(printf '\033')
enter="$esc[?1049h" leave="$esc[?1049l"
# True also if the command has ended, so that a failure does not hang the test.
drawn() { [ "$(grep -oF "$esc[H" shown | wc -l)" -ge 5 ] || [ -e ended ]; }
# on_terminal ACTION COMMAND: runs COMMAND on a terminal of 80 x 24. After some frames ACTION runs, and its output is
# typed into the terminal. The file `shown` holds all that the terminal got.
on_terminal() {
    rm -f ended
    : >shown
    { soon drawn; eval "$1"; soon test -e ended; } | { script -qec "stty cols 80 rows 24; $2" /dev/null >shown 2>&1; echo $? >ended; }
    return "$(cat ended)"
}
behind() { awk -v mark="$leave" 'on { print; next } (i = index($0, mark)) { on = 1; print substr($0, i + length(mark)) }' shown; }
# given_back NAME: the terminal's alternate screen was entered once, and left once after the last frame.
given_back() {
    if [ "$(grep -cF "$enter" shown)" = 1 ] && [ "$(grep -cF "$leave" shown)" = 1 ] && ! behind | grep -qF "$esc"; then
        pass "$1"; else fail "$1" "$(tail -c 300 shown | cat -v)"; fi
}

exits 0 "no terminal" "$wattsink" run two-cards.xml --for 6h --watch -o plain
if grep -q "$esc" out err; then fail "then no page"; else pass "then no page"; fi
exits 0 "and none with TERM=dumb" env TERM=dumb script -qec "'$wattsink' run two-cards.xml --for 10min --watch -o dumb" /dev/null
if grep -qF "$enter" out; then fail "a dumb terminal has no page"; else pass "a dumb terminal has no page"; fi

on_terminal 'printf f' "'$wattsink' run two-cards.xml --for 6h --watch -o watched"
[ $? = 0 ] && pass "watched to the end" || fail "watched to the end" "$(tail -c 300 shown)"
given_back "the terminal is as before"
same_results plain watched "the same bits as unwatched"
for word in gpu0 gpu1 MHz USD 'limited by' 'x real time' '█'; do says shown "$word" "the page has '$word'"; done
says shown "$esc\[3[123]m" "and colours"
on_terminal 'printf f' "'$wattsink' run two-cards.xml --for 6h --watch -o japanese --lang ja"
sed "s/$esc\[[0-9;]*[A-Za-z]//g" shown >page
says page 'GPU +スポット +メモリー +rpm +MHz' "headings of columns do not run together in Japanese"

on_terminal 'printf "  q"' "'$wattsink' run two-cards.xml --for 6h --watch -o quit"
[ $? = 130 ] && pass "q ends as Ctrl-C does" || fail "q ends as Ctrl-C does" "$(tail -c 300 shown)"
given_back "and gives the terminal back"
says shown 'resume goes on' "and says how to go on"
exits 0 "which works" "$wattsink" run two-cards.xml --for 6h -o quit --resume
same_results plain quit "to the same bits"

# Each key is typed twice, some in capitals. An arrow key sends ESC and letters at once: these letters are no commands.
frames() { grep -oF "$esc[H" shown | wc -l; }
further() { [ "$(frames)" -gt $((seen + 3)) ] || [ -e ended ]; }
# shows PATTERN: waits until the page has it.
shows() { soon shown_or_ended "$1"; }
shown_or_ended() { grep -qE -- "$1" shown || [ -e ended ]; }
type_keys() {
    printf -- '-_-_-_-_-_-_-_-_-_-_-_-_-_-_-_-_-_-_-_-_-_-_'
    shows 'speed: 1(\.0+)? s per second'
    printf '+='
    shows 'speed: 5(\.0+)? s per second'
    printf 'F'
    shows 'as fast as possible'
    printf 'f '
    shows 'resume'
    seen=$(frames)
    printf '\033[Aq'
    soon further
    [ -e ended ] || : >outlived
    printf ' Q'
}
rm -f outlived
on_terminal type_keys "stty cols 120; '$wattsink' run two-cards.xml --for 90d --watch -o keys"
[ $? = 130 ] && pass "Q ends, too" || fail "Q ends, too" "$(tail -c 300 shown)"
given_back "after all keys"
[ -e outlived ] && pass "an arrow key does not end the run" || fail "an arrow key does not end the run"
for word in 'speed: 1(\.0+)? s per second' 'speed: 5(\.0+)? s per second' 'as fast as possible' resume; do says shown "$word" "the page told '$word'"; done
on_terminal 'printf ++++++++++++++++++++++++++++++' "'$wattsink' run two-cards.xml --for 6h --watch -q -o highest </dev/null"
[ $? = 0 ] && pass "the highest speed, with the keys of a terminal that is not its input" || fail "the highest speed, with the keys of a terminal that is not its input" "$(tail -c 300 shown)"
given_back "which is as before"
same_results plain highest "the same bits again"

for signal in TERM HUP QUIT ABRT SEGV; do
    on_terminal "kill -$signal \$(cat pid)" "echo \$\$ >pid; exec '$wattsink' run two-cards.xml --for 6h --watch -o killed --force"
    given_back "SIG$signal gives the terminal back"
done
on_terminal 'mv blocked gone' "'$wattsink' run two-cards.xml --for 6h --watch -o blocked"
given_back "so does a folder that goes away"
if behind | grep -q 'run.ckpt'; then pass "and then says so"; else fail "and then says so" "$(tail -c 300 shown)"; fi

{
    printf '<rig name="Eight é"><chassis slots="40"><psu part="psu/tier-gold-1600"/>'
    for k in 1 3 5 7 9 11 13 15; do printf '<gpu part="gpu/generic" tdp="75 W" slots="2" slot="%s"/>' $k; done
    printf '</chassis><workload class="training"/></rig>'
} >eight.xml
on_terminal 'printf f' "NO_COLOR=1 LC_ALL=C '$wattsink' run eight.xml --for 6h --watch -q -o eight"
given_back "eight cards"
tr -d '\r' <shown | sed "s/$esc\[[?0-9]*[hl]//g; s/$esc\[2J//g" >page
lacks page "$esc\[[1-9][0-9;]*m" "NO_COLOR"
if LC_ALL=C grep -q "$(printf '[\200-\377]')" page; then fail "ASCII alone" "$(grep -m 1 Eight page)"; else pass "ASCII alone"; fi
LC_ALL=C awk -v RS="$esc\\\\[H" 'NR > 1 { gsub(/\033\[[0-9;]*[KJm]/, ""); n = split($0, line, "\n"); if (n > rows) rows = n
     for (i = 1; i <= n; i++) if (length(line[i]) > columns) columns = length(line[i])
     for (k = 0; k < 8; k++) if (index($0, "gpu" k) == 0) missing = 1 }
     END { exit !(rows <= 24 && columns <= 80 && columns > 40 && !missing) }' page && pass "the page with all cards fits 80 x 24" || fail "the page with all cards fits 80 x 24"
on_terminal 'printf f' "stty cols 33 rows 7; '$wattsink' run eight.xml --for 6h --watch -q -o small"
given_back "a small terminal"

script -qec "stty cols 40 rows 24; '$wattsink' run two-cards.xml --for 30d -o progress >summary" /dev/null </dev/null >shown 2>&1
if tr '\r' '\n' <shown | awk 'length > 39 { bad = 1 } END { exit bad }'; then pass "a progress line of 40 columns"
else fail "a progress line of 40 columns" "$(tr '\r' '\n' <shown | awk 'length > 39' | head -n 3)"; fi
exit $status
