"""Reads a checkpoint with h5py; exits with 1 when the content differs from the test's archive."""
import sys

try:
    import h5py
except ImportError:
    sys.exit(77)

with h5py.File(sys.argv[1], "r") as file:
    assert file["real/particles/x"][...].tolist() == [[0.1, -2.5, 1e300]], file["real/particles/x"][...]
    assert file["real/particles/x"].attrs["unit"].decode() == "m"
    assert file["real/particles/x"].attrs["columns"].decode() == "x, y, z"
    assert file["real/empty"].attrs["meaning"].decode() == "of the program alone"
    assert file["real/empty"].shape == (0,)
    assert list(file["integer/id"]) == [1, -5, 1 << 60]
    assert file["text/title"][()].decode() == "été"
    assert file.attrs["time"] == 0.125
    assert file.attrs["step"] == 42
    assert file.attrs["program"].decode() == "areia"
    assert file.attrs["format"] == 2
    assert file.attrs["version"] and file.attrs["about"]
