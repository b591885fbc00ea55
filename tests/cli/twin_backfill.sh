#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Prometheus must be able to import the metrics of a whole run as blocks, with the values that `wattsink run` gives.
. "$(dirname "$0")/helpers.inc"
trap 'rm -rf "$scratch"' EXIT
rig=$top/scenarios/single-3090/rig.xml

exits 2 "--every without --backfill" "$wattsink" twin "$rig" --every 1min
says err 'twin: --every and --for need --backfill$' "is told"
exits 2 "--backfill with a speed" "$wattsink" twin "$rig" --backfill all.om --speed 60
says err 'twin: --backfill has no clients and no speed: leave out --speed$' "names the option"
exits 2 "--backfill with clients that may write" "$wattsink" twin "$rig" --backfill all.om --writable
says err 'leave out --writable$' "names that one"
echo secret >word
exits 2 "--token without --listen" "$wattsink" twin "$rig" --token word
says err 'twin: --token is for --listen$' "is told, too"
exits 2 "no time between two samples" "$wattsink" twin "$rig" --backfill all.om --every 0s
exits 2 "more values than memory should hold" "$wattsink" twin "$rig" --backfill all.om --for 90week --every 1s -q
absent all.om "nothing is written then"
exits 0 "three hours" "$wattsink" twin "$rig" --backfill all.om --for 3h --set run.from=2026-03-01T00:00 --set run.zone=UTC -q
exits 0 "the same three hours as results" "$wattsink" run "$rig" --for 3h --step 0.1s -o results -q
[ "$(tail -n 1 all.om)" = '# EOF' ] && pass "the file is whole" || fail "the file is whole" "$(tail -n 1 all.om)"
mkdir elsewhere && ln -s elsewhere/some.om some.om
exits 0 "to a symbolic link" "$wattsink" twin "$rig" --backfill some.om --for 2min -q
[ -L some.om ] && present elsewhere/some.om "its target is written"
exits 0 "over an earlier one" "$wattsink" twin "$rig" --backfill some.om --for 3min -q
cp "$rig" own.xml
exits 3 "over the rig itself" "$wattsink" twin own.xml --backfill own.xml --for 2min -q
says err 'own\.xml exists already and was not written by --backfill' "is told"
cmp -s "$rig" own.xml && pass "the rig is kept" || fail "the rig is kept"
printf '# HELP some_metric Some.\n' >other.om
exits 3 "over another file" "$wattsink" twin "$rig" --backfill other.om --for 2min -q
[ "$(cat other.om)" = '# HELP some_metric Some.' ] && pass "it is kept" || fail "it is kept"
exits 0 "to a pipe" sh -c '"$0" twin "$1" --backfill /dev/stdout --for 2min -q | tail -n 1' "$wattsink" "$rig"
# OpenMetrics wants each metric once, and the samples of a series one after another.
faults=$(awk '/^# TYPE/ { if (typed[$3]++) print "twice: " $3 }
    /^[^#]/ { time = $NF; sub(/ [^ ]* [^ ]*$/, ""); if ($0 != before && seen[$0]++) print "apart: " $0
              if ($0 == before && time - last != 60) print "gap: " $0; before = $0; last = time }' all.om)
[ -z "$faults" ] && pass "series lie together" || fail "series lie together" "$faults"
command -v promtool >/dev/null || { echo "skip blocks of a run (no promtool)" && exit $status; }
exits 0 "Prometheus takes it" promtool tsdb create-blocks-from openmetrics all.om tsdb
mkdir -p tsdb/wal # promtool does not open a storage without this folder
# last SERIES: prints time in ms and value of its last sample.
last() { promtool tsdb dump --match="$1" tsdb | sed -n '$s/.*} \([^ ]*\) \([0-9]*\)$/\2 \1/p'; }
count() { promtool tsdb dump --match="$1" tsdb | wc -l; }
[ "$(count wattsink_wall_watts)" = 181 ] && pass "a sample a minute" || fail "a sample a minute" "$(count wattsink_wall_watts)"
wall_kwh=$(sed -n 's/.*"wall_kwh": \([0-9.e+-]*\).*/\1/p' results/summary.json | head -n 1)
last wattsink_energy_joules_total >energy
awk -v kwh="$wall_kwh" '$1 == 1772334000000 && $2 / (3.6e6 * kwh) > 1 - 1e-8 && $2 / (3.6e6 * kwh) < 1 + 1e-8 { ok = 1 }
    END { exit !ok }' energy && pass "energy at the end as in the results" || fail "energy at the end as in the results" "$(cat energy), $wall_kwh kWh"
[ "$(count DCGM_FI_DEV_POWER_USAGE)" = 181 ] && pass "by dcgm-exporter's names, too" || fail "by dcgm-exporter's names, too"
exit $status
