/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "sim/io/load.h"

const wsk_kind *wsk_kind_get(const char *element, const char *name)
{
    const wsk_kind *only = NULL;
    for (const wsk_kind *const *k = wsk_kinds; *k; k++) {
        if (strcmp((*k)->element, element) != 0)
            continue;
        if (name ? strcmp((*k)->name, name) == 0 : (*k)->is_default)
            return *k;
        only = only ? only : *k;
    }
    return name ? NULL : only;
}

size_t wsk_kind_params(const wsk_kind *kind)
{
    size_t n = 0;
    while (kind->params[n].name)
        n++;
    return n;
}

const wsk_child *wsk_kind_child(const wsk_kind *kind, const char *element)
{
    for (const wsk_child *c = kind->children; c && c->element; c++)
        if (strcmp(c->element, element) == 0)
            return c;
    return NULL;
}

void wsk_names_elements(wsk_names *names)
{
    for (const wsk_kind *const *k = wsk_kinds; *k; k++)
        wsk_names_add(names, (*k)->element);
}

void wsk_names_kinds(wsk_names *names, const char *element)
{
    for (const wsk_kind *const *k = wsk_kinds; *k; k++)
        if (strcmp((*k)->element, element) == 0)
            wsk_names_add(names, (*k)->name);
}

void wsk_names_params(wsk_names *names, const wsk_kind *kind)
{
    for (const wsk_param *p = kind->params; p->name; p++)
        wsk_names_add(names, p->name);
}

void wsk_names_children(wsk_names *names, const wsk_kind *kind)
{
    for (const wsk_child *c = kind->children; c && c->element; c++)
        wsk_names_add(names, c->element);
}
