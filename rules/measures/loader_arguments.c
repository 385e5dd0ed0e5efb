/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/measures/loader_arguments.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The value of a key, as it is written; NULL: there is none. */
static const char *value_of(const char *text, const char *key)
{
    size_t n = strlen(key);
    for (const char *at = text; (at = strstr(at, key)); at += n)
        if (at > text && (at[-1] == '"' || at[-1] == '\'') && (at[n] == '"' || at[n] == '\'')) {
            at += n + 1;
            return at + strspn(at, "\"': ");
        }
    return NULL;
}

static int64_t count_of(const char *text, const char *key)
{
    const char *at = value_of(text, key);
    char *end;
    errno = 0;
    long long v = at ? strtoll(at, &end, 10) : -1;
    return at && end > at && !errno && v >= 0 ? v : -1;
}

struct sm_loader_arguments sm_loader_arguments_read(const struct sm_names *names, uint32_t detail)
{
    const char *text = detail == SM_NAME_NONE ? "" : sm_names_text(names, detail),
               *pin = value_of(text, "pin_memory");
    return (struct sm_loader_arguments){.num_workers = count_of(text, "num_workers"),
                                        .pin_memory =
                                            pin && (*pin == 'T' || *pin == 't' || *pin == '1'),
                                        .prefetch = count_of(text, "prefetch_factor")};
}
