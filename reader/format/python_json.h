/* Strings as Python's json.dumps writes them, for files that are compared byte by byte with the
 * original's. */
#ifndef SM_PYTHON_JSON_H
#define SM_PYTHON_JSON_H

#include "reader/base/str.h"

/* "..." with \" \\ \n \r \t \b \f, other controls and all non-ASCII as \uXXXX (surrogate pairs
 * beyond the BMP). Bytes that are not UTF-8 become U+FFFD. */
void sm_python_string(struct sm_str *out, struct sm_text t);

#endif
