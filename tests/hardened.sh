#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Checks how a program was compiled and linked. Usage: tests/hardened.sh PROGRAM
p=$1
fail() { echo "hardened: $p: $*" >&2; exit 1; }
has() { printf '%s\n' "$2" | grep -q "$1" || fail "$3"; }
headers=$(readelf -hlW "$p") && dynamic=$(readelf -dW "$p") && symbols=$(nm -D "$p") || fail "cannot be read"
has 'Type: *DYN' "$headers" "is not position-independent"
has GNU_RELRO "$headers" "has no read-only relocations"
has 'GNU_STACK.* RW ' "$headers" "has an executable stack"
has BIND_NOW "$dynamic" "resolves symbols late"
has __stack_chk_fail "$symbols" "has no stack protector"
has '__memcpy_chk\|__vsnprintf_chk\|__snprintf_chk' "$symbols" "does not check string functions"
echo "hardened: position-independent, read-only relocations, stack protector, checked string functions"
