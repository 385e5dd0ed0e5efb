/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/s3/list_turn.h"

#include "reader/base/mem.h"
#include "reader/base/vec.h"

#include <string.h>

enum {
    AGAIN_US = 1000000,  /* asked for again, not in the same look */
    PAGE_NAMES = 1000,   /* of an answer */
    FRESH_US = 2000000,  /* a folder is not listed again before */
    FRESH_PAUSES = 2,    /* or before */
    FIRST_US = 30000000, /* one that was listed with others, when it is asked for at first */
    WANTED_US = 40000000,
    LIVELY_US = 60000000,
    QUIET_MOST = 64, /* folders without news of an asker beside those of others */
    PARTS = 4,       /* of all lists, */
    LIVELY_PARTS = 3 /* of which folders with news have so many */
};

void sm_list_turn_ask(struct sm_list_turn *t, int64_t now)
{
    bool again = t->asked_us && now - t->asked_us >= AGAIN_US;
    if (again)
        t->wanted_us = now;
    if (again || !t->asked_us)
        t->asked_us = now;
}

void sm_list_turn_news(struct sm_list_turn *t, int64_t at)
{
    t->news_us = at > t->news_us ? at : t->news_us;
}

static bool is_lively(const struct sm_list_turn *t, int64_t now)
{
    return t->news_us && (now - t->news_us < LIVELY_US || t->news_us >= t->listed_us);
}

/* ---- what all folders count ---- */

/* Of the folders of an asker without news, beside those of others. */
static int64_t weight_of(int64_t quiet)
{
    return quiet < QUIET_MOST ? quiet : QUIET_MOST;
}

void sm_list_round_begin(struct sm_list_round *r, int64_t pause_us)
{
    r->n = 0;
    r->lively = r->quiet = 0;
    r->pause_us = pause_us;
    r->quiet_pause_us = (double)pause_us;
}

bool sm_list_round_add(struct sm_list_round *r, const struct sm_list_turn *t, size_t n, int64_t now)
{
    if (!t->wanted_us || now - t->wanted_us >= WANTED_US)
        return true;
    for (; r->n <= t->asker; r->n++) {
        if (!SM_VEC_ROOM(r->of, r->n, r->cap))
            return false;
        r->of[r->n] = (struct sm_list_share){0};
    }
    struct sm_list_share *of = &r->of[t->asker];
    int64_t count = 1 + (int64_t)(n / PAGE_NAMES);
    if (is_lively(t, now)) {
        r->lively += !of->lively;
        of->lively += count;
    } else {
        r->quiet += weight_of(of->quiet + count) - weight_of(of->quiet);
        of->quiet += count;
    }
    return true;
}

void sm_list_round_end(struct sm_list_round *r)
{
    double used = 0;
    for (size_t i = 0; i < r->n; i++)
        used += (double)(r->of[i].lively * r->pause_us) /
                (double)sm_list_round_wait_us(r, (uint32_t)i, true);
    if (r->quiet)
        r->quiet_pause_us = (double)r->pause_us / (1 - used);
}

void sm_list_round_clear(struct sm_list_round *r)
{
    sm_free(r->of);
    *r = (struct sm_list_round){0};
}

static int64_t fresh_us(const struct sm_list_round *r)
{
    int64_t us = FRESH_PAUSES * r->pause_us;
    return us < FRESH_US ? us : FRESH_US;
}

/* A folder that does not count yet. */
static int64_t at_least_one(int64_t n)
{
    return n > 0 ? n : 1;
}

int64_t sm_list_round_wait_us(const struct sm_list_round *r, uint32_t asker, bool lively)
{
    struct sm_list_share none = {0};
    const struct sm_list_share *of = asker < r->n ? &r->of[asker] : &none;
    int64_t us;
    if (lively) {
        us = at_least_one(of->lively) * at_least_one(r->lively) * r->pause_us;
        us = r->quiet ? us * PARTS / LIVELY_PARTS : us;
    } else {
        int64_t n = at_least_one(of->quiet), weight = weight_of(n);
        us = (int64_t)((double)(n * (r->quiet > weight ? r->quiet : weight)) / (double)weight *
                       r->quiet_pause_us);
    }
    return us > fresh_us(r) ? us : fresh_us(r);
}

/* ---- one folder ---- */

/* One look asks several times in a row. */
static bool is_first_look(const struct sm_list_turn *t, int64_t now)
{
    return !t->asked_us || (!t->wanted_us && now - t->asked_us < AGAIN_US);
}

bool sm_list_turn_is_due(const struct sm_list_turn *t, const struct sm_list_round *round,
                         int64_t now)
{
    int64_t age = now - t->listed_us;
    if (t->expired || age < fresh_us(round))
        return t->expired;
    if (is_first_look(t, now))
        return age >= FIRST_US;
    return age >= sm_list_round_wait_us(round, t->asker, is_lively(t, now));
}
