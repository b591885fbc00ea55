/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "sim/base/calendar.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    wsk_arena *arena = wsk_arena_new();
    wsk_zone *zone = NULL;
    if (!arena)
        return 0;
    wsk_zone_result r = wsk_zone_parse(&zone, arena, data, size);
    if ((r == WSK_ZONE_OK) != (zone != NULL))
        abort();
    for (int64_t t = -(INT64_C(1) << 40); zone && t < INT64_C(1) << 40; t += (INT64_C(1) << 36) + 12345) {
        int64_t until;
        int offset = wsk_zone_offset(zone, t, &until);
        if (until <= t || abs(offset) >= 26 * 3600 || llabs(wsk_zone_utc(zone, t) - t) > 27 * 3600)
            abort();
    }
    wsk_arena_free(arena);
    return 0;
}
