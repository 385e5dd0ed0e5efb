/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/textlog/textlog_head.h"
#include "reader/textlog/textlog_count.h"
#include "reader/textlog/textlog_number.h"

#include <string.h>

/* ---- words ---- */

/* WEAK: an everyday word; it needs a sign between it and the number, or the line's begin. MANY: a
 * number of them is rather a setting; it needs the line's begin, TOTAL: "3/10". */
enum strength { STRONG, WEAK, MANY, TOTAL };
struct step_word {
    const char *word;
    enum sm_textlog_unit unit;
    enum strength strength;
};
static const struct step_word words[] = {
    {"step", SM_TEXTLOG_STEP, STRONG},
    {"steps", SM_TEXTLOG_STEP, MANY},
    {"iter", SM_TEXTLOG_STEP, STRONG},
    {"iters", SM_TEXTLOG_STEP, MANY},
    {"iteration", SM_TEXTLOG_STEP, STRONG},
    {"iterations", SM_TEXTLOG_STEP, MANY},
    {"itr", SM_TEXTLOG_STEP, STRONG},
    {"it", SM_TEXTLOG_STEP, WEAK},
    {"update", SM_TEXTLOG_STEP, WEAK},
    {"updates", SM_TEXTLOG_STEP, MANY},
    {"timestep", SM_TEXTLOG_STEP, STRONG},
    {"timesteps", SM_TEXTLOG_STEP, MANY},
    {"_step", SM_TEXTLOG_STEP, STRONG},
    {"train_step", SM_TEXTLOG_STEP, STRONG},
    {"training_step", SM_TEXTLOG_STEP, STRONG},
    {"train_iter", SM_TEXTLOG_STEP, STRONG},
    {"cur_step", SM_TEXTLOG_STEP, STRONG},
    {"current_step", SM_TEXTLOG_STEP, STRONG},
    {"cur_iter", SM_TEXTLOG_STEP, STRONG},
    {"opt_step", SM_TEXTLOG_STEP, STRONG},
    {"optimizer_step", SM_TEXTLOG_STEP, STRONG},
    {"step_num", SM_TEXTLOG_STEP, STRONG},
    {"iter_num", SM_TEXTLOG_STEP, STRONG},
    {"n_iter", SM_TEXTLOG_STEP, STRONG},
    {"globalstep", SM_TEXTLOG_GLOBAL, STRONG},
    {"global_step", SM_TEXTLOG_GLOBAL, STRONG},
    {"global_steps", SM_TEXTLOG_GLOBAL, STRONG},
    {"global_iter", SM_TEXTLOG_GLOBAL, STRONG},
    {"num_updates", SM_TEXTLOG_GLOBAL, STRONG},
    {"num_timesteps", SM_TEXTLOG_GLOBAL, STRONG},
    {"total_timesteps", SM_TEXTLOG_GLOBAL, STRONG},
    {"epoch", SM_TEXTLOG_EPOCH, STRONG},
    {"epochs", SM_TEXTLOG_EPOCH, TOTAL},
    {"ep", SM_TEXTLOG_EPOCH, WEAK},
    {"epoch_num", SM_TEXTLOG_EPOCH, STRONG},
    {"current_epoch", SM_TEXTLOG_EPOCH, STRONG},
    {"round", SM_TEXTLOG_EPOCH, WEAK},
    {"episode", SM_TEXTLOG_EPOCH, WEAK},
    {"generation", SM_TEXTLOG_EPOCH, WEAK},
    {"batch", SM_TEXTLOG_BATCH, WEAK},
    {"batch_idx", SM_TEXTLOG_BATCH, STRONG},
    {"minibatch", SM_TEXTLOG_BATCH, WEAK},
};
/* "number of skipped iterations: 0", "per step 3", "max epoch 5" are no steps. */
static const char not_after[] =
    " per each every max maximum min total num number warmup warm nan skipped log logging save "
    "best last until till remaining next than from since accumulation ";
/* "train/step: 5" is a step, "ms/step: 5" is none. */
static const char before_slash[] = " train trainer training global progress counters general "
                                   "time timers ";

