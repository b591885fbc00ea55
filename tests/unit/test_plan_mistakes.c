/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _XOPEN_SOURCE 700
#include "tests/unit/plan_folder.h"

/* Checks that a message contains `words` and points at `word` in the text. Columns count characters, not bytes. */
static void assert_caret(const wsk_plan *plan, const char *text, const char *words, const char *word)
{
    const wsk_diag *d = find(plan, words);
    if (!d)
        fail_msg("no message says \"%s\"", words);
    const char *at = text;
    for (int line = 1; line < d->line; line++)
        at = strchr(at, '\n') + 1;
    for (int column = 1; column < d->column; column++) {
        at++;
        while (((unsigned char)*at & 0xC0) == 0x80)
            at++;
    }
    if (d->line < 1 || strncmp(at, word, strlen(word)) != 0)
        fail_msg("\"%s\" points at %d:%d, \"%.20s\", not at \"%s\"", d->message, d->line, d->column, at, word);
}

static void test_many_mistakes(void **state)
{
    (void)state;
    static const char text[] =
        "<?xml version=\"1.0\"?>\n"
        "<rig name=\"t\xC3\xA9n\" nme=\"x\">\n"
        "  <site suply=\"120 V\" circuit='  15 W' altitude=\"40\">\n"
        "    <room volume=\"nan m3\"><outdor/></room><tariff price=\"0,16 USD/kWh\"/>\n"
        "  </site>\n"
        "  <chassis part=\"chassis/towr\"> stray\n"
        "    <psu part=\"gpu/card\"/><fan part=\"fan/f\" at=\"frontt\"/>\n"
        "    <gpu part=\"gpu/card\" slot=\"1\"\n"
        "         power-limit\n"
        "           =\n"
        "             \"280 kg\"\n"
        "         power=\"-5 W\" tdp=\"1e400 W\"\n"
        "         clock=\"280\"/>\n"
        "    <gpu part=\"gpu/cart\" slot=\"1.5\" id=\"a\" tdp=\"1 W\" tdp=\"2 W\"/>\n"
        "    <gpu part=\"gpu/card\" id=\"a\"><cooler kind=\"blowr\"/><tariff/></gpu>\n"
        "  </chassis>\n"
        "  <workload kind=\"traning\" class=\"decod\"/><run from=\"yesterday\"/><run for=\"1 d\"/>\n"
        "</rig>\n";
    static const struct {
        const char *says, *word;
    } cases[] = {{"unknown attribute \"nme\"", "nme"},
                 {"did you mean \"supply\"", "suply"},
                 {"circuit: \"15 W\" is a power", "15 W"},
                 {"\"40\" has no unit", "40\""},
                 {"\"nan m3\" is not a number", "nan"},
                 {"did you mean \"outdoor\"", "outdor"},
                 {"expected '.' as the decimal sign", "0,16"},
                 {"did you mean \"chassis/tower\"", "chassis/towr"},
                 {"text \"stray\"", "stray"},
                 {"part \"gpu/card\" is a <gpu>", "gpu/card"},
                 {"did you mean \"front\"", "frontt"},
                 {"\"280 kg\" is a mass; expected a power", "280 kg"},
                 {"\"-5 W\" is out of range", "-5 W"},
                 {"\"1e400 W\" is too large", "1e400"},
                 {"\"280\" has no unit; expected a frequency", "280\""},
                 {"there is no part \"gpu/cart\"", "gpu/cart"},
                 {"\"1.5\" is not a whole", "1.5"},
                 {"written twice", "tdp=\"2 W\""},
                 {"<gpu> lacks slot", "gpu part=\"gpu/card\" id"},
                 {"the id \"a\" is already used", "a\"><cooler"},
                 {"did you mean \"blower\"", "blowr"},
                 {"<tariff> does not belong in <gpu>", "tariff/></gpu"},
                 {"did you mean \"training\"", "traning"},
                 {"did you mean \"decode\"", "decod\""},
                 {"is not a date", "yesterday"},
                 {"a second <run>", "run for"}};
    wsk_plan *plan = load_bytes(text, strlen(text), NULL, 0, WSK_EINPUT);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_caret(plan, text, cases[i].says, cases[i].word);
    assert_int_equal(plan->diags.errors, sizeof cases / sizeof *cases);
    assert_non_null(plan->rig);
    wsk_plan_free(plan);
}

