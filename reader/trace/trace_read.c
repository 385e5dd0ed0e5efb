/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/trace/trace_read.h"

#include "reader/base/mem.h"
#include "reader/base/vec.h"
#include "reader/trace/trace_members.h"

#include <string.h>

enum { NAME_BYTES = 65536, LANES_MAX = 1 << 20 };

/* START --> TOP, the members of the object <--> EVENTS, its list --> END */
enum place { START, TOP, EVENTS, END, NO_TRACE };
struct sm_trace_reader {
    struct sm_trace_data *trace;
    enum place place;
    bool bare;       /* the text is the list alone */
    bool listed;     /* the list was there */
    bool lost;       /* after what is no event: on to what may be the next */
    uint64_t offset; /* of the bytes used so far */
    struct sm_map by_lane;
    uint32_t last_lane; /* of the event before: often the same */
    int64_t total_ns;   /* of all durations */
};

struct sm_trace_reader *sm_trace_reader_new(struct sm_trace_data *trace)
{
    struct sm_trace_reader *r = sm_alloc_zero(1, sizeof *r);
    trace->rank = trace->world_size = -1;
    trace->names = r ? sm_names_new() : NULL;
    if (!trace->names) {
        sm_free(r);
        return NULL;
    }
    r->trace = trace;
    return r;
}

void sm_trace_reader_free(struct sm_trace_reader *r)
{
    if (r)
        sm_map_clear(&r->by_lane);
    sm_free(r);
}

/* ---- names ---- */

static uint32_t add_name(struct sm_trace_data *t, const struct sm_scan_value *v)
{
    struct sm_str text = {0};
    size_t n = v->text.n < NAME_BYTES ? v->text.n : NAME_BYTES;
    uint32_t id;
    if (v->escaped) {
        sm_scan_text(v, &text);
        n = text.len < NAME_BYTES ? text.len : NAME_BYTES;
        id = text.failed ? SM_NAME_NONE : sm_names_add(t->names, sm_str_text(&text), n);
        sm_str_clear(&text);
    } else {
        id = sm_names_add(t->names, v->text.p, n);
    }
    t->no_memory = t->no_memory || id == SM_NAME_NONE;
    return id;
}

static uint32_t name_of(struct sm_trace_data *t, const struct sm_trace_members *m,
                        enum sm_trace_member i)
{
    return sm_members_have(m, i) ? add_name(t, &m->value[i]) : SM_NAME_NONE;
}

/* ---- lanes ---- */

/* A number, or a text. */
static int64_t id_of(struct sm_trace_data *t, const struct sm_trace_members *m,
                     enum sm_trace_member i)
{
    int64_t v = 0;
    if (sm_members_have(m, i) && !sm_scan_decimal(&m->value[i], 0, &v))
        v = INT64_MIN + add_name(t, &m->value[i]);
    return v;
}

static bool same_lane(const struct sm_trace_track *a, const struct sm_trace_track *b)
{
    return a->pid == b->pid && a->tid == b->tid && a->stream == b->stream && a->gpu == b->gpu;
}

static uint64_t lane_key(const struct sm_trace_track *l)
{
    uint64_t h = (uint64_t)l->pid * 0x9E3779B97F4A7C15u;
    h = (h ^ (h >> 29) ^ (uint64_t)l->tid) * 0xBF58476D1CE4E5B9u;
    return h ^ (h >> 32) ^ ((uint64_t)l->stream << 1) ^ l->gpu;
}

static uint32_t add_lane(struct sm_trace_reader *r, uint64_t key, const struct sm_trace_track *lane)
{
    struct sm_trace_data *t = r->trace;
    if (t->n_lanes >= LANES_MAX || !SM_VEC_ROOM(t->lanes, t->n_lanes, t->cap_lanes) ||
        !sm_map_put(&r->by_lane, key, t->n_lanes)) {
        t->no_memory = true;
        return 0;
    }
    t->lanes[t->n_lanes] = *lane;
    return (uint32_t)t->n_lanes++;
}

static uint32_t lane_of(struct sm_trace_reader *r, const struct sm_trace_track *lane)
{
    struct sm_trace_data *t = r->trace;
    uint64_t at;
    if (t->n_lanes && same_lane(&t->lanes[r->last_lane], lane))
        return r->last_lane;
    uint64_t key = lane_key(lane);
    /* other lanes may have the same key */
    for (; sm_map_get(&r->by_lane, key, &at); key++)
        if (same_lane(&t->lanes[at], lane))
            return r->last_lane = (uint32_t)at;
    return r->last_lane = add_lane(r, key, lane);
}

