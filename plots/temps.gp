# SPDX-License-Identifier: GPL-3.0-or-later
# Temperatures of the cards, and of the air or coolant around them?
title = with_spread(w_title)
wet = words(loops) > 0 && has(of(word(loops, 1), LOOP_COOLANT_C).'.mean') ? 1 : 0
# With several cases each has its own air temperature; a single one is labelled "case". An open frame has the room's.
closed = ''
do for [c in cases] { if (strstrt(frames, ' '.c.' ') == 0) { closed = closed.' '.c } }
air_list = 'room outdoor'.(words(closed) == 0 ? '' : has(of('case', CASE_AIR_C).'.mean') ? ' case' : closed)
n = aparts + 1 + wet; do for [k = 1:n] { tall[k] = keyed(130, 6) }
tall[n] = keyed(tall[n], words(air_list))
if (wet) { tall[n - 1] = keyed(tall[n - 1], words(loops) > 1 ? words(loops) : 2) }
eval page(n)

# The same scale for all cards, so that slots can be compared.
do for [g in gpus] { do for [v in CARD_MEMORY_C.' '.CARD_HOTSPOT_C.' '.CARD_DIE_C.' '.CARD_INLET_C] { eval scan(of(g, v)) } }
# The cards' limits: in the picture where they are not far above the curves.
curves = hi
do for [i = 1:words(gpus)] { do for [l in sprintf('%g %g', gpus_target[i], gpus_memory_limit[i])] { limit = real(l); if (limit > hi && limit < curves + 0.4*(curves - lo)) { hi = limit } } }
card_top = hi >= lo ? top_of(lo - beside(lo, hi), hi + beside(lo, hi)) : 1e300
card_scale = hi >= lo ? snap(lo - beside(lo, hi), hi + beside(lo, hi)) : ''
air(k) = k == 1 ? ROOM_C : k == 2 ? OUTDOOR_C : of(word(air_list, k), CASE_AIR_C)
lo = 1e300; hi = -1e300
do for [k = 1:words(air_list)] { eval scan(air(k)) }
# A margin at the bottom keeps lines off the axis. If the room is pinned there is no outdoor temperature.
air_scale = hi >= lo ? snap(lo - 0.05*(hi - lo) - beside(lo, hi), hi + beside(lo, hi)) : ''

array kind_colour[3] = [purple, red, blue]
array kind_name[3] = [w_memory, w_die, w_air_in]
array kind_of[3] = [CARD_MEMORY_C, CARD_DIE_C, CARD_INLET_C]
kind(g, k) = of(g, kind_of[k])
array case_colour[6] = [orange, blue, purple, navy, sand, wine]
air_colour(k) = k == 1 ? green : k == 2 ? (plain ? sky : black) : words(air_list) == 3 ? orange : case_colour[(k - 3) % 6 + 1]
air_name(k) = k == 1 ? w_room : k == 2 ? w_outdoors : word(air_list, k) eq 'case' ? w_case : brief(word(air_list, k))
eval together
do for [i = 1:aparts] {
    g = word(gpus, apart[i])
    eval place(upper(i, n), lower(i, n))
    eval axis(0)
    eval panel(i, apart_title[i], u_temperature)
    eval card_scale
    limit = gpus_memory_limit[apart[i]]; target = gpus_target[apart[i]]
    kind_name[3] = gpus_wet[apart[i]] ? w_coolant_in : w_air_in
    plot for [k = 1:3*bands] data using (x(column('t_s'))):(has(kind(g, k).'.min') ? low(kind(g, k)) : NaN):(has(kind(g, k).'.max') ? high(kind(g, k)) : NaN) \
             with filledcurves lc rgb kind_colour[k] notitle, \
         data using (x(column('t_s'))):(has(of(g, CARD_HOTSPOT_C).'.mean') ? mean(of(g, CARD_HOTSPOT_C)) : NaN) with lines lw 1.2 dt 3 lc rgb (plain ? orange : red) title (has(of(g, CARD_HOTSPOT_C).'.mean') ? w_hotspot : ''), \
         for [k = 1:3] data using (x(column('t_s'))):(has(kind(g, k).'.mean') ? mean(kind(g, k)) : NaN) \
             with lines lw 1.4 lc rgb kind_colour[k] title kind_name[k], \
         for [k = 1:(limit > 0 && limit <= card_top)] limit with lines lw 1 dt 2 lc rgb purple title w_memory_limit, \
         for [k = 1:(target > 0 && target <= card_top)] target with lines lw 1 dt 2 lc rgb red title w_target
}
if (wet) {
    lo = 1e300; hi = -1e300
    do for [g in loops] { eval scan(of(g, LOOP_COOLANT_C)); eval scan(of(g, LOOP_RETURN_C)) }
    eval place(upper(n - 1, n), lower(n - 1, n))
    eval axis(0)
    # A single loop is named in the panel's title. Several loops have a colour each, and a name next to the picture.
    several = words(loops) > 1
    eval panel(n - 1, several ? w_coolants : sprintf(w_coolant, loops), u_temperature)
    loop_name(k) = several ? (k % 2 ? '' : brief(word(loops, (k + 1)/2))) : k % 2 ? w_back : w_to_blocks
    if (hi >= lo) { eval snap(lo - 0.05*(hi - lo) - beside(lo, hi), hi + beside(lo, hi)) }
    loop_line(k) = of(word(loops, (k + 1)/2), k % 2 ? LOOP_RETURN_C : LOOP_COOLANT_C)
    plot for [k = 1:2*words(loops)*bands] data using (x(column('t_s'))):(low(loop_line(k))):(high(loop_line(k))) with filledcurves lc rgb tint((k + 1)/2, words(loops)) notitle, \
         for [k = 1:2*words(loops)] data using (x(column('t_s'))):(mean(loop_line(k))) with lines lw 1.4 dt 1+k%2 lc rgb tint((k + 1)/2, words(loops)) \
             title loop_name(k)
}
eval place(upper(n, n), lower(n, n))
eval axis(1)
eval panel(n, w_air, u_temperature)
eval tell_pauses
eval air_scale
there(k) = has(air(k).'.mean')
plot for [k = 1:words(air_list)*bands] data using (x(column('t_s'))):(there(k) ? low(air(k)) : NaN):(there(k) ? high(air(k)) : NaN) \
         with filledcurves lc rgb air_colour(k) notitle, \
     for [k = 1:words(air_list)] data using (x(column('t_s'))):(there(k) ? mean(air(k)) : NaN) \
         with lines lw 1.4 dt 1 + (k > 3 ? (k - 3)/6 : 0) lc rgb air_colour(k) title (there(k) ? air_name(k) : '')
unset multiplot
