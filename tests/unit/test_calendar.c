/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "sim/base/calendar.h"
#include "tests/unit/assert.h"

static int64_t civil(const char *text)
{
    int64_t s = 0;
    assert_true(wsk_parse_datetime(text, &s));
    return s;
}

static void dates_follow_one_another(void **state)
{
    (void)state;
    int year = 1599, month = 12, day = 31, weekday = 4; /* 1599-12-31 was a Friday; 0 is Monday */
    for (int64_t d = wsk_days_of(1599, 12, 31); d < wsk_days_of(2101, 1, 1); d++) {
        wsk_date a = wsk_date_of(d * WSK_DAY_S + 86399);
        if (a.year != year || a.month != month || a.day != day || a.weekday != weekday || a.second != 86399 ||
            a.days != d)
            fail_msg("%d-%d-%d is read as %d-%d-%d", year, month, day, a.year, a.month, a.day);
        assert_int_equal(wsk_days_of(year, month, day), d);
        bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
        int most = month == 2 ? 28 + leap : month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
        assert_int_equal(wsk_month_days(year, month), most);
        weekday = (weekday + 1) % 7;
        if (++day > most) {
            day = 1;
            year += month == 12;
            month = month % 12 + 1;
        }
    }
    assert_int_equal(wsk_date_of(0).weekday, 3); /* 1970-01-01 was a Thursday; 0 is Monday */
    assert_int_equal(wsk_date_of(-1).year, 1969);
}

/* Zone files in the format TZif (RFC 8536), written by hand. */
typedef struct {
    unsigned char bytes[1024];
    size_t len;
} file;

static void put(file *f, const void *bytes, size_t n)
{
    assert_true(f->len + n <= sizeof f->bytes);
    memcpy(f->bytes + f->len, bytes, n);
    f->len += n;
}

static void put_number(file *f, int64_t v, int width)
{
    for (int i = width; i-- > 0;) {
        unsigned char b = (unsigned char)((uint64_t)v >> (8 * i));
        put(f, &b, 1);
    }
}

static void put_header(file *f, char version, int64_t time, int64_t type, int64_t chars, int64_t leap)
{
    put(f, "TZif", 4);
    put(f, &version, 1);
    put(f, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 15);
    const int64_t counts[] = {0, 0, leap, time, type, chars};
    for (int i = 0; i < 6; i++)
        put_number(f, counts[i], 4);
}

/* A zone file with one clock change, at time 1000 s, from UTC+1 h to UTC+2 h. `rule`: the POSIX TZ string for times
 * after that change. */
static file make(const char *rule)
{
    file f = {.len = 0};
    put_header(&f, '2', 0, 1, 1, 0);
    put(&f, "\0\0\0\0\0\0\0", 7);
    put_header(&f, '2', 1, 2, 4, 0);
    put_number(&f, 1000, 8);
    put(&f, "\1", 1);
    put_number(&f, 3600, 4);
    put(&f, "\0\0", 2);
    put_number(&f, 7200, 4);
    put(&f, "\1\0", 2);
    put(&f, "ABC\0", 4);
    put(&f, "\n", 1);
    put(&f, rule, strlen(rule));
    put(&f, "\n", 1);
    return f;
}

static wsk_zone_result parse(wsk_arena *arena, const file *f, wsk_zone **out)
{
    /* a block of exactly this length, so that the sanitizer reports reads beyond the end of the file */
    unsigned char *copy = malloc(f->len ? f->len : 1);
    assert_non_null(copy);
    memcpy(copy, f->bytes, f->len);
    wsk_zone_result r = wsk_zone_parse(out, arena, copy, f->len);
    free(copy);
    assert_true((r == WSK_ZONE_OK) == (*out != NULL));
    return r;
}

static int offset(const wsk_zone *z, const char *utc)
{
    return wsk_zone_offset(z, civil(utc), NULL);
}

