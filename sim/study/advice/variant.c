/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/advice/propose.h"

void wsk_variant_put(wsk_variant *v, const char *set)
{
    if (set && v->count < WSK_SETS_MAX)
        v->sets[v->count++] = set;
    else
        v->halved = true;
}

void wsk_variant_set(wsk_arena *a, wsk_variant *v, const char *path, double value, const char *unit)
{
    char number[40];
    wsk_format_number(number, sizeof number, value);
    wsk_variant_put(v, path ? wsk_printf(a, "%s=%s%s", path, number, unit) : NULL);
}

wsk_variant *wsk_variant_open(wsk_maker *m, wsk_family family, const wsk_said *what)
{
    m->full = m->n == WSK_VARIANTS_MAX;
    wsk_variant *v = m->full ? &m->refused : &m->list[m->n++];
    *v = (wsk_variant){.what = wsk_said_keep(m->arena, what), .family = family};
    return v;
}

void wsk_variant_close(wsk_maker *m)
{
    const wsk_variant *v = &m->list[m->n - 1];
    m->n -= m->full ? 0 : !v->what || v->halved || !v->count;
}
