# SPDX-License-Identifier: GPL-3.0-or-later
# Where do the watts go?
title = w_title
cards = words(gpus)
or_zero(name) = has(name.'.mean') ? mean(name) : 0
# A terminal draws the stack as lines, with few symbols to tell them apart. So more than two cards are summed, and the
# wall power has its own line only if it differs from the top of the stack.
hi = 0; eval scan(AC_W); cooling = hi > 0 ? 1 : 0
stats data using (or_zero(WALL_W)) nooutput; wall_high = STATS_max
# Power that the circuits carry: at the wall, which includes UPS, power strips and AC loads, or, if that is more, the power
# that the PSUs draw.
drawn(d) = or_zero(DC_W) + or_zero(PSU_LOSS_W)
carried(d) = or_zero(WALL_W) > drawn(0) ? or_zero(WALL_W) : drawn(0)
stats data using (carried(0) - or_zero(WALL_W)) nooutput
walled = !plain || STATS_max > 0.005*wall_high ? 1 : 0
grouped = cards > (plain ? 2 : COLOURS)
shown = grouped ? 1 : cards
n = 1 + cooling + aparts; tall[1] = shown < 8 ? 300 : 340; do for [k = 2:n] { tall[k] = 84 }
eval page(n)

# Layers of the stack, from the bottom: cards, rest of the rig, PSU loss. Together they are what the circuit carries; the
# air conditioner, on another one, has a panel of its own.
gpu_mean(i) = or_zero(of(word(gpus, i), CARD_POWER_W))
gpu_upto(k) = sum [i = 1:k] gpu_mean(i)
top(k) = k <= shown ? (k > 0 ? gpu_upto(grouped ? cards : k) : 0) : carried(0) - (k == shown + 1 ? or_zero(PSU_LOSS_W) : 0)
array other_colour[2] = [plain ? green : grey, red]
array other_name[2] = [w_rest, w_psu]
if (plain) { other_name[1] = w_rest_short; other_name[2] = walled ? w_psu_short : w_psu_wall_short }
limit_colour = plain ? purple : red
layer(k) = k > shown ? other_name[k - shown] : grouped ? sprintf(w_cards, cards) : brief(word(gpus, k))
layers = shown + 2
set yrange [-1e300:1e300]
stats data using (has(WALL_W.'.max') ? most(WALL_W) : top(layers)) nooutput
stack_scale = snap(0, STATS_max > limit_w ? STATS_max : limit_w*1.05)
lo = 0; hi = 1
do for [g in gpus] { eval scan(of(g, CARD_POWER_W)) }
gpu_scale = snap(0, hi).sprintf("; set ytics %g", 2*tic(hi))

eval together
eval place(upper(1, n), lower(1, n))
eval axis(n == 1)
if (n == 1) { eval tell_pauses }
eval panel(1, plain ? w_at_wall_stacked : w_at_wall, u_power)
eval stack_scale
set style fill solid 0.75 noborder
set key invert
# a terminal draws only the edges of the stack
plot for [k = 1:layers*bands] data using (x(column('t_s'))):(top(k - 1)):(top(k)) with filledcurves \
         lc rgb (k <= shown ? card(k) : other_colour[k - shown]) fs solid (k <= shown ? 0.75 : 0.55) title layer(k), \
     for [k = 1:layers*plain] data using (x(column('t_s'))):(top(k)) with lines \
         lc rgb (k <= shown ? card(k) : other_colour[k - shown]) title layer(k), \
     for [k = 1:walled] data using (x(column('t_s'))):(or_zero(WALL_W)) with lines lw 1.6 lc rgb black title w_wall, \
     data using (x(column('t_s'))):(has(WALL_W.'.max') ? most(WALL_W) : NaN) with lines lw 1 dt 3 lc rgb black title (walled ? w_max : w_max_wall), \
     for [k = 1:(limit_w > 0)] limit_w with lines lw 1.6 dt 2 lc rgb limit_colour title w_limit
set key noinvert
if (cooling) {
    eval place(upper(2, n), lower(2, n))
    eval axis(aparts == 0)
    eval panel(2, w_cooling, u_power)
    lo = 0; hi = 1; eval scan(AC_W)
    eval snap(0, hi).sprintf("; set ytics %g", 2*tic(hi))
    plot for [k = 1:bands] data using (x(column('t_s'))):(mean(AC_W)) with filledcurves y1=0 lc rgb sky fs solid 0.55 notitle, \
         for [k = 1:plain] data using (x(column('t_s'))):(mean(AC_W)) with lines lc rgb sky notitle
}
do for [i = 1:aparts] {
    g = word(gpus, apart[i])
    eval place(upper(n - aparts + i, n), lower(n - aparts + i, n))
    eval axis(i == aparts)
    if (i == aparts) { eval tell_pauses }
    eval panel(n - aparts + i, apart_title[i], u_power)
    eval gpu_scale
    plot for [k = 1:bands] data using (x(column('t_s'))):(low(of(g, CARD_POWER_W))):(high(of(g, CARD_POWER_W))) with filledcurves lc rgb card(apart[i]) fs solid 0.25 title w_range, \
         data using (x(column('t_s'))):(mean(of(g, CARD_POWER_W))) with lines lw 1.6 lc rgb card(apart[i]) title w_mean
}
unset multiplot
