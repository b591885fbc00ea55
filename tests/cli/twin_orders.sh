#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Orders to a twin: each target with each event, in a rig with a room, an air conditioner, chassis fans and a card without
# fans; the client that a twin runs; speeds; and the rigs that are no twin.
. "$(dirname "$0")/helpers.inc"
. "$top/tests/fault/midway.inc"
twin=orders-$$
trap 'kill -9 $pid 2>/dev/null; rm -rf "$scratch" /dev/shm/wattsink.*.$twin' EXIT
export WATTSINK_TWIN="$twin"
pid=
cat >rig.xml <<'END'
<rig name="Orders">
  <site supply="230 V" circuit="16 A">
    <room volume="30 m3" conductance="60 W/K"><outdoor mean="19 degC" swing="4 K"/><air-conditioner capacity="2.8 kW" setpoint="27 degC"/></room>
    <tariff kind="flat" price="0.2 EUR/kWh"/>
  </site>
  <chassis part="chassis/full-tower-8-slot">
    <fan part="fan/generic-120-1500" at="front" count="3"/>
    <fan part="fan/generic-120-1500" at="rear"/>
    <psu part="psu/evga-1600-p2"/>
    <gpu part="gpu/rtx-3090" slot="1"/>
    <gpu part="gpu/l4" slot="5"/>
  </chassis>
  <workload kind="inference" class="training" gpus="gpu0"/>
  <run from="2026-07-01T12:00:00" zone="Europe/Berlin" for="14 d" step="1 s"/>
</rig>
END
answers() { "$wattsink" twin --read wall_w >/dev/null 2>&1 || ! kill -0 "$pid" 2>/dev/null; }
start() { # OPTION...
    "$wattsink" twin rig.xml "$@" >out 2>greeting &
    pid=$!
    soon answers
}
end() { kill $pid && wait $pid; }
value() { "$wattsink" twin --read "$1" | sed "s/^$1 //"; }
is() { if awk "BEGIN { exit !($1) }"; then pass "$2"; else fail "$2" "not $1"; fi; }
step() { exits 0 "$1" "$wattsink" twin --do "$1" --ask "{\"advance_s\": ${2:-1}}"; }
refused() { # PATTERN ORDER
    exits 3 "refused: $2" "$wattsink" twin --do "$2"
    says err "$1" "refused: $2: why"
}

# ---- orders ----
start --lockstep --writable
says greeting 'time passes by "advance_s" alone' "the greeting tells how time passes"
says greeting "twin --do 'gpu0.power-limit set [0-9]+ W'" "and has an order to try"
refused 'outside what a fan or pump takes' 'fan0 set 150 %'
step 'fan0 set 60 %' 60
slow=$(value fan0.rpm)
step 'fan0 set 100 %' 60
fast=$(value fan0.rpm)
is "$slow > 0 && $slow < $fast && $slow / $fast - 0.6 < 0.02 && 0.6 - $slow / $fast < 0.02" "a fan turns in proportion to what is set"
step 'fan0 fails' 30
is "$(value fan0.rpm) == 0" "a failed fan stands"
step 'fan0 returns' 60
is "$(value fan0.rpm) > 0" "and turns again"
step 'air-conditioner fails' 7200
is "$(value ac_on) == 0 && $(value ac_w) == 0" "a failed air conditioner takes nothing"
warm=$(value room.air_c)
step 'air-conditioner returns' 7200
is "$(value room.air_c) < $warm && $(value ac_w) > 0" "with it the room is cooler"
step 'gpu1.job set play 80 %' 60
is "$(value gpu1.power_w) > 40" "the card without work gets a job"
step 'gpu1.job returns' 60
is "$(value gpu1.power_w) < 30" "and rests again"
step 'gpu0.clock-lock set 99999 MHz'
step 'gpu0.clock-lock set 1 MHz 600 MHz' 5
is "$(value gpu0.clock_mhz) <= 600" "a lock below the card's clocks begins at its lowest"
step 'gpu0.clock-lock returns'
step 'gpu0.persistence set off'
exits 0 "smi shows the setting" "$wattsink" smi --query-gpu=persistence_mode --format=csv,noheader -i 0
says out '^Disabled$' "it is off"
step 'gpu0.persistence set on'
for target in gpu0.persistence gpu0.clock-lock gpu0.job gpu0.power-limit; do refused 'no such event' "$target fails"; done
for order in 'fan0 lost' 'circuit lost' 'psu0 set 1' 'air-conditioner set 1' 'air-conditioner lost' 'room fails' 'gpu0 fails' 'gpu0.fan lost'; do
    refused 'no such event' "$order"
