#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Installs each part of a release in a fresh Debian 12 and uses it. As root. Usage: check.sh FOLDER VERSION [PART]...
# MIRROR: of Debian (default http://deb.debian.org/debian). Each line that begins with "ok" is a part that passed.
set -euo pipefail
release=$(realpath "$1") version=$2
shift 2
here=$(realpath "$(dirname "$0")")
tree=$(realpath "$here/../..")
out=$release/out
mirror=${MIRROR:-http://deb.debian.org/debian}
[ "$(id -u)" = 0 ] || { echo "release-check: needs root, for chroots" >&2; exit 2; }
cd "$tree"
PARTS="static bucket sbom aarch64 wheel deb lintian autopkgtest piuparts source hook completions reproducible"

# ---- chroots ----
mounted=()
leave() { for m in "${mounted[@]}"; do umount "$m" || umount -l "$m"; done; mounted=(); }
# files ROOT: what first_minutes.sh uses, in ROOT
files() {
    mkdir -p "$1/tests/trials"
    cp "$tree/README.md" "$1"
    cp -r "$tree"/tests/trials/{cnn_healthy,mlp_overfit,mlp_exploding_tensor} "$1/tests/trials"
}
# fresh NAME: a new Debian 12, mounted; its folder is $root, the release is /release in it
fresh() {
    local base=$release/bookworm
    if [ ! -f "$base.done" ]; then
        rm -rf "$base"
        debootstrap --variant=minbase bookworm "$base" "$mirror"
        touch "$base.done"
    fi
    leave
    root=$release/root-$1
    rm -rf --one-file-system "$root"
    cp -a "$base" "$root"
    cp /etc/resolv.conf /etc/hosts "$root/etc/"
    mkdir -p "$root/dev/pts" "$root/release"
    local m
    for m in dev dev/pts proc; do mount --bind "/$m" "$root/$m" && mounted=("$root/$m" "${mounted[@]}"); done
    cp "$out"/* "$here"/first_minutes.sh "$here"/debian/tests/{hook,python} "$root/release"
    files "$root"
    inside 'apt-get update -qq'
}
inside() { # inside COMMANDS, with the signals of a login
    env --default-signal=INT,QUIT chroot "$root" /usr/bin/env -i HOME=/root TERM=xterm-256color LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
        PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin sh -ec "$1"
}

# ---- the static program, where there is nothing else ----
# The program of MACHINE alone in a root of its own; $empty/bin/smdbg-tui outside starts it in there.
empty_root() {
    empty=$release/empty
    rm -rf "$empty" "$empty.bin" && mkdir -p "$empty/tmp" "$empty/dev" "$empty.bin"
    tar -xf "$out/smdbg-tui-$version-x86_64-linux.tar.xz" --strip-components=1 -C "$empty"
    files "$empty"
    printf '#!/bin/sh\nexec /usr/sbin/chroot %s /smdbg-tui "$@"\n' "$empty" > "$empty.bin/smdbg-tui"
    chmod +x "$empty.bin/smdbg-tui"
}
check_static() {
    empty_root
    (cd "$empty" && PATH=$empty.bin:$PATH sh "$here/first_minutes.sh")
}
# s3:// from there, with a server that checks signatures: tests of tests/machine. A path outside is the same inside.
check_bucket() {
    empty_root
    mkdir -p "$empty$release"
    ln -s / "$empty$empty"
    cp -r "$tree/tests/trials/cnn_dead_relu" "$empty/tests/trials"
    (cd "$tree" && TMPDIR=$empty/tmp python3 -B tests/machine/run.py "$empty.bin/smdbg-tui" Bucket Network Tls)
}
# Each library that the list names says its version in the program, but those that have no text of it.
check_sbom() {
    empty_root
    "$empty.bin/smdbg-tui" --version > "$release/version.txt"
    local name of
    while read -r name of; do
        of=${of#*:}
        case $name in mimalloc | compiler-rt) continue ;; musl) of=musl ;; esac
        grep -qF "${of%%[-+]*}" "$release/version.txt" || { echo "$name $of is not in the program"; return 1; }
        grep -q "\"name\": \"$name\"" "$out/smdbg-tui-$version.spdx.json" || { echo "$name is not in the list"; return 1; }
    done < <(sed 's/\.dfsg//' "$release/contents")
}
# The other machine's: the program and the wheel, with qemu and Python of that machine, of which only files are taken.
check_aarch64() {
    local other=$release/aarch64 archive
    rm -rf "$other" && mkdir "$other"
    tar -xf "$out/smdbg-tui-$version-aarch64-linux.tar.xz" --strip-components=1 -C "$other"
    qemu-aarch64 "$other/smdbg-tui" --version
    qemu-aarch64 "$other/smdbg-tui" -n -batch -ex tensors "$tree/tests/trials/cnn_healthy" | grep weight
    if [ ! -f "$release/arm64.done" ]; then
        rm -rf "$release/arm64"
        debootstrap --foreign --arch=arm64 --variant=minbase --include=python3,python3-pip-whl bookworm "$release/arm64" "$mirror"
        for archive in "$release"/arm64/var/cache/apt/archives/*.deb; do dpkg-deb -x "$archive" "$release/arm64"; done
        touch "$release/arm64.done"
    fi
    cd "$other"
    set -- qemu-aarch64 -L "$release/arm64" "$release/arm64/usr/bin/python3"
    "$@" "$(ls "$release"/arm64/usr/share/python-wheels/pip-*.whl)/pip" install --no-index --target="$other/site" "$out"/*aarch64.whl
    PYTHONPATH=$other/site "$@" -c '
import smdbg, smdbg_hook
with smdbg_hook.Hook("out", save_all=True) as hook:
    hook.step()
    hook.save("x", 1.5)'
    qemu-aarch64 "$other/smdbg-tui" -n -batch -ex 'tensors -csv -field name,steps' out | grep -x x,1
}

# ---- the wheel ----
check_wheel() {
    fresh wheel
    inside 'apt-get install -y -qq --no-install-recommends python3-venv
        python3 -m venv /v
        /v/bin/pip install --no-index /release/*x86_64.whl
        export PATH=/v/bin:$PATH
        sh /release/first_minutes.sh
        AUTOPKGTEST_TMP=/tmp sh /release/python
        python -c "import smdbg"'
    local newest
    newest=$(objdump -T "$root"/v/lib/python3*/site-packages/smdbg/libsmdbg-hook.so.0 | grep -o 'GLIBC_[0-9.]*' | sort -uV | tail -1)
    [ "$(printf '%s\nGLIBC_2.28\n' "$newest" | sort -V | tail -1)" = GLIBC_2.28 ] || { echo "the hook needs $newest"; return 1; }
}

