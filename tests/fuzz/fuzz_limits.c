/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>

#include "tests/fuzz/fuzz.h"
#include "wattsink.h"

static bool bad(double value)
{
    return !isnan(value) && !(value > 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    wsk_limits *limits;
    size_t count;
    const wsk_status status = wsk_limits_read(&limits, "limits.csv", (const char *)data, size);
    if (!limits)
        return 0;
    const wsk_calibrate_row *row = wsk_limits_rows(limits, &count);
    if ((status == WSK_OK) != (count >= 2 && status != WSK_EINPUT) ||
        (status != WSK_OK && !wsk_limits_messages(limits)))
        abort();
    for (size_t i = 0; i < count; i++)
        if (bad(row[i].limit_w) || bad(row[i].lock_hz) || bad(row[i].drawn_w) || bad(row[i].clock_hz) ||
            bad(row[i].work) || bad(row[i].die_k) ||
            (isnan(row[i].limit_w) && isnan(row[i].lock_hz) && isnan(row[i].drawn_w)))
            abort();
    wsk_limits_free(limits);
    return 0;
}
