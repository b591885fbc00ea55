#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/helpers.inc"
. "$top/tests/fault/midway.inc"

mkdir examples && ln -s "$top/scenarios" "$top/parts" "$top/plots" examples/
for command in $("$wattsink" help | sed -n 's/^  \([a-z][a-z]*\) .*/\1/p'); do
    line=$("$wattsink" help "$command" | sed -n 's/^example: //p')
    case $line in
    *--for*) line=$(printf '%s' "$line" | sed 's/--for [0-9a-z]*/--for 10min/') ;;
    *" run "* | *" compare "*) line="$line --for 10min" ;;
    esac
    case $line in *" plot "*) command -v gnuplot >/dev/null 2>&1 || { echo "skip the example of $command: no gnuplot"; continue; } ;; esac
    # Only `make web` builds the page; open.sh tests the command with a small page.
    case $line in *" open "*) [ -e "$top/build/web/wattsink.html" ] || { echo "skip the example of $command: the page is not built"; continue; } ;; esac
    exits 0 "the example of $command" env PATH="$(dirname "$wattsink"):$PATH" sh -c "cd examples && $line"
done

for locale in C.UTF-8 C ja_JP.SJIS tr_TR.ISO-8859-9; do
    dir="Zwei Kärten 'und' 50 % $locale"
    mkdir "$dir" && cp two-cards.xml "$dir/größe 1.xml"
    (
        cd "$dir" || exit 1
        export LC_ALL=$locale
        rig="größe 1.xml"
        exits 0 "$locale: run" "$wattsink" run "$rig" --for 10min -o "Lauf ß"
        mv out run.out
        exits 0 "$locale: run without -o" "$wattsink" run "$rig" --for 10min -q
        exits 0 "$locale: steady" "$wattsink" steady "$rig"
        mv out steady.out
        exits 0 "$locale: check" "$wattsink" check "$rig"
        mv out check.out
        exits 0 "$locale: compare" "$wattsink" compare "$rig" --vary gpu.power-limit=200W,300W --for 10min -o "Vergleich ö"
        mv out compare.out
        exits 0 "$locale: sweep" "$wattsink" sweep "$rig" --vary 'gpu[*].power-limit=200W,300W' --for 10min -o "Fegen ü.csv" \
            --best 'min energy.wall_kwh'
        mv out sweep.out
        exits 0 "$locale: export" "$wattsink" export "$rig" --spice -o "Netz é.cir"
        exits 0 "$locale: new" "$wattsink" new -o "neu ü.xml"
        exits 0 "$locale: report" "$wattsink" report "Lauf ß"
        for file in "Lauf ß/summary.json" "Lauf ß/report.html" "größe 1.out/series.csv" "Vergleich ö/compare.json" "Fegen ü.csv" \
            "Netz é.cir" "neu ü.xml"; do
            present "$file" "$locale: $file"
        done
        if command -v gnuplot >/dev/null 2>&1; then
            exits 0 "$locale: plot" "$wattsink" plot "Lauf ß" "Vergleich ö" -q
            present "Lauf ß/plots/temps.svg" "$locale: a picture of the run"
            present "Vergleich ö/plots/limit.svg" "$locale: a picture of the comparison"
        fi
        for file in *.out; do
            [ -f "$file" ] || continue
            case $locale in *.UTF-8)
                if iconv -f UTF-8 -t UTF-8 "$file" >/dev/null 2>&1; then pass "$locale: UTF-8 in $file"; else fail "$locale: UTF-8 in $file"; fi
                continue ;;
            esac
            other=$(sed 's/Zwei Kärten//g; s/größe//g; s/Lauf ß//g; s/Vergleich ö//g; s/Fegen ü//g' "$file" | LC_ALL=C grep -n '[^[:print:][:space:]]' | head -n 3)
            if [ -z "$other" ]; then pass "$locale: ASCII in $file"; else fail "$locale: ASCII in $file" "$other"; fi
        done
        case $locale in
        *.UTF-8) says check.out ' °C' "$locale: °C" ;;
        *) says check.out ' degC' "$locale: degC" ;;
        esac
        cp "Lauf ß/series.csv" "../$locale.csv"
        exit $status
    ) || status=1
    if cmp -s C.UTF-8.csv "$locale.csv"; then pass "$locale: the same series"; else fail "$locale: the same series"; fi
