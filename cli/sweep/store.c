/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The SQLite file of a sweep: table `cases` with one row per case, table `meta` with version, rig, axes and options.
 * The last column of a row is the digest of the others, because SQLite does not notice damaged values. Only this
 * file uses SQLite. Each row is committed at once. With the write-ahead log a commit needs no fsync, and rows that
 * were handed to the system survive the end of the process. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sqlite3.h>

#include "cli/kit/lock.h"
#include "cli/sweep/digest.h"
#include "cli/sweep/inner.h"

struct wsk_store {
    sqlite3 *db;
    sqlite3_stmt *put, *row; /* row: reads a row by its id; made by wsk_store_set */
    char *path;
    wsk_cli_lock *lock; /* lock on the file FILE.lock, which keeps other sweeps out */
    double synced;      /* wsk_clock() when the rows were last put on disk */
    bool unread;        /* reading the file failed; wsk_store_unread returns it */
    bool digests;       /* rows have digests; those of earlier files have none */
};

/* name of the last column, a hash of each row; also a key in the table meta of files that have this column */
static const char DIGEST[] = "row_digest";

static bool complain(const wsk_store *s, const char *what)
{
    wsk_cli_error("%s: %s: %s", s->path, T_(what), s->db ? sqlite3_errmsg(s->db) : T_("out of memory"));
    return false;
}

static bool run(wsk_store *s, const char *sql)
{
    return sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK;
}

wsk_store *wsk_store_open(const char *path, bool make)
{
    wsk_store *s = wsk_cli_alloc(sizeof *s);
    s->path = wsk_cli_format("%s", path);
    char *lock = wsk_cli_format("%s.lock", path);
    s->lock = wsk_cli_lock_take(lock, path, "sweep", make ? WSK_CLI_WRITES : WSK_CLI_RESUMES);
    free(lock);
    if (!s->lock) {
        wsk_store_close(s);
        return NULL;
    }
    if (make) {
        static const char *const tails[] = {"", "-wal", "-shm", "-journal"};
        for (size_t i = 0; i < sizeof tails / sizeof *tails; i++) {
            char *old = wsk_cli_format("%s%s", path, tails[i]);
            remove(old);
            free(old);
        }
    }
    int flags = SQLITE_OPEN_READWRITE | (make ? SQLITE_OPEN_CREATE : 0);
    if (sqlite3_open_v2(path, &s->db, flags, NULL) != SQLITE_OK || sqlite3_busy_timeout(s->db, 10000) != SQLITE_OK) {
        complain(s, make ? N_("cannot write") : N_("cannot open"));
        wsk_store_close(s);
        return NULL;
    }
    if (make && !run(s, "PRAGMA user_version = 0; CREATE TABLE wsk_probe (x); DROP TABLE wsk_probe")) {
        complain(s, N_("cannot write"));
        wsk_store_close(s);
        return NULL;
    }
    return s;
}

void wsk_store_close(wsk_store *s)
{
    if (!s)
        return;
    sqlite3_finalize(s->put);
    sqlite3_finalize(s->row);
    /* Merges the write-ahead log into the file, so that the file can be read from a read-only disk. This fails while
     * another process reads the file; the log then stays beside it, and nothing is lost. */
    if (s->db)
        run(s, "PRAGMA journal_mode = DELETE");
    sqlite3_close(s->db);
    wsk_cli_lock_drop(s->lock);
    free(s->path);
    free(s);
}

typedef struct {
    FILE *out;
    char *text;
    size_t len;
} sql;

static void sql_begin(sql *q, const char *text)
{
    *q = (sql){0};
    q->out = wsk_cli_text(&q->text, &q->len);
    fputs(text, q->out);
}

static sqlite3_stmt *sql_prepare(sql *q, wsk_store *s)
{
    sqlite3_stmt *made = NULL;
    bool ok = fclose(q->out) == 0 && sqlite3_prepare_v2(s->db, q->text, -1, &made, NULL) == SQLITE_OK;
    free(q->text);
    return ok ? made : NULL;
}

/* SQL that makes the table `cases`, as SQLite stores it. Its columns have no declared type, so that SQLite does not
 * convert a text of digits, such as a part id, to a number. */
static void begin_cases(sql *q, const wsk_cli_list *columns)
{
    sql_begin(q, "CREATE TABLE cases (id INTEGER PRIMARY KEY");
    for (size_t i = 0; i < columns->count; i++) {
        fputs(", ", q->out);
        wsk_sweep_put_quoted(q->out, columns->items[i]);
    }
    fprintf(q->out, ", %s)", DIGEST);
}

