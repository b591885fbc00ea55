/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "tests/unit/assert.h"
#include "sim/base/said.h"
#include "sim/results/read.h"

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

/* A message is read whole or not at all. */
static void test_messages_are_whole(void **state)
{
    (void)state;
    static const struct {
        const char *json, *english; /* english NULL: the value is no message */
    } rows[] = {{"{\"code\": \"from.tomorrow\", \"text\": \"it rains\", \"values\": [3]}", "it rains"},
                {"{\"code\": \"from.tomorrow\", \"values\": []}", "from.tomorrow"},
                {"{\"code\": \"from.tomorrow\", \"text\": 7, \"values\": []}", "from.tomorrow"},
                {"{\"code\": \"found.cdu-overloaded\", \"text\": \"other\", \"values\": [\"a\", 7, 3]}",
                 "a: the CDU receives 7 W and can pass on 3 W"},
                {"{\"code\": \"found.cdu-overloaded\", \"values\": [\"a\", 7]}", NULL},
                {"{\"code\": \"found.cdu-overloaded\", \"values\": [\"a\", 7, 3, 4]}", NULL},
                {"{\"code\": \"found.cdu-overloaded\", \"values\": [\"a\", 7, true]}", NULL},
                {"{\"code\": \"found.cdu-overloaded\", \"values\": 7}", NULL},
                {"{\"code\": \"found.cdu-overloaded\"}", NULL},
                {"{\"code\": 7, \"text\": \"it rains\", \"values\": []}", NULL},
                {"{\"text\": \"it rains\", \"values\": []}", NULL},
                {"[]", NULL},
                {"\"it rains\"", NULL},
                {"7", NULL},
                {"null", NULL}};
    wsk_arena *arena = wsk_arena_new();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        static const wsk_said before = {WSK_SAY_CHECK_OTHER_INPUTS, 0, NULL};
        const wsk_said *said = &before;
        const char *text = wsk_printf(arena, "{\"m\": %s}", rows[i].json);
        wsk_diags mistakes;
        wsk_json *root = NULL;
        wsk_json_kind kind;
        wsk_diags_init(&mistakes, arena);
        assert_int_equal(wsk_json_parse(&root, text, strlen(text), &mistakes), WSK_OK);
        const wsk_json *value = wsk_json_at(root, "m", &kind);
        assert_int_equal(wsk_message_read(&said, arena, value, kind), rows[i].english ? WSK_OK : WSK_EINPUT);
        if (rows[i].english)
            assert_string_equal(wsk_said_english(arena, said), rows[i].english);
        else
            assert_null(said);
        wsk_json_free(root);
    }
    wsk_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_mistakes_are_codes_with_their_places),
                                       cmocka_unit_test(test_messages_are_whole)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
