# SPDX-License-Identifier: GPL-3.0-or-later
# Power, cost, temperature, noise and work of each case? Bars, with uncertainty as whiskers.
title = annual ? w_title_year : strlen(over) > 0 ? sprintf(w_title_over, over) : w_title
here(name) = strstrt(columns, ' '.name.' ') > 0
number(name) = here(name) ? column(name) : NaN
or_zero(name) = here(name) ? column(name) : 0
per_year(unit) = annual ? sprintf(w_year, unit) : unit

# Layers of the stacked bar, from the left. A layer without data in any case is omitted.
array part[7] = ['cards', 'rest', 'fans', 'psu', 'loads', 'feed', 'cooling']
array part_name[7] = [w_cards, w_rest, w_fans, w_psu, w_loads, w_feed, w_cooling]
array part_colour[7] = [blue, grey, purple, red, sand, wine, sky]
upto(k) = k > 0 ? sum [i = 1:k] or_zero(part[i]) : 0

array what[5]; array band[5]; array up[5]; array panel_name[5]; array panel_unit[5]; array bar[5]
n = 0
banded(name) = name eq 'die_c' ? 'die' : name
add(name, text, unit, colour) = here(name) ? sprintf( \
    "n = n + 1; what[n] = '%s'; band[n] = '%s_band'; up[n] = '%s_up_band'; panel_name[n] = '%s'; panel_unit[n] = '%s'; bar[n] = '%s'", \
    name, banded(name), banded(name), text, unit, colour) : ''
eval add('cost', w_cost, per_year(currency), orange)
eval add('per_work', gpu_hours ? w_per_gpu_hour : w_per_work, currency.'/'.price_of, orange)
eval add('work', w_work, per_year(work_of), green)
eval add('die_c', w_die, u_die, red)
eval add('noise', w_noise, u_noise, grey)

gap_px = 74; legend_px = 20
thick = cases_shown > 12 ? 20 : cases_shown > 4 ? 24 : 30
layers = sum [k = 1:7] here(part[k])
# The panel of the energy comes first. Cases of different durations have none.
e = layers > 0 ? 1 : 0
do for [k = 1:n + e] { tall[k] = thick*cases_shown + 14 }
# In a terminal a case takes three rows.
lines = plain && 3*cases_shown + 7 > lines ? 3*cases_shown + 7 : plain ? lines : 0
LEFT = 0.03
eval page(n + e)
LEFT = plain ? 0.3 : 0.24
set lmargin at screen LEFT
# The numbers are printed after the bars.
whole(v) = abs(v) >= 100 ? 0 : abs(v) >= 10 ? 1 : abs(v) >= 1 ? 2 : 4
power(b) = floor(log10(b) + 1e-9)
of_band(b) = power(b) > 0 ? 0 : (b < 1.95*10.0**power(b)) - power(b)
open(v, b) = b == b && b > 1e-6*abs(v)
digits(v, b) = sprintf('%%.%df', open(v, b) ? of_band(b) : whole(v))
pm = plain && ascii ? ' +- ' : ' ± '
minus = plain && ascii ? ' -' : ' −'
sides(d, v, b, u) = sprintf(d, b) eq sprintf(d, u) ? sprintf(d.pm.d, v, b) : sprintf(d.minus.d.'/+'.d, v, b, u)
tell(v, b, u) = v != v ? '' : open(v, (b + u)/2) ? sides(digits(v, (b + u)/2), v, b, u) : sprintf(digits(v, (b + u)/2), v)
set yrange [cases_shown + 0.6:0.4]
unset grid; set grid xtics lc rgb '#dddddd' lw 0.6 lt 1
if (plain) { unset grid }
set ytics nomirror scale 0 ('' -1)
do for [i = 1:cases_shown] { set ytics add (case_name[i] i) }
set format x '%g'; unset xlabel
half = 0.36
reach(low, high) = sprintf("set xrange [%.10g:%.10g]; set xtics nomirror %.10g", low, high, tic(high - low))

