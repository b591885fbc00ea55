# SPDX-License-Identifier: GPL-3.0-or-later
# Speed of fans and pumps, flow and noise?
title = with_spread(w_title)
# Panels: cards with fans; fans and pumps that follow a sensor or fail; the flow of each loop; the noise level.
rows = 0
array row_name[aparts + words(movers) + words(loops) + 1]
array row_variable[aparts + words(movers) + words(loops) + 1]
array row_unit[aparts + words(movers) + words(loops) + 1]
array row_colour[aparts + words(movers) + words(loops) + 1]
add(name, unit, variable, colour_) = has(variable.'.mean') ? sprintf("rows = rows + 1; row_name[rows] = '%s'; row_unit[rows] = '%s'; row_variable[rows] = '%s'; row_colour[rows] = '%s'", name, unit, variable, colour_) : ''
do for [i = 1:aparts] { if (gpus_fan[apart[i]]) { eval add(apart_title[i], u_speed, of(word(gpus, apart[i]), CARD_FAN_RPM), green) } }
fans = rows
do for [i = 1:words(movers)] { eval add(movers_title[i], u_speed, of(word(movers, i), MOVER_RPM), blue) }
do for [g in loops] { eval add(sprintf(w_coolant, g), u_flow, of(g, LOOP_FLOW_LPM), sky) }
hi = 0; eval scan(NOISE_DBA)
if (hi > 0) { eval add(w_noise, u_noise, NOISE_DBA, black) }
n = rows > 0 ? rows : 1; do for [k = 1:n] { tall[k] = n > 5 ? 120 : 150 }
eval page(n)
lo = 0; hi = 1
do for [i = 1:fans] { eval scan(row_variable[i]) }
fan_scale = snap(0, hi)
eval together
do for [i = 1:rows] {
    g = row_variable[i]
    eval place(upper(i, n), lower(i, n))
    eval axis(i == n)
    if (i == n) { eval tell_pauses }
    eval panel(i, row_name[i], row_unit[i])
    lo = 1e300; hi = -1e300; eval scan(g)
    # The level is 0 dBA if no fan or pump turns, so the axis does not go below that.
    if (lo > 0) { lo = lo > 0.1*(hi - lo) ? lo - 0.1*(hi - lo) : 0 }
    if (i <= fans) { eval fan_scale } else { eval snap(row_unit[i] eq u_noise ? lo : 0, hi) }
    plot for [k = 1:bands] data using (x(column('t_s'))):(low(g)):(high(g)) with filledcurves lc rgb row_colour[i] title w_range, \
         data using (x(column('t_s'))):(mean(g)) with lines lw 1.4 lc rgb row_colour[i] title w_mean
}
unset multiplot
