#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A killed or interrupted sweep must keep finished cases, and the resumed file must have the rows of an uninterrupted
# one.
set -u
rig=scenarios/single-3090/rig.xml
. "$(dirname "$0")/helpers.inc"
sweep() { sh "$dir/sweep" "$@"; }
rows() { sed 1d "$1" | wc -l; }
cat >"$dir/sweep" <<END
exec '$wattsink' sweep $rig --for 1d --vary 'gpu.power-limit=200W:350W:5W' --vary 'psu=psu/tier-gold-1000,psu/tier-bronze-1000' "\$@"
END

sweep -o "$dir/whole.csv" -q 2>"$dir/err"
code=$?
check $code "a sweep that is not interrupted ends" "$(head -3 "$dir/err")"
[ $code = 0 ] || exit 1
[ "$(rows "$dir/whole.csv")" = 62 ]
check $? "its table has a row for each case" "$(rows "$dir/whole.csv")"

midway KILL stored "$dir/killed" sh "$dir/sweep" -o "$dir/killed/a.csv" --jobs 1
first=$got
midway KILL stored "$dir/killed" sh "$dir/sweep" -o "$dir/killed/a.csv" --resume --jobs 2
[ $first-$got = 137-137 ]
check $? "a sweep is killed twice in the middle" "exits $first and $got"
before=$(sed -n 's/^resumed with \([0-9]*\) of 62 cases$/\1/p' "$dir/killed.err")
[ "${before:-0}" -gt 0 ]
check $? "the second attempt has the finished cases of the first" "$(cat "$dir/killed.err")"
[ ! -e "$dir/killed/a.csv" ]
check $? "a killed sweep leaves no table that is not complete"
sweep -o "$dir/killed/a.csv" --resume 2>"$dir/err" >/dev/null
check $? "the killed sweep resumes to its end" "$(cat "$dir/err")"
again=$(sed -n 's/^resumed with \([0-9]*\) of 62 cases$/\1/p' "$dir/err")
[ "${again:-0}" -gt "${before:-0}" ] && [ "$again" -lt 62 ]
check $? "the third attempt has more finished cases than the second" "$before, then $again"
cmp -s "$dir/whole.csv" "$dir/killed/a.csv"
check $? "killed: the same bits"

midway INT stored "$dir/stopped" sh "$dir/sweep" -o "$dir/stopped/a.csv" -q
[ $got = 130 ]
check $? "interrupted: exit 130" "exit $got"
grep -q 'resume goes on' "$dir/stopped.err"
check $? "interrupted: the message names --resume" "$(cat "$dir/stopped.err")"
sweep -o "$dir/stopped/a.csv" --resume -q 2>"$dir/err"
check $? "resumed after the interruption" "$(cat "$dir/err")"
cmp -s "$dir/whole.csv" "$dir/stopped/a.csv"
check $? "interrupted: the same bits"

begins() {
    sweep -o "$1" --resume -q 2>"$dir/err"
    check $? "$2: begins" "$(cat "$dir/err")"
    cmp -s "$dir/whole.csv" "$1"
    check $? "$2: the same bits"
}
: >"$dir/nothing.csv.sqlite"
begins "$dir/nothing.csv" "a file of no bytes"
sqlite3 "$dir/probe.csv.sqlite" 'PRAGMA journal_mode = WAL; CREATE TABLE wsk_probe (x)' >"$dir/out"
begins "$dir/probe.csv" "a file without tables"
sqlite3 "$dir/tables.csv.sqlite" 'CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT); CREATE TABLE cases (id INTEGER PRIMARY KEY, other)'
begins "$dir/tables.csv" "tables without meta"
refuses() {
    before=$(cksum <"$1.sqlite")
    sweep -o "$1" --resume -q 2>"$dir/err"
    code=$?
    [ $code = 3 ] && grep -q "$3" "$dir/err"
    check $? "$2: refused" "exit $code: $(cat "$dir/err")"
    [ "$(cksum <"$1.sqlite")" = "$before" ]
    check $? "$2: left as it was"
}
sqlite3 "$dir/other.csv.sqlite" 'CREATE TABLE mine (x); INSERT INTO mine VALUES (1)'
refuses "$dir/other.csv" "a database of something else" 'does not hold a sweep'
sqlite3 "$dir/whole.csv.sqlite" ".backup '$dir/bare.csv.sqlite'"
sqlite3 "$dir/bare.csv.sqlite" "DELETE FROM meta WHERE key = 'columns'"
refuses "$dir/bare.csv" "a sweep without its list of columns" 'its list of columns is missing'
cp "$dir/whole.csv.sqlite" "$dir/torn.csv.sqlite"
size=$(wc -c <"$dir/torn.csv.sqlite")
yes damaged | dd of="$dir/torn.csv.sqlite" bs=1 seek=$((size / 2)) count=6000 conv=notrunc 2>/dev/null
refuses "$dir/torn.csv" "a damaged sweep" 'is damaged'
ln -s loop.csv.sqlite "$dir/loop.csv.sqlite"
sweep -o "$dir/loop.csv" --resume -q 2>"$dir/err"
[ $? = 1 ] && [ -L "$dir/loop.csv.sqlite" ]
check $? "a file that cannot be reached now is not begun anew" "$(cat "$dir/err")"
survived kills kills $kills
exit $status
