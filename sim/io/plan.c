/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/io/plan.h"

#include <string.h>

#include "sim/io/load.h"

/* The default name of a rig: the file's name without .xml, or the folder's name if the file is rig.xml. */
static const char *file_name(wsk_arena *arena, const char *path)
{
    size_t end = strlen(path);
    if (strcmp(path, "-") == 0)
        return "rig";
    if (end > 4 && strcmp(path + end - 4, ".xml") == 0)
        end -= 4;
    size_t start = end;
    while (start > 0 && path[start - 1] != '/')
        start--;
    if (end - start == 3 && memcmp(path + start, "rig", 3) == 0 && start > 1) {
        size_t from = start - 1;
        while (from > 0 && path[from - 1] != '/')
            from--;
        if (from < start - 1 && path[from] != '.')
            return wsk_printf(arena, "%.*s", (int)(start - 1 - from), path + from);
    }
    return wsk_printf(arena, "%.*s", (int)(end - start), path + start);
}

static const char *folder_of(wsk_arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? wsk_printf(arena, "%.*s", slash == path ? 1 : (int)(slash - path), path) : ".";
}

static bool root_is_rig(wsk_loader *l, const wsk_node *root)
{
    if (strcmp(root->name, "rig") == 0)
        return true;
    char q[WSK_QUOTED];
    wsk_names names = {.arena = l->arena};
    wsk_names_add(&names, "rig");
    bool part = wsk_kind_get(root->name, NULL) != NULL;
    const wsk_said *hint = wsk_io_hint(root->name, &names);
    wsk_io_quote(q, root->name);
    wsk_io_error(l->diags, root->file, root->line, root->column,
                 part ? WSK_SAID(WSK_SAY_ROOT_PART, q, hint) : WSK_SAID(WSK_SAY_ROOT, q, hint));
    return false;
}

static wsk_status read_zone(wsk_plan *plan, wsk_loader *l)
{
    const wsk_elem *run = wsk_elem_child(plan->rig, "run", NULL);
    const wsk_origin *zone = run ? wsk_elem_origin(run, "zone") : NULL;
    const wsk_file *file = NULL;
    if (!zone || !zone->text)
        return WSK_OK;
    if (wsk_zone_is_name(zone->text)) {
        const char *path = wsk_printf(l->arena, "%s/%s", WSK_ZONE_FOLDER, zone->text);
        file = path ? wsk_files_get(l->files, WSK_ZONE_FOLDER, path, "data") : NULL;
        if (!file)
            return WSK_ENOMEM;
    }
    if (file && file->status == WSK_ERUN) {
        wsk_elem_diag(l->diags, WSK_DIAG_ERROR, run, "zone", file->why);
        l->unread = true;
        return WSK_OK;
    }
    wsk_zone *made;
    plan->zone_read = wsk_zone_make(&made, l->arena, zone->text, file ? file->text : NULL, file ? file->len : 0);
    plan->zone = made;
    return plan->zone_read == WSK_ZONE_NO_MEMORY ? WSK_ENOMEM : WSK_OK;
}

static wsk_status resolve(wsk_plan *plan, wsk_loader *l, wsk_node *root, const wsk_plan_input *in)
{
    const wsk_attr *resolved = wsk_node_attr(root, "resolved");
    l->resolved = resolved && strcmp(resolved->value, "true") == 0;
    if (resolved && !l->resolved)
        wsk_io_error(l->diags, root->file, resolved->line, resolved->column, WSK_SAID(WSK_SAY_RESOLVED));
    if (!wsk_exchange_add(l, root, in->exchanges, in->exchange_count))
        return WSK_ENOMEM;
    wsk_item *item = wsk_assign(l, root, in->sets, in->set_count);
    if (item)
        wsk_source_unused(l, root);
    plan->rig = item ? wsk_elems_make(l, item, false) : NULL;
    plan->assigned = l->assigned;
    plan->n_assigned = in->set_count;
    plan->lacks_parts = l->lacks_parts;
    plan->incomplete = l->incomplete;
    if (wsk_loader_full(l))
        return WSK_ENOMEM;
    if (plan->rig) {
        for (const wsk_elem *e = plan->rig->child; e; e = e->next)
            if (e->kind->settle)
                e->kind->settle(e);
        plan->digest = wsk_elems_digest(plan->rig);
        wsk_exchange_prices(&plan->diags, plan->rig);
        const wsk_origin *name = wsk_elem_origin(plan->rig, "name");
        if (name && name->text && *name->text)
            plan->name = name->text;
        return read_zone(plan, l);
    }
    return WSK_OK;
}

