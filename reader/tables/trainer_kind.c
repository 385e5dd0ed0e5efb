/* SPDX-License-Identifier: Apache-2.0 */
/* Which folders are those of Hugging Face's Trainer, and the kind of their runs. */
#include "reader/tables/tables.h"
#include "reader/tables/trainer_events.h"
#include "reader/tables/trainer_files.h"

#include <string.h>

enum { PEEK_BYTES = 8192 };

static bool has_word(const char *p, size_t n, const char *word)
{
    return memmem(p, n, word, strlen(word));
}

/* By its first keys, which are sorted. */
static bool is_state(struct sm_run_folder *f, const char *name)
{
    char head[PEEK_BYTES];
    size_t n = sm_run_folder_head(f, name, head, sizeof head);
    return n && head[0] == '{' &&
           (has_word(head, n, "\"log_history\"") ||
            (has_word(head, n, "\"global_step\"") && has_word(head, n, "\"best_metric\"")));
}

static bool is_checkpoint(struct sm_run_folder *f, const struct sm_run_item *x)
{
    int64_t n;
    struct sm_str name = {0};
    if (!x->is_dir || x->claimed || !sm_is_checkpoint_name(x->name, &n))
        return false;
    sm_str_printf(&name, "%s/" SM_TRAINER_STATE, x->name);
    bool yes = !name.failed && is_state(f, name.data);
    sm_str_clear(&name);
    return yes;
}

static void find_given(struct sm_run_folder *f)
{
    const struct sm_run_item *x = sm_run_folder_count(f) ? sm_run_folder_item(f, 0) : NULL;
    if (!x || x->is_dir || x->claimed || !is_state(f, x->name))
        return;
    sm_run_folder_claim(f, x->name);
    sm_run_folder_add(f, x->name, NULL);
}

static void claim_events(void *ctx, const char *name)
{
    struct sm_run_folder *f = ctx;
    if (sm_run_folder_has_dir(f, name) && sm_trainer_has_events(f, name))
        sm_run_folder_claim(f, name);
}

/* Checkpoints of the run that have no state, too: it may be still being written. */
static void claim_files(struct sm_run_folder *f)
{
    static const char *const names[] = {SM_TRAINER_STATE,     "trainer_log.jsonl",
                                        "logging.jsonl",      "all_results.json",
                                        "train_results.json", "eval_results.json"};
    int64_t n;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        sm_run_folder_claim(f, names[i]);
    sm_trainer_event_folders(claim_events, f);
    for (size_t i = 0; i < sm_run_folder_count(f); i++) {
        const struct sm_run_item *x = sm_run_folder_item(f, i);
        if (x->is_dir && sm_is_checkpoint_name(x->name, &n))
            sm_run_folder_claim(f, x->name);
    }
}

static void find_state(struct sm_run_folder *f)
{
    if (sm_run_folder_is_given(f)) {
        find_given(f);
        return;
    }
    bool found = sm_run_folder_has_file(f, SM_TRAINER_STATE) && is_state(f, SM_TRAINER_STATE);
    for (size_t i = 0; i < sm_run_folder_count(f) && !found; i++)
        found = is_checkpoint(f, sm_run_folder_item(f, i));
    if (!found)
        return;
    claim_files(f);
    sm_run_folder_add(f, NULL, NULL);
}

static const struct sm_trial_traits trainer_traits = {
    .name = "trainer_state",
    .label = "Trainer",
    .title = "output of Hugging Face's Trainer",
    .files = "trainer_state.json",
    .runs = true,
};
const struct sm_trial_kind sm_trial_kind_trainer_state =
    SM_LOG_KIND(trainer_traits, sm_trainer_format, find_state);
