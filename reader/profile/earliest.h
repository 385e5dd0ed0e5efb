/* SPDX-License-Identifier: Apache-2.0 */
/* The earliest time of what was added since a version: so that those who have looked at a range of
 * time see that something came late. A few numbers are kept: with many the answer may be earlier
 * than it is, by little. */
#ifndef SM_EARLIEST_H
#define SM_EARLIEST_H

#include <stddef.h>
#include <stdint.h>

enum { SM_EARLIEST_ITEMS = 512 };
/* Zero-initialised it is empty. Versions and times both ascend. */
struct sm_earliest {
    struct {
        uint64_t version;
        int64_t ns;
    } items[SM_EARLIEST_ITEMS];
    size_t n;
};
/* Something of this time was added, which makes the version that. */
void sm_earliest_add(struct sm_earliest *x, uint64_t version, int64_t ns);
/* Of what was added after the version; INT64_MAX: nothing. */
int64_t sm_earliest_since(const struct sm_earliest *x, uint64_t version);

#endif