done
for order in 'gpu1.fan set 50 %' 'gpu1.fan fails' 'gpu0.colour set 1' 'fan9 fails' 'gpu0x set 1'; do refused 'no such target' "$order"; done
refused 'no such target; expected such as gpu0.power-limit, ' 'gpu0.powerlimit set 200 W'
refused 'this target takes; expected one with its unit, such as 200 W' 'gpu0.power-limit set 200'
refused 'outside what the card takes, [0-9]+ to [0-9]+ W' 'gpu0.power-limit set 9000 W'
refused "outside what the card's fans take, [0-9]+ to 100 %" 'gpu0.fan set 101 %'
long=$(printf '%070d' 1)
for order in 'room set warm' 'fan0 set much' 'gpu0.power-limit set 200 W 300 W' "gpu0.power-limit set 0.$long W" 'gpu0.job set a b' \
    "gpu0.job set $long" 'gpu0.clock-lock set 1 MHz 2 MHz 3 MHz' 'gpu0.fan set 1e400 %'; do
    refused 'not the value that this target takes' "$order"
done
for order in 'gpu0.job set a 0 %' 'gpu0.fan set 101 %' 'fan0 set 300 %' 'gpu0.clock-lock set 900 MHz 300 MHz' 'gpu0.power-limit set 1e300 W'; do
    refused 'outside what' "$order"
done
refused 'from -50 to 70|-50' 'room set -60 degC'
for order in '   ' "$long$long$long fails" 'gpu0 goes' 'gpu0.fan returns 1'; do refused 'an order is TARGET' "$order"; done
# Without mains a card cannot return. A card off the bus takes no orders for fan, job and clock.
step 'psu0 fails'
refused 'no mains|power' 'gpu0 returns'
step 'psu0 returns' 20
step 'gpu0 lost'
for order in 'gpu0.fan set 50 %' 'gpu0.job set a' 'gpu0.clock-lock returns'; do refused 'off the bus|lost' "$order"; done
step 'gpu0.fan fails'
step 'gpu0.fan returns'
step 'gpu0 returns' 20
is "$(value gpu0.power_w) > 100" "the card works again"
exits 3 "several values, one unknown" "$wattsink" twin --ask '{"read": ["gpu1.power_w", "gpu9.x"]}'
says err "gpu9\.x" "which is named"
exits 3 "an order, then no more" "$wattsink" twin --do 'gpu9 lost' --ask '{"advance_s": 1}' --read wall_w
[ ! -s out ] && pass "the later questions are not asked" || fail "the later questions are not asked" "$(cat out)"
exits 0 "the scorecard" "$wattsink" twin --ask '{"score": true}'
says out '"currency": "EUR"' "has the currency of the rig"
exits 3 "lockstep has no speed" "$wattsink" twin --ask '{"speed": 60}'
end
start --lockstep --writable --set 'gpu[0].limit-schedule=9:00:250 W, 21:00:300 W'
step 'gpu0.power-limit set 200 W' 60
step 'gpu0.power-limit returns' 60
is "$(value gpu0.power_limit_w) == 250" "a limit that returns is that of the schedule"
end

# ---- speeds ----
start --writable
says greeting 'in real time' "the greeting tells the speed"
for line in '{"speed": 60}' '{"speed": "max"}' '{"speed": 1e6}'; do exits 0 "$line" "$wattsink" twin --ask "$line"; done
for line in '{"speed": "fast"}' '{"speed": 0}' '{"speed": 2e6}' '{"speed": [1]}'; do exits 3 "refused: $line" "$wattsink" twin --ask "$line"; done
end
start --speed 60 -q
[ ! -s greeting ] && pass "-q has no greeting" || fail "-q has no greeting" "$(cat greeting)"
end
start --speed max
says greeting 'as fast as it goes' "max is told"
end
start --speed 2.5
says greeting '2\.5 times as fast as real time' "so is a speed"
end

