// SPDX-License-Identifier: Apache-2.0
// A training in C++ that is recorded: a line through noisy points. The hook closes itself.
//
//     c++ train.cpp $(pkg-config --cflags --libs smdbg-hook) -o train && ./train && smdbg-tui
//     train-run
#include <smdbg_hook.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <random>
#include <string>
#include <vector>

struct Close {
    void operator()(smdbg_hook *hook) const
    {
        smdbg_hook_close(hook);
    }
};
using Hook = std::unique_ptr<smdbg_hook, Close>;

static void save(const Hook &hook, const std::string &name, const std::vector<float> &values)
{
    const std::array<std::int64_t, 1> shape = {static_cast<std::int64_t>(values.size())};
    smdbg_hook_save(hook.get(), name.c_str(), SMDBG_FLOAT32, 1, shape.data(), nullptr,
                    values.data());
}

int main()
{
    Hook hook(smdbg_hook_new("train-run"));
    std::mt19937 random(1);
    std::normal_distribution<float> normal;
    std::vector<float> line(2), gradient(2);

    smdbg_collection_set(hook.get(), "weights", "save_interval", "10");
    smdbg_collection_set(hook.get(), "gradients", "save_interval", "10");
    for (int step = 0; step < 200; step++) {
        smdbg_hook_step(hook.get(), SMDBG_TRAIN);
        double loss = 0;
        gradient.assign(2, 0);
        for (int i = 0; i < 64; i++) {
            float x = normal(random),
                  error = line[0] * x + line[1] - (3 * x + 1 + normal(random) / 4);
            loss += error * error / 64;
            gradient[0] += error * x / 32;
            gradient[1] += error / 32;
        }
        save(hook, "line.weight", line);
        save(hook, "gradient/line.weight", gradient);
        smdbg_hook_scalar(hook.get(), "loss", loss); // at every step
        for (int k = 0; k < 2; k++)
            line[k] -= 0.1f * gradient[k];
    }
    smdbg_hook_flush(hook.get());
    if (*smdbg_hook_error(hook.get()))
        std::fprintf(stderr, "train: %s\n", smdbg_hook_error(hook.get()));
    return 0;
}