static void test_flaws_of_xml(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says, *word;
    } cases[] = {{"<rig>\n <site>\n  <room></site>\n</rig>", "<room> of line 3 is still open; expected </room>",
                  "site>\n</rig>"},
                 {"<rig>\n <site suply=\"1\">\n", "the text ends inside <site> of line 2", ""},
                 {"<rig>\n <site suply=\"1\">\n", "did you mean \"supply\"", "suply"},
                 {"<rig>\n <site supply=120/></rig>", "without quotes", "120"},
                 {"<rig name=\"a & b\"/>", "&amp;", "& b"},
                 {"<rig name=\"a < b\"/>", "&lt;", "< b"},
                 {"<rig name=\"&foo;\"/>", "known entity", "&foo;"},
                 {"<rig/>\n <rig/>", "behind the end", "<rig/>"},
                 {"<rig>\n<!-- a --set b --></rig>", "two hyphens", "--set"},
                 {"<rig>\n <site supply=\"\x01\"/></rig>", "not well-formed", "\x01"},
                 {"<gpu tdp=\"3 W\"/>", "as in a part", "gpu"},
                 {"<rik/>", "did you mean \"rig\"", "rik"},
                 {"<rig xmlns=\"http://a\"/>", "namespace", "rig"},
                 {"<rig name=\"\xC2\x9B\"/>", "control character", "\xC2\x9B"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        wsk_plan *plan = load_bytes(cases[i].text, strlen(cases[i].text), NULL, 0, WSK_EINPUT);
        assert_caret(plan, cases[i].text, cases[i].says, cases[i].word);
        wsk_plan_free(plan);
    }
    wsk_plan_free(load("\xEF\xBB\xBF<rig xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" "
                       "xsi:noNamespaceSchemaLocation=\"w.xsd\"/>"));
}

/* says NULL: the text is taken. Lines end with LF, CR LF or CR. */
static void test_edges_of_xml(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
        int line;
    } cases[] = {
        {"<rig>\n<![CDATA[ x ]]></rig>", "text \"x\" between the elements", 2},
        {"<rig><![CDATA[]]></rig>", NULL, 0},
        {"<rig><![CDATA[x", "text \"x\" between the elements", 1},
        {"<?xml version=\"1.0\" encoding=\"utf8\"?><rig/>", NULL, 0},
        {"<?xml version='1.0' encoding='US-ASCII'?><rig/>", NULL, 0},
        {"<?xml version=\"1.0\" encoding=\"UTF-16\"?><rig/>", "an encoding other than UTF-8", 1},
        {"\xFE\xFF<rig/>", "encoded as UTF-16", 1},
        {"\xFF\xFE<rig/>", "encoded as UTF-16", 1},
        {"<rig>\r\r <site suply=\"3\"/></rig>", "did you mean \"supply\"", 3},
        {"<rig>\r\n <site suply=\"3\"/></rig>", "did you mean \"supply\"", 2},
        {"<rig name ", "an attribute without a value", 1},
        {"<rig name= ", "a value without quotes", 1},
        {"<rig name = \"x\" />", NULL, 0},
        {"<rig\n \"x\"/>", "", 2},
        {"<rig xmlnsx=\"1\"/>", "unknown attribute \"xmlnsx\"", 1},
        {"<rig xml:space=\"preserve\"/>", NULL, 0},
        {"<rig xmlns:a=\"u\" a:foo=\"1\"/>", "unknown attribute \"a:foo\"", 1},
        {"<rig name=\"a &#38; b\"/>", NULL, 0},
        {"<rig name=\"x\"site=\"y\"/>", "something between two attributes", 1},
        {"<rig name=\xE2\x80\x9Cx\xE2\x80\x9D/>", "typographic quotes", 1},
        {"<rig name=\xC2\xABx\xC2\xBB/>", "typographic quotes", 1},
        {"<rig>\n<site supply=\"120 V>\n<room/></site></rig>", "closing quote before it", 3},
        {"<rig>\n<site\n supply=\"120 V>\n<room volume=\"9 m3\"/></site></rig>", "the value of supply is not closed",
         3},
        {"<rig>\n<site", "a tag that does not end", 2},
        {"<rig></rig", "a tag that does not end", 1},
        {"<rig>\n<1site/></rig>", "a < that begins no element", 2},
        {"<rig></site></rig>", "<rig> of line 1 is still open", 1},
        {"<rig>\n<?xml version=\"1.0\"?></rig>", "is not at the beginning", 2},
        {"<rig><?pi x?></rig>", NULL, 0},
        {"<rig>\n<!ELEMENT x></rig>", "these are refused", 2},
        {"<rig><!-- x</rig>", "Comment not terminated", 1},
        {"</rig>", "a < that begins no element", 1},
        {"<a:rig/>", "the file's element is \"a:rig\"", 1},
        {"<!-- only -->", "Start tag expected", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        wsk_plan *plan =
            load_bytes(cases[i].text, strlen(cases[i].text), NULL, 0, cases[i].says ? WSK_EINPUT : WSK_OK);
        const wsk_diag *d = cases[i].says ? find(plan, cases[i].says) : NULL;
        if (cases[i].says && (!d || d->line != cases[i].line))
            fail_msg("case %zu: line %d says \"%s\"", i, plan->diags.items[0].line, plan->diags.items[0].message);
        wsk_plan_free(plan);
    }
}