static const struct step_word *find_word(const char *p, size_t n)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const char *w = words[i].word;
        size_t at = 0;
        while (at < n && w[at] && w[at] == sm_textlog_lower(p[at]))
            at++;
        if (at == n && !w[at])
            return &words[i];
    }
    return NULL;
}

enum sm_textlog_unit sm_textlog_unit_of(const char *p, size_t n)
{
    const char *slash = memrchr(p, '/', n);
    if (slash && !sm_textlog_in_words(before_slash, p, (size_t)(slash - p)))
        return SM_TEXTLOG_NO_UNIT;
    size_t skip = slash ? (size_t)(slash + 1 - p) : 0;
    const struct step_word *w = find_word(p + skip, n - skip);
    if (w)
        return w->unit;
    if (n == 11 && find_word(p + 7, 4) && sm_textlog_in_words(" global ", p, 6))
        return SM_TEXTLOG_GLOBAL;
    return SM_TEXTLOG_NO_UNIT;
}

bool sm_textlog_is_plural(const char *p, size_t n)
{
    const struct step_word *w = find_word(p, n);
    return w && w->strength >= MANY;
}

/* ---- a head ---- */

struct scan {
    const char *begin, *end;
};

static const char *skip_blanks(const char *p, const char *end)
{
    while (p < end && sm_textlog_is_blank(*p))
        p++;
    return p;
}

/* The word before p, with one sign or blank between them. */
static struct sm_text word_before(const struct scan *s, const char *p)
{
    while (p > s->begin && sm_textlog_is_blank(p[-1]))
        p--;
    const char *last = p;
    while (p > s->begin && sm_textlog_is_word(p[-1]))
        p--;
    return (struct sm_text){p, (size_t)(last - p)};
}

static bool may_begin(const struct scan *s, const char *p, bool *global)
{
    *global = false;
    if (p == s->begin)
        return true;
    char before = p[-1];
    if (sm_textlog_is_word(before) || before == '.' || before == '\\' || before == '@')
        return false;
    struct sm_text w = word_before(s, before == '/' || before == '-' ? p - 1 : p);
    *global = sm_textlog_in_words(" global ", w.p, w.n);
    if (before == '-')
        return *global;
    if (before == '/') /* "epoch=0/global_step=10" too */
        return sm_textlog_in_words(before_slash, w.p, w.n) ||
               (w.n && sm_textlog_is_digit(w.p[w.n - 1]));
    return !sm_textlog_in_words(not_after, w.p, w.n);
}

/* Nothing but signs, or a prefix that ends with a sign, before p. */
static bool leads_line(const struct scan *s, const char *p)
{
    while (p > s->begin && (sm_textlog_is_blank(p[-1]) || strchr("[(|=-*#>", p[-1])))
        p--;
    if (p == s->begin || p[-1] == ':' || p[-1] == ']')
        return true;
    struct sm_text w = word_before(s, p);
    return sm_textlog_in_words(" info train training starting start begin beginning running "
                               "global end of ",
                               w.p, w.n);
}

static bool starts_field(const struct scan *s, const char *p)
{
    while (p > s->begin && sm_textlog_is_blank(p[-1]))
        p--;
    return p == s->begin || strchr(",;|[(", p[-1]);
}

/* "9.000": a global step that was logged as a number. */
static const char *read_global(const char *p, const char *end, int64_t *n)
{
    struct sm_textlog_number number;
    if (!sm_textlog_number(p, end, false, &number) || number.whole || number.value < 0 ||
        number.value > 9e15 || number.value != (double)(int64_t)number.value)
        return NULL;
    *n = (int64_t)number.value;
    return number.next;
}

/* "N" or "N/M" with what may stand around it; p is behind the word, which begins a field if
 * `field`.
 */
