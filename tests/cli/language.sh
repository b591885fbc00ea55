#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/helpers.inc"

cat >bad.xml <<'XML'
<rig name="größe">
 <chassis slotts="8">
  <gpu part="gpu/rtx-3091" power-limit="280"/>
 </chassis>
</rig>
XML

messages() { env -u LC_ALL -u LC_CTYPE -u LC_MESSAGES -u LANG -u LANGUAGE "$@" >out 2>&1; }
japanese() {
    if grep -q 'ありません' out && iconv -f UTF-8 -t UTF-8 out >/dev/null 2>&1; then pass "$1: Japanese, in UTF-8"; else
        fail "$1: Japanese, in UTF-8" "$(head -n 3 out)"
    fi
}
english() {
    if grep -q 'unknown attribute "slotts"' out && ! LC_ALL=C grep -q '[^[:print:][:space:]]' out; then pass "$1: English, in ASCII"; else
        fail "$1: English, in ASCII" "$(head -n 3 out)"
    fi
}
places() {
    if [ "$(sed -n 's/^\(bad\.xml:[0-9]*:[0-9]*: \).*/\1/p' out | tr -d '\n')" = 'bad.xml:2:11: bad.xml:3:14: bad.xml:3:41: ' ]; then
        pass "$1: file, line and column first"
    else
        fail "$1: file, line and column first" "$(cat out)"
    fi
}

for try in 'LC_ALL=ja_JP.UTF-8' 'LANG=ja_JP.UTF-8' 'LC_MESSAGES=ja_JP.UTF-8' 'LANG=en_US.UTF-8 LC_MESSAGES=ja_JP.utf8' \
    'LC_ALL= LC_MESSAGES= LANG=ja_JP.UTF-8' 'LC_ALL=ja_JP.UTF-8 LC_MESSAGES=C LANG=C'; do
    # shellcheck disable=SC2086 # unquoted: a list of variables
    messages $try "$wattsink" check bad.xml
    japanese "$try"
    places "$try"
done
for try in 'LC_ALL=C' 'LC_ALL=ja_JP.SJIS' 'LC_ALL=ja_JP.eucJP' 'LANG=ja_JP' 'LANG=de_DE.UTF-8' 'LANG=ja_JP.UTF-8 LC_MESSAGES=C' \
    'LANG=ja_JP.UTF-8 LC_ALL=C' 'LC_MESSAGES=ja_JP.UTF-8 LC_CTYPE=C'; do
    # shellcheck disable=SC2086 # unquoted: a list of variables
    messages $try "$wattsink" check bad.xml
    english "$try"
    places "$try"
done
# Answers on standard output have symbols only where the locale can show them.
ascii() {
    name=$1 said=$2
    shift 2
    messages LC_ALL=C "$wattsink" "$@"
    if grep -qF -- "$said" out && ! LC_ALL=C grep -q '[^[:print:][:space:]]' out; then pass "$name: ASCII"; else
        fail "$name: ASCII" "$(LC_ALL=C grep -m 3 '[^[:print:][:space:]]' out)"
    fi
    messages LC_ALL=C.UTF-8 "$wattsink" "$@"
    says out '±' "$name: symbols in UTF-8"
}
ascii "the best settings" ' +-' optimise "$top/scenarios/single-3090/rig.xml" --over gpu.power-limit=250W:350W:50W --min cost_per_work --where 'noise_dba < 70 dBA' --for 1h
ascii "a fit of a log" 'is known to +-' calibrate "$top/scenarios/own-card/rig.xml" --log "$top/scenarios/own-card/log.csv" --dry-run
exits 1 "a folder whose name a file has" "$wattsink" run two-cards.xml --for 1min -q --lang ja -o two-cards.xml
says err '同じ名前のファイルがあります' "is refused in Japanese"
exits 3 "a folder that there is not" "$wattsink" report --lang ja nowhere
says err 'そのようなファイルやフォルダーはありません' "is refused in Japanese"
sed 's/<gpu slot="1"/<gpu slot="1" mount="100" power="200 W"/' two-cards.xml >absurd.xml
for command in "run absurd.xml --for 1h -q -o absurd" "steady absurd.xml" "export absurd.xml --spice" "compare two-cards.xml absurd.xml --for 1h"; do
    # shellcheck disable=SC2086 # unquoted: a command line
    exits 4 "$command" "$wattsink" $command --lang ja
    says err 'gpu0.die が [0-9]* °C になります: モデルの有効範囲の外です' "is told in Japanese"
