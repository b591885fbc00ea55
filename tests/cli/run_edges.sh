#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Unusual calls of `run`: folders with foreign or damaged files, checkpoints with each line damaged, dates and zones in
# full.nc, and options that exclude each other.
. "$(dirname "$0")/helpers.inc"
. "$top/tests/fault/midway.inc"
run() { # CODE NAME ARGUMENTS...
    code=$1 name=$2
    shift 2
    exits "$code" "$name" "$wattsink" run "$@"
}
# ---- options ----
run 2 "standard input without a folder" - <two-cards.xml
says err 'needs -o DIR' "says what is missing"
exits 0 "standard input with one" sh -c "'$wattsink' run - -o stdin --for 10min -q <two-cards.xml"
run 2 "no such stepper" two-cards.xml --stepper slow
run 2 "two rigs" two-cards.xml load.xml
run 3 "no rig" nothing.xml
# The energy of skipped load cycles does not balance exactly: the printed residual must be that of summary.json.
run 0 "a month of equal days" "$top/scenarios/single-3090/rig.xml" --for 30d --leap -o strode
rel=$(sed -n 's/.*"imbalance_rel": \([0-9.e-]*\).*/\1/p' strode/summary.json)
says out "^Energy balance: residual [0-9.e-]+ of the input, and $(printf %.1e "${rel:-0}") in the load cycles that were skipped" "says by how much they do not balance"
# A rig whose own duration is invalid runs with --for.
sed 's|<run [^>]*/>|<run for="0 s"/>|' two-cards.xml >none.xml
run 3 "a duration of nothing" none.xml -o none
run 0 "with another duration it runs" none.xml -o none --for 10min -q
run 0 "and can be resumed" none.xml -o none --for 10min --resume
says err 'the run is finished' "as finished"
run 0 "a finished run, quietly" none.xml -o none --for 10min --resume -q
[ ! -s out ] && [ ! -s err ] && pass "prints nothing" || fail "prints nothing" "$(cat out err)"

cp two-cards.xml rigfile && run 0 "a rig without .xml" rigfile --for 10min -q
present rigfile.out/summary.json "its results are beside it"
run 3 "a rig.xml behind a file" two-cards.xml/rig.xml
ln -s loop loop
run 1 "a rig.xml behind a link to itself" loop/rig.xml
says err 'loop' "is named"
run 3 "data that is no folder" two-cards.xml --data load.xml
says err 'load\.xml' "is named"
run 0 "data in the same folder" two-cards.xml --data . --for 10min -q -o data

# ---- folders ----
: >file
run 1 "a file in place of the folder" two-cards.xml --for 10min -o file/out
says err 'file/out|file' "is named"
mkdir -p taken/events.csv
run 1 "a folder in place of events.csv" two-cards.xml --for 10min -o taken
says err 'cannot open taken/events\.csv' "is named"
# In a folder without a checkpoint, a summary.json that is damaged or that another program wrote.
head -c 300 data/summary.json >cut.json
for text in hi '{"my": "data"}' '[]' '' "$(cat cut.json)"; do
    rm -rf foreign && mkdir foreign && printf '%s\n' "$text" >foreign/summary.json && cp foreign/summary.json was.json
    for how in '' --resume; do
        # shellcheck disable=SC2086  # unquoted: an option or nothing
        run 3 "a foreign summary.json${how:+ with $how}: $(printf '%.15s' "$text")" two-cards.xml --for 10min -o foreign -q $how
        says err '^wattsink: foreign/summary\.json was not written by wattsink, or is damaged; --force replaces it, -o FOLDER keeps both$' "is told"
    done
    cmp -s foreign/summary.json was.json && [ "$(ls foreign)" = summary.json ] && pass "nothing is changed" || fail "nothing is changed" "$(ls foreign)"
    run 0 "by force" two-cards.xml --for 10min -o foreign -q --force
    says foreign/summary.json '"Two cards"' "it is replaced"
