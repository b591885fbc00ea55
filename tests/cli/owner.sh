#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# One process at a time may write to a folder of results. A killed process holds no folder, and readers do not keep each
# other out.
. "$(dirname "$0")/helpers.inc"
. "$top/tests/fault/midway.inc"
"$wattsink" run two-cards.xml --for 1d -o done -q
"$wattsink" compare two-cards.xml --vary 'gpu[*].power-limit=200W,300W' --for 1h -o compared >/dev/null 2>&1
[ ! -e done/wattsink.lock ] && [ ! -e compared/wattsink.lock ] && pass "no lock is left" || fail "no lock is left"

# The first process is stopped by SIGSTOP after its first checkpoint, so that it holds the folder.
"$wattsink" run two-cards.xml --for 3000d --step 0.1s --stepper reference -o busy -q >first.out 2>&1 &
first=$!
begun() { [ -s busy/run.ckpt ] && [ -s busy/rig.resolved.xml ]; }
soon begun
kill -STOP $first
held() {
    name=$1
    shift
    exits 1 "$name" "$@"
    says err "^wattsink: 'wattsink run' \(process $first\) works in busy; wait for its end" "$name: says who"
}
before=$(cksum <busy/run.ckpt)
held "a second run" "$wattsink" run two-cards.xml --for 1d -o busy --force -q
held "a second run that resumes" "$wattsink" run two-cards.xml --for 3000d --step 0.1s --stepper reference -o busy --resume -q
held "a comparison" "$wattsink" compare two-cards.xml --vary 'gpu[*].power-limit=200W,300W' --for 1h -o busy --force
held "a report" "$wattsink" report busy
if command -v gnuplot >/dev/null; then
    held "a picture" "$wattsink" plot busy -q
    held "a picture of two runs" "$wattsink" plot done busy -q
fi
# A few cards are enough for the machines of suggest.
mkdir -p few/gpu
for family in board chassis cooler cpu fan memory model psu storage tariff carbon; do cp -R "$top/parts/$family" few/; done
cp "$top/parts/gpu/rtx-3090.xml" "$top/parts/gpu/rtx-3060.xml" few/gpu/
suggest() { WATTSINK_PARTS=few "$wattsink" suggest --budget 2000USD --model llama-3.1-8b --country us -o "$1"; }
exits 0 "suggestions" suggest machines
[ -n "$(ls machines)" ] && [ ! -e machines/wattsink.lock ] && pass "leave rigs and no lock" || fail "leave rigs and no lock" "$(ls -a machines)"
held "suggestions into its folder" suggest busy
own=$top/scenarios/own-card
held "a calibration" "$wattsink" calibrate "$own/rig.xml" --sweep "$own/limits.csv" -o busy
exits 0 "a calibration elsewhere" "$wattsink" calibrate "$own/rig.xml" --sweep "$own/limits.csv" -o mine
absent mine/wattsink.lock "leaves no lock"
optimise() { "$wattsink" optimise "$top/scenarios/single-3090/rig.xml" -q --over gpu.power-limit=200W:350W:50W --min cost_per_work --for 1h "$@"; }
held "an answer into its folder" optimise -o busy/best.xml
held "cases into its folder" optimise --cases busy/some.cases
exits 0 "an answer and cases elsewhere" optimise -o best.xml --cases some.cases
[ -s best.xml ] && [ -s some.cases ] && [ -z "$(ls ./*.lock 2>/dev/null)" ] && pass "leave no lock" || fail "leave no lock" "$(ls)"
[ "$(cksum <busy/run.ckpt)" = "$before" ] && pass "the first one's files are as they were" || fail "the first one's files are as they were"
kill -KILL $first
wait $first 2>/dev/null
present busy/wattsink.lock "a killed process leaves the lock file"
exits 0 "but no lock" "$wattsink" run two-cards.xml --for 1d -o busy --force -q
absent busy/wattsink.lock "and the next one deletes it"

# Another search on the same cases, whatever name they have.
"$wattsink" optimise "$top/scenarios/single-3090/rig.xml" -q --over gpu.power-limit=200W:350W --over gpu.clock-offset=-200MHz:0MHz \
    --min cost_per_work --most 100000 --probability 99% --for 7d -j 1 --cases first.cases >search.out 2>&1 &
search=$!
lines() { [ "$(wc -l <first.cases)" -gt 5 ]; } 2>/dev/null
soon lines
kill -STOP $search
ln -s first.cases second.cases
for cases in first.cases second.cases; do
    exits 1 "a second search on $cases" optimise --cases $cases --force
    says err "^wattsink: 'wattsink optimise' \(process $search\) works in $cases; wait for its end" "is told who works on $cases"
