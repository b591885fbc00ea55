#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/helpers.inc"
own=$top/scenarios/own-card/rig.xml
log=$top/scenarios/own-card/log.csv
value() { tr '{' '\n' <"$1" | sed -n "s/.*\"name\": \"$2\".*\"$3\": \\([^,}]*\\).*/\\1/p" | head -n 1; }
within() { if awk -v a="$1" -v l="$2" -v h="$3" 'BEGIN { exit !(a != "" && a >= l && a <= h) }'; then pass "$4"; else fail "$4" "$1, expected $2 to $3"; fi; }

# The example log was made from a card with 17 W/K and 0.085 K/W in a room of 24.5 degC (README of own-card).
exits 0 "a log" "$wattsink" calibrate "$own" --parts "$top/parts" --log "$log" -o cal --json
cp out known.json
within "$(value known.json conductance value)" 16 18.5 "the conductance is found"
within "$(value known.json die-resistance value)" 0.08 0.09 "and the die's resistance"
within "$(value known.json inlet value)" 24.1 24.9 "and the room"
within "$(sed -n 's/.*"within_80": \([0-9.]*\).*/\1/p' known.json)" 0.7 1 "the band of 80 % holds most of it"
within "$(value known.json conductance learnt)" 0.75 1 "which the log taught"
says known.json '"held_out": \{"die": \{"readings": [1-9][0-9]*, "mae_k": 0\.[0-6]' "the part held out is predicted within 0.7 K"
says known.json '"one_power": false, "power_modelled": false' "it has several powers"
says cal/calibrated.xml 'for="conductance" from="rig" kind="fitted" ref="calibrated on .*log\.csv" spread="\+-[0-9.]+ %"' "values state source and spread"
says cal/calibrated.xml '<room [^>]*temperature="24\.[0-9]' "the room is that of the log"
exits 0 "the calibrated rig is a rig" "$wattsink" check cal/calibrated.xml --sources
says out 'calibrated on .*log\.csv' "whose sources name the log"
cp cal/calibrated.xml once.xml
exits 0 "the same again" "$wattsink" calibrate "$own" --parts "$top/parts" --log gpu0="$log" -o cal
cmp -s once.xml cal/calibrated.xml && pass "gives the same bytes, also by the card's id" || fail "gives the same bytes, also by the card's id"
says out 'conductance, cooler +21\.6 (±|\+-) 5\.4 +1[678]\.[0-9]+ (±|\+-) 0\.[0-9]+ +W/K +learnt' "prior and result"
says out 'first minute of load' "errors by phase"
says out 'Held out: the last 40 of 100 minutes' "what was held out"
exits 0 "its steady point" "$wattsink" steady cal/calibrated.xml -q --json --set gpu.power=285W
says out '"die_max_c": [67][0-9]' "is warmer than the catalogue's"
exits 0 "no part held out" "$wattsink" calibrate "$own" --parts "$top/parts" --log "$log" --holdout 0% --dry-run
says out 'Nothing was held out' "is told"
for part in 1 5; do
    exits 0 "$part % held out, in which the temperature stayed" "$wattsink" calibrate "$own" --parts "$top/parts" --log "$log" --holdout $part% -o brief
    says out 'Held out: .* Its rms error there is [0-9.]+ K\.$' "tells its own error alone"
    if grep -q 'nan' out brief/report.html; then fail "and prints no NaN"; else pass "and prints no NaN"; fi
done
# Without power readings the fit uses the power of the workload class. It is 15 % below that of this card, so the fit
# sees too little heat.
sed 's/, [0-9.]* W, \([0-9]* %\), /, [Not Supported], \1, /' "$log" >unread.csv
exits 0 "a log whose watts are not supported" "$wattsink" calibrate "$own" --parts "$top/parts" --log unread.csv --dry-run --json
says out '"power_modelled": true' "the power is that of the workload class"
for pair in conductance:17 die-resistance:0.085 inlet:24.5; do
    name=${pair%:*}
    if awk -v a="$(value out "$name" value)" -v s="$(value out "$name" spread)" -v t="${pair#*:}" 'BEGIN { exit !(s > 0 && (a - t) ^ 2 <= 4 * s * s) }'; then
        pass "within two spreads of the card's $name"; else fail "within two spreads of the card's $name" "$(value out "$name" value) +- $(value out "$name" spread)"; fi