done
# Tables of another program, in a folder without results.
for table in series.csv events.csv; do
    rm -rf foreign && mkdir foreign && echo 'a,table,of,mine' >"foreign/$table" && cp "foreign/$table" was.csv
    run 3 "a foreign $table" two-cards.xml --for 10min -o foreign -q
    says err "^wattsink: foreign/$table was not written by wattsink, or is damaged; --force replaces it" "is told"
    cmp -s "foreign/$table" was.csv && [ "$(ls foreign)" = "$table" ] && pass "and its file stays as it was" || fail "and its file stays as it was" "$(ls foreign)"
    run 0 "$table by force" two-cards.xml --for 10min -o foreign -q --force
    run 0 "and again, without" two-cards.xml --for 10min -o foreign -q
done
rm -rf foreign && mkdir foreign && head -n 1 data/events.csv >foreign/events.csv
run 0 "a folder of a run that was killed at its start" two-cards.xml --for 10min -o foreign -q
mkdir -p other/summary.json
run 1 "a folder in place of summary.json" two-cards.xml --for 10min -o other
says err 'other/summary\.json' "is named"
run 0 "results" two-cards.xml --for 10min -o kept -q
run 3 "results of another rig stay" load.xml --set run.for=10min -o kept -q
run 0 "unless forced" two-cards.xml --set 'gpu[0].power-limit=200W' --for 10min -o kept -q --force
grep -q '"wall_clock_s"' kept/summary.json && pass "they are replaced" || fail "they are replaced"
rm kept/run.ckpt
run 3 "they stay without their checkpoint, too" two-cards.xml --for 10min -o kept -q
says err 'another rig' "says why"
run 0 "a finished run" two-cards.xml --for 10min -o done -q
rm done/summary.json
run 1 "whose summary is missing" two-cards.xml --for 10min -o done --resume --json
says err "done/summary\.json is missing: 'wattsink run RIG.xml -o done' leaves it" "says how to get it"

# A full disk: a file, or the hidden file under whose name it is written at first, leads to /dev/full.
if [ -c /dev/full ]; then
    mkdir whole && ln -s /dev/full whole/events.csv
    run 1 "no room for the events" two-cards.xml --for 10min -o whole -q
    says err 'cannot write whole/events\.csv: No space left on device' "is told"
    absent whole/summary.json "and leaves no results"
    for file in series.csv summary.json run.ckpt rig.resolved.xml; do
        rm -rf whole && mkdir whole && ln -s /dev/full "whole/.$file.new"
        run 1 "no room for $file" two-cards.xml --for 10min -o whole -q
        says err "cannot write whole/$file: No space left on device" "$file is named"
        absent "whole/$file" "and is not there: $file"
    done
fi

# ---- one setting alone ----
sed 's|<run [^>]*/>|<run for="10 min" step="1 s"/>|' two-cards.xml >short.xml
run 0 "as it is" short.xml -o plain -q
for setting in '--stepper fast' '--for 10min' '--seed 5' '--step 2s'; do
    into=$(echo "$setting" | tr -dc 'a-z0-9')
    # shellcheck disable=SC2086 # unquoted, to be split into words
    run 0 "with $setting" short.xml -o "$into" -q $setting
    digest() { sed -n 's/^rig //p' "$1/run.ckpt" | head -n 1; }
    [ "$(digest plain)" = "$(digest "$into")" ] && pass "it is the same rig: $setting" || fail "it is the same rig: $setting" "$(digest "$into")"
    # shellcheck disable=SC2086 # unquoted, to be split into words
    run 0 "resumed with $setting" short.xml -o "$into" --resume $setting
    says err 'the run is finished' "it is finished: $setting"
done
same_results plain stepperfast "the fast stepper is the usual one"
run 3 "resumed without its step" short.xml -o step2s --resume
says err 'another --for, --step or --seed' "is refused"

# ---- progress ----
if script -qec true /dev/null >/dev/null 2>&1; then
    for columns in 80 24; do
        script -qec "stty cols $columns rows 24; '$wattsink' run two-cards.xml --for 2d -o progress$columns" /dev/null >shown 2>&1 </dev/null
        tr '\r' '\n' <shown | grep -E '^ *[0-9]+ %' >lines
        says lines '^ *[0-9]+ %.* simulated' "progress in $columns columns: how much"
        awk -v n=$columns 'length($0) >= n { bad = 1 } END { exit bad }' lines && pass "progress in $columns columns: fits" ||
            fail "progress in $columns columns: fits" "$(head -n 2 lines)"
    done
    grep -q 'left' lines && fail "what does not fit is left out" "$(head -n 2 lines)" || pass "what does not fit is left out"
