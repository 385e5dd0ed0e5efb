/* SPDX-License-Identifier: Apache-2.0 */
/* Strings as Python's json.dumps writes them, for files that must equal smdebug's byte by byte. */
#ifndef SM_PYTHON_JSON_H
#define SM_PYTHON_JSON_H

#include "reader/base/str.h"

/* "..." with \" \\
 * \r \t \b \f, other controls and all non-ASCII as \uXXXX (surrogate pairs beyond the BMP). Invalid
 * UTF-8 becomes U+FFFD. */
void sm_python_string(struct sm_str *out, struct sm_text t);

#endif
