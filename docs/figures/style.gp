# SPDX-License-Identifier: GPL-3.0-or-later
# Style of the theory pages' figures: colours as in plots/style.gp (Okabe and Ito 2008).
set encoding utf8
set terminal svg size 860,size_y font 'Helvetica,Arial,sans-serif,13' background '#ffffff' noenhanced
set output name
blue = '#0072B2'; orange = '#E69F00'; green = '#009E73'; purple = '#CC79A7'; red = '#D55E00'; black = '#000000'; grey = '#999999'
array colour[4] = [blue, orange, green, purple]
set border 3 lc rgb '#444444' lw 0.8
set tics nomirror out scale 0.6 textcolor rgb '#222222'
set grid xtics ytics lc rgb '#dddddd' lw 0.6 lt 1
set key reverse Left samplen 1.6 tc rgb '#222222'
