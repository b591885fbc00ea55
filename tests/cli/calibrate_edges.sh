#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Calibrations of unusual cards, logs and sweeps: memory temperatures, no fan, no part, ids that logs and rigs do not
# share, sweeps of several cards, and folders that cannot be written.
. "$(dirname "$0")/helpers.inc"
own=$top/scenarios/own-card/rig.xml
log=$top/scenarios/own-card/log.csv
rows=$top/scenarios/own-card/limits.csv
quad=$top/scenarios/quad-3090-blower/rig.xml
fit() { # CODE NAME RIG ARGUMENTS...
    code=$1 name=$2 file=$3
    shift 3
    exits "$code" "$name" "$wattsink" calibrate "$file" --parts "$top/parts" "$@"
}

# ---- what a log contains ----
awk -F, 'NR == 1 { print $0 ", temperature.memory"; next } { split($6, die, " "); print $0 ", " die[1] + 12 }' "$log" >memory.csv
fit 0 "a log with the memory's temperature" "$own" --log memory.csv -o memory
says out '^memory, fitted +[0-9.]+ ' "has its errors"
says out '^memory, held out +[0-9.]+ ' "also of the part held out"
says memory/calibration.csv '^t_s,held_out,.*,gpu0\.die_c\.high,gpu0\.memory_c,gpu0\.memory_c\.model$' "and its curves"
awk -F, 'NR > 1 && $4 != "nan" { n++; if ($8 - $4 != 12) bad = 1; d = $9 - $8; sum += d < 0 ? -d : d } END { exit bad || n < 500 || sum / n > 6 }' \
    memory/calibration.csv && pass "which are those of the log, within 6 K in the mean" || fail "which are those of the log, within 6 K in the mean" "$(head -3 memory/calibration.csv)"
cut -d, -f1-6 "$log" >windless.csv
fit 0 "a log without a fan" "$own" --log windless.csv -o windless -q
lacks windless/calibrated.xml 'for="fan-curve"[^>]*fitted' "leaves the fan's curve"
lacks windless/report.html 'fan-curve' "on its page too"
cut -d, -f1,2,4-7 "$log" >clock.csv
fit 0 "a log without watts as JSON" "$own" --log clock.csv --dry-run --json
says out '"power_modelled": true, "from_hot_spot": false' "has modelled ones"
awk -F', ' 'NR > 1 { sub(/ W/, "", $3); t = $1; gsub("/", "-", t); print t; print "{\"card0\": {\"Average Graphics Package Power (W)\": \"" $3 "\", \"Temperature (Sensor junction) (C)\": \"" $6 + 0 ".0\"}}" }' "$log" >junction.json
fit 0 "a log of the hot spot as JSON" "$own" --log junction.json --dry-run --json
says out '"power_modelled": false, "from_hot_spot": true' "says so"
sed '5s/.*/garbage,,,/' "$log" >torn.csv
fit 0 "a torn log" "$own" --log torn.csv --dry-run -q
[ ! -s err ] && pass "-q has no warnings" || fail "-q has no warnings" "$(cat err)"
fit 1 "a folder as a log" "$own" --log . --dry-run
says err '^wattsink: cannot read \.: ' "cannot be read"
fit 1 "a folder as a sweep" "$own" --sweep . --dry-run
says err '^wattsink: cannot read \.: ' "cannot be read either"
for odd in '=x.csv' 'a.b=x.csv' './a=x.csv'; do
    fit 3 "the file $odd" "$own" --log "$odd" --dry-run
    says err "cannot read $odd: " "has no id in its name"
done

awk 'BEGIN { print "t_s,power_w,temp_c,fan_pct"; for (t = 5; t <= 1800; t += 5) printf "%d,%.1f,%d,34\n", t, 20 + t % 3, 38 + (t % 7 == 0) }' >rest.csv
fit 0 "a log at rest" "$own" --log rest.csv --dry-run
says out '^The highest power of the log is 2[0-9] W, full load is 2[0-9][0-9] W: ' "is far from full load"
says out '^Record next: soak, ' "needs load next"
says out '^One low power: .* Half an hour of load would separate them\.$' "which would tell inlet and conductance apart"
lacks out 'ten minutes idle|hardly tell more' "no more rest"
fit 0 "a log under load" "$own" --log "$log" --dry-run
lacks out '^The highest power of the log' "is not"

