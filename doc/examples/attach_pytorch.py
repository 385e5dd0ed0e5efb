# SPDX-License-Identifier: Apache-2.0
"""A small training of PyTorch, recorded by smdbg.attach. Needs torch only:

    python3 attach_pytorch.py && smdbg-tui smdbg-runs

Look at it while it runs: smdbg-tui smdbg-runs in another terminal."""

import smdbg
import torch
from torch import nn

torch.manual_seed(1)
torch.set_num_threads(1)                                   # the model is small
PATTERNS = torch.randn(10, 1, 16, 16)


class CNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv0, self.relu0 = nn.Conv2d(1, 8, 3, padding=1), nn.ReLU()
        self.conv1, self.relu1 = nn.Conv2d(8, 16, 3, padding=1, stride=2), nn.ReLU()
        self.fc = nn.Linear(16 * 8 * 8, 10)

    def forward(self, x):
        x = self.relu1(self.conv1(self.relu0(self.conv0(x))))
        return self.fc(x.flatten(1))


def batch(n=64):
    """Noisy images of ten patterns, and which pattern each has."""
    labels = torch.randint(0, 10, (n,))
    return PATTERNS[labels] + torch.randn(n, 1, 16, 16) * 2, labels


def main():
    model = CNN()
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 300)
    run = smdbg.attach(model, optimizer, every=10, outputs=r"relu|fc_output")      # the one line
    for step in range(300):
        model.train()
        images, labels = batch()
        predicted = model(images)
        loss = nn.functional.cross_entropy(predicted, labels)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
        run.log(loss=loss, accuracy=(predicted.argmax(1) == labels).float().mean())
        if step % 50 == 49:
            model.eval()
            with torch.no_grad():
                images, labels = batch(256)
                run.log(val_accuracy=(model(images).argmax(1) == labels).float().mean())
    run.close()
    print(f"smdbg-tui {run.dir}")


if __name__ == "__main__":
    main()
