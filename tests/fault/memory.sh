#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Memory ends at the N-th allocation of a command (memory.c). The command must then say so and end with exit code 12,
# results from before must stay as they are or be replaced as a whole, and the same command, with --resume if it has
# that option, must then give the files of a command without faults. With WATTSINK_SOAK the first allocation of each place
# in the source is tried, else a few N.
set -u
. "$(dirname "$0")/helpers.inc"
. "$(dirname "$0")/whole.inc"
top=$PWD
case $wattsink in /*) ;; *) wattsink=$top/$wattsink ;; esac
work=$dir/work before=$dir/before
nm -D "$wattsink" 2>/dev/null >"$dir/symbols"
grep -q '__[at]san_init' "$dir/symbols" && echo "skip memory: the sanitizer has an allocator of its own" && exit 0
grep -q ' U __libc_malloc' "$dir/symbols" || { echo "skip memory: not with this C library" && exit 0; }
${CC:-cc} -shared -fPIC -O1 -o "$dir/memory.so" tests/fault/memory.c -ldl 2>"$dir/err"
built=$?
check $built "the library is built" "$(cat "$dir/err")"
[ $built = 0 ] || exit 1
failed=0 ended=0 unfelt=0

attempt() {
    at=$1
    shift
    (cd "$work" && MEMORY_COUNT=$dir/count MEMORY_FAILS_FROM=$at LD_PRELOAD=$dir/memory.so \
        exec "$@" <"$dir/in" >"$dir/out" 2>"$dir/err")
    got=$?
    sed -i 's/"wall_clock_s": [^,]*/"wall_clock_s": 0/' "$dir/out"
}
wrong() { echo "    allocation $n of $count: $1" >>"$dir/wrong"; }
starve() {
    n=$1
    shift
    fresh
    attempt "$n" "$@"
    failed=$((failed + 1))
    if [ $got = 12 ]; then
        ended=$((ended + 1))
        grep -q '^wattsink: out of memory$' "$dir/err" || wrong "no message: $(cat "$dir/err")"
        lost=$(whole | grep '^lost')
        [ -z "$lost" ] || wrong "$lost"
        # If the failed command has changed no file, a second run would repeat the reference run, and is left out.
        ! cmp -s "$dir/now" "$dir/was" || return 0
        # shellcheck disable=SC2086  # $again is an option or nothing
        (cd "$work" && exec "$@" $again <"$dir/in" >"$dir/out" 2>"$dir/err")
        got=$?
        if [ $got != "$ref" ] || ! picture "$work" | cmp -s - "$dir/ref"; then
            wrong "again: exit $got: $(cat "$dir/err"; picture "$work" | diff - "$dir/ref" | head -4)"
        fi
    elif [ $got = "$ref" ] && cmp -s "$dir/out" "$dir/ref.out" && picture "$work" | cmp -s - "$dir/ref"; then
        unfelt=$((unfelt + 1))
    else
        wrong "exit $got: $(head -3 "$dir/err"; diff "$dir/out" "$dir/ref.out" | head -3)"
    fi
}
few=${WATTSINK_FEW:-5}
each() {
    name=$1 again=$2
    shift 2
    : >"$dir/wrong"
    picture "$before" >"$dir/was"
    fresh
    [ -z "${WATTSINK_SOAK-}" ] || export MEMORY_PLACES="$dir/places"
    attempt 0 "$@"
    unset MEMORY_PLACES
    ref=$got count=$(cat "$dir/count")
    cp "$dir/out" "$dir/ref.out"
    picture "$work" >"$dir/ref"
    if [ -z "${WATTSINK_SOAK-}" ]; then
        awk -v n="$count" -v few="$few" 'BEGIN { for (i = 0; i < few; i++) print 1 + int(i * (n - 1) / (few - 1)) }' |
            sort -nu >"$dir/places"
    fi
    while read -r place <&3; do starve "$place" "$@"; done 3<"$dir/places"
    [ ! -s "$dir/wrong" ] && [ "$ref" = 0 ]
    check $? "$name: memory ends at $(wc -l <"$dir/places") of $count allocations" "$(head -20 "$dir/wrong")"
}

w=$wattsink
: >"$dir/in"
cp tests/cli/two-cards.xml "$dir/rig.xml"
limits='gpu[0].power-limit=200W:300W:50W'
begin "$dir/rig.xml"
each help "" "$w" help
each run --resume "$w" run rig.xml --for 3h -o out
each steady "" "$w" steady rig.xml
each check "" "$w" check rig.xml
each sweep --resume "$w" sweep rig.xml --for 1h --vary "$limits" -j 1 --best 'min energy.dc_kwh' -o a.csv
each_of_both
each compare "" "$w" compare rig.xml "$top/scenarios/single-3090/rig.xml" --for 1h -o out
each export "" "$w" export rig.xml --json
each new "" "$w" new -o new.xml
each kinds "" "$w" kinds
each schema "" "$w" schema
each "parts --show" "" "$w" parts --show gpu/rtx-3090
mkdir -p "$before/parts/gpu" && cp parts/gpu/rtx-3090.xml "$before/parts/gpu"
each parts "" env WATTSINK_PARTS=parts "$w" parts
rm -r "$before/parts"
(cd "$before" && "$w" run rig.xml --for 2h -q -o out)
each "run over results" "" "$w" run rig.xml --for 3h -q -o out
each report "" "$w" report out
if command -v gnuplot >/dev/null; then each plot "" "$w" plot out --what temps; fi

(ulimit -v 50000 && exec "$w" run "$dir/rig.xml" --for 3h -q -o "$dir/small" >"$dir/out" 2>"$dir/err")
got=$?
{ [ $got = 12 ] && grep -q 'out of memory' "$dir/err"; } || [ $got = 0 ]
check $? "a run in an address space of 50 MB ends well or is out of memory" "exit $got: $(cat "$dir/err")"
count memory "allocations failed" $failed
count memory "of them ended with exit 12" $ended
count memory "gave the fault-free bytes" $unfelt
exit $status
