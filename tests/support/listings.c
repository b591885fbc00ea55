/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/listings.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/base.h"

static const double inside_sd = 1.28, hot_c = 83, room_c = 24;

/* Mean die temperature, degC, over the last ten minutes of a run of two hours. `cards`: the numbers of the cards, each
 * one digit, such as "0 1 2 3". */
static double mean_die(const wsk_rig *rig, const char *cards)
{
    enum { FROM_S = 6600, TO_S = 7200, EVERY_S = 10 };
    wsk_run *run = NULL;
    double sum = 0, n = 0;
    bool ok = rig && wsk_run_new(&run, rig, &(wsk_run_options){.duration_s = TO_S, .step_s = 1}) == WSK_OK;
    for (double t = FROM_S; ok && t <= TO_S; t += EVERY_S) {
        ok = wsk_run_advance(run, t) == WSK_OK;
        for (const char *c = cards; ok && *c; c++) {
            char name[16];
            double die = 0;
            if (!isdigit((unsigned char)*c))
                continue;
            snprintf(name, sizeof name, "gpu%c.die_c", *c);
            ok = wsk_run_get(run, name, &die) == WSK_OK;
            sum += die;
            n++;
        }
    }
    wsk_run_free(run);
    return ok && n > 0 ? sum / n : (double)NAN;
}

bool wsk_listing_kept(const char *source)
{
    const char *number = source + strcspn(source, "0123456789");
    const size_t digits = strspn(number, "0123456789");
    return digits && (number[digits - 1] - '0') % 2 == 1;
}

static wsk_listing simulate(const wsk_csv *csv, int row)
{
    const char *rig = wsk_csv_text(csv, row, "rig"), *sets = wsk_csv_text(csv, row, "sets"),
               *cards = wsk_csv_text(csv, row, "cards"), *fan = wsk_csv_text(csv, row, "fan");
    const double model_k = 2, guessed_room_k = 2; /* K, sd of the model and of a guessed room:
                                                   * docs/theory/uncertainty.md, "Chance of throttling" */
    wsk_listing out = {.kept = wsk_listing_kept(wsk_csv_text(csv, row, "source")),
                       .fan_read = *fan != '\0',
                       .die_c = wsk_csv_number(csv, row, "die_c"),
                       .part = sets,
                       .style = wsk_csv_text(csv, row, "style")};
    wsk_rig *own = wsk_replay_rig(rig, sets);
    const wsk_replay_doubt doubt = wsk_replay_spread(own);
    out.own_k = out.pinned_k = mean_die(own, cards) - out.die_c;
    const double inputs_k = wsk_replay_towards(&doubt, out.own_k);
    out.sd_k = sqrt(inputs_k * inputs_k + model_k * model_k + guessed_room_k * guessed_room_k);
    wsk_rig_free(own);
    if (out.fan_read) {
        wsk_buf with_fan = {0};
        wsk_buf_printf(&with_fan, "%s; gpu[*].fan=%s %%", sets, fan);
        wsk_rig *pinned = wsk_replay_rig(rig, with_fan.data);
        out.pinned_k = mean_die(pinned, cards) - out.die_c;
        wsk_rig_free(pinned);
        wsk_buf_free(&with_fan);
    }
    return out;
}

wsk_listing *wsk_listing_all(const wsk_csv *csv, int *n)
{
    *n = csv ? wsk_csv_rows(csv) : 0;
    wsk_listing *rows = calloc((size_t)*n + 1, sizeof *rows);
    bool ok = rows && *n > 0;
    for (int i = 0; ok && i < *n; i++) {
        rows[i] = simulate(csv, i);
        ok = !isnan(rows[i].own_k) && !isnan(rows[i].pinned_k) && !isnan(rows[i].sd_k);
    }
    if (ok)
        return rows;
    free(rows);
    return NULL;
}

