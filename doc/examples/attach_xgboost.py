# SPDX-License-Identifier: Apache-2.0
"""A small training of XGBoost, recorded by smdbg.XGBoostCallback.

    python3 attach_xgboost.py && smdbg-tui smdbg-runs"""

import numpy
import smdbg
import xgboost


def table(n, random):
    """Eight features; three of them make the target."""
    x = random.normal(size=(n, 8))
    names = ["age", "rooms", "area", "floor", "north", "south", "noise0", "noise1"]
    return xgboost.DMatrix(x, label=x[:, 0] * x[:, 1] + 2 * x[:, 2] + random.normal(size=n) * 0.3, feature_names=names)


def main():
    random = numpy.random.default_rng(1)
    train, validation = table(2000, random), table(500, random)
    xgboost.train({"max_depth": 4, "eta": 0.1}, train, num_boost_round=200, evals=[(train, "train"), (validation, "validation")],
                  verbose_eval=False, callbacks=[smdbg.XGBoostCallback(every=10)])


if __name__ == "__main__":
    main()
