/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef WSK_WEB_ENGINE_H
#define WSK_WEB_ENGINE_H
#include <stdio.h>

#include "wattsink.h"

wsk_status wsk_page_load(wsk_rig **out, const char *xml);
/* Writes a member of a JSON object, after a comma: ,"key":"text". */
void wsk_page_put_text(FILE *out, const char *key, const char *text);

#endif