done
within "$(value out die-resistance spread)" 0.02 0.06 "as the class's watts allow"
exits 0 "the same as a rig" "$wattsink" calibrate "$own" --parts "$top/parts" --log unread.csv -o unread --json
[ "$(sed -n 's/.*<cooler .* kind="open-air" conductance="\([0-9.]*\) W.*/\1/p' unread/calibrated.xml | cut -c1-6)" = "$(value out conductance value | cut -c1-6)" ] &&
    pass "has the conductance that meets the log with these watts" || fail "has the conductance that meets the log with these watts" "$(value out conductance value)"
# The sweep's card draws the watts of this log's card.
exits 0 "with a sweep, which tells watts" "$wattsink" calibrate "$own" --parts "$top/parts" --log unread.csv --sweep "$top/scenarios/own-card/limits.csv" --dry-run --json
within "$(value out die-resistance value)" 0.08 0.09 "its watts are those of the log"
within "$(value out die-resistance spread)" 0.001 0.01 "and their spread counts, not the class's"
exits 0 "a log whose watts are not supported, once more" "$wattsink" calibrate "$own" --parts "$top/parts" --log unread.csv --dry-run --json
cp out unread.json
tr '{' '\n' <unread.json | sed '/"fan"/,$d' | awk -F'[:,]' '/"prior_spread"/ { for (i = 1; i < NF; i++) { if ($i ~ /"value"/) v = $(i + 1); if ($i ~ /"spread"/) s = $(i + 1); if ($i ~ /"prior"/) p = $(i + 1); if ($i ~ /"prior_spread"/) q = $(i + 1) } if ($0 !~ /"inlet"/ && s / v > 1.0001 * q / p) wide = wide $0 } END { print wide }' >wide
[ -z "$(cat wide)" ] && pass "no value is less certain than before" || fail "no value is less certain than before" "$(cat wide)"
sed 's/, [0-9.]* W, \([0-9]* %\), /, -19.00 W, \1, /' "$log" >negative.csv
exits 0 "a log of negative watts" "$wattsink" calibrate "$own" --parts "$top/parts" --log negative.csv --dry-run --json
[ "$(value out conductance spread)" = "$(value unread.json conductance spread)" ] && pass "negative watts are not used" || fail "negative watts are not used" "$(value out conductance spread)"
exits 0 "in the terminal" "$wattsink" calibrate "$own" --parts "$top/parts" --log unread.csv --dry-run
says out "The ± of each value contains their uncertainty|The \+- of each value contains their uncertainty" "what the ± contains is told"
says out 'GPU temperature at full load is known to (±|\+-)1[0-9]\.[0-9] K for given watts; a log with watts would tell more' "and what would tell more"

# One wrong date, or a clock that was set after boot: the rest is fitted, as if those rows were not there.
sed '300s#2026/11/14#2027/11/14#' "$log" >stray.csv
exits 0 "a row that is dated a year later" "$wattsink" calibrate "$own" --parts "$top/parts" --log stray.csv --dry-run --json
says err '^stray\.csv:300:1: warning: rows with this time or a later one that are not fitted: 1; they begin 36[45] d' "is told"
within "$(value out conductance value)" 16 18.5 "the conductance is found"
within "$(value out inlet value)" 24.1 24.9 "and the room"
sed '2,21s#2026/11/14#2000/01/01#' "$log" >boot.csv
exits 0 "a clock that was set after 20 rows" "$wattsink" calibrate "$own" --parts "$top/parts" --log boot.csv --dry-run --json
says err '^boot\.csv:22:1: warning: rows with earlier times that are not fitted: 20; they end 98[0-9]* d' "is told"
within "$(value out conductance value)" 16 18.5 "the conductance is found"
awk 'NR < 200 || NR > 320' "$log" >hole.csv
exits 0 "a log with a hole" "$wattsink" calibrate "$own" --parts "$top/parts" --log hole.csv --dry-run
says err '^hole\.csv:200:1: warning: no power from .* \(20 min [0-9]+ s\); a straight line to the next value is taken' "is told"
if command -v iconv >/dev/null; then
    { printf '\377\376'; iconv -f UTF-8 -t UTF-16LE "$log"; } >wide.csv
    exits 3 "a log in UTF-16" "$wattsink" calibrate "$own" --parts "$top/parts" --log wide.csv --dry-run
    says err 'wide\.csv:1:1: the text is encoded as UTF-16; expected UTF-8: save it as UTF-8' "is named as such"
    [ "$(wc -l <err)" = 1 ] && pass "and there is one message" || fail "and there is one message" "$(cat err)"
    { printf '\377\376'; iconv -f UTF-8 -t UTF-16LE "$top/scenarios/own-card/limits.csv"; } >wide-rows.csv
    exits 3 "rows in UTF-16" "$wattsink" calibrate "$own" --parts "$top/parts" --sweep wide-rows.csv --dry-run
    says err 'encoded as UTF-16' "too"
fi
exits 0 "a sweep beside it" "$wattsink" calibrate "$own" --parts "$top/parts" --log "$log" --sweep "$top/scenarios/own-card/limits.csv" -o both -q
says both/calibrated.xml 'for="p0"' "watts from the sweep"
mkdir -p replayed
sed 's/<workload [^>]*>/<workload kind="replay" class="decode" log="log.csv"\/>/' "$own" >replayed/rig.xml
cp "$log" replayed/log.csv
exits 0 "a rig that replays its log" "$wattsink" calibrate replayed/rig.xml --parts "$top/parts" --log "$log" -o replay
says out '^Next: wattsink run replay/calibrated\.xml --data replayed$' "is run with the folder of its log"
exits 0 "and that runs" "$wattsink" run replay/calibrated.xml --data replayed --for 10min -q -o replay-run
cp -R replayed 'replayed of May'
exits 0 "the same in folders with spaces" "$wattsink" calibrate 'replayed of May/rig.xml' --parts "$top/parts" --log "$log" -o 'fit of May'
says out "^Next: wattsink run 'fit of May/calibrated\.xml' --data 'replayed of May'\$" "quotes them for the shell"
says both/calibrated.xml 'for="conductance" from="rig" kind="fitted"' "temperatures from the log"
if sed -n 's/.*\(GPU-[0-9a-f-]*\).*/\1/p' cal/calibrated.xml known.json | grep -q .; then fail "no UUID is written"; else pass "no UUID is written"; fi

# The log was made with a fixed power of 57 W and 97 W/GHz.
within "$(value known.json p0 value)" 48 66 "fixed power is found"
within "$(value known.json c value)" 90 104 "and power per clock"
within "$(value known.json clock-share learnt)" 0 0.1 "not the share of the work, which is not logged"
within "$(sed -n 's/.*"held_out": {"power": {"readings": [0-9]*, "mae_rel": \([0-9.e-]*\).*/\1/p' known.json)" 0 0.02 "power held out within 2 %"
exits 0 "in the terminal" "$wattsink" calibrate "$own" --parts "$top/parts" --log "$log" --dry-run
says out 'by [0-9]+ settled stretches under load' "they are told"
says out '^power, held out +[0-9]\.[0-9]' "with the error of the part held out"
says cal/calibrated.xml 'for="p0" from="rig" kind="fitted" ref="calibrated on .*log\.csv"' "the rig has it"
says cal/calibrated.xml 'for="clock-share" from="rig" kind="assumed" ref="not told by .*log\.csv" spread=' "and does not call fitted what the log does not tell"
says cal/report.html '<th scope="row">p0, fixed power</th>' "the page too"
exits 0 "a log without clocks" sh -c 'cut -d, -f1-4,6-8 "$1" >unclocked.csv && exec "$0" calibrate "$2" --parts "$3" --log unclocked.csv --dry-run --json' "$wattsink" "$log" "$own" "$top/parts"
says out '"electrical": null' "tells temperatures alone"
exits 0 "a sweep beside a log" "$wattsink" calibrate "$own" --parts "$top/parts" --log "$log" --sweep "$top/scenarios/own-card/limits.csv" --dry-run --json
says out '"electrical": null' "tells the watts, not the log"

absent cal/calibration.png "no png unless asked for"
says cal/calibration.csv '^t_s,held_out,gpu0\.power_w,gpu0\.die_c,gpu0\.die_c\.model,gpu0\.die_c\.low,gpu0\.die_c\.high$' "the curves have names"
awk -F, -v want="$(sed -n 's/.*"held_out": {"die": {"readings": \([0-9]*\), "mae_k": \([0-9.]*\).*/\1 \2/p' known.json)" 'NR > 1 {
    if ($6 >= $5 || $7 <= $5) bad = 1
    if ($2 == 1 && $4 != "nan") { n++; d = $5 - $4; sum += d < 0 ? -d : d } }
    END { split(want, w, " "); e = sum / n - w[2]; exit bad || n != w[1] || e * e > 1e-8 }' cal/calibration.csv &&
    pass "the held-out rows have the stated error" || fail "the held-out rows have the stated error" "$(head -3 cal/calibration.csv)"
if command -v gnuplot >/dev/null; then
    says cal/calibration.svg '>gpu0, slot 1, rtx-4070-ti-super<' "a card's panel is named"
    says cal/calibration.svg '>held out<' "the part held out is in the key"
    cp cal/calibration.svg before.svg
    (cd cal && rm calibration.svg && gnuplot calibration.gp)
    cmp -s before.svg cal/calibration.svg && pass "the script alone redraws it" || fail "the script alone redraws it"
    exits 0 "plot of the folder" "$wattsink" plot cal --format png
    present cal/calibration.png "draws it as png"
    exits 0 "by its name in Japanese" "$wattsink" --lang ja plot cal --what calibration -q
    says cal/calibration.svg '検証区間' "with Japanese texts"
    if [ -s err ]; then fail "gnuplot has nothing to complain about" "$(head -5 err)"; else pass "gnuplot has nothing to complain about"; fi
    exits 3 "a damaged calibration.csv" sh -c 'mkdir bad && echo x >bad/calibration.csv && exec "$0" plot bad' "$wattsink"
    says err 'bad/calibration\.csv is damaged' "is told"
    exits 3 "a folder without one" sh -c 'mkdir none && exec "$0" plot none --what calibration' "$wattsink"
    says err "none/calibration\.csv is missing: 'wattsink calibrate RIG\.xml --log FILE -o none' leaves it" "is told"
