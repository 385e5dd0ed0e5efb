/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/profile/pevents.h"

#include "reader/base/mem.h"
#include "reader/base/vec.h"
#include "reader/format/json_scan.h"

#include <string.h>

enum { NAME_BYTES = 512, OPEN_MAX = 65536, PROCESSES_MAX = 65536, HELD_MAX = 65536 };
#define NO_OPEN UINT32_MAX
#define LOADER  "DataLoaderIterInitialize" /* its arguments are kept */

/* A begin that waits for its end; below: the one before it in the same process. */
struct open_event {
    struct sm_profile_event event;
    uint32_t name, below; /* name: in the names of the timeline */
};
struct process {
    uint32_t name;   /* in the names of the timeline; NONE: not named yet */
    uint32_t top;    /* newest of its open events */
    uint32_t in_now; /* id of its name in the batch that is being filled; NONE: not there yet */
};
/* An event whose process has no name yet, or that came after such a one; its own names are those of
 * the timeline. */
struct held_event {
    struct sm_profile_event event;
    uint32_t process;
};
struct sm_pevents {
    enum sm_pevents_kind kind;
    int64_t base_ns;
    uint64_t offset; /* of the bytes used so far */
    bool begun;      /* the first event was seen */
    struct sm_names *names;
    struct sm_map by_pid;
    struct process *processes;
    size_t n_processes, cap_processes;
    struct open_event *open;
    size_t n_open, cap_open;
    uint32_t free_open; /* first of the chain of unused ones */
    struct held_event *held;
    size_t n_held, cap_held, held_before; /* before: when the last piece began */
};

/* The members of an event that matter, as written. */
struct members {
    struct sm_scan_value name, ph, pid, ts, dur, args;
    unsigned seen;
};
enum { NAME = 1, PH = 2, PID = 4, TS = 8, DUR = 16, ARGS = 32 };

void sm_event_batch_clear(struct sm_event_batch *b)
{
    sm_names_free(b->names);
    sm_free(b->events);
    *b = (struct sm_event_batch){0};
}

struct sm_pevents *sm_pevents_new(enum sm_pevents_kind kind, int64_t base_ns)
{
    struct sm_pevents *t = sm_alloc_zero(1, sizeof *t);
    if (!t)
        return NULL;
    t->kind = kind;
    t->base_ns = base_ns;
    t->free_open = NO_OPEN;
    t->names = sm_names_new();
    if (t->names)
        return t;
    sm_free(t);
    return NULL;
}

void sm_pevents_free(struct sm_pevents *t)
{
    if (!t)
        return;
    sm_names_free(t->names);
    sm_map_clear(&t->by_pid);
    sm_free(t->processes);
    sm_free(t->open);
    sm_free(t->held);
    sm_free(t);
}

/* ---- names ---- */

static uint32_t add_name(struct sm_names *names, const struct sm_scan_value *v)
{
    struct sm_str text = {0};
    if (!v->escaped)
        return sm_names_add(names, v->text.p, v->text.n < NAME_BYTES ? v->text.n : NAME_BYTES);
    sm_scan_text(v, &text);
    size_t n = text.len < NAME_BYTES ? text.len : NAME_BYTES;
    uint32_t id = text.failed ? SM_NAME_NONE : sm_names_add(names, sm_str_text(&text), n);
    sm_str_clear(&text);
    return id;
}

/* The process of an event; NULL: too many, or no memory. A pid may be text. */
static struct process *process_of(struct sm_pevents *t, const struct members *m)
{
    int64_t pid = 0;
    uint64_t at;
    if ((m->seen & PID) && !sm_scan_decimal(&m->pid, 0, &pid))
        pid = INT64_MIN + add_name(t->names, &m->pid);
    if (sm_map_get(&t->by_pid, (uint64_t)pid, &at))
        return &t->processes[at];
    if (t->n_processes >= PROCESSES_MAX ||
        !SM_VEC_ROOM(t->processes, t->n_processes, t->cap_processes) ||
        !sm_map_put(&t->by_pid, (uint64_t)pid, t->n_processes))
        return NULL;
    struct process *p = &t->processes[t->n_processes++];
    *p = (struct process){SM_NAME_NONE, NO_OPEN, SM_NAME_NONE};
    return p;
}