static void a_rule_rules_behind_the_last_change(void **state)
{
    (void)state;
    wsk_arena *arena = wsk_arena_new();
    wsk_zone *z;
    int64_t until;
    file f = make("<+02>-2<+03>,M3.5.0/3,M10.5.0/4"); /* the rule of Helsinki for times after the listed change */
    assert_int_equal(parse(arena, &f, &z), WSK_ZONE_OK);
    assert_int_equal(wsk_zone_offset(z, 999, &until), 3600);
    assert_int_equal(until, 1000);
    assert_int_equal(wsk_zone_offset(z, 1000, NULL), 7200);
    assert_int_equal(offset(z, "2026-03-29T00:59:59"), 7200);
    assert_int_equal(offset(z, "2026-03-29T01:00:00"), 10800);
    assert_int_equal(wsk_zone_offset(z, civil("2026-03-29T01:00:00"), &until), 10800);
    assert_int_equal(until, civil("2026-10-25T01:00:00"));
    assert_int_equal(offset(z, "2026-10-25T01:00:00"), 7200);
    assert_int_equal(wsk_zone_offset(z, civil("2026-12-31T23:00:00"), &until), 7200);
    assert_int_equal(until, civil("2027-03-28T01:00:00"));
    f = make("XYZ3");
    assert_int_equal(parse(arena, &f, &z), WSK_ZONE_OK);
    assert_int_equal(offset(z, "2050-07-01"), -10800);
    f = make("AAA-1BBB,J60/2,J300/3"); /* J60 is March 1st in every year */
    assert_int_equal(parse(arena, &f, &z), WSK_ZONE_OK);
    assert_int_equal(offset(z, "2028-03-01T00:59:59"), 3600);
    assert_int_equal(offset(z, "2028-03-01T01:00:00"), 7200);
    assert_int_equal(offset(z, "2027-03-01T01:00:00"), 7200);
    f = make("AAA3BBB,M10.3.0/-1,M2.4.0/-2"); /* summer time in the southern hemisphere; changes at negative hours, as
                                               * in Greenland */
    assert_int_equal(parse(arena, &f, &z), WSK_ZONE_OK);
    assert_int_equal(offset(z, "2026-01-15"), -7200);
    assert_int_equal(offset(z, "2026-06-15"), -10800);
    assert_int_equal(offset(z, "2026-12-15"), -7200);
    f = make("EST5EDT,0/0,J365/25"); /* summer time all year, in the form that RFC 8536 gives for it */
    assert_int_equal(parse(arena, &f, &z), WSK_ZONE_OK);
    for (int64_t t = civil("2026-01-01"); t < civil("2029-01-01"); t += 3600)
        assert_int_equal(wsk_zone_offset(z, t, NULL), -4 * 3600);
    f = make("");
    assert_int_equal(parse(arena, &f, &z), WSK_ZONE_OK);
    assert_int_equal(wsk_zone_offset(z, INT64_C(1) << 40, &until), 7200);
    assert_true(until == INT64_MAX);
    wsk_arena_free(arena);
}

