/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/sweep/inner.h"

/* A property that --resume requires to be equal in the file and on the command line. key: its key in table meta; mine:
 * its value on the command line. */
typedef struct {
    const char *key, *mine;
} fact;

/* Different settings can make the same rig, so the settings are compared only if the digests of the rigs differ. */
static void refuse_rig(const wsk_sweep *s, const fact *f, const char *theirs)
{
    char *settings = wsk_store_said(s->store, "settings");
    const char *mine = s->settings_text;
    if (settings && strcmp(settings, mine) != 0)
        wsk_cli_error(T_("%s cannot be resumed: it has other settings (%s; now %s)"), s->out,
                      *settings ? settings : T_("none"), *mine ? mine : T_("none"));
    else
        wsk_cli_error(T_("%s cannot be resumed: it belongs to another rig (digest %s, this one has %s)"), s->out,
                      theirs, f->mine);
    free(settings);
}

static int refuse(const wsk_sweep *s, const fact *f, const char *theirs)
{
    if (!strcmp(f->key, "version"))
        wsk_cli_error(T_("%s cannot be resumed: it was made by wattsink %s, this is %s"), s->out, theirs, f->mine);
    else if (!strcmp(f->key, "rig_digest"))
        refuse_rig(s, f, theirs);
    else
        wsk_cli_error(T_("%s cannot be resumed: it has other %s (%s; now %s)"), s->out, f->key, theirs, f->mine);
    return WSK_EINPUT;
}

/* The file must have all columns that this command line needs, and may have more. */
static int match_columns(wsk_sweep *s)
{
    char *names = wsk_store_said(s->store, "columns");
    if (!names && wsk_store_unread(s->store))
        return WSK_ERUN;
    if (!names) {
        wsk_cli_error(T_("%s cannot be resumed: its list of columns is missing; --force replaces it"), s->out);
        return WSK_EINPUT;
    }
    char *mine = s->column_names;
    s->column_names = NULL;
    wsk_sweep_use_columns(s, names);
    for (const char *p = mine; *p;) {
        size_t len = strcspn(p, "\n"), before = s->columns.count;
        char *name = wsk_cli_format("%.*s", (int)len, p);
        wsk_sweep_add_column(&s->columns, name);
        if (s->columns.count > before)
            wsk_cli_error(T_("%s cannot be resumed: it has no column '%s'"), s->out, name);
        free(name);
        if (s->columns.count > before) {
            free(mine);
            free(names);
            return WSK_EINPUT;
        }
        p += len + 1;
    }
    free(mine);
    free(names);
    return WSK_OK;
}

/* True for the status of a case that failed for a reason outside the rig (no memory, a file that could not be read),
 * and may succeed at another attempt. */
static bool may_pass(const char *status)
{
    return !strcmp(status, wsk_status_text(WSK_ENOMEM)) || !strcmp(status, wsk_status_text(WSK_ERUN));
}

static bool mark(void *ctx, size_t id, const wsk_cell *cells)
{
    wsk_sweep *s = ctx;
    const char *status = cells[0].text ? cells[0].text : "";
    if (id >= 1 && id <= s->design.cases && !s->has[id - 1] && !may_pass(status)) {
        s->has[id - 1] = 1;
        s->stored++;
        s->failed += strcmp(status, "ok") != 0;
    }
    return true;
}

/* Deletes the rows that do not fit their digests, so that their cases run again. */
static int check_rows(wsk_sweep *s)
{
    size_t damaged = 0;
    long long first = 0;
    wsk_cli_list all = wsk_sweep_all_columns(s);
    int code = wsk_store_check(s->store, &all);
    free(all.items);
    if (code == WSK_OK && !wsk_store_verify(s->store, true, &damaged, &first))
        code = WSK_ERUN;
    if (code == WSK_OK && damaged)
        wsk_cli_error(damaged == 1
                          ? T_("%1$s: %2$zu row is damaged, that of case %3$lld; the case runs again")
                          : T_("%1$s: %2$zu rows are damaged, first that of case %3$lld; the cases run again"),
                      s->db, damaged, first);
    return code;
}

static int resume(wsk_sweep *s, const fact *facts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char *theirs = wsk_store_said(s->store, facts[i].key);
        int code = WSK_OK;
        if (!theirs && wsk_store_unread(s->store)) {
            code = WSK_ERUN;
        } else if (!theirs && i == 0) {
            wsk_cli_error(T_("%s does not hold a sweep; --force replaces it"), s->db);
            code = WSK_EINPUT;
        } else if (!theirs || strcmp(theirs, facts[i].mine) != 0) {
            code = refuse(s, &facts[i], theirs ? theirs : T_("none"));
        }
        free(theirs);
        if (code != WSK_OK)
            return code;
    }
    int code = match_columns(s);
    if (code == WSK_OK)
        code = check_rows(s);
    if (code != WSK_OK)
        return code;
    wsk_cli_list status = {0};
    wsk_cli_push(&status, "status");
    bool ok = wsk_store_each(s->store, 0, &status, mark, s);
    free(status.items);
    if (ok && !s->quiet)
        wsk_cli_say(stderr, T_("resumed with %1$zu of %2$zu cases\n"), s->stored, s->design.cases);
    return ok ? WSK_OK : WSK_ERUN;
}

