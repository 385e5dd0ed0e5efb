#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Builds what a release consists of into FOLDER/out, from FOLDER's source archive. Usage: release.sh FOLDER VERSION
# TARGETS: machines of the static program and the wheel ("x86_64 aarch64"). ZIG: how zig is called (installed from PyPI otherwise).
set -euo pipefail
mkdir -p "$1"
release=$(realpath "$1") version=$2
here=$(realpath "$(dirname "$0")")
name=smdbg-tui-$version
out=$release/out
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct "$(xz -dc "$release/$name.tar.xz" | git get-tar-commit-id)")
export SOURCE_DATE_EPOCH LC_ALL=C.UTF-8 TZ=UTC0
rm -rf "$out" && mkdir -p "$out"
cp "$release/$name.tar.xz" "$out"

if [ -z "${ZIG:-}" ]; then
    [ -x "$release/zig/bin/python" ] || { python3 -m venv "$release/zig" && "$release/zig/bin/pip" -q install ziglang==0.17.1; }
    ZIG="$release/zig/bin/python -m ziglang"
fi
export ZIG

sh "$here/sources.sh" "$release/sources"
# Built from the archive, in a folder that is always called alike: nothing of this checkout is in it.
tree=$release/tree/$name
rm -rf "$release/tree" && mkdir -p "$release/tree" && tar -xf "$release/$name.tar.xz" -C "$release/tree"

archive() { # archive MACHINE: the static program with its pages
    local top=$name-$1-linux
    rm -rf "$release/pack" && mkdir -p "$release/pack/$top/share/man/man1"
    cp "$release/program-$1/smdbg-tui" LICENSE COPYING NEWS.md "$release/pack/$top"
    cp doc/smdbg-tui.1 "$release/pack/$top/share/man/man1"
    cp -r doc/completions "$release/pack/$top/share"
    tar -C "$release/pack" --sort=name --mode=u+rw,go=u-w --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -cf - "$top" |
        xz -9 -T1 > "$out/$top.tar.xz"
}
build() { # build MACHINE MUSL GNU: program, hook and wheel
    cd "$tree"
    rm -rf "$release/program-$1" "$release/hook-$1"
    sh "$here/build.sh" "$2" "$release/$2" "$release/program-$1" -j"$(nproc)" program
    sh "$here/build.sh" "$3" "$release/$3" "$release/hook-$1" -j"$(nproc)" "$release/hook-$1/libsmdbg-hook.so.0"
    archive "$1"
    python3 "$here/wheel.py" "$release/program-$1/smdbg-tui" "$release/hook-$1/libsmdbg-hook.so.0" \
        reader/hook/python "$version" "manylinux_2_28_$1" "$out"
}
program_libraries="zlib libpng1.6 sqlite3 libzstd protobuf-c yajl libyaml pcre2 ncurses readline mimalloc mbedtls curl expat"
hook_libraries="libzstd protobuf-c yajl pcre2"
for machine in ${TARGETS:-x86_64 aarch64}; do
    musl=$machine-linux-musl gnu=$machine-linux-gnu.2.28
    # shellcheck disable=SC2086
    bash "$here/libraries.sh" "$musl" "$release/sources" "$release/$musl" $program_libraries
    # shellcheck disable=SC2086
    bash "$here/libraries.sh" "$gnu" "$release/sources" "$release/$gnu" $hook_libraries
    # "set -e" would not hold in a command that is a condition
    set +e
    (set -e; build "$machine" "$musl" "$gnu") > "$release/build-$machine.log" 2>&1
    status=$?
    set -e
    [ $status = 0 ] || { tail -20 "$release/build-$machine.log" >&2; exit 1; }
    echo "  program, hook and wheel for $machine"
done
zig_lib=$($ZIG env | sed -n 's/.*lib_dir[^"]*"\([^"]*\)".*/\1/p')
{
    cat "$release/sources/versions"
    sed -n 's/.*VERSION "\(.*\)".*/musl \1/p' "$zig_lib/libc/musl/src/internal/version.h"
    echo "compiler-rt $($ZIG version)"
} > "$release/contents"
python3 "$here/sbom.py" "$version" "$release/contents" > "$out/$name.spdx.json"
bash "$here/deb.sh" "$release/$name.tar.xz" "$version" "$release/deb"
cp "$release/deb"/*.deb "$out"
(cd "$out" && sha256sum -- * > SHA256SUMS)
ls -l "$out"
