#!/usr/bin/env python3
"""Stiffness of the bonded beam before it breaks, beside that of beam theory.  stiffness.py RESULTS"""
import csv
import math
import sys


def series(name):
    with open(f"{sys.argv[1]}/{name}.csv") as file:
        return [{k: float(v) for k, v in row.items()} for row in csv.DictReader(file)]


def slope(x, y):
    mx, my = math.fsum(x) / len(x), math.fsum(y) / len(y)
    return math.fsum((a - mx) * (b - my) for a, b in zip(x, y)) / math.fsum((a - mx) ** 2 for a in x)


walls, grains = series("walls"), series("particles")
rows = [(w, g) for w, g in zip(walls, grains) if 0.003 <= w["time_s"] <= 0.011]
force = [w["punch.force_z_N"] for w, g in rows]
punch = [-w["punch.at_z_m"] for w, g in rows]
beam = [(g["p34.z_m"] + g["p58.z_m"]) / 2 - g["p46.z_m"] for w, g in rows]

young, poisson, r, d, span = 1e9, 0.2, 0.002, 0.004, 0.096
area = math.pi * r**2
inertia = 4 * sum(area * z**2 + math.pi * r**4 / 4 for z in (-0.006, -0.002, 0.002, 0.006))
shear = young * area / (4 * (1 + poisson) * d**2)
bending = span**3 / (48 * young * inertia)
print(f"force over the way of the punch: {slope(punch, force) / 1e6:.3f} MN/m")
print(f"force over the deflection of the lowest layer: {slope(beam, force) / 1e6:.3f} MN/m")
print(f"beam theory, bending alone: {1e-6 / bending:.3f} MN/m")
print(f"beam theory with shear: {1e-6 / (bending + span / (4 * 5 / 6 * shear * 16 * d**2)):.3f} MN/m")
print(f"largest force: {max(w['punch.force_z_N'] for w in walls):.1f} N")