else
    echo "skip progress: no terminal can be made here"
fi

# ---- checkpoints ----
simulated() { sed -n 's/^time_ms //p' "$1/run.ckpt" 2>/dev/null; }
midway INT simulated cut "$wattsink" run two-cards.xml --for 60d -o cut -q
[ "$got" = 130 ] && pass "an interrupted run" || fail "an interrupted run" "$got"
cp cut/run.ckpt good && cp cut/events.csv events
lines=$(grep -an '^hash ' good | cut -d : -f 1)
size=$(wc -c <good)
head=$(head -n "$lines" good | wc -c)
# altered SED: run.ckpt with its lines changed; the state behind them stays.
altered() { { head -n "$lines" good | sed "$1" && tail -c $((size - head)) good; } >cut/run.ckpt; }
n=1
while [ $n -le "$lines" ]; do
    altered "${n}d"
    run 3 "line $n is missing" two-cards.xml --for 60d -o cut -q --resume
    says err 'run\.ckpt cannot be resumed: ' "line $n is missing: is told"
    n=$((n + 1))
done
for change in 's/^time_ms .*/time_ms x/' 's/^done .*/done /' 's/^events .*/events 1 2/' 's/^state .*/state 31/' \
    "s/^options .*/options $(printf '%0200d' 1)/" 's/^hash \(.*\)/hash \1\1/' 's/^rig /rigg /'; do
    altered "$change"
    cmp -s good cut/run.ckpt && fail "$change changes the file"
    run 3 "a line changed by $(echo "$change" | cut -c 1-30)" two-cards.xml --for 60d -o cut -q --resume
    says err 'it is damaged' "is told"
done
altered 's/^rig .*/rig 0123456789abcdef/'
run 3 "a checkpoint of another rig" two-cards.xml --for 60d -o cut -q --resume
# In place of a damaged run.ckpt the run resumes from run.ckpt.safe, if that is sound.
: >cut/run.ckpt
cp good cut/run.ckpt.safe
sed -i 's/x/y/' cut/run.ckpt.safe
run 3 "neither of two is sound" two-cards.xml --for 60d -o cut -q --resume
cp good cut/run.ckpt.safe
midway INT simulated cut "$wattsink" run two-cards.xml --for 60d -o cut --resume
says cut.err '^resumed at [0-9.]+ (s|min|h|d)' "the safe one is used where the other is damaged"
run 3 "another duration" two-cards.xml --for 30d -o cut -q --resume
says err 'another --for, --step or --seed' "is told"
run 3 "other options" two-cards.xml --for 60d --leap -o cut -q --resume
says err 'other options' "are told"
run 3 "no rig of that checkpoint" load.xml -o cut -q --resume
says err 'it belongs to another rig' "is told"
head -c 10 events >cut/events.csv
run 1 "events that are cut" two-cards.xml --for 60d -o cut -q --resume
says err 'cut/events\.csv is shorter than the checkpoint says' "are told"
rm cut/events.csv
run 1 "no events" two-cards.xml --for 60d -o cut -q --resume
says err 'cannot open cut/events\.csv' "are told"

# ---- a run that fails ----
cat >cooked.xml <<'END'
<rig name="Cooked">
  <chassis part="chassis/fractal-define-7-xl"><psu part="psu/tier-gold-1000"/><gpu part="gpu/rtx-3090" slot="1"/></chassis>
  <workload kind="replay" power="power.csv" gpus="all"/>
  <run for="2 h" step="1 s"/>
</rig>
END
printf 't_min,card_w\n0,300\n30,120\n60,nothing\n' >power.csv
run 3 "a number that is none in the data" cooked.xml -o cooked -q
says err 'power\.csv:4' "is told with its line"
absent cooked/summary.json "and leaves no results"

