# SPDX-License-Identifier: GPL-3.0-or-later
# Which cases form the Pareto front of two goals? All cases are points, coloured by one axis; the front is a
# staircase.
bare(name) = strstrt(name, ' (') > 0 ? name[1:strstrt(name, ' (') - 1] : name
title = sprintf(w_title, bare(x_name), bare(y_name))
set xtics autofreq
tall[1] = 520
RIGHT = 0.76
eval page(1)
set rmargin at screen RIGHT
set key at screen RIGHT + 0.012, graph 1
eval place(upper(1, 1), lower(1, 1))
directed(name, most) = sprintf(most ? w_more : w_less, name)
unset label 3; unset label 4
set xrange [*:*]; set yrange [*:*]
stats data using (column('x')) nooutput; x_low = STATS_min; x_high = STATS_max
stats data using (column('y')) nooutput; y_low = STATS_min; y_high = STATS_max
stats data using (column('best')) nooutput; any_best = STATS_max > 0.5
stats data using (column('met')) nooutput; any_unmet = STATS_min < 0.5
stats data using (column('front')) nooutput; front_rows = int(STATS_sum + 0.5) # rows of the front come first
if (axis_number) { stats data using (column('axis')) nooutput; axis_low = STATS_min; axis_high = STATS_max }
margin(low, high) = 0.04*spread(low, high)
set xrange [x_low - margin(x_low, x_high):x_high + margin(x_low, x_high)]
set yrange [y_low - margin(y_low, y_high):y_high + margin(y_low, y_high)]
set xlabel directed(x_name, x_most) offset 0,0.3
set label 3 directed(y_name, y_most) at graph 0, graph 1 offset (plain ? 0 : -7),(plain ? 1 : 0.85) left front tc rgb '#222222'
if (any_unmet) { set label 5 sprintf(w_unmet, condition) at graph 1, graph 1 offset 0,0.85 right front tc rgb '#555555' }
met(k) = column('met') > 0.5 ? column(k) : NaN
unmet(k) = column('met') < 0.5 ? column(k) : NaN
best(k) = column('best') > 0.5 ? column(k) : NaN
short(name) = strlen(name) > 26 ? '...'.name[strlen(name) - 22:*] : name
# Colours from dark to light, distinguishable in greyscale.
set palette defined (0 navy, 0.35 blue, 0.65 green, 1 orange)
set colorbox user origin screen RIGHT + 0.025, graph 0 size 0.018, graph 0.6
set format cb '%g '.axis_unit
if (axis_number) {
    set cbrange [axis_low:axis_high > axis_low ? axis_high : axis_low + 1]
    set label 6 short(axis_name) at screen RIGHT + 0.015, graph 0.66 left front tc rgb '#222222'
} else {
    unset colorbox
}
set style fill solid 1 noborder
level_name(i) = short(level[i])
plot for [i = 1:any_unmet] data using (unmet('x')):(unmet('y')) with points pt 7 ps 0.9 lc rgb '#bbbbbb' notitle, \
     for [i = 1:axis_number] data using (met('x')):(met('y')):(column('axis')) with points pt 7 ps 1.3 lc palette notitle, \
     for [i = 1:levels] data using (stringcolumn('axis') eq level[i] ? met('x') : NaN):(met('y')) with points pt 7 ps 1.3 lc rgb colour[(i - 1) % COLOURS + 1] title level_name(i), \
     for [i = 1:front_rows > 0] data every ::0::front_rows - 1 using (column('x')):(column('y')) with steps lw 1.6 lc rgb black title w_front, \
     for [i = 1:front_rows > 0] data every ::0::front_rows - 1 using (column('x')):(column('y')) with points pt 6 ps 1.7 lw 1.4 lc rgb black notitle, \
     for [i = 1:any_best] data using (best('x')):(best('y')) with points pt 6 ps 2.8 lw 2.4 lc rgb red title w_best
