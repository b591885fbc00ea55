/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decides which requests the HTTP server of a twin answers. It refuses a command from a page of another site: its
 * Origin differs, and browsers send JSON to another site only with a permission (CORS), which this server never gives.
 * It refuses an attacker's domain name that resolves to this machine (DNS rebinding): its Host differs, or the token is
 * missing. If the server has a token, it refuses each request without the token. */
#include "cli/twin/gate.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "sim/base/base.h"

static bool read_port(const char *text, int *port)
{
    *port = 0;
    for (const char *c = text; *c; c++) {
        if (*c < '0' || *c > '9' || c - text > 4)
            return false;
        *port = *port * 10 + (*c - '0');
    }
    return *text && *port <= 65535;
}

bool wsk_gate_listen(const char *text, wsk_gate_address *out)
{
    char host[64] = "127.0.0.1";
    const char *colon = strrchr(text, ':');
    *out = (wsk_gate_address){.family = AF_INET, .text = text};
    if (!read_port(colon ? colon + 1 : text, &out->port))
        return false;
    if (colon) {
        const char *from = text;
        size_t len = (size_t)(colon - text);
        if (len >= 2 && text[0] == '[' && colon[-1] == ']') {
            out->family = AF_INET6;
            from++;
            len -= 2;
        }
        if (!len || len >= sizeof host)
            return false;
        memcpy(host, from, len);
        host[len] = 0;
        if (strcmp(host, "localhost") == 0)
            snprintf(host, sizeof host, "127.0.0.1");
    }
    if (inet_pton(out->family, host, out->address) != 1)
        return false;
    static const unsigned char one[16] = {[15] = 1};
    out->loopback = out->family == AF_INET ? out->address[0] == 127 : memcmp(out->address, one, sizeof one) == 0;
    return true;
}

bool wsk_gate_token(const char *text)
{
    const size_t len = strlen(text);
    for (size_t i = 0; i < len; i++)
        if (text[i] <= ' ' || text[i] >= 0x7f)
            return false;
    return len >= 16 && len <= 256;
}

/* The time that this comparison takes does not depend on where the texts differ, so that response times do not reveal
 * the secret. */
static bool same_secret(const char *a, size_t len, const char *b)
{
    const size_t expected = strlen(b);
    unsigned differ = len != expected;
    for (size_t i = 0; i < len; i++)
        differ |= (unsigned)(unsigned char)a[i] ^ (unsigned)(unsigned char)b[expected ? i % expected : 0];
    return !differ;
}

static int base64_digit(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : -1;
}

static size_t decode(const char *text, char *out, size_t size)
{
    unsigned bits = 0;
    int held = 0;
    size_t len = 0;
    for (; *text && *text != '='; text++) {
        const int digit = base64_digit(*text);
        if (digit < 0)
            return 0;
        bits = (bits << 6 | (unsigned)digit) & 0xffff;
        held += 6;
        if (held >= 8) {
            held -= 8;
            if (len == size)
                return 0;
            out[len++] = (char)(bits >> held & 0xff);
        }
    }
    return text[strspn(text, "=")] ? 0 : len;
}

/* Does the header Authorization carry the token? Either as "Bearer TOKEN", which Prometheus sends, or as the password
 * of "Basic", which browsers send. */
static bool has_token(const char *authorization, const char *token)
{
    char plain[512];
    if (!authorization)
        return false;
    if (strncasecmp(authorization, "Bearer ", 7) == 0)
        return same_secret(authorization + 7, strlen(authorization + 7), token);
    if (strncasecmp(authorization, "Basic ", 6) != 0)
        return false;
    const size_t len = decode(authorization + 6, plain, sizeof plain);
    const char *colon = memchr(plain, ':', len);
    return colon && same_secret(colon + 1, len - (size_t)(colon + 1 - plain), token);
}

