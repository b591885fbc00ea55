#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Unusual calls of `sweep`: refused options, goals over several cards, cases near the best of a sample, and files that
# another program wrote or changed.
. "$(dirname "$0")/helpers.inc"
limits='--vary gpu.power-limit=200W,250W,300W'
refused() { # NAME PATTERN ARGUMENTS...
    name=$1 pattern=$2
    shift 2
    exits 2 "$name" "$wattsink" sweep two-cards.xml -q "$@"
    says err "$pattern" "$name: is told"
}
for number in '--jobs 0' '--jobs 1.5' '--jobs x' '--jobs 1025' '--jobs 2W'; do
    # shellcheck disable=SC2086 # unquoted, to be split into words
    refused "$number" "${number% *} '${number#* }': expected a whole number from 1 to 1024" $limits $number
done
for number in 0 -1 2000000 3.5; do
    refused "--sample $number" "--sample '$number': expected a whole number from 1 to 1000000" --vary gpu.power-limit=150W:350W --sample $number
done
# shellcheck disable=SC2086 # unquoted, to be split into words
{
    refused "a seed without a sample" 'seed is for --sample N' $limits --seed 3
    refused "a method without a sample" 'method is for --sample N' $limits --method lhs
    refused "both ways to treat a file" 'resume or --force, not both' $limits --resume --force
    refused "a format that there is not" "no format 'gif'" $limits --format gif --pareto 'min noise_dba, max gpus.work_rel'
    refused "no such stepper" 'stepper' $limits --stepper slow
    refused "a goal without a direction" "column 1: expected 'min' or 'max'" $limits --best 'least noise_dba'
    refused "a goal that is no key" "column 5: the summary has no key 'nothing'" $limits --best 'min nothing'
    refused "a goal that is a text" "column 5: 'rig' is no number" $limits --best 'min rig'
    refused "a goal of a front that is no key" "pareto, column 20: .*nothing" $limits --pareto 'min noise_dba, max nothing'
}
refused "a sample that has no method" "method 'x': expected lhs or sobol" --vary gpu.power-limit=150W:350W --sample 3 --method x
refused "two ways to set one value" "is varied twice" --vary gpu.power-limit=150W,350W --vary 'gpu[0].power-limit=150W,350W'
refused "a value that is set and varied" "'gpu.power-limit=300W' has no effect: --vary changes the same value" --vary gpu.power-limit=150W,350W --set gpu.power-limit=300W
refused "two values, one set and both varied" "'gpu\[0\].power-limit=300W' has no effect" --vary 'gpu[*].power-limit=150W,350W' --set 'gpu[0].power-limit=300W'
refused "a duration that is given and varied" "'run.for=1h' has no effect" --vary run.for=1h,2h --for 1h
exits 0 "a set value of which one card is varied" "$wattsink" sweep two-cards.xml --for 1min --vary 'gpu[0].power-limit=150W,250W' --set 'gpu[*].power-limit=300W' --columns steps -q -o part.csv
refused "a value twice" "'150W' is there twice" --vary gpu.power-limit=150W,350W,150W
refused "two linked values twice" "'150W & 250W' is there twice" --vary 'gpu[0].power-limit=150W,150W&gpu[1].power-limit=250W,250W'
exits 0 "one of two linked values twice" "$wattsink" sweep two-cards.xml --for 1min --vary 'gpu[0].power-limit=150W,150W&gpu[1].power-limit=250W,300W' --columns steps -q -o linked.csv
refused "a range without a step" 'it has no step' --vary gpu.power-limit=150W:350W
refused "nothing to vary" 'vary' --for 1h
exits 2 "standard input without a file" "$wattsink" sweep - $limits <two-cards.xml
says err 'needs -o FILE' "is told"
exits 2 "two rigs" "$wattsink" sweep two-cards.xml load.xml $limits
exits 3 "no rig" "$wattsink" sweep nothing.xml $limits

