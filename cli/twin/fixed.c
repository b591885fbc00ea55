/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/twin/live.h"
#include "sim/base/calendar.h"
#include "twin/identity.h"

static int32_t whole(const wsk_live *live, int at, const char *name, double of, int32_t none)
{
    const double value = of * wsk_elements_number(live->elements, at, name);
    return isnan(value) || fabs(value) > 2e9 ? none : (int32_t)lround(value);
}

static void copy(char *out, size_t size, const char *text)
{
    const size_t len = wsk_utf8_cut(text, size - 1);
    memcpy(out, text, len);
    out[len] = '\0';
}

/* Derives a UUID from the names of rig and card, so that a card has the same UUID whenever the rig is started. It is
 * of version 8 of RFC 9562, whose bits the implementer defines. */
static void name_uuid(char out[48], const char *rig, const char *id)
{
    wsk_sha256 sum;
    unsigned char d[WSK_SHA256];
    wsk_sha256_start(&sum);
    wsk_sha256_add(&sum, rig, strlen(rig) + 1);
    wsk_sha256_add(&sum, id, strlen(id));
    wsk_sha256_end(sum, d);
    d[6] = (unsigned char)(0x80 | (d[6] & 0x0f));
    d[8] = (unsigned char)(0x80 | (d[8] & 0x3f));
    snprintf(out, 48, "GPU-%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", d[0], d[1], d[2],
             d[3], d[4], d[5], d[6], d[7], d[8], d[9], d[10], d[11], d[12], d[13], d[14], d[15]);
}

static void fix_limits(const wsk_live *live, int at, wsk_twin_fixed *f)
{
    const double tdp = wsk_elements_number(live->elements, at, "tdp");
    f->limit_default_mw = whole(live, at, "tdp", 1e3, WSK_TWIN_NONE);
    f->limit_min_mw = whole(live, at, "power-limit-min", 1e3, isnan(tdp) ? WSK_TWIN_NONE : 0);
    f->limit_max_mw = whole(live, at, "power-limit-max", 1e3, f->limit_default_mw);
    f->limit_default_mw = f->limit_max_mw < f->limit_default_mw ? f->limit_max_mw : f->limit_default_mw;
    f->clock_min_mhz = whole(live, at, "clock-min", 1, WSK_TWIN_NONE);
    f->clock_max_mhz = whole(live, at, "clock-max", 1, WSK_TWIN_NONE);
    f->clock_step_mhz = whole(live, at, "clock-step", 1, 1);
    f->memory_clock_max_mhz = whole(live, at, "memory-clock", 1, WSK_TWIN_NONE);
    f->target_c = whole(live, at, "target-temperature", 1, WSK_TWIN_NONE);
    f->slowdown_c = whole(live, at, "slowdown-temperature", 1, WSK_TWIN_NONE);
    f->shutdown_c = whole(live, at, "shutdown-temperature", 1, WSK_TWIN_NONE);
    f->memory_max_c = whole(live, at, "memory-limit", 1, WSK_TWIN_NONE);
}

/* The least speed in percent is rounded up, so that it is not below the cooler's rpm-min. */
static void fix_fans(const wsk_live *live, int at, wsk_twin_fixed *f)
{
    const int cooler = wsk_elements_next(live->elements, "cooler", at, at);
    const double least = wsk_elements_number(live->elements, cooler, "rpm-min");
    f->fan_rpm_max = whole(live, cooler, "rpm-max", 1, whole(live, cooler, "fan-rpm", 1, 0));
    f->fans = f->fan_rpm_max > 0 ? whole(live, cooler, "fans", 1, 1) : 0;
    f->fans = f->fans > WSK_TWIN_FANS ? WSK_TWIN_FANS : f->fans;
    f->fan_percent_min = f->fans && !isnan(least) ? (int32_t)ceil(100 * least / f->fan_rpm_max) : 0;
}