done
kill -KILL $search
wait $search 2>/dev/null

# A lock file that cannot be opened is an error, also for a reader.
mkdir -p odd && cp -R done/. odd && mkdir odd/wattsink.lock
exits 1 "a run without a lock" "$wattsink" run two-cards.xml --for 1d -o odd --force -q
says err '^wattsink: cannot open odd/wattsink\.lock: ' "is told why"
exits 1 "a report without a lock" "$wattsink" report odd
says err '^wattsink: cannot open odd/wattsink\.lock: ' "is told why as well"
rmdir odd/wattsink.lock && echo mine >victim && ln -s ../victim odd/wattsink.lock
exits 1 "a lock that is a link" "$wattsink" report odd
says victim '^mine$' "leaves the file alone that it leads to"

# Other users of a shared folder. The lock file is one that they may write to, or one of an earlier version.
somebody="setpriv --reuid=65534 --regid=65534 --clear-groups"
chmod 755 .
# shellcheck disable=SC2086 # unquoted, to be split into words
if [ "$(id -u)" = 0 ] && $somebody "$wattsink" --version >/dev/null 2>&1; then
    "$wattsink" run two-cards.xml --for 1d -o shared -q
    cp shared/rig.resolved.xml ended.xml
    "$wattsink" run two-cards.xml --for 3000d --step 0.1s --stepper reference -o shared -q --force >first.out 2>&1 &
    first=$!
    shared() { grep -q '^time_ms [1-9]' shared/run.ckpt && [ -e shared/wattsink.lock ]; } 2>/dev/null
    soon shared
    kill -STOP $first
    chmod -R a+rX shared && chmod 777 shared
    for mode in 666 644; do
        chmod $mode shared/wattsink.lock
        exits 1 "mode $mode: a report by another user" $somebody "$wattsink" report shared
        says err "^wattsink: 'wattsink run' \(process $first\) works in shared;" "mode $mode: says who"
        exits 1 "mode $mode: a run by another user" $somebody "$wattsink" run two-cards.xml --for 1d -o shared --force -q
        says err "^wattsink: 'wattsink run' \(process $first\) works in shared;" "mode $mode: says who to a run"
    done
    kill -KILL $first
    wait $first 2>/dev/null
    cp ended.xml shared/rig.resolved.xml # that of the summary, without which report refuses the folder
    exits 0 "a report beside the lock file of a killed process" $somebody "$wattsink" report shared
    exits 1 "a run that cannot lock" $somebody "$wattsink" run two-cards.xml --for 1d -o shared --force -q
    says err '^wattsink: cannot open shared/wattsink\.lock: Permission denied' "the other user is told that the lock cannot be opened"
    rm shared/wattsink.lock
    mkdir tables && chmod 777 tables
    "$wattsink" sweep two-cards.xml --for 2h --vary 'gpu[*].power-limit=200W:300W:0.1W' --columns steps -o tables/a.csv -q >first.out 2>&1 &
    first=$!
    rows() { [ -s tables/a.csv.sqlite-wal ]; }
    soon rows
    kill -STOP $first
    [ "$(stat -c %a tables/a.csv.sqlite.lock)" = 666 ] && pass "who may write to the folder may lock" || fail "who may write to the folder may lock"
    for mode in 666 644; do
        chmod $mode tables/a.csv.sqlite.lock
        exits 1 "mode $mode: a sweep by another user" $somebody "$wattsink" sweep two-cards.xml --for 2h --vary 'gpu[*].power-limit=200W,300W' -o tables/a.csv -q --force
        says err "^wattsink: 'wattsink sweep' \(process $first\) works in tables/a.csv.sqlite;" "mode $mode: says who sweeps"
    done
    present tables/a.csv.sqlite "the rows are still there"
    kill -KILL $first
    wait $first 2>/dev/null
else
    echo "skip other users: nobody to try them as"
fi

exits 0 "a report" "$wattsink" report done
if command -v gnuplot >/dev/null; then
    "$wattsink" plot done --what temps -q >one.out 2>&1 &
    one=$!
    exits 0 "two pictures at once" "$wattsink" plot done --what power -q
    wait $one && pass "both are drawn" || fail "both are drawn" "$(cat one.out)"
fi
absent done/wattsink.lock "readers leave no lock file"
exit $status
