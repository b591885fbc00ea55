# SPDX-License-Identifier: GPL-3.0-or-later
# Which power limit? Power, work, cost and temperature at each limit.
set xtics autofreq
title = w_title
set xrange [*:*]
array panel_name[7]
array panel_unit[7]
array first_col[7]
array second_col[7]
array first_name[7]
array second_name[7]
array first_colour[7]
array second_colour[7]
array wants[7] # 1: the most is best, -1: the least is, 0: neither
here(name) = strstrt(columns, ' '.name.' ') > 0
n = 0
add(name, unit, a, a_name, a_colour, b, b_name, b_colour, want) = here(a) ? sprintf( \
    "n = n + 1; panel_name[n] = '%s'; panel_unit[n] = '%s'; first_col[n] = '%s'; first_name[n] = '%s'; first_colour[n] = '%s'; second_col[n] = '%s'; second_name[n] = '%s'; second_colour[n] = '%s'; wants[n] = %d", \
    name, unit, a, a_name, a_colour, here(b) ? b : '', b_name, b_colour, want) : ''
eval add(w_throughput, '%', 'work', w_done, blue, 'unthrottled', w_unthrottled, sky, 1)
eval add(w_per_kwh, 'GPU-h/kWh', 'per_kwh', w_work, green, '', '', black, 1)
eval add(w_per_work, currency.'/GPU-h', 'per_work', w_cost, orange, '', '', black, -1)
eval add(w_board, u_power, 'power_w', w_power, red, 'limit_w', w_limit, grey, 0)
eval add(w_clock, u_clock, 'clock_mhz', w_mean, blue, '', '', black, 0)
eval add(w_temperature, u_die, 'die_c', w_die, red, 'memory_c', w_memory, purple, -1)
eval add(w_noise, u_noise, 'noise_dba', w_rig, black, '', '', black, -1)
do for [k = 1:n] { tall[k] = k < 4 ? 170 : 120 }
eval page(n)

stats data using (column('limit_w')) nooutput
low_w = STATS_min; high_w = STATS_max
set xrange [low_w - 0.02*(high_w - low_w):high_w + 0.02*(high_w - low_w)]
xname = w_limit_axis
cell(name) = column(name)
over(row) = here('over') ? column('over') : 0
# Cases that overload the circuit or a PSU are shaded, and the cheapest of the others has a line through all panels.
stats data using (over(0) > 0 ? 1 : 0) nooutput
overloads = STATS_sum > 0 && !plain ? 1 : 0; fine = STATS_records - STATS_sum
stats data using (over(0) > 0 ? column('limit_w') : 1e300) nooutput; first_over = STATS_min
stats data using (over(0) > 0 ? -1e300 : column('limit_w')) nooutput; last_fine = STATS_max
if (overloads && (fine == 0 || last_fine < first_over)) {
    set object 1 rectangle from (fine > 0 ? 0.5*(last_fine + first_over) : low_w - 0.02*(high_w - low_w)), graph 0 to high_w + 0.02*(high_w - low_w), graph 1 behind fc rgb red fs transparent solid 0.10 noborder
} else { overloads = 0 }
cheap = 0
paid(row) = column('price') == column('price') && over(0) == 0
if (fine > 0 && here('price')) {
    stats data using (paid(0) ? column('price') : 1e300) nooutput; least = STATS_min
    if (least < 1e300) {
        cheap = 1
        stats data using (paid(0) && column('price') <= least*(1 + 1e-9) ? column('limit_w') : 1e300) nooutput
        set arrow 1 from STATS_min, graph 0 to STATS_min, graph 1 nohead back lw 1.6 dt 3 lc rgb green
    }
}
eval together
do for [k = 1:n] {
    set yrange [*:*]
    stats data using (fine > 0 && over(0) > 0 ? NaN : cell(first_col[k])) nooutput
    best = wants[k] > 0 ? STATS_max : STATS_min
    # Of equally good cases the first is marked.
    as_good(v) = wants[k]*(v - best) >= -1e-9*abs(best) && (fine == 0 || over(0) == 0)
    stats data using (as_good(cell(first_col[k])) ? $0 : NaN) nooutput
    best_row = STATS_min
    band_of = first_col[k].'_band'
    banded = here(band_of) && !plain ? 1 : 0
    up_of = first_col[k].'_up_band'
    down(row) = banded && column(band_of) == column(band_of) ? column(band_of) : 0
    up(row) = banded && column(up_of) == column(up_of) ? column(up_of) : 0
    # No throughput is above that of an unthrottled card.
    most(v) = first_col[k] eq 'work' && v > 100 ? (cell('work') > 100 ? cell('work') : 100) : v
    stats data using (cell(first_col[k]) - down(0)) nooutput; lo = STATS_min
    stats data using (most(cell(first_col[k]) + up(0))) nooutput; hi = STATS_max
    # A second curve that is identical to the first is omitted.
    if (strlen(second_col[k]) > 0) {
        stats data using (abs(cell(second_col[k]) - cell(first_col[k]))) nooutput
        if (STATS_max <= 1e-3*(abs(hi) + abs(lo))) { second_col[k] = '' }
    }
    if (strlen(second_col[k]) > 0) { stats data using (cell(second_col[k])) nooutput; lo = STATS_min < lo ? STATS_min : lo; hi = STATS_max > hi ? STATS_max : hi }
    eval place(upper(k, n), lower(k, n))
    eval axis(k == n)
    eval panel(k, panel_name[k], panel_unit[k])
    eval snap(wants[k] > 0 && lo > 0 && lo < 0.5*hi ? 0 : lo - 0.05*(hi - lo), hi + 0.05*(hi - lo))
    dash = second_col[k] eq 'memory_c' ? 1 : 2
    two = strlen(second_col[k]) > 0 ? 1 : 0
    plot for [i = 1:banded] data using (column('limit_w')):(cell(first_col[k]) - down(0)):(most(cell(first_col[k]) + up(0))) with filledcurves fc rgb first_colour[k] fs transparent solid 0.15 noborder title w_band, \
         data using (column('limit_w')):(cell(first_col[k])) with linespoints lw 1.8 pt 7 ps 0.45 lc rgb first_colour[k] title first_name[k], \
         for [i = 1:two] data using (column('limit_w')):(cell(second_col[k])) with lines lw 1.4 dt dash lc rgb second_colour[k] title second_name[k], \
         for [i = 1:(wants[k] != 0 ? 1 : 0)] data using ($0 == best_row ? column('limit_w') : NaN):(cell(first_col[k])) with points pt 6 ps 1.7 lw 2 lc rgb black title w_best, \
         for [i = 1:(k == 1 ? cheap : 0)] keyentry with lines lw 1.6 dt 3 lc rgb green title (here('all_in') ? w_cheapest : w_cheapest_electricity), \
         for [i = 1:(k == 1 ? overloads : 0)] keyentry with boxes fc rgb red fs transparent solid 0.10 noborder title w_over
}
unset multiplot
