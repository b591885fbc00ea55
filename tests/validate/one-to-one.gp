# SPDX-License-Identifier: GPL-3.0-or-later
# The picture of settled points in validation.md: predicted over measured.
#   gnuplot -e "points='FILE.points'; out='one-to-one.png'" tests/validate/one-to-one.gp
# FILE.points: written by build/tests/validate/report DATA FILE.
load 'tests/validate/head.gp'

set terminal pngcairo size 800,760 font 'sans,11' enhanced
set output out
set samples 100
eval place(0.08, 0.97, 0.08, 0.92)
set label 1 'Settled die temperature: predicted over measured, °C' at graph 0, graph 1 offset 0,1.1 left front tc rgb ink font 'sans,13'
set xrange [25:110]; set yrange [25:110]; set xtics 10; set ytics 10; set format x '%g'; set xlabel 'measured' tc rgb grey; set ylabel 'model' tc rgb grey offset 1.2,0
set key at graph 0.03, graph 0.97 left top Left reverse samplen 1 spacing 1.15 tc rgb ink
pick(g, s, x) = strcol(1) eq g && strcol(2) eq s ? x : NaN
all(g, x) = strcol(1) eq g ? x : NaN
set multiplot
plot '+' using (25 + 85 * ($0 / 99.0)):(22 + 85 * ($0 / 99.0)):(28 + 85 * ($0 / 99.0)) with filledcurves lc rgb '#eeeeee' title 'within 3 K', \
     x with lines lw 1 lc rgb '#888888' notitle, \
     points using 3:(all('by-card', $4)) with points pt 2 ps 1.1 lw 1.2 lc rgb grey title 'another card''s cooler: nothing of the card fitted', \
     points using 3:(all('lacking', $4)) with points pt 8 ps 1.3 lw 1.2 lc rgb grey title 'an input missing: class values', \
     points using 3:(all('fitted', $4)) with points pt 6 ps 1.7 lw 1.6 lc rgb orange title 'fitted', \
     points using 3:(pick('predicted', 'blower', $4)) with points pt 7 ps 1.2 lc rgb blue title 'predicted: blower', \
     points using 3:(pick('predicted', 'open-air', $4)) with points pt 7 ps 1.2 lc rgb red title 'predicted: open-air', \
     points using 3:(pick('predicted', 'passive', $4)) with points pt 7 ps 1.2 lc rgb green title 'predicted: passive', \
     points using 3:(strcol(1) eq 'predicted' && (strcol(2) eq 'aio' || strcol(2) eq 'custom-loop') ? $4 : NaN) with points pt 7 ps 1.2 lc rgb purple title 'predicted: liquid'
set label 1 'the same, 76 to 88 °C' at graph 0, graph 1 offset 0,0.6 left front tc rgb grey font 'sans,10'
eval place(0.60, 0.95, 0.14, 0.44)
set xrange [76:88]; set yrange [76:88]; set xtics 2; set ytics 2; unset xlabel; unset ylabel; unset key
plot '+' using (70 + 20 * ($0 / 99.0)):(67 + 20 * ($0 / 99.0)):(73 + 20 * ($0 / 99.0)) with filledcurves lc rgb '#eeeeee' title 'within 3 K', \
     x with lines lw 1 lc rgb '#888888' notitle, \
     points using 3:(all('by-card', $4)) with points pt 2 ps 1.1 lw 1.2 lc rgb grey title 'another card''s cooler: nothing of the card fitted', \
     points using 3:(all('lacking', $4)) with points pt 8 ps 1.3 lw 1.2 lc rgb grey title 'an input missing: class values', \
     points using 3:(all('fitted', $4)) with points pt 6 ps 1.7 lw 1.6 lc rgb orange title 'fitted', \
     points using 3:(pick('predicted', 'blower', $4)) with points pt 7 ps 1.2 lc rgb blue title 'predicted: blower', \
     points using 3:(pick('predicted', 'open-air', $4)) with points pt 7 ps 1.2 lc rgb red title 'predicted: open-air', \
     points using 3:(pick('predicted', 'passive', $4)) with points pt 7 ps 1.2 lc rgb green title 'predicted: passive', \
     points using 3:(strcol(1) eq 'predicted' && (strcol(2) eq 'aio' || strcol(2) eq 'custom-loop') ? $4 : NaN) with points pt 7 ps 1.2 lc rgb purple title 'predicted: liquid'
unset multiplot
