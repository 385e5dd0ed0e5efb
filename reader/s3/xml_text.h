/* SPDX-License-Identifier: Apache-2.0 */
/* Texts of the elements of an XML document, by libexpat: what servers of S3 and STS answer. */
#ifndef SM_XML_TEXT_H
#define SM_XML_TEXT_H

#include "reader/base/err.h"
#include "reader/base/str.h"

/* Called for each element that has no element in it, and, with text "", at the end of those that
 * have. path: names from the root, joined by '/': "ListBucketResult/Contents/Key". False stops,
 * with what it has set in err. */
typedef bool sm_xml_each(void *ctx, const char *path, const char *text, struct sm_err *err);
/* Documents with a definition of entities are refused, and those deeper than 32. SM_ERR_DATA with
 * the offset. */
bool sm_xml_read(const char *xml, size_t n, sm_xml_each *each, void *ctx, struct sm_err *err);

#endif
