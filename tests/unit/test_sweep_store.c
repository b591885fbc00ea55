/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The file of a sweep: its rows, and what the program says of a file that another program has changed meanwhile. */
#define _XOPEN_SOURCE 700
#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "cli/sweep/inner.h"

static char folder[] = "/tmp/wattsink-store-XXXXXX", path[64], said[2000];
static int told = -1, before = -1;
static const wsk_store_fact FACTS[] = {{"version", "1"}, {"rig", "abc"}};
static const char *columns_of[] = {"watts", "name"};
static const wsk_cli_list COLUMNS = {.items = columns_of, .count = 2};

static void listen_to_errors(void)
{
    char *file = wsk_cli_format("%s/said", folder);
    told = open(file, O_RDWR | O_CREAT | O_TRUNC, 0600);
    before = dup(STDERR_FILENO);
    assert_true(told >= 0 && before >= 0);
    fflush(stderr);
    dup2(told, STDERR_FILENO);
    free(file);
}

static const char *heard(void)
{
    fflush(stderr);
    dup2(before, STDERR_FILENO);
    const ssize_t len = pread(told, said, sizeof said - 1, 0);
    said[len > 0 ? len : 0] = '\0';
    close(before);
    close(told);
    return said;
}

static void other_program(const char *sql)
{
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    char *why = NULL;
    if (sqlite3_exec(db, sql, NULL, NULL, &why) != SQLITE_OK)
        fail_msg("%s: %s", sql, why);
    sqlite3_close(db);
}

static wsk_store *made(void)
{
    wsk_store *s = wsk_store_open(path, true);
    assert_non_null(s);
    assert_true(wsk_store_make(s, &COLUMNS, FACTS, 2));
    assert_true(wsk_store_put(s, "1\n200\n\"a \\\\ b\\nc"));
    assert_true(wsk_store_put(s, "2\nnull\ntrue"));
    return s;
}

typedef struct {
    size_t rows, most, last;
    double sum;
    char text[64];
} seen;

static bool see(void *ctx, size_t id, const wsk_cell *cells)
{
    seen *s = ctx;
    s->rows++;
    s->last = id;
    s->sum += isnan(cells[0].number) ? 0 : cells[0].number;
    snprintf(s->text, sizeof s->text, "%s", cells[1].text ? cells[1].text : "-");
    return s->rows < s->most;
}

static void rows_come_back(void **state)
{
    (void)state;
    wsk_store *s = made();
    seen all = {.most = 10}, one = {.most = 10}, first = {.most = 1};
    assert_true(wsk_store_each(s, 0, &COLUMNS, see, &all));
    assert_int_equal(all.rows, 2);
    assert_true(fabs(all.sum - 200) < 1e-9);
    assert_true(wsk_store_each(s, 1, &COLUMNS, see, &one));
    assert_int_equal(one.rows, 1);
    assert_string_equal(one.text, "a \\ b\nc");
    assert_true(wsk_store_each(s, 0, &COLUMNS, see, &first));
    assert_int_equal(first.last, 1);
    char *rig = wsk_store_said(s, "rig"), *none = wsk_store_said(s, "nothing");
    assert_string_equal(rig, "abc");
    assert_null(none);
    assert_false(wsk_store_unread(s));
    assert_false(wsk_store_empty(s));
    assert_int_equal(wsk_store_sound(s), WSK_OK);
    free(rig);
    wsk_store_close(s);
}

static void numbers_change(void **state)
{
    (void)state;
    wsk_store *s = made();
    assert_true(wsk_store_begin(s));
    assert_true(wsk_store_set(s, 1, "watts", NAN));
    assert_true(wsk_store_set(s, 2, "watts", 30));
    assert_true(wsk_store_end(s));
    seen all = {.most = 10};
    assert_true(wsk_store_each(s, 0, &COLUMNS, see, &all));
    assert_true(fabs(all.sum - 30) < 1e-9);
    size_t damaged = 9;
    long long first = 0;
    assert_int_equal(wsk_store_check(s, &COLUMNS), WSK_OK);
    assert_true(wsk_store_verify(s, false, &damaged, &first));
    assert_int_equal(damaged, 0);
    wsk_store_close(s);
}