/* In the names of the batch. */
static uint32_t phase_of(const struct sm_pevents *t, struct process *p, struct sm_event_batch *b)
{
    static const char unknown[] = "Unknown";
    if (p->in_now == SM_NAME_NONE && p->name == SM_NAME_NONE)
        p->in_now = sm_names_add(b->names, unknown, sizeof unknown - 1);
    else if (p->in_now == SM_NAME_NONE)
        p->in_now = sm_names_add(b->names, sm_names_text(t->names, p->name),
                                 sm_names_length(t->names, p->name));
    return p->in_now;
}

/* ---- arguments ---- */

struct arguments {
    struct sm_scan_value name, event_name, step, pid, start;
    bool has_name, has_event_name, has_step, has_pid, has_start;
};

static bool is_key(struct sm_text key, const char *name, struct sm_scan_value *to, bool *has,
                   const struct sm_scan_value *v)
{
    if (!sm_text_is(key, name))
        return false;
    *to = *v;
    *has = true;
    return true;
}

static void read_arguments(const struct members *m, struct arguments *a)
{
    struct sm_scan s;
    struct sm_scan_value v;
    struct sm_text key;
    *a = (struct arguments){0};
    if (!(m->seen & ARGS) || m->args.type != SM_SCAN_MAP)
        return;
    s = (struct sm_scan){m->args.text.p, m->args.text.p + m->args.text.n};
    if (sm_scan_enter(&s, '{') != SM_SCAN_ITEM)
        return;
    while (sm_scan_key(&s, &key, &v) == SM_SCAN_ITEM) {
        bool known = is_key(key, "name", &a->name, &a->has_name, &v) ||
                     is_key(key, "step_num", &a->step, &a->has_step, &v) ||
                     is_key(key, "pid", &a->pid, &a->has_pid, &v) ||
                     is_key(key, "event_name", &a->event_name, &a->has_event_name, &v) ||
                     is_key(key, "start_time_since_epoch_in_micros", &a->start, &a->has_start, &v);
        (void)known;
    }
}

/* What is kept of the arguments besides step and process. */
static uint32_t detail_of(struct sm_names *names, const char *phase, const struct arguments *a,
                          const struct members *m)
{
    if (a->has_event_name)
        return add_name(names, &a->event_name);
    if (strcmp(phase, LOADER) == 0 || (!*phase && m->name.text.n == strlen(LOADER) &&
                                       memcmp(m->name.text.p, LOADER, strlen(LOADER)) == 0))
        return m->seen & ARGS ? add_name(names, &m->args) : SM_NAME_NONE;
    return SM_NAME_NONE;
}

/* ---- events ---- */

static bool push(struct sm_event_batch *b, const struct sm_profile_event *e)
{
    if (e->name == SM_NAME_NONE || e->phase == SM_NAME_NONE ||
        !SM_VEC_ROOM(b->events, b->n, b->cap)) {
        b->no_memory = true;
        return false;
    }
    b->events[b->n++] = *e;
    return true;
}

static uint32_t move_name(const struct sm_pevents *t, struct sm_event_batch *b, uint32_t id)
{
    return id == SM_NAME_NONE
               ? id
               : sm_names_add(b->names, sm_names_text(t->names, id), sm_names_length(t->names, id));
}

/* Gives the batch the first n of the held events. */
static bool release(struct sm_pevents *t, struct sm_event_batch *b, size_t n)
{
    bool ok = true;
    for (size_t i = 0; i < n; i++) {
        struct held_event x = t->held[i];
        x.event.phase = phase_of(t, &t->processes[x.process], b);
        x.event.name = move_name(t, b, x.event.name);
        x.event.detail = move_name(t, b, x.event.detail);
        ok = push(b, &x.event) && ok;
    }
    t->n_held -= n;
    if (t->n_held)
        memmove(t->held, t->held + n, t->n_held * sizeof *t->held);
    t->held_before = t->held_before > n ? t->held_before - n : 0;
    return ok;
}