static wsk_status load_rig(wsk_plan *plan, const wsk_plan_input *in)
{
    wsk_arena *arena = plan->arena;
    wsk_file given = {.len = in->text_len};
    const wsk_file *file = &given;
    wsk_files own;
    wsk_status status = WSK_OK;
    plan->path = wsk_strdup(arena, in->path ? in->path : "-");
    plan->parts_dir = in->parts_dir ? wsk_strdup(arena, in->parts_dir) : NULL;
    if (!plan->path || (in->parts_dir && !plan->parts_dir))
        return WSK_ENOMEM;
    plan->name = file_name(arena, plan->path);
    bool in_folder = strcmp(plan->path, "-") != 0;
    plan->data_dir = in->data_dir ? wsk_strdup(arena, in->data_dir) : in_folder ? folder_of(arena, plan->path) : NULL;
    if (!plan->name || (!plan->data_dir && (in_folder || in->data_dir)))
        return WSK_ENOMEM;
    /* The files lie in the arena of the parts, because parts point to the texts of their files. */
    wsk_files_init(&own, in->parts_read ? in->parts_read->arena : arena);
    wsk_files *files = in->files ? in->files : &own;
    if (in->text) { /* a copy, because the plan points to its text, which the caller may free */
        char *copy = wsk_alloc(arena, in->text_len + 1);
        given.text = copy ? memcpy(copy, in->text, in->text_len) : NULL;
    } else {
        file = wsk_files_get(files, NULL, plan->path, NULL);
    }
    if (!file || (in->text && !given.text))
        return WSK_ENOMEM;
    if (file->status != WSK_OK) {
        wsk_diag_add(&plan->diags, WSK_DIAG_ERROR, *plan->path ? plan->path : NULL, 0, 0, file->why);
        plan->unread = file->status == WSK_ERUN;
        return file->status;
    }
    wsk_node *root = NULL;
    status = wsk_doc_parse(&root, arena, &plan->diags, plan->path, file->text, file->len);
    if (status == WSK_ENOMEM || !root)
        return status;
    wsk_loader l = {.arena = arena,
                    .diags = &plan->diags,
                    .dirs = {in->extra_parts_dir, in->parts_dir},
                    .data_dir = plan->data_dir,
                    .files = files,
                    .incomplete = status != WSK_OK};
    if (in->parts_read) {
        l.parts = in->parts_read->first;
        l.parts_arena = in->parts_read->arena;
    }
    if (strcmp(root->name, "rig") != 0) /* not a rig: only the error about the root element helps */
        wsk_diags_init(&plan->diags, arena);
    if (in->prices && !wsk_prices_read(&l, in->prices))
        return WSK_ENOMEM;
    status = root_is_rig(&l, root) ? resolve(plan, &l, root, in) : WSK_EINPUT;
    if (in->parts_read)
        in->parts_read->first = l.parts;
    plan->unread = l.unread;
    plan->bad_files = l.bad_files || l.unread;
    return status;
}

/* True if an error is placed in another file than the rig's: in a part, a data file or the list of prices. */
static bool errs_elsewhere(const wsk_plan *plan)
{
    for (size_t i = 0; i < plan->diags.count; i++) {
        const wsk_diag *d = &plan->diags.items[i];
        if (d->severity == WSK_DIAG_ERROR && d->file && strcmp(d->file, plan->path) != 0)
            return true;
    }
    return false;
}

wsk_status wsk_plan_load(wsk_plan **out, const wsk_plan_input *in)
{
    *out = NULL;
    wsk_arena *arena = wsk_arena_new();
    wsk_plan *plan = arena ? wsk_alloc(arena, sizeof *plan) : NULL;
    if (!plan) {
        wsk_arena_free(arena);
        return WSK_ENOMEM;
    }
    plan->arena = arena;
    wsk_diags_init(&plan->diags, arena);
    wsk_status status = load_rig(plan, in);
    if (status == WSK_ENOMEM) {
        wsk_arena_free(arena);
        return status;
    }
    *out = plan;
    plan->bad_files = plan->diags.errors > 0 && (plan->bad_files || errs_elsewhere(plan));
    if (plan->diags.errors)
        return plan->unread ? WSK_ERUN : WSK_EINPUT;
    return WSK_OK;
}

bool wsk_plan_has_part(const wsk_plan_input *in, const char *id)
{
    const char *dirs[] = {in->extra_parts_dir, in->parts_dir};
    wsk_arena *arena = wsk_arena_new();
    wsk_files own;
    bool found = false;
    wsk_files_init(&own, arena);
    for (int i = 0; arena && i < 2 && !found; i++) {
        const char *path = dirs[i] ? wsk_printf(arena, "%s/%s.xml", dirs[i], id) : NULL;
        const wsk_file *f = path ? wsk_files_get(in->files ? in->files : &own, dirs[i], path, "part") : NULL;
        found = f && f->status == WSK_OK;
    }
    wsk_arena_free(arena);
    return found;
}

void wsk_plan_free(wsk_plan *plan)
{
    if (plan)
        wsk_arena_free(plan->arena);
}
