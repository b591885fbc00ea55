/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/net/roles.h"

const char *const wsk_class_names[] = {
#define WSK_CLASS_TEXT(sym, text) text,
    WSK_CLASS_LIST(WSK_CLASS_TEXT)
#undef WSK_CLASS_TEXT
        NULL};
const char *const wsk_place_names[] = {"front", "rear", "top", "bottom", "side", NULL};