/* Those up to the first one whose process has no name yet. */
static void release_named(struct sm_pevents *t, struct sm_event_batch *b)
{
    size_t n = 0;
    while (n < t->n_held && t->processes[t->held[n].process].name != SM_NAME_NONE)
        n++;
    if (n)
        release(t, b, n);
}

/* Whether an event of the process goes into the batch at once: it has a name, and nothing that came
 * before is held back. */
static bool is_direct(const struct sm_pevents *t, const struct process *p)
{
    return p->name != SM_NAME_NONE && !t->n_held;
}

/* Gives the batch an event, or keeps it. */
static bool give(struct sm_pevents *t, struct sm_event_batch *b, const struct process *p,
                 const struct sm_profile_event *e)
{
    if (is_direct(t, p))
        return push(b, e);
    if (e->name == SM_NAME_NONE || !SM_VEC_ROOM(t->held, t->n_held, t->cap_held)) {
        b->no_memory = true;
        return false;
    }
    t->held[t->n_held++] = (struct held_event){*e, (uint32_t)(p - t->processes)};
    return t->n_held < HELD_MAX || release(t, b, t->n_held);
}

static bool add_ns(int64_t a, int64_t b, int64_t *sum)
{
    return !__builtin_add_overflow(a, b, sum);
}

/* Of an event that is held back the phase is NONE, and names are those of the timeline. */
static bool make_event(struct sm_pevents *t, struct sm_event_batch *b, const struct members *m,
                       struct process *p, struct sm_profile_event *e)
{
    bool direct = is_direct(t, p);
    struct sm_names *names = direct ? b->names : t->names;
    const char *phase = p->name == SM_NAME_NONE ? "" : sm_names_text(t->names, p->name);
    struct arguments a;
    int64_t ts, step, pid, end;
    *e = (struct sm_profile_event){.kind = (uint8_t)t->kind & 0x7f, .step = -1};
    if (!(m->seen & TS) || !sm_scan_decimal(&m->ts, 3, &ts) ||
        !add_ns(t->base_ns, ts, &e->start_ns))
        return false;
    if ((m->seen & DUR) && (!sm_scan_decimal(&m->dur, 3, &e->duration_ns) || e->duration_ns < 0 ||
                            !add_ns(e->start_ns, e->duration_ns, &end)))
        return false;
    read_arguments(m, &a);
    e->phase = direct ? phase_of(t, p, b) : SM_NAME_NONE;
    e->name = m->seen & NAME ? add_name(names, &m->name) : sm_names_add(names, "", 0);
    if ((direct && e->phase == SM_NAME_NONE) || e->name == SM_NAME_NONE)
        return true; /* push says that there is no memory */
    e->detail = detail_of(names, phase, &a, m);
    if (a.has_step && sm_scan_decimal(&a.step, 0, &step) && step >= 0 && step <= INT32_MAX)
        e->step = (int32_t)step;
    if (a.has_pid && sm_scan_decimal(&a.pid, 0, &pid) && pid > 0 && pid <= UINT32_MAX)
        e->pid = (uint32_t)pid;
    return true;
}

static void take_metadata(struct sm_pevents *t, struct sm_event_batch *b, const struct members *m,
                          struct process *p)
{
    struct arguments a;
    int64_t base;
    read_arguments(m, &a);
    if (a.has_start && sm_scan_decimal(&a.start, 3, &base))
        t->base_ns = base;
    if (!a.has_name || m->name.text.n != 12 || memcmp(m->name.text.p, "process_name", 12) != 0)
        return;
    p->name = add_name(t->names, &a.name);
    p->in_now = SM_NAME_NONE;
    release_named(t, b);
}

