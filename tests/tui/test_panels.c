/* The set of panels is whatever the table says: all are begun, placed, drawn and reached by keys. */
#include "tui/layout.h"
#include "tui/panels.h"

#include "plot/print.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

static void init(struct sm_panel *p, struct sm_view *v)
{
    (void)v;
    *(int *)p->state = 7;
}

static void draw(struct sm_panel *p, const struct sm_view *v, struct sm_grid *g, struct sm_rect r, bool focused, struct sm_str *note)
{
    (void)v;
    (void)focused;
    sm_str_add(note, "seen");
    sm_grid_printf(g, r.x, r.y, r.w, SM_ROLE_TEXT, 0, "%s %d", p->ops->name, *(int *)p->state);
}

static void filter(struct sm_panel *p, struct sm_view *v, const char *text)
{
    (void)p;
    (void)v;
    (void)text;
}

#define RECORD(NAME, CONTEXT, COLUMN, SHARE)                                                                           \
    .name = NAME, .title = NAME, .context = CONTEXT, .column = COLUMN, .share = SHARE, .state_size = sizeof(int),      \
    .min_w = 10, .min_h = 2, .init = init, .draw = draw
static const struct sm_panel_ops one = {RECORD("one", SM_CTX_LIST, SM_COLUMN_LEFT, 2), .filter = filter};
static const struct sm_panel_ops two = {RECORD("two", SM_CTX_PLOT, SM_COLUMN_RIGHT, 1)};
static const struct sm_panel_ops three = {RECORD("three", SM_CTX_VALUE, SM_COLUMN_RIGHT, 1)};
static const struct sm_panel_ops four = {RECORD("four", SM_CTX_LIST, SM_COLUMN_LEFT, 1)};
static const struct sm_panel_ops *const table[] = {&one, &two, &three, &four, NULL};

struct fixture {
    struct sm_panels panels;
    struct sm_view view;
    struct sm_grid grid;
};

static struct fixture *begin(struct fixture *f, int w, int h)
{
    *f = (struct fixture){.view = {.glyphs = sm_glyphs(SM_SYMBOLS_ASCII)}};
    sm_panels_init(&f->panels, table, &f->view);
    sm_grid_init(&f->grid, w, h);
    sm_panels_draw(&f->panels, &f->view, &f->grid, (struct sm_rect){0, 0, w, h});
    return f;
}

static void end(struct fixture *f)
{
    sm_panels_clear(&f->panels);
    sm_grid_clear(&f->grid);
}

static void assert_frame(const struct fixture *f, size_t i, struct sm_rect r)
{
    const struct sm_rect *have = &f->panels.items[i].frame;
    assert_int_equal(have->x, r.x);
    assert_int_equal(have->y, r.y);
    assert_int_equal(have->w, r.w);
    assert_int_equal(have->h, r.h);
}

static void test_every_row_of_the_table_is_drawn(void **state)
{
    static const char *const lines[] = {"one 7", "two 7", "three 7", "four 7"};
    struct fixture f;
    struct sm_str text = {0};
    (void)state;
    begin(&f, 100, 30);
    sm_print_plain(&f.grid, &text);
    for (size_t i = 0; i < 4; i++)
        assert_non_null(strstr(sm_str_text(&text), lines[i]));
    assert_non_null(strstr(sm_str_text(&text), " seen "));
    assert_int_equal(f.panels.n, 4);
    sm_str_clear(&text);
    end(&f);
}

static void test_columns_are_shared_as_the_records_say(void **state)
{
    struct fixture f;
    (void)state;
    begin(&f, 100, 30);
    assert_frame(&f, 0, (struct sm_rect){0, 0, 45, 20});
    assert_frame(&f, 3, (struct sm_rect){0, 20, 45, 10});
    assert_frame(&f, 1, (struct sm_rect){45, 0, 55, 15});
    assert_frame(&f, 2, (struct sm_rect){45, 15, 55, 15});
    end(&f);
}

static void test_the_last_of_a_column_makes_room_first(void **state)
{
    struct fixture f;
    (void)state;
    begin(&f, 100, 8);
    assert_frame(&f, 0, (struct sm_rect){0, 0, 45, 8});
    assert_frame(&f, 3, (struct sm_rect){0});
    assert_frame(&f, 1, (struct sm_rect){45, 0, 55, 4});
    assert_frame(&f, 2, (struct sm_rect){45, 4, 55, 4});
    end(&f);
}

static void test_zoomed_and_narrow_show_the_focused_one_alone(void **state)
{
    struct fixture f;
    (void)state;
    begin(&f, 40, 30);
    assert_frame(&f, 0, (struct sm_rect){0, 0, 40, 30});
    assert_frame(&f, 1, (struct sm_rect){0});
    sm_panels_focus(&f.panels, 3);
    f.panels.zoomed = true;
    sm_panels_draw(&f.panels, &f.view, &f.grid, (struct sm_rect){0, 0, 40, 30});
    assert_frame(&f, 3, (struct sm_rect){0, 0, 40, 30});
    assert_frame(&f, 0, (struct sm_rect){0});
    end(&f);
}

static void test_focus(void **state)
{
    struct fixture f;
    (void)state;
    begin(&f, 100, 8);
    sm_panels_next(&f.panels, false);                      /* the fourth is not shown */
    assert_string_equal(sm_panels_focused(&f.panels)->ops->name, "three");
    sm_panels_next(&f.panels, true);
    assert_string_equal(sm_panels_focused(&f.panels)->ops->name, "one");
    sm_panels_focus(&f.panels, 4);
    assert_string_equal(sm_panels_focused(&f.panels)->ops->name, "one");
    assert_true(sm_panels_focus_context(&f.panels, SM_CTX_VALUE));
    assert_string_equal(sm_panels_focused(&f.panels)->ops->name, "three");
    assert_false(sm_panels_focus_context(&f.panels, SM_CTX_HELP));
    sm_panels_focus_filter(&f.panels);
    assert_string_equal(sm_panels_focused(&f.panels)->ops->name, "one");
    end(&f);
}

/* What the program itself has: each can be told from the others, and the key line has something to say. */
static void test_the_table(void **state)
{
    (void)state;
    for (size_t i = 0; sm_panel_table[i]; i++) {
        assert_true((sm_panel_table[i]->column == SM_COLUMN_BELOW) == (sm_panel_table[i]->share == 0));
        assert_non_null(sm_panel_table[i]->hints[0]);
        assert_null(sm_panel_table[i]->hints[SM_PANEL_HINTS]);
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(sm_panel_table[i]->name, sm_panel_table[k]->name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_row_of_the_table_is_drawn),
        cmocka_unit_test(test_columns_are_shared_as_the_records_say),
        cmocka_unit_test(test_the_last_of_a_column_makes_room_first),
        cmocka_unit_test(test_zoomed_and_narrow_show_the_focused_one_alone),
        cmocka_unit_test(test_focus),
        cmocka_unit_test(test_the_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
