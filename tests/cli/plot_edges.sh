#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Pictures of damaged and unusual folders, and by a gnuplot that fails or prints odd text. A script stands in for gnuplot:
# it prints the file `picture` for a picture in a file, and the files `coarse` and `fine` for one in a terminal.
. "$(dirname "$0")/helpers.inc"
mkdir bin
cat >bin/gnuplot <<'END'
#!/bin/sh
echo "$*" >>"$FAKE/calls"
[ ! -e "$FAKE/dies" ] || kill -9 $$
[ ! -e "$FAKE/unloaded" ] || exit 127
[ ! -e "$FAKE/fails" ] || { echo half && exit 1; }
case $1$2 in -eprinted*) cat "$FAKE/picture" ;; -e*) cat "$FAKE/fine" ;; *) cat "$FAKE/coarse" ;; esac
END
chmod +x bin/gnuplot
FAKE=$PWD PATH=$PWD/bin:$PATH
export FAKE PATH
: >coarse
: >fine
echo picture >picture
plot() { # CODE NAME ARGUMENTS...
    code=$1 name=$2
    shift 2
    exits "$code" "$name" "$wattsink" plot "$@"
}
printed() { # NAME: out is the file `want`
    if cmp -s out want; then pass "$1"; else fail "$1" "$(diff out want)"; fi
}
"$wattsink" run two-cards.xml --for 10min -o r -q

# ---- a gnuplot that fails ----
: >dies
plot 1 "a gnuplot that is killed" r --what temps
says err '^wattsink: gnuplot failed on r/plots/temps\.gp$' "names its script"
plot 1 "in the terminal" r --what temps --format term
says err '^wattsink: gnuplot failed on r/plots/temps\.gp$' "names it too"
rm dies
: >fails
plot 1 "a gnuplot that fails" r --what power
says err '^wattsink: gnuplot failed on r/plots/power\.gp$' "names its script"
rm fails
: >unloaded
plot 1 "a gnuplot whose libraries cannot be loaded" r --what power
says err '^wattsink: gnuplot failed on r/plots/power\.gp$' "is not said to be missing"
rm unloaded
mkdir closed
: >closed/gnuplot
exits 1 "a gnuplot that may not be executed" env PATH="$PWD/closed" "$wattsink" plot r --what power
says err '^wattsink: cannot start gnuplot: Permission denied$' "is told as that"
absent r/plots/power.svg "no picture"

# ---- pictures as a whole ----
plot 0 "a picture" r --what power -q
says r/plots/power.svg '^picture$' "is what gnuplot prints"
: >fails
plot 1 "a gnuplot that fails halfway" r --what power
says r/plots/power.svg '^picture$' "leaves the picture from before"
rm fails
find r/plots -name '.*.new' -o -name 'temps.svg' >found
if [ -s found ]; then fail "and nothing else" "$(cat found)"; else pass "and nothing else"; fi
head -c 2000000 /dev/zero | tr '\0' x >picture
exits 1 "a disk without room for it" sh -c 'trap "" XFSZ; ulimit -f 2000; exec "$0" plot r --what power' "$wattsink"
says err '^wattsink: cannot write r/plots/power\.svg: File too large$' "is told"
says r/plots/power.svg '^picture$' "and the picture from before stays"
find r/plots -name '.*.new' >found
if [ -s found ]; then fail "and no part of the new one" "$(cat found)"; else pass "and no part of the new one"; fi
: >picture
plot 1 "a gnuplot that draws nothing" r --what power
says err '^wattsink: gnuplot failed on r/plots/power\.gp$' "has failed"
echo picture >picture
for end in 'exit 1' 'kill -9 $$'; do
    printf '#!/bin/sh\n%s\n' "$end" >bin/fc-list
    chmod +x bin/fc-list
    plot 0 "PNG in Japanese, with an fc-list that ends by $end" r --what temps --format png --lang ja
    lacks err 'fonts-noto-cjk' "has no warning, because nothing is known"
done
printf '#!/bin/sh\nexit 0\n' >bin/fc-list
plot 0 "PDF in Japanese without a font" r --what temps --format pdf --lang ja
says err 'fonts-noto-cjk' "has a warning"
rm bin/fc-list

