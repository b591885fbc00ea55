/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/net/kind.h"
#include "words/mo.h"
#include "words/tr.h"
#include "words/width.h"
#include "words/words.h"

enum { MO_SIZE = 28 + 3 * 16 + 40 };

static void put_u32(unsigned char *at, uint32_t v, bool big)
{
    for (int i = 0; i < 4; i++)
        at[big ? 3 - i : i] = (unsigned char)(v >> (8 * i));
}

/* Three texts, "" (the header), "air" and "fan %1$s", in the binary layout of msgfmt. */
static void build_mo(unsigned char mo[MO_SIZE], bool big)
{
    static const char *const texts[] = {"", "air", "fan %1$s", "header", "kuuki", "%1$s no fan"};
    memset(mo, 0, MO_SIZE);
    const uint32_t head[] = {0x950412de, 0, 3, 28, 28 + 24, 0, 28 + 48};
    for (int i = 0; i < 7; i++)
        put_u32(mo + 4 * i, head[i], big);
    uint32_t at = 28 + 48;
    for (int i = 0; i < 6; i++) {
        uint32_t len = (uint32_t)strlen(texts[i]);
        put_u32(mo + 28 + 8 * i, len, big);
        put_u32(mo + 28 + 8 * i + 4, at, big);
        memcpy(mo + at, texts[i], len + 1);
        at += len + 1;
    }
    assert_true(at <= MO_SIZE);
}

static void test_catalogue(void **state)
{
    (void)state;
    unsigned char mo[MO_SIZE];
    for (int big = 0; big < 2; big++) {
        build_mo(mo, big);
        assert_string_equal(wsk_mo_find(mo, sizeof mo, "air"), "kuuki");
        assert_string_equal(wsk_mo_find(mo, sizeof mo, "fan %1$s"), "%1$s no fan");
        assert_null(wsk_mo_find(mo, sizeof mo, "water"));
        assert_null(wsk_mo_find(mo, sizeof mo, "zebra"));
    }
    assert_null(wsk_mo_find(NULL, 0, "air"));
}

static void test_damaged_catalogue(void **state)
{
    (void)state;
    unsigned char whole[MO_SIZE];
    static const unsigned char values[] = {0, 1, 27, 0x7F, 0x80, 0xFF};
    build_mo(whole, false);
    for (size_t len = 0; len < sizeof whole; len++) {
        unsigned char *cut = malloc(len + 1); /* exact size, so that a sanitizer reports a read beyond it */
        assert_non_null(cut);
        cut = realloc(cut, len ? len : 1);
        memcpy(cut, whole, len);
        const char *text = wsk_mo_find(cut, len, "air");
        assert_true(!text || strcmp(text, "kuuki") == 0);
        free(cut);
    }
    for (size_t at = 0; at < 28 + 48; at++)
        for (size_t k = 0; k < sizeof values; k++) {
            unsigned char mo[MO_SIZE];
            memcpy(mo, whole, sizeof mo);
            mo[at] = values[k];
            const char *text = wsk_mo_find(mo, sizeof mo, "fan %1$s");
            if (text) {
                assert_true((const unsigned char *)text >= mo && (const unsigned char *)text < mo + sizeof mo);
                assert_non_null(memchr(text, '\0', (size_t)(mo + sizeof mo - (const unsigned char *)text)));
            }
        }
}

static void test_translations(void **state)
{
    (void)state;
    assert_string_equal(wsk_tr(WSK_EN, "--lang '%1$s': expected en or ja%2$s"),
                        "--lang '%1$s': expected en or ja%2$s");
    assert_string_not_equal(wsk_tr(WSK_JA, "--lang '%1$s': expected en or ja%2$s"),
                            "--lang '%1$s': expected en or ja%2$s");
    assert_string_equal(wsk_tr(WSK_JA, "no text of the program"), "no text of the program");
    /* The empty text must not give the catalogue's header, which is stored under "". */
    assert_string_equal(wsk_tr(WSK_JA, ""), "");
}

static bool translated(const char *english)
{
    return wsk_tr(WSK_JA, english) != english;
}