static void rows_that_another_program_changed(void **state)
{
    (void)state;
    static const char *const changes[] = {"watts = 201",
                                          "watts = '200'",
                                          "watts = CAST(200 AS INTEGER)",
                                          "watts = NULL",
                                          "name = x'61'",
                                          "name = name || 'd'",
                                          "name = 'a \\ b' || char(10) || 'C'",
                                          "id = -7",
                                          "watts = name, name = watts",
                                          "row_digest = NULL",
                                          "row_digest = x'00'",
                                          "row_digest = upper(row_digest) || ' '"};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        wsk_store_close(made());
        char *sql = wsk_cli_format("UPDATE cases SET %s WHERE id = 1", changes[i]);
        other_program(sql);
        wsk_store *s = wsk_store_open(path, false);
        assert_non_null(s);
        assert_int_equal(wsk_store_check(s, &COLUMNS), WSK_OK);
        size_t damaged = 9;
        long long first = 0;
        assert_true(wsk_store_verify(s, false, &damaged, &first));
        if (damaged != 1 || (first != 1 && first != -7))
            fail_msg("%s: %zu rows, the first is %lld", sql, damaged, first);
        assert_true(wsk_store_verify(s, true, &damaged, &first));
        assert_int_equal(damaged, 1);
        assert_true(wsk_store_verify(s, true, &damaged, &first));
        assert_int_equal(damaged, 0);
        seen all = {.most = 10};
        assert_true(wsk_store_each(s, 0, &COLUMNS, see, &all));
        assert_int_equal(all.rows, 1);
        assert_int_equal(all.last, 2);
        wsk_store_close(s);
        free(sql);
    }
}

static void a_file_without_digests(void **state)
{
    (void)state;
    wsk_store_close(made());
    other_program("ALTER TABLE cases DROP COLUMN row_digest; DELETE FROM meta WHERE key = 'row_digest';"
                  "UPDATE cases SET watts = 1 WHERE id = 1");
    wsk_store *s = wsk_store_open(path, false);
    assert_non_null(s);
    assert_int_equal(wsk_store_check(s, &COLUMNS), WSK_OK);
    assert_true(wsk_store_make(s, &COLUMNS, NULL, 0));
    assert_true(wsk_store_put(s, "3\n7\n\"x"));
    assert_true(wsk_store_set(s, 2, "watts", 5));
    size_t damaged = 9;
    long long first = 0;
    assert_true(wsk_store_verify(s, true, &damaged, &first));
    assert_int_equal(damaged, 0);
    seen all = {.most = 10};
    assert_true(wsk_store_each(s, 0, &COLUMNS, see, &all));
    assert_int_equal(all.rows, 3);
    assert_true(fabs(all.sum - 13) < 1e-9);
    wsk_store_close(s);
}

static void columns_that_another_program_changed(void **state)
{
    (void)state;
    static const char *const changes[] = {
        "ALTER TABLE cases RENAME COLUMN watts TO wbtts",
        "ALTER TABLE cases RENAME COLUMN row_digest TO row",
        "ALTER TABLE cases ADD COLUMN more",
        "ALTER TABLE cases DROP COLUMN row_digest",
        "DELETE FROM meta WHERE key = 'row_digest'; ALTER TABLE cases RENAME COLUMN watts TO wbtts",
        "DROP TABLE cases"};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        wsk_store_close(made());
        other_program(changes[i]);
        wsk_store *s = wsk_store_open(path, false);
        assert_non_null(s);
        listen_to_errors();
        int code = wsk_store_check(s, &COLUMNS);
        heard();
        assert_int_equal(code, WSK_EINPUT);
        assert_non_null(
            strstr(said, "is damaged: its columns are not those that the sweep made; --force replaces it"));
        wsk_store_close(s);
    }
}

