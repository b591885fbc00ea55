#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A log changes while calibrate reads it, as by a rotation of logs with copytruncate, or its disk has errors. The
# message must then name the log, and no value may come from a part of it.
set -u
. "$(dirname "$0")/helpers.inc"
top=$PWD
case $wattsink in /*) ;; *) wattsink=$top/$wattsink ;; esac
${CC:-cc} -std=c17 -O1 -o "$dir/io" tests/fault/io.c -pthread 2>"$dir/err"
built=$?
check $built "the driver is built" "$(cat "$dir/err")"
[ $built = 0 ] || exit 1
"$dir/io" -l "$dir/list" true 2>"$dir/err" || { echo "skip log: $(cat "$dir/err")" && exit $status; }
mkdir "$dir/here"
cd "$dir/here" || exit 1
# fit OPTIONS...: fits log.csv, a copy of $1, under the driver with these options.
fit() {
    cp "$1" log.csv
    shift
    "$dir/io" -l "$dir/list" -u "$dir/here/log.csv" "$@" "$wattsink" calibrate "$top/scenarios/own-card/rig.xml" --log log.csv \
        --dry-run --json >"$dir/out" 2>"$dir/err"
    got=$?
}
cp "$top/scenarios/own-card/log.csv" small.csv
# A log that is read in several pieces, and one that is larger than one call of read() takes.
{ cat small.csv; head -c 3000000 /dev/zero | tr '\0' ' '; } >pieces.csv
{ cat small.csv; head -c 68000000 /dev/zero | tr '\0' ' '; } >large.csv
for size in small pieces large; do
    fit $size.csv
    check $got "$size: the log is fitted" "$(cat "$dir/err")"
    cp "$dir/out" "$dir/ref.out"
    cp "$dir/list" "$dir/calls"
    if grep -q ' map ' "$dir/calls"; then check 1 "$size: the file is not mapped"; else check 0 "$size: the file is not mapped"; fi
    # Numbers of the calls before which the file is changed: mappings, the first two reads, and the last call but close.
    grep 'log\.csv$' "$dir/calls" | awk '$2 == "map" || $2 == "read" && reads++ < 2 { print $1 } $2 != "close" { last = $1 }
        END { print last }' | sort -nu >"$dir/places"
    while read -r n <&3; do
        fit $size.csv -n "$n" -e cut
        [ $got = 1 ] && grep -q 'log\.csv changed while it was read' "$dir/err"
        check $? "$size: cut off before call $n" "exit $got: $(sed -n "${n}p" "$dir/calls") $(head -c 300 "$dir/err")"
        [ ! -s "$dir/out" ]
        check $? "$size: cut off before call $n: no result"
        fit $size.csv -n "$n" -e append
        [ $got = 0 ] && cmp -s "$dir/out" "$dir/ref.out"
        check $? "$size: a line more before call $n" "exit $got: $(head -c 300 "$dir/err")"
    done 3<"$dir/places"
    for n in $(awk '$2 == "read" { print $1; exit }' "$dir/calls"); do
        fit $size.csv -n "$n" -e EIO
        [ $got = 1 ] && grep -q 'log\.csv: Input/output error' "$dir/err"
        check $? "$size: an error of the disk in call $n" "exit $got: $(head -c 300 "$dir/err")"
    done
done
exit $status
