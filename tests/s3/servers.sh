#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The servers of make s3-check: versitygw and MinIO (S3, both check signatures) and toxiproxy (slow and broken connections).
# Usage: tests/s3/servers.sh install DIR   as Go modules into DIR; needs the network and minutes the first time
#        tests/s3/servers.sh start DIR     on 127.0.0.1, ports S3_PORT (9300) to S3_PORT + 4; data in DIR/run, which is emptied
#        tests/s3/servers.sh stop DIR      ends those that were started
set -eu
DIR=$2
PORT=${S3_PORT:-9300}
mkdir -p "$DIR"
DIR=$(cd "$DIR" && pwd)

# Go from 1.21 on gets the version that a module wants by itself. Debian 12's is older, and gets a newer one as a module.
find_go()
{
    command -v go >/dev/null || sh "$(dirname "$0")/../packages.sh" golang-go
    minor=$(go env GOVERSION | sed 's/^go1\.\([0-9]*\).*/\1/')
    [ "$minor" -lt 21 ] || { echo go; return; }
    arch=$(go env GOARCH)
    root=$(cd "$DIR" && go mod download -json "golang.org/toolchain@v0.0.1-go1.24.4.linux-$arch" | sed -n 's/.*"Dir": "\(.*\)".*/\1/p')
    cp -r "$root" "$DIR/go" && chmod -R u+w "$DIR/go" && chmod -R +x "$DIR/go/bin" "$DIR/go/pkg/tool"
    echo "$DIR/go/bin/go"
}

install()
{
    for row in versitygw=github.com/versity/versitygw/cmd/versitygw@v1.8.0 minio=github.com/minio/minio@v0.0.0-20260212201848-7aac2a2c5b7c \
        server=github.com/Shopify/toxiproxy/v2/cmd/server@v2.5.0; do
        [ -x "$DIR/${row%%=*}" ] && continue
        [ -n "${GO:-}" ] || GO=$(find_go)
        echo "installing ${row#*=}"
        GOBIN=$DIR "$GO" install "${row#*=}" 2>"$DIR/install.log" || { tail -5 "$DIR/install.log" >&2; exit 1; }
    done
}

begin() # name, and its command line
{
    name=$1
    shift
    "$@" >"$DIR/run/$name.log" 2>&1 &
    echo $! >>"$DIR/run/pids"
}

wait_for() # url
{
    tries=0
    until curl -s -o /dev/null "$1"; do
        tries=$((tries + 1))
        [ $tries -lt 150 ] || { echo "$1 does not answer: see $DIR/run/*.log" >&2; exit 1; }
        sleep 0.2
    done
}

start()
{
    stop
    rm -rf "$DIR/run"
    mkdir -p "$DIR/run/versitygw" "$DIR/run/minio"
    begin versitygw env ROOT_ACCESS_KEY=smkey ROOT_SECRET_KEY=smsecret12345 "$DIR/versitygw" --port "127.0.0.1:$PORT" --region us-east-1 \
        --access-log "$DIR/run/access.log" posix "$DIR/run/versitygw"
    begin minio env MINIO_ROOT_USER=smkey MINIO_ROOT_PASSWORD=smsecret12345 MINIO_BROWSER=off \
        "$DIR/minio" server --quiet --address "127.0.0.1:$((PORT + 1))" "$DIR/run/minio"
    begin toxiproxy "$DIR/server" -host 127.0.0.1 -port $((PORT + 2))
    wait_for "http://127.0.0.1:$PORT/"
    wait_for "http://127.0.0.1:$((PORT + 1))/"
    wait_for "http://127.0.0.1:$((PORT + 2))/version"
    curl -s -o /dev/null -d "{\"name\":\"s3\",\"listen\":\"127.0.0.1:$((PORT + 3))\",\"upstream\":\"127.0.0.1:$PORT\",\"enabled\":true}" \
        "http://127.0.0.1:$((PORT + 2))/proxies"
}

stop()
{
    [ ! -f "$DIR/run/pids" ] || while read -r pid; do kill "$pid" 2>/dev/null || true; done <"$DIR/run/pids"
    rm -f "$DIR/run/pids"
}

case $1 in
install | start | stop) $1 ;;
*)
    echo "usage: tests/s3/servers.sh install|start|stop DIR" >&2
    exit 2
    ;;
esac