# ---- goals over the cards ----
value() { sed -n "s/.*\"best\": {.*\"$1\": \([-0-9.e+]*\).*/\1/p" out | head -n 1; }
holds() { if awk "BEGIN { exit !($1) }"; then pass "$2"; else fail "$2" "$1"; fi; }
cat >three.awk <<'END'
/<gpu / && !n++ { sub(/<gpu /, "<gpu power-limit=\"180 W\" ") }
{ print }
END
awk -f three.awk two-cards.xml >differ.xml
for goal in 'min sum(gpus.power_mean_w)' 'min mean(gpus.power_mean_w)' 'min min(gpus.power_mean_w)' 'min max(gpus.power_mean_w)'; do
    name=$(echo "$goal" | sed 's/min \([a-z]*\)(.*/\1/')
    exits 0 "the $name of the cards" "$wattsink" sweep differ.xml --for 10min --vary 'gpu[1].power-limit=200W,250W,300W' --best "$goal" --json -q --force -o "$name.csv"
    says out '"best": \{"id": 1, ' "the $name is least at the least limit"
done
exits 0 "without leaps" "$wattsink" sweep two-cards.xml --for 2d $limits --best 'max gpus.work_rel' --json -q -o plain.csv
steps=$(value steps)
exits 0 "with leaps" "$wattsink" sweep two-cards.xml --for 2d $limits --best 'max gpus.work_rel' --leap --json -q -o leap.csv
says out '"best_by_ticks": \{"value": 0\.[0-9]+, "met": true\}' "the best is confirmed step by step"
ticks=$(sed -n 's/.*"best_by_ticks": {"value": \([0-9.]*\).*/\1/p' out)
holds "$ticks > 0 && $ticks <= 1 && $steps == 172800" "with a number of the whole run"
exits 0 "a condition that no case keeps" "$wattsink" sweep two-cards.xml --for 10min $limits --best 'min noise_dba where gpus.power_mean_w < 10 W' -q -o none.csv
says out '^No case meets: gpus.power_mean_w < 10 W$' "is told"

free="--set tariff.price=0EUR/kWh --vary gpu.power-limit=200W,250W --for 10min -q --force -o free.csv"
exits 0 "work per cost where electricity is free" "$wattsink" sweep "$top/scenarios/own-card/rig.xml" --parts "$top/parts" $free --best 'max work.done / cost.run'
says out '^No case has a number for work\.done / cost\.run: it divides by zero\.$' "has no best, and it is said why"
exits 0 "cost per work there" "$wattsink" sweep "$top/scenarios/own-card/rig.xml" --parts "$top/parts" $free --best 'min cost.run / work.done'
says out '^All these cases are equal by cost\.run / work\.done; the first is shown as the best\.$' "has no better case, which is said"
exits 0 "work there" "$wattsink" sweep "$top/scenarios/own-card/rig.xml" --parts "$top/parts" $free --best 'max work.done'
lacks out 'are equal' "has one"
exits 0 "limits near each other" "$wattsink" sweep two-cards.xml --for 10min --vary gpu.power-limit=200W:202W:1W --best 'max work.done' --pareto 'max work.done, min circuits.wall_mean_w' -q -o near.csv
for found in '/^Best/,/^$/d; /^Pareto/,$d; s/^  best//' '1,/^Pareto/d'; do
    sed "$found" out | awk '/^ +[0-9]+ +20[0-2] W / { n++; if (seen[$4]++) twice = 1 } END { exit !(n > 1 && !twice) }' &&
        pass "have goals that tell them apart" || fail "have goals that tell them apart" "$(cat out)"
done

# ---- without a question ----
exits 0 "one column" "$wattsink" sweep two-cards.xml --for 10min $limits --columns work.done -o one.csv
says out '^ +work\.done$' "is shown"
exits 0 "two columns" "$wattsink" sweep two-cards.xml --for 10min $limits --columns rig,energy.wall_kwh,cost_per_work -o pair.csv
says out '^ +energy\.wall_kwh +cost_per_work$' "are shown in their order, without texts"

# ---- cases near the best ----
exits 0 "a sample" "$wattsink" sweep two-cards.xml --for 10min --vary gpu.power-limit=150W:350W --vary 'fan[*].speed=500rpm:1500rpm' \
    --sample 12 --seed 3 --method sobol --best 'min cost_per_work' -q -o sample.csv
set -- $(awk '$1 == "best" { b = $NF } $1 != "best" && $NF ~ /^0\.[0-9]+$/ && $1 ~ /^[0-9]+$/ { n++; if (b == "" || $NF + 0 < b + 0) bad = 1 } END { print n + 0, bad + 0 }' out)
[ "$1" -ge 3 ] && [ "$2" = 0 ] && pass "shows cases that are like the best, and no better" || fail "shows cases that are like the best, and no better" "$* $(cat out)"
exits 0 "the same sample" "$wattsink" sweep two-cards.xml --for 10min --vary gpu.power-limit=150W:350W --vary 'fan[*].speed=500rpm:1500rpm' \
    --sample 12 --seed 3 --method sobol -q -o again.csv
