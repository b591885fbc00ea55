# SPDX-License-Identifier: GPL-3.0-or-later
# Does the card run at its clock, and if not, why?
title = w_title
n = aparts; do for [k = 1:n] { tall[k] = aparts > 4 ? 150 : 190 }
strip_px = 72
eval page(n)

do for [g in gpus] { eval scan(of(g, CARD_CLOCK_MHZ)) }
lowest = lo - beside(lo, hi); lowest = lowest < 0 ? 0 : lowest; highest = hi + beside(lo, hi)
clock_scale = hi >= lo ? snap(lowest, highest).sprintf('; set ytics %g', 2*tic(highest - lowest)) : ''

# Each throttle reason has a row in the strip below the panel; its height is the share of time for which it was
# active.
array why[4] = [CARD_THROTTLE_POWER, CARD_THROTTLE_THERMAL, CARD_THROTTLE_MEMORY, CARD_THROTTLE_HW]
array why_name[4] = [w_by_power, w_by_heat, w_by_memory, w_by_hardware]
array why_colour[4] = [sky, red, purple, black]
share(g, k) = has(of(g, why[k]).'.mean') ? mean(of(g, why[k])) : 0
strip_top(i) = lower(i, n) + (plain ? 0 : (strip_px + 8.0)/page_px(n))

eval together
do for [i = 1:n] {
    g = word(gpus, apart[i])
    do for [k = 1:(i > 1 ? 4 : 0)] { unset label 10 + k }
    eval place(upper(i, n), strip_top(i))
    eval axis(0)
    eval panel(i, apart_title[i], u_clock)
    if (has(of(g, CARD_CLOCK_MHZ).'.mean')) {
        eval clock_scale
        set ytics scale 0.6; set format y '%g'
        plot for [k = 1:bands] data using (x(column('t_s'))):(low(of(g, CARD_CLOCK_MHZ))):(high(of(g, CARD_CLOCK_MHZ))) with filledcurves lc rgb blue title w_range, \
             data using (x(column('t_s'))):(mean(of(g, CARD_CLOCK_MHZ))) with lines lw 1.4 lc rgb blue title w_mean
    } else {
        set yrange [0:1]; set ytics scale 0 1; set format y ''; unset label 5
        set label 9 w_unknown at graph 0.5, graph 0.5 center front tc rgb '#555555'
        plot NaN notitle
        unset label 9; set ytics scale 0.6; set format y '%g'
    }
    # in a terminal the shares are lines on a page of their own
    if (plain) {
        eval panel(i, sprintf(w_limited, apart_title[i]), '%')
        set yrange [0:100]; set ytics 20
        plot for [k = 1:4] data using (x(column('t_s'))):(100*share(g, k)) with lines lc rgb why_colour[k] title why_name[k]
    } else {
        unset label 1; unset label 2; unset label 3; unset label 4; unset label 5
        eval place(strip_top(i) - 8.0/page_px(n), lower(i, n))
        eval axis(i == n)
        if (i == n) { eval tell_pauses }
        set yrange [0:4]
        set ytics nomirror scale 0 1; set format y ''
        do for [k = 1:4] { set label 10 + k why_name[k] at graph 1.016, first 4.4 - k left front font small tc rgb '#222222' }
        plot for [k = 1:4] data using (x(column('t_s'))):(4 - k):(4 - k + 0.92*share(g, k)) with filledcurves lc rgb why_colour[k] fs solid 0.8 notitle
    }
}
unset multiplot
