"""Which friction gives a heap its slope: the collapse of a small pile for several coefficients.

    PYTHONPATH=build/python /usr/bin/python3 examples/python/angle_of_repose.py [MU...]
"""
import sys

import numpy as np

import areia

PILE = {
    "title": "A column of grains collapses",
    "materials": {"grain": {"density": 2500, "young": "5 MPa", "poisson": 0.25}},
    "contacts": {"grain-grain": {"normal": {"law": "hertz", "restitution": 0.4},
                                 "tangential": {"law": "coulomb_history", "mu": 0.5, "xi": 0.1},
                                 "rolling": {"law": "constant", "mu": 0.1}}},
    "particles": {"pile": {"material": "grain", "radius": "5 mm",
                           "fill": {"region": {"box": [[-0.04, -0.04, 0], [0.04, 0.04, 0.2]]}, "count": 400}}},
    "walls": {"floor": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}},
              "cage": {"box": {"min": [-0.04, -0.04, 0], "max": [0.04, 0.04, 0.4], "open": ["-z", "+z"]}}},
    "fields": {"gravity": {"acceleration": [0, 0, -9.81]}},
    "stages": [{"name": "settle", "duration": "0.25 s"},
               {"name": "collapse", "remove": ["walls.cage"], "duration": "0.35 s"}],
}


def slope(frame):
    """Degrees: of a cone with the volume of the grains and their mean distance from the axis, half of its radius."""
    radius = 2 * np.hypot(frame.x[:, 0], frame.x[:, 1]).mean()
    height = 4 * frame.x[:, 2].mean()  # of a cone, four times that of its centre
    return np.degrees(np.arctan2(height, radius))


for mu in [float(word) for word in sys.argv[1:]] or [0.1, 0.3, 0.6]:
    case = areia.Case(PILE)
    case.set("contacts.grain-grain.tangential.mu", mu)
    sim = areia.Simulation(case)
    sim.run()
    print(f"mu = {mu:.2f}: about {slope(sim.frame('x')):.1f} degrees, {sim.steps} steps, hash {sim.hash}")
