/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include <cmocka.h>

#include "cli/twin/gate.h"

static const char token[] = "0123456789abcdef";

static void test_addresses(void **state)
{
    static const struct {
        const char *text;
        int port;
        bool loopback;
    } good[] = {{"9400", 9400, true},          {"127.0.0.1:9400", 9400, true}, {"localhost:0", 0, true},
                {"127.9.9.9:1", 1, true},      {"[::1]:65535", 65535, true},   {"0.0.0.0:80", 80, false},
                {"192.168.1.2:80", 80, false}, {"[::]:80", 80, false},         {"[2001:db8::1]:80", 80, false}};
    static const char *const bad[] = {"",
                                      ":",
                                      "127.0.0.1",
                                      "127.0.0.1:",
                                      "127.0.0.1:65536",
                                      "::1:80",
                                      "host:80",
                                      "127.0.0.1:-1",
                                      "127.0.0.1:8x",
                                      "[::1:80",
                                      "1.2.3:4",
                                      "[127.0.0.1]:80",
                                      "127.0.0.1:000080",
                                      ":80",
                                      "[]:80",
                                      "[]]:80",
                                      "a:80",
                                      "[::1]x:80",
                                      "0123456789012345678901234567890123456789012345678901234567890123:80",
                                      " 127.0.0.1:80"};
    wsk_gate_address at;
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_true(wsk_gate_listen(good[i].text, &at));
        assert_int_equal(at.port, good[i].port);
        assert_int_equal(at.loopback, good[i].loopback);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (wsk_gate_listen(bad[i], &at))
            fail_msg("'%s' is taken for an address", bad[i]);
}

static int judge(const char *with_token, wsk_gate_request request, wsk_gate_what *what)
{
    const wsk_gate gate = {.token = with_token, .port = 9400};
    wsk_gate_what ignored;
    request.method = request.method ? request.method : "GET";
    request.path = request.path ? request.path : "/metrics";
    return wsk_gate_judge(&gate, &request, what ? what : &ignored);
}

static void test_hosts(void **state)
{
    static const char *const own[] = {"127.0.0.1:9400", "localhost:9400", "LOCALHOST:9400", "[::1]:9400"};
    static const char *const others[] = {
        "example.org:9400",       "127.0.0.1",      "127.0.0.1:9401",  "localhost.example.org:9400",
        "127.0.0.1:9400.example", "127.0.0.2:9400", "192.168.1.2:9400"};
    (void)state;
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        assert_int_equal(judge(NULL, (wsk_gate_request){.host = own[i]}, NULL), 200);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_int_equal(judge(NULL, (wsk_gate_request){.host = others[i]}, NULL), 403);
    assert_int_equal(judge(NULL, (wsk_gate_request){.host = NULL}, NULL), 400);
    assert_int_equal(judge(NULL, (wsk_gate_request){.host = ""}, NULL), 400);
}

/* Browsers leave the port of HTTP, 80, out of the header Host. */
static void test_port_of_http(void **state)
{
    static const char *const own[] = {"localhost", "127.0.0.1", "[::1]", "LocalHost:80"};
    static const char *const others[] = {"example.org", "localhost:8080", "192.168.1.2"};
    const wsk_gate gate = {.port = 80};
    wsk_gate_what what;
    (void)state;
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        assert_int_equal(
            wsk_gate_judge(&gate, &(wsk_gate_request){.method = "GET", .path = "/", .host = own[i]}, &what), 200);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_int_equal(
            wsk_gate_judge(&gate, &(wsk_gate_request){.method = "GET", .path = "/", .host = others[i]}, &what), 403);
}

