/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/twin/request.h"
#include "tests/fuzz/fuzz.h"

static void check_order(const char *text)
{
    wsk_order order;
    if (!wsk_order_read(&order, text))
        return;
    if (!*order.target || strchr(order.target, ' ') || (order.event == WSK_ORDER_SET) != (*order.value != '\0') ||
        order.event > WSK_ORDER_LOST)
        abort();
    for (int dim = 0; dim < WSK_DIM_COUNT_; dim++) {
        double number[2] = {NAN, NAN};
        const int count = wsk_order_quantities(order.value, (wsk_dim)dim, number, 2);
        for (int i = 0; i < count; i++)
            if (!isfinite(number[i]))
                abort();
        if (count > 2)
            abort();
    }
}

static void check_request(const char *text, size_t size)
{
    wsk_request request;
    wsk_refusal refusal;
    if (!wsk_request_read(&request, text, size, &refusal)) {
        if (!*refusal.code || refusal.why.code >= WSK_SAY_COUNT_ || request.root)
            abort();
        return;
    }
    switch (request.kind) {
    case WSK_REQUEST_DO: check_order(request.text); break;
    case WSK_REQUEST_ADVANCE:
        if (!(request.number > 0 && request.number <= WSK_REQUEST_ADVANCE_S))
            abort();
        break;
    case WSK_REQUEST_READ:
        for (size_t i = 0; i < wsk_json_length(request.names); i++)
            if (!wsk_request_name(&request, i))
                abort();
        break;
    case WSK_REQUEST_SPEED:
        if (!(request.number > 0))
            abort();
        break;
    case WSK_REQUEST_LIST:
    case WSK_REQUEST_SCORE: break;
    }
    wsk_request_free(&request);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = wsk_fuzz_text(data, size);
    check_request(text, size);
    check_order(text);
    free(text);
    return 0;
}