static bool make_parent(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash || slash == path)
        return true;
    char *dir = wsk_cli_format("%.*s", (int)(slash - path), path);
    bool ok = wsk_cli_mkdirs(dir);
    free(dir);
    return ok;
}

static bool look_for(const char *path, bool *there)
{
    struct stat st;
    *there = stat(path, &st) == 0;
    if (*there || errno == ENOENT)
        return true;
    wsk_cli_error(T_("cannot open %s: %s"), path, T_(strerror(errno)));
    return false;
}

static int choose(const wsk_sweep *s, bool *goes_on)
{
    bool db = false, csv = false;
    if (!look_for(s->db, &db) || (s->csv && !look_for(s->out, &csv)))
        return WSK_ERUN;
    *goes_on = s->resume && db;
    if (csv && s->resume && !db) {
        wsk_cli_error(T_("%s is there already, but not %s, which --resume goes on with; --force replaces it"), s->out,
                      s->db);
        return WSK_EINPUT;
    }
    if ((db || csv) && !s->resume && !s->force) {
        wsk_cli_error(T_("%s is there already: --resume goes on with it, --force replaces it"), s->out);
        return WSK_EINPUT;
    }
    return WSK_OK;
}

static int make(wsk_sweep *s, const fact *mine, size_t count, bool fresh)
{
    char *cases = wsk_cli_format("%zu", s->design.cases);
    wsk_store_fact facts[8] = {{"rig", s->rig_name},
                               {"cases", cases},
                               {"settings", s->settings_text},
                               {"columns", wsk_sweep_column_names(s)}};
    size_t n = 4;
    for (size_t i = 0; i < count; i++)
        facts[n++] = (wsk_store_fact){mine[i].key, mine[i].mine};
    wsk_cli_list all = wsk_sweep_all_columns(s);
    bool ok = wsk_store_make(s->store, &all, facts, fresh ? n : 0);
    free(all.items);
    free(cases);
    return ok ? WSK_OK : WSK_ERUN;
}

int wsk_sweep_open(wsk_sweep *s)
{
    /* The version is first: resume() says that a file without it does not hold a sweep. The axes come before
     * rig_digest, which depends on their values. */
    const fact facts[] = {{"version", wsk_version()},
                          {"axes", s->axes_text},
                          {"rig_digest", s->rig_digest},
                          {"options", s->options_text}};
    enum { FACTS = sizeof facts / sizeof *facts };
    bool goes_on = false;
    s->has = wsk_cli_alloc(s->design.cases);
    int code = choose(s, &goes_on);
    if (code != WSK_OK)
        return code;
    if (!make_parent(s->db) || !(s->store = wsk_store_open(s->db, !goes_on)))
        return WSK_ERUN;
    if (goes_on && (code = wsk_store_sound(s->store)) != WSK_OK)
        return code;
    bool fresh = !goes_on || wsk_store_empty(s->store);
    if (goes_on && wsk_store_unread(s->store))
        return WSK_ERUN;
    if (!fresh && (code = resume(s, facts, FACTS)) != WSK_OK)
        return code;
    /* all cases are stored: the file is only read, so it may be on a read-only disk */
    if (s->stored == s->design.cases)
        return WSK_OK;
    wsk_sweep_forget_front(s);
    if (s->csv && fresh)
        wsk_cli_output_delete(s->out); /* delete an old CSV: if one exists after this point, this sweep wrote it */
    return make(s, facts, FACTS, fresh);
}

int wsk_sweep_store(wsk_sweep *s, const char *row)
{
    const char *end;
    size_t id = (size_t)wsk_number_at(row, &end);
    if (id < 1 || id > s->design.cases || !wsk_store_put(s->store, row))
        return WSK_ERUN;
    /* Skip the lines of id, label and axes: the next line is the status. */
    const char *p = row;
    for (size_t line = 0; line < s->design.member_count + 2; line++)
        p = strchr(p, '\n') + 1;
    s->changed = true;
    if (!s->has[id - 1]) {
        s->has[id - 1] = 1;
        s->stored++;
        s->failed += strncmp(p, "\"ok\n", 4) != 0;
    }
    return WSK_OK;
}

bool wsk_sweep_missing(const wsk_sweep *s, size_t i)
{
    return !s->has[i];
}

size_t wsk_sweep_stored(const wsk_sweep *s)
{
    return s->stored;
}