fi
mkdir -p nothing
exits 0 "without gnuplot" env PATH="$PWD/nothing" "$wattsink" calibrate "$own" --parts "$top/parts" --log "$log" -o plain
says err 'gnuplot is not installed' "that is told"
present plain/calibrated.xml "and the rig is there"
cmp -s plain/calibration.csv cal/calibration.csv && pass "and the curves" || fail "and the curves"
mkdir -p broken && printf '#!/bin/sh\nexit 1\n' >broken/gnuplot && chmod +x broken/gnuplot
exits 1 "a gnuplot that fails" env PATH="$PWD/broken:$PATH" "$wattsink" calibrate "$own" --parts "$top/parts" --log "$log" -o undrawn
says err 'gnuplot failed on undrawn/calibration\.gp' "is told"
for old in svg png; do echo old >"undrawn/calibration.$old"; done
exits 1 "beside pictures of another fit" env PATH="$PWD/broken:$PATH" "$wattsink" calibrate "$own" --parts "$top/parts" --log "$log" -o undrawn
for old in svg png; do absent "undrawn/calibration.$old" "leaves no .$old of it"; done
absent undrawn/calibration.svg "no picture"
present undrawn/calibrated.xml "but the rig is there"
present undrawn/report.html "and the page"

# The example log has fan speed and clock, so the fan's controller and the power are fitted, besides the temperature.
exits 0 "a log with fan and clock" "$wattsink" calibrate "$top/scenarios/own-card/rig.xml" --parts "$top/parts" --log "$top/scenarios/own-card/log.csv" -o full -q
[ "$(grep -c '<b>gpu0</b> .*Learnt: ' full/report.html)" -ge 2 ] && pass "its page tells what was learnt" || fail "its page tells what was learnt" "$(grep '<b>gpu0</b>' full/report.html)"
if grep -E '<b>gpu0</b> *</li>|by the rows|not determined' full/report.html >found; then fail "and has no empty line about gpu0, nor words about a sweep" "$(cut -c1-300 found)"; else pass "and has no empty line about gpu0, nor words about a sweep"; fi
if command -v gnuplot >/dev/null; then
    # a point for each reading in the panel of the fit and in that of the difference, and one in the key of each panel
    dots=$(grep -o "href='#gpPt6'" full/calibration.svg | wc -l)
    want=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "gpu0.die_c") c = i; next } $c != "nan" { n++ } END { print 2 * n + 2 }' full/calibration.csv)
    [ "$dots" = "$want" ] && pass "its picture shows the difference of each reading" || fail "its picture shows the difference of each reading" "$dots of $want"
fi

page=cal/report.html
present $page "a page"
says $page "Content-Security-Policy.*default-src 'none'" "that loads nothing"
lacks $page '<script|https?://' "and runs nothing"
if command -v xmllint >/dev/null; then
    sed -E 's/<(meta|link|br)([^>]*)>/<\1\2\/>/g; /^<!DOCTYPE/d' $page >as.xml
    if xmllint --noout as.xml 2>xml.err; then pass "it is well-formed"; else fail "it is well-formed" "$(head -3 xml.err)"; fi
fi
says $page '<p class="headline">GPU temperature is predicted within 0\.[0-6] K in the mean \(gpu0\), over 40 minutes' "it begins with the error on what was held out"
says $page "Held out: mean error $(sed -n 's/.*"held_out": {"die": {"readings": [0-9]*, "mae_k": \([0-9.]*\).*/\1/p' known.json | xargs printf %.2f) K, rms" "as told in the terminal"
says $page '<th scope="row">conductance, cooler</th><td>21\.6 ± 5\.4</td><td>1[678]\.[0-9]+ ± 0\.[0-9]+</td><td class="l">W/K</td><td>−[01]\.[0-9]</td><td class="l">learnt</td>' "a row has prior, result, and how far it moved"
says $page '<rect class="held" x="(59|60)[0-9.]*%"' "the part held out is shaded"
[ "$(grep -c '<svg role="img"' $page)" = 2 ] && pass "two charts for a card" || fail "two charts for a card"
says both/report.html '<th scope="row">p0, fixed power</th>' "values of a sweep are on it too"
"$wattsink" --lang ja calibrate "$own" --parts "$top/parts" --log "$log" -o ja -q >/dev/null
says ja/report.html '<html lang="ja">' "it speaks Japanese"
says ja/report.html 'GPU 温度の予測誤差は平均 0' "in its first sentence"
sed 's/name="[^"]*"/name="A \&lt;b\&gt; \&amp; c"/' "$own" >odd.xml
"$wattsink" calibrate odd.xml --parts "$top/parts" --log "$log" -o odd -q >/dev/null 2>err
says odd/report.html '<h1>A &lt;b&gt; &amp; c</h1>' "names are escaped"
mkdir -p held && echo '{}' >held/summary.json
exits 2 "a folder with the results of a run" "$wattsink" calibrate "$own" --parts "$top/parts" --log "$log" -o held
says err 'it holds the results of a run and their report\.html' "is refused"
mkdir -p mine_too && cp "$log" mine_too/calibration.csv && cp mine_too/calibration.csv kept.csv
exits 2 "a log that a result would replace" "$wattsink" calibrate "$own" --parts "$top/parts" --log gpu0=mine_too/calibration.csv -o mine_too
says err 'its calibration\.csv is mine_too/calibration\.csv, which is read; expected another folder' "is refused"
cmp -s mine_too/calibration.csv kept.csv && pass "and the log is as before" || fail "and the log is as before"
{ cat "$log"; head -c 68000000 /dev/zero | tr '\0' ' '; } >large.csv
exits 0 "a file of 68 MB" "$wattsink" calibrate "$own" --parts "$top/parts" --log large.csv -o large --json
sed 's/large\.csv/log.csv/' large/calibrated.xml | grep -c kind=.fitted >found
[ "$(cat found)" = "$(grep -c kind=.fitted once.xml)" ] && [ "$(value out conductance value)" = "$(value known.json conductance value)" ] && pass "a file of 68 MB gives the values of the whole log" || fail "a file of 68 MB gives the values of the whole log" "$(cat out)"
rm large.csv

