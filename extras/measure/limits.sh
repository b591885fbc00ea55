#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Writes the rows that `wattsink calibrate --sweep` reads: sets one power limit after another while your own work runs.
# At the end, and also after Ctrl-C, it restores the limit from before. README.md explains it.
set -u
gpu=0 out= steps=5 settle=60 mean=120 lowest= counter=

usage() {
    cat <<'END'
usage: limits.sh -o FILE [options], as root, while your work runs
  -o FILE          the rows; must not exist yet
  -g N             which card, as nvidia-smi counts (default 0)
  --steps N        how many limits, from the present one to the lowest (default 5)
  --lowest W       the lowest limit (default: the lowest that the card takes)
  --settle S       seconds to wait after a limit was set (default 60)
  --mean S         seconds of the mean (default 120)
  --counter CMD    prints how much work is done so far, a number that rises, such as 'grep -c step train.log'
About 15 minutes with these times. Without --counter, add the column work yourself: tokens, images or steps per second.
END
}
die() { echo "limits: $*" >&2; exit 1; }

while [ $# -gt 0 ]; do
    case $1 in
    -h | --help) usage; exit 0 ;;
    -o | -g | --steps | --lowest | --settle | --mean | --counter) [ $# -gt 1 ] || { usage >&2; exit 2; } ;;
    *) usage >&2; exit 2 ;;
    esac
    case $1 in
    -o) out=$2 ;; -g) gpu=$2 ;; --steps) steps=$2 ;; --lowest) lowest=$2 ;;
    --settle) settle=$2 ;; --mean) mean=$2 ;; --counter) counter=$2 ;;
    esac
    shift 2
done
[ -n "$out" ] || { usage >&2; exit 2; }
for number in "$gpu" "$steps" "$settle" "$mean" "${lowest:-1}"; do
    case $number in '' | *[!0-9]*) die "'$number' is no whole number" ;; esac
done
[ "$steps" -ge 2 ] && [ "$mean" -ge 1 ] || die "expected two steps or more, and a mean of a second or more"
[ ! -e "$out" ] || die "$out is there already"
command -v nvidia-smi >/dev/null 2>&1 || die "nvidia-smi is not here: the NVIDIA driver brings it"

ask() { nvidia-smi -i "$gpu" --query-gpu="$1" --format=csv,noheader,nounits; }
count() {
    [ -n "$counter" ] || return 0
    done_so_far=$(sh -c "$counter")
    status=$?
    case $status:$done_so_far in
    0:'' | 0:*[!0-9.]*) die "--counter printed '$done_so_far'; expected a number" ;;
    *:'' | *:*[!0-9.]*) die "--counter failed: $counter" ;; # grep -c fails, too, when it counts 0
    esac
    echo "$done_so_far"
}
before=$(ask power.limit) && least=$(ask power.min_limit) || die "nvidia-smi finds no card $gpu"
case $before$least in *[!0-9.]*) die "the power limit of this card cannot be set" ;; esac
if LC_ALL=C awk -v a="${lowest:-$least}" -v b="$least" 'BEGIN { exit !(a < b) }'; then
    echo "limits: the card takes no less than $least W" >&2
else
    least=${lowest:-$least}
fi
LC_ALL=C awk -v a="$least" -v b="$before" 'BEGIN { exit !(a < b) }' || die "the lowest limit, $least W, is not below the present one, $before W"
count >/dev/null

changed= rows=0
restore() {
    rm -f "$out.rows"
    [ $rows -gt 0 ] || rm -f "$out" # so that the same command can be given again
    [ -n "$changed" ] || return 0
    nvidia-smi -i "$gpu" -pl "$before" >/dev/null || echo "limits: the limit of $before W could not be set again" >&2
}
trap 'exit 130' INT TERM HUP
trap restore EXIT
echo "power.limit [W],power.draw [W],clocks.sm [MHz],temperature.gpu${counter:+,work}" >"$out" || exit 1
step=0
while [ $step -lt "$steps" ]; do
    limit=$(LC_ALL=C awk -v a="$least" -v b="$before" -v i=$step -v n="$steps" 'BEGIN { printf "%.2f", b - (b - a) * i / (n - 1) }')
    nvidia-smi -i "$gpu" -pl "$limit" >/dev/null || die "the limit of $limit W could not be set; root can"
    changed=yes
    echo "$(date '+%H:%M:%S') $limit W" >&2
    sleep "$settle"
    work=$(count) || exit 1
    since=$(date '+%s')
    : >"$out.rows"
    second=0
    while [ $second -lt "$mean" ]; do
        ask power.draw,clocks.sm,temperature.gpu >>"$out.rows" || die "nvidia-smi stopped"
        sleep 1
        second=$((second + 1))
    done
    now=$(count) || exit 1
    until=$(date '+%s')
    LC_ALL=C awk -F ', *' -v limit="$limit" -v work="$work" -v now="$now" -v seconds=$((until - since)) '
        { for (k = 1; k <= 3; k++) if ($k ~ /^[0-9.]+$/) { sum[k] += $k; n[k]++ } }
        function told(k, form) { return n[k] ? sprintf(form, sum[k] / n[k]) : "" }
        END {
            printf "%s,%s,%s,%s", limit, told(1, "%.2f"), told(2, "%.1f"), told(3, "%.1f")
            if (now != "") printf ",%s", (now > work && seconds > 0 ? sprintf("%.6g", (now - work) / seconds) : "")
            print ""
        }' "$out.rows" >>"$out"
    rows=$((rows + 1))
    step=$((step + 1))
done
echo "next: wattsink calibrate RIG.xml --sweep $out" >&2
