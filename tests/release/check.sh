#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Installs each part of a release in a fresh Debian 12 and uses it. As root. Usage: check.sh FOLDER VERSION
# MIRROR: of Debian (default http://deb.debian.org/debian). Each line that begins with "ok" is a check that passed.
set -euo pipefail
release=$(realpath "$1") version=$2
here=$(realpath "$(dirname "$0")")
out=$release/out
mirror=${MIRROR:-http://deb.debian.org/debian}
[ "$(id -u)" = 0 ] || { echo "release-check: needs root, for chroots" >&2; exit 2; }
trial=$here/../trials/cnn_dead_relu
failed=0
step() { # step NAME COMMAND...
    local name=$1 start=$SECONDS
    shift
    if "$@" > "$release/check-$name.log" 2>&1; then
        echo "ok $name ($((SECONDS - start)) s)"
    else
        tail -15 "$release/check-$name.log" >&2
        echo "FAIL $name, see $release/check-$name.log"
        failed=1
    fi
}

# ---- chroots ----
base=$release/bookworm
[ -f "$base.done" ] || { rm -rf "$base"; debootstrap --variant=minbase bookworm "$base" "$mirror" > "$release/debootstrap.log"; touch "$base.done"; }
mounted=()
leave() { for m in "${mounted[@]}"; do umount "$m" 2>/dev/null || true; done; mounted=(); }
trap leave EXIT
fresh() { # fresh NAME: a new copy, mounted; its folder in $root
    leave
    root=$release/root-$1
    rm -rf --one-file-system "$root"
    cp -a "$base" "$root"
    cp /etc/resolv.conf /etc/hosts "$root/etc/"
    mkdir -p "$root/dev/pts" "$root/release"
    mount --bind /dev "$root/dev" && mounted=("$root/dev")
    mount --bind /dev/pts "$root/dev/pts" && mounted=("$root/dev/pts" "${mounted[@]}")
    mount -t proc proc "$root/proc" && mounted=("$root/proc" "${mounted[@]}")
    cp "$out"/* "$root/release"
    cp -r "$trial" "$root/trial"
    cp "$here/first_minutes.sh" "$root/"
    inside 'apt-get update -qq'
}
inside() {
    env --default-signal=INT,QUIT chroot "$root" /usr/bin/env -i HOME=/root TERM=xterm-256color LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
        PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin sh -ec "$1"
}

# ---- the static program, where there is nothing else ----
static() {
    local empty=$release/empty
    rm -rf "$empty" && mkdir -p "$empty/tmp"
    tar -xf "$out/smdbg-tui-$version-x86_64-linux.tar.xz" --strip-components=1 -C "$empty"
    cp -r "$trial" "$empty/trial"
    chroot "$empty" /smdbg-tui -n -batch -ex tensors /trial | grep weight
    { sleep 5; printf Q; } | env -i TERM=xterm-256color LANG=C.UTF-8 \
        script -qec "stty rows 30 cols 100; chroot $empty /smdbg-tui -n --no-follow /trial" /dev/null > "$release/empty.screen"
    grep -a 'verdict\|loss' "$release/empty.screen" | head -c 300
}
step static static
other_machine() {
    [ -f "$out/smdbg-tui-$version-aarch64-linux.tar.xz" ] || { echo "not built"; return 0; }
    rm -rf "$release/aarch64" && mkdir "$release/aarch64"
    tar -xf "$out/smdbg-tui-$version-aarch64-linux.tar.xz" --strip-components=1 -C "$release/aarch64"
    qemu-aarch64 "$release/aarch64/smdbg-tui" --version
    qemu-aarch64 "$release/aarch64/smdbg-tui" -n -batch -ex tensors "$trial" | grep weight
}
step aarch64 other_machine

# ---- the wheel ----
wheel() {
    fresh wheel
    inside 'apt-get install -y -qq --no-install-recommends python3-venv
        python3 -m venv /v
        /v/bin/pip install --no-index /release/*x86_64.whl
        sh /first_minutes.sh /v/bin/smdbg-tui /trial /v/bin/python
        /v/bin/python -m smdbg --version'
}
step wheel wheel

# ---- Debian's packages ----
packages() {
    fresh deb
    inside 'apt-get install -y -qq --no-install-recommends /release/*.deb python3
        sh /first_minutes.sh smdbg-tui /trial python3
        dpkg -r smdbg-tui; ! command -v smdbg-tui'
}
step deb packages
step lintian sh -c "cd '$release/deb' && lintian --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs ./*.changes"
step autopkgtest bash -c "cd '$release/deb' && autopkgtest ./*.deb ./*.dsc -- chroot '$release/root-deb'"
step piuparts bash -c "cd '$release/deb' && piuparts --no-eatmydata -d bookworm --mirror '$mirror main' --warn-on-others ./*.deb"

# ---- make install, and README's two commands ----
from_source() {
    fresh source
    inside 'apt-get install -y -qq --no-install-recommends make xz-utils
        tar -xf /release/smdbg-tui-'"$version"'.tar.xz && cd smdbg-tui-'"$version"'
        make demo </dev/null
        make install
        apt-get install -y -qq --no-install-recommends python3
        PYTHONPATH=/usr/local/share/smdbg-tui sh /first_minutes.sh smdbg-tui /trial python3'
}
step make-install from_source

# ---- built again: the same bytes ----
again() {
    rm -rf "$release/again" && mkdir "$release/again"
    cp "$release/smdbg-tui-$version.tar.xz" "$release/again"
    ln -s "$release/sources" "$release/again/sources"
    [ ! -d "$release/zig" ] || ln -s "$release/zig" "$release/again/zig"
    bash "$here/release.sh" "$release/again" "$version"
    diff "$out/SHA256SUMS" "$release/again/out/SHA256SUMS"
}
step reproducible again
step completions sh -c "zsh -n '$here/../../doc/completions/_smdbg-tui' && fish -n '$here/../../doc/completions/smdbg-tui.fish'"
exit $failed
