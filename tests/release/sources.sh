#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The sources of the libraries of a release, from Debian, unpacked below FOLDER/NAME. Usage: sources.sh FOLDER
# The newest version whose files the mirror has is taken: an index may name one whose files are gone.
set -eu
dir=$1
mkdir -p "$dir/apt/lists/partial" "$dir/apt/cache/archives/partial" "$dir/downloaded"
cd "$dir"
names="zlib libpng1.6 sqlite3 libzstd protobuf-c yajl libyaml pcre2 ncurses readline mimalloc mbedtls curl expat"
[ ! -f versions ] || [ "$(sed 's/ .*//' versions | tr '\n' ' ')" != "$names " ] || exit 0
cat > apt/sources <<'LIST'
deb-src http://deb.debian.org/debian bookworm main
deb-src http://deb.debian.org/debian-security bookworm-security main
LIST
options="-o Dir::Etc::sourcelist=$PWD/apt/sources -o Dir::Etc::sourceparts=- -o Dir::State::lists=$PWD/apt/lists
         -o Dir::Cache=$PWD/apt/cache -o APT::Sandbox::User=root"
# shellcheck disable=SC2086
apt-get $options update -qq
fetch() {
    # shellcheck disable=SC2086
    for version in $(apt-cache $options showsrc "$1" | sed -n 's/^Version: //p' | sort -rV | uniq); do
        # shellcheck disable=SC2086
        (cd downloaded && apt-get $options source -qq --download-only "$1=$version" >../fetch.log 2>&1) || continue
        rm -rf "${1:?}"
        dpkg-source -x "downloaded/$1_${version#*:}.dsc" "$1" >unpack.log 2>&1 || { cat unpack.log; return 1; }
        echo "$1 $version" >> versions.new
        return 0
    done
    echo "release: the mirror has no source of $1" >&2
    cat fetch.log >&2
    return 1
}
rm -f versions.new
for p in $names; do fetch "$p"; done
mv versions.new versions
