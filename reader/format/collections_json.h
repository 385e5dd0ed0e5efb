/* SPDX-License-Identifier: Apache-2.0 */
/* Collections files (doc/formats.md): parsing, writing, and save rules. */
#ifndef SM_COLLECTIONS_JSON_H
#define SM_COLLECTIONS_JSON_H

#include "reader/base/err.h"
#include "reader/base/mem.h"
#include "reader/base/str.h"

#include <stdint.h>

struct sm_save_rule {
    bool given;                   /* false: null in the file */
    int64_t interval, start, end; /* mode steps; end is exclusive, -1: no end (null) */
    int64_t *steps;               /* save_steps */
    size_t n_steps;
};
struct sm_collection_def {
    const char *name;
    const char **regexes, **names; /* include_regex; tensor_names */
    size_t n_regexes, n_names;
    bool has_reductions, raw, shape; /* reduction_config not null; save_raw_tensor; save_shape */
    const char *reductions;          /* "mean,l2_norm,abs_max" or "" */
    bool has_save;                   /* save_config not null */
    struct sm_save_rule save[5];     /* index: mode 1..4 */
    uint8_t save_order[4];           /* modes in file order; 0 after the last. All 0: by number */
    bool histogram;
    /* Only tensors with values of that form (enum sm_value_form); 0: all. Not in files. */
    unsigned form;
};
struct sm_collections_def {
    struct sm_collection_def *items; /* in file order */
    size_t n;
    int64_t num_workers; /* -1 if missing */
};
/* All memory is in the arena. Unknown keys are skipped; what is missing is empty, except for
 * "collections". SM_ERR_DATA with the offset: a member of a wrong type, or a number that is not a
 * step. */
bool sm_collections_parse(const char *p, size_t n, struct sm_arena *arena,
                          struct sm_collections_def *out, struct sm_err *err);
/* Like Python's json.dumps. */
void sm_collections_write(struct sm_str *out, const struct sm_collections_def *c);
/* Whether the rule saves this step of its mode (doc/formats.md). */
bool sm_save_rule_matches(const struct sm_save_rule *r, int64_t mode_step);

#endif
