#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
set -u
rig=scenarios/quad-3090-blower/rig.xml other=scenarios/single-3090/rig.xml
. "$(dirname "$0")/helpers.inc"
run() { "$wattsink" run "$@" -q 2>>"$dir/err"; }
alike() {
    for f in summary.json series.csv events.csv rig.resolved.xml run.ckpt; do
        for d in "$1" "$2"; do
            sed 's/"wall_clock_s": [^,]*/"wall_clock_s": 0/' "$d/$f" >"$d.$f" 2>/dev/null
        done
        [ -s "$1/$f" ] && cmp -s "$1.$f" "$2.$f"
        check $? "$3: $f"
    done
    [ "$(ls -A "$1")" = "$(ls -A "$2")" ]
    check $? "$3: no other file" "$(ls -A "$1" "$2")"
}

run $rig --for "${days}d" -o "$dir/whole"
code=$?
check $code "a run that is not interrupted ends" "$(head -5 "$dir/err")"
[ $code = 0 ] || exit 1
killed=0
for round in 1 2; do
    resume=--resume
    [ $round = 1 ] && resume=--force
    midway KILL simulated "$dir/killed" "$wattsink" run $rig --for "${days}d" -o "$dir/killed" -q $resume
    [ $got = 137 ] && killed=$((killed + 1))
    printf '86400,gpu0,throttle,half a li' >>"$dir/killed/events.csv"
    printf 'half a checkpoint' >"$dir/killed/.run.ckpt.new"
done
[ $killed = 2 ]
check $? "a run is killed twice in the middle" "exit $got: $(cat "$dir/killed.err")"
: >"$dir/err"
run $rig --for "${days}d" -o "$dir/killed" --resume
check $? "the killed run resumes to its end" "$(cat "$dir/err")"
[ ! -s "$dir/err" ]
check $? "and prints nothing with -q" "$(cat "$dir/err")"
alike "$dir/whole" "$dir/killed" "killed twice"

midway INT simulated "$dir/stopped" "$wattsink" run $rig --for "${days}d" -o "$dir/stopped" -q
[ $got = 130 ]
check $? "interrupted: exit 130" "exit $got"
for f in summary.json series.csv events.csv run.ckpt; do
    [ -s "$dir/stopped/$f" ]
    check $? "interrupted: $f is on disk"
done
run $rig --for "${days}d" -o "$dir/stopped" --resume
check $? "resumed after the interruption"
alike "$dir/whole" "$dir/stopped" "interrupted"

refused() {
    name=$1
    shift
    cp -R "$dir/whole" "$dir/before"
    run "$@" -o "$dir/whole" --resume
    code=$?
    [ $code = 3 ]
    check $? "$name is refused" "exit $code"
    diff -r "$dir/whole" "$dir/before" >/dev/null
    check $? "$name: nothing is touched"
    rm -rf "$dir/before"
}
refused "another rig" $other --for "${days}d"
refused "another length" $rig --for 3d
refused "another step" $rig --for "${days}d" --step 5s
refused "another stepper" $rig --for "${days}d" --stepper reference
refused "another seed" $rig --for "${days}d" --seed 7
refused "another value" $rig --for "${days}d" --set 'gpu[0].power-limit=250W'
survived kills kills $kills
exit $status