static void test_other_words(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } cases[] = {
        {CHASSIS("<fan part=\"fan/f\" at=\"back\"/>"), "did you mean \"rear\""},
        {CHASSIS("<fan part=\"fan/f\" at=\"intake\"/>"), "did you mean \"front\""},
        {CHASSIS("<fan part=\"fan/f\" at=\"exhaust\"/>"), "did you mean \"rear\""},
        {"<rig><workload class=\"stress\"/></rig>", "did you mean \"burn\""},
        {"<rig><workload class=\"finetuning\"/></rig>", "did you mean \"training\""},
        {"<rig><workload class=\"generation\"/></rig>", "did you mean \"decode\""},
        {CHASSIS("<gpu part=\"gpu/oop\" slot=\"1\"/>"), "there is gpu/loop-a, gpu/loop-b"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        wsk_plan *plan = load_bytes(cases[i].text, strlen(cases[i].text), NULL, 0, WSK_EINPUT);
        if (!find(plan, cases[i].says))
            fail_msg("no message says %s, but %s", cases[i].says, plan->diags.items[0].message);
        wsk_plan_free(plan);
    }
}

static void hostile(const char *head, const char *repeat, size_t times, const char *tail, const char *says)
{
    wsk_buf b = {0};
    wsk_buf_put(&b, head, strlen(head));
    for (size_t i = 0; i < times; i++)
        wsk_buf_put(&b, repeat, strlen(repeat));
    wsk_buf_put(&b, tail, strlen(tail));
    assert_false(b.failed);
    wsk_plan *plan = load_bytes(b.data, b.len, NULL, 0, WSK_EINPUT);
    const wsk_diag *d = find(plan, says);
    if (!d)
        fail_msg("no message says \"%s\", but \"%s\"", says, plan->diags.items[0].message);
    assert_true(d->line > 0 && d->column > 0);
    wsk_plan_free(plan);
    wsk_buf_free(&b);
}

static void test_hostile(void **state)
{
    (void)state;
    hostile("", "", 0, "", "empty");
    hostile(" \n", "", 0, "", "empty");
    hostile("\x7F"
            "ELF\x02\xFF",
            "", 0, "", "not UTF-8");
    hostile("hello", "", 0, "", "not XML");
    hostile("<rig>", "<room>", 200000, "", "nested more than 64 deep");
    hostile("<rig>", "<a/>", 300000, "</rig>", "more than 20000 elements");
    hostile("<rig ", "a='' ", 300000, "/>", "more than 200 attributes");
    hostile("<rig name='", "x", 11000000, "'/>", "too long");
    hostile("<rig>", "<!--", 1000000, "", "two hyphens");
    hostile("<rig>", "&", 3000000, "", "known entity");
    hostile("<rig>", "\x01", 3000000, "", "not well-formed");
    hostile("<rig>", " ", 16000000, "</rig>", "larger than 16 MB");
    hostile("<rig><chassis>", "<fan part='fan/f'/>", 19000, "</chassis></rig>", "more than 5000 elements");
    hostile("<rig>", "x<a b='1'/>", 19000, "</rig>", "text \"x\"");
    hostile("<?xml version=\"1.0\"?>\n<!DOCTYPE l [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]>\n<rig "
            "name=\"&b;\"/>",
            "", 0, "", "refused");
    hostile("<!DOCTYPE rig [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>\n<rig name=\"&x;\"/>", "", 0, "", "refused");
    hostile("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><rig/>", "", 0, "", "other than UTF-8");
    static const char zero[] = "<rig>\0</rig>";
    wsk_plan *plan = load_bytes(zero, sizeof zero - 1, NULL, 0, WSK_EINPUT);
    assert_non_null(find(plan, "zero byte"));
    wsk_plan_free(plan);
}