done
for command in parts kinds schema help; do
    "$wattsink" $command | LC_ALL=C grep -n '[^[:print:][:space:]]' | head -n 3 >other
    if [ -s other ]; then fail "$command prints ASCII" "$(cat other)"; else pass "$command prints ASCII"; fi
done

# Bytes that are not valid text are allowed in file names, but not in JSON and XML.
odd=$(printf 'gr\366sse \001')
cp two-cards.xml "$odd.xml"
exits 0 "a name that is no text" "$wattsink" compare "$odd.xml" two-cards.xml --for 10min --json
if iconv -f UTF-8 -t UTF-8 out >/dev/null 2>&1 && grep -q '"label": "gr[^s]*sse \\u0001"' out; then pass "is text in the JSON"; else fail "is text in the JSON" "$(grep label out)"; fi
exits 3 "a setting that is no text" "$wattsink" run two-cards.xml --for 10min --set "name=$odd" -o odd
says err 'not UTF-8 text' "is told"
# The word repeats a character of two bytes, and the error message cuts it. With and without a leading "a" the cut falls
# between two characters and inside a character.
for lead in '' a; do
    exits 2 "a word of 10000 bytes" "$wattsink" "$lead$(printf '\303\274%.0s' $(seq 5000))"
    if iconv -f UTF-8 -t UTF-8 err >/dev/null 2>&1; then pass "is cut between characters"; else fail "is cut between characters" "$(tail -c 40 err | od -c | tail -n 4)"; fi
done
newline=$(printf 'two\nlines "and" $x')
mkdir "$newline" && cp two-cards.xml "$newline/$newline.xml"
(cd "$newline" && exits 0 "a name of two lines" env -u HOME "$wattsink" run "$newline.xml" --for 10min -q && present "$newline.out/summary.json" "has results" && exit $status) || status=1

lasts() {
    exits 0 "--for $1" "$wattsink" run two-cards.xml --for "$1" --step 10s -o time --force
    says out ": $2 simulated\$" "is $2"
}
lasts 100s '100 s'
lasts 250s '4 min 10 s'
lasts 10min '10 min'
lasts 8.486h '8 h 29 min'
lasts 7.9999h '8 h'
lasts 30h '30 h'
lasts 1d '1 d'
lasts 1h '1 h'
lasts 2.5d '2 d 12 h'
exits 0 "what matters in a check" "$wattsink" check "$top/scenarios/quad-3090-blower/rig.xml"
says out '^  draw without a limit of training on gpu/rtx-3090-blower, ' "is told by what it is"
lacks out 'class\[' "and not by its path in the rig"
says out '^  gpu0   slots 1-2  267 mm' "cards in slots"
lacks out '^  cpu0 .*block-' "lists no water block of a processor on air"
exits 0 "a room that is held" "$wattsink" check "$top/scenarios/quad-3090-blower/rig.xml" --set room.temperature=25degC
lacks out '^  room0 .*(conductance|capacity)' "lists no walls of a room that is held"
exits 0 "a steady point over its circuit" "$wattsink" steady "$top/scenarios/quad-3090-15a/350.xml"
says out '^ +Over the circuit.s continuous limit of 1440 W[.]$' "is so for as long as one likes"
exits 0 "a passive card without a wall" "$wattsink" check "$top/tests/validate/rigs/v100-pcie.xml" --set gpu.cooler=cooler/v100-pcie-duct
says out 'no fan wall drives air through passive gpu0' "is told what it needs"
exits 0 "with a fan on its shroud" "$wattsink" check "$top/tests/validate/rigs/v100-pcie.xml"
lacks out 'no fan wall' "it is not"
exits 0 "cards on risers" "$wattsink" check "$top/scenarios/mining-frame/rig.xml"
says out '^  gpu0   slot [0-9]+ by a riser  ' "take only their connectors'"
lacks out 'slots [0-9]*-' "and no slots"