static void test_tokens(void **state)
{
    /* the Basic values are base64 (RFC 4648) of "x:0123456789abcdef" and ":0123456789abcdef"; the token itself is
     * 0123456789abcdef */
    static const char *const right[] = {"Bearer 0123456789abcdef", "bearer 0123456789abcdef",
                                        "Basic eDowMTIzNDU2Nzg5YWJjZGVm", "Basic OjAxMjM0NTY3ODlhYmNkZWY="};
    char long_password[900];
    static const char *const wrong[] = {"",
                                        "Bearer",
                                        "Bearer ",
                                        "Bearer 0123456789abcde",
                                        "Bearer 0123456789abcdef0",
                                        "Bearer 0123456789abcdef0123456789abcdef",
                                        "0123456789abcdef",
                                        "Basic MDEyMzQ1Njc4OWFiY2RlZg==",
                                        "Basic eDowMTIzNDU2Nzg5YWJjZGV",
                                        "Basic !!!!",
                                        "Basic OjAxMjM0NTY3ODlhYmNkZWY=x",
                                        "Basic "};
    (void)state;
    for (size_t i = 0; i < sizeof right / sizeof *right; i++)
        assert_int_equal(
            judge(token, (wsk_gate_request){.host = "rig.example:9400", .authorization = right[i]}, NULL), 200);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(judge(token, (wsk_gate_request){.host = "127.0.0.1:9400", .authorization = wrong[i]}, NULL),
                         401);
    assert_int_equal(judge(token, (wsk_gate_request){.host = "127.0.0.1:9400"}, NULL), 401);
    assert_int_equal(judge("", (wsk_gate_request){.host = "127.0.0.1:9400", .authorization = "Bearer x"}, NULL), 401);
    snprintf(long_password, sizeof long_password, "Basic %0800d", 0);
    assert_int_equal(judge(token, (wsk_gate_request){.host = "a:9400", .authorization = long_password}, NULL), 401);
    assert_true(wsk_gate_token(token));
    assert_false(wsk_gate_token("0123456789abcde"));
    assert_false(wsk_gate_token("0123456789 abcdef"));
    assert_false(wsk_gate_token("0123456789abcd\xc3\xa9"));
}

static void test_paths_and_methods(void **state)
{
    static const char *const known[] = {"/", "/page.css", "/page.js", "/live", "/metrics"};
    static const char *const unknown[] = {"/../etc/passwd", "/metrics/", "",       "metrics", "//",
                                          "/index.html",    "/DO",       "/live/x"};
    static const char *const methods[] = {"PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "get", "PATCH"};
    wsk_gate_what what;
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        assert_int_equal(judge(NULL, (wsk_gate_request){.host = "localhost:9400", .path = known[i]}, &what), 200);
        assert_int_equal(what, i);
        assert_int_equal(
            judge(NULL, (wsk_gate_request){.host = "localhost:9400", .path = known[i], .method = "POST"}, NULL), 405);
    }
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        assert_int_equal(judge(NULL, (wsk_gate_request){.host = "localhost:9400", .path = unknown[i]}, NULL), 404);
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        assert_int_equal(judge(NULL, (wsk_gate_request){.host = "localhost:9400", .method = methods[i]}, NULL), 405);
        assert_int_equal(
            judge(NULL, (wsk_gate_request){.host = "localhost:9400", .path = "/do", .method = methods[i]}, NULL),
            405);
    }
    /* GET and HEAD must not change state, so /do refuses them */
    assert_int_equal(judge(NULL, (wsk_gate_request){.host = "localhost:9400", .path = "/do"}, NULL), 405);
    assert_int_equal(judge(NULL, (wsk_gate_request){.host = "localhost:9400", .path = "/do", .method = "HEAD"}, NULL),
                     405);
}

static int post(const char *origin, const char *site, const char *type)
{
    return judge(
        NULL,
        (wsk_gate_request){
            .host = "localhost:9400", .path = "/do", .method = "POST", .origin = origin, .site = site, .type = type},
        NULL);
}

