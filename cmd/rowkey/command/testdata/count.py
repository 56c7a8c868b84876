"""Makes tables, and counts what rowkey simulate has to say of them.

It shares nothing with the command: it makes each key's bytes, finds its region, and counts
windows, by what docs/simulate.md says. Standard output is JSON, one object for each table.
"""
import bisect, collections, hashlib, json, math, random, struct, sys, time

DIR = sys.argv[1]
SERVERS = 8
WIDTHS = [1, 5, 15, 30, 60, 300, 900, 1800, 3600, 10800, 21600, 43200, 86400]


def stamp(ms):
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(ms // 1000)) + ".%03dZ" % (ms % 1000)


def murmur3(b):
    h, mask = 0, 0xffffffff
    rot = lambda x, n: (x << n | x >> 32 - n) & mask
    mix = lambda k: rot(k * 0xcc9e2d51 & mask, 15) * 0x1b873593 & mask
    whole = len(b) // 4 * 4
    for i in range(0, whole, 4):
        h = (rot(h ^ mix(struct.unpack_from("<I", b, i)[0]), 13) * 5 + 0xe6546b64) & mask
    if len(b) > whole:
        h ^= mix(int.from_bytes(b[whole:], "little"))
    h ^= len(b)
    h = (h ^ h >> 16) * 0x85ebca6b & mask
    h = (h ^ h >> 13) * 0xc2b2ae35 & mask
    return h ^ h >> 16


def widths_of(seconds):
    """The rows of each window, by number, and how long a window is."""
    step = 0
    number = lambda s: s // WIDTHS[step]
    while number(seconds[-1]) - number(seconds[0]) >= 120:
        step += 1
    while True:
        rows = collections.Counter(map(number, seconds))
        least = 200 if seconds[-1] // WIDTHS[step + 1] - seconds[0] // WIDTHS[step + 1] + 1 >= 4 else 50
        if sum(n for n in rows.values() if n >= least * SERVERS) >= 0.8 * len(seconds):
            return rows, WIDTHS[step]
        step += 1


def judged(keys, seconds, leads, splits):
    """What the table does: keys in the order in which they arrive, their seconds, the values of the field that decides."""
    rows, width = widths_of(seconds)
    region = [bisect.bisect_right(splits, k) for k in keys]
    n, few = min(SERVERS, len(splits) + 1), 50 * SERVERS
    shown = [w for w in range(min(rows), max(rows) + 1)]
    while len(shown) > 1 and rows[shown[0]] < few:
        shown.pop(0)
    while len(shown) > 1 and rows[shown[-1]] < few:
        shown.pop()
    cells = collections.defaultdict(collections.Counter)
    for s, r in zip(seconds, region):
        cells[s // width][r] += 1
    counted = hot_rows = top_rows = server_rows = 0
    worst = (0, 0, 0)
    worst_server = 0
    for w in shown:
        if rows[w] < 50 * n:
            continue
        servers = collections.Counter()
        for r, c in cells[w].items():
            servers[r % SERVERS] += c  # a new table's regions lie on its servers in turn
        top, hot = max(cells[w].values()), max(servers.values())
        counted, top_rows, server_rows = counted + rows[w], top_rows + top, server_rows + hot
        hot_rows += rows[w] if hot / rows[w] * n > 2 else 0
        if top / rows[w] > worst[0]:
            worst = (top / rows[w], w, max(cells[w], key=lambda r: cells[w][r]))
        worst_server = max(worst_server, hot / rows[w])
    every = collections.Counter(region)
    values = collections.Counter(leads)
    there = collections.Counter(v for v, r, s in zip(leads, region, seconds) if (s // width, r) == (worst[1], worst[2]))
    value, share = values.most_common(1)[0][0], values.most_common(1)[0][1] / len(keys)
    blamed = there.most_common(1)[0][1] / sum(there.values())
    beyond = below = compared = 0  # against the keys before the window
    before, at = [], 0
    for w in sorted(rows):
        of = keys[at:at + rows[w]]
        if before:
            compared += len(of)
            for k in of:
                place = bisect.bisect_right(before, k)
                beyond += place >= 0.99 * len(before)
                below += place <= 0.01 * len(before)
        at += rows[w]
        before = sorted(before + of)
    hot, mean = hot_rows / counted, top_rows / counted
    if hot <= 0.05 and worst_server * n <= 4:
        pattern = "even"
    elif max(beyond, below) >= 0.5 * compared:
        pattern = "one moving hot region"
    elif mean >= 2 * max(every.values()) / len(keys) and share < mean / 2:
        pattern = "moving hot regions"
    elif hot <= 0.5:
        pattern = "hot at times"
    elif blamed >= 0.5 or share > max(0.02, 0.5 / SERVERS):
        pattern = "a few hot keys"
    else:
        pattern = "hot ranges"
    seen, lost = set(), 0
    for k in keys:
        lost += k in seen
        seen.add(k)
    return {
        "window_seconds": width, "from": seconds[0], "to": seconds[-1], "pattern": pattern,
        "region": {"mean": mean, "worst": worst[0], "at": worst[1] * width}, "server": {"mean": server_rows / counted, "worst": worst_server},
        "takes": 1 / worst_server, "shares": [every[r] / len(keys) for r in range(len(splits) + 1)], "lost": lost / len(keys),
        "value": str(value), "share": share, "blamed": blamed,
        "keys": [min(map(len, keys)), max(map(len, keys)), sum(map(len, keys)) / len(keys)],
    }


def table(name, notation, header, rows, keys, splits, **more):
    """rows: (ms, the field that decides, the columns)"""
    with open(f"{DIR}/{name}.csv", "w") as f:
        f.write(header + "\n")
        f.writelines(",".join(map(str, columns)) + "\n" for _, _, columns in rows)
    with open(f"{DIR}/{name}.splits", "w") as f:
        f.writelines(k.hex() + "\n" for k in splits)
    got = judged(keys, [ms // 1000 for ms, _, _ in rows], [lead for _, lead, _ in rows], splits)
    print(json.dumps({"name": name, "notation": notation, **{"table": len(rows), **got, **more}}))


DAY = 1_780_272_000_000  # 2026-06-01

# Calls: few callers make most of them, by Pareto's law, more at noon; the keys spread by a hash.
r = random.Random(11)
rows = []
for ms in sorted(DAY + int(r.triangular(0, 3 * 86_400_000)) for _ in range(24_000)):
    caller = "1%010d" % int(1e3 * r.paretovariate(0.9) % 1e10)
    rows.append((ms, caller, (caller, stamp(ms))))
keys = [hashlib.md5(c.encode()).hexdigest()[:2].encode() + c.encode() + b"_%013d" % ms for ms, c, _ in rows]
table("calls", "[md5.hex(2)(caller)][caller]['_'][ms(at) digits(13)]", "caller,at", rows, keys, [b"%x" % i for i in range(1, 16)], table_lost=0)

# Meters: each one is read every quarter of an hour, and keys begin with the time.
r = random.Random(12)
rows = []
for tick in range(4 * 24 * 4):
    for meter, late in sorted(((m, r.randrange(60_000)) for m in range(70)), key=lambda x: x[1]):
        ms = DAY + tick * 900_000 + late
        rows.append((ms, ms, (meter, stamp(ms))))
keys = [struct.pack(">QI", ms, meter) for ms, _, (meter, _) in rows]
table("meters", "[ms(at)][meter:4]", "meter,at", rows, keys, [struct.pack(">Q", DAY + h * 3_600_000) for h in range(4, 96, 4)], table_lost=0)

# Visits to shops, of which some share a key: a tenth of a larger table. In the first one a shop
# has a sale for two hours: more share a key than would at random, so of the table it is not known.
key = lambda shop, s: bytes([murmur3(struct.pack(">I", shop)) % 32]) + struct.pack(">IQ", shop, s)
for name, sale in ("sale", 0.5), ("visits", 0):
    r = random.Random(13)
    whole = []
    for _ in range(200_000):
        s = r.randrange(43_200)
        shop = 4242 if 18_000 <= s < 25_200 and r.random() < sale else int(30 * r.paretovariate(1.1)) % 50_000
        whole.append((DAY // 1000 + s, shop))
    whole.sort(key=lambda x: x[0])
    rows = [(s * 1000, shop, (shop, stamp(s * 1000))) for s, shop in whole if r.random() < 0.1]
    keys = [key(shop, ms // 1000) for ms, shop, _ in rows]
    table(name, "[salt32(shop)][shop:4][s(at)]", "shop,at", rows, keys, [bytes([i]) for i in range(1, 32)],
          table=len(whole), table_lost=None if sale else 1 - len(set(whole)) / len(whole))
