#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Records power and temperatures of an NVIDIA card under load steps. It changes no setting of the card. README.md
# explains the results.
set -u
here=$(cd "$(dirname "$0")" && pwd)
gpu=0 dir= idle=300 step=120 full=1800 cool=900 period=150 compute= memory=

usage() {
    cat <<'END'
usage: measure.sh -o DIR [options]
  -o DIR           where the log goes; made if it is not there
  -g N             which card, as nvidia-smi counts (default 0)
  --idle S         seconds at rest before (default 300)
  --step S         seconds of each step (default 120)
  --full S         seconds of the long run at full load (default 1800)
  --cool S         seconds of cooling down (default 900)
  --quick          60, 30, 300 and 180 s
  --period MS      between two samples (default 150; 100 to 200 are 5 to 10 a second)
  --compute CMD    a load of your own for the full compute phases, such as 'gpu_burn 100000'; it is ended when its time is over
  --memory CMD     the same for the full memory phase
About 70 minutes with these times. Needs nvidia-smi, and a C compiler for its own load (or --compute and --memory).
Close what else uses the card; leave the case as it always is; note the room's temperature.
END
}
die() { echo "measure: $*" >&2; exit 1; }

while [ $# -gt 0 ]; do
    case $1 in
    -h | --help) usage; exit 0 ;;
    --quick) idle=60 step=30 full=300 cool=180; shift; continue ;;
    -o | -g | --idle | --step | --full | --cool | --period | --compute | --memory) [ $# -gt 1 ] || { usage >&2; exit 2; } ;;
    *) usage >&2; exit 2 ;;
    esac
    case $1 in
    -o) dir=$2 ;; -g) gpu=$2 ;; --idle) idle=$2 ;; --step) step=$2 ;; --full) full=$2 ;; --cool) cool=$2 ;;
    --period) period=$2 ;; --compute) compute=$2 ;; --memory) memory=$2 ;;
    esac
    shift 2
done
[ -n "$dir" ] || { usage >&2; exit 2; }
for number in "$gpu" "$idle" "$step" "$full" "$cool" "$period"; do
    case $number in '' | *[!0-9]*) die "'$number' is no whole number" ;; esac
done
command -v nvidia-smi >/dev/null 2>&1 || die "nvidia-smi is not here: the NVIDIA driver brings it"
nvidia-smi -i "$gpu" --query-gpu=name --format=csv,noheader >/dev/null 2>&1 || die "nvidia-smi finds no card $gpu"
[ ! -e "$dir/samples.csv" ] || die "$dir has a log already"
mkdir -p "$dir" || exit 1

load=
if [ -z "$compute" ] || [ -z "$memory" ]; then
    for cc in "${CC:-cc}" gcc clang; do
        command -v "$cc" >/dev/null 2>&1 || continue
        "$cc" -std=c17 -O2 -o "$dir/load" "$here/load.c" -ldl 2>"$dir/load.err" && load=$dir/load && break
    done
    [ -n "$load" ] || die "no C compiler made the load (see $dir/load.err): install one, or give --compute and --memory"
    rm -f "$dir/load.err"
    case $load in /*) ;; *) load=./$load ;; esac
    CUDA_DEVICE_ORDER=PCI_BUS_ID "$load" "$here/load.ptx" compute 0.01 0.2 "$gpu" || die "the card does not take the load"
fi

nvidia-smi -q -i "$gpu" | grep -viE 'serial number|uuid|guid|process|used gpu memory|name *: /|host' >"$dir/card.txt"

fields=
for field in timestamp pstate power.draw power.draw.instant enforced.power.limit clocks.sm clocks.mem temperature.gpu \
    temperature.memory fan.speed utilization.gpu utilization.memory clocks_event_reasons.active clocks_throttle_reasons.active; do
    case $field:$fields in clocks_throttle_reasons.active:*clocks_event_reasons.active*) continue ;; esac
    nvidia-smi -i "$gpu" --query-gpu="$field" --format=csv,noheader >/dev/null 2>&1 && fields=$fields${fields:+,}$field
done
sampler= worker=
stop() {
    [ -z "$worker" ] || kill "$worker" 2>/dev/null
    [ -z "$sampler" ] || kill "$sampler" 2>/dev/null
    worker= sampler=
}
trap 'stop; exit 130' INT TERM
trap stop EXIT
nvidia-smi -i "$gpu" --query-gpu="$fields" --format=csv,nounits -lms "$period" >"$dir/samples.csv" &
sampler=$!

# phase NAME SECONDS [COMMAND...]: records the start time of a phase, and runs the command for that many seconds.
echo "begin,phase,seconds" >"$dir/phases.csv"
phase() {
    name=$1 seconds=$2
    shift 2
    [ "$seconds" -gt 0 ] || return 0
    echo "$(date '+%Y/%m/%d %H:%M:%S'),$name,$seconds" >>"$dir/phases.csv"
    echo "$(date '+%H:%M:%S') $name, $seconds s" >&2
    if [ $# -gt 0 ]; then
        "$@" >>"$dir/load.txt" 2>&1 &
        worker=$!
    fi
    sleep "$seconds"
    if [ -n "$worker" ]; then
        kill -0 "$worker" 2>/dev/null || echo "measure: the load of '$name' ended early, see $dir/load.txt" >&2
        kill "$worker" 2>/dev/null
        wait "$worker" 2>/dev/null
        worker=
    fi
    kill -0 "$sampler" 2>/dev/null || die "nvidia-smi stopped"
}
own() { CUDA_DEVICE_ORDER=PCI_BUS_ID exec "$load" "$here/load.ptx" "$1" "$2" 1000000 "$gpu"; }
theirs() { exec sh -c "exec $1"; }

phase idle "$idle"
if [ -n "$load" ]; then
    for share in 0.125 0.25 0.5 0.75; do phase "compute $share" "$step" own compute $share; done
fi
if [ -n "$compute" ]; then phase "compute 1" "$step" theirs "$compute"; else phase "compute 1" "$step" own compute 1; fi
phase rest "$step"
if [ -n "$load" ]; then
    for share in 0.125 0.25 0.5; do phase "memory $share" "$step" own memory $share; done
fi
if [ -n "$memory" ]; then phase "memory 1" "$step" theirs "$memory"; else phase "memory 1" "$step" own memory 1; fi
if [ -n "$compute" ]; then phase "long run" "$full" theirs "$compute"; else phase "long run" "$full" own compute 1; fi
phase cool-down "$cool"
stop
rm -f "$dir/load"
sh "$here/summary.sh" "$dir"
