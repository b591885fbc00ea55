/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "cli/calibrate/calibrate.h"
#include "cli/plot/plot.h"
#include "draw/page.h"

static const char *id_of(const wsk_cli_fitted *f, size_t card)
{
    const char *part;
    return wsk_rig_card(f->rig, card, &part);
}

static const char *part_of(const wsk_cli_fitted *f, size_t card)
{
    const char *part = NULL;
    wsk_rig_card(f->rig, card, &part);
    return part;
}

static wsk_calibrated_card *list_cards(const wsk_cli_fitted *f, bool sweeps, size_t *count)
{
    size_t room = 3 * f->logs->count, n = 0;
    for (size_t i = 0; i < f->order->sweeps.count; i++)
        room += f->tasks[i].cards;
    wsk_calibrated_card *list = wsk_cli_alloc((room + 2) * sizeof *list);
    for (size_t i = 0; i < f->logs->count; i++)
        list[n++] = (wsk_calibrated_card){f->logs->of[i].card, &f->logs->fits[i].fit, f->logs->of[i].file};
    for (size_t i = 0; i < f->logs->count; i++)
        if (f->logs->fits[i].fan.fit.count)
            list[n++] = (wsk_calibrated_card){f->logs->of[i].card, &f->logs->fits[i].fan.fit, f->logs->of[i].file};
    for (size_t i = 0; i < f->logs->count; i++)
        if (f->logs->fits[i].electrical.rows)
            list[n++] =
                (wsk_calibrated_card){f->logs->of[i].card, &f->logs->fits[i].electrical.fit, f->logs->of[i].file};
    for (size_t i = 0; sweeps && i < f->order->sweeps.count; i++) {
        const wsk_cli_task *t = &f->tasks[i];
        list[n++] = (wsk_calibrated_card){t->first, &t->fit, t->file};
        for (size_t k = t->first + 1; t->cards > 1 && k < wsk_rig_cards(f->rig); k++)
            if (wsk_cli_same_part(part_of(f, t->first), part_of(f, k)) && !wsk_calibrate_refusal(f->rig, k))
                list[n++] = (wsk_calibrated_card){k, &t->fit, t->file};
    }
    if (f->wall->file)
        list[n++] = (wsk_calibrated_card){f->logs->of[0].card, &f->wall->fit.fit, f->wall->file};
    *count = n;
    return list;
}

static int judge(wsk_status status)
{
    wsk_cli_check_memory(status != WSK_ENOMEM);
    if (status != WSK_OK)
        wsk_cli_error(T_("the calibrated rig cannot be written: %s"), T_(wsk_status_text(status)));
    return (int)status;
}

static const char fitted_from[] = "kind=\"fitted\" ref=\"";

/* Tells whose values a new file replaces. from: the first fitted source of the present one. */
static void tell_replaced(const char *folder, const char *name, const char *from)
{
    from += strlen(fitted_from);
    wsk_cli_note(T_("%1$s/%2$s is replaced; its values were: %3$.*4$s"), folder, name, from,
                 (int)strcspn(from, "\""));
}

static bool same_source(const char *a, const char *b)
{
    a += strlen(fitted_from);
    b += strlen(fitted_from);
    const size_t len = strcspn(a, "\"");
    return len == strcspn(b, "\"") && strncmp(a, b, len) == 0;
}

/* What tells one machine from another in a rig that calibrate wrote: its name, and the ids and parts of its cards. NULL:
 * the text is no rig. */
static char *machine_of(const char *xml)
{
    const wsk_elements *all = NULL;
    wsk_buf b = {0};
    const wsk_status status = wsk_elements_read(xml, strlen(xml), &all);
    wsk_cli_check_memory(status != WSK_ENOMEM);
    const char *name = status == WSK_OK ? wsk_elements_text(all, 0, "name") : NULL;
    if (status == WSK_OK)
        wsk_buf_printf(&b, "%s\n", name ? name : "");
    for (int at = -1; status == WSK_OK && (at = wsk_elements_next(all, "gpu", at, -1)) >= 0;)
        wsk_buf_printf(&b, "%s %s\n", all->items[at].id, all->items[at].part ? all->items[at].part : "");
    wsk_elements_free(all);
    wsk_cli_check_memory(!b.failed);
    return b.data;
}

/* Tells which fitted values the new rig replaces. Fails, with a message, if they are those of another machine, or the
 * file is no rig that calibrate wrote. */
