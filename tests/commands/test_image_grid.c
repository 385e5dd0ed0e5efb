/* SPDX-License-Identifier: Apache-2.0 */
/* Which dimensions are an image, by the shape if no layout is given, and how many images fit. */
#include "commands/pictures/image_grid.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct sm_downsample_spec spec_of(unsigned n, const uint64_t *dims,
                                         enum sm_image_grid_layout given,
                                         enum sm_image_grid_layout layout)
{
    struct sm_downsample_spec p;
    assert_null(sm_image_grid_spec(n, dims, NULL, &given, &p));
    assert_int_equal(given, layout);
    return p;
}

static void test_layout_by_shape(void **state)
{
    const uint64_t matrix[] = {4, 9}, grey[] = {16, 1, 28, 28}, rgb[] = {2, 3, 32, 32},
                   inside[] = {2, 32, 32, 3}, kernels[] = {16, 8, 3, 3};
    (void)state;
    assert_int_equal(spec_of(2, matrix, SM_IMAGE_GRID_AUTO, SM_IMAGE_GRID_GREY).images, 1);
    assert_int_equal(spec_of(4, grey, SM_IMAGE_GRID_AUTO, SM_IMAGE_GRID_NCHW).images, 16);
    assert_int_equal(spec_of(4, rgb, SM_IMAGE_GRID_AUTO, SM_IMAGE_GRID_NCHW).planes, 3);
    struct sm_downsample_spec p = spec_of(4, inside, SM_IMAGE_GRID_AUTO, SM_IMAGE_GRID_NHWC);
    assert_int_equal(p.plane_step, 1);
    assert_int_equal(p.row_step, 32 * 3);
    assert_int_equal(p.image_step, 32 * 32 * 3);
    p = spec_of(4, kernels, SM_IMAGE_GRID_AUTO, SM_IMAGE_GRID_GREY);
    assert_int_equal(p.images, 16 * 8);
    assert_int_equal(p.rows, 3);
}

static void test_shapes_without_image(void **state)
{
    const uint64_t dims[] = {16, 8, 3, 5};
    enum sm_image_grid_layout layout = SM_IMAGE_GRID_AUTO;
    struct sm_downsample_spec p;
    (void)state;
    assert_non_null(sm_image_grid_spec(1, dims, NULL, &layout, &p));
    layout = SM_IMAGE_GRID_NCHW;
    assert_non_null(sm_image_grid_spec(2, dims, NULL, &layout, &p));
    layout = SM_IMAGE_GRID_NHWC;
    assert_non_null(sm_image_grid_spec(4, dims, NULL, &layout, &p));
}

static void test_tiles(void **state)
{
    const uint64_t dims[] = {7, 1, 8, 8};
    struct sm_downsample_spec p = spec_of(4, dims, SM_IMAGE_GRID_AUTO, SM_IMAGE_GRID_NCHW);
    struct sm_image_grid_tiles t = sm_image_grid_lay_out(&p, 50, 17, sm_glyphs(SM_SYMBOLS_BLOCK));
    (void)state;
    assert_int_equal(t.size.w, 8); /* at twice the size only six fit */
    assert_int_equal(t.across, 5);
    assert_int_equal(t.shown, 7);
    t = sm_image_grid_lay_out(&p, 67, 26, sm_glyphs(SM_SYMBOLS_BLOCK));
    assert_int_equal(t.size.w, 16);
    assert_int_equal(t.shown, 7);
    t = sm_image_grid_lay_out(&p, 7, 3, sm_glyphs(SM_SYMBOLS_BLOCK));
    assert_int_equal(t.size.cols, 6); /* shrunk */
    assert_int_equal(t.shown, 1);
    t = sm_image_grid_lay_out(&p, 26, 7, sm_glyphs(SM_SYMBOLS_BLOCK));
    assert_int_equal(t.size.w, 8);
    assert_int_equal(t.across, 3);
    assert_int_equal(t.shown, 3);
    assert_int_equal(sm_image_grid_lay_out(&p, 0, 7, sm_glyphs(SM_SYMBOLS_BLOCK)).shown, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_layout_by_shape),
        cmocka_unit_test(test_shapes_without_image),
        cmocka_unit_test(test_tiles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
