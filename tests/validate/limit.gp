# SPDX-License-Identifier: GPL-3.0-or-later
# gnuplot -e "series='limit.dat'; dir='docs/figures'" limit.gp
# Columns: limit, drawn, work, clock, fitted work and clock, left-out work and clock, held power.
set terminal pngcairo size 1500,1000 font "sans,11"
set datafile missing "nan"
set grid lc rgb "#dddddd"
set key bottom right samplen 2
set xlabel "drawn, W"
set style line 1 lc rgb "#1f3b73" pt 7 ps 0.9
set style line 2 lc rgb "#c0392b" lw 2
set style line 3 lc rgb "#27864a" lw 2 dt 2

array Names[9] = ["RTX 3090: decode", "RTX 3090: prefill", "RTX 4000 Ada: deepcoder_14b-8k", "V100 SXM2: GeMM", "A100 SXM: gpt3-175b layer forward bf16 (stage 0)", "A40: bloom layer backward bf16 (stage 7)", "RTX 6000: imagenet/resnet50/bs128-adadelta", "A100 PCIe: WaterLily CFD sphere (fp32)", "PRO 6000 WS: gpu_burn tensor"]

set output dir."/limit-work.png"
set multiplot layout 3,3 title "Work over draw, relative to the default or highest limit"
set ylabel "work"
do for [i=1:9] {
    set title Names[i] noenhanced
    plot series index Names[i] using 2:3 with points ls 1 title "measured", \
         series index Names[i] using 2:5 with lines ls 2 title "fitted", \
         series index Names[i] using 2:7 with lines ls 3 title "left out"
}
unset multiplot

set output dir."/limit-clock.png"
array Clocks[6] = ["RTX 3090: decode", "RTX 3090: prefill", "V100 SXM2: GeMM", "A100 SXM: gpt3-175b layer forward bf16 (stage 0)", "A40: bloom layer backward bf16 (stage 7)", "RTX A4000: fp32 FMA"]
set multiplot layout 2,3 title "Clock over draw"
set ylabel "clock, MHz"
do for [i=1:6] {
    set title Clocks[i] noenhanced
    plot series index Clocks[i] using 2:4 with points ls 1 title "measured", \
         series index Clocks[i] using 2:6 with lines ls 2 title "fitted", \
         series index Clocks[i] using 2:8 with lines ls 3 title "left out"
}
unset multiplot

set output dir."/limit-plateau.png"
set terminal pngcairo size 1500,560 font "sans,11"
set multiplot layout 1,3
set xlabel "limit, W"
set ylabel "drawn, W"
set key top left
set title "RTX 3090: firmware holds one draw from 340 to 370 W" noenhanced
plot series index "RTX 3090: decode" using 1:2 with points ls 1 title "decode", \
     series index "RTX 3090: prefill" using 1:2 with points pt 6 lc rgb "#1f3b73" title "prefill", \
     series index "RTX 3090: decode" using 1:9 smooth unique with lines ls 2 title "model"
set key bottom right
set ylabel "work"
set title "RTX 3090: the cliff below 280 W" noenhanced
plot series index "RTX 3090: decode" using 1:3 with points ls 1 title "decode", \
     series index "RTX 3090: decode" using 1:5 smooth unique with lines ls 2 title "fitted", \
     series index "RTX 3090: prefill" using 1:3 with points pt 6 lc rgb "#1f3b73" title "prefill", \
     series index "RTX 3090: prefill" using 1:5 smooth unique with lines lc rgb "#c0392b" dt 3 lw 2 title "fitted"
set title "RTX 4000 Ada: the cliff below 100 W" noenhanced
plot series index "RTX 4000 Ada: deepcoder_14b-8k" using 1:3 with points ls 1 title "14 B, measured", \
     series index "RTX 4000 Ada: deepcoder_14b-8k" using 1:5 smooth unique with lines ls 2 title "fitted", \
     series index "RTX 4000 Ada: gemma3_4b [batch_1]" using 1:3 with points pt 6 lc rgb "#1f3b73" title "4 B, measured", \
     series index "RTX 4000 Ada: gemma3_4b [batch_1]" using 1:5 smooth unique with lines lc rgb "#c0392b" dt 3 lw 2 title "fitted"
unset multiplot
