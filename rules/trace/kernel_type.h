/* SPDX-License-Identifier: Apache-2.0 */
/* What work of a GPU is for, by its name, as HolisticTraceAnalysis has it. */
#ifndef SM_KERNEL_TYPE_H
#define SM_KERNEL_TYPE_H

enum sm_kernel_type {
    SM_KERNEL_COMPUTATION,
    SM_KERNEL_COMMUNICATION,
    SM_KERNEL_MEMORY,
    SM_KERNEL_OTHER,
    SM_KERNEL_TYPES
};
enum sm_kernel_type sm_kernel_type_of(const char *name);
const char *sm_kernel_type_name(enum sm_kernel_type t); /* "COMPUTATION" */

#endif