sed 's|<room temperature="22 degC"/>|<room volume="30 m3" conductance="40 W/K"><outdoor mean="20 degC" swing="5 K"/></room>|' "$own" >free.xml
fit 0 "a room without a fixed temperature" free.xml --log "$log" -o free
says out 'no fixed temperature, so (2[0-9]\.[0-9]) °C is not written; <room temperature="2[0-9]\.[0-9] degC"/> holds it|no fixed temperature, so .* is not written' "is told that it is not written"
lacks free/calibrated.xml '<room [^>]*temperature=' "which it is not"
lacks free/report.html '<room ' "the page has that as text"
fit 0 "a room with one" "$own" --log "$log" --dry-run
lacks out 'is not written' "is not"

awk "NR == 1 || NR % 3 == 2" "$log" >sparse.csv
fit 0 "a log with a row each 30 s" "$own" --log sparse.csv --dry-run
says out '^The rows are 30 s apart, and when the load changed between two of them is not known: a (±|\+-) may be two thirds of what it should be\. Record each second\.$' "is told to be coarse"
fit 0 "a log with a row each 10 s" "$own" --log "$log" --dry-run
lacks out '^The rows are' "is not"
fit 0 "a coarse log at rest" "$own" --log rest.csv --dry-run
lacks out '^The rows are' "has no change of load whose time matters"

# ---- ids ----
sed -n '1p;4~3p' "$log" | head -150 >brief.csv
log=brief.csv
sed 's/, 0, /, 1, /' "$log" | tail -n +2 | cat "$log" - >two.csv
for id in card-1 7 gpu; do
    sed "s|<gpu part|<gpu id=\"$id\" part|" "$own" >named.xml
    fit 0 "a log of one card, for $id" named.xml --log "$id=$log" --dry-run
    says out "^$id, gpu/rtx-4070-ti-super: 74 minutes" "is its own"
done
fit 3 "a log of two cards, for an id without a number" named.xml --log gpu=two.csv --dry-run
says err '^wattsink: --log gpu: two\.csv has 2 cards and none of that number; the first is 0$' "needs a number"
sed 's|<gpu part|<gpu id="gpu7" part|' "$own" >named.xml
fit 3 "a log of two cards, for the card 7" named.xml --log gpu7=two.csv --dry-run
says err 'gpu7: two\.csv has 2 cards and none of that number' "has no such card"
fit 3 "an id that begins as a card's" named.xml --log gpu="$log" --dry-run
says err '--log gpu: named\.xml has no such card; expected an id such as gpu7$' "is not that card"
fit 3 "a log for a rig without cards" load.xml --log gpu0="$log" --dry-run
says err '--log gpu0: load\.xml has no such card' "has no card"
fit 3 "a sweep for a rig without cards" load.xml --sweep "$rows" --dry-run
says err '^wattsink: load\.xml has no card$' "has none either"
fit 3 "with an id" load.xml --sweep gpu3="$rows" --dry-run
says err '--sweep gpu3: load\.xml has no such card; expected an id such as gpu0$' "has no such card"

three() { # CODE NAME LOG: own-card with two more cards
    fit "$1" "$2" "$own" --set 'chassis.gpu+=gpu/rtx-4070-ti-super id=gpu1 slot=3 riser=92mm' --set 'chassis.gpu+=gpu/rtx-4070-ti-super id=gpu2 slot=5 riser=92mm' \
        --set gpu.riser=92mm --set chassis.part=chassis/mining-frame-8 --log "$3" --dry-run
}
sed 's/, 0, /, 2, /' "$log" | tail -n +2 | cat "$log" - >outer.csv
three 0 "a log of the cards 0 and 2 of three" outer.csv
[ "$(grep -o '^gpu[0-9], ' out | tr -d '\n')" = 'gpu0, gpu2, ' ] && pass "is of the first and the third" || fail "is of the first and the third" "$(grep '^gpu' out)"
says err '^wattsink: not in the log, so not fitted, and taken to work as the logged cards do: gpu1; if they rested, name those that worked: --set .workload.gpus=gpu0 gpu2.$' "the other is named"
sed 's/, 1, /, 7, /' two.csv >beyond.csv
three 3 "a log of the cards 0 and 7" beyond.csv
says err 'beyond\.csv: .*rig\.xml has 3 cards, and no index below that tells which of them the card 7 of the log is; expected --log ID=beyond\.csv$' "is refused"
sed '1s/ index,/ gpu_uuid,/; s/, 0, /, GPU-aaaab, /; s/, 1, /, GPU-aaaaa, /' two.csv >uuid.csv
three 3 "a log of two UUIDs" uuid.csv
says err 'no index below that tells' "too"
three 0 "a log of one card without an index" windless.csv
says err 'not in the log, so not fitted, .*: gpu1, gpu2;' "is of the first"

