/* SPDX-License-Identifier: Apache-2.0 */
/* The kind of run that W&B (wandb) writes, offline or beside what it uploads:
 *
 *   DIR/wandb/run-DATE_TIME-ID/ or offline-run-DATE_TIME-ID/
 *     run-ID.wandb          everything: a log of records (wandb_log.h, wandb_record.c)
 *     files/config.yaml     the configuration of older versions
 *     files/output.log      what the program printed
 *     files/media/          images and the like (wandb_media.h)
 *   DIR/wandb/latest-run    a link to one of them
 *
 * A .wandb file is one run; a running one is written every few seconds. In the room: blocks to
 * records (wandb_log.h), records to calls of the sink (wandb_run.h), the file followed while it
 * grows (wandb_format.c), and runs found in a folder (wandb.c). */
#ifndef SM_WANDB_H
#define SM_WANDB_H

#include "reader/logs/log_kind.h"

#define SM_WANDB_ENDING ".wandb"
/* member: the run's file; NULL: the only one of the folder. */
extern const struct sm_log_format sm_wandb_format;
extern const struct sm_trial_kind sm_trial_kind_wandb;

#endif
