#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# full.nc must be the same whether the run was interrupted, killed or neither.
. "$(dirname "$0")/helpers.inc"
. "$top/tests/fault/midway.inc"
"$wattsink" run two-cards.xml --for 10s --full -o short -q 2>err
case $? in
0) pass "built with NetCDF" ;;
2)
    says err 'libnetcdf-dev' "built without NetCDF, --full says what to install"
    absent short "and does nothing"
    echo "skip full: built without NetCDF"
    exit $status ;;
*) fail "built with NetCDF" "$(cat err)" ;;
esac
absent short/full.part "only the picture that is whole stays"
so=$(grep -ao 'libnetcdf\.so[.0-9]*' "$wattsink" | head -n 1)
mkdir -p empty && : >"empty/$so"
LD_LIBRARY_PATH=empty exits 2 "without the library: exit 2" "$wattsink" run two-cards.xml --for 10s --full -o none -q
says err "$so is not installed" "without the library: named"
absent none "and does nothing"
LD_LIBRARY_PATH=empty exits 0 "whatever else does without" "$wattsink" run two-cards.xml --for 10s -o none -q
command -v ncdump >/dev/null || { echo "skip full: no ncdump"; exit $status; }

exits 0 "a day" "$wattsink" run two-cards.xml --for 1d --full -o full
exits 0 "the same without" "$wattsink" run two-cards.xml --for 1d -o plain
ncdump -h full/full.nc >head.cdl
says head.cdl 'time = UNLIMITED ; // \(86400 currently\)' "a record for each step"
says head.cdl ':Conventions = "CF-1.8"' "by the CF conventions"
says head.cdl 'time:units = "seconds since 1970-01-01 00:00:00"' "without a date, CF's time from a nominal one"
says head.cdl 'time:comment = "the rig has no date: .*nominal' "that is said to be nominal"
says head.cdl 'gpu1_die_c:units = "degree_Celsius"' "units that UDUNITS knows"
says head.cdl 'energy_kwh:units = "kW h"' "of energy too"
says head.cdl 'cost:currency = "USD"' "and the currency"
head -n 1 full/series.csv | tr -d '\r' | tr , '\n' | sed -n 's/\.mean$//p' >series.names
sed -n 's/^\t\t[A-Za-z0-9_]*:series_name = "\(.*\)" ;/\1/p' head.cdl >full.names
if cmp -s series.names full.names; then pass "variables as in series.csv"; else fail "variables as in series.csv" "$(diff series.names full.names | head -5)"; fi
# Variable names must follow CF section 2.3, whatever characters the ids have.
odd=$(sed -n 's/^\t[a-z]* \(.*\)(time) ;/\1/p' head.cdl | grep -vE '^[A-Za-z][A-Za-z0-9_]*$')
if [ -z "$odd" ]; then pass "names of letters, digits and underscores"; else fail "names of letters, digits and underscores" "$odd"; fi
awk '/<gpu / { sub(/<gpu /, "<gpu id=\"" (++n == 1 ? "_a-1" : "_a_1") "\" ") } { print }' two-cards.xml >ids.xml
exits 0 "ids that become one name" "$wattsink" run ids.xml --for 10s --full -o ids -q
ncdump -h ids/full.nc >ids.cdl
says ids.cdl 'x_a_1_die_c:series_name = "_a-1.die_c"' "are told apart:"
says ids.cdl 'x_a_1_die_c_2:series_name = "_a_1.die_c"' "by a number"
cmp -s full/series.csv plain/series.csv && cmp -s full/events.csv plain/events.csv && pass "the run is the same as without" || fail "the run is the same as without"
column() { ncdump -p 9,17 -v "$1" full/full.nc | sed '1,/^data:/d' | tr -d ' \n;}' | sed 's/.*=//' | tr , '\n'; echo; }
column time | awk '$1 != NR { bad = 1 } END { exit bad || NR != 86400 }' && pass "the variable time has each second of the day" || fail "the variable time has each second of the day"
for v in gpu0.die_c gpu1.power_w wall_w; do
    column "$(echo $v | tr . _)" >$v.steps
    awk -F, -v name=$v 'FNR == NR { v[NR] = $1; next }
        FNR == 1 { for (i = 1; i <= NF; i++) { if ($i == name ".min") a = i; if ($i == name ".mean") m = i; if ($i == name ".max") b = i }; next }
        { lo = 1e9; hi = -1e9; sum = 0; n = 0
          for (t = last + 1; t <= $1; t++) { sum += v[t]; n++; if (v[t] < lo) lo = v[t]; if (v[t] > hi) hi = v[t] }
          tol = 1e-5 * (1 + (hi < 0 ? -hi : hi)); last = $1; rows++
          if ((lo - $a)^2 > tol^2 || (hi - $b)^2 > tol^2 || (sum / n - $m)^2 > tol^2) { bad++; if (bad < 3) print $1, lo, $a, sum / n, $m, hi, $b } }
        END { exit bad || rows < 100 }' $v.steps full/series.csv >wrong && pass "$v is what the series gathers" || fail "$v is what the series gathers" "$(cat wrong)"
done
# A step is one second, so a watt in a step is a joule.
column energy_kwh | awk 'FNR == NR { e[FNR] = $1; next } { s += $1 / 3.6e6 } END { d = s / e[FNR] - 1; exit !(d < 1e-6 && d > -1e-6) }' - wall_w.steps &&
    pass "the watts add up to the energy" || fail "the watts add up to the energy"

exits 0 "with a date and a zone" "$wattsink" run two-cards.xml --for 10s --full -o dated --set run.from=2026-08-03T09:00:00 --set run.zone=America/Los_Angeles
ncdump -h dated/full.nc >dated.cdl
says dated.cdl 'time:units = "seconds since 2026-08-03 09:00:00 -07:00"' "times are civil, with summer time"
says dated.cdl 'time:standard_name = "time"' "and say so"
lacks dated.cdl nominal "and are not called nominal"

ended() {
    exits 0 "$1: resumed" "$wattsink" run two-cards.xml --for 1d --full -o cut --resume -q
    if cmp -s cut/full.nc full/full.nc; then pass "$1: the same file"; else fail "$1: the same file"; fi
    absent cut/full.part "$1: and no rows beside it"
    rm -rf cut
}
recorded() { stat -c %s "$1/full.part" 2>/dev/null; }
midway INT recorded cut "$wattsink" run two-cards.xml --for 1d --full -o cut -q
present cut/full.nc "interrupted: a file of what was simulated"
present cut/full.part "with the rows that it goes on from"
exits 3 "without --full it is another run" "$wattsink" run two-cards.xml --for 1d -o cut --resume
ended interrupted
files() { ls -A "$1" 2>/dev/null | wc -l; }
for measure in files recorded; do
    midway KILL $measure cut "$wattsink" run two-cards.xml --for 1d --full -o cut -q
    ended "killed when its $measure grew"
done
midway KILL recorded cut "$wattsink" run two-cards.xml --for 1d --full -o cut -q
midway KILL recorded cut "$wattsink" run two-cards.xml --for 1d --full -o cut -q --resume
ended "killed twice"
"$wattsink" run two-cards.xml --for 10s --full -o again -q
"$wattsink" run two-cards.xml --for 10s -o again -q
absent again/full.nc "a run without --full leaves no earlier one's steps"
exits 1 "a full disk" sh -c "ulimit -f 9000; exec '$wattsink' run two-cards.xml --for 1d --full -o tight"
says err 'full' "is told"
absent tight/.full.nc.new "and leaves no incomplete file"
survived kills kills $kills
exit $status
