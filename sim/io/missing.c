/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "sim/io/load.h"

bool wsk_part_unnamed(wsk_loader *l, const wsk_node *node, const wsk_attr *a, const char *id)
{
    wsk_names names = {.arena = l->arena}, all = {.arena = l->arena};
    for (size_t i = 0; i < 2; i++) {
        wsk_part_ids(l->arena, l->dirs[i], node->name, false, &names);
        wsk_part_ids(l->arena, l->dirs[i], NULL, false, &all);
    }
    if (!*id)
        wsk_attr_error(l, node, a, WSK_SAID(WSK_SAY_PART_UNNAMED, node->name));
    /* If no folder has any part, this is reported once, because every name would be wrong. */
    else if (!all.count && (l->dirs[0] || l->dirs[1])) {
        l->lacks_parts = true;
        wsk_io_error(l->diags, NULL, 0, 0, WSK_SAID(WSK_SAY_NO_CATALOGUE, l->dirs[1] ? l->dirs[1] : l->dirs[0]));
    } else if (!names.count && wsk_kind_get(node->name, NULL))
        wsk_attr_error(l, node, a, WSK_SAID(WSK_SAY_NO_FAMILY, node->name));
    else
        return false;
    return true;
}

/* The diagnostic that reported this part as missing; NULL: none yet. With assignments (--set) the rig is merged
 * several times, each time with its own diagnostics. */
static wsk_diag *find_told(const wsk_loader *l, const wsk_part_doc *part)
{
    if (!part->missing || part->missing_at >= l->diags->count)
        return NULL;
    wsk_diag *told = &l->diags->items[part->missing_at];
    bool same = told->file && strncmp(told->message, part->missing, strlen(part->missing)) == 0;
    return same ? told : NULL;
}

/* Reports a missing part once for all places of a file that name this part: at the first place, with their number. */
static void tell_missing(wsk_loader *l, wsk_part_doc *part, const wsk_node *node, const wsk_attr *a,
                         const wsk_said *said)
{
    const char *text = wsk_said_english(l->arena, said);
    const wsk_attr *last = part->last_place;
    wsk_diag *told = !a->assignment && part->missing && strcmp(part->missing, text) == 0 ? find_told(l, part) : NULL;
    if (told && strcmp(told->file, node->file) == 0) {
        if (a->line < last->line || (a->line == last->line && a->column <= last->column))
            return; /* this place was counted before, when the same file was merged */
        const wsk_said *more = WSK_SAY(l->arena, WSK_SAY_NAMED_IN, said, ++part->places);
        told->said = more;
        told->message = wsk_said_english(l->arena, more);
        part->last_place = a;
        return;
    }
    size_t before = l->diags->count;
    wsk_attr_error(l, node, a, said);
    if (l->diags->count == before || a->assignment)
        return;
    part->missing = text;
    part->missing_at = before;
    part->places = 1;
    part->last_place = a;
}

void wsk_part_missing(wsk_loader *l, wsk_part_doc *part, const wsk_node *node, const wsk_attr *a)
{
    const char *id = part->id;
    char q[WSK_QUOTED];
    const char *family = wsk_kind_get(node->name, NULL) ? node->name : NULL;
    if (!l->dirs[0] && !l->dirs[1]) {
        wsk_attr_error(l, node, a, WSK_SAID(WSK_SAY_NO_PART_FOLDER, wsk_io_quote(q, id)));
    } else if (!wsk_part_unnamed(l, node, a, id)) {
        const wsk_said *hint = wsk_meant_part(l, family, id);
        static const char any_card[] = "gpu/generic";
        l->lacks_parts = l->lacks_parts || !hint || hint->code != WSK_SAY_MEANT;
        if (family && strcmp(family, "gpu") == 0 && (!hint || hint->code != WSK_SAY_MEANT))
            hint = WSK_SAY(l->arena, WSK_SAY_STANDS_IN, hint, any_card);
        else if (family && strcmp(family, "model") == 0)
            hint = WSK_SAY(l->arena, WSK_SAY_OWN_MODEL, hint);
        wsk_io_quote(q, id);
        tell_missing(l, part, node, a,
                     family ? WSK_SAID(WSK_SAY_NO_PART_OF, q, family, hint) : WSK_SAID(WSK_SAY_NO_PART, q, hint));
    }
}
