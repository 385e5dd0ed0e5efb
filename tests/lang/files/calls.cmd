source tests/lang/files/define.cmd
greet
broken 1
