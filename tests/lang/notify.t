# notify runs the configured command, here those that doc/rules.md shows, with programs that tell what they are given
$ -batch -ex 'set rule-actions on' -ex "set notify-action 'mail() { echo \"\$@\"; cat; }; echo \"\$SMDBG_MESSAGE\" | mail -s \"\$SMDBG_RULE at step \$SMDBG_STEP\" me@example.com >$T/sent'" -ex 'rule add overfit action=notify' -ex 'rule status -wait -field instance' -ex 'info events -field rule,step' -ex "!cat $T/sent" --allow-shell tests/trials/mlp_overfit
Overfit is attached.
RULE
Overfit
RULE     STEP
Overfit    22
Overfit    22
-         332
-           0
-s Overfit at step 22 me@example.com
Overfit fired at step 22 (TRAIN 20): CrossEntropyLoss_output_0: mean val 1.23027, mean train 0.293668, ratio 3.18931, limit 0.1 (1 in a row, patience 1)

$ -batch -ex 'set rule-actions on' -ex "set notify-action 'curl() { printf \"<%s>\" \"\$@\"; }; curl -fsS -m 20 --data-urlencode \"text=\$SMDBG_MESSAGE\" https://hooks.example.com/training'" -ex "rule add overfit action='[{\"name\": \"sms\"}, {\"name\": \"email\"}]'" -ex 'rule status -wait -field instance' -ex 'info events -csv -field text' tests/trials/mlp_overfit
Overfit is attached.
RULE
Overfit
text
"""curl() { printf ""<%s>"" ""$@""; }; curl -fsS -m 20 --data-urlencode ""text=$SMDBG_MESSAGE"" https://hooks.example.com/training"" ended with status 0: <-fsS><-m><20><--data-urlencode><text=Overfit fired at step 22 (TRAIN 20): CrossEntropyLoss_output_0: mean val 1.23027, mean train 0.293668, ratio 3.18931, limit 0.1 (1 in a row, patience 1)><https://hooks.example.com/training>"
"""curl() { printf ""<%s>"" ""$@""; }; curl -fsS -m 20 --data-urlencode ""text=$SMDBG_MESSAGE"" https://hooks.example.com/training"" ended with status 0: <-fsS><-m><20><--data-urlencode><text=Overfit fired at step 22 (TRAIN 20): CrossEntropyLoss_output_0: mean val 1.23027, mean train 0.293668, ratio 3.18931, limit 0.1 (1 in a row, patience 1)><https://hooks.example.com/training>"
"Overfit fired at step 22 (TRAIN 20): CrossEntropyLoss_output_0: mean val 1.23027, mean train 0.293668, ratio 3.18931, limit 0.1 (1 in a row, patience 1)"
the job has ended
the job begins at step 0

# what it says is no part of a command, and what fails is told
$ -batch -ex 'set rule-actions on' -ex "set notify-action 'echo \"\$SMDBG_MESSAGE\"; exit 3'" -ex 'rule add Expr expr="max($t) > 0" tensor_regex=accuracy message="; touch x $(touch y) `touch z` {max($t)}" action=notify' -ex 'rule status -wait -field instance' -ex 'info events -csv -field text' -ex '!ls x y z 2>&1 | wc -l' --allow-shell tests/trials/mlp_overfit
Expr is attached.
RULE
Expr
text
"""echo ""$SMDBG_MESSAGE""; exit 3"" ended with status 3: Expr fired at step 0 (TRAIN 0): scalar/accuracy: ; touch x $(touch y) `touch z` 0.5"
Expr fired at step 0 (TRAIN 0): scalar/accuracy: ; touch x $(touch y) `touch z` 0.5
the job has ended
the job begins at step 0
3

# nothing to run
$ -batch -ex 'set rule-actions on' -ex 'rule add overfit action="notify; stop"' -ex 'rule status -wait -field instance' -ex 'info events -csv -field text' tests/trials/mlp_overfit
Overfit is attached.
RULE
Overfit
text
"no stop command configured: see ""help set stop-action"""
"no notifier configured: see ""help set notify-action"""
"Overfit fired at step 22 (TRAIN 20): CrossEntropyLoss_output_0: mean val 1.23027, mean train 0.293668, ratio 3.18931, limit 0.1 (1 in a row, patience 1)"
the job has ended
the job begins at step 0

# The program ends after the commands of its actions, also when the last command does not wait for them.
$ -batch -ex 'set rule-actions on' -ex "set notify-action 'for i in \$(seq 200000); do :; done; echo sent >$W/late'" -ex 'rule add overfit action=notify' -ex 'rule status -field instance' tests/trials/mlp_overfit
Overfit is attached.
RULE
Overfit

$ -batch --allow-shell -ex "!cat $W/late"
sent
