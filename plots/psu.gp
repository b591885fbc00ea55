# SPDX-License-Identifier: GPL-3.0-or-later
# Load, efficiency and losses of the PSU?
title = with_spread(w_title)
count = words(psus)
if (count == 1 && strlen(tell_pauses) == 0) { set rmargin at screen 0.96 }
array what[3] = [SUPPLY_LOAD, SUPPLY_EFFICIENCY, PSU_LOSS_W]
array what_name[3] = [w_load, w_efficiency, w_loss]
array what_unit[3] = [u_load, u_load, u_loss]
name(k, i) = k < 3 ? of(word(psus, i), what[k]) : what[k]
factor(k) = k < 3 ? 100.0 : 1.0
# PSUs that feed nothing have no efficiency.
n = 0; array shown[3]
do for [k = 1:3] { if (strstrt(columns, what[k].'.mean ') > 0) { n = n + 1; shown[n] = k; tall[n] = keyed(190, k < 3 ? count : 0) } }
eval page(n)
eval together
do for [j = 1:n] {
    k = shown[j]
    lo = 1e300; hi = -1e300
    do for [i = 1:(k < 3 ? count : 1)] { eval scan(name(k, i)) }
    eval place(upper(j, n), lower(j, n))
    eval axis(j == n)
    if (j == n) { eval tell_pauses }
    eval panel(j, k < 3 && count == 1 ? sprintf(w_of_psu, psus_title[1], what_name[k]) : what_name[k], what_unit[k])
    if (hi >= lo) { eval snap(k == 2 ? factor(k)*(hi - lo < 0.04 ? hi - 0.04 : lo) : 0, hi*factor(k)) }
    plot for [i = 1:(k < 3 ? count : 1)*bands] data using (x(column('t_s'))):(has(name(k, i).'.min') ? factor(k)*low(name(k, i)) : NaN):(has(name(k, i).'.max') ? factor(k)*high(name(k, i)) : NaN) \
             with filledcurves lc rgb (k < 3 ? hue(i) : red) notitle, \
         for [i = 1:(k < 3 ? count : 1)] data using (x(column('t_s'))):(has(name(k, i).'.mean') ? factor(k)*mean(name(k, i)) : NaN) \
             with lines lw 1.6 dt dash_of(i) lc rgb (k < 3 ? hue(i) : red) title (k < 3 && count > 1 && has(name(k, i).'.mean') ? brief(word(psus, i)) : '')
}
unset multiplot
