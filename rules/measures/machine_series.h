/* SPDX-License-Identifier: Apache-2.0 */
/* The series of a machine: of its cores and GPUs, of their means, and of the rest. Names are
 * compared without case, as those of agents differ. */
#ifndef SM_MACHINE_SERIES_H
#define SM_MACHINE_SERIES_H

#include "reader/profile/profile.h"

#define SM_SERIES_CPU        "CPUUtilization"
#define SM_SERIES_IO_WAIT    "I/OWaitPercentage"
#define SM_SERIES_GPU        "GPUUtilization"
#define SM_SERIES_GPU_MEMORY "GPUMemoryUtilization"

/* Whether a series has this type, name and dimension; type, name NULL: any. */
bool sm_series_is(const struct sm_metric_store *m, const struct sm_metric_series *s,
                  const char *type, const char *name, const char *dimension);
/* Whether it is of a single core or GPU, and has samples. */
bool sm_series_is_device(const struct sm_metric_store *m, const struct sm_metric_series *s,
                         const char *dimension);
/* The mean of a node's cores or GPUs at each tick; of one, that one itself. NULL: none. */
const struct sm_metric_series *sm_series_mean(const struct sm_metric_store *m, uint32_t node,
                                              const char *dimension);
/* The series of the same core or GPU in another dimension. NULL: none. */
const struct sm_metric_series *sm_series_beside(const struct sm_metric_store *m,
                                                const struct sm_metric_series *s,
                                                const char *dimension);
/* Whether the profile has cores or GPUs of this dimension. */
bool sm_series_has_devices(const struct sm_profile *p, const char *dimension);
/* Different names of cores or GPUs that have samples in [from, to), over all nodes. */
size_t sm_series_count_names(const struct sm_metric_store *m, const char *dimension,
                             int64_t from_ns, int64_t to_ns);

#endif
