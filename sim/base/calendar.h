/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Dates and time zones. Civil seconds count local clock time from 1970-01-01T00:00:00 as if clocks were never
 * changed; UTC seconds count real time without leap seconds. */
#ifndef WSK_CALENDAR_H
#define WSK_CALENDAR_H
#include "sim/base/base.h"

#define WSK_DAY_S 86400

typedef struct {
    int year, month, day;
    int weekday; /* 0 Monday to 6 Sunday */
    int second;
    int64_t days; /* days since 1970-01-01 */
} wsk_date;
wsk_date wsk_date_of(int64_t civil_s);
/* Days from 1970-01-01 to a Gregorian date. */
int64_t wsk_days_of(int year, int month, int day);
int wsk_month_days(int year, int month);

typedef struct wsk_zone wsk_zone;
typedef enum {
    WSK_ZONE_OK,
    WSK_ZONE_UNKNOWN,
    WSK_ZONE_ABSENT,
    WSK_ZONE_DAMAGED, /* the file is no TZif file of a supported version */
    WSK_ZONE_NO_MEMORY
} wsk_zone_result;
#define WSK_ZONE_FOLDER "/usr/share/zoneinfo" /* the system's time-zone files; a file's path in it is its IANA name */
/* True if the text can be an IANA name, and so a path inside the folder. */
bool wsk_zone_is_name(const char *name);
/* Makes the zone of an IANA name from the bytes of its file, in the arena. bytes NULL: the zone has no file. On a
 * system without any zone files, the zone "UTC" is made without a file. */
wsk_zone_result wsk_zone_make(wsk_zone **out, wsk_arena *arena, const char *name, const char *bytes, size_t len);
/* Reads a zone from the bytes of a TZif file (RFC 8536, version 2 or later). Files with leap seconds are refused. */
wsk_zone_result wsk_zone_parse(wsk_zone **out, wsk_arena *arena, const unsigned char *bytes, size_t len);
/* Seconds by which local clocks are ahead of UTC at utc_s. *until_s (may be NULL): UTC second of the next possible
 * change; INT64_MAX: none. */
int wsk_zone_offset(const wsk_zone *zone, int64_t utc_s, int64_t *until_s);
/* UTC seconds of a local time. If clocks show that time twice, the result is the first of the two; if they skip it,
 * the result uses the offset before the change. */
int64_t wsk_zone_utc(const wsk_zone *zone, int64_t civil_s);

#endif
