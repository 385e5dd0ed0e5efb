# SPDX-License-Identifier: Apache-2.0
"""What recording costs a training in Python: microseconds a step by hand (five pieces of time), and, where PyTorch is
installed, what the hooks of watch() add to a step, beside the step without. Usage: hook_profile_cost.py"""

import pathlib
import statistics
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent.parent.parent / "reader/hook/python"))
import smdbg_profile  # noqa: E402

ROUNDS, STEPS = 15, 2000


def report(name, value, floor, bar):
    """A line as sm_bench_report has it; the bar is for the value."""
    ratio = f"{value / floor:8.4g}" if floor else f"{'-':>8}"
    shown = f"{floor:12.5g}" if floor else f"{'-':>12}"
    print(f"{name:<32} {value:12.5g} {shown} {ratio}  <= {bar:<6g} {'met' if value <= bar else 'not met'}", flush=True)


def seconds(function):
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def by_hand(folder):
    def steps():
        for _ in prof.loader(range(STEPS)):
            with prof.step():
                with prof.forward():
                    pass
                with prof.backward():
                    pass
                with prof.optimizer():
                    pass

    with smdbg_profile.profile(folder) as prof:
        times = [1e6 * seconds(steps) / STEPS for _ in range(ROUNDS)]
    report("profile_by_hand_us_per_step", statistics.median(times), 0, 20)


def by_hooks(folder, modules, bar):
    import torch
    torch.set_num_threads(1)
    model = torch.nn.Sequential(*[torch.nn.Linear(64, 64) for _ in range(8)])
    optimizer = torch.optim.AdamW(model.parameters())
    inputs, plain, watched = torch.randn(16, 64), [], []

    def steps():
        for _ in range(100):
            optimizer.zero_grad()
            model(inputs).square().mean().backward()
            optimizer.step()

    steps()
    for _ in range(ROUNDS):
        plain.append(1e4 * seconds(steps))
        with smdbg_profile.profile(folder) as prof:
            prof.watch(model, optimizer, modules=modules)
            watched.append(1e4 * seconds(steps))
    more = statistics.median(with_it - without for with_it, without in zip(watched, plain))
    report(f"profile_watch_{'modules' if modules else 'model'}_us_per_step", more, 0, bar)
    print(f"  of a step of {statistics.median(plain):.0f} us with eight layers")


def main():
    with tempfile.TemporaryDirectory() as folder:
        by_hand(folder)
        try:
            import torch  # noqa: F401
        except ImportError:
            return
        by_hooks(folder, False, 100)
        by_hooks(folder, True, 300)


main()
