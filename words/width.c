/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "words/width.h"

#include <string.h>

size_t wsk_width_cut(const char *text, int columns)
{
    size_t len = strlen(text), i = 0;
    while (i < len) {
        int wide_by;
        size_t n = wsk_char_width(text + i, len - i, &wide_by);
        if (wide_by > columns)
            break;
        columns -= wide_by;
        i += n;
    }
    return i;
}

static bool one_of(const char *character, size_t len, const char *list)
{
    for (size_t n; *list; list += n) {
        int columns;
        n = wsk_char_width(list, strlen(list), &columns);
        if (n == len && memcmp(character, list, n) == 0)
            return true;
    }
    return false;
}

bool wsk_may_break(const char *before, const char *after)
{
    static const char never_first[] =
        "。、，．・：；？！）」』】］｝〉》”’ー々ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ％℃"
        ",.:;?!)]}%";
    static const char never_last[] = "（「『【［｛〈《“‘([{";
    int width_before, width_after;
    size_t len_before = wsk_char_width(before, strlen(before), &width_before),
           len_after = wsk_char_width(after, strlen(after), &width_after);
    if ((width_before < 2 && width_after < 2) || width_after == 0)
        return false;
    return !one_of(after, len_after, never_first) && !one_of(before, len_before, never_last);
}