"$wattsink" run two-cards.xml --for 10min -o plain >out 2>&1
if grep -q "$(printf '\033')" out; then fail "no escapes in a file"; else pass "no escapes in a file"; fi

if command -v gnuplot >/dev/null 2>&1; then
    for columns in 60 80 200; do
        widest=$(COLUMNS=$columns "$wattsink" plot plain --format term --what temps | sed 's/\xC2\xB0/o/g' | LC_ALL=C awk 'length > n {n = length} END {print n}')
        if [ "$widest" -le $((columns + 1)) ] && [ "$widest" -gt $((columns * 9 / 10)) ]; then pass "pictures in text are $columns wide"
        else fail "pictures in text are $columns wide" "$widest"; fi
    done
fi

words() { tr -s ' \n' '\n' <"$1" | sed '/^$/d'; }
# Replaces each symbol of the program's text by one byte, so that awk counts columns.
one_byte() { sed 's/°/o/g; s/±/+/g; s/−/-/g'; }
narrow() { # NAME ARGUMENT...: no line is too long and no word is lost, except that examples, which users copy, are not wrapped
    name=$1
    shift
    "$wattsink" "$@" 2>/dev/null | sed 's/wall_clock[^,]*//' >wide.txt
    for columns in 40 60 80; do
        COLUMNS=$columns "$wattsink" "$@" >narrow.txt 2>/dev/null
        sed '/^example: /d; /^results in /d' narrow.txt | one_byte | awk -v most=$columns 'length > most' >long.txt
        if grep -qE '[^ ] +[^ ]' long.txt; then fail "$name in $columns columns" "$(head -n 3 long.txt)"; else pass "$name in $columns columns"; fi
        if [ "$name" = table ] || { words wide.txt >a && words narrow.txt >b && cmp -s a b; }; then pass "$name: no word is lost"
        else fail "$name: no word is lost" "$(diff a b | head -n 5)"; fi
    done
}
narrow check check two-cards.xml
narrow help help
narrow kinds kinds gpu
narrow "a part" parts --show gpu/rtx-3090-blower
COLUMNS=80 "$wattsink" help run | sed -n '/^usage:/,/^ *-o DIR/p' >usage
lacks usage '\[[^]]*$' "an option and its value stay together"
COLUMNS=79 "$wattsink" check "$top/scenarios/quad-3090-blower/rig.xml" | grep -E '\+-[0-9.]+$' >parted
if [ -s parted ]; then fail "a number, its band and its unit stay together" "$(cat parted)"; else pass "a number, its band and its unit stay together"; fi
if [ "$(COLUMNS=60 "$wattsink" schema | cksum)" = "$("$wattsink" schema | cksum)" ]; then pass "the schema is a file"; else fail "the schema is a file"; fi
for command in run compare sweep plot; do narrow "help $command" help $command; done
# Without a terminal the table has at most 80 columns; COLUMNS changes this width.
for columns in 40 60 100 160; do
    COLUMNS=$columns "$wattsink" compare two-cards.xml --vary 'gpu[*].power-limit=200W:300W:25W' --for 10min >narrow.txt
    awk -v most=$columns 'length > most' narrow.txt >long.txt
    if grep -qE '[^ ] +[^ ]' long.txt; then fail "compare in $columns columns" "$(head -n 3 long.txt)"; else pass "compare in $columns columns"; fi
    awk 'length > n {n = length} END {print n}' narrow.txt >widest
    [ $columns -le 80 ] || { [ "$(cat widest)" -gt $((columns * 3 / 4)) ] && pass "and uses them" || fail "and uses them" "$(cat widest)"; }