static void test_scrambled(void **state)
{
    (void)state;
    static const char good[] = CHASSIS(CARDS "<gpu part=\"gpu/card\" slot=\"5\"><cooler recess=\"1 mm\"/><source "
                                             "for=\"slot\" kind=\"measured\" ref=\"x\"/></gpu>");
    static const char letters[] = "<>\"'/= &;!-[]?x.\n\xC3";
    char text[sizeof good];
    for (uint64_t n = 0; n < 400; n++) {
        memcpy(text, good, sizeof good);
        for (uint64_t k = 0; k <= n % 5; k++) {
            size_t at = (size_t)(wsk_random(7, n, 2 * k) * (sizeof good - 1));
            text[at] = letters[(size_t)(wsk_random(7, n, 2 * k + 1) * (sizeof letters - 1))];
        }
        wsk_plan_input in = {.path = "-", .text = text, .text_len = sizeof good - 1, .parts_dir = folder};
        wsk_plan *plan = NULL;
        wsk_status status = wsk_plan_load(&plan, &in);
        assert_true(status == WSK_OK || (status == WSK_EINPUT && plan->diags.errors > 0));
        wsk_plan_free(plan);
    }
}

static void test_last_allowed(void **state)
{
    (void)state;
    for (int more = 0; more < 2; more++) {
        wsk_buf b = {0};
        wsk_buf_printf(&b, "<rig");
        for (int i = 0; i < 200 + more; i++)
            wsk_buf_printf(&b, " a%d=''", i);
        wsk_buf_printf(&b, "/>");
        wsk_plan *plan = load_bytes(b.data, b.len, NULL, 0, WSK_EINPUT);
        assert_true((find(plan, "more than 200 attributes") != NULL) == (more == 1));
        wsk_plan_free(plan);
        wsk_buf_free(&b);
        wsk_buf_printf(&b, "<rig>");
        for (int i = 1; i < 64 + more; i++)
            wsk_buf_printf(&b, "<room>");
        for (int i = 1; i < 64 + more; i++)
            wsk_buf_printf(&b, "</room>");
        wsk_buf_printf(&b, "</rig>");
        plan = load_bytes(b.data, b.len, NULL, 0, WSK_EINPUT);
        assert_true((find(plan, "nested more than 64 deep") != NULL) == (more == 1));
        wsk_plan_free(plan);
        wsk_buf_free(&b);
    }
}

/* wsk_io_quote cuts a long text between two characters, so that the quoted text has fewer than WSK_QUOTED bytes. It
 * prints each control character, of one byte or two, as one "?". */
static void test_quotes(void **state)
{
    (void)state;
    static const struct {
        const char *text, *quoted;
    } rows[] = {{"", "\"\""},
                {"a\tb\x7F", "\"a?b?\""},
                {"a\xC2\x85\xC2\x9Fz", "\"a??z\""},
                {"\xC2\xA0\xC3\x85", "\"\xC2\xA0\xC3\x85\""}};
    char out[WSK_QUOTED], text[3 * WSK_QUOTED];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal(wsk_io_quote(out, rows[i].text), rows[i].quoted);
    for (size_t ascii = 0; ascii < 3; ascii++) { /* the cut is tried at each byte of a character of three bytes */
        memset(text, 'x', ascii);
        for (size_t n = ascii; n + 3 < sizeof text; n += 3)
            memcpy(text + n, "\xE3\x82\xAB", 4);
        const size_t len = strlen(wsk_io_quote(out, text));
        assert_true(len < WSK_QUOTED && len > WSK_QUOTED - 12);
        assert_string_equal(out + len - 4, "...\"");
        assert_int_equal((len - 5 - ascii) % 3, 0);
        assert_memory_equal(out + 1, text, len - 5);
    }
}

static void test_parts_that_may_be_meant(void **state)
{
    (void)state;
    static const struct {
        const char *typed, *says;
    } rows[] = {{"gpu/ca-rd", "did you mean \"gpu/card\""},      {"gpu/c_a_r_d", "did you mean \"gpu/card\""},
                {"gpu/crad", "did you mean \"gpu/card\""},       {"gpu/slot", "did you mean \"gpu/slotted\""},
                {"gpu/oop-", "there is gpu/loop-a, gpu/loop-b"}, {"card", "did you mean \"gpu/card\""}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[300];
        snprintf(text, sizeof text, CHASSIS("<gpu part=\"%s\" slot=\"1\"/>"), rows[i].typed);
        wsk_plan *plan = load_bytes(text, strlen(text), NULL, 0, WSK_EINPUT);
        if (!find(plan, rows[i].says))
            fail_msg("\"%s\" for %s: %s", rows[i].says, rows[i].typed, plan->diags.items[0].message);
        wsk_plan_free(plan);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_many_mistakes),
        cmocka_unit_test(test_flaws_of_xml),
        cmocka_unit_test(test_edges_of_xml),
        cmocka_unit_test(test_other_words),
        cmocka_unit_test(test_hostile),
        cmocka_unit_test(test_scrambled),
        cmocka_unit_test(test_last_allowed),
        cmocka_unit_test(test_quotes),
        cmocka_unit_test(test_parts_that_may_be_meant),
    };
    return cmocka_run_group_tests(tests, make_parts, drop_parts);
}
