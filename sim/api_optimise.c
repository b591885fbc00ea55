/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/api.h"
#include "sim/study/optimise/optimise.h"

wsk_status wsk_rig_optimise(wsk_optimum **out, const wsk_rig *rig, const wsk_optimise_options *options)
{
    *out = NULL;
    if (!rig->net || !options)
        return rig->net ? WSK_EUSAGE : WSK_EINPUT;
    wsk_arena *arena = wsk_arena_new();
    wsk_status status = arena ? wsk_optimise(out, arena, &rig->input, options) : WSK_ENOMEM;
    if (status == WSK_OK)
        (*out)->arena = arena;
    else
        wsk_arena_free(arena);
    return status;
}

void wsk_optimum_free(wsk_optimum *optimum)
{
    if (optimum)
        wsk_arena_free(optimum->arena);
}

wsk_status wsk_optimise_sets(const wsk_optimise_options *options, const int *levels, char **sets)
{
    wsk_arena *arena = wsk_arena_new();
    size_t count = 0;
    wsk_buf b = {0};
    const char **all = arena ? wsk_seek_sets(options, arena, levels, &count) : NULL;
    for (size_t i = 0; i < count; i++)
        wsk_buf_printf(&b, "%s\n", all[i]);
    wsk_arena_free(arena);
    return wsk_give(&b, all != NULL, sets);
}
