#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# scaling.sh [short]: runs a sweep in two threads, in two simultaneous processes with half of the cases each, in one
# thread, and in two MPI ranks. "ratio" compares processor time, which shows how much threads slow each other down;
# "elapsed_ratio" is reliable only on an idle machine. The variants take turns, and the shortest time of each counts.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
top=$(cd "$(dirname "$0")/../.." && pwd)
rig=$top/scenarios/quad-3090-blower/rig.xml
case ${1-} in short) days=1 turns=3 ;; *) days=3 turns=5 ;; esac
[ "$(getconf _NPROCESSORS_ONLN)" -ge 2 ] || exit 0
mpi=$WATTSINK-mpi
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
sweep() { "$WATTSINK" sweep "$rig" --for ${days}d --columns steps -q "$@"; }
all=220W,230W,240W,250W,260W,270W,280W,290W,300W,310W,320W,330W
odd=220W,240W,260W,280W,300W,320W even=230W,250W,270W,290W,310W,330W
one_process() { sweep --vary "gpu[*].power-limit=$all" --jobs 1 -o "$dir/one.sqlite" --force; }
two_threads() { sweep --vary "gpu[*].power-limit=$all" --jobs 2 -o "$dir/two.sqlite" --force; }
two_processes() {
    sweep --vary "gpu[*].power-limit=$odd" --jobs 1 -o "$dir/odd.sqlite" --force &
    sweep --vary "gpu[*].power-limit=$even" --jobs 1 -o "$dir/even.sqlite" --force
    wait $!
}
on_ranks() { mpirun -n "$1" "$mpi" "$rig" --for ${days}d --columns steps -q --vary "gpu[*].power-limit=$all" -o "$dir/ranks.sqlite" --force; }
one_rank() { on_ranks 1; }
two_ranks() { on_ranks 2; }
jobs="one_process two_threads two_processes"
if [ -x "$mpi" ] && command -v mpirun >/dev/null && on_ranks 2 >/dev/null 2>&1; then jobs="$jobs one_rank two_ranks"; fi
# The loop writes to a file, not into a pipe, so that a job that fails ends the script.
for _ in $(seq $turns); do
    for job in $jobs; do
        began=$(date +%s.%N)
        # the second line of `times` is the CPU time of child processes, user and system: 0m1.25s 0m0.01s
        ($job >"$dir/out" && times >"$dir/times")
        echo "$job $(date +%s.%N) $began $(tail -n 1 "$dir/times")"
    done
done >"$dir/rows"
awk '
    function cpu(text, part) { split(text, part, /[ms]/); return part[1] * 60 + part[2] }
    function least(a, b) { return a == "" || b < a ? b : a }
    { wall[$1] = least(wall[$1], $2 - $3); used[$1] = least(used[$1], cpu($4) + cpu($5)) }
    function row(name, job, per, must) {
        if (job in wall)
            printf "{\"group\": \"threads\", \"row\": \"%s\", \"ratio\": %.3f, %s\"elapsed_ratio\": %.3f, \"seconds\": %.2f}\n", name,
                used[job] / used[per], must ? "\"must\": " must ", " : "", wall[job] / wall[per], wall[job]
    }
    END {
        row("two threads over two processes at once", "two_threads", "two_processes", "1.111") # threads must reach 90 % of the speed of processes
        row("two threads over one", "two_threads", "one_process")
        row("two MPI ranks over one", "two_ranks", "one_rank")
    }' "$dir/rows"
