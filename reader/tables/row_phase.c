/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/tables/row_phase.h"

#include "reader/kind/loss_names.h"
#include "reader/tables/column_name.h"

#include <string.h>
#include <strings.h>

static bool is_one_of(const char *const *words, const char *text, size_t n)
{
    for (; *words; words++)
        if (strlen(*words) == n && strncasecmp(*words, text, n) == 0)
            return true;
    return false;
}

bool sm_is_phase_name(const char *name, size_t n)
{
    static const char *const words[] = {"mode", "phase", "split",     "stage", "subset",  "set",
                                        "part", "type",  "partition", "kind",  "dataset", NULL};
    return is_one_of(words, name, n);
}

enum sm_row_phase sm_row_phase_of(const char *text, size_t n)
{
    static const char *const training[] = {"train", "training", NULL};
    static const char *const validation[] = {"val",  "valid",      "validation", "validate",
                                             "eval", "evaluation", "dev",        NULL};
    static const char *const test[] = {"test", "testing", NULL};
    return is_one_of(training, text, n)     ? SM_PHASE_TRAINING
           : is_one_of(validation, text, n) ? SM_PHASE_VALIDATION
           : is_one_of(test, text, n)       ? SM_PHASE_TEST
                                            : SM_PHASE_NONE;
}

/* The learning rate of a row of validation is that of training. */
static bool is_shared(const char *name, size_t n)
{
    static const char *const words[] = {"lr", "learning_rate", "epoch", NULL};
    return is_one_of(words, name, n);
}

bool sm_phase_divides(enum sm_row_phase phase, const char *name, size_t n, uint8_t *seen)
{
    uint8_t others = *seen & (uint8_t) ~(1u << phase);
    *seen |= (uint8_t)(phase ? 1u << phase : 0);
    return phase && others && sm_is_metric_name(name, n) && !is_shared(name, n);
}

void sm_phase_add_name(struct sm_str *out, enum sm_row_phase phase, struct sm_text text,
                       const char *name, size_t n)
{
    bool said =
        phase == SM_PHASE_TRAINING ? sm_name_is_of_training(name) : sm_name_is_of_validation(name);
    if (phase && !said && !is_shared(name, n)) {
        sm_str_addn(out, text.p, text.n);
        sm_str_addc(out, '/');
    }
    sm_str_addn(out, name, n);
}
