#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The input files are edited or deleted while a command works. The results must be those of the files as they were when
# the command began.
set -u
. "$(dirname "$0")/helpers.inc"
edit() {
    sed -i 's/0.16 USD/0.61 USD/' "$1/rig.xml"
    sed -i 's/tdp="350/tdp="250/' "$1/parts/gpu/own-card.xml"
    printf 't_min,card_w\n0,100\n60,90\n' >"$1/power.csv"
}
lose() { rm -rf "$1/rig.xml" "$1/parts" "$1/power.csv"; }
# during CHANGE MEASURE FOLDER COMMAND...: starts COMMAND on fresh input, waits until MEASURE of FOLDER has grown,
# changes the input by CHANGE, and waits for the end. If the command has ended before the change, the attempt is
# repeated, at most ten times; false: each command ended before.
during() {
    change=$1 measure=$2 folder=$3 was=0 attempt=0 alive=
    shift 3
    until [ "$alive" ] || [ $attempt = 10 ]; do
        attempt=$((attempt + 1))
        input "$dir/in"
        rm -rf "$folder" && mkdir "$folder"
        "$@" >"$dir/out" 2>"$dir/err" &
        pid=$!
        soon grown
        # The process is stopped, so that it cannot end between the check of its state and the change.
        kill -STOP $pid 2>/dev/null
        soon stopped
        ! state T || alive=1
        $change "$dir/in"
        kill -CONT $pid 2>/dev/null
        wait $pid
        got=$?
    done
    [ "$alive" ]
}
state() { grep -q "^State:[[:space:]]*[$1]" "/proc/$pid/status" 2>/dev/null; }
stopped() { state TZX || [ ! -e "/proc/$pid" ]; }
input "$dir/in"
"$wattsink" check "$dir/in/rig.xml" --parts "$dir/in/parts" >"$dir/out" 2>"$dir/err"
sound=$?
check $sound "the rig is sound" "$(cat "$dir/out" "$dir/err")"
[ $sound = 0 ] || exit 1

sweep() { "$wattsink" sweep "$dir/in/rig.xml" --parts "$dir/in/parts" --vary 'gpu.power-limit=200W:350W:2W' --jobs 1 "$@" -q; }
sweep -o "$dir/whole.csv"
check $? "a sweep left alone"
for change in edit lose; do
    during $change stored "$dir/$change" sweep -o "$dir/$change/a.csv"
    check $? "$change: the sweep was at work"
    [ $got = 0 ] && cmp -s "$dir/whole.csv" "$dir/$change/a.csv"
    check $? "$change: every row comes from the files at the start" "exit $got: $(head -3 "$dir/err"; diff "$dir/whole.csv" "$dir/$change/a.csv" | wc -l) lines differ"
done


# Rows that failed for a reason outside the rig (out of memory, run-time failure) must run again, rows with bad input
# must not. The digests of rows are dropped, because rows that do not fit them would all run again.
cp "$dir/whole.csv.sqlite" "$dir/again.csv.sqlite"
sqlite3 "$dir/again.csv.sqlite" "ALTER TABLE cases DROP COLUMN row_digest; DELETE FROM meta WHERE key = 'row_digest'; UPDATE cases SET status = 'out of memory', error = 'out of memory' WHERE id = 3;
    UPDATE cases SET status = 'run-time failure' WHERE id = 5; UPDATE cases SET status = 'bad input' WHERE id = 7"
input "$dir/in"
"$wattsink" sweep "$dir/in/rig.xml" --parts "$dir/in/parts" --vary 'gpu.power-limit=200W:350W:2W' -o "$dir/again.csv" --resume >"$dir/out" 2>"$dir/err"
grep -q 'resumed with 74 of 76 cases' "$dir/err"
check $? "of three failed cases two are to run again" "$(cat "$dir/err")"
[ "$(sqlite3 "$dir/again.csv.sqlite" "SELECT group_concat(id) FROM cases WHERE status != 'ok'")" = 7 ]
check $? "after which only the case of bad input has failed"

run() { "$wattsink" run "$dir/in/rig.xml" --parts "$dir/in/parts" --stepper reference --for 9d "$@" -q; }
input "$dir/in"
run -o "$dir/alone"
check $? "a run left alone"
for change in edit lose; do
    during $change simulated "$dir/run-$change" run -o "$dir/run-$change"
    check $? "$change: the run was at work"
    sed -i 's/"wall_clock_s": [^,]*//' "$dir/alone/summary.json" "$dir/run-$change/summary.json"
    [ $got = 0 ] && diff -r "$dir/alone" "$dir/run-$change" >"$dir/differ"
    check $? "$change: results and advice of the files at the start" "exit $got: $(head -5 "$dir/err" "$dir/differ")"
done
exit $status
