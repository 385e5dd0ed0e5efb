/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/checkpoints/ckpt_path.h"

#include "reader/checkpoints/ckpt_layout.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* Whether the word is there, with no letter before it. */
static bool has_word(const char *path, const char *word)
{
    for (const char *at = path; (at = strstr(at, word)); at++)
        if (at == path || !isalpha((unsigned char)at[-1]))
            return true;
    return false;
}

/* Of tensor, pipeline, expert and model parallelism, ZeRO and FSDP. */
static bool names_parts(const char *path)
{
    static const char *const words[] = {"mp_rank", "tp_rank", "pp_rank",    "ep_rank",
                                        "fsdp",    "shard",   "world_size", "consolidated."};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (has_word(path, words[i]))
            return true;
    return false;
}

enum sm_ckpt_ranks sm_ckpt_ranks_of(const char *path)
{
    struct sm_str part = {0}, worker = {0};
    bool named = false;
    for (const char *at = path; *at && !named; at += at[0] == '/') {
        size_t n = strcspn(at, "/");
        sm_str_truncate(&part, 0);
        sm_str_addn(&part, at, n);
        named = sm_ckpt_worker_of(sm_str_text(&part), &worker) ||
                sm_ckpt_worker_of_file(sm_str_text(&part), &worker);
        at += n;
    }
    sm_str_clear(&part);
    sm_str_clear(&worker);
    return !named              ? SM_CKPT_RANKS_NOT_NAMED
           : names_parts(path) ? SM_CKPT_RANKS_PARTS
                               : SM_CKPT_RANKS_ANY;
}

/* "epoch_0", "ep0", "round-1", in front of the step of a name. */
static bool counts_epochs(const char *name, const struct sm_ckpt_step *step)
{
    static const char *const words[] = {"epoch", "ep", "round"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t n = strlen(words[i]);
        if (strncasecmp(name + step->from, words[i], n) == 0 &&
            !isalpha((unsigned char)name[step->from + n]))
            return true;
    }
    return false;
}

static const char *name_of(const char *path)
{
    const char *last = strrchr(path, '/');
    return last ? last + 1 : path;
}

bool sm_ckpt_path_has_tensors(const char *path)
{
    return sm_ckpt_is_name(name_of(path));
}

bool sm_ckpt_path_has_no_step(const char *path)
{
    const char *file = name_of(path), *at = path;
    struct sm_ckpt_step step = {0};
    const char *dot = strrchr(file, '.');
    if (!sm_ckpt_is_name(file))
        return false;
    for (; at < file; at += strcspn(at, "/") + 1)
        if (sm_ckpt_step_of(at, strcspn(at, "/"), &step))
            return counts_epochs(at, &step);
    return !sm_ckpt_step_of_file(file, dot ? (size_t)(dot - file) : strlen(file), &step) ||
           counts_epochs(file, &step);
}
