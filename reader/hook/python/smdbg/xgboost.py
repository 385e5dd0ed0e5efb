# SPDX-License-Identifier: Apache-2.0
"""xgboost.train: a step of mode GLOBAL is a round."""

from .attach import quietly
from .options import Options
from .run import GLOBAL, Run, quiet

LOSSES = ("rmse", "rmsle", "mae", "mape", "mphe", "logloss", "mlogloss", "error", "merror", "hinge", "nloglik", "deviance")
KINDS = ("weight", "gain", "cover", "total_gain", "total_cover")


class BoosterRun(Run):
    COLLECTIONS = ("feature_importance",)

    def place(self):
        from xgboost import collective
        return (collective.get_rank(), collective.get_world_size()) if collective.is_distributed() else super().place()

    @quiet
    def record(self, model, round_, metrics):
        self._next[GLOBAL] = self._global = round_         # a training that goes on counts on
        self.begin(GLOBAL)
        for data, found in metrics.items():
            for metric, history in found.items():
                value, name = history[-1], f"{data}-{metric}"
                if metric.partition("@")[0].endswith(LOSSES):
                    self.loss(name)
                self.scalar(name, value[0] if isinstance(value, tuple) else value)     # of cv: mean, deviation
        if self.is_due(GLOBAL) and hasattr(model, "get_score"):
            self._record_importance(model)

    def _record_importance(self, model):
        for kind in KINDS:
            scores = model.get_score(importance_type=kind)
            total = sum(scores.values())
            for feature, score in scores.items():
                if isinstance(score, (int, float)) and total:
                    self.save("feature_importance", f"feature_importance/{kind}/{feature}", float(score / total))


def make(**keywords):
    from xgboost.callback import TrainingCallback
    options = Options(save=(), raw=True, **keywords)

    class XGBoostCallback(TrainingCallback):
        """run: the Run of the present training; None before and after."""

        run = None

        def before_training(self, model):
            self.run = quietly(BoosterRun, options)
            return model

        def after_iteration(self, model, epoch, evals_log):
            if self.run:                                   # epoch begins at 0 in a training that goes on, too
                rounds = getattr(model, "num_boosted_rounds", None)
                self.run.record(model, rounds() - 1 if rounds else epoch, evals_log)
            return False

        def after_training(self, model):
            if self.run:
                self.run.close()
            self.run = None
            return model

    return XGBoostCallback()
