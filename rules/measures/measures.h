/* SPDX-License-Identifier: Apache-2.0 */
/* What a profile says of its machines and of its loop, defined once: for the rules of the profile
 * (rules/profiler) and for the verdict of speed (rules/speed).
 *
 * Which series are those of cores and GPUs (machine_series.h), what an event is to the loop of a
 * training (loop_event.h), and what the arguments of a data loader say (loader_arguments.h). Limits
 * are not here: the rules have those of their definitions, the causes their own (doc/verdict.md).
 */
#ifndef SM_MEASURES_H
#define SM_MEASURES_H

#include "rules/measures/loader_arguments.h"
#include "rules/measures/loop_event.h"
#include "rules/measures/machine_series.h"

#endif
