#include "run/paraview_script.h"

#include <fmt/format.h>

#include "core/plain_text.h"

namespace areia {
namespace {

// The title in a comment: one line, and nothing that ends it.
std::string comment(const std::string& title) { return plain_text(title.empty() ? "untitled case" : title, false); }

constexpr const char* kScript = R"PY(# {title}
# Shows this results folder: paraview --script={name}
# Or without a window, for a picture of the last frame: pvbatch {name} PICTURE.png [solid]
import os
import sys

from paraview.simple import *

here = os.path.dirname(os.path.abspath(__file__)) if "__file__" in globals() else os.getcwd()
here = os.environ.get("AREIA_RESULTS", here)
paraview.simple._DisableFirstRenderCameraReset()
view = GetActiveViewOrCreate("RenderView")
view.UseColorPaletteForBackground = 0
view.Background = [1.0, 1.0, 1.0]
view.OrientationAxesLabelColor = [0.1, 0.1, 0.1]


def opened(name):
    path = os.path.join(here, name + ".pvd")
    return PVDReader(registrationName=name, FileName=path) if os.path.exists(path) else None


def arrays(source, kind="PointData"):
    source.UpdatePipeline(GetTimeKeeper().Time)
    data = getattr(source, kind)
    return {{data.GetArray(k).Name: data.GetArray(k) for k in range(data.GetNumberOfArrays())}}


# Grains: one sphere each, of its own radius; beyond a hundred thousand as points that are drawn as spheres.
grains = opened("particles")
scene = GetAnimationScene()
scene.UpdateAnimationUsingDataTimeSteps()
scene.GoToLast()
of_grains = arrays(grains)
colour = "velocity" if "velocity" in of_grains else "radius"
if grains.GetDataInformation().GetNumberOfPoints() <= 100000:
    spheres = Glyph(registrationName="grains", Input=grains, GlyphType="Sphere")
    spheres.ScaleArray = ["POINTS", "radius"]
    spheres.ScaleFactor = 2.0
    spheres.GlyphMode = "All Points"
    spheres.GlyphType.ThetaResolution = 16
    spheres.GlyphType.PhiResolution = 16
    shown = Show(spheres, view)
    Hide(grains, view)
else:
    shown = Show(grains, view)
    shown.SetRepresentationType("Point Gaussian")
    shown.ScaleByArray = 1
    shown.SetScaleArray = ["POINTS", "radius"]
    shown.GaussianRadius = 1.0
    shown.ShaderPreset = "Sphere"
ColorBy(shown, ("POINTS", colour, "Magnitude") if colour == "velocity" else ("POINTS", colour))
shown.RescaleTransferFunctionToDataRange(True, False)
shown.SetScalarBarVisibility(view, True)
bar = GetScalarBar(GetColorTransferFunction(colour), view)
bar.Title = "speed, m/s" if colour == "velocity" else "radius, m"
bar.ComponentTitle = ""
bar.TitleColor = bar.LabelColor = [0.1, 0.1, 0.1]
bar.TitleFontSize = bar.LabelFontSize = 11

walls = opened("walls")
if walls:
    glass = Show(walls, view)
    glass.Opacity = 0.2
    glass.ColorArrayName = [None, ""]
    glass.AmbientColor = glass.DiffuseColor = [0.45, 0.5, 0.6]

# Force chains: tubes as thick as the normal force. They lie inside the grains, which become glass.
contacts = opened("contacts")
if contacts and "normal" in arrays(contacts, "CellData"):
    lines = CellDatatoPointData(registrationName="contact forces", Input=contacts)
    lines.ProcessAllArrays = 1
    lines.UpdatePipeline(GetTimeKeeper().Time)
    strongest = max(abs(end) for end in lines.PointData["normal"].GetRange(-1))
    if strongest > 0:
        thick = Calculator(registrationName="thickness", Input=lines)
        thick.Function = "%.9g * abs(normal)" % (0.6 * of_grains["radius"].GetRange(0)[1] / strongest)
        thick.ResultArrayName = "thickness"
        chains = Tube(registrationName="force chains", Input=thick)
        chains.Scalars = ["POINTS", "thickness"]
        chains.VaryRadius = "By Absolute Scalar"
        chains.NumberofSides = 8
        of_chains = Show(chains, view)
        ColorBy(of_chains, ("POINTS", "normal"))
        of_chains.RescaleTransferFunctionToDataRange(True, False)
        bar = GetScalarBar(GetColorTransferFunction("normal"), view)
        bar.Title, bar.ComponentTitle, bar.WindowLocation = "normal force, N", "", "Upper Right Corner"
        bar.TitleColor = bar.LabelColor = [0.1, 0.1, 0.1]
        bar.TitleFontSize = bar.LabelFontSize = 11
        if "solid" in sys.argv[1:]:
            Hide(chains, view)
        else:
            of_chains.SetScalarBarVisibility(view, True)
            shown.Opacity = 0.2

bonds = opened("bonds")
if bonds:
    rods = Show(bonds, view)
    rods.LineWidth = 4.0
    rods.RenderLinesAsTubes = 1

# The camera looks at the grains; an endless floor counts for nothing.
x0, x1, y0, y1, z0, z1 = grains.GetDataInformation().GetBounds()
size = max(x1 - x0, y1 - y0, z1 - z0, 4 * of_grains["radius"].GetRange(0)[1])
middle = [(x0 + x1) / 2, (y0 + y1) / 2, (z0 + z1) / 2]
view.CameraFocalPoint = middle
view.CameraViewUp = {up}
view.CameraPosition = [middle[k] + 2.4 * size * ({from})[k] for k in range(3)]
view.CameraParallelScale = size
Render(view)
pictures = [word for word in sys.argv[1:] if word.endswith(".png")]
if pictures:
    SaveScreenshot(pictures[-1], view, ImageResolution=[1200, 900])
)PY";

}  // namespace

std::string paraview_script(const Case& c) {
  // across the plane of a 2-D run, else from the front and a little above
  const bool flat = c.domain.dimension == 2;
  const int axis = c.domain.flat_axis;
  const char* const up = flat && axis == 2 ? "[0, 1, 0]" : "[0, 0, 1]";
  const char* const from = !flat       ? "[0.35, -0.85, 0.4]"
                           : axis == 0 ? "[1, 0, 0]"
                           : axis == 1 ? "[0, -1, 0]"
                                       : "[0, 0, 1]";
  return fmt::format(fmt::runtime(kScript), fmt::arg("title", comment(c.title)), fmt::arg("name", kParaViewScript),
                     fmt::arg("up", up), fmt::arg("from", from));
}

}  // namespace areia
