#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Each system call on a file that a command makes fails once (io.c). The command must then name the file and the reason,
# or give the results that it gives without the fault; files from before must stay as they are or be replaced as a
# whole; and the same command, with --resume if it has that option, must then give the files of a command without
# faults. Without WATTSINK_SOAK only a few calls of each command fail.
set -u
. "$(dirname "$0")/helpers.inc"
. tests/soak/count.inc
. "$(dirname "$0")/whole.inc"
top=$PWD
case $wattsink in /*) ;; *) wattsink=$top/$wattsink ;; esac
work=$dir/work before=$dir/before
${CC:-cc} -std=c17 -O1 -o "$dir/io" tests/fault/io.c -pthread 2>"$dir/err"
built=$?
check $built "the driver is built" "$(cat "$dir/err")"
[ $built = 0 ] || exit 1
"$dir/io" -l "$dir/list" true 2>"$dir/err" || { echo "skip io: $(cat "$dir/err")" && exit $status; }
injected=0 told=0 unfelt=0 resumed=0

# errors CALL: the errors that CALL can have. short: half of the bytes are transferred; full: the disk is full from then
# on.
errors() {
    case $1 in
    read) echo EIO EINTR short ;;
    write) echo EIO ENOSPC EINTR short full ;;
    open) echo EIO EMFILE ;;
    rename | mkdir) echo EIO ENOSPC ;;
    sync) echo EIO EINTR ;;
    lock) echo ENOLCK ;;
    map) echo ENODEV ;;
    *) echo EIO ;;
    esac
}
# reason ERROR: patterns of the words for ERROR in a message. SQLite and NetCDF have words of their own, and a failed
# write to standard output may be reported later.
reason() {
    case $1 in
    EIO) echo 'Input/output error' ;;
    ENOSPC | full) echo 'No space left on device' ;;
    EINTR) echo 'Interrupted system call' ;;
    EMFILE) echo 'Too many open files' ;;
    *) echo . ;;
    esac
    echo 'a[.]csv[.]sqlite: '
    echo 'NetCDF|full[.]nc[.]new: '
    echo 'standard output$'
}
attempt() {
    (cd "$work" && exec timeout -s KILL 60 "$dir/io" -l "$dir/list" -u "$work" -u "$top" -u "$dir/there/share/wattsink/wattsink.html" "$@" <"$dir/in" >"$dir/out" 2>"$dir/err")
    got=$?
    sed -i 's/"wall_clock_s": [^,]*/"wall_clock_s": 0/' "$dir/out"
}
wrong() { echo "    call $n ($hit) $error: $1" >>"$dir/wrong"; }
inject() {
    n=$1 error=$2 again=$3
    shift 3
    fresh
    case $error in
    full) attempt -f -n "$n" -e ENOSPC "$@" ;;
    *) attempt -n "$n" -e "$error" "$@" ;;
    esac
    hit=$(sed -n 's/^fault //p' "$dir/list")
    [ -n "$hit" ] || return 0 # the number of checkpoints depends on the time, so there may be fewer calls
    tried=$((tried + 1)) injected=$((injected + 1))
    ! grep -q Sanitizer "$dir/err" || wrong "$(head -3 "$dir/err")"
    if [ $got -ge 124 ]; then
        wrong "exit $got: $(head -3 "$dir/err")"
    elif [ $got = $ref ]; then
        unfelt=$((unfelt + 1))
        cmp -s "$dir/out" "$dir/ref.out" || wrong "exit $got with another output: $(diff "$dir/out" "$dir/ref.out" | head -3)"
        picture "$work" | cmp -s - "$dir/ref" || wrong "exit $got with other files: $(picture "$work" | diff - "$dir/ref" | head -4)"
    else
        told=$((told + 1))
        # The message has the name of a part without .xml, and may write the path of a folder in another way.
        base=$(echo "${hit##*/}" | sed 's/^\.//; s/ (deleted)$//; s/\.new$//; s/\.xml$//; s/-wal$//; s/-shm$//; s/-journal$//; s/^.*standard-/standard /')
        [ ! -d "${hit#* }" ] || base=
        [ "$error" != short ] || wrong "a short transfer is no error: $(cat "$dir/err")"
        [ "$error" = full ] || grep -qF -e "$base" "$dir/err" || wrong "the message does not name the file: $(cat "$dir/err")"
        reason "$error" >"$dir/reason"
        grep -qEf "$dir/reason" "$dir/err" || wrong "no reason: $(cat "$dir/err")"
        lost=$(whole)
        [ -z "$lost" ] || wrong "$lost"
        # shellcheck disable=SC2086  # $again is an option or nothing
        attempt "$@" $again
        if [ $got = $ref ] && picture "$work" | cmp -s - "$dir/ref"; then
            resumed=$((resumed + 1))
        else
            wrong "again: exit $got: $(cat "$dir/err"; picture "$work" | diff - "$dir/ref" | head -4)"
        fi
    fi
}
# each NAME AGAIN COMMAND...: AGAIN: option that the second attempt adds, or "". Without WATTSINK_SOAK the first call of
# each kind on each file is taken, and FEW of these, evenly, with one of their errors in turn; WATTSINK_CALLS replaces
# FEW. BUT: a pattern of files that are left out, because an earlier command had them.
few=${WATTSINK_CALLS:-6} but='^$'
[ -z "${WATTSINK_SHORT-}" ] || few=2 # slow builds
each() {
    name=$1 again=$2 tried=0
    shift 2
    : >"$dir/wrong"
    picture "$before" >"$dir/was"
    fresh
    attempt "$@"
    ref=$got
    [ $ref = 0 ] || echo "    without a fault: exit $ref: $(head -3 "$dir/err")" >>"$dir/wrong"
    cp "$dir/out" "$dir/ref.out"
    picture "$work" >"$dir/ref"
    grep -v "$but" "$dir/list" >"$dir/calls"
    if [ -n "${WATTSINK_SOAK-}" ]; then
        while read -r n call _; do for error in $(errors "$call"); do echo "$n $error"; done; done <"$dir/calls" >"$dir/faults"
    else
        awk '!seen[$2, $3]++' "$dir/calls" | awk -v few="$few" '{ line[NR] = $0 }
            END { step = NR > few ? NR / few : 1; for (i = step; i < NR + 0.5; i += step) print line[int(i)] }' >"$dir/some"
        turn=0
        while read -r n call _; do
            turn=$((turn + 1))
            # shellcheck disable=SC2046 # unquoted, to be split into words
            echo "$n $(printf '%s\n' $(errors "$call") | awk -v t=$turn '{ e[NR] = $0 } END { print e[t % NR + 1] }')"
        done <"$dir/some" >"$dir/faults"
    fi
    while read -r n error <&3; do inject "$n" "$error" "$again" "$@"; done 3<"$dir/faults"
    [ ! -s "$dir/wrong" ] && [ $tried -gt 0 ]
    check $? "$name: $tried faults" "$(cat "$dir/wrong")"
}

