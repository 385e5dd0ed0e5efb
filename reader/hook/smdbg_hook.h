/* SPDX-License-Identifier: Apache-2.0 */
/* Saves the tensors of a training run as a trial that smdbg-tui and the original library can read.
 *
 *     smdbg_hook *hook = smdbg_hook_new("./debug-output");
 *     smdbg_hook_set(hook, "save_interval", "100");
 *     smdbg_collection_set(hook, "relu", "include_regex", "relu.*_output");
 *     for (...) {
 *         smdbg_hook_step(hook, SMDBG_TRAIN);            a forward pass starts
 *         ...
 *         if (smdbg_hook_wants(hook, "conv0_weight"))
 *             smdbg_hook_save(hook, "conv0_weight", SMDBG_FLOAT32, 4, shape, NULL, data);
 *         smdbg_hook_scalar(hook, "accuracy", accuracy);
 *     }
 *     smdbg_hook_close(hook);
 *
 * The caller's thread decides what is saved and copies or reduces it; a thread of the hook writes
 * the files. The hook never prints, exits or changes signal handlers. Write errors do not stop the
 * training: they are counted, the next call returns -1, and smdbg_hook_error has the message. All
 * functions except new and close may be called from several threads. In a forked child, and in a
 * signal handler that has interrupted another call of the hook, they do nothing and return -1; a
 * child may make a hook of its own.
 *
 * Functions that return int: 0 on success (also when nothing had to be saved), -1 on error. With
 * NULL for the hook (smdbg_hook_new returns NULL when out of memory) they save nothing and return
 * -1. NULL, an empty name, text that is not UTF-8, and a shape that cannot be are errors, too; an
 * error while saving loses that value only. */
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

/* Creates a hook that writes into out_dir. The directory and its parents are created at once. If
 * that fails, if no file may be made there, or with NULL or "", the hook saves nothing,
 * smdbg_hook_error has the reason, and errno is not 0; else it is 0. Rank and number of
 * workers are read from RANK and WORLD_SIZE, OMPI_COMM_WORLD_RANK and _SIZE, or SLURM_PROCID and
 * SLURM_NTASKS; without them there is one worker, worker_0. Returns NULL when out of memory. */
SMDBG_API smdbg_hook *smdbg_hook_new(const char *out_dir);
/* Creates a hook from SageMaker's JSON configuration. path NULL: $SMDEBUG_CONFIG_FILE_PATH, else
 * /opt/ml/input/config/debughookconfig.json. If the file cannot be read, the hook saves nothing and
 * smdbg_hook_error has the reason. Returns NULL when out of memory. */
SMDBG_API smdbg_hook *smdbg_hook_from_config(const char *path);

/* Changes a setting; only before the first step. Names and values are those of SageMaker's
 * HookParameters: save_interval, save_steps ("1,2,17"), start_step, end_step (the first step that
 * is not saved), each also with the prefix train. eval. predict. or global.; reductions
 * ("min,abs_max,l1_norm"), save_raw_tensor, save_shape, save_histogram, include_regex, save_all,
 * dry_run, include_workers ("one", "all"), export_tensorboard, tensorboard_dir (default: the
 * folder tensorboard of the trial). Also: rank, world_size, worker (a name), queue_bytes (256 Mi),
 * when_full ("block", "drop"); share_event_files (steps that hold only single elements, such as
 * reductions, have no event file of their own but share files of 16 KiB, as numbers do); if_exists,
 * what to do if the directory holds a run: "error" (the default), "new" (take out_dir-2, out_dir-3,
 * ...; smdbg_hook_dir says which), "overwrite" (remove that run), "resume" (continue its step
 * numbers). Without if_exists a job goes on in its directory if its checkpoints say so, or if its
 * first step is smdbg_hook_step_at with a number above 0. system_monitor_interval_millis (100 to
 * 60000; 0: not) records the machine into the folder profiler-output of the trial until the process
 * ends, by "smdbg-tui sample", whose path is $SMDBG_TUI if it is not in $PATH. */
SMDBG_API int smdbg_hook_set(smdbg_hook *h, const char *name, const char *value);
/* Changes a setting of one collection, which is created if it does not exist. Settings that a
 * collection does not have come from the hook. A tensor belongs to a collection by include_regex
 * (Python's re.search; several, separated by commas; "" removes those it has) or by name. Built in:
 * all, default, weights, biases, gradients, losses, metrics, outputs, inputs, layers,
 * optimizer_variables. Only losses, default and the collections that the program or the
 * configuration names are saved. A tensor of no collection that is given to smdbg_hook_save gets
 * into default; while the program has named no collection, so does every tensor. */
SMDBG_API int smdbg_collection_set(smdbg_hook *h, const char *collection, const char *name,
                                   const char *value);
/* Saves a collection with its present settings. */
SMDBG_API int smdbg_collection_save(smdbg_hook *h, const char *collection);
/* Adds a tensor to a collection by name, and saves the collection. After the first step only if the
 * collection is saved already. */
SMDBG_API int smdbg_collection_add(smdbg_hook *h, const char *collection, const char *tensor);

/* Takes the directory, as the first step does otherwise: locks it until the hook is closed or the
 * process dies, and does what if_exists says. -1: nothing will be saved; errno is EEXIST if there
 * is a run, EBUSY if another process, or another hook, writes there. A worker that does not write
 * does nothing. */
