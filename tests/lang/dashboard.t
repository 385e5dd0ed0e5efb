$ -batch -ex 'layout plots'
! smdbg: The dashboard is not active: start with --tui.
? 1

$ -batch -ex 'focus rules'
! smdbg: The dashboard is not active: start with --tui.
? 1

$ -batch -ex 'act zoom'
! smdbg: The dashboard is not active: start with --tui.
? 1

$ -batch -ex 'screen save $T/x.svg'
! smdbg: The dashboard is not active: start with --tui.
? 1

$ -batch -ex 'key everywhere X layout rules' -ex 'tui new-layout two scalars 1 rules 1' -ex 'echo an init file may have them\n'
an init file may have them

$ -batch -ex 'key everywhere'
! smdbg: Expected a context, a key and a command, as in: key everywhere X layout rules.
? 1

# the panes and their sizes, where there are some
$ -batch -ex 'info win' -ex 'info win -json'
The TUI is not active.
[]

$ -batch -ex 'tui new-layout two'
! smdbg: Expected a name and panes with weights, as in: tui new-layout two scalars 2 rules 1.
? 1

$ -batch tests/trials/cnn_healthy -ex 'tensors +tagged'
No tensor matches.

$ -batch -ex 'complete layout p' -ex 'complete focus s'
layout plots
layout profile
layout prev
focus scalars
focus steps
focus sources
focus scatter
focus system
focus size
focus summary

$ -batch -ex 'pane value'
! smdbg: The dashboard is not active: start with --tui.
? 1

$ -batch -ex 'pane value set view values' -ex 'echo an init file may have it\n'
an init file may have it

$ -batch -ex 'pane value set'
! smdbg: Expected pane NAME show, pane NAME hide, or pane NAME set ATTRIBUTE VALUE.
? 1

$ -batch -ex 'pane'
! smdbg: Argument required (PANE).  Try "help pane".
? 1

# where no trial could be opened, the status says so, whatever key ends the dashboard
$ TERM=xterm-256color -n --tui --size 80x24 --keys "$(echo 'wait q q' >"$T/keys" && echo "$T/keys")" doc/stories
? 5

$ TERM=xterm-256color -n --tui --size 80x24 --keys "$(echo 'wait q q' >"$T/keys" && echo "$T/keys")" tests/trials/cnn_healthy