done
[ "$("$wattsink" compare two-cards.xml --vary 'gpu[*].power-limit=200W:300W:25W' --for 10min | awk 'length > n {n = length} END {print n}')" -le 80 ] &&
    pass "compare in a file has 80" || fail "compare in a file has 80"
narrow table steady two-cards.xml
narrow table run two-cards.xml --for 10min -o plain
COLUMNS=50 "$wattsink" steady two-cards.xml >narrow.txt
"$wattsink" steady two-cards.xml | sed -n '/^card /,/^$/p' | sed 's/  */ /g' | tr ' ' '\n' | sort -u | while read -r cell; do
    [ -z "$cell" ] || grep -qF -- "$cell" narrow.txt || echo "$cell"
done >lost
if [ -s lost ]; then fail "a table taken apart has all its cells" "$(cat lost)"; else pass "a table taken apart has all its cells"; fi
if [ "$(grep -c '^gpu1 ' narrow.txt)" -gt 1 ]; then pass "each part of the table names its rows"; else fail "each part of the table names its rows" "$(cat narrow.txt)"; fi
if sed -n '/^Heat/,/^Air/p' narrow.txt | grep -qE ' [0-9.]+$'; then fail "a number and its unit stay together" "$(grep -E ' [0-9.]+$' narrow.txt)"
else pass "a number and its unit stay together"; fi
"$wattsink" run two-cards.xml --for 10min -o plain >wide.txt
COLUMNS=nonsense "$wattsink" run two-cards.xml --for 10min -o plain | cmp -s - wide.txt && pass "COLUMNS that is not a number is ignored" || fail "COLUMNS that is not a number is ignored"

if [ -w /dev/full ]; then
    full() {
        name=$1
        shift
        exits 1 "full: $name" sh -c '"$@" >/dev/full' sh "$wattsink" "$@"
        says err 'cannot write to standard output' "full: $name says so"
    }
    full run run two-cards.xml --for 10min -o plain
    full "run --json" run two-cards.xml --for 10min -o plain --json
    full steady steady two-cards.xml
    full check check two-cards.xml
    full compare compare two-cards.xml --vary gpu.power-limit=200W,300W --for 10min
    full sweep sweep two-cards.xml --vary gpu.power-limit=200W,300W --for 10min -q -o full.csv --best 'min energy.wall_kwh'
    full new new
    full export export two-cards.xml --spice
    full report report plain
    full help help run
    for command in parts kinds schema --version; do full $command $command; done
else
    echo "skip a full disk: no /dev/full"
fi
# With a closed standard output, results must not go to a file that gets descriptor 1.
"$wattsink" run two-cards.xml --for 10min -q -o open
exits 1 "closed standard output" sh -c '"$1" run two-cards.xml --for 10min --json -o closed >&-' sh "$wattsink"
says err '^wattsink: cannot write to standard output$' "is told"
same_results open closed "and nothing of it is in the files"
exits 0 "closed standard error" sh -c '"$1" run two-cards.xml --for 10min -q -o closed --force 2>&-' sh "$wattsink"
exits 3 "with something to say" sh -c '"$1" check nowhere.xml 2>&-' sh "$wattsink"
exits 3 "closed standard input" sh -c '"$1" check - <&-' sh "$wattsink"

"$wattsink" schema 2>err | head -n 1 >/dev/null
if [ -s err ]; then fail "a pipe that its reader closes gives no message" "$(cat err)"; else pass "a pipe that its reader closes gives no message"; fi