SMDBG_API int smdbg_hook_open(smdbg_hook *h);
/* The directory that is written; with if_exists "new" known after smdbg_hook_open or the first
 * step. Valid until the hook is opened or closed. */
SMDBG_API const char *smdbg_hook_dir(smdbg_hook *h);
/* Starts a new step of the mode; the previous step is complete and will be written. Steps are
 * counted from 0, over all modes and for each mode. */
SMDBG_API int smdbg_hook_step(smdbg_hook *h, smdbg_mode mode);
/* The same with the caller's step numbers (over all modes, and of the mode), for a job that
 * continues an earlier one. */
SMDBG_API int smdbg_hook_step_at(smdbg_hook *h, smdbg_mode mode, int64_t step, int64_t mode_step);

/* The number that smdbg_hook_step gives the next step of the mode, or with 0 the next one of all
 * modes: above 0 in a run that goes on, once its directory is taken. */
SMDBG_API int64_t smdbg_hook_next_step(smdbg_hook *h, int mode);

/* Returns 1 if this tensor would be saved at this step, else 0. tensor NULL: whether any tensor may
 * be saved. Takes less than 0.1 microseconds. */
SMDBG_API int smdbg_hook_wants(smdbg_hook *h, const char *tensor);
/* Saves the value, reductions or shape of a tensor, as its collections require at this step. Before
 * the first step it is an error, which is reported once.
 * strides are in bytes; NULL: C order. Empty tensors are not saved. data may change as soon as the
 * call returns. */
SMDBG_API int smdbg_hook_save(smdbg_hook *h, const char *tensor, smdbg_dtype dtype, unsigned n_dims,
                              const int64_t *shape, const int64_t *strides, const void *data);
/* Saves a reduction ("mean", "abs_max", "l2_norm") that the caller has computed of a tensor of this
 * type, for example on the device that holds it, if a collection of the tensor asks for it at this
 * step. It is saved as the type that smdbg_hook_save gives it, for integers float64; complex: an
 * error. */
SMDBG_API int smdbg_hook_save_reduction(smdbg_hook *h, const char *tensor, const char *reduction,
                                        smdbg_dtype dtype, double value);
/* Saves a number as a tensor of one float64 element, without "scalar/" before its name. */
SMDBG_API int smdbg_hook_number(smdbg_hook *h, const char *tensor, double value);
/* Saves n UTF-8 strings, which are copied; reductions do not apply to them. */
SMDBG_API int smdbg_hook_save_strings(smdbg_hook *h, const char *tensor, size_t n,
                                      const char *const *strings);
/* Saves a number as "scalar/NAME" of this step, which is written for it whatever the intervals are;
 * before the first step, of the first one. Several numbers of one name in a step are all kept. */
SMDBG_API int smdbg_hook_scalar(smdbg_hook *h, const char *name, double value);
/* Like smdbg_hook_scalar; in a SageMaker job (TRAINING_JOB_NAME is set) it also appends a line to
 * the file in $SAGEMAKER_METRICS_DIRECTORY. The means of losses and metrics are always written
 * there. */
SMDBG_API int smdbg_hook_metric(smdbg_hook *h, const char *name, double value);

/* Like smdbg_hook_wants, but 0 for a tensor of no collection: for programs that offer all tensors
 * and let the collections choose. */
SMDBG_API int smdbg_hook_selects(smdbg_hook *h, const char *tensor);

/* Waits until everything saved so far has been written (not synced to disk). */
SMDBG_API int smdbg_hook_flush(smdbg_hook *h);
/* Ends the run: completes the step, writes all that is queued and the end marker. Then nothing is
 * saved any more. -1: there was an error at some time. What was asked for and never saved is one,
 * too: tensors that were given to smdbg_hook_save, but at no step at which their collections are
 * saved; names that were added to a collection and never given; collections without any tensor. */
SMDBG_API int smdbg_hook_end(smdbg_hook *h);
/* The same, and frees the hook. Call smdbg_hook_end first to be able to ask for the error. */
SMDBG_API int smdbg_hook_close(smdbg_hook *h);

/* For callers that compute norms: out[i] becomes the sum, in float64, of the squares of the
 * counts[i] float32 at data[i]; unless less is NULL, of their differences from those at less[i]. */
SMDBG_API void smdbg_squares(size_t n, const float *const *data, const float *const *less,
                             const uint64_t *counts, double *out);

/* The last error message; "" if there was no error. Valid until the same thread calls this function
 * again. */
SMDBG_API const char *smdbg_hook_error(smdbg_hook *h);
/* Counts an error of the caller, such as a value that a binding cannot pass on, as if a call had
 * failed with this message. Returns -1. */
SMDBG_API int smdbg_hook_report(smdbg_hook *h, const char *message);
typedef struct {
    uint64_t tensors, steps, bytes; /* of steps written completely, with index */
    uint64_t dropped, errors;       /* tensors dropped by a full queue; errors */
} smdbg_counts;
SMDBG_API void smdbg_hook_counts(smdbg_hook *h, smdbg_counts *out);

#ifdef __cplusplus
}
#endif

#endif
