# SPDX-License-Identifier: GPL-3.0-or-later
# Draws time and memory against the number of cards, nodes and days: gnuplot -e "scaling='...'; time='...'; out='...'"
# cost.gp
set terminal pngcairo size 1200,420 font "sans,10"
set output out
set multiplot layout 1,3
set logscale xy
set grid lc rgb "#dddddd"
set border 3
set tics nomirror
unset key
set ylabel "processor time of a 1 s step, µs"
set xlabel "cards (eight a server)"
set xtics (1, 2, 4, 8, 16, 32, 64)
set xrange [0.8:80]
set yrange [*:*]
plot scaling using 1:3 with linespoints pt 7 ps 1 lw 1.5 lc rgb "#1f5fa8", \
     scaling using 1:($1 * y8) with lines dt 2 lc rgb "#888888", \
     scaling using 1:($1 == 16 ? $1 * y8 : 1/0):(sprintf(" in proportion\n")) with labels left offset 0.5,-1.2 tc rgb "#666666"
set xlabel "nodes of the network"
set xtics (10, 20, 50, 100, 200, 400)
set xrange [8:600]
plot scaling using 2:3 with linespoints pt 7 ps 1 lw 1.5 lc rgb "#1f5fa8"
set ylabel "processor time of the run, s"
set xlabel "simulated days, four cards"
set xtics (1, 2, 4, 7, 14, 28, 56)
set xrange [0.8:70]
plot time using 1:2 with linespoints pt 7 ps 1 lw 1.5 lc rgb "#a8441f"
unset multiplot
