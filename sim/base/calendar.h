/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Dates and time zones. Civil seconds count local clock time from 1970-01-01T00:00:00 as if no clock were ever changed;
 * UTC seconds count real time without leap seconds. */
#ifndef WSK_CALENDAR_H
#define WSK_CALENDAR_H
#include "sim/base/base.h"

#define WSK_DAY_S 86400

typedef struct {
    int year, month, day; /* 1 to 12, 1 to 31 */
    int weekday;          /* 0 Monday to 6 Sunday */
    int second;           /* of the day by the clock */
    int64_t days;         /* since 1970-01-01 */
} wsk_date;
wsk_date wsk_date_of(int64_t civil_s);
/* Days from 1970-01-01 to a date of the Gregorian calendar. */
int64_t wsk_days_of(int year, int month, int day);
int wsk_month_days(int year, int month);

typedef struct wsk_zone wsk_zone;
typedef enum {
    WSK_ZONE_OK,
    WSK_ZONE_UNKNOWN, /* no such zone */
    WSK_ZONE_ABSENT,  /* this system has no zones at all */
    WSK_ZONE_DAMAGED, /* a file that is none, or of another format */
    WSK_ZONE_NO_MEMORY
} wsk_zone_result;
/* The zone of an IANA name, from the system's files; lives in the arena. "UTC" is known without files. */
wsk_zone_result wsk_zone_load(wsk_zone **out, wsk_arena *arena, const char *name);
/* A zone from the bytes of a TZif file (RFC 8536, version 2 or later). Leap seconds are refused. */
wsk_zone_result wsk_zone_parse(wsk_zone **out, wsk_arena *arena, const unsigned char *bytes, size_t len);
/* Seconds by which local clocks are ahead of UTC at this moment; *until_s (may be NULL): when that may next change,
 * INT64_MAX where it never does. */
int wsk_zone_offset(const wsk_zone *zone, int64_t utc_s, int64_t *until_s);
/* The moment of a local time: the earlier where clocks show it twice; where they skip it, as if they had not been changed
 * yet. */
int64_t wsk_zone_utc(const wsk_zone *zone, int64_t civil_s);

#endif
