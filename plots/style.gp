# SPDX-License-Identifier: GPL-3.0-or-later
# Shared by all pictures: Okabe-Ito colours, grid, panels one above the other with a common time axis.
set encoding utf8
set datafile separator comma
set datafile columnheaders
if (!exists('columns')) { columns = ''; data = '' }
has(name) = strstrt(columns, ' '.name.' ') > 0
# The time of a row is the end of its interval; means are drawn at the middle.
x(t) = t/per - interval/2.0
# CARD_DIE_C and others are variables of gnuplot with the names of quantities; the program writes them at the head of the
# script, before this file. of() makes the name of a column from the id of a card or other owner and such a name.
of(id, quantity) = id.'.'.quantity
mean(name) = column(name.'.mean')
low(name) = column(name.'.p5')
high(name) = column(name.'.p95')
most(name) = column(name.'.max')

# Colour-blind safe (Okabe and Ito 2008; from 'navy' on Tol's muted scheme). Yellow is left out, because it is hard to
# see on white.
blue = '#0072B2'; orange = '#E69F00'; green = '#009E73'; purple = '#CC79A7'
red = '#D55E00'; sky = '#56B4E9'
black = '#000000'; grey = '#999999'
navy = '#332288'; sand = '#DDCC77'; wine = '#882255'; olive = '#999933'
# Cards and loops do not use the colours of losses, the air conditioner and limits. If there are more of them than
# colours, all get the same: a dozen hues cannot be distinguished.
COLOURS = plain ? 6 : 8
# A terminal has six colours besides that of its text, which curves do not use (cli/plot/term.c).
if (plain) { red = '#cd0000'; green = '#00cd00'; orange = '#cdcd00'; blue = '#0000ee'; purple = '#cd00cd'; sky = '#00cdcd'; navy = sky; sand = red; wine = purple; olive = green; black = sky; grey = green }
array colour[8] = [blue, orange, green, purple, navy, sand, wine, olive]
tint(i, count) = count > COLOURS ? blue : colour[i]
# Single curves beyond the number of colours are dashed.
hue(i) = colour[(i - 1) % COLOURS + 1]
dash_of(i) = 1 + (i - 1)/COLOURS
card(i) = tint(i, words(gpus))

set style fill transparent solid 0.25 noborder
set border 3 lc rgb '#444444' lw 0.8
set tics nomirror out scale 0.6 textcolor rgb '#222222'
set grid xtics ytics lc rgb '#dddddd' lw 0.6 lt 1
set xrange [0:xend]
# Usual steps of a time axis: hours, quarters of a day, days, weeks.
clock_steps = time_unit eq 'h' ? '0.5 1 2 3 6 12 24' : time_unit eq 'days' ? '1 2 7 14 28 91 364' : '1 2 5 10 15 30 60'
clock_step = 0
do for [w in clock_steps] { if (clock_step == 0 && xend/real(w) <= (time_unit eq 'h' ? 6.01 : 10.01)) { clock_step = real(w) } }
if (clock_step > 0) { set xtics clock_step }

# Panels are stacked; panel k is tall[k] pixels high, so that text keeps its size for any number of panels.
array tall[1000]
width = 1000; top_px = 92; bottom_px = 64; gap_px = 40
small = strstrt(terminal, 'svg') > 0 ? ',12' : ',9'
# In a terminal each panel has a page of its own: two rows of titles, the panel, and two rows of the time axis. The keys
# take 21 columns. For Braille it is drawn again with two characters a column and four a row.
if (plain) { lines = text_rows }
LEFT = plain ? 8.0/(text_columns - 1) : 0.085; RIGHT = plain ? 1 - 21.0/(text_columns - 1) : 0.82
together = plain ? '' : 'set multiplot'
above(k) = top_px + (k > 1 ? sum [j = 1:k - 1] (tall[j] + gap_px) : 0)
page_px(n) = plain ? (dots ? 4*lines - 3 : lines) : above(n) + tall[n] + bottom_px
upper(k, n) = plain ? 1 - 2.0/(lines - 1) : 1.0 - above(k)/real(page_px(n))
lower(k, n) = plain ? 2.0/(lines - 1) : 1.0 - (above(k) + tall[k])/real(page_px(n))
place(top, bottom) = sprintf("set tmargin at screen %.6f; set bmargin at screen %.6f", top, bottom)
brief_title(text) = strlen(text) > text_columns - 10 ? text[1:text_columns - 13].'...' : text
page(n) = plain ? sprintf(terminal, dots ? 2*text_columns - 1 : text_columns, page_px(n)).sprintf( \
    "; set label 1 brief_title(title.(strlen(rig_name) > 0 ? ': '.rig_name : '')) at screen %g, screen 1 left front", LEFT) : \
    sprintf(terminal, width, page_px(n)).sprintf( \
    "; set label 1 title at screen %g, screen %g left front font ',17'; set label 2 rig_name at screen %g, screen %g left front tc rgb '#555555'", \
    LEFT, 1 - 24.0/page_px(n), LEFT, 1 - 48.0/page_px(n))
