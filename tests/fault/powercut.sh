#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A power cut in the worst case (powercut.c) loses everything that fsync did not put on disk. A command must be able to
# resume from the rest, keep finished work that is more than some seconds old, and end with the results of an
# uninterrupted run.
set -u
rig=scenarios/quad-3090-blower/rig.xml
. "$(dirname "$0")/helpers.inc"
case $(file -b "$wattsink" 2>/dev/null; nm -D "$wattsink" 2>/dev/null) in *__asan_init*) echo "ok powercut: skipped, the sanitizer does not work with LD_PRELOAD" && exit 0 ;; esac
${CC:-cc} -shared -fPIC -O1 -o "$dir/powercut.so" tests/fault/powercut.c -ldl 2>"$dir/err"
built=$?
check $built "the library is built" "$(cat "$dir/err")"
[ $built = 0 ] || exit 1

# cut FOLDER PROGRESS COMMAND...: kills COMMAND, which writes to FOLDER, once the function PROGRESS returns true. FOLDER
# then has only what was on disk.
cuts=0
cut() {
    cuts=$((cuts + 1)) folder=$1 enough=$2
    shift 2
    disk=$folder.disk
    rm -rf "$disk" && mkdir "$disk" && mkdir -p "$folder"
    CUT_FOLDER=$folder CUT_DISK=$disk LD_PRELOAD=$dir/powercut.so "$@" >"$dir/out" 2>"$dir/err" &
    pid=$!
    soon $enough
    kill -KILL $pid 2>/dev/null
    wait $pid 2>/dev/null
    rm -rf "$folder" && mkdir "$folder"
    [ -e "$disk/entries" ] || return 0
    while read -r id name; do
        if [ -e "$disk/$id" ]; then cp "$disk/$id" "$folder/$name"; else : >"$folder/$name"; fi
    done <"$disk/entries"
}

# at FILE: simulated milliseconds of a checkpoint, 0 without one.
at() { LC_ALL=C sed -n 's/^time_ms \([0-9]*\)$/\1/p' "$1" 2>/dev/null | head -n 1 | grep . || echo 0; }
# The folder has run.ckpt.safe before its name is on disk, so the copy in $disk is read.
safe() {
    id=$(sed -n 's/^\([^ ]*\) run\.ckpt\.safe$/\1/p' "$disk/entries" 2>/dev/null)
    [ "$(at "$disk/$id")" -gt 0 ] || ! kill -0 $pid 2>/dev/null
}
run() { "$wattsink" run $rig --for 150d -q "$@" 2>"$dir/err"; }
run -o "$dir/whole"
check $? "a run that is not interrupted ends" "$(cat "$dir/err")"
cut "$dir/run" safe "$wattsink" run $rig --for 150d -q -o "$dir/run"
kept=$(at "$dir/run/run.ckpt.safe")
[ "$kept" -gt 0 ] && [ ! -s "$dir/run/run.ckpt" ]
check $? "a power cut takes the checkpoints of the last seconds, and leaves one before them" "$(ls -l "$dir/run")"
"$wattsink" run $rig --for 150d -o "$dir/run" --resume >"$dir/out" 2>"$dir/err"
check $? "after the power cut the run resumes" "$(cat "$dir/err")"
grep -qE '^resumed at [0-9.]+ (min|h|d)' "$dir/err"
check $? "from the checkpoint that was left" "$(cat "$dir/err")"
sed -i 's/"wall_clock_s": [^,]*//' "$dir/whole/summary.json" "$dir/run/summary.json"
diff -r "$dir/whole" "$dir/run" >"$dir/differ"
check $? "after the power cut: the same files" "$(head -3 "$dir/differ")"
# When the program has ended, nothing of its run may be lost.
done_() { ! kill -0 $pid 2>/dev/null; }
cut "$dir/ended" done_ "$wattsink" run $rig --for 1d -q -o "$dir/ended"
run -o "$dir/same" --for 1d
sed -i 's/"wall_clock_s": [^,]*//' "$dir/same/summary.json" "$dir/ended/summary.json"
# the lock's deletion may not be on disk; a lock file without a process locks nothing
rm -f "$dir/ended/wattsink.lock"
diff -r "$dir/same" "$dir/ended" >"$dir/differ"
check $? "a run that has ended is on disk" "$(head -3 "$dir/differ")"
# on_disk NAME ENTRY COMMAND...: COMMAND makes the folder ENTRY in $dir/NAME, and the entry must be on disk.
on_disk() {
    name=$1 entry=$2
    shift 2
    cut "$dir/$name" done_ "$@"
    grep -q " $entry\$" "$disk/entries"
    check $? "the folder that $name has made is on disk" "$(cat "$dir/err" "$disk/entries")"
}
on_disk run-inside new "$wattsink" run $rig --for 1h -q -o "$dir/run-inside/new/deeper/"
mkdir "$dir/deep"
on_disk deep/new deeper "$wattsink" run $rig --for 1h -q -o "$dir/deep/new/deeper"
on_disk compare-inside new "$wattsink" compare $rig --vary gpu.power-limit=200W,300W --for 1h -o "$dir/compare-inside/new"