# ---- Debian's packages ----
check_deb() {
    fresh deb
    inside 'apt-get install -y -qq --no-install-recommends /release/*.deb
        sh /release/first_minutes.sh
        AUTOPKGTEST_TMP=/tmp sh /release/python
        dpkg -r smdbg-tui-dbgsym smdbg-tui; ! command -v smdbg-tui'
}
check_lintian() { (cd "$release/deb" && lintian --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs ./*.changes); }
check_autopkgtest() {
    fresh autopkgtest
    (cd "$release/deb" && autopkgtest ./*.deb ./*.dsc -- chroot "$root")
}
# They need each other: apt finds them in a folder, which must be nobody's working folder.
check_piuparts() {
    (cd "$release/deb" && dpkg-scanpackages . > Packages)
    cd /
    piuparts --no-eatmydata -d bookworm --mirror "$mirror main" --bindmount "$release/deb" \
        --extra-repo "deb [trusted=yes] file:$release/deb ./" --warn-on-others "$release"/deb/*.deb
}

# ---- from the sources ----
unpack() { tar -xf "$out/smdbg-tui-$version.tar.xz" -C "$root" && src=/smdbg-tui-$version; }
# README's two lines: what may be missing, then make demo; without a terminal and on one
check_source() {
    fresh source
    unpack
    inside "apt-get install -y -qq --no-install-recommends make git
        cd $src
        make demo </dev/null
        make install
        cd /
        sh /release/first_minutes.sh
        apt-get install -y -qq --no-install-recommends python3
        PYTHONPATH=/usr/local/share/smdbg-tui AUTOPKGTEST_TMP=/tmp sh /release/python"
}
# The hook alone: no curses, no readline. The static program reads what it wrote.
check_hook() {
    fresh hook
    unpack
    inside "apt-get install -y -qq --no-install-recommends make python3 xz-utils
        cd $src
        make deps-hook install-hook
        tar -xf /release/*x86_64-linux.tar.xz -C /tmp && cp /tmp/smdbg-tui-*/smdbg-tui /usr/local/bin
        export PYTHONPATH=/usr/local/share/smdbg-tui AUTOPKGTEST_TMP=/tmp
        sh /release/hook
        rm -rf /tmp/out
        sh /release/python"
    [ ! -e "$root/usr/include/curses.h" ] && [ ! -e "$root/usr/include/readline/readline.h" ]
}
check_completions() { python3 -B "$here/completions.py" "$tree/doc/completions"; }

# ---- built again later, in another folder, by somebody with other habits: the same bytes ----
check_reproducible() {
    local again=$release/again/somewhere-else
    rm -rf "$release/again" && mkdir -p "$again/home"
    export HOME=$again/home TZ=Asia/Kolkata LC_ALL=POSIX LANG=tr_TR.UTF-8 USER=somebody
    umask 077
    make -C "$tree" dist RELEASE="$again" DIST="$(xz -dc "$out/smdbg-tui-$version.tar.xz" | git get-tar-commit-id)"
    ln -s "$release/sources" "$again/sources"
    [ ! -d "$release/zig" ] || ln -s "$release/zig" "$again/zig"
    bash "$here/release.sh" "$again" "$version"
    diff "$out/SHA256SUMS" "$again/out/SHA256SUMS"
    rm -rf "$release/again"
}

failed=0
for part in ${*:-$PARTS}; do
    start=$SECONDS
    # "set -e" would not hold in a function that is a condition
    set +e
    (set -e; trap leave EXIT; "check_$part") > "$release/check-$part.log" 2>&1
    status=$?
    set -e
    if [ $status = 0 ]; then
        echo "ok $part ($((SECONDS - start)) s)"
        rm -rf --one-file-system "$release/root-$part"
    else
        tail -15 "$release/check-$part.log" >&2
        echo "FAIL $part, see $release/check-$part.log"
        failed=1
    fi
done
exit $failed
