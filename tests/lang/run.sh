#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs command lines and compares their output. Usage: tests/lang/run.sh [FILE.t]...
#
# A .t file is a list of cases, with an empty line after each:
#
#   # a comment, between cases
#   $ -batch -ex 'print 1+2'             arguments, quoted as for sh; VAR=value before them sets the environment
#   < text                               a line on stdin; "<" alone is an empty line
#   $1 = 3                               lines expected on stdout; put "\" before one that is empty or starts like one of these
#   ! smdbg: text                        a line expected on stderr
#   ? 1                                  the exit status, if it is not 0
#
# The program runs in the project's root with LC_ALL=C.UTF-8 TERM=dumb COLUMNS=100 HOME=/nonexistent and no other variables;
# $T is an empty directory. SMDBG is the path of the program (build/smdbg-tui). UPDATE=1 writes the output into the files.

cd "$(dirname "$0")/../.." || exit 2
SMDBG=${SMDBG:-${B:-build}/smdbg-tui}
[ -x "$SMDBG" ] || { echo "$SMDBG: no such program" >&2; exit 2; }
[ $# -gt 0 ] || set -- tests/lang/*.t
unset TMPDIR # lines are cut where the path of $T is as long as here
W=$(mktemp -d) || exit 2
trap 'rm -rf "$W"' EXIT
passed=0 failed=0

# run ARGS: runs the program; sets out, err and status
run() {
    T=$W/t
    mkdir "$T"
    vars=$(printf '%s\n' "$1" | sed -nE 's/^ (([A-Za-z_]+=[^ ]* )+).*/\1/p')
    eval "env -i PATH=\"\$PATH\" LC_ALL=C.UTF-8 TERM=dumb COLUMNS=100 HOME=/nonexistent TZ=UTC0 \
        ${ASAN_OPTIONS:+ASAN_OPTIONS=\"\$ASAN_OPTIONS\"} $vars\"\$SMDBG\" ${1#" $vars"}" <"$W/in" >"$W/out" 2>"$W/err"
    echo $? >"$W/status"
    rm -rf "$T"
    # completes an unterminated last line, and replaces the changing name of the empty directory
    for f in out err; do
        sed "s|$T|\$T|g; \$a\\" "$W/$f" >"$W/x" && mv "$W/x" "$W/$f"
    done
}

mark_stdout() {
    sed 's/^\\/\\\\/; s/^[$!?<]\( \|$\)/\\&/; s/^$/\\/' "$1"
}

# runs the current case, compares the output, and copies the case for UPDATE
end_case() {
    [ -n "$args" ] || return 0
    run "$args"
    if cmp -s "$W/out" "$W/want.out" && cmp -s "$W/err" "$W/want.err" && [ "$(cat "$W/status")" = "$want" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        if [ -z "$UPDATE" ]; then
            echo "$file:$at: \$$args"
            diff "$W/want.out" "$W/out" | sed -n 's/^[<>]/& stdout:/p'
            diff "$W/want.err" "$W/err" | sed -n 's/^[<>]/& stderr:/p'
            [ "$(cat "$W/status")" = "$want" ] || echo "status $(cat "$W/status"), expected $want"
        fi
    fi
    {
        printf '$%s\n' "$args" | sed 's/ $//'
        sed 's/^/< /; s/ $//' "$W/in"
        mark_stdout "$W/out"
        sed 's/^/! /' "$W/err"
        [ "$(cat "$W/status")" = 0 ] || echo "? $(cat "$W/status")"
    } >>"$W/new"
    args=
}

begin_case() {
    args=" ${1# }" at=$number want=0
    : >"$W/in"
    : >"$W/want.out"
    : >"$W/want.err"
}

read_line() {
    case $1 in
    '$' | '$ '*)
        end_case
        begin_case "${1#'$'}"
        ;;
    '')
        end_case
        echo >>"$W/new"
        ;;
    *)
        if [ -z "$args" ]; then
            printf '%s\n' "$1" >>"$W/new"
            return
        fi
        case $1 in
        '<') echo >>"$W/in" ;;
        '< '*) printf '%s\n' "${1#'< '}" >>"$W/in" ;;
        '! '*) printf '%s\n' "${1#'! '}" >>"$W/want.err" ;;
        '? '*) want=${1#'? '} ;;
        '\'*) printf '%s\n' "${1#'\'}" >>"$W/want.out" ;;
        *) printf '%s\n' "$1" >>"$W/want.out" ;;
        esac
        ;;
    esac
}

for file; do
    args= number=0
    : >"$W/new"
    while IFS= read -r line <&3 || [ -n "$line" ]; do
        number=$((number + 1))
        read_line "$line"
    done 3<"$file"
    end_case
    if [ -n "$UPDATE" ] && ! cmp -s "$W/new" "$file"; then
        cat "$W/new" >"$file"
    fi
done
[ $# -ne 1 ] || printf '%s: ' "$1"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