steady() { "$wattsink" steady "$2" --parts "$1" -q --json | sed 's/"digest": "[^"]*"//; s/"part": "gpu[^"]*"//; s/"rig": "[^"]*"//; s/"assumed_values": [0-9]*//; s/"wall_clock_s": [0-9.e-]*//; s/\(\.[0-9]\{6\}\)[0-9]*/\1/g' >"$3"; }
exits 0 "parts" "$wattsink" calibrate "$own" --parts "$top/parts" --log "$log" --sweep "$top/scenarios/own-card/limits.csv" -o out3 --parts-out mine
says out 'gpu0 is now the part gpu/rtx-4070-ti-super-gpu0 of --parts mine' "are named"
says mine/gpu/rtx-4070-ti-super-gpu0.xml 'base="gpu/rtx-4070-ti-super"' "a part builds on the card's own"
says mine/gpu/rtx-4070-ti-super-gpu0.xml '<source for="conductance" kind="fitted" ref="calibrated on .*log\.csv" spread=' "its values have their source"
room() { sed -n 's/.*\(<room [^>]*\)temperature="\([^"]*\)".*/<room temperature="\2">/p; s/.*\(<source for="temperature" .*kind="fitted".*\)/\1/p' "$1/calibrated.xml" | sed '/<room/,/<source/!d' | tr -d '\n'; }
sed "s|gpu/rtx-4070-ti-super\"|gpu/rtx-4070-ti-super-gpu0\"|; s|<room temperature=\"22 degC\"/>|$(room out3)</room>|" "$own" >by-part.xml
steady "$top/parts" out3/calibrated.xml by-rig.json
steady mine by-part.xml by-part.json
says by-part.json '"die_max_c": [5-8][0-9]' "another rig runs with it"
cmp -s by-rig.json by-part.json && pass "with the numbers of the calibrated one" || fail "with the numbers of the calibrated one" "$(diff by-rig.json by-part.json | head -c 600)"
exits 0 "parts are shown" "$wattsink" parts --show gpu/rtx-4070-ti-super-gpu0 --parts mine
says out '1[67]\.[0-9]+ W/K' "with their values"
sed 's|<gpu part="gpu/rtx-4070-ti-super" slot="1"/>|<gpu id="mycard" part="gpu/generic" tdp="285 W" slots="2" slot="1" power-limit="250 W" memory-limit="105 degC"><cooler kind="blower" conductance="9 W/K" flow="20 CFM" capacity="650 J/K" drop="110 Pa" fans="1" diameter="70 mm" fan-pressure="420 Pa" fan-flow="36 CFM" fan-rpm="4800 rpm" rpm-min="1400 rpm" rpm-max="4800 rpm"/></gpu>|' "$own" >bare.xml
exits 0 "a card with a cooler of its own" "$wattsink" calibrate bare.xml --parts "$top/parts" --log "$log" -o out4 --parts-out mine
says mine/gpu/generic-mycard.xml '<cooler kind="blower"' "takes it along"
says mine/gpu/generic-mycard.xml 'tdp="285 W"' "and what the rig states of the card"
lacks mine/gpu/generic-mycard.xml 'power-limit=|slot=' "but neither limit nor slot"
sed "s|<gpu id=.*</gpu>|<gpu id=\"mycard\" part=\"gpu/generic-mycard\" slot=\"1\" power-limit=\"250 W\"/>|; s|<room temperature=\"22 degC\"/>|$(room out4)</room>|" bare.xml >by-part.xml
steady "$top/parts" out4/calibrated.xml by-rig.json
steady mine by-part.xml by-part.json
says by-part.json '"die_max_c": [5-9][0-9]' "a rig with that part runs"
cmp -s by-rig.json by-part.json && pass "with the same numbers, too" || fail "with the same numbers, too" "$(diff by-rig.json by-part.json | head -c 600)"

# The meter reads the card's power plus 45 W at an efficiency of 90 %, every 5 s; its clock is 400 s ahead, and it has
# gaps.
awk -F', ' 'NR == 1 { print "time,wall_w"; next } { sub(/ W/, "", $3); p = (NR == 2 ? $3 : p); for (k = 0; k < 2; k++) { t = (NR - 2) * 10 + 5 * k + 400
    w = ($3 + 45) / 0.9; if (NR % 50 != 7) printf "2026-11-14T%02d:%02d:%02d,%.1f\n", 10 + int(t / 3600), int(t / 60) % 60, t % 60, w } }' "$log" >meter.csv
exits 0 "a meter" "$wattsink" calibrate "$own" --parts "$top/parts" --log "$log" --wall meter.csv -o wall
cp out wall.txt
says out 'board, the base load' "tells the base load"
says out "The meter's clock is (39[5-9]|40[0-5]) (±|\+-) [0-9]+ s ahead" "and how far its clock is ahead"
says out 'Fitted: CV\(RMSE\) [0-4]\.[0-9] %, NMBE [+-][0-4]\.[0-9] % of [0-9]+ W, over [0-9]+ minutes' "errors as Guideline 14 has them"
says out 'Held out: CV\(RMSE\) [0-5]\.[0-9] %' "also of the part held out"
says out '^By the meter, the cards drew [+-][0-5]\.[0-9] (±|\+-) [0-2]\.[0-9] % relative to their own readings\.$' "the draw of the cards by the meter is told"
lacks out 'The meter reads' "no question about the meter is printed"
says wall/calibrated.xml 'for="board" from="rig" kind="fitted" ref="calibrated on meter\.csv" spread="\+-' "the base load is written with its source"
says wall.txt 'efficiency-50 of the PSU.* not seen' "what the meter does not tell is told"
says wall/calibrated.xml 'for="efficiency-10 [^"]*" from="part" kind="measured"' "and stays the part's"
says wall/report.html 'by a meter at the wall' "the page has it"
exits 0 "the rig runs" "$wattsink" steady wall/calibrated.xml --parts "$top/parts" -q --json
exits 0 "as JSON" "$wattsink" calibrate "$own" --parts "$top/parts" --log "$log" --wall meter.csv --dry-run --json
says out '"wall": \{"file": "meter.csv", "values": \[\{"name": "board", "unit": "W"' "with its values"
says out '"clock_found": true, "clock_ahead_s": (39[5-9]|40[0-5])' "and its clock"
says out '"wall": .*"doubts": \[\]' "a meter that fits has no doubts in --json"
# The base load warms the air that the card takes in, so temperatures are fitted with it.
room_of() { sed -n 's/.*"name": "inlet", "unit": "degC", "value": \([0-9.]*\),.*/\1/p' out; }
awk -F, 'NR == 1 { print; next } { printf "%s,%.1f\n", $1, $2 + 100 }' meter.csv >high.csv
exits 0 "a machine with a high base load" "$wattsink" calibrate "$own" --parts "$top/parts" --log "$log" --wall high.csv -o high --json
room=$(room_of)
board=$(sed -n 's/.*<cpu .* board="\([0-9.]*\) W".*/\1/p' high/calibrated.xml)
within "$board" 100 130 "its base load is found"
exits 0 "without the meter" "$wattsink" calibrate "$own" --parts "$top/parts" --log "$log" --dry-run --json
within "$(awk "BEGIN { print $(room_of) - $room }")" 1.5 4 "the room is told colder by it"
exits 0 "with that base load in the rig" "$wattsink" calibrate "$own" --parts "$top/parts" --log "$log" --set "cpu.board=$board W" --dry-run --json
within "$(awk "BEGIN { print $(room_of) - $room }")" -0.001 0.001 "and is that of a rig which states this load"
awk -F'[T:,]' 'NR == 1 { print "time,watts"; next } { print 3600 * $2 + 60 * $3 + $4 - 36000 "," $5 }' meter.csv >undated.csv
exits 0 "a meter beside a log without watts" "$wattsink" calibrate "$own" --parts "$top/parts" --log unread.csv --wall meter.csv --dry-run
says out '^By the meter, the cards drew [+-][0-9.]+ (±|\+-) [0-9.]+ % relative to the model: the log has no watts\.$' "is compared with the model"
exits 0 "a meter without dates" "$wattsink" calibrate "$own" --parts "$top/parts" --log "$log" --wall undated.csv --dry-run
says out 'The meter began .* s from the start of the log' "is placed by its watts"
exits 0 "as JSON" "$wattsink" calibrate "$own" --parts "$top/parts" --log "$log" --wall undated.csv --dry-run --json
within "$(sed -n 's/.*"begins_s": \([^,]*\),.*/\1/p' out)" -6 6 "where it belongs"
awk -F, 'NR == 1 { print; next } { print $1 ",61.0" }' meter.csv >flat.csv
exits 0 "a meter that does not move" "$wattsink" calibrate "$own" --parts "$top/parts" --log "$log" --wall flat.csv --dry-run
says out 'clock could not be found' "is told"
sed '2,$s/,/+09:00,/' flat.csv >zoned.csv
exits 0 "the same with its time zone" "$wattsink" calibrate "$own" --parts "$top/parts" --log "$log" --wall zoned.csv --dry-run --json
says out '"clock_found": false, "clock_ahead_s": 0, ' "is taken as it is, by the local time"
sed '2,$s/,/-05:00,/' meter.csv >zoned.csv
exits 0 "a meter with its time zone" "$wattsink" calibrate "$own" --parts "$top/parts" --log "$log" --wall zoned.csv --dry-run --json
says out '"clock_found": true, "clock_ahead_s": (39[5-9]|40[0-5])' "is compared with a local clock by its local time"
exits 0 "a meter that does not move, as text" "$wattsink" calibrate "$own" --parts "$top/parts" --log "$log" --wall flat.csv --dry-run
lacks out 'By the meter, the cards drew' "no draw of the cards is told from such a meter"
awk -F, 'NR == 1 { print; next } { printf "%s,%.1f\n", $1, $2 / 4 }' meter.csv >low.csv
exits 0 "a meter that reads less than the card" "$wattsink" calibrate "$own" --parts "$top/parts" --log "$log" --wall low.csv --dry-run
says out '^The meter reads [0-9]+ W on average while the cards alone drew [0-9]+ W\. Is it at another plug, or does it use another unit\?$' "a meter below the cards is asked about"
exits 0 "as JSON" "$wattsink" calibrate "$own" --parts "$top/parts" --log "$log" --wall low.csv --dry-run --json
says out '"wall": .*"doubts": \[\{"code": "calibrate.meter-low", "meter_w": [0-9.]+, "cards_w": [0-9.]+\}\]' "a meter below the cards is a doubt in --json"
# Another machine at the same plug: one that draws 600 W all the time, and one that draws as much as this one.
awk -F, 'NR == 1 { print; next } { printf "%s,%.1f\n", $1, $2 + 600 }' meter.csv >more.csv
awk -F, 'NR == 1 { print; next } { printf "%s,%.1f\n", $1, 2 * $2 }' meter.csv >twice.csv
for many in more twice; do
    exits 0 "a meter with another machine, $many" "$wattsink" calibrate "$own" --parts "$top/parts" --log "$log" --wall $many.csv --dry-run
    says out '^The meter reads [0-9]+ W on average, far more than this machine is expected to draw, whose cards drew [0-9]+ W\. Is another device at its plug, or does it use another unit\?$' "is asked about"
    exits 0 "as JSON" "$wattsink" calibrate "$own" --parts "$top/parts" --log "$log" --wall $many.csv --dry-run --json
    says out '"wall": .*"doubts": \[\{"code": "calibrate.meter-high", "meter_w": [0-9.]+, "cards_w": [0-9.]+\}\]' "is a doubt"