w=$wattsink
: >"$dir/in"
cp tests/cli/two-cards.xml "$dir/rig.xml"
limits='gpu[0].power-limit=200W:300W:50W'
begin "$dir/rig.xml"
each run --resume "$w" run rig.xml --for 3h -o out
each "run with checkpoints" --resume "$w" run rig.xml --for 30h --stepper reference -q -o out
each sweep --resume "$w" sweep rig.xml --for 1h --vary "$limits" -j 1 --best 'min cost.annual' -o a.csv
each compare "" "$w" compare rig.xml "$top/scenarios/single-3090/rig.xml" --for 1h -o out
each_of_both
each export "" "$w" export rig.xml --json
ln -s real.json "$before/link.json" && echo '{}' >"$before/real.json"
each "export through a link" "" "$w" export rig.xml --json -o link.json
rm "$before/link.json" "$before/real.json"
each optimise --resume "$w" optimise rig.xml -q -j 1 --over "gpu[*].power-limit=200W:300W:50W" --min gpus.power_mean_w --for 1h --json --cases a.cases
each new "" "$w" new -o new.xml
each kinds "" "$w" kinds
WATTSINK_PARTS=parts "$w" run "$dir/rig.xml" --full --for 1h -q -o "$dir/full" 2>"$dir/err"
full=$?
[ $full != 0 ] || each "run --full" --resume "$w" run rig.xml --for 5min --full -q -o out
# stop COMMAND...: leaves in $before a run whose last files could not be written.
stop() {
    fresh
    attempt "$@"
    n=$(awk '$2 == "open" && /summary.json.new/ { print $1 }' "$dir/list")
    fresh
    attempt -n "$n" -e EIO "$@"
    rm -rf "$before" && cp -Rp "$work" "$before"
}
stop "$w" run rig.xml --for 2d --stepper reference -q -o out
each "run --resume" "" "$w" run rig.xml --for 2d --stepper reference -q -o out --resume
begin "$dir/rig.xml"
[ $full != 0 ] || {
    stop "$w" run rig.xml --for 5min --full -q -o out
    but=full.nc.new
    each "run --full --resume" "" "$w" run rig.xml --for 5min --full -q -o out --resume
    but='^$'
}
begin "$dir/rig.xml"
"$w" sweep "$dir/rig.xml" --for 1h --vary "$limits" -j 1 -q -o "$before/a.csv"
sqlite3 "$before/a.csv.sqlite" 'DELETE FROM cases WHERE id = 2'
each "sweep --resume" "" "$w" sweep rig.xml --for 1h --vary "$limits" -j 1 -q -o a.csv --resume
input "$before" 'from="2026-08-03T09:00:00" zone="America/Los_Angeles"'
each check "" "$w" check rig.xml --parts parts
each steady "" "$w" steady rig.xml --parts parts
but=a.csv
each "sweep of parts" --resume "$w" sweep rig.xml --parts parts --for 1h --vary gpu.power-limit=200W,300W -j 1 -q -o a.csv
but='^$'
cp "$before/rig.xml" "$dir/in"
each "standard input" "" "$w" check - --parts parts --data .
each "parts --show" "" "$w" parts --parts parts --show gpu/own-card
(cd "$before" && "$w" run rig.xml --parts parts --for 2h -q -o out)
each "run over results" "" "$w" run rig.xml --parts parts --for 3h -q -o out
each report "" "$w" report out
each plot "" "$w" plot out --what temps
# A file system without locks: results there can be read, and nothing is written there.
for command in "report out" "run rig.xml --parts parts --for 2h -q -o out --force"; do
    fresh
    # shellcheck disable=SC2086 # words of a command
    attempt "$w" $command
    n=$(awk '$2 == "lock" { print $1; exit }' "$dir/list")
    fresh
    # shellcheck disable=SC2086
    attempt -n "$n" -e ENOLCK "$w" $command
    case $command in
    report*) [ -n "$n" ] && [ $got = 0 ] && [ -s "$work/out/report.html" ] ;;
    *) [ -n "$n" ] && [ $got = 1 ] && grep -q 'cannot lock out/wattsink.lock: .*; a folder on another disk' "$dir/err" ;;
    esac
    check $? "${command%% *} without locks" "exit $got: $(cat "$dir/err")"
