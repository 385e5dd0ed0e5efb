/* SPDX-License-Identifier: Apache-2.0 */
/* A loss is a scalar whose name says so. */
#include "reader/kind/scalar_names.h"
#include "reader/base/vec.h"
#include "reader/format/event.h"
#include "reader/kind/trial_traits.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <string.h>

/* "loss" as a word or the end of one, and names of loss functions; but not what only belongs to a
 * loss, such as loss_scale. In any case: "Loss/train", "val_loss", "train_loss_step",
 * "CrossEntropyLoss_output_0", "epoch_loss", "cross_entropy", "nll". */
static const char *const losses[] = {
    ("(?i)loss(?:es)?(?![a-z])"
     "(?![ _./-]*(?:scal|weight|coef|factor|lambda|count|grad|lr|learning))"),
    "(?i)cross[ _-]?entropy",
    "(?i)(?:^|[^a-z])(?:xent|nll|logloss)(?![a-z])",
};
static const char *const any[] = {""};

static const struct {
    const char *name;
    enum sm_value_form form;
    const char *const *regexes;
    size_t n;
} rows[] = {
    {"losses", SM_FORM_SCALAR, losses, sizeof losses / sizeof *losses},
    {"scalars", SM_FORM_SCALAR, any, 1},
    {SM_HISTOGRAMS, SM_FORM_HISTOGRAM, any, 1},
};
enum { ROWS = sizeof rows / sizeof *rows };

bool sm_scalar_collections(struct sm_tail_changes *n)
{
    struct sm_collection_def *items = sm_arena_alloc(&n->arena, ROWS * sizeof *items);
    if (!items || !SM_VEC_ROOM(n->collections, n->n_collections, n->cap_collections))
        return false;
    for (int i = 0; i < ROWS; i++) {
        const char **regexes = sm_arena_alloc(&n->arena, rows[i].n * sizeof *regexes);
        if (!regexes)
            return false;
        memcpy(regexes, rows[i].regexes, rows[i].n * sizeof *regexes);
        items[i] = (struct sm_collection_def){.name = rows[i].name,
                                              .regexes = regexes,
                                              .n_regexes = rows[i].n,
                                              .reductions = "",
                                              .form = rows[i].form};
    }
    n->collections[n->n_collections++] =
        (struct sm_tail_changed_collections){.def = {.items = items, .n = ROWS, .num_workers = 1}};
    return true;
}

/* Compiled once, and kept. NULL: no memory. */
static const pcre2_code *compiled(size_t i)
{
    static pcre2_code *codes[sizeof losses / sizeof *losses];
    int code;
    PCRE2_SIZE at;
    if (!codes[i])
        codes[i] = pcre2_compile((PCRE2_SPTR)losses[i], PCRE2_ZERO_TERMINATED, 0, &code, &at, NULL);
    return codes[i];
}

bool sm_scalar_is_loss(const char *name, size_t n)
{
    pcre2_match_data *data = pcre2_match_data_create(1, NULL);
    bool found = false;
    for (size_t i = 0; data && i < sizeof losses / sizeof *losses && !found; i++)
        found = compiled(i) && pcre2_match(compiled(i), (PCRE2_SPTR)name, n, 0, 0, data, NULL) >= 0;
    pcre2_match_data_free(data);
    return found;
}
