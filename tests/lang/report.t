# what the service's report on boosted trees shows
$ -batch -ex 'report xgb' tests/trials/xgb_classifier
xgb_classifier: classification (multi:softprob).
\
True labels
0  23  28.8% ███████████████████████████████▌
1  29  36.2% ████████████████████████████████████████
2  28  35.0% ██████████████████████████████████████▌
\
merror over the iterations
 ── train-merror  ┄┄ validation-merror
     │⠉⠁ ⠉⠁ ⠒⠂ ⠒⠂ ⠒⠂ ⠤⠄ ⠤⠄ ⠤⠄ ⣀⡀ ⣀⡀ ⣀⡀
 0.2 ┤                                 ⠉⠁ ⠉⠁ ⠉⠁ ⠉⠁ ⠉⠁ ⠒⠂ ⠒⠂ ⠒⠂ ⠒⠂ ⠒⠂ ⠒⠂ ⠉⠁ ⠉⠁ ⠉⠁
     │
     │
 0.1 ┤⣀⡀
     │ ⠈⠉⠉⠒⠒⠒⠤⠤⢄⣀⣀
   0 ┤            ⠉⠉⠉⠒⠒⠢⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀
     └┬─────────────────┬──────────────────┬─────────────────┬─────────────────┬
      0                 5                 10                15                20
Validation was best at step 15 (0.225) and has lost 5.56% since, training has not: overfitting. Stop there, or lower max_depth or eta, raise gamma, min_child_weight or lambda.
\
mlogloss over the iterations
 0.90 ┤⡉⠁ ⠢⠄ ⣀⡀                                          ── train-mlogloss
      │⠈⠑⠢⢄⡀    ⠑⠂ ⠤⠄ ⡀                                  ┄┄ validation-mlogloss
      │    ⠈⠑⠢⢄⡀      ⠈⠁ ⠒⠂ ⠒⠂ ⠤⠄ ⠤⠄ ⠤⠄ ⣀⡀ ⣀⡀ ⣀⡀ ⣀⡀ ⣀⡀ ⣀⡀ ⣀⡀ ⣀⡀ ⣀⡀ ⣀⡀ ⣀⠄ ⠤⠄ ⠤⠄ ⠤
      │        ⠈⠑⠤⣀
      │            ⠉⠒⠤⣀
      │                ⠉⠒⠤⠤⣀⣀⣀
      │                       ⠉⠉⠉⠒⠒⠒⠤⠤⠤⣀⣀⣀
 0.07 ┤                                   ⠉⠉⠉⠉⠉⠉⠑⠒⠒⠒⠒⠒⠒⠒⠒⠢⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⣀⣀⣀⣀⣀⣀⣀⣀⣀
      └┬─────────────────┬─────────────────┬─────────────────┬─────────────────┬
       0                 5                10                15                20
Validation was best at step 10 (0.61106) and has lost 5.17% since, training has not: overfitting. Stop there, or lower max_depth or eta, raise gamma, min_child_weight or lambda.
\
Feature importance by weight
income      0.25132 ████████████████████████████████████████
age         0.22895 ████████████████████████████████████▌
weight_kg   0.18158 █████████████████████████████
height      0.15395 ████████████████████████▌
noise       0.10263 ████████████████▌
rooms      0.081579 █████████████
\
Feature importance by gain
income       0.4441 ████████████████████████████████████████
age         0.18669 █████████████████
weight_kg   0.10477 █████████▌
height      0.10404 █████████▌
noise      0.084053 ███████▌
rooms      0.076345 ███████
\
Feature importance by cover
income     0.25599 ████████████████████████████████████████
height     0.18249 ████████████████████████████▌
age        0.16876 ██████████████████████████▌
weight_kg  0.15394 ████████████████████████
noise      0.13591 █████████████████████
rooms      0.10291 ████████████████
\
Confusion matrix of the newest step
TRUE\PREDICTED   0   1   2
0               15   6   2
1                3  22   4
2                1   3  24
\
Evaluation of the confusion matrix
CLASS             PRECISION   RECALL       F1  LABELS
0                   0.78947  0.65217  0.71429      23
1                   0.70968  0.75862  0.73333      29
2                       0.8  0.85714  0.82759      28
micro average        0.7625   0.7625   0.7625      80
macro average       0.76638  0.75598   0.7584      80
weighted average    0.76423   0.7625  0.76085      80
Overall accuracy 0.7625.
\
Accuracy of each class over the iterations
CLASS    FIRST     BEST     LAST  OVER THE ITERATIONS
0      0.56522  0.65217  0.65217  ▁▄▇▇▇
1      0.75862   0.7931  0.75862  ▁▁▁▇▁
2      0.82143  0.85714  0.85714  ▁▇▇▇▇

$ -batch -ex 'report xgb' tests/trials/mlp_overfit
! smdbg: No metrics, importances or labels of boosted trees were saved.  "rule needs create_xgboost_report" shows what is needed.
? 4

