/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/bench/labelled.h"

#include "reader/base/clock.h"
#include "reader/base/json.h"
#include "reader/base/mem.h"
#include "rules/verdict/collect.h"
#include "rules/verdict/verdict.h"
#include "tests/bench/bench.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CACHE_BYTES = 64 << 20, BUDGET_US = 1000000 };

/* ---- asking ---- */

static void take_verdict(struct sm_labelled *l, const struct sm_signals *g)
{
    struct sm_verdict v;
    sm_verdict_find(g, sm_clock_wall_us(), &v);
    snprintf(l->cause, sizeof l->cause, "%s", sm_verdict_id(&v));
    l->since = v.claim ? v.claim->since : -1;
    sm_verdict_clear(&v);
}

static void collect_results(struct sm_bench_trial *t, struct sm_fetch *f)
{
    sm_fetch_flush(f);
    sm_pool_wait(t->pool);
    sm_pool_collect(t->pool, SIZE_MAX);
    sm_fetch_pump(f);
}

static void judge(struct sm_labelled *l, struct sm_bench_trial *t, struct sm_fetch *f)
{
    static const char *const all[] = {"workers=all"};
    struct sm_err err;
    struct sm_rules *r = sm_rules_new(t->trial, f, t->pool);
    sm_rules_finite(r, true);
    const struct sm_rule_instance *i = sm_rules_add(r, &sm_rule_signals, NULL, all, 1, &err);
    sm_rules_pump(r, true, BUDGET_US);
    while (!sm_rules_all_judged(r) || sm_rules_busy(r)) {
        if (sm_pool_pending(t->pool))
            collect_results(t, f);
        sm_rules_pump(r, true, BUDGET_US);
    }
    if (sm_signals_of(i))
        take_verdict(l, sm_signals_of(i));
    sm_rules_free(r);
    while (sm_pool_pending(t->pool))
        collect_results(t, f);
}

void sm_labelled_ask(struct sm_labelled *l, const char *path, int64_t later_us)
{
    struct sm_bench_trial t;
    struct sm_err err;
    double start = sm_bench_now();
    snprintf(l->cause, sizeof l->cause, "-");
    l->since = -1;
    sm_clock_freeze(sm_clock_mono_us(), sm_clock_wall_us() + later_us);
    sm_bench_open(&t, path, 0, false, 0);
    sm_bench_scan(&t);
    struct sm_fetch *f = sm_fetch_new(t.pool, CACHE_BYTES, &err);
    if (!f)
        exit(2);
    judge(l, &t, f);
    sm_fetch_free(f);
    sm_bench_close(&t);
    sm_clock_thaw();
    l->seconds = sm_bench_now() - start;
}

static bool is_accepted(const struct sm_labelled *l)
{
    size_t n = strlen(l->cause);
    for (const char *p = l->accept; (p = strstr(p, l->cause)); p += n)
        if ((p == l->accept || p[-1] == ' ') && (!p[n] || p[n] == ' '))
            return true;
    return false;
}

/* Without an onset none is false. */
bool sm_labelled_is_right(const struct sm_labelled *l)
{
    return is_accepted(l) &&
           (l->from < 0 || l->since < 0 || (l->from <= l->since && l->since <= l->to));
}

/* ---- NAME.expected.json ---- */

struct expectation {
    struct sm_labelled *row;
    char key[16]; /* the last one at the top */
    unsigned depth, numbers;
};

static bool on_key(void *ctx, const char *p, size_t n)
{
    struct expectation *e = ctx;
    if (e->depth == 1)
        snprintf(e->key, sizeof e->key, "%.*s", (int)n, p);
    return true;
}

static bool on_string(void *ctx, const char *p, size_t n)
{
    struct expectation *e = ctx;
    struct sm_labelled *r = e->row;
    size_t used = strlen(r->accept);
    if (strcmp(e->key, "fault") == 0)
        snprintf(r->fault, sizeof r->fault, "%.*s", (int)n, p);
    if (strcmp(e->key, "accept") == 0)
        snprintf(r->accept + used, sizeof r->accept - used, "%s%.*s", used ? " " : "", (int)n, p);
    return true;
}

static bool on_number(void *ctx, const char *digits, size_t n)
{
    struct expectation *e = ctx;
    if (strcmp(e->key, "since") == 0 && e->numbers < 2)
        sm_json_int(digits, n, e->numbers++ ? &e->row->to : &e->row->from);
    return true;
}

static bool on_open(void *ctx)
{
    ((struct expectation *)ctx)->depth++;
    return true;
}

static bool on_close(void *ctx)
{
    ((struct expectation *)ctx)->depth--;
    return true;
}

static bool read_expectation(const char *path, struct sm_labelled *row)
{
    static const struct sm_json_ops ops = {.number = on_number,
                                           .string = on_string,
                                           .key = on_key,
                                           .start_map = on_open,
                                           .end_map = on_close,
                                           .start_array = on_open,
                                           .end_array = on_close};
    struct expectation e = {.row = row};
    struct sm_err err = {0};
    char text[65536];
    FILE *f = fopen(path, "r");
    if (!f)
        return false;
    size_t n = fread(text, 1, sizeof text, f);
    fclose(f);
    return sm_json_parse(text, n, &ops, &e, &err) && *row->fault && *row->accept;
}

