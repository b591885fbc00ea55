#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/helpers.inc"
cat >rig.xml <<'END'
<rig name="r"><site supply="230 V" circuit="16 A"><room temperature="25 degC"/><tariff price="0.3 EUR/kWh"/></site>
<chassis part="chassis/full-tower-8-slot"><fan part="fan/generic-120-1500" at="front" count="3"/><psu part="psu/tier-gold-1600"/><gpu part="gpu/rtx-3090-blower" slot="1" power-limit="280 W"/></chassis>
<workload class="training"/><run from="2026-08-03T09:00:00" zone="Europe/Berlin" for="1 d"/></rig>
END
exits 0 "the rig itself is right" "$wattsink" check rig.xml
exits 0 "blanks around a value" "$wattsink" check rig.xml --set 'gpu.power-limit =  250 W '
for lowest in '-50 degC' '-58 degF' '223.15 K'; do
    exits 0 "a value at its lowest, $lowest" "$wattsink" check rig.xml --set "room.temperature=$lowest"
done
exits 3 "a value below its lowest" "$wattsink" check rig.xml --set 'room.temperature=-50.001 degC'

# Each row is PATH=VALUE|WORDS: the message says WORDS. If WORDS contain no hint ("did you mean"), the message has none.
while IFS='|' read -r set words; do
    "$wattsink" check rig.xml --set "$set" >out 2>err
    got=$? said=$(head -1 err)
    case $got,$said in
    3,*"$words"*)
        case $said,$words in
        *"did you mean"*,*"did you mean"*) pass "$set" ;;
        *"did you mean"*) fail "$set: no hint" "$said" ;;
        *) pass "$set" ;;
        esac
        ;;
    *) fail "$set" "exit $got: $said" ;;
    esac
