#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A twin is a simulation that answers other programs as a GPU driver does. Only one twin of a name can run; after
# SIGKILL its files stay, and the next twin of that name replaces them.
. "$(dirname "$0")/helpers.inc"
. "$top/tests/fault/midway.inc"
twin=test-$$
trap 'kill -9 $pid 2>/dev/null; rm -rf "$scratch" /dev/shm/wattsink.*.$twin' EXIT
pid=
segment=/dev/shm/wattsink.$(id -u).$twin
started() { [ -s "$segment" ] && catches "$pid" "$term" || ! kill -0 "$pid" 2>/dev/null; }
sed 's|<tariff|<room temperature="25 degC"/>&|' two-cards.xml >cards.xml
start() {
    "$wattsink" twin cards.xml --name "$twin" "$@" >out 2>err &
    pid=$!
    soon started
}
for signal in INT TERM HUP; do
    start
    present "$segment" "the twin shows a segment"
    [ "$(stat -c %a "$segment")" = 600 ] && pass "it is its user's alone" || fail "it is its user's alone" "$(stat -c %a "$segment")"
    kill -$signal $pid
    wait $pid
    got=$?
    [ $got = 0 ] && pass "$signal ends it" || fail "$signal ends it" "exit $got: $(cat err)"
    absent "$segment" "$signal: nothing is left"
done
says err 'Ctrl-C ends it' "it says how to end it"

start --speed 60
greeted() { grep -q 'Ctrl-C' err || ! kill -0 "$pid" 2>/dev/null; }
soon greeted # waits, because the twin and the next command write to the same file
exits 1 "a second one of that name is refused" "$wattsink" twin two-cards.xml --name "$twin"
says err "a twin named '$twin' is running already" "the message names it"
exits 1 "and by the environment" env WATTSINK_TWIN="$twin" "$wattsink" twin two-cards.xml
kill -9 $pid
wait $pid 2>/dev/null
present "$segment" "a killed one leaves its segment"
start --speed max -q
kill -0 $pid && pass "the next twin of the name replaces the segment" || fail "the next twin of the name replaces the segment" "$(cat err)"
[ -s err ] && fail "-q is silent" "$(cat err)" || pass "-q is silent"
kill $pid
wait $pid

export WATTSINK_TWIN=$twin XDG_RUNTIME_DIR="$scratch/run"
mkdir -m 700 run
socket=run/wattsink/$twin.sock
ask() { "$wattsink" twin "$@" >said 2>refused; }
read_value() { ask --read "$1" && sed "s/^$1 //" said; }
is() { if awk "BEGIN { exit !($1) }"; then pass "$2"; else fail "$2" "not $1; $(cat refused)"; fi; }
start --lockstep --writable -q
[ "$(stat -c %a run/wattsink)-$(stat -c %a "$socket")" = 700-600 ] && pass "nobody else gets at the socket" ||
    fail "nobody else gets at the socket" "$(stat -c %a run/wattsink "$socket")"
is "$(read_value gpu0.power_w) >= 0" "a value is read"
ask --ask '{"advance_s": 120}'
says said '^\{"ok": true, "t_s": 120\}$' "time passes when it is told to"
full=$(read_value gpu0.power_w)
exits 0 "a limit is set" "$wattsink" twin --do 'gpu0.power-limit set 150 W' --ask '{"advance_s": 1}'
is "$(read_value gpu0.power_w) < 150.5 && $full > 200" "and holds in the next second"
exits 0 "it returns" "$wattsink" twin --do 'gpu0.power-limit returns' --ask '{"advance_s": 1}'
is "$(read_value gpu0.power_w) > 200" "and no longer holds"
exits 0 "a fan is held" "$wattsink" twin --do 'gpu1.fan set 100 %' --ask '{"advance_s": 60}'
held=$(read_value gpu1.fan_rpm)
exits 0 "and let go" "$wattsink" twin --do 'gpu1.fan returns' --ask '{"advance_s": 300}'
is "$(read_value gpu1.fan_rpm) < $held" "it turns by its curve again"
cool=$(read_value gpu0.die_c)
exits 0 "the room gets warm" "$wattsink" twin --do 'room set 35 degC' --ask '{"advance_s": 3600}'
is "$(read_value gpu0.die_c) > $cool + 3" "and the cards with it"
step() { exits 0 "$1" "$wattsink" twin --do "$1" --ask "{\"advance_s\": $2}"; }
step 'gpu0.clock-lock set 300 MHz 900 MHz' 1
is "$(read_value gpu0.clock_mhz) < 901 && $(read_value gpu0.reasons) == 2" "the clock is locked"
step 'gpu0.clock-lock returns' 1
is "$(read_value gpu0.clock_mhz) > 901" "and free again"
step 'gpu0.job set train-a 50 %' 1
is "$(read_value gpu0.utilisation) < 0.6 && $(read_value gpu0.power_w) < 0.8 * $full" "a job of half the time takes less power"
step 'gpu0.job set idle' 1
is "$(read_value gpu0.power_w) < 60" "an idle card rests"
step 'gpu0.job returns' 1
step 'gpu1.fan fails' 5
is "$(read_value gpu1.fan_rpm) == 0" "a failed fan stands"
step 'gpu1.fan returns' 60
is "$(read_value gpu1.fan_rpm) > 500" "and turns again"
step 'psu0 fails' 2
is "$(read_value wall_w) == 0" "without its PSU the machine stands still"
is "$(read_value gpu0.off) == 1" "and its cards have no power"
step 'psu0 returns' 20
is "$(read_value gpu0.power_w) > 200" "with it the work goes on"
step 'gpu1 lost' 1
is "$(read_value gpu1.off) == 1 && $(read_value gpu1.power_w) == 0" "a card falls off the bus"
exits 3 "refused to a lost card" "$wattsink" twin --do 'gpu1.power-limit set 200 W'
step 'gpu1 returns' 20
is "$(read_value gpu1.power_w) > 200" "it returns"
step 'circuit fails' 1
step 'circuit returns' 20
is "$(read_value wall_w) > 300" "a circuit fails and returns"
ask --ask '{"score": true}'
says said '"seed": [0-9]+, .*"work_gpu_h": [0-9.]+.*"power_s": [1-9].*"energy_kwh": [0-9.]+, "cost": [0-9.]+' "the scorecard tells energy, work, violations and cost"
for order in 'gpu0.clock-lock set 300 W' 'gpu0.clock-lock set 900 MHz 300 MHz' 'gpu0.job set' 'gpu0.job set a,b' 'gpu0.job set a 101 %' \
    'gpu0.job set a 0 %' 'psu0 lost' 'psu0 set 1' 'psu9 fails' 'air-conditioner fails' 'gpu0 fails' 'room fails' \
    'gpu0.power-limit set 9 W' 'gpu0.power-limit set 9999 W' 'gpu0.fan set 101 %' 'gpu0.fan set 1 %' \
    'gpu0.power-limit set 200' 'gpu0.power-limit set 200 degC' 'gpu9.fan set 50 %' 'gpu0.colour set 1' 'gpu0.fan lost' \
    'room set 900 degC' 'room returns' 'gpu0.fan' 'set' 'gpu0.persistence set maybe' 'gpu0.power-limit set' 'gpu0.fan returns 1'; do
    exits 3 "refused: $order" "$wattsink" twin --do "$order"
