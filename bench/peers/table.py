#!/usr/bin/env python3
"""Reads what run.sh wrote and prints the ratios peer/ours as a Markdown table.

A peer is compared with our runs just before its own: minimum with minimum over all rounds, and the
median of its rounds' medians with the median of our runs. Of each peer the best number of networks
counts, for the minimum and for the median.
"""

import json
import re
import statistics
import sys


def read(lines):
    """Returns our ns by (peer, net, dtype), each peer's (min, median) by the same and networks, and
    what was skipped."""
    ours, peers, skipped, peer = {}, {}, {}, ""
    for line in lines:
        if m := re.match(r"# round \d+ of \d+, ([\w-]+)", line):
            peer = m[1]
        elif m := re.match(r"BenchmarkStep/net=(\w+)/dtype=(\w+)/by=graph\S*\s.*?([\d.]+) ns/net-step", line):
            ours.setdefault((peer, m[1], m[2]), []).append(float(m[3]))
        elif line.startswith("{"):
            r = json.loads(line)
            if "skipped" in r:
                skipped[f"{r['peer']}: {r['skipped']}"] = None
            else:
                key = r["peer"], r["net"], r["dtype"]
                peers.setdefault(key, {}).setdefault(r["networks"], []).append((r["min"], r["median"]))
    return ours, peers, skipped


def ratio(r):
    return f"{r:.1f}" if r >= 1 else f"{r:.3f}"


def main():
    with open(sys.argv[1]) as f:
        ours, peers, skipped = read(f)
    if not ours:
        sys.exit(f"{sys.argv[1]} has no line of BenchmarkStep")
    print("Nanoseconds per network and step.\n")
    print("| net | peer | networks | min | ours | ratio | median | ours | ratio |")
    print("|---|---|--:|--:|--:|--:|--:|--:|--:|")
    for key, sizes in sorted(peers.items(), key=lambda p: p[0][1:], reverse=True):
        if key not in ours:
            continue
        low, at = min((min(a for a, _ in got), k) for k, got in sizes.items())
        mid, mid_at = min((statistics.median(b for _, b in got), k) for k, got in sizes.items())
        our_low, our_mid = min(ours[key]), statistics.median(ours[key])
        peer, net, dtype = key
        networks = f"{at}" if at == mid_at else f"{at}, {mid_at}"
        print(
            f"| {net} {dtype} | {peer} | {networks} | {low:,.0f} | {our_low:,.0f} | {ratio(low / our_low)} "
            f"| {mid:,.0f} | {our_mid:,.0f} | {ratio(mid / our_mid)} |"
        )
    for line in skipped:
        print(f"\nskipped: {line}")


if __name__ == "__main__":
    main()
