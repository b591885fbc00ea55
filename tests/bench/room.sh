#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# room.sh [RIGS [DAYS]]: simulates a room of eight-card servers, each with its own power limit and intake air. It is not
# part of `make bench`, because it takes a quarter of an hour.
set -eu
rigs=${1:-10000} days=${2:-1} ranks=${RANKS:-512}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
start=$(date +%s)
/usr/bin/time -f '%U %S %M' -o "$out/time" "$WATTSINK" sweep scenarios/h100-4u/rig.xml \
    --vary 'gpu[*].power-limit=200W:350W:1W' --vary 'room.temperature=18degC:32degC:0.1degC' \
    --sample "$rigs" --seed 1 --for "${days}d" --columns energy.wall_kwh,work.done,gpus.die_max_c -q -o "$out/room.sqlite" >/dev/null
end=$(date +%s)
awk -v rigs="$rigs" -v days="$days" -v ranks="$ranks" -v wall=$((end - start)) -v size="$(wc -c <"$out/room.sqlite")" '{
    cpu = ($1 + $2) / rigs
    printf "%d rigs of eight cards, %g d at 1 s: %d s of real time, %.0f s of processor time\n", rigs, days, wall, $1 + $2
    printf "a rig: %.3f s of processor time, %.0f bytes of results; at most %.0f MB of memory\n", cpu, size / rigs, $3 / 1024
    printf "1,000,000 rigs on %d ranks of one core: %.3f s x 1,000,000 / %d = %.0f s\n", ranks, cpu, ranks, cpu * 1e6 / ranks
}' "$out/time"