# ---- a card without a part in a rig without a name ----
sed 's|<gpu part="gpu[^>]*>|<gpu id="mine" tdp="285 W" slots="2" slot="1" clock-max="2610 MHz" clock-knee="2580 MHz" voltage-slope="0.7 1/GHz"><cooler kind="blower" conductance="9 W/K" flow="20 CFM" capacity="650 J/K" drop="110 Pa" fans="1" diameter="70 mm" fan-pressure="420 Pa" fan-flow="36 CFM" fan-rpm="4800 rpm" rpm-min="1400 rpm" rpm-max="4800 rpm"/></gpu>|
    s/<rig name="[^"]*">/<rig>/' "$own" >bare.xml
fit 0 "a card without a part" bare.xml --log "$log" -o bare
says out '^mine, gpu: 74 minutes' "is told as a gpu"
says bare/report.html '<h1>bare\.xml</h1>' "a rig without a name has that of its file"
if command -v gnuplot >/dev/null; then says bare/calibration.svg '>mine, slot 1<' "the picture has its id and slot"; fi
fit 0 "a sweep of it" bare.xml --sweep "$rows" --dry-run
says out '^mine, gpu: 5 rows' "is told likewise"

# ---- sweeps ----
pair() { # CODE NAME ARGUMENTS...: own-card with a second card
    code=$1 name=$2
    shift 2
    fit "$code" "$name" "$own" --set 'chassis.gpu+=gpu/rtx-4070-ti-super id=gpu1 slot=4' "$@"
}
pair 0 "a sweep of each card" --sweep gpu0="$rows" --sweep gpu1="$rows" --dry-run --json
[ "$(grep -o '"card": "gpu[01]", "cards": 1, "rows": 5' out | sort -u | wc -l)" = 2 ] && pass "both cards have their sweep" || fail "both cards have their sweep" "$(head -c 400 out)"
if command -v jq >/dev/null; then jq -e '.calibrated | length == 2' out >/dev/null && pass "and valid JSON" || fail "and valid JSON"; fi
pair 2 "a sweep of both cards, and of one" --sweep gpu1="$rows" --sweep "$rows" --dry-run
says err 'two sweeps for one card' "are too many"
pair 0 "a log of both cards, a sweep of one" --log two.csv --sweep gpu1="$rows" --dry-run --json
[ "$(grep -o '"electrical": null' out | wc -l)" = 1 ] && pass "the sweep goes before the log of its card alone" || fail "the sweep goes before the log of its card alone"
pair 0 "a log of both cards, a sweep of both" --log two.csv --sweep "$rows" --dry-run --json
[ "$(grep -o '"electrical": null' out | wc -l)" = 2 ] && pass "the sweep goes before the logs of both" || fail "the sweep goes before the logs of both"
fit 0 "four cards, one at a fixed power" "$quad" --sweep "$rows" --set 'gpu[3].power=250W' -o fixed
says out '^gpu0 and 2 alike, gpu/rtx-3090-blower: 5 rows' "the others are alike"
[ "$(grep -c 'for="p0"[^>]*calibrated on' fixed/calibrated.xml)" = 3 ] && pass "and are fitted" || fail "and are fitted" "$(grep -c 'for="p0"' fixed/calibrated.xml)"
fit 0 "one of another part at a fixed power" "$quad" --sweep "$rows" --set 'gpu[3].part=gpu/rtx-3080' --set 'gpu[3].power=250W' -o other -q
[ "$(grep -c 'for="p0"[^>]*calibrated on' other/calibrated.xml)" = 3 ] && pass "is not fitted" || fail "is not fitted" "$(grep -c 'for="p0"' other/calibrated.xml)"
fit 3 "all at a fixed power" "$quad" --sweep "$rows" --set 'gpu[*].power=250W' --dry-run
[ "$(grep -c 'rig\.xml: ' err)" = 1 ] && pass "is refused once" || fail "is refused once" "$(cat err)"
printf 'limit_w,power_w,clock_mhz\n150,150,1000\n285,5000,2300\n' >hot.csv
fit 3 "a row of another card" "$own" --sweep hot.csv --dry-run
says err '^hot\.csv:3:5: the power of this row, 5000 W, cannot be of this card; expected [0-9.]+ W to [0-9]+ W$' "is told with its place, its value and what is possible"
printf 'limit_w,power_w,temperature_c\n150,150,40\n285,280,600\n' >burnt.csv
fit 3 "a temperature of 600 degrees" "$own" --sweep burnt.csv --dry-run
says err '^burnt\.csv:3:9: the GPU temperature of this row, 600 degC, cannot be of this card; expected -50 degC to 150 degC$' "is told likewise"
printf 'limit_w,power_w,clock_mhz\n150,150.3,982\n210,209.7,1560\n285,286.3,2323\n' >workless.csv
fit 0 "a sweep without work" "$own" --sweep workless.csv --dry-run
says out '^Not determined without work: ' "misses the share of the clock"
says out '^clock: .*rows left out of the fit' "its clocks are checked"
fit 0 "as JSON" "$own" --sweep workless.csv --dry-run --json
says out '"errors": \{"clock": \{"rows": 3' "has no work"
printf 'limit_w,power_w\n150,150.3\n210,209.7\n285,286.3\n' >watts.csv
fit 0 "a sweep of watts alone" "$own" --sweep watts.csv --dry-run
says out '^Not determined without clocks: ' "misses the voltage"
says out '^power: .*rows left out of the fit' "its watts are checked"
# A row is not checked by a fit of its own repetition: with each row twice the errors of rows left out are about the same.
printf 'limit_w,work\n100,25\n150,60\n210,88\n285,100\n' >once.csv
{ cat once.csv; tail -n +2 once.csv; } >twice.csv
fit 0 "a sweep" "$own" --sweep once.csv --dry-run --json
once=$(sed 's/.*"left_out_rel": \([0-9.]*\).*/\1/' out)
fit 0 "the same with each row twice" "$own" --sweep twice.csv --dry-run --json
twice=$(sed 's/.*"left_out_rel": \([0-9.]*\).*/\1/' out)
awk "BEGIN { exit !($once > 0.01 && $twice > 0.7 * $once) }" && pass "is checked by other settings" || fail "is checked by other settings" "$once, twice $twice"
printf 'limit_w,work\n260,3\n285,3.1\n' >close.csv
fit 0 "rows of nearly one limit" "$own" --sweep close.csv --dry-run
says out '^The rows lie close together\. ' "are too close"
says out '^Two rows leave none to check the fit by' "and too few to check"
printf 'lock_mhz,work\n2600,100\n2000,85\n1500,72\n1000,56\n' >locks.csv
fit 0 "rows of locked clocks without watts" "$own" --sweep locks.csv --dry-run
lacks out 'lie close together' "are not called too close"

