# SPDX-License-Identifier: Apache-2.0
"""A small training of Lightning, recorded by smdbg.LightningCallback.

    python3 attach_lightning.py && smdbg-tui smdbg-runs"""

import lightning
import smdbg
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Classifier(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 5))

    def loss_of(self, batch):
        x, y = batch
        return nn.functional.cross_entropy(self.net(x), y)

    def training_step(self, batch, _):
        loss = self.loss_of(batch)
        self.log("loss", loss)
        return loss

    def validation_step(self, batch, _):
        self.log("val_loss", self.loss_of(batch))

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=1e-2)


def points(n):
    """Points around five centres, and which centre each has."""
    labels = torch.randint(0, 5, (n,))
    return TensorDataset(torch.eye(20)[labels] * 2 + torch.randn(n, 20), labels)


def main():
    lightning.seed_everything(1, verbose=False)
    callback = smdbg.LightningCallback(every=10, outputs=r"net\.\d_output")
    trainer = lightning.Trainer(max_epochs=5, accelerator="cpu", callbacks=[callback], gradient_clip_val=1.0, logger=False,
                                enable_checkpointing=False, enable_progress_bar=False)
    trainer.fit(Classifier(), DataLoader(points(2048), batch_size=64, shuffle=True), DataLoader(points(512), batch_size=256))


if __name__ == "__main__":
    main()