# The unit is above its axis, on the line of the panel's name. In a terminal, or if it is long, it follows the name.
behind(unit) = plain || strlen(unit) > 5
unit_now = ''
panel(k, text, unit) = "unit_now = '".unit."'; ".(k == 1 || plain ? "" : "unset label 1; unset label 2; "). \
    "set label 3 '".text.(behind(unit) && strlen(unit) > 0 ? ' ('.(ascii && unit eq '°C' ? 'degC' : unit).')' : '')."' at graph 0, graph 1 offset 0,".(plain ? '1' : '1.05')." left front tc rgb '#222222'; ". \
    (behind(unit) ? "unset label 4" : "set label 4 '".unit."' at graph 0, graph 1 offset -0.8,1.05 right front tc rgb '#555555'")
axis(last) = last || plain ? "set format x '%g'; set xlabel xname offset 0,0.3" : "set format x ''; unset xlabel"
set lmargin at screen LEFT
set rmargin at screen RIGHT
set key at screen RIGHT + 0.012, graph 1 left top Left reverse samplen 1.6 spacing 1.15 tc rgb '#222222'

# Height of a panel of `px` pixels, or of its key where that is higher: gnuplot leaves out entries without room.
keyed(px, entries) = px > 25*entries ? px : 25*entries
# Names of cards, PSUs, cases and loops in the key, which has room for 14 characters.
brief(name) = strlen(name) > 14 ? name[1:6].'..'.name[strlen(name) - 5:] : name

# Step of an axis, such that the range has two to six steps.
decade(r) = 10**floor(log10(r/4.0))
tic_of(m) = m < 1.4 ? 1 : m < 2.8 ? 2 : m < 7 ? 5 : 10
tic(r) = r > 0 ? tic_of(r/4.0/decade(r))*decade(r) : 1
# Range of several variables: set lo and hi, then eval scan(name) for each, then eval scale(margin).
lo = 1e300; hi = -1e300
scan(name) = has(name.'.max') ? sprintf("set yrange [-1e300:1e300]; stats data using (high('%s')) nooutput; hi = STATS_max > hi ? STATS_max : hi; stats data using (low('%s')) nooutput; lo = STATS_min < lo ? STATS_min : lo", name, name) : ''
spread(a, b) = b - a > 1e-9*(abs(a) + abs(b)) ? b - a : (abs(b) > 0 ? 0.1*abs(b) : 1)
# Space below and above values that are all the same, so that their line is in the middle of the panel.
beside(a, b) = b - a > 1e-9*(abs(a) + abs(b)) ? 0 : 0.5*spread(a, b)
# An axis that does not start at zero is labelled so, except for temperatures and decibels, which have no natural
# zero.
cut(a) = plain || a == 0 || unit_now eq '°C' || unit_now eq 'dBA' ? '' : sprintf(w_axis_from, a)
# In a terminal with few lines only every other step has a number.
coarse(r) = tic(r)*(plain && lines < 16 ? 2 : 1)
top_of(a, b) = ceil(b/tic(spread(a, b)) + 1e-9)*tic(spread(a, b))
snap(a, b) = sprintf("set yrange [%.10g:%.10g]; set ytics nomirror %.10g; set label 5 cut(%.10g) at graph 1, graph 1 offset 0,%g right front tc rgb '#777777'", floor(a/tic(spread(a, b)))*tic(spread(a, b)), \
                     top_of(a, b), coarse(spread(a, b)), floor(a/tic(spread(a, b)))*tic(spread(a, b)), plain ? 1 : 1.05)
bands = plain ? 0 : 1
# Checkpoints: a tick at the floor of each panel where there are few, and words beside the last one.
if (!exists('pause_every')) { pause_every = 0; pause_takes = 0 }
work_s = pause_every - pause_takes
pauses = pause_every > 0 ? int(xend*per/pause_every) : 0
# None follows the last one of events.csv: the work may have ended before the run.
if (pauses > 0 && exists('pause_last')) { done = int((pause_last + pause_takes)/pause_every + 0.5); pauses = done < pauses ? done : pauses }
do for [k = 1:(pauses > 0 && pauses <= 60 && !plain ? pauses : 0)] { set arrow k from first (k*pause_every - pause_takes)/per, graph 0 to first (k*pause_every - pause_takes)/per, graph 0.07 nohead back lw 1.2 lc rgb '#444444' }
tell_pauses = pauses > 0 && !plain ? sprintf("set label 6 '%s' at screen RIGHT + 0.012, graph 0 offset 0,-0.9 left font small tc rgb '#555555'", sprintf(pauses <= 60 ? w_pauses : w_pauses_many, work_s < 5400 ? work_s/60.0 : work_s/3600.0, work_s < 5400 ? w_min : w_hours)) : ''
with_spread(text) = sprintf(plain ? w_with_means : w_with_bands, text)
if (plain) { unset grid }
