/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rigs given as text, loaded into a plan. */
#ifndef WSK_TEST_PLANS_H
#define WSK_TEST_PLANS_H
#include "sim/io/load.h"

/* Loads the text as rig.xml and fails the test on another status. Caller frees the plan. */
wsk_plan *wsk_test_plan(wsk_plan_input in, const char *text, wsk_status expect);
/* First element of this name, e itself among them, or NULL. */
const wsk_elem *wsk_test_find(const wsk_elem *e, const char *element);
/* Number of elements of this name, e itself among them. */
int wsk_test_count(const wsk_elem *e, const char *element);
/* True if a message of the plan has these words. */
bool wsk_test_plan_says(const wsk_plan *plan, const char *words);
#endif
