/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/io/load.h"
void wsk_schema_write(wsk_buf *out)
{
    (void)out;
}
void wsk_kinds_write(wsk_buf *out, const char *element)
{
    (void)out;
    (void)element;
}
wsk_status wsk_parts_list(const char *parts_dir, const char *family, wsk_part_fn *fn, void *ctx)
{
    (void)parts_dir, (void)family, (void)fn, (void)ctx;
    return WSK_OK;
}
wsk_status wsk_part_show(const char *parts_dir, const char *id, wsk_buf *out, wsk_diags *diags)
{
    (void)parts_dir, (void)id, (void)out, (void)diags;
    return WSK_OK;
}
