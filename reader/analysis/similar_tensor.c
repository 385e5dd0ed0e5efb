/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/analysis/similar_tensor.h"

#include "reader/base/mem.h"

#include <ctype.h>
#include <string.h>

enum { NAME_MAX_BYTES = 200 };

/* Appends the letters and digits of a name in lower case: the part that frameworks agree on. */
static void add_letters(const char *name, struct sm_str *out)
{
    sm_str_truncate(out, 0);
    for (; *name; name++)
        if (isalnum((unsigned char)*name) || (unsigned char)*name >= 0x80)
            sm_str_addc(out, (char)tolower((unsigned char)*name));
}

static const char *closest_name(const struct sm_trial *t, const char *name, size_t n)
{
    unsigned limit = n < 6       ? 1
                     : n / 4 < 2 ? 2
                     : n / 4 > 6 ? 6
                                 : (unsigned)(n / 4),
             least = limit + 1;
    const char *best = NULL;
    for (size_t i = 0; i < sm_trial_tensor_count(t); i++) {
        const char *other = sm_trial_tensor_name(t, sm_trial_tensor(t, i));
        unsigned d = sm_edit_distance(name, other, limit);
        if (d < least && d < n) {
            least = d;
            best = other;
        }
    }
    return best;
}

static const char *first_with(const struct sm_trial *t, const char *name)
{
    struct sm_str wanted = {0}, letters = {0};
    const char *found = NULL;
    add_letters(name, &wanted);
    for (size_t i = 0; wanted.len >= 3 && !found && i < sm_trial_tensor_count(t); i++) {
        const char *other = sm_trial_tensor_name(t, sm_trial_tensor(t, i));
        add_letters(other, &letters);
        if (strstr(sm_str_text(&letters), sm_str_text(&wanted)))
            found = other;
    }
    sm_str_clear(&wanted);
    sm_str_clear(&letters);
    return found;
}

const char *sm_similar_tensor(const struct sm_trial *t, struct sm_text name)
{
    char *copy = name.n <= NAME_MAX_BYTES ? sm_strndup(name.p, name.n) : NULL;
    if (!copy)
        return NULL;
    const char *best = closest_name(t, copy, name.n);
    best = best ? best : first_with(t, copy);
    sm_free(copy);
    return best;
}
