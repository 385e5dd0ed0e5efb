/* Saving the tensors of a training run, so that smdbg-tui can watch and question it.
 *
 *     smdbg_hook *hook = smdbg_hook_new("./debug-output");
 *     smdbg_hook_set(hook, "save_interval", "100");
 *     smdbg_collection_set(hook, "relu", "include_regex", "relu.*_output");
 *     for (...) {
 *         smdbg_hook_step(hook, SMDBG_TRAIN);            a forward pass begins
 *         ...
 *         if (smdbg_hook_wants(hook, "conv0_weight"))
 *             smdbg_hook_save(hook, "conv0_weight", SMDBG_FLOAT32, 4, shape, NULL, data);
 *         smdbg_hook_scalar(hook, "accuracy", accuracy);
 *     }
 *     smdbg_hook_close(hook);
 *
 * The caller's thread decides and copies (or reduces); a thread of the hook writes. The hook never
 * prints, exits or touches signals. What cannot be written is counted, told once by the next call's
 * -1 and by smdbg_hook_error, and the training goes on. All functions but new and close may be
 * called from several threads. After a fork only the parent may use a hook.
 *
 * Functions that return int: 0 all right (also when nothing was to be saved), -1 see
 * smdbg_hook_error. Without a hook (NULL, as new gives it when there is no memory) they save
 * nothing and return -1. */
#ifndef SMDBG_HOOK_H
#define SMDBG_HOOK_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define SMDBG_API __attribute__((visibility("default")))
#else
#define SMDBG_API
#endif

typedef struct smdbg_hook smdbg_hook;

typedef enum { SMDBG_TRAIN = 1, SMDBG_EVAL = 2, SMDBG_PREDICT = 3, SMDBG_GLOBAL = 4 } smdbg_mode;

typedef enum {
    SMDBG_FLOAT16 = 1,
    SMDBG_BFLOAT16,
    SMDBG_FLOAT32,
    SMDBG_FLOAT64,
    SMDBG_INT8,
    SMDBG_INT16,
    SMDBG_INT32,
    SMDBG_INT64,
    SMDBG_UINT8,
    SMDBG_UINT16,
    SMDBG_UINT32,
    SMDBG_UINT64,
    SMDBG_BOOL,
    SMDBG_COMPLEX64,
    SMDBG_COMPLEX128
} smdbg_dtype;

enum { SMDBG_DIMS_MAX = 32 };

/* A hook that writes into out_dir (made when something is saved). The worker's rank and the number
 * of workers are taken from RANK and WORLD_SIZE, OMPI_COMM_WORLD_RANK and _SIZE, or SLURM_PROCID
 * and SLURM_NTASKS; otherwise there is one, worker_0. NULL: no memory. */
SMDBG_API smdbg_hook *smdbg_hook_new(const char *out_dir);
/* A hook as SageMaker's JSON configures it. path NULL: $SMDEBUG_CONFIG_FILE_PATH, else
 * /opt/ml/input/config/debughookconfig.json. A file that cannot be read gives a hook that saves
 * nothing and says why in smdbg_hook_error. NULL: no memory. */
SMDBG_API smdbg_hook *smdbg_hook_from_config(const char *path);

/* Before the first step. Names and values are those of SageMaker's HookParameters: save_interval,
 * save_steps ("1,2,17"), start_step, end_step (the first step that is not saved), each also with
 * train. eval. predict. or global. in front; reductions ("min,abs_max,l1_norm"), save_raw_tensor,
 * save_shape, save_histogram, include_regex, save_all, dry_run, include_workers ("one", "all"),
 * export_tensorboard, tensorboard_dir (the trial's "tensorboard"). Also: rank, world_size, worker
 * (a name), queue_bytes (256 Mi), when_full ("block", "drop"). */
SMDBG_API int smdbg_hook_set(smdbg_hook *h, const char *name, const char *value);
/* The same of one collection, made if it is new; what it does not say holds as for the hook.
 * Tensors belong to it by include_regex (Python's re, searched; several separated by commas) or by
 * name. Built in: all, default, weights, biases, gradients, losses, metrics, outputs, inputs,
 * layers, optimizer_variables. Only collections that were set are saved, and losses always. */
SMDBG_API int smdbg_collection_set(smdbg_hook *h, const char *collection, const char *name,
                                   const char *value);
SMDBG_API int smdbg_collection_save(smdbg_hook *h, const char *collection); /* as it is */
SMDBG_API int smdbg_collection_add(smdbg_hook *h, const char *collection, const char *tensor);

/* A new step of the mode begins; the one before is complete and will be written. Steps count from
 * 0, over all modes and within each. */
SMDBG_API int smdbg_hook_step(smdbg_hook *h, smdbg_mode mode);
/* The same with numbers of the caller's own, for a job that goes on: step over all modes, and of
 * the mode. */
SMDBG_API int smdbg_hook_step_at(smdbg_hook *h, smdbg_mode mode, int64_t step, int64_t mode_step);

/* 1: this tensor would be saved at this step; 0: it would not. NULL: whether any might be. Costs
 * less than a tenth of a microsecond. */
SMDBG_API int smdbg_hook_wants(smdbg_hook *h, const char *tensor);
/* Saves what the tensor's collections want of it at this step: value, reductions, shape. strides
 * are in bytes, NULL: C order. Empty tensors are left out. data may change as soon as this returns.
 */
SMDBG_API int smdbg_hook_save(smdbg_hook *h, const char *tensor, smdbg_dtype dtype, unsigned n_dims,
                              const int64_t *shape, const int64_t *strides, const void *data);
/* n strings in UTF-8, copied; saved as they are, whatever reductions say. */
SMDBG_API int smdbg_hook_save_strings(smdbg_hook *h, const char *tensor, size_t n,
                                      const char *const *strings);
/* A number, saved as "scalar/NAME" with this step, or with the next that is saved. */
SMDBG_API int smdbg_hook_scalar(smdbg_hook *h, const char *name, double value);
/* The same, and in a job of SageMaker's (TRAINING_JOB_NAME is set) also a line for it in
 * $SAGEMAKER_METRICS_DIRECTORY. Losses and metrics, their means, are written there by themselves.
 */
SMDBG_API int smdbg_hook_metric(smdbg_hook *h, const char *name, double value);

/* Waits until everything up to here is in the kernel's hands. */
SMDBG_API int smdbg_hook_flush(smdbg_hook *h);
/* Ends the step, writes all and the end marker, frees. -1: something was not written; then it is
 * too late to ask what. */
SMDBG_API int smdbg_hook_close(smdbg_hook *h);

/* The last complaint; "" if there is none. Valid until the same thread calls this function again.
 */
SMDBG_API const char *smdbg_hook_error(smdbg_hook *h);
typedef struct {
    uint64_t tensors, steps, bytes; /* written whole, with their index */
    uint64_t dropped, errors;       /* tensors left out as the queue was full; failures */
} smdbg_counts;
SMDBG_API void smdbg_hook_counts(smdbg_hook *h, smdbg_counts *out);

#ifdef __cplusplus
}
#endif

#endif