/* The help of each kind and attribute must be translated, also its rule for a default value. */
static void test_help_is_translated(void **state)
{
    (void)state;
    for (const wsk_kind *const *k = wsk_kinds; *k; k++) {
        if (!translated((*k)->help))
            fail_msg("%s %s: %s", (*k)->element, (*k)->name, (*k)->help);
        for (const wsk_param *p = (*k)->params; p && p->name; p++) {
            const char *rule = strstr(p->help, "; default");
            rule = rule ? rule + strlen("; default") : NULL;
            if (!translated(p->help) || (rule && !translated(rule + strspn(rule, ": "))))
                fail_msg("%s %s %s: %s", (*k)->element, (*k)->name, p->name, p->help);
        }
    }
}

static void test_locales(void **state)
{
    (void)state;
    static const struct {
        wsk_locale locale;
        wsk_lang lang;
        bool utf8;
    } cases[] = {
        {{0}, WSK_EN, false},
        {{.lang = "C"}, WSK_EN, false},
        {{.lang = "C.UTF-8"}, WSK_EN, true},
        {{.lang = "de_DE.utf8"}, WSK_EN, true},
        {{.lang = "ja_JP.UTF-8"}, WSK_JA, true},
        {{.lang = "ja_JP.utf8@modern"}, WSK_JA, true},
        {{.lang = "ja.UTF-8"}, WSK_JA, true},
        {{.lang = "jam_JM.UTF-8"}, WSK_EN, true},
        {{.lang = "ja_JP.SJIS"}, WSK_EN, false},
        {{.lang = "ja_JP.eucJP"}, WSK_EN, false},
        {{.lang = "ja_JP"}, WSK_EN, false},
        {{.lang = "en_US.UTF-8", .lc_messages = "ja_JP.UTF-8"}, WSK_JA, true},
        {{.lang = "ja_JP.UTF-8", .lc_messages = "en_US.UTF-8"}, WSK_EN, true},
        {{.lang = "ja_JP.UTF-8", .lc_messages = ""}, WSK_JA, true},
        {{.lc_messages = "ja_JP.UTF-8"}, WSK_JA, true},
        {{.lc_messages = "ja_JP.UTF-8", .lang = "C"}, WSK_EN, false}, /* the character set cannot show Japanese */
        {{.lc_messages = "ja_JP.UTF-8", .lc_ctype = "C", .lang = "ja_JP.UTF-8"}, WSK_EN, false},
        {{.lc_all = "C", .lc_messages = "ja_JP.UTF-8", .lang = "ja_JP.UTF-8"}, WSK_EN, false},
        {{.lc_all = "ja_JP.UTF-8", .lc_messages = "C", .lc_ctype = "C", .lang = "C"}, WSK_JA, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(wsk_locale_lang(&cases[i].locale), cases[i].lang);
        assert_int_equal(wsk_locale_utf8(&cases[i].locale), cases[i].utf8);
    }
    wsk_lang lang = WSK_EN;
    assert_true(wsk_lang_named("ja", &lang));
    assert_int_equal(lang, WSK_JA);
    assert_true(wsk_lang_named("en", &lang));
    assert_false(wsk_lang_named("fr", &lang));
    assert_false(wsk_lang_named("", &lang));
}

static void test_widths(void **state)
{
    (void)state;
    assert_int_equal(wsk_width(""), 0);
    assert_int_equal(wsk_width("350 W"), 5);
    assert_int_equal(wsk_width("85 °C ±2"), 8);
    assert_int_equal(wsk_width("電源ユニット(PSU)"), 17);
    assert_int_equal(wsk_width("ﾌｧﾝ"), 3);            /* half-width kana */
    assert_int_equal(wsk_width("か\xE3\x82\x99"), 2); /* a combining voiced sound mark */
    assert_int_equal(wsk_width("e\xCC\x81"), 1);      /* e and a combining acute accent */
    assert_int_equal(wsk_width("𠮷野"), 4);           /* a character beyond the Basic Multilingual Plane */
    assert_int_equal(wsk_width("\xE9\x9B"), 2);       /* incomplete UTF-8 counts one column per byte */
    assert_int_equal(wsk_width_cut("電力350", 3), 3);
    assert_int_equal(wsk_width_cut("電力350", 5), 7);
    assert_int_equal(wsk_width_cut("電力350", 99), 9);
}

static void test_padding(void **state)
{
    (void)state;
    wsk_buf b = {0};
    wsk_pad(&b, "電力", 6);
    wsk_pad(&b, "|", 1);
    wsk_pad(&b, "W", -3);
    wsk_pad(&b, "制限なし", 4);
    assert_string_equal(b.data, "電力  |  W制限なし");
    wsk_buf_free(&b);
}

static void test_breaks(void **state)
{
    (void)state;
    assert_true(wsk_may_break("電", "力"));
    assert_true(wsk_may_break("W", "で"));
    assert_true(wsk_may_break("の", "GPU"));
    assert_false(wsk_may_break("G", "P"));
    assert_false(wsk_may_break("す", "。"));
    assert_false(wsk_may_break("は", "、"));
    assert_false(wsk_may_break("ト", "）"));
    assert_false(wsk_may_break("ト", ")"));
    assert_false(wsk_may_break("「", "電"));
    assert_false(wsk_may_break("(", "電"));
    assert_false(wsk_may_break("シ", "ョ"));
    assert_false(wsk_may_break("サ", "ー"));
    assert_false(wsk_may_break("か", "\xE3\x82\x99"));
}

static void test_symbols(void **state)
{
    (void)state;
    wsk_buf b = {0};
    wsk_ascii(&b, "85 °C ±2 K, −13 points, größe.xml");
    assert_string_equal(b.data, "85 degC +-2 K, -13 points, größe.xml");
    wsk_buf_free(&b);
    wsk_ascii(&b, "");
    assert_true(!b.data || !*b.data);
    wsk_buf_free(&b);
}

enum { ARGS_MOST = 6 };

/* True if the sentence prints argument k (from 1) as text, by the conversion s, or does not contain that argument. */
static bool takes_text(const char *text, int k)
{
    char place[16];
    snprintf(place, sizeof place, "%%%d$", k);
    const char *at = strstr(text, place);
    return !at || at[strlen(place) + strspn(at + strlen(place), "-+ 0123456789.")] == 's';
}

/* Writes the sentence of `code` with an example value for each argument; argument `other` (from 1; 0: none) gets
 * another value. */
static void say(wsk_buf *out, wsk_lang lang, wsk_code code, int other)
{
    static const char *const names[] = {"one", "two", "three", "four", "five", "six"};
    wsk_arg args[ARGS_MOST];
    for (int k = 0; k < wsk_code_args(code); k++)
        args[k] = takes_text(wsk_code_english(code), k + 1) ? wsk_arg_text(k + 1 == other ? "xyz" : names[k])
                                                            : wsk_arg_number(k + 1 == other ? 90000 + k : 3 + k);
    out->len = 0;
    wsk_words_said(out, lang, &(wsk_said){code, wsk_code_args(code), args});
    wsk_buf_put(out, "", 1);
}

static int question_marks(const char *text)
{
    int n = 0;
    for (; *text; text++)
        n += *text == '?';
    return n;
}

static void test_sentences(void **state)
{
    (void)state;
    wsk_buf first = {0}, second = {0};
    for (int code = 0; code < WSK_SAY_COUNT_; code++)
        for (int lang = 0; lang < WSK_LANG_COUNT; lang++) {
            const char *text = wsk_tr((wsk_lang)lang, wsk_code_english((wsk_code)code));
            say(&first, (wsk_lang)lang, (wsk_code)code, 0);
            if (question_marks(first.data) != question_marks(text))
                fail_msg("%s, %s: %s", wsk_code_name((wsk_code)code), wsk_lang_names[lang], first.data);
            for (int k = 1; k <= wsk_code_args((wsk_code)code); k++) {
                say(&second, (wsk_lang)lang, (wsk_code)code, k);
                if (strcmp(first.data, second.data) == 0)
                    fail_msg("%s, %s: argument %d is not in: %s", wsk_code_name((wsk_code)code), wsk_lang_names[lang],
                             k, text);
            }
        }
    wsk_buf_free(&first);
    wsk_buf_free(&second);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_catalogue),    cmocka_unit_test(test_damaged_catalogue),
        cmocka_unit_test(test_translations), cmocka_unit_test(test_help_is_translated),
        cmocka_unit_test(test_locales),      cmocka_unit_test(test_widths),
        cmocka_unit_test(test_padding),      cmocka_unit_test(test_breaks),
        cmocka_unit_test(test_sentences),    cmocka_unit_test(test_symbols),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