# ---- every step ----
if "$wattsink" run two-cards.xml --for 10s --full -o full -q 2>err && command -v ncdump >/dev/null; then
    since() { ncdump -h full/full.nc | sed -n 's/.*time:units = "\(.*\)" ;/\1/p'; }
    dated() { # FROM ZONE UNITS
        run 0 "from $1 in $2" two-cards.xml --for 10s --full -o full -q --force --set "run.from=$1" --set "run.zone=$2"
        [ "$(since)" = "$3" ] && pass "begins there: $1 in $2" || fail "begins there: $1 in $2" "$(since)"
    }
    dated 2024-02-29T23:59:58 Asia/Kolkata 'seconds since 2024-02-29 23:59:58 +05:30'
    dated 2026-01-15T00:00:00 America/St_Johns 'seconds since 2026-01-15 00:00:00 -03:30'
    dated 2026-03-01T12:00:00 UTC 'seconds since 2026-03-01 12:00:00 +00:00'
    run 0 "a date without a zone" two-cards.xml --for 10s --full -o full -q --force --set run.from=2026-07-01T09:00
    case $(since) in 'seconds since 2026-07-01 09:00:00'*) pass "begins at that time" ;; *) fail "begins at that time" "$(since)" ;; esac
    rows() { stat -c %s "$1/full.part" 2>/dev/null; }
    midway INT rows part "$wattsink" run two-cards.xml --for 2d --full -o part -q
    cp part/full.part rows
    for bytes in 0 1000; do
        head -c $bytes rows >part/full.part
        run 1 "only $bytes bytes of the steps are there" two-cards.xml --for 2d --full -o part -q --resume
        says err 'part/full\.part is shorter than the checkpoint says' "is told"
    done
    rm part/full.part
    run 1 "no steps are there" two-cards.xml --for 2d --full -o part -q --resume
    says err 'cannot open part/full\.part' "is told"
    rm -rf part && mkdir -p part/full.part
    run 1 "a folder in place of the steps" two-cards.xml --for 10s --full -o part -q
    says err 'cannot open part/full\.part' "is told"
    rm -rf part && mkdir -p part/full.nc/full
    run 1 "a folder in place of full.nc" two-cards.xml --for 10s --full -o part -q
    says err 'part/full\.nc' "is told"
    absent part/.full.nc.new "and nothing else is left"
    # The rows are written in blocks. With several blocks, each of which may be the last, no row must be missing.
    run 0 "several blocks of steps" two-cards.xml --for 5h --full -o part2 -q
    [ "$(ncdump -h part2/full.nc | sed -n 's/.*UNLIMITED ; \/\/ (\([0-9]*\) currently).*/\1/p')" = 18000 ] && pass "have a row each" ||
        fail "have a row each" "$(ncdump -h part2/full.nc | head -n 4)"
elif [ -e full/full.nc ] || grep -q 'built without' err; then
    echo "skip every step: no NetCDF or no ncdump"
else
    fail "every step" "$(cat err)"
fi

# ---- a share of lost work that is 0 but for rounding ----
for at in 7min 43min; do
    "$wattsink" run two-cards.xml --set "gpu[1].lost-at=$at" --for 2h -o lost -q --force
    says lost/summary.json '"lost_fraction": 0,' "a card that is lost after $at loses nothing to heat"
done

# ---- a run that ends before the room is warm ----
# A room of 20 MJ/K warms for days, and its air conditioner does not run before. Such a run costs less than others of
# its time, which "a year if repeated" does not tell.
sed 's|<tariff|<room conductance="60 W/K" capacity="20000 kJ/K"><outdoor mean="20 degC"/><air-conditioner capacity="5 kW" setpoint="24 degC"/></room>&|' two-cards.xml >slow.xml
for time in 1d 60d; do
    "$wattsink" run slow.xml --for $time --leap -o $time -q
    "$wattsink" report $time >out
done
value() { sed -n "s/.*\"$2\": \(-\{0,1\}[0-9.e+-]*\).*/\1/p" "$1/summary.json" | head -n 1; }
awk "BEGIN { exit !($(value 60d annual) > 1.05 * $(value 1d annual)) }" && pass "a day in a room that warms up costs less than its year" ||
    fail "a day in a room that warms up costs less than its year" "$(value 1d annual) $(value 60d annual)"
kept=$(awk "BEGIN { printf \"%.0f\", 100 * $(value 1d stored_kwh) / $(value 1d wall_kwh) }")
for file in 1d/summary.json 1d/report.html; do says $file "The room and the machine keep $kept % of the heat of this run: a longer one tells" "which $file tells"; done
lacks 60d/summary.json 'of the heat of this run' "a long run does not"
exit $status
