#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/helpers.inc"
. "$top/tests/fault/midway.inc"
twin=smi-$$
trap 'kill -9 $pid 2>/dev/null; rm -rf "$scratch" /dev/shm/wattsink.*.$twin' EXIT
export WATTSINK_TWIN="$twin"
pid=
smi() { "$wattsink" smi "$@"; }
answers() { smi -L >/dev/null 2>&1 || ! kill -0 "$pid" 2>/dev/null; }
sed 's|<gpu slot|<gpu part="gpu/rtx-3090" slot|' two-cards.xml >cards.xml
start() {
    "$wattsink" twin cards.xml -q "$@" >twin.out 2>&1 &
    pid=$!
    soon answers
}
end() { kill $pid && wait $pid; }
limit() { smi --query-gpu=power.limit --format=csv,noheader,nounits -i "$1"; }
exits 9 "no twin is no driver" "$wattsink" smi
start --writable
exits 0 "the table" "$wattsink" smi
says out '^\| NVIDIA-SMI 5' "begins as the tool's"
exits 0 "the list" "$wattsink" smi -L
[ "$(wc -l <out)" = 2 ] && pass "names both cards" || fail "names both cards" "$(cat out)"
old=$(limit 0)
exits 0 "a limit is set" "$wattsink" smi -i 1 -pl 200
says out '^Power limit for GPU .* was set to 200.00 W from ' "it is told"
[ "$(limit 1)" = 200.00 ] && pass "the next reading has it" || fail "the next reading has it" "$(limit 1)"
[ "$(limit 0)" = "$old" ] && pass "the other card keeps its own" || fail "the other card keeps its own" "$(limit 0)"
exits 2 "a limit out of range" "$wattsink" smi -i 1 -pl 5
exits 2 "no number" "$wattsink" smi -i 1 -pl much
[ "$(limit 1)" = 200.00 ] && pass "a refused limit changes nothing" || fail "a refused limit changes nothing" "$(limit 1)"
exits 0 "persistence off" "$wattsink" smi -i 0 -pm 0
[ "$(smi --query-gpu=persistence_mode --format=csv,noheader | tr '\n' ' ')" = "Disabled Enabled " ] &&
    pass "only this card is set" || fail "only this card is set" "$(smi -q | grep Persistence)"
exits 0 "three rounds of half a second" "$wattsink" smi --query-gpu=index --format=csv,noheader -lms 500 -c 3 -i 0
[ "$(wc -l <out)" = 3 ] && pass "are three lines" || fail "are three lines" "$(cat out)"
# -f: a command that is refused, or that prints nothing into a file, leaves the file alone and tells why.
kept() { if [ "$(cat keep.txt)" = keep ]; then pass "$1 leaves the file of -f"; else fail "$1 leaves the file of -f" "$(cat keep.txt)"; fi; }
echo keep >keep.txt
exits 2 "a wrong field with -f" "$wattsink" smi -f keep.txt --query-gpu=foo --format=csv
says err 'Field "foo" is not a valid field' "is told" && kept "a wrong field"
exits 2 "a wrong format with -f" "$wattsink" smi -f keep.txt --query-compute-apps=pid --format=xml
kept "a wrong format"
exits 2 "wrong columns with -f" "$wattsink" smi dmon -f keep.txt -s z -c 1
kept "a wrong column"
exits 2 "a wrong interval with -f" "$wattsink" smi -f keep.txt -l 0
kept "a wrong interval"
exits 2 "a limit out of range with -f" "$wattsink" smi -f keep.txt -i 0 -pl 5000
says out 'not a valid power limit' "is told" && kept "a wrong limit"
exits 0 "a setting with -f" "$wattsink" smi -f keep.txt -i 1 -pl 200
kept "a setting"
exits 9 "no twin with -f" "$wattsink" smi --twin nosuch -f keep.txt --query-gpu=index --format=csv
says out 'no twin "nosuch" is running' "is told" && kept "no twin"
exits 6 "no card with -f" "$wattsink" smi -i 7 -f keep.txt -L
says out '^No devices were found$' "is told" && kept "no card"
exits 0 "a query into a file" "$wattsink" smi -f keep.txt --query-gpu=index --format=csv,noheader
[ "$(cat out keep.txt | tr '\n' ' ')" = "0 1 " ] && pass "is in the file only" || fail "is in the file only" "$(cat out keep.txt)"
exits 255 "a file in no folder" "$wattsink" smi -f nowhere/file -L
says err '^nowhere/file cannot be written\.$' "is told"
exits 0 "rounds without an interval" "$wattsink" smi --query-gpu=timestamp --format=csv,noheader -i 0 -l -c 2
apart=$(sed 's/.*://' out | paste -sd' ' | awk '{d = $2 - $1; print (d < 0 ? d + 60 : d)}')
awk -v d="$apart" 'BEGIN {exit !(d >= 4.9 && d < 7)}' && pass "are 5 s apart" || fail "are 5 s apart" "$apart s"
exits 0 "dmon" "$wattsink" smi dmon -c 2
[ "$(grep -vc '^#' out)" = 4 ] && pass "has two rounds of two cards" || fail "has two rounds of two cards" "$(cat out)"
exits 0 "a job is submitted" "$wattsink" twin --do 'gpu1.job set train-a'
exits 0 "pmon" "$wattsink" smi pmon -c 1
says out ' 1 .* train-a' "names it as the card's process"
exits 0 "the clock is locked" "$wattsink" smi -i 0 -lgc 300,900
locked() { smi -i 0 --query-gpu=clocks.gr,clocks_event_reasons.applications_clocks_setting --format=csv,noheader,nounits | grep -q '^900, Active'; }
soon locked && pass "the next reading shows the locked clock" || fail "the next reading shows the locked clock"
exits 0 "it is free again" "$wattsink" smi -i 0 -rgc
[ "$(cat out)" = "All done." ] && pass "in the words of nvidia-smi" || fail "in the words of nvidia-smi" "$(cat out)"
smi -q -x >smi.xml
if command -v xmllint >/dev/null; then
    exits 0 "the XML is well-formed" xmllint --noout --nonet smi.xml
else
    echo "skip the XML is well-formed: no xmllint"
fi
exits 0 "a card falls off the bus" "$wattsink" twin --do 'gpu1 lost'
exits 15 "its values" "$wattsink" smi -i 1 -q
says out 'GPU is lost' "are those of a lost GPU"
exits 0 "it returns" "$wattsink" twin --do 'gpu1 returns'
exits 0 "with its values" "$wattsink" smi -i 1 -q
end
start --set 'gpu[*].power-limit-max=300W'
[ "$(smi --query-gpu=power.default_limit --format=csv,noheader,nounits -i 0)" = 300.00 ] &&
    pass "the default limit can be set" || fail "the default limit can be set" "$(smi -q -d POWER)"
exits 4 "a twin that is not writable refuses" "$wattsink" smi -i 0 -pl 200
end
exits 9 "an ended twin is no driver" "$wattsink" smi
