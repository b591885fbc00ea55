#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/helpers.inc"

exits 0 "the example" "$wattsink" new --gpus 4 --gpu gpu/rtx-3090-blower -o four.xml
says out '^four[.]xml: 4 x gpu/rtx-3090-blower in chassis/[a-z0-9-]*, 1 x psu/tier-gold-[0-9]+, .* at ' "says what was chosen"
says out 'Next: wattsink check four[.]xml, then wattsink run four[.]xml' "and what to type next"
# What to type next is one word of a shell, whatever the file is called.
exits 0 "a name with a space and a quote" "$wattsink" new -o "bob's rig.xml"
next=$(sed -n 's/^Next: wattsink check \(.*\), then wattsink run .*/\1/p' out)
eval "\"\$wattsink\" check $next" >checked 2>&1 && pass "what it says to type can be typed" || fail "what it says to type can be typed" "$next: $(head -2 checked)"
[ "$(grep -c '<gpu ' four.xml)" = 4 ] && pass "has four cards" || fail "has four cards"
exits 0 "checks" "$wattsink" check four.xml
exits 0 "runs" "$wattsink" run four.xml --for 1h -q
for code in us jp de fr it dk gb uk; do
    exits 0 "a rig for $code" "$wattsink" new --country $code --gpus 2 -o $code.xml
    exits 0 "runs" "$wattsink" run $code.xml --for 1h -q -o $code
done
says jp.xml 'supply="200 V"|outlet="15 A"' "the rig for Japan has 200 V or an outlet of 15 A"
says jp/summary.json '"currency": "JPY"' "and pays in yen"
says gb.xml '<carbon part="carbon/gb"' "uk is gb"
cmp -s gb.xml uk.xml && pass "uk and gb give the same rig" || fail "uk and gb give the same rig" "$(diff gb.xml uk.xml)"
exits 2 "an unknown country" "$wattsink" new --country atlantis
says err 'expected us, jp, de' "lists the known ones"
exits 1 "never over an existing file" "$wattsink" new -o four.xml
says err 'four.xml: .*exists' "and says so"
exits 0 "four thick open-air cards" "$wattsink" new --gpus 4 --gpu gpu/rtx-4090 -o thick.xml
exits 0 "work" "$wattsink" steady thick.xml
says out 'No card throttles' "in air enough"
says out 'gpu0-gpu3: room (9[0-9]|100)' "the room's, not each other's"
for part in rtx-a6000 rtx-5090-blower; do
    exits 0 "one hot blower, $part" "$wattsink" new --gpu gpu/$part -o $part.xml
    if grep -qE 'frame|riser' $part.xml; then fail "gets a case: no neighbour heats it" "$(grep -E 'frame|riser' $part.xml)"; else pass "gets a case: no neighbour heats it"; fi
done
exits 0 "cards for a server" "$wattsink" new --gpus 8 --gpu gpu/l40 -o server.xml
says server.xml '<cpu part="cpu/epyc' "have a server's processor"
lacks server.xml 'open-air' "and no words on open-air cards"
exits 2 "no half cards" "$wattsink" new --gpus 1.5
exits 2 "no zero cards" "$wattsink" new --gpus 0
exits 3 "no more cards than fit" "$wattsink" new --gpus 40
exits 3 "an unknown card" "$wattsink" new --gpu gpu/rtx-3090-blwoer
exits 2 "more cards than any rig has" "$wattsink" new --gpus 100
says err 'from 1 to 64' "with the bounds"
exits 0 "cards that are sold for liquid only" "$wattsink" new --gpus 4 --gpu gpu/gb200 -o plates.xml
says out 'in chassis/nvl72-tray' "get a chassis for it"
says plates.xml '<loop part="loop/facility-cdu"/>' "a loop"
says plates.xml '<gpu part="gpu/gb200" slot="4"><cooler part="cooler/cold-plate-sxm-full"/></gpu>' "and cold plates"
lacks plates.xml "fans drive the cards' air" "the rig has no comment on air"
exits 0 "checks" "$wattsink" check plates.xml
[ ! -s err ] && pass "without a warning" || fail "without a warning" "$(cat err)"
sed 's|<cooler part="[^"]*"/>||' plates.xml >air.xml
exits 0 "one of them on air" "$wattsink" check air.xml
says err 'warning: gpu0 is sold for liquid cooling only, and has an air cooler' "check warns of an air cooler on a card sold for liquid only"
exits 0 "run" "$wattsink" run air.xml --for 10min -o air --force
says err 'warning: gpu0 is sold for liquid cooling only' "run warns of it, too"
# limit_is CARD WORDS: the comment of a new rig says what its power limit is.
limit_is() { "$wattsink" new --gpu "gpu/$1" >limit.xml 2>err && grep -q "power-limit=\"...\" is $2[.] -->" limit.xml; }
exits 0 "the power limit of a card with CUDA" limit_is rtx-4090 'what nvidia-smi -pl sets'
for card in rx-7900-xtx mi300x; do exits 0 "of $card" limit_is $card 'the power cap that amd-smi sets'; done
for card in arc-b580 gaudi3; do exits 0 "of $card" limit_is $card "the limit of the board's power"; done
"$wattsink" new --gpus 4 --gpu gpu/l40s -o shared.xml >out 2>err
exits 0 "PSUs that share the load" "$wattsink" check shared.xml
says out 'With one PSU lost: up to [0-9]+ W on each of the other 2: [1-9][0-9] %' "carry it with one of them lost"
exits 3 "nine cards of one slot" "$wattsink" new --gpus 9 --gpu gpu/h100-sxm -o nine.xml
says err 'takes at most 8 of these 1-slot cards, not 9' "are told without a plural of one"
exit $status
