#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds the program or the hook's library with the libraries of libraries.sh. Usage: build.sh TARGET PREFIX BUILD WHAT...
# WHAT: program (static with musl) or hook, as make's targets. The result is stripped and has no path of the builder in it. Threads get 8 MiB of stack, as with glibc, not musl's 128 KiB.
set -eu
target=$1 prefix=$(realpath "$2") build=$3
shift 3
static=
case $target in *musl*) static="-static -Wl,-z,stack-size=8388608 $prefix/lib/mimalloc.o" ;; esac
# Headers of the libraries are not ours to warn about. zig has no fortified string functions.
CPPFLAGS="-isystem $prefix/include" LDFLAGS="-L$prefix/lib $static -Wl,--gc-sections -Wl,-s" \
    ${MAKE:-make} B="$build" CC="$prefix/bin/cc" AR="$prefix/bin/ar" \
    OPT="-O2 -g0 -fno-sanitize=all -fno-asynchronous-unwind-tables -fno-unwind-tables -ffunction-sections -fdata-sections -ffile-prefix-map=$PWD=." \
    OPT_SMALL=-Os HARD_C="-fstack-protector-strong -fPIE" HARD_LD= WITH_S3=1 ${static:+STATIC=1} \
    READER_LIBS="-lcurl -lmbedtls -lmbedx509 -lmbedcrypto -lexpat -lsqlite3 -lpng -lz -lzstd -lprotobuf-c -lyajl -lyaml -lpcre2-8 -lm -pthread" \
    HOOK_LINK="-lzstd -lprotobuf-c -lyajl -lpcre2-8" TUI_LIBS="-lncursesw -lreadline -ltinfo" "$@"