static bool open_event(struct sm_pevents *t, struct process *p, const struct members *m,
                       const struct sm_profile_event *e)
{
    uint32_t at = t->free_open;
    if (at != NO_OPEN)
        t->free_open = t->open[at].below;
    else if (t->n_open < OPEN_MAX && SM_VEC_ROOM(t->open, t->n_open, t->cap_open))
        at = (uint32_t)t->n_open++;
    else
        return false;
    t->open[at] = (struct open_event){*e, add_name(t->names, &m->name), p->top};
    p->top = at;
    return t->open[at].name != SM_NAME_NONE;
}

/* The pair is an event with the name and arguments of its begin. */
static bool close_event(struct sm_pevents *t, struct sm_event_batch *b, struct process *p,
                        const struct sm_profile_event *end)
{
    uint32_t at = p->top;
    if (at == NO_OPEN)
        return true;
    struct open_event *x = &t->open[at];
    struct sm_profile_event e = x->event;
    p->top = x->below;
    x->below = t->free_open;
    t->free_open = at;
    e.duration_ns = end->start_ns - e.start_ns;
    if (e.duration_ns < 0)
        return true;
    e.phase = end->phase;
    e.name = is_direct(t, p) ? move_name(t, b, x->name) : x->name;
    e.detail = SM_NAME_NONE;
    e.step = e.step < 0 ? end->step : e.step;
    return give(t, b, p, &e);
}

static bool take_event(struct sm_pevents *t, struct sm_event_batch *b, const struct members *m)
{
    char ph = m->ph.text.n == 1 ? *m->ph.text.p : 0;
    struct sm_profile_event e;
    struct process *p;
    if (!(m->seen & PH) || !ph)
        return false;
    if (!strchr("MXBEiIR", ph))
        return true; /* flows, counters and samples have no duration */
    p = process_of(t, m);
    if (!p) {
        b->no_memory = true;
        return true;
    }
    if (ph == 'M') {
        take_metadata(t, b, m, p);
        return true;
    }
    if (!make_event(t, b, m, p, &e))
        return false;
    if (ph == 'B')
        return open_event(t, p, m, &e);
    if (ph == 'E')
        return close_event(t, b, p, &e) || b->no_memory;
    e.instant = ph != 'X';
    e.duration_ns = e.instant ? 0 : e.duration_ns;
    return give(t, b, p, &e) || b->no_memory;
}

/* ---- the file ---- */

