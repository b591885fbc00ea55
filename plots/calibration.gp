# SPDX-License-Identifier: GPL-3.0-or-later
# How well does the fitted card follow its log? Measured and modelled temperature, and their difference.
title = w_title
cards_ = words(gpus)
n = 2*cards_; do for [k = 1:n] { tall[k] = k % 2 ? (cards_ > 4 ? 120 : 170) : (cards_ > 4 ? 50 : 70) }
gap_px = 36
eval page(n)

cell(name) = has(name) ? column(name) : NaN
die(i) = of(word(gpus, i), CARD_DIE_C)
memory(i) = of(word(gpus, i), CARD_MEMORY_C)
widen(name) = has(name) ? sprintf("set yrange [-1e300:1e300]; stats data using (column('%s')) nooutput; hi = STATS_max > hi ? STATS_max : hi; lo = STATS_min < lo ? STATS_min : lo", name) : ''
# All cards have one scale, so that they can be compared.
do for [i = 1:cards_] { do for [c in die(i).' '.die(i).'.low '.die(i).'.high '.memory(i).' '.memory(i).'.model'] { eval widen(c) } }
temperature_scale = snap(lo, hi)
off_k = 1
widest(a) = sprintf("stats data using (abs(column('%s') - column('%s.model'))) nooutput; off_k = STATS_max > off_k ? STATS_max : off_k", a, a)
do for [i = 1:cards_] { eval widest(die(i)); if (has(memory(i))) { eval widest(memory(i)) } }
off_step = tic(2*off_k)
off_k = off_step*ceil(off_k/off_step)
off_scale = sprintf("set yrange [%g:%g]; set ytics nomirror %g; unset label 5", -off_k, off_k, off_k)

stats data using (column('held_out') > 0 ? 0 : column('t_s')) nooutput
held = STATS_max/per
proven = held < xend - 1e-9
if (proven) {
    if (!plain) { set object 1 rectangle from held, graph 0 to xend, graph 1 behind fc rgb black fs transparent solid 0.09 noborder }
    set arrow 1 from held, graph 0 to held, graph 1 nohead back lw 1 dt 2 lc rgb '#555555'
}
told = proven && !plain
eval together
do for [k = 1:n] {
    i = (k + 1)/2
    eval place(upper(k, n), lower(k, n))
    eval axis(k == n)
    eval panel(k, k % 2 ? gpus_title[i] : w_off, k % 2 ? u_temperature : 'K')
    eval (k % 2 ? temperature_scale : off_scale)
    if (k % 2) {
        plot for [j = 1:bands] data using (x(column('t_s'))):(cell(die(i).'.low')):(cell(die(i).'.high')) with filledcurves fc rgb sky fs solid 0.45 noborder title w_band, \
             for [j = 1:has(memory(i))] data using (x(column('t_s'))):(cell(memory(i))) with points pt (plain ? 2 : 6) ps 0.25 lc rgb (plain ? purple : '#666666') title w_memory, \
             for [j = 1:has(memory(i))] data using (x(column('t_s'))):(cell(memory(i).'.model')) with lines lw 1.4 dt 2 lc rgb purple title w_memory_model, \
             data using (x(column('t_s'))):(cell(die(i))) with points pt (plain ? 1 : 7) ps 0.22 lc rgb black title w_die, \
             data using (x(column('t_s'))):(cell(die(i).'.model')) with lines lw 1.5 lc rgb (plain ? red : blue) title w_die_model, \
             for [j = 1:told] keyentry with boxes fc rgb black fs transparent solid 0.09 noborder title w_held
    } else {
        plot for [j = 1:bands] data using (x(column('t_s'))):(cell(die(i).'.low') - cell(die(i).'.model')):(cell(die(i).'.high') - cell(die(i).'.model')) with filledcurves fc rgb sky fs solid 0.45 noborder notitle, \
             0 with lines lw 0.8 lc rgb black notitle, \
             for [j = 1:has(memory(i))] data using (x(column('t_s'))):(cell(memory(i).'.model') - cell(memory(i))) with points pt (plain ? 2 : 6) ps 0.25 lc rgb (plain ? purple : '#666666') title w_memory_short, \
             data using (x(column('t_s'))):(cell(die(i).'.model') - cell(die(i))) with points pt (plain ? 1 : 7) ps 0.22 lc rgb (plain ? red : blue) title w_die_short
    }
}
unset multiplot
