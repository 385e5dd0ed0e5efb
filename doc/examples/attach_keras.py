# SPDX-License-Identifier: Apache-2.0
"""A small training of Keras, recorded by smdbg.KerasCallback. KERAS_BACKEND chooses tensorflow, torch or jax.

    python3 attach_keras.py && smdbg-tui smdbg-runs"""

import keras
import numpy
import smdbg


def points(n, random):
    """Points around five centres, and which centre each has."""
    labels = random.integers(0, 5, n)
    return (numpy.eye(20)[labels] * 2 + random.normal(size=(n, 20))).astype("float32"), labels


def main():
    keras.utils.set_random_seed(1)
    random = numpy.random.default_rng(1)
    model = keras.Sequential([keras.layers.Input((20,)), keras.layers.Dense(64, activation="relu"),
                              keras.layers.Dense(64, activation="relu"), keras.layers.Dense(5)])
    model.compile(keras.optimizers.Adam(1e-2), keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
    x, y = points(2048, random)
    model.fit(x, y, batch_size=64, epochs=5, verbose=0, validation_data=points(512, random), callbacks=[smdbg.KerasCallback(every=10)])


if __name__ == "__main__":
    main()
