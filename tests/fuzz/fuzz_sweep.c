/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: a changed SQLite file of a sweep must be refused, or be resumed and answer --best and --pareto. The
 * input is a byte and the changes to the file of a finished sweep. If the byte is a digit, the changes are lines of
 * edits (fuzz.h); otherwise they are SQL. Rows that do not fit their digests are only run again, so SQL changes a
 * file of an earlier version, without digests, unless the byte is an upper-case letter. With an odd byte tables are
 * printed, with an even byte JSON. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sqlite3.h>

#include "cli/kit/cli.h"
#include "tests/fuzz/fuzz.h"

static char *path, *good;
static size_t good_len;

static int sweep(bool json)
{
    const char *const words[] = {"sweep",     "tests/cli/two-cards.xml",
                                 "--vary",    "gpu[gpu0].power-limit=200W,300W",
                                 "--vary",    "fan.count=1,2&psu.efficiency=90%,80%",
                                 "--for",     "60s",
                                 "--columns", "cost.annual,npv,gpus.die_max_c,verdict.text",
                                 "--best",    "min mean(gpus.die_max_c) where cost.annual > 1",
                                 "-o",        path,
                                 "-j",        "1",
                                 "--resume",  json ? "--json" : "-q",
                                 "--pareto",  "cost.annual,gpus.die_max_c"};
    enum { ALL = sizeof words / sizeof *words };
    /* the last two arguments ask for the Pareto front as JSON; they are left out without --json, because then gnuplot
     * would draw it */
    const int count = json ? ALL : ALL - 2;
    char *argv[ALL + 1] = {NULL};
    for (int i = 0; i < count; i++)
        argv[i] = wsk_cli_format("%s", words[i]);
    int code = wsk_cli_sweep.run(count, argv);
    for (int i = 0; i < count; i++)
        free(argv[i]);
    return code;
}

static void make_good(void)
{
    path = wsk_fuzz_path("fuzz.sqlite");
    int code = sweep(false);
    good = wsk_cli_read(path, &good_len);
    if (code != WSK_OK || !good)
        abort();
}

static int allow(void *ctx, int action, const char *a, const char *b, const char *c, const char *d)
{
    (void)ctx, (void)a, (void)b, (void)c, (void)d;
    static const int denied[] = {SQLITE_ATTACH,         SQLITE_RECURSIVE,        SQLITE_CREATE_VIEW,
                                 SQLITE_CREATE_TRIGGER, SQLITE_CREATE_TEMP_VIEW, SQLITE_CREATE_VTABLE,
                                 SQLITE_PRAGMA};
    for (size_t i = 0; i < sizeof denied / sizeof *denied; i++)
        if (action == denied[i])
            return SQLITE_DENY;
    return SQLITE_OK;
}

static int stop(void *ctx)
{
    (void)ctx;
    return 1;
}

static void change(const char *sql)
{
    sqlite3 *db = NULL;
    if (sqlite3_open(path, &db) != SQLITE_OK)
        abort();
    sqlite3_set_authorizer(db, allow, NULL);
    sqlite3_progress_handler(db, 1000000, stop, NULL);
    sqlite3_limit(db, SQLITE_LIMIT_LENGTH, 1 << 20);
    sqlite3_exec(db, sql, NULL, NULL, NULL);
    sqlite3_close(db);
}

static void drop_digests(void)
{
    sqlite3 *db = NULL;
    if (sqlite3_open(path, &db) != SQLITE_OK ||
        sqlite3_exec(db, "ALTER TABLE cases DROP COLUMN row_digest; DELETE FROM meta WHERE key = 'row_digest'", NULL,
                     NULL, NULL) != SQLITE_OK)
        abort();
    sqlite3_close(db);
}

static void put(const char *bytes, size_t len)
{
    FILE *out = fopen(path, "wb");
    if (!out || fwrite(bytes, 1, len, out) != len || fclose(out) != 0)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!path)
        make_good();
    if (!size)
        return 0;
    size_t len = good_len;
    char *text = wsk_fuzz_text(data + 1, size - 1), *bytes = wsk_cli_alloc(good_len);
    memcpy(bytes, good, good_len);
    if (isdigit(*data))
        wsk_fuzz_edit(bytes, &len, text);
    put(bytes, len);
    if (!isdigit(*data) && !isupper(*data))
        drop_digests();
    if (!isdigit(*data))
        change(text);
    int code = sweep(*data % 2 == 0);
    if (code != WSK_OK && code != WSK_ERUN && code != WSK_EINPUT)
        abort();
    free(bytes);
    free(text);
    return 0;
}