done
for line in x '{}' '[]' '{"do": 1}' '{"read": []}' '{"read": ["nothing"]}' '{"read": [1]}' '{"advance_s": 0}' '{"advance_s": -1}' \
    '{"advance_s": 1e9}' '{"speed": 2}' '{"list": false}' '{"score": 1}' '{"list": true, "advance_s": 1}'; do
    exits 3 "refused: $line" "$wattsink" twin --ask "$line"
done
exits 3 "refused in Japanese" env LC_ALL=C.UTF-8 "$wattsink" twin --lang ja --do 'room set 900 degC'
says err '部屋の温度は -50~70 °C です' "the reason is Japanese too"
ask --ask '{"list": true}'
says said '"name": "gpu1.die_c", "unit": "degC"' "the variables are told"
kill $pid
wait $pid
absent "$socket" "the socket is removed"

episode() {
    start --lockstep --writable -q --seed 7
    ask --ask '{"advance_s": 33.3}' --do 'gpu0.power-limit set 170 W' --ask '{"advance_s": 0.1}' --ask '{"advance_s": 100}' \
        --ask '{"read": ["gpu0.power_w", "gpu0.die_c", "gpu1.die_c", "wall_w", "energy_kwh", "case.air_c"]}'
    cp said "$1"
    kill $pid
    wait $pid
}
episode one
episode two
cmp -s one two && [ -s one ] && pass "lockstep repeats to the bit" || fail "lockstep repeats to the bit" "$(diff one two)"

start -q
exits 3 "without --writable nothing is steered" "$wattsink" twin --do 'gpu0.power-limit set 200 W'
says err 'without --writable' "it says why"
exits 3 "nor sped up" "$wattsink" twin --ask '{"speed": 60}'
exits 3 "time passes by itself" "$wattsink" twin --ask '{"advance_s": 1}'
exits 0 "reading goes" "$wattsink" twin --read wall_w
kill -9 $pid
wait $pid 2>/dev/null
exits 1 "a killed one is not asked" "$wattsink" twin --read wall_w
start -q
answers() { "$wattsink" twin --read wall_w >/dev/null 2>&1 || ! kill -0 "$pid" 2>/dev/null; }
soon answers # the killed one's segment is there before its successor answers
exits 0 "its successor is" "$wattsink" twin --read wall_w
kill $pid
wait $pid
exits 1 "none is running" "$wattsink" twin --do 'gpu0.fan returns'
says err "wattsink twin RIG.xml" "it says how to start one"
rm -rf run/wattsink && mkdir -m 777 run/wattsink
start -q
exits 0 "another folder is taken" "$wattsink" twin --read wall_w
absent "$socket" "not the open one"
kill $pid
wait $pid
unset WATTSINK_TWIN

# A client that the twin runs must find the stand-in for NVIDIA's library and this twin, and its exit code becomes the
# twin's.
exits 7 "a client's exit code" "$wattsink" twin cards.xml --name "$twin" --writable -- sh -c '
    [ -e "${LD_LIBRARY_PATH%%:*}/libnvidia-ml.so.1" ] && "$0" twin --do "gpu0.power-limit set 200 W" && exit 7' "$wattsink"
exits 127 "a client that is not there" "$wattsink" twin cards.xml --name "$twin" -- ./nothing
exits 137 "a client that is killed" "$wattsink" twin cards.xml --name "$twin" -- sh -c 'kill -9 $$'
absent "$segment" "the twin ends with its client"
exits 2 "asked and started at once" "$wattsink" twin two-cards.xml --read wall_w
exits 2 "lockstep has no speed" "$wattsink" twin two-cards.xml --lockstep --speed 2
exits 2 "a seed that is none" "$wattsink" twin two-cards.xml --seed -1
exits 2 "no command" "$wattsink" twin two-cards.xml --
exits 2 "a name that is no name" "$wattsink" twin two-cards.xml --name 'a/b'
for speed in 0 -1 fast 60x 1e9; do exits 2 "--speed $speed" "$wattsink" twin two-cards.xml --speed $speed; done
exits 2 "no rig" "$wattsink" twin
exits 3 "a rig that is none" "$wattsink" twin load.xml
exit $status