# ---- options ----
for share in x 1K -10% 91%; do
    fit 2 "--holdout $share" "$own" --log "$log" --holdout "$share"
    says err "^wattsink calibrate: --holdout $share: expected a share of the time" "--holdout $share is told"
done
fit 0 "a rig beside --plan" "$own" --plan fan
says out '^#!/bin/sh' "prints the recording"
fit 2 "two recordings" soak --plan fan
says err 'expected soak, staircase, fan, idle or memory' "are no plan"
mkdir there && cp "$own" there/calibrated.xml
fit 3 "a rig that is not there, over results" none.xml --sweep "$rows" -o there
cmp -s "$own" there/calibrated.xml && pass "the results stay" || fail "the results stay"

# ---- parts and folders ----
pair 0 "parts of two cards as JSON" --log two.csv --json -o parts.out --parts-out parts
lacks out 'is now the part' "JSON has no sentences"
for id in gpu0 gpu1; do present "parts/gpu/rtx-4070-ti-super-$id.xml" "the part of $id is written"; done
: >file
fit 1 "parts under a file" "$own" --log "$log" -o half --parts-out file/there -q
says err 'file/there' "cannot be written"
present half/calibrated.xml "the rig is there all the same"
absent half/report.html "but no page"
mkdir -p taken/gpu/rtx-4070-ti-super-gpu0.xml
fit 1 "a part whose file is a folder" "$own" --sweep "$rows" -o half --parts-out taken -q
says err 'rtx-4070-ti-super-gpu0\.xml' "is named"
fit 0 "the part of a machine" "$own" --sweep "$rows" -o first --parts-out shared -q
cp "$rows" "again's.csv"
fit 0 "the part of another machine, by the same id" "$own" --sweep "again's.csv" -o second --parts-out shared
says err "^wattsink: shared/gpu/rtx-4070-ti-super-gpu0\.xml is replaced; its values were: calibrated on .*limits\.csv$" "tells what it replaces"
fit 0 "its part, once more" "$own" --sweep "again's.csv" -o second --parts-out shared
lacks err 'is replaced' "replaces its own without a word"
echo '<gpu title="by hand" base="gpu/rtx-4070-ti-super" tdp="300 W"/>' >shared/gpu/rtx-4070-ti-super-gpu0.xml
fit 3 "a part written by hand, by the same id" "$own" --sweep "$rows" -o second --parts-out shared
says err '^wattsink: shared/gpu/rtx-4070-ti-super-gpu0\.xml is no part that calibrate wrote; expected another folder, or another id of the card$' "is not replaced"
says shared/gpu/rtx-4070-ti-super-gpu0.xml 'by hand' "and stays"
sed 's/ name="[^"]*"/ name="desk 2"/' "$own" >desk2.xml
cp first/calibrated.xml first.xml
fit 3 "another machine into the folder of the first" desk2.xml --sweep "$rows" -o first
says err '^wattsink: first/calibrated\.xml is of another rig, by its name or its cards; expected another folder \(-o\)$' "is refused"
cmp -s first.xml first/calibrated.xml && pass "and leaves it" || fail "and leaves it"
sed 's#gpu/rtx-4070-ti-super#gpu/rtx-4070-ti#' "$own" >card2.xml
fit 3 "a rig of that name with another card" card2.xml --sweep "$rows" -o first
says err 'is of another rig' "is refused, too"
fit 0 "other rows of the same machine" "$own" --sweep "again's.csv" -o first
says err '^wattsink: first/calibrated\.xml is replaced; its values were: calibrated on .*limits\.csv$' "tell what they replace"
fit 0 "the same rows" "$own" --sweep "again's.csv" -o first
lacks err 'is replaced' "replace their own without a word"
mkdir -p hand && cp "$own" hand/calibrated.xml
fit 3 "a rig written by hand of that name" "$own" --sweep "$rows" -o hand
says err '^wattsink: hand/calibrated\.xml was not written by calibrate; expected another folder \(-o\)$' "is not replaced"
for taken in calibrated.xml calibration.csv report.html; do
    mkdir -p "no-$taken/$taken"
    fit 1 "a folder in place of $taken" "$own" --log "$log" -o "no-$taken" -q
    says err "no-$taken/$taken" "$taken is named"
