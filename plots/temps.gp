# SPDX-License-Identifier: GPL-3.0-or-later
# How hot does each card get, and where is the air that warms it?
title = 'Temperatures: mean, and band from minimum to maximum'
n = words(gpus) + 1; do for [k = 1:n] { tall[k] = words(gpus) > 4 ? 120 : 150 }
eval open_page(n)

# One scale for all cards, so that slots can be compared by eye.
do for [g in gpus] { do for [v in '.memory_c .die_c .inlet_c'] { eval scan(g.v) } }
card_scale = hi > lo ? snap(lo, hi) : ''
lo = 1e300; hi = -1e300
do for [v in 'case.air_c room.air_c outdoor.air_c'] { eval scan(v) }
# A little room below, so that no line lies on the axis. With the room pinned there is no air outdoors.
air_scale = hi > lo ? snap(lo - 0.05*(hi - lo), hi) : ''
airs = has('outdoor.air_c.mean') ? 3 : 2

array kind_colour[3] = [purple, red, blue]
array kind_name[3] = ['memory', 'die', 'air taken in']
array air_colour[3] = [orange, green, black]
array air_name[3] = ['case', 'room', 'outdoors']
kind(g, k) = g.'.'.word('memory_c die_c inlet_c', k)
air(k) = word('case.air_c room.air_c outdoor.air_c', k)
set multiplot
do for [i = 1:words(gpus)] {
    g = word(gpus, i)
    eval place(upper(i, n), lower(i, n))
    eval axis(0)
    eval panel(i, gpus_title[i], '°C')
    eval card_scale
    plot for [k = 1:3*bands] data using (x(column('t_s'))):(has(kind(g, k).'.min') ? low(kind(g, k)) : NaN):(has(kind(g, k).'.max') ? high(kind(g, k)) : NaN) \
             with filledcurves lc rgb kind_colour[k] notitle, \
         for [k = 1:3] data using (x(column('t_s'))):(has(kind(g, k).'.mean') ? mean(kind(g, k)) : NaN) \
             with lines lw 1.4 lc rgb kind_colour[k] title kind_name[k]
}
eval place(upper(n, n), lower(n, n))
eval axis(1)
eval panel(n, 'air', '°C')
eval air_scale
plot for [k = 1:airs*bands] data using (x(column('t_s'))):(has(air(k).'.min') ? low(air(k)) : NaN):(has(air(k).'.max') ? high(air(k)) : NaN) \
         with filledcurves lc rgb air_colour[k] notitle, \
     for [k = 1:airs] data using (x(column('t_s'))):(has(air(k).'.mean') ? mean(air(k)) : NaN) \
         with lines lw 1.4 lc rgb air_colour[k] title air_name[k]
unset multiplot
