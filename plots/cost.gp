# SPDX-License-Identifier: GPL-3.0-or-later
# Cost and energy so far, by use, and the cost of each hour?
priced = has(COST.'.max') ? 1 : 0 # without a tariff: the energy alone
title = priced ? w_title : w_title_energy
n = priced ? 3 : 1; do for [k = 1:n] { tall[k] = k == 2 ? 150 : 240 }
eval page(n)
# Running sums belong to the end of their interval. A single one gets a start point with 0.
first(t) = interval >= xend && t/per < xend
sum_at(t) = first(t) ? 0 : t/per < xend ? t/per : xend
# A sum that falls in an interval, because of negative prices, ends it with the least value. Each curve calls so_far() once
# per row, with its own k from 1 to 3, because ended[k] holds the sum at the end of the row before.
array ended[3]
so_far(name, k) = (was = column(0) > 0 ? ended[k] : 0.0, ended[k] = first(column('t_s')) || !has(name.'.max') ? 0.0 : mean(name) < was ? column(name.'.min') : most(name))
by_energy(i) = so_far(COST, 1) - so_far(COST_OTHER, 2)
or_zero(name) = has(name.'.mean') ? mean(name) : 0
scan_most(name) = has(name.'.max') ? sprintf("set yrange [-1e300:1e300]; stats data using (most('%s')) nooutput; hi = STATS_max > hi ? STATS_max : hi", name) : ''
least = 0; hi = 0; all_cost = 0
scan_sum(value) = "set yrange [-1e300:1e300]; stats data using (".value.") nooutput; least = STATS_min < least ? STATS_min : least; hi = STATS_max > hi ? STATS_max : hi"
if (priced) { eval scan_sum("by_energy(0)"); eval scan_sum("so_far(COST, 1)"); all_cost = ended[1] }
cost_scale = snap(least, hi > least ? hi : 1)
lo = 0; hi = 0; eval scan_most(ENERGY_KWH); energy_scale = snap(0, hi > 0 ? hi : 1)
lo = 0; hi = 0; eval scan_most(AC_W); cooling = hi > 0
lo = 0; hi = 0; eval scan_most(COST_OTHER); other = hi > 0
lo = 0; hi = 0; eval scan_most(PSU_LOSS_W); loses = hi > 0

# Uses of energy, from the bottom. Within an interval each kilowatt-hour costs the same, so its cost divides as its energy.
array use_name[5] = [w_cards, w_rest, w_psu, w_cooling, w_other]
array use_colour[5] = [blue, grey, red, sky, orange]
array use_there[5] = [words(gpus) > 0, 1, loses, cooling, other]
cards_w(i) = sum [k = 1:words(gpus)] or_zero(of(word(gpus, k), CARD_POWER_W))
watts(k) = k == 1 ? cards_w(0) : k == 2 ? or_zero(WALL_W) - or_zero(PSU_LOSS_W) - cards_w(0) : k == 3 ? or_zero(PSU_LOSS_W) : or_zero(AC_W)
all_w(i) = or_zero(WALL_W) + or_zero(AC_W)
share_upto(k) = all_w(0) > 0 ? (sum [j = 1:k] watts(j))/all_w(0) : k/4.0
array before[5]; array total[5]
reset_sums = "do for [k = 1:5] { before[k] = 0.0; total[k] = 0.0 }"
# Adds the interval's cost to the sum of the uses up to k, and returns the sum.
grow(k) = (sum_now = by_energy(0), total[k] = total[k] + share_upto(k)*(sum_now - before[k]), before[k] = sum_now, total[k])
upto(k) = k < 5 ? grow(k) : so_far(COST, 1)
# The uppermost use is drawn first, and the ones below cover it.
# The fills would cover the ticks of checkpoints.
do for [k = 1:(pauses <= 60 && !plain ? pauses : 0)] { set arrow k front }
eval together
if (priced) {
    eval place(upper(1, n), lower(1, n))
    eval axis(0)
    eval panel(1, w_by_part, currency)
    eval cost_scale
    eval reset_sums
    # a terminal draws only the edges of the stack
    plot for [j = 0:5*bands - 1] data using (sum_at(column('t_s'))):(use_there[5 - j] ? upto(5 - j) : NaN) with filledcurves y1=0 lc rgb use_colour[5 - j] fs solid title (use_there[5 - j] ? use_name[5 - j] : ''), \
         for [j = 0:5*plain - 1] data using (sum_at(column('t_s'))):(use_there[5 - j] ? upto(5 - j) : NaN) with lines lc rgb use_colour[5 - j] title (use_there[5 - j] ? use_name[5 - j] : ''), \
         for [j = 1:bands] data using (sum_at(column('t_s'))):(so_far(COST, 1)) with lines lw 1.6 lc rgb black \
             title sprintf(w_all, sprintf(abs(all_cost) < 100 ? '%.2f' : '%.0f', all_cost), currency)
    eval place(upper(2, n), lower(2, n))
    eval axis(0)
    eval panel(2, w_by_hour, sprintf(w_per_hour, currency))
    rate(t) = (at = column(0) > 0 ? now : 0.0, seen = column(0) > 0 ? paid : 0.0, now = per*sum_at(t), paid = by_energy(0), now > at ? 3600*(paid - seen)/(now - at) : NaN)
    set yrange [-1e300:1e300]
    stats data using (rate(column('t_s'))) nooutput
    eval snap(STATS_min < 0 ? STATS_min : 0, STATS_max > 0 ? STATS_max : STATS_min < 0 ? 0 : 1)
    set errorbars 0
    plot for [j = 1:bands] data using (rate_now = rate(column('t_s')), at/per):(rate_now):(at/per):(now/per):(0):(rate_now) with boxxyerror lc rgb orange fs solid 0.35 notitle, \
         for [j = 1:plain] data using (rate_now = rate(column('t_s')), at/per):(rate_now):(at/per):(now/per) with xerrorbars ps 0 lc rgb orange notitle
}
eval place(upper(n, n), lower(n, n))
eval axis(1)
eval panel(n, w_energy, u_energy)
eval tell_pauses
eval energy_scale
plot for [j = 1:bands] data using (sum_at(column('t_s'))):(so_far(ENERGY_KWH, 3)) with filledcurves y1=0 lc rgb blue fs solid 0.25 notitle, \
     data using (sum_at(column('t_s'))):(so_far(ENERGY_KWH, 3)) with lines lw 1.8 lc rgb blue notitle
unset multiplot
