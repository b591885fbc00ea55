#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/helpers.inc"
sweep() { "$wattsink" sweep "$@"; }
two="two-cards.xml --for 60s"

# shellcheck disable=SC2086 # $two is a rig and a length
{
exits 0 "the best of a sample" sweep $two --vary 'gpu[*].power-limit=200W:350W' --sample 15 --columns energy.wall_kwh,work.done -o s.csv --best 'min energy.wall_kwh' -q
sed -n 's/^  best  *\([0-9]*\) .*/\1/p' out >best
awk -F, 'NR == FNR { best = $1; next } FNR == 1 { for (i = 1; i <= NF; i++) if ($i == "gpu[*].power-limit") c = i; next }
    { id[++n] = $1; w[n] = $c; if ($1 == best) at = $c }
    END { for (k = 1; k <= n; k++) { d = w[k] - at; print (d < 0 ? -d : d), id[k] } }' best s.csv | sort -n | head -n 11 | sed 's/.* //' | sort -n >nearest
awk '$1 == "best" { print $2; next } NR > 2 && $1 ~ /^[0-9]+$/ && $2 ~ /^[0-9.]+$/ { print $1 }' out | sort -n >shown
[ "$(wc -l <nearest)" = 11 ] && cmp -s nearest shown && pass "with the ten nearest of the 14 others" || fail "with the ten nearest of the 14 others" "$(paste nearest shown; cat out)"

exits 1 "the best beside a case that failed" sweep $two --vary 'gpu[0].power-limit=200W,220kg,240W' --columns energy.wall_kwh,carbon_kg -o bad.sqlite -q --best 'min energy.wall_kwh'
says out '^  best +1 ' "is one that ran"
says out '^ +2 +220kg +failed' "and the other is said to have failed"
exits 1 "a quantity that the rig lacks" sweep $two --vary 'gpu[0].power-limit=200W,220kg,240W' --columns energy.wall_kwh,carbon_kg -o bad.sqlite --resume -q --best 'min carbon_kg'
says out '^No case has a number for carbon_kg\.$' "has no best"
exits 1 "the same as JSON" sweep $two --vary 'gpu[0].power-limit=200W,220kg,240W' --columns energy.wall_kwh,carbon_kg -o bad.sqlite --resume -q --json --best 'min carbon_kg' --pareto 'carbon_kg,energy.wall_kwh'
says out '"best": null' "is null"
says out '"pareto": \[\]\}' "and its front is empty"
exits 3 "a column that was not kept" sweep $two --vary 'gpu[0].power-limit=200W,220kg,240W' --columns energy.wall_kwh,carbon_kg -o bad.sqlite --resume -q --pareto 'energy.wall_kwh,steps'
says err "^wattsink: bad.sqlite cannot be resumed: it has no column 'steps'" "is told"
exits 2 "a goal that is a text" sweep $two --vary 'workload.class=training,burn' -o t.sqlite -q --best 'min workload.class'
says err "the values of 'workload.class' are not numbers" "is told"
absent t.sqlite "before anything runs"

exits 0 "a front on which every case is" sweep $two --vary 'gpu[*].power-limit=150W:350W:4W' --columns energy.wall_kwh,work.done,gpus.die_max_c -o f.sqlite -q --pareto 'max work.done,min gpus.die_max_c'
says out '^Pareto front of max work\.done, min gpus\.die_max_c: 51 of 51 cases$' "has them all"
says out '^  More cases on the front: 11$' "and a table of 40"
exits 0 "cases that are equal" sweep $two --vary 'rig.name=a,b,c' --columns energy.wall_kwh,work.done -o e.sqlite -q --pareto 'energy.wall_kwh,max work.done'
says out ': 1 of 3 cases$' "are on the front once"
says out '^ +1 +a ' "as the first of them"
if command -v gnuplot >/dev/null; then
    says f.plots/pareto.gp "^y_name = '.* \(°C\)'$" "an axis has the unit of its result"
    exits 0 "an expression and a single card" sweep $two --vary 'gpu[*].power-limit=200W,300W' -o x.sqlite -q --pareto 'mean(gpus.power_mean_w),max gpus[1].clock_mean_mhz'
    says x.plots/pareto.gp "^x_name = 'mean\(gpus.power_mean_w\)'$" "are axes as typed"
    says x.plots/pareto.gp "^y_name = 'gpus\[1\].clock_mean_mhz'$" "both of them"
fi

limits='gpu[*].power-limit=200W,300W'
while IFS='|' read -r options words; do
    exits 2 "$options" sweep $two --vary "$limits" -o none.csv $options
    if grep -qE -- "$words" err; then pass "is told why"; else fail "is told why" "$(cat err)"; fi
done <<'END'
load.xml|one rig at a time, not 'two-cards.xml' and 'load.xml'
--jobs 0|--jobs '0': expected a whole number from 1 to
--jobs 2.5|--jobs '2.5': expected a whole number
--jobs two|--jobs 'two': expected a whole number
--lanes 9|--lanes '9': expected a whole number from 1 to 8
--sample 0|--sample '0': expected a whole number from 1 to
--sample 4 --seed -1|--seed '-1': expected a whole number from 0 to
--sample 4 --method random|--method 'random': expected lhs or sobol
--method sobol|--method is for --sample N
--pareto energy.wall_kwh,steps --format gif|no format 'gif'; there are svg, png, pdf and term
--resume --force|--resume or --force, not both
--stepper slow|stepper
END
absent none.csv "none of them leaves a file"
absent none.csv.sqlite "nor a database"
}

# Without wattsink-mpi beside the program, all processes of a launcher would write one file, so the sweep must be
# refused. A launcher's size that is one or not a number means a usual sweep.
mkdir alone && cp "$wattsink" alone/wattsink
export WATTSINK_PARTS="$top/parts"
exits 2 "the first of four processes" env OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_RANK=0 alone/wattsink sweep two-cards.xml --for 60s --vary "$limits" -o r.csv
says err 'one of 4 processes \(OMPI_COMM_WORLD_SIZE\).*wattsink-mpi' "is told what it takes"
absent r.csv.sqlite "and writes nothing"
exits 0 "another of them" env PMI_SIZE=4 PMI_RANK=3 alone/wattsink sweep two-cards.xml --for 60s --vary "$limits" -o r.csv
[ ! -s err ] && [ ! -e r.csv.sqlite ] && pass "says and writes nothing" || fail "says and writes nothing" "$(cat err)"
for size in 1 many; do
    exits 0 "a launcher's size of $size" env SLURM_STEP_NUM_TASKS=$size SLURM_PROCID=0 alone/wattsink sweep two-cards.xml --for 60s --vary "$limits" --columns steps -o "r$size.csv" -q
    present "r$size.csv" "is a sweep like any other"
done
exit $status