static int spare_rig(const char *dir, const char *text)
{
    static const char name[] = "calibrated.xml";
    size_t len = 0;
    int code = WSK_OK;
    char *old = wsk_cli_read_in(dir, name, &len, &code), *was = old ? machine_of(old) : NULL, *is = machine_of(text);
    const char *before = old ? strstr(old, fitted_from) : NULL, *now = strstr(text, fitted_from);
    if (old && (!before || !was || !is || strcmp(was, is) != 0)) {
        wsk_cli_error(before
                          ? T_("%1$s/%2$s is of another rig, by its name or its cards; expected another folder (-o)")
                          : T_("%1$s/%2$s was not written by calibrate; expected another folder (-o)"),
                      dir, name);
        code = WSK_EINPUT;
    } else if (old && now && !same_source(before, now)) {
        tell_replaced(dir, name, before);
    }
    free(is);
    free(was);
    free(old);
    return code;
}

static int write_rig(const wsk_cli_fitted *f, const wsk_calibrated_card *cards, size_t count)
{
    char *text = NULL;
    const char *dir = f->order->dir;
    int code = judge(wsk_rig_calibrated(f->rig, cards, count, &text));
    code = code == WSK_OK ? spare_rig(dir, text) : code;
    if (code == WSK_OK && (!wsk_cli_mkdirs(dir) || !wsk_cli_write(dir, "calibrated.xml", text, strlen(text))))
        code = WSK_ERUN;
    wsk_text_free(text);
    return code;
}

/* Tells which fitted part the new text replaces. Fails, with a message, if the file is another part. */
static int spare_part(const char *folder, const char *name, const char *text)
{
    size_t len = 0;
    int code = WSK_OK;
    char *old = wsk_cli_read_in(folder, name, &len, &code);
    const char *source = old ? strstr(old, fitted_from) : NULL;
    if (old && !source) {
        wsk_cli_error(
            T_("%1$s/%2$s is no part that calibrate wrote; expected another folder, or another id of the card"),
            folder, name);
        code = WSK_EINPUT;
    } else if (old && strcmp(old, text) != 0) {
        tell_replaced(folder, name, source);
    }
    free(old);
    return code;
}

static int write_part(const wsk_cli_fitted *f, const wsk_calibrated_card *cards, size_t count, size_t card)
{
    char *id = NULL, *text = NULL;
    int code = judge(wsk_rig_calibrated_part(f->rig, cards, count, card, &id, &text));
    if (code == WSK_OK) {
        char *folder = wsk_cli_format("%s/gpu", f->order->parts),
             *name = wsk_cli_format("%s.xml", id + strlen("gpu/"));
        code = wsk_cli_mkdirs(folder) ? spare_part(folder, name, text) : WSK_ERUN;
        if (code == WSK_OK && !wsk_cli_write(folder, name, text, strlen(text)))
            code = WSK_ERUN;
        if (code == WSK_OK && !f->order->json)
            wsk_cli_say(stdout, T_("%1$s is now the part %2$s of --parts %3$s\n"), id_of(f, card), id,
                        f->order->parts);
        free(name);
        free(folder);
    }
    wsk_text_free(id);
    wsk_text_free(text);
    return code;
}

int wsk_cli_fitted_apply(const wsk_cli_fitted *f, bool sweeps, wsk_rig **out)
{
    const wsk_cli_rig_options *o = &f->order->rig_options;
    char *text = NULL, *parts = wsk_cli_parts_dir(o->parts);
    size_t count;
    wsk_calibrated_card *cards = list_cards(f, sweeps, &count);
    int code = judge(wsk_rig_calibrated(f->rig, cards, count, &text));
    *out = NULL;
    if (code == WSK_OK)
        code = judge(wsk_rig_load(out, &(wsk_rig_options){.path = f->order->rig,
                                                          .text = text,
                                                          .text_len = strlen(text),
                                                          .files_of = f->rig,
                                                          .parts_dir = parts,
                                                          .extra_parts_dir = o->parts,
                                                          .data_dir = o->data,
                                                          .threads = o->threads}));
    wsk_text_free(text);
    free(cards);
    free(parts);
    return code;
}

static bool is_listed(const wsk_calibrated_card *cards, size_t count, size_t card)
{
    size_t i = 0;
    while (i < count && cards[i].card != card)
        i++;
    return i < count;
}

int wsk_cli_fitted_write(const wsk_cli_fitted *f)
{
    size_t count;
    wsk_calibrated_card *cards = list_cards(f, true, &count);
    const int code = write_rig(f, cards, count);
    free(cards);
    return code;
}