cmp -s sample.csv again.csv && pass "has the same cases" || fail "has the same cases" "$(diff sample.csv again.csv | head -c 300)"
exits 0 "a front of a sample" "$wattsink" sweep two-cards.xml --for 10min --vary gpu.power-limit=150W:350W --sample 20 --pareto 'min gpus.power_mean_w, max gpus.work_rel' -q -o front.csv
# Along the front both goals rise: no case of it is better in both.
awk '/^ +[0-9]+ / { p = $(NF - 1); w = $NF; if (n++ && (p + 0 < lastp + 0 || w + 0 < lastw + 0)) bad = 1; lastp = p; lastw = w } END { exit !(n > 5 && !bad) }' out &&
    pass "has no case that another one beats" || fail "has no case that another one beats" "$(cat out)"

sampled() { # NAME ARGUMENTS...: six sampled cases
    exits 0 "$1" "$wattsink" sweep two-cards.xml --for 10min --vary gpu.power-limit=150W:350W --sample 6 --seed 3 -q -o "$@"
}
sampled usual.csv && sampled lhs.csv --method lhs
cmp -s usual.csv lhs.csv && pass "lhs is the usual method" || fail "lhs is the usual method" "$(diff usual.csv lhs.csv | head -c 300)"
axes=
for n in $(seq 41); do axes="$axes --vary x$n.y=1:2"; done
# shellcheck disable=SC2086 # unquoted, to be split into words
refused "more axes than a sample has" 'sample: at most 40 axes' $axes --sample 5
# shellcheck disable=SC2086 # unquoted, to be split into words
{
    exits 0 "the best, and a front, of leaps" "$wattsink" sweep two-cards.xml --for 2d $limits --best 'max gpus.work_rel' \
        --pareto 'min gpus.power_mean_w * 2, max gpus[1].work_rel' --leap -q -o both.csv
    says out '^The best case, simulated by ticks: 0\.[0-9]+$' "the best is confirmed in words"
    exits 0 "leaps without a best case" "$wattsink" sweep two-cards.xml --for 10min $limits --leap --json -q -o unmet.csv \
        --best 'min noise_dba where gpus.power_mean_w < 10 W' --pareto 'min noise_dba, max gpus.work_rel where gpus.power_mean_w < 10 W'
    says out '"best": null' "name none"
    grep -q 'best_by_ticks' out && fail "and no best case is checked by ticks" "$(cat out)" || pass "and no best case is checked by ticks"
    says out '"pareto": \[\]' "and no front"
}
if command -v gnuplot >/dev/null; then
    says both.plots/pareto.gp "gpus\.power_mean_w \* 2" "an axis of the picture is named by its expression"
    says both.plots/pareto.gp "gpus\[1\]\.work_rel" "and by the card"
fi

# ---- files ----
exits 3 "a file that is there" "$wattsink" sweep two-cards.xml --for 10min $limits -q -o plain.csv
says err 'plain\.csv' "is named"
exits 3 "other settings" "$wattsink" sweep two-cards.xml --for 10min $limits -q -o plain.csv --resume
says err 'cannot be resumed' "are told"
exits 3 "another rig" "$wattsink" sweep differ.xml --for 2d $limits -q -o plain.csv --resume
exits 3 "one more value" "$wattsink" sweep two-cards.xml --for 2d $limits,350W -q -o plain.csv --resume
says err 'it has other axes \(gpu.power-limit=200W,250W,300W; now gpu.power-limit=200W,250W,300W,350W\)' "is told"
cp sample.csv.sqlite whole.sqlite
head -c 5000 whole.sqlite >sample.csv.sqlite
exits 3 "a store that is cut" "$wattsink" sweep two-cards.xml --for 10min --vary gpu.power-limit=150W:350W --vary 'fan[*].speed=500rpm:1500rpm' \
    --sample 12 --seed 3 --method sobol -q -o sample.csv --resume
says err 'sample\.csv\.sqlite' "is named"
echo 'no database, but a text that is longer than the head of one, which has one hundred bytes and then its first page' >sample.csv.sqlite
exits 3 "a store that is none" "$wattsink" sweep two-cards.xml --for 10min --vary gpu.power-limit=150W:350W --vary 'fan[*].speed=500rpm:1500rpm' \
    --sample 12 --seed 3 --method sobol -q -o sample.csv --resume
