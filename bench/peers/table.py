#!/usr/bin/env python3
"""Reads what run.sh wrote and prints the ratios peer/ours as a Markdown table.

A peer is compared with our runs just before its own: minimum with minimum over all rounds, and the
median of its rounds' medians with the median of our runs. On the processor the best number of networks
of each peer counts, for the minimum and for the median; on a GPU each number is compared with ours.
"""

import json
import re
import statistics
import sys


OURS = r"BenchmarkStep/net=(\w+)/dtype=(\w+)/(?:by=graph|device=cuda/networks=(\d+))\S*\s.*?([\d.]+) ns/net-step"


def read(lines):
    """Returns our ns by (peer, net, dtype) and networks, which are 0 on the processor, each peer's
    (min, median) by the same, and what was skipped."""
    ours, peers, skipped, peer = {}, {}, {}, ""
    for line in lines:
        if m := re.match(r"# round \d+ of \d+, ([\w-]+)", line):
            peer = m[1]
        elif m := re.match(OURS, line):
            ours.setdefault((peer, m[1], m[2]), {}).setdefault(int(m[3] or 0), []).append(float(m[4]))
        elif line.startswith("{"):
            r = json.loads(line)
            if "skipped" in r:
                skipped[f"{r['peer']}: {r['skipped']}"] = None
            else:
                key = r["peer"], r["net"], r["dtype"]
                peers.setdefault(key, {}).setdefault(r["networks"], []).append((r["min"], r["median"]))
    return ours, peers, skipped


def compared(ours, sizes):
    """Yields networks, the peer's minimum and median, and our runs."""
    if list(ours) == [0]:
        low, at = min((min(a for a, _ in got), k) for k, got in sizes.items())
        mid, mid_at = min((statistics.median(b for _, b in got), k) for k, got in sizes.items())
        yield f"{at}" if at == mid_at else f"{at}, {mid_at}", low, mid, ours[0]
        return
    for at in sorted(set(ours) & set(sizes)):
        yield f"{at}", min(a for a, _ in sizes[at]), statistics.median(b for _, b in sizes[at]), ours[at]


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
        peer, net, dtype = key
        for networks, low, mid, runs in compared(ours[key], sizes):
            our_low, our_mid = min(runs), statistics.median(runs)
            print(
                f"| {net} {dtype} | {peer} | {networks} | {low:,.0f} | {our_low:,.1f} | {ratio(low / our_low)} "
                f"| {mid:,.0f} | {our_mid:,.1f} | {ratio(mid / our_mid)} |"
            )
    for line in skipped:
        print(f"\nskipped: {line}")


if __name__ == "__main__":
    main()
