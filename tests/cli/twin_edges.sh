#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Unusual twins and clients: other versions, signals, speeds, dates, cards of other kinds, and what keeps a twin from
# starting.
. "$(dirname "$0")/helpers.inc"
. "$top/tests/fault/midway.inc"
twin=edges-$$
pid=
trap 'kill -9 $pid 2>/dev/null; rm -rf "$scratch" /dev/shm/wattsink.*.$twin*' EXIT
export WATTSINK_TWIN="$twin"
answers() { "$wattsink" twin --read wall_w >/dev/null 2>&1 || ! kill -0 "$pid" 2>/dev/null; }
start() { # RIG OPTION...
    "$wattsink" twin "$@" >out 2>greeting &
    pid=$!
    soon answers
}
end() { kill $pid && wait $pid; }
smi() { "$wattsink" smi "$@"; }
refused() { # PATTERN NAME LINE
    exits 3 "refused: $2" "$wattsink" twin --ask "$3"
    says err "$1" "refused: $2: why"
}

# ---- cards of other kinds ----
cat >rig.xml <<'END'
<rig name="Edges">
  <site supply="230 V" circuit="16 A"><room volume="30 m3" conductance="60 W/K"><outdoor mean="19 degC" swing="4 K"/></room></site>
  <chassis part="chassis/full-tower-8-slot">
    <fan part="fan/generic-120-1500" at="front" count="3"/>
    <psu part="psu/evga-1600-p2"/>
    <gpu part="gpu/rtx-3090" slot="1"/>
    <gpu part="gpu/a100-pcie-40gb" slot="5"/>
    <gpu part="gpu/generic" tdp="75 W" slots="1" slot="8" stack="cuda"/>
  </chassis>
  <workload kind="inference" class="training" gpus="gpu0"/>
  <run from="2026-03-01T00:00:00" for="14 d" step="1 s"/>
</rig>
END
start rig.xml --lockstep --writable
exits 0 "before time passes" "$wattsink" twin --ask '{"read": ["wall_w", "gpu0.power_w", "gpu1.power_w", "energy_kwh"]}'
says out '"wall_w": [1-9].*"gpu0\.power_w": [1-9].*"gpu1\.power_w": [1-9].*"energy_kwh": 0[,}]' "cards draw what they draw at the start"
smi --query-gpu=power.draw,power.draw.instant --format=csv,noheader,nounits >draw
awk -F, '$1 < 5 || $2 < 5 { low = 1 } END { exit low || NR != 3 }' draw && pass "as smi shows, too" || fail "as smi shows, too" "$(cat draw)"
exits 0 "a limit at the start" "$wattsink" twin --do 'gpu0.power-limit set 150 W' --ask '{"read": ["gpu0.power_w"]}'
sed -n 's/.*"gpu0.power_w": \([0-9.]*\).*/\1/p' out >drawn
awk '{ exit !($1 > 50 && $1 < 151) }' drawn && pass "is kept from there on" || fail "is kept from there on" "$(cat out)"
"$wattsink" twin --do 'gpu0.power-limit returns' >out
exits 0 "a job of the second card, and a moment" "$wattsink" twin --do 'gpu1.job set play 50 %' --ask '{"advance_s": 0.3}'
smi -i 1 --query-gpu=power.draw,power.draw.instant --format=csv,noheader,nounits | sed 's/, / /' >draw
awk '{ exit !($1 > 30 && $1 == $2) }' draw && pass "power.draw of an A100 is that of the moment" || fail "power.draw of an A100 is that of the moment" "$(cat draw)"
smi -i 0 --query-gpu=power.draw,power.draw.average --format=csv,noheader,nounits | sed 's/, / /' >draw
awk '{ exit !($1 > 30 && $1 == $2) }' draw && pass "power.draw of an RTX 3090 is the mean of a second" || fail "power.draw of an RTX 3090 is the mean of a second" "$(cat draw)"
exits 0 "names" "$wattsink" smi -L
says out '^GPU 1: NVIDIA A100' "a card has the name of its maker's tool"
says out '^GPU 2: NVIDIA Graphics Device \(' "one of no known model has one too"
exits 0 "the table" "$wattsink" smi
says out '\| +00000000:02:00\.0 Off \| +0 \|' "counts the errors of memory with ECC"
exits 0 "a job returns" "$wattsink" twin --do 'gpu1.job returns' --ask '{"advance_s": 1}'
exits 0 "processes" "$wattsink" smi pmon -c 1
says out '^ +0 +[0-9]+ .*inference' "the card with work has its process"
says out '^ +1 +- ' "one without has none"
exits 3 "the memory clock of an RTX 3090" "$wattsink" smi -i 0 -lmc 5001
says out 'Setting the memory clock is not supported for GPU 00000000:01:00\.0' "cannot be kept"
for advance in '"x"' 0 -1 '[1]'; do refused 'advance_s' "$advance" "{\"advance_s\": $advance}"; done
refused 'time passes by .advance_s. alone' "a speed in lockstep" '{"speed": 2}'
exits 0 "an advance by half a step" "$wattsink" twin --ask '{"advance_s": 0.05}'
says out '"advanced_s": 0\.1\}' "tells the whole one"
exits 0 "an advance by three steps" "$wattsink" twin --ask '{"advance_s": 0.3}'
grep -q advanced_s out && fail "an advance by whole steps is not repeated in the answer" "$(cat out)" || pass "an advance by whole steps is not repeated in the answer"
exits 3 "a room of 80 degC" "$wattsink" twin --do 'room set 80 degC'
exits 2 "dmon with a delay without its number" "$wattsink" smi dmon -d
exits 9 "a twin whose name is none" "$wattsink" smi --twin a/b
says out 'no twin "a/b" is running' "is named as it was given"

