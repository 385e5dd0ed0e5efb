#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs the hook into an empty directory, compiles the program of doc/hook.md with the flags of pkg-config, as C and as
# C++, runs it and checks its trial. Usage: tests/hook.sh BUILD
set -e
B=$1
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
fail() { echo "hook: $*" >&2; exit 1; }
${MAKE:-make} -s B="$B" DESTDIR= PREFIX="$root" install >/dev/null
export PKG_CONFIG_PATH="$root/lib/pkgconfig"
awk '/^```c$/ { inside = 1; next } /^```$/ { inside = 0 } inside' doc/hook.md > "$root/train.c"
[ "$(wc -l < "$root/train.c")" -ge 10 ] || fail "doc/hook.md has no program"
for how in "${CC:-gcc} -std=c11 -Wall -Wextra -Werror" "${CC:-gcc} -x c++ -Wall -Wextra -Werror -fno-exceptions"; do
    case $how in *c++*) [ -n "$(${CC:-gcc} -print-prog-name=cc1plus | grep /)" ] || continue ;; esac
    rm -rf "$root/debug-output"
    # shellcheck disable=SC2086
    $how -o "$root/train" "$root/train.c" $(pkg-config --cflags --libs smdbg-hook) -lm || fail "does not compile: $how"
    (cd "$root" && LD_LIBRARY_PATH="$root/lib" ./train) || fail "the program failed"
    got=$("$root/bin/smdbg-tui" -n -batch -ex 'tensors -csv -field name,steps' "$root/debug-output")
    [ "$got" = "$(printf 'name,steps\nloss,100\nweight,10')" ] || fail "wrong contents of its trial: $got"
done
# so do the examples in C and C++, unchanged
for source in train.c train.cpp; do
    case $source in *.cpp) how="${CC:-gcc} -std=c++14" ;; *) how="${CC:-gcc} -std=c11" ;; esac
    case $source in *.cpp) [ -n "$(${CC:-gcc} -print-prog-name=cc1plus | grep /)" ] || continue ;; esac
    case $source in *.cpp) cxx=-lstdc++ ;; *) cxx= ;; esac
    rm -rf "$root/train-run"
    # shellcheck disable=SC2086
    $how -Wall -Wextra -Werror -o "$root/train" "doc/examples/$source" $(pkg-config --cflags --libs smdbg-hook) -lm $cxx ||
        fail "doc/examples/$source does not compile"
    (cd "$root" && LD_LIBRARY_PATH="$root/lib" ./train) || fail "doc/examples/$source failed"
    got=$("$root/bin/smdbg-tui" -n -batch -ex 'tensors -csv -field name,steps' "$root/train-run")
    [ "$got" = "$(printf 'name,steps\ngradient/line.weight,20\nline.weight,20\nscalar/loss,200')" ] ||
        fail "wrong contents of the trial of doc/examples/$source: $got"
done
# the manual page shows each function, as the header declares it
tr -s ' \n' ' ' < "$root/include/smdbg_hook.h" > "$root/declared"
awk '/^\.fi/ { exit } shown && !/^#/; /^\.nf/ { shown = 1 }' doc/smdbg-hook.3 | tr -s ' \n' ' ' | tr ';' '\n' | sed 's/^ //; /^$/d; s/$/;/' > "$root/shown"
while read -r declaration; do
    grep -qF "$declaration" "$root/declared" || fail "doc/smdbg-hook.3 has \"$declaration\", and smdbg_hook.h has not"
done < "$root/shown"
for function in $(nm -D --defined-only "$root/lib/libsmdbg-hook.so.0" | sed -n 's/.* T \(smdbg_[a-z_0-9]*\).*/\1/p'); do
    grep -q "[ *]$function(" "$root/shown" || fail "doc/smdbg-hook.3 has no $function"
done
# The static library links; the shared one exports only the public names, and needs no library but these. ld-linux is of libc.
${CC:-gcc} -o "$root/train" "$root/train.c" -I"$root/include" "$root/lib/libsmdbg-hook.a" $(pkg-config --libs --static smdbg-hook | sed 's/-lsmdbg-hook//') -lm || fail "does not link statically"
others=$(nm -D --defined-only "$root/lib/libsmdbg-hook.so.0" | awk '{ print $3 }' | grep -v -e '^smdbg_' -e '^SMDBG_HOOK_' || true)
[ -z "$others" ] || fail "other exported symbols: $others"
needed=$(readelf -d "$root/lib/libsmdbg-hook.so.0" | sed -n 's/.*NEEDED.*\[\(.*\)\.so.*/\1/p' | grep -vx 'libzstd\|libprotobuf-c\|libyajl\|libpcre2-8\|libm\|libc\|ld-linux[-a-z0-9_]*' || true)
[ -z "$needed" ] || fail "it links other libraries: $needed"
# the Python module finds the installed library
(cd "$root" && env -u SMDBG_HOOK_LIBRARY PYTHONPATH="$(pkg-config --variable=pythondir smdbg-hook)" "${PYTHON:-/usr/bin/python3}" -B -c '
import smdbg_hook
with smdbg_hook.Hook("from-python", save_all=True) as hook:
    hook.step() and hook.save("x", 1.5)') || fail "the Python module failed"
got=$("$root/bin/smdbg-tui" -n -batch -ex "tensors -csv -field name,steps" "$root/from-python")
[ "$got" = "$(printf 'name,steps\nx,1')" ] || fail "wrong contents of the trial of Python: $got"
(cd "$root" && env -u SMDBG_HOOK_LIBRARY PYTHONPATH="$(pkg-config --variable=pythondir smdbg-hook)" "${PYTHON:-/usr/bin/python3}" -B -c '
import smdbg
from smdbg.options import Options
with smdbg.Run(Options(dir="one-line")) as run:
    run.log(loss=1)') || fail "the Python module smdbg failed"
# so does the one that records where time goes; its recording opens
(cd "$root" && PYTHONPATH="$(pkg-config --variable=pythondir smdbg-hook)" "${PYTHON:-/usr/bin/python3}" -B -c '
import smdbg_profile
with smdbg_profile.profile("recording") as prof:
    for _ in prof.loader(range(3)):
        with prof.step(), prof.forward(): pass') || fail "recording from Python failed"
got=$("$root/bin/smdbg-tui" -n -batch -ex "profile phases -csv -field phase,count" "$root/recording" | sort)
[ "$got" = "$(printf 'DataLoaderIter,3\nDataLoaderIterInitialize,1\nForward,3\nStep:ModeKeys.TRAIN,3\nothers,2\nphase,count')" ] ||
    fail "wrong contents of the recording: $got"
echo "hook: the program of doc/hook.md compiles, runs, and its trial opens"
