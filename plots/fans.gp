# SPDX-License-Identifier: GPL-3.0-or-later
# How hard do the cards' fans work?
title = 'Fans of the cards: mean, and band from minimum to maximum'
n = words(gpus); do for [k = 1:n] { tall[k] = words(gpus) > 4 ? 120 : 150 }
eval open_page(n)
lo = 0; hi = 1
do for [g in gpus] { eval scan(g.'.fan_rpm') }
fan_scale = snap(0, hi)
set multiplot
do for [i = 1:n] {
    g = word(gpus, i)
    eval place(upper(i, n), lower(i, n))
    eval axis(i == n)
    eval panel(i, gpus_title[i], 'rpm')
    eval fan_scale
    plot for [k = 1:bands] data using (x(column('t_s'))):(has(g.'.fan_rpm.min') ? low(g.'.fan_rpm') : NaN):(has(g.'.fan_rpm.max') ? high(g.'.fan_rpm') : NaN) \
             with filledcurves lc rgb green title 'min to max', \
         data using (x(column('t_s'))):(has(g.'.fan_rpm.mean') ? mean(g.'.fan_rpm') : NaN) with lines lw 1.4 lc rgb green title 'mean'
}
unset multiplot
