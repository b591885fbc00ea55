#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/helpers.inc"
. "$top/tests/fault/midway.inc"
for program in prometheus promtool curl jq; do
    command -v $program >/dev/null || { echo "skip a twin watched by Prometheus (no $program)" && exit $status; }
done
twin=prometheus-$$ pid='' watcher=''
trap 'kill -9 $pid $watcher 2>/dev/null; rm -rf "$scratch" /dev/shm/wattsink.*.$twin' EXIT
exits 0 "the alerts fire in time" promtool test rules "$top/extras/watch/alerts-test.yml"

"$wattsink" twin "$top/scenarios/quad-3090-blower/rig.xml" --name "$twin" --lockstep --listen 127.0.0.1:0 >out 2>err &
pid=$!
listening() { grep -q '^Page: ' err || ! kill -0 "$pid" 2>/dev/null; }
soon listening
url=$(sed -n 's/^Page: \(.*\/\) .*/\1/p' err)
[ -n "$url" ] || { echo "skip a twin watched by Prometheus ($(head -n 1 err))" && exit $status; }
exits 0 "the twin advances" "$wattsink" twin --name "$twin" --ask '{"advance_s": 60}'
curl -s -m 20 "${url}metrics" >metrics
promtool check metrics <metrics >lint 2>&1
grep '^wattsink_' lint >ours
[ -s ours ] && fail "promtool accepts our names" "$(cat ours)" || pass "promtool accepts our names"
# Lint also finds faults in the names and labels that dcgm-exporter prescribes; only what promtool cannot parse counts
# here.
grep -vE '^(DCGM_|wattsink_)' lint >parse
[ -s parse ] && fail "promtool reads the text" "$(cat parse)" || pass "promtool reads the text"

port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])' 2>/dev/null || echo 39090)
host=${url#http://}
cat >prometheus.yml <<END
global: {scrape_interval: 1s, evaluation_interval: 1s}
rule_files: ['$top/extras/watch/alerts.yml']
scrape_configs: [{job_name: twin, static_configs: [{targets: ['${host%/}']}]}]
END
prometheus --config.file=prometheus.yml --storage.tsdb.path=tsdb --web.listen-address="127.0.0.1:$port" >prometheus.log 2>&1 &
watcher=$!
ask() {
    got=$(curl -s -m 20 --data-urlencode "query=$1" "http://127.0.0.1:$port/api/v1/query" | jq '.data.result | length' 2>/dev/null)
    [ "${got:-0}" -gt 0 ]
}
answers() { ask "$1" || ! kill -0 $watcher 2>/dev/null; }
soon answers 'rate(wattsink_simulated_seconds_total[1m])'
jq -r '.panels[].targets[].expr' "$top/extras/watch/grafana.json" >queries
while read -r query; do
    # Prometheus must have scraped the twin twice before it can compute a rate.
    soon answers "$query"
    ask "$query" && pass "answers: $query" || fail "answers: $query" "$(tail -n 2 prometheus.log)"
done <queries
# In lockstep time stands still, so Prometheus must have exactly the run's values.
for pair in wattsink_wall_watts=wall_w 'wattsink_gpu_die_celsius{id="gpu2"}=gpu2.die_c' 'wattsink_psu_load{id="psu0"}=psu0.load'; do
    query=${pair%=*} variable=${pair##*=}
    read_=$(curl -s -m 20 --data-urlencode "query=$query" "http://127.0.0.1:$port/api/v1/query" | jq -r '.data.result[0].value[1]')
    own=$("$wattsink" twin --name "$twin" --read "$variable" | grep -oE '[-0-9.e+]+' | tail -n 1)
    awk -v a="$read_" -v b="$own" 'BEGIN { d = a - b; exit !(b != 0 && d * d <= b * b * 1e-10) }' && pass "$variable is the run's own" || fail "$variable is the run's own" "$read_, $own"
done
kill $watcher $pid
wait $pid
exit $status
