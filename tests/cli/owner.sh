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
[ "$(cksum <busy/run.ckpt)" = "$before" ] && pass "the first one's files are as they were" || fail "the first one's files are as they were"
kill -KILL $first
wait $first 2>/dev/null
present busy/wattsink.lock "a killed process leaves the lock file"
exits 0 "but no lock" "$wattsink" run two-cards.xml --for 1d -o busy --force -q
absent busy/wattsink.lock "and the next one deletes it"

exits 0 "a report" "$wattsink" report done
if command -v gnuplot >/dev/null; then
    "$wattsink" plot done --what temps -q >one.out 2>&1 &
    one=$!
    exits 0 "two pictures at once" "$wattsink" plot done --what power -q
    wait $one && pass "both are drawn" || fail "both are drawn" "$(cat one.out)"
fi
absent done/wattsink.lock "readers leave no lock file"
exit $status
