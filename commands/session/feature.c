/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/session/feature.h"
#include "commands/session/session.h"

#include "reader/base/mem.h"

#include <assert.h>

size_t sm_features_count(const struct sm_session *s)
{
    size_t n = 0;
    while (s->features[n])
        n++;
    return n;
}

static size_t kind_index(const struct sm_session *s, const struct sm_state_kind *kind)
{
    size_t i = 0;
    while (s->features[i] && s->features[i]->state != kind)
        i++;
    assert(s->features[i]);
    return i;
}

void *sm_session_state(const struct sm_session *s, const struct sm_state_kind *kind)
{
    return s->states[kind_index(s, kind)];
}

void *sm_session_trial_state(const struct sm_session *s, size_t i, const struct sm_state_kind *kind)
{
    return s->trials[i].states[kind_index(s, kind)];
}

static void *new_state(size_t size)
{
    return size ? sm_xalloc_zero(1, size) : NULL;
}

void **sm_feature_trial_states(const struct sm_session *s)
{
    void **states = sm_xalloc_zero(sm_features_count(s) + 1, sizeof *states);
    for (size_t f = 0; s->features[f]; f++)
        states[f] = new_state(s->features[f]->state ? s->features[f]->state->trial_size : 0);
    return states;
}

void sm_feature_states_free(const struct sm_session *s, void **states)
{
    for (size_t f = 0; states && s->features[f]; f++)
        sm_free(states[f]);
    sm_free(states);
}

void sm_features_init(struct sm_session *s)
{
    s->states = sm_xalloc_zero(sm_features_count(s) + 1, sizeof *s->states);
    for (size_t f = 0; s->features[f]; f++) {
        s->states[f] = new_state(s->features[f]->state ? s->features[f]->state->size : 0);
        if (s->features[f]->init)
            s->features[f]->init(s);
    }
}

void sm_features_clear(struct sm_session *s)
{
    for (size_t f = sm_features_count(s); f-- > 0;)
        if (s->features[f]->clear)
            s->features[f]->clear(s);
    sm_feature_states_free(s, s->states);
}
