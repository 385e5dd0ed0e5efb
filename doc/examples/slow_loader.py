# SPDX-License-Identifier: Apache-2.0
"""A training whose data loader is the bottleneck: images are decompressed and distorted one by one, in the process that
trains. Mended are --workers 4, and --cached, which prepares them once.

    smdbg-tui sample -i 1000 -- python3 slow_loader.py --seconds 14

PYTHONPATH must have the folder of smdbg_profile.py (pkg-config --variable=pythondir smdbg-hook)."""

import argparse
import time
import zlib

import smdbg_profile
import torch
from torch import nn

BATCH, SIDE = 32, 96


class Images(torch.utils.data.Dataset):
    """Noise around one of ten patterns, compressed."""

    def __init__(self, n):
        generator = torch.Generator().manual_seed(1)
        patterns = torch.randn(10, 3, SIDE, SIDE, generator=generator)
        self.labels = torch.randint(0, 10, (n,), generator=generator).tolist()
        noise = torch.randn(n, 3, SIDE, SIDE, generator=generator)
        self.bytes = [zlib.compress((patterns[label] + part).numpy().tobytes()) for label, part in zip(self.labels, noise)]

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        image = torch.frombuffer(bytearray(zlib.decompress(self.bytes[i])), dtype=torch.float32).view(3, SIDE, SIDE)
        for _ in range(80):                                # a random shift and a change of contrast, again and again
            image = image.roll((int(torch.randint(-2, 3, ())), int(torch.randint(-2, 3, ()))), (1, 2)) * 1.0001
        return image, self.labels[i]


def parse_arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--workers", type=int, default=0, help="processes that prepare images")
    parser.add_argument("--cached", action="store_true", help="prepare all images before the training")
    parser.add_argument("--width", type=int, default=8, help="channels of the network")
    return parser.parse_args()


def main(arguments):
    torch.manual_seed(1)
    torch.set_num_threads(1)
    model = nn.Sequential(nn.Conv2d(3, arguments.width, 3, 2), nn.ReLU(), nn.Flatten(), nn.LazyLinear(10))
    images = Images(256)
    if arguments.cached:
        images = [images[i] for i in range(len(images))]
    loader = torch.utils.data.DataLoader(images, BATCH, shuffle=True, num_workers=arguments.workers)
    model(next(iter(loader))[0])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    end, steps = time.monotonic() + arguments.seconds, 0
    with smdbg_profile.profile() as prof:
        prof.watch(model, optimizer)
        while time.monotonic() < end:
            for batch, labels in prof.loader(loader):
                loss = nn.functional.cross_entropy(model(batch), labels)
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
                steps += 1
    print(f"{steps} steps, loss {loss.item():.3f}")


if __name__ == "__main__":
    main(parse_arguments())