done
(cd "$before" && "$w" compare rig.xml --parts parts --vary gpu.power-limit=200W,300W --for 1h -q -o out >/dev/null --force)
each "plot of a comparison" "" "$w" plot out --what compare
mkdir "$before/catalogue"
for family in board chassis cooler cpu fan memory model psu storage tariff carbon; do cp -R "parts/$family" "$before/catalogue/"; done
mkdir "$before/catalogue/gpu" && cp parts/gpu/rtx-3060.xml "$before/catalogue/gpu/own-card.xml"
WATTSINK_PARTS=catalogue
export WATTSINK_PARTS
each suggest "" "$w" suggest --budget 2500USD --model llama-3.1-8b --json
fresh
attempt "$w" suggest --budget 2500USD --model llama-3.1-8b --json
sed -n 's|^[0-9]* open \(.*/catalogue/.*\.xml\)$|\1|p' "$dir/list" | sort | uniq -c | grep -v '/model/' >"$dir/opened"
[ -s "$dir/opened" ] && ! grep -qv '^ *1 ' "$dir/opened"
check $? "suggest reads each part once" "$(grep -v '^ *1 ' "$dir/opened" | head -5)"
rm -r "$before/catalogue"
WATTSINK_PARTS=parts
each parts "" "$w" parts
count io "I/O faults injected" $injected
count io "told by exit code and message" $told
count io "without effect on results" $unfelt
count io "results equal in every byte after resuming" $resumed
exit $status