static bool read_head(const char *p, const char *end, enum strength strength, bool field,
                      struct sm_textlog_head *h)
{
    const char *q = skip_blanks(p, end);
    if (q == end || (q == p && !strchr(":=#[(\"'", *q)))
        return false;
    bool sign = strchr(":=#[(\"'", *q) != NULL;
    q += *q == '"' || *q == '\'';
    if (q < end && (*q == ':' || *q == '=' || *q == '#'))
        q = skip_blanks(q + 1, end);
    if (!h->leads && (strength >= MANY || (strength == WEAK && !sign && !field)))
        return false;
    char open = q < end && (*q == '[' || *q == '(') ? *q : 0;
    const char *number = q + (open != 0);
    q = sm_textlog_read_count(number, end, &h->n);
    if (!q && h->unit == SM_TEXTLOG_GLOBAL && number < end)
        q = read_global(number, end, &h->n);
    const char *total = q ? sm_textlog_read_total(q, end, &h->of) : NULL;
    if (!total || !sm_textlog_count_ends(total, end) || (strength == TOTAL && h->of == 0))
        return false;
    q = open ? skip_blanks(total, end) : total;
    h->end = open && q < end && (*q == ']' || *q == ')') ? q + 1 : total;
    return true;
}

/* "Epoch(train)  [1][100/1000]": what stands between the word and the number. */
static const char *skip_phase(const char *p, const char *end)
{
    static const char *const phases[] = {"(train)", "(val)", "(test)"};
    for (size_t i = 0; i < sizeof phases / sizeof *phases; i++)
        if ((size_t)(end - p) > strlen(phases[i]) && memcmp(p, phases[i], strlen(phases[i])) == 0)
            return p + strlen(phases[i]);
    return p;
}

/* ---- the heads of a line ---- */

static bool has_unit(const struct sm_textlog_head *out, size_t n, enum sm_textlog_unit unit)
{
    for (size_t i = 0; i < n; i++)
        if (out[i].unit == unit)
            return true;
    return false;
}

static const char *word_end(const char *p, const char *end)
{
    while (p < end && (sm_textlog_is_letter(*p) || *p == '_'))
        p++;
    return p;
}

/* "imgsz=64, batch=4, lr0=0.1": a batch without an epoch before it is a setting, unless it leads
 * the line, says its total or is that of a group, as "time/batch: 4". */
static bool is_setting(const struct sm_textlog_head *h, size_t before)
{
    return h->unit == SM_TEXTLOG_BATCH && !h->leads && h->of == 0 && before == 0 &&
           h->begin[-1] != '/';
}

/* Reads the head whose word is [p, q). */
static bool try_word(const struct scan *s, const char *p, const char *q, struct sm_textlog_head *h)
{
    bool global;
    const struct step_word *w = find_word(p, (size_t)(q - p));
    if (!w || !may_begin(s, p, &global))
        return false;
    *h = (struct sm_textlog_head){.unit = w->unit, .begin = p, .leads = leads_line(s, p)};
    h->plural = w->strength >= MANY;
    if (global && h->unit == SM_TEXTLOG_STEP)
        h->unit = SM_TEXTLOG_GLOBAL;
    return read_head(skip_phase(q, s->end), s->end, w->strength, starts_field(s, p), h);
}

static bool may_follow(const char *q, const char *end)
{
    q = skip_blanks(q, end);
    return q < end && (sm_textlog_is_digit(*q) || strchr(":=#[(\"'", *q));
}

/* "[3]" at the line's begin, or before its first tab. */
static const char *bracket_of(struct sm_text line)
{
    const char *end = line.p + line.n, *p = skip_blanks(line.p, end);
    if (end - p > 2 && *p == '[' && sm_textlog_is_digit(p[1]))
        return p;
    const char *tab = memchr(p, '\t', (size_t)(end - p)), *q = tab;
    if (!tab || tab - p < 3 || tab[-1] != ']')
        return NULL;
    for (q--; q > p && sm_textlog_is_digit(q[-1]);)
        q--;
    return q > p && q[-1] == '[' && (q - 1 == p || sm_textlog_is_blank(q[-2])) ? q - 1 : NULL;
}