void sm_labelled_find(const char *folder, struct sm_labelled **rows, size_t *n)
{
    static const char suffix[] = ".expected.json";
    struct dirent **entries;
    int found = scandir(folder, &entries, NULL, alphasort);
    if (found < 0) {
        perror(folder);
        exit(2);
    }
    for (int i = 0; i < found; i++) {
        struct sm_labelled row = {.from = -1, .to = -1};
        const char *name = entries[i]->d_name, *end = strstr(name, suffix);
        char path[2 * SM_LABEL_PATH];
        snprintf(path, sizeof path, "%s/%s", folder, name);
        if (end && !end[sizeof suffix - 1] && read_expectation(path, &row)) {
            snprintf(row.name, sizeof row.name, "%.250s/%.*s", folder, (int)(end - name), name);
            *rows = sm_xrealloc(*rows, *n + 1, sizeof **rows);
            (*rows)[(*n)++] = row;
        }
        free(entries[i]);
    }
    free(entries);
}

/* ---- the report ---- */

enum { COLUMNS_MOST = 32 };
struct names {
    const char *items[COLUMNS_MOST];
    size_t n;
};

static void add_name(struct names *s, const char *name)
{
    for (size_t i = 0; i < s->n; i++)
        if (strcmp(s->items[i], name) == 0)
            return;
    if (s->n < COLUMNS_MOST)
        s->items[s->n++] = name;
}

static size_t count(const struct sm_labelled *rows, size_t n, const char *fault, const char *cause)
{
    size_t k = 0;
    for (size_t i = 0; i < n; i++)
        k += strcmp(rows[i].fault, fault) == 0 && strcmp(rows[i].cause, cause) == 0;
    return k;
}

static void print_row(const struct sm_labelled *rows, size_t n, const char *fault,
                      const struct names *causes)
{
    size_t all = 0, right = 0;
    for (size_t i = 0; i < n; i++)
        if (strcmp(rows[i].fault, fault) == 0) {
            all++;
            right += sm_labelled_is_right(&rows[i]);
        }
    printf("%-26s %4zu %5zu ", fault, all, right);
    for (size_t i = 0; i < causes->n; i++) {
        size_t k = count(rows, n, fault, causes->items[i]);
        if (k)
            printf(" %3zu", k);
        else
            printf("   .");
    }
    printf("\n");
}

static void print_table(const struct sm_labelled *rows, size_t n)
{
    struct names faults = {0}, causes = {0};
    for (size_t i = 0; i < n; i++) {
        add_name(&faults, rows[i].fault);
        add_name(&causes, rows[i].cause);
    }
    printf("%-26s %4s %5s ", "fault", "runs", "right");
    for (size_t i = 0; i < causes.n; i++)
        printf("   %c", (char)('a' + (int)i));
    printf("\n");
    for (size_t i = 0; i < faults.n; i++)
        print_row(rows, n, faults.items[i], &causes);
    for (size_t i = 0; i < causes.n; i++)
        printf("   %c %s\n", (char)('a' + (int)i), causes.items[i]);
}

static void print_wrong(const struct sm_labelled *r)
{
    printf("  wrong: %s: %s", r->name, r->fault);
    if (r->from >= 0)
        printf(" since %lld to %lld", (long long)r->from, (long long)r->to);
    printf(", verdict %s", r->cause);
    if (r->since >= 0)
        printf(" since %lld", (long long)r->since);
    printf("\n");
}

static void report_share(const char *prefix, const char *what, size_t bad, size_t all, double bar)
{
    char name[64];
    snprintf(name, sizeof name, "%s_%s_percent", prefix, what);
    if (all)
        sm_bench_report(&(struct sm_bench_figure){name, 100.0 * (double)bad / (double)all, 0,
                                                  SM_BENCH_VALUE_AT_MOST, bar});
}

void sm_labelled_report(const struct sm_labelled *rows, size_t n, const char *prefix)
{
    size_t faulty = 0, wrong = 0, healthy = 0, alarms = 0;
    double slowest = 0;
    print_table(rows, n);
    for (size_t i = 0; i < n; i++) {
        bool bad = !sm_labelled_is_right(&rows[i]), well = strcmp(rows[i].fault, "none") == 0;
        faulty += !well;
        healthy += well;
        wrong += bad && !well;
        alarms += bad && well;
        slowest = rows[i].seconds > slowest ? rows[i].seconds : slowest;
        if (bad)
            print_wrong(&rows[i]);
    }
    printf("%s: %zu of %zu faulty ones right, %zu of %zu healthy ones not none, slowest %.2f s\n",
           prefix, faulty - wrong, faulty, alarms, healthy, slowest);
    report_share(prefix, "wrong", wrong, faulty, 5);
    report_share(prefix, "alarms", alarms, healthy, 1);
}