static void take_member(struct members *m, struct sm_text key, const struct sm_scan_value *v)
{
    static const struct {
        const char *name;
        size_t offset;
        unsigned bit;
    } known[] = {
        {"name", offsetof(struct members, name), NAME},
        {"ph", offsetof(struct members, ph), PH},
        {"pid", offsetof(struct members, pid), PID},
        {"ts", offsetof(struct members, ts), TS},
        {"dur", offsetof(struct members, dur), DUR},
        {"args", offsetof(struct members, args), ARGS},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (sm_text_is(key, known[i].name)) {
            memcpy((char *)m + known[i].offset, v, sizeof *v);
            m->seen |= known[i].bit;
            return;
        }
}

static enum sm_scan_result read_members(struct sm_scan *s, struct members *m)
{
    struct sm_scan_value v;
    struct sm_text key;
    enum sm_scan_result r = sm_scan_enter(s, '{');
    *m = (struct members){.name.text = {"", 0}};
    while (r == SM_SCAN_ITEM) {
        r = sm_scan_key(s, &key, &v);
        if (r == SM_SCAN_ITEM)
            take_member(m, key, &v);
    }
    return r;
}

/* The first object may hold the list of events: then *s moves into it. TORN: not known yet. */
static enum sm_scan_result enter_file(struct sm_pevents *t, struct sm_scan *s)
{
    struct sm_scan at = *s, before;
    struct sm_scan_value v;
    struct sm_text key;
    enum sm_scan_result r = sm_scan_enter(&at, '{');
    while (r == SM_SCAN_ITEM) {
        before = at;
        r = sm_scan_key(&at, &key, &v);
        if (r == SM_SCAN_ITEM && sm_text_is(key, "ph"))
            break;
        /* its list may be torn, or far too deep to be one value */
        sm_scan_skip(&before, ",");
        size_t near = (size_t)(before.end - before.p) < 64 ? (size_t)(before.end - before.p) : 64;
        const char *list = near > 13 ? memchr(before.p, '[', near) : NULL;
        if (list && memcmp(before.p, "\"traceEvents\"", 13) == 0) {
            s->p = list + 1;
            t->begun = true;
            return SM_SCAN_ITEM;
        }
    }
    t->begun = r != SM_SCAN_TORN;
    return r == SM_SCAN_TORN ? r : SM_SCAN_DONE;
}

static void skip_line(struct sm_scan *s)
{
    const char *lf = memchr(s->p, '\n', (size_t)(s->end - s->p));
    s->p = lf ? lf + 1 : s->end;
}

static void refuse(const struct sm_pevents *t, struct sm_event_batch *b, const char *begin,
                   const char *at)
{
    if (!b->bad++)
        b->bad_at = t->offset + (uint64_t)(at - begin);
}

/* What is no object: members of the file's own, after its list. */
static bool skip_stray(struct sm_pevents *t, struct sm_event_batch *b, struct sm_scan *s,
                       const char *begin)
{
    struct sm_scan_value v;
    const char *from = s->p;
    enum sm_scan_result r = sm_scan_value(s, &v);
    if (r == SM_SCAN_TORN && s->end - from <= SM_PEVENTS_EVENT_MAX) {
        s->p = from;
        return false;
    }
    if (r != SM_SCAN_ITEM) {
        refuse(t, b, begin, from);
        s->p = from;
        skip_line(s);
    }
    return true;
}

/* One event, or what stands between events. False: the rest is torn. */
static bool read_one(struct sm_pevents *t, struct sm_event_batch *b, struct sm_scan *s,
                     const char *begin)
{
    struct members m;
    const char *from = s->p;
    enum sm_scan_result r = SM_SCAN_DONE;
    if (*s->p != '{')
        return skip_stray(t, b, s, begin);
    if (!t->begun)
        r = enter_file(t, s);
    if (r == SM_SCAN_ITEM)
        return true;
    if (r != SM_SCAN_TORN)
        r = read_members(s, &m);
    if (r == SM_SCAN_TORN && s->end - from <= SM_PEVENTS_EVENT_MAX) {
        s->p = from;
        return false;
    }
    if (r == SM_SCAN_DONE && take_event(t, b, &m))
        return true;
    if (r == SM_SCAN_DONE && !(m.seen & PH))
        return true; /* what a tool adds after the list */
    refuse(t, b, begin, from);
    if (r != SM_SCAN_DONE) {
        s->p = from;
        skip_line(s);
    }
    return true;
}

static void begin_batch(struct sm_pevents *t, struct sm_event_batch *b)
{
    if (b->n == 0)
        for (size_t i = 0; i < t->n_processes; i++)
            t->processes[i].in_now = SM_NAME_NONE;
    if (!b->names)
        b->names = sm_names_new();
    b->no_memory = b->no_memory || !b->names;
}

size_t sm_pevents_read(struct sm_pevents *t, struct sm_event_batch *b, const char *p, size_t n)
{
    struct sm_scan s = {p, p + n};
    begin_batch(t, b);
    t->held_before = t->n_held;
    while (!b->no_memory) {
        sm_scan_skip(&s, ",:[]}");
        if (s.p == s.end || !read_one(t, b, &s, p))
            break;
    }
    t->offset += (uint64_t)(s.p - p);
    return (size_t)(s.p - p);
}

void sm_pevents_end(struct sm_pevents *t, struct sm_event_batch *b, bool growing)
{
    size_t n = growing && t->held_before < t->n_held ? t->held_before : t->n_held;
    begin_batch(t, b);
    if (n && !b->no_memory)
        release(t, b, n);
    release_named(t, b);
}
