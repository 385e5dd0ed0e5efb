/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/s3/list_turn.h"

enum {
    PAUSE_US = 1000000,  /* of each list again */
    PAGE_NAMES = 1000,   /* of an answer */
    FRESH_US = 2000000,  /* a folder is not listed again before */
    FIRST_US = 30000000, /* one that was listed with others, when it is asked for at first */
    WANTED_US = 40000000,
    LIVELY_US = 60000000,
    LIVELY_TURNS = 4 /* while the others have one */
};

void sm_list_turn_ask(struct sm_list_turn *t, int64_t now)
{
    bool again = t->asked_us && now - t->asked_us >= PAUSE_US;
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
    return t->news_us && now - t->news_us < LIVELY_US;
}

void sm_list_turn_add(const struct sm_list_turn *t, size_t n, int64_t now,
                      struct sm_list_round *round)
{
    bool wanted = t->wanted_us && now - t->wanted_us < WANTED_US;
    int64_t *us = is_lively(t, now) ? &round->lively_us : &round->quiet_us;
    *us += wanted ? (int64_t)(1 + n / PAGE_NAMES) * PAUSE_US : 0;
}

/* One look asks several times in a row. */
static bool is_first_look(const struct sm_list_turn *t, int64_t now)
{
    return !t->asked_us || (!t->wanted_us && now - t->asked_us < PAUSE_US);
}

bool sm_list_turn_is_due(const struct sm_list_turn *t, const struct sm_list_round *round,
                         int64_t now)
{
    int64_t age = now - t->listed_us, all = LIVELY_TURNS * round->lively_us + round->quiet_us;
    return t->expired || (age >= (is_first_look(t, now) ? FIRST_US : FRESH_US) &&
                          age >= (is_lively(t, now) ? all / LIVELY_TURNS : all));
}
