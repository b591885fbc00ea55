/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "sim/base/base.h"
#include "tests/unit/assert.h"

/* The byte ranges of RFC 3629, section 4, at their bounds: no overlong form, no surrogate, no code point above
 * U+10FFFF. */
static void utf8_is_what_the_standard_says(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t bytes;
    } some[] = {{"a", 1},
                {"\xC2\x80", 2},
                {"\xE0\xA0\x80", 3},
                {"\xED\x9F\xBF", 3},
                {"\xF4\x8F\xBF\xBF", 4},
                {"", 0},
                {"\x80", 0},
                {"\xC1\xBF", 0},
                {"\xE0\x9F\xBF", 0},
                {"\xED\xA0\x80", 0},
                {"\xF0\x8F\xBF\xBF", 0},
                {"\xF4\x90\x80\x80", 0},
                {"\xE2\x82", 0},
                {"\xC3(", 0}};
    for (size_t i = 0; i < sizeof some / sizeof *some; i++)
        assert_int_equal(wsk_utf8_bytes(some[i].text, strlen(some[i].text)), some[i].bytes);
}

static void texts_are_cut_between_characters(void **state)
{
    static const char text[] = "a°€𝄞b";
    static const size_t starts[] = {0, 1, 3, 6, 10, 11};
    (void)state;
    for (size_t most = 0; most < sizeof text + 3; most++) {
        size_t front = 0, back = strlen(text);
        for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
            front = starts[i] <= most ? starts[i] : front;
            if (strlen(text) - starts[i] <= most && starts[i] < back)
                back = starts[i];
        }
        assert_int_equal(wsk_utf8_cut(text, most), front);
        assert_int_equal(wsk_utf8_tail(text, most) - text, back);
    }
    assert_int_equal(wsk_utf8_cut("\x80\x80\x80", 2), 0);
}

/* The first bytes tell compressed files (RFC 1952) and other encodings (Unicode, chapter 23.8; without a byte order mark
 * by the zero bytes of two ASCII characters, RFC 4627, chapter 3). */
static void first_bytes_tell_the_encoding(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t gzip_from, utf16_from,
            mark_from; /* least length at which the encoding is known; 0: the text has another one */
    } rows[] = {{"\x1F\x8B\b", 2, 0, 0},
                {"\xFF\xFE"
                 "a",
                 0, 2, 0},
                {"\xFE\xFF"
                 "a",
                 0, 2, 0},
                {"\xEF\xBB\xBF"
                 "a",
                 0, 0, 3},
                {"\x1F\x8C\b", 0, 0, 0},
                {"\x8B\x1F\b", 0, 0, 0},
                {"abcd", 0, 0, 0},
                {"t\0_", 0, 4, 0},
                {"\0t\0_", 0, 4, 0},
                {"ab\0c", 0, 0, 0},
                {"\0\0ab", 0, 0, 0},
                {"a\0\0\0", 0, 0, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (size_t len = 0; len <= (i < 4 ? 3 : 4); len++) {
            assert_int_equal(wsk_is_gzip(rows[i].text, len), rows[i].gzip_from && len >= rows[i].gzip_from);
            assert_int_equal(wsk_is_utf16(rows[i].text, len), rows[i].utf16_from && len >= rows[i].utf16_from);
            assert_int_equal(wsk_utf8_mark(rows[i].text, len), rows[i].mark_from && len >= rows[i].mark_from ? 3 : 0);
        }
}

/* Lines end in LF, or in CR where there is no LF; where both occur, as CR LF of Windows or in a progress line, LF ends
 * them. */
static void line_ends_are_told_apart(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        char end;
    } rows[] = {{"", '\n'}, {"a", '\n'}, {"a\nb", '\n'}, {"a\r\nb\r\n", '\n'}, {"1 %\r2 %\nb", '\n'}, {"a\rb", '\r'}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(wsk_line_end(rows[i].text, strlen(rows[i].text)), rows[i].end);
}

static void json_strings_are_utf8(void **state)
{
    (void)state;
    wsk_buf b = {0};
    wsk_buf_json(&b, "a\"\\\n\xC2\xB0 \xFF\xE2\x82");
    assert_string_equal(b.data, "\"a\\\"\\\\\\u000a\xC2\xB0 \xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"");
    wsk_buf_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(utf8_is_what_the_standard_says), cmocka_unit_test(texts_are_cut_between_characters),
        cmocka_unit_test(first_bytes_tell_the_encoding), cmocka_unit_test(line_ends_are_told_apart),
        cmocka_unit_test(json_strings_are_utf8)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