/* ---- events ---- */

static uint32_t add_comm(struct sm_trace_data *t, const struct sm_trace_members *m)
{
    int64_t size = sm_members_int(m, SM_MEMBER_GROUP_SIZE, 0);
    if (!SM_VEC_ROOM(t->comms, t->n_comms, t->cap_comms)) {
        t->no_memory = true;
        return SM_NAME_NONE;
    }
    t->comms[t->n_comms] = (struct sm_trace_comm){
        .collective = name_of(t, m, SM_MEMBER_COLLECTIVE),
        .dtype = name_of(t, m, SM_MEMBER_DTYPE),
        .group = name_of(t, m, SM_MEMBER_GROUP),
        .description = name_of(t, m, SM_MEMBER_GROUP_DESCRIPTION),
        .ranks = name_of(t, m, SM_MEMBER_GROUP_RANKS),
        .group_size = size > 0 && size < INT32_MAX ? (int32_t)size : 0,
        .in_elems = sm_members_int(m, SM_MEMBER_IN_ELEMS, -1),
        .out_elems = sm_members_int(m, SM_MEMBER_OUT_ELEMS, -1),
        .seq = sm_members_int(m, SM_MEMBER_SEQ, -1),
    };
    return (uint32_t)t->n_comms++;
}

static uint32_t add_memory(struct sm_trace_data *t, const struct sm_trace_members *m)
{
    int64_t type = sm_members_int(m, SM_MEMBER_DEVICE_TYPE, 0),
            device = sm_members_int(m, SM_MEMBER_DEVICE_ID, -1);
    if (!SM_VEC_ROOM(t->memory, t->n_memory, t->cap_memory)) {
        t->no_memory = true;
        return SM_NAME_NONE;
    }
    t->memory[t->n_memory] = (struct sm_trace_memory){
        .bytes = sm_members_int(m, SM_MEMBER_BYTES, 0),
        .allocated = sm_members_int(m, SM_MEMBER_ALLOCATED, 0),
        .reserved = sm_members_int(m, SM_MEMBER_RESERVED, 0),
        .device_type = type >= 0 && type < INT32_MAX ? (int32_t)type : -1,
        .device = device >= 0 && device < INT32_MAX ? (int32_t)device : -1,
    };
    return (uint32_t)t->n_memory++;
}

static bool times_of(const struct sm_trace_members *m, struct sm_trace_event *e)
{
    e->duration_ns = 0;
    if (!sm_members_have(m, SM_MEMBER_TS) ||
        !sm_scan_decimal(&m->value[SM_MEMBER_TS], 3, &e->start_ns))
        return false;
    if (sm_members_have(m, SM_MEMBER_DUR) &&
        (!sm_scan_decimal(&m->value[SM_MEMBER_DUR], 3, &e->duration_ns) || e->duration_ns < 0))
        return false;
    return e->start_ns >= -SM_TRACE_TIME_MAX_NS && e->start_ns <= SM_TRACE_TIME_MAX_NS;
}

static void push(struct sm_trace_reader *r, struct sm_trace_event *e,
                 const struct sm_trace_members *m)
{
    struct sm_trace_data *t = r->trace;
    struct sm_trace_track lane = {.pid = id_of(t, m, SM_MEMBER_PID),
                                  .tid = id_of(t, m, SM_MEMBER_TID),
                                  .stream = -1,
                                  .gpu = sm_trace_on_gpu(e)};
    if (lane.gpu)
        lane.stream = sm_members_int(m, SM_MEMBER_STREAM, lane.tid);
    e->lane = lane_of(r, &lane);
    e->name = sm_members_have(m, SM_MEMBER_NAME) ? add_name(t, &m->value[SM_MEMBER_NAME])
                                                 : sm_names_add(t->names, "", 0);
    e->correlation = sm_members_id(m, SM_MEMBER_CORRELATION);
    e->external = sm_members_id(m, SM_MEMBER_EXTERNAL);
    e->extra = SM_NAME_NONE;
    if (e->cat == SM_TRACE_MEMORY)
        e->extra = add_memory(t, m);
    else if (sm_members_have(m, SM_MEMBER_COLLECTIVE))
        e->extra = add_comm(t, m);
    if (t->n >= SM_TRACE_EVENTS_MAX || !SM_VEC_ROOM(t->events, t->n, t->cap))
        t->no_memory = true;
    if (!t->no_memory)
        t->events[t->n++] = *e;
}

