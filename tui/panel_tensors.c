/* What is there and what does it do: tensors by collection, with value or shape, health and trend. */
#include "reader/base/mem.h"
#include "reader/base/vec.h"
#include "tui/panel_list.h"
#include "tui/tensor_row.h"

#include <stdlib.h>
#include <string.h>

struct row {
    const char *group;                   /* a collection's line: its name; NULL: a tensor's */
    size_t count;
    uint32_t tensor;                     /* name id */
};
struct state {
    struct row *rows;
    size_t n, cap, cursor, top, matched;
    struct sm_names *folded;             /* names of the collections that are folded (odd number of toggles) */
    uint8_t *toggles;
    size_t cap_toggles;
    bool flat, dirty;
    char *filter;
    const struct sm_trial *trial;
    uint64_t version;
    int page;                            /* rows shown last */
    uint32_t seen;                       /* the current tensor when the cursor was last put on one */
};

/* ---- rows ---- */

static bool is_folded(const struct state *s, const char *group)
{
    uint32_t id = sm_names_find(s->folded, group, strlen(group));
    return id != SM_NAME_NONE && id < s->cap_toggles && s->toggles[id];
}

static void toggle(struct state *s, const char *group)
{
    uint32_t id = sm_names_add(s->folded, group, strlen(group));
    size_t before = s->cap_toggles;
    if (id == SM_NAME_NONE || !sm_vec_reserve((void **)&s->toggles, &s->cap_toggles, (size_t)id + 1, 1))
        return;
    memset(s->toggles + before, 0, s->cap_toggles - before);
    s->toggles[id] ^= 1;
    s->dirty = true;
}

static bool passes(const struct state *s, const char *name)
{
    if (!s->filter || !*s->filter)
        return true;
    if (strpbrk(s->filter, "*?["))
        return sm_glob_match(s->filter, name);
    return strcasestr(name, s->filter);
}

static void add_row(struct state *s, struct row r)
{
    if (SM_VEC_ROOM(s->rows, s->n, s->cap))
        s->rows[s->n++] = r;
}

static void add_group(struct state *s, const struct sm_trial *t, const char *name, const uint32_t *ids, size_t n)
{
    size_t at = s->n, count = 0;
    bool folded = is_folded(s, name) && !(s->filter && *s->filter);
    add_row(s, (struct row){.group = name});
    for (size_t i = 0; i < n; i++) {
        if (!passes(s, sm_names_text(sm_trial_names(t), ids[i])))
            continue;
        count++;
        if (!folded)
            add_row(s, (struct row){.tensor = ids[i]});
    }
    s->matched += count;
    if (!count)
        s->n = at;
    else if (at < s->n)
        s->rows[at].count = count;
}

/* "all" and "default" hold everything again, so they are left out where other collections say more. */
static bool says_little(const char *name)
{
    return strcmp(name, "all") == 0 || strcmp(name, "default") == 0;
}

static int rank(const char *name)
{
    return strcmp(name, "losses") == 0 ? 0 : strcmp(name, "metrics") == 0 ? 1 : 2;
}

static void add_others(struct state *s, const struct sm_trial *t)
{
    size_t n = sm_trial_tensor_count(t), k = 0, collections = sm_trial_collection_count(t);
    uint32_t *ids = sm_xalloc((n + 1) * sizeof *ids);
    for (size_t i = 0; i < n; i++) {
        const struct sm_trial_tensor *x = sm_trial_tensor(t, i);
        bool in = false;
        for (size_t c = 0; c < collections && !in; c++)
            in = !says_little(sm_trial_collection(t, c)->name) && sm_trial_in_collection(t, c, x->name);
        if (!in)
            ids[k++] = x->name;
    }
    if (k)
        add_group(s, t, "other tensors", ids, k);
    sm_free(ids);
}

static void rebuild(struct state *s, const struct sm_trial *t)
{
    uint32_t chosen = s->cursor < s->n && !s->rows[s->cursor].group ? s->rows[s->cursor].tensor : SM_NAME_NONE;
    s->n = s->matched = 0;
    if (s->flat) {
        for (size_t i = 0; i < sm_trial_tensor_count(t); i++) {
            const struct sm_trial_tensor *x = sm_trial_tensor(t, i);
            if (passes(s, sm_trial_tensor_name(t, x)))
                add_row(s, (struct row){.tensor = x->name});
        }
        s->matched = s->n;
    } else {
        for (int r = 0; r < 3; r++)
            for (size_t c = 0; c < sm_trial_collection_count(t); c++) {
                size_t n;
                const char *name = sm_trial_collection(t, c)->name;
                const uint32_t *ids = sm_trial_collection_tensors(t, c, &n);
                if (n && rank(name) == r && !says_little(name))
                    add_group(s, t, name, ids, n);
            }
        add_others(s, t);
    }
    for (size_t i = 0; chosen != SM_NAME_NONE && i < s->n; i++)
        if (!s->rows[i].group && s->rows[i].tensor == chosen) {
            s->cursor = i;
            break;
        }
    if (s->cursor >= s->n)
        s->cursor = s->n ? s->n - 1 : 0;
}