done
exits 0 "a meter of this machine alone" "$wattsink" calibrate "$own" --parts "$top/parts" --log "$log" --wall meter.csv --dry-run --json
says out '"wall": .*"doubts": \[\]' "is no doubt"
for counter in 'time,energy_kwh' 'when,Wh' ''; do
    awk -F, -v head="$counter" 'NR == 1 { if (head) print head; next } { printf "%s,%.4f\n", $1, NR / 3000 }' meter.csv >counter.csv
    exits 3 "a meter with the columns '$counter'" "$wattsink" calibrate "$own" --parts "$top/parts" --log "$log" --wall counter.csv --dry-run
    says err '^wattsink: counter\.csv:1:1: no column of watts at the wall; expected a column of times and one of watts, such as time,wall_w$' "is told what it lacks"
    lacks err nvidia-smi "and not to be recorded by nvidia-smi"
done
printf 'time,volts\n2026-11-14T10:00:00,230\n' >volts.csv
exits 3 "a meter without watts" "$wattsink" calibrate "$own" --parts "$top/parts" --log "$log" --wall volts.csv --dry-run
says err 'volts\.csv:1:1: ' "is told by place"
exits 3 "a log as a meter" "$wattsink" calibrate "$own" --parts "$top/parts" --log "$log" --wall "$log" --dry-run
says err 'log\.csv:1:1: no column of watts at the wall' "is told by place, too"
head -60 meter.csv >five.csv
exits 3 "five minutes" "$wattsink" calibrate "$own" --parts "$top/parts" --log "$log" --wall five.csv --dry-run
says err 'readings in fewer than ten minutes of the log' "are too short"
awk -F'[T:,]' 'NR == 1 { print; next } $4 == 0 && $3 % 15 == 0' meter.csv >quarters.csv
exits 3 "a reading each quarter of an hour" "$wattsink" calibrate "$own" --parts "$top/parts" --log "$log" --wall quarters.csv --dry-run
says err 'readings in fewer than ten minutes of the log' "a meter of the same hours, but with a reading each quarter of an hour"
# Bins of a log of 100 hours are longer than a minute.
awk -F', ' 'NR == 1 { print; next } { t = (NR - 2) * 600; printf "2026/11/%02d %02d:%02d:%02d", 2 + int(t / 86400), int(t / 3600) % 24, int(t / 60) % 60, t % 60
    for (k = 2; k <= NF; k++) printf ", %s", $k; print "" }' "$log" >days.csv
awk -F', ' 'NR == 1 { print "time,wall_w"; next } { sub(/ W/, "", $3); for (k = 0; k < 5; k++) { t = (NR - 2) * 600 + 120 * k
    printf "2026-11-%02dT%02d:%02d:%02d,%.1f\n", 2 + int(t / 86400), int(t / 3600) % 24, int(t / 60) % 60, t % 60, ($3 + 45) / 0.9 } }' "$log" >days-wall.csv
exits 0 "a meter of 100 hours" "$wattsink" calibrate "$own" --parts "$top/parts" --log days.csv --wall days-wall.csv --dry-run --json
within "$(sed -n 's/.*"errors": {"fitted": {"minutes": \([0-9]*\),.*/\1/p' out)" 3550 3601 "its minutes are counted"
sed '9s/,.*/,oops/' meter.csv >bad.csv
exits 0 "a row that is none" "$wattsink" calibrate "$own" --parts "$top/parts" --log "$log" --wall bad.csv --dry-run
says err 'bad\.csv:9:[0-9]+: warning: ' "is told by line and column"
exits 2 "a meter without a log" "$wattsink" calibrate "$own" --parts "$top/parts" --wall meter.csv --sweep "$top/scenarios/own-card/limits.csv" --dry-run
says err 'expected --log FILE beside it' "is refused"

cut -d, -f1-5 "$log" >cold.csv
exits 3 "no temperature" "$wattsink" calibrate "$own" --parts "$top/parts" --log cold.csv --dry-run
says err 'cold\.csv: gpu0: the log has no temperature' "is told"
exits 3 "no temperature beside a meter" "$wattsink" calibrate "$own" --parts "$top/parts" --log cold.csv --wall meter.csv --dry-run
says err 'cold\.csv: gpu0: the log has no temperature' "is told of the log"
says err 'nvidia-smi --query-gpu=.*temperature\.gpu.* > log\.csv' "with the command that records it"
cut -d, -f1,2,4,6 "$log" >dull.csv
exits 3 "neither power nor clock" "$wattsink" calibrate "$own" --parts "$top/parts" --log dull.csv --dry-run
says err 'neither power nor utilisation and clock' "is told"
cut -d, -f1,2,4-7 "$log" >clock.csv
exits 0 "clock and utilisation alone" "$wattsink" calibrate "$own" --parts "$top/parts" --log clock.csv --dry-run
says out 'The log has no watts' "is told"
head -12 "$log" >brief.csv
exits 3 "two minutes" "$wattsink" calibrate "$own" --parts "$top/parts" --log brief.csv --dry-run
says err 'too short' "are too short"
{ head -1 "$log"; sed -n 100,200p "$log"; } >still.csv
exits 0 "one power" "$wattsink" calibrate "$own" --parts "$top/parts" --log still.csv --dry-run
says out 'conductance, cooler.*not apart' "inlet and conductance are not apart"
says out 'One power: ' "is told"

