#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# docs/data.md must list every key and column that the program writes, and its examples must run.
. "$(dirname "$0")/helpers.inc"
page=$top/docs/data.md
full=--full
"$wattsink" run "$top/scenarios/aio-4090/rig.xml" --for 10min -o aio -q
"$wattsink" run "$top/scenarios/quad-3090-blower/rig.xml" --for 10min $full -o week -q 2>/dev/null ||
    { full= && "$wattsink" run "$top/scenarios/quad-3090-blower/rig.xml" --for 10min -o week -q; }
"$wattsink" compare two-cards.xml --vary 'gpu[*].power-limit=200W,300W' --for 1h -o both >/dev/null
"$wattsink" compare two-cards.xml load.xml --for 1h --cloud-price '2 USD/h' -o rented >/dev/null
"$wattsink" run "$top/scenarios/fan-dies/blower.xml" -o dies -q
"$wattsink" run two-cards.xml --set 'workload.unit=token' --set 'workload.rate=34' --for 10min -o units -q
"$wattsink" sweep two-cards.xml --vary 'gpu[*].power-limit=200W:300W:50W' --for 10min -o limits.sqlite >/dev/null 2>&1

# unnamed FILE: prints the words of FILE that the page does not contain in backticks, alone or as a part of a path.
grep -o '`[^`]*`' "$page" | tr -d '\`' | tr ',.[] ' '\n\n\n\n\n' | sort -u >named
unnamed() { sort -u "$1" | comm -23 - named | tr '\n' ' '; }
keys() { grep -oh '"[a-z_0-9]*":' "$@" | tr -d '":'; }
for log in sweep=limits.csv log=log.csv; do
    "$wattsink" calibrate "$top/scenarios/own-card/rig.xml" "--${log%=*}=$top/scenarios/own-card/${log#*=}" --dry-run --json >"${log%=*}.json"
done
for f in aio/summary.json week/summary.json dies/summary.json units/summary.json both/compare.json rented/compare.json sweep.json log.json; do
    present "$f" "$f is there"
    keys "$f" >keys
    lost=$(unnamed keys)
    [ -z "$lost" ] && pass "every key of $f is documented" || fail "every key of $f is documented" "$lost"
done
WATTSINK_PARTS=$top/parts "$wattsink" suggest --budget 3000USD --model llama-3.1-8b --json >suggest.json
lost=$(keys suggest.json | sort -u | while read -r key; do grep -qw -- "$key" "$top/docs/suggest.md" || echo "$key"; done)
[ -s suggest.json ] && [ -z "$lost" ] && pass "every key of suggest --json is documented" || fail "every key of suggest --json is documented" "$lost"
sed -n 's/^| `\([^`]*\)` |.*/\1/p' "$top/docs/reference/results.md" | sed '/^compare\./d' | tr '.[] ' '\n\n\n\n' | sed '/^$/d' >keys
lost=$(unnamed keys)
[ -z "$lost" ] && pass "every result is documented" || fail "every result is documented" "$lost"
for d in aio week; do
    head -n 1 $d/series.csv | tr -d '\r' | tr , '\n' | sed 's/\.\(min\|mean\|max\)$//; s/.*\.//' >columns
    lost=$(unnamed columns)
    [ -z "$lost" ] && pass "every column of $d/series.csv is documented" || fail "every column of $d/series.csv is documented" "$lost"
done

says dies/summary.json '"failure"' "what fails is among them"
says units/summary.json '"counted"' "and units of the workload's own"
says rented/compare.json '"cloud"' "and what the cloud asks"

example() { awk -v fence="\`\`\`$1" -v n="$2" '$0 == fence && ++k == n { on = 1; next } /^```/ { on = 0 } on' "$page"; }
runs() {
    exits 0 "$1" "$2" "$3"
    says out "$4" "and it prints what it read"
}
example python 1 >one.py
example python 2 >two.py
if command -v python3 >/dev/null; then runs "the example in Python" python3 one.py 'most work for a kilowatt-hour'; else echo "skip data: no python3"; fi
nc_python=
for p in python3 /usr/bin/python3; do "$p" -c 'import netCDF4' 2>/dev/null && nc_python=$p; done
if [ -z "$full" ]; then echo "skip data: built without NetCDF"
elif [ -z "$nc_python" ]; then echo "skip data: no python3 with netCDF4"
else runs "that of NetCDF" "$nc_python" two.py '^600 steps; gpu0 draws .* W$'; fi
for n in 1 2 3; do example r $n >$n.R; done
if command -v Rscript >/dev/null; then runs "the example in R" Rscript 1.R 'gpu0 was at most'; else echo "skip data: no R"; fi
has() { for p in "$@"; do Rscript -e "library($p)" >/dev/null 2>&1 || return 1; done; }
if has jsonlite DBI RSQLite; then runs "JSON and SQLite in R" Rscript 2.R per_kwh; else echo "skip data: no R with jsonlite and RSQLite"; fi
if [ -n "$full" ] && has ncdf4; then runs "NetCDF in R" Rscript 3.R '^600 steps'; else echo "skip data: no R with ncdf4, or built without NetCDF"; fi
exit $status