# Numbers of bars to the left of zero are printed to the right of it.
beyond(x) = !celsius && x < 0 ? 0 : x

eval together
if (e) {
    eval place(upper(1, n + e), lower(1, n + e))
    eval panel(1, w_energy, '')
    set label 3 sprintf(w_with_unit, w_energy, per_year(u_energy))
    # The legend is drawn by this script, because gnuplot drops key entries that do not fit next to a panel. In text it
    # shows the characters of the bars.
    if (!plain) { set key off }
    layer = 0
    do for [k = 1:7] { if (here(part[k]) && !plain) {
        set label 20 + k part_name[k] at screen RIGHT + 0.027, screen upper(1, n + e) - (12.0 + legend_px*layer)/page_px(n + e) left \
            offset 1,0 point pt 5 ps 1.7 lc rgb part_colour[k] front tc rgb '#222222'
        layer = layer + 1
    } }
    set style fill solid 0.8 noborder
    set xrange [*:*]; set yrange [*:*]
    stats data using (upto(7) + or_zero('energy_up_band')) nooutput; most = STATS_max
    set yrange [cases_shown + 0.6:0.4]
    eval reach(0, most > 0 ? most*1.28 : 1)
    plot for [k = 1:7] data using (here(part[k]) ? upto(k - 1) : NaN):(column('case')):(upto(k - 1)):(upto(k)):(column('case') - half):(column('case') + half) \
             with boxxyerror lc rgb part_colour[k] title (plain && here(part[k]) ? part_name[k] : ''), \
         data using (upto(7)):(column('case')):(upto(7) - number('energy_band')):(upto(7) + number('energy_up_band')) with xerrorbars pt -1 lw 1.4 lc rgb black notitle, \
         data using (upto(7) + or_zero('energy_up_band')):(column('case')):(tell(upto(7), number('energy_band'), number('energy_up_band'))) with labels left offset 0.8,0 notitle
}
set style fill solid 0.8 noborder
set key off
do for [k = 21:27] { unset label k }
do for [k = 1:n] {
    eval place(upper(k + e, n + e), lower(k + e, n + e))
    eval panel(k + e, panel_name[k], '')
    set label 3 sprintf(w_with_unit, panel_name[k], plain && ascii && panel_unit[k] eq '°C' ? 'degC' : panel_unit[k])
    set xrange [*:*]; set yrange [*:*]
    stats data using (number(what[k]) + or_zero(up[k])) nooutput; far = STATS_max
    stats data using (number(what[k]) - or_zero(band[k])) nooutput; near = STATS_min
    set yrange [cases_shown + 0.6:0.4]
    # Temperatures and sound levels have no natural zero, so they are points, not bars.
    celsius = what[k] eq 'die_c' || what[k] eq 'noise' ? 1 : 0
    from = celsius ? floor((near - 2)/10)*10 : near < 0 ? 1.05*near : 0
    far = !celsius && far < 0 ? 0 : far
    eval reach(from, from + (far > from ? (far - from)*1.28 : 1))
    plot for [i = 1:1 - celsius] data using (number(what[k])):(column('case')):(0):(number(what[k])):(column('case') - half):(column('case') + half) \
             with boxxyerror lc rgb bar[k] notitle, \
         data using (number(what[k])):(column('case')):(number(what[k]) - number(band[k])):(number(what[k]) + number(up[k])) with xerrorbars pt -1 lw 1.4 lc rgb black notitle, \
         for [i = 1:celsius] data using (number(what[k])):(column('case')) with points pt 7 ps 1.4 lc rgb bar[k] notitle, \
         data using (beyond(number(what[k]) + or_zero(up[k]))):(column('case')):(tell(number(what[k]), number(band[k]), number(up[k]))) with labels left offset 0.8,0 notitle
}
unset multiplot
