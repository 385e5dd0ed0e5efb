/* SPDX-License-Identifier: Apache-2.0 */
/* What the path of a profile of Python (cProfile, pyinstrument) says: the file itself is not read.
 *
 *   framework/<framework>/<profiler>/<node>/<begin>_<end>/python_stats[.json|.html]
 *   begin, end: <mode>-<step>-<phase>-<microseconds>
 *   older: framework/<framework>/<profiler>/<begin us>_<end us>_<node>_<step>/python_stats */
#ifndef SM_PYTHON_NAME_H
#define SM_PYTHON_NAME_H

#include <stdbool.h>
#include <stdint.h>

enum { SM_PYTHON_WORD = 64 };
struct sm_python_moment {
    char mode[SM_PYTHON_WORD], phase[SM_PYTHON_WORD]; /* "": not said */
    int64_t step;                                     /* -1: not said */
    int64_t ns;                                       /* since 1970 */
};
struct sm_python_name {
    char profiler[SM_PYTHON_WORD], node[SM_PYTHON_WORD];
    struct sm_python_moment from, to;
};
/* False: the path is none of these. Words may hold any bytes. */
bool sm_python_name_read(const char *path, struct sm_python_name *out);

#endif