static void choose(struct state *s, struct sm_view *v)
{
    if (s->cursor < s->n && !s->rows[s->cursor].group)
        v->session->at.tensor = s->seen = s->rows[s->cursor].tensor;
}

/* Commands and other panels choose tensors too: the cursor goes there, once such a row is to be seen. */
static void follow(struct state *s, const struct sm_view *v)
{
    uint32_t now = v->session->at.tensor;
    for (size_t i = 0; now != s->seen && i < s->n; i++)
        if (!s->rows[i].group && s->rows[i].tensor == now) {
            s->cursor = i;
            s->seen = now;
        }
}

/* Rows follow the trial; called before anything that needs them. */
static void update(struct state *s, const struct sm_view *v)
{
    const struct sm_trial *t = sm_session_trial(v->session);
    if (!t) {
        s->n = 0;
        s->trial = NULL;
        return;
    }
    if (s->trial == t && s->version == sm_trial_version(t) && !s->dirty) {
        follow(s, v);
        return;
    }
    bool first = s->trial != t || !s->n;
    s->trial = t;
    s->version = sm_trial_version(t);
    s->dirty = false;
    rebuild(s, t);
    if (first)
        for (s->cursor = 0; s->cursor + 1 < s->n && s->rows[s->cursor].group;)
            s->cursor++;
    if (first && v->session->at.tensor == SM_NAME_NONE && s->cursor < s->n && !s->rows[s->cursor].group)
        v->session->at.tensor = s->seen = s->rows[s->cursor].tensor;
    follow(s, v);
}

/* ---- drawing ---- */

/* How much all names of the row's group begin with, up to a separator: it says the least. */
static size_t common_prefix(const struct state *s, const struct sm_names *names, size_t row)
{
    size_t from = row, to = row + 1, n = 0;
    while (from && !s->rows[from - 1].group)
        from--;
    while (to < s->n && !s->rows[to].group)
        to++;
    const char *first = sm_names_text(names, s->rows[from].tensor);
    size_t common = strlen(first);
    for (size_t i = from + 1; i < to; i++) {
        const char *other = sm_names_text(names, s->rows[i].tensor);
        size_t k = 0;
        while (k < common && other[k] == first[k])
            k++;
        common = k;
    }
    for (size_t i = 0; i < common && to - from > 1; i++)
        if (strchr("/._:", first[i]))
            n = i + 1;
    return n;
}

static void draw_row(const struct state *s, const struct sm_view *v, size_t i, struct sm_grid *g, struct sm_rect r, int y, bool focused)
{
    const struct row *row = &s->rows[i];
    if (row->group) {
        bool folded = is_folded(s, row->group);
        struct sm_str name = {0};
        sm_grid_put(g, r.x, y, folded ? v->glyphs->folded : v->glyphs->unfolded, SM_ROLE_ACCENT, 0);
        sm_str_add_escaped(&name, row->group, strlen(row->group));
        sm_grid_text(g, r.x + 1, y, r.w - 8, SM_ROLE_TITLE, SM_ATTR_BOLD, sm_str_text(&name));
        sm_grid_printf(g, r.x + r.w - 5, y, 5, SM_ROLE_DIM, 0, "%5zu", row->count);
        sm_str_clear(&name);
    } else {
        const struct sm_trial *t = sm_session_trial(v->session);
        const char *name = sm_names_text(sm_trial_names(t), row->tensor);
        const struct sm_trial_tensor *x = sm_trial_find(t, name, sm_names_length(sm_trial_names(t), row->tensor));
        size_t common = common_prefix(s, sm_trial_names(t), i);
        sm_tensor_row_draw(v, x, common, s->flat ? 1 : 2, g, (struct sm_rect){r.x, y, r.w, 1});
    }
    if (i == s->cursor)
        sm_grid_attr(g, (struct sm_rect){r.x, y, r.w, 1}, focused ? SM_ATTR_REVERSE : SM_ATTR_BOLD);
}

static void draw(struct sm_panel *p, const struct sm_view *v, struct sm_grid *g, struct sm_rect r, bool focused, struct sm_str *note)
{
    struct state *s = p->state;
    update(s, v);
    if (r.h > 1 && s->n && sm_tensor_row_header(g, r)) {
        r.y++;
        r.h--;
    }
    s->page = r.h;
    if (s->cursor < s->top)
        s->top = s->cursor;
    if (r.h > 0 && s->cursor >= s->top + (size_t)r.h)
        s->top = s->cursor - (size_t)r.h + 1;
    if (s->n <= (size_t)(r.h > 0 ? r.h : 0))
        s->top = 0;
    for (int y = 0; y < r.h && s->top + (size_t)y < s->n; y++)
        draw_row(s, v, s->top + (size_t)y, g, r, r.y + y, focused);
    if (!s->n)
        sm_grid_text(g, r.x + 1, r.y, r.w - 1, SM_ROLE_DIM, 0, s->filter && *s->filter ? "nothing matches" : "no tensor yet");
    if (s->trial && s->filter && *s->filter)
        sm_str_printf(note, "%zu of %zu", s->matched, sm_trial_tensor_count(s->trial));
    else if (s->n > (size_t)r.h)
        sm_str_printf(note, "%zu-%zu of %zu", s->top + 1, s->top + (size_t)r.h < s->n ? s->top + (size_t)r.h : s->n, s->n);
}

