# SPDX-License-Identifier: GPL-3.0-or-later
# How do several runs differ? One curve per run in each panel. Edit this script or its data files for other pictures.
title = sprintf(what eq 'temps' ? w_temps : what eq 'power' ? w_power : what eq 'clocks' ? w_clocks : \
        what eq 'fans' ? w_fans : what eq 'cost' ? w_cost : w_psu, runs)
rig_name = strlen(run_names) > 110 ? run_names[1:107].'...' : run_names
# The key is as wide as the longest name of a run.
longest = 0; do for [k = 1:runs] { longest = strlen(run_name[k]) > longest ? strlen(run_name[k]) : longest }
RIGHT = plain ? 1 - (6.0 + longest)/text_columns : 1 - (62 + 8.2*longest)/width
set rmargin at screen RIGHT
set key at screen RIGHT + 0.012, graph 1
n = panels; do for [k = 1:n] { tall[k] = keyed(n > 3 ? 150 : 190, words(panel_runs[k])) }
eval page(n)
eval together
do for [k = 1:n] {
    lo = 1e300; hi = -1e300
    set yrange [-1e300:1e300]
    do for [w in panel_runs[k]] {
        stats run_data[int(w)] using (column(panel_column[k])) nooutput
        lo = STATS_min < lo ? STATS_min : lo; hi = STATS_max > hi ? STATS_max : hi
    }
    eval place(upper(k, n), lower(k, n))
    eval axis(k == n)
    eval panel(k, panel_name[k], panel_unit[k])
    # Quantities with a natural zero start their axis at 0, so that 7 % more looks like 7 % more.
    counted = !panel_cut[k]
    # Only temperatures are drawn below 0.
    below = hi - lo > 0.2 ? lo - 0.05*(hi - lo) : lo - 1
    if (lo >= 0 && below < 0 && panel_unit[k] ne '°C') { below = 0 }
    if (counted && lo >= 0) { eval snap(0, hi + 0.02*(hi - lo)) } else { eval (hi - lo > 0.2 ? snap(below, hi + 0.02*(hi - lo)) : snap(below, hi + 1)) }
    plot for [w in panel_runs[k]] run_data[int(w)] using (column('t_s')/per):(column(panel_column[k])) with lines lw 1.6 dt dash_of(int(w)) \
         lc rgb hue(int(w)) title run_name[int(w)]
}
unset multiplot
