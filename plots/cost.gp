# SPDX-License-Identifier: GPL-3.0-or-later
# Cost and energy so far?
priced = has(COST.'.max') ? 1 : 0 # without a tariff: the energy alone
title = priced ? w_cost : w_energy
n = priced + 1; do for [k = 1:n] { tall[k] = 260 }
eval open_page(n)
# Running sums belong to the end of their interval. A single one gets a start point with 0.
first(t) = interval >= xend && t/per < xend
sum_at(t) = first(t) ? 0 : t/per < xend ? t/per : xend
so_far(name) = first(column('t_s')) ? 0 : high(name)
lo = 0; hi = 0; eval scan(COST); cost_scale = snap(0, hi > 0 ? hi : 1)
lo = 0; hi = 0; eval scan(ENERGY_KWH); energy_scale = snap(0, hi > 0 ? hi : 1)
set key off
set rmargin at screen 0.96
set multiplot
if (priced) {
    eval place(upper(1, n), lower(1, n))
    eval axis(0)
    eval panel(1, cooled ? sprintf(w_cooled, w_cost) : w_cost, currency)
    eval cost_scale
    plot data using (sum_at(column('t_s'))):(so_far(COST)) with filledcurves y1=0 lc rgb orange fs solid 0.35 notitle, \
         data using (sum_at(column('t_s'))):(so_far(COST)) with lines lw 1.8 lc rgb orange notitle
}
eval place(upper(n, n), lower(n, n))
eval axis(1)
eval panel(n, w_energy, u_energy)
eval energy_scale
plot data using (sum_at(column('t_s'))):(so_far(ENERGY_KWH)) with filledcurves y1=0 lc rgb blue fs solid 0.25 notitle, \
     data using (sum_at(column('t_s'))):(so_far(ENERGY_KWH)) with lines lw 1.8 lc rgb blue notitle
unset multiplot
