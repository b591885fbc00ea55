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
# A job that fails undoes work, and a negative price lowers the cost.
printf 'time,price_eur_per_kwh\n2026-08-03T00:00,0.10\n2026-08-03T01:00,-0.05\n2026-08-03T02:00,0.20\n' >prices.csv
cat >failing.xml <<END
<rig name="A job that fails"><site supply="230 V"><room temperature="24 degC"/><tariff kind="spot" file="prices.csv"/></site>
<chassis part="chassis/mining-frame-8"><psu part="psu/tier-gold-1000"/><cpu part="cpu/generic-workstation"/>
<gpu part="gpu/rtx-3090" slot="1" riser="60 mm"/></chassis>
<workload kind="training" class="training" mtbf="0.5 h" checkpoint-every="10 min" rate="2" unit="images"/>
<run from="2026-08-03T00:00" zone="Europe/Berlin" for="3 h"/></rig>
END
exits 0 "a job that fails" "$wattsink" twin failing.xml --backfill failing.om -q
falls=$(awk '/^#/ { type[$3 "_total"] = $2 == "TYPE" ? $4 : type[$3 "_total"]; next }
    { series = $1; name = series; sub(/{.*/, "", name)
      if (name ~ /_total$/ && type[name] == "counter" && series == before && $2 + 0 < last + 0) print series, last, $2
      before = series; last = $2 }' failing.om)
[ -z "$falls" ] && pass "no counter falls" || fail "no counter falls" "$falls"
exits 0 "its results" "$wattsink" run failing.xml --step 0.1s -o failing -q
# end METRIC: prints the last value of a series.
end() { sed -n "s/^$1[{ ]\(.*[} ]\)\{0,1\}\([-0-9.e+]*\) [0-9.]*\$/\2/p" failing.om | tail -n 1; }
done_h=$(sed -n 's/.*"done": \([0-9.e+-]*\).*/\1/p' failing/summary.json | head -n 1)
redone_h=$(sed -n 's/.*"redone": \([0-9.e+-]*\).*/\1/p' failing/summary.json | head -n 1)
counted=$(end wattsink_work_gpu_seconds_total) undone=$(end wattsink_work_undone_gpu_seconds_total) images=$(end wattsink_work_units_total)
awk -v d="$done_h" -v r="$redone_h" -v c="$counted" -v u="$undone" -v i="$images" 'function near(a, b) { return a > b * (1 - 1e-6) && a < b * (1 + 1e-6) }
    BEGIN { exit !(r > 0 && near(u, 3600 * r) && near(c - u, 3600 * d) && near(i, 2 * c)) }' &&
    pass "the counter of work less that of undone work is the work of the results" || fail "the counter of work less that of undone work is the work of the results" "$done_h $redone_h $counted $undone $images"
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