# ---- another version ----
printf '\377' | dd of="$(echo /dev/shm/wattsink.*."$twin")" bs=1 seek=8 conv=notrunc 2>/dev/null
exits 9 "a twin of another version" "$wattsink" smi
says out "no twin \"$twin\" is running of this version\\." "is none for smi"
exits 1 "nor for orders" "$wattsink" twin --read wall_w
says err "the twin '$twin' was started by another version of wattsink" "which is told"
kill -9 $pid
wait $pid 2>/dev/null
rm -f /dev/shm/wattsink.*."$twin"

# ---- speeds, dates and addresses ----
start rig.xml --speed 0.5 --set workload.class=idle
says greeting '0\.5 times as fast as real time' "half a speed is told"
exits 0 "processes" "$wattsink" smi pmon -c 1
says out '^ +0 +- ' "a card whose work is idle has none"
refused 'not.*lockstep|by itself|running|advance' "an advance of a running twin" '{"advance_s": 1}'
refused 'without --writable' "a speed of a twin that is not writable" '{"speed": 2}'
"$wattsink" smi --query-gpu=index --format=csv,noheader -i 0 -l 100000 >rounds 2>&1 &
reader=$!
rounded() { [ -s rounds ] || ! kill -0 "$reader" 2>/dev/null; }
soon rounded
kill -INT $reader
wait $reader
[ $? = 0 ] && [ "$(cat rounds)" = 0 ] && pass "an interrupt ends the rounds of smi" || fail "an interrupt ends the rounds of smi" "$(cat rounds)"
rm rounds
"$wattsink" smi --query-gpu=index --format=csv,noheader -i 0 -l 100000 >rounds 2>&1 &
reader=$!
soon rounded
end
wait $reader
[ $? = 9 ] && [ "$(head -n 1 rounds)" = 0 ] && pass "so does the end of the twin" || fail "so does the end of the twin" "$(cat rounds)"
for zone in '' Europe/Berlin; do
    exits 0 "a history from a date ${zone:+in $zone}" "$wattsink" twin rig.xml ${zone:+--set run.zone=$zone} --backfill h.om --for 1min -q
    case $zone in '') at=1772323200 ;; *) at=1772319600 ;; esac
    says h.om "^wattsink_wall_watts [0-9.]+ $at\.000$" "begins at it"
done
"$wattsink" twin "$top/scenarios/redundant-8gpu/rig.xml" --backfill many.om --for 1min -q
[ "$(grep -v '^#' many.om | sed 's/ [^ ]* [^ ]*$//' | sort -u | wc -l)" -gt 256 ] && [ "$(tail -n 1 many.om)" = '# EOF' ] &&
    pass "a history of eight cards is whole" || fail "a history of eight cards is whole"