/* ---- actions ---- */

static void move(struct state *s, struct sm_view *v, int64_t by)
{
    int64_t to = (int64_t)s->cursor + by;
    s->cursor = to < 0 ? 0 : to >= (int64_t)s->n ? (s->n ? s->n - 1 : 0) : (size_t)to;
    choose(s, v);
}

static bool fold(struct state *s, struct sm_view *v, bool open)
{
    size_t i = s->cursor;
    while (i && !s->rows[i].group)
        i--;
    if (!s->n || !s->rows[i].group || is_folded(s, s->rows[i].group) != open)
        return false;
    s->cursor = i;
    toggle(s, s->rows[i].group);
    update(s, v);
    return true;
}

static bool open_row(struct state *s, struct sm_view *v)
{
    if (s->cursor >= s->n || !s->rows[s->cursor].group)
        return false;
    toggle(s, s->rows[s->cursor].group);
    update(s, v);
    return true;
}

static bool act(struct sm_panel *p, struct sm_view *v, enum sm_action a)
{
    struct state *s = p->state;
    update(s, v);
    switch (a) {
    case SM_ACT_DOWN:
        move(s, v, 1);
        return true;
    case SM_ACT_UP:
        move(s, v, -1);
        return true;
    case SM_ACT_HALF_DOWN:
        move(s, v, s->page / 2);
        return true;
    case SM_ACT_HALF_UP:
        move(s, v, -(s->page / 2));
        return true;
    case SM_ACT_PAGE_DOWN:
        move(s, v, s->page);
        return true;
    case SM_ACT_PAGE_UP:
        move(s, v, -s->page);
        return true;
    case SM_ACT_FIRST:
        move(s, v, INT32_MIN);
        return true;
    case SM_ACT_LAST:
        move(s, v, INT32_MAX);
        return true;
    case SM_ACT_LEFT:
        fold(s, v, false);
        return true;
    case SM_ACT_RIGHT:
        fold(s, v, true);
        return true;
    case SM_ACT_OPEN:
        return open_row(s, v);
    case SM_ACT_TREE:
        s->flat = !s->flat;
        s->dirty = true;
        update(s, v);
        return true;
    default:
        return false;
    }
}

static void filter(struct sm_panel *p, struct sm_view *v, const char *text)
{
    struct state *s = p->state;
    sm_free(s->filter);
    s->filter = sm_xstrdup(text);
    s->dirty = true;
    s->seen = SM_NAME_NONE;              /* where it was, if it still is there */
    update(s, v);
    if (!*text)
        return;
    while (s->cursor + 1 < s->n && s->rows[s->cursor].group)
        s->cursor++;
    choose(s, v);
}

static bool search(struct sm_panel *p, struct sm_view *v, const char *text, int direction)
{
    struct state *s = p->state;
    const struct sm_trial *t = sm_session_trial(v->session);
    for (size_t k = 1; k <= s->n; k++) {
        size_t i = (s->cursor + (direction > 0 ? k : s->n - k)) % s->n;
        const char *name = s->rows[i].group ? s->rows[i].group : sm_names_text(sm_trial_names(t), s->rows[i].tensor);
        if (strcasestr(name, text)) {
            s->cursor = i;
            choose(s, v);
            return true;
        }
    }
    return false;
}

static void init(struct sm_panel *p, struct sm_view *v)
{
    struct state *s = p->state;
    (void)v;
    s->folded = sm_names_new();
    s->seen = SM_NAME_NONE;
}

static void clear(struct sm_panel *p)
{
    struct state *s = p->state;
    sm_names_free(s->folded);
    sm_free(s->toggles);
    sm_free(s->rows);
    sm_free(s->filter);
}

const struct sm_panel_ops sm_panel_tensors = {
    .name = "tensors",
    .title = "tensors",
    .help = "The tensors by collection: value or shape at the current step, a problem in its place (NaN, Inf, all 0), and the mean over the steps.",
    .context = SM_CTX_LIST,
    .hints = {"? help", ": command", "\\ filter", "[ ] step", "f follow"},
    .state_size = sizeof(struct state),
    .min_w = 16,
    .min_h = 3,
    .max_w = 64,
    .init = init,
    .clear = clear,
    .draw = draw,
    .act = act,
    .filter = filter,
    .search = search,
};