exits 0 "it is replaced if forced" "$wattsink" sweep two-cards.xml --for 10min --vary gpu.power-limit=150W:350W --vary 'fan[*].speed=500rpm:1500rpm' \
    --sample 12 --seed 3 --method sobol -q -o sample.csv --force
cmp -s sample.csv again.csv && pass "by the same cases" || fail "by the same cases"
# --resume refuses a file that another program has changed, or simulates its changed cases again, with a message.
if command -v sqlite3 >/dev/null; then
    resumed() { # CODE NAME PATTERN SQL
        cp whole.db three.csv.sqlite
        sqlite3 three.csv.sqlite "$4"
        # shellcheck disable=SC2086 # unquoted, to be split into words
        exits "$1" "$2" "$wattsink" sweep two-cards.xml --for 10min $limits -o three.csv --resume
        says err "$3" "$2: is told"
    }
    # shellcheck disable=SC2086 # unquoted, to be split into words
    exits 0 "a whole sweep" "$wattsink" sweep two-cards.xml --for 10min $limits -q -o three.csv
    cp three.csv.sqlite whole.db && cp three.csv whole.csv
    resumed 0 "as it is" 'resumed with 3 of 3 cases' ''
    resumed 3 "no version" 'three\.csv\.sqlite does not hold a sweep; --force replaces it' "DELETE FROM meta WHERE key = 'version'"
    resumed 3 "another version" 'it was made by wattsink 0\.0\.1, this is' "UPDATE meta SET value = '0.0.1' WHERE key = 'version'"
    resumed 3 "no axes" 'it has other axes \(none; now' "DELETE FROM meta WHERE key = 'axes'"
    resumed 3 "other options" 'it has other options \(mine; now' "UPDATE meta SET value = 'mine' WHERE key = 'options'"
    resumed 3 "no columns" 'its list of columns is missing' "DELETE FROM meta WHERE key = 'columns'"
    resumed 3 "fewer columns" "it has no column 'noise_dba'" "UPDATE meta SET value = replace(value, 'noise_dba', 'noise') WHERE key = 'columns'"
    resumed 3 "another rig" 'it belongs to another rig \(digest 0123, this one has' "UPDATE meta SET value = '0123' WHERE key = 'rig_digest'"
    resumed 3 "another rig by no settings" 'it has other settings \(none; now .*10 ?min' \
        "UPDATE meta SET value = '0123' WHERE key = 'rig_digest'; UPDATE meta SET value = '' WHERE key = 'settings'"
    resumed 3 "another rig by unknown settings" 'it belongs to another rig' \
        "UPDATE meta SET value = '0123' WHERE key = 'rig_digest'; DELETE FROM meta WHERE key = 'settings'"
    for change in 'DELETE FROM cases WHERE id = 2' "UPDATE cases SET status = 'out of memory' WHERE id = 2" \
        'UPDATE cases SET id = 9 WHERE id = 2' 'UPDATE cases SET id = -1 WHERE id = 2'; do
        resumed 0 "a case less by: $change" 'resumed with 2 of 3 cases' "$change"
        [ "$(sqlite3 three.csv.sqlite "SELECT count(*) FROM cases WHERE id BETWEEN 1 AND 3 AND status = 'ok'")" = 3 ] &&
            pass "it is simulated: $change" || fail "it is simulated: $change"
    done
    # Each row has a digest, so that a wrong value is noticed. A file of an earlier version has none, and is believed.
    old="ALTER TABLE cases DROP COLUMN row_digest; DELETE FROM meta WHERE key = 'row_digest'"
    for change in 'noise_dba = noise_dba + 1' "noise_dba = '30'" 'noise_dba = NULL' "status = 'ok '" 'row_digest = NULL' "row_digest = 'f'" 'id = 7'; do
        resumed 0 "a damaged row by: $change" 'resumed with 2 of 3 cases' "UPDATE cases SET $change WHERE id = 2"
        says err '^wattsink: three\.csv\.sqlite: 1 row is damaged, that of case [27]; the case runs again$' "it is told: $change"
        cmp -s three.csv whole.csv && pass "it is mended: $change" || fail "it is mended: $change" "$(diff three.csv whole.csv)"
        [ "$(sqlite3 three.csv.sqlite 'SELECT * FROM cases' | cksum)" = "$(sqlite3 whole.db 'SELECT * FROM cases' | cksum)" ] &&
            pass "the rows are those of before: $change" || fail "the rows are those of before: $change"
    done
    resumed 0 "two damaged rows" '2 rows are damaged, first that of case 1; the cases run again' 'UPDATE cases SET noise_dba = 0 WHERE id != 2'
    for change in 'ALTER TABLE cases RENAME COLUMN noise_dba TO noise' 'ALTER TABLE cases RENAME COLUMN row_digest TO rows' \
        'ALTER TABLE cases DROP COLUMN row_digest' 'ALTER TABLE cases ADD COLUMN mine'; do
        resumed 3 "other columns by: $change" 'three\.csv\.sqlite is damaged: its columns are not those that the sweep made; --force' "$change"
    done
    resumed 0 "an earlier file" 'resumed with 3 of 3 cases' "$old"
    cmp -s three.csv whole.csv && pass "the rows of the earlier file are kept" || fail "the rows of the earlier file are kept"
    resumed 0 "an earlier file without a row" 'resumed with 2 of 3 cases' "$old; DELETE FROM cases WHERE id = 2"
    cmp -s three.csv whole.csv && pass "the missing row runs again" || fail "the missing row runs again"
    resumed 0 "an earlier file with an odd value" 'resumed with 3 of 3 cases' "$old; UPDATE cases SET noise_dba = 1 WHERE id = 2"
    resumed 1 "a case that has failed" 'resumed with 3 of 3 cases' "$old; UPDATE cases SET status = 'too odd' WHERE id = 2"
    says err '1 of 3 cases failed, .* the first is case 2 \(gpu\.power-limit=250W\)' "is counted"
