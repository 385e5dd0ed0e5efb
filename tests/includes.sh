#!/bin/sh
# Checks the order of the layers (doc/architecture.md): prints each forbidden include; status 1 if there is one.
bad=0
# forbid FOLDER PATTERN: no file in FOLDER may include a file that matches PATTERN
forbid() {
    found=$(grep -rnE "#include [\"<]($2)" "$1" --include='*.c' --include='*.h' || true)
    if [ -n "$found" ]; then
        printf 'forbidden includes in %s:\n%s\n' "$1" "$found"
        bad=1
    fi
}
forbid reader/base   'reader/(source|format|hook)/|reader/[a-z_]+\.h|plot/|rules/|commands/|tui/|curses|ncurses|readline'
forbid reader        'plot/|rules/|commands/|tui/|curses|ncurses|readline'
forbid reader/format 'reader/source/|reader/hook/|reader/[a-z_]+\.h'
forbid plot          'reader/(source|format|hook)/|reader/[a-z_]+\.h|rules/|commands/|tui/|curses|ncurses|readline'
forbid rules         'plot/|commands/|tui/|curses|ncurses|readline'
forbid commands      'tui/|curses|ncurses|readline'
[ $bad = 0 ] && echo 'includes: every layer includes only lower layers'
exit $bad