static bool is_here(const char *host, int port)
{
    static const char *const names[] = {"127.0.0.1", "localhost", "[::1]"};
    char named[48];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(named, sizeof named, "%s:%d", names[i], port);
        if (strcasecmp(host, named) == 0 || (port == 80 && strcasecmp(host, names[i]) == 0))
            return true;
    }
    return false;
}

static bool from_own_page(const wsk_gate_request *r)
{
    if (r->site && strcmp(r->site, "same-origin") != 0 && strcmp(r->site, "none") != 0)
        return false;
    return !r->origin || (strncasecmp(r->origin, "http://", 7) == 0 && strcasecmp(r->origin + 7, r->host) == 0);
}

static bool is_json(const char *type)
{
    static const char json[] = "application/json";
    const size_t len = sizeof json - 1;
    return type && strncasecmp(type, json, len) == 0 && (type[len] == 0 || type[len] == ';' || type[len] == ' ');
}

int wsk_gate_judge(const wsk_gate *gate, const wsk_gate_request *r, wsk_gate_what *what)
{
    static const char *const paths[] = {
        [WSK_GATE_PAGE] = "/",     [WSK_GATE_STYLE] = "/page.css",  [WSK_GATE_SCRIPT] = "/page.js",
        [WSK_GATE_LIVE] = "/live", [WSK_GATE_METRICS] = "/metrics", [WSK_GATE_DO] = "/do"};
    const size_t count = sizeof paths / sizeof *paths;
    size_t i = 0;
    if (!r->host || !*r->host)
        return 400;
    if (gate->token && !has_token(r->authorization, gate->token))
        return 401;
    if (!gate->token && !is_here(r->host, gate->port))
        return 403;
    while (i < count && strcmp(r->path, paths[i]) != 0)
        i++;
    if (i == count)
        return 404;
    *what = (wsk_gate_what)i;
    const bool read = strcmp(r->method, "GET") == 0 || strcmp(r->method, "HEAD") == 0;
    if (i == WSK_GATE_DO ? strcmp(r->method, "POST") != 0 : !read)
        return 405;
    if (i != WSK_GATE_DO)
        return 200;
    if (!from_own_page(r))
        return 403;
    return is_json(r->type) ? 200 : 415;
}

/* The weight q of one entry of the header Accept, `len` bytes; 1 if the entry states none. */
static double weight(const char *part, size_t len)
{
    for (size_t i = 0; i + 2 < len; i++)
        if (part[i] == ';') {
            size_t at = i + 1;
            while (at < len && part[at] == ' ')
                at++;
            if (at + 2 < len && (part[at] == 'q' || part[at] == 'Q') && part[at + 1] == '=') {
                char digits[8] = "";
                const char *end;
                double q;
                const size_t n = len - at - 2 < sizeof digits - 1 ? len - at - 2 : sizeof digits - 1;
                memcpy(digits, part + at + 2, n);
                return wsk_parse_number(digits, &end, &q) && q >= 0 && q <= 1 ? q : 0;
            }
        }
    return 1;
}

static bool is_type(const char *part, size_t len, const char *type)
{
    const size_t n = strlen(type);
    return len >= n && strncasecmp(part, type, n) == 0 && (len == n || part[n] == ';' || part[n] == ' ');
}

wsk_metrics_form wsk_gate_form(const char *accept)
{
    double open = 0, text = 0;
    for (const char *part = accept; part && *part;) {
        part += strspn(part, " ,\t");
        const size_t len = strcspn(part, ",");
        const double q = weight(part, len);
        if (is_type(part, len, "application/openmetrics-text"))
            open = q > open ? q : open;
        else if (is_type(part, len, "text/plain"))
            text = q > text ? q : text;
        part += len;
    }
    return open > 0 && open >= text ? WSK_METRICS_OPEN : WSK_METRICS_TEXT;
}

bool wsk_gate_line(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if ((unsigned char)text[i] < 0x20)
            return false;
    return len > 1 && text[0] == '{' && text[len - 1] == '}';
}