sed '5d;9d' "$log" | head -n 304 >gaps.csv
exits 0 "rows that are missing, an end at any second" "$wattsink" calibrate "$own" --parts "$top/parts" --log gaps.csv --dry-run
sed '5s/.*/garbage,,,/' "$log" | head -c 20000 >torn.csv
exits 0 "a row of garbage, a cut last line" "$wattsink" calibrate "$own" --parts "$top/parts" --log torn.csv --dry-run
says err 'torn\.csv:5:1: warning: ' "are told by line"
says out 'Rows of the file that could not be read: [0-9]+\.' "and counted"
: >empty.csv
exits 3 "an empty log" "$wattsink" calibrate "$own" --parts "$top/parts" --log empty.csv --dry-run
says err 'empty\.csv:1:1: ' "is told"

sed 's/, 0, /, 1, /' "$log" | tail -n +2 >second
{ cat "$log"; cat second; } >two.csv
exits 3 "two cards in the log, one in the rig" "$wattsink" calibrate "$own" --parts "$top/parts" --log two.csv --dry-run
says err 'has 2 cards.* has 1; expected --log ID=two\.csv' "ask for an id"
exits 0 "one of them" "$wattsink" calibrate "$own" --parts "$top/parts" --log gpu0=two.csv --dry-run
says err '^wattsink: --log gpu0: card [^ ]+ of the 2 in two\.csv is used$' "is told"
exits 0 "two cards in one room" "$wattsink" calibrate "$own" --parts "$top/parts" --set 'chassis.gpu+=gpu/rtx-4070-ti-super id=gpu1 slot=4' --log two.csv --json -o pair
cp out pair.json
[ "$(tr '{' '\n' <pair.json | grep '"name": "inlet"' | sort -u | wc -l)" = 1 ] && pass "both cards have the same inlet temperature" || fail "both cards have the same inlet temperature" "$(cat pair.json)"
says pair/calibrated.xml 'id="gpu1"' "both are written"
exits 3 "a card that is not there" "$wattsink" calibrate "$own" --parts "$top/parts" --log gpu7="$log" --dry-run
says err 'has no such card; expected an id such as gpu0' "is named"
if command -v taskset >/dev/null; then
    cp pair/calibrated.xml both.xml
    exits 0 "on one core" taskset -c "$(taskset -cp $$ | sed 's/.*: *\([0-9]*\).*/\1/')" "$wattsink" calibrate "$own" --parts "$top/parts" --set 'chassis.gpu+=gpu/rtx-4070-ti-super id=gpu1 slot=4' --log two.csv --json -o pair
    cmp -s both.xml pair/calibrated.xml && pass "the same bytes" || fail "the same bytes"
else
    echo "skip on one core: no taskset"
fi
exits 2 "two logs of one card" "$wattsink" calibrate "$own" --parts "$top/parts" --log "$log" --log gpu0="$log" --dry-run
exits 3 "a missing file" "$wattsink" calibrate "$own" --parts "$top/parts" --log none.csv
exits 2 "a share of 120 %" "$wattsink" calibrate "$own" --parts "$top/parts" --log "$log" --holdout 120%
exits 2 "neither log nor sweep" "$wattsink" calibrate "$own" --parts "$top/parts"
says err 'expected --sweep FILE or --log FILE' "is told"