# ---- pictures of other results ----
# After another run in the folder no picture of the one before is left, whatever becomes of the new one.
plot 0 "the same run in another format" r --what power --format png -q
present r/plots/power.svg "keeps the other picture"
cp -R r again
cp -R r mate
again() { "$wattsink" run two-cards.xml --set 'gpu[*].power-limit=200W' --for "$1" -o again --force -q; }
plot 0 "with another run" again mate --what power -q
again 10min
: >fails
plot 1 "a gnuplot that fails after another run" again --what power
for old in power.svg power.png power-overlay.svg; do absent "again/plots/$old" "leaves no $old of the run before"; done
absent again/plots/temps.png "nor one that was not asked for"
rm fails
plot 0 "a picture" again --what power -q
present again/plots/power.svg "of the new run"
again 11min
exits 1 "no gnuplot after another run" env PATH="$PWD/nothing" "$wattsink" plot again --what power
absent again/plots/power.svg "leaves no picture of the run before"
plot 0 "another format, after another run" again --what power -q
again 12min
plot 0 "in another format" again --what power --format png -q
present again/plots/power.png "is drawn"
absent again/plots/power.svg "and the picture of the run before is gone"
plot 0 "pictures of fans" again --what fans -q
"$wattsink" run load.xml --for 10min -o again --force -q
plot 0 "a run without fans" again -q
for old in svg gp csv; do absent "again/plots/fans.$old" "has no fans.$old of the run before"; done
plot 0 "two runs" mate again --what power -q
present mate/plots/power-overlay.svg "share a picture"
"$wattsink" run load.xml --set 'load.dc=100 W' --for 10min -o again --force -q
: >fails
plot 1 "one of them anew, and a gnuplot that fails" mate again --what power
absent mate/plots/power-overlay.svg "leaves no picture of the one before"
rm fails

# ---- text in a terminal ----
esc=$(printf '\033')
# Without UTF-8 each curve's colour becomes an ASCII sign; letters stay as they are.
printf 'T\360\237\230\200\n\n |%s[31m+-|A%s[0m+%s[36m+%s[0m\n |%s[33m+\n' "$esc" "$esc" "$esc" "$esc" "$esc" >coarse
printf 'T?\n\n |***A+@\n |#\n' >want
plot 0 "coloured curves in ASCII" r --what temps --format term
printed "have a sign for each colour"
# A picture without an axis is printed as it is, except that a character two columns wide takes the place of a blank
# behind it, but never of the last one.
printf '日本   x\n日 y\n%s[3' "$esc" >coarse
printf '\f' >fine
printf '日本 x\n日 y\n' >want
exits 0 "text without an axis" env LC_ALL=C.UTF-8 "$wattsink" plot r --what temps --format term
printed "is as gnuplot drew it, but for wide characters"
# One panel of 5 columns and 4 rows behind an axis with one tick; points F and G, a word, and a key with a point.
{
    printf 'title\n\n'
    printf ' 9|%s[31mF%s[0m  ab|  %s[31mF%s[0m p\n' "$esc" "$esc" "$esc" "$esc"
    printf '  |%s[32mG%s[31m|%s[0m   |  %s[32m--%s[0m q\n' "$esc" "$esc" "$esc" "$esc" "$esc"
    printf ' %s[31m1%s[0m|     |\n' "$esc" "$esc"
    printf '  |     |\n  +------\n  0\n\n'
} >coarse
printf '\n\n\n' >fine
exits 0 "points and words in a panel" env LC_ALL=C.UTF-8 "$wattsink" plot r --what temps --format term
says out '^  ┤o  ab' "a point of the first kind is a ring, a word stays"
says out '^  │⣿' "one of the second kind is full"
says out ' o p$' "so it is in the key"
says out '^ 1│' "a coloured letter beside the axis is no tick"
# An axis in the first column.
printf 't\n\n|   |\n|   |\n|   |\n|   |\n+----\n0\n\n' >coarse
exits 0 "an axis in the first column" env LC_ALL=C.UTF-8 "$wattsink" plot r --what temps --format term
says out '^│' "is drawn"
if script -qec true /dev/null >/dev/null 2>&1; then
    on_terminal() { env -u NO_COLOR LC_ALL=C.UTF-8 TERM=xterm-256color script -qec "$1" /dev/null; }
    printf 'one %s[31mred\n\fsecond\n\fthird\n' "$esc" >coarse
    rm -f calls
    printf '\nq\n' | on_terminal "'$wattsink' plot r --format term" >out 2>&1
    says out "one $esc\[31mred$esc\[0m" "a line that ends in a colour resets it"
    says out 'second' "Enter shows the next picture"
    lacks out 'third' "q ends"
    [ "$(wc -l <calls)" = 2 ] && pass "and draws no further picture" || fail "and draws no further picture" "$(cat calls)"
    on_terminal "'$wattsink' plot r --what temps --format term >shown" </dev/null >out 2>&1
    says shown third "a file gets all of them"
    lacks shown 'Enter: ' "without a question"
else
    echo "skip questions between pictures: no terminal here"
fi
: >coarse
: >fine