/* False: it is no event. */
static bool take_event(struct sm_trace_reader *r, const struct sm_trace_members *m)
{
    struct sm_text ph =
        sm_members_have(m, SM_MEMBER_PH) ? m->value[SM_MEMBER_PH].text : (struct sm_text){"", 0};
    struct sm_trace_event e = {.cat = (uint8_t)sm_members_cat(m)};
    if (ph.n != 1)
        return false;
    bool instant = *ph.p == 'i' || *ph.p == 'I';
    if (instant && (!sm_members_have(m, SM_MEMBER_NAME) ||
                    !sm_text_is(m->value[SM_MEMBER_NAME].text, "[memory]")))
        return true;
    if (!instant && *ph.p != 'X')
        return true; /* flows, counters and names of processes */
    if (!times_of(m, &e))
        return false;
    if (e.duration_ns > SM_TRACE_DURATION_MAX_NS ||
        r->total_ns > SM_TRACE_TIME_MAX_NS - e.duration_ns) {
        r->trace->overlong++;
        return true;
    }
    r->total_ns += e.duration_ns;
    if (instant)
        e.cat = SM_TRACE_MEMORY;
    push(r, &e, m);
    return true;
}

/* ---- members of the file ---- */

static void take_ranks(struct sm_trace_data *t, struct sm_scan s)
{
    struct sm_scan_value v;
    struct sm_text key;
    int64_t n;
    if (sm_scan_enter(&s, '{') != SM_SCAN_ITEM)
        return;
    while (sm_scan_key(&s, &key, &v) == SM_SCAN_ITEM) {
        if (!sm_scan_decimal(&v, 0, &n) || n < 0)
            continue;
        if (sm_text_is(key, "rank"))
            t->rank = n;
        else if (sm_text_is(key, "world_size"))
            t->world_size = n;
    }
}

/* The name of the first GPU. */
static void take_device(struct sm_trace_data *t, struct sm_scan s)
{
    struct sm_scan_value v;
    struct sm_text key;
    struct sm_str name = {0};
    if (t->device || sm_scan_enter(&s, '[') != SM_SCAN_ITEM ||
        sm_scan_enter(&s, '{') != SM_SCAN_ITEM)
        return;
    while (sm_scan_key(&s, &key, &v) == SM_SCAN_ITEM)
        if (sm_text_is(key, "name") && !name.len)
            sm_scan_text(&v, &name);
    t->device = name.len && !name.failed ? sm_strdup(sm_str_text(&name)) : NULL;
    sm_str_clear(&name);
}

static void take_member(struct sm_trace_data *t, struct sm_text key, const struct sm_scan_value *v)
{
    struct sm_scan inside = {v->text.p, v->text.p + v->text.n};
    int64_t base;
    if (sm_text_is(key, "baseTimeNanoseconds") && sm_scan_decimal(v, 0, &base) && base >= 0 &&
        base <= SM_TRACE_TIME_MAX_NS)
        t->base_ns = base;
    else if (sm_text_is(key, "distributedInfo") && v->type == SM_SCAN_MAP)
        take_ranks(t, inside);
    else if (sm_text_is(key, "deviceProperties") && v->type == SM_SCAN_LIST)
        take_device(t, inside);
}

/* ---- the text ---- */

static void refuse(struct sm_trace_reader *r, const char *begin, const char *at)
{
    if (!r->trace->bad++)
        r->trace->bad_at = r->offset + (uint64_t)(at - begin);
}

/* What a value that is not whole leads to: more bytes are asked for, or it is too long and all that
 * there is of it is given up. False: more are needed. */
static bool give_up(struct sm_trace_reader *r, struct sm_scan *s, const char *from,
                    const char *begin)
{
    if (s->end - from < SM_TRACE_EVENT_BYTES) {
        s->p = from;
        return false;
    }
    refuse(r, begin, from);
    s->p = s->end;
    return true;
}

static bool read_start(struct sm_trace_reader *r, struct sm_scan *s)
{
    sm_scan_skip(s, "\xef\xbb\xbf");
    if (s->p == s->end)
        return false;
    r->bare = *s->p == '[';
    r->listed = r->bare;
    r->place = *s->p == '{' ? TOP : r->bare ? EVENTS : NO_TRACE;
    s->p++;
    return true;
}

