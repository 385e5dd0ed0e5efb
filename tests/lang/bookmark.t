$ -batch tests/trials/cnn_healthy -ex bookmark -ex 'bookmark a 10' -ex 'bookmark b last' -ex bookmark -ex 'bookmark -go a' -ex 'print $_step' -ex 'bookmark -json'
No bookmarks in this trial: "bookmark a" remembers the current step.
Bookmark a is step 10.
Bookmark b is step 101.
LETTER  STEP
a         10
b        101
$1 = 10
[{"letter":"a","step":10},{"letter":"b","step":101}]

$ -batch tests/trials/cnn_healthy -ex 'bookmark -go z'
! smdbg: No bookmark "z" in this trial.
? 4

$ -batch tests/trials/cnn_healthy -ex 'bookmark ab'
! smdbg: A bookmark is one letter or digit, not "ab".
? 1

# a bookmark is a step, with the quote of the key too; a digit is one with the quote only
$ -batch --keep-going tests/trials/cnn_healthy -ex 'bookmark a 10' -ex 'bookmark 1 20' -ex 'at a -- print $_step' -ex "at 'a -- print \$_step" -ex "at '1 -- print \$_step" -ex "goto 'a" -ex 'print $_step' -ex 'goto last' -ex 'goto a' -ex 'print $_step' -ex "stat CNN_conv0.bias step '1 -field step" -ex "goto 'z" -ex 'goto z' -ex "goto 'ab" -ex 'goto 1'
Bookmark a is step 10.
Bookmark 1 is step 20.
$1 = 10
$2 = 10
$3 = 20
step 10 (train 10)
$4 = 10
step 101 (eval 11)
step 10 (train 10)
$5 = 10
step  20
! smdbg: No bookmark "z" in this trial.
! smdbg: Invalid step "z": expected 100, first, last, ., +5, ~137 or @-10m.
! smdbg: Unmatched single quote at column 6.
! smdbg: There is no step 1 (nearest 0).
? 4
