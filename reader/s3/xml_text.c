/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/s3/xml_text.h"

#include <expat.h>
#include <string.h>

enum { DEPTH_MAX = 32 };

struct reading {
    XML_Parser parser;
    struct sm_str path, text;
    size_t starts[DEPTH_MAX]; /* where the path of the element around each ends */
    int depth;
    bool stopped;
    sm_xml_each *each;
    void *ctx;
    struct sm_err *err;
};

static void stop(struct reading *r)
{
    r->stopped = true;
    XML_StopParser(r->parser, XML_FALSE);
}

static void XMLCALL on_start(void *ctx, const XML_Char *name, const XML_Char **attributes)
{
    struct reading *r = ctx;
    (void)attributes;
    if (r->depth == DEPTH_MAX) {
        sm_err_set(r->err, SM_ERR_LIMIT, "XML deeper than %d elements", DEPTH_MAX);
        stop(r);
        return;
    }
    r->starts[r->depth++] = r->path.len;
    sm_str_add(&r->path, r->path.len ? "/" : "");
    sm_str_add(&r->path, name);
    sm_str_truncate(&r->text, 0);
}

static void XMLCALL on_end(void *ctx, const XML_Char *name)
{
    struct reading *r = ctx;
    (void)name;
    if (!r->each(r->ctx, sm_str_text(&r->path), sm_str_text(&r->text), r->err))
        stop(r);
    sm_str_truncate(&r->path, r->starts[--r->depth]);
    sm_str_truncate(&r->text, 0);
}

static void XMLCALL on_text(void *ctx, const XML_Char *text, int n)
{
    struct reading *r = ctx;
    sm_str_addn(&r->text, text, (size_t)n);
}

static void XMLCALL on_doctype(void *ctx, const XML_Char *name, const XML_Char *system_id,
                               const XML_Char *public_id, int internal)
{
    struct reading *r = ctx;
    (void)name, (void)system_id, (void)public_id, (void)internal;
    sm_err_set(r->err, SM_ERR_DATA, "XML with a document type");
    stop(r);
}

bool sm_xml_read(const char *xml, size_t n, sm_xml_each *each, void *ctx, struct sm_err *err)
{
    struct reading r = {.parser = XML_ParserCreate(NULL), .each = each, .ctx = ctx, .err = err};
    if (!r.parser)
        return sm_err_set(err, SM_ERR_MEMORY, "out of memory");
    XML_SetUserData(r.parser, &r);
    XML_SetElementHandler(r.parser, on_start, on_end);
    XML_SetCharacterDataHandler(r.parser, on_text);
    XML_SetStartDoctypeDeclHandler(r.parser, on_doctype);
    bool ok = XML_Parse(r.parser, xml, (int)n, 1) == XML_STATUS_OK;
    if (!ok && !r.stopped)
        sm_err_set(err, SM_ERR_DATA, "offset %lu: XML: %s",
                   (unsigned long)XML_GetCurrentByteIndex(r.parser),
                   XML_ErrorString(XML_GetErrorCode(r.parser)));
    XML_ParserFree(r.parser);
    sm_str_clear(&r.path);
    sm_str_clear(&r.text);
    return ok;
}
