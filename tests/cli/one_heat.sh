#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A room or a part above its limit is told by every command that judges the rig.
. "$(dirname "$0")/helpers.inc"

# A limit of the voltage regulator is only told, so the card stays above it. In a room that loses 5 W/K, several hundred watts warm the room far above 35 degC.
sed 's|<tariff kind|<room conductance="5 W/K"><outdoor mean="20 degC" swing="0 K"/></room><tariff kind|' hot.xml >room.xml
sed -i 's/memory-limit="80 degC"/vrm-limit="40 degC"/' hot.xml
exits 0 "the steady point of a card with a hot VRM" "$wattsink" steady hot.xml
says out 'gpu0: VRM [0-9.]+ degC, limit 40 degC' "steady tells of it"
vrm=$(sed -n 's/.*gpu0: VRM \([0-9.]*\) degC, limit.*/\1/p' out)
exits 0 "check of a card with a hot VRM" "$wattsink" check hot.xml
says out "^  Simulation: gpu0: VRM $vrm degC, limit 40 degC" "check tells of it with the same temperature"
lacks out 'the room' "check does not tell of a room that stays cool"

exits 0 "the steady point in a room that gets hot" "$wattsink" steady room.xml
room=$(sed -n 's/.*The room gets too hot (\([0-9.]*\) degC).*/\1/p' out)
exits 0 "check of it" "$wattsink" check room.xml
says out "^  Advice: the room reaches $room degC, above 35 degC; air it better or cool it" "check tells of the room with the same temperature"

# The room with the lower limit is the one that stays cool; both compare alike in all else.
exits 0 "a comparison with a room that stays cool" "$wattsink" compare room.xml --vary 'room.conductance=5W/K,500W/K' --for 1d
says out '^5 ?W/K: the room gets too hot \([0-9.]+ degC\)[.;]' "compare names the case whose room gets hot"
lacks out '500 ?W/K: the room' "and not the other"
exits 0 "a comparison of cards with a hot VRM" "$wattsink" compare hot.xml --vary gpu.power-limit=350W,180W --for 1d
says out '^350W: gpu0: VRM [0-9.]+ degC, limit 40 degC' "compare names the case with a hot VRM"
exit $status
