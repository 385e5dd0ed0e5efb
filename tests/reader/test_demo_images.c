/* SPDX-License-Identifier: Apache-2.0 */
/* The drawn images: of the right brightness, different from each other, the same for a seed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reader/demo/images.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { MANY = 400 };

static void test_same_seed_same_image(void **state)
{
    (void)state;
    float a[SM_IMAGE_PIXELS], b[SM_IMAGE_PIXELS], c[SM_IMAGE_PIXELS];
    struct sm_random first = sm_random_stream(7, 1), second = first, other = sm_random_stream(7, 2);
    sm_image_draw(3, 0.2f, &first, a);
    sm_image_draw(3, 0.2f, &second, b);
    sm_image_draw(3, 0.2f, &other, c);
    assert_memory_equal(a, b, sizeof a);
    assert_memory_not_equal(a, c, sizeof a);
}

static void average_image(unsigned shape, struct sm_random *r, double out[SM_IMAGE_PIXELS])
{
    float image[SM_IMAGE_PIXELS];
    memset(out, 0, SM_IMAGE_PIXELS * sizeof *out);
    for (unsigned k = 0; k < MANY; k++) {
        sm_image_draw(shape, 0, r, image);
        for (unsigned i = 0; i < SM_IMAGE_PIXELS; i++)
            out[i] += image[i] / (double)MANY;
    }
}

static void test_shapes_differ(void **state)
{
    (void)state;
    static double means[SM_IMAGE_CLASSES][SM_IMAGE_PIXELS];
    struct sm_random r = sm_random_stream(1, 1);
    for (unsigned k = 0; k < SM_IMAGE_CLASSES; k++)
        average_image(k, &r, means[k]);
    for (unsigned a = 0; a < SM_IMAGE_CLASSES; a++)
        for (unsigned b = 0; b < a; b++) {
            double apart = 0;
            for (unsigned i = 0; i < SM_IMAGE_PIXELS; i++)
                apart = fmax(apart, fabs(means[a][i] - means[b][i]));
            if (apart < 0.2)
                fail_msg("%s and %s look alike: %g", sm_image_name(a), sm_image_name(b), apart);
        }
}

/* Whether the centre is inked; the corners never are. */
static void test_shapes_look_like_their_names(void **state)
{
    (void)state;
    static const struct {
        unsigned shape;
        bool middle;
    } cases[] = {{0, true}, {1, false}, {2, true},  {3, false}, {4, true},
                 {5, true}, {6, true},  {7, false}, {8, false}};
    struct sm_random r = sm_random_stream(2, 1);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double mean[SM_IMAGE_PIXELS];
        average_image(cases[k].shape, &r, mean);
        double middle = mean[SM_IMAGE_SIDE / 2 * SM_IMAGE_SIDE + SM_IMAGE_SIDE / 2],
               corner = mean[0];
        assert_true(corner < 0.15);
        if ((middle > 0.55) != cases[k].middle)
            fail_msg("%s: %g in the middle", sm_image_name(cases[k].shape), middle);
    }
}

static void test_normalized(void **state)
{
    (void)state;
    float image[SM_IMAGE_PIXELS];
    double sum = 0, squares = 0, n = 2.0 * MANY * SM_IMAGE_PIXELS;
    struct sm_random r = sm_random_stream(3, 1);
    for (unsigned k = 0; k < 2 * MANY; k++) {
        sm_image_draw(k % SM_IMAGE_CLASSES, 0.2f, &r, image);
        sm_image_normalize(image);
        for (unsigned i = 0; i < SM_IMAGE_PIXELS; i++) {
            sum += image[i];
            squares += image[i] * (double)image[i];
        }
    }
    assert_true(fabs(sum / n) < 0.1);
    assert_true(fabs(sqrt(squares / n) - 1) < 0.1);
}

static void test_noise_is_as_asked(void **state)
{
    (void)state;
    double squares = 0;
    struct sm_random r = sm_random_stream(4, 1);
    for (unsigned k = 0; k < MANY; k++) {
        float clean[SM_IMAGE_PIXELS], noisy[SM_IMAGE_PIXELS];
        struct sm_random again = r;
        sm_image_draw(0, 0, &again, clean);
        sm_image_draw(0, 0.5f, &r, noisy);
        for (unsigned i = 0; i < SM_IMAGE_PIXELS; i++)
            squares += (noisy[i] - clean[i]) * (double)(noisy[i] - clean[i]);
    }
    assert_true(fabs(sqrt(squares / MANY / SM_IMAGE_PIXELS) - 0.5) < 0.01);
}

static void test_random_numbers(void **state)
{
    (void)state;
    struct sm_random r = sm_random_stream(5, 1);
    unsigned seen[10] = {0};
    double sum = 0, squares = 0;
    for (unsigned k = 0; k < 10000; k++) {
        float x = sm_random_between(&r, -1, 3), z = sm_random_normal(&r);
        assert_true(x >= -1 && x < 3);
        seen[sm_random_below(&r, 10)]++;
        sum += z;
        squares += z * (double)z;
    }
    for (unsigned k = 0; k < 10; k++)
        assert_in_range(seen[k], 850, 1150);
    assert_true(fabs(sum / 10000) < 0.05);
    assert_true(fabs(squares / 10000 - 1) < 0.06);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_seed_same_image),
        cmocka_unit_test(test_shapes_differ),
        cmocka_unit_test(test_shapes_look_like_their_names),
        cmocka_unit_test(test_normalized),
        cmocka_unit_test(test_noise_is_as_asked),
        cmocka_unit_test(test_random_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