static int write_parts(const wsk_cli_fitted *f)
{
    size_t count;
    wsk_calibrated_card *cards = list_cards(f, true, &count);
    int code = WSK_OK;
    for (size_t i = 0; i < count && code == WSK_OK; i++)
        if (!is_listed(cards, i, cards[i].card))
            code = write_part(f, cards, count, cards[i].card);
    free(cards);
    return code;
}

static int write_picture(const wsk_cli_fitted *f)
{
    wsk_plot_forget(f->order->dir, "calibration", false);
    if (!wsk_cli_curves_write(f->rig, f->logs, f->order->dir))
        return WSK_ERUN;
    return wsk_plot_calibration(f->order->dir, "svg", wsk_cli_quiet || f->order->json, true);
}

static wsk_report_fitted *list_fitted(const wsk_cli_fitted *f, size_t *count)
{
    size_t n = 0;
    wsk_report_fitted *list = wsk_cli_alloc((3 * f->logs->count + f->order->sweeps.count + 1) * sizeof *list);
    for (size_t i = 0; i < f->logs->count; i++) {
        const size_t card = f->logs->of[i].card;
        list[n++] = (wsk_report_fitted){id_of(f, card),
                                        part_of(f, card),
                                        &f->logs->fits[i].fit,
                                        &f->logs->fits[i],
                                        wsk_log_curves_of(f->logs->curves, i),
                                        false,
                                        false};
        if (f->logs->fits[i].fan.fit.count)
            list[n++] = (wsk_report_fitted){
                id_of(f, card), part_of(f, card), &f->logs->fits[i].fan.fit, NULL, NULL, true, false};
        if (f->logs->fits[i].electrical.rows)
            list[n++] = (wsk_report_fitted){id_of(f, card),
                                            part_of(f, card),
                                            &f->logs->fits[i].electrical.fit,
                                            NULL,
                                            NULL,
                                            true,
                                            f->logs->fits[i].electrical.one_level};
    }
    for (size_t i = 0; i < f->order->sweeps.count; i++) {
        const size_t card = f->tasks[i].first;
        list[n++] = (wsk_report_fitted){id_of(f, card), part_of(f, card), &f->tasks[i].fit, NULL, NULL, false, false};
    }
    *count = n;
    return list;
}

static char *join_files(const wsk_cli_fitted *f)
{
    size_t n = 0;
    const char **names = wsk_cli_alloc((f->order->logs.count + f->order->sweeps.count + 2) * sizeof *names);
    for (size_t i = 0; i < f->logs->files_count; i++)
        names[n++] = f->logs->files[i].file;
    for (size_t i = 0; i < f->order->sweeps.count; i++)
        names[n++] = f->tasks[i].file;
    if (f->wall->file)
        names[n++] = f->wall->file;
    char *from = wsk_cli_join(names, n);
    free(names);
    return from;
}

static int write_page(const wsk_cli_fitted *f)
{
    const wsk_elements *rig = NULL;
    size_t count, len = 0;
    char *html = NULL, *from = join_files(f);
    wsk_report_fitted *cards = list_fitted(f, &count);
    const char *name = wsk_rig_elements(f->rig, &rig) == WSK_OK ? wsk_elements_text(rig, 0, "name") : NULL;
    FILE *out = wsk_cli_text(&html, &len);
    const wsk_report_calibration page = {.rig = name ? name : f->order->rig,
                                         .from = from,
                                         .cards = cards,
                                         .count = count,
                                         .wall = f->wall->file ? &f->wall->fit : NULL,
                                         .lang = wsk_cli_lang};
    wsk_cli_check_memory(wsk_report_calibrated(out, &page) != WSK_ENOMEM);
    const bool ok = fclose(out) == 0 && wsk_cli_write(f->order->dir, "report.html", html, len);
    if (ok && !f->order->json && !wsk_cli_quiet)
        printf("%s/report.html\n", f->order->dir);
    wsk_elements_free(rig);
    free(html);
    free(from);
    free(cards);
    return ok ? WSK_OK : WSK_ERUN;
}

int wsk_cli_fitted_show(const wsk_cli_fitted *f)
{
    int code = f->order->parts ? write_parts(f) : WSK_OK;
    if (code != WSK_OK || !f->logs->count)
        return code;
    const int drawn = write_picture(f), written = write_page(f); /* the page does not need the picture */
    return drawn != WSK_OK ? drawn : written;
}