/* One member of the file, or the begin of the list. */
static bool read_top(struct sm_trace_reader *r, struct sm_scan *s, const char *begin)
{
    const char *from = s->p;
    struct sm_scan_value v;
    struct sm_text key;
    enum sm_scan_result result = sm_scan_name(s, &key);
    if (result == SM_SCAN_ITEM && sm_text_is(key, "traceEvents")) {
        result = sm_scan_enter(s, '[');
        if (result == SM_SCAN_ITEM) {
            r->place = EVENTS;
            r->listed = true;
            return true;
        }
    } else if (result == SM_SCAN_ITEM) {
        result = sm_scan_value(s, &v);
        if (result == SM_SCAN_ITEM)
            take_member(r->trace, key, &v);
    }
    if (result == SM_SCAN_TORN)
        return give_up(r, s, from, begin);
    if (result == SM_SCAN_BAD)
        refuse(r, begin, s->p);
    if (result != SM_SCAN_ITEM)
        r->place = END;
    return true;
}

/* On to what may be the next event, which may be in the next piece. */
static void resume(struct sm_trace_reader *r, struct sm_scan *s)
{
    const char *next = s->p < s->end ? memchr(s->p, '{', (size_t)(s->end - s->p)) : NULL;
    s->p = next ? next : s->end;
    r->lost = !next;
}

static bool read_event(struct sm_trace_reader *r, struct sm_scan *s, const char *begin)
{
    const char *from = s->p;
    struct sm_trace_members m;
    enum sm_scan_result result = sm_members_read(s, &m);
    if (result == SM_SCAN_TORN)
        return give_up(r, s, from, begin);
    r->trace->objects++;
    if (result != SM_SCAN_DONE || !take_event(r, &m))
        refuse(r, begin, from);
    if (result != SM_SCAN_DONE)
        resume(r, s);
    return true;
}

static bool read_list(struct sm_trace_reader *r, struct sm_scan *s, const char *begin)
{
    if (r->lost)
        resume(r, s);
    sm_scan_skip(s, ",");
    if (s->p == s->end)
        return false;
    if (*s->p == '{')
        return read_event(r, s, begin);
    if (*s->p == ']' || *s->p == '}') {
        r->place = r->bare || *s->p == '}' ? END : TOP;
        s->p++;
        return true;
    }
    refuse(r, begin, s->p);
    resume(r, s);
    return true;
}

static bool read_one(struct sm_trace_reader *r, struct sm_scan *s, const char *begin)
{
    switch (r->place) {
    case START:
        return read_start(r, s);
    case TOP:
        return read_top(r, s, begin);
    case EVENTS:
        return read_list(r, s, begin);
    case END:
    case NO_TRACE:
        break;
    }
    s->p = s->end;
    return false;
}

size_t sm_trace_feed(struct sm_trace_reader *r, const char *p, size_t n)
{
    struct sm_scan s = {p, p + n};
    while (!r->trace->no_memory && read_one(r, &s, p))
        ;
    r->offset += (uint64_t)(s.p - p);
    return (size_t)(s.p - p);
}

bool sm_trace_finish(struct sm_trace_reader *r)
{
    r->trace->cut = r->place == TOP || r->place == EVENTS || r->place == START;
    return r->listed;
}

bool sm_trace_looks_like(const char *p, size_t n)
{
    static const char *const keys[] = {"\"traceEvents\"", "\"deviceProperties\"",
                                       "\"distributedInfo\""};
    struct sm_scan s = {p, p + n};
    struct sm_trace_members m;
    sm_scan_skip(&s, "\xef\xbb\xbf");
    if (s.p == s.end || (*s.p != '{' && *s.p != '['))
        return false;
    for (size_t i = 0; *s.p == '{' && i < sizeof keys / sizeof *keys; i++)
        if (memmem(s.p, (size_t)(s.end - s.p), keys[i], strlen(keys[i])))
            return true;
    if (*s.p++ != '[')
        return false;
    sm_scan_skip(&s, "");
    return sm_members_read(&s, &m) == SM_SCAN_DONE && sm_members_have(&m, SM_MEMBER_PH) &&
           sm_members_have(&m, SM_MEMBER_PID) && m.value[SM_MEMBER_PH].text.n == 1;
}
