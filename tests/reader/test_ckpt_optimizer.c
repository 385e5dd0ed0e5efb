/* SPDX-License-Identifier: Apache-2.0 */
/* Which parameter a state of an optimizer is of. */
#include "reader/checkpoints/ckpt_names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct want {
    const char *of; /* file of the weights */
    /* "name:rows,columns ..." in the order of the file; without columns one axis, 0: none */
    const char *weights;
    const char *states;    /* shapes of exp_avg by number, "-" has none */
    const char *groups[3]; /* JSON */
    const char *given;     /* of group 0, JSON; NULL: none */
    const char *names;     /* what the states become, in order */
};

static void add(struct sm_ckpt_file *f, const char *name, const char *shape)
{
    struct sm_err err;
    char *end;
    uint64_t dims[2] = {strtoull(shape, &end, 10), 0};
    dims[1] = *end == ',' ? strtoull(end + 1, NULL, 10) : 0;
    unsigned n_dims = dims[1] ? 2 : dims[0] ? 1 : 0;
    uint64_t n = (dims[0] ? dims[0] : 1) * (dims[1] ? dims[1] : 1);
    struct sm_ckpt_storage s = {.stored_bytes = 4 * n, .size_bytes = 4 * n, .file = "x"};
    uint32_t at = sm_ckpt_add_storage(f, &s, &err);
    assert_non_null(sm_ckpt_add_tensor(f,
                                       &(struct sm_ckpt_view){.name = sm_text(name),
                                                              .dtype = SM_DTYPE_FLOAT32,
                                                              .n_dims = n_dims,
                                                              .dims = dims,
                                                              .storage = at},
                                       &err));
}

static void add_weights(struct sm_ckpt_file *f, const char *list)
{
    char *all = strdup(list), *rest = all, *one;
    while ((one = strsep(&rest, " "))) {
        char *colon = strchr(one, ':');
        *colon = 0;
        add(f, one, colon + 1);
    }
    free(all);
}

static void add_states(struct sm_ckpt_file *f, const char *list)
{
    char *all = strdup(list), *rest = all, *one, name[64];
    for (int i = 0; (one = strsep(&rest, " ")); i++) {
        snprintf(name, sizeof name, "state.%d.exp_avg", i);
        if (*one != '-')
            add(f, name, one);
    }
    free(all);
}

static void expect(const struct want *w)
{
    struct sm_ckpt_file model = {.path = w->of}, states = {.path = "optimizer.pt"};
    struct sm_ckpt_file *files[] = {&model, &states};
    char key[64];
    add_weights(&model, w->weights);
    add_states(&states, w->states);
    for (int i = 0; i < 3 && w->groups[i]; i++) {
        snprintf(key, sizeof key, "param_groups.%d.params", i);
        assert_true(sm_ckpt_add_leaf(&states, sm_text(key), sm_text(w->groups[i])));
    }
    if (w->given)
        assert_true(
            sm_ckpt_add_leaf(&states, sm_text("param_groups.0.param_names"), sm_text(w->given)));
    assert_true(sm_ckpt_name_tensors(files, 2));
    char *all = strdup(w->names), *rest = all, *one;
    for (size_t i = 0; (one = strsep(&rest, " ")); i++) {
        snprintf(key, sizeof key, "optimizer.state.%s.exp_avg", one);
        assert_true(i < states.n);
        assert_string_equal(states.tensors[i].name, key);
    }
    free(all);
    sm_ckpt_file_clear(&model);
    sm_ckpt_file_clear(&states);
}