static void test_no_other_site_steers(void **state)
{
    static const char json[] = "application/json";
    static const char *const origins[] = {"https://example.org",
                                          "http://localhost",
                                          "http://localhost:9401",
                                          "null",
                                          "",
                                          "https://localhost:9400",
                                          "http://127.0.0.1:9400",
                                          "http://localhost:9400.example.org"};
    static const char *const sites[] = {"cross-site", "same-site", ""};
    /* content types that a form on another site can send without permission, and types that are not JSON */
    static const char *const types[] = {NULL,
                                        "text/plain",
                                        "application/x-www-form-urlencoded",
                                        "multipart/form-data",
                                        "application/jsonx",
                                        "text/plain;application/json"};
    (void)state;
    /* A browser sends Origin with a POST, so a request without it comes from another program. */
    assert_int_equal(post(NULL, NULL, json), 200);
    assert_int_equal(post("http://localhost:9400", "same-origin", json), 200);
    assert_int_equal(post("http://localhost:9400", NULL, "application/json; charset=utf-8"), 200);
    assert_int_equal(post("http://localhost:9400", "none", "Application/JSON ; charset=utf-8"), 200);
    for (size_t i = 0; i < sizeof origins / sizeof *origins; i++)
        assert_int_equal(post(origins[i], NULL, json), 403);
    for (size_t i = 0; i < sizeof sites / sizeof *sites; i++)
        assert_int_equal(post("http://localhost:9400", sites[i], json), 403);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        assert_int_equal(post("http://localhost:9400", "same-origin", types[i]), 415);
}

static void test_forms(void **state)
{
    /* The first Accept header is that of Prometheus 2.42. */
    static const char *const open[] = {
        "application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,"
        "text/plain;version=0.0.4;q=0.5,*/*;q=0.1",
        "application/openmetrics-text",
        "text/plain;q=0.5, application/openmetrics-text; q=0.5",
        "application/openmetrics-text;   ",
        "application/openmetrics-text;quality=0",
        "application/openmetrics-text ; Q=1.0",
        "text/plain;q=0.1,application/openmetrics-text;q=0.5,application/openmetrics-text;q=0.01"};
    static const char *const text[] = {NULL,
                                       "",
                                       "*/*",
                                       "text/html,*/*",
                                       "text/plain;version=0.0.4",
                                       "application/openmetrics-text;q=0",
                                       "application/openmetrics-text;q=0.4,text/plain",
                                       "application/openmetrics-texts",
                                       "application/openmetrics-text;q=x",
                                       "application/openmetrics-text;q=-1",
                                       "application/openmetrics-text;q=2",
                                       "text/plain;q=0.9,text/plain;q=0.1,application/openmetrics-text;q=0.5",
                                       ",;,;q=,"};
    (void)state;
    for (size_t i = 0; i < sizeof open / sizeof *open; i++)
        assert_int_equal(wsk_gate_form(open[i]), WSK_METRICS_OPEN);
    for (size_t i = 0; i < sizeof text / sizeof *text; i++)
        assert_int_equal(wsk_gate_form(text[i]), WSK_METRICS_TEXT);
}

static void test_lines(void **state)
{
    (void)state;
    assert_true(wsk_gate_line("{\"do\": \"gpu0 lost\"}", 19));
    assert_true(wsk_gate_line("{}", 2));
    assert_false(wsk_gate_line("", 0));
    assert_false(wsk_gate_line("{", 1));
    assert_false(wsk_gate_line("{}\n{}", 5)); /* two JSON objects in one line */
    assert_false(wsk_gate_line("{\0}", 3));
    assert_false(wsk_gate_line("[]", 2));
    assert_false(wsk_gate_line("{} x", 4));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_addresses),
                                       cmocka_unit_test(test_hosts),
                                       cmocka_unit_test(test_port_of_http),
                                       cmocka_unit_test(test_tokens),
                                       cmocka_unit_test(test_paths_and_methods),
                                       cmocka_unit_test(test_no_other_site_steers),
                                       cmocka_unit_test(test_forms),
                                       cmocka_unit_test(test_lines)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
