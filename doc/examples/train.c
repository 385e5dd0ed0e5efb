/* SPDX-License-Identifier: Apache-2.0 */
/* A training in C that is recorded: a line through noisy points, fitted by gradient descent.
 *
 *     cc train.c $(pkg-config --cflags --libs smdbg-hook) -o train && ./train && smdbg-tui
 * train-run
 */
#include <smdbg_hook.h>

#include <stdio.h>
#include <stdlib.h>

enum { POINTS = 64, STEPS = 200 };

static float noise(void)
{
    return (float)rand() / (float)RAND_MAX - 0.5f;
}

/* The mean squared error of the line; its gradient by slope and offset. */
static double loss_of(const float *x, const float *y, const float line[2], float gradient[2])
{
    double loss = 0;
    gradient[0] = gradient[1] = 0;
    for (int i = 0; i < POINTS; i++) {
        float error = line[0] * x[i] + line[1] - y[i];
        loss += error * error / POINTS;
        gradient[0] += 2 * error * x[i] / POINTS;
        gradient[1] += 2 * error / POINTS;
    }
    return loss;
}

int main(void)
{
    static const int64_t shape[1] = {2};
    float x[POINTS], y[POINTS], line[2] = {0, 0}, gradient[2];
    smdbg_hook *hook = smdbg_hook_new("train-run");

    for (int i = 0; i < POINTS; i++) {
        x[i] = 2 * noise();
        y[i] = 3 * x[i] + 1 + noise() / 4;
    }
    smdbg_collection_set(hook, "weights", "save_interval", "10");
    smdbg_collection_set(hook, "gradients", "save_interval", "10");
    for (int step = 0; step < STEPS; step++) {
        smdbg_hook_step(hook, SMDBG_TRAIN);
        double loss = loss_of(x, y, line, gradient);
        smdbg_hook_save(hook, "line.weight", SMDBG_FLOAT32, 1, shape, NULL, line);
        smdbg_hook_save(hook, "gradient/line.weight", SMDBG_FLOAT32, 1, shape, NULL, gradient);
        smdbg_hook_scalar(hook, "loss", loss); /* at every step */
        for (int k = 0; k < 2; k++)
            line[k] -= 0.1f * gradient[k];
    }
    smdbg_hook_flush(hook);
    if (*smdbg_hook_error(hook))
        fprintf(stderr, "train: %s\n", smdbg_hook_error(hook));
    return smdbg_hook_close(hook) == 0 ? 0 : 1;
}
