/* SPDX-License-Identifier: Apache-2.0 */
/* A machine for the sampler: a scratch root with the files of tests/samples/NAME/0, which those of
 * NAME/1 replace in place, as the kernel changes what an open file of /proc says. */
#ifndef TESTS_MACHINE_ROOT_H
#define TESTS_MACHINE_ROOT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reader/base/mem.h"
#include "reader/sampler/sampler.h"
#include "tests/remove_tree.h"
#include "tests/scratch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct machine {
    char root[64];
    const char *name;
    struct sm_sampler *sampler;
};

static inline void machine_set_tick(struct machine *m, int tick)
{
    char command[256];
    snprintf(command, sizeof command, "cp -r tests/samples/%s/%d/. %s", m->name, tick, m->root);
    assert_int_equal(system(command), 0);
}

static inline void machine_put(struct machine *m, const char *path, const char *text)
{
    char whole[256];
    snprintf(whole, sizeof whole, "%s/%s", m->root, path);
    FILE *f = fopen(whole, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

static inline void machine_make(struct machine *m, const char *name)
{
    *m = (struct machine){.name = name};
    assert_non_null(make_scratch(m->root, sizeof m->root));
    machine_set_tick(m, 0);
}

static inline void machine_open(struct machine *m, const char *name, const char *nvml,
                                const char *smi)
{
    struct sm_err err = {0};
    machine_make(m, name);
    const struct sm_sampler_options o = {.root = m->root,
                                         .own_root = m->root,
                                         .node = "algo-1",
                                         .nvml = nvml,
                                         .smi = smi,
                                         .interval_ms = 1000};
    if (!sm_sampler_new(&o, &m->sampler, &err))
        fail_msg("%s", err.msg);
}

/* Seconds since the begin, which is 10 s on the monotonic clock. */
static inline struct sm_text machine_take(struct machine *m, int64_t seconds)
{
    return sm_sampler_take(m->sampler, (1795457280 + seconds) * 1000000 + 250,
                           (10 + seconds) * 1000000);
}

static inline void machine_close(struct machine *m)
{
    sm_sampler_free(m->sampler);
    remove_tree(m->root);
}

/* The value of a line, as text; "" if there is none. */
static inline const char *machine_value(struct sm_text lines, const char *type, const char *name,
                                        const char *dimension)
{
    static char value[64];
    char key[160];
    snprintf(key, sizeof key,
             "{\"Type\":\"%s\",\"Name\":\"%s\",\"Dimension\":\"%s\",\"Value\":", type, name,
             dimension);
    const char *at = lines.n ? memmem(lines.p, lines.n, key, strlen(key)) : NULL;
    size_t n = at ? strcspn(at + strlen(key), ",") : 0;
    snprintf(value, sizeof value, "%.*s", (int)n, at ? at + strlen(key) : "");
    return value;
}

static inline void machine_expect(struct sm_text lines, const char *type, const char *name,
                                  const char *dimension, const char *value)
{
    const char *got = machine_value(lines, type, name, dimension);
    if (strcmp(got, value) != 0)
        fail_msg("%s %s %s is \"%s\", not \"%s\"", type, name, dimension, got, value);
}

#endif