done <<'END'
run.for=3 w|did you mean "3 week"
run.for=2 months|did you mean "60 d"
site.supply=120 VAC|did you mean "120 V"
site.supply=AC100V|did you mean "100V"
site.supply=DC 48V|did you mean "48V"
site.supply=１００Ｖ|did you mean "100V"
site.supply=300 watt|"300 watt" has an unknown unit
room.temperature=−5 °C|did you mean "-5 degC"
room.temperature=~25 degC|did you mean "25 degC"
room.temperature=ca. 25 degC|did you mean "25 degC"
room.temperature=25 Celsius|did you mean "25 degC"
tariff.price=30 ct/kWh|did you mean "0.3 EUR/kWh"
tariff.price=$0.16/kWh|did you mean "0.16 USD/kWh"
tariff.price=$x/kWh|"$x/kWh" is not a number
tariff.price=0.16 $|did you mean "0.16 USD/kWh"
tariff.price=0.16 €/kW/h|did you mean "0.16 EUR/kWh"
tariff.price=0.16 USD/kW/h|did you mean "0.16 USD/kWh"
tariff.price=0.16 USD/kW/hour|"0.16 USD/kW/hour" has an unknown unit
tariff.price=0.16 usd/kWh|did you mean "0.16 USD/kWh"
tariff.price=0.16 usd|did you mean "0.16 USD/kWh"
tariff.price=0.16 usdx|"0.16 usdx" has an unknown unit
gpu.power-limit=1,000 W|did you mean "1000 W" or "1.000 W"
gpu.power-limit=1,00 W|did you mean "1.00 W"
gpu.power-limit=1.000,5 W|did you mean "1000.5 W"
gpu.power-limit=1,000.5 W|did you mean "1000.5 W"
gpu.power-limit=1'000 W|did you mean "1000 W"
gpu.power-limit=1.000.000 W|did you mean "1000000 W"
gpu.power-limit=1.2.3 W|"1.2.3 W" is not a number
gpu.power-limit=0.000.300 W|"0.000.300 W" is not a number
gpu.power-limit=,300 W|did you mean ".300 W"
gpu.power-limit=1,0000 W|did you mean "1.0000 W"
gpu.power-limit=1000,000 W|did you mean "1000.000 W"
gpu.power-limit=1,00,000 W|"1,00,000 W" is not a number
gpu.power-limit=300 volt|"300 volt" has an unknown unit
gpu.power-limit=300 foo|"300 foo" has an unknown unit
gpu.power-limit=300|did you mean "300 W"
gpu.power-limit=300 w|did you mean "300 W"
gpu.power-limit=3000000000000000000000000000000000000000000000|"3000000000000000000000000000000000000000000000" has no unit
gpu.power-limit=30000000000000000000000000000000000000000000 w|"30000000000000000000000000000000000000000000 w" has an unknown unit
gpu.power-limit=|there is no value
gpu.power-limit=+-300 W|did you mean "300 W"
gpu.power-limit=inf W|"inf W" is not a number
gpu.tdp=0 W|"0 W" is out of range
gpu.tdp=-3 W|did you mean "3 W"
fan.count=2.5|"2.5" is not a whole number
fan.count=0|"0" is out of range
fan.count=1e30|"1e30" is too large to be a number
psu.efficiency-50=92|did you mean "92 %"
psu.efficiency-50=200 %|"200 %" is out of range
psu.efficiency-50=30000|"30000" is out of range
run.from=2026-08-03 09:00:00|did you mean "2026-08-03T09:00:00"
run.from=2026-08-03 xx|"2026-08-03 xx" is not a date
run.from=2026-08-03T09:00:00Z|did you mean "2026-08-03T09:00:00"
run.from=2026-08-03T09:00:00+02:00|did you mean "2026-08-03T09:00:00"
run.from=2026-08-03T99:00:00Z|"2026-08-03T99:00:00Z" is not a date
run.from=3.8.2026|did you mean "2026-08-03T00:00:00"
run.from=8/3/2026|did you mean "2026-08-03T00:00:00"
run.from=31/12/2026|did you mean "2026-12-31T00:00:00"
run.from=32.13.2026|"32.13.2026" is not a date
run.from=3.8.26|"3.8.26" is not a date
run.from=3.8.2026x|"3.8.2026x" is not a date
run.from=3_8_2026|"3_8_2026" is not a date
run.from=123.8.2026|"123.8.2026" is not a date
run.from=2026-31-12|did you mean "2026-12-31"
run.from=2026-31-32|"2026-31-32" is not a date
run.from=2026-31-12T00000000000000000000000000000000000|"2026-31-12T00000000000000000000000000000000000" is not a date
run.from=2026-08-03T09:00:00 and a long text behind it|"2026-08-03T09:00:00 and a long text behind it" is not a date
run.from=|"" is not a date
gpu.part=rtx-3090-blower|did you mean "gpu/rtx-3090-blower"
gpu.part=parts/gpu/rtx-3090-blower.xml|did you mean "gpu/rtx-3090-blower"
gpu.part=gpu/3090|there is gpu/rtx-3090, 
gpu.part=gpu/|"gpu/" is not a part's name
gpu.part=/gpu|"/gpu" is not a part's name
gpu.part=../x|"../x" is not a part's name
psu.part=psu/tier_gold_1600|did you mean "psu/tier-gold-1600"
psu.kind=constant|kind "constant", but part psu/tier-gold-1600 is of kind "certified"
fan.at=back|did you mean "rear"
fan.at=zzz|"zzz" is unknown
gpu.slot=x|"x" is not a whole number
gpu.cooler.fan-curve=30 degC|"30 degC" is not a point of a curve
gpu.cooler.fan-curve=30 degC:1000 rpm; 40 degC:2000 rpm|points are joined by semicolons
gpu.cooler.fan-curve=30 degC:1000 rpm, 30 degC:2000 rpm|point "30 degC" is not above the one before it
gpu.cooler.fan-curve=30 W:1000 rpm|"30 W" is a power
gpu.cooler.fan-curve=30 degC:1000 W|"1000 W" is a power
gpu.cooler.fan-curve=,|"" is not a point of a curve
gpu[7].power-limit=3 W|there is no gpu[7]
gpu[99999999999].power-limit=3 W|there is no gpu[99999999999]
gpu[].power-limit=3 W|the path cannot be read
gpu[gpu0.power-limit=3 W|the path cannot be read
gpu..power-limit=3 W|the path cannot be read
gpu|this is not PATH=VALUE
=3|this is not PATH=VALUE
a.b.c.d.e.f.g.h.i.j.k.l=3|nothing in <rig> is called "a"
nme=3|did you mean "name"
gpu0.slot=2|did you mean "gpu[gpu0].slot"
chassis.gpu0.power-limit=200 W|did you mean "chassis.gpu[gpu0].power-limit"
workload.gpus=gpu0 gpu9|'gpu9' is not a card of this rig
workload.class=finetuning|did you mean "training"
workload.kind=constantt|did you mean "constant"
outdoor.temperature=3 degC|nothing in <outdoor> is called "temperature"
END
"$wattsink" kinds workload >out
says out '^ *measured-power .*; above 0, at most 100000 W$' "kinds tells a range that begins above 0"
"$wattsink" kinds tariff >out
says out '^ *standing-day .*; at least 0$' "and one that includes it"
exit $status