else
    echo "skip what another program changed: no sqlite3"
fi
ln two-cards.xml rig.csv
exits 2 "a table over the rig itself" "$wattsink" sweep two-cards.xml --for 10min $limits -q -o rig.csv --force
says err '-o rig\.csv is the rig itself' "is told"
says rig.csv '<rig' "and the rig is kept"
: >file
exits 1 "a folder that cannot be made" "$wattsink" sweep two-cards.xml --for 10min $limits -q -o file/a.csv
says err 'file' "is named"
# Four cards of 350 W load a PSU of 850 W to 148 %. It costs less a year, but a PSU that carries them is ranked first.
exits 0 "a PSU that is too small" "$wattsink" sweep "$top/scenarios/quad-3090-blower/rig.xml" --for 1h --leap -q -o small.csv \
    --vary 'psu=psu/evga-supernova-850-t2,psu/tier-gold-1600' --best 'min cost.annual' --pareto 'min cost.annual, max work.done' --columns cost.annual
says out '^  best +2 +psu/tier-gold-1600 ' "is ranked behind one that carries the cards"
says out '^Cases not ranked, as they are overloaded, would trip or shut down from heat: 1$' "is told"
says out '^Pareto front .*: 1 of 2 cases$' "is not on the front"
exits 0 "PSUs of which all are" "$wattsink" sweep "$top/scenarios/quad-3090-blower/rig.xml" --for 1h --leap -q -o all.csv \
    --vary 'psu=psu/evga-supernova-850-t2,psu/evga-supernova-1000-t2' --best 'min cost.annual'
says out '^The best case is overloaded or would trip: no case is better in that\.$' "are told"
# 70 billion weights are about 43 GB at 4 bits and 74 GB at 8; two cards have 48 GiB.
serve() { # NAME QUANTS: the case that takes the most memory
    exits 0 "$1" "$wattsink" sweep "$top/scenarios/llama-70b-2x3090/rig.xml" --for 10min -q --force -o serve.csv --vary "workload.quant=$2" \
        --best 'max tokens.memory_gib' --pareto 'max tokens.memory_gib, min tokens.memory_gib' --columns tokens.memory_gib
}
serve "--best beside a model that does not fit into the memory" Q4_K_M,Q8_0
says out '^  best +1 +Q4_K_M ' "--best ranks a model that does not fit behind one that does"
says out '^Cases not ranked, .* or their model does not fit into the memory of the cards: 1$' "--best tells how many models do not fit"
says out '^Pareto front .*: 1 of 2 cases$' "--pareto has no model that does not fit"
serve "--best where no model fits into the memory" Q6_K,Q8_0
says out '^  best +2 +Q8_0 ' "--best ranks models among themselves if none fits"
says out '^The model of the best case does not fit into the memory of its cards: no case is better in that\.$' "--best tells that no model fits"