static void test_names(void **state)
{
    (void)state;
    static const char sorted[] = "model.safetensors", ordered[] = "model.pt";
    static const struct want wants[] = {
        /* the file says the names */
        {sorted, "b:3 a:3", "3 3", {"[0,1]"}, "[\"a\",\"b\"]", "a b"},
        /* the order of a file of torch; buffers are none, nor is a tied one */
        {ordered,
         "z.weight:4,4 z.bias:4 bn.weight:4 bn.running_mean:4 a.weight:4,4",
         "4,4 4 4 4,4",
         {"[0,1,2,3]"},
         NULL,
         "z.weight z.bias bn.weight a.weight"},
        /* that of two groups by their shapes */
        {ordered,
         "z.weight:4,4 z.bias:4 a.weight:4,4 a.bias:4",
         "4,4 4,4 4 4",
         {"[0,1]", "[2,3]"},
         NULL,
         "z.weight a.weight z.bias a.bias"},
        /* of a frozen one: where one choice is left */
        {ordered,
         "a.weight:4,4 b.weight:2,4 c.weight:4,4 d.weight:3,4",
         "4,4 2,4 3,4",
         {"[0,1,2]"},
         NULL,
         "a.weight b.weight d.weight"},
        {ordered,
         "a.weight:4,4 b.weight:4,4 d.weight:3,4",
         "4,4 3,4",
         {"[0,1]"},
         NULL,
         "0 d.weight"},
        /* two groups that share a shape: nobody can say */
        {ordered, "a.weight:4,4 b.weight:4,4", "4,4 4,4", {"[0]", "[1]"}, NULL, "0 1"},
        /* sorted by name: layers by their numbers */
        {sorted,
         "l.10.weight:4,4 l.2.weight:4,4 l.2.up:8,4",
         "4,4 8,4 4,4",
         {"[0,1,2]"},
         NULL,
         "l.2.weight l.2.up l.10.weight"},
        /* modules of transformers */
        {sorted,
         "model.layers.0.self_attn.k_proj.weight:4,4 model.layers.0.self_attn.o_proj.weight:4,4 "
         "model.layers.0.self_attn.q_proj.weight:4,4",
         "4,4 4,4 4,4",
         {"[0,1,2]"},
         NULL,
         "model.layers.0.self_attn.q_proj.weight model.layers.0.self_attn.k_proj.weight "
         "model.layers.0.self_attn.o_proj.weight"},
        /* the same words in a model that may have another order, and words that nobody knows */
        {sorted,
         "model.decoder.layers.0.k_proj.weight:4,4 model.decoder.layers.0.q_proj.weight:4,4",
         "4,4 4,4",
         {"[0,1]"},
         NULL,
         "0 1"},
        {sorted, "x.alpha:4,4 x.beta:4,4 y:5", "4,4 4,4 5", {"[0,1,2]"}, NULL, "0 1 y"},
        /* one without state counts; a number that is twice in a list, and groups that are none */
        {ordered,
         "a.weight:4,4 b.weight:4,4 c.weight:4,4",
         "- 4,4 4,4",
         {"[0,1,2]"},
         NULL,
         "b.weight c.weight"},
        {ordered, "a.weight:4,4 b.weight:4,4", "4,4 4,4", {"[0,0]"}, NULL, "0 1"},
        {ordered, "a.weight:4,4", "4,4", {"7"}, NULL, "0"},
        {ordered, "a.weight:4,4", "4,4", {"[-1,1e9,99999999999999999999]"}, NULL, "0"},
        {ordered, "a.weight:4,4", "4,4", {NULL}, NULL, "0"},
    };
    for (size_t i = 0; i < sizeof wants / sizeof *wants; i++)
        expect(&wants[i]);
}

/* States of which none, or not the first one, has the shape of the parameter. */
static void expect_states(const char *const (*states)[2], size_t n, const char *const *names)
{
    struct sm_ckpt_file f = {.path = "all.pt"};
    struct sm_ckpt_file *files[] = {&f};
    add_weights(&f, "a.weight:3,4 b.weight:4,4 c.weight:2,4 d.weight:4");
    for (size_t i = 0; i < n; i++)
        add(&f, states[i][0], states[i][1]);
    assert_true(
        sm_ckpt_add_leaf(&f, sm_text("optimizer.param_groups.0.params"), sm_text("[0,1,2,3]")));
    assert_true(sm_ckpt_name_tensors(files, 1));
    for (size_t i = 0; i < n; i++)
        assert_string_equal(f.tensors[4 + i].name, names[i]);
    sm_ckpt_file_clear(&f);
}

/* Adafactor keeps means over rows and columns: of transformers without the other axis, of torch
 * with one of size 1. ASGD has a number first. Where parts do not fit, the order decides. */
static void test_parts(void **state)
{
    (void)state;
    static const char *const rows[][2] = {{"optimizer.state.1.RMS", "0"},
                                          {"optimizer.state.1.exp_avg_sq_row", "4"},
                                          {"optimizer.state.1.exp_avg_sq_col", "4"},
                                          {"optimizer.state.3.exp_avg_sq", "4"}},
                             *const vars[][2] = {{"optimizer.state.2.row_var", "2,1"},
                                                 {"optimizer.state.2.col_var", "1,4"},
                                                 {"optimizer.state.0.row_var", "3"},
                                                 {"optimizer.state.0.col_var", "1,4"}},
                             *const numbers[][2] = {{"optimizer.state.0.eta", "0"},
                                                    {"optimizer.state.0.ax", "3,4"}};
    static const char *const of_rows[] = {"optimizer.state.b.weight.RMS",
                                          "optimizer.state.b.weight.exp_avg_sq_row",
                                          "optimizer.state.b.weight.exp_avg_sq_col",
                                          "optimizer.state.d.weight.exp_avg_sq"},
                             *const of_vars[] = {"optimizer.state.c.weight.row_var",
                                                 "optimizer.state.c.weight.col_var",
                                                 "optimizer.state.a.weight.row_var",
                                                 "optimizer.state.a.weight.col_var"},
                             *const of_numbers[] = {"optimizer.state.a.weight.eta",
                                                    "optimizer.state.a.weight.ax"};
    expect_states(rows, 4, of_rows);
    expect_states(vars, 4, of_vars);
    expect_states(numbers, 2, of_numbers);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_names), cmocka_unit_test(test_parts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