done
"$wattsink" sweep absurd.xml --vary 'gpu[gpu1].power-limit=200W,300W' --for 1h -q -o absurd.csv --lang ja >/dev/null 2>&1
"$wattsink" sweep absurd.xml --vary 'gpu[gpu1].power-limit=200W,300W' --for 1h -o absurd.sqlite --lang ja >out 2>err
says err '条件 1\(.*\): 1 秒後に gpu0.die が [0-9]* °C になります' "the first failure of a sweep is told in Japanese"
command -v sqlite3 >/dev/null && sqlite3 absurd.sqlite "select json_extract(error_messages, '\$[0].code'), json_extract(error_messages, '\$[0].text') = error,
    json_extract(error_messages, '\$[0].values[0]') from cases where id = 1" >out &&
    says out '^run.temperature\|1\|gpu0.die$' "its rows have code and values beside the sentence"
says absurd.csv 'gpu0.die would be at [0-9]* degC after 1 s: outside the model' "a sweep's file is English, in ASCII"
for question in 'min work.done < 3' 'min work.done where work.done' 'min work.done )' 'min work.done where work.done > 1 )'; do
    "$wattsink" sweep two-cards.xml --vary 'gpu[*].power-limit=200W,300W' --for 10min -o asked.csv --force --lang ja --best "$question" >out 2>err
    if [ -s err ] && ! grep -E 'belongs here|or the end' err >out; then pass "an error in '$question' is told in Japanese"; else
        fail "an error in '$question' is told in Japanese" "$(cat err)"; fi
done
for command in "check bad.xml --lang ja" "check --lang=ja bad.xml" "--lang ja check bad.xml"; do
    # shellcheck disable=SC2086 # unquoted: a command line
    messages LC_ALL=C "$wattsink" $command
    japanese "$command"
done
messages LC_ALL=ja_JP.UTF-8 "$wattsink" check bad.xml --lang en
english "--lang en in a Japanese locale"
exits 2 "a language that there is not" "$wattsink" check bad.xml --lang fr
grep -q "expected en or ja" err && pass "says which there are" || fail "says which there are" "$(cat err)"
exits 2 "no language" "$wattsink" check bad.xml --lang
env LC_ALL=ja_JP.UTF-8 "$wattsink" run two-cards.xml --for 7 >out 2>&1
grep -q '^wattsink: --for: "7" に単位がありません' out && pass "a message about an option begins with the option" || fail "a message about an option begins with the option" "$(cat out)"

cat >cold.xml <<'XML'
<rig name="cold"><site><room temperature="30 degC" humidity="80 %"/></site>
 <chassis slots="8"><loop id="w" kind="facility" supply="10 degC"/><gpu part="gpu/rtx-3090-blower" slot="1"/></chassis>
 <workload class="training"/></rig>
XML
LC_ALL=C "$wattsink" check cold.xml >/dev/null 2>ascii
LC_ALL=C.UTF-8 "$wattsink" check cold.xml >/dev/null 2>utf8
if grep -q '[0-9.]* degC, is below the dew point' ascii && grep -q '[0-9.]* °C, is below the dew point' utf8; then
    pass "a degree sign where it can be shown"
else
    fail "a degree sign where it can be shown" "$(cat ascii utf8)"
fi

# shown COMMAND...: its Japanese text must be valid UTF-8 and list the same attributes in the same order as the English
# text.
shown() {
    messages LC_ALL=ja_JP.UTF-8 "$wattsink" "$@" && mv out ja.txt
    messages LC_ALL=C "$wattsink" "$@" && mv out en.txt
    # Attribute names are the first words of indented lines, while headings such as "Sources" are translated.
    sed -n 's/^  *\([a-z][a-z0-9-]*\)  .*/\1/p' ja.txt >ja.names
    sed -n 's/^  *\([a-z][a-z0-9-]*\)  .*/\1/p' en.txt >en.names
    if iconv -f UTF-8 -t UTF-8 ja.txt >/dev/null 2>&1 && [ -s ja.names ] && cmp -s ja.names en.names; then pass "$*: Japanese, each attribute"
    else fail "$*: Japanese, each attribute" "$(diff ja.names en.names | head -n 5)"; fi
}
lacks() {
    left=
    for text in "$@"; do grep -qF -- "$text" ja.txt && left="$left$text, "; done
    if [ -z "$left" ]; then pass "no English left of the program's own"; else fail "no English left of the program's own" "$left"; fi
}
shown kinds gpu
lacks 'the default kind' 'holds ' 'at most' 'when not written' 'above 0' '; required' 'in rigs only' '; default' 'assumed:' 'power limit' 'whole number' \
    'in the logs' 'pads of' 'in fits of' 'spinning kernels'