# ---- work that cannot be compared ----
# A GPU-hour is the work that a card does in an hour at its own limit, so GPU-hours of unlike cards cannot be compared.
unlike() { # CODE NAME ARGUMENTS...
    code=$1 name=$2
    shift 2
    exits "$code" "$name" "$wattsink" sweep "$top/scenarios/single-3090/rig.xml" --for 10min -q --force -o unlike.csv "$@"
}
cards='gpu.part=gpu/rtx-3090-open-air,gpu/rtx-4090'
for goal in 'max work.done' 'min cost_per_work' 'min cost.annual / work.done' 'max sum(gpus.work_rel)'; do
    unlike 0 "$goal of unlike cards" --vary "$cards" --best "$goal"
    says out '^No case is the best by .*: GPU-hours of GeForce RTX (3090|4090) and of GeForce RTX (3090|4090) are different amounts of work\.' "$goal of unlike cards has no best case"
    lacks out '^ *best' "$goal of unlike cards marks no case"
done
unlike 0 "--best and --pareto in GPU-hours of unlike cards, as JSON" --vary "$cards" --pareto 'max work.done, min noise_dba' --best 'max work.done' --json
says out '"best": null' "JSON has no best case of unlike cards"
says out '"no_best": "unlike-cards"' "JSON says why unlike cards have no best case"
says out '"pareto": \[\]' "JSON has no front of unlike cards"
says out '"no_pareto": "unlike-cards"' "JSON says why unlike cards have no front"
unlike 0 "--pareto in GPU-hours of unlike cards, as text" --vary "$cards" --pareto 'max work.done, min noise_dba'
says out '^No case is the best by work\.done: GPU-hours' "--pareto tells why unlike cards have no front"
absent unlike.plots "no picture is drawn of unlike cards"
unlike 0 "--best by the noise of unlike cards" --vary "$cards" --best 'min noise_dba'
says out '^  best' "the noise of unlike cards has a best case"
unlike 0 "--best in GPU-hours where only one kind of card meets the condition" --vary "$cards" --best 'max work.done where purchase < 1960'
says out '^  best' "a condition that one kind of card meets has a best case"
unlike 0 "--best in GPU-hours of one kind of card with two coolers" --vary gpu.part=gpu/rtx-3090-open-air,gpu/rtx-3090-blower --best 'max work.done'
says out '^  best' "GPU-hours of one kind of card are compared"
sed 's|<workload |<workload rate="30" unit="tokens" |' "$top/scenarios/single-3090/rig.xml" >counts.xml
count() { # NAME ARGUMENTS...
    name=$1
    shift
    exits 0 "$name" "$wattsink" sweep counts.xml --for 10min -q --force -o count.csv --best 'max work.count' "$@"
}
count "--best by the count of work with one rate for unlike cards" --vary "$cards"
says out '^No case is the best by work\.count: GeForce RTX (3090|4090) and GeForce RTX (3090|4090) have the rate of one card\.' "one rate is not taken for unlike cards"
count "--best by the count of work with a rate for each card" --vary "$cards&workload.rate=30,12"
says out '^  best +1 ' "unlike cards with a rate each are compared"
model='<workload model="model/llama-3.1-8b" quant="Q4_K_M" kind="inference" '
sed "s|<workload .*|$model/>|; /<\/workload>/d" "$top/scenarios/single-3090/rig.xml" >serves.xml
# The memory of a 4090 is faster: 1008 GB/s instead of 936.
exits 0 "--best by the tokens of unlike cards" "$wattsink" sweep serves.xml --for 10min -q --force -o serves.csv --vary "$cards" --best 'max tokens.generation_per_s'
says out '^  best +2 ' "tokens of unlike cards are compared"
# Prices below zero: with less work the cost of work looks lower.
awk 'BEGIN { print "time,price_usd_per_mwh"; for (h = 0; h < 24; h++) printf "2026-08-03T%02d:00:00,-300\n", h }' >negative.csv
sed 's|<tariff[^>]*/>|<tariff kind="spot" file="negative.csv"/>|; s|<run [^>]*/>|<run from="2026-08-03T00:00:00" zone="UTC" for="1 h" step="1 s"/>|' "$top/scenarios/single-3090/rig.xml" >negative.xml
for goal in 'min cost_per_work' 'min cost.run / work.done'; do
    # shellcheck disable=SC2086 # unquoted, to be split into words
    exits 0 "$goal below zero" "$wattsink" sweep negative.xml $limits -q --force -o paid.csv --best "$goal" --pareto "$goal, min noise_dba"
    [ "$(grep -cE '^No case is the best by .*: the electricity of case [0-9]+ has a negative cost, so that less work looks better\.$' out)" = 2 ] &&
        pass "$goal below zero has no best case, and no front" || fail "$goal below zero has no best case, and no front" "$(cat out)"
