# SPDX-License-Identifier: Apache-2.0
"""Writes tests/samples/checkpoints/trainer and lightning with torch, transformers and lightning, on a CPU.

trainer: GPT-2 of two layers by transformers' Trainer, a checkpoint every 10 of 40 steps; the head is tied to the embedding.
lightning: two layers and a batch norm by Lightning, one checkpoint of two optimizers."""
import os
import shutil

import lightning
import torch
from lightning.pytorch.callbacks import ModelCheckpoint
from transformers import GPT2Config, GPT2LMHeadModel, Trainer, TrainingArguments

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "checkpoints")


class Counting(torch.utils.data.Dataset):
    """Sequences that count by a fixed stride."""
    def __len__(self):
        return 320

    def __getitem__(self, i):
        x = (i + (1 + i % 2) * torch.arange(8)) % 16
        return {"input_ids": x, "labels": x}


def trainer():
    out = os.path.join(HERE, "trainer")
    shutil.rmtree(out, ignore_errors=True)
    torch.manual_seed(0)
    model = GPT2LMHeadModel(GPT2Config(n_layer=2, n_embd=8, n_head=2, vocab_size=16, n_positions=8, bos_token_id=0,
                                       eos_token_id=0))
    Trainer(model, TrainingArguments(output_dir=out, max_steps=40, save_steps=10, logging_steps=2, learning_rate=1e-2,
                                     per_device_train_batch_size=16, report_to=[], use_cpu=True, disable_tqdm=True),
            train_dataset=Counting()).train()
    for step in (10, 20, 30):  # large files that say nothing new
        os.remove(os.path.join(out, "checkpoint-%d" % step, "rng_state.pth"))
        os.remove(os.path.join(out, "checkpoint-%d" % step, "scheduler.pt"))


class Two(lightning.LightningModule):
    def __init__(self, hidden=3):
        super().__init__()
        self.save_hyperparameters()
        self.body = torch.nn.Sequential(torch.nn.Linear(4, hidden), torch.nn.BatchNorm1d(hidden))
        self.head = torch.nn.Linear(hidden, 3)
        self.automatic_optimization = False

    def training_step(self, batch, i):
        loss = (self.head(self.body(batch[0])) ** 2).mean()
        self.manual_backward(loss)
        for o in self.optimizers():
            o.step()
            o.zero_grad()

    def configure_optimizers(self):
        return torch.optim.Adam(self.body.parameters()), torch.optim.SGD(self.head.parameters(), lr=0.1, momentum=0.9)


def two():
    out = os.path.join(HERE, "lightning")
    shutil.rmtree(out, ignore_errors=True)
    torch.manual_seed(0)
    data = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.randn(16, 4)), batch_size=4)
    lightning.Trainer(max_epochs=1, accelerator="cpu", logger=False, enable_progress_bar=False,
                      callbacks=[ModelCheckpoint(dirpath=out, filename="{epoch}-{step}")]).fit(Two(), data)


if __name__ == "__main__":
    trainer()
    two()