static void broken_files_are_refused(void **state)
{
    (void)state;
    wsk_arena *arena = wsk_arena_new();
    wsk_zone *z;
    file good = make("AAA-1BBB,M3.5.0,M10.5.0/3"), f;
    assert_int_equal(parse(arena, &good, &z), WSK_ZONE_OK);
    for (size_t n = 0; n < good.len; n++) {
        f = good;
        f.len = n;
        assert_int_equal(parse(arena, &f, &z), WSK_ZONE_DAMAGED);
    }
    for (size_t i = 0; i < good.len; i++)
        for (int b = 0; b < 256; b += 5) {
            f = good;
            f.bytes[i] = (unsigned char)b;
            int64_t until;
            if (parse(arena, &f, &z) == WSK_ZONE_OK)
                for (int64_t t = -(INT64_C(1) << 36); t < INT64_C(1) << 36; t += INT64_C(1) << 33) {
                    int off = wsk_zone_offset(z, t, &until);
                    assert_true(until > t && abs(off) <= 26 * 3600);
                }
        }
    static const char *const rules[] = {"A3",
                                        "AAA",
                                        "AAA25",
                                        "AAA-1BBB",
                                        "AAA-1BBB,M3.5.0",
                                        "AAA-1BBB,M13.1.0,M10.5.0",
                                        "AAA-1BBB,M3.6.0,M10.5.0",
                                        "AAA-1BBB,M3.5.7,M10.5.0",
                                        "AAA-1BBB,J0,J300",
                                        "AAA-1BBB,366,300",
                                        "AAA-1BBB,M3.5.0/168,M10.5.0",
                                        "AAA-1BBB,M3.5.0,M10.5.0x",
                                        "<AAA-1",
                                        "AAA-1:60",
                                        "AAA-1BBB-1,M3.5.0,M10.5.0",
                                        "AAA99999999999999999999"};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        f = make(rules[i]);
        if (parse(arena, &f, &z) != WSK_ZONE_DAMAGED)
            fail_msg("%s is read", rules[i]);
    }
    f = (file){.len = 0};
    put_header(&f, '2', 0, 1, 1, 0);
    put(&f, "\0\0\0\0\0\0\0", 7);
    put_header(&f, '2', 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff);
    assert_int_equal(parse(arena, &f, &z), WSK_ZONE_DAMAGED);
    put(&f, good.bytes, 200);
    assert_int_equal(parse(arena, &f, &z), WSK_ZONE_DAMAGED);
    f = good;
    f.bytes[4] = 0; /* version byte 0 means TZif version 1, which the reader refuses */
    assert_int_equal(parse(arena, &f, &z), WSK_ZONE_DAMAGED);
    wsk_arena_free(arena);
}

static wsk_zone_result load(wsk_arena *arena, const char *name, wsk_zone **out)
{
    static char bytes[1 << 16];
    char path[200];
    snprintf(path, sizeof path, "%s/%s", WSK_ZONE_FOLDER, name);
    FILE *f = wsk_zone_is_name(name) ? fopen(path, "rb") : NULL;
    size_t len = f ? fread(bytes, 1, sizeof bytes, f) : 0;
    wsk_zone_result result = wsk_zone_make(out, arena, name, f ? bytes : NULL, len);
    if (f)
        fclose(f);
    return result;
}

static const wsk_zone *zone(wsk_arena *arena, const char *name)
{
    wsk_zone *z;
    wsk_zone_result r = load(arena, name, &z);
    if (r == WSK_ZONE_ABSENT)
        skip();
    assert_int_equal(r, WSK_ZONE_OK);
    return z;
}