# ---- calibrations ----
calibration() { # NAME XML: a folder with one card's curves and this calibrated.xml
    mkdir -p "$1"
    printf 't_s,held_out,gpu0.power_w,gpu0.die_c,gpu0.die_c.model,gpu0.die_c.low,gpu0.die_c.high\r\n10,0,20,30,30,29,31\n20,1,20,30,30,29,31\n' >"$1/calibration.csv"
    [ -z "$2" ] || printf '%s\n' "$2" >"$1/calibrated.xml"
}
titled() { says "$1/calibration.gp" "^gpus_title\[1\] = '$2'$" "$3"; }
calibration c0 ''
plot 0 "a calibration without its rig" c0
titled c0 gpu0 "has the card's id"
calibration c1 '<rig'
plot 0 "with a damaged rig" c1
titled c1 gpu0 "has the id"
calibration c2 '<rig name="R"><chassis><gpu id="gpu9" slot="1" part="gpu/x"/></chassis></rig>'
plot 0 "with the rig of another card" c2
titled c2 gpu0 "has the id"
calibration c3 '<rig><chassis><gpu id="gpu0" part="mine"/></chassis></rig>'
plot 0 "without names and slots" c3
titled c3 'gpu0, mine' "has the part, which is in no family"
calibration c4 "<rig name=\"R\"><chassis><gpu id=\"gpu0\" slot=\"2\" part=\"gpu/o'x\"/></chassis></rig>"
plot 0 "a part with a quote" c4
titled c4 'gpu0, slot 2' "is left out"
mkdir -p c5/calibrated.xml
calibration c5 ''
plot 1 "a folder in place of its rig" c5
says err 'c5/calibrated\.xml' "is named"
mkdir -p c6/calibration.csv
plot 1 "a folder in place of its curves" c6 --what calibration
says err 'c6/calibration\.csv' "is named"
mkdir c7
for text in '' 't_s,held_out,gpu0.power_w' 't_s,held_out,\nx\n' 't_s,held_out,\n0,0\n' 't_s,held_in,\n10,0\n'; do
    printf "$text" >c7/calibration.csv
    plot 3 "curves of $(wc -c <c7/calibration.csv) bytes" c7
    says err '^wattsink: c7/calibration\.csv is damaged$' "are damaged"
done
cp -R r both && cp c0/calibration.csv both
plot 0 "a run beside a calibration" both
says out '^both/plots/temps\.svg$' "is drawn"
absent both/calibration.gp "the calibration only if asked for"

# ---- runs ----
cp -R r bare && rm bare/rig.resolved.xml
plot 0 "a run without its rig" bare --what fans
says bare/plots/fans.gp "^movers_title\[1\] = 'fan0, 3 alike'$" "has the ids of fans alone"
cp -R r torn && echo '<rig' >torn/rig.resolved.xml
plot 0 "with a damaged rig" torn --what temps
says torn/plots/temps.gp '^gpus_target\[1\] = 0$' "knows no limits of the cards"
cp -R r odd
long=$(printf '%090d' 7)
sed -E "s|(<fan id=\"fan0\"[^>]*) at=\"[^\"]*\" count=\"[^\"]*\"|\1 part=\"own\"|; s|<fan id=\"fan1\"|& part=\"it's$long\"|" \
    r/rig.resolved.xml >odd/rig.resolved.xml
plot 0 "fans with odd attributes" odd --what fans
says odd/plots/fans.gp "^movers_title\[1\] = 'fan0, 120 mm, own'$" "one without a place, a number and a family"
says odd/plots/fans.gp "^movers_title\[2\] = 'fan1, .*, its0+'$" "a part whose name is long is cut, without its quote"
sed 's|<gpu id="gpu0"|<gpu id="other"|; s|<fan id="fan0"|<gpu id="fan0"|; s|</fan>|</gpu>|' r/rig.resolved.xml >odd/rig.resolved.xml
plot 0 "a card under another id" odd --what temps
says odd/plots/temps.gp '^gpus_target\[1\] = 0$' "has no limits"
cp -R r lost && rm lost/summary.json
plot 3 "a run without its summary" lost
says err "lost/summary\.json is missing: 'wattsink run RIG\.xml -o lost' leaves it" "is told"
alone() { [ "$(wc -l <err)" = 1 ] && says err "$1" "$2" || fail "$2" "$(cat err)"; }
cp -R r cut
head -c $(($(wc -c <r/series.csv) / 2)) r/series.csv >cut/series.csv
plot 3 "half a series" cut
alone '^wattsink: cut/series\.csv is damaged$' "is told"
plot 3 "beside a whole one" r cut --what temps
alone '^wattsink: cut/series\.csv is damaged$' "is told, too"
head -n $(($(wc -l <r/series.csv) - 1)) r/series.csv >cut/series.csv
plot 3 "a series without its end" cut
alone '^wattsink: cut/series\.csv is damaged$' "is damaged"
echo 'x,y' >cut/series.csv
plot 3 "another table" cut
alone '^wattsink: cut/series\.csv is damaged$' "is no series"
cp r/series.csv cut && head -c 300 r/summary.json >cut/summary.json
plot 3 "half a summary" cut
alone '^wattsink: cut/summary\.json:[0-9]+:[0-9]+: the text ends too early' "is told once"
echo '<rig/>' >nothing.xml
"$wattsink" run nothing.xml --for 10min -o nothing -q
plot 3 "a picture of nothing but zeros" nothing --what power
says err "^wattsink: nothing has nothing to draw in 'power': all of it is 0$" "is refused"
"$wattsink" compare load.xml --vary 'tariff.price=0.10USD/kWh:0.50USD/kWh:0.01USD/kWh' --for 10min -o many >/dev/null 2>&1
plot 0 "a comparison of many cases" many
[ ! -s err ] && [ ! -s out ] && pass "has no picture, silently unless asked" || fail "has no picture, silently unless asked" "$(cat out err)"