static void rows_that_do_not_fit(void **state)
{
    (void)state;
    wsk_store *s = made();
    listen_to_errors();
    bool ok = wsk_store_put(s, "3\n200") || wsk_store_put(s, "");
    heard();
    assert_false(ok);
    assert_non_null(strstr(said, "cannot write"));
    seen all = {.most = 10};
    assert_true(wsk_store_each(s, 0, &COLUMNS, see, &all));
    assert_int_equal(all.rows, 2);
    assert_true(wsk_store_put(s, "3\n1\n\"x\nmore\nthan\ncolumns"));
    wsk_store_close(s);
}

static void transactions_do_not_nest(void **state)
{
    (void)state;
    wsk_store *s = made();
    listen_to_errors();
    bool end = wsk_store_end(s), begin = wsk_store_begin(s), again = wsk_store_begin(s);
    heard();
    assert_true(begin && !end && !again);
    assert_non_null(strstr(said, "no transaction is active"));
    assert_non_null(strstr(said, "within a transaction"));
    assert_true(wsk_store_end(s));
    wsk_store_close(s);
}

static void columns_that_are_not_there(void **state)
{
    (void)state;
    wsk_store *s = made();
    const char *names[] = {"amperes", "amperes"};
    const wsk_cli_list other = {.items = names, .count = 1}, twice = {.items = names, .count = 2};
    other_program("ALTER TABLE cases RENAME COLUMN watts TO \"amp\"\"eres\"");
    seen all = {.most = 10};
    listen_to_errors();
    bool set = wsk_store_set(s, 1, "watts", 1);
    wsk_store_close(s);
    s = wsk_store_open(path, true);
    assert_non_null(s);
    bool made_twice = wsk_store_make(s, &twice, FACTS, 2);
    heard();
    assert_false(set);
    assert_false(made_twice);
    assert_non_null(strstr(said, "cannot write: no such column: watts"));
    assert_non_null(strstr(said, "cannot write: duplicate column name: amperes"));
    wsk_store_close(s);
    s = made();
    other_program("DROP TABLE cases");
    listen_to_errors();
    bool each = wsk_store_each(s, 0, &other, see, &all), put = wsk_store_put(s, "5\n1\n\"x");
    wsk_store_close(s);
    s = wsk_store_open(path, false);
    assert_non_null(s);
    bool resumed = wsk_store_make(s, &COLUMNS, NULL, 0);
    heard();
    assert_false(each || put);
    assert_int_equal(all.rows, 0);
    assert_non_null(strstr(said, "cannot read: no such table: cases"));
    assert_non_null(strstr(said, "cannot write: no such table: cases"));
    assert_false(resumed);
    wsk_store_close(s);
}

static void a_column_that_is_missing(void **state)
{
    (void)state;
    wsk_store_close(made());
    other_program("ALTER TABLE cases DROP COLUMN watts; ALTER TABLE cases DROP COLUMN row_digest");
    wsk_store *s = wsk_store_open(path, false);
    assert_non_null(s);
    listen_to_errors();
    bool resumed = wsk_store_make(s, &COLUMNS, NULL, 0);
    heard();
    assert_false(resumed);
    assert_non_null(strstr(said, "cannot read: table cases has "));
    wsk_store_close(s);
}

static void a_number_that_a_rule_forbids(void **state)
{
    (void)state;
    wsk_store *s = made();
    other_program("CREATE TRIGGER t BEFORE UPDATE ON cases BEGIN SELECT RAISE(ABORT, 'not this'); END");
    listen_to_errors();
    bool set = wsk_store_set(s, 1, "watts", 1);
    heard();
    assert_false(set);
    assert_non_null(strstr(said, "cannot write: not this"));
    wsk_store_close(s);
}