some() { [ "$(stored "$folder")" -gt 2 ] 2>/dev/null || ! kill -0 $pid 2>/dev/null; }
sweep() { "$wattsink" sweep $rig --for 2d --vary 'gpu.power-limit=200W:350W:5W' --jobs 1 "$@" 2>"$dir/err"; }
sweep -q -o "$dir/all.csv"
check $? "a sweep left alone" "$(cat "$dir/err")"
cut "$dir/sweep" some "$wattsink" sweep $rig --for 2d --vary 'gpu.power-limit=200W:350W:5W' --jobs 1 -q -o "$dir/sweep/all.csv"
sweep -o "$dir/sweep/all.csv" --resume >"$dir/out"
check $? "a sweep resumes" "$(cat "$dir/err")"
cmp -s "$dir/all.csv" "$dir/sweep/all.csv"
check $? "the resumed sweep has the same rows"
kept=$(sed -n 's/^resumed with \([0-9]*\) of.*/\1/p' "$dir/err")
[ "${kept:-0}" -ge 1 ]
check $? "the resumed sweep begins with the rows on disk" "$(cat "$dir/err")"

# Cases of a search: only those of the last seconds may be lost, and none of a search that has ended.
kept() {
    id=$(sed -n 's/^\([^ ]*\) a\.cases$/\1/p' "$disk/entries" 2>/dev/null)
    [ "$(grep -c ' # ' "$disk/$id" 2>/dev/null)" -gt 0 ] 2>/dev/null || ! kill -0 $pid 2>/dev/null
}
cut "$dir/search" kept "$wattsink" optimise $rig -q -j 1 --over 'gpu[*].power-limit=150W:350W:1W' --over 'fan[*].speed=500rpm:1500rpm:10rpm' \
    --max 'sum(gpus.work_rel)' --where 'noise_dba < 60 dBA' --most 100000 --cases "$dir/search/a.cases"
[ "$(grep -c ' # ' "$dir/search/a.cases")" -gt 0 ]
check $? "a search leaves cases on disk" "$(cat "$dir/err"; head -c 300 "$dir/search/a.cases")"
"$wattsink" optimise $rig -q -j 1 --over 'gpu[*].power-limit=200W:300W:50W' --min 'sum(gpus.power_mean_w)' --for 1h \
    --cases "$dir/left.cases" >"$dir/out" 2>"$dir/err"
check $? "a search left alone" "$(cat "$dir/err")"
cut "$dir/found" done_ "$wattsink" optimise $rig -q -j 1 --over 'gpu[*].power-limit=200W:300W:50W' --min 'sum(gpus.power_mean_w)' --for 1h \
    --cases "$dir/found/a.cases"
cmp -s "$dir/left.cases" "$dir/found/a.cases"
check $? "a search that has ended is on disk" "$(diff "$dir/left.cases" "$dir/found/a.cases" | head -3)"
survived powercuts "power cuts simulated" $cuts
exit $status