# ---- several runs ----
mkdir -p sub
tab=$(printf '\t')
deep="sub/a name that is longer than the key of a picture can show${tab} at its side"
cp -R r "$deep"
plot 0 "runs in folders" "$deep" r --what power
says "$deep/plots/power-overlay.gp" "^run_name\[1\] = '\.\.[ e]*can show at its side'" "are named by the end of the folder's name"
lacks "$deep/plots/power-overlay.gp" "$tab" "without control characters"
"$wattsink" run "$top/scenarios/quad-3090-blower/rig.xml" --for 1h -o cool -q
cp -R cool cool2
plot 0 "two runs with an air conditioner" cool cool2 --what cost
says cool/plots/cost-overlay.gp "panel_name\[[0-9]+\] = '[^']*, with the air conditioner'" "have its cost in theirs"
"$wattsink" run load.xml --set 'tariff.price=0.2EUR/kWh' --for 10min -o euro -q
"$wattsink" run load.xml --set 'tariff.price=0.2USD/kWh' --for 10min -o dollar -q
cp -R euro euro2
plot 0 "costs in one currency" euro euro2 --what cost
says euro/plots/cost-overlay.gp "panel_unit\[[0-9]+\] = 'EUR'" "are shown in it"
plot 0 "costs in two currencies" euro dollar --what cost
lacks euro/plots/cost-overlay.gp "panel_unit\[[0-9]+\] = '(EUR|USD)" "are not shown"
mkdir -p r/plots/power-overlay-1.csv
plot 1 "a folder in place of a table" r euro --what power
says err 'r/plots/power-overlay-1\.csv' "is named"
rm -r r/plots/power-overlay-1.csv
rm torn/rig.resolved.xml && mkdir torn/rig.resolved.xml
plot 1 "a folder in place of a rig, and two runs" torn r euro --what power
says err 'torn/rig\.resolved\.xml' "is named"
present r/plots/power-overlay-1.csv "the others are drawn"
plot 3 "two folders of which none has results" c7 nowhere --what power

# ---- new results in the folder of old pictures ----
"$wattsink" run load.xml --for 10min -o used -q
cp -R used beside
plot 0 "pictures of a run" used
plot 0 "and beside another run" used beside --what power
"$wattsink" report used >out
: >used/plots/mine.svg
exits 0 "another run in the folder" "$wattsink" run load.xml --for 20min -o used -q
left=$(ls used/plots)
[ "$left" = mine.svg ] && pass "leaves no picture of the first, and other files alone" || fail "leaves no picture of the first, and other files alone" "$left"
absent used/report.html "no report of the first"
mkdir own && echo page >own/report.html
"$wattsink" run load.xml --for 10min -o own -q
present own/report.html "a report that is of no run stays"
limits="--vary gpu[*].power-limit=200W,250W"
"$wattsink" compare two-cards.xml $limits --for 10min -o cases >out 2>err
plot 0 "pictures of a comparison" cases
present cases/plots/limit.svg "one of its limits"
"$wattsink" compare two-cards.xml $limits,300W --for 10min -o cases --force >out 2>err
absent cases/plots "another comparison leaves none of the first"
exits 0 "a sweep with a front" "$wattsink" sweep two-cards.xml $limits --for 10min --pareto 'min energy.wall_kwh,max gpus.work_rel' -o s.sqlite -q
present s.plots/pareto.svg "has a picture"
exits 0 "another sweep in its place" "$wattsink" sweep two-cards.xml $limits,300W --for 10min -o s.sqlite -q --force
absent s.plots "has none of the first"
over='--over gpu[*].power-limit=200W,250W --max gpus.work_rel --min noise_dba'
exits 0 "best settings with a front" "$wattsink" optimise two-cards.xml $over -o best.xml --format svg -q
present best.plots/pareto.svg "have a picture"
exits 0 "others in their place" "$wattsink" optimise two-cards.xml $over --where 'gpus.work_rel > 0.1' -o best.xml -q
absent best.plots "have none of the first"
exit $status