static void a_file_of_another_program(void **state)
{
    (void)state;
    unlink(path);
    other_program("CREATE TABLE cases (id INTEGER PRIMARY KEY, x); CREATE TABLE meta (key, value)");
    wsk_store *s = wsk_store_open(path, false);
    assert_non_null(s);
    assert_true(wsk_store_empty(s));
    other_program("INSERT INTO cases VALUES (1, 2)");
    assert_false(wsk_store_empty(s));
    other_program("DELETE FROM cases; CREATE TABLE mine (x)");
    assert_false(wsk_store_empty(s));
    wsk_store_close(s);
    unlink(path);
    other_program("CREATE TABLE mine (x)");
    s = wsk_store_open(path, false);
    assert_non_null(s);
    assert_false(wsk_store_empty(s));
    assert_false(wsk_store_unread(s));
    wsk_store_close(s);
}

static void a_file_that_is_no_database(void **state)
{
    (void)state;
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (int i = 0; i < 200; i++)
        fputs("a text, and no database\n", file);
    assert_int_equal(fclose(file), 0);
    wsk_store *s = wsk_store_open(path, false);
    assert_non_null(s);
    listen_to_errors();
    char *rig = wsk_store_said(s, "rig");
    bool unread = wsk_store_unread(s), empty = wsk_store_empty(s);
    int code = wsk_store_sound(s);
    heard();
    assert_null(rig);
    assert_true(unread && !empty);
    assert_non_null(strstr(said, "cannot read: file is not a database"));
    assert_int_equal(code, WSK_EINPUT);
    assert_non_null(strstr(said, "does not hold a sweep; --force replaces it"));
    wsk_store_close(s);
}

static void a_page_that_is_damaged(void **state)
{
    (void)state;
    wsk_store_close(made());
    other_program("CREATE INDEX odd ON cases (name)");
    other_program("PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE name = 'odd'");
    wsk_store *s = wsk_store_open(path, false);
    assert_non_null(s);
    listen_to_errors();
    int code = wsk_store_sound(s);
    heard();
    assert_int_equal(code, WSK_EINPUT);
    assert_non_null(strstr(said, "is damaged: "));
    assert_non_null(strstr(said, "--force replaces it"));
    wsk_store_close(s);
}

static void files_that_cannot_be_opened(void **state)
{
    (void)state;
    char *there = wsk_cli_format("%s/folder", folder), *none = wsk_cli_format("%s/none", folder),
         *deeper = wsk_cli_format("%s/none/a.sqlite", folder);
    assert_int_equal(mkdir(there, 0700), 0);
    listen_to_errors();
    wsk_store *const all[] = {wsk_store_open(none, false), wsk_store_open(there, false),
                              wsk_store_open(deeper, true)};
    heard();
    rmdir(there);
    assert_true(!all[0] && !all[1] && !all[2]);
    assert_non_null(strstr(said, "/none: cannot open: unable to open database file"));
    assert_non_null(strstr(said, "/folder: cannot open: unable to open database file"));
    assert_non_null(strstr(said, "none/a.sqlite"));
    free(there);
    free(none);
    free(deeper);
}

static int begin(void **state)
{
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/s.sqlite", folder);
    return 0;
}

static int end(void **state)
{
    (void)state;
    static const char *const names[] = {"s.sqlite",      "s.sqlite-wal", "s.sqlite-shm", "s.sqlite-journal",
                                        "s.sqlite.lock", "none.lock",    "folder.lock",  "said"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *file = wsk_cli_format("%s/%s", folder, names[i]);
        unlink(file);
        free(file);
    }
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_come_back),
        cmocka_unit_test(numbers_change),
        cmocka_unit_test(rows_that_another_program_changed),
        cmocka_unit_test(a_file_without_digests),
        cmocka_unit_test(columns_that_another_program_changed),
        cmocka_unit_test(rows_that_do_not_fit),
        cmocka_unit_test(transactions_do_not_nest),
        cmocka_unit_test(columns_that_are_not_there),
        cmocka_unit_test(a_column_that_is_missing),
        cmocka_unit_test(a_number_that_a_rule_forbids),
        cmocka_unit_test(a_file_of_another_program),
        cmocka_unit_test(a_file_that_is_no_database),
        cmocka_unit_test(a_page_that_is_damaged),
        cmocka_unit_test(files_that_cannot_be_opened),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
