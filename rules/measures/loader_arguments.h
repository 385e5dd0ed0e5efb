/* SPDX-License-Identifier: Apache-2.0 */
/* The arguments of a data loader, from the event with which it begins: JSON, or a dictionary as
 * Python prints it. */
#ifndef SM_LOADER_ARGUMENTS_H
#define SM_LOADER_ARGUMENTS_H

#include "reader/profile/profile.h"

struct sm_loader_arguments {
    int64_t num_workers; /* -1: not said */
    bool pin_memory;
    int64_t prefetch; /* batches that each of its processes makes ahead; -1: not said */
};
/* detail: sm_profile_event.detail, a name or NONE. */
struct sm_loader_arguments sm_loader_arguments_read(const struct sm_names *names, uint32_t detail);

#endif
