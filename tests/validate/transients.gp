# SPDX-License-Identifier: GPL-3.0-or-later
# Pictures of docs/validation.md: model and measurement over time.
#   gnuplot -e "series='FILE'; out='build/figures/transients.png'" tests/validate/transients.gp
# FILE: written by build/tests/validate/report DATA FILE; no trace of DATA may be missing. The other pictures go into
# the folder of `out`.
# Columns of FILE: t_s power_w fan_rpm, then measured and model of die, memory, hot spot, VRM, processor.
folder = out[1:strstrt(out, 'transients') - 1]
load 'tests/validate/head.gp'

# ---- GPU temperature: six runs for which only the inlet was fitted ----
set terminal pngcairo size 1500,860 font 'sans,11' enhanced
set output out
array row[6] = [3, 5, 1, 7, 9, 10]
array name[6] = ['GTX 1070, blower', 'GTX 1080, blower', 'GTX 770, open-air', 'RTX 2080, open-air', 'Vega 64, open-air', 'Vega 64 undervolted']
set multiplot
set label 10 'Die temperature over two hours, °C. The cards were fitted on another run; here only the inlet was.' at screen 0.035, screen 0.972 left front tc rgb ink font 'sans,13'
set xrange [-5:120]; set xtics 20
do for [k = 0:5] {
    l = 0.035 + 0.327 * (k % 3); r = l + 0.29; t = k < 3 ? 0.90 : 0.465
    eval place(l, r, t - 0.25, t)
    set label 1 name[k + 1] at graph 0, graph 1 offset 0,0.6 left front tc rgb ink font 'sans,12'
    unset label 2
    set yrange [20:90]; set ytics 20; set format x ''; unset xlabel
    set key at graph 0.98, graph 0.97 right top Left reverse samplen 1.6 tc rgb ink
    plot series index row[k + 1] using ($1/60):4 with lines lw 4 lc rgb orange title 'measured', \
         '' index row[k + 1] using ($1/60):5 with lines lw 1.4 lc rgb blue title 'model'
    unset label 10
    eval place(l, r, t - 0.365, t - 0.29)
    unset label 1
    set label 2 'model less measured, K' at graph 1, graph 1 offset 0,0.45 right front tc rgb grey font 'sans,10'
    set yrange [-6:6]; set ytics (-5, 0, 5); set format x '%g'
    if (k > 2) { set xlabel 'minutes of load (0 to 60) and cool-down' offset 0,0.3 tc rgb grey }
    plot 0 with lines lw 0.8 lc rgb '#444444' notitle, \
         series index row[k + 1] using ($1/60):($5 - $4) with lines lw 1.1 lc rgb red notitle
}
unset multiplot
unset label; unset xlabel

# ---- four sensors of one card ----
set terminal pngcairo size 1000,520 font 'sans,11' enhanced
set output folder . 'sensors.png'
eval place(0.05, 0.97, 0.11, 0.89)
set label 1 'Vega 64, Time Spy: four sensors, °C (thick measured, thin model)' at graph 0, graph 1 offset 0,1 left front tc rgb ink font 'sans,13'
set xrange [-5:120]; set xtics 20; set yrange [25:105]; set ytics 20; set format x '%g'
set xlabel 'minutes of load (0 to 60) and cool-down' tc rgb grey
unset key
set label 2 'VRM' at 61, 98 left front tc rgb red
set label 3 'hot spot' at 61, 92 left front tc rgb purple
set label 4 'memory' at 61, 86 left front tc rgb green
set label 5 'die' at 61, 80 left front tc rgb blue
plot series index 9 using ($1/60):10 with lines lw 4.5 lc rgb '#F0B28F' notitle, '' index 9 using ($1/60):8 with lines lw 4.5 lc rgb '#E6C3D6' notitle, \
     '' index 9 using ($1/60):6 with lines lw 4.5 lc rgb '#9ADBC6' notitle, '' index 9 using ($1/60):4 with lines lw 4.5 lc rgb '#9CC4E0' notitle, \
     '' index 9 using ($1/60):11 with lines lw 1.4 lc rgb red notitle, '' index 9 using ($1/60):9 with lines lw 1.4 lc rgb purple notitle, \
     '' index 9 using ($1/60):7 with lines lw 1.4 lc rgb green notitle, '' index 9 using ($1/60):5 with lines lw 1.4 lc rgb blue notitle
unset label; unset xlabel

# ---- first half fitted, second half predicted ----
set terminal pngcairo size 1300,480 font 'sans,11' enhanced
set output folder . 'halves.png'
set multiplot
eval place(0.04, 0.48, 0.13, 0.86)
set label 1 'H100 PCIe, three GEMM loads: °C' at graph 0, graph 1 offset 0,1 left front tc rgb ink font 'sans,13'
set label 2 'memory' at 60, 72 right front tc rgb green
set label 3 'die' at 60, 50 left front tc rgb blue
set label 4 'fitted' at 226, 90 right front tc rgb grey
set label 5 'predicted' at 242, 90 left front tc rgb grey
set arrow 1 from 234, 25 to 234, 93 nohead lw 1 dt 2 lc rgb grey
set xrange [0:470]; set xtics 60; set yrange [25:95]; set ytics 10; set xlabel 'seconds' tc rgb grey
plot series index 12 using 1:6 with lines lw 4.5 lc rgb '#9ADBC6' notitle, '' index 12 using 1:4 with lines lw 4.5 lc rgb '#9CC4E0' notitle, \
     '' index 12 using 1:7 with lines lw 1.4 lc rgb green notitle, '' index 12 using 1:5 with lines lw 1.4 lc rgb blue notitle
unset label; unset arrow
eval place(0.54, 0.98, 0.13, 0.86)
set label 1 'Four cards of one server, 18 h of gpu-burn: °C' at graph 0, graph 1 offset 0,1 left front tc rgb ink font 'sans,13'
set label 2 'GPU2' at 0.35, 70.4 left front tc rgb red
set label 3 'GPU3' at 0.35, 66.9 left front tc rgb purple
set label 4 'GPU0' at 0.35, 61.2 left front tc rgb blue
set label 5 'GPU1' at 0.35, 56.0 left front tc rgb green
set label 6 'fitted' at 8.2, 42 right front tc rgb grey
set label 7 'predicted' at 12.5, 41 left rotate by 90 front tc rgb grey
set arrow 1 from 9, 40 to 9, 75 nohead lw 1 dt 2 lc rgb grey
set logscale x; set xrange [0.004:18.5]; set xtics ('30 s' 0.008333, '2 min' 0.03333, '10 min' 0.16667, '1 h' 1, '3 h' 3, '9 h' 9, '18 h' 18); set yrange [40:76]; unset xlabel
plot series index 15 using ($1/3600):4 with lines lw 3.5 lc rgb '#F0B28F' notitle, '' index 16 using ($1/3600):4 with lines lw 3.5 lc rgb '#E6C3D6' notitle, \
     '' index 13 using ($1/3600):4 with lines lw 3.5 lc rgb '#9CC4E0' notitle, '' index 14 using ($1/3600):4 with lines lw 3.5 lc rgb '#9ADBC6' notitle, \
     '' index 15 using ($1/3600):5 with lines lw 1.4 lc rgb red notitle, '' index 16 using ($1/3600):5 with lines lw 1.4 lc rgb purple notitle, \
     '' index 13 using ($1/3600):5 with lines lw 1.4 lc rgb blue notitle, '' index 14 using ($1/3600):5 with lines lw 1.4 lc rgb green notitle
unset multiplot
