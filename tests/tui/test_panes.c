/* SPDX-License-Identifier: Apache-2.0 */
/* The table defines the set of panes: all are initialised, placed, drawn and reached by keys. */
#include "commands/pictures/pictures.h"
#include "commands/stops/stops.h"
#include "commands/support/support.h"
#include "commands/trials/trials.h"
#include "commands/values/values.h"
#include "tui/dashboard/dashboard_feature.h"
#include "tui/dashboard/layouts.h"
#include "tui/dashboard/panes.h"

#include "plot/grid/grid_print.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

static void init(struct sm_pane *p, struct sm_view *v)
{
    (void)v;
    *(int *)p->state = 7;
}

static void draw(struct sm_pane *p, const struct sm_view *v, struct sm_grid *g, struct sm_rect r,
                 bool focused, struct sm_str *note)
{
    (void)v;
    (void)focused;
    sm_str_add(note, "seen");
    sm_grid_printf(g, r.x, r.y, r.w, SM_ROLE_TEXT, 0, "%s %d", p->ops->name, *(int *)p->state);
}

static void filter(struct sm_pane *p, struct sm_view *v, const char *text)
{
    (void)p;
    (void)v;
    (void)text;
}

static bool never(const struct sm_pane *p, const struct sm_view *v)
{
    (void)p;
    (void)v;
    return false;
}

#define RECORD(NAME, CONTEXT)                                                                      \
    .name = NAME, .title = NAME, .context = CONTEXT, .state_size = sizeof(int), .min_w = 10,       \
    .min_h = 2, .init = init, .draw = draw
static const struct sm_pane_ops one = {RECORD("one", SM_CTX_LIST), .filter = filter};
static const struct sm_pane_ops two = {RECORD("two", SM_CTX_PLOT)};
static const struct sm_pane_ops three = {RECORD("three", SM_CTX_VALUE)};
static const struct sm_pane_ops four = {RECORD("four", SM_CTX_LIST)};
static const struct sm_pane_ops few = {RECORD("few", SM_CTX_HELP), .wanted = never};
static const struct sm_pane_ops thin = {RECORD("thin", SM_CTX_HELP), .max_w = 30};
static const struct sm_pane_ops *const table[] = {&one, &two, &three, &four, &few, &thin, NULL};
static const char spec[] = "{-horizontal {one 2 four 1} 9 {two 1 three 1} 11} 1 few 0";

struct fixture {
    struct sm_panes panes;
    struct sm_view view;
    struct sm_grid grid;
};

static struct fixture *make_fixture(struct fixture *f, int w, int h)
{
    *f = (struct fixture){.view = {.glyphs = sm_glyphs(SM_SYMBOLS_ASCII)}};
    sm_panes_init(&f->panes, table, &f->view);
    assert_true(sm_panes_arrange(&f->panes, spec, NULL));
    sm_grid_init(&f->grid, w, h);
    sm_panes_draw(&f->panes, &f->view, &f->grid, (struct sm_rect){0, 0, w, h});
    return f;
}

static void clear_fixture(struct fixture *f)
{
    sm_panes_clear(&f->panes);
    sm_grid_clear(&f->grid);
}

static void assert_frame(const struct fixture *f, size_t i, struct sm_rect r)
{
    const struct sm_rect *have = &f->panes.items[i].frame;
    assert_int_equal(have->x, r.x);
    assert_int_equal(have->y, r.y);
    assert_int_equal(have->w, r.w);
    assert_int_equal(have->h, r.h);
}

static void test_every_pane_of_the_layout_is_drawn(void **state)
{
    static const char *const lines[] = {"one 7", "two 7", "three 7", "four 7"};
    struct fixture f;
    struct sm_str text = {0};
    (void)state;
    make_fixture(&f, 100, 30);
    sm_print_plain(&f.grid, &text);
    for (size_t i = 0; i < 4; i++)
        assert_non_null(strstr(sm_str_text(&text), lines[i]));
    assert_non_null(strstr(sm_str_text(&text), " seen "));
    assert_int_equal(f.panes.n, 6);
    sm_str_clear(&text);
    clear_fixture(&f);
}

static void test_splits_are_shared_by_weight(void **state)
{
    struct fixture f;
    (void)state;
    make_fixture(&f, 100, 30);
    assert_frame(&f, 0, (struct sm_rect){0, 0, 45, 20});
    assert_frame(&f, 3, (struct sm_rect){0, 20, 45, 10});
    assert_frame(&f, 1, (struct sm_rect){45, 0, 55, 15});
    assert_frame(&f, 2, (struct sm_rect){45, 15, 55, 15});
    clear_fixture(&f);
}

