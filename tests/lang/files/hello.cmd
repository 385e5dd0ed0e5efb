#!/usr/bin/env -S smdbg-tui -batch -x
# a script
echo hello\n