static bool is_of(const wsk_listing *row, const char *style, wsk_listing_half half)
{
    return (!style || strcmp(row->style, style) == 0) &&
           (half == WSK_LISTING_BOTH || row->kept == (half == WSK_LISTING_KEPT));
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

wsk_listing_errors wsk_listing_sum(const wsk_listing *rows, int n, const char *style, wsk_listing_half half,
                                   bool fan_as_read)
{
    wsk_listing_errors s = {0};
    double *errors = calloc((size_t)n + 1, sizeof *errors);
    if (!errors)
        return s;
    for (int i = 0; i < n; i++)
        if (is_of(&rows[i], style, half) && (rows[i].fan_read || !fan_as_read))
            errors[s.n++] = fan_as_read ? rows[i].pinned_k : rows[i].own_k;
    qsort(errors, (size_t)s.n, sizeof *errors, by_size);
    for (int i = 0; i < s.n; i++) {
        s.mean_abs += fabs(errors[i]) / s.n;
        s.bias += errors[i] / s.n;
        s.worst = fabs(errors[i]) > fabs(s.worst) ? errors[i] : s.worst;
    }
    if (s.n)
        s.median = (errors[(s.n - 1) / 2] + errors[s.n / 2]) / 2;
    free(errors);
    return s;
}

double wsk_listing_inside(const wsk_listing *rows, int n, const char *style)
{
    double inside = 0, all = 0;
    for (int i = 0; i < n; i++)
        if (is_of(&rows[i], style, WSK_LISTING_BOTH)) {
            inside += fabs(rows[i].own_k) <= inside_sd * rows[i].sd_k;
            all++;
        }
    return inside / all;
}

static bool same_part(const wsk_listing *a, const wsk_listing *b)
{
    const size_t length = strcspn(a->part, ";");
    return strcspn(b->part, ";") == length && strncmp(a->part, b->part, length) == 0;
}

double wsk_listing_by_part(const wsk_listing *rows, int n, int *counted, double *scaled)
{
    double shipped = 0;
    *scaled = *counted = 0;
    for (int i = 0; i < n; i++) {
        const double rise = rows[i].die_c + rows[i].own_k - room_c;
        double ln_scale = 0;
        int others = 0;
        for (int j = 0; j < n; j++)
            if (j != i && same_part(&rows[i], &rows[j])) {
                ln_scale += log((rows[j].die_c - room_c) / (rows[j].die_c + rows[j].own_k - room_c));
                others++;
            }
        if (others < 2)
            continue;
        shipped += fabs(rows[i].own_k);
        *scaled += fabs(room_c + rise * exp(ln_scale / others) - rows[i].die_c);
        ++*counted;
    }
    *scaled /= *counted;
    return shipped / *counted;
}

int wsk_listing_hot(const wsk_listing *rows, int n, double *expected)
{
    int hot = 0;
    *expected = 0;
    for (int i = 0; i < n; i++) {
        hot += rows[i].die_c >= hot_c;
        *expected += 0.5 * erfc((hot_c - rows[i].die_c - rows[i].own_k) / (sqrt(2) * rows[i].sd_k));
    }
    return hot;
}

static void style_row(const wsk_listing *rows, int n, const char *style)
{
    const wsk_listing_errors seen = wsk_listing_sum(rows, n, style, WSK_LISTING_SEEN, false),
                             kept = wsk_listing_sum(rows, n, style, WSK_LISTING_KEPT, false),
                             both = wsk_listing_sum(rows, n, style, WSK_LISTING_BOTH, false),
                             read = wsk_listing_sum(rows, n, style, WSK_LISTING_BOTH, true);
    printf("| %s | %d, %d | %.1f, %.1f | %+.1f, %+.1f | %+.1f | %+.1f |", style ? style : "all", seen.n, kept.n,
           seen.mean_abs, kept.mean_abs, seen.bias, kept.bias, both.median, both.worst);
    if (read.n)
        printf(" %.1f | %+.1f | %+.1f |", read.mean_abs, read.median, read.worst);
    else
        printf(" | | |");
    printf(" %.0f %% |\n", 100 * wsk_listing_inside(rows, n, style));
}

int wsk_listing_report(wsk_report_score *all)
{
    static const char *const styles[] = {"blower", "open-air", "passive", "module", NULL};
    wsk_csv *csv = wsk_report_table("listings.csv");
    int n, counted;
    wsk_listing *rows = wsk_listing_all(csv, &n);
    if (!rows) {
        wsk_csv_free(csv);
        return 1;
    }
    puts("## Listings of strangers\n\n"
         "Cards at work in published tables of nvidia-smi (`listings.csv`): at least 80 % utilisation, a fan above "
         "its\n"
         "resting duty, and a cooler that the name or the machine tells. GeForce cards from the RTX 30 series on "
         "count where\n"
         "one or two are listed, older ones among four and more, where they are blowers. Machine, room, age, dust "
         "and time\n"
         "since the start are not known: a workstation at 25 degC, a case with three slow fans or the class's server "
         "at\n"
         "24. Power is as read. No value was fitted to these rows. A source whose number ends in an odd digit was "
         "set\n"
         "aside (kept) before any row was simulated. Errors are model less reading, K. The last column counts "
         "readings within the\n"
         "80 % band that the program states, with 2 K for the model and 2 K for the room.\n\n"
         "| style | rows seen, kept | own fan: mean abs. | bias | median | worst | fan as read: mean abs. | median | "
         "worst | "
         "inside |\n"
         "|---|---|---|---|---|---|---|---|---|---|");
    for (int i = 0; i < 5; i++)
        style_row(rows, n, styles[i]);
    for (int i = 0; i < n; i++)
        wsk_report_add(all, rows[i].own_k);
    double scaled, expected;
    const double shipped = wsk_listing_by_part(rows, n, &counted, &scaled);
    const int hot = wsk_listing_hot(rows, n, &expected);
    printf("\nMost of that is between machines: the rows of cards that have three and more (%d rows) err by %.1f K, "
           "and still by "
           "%.1f K\nif the model's rise over the room is scaled to the other rows of the same card. %d rows read 83 "
           "degC or more; "
           "the model's\nchances of that add up to %.1f. What was tried on the rows seen, and left: "
           "[class values](theory/cooler.md#class-values).\n\n",
           counted, shipped, scaled, hot, expected);
    free(rows);
    wsk_csv_free(csv);
    return 0;
}
