/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: each line of the input is one part of a request, such as an address or a header; an empty line means
 * that the header is missing. */
#include <stdlib.h>
#include <string.h>

#include "cli/twin/gate.h"
#include "tests/fuzz/fuzz.h"

static void check_judged(const wsk_gate_request *r, const char *token)
{
    const wsk_gate gate = {.token = token, .port = 9400};
    wsk_gate_what what = WSK_GATE_PAGE;
    if (wsk_gate_judge(&gate, r, &what) != 200)
        return;
    if (!r->host || (token && !r->authorization) || r->path[0] != '/' || what > WSK_GATE_DO)
        abort();
    if ((what == WSK_GATE_DO) != (strcmp(r->method, "POST") == 0))
        abort();
    if (what == WSK_GATE_DO &&
        (!r->type || (r->origin && !strstr(r->origin, r->host) && strlen(r->origin) != strlen(r->host) + 7)))
        abort();
    if (!token && !strstr(r->host, ":9400"))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = wsk_fuzz_text(data, size), *part[7] = {NULL}, *at = text;
    wsk_gate_address address;
    for (int i = 0; i < 7 && at; i++) {
        char *end = strchr(at, '\n');
        if (end)
            *end = 0;
        part[i] = *at ? at : NULL;
        at = end ? end + 1 : NULL;
    }
    const wsk_gate_request request = {.method = part[0] ? part[0] : "GET",
                                      .path = part[1] ? part[1] : "/",
                                      .host = part[2],
                                      .origin = part[3],
                                      .site = part[4],
                                      .authorization = part[5],
                                      .type = part[6]};
    check_judged(&request, NULL);
    check_judged(&request, "0123456789abcdef");
    for (int i = 0; i < 7; i++)
        if (part[i]) {
            (void)wsk_gate_form(part[i]);
            (void)wsk_gate_token(part[i]);
            if (wsk_gate_listen(part[i], &address) && (address.port < 0 || address.port > 65535))
                abort();
        }
    if (wsk_gate_line((const char *)data, size) && (memchr(data, '\n', size) || memchr(data, 0, size)))
        abort();
    free(text);
    return 0;
}
