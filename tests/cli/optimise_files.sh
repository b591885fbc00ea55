#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Files of the search for the best settings: its file of computed cases, also a damaged one, and the part files among
# which it chooses, also if they are edited, missing or damaged.
. "$(dirname "$0")/helpers.inc"
. "$top/tests/cli/optimise.inc"

# ---- files of cases ----
cp "$rig" own.xml
of 2 "cases into the rig itself" own.xml --over "$limits" --max gpus.work_rel --cases own.xml --force
says err '--cases own\.xml is the rig itself' "is told"
cmp -s "$rig" own.xml && pass "and the rig is kept" || fail "and the rig is kept"
question="--over gpu.power-limit=200W:350W:1W --over fan[*].speed=700rpm:1490rpm:10rpm --max gpus.work_rel --where noise_dba<60dBA --json"
ask 0 "many cases are kept" $question --cases a.cases
cp out one
cp a.cases whole.cases
[ "$(wc -l <a.cases)" -gt 80 ] && pass "more than eighty cases are kept" || fail "more than eighty cases are kept" "$(wc -l <a.cases)"
ask 0 "and taken up again" $question --cases a.cases --resume
cmp -s out one && cmp -s a.cases whole.cases && pass "with the same answer" || fail "with the same answer" "$(diff out one)"
lines=$(wc -l <whole.cases)
broken() { # NAME LINE SED: a file with a damaged line is refused, and stays as it is
    sed "$2$3" whole.cases >a.cases
    cp a.cases broken.cases
    ask 3 "$1" $question --cases a.cases --resume
    says err "^wattsink: a\.cases is damaged: line $2 is not as it was written; --force replaces the file\$" "is told"
    cmp -s a.cases broken.cases && pass "and the file stays" || fail "and the file stays"
}
broken "a line that is none" $((lines - 3)) 's/.*/nothing/'
broken "another digit in a number" $((lines - 3)) 'y/0123456789/1234567890/'
broken "a line of another case" 20 "{s/.*/$(sed -n 30p whole.cases | sed 's/[/&]/\\&/g; s/=.*/=/')&/;s/=.*= /= /;}"
head -c $(($(wc -c <whole.cases) - 40)) whole.cases >a.cases
ask 0 "a last line of which a part is lost" $question --cases a.cases --resume
cmp -s out one && cmp -s a.cases whole.cases && pass "is computed again" || fail "is computed again" "$(diff a.cases whole.cases | head -5)"
head -c 4096 /dev/zero >>a.cases
ask 0 "zeros behind the last line, as after a power cut" $question --cases a.cases --resume
cmp -s out one && cmp -s a.cases whole.cases && pass "are cut off" || fail "are cut off" "$(diff a.cases whole.cases | head -5)"

# A file of cases that cannot be read is an error; it must not count as missing.
mkdir folder.cases
ask 1 "a folder as the file" $question --cases folder.cases --resume
says err '^wattsink: cannot read folder\.cases: Is a directory$' "is told"
somebody=
[ "$(id -u)" != 0 ] || somebody="setpriv --reuid=65534 --regid=65534 --clear-groups"
chmod 777 .
if $somebody "$wattsink" --version >out 2>&1; then
    chmod 200 a.cases
    exits 1 "a file that may not be read" $somebody "$wattsink" optimise "$rig" -q $question --cases a.cases --resume
    says err '^wattsink: cannot read a\.cases: Permission denied$' "is told"
    exits 3 "one that is there" $somebody "$wattsink" optimise "$rig" -q $question --cases a.cases
    says err '^wattsink: a\.cases exists; --resume goes on with it, --force replaces it$' "is told"
    chmod 600 a.cases
    cmp -s a.cases whole.cases && pass "the file of cases stays as it was" || fail "the file of cases stays as it was"
else
    echo "skip files that may not be read: nobody to try them as"
fi

# ---- parts among which the search chooses ----
own() { # CODE NAME ARGUMENTS...: chooses one of two cards of a folder of parts
    code=$1 name=$2
    shift 2
    exits "$code" "$name" "$wattsink" optimise own-parts.xml -q --parts cards --over gpu.power-limit=200W:300W:50W --over gpu.part=gpu/one,gpu/two \
        --min gpus.power_mean_w --for 1h --json --cases own.cases "$@"
}
mkdir -p cards/gpu
for card in one two; do sed 's/ base="[^"]*"/&/' "$top/parts/gpu/rtx-3090.xml" >cards/gpu/$card.xml; done
sed 's|part="gpu/[^"]*"|part="gpu/one"|' "$rig" >own-parts.xml
own 0 "two cards"
cp out two
cp own.cases whole.cases
sed -i 's/tdp="350 W"/tdp="340 W"/' cards/gpu/two.xml
own 3 "one of them was edited" --resume
says err '^wattsink: own\.cases is of another version, rig, part or question; --force replaces it$' "is told"
cmp -s own.cases whole.cases && pass "and the file stays" || fail "and the file stays"
sed -i 's/tdp="340 W"/tdp="350 W"/' cards/gpu/two.xml
echo '<!-- the same values -->' >>cards/gpu/two.xml
own 0 "its values are as before" --resume
cmp -s out two && cmp -s own.cases whole.cases && pass "the same answer" || fail "the same answer" "$(diff out two)"
rm own.cases
lost() { # CODE NAME PATTERN
    own "$1" "$2"
    says err "$3" "is told"
    [ ! -s out ] && pass "and nothing is answered" || fail "and nothing is answered" "$(cat out)"
    absent own.cases "nothing is kept"
}
mv cards/gpu/two.xml two.xml
lost 3 "no such card" '^setting gpu\.part=gpu/two: there is no part "gpu/two"'
ln -s /etc/passwd cards/gpu/two.xml
lost 3 "a card that may not be read" '^setting gpu\.part=gpu/two: part "gpu/two": '
rm cards/gpu/two.xml
echo '<gpu' >cards/gpu/two.xml
lost 3 "a damaged card" '^cards/gpu/two\.xml:2:1: '
cp -R "$top/parts" catalogue
echo '<psu' >catalogue/psu/own.xml
WATTSINK_PARTS=catalogue ask 3 "a damaged part among those of a pattern" --over 'psu=psu/*[rated>1300W]' --min circuit.wall_peak_w
says err '^catalogue/psu/own\.xml:2:1: ' "is told"
exit $status