# Root may write anywhere, so the test of a read-only folder runs as another user.
mkdir locked && cp two-cards.xml locked/ && "$wattsink" run two-cards.xml --for 10min -q -o locked/done && chmod -R a+rX,a-w locked
chmod 755 . && somebody=
[ "$(id -u)" != 0 ] || somebody="setpriv --reuid=65534 --regid=65534 --clear-groups"
# shellcheck disable=SC2086
if $somebody sh -c '[ -r locked/two-cards.xml ] && [ ! -w locked ] && [ -x "$1" ] && "$1" --version' sh "$wattsink" >/dev/null 2>&1; then
    refused() {
        name=$1
        shift
        exits 1 "read-only: $name" $somebody sh -c 'cd locked && exec "$@"' sh "$wattsink" "$@"
        says err '^wattsink: (.*: )?cannot (write|make|open)' "read-only: $name says so"
    }
    refused run run two-cards.xml --for 10min
    refused "run into it" run two-cards.xml --for 20min -o done --force
    refused compare compare two-cards.xml --vary gpu.power-limit=200W,300W --for 10min -o compared
    refused sweep sweep two-cards.xml --vary gpu.power-limit=200W,300W --for 10min -q
    refused new new -o new.xml
    refused export export two-cards.xml --spice -o net.cir
    refused report report done
    refused plot plot done
    # shellcheck disable=SC2086
    exits 0 "read-only: what writes nothing runs" $somebody sh -c 'cd locked && "$1" steady two-cards.xml' sh "$wattsink"
else
    echo "skip read-only folders: nobody to try them as"
fi
chmod -R u+w locked

all='[4-7c-f]..[37bf]' # pattern of SigCgt in /proc/PID/status if HUP, INT and TERM have handlers
# runs PID: true until the process has ended; a zombie counts as ended.
runs() { grep -q '^State:[[:space:]]*[^ZX[:space:]]' "/proc/$1/status" 2>/dev/null; }
# started PATTERN: waits until SigCgt of $pid matches PATTERN, so that the program has these signal handlers. If
# $folder is not empty, the program writes checkpoints to it, and `started` also waits until the run has got further.
started() {
    soon catches $pid "$1"
    [ -z "$folder" ] || further
}
# ahead: true if the checkpoint of the run has advanced, or the run has ended. further: waits until `ahead` is true.
ahead() { now=$(simulated "$folder") && [ "${now:-0}" -gt "${was:-0}" ] || ! runs $pid; }
further() { was=$(simulated "$folder") && soon ahead; }
ended() {
    wait $pid
    got=$?
    if [ $got = 130 ]; then pass "$1"; else fail "$1" "exit $got: $(head -n 3 err)"; fi
}
interrupted() {
    name=$1 signal=$2 folder=$3
    shift 3
    "$wattsink" "$@" >out 2>err &
    pid=$!
    started "$all"
    kill -"$signal" $pid
    ended "$signal: $name"
}
interrupted run TERM long run two-cards.xml --for 3000d -o long
present long/run.ckpt "with a checkpoint"
interrupted run HUP gone run two-cards.xml --for 3000d -o gone
present gone/run.ckpt "with a checkpoint"
says gone/events.csv '^t_s,' "events"
folder=mute
"$wattsink" run two-cards.xml --for 3000d -q -o mute 2>&- &
pid=$!
started "$all"
kill -INT $pid
ended "interrupted with standard error closed"
present mute/summary.json "what was simulated is on disk"
lacks mute/events.csv wattsink "no message among the events"
folder=hupped
(trap '' HUP; exec "$wattsink" run two-cards.xml --for 3000d -q -o hupped) 2>err &
pid=$!
started "$term"
kill -HUP $pid
# A run that is about to end can still write two checkpoints, so only a third one shows that the run goes on.
further && further && further
if runs $pid; then pass "nohup stays what it is"; else fail "nohup stays what it is" "it ended"; fi
kill -TERM $pid
ended "and what ends others ends it"
interrupted compare TERM '' compare two-cards.xml --vary gpu.power-limit=200W,300W --for 3000d
interrupted sweep TERM '' sweep two-cards.xml --vary gpu.power-limit=200W,300W --for 3000d -q -o long.csv
exit $status
