"""A servo written in Python: gravity is turned down until the bed presses on the floor with half of its weight.

    PYTHONPATH=build/python /usr/bin/python3 examples/python/servo.py
"""
import areia

BED = {
    "materials": {"grain": {"density": 2500, "young": "5 MPa", "poisson": 0.25}},
    "contacts": {"grain-grain": {"normal": {"law": "hertz", "restitution": 0.3},
                                 "tangential": {"law": "coulomb_history", "mu": 0.3, "xi": 0.1}}},
    "particles": {"bed": {"material": "grain", "radius": "5 mm",
                          "fill": {"region": {"box": [[0, 0, 0], [0.06, 0.06, 0.15]]}, "count": 200}}},
    "walls": {"floor": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}},
              "sides": {"box": {"min": [0, 0, 0], "max": [0.06, 0.06, 0.3], "open": ["-z", "+z"]}}},
    "fields": {"gravity": {"acceleration": [0, 0, -9.81]}},
    "stages": [{"name": "settle", "duration": "0.3 s"}, {"name": "lift", "duration": "0.3 s"}],
}

sim = areia.Simulation(BED)
sim.run(until="settle")
weight = 9.81 * sim.frame("mass").mass.sum()
gravity = 9.81


@sim.every("1 ms")
def servo(s):
    global gravity
    force = -s.frame("walls").walls["floor"].force[2]
    gravity = min(20.0, max(0.0, gravity - 0.5 * (force - 0.5 * weight) / weight))
    s.set_gravity([0, 0, -gravity])
    return {"force": force, "gravity": gravity}


sim.run()
print(f"weight {weight:.3f} N, force at the end {servo['force'][-20:].mean():.3f} N, gravity {gravity:.2f} m/s^2")
assert abs(servo["force"][-20:].mean() - 0.5 * weight) < 0.05 * weight