exits 3 "a rig that is not there" "$wattsink" twin none.xml -q
if command -v curl >/dev/null && ! "$wattsink" twin two-cards.xml --listen 127.0.0.1:0 --token /nowhere 2>&1 | grep -q libmicrohttpd; then
    echo 0123456789abcdef0123 >token
    start rig.xml --listen 0.0.0.0:0 --token token
    listening() { grep -q '^Page: ' greeting || ! kill -0 "$pid" 2>/dev/null; }
    soon listening
    port=$(sed -n 's|^Page: http://[^ ]*:\([0-9]*\)/ .*|\1|p' greeting)
    [ "$(curl -s -m 20 -o body -w '%{http_code}' -H 'Authorization: Bearer 0123456789abcdef0123' "http://127.0.0.1:$port/metrics")" = 200 ] &&
        pass "an address for all machines, with a token" || fail "an address for all machines, with a token" "$(cat greeting)"
    curl -sN -H 'Authorization: Bearer 0123456789abcdef0123' "http://127.0.0.1:$port/live" >live 2>/dev/null &
    reader=$!
    told() { [ "$(grep -c '^data: ' live)" -ge 3 ] || ! kill -0 "$pid" 2>/dev/null; }
    soon told
    kill $reader
    grep -o '"time":"[^"]*"' live | sort -u | wc -l >times
    [ "$(cat times)" -ge 2 ] && pass "the page moves at real-time speed" || fail "the page moves at real-time speed" "$(cat times)"
    says live '"gpu1\.fan":"-"' "a card without fans has none on it"
    end
else
    echo "skip an address for all machines: no libmicrohttpd or no curl"
fi

# ---- signals ----
sh -c 'trap "" HUP; exec "$0" twin rig.xml -q' "$wattsink" &
pid=$!
soon answers
kill -HUP $pid
exits 0 "a twin under nohup outlives its terminal" "$wattsink" twin --ask '{"list": true}'
end
start rig.xml -q
kill -HUP $pid
wait $pid && pass "SIGHUP ends a twin that does not ignore it" || fail "SIGHUP ends a twin that does not ignore it" "$?"
mkfifo tick
"$wattsink" twin rig.xml -- sh -c 'trap "echo int >got" INT; trap "echo term >>got; exit 4" TERM; : >ready; while :; do read -r _ <tick; done' >out 2>err &
pid=$!
ready() { [ -e ready ] || ! kill -0 "$pid" 2>/dev/null; }
soon ready
kill -INT $pid
exits 0 "an interrupt is the client's own" "$wattsink" twin --read wall_w
kill -TERM $pid
while kill -0 $pid 2>/dev/null && ! timeout 1 sh -c 'echo >tick'; do :; done &
wait $pid
[ $? = 4 ] && [ "$(cat got)" = term ] && pass "other signals are passed on" || fail "other signals are passed on" "$(cat got)"

# ---- what a twin needs ----
exits 0 "an empty list of libraries" env LD_LIBRARY_PATH= "$wattsink" twin rig.xml -- sh -c 'case $LD_LIBRARY_PATH in *:) exit 1 ;; */twin | */wattsink) exit 0 ;; esac; exit 2'
mkdir -p xdg/wattsink/"$twin".sock
chmod 700 xdg/wattsink
exits 1 "a folder in place of the socket" env XDG_RUNTIME_DIR="$PWD/xdg" "$wattsink" twin rig.xml -q
says err "cannot listen at $PWD/xdg/wattsink/$twin\.sock" "is told"
mkdir "/dev/shm/wattsink.$(id -u).$twin-2"
exits 1 "a folder in place of the memory" "$wattsink" twin rig.xml --name "$twin-2" -q
says err '^wattsink: no shared memory for the twin: ' "is told"
rmdir "/dev/shm/wattsink.$(id -u).$twin-2"
mkdir alone
cp "$wattsink" alone/wattsink
exits 1 "a program without the stand-in" env WATTSINK_PARTS="$top/parts" alone/wattsink twin rig.xml -- true
says err "the stand-in for NVIDIA's library is not there: libnvidia-ml\.so\.1" "starts no client"
env WATTSINK_PARTS="$top/parts" alone/wattsink twin rig.xml >out 2>greeting &
pid=$!
soon answers
says greeting 'wattsink twin --read gpu0\.power_w' "but a twin"
lacks greeting LD_LIBRARY_PATH "and the greeting offers no library"
end
exit $status