shown kinds fan
lacks 'curve of' 'one of ' "blades' tips" 'number of fans'
shown parts --show gpu/rtx-3090
lacks 'Sources' 'not stated' ', kind ' 'assumed' 'default ' 'datasheet' 'in proportion' 'spinning kernels' 'class values:'
columns=$(LC_ALL=C.UTF-8 sed -n '/^[ -~]\{47\} [^ -~].* \[[0-9]*\]/{ s/ \[[0-9]*\].*//; s/[^ -~]/xx/g; p; }' ja.txt | awk '{ print length($0) }' | sort -u)
if [ "$(echo "$columns" | grep -c '^[0-9]')" = 1 ]; then pass "the sources stand in a column"; else fail "the sources stand in a column" "$columns"; fi

messages LC_ALL=ja_JP.UTF-8 "$wattsink" check two-cards.xml && mv out ja.txt
lacks ' of gpu/' ' of the ' ' on gpu/' ' points' 'assumed: ' 'datasheet: ' 'fixed power' '+-'

messages LC_ALL=ja_JP.UTF-8 "$wattsink" check --sources two-cards.xml && mv out ja.txt
lacks 'assumed' 'spinning kernels' 'in the traces' 'natural convection' 'dust filter' 'pads of'
long=一枚のカードの吸気と排気の温度を一時間にわたって記録した表から最小二乗法で求めた値で別のカードの記録とは比べていない
sed 's|<psu kind="constant"|<psu kind="constant" id="p"|; s|</psu>||; s|efficiency="90 %"/>|efficiency="90 %"><source for="efficiency" kind="assumed" ref="'"$long$long"'" spread="+-5 %"/></psu>|' \
    two-cards.xml >quoted.xml
messages LC_ALL=ja_JP.UTF-8 "$wattsink" check quoted.xml
if iconv -f UTF-8 -t UTF-8 out >/dev/null 2>&1 && grep -q '仮定: 一枚のカードの.*\.\.\.$' out; then pass "a long reference is cut between characters"
else fail "a long reference is cut between characters" "$(grep -a 仮定: out)"; fi

