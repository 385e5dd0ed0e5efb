/* SPDX-License-Identifier: Apache-2.0 */
/* Which files of a folder are checkpoints or dumps, of which step, and of which worker.
 *
 *   checkpoint-10/model.safetensors              Hugging Face
 *   checkpoints/epoch=0-step=4.ckpt              Lightning
 *   iter_0000005/mp_rank_01/model_optim_rng.pt   Megatron: worker rank_1
 *   global_step2/zero_pp_rank_1_mp_rank_00_optim_states.pt   DeepSpeed: worker rank_1
 *   step-10/.metadata, step-10/__0_0.distcp      torch.distributed.checkpoint: put together
 *   step0/rank0/dump.json, .../dump_tensor_data  msProbe
 *   rank_0/iter_000002/LAYER_weight.pt           TransformerEngine
 *   step_100/grad.npy, step_0010.npz             numpy
 *   lora-000004.safetensors, G_1000.pth          a number at the end
 *   model.safetensors                            no step in any name
 *
 * The room reader/checkpoints is a kind of trial: folders of files of tensors (reader/tensor_files)
 * that a training saved. ckpt_read.h reads those of one step and worker, ckpt_names.h names their
 * tensors, ckpt_optimizer.h the state of an optimizer, ckpt_source.h reads elements.
 *
 * A step is the number after "step", "iter", "checkpoint", "ckpt" or "epoch" in the name of a file
 * or of the outermost folder that has one, or a folder that is a number. */
#ifndef SM_CKPT_LAYOUT_H
#define SM_CKPT_LAYOUT_H

#include "reader/checkpoints/ckpt_folder.h"
#include "reader/kind/run_folder.h"

/* The step in a name, and where it stands: from its keyword to its last digit. */
struct sm_ckpt_step {
    int64_t n;
    size_t from, to;
};
bool sm_ckpt_step_of(const char *name, size_t n, struct sm_ckpt_step *out);
/* The same of the name of a file without its ending; there, a number of three digits or more at the
 * end is a step, too: "lora-000004", "G_1000". */
bool sm_ckpt_step_of_file(const char *name, size_t n, struct sm_ckpt_step *out);
/* Appends the name of the worker that a folder is of: "rank_1" for "mp_rank_01" and "rank1". */
bool sm_ckpt_worker_of(const char *folder, struct sm_str *out);
/* The same of a file: "rank_1" for "consolidated.01.pth" and
 * "zero_pp_rank_1_mp_rank_00_optim_states.pt" (DeepSpeed), "rank_1_2" where the second number is
 * not 0. */
bool sm_ckpt_worker_of_file(const char *name, struct sm_str *out);
/* Whether checkpoints may lie in a folder of this name, by a step, a worker, or such a word as
 * "checkpoints" in it. */
bool sm_ckpt_is_entered(const char *folder);
/* Whether a folder has this name until it is whole, as those of Hugging Face's Trainer:
 * "tmp-checkpoint-10", "step_10.tmp". */
bool sm_ckpt_is_temporary(const char *name);
/* Whether a file of this name may have tensors, or says which files have them. */
bool sm_ckpt_is_name(const char *name);

struct sm_ckpt_item {
    char *path; /* relative to the source */
    struct sm_stat st;
};
enum { SM_CKPT_NO_STEP = -1 };
/* What one worker saved at one step. */
struct sm_ckpt_group {
    int64_t step;               /* NO_STEP: no name says it */
    char *worker;               /* "" if none is named */
    struct sm_ckpt_item *items; /* in natural order of paths */
    size_t n, cap;
};
enum { SM_CKPT_LEFT_NAMED = 8 };
struct sm_ckpt_layout {
    struct sm_ckpt_group *groups; /* by step, then worker */
    size_t n, cap;
    struct sm_names *index; /* of groups, by "STEP WORKER" */
    size_t n_items;
    /* Files without a step beside others that have one: all are counted, the first ones named. */
    char *left[SM_CKPT_LEFT_NAMED];
    size_t n_left;
    bool failed; /* no memory */
    bool cut;    /* there are more files than SM_CKPT_FILES_MAX */
};
enum { SM_CKPT_FILES_MAX = 200000 };
/* Looks at the folder ("" is the root), or at one file in it. Folders that cannot be read are
 * passed over. What is known of folders is taken from there; the caller begins with it. Begin with
 * {0}; clear in any case. */
void sm_ckpt_layout_scan(struct sm_source *files, const char *folder, const char *only,
                         struct sm_ckpt_folders *folders, struct sm_ckpt_layout *out);
void sm_ckpt_layout_clear(struct sm_ckpt_layout *l);

/* Whether the folder has any such file, without looking at more than a few folders in it. */
bool sm_ckpt_layout_is_folder(struct sm_source *files, const char *folder);

#endif
