source tests/lang/files/fails.cmd
echo not reached either\n
