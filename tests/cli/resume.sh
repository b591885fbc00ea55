#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/helpers.inc"
. "$top/tests/fault/midway.inc"
days=${WATTSINK_RESUME_DAYS:-60}

exits 0 "uninterrupted" "$wattsink" run two-cards.xml --for "${days}d" -o whole -q

midway KILL simulated broken "$wattsink" run two-cards.xml --for "${days}d" -o broken -q
first=$got
midway KILL simulated broken "$wattsink" run two-cards.xml --for "${days}d" -o broken --resume
[ $first-$got = 137-137 ] && pass "killed twice" || fail "killed twice" "exits $first and $got"
says broken.err '^resumed at [0-9.]+ (s|min|h|d)' "the first resume says where it goes on"
exits 0 "resumed to the end" "$wattsink" run two-cards.xml --for "${days}d" -o broken --resume
says err '^resumed at [0-9.]+ (h|d)' "the second says it too"
same_results whole broken "killed twice: the same bits"

midway TERM simulated stopped "$wattsink" run two-cards.xml --for "${days}d" -o stopped -q
[ $got = 130 ] && pass "a signal gives 130" || fail "a signal gives 130" "got $got"
says stopped.err 'resume' "and says how to go on"
present stopped/summary.json "what was simulated is on disk"
present stopped/series.csv "with its series"
exits 0 "which has a report" "$wattsink" report stopped
rm stopped/report.html
exits 0 "resumed after a signal" "$wattsink" run two-cards.xml --for "${days}d" -o stopped -q --resume
[ ! -s err ] && pass "a resumed run prints nothing with -q" || fail "a resumed run prints nothing with -q" "$(cat err)"
same_results whole stopped "stopped once: the same bits"

exits 0 "resume of a finished run" "$wattsink" run two-cards.xml --for "${days}d" -o whole --resume
says out 'simulated' "prints the summary"
exits 0 "the same as JSON" "$wattsink" run two-cards.xml --for "${days}d" -o whole --resume --json
cmp -s out whole/summary.json && pass "summary.json is unchanged" || fail "summary.json is unchanged"

exits 3 "another rig is not resumed" "$wattsink" run load.xml -o whole --resume
exits 3 "nor another length" "$wattsink" run two-cards.xml --for 5d -o whole --resume
exits 3 "nor another step" "$wattsink" run two-cards.xml --for "${days}d" --step 2s -o whole --resume
exits 3 "nor another stepper" "$wattsink" run two-cards.xml --for "${days}d" --stepper reference -o whole --resume
cp whole/run.ckpt good.ckpt
sed -i 's/^version .*/version 0.0.1/' whole/run.ckpt
exits 3 "nor another version" "$wattsink" run two-cards.xml --for "${days}d" -o whole --resume
says err '0\.0\.1' "which is named"
sed '1s/3/1/' good.ckpt >whole/run.ckpt
exits 3 "nor another format" "$wattsink" run two-cards.xml --for "${days}d" -o whole --resume
says err 'it has format 1, this wattsink reads format 3' "which is named"
size=$(wc -c <good.ckpt)
for bytes in 100000 8000 40 8; do
    { head -c $((size - bytes)) good.ckpt && printf 'damaged!' && tail -c $((bytes - 8)) good.ckpt; } >whole/run.ckpt
    exits 3 "a checkpoint with eight bytes changed, $bytes before its end, is refused" "$wattsink" run two-cards.xml --for "${days}d" -o whole --resume
    says err 'it is damaged' "and said to be damaged"
done
for change in 's/^done 1/done 0/' 's/^events ./&1/' 's/^hash ./hash x/' 's/^time_ms ./&1/'; do
    sed "$change" good.ckpt >whole/run.ckpt
    cmp -s good.ckpt whole/run.ckpt && fail "$change changes it"
    exits 3 "a checkpoint with a line changed by $change is refused" "$wattsink" run two-cards.xml --for "${days}d" -o whole --resume
    says err 'it is damaged' "and said to be damaged"
done
printf 'wattsink-checkpoint 2\nversion' >whole/run.ckpt
exits 3 "a damaged checkpoint is refused" "$wattsink" run two-cards.xml --for "${days}d" -o whole --resume
unreadable() {
    name=$1 file=$2
    shift 2
    cp whole/events.csv events.before
    exits 1 "$name" "$wattsink" run two-cards.xml --for "${days}d" -o whole -q "$@"
    says err "cannot read whole/$file: " "says so"
    cmp -s events.before whole/events.csv && pass "and truncates no events" || fail "and truncates no events"
}
rm whole/run.ckpt && mkdir whole/run.ckpt
unreadable "a checkpoint that is a folder" 'run\.ckpt' --resume
rmdir whole/run.ckpt && ln -s run.ckpt whole/run.ckpt
unreadable "a checkpoint that links to itself" 'run\.ckpt' --resume
unreadable "nor without --resume" 'run\.ckpt'
rm whole/run.ckpt && mkdir whole/run.ckpt.safe
unreadable "none, beside a safe one that is a folder" 'run\.ckpt\.safe' --resume
rmdir whole/run.ckpt.safe
exits 0 "without a checkpoint a run begins anew" "$wattsink" run two-cards.xml --for "${days}d" -o whole --resume
says err 'no checkpoint in whole: starting at 0 s' "and says so"
sed 's#<workload[^>]*/>#<workload kind="replay" log="log.csv"/>#' "$top/scenarios/own-card/rig.xml" >replay.xml
cp "$top/scenarios/own-card/log.csv" .
exits 0 "a replayed log" "$wattsink" run replay.xml --for "${days}d" -o replayed -q
midway KILL simulated cut "$wattsink" run replay.xml --for "${days}d" -o cut -q
exits 0 "killed and resumed" "$wattsink" run replay.xml --for "${days}d" -o cut --resume
says err '^resumed at [0-9.]+ (s|min|h|d)' "from its checkpoint"
same_results replayed cut "ends with the same bits"
survived kills kills $kills
exit $status
