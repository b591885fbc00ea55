#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/helpers.inc"

exits 2 "neither form" "$wattsink" export load.xml
exits 2 "both forms" "$wattsink" export load.xml --spice --json
exits 2 "no rig" "$wattsink" export --spice
exits 3 "a file that is not a rig" "$wattsink" export none.xml --spice
exits 2 "more than a day" "$wattsink" export load.xml --json --replay 25h
exits 1 "a path that is not a folder" "$wattsink" export load.xml --spice -o none/rig.cir
exits 0 "a netlist" "$wattsink" export load.xml --spice -o rig.cir
present rig.cir "is written"
says rig.cir '1 V = 1 K' "says its units"
exits 0 "again" "$wattsink" export load.xml --spice
cmp -s out rig.cir && pass "to standard output, the same" || fail "to standard output, the same"

# ---- -o with a FIFO or a symbolic link ----
mkfifo pipe
cat pipe >through &
reader=$!
exits 0 "to a FIFO" "$wattsink" export load.xml --spice -o pipe
if [ -p pipe ]; then
    wait $reader
    pass "which stays"
else
    kill $reader
    fail "which stays"
fi
cmp -s through rig.cir && pass "the reader of the FIFO gets the whole export" || fail "the reader of the FIFO gets the whole export"
mkdir elsewhere && echo old >elsewhere/rig.cir && ln -s elsewhere/rig.cir first && ln -s "$scratch/first" link
exits 0 "to a symbolic link" "$wattsink" export load.xml --spice -o link
[ -L link ] && [ -L first ] && pass "the links stay" || fail "the links stay" "$(ls -l)"
cmp -s elsewhere/rig.cir rig.cir && pass "and its target is replaced" || fail "and its target is replaced"
rm elsewhere/rig.cir
exits 0 "to a link to a missing file" "$wattsink" export load.xml --spice -o link
[ -L link ] && cmp -s elsewhere/rig.cir rig.cir && pass "which is then made" || fail "which is then made" "$(ls -l . elsewhere)"
[ -z "$(find . -name '.*.new')" ] && pass "nothing else is left" || fail "nothing else is left" "$(find . -name '.*.new')"
ln -s round about && ln -s about round
exits 1 "to links that lead nowhere" "$wattsink" export load.xml --spice -o round
says err 'cannot write (round|about): ' "is told"
[ -L round ] && [ -L about ] && pass "and they stay" || fail "and they stay" "$(ls -l)"
if [ -L /proc/self/fd/1 ]; then
    ln -s /proc/self/fd/1 printed
    exits 0 "to standard output by its name" "$wattsink" export load.xml --spice -o printed
    [ -L printed ] && cmp -s out rig.cir && pass "it is printed" || fail "it is printed" "$(ls -l)"
fi

exits 0 "nodes of one name but for case" "$wattsink" export - --spice <<'END'
<rig name=".control"><chassis part="chassis/full-tower-8-slot"><psu part="psu/tier-gold-1000"/>
<gpu id="A-x" part="gpu/rtx-3090-blower" slot="1"/><gpu id="a-X" part="gpu/rtx-3090-blower" slot="4"/></chassis>
<run for="1 h"/></rig>
END
[ "$(grep -cE '^C[0-9]+ a_x.heatsink' out)" = 2 ] && pass "ids that differ in case alone are two nodes" || fail "ids that differ in case alone are two nodes" "$(grep ^C out)"

exits 0 "lists" "$wattsink" export load.xml --json -o lists.json
says lists.json '"kind": "stream"' "have streams"
exits 0 "the settled network is in balance" awk '
    BEGIN { n = 0 }
    function get(k) { return match($0, "\"" k "\": [^,}]*") ? substr($0, RSTART + length(k) + 4, RLENGTH - length(k) - 4) : "?" }
    /"name":/ { t[n] = get("temperature_c"); given[n] = get("given") ~ "true"; w[n] = get("power_w"); sum += w[n]; n++ }
    /"kind":/ { a = get("from") + 0; s = get("sense"); q = get("g_w_k") * (t[a] - (s ~ "null" ? 0 : t[s + 0])); w[a] -= q; w[get("to") + 0] += q }
    END { for (i = 0; i < n; i++) if (!given[i] && (w[i] > worst || -w[i] > worst)) worst = w[i] > 0 ? w[i] : -w[i]
          if (!(n > 5 && sum > 50 && worst < 1e-3 * sum)) { print n, sum, worst > "/dev/stderr"; exit 1 } }' lists.json