static bool make_cases(wsk_store *s, const wsk_cli_list *columns)
{
    sql q;
    begin_cases(&q, columns);
    sqlite3_stmt *make = sql_prepare(&q, s);
    bool ok = make && sqlite3_step(make) == SQLITE_DONE;
    sqlite3_finalize(make);
    return ok;
}

static bool say(wsk_store *s, const wsk_store_fact *fact)
{
    sqlite3_stmt *q = NULL;
    bool ok = sqlite3_prepare_v2(s->db, "INSERT OR REPLACE INTO meta VALUES (?, ?)", -1, &q, NULL) == SQLITE_OK &&
              sqlite3_bind_text(q, 1, fact->key, -1, SQLITE_TRANSIENT) == SQLITE_OK &&
              sqlite3_bind_text(q, 2, fact->value, -1, SQLITE_TRANSIENT) == SQLITE_OK &&
              sqlite3_step(q) == SQLITE_DONE;
    sqlite3_finalize(q);
    return ok;
}

/* Makes both tables in one transaction: a sweep that is killed or finds the disk full leaves both tables or none. */
static bool make_tables(wsk_store *s, const wsk_cli_list *columns, const wsk_store_fact *facts, size_t count)
{
    bool ok = run(s, "BEGIN IMMEDIATE") &&
              run(s, "DROP TABLE IF EXISTS cases; DROP TABLE IF EXISTS meta;"
                     "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT)") &&
              make_cases(s, columns) && say(s, &(wsk_store_fact){DIGEST, "FNV-1a, 64 bits"});
    for (size_t i = 0; ok && i < count; i++)
        ok = say(s, &facts[i]);
    s->digests = true;
    return ok && run(s, "COMMIT");
}

bool wsk_store_make(wsk_store *s, const wsk_cli_list *columns, const wsk_store_fact *facts, size_t count)
{
    sql q;
    bool ok = run(s, "PRAGMA journal_mode = WAL") && run(s, "PRAGMA synchronous = NORMAL") &&
              (count == 0 || make_tables(s, columns, facts, count));
    if (ok) {
        sql_begin(&q, "INSERT OR REPLACE INTO cases VALUES (?");
        for (size_t i = 0; i < columns->count; i++)
            fputs(",?", q.out);
        fputs(s->digests ? ",?)" : ")", q.out);
        sqlite3_finalize(s->put);
        s->put = sql_prepare(&q, s);
    }
    return ok && s->put ? true : complain(s, ok && count == 0 ? N_("cannot read") : N_("cannot write"));
}

/* Returns the first value of the first row that an SQL query gives. key: the value of the query's parameter, or NULL if
 * the query has none. Returns NULL if there is no row or no such table, or if reading failed, which sets s->unread.
 * Caller frees. */
static char *ask(wsk_store *s, const char *question, const char *key)
{
    sqlite3_stmt *q = NULL;
    char *value = NULL;
    int code = sqlite3_prepare_v2(s->db, question, -1, &q, NULL);
    if (code == SQLITE_OK && key)
        code = sqlite3_bind_text(q, 1, key, -1, SQLITE_TRANSIENT);
    if (code == SQLITE_OK)
        code = sqlite3_step(q);
    if (code == SQLITE_ROW)
        value = wsk_cli_format("%s", (const char *)sqlite3_column_text(q, 0));
    else if (code != SQLITE_DONE && code != SQLITE_ERROR)
        s->unread = true;
    sqlite3_finalize(q);
    return value;
}

bool wsk_store_unread(wsk_store *s)
{
    return s->unread && !complain(s, N_("cannot read"));
}

/* Reads the whole file from disk, not from SQLite's cache, to find out whether the disk can read it. Returns an error
 * code of SQLite. It uses SQLite's file descriptor, because if a process closes another descriptor of a file, the
 * system drops all of the process's locks on that file. */