done

# ---- a log in place of a sweep ----
fit 3 "a log as a sweep" "$own" --sweep "$top/scenarios/own-card/log.csv" --dry-run
says err 'log\.csv:1:1: the rows are seconds apart and of one setting, as those of a log;.* A log is given with --log$' "is told"

# ---- times in other units, and with a decimal comma ----
# The same hour, written in each way, is the same log.
hour() { awk -v name="$1" -v u="$2" -v d="$3" 'BEGIN { OFS = ","; if (d == ",") OFS = ";"; print name, "power [W]", "temperature [C]", "clock [MHz]", "utilization [%]"; for (i = 0; i < 3600; i += 10) { t = sprintf("%.6f", i / u); sub(/[.]/, d, t); hot = i > 1800; print t, 150 + 50 * hot, 55 + 5 * hot, 1200, 100 } }'; }
hour 'time [s]' 1 . >plain.csv
fit 0 "times in seconds" "$own" --log plain.csv --dry-run --json
power() { sed -n 's/.*"name": "p0", "unit": "W", "value": \([0-9]*\.[0-9]\).*/\1/p' out; }
plain=$(power)
while read -r unit seconds mark; do
    hour "time [$unit]" "$seconds" "$mark" >timed.csv
    fit 0 "times in $unit with $mark" "$own" --log timed.csv --dry-run --json
    says out '"end_s": 359[0-9]' "last an hour"
    [ -n "$plain" ] && [ "$(power)" = "$plain" ] && pass "and tell the same" || fail "and tell the same" "$(power), expected $plain"