# The script of --plan must set power limits back, also if it is interrupted.
exits 0 "--plan" "$wattsink" calibrate --plan
cp out record.sh
sh -n record.sh && pass "prints a script" || fail "prints a script"
# mawk writes 228,32 in a locale with decimal commas, which nvidia-smi does not read.
if sed 's/LC_ALL=C awk//' record.sh | grep -q awk; then fail "record.sh writes limits with a decimal point in every locale"; else pass "record.sh writes limits with a decimal point in every locale"; fi
mkdir -p bin
work="exec $(command -v sleep) 300"
cat >bin/nvidia-smi <<'END'
#!/bin/sh
case "$*" in
*index,power.limit,power.min_limit*) printf '0, 285.00, 100.00\n1, 285.00, 200.00\n2, 285.00, [N/A]\n' ;;
*index,power.limit*) echo '0, 285.00' ;;
*-pl*) echo "$*" >>pl.txt ;;
*) [ -z "${refused-}" ] || { echo "$refused"; exit 2; }; echo "$log_line"; while :; do sleep 1; done ;;
esac
END
# The fake `sleep` ends as soon as the recorder has written its first line, however long that takes.
printf '#!/bin/sh\nuntil [ -s "$log" ]; do :; done\n' >bin/sleep
printf '#!/bin/sh\necho "${ID_U:-1000}"\n' >bin/id
chmod +x bin/*
sed -i 's/while :; do sleep 1; done/exec cat \/dev\/zero >\/dev\/null/' bin/nvidia-smi
exits 0 "the recording" env log=made.csv PATH="$PWD/bin:$PATH" sh record.sh "$work" made.csv
present made.csv "a log"
absent pl.txt "no limit is touched without root"
exits 0 "as root" env log=root.csv ID_U=0 PATH="$PWD/bin:$PATH" sh record.sh "$work" root.csv
[ "$(tail -n 3 pl.txt | tr '\n' ' ')" = '-i 0 -pl 285 -i 1 -pl 285 -i 2 -pl 285 ' ] && pass "the limits are set back" || fail "the limits are set back" "$(cat pl.txt)"
says pl.txt '^-i 0 -pl 228$' "after a lower one"
says pl.txt '^-i 0 -pl 171$' "and a still lower one"
says pl.txt '^-i 1 -pl 200$' "which is not below the lowest that a card takes"
says pl.txt '^-i 2 -pl 171$' "if the card tells one"
exits 1 "over a log that is there" env PATH="$PWD/bin:$PATH" sh record.sh true made.csv
printf '#!/bin/sh\n[ "$1" != 2400 ] || : >ended\n%s 0.5\n' "$(command -v sleep)" >bin/sleep
exits 1 "a load that ends at once" env PATH="$PWD/bin:$PATH" sh record.sh "exec sh -c 'exit 3'" none.csv
says err "^the load ended at once: exec sh -c 'exit 3'" "is told"
exits 0 "a load that ends early" env PATH="$PWD/bin:$PATH" sh record.sh 'until [ -e ended ]; do :; done' early.csv
says err "^the load ended before 'load' did" "is told"
exits 1 "a recorder that refuses" env refused='Field "x" is not a valid field to query.' PATH="$PWD/bin:$PATH" sh record.sh "$work" refused.csv
says err '^Field "x" is not a valid field' "says why"
absent refused.csv "and leaves no log, so that the same command may be given again"
rm -f pl.txt
printf '#!/bin/sh\n[ "$1" = 900 ] && kill -TERM "$PPID"\nexit 0\n' >bin/sleep
exits 130 "interrupted at a lower limit" env ID_U=0 PATH="$PWD/bin:$PATH" sh record.sh "$work" cut.csv
[ "$(tail -n 3 pl.txt | head -n 1)" = '-i 0 -pl 285' ] && pass "the limit is set back too" || fail "the limit is set back too" "$(cat pl.txt)"

says known.json '"fan": \{"values": \[\{"name": "fan-curve", "unit": "rpm", "at_c": [0-9.]+, "value": [0-9.]+' "the fan's curve is fitted"
within "$(value known.json fan-fall value)" 50 110 "and how it slows"
says once.xml 'fan-curve="[0-9.]+ degC:10[12][0-9] rpm, .* degC:3000 rpm"' "the curve is written, whole"
says once.xml 'for="fan-curve" from="rig" kind="fitted" ref="calibrated on .*log\.csv" spread="\+-[0-9.]+ rpm"' "with source and spread"
cut -d, -f1-6 "$log" >windless.csv
exits 0 "a log without a fan" "$wattsink" calibrate "$own" --parts "$top/parts" --log windless.csv --dry-run --json
says out '"fan": null' "tells none"

awk -F', ' 'NR > 1 { sub(/ W/, "", $3); n = split($0, c, ", "); t = $1; gsub("/", "-", t); print t; print "{\"card0\": {\"Average Graphics Package Power (W)\": \"" $3 "\", \"Temperature (Sensor edge) (C)\": \"" $6 + 0 ".0\"}}" }' "$log" >rocm.json
exits 0 "rocm-smi --json" "$wattsink" calibrate "$own" --parts "$top/parts" --log rocm.json --dry-run --json
within "$(value out die-resistance value)" 0.08 0.09 "tells the same card"
# rocm.json has no fan speeds. The card that it was recorded on turns its fan at 1,020 rpm while it is cool; the card of
# the catalogue stops its fan then.
within "$(value out rpm-min value)" 900 1140 "the speed of its fan at rest is found"
exits 0 "calibrated.xml of a card whose fan turns at rest" "$wattsink" calibrate "$own" --parts "$top/parts" --log rocm.json -o turns -q
says turns/calibrated.xml 'for="rpm-min" from="rig" kind="fitted" ref="calibrated on .*rocm\.json"' "states rpm-min as fitted to the log"
exits 0 "steady of that rig at 19 W" "$wattsink" steady turns/calibrated.xml -q --json --set gpu.power=19W
says out '"fan_mean_rpm": (9[0-9][0-9]|1[01][0-9][0-9])' "turns the fan at this speed"
sed 's/Sensor edge/Sensor junction/' rocm.json >junction.json
exits 0 "the hot spot alone" "$wattsink" calibrate "$own" --parts "$top/parts" --log junction.json --dry-run
says out 'it is taken from the hot spot' "is taken, and told"

for goal in temperature memory work watts; do
    exits 0 "--goal $goal" "$wattsink" calibrate "$own" --parts "$top/parts" --log still.csv --dry-run --json --goal $goal
    says out "\"goal\": \"$goal\", \"now\": " "is the goal"
done
exits 2 "--goal without a log" "$wattsink" calibrate "$own" --parts "$top/parts" --sweep "$top/scenarios/own-card/limits.csv" --dry-run --goal work
says err '^wattsink calibrate: --goal work: expected --log FILE beside it' "is refused"
exits 0 "--goal beside a sweep" "$wattsink" calibrate "$own" --parts "$top/parts" --log still.csv --sweep "$top/scenarios/own-card/limits.csv" --dry-run --goal work
says err "^wattsink: --goal work: 'Record next' is computed from the log alone" "is told"
exits 2 "--goal of another" "$wattsink" calibrate "$own" --log "$log" --goal fame
says err 'expected temperature, memory, work or watts' "is told"
exits 0 "a log of one power" "$wattsink" calibrate "$own" --parts "$top/parts" --log still.csv --dry-run
says out '^Record next: (soak|staircase|fan|idle), [0-9]+ minutes\. GPU temperature .* (±|\+-)[0-9.]+ K now, .* (±|\+-)[0-9.]+ K after it' "what to record next, and what it would tell"
says out 'wattsink calibrate --plan (soak|staircase|fan|idle)$' "and its script"
says known.json '"next": \{"recording": (null|"[a-z]+"), "takes_s": (null|[0-9]+), "now_k": [0-9.]+, "then_k": \{"soak": [0-9.]+, .*"memory": null\}' "the same as JSON"
for kind in soak staircase fan idle memory; do
    exits 0 "--plan $kind" "$wattsink" calibrate --plan $kind
    sh -n out && pass "prints a script" || fail "prints a script"
    cp out $kind.sh
done
exits 2 "--plan of another" "$wattsink" calibrate --plan sauna
says err 'expected soak, staircase, fan, idle or memory' "is told"
printf '#!/bin/sh\nuntil [ -s "$log" ]; do :; done\n' >bin/sleep
exits 1 "a staircase without root" env log=s1.csv PATH="$PWD/bin:$PATH" sh staircase.sh 'exec cat /dev/zero >/dev/null' s1.csv
says err 'power limits need root' "is told"
absent s1.csv "and nothing is started"
rm -f pl.txt
exits 0 "as root" env log=s2.csv ID_U=0 PATH="$PWD/bin:$PATH" sh staircase.sh 'exec cat /dev/zero >/dev/null' s2.csv
says pl.txt '-pl 156\.75' "it goes down to 55 %"
[ "$(tail -n 3 pl.txt | head -n 1)" = '-i 0 -pl 285' ] && pass "and sets the default limit again at the end" || fail "and sets the default limit again at the end" "$(cat pl.txt)"
printf '#!/bin/sh\necho "$*" >>fan.txt\n' >bin/nvidia-settings
chmod +x bin/nvidia-settings
printf '#!/bin/sh\n[ "$1" = 900 ] && kill -TERM "$PPID"\nexit 0\n' >bin/sleep
exits 130 "fans, interrupted" env PATH="$PWD/bin:$PATH" sh fan.sh 'exec cat /dev/zero >/dev/null' f.csv
says fan.txt 'GPUTargetFanSpeed=40' "were held"
[ "$(tail -n 1 fan.txt)" = '-a GPUFanControlState=0' ] && pass "and are given back" || fail "and are given back" "$(cat fan.txt)"
printf '#!/bin/sh\necho $$ >setsid.pid\nuntil [ -e go ]; do :; done\nexec %s "$@"\n' "$(command -v setsid)" >bin/setsid
printf '#!/bin/sh\n[ "$1" = 900 ] || exit 0\nuntil [ -s setsid.pid ]; do :; done\nkill -TERM "$PPID"\n' >bin/sleep
chmod +x bin/setsid
exits 130 "interrupted before the load has a process group" env PATH="$PWD/bin:$PATH" sh fan.sh 'echo >late.txt' g.csv
: >go
while kill -0 "$(cat setsid.pid)" 2>/dev/null; do :; done
absent late.txt "the load is ended all the same"
rm -f go setsid.pid
sed -i '2i trap "" TERM' bin/setsid
exits 130 "interrupted while the load's shell loses signals" env PATH="$PWD/bin:$PATH" sh fan.sh 'echo >late.txt' h.csv
: >go
while kill -0 "$(cat setsid.pid)" 2>/dev/null; do :; done
absent late.txt "the load does not begin"

# ---- one level under load ----
awk 'NR == 1 || / 285\.00 W/' "$log" >level.csv
exits 0 "a log with one power limit throughout" "$wattsink" calibrate "$own" --parts "$top/parts" --log level.csv -o level
says out '^Watts, clocks and work, by one settled stretch under load:$' "has one stretch"
says out '^p0, fixed power .* W +not apart$' "does not tell p0"
says out '^c, power per clock .* W/GHz +not apart$' "nor c"
says out '^One clock under load: the log determines p0 and c only together' "and says so"
says level/report.html 'One clock under load: ' "as the page does"
if grep -q 'p0, fixed power [0-9.]* ± [0-9.]* W (catalogue' level/report.html; then fail "which names no p0 as learnt"; else pass "which names no p0 as learnt"; fi
exits 0 "as JSON" "$wattsink" calibrate "$own" --parts "$top/parts" --log level.csv --dry-run --json
says out '"electrical": \{"rows": [1-9], "one_level": true' "has a mark"
says known.json '"electrical": \{"rows": 3, "one_level": false' "that the whole log lacks"

# The load begins after 10 minutes; the first 12 % of the log, which are fitted, end before the temperature has settled.
exits 0 "a log whose load is held out" "$wattsink" calibrate "$own" --parts "$top/parts" --log "$log" --holdout 88% --dry-run
says out '^Before the part held out no stretch is settled under load, so no errors of power and clock are known\.$' "says why there are no errors"
lacks out '^model less log, %' "and has no table of them"
exits 0 "as JSON" "$wattsink" calibrate "$own" --parts "$top/parts" --log "$log" --holdout 88% --dry-run --json
says out '"fitted": \{"power": \{"readings": 0, "mae_rel": null, "bias_rel": null, "worst_rel": null\}' "has null for them"

# ---- degrees Fahrenheit without a unit ----
awk -F', ' -v OFS=', ' 'NR > 1 { $6 = sprintf("%.0f", $6 * 1.8 + 32) } 1' "$log" >fahrenheit.csv
exits 0 "a log in degrees Fahrenheit" "$wattsink" calibrate "$own" --parts "$top/parts" --log fahrenheit.csv --dry-run
says out '^The temperatures of the log reach 1[5-9][0-9] degC, and this card shuts down at [0-9]+ degC\. Are they degrees Fahrenheit\?' "is asked about"
says out '^GPU temperature at full load is known to (±|\+-)[0-9.]+ K: the model does not follow the log\. Are its watts, degrees and fan speeds those of this card\?$' "and no other recording is advised"
exits 0 "as JSON" "$wattsink" calibrate "$own" --parts "$top/parts" --log fahrenheit.csv --dry-run --json
says out '\{"code": "calibrate\.too-hot", "hottest_c": 1[5-9][0-9]' "has a code"
sed '1s/temperature.gpu/temperature.gpu [F]/' fahrenheit.csv >unit.csv
exits 0 "with the unit" "$wattsink" calibrate "$own" --parts "$top/parts" --log unit.csv --dry-run --json
within "$(value out conductance value)" 16 18.5 "it is read as degrees Fahrenheit"

{ echo 'power_w,temperature_c' && sed -n '2,$s/^[^,]*, 0, \([0-9.]*\) W, [^,]*, [^,]*, \([0-9]*\),.*/\1,\2/p' "$log"; } >untimed.csv
exits 0 "a table of another program without times" "$wattsink" calibrate "$own" --parts "$top/parts" --log untimed.csv --dry-run
says err 'contains no times; one second from row to row is taken\..* in a table of another program as a column such as time$' "is told how to record them there"
awk -F, 'NR == 1 { print "time," $0 } NR > 1 { print 10 * NR "," $0 }' untimed.csv >timed.csv
exits 0 "with such a column" "$wattsink" calibrate "$own" --parts "$top/parts" --log timed.csv --dry-run
lacks err 'no times' "has times"
says out ': 100 minutes of timed\.csv' "and its length"
# One power, and so one clock: what it cannot tell is said once.
sed -n '1p; 130,295p' "$log" >level.csv
exits 0 "a log of one power" "$wattsink" calibrate "$own" --parts "$top/parts" --log level.csv --dry-run
says out '^One power: the log determines inlet and conductance only together, and p0 and c too\.' "says what it determines only together"
lacks out '^One clock' "in one sentence"

