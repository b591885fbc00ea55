/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Replaces libxml2's SAX2.c, which builds a tree of the document. The engine's XML reader (sim/io/doc.c) uses its own
 * handlers, so the tree builder would only make the page larger. xmlSAXVersion only marks a handler as initialized,
 * and the other functions do nothing: sim/io/scan.c rejects declarations of types and entities before the parser
 * starts. */
#include <libxml/SAX2.h>
#include <libxml/parser.h>

int xmlSAXVersion(xmlSAXHandler *handler, int version)
{
    (void)version;
    *handler = (xmlSAXHandler){.initialized = XML_SAX2_MAGIC};
    return 0;
}

void xmlDefaultSAXHandlerInit(void) {}

void xmlSAX2IgnorableWhitespace(void *ctx, const xmlChar *text, int len)
{
    (void)ctx, (void)text, (void)len;
}

xmlEntityPtr xmlSAX2GetEntity(void *ctx, const xmlChar *name)
{
    (void)ctx, (void)name;
    return NULL;
}

void xmlSAX2EntityDecl(void *ctx, const xmlChar *name, int type, const xmlChar *public_id, const xmlChar *system_id,
                       xmlChar *content)
{
    (void)ctx, (void)name, (void)type, (void)public_id, (void)system_id, (void)content;
}

const xmlChar *xmlSAX2GetPublicId(void *ctx)
{
    (void)ctx;
    return NULL;
}

const xmlChar *xmlSAX2GetSystemId(void *ctx)
{
    (void)ctx;
    return NULL;
}

int xmlSAX2GetLineNumber(void *ctx)
{
    (void)ctx;
    return 0;
}

int xmlSAX2GetColumnNumber(void *ctx)
{
    (void)ctx;
    return 0;
}
