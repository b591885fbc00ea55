# SPDX-License-Identifier: GPL-3.0-or-later
# How hot does each card get, and where is the air that warms it?
n = words(gpus) + 1; px = words(gpus) > 4 ? 120 : 150
total_px = page_px(n, px)
eval open_page(n, px)

# One scale for all cards, so that slots can be compared by eye.
lo = 1e9; hi = -1e9
do for [g in gpus] {
    do for [v in 'die_c memory_c inlet_c'] {
        if (has(g.'.'.v.'.max')) {
            stats data using (column(g.'.'.v.'.max')) nooutput; if (STATS_max > hi) { hi = STATS_max }
            stats data using (column(g.'.'.v.'.min')) nooutput; if (STATS_min < lo) { lo = STATS_min }
        }
    }
}

set multiplot
eval head('Temperatures'); eval sub(rig.': mean, with minimum and maximum of each interval as a band')
do for [i = 1:words(gpus)] {
    g = word(gpus, i)
    set tmargin at screen upper(i, n, px)
    set bmargin at screen lower(i, n, px)
    eval axis_off
    eval panel_title(gpus_title[i])
    set ylabel '°C'
    set yrange [floor(lo/10)*10:ceil(hi/10)*10]
    set ytics 20
    hot = has(g.'.throttle_thermal.max')
    plot for [k = 1:(plain ? 0 : 3)] v = word('memory_c die_c inlet_c', k) \
             data using (x(column('t_s'))):(column(g.'.'.v.'.min')):(column(g.'.'.v.'.max')) \
             with filledcurves lc rgb (k == 1 ? purple : k == 2 ? red : blue) notitle, \
         data using (x(column('t_s'))):(column(g.'.memory_c.mean')) with lines lw 1.2 lc rgb purple title 'memory', \
         data using (x(column('t_s'))):(column(g.'.die_c.mean')) with lines lw 1.2 lc rgb red title 'die', \
         data using (x(column('t_s'))):(column(g.'.inlet_c.mean')) with lines lw 1.2 lc rgb blue title 'air it takes in'
    unset label 1; unset label 2
}
set tmargin at screen upper(n, n, px)
set bmargin at screen lower(n, n, px)
eval axis_on
eval panel_title('air')
set yrange [*:*]; set ytics autofreq
air = 'case.air_c room.air_c outdoor.air_c'
array air_name[3] = ['case', 'room', 'outdoors']
array air_colour[3] = [orange, green, black]
plot for [k = 1:3] data using (x(column('t_s'))):(has(word(air, k).'.mean') ? column(word(air, k).'.mean') : NaN) \
         with lines lw 1.2 lc rgb air_colour[k] title air_name[k]
unset multiplot