/* "[3]<tab>train-rmse:1.2" of xgboost and lightgbm, "[1,  2000] loss: 2.173". */
static size_t find_bracket(struct sm_text line, struct sm_textlog_head *out)
{
    const char *end = line.p + line.n, *p = bracket_of(line), *q;
    struct sm_textlog_number first;
    if (!p || !sm_textlog_number(p + 1, end, false, &first) || !first.whole || first.integer < 0)
        return 0;
    out[0] = (struct sm_textlog_head){
        .unit = SM_TEXTLOG_STEP, .n = first.integer, .begin = p, .leads = true};
    q = first.next;
    size_t n = 1;
    if (q < end && *q == ',' && (q = sm_textlog_read_count(q + 1, end, &out[1].n))) {
        out[0].unit = SM_TEXTLOG_EPOCH;
        out[1].unit = SM_TEXTLOG_BATCH;
        out[1].of = 0;
        out[1].begin = out[1].end = q + 1;
        n = 2;
    }
    out[0].end = q + 1;
    return q && end - q > 1 && *q == ']' && sm_textlog_is_blank(q[1]) ? n : 0;
}

/* "3:<tab>learn: 0.5", "3:<tab>test: 0.5" of catboost. */
static size_t find_catboost(struct sm_text line, struct sm_textlog_head *out)
{
    const char *end = line.p + line.n, *p = skip_blanks(line.p, end);
    struct sm_textlog_number n;
    if (p == end || !sm_textlog_is_digit(*p) || !sm_textlog_number(p, end, false, &n) ||
        n.integer < 0 || end - n.next < 4 || n.next[0] != ':' || n.next[1] != '\t')
        return 0;
    const char *word = word_end(n.next + 2, end);
    if (word == n.next + 2 || word == end || *word != ':')
        return 0;
    out[0] = (struct sm_textlog_head){
        .unit = SM_TEXTLOG_STEP, .n = n.integer, .begin = p, .end = n.next + 2, .leads = true};
    return 1;
}

/* "[640/60000 (1%)] loss: 2.3": a position at the line's begin. */
static size_t find_leading(struct sm_text line, struct sm_textlog_head *out)
{
    const char *end = line.p + line.n, *p = skip_blanks(line.p, end);
    if (p == end || *p != '[' || !sm_textlog_read_position(p, end, out))
        return 0;
    out->leads = true;
    return 1;
}

/* "Train: 0 [  50/1251 (  4%)]" of timm. */
static size_t find_timm(struct sm_text line, struct sm_textlog_head *out)
{
    static const char word[] = "Train: ";
    const char *end = line.p + line.n, *p = memmem(line.p, line.n, word, sizeof word - 1);
    const char *q = p ? sm_textlog_read_count(p + sizeof word - 1, end, &out[0].n) : NULL;
    if (!q || (p > line.p && sm_textlog_is_word(p[-1])) ||
        !sm_textlog_read_position(q, end, &out[1]))
        return 0;
    out[0].unit = SM_TEXTLOG_EPOCH;
    out[0].of = 0;
    out[0].begin = p;
    out[0].end = q;
    out[0].leads = true;
    return 2;
}

size_t sm_textlog_find_heads(struct sm_text line, struct sm_textlog_head out[SM_TEXTLOG_HEADS])
{
    struct scan s = {line.p, line.p + line.n};
    size_t n = 0;
    for (const char *p = s.begin; p < s.end && n < SM_TEXTLOG_HEADS;) {
        if (!sm_textlog_is_letter(*p) && *p != '_') {
            p++;
            continue;
        }
        const char *q = word_end(p, s.end);
        struct sm_textlog_head *h = &out[n];
        if (may_follow(q, s.end) && try_word(&s, p, q, h) && !has_unit(out, n, h->unit) &&
            !is_setting(h, n)) {
            q = h->end;
            n++;
            if (h->unit == SM_TEXTLOG_EPOCH && n < SM_TEXTLOG_HEADS &&
                sm_textlog_read_position(q, s.end, h + 1))
                q = out[n++].end;
        }
        p = q;
    }
    n = n ? n : find_bracket(line, out);
    n = n ? n : find_catboost(line, out);
    n = n ? n : find_leading(line, out);
    return n ? n : find_timm(line, out);
}
