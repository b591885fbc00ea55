/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Start tags and attributes of XML as wsk_rig_resolved writes it. Not a parser: reads our own output only. */
#ifndef WSK_CLI_XML_H
#define WSK_CLI_XML_H
#include "cli/kit/cli.h"

/* The next start tag at or behind p, its length in *len; NULL: none. */
const char *wsk_xml_tag(const char *p, size_t *len);
bool wsk_xml_is(const char *tag, const char *element);
/* The attribute's value (it ends with a quote), or NULL. */
const char *wsk_xml_attribute(const char *tag, size_t len, const char *name);
/* Sum of an attribute's numbers over all tags of an element, each times its count; NAN where there is none. */
double wsk_xml_sum(const char *xml, const char *element, const char *name);

#endif
