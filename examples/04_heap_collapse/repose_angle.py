#!/usr/bin/env python3
"""Angle of repose of the heap in the last frame of a results folder, y up. Needs nothing but Python.

Two central cuts, along x and along z, each 0.2 m wide, show four slopes. The surface is the highest grain in bins of
0.04 m; a line is fitted to the bins between 1/4 and 3/4 of the height of the heap.
"""
import array
import math
import pathlib
import re
import struct
import sys
import zlib


def read_array(data, name):
    """An array of a frame file, by name, as a flat list: blocks of zlib behind a header that tells their sizes."""
    head, body = data.split(b'<AppendedData encoding="raw">', 1)
    tag = next(t for t in re.findall(rb"<DataArray[^>]*>", head) if b'Name="%s"' % name in t)
    at = body.index(b"_") + 1 + int(re.search(rb'offset="(\d+)"', tag).group(1))
    blocks = struct.unpack_from("<Q", body, at)[0]
    sizes = struct.unpack_from(f"<{blocks}Q", body, at + 24)
    at += 24 + 8 * blocks
    values = array.array("f" if b'type="Float32"' in tag else "d")
    for size in sizes:
        values.frombytes(zlib.decompress(body[at : at + size]))
        at += size
    return values


def slope(points, side):
    """Of the surface over the distance from the centre on one side (+1 or -1): tan of its angle, positive downhill."""
    top = {}
    for distance, height in points:
        if side * distance > 0:
            k = int(side * distance / 0.04)
            top[k] = max(top.get(k, 0), height)
    peak = max(top.values())
    used = [(0.04 * (k + 0.5), h) for k, h in top.items() if 0.25 * peak < h < 0.75 * peak]
    n, sx, sy = len(used), sum(d for d, _ in used), sum(h for _, h in used)
    sxx, sxy = sum(d * d for d, _ in used), sum(d * h for d, h in used)
    return -(n * sxy - sx * sy) / (n * sxx - sx * sx)


folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "case.out")
data = sorted((folder / "frames").glob("particles_*.vtp"))[-1].read_bytes()
x, r = read_array(data, b"points"), read_array(data, b"radius")
grains = [(x[3 * k], x[3 * k + 1] + r[k], x[3 * k + 2]) for k in range(len(r))]
slopes = []
for along, across in ((0, 2), (2, 0)):
    cut = [(g[along], g[1]) for g in grains if abs(g[across]) < 0.1]
    slopes += [slope(cut, +1), slope(cut, -1)]
mean = sum(slopes) / 4
print("slopes", " ".join(f"{s:.3f}" for s in slopes))
print(f"tan(theta) = {mean:.2f}, theta = {math.degrees(math.atan(mean)):.1f} degrees")
print(f"height {max(g[1] for g in grains):.3f} m")
