# SPDX-License-Identifier: GPL-3.0-or-later
# Does the die follow two hours of idle, load and cool-down?
#   gnuplot -e "series='FILE'; out='docs/figures/transients.png'" tests/validate/transients.gp
# FILE: written by build/tests/validate/report DATA FILE; blocks GTX 1080 fitted, predicted, RTX 2080 fitted, predicted.
set terminal pngcairo size 1100,760 font 'sans,11' enhanced
set output out
set encoding utf8
set border 3 lc rgb '#444444' lw 0.8
set tics nomirror out scale 0.6 textcolor rgb '#222222'
set grid xtics ytics lc rgb '#dddddd' lw 0.6 lt 1
set xrange [-5:120]
set xtics 20
set multiplot
array name[4] = ['GTX 1080, Fire Strike: card fitted here', 'GTX 1080, Time Spy: inlet fitted only', \
                 'RTX 2080, Fire Strike: card fitted here', 'RTX 2080, Time Spy: inlet fitted only']
place(l, r, t, b) = sprintf("set lmargin at screen %g; set rmargin at screen %g; set tmargin at screen %g; set bmargin at screen %g", l, r, t, b)
do for [k = 0:3] {
    l = k % 2 ? 0.55 : 0.06; r = l + 0.43
    t = k < 2 ? 0.955 : 0.475
    eval place(l, r, t, t - 0.255)
    set label 1 name[k + 1] at graph 0, graph 1 offset 0,0.7 left front tc rgb '#222222'
    set label 2 '°C' at graph 0, graph 1 offset -0.8,0.7 right front tc rgb '#555555'
    set yrange [20:90]; set ytics 20; set format x ''; unset xlabel
    set key at graph 0.97, graph 0.97 right top Left reverse samplen 1.6 tc rgb '#222222'
    plot series index k using ($1/60):2 with lines lw 3.2 lc rgb '#E69F00' title 'measured', \
         '' index k using ($1/60):3 with lines lw 1.3 lc rgb '#0072B2' title 'model'
    eval place(l, r, t - 0.30, t - 0.40)
    set label 1 'model less measured' at graph 0, graph 1 offset 0,0.55 left front tc rgb '#222222'
    set label 2 'K' at graph 0, graph 1 offset -0.8,0.55 right front tc rgb '#555555'
    set yrange [-5:5]; set ytics (-5, 0, 5); set format x '%g'
    if (k > 1) { set xlabel 'time, min' offset 0,0.3 }
    plot 0 with lines lw 0.8 lc rgb '#444444' notitle, \
         series index k using ($1/60):($3 - $2) with lines lw 1.2 lc rgb '#D55E00' notitle
}
unset multiplot