done <<'END'
s 1 ,
ms 0.001 .
min 60 .
min 60 ,
h 3600 ,
END

# ---- logs of several files ----
# The logger of gpu1 began ten minutes after that of gpu0. One log of both cards from then on says what the two tell.
head -1 "$log" >late.csv
tail -n +22 "$log" | sed 's/, 0, /, 1, /' >>late.csv
{ head -1 "$log" && tail -n +22 "$log" && tail -n +2 late.csv; } >common.csv
pair 0 "a log of two cards" --log common.csv --dry-run --json
sed 's/"file": "[^"]*"//g' out >common.json
pair 0 "a log of each card, one begun later" --log gpu0="$log" --log gpu1=late.csv --dry-run --json
says err '^wattsink: --log brief\.csv, late\.csv: they have 6[0-9] minutes in common; only these are fitted$' "is told"
sed 's/"file": "[^"]*"//g' out >apart.json
cmp -s common.json apart.json && pass "is fitted at its own time" || fail "is fitted at its own time" "$(diff common.json apart.json | head -c 600)"
awk -F', ' 'NR == 1 { print "time,wall_w"; next } { sub(/ W/, "", $3); split($1, t, "[ .]"); gsub("/", "-", t[1]); print t[1] "T" t[2] "," ($3 * 2 + 45) / 0.9 }' "$log" >plug.csv
pair 0 "with a meter from the start of the first" --log gpu0="$log" --log gpu1=late.csv --wall plug.csv --dry-run --json
within() { awk -v a="$1" -v l="$2" -v h="$3" 'BEGIN { exit !(a != "" && a >= l && a <= h) }' && pass "$4" || fail "$4" "$1, expected $2 to $3"; }
within "$(sed -n 's/.*"clock_ahead_s": \([^,]*\),.*/\1/p' out)" -30 30 "the meter's clock is that of the logs"
sed 's#2026/11/14#2026/11/15#' late.csv >tomorrow.csv
pair 3 "a log of each card, on two days" --log gpu0="$log" --log gpu1=tomorrow.csv --dry-run
says err '^wattsink: --log brief\.csv, tomorrow\.csv: by their clocks they have no time in common; expected logs of one time and one time zone, or one card a call$' "is refused"
awk -F', ' -v OFS=', ' '{ $1 = NR == 1 ? "time_s" : 30 * (NR - 2); print }' late.csv >timeless.csv
pair 0 "a log of each card, one without dates" --log gpu0="$log" --log gpu1=timeless.csv --dry-run
says err '^wattsink: --log brief\.csv, timeless\.csv: not all have dates, so they are taken to begin at the same moment$' "is taken to begin with the other"
pair 0 "two logs of one time" --log gpu0=late.csv --log gpu1=late.csv --dry-run
lacks err 'in common|same moment' "is all fitted"

# ---- a meter ----
awk -F', ' 'NR == 1 { print "time,wall_w"; next } { sub(/ W/, "", $3); t = (NR - 2) * 10; printf "2026-11-14T%02d:%02d:%02d,61.0\n", 10 + int(t / 3600), int(t / 60) % 60, t % 60 }' "$log" >flat.csv
fit 0 "a meter that does not move as JSON" "$own" --log "$log" --wall flat.csv --dry-run --json
says out '"clock_found": false' "has no clock"
fit 3 "a meter that is not there" "$own" --log "$log" --wall none.csv --dry-run
says err 'cannot read none\.csv: ' "is told"
exit $status
