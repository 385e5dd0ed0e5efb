/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/session/session.h"
#include "commands/session/session_settings.h"

#include "commands/session/incident.h"
#include "commands/session/opened_path.h"
#include "commands/session/trial_news.h"
#include "reader/images/png_file.h"
#include "reader/s3/source_s3.h"
#include "reader/source/watch.h"

enum { JOBS_PER_PUMP = 64 };

struct sm_session *sm_session_new(struct sm_pool *pool, const struct sm_feature *const *features,
                                  struct sm_err *err)
{
    struct sm_session *s = sm_xalloc_zero(1, sizeof *s);
    sm_tensor_decode_images(sm_png_decode);
    s->pool = pool;
    s->features = features;
    s->at = sm_place_of_trial(NULL);
    s->at.follow = true;
    s->open_options.follow = true;
    sm_settings_init(&s->settings, features);
    s->threads = sm_session_settings(s)->threads;
    s->niceness = sm_session_settings(s)->niceness;
    s->incidents = sm_incidents_new();
    s->opened = sm_opened_new();
    sm_features_init(s);
    s->fetch = sm_fetch_new(pool, (size_t)sm_session_settings(s)->memory_limit, err);
    if (s->fetch)
        s->summaries = sm_summaries_new(pool, s->fetch, err);
    if (!s->summaries) {
        sm_session_free(s);
        return NULL;
    }
    return s;
}

void sm_session_free(struct sm_session *s)
{
    if (!s)
        return;
    while (s->n_trials)
        sm_session_close(s, s->n_trials - 1);
    sm_features_clear(s);
    sm_session_clear_variables(s);
    sm_incidents_free(s->incidents);
    sm_bookmarks_clear(&s->bookmarks);
    sm_trends_clear(&s->trends);
    sm_trends_clear(&s->cells);
    sm_summaries_free(s->summaries);
    sm_fetch_free(s->fetch);
    sm_opened_free(s->opened);
    sm_free(s->trials);
    sm_settings_clear(&s->settings);
    sm_free(s);
}

/* Changes the pool only if a setting has changed: until then it has its initial options. */
static void apply_to_pool(struct sm_session *s)
{
    int64_t threads = sm_session_settings(s)->threads, niceness = sm_session_settings(s)->niceness;
    if (threads == s->threads && niceness == s->niceness)
        return;
    sm_pool_set(s->pool, (unsigned)threads, (int)niceness);
    s->threads = threads;
    s->niceness = niceness;
}

void sm_session_apply_settings(struct sm_session *s)
{
    if (s->applied == s->settings.version)
        return;
    s->applied = s->settings.version;
    apply_to_pool(s);
    int64_t limit = sm_session_settings(s)->memory_limit;
    sm_fetch_budget(s->fetch, limit > PTRDIFF_MAX ? PTRDIFF_MAX : (size_t)limit);
    sm_s3_set_follow_rate(sm_session_settings(s)->s3_follow_rate);
    sm_fetch_checksum(s->fetch, (enum sm_checksum)sm_session_settings(s)->checksum);
}

struct sm_trial *sm_session_trial(const struct sm_session *s)
{
    return s->current < s->n_trials ? s->trials[s->current].trial : NULL;
}

bool sm_session_no_trial(struct sm_err *err)
{
    sm_err_set(err, SM_ERR_USAGE, "No trial is open.  Use \"open PATH\".");
    return sm_err_kind(err, SM_ERR_IS_NO_TRIAL);
}

bool sm_session_pump(struct sm_session *s)
{
    sm_pool_collect(s->pool, JOBS_PER_PUMP);
    sm_watch_pump();
    bool news = sm_fetch_pump(s->fetch);
    news = sm_summaries_pump(s->summaries) || news;
    for (size_t i = 0; i < s->n_trials; i++)
        news = sm_trial_pump(s->trials[i].trial) || news;
    news = sm_opened_pump(s) || news;
    sm_trial_news(s);
    for (size_t f = 0; s->features[f]; f++)
        if (s->features[f]->pump)
            news = s->features[f]->pump(s, news) || news;
    s->news += news;
    return news;
}

size_t sm_session_reading(const struct sm_session *s)
{
    return sm_fetch_open(s->fetch) + sm_summaries_open(s->summaries);
}

int64_t sm_session_deadline_us(const struct sm_session *s)
{
    int64_t first = sm_opened_deadline_us(s);
    for (size_t i = 0; i < s->n_trials; i++) {
        int64_t d = sm_trial_deadline_us(s->trials[i].trial);
        first = d < first ? d : first;
    }
    for (size_t f = 0; s->features[f]; f++) {
        int64_t d = s->features[f]->deadline_us ? s->features[f]->deadline_us(s) : INT64_MAX;
        first = d < first ? d : first;
    }
    return first;
}

struct sm_step sm_session_step(const struct sm_session *s)
{
    return sm_place_current_step(&s->at);
}