done
# shellcheck disable=SC2086 # unquoted, to be split into words
exits 0 "--best by a bill below zero" "$wattsink" sweep negative.xml $limits -q --force -o paid.csv --best 'min cost.run'
says out '^  best' "a bill below zero has a best case"
# A power limit that a card cannot hold is a warning for each case that sets it, or one warning if all cases share it.
low='warning: setting gpu.power-limit=100W: gpu0 cannot hold 100 W at this load'
told() { # COUNT NAME ARGUMENTS...
    count=$1 name=$2
    shift 2
    exits 0 "$name" "$wattsink" "$@"
    [ "$(grep -c "^$low" err)" = "$count" ] && pass "$name: told $count times" || fail "$name: told $count times" "$(cat err)"
}
single=$top/scenarios/single-3090/rig.xml
told 1 "compare of two limits, one below what the card can hold" compare "$single" --for 10min --vary gpu.power-limit=250W,100W
told 0 "the same with -q" compare "$single" --for 10min -q --vary gpu.power-limit=250W,100W
told 1 "compare with such a limit in every case" compare "$single" --for 10min --set gpu.power-limit=100W --vary room.conductance=30W/K,40W/K
told 1 "a sweep over limits, one below what the card can hold" sweep "$single" --for 10min --vary gpu.power-limit=100W:300W:50W -o low.csv
told 1 "a sweep with such a limit in every case" sweep "$single" --for 10min --set gpu.power-limit=100W --vary room.conductance=30W/K,40W/K -o low2.csv
exits 0 "limits of two cards that neither can hold" "$wattsink" compare "$top/scenarios/two-circuits/rig.xml" --for 10min \
    --set 'gpu[0].power-limit=105W' --vary 'gpu[1].power-limit=250W,105W'
says err '^warning: setting gpu\[0\]\.power-limit=105W: gpu0 cannot hold' "that of the first case is told"
says err '^warning: setting gpu\[1\]\.power-limit=105W: gpu1 cannot hold' "the warning of the second case is printed too"
# Prices in different currencies are not subtracted, so there is no net present value.
exits 0 "parts in another currency than those of the first case" "$wattsink" sweep two-cards.xml --for 1h -q -o bought.csv --columns npv,payback_years \
    --set 'gpu[1].price=0USD' --set psu.price=0USD --set 'fan[*].price=0USD' --set chassis.price=0USD \
    --vary 'gpu[0].price=1000EUR,1200USD&gpu[*].power-limit=300W,200W'
[ "$(grep -c '^2,.*,ok,,,,,' bought.csv)" = 1 ] && pass "have neither net present value nor payback" ||
    fail "have neither net present value nor payback" "$(cat bought.csv)"
sed '0,/<gpu slot="1"/s//<gpu limit-schedule="0:00:250 W, 8:00:300 W" slot="1"/' two-cards.xml >scheduled.xml
exits 0 "an axis without effect" "$wattsink" sweep scheduled.xml --vary 'gpu[0].power-limit=200W,300W' --for 1min -o idle-axis.csv
[ "$(grep -c 'power-limit has no effect: limit-schedule=.* of gpu0 overrides it' err)" = 1 ] && pass "is told once" || fail "is told once" "$(cat err)"
exits 0 "an axis with effect" "$wattsink" sweep scheduled.xml --vary 'gpu[1].power-limit=200W,300W' --for 1min -o felt-axis.csv
lacks err 'no effect' "is not told"
exits 0 "with -q" "$wattsink" sweep scheduled.xml --vary 'gpu[0].power-limit=200W,300W' --for 1min -o quiet-axis.csv -q
lacks err 'no effect' "nothing is told"
exit $status
