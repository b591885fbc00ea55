#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Numbers in sentences on the pages under scenarios/, in both READMEs, in the FAQ and in a how-to must be those that the
# program computes. Each number is read from its page and compared with a run, within rounding and small changes of the model.
# If a sentence on a page changes, it must be changed here as well. shown.sh checks the outputs on pages.
set -u
. tests/golden/helpers.inc
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

ran() { # file under scenarios/, options: prints the run's summary on one line
    rig=$1; shift
    "$WATTSINK" run "scenarios/$rig" --json -q --force -o "$out/run" "$@" | tr -d '\n'
}
# says PAGE WORDS VALUE TOLERANCE: WORDS are text of the page with # in place of the number, VALUE is the program's
# number. PAGE is below scenarios/.
says() {
    sheet=$1 words=$2 found=$3
    case $sheet in */*) ;; *) sheet=$sheet/README.md ;; esac
    stands=$(tr '\n' ' ' <"scenarios/$sheet" | awk -v words="$words" '{
        gsub(/ +/, " "); at = index(words, "#"); before = substr(words, 1, at - 1); behind = substr(words, at + 1)
        while (before != "" && (at = index($0, before)) > 0) {
            $0 = substr($0, at + length(before))
            if (match($0, /^[-+]?[0-9][0-9,.]*[0-9]|^[-+]?[0-9]/) && index(substr($0, RLENGTH + 1), behind) == 1) {
                number = substr($0, 1, RLENGTH); gsub(/,/, "", number); print number; exit
            }
        }
        print "missing" }')
    is "$sheet: $words: the page has $stands, the program $found" "$stands - ($found) <= $4 && ($found) - ($stands) <= $4"
}
mean() { of "$1" die_mean_c "${2:-}"; }
loud() { of "${1##*\"cpu_max_c\"}" noise_dba; } # the rig's noise level, which comes after those of the single fans
kw() { calc "$(of "$1" wall_peak_w) / 1000"; }

p=aio-4090
a=$(point $p/rig.xml)
says $p '**# °C with its fans' "$(mean "$a")" 1
says $p 'fans at # rpm**' "$(of "$a" fan_mean_rpm)" 40
says $p 'leaves them; # °C at 1,400' "$(mean "$(point $p/rig.xml --set gpu.fan=1400rpm)")" 1
says $p '1,400 rpm and # at 2,000' "$(mean "$(point $p/rig.xml --set gpu.fan=2000rpm)")" 1
b=$(point $p/rig.xml --set gpu.cooler.direction=intake)
says $p 'the case is # K warmer' "$(of "$b" air_mean_c) - $(of "$a" air_mean_c)" 1
is "$p: the die is the same" "$(mean "$a") - $(mean "$b") < 1.5 && $(mean "$b") - $(mean "$a") < 1.5"

p=bench-1080
a=$(ran $p/open-air.xml) b=$(ran $p/blower.xml)
says $p '| # °C, half a kelvin' "$(of "$b" die_max_c)" 0.6
says $p 'its target; # dBA |' "$(loud "$b")" 1
says $p '| # °C, 31 dBA |' "$(mean "$a")" 1
says $p '70 °C, # dBA |' "$(loud "$a")" 1
for class in class-open-air-200 generic-open-air; do
    c=$(ran $p/open-air.xml --set gpu.cooler=cooler/$class)
    says $p "\`$class\` | # °C" "$(mean "$c")" 1
done

p=bronze-vs-gold
says $p '196 kWh and **# USD' "$(of "$(ran $p/bronze.xml)" annual) - $(of "$(ran $p/gold.xml)" annual)" 0.02
bronze=$(ran $p/bronze-tier.xml) gold=$(ran $p/gold-tier.xml) titanium=$(ran $p/titanium-tier.xml)
says $p '83.6 % | # ±' "$(of "$bronze" annual)" 1
says $p '88.3 % | # ±' "$(of "$gold" annual)" 1
says $p '91.8 % | # ±' "$(of "$titanium" annual)" 1
says $p 'Bronze | # % |' "100 * $(of "$bronze" efficiency_mean)" 0.1
says $p 'Gold | # % |' "100 * $(of "$gold" efficiency_mean)" 0.1
says $p 'Titanium | # % |' "100 * $(of "$titanium" efficiency_mean)" 0.1
says $p 'stays: # USD a year' "$(of "$bronze" annual) - $(of "$gold" annual)" 0.1
a=$(ran $p/tokyo.xml --set psu=psu/tier-bronze-1600) b=$(ran $p/tokyo.xml --set psu=psu/tier-gold-1600) c=$(ran $p/tokyo.xml --set psu=psu/tier-titanium-1600)
says $p '| # JPY | | Gold' "$(of "$a" annual)" 300
says $p '**# ± 2,200 JPY less** | | Titanium' "$(of "$a" annual) - $(of "$b" annual)" 150
says $p '**# ± 2,200 JPY less** | The' "$(of "$a" annual) - $(of "$c" annual)" 200

p=fan-dies
a=$(ran $p/server-three.xml)
says $p 'never: # % less work' "100 * $(of "$a" lost_fraction) * 8 / 5" 0.7
a=$(ran $p/server-one.xml --set site.room.temperature=32degC)
says $p 'two minutes; # % of the eight' "100 * $(of "$a" lost_fraction)" 0.3

p=h100-4u
a=$(point $p/rig.xml) b=$(point $p/rig.xml --set site.room.temperature=35degC)
says $p 'All eight run at # °C' "$(mean "$a")" 1
says $p 'HBM2e at # °C' "$(of "$a" memory_max_c)" 1
says $p 'dies at # °C and the memory' "$(mean "$b")" 1
says $p 'the memory at # °C' "$(of "$b" memory_max_c)" 1
says $p 'bill**: # rpm' "$(of "$a" rpm_mean)" 400
says $p 'rpm, # dBA and' "$(loud "$a")" 1
a=$(point $p/rig.xml --set 'gpu[*].power-limit=250W')
says $p 'of 250 W, # rpm' "$(of "$a" rpm_mean)" 300
says $p 'rpm and # dBA.' "$(loud "$a")" 1

p=home-100v-jp
for page in README.md README.ja.md; do
    [ $page = README.md ] && week='47 % | ' wall='280 W | ' || week='47 % | 約' wall='280 W制限 | '
    a=$(ran $p/rig.xml)
    says $p/$page "$wall# W | 47 %" "$(of "$a" wall_peak_w)" 10
    says $p/$page "$week#" "$(of "$a" run)" 100
    says $p/$page '| # %' "100 * $(of "$a" wall_peak_va) / 1500" 1
done
page=../README.ja.md a=$(ran $p/rig.xml) b=$(ran $p/rig.xml --set tariff=tariff/tepco-smart-life-s)
says $page '| 47 % | 約#円' "$(of "$a" run)" 100
says $page '1週間は#円' "$(of "$b" run)" 100
a=$(ran $p/four-100v.xml) b=$(ran $p/four-200v.xml)
says $page '| 108 % | 約#円' "$(of "$a" run)" 150
says $page '| 40 % | 約#円' "$(of "$b" run)" 150
says $p 'no limit | # W at first' "$(of "$a" wall_peak_w)" 20
says $p 'at first | # %: over it' "100 * $(of "$a" wall_peak_va) / 1500" 1.5
says $p 'over it for # h |' "$(of "${a##*\"circuit\"}" over_limit_s) / 3600" 1
says $p 'for 6.6 h | # JPY' "$(of "$a" run)" 200
says $p '200 V, 20 A | # W' "$(of "$b" wall_peak_w)" 20
says $p '| 40 % | # JPY' "$(of "$b" run)" 200
says $p '200 V saves # JPY' "$(of "$a" annual) - $(of "$b" annual)" 150
c=$(ran $p/four-100v.xml --set 'gpu[*].power-limit=280W')
says $p 'the four take # W' "$(of "$c" wall_peak_w)" 20
says $page '| 93 % | 約#円' "$(of "$c" run)" 150
says $page '仕事量の減りは# %' "100 * (1 - $(of "$c" done) / $(of "$a" done))" 0.6
says $p 'and do # % less' "100 * (1 - $(of "$c" done) / $(of "$a" done))" 0.6
says $p 'costs # JPY instead' "$(of "$(ran $p/rig.xml --set tariff=tariff/tepco-smart-life-s)" run)" 100

p=limit-sweep-3090
a=$(point $p/rig.xml --set gpu.power-limit=330W) b=$(point $p/rig.xml --set gpu.power-limit=390W)
says $p 'the plateau ends. # % more work for' "100 * ($(of "$b" work_rel) / $(of "$a" work_rel) - 1)" 1
says $p 'more work for # %' "100 * ($(of "$b" power_mean_w) / $(of "$a" power_mean_w) - 1)" 1.5
says $p 'more power, # dBA' "$(loud "$b") - $(loud "$a")" 1
says $p 'memory at # °C' "$(of "$b" memory_max_c)" 1.5

p=mining-frame
a=$(ran $p/rig.xml) b=$(ran $p/rig.xml --set site.room.conductance=300W/K)
says $p 'case**: # kW' "$(kw "$a")" 0.03
says $p 'make it # °C' "$(of "$a" mean_c)" 1
says $p 'dies are at # °C' "$(mean "$a")" 1
says $p 'fans at # rpm.' "$(of "$a" fan_mean_rpm)" 60
says $p 'room is at # °C' "$(of "$b" mean_c)" 1
says $p 'the dies at # and' "$(mean "$b")" 1
says $p 'fans at # rpm, 7' "$(of "$b" fan_mean_rpm)" 60
says $p 'rpm, # dB less' "$(loud "$a") - $(loud "$b")" 1

p=pair-1080
a=$(ran $p/open-air.xml)
says $p 'between | # °C, 200 W | 74' "$(mean "$a" upper)" 1
says $p '77 °C, 200 W | # °C' "$(mean "$a" lower)" 1
a=$(ran $p/blower.xml)
says $p 'target of 82 °C, # W' "$(of "$a" power_mean_w upper)" 4
says $p '157 W | at its target, # W' "$(of "$a" power_mean_w lower)" 4
says $p '170 W | # %' "100 * $(of "$a" lost_fraction)" 0.6
a=$(ran $p/open-air-over-blower.xml)
says $p 'touching | at its target, # W | at' "$(of "$a" power_mean_w open)" 4
says $p '| # %, most of it above' "100 * $(of "$a" lost_fraction)" 0.8
a=$(ran $p/blower-over-open-air.xml)
says $p 'touching | at its target, # W | 72' "$(of "$a" power_mean_w blower)" 4
says $p 'W | # °C, 200 W | 7 %' "$(mean "$a" open)" 1
says $p '200 W | # %, all' "100 * $(of "$a" lost_fraction)" 0.8
says $p 'one blower | at its target, # W' "$(of "$(ran $p/alone.xml)" power_mean_w)" 4

p=quad-2080-openair
a=$(ran $p/rig.xml)
says $p 'about # %; three' "100 * $(of "$a" lost_fraction)" 0.8
says $p 'the last # °C' "$(mean "$a" gpu3)" 1
says $p 'its air is at # °C' "$(of "$a" air_mean_c)" 1
says quad-2080-blower 'cards run at #.' "$(of "$a" fan_mean_rpm)" 60
says $p 'one card | none | # °C' "$(mean "$(ran $p/alone.xml)")" 1
b=$(ran quad-2080-blower/rig.xml)
says quad-2080-blower 'fans run at # rpm' "$(of "$b" fan_mean_rpm)" 60
says quad-2080-blower 'case air is # K cooler' "$(of "$a" air_mean_c) - $(of "$b" air_mean_c)" 1
says $p 'cards lose # %, and three' "100 * $(of "$(ran $p/rig.xml --set 'gpu[*].thickness=37.6mm')" lost_fraction)" 0.8
says $p '1 mm they lose # %' "100 * $(of "$(ran $p/rig.xml --set 'gpu[*].thickness=39.6mm')" lost_fraction)" 2

p=quad-3090-15a
a=$(ran $p/350.xml) b=$(ran $p/280.xml) c=$(ran $p/250.xml)
says $p '| # %: too small' "100 * $(of "$a" load_peak)" 1
says $p '| # kW at first' "$(kw "$a")" 0.02
says $p '| # %: tight' "100 * $(of "$b" load_peak)" 1
says $p 'tight | # kW' "$(kw "$b")" 0.02
says $p '250 W | # %' "100 * $(of "$c" load_peak)" 1
says $p '87 % | # kW' "$(kw "$c")" 0.02
says $p '280 W **# %** less' "100 * (1 - $(of "$b" done) / $(of "$a" done))" 0.5
says $p '2 % and **# %**' "100 * $(of "$b" lost_to_limit_fraction)" 0.6
says $p 'too far: # and' "100 * (1 - $(of "$c" done) / $(of "$a" done))" 1
says $p '17 and # %' "100 * $(of "$c" lost_to_limit_fraction)" 1

p=quad-3090-blower
a=$(ran $p/rig.xml)
says $p 'at most about # W' "$(of "$a" wall_peak_w)" 15
says $p 'it would draw about # W' "$(of "$(ran $p/rig.xml --for 1d --set 'gpu[*].power-limit=350W')" wall_peak_w)" 20
says $p '(about # W)' "$(of "$(ran $p/rig.xml --for 1d --set 'gpu[*].power-limit=310W')" wall_peak_w)" 20
says $p 'It costs 7 to # %' "100 * $(of "$a" lost_to_limit_fraction)" 0.7
says $p 'it would be # %' "100 * $(of "$(ran $p/rig.xml --for 1d --set 'gpu[*].power-limit=250W')" lost_to_limit_fraction)" 1.5
says $p 'sit at about # °C' "$(mean "$a" gpu0)" 1
says $p 'stays # °C cooler' "$(mean "$a" gpu0) - $(mean "$a" gpu3)" 1
says $p 'about # kWh' "$(of "$a" wall_kwh)" 3
says $p 'kWh and # USD' "$(of "$a" run)" 1
page=../README.md
says $page 'at most # W at the wall' "$(of "$a" wall_peak_w)" 2
says $page 'settle at # °C, the fourth' "$(mean "$a" gpu0)" 0.6
says $page 'below it, at # °C' "$(mean "$a" gpu3)" 0.6
says $page 'A week costs # USD' "$(of "$a" run)" 0.6
says $page 'The parts cost # USD' "$(of "$a" purchase)" 1
says $page '1600 W is # % loaded' "100 * $(of "$a" load_peak)" 0.6
says $page 'At # dBA the machine' "$(loud "$a")" 0.6
sized=$("$WATTSINK" check scenarios/$p/rig.xml 2>/dev/null | sed -n 's/.*Recommended PSU: \([0-9]*\) W.*/\1/p')
says $page 'loaded; # W would do' "${sized:-0}" 1
says $page 'USD: # kWh for the machine' "$(of "$a" wall_kwh)" 1
says $page 'machine and # kWh' "$(of "$a" room_cooling_kwh)" 1
says $page 'costs # % of the throughput' "100 * $(of "$a" lost_to_limit_fraction)" 0.6

p=redundant-8gpu
a=$(ran $p/rig.xml) b=$(ran $p/limited.xml)
says $p 'stands at # % of its rating' "100 * $(of "$a" load_peak)" 1.5
says $p 'stand at 73 and # %' "100 * $(of "$b" load_peak)" 1
says $p 'costs about # % of the work' "100 * $(of "$b" lost_to_limit_fraction)" 1

p=single-3090
a=$(ran $p/rig.xml)
says $p '300 W costs # %' "100 * $(of "$a" lost_to_limit_fraction)" 0.5
says $p 'settles at 77 to # °C' "$(of "$a" die_max_c)" 1
says $p 'case air of about # °C' "$(of "$a" air_mean_c)" 1
says $p 'at about # °C: GDDR6X' "$(of "$a" memory_max_c)" 1.5

p=spacing
for n in two three four; do
    a=$(ran $p/$n-open-air.xml)
    says $p "$n | open-air | # % (" "100 * $(of "$a" lost_fraction)" 0.6
done
says $p 'water | 0, # °C' "$(of "$(ran $p/four-water.xml)" die_max_c)" 1

p=sxm-air-vs-liquid
a=$(ran $p/air.xml) b=$(ran $p/liquid.xml)
says $p 'dies | # °C in the first' "$(mean "$a" front1)" 1
says $p 'first row, # in the second' "$(mean "$a" rear1)" 1
says $p 'in the second | # °C' "$(mean "$b")" 1
says $p 'wall | # kW' "$(of "$a" wall_kwh) / 6" 0.06
says $p 'fans | # kW' "$(of "$b" wall_kwh) / 6" 0.06
a=$(ran $p/air.xml --set workload.class=burn) b=$(ran $p/liquid.xml --set workload.class=burn)
says $p 'gpu-burn: dies | # and' "$(mean "$a" front1)" 1
says $p '57 and # °C' "$(mean "$a" rear1)" 1
says $p '66 °C | # °C' "$(mean "$b")" 1
says $p 'module | # MHz' "$(of "$a" clock_mean_mhz rear1)" 8
says $p 'MHz | # MHz' "$(of "$b" clock_mean_mhz)" 8
says $p 'gpu-burn | | # %' "100 * ($(of "$b" done) / $(of "$a" done) - 1)" 0.4

p=time-of-use-night
for rig in evening night always peak-limit; do
    a=$(ran $p/$rig.xml --leap --for 365d)
    says $p "$(case $rig in evening) echo "15 to 21 o'clock" ;; night) echo "0 to 6 o'clock" ;; always) echo 'always.xml` | round the clock' ;; *) echo 'from 16 to 21' ;; esac) | # +-" \
        "$(of "$a" annual)" 30
    eval "$(echo $rig | tr -d -)=$(of "$a" annual)"
done
says $p 'saves **# +-' "$evening - $night" 8
says $p 'evening saves # USD' "$always - $peaklimit" 10

page=../docs/howto/train-at-night.md
c=$(ran $p/always.xml)
says $page 'two weeks instead of #.' "$(of "$c" run)" 2
says $page 'schedule of limits costs # USD' "$(of "$(ran $p/always.xml --set 'gpu[*].limit-schedule=0 h:280 W, 16 h:200 W, 21 h:280 W')" run)" 2

page=../docs/faq.md
says $page 'changes the throughput by +0.8 to # %' "$("$WATTSINK" check scenarios/quad-3090-blower/rig.xml | sed -n 's/^ *thickness of .* throughput +0[.][0-9]* to \(-[0-9.]*\) %.*/\1/p')" 1.5

p=titan-positions
a=$(ran $p/top.xml) b=$(ran $p/bottom.xml)
says $p '2080 Ti, 9.66 ms | #' "$(of "$b" work_rel open)" 0.02
says $p 'TITAN, 21.69 ms | # (' "$(of "$a" work_rel titan)" 0.02
says $p '13.59 ms | #' "$(of "$a" work_rel lower)" 0.015

p=v100-memory
for limit in 150 175 200 225 250; do
    a=$(ran $p/rig.xml --set gpu.power-limit=${limit}W)
    case $limit in 175) row='**175 W** | 174 W | 978 MHz | **# %**' ;; *) row="| $limit W | $(case $limit in 150) echo '150 W | 846' ;; 200) echo '171 W | 965' ;;
        225) echo '172 W | 966' ;; 250) echo '173 W | 973' ;; esac) MHz | # %" ;; esac
    says $p "$row" "100 * $(of "$a" work_rel)" 0.5
done

p=water-3090
a=$(ran $p/rig.xml)
says $p 'Dies at # and' "$(mean "$a" gpu0)" 1
says $p 'Dies at 56 and # °C' "$(mean "$a" gpu1)" 1
says $p 'coolant at #**' "$(of "$a" coolant_mean_c)" 1
says $p '**# dBA**' "$(loud "$a")" 1
says $p 'hottest part, # °C' "$(of "$a" memory_max_c)" 1.5
says $p 'it is at #.' "$(of "$(ran $p/rig.xml --set 'gpu[0].pads=2')" memory_max_c)" 2
says $p 'the die is at # °C' "$(of "$(ran $p/light.xml)" die_max_c)" 1
exit $failed