static void fix_card(const wsk_live *live, int at, int index, wsk_twin_fixed *f)
{
    const wsk_element *e = &live->elements->items[at];
    const char *name = wsk_elements_text(live->elements, at, "name");
    const char *stack = wsk_elements_text(live->elements, at, "stack");
    *f = (wsk_twin_fixed){.brand = WSK_BRAND_OTHER, .bus = index + 1, .minor = index};
    copy(f->id, sizeof f->id, e->id);
    copy(f->part, sizeof f->part, e->part ? e->part : "");
    f->nvidia = stack && strcmp(stack, "cuda") == 0;
    name = name ? name : e->part ? e->part : e->id;
    snprintf(f->name, sizeof f->name, "%s%.80s", f->nvidia && strncmp(name, "NVIDIA", 6) != 0 ? "NVIDIA " : "", name);
    name_uuid(f->uuid, wsk_rig_name(live->rig), e->id);
    snprintf(f->bus_id, sizeof f->bus_id, "%08X:%02X:%02X.0", (unsigned)f->domain, (unsigned)f->bus,
             (unsigned)f->device);
    /* Makers count memory in GiB, but data sheets and parts write "24 GB" for 24 GiB. */
    const double gb = wsk_elements_number(live->elements, at, "memory");
    f->memory_bytes = isnan(gb) ? 0 : (int64_t)(gb * 1073741824.0);
    f->pcie_gen = whole(live, at, "pcie", 1, WSK_TWIN_NONE);
    f->pcie_lanes = whole(live, at, "lanes", 1, WSK_TWIN_NONE);
    wsk_twin_identify(f);
    fix_limits(live, at, f);
    fix_fans(live, at, f);
}

static bool names_card(const char *list, const char *id)
{
    const size_t len = strlen(id);
    for (const char *s = list; *s; s += strcspn(s, " "), s += strspn(s, " "))
        if (strcspn(s, " ") == len && memcmp(s, id, len) == 0)
            return true;
    return strcmp(list, "all") == 0;
}

static void find_job(const wsk_live *live, const char *id, char out[WSK_TWIN_NAME])
{
    out[0] = '\0';
    for (int at = wsk_elements_next(live->elements, "workload", -1, -1); at >= 0 && !*out;
         at = wsk_elements_next(live->elements, "workload", at, -1)) {
        const char *list = wsk_elements_text(live->elements, at, "gpus");
        const char *class = wsk_elements_text(live->elements, at, "class");
        if (names_card(list ? list : "all", id) && !(class && strcmp(class, "idle") == 0))
            copy(out, WSK_TWIN_NAME, live->elements->items[at].kind);
    }
}

bool wsk_live_fix(wsk_live *live)
{
    wsk_twin_moment *m = &live->moment;
    live->elements = wsk_cli_elements(live->rig);
    copy(m->rig, sizeof m->rig, wsk_rig_name(live->rig));
    for (int at = wsk_elements_next(live->elements, "gpu", -1, -1); at >= 0;
         at = wsk_elements_next(live->elements, "gpu", at, -1)) {
        if (m->count == WSK_TWIN_CARDS) {
            wsk_cli_error(T_("a twin has at most %d cards"), WSK_TWIN_CARDS);
            return false;
        }
        wsk_live_card *card = &live->card[m->count];
        const char *id = live->elements->items[at].id;
        while (card->owner < wsk_run_owners(live->run, WSK_OF_CARD) &&
               strcmp(wsk_run_owner(live->run, WSK_OF_CARD, card->owner), id) != 0)
            card->owner++;
        find_job(live, id, card->own_job);
        memcpy(card->job, card->own_job, sizeof card->job);
        m->card[m->count].now.persistence = 1;
        fix_card(live, at, m->count, &m->card[m->count].fixed);
        m->count++;
    }
    if (!m->count)
        wsk_cli_error(T_("the rig has no card"));
    return m->count > 0;
}

int64_t wsk_live_date(const wsk_live *live, int64_t otherwise)
{
    const int run = wsk_elements_next(live->elements, "run", -1, -1);
    const char *from = wsk_elements_text(live->elements, run, "from");
    int64_t civil_s;
    if (!from || !wsk_parse_datetime(from, &civil_s))
        return otherwise;
    wsk_arena *arena = wsk_arena_new();
    const wsk_zone *zone = wsk_cli_zone(arena, live->elements);
    const int64_t utc_s = zone ? wsk_zone_utc(zone, civil_s) : civil_s;
    wsk_arena_free(arena);
    return utc_s * WSK_NS;
}
