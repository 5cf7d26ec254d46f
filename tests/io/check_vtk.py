"""Reads a results folder of the sample frames with VTK's own reader; exits with 1 when anything differs."""
import os
import sys
import xml.etree.ElementTree as tree

try:
    import vtk
    from vtk.util.numpy_support import vtk_to_numpy
except ImportError:
    sys.exit(77)

folder, every = sys.argv[1], sys.argv[2] == "all"  # all arrays as doubles, or those of the default as floats
problems = []


def expect(name, got, wanted):
    if got != wanted:
        problems.append(f"{name}: got {got!r}, wanted {wanted!r}")


def read(path):
    errors = []
    reader = vtk.vtkXMLPolyDataReader()
    reader.AddObserver("ErrorEvent", lambda *_: errors.append("error"))
    reader.SetFileName(path)
    reader.Update()
    expect(f"errors of {path}", errors, [])
    return reader.GetOutput()


def text(data, name):
    array = data.GetFieldData().GetAbstractArray(name)
    return [array.GetValue(k) for k in range(array.GetNumberOfValues())] if array else None


def names(attributes):
    return {attributes.GetArrayName(k) for k in range(attributes.GetNumberOfArrays())}


particles = read(f"{folder}/frames/particles_000000.vtp")
expect("points", particles.GetNumberOfPoints(), 10)
expect("vertices", particles.GetNumberOfVerts(), 10)
expect("particle arrays", names(particles.GetPointData()),
       {"id", "radius", "velocity", "spin", "force", "mass", "material", "group", "coordination", "prescribed"} |
       ({"speed", "orientation", "torque"} if every else set()))
expect("type of points", particles.GetPoints().GetData().GetDataTypeAsString(), "double" if every else "float")
expect("type of velocities", particles.GetPointData().GetArray("velocity").GetDataTypeAsString(),
       "double" if every else "float")
expect("id", list(vtk_to_numpy(particles.GetPointData().GetArray("id"))), [3 * k + 1 for k in range(10)])
expect("group", list(vtk_to_numpy(particles.GetPointData().GetArray("group"))), [k % 3 for k in range(10)])
expect("prescribed", list(vtk_to_numpy(particles.GetPointData().GetArray("prescribed"))), [int(k == 4) for k in range(10)])
if every:
    expect("orientation", particles.GetPointData().GetArray("orientation").GetTuple(3), (0.5, -0.5, 0.5, -0.5))
    velocity = vtk_to_numpy(particles.GetPointData().GetArray("velocity"))
    speed = vtk_to_numpy(particles.GetPointData().GetArray("speed"))
    expect("speed", bool(abs((velocity**2).sum(axis=1) ** 0.5 - speed).max() < 1e-15), True)
expect("materials", text(particles, "materials"), ["glass", "steel"])
expect("groups", text(particles, "groups"), ["pile", "stones", "inlet"])
expect("walls", text(particles, "wall_names"), ["far", "floor", "side"])
expect("title", text(particles, "title"), ["Sand & stones <été>"])
expect("time", particles.GetFieldData().GetArray("TimeValue").GetValue(0), 0.25)
energy = particles.GetFieldData().GetArray("energy")
expect("energy component", energy.GetComponentName(0), "kinetic")
expect("energy", energy.GetComponent(0, 0), 1.1)

contacts = read(f"{folder}/frames/contacts_000000.vtp")
expect("lines", contacts.GetNumberOfLines(), 2)
expect("contact arrays", names(contacts.GetCellData()),
       {"i", "j", "wall", "patch", "force", "normal", "tangential", "overlap"} |
       ({"point", "direction", "elongation"} if every else set()))
expect("first line from the centre", contacts.GetPoint(0), particles.GetPoint(0))
expect("first line to the centre", contacts.GetPoint(1), particles.GetPoint(1))
expect("second line to the wall", contacts.GetPoint(3)[2], 0.0)
expect("contact normal", list(vtk_to_numpy(contacts.GetCellData().GetArray("normal"))), [3.0, 7.0])
expect("contact j", list(vtk_to_numpy(contacts.GetCellData().GetArray("j"))), [4, -1])
expect("contact wall", list(vtk_to_numpy(contacts.GetCellData().GetArray("wall"))), [-1, 1])
expect("contact force", contacts.GetCellData().GetArray("force").GetTuple(1), (0.0, 0.0, 7.0))

walls = read(f"{folder}/frames/walls_000000.vtp")
expect("polygons", walls.GetNumberOfPolys(), 3)
expect("wall index", list(vtk_to_numpy(walls.GetCellData().GetArray("wall"))), [1, 1, 2])
expect("wall force", walls.GetCellData().GetArray("force").GetTuple(0), (1.0, 2.0, -7.0))
expect("triangle", walls.GetCell(2).GetNumberOfPoints(), 3)

empty = read(f"{folder}/frames/particles_000001.vtp")
expect("empty frame", empty.GetNumberOfPoints(), 0)
expect("contacts of the empty frame", read(f"{folder}/frames/contacts_000001.vtp").GetNumberOfLines(), 0)

large = read(f"{folder}/frames/particles_000002.vtp")
count = large.GetNumberOfPoints()
expect("large frame", count, 30000)
expect("ids of the large frame", bool((vtk_to_numpy(large.GetPointData().GetArray("id")) == range(count)).all()), True)
expect("cells of the large frame", large.GetNumberOfVerts(), count)
expect("last cell", large.GetCell(count - 1).GetPointId(0), count - 1)
expect("mass of the large frame", bool(1 <= vtk_to_numpy(large.GetPointData().GetArray("mass")).min() < 1.01), True)
chain = read(f"{folder}/frames/contacts_000002.vtp")
expect("last line", chain.GetPoint(2 * (count - 1) - 1), large.GetPoint(count - 1))

for collection, kinds in (("particles", 1), ("contacts", 1), ("walls", 1), ("all", 3)):
    sets = tree.parse(f"{folder}/{collection}.pvd").getroot().findall("./Collection/DataSet")
    expect(f"{collection}.pvd", len(sets), 3 * kinds)
    expect(f"{collection}.pvd times", sorted({float(s.get("timestep")) for s in sets}), [0.25, 0.5, 0.75])
    for s in sets:
        expect(s.get("file"), os.path.exists(f"{folder}/{s.get('file')}"), True)

print("\n".join(problems))
sys.exit(1 if problems else 0)
