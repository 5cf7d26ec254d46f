#!/usr/bin/env python3
"""Writes hopper.stl: a round silo over a cone that ends in an outlet, in millimetres, as text STL."""
import math

SIDES = 80
RINGS = [(50, 170), (50, 110), (50, 70), (32, 35), (14, 0), (14, -12)]  # radius, height: silo, cone, outlet


def point(k, ring):
    radius, z = RINGS[ring]
    angle = 2 * math.pi * k / SIDES
    return radius * math.cos(angle), radius * math.sin(angle), z


def facet(out, *corners):
    out.write("facet normal 0 0 0\n outer loop\n")
    for x, y, z in corners:
        out.write(f"  vertex {x:.6g} {y:.6g} {z:.6g}\n")
    out.write(" endloop\nendfacet\n")


with open("hopper.stl", "w") as out:
    out.write("solid hopper\n")
    for ring in range(len(RINGS) - 1):
        for k in range(SIDES):
            a, b = point(k, ring), point((k + 1) % SIDES, ring)
            c, d = point((k + 1) % SIDES, ring + 1), point(k, ring + 1)
            facet(out, a, b, c)
            facet(out, a, c, d)
    out.write("endsolid hopper\n")
