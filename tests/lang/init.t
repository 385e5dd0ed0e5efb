# init file, -iex, trial, -x and -ex in their order
$ XDG_CONFIG_HOME=$PWD/tests/lang/files/config -batch -ex 'show print elements' -iex 'echo early\n' -x tests/lang/files/hello.cmd
init
early
The current value of 'print elements' is "17".
hello

$ XDG_CONFIG_HOME=$PWD/tests/lang/files/config -batch -n -ex 'show print elements'
The current value of 'print elements' is "200".

$ XDG_CONFIG_HOME=$PWD/tests/lang/files/config -batch --nh -ex 'show print elements'
The current value of 'print elements' is "200".

# relative values are ignored
$ XDG_CONFIG_HOME=tests/lang/files/config -batch -ex 'show print elements'
The current value of 'print elements' is "200".

# the command line stands above the init file, -iex above the command line
$ -batch --symbols block -ex 'show symbols' -iex 'set symbols ascii'
The current value of 'symbols' is "ascii".

# a trial is not open yet
$ -batch -iex 'info trial' tests/trials/cnn_healthy
! smdbg: No trial is open.  Use "open PATH".
? 1

# rules of one's own are known from the start
$ XDG_CONFIG_HOME=$PWD/tests/lang/files/own_rules -batch -ex 'rule add late_loss limit=0.7' -ex 'rule status -wait -field instance,status' tests/trials/mlp_overfit
late_loss is attached.
RULE       STATUS
late_loss  IssuesFound

$ XDG_CONFIG_HOME=$PWD/tests/lang/files/own_rules -batch -n -ex 'rule add late_loss' tests/trials/mlp_overfit
! smdbg: No rule "late_loss".  Try "rule list".
? 4

$ -batch -ex 'rule load -define doc/rules/large_mean.rule' -ex 'rule list large_mean' -ex 'rule load -define tests/lang/files/rules.json'
large_mean can be added.
large_mean, large_mean (custom).
A gradient is large on average.
\
Fires when mean(abs(x)) > $threshold.
\
Parameters:
  threshold                   float, 10
                                parameter of the rule file
  expr                        string, mean(abs(x)) > $threshold
                                the condition
  collection_names            list, gradients
                                judge each tensor of these collections
  tensor_regex                regex list
                                judge each tensor that matches
  message                     string, mean of |x| is {mean(abs(x))}, limit {$threshold}
                                text of the finding
  All rules also have mode, workers, start_step, end_step, policy, judge and action.
\
The hook must save: the tensors that the expression names.
When it fires: Lower the learning rate, or clip gradients.
! smdbg: tests/lang/files/rules.json: -define is for .rule files.
? 1

