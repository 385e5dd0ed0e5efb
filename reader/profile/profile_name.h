/* SPDX-License-Identifier: Apache-2.0 */
/* What the names of the files of a profiler's tree say. */
#ifndef SM_PROFILE_NAME_H
#define SM_PROFILE_NAME_H

#include "reader/base/str.h"
#include "reader/profile/pevents.h"

struct sm_profile_name {
    bool metrics, temporary; /* metrics: else a timeline */
    enum sm_pevents_kind kind;
    int64_t order_us;    /* 0 of a temporary file */
    struct sm_text node; /* in the name */
};
/* path: its last part is the name; a timeline that is not temporary is one only below pevents/.
 * in_system: the file is below system/, else below framework/. False: no file of the profiler's. */
bool sm_profile_name_read(const char *path, bool in_system, struct sm_profile_name *out);
/* "<node>_<start_us>_<end_us>.metadata" */
bool sm_profile_metadata_read(const char *name, struct sm_text *node, int64_t *start_us);
/* How a node is called: "151-algo-1", which is a process on algo-1, becomes "algo-1-151". */
void sm_profile_node_name(struct sm_text node, struct sm_str *out);
/* Whether two names are of one machine: "algo-1" and "algo-1-151". */
bool sm_profile_same_node(const char *system, const char *framework);

#endif
