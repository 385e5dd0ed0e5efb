/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of an answer, for -field A,B,C: the keys of its shape, and of what has a configuration
 * those of the open runs. */
#include "commands/language/language.h"
#include "commands/support/candidates.h"

#include <ctype.h>
#include <string.h>

/* The fields before the last comma stay. */
static void skip_fields(struct completer *c)
{
    const char *comma = c->partial_n ? memrchr(c->partial, ',', c->partial_n) : NULL;
    if (!comma)
        return;
    size_t n = (size_t)(comma + 1 - c->partial);
    c->partial += n;
    c->partial_n -= n;
    c->out->start = (size_t)(c->partial - c->line);
}

/* Keys stand before ':' in the shape (commands/answer/shape.h). */
static void offer_keys(struct completer *c, const char *shape)
{
    for (const char *p = shape; *p;) {
        size_t n = 0;
        while (isalnum((unsigned char)p[n]) || p[n] == '_')
            n++;
        if (n && (p[n] == ':' || (p[n] == '?' && p[n + 1] == ':')))
            sm_candidates_add(c, sm_arena_xstrndup(&c->out->arena, p, n));
        p += n ? n : 1;
    }
}

static void offer_config(struct completer *c)
{
    for (size_t i = 0; i < c->s->n_trials && !c->out->more; i++) {
        const struct sm_run_fields *f = &sm_trial_info(c->s->trials[i].trial)->config;
        for (size_t k = 0; k < f->n; k++)
            sm_candidates_name(c, f->items[k].key, strlen(f->items[k].key));
    }
}

void sm_candidates_fields(struct completer *c)
{
    if (!c->cmd->answer || c->quote)
        return;
    skip_fields(c);
    offer_keys(c, c->cmd->answer);
    if (strstr(c->cmd->answer, "config:{*"))
        offer_config(c);
}