# ---- a log of another card, of another case, or with a dead fan reading ----
fit_of() { exits 0 "$1" "$wattsink" calibrate "$2" --parts "$top/parts" --log "$3" --dry-run; }
fit_of "the card's own log" "$own" "$log"
lacks out 'Far from the catalogue' "is near the catalogue"
says known.json '"doubts": \[\]' "and has no doubts as JSON"
sed 's#gpu/rtx-4070-ti-super#gpu/gtx-1070#' "$own" >other.xml
fit_of "the log as that of a GTX 1070" other.xml "$log"
says out '^Far from the catalogue: board-conductance [0-9.]+ W/K, not 0\.96 (±|\+-) 0\.24\. Is this log of another card, or in another case, or is a fan reading wrong\?$' "is far from it"
exits 0 "as JSON" "$wattsink" calibrate other.xml --parts "$top/parts" --log "$log" -o far --json
says out '"doubts": \[\{"code": "calibrate\.far", "value": "board-conductance", "moved": [4-9][0-9]*\.' "has a code"
says far/report.html 'Far from the catalogue: ' "the page says so, too"
says out '\{"code": "calibrate\.limit-above", "limit_w": 285, "most_w": [12][0-9]+\}\]' "so has a limit that the card does not take"
fit_of "the same as text" other.xml "$log"
says err '^wattsink: --log .*log\.csv: its power limit is up to 285 W, but gpu0 of the rig takes [12][0-9]+ W at most: is it the log of another card\?$' "is asked about"
# Cards of one machine, which the driver counts in another order than the rig does.
{ cat "$log"; tail -n +2 "$log" | sed 's/, 0, /, 1, /; s/285\.00 W/170.00 W/'; } >crossed.csv
exits 0 "two cards in the other order" "$wattsink" calibrate "$own" --parts "$top/parts" --set 'gpu[0]=gpu/gtx-1070' --set 'chassis.gpu+=gpu/rtx-4070-ti-super id=gpu1 slot=4' --log crossed.csv --dry-run
says err 'its power limit is up to 285 W, but gpu0 of the rig takes' "are asked about"
lacks err 'but gpu1 of the rig takes' "by the card that shows it"
fit_of "the log of this card, once more" "$own" "$log"
lacks err 'its power limit is' "has a limit that it takes"
sed '2,$s/[0-9]* %, 285/0 %, 285/' "$log" >dead.csv
fit_of "a fan that reads 0 %" "$own" dead.csv
says out '^Far from the catalogue: .*a fan reading wrong' "is far, too"
named() { sed -e '1s/index,/index, name,/' -e "2,\$s/, 0, /, 0, $1, /" "$log" >named.csv; }
named 'NVIDIA GeForce RTX 4070 Ti SUPER'
fit_of "a log with the card's name" "$own" named.csv
lacks err 'name the card' "agrees with the rig"
named 'NVIDIA GeForce RTX 4070 Ti'
fit_of "a log that names a 4070 Ti, for a rig with a 4070 Ti SUPER" "$own" named.csv
says err '^wattsink: --log named\.csv: its rows name the card NVIDIA GeForce RTX 4070 Ti, but gpu0 of the rig is gpu/rtx-4070-ti-super: is it the log of another card\?$' "is asked about"
exits 0 "as JSON" "$wattsink" calibrate "$own" --parts "$top/parts" --log named.csv --dry-run --json -q
says out '"doubts": \[\{"code": "calibrate\.other-card", "name": "NVIDIA GeForce RTX 4070 Ti"\}\]' "has a code"
exit $status