exits 0 "a replay as lists" "$wattsink" export load.xml --json --replay 90s
[ "$(grep -c '"until_s"' out)" = 90 ] && pass "one step a second" || fail "one step a second" "$(grep -c until_s out)"

if ! command -v ngspice >/dev/null; then
    for t in "operating points" "a transient"; do echo "skip $t: no ngspice"; done
    exit $status
fi

agrees() {
    rig=$1
    shift
    "$wattsink" export "$rig" --spice -o op.cir -q "$@" && "$wattsink" export "$rig" --json -q "$@" >op.json &&
        "$wattsink" steady "$rig" --json -q "$@" >op.steady || return 1
    ngspice -b op.cir >op.log 2>&1
    awk '
        FILENAME ~ /json/ && /"name":/ { split($0, q, "\""); name = tolower(q[4]); gsub(/[^a-z0-9.]/, "_", name)
            match($0, /"temperature_c": [^,]*/); want[name] = substr($0, RSTART + 17, RLENGTH - 17); next }
        FILENAME ~ /steady/ { while (match($0, /"id": "[^"]*"|"die_mean_c": [-0-9.e]*/)) {
            word = substr($0, RSTART, RLENGTH); $0 = substr($0, RSTART + RLENGTH)
            if (word ~ /^"id"/) { id = tolower(substr(word, 8, length(word) - 8)); gsub(/[^a-z0-9.]/, "_", id) }
            else { d = want[id ".die"] - substr(word, 15); cards++; if (d < 0) d = -d; if (d > 0.01) { print id, d; bad++ } } }
            next }
        NF == 2 && $1 in want { d = $2 - want[$1]; seen++; if (d < 0) d = -d; if (d > 0.01) { print $1, $2, want[$1]; bad++ } }
        END { for (i in want) { all++; dies += i ~ /\.die$/ } if (all < 6 || seen != all || cards != dies) { print seen + 0, "of", all, "nodes,", cards + 0, "of", dies + 0, "cards"; bad++ }
              exit bad > 0 }' op.json op.steady op.log >differ 2>&1
}
for rig in "$top"/scenarios/*/*.xml; do
    name=${rig#"$top/scenarios/"}
    # A rig that cycles has no operating point: its steady values are means over the cycles.
    if "$wattsink" steady "$rig" --json -q 2>/dev/null | grep -q '"cycling": true'; then
        echo "skip operating point of $name: it cycles"
        continue
    fi
    if agrees "$rig"; then pass "operating point of $name"; else fail "operating point of $name" "$(head -5 differ)"; fi
done

# Ten minutes from a cold start, with the recorded power and flow of each second, compared with the run that recorded
# them.
exits 0 "a recorded netlist" "$wattsink" export "$top/scenarios/single-3090/rig.xml" --spice --replay 10min -o replay.cir
"$wattsink" export "$top/scenarios/single-3090/rig.xml" --json --replay 10min >replay.json
{ sed '/^\.end$/d' replay.cir; printf '.control\nrun\nlinearize v(gpu0.die) v(gpu0.memory) v(gpu0.heatsink)\nset wr_vecnames\nwrdata replay.data v(gpu0.die) v(gpu0.memory) v(gpu0.heatsink)\n.endc\n.end\n'; } >run.cir
ngspice -b run.cir >run.log 2>&1
awk '
    /"name":/ { for (k = 1; k <= 3; k++) if ($0 ~ "\"gpu0." substr("die     memory  heatsink", 8 * k - 7, k == 1 ? 3 : k == 2 ? 6 : 8) "\"") node[k] = n; n++ }
    /"until_s"/ { match($0, /"until_s": [^,]*/); t = substr($0, RSTART + 11, RLENGTH - 11)
        sub(/.*"temperature_c": \[/, ""); split($0, v, ", "); for (k = 1; k <= 3; k++) want[t, k] = v[node[k] + 1]; next }
    FNR != NR && ($1 + 0) in at { next }
    FNR != NR && $1 ~ /^[ 0-9]/ { t = sprintf("%.0f", $1); for (k = 1; k <= 3; k++) { if (!((t, k) in want)) continue
        d = $(2 * k) - want[t, k]; if (d < 0) d = -d; if (d > worst) worst = d; seen++ } }
    END { print seen + 0, worst; exit !(seen >= 1700 && worst < 0.05) }' replay.json replay.data >differ 2>&1 &&
    pass "a transient, second by second" || fail "a transient, second by second" "$(cat differ; tail -3 run.log)"
exit $status
