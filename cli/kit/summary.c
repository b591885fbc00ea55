/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "cli/kit/cli.h"
#include "words/words.h"

static void tell(const char *dir, const char *name, const wsk_file_mistake *mistake)
{
    wsk_buf b = {0};
    int indent;
    if (mistake->line)
        wsk_buf_printf(&b, "%d:%d: ", mistake->line, mistake->column);
    else
        wsk_buf_printf(&b, " ");
    wsk_words_said(&b, wsk_cli_lang, wsk_findings_line(mistake->why, 0, &indent));
    if (b.failed)
        wsk_cli_error("%s/%s: %s", dir, name, T_("out of memory"));
    else
        wsk_cli_error("%s/%s:%s", dir, name, b.data);
    wsk_buf_free(&b);
}

wsk_summary **wsk_cli_summaries(const char *dir, const char *name, size_t *count, int *code)
{
    wsk_summary **summaries = NULL;
    wsk_file_mistake mistake = {.why = NULL};
    size_t len;
    char *text = wsk_cli_read_in(dir, name, &len, code);
    *count = 0;
    wsk_status status = text ? wsk_summaries_read(&summaries, count, text, len, &mistake) : WSK_OK;
    if (mistake.why) {
        tell(dir, name, &mistake);
        *code = WSK_EINPUT;
    } else {
        wsk_cli_check_memory(status == WSK_OK);
    }
    wsk_findings_free(mistake.why);
    free(text);
    return summaries;
}

wsk_summary **wsk_cli_own_summaries(const char *dir, const char *name, size_t *count, int *code)
{
    wsk_summary **all = wsk_cli_summaries(dir, name, count, code);
    const bool foreign = *count && !wsk_cli_said(all[0], WSK_R_DIGEST, 0)[0];
    if (*code == WSK_EINPUT || foreign) {
        wsk_cli_error(
            T_("%s/%s was not written by wattsink, or is damaged; --force replaces it, -o FOLDER keeps both"), dir,
            name);
        *code = WSK_EINPUT;
    }
    return all;
}

wsk_summary *wsk_cli_summary(const char *dir, int *code)
{
    size_t count;
    wsk_summary **all = wsk_cli_summaries(dir, "summary.json", &count, code), *one = count ? all[0] : NULL;
    if (count) {
        all[0] = NULL;
        wsk_summaries_free(all, count);
    }
    return one;
}

const char *wsk_cli_said(const wsk_summary *summary, wsk_result result, size_t member)
{
    const char *text = summary ? wsk_summary_text(summary, result, member) : NULL;
    return text ? text : "";
}

bool wsk_cli_listed(const wsk_summary *summary, wsk_result ids, const char *id, size_t len)
{
    for (size_t i = 0; i < wsk_summary_count(summary, wsk_result_about(ids)->scope); i++) {
        const char *other = wsk_cli_said(summary, ids, i);
        if (strlen(other) == len && !memcmp(other, id, len))
            return true;
    }
    return false;
}
