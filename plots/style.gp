# SPDX-License-Identifier: GPL-3.0-or-later
# What all pictures share: Okabe-Ito colours, grid, panels one above the other on one time axis.
set encoding utf8
set datafile separator comma
set datafile columnheaders
has(name) = strstrt(columns, ' '.name.' ') > 0
x(t) = t/per

# Colour-blind safe (Okabe and Ito 2008); yellow is left out, it vanishes on white.
blue = '#0072B2'; orange = '#E69F00'; green = '#009E73'; purple = '#CC79A7'
red = '#D55E00'; sky = '#56B4E9'; black = '#000000'; grey = '#777777'
array colour[7] = [blue, orange, green, purple, red, sky, black]
card(i) = colour[(i - 1) % 7 + 1]

set style fill transparent solid 0.25 noborder
set border 3 lc rgb '#444444' lw 0.8
set tics nomirror out scale 0.6 textcolor rgb '#222222'
set grid ytics lc rgb '#dddddd' lw 0.6 lt 1
set xrange [0:xend]
set samples 2

# Panel k of n fills the width; only the last one carries the time axis. Heights in pixels, so that text keeps
# its size however many panels there are.
width = 1000; top_px = 64; bottom_px = 58; gap_px = 30
LEFT = 0.085; RIGHT = 0.83
open_page(n, panel_px) = sprintf(terminal, width, page_px(n, panel_px))
page_px(n, panel_px) = top_px + bottom_px + n*panel_px + (n - 1)*gap_px
upper(k, n, panel_px) = 1.0 - (top_px + (k - 1)*(panel_px + gap_px))/real(page_px(n, panel_px))
lower(k, n, panel_px) = upper(k, n, panel_px) - panel_px/real(page_px(n, panel_px))
axis_on = 'set format x "%g"; set xlabel xname offset 0,0.3'
axis_off = 'set format x ""; unset xlabel'
head(what) = sprintf("set label 1 %s at screen %g, screen %g left front font ',15'", '"'.what.'"', LEFT, 1 - 20.0/total_px)
sub(what) = sprintf("set label 2 %s at screen %g, screen %g left front tc rgb '#555555'", '"'.what.'"', LEFT, 1 - 42.0/total_px)
panel_title(t) = sprintf("set title '%s' left offset 0,-0.6 tc rgb '#222222'", t)
set key at screen RIGHT + 0.012, graph 1 left top Left reverse samplen 1.6 spacing 1.15 tc rgb '#222222'
set lmargin at screen LEFT
set rmargin at screen RIGHT