static void test_last_pane_of_a_split_is_dropped_first(void **state)
{
    struct fixture f;
    (void)state;
    make_fixture(&f, 100, 8);
    assert_frame(&f, 0, (struct sm_rect){0, 0, 45, 8});
    assert_frame(&f, 3, (struct sm_rect){0});
    assert_frame(&f, 1, (struct sm_rect){45, 0, 55, 4});
    assert_frame(&f, 2, (struct sm_rect){45, 4, 55, 4});
    clear_fixture(&f);
}

static void test_zoomed_and_narrow_show_only_the_focused_pane(void **state)
{
    struct fixture f;
    (void)state;
    make_fixture(&f, 40, 30);
    assert_frame(&f, 0, (struct sm_rect){0, 0, 40, 30});
    assert_frame(&f, 1, (struct sm_rect){0});
    sm_panes_focus(&f.panes, 1);
    f.panes.zoomed = true;
    sm_panes_draw(&f.panes, &f.view, &f.grid, (struct sm_rect){0, 0, 40, 30});
    assert_frame(&f, 3, (struct sm_rect){0, 0, 40, 30});
    assert_frame(&f, 0, (struct sm_rect){0});
    clear_fixture(&f);
}

static void test_focus(void **state)
{
    struct fixture f;
    (void)state;
    make_fixture(&f, 100, 8);
    sm_panes_next(&f.panes, false); /* the fourth is not shown */
    assert_string_equal(sm_panes_focused(&f.panes)->ops->name, "three");
    sm_panes_next(&f.panes, true);
    assert_string_equal(sm_panes_focused(&f.panes)->ops->name, "one");
    sm_panes_focus(&f.panes, 5);
    assert_string_equal(sm_panes_focused(&f.panes)->ops->name, "one");
    assert_true(sm_panes_focus_context(&f.panes, SM_CTX_VALUE));
    assert_string_equal(sm_panes_focused(&f.panes)->ops->name, "three");
    assert_true(sm_panes_focus_name(&f.panes, "two"));
    assert_false(f.panes.zoomed);
    assert_false(sm_panes_focus_name(&f.panes, "nosuch"));
    sm_panes_focus(&f.panes, 3);
    sm_panes_focus_filter(&f.panes);
    assert_string_equal(sm_panes_focused(&f.panes)->ops->name, "one");
    clear_fixture(&f);
}

static void test_pane_outside_the_layout_is_zoomed(void **state)
{
    struct fixture f;
    (void)state;
    make_fixture(&f, 100, 30);
    assert_true(sm_panes_focus_name(&f.panes, "thin"));
    assert_true(f.panes.zoomed);
    sm_panes_draw(&f.panes, &f.view, &f.grid, (struct sm_rect){0, 0, 100, 30});
    assert_frame(&f, 5, (struct sm_rect){0, 0, 100, 30});
    assert_true(sm_panes_shows(&f.panes, "thin"));
    assert_false(sm_panes_shows(&f.panes, "one"));
    f.panes.zoomed = false;
    sm_panes_draw(&f.panes, &f.view, &f.grid, (struct sm_rect){0, 0, 100, 30});
    assert_string_equal(sm_panes_focused(&f.panes)->ops->name, "one");
    clear_fixture(&f);
}

static void test_few_lines_only_with_content(void **state)
{
    struct fixture f;
    (void)state;
    make_fixture(&f, 100, 30);
    assert_frame(&f, 4, (struct sm_rect){0});
    assert_true(sm_panes_arrange(&f.panes, "one 1 two 0", NULL));
    sm_panes_draw(&f.panes, &f.view, &f.grid, (struct sm_rect){0, 0, 100, 30});
    assert_frame(&f, 0, (struct sm_rect){0, 0, 100, 24});
    assert_frame(&f, 1, (struct sm_rect){0, 24, 100, 6});
    assert_true(sm_panes_arrange(&f.panes, "few 1", NULL));
    /* not drawn yet: the output of the next command goes there */
    assert_true(sm_panes_shows(&f.panes, "few"));
    assert_false(sm_panes_shows(&f.panes, "one"));
    sm_panes_draw(&f.panes, &f.view, &f.grid, (struct sm_rect){0, 0, 100, 30});
    assert_frame(&f, 4, (struct sm_rect){0, 0, 100, 30});
    clear_fixture(&f);
}

