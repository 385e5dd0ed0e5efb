/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/trace/kernel_type.h"

#include <stdbool.h>
#include <string.h>

static bool begins(const char *name, const char *with)
{
    return strncmp(name, with, strlen(with)) == 0;
}

static bool is_communication(const char *name)
{
    return begins(name, "nccl") || begins(name, "hip") || begins(name, "hccl") ||
           strstr(name, "ncclKernel");
}

static bool is_memory(const char *name)
{
    return begins(name, "Memcpy") || begins(name, "Memset") || begins(name, "dma");
}

/* What is neither of these, and no call or wait of the runtime. */
static bool is_computation(const char *name)
{
    const char *launch = strstr(name, "LaunchKernel"), *cuda = strstr(name, "cuda");
    return !strstr(name, "Memcpy") && !strstr(name, "Memset") && !strstr(name, "dma") &&
           !strstr(name, "Sync") && !begins(name, "Stream Wait Event") &&
           !begins(name, "runFunction") && !(cuda && launch && cuda < launch);
}

enum sm_kernel_type sm_kernel_type_of(const char *name)
{
    return is_communication(name) ? SM_KERNEL_COMMUNICATION
           : is_memory(name)      ? SM_KERNEL_MEMORY
           : is_computation(name) ? SM_KERNEL_COMPUTATION
                                  : SM_KERNEL_OTHER;
}

const char *sm_kernel_type_name(enum sm_kernel_type t)
{
    static const char *const names[] = {"COMPUTATION", "COMMUNICATION", "MEMORY", "OTHER"};
    return names[t];
}
