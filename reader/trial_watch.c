/* SPDX-License-Identifier: Apache-2.0 */
/* When a trial is looked at: the places that inotify watches, and the beat. */
#include "reader/base/clock.h"
#include "reader/format/location.h"
#include "reader/trial_state.h"

#include <stdio.h>
#include <string.h>

enum {
    BEAT_FAST_US = 1000000,
    BEAT_SLOW_US = 5000000,
    /* of one of many: where inotify works, its events come at once. The longer nothing has changed,
     * the longer it takes to look again. */
    BEAT_ASLEEP_US = 30000000,
    BEAT_ASLEEP_MOST_US = 600000000,
    QUIET_US = 60 * 1000000,
    RETRY_US = 50000,
    EVENT_GAP_US = 20000
};
enum { WATCH_ROOT, WATCH_INDEX, WATCH_COLLECTIONS, WATCH_FOLDER };

/* ---- the beat ---- */

static int64_t asleep_us(int64_t quiet_us)
{
    return quiet_us < BEAT_ASLEEP_US        ? BEAT_ASLEEP_US
           : quiet_us < BEAT_ASLEEP_MOST_US ? quiet_us
                                            : BEAT_ASLEEP_MOST_US;
}

static int64_t heartbeat_us(const struct sm_trial *t, int64_t now)
{
    if (t->options.heartbeat_us)
        return t->options.heartbeat_us;
    if (t->glance)
        return asleep_us(now - t->scan.quiet_since_us);
    int64_t beat = sm_source_beat_us(t->source);
    if (beat)
        return beat;
    return now - t->scan.quiet_since_us > QUIET_US ? BEAT_SLOW_US : BEAT_FAST_US;
}

/* Quiet trials look at the same times, so that the loop wakes once for all. */
static int64_t next_beat(const struct sm_trial *t, int64_t now, int64_t wait)
{
    bool together = wait >= BEAT_SLOW_US && !t->options.heartbeat_us;
    return together ? (now / BEAT_SLOW_US * BEAT_SLOW_US) + wait : now + wait;
}

void sm_trial_plan_scan(struct sm_trial *t)
{
    struct scan *s = &t->scan;
    int64_t now = sm_clock_mono_us();
    int64_t wait = heartbeat_us(t, now), beat = next_beat(t, now, wait);
    if (s->late || s->failed) {
        s->retry_us = s->changed || !s->retry_us ? RETRY_US : 2 * s->retry_us;
        s->retry_us = s->retry_us < wait ? s->retry_us : wait;
        beat = now + s->retry_us;
    } else {
        s->retry_us = 0;
    }
    s->deadline_us = t->options.follow && !s->more ? beat : now;
    int64_t grace = t->end_quiet_us + SM_END_GRACE_US;
    if (t->ended && !t->end_read && grace < s->deadline_us)
        s->deadline_us = grace > now ? grace : now;
}

int64_t sm_trial_scan_due_us(const struct sm_trial *t)
{
    const struct scan *s = &t->scan;
    bool event = s->due && t->options.follow && t->scanned;
    int64_t due = t->options.follow || !t->scanned ? s->deadline_us : INT64_MAX;
    if (s->refresh_requested)
        return 0;
    int64_t soon = s->began_us + (s->by_lines ? EVENT_GAP_US : 0);
    return event && soon < due ? soon : due;
}

/* ---- places ---- */

static void on_event(void *ctx, unsigned tag, const char *name)
{
    struct sm_trial *t = ctx;
    if (!name) /* a directory was removed, or events were lost */
        memset(t->scan.watching, 0, sizeof t->scan.watching);
    (void)tag;
    if (!name || !sm_ends_with(name, ".tmp"))
        t->scan.due = true;
}

static bool add_watch(struct sm_trial *t, unsigned tag, const char *below)
{
    struct sm_str path = {0};
    sm_str_add(&path, t->source->root);
    sm_str_add(&path, below);
    bool ok = !path.failed && sm_watch_add(t->watch, sm_str_text(&path), tag, NULL);
    sm_str_clear(&path);
    return ok;
}

/* Files created before the watch existed are found by one more scan. */
static void add_watch_once(struct sm_trial *t, unsigned tag, const char *below)
{
    if (!t->scan.watching[tag] && add_watch(t, tag, below))
        t->scan.watching[tag] = t->scan.due = true;
}

static void watch_folders(struct sm_trial *t)
{
    struct scan *s = &t->scan;
    char below[64];
    bool ok = s->folders[0] >= 0;
    if (s->watching[WATCH_FOLDER] && memcmp(s->watched_folders, s->folders, sizeof s->folders) == 0)
        return;
    for (int i = 0; i < 2 && s->folders[i] >= 0; i++) {
        snprintf(below, sizeof below, "/" SM_INDEX_DIR "/%09lld", (long long)s->folders[i]);
        ok = add_watch(t, WATCH_FOLDER, below) && ok;
    }
    memcpy(s->watched_folders, s->folders, sizeof s->folders);
    s->watching[WATCH_FOLDER] = ok;
    s->due = s->due || ok;
}

void sm_trial_watch_places(struct sm_trial *t)
{
    if (!t->watch)
        return;
    add_watch_once(t, WATCH_ROOT, "");
    if (t->traits->runs) /* has none of the folders below */
        return;
    add_watch_once(t, WATCH_INDEX, "/" SM_INDEX_DIR);
    add_watch_once(t, WATCH_COLLECTIONS, "/" SM_COLLECTIONS_DIR);
    watch_folders(t);
}

void sm_trial_watch(struct sm_trial *t)
{
    t->scan.watched_folders[0] = t->scan.watched_folders[1] = -1;
    if (t->options.follow)
        t->watch = sm_watch_new(on_event, t, NULL); /* on failure: by the beat only */
}

int sm_trial_fd(const struct sm_trial *t)
{
    return t->watch ? sm_watch_fd() : -1;
}
