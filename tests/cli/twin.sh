#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A twin: starts, is alone in its name, replaces one that was killed, and leaves nothing behind on any signal.
. "$(dirname "$0")/helpers.inc"
. "$top/tests/fault/midway.inc"
twin=test-$$
trap 'kill -9 $pid 2>/dev/null; rm -rf "$scratch" /dev/shm/wattsink.*.$twin' EXIT
pid=
segment=/dev/shm/wattsink.$(id -u).$twin
started() { [ -s "$segment" ] && catches "$pid" "$term" || ! kill -0 "$pid" 2>/dev/null; }
# start OPTION...: a twin of two cards, in the background.
start() {
    "$wattsink" twin two-cards.xml --name "$twin" "$@" >out 2>err &
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
exits 1 "a second one of that name is refused" "$wattsink" twin two-cards.xml --name "$twin"
says err "a twin named '$twin' is running already" "the message names it"
exits 1 "and by the environment" env WATTSINK_TWIN="$twin" "$wattsink" twin two-cards.xml
kill -9 $pid
wait $pid 2>/dev/null
present "$segment" "a killed one leaves its segment"
start --speed max -q
kill -0 $pid && pass "the next one replaces it" || fail "the next one replaces it" "$(cat err)"
[ -s err ] && fail "-q is silent" "$(cat err)" || pass "-q is silent"
kill $pid
wait $pid

exits 2 "a name that is no name" "$wattsink" twin two-cards.xml --name 'a/b'
for speed in 0 -1 fast 60x 1e9; do exits 2 "--speed $speed" "$wattsink" twin two-cards.xml --speed $speed; done
exits 2 "no rig" "$wattsink" twin
exits 3 "a rig that is none" "$wattsink" twin load.xml
exit $status
