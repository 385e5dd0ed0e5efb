# SPDX-License-Identifier: Apache-2.0
"""A small transformer trained by transformers.Trainer, recorded by smdbg.HuggingFaceCallback. Nothing is downloaded.

    python3 attach_huggingface.py && smdbg-tui smdbg-runs"""

import tempfile

import smdbg
import torch
from transformers import BertConfig, BertForSequenceClassification, Trainer, TrainingArguments


def texts(n):
    """Sequences of 16 tokens. The label says whether most of them are from the first half of the vocabulary."""
    tokens = torch.randint(5, 64, (n, 16))
    labels = ((tokens < 34).sum(1) > 8).long()
    return [{"input_ids": t, "attention_mask": torch.ones_like(t), "labels": y} for t, y in zip(tokens, labels)]


def main():
    torch.manual_seed(1)
    torch.set_num_threads(1)                               # the model is small
    config = BertConfig(vocab_size=64, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64,
                        max_position_embeddings=16)
    model = BertForSequenceClassification(config)
    with tempfile.TemporaryDirectory() as folder:
        arguments = TrainingArguments(folder, max_steps=200, per_device_train_batch_size=32, learning_rate=2e-3, logging_steps=1,
                                      eval_strategy="steps", eval_steps=50, report_to=[], disable_tqdm=True, save_strategy="no")
        callback = smdbg.HuggingFaceCallback(every=10, outputs=r"_output_logits")
        Trainer(model, arguments, train_dataset=texts(4096), eval_dataset=texts(256), callbacks=[callback]).train()


if __name__ == "__main__":
    main()
