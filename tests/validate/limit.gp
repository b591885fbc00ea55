# SPDX-License-Identifier: GPL-3.0-or-later
# gnuplot -e "series='limit.dat'; dir='docs/figures'" limit.gp
# Columns: power limit, measured draw, work and clock; work and clock of the fit; work and clock of a fit without this
# row; draw of the model.
set encoding utf8
set terminal pngcairo size 1720,1500 font 'DejaVu Sans,11' fontscale 1.4 linewidth 1.6 pointscale 1.6 background '#ffffff' noenhanced
set datafile missing "nan"
# Colours and frame as in plots/style.gp (Okabe and Ito 2008).
set border 3 lc rgb '#444444' lw 0.8
set tics nomirror out scale 0.6 textcolor rgb '#222222'
set grid xtics ytics lc rgb '#dddddd' lw 0.6 lt 1
set key bottom right reverse Left samplen 1.6 tc rgb '#222222'
set xlabel "drawn (W)"; set ylabel offset 1,0
set offsets graph 0.03, graph 0.03, graph 0.05, graph 0.05
set style line 1 lc rgb "#0072B2" pt 7 ps 0.8
set style line 2 lc rgb "#D55E00" lw 1.8
set style line 3 lc rgb "#009E73" lw 1.8 dt 2
set style line 4 lc rgb "#CC79A7" pt 6 ps 0.9
set style line 5 lc rgb "#CC79A7" lw 1.8 dt 3
# The picture's title has its own line; each panel's title is at the panel's left edge.
head(text) = sprintf("set label 1 '%s' at screen 0.02, screen 0.975 left font ',14'", text)
told(text) = sprintf("set label 2 '%s' at graph 0, graph 1 offset 0,0.9 left", text)
step(r) = r > 300 ? 100 : r > 90 ? 50 : 20
tics(name, k) = sprintf("stats series index '%s' using %d nooutput; set xtics step(STATS_max - STATS_min)", name, k)
brief(text) = strlen(text) > 40 ? text[1:37].'...' : text

array Names[9] = ["RTX 3090: decode", "RTX 3090: prefill", "RTX 4000 Ada: deepcoder_14b-8k", "V100 SXM2: GeMM", "A100 SXM: gpt3-175b layer forward bf16 (stage 0)", "A40: bloom layer backward bf16 (stage 7)", "RTX 6000: imagenet/resnet50/bs128-adadelta", "A100 PCIe: WaterLily CFD sphere (fp32)", "PRO 6000 WS: gpu_burn tensor"]

set output dir."/limit-work.png"
set multiplot layout 3,3 margins 0.07,0.97,0.065,0.9 spacing 0.085,0.1
eval head("Work over draw, relative to the default or highest limit")
set ylabel "work"
do for [i=1:9] {
    eval tics(Names[i], 2); eval told(brief(Names[i])); if (i > 1) { unset label 1; unset key }
    plot series index Names[i] using 2:3 with points ls 1 title "measured", \
         series index Names[i] using 2:5 with lines ls 2 title "fitted", \
         series index Names[i] using 2:7 with lines ls 3 title "left out"
}
unset multiplot

array Clocks[6] = ["RTX 3090: decode", "RTX 3090: prefill", "V100 SXM2: GeMM", "A100 SXM: gpt3-175b layer forward bf16 (stage 0)", "A40: bloom layer backward bf16 (stage 7)", "RTX A4000: fp32 FMA"]
set terminal pngcairo size 1720,1050 font 'DejaVu Sans,11' fontscale 1.4 linewidth 1.6 pointscale 1.6 background '#ffffff' noenhanced
set output dir."/limit-clock.png"
set key on
set multiplot layout 2,3 margins 0.07,0.97,0.09,0.87 spacing 0.085,0.15
eval head("Clock over draw")
set ylabel "clock (MHz)"
do for [i=1:6] {
    eval tics(Clocks[i], 2); eval told(brief(Clocks[i])); if (i > 1) { unset label 1; unset key }
    plot series index Clocks[i] using 2:4 with points ls 1 title "measured", \
         series index Clocks[i] using 2:6 with lines ls 2 title "fitted", \
         series index Clocks[i] using 2:8 with lines ls 3 title "left out"
}
unset multiplot; unset label 1

set terminal pngcairo size 1720,640 font 'DejaVu Sans,11' fontscale 1.4 linewidth 1.6 pointscale 1.6 background '#ffffff' noenhanced
set output dir."/limit-plateau.png"
set multiplot layout 1,3 margins 0.07,0.97,0.14,0.8 spacing 0.085,0.1
set xtics 50
eval head("Draw and work over the power limit that was set")
set xlabel "power limit (W)"
set ylabel "drawn (W)"
set key on top left
eval told("RTX 3090: one draw from 340 to 370 W")
plot series index "RTX 3090: decode" using 1:2 with points ls 1 title "decode", \
     series index "RTX 3090: prefill" using 1:2 with points ls 4 title "prefill", \
     series index "RTX 3090: decode" using 1:9 smooth unique with lines ls 2 title "model"
set key bottom right
set ylabel "work"
unset label 1
eval told("RTX 3090: the cliff below 280 W")
plot series index "RTX 3090: decode" using 1:3 with points ls 1 title "decode", \
     series index "RTX 3090: decode" using 1:5 smooth unique with lines ls 2 title "fitted", \
     series index "RTX 3090: prefill" using 1:3 with points ls 4 title "prefill", \
     series index "RTX 3090: prefill" using 1:5 smooth unique with lines ls 5 title "fitted"
set xtics 20
eval told("RTX 4000 Ada: the cliff below 100 W")
plot series index "RTX 4000 Ada: deepcoder_14b-8k" using 1:3 with points ls 1 title "14 B, measured", \
     series index "RTX 4000 Ada: deepcoder_14b-8k" using 1:5 smooth unique with lines ls 2 title "fitted", \
     series index "RTX 4000 Ada: gemma3_4b [batch_1]" using 1:3 with points ls 4 title "4 B, measured", \
     series index "RTX 4000 Ada: gemma3_4b [batch_1]" using 1:5 smooth unique with lines ls 5 title "fitted"
unset multiplot
