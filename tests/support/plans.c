/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/plans.h"

#include <string.h>

#include "tests/unit/assert.h"

wsk_plan *wsk_test_plan(wsk_plan_input in, const char *text, wsk_status expect)
{
    wsk_plan *plan = NULL;
    in.path = "rig.xml";
    in.text = text;
    in.text_len = strlen(text);
    const wsk_status status = wsk_plan_load(&plan, &in);
    if (status != expect)
        fail_msg("%s: status %d: %s", in.set_count ? in.sets[0] : text, status,
                 plan && plan->diags.count ? plan->diags.items[0].message : "no message");
    return plan;
}

const wsk_elem *wsk_test_find(const wsk_elem *e, const char *element)
{
    const wsk_elem *found = strcmp(e->kind->element, element) == 0 ? e : NULL;
    for (const wsk_elem *c = e->child; c && !found; c = c->next)
        found = wsk_test_find(c, element);
    return found;
}

int wsk_test_count(const wsk_elem *e, const char *element)
{
    int n = strcmp(e->kind->element, element) == 0;
    for (const wsk_elem *c = e->child; c; c = c->next)
        n += wsk_test_count(c, element);
    return n;
}

bool wsk_test_plan_says(const wsk_plan *plan, const char *words)
{
    for (size_t i = 0; i < plan->diags.count; i++)
        if (strstr(plan->diags.items[i].message, words))
            return true;
    return false;
}
