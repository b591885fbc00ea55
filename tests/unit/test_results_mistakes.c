/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "tests/unit/assert.h"
#include "sim/base/said.h"

static void test_mistakes_are_codes_with_their_places(void **state)
{
    (void)state;
    static const struct {
        /* value: the code's first argument, a text or the code of a nested message. */
        const char *text, *code, *value, *english;
        int line, column;
    } bad[] = {
        {"{\n \"rig\": ?}", "json.syntax", "json.character", "not well-formed JSON: unexpected character", 2, 9},
        {"{\"a\": nul}", "json.syntax", "json.null", "not well-formed JSON: null expected", 1, 10},
        {"{\"a\": trUe}", "json.syntax", "json.boolean", "not well-formed JSON: boolean expected", 1, 9},
        {"{\"a\": 1.2.3}", "json.syntax", "json.number", "not well-formed JSON: number expected", 1, 10},
        {"{\"a\": [1 2]}", "json.syntax", "json.item-separator",
         "not well-formed JSON: array value separator ',' expected", 1, 10},
        {"{a: 1}", "json.syntax", "json.key", "not well-formed JSON: quoted object property name expected", 1, 2},
        {"{\"a\" 1}", "json.syntax", "json.key-separator",
         "not well-formed JSON: object property name separator ':' expected", 1, 6},
        {"{\"a\": 1 \"b\"}", "json.syntax", "json.value-separator",
         "not well-formed JSON: object value separator ',' expected", 1, 9},
        {"{\"a\": \"\\q\"}", "json.syntax", "json.string", "not well-formed JSON: invalid string sequence", 1, 9},
        {"{\"a\": \"\xff\"}", "json.syntax", "json.utf-8", "not well-formed JSON: invalid utf-8 string", 1, 8},
        {"{\"a\":[[[[[[[[[[[[[[[[[[", "json.syntax", "json.nesting", "not well-formed JSON: nesting too deep", 1, 21},
        {"{\"rig\": \"a\"\n\n", "json.ends-early", NULL, "the text ends too early; expected JSON to its last brace",
         3, 1},
        {"{} \n{}", "json.followed", NULL, "something follows the object; expected nothing after its last brace", 2,
         1},
        {"[]", "json.no-object", NULL, "this is no object in JSON; expected { first", 1, 1},
        {"{\"gpus\": [{\"slot\": \"x\"}]}", "results.value", "gpus.slot",
         "the value of \"gpus.slot\" does not fit; expected a number", 0, 0},
        {"{\"cases\": [7]}", "results.value", "cases",
         "the value of \"cases\" does not fit; expected a list of objects", 0, 0}};
    wsk_arena *arena = wsk_arena_new();
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        wsk_summary **all = NULL;
        wsk_file_mistake mistake;
        const wsk_said *inner;
        const char *value = NULL;
        double number;
        int indent;
        size_t count = 7;
        assert_int_equal(wsk_summaries_read(&all, &count, bad[i].text, strlen(bad[i].text), &mistake), WSK_EINPUT);
        assert_true(!all && count == 0);
        const wsk_said *said = wsk_findings_line(mistake.why, 0, &indent);
        assert_int_equal(wsk_findings_count(mistake.why), 1);
        assert_string_equal(wsk_said_code(said), bad[i].code);
        assert_string_equal(wsk_said_english(arena, said), bad[i].english);
        assert_int_equal(wsk_said_argument(said, 0, &number, &value, &inner), bad[i].value != NULL);
        if (bad[i].value)
            assert_string_equal(value ? value : wsk_said_code(inner), bad[i].value);
        assert_int_equal(mistake.line, bad[i].line);
        assert_int_equal(mistake.column, bad[i].column);
        wsk_findings_free(mistake.why);
    }
    wsk_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_mistakes_are_codes_with_their_places)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