# ---- where the socket is ----
for place in relative "/tmp/$long/$long" "$scratch/none/there"; do
    XDG_RUNTIME_DIR=$place
    export XDG_RUNTIME_DIR
    start -q
    exits 0 "another folder than $(echo "$place" | cut -c 1-20) is taken" "$wattsink" twin --read wall_w
    end
done
unset XDG_RUNTIME_DIR

# ---- a client ----
client() { # CODE NAME SCRIPT: a twin with this client
    exits "$1" "$2" env LD_LIBRARY_PATH=/nowhere "$wattsink" twin rig.xml -- sh -c "$3" "$wattsink"
}
client 0 "a client finds the stand-in first" 'case $LD_LIBRARY_PATH in */twin:/nowhere | */wattsink:/nowhere) exit 0 ;; esac; echo "$LD_LIBRARY_PATH" >&2; exit 1'
: >plain
exits 126 "a client whose file is not executable" "$wattsink" twin rig.xml -- ./plain
"$wattsink" twin rig.xml -- sh -c 'trap "exit 5" TERM; : >ready; while :; do read -r _ <tick; done' >out 2>err &
pid=$!
mkfifo tick
ready() { [ -e ready ] || ! kill -0 "$pid" 2>/dev/null; }
soon ready
kill -TERM $pid
while kill -0 $pid 2>/dev/null && ! timeout 1 sh -c 'echo >tick'; do :; done &
wait $pid
[ $? = 5 ] && pass "a signal goes to the client, and its exit code back" || fail "a signal goes to the client, and its exit code back" "$(cat err)"

# ---- what is no twin ----
for seed in x 1.5 1x 1e16; do exits 2 "--seed $seed" "$wattsink" twin rig.xml --seed $seed; done
exits 2 "asking with a rig" "$wattsink" twin rig.xml --do 'gpu0 lost'
exits 2 "asking with a command" "$wattsink" twin --do 'gpu0 lost' -- true
exits 2 "a history with an address" "$wattsink" twin rig.xml --backfill x.om --listen 127.0.0.1:0
exits 2 "--backfill of a twin that clients steer" "$wattsink" twin rig.xml --backfill x.om --writable
exits 2 "--backfill in lockstep" "$wattsink" twin rig.xml --backfill x.om --lockstep
exits 2 "--backfill with a client" "$wattsink" twin rig.xml --backfill x.om -- true
exits 2 "--for without --backfill" "$wattsink" twin rig.xml --for 1h
for every in x 1 '1 s 2 s' 0.5s; do exits 2 "--every $every" "$wattsink" twin rig.xml --backfill x.om --every "$every"; done
exits 2 "--backfill with a seed that is no number" "$wattsink" twin rig.xml --backfill x.om --seed x
exits 1 "a history that cannot be written" "$wattsink" twin rig.xml --backfill nowhere/x.om --for 10min -q
says err 'nowhere/x\.om' "the file is named"
sed '/<gpu/d; s/ gpus="gpu0"//' rig.xml >none.xml
exits 3 "a rig without a card" "$wattsink" twin none.xml -q
{
    printf '<rig name="Many">'
    for c in 1 2; do
        printf '<chassis slots="40"><psu part="psu/tier-gold-1600"/>'
        for k in $(seq $((31 + c))); do printf '<gpu part="gpu/generic" tdp="15 W" slots="1" slot="%s"/>' "$k"; done
        printf '</chassis>'
    done
    printf '<workload class="training"/></rig>'
} >many.xml
exits 3 "65 cards" "$wattsink" twin many.xml -q
says err 'at most 64 cards' "are too many"
sed 's|gpu/rtx-3090|gpu/mi100|; /l4/d' rig.xml >amd.xml
"$wattsink" twin amd.xml -q >out 2>err &
pid=$!
soon answers
exits 6 "a card of another maker is none for smi" "$wattsink" smi
says out '^No devices were found' "it says so"
exits 0 "the twin reads it" "$wattsink" twin --read gpu0.power_w
exits 0 "a history of it" "$wattsink" twin amd.xml --backfill amd.om --for 5min --every 1min -q
says amd.om '^wattsink_gpu_die_celsius\{id="gpu0"' "has its values"
end
exit $status
