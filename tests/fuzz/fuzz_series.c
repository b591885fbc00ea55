/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "sim/io/load.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    wsk_arena *arena = wsk_arena_new();
    if (!arena || size == 0)
        return wsk_arena_free(arena), 0;
    wsk_diags diags;
    wsk_diags_init(&diags, arena);
    wsk_loader l = {.arena = arena, .diags = &diags};
    wsk_param p = {.name = "file", .type = WSK_TYPE_SERIES, .dim = (wsk_dim)(data[0] % WSK_DIM_COUNT_)};
    wsk_series_doc doc = {.name = "w.csv", .path = "w.csv", .param = &p};
    wsk_diags_init(&doc.diags, arena);
    wsk_series_parse(&l, &p, &doc, (const char *)data + 1, size - 1);
    const wsk_series *s = &doc.series;
    if ((s->count >= 2) != (doc.diags.errors == 0) || (s->count && !(s->period_s > 0)))
        abort();
    for (size_t i = 1; i < s->count; i++)
        if (!(s->t[i] > s->t[i - 1]))
            abort();
    wsk_arena_free(arena);
    return 0;
}