static int read_through(wsk_store *s)
{
    char page[4096];
    sqlite3_int64 size = 0;
    sqlite3_file *file = NULL;
    int code = sqlite3_file_control(s->db, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    if (code == SQLITE_OK)
        code = file->pMethods->xFileSize(file, &size);
    for (sqlite3_int64 at = 0; at < size && code == SQLITE_OK; at += (sqlite3_int64)sizeof page)
        code = file->pMethods->xRead(file, page, sizeof page, at);
    return code == SQLITE_IOERR_SHORT_READ ? SQLITE_OK : code;
}

int wsk_store_sound(wsk_store *s)
{
    static const char quick[] = "PRAGMA quick_check(1)";
    char *found = ask(s, quick, NULL);
    if (!found || strcmp(found, "ok") != 0) {
        /* SQLite reports a page that the disk could not read as a damaged one */
        int code = read_through(s);
        free(found);
        if (code != SQLITE_OK) {
            wsk_cli_error("%s: %s: %s", s->path, T_("cannot read"), sqlite3_errstr(code));
            return WSK_ERUN;
        }
        s->unread = false;
        found = ask(s, quick, NULL);
    }
    int code = found || sqlite3_errcode(s->db) == SQLITE_CORRUPT ? WSK_EINPUT : WSK_ERUN;
    if (found && !strcmp(found, "ok")) {
        code = WSK_OK;
    } else if (code == WSK_EINPUT) {
        wsk_cli_error(T_("%1$s is damaged: %2$s; --force replaces it"), s->path,
                      found ? found : sqlite3_errmsg(s->db));
    } else if (sqlite3_errcode(s->db) == SQLITE_NOTADB) {
        wsk_cli_error(T_("%s does not hold a sweep; --force replaces it"), s->path);
        code = WSK_EINPUT;
    } else {
        complain(s, N_("cannot read"));
    }
    free(found);
    return code;
}

bool wsk_store_empty(wsk_store *s)
{
    char *tables = ask(s,
                       "SELECT count(*) FROM sqlite_master WHERE name NOT IN ('cases', 'meta', 'wsk_probe') AND "
                       "name NOT LIKE 'sqlite_%'",
                       NULL),
         *there = ask(s, "SELECT count(*) FROM sqlite_master WHERE name = 'cases'", NULL),
         *rows = there && !strcmp(there, "0") ? wsk_cli_format("0") : ask(s, "SELECT count(*) FROM cases", NULL);
    bool empty = tables && !strcmp(tables, "0") && rows && !strcmp(rows, "0");
    free(tables);
    free(there);
    free(rows);
    return empty;
}

char *wsk_store_said(wsk_store *s, const char *key)
{
    return ask(s, "SELECT value FROM meta WHERE key = ?", key);
}

static uint64_t mix_cell(uint64_t hash, sqlite3_stmt *q, int i)
{
    switch (sqlite3_column_type(q, i)) {
    case SQLITE_INTEGER: return wsk_digest_add(hash, 'i', (uint64_t)sqlite3_column_int64(q, i));
    case SQLITE_FLOAT: return wsk_digest_number(hash, sqlite3_column_double(q, i));
    case SQLITE_TEXT: {
        /* read before the length, because this call may change the encoding */
        const void *text = sqlite3_column_text(q, i);
        return wsk_digest_bytes(hash, 't', text, text ? (size_t)sqlite3_column_bytes(q, i) : 0);
    }
    case SQLITE_BLOB:
        return wsk_digest_bytes(hash, 'b', sqlite3_column_blob(q, i), (size_t)sqlite3_column_bytes(q, i));
    default: return wsk_digest_add(hash, 'n', 0);
    }
}

static bool bind_digest(sqlite3_stmt *q, int at, uint64_t hash)
{
    char text[WSK_DIGEST_TEXT];
    wsk_digest_print(text, hash);
    return sqlite3_bind_text(q, at, text, -1, SQLITE_TRANSIENT) == SQLITE_OK;
}

static bool bind(sqlite3_stmt *q, int at, const char *value, uint64_t *hash)
{
    const char *end;
    double number = wsk_number_at(value, &end);
    if (*value == '"') {
        char *text = wsk_sweep_get_text(value);
        bool ok = sqlite3_bind_text(q, at, text, -1, SQLITE_TRANSIENT) == SQLITE_OK;
        *hash = wsk_digest_bytes(*hash, 't', text, strlen(text));
        free(text);
        return ok;
    }
    if (!strcmp(value, "true") || !strcmp(value, "false")) {
        *hash = wsk_digest_add(*hash, 'i', *value == 't');
        return sqlite3_bind_int(q, at, *value == 't') == SQLITE_OK;
    }
    /* All numbers are stored as REAL, so that SQL does not divide them as integers. */
    *hash = wsk_digest_number(*hash, number);
    return (isnan(number) ? sqlite3_bind_null(q, at) : sqlite3_bind_double(q, at, number)) == SQLITE_OK;
}

bool wsk_store_put(wsk_store *s, const char *row)
{
    char *line = wsk_cli_alloc(strlen(row) + 1);
    bool ok = true;
    const char *end;
    int n = sqlite3_bind_parameter_count(s->put) - s->digests, at = 0;
    uint64_t hash = WSK_HASH_EMPTY;
    sqlite3_reset(s->put);
    for (const char *p = row; ok && *p && at < n; p++) {
        size_t len = strcspn(p, "\n");
        memcpy(line, p, len);
        line[len] = '\0';
        if (++at == 1) {
            const sqlite3_int64 id = (sqlite3_int64)wsk_number_at(line, &end);
            hash = wsk_digest_add(hash, 'i', (uint64_t)id);
            ok = sqlite3_bind_int64(s->put, 1, id) == SQLITE_OK;
        } else {
            ok = bind(s->put, at, line, &hash);
        }
        p += len;
        if (!*p)
            break;
    }
    free(line);
    ok = ok && at == n && (!s->digests || bind_digest(s->put, n + 1, hash)) && sqlite3_step(s->put) == SQLITE_DONE;
    if (!ok)
        complain(s, N_("cannot write"));
    sqlite3_reset(s->put);
    if (ok && wsk_clock() - s->synced > WSK_CLI_SYNC_S) {
        /* a commit alone does not wait for the disk; a checkpoint does */
        sqlite3_wal_checkpoint_v2(s->db, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
        s->synced = wsk_clock();
    }
    return ok;
}

bool wsk_store_begin(wsk_store *s)
{
    return run(s, "BEGIN") ? true : complain(s, N_("cannot write"));
}

bool wsk_store_end(wsk_store *s)
{
    return run(s, "COMMIT") ? true : complain(s, N_("cannot write"));
}

/* Sets *hash to the digest that the row `id` has after the number in `column` is changed to `value`. */
static bool digest_with(wsk_store *s, size_t id, const char *column, double value, uint64_t *hash)
{
    *hash = WSK_HASH_EMPTY;
    if (!s->row && sqlite3_prepare_v2(s->db, "SELECT * FROM cases WHERE id = ?", -1, &s->row, NULL) != SQLITE_OK)
        return false;
    bool ok = sqlite3_bind_int64(s->row, 1, (sqlite3_int64)id) == SQLITE_OK && sqlite3_step(s->row) == SQLITE_ROW;
    for (int i = 0; ok && i + 1 < sqlite3_column_count(s->row); i++) {
        const char *name = sqlite3_column_name(s->row, i);
        *hash = name && !strcmp(name, column) ? wsk_digest_number(*hash, value) : mix_cell(*hash, s->row, i);
    }
    sqlite3_reset(s->row);
    return ok;
}

bool wsk_store_set(wsk_store *s, size_t id, const char *column, double value)
{
    sql q;
    uint64_t hash = 0;
    const bool digest = s->digests;
    if (digest && !digest_with(s, id, column, value, &hash))
        return complain(s, N_("cannot write"));
    sql_begin(&q, "UPDATE cases SET ");
    wsk_sweep_put_quoted(q.out, column);
    fputs(" = ?", q.out);
    if (digest)
        fprintf(q.out, ", %s = ?3", DIGEST);
    fputs(" WHERE id = ?2", q.out);
    sqlite3_stmt *set = sql_prepare(&q, s);
    bool ok = set && (isnan(value) ? sqlite3_bind_null(set, 1) : sqlite3_bind_double(set, 1, value)) == SQLITE_OK &&
              sqlite3_bind_int64(set, 2, (sqlite3_int64)id) == SQLITE_OK && (!digest || bind_digest(set, 3, hash)) &&
              sqlite3_step(set) == SQLITE_DONE;
    sqlite3_finalize(set);
    return ok ? true : complain(s, N_("cannot write"));
}

int wsk_store_check(wsk_store *s, const wsk_cli_list *columns)
{
    sql q;
    char *is = ask(s, "SELECT sql FROM sqlite_master WHERE name = 'cases'", NULL), *said = wsk_store_said(s, DIGEST);
    begin_cases(&q, columns);
    wsk_cli_check_memory(fclose(q.out) == 0);
    s->digests = said || (is && strstr(is, DIGEST));
    const bool same = !s->digests || (is && !strcmp(is, q.text));
    free(q.text);
    free(said);
    free(is);
    if (wsk_store_unread(s))
        return WSK_ERUN;
    if (!same)
        wsk_cli_error(T_("%1$s is damaged: %2$s; --force replaces it"), s->path,
                      T_("its columns are not those that the sweep made"));
    return same ? WSK_OK : WSK_EINPUT;
}

static bool fits(sqlite3_stmt *row)
{
    const int n = sqlite3_column_count(row) - 1;
    uint64_t hash = WSK_HASH_EMPTY;
    char text[WSK_DIGEST_TEXT];
    for (int i = 0; i < n; i++)
        hash = mix_cell(hash, row, i);
    wsk_digest_print(text, hash);
    const char *digest =
        sqlite3_column_type(row, n) == SQLITE_TEXT ? (const char *)sqlite3_column_text(row, n) : NULL;
    return digest && !strcmp(digest, text);
}

/* Deletes these rows in one transaction. */
static bool drop(wsk_store *s, const sqlite3_int64 *ids, size_t count)
{
    sqlite3_stmt *q = NULL;
    bool ok = run(s, "BEGIN IMMEDIATE") &&
              sqlite3_prepare_v2(s->db, "DELETE FROM cases WHERE id = ?", -1, &q, NULL) == SQLITE_OK;
    for (size_t i = 0; ok && i < count; i++) {
        ok = sqlite3_bind_int64(q, 1, ids[i]) == SQLITE_OK && sqlite3_step(q) == SQLITE_DONE;
        sqlite3_reset(q);
    }
    sqlite3_finalize(q);
    return ok && run(s, "COMMIT") ? true : complain(s, N_("cannot write"));
}

bool wsk_store_verify(wsk_store *s, bool delete, size_t *damaged, long long *first)
{
    sqlite3_stmt *row = NULL;
    sqlite3_int64 *ids = NULL;
    size_t room = 0;
    int step = SQLITE_ERROR;
    *damaged = 0;
    if (!s->digests)
        return true;
    if (sqlite3_prepare_v2(s->db, "SELECT * FROM cases ORDER BY id", -1, &row, NULL) == SQLITE_OK)
        while ((step = sqlite3_step(row)) == SQLITE_ROW) {
            if (fits(row))
                continue;
            if (*damaged == room) {
                room = 2 * room + 16;
                ids = realloc(ids, room * sizeof *ids);
                wsk_cli_check_memory(ids != NULL);
            }
            ids[(*damaged)++] = sqlite3_column_int64(row, 0);
        }
    sqlite3_finalize(row);
    bool ok = step == SQLITE_DONE ? true : complain(s, N_("cannot read"));
    if (ok && *damaged) {
        *first = ids[0];
        ok = !delete || drop(s, ids, *damaged);
    }
    free(ids);
    return ok;
}

bool wsk_store_each(wsk_store *s, size_t only, const wsk_cli_list *columns, wsk_store_visit *visit, void *ctx)
{
    sql q;
    sql_begin(&q, "SELECT id");
    for (size_t i = 0; i < columns->count; i++) {
        fputs(", ", q.out);
        wsk_sweep_put_quoted(q.out, columns->items[i]);
    }
    fputs(only ? " FROM cases WHERE id = ?1" : " FROM cases WHERE id > ?1 ORDER BY id", q.out);
    sqlite3_stmt *each = sql_prepare(&q, s);
    wsk_cell *cells = wsk_cli_alloc(columns->count * sizeof *cells);
    int step = SQLITE_ERROR;
    bool more = each && sqlite3_bind_int64(each, 1, (sqlite3_int64)only) == SQLITE_OK;
    while (more && (step = sqlite3_step(each)) == SQLITE_ROW) {
        for (size_t i = 0; i < columns->count; i++) {
            int type = sqlite3_column_type(each, (int)i + 1);
            bool text = type == SQLITE_TEXT;
            cells[i].text = text ? (const char *)sqlite3_column_text(each, (int)i + 1) : NULL;
            cells[i].number = text || type == SQLITE_NULL ? NAN : sqlite3_column_double(each, (int)i + 1);
        }
        more = visit(ctx, (size_t)sqlite3_column_int64(each, 0), cells);
    }
    free(cells);
    sqlite3_finalize(each);
    return step == SQLITE_DONE || step == SQLITE_ROW ? true : complain(s, N_("cannot read"));
}
