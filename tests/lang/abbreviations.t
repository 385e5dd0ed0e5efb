# any unambiguous beginning, and the fixed short ones
$ -batch -ex 'p 1+2' -ex 'insp 4' -ex 'inspect 5'
$1 = 3
$2 = 4
$3 = 5

$ -batch -ex 'i modes' tests/trials/cnn_healthy
MODE   STEPS  FIRST  LAST
TRAIN      9      0    80
EVAL       7      0    11

$ -batch -ex 'info wor' tests/trials/cnn_healthy
WORKER    STEPS  FIRST  LAST  ENDED
worker_0     16      0   101  true

$ -batch -ex 'set print elem 7' -ex 'show pri ele'
The current value of 'print elements' is "7".

# several are named
$ -batch -ex 'se'
! smdbg: Ambiguous command "se": series, set.
? 1

$ -batch -ex 'pr 6'
! smdbg: Ambiguous command "pr 6": print, printf, profile.
? 1

$ -batch -ex 'info s'
! smdbg: Ambiguous info command "s": session, sessions, set, settings, size, steps, summary, system.
? 1

# an option may be shortened, too
$ -batch -ex 'info modes -js' tests/trials/cnn_healthy
! smdbg: Ambiguous option "-js": -json, -jsonl.
? 1

# an alias that begins so is named as such
$ -batch -ex 'in'
! smdbg: Ambiguous command "in": info, inspect.
? 1

# lines within lines, variables, collections
$ -batch -ex 'complete with print prec' -ex 'complete with print precision 3 -- sta' -ex 'complete at 10 -- tensor CNN_fc1' -ex 'complete at 10 -- with print elem' -ex 'complete alias foo = hea' -ex 'complete complete und' -ex 'complete pipe hea' -ex 'complete stat +bia' -ex 'set $rate = 1' -ex 'complete print 1 + $ra' -ex 'complete print max($_st' tests/trials/cnn_healthy
with print precision
with print precision-style
with print precision 3 -- stat
at 10 -- tensor CNN_fc1.bias
at 10 -- tensor CNN_fc1.weight
at 10 -- with print elements
alias foo = health
alias foo = heatmap
complete undisplay
pipe health
pipe heatmap
stat +biases
print 1 + $rate
print max($_step
