"""Opens a results folder in ParaView as a time series. Not part of ctest (ParaView is large); run by hand:

    pvbatch --force-offscreen-rendering tests/io/check_paraview.py <results folder> [picture.png]

Exits with 1 when a collection is not a time series with the expected arrays. The picture needs a display.
"""
import sys

from paraview.simple import ColorBy, OpenDataFile, Render, ResetCamera, SaveScreenshot, Show, UpdatePipeline
from paraview.simple import GetActiveViewOrCreate

folder = sys.argv[1]
particle_arrays = {"id", "radius", "velocity", "spin", "force", "mass", "material", "group", "coordination", "prescribed"}
contact_arrays = {"i", "j", "wall", "patch", "force", "normal", "tangential", "overlap"}
wall_arrays = {"wall", "force", "torque"}
problems = []
times = None
for name, points, cells in (("particles", particle_arrays, set()), ("contacts", set(), contact_arrays),
                            ("walls", set(), wall_arrays), ("all", particle_arrays, contact_arrays | wall_arrays)):
    source = OpenDataFile(f"{folder}/{name}.pvd")
    UpdatePipeline(proxy=source)
    steps = list(source.TimestepValues)
    times = times or steps
    if steps != times or sorted(steps) != steps or not steps:
        problems.append(f"{name}.pvd: time steps {steps}")
    UpdatePipeline(time=steps[0], proxy=source)
    info = source.GetDataInformation()
    print(f"{name}.pvd: {len(steps)} steps, {info.GetNumberOfPoints()} points, {info.GetNumberOfCells()} cells at t = {steps[0]}")
    if info.GetNumberOfPoints() and set(source.PointData.keys()) != points:
        problems.append(f"{name}.pvd: point arrays {sorted(source.PointData.keys())}")
    if info.GetNumberOfCells() and set(source.CellData.keys()) != cells:
        problems.append(f"{name}.pvd: cell arrays {sorted(source.CellData.keys())}")

if len(sys.argv) > 2:
    shown = Show(OpenDataFile(f"{folder}/all.pvd"))
    ColorBy(shown, ("POINTS", "velocity", "Magnitude"))
    view = GetActiveViewOrCreate("RenderView")
    view.ViewTime = times[0]
    ResetCamera()
    Render()
    SaveScreenshot(sys.argv[2], view, ImageResolution=[800, 600])

print("\n".join(problems))
sys.exit(1 if problems else 0)
