#!/usr/bin/env bash
# The streams of the command beside awk and xxd, on a million rows, in one run:
#   bash cmd/rowkey/throughput.sh [rows]
# Each line is the best of five rounds, wall time and processor time, and the
# wall time in multiples of xxd's and of awk's, which read the same keys. Memory
# is the most that the command had at once. OTHER=path times another build of
# the command beside this one.
set -euo pipefail
cd "$(dirname "$0")"
rows=${1:-1000000}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
go build -o "$dir/rowkey" .
schema="[salt16(seller)][seller]['_'][max-ms(at)][order:8]"
awk -v n="$rows" 'BEGIN { for (i = 0; i < n; i++) printf "{\"seller\":\"s-%d\",\"at\":\"2023-05-16T02:%02d:%02dZ\",\"order\":%d}\n", i % 5000, i / 60 % 60, i % 60, i }' >"$dir/rows.json"
"$dir/rowkey" encode -s "$schema" "$dir/rows.json" >"$dir/keys.txt"
"$dir/rowkey" decode -s "$schema" -o csv "$dir/keys.txt" >"$dir/rows.csv"
"$dir/rowkey" encode -s "$schema" "$dir/rows.csv" | cmp - "$dir/keys.txt" # else there is nothing to time

TIMEFORMAT='%R %U %S'
best() { # seconds of wall and processor: the best of five
	for _ in 1 2 3 4 5; do { time "$@" >/dev/null 2>"$dir/err"; } 2>&1; done | sort -n | head -n 1 | awk '{ print $1, $2 + $3 }'
}
xxd=$(best xxd -r -p "$dir/keys.txt")
awk=$(best awk '{ n += length($0); print substr($0, 1, 2), $0 }' "$dir/keys.txt")
line() { # a name, and seconds
	awk -v name="$1" -v s="$2" -v x="${xxd% *}" -v a="${awk% *}" -v n="$rows" 'BEGIN { split(s, t, " "); printf "| %s | %.2f s | %.2f s | %.1f M/s | %.1f | %.1f |\n", name, t[1], t[2], n / t[1] / 1e6, t[1] / x, t[1] / a }'
}
echo "| $(nproc) cores, $rows rows | wall | processor | rows | of xxd's | of awk's |"
echo "|---|---|---|---|---|---|"
line '`xxd -r -p`' "$xxd"
line '`awk` that prints each line with its first two digits' "$awk"
each() { # a build of the command, and a mark
	line "\`check\`$2" "$(best "$1" check -s "$schema" "$dir/keys.txt")"
	for form in json csv; do
		line "\`decode -o $form\`$2" "$(best bash -c "exec '$1' decode -s \"$schema\" -o $form <'$dir/keys.txt'")"
		line "\`encode\` of $form$2" "$(best bash -c "exec '$1' encode -s \"$schema\" <'$dir/rows.$form'")"
	done
	line "\`convert\`$2" "$(best bash -c "exec '$1' convert --from \"$schema\" -s \"[order:8][seller]\" <'$dir/keys.txt'")"
}
each "$dir/rowkey" ''
[ -z "${OTHER:-}" ] || each "$OTHER" ', the other build'
one=$(best "$dir/rowkey" decode -s "$schema" --jobs 1 "$dir/keys.txt")
line '`decode -o json --jobs 1`' "$one"
if [ -x /usr/bin/time ]; then
	for sub in check decode; do
		/usr/bin/time -f "$sub: %M KiB" "$dir/rowkey" "$sub" -s "$schema" "$dir/keys.txt" 2>&1 >/dev/null | tail -n 1
	done
else
	for sub in check decode; do # what the kernel says of the process while it runs
		"$dir/rowkey" "$sub" -s "$schema" "$dir/keys.txt" >/dev/null &
		most=0
		while kill -0 $! 2>/dev/null; do
			now=$(awk '/^VmHWM/ { print $2 }' "/proc/$!/status" 2>/dev/null || true)
			[ "${now:-0}" -le "$most" ] || most=$now
		done
		echo "$sub: $most KiB"
	done
fi
