# SPDX-License-Identifier: GPL-3.0-or-later
# Settings shared by the pictures of settled points and of traces; each picture is written beside `out`.
orange = '#E69F00'; blue = '#0072B2'; green = '#009E73'; red = '#D55E00'; purple = '#CC79A7'; ink = '#222222'; grey = '#777777'
set encoding utf8
set border 3 lc rgb '#444444' lw 0.8
set tics nomirror out scale 0.6 textcolor rgb ink
set grid xtics ytics lc rgb '#dddddd' lw 0.6 lt 1
place(l, r, b, t) = sprintf("set lmargin at screen %g; set rmargin at screen %g; set bmargin at screen %g; set tmargin at screen %g", l, r, b, t)