sed 's/circuit="15 A"/circuit="3 A"/' two-cards.xml >small.xml
"$wattsink" compare small.xml --vary 'gpu[*].power-limit=200W,300W' --for 1h --json >told.json 2>/dev/null
beside=$(grep -c '"The circuit is loaded beyond its continuous limit"' told.json)
if [ "$beside" -ge 2 ] && [ "$(grep -c '{ "code": "found.circuit-overloaded", "text": "The circuit' told.json)" = 2 ] &&
    [ "$(grep -c '{ "code": "verdict.circuit-overloaded", "text": "The circuit is overloaded."' told.json)" = 2 ]; then
    pass "compare.json has codes beside its sentences"
else
    fail "compare.json has codes beside its sentences" "$(grep -n 'circuit' told.json | head -n 5)"
fi
for lang in en ja; do
    mkdir "$lang"
    for locale in C C.UTF-8 ja_JP.UTF-8; do
        rm -rf results comparison
        LC_ALL=$locale "$wattsink" run two-cards.xml --for 10min -o results -q --lang $lang
        LC_ALL=$locale "$wattsink" compare two-cards.xml --vary 'gpu[*].power-limit=200W,300W' --for 10min -o comparison --lang $lang \
            --json >comparison.json 2>/dev/null
        LC_ALL=$locale "$wattsink" sweep two-cards.xml --vary 'gpu[*].power-limit=200W,300W' --for 10min -o sweep.csv --lang $lang -q >/dev/null 2>&1
        LC_ALL=$locale "$wattsink" steady two-cards.xml --json --lang $lang >steady.json 2>/dev/null
        LC_ALL=$locale "$wattsink" schema --lang $lang >schema.xsd
        for file in results/summary.json results/rig.resolved.xml results/events.csv results/series.csv comparison/compare.json \
            comparison.json sweep.csv steady.json schema.xsd; do
            [ -f "$file" ] || continue
            kept=$(printf %s "$file" | tr / _)
            sed -e 's/"wall_clock_s": [0-9.e+-]*/"wall_clock_s": 0/' -e 's/"[a-z_]*wall_clock_s": [0-9.e+-]*/"wall_clock_s": 0/' "$file" >now
            if [ ! -f "$kept.first" ]; then cp now "$kept.first"; elif ! cmp -s now "$kept.first"; then echo "$file: $lang in $locale" >>differ; fi
        done
        rm -f sweep.csv
    done
done
if [ ! -f differ ]; then pass "the same bytes in every language and locale"; else fail "the same bytes in every language and locale" "$(cat differ)"; fi
# aligned NAME: the table rows between the first two empty lines of `out` have equal display widths, without the star
# that may end a row.
aligned() {
    awk '!NF { part++; next } part == 1 { sub(/[*]$/, ""); print }' out >rows
    while IFS= read -r row; do printf '%s\n' "$row" | LC_ALL=C.UTF-8 wc -L; done <rows | sort -u >widths
    if [ "$(wc -l <rows)" -ge 3 ] && [ "$(wc -l <widths)" = 1 ] && iconv -f UTF-8 -t UTF-8 out >/dev/null 2>&1; then
        pass "$1: rows of equal width, in UTF-8"
    else
        fail "$1: rows of equal width, in UTF-8" "$(cat out)"
    fi
}
told() {
    if grep -q "$2" out && ! grep -qE '[a-z]{3,} [a-z]{2,} [a-z]{2,} [a-z]{2,}' out; then pass "$1: in Japanese"; else fail "$1: in Japanese" "$(cat out)"; fi
}
sed 's/<rig name="[^"]*"/<rig name="other"/; s/power-limit="280 W"/power-limit="200 W"/' two-cards.xml >other.xml
exits 0 "two files" "$wattsink" compare two-cards.xml other.xml --for 1h --annual --lang ja -q
aligned "two files"
told "two files" '違い:'
exits 0 "limits" "$wattsink" compare two-cards.xml --vary 'gpu[*].power-limit=200W,250W,300W' --for 1h --lang ja -q
aligned "limits"
told "limits" '勝者'
exits 0 "a sweep" "$wattsink" sweep two-cards.xml --vary 'gpu[*].power-limit=200W,250W,300W' --for 1h --lang ja -q -o best.sqlite \
    --best 'min cost.annual'
aligned "a sweep"
told "a sweep" '最良: min cost.annual'
exits 0 "cards that cannot be told apart" "$wattsink" compare "$top/scenarios/own-card/rig.xml" --set workload.class=training \
    --vary 'gpu.part=gpu/rtx-3090-blower,gpu/rtx-3090' --for 10min --lang ja -q
told "the source of doubt" '主な要因は gpu/rtx-3090'
exits 0 "compare in Japanese, for 90 minutes" "$wattsink" compare two-cards.xml other.xml --for 90min --lang ja -q
says out '1\.5 時間' "tells the duration with a Japanese unit"
exits 0 "compare in English, for 90 minutes" "$wattsink" compare two-cards.xml other.xml --for 90min --lang en -q
says out '1\.5 h' "tells the duration as 1.5 h"
exits 2 "compare without rigs, in Japanese" "$wattsink" compare --lang ja
says err 'A\.xml B\.xml\.\.\.  または  RIG\.xml' "its usage line has the Japanese word for or"
exits 0 "help of parts in Japanese" "$wattsink" help parts --lang ja
says out '\[--show ID\]  または  ID' "its usage line has the Japanese word for or"
sed 's|<workload [^>]*>|<workload class="training" rate="30" unit="samples"/>|' two-cards.xml >samples.xml
sed 's/unit="samples"/unit="tokens"/' samples.xml >tokens.xml
grep -q 'unit="tokens"' tokens.xml || fail "the rig counts its work"
exits 0 "a rig that counts its work in tokens" "$wattsink" steady tokens.xml --lang ja
says out '^仕事 .*トークン' "has the unit in Japanese"
exits 0 "a rig that counts its work in samples" "$wattsink" steady samples.xml --lang ja
says out '^仕事 .*samples' "has the unit as the rig states it"
exits 0 "a run that counts tokens, in Japanese" "$wattsink" run tokens.xml --for 10min -q -o counted --lang ja
says counted/summary.json '"counted": "tokens"' "summary.json has the unit in English"
exits 0 "the report of this run in Japanese" "$wattsink" report counted --lang ja
says counted/report.html '仕事量: [^<]*トークン' "has the unit in Japanese"
if command -v gnuplot >/dev/null; then
    "$wattsink" run two-cards.xml --for 10min -q -o drawn >/dev/null 2>&1
    exits 0 "a picture of the PSU" "$wattsink" --lang ja plot drawn --what psu -q
    if grep -rq --include=psu.svg '電源ユニットの効率' . && ! grep -rq --include=psu.svg 'efficiency<' .; then pass "has no English word"; else fail "has no English word"; fi
fi
exit $status