static void test_pane_next_to_others_is_at_most_max_w_wide(void **state)
{
    struct fixture f;
    (void)state;
    make_fixture(&f, 100, 30);
    assert_true(sm_panes_arrange(&f.panes, "-horizontal thin 1 one 1", NULL));
    sm_panes_draw(&f.panes, &f.view, &f.grid, (struct sm_rect){0, 0, 100, 30});
    assert_frame(&f, 5, (struct sm_rect){0, 0, 30, 30});
    assert_frame(&f, 0, (struct sm_rect){30, 0, 70, 30});
    clear_fixture(&f);
}

static void test_invalid_layouts(void **state)
{
    static const struct {
        const char *spec, *message;
    } cases[] = {
        {"", "layout, column 1: expected the name of a pane, found the end."},
        {"one", "layout, column 4: expected a weight from 0 to 1000, found the end."},
        {"one x", "layout, column 5: expected a weight from 0 to 1000, found \"x\"."},
        {"one 1 five 1",
         "layout, column 7: unknown pane \"five\". Choose one of: one two three four few thin."},
        {"one 1 one 1", "The pane \"one\" is in the layout twice."},
        {"{one 1", "layout, column 7: expected the name of a pane, found the end."},
        {"one 1 }", "layout, column 7: expected the name of a pane, found \"}\"."},
        {"one 0", "layout, column 6: expected the name of a pane, found the end."},
        {"{one 1} 0", "layout, column 1: expected a weight above 0 for a split, found \"{\"."},
        {"{{{{{{{{one 1} 1} 1} 1} 1} 1} 1} 1} 1", "A layout is at most 8 splits deep."},
    };
    struct sm_layout l;
    struct sm_err err;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_false(sm_layout_parse(cases[i].spec, table, &l, &err));
        assert_string_equal(err.msg, cases[i].message);
    }
}

/* The built-in layouts: each can be parsed, and has panes at the size it is designed for. */
static void test_built_in_layouts(void **state)
{
    struct sm_layouts layouts;
    size_t i;
    (void)state;
    sm_layouts_init(&layouts);
    for (size_t k = 0; k < layouts.n; k++) {
        struct sm_layout l;
        struct sm_err err = {0};
        if (!sm_layout_parse(layouts.items[k].spec, sm_pane_table, &l, &err))
            fail_msg("%s: %s", layouts.items[k].name, err.msg);
    }
    assert_true(sm_layouts_define(&layouts, "mine", "value 1", NULL));
    assert_true(sm_layouts_find(&layouts, "mi", &i, NULL));
    assert_int_equal(i, layouts.n - 1);
    assert_true(sm_layouts_find(&layouts, "prev", &i, NULL));
    assert_int_equal(i, layouts.n - 1);
    assert_false(sm_layouts_define(&layouts, "main", "value 1", NULL));
    assert_false(sm_layouts_find(&layouts, "m", &i, NULL));
    sm_layouts_clear(&layouts);
}

static bool is_among(const char *name, const struct sm_cmd *cmd)
{
    for (size_t i = 0; cmd->args[0].words[i]; i++)
        if (strcmp(cmd->args[0].words[i], name) == 0)
            return true;
    return false;
}

/* The commands have a list of all names, for completion. */
static void test_commands_complete_all_names(void **state)
{
    struct sm_layouts layouts;
    (void)state;
    sm_layouts_init(&layouts);
    for (size_t i = 0; i < layouts.n; i++)
        assert_true(is_among(layouts.items[i].name, &sm_cmd_layout));
    for (size_t i = 0; sm_pane_table[i]; i++)
        assert_true(is_among(sm_pane_table[i]->name, &sm_cmd_focus));
    sm_layouts_clear(&layouts);
}

/* The built-in panes: names are unique, and each has hints for the key line. */
static void test_the_table(void **state)
{
    (void)state;
    for (size_t i = 0; sm_pane_table[i]; i++) {
        assert_non_null(sm_pane_table[i]->hints[0]);
        assert_null(sm_pane_table[i]->hints[SM_PANE_HINTS]);
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(sm_pane_table[i]->name, sm_pane_table[k]->name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_pane_of_the_layout_is_drawn),
        cmocka_unit_test(test_splits_are_shared_by_weight),
        cmocka_unit_test(test_last_pane_of_a_split_is_dropped_first),
        cmocka_unit_test(test_zoomed_and_narrow_show_only_the_focused_pane),
        cmocka_unit_test(test_focus),
        cmocka_unit_test(test_pane_outside_the_layout_is_zoomed),
        cmocka_unit_test(test_few_lines_only_with_content),
        cmocka_unit_test(test_pane_next_to_others_is_at_most_max_w_wide),
        cmocka_unit_test(test_invalid_layouts),
        cmocka_unit_test(test_built_in_layouts),
        cmocka_unit_test(test_commands_complete_all_names),
        cmocka_unit_test(test_the_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
