/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>

#include "tests/fuzz/fuzz.h"
#include "wattsink.h"
#include "wattsink_log.h"

static size_t check(wsk_log_series s)
{
    for (size_t i = 0; i < s.count; i++)
        if (!isfinite(s.t_s[i]) || !isfinite(s.value[i]) || s.t_s[i] < 0 || (i && s.t_s[i] <= s.t_s[i - 1]))
            abort();
    return s.count;
}

static size_t count(const wsk_log *log)
{
    size_t samples = check(wsk_log_wall(log));
    for (size_t k = 0; k < wsk_log_cards(log); k++) {
        for (int q = 0; q < WSK_LOG_QUANTITIES; q++)
            samples += check(wsk_log_of(log, k, (wsk_log_quantity)q));
        if (!wsk_log_card(log, k))
            abort();
    }
    return samples;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    wsk_log *log;
    const wsk_status status = wsk_log_read(&log, "log.csv", (const char *)data, size);
    if (!log)
        return 0;
    size_t samples = count(log);
    if ((status == WSK_OK) != (samples > 0) || (status != WSK_OK && !wsk_log_messages(log)))
        abort();
    for (size_t i = 0; i < wsk_log_messages(log); i++) {
        int severity, line, column;
        if (!wsk_log_message(log, i, &severity, &line, &column) || line < 1 || column < 1)
            abort();
    }
    if (status == WSK_OK && (wsk_log_take_stretch(log) != WSK_OK || count(log) > samples))
        abort();
    wsk_log_free(log);
    return 0;
}
