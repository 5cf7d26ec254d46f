"""Fields side by side: picture.py OUT.png FILE.vti ARRAY LARGEST [FILE.vti ARRAY LARGEST ...]

With VTK's own readers and writers, without a screen. Vectors are shown by their length, from 0 (dark) to LARGEST
(bright); cells without grains are white.
"""
import sys

import vtk
from vtk.util.numpy_support import vtk_to_numpy

PIXELS = 8  # of a cell
COLOURS = [(0.27, 0.00, 0.33), (0.23, 0.32, 0.55), (0.13, 0.57, 0.55), (0.37, 0.79, 0.38), (0.99, 0.91, 0.14)]


def painted(path, name, largest):
    reader = vtk.vtkXMLImageDataReader()
    reader.SetFileName(path)
    reader.Update()
    field = reader.GetOutput()
    nx, _, nz = (n - 1 for n in field.GetDimensions())
    values = vtk_to_numpy(field.GetCellData().GetArray(name))
    if values.ndim == 2:
        values = (values**2).sum(axis=1) ** 0.5
    solid = vtk_to_numpy(field.GetCellData().GetArray("solid_fraction"))
    cells = vtk.vtkImageData()
    cells.SetDimensions(nx, nz, 1)
    cells.AllocateScalars(vtk.VTK_FLOAT, 1)
    for k in range(nx * nz):
        cells.SetScalarComponentFromFloat(k % nx, k // nx, 0, 0, values[k] if solid[k] > 0.2 else float("nan"))
    colours = vtk.vtkColorTransferFunction()
    for k, colour in enumerate(COLOURS):
        colours.AddRGBPoint(largest * k / (len(COLOURS) - 1), *colour)
    colours.SetNanColor(1, 1, 1)
    large = vtk.vtkImageResize()
    large.SetInputData(cells)
    large.SetOutputDimensions(PIXELS * nx, PIXELS * nz, 1)
    large.InterpolateOff()
    picture = vtk.vtkImageMapToColors()
    picture.SetInputConnection(large.GetOutputPort())
    picture.SetLookupTable(colours)
    picture.SetOutputFormatToRGB()
    picture.Update()
    return picture.GetOutput()


beside = vtk.vtkImageAppend()
for k in range(2, len(sys.argv), 3):
    beside.AddInputData(painted(sys.argv[k], sys.argv[k + 1], float(sys.argv[k + 2])))
writer = vtk.vtkPNGWriter()
writer.SetInputConnection(beside.GetOutputPort())
writer.SetFileName(sys.argv[1])
writer.Write()