static void clocks_go_forward_and_back(void **state)
{
    (void)state;
    wsk_arena *arena = wsk_arena_new();
    const wsk_zone *z = zone(arena, "Europe/Berlin");
    int64_t until;
    assert_int_equal(wsk_zone_offset(z, civil("2026-01-15T00:00:00"), &until), 3600);
    assert_int_equal(until, civil("2026-03-29T01:00:00"));
    /* local time 02:30 is skipped: it is converted with the offset before the change, and shows as 03:30 */
    assert_int_equal(wsk_zone_utc(z, civil("2026-03-29T02:30:00")), civil("2026-03-29T01:30:00"));
    assert_int_equal(wsk_zone_utc(z, civil("2026-03-29T03:00:00")), civil("2026-03-29T01:00:00"));
    assert_int_equal(wsk_zone_utc(z, civil("2026-03-29T01:59:59")), civil("2026-03-29T00:59:59"));
    /* local time 02:30 occurs twice: the first occurrence counts */
    assert_int_equal(wsk_zone_utc(z, civil("2026-10-25T02:30:00")), civil("2026-10-25T00:30:00"));
    assert_int_equal(wsk_zone_utc(z, civil("2026-10-25T03:00:00")), civil("2026-10-25T02:00:00"));
    z = zone(arena, "America/Los_Angeles");
    assert_int_equal(wsk_zone_utc(z, civil("2026-03-08T03:00:00")), civil("2026-03-08T10:00:00"));
    assert_int_equal(wsk_zone_utc(z, civil("2026-11-01T01:30:00")), civil("2026-11-01T08:30:00"));
    assert_int_equal(wsk_zone_utc(z, civil("2026-11-01T02:00:00")), civil("2026-11-01T10:00:00"));
    /* a time after the last change that the zone file lists */
    assert_int_equal(wsk_zone_offset(z, civil("2150-07-01T00:00:00"), NULL), -7 * 3600);
    z = zone(arena, "Asia/Tokyo");
    assert_int_equal(wsk_zone_utc(z, civil("2026-07-01T09:00:00")), civil("2026-07-01T00:00:00"));
    z = zone(arena, "Australia/Lord_Howe"); /* summer time of half an hour, in the southern hemisphere */
    assert_int_equal(wsk_zone_offset(z, civil("2026-01-01T00:00:00"), NULL), 11 * 3600);
    assert_int_equal(wsk_zone_offset(z, civil("2026-07-01T00:00:00"), NULL), 10 * 3600 + 1800);
    z = zone(arena, "America/Sao_Paulo"); /* clocks in Sao Paulo skipped the midnight of 2018-11-04 */
    assert_int_equal(wsk_zone_utc(z, civil("2018-11-04T00:00:00")), civil("2018-11-04T03:00:00"));
    z = zone(arena, "UTC");
    assert_int_equal(wsk_zone_utc(z, 12345), 12345);
    wsk_zone *none;
    assert_int_equal(load(arena, "Europe/Berlni", &none), WSK_ZONE_UNKNOWN);
    assert_int_equal(load(arena, "../../../etc/passwd", &none), WSK_ZONE_UNKNOWN);
    wsk_arena_free(arena);
}

/* Quarter hours by which clocks were put forward within a span of UTC. The sum depends on the version of the
 * system's time zones, because some countries have given up summer time. */
static int put_forward(const wsk_zone *z, int64_t from_s, int64_t to_s)
{
    int64_t by_s = 0;
    for (int64_t t = from_s; t < to_s; t += 900) {
        const int64_t more = wsk_zone_offset(z, t, NULL) - wsk_zone_offset(z, t - 900, NULL);
        by_s += more > 0 ? more : 0;
    }
    return (int)(by_s / 900);
}

/* Local time to UTC and back changes only the hours that clock changes skip. Of two UTC times with the same local
 * time the earlier is returned. */
static void local_time_and_back(void **state)
{
    (void)state;
    static const char *const names[] = {"Europe/London",    "America/New_York",  "Asia/Tokyo",
                                        "Australia/Sydney", "Africa/Casablanca", "Pacific/Chatham"};
    wsk_arena *arena = wsk_arena_new();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const wsk_zone *z = zone(arena, names[i]);
        int skipped = 0;
        for (int64_t t = civil("2023-01-01"); t < civil("2033-01-01"); t += 900) {
            int64_t utc = wsk_zone_utc(z, t);
            if (utc + wsk_zone_offset(z, utc, NULL) != t)
                skipped++;
            else if (utc - 3600 + wsk_zone_offset(z, utc - 3600, NULL) == t)
                fail_msg("%s: of two moments the later", names[i]);
        }
        assert_int_equal(skipped, put_forward(z, civil("2023-01-01"), civil("2033-01-01")));
        assert_true((skipped > 0) == (strcmp(names[i], "Asia/Tokyo") != 0));
    }
    wsk_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dates_follow_one_another), cmocka_unit_test(a_rule_rules_behind_the_last_change),
        cmocka_unit_test(broken_files_are_refused), cmocka_unit_test(clocks_go_forward_and_back),
        cmocka_unit_test(local_time_and_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
