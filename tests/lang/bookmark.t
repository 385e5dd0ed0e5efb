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

