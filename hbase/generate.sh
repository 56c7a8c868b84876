#!/usr/bin/env bash
# Makes internal/thrift2 of thrift2.thrift, or with -check says whether it is what would be made.
# It needs thrift-compiler 0.17, the version of the library in go.mod.
set -euo pipefail
cd "$(dirname "$0")"
command -v thrift >/dev/null || { echo "generate.sh: no thrift: apt-get install thrift-compiler" >&2; exit 1; }
case $(thrift -version) in
*" 0.17."*) ;;
*) echo "generate.sh: thrift 0.17 is needed, this is $(thrift -version)" >&2; exit 1 ;;
esac
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
thrift -strict --gen go:skip_remote,package_prefix=github.com/hbase-rowkey/rowkey/hbase/internal/ -out "$made" thrift2.thrift
gofmt -w "$made"
# The compiler's errors begin with a capital letter.
echo 'checks = ["inherit", "-ST1005"]' >"$made/thrift2/staticcheck.conf"
if [ "${1-}" = -check ]; then
	diff -r "$made/thrift2" internal/thrift2
else
	mkdir -p internal
	rm -rf internal/thrift2
	cp -r "$made/thrift2" internal/thrift2
fi
